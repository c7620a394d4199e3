//! Where the caller's buffers lie must not matter: data in place and from buffer to buffer, at every alignment. Nothing is
//! written but the output.

use std::hint::black_box;

use rand::RngExt;
use vambrace_reference::oracles::ciphers::StreamCipherOracle;

use super::setup::Setup;
use super::{StreamCheck, Trial};
use crate::message::Length;
use crate::place::{ALIGNMENTS, Place};
use crate::subject::StreamSubject;
use crate::trial::{Wrong, same, shown};
use crate::{Context, Outcome};

/// The check.
pub const CHECK: StreamCheck = StreamCheck {
    name: "aliasing",
    looks_for: "results that differ in place and from buffer to buffer, or with the alignment of a buffer; inputs and \
                surroundings that are written",
    seen_in: "testmgr and BoringSSL (aliasing); cryptopp#1236 (in place on one architecture); libgcrypt 1111d311, wolfSSL#5323 (alignment)",
    run,
};

fn run(subject: &dyn StreamSubject, oracle: &dyn StreamCipherOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    trial.judge(trial.cases(0, 2 * ALIGNMENTS, 40 * ALIGNMENTS), "", |case| {
        let alignment = (case % ALIGNMENTS) as usize;
        Ok(at_once(&trial, case, alignment)? + in_parts(&trial, case, alignment)?)
    })
}

/// One part from an alignment: in place, and from there to another.
fn at_once(trial: &Trial<'_>, case: u64, alignment: usize) -> Result<u64, Wrong> {
    let longest = 6 * trial.oracle.block_bytes();
    let setup = Setup::of_case(trial, case);
    let mut rng = trial.rng(case ^ 1 << 33);
    let position = rng.random_range(0..3 * trial.oracle.block_bytes() as u128);
    let other = rng.random_range(0..ALIGNMENTS as usize);
    trial.property(case, &Length(1..=longest), |length| {
        let data = trial.bytes(!case, *length);
        let describe = |wrong: Wrong| wrong.input(format!("at position {position}: {}; {setup}", shown(&data)));
        compare(trial, &setup, position, &data, alignment, alignment).map_err(describe)?;
        compare(trial, &setup, position, &data, alignment, other).map_err(describe)?;
        compare(trial, &setup, position, &data, other, alignment).map_err(describe)?;
        Ok(7)
    })
}

/// In place at one alignment, and from buffer to buffer.
fn compare(trial: &Trial<'_>, setup: &Setup, position: u128, data: &[u8], from: usize, to: usize) -> Result<(), Wrong> {
    let expected = setup.expected(trial, position, data);
    let mut input = Place::new(from, data);
    let mut output = Place::new(to, &vec![0xc6; data.len()]);
    let whence = format!("from an address of {from} to one of {to} modulo {ALIGNMENTS}");
    let mut running = setup.at(trial, position)?;
    running
        .apply_to(input.bytes(), output.bytes_mut())
        .map_err(|error| Wrong::new(format!("data {whence} is refused: {error}")))?;
    same(|| format!("the result {whence} is wrong"), &expected, output.bytes())?;
    // The compiler may believe that nobody writes to it.
    same(|| format!("the input is written, {whence}"), data, black_box(input.bytes()))?;
    let mut running = setup.at(trial, position)?;
    running.apply(input.bytes_mut()).map_err(|error| Wrong::new(format!("data in place is refused: {error}")))?;
    same(
        || format!("the result in place at an address of {from} modulo {ALIGNMENTS} is wrong"),
        &expected,
        input.bytes(),
    )?;
    if input.is_intact() && output.is_intact() {
        return Ok(());
    }
    Err(Wrong::new(format!("something is written beside the data, {whence}")))
}

/// Three parts, each at its own place; each is overwritten before the next, and the buffers for results have other contents
/// every time.
fn in_parts(trial: &Trial<'_>, case: u64, alignment: usize) -> Result<u64, Wrong> {
    let block = trial.oracle.block_bytes();
    let lengths = (Length(0..block), Length(2 * block..9 * block), Length(0..block));
    let setup = Setup::of_case(trial, case ^ 1 << 34);
    trial.property(case ^ 1 << 34, &lengths, |&(first, second, third)| {
        let lengths = [first, second, third];
        let message = trial.bytes(!case, lengths.iter().sum());
        let expected = setup.expected(trial, 0, &message);
        let describe = |wrong: Wrong| {
            wrong.input(format!(
                "parts {lengths:?}, each at {alignment} modulo {ALIGNMENTS}: {}; {setup}",
                shown(&message)
            ))
        };
        let mut running = setup.start(trial)?;
        let mut actual = Vec::new();
        let mut rest = &message[..];
        let mut places = Vec::new();
        for (length, paint) in lengths.into_iter().zip([0, 0xff, 0x33]) {
            let (part, others) = rest.split_at(length);
            rest = others;
            let mut input = Place::new(alignment, part);
            let mut output = Place::new(alignment, &vec![paint; length]);
            running.apply_to(input.bytes(), output.bytes_mut()).map_err(|error| describe(Wrong::new(error)))?;
            actual.extend_from_slice(output.bytes());
            input.overwrite();
            output.overwrite();
            places.push((input, output));
        }
        same(|| "the result of parts at these addresses is wrong".to_owned(), &expected, &actual).map_err(describe)?;
        // Until here, what was overwritten stays where the subject saw it.
        drop(places);
        Ok(1)
    })
}
