//! Halfwords to instructions (Arm Architecture Reference Manual, F3).
//!
//! An instruction of one halfword is a number below 2^16; of one of two the first halfword is above the second. Instructions on
//! vectors have the fields of A32, whose table reads them.

use crate::a32;
use crate::a32::instruction::{Alu, Mode, Operand, Operation, Shift, ShiftBy};
use crate::encoding::{Encoding, bit, bits, signed};

/// What a block of IT is to an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// It may be anywhere.
    Anywhere,
    /// It may not be in one, or be the last there.
    Last,
    /// It may not be in one.
    Outside,
    /// It may be anywhere, and sets the flags outside only.
    FlagsOutside,
}

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// The number of its own condition; 14 is always.
    pub condition: u32,
    /// What it does.
    pub operation: Operation,
    /// Where it may be.
    pub place: Place,
}

/// IT, or another instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decoded {
    /// So many instructions behind it are conditional, each on the condition with this number.
    IfThen(Block),
    /// Any other.
    Instruction(Instruction),
}

/// The conditions of one to four instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    first: u32,
    mask: u32,
}

impl Block {
    /// The numbers of the conditions, in order.
    pub fn conditions(self) -> impl Iterator<Item = u32> {
        let Block { first, mask } = self;
        let others = (0..3 - mask.trailing_zeros()).map(move |n| first & 0b1110 | mask >> (3 - n) & 1);
        std::iter::once(first).chain(others)
    }
}

type Row = Encoding<Decoded>;

/// The bytes of an instruction, by its first halfword.
pub const fn length(first: u16) -> u64 {
    if first >> 11 >= 0b11101 { 4 } else { 2 }
}

/// The instruction of one or two halfwords, and what its class is called.
pub fn decode(word: u32) -> Option<(Decoded, &'static str)> {
    if let Some(same) = as_a32(word) {
        let (instruction, row) = a32::decode::decode(same)?;
        let operation = instruction.operation;
        return Some((
            Decoded::Instruction(Instruction { condition: 14, operation, place: Place::Anywhere }),
            row.class,
        ));
    }
    TABLE.iter().find_map(|row| row.decode(word).map(|decoded| (decoded, row.class)))
}

/// The word of A32 for an instruction on vectors (F3.1 and F4.1: the same fields, other bits in front).
pub const fn as_a32(word: u32) -> Option<u32> {
    match word >> 24 {
        // Data processing: U moves from bit 28 to bit 24.
        0xef | 0xff => Some(word & 0x00ff_ffff | 0xf200_0000 | (word >> 28 & 1) << 24),
        // Loads and stores of elements and structures.
        0xf9 if word >> 20 & 1 == 0 => Some(word & 0x00ff_ffff | 0xf400_0000),
        // Registers of VFP: the condition is "always". Bits 11 to 9 tell them from other coprocessors.
        0xec..=0xee if word >> 9 & 7 == 0b101 => Some(word),
        _ => None,
    }
}

/// The other way.
pub const fn from_a32(word: u32) -> Option<u32> {
    match word >> 24 {
        0xf2 | 0xf3 => Some(word & 0x00ff_ffff | 0xef00_0000 | (word >> 24 & 1) << 28),
        0xf4 if word >> 20 & 1 == 0 => Some(word & 0x00ff_ffff | 0xf900_0000),
        0xec..=0xee if word >> 9 & 7 == 0b101 => Some(word),
        _ => None,
    }
}

const fn row(pattern: &'static str, class: &'static str, decode: fn(u32) -> Option<Decoded>) -> Row {
    Encoding::new(pattern, class, decode)
}

/// A row for one halfword.
macro_rules! half {
    ($pattern:literal, $class:literal, $decode:expr) => {
        row(concat!("0000000000000000", $pattern), $class, $decode)
    };
}

const fn with(place: Place, operation: Operation) -> Option<Decoded> {
    Some(Decoded::Instruction(Instruction { condition: 14, operation, place }))
}

const fn anywhere(operation: Operation) -> Option<Decoded> {
    with(Place::Anywhere, operation)
}

