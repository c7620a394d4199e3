//! One key, each data unit by a tier drawn at random: the key must survive every change of its form.

use vambrace_reference::oracles::ciphers::XtsOracle;

use super::{Trial, XtsCheck, steps};
use crate::subject::XtsSubject;
use crate::{Context, Outcome};

/// The check.
pub const CHECK: XtsCheck = XtsCheck {
    name: "mixed-tiers",
    looks_for: "tiers that do not understand each other's form of a key",
    seen_in: "libgcrypt (NEON state layout), the Linux KUnit tests' contexts",
    run,
};

fn run(subject: &dyn XtsSubject, oracle: &dyn XtsOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    let tiers = subject.tiers().len();
    let cases = if tiers == 0 { 0..0 } else { trial.cases(0, 80, 4000) };
    trial.judge(cases, "the subject has no tiers to switch between", |case| {
        steps::property(&trial, case, steps::units_and_tiers(oracle.block_bytes(), tiers))
    })
}
