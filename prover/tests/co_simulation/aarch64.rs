//! Every class of A64 instructions that the prover decodes, on random operands and states, against QEMU.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use vambrace_prover::a64::decode::{TABLE, decode};
use vambrace_prover::a64::instruction::{Condition, Instruction, Mode};
use vambrace_prover::a64::{Flags, State};
use vambrace_prover::code::Code;
use vambrace_prover::linking::Links;
use vambrace_prover::machine::{Flow, Machine};
use vambrace_prover::terms::{Assignment, Term, Terms};

use super::guest::{Random, STATES, run};
use super::model::{Case, Given, MIDDLE, Model, POOL, POOL_BYTES, SCRATCH_BYTES, held, memory, place};

/// Cases of each class.
const CASES: usize = 60;
/// The register that holds the address of a case's state; no case uses it.
const RESERVED: u32 = 28;

// The layout of a state, in bytes.
const SP: usize = 248;
const VECTORS: usize = 256;
const FLAGS: usize = VECTORS + 512;
const CODE: usize = FLAGS + 8;
const FORWARD: usize = CODE + 8;
const BACKWARD: usize = FORWARD + 8;
const SCRATCH: usize = BACKWARD + 8;
const STATE_BYTES: usize = SCRATCH + SCRATCH_BYTES;

/// A value of a register: often one at which carries and signs change.
fn register_value(random: &mut Random) -> u64 {
    const EDGES: [u64; 8] = [0, 1, u64::MAX, 1 << 63, (1 << 63) - 1, 1 << 31, (1 << 32) - 1, (1 << 31) - 1];
    match random.below(4) {
        0 => EDGES[random.below(8) as usize],
        _ => random.next(),
    }
}

/// The base register of an access, and how far from it the access is.
fn access(instruction: Instruction) -> Option<(u32, i64)> {
    let at = |mode, offset| if mode == Mode::After { 0 } else { offset };
    match instruction {
        Instruction::LoadStore { mode, rn, offset, .. } | Instruction::Pair { mode, rn, offset, .. } => {
            Some((rn, at(mode, offset)))
        }
        Instruction::Multiple { rn, .. }
        | Instruction::LoadStoreIndexed { rn, .. }
        | Instruction::MultipleTwo { rn, .. }
        | Instruction::Replicate { rn, .. } => Some((rn, 0)),
        _ => None,
    }
}

/// The word with an offset to a place that there is.
fn aimed(word: u32, instruction: Instruction, random: &mut Random) -> u32 {
    let way = if random.below(2) == 0 { 2u32 } else { 2u32.wrapping_neg() };
    let field = |low: u32, bits: u32, value: u32| {
        let mask = ((1 << bits) - 1) << low;
        word & !mask | value << low & mask
    };
    match instruction {
        Instruction::Branch { .. } | Instruction::Call { .. } => field(0, 26, way),
        Instruction::BranchIf { .. } | Instruction::BranchZero { .. } => field(5, 19, way),
        Instruction::BranchBit { .. } => field(5, 14, way),
        Instruction::Literal { moved, .. } => {
            let places = (POOL_BYTES as u32 - moved.bytes()) / 4 + 1;
            field(5, 19, POOL as u32 / 4 + random.below(places.into()) as u32)
        }
        _ => word,
    }
}

