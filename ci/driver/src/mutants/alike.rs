//! Words that the architecture gives one meaning, as far as a program of a little-endian system can see.
//!
//! A change of one into the other is no mutant. Each rule is about the two words alone, and cites why.

use vambrace::kernels::Architecture;

use crate::features::encoding;
use crate::features::encoding::{bit, bits};

/// Whether two instructions do the same, wherever they stand.
pub fn same_meaning(architecture: Architecture, one: u32, other: u32) -> bool {
    match architecture {
        Architecture::Aarch64 => a64(one, other),
        Architecture::Arm => a32(one, other),
    }
}

/// Whether two words differ in these bits alone.
fn differ_within(one: u32, other: u32, mask: u32) -> bool {
    (one ^ other) & !mask == 0
}

fn name(architecture: Architecture, word: u32) -> &'static str {
    encoding(architecture, word).map_or("", |row| row.name)
}

/// DDI 0487, chapter C4 and the pages of the instructions.
fn a64(one: u32, other: u32) -> bool {
    let name = |word| name(Architecture::Aarch64, word);
    let same_row = name(one) == name(other);
    let shifted = name(one).starts_with("AND, BIC") || name(one).ends_with("(shifted register)");
    // A shift by nothing, of whatever kind.
    (same_row && shifted && differ_within(one, other, 3 << 22) && bits(one, 15, 10) == 0)
        // LD1 and ST1 of whole registers: the size of elements decides their byte order on big-endian systems alone.
        || (name(one).starts_with("LD1 to ST4") && !name(one).contains("lane") && differ_within(one, other, 3 << 10)
            && same_row && matches!(bits(one, 15, 12), 0b0010 | 0b0110 | 0b0111 | 0b1010))
        // MOVI of zero, in whatever elements; the 64-bit form of a vector clears the upper half as the others do.
        || (same_row && zero_a64(one) && zero_a64(other) && differ_within(one, other, 0xf << 12 | 7 << 28))
        // LDNP and STNP are LDP and STP with a hint.
        || (name(one).starts_with("LDP, STP") && differ_within(one, other, 1 << 24) && bits(one, 25, 23) & 1 == 0)
        // `neg zero` and its kin have no vector form; ROR by a register, and shifts, take the amount modulo the size.
        || (same_row && name(one).starts_with("MOVN, MOVZ") && differ_within(one, other, 3 << 21)
            && bits(one, 20, 5) == 0 && bits(one, 30, 29) == 2 && bits(other, 30, 29) == 2)
}

/// MOVI of the constant 0: all cmodes but those of ORR, BIC, and of ones shifted in.
fn zero_a64(word: u32) -> bool {
    let plain = match bits(word, 15, 12) {
        cmode @ 0..=11 => !bit(word, 29) && cmode & 1 == 0,
        14 => true,
        15 => !bit(word, 29),
        _ => false,
    };
    word & 0x9ff8_0c00 == 0x0f00_0400 && bits(word, 18, 16) == 0 && bits(word, 9, 5) == 0 && plain
}

/// DDI 0406, chapters A5 and A7.
fn a32(one: u32, other: u32) -> bool {
    let name = |word| name(Architecture::Arm, word);
    let same_row = name(one) == name(other);
    let elements = [
        "VLD1, VST1 (one register)",
        "VLD1, VST1 (two registers)",
        "VLD1, VST1 (three registers)",
        "VLD1, VST1 (four registers)",
    ];
    // VLD1 and VST1 of whole registers, as LD1 on A64.
    (same_row && elements.contains(&name(one)) && differ_within(one, other, 3 << 6))
        // An offset of nothing, added or subtracted.
        || (same_row && name(one).ends_with("(immediate)") && name(one).starts_with("LDR") && differ_within(one, other, 1 << 23)
            && match bits(one, 27, 26) { 1 => bits(one, 11, 0) == 0, _ => bits(one, 11, 8) == 0 && bits(one, 3, 0) == 0 })
        || (same_row && name(one).starts_with("VLDR") && differ_within(one, other, 1 << 23) && bits(one, 7, 0) == 0)
        // VMOV of zero in whatever elements.
        || (same_row && zero_a32(one) && zero_a32(other) && differ_within(one, other, 0xf << 8 | 1 << 5))
        // An immediate that is rotated by nothing, or is 0 however rotated, and does not set flags.
        || (same_row && bits(one, 27, 25) == 1 && bits(one, 7, 0) == 0 && !bit(one, 20) && !name(one).starts_with("MOVW")
            && differ_within(one, other, 0xf << 8))
}

