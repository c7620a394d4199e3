//! Byte counts just below every carry, reached by injected states: by one long update, by one block after the other, in
//! odd pieces, and by random scripts.
//!
//! The powers of two that matter depend on how an implementation counts: SHA-2 counts bits, so 2^29 bytes carry out of a
//! 32-bit word; a byte or block count carries elsewhere. All are tried, up to the limit that the oracle knows.

use proptest::prop_oneof;
use rand::Rng;
use vambrace_reference::oracles::HashOracle;

use super::expected::Expected;
use super::steps::{self, Beginning, compare_chaining_value};
use super::{HashCheck, Trial};
use crate::subject::HashSubject;
use crate::trial::{Wrong, same, shown};
use crate::{Context, Outcome};

/// The check.
pub const CHECK: HashCheck = HashCheck {
    name: "counters",
    looks_for: "byte or bit counts that lose a carry at any power of two, on the bulk or the single-block path",
    seen_in: "isa-l_crypto#3, pico-sdk#3176, cloudtools/sha256#2 (32-bit lengths), Linux 009b30ac7444 (two paths, two widths)",
    run,
};

/// How the bytes come.
#[derive(Clone, Copy, Debug)]
enum Pieces {
    /// In one update.
    AtOnce,
    /// One block at a time.
    Blocks,
    /// In pieces that are one byte short of a block.
    Odd,
}

const PIECES: [Pieces; 3] = [Pieces::AtOnce, Pieces::Blocks, Pieces::Odd];

/// Most blocks before a carry.
const BLOCKS_BEFORE: u64 = 9;

/// Where the cases of random scripts begin. Below, a case is `power * 100 + blocks before * 10 + pieces`.
const SCRIPTS: u64 = 1_000_000;

fn run(subject: &dyn HashSubject, oracle: &dyn HashOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    let block = oracle.block_bytes();
    let lowest = block.ilog2() + 4;
    let crossings = (u64::from(lowest)..=127)
        .flat_map(|power| (1..=BLOCKS_BEFORE).map(move |before| (power, before)))
        .filter(|(_, before)| trial.includes([1, 2, 5].contains(before)))
        .flat_map(|(power, before)| (0..PIECES.len() as u64).map(move |pieces| power * 100 + before * 10 + pieces))
        .filter(|case| trial.selects(*case));
    let scripts = steps::scripts(prop_oneof![5 => steps::updates(block), 3 => steps::turns()]);
    let missing = "the subject cannot be started from a chaining value";
    if subject.start_from(&oracle.initial_state(), 0).is_none() {
        return trial.judge([], missing, |_| Ok(0));
    }
    trial.judge(crossings.chain(trial.cases(SCRIPTS, 60, 3000)), missing, |case| {
        if case < SCRIPTS {
            let pieces = PIECES.get((case % 10) as usize).copied().unwrap_or(Pieces::AtOnce);
            return crossing(&trial, case, (case / 100) as u32, case / 10 % 10, pieces);
        }
        let mut state = vec![0; oracle.state_bytes()];
        let mut rng = trial.rng(!case);
        rng.fill_bytes(&mut state);
        let power = lowest + rng.next_u32() % (128 - lowest);
        let before = 1 + u128::from(rng.next_u32() % 16);
        let count = (1u128 << power) - before * block as u128;
        steps::property(&trial, case, &scripts, Some(Beginning { state: &state, count }))
    })
}

/// A message that reaches 2^power bytes, or the last byte before it where that is the limit.
fn crossing(trial: &Trial<'_>, case: u64, power: u32, before: u64, pieces: Pieces) -> Result<u64, Wrong> {
    let Trial { subject, oracle, .. } = *trial;
    let block = oracle.block_bytes();
    let state_bytes = oracle.state_bytes();
    let to_the_carry = before as usize * block;
    let Some(count) = 1u128.checked_shl(power).and_then(|carry| carry.checked_sub(to_the_carry as u128)) else {
        return Ok(0);
    };
    let bytes = trial.bytes(case, state_bytes + to_the_carry + 2 * block);
    let (state, data) = bytes.split_at(state_bytes);
    if oracle.digest_from(state, count, b"").is_none() {
        return Ok(0);
    }
    let input = format!("chaining value {} after 2^{power} - {to_the_carry} bytes", hex::encode(state));
    let mut compared = 0;
    // Up to the carry, and beyond by nothing, a byte, a block that pads into a second one, a block, and more.
    let beyond = [-1, 0, 1, (block - block / 8) as isize, block as isize, (2 * block) as isize];
    for length in beyond.into_iter().filter_map(|beyond| to_the_carry.checked_add_signed(beyond)) {
        let data = &data[..length];
        let Some(expected) = oracle.digest_from(state, count, data) else { continue };
        let Some(mut running) = subject.start_from(state, count) else {
            return Err(Wrong::new("a byte count that the algorithm allows is refused").input(input));
        };
        let piece = match pieces {
            Pieces::AtOnce => length.max(1),
            Pieces::Blocks => block,
            Pieces::Odd => block - 1,
        };
        data.chunks(piece).for_each(|piece| running.update(piece));
        let describe =
            |wrong: Wrong| wrong.input(format!("{input}, then {length} bytes in pieces of {piece}: {}", shown(data)));
        let mut state_expected = Expected::from(oracle, state, count);
        state_expected.update(data);
        compared += u64::from(compare_chaining_value(&state_expected, &*running).map_err(describe)?);
        same(|| "the digest is wrong".to_owned(), &expected, &running.finalize()).map_err(describe)?;
        compared += 1;
    }
    Ok(compared)
}
