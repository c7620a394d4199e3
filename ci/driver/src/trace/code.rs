//! A kernel's machine code, from the ELF file that the guest runs.

use vambrace::kernels::Architecture;
use vambrace_trace::recorder;

use crate::disassembly::Disassembler;
use crate::elf::{Content, Elf};

/// The instructions and literals between a kernel's symbol and its end.
#[derive(Clone, Debug)]
pub struct Code {
    /// Where.
    pub extent: recorder::Code,
    /// All of it in words, literals included.
    pub words: Vec<u32>,
    /// The addresses of the instructions.
    pub instructions: Vec<u64>,
}

impl Code {
    /// The code of the function at an address.
    ///
    /// # Errors
    /// If its extent, or what is code in it, cannot be told.
    pub fn read(elf: &Elf, address: u64) -> Result<Code, String> {
        let size = elf.function_at(address)?.size;
        let bytes = elf.bytes(address, size)?;
        let words = bytes.chunks(4).map(|chunk| {
            let mut word = [0; 4];
            word[..chunk.len()].copy_from_slice(chunk);
            u32::from_le_bytes(word)
        });
        let (words, mut literals, mut instructions) = (words.collect(), Vec::new(), Vec::new());
        let mut at = address;
        while at < address + size {
            match elf.content(at)? {
                Content::Data => {
                    match literals.last_mut() {
                        Some(std::ops::Range { end, .. }) if *end == at => *end += 1,
                        _ => literals.push(at..at + 1),
                    }
                    at += 1;
                }
                Content::Thumb => return Err(format!("{}: there is Thumb code at {at:#x}", elf.name())),
                Content::A32 | Content::A64 => {
                    instructions.push(at);
                    at += 4;
                }
            }
        }
        Ok(Code { extent: recorder::Code { address, size, literals }, words, instructions })
    }

    /// The word at an address, if it is one of the code.
    pub fn word(&self, address: u64) -> Option<u32> {
        let offset = address.checked_sub(self.extent.address)?;
        self.words.get(usize::try_from(offset / 4).ok()?).copied()
    }

    /// The instruction at an address, for a reader: offset from the symbol, and text.
    pub fn show(&self, disassembler: &Disassembler, address: u64) -> String {
        let offset = address.wrapping_sub(self.extent.address);
        match self.word(address) {
            Some(word) => format!("+{offset:#x} `{}`", disassembler.text(address, word)),
            None => format!("{address:#x}"),
        }
    }

    /// The instructions but for padding: NOPs behind an instruction after which nothing goes on.
    pub fn without_padding(&self, architecture: Architecture) -> Vec<u64> {
        let (nop, condition) = match architecture {
            Architecture::Aarch64 => (0xd503_201f, 0),
            Architecture::Arm => (0xe320_f000, 0xe),
        };
        let mut ended = false;
        let goes_on = |address: u64, word: u32| match branch(architecture, address, word) {
            Branch::No => true,
            // A call comes back, and a condition may not hold.
            Branch::To(_) if architecture == Architecture::Aarch64 => word & 0xfc00_0000 != 0x1400_0000,
            Branch::Return | Branch::Anywhere if architecture == Architecture::Aarch64 => false,
            Branch::To(_) => word >> 28 != condition || word >> 24 & 1 != 0,
            Branch::Return | Branch::Anywhere => word >> 28 != condition,
        };
        let counts = |&&address: &&u64| {
            let word = self.word(address).unwrap_or(nop);
            let padding = ended && word == nop;
            ended = padding || !goes_on(address, word);
            !padding
        };
        self.instructions.iter().filter(counts).copied().collect()
    }

