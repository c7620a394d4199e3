//! Every class of A32 instructions that the prover decodes, on random operands and states, against QEMU.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use vambrace_prover::a32::decode::{TABLE, decode};
use vambrace_prover::a32::instruction::{Alu, Instruction, Mode, Operand, Operation, Shift};
use vambrace_prover::a32::{Flags, State};
use vambrace_prover::code::Code;
use vambrace_prover::linking::Links;
use vambrace_prover::machine::{Fault, Flow, Machine, Stop};
use vambrace_prover::t32;
use vambrace_prover::terms::{Assignment, Term, Terms};

use super::guest::{Random, STATES, run};
use super::model::{Case, Given, MIDDLE, Model, POOL_BYTES, SCRATCH_BYTES, held, memory, place};

/// Cases of each class.
pub const CASES: usize = 80;
/// Of the classes that stand for many instructions.
const MANY_CASES: usize = 400;
/// The register that holds the address of a case's state; no case uses it.
pub const RESERVED: u32 = 9;

// The layout of a state, in bytes.
pub const FLAGS: usize = 60;
pub const VECTORS: usize = 64;
pub const CODE: usize = VECTORS + 256;
const FORWARD: usize = CODE + 4;
const BACKWARD: usize = FORWARD + 4;
pub const SCRATCH: usize = 352;
pub const STATE_BYTES: usize = SCRATCH + SCRATCH_BYTES;

/// Whether one of the words that set the flags is ANDS or MOVS.
fn is_logical(word: u32) -> bool {
    matches!(word >> 20, 0xe01 | 0xe1b | 0xea1 | 0xea5)
}

/// What the word of a case does.
fn operation(case: &Case) -> Operation {
    if case.thumb.is_none() {
        return decode(case.word).unwrap().0.operation;
    }
    match t32::decode::decode(case.word).unwrap().0 {
        t32::decode::Decoded::Instruction(instruction) => instruction.operation,
        t32::decode::Decoded::IfThen(_) => Operation::Nop,
    }
}

/// The base register of an access, and how far from it the access is.
pub fn access(operation: Operation) -> Option<(u32, i64)> {
    let at = |mode, offset| if mode == Mode::After { 0 } else { offset };
    match operation {
        Operation::LoadStore { mode, rn, offset, .. }
        | Operation::LoadStoreTwo { mode, rn, offset, .. }
        | Operation::LoadStorePair { mode, rn, offset, .. } => Some((rn, at(mode, offset))),
        Operation::Multiple { rn, start, .. } | Operation::VectorMemory { rn, start, .. } => Some((rn, start)),
        Operation::LoadStoreIndexed { rn, .. } => Some((rn, 0)),
        Operation::Structures { rn, .. } | Operation::LoadLane { rn, .. } | Operation::LoadAll { rn, .. } => {
            Some((rn, 0))
        }
        _ => None,
    }
}

/// Where a return leads, from the word; odd for T32.
pub fn return_offset(case: &Case) -> i64 {
    case.forward() | i64::from(case.thumb.is_some())
}

/// The word with an offset to a place that there is.
fn aimed(word: u32, operation: Operation, random: &mut Random) -> u32 {
    match operation {
        Operation::Branch { .. } => word & 0xff00_0000 | if random.below(2) == 0 { 0 } else { 0x00ff_fffc },
        Operation::LoadStore { rn: 15, .. } => word & 0xffff_f000 | 1 << 23 | (8 + random.below(24) as u32),
        Operation::VectorMemory { rn: 15, .. } => word & 0xffff_ff00 | 1 << 23 | (2 + 2 * random.below(4) as u32),
        _ => word,
    }
}

