//! One running hash, each part by a tier drawn at random: all tiers must keep the same state.

use proptest::prelude::any;
use proptest::prop_oneof;
use proptest::strategy::{Just, Strategy};
use vambrace_reference::oracles::HashOracle;

use super::steps::{self, Step};
use super::{HashCheck, Trial};
use crate::subject::HashSubject;
use crate::{Context, Outcome};

/// The check.
pub const CHECK: HashCheck = HashCheck {
    name: "mixed-tiers",
    looks_for: "tiers that do not understand each other's state, within one message",
    seen_in: "libgcrypt (NEON state layout), the Linux KUnit tests' contexts",
    run,
};

fn run(subject: &dyn HashSubject, oracle: &dyn HashOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    let tiers = subject.tiers().len();
    let block = oracle.block_bytes();
    let step = prop_oneof![
        4 => any::<usize>().prop_map(move |tier| Step::SwitchTier(tier % tiers.max(1))),
        4 => steps::updates(block),
        1 => prop_oneof![Just(Step::MoveToClone), Just(Step::ExportImport), Just(Step::FinalizeReset)],
    ];
    let scripts = steps::scripts(step);
    let cases = if tiers == 0 { 0..0 } else { trial.cases(0, 100, 5000) };
    trial.judge(cases, "the subject has no tiers to switch between", |case| {
        steps::property(&trial, case, &scripts, None)
    })
}
