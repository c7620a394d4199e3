//! A count of units is used in its whole width.
//!
//! A call asks for far more units than there are, so it must run into the unmapped page after them; to return is the
//! failure, as it shows a count, a size or an end address that was cut off at some width. The counts are those around
//! every power of two, and around every number of units whose bytes are a power of two; the page comes after a few units,
//! and after more than a kernel takes at once. Would have caught libgcrypt
//! 9ee2d56e, where a block count was a signed 32-bit number.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use vambrace_contract::{ArgumentKind, Size};

use super::super::passing;
use super::architecture::ARCHITECTURE;
use super::call::{FEW, MAX_UNITS, Place, Short};
use super::child::Cause;
use super::finding::Finding;
use super::rig::Rig;
use super::trial::{Trial, Tried};

pub(super) static TRIAL: Trial = Trial {
    name: "count-width",
    cases: |rig| {
        let once = pairs(rig).count() as u64 * VALUES * EXCESS.len() as u64;
        (once, 8 * once)
    },
    case,
    otherwise: "the size of no buffer depends on an argument",
};

/// What is added to a power of two, which is what a kernel sees that cuts it off there.
const EXCESS: [u64; 2] = [0, 1];
/// Powers of two of units, and of bytes; and the greatest values.
const VALUES: u64 = 64 + 64 + 2;
/// Units that the other buffers have more: no kernel reads so far ahead.
const AHEAD: u64 = 40;

/// Each scalar that counts, with each buffer whose size it decides. A number with few values, of rounds, say, is no count.
fn pairs(rig: &Rig<'_>) -> impl Iterator<Item = (usize, usize)> {
    let counts = |scalar: &usize| match rig.arguments()[*scalar].kind {
        ArgumentKind::Scalar { max, .. } => max > FEW,
        ArgumentKind::Buffer { .. } => false,
    };
    (0..rig.arguments().len())
        .filter(counts)
        .flat_map(|scalar| rig.scaled_by(scalar).map(move |buffer| (scalar, buffer)))
}

fn case(rig: &mut Rig<'_>, n: u64, rng: &mut ChaCha8Rng) -> Result<Tried, Finding> {
    let once = pairs(rig).count() as u64 * VALUES * EXCESS.len() as u64;
    if once == 0 {
        return Ok(Tried::NotApplicable);
    }
    let Some((scalar, short)) = pairs(rig).nth((n % once / VALUES / EXCESS.len() as u64) as usize) else {
        return Ok(Tried::NotApplicable);
    };
    let (ArgumentKind::Scalar { min, max, .. }, ArgumentKind::Buffer { size: Size::Affine { per, .. }, .. }) =
        (rig.arguments()[scalar].kind, rig.arguments()[short].kind)
    else {
        return Ok(Tried::NotApplicable);
    };
    let excess = match n / once {
        0 => EXCESS[(n % 2) as usize],
        _ => rng.random_range(0..10),
    };
    let width = passing::bits(ARCHITECTURE, &rig.arguments()[scalar]);
    let greatest = max.min(if width == 64 { u64::MAX } else { (1 << width) - 1 });
    let value = match n / EXCESS.len() as u64 % VALUES {
        exponent @ 0..64 => (1u64 << exponent).checked_add(excess),
        exponent @ 64..128 => u64::try_from((1u128 << (exponent - 63)).div_ceil(per as u128) + u128::from(excess)).ok(),
        128 => greatest.checked_sub(excess),
        _ => (greatest / 2).checked_sub(excess),
    };
    let (units, enough) = match (n / once, excess) {
        // More than any kernel takes at once: how it goes on after the first group depends on the count, too.
        (0, 1) => (MAX_UNITS / 2 + 1, MAX_UNITS),
        _ => {
            let units = excess + rng.random_range(1..5);
            (units, units + AHEAD)
        }
    };
    let Some(value) = value.filter(|value| (enough + 1..=greatest).contains(value)) else {
        return Ok(Tried::NotApplicable);
    };
    // Buffers of other sizes belong to a contract whose least count is large: no case of this check.
    if min > units || enough > MAX_UNITS {
        return Ok(Tried::NotApplicable);
    }

    let mut call = rig.call_of(enough, rng);
    call.granted[scalar] = enough;
    for buffer in rig.buffers() {
        call.places[buffer] = Place::Right;
    }
    call.passed = call.granted;
    call.passed[scalar] = value;
    call.short = Some(Short { buffer: short, scalar, units });
    let around = Rig::any_surroundings(rng);
    match rig.attempt(&call, &around) {
        Ok(()) => Err(Finding::Returned { scalar, argument: short, units }),
        Err(fault) => {
            let end = rig.unmapped(short);
            // Within the first access to a unit that is not there, of kernels that take up to 32 at once.
            let near = end..end + (32 * per).max(256);
            if fault.cause == Cause::Access && near.contains(&fault.address) {
                Ok(Tried::Yes)
            } else {
                Err(Finding::Elsewhere { argument: short, fault })
            }
        }
    }
}
