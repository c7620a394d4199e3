//! Words to instructions (Arm Architecture Reference Manual, C4).

use super::instruction::{
    Bitfield, Condition, Instruction, Logic, Mode, MoveWide, Moved, Permute, Select, Sha2, Shift,
};
use crate::aes::AesOperation;
use crate::encoding::{Encoding, bit, bits, signed};
use crate::vectors::{Lanes, VectorLogic, VectorShift, expand_immediate};

/// The instruction of a word, and the row that knows it.
pub fn decode(word: u32) -> Option<(Instruction, &'static Encoding<Instruction>)> {
    TABLE.iter().find_map(|row| row.decode(word).map(|instruction| (instruction, row)))
}

/// Whether a word is a branch to an address in a register, other than a return; for a better message.
pub fn is_indirect_branch(word: u32) -> bool {
    // BR, BLR, and both with pointer authentication.
    word & 0xfedf_f000 == 0xd61f_0000
}

type Row = Encoding<Instruction>;

const fn row(pattern: &'static str, class: &'static str, decode: fn(u32) -> Option<Instruction>) -> Row {
    Encoding::new(pattern, class, decode)
}

/// Every class.
#[rustfmt::skip]
pub static TABLE: &[Row] = &[
    row("11010101 00000011 0010 0000 000 11111", "NOP", |_| Some(Instruction::Hint)),
    row("11010101 00000011 0010 0100 xx0 11111", "BTI", |_| Some(Instruction::Hint)),
    row("0 ii 10000 iiiiiiiiiiiiiiiiiii ddddd", "ADR", adr),
    row("1 ii 10000 iiiiiiiiiiiiiiiiiii ddddd", "ADRP", adr_page),
    row("f o s 100010 h iiiiiiiiiiii nnnnn ddddd", "ADD, SUB (immediate)", add_immediate),
    row("f o s 01011 hh 0 mmmmm iiiiii nnnnn ddddd", "ADD, SUB (shifted register)", add_shifted),
    row("f o 0 01011 00 1 mmmmm 01x iii nnnnn ddddd", "ADD, SUB (extended register)", add_extended),
    row("f 0 0 11010000 mmmmm 000000 nnnnn ddddd", "ADC", |w| {
        Some(Instruction::AddCarry { width: width(w), rd: rd(w), rn: rn(w), rm: rm(w) })
    }),
    row("f oo 100100 N rrrrrr ssssss nnnnn ddddd", "AND, ORR, EOR (immediate)", logic_immediate),
    row("f oo 01010 hh N mmmmm iiiiii nnnnn ddddd", "AND, ORR, EOR (shifted register)", logic_shifted),
    row("f oo 100101 hh iiiiiiiiiiiiiiii ddddd", "MOVZ, MOVN, MOVK", move_wide),
    row("f oo 100110 N rrrrrr ssssss nnnnn ddddd", "SBFM, BFM, UBFM", bitfield),
    row("f 00 100111 N 0 mmmmm ssssss nnnnn ddddd", "EXTR", extract),
    row("f 1 0 11010110 00000 0000 oo nnnnn ddddd", "REV", reverse),
    row("f o 0 11010100 mmmmm cccc 0 x nnnnn ddddd", "CSEL", select),
    row("f 00 11011 000 mmmmm o aaaaa nnnnn ddddd", "MADD, MSUB", |w| {
        let (width, subtract, ra) = (width(w), bit(w, 15), bits(w, 14, 10));
        Some(Instruction::MultiplyAdd { width, subtract, rd: rd(w), rn: rn(w), rm: rm(w), ra })
    }),
    row("f 0 0 11010110 mmmmm 000010 nnnnn ddddd", "UDIV", |w| {
        Some(Instruction::Divide { width: width(w), rd: rd(w), rn: rn(w), rm: rm(w) })
    }),
    row("000101 iiiiiiiiiiiiiiiiiiiiiiiiii", "B", |w| Some(Instruction::Branch { offset: signed(w, 25, 0) * 4 })),
    row("100101 iiiiiiiiiiiiiiiiiiiiiiiiii", "BL", |w| Some(Instruction::Call { offset: signed(w, 25, 0) * 4 })),
    row("01010100 iiiiiiiiiiiiiiiiiii 0 cccc", "B.cond", |w| {
        Some(Instruction::BranchIf { condition: condition(bits(w, 3, 0))?, offset: signed(w, 23, 5) * 4 })
    }),
    row("f 011010 o iiiiiiiiiiiiiiiiiii ttttt", "CBZ, CBNZ", |w| {
        Some(Instruction::BranchZero { width: width(w), nonzero: bit(w, 24), rt: rd(w), offset: signed(w, 23, 5) * 4 })
    }),
    row("b 011011 o bbbbb iiiiiiiiiiiiii ttttt", "TBZ, TBNZ", |w| {
        let tested = bits(w, 31, 31) << 5 | bits(w, 23, 19);
        Some(Instruction::BranchBit { bit: tested, set: bit(w, 24), rt: rd(w), offset: signed(w, 18, 5) * 4 })
    }),
    row("1101011 0 0 10 11111 0000 0 0 nnnnn 00000", "RET", |w| Some(Instruction::Return { rn: rn(w) })),
    // Loads and stores.
    row("zz 111 0 01 0 o iiiiiiiiiiii nnnnn ttttt", "LDR, STR (unsigned offset)", |w| {
        let moved = general(bits(w, 31, 30));
        load_store(w, moved, Mode::Offset, i64::from(bits(w, 21, 10) * moved.bytes()))
    }),
    row("zz 111 0 00 0 o 0 iiiiiiiii 00 nnnnn ttttt", "LDUR, STUR", |w| {
        load_store(w, general(bits(w, 31, 30)), Mode::Offset, signed(w, 20, 12))
    }),
    row("zz 111 0 00 0 o 0 iiiiiiiii x1 nnnnn ttttt", "LDR, STR (writeback)", |w| {
        // With rt = rn what is loaded, stored or left in the base is not told by the manual.
        if rn(w) == rd(w) && rn(w) != 31 { return None; }
        load_store(w, general(bits(w, 31, 30)), writeback(bit(w, 11)), signed(w, 20, 12))
    }),
    row("zz 111 0 00 0 o 1 mmmmm 011 s 10 nnnnn ttttt", "LDR, STR (register)", |w| {
        let (moved, scaled) = (general(bits(w, 31, 30)), bit(w, 12));
        let left = if scaled { bits(w, 31, 30) } else { 0 };
        Some(Instruction::LoadStoreIndexed { load: bit(w, 22), moved, rt: rd(w), rn: rn(w), rm: rm(w), left })
    }),
    row("zz 111 1 01 x o iiiiiiiiiiii nnnnn ttttt", "LDR, STR (unsigned offset, vector)", |w| {
        let moved = vector(bits(w, 31, 30), bit(w, 23))?;
        load_store(w, moved, Mode::Offset, i64::from(bits(w, 21, 10) * moved.bytes()))
    }),
    row("zz 111 1 00 x o 0 iiiiiiiii 00 nnnnn ttttt", "LDUR, STUR (vector)", |w| {
        load_store(w, vector(bits(w, 31, 30), bit(w, 23))?, Mode::Offset, signed(w, 20, 12))
    }),
    row("zz 111 1 00 x o 0 iiiiiiiii x1 nnnnn ttttt", "LDR, STR (writeback, vector)", |w| {
        load_store(w, vector(bits(w, 31, 30), bit(w, 23))?, writeback(bit(w, 11)), signed(w, 20, 12))
    }),
    row("x0 101 0 0xx o iiiiiii ttttt nnnnn ttttt", "LDP, STP", |w| {
        let bytes = if bit(w, 31) { 8 } else { 4 };
        pair(w, Moved::General { bytes })
    }),
    row("zz 101 1 0xx o iiiiiii ttttt nnnnn ttttt", "LDP, STP (vector)", |w| {
        let bytes = 4 << bits(w, 31, 30);
        if bytes > 16 { return None; }
        pair(w, Moved::Vector { bytes })
    }),
    row("0 x 011 0 00 iiiiiiiiiiiiiiiiiii ttttt", "LDR (literal)", |w| {
        literal(w, Moved::General { bytes: if bit(w, 30) { 8 } else { 4 } })
    }),
    row("zz 011 1 00 iiiiiiiiiiiiiiiiiii ttttt", "LDR (literal, vector)", |w| {
        let bytes = 4 << bits(w, 31, 30);
        if bytes > 16 { return None; }
        literal(w, Moved::Vector { bytes })
    }),
    row("0 Q 0011000 L 000000 oooo zz nnnnn ttttt", "LD1, ST1", |w| multiple(w, false)),
    row("0 Q 0011001 L 0 11111 oooo zz nnnnn ttttt", "LD1, ST1 (writeback)", |w| multiple(w, true)),
    row("0 Q 0011000 L 000000 1000 zz nnnnn ttttt", "LD2, ST2", |w| multiple_two(w, false)),
    row("0 Q 0011001 L 0 11111 1000 zz nnnnn ttttt", "LD2, ST2 (writeback)", |w| multiple_two(w, true)),
    row("0 Q 0011010 1 c 00000 11c 0 zz nnnnn ttttt", "LD1R to LD4R", |w| Some(replicate(w, false))),
    row("0 Q 0011011 1 c 11111 11c 0 zz nnnnn ttttt", "LD1R to LD4R (writeback)", |w| Some(replicate(w, true))),
    // Vectors.
    row("0 Q U 01110 zz 1 mmmmm 10000 1 nnnnn ddddd", "ADD, SUB (vector)", lanes),
    row("0 Q U 01110 zz 1 mmmmm 00011 1 nnnnn ddddd", "AND, BIC, ORR, ORN, EOR, BSL, BIT, BIF", vector_logic),
    row("0 Q 0 01110 00 1 mmmmm 10001 1 nnnnn ddddd", "CMTST (bytes)", |w| {
        let width = vector_width(w);
        Some(Instruction::Lanes { operation: Lanes::Test, width, element: 8, rd: rd(w), rn: rn(w), rm: rm(w) })
    }),
    row("0 Q 1 01111 0 iiii iii 00000 1 nnnnn ddddd", "USHR", |w| vector_shift(w, VectorShift::Right)),
    row("0 Q 1 01111 0 iiii iii 00010 1 nnnnn ddddd", "USRA", |w| vector_shift(w, VectorShift::RightAdd)),
    row("0 Q 0 01111 0 iiii iii 01010 1 nnnnn ddddd", "SHL", |w| vector_shift(w, VectorShift::Left)),
    row("0 Q 1 01111 0 iiii iii 01010 1 nnnnn ddddd", "SLI", |w| vector_shift(w, VectorShift::LeftInsert)),
    row("0 Q 1 01111 0 iiii iii 01000 1 nnnnn ddddd", "SRI", |w| vector_shift(w, VectorShift::RightInsert)),
    row("0 Q 1 01111 0 iiii iii 10100 1 nnnnn ddddd", "USHLL", |w| {
        let (element, value) = narrow_element(w)?;
        Some(Instruction::Widen { upper: bit(w, 30), element, rd: rd(w), rn: rn(w), by: value - element })
    }),
    row("0 Q 0 01111 0 iiii iii 10000 1 nnnnn ddddd", "SHRN", |w| {
        let (element, value) = narrow_element(w)?;
        Some(Instruction::Narrow { upper: bit(w, 30), element, rd: rd(w), rn: rn(w), by: 2 * element - value })
    }),
    row("0 Q 0 01110 zz 0 mmmmm 0 xxx 10 nnnnn ddddd", "UZP, TRN, ZIP", permute),
    row("0 Q 1 01110 00 0 mmmmm 0 iiii 0 nnnnn ddddd", "EXT", |w| {
        let (width, from) = (vector_width(w), bits(w, 14, 11));
        if width == 64 && from >= 8 { return None; }
        Some(Instruction::VectorExtract { width, rd: rd(w), rn: rn(w), rm: rm(w), from: from * 8 })
    }),
    row("0 Q 0 01110 00 0 mmmmm 0 ll 0 00 nnnnn ddddd", "TBL", |w| {
        let count = bits(w, 14, 13) + 1;
        Some(Instruction::Table { width: vector_width(w), count, rd: rd(w), rn: rn(w), rm: rm(w) })
    }),
    row("0 Q 0 01110 zz 10000 00000 10 nnnnn ddddd", "REV64", |w| vector_reverse(w, 64)),
    row("0 Q 1 01110 zz 10000 00000 10 nnnnn ddddd", "REV32", |w| vector_reverse(w, 32)),
    row("0 Q 0 01110 zz 10000 00001 10 nnnnn ddddd", "REV16", |w| vector_reverse(w, 16)),
    row("0 Q 0 01110 000 iiiii 0 0000 1 nnnnn ddddd", "DUP (element)", |w| {
        let (element, index) = element_index(w)?;
        let width = vector_width(w);
        if element == 64 && width == 64 { return None; }
        Some(Instruction::DuplicateElement { scalar: false, width, element, rd: rd(w), rn: rn(w), index })
    }),
    row("01 0 11110 000 iiiii 0 0000 1 nnnnn ddddd", "DUP (element, scalar)", |w| {
        let (element, index) = element_index(w)?;
        Some(Instruction::DuplicateElement { scalar: true, width: element, element, rd: rd(w), rn: rn(w), index })
    }),
    row("0 Q 0 01110 000 iiiii 0 0001 1 nnnnn ddddd", "DUP (general)", |w| {
        let (element, _) = element_index(w)?;
        let width = vector_width(w);
        if element == 64 && width == 64 { return None; }
        Some(Instruction::DuplicateGeneral { width, element, rd: rd(w), rn: rn(w) })
    }),
    row("0 1 1 01110 000 iiiii 0 jjjj 1 nnnnn ddddd", "INS (element)", |w| {
        let (element, to) = element_index(w)?;
        let from = bits(w, 14, 11) >> (element / 8).trailing_zeros();
        Some(Instruction::InsertElement { element, rd: rd(w), rn: rn(w), to, from })
    }),
    row("0 1 0 01110 000 iiiii 0 0011 1 nnnnn ddddd", "INS (general)", |w| {
        let (element, to) = element_index(w)?;
        Some(Instruction::InsertGeneral { element, rd: rd(w), rn: rn(w), to })
    }),
    row("0 Q 0 01110 000 iiiii 0 0111 1 nnnnn ddddd", "UMOV", |w| {
        let (element, from) = element_index(w)?;
        if (element == 64) != bit(w, 30) { return None; }
        Some(Instruction::MoveElement { element, rd: rd(w), rn: rn(w), from })
    }),
    row("0 00 11110 00 1 00 11x 000000 nnnnn ddddd", "FMOV (32 bits, general)", |w| Some(between(w, 32, false))),
    row("1 00 11110 01 1 00 11x 000000 nnnnn ddddd", "FMOV (64 bits, general)", |w| Some(between(w, 64, false))),
    row("1 00 11110 10 1 01 11x 000000 nnnnn ddddd", "FMOV (upper half, general)", |w| Some(between(w, 64, true))),
    row("0 Q o 01111 00000 abc mmmm 0 1 defgh ddddd", "MOVI, MVNI", vector_immediate),
    // Cryptographic instructions.
    row("01001110 00 10100 001 oo 10 nnnnn ddddd", "AESE, AESD, AESMC, AESIMC", |w| {
        Some(Instruction::Aes { operation: AesOperation::of(bits(w, 13, 12)), rd: rd(w), rn: rn(w) })
    }),
    row("01011110 000 mmmmm 0 1 xx 00 nnnnn ddddd", "SHA256H, SHA256H2, SHA256SU1", |w| {
        let operation = match bits(w, 13, 12) {
            0 => Sha2::H256,
            1 => Sha2::SecondH256,
            2 => Sha2::Schedule256,
            _ => return None,
        };
        Some(Instruction::Sha2 { operation, rd: rd(w), rn: rn(w), rm: rm(w) })
    }),
    row("01011110 00 10100 00010 10 nnnnn ddddd", "SHA256SU0", |w| {
        Some(Instruction::Schedule256 { rd: rd(w), rn: rn(w) })
    }),
    row("11001110 011 mmmmm 10 00 xx nnnnn ddddd", "SHA512H, SHA512H2, SHA512SU1, RAX1", |w| {
        let operation = match bits(w, 11, 10) {
            0 => Sha2::H512,
            1 => Sha2::SecondH512,
            2 => Sha2::Schedule512,
            _ => return Some(Instruction::RotateXor { rd: rd(w), rn: rn(w), rm: rm(w) }),
        };
        Some(Instruction::Sha2 { operation, rd: rd(w), rn: rn(w), rm: rm(w) })
    }),
    row("11001110 11000000 100000 nnnnn ddddd", "SHA512SU0", |w| {
        Some(Instruction::Schedule512 { rd: rd(w), rn: rn(w) })
    }),
    row("11001110 000 mmmmm 0 aaaaa nnnnn ddddd", "EOR3", |w| {
        Some(Instruction::Xor3 { rd: rd(w), rn: rn(w), rm: rm(w), ra: bits(w, 14, 10) })
    }),
    row("11001110 001 mmmmm 0 aaaaa nnnnn ddddd", "BCAX", |w| {
        Some(Instruction::ClearXor { rd: rd(w), rn: rn(w), rm: rm(w), ra: bits(w, 14, 10) })
    }),
    row("11001110 100 mmmmm iiiiii nnnnn ddddd", "XAR", |w| {
        Some(Instruction::XorRotate { rd: rd(w), rn: rn(w), rm: rm(w), by: bits(w, 15, 10) })
    }),
];

