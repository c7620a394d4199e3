//! Every kernel that there is a specification for is proved.

use rayon::prelude::*;
use vambrace_prover::{Outcome, prove};

use super::built::{Built, Computes, kernels};

/// Speck has every number of rounds up to 34, each a proof, and AES in XTS is the longest: here only these, in
/// `ci/verify --prove-only` all kernels.
const OF_XTS: [&str; 8] = [
    "aarch64/speck128_xts_scalar_encrypt",
    "aarch64/speck64_xts_neon_decrypt",
    "arm/speck128_xts_scalar_decrypt",
    "arm/speck64_xts_scalar_encrypt",
    "aarch64/aes_xts_ce_encrypt",
    "aarch64/aes_xts_scalar_decrypt",
    "arm/aes_xts_ce_decrypt",
    "arm/aes_xts_scalar_encrypt",
];

/// Whether the proof is short enough for a test.
pub fn is_tested(built: &Built) -> bool {
    let is_long = matches!(built.computes, Computes::Blocks(_)) && built.kernel.contract.algorithm.ends_with("-xts");
    !is_long || OF_XTS.contains(&&*built.name())
}

fn check(built: &Built) {
    let verdict = prove(built.kernel, &built.code, Default::default());
    assert!(verdict.outcome == Outcome::Proved, "{}: {:?}", built.name(), verdict.outcome);
    // No block, and one: two returns at least, each evaluated.
    assert!(verdict.evaluated >= 8, "{}: only {} evaluations", built.name(), verdict.evaluated);
    let loops = matches!(built.computes, Computes::Blocks(_));
    assert!(verdict.rounds >= usize::from(loops), "{}: no induction was made", built.name());
    // Each number of rounds that the contract allows, in place and not.
    let least = match built.kernel.contract.algorithm {
        "salsa20" => 4 * 2,
        "speck128-xts" if loops => 34 * 2,
        "speck64-xts" => 27 * 2,
        "aes-xts" if loops => 2 * 2,
        "aes-xts" | "speck128-xts" => 2,
        _ => 1,
    };
    assert!(verdict.cases >= least, "{}: only {} cases", built.name(), verdict.cases);
}

#[test]
fn every_kernel_with_a_specification_is_proved() {
    let kernels = kernels();
    assert!(kernels.len() >= 78, "only {} kernels", kernels.len());
    kernels.par_iter().filter(|built| is_tested(built)).for_each(check);
}
