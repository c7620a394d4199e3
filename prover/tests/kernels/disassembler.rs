//! Every word of every kernel that is proved, as another disassembler reads it.

use std::collections::BTreeSet;

use capstone::prelude::*;
use vambrace::kernels::Architecture;
use vambrace_prover::a64::decode::decode;
use vambrace_prover::a64::instruction::{
    Bitfield, Condition, Instruction, Logic, Mode, MoveWide, Moved, Permute, Select, Sha2, Shift,
};
use vambrace_prover::aes::AesOperation;
use vambrace_prover::terms::ones;
use vambrace_prover::vectors::{Lanes, VectorLogic, VectorShift};

use super::built::kernels;

fn number(n: i64) -> String {
    format!("#{n}")
}

/// The text with all numbers in decimal: Capstone writes some so and some in hexadecimal.
pub fn in_decimal(text: &str) -> String {
    let mut parts = text.split('#');
    let mut result = parts.next().unwrap_or("").to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(part.len());
        let (digits, rest) = part.split_at(end);
        let (sign, digits) = digits.strip_prefix('-').map_or((1, digits), |digits| (-1, digits));
        let value = match digits.strip_prefix("0x") {
            Some(hexadecimal) => u64::from_str_radix(hexadecimal, 16).map(|value| value as i64),
            None => digits.parse(),
        };
        let value = value.unwrap_or_else(|_| panic!("{digits} is no number in {text}"));
        result += &format!("#{}{rest}", sign * value);
    }
    result
}

fn general(width: u32, n: u32) -> String {
    match (width, n) {
        (32, 31) => "wzr".to_owned(),
        (_, 31) => "xzr".to_owned(),
        (32, n) => format!("w{n}"),
        (_, n) => format!("x{n}"),
    }
}

fn stack(n: u32) -> String {
    if n == 31 { "sp".to_owned() } else { format!("x{n}") }
}

fn moved(moved: Moved, n: u32) -> String {
    match moved {
        Moved::General { bytes } => general(if bytes == 8 { 64 } else { 32 }, n),
        Moved::Vector { bytes } => format!("{}{n}", ["b", "h", "s", "d", "q"][bytes.trailing_zeros() as usize]),
    }
}

fn vector(n: u32, width: u32, element: u32) -> String {
    let letter = ["b", "h", "s", "d"][(element / 8).trailing_zeros() as usize];
    format!("v{n}.{}{letter}", width / element)
}

fn lane(n: u32, element: u32, index: u32) -> String {
    format!("v{n}.{}[{index}]", ["b", "h", "s", "d"][(element / 8).trailing_zeros() as usize])
}

fn shift(shift: Shift) -> String {
    match shift {
        Shift::Left(0) => String::new(),
        Shift::Left(n) => format!(", lsl {}", number(n.into())),
        Shift::Right(n) => format!(", lsr {}", number(n.into())),
        Shift::Arithmetic(n) => format!(", asr {}", number(n.into())),
        Shift::Rotate(n) => format!(", ror {}", number(n.into())),
    }
}

fn place(mode: Mode, rn: u32, offset: i64) -> String {
    match (mode, offset) {
        (Mode::Offset, 0) => format!("[{}]", stack(rn)),
        (Mode::Offset, n) => format!("[{}, {}]", stack(rn), number(n)),
        (Mode::Before, n) => format!("[{}, {}]!", stack(rn), number(n)),
        (Mode::After, n) => format!("[{}], {}", stack(rn), number(n)),
    }
}

