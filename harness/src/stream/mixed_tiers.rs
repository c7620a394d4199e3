//! One running cipher, each part by a tier drawn at random: all tiers must keep the same state.

use proptest::prelude::any;
use proptest::prop_oneof;
use proptest::strategy::{Just, Strategy};
use vambrace_reference::oracles::ciphers::StreamCipherOracle;

use super::steps::{self, Look, Step};
use super::{StreamCheck, Trial};
use crate::subject::StreamSubject;
use crate::{Context, Outcome};

/// The check.
pub const CHECK: StreamCheck = StreamCheck {
    name: "mixed-tiers",
    looks_for: "tiers that do not understand each other's state, within one message",
    seen_in: "libgcrypt (NEON state layout), stream-ciphers#445 (backends of different counter widths)",
    run,
};

fn run(subject: &dyn StreamSubject, oracle: &dyn StreamCipherOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    let tiers = subject.tiers().len();
    let block = oracle.block_bytes();
    let step = prop_oneof![
        4 => any::<usize>().prop_map(move |tier| Step::SwitchTier(tier % tiers.max(1))),
        4 => steps::parts(block),
        1 => prop_oneof![Just(Step::MoveToClone).boxed(), steps::seeks(block)],
    ];
    let scripts = steps::scripts(step, Look::Data);
    let cases = if tiers == 0 { 0..0 } else { trial.cases(0, 100, 5000) };
    trial.judge(cases, "the subject has no tiers to switch between", |case| steps::property(&trial, case, &scripts, 0))
}
