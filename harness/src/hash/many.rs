//! Several messages at once: any number, any lengths, equal to one by one.

use proptest::collection::vec;
use proptest::strategy::Strategy;
use rand::RngExt;
use vambrace_reference::oracles::HashOracle;

use super::{HashCheck, Trial};
use crate::message;
use crate::subject::HashSubject;
use crate::trial::{Wrong, same, shown};
use crate::{Context, Outcome};

/// The check.
pub const CHECK: HashCheck = HashCheck {
    name: "many",
    looks_for: "digests of several messages at once that differ from one by one, or that depend on the other messages",
    seen_in: "isa-l_crypto#87, 7df6a1e, fbe3e34 (short jobs lost), a8955c0, 18cd4e5 (lane order)",
    run,
};

/// Most messages at once: more than any number of lanes.
const MOST: usize = 17;

/// Where the cases with random lengths begin; below, a case is `count * 10 + profile`.
const RANDOM: u64 = 1000;

/// The length of a message, in blocks and bytes, by its index and the number of messages.
type Profile = fn(usize, usize) -> (usize, usize);

/// How the lengths of the messages of a systematic case relate.
const PROFILES: &[Profile] = &[
    |_, _| (0, 0),
    |_, _| (1, 0),
    |_, _| (3, 17),
    |index, _| (index, index % 3),
    |index, count| (count - index, 0),
    |index, _| (if index % 2 == 0 { 7 } else { 0 }, 1),
    |index, _| (if index % 2 == 0 { 0 } else { 7 }, 0),
    |index, count| (if index + 1 == count { 20 } else { 1 }, 55),
];

fn run(subject: &dyn HashSubject, oracle: &dyn HashOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    let block = oracle.block_bytes();
    let systematic = (0..=MOST as u64)
        .flat_map(|count| (0..PROFILES.len() as u64).map(move |profile| count * 10 + profile))
        .filter(|case| trial.selects(*case));
    let lengths = vec(message::length(block).prop_map(move |length| length % (24 * block)), 0..=MOST);
    let missing = "the subject does not hash several messages at once";
    if subject.digest_many(&[], &mut []).is_none() {
        return trial.judge([], missing, |_| Ok(0));
    }
    trial.judge(systematic.chain(trial.cases(RANDOM, 60, 3000)), missing, |case| {
        if case < RANDOM {
            let (count, profile) = ((case / 10) as usize, PROFILES[(case % 10) as usize]);
            let lengths: Vec<usize> = (0..count)
                .map(|index| {
                    let (blocks, bytes) = profile(index, count);
                    blocks * block + bytes
                })
                .collect();
            return together(&trial, case, &lengths);
        }
        trial.property(case, &lengths, |lengths| together(&trial, case, lengths))
    })
}

/// Hashes messages of these lengths together, then once more with one of them changed.
fn together(trial: &Trial<'_>, case: u64, lengths: &[usize]) -> Result<u64, Wrong> {
    let bytes = trial.bytes(case, lengths.iter().sum());
    let mut messages = Vec::new();
    let mut rest = bytes.as_slice();
    for length in lengths {
        let (message, after) = rest.split_at(*length);
        messages.push(message);
        rest = after;
    }
    let describe = |wrong: Wrong| wrong.input(format!("messages of {lengths:?} bytes, cut from {}", shown(&bytes)));

    let Some(digests) = digests(trial, &messages).map_err(describe)? else { return Ok(0) };
    for (index, (message, digest)) in messages.iter().zip(&digests).enumerate() {
        same(|| format!("the digest of message {index} is wrong"), &trial.oracle.digest(message), digest)
            .map_err(describe)?;
    }

    // A change to one message shows in its own digest and in no other.
    let mut rng = trial.rng(!case);
    let nonempty: Vec<usize> = (0..lengths.len()).filter(|index| lengths[*index] != 0).collect();
    let Some(&changed) = nonempty.get(rng.random_range(0..nonempty.len().max(1))) else {
        return Ok(digests.len().max(1) as u64);
    };
    let mut other = messages[changed].to_vec();
    let byte = rng.random_range(0..other.len());
    other[byte] ^= 1 << rng.random_range(0..8);
    messages[changed] = &other;
    let again = self::digests(trial, &messages).map_err(describe)?.unwrap_or_default();
    if again.len() != digests.len() {
        return Err(describe(Wrong::new("the subject hashes several messages at once only sometimes")));
    }
    for (index, (before, after)) in digests.iter().zip(&again).enumerate() {
        if index == changed {
            same(|| format!("the digest of message {index} is wrong"), &trial.oracle.digest(&other), after)
                .map_err(describe)?;
        } else {
            same(|| format!("the digest of message {index} changes with message {changed}"), before, after)
                .map_err(describe)?;
        }
    }
    Ok(2 * digests.len() as u64)
}

/// The digests, into outputs that hold something else before.
fn digests(trial: &Trial<'_>, messages: &[&[u8]]) -> Result<Option<Vec<Vec<u8>>>, Wrong> {
    let mut outputs = vec![vec![0x5c; trial.oracle.output_bytes()]; messages.len()];
    match trial.subject.digest_many(messages, &mut outputs) {
        None => Ok(None),
        Some(Ok(())) => Ok(Some(outputs)),
        Some(Err(error)) => Err(Wrong::new(format!("as many outputs as messages are refused: {error}"))),
    }
}
