//! Kernels under QEMU, called as their contracts say, against the specification on numbers.

use std::fmt::Write;

use std::ops::Range;

use vambrace::kernels::{Access, Architecture, Argument, ArgumentKind, Overlap, Size};
use vambrace_prover::arguments::Choice;
use vambrace_prover::code::Code;
use vambrace_prover::keys::{Form, KEY_BYTES};
use vambrace_prover::specification::{Field, Given, Specification, Step};
use vambrace_prover::without_count::WithoutCount;

use super::built::{Built, Computes, kernels};
use super::guest::{Random, STATES, run};

/// Numbers of blocks that are tried: what the proofs see as base, step and end, and more than any of them looks ahead.
fn counts(specification: Specification) -> Vec<usize> {
    let most = specification.blocks_with_names();
    let mut counts = vec![0, 1, 2, 3, 7, 8, most - 1, most];
    counts.dedup();
    counts
}

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

/// The fields of a state in memory.
fn fields(specification: Specification, bytes: &[u8]) -> Vec<u64> {
    let mut at = 0;
    let mut field = |Field { bits, .. }: &Field| {
        at += *bits as usize / 8;
        word(&bytes[at - *bits as usize / 8..at], false)
    };
    specification.state().iter().map(&mut field).collect()
}

/// Writes what becomes of a state and of its blocks.
fn expect(
    specification: Specification,
    memory: &[u8],
    [state_at, message]: [Range<usize>; 2],
    given: &Given<u64>,
) -> [Vec<u8>; 2] {
    let (width, big_endian) = (specification.width, specification.big_endian_blocks());
    let (mut state, mut output) = (fields(specification, &memory[state_at]), Vec::new());
    for block in memory[message].chunks(specification.block_bytes()) {
        let Step { state: next, block } =
            specification.step_on_numbers(&state, &words(block, width, big_endian), given);
        state = next;
        output.extend(block.iter().flat_map(|word| word.to_le_bytes()[..width as usize / 8].to_vec()));
    }
    let fields = specification.state();
    let state =
        fields.iter().zip(state).flat_map(|(field, value)| value.to_le_bytes()[..field.bits as usize / 8].to_vec());
    [state.collect(), output]
}

/// Where the arguments of a call are.
#[derive(Default)]
struct Places {
    states: Vec<Range<usize>>,
    messages: Vec<Range<usize>>,
    outputs: Vec<Range<usize>>,
    keys: Option<Range<usize>>,
    scalars: Vec<u64>,
}

/// A call of a kernel without a count.
fn call_once(built: &Built, function: WithoutCount, rounds: u64, in_place: bool, at: u64, random: &mut Random) -> Call {
    let (mut registers, mut memory) = (Vec::new(), Vec::new());
    let arguments = built.kernel.contract.arguments;
    let (mut inputs, mut output) = (Vec::new(), 0);
    for (index, argument) in arguments.iter().enumerate() {
        let ArgumentKind::Buffer { access, overlap, .. } = argument.kind else {
            registers.push(rounds);
            continue;
        };
        if access == Access::Write && in_place && overlap != Overlap::Disjoint {
            // What was read last.
            let input = *registers.last().unwrap();
            output = (input - at) as usize;
            registers.push(input);
            continue;
        }
        let bytes = built.kernel.buffer_size(index, &vec![rounds; arguments.len()]).unwrap();
        registers.push(at + memory.len() as u64);
        if access == Access::Read {
            let words: Vec<u64> = (0..function.words(inputs.len(), bytes, rounds)).map(|_| random.next()).collect();
            memory.extend(function.in_memory_on_numbers(inputs.len(), &words));
            inputs.push(words);
        } else {
            output = memory.len();
            memory.extend((0..bytes).map(|_| random.next() as u8));
        }
        memory.resize(memory.len().next_multiple_of(16), 0);
    }
    let mut expected = memory.clone();
    let result = function.result_on_numbers(&inputs, rounds as usize);
    expected[output..output + result.len()].copy_from_slice(&result);
    Call { registers, memory, expected }
}

