//! What an instruction does to SP, told from its word.
//!
//! Enough is decoded to follow SP through a function's prologue, its alignment and its epilogue. What moves SP in another way is
//! a [`Effect::Lost`]: SP is then unknown until an access through it shows it. Sources: "Arm Architecture Reference Manual for
//! A-profile" (DDI 0487), chapters C4 and F4.

use vambrace_contract::Architecture;

/// What an instruction does to the registers that hold SP or an address near it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// What becomes of SP.
    pub effect: Effect,
    /// Where its first access is, counted from SP before the instruction, if it accesses memory through SP.
    pub access: Option<i64>,
}

/// See [`Step`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    #[default]
    None,
    /// A register is computed from another.
    Compute {
        /// The one that changes.
        to: u8,
        /// The one that it is computed from.
        from: u8,
        /// How.
        by: Operation,
    },
    /// SP is moved by a load or store.
    Moved(i64),
    /// A register is changed in a way that is not followed.
    Lost(u8),
}

/// See [`Effect::Compute`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Addition, wrapping.
    Add(i64),
    /// Bits are cleared that are clear here.
    And(u64),
}

impl Operation {
    pub(crate) fn apply(self, value: u64) -> u64 {
        match self {
            Operation::Add(amount) => value.wrapping_add_signed(amount),
            Operation::And(mask) => value & mask,
        }
    }
}

/// The number of SP among the general registers.
pub const fn stack_pointer(architecture: Architecture) -> u8 {
    match architecture {
        Architecture::Aarch64 => 31,
        Architecture::Arm => 13,
    }
}

impl Step {
    /// What a word does.
    pub fn of(architecture: Architecture, word: u32) -> Step {
        match architecture {
            Architecture::Aarch64 => aarch64(word),
            Architecture::Arm => arm(word),
        }
    }

    fn compute(to: u32, from: u32, by: Operation) -> Step {
        Step { effect: Effect::Compute { to: to as u8, from: from as u8, by }, access: None }
    }

    fn access(at: i64, moved: i64) -> Step {
        Step { effect: if moved == 0 { Effect::None } else { Effect::Moved(moved) }, access: Some(at) }
    }
}

fn bits(word: u32, high: u32, low: u32) -> u32 {
    word >> low & ((1 << (high - low + 1)) - 1)
}

fn bit(word: u32, at: u32) -> bool {
    bits(word, at, at) != 0
}

/// A field of bits as a signed number.
fn signed(word: u32, high: u32, low: u32) -> i64 {
    let width = high - low + 1;
    (i64::from(bits(word, high, low)) << (64 - width)) >> (64 - width)
}

fn aarch64(word: u32) -> Step {
    const SP: u32 = 31;
    let (to, from) = (bits(word, 4, 0), bits(word, 9, 5));
    let nothing = Step::default();
    // ADD and SUB (immediate), 64 bits; the forms that set flags write no SP.
    if word & 0x9f80_0000 == 0x9100_0000 {
        let amount = i64::from(bits(word, 21, 10)) << if bit(word, 22) { 12 } else { 0 };
        let by = Operation::Add(if bit(word, 30) { -amount } else { amount });
        return match (bit(word, 29), to) {
            (true, SP) => nothing,
            (true, _) => Step { effect: Effect::Lost(to as u8), access: None },
            (false, _) => Step::compute(to, from, by),
        };
    }
    // AND (immediate), 64 bits.
    if word & 0xff80_0000 == 0x9200_0000 {
        return match bit_mask(word) {
            // The source may be no SP: 31 is zero there.
            Some(mask) if from != SP => Step::compute(to, from, Operation::And(mask)),
            _ => Step { effect: Effect::Lost(to as u8), access: None },
        };
    }
    // ADD, SUB (extended register), and the other logical operations on immediates write SP too,
    // and so do the forms of 32 bits.
    let extended = word & 0x3fe0_0000 == 0x0b20_0000;
    let logical = word & 0x1f80_0000 == 0x1200_0000 && bits(word, 30, 29) != 3;
    let narrow = word & 0xbf80_0000 == 0x1100_0000;
    if (extended || logical || narrow) && to == SP {
        return Step { effect: Effect::Lost(SP as u8), access: None };
    }
    // Everything else reaches SP as the base of loads and stores alone.
    if from != SP || !bit(word, 27) || bit(word, 25) {
        return nothing;
    }
    aarch64_access(word)
}

