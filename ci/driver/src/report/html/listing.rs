//! The machine code of a kernel, instruction by instruction.

use std::fmt::Write;

use vambrace::kernels::Architecture;
use vambrace_prover::code::Code;

use crate::disassembly::Disassembler;

/// The listing: offset, word, instruction; constants as words.
pub(super) fn of(architecture: Architecture, code: &Code) -> Result<String, String> {
    let disassembler = Disassembler::new(architecture)?;
    let mut text = String::new();
    for (index, chunk) in code.bytes().chunks(4).enumerate() {
        let offset = 4 * index as u64;
        let mut word = [0; 4];
        word[..chunk.len()].copy_from_slice(chunk);
        let word = u32::from_le_bytes(word);
        let shown = match code.instruction(offset) {
            Some(word) => disassembler.text(offset, word),
            None => format!(".word {word:#010x}"),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{offset:5x}  {word:08x}  {shown}");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_disassembled_and_constants_are_words() {
        let bytes = [0xd503_201f_u32, 0xd65f_03c0, 0x6a09_e667].map(u32::to_le_bytes).concat();
        let code = Code::new(bytes, std::iter::once(8..12).collect());
        let text = of(Architecture::Aarch64, &code).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines, ["    0  d503201f  nop", "    4  d65f03c0  ret", "    8  6a09e667  .word 0x6a09e667"]);
    }
}
