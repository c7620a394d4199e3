//! Words to instructions (Arm Architecture Reference Manual, F4).

use super::instruction::{After, Alu, Exchange, Instruction, Mode, Operand, Operation, Sha256, Shift, Three};
use crate::aes::AesOperation;
use crate::encoding::{Encoding, bit, bits, signed};
use crate::vectors::{Lanes, VectorLogic, VectorShift, expand_immediate};

type Row = Encoding<Instruction>;

/// The instruction of a word, and the row that knows it.
pub fn decode(word: u32) -> Option<(Instruction, &'static Row)> {
    TABLE.iter().find_map(|row| row.decode(word).map(|instruction| (instruction, row)))
}

/// Whether a word is a branch to an address in a register that is linked; for a better message.
pub fn is_indirect_branch(word: u32) -> bool {
    word & 0x0fff_ffd0 == 0x012f_ff10
}

const fn row(pattern: &'static str, class: &'static str, decode: fn(u32) -> Option<Instruction>) -> Row {
    Encoding::new(pattern, class, decode)
}

/// An instruction with a condition. The condition 1111 marks another space of encodings.
fn conditional(w: u32, operation: Operation) -> Option<Instruction> {
    let condition = bits(w, 31, 28);
    (condition < 15).then_some(Instruction { condition, operation })
}

fn always(operation: Operation) -> Option<Instruction> {
    Some(Instruction { condition: 14, operation })
}