/// Every class of instructions on general registers.
#[rustfmt::skip]
pub static TABLE: &[Row] = &[
    // One halfword.
    half!("000 oo iiiii mmm ddd", "LSL, LSR, ASR (immediate, 16 bits)", |w| {
        if bits(w, 12, 11) == 3 { return None; }
        let operand = Operand::Shifted(bits(w, 5, 3), shift(bits(w, 12, 11), bits(w, 10, 6)));
        flags_outside(Alu::Move, bits(w, 2, 0), 0, operand)
    }),
    half!("00011 0 o mmm nnn ddd", "ADD, SUB (register, 16 bits)", |w| {
        let operand = Operand::Shifted(bits(w, 8, 6), Shift::Left(0));
        flags_outside(if bit(w, 9) { Alu::Sub } else { Alu::Add }, bits(w, 2, 0), bits(w, 5, 3), operand)
    }),
    half!("00011 1 o iii nnn ddd", "ADD, SUB (3-bit immediate, 16 bits)", |w| {
        let operand = Operand::Immediate(bits(w, 8, 6), None);
        flags_outside(if bit(w, 9) { Alu::Sub } else { Alu::Add }, bits(w, 2, 0), bits(w, 5, 3), operand)
    }),
    half!("001 oo ddd iiiiiiii", "MOV, CMP, ADD, SUB (8-bit immediate, 16 bits)", |w| {
        let (rd, operand) = (bits(w, 10, 8), Operand::Immediate(bits(w, 7, 0), None));
        match bits(w, 12, 11) {
            0 => flags_outside(Alu::Move, rd, 0, operand),
            1 => anywhere(Operation::Alu { alu: Alu::Compare, flags: true, rd: 0, rn: rd, operand }),
            2 => flags_outside(Alu::Add, rd, rd, operand),
            _ => flags_outside(Alu::Sub, rd, rd, operand),
        }
    }),
    half!("010000 oooo mmm ddd", "data processing (register, 16 bits)", |w| {
        let (rd, rm) = (bits(w, 2, 0), bits(w, 5, 3));
        let operand = Operand::Shifted(rm, Shift::Left(0));
        let compare = |alu| anywhere(Operation::Alu { alu, flags: true, rd: 0, rn: rd, operand });
        let by = |kind| with(Place::FlagsOutside, Operation::ShiftBy { kind, flags: true, rd, rn: rd, rm });
        match bits(w, 9, 6) {
            0 => flags_outside(Alu::And, rd, rd, operand),
            1 => flags_outside(Alu::Xor, rd, rd, operand),
            2 => by(ShiftBy::Left),
            3 => by(ShiftBy::Right),
            4 => by(ShiftBy::Arithmetic),
            5 => flags_outside(Alu::AddCarry, rd, rd, operand),
            6 => flags_outside(Alu::SubCarry, rd, rd, operand),
            7 => by(ShiftBy::Rotate),
            8 => compare(Alu::Test),
            9 => flags_outside(Alu::ReverseSub, rd, rm, Operand::Immediate(0, None)),
            10 => compare(Alu::Compare),
            11 => compare(Alu::CompareNegative),
            12 => flags_outside(Alu::Or, rd, rd, operand),
            13 => with(Place::FlagsOutside, Operation::Multiply { flags: true, rd, rn: rm, rm: rd }),
            14 => flags_outside(Alu::AndNot, rd, rd, operand),
            _ => flags_outside(Alu::MoveNot, rd, 0, operand),
        }
    }),
    half!("01000100 D mmmm ddd", "ADD (high registers)", |w| {
        let (rd, rm) = (general(high(w))?, bits(w, 6, 3));
        anywhere(Operation::Alu { alu: Alu::Add, flags: false, rd, rn: rd, operand: Operand::Shifted(rm, Shift::Left(0)) })
    }),
    half!("01000101 N mmmm nnn", "CMP (high registers)", |w| {
        let (rn, rm) = (not_pc(high(w))?, not_pc(bits(w, 6, 3))?);
        if rn < 8 && rm < 8 { return None; }
        anywhere(Operation::Alu { alu: Alu::Compare, flags: true, rd: 0, rn, operand: Operand::Shifted(rm, Shift::Left(0)) })
    }),
    half!("01000110 D mmmm ddd", "MOV (high registers)", |w| {
        let (rd, rm) = (not_pc(high(w))?, bits(w, 6, 3));
        if rd == 13 && (rm == 13 || rm == 15) { return None; }
        anywhere(Operation::Alu { alu: Alu::Move, flags: false, rd, rn: 0, operand: Operand::Shifted(rm, Shift::Left(0)) })
    }),
    half!("01000111 0 mmmm 000", "BX", |w| with(Place::Last, Operation::Exchange { rm: bits(w, 6, 3) })),
    half!("01001 ttt iiiiiiii", "LDR (literal, 16 bits)", |w| {
        load_store(true, 4, Mode::Offset, bits(w, 10, 8), 15, i64::from(bits(w, 7, 0)) * 4)
    }),
    half!("0101 ooo mmm nnn ttt", "LDR, STR, LDRH, STRH, LDRB, STRB (register, 16 bits)", |w| {
        let (load, bytes) = match bits(w, 11, 9) {
            0 => (false, 4),
            1 => (false, 2),
            2 => (false, 1),
            4 => (true, 4),
            5 => (true, 2),
            6 => (true, 1),
            // LDRSB, LDRSH.
            _ => return None,
        };
        anywhere(Operation::LoadStoreIndexed { load, bytes, rt: bits(w, 2, 0), rn: bits(w, 5, 3), rm: bits(w, 8, 6) })
    }),
    half!("1000 L iiiii nnn ttt", "LDRH, STRH (immediate, 16 bits)", |w| {
        load_store(bit(w, 11), 2, Mode::Offset, bits(w, 2, 0), bits(w, 5, 3), i64::from(bits(w, 10, 6)) * 2)
    }),
    half!("011 B L iiiii nnn ttt", "LDR, STR, LDRB, STRB (immediate, 16 bits)", |w| {
        let bytes = if bit(w, 12) { 1 } else { 4 };
        load_store(bit(w, 11), bytes, Mode::Offset, bits(w, 2, 0), bits(w, 5, 3), i64::from(bits(w, 10, 6) * bytes))
    }),
    half!("1001 L ttt iiiiiiii", "LDR, STR (SP, 16 bits)", |w| {
        load_store(bit(w, 11), 4, Mode::Offset, bits(w, 10, 8), 13, i64::from(bits(w, 7, 0)) * 4)
    }),
    half!("10100 ddd iiiiiiii", "ADR (16 bits)", |w| {
        anywhere(Operation::Address { rd: bits(w, 10, 8), offset: i64::from(bits(w, 7, 0)) * 4 })
    }),
    half!("10101 ddd iiiiiiii", "ADD (SP and immediate, 16 bits)", |w| {
        add_immediate(false, bits(w, 10, 8), 13, bits(w, 7, 0) * 4)
    }),
    half!("10110000 o iiiiiii", "ADD, SUB (SP, 16 bits)", |w| add_immediate(bit(w, 7), 13, 13, bits(w, 6, 0) * 4)),
    half!("1011 o0i1 iiiii nnn", "CBZ, CBNZ", |w| {
        let offset = i64::from(bits(w, 9, 9) << 6 | bits(w, 7, 3) << 1) + 4;
        with(Place::Outside, Operation::BranchZero { nonzero: bit(w, 11), rn: bits(w, 2, 0), offset })
    }),
    half!("1011 1010 00 mmm ddd", "REV (16 bits)", |w| {
        anywhere(Operation::Reverse { rd: bits(w, 2, 0), rm: bits(w, 5, 3) })
    }),
    half!("1011 0 10 M rrrrrrrr", "PUSH (16 bits)", |w| {
        multiple(false, 13, bits(w, 8, 8) << 14 | bits(w, 7, 0), false, true)
    }),
    half!("1011 1 10 0 rrrrrrrr", "POP (16 bits)", |w| multiple(true, 13, bits(w, 7, 0), true, true)),
    half!("1011 1 10 1 rrrrrrrr", "POP (return, 16 bits)", |w| multiple(true, 13, 1 << 15 | bits(w, 7, 0), true, true)),
    half!("1011 1111 0000 0000", "NOP (16 bits)", |_| anywhere(Operation::Nop)),
    half!("1011 1111 cccc mmmm", "IT", |w| {
        let (first, mask) = (bits(w, 7, 4), bits(w, 3, 0));
        if mask == 0 || first == 15 || (first == 14 && mask.count_ones() != 1) { return None; }
        Some(Decoded::IfThen(Block { first, mask }))
    }),
    half!("1100 L nnn rrrrrrrr", "LDM, STM (16 bits)", |w| {
        let (load, rn, list) = (bit(w, 11), bits(w, 10, 8), bits(w, 7, 0));
        // What a store leaves of the base in memory is not told if it is not the first.
        if !load && list >> rn & 1 == 1 { return None; }
        multiple(load, rn, list, true, list >> rn & 1 == 0)
    }),
    half!("1101 cccc iiiiiiii", "B (condition, 16 bits)", |w| conditional_branch(bits(w, 11, 8), signed(w, 7, 0) * 2)),
    half!("11100 iiiiiiiiiii", "B (16 bits)", |w| with(Place::Last, Operation::Branch { offset: signed(w, 10, 0) * 2 + 4 })),
    // Two halfwords.
    row("1110 100 P U 0 W L nnnn 0rrrrrrrrrrrrrrr", "LDM, STM", long_multiple),
    row("1110 100 P U 0 W 1 nnnn 1rrrrrrrrrrrrrrr", "LDM (return)", long_multiple),
    row("1110 100 P U 1 W L nnnn tttt uuuu iiiiiiii", "LDRD, STRD", |w| {
        let (load, rt, rt2) = (bit(w, 20), general(bits(w, 15, 12))?, general(bits(w, 11, 8))?);
        let (mode, rn) = (mode(bit(w, 24), bit(w, 21))?, bits(w, 19, 16));
        let changes = mode != Mode::Offset;
        if (load && rt == rt2) || (changes && (rn == rt || rn == rt2)) { return None; }
        if rn == 15 && (changes || !load) { return None; }
        anywhere(Operation::LoadStorePair { load, mode, rt, rt2, rn, offset: up(bit(w, 23), bits(w, 7, 0) * 4) })
    }),
    row("1110 1010 1100 nnnn 0 iii dddd ii t 0 mmmm", "PKHBT, PKHTB", |w| {
        let (rd, rn, rm) = (general(bits(w, 11, 8))?, general(bits(w, 19, 16))?, general(bits(w, 3, 0))?);
        let (top, by) = (bit(w, 5), shift_amount(w));
        let by = if top && by == 0 { 32 } else { by };
        anywhere(Operation::PackHalves { top, rd, rn, rm, by })
    }),
    row("1110 101 oooo S nnnn 0 iii dddd ii tt mmmm", "data processing (shifted register)", |w| {
        let rm = bits(w, 3, 0);
        let shift = shift(bits(w, 5, 4), shift_amount(w));
        // MOV between registers may have SP on one side.
        let to_or_from_sp = bits(w, 24, 21) == 2 && bits(w, 20, 16) == 15 && shift == Shift::Left(0) && bits(w, 11, 8) != 13;
        if general(rm).is_none() && !(to_or_from_sp && rm == 13) { return None; }
        data_processing(w, Operand::Shifted(rm, shift), shift == Shift::Left(0))
    }),
    row("11110 i 0 oooo S nnnn 0 iii dddd iiiiiiii", "data processing (modified immediate)", |w| {
        let (value, carry) = expand(w)?;
        data_processing(w, Operand::Immediate(value, carry), true)
    }),
    row("11110 i 1 0 o 0 o 0 nnnn 0 iii dddd iiiiiiii", "ADDW, SUBW, ADR", |w| {
        let (subtract, rn, rd, immediate) = (bit(w, 23), bits(w, 19, 16), bits(w, 11, 8), plain(w));
        if bit(w, 21) != subtract || rd == 15 { return None; }
        if rn == 15 {
            return anywhere(Operation::Address { rd: general(rd)?, offset: up(!subtract, immediate) });
        }
        if rd == 13 && rn != 13 { return None; }
        add_immediate(subtract, rd, rn, immediate)
    }),
    row("11110 i 1 0 t 1 0 0 iiii 0 iii dddd iiiiiiii", "MOVW, MOVT", |w| {
        anywhere(Operation::MoveWide { top: bit(w, 23), rd: general(bits(w, 11, 8))?, immediate: bits(w, 19, 16) << 12 | plain(w) })
    }),
    row("1111 0011 0110 nnnn 0 iii dddd ii 0 mmmmm", "BFI", |w| {
        let (low, last) = (shift_amount(w), bits(w, 4, 0));
        if last < low { return None; }
        let (rd, rn) = (general(bits(w, 11, 8))?, general(bits(w, 19, 16))?);
        anywhere(Operation::InsertBits { rd, rn, low, width: last - low + 1 })
    }),
    row("1111 0011 u100 nnnn 0 iii dddd ii 0 wwwww", "UBFX, SBFX", |w| {
        let (low, width) = (shift_amount(w), bits(w, 4, 0) + 1);
        if low + width > 32 { return None; }
        let (rd, rn) = (general(bits(w, 11, 8))?, general(bits(w, 19, 16))?);
        anywhere(Operation::ExtractBits { signed: !bit(w, 23), rd, rn, low, width })
    }),
    row("1111 1010 0 tt S nnnn 1111 dddd 0000 mmmm", "LSL, LSR, ASR, ROR (register)", |w| {
        let (rd, rn, rm) = (general(bits(w, 11, 8))?, general(bits(w, 19, 16))?, general(bits(w, 3, 0))?);
        let kind = match bits(w, 22, 21) {
            0 => ShiftBy::Left,
            1 => ShiftBy::Right,
            2 => ShiftBy::Arithmetic,
            _ => ShiftBy::Rotate,
        };
        anywhere(Operation::ShiftBy { kind, flags: bit(w, 20), rd, rn, rm })
    }),
    row("1111 1011 0000 nnnn aaaa dddd 000 s mmmm", "MUL, MLA, MLS", |w| {
        let (rd, rn, rm) = (general(bits(w, 11, 8))?, general(bits(w, 19, 16))?, general(bits(w, 3, 0))?);
        let (ra, subtract) = (bits(w, 15, 12), bit(w, 4));
        if ra == 15 && !subtract {
            return anywhere(Operation::Multiply { flags: false, rd, rn, rm });
        }
        anywhere(Operation::MultiplyAdd { subtract, rd, rn, rm, ra: general(ra)? })
    }),
    row("1111 0011 1010 1111 1000 0000 0000 0000", "NOP", |_| anywhere(Operation::Nop)),
    row("1111 0011 1011 1111 1000 1111 0101 oooo", "DMB", |w| (bits(w, 1, 0) >= 2).then_some(Operation::Nop).and_then(anywhere)),
    row("11110 S cccc iiiiii 10 J 0 K iiiiiiiiiii", "B (condition)", |w| {
        let high = bits(w, 26, 26) << 19 | bits(w, 11, 11) << 18 | bits(w, 13, 13) << 17 | bits(w, 21, 16) << 11;
        conditional_branch(bits(w, 25, 22), signed(high | bits(w, 10, 0), 19, 0) * 2)
    }),
    row("11110 S iiiiiiiiii 10 J 1 K iiiiiiiiiii", "B", |w| {
        let sign = bits(w, 26, 26);
        let [first, second] = [13, 11].map(|at| !(bits(w, at, at) ^ sign) & 1);
        let high = sign << 23 | first << 22 | second << 21 | bits(w, 25, 16) << 11;
        with(Place::Last, Operation::Branch { offset: signed(high | bits(w, 10, 0), 23, 0) * 2 + 4 })
    }),
    row("1111 1000 1 zz L nnnn tttt iiiiiiiiiiii", "LDR, STR, LDRH, STRH, LDRB, STRB (12-bit immediate)", |w| {
        // Of PC it is a literal.
        let rn = not_pc(bits(w, 19, 16))?;
        load_store(bit(w, 20), size(w)?, Mode::Offset, transferred(w)?, rn, i64::from(bits(w, 11, 0)))
    }),
    row("1111 1000 U zz 1 1111 tttt iiiiiiiiiiii", "LDR, LDRH, LDRB (literal)", |w| {
        load_store(true, size(w)?, Mode::Offset, transferred(w)?, 15, up(bit(w, 23), bits(w, 11, 0)))
    }),
    row("1111 1000 0 zz L nnnn tttt 1PUW iiiiiiii", "LDR, STR, LDRH, STRH, LDRB, STRB (8-bit immediate)", |w| {
        let (rn, rt) = (not_pc(bits(w, 19, 16))?, transferred(w)?);
        let (mode, upwards) = (mode(bit(w, 10), bit(w, 8))?, bit(w, 9));
        // Upwards without a change of the base it is an access without privileges.
        if (mode == Mode::Offset && upwards) || (mode != Mode::Offset && rn == rt) { return None; }
        load_store(bit(w, 20), size(w)?, mode, rt, rn, up(upwards, bits(w, 7, 0)))
    }),
    row("1111 1000 0 zz L nnnn tttt 0 00000 00 mmmm", "LDR, STR, LDRH, STRH, LDRB, STRB (register)", |w| {
        let (rn, rt, rm) = (not_pc(bits(w, 19, 16))?, transferred(w)?, general(bits(w, 3, 0))?);
        anywhere(Operation::LoadStoreIndexed { load: bit(w, 20), bytes: size(w)?, rt, rn, rm })
    }),
    row("1111 1010 1001 mmmm 1111 dddd 1000 nnnn", "REV", |w| {
        let (rd, rm) = (general(bits(w, 11, 8))?, general(bits(w, 3, 0))?);
        if bits(w, 19, 16) != rm { return None; }
        anywhere(Operation::Reverse { rd, rm })
    }),
];

