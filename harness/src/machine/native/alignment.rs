//! Every buffer at every offset that its contract allows, with results equal to those of an aligned call.
//!
//! The buffers lie across the border between two pages. Would have caught LDM, LDRD and alignment hints on pointers that
//! need no alignment: libgcrypt 1111d311, wolfSSL 5323, and libgcrypt 2cba0dbd, where it was the state and not the data.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::call::{MAX_UNITS, Place, Surroundings};
use super::finding::Finding;
use super::rig::Rig;
use super::trial::{Trial, Tried};

pub(super) static TRIAL: Trial = Trial {
    name: "alignment",
    cases: |rig| {
        let once = OFFSETS * rig.buffers().count() as u64;
        (once, 6 * once)
    },
    case,
    otherwise: "the kernel has no buffer",
};

const OFFSETS: u64 = 64;

fn case(rig: &mut Rig<'_>, n: u64, rng: &mut ChaCha8Rng) -> Result<Tried, Finding> {
    let buffers = rig.buffers().count() as u64;
    let (offset, buffer, round) = ((n % OFFSETS) as usize, n / OFFSETS % buffers, n / OFFSETS / buffers);
    let Some(buffer) = rig.buffers().nth(buffer as usize) else { return Ok(Tried::NotApplicable) };
    let (alignment, ..) = rig.buffer(buffer);
    if !offset.is_multiple_of(alignment) {
        return Ok(Tried::NotApplicable);
    }
    // Few units, and more than any kernel takes at once.
    let counts = match round {
        0 => [1 + n % 5, MAX_UNITS / 2 + 1 + n % 7],
        _ => [1, MAX_UNITS / 2].map(|least| rng.random_range(least..=MAX_UNITS)),
    };
    counts.into_iter().try_for_each(|units| shifted(rig, buffer, offset, units, rng))?;
    Ok(Tried::Yes)
}

/// A call with one buffer at an offset has the result of one with aligned buffers.
fn shifted(rig: &mut Rig<'_>, buffer: usize, offset: usize, units: u64, rng: &mut ChaCha8Rng) -> Result<(), Finding> {
    let aligned = rig.call_of(units, rng);
    let mut moved = aligned;
    moved.places[buffer] = Place::Middle(offset);
    rig.run(&aligned, &Surroundings::CALM)?;
    rig.keep(0, &aligned);
    rig.run(&moved, &Surroundings::CALM)?;
    rig.keep(1, &moved);
    match rig.compare() {
        Some(difference) => Err(Finding::Misplaced { difference }),
        None => Ok(()),
    }
}