/// Every class.
#[rustfmt::skip]
pub static TABLE: &[Row] = &[
    row("cccc 0011 0010 0000 1111 0000 00000000", "NOP", |w| conditional(w, Operation::Nop)),
    row("cccc 0001 0010 1111 1111 1111 0001 mmmm", "BX", |w| conditional(w, Operation::Exchange { rm: bits(w, 3, 0) })),
    row("cccc 1010 iiiiiiiiiiiiiiiiiiiiiiii", "B", |w| {
        conditional(w, Operation::Branch { offset: signed(w, 23, 0) * 4 + 8 })
    }),
    row("cccc 000 oooo S nnnn dddd iiiii tt 0 mmmm", "data processing (register)", |w| {
        alu(w, Operand::Shifted(bits(w, 3, 0), shift(bits(w, 6, 5), bits(w, 11, 7))))
    }),
    row("cccc 001 oooo S nnnn dddd rrrr iiiiiiii", "data processing (immediate)", |w| {
        let (value, rotation) = (bits(w, 7, 0), 2 * bits(w, 11, 8));
        let value = value.rotate_right(rotation);
        alu(w, Operand::Immediate(value, (rotation > 0).then_some(value >> 31 == 1)))
    }),
    row("cccc 0011 0t00 iiii dddd iiiiiiiiiiii", "MOVW, MOVT", |w| {
        let immediate = bits(w, 19, 16) << 12 | bits(w, 11, 0);
        let rd = not_pc(bits(w, 15, 12))?;
        conditional(w, Operation::MoveWide { top: bit(w, 22), rd, immediate })
    }),
    row("cccc 0110 1011 1111 dddd 1111 0011 mmmm", "REV", |w| {
        conditional(w, Operation::Reverse { rd: not_pc(bits(w, 15, 12))?, rm: not_pc(bits(w, 3, 0))? })
    }),
    row("cccc 0110 1000 nnnn dddd iiiii t 01 mmmm", "PKHBT, PKHTB", |w| {
        let (rd, rn, rm) = (not_pc(bits(w, 15, 12))?, not_pc(bits(w, 19, 16))?, not_pc(bits(w, 3, 0))?);
        let (top, by) = (bit(w, 6), bits(w, 11, 7));
        let by = if top && by == 0 { 32 } else { by };
        conditional(w, Operation::PackHalves { top, rd, rn, rm, by })
    }),
    row("cccc 0111 110 mmmmm dddd lllll 001 nnnn", "BFI", |w| {
        let (last, low) = (bits(w, 20, 16), bits(w, 11, 7));
        if last < low { return None; }
        let (rd, rn) = (not_pc(bits(w, 15, 12))?, not_pc(bits(w, 3, 0))?);
        conditional(w, Operation::InsertBits { rd, rn, low, width: last - low + 1 })
    }),
    row("cccc 010 P U B W L nnnn tttt iiiiiiiiiiii", "LDR, STR", |w| {
        let (mode, rn, rt) = (mode(w)?, bits(w, 19, 16), not_pc(bits(w, 15, 12))?);
        let (load, bytes) = (bit(w, 20), if bit(w, 22) { 1 } else { 4 });
        if (mode != Mode::Offset && (rn == 15 || rn == rt)) || (rn == 15 && !load) { return None; }
        conditional(w, Operation::LoadStore { load, bytes, mode, rt, rn, offset: up(w, bits(w, 11, 0)) })
    }),
    row("cccc 011 1 1 b 0 L nnnn tttt 00000 00 0 mmmm", "LDR, STR (register)", |w| {
        let [rn, rt, rm] = [bits(w, 19, 16), bits(w, 15, 12), bits(w, 3, 0)].map(not_pc);
        let (load, bytes) = (bit(w, 20), if bit(w, 22) { 1 } else { 4 });
        conditional(w, Operation::LoadStoreIndexed { load, bytes, rt: rt?, rn: rn?, rm: rm? })
    }),
    row("cccc 000 P U 1 W 0 nnnn tttt iiii 11s1 iiii", "LDRD, STRD", |w| {
        let (mode, rn, rt) = (mode(w)?, not_pc(bits(w, 19, 16))?, bits(w, 15, 12));
        let load = !bit(w, 5);
        if rt % 2 == 1 || rt == 14 || (mode != Mode::Offset && (rn == rt || rn == rt + 1)) { return None; }
        let offset = up(w, bits(w, 11, 8) << 4 | bits(w, 3, 0));
        conditional(w, Operation::LoadStoreTwo { load, mode, rt, rn, offset })
    }),
    row("cccc 100 P U 0 W L nnnn 0rrrrrrrrrrrrrrr", "LDM, STM", multiple),
    row("cccc 100 P U 0 W 1 nnnn 1rrrrrrrrrrrrrrr", "LDM (return)", multiple),
    row("cccc 110 P U D W L nnnn dddd 1011 iiiiiii0", "VLDM, VSTM, VLDR, VSTR", vector_memory),
    row("cccc 1100 010 L tttt uuuu 1011 00 M 1 mmmm", "VMOV (two registers)", |w| {
        let (high, low) = (not_pc(bits(w, 19, 16))?, not_pc(bits(w, 15, 12))?);
        let to_vector = !bit(w, 20);
        if !to_vector && high == low { return None; }
        conditional(w, Operation::Two { d: m(w), low, high, to_vector })
    }),
    row("cccc 1110 00 i 1 nnnn tttt 1011 N 00 1 0000", "VMOV (lane)", |w| {
        let (rt, index) = (not_pc(bits(w, 15, 12))?, bits(w, 21, 21));
        conditional(w, Operation::MoveLane { rt, d: n(w), index })
    }),
    row("cccc 1110 1 b Q 0 dddd tttt 1011 D 0 e 1 0000", "VDUP (general)", |w| {
        let (quad, rt) = (bit(w, 21), not_pc(bits(w, 15, 12))?);
        let element = match (bit(w, 22), bit(w, 5)) { (false, false) => 32, (false, true) => 16, (true, false) => 8, _ => return None };
        let d = even(bits(w, 7, 7) << 4 | bits(w, 19, 16), quad)?;
        conditional(w, Operation::DuplicateGeneral { quad, element, d, rt })
    }),
    // Advanced SIMD.
    row("1111 0100 0 D L 0 nnnn dddd tttt zz aa mmmm", "VLD1, VST1, VLD2, VST2", structures),
    row("1111 0100 1 D 10 nnnn dddd zz 00 iiii mmmm", "VLD1 (one lane)", |w| {
        let (size, place) = (bits(w, 11, 10), bits(w, 7, 4));
        let index = match size {
            0 if place & 1 == 0 => place >> 1,
            1 if place & 3 <= 1 => place >> 2,
            2 if matches!(place & 7, 0 | 3) => place >> 3,
            _ => return None,
        };
        let (rn, after) = after(w)?;
        always(Operation::LoadLane { element: 8 << size, d: d(w), index, rn, after })
    }),
    row("1111 0100 1 D 10 nnnn dddd 1100 zz T a mmmm", "VLD1 (all lanes)", |w| {
        let (size, count) = (bits(w, 7, 6), 1 + bits(w, 5, 5));
        if size == 3 || (size == 0 && bit(w, 4)) || d(w) + count > 32 { return None; }
        let (rn, after) = after(w)?;
        always(Operation::LoadAll { element: 8 << size, d: d(w), count, rn, after })
    }),
    row("1111 001 U 0 D zz nnnn dddd 1000 N Q M 0 mmmm", "VADD, VSUB", |w| {
        three(w, Three::Lanes(if bit(w, 24) { Lanes::Sub } else { Lanes::Add }))
    }),
    row("1111 001 U 0 D zz nnnn dddd 0001 N Q M 1 mmmm", "VAND to VBIF", |w| {
        three(w, Three::Logic(VectorLogic::of(bit(w, 24), bits(w, 21, 20))))
    }),
    row("1111 0010 0 D 00 nnnn dddd 1000 N Q M 1 mmmm", "VTST (bytes)", |w| three(w, Three::Lanes(Lanes::Test))),
    row("1111 0011 1 D iiiiii dddd 0000 L Q M 1 mmmm", "VSHR", |w| vector_shift(w, VectorShift::Right)),
    row("1111 0011 1 D iiiiii dddd 0001 L Q M 1 mmmm", "VSRA", |w| vector_shift(w, VectorShift::RightAdd)),
    row("1111 0010 1 D iiiiii dddd 0101 L Q M 1 mmmm", "VSHL", |w| vector_shift(w, VectorShift::Left)),
    row("1111 0011 1 D iiiiii dddd 0101 L Q M 1 mmmm", "VSLI", |w| vector_shift(w, VectorShift::LeftInsert)),
    row("1111 0011 1 D iiiiii dddd 0100 L Q M 1 mmmm", "VSRI", |w| vector_shift(w, VectorShift::RightInsert)),
    row("1111 0010 1 D iiiiii dddd 1000 00 M 1 mmmm", "VSHRN", |w| {
        let (element, value) = shift_element(w, false)?;
        always(Operation::Narrow { element, d: d(w), m: even(m(w), true)?, by: 2 * element - value })
    }),
    row("1111 0010 1 D 11 nnnn dddd iiii N Q M 0 mmmm", "VEXT", |w| {
        let (quad, from) = (bit(w, 6), bits(w, 11, 8));
        if !quad && from > 7 { return None; }
        let (d, n, m) = (even(d(w), quad)?, even(n(w), quad)?, even(m(w), quad)?);
        always(Operation::Extract { quad, d, n, m, from: from * 8 })
    }),
    row("1111 0011 1 D 11 nnnn dddd 10 ll N 0 M 0 mmmm", "VTBL", |w| {
        let count = bits(w, 9, 8) + 1;
        if n(w) + count > 32 { return None; }
        always(Operation::Table { d: d(w), n: n(w), count, m: m(w) })
    }),
    row("1111 0011 1 D 11 iiii dddd 11000 Q M 0 mmmm", "VDUP (lane)", |w| {
        let (place, quad) = (bits(w, 19, 16), bit(w, 6));
        let size = place.trailing_zeros();
        if size > 2 { return None; }
        let d = even(d(w), quad)?;
        always(Operation::DuplicateLane { quad, element: 8 << size, d, m: m(w), index: place >> (size + 1) })
    }),
    row("1111 0011 1 D 11 zz 00 dddd 0 00pp Q M 0 mmmm", "VREV", |w| {
        let (quad, unit, within) = (bit(w, 6), 8 << bits(w, 19, 18), bits(w, 8, 7));
        let element = 64 >> within;
        if within == 3 || unit >= element { return None; }
        always(Operation::VectorReverse { quad, unit, element, d: even(d(w), quad)?, m: even(m(w), quad)? })
    }),
    row("1111 0011 1 D 11 zz 10 dddd 0 00pp Q M 0 mmmm", "VSWP, VTRN, VUZP, VZIP", |w| {
        let (quad, size) = (bit(w, 6), bits(w, 19, 18));
        let exchange = match bits(w, 8, 7) {
            0 if size == 0 => Exchange::Swap,
            1 if size < 3 => Exchange::Transpose,
            2 if size < 2 || (size == 2 && quad) => Exchange::Unzip,
            3 if size < 2 || (size == 2 && quad) => Exchange::Zip,
            _ => return None,
        };
        let (d, m) = (even(d(w), quad)?, even(m(w), quad)?);
        // With itself the result is unknown.
        if d == m { return None; }
        always(Operation::ExchangeVectors { exchange, quad, element: 8 << size, d, m })
    }),
    row("1111 001 i 1 D 000 iii dddd mmmm 0 Q o 1 iiii", "VMOV, VMVN (immediate)", vector_immediate),
    row("1111 0011 1 D 11 00 00 dddd 0011 oo M 0 mmmm", "AESE, AESD, AESMC, AESIMC", |w| {
        let operation = AesOperation::of(bits(w, 7, 6));
        always(Operation::Aes { operation, d: even(d(w), true)?, m: even(m(w), true)? })
    }),
    row("1111 0011 0 D zz nnnn dddd 1100 N 1 M 0 mmmm", "SHA256H, SHA256H2, SHA256SU1", |w| {
        let operation = match bits(w, 21, 20) {
            0 => Sha256::Hash,
            1 => Sha256::SecondHash,
            2 => Sha256::SecondSchedule,
            _ => return None,
        };
        let (d, n, m) = (even(d(w), true)?, even(n(w), true)?, even(m(w), true)?);
        always(Operation::Sha256 { operation, d, n, m })
    }),
    row("1111 0011 1 D 11 10 10 dddd 0 0111 1 M 0 mmmm", "SHA256SU0", |w| {
        let (d, m) = (even(d(w), true)?, even(m(w), true)?);
        always(Operation::Sha256 { operation: Sha256::Schedule, d, n: d, m })
    }),
];