const CONDITIONS: [&str; 14] = ["eq", "ne", "hs", "lo", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le"];

/// The instruction as Capstone writes it, with the manual's preferred names; nothing for forms that no kernel has.
fn text(instruction: Instruction, address: u64) -> Option<String> {
    integer(instruction, address)
        .or_else(|| memory(instruction, address))
        .or_else(|| simd(instruction))
        .or_else(|| crypto(instruction))
}

fn integer(instruction: Instruction, address: u64) -> Option<String> {
    let target = |offset: i64| number(address as i64 + offset);
    Some(match instruction {
        Instruction::Adr { rd, offset } => format!("adr x{rd}, {}", target(offset)),
        Instruction::AdrPage { rd, offset } => format!("adrp x{rd}, {}", number((address & !0xfff) as i64 + offset)),
        Instruction::AddImmediate { width: 64, subtract: false, flags: false, rd, rn, immediate: 0 }
            if rd == 31 || rn == 31 =>
        {
            format!("mov {}, {}", stack(rd), stack(rn))
        }
        Instruction::AddImmediate { width: 64, subtract, flags: false, rd, rn, immediate } => {
            let name = if subtract { "sub" } else { "add" };
            format!("{name} {}, {}, {}", stack(rd), stack(rn), number(immediate.into()))
        }
        Instruction::AddImmediate { width: 32, subtract, flags: false, rd, rn, immediate } if rd != 31 && rn != 31 => {
            let name = if subtract { "sub" } else { "add" };
            format!("{name} {}, {}, {}", general(32, rd), general(32, rn), number(immediate.into()))
        }
        Instruction::AddImmediate { width, subtract, flags: true, rd: 31, rn, immediate } if rn != 31 => {
            let name = if subtract { "cmp" } else { "cmn" };
            format!("{name} {}, {}", general(width, rn), number(immediate.into()))
        }
        Instruction::AddImmediate { width, subtract, flags: true, rd, rn, immediate } if rd != 31 && rn != 31 => {
            let name = if subtract { "subs" } else { "adds" };
            format!("{name} {}, {}, {}", general(width, rd), general(width, rn), number(immediate.into()))
        }
        Instruction::AddShifted { width, subtract: true, flags: true, rd: 31, rn, rm, shift: by } => {
            format!("cmp {}, {}{}", general(width, rn), general(width, rm), shift(by))
        }
        Instruction::AddShifted { width, subtract, flags, rd, rn, rm, shift: by } if rn != 31 && rd != 31 => {
            let (name, s) = (if subtract { "sub" } else { "add" }, if flags { "s" } else { "" });
            format!("{name}{s} {}, {}, {}{}", general(width, rd), general(width, rn), general(width, rm), shift(by))
        }
        Instruction::AddExtended { width: 64, subtract: false, rd, rn, rm, from: 32, left } => {
            let left = if left == 0 { String::new() } else { format!(" {}", number(left.into())) };
            format!("add {}, {}, {}, uxtw{left}", stack(rd), stack(rn), general(32, rm))
        }
        Instruction::AddExtended { width: 64, subtract: false, rd, rn, rm, from: 64, left } if rd == 31 || rn == 31 => {
            format!("add {}, {}, {}{}", stack(rd), stack(rn), general(64, rm), shift(Shift::Left(left)))
        }
        Instruction::AddCarry { width, rd, rn, rm } => {
            format!("adc {}, {}, {}", general(width, rd), general(width, rn), general(width, rm))
        }
        Instruction::LogicImmediate { width, logic: Logic::And, rd, rn, immediate } if rd != 31 => {
            format!("and {}, {}, {}", general(width, rd), general(width, rn), number(immediate as i64))
        }
        Instruction::LogicShifted { width, logic: Logic::Or, invert: false, rd, rn: 31, rm, shift: Shift::Left(0) } => {
            format!("mov {}, {}", general(width, rd), general(width, rm))
        }
        Instruction::LogicShifted { width, logic, invert, rd, rn, rm, shift: by } => {
            let name = match (logic, invert) {
                (Logic::And, false) => "and",
                (Logic::And, true) => "bic",
                (Logic::Or, false) => "orr",
                (Logic::Xor, false) => "eor",
                _ => return None,
            };
            format!("{name} {}, {}, {}{}", general(width, rd), general(width, rn), general(width, rm), shift(by))
        }
        Instruction::LogicImmediate { width, logic: Logic::Or, rd, rn: 31, immediate } if rd != 31 => {
            format!("mov {}, {}", general(width, rd), number(immediate as i64))
        }
        Instruction::MoveWide { width, kind: MoveWide::Not, rd, immediate, left } => {
            format!("mov {}, {}", general(width, rd), number(!(i64::from(immediate) << left)))
        }
        Instruction::MoveWide { width, kind: MoveWide::Keep, rd, immediate, left } => {
            format!("movk {}, {}{}", general(width, rd), number(immediate.into()), shift(Shift::Left(left)))
        }
        Instruction::MoveWide { width, kind: MoveWide::Zero, rd, immediate, left: 0 } => {
            format!("mov {}, {}", general(width, rd), number(immediate.into()))
        }
        Instruction::Bitfield { width, kind: Bitfield::Unsigned, rd, rn, rotate, last } if last == width - 1 => {
            format!("lsr {}, {}, {}", general(width, rd), general(width, rn), number(rotate.into()))
        }
        Instruction::Bitfield { width, kind: Bitfield::Unsigned, rd, rn, rotate, last } if last + 1 == rotate => {
            format!("lsl {}, {}, {}", general(width, rd), general(width, rn), number((width - rotate).into()))
        }
        Instruction::Bitfield { width, kind, rd, rn, rotate, last } if kind != Bitfield::Signed => {
            let (extracts, inserts) = (last >= rotate, kind == Bitfield::Insert);
            let name = match (extracts, inserts) {
                (true, true) => "bfxil",
                (true, false) => "ubfx",
                (false, true) => "bfi",
                (false, false) => "ubfiz",
            };
            let (at, bits) = if extracts { (rotate, last - rotate + 1) } else { (width - rotate, last + 1) };
            let [at, bits] = [at, bits].map(|n| number(n.into()));
            format!("{name} {}, {}, {at}, {bits}", general(width, rd), general(width, rn))
        }
        Instruction::Extract { width, rd, rn, rm, from } if rn == rm => {
            format!("ror {}, {}, {}", general(width, rd), general(width, rn), number(from.into()))
        }
        Instruction::Extract { width, rd, rn, rm, from } => {
            let [rd, rn, rm] = [rd, rn, rm].map(|n| general(width, n));
            format!("extr {rd}, {rn}, {rm}, {}", number(from.into()))
        }
        Instruction::Reverse { width, element, rd, rn } => {
            let name = if element == width { "rev".to_owned() } else { format!("rev{element}") };
            format!("{name} {}, {}", general(width, rd), general(width, rn))
        }
        Instruction::Select { width, kind: Select::Increment, rd, rn: 31, rm: 31, condition: Condition(number) } => {
            format!("cset {}, {}", general(width, rd), CONDITIONS[number as usize ^ 1])
        }
        Instruction::Select { width, kind: Select::Plain, rd, rn, rm, condition: Condition(number) } => {
            let [rd, rn, rm] = [rd, rn, rm].map(|n| general(width, n));
            format!("csel {rd}, {rn}, {rm}, {}", CONDITIONS[number as usize])
        }
        Instruction::MultiplyAdd { width, subtract: true, rd, rn, rm, ra } => {
            let [rd, rn, rm, ra] = [rd, rn, rm, ra].map(|n| general(width, n));
            format!("msub {rd}, {rn}, {rm}, {ra}")
        }
        Instruction::Divide { width, rd, rn, rm } => {
            format!("udiv {}, {}, {}", general(width, rd), general(width, rn), general(width, rm))
        }
        Instruction::Branch { offset } => format!("b {}", target(offset)),
        Instruction::Call { offset } => format!("bl {}", target(offset)),
        Instruction::BranchIf { condition: Condition(number), offset } => {
            format!("b.{} {}", CONDITIONS[number as usize], target(offset))
        }
        Instruction::BranchZero { width, nonzero, rt, offset } => {
            format!("{} {}, {}", if nonzero { "cbnz" } else { "cbz" }, general(width, rt), target(offset))
        }
        Instruction::BranchBit { bit, set, rt, offset } => {
            let width = if bit < 32 { 32 } else { 64 };
            let name = if set { "tbnz" } else { "tbz" };
            format!("{name} {}, {}, {}", general(width, rt), number(bit.into()), target(offset))
        }
        Instruction::Return { rn: 30 } => "ret ".to_owned(),
        _ => return None,
    })
}

fn memory(instruction: Instruction, address: u64) -> Option<String> {
    Some(match instruction {
        Instruction::Literal { moved: what, rt, offset } => {
            format!("ldr {}, {}", moved(what, rt), number(address as i64 + offset))
        }
        Instruction::LoadStore { load, moved: what, mode, rt, rn, offset } => {
            // Offsets that are no multiple of the size have names of their own.
            let unscaled = mode == Mode::Offset && (offset < 0 || offset % i64::from(what.bytes()) != 0);
            let name = match (load, unscaled) {
                (true, false) => "ldr",
                (true, true) => "ldur",
                (false, false) => "str",
                (false, true) => "stur",
            };
            format!("{name} {}, {}", moved(what, rt), place(mode, rn, offset))
        }
        Instruction::LoadStoreIndexed { load, moved: what, rt, rn, rm, left: 0 } => {
            let b = if what.bytes() == 1 { "b" } else { "" };
            let name = if load { "ldr" } else { "str" };
            format!("{name}{b} {}, [{}, x{rm}]", moved(what, rt), stack(rn))
        }
        Instruction::Pair { load, moved: what, mode, rt, rt2, rn, offset } => {
            let name = if load { "ldp" } else { "stp" };
            format!("{name} {}, {}, {}", moved(what, rt), moved(what, rt2), place(mode, rn, offset))
        }
        Instruction::Multiple { load, count, bytes, rt, rn, after } => {
            // The size of the elements makes no difference, and is compared nowhere.
            let name = if load { "ld1" } else { "st1" };
            let registers: Vec<String> = (0..count).map(|n| format!("v{}.{}x", (rt + n) % 32, bytes * 8)).collect();
            let after = if after { format!(", {}", number((count * bytes).into())) } else { String::new() };
            format!("{name} {{{}}}, [{}]{after}", registers.join(", "), stack(rn))
        }
        Instruction::MultipleTwo { load, element, width, rt, rn, after } => {
            let name = if load { "ld2" } else { "st2" };
            let registers = [rt, (rt + 1) % 32].map(|n| vector(n, width, element)).join(", ");
            let after = if after { format!(", {}", number((width / 4).into())) } else { String::new() };
            format!("{name} {{{registers}}}, [{}]{after}", stack(rn))
        }
        Instruction::Replicate { count, element, width, rt, rn, after } => {
            let registers: Vec<String> = (0..count).map(|n| vector((rt + n) % 32, width, element)).collect();
            let after = if after { format!(", {}", number((count * element / 8).into())) } else { String::new() };
            format!("ld{count}r {{{}}}, [{}]{after}", registers.join(", "), stack(rn))
        }
        _ => return None,
    })
}

fn simd(instruction: Instruction) -> Option<String> {
    Some(match instruction {
        Instruction::Lanes { operation, width, element, rd, rn, rm } => {
            let name = match operation {
                Lanes::Add => "add",
                Lanes::Sub => "sub",
                Lanes::Test => "cmtst",
            };
            let [rd, rn, rm] = [rd, rn, rm].map(|n| vector(n, width, element));
            format!("{name} {rd}, {rn}, {rm}")
        }
        Instruction::VectorLogic { operation: VectorLogic::Or, width, rd, rn, rm } if rn == rm => {
            format!("mov {}, {}", vector(rd, width, 8), vector(rn, width, 8))
        }
        Instruction::VectorLogic { operation, width, rd, rn, rm } => {
            let name = match operation {
                VectorLogic::And => "and",
                VectorLogic::Or => "orr",
                VectorLogic::Xor => "eor",
                VectorLogic::AndNot => "bic",
                VectorLogic::OrNot => "orn",
                VectorLogic::Select => "bsl",
                VectorLogic::InsertIfTrue => "bit",
                VectorLogic::InsertIfFalse => "bif",
            };
            let [rd, rn, rm] = [rd, rn, rm].map(|n| vector(n, width, 8));
            format!("{name} {rd}, {rn}, {rm}")
        }
        Instruction::VectorShift { operation, width, element, rd, rn, by } => {
            let name = match operation {
                VectorShift::Right => "ushr",
                VectorShift::RightAdd => "usra",
                VectorShift::Left => "shl",
                VectorShift::LeftInsert => "sli",
                VectorShift::RightInsert => "sri",
            };
            format!("{name} {}, {}, {}", vector(rd, width, element), vector(rn, width, element), number(by.into()))
        }
        Instruction::Widen { upper, element, rd, rn, by } => {
            let (name, width) = if upper { ("ushll2", 128) } else { ("ushll", 64) };
            let (rd, rn) = (vector(rd, 128, 2 * element), vector(rn, width, element));
            format!("{name} {rd}, {rn}, {}", number(by.into()))
        }
        Instruction::Narrow { upper, element, rd, rn, by } => {
            let (name, width) = if upper { ("shrn2", 128) } else { ("shrn", 64) };
            let (rd, rn) = (vector(rd, width, element), vector(rn, 128, 2 * element));
            format!("{name} {rd}, {rn}, {}", number(by.into()))
        }
        Instruction::Permute { kind, second, width, element, rd, rn, rm } => {
            let name = match kind {
                Permute::Unzip => "uzp",
                Permute::Transpose => "trn",
                Permute::Zip => "zip",
            };
            let [rd, rn, rm] = [rd, rn, rm].map(|n| vector(n, width, element));
            format!("{name}{} {rd}, {rn}, {rm}", 1 + u32::from(second))
        }
        Instruction::VectorExtract { width, rd, rn, rm, from } => {
            let [rd, rn, rm] = [rd, rn, rm].map(|n| vector(n, width, 8));
            format!("ext {rd}, {rn}, {rm}, {}", number(i64::from(from) / 8))
        }
        Instruction::Table { width, count, rd, rn, rm } => {
            let table: Vec<String> = (0..count).map(|n| vector((rn + n) % 32, 128, 8)).collect();
            format!("tbl {}, {{{}}}, {}", vector(rd, width, 8), table.join(", "), vector(rm, width, 8))
        }
        Instruction::VectorReverse { width, unit, element, rd, rn } => {
            format!("rev{element} {}, {}", vector(rd, width, unit), vector(rn, width, unit))
        }
        Instruction::DuplicateElement { scalar: true, element: 64, rd, rn, index, .. } => {
            format!("mov d{rd}, {}", lane(rn, 64, index))
        }
        Instruction::DuplicateGeneral { width, element, rd, rn } => {
            format!("dup {}, {}", vector(rd, width, element), general(element, rn))
        }
        Instruction::InsertElement { element, rd, rn, to, from } => {
            format!("mov {}, {}", lane(rd, element, to), lane(rn, element, from))
        }
        Instruction::InsertGeneral { element, rd, rn, to } => {
            format!("mov {}, {}", lane(rd, element, to), general(element, rn))
        }
        Instruction::MoveFromVector { element: 32, rd, rn, .. } => format!("fmov {}, s{rn}", general(32, rd)),
        Instruction::MoveElement { element: 64, rd, rn, from } => format!("mov x{rd}, {}", lane(rn, 64, from)),
        Instruction::MoveToVector { element: 64, upper: false, rd, rn } => format!("fmov d{rd}, {}", general(64, rn)),
        Instruction::MoveFromVector { element: 64, upper: false, rd, rn } => format!("fmov {}, d{rn}", general(64, rd)),
        Instruction::MoveFromVector { upper: true, rd, rn, .. } => {
            format!("fmov {}, {}", general(64, rd), lane(rn, 64, 1))
        }
        _ => return None,
    })
}

/// The name of an AES instruction, which both instruction sets have.
pub fn aes_name(operation: AesOperation) -> &'static str {
    match operation {
        AesOperation::Encrypt => "aese",
        AesOperation::Decrypt => "aesd",
        AesOperation::Mix => "aesmc",
        AesOperation::InverseMix => "aesimc",
    }
}

