//! Kernels assembled from edited source, by GNU as.

use std::path::Path;
use std::process::{Command, Stdio};

use object::{Object, ObjectSection};
use vambrace::kernels::Architecture;

/// What stands before a kernel's source, as it does where the library is compiled.
fn head(architecture: Architecture) -> &'static str {
    match architecture {
        Architecture::Aarch64 => ".text\n",
        Architecture::Arm => ".syntax unified\n.arm\n.text\n",
    }
}

/// The assembler, and what it is asked for. FEAT_SHA512 and FEAT_SHA3 are extensions of Armv8.2 for it.
fn command(architecture: Architecture) -> Command {
    let (program, model) = match architecture {
        Architecture::Aarch64 => ("aarch64-linux-gnu-gcc", "-march=armv8.2-a"),
        Architecture::Arm => ("arm-linux-gnueabihf-gcc", "-march=armv7-a+fp"),
    };
    let mut command = Command::new(program);
    command.args([model, "-c", "-x", "assembler-with-cpp"]);
    command
}

/// The words of a kernel, from its source.
///
/// # Errors
/// What the assembler says, or what is not as in a kernel of ours.
pub fn assemble(architecture: Architecture, source: &str) -> Result<Vec<u32>, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("no folder for the assembler: {error}"))?;
    let (input, output) = (folder.path().join("kernel.S"), folder.path().join("kernel.o"));
    std::fs::write(&input, [head(architecture), source].concat())
        .map_err(|error| format!("{}: {error}", input.display()))?;
    let mut command = command(architecture);
    command.arg(&input).arg("-o").arg(&output).stdin(Stdio::null());
    let run = command.output().map_err(|error| format!("{:?}: {error}", command.get_program()))?;
    if !run.status.success() {
        return Err(format!("the assembler refuses it: {}", String::from_utf8_lossy(&run.stderr)));
    }
    text_of(&output)
}

/// The code of an object file that has nothing else to offer.
fn text_of(path: &Path) -> Result<Vec<u32>, String> {
    let fail = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let bytes = std::fs::read(path).map_err(|error| fail(&error))?;
    let file = object::File::parse(bytes.as_slice()).map_err(|error| fail(&error))?;
    let text = file.section_by_name(".text").ok_or_else(|| fail(&"there is no code"))?;
    if let Some((offset, _)) = text.relocations().next() {
        return Err(fail(&format!("the code has a relocation at {offset:#x}")));
    }
    let code = text.data().map_err(|error| fail(&error))?;
    let (words, rest) = code.as_chunks();
    if !rest.is_empty() {
        return Err(fail(&"the code does not consist of whole words"));
    }
    Ok(words.iter().map(|word| u32::from_le_bytes(*word)).collect())
}

/// A branch from one address to another.
///
/// # Errors
/// If it is too far.
pub fn branch(architecture: Architecture, from: u64, to: u64) -> Result<u32, String> {
    // PC is two instructions ahead on AArch32.
    let (ahead, bits, opcode) = match architecture {
        Architecture::Aarch64 => (0, 26, 0x1400_0000),
        Architecture::Arm => (8, 24, 0xea00_0000),
    };
    let distance = to.wrapping_sub(from).wrapping_sub(ahead).cast_signed();
    if distance % 4 != 0 || distance >> (bits + 1) != distance >> 63 {
        return Err(format!("{to:#x} cannot be reached from {from:#x} by a branch"));
    }
    Ok(opcode | (distance >> 2) as u32 & ((1 << bits) - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assembled_kernel_is_its_words() {
        let words = assemble(Architecture::Aarch64, "add x0, x0, #1 // one\nret\n");
        assert_eq!(words, Ok(vec![0x9100_0400, 0xd65f_03c0]));
        let words = assemble(Architecture::Arm, "add r0, r0, #1\nbx lr\n");
        assert_eq!(words, Ok(vec![0xe280_0001, 0xe12f_ff1e]));
    }

    #[test]
    fn what_is_no_kernel_is_refused() {
        let error = assemble(Architecture::Aarch64, "add x0, x0\n").unwrap_err();
        assert!(error.contains("refuses"), "{error}");
        let error = assemble(Architecture::Aarch64, "bl elsewhere\n").unwrap_err();
        assert!(error.contains("relocation at 0x0"), "{error}");
        let error = assemble(Architecture::Aarch64, "ret\n.byte 1\n").unwrap_err();
        assert!(error.contains("whole words"), "{error}");
    }

    #[test]
    fn branches_reach_their_targets() {
        assert_eq!(branch(Architecture::Aarch64, 0x1000, 0x1008), Ok(0x1400_0002));
        assert_eq!(branch(Architecture::Aarch64, 0x1008, 0x1000), Ok(0x17ff_fffe));
        assert_eq!(branch(Architecture::Arm, 0x1000, 0x1008), Ok(0xea00_0000));
        assert_eq!(branch(Architecture::Arm, 0x1008, 0x1008), Ok(0xeaff_fffe));
        assert!(branch(Architecture::Arm, 0, 1 << 26).is_err());
        assert!(branch(Architecture::Aarch64, 0, 1 << 28).is_err());
    }
}
