//! Buffers that are equal or overlap where the contract allows it, and buffers that touch each other, with results equal to
//! those of buffers far apart.
//!
//! Would have caught an output stored before the input of the same place was loaded: isa-l_crypto 130, mbedTLS 4302,
//! wolfSSL 6011, Crypto++ 1236.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::call::{Call, Contents, MAX_UNITS, Place, Source, Surroundings};
use super::finding::Finding;
use super::rig::Rig;
use super::trial::{Trial, Tried};

pub(super) static TRIAL: Trial = Trial {
    name: "aliasing",
    cases: |rig| {
        let ways = ways(rig);
        (ways * UNITS.len() as u64, ways * 40)
    },
    case,
    otherwise: "the kernel has fewer than two buffers",
};

const UNITS: [u64; 11] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 17, 35];

/// Each pair that may be equal alone, all of them together, all buffers packed, and those overlapping that may.
fn ways(rig: &Rig<'_>) -> u64 {
    pairs(rig) + 3
}

fn pairs(rig: &Rig<'_>) -> u64 {
    rig.buffers().filter(|&n| rig.may_equal(n).is_some()).count() as u64
}

fn case(rig: &mut Rig<'_>, n: u64, rng: &mut ChaCha8Rng) -> Result<Tried, Finding> {
    if rig.buffers().count() < 2 {
        return Ok(Tried::NotApplicable);
    }
    let (way, round) = (n % ways(rig), (n / ways(rig)) as usize);
    let units = UNITS.get(round).copied().unwrap_or_else(|| rng.random_range(0..=MAX_UNITS));
    let mut apart = rig.call_of(units, rng);
    let pairs = pairs(rig);
    let near = if way == pairs + 2 {
        if rig.buffers().filter(|&n| rig.is_shared(n)).count() < 2 {
            return Ok(Tried::NotApplicable);
        }
        overlap(rig, &mut apart, rng)
    } else if way == pairs + 1 {
        pack(rig, &apart, rng)
    } else {
        let mut near = apart;
        let mut any = false;
        let equal = rig.buffers().filter_map(|n| Some((n, rig.may_equal(n)?)));
        for (pair, (one, other)) in equal.enumerate() {
            if way == pairs || way == pair as u64 {
                any |= make_equal(rig, &mut apart, &mut near, one, other);
            }
        }
        if !any {
            return Ok(Tried::NotApplicable);
        }
        near
    };
    rig.run(&apart, &Surroundings::CALM)?;
    rig.keep(0, &apart);
    rig.run(&near, &Surroundings::CALM)?;
    rig.keep(1, &near);
    match rig.compare() {
        Some(difference) => Err(Finding::Misplaced { difference }),
        None => Ok(Tried::Yes),
    }
}

/// Gives two buffers the same memory in `near`, and the same contents in both calls.
///
/// Two buffers that are both written have no result that a contract defines: then nothing is done, and false returned.
fn make_equal(rig: &Rig<'_>, apart: &mut Call, near: &mut Call, one: usize, other: usize) -> bool {
    let (one_writes, other_writes) = (rig.buffer(one).1.writes(), rig.buffer(other).1.writes());
    // The memory is that of the one that is written, as the other's is read-only.
    let (host, guest) = match (one_writes, other_writes) {
        (true, true) => return false,
        (true, false) => (one, other),
        (false, _) => (other, one),
    };
    // A host may be a guest itself, but not of its own guest.
    if matches!(near.places[host], Place::Same(_)) || near.places[guest] != Place::Middle(64) {
        return false;
    }
    near.places[guest] = Place::Same(host);
    // A write-only buffer has no contents of its own, so the input's are those of the memory.
    let contents = if rig.buffer(host).1.reads() { near.contents[host] } else { near.contents[guest] };
    for call in [apart, near] {
        call.contents[host] = contents;
        call.contents[guest] = contents;
    }
    true
}

/// All buffers beside each other in some order, with no more between them than their alignment asks for.
fn pack(rig: &Rig<'_>, call: &Call, rng: &mut ChaCha8Rng) -> Call {
    let mut call = *call;
    rig.pack(&mut call, rng, 0..64, |_| 0);
    call
}

/// The buffers that may overlap in any way somewhere in the same memory, which in `apart` have the same contents.
fn overlap(rig: &Rig<'_>, apart: &mut Call, rng: &mut ChaCha8Rng) -> Call {
    let memory = Rig::anywhere(rng);
    let mut near = *apart;
    let mut reach = 0;
    for buffer in rig.buffers().filter(|&n| rig.is_shared(n)) {
        let (alignment, ..) = rig.buffer(buffer);
        // Somewhere in those before, their end included.
        let at = usize::next_multiple_of(rng.random_range(0..=reach), alignment);
        reach = reach.max(at + rig.kernel.buffer_size(buffer, &near.granted).unwrap_or(0));
        near.places[buffer] = Place::Packed(at);
        for call in [&mut *apart, &mut near] {
            call.contents[buffer] = Contents::of(Source::Pool(memory + at));
        }
    }
    near
}
