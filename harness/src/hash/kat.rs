//! Official vectors: every message at once and in parts, with and without a key, and the Monte Carlo chains; and digests
//! from injected states, frozen from somebody else's implementation.
//!
//! A message's case is its index among the vectors of its algorithm; a checkpoint of a Monte Carlo chain is a case too,
//! since it needs only the checkpoint before it.

use rand::RngExt;
use vambrace_reference::oracles::{HashOracle, HashParameters};
use vambrace_vectors::{ContinuedVector, HashVector, MonteCarlo};

use super::{HashCheck, Trial};
use crate::subject::HashSubject;
use crate::trial::{Wrong, same};
use crate::{Context, Outcome};

/// The check.
pub const CHECK: HashCheck = HashCheck {
    name: "kat",
    looks_for: "digests that differ from the official vectors, one-shot, split, and in Monte Carlo chains",
    seen_in: "ethrex#4308 (wrong rotation, merged), Speck word order (AGNi testmgr.h, cryptopp#585)",
    run,
};

/// Checkpoints of a Monte Carlo chain in a quick run.
const QUICK_CHECKPOINTS: usize = 1;

/// Where the cases of injected states begin.
const CONTINUED: u64 = 500_000;

/// Where the cases of Monte Carlo chains begin; each chain has as many numbers.
const CHAINS: u64 = 1_000_000;

fn run(subject: &dyn HashSubject, oracle: &dyn HashOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    let vectors = match vambrace_vectors::hash(subject.algorithm()) {
        Ok(vectors) => vectors,
        Err(error) => return trial.judge([0], "", |_| Err(Wrong::new(error.to_string()))),
    };
    let messages = trial.published(0, vectors.messages.len());
    let continued = trial.published(CONTINUED, vectors.continued.len());
    let chains = (CHAINS..).step_by(CHAINS as usize).zip(&vectors.monte_carlo).flat_map(|(first, chain)| {
        let all = chain.checkpoints.len();
        trial.cases(first, QUICK_CHECKPOINTS.min(all) as u64, all as u64)
    });
    let cases = messages.chain(continued).chain(chains);
    trial.judge(cases, "the vectors of the algorithm are empty", |case| match case / CHAINS {
        0 if case >= CONTINUED => from_state(&trial, case, &vectors.continued[(case - CONTINUED) as usize]),
        0 => message(&trial, case, &vectors.messages[case as usize]),
        chain => checkpoint(&trial, &vectors.monte_carlo[chain as usize - 1], (case % CHAINS) as usize),
    })
}

fn message(trial: &Trial<'_>, case: u64, vector: &HashVector) -> Result<u64, Wrong> {
    let HashVector { key, message, digest, source } = vector;
    let parameters = HashParameters { output_bytes: digest.len(), key, salt: &[], personal: &[] };
    if !key.is_empty() && trial.subject.start_with(&parameters).is_none() {
        return Ok(0);
    }
    let hash = |parts: &[&[u8]]| {
        let mut running = match trial.subject.start_with(&parameters) {
            Some(Ok(running)) if !key.is_empty() => running,
            Some(Err(error)) => panic!("official parameters are refused: {error}"),
            _ => trial.subject.start(),
        };
        parts.iter().for_each(|part| running.update(part));
        running.finalize()
    };
    let compare = |how: &str, parts: &[&[u8]]| {
        same(|| format!("the digest of an official message is wrong, {how}"), digest, &hash(parts))
            .map_err(|wrong| wrong.input(source))
    };
    compare("one-shot", &[message])?;
    let cut = trial.rng(case).random_range(0..=message.len());
    let (first, second) = message.split_at(cut);
    compare(&format!("in parts of {cut} and {} bytes", second.len()), &[first, second])?;
    let piece = trial.oracle.block_bytes() - 1;
    compare(&format!("in parts of {piece} bytes"), &message.chunks(piece).collect::<Vec<_>>())?;
    Ok(3)
}

/// The end of a message from a state: at once, byte by byte, and cut anywhere.
fn from_state(trial: &Trial<'_>, case: u64, vector: &ContinuedVector) -> Result<u64, Wrong> {
    let ContinuedVector { state, count, message, digest, source } = vector;
    if trial.subject.start_from(state, 0).is_none() {
        return Ok(0);
    }
    let cut = trial.rng(case).random_range(0..=message.len());
    let (first, second) = message.split_at(cut);
    let bytes: Vec<&[u8]> = message.chunks(1).collect();
    for parts in [&[&message[..]][..], &[first, second], &bytes] {
        let Some(mut running) = trial.subject.start_from(state, *count) else {
            return Err(Wrong::new("a byte count that the algorithm allows is refused").input(source));
        };
        parts.iter().for_each(|part| running.update(part));
        let what = || format!("the digest from a state after {count} bytes is wrong, in {} parts", parts.len());
        same(what, digest, &running.finalize()).map_err(|wrong| wrong.input(source))?;
    }
    Ok(3)
}

/// One checkpoint from the one before.
fn checkpoint(trial: &Trial<'_>, chain: &MonteCarlo, index: usize) -> Result<u64, Wrong> {
    let seed = index.checked_sub(1).map_or(&chain.seed, |before| &chain.checkpoints[before]);
    let mut last = [seed.clone(), seed.clone(), seed.clone()];
    for _ in 0..MonteCarlo::STEPS {
        let mut running = trial.subject.start();
        last.iter().for_each(|digest| running.update(digest));
        last.rotate_left(1);
        last[2] = running.finalize();
    }
    let what = || format!("checkpoint {index} of an official Monte Carlo chain is wrong");
    same(what, &chain.checkpoints[index], &last[2]).map_err(|wrong| {
        wrong.input(format!(
            "{}: {} digests of three digests each, from {}",
            chain.source,
            MonteCarlo::STEPS,
            hex::encode(seed)
        ))
    })?;
    Ok(MonteCarlo::STEPS as u64)
}