    /// Instructions whose time may depend on their operands.
    ///
    /// On AArch64 those are what PSTATE.DIT does not cover (DDI 0487, the description of DIT lists what it covers): divisions,
    /// and arithmetic that saturates. ARMv7 promises no time at all; there multiplications count too, which end early on some
    /// cores. Floating-point arithmetic is in no table of instructions, so that the check *features* keeps it out. None is
    /// allowed but divisions of the block count where it is proved that this is what they divide.
    pub fn of_variable_time(&self, architecture: Architecture, disassembler: &Disassembler) -> Vec<u64> {
        let variable = |name: &str| match architecture {
            Architecture::Aarch64 => {
                ["udiv", "sdiv", "sq", "uq", "suqadd", "usqadd"].iter().any(|prefix| name.starts_with(prefix))
            }
            Architecture::Arm => {
                const MULTIPLY: [&str; 6] = ["mul", "mla", "mls", "umull", "umlal", "umaal"];
                let prefixes = ["udiv", "sdiv", "vq", "smul", "smla", "smls", "smml", "smmu", "smua", "smus"];
                let core = MULTIPLY.iter().chain(&prefixes).any(|prefix| name.starts_with(prefix));
                core || name.starts_with("qadd") || name.starts_with("qsub") || name.starts_with("qd")
            }
        };
        let word = |&&address: &&u64| self.word(address).and_then(|word| disassembler.mnemonic(word));
        self.instructions.iter().filter(|address| word(address).is_some_and(|name| variable(&name))).copied().collect()
    }

    /// Branches by which the code is left otherwise than by a return: calls and jumps to elsewhere, where nothing is traced.
    pub fn exits(&self, architecture: Architecture) -> Vec<u64> {
        let leaves = |&&address: &&u64| {
            let Some(word) = self.word(address) else { return false };
            match branch(architecture, address, word) {
                Branch::No | Branch::Return => false,
                Branch::To(target) => !self.extent.contains(target),
                Branch::Anywhere => true,
            }
        };
        self.instructions.iter().filter(leaves).copied().collect()
    }
}

/// Where an instruction may go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Branch {
    /// Behind it.
    No,
    /// At an address in its encoding.
    To(u64),
    /// Where the caller said.
    Return,
    /// At an address in a register or in memory.
    Anywhere,
}

