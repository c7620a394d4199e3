//! After the call, no volatile register and no byte of the dead stack depends on a secret, where the contract promises it.
//!
//! Two calls differ only in secrets; whatever differs afterwards, results aside, is residue. Would have caught libgcrypt
//! 726e992b, where q15 kept the last round key.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use vambrace_contract::{ArgumentKind, Secrecy};

use super::architecture;
use super::call::{Contents, Depth, MAX_UNITS, Source, UNITS};
use super::finding::Finding;
use super::rig::Rig;
use super::trial::{Trial, Tried};

pub(super) static TRIAL: Trial = Trial {
    name: "residue",
    cases: |_| (UNITS.len() as u64 * 4, 1000),
    case,
    otherwise: "the contract has no secret, or promises to clear nothing",
};

fn case(rig: &mut Rig<'_>, n: u64, rng: &mut ChaCha8Rng) -> Result<Tried, Finding> {
    let clears = rig.kernel.clears;
    let round = n as usize / UNITS.len();
    let units = if round < 4 { UNITS[n as usize % UNITS.len()] } else { rng.random_range(0..=MAX_UNITS) };
    let one = rig.call_of(units, rng);
    let mut other = one;
    let mut any = false;
    for (argument, declared) in rig.arguments().iter().enumerate() {
        match declared.kind {
            ArgumentKind::Buffer { secrecy, access, .. } if access.reads() && secrecy != Secrecy::Public => {
                any = true;
                let first = match round % 4 {
                    2 => Source::Byte(0),
                    3 => Source::Byte(0xff),
                    _ => Source::Pool(Rig::anywhere(rng)),
                };
                let until = secrecy.secret_bytes(usize::MAX);
                other.contents[argument] = Contents { first, until, ..one.contents[argument] };
            }
            ArgumentKind::Scalar { secrecy: Secrecy::Secret, min, max, .. } => {
                any = true;
                other.granted[argument] = rng.random_range(min..=max);
                other.passed[argument] = other.granted[argument];
            }
            _ => {}
        }
    }
    if !any || !(clears.registers || clears.stack) {
        return Ok(Tried::NotApplicable);
    }
    let mut around = Rig::any_surroundings(rng);
    around.depth = Depth::Roomy(round % 8);

    rig.run(&one, &around)?;
    let after = rig.after;
    rig.keep_dead_stack();
    rig.run(&other, &around)?;
    if clears.registers {
        for register in architecture::volatile().filter(|&register| !rig.returns_in(register)) {
            let (one, other) = (after.get(register), rig.after.get(register));
            if one != other {
                return Err(Finding::RegisterResidue { register, one, other });
            }
        }
    }
    if clears.stack
        && let Some(residue) = rig.dead_stack_residue()
    {
        return Err(residue);
    }
    Ok(Tried::Yes)
}