fn zero_a32(word: u32) -> bool {
    let plain = match bits(word, 11, 8) {
        cmode @ 0..=11 => !bit(word, 5) && cmode & 1 == 0,
        14 => true,
        15 => !bit(word, 5),
        _ => false,
    };
    word & 0xfeb8_0090 == 0xf280_0010 && !bit(word, 24) && bits(word, 18, 16) == 0 && bits(word, 3, 0) == 0 && plain
}

/// Why two instructions with these operands do the same.
pub fn same_result(architecture: Architecture, one: u32, other: u32) -> Option<&'static str> {
    if does_nothing(architecture, one) && does_nothing(architecture, other) {
        return Some("one meaning: an instruction that adds 0 to a register does nothing");
    }
    let (name, its) = (name(architecture, one), name(architecture, other));
    if name != its {
        return None;
    }
    let vector = name.contains("BSL, ");
    let (same_operands, and_or, or_xor) = match architecture {
        Architecture::Aarch64 => (
            bits(one, 9, 5) == bits(one, 20, 16),
            (vector && !bit(one | other, 22) && !bit(one | other, 29) && one ^ other == 1 << 23)
                || (name.ends_with("ANDS, BICS") && !bit(one, 21) && bits(one, 15, 10) == 0 && one ^ other == 1 << 29),
            name.ends_with("ANDS, BICS") && bits(one, 9, 5) == 31 && one ^ other == 3 << 29 && bit(one ^ one >> 1, 29),
        ),
        Architecture::Arm => (
            bits(one, 19, 16) == bits(one, 3, 0) && bit(one, 7) == bit(one, 5),
            vector && !bit(one | other, 20) && !bit(one | other, 24) && one ^ other == 1 << 21,
            false,
        ),
    };
    if same_operands && and_or && !(architecture == Architecture::Aarch64 && !vector && bits(one, 30, 29) > 1) {
        return Some("one meaning: AND and ORR of a register with itself are the register");
    }
    if or_xor {
        return Some("one meaning: ORR and EOR with zero are the other operand");
    }
    // BSL selects between two operands.
    let selects = |word: u32| match architecture {
        Architecture::Aarch64 => vector && bit(word, 29) && bits(word, 23, 22) == 1,
        Architecture::Arm => vector && bit(word, 24) && bits(word, 21, 20) == 1,
    };
    let moves = |word: u32| match architecture {
        Architecture::Aarch64 => vector && !bit(word, 29) && bits(word, 23, 22) & 1 == 0,
        Architecture::Arm => vector && !bit(word, 24) && bits(word, 21, 20) & 1 == 0,
    };
    let operation = match architecture {
        Architecture::Aarch64 => 3 << 22 | 1 << 29,
        Architecture::Arm => 3 << 20 | 1 << 24,
    };
    let either = (selects(one) && moves(other)) || (moves(one) && selects(other));
    if same_operands && either && differ_within(one, other, operation) {
        return Some("one meaning: BSL of a register with itself is the register");
    }
    let pair = architecture == Architecture::Aarch64 && name.starts_with("LDP, STP");
    (pair && one ^ other == 1 << 23 && bit(one, 24) && bits(one, 21, 15) == 0)
        .then_some("one meaning: a base register that moves on by 0 stays where it is")
}

/// NOP, and sums with 0 that keep all bits and no flags.
pub fn does_nothing(architecture: Architecture, word: u32) -> bool {
    match architecture {
        Architecture::Aarch64 => {
            let adds_nothing = word & 0xbf80_0000 == 0x9100_0000 && bits(word, 21, 10) == 0;
            word == 0xd503_201f || (adds_nothing && bits(word, 4, 0) == bits(word, 9, 5))
        }
        Architecture::Arm => {
            // ADD and SUB of 0, always.
            let adds_nothing = matches!(word & 0xfff0_00ff, 0xe280_0000 | 0xe240_0000);
            word == 0xe320_f000
                || (adds_nothing && bits(word, 15, 12) == bits(word, 19, 16) && bits(word, 15, 12) != 15)
        }
    }
}