/// DDI 0487, C4.1.66 "Branches, Exception Generating and System instructions", and F4.1 "A32 instruction set encoding".
fn branch(architecture: Architecture, address: u64, word: u32) -> Branch {
    let signed = |low: u32, width: u32| i64::from((word >> low) << (32 - width)) << 32 >> (64 - width);
    let to = |offset: i64| Branch::To(address.wrapping_add_signed(offset));
    match architecture {
        Architecture::Aarch64 => match word {
            _ if word & 0x7c00_0000 == 0x1400_0000 => to(4 * signed(0, 26)),
            _ if word & 0xff00_0010 == 0x5400_0000 || word & 0x7e00_0000 == 0x3400_0000 => to(4 * signed(5, 19)),
            _ if word & 0x7e00_0000 == 0x3600_0000 => to(4 * signed(5, 14)),
            // RET.
            _ if word & 0xffff_fc1f == 0xd65f_0000 => Branch::Return,
            _ if word & 0xfe00_0000 == 0xd600_0000 => Branch::Anywhere,
            _ => Branch::No,
        },
        Architecture::Arm => {
            let to_pc = word >> 12 & 15 == 15;
            match word >> 25 & 7 {
                0b101 => to(8 + 4 * signed(0, 24)),
                // BX and BLX of a register; LR returns unless it is called.
                0b000 if word & 0x0fff_ffd0 == 0x012f_ff10 => match word & 0x2f {
                    0x0e => Branch::Return,
                    _ => Branch::Anywhere,
                },
                // MOV PC, LR, and any other data processing into PC; comparisons have no destination.
                0b000 | 0b001 if word & 0x0fff_ffff == 0x01a0_f00e => Branch::Return,
                0b000 | 0b001 if word >> 28 != 15 && to_pc && word >> 23 & 3 != 2 => Branch::Anywhere,
                // LDR PC from the stack, and LDM with PC.
                0b010 | 0b011 if word >> 28 != 15 && word & 0x0010_f000 == 0x0010_f000 => {
                    if word >> 16 & 15 == 13 {
                        Branch::Return
                    } else {
                        Branch::Anywhere
                    }
                }
                0b100 if word & 0x0010_8000 == 0x0010_8000 => {
                    if word >> 16 & 15 == 13 {
                        Branch::Return
                    } else {
                        Branch::Anywhere
                    }
                }
                _ => Branch::No,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vambrace::kernels::Architecture::{Aarch64, Arm};

    #[test]
    fn padding_is_what_does_nothing_behind_an_end() {
        const NOP: u32 = 0xd503_201f;
        let code = |words: &[u32]| Code {
            extent: recorder::Code { address: 0x1000, size: 4 * words.len() as u64, literals: Vec::new() },
            words: words.to_vec(),
            instructions: (0..words.len() as u64).map(|index| 0x1000 + 4 * index).collect(),
        };
        let (ret, b, bl, cbz, add) = (0xd65f_03c0, 0x1400_0002, 0x9400_0002, 0xb400_0040, 0x9100_0400);
        for (words, counted) in [
            (&[ret, NOP, NOP][..], &[0][..]),
            (&[b, NOP, add], &[0, 2]),
            (&[ret, NOP, add, NOP], &[0, 2, 3]),
            (&[bl, NOP], &[0, 1]),
            (&[cbz, NOP], &[0, 1]),
            (&[NOP, ret], &[0, 1]),
        ] {
            let counted: Vec<u64> = counted.iter().map(|index| 0x1000 + 4 * index).collect();
            assert_eq!(code(words).without_padding(Aarch64), counted, "{words:x?}");
        }
        const NOP_A32: u32 = 0xe320_f000;
        assert_eq!(code(&[0xe12f_ff1e, NOP_A32]).without_padding(Arm), [0x1000]);
        assert_eq!(code(&[0x012f_ff1e, NOP_A32]).without_padding(Arm), [0x1000, 0x1004], "bxeq lr");
        assert_eq!(code(&[0xeb00_0000, NOP_A32]).without_padding(Arm), [0x1000, 0x1004], "bl");
        assert_eq!(code(&[0xea00_0000, NOP_A32]).without_padding(Arm), [0x1000], "b");
    }

    #[test]
    fn branches_tell_where_they_go() {
        for (architecture, word, expected, text) in [
            (Aarch64, 0x1400_0002, Branch::To(0x1008), "b .+8"),
            (Aarch64, 0x97ff_ffff, Branch::To(0xffc), "bl .-4"),
            (Aarch64, 0x54ff_ffe1, Branch::To(0xffc), "b.ne .-4"),
            (Aarch64, 0xb400_0040, Branch::To(0x1008), "cbz x0, .+8"),
            (Aarch64, 0x3607_fffe, Branch::To(0xffc), "tbz w30, #0, .-4"),
            (Aarch64, 0xd65f_03c0, Branch::Return, "ret"),
            (Aarch64, 0xd61f_0200, Branch::Anywhere, "br x16"),
            (Aarch64, 0xd63f_0200, Branch::Anywhere, "blr x16"),
            (Aarch64, 0x9100_0400, Branch::No, "add x0, x0, #1"),
            (Arm, 0xea00_0000, Branch::To(0x1008), "b .+8"),
            (Arm, 0x1aff_fffd, Branch::To(0xffc), "bne .-4"),
            (Arm, 0xe12f_ff1e, Branch::Return, "bx lr"),
            (Arm, 0x012f_ff1e, Branch::Return, "bxeq lr"),
            (Arm, 0xe12f_ff3e, Branch::Anywhere, "blx lr"),
            (Arm, 0xe12f_ff13, Branch::Anywhere, "bx r3"),
            (Arm, 0xe1a0_f00e, Branch::Return, "mov pc, lr"),
            (Arm, 0xe1a0_f003, Branch::Anywhere, "mov pc, r3"),
            (Arm, 0xe08f_f103, Branch::Anywhere, "add pc, pc, r3, lsl #2"),
            (Arm, 0xe8bd_8010, Branch::Return, "pop {r4, pc}"),
            (Arm, 0xe49d_f004, Branch::Return, "ldr pc, [sp], #4"),
            (Arm, 0xe590_f000, Branch::Anywhere, "ldr pc, [r0]"),
            (Arm, 0xe35f_0000, Branch::No, "cmp pc, #0"),
            (Arm, 0xe280_0001, Branch::No, "add r0, r0, #1"),
            (Arm, 0xf421_070f, Branch::No, "vld1.8 in r1"),
        ] {
            assert_eq!(branch(architecture, 0x1000, word), expected, "{text}");
        }
    }
}
