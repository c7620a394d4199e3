//! Everything that must be refused: the error comes, and what was there stays as it was. The end of the key stream has its
//! own check, [`keystream`](super::keystream).

use rand::RngExt;
use vambrace_reference::oracles::ciphers::StreamCipherOracle;

use super::setup::{Setup, applied, compare_position};
use super::{StreamCheck, Trial};
use crate::refusal::{refused, unknown_tiers};
use crate::subject::{RunningStream, StreamSubject};
use crate::trial::{Wrong, same};
use crate::{Context, Outcome};

/// The check.
pub const CHECK: StreamCheck = StreamCheck {
    name: "errors",
    looks_for: "wrong arguments that are accepted, and errors that leave something changed: keys and nonces of wrong length, \
                outputs of another length than inputs, unknown tiers",
    seen_in: "aead-test-template (outputs written before an error)",
    run,
};

/// One kind of wrong argument. Answers how many were tried, 0 if the subject does not offer what they belong to.
type Refusal = fn(&Trial<'_>, u64) -> Result<u64, Wrong>;

/// A case is the index of a kind, plus [`ROUND`] for every further round with other random numbers.
const REFUSALS: &[Refusal] = &[key_of_wrong_length, nonce_of_wrong_length, unequal_lengths, unknown_tier];

/// Distance of the cases of a kind.
const ROUND: u64 = 10;

fn run(subject: &dyn StreamSubject, oracle: &dyn StreamCipherOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    let cases = trial.cases(0, 4 * ROUND, 50 * ROUND).filter(|case| case % ROUND < REFUSALS.len() as u64);
    trial.judge(cases, "the subject refuses nothing", |case| REFUSALS[(case % ROUND) as usize](&trial, case / ROUND))
}

fn key_of_wrong_length(trial: &Trial<'_>, round: u64) -> Result<u64, Wrong> {
    let nonce = Setup::of_case(trial, round).nonce;
    let bytes = trial.bytes(round, 4096);
    let lengths = (0..=80).chain([128, 255, 256, 257, 256 + 16, 256 + 32, 4096]);
    let mut tried = 0;
    for length in lengths.filter(|length| !trial.oracle.key_bytes().contains(length)) {
        refused(&format!("a key of {length} bytes"), Some(trial.subject.start(&bytes[..length], &nonce)))?;
        tried += 1;
    }
    Ok(tried)
}

fn nonce_of_wrong_length(trial: &Trial<'_>, round: u64) -> Result<u64, Wrong> {
    let key = Setup::of_case(trial, round).key;
    let bytes = trial.bytes(round, 4096);
    let lengths = (0..=40).chain([64, 255, 256, 256 + 8, 256 + 24, 4096]);
    let mut tried = 0;
    for length in lengths.filter(|length| *length != trial.oracle.nonce_bytes()) {
        refused(&format!("a nonce of {length} bytes"), Some(trial.subject.start(&key, &bytes[..length])))?;
        tried += 1;
    }
    Ok(tried)
}

/// Some stream on its way, and its position.
fn underway(trial: &Trial<'_>, setup: &Setup, round: u64) -> Result<(Box<dyn RunningStream>, u128), Wrong> {
    let length = trial.rng(round).random_range(0..3 * trial.oracle.block_bytes());
    let mut running = setup.start(trial)?;
    applied(&mut *running, &vec![0; length])?;
    Ok((running, length as u128))
}

fn unequal_lengths(trial: &Trial<'_>, round: u64) -> Result<u64, Wrong> {
    let setup = Setup::of_case(trial, round);
    let data = trial.bytes(round, 1100);
    let lengths =
        [(0, 1), (1, 0), (1, 2), (2, 1), (63, 64), (64, 63), (64, 65), (65, 64), (64, 128), (128, 64), (1100, 1)];
    for (input, output) in lengths {
        let (mut running, position) = underway(trial, &setup, round)?;
        let before = vec![0x5c; output];
        let mut after = before.clone();
        let what = format!("an input of {input} bytes with an output of {output}");
        let describe = |wrong: Wrong| wrong.input(format!("{what}, at position {position}; {setup}"));
        refused(&what, Some(running.apply_to(&data[..input], &mut after))).map_err(describe)?;
        same(|| format!("the output is written although {what} is refused"), &before, &after).map_err(describe)?;
        compare_position(position, &*running, "after unequal lengths").map_err(describe)?;
        setup.continues(trial, &mut *running, position, "after unequal lengths").map_err(describe)?;
    }
    Ok(lengths.len() as u64)
}

fn unknown_tier(trial: &Trial<'_>, round: u64) -> Result<u64, Wrong> {
    let setup = Setup::of_case(trial, round);
    let mut tried = 0;
    for name in unknown_tiers(&trial.subject.tiers()) {
        let (mut running, position) = underway(trial, &setup, round)?;
        let describe = |wrong: Wrong| wrong.input(format!("tier {name:?} at position {position}; {setup}"));
        refused(&format!("the unknown tier {name:?}"), running.switch_tier(&name)).map_err(describe)?;
        setup.continues(trial, &mut *running, position, "after an unknown tier was refused").map_err(describe)?;
        tried += 1;
    }
    Ok(tried)
}
