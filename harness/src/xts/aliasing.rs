//! Where the caller's buffers lie must not matter: data units in place and from buffer to buffer, at every alignment and
//! with every remainder of the last block. Nothing is written but the output.

use std::hint::black_box;

use rand::RngExt;
use vambrace_reference::oracles::ciphers::XtsOracle;

use super::setup::{Keys, directions};
use super::{Trial, XtsCheck};
use crate::place::{ALIGNMENTS, Place};
use crate::subject::{Direction, KeyedXts, XtsSubject};
use crate::trial::{Wrong, same, shown};
use crate::{Context, Outcome};

/// The check.
pub const CHECK: XtsCheck = XtsCheck {
    name: "aliasing",
    looks_for: "data units that differ in place and from buffer to buffer, or with the alignment of a buffer; inputs and \
                surroundings that are written",
    seen_in: "isa-l_crypto#130 and #133, mbedtls#4302, wolfSSL#6011 (stealing in place), cryptopp#1236; libgcrypt 1111d311, \
              wolfSSL#5323 (alignment)",
    run,
};

fn run(subject: &dyn XtsSubject, oracle: &dyn XtsOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    let block = oracle.block_bytes();
    trial.judge(trial.cases(0, 2 * ALIGNMENTS, 40 * ALIGNMENTS), "", |case| {
        let keys = Keys::of_case(&trial, case);
        let keyed = keys.keyed(&trial)?;
        let mut rng = trial.rng(case);
        let mut compared = 0;
        // Each case has a few of the remainders, and a few cases have them all.
        for part in 0..4 {
            let rest = (case as usize + part * block / 4) % block;
            let length = rng.random_range(1..10) * block + rest;
            let data = trial.bytes(!case ^ (part as u64) << 40, length);
            for direction in directions(&trial) {
                let alignment = (case % ALIGNMENTS) as usize;
                let other = rng.random_range(0..ALIGNMENTS as usize);
                compared += compare(&trial, &keys, &*keyed, direction, &data, [alignment, other])?;
            }
        }
        Ok(compared)
    })
}

/// From buffer to buffer, and in place.
fn compare(
    trial: &Trial<'_>,
    keys: &Keys,
    keyed: &dyn KeyedXts,
    direction: Direction,
    data: &[u8],
    [from, to]: [usize; 2],
) -> Result<u64, Wrong> {
    let tweak = &data[..trial.oracle.block_bytes()];
    let describe = |wrong: Wrong| {
        wrong.input(format!("{}, {}; tweak {}; {keys}", shown(data), direction.done(), hex::encode(tweak)))
    };
    let expected = keys.expected(trial, direction, tweak, data);
    for (from, to, paint) in [(from, to, 0xc6), (to, from, 0)] {
        let whence = format!("from an address of {from} to one of {to} modulo {ALIGNMENTS}");
        let input = Place::new(from, data);
        let mut output = Place::new(to, &vec![paint; data.len()]);
        keyed
            .crypt_to(direction, tweak, input.bytes(), output.bytes_mut())
            .map_err(|error| describe(Wrong::new(format!("a data unit {whence} is refused: {error}"))))?;
        same(|| format!("a data unit {whence} is wrong"), &expected, output.bytes()).map_err(describe)?;
        // The compiler may believe that nobody writes to it.
        same(|| format!("the input is written, {whence}"), data, black_box(input.bytes())).map_err(describe)?;
        if !input.is_intact() || !output.is_intact() {
            return Err(describe(Wrong::new(format!("something is written beside the data, {whence}"))));
        }
    }
    let mut place = Place::new(from, data);
    keyed
        .crypt(direction, tweak, place.bytes_mut())
        .map_err(|error| describe(Wrong::new(format!("a data unit in place is refused: {error}"))))?;
    let what = || format!("a data unit in place at an address of {from} modulo {ALIGNMENTS} is wrong");
    same(what, &expected, place.bytes()).map_err(describe)?;
    if !place.is_intact() {
        return Err(describe(Wrong::new("something is written beside the data in place")));
    }
    Ok(5)
}
