//! Tweaks whose doubling carries: out of every bit and every byte, out of all at once, and out of the field. An encrypted
//! tweak is had by decrypting it with the key of the tweaks, so no subject need offer a way in; one that does is asked that
//! way too. And sector numbers across every power of two.

use rand::RngExt;
use vambrace_reference::oracles::ciphers::XtsOracle;

use super::setup::{Keys, advanced, crypted, crypted_from, direction, judges, sector_tweak};
use super::{Trial, XtsCheck};
use crate::subject::XtsSubject;
use crate::trial::{Wrong, same, shown};
use crate::{Context, Outcome};

/// The check.
pub const CHECK: XtsCheck = XtsCheck {
    name: "counters",
    looks_for: "tweaks that lose a carry when they are doubled, or are reduced wrongly, in any lane; sector numbers that lose a carry",
    seen_in: "openssl#20797 (doubling), ACVP-Server#241 (data unit numbers that end in FF)",
    run,
};

/// Where the cases of long data units begin. Below, a case is twice the number of a pattern, and one more to decrypt.
const LONG: u64 = 100_000;
/// Where the cases of sector numbers begin: twice the exponent of the power, and one more to decrypt.
const SECTORS: u64 = 200_000;

fn run(subject: &dyn XtsSubject, oracle: &dyn XtsOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    let patterns = patterns(oracle.block_bytes());
    let count = 2 * patterns.len() as u64;
    let powers = 8 * oracle.block_bytes() as u64;
    let sectors = (3..powers).flat_map(|power| [SECTORS + 2 * power, SECTORS + 2 * power + 1]);
    let cases = trial.cases(0, count, count).chain(trial.cases(LONG, 4, 100));
    let cases = cases.chain(sectors.filter(|case| trial.selects(*case)));
    trial.judge(cases, "", |case| match case {
        0..LONG => doubling(&trial, case, &patterns[(case / 2) as usize]),
        LONG..SECTORS => long(&trial, case),
        _ => sector_numbers(&trial, case, (case - SECTORS) as u32 / 2),
    })
}

/// Encrypted tweaks.
fn patterns(bytes: usize) -> Vec<Vec<u8>> {
    let bits = 8 * bytes as u32;
    let mask = u128::MAX >> (128 - bits);
    let number = |number: u128| (number & mask).to_le_bytes()[..bytes].to_vec();
    let mut patterns =
        vec![vec![0xff; bytes], vec![0x80; bytes], vec![0x7f; bytes], vec![0xaa; bytes], vec![0x55; bytes]];
    for bit in (0..bits).rev() {
        let one = 1u128 << bit;
        patterns.extend([number(one), number(one - 1), number(!(one - 1))]);
    }
    for byte in 0..bytes as u32 {
        patterns.extend([number(0xff << (8 * byte)), number(0xc0 << (8 * byte)), number(!(0x80 << (8 * byte)))]);
    }
    patterns
}

/// Blocks, and the end of one, under a pattern. Where its bits leave the field the lanes of a wide loop are passed twice.
fn doubling(trial: &Trial<'_>, case: u64, t: &[u8]) -> Result<u64, Wrong> {
    let block = trial.oracle.block_bytes();
    let blocks = if t[block - 3..].iter().any(|byte| *byte != 0) { 18 } else { 9 };
    let rest = trial.rng(case).random_range(0..block);
    under(trial, case, t, blocks * block + rest)
}

/// More blocks than the tweak has bits.
fn long(trial: &Trial<'_>, case: u64) -> Result<u64, Wrong> {
    let block = trial.oracle.block_bytes();
    under(trial, case, &trial.bytes(case, block), 9 * block * block + block / 2)
}

fn under(trial: &Trial<'_>, case: u64, t: &[u8], length: usize) -> Result<u64, Wrong> {
    let block = trial.oracle.block_bytes();
    if !judges(trial, case) {
        return Ok(0);
    }
    let direction = direction(case);
    let keys = Keys::of_case(trial, case);
    let keyed = keys.keyed(trial)?;
    let data = trial.bytes(!case, length);
    let expected = keys.expected_from(trial, direction, t, &data);
    let describe = |wrong: Wrong| {
        wrong.input(format!(
            "{}, {} under the encrypted tweak {}; {keys}",
            shown(&data),
            direction.done(),
            hex::encode(t)
        ))
    };
    // The first wrong block is named.
    let compare = |how: &str, actual: &[u8]| {
        for (number, (expected, actual)) in expected.chunks(block).zip(actual.chunks(block)).enumerate() {
            let tweak = hex::encode(advanced(t, number));
            same(
                || format!("block {number} of a data unit is wrong{how}, where the tweak is {tweak}"),
                expected,
                actual,
            )
            .map_err(describe)?;
        }
        Ok(1)
    };
    let tweak = keys.tweak_for(trial, t);
    let mut compared = compare("", &crypted(&*keyed, direction, &tweak, &data).map_err(describe)?)?;
    if let Some(actual) = crypted_from(&*keyed, direction, t, &data).map_err(describe)? {
        compared += compare(" from an encrypted tweak", &actual)?;
    }
    Ok(compared)
}

/// Sectors of one block whose numbers cross 2^power.
fn sector_numbers(trial: &Trial<'_>, case: u64, power: u32) -> Result<u64, Wrong> {
    let block = trial.oracle.block_bytes();
    if !judges(trial, case) {
        return Ok(0);
    }
    let direction = direction(case);
    let keys = Keys::of_case(trial, case);
    let keyed = keys.keyed(trial)?;
    let first = (1u128 << power) - 3;
    let data = trial.bytes(!case, 6 * block);
    let describe = |wrong: Wrong| {
        wrong.input(format!(
            "{}, {} as sectors of {block} bytes from {first} on; {keys}",
            shown(&data),
            direction.done()
        ))
    };
    let mut actual = data.clone();
    match keyed.crypt_sectors(direction, first, block, &mut actual) {
        None => return Ok(0),
        Some(Ok(())) => {}
        Some(Err(error)) => return Err(describe(Wrong::new(format!("whole sectors are refused: {error}")))),
    }
    for (number, (data, actual)) in (first..).zip(data.chunks(block).zip(actual.chunks(block))) {
        let expected = keys.expected(trial, direction, &sector_tweak(trial.oracle, number), data);
        same(|| format!("sector {number:#x} is wrong"), &expected, actual).map_err(describe)?;
    }
    Ok(1)
}
