//! One bit changed: the proof must be lost, unless the kernel still does what its contract says.

use std::collections::BTreeMap;
use std::time::Duration;

use vambrace::kernels::Architecture;
use vambrace_prover::budget::Limits;
use vambrace_prover::code::Code;
use vambrace_prover::{Outcome, prove};
use vambrace_prover::{a32, a64};

use super::built::{Built, kernels};
use super::emulated::first_wrong;
use super::guest::Random;
use super::proofs::is_tested;

/// Mutants of each kernel.
const MUTANTS: usize = 3;

/// Why a proof may survive a changed bit.
fn explanation(architecture: Architecture, before: &Code, after: &Code, bit: usize) -> &'static str {
    let offset = bit as u64 / 32 * 4;
    let (Some(old), Some(new)) = (before.instruction(offset), after.instruction(offset)) else { return "a literal" };
    let decoded = |word| match architecture {
        Architecture::Aarch64 => a64::decode::decode(word).map(|(instruction, _)| format!("{instruction:?}")),
        Architecture::Arm => a32::decode::decode(word).map(|(instruction, _)| format!("{instruction:?}")),
    };
    match (decoded(old), decoded(new)) {
        (_, None) => "a word that is never executed",
        (old, new) if old == new => "the same instruction",
        _ => "another instruction with the same effect on what counts",
    }
}

#[test]
fn mutants_lose_their_proof_or_are_right() {
    let mut random = Random(3);
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    let mut survivors: Vec<Built> = Vec::new();
    let mut tried = 0;
    for built in kernels().into_iter().filter(|built| is_tested(built.kernel)) {
        for _ in 0..MUTANTS {
            let bit = random.below(built.code.bytes().len() as u64 * 8) as usize;
            let code = built.code.with_bit_changed(bit);
            let limits = Limits { time: Duration::from_secs(3), ..Limits::default() };
            tried += 1;
            if prove(built.kernel, &code, limits).outcome == Outcome::Proved {
                let why = explanation(built.kernel.architecture, &built.code, &code, bit);
                *reasons.entry(why).or_default() += 1;
                println!("{} survives a change of bit {} at offset {:#x}: {why}", built.name(), bit % 32, bit / 32 * 4);
                survivors.push(Built { code, ..built.clone() });
            }
        }
    }
    println!("{} of {tried} mutants survive: {reasons:?}", survivors.len());
    assert!(survivors.len() * 6 < tried, "too many survive for all to be right by chance");
    // A proof that survives is a statement about the mutant, and QEMU must bear it out.
    for architecture in Architecture::ALL {
        let of_it: Vec<Built> =
            survivors.iter().filter(|built| built.kernel.architecture == architecture).cloned().collect();
        assert_eq!(first_wrong(&format!("survivors-{architecture}"), architecture, &of_it), None);
    }
}

#[test]
fn every_constant_counts() {
    // K, and the initialisation vector: whatever bit is wrong, no proof.
    let mut random = Random(4);
    let wanted = ["sha256_ce", "sha512_neon", "blake2s_scalar", "blake2b_ce"];
    for built in kernels().into_iter().filter(|built| wanted.contains(&built.kernel.name)) {
        let literals = built.code.literals()[0].clone();
        // Behind the constants there may be padding.
        let constants = literals.len().min(32);
        for _ in 0..4 {
            let bit = literals.start * 8 + random.below(constants as u64 * 8) as usize;
            let verdict = prove(built.kernel, &built.code.with_bit_changed(bit), Limits::default());
            assert!(matches!(verdict.outcome, Outcome::NotProved(_)), "{} with bit {bit} changed", built.name());
        }
    }
}
