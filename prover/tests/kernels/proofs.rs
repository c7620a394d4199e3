//! Every kernel of a hash is proved.

use vambrace_prover::{Outcome, prove};

use super::built::kernels;

#[test]
fn every_kernel_with_a_specification_is_proved() {
    let kernels = kernels();
    assert!(kernels.len() >= 27, "only {} kernels", kernels.len());
    for built in kernels {
        let verdict = prove(built.kernel, &built.code, Default::default());
        assert!(verdict.outcome == Outcome::Proved, "{}: {:?}", built.name(), verdict.outcome);
        // No block, and one: two returns at least, each evaluated.
        assert!(verdict.evaluated >= 8, "{}: only {} evaluations", built.name(), verdict.evaluated);
        assert!(verdict.rounds >= 1, "{}: no induction was made", built.name());
    }
}