const fn not_pc(register: u32) -> Option<u32> {
    if register == 15 { None } else { Some(register) }
}

fn even(d: u32, quad: bool) -> Option<u32> {
    (!quad || d.is_multiple_of(2)).then_some(d)
}

const fn d(w: u32) -> u32 {
    bits(w, 22, 22) << 4 | bits(w, 15, 12)
}

const fn n(w: u32) -> u32 {
    bits(w, 7, 7) << 4 | bits(w, 19, 16)
}

const fn m(w: u32) -> u32 {
    bits(w, 5, 5) << 4 | bits(w, 3, 0)
}

/// DecodeImmShift of the manual.
pub(crate) const fn shift(kind: u32, amount: u32) -> Shift {
    match (kind, amount) {
        (0, n) => Shift::Left(n),
        (1, 0) => Shift::Right(32),
        (1, n) => Shift::Right(n),
        (2, 0) => Shift::Arithmetic(32),
        (2, n) => Shift::Arithmetic(n),
        (_, 0) => Shift::Extend,
        (_, n) => Shift::Rotate(n),
    }
}

fn alu(w: u32, operand: Operand) -> Option<Instruction> {
    let (flags, rn, rd) = (bit(w, 20), bits(w, 19, 16), bits(w, 15, 12));
    let alu = match bits(w, 24, 21) {
        0 => Alu::And,
        1 => Alu::Xor,
        2 => Alu::Sub,
        3 => Alu::ReverseSub,
        4 => Alu::Add,
        5 => Alu::AddCarry,
        6 => Alu::SubCarry,
        8 if flags && rd == 0 => Alu::Test,
        10 if flags && rd == 0 => Alu::Compare,
        11 if flags && rd == 0 => Alu::CompareNegative,
        12 => Alu::Or,
        13 if rn == 0 => Alu::Move,
        14 => Alu::AndNot,
        15 if rn == 0 => Alu::MoveNot,
        // RSC, TEQ, and what lies between.
        _ => return None,
    };
    not_pc(rd)?;
    if let Operand::Shifted(15, by) = operand
        && by != Shift::Left(0)
    {
        return None;
    }
    conditional(w, Operation::Alu { alu, flags, rd, rn, operand })
}

