//! The oracle's answer against the subject's, for keys, nonces, blocks and messages that are hard in different ways.

use proptest::prelude::any;
use proptest::sample::select;
use proptest::strategy::Strategy;
use vambrace_reference::oracles::ciphers::StreamCipherOracle;

use super::setup::{Setup, applied, applied_to};
use super::{StreamCheck, Trial, steps};
use crate::message::{self, Message};
use crate::subject::StreamSubject;
use crate::trial::same;
use crate::{Context, Outcome};

/// The check.
pub const CHECK: StreamCheck = StreamCheck {
    name: "differential",
    looks_for: "inputs with a wrong result: keys, nonces and messages of constant bytes, ramps, single bits, words at the edges of \
                their range, random; at any position",
    seen_in: "cryptopp#1361 (a carry into the neighbouring lane), rust-crypto#313 (carry of a stale operand)",
    run,
};

fn run(subject: &dyn StreamSubject, oracle: &dyn StreamCipherOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    let nonce_bytes = oracle.nonce_bytes();
    let key =
        (select(oracle.key_bytes()), message::content()).prop_map(|(length, content)| Message { length, content });
    let nonce = message::content().prop_map(move |content| Message { length: nonce_bytes, content });
    let position = steps::positions(oracle.block_bytes());
    let strategy = (message::message(oracle.block_bytes()), key, nonce, position, any::<bool>());
    trial.judge(trial.cases(0, 250, 10_000), "", |case| {
        trial.property(case, &strategy, |(message, key, nonce, position, in_place)| {
            let setup = Setup { key: key.bytes(), nonce: nonce.bytes() };
            let data = message.bytes();
            let mut running = setup.at(&trial, *position)?;
            let apply = if *in_place { applied } else { applied_to };
            let actual = apply(&mut *running, &data)?;
            same(
                || format!("data at position {position} is wrong"),
                &setup.expected(&trial, *position, &data),
                &actual,
            )
            .map_err(|wrong| {
                let how = if *in_place { "in place" } else { "from buffer to buffer" };
                wrong.input(format!("{message}, {how}, at position {position}; {setup}"))
            })?;
            Ok(1)
        })
    })
}