const fn rd(word: u32) -> u32 {
    bits(word, 4, 0)
}

const fn rn(word: u32) -> u32 {
    bits(word, 9, 5)
}

const fn rm(word: u32) -> u32 {
    bits(word, 20, 16)
}

/// 32 or 64, by sf.
const fn width(word: u32) -> u32 {
    if bit(word, 31) { 64 } else { 32 }
}

/// 64 or 128, by Q.
const fn vector_width(word: u32) -> u32 {
    if bit(word, 30) { 128 } else { 64 }
}

/// AL and NV are left out: nothing needs them.
const fn condition(number: u32) -> Option<Condition> {
    if number < 14 { Some(Condition(number)) } else { None }
}

const fn shift(kind: u32, amount: u32) -> Shift {
    match kind {
        0 => Shift::Left(amount),
        1 => Shift::Right(amount),
        2 => Shift::Arithmetic(amount),
        _ => Shift::Rotate(amount),
    }
}

fn adr(w: u32) -> Option<Instruction> {
    Some(Instruction::Adr { rd: rd(w), offset: adr_immediate(w) })
}

fn adr_page(w: u32) -> Option<Instruction> {
    Some(Instruction::AdrPage { rd: rd(w), offset: adr_immediate(w) * 4096 })
}

fn adr_immediate(w: u32) -> i64 {
    signed(w, 23, 5) * 4 + i64::from(bits(w, 30, 29))
}

