//! Every length from 0 to 4096, block boundaries up to 16 KiB, and every residue of the block size at greater lengths.
//!
//! All messages of a form are prefixes of one random message, so the oracle answers for them in one pass, and each digest
//! is compared by itself: the first wrong length is found at once.
//!
//! A message's case is its length, with a mark for how it reaches that length: at once, by a long part and a short one,
//! or from an injected state.

use vambrace_reference::oracles::HashOracle;

use super::expected::Expected;
use super::{HashCheck, Trial};
use crate::subject::HashSubject;
use crate::trial::{Wrong, same, shown};
use crate::{Context, Outcome};

/// The check.
pub const CHECK: HashCheck = HashCheck {
    name: "lengths",
    looks_for: "lengths with a wrong digest: all up to 4096, around blocks up to 16 KiB, all residues at greater magnitudes",
    seen_in: "ogay/sha2#4 (929271 bytes), BearSSL 4N+3 blocks, Konscious#23 (multiples of the block), libgcrypt beb90157",
    run,
};

/// Up to here every length is tried.
const EVERY_LENGTH: usize = 4096;
/// Up to here lengths around block multiples are tried.
const BLOCK_BOUNDARIES: usize = 16 << 10;
/// Around these powers of two every residue is tried, from an injected state.
const INJECTED_MAGNITUDES: [u32; 12] = [16, 20, 24, 28, 29, 30, 31, 32, 33, 40, 48, 60];

/// Marks the case of a message that comes as one long part and a short one.
const IN_TWO_PARTS: u64 = 1 << 62;
/// Marks the case of a message that continues an injected state.
const INJECTED: u64 = 1 << 63;

fn run(subject: &dyn HashSubject, oracle: &dyn HashOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    let block = oracle.block_bytes();
    let mut cases: Vec<u64> = one_shot_lengths(&trial, block).into_iter().map(|length| length as u64).collect();
    for magnitude in [16, 20, 24] {
        if trial.includes(magnitude == 16) {
            cases.extend(around(magnitude, block).map(|length| IN_TWO_PARTS | length));
        }
    }
    for magnitude in INJECTED_MAGNITUDES {
        cases.extend(around(magnitude, block).map(|length| INJECTED | length));
    }
    cases.retain(|case| trial.selects(*case));

    let longest = cases.iter().filter(|case| **case < INJECTED).map(|case| (case & !IN_TWO_PARTS) as usize).max();
    let message = trial.bytes(0, longest.unwrap_or(0));
    let mut prefix = Prefix { message: &message, expected: Expected::start(oracle), length: 0 };
    let mut long_part = None;
    trial.judge(cases, "no length applies", |case| {
        if case & INJECTED != 0 {
            return injected(&trial, case, case & !INJECTED);
        }
        let length = (case & !IN_TWO_PARTS) as usize;
        let (running, how) = if case & IN_TWO_PARTS == 0 {
            let mut running = subject.start();
            running.update(&message[..length]);
            (running, String::new())
        } else {
            // The long part is hashed once for all residues.
            let long = long_part_of(length, block);
            let (_, head) = long_part.take_if(|(had, _)| *had == long).unwrap_or_else(|| {
                let mut head = subject.start();
                head.update(&message[..long]);
                (long, head)
            });
            let mut running = head.boxed_clone();
            long_part = Some((long, head));
            running.update(&message[long..length]);
            (running, format!(" in parts of {long} and {} bytes", length - long))
        };
        let Some(expected) = prefix.digest(length) else { return Ok(0) };
        same(|| format!("the digest of {length} bytes{how} is wrong"), &expected, &running.finalize())
            .map_err(|wrong| wrong.input(format!("{}{how}", shown(&message[..length]))))?;
        Ok(1)
    })
}

fn one_shot_lengths(trial: &Trial<'_>, block: usize) -> Vec<usize> {
    let mut lengths: Vec<usize> = (0..=EVERY_LENGTH).collect();
    // Where the padding needs one more block, and where a block is full: one of them per block in a quick run.
    let edges = [0, 1, block - 1, block - block / 8 - 1, block - block / 8];
    for (index, start) in (EVERY_LENGTH..BLOCK_BOUNDARIES).step_by(block).enumerate() {
        for (edge, beyond) in edges.into_iter().enumerate() {
            if trial.includes(edge == index % edges.len()) && start + beyond > EVERY_LENGTH {
                lengths.push(start + beyond);
            }
        }
    }
    lengths.push(BLOCK_BOUNDARIES);
    if trial.includes(false) {
        lengths
            .extend([16, 20].into_iter().flat_map(|magnitude| around(magnitude, block)).map(|length| length as usize));
    }
    lengths.sort_unstable();
    lengths
}

/// Every residue of the block size below a power of two and from it on.
fn around(magnitude: u32, block: usize) -> std::ops::Range<u64> {
    (1 << magnitude) - block as u64..(1 << magnitude) + block as u64
}

/// Whole blocks, and common to all residues around a power of two.
fn long_part_of(length: usize, block: usize) -> usize {
    (1 << (length + block).ilog2()) - block
}

/// The digests of ever longer prefixes of a message; going back starts anew.
struct Prefix<'a> {
    message: &'a [u8],
    expected: Expected<'a>,
    length: usize,
}

impl Prefix<'_> {
    fn digest(&mut self, length: usize) -> Option<Vec<u8>> {
        if length < self.length {
            self.expected.restart();
            self.length = 0;
        }
        self.expected.update(&self.message[self.length..length]);
        self.length = length;
        self.expected.digest()
    }
}

/// A message of a great length, of which all but the last blocks are left out.
fn injected(trial: &Trial<'_>, case: u64, length: u64) -> Result<u64, Wrong> {
    let block = trial.oracle.block_bytes() as u64;
    let count = u128::from((length / block).saturating_sub(1) * block);
    let rest = (u128::from(length) - count) as usize;
    let state_bytes = trial.oracle.state_bytes();
    let bytes = trial.bytes(case, state_bytes + rest);
    let (state, rest) = bytes.split_at(state_bytes);
    let Some(expected) = trial.oracle.digest_from(state, count, rest) else { return Ok(0) };
    let Some(mut running) = trial.subject.start_from(state, count) else { return Ok(0) };
    running.update(rest);
    same(|| format!("the digest of {length} bytes is wrong"), &expected, &running.finalize()).map_err(|wrong| {
        wrong.input(format!("chaining value {} after {count} bytes, then {}", hex::encode(state), shown(rest)))
    })?;
    Ok(1)
}