fn mode(w: u32) -> Option<Mode> {
    match (bit(w, 24), bit(w, 21)) {
        (true, false) => Some(Mode::Offset),
        (true, true) => Some(Mode::Before),
        (false, false) => Some(Mode::After),
        (false, true) => None,
    }
}

fn up(w: u32, offset: u32) -> i64 {
    if bit(w, 23) { i64::from(offset) } else { -i64::from(offset) }
}

/// Where a transfer of so many bytes starts, and by how much it moves the base.
fn block(w: u32, bytes: i64) -> (i64, i64) {
    match (bit(w, 24), bit(w, 23)) {
        (false, true) => (0, bytes),
        (true, true) => (4, bytes),
        (true, false) => (-bytes, -bytes),
        (false, false) => (4 - bytes, -bytes),
    }
}

fn multiple(w: u32) -> Option<Instruction> {
    let (rn, list, load) = (not_pc(bits(w, 19, 16))?, bits(w, 15, 0), bit(w, 20));
    let updates = bit(w, 21);
    if list == 0 || (updates && list >> rn & 1 == 1) {
        return None;
    }
    let (start, moved) = block(w, i64::from(list.count_ones()) * 4);
    conditional(w, Operation::Multiple { load, rn, list, start, update: updates.then_some(moved) })
}