fn add_immediate(w: u32) -> Option<Instruction> {
    let immediate = bits(w, 21, 10) << if bit(w, 22) { 12 } else { 0 };
    let (width, subtract, flags) = (width(w), bit(w, 30), bit(w, 29));
    Some(Instruction::AddImmediate { width, subtract, flags, rd: rd(w), rn: rn(w), immediate })
}

fn add_shifted(w: u32) -> Option<Instruction> {
    let (width, kind, amount) = (width(w), bits(w, 23, 22), bits(w, 15, 10));
    if kind == 3 || amount >= width {
        return None;
    }
    let (subtract, flags, shift) = (bit(w, 30), bit(w, 29), shift(kind, amount));
    Some(Instruction::AddShifted { width, subtract, flags, rd: rd(w), rn: rn(w), rm: rm(w), shift })
}

/// UXTW and UXTX alone; without flags.
fn add_extended(w: u32) -> Option<Instruction> {
    let (width, left) = (width(w), bits(w, 12, 10));
    if left > 4 {
        return None;
    }
    let from = if bit(w, 13) && width == 64 { 64 } else { 32 };
    Some(Instruction::AddExtended { width, subtract: bit(w, 30), rd: rd(w), rn: rn(w), rm: rm(w), from, left })
}

/// DecodeBitMasks of the manual.
fn bit_mask(n: u32, rotate: u32, last: u32, width: u32) -> Option<u64> {
    let length = (n << 6 | !last & 0x3f).checked_ilog2().filter(|&length| length > 0)?;
    let element = 1 << length;
    let (last, rotate) = (last & (element - 1), rotate & (element - 1));
    if last == element - 1 {
        return None;
    }
    let run = (1u64 << (last + 1)) - 1;
    let all = crate::terms::repeat(u128::from(run), element, rotate) as u64;
    Some(if width == 32 { all & 0xffff_ffff } else { all })
}

