//! The counter that a subject is left with after every part, and not only the data: it shows in the position, and in what
//! follows, which is compared with the oracle's key stream from there on.

use proptest::prop_oneof;
use proptest::strategy::Strategy;
use rand::Rng;
use vambrace_reference::oracles::ciphers::StreamCipherOracle;

use super::setup::{Setup, applied, compare_position};
use super::steps::{self, Look, Step};
use super::{StreamCheck, Trial};
use crate::subject::StreamSubject;
use crate::trial::Wrong;
use crate::{Context, Outcome};

/// The check.
pub const CHECK: StreamCheck = StreamCheck {
    name: "handed-back",
    looks_for: "counters and positions that are wrong after some part",
    seen_in: "libgcrypt 60ed0abb (counter from the wrong register), stream-ciphers#445",
    run,
};

/// Where the cases of random scripts begin; those below are numbers of blocks.
const SCRIPTS: u64 = 1_000_000;

fn run(subject: &dyn StreamSubject, oracle: &dyn StreamCipherOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    let block = oracle.block_bytes();
    let step = prop_oneof![
        6 => steps::parts(block),
        1 => steps::clones(),
        1 => steps::seeks(block),
        1 => (0..8usize).prop_map(Step::SwitchTier),
    ];
    let scripts = steps::scripts(step, Look::WhatFollows);
    let cases = trial.cases(0, 34, 130).chain(trial.cases(SCRIPTS, 80, 5000));
    trial.judge(cases, "", |case| {
        if case < SCRIPTS {
            return after(&trial, case as usize);
        }
        // Every other case begins anywhere.
        let blocks = trial.rng(!case).next_u64() >> 1 >> (case % 60);
        let beginning = if case % 2 == 1 { u128::from(blocks) * block as u128 } else { 0 };
        steps::property(&trial, case, &scripts, beginning)
    })
}

/// So many blocks and some bytes; then the position, and what follows.
fn after(trial: &Trial<'_>, blocks: usize) -> Result<u64, Wrong> {
    let block = trial.oracle.block_bytes();
    let setup = Setup::of_case(trial, blocks as u64);
    let beyond = [0, 1, block / 2, block - 1];
    for length in beyond.map(|beyond| blocks * block + beyond) {
        let describe = |wrong: Wrong| wrong.input(format!("{length} bytes from the beginning on; {setup}"));
        let mut running = setup.start(trial).map_err(describe)?;
        applied(&mut *running, &vec![0; length]).map_err(describe)?;
        compare_position(length as u128, &*running, "behind the data").map_err(describe)?;
        setup.continues(trial, &mut *running, length as u128, "behind the data").map_err(describe)?;
    }
    Ok(2 * beyond.len() as u64)
}
