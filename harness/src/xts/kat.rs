//! Published vectors in both directions: data units in place and from buffer to buffer, and the block cipher on its own.
//!
//! A data unit's case is its index among the vectors of its algorithm.

use vambrace_reference::oracles::ciphers::XtsOracle;
use vambrace_vectors::{BlockVector, VectorError, XtsVector, XtsVectors};

use super::setup::{DIRECTIONS, Keys, crypted, crypted_from, crypted_to};
use super::{Trial, XtsCheck};
use crate::subject::{Direction, XtsSubject};
use crate::trial::{Wrong, same};
use crate::{Context, LeftOut, Outcome};

/// The check.
pub const CHECK: XtsCheck = XtsCheck {
    name: "kat",
    looks_for: "data units and blocks that differ from published vectors, in either direction",
    seen_in: "cryptopp#808 (Speck, decryption alone, on one architecture), Speck word order (AGNi testmgr.h, cryptopp#585)",
    run,
};

/// Where the cases of blocks begin.
const BLOCKS: u64 = 500_000;

fn run(subject: &dyn XtsSubject, oracle: &dyn XtsOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    let nothing = XtsVectors::default();
    let units = vambrace_vectors::xts(oracle.algorithm()).or_else(|error| none_is(&nothing, error));
    let blocks = vambrace_vectors::block(oracle.cipher()).or_else(|error| none_is(&[], error));
    let (vectors, blocks) = match (units, blocks) {
        (Ok(units), Ok(blocks)) => (units, blocks),
        (Err(error), _) | (_, Err(error)) => return trial.judge([0], "", |_| Err(Wrong::new(error.to_string()))),
    };
    let units = &vectors.units;
    let cases = trial.published(0, units.len()).chain(trial.published(BLOCKS, blocks.len()));
    let outcome = trial.judge(cases, "there are no published vectors of the algorithm", |case| match case {
        0..BLOCKS => unit(&trial, &units[case as usize]),
        _ => block(&trial, &blocks[(case - BLOCKS) as usize]),
    });
    match outcome {
        Outcome::Pass { cases, .. } if context.only_case.is_none() => {
            Outcome::Pass { cases, left_out: left_out(subject, vectors) }
        }
        outcome => outcome,
    }
}

/// What the files have and the subject does not take.
fn left_out(subject: &dyn XtsSubject, vectors: &XtsVectors) -> Vec<LeftOut> {
    let equal = vectors.units.iter().filter(|unit| is_refused(subject, unit)).count();
    let partial = vectors.partial_units.len();
    let algorithm = subject.algorithm();
    let mut left_out = vec![
        (equal, "data units under two equal keys, which the subject refuses".to_owned()),
        (partial, "data units that end within a byte, which nobody has who counts in bytes".to_owned()),
    ];
    left_out.extend(vectors.other_keys.iter().map(|(bytes, cases)| {
        (*cases, format!("data units of Wycheproof under two keys of {bytes} bytes, which {algorithm} does not have"))
    }));
    left_out.retain(|(cases, _)| *cases > 0);
    left_out.into_iter().map(|(cases, reason)| LeftOut { cases: cases as u64, reason }).collect()
}

fn is_refused(subject: &dyn XtsSubject, XtsVector { key1, key2, .. }: &XtsVector) -> bool {
    key1 == key2 && subject.refuses_equal_halves()
}

fn none_is<T: ?Sized>(nothing: &T, error: VectorError) -> Result<&T, VectorError> {
    match error {
        VectorError::UnknownAlgorithm { .. } => Ok(nothing),
        error => Err(error),
    }
}

fn unit(trial: &Trial<'_>, vector: &XtsVector) -> Result<u64, Wrong> {
    let XtsVector { key1, key2, tweak, plaintext, ciphertext, source } = vector;
    if is_refused(trial.subject, vector) {
        return Ok(0);
    }
    let keys = Keys { key1: key1.clone(), key2: key2.clone() };
    let describe = |wrong: Wrong| wrong.input(source);
    let keyed = keys.keyed(trial).map_err(describe)?;
    let mut compared = 0;
    for (direction, input, output) in
        [(Direction::Encrypt, plaintext, ciphertext), (Direction::Decrypt, ciphertext, plaintext)]
    {
        if !trial.subject.directions().contains(&direction) {
            continue;
        }
        let mut compare = |how: &str, actual: &[u8]| {
            compared += 1;
            same(|| format!("a published data unit is wrongly {} {how}", direction.done()), output, actual)
        };
        compare("in place", &crypted(&*keyed, direction, tweak, input).map_err(describe)?).map_err(describe)?;
        let actual = crypted_to(&*keyed, direction, tweak, input).map_err(describe)?;
        compare("from buffer to buffer", &actual).map_err(describe)?;
        let t = keys.encrypted(trial, tweak);
        if let Some(actual) = crypted_from(&*keyed, direction, &t, input).map_err(describe)? {
            compare("under the encrypted tweak", &actual).map_err(describe)?;
        }
    }
    Ok(compared)
}

/// Blocks under the key of the data: all together, and each on its own.
fn block(trial: &Trial<'_>, vector: &BlockVector) -> Result<u64, Wrong> {
    let BlockVector { key, plaintext, ciphertext, source } = vector;
    let other = key.iter().map(|byte| !byte).collect();
    let keyed = Keys::new(key.clone(), other).keyed(trial).map_err(|wrong| wrong.input(source))?;
    let mut compared = 0;
    for (direction, [input, output]) in DIRECTIONS.into_iter().zip([[plaintext, ciphertext], [ciphertext, plaintext]]) {
        if !trial.subject.directions().contains(&direction) {
            continue;
        }
        for together in [input.len(), trial.oracle.block_bytes()] {
            let mut actual = input.clone();
            for blocks in actual.chunks_mut(together) {
                match keyed.blocks(direction, blocks) {
                    None => return Ok(compared),
                    Some(Ok(())) => {}
                    Some(Err(error)) => {
                        return Err(Wrong::new(format!("whole blocks are refused: {error}")).input(source));
                    }
                }
            }
            same(|| format!("published blocks are wrongly {}", direction.done()), output, &actual)
                .map_err(|wrong| wrong.input(source))?;
            compared += 1;
        }
    }
    Ok(compared)
}
