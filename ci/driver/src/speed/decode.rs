//! Instruction words to assembler text, by `llvm-mc`.

use std::collections::{BTreeSet, HashMap};
use std::io::Write;

use vambrace::kernels::Architecture;

use super::tool::{self, Llvm, SpeedError, in_file, text};

/// The triple that LLVM knows an architecture by.
pub fn triple(architecture: Architecture) -> &'static str {
    match architecture {
        Architecture::Aarch64 => "aarch64-linux-gnu",
        Architecture::Arm => "armv8a-linux-gnueabihf",
    }
}

/// Everything that a kernel on the architecture may use, whatever the core.
pub fn attributes(architecture: Architecture) -> &'static str {
    match architecture {
        Architecture::Aarch64 => "+sha2,+aes,+sha3,+crc,+dotprod,+fullfp16",
        Architecture::Arm => "+armv8.2-a,+neon,+crypto,+sha2,+aes,+crc,+dsp,+hwdiv,+hwdiv-arm,+dotprod",
    }
}

/// The text of each instruction word, as `add x0, x1, x2`.
pub fn decode(
    architecture: Architecture,
    words: impl IntoIterator<Item = u32>,
    llvm: &Llvm,
) -> Result<HashMap<u32, String>, SpeedError> {
    let words: BTreeSet<u32> = words.into_iter().collect();
    let mut input = tempfile::NamedTempFile::new().map_err(in_file(&std::env::temp_dir()))?;
    for word in &words {
        let [a, b, c, d] = word.to_le_bytes();
        writeln!(input, "{a:#04x} {b:#04x} {c:#04x} {d:#04x}").map_err(in_file(input.path()))?;
    }
    let mut command = llvm.mc();
    command.arg("--disassemble").arg(format!("-triple={}", triple(architecture)));
    command.arg(format!("-mattr={}", attributes(architecture))).arg(input.path());
    let output = tool::output(&mut command)?;
    if let Some(line) = first_invalid(&text(&output.stderr)) {
        let word = words.iter().nth(line - 1).copied().unwrap_or_default();
        let what = format!("the word {word:#010x} is no {architecture} instruction");
        return Err(SpeedError::Output { program: "llvm-mc", what });
    }

    let output = text(&output.stdout);
    let lines: Vec<String> =
        output.lines().map(tidy).filter(|line| !line.is_empty() && !line.starts_with('.')).collect();
    if lines.len() != words.len() {
        let what = format!("{} instructions for {} words", lines.len(), words.len());
        return Err(SpeedError::Output { program: "llvm-mc", what });
    }
    Ok(words.into_iter().zip(lines).collect())
}

/// The line of the first warning `FILE:LINE:COLUMN: warning: invalid instruction encoding`.
fn first_invalid(errors: &str) -> Option<usize> {
    let place = errors.lines().find_map(|line| line.split_once(": warning: invalid").map(|(place, _)| place))?;
    place.rsplit(':').nth(1)?.parse().ok().filter(|&line| line > 0)
}

/// Mnemonic, one space, operands; no comment.
fn tidy(line: &str) -> String {
    let end = line.find("//").or_else(|| line.find('@')).unwrap_or(line.len());
    line[..end].trim().replace('\t', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disassembly_is_reduced_to_mnemonic_and_operands() {
        assert_eq!(tidy("\tadd\tx0, x1, #1024           // =0x400"), "add x0, x1, #1024");
        assert_eq!(tidy("\tmvn\tr0, #0                  @ encoding"), "mvn r0, #0");
    }

    #[test]
    fn a_word_that_is_no_instruction_is_found_by_its_line() {
        let errors = "/tmp/x:2:1: warning: invalid instruction encoding\n0xff 0xff 0xff 0xff\n^\n";
        assert_eq!(first_invalid(errors), Some(2));
        assert_eq!(first_invalid(""), None);
    }
}
