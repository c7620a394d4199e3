//! The chaining value that a subject hands back after every part, and not only the digest at the end.

use proptest::prop_oneof;
use proptest::strategy::Strategy;
use rand::{Rng, RngExt};
use vambrace_reference::oracles::HashOracle;

use super::steps::{self, Beginning, Look, Step};
use super::{HashCheck, Trial};
use crate::subject::HashSubject;
use crate::{Context, Outcome};

/// The check.
pub const CHECK: HashCheck = HashCheck {
    name: "handed-back",
    looks_for: "chaining values and byte counts that are wrong after some part",
    seen_in: "libgcrypt 60ed0abb (counter from the wrong register), OP-TEE#2355, mbed-os#600 (chaining from the first block)",
    run,
};

fn run(subject: &dyn HashSubject, oracle: &dyn HashOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    let block = oracle.block_bytes();
    let step = prop_oneof![
        6 => steps::part_length(block).prop_map(Step::Update),
        1 => steps::turns(),
        1 => (0..8usize).prop_map(Step::SwitchTier),
    ];
    let scripts = steps::scripts(step).prop_map(|(script, _)| (script, Look::AtTheChainingValue));
    let answers = subject.start().chaining_value().is_some();
    let cases = if answers { trial.cases(0, 100, 5000) } else { 0..0 };
    trial.judge(cases, "the subject does not hand back its chaining value", |case| {
        // Every other case begins at a random chaining value, where the subject offers that.
        let mut rng = trial.rng(!case);
        let mut state = oracle.initial_state();
        let mut count = 0;
        if case % 2 == 1 {
            rng.fill_bytes(&mut state);
            // Of any magnitude.
            let blocks = rng.next_u64() >> rng.random_range(0..64);
            count = u128::from(blocks) * block as u128;
            if oracle.digest_from(&state, count, &[0; 4096]).is_none() {
                count = 0;
            }
        }
        let offered = subject.start_from(&state, count).is_some();
        let beginning = offered.then_some(Beginning { state: &state, count });
        steps::property(&trial, case, &scripts, beginning)
    })
}
