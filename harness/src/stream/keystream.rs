//! The key stream as such: it is what zeros become, it is the same wherever one comes from, and it ends.

use proptest::prop_oneof;
use rand::RngExt;
use vambrace_reference::oracles::ciphers::StreamCipherOracle;

use super::setup::{Setup, applied, compare_position, end, seek};
use super::steps::{self, Look};
use super::{StreamCheck, Trial};
use crate::refusal::refused;
use crate::subject::{RunningStream, StreamSubject};
use crate::trial::{Wrong, same};
use crate::{Context, Outcome};

/// The check.
pub const CHECK: StreamCheck = StreamCheck {
    name: "stream",
    looks_for: "seeks that lead elsewhere or keep something of before, results that are not data xor key stream, wrong positions, \
                and key streams that go on behind their end",
    seen_in: "stream-ciphers#445, CVE-2019-11840 (key stream repeated)",
    run,
};

/// Up to so many blocks every position is sought.
const BLOCKS_SOUGHT: u64 = 5;

/// A case below is a position.
const RETURNS: u64 = 100_000;
/// The cases of data xor key stream.
const XOR: u64 = 200_000;
/// The cases of the end by a part that is too long.
const END: u64 = 300_000;
/// The cases of positions behind the end.
const BEYOND: u64 = 400_000;
/// The cases of random scripts.
const SCRIPTS: u64 = 1_000_000;

fn run(subject: &dyn StreamSubject, oracle: &dyn StreamCipherOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    let block = oracle.block_bytes();
    let step = prop_oneof![4 => steps::parts(block), 4 => steps::seeks(block), 1 => steps::clones()];
    let scripts = steps::scripts(step, Look::Position);
    let sought = BLOCKS_SOUGHT * block as u64 + 1;
    let cases = trial
        .cases(0, sought, 8 * sought)
        .chain(trial.cases(RETURNS, sought, 8 * sought))
        .chain(trial.cases(XOR, 20, 1000))
        .chain(trial.cases(END, ENDS.len() as u64, ENDS.len() as u64))
        .chain(trial.cases(BEYOND, 1, 20))
        .chain(trial.cases(SCRIPTS, 120, 5000));
    trial.judge(cases, "", |case| match case {
        0..RETURNS => seek_there(&trial, case),
        RETURNS..XOR => seek_from_elsewhere(&trial, case),
        XOR..END => data_xor_keystream(&trial, case),
        END..BEYOND => too_long(&trial, case, ENDS[(case - END) as usize]),
        BEYOND..SCRIPTS => beyond_the_end(&trial, case),
        _ => steps::property(&trial, case, &scripts, 0),
    })
}

/// A seek from the beginning.
fn seek_there(trial: &Trial<'_>, position: u64) -> Result<u64, Wrong> {
    let setup = Setup::of_case(trial, 0);
    let position = u128::from(position);
    let describe = |wrong: Wrong| wrong.input(format!("seek {position}; {setup}"));
    let mut running = setup.at(trial, position).map_err(describe)?;
    compare_position(position, &*running, "after a seek").map_err(describe)?;
    setup.continues(trial, &mut *running, position, "after a seek").map_err(describe)?;
    let behind = position + 2 * trial.oracle.block_bytes() as u128 + 3;
    compare_position(behind, &*running, "after a seek and a part").map_err(describe)?;
    Ok(3)
}

/// A seek from inside a block, and one back there.
fn seek_from_elsewhere(trial: &Trial<'_>, case: u64) -> Result<u64, Wrong> {
    let setup = Setup::of_case(trial, RETURNS);
    let block = trial.oracle.block_bytes();
    let position = u128::from(case - RETURNS);
    let used = trial.rng(case).random_range(1..2 * block);
    let describe = |wrong: Wrong| wrong.input(format!("apply {used}, seek {position}, and back to {used}; {setup}"));
    let mut running = setup.start(trial)?;
    applied(&mut *running, &vec![0; used]).map_err(describe)?;
    seek(&mut *running, position).map_err(describe)?;
    compare_position(position, &*running, "after a seek").map_err(describe)?;
    setup.continues(trial, &mut *running, position, "after a seek from inside a block").map_err(describe)?;
    seek(&mut *running, used as u128).map_err(describe)?;
    compare_position(used as u128, &*running, "after a seek").map_err(describe)?;
    setup.continues(trial, &mut *running, used as u128, "after seeks there and back").map_err(describe)?;
    Ok(4)
}

/// What the subject makes of data is the data xor what it makes of zeros; and twice is as never.
fn data_xor_keystream(trial: &Trial<'_>, case: u64) -> Result<u64, Wrong> {
    let setup = Setup::of_case(trial, case);
    let mut rng = trial.rng(case);
    let position = rng.random_range(0..1 << 40);
    let data = trial.bytes(!case, rng.random_range(1..12 * trial.oracle.block_bytes()));
    let describe = |wrong: Wrong| wrong.input(format!("{} bytes at position {position}; {setup}", data.len()));
    let start = setup.at(trial, position).map_err(describe)?;
    let stream = applied(&mut *start.boxed_clone(), &vec![0; data.len()]).map_err(describe)?;
    let expected: Vec<u8> = data.iter().zip(&stream).map(|(data, stream)| data ^ stream).collect();
    let once = applied(&mut *start.boxed_clone(), &data).map_err(describe)?;
    same(|| "the result is not data xor what zeros become".to_owned(), &expected, &once).map_err(describe)?;
    let twice = applied(&mut *start.boxed_clone(), &once).map_err(describe)?;
    same(|| "what was encrypted is not decrypted".to_owned(), &data, &twice).map_err(describe)?;
    Ok(2)
}

