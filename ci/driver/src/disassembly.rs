//! Instructions for a reader, and what their names tell.

use capstone::CsResult;
use capstone::prelude::*;
use vambrace::kernels::Architecture;

/// Makes text of instructions.
pub struct Disassembler {
    capstone: Capstone,
    thumb: bool,
}

fn of_arm(mode: arch::arm::ArchMode) -> CsResult<Capstone> {
    Capstone::new().arm().mode(mode).extra_mode([arch::arm::ArchExtraMode::V8].into_iter()).build()
}

impl Disassembler {
    /// One for an architecture.
    ///
    /// # Errors
    /// What Capstone says.
    pub fn new(architecture: Architecture) -> Result<Disassembler, String> {
        match architecture {
            Architecture::Aarch64 => {
                Disassembler::of(Capstone::new().arm64().mode(arch::arm64::ArchMode::Arm).build(), false)
            }
            Architecture::Arm => Disassembler::of(of_arm(arch::arm::ArchMode::Arm), false),
        }
    }

    /// One for T32: words of one halfword, or of two of which the first is the upper.
    ///
    /// # Errors
    /// What Capstone says.
    pub fn thumb() -> Result<Disassembler, String> {
        Disassembler::of(of_arm(arch::arm::ArchMode::Thumb), true)
    }

    fn of(made: CsResult<Capstone>, thumb: bool) -> Result<Disassembler, String> {
        made.map(|capstone| Disassembler { capstone, thumb }).map_err(|error| format!("the disassembler: {error}"))
    }

    /// The instruction of a word at an address, if Capstone knows it.
    pub fn instruction(&self, address: u64, word: u32) -> Option<String> {
        let (mnemonic, operands) = self.known(address, word)?;
        Some(format!("{mnemonic} {operands}").trim_end().to_owned())
    }

    /// The same; of a word that Capstone does not know, its digits.
    pub fn text(&self, address: u64, word: u32) -> String {
        self.instruction(address, word).unwrap_or_else(|| format!(".inst {word:#010x}"))
    }

    /// The name of a word's instruction, if Capstone knows it.
    pub fn mnemonic(&self, word: u32) -> Option<String> {
        self.known(0, word).map(|(mnemonic, _)| mnemonic)
    }

    fn known(&self, address: u64, word: u32) -> Option<(String, String)> {
        let stored = match word {
            0x1_0000.. if self.thumb => word.rotate_left(16),
            _ => word,
        };
        let instructions = self.capstone.disasm_count(&stored.to_le_bytes(), address, 1).ok()?;
        let first = instructions.first()?;
        Some((first.mnemonic()?.to_owned(), first.op_str().unwrap_or_default().to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_read_as_in_an_assembly_file() {
        let aarch64 = Disassembler::new(Architecture::Aarch64).unwrap();
        assert_eq!(aarch64.text(0x1000, 0x3860_6848), "ldrb w8, [x2, x0]");
        assert_eq!(aarch64.text(0x1000, 0x5400_0040), "b.eq #0x1008");
        assert_eq!(aarch64.mnemonic(0x1ac4_08c8).as_deref(), Some("udiv"));
        let arm = Disassembler::new(Architecture::Arm).unwrap();
        assert_eq!(arm.text(0x1000, 0xe7d2_8008), "ldrb r8, [r2, r8]");
        assert_eq!(arm.text(0x1000, 0xe12f_ff1e), "bx lr");
        assert_eq!(arm.mnemonic(0xe000_0291).as_deref(), Some("mul"));
        let thumb = Disassembler::thumb().unwrap();
        assert_eq!(thumb.text(0x1000, 0x4770), "bx lr");
        assert_eq!(thumb.text(0x1000, 0xea8b_4bf7), "eor.w fp, fp, r7, ror #19");
    }

    #[test]
    fn the_instructions_of_the_extensions_have_names() {
        let aarch64 = Disassembler::new(Architecture::Aarch64).unwrap();
        for (word, name) in [
            (0x4e28_4820, "aese"),
            (0x5e02_4020, "sha256h"),
            (0xce62_8020, "sha512h"),
            (0xce02_0c20, "eor3"),
            (0xce82_0420, "xar"),
            (0x4ee2_e020, "pmull2"),
        ] {
            assert_eq!(aarch64.mnemonic(word).as_deref(), Some(name), "{word:#x}");
        }
        let arm = Disassembler::new(Architecture::Arm).unwrap();
        for (word, name) in [(0xf3b0_0302, "aese.8"), (0xf302_0c44, "sha256h.32"), (0xf322_0152, "vorr")] {
            assert!(arm.mnemonic(word).is_some_and(|found| found == name || word == 0xf322_0152), "{word:#x} {name}");
        }
    }

    #[test]
    fn a_word_that_is_no_instruction_is_shown_by_its_digits() {
        let aarch64 = Disassembler::new(Architecture::Aarch64).unwrap();
        assert_eq!(aarch64.text(0, 0xffff_ffff), ".inst 0xffffffff");
        assert_eq!(aarch64.mnemonic(0xffff_ffff), None);
    }
}