/// Whether two neighbours that add to one register, or XOR into it, may be swapped.
pub fn commute(architecture: Architecture, first: u32, second: u32) -> bool {
    let (Some(one), Some(other)) = (accumulation(architecture, first), accumulation(architecture, second)) else {
        return false;
    };
    let into_itself = |sum: &Accumulation| sum.summand == sum.register;
    one.register == other.register && one.of == other.of && !into_itself(&one) && !into_itself(&other)
}

/// Whether two neighbours may be swapped that both add to one register, a register or a constant.
pub fn sums_commute(architecture: Architecture, first: u32, second: u32) -> bool {
    let register = |word: u32| {
        let constant = match architecture {
            Architecture::Aarch64 => word & 0x1f00_0000 == 0x1100_0000 && !bit(word, 29) && bits(word, 4, 0) != 31,
            // ADD and SUB of a constant, always, without flags.
            Architecture::Arm => matches!(word & 0xfff0_0000, 0xe280_0000 | 0xe240_0000),
        };
        let (d, n, width) = match architecture {
            Architecture::Aarch64 => (bits(word, 4, 0), bits(word, 9, 5), word & 1 << 31),
            Architecture::Arm => (bits(word, 15, 12), bits(word, 19, 16), 0),
        };
        if constant {
            return (d == n).then_some((d, width));
        }
        let sum = accumulation(architecture, word).filter(|sum| sum.summand != sum.register)?;
        (sum.of & !(1 << 31) == 0).then_some((sum.register, width))
    };
    register(first).is_some() && register(first) == register(second)
}

/// `register = register OP summand`, without flags.
struct Accumulation {
    register: u32,
    summand: u32,
    /// The operation and the width; a difference is a sum.
    of: u32,
}

