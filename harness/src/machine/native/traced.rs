//! Calls that differ in their secrets alone, announced to who traces them.

use nix::libc;
use rand::{Rng, RngExt};
use rand_chacha::ChaCha8Rng;
use vambrace_contract::{ArgumentKind, Kernel, Secrecy};
use vambrace_trace::announce::{self, Announcement, Grant, STACK_ARGUMENTS};

use super::super::traced::{EMPTY_CASE, NAME, VARIANTS};
use super::call::{Call, Contents, MAX_UNITS, Place, Source};
use super::finding::Finding;
use super::rig::Rig;
use super::trial::{Trial, Tried};

pub(super) static TRIAL: Trial =
    Trial { name: NAME, cases: |_| (UNITS.len() as u64, 120), case, otherwise: "there is no such case" };

/// The numbers of units in a quick run: none, one, and what kernels take at once, with and without a rest.
const UNITS: [u64; 7] = [1, 3, 9, 0, 2, 6, 17];
const _: () = assert!(UNITS[EMPTY_CASE as usize] == 0);

fn case(rig: &mut Rig<'_>, n: u64, rng: &mut ChaCha8Rng) -> Result<Tried, Finding> {
    rig.forget_lent();
    let units = UNITS.get(n as usize).copied().unwrap_or_else(|| rng.random_range(0..=MAX_UNITS));
    let mut call = rig.call_of(units, rng);
    place_apart(rig, &mut call, rng);
    if n % 3 == 1 {
        make_equal(rig, &mut call);
    }
    let around = Rig::any_surroundings(rng);
    for variant in 0..VARIANTS.len() as u32 {
        let call = with_secrets(rig, &call, variant, rng);
        let announced = |rig: &Rig<'_>| announce_call(rig, n as u32, variant);
        rig.attempt_announced(&call, &around, announced).map_err(Finding::Fault)?;
        announce(Announcement::End);
    }
    Ok(Tried::Yes)
}

/// All buffers in the memory that they share, in some order, with bytes of nobody around each. A stray access is no fault there,
/// but the end of no trace either.
fn place_apart(rig: &Rig<'_>, call: &mut Call, rng: &mut ChaCha8Rng) {
    rig.pack(call, rng, 32..64, |rng| rng.random_range(32..96));
}

/// Gives the buffers that may be equal the same memory, where one of them is written and the other is not.
fn make_equal(rig: &Rig<'_>, call: &mut Call) {
    for one in rig.buffers() {
        let Some(other) = rig.may_equal(one) else { continue };
        let (host, guest) = match (rig.buffer(one).1.writes(), rig.buffer(other).1.writes()) {
            (true, false) => (one, other),
            (false, true) => (other, one),
            _ => continue,
        };
        if !matches!(call.places[host], Place::Same(_)) {
            call.places[guest] = Place::Same(host);
        }
    }
}

/// The call with other secrets, the same for all who have the same random numbers.
fn with_secrets(rig: &mut Rig<'_>, call: &Call, variant: u32, rng: &mut ChaCha8Rng) -> Call {
    let mut call = *call;
    for (n, argument) in rig.arguments().iter().enumerate() {
        match argument.kind {
            ArgumentKind::Buffer { secrecy, access, .. } if access.reads() => {
                if secrecy == Secrecy::Public {
                    continue;
                }
                let from = rig.lend(n, &call, |bytes| fill(bytes, variant, rng));
                let (first, until) = (Source::Pool(from), secrecy.secret_bytes(usize::MAX));
                call.contents[n] = Contents { first, until, ..call.contents[n] };
            }
            ArgumentKind::Scalar { secrecy: Secrecy::Secret, min, max, .. } => {
                call.granted[n] = rng.random_range(min..=max);
                call.passed[n] = call.granted[n];
            }
            _ => {}
        }
    }
    // Memory with two names has one content: that of the name by which it is read.
    for guest in rig.buffers() {
        if let Place::Same(host) = call.places[guest] {
            if rig.buffer(host).1.reads() {
                call.contents[guest] = call.contents[host];
            } else {
                call.contents[host] = call.contents[guest];
            }
        }
    }
    call
}

/// Secrets in which carries ripple and comparisons come out equal, and such as come by chance.
fn fill(bytes: &mut [u8], variant: u32, rng: &mut ChaCha8Rng) {
    const EDGES: [u32; 8] = [0, 1, 0x7fff_ffff, 0x8000_0000, u32::MAX - 1, u32::MAX, u32::MAX, u32::MAX];
    match variant {
        1 => bytes.fill(0),
        2 => bytes.fill(0xff),
        // One bit in every so many bytes.
        3 => {
            bytes.fill(0);
            let (bit, distance) = (1 << rng.random_range(0..8), 8 << rng.random_range(0..4));
            bytes.iter_mut().skip(rng.random_range(0..8)).step_by(distance).for_each(|byte| *byte = bit);
        }
        4 => bytes.chunks_mut(4).for_each(|word| {
            let edge = EDGES[rng.random_range(0..EDGES.len())].to_le_bytes();
            word.copy_from_slice(&edge[..word.len()]);
        }),
        // The same word again and again.
        5 => {
            let word = rng.random::<u64>().to_le_bytes();
            bytes.chunks_mut(8).for_each(|place| place.copy_from_slice(&word[..place.len()]));
        }
        _ => rng.fill_bytes(bytes),
    }
}

fn announce_call(rig: &Rig<'_>, case: u32, variant: u32) {
    let Rig { record, kernel, .. } = rig;
    for buffer in rig.buffers() {
        let (_, access, _) = rig.buffer(buffer);
        announce(Announcement::Grant(Grant {
            argument: buffer as u32,
            address: record.addresses[buffer] as u64,
            size: record.sizes[buffer] as u64,
            reads: access.reads(),
            writes: access.writes(),
        }));
    }
    announce(Announcement::Grant(Grant {
        argument: STACK_ARGUMENTS,
        address: record.sp as u64,
        size: rig.stack_arguments() as u64,
        reads: true,
        writes: false,
    }));
    announce(Announcement::Begin(announce::Call {
        entry: rig.entry() as u64,
        case,
        variant,
        sp: record.sp as u64,
        stack: kernel.stack as u64,
    }));
}

pub(in super::super) fn announce_work_for(kernel: &Kernel) {
    if let Some(entry) = kernel.entry {
        announce(Announcement::For(entry as usize as u64));
    }
}

fn announce(announcement: Announcement) {
    let arguments = announcement.arguments().map(|argument| argument as libc::c_long);
    let [a, b, c, d, e, f] = arguments;
    // SAFETY: no system call has this number, so whatever the arguments are, it does nothing but fail.
    unsafe { libc::syscall(announce::NUMBER as libc::c_long, a, b, c, d, e, f) };
}