const fn not_pc(register: u32) -> Option<u32> {
    if register == 15 { None } else { Some(register) }
}

/// Most instructions may use neither SP nor PC.
const fn general(register: u32) -> Option<u32> {
    if register == 13 || register == 15 { None } else { Some(register) }
}

/// The register whose highest bit is apart.
const fn high(w: u32) -> u32 {
    bits(w, 7, 7) << 3 | bits(w, 2, 0)
}

const fn shift_amount(w: u32) -> u32 {
    bits(w, 14, 12) << 2 | bits(w, 7, 6)
}

/// SP may be transferred as a word.
const fn transferred(w: u32) -> Option<u32> {
    if bit(w, 22) { not_pc(bits(w, 15, 12)) } else { general(bits(w, 15, 12)) }
}

/// Bytes that are moved.
const fn size(w: u32) -> Option<u32> {
    match bits(w, 22, 21) {
        3 => None,
        log => Some(1 << log),
    }
}

const fn plain(w: u32) -> u32 {
    bits(w, 26, 26) << 11 | bits(w, 14, 12) << 8 | bits(w, 7, 0)
}

const fn up(upwards: bool, offset: u32) -> i64 {
    if upwards { offset as i64 } else { -(offset as i64) }
}

const fn mode(before: bool, changes: bool) -> Option<Mode> {
    match (before, changes) {
        (true, false) => Some(Mode::Offset),
        (true, true) => Some(Mode::Before),
        (false, true) => Some(Mode::After),
        (false, false) => None,
    }
}

