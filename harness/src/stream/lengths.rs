//! Every length from 0 to 1024, around every block boundary up to 64 blocks and around greater powers of two, from several
//! places inside a block.
//!
//! All data of a check is one random message under one key, of which a case takes a part: its case is the offset inside the
//! first block, and the length.

use vambrace_reference::oracles::ciphers::StreamCipherOracle;

use super::setup::{Setup, applied};
use super::{StreamCheck, Trial};
use crate::subject::{RunningStream, StreamSubject};
use crate::trial::{Wrong, same, shown};
use crate::{Context, Outcome};

/// The check.
pub const CHECK: StreamCheck = StreamCheck {
    name: "lengths",
    looks_for: "lengths with a wrong result: all up to 1024, around every multiple of the block up to 64, from anywhere in a block",
    seen_in: "BearSSL 4N+3 blocks, CVE-2023-1255 (one residue of the unrolling), libgcrypt beb90157",
    run,
};

/// Up to here every length is tried.
const EVERY_LENGTH: usize = 1024;
/// Up to so many blocks lengths around a multiple are tried.
const MULTIPLES: usize = 64;
/// Lengths around these are tried too.
const GREATER: [usize; 3] = [8 << 10, 16 << 10, 64 << 10];

/// A case is the offset times this, and the length.
const OFFSET: u64 = 1 << 32;

fn run(subject: &dyn StreamSubject, oracle: &dyn StreamCipherOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    let block = oracle.block_bytes();
    let mut cases = Vec::new();
    for offset in 0..block {
        let first = offset as u64 * OFFSET;
        if trial.includes([0, 1, block / 2 + 5, block - 1].contains(&offset)) {
            cases.extend(first..=first + EVERY_LENGTH as u64);
        }
        if trial.includes([0, block / 2 + 5].contains(&offset)) {
            let multiples = (EVERY_LENGTH / block..=MULTIPLES).map(|blocks| blocks * block).chain(GREATER);
            let lengths = multiples.flat_map(|length| length - 1..=length + 1).filter(|length| *length > EVERY_LENGTH);
            cases.extend(lengths.map(|length| first + length as u64));
        }
    }
    cases.retain(|case| trial.selects(*case));

    let longest = cases.iter().map(|case| (case / OFFSET + case % OFFSET) as usize).max().unwrap_or(0);
    let setup = Setup::of_case(&trial, u64::MAX);
    let message = trial.bytes(u64::MAX, longest);
    let mut expected = message.clone();
    let mut head: Option<(usize, Box<dyn RunningStream>)> = None;
    trial.judge(cases, "no length applies", |case| {
        if longest != 0 && expected == message {
            expected = setup.expected(&trial, 0, &message);
        }
        let (offset, length) = ((case / OFFSET) as usize, (case % OFFSET) as usize);
        // What stands before the part is encrypted once for all lengths.
        let before = match head.take() {
            Some((at, before)) if at == offset => before,
            _ => {
                let mut before = setup.start(&trial)?;
                applied(&mut *before, &message[..offset])?;
                before
            }
        };
        let mut running = before.boxed_clone();
        head = Some((offset, before));
        let part = &message[offset..][..length];
        let describe = |wrong: Wrong| wrong.input(format!("{offset} bytes, then {}; {setup}", shown(part)));
        let actual = applied(&mut *running, part).map_err(describe)?;
        same(|| format!("{length} bytes behind {offset} others are wrong"), &expected[offset..][..length], &actual)
            .map_err(describe)?;
        Ok(1)
    })
}
