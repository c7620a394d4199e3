//! The same message twice, in different surroundings: what lies on the stack and how deep it is, where the objects are,
//! what was hashed before, which thread.

use std::hint::black_box;
use std::thread;

use rand::RngExt;
use vambrace_reference::oracles::HashOracle;

use super::{HashCheck, Trial};
use crate::subject::{HashSubject, RunningHash};
use crate::surroundings::{deeper, paint_stack};
use crate::trial::{Wrong, same, shown};
use crate::{Context, Outcome};

/// The check.
pub const CHECK: HashCheck = HashCheck {
    name: "determinism",
    looks_for: "digests that depend on anything but the message: old stack contents, addresses, earlier messages, threads",
    seen_in: "libgcrypt 761a1a0d (a register that the caller did not set), 2cba0dbd (context alignment), SUPERCOP",
    run,
};

/// How often a case is run when it is replayed.
const REPLAYED: usize = 40;

fn run(subject: &dyn HashSubject, oracle: &dyn HashOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    // A digest may depend on all messages before it, which a replay leaves out: it repeats its case instead.
    let times = if context.only_case.is_some() { REPLAYED } else { 1 };
    trial.judge(trial.cases(0, 25, 1000), "", |case| {
        let compared = (0..times).map(|_| surroundings(&trial, case));
        compared.sum()
    })
}

fn surroundings(trial: &Trial<'_>, case: u64) -> Result<u64, Wrong> {
    let subject = trial.subject;
    let block = trial.oracle.block_bytes();
    let mut rng = trial.rng(case);
    let length = rng.random_range(0..8 * block);
    let cut = rng.random_range(0..=length);
    let message = trial.bytes(!case, length);
    let hash = |message: &[u8]| {
        let mut running = subject.start();
        running.update(&message[..cut]);
        running.update(&message[cut..]);
        running.finalize()
    };
    let first = hash(&message);
    let mut compared = 0;
    let mut compare = |how: &str, digest: &[u8]| {
        compared += 1;
        same(|| format!("the same message has another digest {how}"), &first, digest)
            .map_err(|wrong| wrong.input(format!("update {cut}, update {}: {}", length - cut, shown(&message))))
    };

    compare("the second time", &hash(&message))?;

    for paint in [0x00, 0xff, 0xa5] {
        paint_stack(paint);
        compare(&format!("on a stack that was full of {paint:#04x}"), &hash(&message))?;
    }
    for depth in [1, 2, 3, 7] {
        compare(&format!("{depth} frames deeper on the stack"), &deeper(depth, &mut || hash(&message)))?;
    }

    for offset in 1..=16 {
        let mut room = vec![0x3c; offset];
        room.extend_from_slice(&message);
        compare(&format!("{offset} bytes into an allocation"), &hash(&room[offset..]))?;
    }

    // Objects at other addresses: some stay alive while the message is hashed.
    let alive: Vec<(Box<dyn RunningHash>, Vec<u8>)> = (0..3)
        .map(|index| {
            let mut other = subject.start();
            other.update(&message[..cut / (index + 1)]);
            (other, vec![0x99; 24 * (index + 1)])
        })
        .collect();
    compare("beside other running hashes", &hash(&message))?;
    drop(alive);

    let mut used = subject.start();
    used.update(&message);
    used.update(&[0xee; 200]);
    black_box(used.finalize_reset());
    used.update(&message);
    compare("in an object used before", &used.finalize())?;

    let mut running = subject.start();
    running.update(&message[..cut]);
    let mut clones: Vec<_> = (0..3).map(|_| running.boxed_clone()).collect();
    clones.push(running);
    for mut clone in clones {
        clone.update(&message[cut..]);
        compare("in a clone", &clone.finalize())?;
    }

    let elsewhere = thread::scope(|scope| scope.spawn(|| hash(&message)).join());
    match elsewhere {
        Ok(digest) => compare("in another thread", &digest)?,
        Err(_) => {
            return Err(Wrong::new("the subject panics in another thread").input(shown(&message)));
        }
    }
    Ok(compared)
}