/// DecodeImmShift of the manual.
const fn shift(kind: u32, amount: u32) -> Shift {
    a32::decode::shift(kind, amount)
}

/// T32ExpandImm_C of the manual: the value, and the carry that a rotation makes.
fn expand(w: u32) -> Option<(u32, Option<bool>)> {
    let (immediate, byte) = (plain(w), bits(w, 7, 0));
    let spread = match (bits(immediate, 11, 10), bits(immediate, 9, 8)) {
        (0, 0) => return Some((byte, None)),
        (0, 1) => byte * 0x0001_0001,
        (0, 2) => byte * 0x0100_0100,
        (0, _) => byte * 0x0101_0101,
        _ => {
            let value = (0x80 | byte & 0x7f).rotate_right(bits(immediate, 11, 7));
            return Some((value, Some(value >> 31 == 1)));
        }
    };
    (byte != 0).then_some((spread, None))
}

fn flags_outside(alu: Alu, rd: u32, rn: u32, operand: Operand) -> Option<Decoded> {
    with(Place::FlagsOutside, Operation::Alu { alu, flags: true, rd, rn, operand })
}

fn add_immediate(subtract: bool, rd: u32, rn: u32, immediate: u32) -> Option<Decoded> {
    let alu = if subtract { Alu::Sub } else { Alu::Add };
    anywhere(Operation::Alu { alu, flags: false, rd, rn, operand: Operand::Immediate(immediate, None) })
}