fn crypto(instruction: Instruction) -> Option<String> {
    Some(match instruction {
        Instruction::Aes { operation, rd, rn } => {
            format!("{} v{rd}.16b, v{rn}.16b", aes_name(operation))
        }
        Instruction::Sha2 { operation, rd, rn, rm } => match operation {
            Sha2::H256 => format!("sha256h q{rd}, q{rn}, v{rm}.4s"),
            Sha2::SecondH256 => format!("sha256h2 q{rd}, q{rn}, v{rm}.4s"),
            Sha2::Schedule256 => format!("sha256su1 v{rd}.4s, v{rn}.4s, v{rm}.4s"),
            Sha2::H512 => format!("sha512h q{rd}, q{rn}, v{rm}.2d"),
            Sha2::SecondH512 => format!("sha512h2 q{rd}, q{rn}, v{rm}.2d"),
            Sha2::Schedule512 => format!("sha512su1 v{rd}.2d, v{rn}.2d, v{rm}.2d"),
        },
        Instruction::Schedule256 { rd, rn } => format!("sha256su0 v{rd}.4s, v{rn}.4s"),
        Instruction::Schedule512 { rd, rn } => format!("sha512su0 v{rd}.2d, v{rn}.2d"),
        Instruction::Xor3 { rd, rn, rm, ra } => format!("eor3 v{rd}.16b, v{rn}.16b, v{rm}.16b, v{ra}.16b"),
        Instruction::XorRotate { rd, rn, rm, by } => {
            format!("xar v{rd}.2d, v{rn}.2d, v{rm}.2d, {}", number(by.into()))
        }
        _ => return None,
    })
}