fn vector_memory(w: u32) -> Option<Instruction> {
    let (rn, load, bytes) = (bits(w, 19, 16), bit(w, 20), i64::from(bits(w, 7, 0)) * 4);
    let (before, upwards, updates) = (bit(w, 24), bit(w, 23), bit(w, 21));
    let (count, start, update) = match (before, upwards, updates) {
        (true, _, false) => {
            // VLDR and VSTR: the bytes are an offset.
            not_pc(rn).or(load.then_some(rn))?;
            (1, if upwards { bytes } else { -bytes }, None)
        }
        (false, true, _) => (bytes / 8, 0, updates.then_some(bytes)),
        (true, false, true) => (bytes / 8, -bytes, Some(-bytes)),
        _ => return None,
    };
    // Of PC only a load of one register is known.
    if count == 0 || count > 16 || i64::from(d(w)) + count > 32 || (rn == 15 && (updates || !before)) {
        return None;
    }
    conditional(w, Operation::VectorMemory { load, d: d(w), count: count as u32, rn, start, update })
}

/// The base, and what becomes of it.
fn after(w: u32) -> Option<(u32, After)> {
    let after = match bits(w, 3, 0) {
        15 => After::Same,
        13 => After::Behind,
        register => After::By(register),
    };
    Some((not_pc(bits(w, 19, 16))?, after))
}

fn structures(w: u32) -> Option<Instruction> {
    let (size, align, load) = (bits(w, 7, 6), bits(w, 5, 4), bit(w, 21));
    let (count, interleave) = match bits(w, 11, 8) {
        0b0111 if align < 2 => (1, None),
        0b1010 if align < 3 => (2, None),
        0b0110 if align < 2 => (3, None),
        0b0010 => (4, None),
        0b1000 if align < 3 && size < 3 => (2, Some(8 << size)),
        0b0011 if size < 3 => (4, Some(8 << size)),
        _ => return None,
    };
    if d(w) + count > 32 {
        return None;
    }
    let (rn, after) = after(w)?;
    always(Operation::Structures { load, d: d(w), count, interleave, rn, after })
}

fn three(w: u32, operation: Three) -> Option<Instruction> {
    let quad = bit(w, 6);
    let (d, n, m) = (even(d(w), quad)?, even(n(w), quad)?, even(m(w), quad)?);
    always(Operation::Three { operation, quad, element: 8 << bits(w, 21, 20), d, n, m })
}

/// The element that imm6 and L tell, and the number that the amount is told by.
fn shift_element(w: u32, wide: bool) -> Option<(u32, u32)> {
    let imm6 = bits(w, 21, 16);
    match imm6.checked_ilog2() {
        _ if wide => Some((64, 64 + imm6)),
        Some(log @ 3..) => Some((1 << log, imm6)),
        _ => None,
    }
}

fn vector_shift(w: u32, operation: VectorShift) -> Option<Instruction> {
    let (quad, (element, value)) = (bit(w, 6), shift_element(w, bit(w, 7))?);
    let by = operation.amount(value, element);
    always(Operation::VectorShift { operation, quad, element, d: even(d(w), quad)?, m: even(m(w), quad)?, by })
}

/// AdvSIMDExpandImm of the manual, for the forms that fill a register.
fn vector_immediate(w: u32) -> Option<Instruction> {
    let byte = u64::from(bits(w, 24, 24) << 7 | bits(w, 18, 16) << 4 | bits(w, 3, 0));
    let (value, quad) = (expand_immediate(bits(w, 11, 8), bit(w, 5), byte)?, bit(w, 6));
    always(Operation::VectorImmediate { quad, d: even(d(w), quad)?, value })
}