fn case(class: &'static str, mut word: u32, random: &mut Random) -> Option<Case> {
    let (mut instruction, row) = decode(word)?;
    if row.class != class {
        return None;
    }
    word = aimed(word, instruction, random);
    (instruction, _) = decode(word)?;
    // A push that leaves the stack pointer unaligned is refused.
    if let Instruction::LoadStore { load: false, mode: Mode::Before, rn: 31, offset, .. }
    | Instruction::Pair { load: false, mode: Mode::Before, rn: 31, offset, .. } = instruction
        && offset % 16 != 0
    {
        return None;
    }
    // Fields that may be registers, whatever they are in this class.
    if [0, 5, 10, 16].iter().any(|&low| word >> low & 31 == RESERVED) {
        return None;
    }
    // A push to where SP is not aligned: the prover refuses it at once, a processor the next access.
    if let Instruction::LoadStore { mode: Mode::Before, rn: 31, offset, .. }
    | Instruction::Pair { mode: Mode::Before, rn: 31, offset, .. } = instruction
        && offset % 16 != 0
    {
        return None;
    }
    let mut state = vec![0; STATE_BYTES];
    for at in (0..FLAGS).step_by(8).chain((SCRATCH..STATE_BYTES).step_by(8)) {
        state[at..at + 8].copy_from_slice(&register_value(random).to_le_bytes());
    }
    state[FLAGS..FLAGS + 8].copy_from_slice(&(random.below(16) << 28).to_le_bytes());
    let mut pool = [0; POOL_BYTES];
    pool.chunks_mut(8).for_each(|chunk| chunk.copy_from_slice(&random.next().to_le_bytes()));
    let index = match instruction {
        Instruction::LoadStoreIndexed { rn, rm, .. } if rn == rm => return None,
        Instruction::LoadStoreIndexed { rm, .. } if rm != 31 => Some((rm, random.below(16))),
        _ => None,
    };
    let base = access(instruction).map(|(rn, distance)| {
        let mut at = MIDDLE - distance + random.below(64) as i64 - 32;
        if rn == 31 {
            at &= !15;
        }
        (rn, at)
    });
    let target = match instruction {
        Instruction::Return { rn: 31 } => return None,
        Instruction::Return { rn } => Some(rn),
        _ => None,
    };
    let uses_flags =
        matches!(instruction, Instruction::AddCarry { .. } | Instruction::BranchIf { .. } | Instruction::Select { .. });
    // ADDS, SUBS, ANDS of two registers that are not reserved.
    let sets = [0xab00_0000, 0xeb00_0000, 0x6b00_0000, 0x2b00_0000, 0xea00_0000];
    let before = (uses_flags && random.below(4) > 0).then(|| {
        let [n, m] = [random.below(28) as u32, random.below(28) as u32];
        let choices = if matches!(instruction, Instruction::AddCarry { .. }) { 1 } else { sets.len() };
        let set = match instruction {
            Instruction::AddCarry { width: 32, .. } => 0x2b00_0000,
            _ => sets[random.below(choices as u64) as usize],
        };
        set | m << 16 | n << 5 | 31
    });
    Some(Case { class, before, word, state, pool, base, target, target_in_memory: None, index, thumb: None })
}

fn cases() -> Vec<Case> {
    let mut random = Random(1);
    let mut cases = Vec::new();
    for row in TABLE {
        let (mut found, mut tried) = (0, 0);
        while found < CASES {
            tried += 1;
            assert!(tried < 100_000, "only {found} words of {} were found", row.class);
            let word = row.word(random.next() as u32);
            if let Some(case) = case(row.class, word, &mut random) {
                cases.push(case);
                found += 1;
            }
        }
    }
    cases
}

/// Bytes between the beginnings of two cases' code, and from there to the word.
const STRIDE: u64 = 512;

fn source(cases: &[Case]) -> String {
    let mut text = String::new();
    let mut line = |line: String| writeln!(text, "{line}").unwrap();
    line(".arch armv8.4-a+crypto+sha3\n.text\n.global _start\n_start: b first".to_owned());
    line(".macro load index".to_owned());
    line(format!("ldr x28, =states + {STATE_BYTES} * \\index"));
    line(format!("adr x0, 1f\nstr x0, [x28, #{CODE}]\nldr x0, [x28, #{FLAGS}]\nmsr nzcv, x0"));
    line(format!("ldr x0, [x28, #{SP}]\nmov sp, x0"));
    for n in (0..32).step_by(2) {
        line(format!("ldp q{n}, q{}, [x28, #{}]", n + 1, VECTORS + 16 * n));
    }
    for n in (0..28).step_by(2) {
        line(format!("ldp x{n}, x{}, [x28, #{}]", n + 1, 8 * n));
    }
    line("ldp x29, x30, [x28, #232]\n.endm".to_owned());
    line(".macro save\n2:".to_owned());
    for n in (0..28).step_by(2) {
        line(format!("stp x{n}, x{}, [x28, #{}]", n + 1, 8 * n));
    }
    line(format!("stp x29, x30, [x28, #232]\nmov x0, sp\nstr x0, [x28, #{SP}]\nmrs x0, nzcv\nstr x0, [x28, #{FLAGS}]"));
    for n in (0..32).step_by(2) {
        line(format!("stp q{n}, q{}, [x28, #{}]", n + 1, VECTORS + 16 * n));
    }
    line(".endm\nfirst:".to_owned());
    for (index, case) in cases.iter().enumerate() {
        line(format!("load {index}"));
        line(format!(".inst {:#x}", case.before.unwrap_or(0xd503_201f)));
        line("b 1f".to_owned());
        line(format!("str x28, [x28, #{BACKWARD}]\nb 2f"));
        line(format!("1: .inst {:#x}\nb 2f", case.word));
        line(format!("str x28, [x28, #{FORWARD}]\nb 2f"));
        let bytes: Vec<String> = case.pool.iter().map(u8::to_string).collect();
        line(format!(".byte {}", bytes.join(", ")));
        line("save".to_owned());
        // Literals of the loads of addresses.
        line(format!("b 3f\n.ltorg\n.balign {STRIDE}\n3:"));
    }
    let bytes = cases.len() * STATE_BYTES;
    line("ldr x19, =states".to_owned());
    line(format!("ldr x20, ={bytes}"));
    line("4: mov x0, #1\nmov x1, x19\nmov x2, x20\nmov x8, #64\nsvc #0".to_owned());
    line("add x19, x19, x0\nsubs x20, x20, x0\nb.ne 4b".to_owned());
    line("mov x0, #0\nmov x8, #93\nsvc #0\n.ltorg".to_owned());
    text
}

