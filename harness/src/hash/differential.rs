//! The oracle's answer against the subject's, for messages and chaining values that are hard in different ways.

use proptest::option;
use proptest::strategy::Strategy;
use vambrace_reference::oracles::HashOracle;

use super::{HashCheck, Trial};
use crate::message::{self, Message};
use crate::subject::HashSubject;
use crate::trial::{Wrong, same};
use crate::{Context, Outcome};

/// The check.
pub const CHECK: HashCheck = HashCheck {
    name: "differential",
    looks_for: "inputs with a wrong digest: constant bytes, ramps, single bits, words at the edges of their range, random; \
                from the initial and from injected chaining values",
    seen_in: "cryptopp#1361 (a carry into the neighbouring lane), ethrex#4308, rust-crypto#313 (carry of a stale operand)",
    run,
};

fn run(subject: &dyn HashSubject, oracle: &dyn HashOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    let state_bytes = oracle.state_bytes();
    let state = message::content().prop_map(move |content| Message { length: state_bytes, content });
    let offers_states = subject.start_from(&oracle.initial_state(), 0).is_some();
    // Where no state can be injected, none is: a probability of 0 is refused.
    let state = option::of(state).prop_map(move |state| state.filter(|_| offers_states));
    let strategy = (message::message(oracle.block_bytes()), state);
    trial.judge(trial.cases(0, 250, 10_000), "", |case| {
        trial.property(case, &strategy, |(message, state)| match state {
            None => whole(&trial, message),
            Some(state) => continued(&trial, state, message),
        })
    })
}

fn whole(trial: &Trial<'_>, message: &Message) -> Result<u64, Wrong> {
    let bytes = message.bytes();
    let mut running = trial.subject.start();
    running.update(&bytes);
    same(|| "the digest is wrong".to_owned(), &trial.oracle.digest(&bytes), &running.finalize())
        .map_err(|wrong| wrong.input(message.to_string()))?;
    Ok(1)
}

fn continued(trial: &Trial<'_>, state: &Message, message: &Message) -> Result<u64, Wrong> {
    let (state, bytes) = (state.bytes(), message.bytes());
    let count = trial.oracle.block_bytes() as u128;
    let Some(expected) = trial.oracle.digest_from(&state, count, &bytes) else { return Ok(0) };
    let Some(mut running) = trial.subject.start_from(&state, count) else { return Ok(0) };
    running.update(&bytes);
    same(|| "the digest from an injected chaining value is wrong".to_owned(), &expected, &running.finalize()).map_err(
        |wrong| wrong.input(format!("chaining value {} after {count} bytes, then {message}", hex::encode(&state))),
    )?;
    Ok(1)
}