fn load_store(load: bool, bytes: u32, mode: Mode, rt: u32, rn: u32, offset: i64) -> Option<Decoded> {
    anywhere(Operation::LoadStore { load, bytes, mode, rt, rn, offset })
}

fn multiple(load: bool, rn: u32, list: u32, upwards: bool, updates: bool) -> Option<Decoded> {
    if list == 0 {
        return None;
    }
    let bytes = i64::from(list.count_ones()) * 4;
    let (start, moved) = if upwards { (0, bytes) } else { (-bytes, -bytes) };
    let place = if list >> 15 == 1 { Place::Last } else { Place::Anywhere };
    with(place, Operation::Multiple { load, rn, list, start, update: updates.then_some(moved) })
}

fn long_multiple(w: u32) -> Option<Decoded> {
    let (load, updates, rn, list) = (bit(w, 20), bit(w, 21), not_pc(bits(w, 19, 16))?, bits(w, 15, 0));
    let return_and_link = list >> 14 == 0b11;
    if bit(w, 24) == bit(w, 23) || list.count_ones() < 2 || list >> 13 & 1 == 1 || return_and_link {
        return None;
    }
    if updates && list >> rn & 1 == 1 {
        return None;
    }
    multiple(load, rn, list, bit(w, 23), updates)
}

