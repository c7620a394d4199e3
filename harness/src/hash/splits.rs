//! Messages in parts: every cut around block multiples, and random scripts of updates, clones, resets and serialisation.

use proptest::prop_oneof;
use vambrace_reference::oracles::HashOracle;

use super::steps;
use super::{HashCheck, Trial};
use crate::subject::HashSubject;
use crate::trial::{Wrong, same, shown};
use crate::{Context, Outcome};

/// The check.
pub const CHECK: HashCheck = HashCheck {
    name: "splits",
    looks_for: "digests that depend on how a message is cut, or on clones, resets and serialisation between its parts",
    seen_in: "OP-TEE#2355 (chaining value lost after 2 blocks), isa-l_crypto#87 (short updates lost), openssl be9375d5, \
              Konscious#23",
    run,
};

/// Where the cases of random scripts begin; those below are cuts.
const SCRIPTS: u64 = 1_000_000;

/// Once a cut shows something wrong, all cuts of messages shorter than this are tried.
const SHORTEST_TRIED: usize = 192;

fn run(subject: &dyn HashSubject, oracle: &dyn HashOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    let block = oracle.block_bytes();
    let quick = cuts(block, &[1, 2, 3, 4]);
    let all: Vec<_> = quick.iter().copied().chain(cuts(block, &[5, 8, 9, 16])).collect();
    let message = trial.bytes(u64::MAX, 16 * block + 1);
    let mut digest = (usize::MAX, Vec::new());

    let step = prop_oneof![5 => steps::updates(block), 3 => steps::turns()];
    let scripts = steps::scripts(step);
    let cases = trial.cases(0, quick.len() as u64, all.len() as u64).chain(trial.cases(SCRIPTS, 100, 5000));
    trial.judge(cases, "", |case| match all.get(case as usize) {
        Some(&(length, cut)) => {
            if digest.0 != length {
                digest = (length, oracle.digest(&message[..length]));
            }
            cut_in_two(&trial, &message[..length], cut, &digest.1)
        }
        None => steps::property(&trial, case, &scripts, None),
    })
}

/// Lengths around some block multiples, with every place to cut each.
fn cuts(block: usize, multiples: &[usize]) -> Vec<(usize, usize)> {
    let lengths = multiples.iter().flat_map(|blocks| [blocks * block - 1, blocks * block, blocks * block + 1]);
    lengths.flat_map(|length| (0..=length).map(move |cut| (length, cut))).collect()
}

fn cut_in_two(trial: &Trial<'_>, message: &[u8], cut: usize, expected: &[u8]) -> Result<u64, Wrong> {
    let differs = |message: &[u8], cut: usize, expected: &[u8]| {
        let (first, second) = message.split_at(cut);
        let mut running = trial.subject.start();
        running.update(first);
        running.update(second);
        let how = format!("{} bytes in parts of {cut} and {}", message.len(), second.len());
        same(|| format!("the digest of {how} is wrong"), expected, &running.finalize())
            .map_err(|wrong| wrong.input(format!("update {cut}, update {}: {}", second.len(), shown(message))))
    };
    let Err(wrong) = differs(message, cut, expected) else { return Ok(1) };
    // Cuts begin at the length of a block; something shorter may be as wrong.
    for length in 0..message.len().min(SHORTEST_TRIED) {
        let message = &message[..length];
        let expected = trial.oracle.digest(message);
        (0..=length).try_for_each(|cut| differs(message, cut, &expected))?;
    }
    Err(wrong)
}