/// A load or store through SP.
fn aarch64_access(word: u32) -> Step {
    let vector = bit(word, 26);
    // Pairs.
    if word & 0x3a00_0000 == 0x2800_0000 {
        let scale = match (vector, bits(word, 31, 30)) {
            (true, opc) => 2 + opc,
            (false, opc) => 2 + (opc >> 1),
        };
        let offset = signed(word, 21, 15) << scale;
        return match bits(word, 24, 23) {
            0b01 => Step::access(0, offset),
            0b11 => Step::access(offset, offset),
            _ => Step::access(offset, 0),
        };
    }
    // One register. A vector register of 128 bits is spelt with size 0 and the upper bit of opc set.
    if word & 0x3a00_0000 == 0x3800_0000 {
        let scale = if vector && bit(word, 23) { 4 } else { bits(word, 31, 30) };
        // A prefetch accesses nothing.
        if !vector && bits(word, 31, 30) == 3 && bits(word, 23, 22) == 2 {
            return Step::default();
        }
        if bit(word, 24) {
            return Step::access(i64::from(bits(word, 21, 10)) << scale, 0);
        }
        if bit(word, 21) {
            return Step::default();
        }
        let offset = signed(word, 20, 12);
        return match bits(word, 11, 10) {
            0b01 => Step::access(0, offset),
            0b11 => Step::access(offset, offset),
            _ => Step::access(offset, 0),
        };
    }
    // Structures: LD1 to ST4.
    if word & 0xbe00_0000 == 0x0c00_0000 {
        if !bit(word, 23) {
            return Step::access(0, 0);
        }
        if bits(word, 20, 16) != 31 || bit(word, 24) {
            return Step { effect: Effect::Lost(31), access: Some(0) };
        }
        let registers = match bits(word, 15, 12) {
            0b0000 | 0b0010 => 4,
            0b0100 | 0b0110 => 3,
            0b1000 | 0b1010 => 2,
            _ => 1,
        };
        return Step::access(0, registers * if bit(word, 30) { 16 } else { 8 });
    }
    Step::default()
}

/// The 64-bit mask of a logical immediate, DDI 0487 `DecodeBitMasks`.
fn bit_mask(word: u32) -> Option<u64> {
    let (n, immr, imms) = (bits(word, 22, 22), bits(word, 21, 16), bits(word, 15, 10));
    let pattern = n << 6 | (!imms & 0x3f);
    let size = 1u32 << pattern.checked_ilog2()?;
    let (ones, rotation) = (imms & (size - 1), immr & (size - 1));
    if size < 2 || ones == size - 1 {
        return None;
    }
    let ones = (1u64 << (ones + 1)) - 1;
    let element = if size == 64 { u64::MAX } else { (1 << size) - 1 };
    let rotated = if rotation == 0 { ones } else { (ones >> rotation | ones << (size - rotation)) & element };
    Some((0..64 / size).fold(0, |mask, copy| mask | rotated << (copy * size)))
}

fn arm(word: u32) -> Step {
    const SP: u32 = 13;
    let nothing = Step::default();
    if bits(word, 31, 28) == 15 {
        return arm_structure(word);
    }
    let always = bits(word, 31, 28) == 14;
    let (to, from) = (bits(word, 15, 12), bits(word, 19, 16));
    let lost = Step { effect: Effect::Lost(to as u8), access: None };
    let step = match bits(word, 27, 25) {
        // Data processing, immediate.
        0b001 => {
            let value = bits(word, 7, 0).rotate_right(2 * bits(word, 11, 8));
            match bits(word, 24, 21) {
                0b0100 => Step::compute(to, from, Operation::Add(value.into())),
                0b0010 => Step::compute(to, from, Operation::Add(-i64::from(value))),
                0b1110 => Step::compute(to, from, Operation::And((!value).into())),
                0b0000 => Step::compute(to, from, Operation::And(value.into())),
                // Comparisons have no destination; in their place without flags stand MOVW, MOVT and hints.
                0b1000..=0b1011 if bit(word, 20) => nothing,
                0b1001 | 0b1011 => nothing,
                _ => lost,
            }
        }
        // Data processing, register; multiplications and the loads and stores that hide among them.
        0b000 if !(bit(word, 7) && bit(word, 4)) => match bits(word, 24, 21) {
            0b1101 if bits(word, 11, 4) == 0 => Step::compute(to, bits(word, 3, 0), Operation::Add(0)),
            0b1000..=0b1011 => nothing,
            _ => lost,
        },
        0b000 if bits(word, 6, 5) != 0 && from == SP => {
            let amount = match bit(word, 22) {
                true => Some(i64::from(bits(word, 11, 8) << 4 | bits(word, 3, 0))),
                false => None,
            };
            arm_offset(word, amount)
        }
        0b010 if from == SP => arm_offset(word, Some(bits(word, 11, 0).into())),
        0b011 if from == SP && !bit(word, 4) => arm_offset(word, None),
        0b100 if from == SP => {
            let count = 4 * i64::from(bits(word, 15, 0).count_ones());
            arm_multiple(word, count)
        }
        0b110 if from == SP && (bit(word, 24) || bit(word, 23) || bit(word, 21)) => {
            let words = i64::from(bits(word, 7, 0));
            if bit(word, 24) && !bit(word, 21) {
                Step::access(if bit(word, 23) { 4 * words } else { -4 * words }, 0)
            } else {
                arm_multiple(word, 4 * words)
            }
        }
        _ => nothing,
    };
    if always {
        return step;
    }
    // What happens depends on the flags.
    match step.effect {
        Effect::None => nothing,
        Effect::Moved(_) => Step { effect: Effect::Lost(SP as u8), access: None },
        Effect::Compute { to, .. } | Effect::Lost(to) => Step { effect: Effect::Lost(to), access: None },
    }
}

