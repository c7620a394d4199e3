//! Blocks just below every carry of the counter, reached by seeking: by one long part, by one block after the other, in odd
//! pieces, and by random scripts. The bits above the carry are zeros once, and random.

use proptest::prop_oneof;
use proptest::strategy::Strategy;
use rand::Rng;
use vambrace_reference::oracles::ciphers::StreamCipherOracle;

use super::setup::{Setup, applied, compare_position, end};
use super::steps::{self, Look};
use super::{StreamCheck, Trial};
use crate::subject::StreamSubject;
use crate::trial::{Wrong, same, shown};
use crate::{Context, Outcome};

/// The check.
pub const CHECK: StreamCheck = StreamCheck {
    name: "counters",
    looks_for: "block counters that lose a carry at any power of two or their upper bits, on the bulk or the single-block path",
    seen_in: "stream-ciphers#445 and #381 (counter width), CVE-2019-11840 (upper word lost), rust-crypto#313, cryptopp#1361, \
              Linux 009b30ac7444 (two paths, two widths), libgcrypt fc37e805",
    run,
};

/// How the bytes come.
#[derive(Clone, Copy, Debug)]
enum Pieces {
    /// In one part.
    AtOnce,
    /// One block at a time.
    Blocks,
    /// In pieces that are one byte short of a block.
    Odd,
}

const PIECES: [Pieces; 3] = [Pieces::AtOnce, Pieces::Blocks, Pieces::Odd];

/// Most blocks before a carry.
const BLOCKS_BEFORE: u64 = 9;
/// Blocks behind a carry.
const BLOCKS_BEHIND: u64 = 8;

/// Where the cases of random scripts begin. Below, a case is `power * 1000 + upper * 100 + blocks before * 10 + pieces`,
/// where `upper` says whether there are bits above the carry.
const SCRIPTS: u64 = 1_000_000;

fn run(subject: &dyn StreamSubject, oracle: &dyn StreamCipherOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    let block = oracle.block_bytes();
    let crossings = (4..=64)
        .flat_map(|power| (1..=BLOCKS_BEFORE).map(move |before| (power, before)))
        .filter(|(_, before)| trial.includes([1, 2, 5].contains(before)))
        .flat_map(|(power, before)| (0..PIECES.len() as u64).map(move |pieces| power * 1000 + before * 10 + pieces))
        .flat_map(|case| [case, case + 100])
        // No bits are above the last carry.
        .filter(|case| case / 1000 < 64 || case / 100 % 10 == 0)
        .filter(|case| trial.selects(*case));
    let step =
        prop_oneof![5 => steps::parts(block), 2 => steps::clones(), 2 => (0..8usize).prop_map(steps::Step::SwitchTier)];
    let scripts = steps::scripts(step, Look::Data);
    trial.judge(crossings.chain(trial.cases(SCRIPTS, 60, 3000)), "", |case| {
        if case < SCRIPTS {
            return crossing(&trial, case);
        }
        let mut rng = trial.rng(!case);
        let power = 5 + rng.next_u32() % 59;
        let before = 1 + u128::from(rng.next_u32() % 16);
        let upper = (u128::from(rng.next_u64()) << power) & u128::from(u64::MAX >> 1);
        // Most random numbers have no bits left there.
        let block_number = upper + (1u128 << power) - before;
        steps::property(&trial, case, &scripts, block_number * block as u128)
    })
}

/// A stretch of blocks across a carry, or up to the end of the key stream.
fn crossing(trial: &Trial<'_>, case: u64) -> Result<u64, Wrong> {
    let (power, upper, before) = ((case / 1000) as u32, case / 100 % 10, case / 10 % 10);
    let pieces = PIECES.get((case % 10) as usize).copied().unwrap_or(Pieces::AtOnce);
    let block = trial.oracle.block_bytes();
    let setup = Setup::of_case(trial, case);
    let mut carry = 1u128 << power;
    if upper != 0 {
        carry += u128::from(trial.rng(!case).next_u64().checked_shl(power + 1).unwrap_or(0));
    }
    let start = (carry - u128::from(before)) * block as u128;
    let length = u128::from(before + BLOCKS_BEHIND) * block as u128;
    let length = length.min(end(trial.oracle) - start) as usize;
    let data = trial.bytes(case, length);
    let piece = match pieces {
        Pieces::AtOnce => length,
        Pieces::Blocks => block,
        Pieces::Odd => block - 1,
    };
    let describe = |wrong: Wrong| {
        let from = carry - u128::from(before);
        wrong.input(format!("from block {from:#x} on, {length} bytes in pieces of {piece}: {}; {setup}", shown(&data)))
    };
    let mut running = setup.at(trial, start).map_err(describe)?;
    let mut actual = Vec::with_capacity(length);
    for piece in data.chunks(piece) {
        actual.extend(applied(&mut *running, piece).map_err(describe)?);
    }
    let expected = setup.expected(trial, start, &data);
    for (number, (expected, actual)) in (0..).zip(expected.chunks(block).zip(actual.chunks(block))) {
        let number = carry - u128::from(before) + number;
        same(|| format!("block {number:#x} of the key stream is wrong"), expected, actual).map_err(describe)?;
    }
    compare_position(start + length as u128, &*running, "behind a carry").map_err(describe)?;
    Ok(2)
}
