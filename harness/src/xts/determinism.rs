//! The same data unit twice, in different surroundings: what lies on the stack and how deep it is, where the objects are,
//! what was encrypted before, which thread.

use std::thread;

use rand::RngExt;
use vambrace_reference::oracles::ciphers::XtsOracle;

use super::setup::{Keys, chosen, crypted};
use super::{Trial, XtsCheck};
use crate::subject::{KeyedXts, XtsSubject};
use crate::surroundings::{deeper, paint_stack};
use crate::trial::{Wrong, same, shown};
use crate::{Context, Outcome};

/// The check.
pub const CHECK: XtsCheck = XtsCheck {
    name: "determinism",
    looks_for: "results that depend on anything but key, tweak and data: old stack contents, addresses, earlier data units, threads",
    seen_in: "libgcrypt 761a1a0d (a register that the caller did not set), 2cba0dbd (context alignment), SUPERCOP",
    run,
};

/// How often a case is run when it is replayed.
const REPLAYED: usize = 40;

fn run(subject: &dyn XtsSubject, oracle: &dyn XtsOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    // A result may depend on all data units before it, which a replay leaves out: it repeats its case instead.
    let times = if context.only_case.is_some() { REPLAYED } else { 1 };
    trial.judge(trial.cases(0, 25, 1000), "", |case| (0..times).map(|_| surroundings(&trial, case)).sum())
}

fn surroundings(trial: &Trial<'_>, case: u64) -> Result<u64, Wrong> {
    let keys = Keys::of_case(trial, case);
    let direction = chosen(trial, case % 2 == 1);
    let block = trial.oracle.block_bytes();
    let mut rng = trial.rng(case);
    let length = rng.random_range(block..12 * block);
    let data = trial.bytes(!case, length);
    let tweak = trial.bytes(case, block);
    let crypt = || crypted(&*keys.keyed(trial)?, direction, &tweak, &data);
    let first = crypt()?;
    let mut compared = 0;
    let mut compare = |how: &str, result: Result<Vec<u8>, Wrong>| {
        compared += 1;
        same(|| format!("the same data unit has another result {how}"), &first, &result?).map_err(|wrong| {
            wrong.input(format!("{}, {}; tweak {}; {keys}", shown(&data), direction.done(), hex::encode(&tweak)))
        })
    };

    compare("the second time", crypt())?;

    for paint in [0x00, 0xff, 0xa5] {
        paint_stack(paint);
        compare(&format!("on a stack that was full of {paint:#04x}"), crypt())?;
    }
    for depth in [1, 2, 3, 7] {
        compare(&format!("{depth} frames deeper on the stack"), deeper(depth, &mut || crypt()))?;
    }

    let keyed = keys.keyed(trial)?;
    for offset in 1..=16 {
        let mut room = vec![0x3c; offset];
        room.extend_from_slice(&data);
        keyed.crypt(direction, &tweak, &mut room[offset..]).map_err(Wrong::new)?;
        compare(&format!("{offset} bytes into an allocation"), Ok(room.split_off(offset)))?;
    }

    // Objects at other addresses: some stay alive meanwhile.
    let mut alive: Vec<(Box<dyn KeyedXts>, Vec<u8>)> = Vec::new();
    for index in 0..3 {
        let other = Keys::of_case(trial, case + 1 + index).keyed(trial)?;
        crypted(&*other, direction, &tweak, &data)?;
        alive.push((other, vec![0x99; 24 * (index as usize + 1)]));
    }
    compare("beside other keys", crypt())?;
    drop(alive);

    let other = trial.bytes(!case ^ 1, length + 5);
    crypted(&*keyed, direction.reverse(), &other[..block], &other)?;
    compare("in an object used before", crypted(&*keyed, direction, &tweak, &data))?;

    for clone in [keyed.boxed_clone(), keyed.boxed_clone(), keyed] {
        compare("in a clone", crypted(&*clone, direction, &tweak, &data))?;
    }

    match thread::scope(|scope| scope.spawn(crypt).join()) {
        Ok(result) => compare("in another thread", result)?,
        Err(_) => return Err(Wrong::new("the subject panics in another thread").input(shown(&data))),
    }
    Ok(compared)
}