fn logic_kind(w: u32) -> Logic {
    match bits(w, 30, 29) {
        0 => Logic::And,
        1 => Logic::Or,
        2 => Logic::Xor,
        _ => Logic::AndFlags,
    }
}

fn logic_immediate(w: u32) -> Option<Instruction> {
    let (width, n) = (width(w), bits(w, 22, 22));
    if width == 32 && n == 1 {
        return None;
    }
    let immediate = bit_mask(n, bits(w, 21, 16), bits(w, 15, 10), width)?;
    Some(Instruction::LogicImmediate { width, logic: logic_kind(w), rd: rd(w), rn: rn(w), immediate })
}

fn logic_shifted(w: u32) -> Option<Instruction> {
    let (width, amount) = (width(w), bits(w, 15, 10));
    if amount >= width {
        return None;
    }
    let (logic, invert, shift) = (logic_kind(w), bit(w, 21), shift(bits(w, 23, 22), amount));
    Some(Instruction::LogicShifted { width, logic, invert, rd: rd(w), rn: rn(w), rm: rm(w), shift })
}

fn move_wide(w: u32) -> Option<Instruction> {
    let kind = match bits(w, 30, 29) {
        0 => MoveWide::Not,
        2 => MoveWide::Zero,
        3 => MoveWide::Keep,
        _ => return None,
    };
    let (width, left) = (width(w), bits(w, 22, 21) * 16);
    if left >= width {
        return None;
    }
    Some(Instruction::MoveWide { width, kind, rd: rd(w), immediate: bits(w, 20, 5), left })
}

