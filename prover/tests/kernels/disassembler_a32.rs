//! Every word of every A32 kernel, as another disassembler reads it.

use capstone::prelude::*;
use vambrace::kernels::Architecture;
use vambrace_prover::a32::decode::decode;
use vambrace_prover::a32::instruction::{
    After, Alu, Exchange, Instruction, Mode, Operand, Operation, Sha256, Shift, Three,
};
use vambrace_prover::vectors::{Lanes, VectorLogic, VectorShift};

use super::built::kernels;
use super::disassembler::in_decimal;

const REGISTERS: [&str; 16] =
    ["r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "sb", "sl", "fp", "ip", "sp", "lr", "pc"];
const CONDITIONS: [&str; 15] = ["eq", "ne", "hs", "lo", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", ""];

fn r(n: u32) -> &'static str {
    REGISTERS[n as usize]
}

fn v(n: u32, quad: bool) -> String {
    if quad { format!("q{}", n / 2) } else { format!("d{n}") }
}

/// A list of registers in braces.
fn list(names: impl IntoIterator<Item = String>) -> String {
    format!("{{{}}}", names.into_iter().collect::<Vec<_>>().join(", "))
}

fn doublewords(d: u32, count: u32) -> String {
    list((d..d + count).map(|n| format!("d{n}")))
}

fn shifted(register: u32, shift: Shift) -> String {
    let register = r(register);
    match shift {
        Shift::Left(0) => register.to_owned(),
        Shift::Left(n) => format!("{register}, lsl #{n}"),
        Shift::Right(n) => format!("{register}, lsr #{n}"),
        Shift::Arithmetic(n) => format!("{register}, asr #{n}"),
        Shift::Rotate(n) => format!("{register}, ror #{n}"),
        Shift::Extend => format!("{register}, rrx"),
    }
}

fn place(mode: Mode, rn: u32, offset: i64) -> String {
    let rn = r(rn);
    match (mode, offset) {
        (Mode::Offset, 0) => format!("[{rn}]"),
        (Mode::Offset, n) => format!("[{rn}, #{n}]"),
        (Mode::Before, n) => format!("[{rn}, #{n}]!"),
        (Mode::After, n) => format!("[{rn}], #{n}"),
    }
}

fn behind(rn: u32, after: After) -> String {
    let rn = r(rn);
    match after {
        After::Same => format!("[{rn}]"),
        After::Behind => format!("[{rn}]!"),
        After::By(rm) => format!("[{rn}], {}", r(rm)),
    }
}

/// The ways to write an instruction; nothing for forms that no kernel has.
fn spellings(Instruction { condition, operation }: Instruction, address: u64) -> Vec<String> {
    let condition = CONDITIONS[condition as usize];
    match operation {
        Operation::Alu { alu, flags, rd, rn, operand } => {
            vec![data_processing(condition, alu, flags, [rd, rn], operand)]
        }
        Operation::LoadStore { .. }
        | Operation::LoadStoreIndexed { .. }
        | Operation::LoadStoreTwo { .. }
        | Operation::Multiple { .. } => vec![memory(condition, operation)],
        Operation::VectorMemory { .. } => vector_memory(condition, operation),
        _ => integer(condition, operation, address).map_or_else(|| vector(operation), |text| vec![text]),
    }
}

fn integer(condition: &str, operation: Operation, address: u64) -> Option<String> {
    Some(match operation {
        Operation::Nop => format!("nop{condition} "),
        Operation::Branch { offset } => format!("b{condition} #{}", address as i64 + offset),
        Operation::Exchange { rm } => format!("bx{condition} {}", r(rm)),
        Operation::MoveWide { top, rd, immediate } => {
            format!("mov{}{condition} {}, #{immediate}", if top { "t" } else { "w" }, r(rd))
        }
        Operation::Reverse { rd, rm } => format!("rev{condition} {}, {}", r(rd), r(rm)),
        Operation::PackHalves { top: false, rd, rn, rm, by } => {
            format!("pkhbt{condition} {}, {}, {}", r(rd), r(rn), shifted(rm, Shift::Left(by)))
        }
        Operation::InsertBits { rd, rn, low, width } => {
            format!("bfi{condition} {}, {}, #{low}, #{width}", r(rd), r(rn))
        }
        Operation::MoveLane { rt, d, index } => format!("vmov{condition}.32 {}, d{d}[{index}]", r(rt)),
        Operation::Two { d, low, high, to_vector: true } => format!("vmov{condition} d{d}, {}, {}", r(low), r(high)),
        Operation::Two { d, low, high, to_vector: false } => format!("vmov{condition} {}, {}, d{d}", r(low), r(high)),
        Operation::DuplicateGeneral { quad, element, d, rt } => {
            format!("vdup{condition}.{element} {}, {}", v(d, quad), r(rt))
        }
        _ => return None,
    })
}

fn data_processing(condition: &str, alu: Alu, flags: bool, [rd, rn]: [u32; 2], operand: Operand) -> String {
    let name = match alu {
        Alu::And => "and",
        Alu::Xor => "eor",
        Alu::Sub => "sub",
        Alu::ReverseSub => "rsb",
        Alu::Add => "add",
        Alu::AddCarry => "adc",
        Alu::SubCarry => "sbc",
        Alu::Test => "tst",
        Alu::TestEqual => "teq",
        Alu::Compare => "cmp",
        Alu::CompareNegative => "cmn",
        Alu::Or => "orr",
        Alu::OrNot => "orn",
        Alu::Move => "mov",
        Alu::AndNot => "bic",
        Alu::MoveNot => "mvn",
    };
    let compares = matches!(alu, Alu::Test | Alu::Compare | Alu::CompareNegative);
    let s = if flags && !compares { "s" } else { "" };
    if let (Alu::Move, Operand::Shifted(rm, by)) = (alu, operand)
        && by != Shift::Left(0)
    {
        // The shifts have names of their own.
        let text = shifted(rm, by);
        let (register, by) = text.split_once(", ").unwrap();
        let (name, amount) = by.split_once(' ').unwrap_or((by, ""));
        let amount = if amount.is_empty() { String::new() } else { format!(", {amount}") };
        return format!("{name}{s}{condition} {}, {register}{amount}", r(rd));
    }
    let operand = match operand {
        // Above 2^31 Capstone writes a number with a sign.
        Operand::Immediate(value, _) => format!("#{}", value as i32),
        Operand::Shifted(rm, by) => shifted(rm, by),
    };
    match alu {
        Alu::Move | Alu::MoveNot => format!("{name}{s}{condition} {}, {operand}", r(rd)),
        _ if compares => format!("{name}{condition} {}, {operand}", r(rn)),
        _ => format!("{name}{s}{condition} {}, {}, {operand}", r(rd), r(rn)),
    }
}

fn memory(condition: &str, operation: Operation) -> String {
    let name = |load| if load { "ldr" } else { "str" };
    match operation {
        Operation::LoadStore { load, bytes, mode, rt, rn, offset } => {
            let b = if bytes == 1 { "b" } else { "" };
            format!("{}{b}{condition} {}, {}", name(load), r(rt), place(mode, rn, offset))
        }
        Operation::LoadStoreIndexed { load, bytes, rt, rn, rm } => {
            let b = if bytes == 1 { "b" } else { "" };
            format!("{}{b}{condition} {}, [{}, {}]", name(load), r(rt), r(rn), r(rm))
        }
        Operation::LoadStoreTwo { load, mode, rt, rn, offset } => {
            format!("{}d{condition} {}, {}, {}", name(load), r(rt), r(rt + 1), place(mode, rn, offset))
        }
        Operation::Multiple { load, rn, list: registers, start, update } => {
            let registers: Vec<String> = (0..16).filter(|n| registers >> n & 1 == 1).map(|n| r(n).to_owned()).collect();
            let bytes = 4 * registers.len() as i64;
            let registers = list(registers);
            match (load, rn, start, update) {
                (true, 13, 0, Some(_)) => return format!("pop{condition} {registers}"),
                (false, 13, _, Some(by)) if by < 0 && start == by => return format!("push{condition} {registers}"),
                _ => {}
            }
            let way = match start {
                0 => "",
                4 if bytes > 0 && update != Some(-bytes) => "ib",
                _ if start == -bytes => "db",
                _ => "da",
            };
            let (m, mark) = (if load { "ldm" } else { "stm" }, if update.is_some() { "!" } else { "" });
            format!("{m}{way}{condition} {}{mark}, {registers}", r(rn))
        }
        other => panic!("{other:?} is no access"),
    }
}

fn vector_memory(condition: &str, operation: Operation) -> Vec<String> {
    let Operation::VectorMemory { load, d, count, rn, start, update } = operation else { return Vec::new() };
    let registers = doublewords(d, count);
    let (one, many) = if load { ("vldr", "vldm") } else { ("vstr", "vstm") };
    match (rn, update) {
        (13, Some(by)) if by > 0 && load => vec![format!("vpop{condition} {registers}")],
        (13, Some(by)) if by < 0 && !load => vec![format!("vpush{condition} {registers}")],
        (_, Some(by)) => {
            let way = if by < 0 { "db" } else { "ia" };
            vec![format!("{many}{way}{condition} {}!, {registers}", r(rn))]
        }
        (_, None) => {
            let mut all = vec![format!("{many}ia{condition} {}, {registers}", r(rn))];
            if count == 1 {
                all.push(format!("{one}{condition} d{d}, {}", place(Mode::Offset, rn, start)));
            }
            all
        }
    }
}

fn vector(operation: Operation) -> Vec<String> {
    let text = match operation {
        Operation::Structures { load, d, count, interleave, rn, after } => {
            let name = if load { "vld" } else { "vst" };
            match interleave {
                None => format!("{name}1 {}, {}", doublewords(d, count), behind(rn, after)),
                Some(element) => format!("{name}2.{element} {}, {}", doublewords(d, count), behind(rn, after)),
            }
        }
        Operation::LoadLane { element, d, index, rn, after } => {
            format!("vld1.{element} {{d{d}[{index}]}}, {}", behind(rn, after))
        }
        Operation::LoadAll { element, d, count, rn, after } => {
            format!("vld1.{element} {}, {}", list((d..d + count).map(|n| format!("d{n}[]"))), behind(rn, after))
        }
        Operation::Three { operation, quad, element, d, n, m } => {
            let name = match operation {
                Three::Lanes(Lanes::Add) => format!("vadd.i{element}"),
                Three::Lanes(Lanes::Sub) => format!("vsub.i{element}"),
                Three::Lanes(Lanes::Test) => format!("vtst.{element}"),
                Three::Logic(logic) => logic_name(logic).to_owned(),
            };
            format!("{name} {}, {}, {}", v(d, quad), v(n, quad), v(m, quad))
        }
        Operation::VectorShift { operation, quad, element, d, m, by } => {
            let name = match operation {
                VectorShift::Right => "vshr.u",
                VectorShift::RightAdd => "vsra.u",
                VectorShift::Left => "vshl.i",
                VectorShift::LeftInsert => "vsli.",
                VectorShift::RightInsert => "vsri.",
            };
            format!("{name}{element} {}, {}, #{by}", v(d, quad), v(m, quad))
        }
        Operation::Narrow { element, d, m, by } => format!("vshrn.i{} d{d}, {}, #{by}", 2 * element, v(m, true)),
        Operation::Extract { quad, d, n, m, from } => {
            let registers = [d, n, m].map(|register| v(register, quad)).join(", ");
            let elements = [8, 16, 32, 64].into_iter().filter(|element| from % element == 0);
            return elements.map(|element| format!("vext.{element} {registers}, #{}", from / element)).collect();
        }
        Operation::Table { d, n, count, m } => format!("vtbl.8 d{d}, {}, d{m}", doublewords(n, count)),
        Operation::DuplicateLane { quad, element, d, m, index } => {
            format!("vdup.{element} {}, d{m}[{index}]", v(d, quad))
        }
        Operation::VectorReverse { quad, unit, element, d, m } => {
            format!("vrev{element}.{unit} {}, {}", v(d, quad), v(m, quad))
        }
        Operation::ExchangeVectors { exchange, quad, element, d, m } => {
            let name = match exchange {
                Exchange::Swap => "vswp".to_owned(),
                Exchange::Transpose => format!("vtrn.{element}"),
                Exchange::Unzip => format!("vuzp.{element}"),
                Exchange::Zip => format!("vzip.{element}"),
            };
            format!("{name} {}, {}", v(d, quad), v(m, quad))
        }
        Operation::VectorImmediate { quad, d, value } => return immediates(&v(d, quad), value),
        Operation::Sha256 { operation, d, n, m } => match operation {
            Sha256::Hash => three("sha256h.32", [d, n, m]),
            Sha256::SecondHash => three("sha256h2.32", [d, n, m]),
            Sha256::SecondSchedule => three("sha256su1.32", [d, n, m]),
            Sha256::Schedule => format!("sha256su0.32 {}, {}", v(d, true), v(m, true)),
        },
        Operation::Aes { operation, d, m } => {
            format!("{}.8 {}, {}", super::disassembler::aes_name(operation), v(d, true), v(m, true))
        }
        _ => return Vec::new(),
    };
    vec![text]
}

fn three(name: &str, registers: [u32; 3]) -> String {
    format!("{name} {}", registers.map(|register| v(register, true)).join(", "))
}

fn logic_name(logic: VectorLogic) -> &'static str {
    match logic {
        VectorLogic::And => "vand",
        VectorLogic::AndNot => "vbic",
        VectorLogic::Or => "vorr",
        VectorLogic::OrNot => "vorn",
        VectorLogic::Xor => "veor",
        VectorLogic::Select => "vbsl",
        VectorLogic::InsertIfTrue => "vbit",
        VectorLogic::InsertIfFalse => "vbif",
    }
}