/// Random registers, flags and memory, and literals.
pub fn state_and_pool(random: &mut Random) -> (Vec<u8>, [u8; POOL_BYTES]) {
    let mut state = vec![0; STATE_BYTES];
    for at in (0..FLAGS).chain(VECTORS..CODE).chain(SCRATCH..STATE_BYTES).step_by(4) {
        let value = match random.below(4) {
            0 => [0, 1, u32::MAX, 1 << 31, (1 << 31) - 1][random.below(5) as usize],
            _ => random.next() as u32,
        };
        state[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
    state[FLAGS..VECTORS].copy_from_slice(&((random.below(16) as u32) << 28).to_le_bytes());
    let mut pool = [0; POOL_BYTES];
    pool.chunks_mut(8).for_each(|chunk| chunk.copy_from_slice(&random.next().to_le_bytes()));
    (state, pool)
}

fn case(class: &'static str, mut word: u32, random: &mut Random) -> Option<Case> {
    if word >> 28 < 14 && random.below(2) == 0 {
        word |= 0xe000_0000;
        word &= 0xefff_ffff;
    }
    let (mut instruction, row) = decode(word)?;
    if row.class != class {
        return None;
    }
    word = aimed(word, instruction.operation, random);
    (instruction, _) = decode(word)?;
    let Instruction { condition, operation } = instruction;
    // Fields that may be registers, whatever they are in this class; and those that are not told by one.
    let listed = match operation {
        Operation::Multiple { list, .. } => list >> RESERVED & 1 == 1,
        Operation::LoadStoreTwo { rt, .. } => rt + 1 == RESERVED,
        _ => false,
    };
    if listed || [0, 8, 12, 16].iter().any(|&low| word >> low & 15 == RESERVED) {
        return None;
    }
    let (state, pool) = state_and_pool(random);
    let base = access(operation).filter(|(rn, _)| *rn != 15).map(|(rn, distance)| {
        // Single words may be anywhere, the others are aligned as any of them may ask for.
        let anywhere = matches!(operation, Operation::LoadStore { .. } | Operation::LoadStoreIndexed { .. });
        let further = random.below(64) as i64 - 32;
        (rn, MIDDLE - distance + if anywhere { further } else { further & !31 })
    });
    let target = match operation {
        Operation::Exchange { rm: 15 } => return None,
        Operation::Exchange { rm } => Some(rm),
        _ => None,
    };
    // The address of a return is what is read last.
    let target_in_memory = match (operation, base) {
        (Operation::Multiple { list, start, .. }, Some((_, at))) if list >> 15 == 1 => {
            Some(at + start + 4 * (i64::from(list.count_ones()) - 1))
        }
        _ => None,
    };
    let index = match operation {
        Operation::LoadStoreIndexed { rn, rm, .. } if rn == rm || rn == 13 || rm == 13 => return None,
        Operation::LoadStoreIndexed { rm, .. } => Some((rm, random.below(64))),
        _ => None,
    };
    let takes_carry = matches!(
        operation,
        Operation::Alu { alu: Alu::AddCarry | Alu::SubCarry, .. }
            | Operation::Alu { operand: Operand::Shifted(_, Shift::Extend), .. }
    );
    let before = ((condition < 14 || takes_carry) && random.below(4) > 0).then(|| {
        // The base and the target stay, and are no numbers.
        let taken = |register| {
            let base_or_index = [base.map(|(rn, _)| rn), index.map(|(rm, _)| rm), target];
            base_or_index.contains(&Some(register))
        };
        let [d, n, m] = std::array::from_fn(|_| random.below(9) as u32).map(|n| if taken(n) { 10 } else { n });
        // ADDS, ADCS, and MOVS with LSR; SUBS and ANDS, whose carry is a question of its own.
        let sets = [0xe090_0000, 0xe0b0_0000, 0xe1b0_02a0, 0xe050_0000, 0xe010_0000];
        let set = sets[random.below(if takes_carry { 3 } else { 5 }) as usize];
        let n = if set == 0xe1b0_02a0 { 0 } else { n };
        set | n << 16 | d << 12 | m
    });
    Some(Case { class, before, word, state, pool, base, target, target_in_memory, index, thumb: None })
}

fn cases() -> Vec<Case> {
    let mut random = Random(5);
    let mut cases = Vec::new();
    for row in TABLE {
        let wanted = if row.class.starts_with("data") { MANY_CASES } else { CASES };
        let (mut found, mut tried) = (0, 0);
        while found < wanted {
            tried += 1;
            assert!(tried < 1_000_000, "only {found} words of {} were found", row.class);
            if let Some(case) = case(row.class, row.word(random.next() as u32), &mut random) {
                cases.push(case);
                found += 1;
            }
        }
    }
    cases
}

const STRIDE: u64 = 512;

pub fn source(cases: &[Case]) -> String {
    let mut text = String::new();
    let mut line = |line: String| writeln!(text, "{line}").unwrap();
    let set = if cases[0].thumb.is_some() { ".thumb\n.thumb_func" } else { ".arm" };
    line(format!(
        ".syntax unified\n.arch armv8-a\n.fpu crypto-neon-fp-armv8\n.text\n.global _start\n{set}\n_start: b first"
    ));
    line(".macro load index".to_owned());
    line(format!("ldr r9, =states + {STATE_BYTES} * \\index\nadr r0, 1f\nstr r0, [r9, #{CODE}]"));
    line(format!("ldr r0, [r9, #{FLAGS}]\nmsr apsr_nzcvq, r0\nadd r0, r9, #{VECTORS}"));
    line("vldmia r0!, {d0-d15}\nvldmia r0, {d16-d31}".to_owned());
    for n in (0..15).filter(|&n| n != RESERVED) {
        line(format!("ldr r{n}, [r9, #{}]", 4 * n));
    }
    line(".endm\n.macro save\n2:".to_owned());
    for n in (0..15).filter(|&n| n != RESERVED) {
        line(format!("str r{n}, [r9, #{}]", 4 * n));
    }
    line(format!("mrs r0, apsr\nstr r0, [r9, #{FLAGS}]\nadd r0, r9, #{VECTORS}"));
    line("vstmia r0!, {d0-d15}\nvstmia r0, {d16-d31}\n.endm\nfirst:".to_owned());
    for (index, case) in cases.iter().enumerate() {
        line(format!("load {index}"));
        let pool: Vec<String> = case.pool.iter().map(u8::to_string).collect();
        let pool = format!(".byte {}", pool.join(", "));
        match &case.thumb {
            None => {
                line(format!(".inst {:#x}\nb 1f", case.before.unwrap_or(0xe320_f000)));
                line(format!("str r9, [r9, #{BACKWARD}]\nb 2f"));
                line(format!("1: .inst {:#x}\nb 2f", case.word));
                line(format!("str r9, [r9, #{FORWARD}]\nb 2f\n{pool}"));
            }
            Some(executed) => {
                line(format!(".balign 4\n.inst.w {:#x}\nb.w 1f", case.before.unwrap_or(0xf3af_8000)));
                line(format!("str.w r9, [r9, #{BACKWARD}]\nb.w 2f"));
                let executed: Vec<String> = executed.iter().map(u8::to_string).collect();
                let rest = (12 - executed.len()) / 2;
                line(format!("1: .byte {}\n.rept {rest}\nnop.n\n.endr\nb.w 2f", executed.join(", ")));
                line(format!("{pool}\nstr.w r9, [r9, #{FORWARD}]\nb.w 2f"));
            }
        }
        line(format!("save\nb 3f\n.ltorg\n.balign {STRIDE}\n3:"));
    }
    line(format!("ldr r4, =states\nldr r5, ={}", cases.len() * STATE_BYTES));
    line("4: mov r0, #1\nmov r1, r4\nmov r2, r5\nmov r7, #4\nsvc #0".to_owned());
    line("add r4, r4, r0\nsubs r5, r5, r0\nbne 4b\nmov r0, #0\nmov r7, #1\nsvc #0\n.ltorg".to_owned());
    text
}

/// The bytes of a T32 instruction: the upper halfword first, if there are two.
pub fn thumb_bytes(word: u32) -> Vec<u8> {
    let halves = if word > 0xffff { vec![(word >> 16) as u16, word as u16] } else { vec![word as u16] };
    halves.into_iter().flat_map(u16::to_le_bytes).collect()
}

pub fn word_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

impl Model<State> {
    fn new(case: &Case, index: usize, position: u64, given: Given) -> Self {
        let mut terms = Terms::new(Default::default());
        let mut values = Assignment::default();
        let scratch_address = STATES + (index * STATE_BYTES + SCRATCH) as u64;
        let (scratch_leaf, scratch_base) = place(&mut terms, &mut values, "scratch", 32, scratch_address);
        let (code_base, code_term) = place(&mut terms, &mut values, "code", 32, position);
        let mut r: [Term; 15] =
            std::array::from_fn(|n| held(&mut terms, &mut values, given, 32, word_at(&case.state, 4 * n).into()));
        let d = std::array::from_fn(|n| {
            let at = VECTORS + 8 * n;
            let value = u64::from_le_bytes(case.state[at..at + 8].try_into().unwrap());
            held(&mut terms, &mut values, given, 64, value)
        });
        let (mut stack_base, stack) = place(&mut terms, &mut values, "stack", 32, word_at(&case.state, 52).into());
        match case.base {
            Some((rn, at)) => {
                r[13] = stack;
                if rn == 13 {
                    stack_base = scratch_leaf;
                }
                r[rn as usize] = terms.add_constant(scratch_base, at.into(), 32);
            }
            None if access(operation(case)).is_some() => r[13] = stack,
            None => {}
        }
        let return_address = terms.add_constant(code_term, return_offset(case).into(), 32);
        if let Some(target) = case.target {
            r[target as usize] = return_address;
        }
        if let Some((register, value)) = case.index {
            r[register as usize] = terms.constant(value.into());
        }
        let (memory, scratch, code) = memory(&mut terms, case, [scratch_leaf, code_base], 4, |terms, at| {
            if case.target_in_memory == Some(at as i64) {
                return return_address;
            }
            held(terms, &mut values, given, 32, word_at(&case.state, SCRATCH + at).into())
        });
        let flags = word_at(&case.state, FLAGS);
        let flags = Flags::Known([31, 30, 29, 28].map(|bit| flags >> bit & 1 == 1));
        let state = State {
            code,
            links: Links::default(),
            code_base,
            r,
            d,
            flags,
            memory,
            return_address,
            length: 4,
            stack_base,
            stack_phase: 0,
            stack_phase_asked: Default::default(),
            count: None,
            position: 0,
        };
        Model { terms, values, state, scratch }
    }

    fn execute(&mut self, case: &Case, given: Given) -> Option<Flow> {
        if let Some(before) = case.before {
            let only = Arc::new(if case.thumb.is_some() {
                Code::new(thumb_bytes(before), vec![]).of_thumb()
            } else {
                Code::new(before.to_le_bytes().to_vec(), vec![])
            });
            let code = std::mem::replace(&mut self.state.code, only);
            self.state.step(&mut self.terms).unwrap();
            (self.state.code, self.state.position) = (code, 0);
        }
        match self.state.step(&mut self.terms) {
            Ok(_) if self.terms.budget().exhausted().is_some() && given == Given::Variables => None,
            Ok(flow) => Some(flow),
            Err(_) if given == Given::Variables => None,
            // What a logical operation leaves of the flags before is not followed.
            Err(Stop::Fault(Fault::UnknownCondition(_))) if case.before.is_some_and(is_logical) => None,
            Err(stop) => panic!("{} {:#010x}: {stop:?}", case.class, case.word),
        }
    }

    fn compare(&mut self, case: &Case, flow: Flow, found: &[u8]) {
        let what = format!("{} {:#010x} ({:?}), {:x?}", case.class, case.word, operation(case), case.before);
        let way = [FORWARD, BACKWARD].map(|at| word_at(found, at) != 0);
        self.compare_way_and_memory(case, flow, way, &found[SCRATCH..], &what);
        for n in (0..15).filter(|&n| n as u32 != RESERVED) {
            let value = self.value(self.state.r[n]);
            assert_eq!(value, word_at(found, 4 * n).into(), "r{n} after {what}");
        }
        for n in 0..32 {
            let (value, at) = (self.value(self.state.d[n]), VECTORS + 8 * n);
            let expected = u64::from_le_bytes(found[at..at + 8].try_into().unwrap());
            assert_eq!(value, expected.into(), "d{n} after {what}");
        }
    }

    /// Flags are compared where they are numbers, and followed: a logical operation leaves some as they were.
    fn compare_flags(&mut self, case: &Case, found: &[u8]) {
        let found = word_at(found, FLAGS);
        // Flags of an address are not known.
        let of_address = matches!(
            operation(case),
            Operation::Alu { rn: 15, .. } | Operation::Alu { operand: Operand::Shifted(15, _), .. }
        );
        for (condition, bit) in [(4, 31), (0, 30), (2, 29), (6, 28)] {
            let followed = self.state.condition_holds(&mut self.terms, condition);
            let may_be_lost =
                of_address || (matches!(self.state.flags, Flags::Logic { .. } | Flags::Equal { .. }) && bit < 30);
            match followed {
                Ok(holds) => {
                    assert_eq!(holds, found >> bit & 1 == 1, "flag {bit} after {} {:#010x}", case.class, case.word)
                }
                Err(stop) => assert!(may_be_lost, "flag {bit} after {} {:#010x}: {stop:?}", case.class, case.word),
            }
        }
    }
}

pub const COMPILER: &str = "arm-linux-gnueabihf-gcc";

/// Puts addresses into the states of the cases whose code is at these positions.
pub fn put_addresses(cases: &mut [Case], positions: &[u64]) {
    for (index, case) in cases.iter_mut().enumerate() {
        let return_offset = return_offset(case);
        let mut put = |register: u32, value: u64| {
            let at = 4 * register as usize;
            case.state[at..at + 4].copy_from_slice(&(value as u32).to_le_bytes());
        };
        if let Some((rn, at)) = case.base {
            put(rn, (STATES as i64 + (index * STATE_BYTES + SCRATCH) as i64 + at) as u64);
        }
        if let Some(target) = case.target {
            put(target, (positions[index] as i64 + return_offset) as u64);
        }
        if let Some((register, value)) = case.index {
            put(register, value);
        }
        if let Some(at) = case.target_in_memory {
            let at = SCRATCH + at as usize;
            case.state[at..at + 4].copy_from_slice(&((positions[index] as i64 + return_offset) as u32).to_le_bytes());
        }
    }
}

/// Runs the cases, and compares with the model. Of each class how many were also tried on variables.
pub fn compare_all<'a>(name: &str, option: &str, cases: &'a [Case], positions: &[u64]) -> BTreeMap<&'a str, usize> {
    let states: Vec<u8> = cases.iter().flat_map(|case| case.state.clone()).collect();
    let found = run(name, COMPILER, &[option], "qemu-arm", &source(cases), &states);
    let mut with_variables: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, (case, found)) in cases.iter().zip(found.chunks(STATE_BYTES)).enumerate() {
        assert_eq!(u64::from(word_at(found, CODE)), positions[index], "the word of case {index} is elsewhere");
        for given in [Given::Numbers, Given::Variables] {
            let mut model = Model::new(case, index, positions[index], given);
            let Some(flow) = model.execute(case, given) else { continue };
            model.compare(case, flow, found);
            match given {
                Given::Numbers => model.compare_flags(case, found),
                Given::Variables => *with_variables.entry(case.class).or_default() += 1,
            }
        }
    }
    with_variables
}

#[test]
fn every_class_does_what_qemu_does() {
    let mut cases = cases();
    // Where the first word is, the guest finds out; it is the same for all at a distance of `STRIDE`.
    let probed = run("a32-probe", COMPILER, &["-marm"], "qemu-arm", &source(&cases[..1]), &cases[0].state);
    let first = u64::from(word_at(&probed, CODE));
    let in_stride = first % STRIDE - 4;
    let positions: Vec<u64> = (0..cases.len() as u64)
        .map(|index| if index == 0 { first } else { (first / STRIDE + index) * STRIDE + in_stride })
        .collect();
    put_addresses(&mut cases, &positions);
    let with_variables = compare_all("a32", "-marm", &cases, &positions);
    println!("{} cases of {} classes", cases.len(), TABLE.len());
    for row in TABLE {
        let some = with_variables.get(row.class).is_some_and(|&cases| cases > CASES / 8);
        assert!(some || row.class == "VTBL", "{} was not tried on variables", row.class);
    }
}