fn bitfield(w: u32) -> Option<Instruction> {
    let kind = match bits(w, 30, 29) {
        0 => Bitfield::Signed,
        1 => Bitfield::Insert,
        2 => Bitfield::Unsigned,
        _ => return None,
    };
    let (width, rotate, last) = (width(w), bits(w, 21, 16), bits(w, 15, 10));
    if bit(w, 22) != (width == 64) || rotate >= width || last >= width {
        return None;
    }
    Some(Instruction::Bitfield { width, kind, rd: rd(w), rn: rn(w), rotate, last })
}

fn extract(w: u32) -> Option<Instruction> {
    let (width, from) = (width(w), bits(w, 15, 10));
    if bit(w, 22) != (width == 64) || from >= width {
        return None;
    }
    Some(Instruction::Extract { width, rd: rd(w), rn: rn(w), rm: rm(w), from })
}

fn reverse(w: u32) -> Option<Instruction> {
    let width = width(w);
    let element = match bits(w, 11, 10) {
        1 => 16,
        2 => 32,
        3 if width == 64 => 64,
        _ => return None,
    };
    Some(Instruction::Reverse { width, element, rd: rd(w), rn: rn(w) })
}

fn select(w: u32) -> Option<Instruction> {
    let kind = match (bit(w, 30), bit(w, 10)) {
        (false, false) => Select::Plain,
        (false, true) => Select::Increment,
        (true, false) => Select::Invert,
        (true, true) => Select::Negate,
    };
    let condition = condition(bits(w, 15, 12))?;
    Some(Instruction::Select { width: width(w), kind, rd: rd(w), rn: rn(w), rm: rm(w), condition })
}

