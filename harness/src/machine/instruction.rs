//! Whether the instruction at which a fault happened loads or stores.

use vambrace_contract::Architecture;

/// What an instruction does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// Reads memory.
    Load,
    /// Writes memory.
    Store,
}

/// The direction of a load or store; `None` for any other instruction.
pub(crate) fn direction(architecture: Architecture, word: u32) -> Option<Direction> {
    let loads = match architecture {
        Architecture::Aarch64 => aarch64_loads(word),
        Architecture::Arm => arm_loads(word),
    }?;
    Some(if loads { Direction::Load } else { Direction::Store })
}

fn bit(word: u32, n: u32) -> bool {
    word >> n & 1 != 0
}

/// "Arm Architecture Reference Manual for A-profile", C4.1.94, Loads and Stores.
fn aarch64_loads(word: u32) -> Option<bool> {
    if !bit(word, 27) || bit(word, 25) {
        return None;
    }
    match word >> 28 & 0b11 {
        // Advanced SIMD structures, and exclusives.
        0b00 => Some(bit(word, 22)),
        // Literals.
        0b01 => Some(true),
        // Pairs.
        0b10 => Some(bit(word, 22)),
        // One register: opc is bits 23 and 22, and 10 stores a Q register, or loads with sign extension.
        _ => match word >> 22 & 0b11 {
            0b00 => Some(false),
            0b10 => Some(!(bit(word, 26) && word >> 30 == 0)),
            _ => Some(true),
        },
    }
}

/// "Arm Architecture Reference Manual for A-profile", F4.1, A32 instruction set encoding.
fn arm_loads(word: u32) -> Option<bool> {
    if word >> 28 == 0b1111 {
        // VLDn and VSTn.
        return (word >> 24 & 0b1111 == 0b0100 && !bit(word, 20)).then(|| bit(word, 21));
    }
    match word >> 25 & 0b111 {
        0b000 if bit(word, 7) && bit(word, 4) => match word >> 5 & 0b11 {
            // Exclusives (bit 24 set) and multiplications.
            0b00 => bit(word, 24).then(|| bit(word, 20)),
            // LDRD is the load among the encodings without bit 20.
            sh => Some(bit(word, 20) || sh == 0b10),
        },
        0b010 => Some(bit(word, 20)),
        0b011 if !bit(word, 4) => Some(bit(word, 20)),
        0b100 => Some(bit(word, 20)),
        // VLDM, VLDR and their stores; register transfers have bits 24, 23 and 21 clear.
        0b110 if bit(word, 24) || bit(word, 23) || bit(word, 21) => Some(bit(word, 20)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_and_stores_of_aarch64_are_told_apart() {
        let of = |word| direction(Architecture::Aarch64, word);
        for (word, text) in [
            (0xf940_0020, "ldr x0, [x1]"),
            (0x3940_0020, "ldrb w0, [x1]"),
            (0xb980_0020, "ldrsw x0, [x1]"),
            (0x3dc0_0020, "ldr q0, [x1]"),
            (0xa940_0440, "ldp x0, x1, [x2]"),
            (0xad40_0440, "ldp q0, q1, [x2]"),
            (0x4cdf_2020, "ld1 {v0.16b-v3.16b}, [x1], #64"),
            (0x4c40_7020, "ld1 {v0.16b}, [x1]"),
        ] {
            assert_eq!(of(word), Some(Direction::Load), "{text}");
        }
        for (word, text) in [
            (0xf900_0020, "str x0, [x1]"),
            (0x3d80_0020, "str q0, [x1]"),
            (0xa900_0440, "stp x0, x1, [x2]"),
            (0xad00_0440, "stp q0, q1, [x2]"),
            (0x4c9f_2020, "st1 {v0.16b-v3.16b}, [x1], #64"),
        ] {
            assert_eq!(of(word), Some(Direction::Store), "{text}");
        }
        for (word, text) in [(0x8b01_0000, "add x0, x0, x1"), (0xd65f_03c0, "ret"), (0x4e28_4820, "aese")] {
            assert_eq!(of(word), None, "{text}");
        }
    }

    #[test]
    fn loads_and_stores_of_arm_are_told_apart() {
        let of = |word| direction(Architecture::Arm, word);
        for (word, text) in [
            (0xe591_0000, "ldr r0, [r1]"),
            (0xe791_0002, "ldr r0, [r1, r2]"),
            (0xe891_000c, "ldm r1, {r2, r3}"),
            (0xe1d1_00b0, "ldrh r0, [r1]"),
            (0xe1c1_00d0, "ldrd r0, [r1]"),
            (0xf421_070f, "vld1.8 {d0}, [r1]"),
            (0xed91_0b00, "vldr d0, [r1]"),
            (0xec91_0b04, "vldm r1, {d0-d1}"),
        ] {
            assert_eq!(of(word), Some(Direction::Load), "{text}");
        }
        for (word, text) in [
            (0xe581_0000, "str r0, [r1]"),
            (0xe881_000c, "stm r1, {r2, r3}"),
            (0xe1c1_00b0, "strh r0, [r1]"),
            (0xe1c1_00f0, "strd r0, [r1]"),
            (0xf401_070f, "vst1.8 {d0}, [r1]"),
            (0xed81_0b00, "vstr d0, [r1]"),
        ] {
            assert_eq!(of(word), Some(Direction::Store), "{text}");
        }
        for (word, text) in
            [(0xe080_0001, "add r0, r0, r1"), (0xe000_0291, "mul r0, r1, r2"), (0xec41_0b10, "vmov d0, r0, r1")]
        {
            assert_eq!(of(word), None, "{text}");
        }
    }
}
