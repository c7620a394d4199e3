//! The procedure call standard: what belongs to the caller is as it was, on every path through the kernel.
//!
//! All registers are random before the call. Preserved are x19 to x29, SP, d8 to d15, FPCR and, untouched, x18; or r4 to
//! r11, SP, d8 to d15, the control bits of FPSCR and the byte order; and on the stack everything but the declared frame,
//! which in every second case ends at an unmapped page. Undefined bits of 32-bit arguments and registers without an
//! argument hold junk. Would have caught OpenSSL 23233 (AES-CTR) and asm-hashes 13 (v8 to v15), Go 17499 (frame), and
//! libgcrypt 9b58e4a0 (upper halves) and 761a1a0d (a register that is no argument).

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::architecture;
use super::call::{Depth, MAX_UNITS, Surroundings, UNITS};
use super::finding::Finding;
use super::rig::Rig;
use super::trial::{Trial, Tried};

pub(super) static TRIAL: Trial =
    Trial { name: "abi", cases: |_| (UNITS.len() as u64 * 8, 1500), case, otherwise: "there is no such case" };

fn case(rig: &mut Rig<'_>, n: u64, rng: &mut ChaCha8Rng) -> Result<Tried, Finding> {
    let round = n as usize / UNITS.len();
    let units = if round < 8 { UNITS[n as usize % UNITS.len()] } else { rng.random_range(0..=MAX_UNITS) };
    let call = rig.call_of(units, rng);
    let mut around = Rig::any_surroundings(rng);
    if round % 2 == 1 {
        around.depth = Depth::Flush;
    }
    rig.run(&call, &around)?;
    for register in architecture::preserved() {
        let (before, after) = (rig.before.get(register), rig.after.get(register));
        if before != after {
            return Err(Finding::NotPreserved { register, before, after });
        }
    }
    rig.check_stack(&around)?;
    // The plainest caller gets the same.
    rig.equal_results((&call, &Surroundings::CALM), (&call, &around))?;
    Ok(Tried::Yes)
}