fn general(size: u32) -> Moved {
    Moved::General { bytes: 1 << size }
}

fn vector(size: u32, large: bool) -> Option<Moved> {
    match (size, large) {
        (0, true) => Some(Moved::Vector { bytes: 16 }),
        (_, false) => Some(Moved::Vector { bytes: 1 << size }),
        _ => None,
    }
}

fn writeback(before: bool) -> Mode {
    if before { Mode::Before } else { Mode::After }
}

fn load_store(w: u32, moved: Moved, mode: Mode, offset: i64) -> Option<Instruction> {
    Some(Instruction::LoadStore { load: bit(w, 22), moved, mode, rt: rd(w), rn: rn(w), offset })
}

fn pair(w: u32, moved: Moved) -> Option<Instruction> {
    let mode = match bits(w, 24, 23) {
        1 => Mode::After,
        2 => Mode::Offset,
        3 => Mode::Before,
        // Non-temporal.
        _ => return None,
    };
    let (load, rt, rt2, rn) = (bit(w, 22), rd(w), bits(w, 14, 10), rn(w));
    let overlap = mode != Mode::Offset && matches!(moved, Moved::General { .. }) && rn != 31 && (rt == rn || rt2 == rn);
    if (load && rt == rt2) || overlap {
        return None;
    }
    let offset = signed(w, 21, 15) * i64::from(moved.bytes());
    Some(Instruction::Pair { load, moved, mode, rt, rt2, rn, offset })
}

fn literal(w: u32, moved: Moved) -> Option<Instruction> {
    Some(Instruction::Literal { moved, rt: rd(w), offset: signed(w, 23, 5) * 4 })
}

