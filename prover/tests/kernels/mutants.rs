//! One bit changed: the proof must be lost, unless the kernel still does what its contract says.

use std::collections::BTreeMap;
use std::time::Duration;

use rayon::prelude::*;
use vambrace::kernels::{Architecture, Tier};
use vambrace_prover::a32::instruction::{Alu, Operation, Three};
use vambrace_prover::a64::instruction::Logic;
use vambrace_prover::budget::Limits;
use vambrace_prover::code::Code;
use vambrace_prover::vectors::VectorLogic;
use vambrace_prover::{Outcome, prove};
use vambrace_prover::{a32, a64};

use super::built::{Built, kernels};
use super::emulated::first_wrong;
use super::guest::Random;
use super::proofs::is_tested;

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
    let mut a_bit = |built: &Built| random.below(built.code.bytes().len() as u64 * 8) as usize;
    let mutants: Vec<(usize, Built)> =
        kernels().into_iter().filter(is_tested).map(|built| (a_bit(&built), built)).collect();
    let tried = mutants.len();
    let survives = |(bit, built): (usize, Built)| {
        let code = built.code.with_bit_changed(bit);
        let limits = Limits { time: Duration::from_secs(3), ..Limits::default() };
        let why = explanation(built.kernel.architecture, &built.code, &code, bit);
        (prove(built.kernel, &code, limits).outcome == Outcome::Proved).then_some((why, bit, Built { code, ..built }))
    };
    let survivors: Vec<(&str, usize, Built)> = mutants.into_par_iter().filter_map(survives).collect();
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for (why, bit, built) in &survivors {
        *reasons.entry(why).or_default() += 1;
        println!("{} survives a change of bit {} at offset {:#x}: {why}", built.name(), bit % 32, bit / 32 * 4);
    }
    println!("{} of {tried} mutants survive: {reasons:?}", survivors.len());
    assert!(survivors.len() * 6 < tried, "too many survive for all to be right by chance");
    // A proof that survives is a statement about the mutant, and QEMU must bear it out.
    for architecture in Architecture::ALL {
        let is_of_it = |(.., built): &&(_, _, Built)| built.kernel.architecture == architecture;
        let of_it: Vec<Built> = survivors.iter().filter(is_of_it).map(|(.., built)| built.clone()).collect();
        assert_eq!(first_wrong(&format!("survivors-{architecture}"), architecture, &of_it), None);
    }
}

/// The bit that makes another logical operation of this one; nothing for any other instruction.
fn other_logic(architecture: Architecture, word: u32) -> Option<usize> {
    match architecture {
        Architecture::Aarch64 => match a64::decode::decode(word)?.0 {
            // AND becomes ORR, EOR becomes BIT.
            a64::instruction::Instruction::VectorLogic { operation: VectorLogic::And | VectorLogic::Xor, .. } => {
                Some(23)
            }
            // AND becomes ORR, EOR becomes ANDS.
            a64::instruction::Instruction::LogicShifted { logic: Logic::And | Logic::Xor, invert: false, .. } => {
                Some(29)
            }
            _ => None,
        },
        Architecture::Arm => match a32::decode::decode(word)?.0.operation {
            // AND and EOR change places; VAND becomes VORR, VEOR becomes VBIT.
            Operation::Alu { alu: Alu::And | Alu::Xor, flags: false, .. } => Some(21),
            Operation::Three { operation: Three::Logic(VectorLogic::And | VectorLogic::Xor), .. } => Some(21),
            _ => None,
        },
    }
}

#[test]
fn every_gate_of_a_bit_sliced_cipher_counts() {
    let mut random = Random(5);
    let bit_sliced = |built: &Built| {
        built.kernel.contract.algorithm == "aes-xts" && matches!(built.kernel.tier, Tier::Scalar | Tier::Neon)
    };
    for built in kernels().into_iter().filter(bit_sliced) {
        let architecture = built.kernel.architecture;
        let gates =
            built.code.instructions().filter_map(|(at, word)| Some(at as usize * 8 + other_logic(architecture, word)?));
        let gates: Vec<usize> = gates.collect();
        for _ in 0..GATES.min(gates.len()) {
            let bit = gates[random.below(gates.len() as u64) as usize];
            let limits = Limits { time: Duration::from_secs(3), ..Limits::default() };
            let verdict = prove(built.kernel, &built.code.with_bit_changed(bit), limits);
            assert!(matches!(verdict.outcome, Outcome::NotProved(_)), "{} with bit {bit} changed", built.name());
        }
    }
}

/// Gates of each kernel that are changed.
const GATES: usize = 2;

#[test]
fn every_constant_counts() {
    // K, the initialisation vector, a permutation of bytes: whatever bit is wrong, no proof.
    let mut random = Random(4);
    let wanted = ["sha256_ce", "sha512_neon", "blake2s_scalar", "blake2b_ce"];
    let is_wanted =
        |built: &Built| wanted.contains(&built.kernel.name) || built.name() == "aarch64/aes_xts_neon_encrypt";
    for built in kernels().into_iter().filter(is_wanted) {
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

/// The kernel with another instruction word in the place of the only one of that kind.
fn with_word(built: &Built, old: u32, new: u32) -> Code {
    let at: Vec<u64> = built.code.instructions().filter(|&(_, word)| word == old).map(|(offset, _)| offset).collect();
    let [at] = *at else { panic!("{old:#010x} is in {} {} times", built.name(), at.len()) };
    (0..32)
        .filter(|bit| (old ^ new) >> bit & 1 == 1)
        .fold(built.code.clone(), |code, bit| code.with_bit_changed(at as usize * 8 + bit))
}

#[test]
fn the_counter_of_salsa20_has_64_bits() {
    let built = kernels().into_iter().find(|built| built.name() == "aarch64/salsa20_scalar").unwrap();
    let said = |old, new| match prove(built.kernel, &with_word(&built, old, new), Limits::default()).outcome {
        Outcome::NotProved(failure) => failure.to_string(),
        other => panic!("{other:?}"),
    };
    // add x24, x22, #1 with w24 and w22: the carry into the higher word is lost.
    // The very instruction is named.
    let found = said(0x9100_06d8, 0x1100_06d8);
    assert!(found.contains("state.counter is not") && found.contains("(0x110006d8)"), "{found}");
    // lsr x14, x13, #32 as mov x14, #0: the higher word is taken as zero at entry.
    let found = said(0xd360_fdae, 0xd280_000e);
    assert!(found.contains("is not what the specification says"), "{found}");
}