fn conditional_branch(condition: u32, offset: i64) -> Option<Decoded> {
    // 14 is undefined, 15 is SVC; or both are of other instructions.
    let instruction =
        Instruction { condition, operation: Operation::Branch { offset: offset + 4 }, place: Place::Outside };
    (condition < 14).then_some(Decoded::Instruction(instruction))
}

/// The instructions on two registers and an operand, all of which have the same fields but for the operand.
fn data_processing(w: u32, operand: Operand, sp_is_possible: bool) -> Option<Decoded> {
    let (number, flags, rn, rd) = (bits(w, 24, 21), bit(w, 20), bits(w, 19, 16), bits(w, 11, 8));
    let compare = |alu, rn| anywhere(Operation::Alu { alu, flags: true, rd: 0, rn, operand });
    let make = |alu, rd, rn| anywhere(Operation::Alu { alu, flags, rd, rn, operand });
    match (number, rd, rn) {
        (0, 15, _) if flags => compare(Alu::Test, general(rn)?),
        (4, 15, _) if flags => compare(Alu::TestEqual, general(rn)?),
        (8, 15, _) if flags => compare(Alu::CompareNegative, not_pc(rn).filter(|&rn| rn != 13 || sp_is_possible)?),
        (13, 15, _) if flags => compare(Alu::Compare, not_pc(rn).filter(|&rn| rn != 13 || sp_is_possible)?),
        (0, ..) => make(Alu::And, general(rd)?, general(rn)?),
        (1, ..) => make(Alu::AndNot, general(rd)?, general(rn)?),
        (2, 13, 15) if !flags && matches!(operand, Operand::Shifted(_, Shift::Left(0))) => make(Alu::Move, 13, 0),
        (2, _, 15) => make(Alu::Move, general(rd)?, 0),
        (2, ..) => make(Alu::Or, general(rd)?, general(rn)?),
        (3, _, 15) => make(Alu::MoveNot, general(rd)?, 0),
        (3, ..) => make(Alu::OrNot, general(rd)?, general(rn)?),
        (4, ..) => make(Alu::Xor, general(rd)?, general(rn)?),
        // SP may be added to, and then also be the result.
        (8, 13, 13) if sp_is_possible => make(Alu::Add, 13, 13),
        (13, 13, 13) if sp_is_possible => make(Alu::Sub, 13, 13),
        (8, _, 13) if sp_is_possible => make(Alu::Add, general(rd)?, 13),
        (13, _, 13) if sp_is_possible => make(Alu::Sub, general(rd)?, 13),
        (8, ..) => make(Alu::Add, general(rd)?, general(rn)?),
        (10, ..) => make(Alu::AddCarry, general(rd)?, general(rn)?),
        (11, ..) => make(Alu::SubCarry, general(rd)?, general(rn)?),
        (13, ..) => make(Alu::Sub, general(rd)?, general(rn)?),
        (14, ..) => make(Alu::ReverseSub, general(rd)?, general(rn)?),
        // What lies between.
        _ => None,
    }
}