/// A value that fills a register, by every element that it is made of.
fn immediates(register: &str, value: u64) -> Vec<String> {
    let mut all = Vec::new();
    for element in [8, 16, 32, 64] {
        let one = value & (u64::MAX >> (64 - element));
        let repeated = (0..64).step_by(element).fold(0, |all, at| all | one << at);
        if repeated == value {
            all.push(format!("vmov.i{element} {register}, #{}", one as i64));
            let inverted = !one & (u64::MAX >> (64 - element));
            all.push(format!("vmvn.i{element} {register}, #{}", inverted as i64));
        }
    }
    all
}

/// What Capstone says, without alignments, and without elements where they do not count.
fn normalised(mnemonic: &str, operands: &str) -> String {
    let mut text = operands.to_owned();
    if let Some(at) = text.find(":0x") {
        let end = text[at..].find(']').map_or(text.len(), |end| at + end);
        text.replace_range(at..end, "");
    }
    let whole = !operands.contains('[') || operands.split('}').next().is_some_and(|list| !list.contains('['));
    let mnemonic = match mnemonic.split_once('.') {
        Some((name @ ("vld1" | "vst1"), _)) if whole => name,
        _ => mnemonic,
    };
    in_decimal(&format!("{mnemonic} {text}"))
}

#[test]
fn another_disassembler_reads_every_word_of_a32_alike() {
    let arm = Capstone::new().arm().mode(arch::arm::ArchMode::Arm);
    let capstone = arm.extra_mode([arch::arm::ArchExtraMode::V8].into_iter()).build().unwrap();
    let mut compared = 0;
    for built in kernels().into_iter().filter(|built| built.kernel.architecture == Architecture::Arm) {
        for (offset, word) in built.code.instructions() {
            let (instruction, _) = decode(word).unwrap_or_else(|| panic!("{}: {word:#010x}", built.name()));
            let read = capstone.disasm_all(&word.to_le_bytes(), offset).unwrap();
            let read = read.first().unwrap_or_else(|| panic!("Capstone reads nothing in {word:#010x}"));
            let theirs = normalised(read.mnemonic().unwrap_or(""), read.op_str().unwrap_or(""));
            let ours = spellings(instruction, offset);
            assert!(ours.contains(&theirs), "{word:#010x} of {}: {ours:?} and {theirs:?}", built.name());
            compared += 1;
        }
    }
    println!("{compared} words");
    assert!(compared > 15_000, "only {compared} words");
}
