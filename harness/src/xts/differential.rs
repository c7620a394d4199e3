//! The oracle's answer against the subject's, for keys, tweaks and data units that are hard in different ways.

use proptest::prelude::any;
use proptest::strategy::Strategy;
use vambrace_reference::oracles::ciphers::XtsOracle;

use super::setup::{Keys, chosen, crypted, crypted_to};
use super::{Trial, XtsCheck};
use crate::message::{self, Message};
use crate::subject::XtsSubject;
use crate::trial::{Wrong, same};
use crate::{Context, Outcome};

/// The check.
pub const CHECK: XtsCheck = XtsCheck {
    name: "differential",
    looks_for: "inputs with a wrong result in either direction: keys, tweaks and data units of constant bytes, ramps, single bits, \
                words at the edges of their range, random",
    seen_in: "cryptopp#808 (decryption alone), cryptopp#585 (word order)",
    run,
};

fn run(subject: &dyn XtsSubject, oracle: &dyn XtsOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    let block = oracle.block_bytes();
    let of = |length: usize| message::content().prop_map(move |content| Message { length, content });
    // Shrunk towards a single block.
    let data = message::message(block)
        .prop_map(move |Message { length, content }| Message { length: length + block, content });
    let key = oracle.key_bytes();
    let strategy = (data, of(key), of(key), of(block), any::<bool>(), any::<bool>());
    trial.judge(trial.cases(0, 250, 10_000), "", |case| {
        trial.property(case, &strategy, |(message, key1, key2, tweak, decrypt, in_place)| {
            let keys = Keys::new(key1.bytes(), key2.bytes());
            let (tweak, data) = (tweak.bytes(), message.bytes());
            let direction = chosen(&trial, *decrypt);
            let describe = |wrong: Wrong| {
                let how = if *in_place { "in place" } else { "from buffer to buffer" };
                wrong.input(format!("{message}, {} {how}; tweak {}; {keys}", direction.done(), hex::encode(&tweak)))
            };
            let keyed = keys.keyed(&trial)?;
            let crypt = if *in_place { crypted } else { crypted_to };
            let actual = crypt(&*keyed, direction, &tweak, &data).map_err(describe)?;
            let expected = keys.expected(&trial, direction, &tweak, &data);
            same(|| format!("a data unit is wrongly {}", direction.done()), &expected, &actual).map_err(describe)?;
            Ok(1)
        })
    })
}
