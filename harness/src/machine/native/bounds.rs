//! Every buffer against an unmapped page, on both sides, and at every offset within a page with poison around it.
//!
//! Inputs are mapped read-only throughout. Buffers of no bytes are also passed as pointers to nothing. Would have caught
//! the loads past the end of CVE-2023-1255, AWS-LC 2227, OP-TEE 6920 and s2n-bignum 443, and the missing test for an empty
//! input of AWS-LC 863.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::call::{Call, MAX_UNITS, Place, UNITS};
use super::finding::Finding;
use super::rig::Rig;
use super::trial::{Trial, Tried};

pub(super) static TRIAL: Trial =
    Trial { name: "bounds", cases: |_| (QUICK, QUICK + 600), case, otherwise: "the kernel has no buffer" };

const ENDS: u64 = 3 * UNITS.len() as u64;
const OFFSETS: u64 = 64;
const DANGLING: u64 = 4;
const QUICK: u64 = ENDS + OFFSETS + DANGLING;

fn case(rig: &mut Rig<'_>, n: u64, rng: &mut ChaCha8Rng) -> Result<Tried, Finding> {
    if rig.buffers().next().is_none() {
        return Ok(Tried::NotApplicable);
    }
    let around = Rig::any_surroundings(rng);
    let ends = [Place::Right, Place::Left];
    let call = if n < ENDS {
        let mut call = rig.call_of(UNITS[n as usize / 3], rng);
        for buffer in rig.buffers() {
            call.places[buffer] = match n % 3 {
                2 => ends[rng.random_range(0..2)],
                side => ends[side as usize],
            };
        }
        call
    } else if n < ENDS + OFFSETS {
        let mut call = rig.call_of(rng.random_range(1..6), rng);
        for (i, buffer) in rig.buffers().enumerate() {
            // The buffers go through the offsets at a distance from each other.
            let offset = (n - ENDS + 23 * i as u64) % OFFSETS;
            call.places[buffer] = rig.middle(buffer, offset as usize);
        }
        call
    } else if n < QUICK {
        let mut call = rig.call_of(0, rng);
        if !dangle(rig, &mut call, n - ENDS - OFFSETS) {
            return Ok(Tried::NotApplicable);
        }
        call
    } else {
        let mut call = rig.call_of(rng.random_range(0..=MAX_UNITS), rng);
        for buffer in rig.buffers() {
            call.places[buffer] = match rng.random_range(0..3) {
                2 => rig.middle(buffer, rng.random_range(0..128)),
                side => ends[side],
            };
        }
        call
    };
    rig.run(&call, &around)?;
    Ok(Tried::Yes)
}

/// Makes the buffers without bytes point to nothing, in one of [`DANGLING`] ways. Whether there are any.
fn dangle(rig: &Rig<'_>, call: &mut Call, way: u64) -> bool {
    let mut any = false;
    for buffer in rig.buffers() {
        if rig.kernel.buffer_size(buffer, &call.granted) != Some(0) {
            continue;
        }
        let (alignment, ..) = rig.buffer(buffer);
        let address = match way {
            0 => 0,
            // What Rust makes of an empty slice.
            1 => alignment,
            2 => usize::MAX / alignment * alignment,
            _ => rig.unmapped(buffer),
        };
        call.places[buffer] = Place::Dangling(address);
        any = true;
    }
    any
}
