//! The same data twice, in different surroundings: what lies on the stack and how deep it is, where the objects are, what
//! was encrypted before, which thread.

use std::thread;

use rand::RngExt;
use vambrace_reference::oracles::ciphers::StreamCipherOracle;

use super::setup::{Setup, applied, seek};
use super::{StreamCheck, Trial};
use crate::subject::{RunningStream, StreamSubject};
use crate::surroundings::{deeper, paint_stack};
use crate::trial::{Wrong, same, shown};
use crate::{Context, Outcome};

/// The check.
pub const CHECK: StreamCheck = StreamCheck {
    name: "determinism",
    looks_for: "results that depend on anything but key, nonce, position and data: old stack contents, addresses, earlier \
                messages, threads",
    seen_in: "libgcrypt 761a1a0d (a register that the caller did not set), 2cba0dbd (Salsa20, context alignment), SUPERCOP",
    run,
};

/// How often a case is run when it is replayed.
const REPLAYED: usize = 40;

fn run(subject: &dyn StreamSubject, oracle: &dyn StreamCipherOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    // A result may depend on all messages before it, which a replay leaves out: it repeats its case instead.
    let times = if context.only_case.is_some() { REPLAYED } else { 1 };
    trial.judge(trial.cases(0, 25, 1000), "", |case| (0..times).map(|_| surroundings(&trial, case)).sum())
}

fn surroundings(trial: &Trial<'_>, case: u64) -> Result<u64, Wrong> {
    let setup = Setup::of_case(trial, case);
    let block = trial.oracle.block_bytes();
    let mut rng = trial.rng(case);
    let length = rng.random_range(1..8 * block);
    let cut = rng.random_range(0..=length);
    let data = trial.bytes(!case, length);
    let twice = |running: &mut dyn RunningStream, data: &[u8]| {
        let mut result = applied(running, &data[..cut])?;
        result.extend(applied(running, &data[cut..])?);
        Ok(result)
    };
    let encrypt = |data: &[u8]| -> Result<Vec<u8>, Wrong> { twice(&mut *setup.start(trial)?, data) };
    let first = encrypt(&data)?;
    let mut compared = 0;
    let mut compare = |how: &str, result: Result<Vec<u8>, Wrong>| {
        compared += 1;
        same(|| format!("the same data has another result {how}"), &first, &result?)
            .map_err(|wrong| wrong.input(format!("apply {cut}, apply {}: {}; {setup}", length - cut, shown(&data))))
    };

    compare("the second time", encrypt(&data))?;

    for paint in [0x00, 0xff, 0xa5] {
        paint_stack(paint);
        compare(&format!("on a stack that was full of {paint:#04x}"), encrypt(&data))?;
    }
    for depth in [1, 2, 3, 7] {
        compare(&format!("{depth} frames deeper on the stack"), deeper(depth, &mut || encrypt(&data)))?;
    }

    for offset in 1..=16 {
        let mut room = vec![0x3c; offset];
        room.extend_from_slice(&data);
        let mut running = setup.start(trial)?;
        let (head, rest) = room[offset..].split_at_mut(cut);
        for part in [head, rest] {
            running.apply(part).map_err(Wrong::new)?;
        }
        compare(&format!("{offset} bytes into an allocation"), Ok(room.split_off(offset)))?;
    }

    // Objects at other addresses: some stay alive meanwhile.
    let mut alive: Vec<(Box<dyn RunningStream>, Vec<u8>)> = Vec::new();
    for index in 0..3 {
        let mut other = Setup::of_case(trial, case + index).start(trial)?;
        applied(&mut *other, &data[..cut / (index as usize + 1)])?;
        alive.push((other, vec![0x99; 24 * (index as usize + 1)]));
    }
    compare("beside other running ciphers", encrypt(&data))?;
    drop(alive);

    let mut used = setup.start(trial)?;
    applied(&mut *used, &data)?;
    applied(&mut *used, &[0xee; 200])?;
    seek(&mut *used, 0)?;
    compare("in an object used before", twice(&mut *used, &data))?;

    let mut running = setup.start(trial)?;
    let head = applied(&mut *running, &data[..cut])?;
    let mut clones: Vec<_> = (0..3).map(|_| running.boxed_clone()).collect();
    clones.push(running);
    for mut clone in clones {
        let rest = applied(&mut *clone, &data[cut..])?;
        compare("in a clone", Ok([&head[..], &rest].concat()))?;
    }

    match thread::scope(|scope| scope.spawn(|| encrypt(&data)).join()) {
        Ok(result) => compare("in another thread", result)?,
        Err(_) => return Err(Wrong::new("the subject panics in another thread").input(shown(&data))),
    }
    Ok(compared)
}