/// LD1 and ST1 of one to four registers.
fn multiple(w: u32, after: bool) -> Option<Instruction> {
    let count = match bits(w, 15, 12) {
        0b0111 => 1,
        0b1010 => 2,
        0b0110 => 3,
        0b0010 => 4,
        _ => return None,
    };
    Some(Instruction::Multiple { load: bit(w, 22), count, bytes: vector_width(w) / 8, rt: rd(w), rn: rn(w), after })
}

/// LD2 and ST2 of two registers.
fn multiple_two(w: u32, after: bool) -> Option<Instruction> {
    let (width, element) = (vector_width(w), 8 << bits(w, 11, 10));
    if element == 64 && width == 64 {
        return None;
    }
    Some(Instruction::MultipleTwo { load: bit(w, 22), element, width, rt: rd(w), rn: rn(w), after })
}

/// One structure, to all lanes.
fn replicate(w: u32, after: bool) -> Instruction {
    let count = 1 + (bits(w, 13, 13) << 1 | bits(w, 21, 21));
    Instruction::Replicate { count, element: 8 << bits(w, 11, 10), width: vector_width(w), rt: rd(w), rn: rn(w), after }
}

fn lanes(w: u32) -> Option<Instruction> {
    let (width, element) = (vector_width(w), 8 << bits(w, 23, 22));
    if element == 64 && width == 64 {
        return None;
    }
    let operation = if bit(w, 29) { Lanes::Sub } else { Lanes::Add };
    Some(Instruction::Lanes { operation, width, element, rd: rd(w), rn: rn(w), rm: rm(w) })
}

fn vector_logic(w: u32) -> Option<Instruction> {
    let operation = VectorLogic::of(bit(w, 29), bits(w, 23, 22));
    Some(Instruction::VectorLogic { operation, width: vector_width(w), rd: rd(w), rn: rn(w), rm: rm(w) })
}

/// The element that immh tells, and immh:immb.
fn shift_element(w: u32) -> Option<(u32, u32)> {
    let immh = bits(w, 22, 19);
    let element = 8 << immh.checked_ilog2()?;
    Some((element, bits(w, 22, 16)))
}

fn narrow_element(w: u32) -> Option<(u32, u32)> {
    shift_element(w).filter(|&(element, _)| element < 64)
}

fn vector_shift(w: u32, operation: VectorShift) -> Option<Instruction> {
    let ((element, value), width) = (shift_element(w)?, vector_width(w));
    if element == 64 && width == 64 {
        return None;
    }
    let by = operation.amount(value, element);
    Some(Instruction::VectorShift { operation, width, element, rd: rd(w), rn: rn(w), by })
}

fn permute(w: u32) -> Option<Instruction> {
    let (width, element) = (vector_width(w), 8 << bits(w, 23, 22));
    if element == 64 && width == 64 {
        return None;
    }
    let kind = match bits(w, 13, 12) {
        1 => Permute::Unzip,
        2 => Permute::Transpose,
        3 => Permute::Zip,
        _ => return None,
    };
    Some(Instruction::Permute { kind, second: bit(w, 14), width, element, rd: rd(w), rn: rn(w), rm: rm(w) })
}

fn vector_reverse(w: u32, element: u32) -> Option<Instruction> {
    let unit = 8 << bits(w, 23, 22);
    if unit >= element {
        return None;
    }
    Some(Instruction::VectorReverse { width: vector_width(w), unit, element, rd: rd(w), rn: rn(w) })
}

/// The element and its index that imm5 tells.
fn element_index(w: u32) -> Option<(u32, u32)> {
    let imm5 = bits(w, 20, 16);
    let size = imm5.trailing_zeros();
    if size > 3 {
        return None;
    }
    Some((8 << size, imm5 >> (size + 1)))
}

fn between(w: u32, element: u32, upper: bool) -> Instruction {
    if bit(w, 16) {
        Instruction::MoveToVector { element, upper, rd: rd(w), rn: rn(w) }
    } else {
        Instruction::MoveFromVector { element, upper, rd: rd(w), rn: rn(w) }
    }
}

/// AdvSIMDExpandImm of the manual, for the forms that fill a register.
fn vector_immediate(w: u32) -> Option<Instruction> {
    let byte = u64::from(bits(w, 18, 16) << 5 | bits(w, 9, 5));
    let value = expand_immediate(bits(w, 15, 12), bit(w, 29), byte)?;
    let width = vector_width(w);
    Some(Instruction::VectorImmediate {
        width,
        rd: rd(w),
        value: crate::terms::repeat(value.into(), 64, 0) & crate::terms::ones(width),
    })
}