/// A call with so many blocks, in which other numbers have these values.
fn call(
    built: &Built,
    specification: Specification,
    count: usize,
    choice: Choice,
    at: u64,
    random: &mut Random,
) -> Call {
    let mut random_bytes = |bytes: usize| -> Vec<u8> { (0..bytes).map(|_| random.next() as u8).collect() };
    let (mut registers, mut memory, mut places) = (Vec::new(), Vec::new(), Places::default());
    let arguments = built.kernel.contract.arguments;
    let value = |argument: &Argument| match argument.name {
        "count" => Some(count),
        "rounds" => choice.rounds.map(|rounds| rounds as usize),
        _ => None,
    };
    for (index, argument) in arguments.iter().enumerate() {
        match argument.kind {
            ArgumentKind::Buffer { size, access, .. } => {
                let bytes = match size {
                    Size::LayoutEach { .. } => {
                        let scalars = vec![choice.rounds.unwrap().into(); arguments.len()];
                        built.kernel.buffer_size(index, &scalars).unwrap()
                    }
                    Size::Fixed(bytes) => bytes,
                    Size::Affine { per, argument, .. } => per * value(&arguments[argument]).unwrap(),
                    other => panic!("no size {other:?}"),
                };
                if access == Access::Write && choice.in_place {
                    let input = places.messages[0].clone();
                    registers.push(at + input.start as u64);
                    places.outputs.push(input);
                    continue;
                }
                let place = memory.len()..memory.len() + bytes;
                registers.push(at + place.start as u64);
                memory.extend(random_bytes(bytes.next_multiple_of(16)));
                match (size, access) {
                    (_, Access::ReadWrite) => places.states.push(place),
                    (_, Access::Write) => places.outputs.push(place),
                    (Size::Affine { argument, .. }, _) if arguments[argument].name == "count" => {
                        places.messages.push(place);
                    }
                    _ => places.keys = Some(place),
                }
            }
            ArgumentKind::Scalar { max, .. } => {
                let number = value(argument).map_or_else(
                    || {
                        places.scalars.push(word(&random_bytes(4), false) % (max + 1));
                        places.scalars[0]
                    },
                    |value| value as u64,
                );
                registers.push(number);
            }
        }
    }
    let specification = specification.with_rounds(choice.rounds.unwrap_or(0));
    let place = places.keys.unwrap_or(0..0);
    let mut keys = memory[place.clone()].to_vec();
    if specification.arranges_keys() {
        let rounds = choice.rounds.unwrap() as usize;
        keys = random_bytes((rounds + 1) * KEY_BYTES as usize);
        let schedule = [words(&keys, 64, false)];
        let arranged = WithoutCount::Convert(Form::of(built.kernel)).result_on_numbers(&schedule, rounds);
        memory[place].copy_from_slice(&arranged);
    }
    let keys = words(&keys, specification.width, false);
    let given = Given { keys, scalars: places.scalars };
    let mut expected = memory.clone();
    let mut outputs = places.outputs.into_iter();
    for (state, message) in places.states.into_iter().zip(places.messages) {
        let [new, written] = expect(specification, &memory, [state.clone(), message], &given);
        expected[state].copy_from_slice(&new);
        if let Some(output) = outputs.next() {
            expected[output].copy_from_slice(&written);
        }
    }
    Call { registers, memory, expected }
}

/// How an architecture is called, written to and left.
struct Calls {
    compiler: &'static str,
    options: &'static [&'static str],
    qemu: &'static str,
    head: &'static str,
    /// The letter of registers, how many hold arguments, and the bytes of one on the stack.
    registers: (char, usize, usize),
    write_and_exit: &'static str,
}

fn calls_of(architecture: Architecture) -> Calls {
    match architecture {
        Architecture::Aarch64 => Calls {
            compiler: "aarch64-linux-gnu-gcc",
            options: &[],
            qemu: "qemu-aarch64",
            head: ".arch armv8.4-a+crypto+sha3\n",
            registers: ('x', 8, 8),
            write_and_exit: "4: mov x0, #1\nmov x1, x9\nmov x2, x10\nmov x8, #64\nsvc #0\nadd x9, x9, x0\n\
                subs x10, x10, x0\nb.ne 4b\nmov x0, #0\nmov x8, #93\nsvc #0\n.ltorg\n",
        },
        Architecture::Arm => Calls {
            compiler: "arm-linux-gnueabihf-gcc",
            options: &["-marm"],
            qemu: "qemu-arm",
            head: ".syntax unified\n.arch armv8-a\n.fpu crypto-neon-fp-armv8\n.arm\n",
            registers: ('r', 4, 4),
            write_and_exit: "4: mov r0, #1\nmov r1, r9\nmov r2, r10\nmov r7, #4\nsvc #0\nadd r9, r9, r0\n\
                subs r10, r10, r0\nbne 4b\nmov r0, #0\nmov r7, #1\nsvc #0\n.ltorg\n",
        },
    }
}

