//! Kernels under QEMU, called as their contracts say, against the specification on numbers.

use std::fmt::Write;

use vambrace::kernels::{Architecture, ArgumentKind, Size};
use vambrace_prover::code::Code;
use vambrace_prover::specification::Specification;

use super::built::{Built, kernels};
use super::guest::{Random, STATES, run};

/// Numbers of blocks that are tried: what the proofs see as base, step and end, and more than any of them looks ahead.
const COUNTS: [usize; 6] = [0, 1, 2, 3, 7, 8];

/// A call: where its arguments are in memory, and what must be there afterwards.
struct Call {
    registers: Vec<u64>,
    memory: Vec<u8>,
    expected: Vec<u8>,
}

fn word(bytes: &[u8], big_endian: bool) -> u64 {
    let digits: Vec<u8> = if big_endian { bytes.to_vec() } else { bytes.iter().rev().copied().collect() };
    digits.iter().fold(0, |value, &byte| value << 8 | u64::from(byte))
}

fn words(bytes: &[u8], width: u32, big_endian: bool) -> Vec<u64> {
    bytes.chunks(width as usize / 8).map(|bytes| word(bytes, big_endian)).collect()
}

fn advanced(specification: Specification, state: &[u8], message: &[u8], increment: u64) -> Vec<u8> {
    let (width, big_endian) = (specification.width, specification.big_endian_blocks());
    let mut state = words(state, width, false);
    for block in message.chunks(specification.block_bytes()) {
        state = specification.advance_numbers(&state, &words(block, width, big_endian), &[increment]);
    }
    state.iter().flat_map(|word| word.to_le_bytes()[..width as usize / 8].to_vec()).collect()
}

fn call(built: &Built, count: usize, at: u64, random: &mut Random) -> Call {
    let mut random_bytes = |bytes: usize| -> Vec<u8> { (0..bytes).map(|_| random.next() as u8).collect() };
    let (mut registers, mut memory) = (Vec::new(), Vec::new());
    let (mut states, mut messages, mut increment) = (Vec::new(), Vec::new(), 0);
    let counted = built.kernel.contract.arguments.iter().position(|argument| argument.name == "count").unwrap();
    for (index, argument) in built.kernel.contract.arguments.iter().enumerate() {
        match argument.kind {
            ArgumentKind::Buffer { size, .. } => {
                let place = memory.len();
                let (list, bytes) = match size {
                    Size::Fixed(bytes) => (&mut states, bytes),
                    Size::Affine { per, .. } => (&mut messages, per * count),
                    other => panic!("no size {other:?}"),
                };
                list.push(place..place + bytes);
                memory.extend(random_bytes(bytes.next_multiple_of(16)));
                registers.push(at + place as u64);
            }
            ArgumentKind::Scalar { .. } if index == counted => registers.push(count as u64),
            ArgumentKind::Scalar { max, .. } => {
                increment = word(&random_bytes(4), false) % (max + 1);
                registers.push(increment);
            }
        }
    }
    let mut expected = memory.clone();
    for (state, message) in states.into_iter().zip(messages) {
        let new = advanced(built.specification, &memory[state.clone()], &memory[message], increment);
        expected[state].copy_from_slice(&new);
    }
    Call { registers, memory, expected }
}

fn source(codes: &[&Code], calls: &[(usize, &Call)], bytes: usize) -> String {
    let mut text = ".arch armv8.4-a+crypto+sha3\n.text\n.global _start\n_start:\n".to_owned();
    for (code, call) in calls {
        for (index, value) in call.registers.iter().enumerate() {
            match index {
                0..8 => writeln!(text, "ldr x{index}, ={value:#x}").unwrap(),
                _ => writeln!(text, "ldr x9, ={value:#x}\nstr x9, [sp, #{} - 64]", (index - 8) * 8).unwrap(),
            }
        }
        writeln!(text, "sub sp, sp, #64\nbl code{code}\nadd sp, sp, #64\nb 1f\n.ltorg\n1:").unwrap();
    }
    writeln!(text, "ldr x19, =states\nldr x20, ={bytes}").unwrap();
    text += "4: mov x0, #1\nmov x1, x19\nmov x2, x20\nmov x8, #64\nsvc #0\n";
    text += "add x19, x19, x0\nsubs x20, x20, x0\nb.ne 4b\nmov x0, #0\nmov x8, #93\nsvc #0\n.ltorg\n";
    for (index, code) in codes.iter().enumerate() {
        let bytes: Vec<String> = code.bytes().iter().map(u8::to_string).collect();
        writeln!(text, ".balign 16\ncode{index}: .byte {}", bytes.join(", ")).unwrap();
    }
    text
}

/// The first number of blocks for which a kernel, or what became of it, does not do what the specification says.
pub fn first_wrong(name: &str, kernels: &[Built]) -> Option<(String, usize)> {
    let mut random = Random(2);
    let (mut at, mut calls) = (STATES, Vec::new());
    for (index, built) in kernels.iter().enumerate() {
        for count in COUNTS {
            let call = call(built, count, at, &mut random);
            at += call.memory.len() as u64;
            calls.push((index, count, call));
        }
    }
    let memory: Vec<u8> = calls.iter().flat_map(|(_, _, call)| call.memory.clone()).collect();
    let codes: Vec<&Code> = kernels.iter().map(|built| &built.code).collect();
    let listed: Vec<(usize, &Call)> = calls.iter().map(|(index, _, call)| (*index, call)).collect();
    let text = source(&codes, &listed, memory.len());
    let found = run(name, "aarch64-linux-gnu-gcc", &[], "qemu-aarch64", &text, &memory);
    let mut rest = &found[..];
    for (index, count, call) in &calls {
        let (here, behind) = rest.split_at(call.expected.len());
        if here != call.expected {
            return Some((kernels[*index].name(), *count));
        }
        rest = behind;
    }
    None
}

#[test]
fn kernels_do_under_qemu_what_is_proved_of_them() {
    let kernels: Vec<Built> =
        kernels().into_iter().filter(|built| built.kernel.architecture == Architecture::Aarch64).collect();
    assert_eq!(first_wrong("kernels-a64", &kernels), None);
    // One constant with a wrong bit must be seen.
    let mut wrong = kernels[0].clone();
    wrong.code = wrong.code.with_bit_changed(wrong.code.literals()[0].start * 8);
    assert_eq!(first_wrong("wrong-a64", &[wrong]), Some((kernels[0].name(), 1)));
}
