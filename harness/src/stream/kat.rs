//! Published vectors: every message at once, in parts and from buffer to buffer, and the digests of long streams.
//!
//! A message's case is its index among the vectors of its algorithm.

use rand::RngExt;
use vambrace_reference::oracles::ciphers::StreamCipherOracle;
use vambrace_vectors::{StreamDigest, StreamVector, StreamVectors, VectorError};

use super::setup::{Setup, applied, applied_to};
use super::{StreamCheck, Trial};
use crate::subject::StreamSubject;
use crate::trial::{Wrong, same};
use crate::{Context, LeftOut, Outcome};

/// The check.
pub const CHECK: StreamCheck = StreamCheck {
    name: "kat",
    looks_for: "results that differ from published vectors, at once, in parts, and from the middle of a message on",
    seen_in: "all (rotations, word and byte order)",
    run,
};

/// Where the cases of digests begin.
const DIGESTS: u64 = 500_000;

fn run(subject: &dyn StreamSubject, oracle: &dyn StreamCipherOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    let vectors = match vambrace_vectors::stream(subject.algorithm()) {
        Ok(vectors) => vectors,
        Err(VectorError::UnknownAlgorithm { .. }) => &StreamVectors::default(),
        Err(error) => return trial.judge([0], "", |_| Err(Wrong::new(error.to_string()))),
    };
    let messages = trial.published(0, vectors.messages.len());
    let digests = trial.published(DIGESTS, vectors.digests.len());
    // An oracle may be of a subject that has not all lengths of keys.
    let taken = |key: &[u8]| oracle.key_bytes().contains(&key.len());
    let outcome =
        trial.judge(messages.chain(digests), "there are no published vectors of the algorithm", |case| match case {
            0..DIGESTS => match &vectors.messages[case as usize] {
                vector if taken(&vector.key) => message(&trial, case, vector),
                _ => Ok(0),
            },
            _ => match &vectors.digests[(case - DIGESTS) as usize] {
                vector if taken(&vector.key) => digest(&trial, vector),
                _ => Ok(0),
            },
        });
    let keys =
        vectors.messages.iter().map(|vector| &vector.key).chain(vectors.digests.iter().map(|vector| &vector.key));
    let others = keys.filter(|key| !taken(key)).count() as u64;
    match outcome {
        Outcome::Pass { cases, mut left_out } if others > 0 && context.only_case.is_none() => {
            left_out.push(LeftOut {
                cases: others,
                reason: "vectors under keys of a length that is not judged".to_owned(),
            });
            Outcome::Pass { cases, left_out }
        }
        outcome => outcome,
    }
}

fn message(trial: &Trial<'_>, case: u64, vector: &StreamVector) -> Result<u64, Wrong> {
    let StreamVector { key, nonce, offset, plaintext, ciphertext, source } = vector;
    let setup = Setup { key: key.clone(), nonce: nonce.clone() };
    let start = setup.at(trial, u128::from(*offset)).map_err(|wrong| wrong.input(source))?;
    let compare = |how: &str, input: &[u8], output: &[u8], parts: usize| {
        let mut running = start.boxed_clone();
        let mut actual = Vec::with_capacity(input.len());
        for part in input.chunks(parts.max(1)) {
            actual.extend(applied(&mut *running, part)?);
        }
        same(|| format!("a published message is wrong, {how}"), output, &actual).map_err(|wrong| wrong.input(source))
    };
    compare("at once", plaintext, ciphertext, plaintext.len())?;
    compare("decrypted", ciphertext, plaintext, plaintext.len())?;
    let cut = trial.rng(case).random_range(1..=plaintext.len().max(1));
    compare(&format!("in parts of {cut} bytes"), plaintext, ciphertext, cut)?;
    let piece = trial.oracle.block_bytes() - 1;
    compare(&format!("in parts of {piece} bytes"), plaintext, ciphertext, piece)?;
    let actual = applied_to(&mut *start.boxed_clone(), plaintext)?;
    same(|| "a published message is wrong from buffer to buffer".to_owned(), ciphertext, &actual)
        .map_err(|wrong| wrong.input(source))?;
    Ok(5)
}

fn digest(trial: &Trial<'_>, vector: &StreamDigest) -> Result<u64, Wrong> {
    let StreamDigest { key, nonce, plaintext, digest, source } = vector;
    let setup = Setup { key: key.clone(), nonce: nonce.clone() };
    let ciphertext = applied(&mut *setup.start(trial)?, plaintext).map_err(|wrong| wrong.input(source))?;
    let mut actual = vec![0; digest.len()];
    for piece in ciphertext.chunks(digest.len()) {
        actual.iter_mut().zip(piece).for_each(|(sum, byte)| *sum ^= byte);
    }
    same(|| "the digest of a long published stream is wrong".to_owned(), digest, &actual)
        .map_err(|wrong| wrong.input(source))?;
    Ok(1)
}