fn source(how: &Calls, codes: &[&Code], calls: &[(usize, &Call)], bytes: usize) -> String {
    let mut text = format!("{}.text\n.global _start\n_start:\n", how.head);
    let (letter, in_registers, slot) = how.registers;
    for (code, call) in calls {
        writeln!(text, "sub sp, sp, #64").unwrap();
        for (index, value) in call.registers.iter().enumerate().rev() {
            match index.checked_sub(in_registers) {
                None => writeln!(text, "ldr {letter}{index}, ={value:#x}").unwrap(),
                Some(place) => {
                    writeln!(text, "ldr {letter}0, ={value:#x}\nstr {letter}0, [sp, #{}]", place * slot).unwrap()
                }
            }
        }
        writeln!(text, "bl code{code}\nadd sp, sp, #64\nb 1f\n.ltorg\n1:").unwrap();
    }
    writeln!(text, "ldr {letter}9, =states\nldr {letter}10, ={bytes}\n{}", how.write_and_exit).unwrap();
    for (index, code) in codes.iter().enumerate() {
        let bytes: Vec<String> = code.bytes().iter().map(u8::to_string).collect();
        writeln!(text, ".balign 16\ncode{index}: .byte {}", bytes.join(", ")).unwrap();
    }
    text
}

/// The calls of a kernel, by numbers of blocks.
fn calls_of_kernel(built: &Built, at: &mut u64, random: &mut Random) -> Vec<(usize, Call)> {
    let mut calls = Vec::new();
    let mut add = |at: &mut u64, count: usize, call: Call| {
        *at += call.memory.len() as u64;
        calls.push((count, call));
    };
    match built.computes {
        Computes::Blocks(specification) => {
            let choices = Choice::all(built.kernel.contract.arguments, specification);
            for (turn, count) in counts(specification).into_iter().enumerate() {
                // The choices take turns, the last one first.
                let choice = choices[choices.len() - 1 - turn % choices.len()];
                let call = call(built, specification, count, choice, *at, random);
                add(at, count, call);
            }
        }
        Computes::WithoutCount(function) => {
            for (turn, rounds) in function.rounds(built.kernel).into_iter().enumerate() {
                // Where that may be, every second call is in place.
                let in_place = turn % 2 == 1;
                let call = call_once(built, function, rounds, in_place, *at, random);
                add(at, 0, call);
            }
        }
    }
    calls
}

/// The first number of blocks for which a kernel, or what became of it, does not do what the specification says.
pub fn first_wrong(name: &str, architecture: Architecture, kernels: &[Built]) -> Option<(String, usize)> {
    let mut random = Random(2);
    let (mut at, mut calls) = (STATES, Vec::new());
    for (index, built) in kernels.iter().enumerate() {
        for (count, call) in calls_of_kernel(built, &mut at, &mut random) {
            calls.push((index, count, call));
        }
    }
    let memory: Vec<u8> = calls.iter().flat_map(|(_, _, call)| call.memory.clone()).collect();
    let codes: Vec<&Code> = kernels.iter().map(|built| &built.code).collect();
    let listed: Vec<(usize, &Call)> = calls.iter().map(|(index, _, call)| (*index, call)).collect();
    let how = calls_of(architecture);
    let text = source(&how, &codes, &listed, memory.len());
    let found = run(name, how.compiler, how.options, how.qemu, &text, &memory);
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
    for architecture in Architecture::ALL {
        let kernels: Vec<Built> =
            kernels().into_iter().filter(|built| built.kernel.architecture == architecture).collect();
        assert_eq!(first_wrong(&format!("kernels-{architecture}"), architecture, &kernels), None);
        // One constant with a wrong bit must be seen.
        let mut wrong = kernels[0].clone();
        let constants = wrong.code.literals().iter().max_by_key(|range| range.len()).unwrap().clone();
        wrong.code = wrong.code.with_bit_changed((constants.start + constants.len() / 2) * 8);
        let seen = first_wrong(&format!("wrong-{architecture}"), architecture, &[wrong]);
        assert_eq!(seen, Some((kernels[0].name(), 1)));
    }
}
