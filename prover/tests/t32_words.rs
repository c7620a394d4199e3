//! Words of every class of T32 instructions, as another disassembler reads them.

use capstone::prelude::*;
use vambrace_prover::a32;
use vambrace_prover::a32::instruction::{Alu, Mode, Operand, Operation, Shift, ShiftBy};
use vambrace_prover::t32::decode::{Decoded, Instruction, Place, TABLE, as_a32, decode, from_a32};

#[path = "support/guest.rs"]
#[allow(dead_code, reason = "only the random numbers are used")]
mod guest;

use guest::Random;

/// Words of each class.
const WORDS: usize = 2000;

const REGISTERS: [&str; 16] =
    ["r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "sb", "sl", "fp", "ip", "sp", "lr", "pc"];
const CONDITIONS: [&str; 15] = ["eq", "ne", "hs", "lo", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", ""];

fn r(n: u32) -> &'static str {
    REGISTERS[n as usize]
}

fn capstone(mode: arch::arm::ArchMode) -> Capstone {
    Capstone::new().arm().mode(mode).extra_mode([arch::arm::ArchExtraMode::V8].into_iter()).build().unwrap()
}

/// The instruction as it is stored: the upper halfword first.
fn bytes(word: u32) -> Vec<u8> {
    let halves = if word > 0xffff { vec![(word >> 16) as u16, word as u16] } else { vec![word as u16] };
    halves.into_iter().flat_map(u16::to_le_bytes).collect()
}

/// What Capstone reads, and how many bytes of it.
fn read(capstone: &Capstone, bytes: &[u8]) -> Option<(String, usize)> {
    let all = capstone.disasm_count(bytes, 0x1000, 1).unwrap();
    let first = all.first()?;
    let text = format!("{} {}", first.mnemonic().unwrap_or(""), first.op_str().unwrap_or(""));
    Some((text, first.len()))
}

/// All numbers in decimal, and as numbers of 32 bits with a sign.
fn in_decimal(text: &str) -> String {
    let mut parts = text.split('#');
    let mut result = parts.next().unwrap_or("").to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(part.len());
        let (digits, rest) = part.split_at(end);
        let (sign, digits) = digits.strip_prefix('-').map_or((1, digits), |digits| (-1, digits));
        let value = match digits.strip_prefix("0x") {
            Some(hexadecimal) => i64::from_str_radix(hexadecimal, 16),
            None => digits.parse(),
        };
        let value = sign * value.unwrap_or_else(|_| panic!("{digits} is no number in {text}"));
        result += &format!("#{}{rest}", value as i32);
    }
    result
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

fn list(registers: u32) -> String {
    let names: Vec<&str> = (0..16).filter(|n| registers >> n & 1 == 1).map(r).collect();
    format!("{{{}}}", names.join(", "))
}

fn data_processing(alu: Alu, flags: bool, [rd, rn]: [u32; 2], operand: Operand) -> String {
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
    let compares = matches!(alu, Alu::Test | Alu::TestEqual | Alu::Compare | Alu::CompareNegative);
    let s = if flags && !compares { "s" } else { "" };
    if let (Alu::Move, Operand::Shifted(rm, by)) = (alu, operand)
        && by != Shift::Left(0)
    {
        let text = shifted(rm, by);
        let (register, by) = text.split_once(", ").unwrap();
        let (name, amount) = by.split_once(' ').map_or((by, String::new()), |(name, n)| (name, format!(", {n}")));
        return format!("{name}{s} {}, {register}{amount}", r(rd));
    }
    let operand = match operand {
        Operand::Immediate(value, _) => format!("#{}", value as i32),
        Operand::Shifted(rm, by) => shifted(rm, by),
    };
    match alu {
        Alu::Move | Alu::MoveNot => format!("{name}{s} {}, {operand}", r(rd)),
        _ if compares => format!("{name} {}, {operand}", r(rn)),
        _ => format!("{name}{s} {}, {}, {operand}", r(rd), r(rn)),
    }
}

/// The instruction as Capstone writes it, without the mark of two halfwords.
fn text(Instruction { condition, operation, .. }: Instruction) -> String {
    let target = |offset: i64| format!("#{}", 0x1000 + offset);
    let name = |load| if load { "ldr" } else { "str" };
    let size = |bytes| ["", "b", "h", "", ""][bytes as usize];
    match operation {
        Operation::Nop => "nop ".to_owned(),
        Operation::Alu { alu, flags, rd, rn, operand } => data_processing(alu, flags, [rd, rn], operand),
        Operation::MoveWide { top, rd, immediate } => {
            format!("mov{} {}, #{immediate}", if top { "t" } else { "w" }, r(rd))
        }
        Operation::Address { rd, offset } if offset < 0 => format!("sub {}, pc, #{}", r(rd), -offset),
        Operation::Address { rd, offset } => format!("add {}, pc, #{offset}", r(rd)),
        Operation::Reverse { rd, rm } => format!("rev {}, {}", r(rd), r(rm)),
        Operation::PackHalves { top, rd, rn, rm, by } => {
            let (name, shift) = if top { ("pkhtb", Shift::Arithmetic(by)) } else { ("pkhbt", Shift::Left(by)) };
            format!("{name} {}, {}, {}", r(rd), r(rn), shifted(rm, shift))
        }
        Operation::InsertBits { rd, rn, low, width } => format!("bfi {}, {}, #{low}, #{width}", r(rd), r(rn)),
        Operation::ExtractBits { signed, rd, rn, low, width } => {
            format!("{}bfx {}, {}, #{low}, #{width}", if signed { "s" } else { "u" }, r(rd), r(rn))
        }
        Operation::ShiftBy { kind, flags, rd, rn, rm } => {
            let name = match kind {
                ShiftBy::Left => "lsl",
                ShiftBy::Right => "lsr",
                ShiftBy::Arithmetic => "asr",
                ShiftBy::Rotate => "ror",
            };
            format!("{name}{} {}, {}, {}", if flags { "s" } else { "" }, r(rd), r(rn), r(rm))
        }
        Operation::Multiply { flags, rd, rn, rm } => {
            format!("mul{} {}, {}, {}", if flags { "s" } else { "" }, r(rd), r(rn), r(rm))
        }
        Operation::MultiplyAdd { subtract, rd, rn, rm, ra } => {
            format!("ml{} {}, {}, {}, {}", if subtract { "s" } else { "a" }, r(rd), r(rn), r(rm), r(ra))
        }
        Operation::Branch { offset } => format!("b{} {}", CONDITIONS[condition as usize], target(offset)),
        Operation::BranchZero { nonzero, rn, offset } => {
            format!("{} {}, {}", if nonzero { "cbnz" } else { "cbz" }, r(rn), target(offset))
        }
        Operation::Exchange { rm } => format!("bx {}", r(rm)),
        Operation::LoadStore { load, bytes, mode, rt, rn, offset } => {
            format!("{}{} {}, {}", name(load), size(bytes), r(rt), place(mode, rn, offset))
        }
        Operation::LoadStoreIndexed { load, bytes, rt, rn, rm } => {
            format!("{}{} {}, [{}, {}]", name(load), size(bytes), r(rt), r(rn), r(rm))
        }
        Operation::LoadStorePair { load, mode, rt, rt2, rn, offset } => {
            format!("{}d {}, {}, {}", name(load), r(rt), r(rt2), place(mode, rn, offset))
        }
        Operation::Multiple { load, rn, list: registers, start, update } => {
            let (m, mark) = (if load { "ldm" } else { "stm" }, if update.is_some() { "!" } else { "" });
            match (load, rn, start, update) {
                (true, 13, 0, Some(_)) => format!("pop {}", list(registers)),
                (false, 13, ..0, Some(_)) => format!("push {}", list(registers)),
                _ => format!("{m}{} {}{mark}, {}", if start < 0 { "db" } else { "" }, r(rn), list(registers)),
            }
        }
        other => panic!("{other:?} is no instruction on general registers"),
    }
}

/// What Capstone says, as `text` writes it.
fn normalised(theirs: &str) -> String {
    let (mnemonic, operands) = theirs.split_once(' ').unwrap_or((theirs, ""));
    // Of two halfwords, and with an immediate that is not modified.
    let mnemonic = mnemonic.strip_suffix(".w").unwrap_or(mnemonic);
    let mnemonic = if ["addw", "subw"].contains(&mnemonic) { &mnemonic[..3] } else { mnemonic };
    // ADR is written in both ways, and an offset of zero is told or not.
    let text = match (mnemonic, operands.split_once(", ")) {
        ("sub", Some((register, "pc, #0"))) => format!("add {register}, pc, #0"),
        ("adr", Some((register, offset))) => in_decimal(&format!("add {register}, pc, {offset}")),
        _ => in_decimal(&format!("{mnemonic} {operands}")),
    };
    text.strip_suffix(", #0]").map_or(text.clone(), |rest| format!("{rest}]"))
}

#[test]
fn another_disassembler_reads_the_words_of_every_class_alike() {
    let thumb = capstone(arch::arm::ArchMode::Thumb);
    let (mut random, mut differences) = (Random(7), Vec::new());
    for row in TABLE {
        let (mut found, mut tried) = (0, 0);
        while found < WORDS && tried < 200_000 {
            tried += 1;
            let halfword = row.word(0) < 0x1_0000;
            let word = row.word(if halfword { random.next() as u32 & 0xffff } else { random.next() as u32 });
            let Some((decoded, class)) = decode(word) else { continue };
            if class != row.class {
                continue;
            }
            found += 1;
            let stored = bytes(word);
            let Some((theirs, length)) = read(&thumb, &stored) else {
                panic!("{class} {word:#x}: Capstone reads nothing")
            };
            assert_eq!(length, stored.len(), "{class} {word:#x}: {theirs}");
            match decoded {
                Decoded::Instruction(_) if class == "DMB" => assert!(theirs.starts_with("dmb"), "{theirs}"),
                Decoded::Instruction(instruction) => {
                    // A sum with SP is written with SP in front.
                    let theirs = match normalised(&theirs).split_once(", sp, ") {
                        Some((sum, same)) if class == "ADD (high registers)" => format!("{sum}, {same}, sp"),
                        _ => normalised(&theirs),
                    };
                    let ours = text(instruction);
                    // Where the first operand is the result too it may be left out.
                    let short = ours.split_once(", ").and_then(|(first, rest)| {
                        let register = first.split_once(' ')?.1;
                        rest.strip_prefix(register)?.strip_prefix(", ").map(|rest| format!("{first}, {rest}"))
                    });
                    if ours != theirs && short.as_ref() != Some(&theirs) {
                        differences.push(format!("{class} {word:#x}: {ours:?} and {theirs:?}"));
                    }
                }
                Decoded::IfThen(block) => {
                    let first = block.conditions().next().unwrap();
                    let letters = block.conditions().skip(1).map(|one| if one == first { 't' } else { 'e' });
                    let ours = format!("it{} {}", letters.collect::<String>(), CONDITIONS[first as usize]);
                    let ours = if first == 14 { format!("{ours}al") } else { ours };
                    assert_eq!(ours, theirs, "{word:#x}");
                }
            }
        }
        println!("{found} words of {}", row.class);
        assert!(found > 0, "no word of {}", row.class);
    }
    assert!(differences.is_empty(), "{} words are read in another way:\n{}", differences.len(), differences.join("\n"));
}

#[test]
fn an_instruction_on_vectors_is_the_same_in_both_sets() {
    let (thumb, arm) = (capstone(arch::arm::ArchMode::Thumb), capstone(arch::arm::ArchMode::Arm));
    let mut random = Random(8);
    let mut compared = 0;
    for row in a32::decode::TABLE {
        let (mut found, mut tried) = (0, 0);
        while found < WORDS / 4 && tried < 20_000 {
            tried += 1;
            let word = row.word(random.next() as u32 & 0x0fff_ffff | 0xe000_0000);
            let Some(same) = from_a32(word).filter(|_| row.decode(word).is_some()) else { continue };
            assert_eq!(as_a32(same), Some(word));
            let (ours, theirs) = (read(&arm, &word.to_le_bytes()), read(&thumb, &bytes(same)));
            assert!(ours.is_some() && ours == theirs, "{} {word:#x} {same:#x}: {ours:?} and {theirs:?}", row.class);
            found += 1;
        }
        compared += found;
    }
    println!("{compared} words");
    assert!(compared > 1_000, "only {compared} words");
}

/// What the manual calls undefined or unpredictable, and what is known to be another instruction.
#[test]
fn what_has_no_meaning_is_not_decoded() {
    for (word, what) in [
        (0xbf00 | 15 << 4 | 8, "IT with the condition 15"),
        (0xbf00 | 14 << 4 | 12, "IT of two instructions that are always executed"),
        (0xb400, "PUSH of nothing"),
        (0xbc00, "POP of nothing"),
        (0xc800, "LDM of nothing"),
        (0xc001, "STM of the base"),
        (0xde00, "UDF"),
        (0xdf00, "SVC"),
        (0x4500, "CMP (high registers) of low registers"),
        (0x4487, "ADD to PC"),
        (0x4687, "MOV to PC"),
        (0x4701, "BX with a bit that should be zero"),
        (0x4780, "BLX"),
        (0xe8bd_0010, "LDM of one register"),
        (0xe8bd_2010, "LDM of SP"),
        (0xe8bd_c010, "LDM of PC and LR"),
        (0xe8b4_0030, "LDM that writes to its base twice"),
        (0xe88f_0030, "STM to PC"),
        (0xe880_8010, "STM of PC"),
        (0xe9d1_2200, "LDRD of one register twice"),
        (0xe8f1_1200, "LDRD that writes to its base twice"),
        (0xe851_2300, "LDREX"),
        (0xf8d1_f000, "LDR of PC"),
        (0xf891_d000, "LDRB of SP"),
        (0xf891_f000, "PLD"),
        (0xf851_0e00, "LDRT"),
        (0xf851_1d04, "LDR that writes to its base twice"),
        (0xf010_1000, "a modified immediate of zeros"),
        (0xf36f_0740, "BFC"),
        (0xf362_1083, "BFI with the ends exchanged"),
        (0xf3c0_70c1, "UBFX beyond the word"),
        (0xf340_70c1, "SBFX beyond the word"),
        (0xf3cf_0001, "UBFX of PC"),
        (0xfa0d_f001, "LSL of SP"),
        (0xfa00_fd01, "LSL to SP"),
        (0xfa00_f00f, "LSL by PC"),
        (0xfa00_e001, "LSL with a bit that should be one"),
        (0xfb00_fd01, "MUL to SP"),
        (0xfb0f_f001, "MUL of PC"),
        (0xfb00_d001, "MLA of SP"),
        (0xfb00_f011, "MLS of PC"),
        (0xfba0_0102, "UMULL"),
        (0x5600, "LDRSB"),
        (0x5e00, "LDRSH"),
        (0xf8a1_d000, "STRH of SP"),
        (0xf8b1_f000, "LDRH of PC"),
        (0xf831_0e00, "LDRHT"),
        (0xf831_1d02, "LDRH that writes to its base twice"),
        (0xf931_0000, "LDRSH"),
        (0xf861_0000, "a store of a reserved size"),
        (0xf24f_0f00, "MOVW to PC"),
        (0xf000_f800, "BL"),
        (0xf380_8000, "B with a condition that is none"),
        (0xf3bf_8f50, "DMB of a reserved kind"),
        (0xfa91_f082, "REV of two registers"),
        (0xeb01_0d02, "ADD to SP of another register"),
        (0xea4f_0d0d, "MOV from SP to SP"),
        (0xed91_0a00, "VLDR of a single register"),
        (0xee00_0e10, "another coprocessor"),
        (0xffff_ffff, "nothing"),
    ] {
        assert_eq!(decode(word), None, "{word:#x}: {what}");
    }
}

#[test]
fn a_branch_is_the_last_of_a_block() {
    let place = |word| match decode(word).unwrap().0 {
        Decoded::Instruction(instruction) => instruction.place,
        Decoded::IfThen(_) => panic!("{word:#x} is IT"),
    };
    assert_eq!(place(0x4770), Place::Last);
    assert_eq!(place(0xe7fe), Place::Last);
    assert_eq!(place(0xd0fe), Place::Outside);
    assert_eq!(place(0xb100), Place::Outside);
    assert_eq!(place(0x3001), Place::FlagsOutside);
    assert_eq!(place(0xe8bd_8010), Place::Last);
    assert_eq!(place(0xf101_0001), Place::Anywhere);
}
