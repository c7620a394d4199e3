//! Does each check of a cipher fire on its own kind of defect, and on nothing else?

#[path = "../support/planted.rs"]
mod planted;
mod stream;
mod stream_defect;
mod stream_model;
#[path = "../support/surroundings.rs"]
mod surroundings;
mod xts;
mod xts_defect;
mod xts_model;

use planted::{SEEDS, context, fires};
use vambrace_harness::Outcome;

/// The check passes, and has tried something.
#[track_caller]
fn passes(check: &str, outcome: &Outcome) {
    match outcome {
        Outcome::Pass { cases, .. } => assert!(*cases > 0, "{check} passes without a case"),
        other => panic!("{check}: {other:?}"),
    }
}