fn quad(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

impl Model<State> {
    fn new(case: &Case, index: usize, position: u64, given: Given) -> Self {
        let mut terms = Terms::new(Default::default());
        let mut values = Assignment::default();
        let scratch_address = STATES + (index * STATE_BYTES + SCRATCH) as u64;
        let (scratch_leaf, scratch_base) = place(&mut terms, &mut values, "scratch", 64, scratch_address);
        let (code_base, code_term) = place(&mut terms, &mut values, "code", 64, position);
        let mut x: [Term; 31] =
            std::array::from_fn(|n| held(&mut terms, &mut values, given, 64, quad(&case.state, 8 * n)));
        let v = std::array::from_fn(|n| {
            let halves =
                [0, 8].map(|half| held(&mut terms, &mut values, given, 64, quad(&case.state, VECTORS + 16 * n + half)));
            terms.concat(&[(halves[0], 64), (halves[1], 64)])
        });
        let mut sp = held(&mut terms, &mut values, given, 64, quad(&case.state, SP));
        let mut stack_base = scratch_leaf;
        if let Some((rn, at)) = case.base {
            let address = terms.add_constant(scratch_base, at.into(), 64);
            if rn == 31 { sp = address } else { x[rn as usize] = address }
        }
        // Where memory is accessed SP must be known, whatever the base is.
        let literal = matches!(decode(case.word), Some((Instruction::Literal { .. }, _)));
        if literal || case.base.is_some_and(|(rn, _)| rn != 31) {
            (stack_base, sp) = place(&mut terms, &mut values, "stack", 64, quad(&case.state, SP));
        }
        let return_address = terms.add_constant(code_term, 8, 64);
        if let Some(target) = case.target {
            x[target as usize] = return_address;
        }
        if let Some((register, value)) = case.index {
            x[register as usize] = terms.constant(value.into());
        }
        let (memory, scratch, code) = memory(&mut terms, case, [scratch_leaf, code_base], 8, |terms, at| {
            held(terms, &mut values, given, 64, quad(&case.state, SCRATCH + at))
        });
        // ADRP counts from the page.
        let code = Arc::new(Code::clone(&code).at(position));
        let flags = quad(&case.state, FLAGS);
        let flags = Flags::Known([31, 30, 29, 28].map(|bit| flags >> bit & 1 == 1));
        let state = State {
            code,
            links: Links::default(),
            code_base,
            x,
            sp,
            v,
            flags,
            memory,
            return_address,
            stack_base,
            count: None,
            position: 0,
        };
        Model { terms, values, state, scratch }
    }

    /// Executes the case. `None` if the model does not tell what happens for operands that are not numbers.
    fn execute(&mut self, case: &Case, given: Given) -> Option<Flow> {
        if let Some(before) = case.before {
            let code =
                std::mem::replace(&mut self.state.code, Arc::new(Code::new(before.to_le_bytes().to_vec(), vec![])));
            self.state.step(&mut self.terms).unwrap();
            (self.state.code, self.state.position) = (code, 0);
        }
        match self.state.step(&mut self.terms) {
            // A look-up by variables may have more products than a proof allows.
            Ok(_) if self.terms.budget().exhausted().is_some() && given == Given::Variables => None,
            Ok(flow) => Some(flow),
            Err(_) if given == Given::Variables => None,
            Err(stop) => panic!("{} {:#010x}: {stop:?}", case.class, case.word),
        }
    }

    fn compare(&mut self, case: &Case, flow: Flow, found: &[u8]) {
        let what =
            format!("{} {:#010x} ({:?}), {:?}", case.class, case.word, decode(case.word).unwrap().0, case.before);
        let way = [FORWARD, BACKWARD].map(|at| quad(found, at) != 0);
        self.compare_way_and_memory(case, flow, way, &found[SCRATCH..], &what);
        for n in (0..31).filter(|&n| n as u32 != RESERVED) {
            let value = self.value(self.state.x[n]);
            assert_eq!(value, quad(found, 8 * n).into(), "x{n} after {what}");
        }
        let sp = self.value(self.state.sp);
        assert_eq!(sp, quad(found, SP).into(), "sp after {what}");
        for n in 0..32 {
            let value = self.value(self.state.v[n]);
            let at = VECTORS + 16 * n;
            assert_eq!(value, u128::from_le_bytes(found[at..at + 16].try_into().unwrap()), "v{n} after {what}");
        }
    }

    /// Flags are compared where they are numbers.
    fn compare_flags(&mut self, case: &Case, found: &[u8]) {
        let found = quad(found, FLAGS);
        for (condition, bit) in [(4, 31), (0, 30), (2, 29), (6, 28)] {
            let probe = self.state.clone();
            let holds = probe.condition_holds(&mut self.terms, Condition(condition)).unwrap();
            assert_eq!(holds, found >> bit & 1 == 1, "flag {bit} after {} {:#010x}", case.class, case.word);
        }
    }
}

#[test]
fn every_class_does_what_qemu_does() {
    let mut cases = cases();
    let first = {
        // Where the first word is: found out by the guest, and the same for all at a distance of `STRIDE`.
        let states: Vec<u8> = cases.iter().flat_map(|case| case.state.clone()).collect();
        let probe = &cases[..1];
        let found =
            run("a64-probe", "aarch64-linux-gnu-gcc", &[], "qemu-aarch64", &source(probe), &states[..STATE_BYTES]);
        quad(&found, CODE)
    };
    let positions: Vec<u64> = (0..cases.len() as u64)
        .map(|index| if index == 0 { first } else { (first / STRIDE + index) * STRIDE + WORD_OFFSET })
        .collect();
    for (index, case) in cases.iter_mut().enumerate() {
        let mut put = |register: u32, value: u64| {
            let at = if register == 31 { SP } else { 8 * register as usize };
            case.state[at..at + 8].copy_from_slice(&value.to_le_bytes());
        };
        if let Some((rn, at)) = case.base {
            put(rn, (STATES as i64 + (index * STATE_BYTES + SCRATCH) as i64 + at) as u64);
        }
        if let Some(target) = case.target {
            put(target, positions[index] + 8);
        }
        if let Some((register, value)) = case.index {
            put(register, value);
        }
    }
    let states: Vec<u8> = cases.iter().flat_map(|case| case.state.clone()).collect();
    let found = run("a64", "aarch64-linux-gnu-gcc", &[], "qemu-aarch64", &source(&cases), &states);
    let mut with_variables: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, (case, found)) in cases.iter().zip(found.chunks(STATE_BYTES)).enumerate() {
        assert_eq!(quad(found, CODE), positions[index], "the word of case {index} is elsewhere");
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
    println!("{} cases of {} classes", cases.len(), TABLE.len());
    // What cannot be told of variables: conditions, quotients, products; and large look-ups.
    for row in TABLE {
        let only_numbers = ["B.cond", "CBZ, CBNZ", "TBZ, TBNZ", "CSEL", "UDIV", "MADD, MSUB", "TBL"];
        let some = with_variables.get(row.class).is_some_and(|&cases| cases > CASES / 8);
        assert!(some || only_numbers.contains(&row.class), "{} was not tried on variables", row.class);
    }
}

/// From the beginning of a case's code to its word: what the macro `load` and the words before have.
const WORD_OFFSET: u64 = 4 * (1 + 4 + 2 + 16 + 14 + 1 + 1 + 1 + 2);
