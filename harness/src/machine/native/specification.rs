//! The results are those of the specification that the contract names.
//!
//! States, blocks and keys are random, all zero or all one; the numbers of blocks lead through all paths and exits. What is
//! compared is everything that the kernel writes: the state that it hands back, and the blocks. The checks of the types that run
//! through a kernel say more of it; this one is for code that has no type around it.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::super::specified::Specification;
use super::call::{Call, Contents, MAX_UNITS, Source, UNITS};
use super::finding::Finding;
use super::rig::Rig;
use super::trial::{Trial, Tried};

pub(super) static TRIAL: Trial = Trial {
    name: "specification",
    cases: |_| (UNITS.len() as u64 * ROUNDS as u64, 1500),
    case,
    otherwise: "the specification has no answer",
};

/// How often each number of units is tried in a quick run.
const ROUNDS: usize = 8;

fn case(rig: &mut Rig<'_>, n: u64, rng: &mut ChaCha8Rng) -> Result<Tried, Finding> {
    let Ok(specification) = Specification::of(rig.kernel) else { return Ok(Tried::NotApplicable) };
    let round = n as usize / UNITS.len();
    let units = if round < ROUNDS { UNITS[n as usize % UNITS.len()] } else { rng.random_range(0..=MAX_UNITS) };
    let mut call = rig.call_of(units, rng);
    vary(rig, &mut call, round);
    let around = Rig::any_surroundings(rng);
    let Some(expected) = specification.expected(|n| rig.given(n, &call), &call.granted) else {
        return Ok(Tried::NotApplicable);
    };
    rig.run(&call, &around)?;
    rig.keep(1, &call);
    rig.keep_expected(&expected);
    match rig.compare() {
        Some(difference) => Err(Finding::NotAsSpecified { difference }),
        None => Ok(Tried::Yes),
    }
}

/// In some rounds a buffer, or each of them, has bytes that are all alike: carries ripple furthest there, or not at all.
fn vary(rig: &Rig<'_>, call: &mut Call, round: usize) {
    let byte = if round.is_multiple_of(2) { 0 } else { 0xff };
    for (which, buffer) in rig.buffers().enumerate() {
        if round % ROUNDS / 2 == 1 + which || round % ROUNDS >= ROUNDS - 2 {
            call.contents[buffer] = Contents::of(Source::Byte(byte));
        }
    }
}