/// Bytes that are left, and by how much a part is longer. The first are those that whole blocks or a buffer would hide.
const ENDS: &[(usize, usize)] = &[
    (0, 1),
    (0, 64),
    (1, 1),
    (63, 1),
    (64, 1),
    (65, 1),
    (1, 63),
    (64, 64),
    (10, 54),
    (100, 28),
    (128, 1),
    (130, 62),
    (130, 500),
    (256, 64),
    (512, 512),
    (600, 1),
    (1000, 4000),
];

/// A part that reaches beyond the end: in place and from buffer to buffer, from between blocks and from inside one.
fn too_long(trial: &Trial<'_>, case: u64, (left, over): (usize, usize)) -> Result<u64, Wrong> {
    let setup = Setup::of_case(trial, case);
    let end = end(trial.oracle);
    let data = trial.bytes(case, left + over);
    let position = end - left as u128;
    for (taken, in_place) in [(0, true), (0, false), (left / 3, true), (left / 3, false)] {
        let describe = |wrong: Wrong| {
            wrong.input(format!(
                "{left} bytes before the end, {taken} taken: {} more, {over} too many, {}; {setup}",
                left + over - taken,
                if in_place { "in place" } else { "from buffer to buffer" }
            ))
        };
        // A subject may have no position at the very end to seek: then it is reached by a byte.
        let sought = position - u128::from(left == 0);
        let mut running = setup.at(trial, sought).map_err(describe)?;
        applied(&mut *running, &vec![0; (position - sought) as usize]).map_err(describe)?;
        applied(&mut *running, &data[..taken]).map_err(describe)?;
        let (given, at) = (&data[taken..], position + taken as u128);
        let before = if in_place { given.to_vec() } else { vec![0x5c; given.len()] };
        let mut after = before.clone();
        let answer = if in_place { running.apply(&mut after) } else { running.apply_to(given, &mut after) };
        refused("a part that is longer than the rest of the key stream", Some(answer)).map_err(describe)?;
        same(|| "data is written although the part is refused".to_owned(), &before, &after).map_err(describe)?;
        compare_position(at, &*running, "after a refused part").map_err(describe)?;
        up_to_the_end(trial, &setup, &mut *running, at).map_err(describe)?;
    }
    Ok(4)
}

/// All that is left can be had, and no more; another position can.
fn up_to_the_end(
    trial: &Trial<'_>,
    setup: &Setup,
    running: &mut dyn RunningStream,
    position: u128,
) -> Result<(), Wrong> {
    let end = end(trial.oracle);
    let left = (end - position) as usize;
    let stream = applied(running, &vec![0; left])?;
    same(|| format!("the last {left} bytes are wrong"), &setup.keystream(trial, position, left), &stream)?;
    compare_position(end, running, "at the end")?;
    refused("a byte behind the end", Some(running.apply(&mut [0])))?;
    running.apply(&mut []).map_err(|error| Wrong::new(format!("no bytes are refused at the end: {error}")))?;
    compare_position(end, running, "at the end")?;
    seek(running, 5)?;
    setup.continues(trial, running, 5, "after the end was reached")
}

/// Seeks behind the end, from a position that must stay.
fn beyond_the_end(trial: &Trial<'_>, case: u64) -> Result<u64, Wrong> {
    let setup = Setup::of_case(trial, case);
    let end = end(trial.oracle);
    let block = trial.oracle.block_bytes() as u128;
    let mut rng = trial.rng(case);
    let positions = [1, 2, block - 1, block, block + 1, 3 * block, 1 << 64, end - 1, end, end + 77, u128::MAX - end];
    for position in positions.map(|beyond| end + beyond) {
        // From inside a block, from between blocks, and from the last one.
        for at in [rng.random_range(0..4 * block), 2 * block, end - 7] {
            let describe = |wrong: Wrong| wrong.input(format!("at {at}, seek {position}; {setup}"));
            let mut running = setup.at(trial, at).map_err(describe)?;
            refused(&format!("position {position}, behind the end at {end}"), Some(running.seek(position)))
                .map_err(describe)?;
            compare_position(at, &*running, "after a refused seek").map_err(describe)?;
            setup.continues(trial, &mut *running, at, "after a refused seek").map_err(describe)?;
        }
    }
    // The end itself is a position, or none: but nothing is behind it.
    let mut running = setup.at(trial, 3)?;
    let at = if running.seek(end).is_ok() { end } else { 3 };
    compare_position(at, &*running, "after a seek to the end")?;
    setup.continues(trial, &mut *running, at, "after a seek to the end")?;
    if at == end {
        refused("a byte behind the end", Some(running.apply(&mut [0])))?;
    }
    Ok(3 * positions.len() as u64)
}
