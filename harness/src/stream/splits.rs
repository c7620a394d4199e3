//! Messages in parts: every cut around block multiples, and random scripts of parts and clones.

use proptest::prop_oneof;
use vambrace_reference::oracles::ciphers::StreamCipherOracle;

use super::setup::{Setup, applied, applied_to};
use super::steps::{self, Look};
use super::{StreamCheck, Trial};
use crate::subject::StreamSubject;
use crate::trial::{Wrong, same, shown};
use crate::{Context, Outcome};

/// The check.
pub const CHECK: StreamCheck = StreamCheck {
    name: "splits",
    looks_for: "results that depend on how a message is cut, or on clones between its parts",
    seen_in: "OP-TEE#2355 (state lost after 2 blocks), openssl be9375d5, Linux 009b30ac7444 (two paths)",
    run,
};

/// Where the cases of random scripts begin; those below are cuts.
const SCRIPTS: u64 = 1_000_000;

/// Once a cut shows something wrong, all cuts of messages shorter than this are tried.
const SHORTEST_TRIED: usize = 160;

fn run(subject: &dyn StreamSubject, oracle: &dyn StreamCipherOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    let block = oracle.block_bytes();
    let quick = cuts(block, &[1, 2, 3, 4]);
    let all: Vec<_> = quick.iter().copied().chain(cuts(block, &[5, 8, 9, 16])).collect();
    let scripts = steps::scripts(prop_oneof![5 => steps::parts(block), 2 => steps::clones()], Look::Data);
    let setup = Setup::of_case(&trial, u64::MAX);
    let message = trial.bytes(u64::MAX, 17 * block);
    let mut expected = Vec::new();
    let cases = trial.cases(0, quick.len() as u64, all.len() as u64).chain(trial.cases(SCRIPTS, 100, 5000));
    trial.judge(cases, "", |case| match all.get(case as usize) {
        Some(&(length, cut)) => {
            if expected.is_empty() {
                expected = setup.expected(&trial, 0, &message);
            }
            cut_in_two(&trial, &setup, &message, length, cut, &expected)
        }
        None => steps::property(&trial, case, &scripts, 0),
    })
}

/// Lengths around some block multiples, with every place to cut each.
fn cuts(block: usize, multiples: &[usize]) -> Vec<(usize, usize)> {
    let lengths = multiples.iter().flat_map(|blocks| [blocks * block - 1, blocks * block, blocks * block + 1]);
    lengths.flat_map(|length| (0..=length).map(move |cut| (length, cut))).collect()
}

/// Two parts of a message, and a third behind it, which begins where the second has perhaps just completed a block.
fn cut_in_two(
    trial: &Trial<'_>,
    setup: &Setup,
    message: &[u8],
    length: usize,
    cut: usize,
    expected: &[u8],
) -> Result<u64, Wrong> {
    let differs = |length: usize, cut: usize| {
        let third = trial.oracle.block_bytes() / 2;
        let message = &message[..length + third];
        let mut running = setup.start(trial)?;
        let mut actual = applied(&mut *running, &message[..cut])?;
        actual.extend(applied_to(&mut *running, &message[cut..length])?);
        actual.extend(applied(&mut *running, &message[length..])?);
        let second = length - cut;
        same(|| format!("parts of {cut}, {second} and {third} bytes are wrong"), &expected[..message.len()], &actual)
            .map_err(|wrong| {
                wrong.input(format!("apply {cut}, apply_to {second}, apply {third}: {}; {setup}", shown(message)))
            })
    };
    let Err(wrong) = differs(length, cut) else { return Ok(1) };
    // Cuts begin at the length of a block; something shorter may be as wrong.
    for length in 0..length.min(SHORTEST_TRIED) {
        (0..=length).try_for_each(|cut| differs(length, cut))?;
    }
    Err(wrong)
}