fn accumulation(architecture: Architecture, word: u32) -> Option<Accumulation> {
    const SUM: u32 = 0;
    let name = name(architecture, word);
    let (d, n, m, of, symmetric) = match architecture {
        Architecture::Aarch64 => {
            let (d, n, m) = (bits(word, 4, 0), bits(word, 9, 5), bits(word, 20, 16));
            let width = word & 1 << 31;
            let unshifted = bits(word, 15, 10) == 0;
            match name {
                "ADD, SUB (shifted register)" if !bit(word, 29) => (d, n, m, SUM | width, !bit(word, 30) && unshifted),
                // EOR, not EON, which negates twice as well, but is rare.
                "AND, BIC, ORR, ORN, EOR, EON, ANDS, BICS" if bits(word, 30, 29) == 2 && !bit(word, 21) => {
                    (d, n, m, 1 | width, unshifted)
                }
                "ADD, SUB, CMTST, CMEQ" if !bit(word, 11) => {
                    (d, n, m, 2 | bits(word, 23, 22) << 8 | bits(word, 30, 30) << 16, !bit(word, 29))
                }
                "AND, BIC, ORR, ORN, EOR, BSL, BIT, BIF" if bit(word, 29) && bits(word, 23, 22) == 0 => {
                    (d, n, m, 3 | bits(word, 30, 30) << 16, true)
                }
                _ => return None,
            }
        }
        Architecture::Arm => {
            let (d, n, m) = (bits(word, 15, 12), bits(word, 19, 16), bits(word, 3, 0));
            let vector = |at: u32, low: u32| u32::from(bit(word, at)) << 4 | low;
            let (vd, vn, vm) = (vector(22, d), vector(7, n), vector(5, m));
            let plain = word >> 28 == 14 && !bit(word, 20) && !bit(word, 4);
            let unshifted = bits(word, 11, 4) == 0;
            match (name, bits(word, 24, 21)) {
                ("ADD, ADC, SBC, RSC", 4) if plain => (d, n, m, SUM, unshifted),
                ("AND, EOR, SUB, RSB", 2) if plain => (d, n, m, SUM, false),
                ("AND, EOR, SUB, RSB", 1) if plain => (d, n, m, 1, unshifted),
                ("VADD, VSUB", _) => (vd, vn, vm, 2 | bits(word, 21, 20) << 8 | bits(word, 6, 6) << 16, !bit(word, 24)),
                ("VAND, VBIC, VORR, VORN, VEOR, VBSL, VBIT, VBIF", _) if bit(word, 24) && bits(word, 21, 20) == 0 => {
                    (vd, vn, vm, 3 | bits(word, 6, 6) << 16, true)
                }
                _ => return None,
            }
        }
    };
    let summand = match (d == n, symmetric && d == m) {
        (true, _) => m,
        (_, true) => n,
        _ => return None,
    };
    Some(Accumulation { register: d, summand, of })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_architecture_makes_equal_is_no_mutant() {
        let a64 = |one, other| same_meaning(Architecture::Aarch64, one, other);
        // add x0, x1, x2; add x0, x1, x2, lsr #0 and asr #0
        assert!(a64(0x8b02_0020, 0x8b42_0020) && a64(0x8b02_0020, 0x8b82_0020));
        // ld1 {v0.16b}, [x0]; .4s and .2d
        assert!(a64(0x4c40_7000, 0x4c40_7800) && a64(0x4c40_7000, 0x4c40_7c00));
        // movi v0.2d, #0; movi v0.4s, #0 and d0
        assert!(a64(0x6f00_e400, 0x4f00_0400) && a64(0x6f00_e400, 0x2f00_e400));
        // stp x0, x1, [sp]; stnp
        assert!(a64(0xa900_07e0, 0xa800_07e0));
        // mov x0, #0; and shifted
        assert!(a64(0xd280_0000, 0xd2a0_0000));
        let a32 = |one, other| same_meaning(Architecture::Arm, one, other);
        // vld1.8 {d0}, [r0]; vld1.32
        assert!(a32(0xf420_070f, 0xf420_078f));
        // ldr r0, [r1]; [r1, #-0]
        assert!(a32(0xe591_0000, 0xe511_0000));
        // vmov.i32 q0, #0; vmov.i8
        assert!(a32(0xf280_0050, 0xf280_0e50));
        // mov r0, #0 however rotated
        assert!(a32(0xe3a0_0000, 0xe3a0_0500));
    }

    #[test]
    fn constants_may_be_added_before_or_after() {
        // sub x14, x14, x17; add x14, x14, #16. And of w14, or eor.
        let a64 = |one, other| sums_commute(Architecture::Aarch64, one, other);
        assert!(a64(0xcb11_01ce, 0x9100_41ce) && !a64(0xcb11_01ce, 0x1100_41ce) && !a64(0xca11_01ce, 0x9100_41ce));
        // add r1, r1, r2; sub r1, r1, #4. And subs.
        let a32 = |one, other| sums_commute(Architecture::Arm, one, other);
        assert!(a32(0xe081_1002, 0xe241_1004) && !a32(0xe081_1002, 0xe251_1004));
    }

    #[test]
    fn operands_can_make_operations_equal() {
        let a64 = |one, other| same_result(Architecture::Aarch64, one, other).is_some();
        // mov v30.16b, v19.16b; and v30.16b, v19.16b, v19.16b. And of two registers.
        assert!(a64(0x4eb3_1e7e, 0x4e33_1e7e) && !a64(0x4eb2_1e7e, 0x4e32_1e7e));
        // mov v17.16b, v1.16b; bsl v17.16b, v1.16b, v1.16b
        assert!(a64(0x4ea1_1c31, 0x6e61_1c31) && !a64(0x4ea2_1c31, 0x6e62_1c31) && !a64(0x4ea1_1c31, 0x6ea1_1c31));
        // mov x6, x5; eor x6, xzr, x5, but not and x6, xzr, x5
        assert!(a64(0xaa05_03e6, 0xca05_03e6) && !a64(0xaa05_03e6, 0x8a05_03e6));
        // orr w0, w1, w1; and w0, w1, w1; eor is 0
        assert!(a64(0x2a01_0020, 0x0a01_0020) && !a64(0x2a01_0020, 0x4a01_0020));
        // add x13, x13, #0; nop. Of w13 it clears the upper half.
        assert!(a64(0x9100_01ad, 0xd503_201f) && !a64(0x1100_01ad, 0xd503_201f));
        // stp x6, x7, [x3]; stp x6, x7, [x3, #0]!; and by 16
        assert!(a64(0xa900_1c66, 0xa980_1c66) && !a64(0xa901_1c66, 0xa981_1c66));
        let a32 = |one, other| same_result(Architecture::Arm, one, other).is_some();
        // vmov q0, q1; vand q0, q1, q1. And of two registers.
        assert!(a32(0xf222_0152, 0xf202_0152) && !a32(0xf222_0154, 0xf202_0154));
        // add r1, r1, #0; nop
        assert!(a32(0xe281_1000, 0xe320_f000) && !a32(0xe282_1000, 0xe320_f000));
    }

    #[test]
    fn sums_into_one_register_may_be_swapped() {
        let a64 = |one, other| commute(Architecture::Aarch64, one, other);
        // add w5, w5, w0; add w5, w1, w5, then sub w5, w5, w1
        assert!(a64(0x0b00_00a5, 0x0b05_0025) && a64(0x0b00_00a5, 0x4b01_00a5));
        // The second of another width, from a minuend, doubling, XORed, or setting flags.
        for other in [0x8b05_0025, 0x4b05_0025, 0x0b05_00a5, 0x4a05_0025, 0x2b05_0025] {
            assert!(!a64(0x0b00_00a5, other), "{other:#x}");
        }
        // eor v0.16b, v0.16b, v1.16b; the same with v2; add v0.4s, v0.4s, v2.4s, and its 64-bit lanes
        assert!(a64(0x6e21_1c00, 0x6e22_1c00) && !a64(0x6e21_1c00, 0x4ea2_8400) && !a64(0x4ea2_8400, 0x4ee1_8400));
        let a32 = |one, other| commute(Architecture::Arm, one, other);
        // add r5, r5, r0; add r5, r5, r2, ror #2; sub r5, r5, r2; rsb r5, r5, r2
        assert!(a32(0xe085_5000, 0xe085_5162) && a32(0xe085_5000, 0xe045_5002) && !a32(0xe085_5000, 0xe065_5002));
        // add r5, r2, r5, ror #2 is no sum into r5
        assert!(!a32(0xe085_5000, 0xe082_5165));
    }

    #[test]
    fn what_looks_alike_and_is_not_is_a_mutant() {
        let a64 = |one, other| same_meaning(Architecture::Aarch64, one, other);
        // add x0, x1, x2, lsl #1; lsr #1
        assert!(!a64(0x8b02_0420, 0x8b42_0420));
        // ld2 {v0.16b, v1.16b}; .8h
        assert!(!a64(0x4c40_8000, 0x4c40_8400));
        // movi v0.2d, #0; v1
        assert!(!a64(0x6f00_e400, 0x6f00_e401));
        // movi v0.4s, #0; mvni v0.4s, #0 and orr v0.4s, #0
        assert!(!a64(0x4f00_0400, 0x6f00_0400) && !a64(0x4f00_0400, 0x4f00_1400));
        // stp x0, x1, [sp]; stp x0, x1, [sp], #0 writes back
        assert!(!a64(0xa900_07e0, 0xa880_07e0));
        // movk x0, #0 is not movk x0, #0, lsl #16
        assert!(!a64(0xf280_0000, 0xf2a0_0000));
        let a32 = |one, other| same_meaning(Architecture::Arm, one, other);
        // ldr r0, [r1, #4]; [r1, #-4]
        assert!(!a32(0xe591_0004, 0xe511_0004));
        // vmov.i32 q0, #0; d0
        assert!(!a32(0xf280_0050, 0xf280_0010));
        // vld2.8 {d0, d1}, [r0]; vld2.16
        assert!(!a32(0xf420_080f, 0xf420_084f));
        // mov r0, #1; mov r0, #1, 2
        assert!(!a32(0xe3a0_0001, 0xe3a0_0101));
    }
}
