//! The programs that are run: LLVM's, QEMU, and the guests.

use std::borrow::Cow;
use std::env;
use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use vambrace::kernels::Architecture;

use crate::build::{self, Program};
use crate::qemu::{self, Qemu, QemuError, Version};

/// Why no figures came out.
#[derive(Debug, thiserror::Error)]
pub enum SpeedError {
    /// A program is not there.
    #[error("{program} is not installed; {remedy}")]
    Missing {
        /// Its name.
        program: String,
        /// What to do.
        remedy: &'static str,
    },
    /// QEMU cannot be used.
    #[error(transparent)]
    Qemu(#[from] QemuError),
    /// The guests could not be built.
    #[error("{0}")]
    Build(String),
    /// A program could not be started, or failed.
    #[error("{program}: {what}")]
    Failed {
        /// Its command line.
        program: String,
        /// The status, and what it wrote to standard error.
        what: String,
    },
    /// A program's output has a form that is not understood.
    #[error("{program} wrote what is not understood: {what}")]
    Output {
        /// Its name.
        program: &'static str,
        /// The output.
        what: String,
    },
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// An ELF file is not what was expected.
    #[error("{0}")]
    Elf(String),
    /// A kernel cannot be predicted.
    #[error("{kernel}: {what}")]
    Kernel {
        /// Which.
        kernel: String,
        /// Why.
        what: String,
    },
    /// Nothing to do.
    #[error("no kernel matches {0}")]
    NoKernel(String),
    /// `docs/speed.md` lacks the place for a table.
    #[error("docs/speed.md has no line {0:?}")]
    NoMarker(String),
}

/// LLVM's assembler and its machine-code analyser.
pub struct Llvm {
    suffix: String,
    /// As `22.1.8`.
    pub version: String,
}

const LLVM_REMEDY: &str = "the models are those of LLVM 22: `sudo apt-get install llvm-22` (where the distribution is older, \
     from LLVM's own Debian and Ubuntu packages), or name another installation by its suffix, as LLVM_SUFFIX=-21, or \
     LLVM_SUFFIX= for programs without one";

impl Llvm {
    /// The programs with the suffix in `LLVM_SUFFIX`, by default `-22`.
    pub fn find() -> Result<Llvm, SpeedError> {
        Llvm::with_suffix(env::var("LLVM_SUFFIX").unwrap_or_else(|_| "-22".to_owned()))
    }

    fn with_suffix(suffix: String) -> Result<Llvm, SpeedError> {
        let mut llvm = Llvm { suffix, version: String::new() };
        run(&mut llvm.mc(), LLVM_REMEDY, ["--version"])?;
        let output = run(&mut llvm.mca(), LLVM_REMEDY, ["--version"])?;
        let output = text(&output.stdout);
        let version = output.split_once("version ").and_then(|(_, rest)| rest.split_whitespace().next());
        llvm.version = version.ok_or(SpeedError::Output { program: "llvm-mca", what: output.to_string() })?.to_owned();
        Ok(llvm)
    }

    /// The assembler.
    pub fn mc(&self) -> Command {
        Command::new(format!("llvm-mc{}", self.suffix))
    }

    /// The analyser.
    pub fn mca(&self) -> Command {
        Command::new(format!("llvm-mca{}", self.suffix))
    }
}

/// The guests, and what runs them.
pub struct Guests {
    programs: Vec<Program>,
    qemus: Vec<(Architecture, Qemu)>,
}

impl Guests {
    /// Finds QEMU and builds the guests.
    pub fn build(root: &Path) -> Result<Guests, SpeedError> {
        let qemus = Architecture::ALL.into_iter().map(|architecture| Ok((architecture, qemu::find(architecture)?)));
        let qemus = qemus.collect::<Result<_, SpeedError>>()?;
        let names = ["drive", "drive_digest", "drive_cipher"];
        let programs = build::programs(root, &Architecture::ALL, &names, "release").map_err(SpeedError::Build)?;
        Ok(Guests { programs, qemus })
    }

    /// Builds a guest for AArch64 in which the crate `aes` uses no AES instructions.
    pub fn without_aes_instructions(root: &Path, name: &str) -> Result<Program, SpeedError> {
        build::without_aes_instructions(root, name, "release").map_err(SpeedError::Build)
    }

    /// The file of a guest.
    pub fn path(&self, architecture: Architecture, name: &str) -> &Path {
        let found = self.programs.iter().find(|program| program.architecture == architecture && program.name == name);
        &found.expect("every program was built for every architecture").path
    }

    /// QEMU, to be given a guest.
    pub fn qemu(&self, architecture: Architecture) -> Command {
        let found = self.qemus.iter().find(|qemu| qemu.0 == architecture);
        Command::new(&found.expect("QEMU was found for every architecture").1.program)
    }

    /// The version of QEMU.
    pub fn qemu_version(&self) -> Version {
        self.qemus[0].1.version
    }
}

/// Runs a program to its end; what it wrote, if it ended well.
pub fn run<A: AsRef<OsStr>>(
    command: &mut Command,
    remedy: &'static str,
    arguments: impl IntoIterator<Item = A>,
) -> Result<Output, SpeedError> {
    command.args(arguments);
    match command.output() {
        Ok(output) if output.status.success() => Ok(output),
        Ok(output) => Err(failed(command, format_args!("{}: {}", output.status, text(&output.stderr).trim()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(SpeedError::Missing { program: command.get_program().display().to_string(), remedy })
        }
        Err(error) => Err(failed(command, error)),
    }
}

/// Runs LLVM's or a guest, which were seen to be there.
pub fn output(command: &mut Command) -> Result<Output, SpeedError> {
    run(command, "it was there a moment ago", [""; 0])
}

fn failed(command: &Command, what: impl fmt::Display) -> SpeedError {
    SpeedError::Failed { program: format!("{command:?}"), what: what.to_string() }
}

/// What a program wrote.
pub fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// Says which file an error belongs to.
pub fn in_file(path: &Path) -> impl FnOnce(io::Error) -> SpeedError + '_ {
    move |error| SpeedError::File { path: path.to_owned(), error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_llvm_is_named_with_what_to_run() {
        let error = Llvm::with_suffix("-of-nowhere".to_owned()).err().unwrap().to_string();
        assert!(error.starts_with("llvm-mc-of-nowhere is not installed"), "{error}");
        assert!(error.contains("sudo apt-get install llvm-22") && error.contains("LLVM_SUFFIX"), "{error}");
    }

    #[test]
    fn a_program_that_fails_is_shown_with_what_it_said() {
        let error = output(Command::new("sh").args(["-c", "echo broken >&2; exit 3"])).err().unwrap().to_string();
        assert!(error.contains("broken") && error.contains('3'), "{error}");
    }
}