/// A load or store through SP, by an offset if it is known.
fn arm_offset(word: u32, amount: Option<i64>) -> Step {
    let (before, up, writes_back) = (bit(word, 24), bit(word, 23), !bit(word, 24) || bit(word, 21));
    let Some(amount) = amount else {
        let effect = if writes_back { Effect::Lost(13) } else { Effect::None };
        return Step { effect, access: (!before).then_some(0) };
    };
    let offset = if up { amount } else { -amount };
    Step::access(if before { offset } else { 0 }, if writes_back { offset } else { 0 })
}

/// A load or store of so many bytes of registers, from the lowest address up.
fn arm_multiple(word: u32, bytes: i64) -> Step {
    let (before, up, writes_back) = (bit(word, 24), bit(word, 23), bit(word, 21));
    // VLDM and VSTM have no form that increments before, nor one that decrements after.
    let lowest = match (up, before) {
        (true, false) => 0,
        (true, true) => 4,
        (false, true) => -bytes,
        (false, false) => 4 - bytes,
    };
    let moved = if up { bytes } else { -bytes };
    Step::access(lowest, if writes_back { moved } else { 0 })
}

/// VLD1 to VST4 through SP.
fn arm_structure(word: u32) -> Step {
    if bits(word, 27, 24) != 0b0100 || bit(word, 20) || bits(word, 19, 16) != 13 {
        return Step::default();
    }
    let index = bits(word, 3, 0);
    if index == 15 {
        return Step::access(0, 0);
    }
    let registers = match (bit(word, 23), bits(word, 11, 8)) {
        (false, 0b0111) => 1,
        (false, 0b1000..=0b1010) => 2,
        (false, 0b0100..=0b0110) => 3,
        (false, 0b0000..=0b0011) => 4,
        _ => 0,
    };
    if index != 13 || registers == 0 {
        return Step { effect: Effect::Lost(13), access: Some(0) };
    }
    Step::access(0, 8 * registers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vambrace_contract::Architecture::{Aarch64, Arm};

    fn computed(to: u8, from: u8, by: Operation) -> Step {
        Step { effect: Effect::Compute { to, from, by }, access: None }
    }

    #[test]
    fn aarch64_moves_of_sp_are_followed() {
        for (word, step, text) in [
            (0xd101_03ff, computed(31, 31, Operation::Add(-64)), "sub sp, sp, #64"),
            (0x9140_07ff, computed(31, 31, Operation::Add(4096)), "add sp, sp, #1, lsl #12"),
            (0x9100_03fd, computed(29, 31, Operation::Add(0)), "mov x29, sp"),
            (0x9100_03bf, computed(31, 29, Operation::Add(0)), "mov sp, x29"),
            (0x927c_ed3f, computed(31, 9, Operation::And(!15)), "and sp, x9, #~15"),
            (0xa9b7_7bfd, Step::access(-144, -144), "stp x29, x30, [sp, #-144]!"),
            (0xa8c9_7bfd, Step::access(0, 144), "ldp x29, x30, [sp], #144"),
            (0x6dbc_27e8, Step::access(-64, -64), "stp d8, d9, [sp, #-64]!"),
            (0xad00_87e0, Step::access(16, 0), "stp q0, q1, [sp, #16]"),
            (0xf81f_0ffe, Step::access(-16, -16), "str x30, [sp, #-16]!"),
            (0xf941_63f3, Step::access(704, 0), "ldr x19, [sp, #704]"),
            (0x3d80_07e0, Step::access(16, 0), "str q0, [sp, #16]"),
            (0x4c9f_2fe0, Step::access(0, 64), "st1 {v0.2d-v3.2d}, [sp], #64"),
            (0x8b22_63ff, Step { effect: Effect::Lost(31), access: None }, "add sp, sp, x2"),
            (0xcb22_63ff, Step { effect: Effect::Lost(31), access: None }, "sub sp, sp, x2"),
        ] {
            assert_eq!(Step::of(Aarch64, word), step, "{text}");
        }
    }

    #[test]
    fn what_leaves_sp_alone_on_aarch64_does_nothing() {
        for (word, text) in [
            (0xf100_0442, "subs x2, x2, #1"),
            (0xf100_03ff, "cmp sp, #0"),
            (0x8b01_0000, "add x0, x0, x1"),
            (0xca1f_03ff, "eor xzr, xzr, xzr"),
            (0xd65f_03c0, "ret"),
            (0x4e3f_1fff, "and v31.16b, v31.16b, v31.16b"),
        ] {
            let step = Step::of(Aarch64, word);
            assert!(!matches!(step.effect, Effect::Lost(31) | Effect::Moved(_)), "{text}: {step:?}");
            assert_eq!(step.access, None, "{text}");
        }
    }

    #[test]
    fn arm_moves_of_sp_are_followed() {
        for (word, step, text) in [
            (0xe24d_d040, computed(13, 13, Operation::Add(-64)), "sub sp, sp, #64"),
            (0xe28d_de12, computed(13, 13, Operation::Add(288)), "add sp, sp, #288"),
            (0xe1a0_b00d, computed(11, 13, Operation::Add(0)), "mov r11, sp"),
            (0xe1a0_d00b, computed(13, 11, Operation::Add(0)), "mov sp, r11"),
            (0xe3ce_d00f, computed(13, 14, Operation::And(0xffff_fff0)), "bic sp, lr, #15"),
            (0xe92d_4ff0, Step::access(-36, -36), "push {r4-r11, lr}"),
            (0xe8bd_8ff0, Step::access(0, 36), "pop {r4-r11, pc}"),
            (0xe8ad_000f, Step::access(0, 16), "stm sp!, {r0-r3}"),
            (0xed2d_8b10, Step::access(-64, -64), "vpush {d8-d15}"),
            (0xecbd_8b10, Step::access(0, 64), "vpop {d8-d15}"),
            (0xf40d_029d, Step::access(0, 32), "vst1.32 {d0-d3}, [sp:64]!"),
            (0xe58d_1020, Step::access(32, 0), "str r1, [sp, #32]"),
            (0xe52d_e004, Step::access(-4, -4), "str lr, [sp, #-4]!"),
            (0xe49d_f004, Step::access(0, 4), "ldr pc, [sp], #4"),
            (0xe1cd_43f0, Step::access(48, 0), "strd r4, r5, [sp, #48]"),
            (0xed9d_0b02, Step::access(8, 0), "vldr d0, [sp, #8]"),
            (0x124d_d040, Step { effect: Effect::Lost(13), access: None }, "subne sp, sp, #64"),
            (0xe08d_d003, Step { effect: Effect::Lost(13), access: None }, "add sp, sp, r3"),
        ] {
            assert_eq!(Step::of(Arm, word), step, "{text}");
        }
    }

    #[test]
    fn what_leaves_sp_alone_on_arm_does_nothing() {
        for (word, text) in [
            (0xe35d_0000, "cmp sp, #0"),
            (0xe591_d000, "ldr sp, [r1]"),
            (0xe12f_ff1e, "bx lr"),
            (0xe000_0291, "mul r0, r1, r2"),
            (0xf421_070f, "vld1.8 {d0}, [r1]"),
        ] {
            assert_eq!(Step::of(Arm, word).access, None, "{text}");
        }
        assert_eq!(Step::of(Arm, 0xe35d_0000).effect, Effect::None);
        assert_eq!(Step::of(Arm, 0xe12f_ff1e).effect, Effect::None);
    }
}
