//! Everything that must be refused: the error comes, and what was there stays as it was.

use rand::RngExt;
use vambrace_reference::oracles::HashOracle;

use super::{HashCheck, Trial};
use crate::refusal::{refused, unknown_tiers};
use crate::subject::{HashSubject, RunningHash};
use crate::trial::{Wrong, same, shown};
use crate::{Context, Outcome};

/// The check.
pub const CHECK: HashCheck = HashCheck {
    name: "errors",
    looks_for: "wrong arguments that are accepted, and errors that leave something changed: messages beyond the limit, \
                damaged states, unknown tiers, unequal numbers of messages and outputs",
    seen_in: "aead-test-template (outputs written before an error)",
    run,
};

/// One kind of wrong argument. Answers how many were tried, 0 if the subject does not offer what they belong to.
type Refusal = fn(&Trial<'_>, u64) -> Result<u64, Wrong>;

/// A case is the index of a kind, plus [`ROUND`] for every further round with other random numbers.
const REFUSALS: &[Refusal] =
    &[message_too_long, state_of_wrong_length, state_of_another_kind, damaged_state, unknown_tier, unequal_counts];

/// Distance of the cases of a kind.
const ROUND: u64 = 10;

fn run(subject: &dyn HashSubject, oracle: &dyn HashOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    let cases = trial.cases(0, 2 * ROUND, 50 * ROUND).filter(|case| case % ROUND < REFUSALS.len() as u64);
    trial.judge(cases, "the subject refuses nothing", |case| REFUSALS[(case % ROUND) as usize](&trial, case / ROUND))
}

/// Some message on its way, and its bytes.
fn underway(trial: &Trial<'_>, round: u64) -> (Box<dyn RunningHash>, Vec<u8>) {
    let length = trial.rng(round).random_range(0..3 * trial.oracle.block_bytes());
    let message = trial.bytes(round, length);
    let mut running = trial.subject.start();
    running.update(&message);
    (running, message)
}

fn message_too_long(trial: &Trial<'_>, round: u64) -> Result<u64, Wrong> {
    let Trial { subject, oracle, .. } = *trial;
    let Some(limit) = subject.message_limit() else { return Ok(0) };
    let block = oracle.block_bytes();
    let left = (limit % block as u128) as usize + block * (round as usize % 3);
    let count = limit - left as u128;
    let state = trial.bytes(round, oracle.state_bytes());
    let data = trial.bytes(!round, left + 4 * block);
    let input = format!("chaining value {} after {count} bytes; the limit is {limit}", hex::encode(&state));
    let Some(start) = subject.start_from(&state, count) else { return Ok(0) };
    if start.boxed_clone().try_update(b"").is_none() {
        return Err(Wrong::new("the subject names a limit, but has no update that could refuse"));
    }
    let refuses = |running: &mut Box<dyn RunningHash>, data: &[u8]| match running.try_update(data) {
        Some(Err(error)) if error.is_empty() => Err(Wrong::new("the error for an over-long message says nothing")),
        Some(Err(_)) => Ok(()),
        Some(Ok(())) | None => {
            Err(Wrong::new(format!("{} bytes are accepted, {left} are left to the limit", data.len())))
        }
    };
    let mut tried = 0;
    for (taken, refused) in
        [(0, left + 1), (left, 1), (left / 2, left - left / 2 + 1), (left, 4 * block), (0, left + 4 * block)]
    {
        let steps = || format!("{input}: {taken} bytes, then {refused} more that must be refused");
        let mut running = start.boxed_clone();
        match running.try_update(&data[..taken]) {
            Some(Ok(())) => {}
            Some(Err(error)) => {
                let what = format!("{taken} bytes are refused, {left} are left to the limit: {error}");
                return Err(Wrong::new(what).input(steps()));
            }
            None => return Err(Wrong::new("try_update is there only sometimes").input(steps())),
        }
        refuses(&mut running, &data[..refused]).map_err(|wrong| wrong.input(steps()))?;
        // The message is as it was: the last bytes that fit still do, and count.
        if let Some(Err(error)) = running.try_update(&data[taken..left]) {
            let what = format!("after a refusal the last {} bytes to the limit are refused too: {error}", left - taken);
            return Err(Wrong::new(what).input(steps()));
        }
        if let Some(expected) = oracle.digest_from(&state, count, &data[..left]) {
            same(|| "an update that was refused changed the message".to_owned(), &expected, &running.finalize())
                .map_err(|wrong| wrong.input(steps()))?;
        }
        tried += 1;
    }
    Ok(tried)
}

/// A state that the subject exports and imports; none if it does not do both.
fn state(trial: &Trial<'_>, round: u64) -> Option<Vec<u8>> {
    let state = underway(trial, round).0.export()?;
    trial.subject.import(&state).is_some().then_some(state)
}

fn state_of_wrong_length(trial: &Trial<'_>, round: u64) -> Result<u64, Wrong> {
    let Some(state) = state(trial, round) else { return Ok(0) };
    let length = state.len();
    let mut longer = state.clone();
    longer.resize(length * 2 + 1, 0);
    let lengths = [0, 1, length / 2, length - 1, length + 1, length * 2, length * 2 + 1];
    for wrong in lengths {
        let what = format!("an exported state of {length} bytes cut or extended to {wrong}");
        refused(&what, trial.subject.import(&longer[..wrong])).map_err(|wrong| wrong.input(hex::encode(&state)))?;
    }
    Ok(lengths.len() as u64)
}

/// Every change to the bytes that say what the state is.
fn state_of_another_kind(trial: &Trial<'_>, round: u64) -> Result<u64, Wrong> {
    let Some(state) = state(trial, round) else { return Ok(0) };
    let mut tried = 0;
    for byte in trial.subject.state_tag() {
        let Some(&right) = state.get(byte) else {
            return Err(Wrong::new(format!(
                "byte {byte} should say what an exported state is, which has {} bytes",
                state.len()
            )));
        };
        for wrong in (0..=u8::MAX).filter(|wrong| *wrong != right) {
            let mut state = state.clone();
            state[byte] = wrong;
            let what = format!(
                "a state whose byte {byte}, of those that say what it is, is {wrong:#04x} instead of {right:#04x}"
            );
            refused(&what, trial.subject.import(&state)).map_err(|wrong| wrong.input(hex::encode(&state)))?;
            tried += 1;
        }
    }
    Ok(tried)
}

/// Garbage is refused, or means what it says: a state that is accepted is exported again as it was. Then no two states
/// mean the same, and no damage is papered over. Where the chaining value and the number of bytes are not touched, damage can be
/// in the bytes of the message alone that wait in the state, if the function has no parameters that are kept there, too.
fn damaged_state(trial: &Trial<'_>, round: u64) -> Result<u64, Wrong> {
    let Some(state) = state(trial, round) else { return Ok(0) };
    let whole = |running: &dyn RunningHash| running.chaining_value();
    let has_parameters = trial.oracle.limits().is_some();
    let intact = trial.subject.import(&state).filter(|_| !has_parameters).and_then(Result::ok);
    let right = intact.and_then(|running| whole(&*running));
    let mut rng = trial.rng(!round);
    let (mut tried, mut silent) = (0, 0);
    let garbage = [vec![0; state.len()], vec![0xff; state.len()], trial.bytes(!round, state.len())];
    let damaged = (0..state.len()).map(|byte| {
        let mut state = state.clone();
        state[byte] ^= 1 << rng.random_range(0..8);
        state
    });
    for state in garbage.into_iter().chain(damaged) {
        match trial.subject.import(&state) {
            Some(Err(_)) => {}
            Some(Ok(running)) => {
                let again = running.export().unwrap_or_default();
                same(|| "a damaged state is accepted, and is exported as another".to_owned(), &state, &again)
                    .map_err(|wrong| wrong.input(hex::encode(&state)))?;
                silent += u128::from(right.is_some() && whole(&*running) == right);
                // Whatever it means, it can be hashed to the end.
                running.finalize();
            }
            None => return Err(Wrong::new("import is there only sometimes").input(hex::encode(&state))),
        }
        tried += 1;
    }
    let waiting = right.map_or(0, |(_, count)| waiting(trial, count));
    if silent > waiting {
        let what =
            format!("{silent} bytes of a state can be damaged unseen, and {waiting} bytes of the message wait in it");
        return Err(Wrong::new(what).input(hex::encode(&state)));
    }
    Ok(tried)
}

/// How many of so many bytes of a message are not in its chaining value yet.
fn waiting(trial: &Trial<'_>, count: u128) -> u128 {
    let block = trial.oracle.block_bytes() as u128;
    match count % block {
        0 if count > 0 && trial.oracle.holds_back_last_block() => block,
        rest => rest,
    }
}

fn unknown_tier(trial: &Trial<'_>, round: u64) -> Result<u64, Wrong> {
    let tiers = trial.subject.tiers();
    let mut tried = 0;
    for name in unknown_tiers(&tiers) {
        let (mut running, message) = underway(trial, round);
        refused(&format!("the unknown tier {name:?}"), running.switch_tier(&name))?;
        same(
            || format!("the refusal of the unknown tier {name:?} changed the message"),
            &trial.oracle.digest(&message),
            &running.finalize(),
        )
        .map_err(|wrong| wrong.input(shown(&message)))?;
        tried += 1;
    }
    Ok(tried)
}

fn unequal_counts(trial: &Trial<'_>, round: u64) -> Result<u64, Wrong> {
    let Trial { subject, oracle, .. } = *trial;
    if subject.digest_many(&[], &mut []).is_none() {
        return Ok(0);
    }
    let message = trial.bytes(round, 5 * oracle.block_bytes());
    let counts = [(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2), (4, 5), (5, 4), (8, 4), (4, 8), (17, 16), (0, 17)];
    for (messages, outputs) in counts {
        let given: Vec<&[u8]> = (0..messages).map(|index| &message[index * 9..]).collect();
        let before = vec![vec![0x5c; oracle.output_bytes()]; outputs];
        let mut after = before.clone();
        let what = format!("{messages} messages with {outputs} outputs");
        refused(&what, subject.digest_many(&given, &mut after))?;
        same(|| format!("outputs are written although {what} are refused"), &before.concat(), &after.concat())?;
    }
    Ok(counts.len() as u64)
}