/// A value that fills a register, by every element that it is made of.
fn immediates(rd: u32, width: u32, value: u128) -> Vec<String> {
    let elements = [8, 16, 32, 64].into_iter().filter_map(|element| {
        let one = value & ones(element);
        let repeated = (0..width).step_by(element as usize).fold(0, |all, at| all | one << at);
        (repeated == value).then(|| format!("movi {}, {}", vector(rd, width, element), number(one as i64)))
    });
    elements.collect()
}

/// What Capstone says, with the arrangement of LD1 and ST1 as the width alone.
fn normalised(mnemonic: &str, operands: &str) -> String {
    let text = in_decimal(&format!("{mnemonic} {operands}"));
    if !matches!(mnemonic, "ld1" | "st1") {
        return text;
    }
    let wide = [".16b", ".8h", ".4s", ".2d"].iter().fold(text, |text, one| text.replace(one, ".128x"));
    [".8b", ".4h", ".2s", ".1d"].iter().fold(wide, |text, one| text.replace(one, ".64x"))
}

#[test]
fn another_disassembler_reads_every_word_alike() {
    let capstone = Capstone::new().arm64().mode(arch::arm64::ArchMode::Arm).build().unwrap();
    let (mut compared, mut differences) = (0, BTreeSet::new());
    for built in kernels().into_iter().filter(|built| built.kernel.architecture == Architecture::Aarch64) {
        for (offset, word) in built.code.instructions() {
            let (instruction, _) = decode(word).unwrap_or_else(|| panic!("{}: {word:#010x}", built.name()));
            let read = capstone.disasm_all(&word.to_le_bytes(), offset).unwrap();
            let read = read.first().unwrap_or_else(|| panic!("Capstone reads nothing in {word:#010x}"));
            let theirs = normalised(read.mnemonic().unwrap_or(""), read.op_str().unwrap_or(""));
            match instruction {
                Instruction::Hint => {
                    assert!(["nop ", "bti c", "hint #34"].contains(&&*theirs), "{word:#010x}: {theirs}");
                }
                Instruction::VectorImmediate { width, rd, value } => {
                    let ours = immediates(rd, width, value);
                    if !ours.contains(&theirs) {
                        differences.insert(format!("{word:#010x} of {}: {ours:?}, {theirs:?}", built.name()));
                    }
                }
                _ => {
                    if text(instruction, offset).as_ref() != Some(&theirs) {
                        let ours = text(instruction, offset);
                        differences.insert(format!("{word:#010x} of {}: {ours:?}, {theirs:?}", built.name()));
                    }
                }
            }
            compared += 1;
        }
    }
    assert!(differences.is_empty(), "{differences:#?}");
    println!("{compared} words");
    assert!(compared > 15_000, "only {compared} words");
}
