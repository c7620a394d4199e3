//! Two calls that differ only in what the contract leaves undefined give equal results.
//!
//! They differ in registers, flags and floating-point modes, in the stack below and above SP, in the bytes around the
//! buffers, in what write-only buffers held, and in every address. Would have caught libgcrypt 761a1a0d, where a mask came
//! from a register that the caller does not pass.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::call::{MAX_UNITS, UNITS};
use super::finding::Finding;
use super::rig::Rig;
use super::trial::{Trial, Tried};

pub(super) static TRIAL: Trial = Trial {
    name: "undefined-input",
    cases: |_| (UNITS.len() as u64 * 6, 1500),
    case,
    otherwise: "there is no such case",
};

fn case(rig: &mut Rig<'_>, n: u64, rng: &mut ChaCha8Rng) -> Result<Tried, Finding> {
    let round = n as usize / UNITS.len();
    let units = if round < 6 { UNITS[n as usize % UNITS.len()] } else { rng.random_range(0..=MAX_UNITS) };
    let one = rig.call_of(units, rng);
    let mut other = one;
    for buffer in rig.buffers() {
        other.places[buffer] = rig.middle(buffer, rng.random_range(0..128));
    }
    let (a, b) = (Rig::any_surroundings(rng), Rig::any_surroundings(rng));
    rig.equal_results((&one, &a), (&other, &b))?;
    Ok(Tried::Yes)
}
