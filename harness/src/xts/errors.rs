//! Everything that must be refused: the error comes, and what was there stays as it was.

use rand::RngExt;
use vambrace_reference::oracles::ciphers::XtsOracle;

use super::setup::{DIRECTIONS, Keys, MOST_BLOCKS, chosen, crypted, directions};
use super::{Trial, XtsCheck};
use crate::refusal::{refused, unknown_tiers};
use crate::subject::{Direction, KeyedXts, XtsSubject};
use crate::trial::{Wrong, same};
use crate::{Context, Outcome};

/// The check.
pub const CHECK: XtsCheck = XtsCheck {
    name: "errors",
    looks_for: "wrong arguments that are accepted, and errors that leave something changed: keys, tweaks and data units of wrong \
                length, equal halves of a key, outputs of another length than inputs, sectors of wrong size, unknown tiers",
    seen_in: "aead-test-template (outputs written before an error)",
    run,
};

/// One kind of wrong argument. Answers how many were tried, 0 if the subject does not offer what they belong to.
type Refusal = fn(&Trial<'_>, u64) -> Result<u64, Wrong>;

/// A case is the index of a kind, plus [`ROUND`] for every further round with other random numbers.
const REFUSALS: &[Refusal] = &[
    key_of_wrong_length,
    equal_halves,
    tweak_of_wrong_length,
    too_short,
    unequal_lengths,
    sectors_of_wrong_size,
    partial_sector,
    unknown_tier,
    too_long,
];

/// Distance of the cases of a kind.
const ROUND: u64 = 20;

/// The case of the longest data unit that is allowed, in full runs alone.
const LONGEST: u64 = 10_000;

fn run(subject: &dyn XtsSubject, oracle: &dyn XtsOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    let cases = trial.cases(0, 2 * ROUND, 50 * ROUND).filter(|case| case % ROUND < REFUSALS.len() as u64);
    let cases = cases.chain(trial.cases(LONGEST, 0, 1));
    trial.judge(cases, "the subject refuses nothing", |case| match case {
        LONGEST.. => longest(&trial, case),
        _ => REFUSALS[(case % ROUND) as usize](&trial, case / ROUND),
    })
}

fn key_of_wrong_length(trial: &Trial<'_>, round: u64) -> Result<u64, Wrong> {
    let right = 2 * trial.oracle.key_bytes();
    let bytes = trial.bytes(round, 4096);
    let lengths = (0..=130).chain([right + 256, 4096]);
    let mut tried = 0;
    for length in lengths.filter(|length| *length != right) {
        refused(&format!("a key of {length} bytes"), Some(trial.subject.keyed(&bytes[..length])))?;
        tried += 1;
    }
    Ok(tried)
}

/// Equal halves are refused, or taken as they are; halves that differ in a bit are taken.
fn equal_halves(trial: &Trial<'_>, round: u64) -> Result<u64, Wrong> {
    let bytes = trial.oracle.key_bytes();
    let mut tried = 0;
    for half in [vec![0; bytes], vec![0xff; bytes], trial.bytes(round, bytes)] {
        let equal = Keys { key1: half.clone(), key2: half.clone() };
        let describe = |wrong: Wrong| wrong.input(equal.to_string());
        if trial.subject.refuses_equal_halves() {
            let keyed = trial.subject.keyed(&equal.joined());
            refused("a key of equal halves", Some(keyed)).map_err(describe)?;
        } else {
            crypts(trial, &equal, &*equal.keyed(trial)?, "under a key of equal halves").map_err(describe)?;
        }
        for bit in [0, 1, 8 * bytes / 2, 8 * bytes - 1] {
            let mut other = equal.clone();
            other.key2[bit / 8] ^= 1 << (bit % 8);
            crypts(trial, &other, &*other.keyed(trial)?, "under a key whose halves differ in a bit")
                .map_err(|wrong| wrong.input(other.to_string()))?;
            tried += 1;
        }
    }
    Ok(tried)
}

/// A short data unit comes out right.
fn crypts(trial: &Trial<'_>, keys: &Keys, keyed: &dyn KeyedXts, when: &str) -> Result<(), Wrong> {
    let block = trial.oracle.block_bytes();
    let data = vec![0x3c; 2 * block + 3];
    for direction in directions(trial) {
        let expected = keys.expected(trial, direction, &data[..block], &data);
        let actual = crypted(keyed, direction, &data[..block], &data)?;
        same(|| format!("a data unit is wrongly {} {when}", direction.done()), &expected, &actual)?;
    }
    Ok(())
}

/// In every way that takes a data unit: an error, and nothing is written.
fn refuses(keyed: &dyn KeyedXts, direction: Direction, what: &str, tweak: &[u8], data: &[u8]) -> Result<u64, Wrong> {
    let unchanged = |before: &[u8], after: &[u8]| {
        same(|| format!("something is written although {what} is refused"), before, after)
    };
    let mut after = data.to_vec();
    refused(what, Some(keyed.crypt(direction, tweak, &mut after)))?;
    unchanged(data, &after)?;
    let before = vec![0x5c; data.len()];
    let mut output = before.clone();
    refused(&format!("{what}, from buffer to buffer,"), Some(keyed.crypt_to(direction, tweak, data, &mut output)))?;
    unchanged(&before, &output)?;
    if let Some(answer) = keyed.crypt_from(direction, tweak, &mut after) {
        refused(&format!("{what}, under an encrypted tweak,"), Some(answer))?;
        unchanged(data, &after)?;
    }
    Ok(1)
}

/// The keys of a round, and the subject under them.
fn keyed(trial: &Trial<'_>, round: u64) -> Result<(Keys, Box<dyn KeyedXts>), Wrong> {
    let keys = Keys::of_case(trial, round);
    let keyed = keys.keyed(trial)?;
    Ok((keys, keyed))
}

fn tweak_of_wrong_length(trial: &Trial<'_>, round: u64) -> Result<u64, Wrong> {
    let (_, keyed) = keyed(trial, round)?;
    let block = trial.oracle.block_bytes();
    let bytes = trial.bytes(round, 256 + 16);
    let mut tried = 0;
    for length in (0..=40).chain([64, 256 + block]).filter(|length| *length != block) {
        for direction in directions(trial) {
            let what = format!("a tweak of {length} bytes");
            tried += refuses(&*keyed, direction, &what, &bytes[..length], &bytes[..3 * block + 1])?;
        }
    }
    Ok(tried)
}

fn too_short(trial: &Trial<'_>, round: u64) -> Result<u64, Wrong> {
    let (_, keyed) = keyed(trial, round)?;
    let block = trial.oracle.block_bytes();
    let bytes = trial.bytes(round, block);
    let mut tried = 0;
    for length in 0..block {
        for direction in directions(trial) {
            let what = format!("a data unit of {length} bytes");
            tried += refuses(&*keyed, direction, &what, &bytes, &bytes[..length])?;
        }
    }
    Ok(tried)
}

/// More than 2^20 blocks, by a byte or a block, in either direction.
fn too_long(trial: &Trial<'_>, round: u64) -> Result<u64, Wrong> {
    let (_, keyed) = keyed(trial, round)?;
    let block = trial.oracle.block_bytes();
    let limit = MOST_BLOCKS * block;
    // Zeros until somebody writes: so much memory costs nothing before.
    let mut data = vec![0; limit + block];
    let beyond = [1, block][(round % 2) as usize];
    let direction = chosen(trial, (round + round / 2) % 2 == 1);
    let what = format!("a data unit of {} bytes, where 2^20 blocks are {limit} bytes,", limit + beyond);
    let tweak = vec![1; block];
    let unchanged = |data: &[u8]| {
        // Under emulation faster than a comparison, which the library makes word by word.
        let bits = data.iter().fold(0, |bits, byte| bits | byte);
        if bits != 0 { Err(Wrong::new(format!("something is written although {what} is refused"))) } else { Ok(()) }
    };
    let data = &mut data[..limit + beyond];
    refused(&what, Some(keyed.crypt(direction, &tweak, data)))?;
    unchanged(data)?;
    if let Some(answer) = keyed.crypt_from(direction, &tweak, data) {
        refused(&what, Some(answer))?;
        unchanged(data)?;
    }
    if let Some(answer) = keyed.crypt_sectors(direction, 0, limit + beyond, data) {
        refused("a sector of more than 2^20 blocks", Some(answer))?;
        unchanged(data)?;
    }
    Ok(1)
}

/// 2^20 blocks are allowed.
fn longest(trial: &Trial<'_>, case: u64) -> Result<u64, Wrong> {
    let (_, keyed) = keyed(trial, case)?;
    let block = trial.oracle.block_bytes();
    let tweak = vec![1; block];
    let mut data = vec![0; MOST_BLOCKS * block];
    for direction in DIRECTIONS {
        keyed
            .crypt(direction, &tweak, &mut data)
            .map_err(|error| Wrong::new(format!("a data unit of 2^20 blocks is refused: {error}")))?;
    }
    if data.iter().any(|byte| *byte != 0) {
        return Err(Wrong::new("a data unit of 2^20 blocks does not come back"));
    }
    Ok(1)
}

fn unequal_lengths(trial: &Trial<'_>, round: u64) -> Result<u64, Wrong> {
    let (_, keyed) = keyed(trial, round)?;
    let block = trial.oracle.block_bytes();
    let bytes = trial.bytes(round, 20 * block);
    let lengths = [
        (0, 1),
        (1, 0),
        (1, 2),
        (1, 1 + block),
        (1 + block, 1),
        (block, block + 3),
        (block + 3, block),
        (9 * block, 1),
    ];
    let mut tried = 0;
    for (input, output) in lengths.map(|(input, output)| (block + input, block + output)) {
        for direction in directions(trial) {
            let before = vec![0x5c; output];
            let mut after = before.clone();
            let what = format!("an input of {input} bytes with an output of {output}");
            refused(&what, Some(keyed.crypt_to(direction, &bytes[..block], &bytes[..input], &mut after)))?;
            same(|| format!("the output is written although {what} is refused"), &before, &after)?;
            tried += 1;
        }
    }
    Ok(tried)
}

/// Sectors: an error, and nothing is written; none if the subject has no sectors.
fn refuses_sectors(
    keyed: &dyn KeyedXts,
    direction: Direction,
    sector: usize,
    data: &[u8],
) -> Result<Option<u64>, Wrong> {
    let mut after = data.to_vec();
    let Some(answer) = keyed.crypt_sectors(direction, 7, sector, &mut after) else { return Ok(None) };
    let what = format!("sectors of {sector} bytes in {} bytes", data.len());
    refused(&what, Some(answer))?;
    same(|| format!("something is written although {what} are refused"), data, &after)?;
    Ok(Some(1))
}

fn sectors_of_wrong_size(trial: &Trial<'_>, round: u64) -> Result<u64, Wrong> {
    let (_, keyed) = keyed(trial, round)?;
    let block = trial.oracle.block_bytes();
    let bytes = trial.bytes(round, 4 * block * block);
    let mut tried = 0;
    for sector in 0..block {
        for direction in directions(trial) {
            for sectors in [1, 4] {
                let data = &bytes[..if sector == 0 { 4 * block } else { sectors * sector }];
                tried += refuses_sectors(&*keyed, direction, sector, data)?.unwrap_or(0);
            }
        }
    }
    Ok(tried)
}

fn partial_sector(trial: &Trial<'_>, round: u64) -> Result<u64, Wrong> {
    let (_, keyed) = keyed(trial, round)?;
    let block = trial.oracle.block_bytes();
    let bytes = trial.bytes(round, 6000);
    let mut tried = 0;
    for (sector, whole, rest) in [
        (block, 1, 1),
        (block, 5, block - 1),
        (block + 1, 2, block),
        (100, 0, 99),
        (512, 2, 1),
        (512, 1, block),
        (512, 3, 511),
        (520, 2, 512),
        (4096, 1, 512),
        (4096, 0, 512),
    ] {
        for direction in directions(trial) {
            let data = &bytes[..sector * whole + rest];
            tried += refuses_sectors(&*keyed, direction, sector, data)?.unwrap_or(0);
        }
    }
    Ok(tried)
}

fn unknown_tier(trial: &Trial<'_>, round: u64) -> Result<u64, Wrong> {
    let mut tried = 0;
    let tiers = trial.subject.tiers();
    let mut rng = trial.rng(round);
    for name in unknown_tiers(&tiers) {
        let (keys, mut keyed) = keyed(trial, round)?;
        // From any tier.
        keyed.switch_tier(&tiers[rng.random_range(0..tiers.len())]);
        refused(&format!("the unknown tier {name:?}"), keyed.switch_tier(&name))?;
        crypts(trial, &keys, &*keyed, "after an unknown tier was refused")?;
        tried += 1;
    }
    Ok(tried)
}
