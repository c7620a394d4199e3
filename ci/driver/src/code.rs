//! The bytes of kernels, as they stand in the programs that the guests are started from.

use std::fs;
use std::path::PathBuf;

use sha2::{Digest, Sha256};
use vambrace::kernels::{ALL, Architecture, Kernel};
use vambrace_prover::code::{Code, ElfFile};

/// The SHA-256 of bytes, in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// The code of every kernel of some architectures.
#[derive(Clone, Debug, Default)]
pub struct Codes(Vec<(&'static Kernel, Result<Code, String>)>);

impl Codes {
    /// Reads the kernels out of programs, by the names of their symbols.
    ///
    /// # Errors
    /// If a program cannot be read. A kernel that cannot be found in it is an error of its own.
    pub fn read(programs: &[(Architecture, PathBuf)]) -> Result<Codes, String> {
        let mut codes = Codes::default();
        for (architecture, program) in programs {
            let named = |error: &dyn std::fmt::Display| format!("{}: {error}", program.display());
            let data = fs::read(program).map_err(|error| named(&error))?;
            let file = ElfFile::parse(&data, *architecture).map_err(|error| named(&error))?;
            let of_it = ALL.iter().copied().flatten().filter(|kernel| kernel.architecture == *architecture);
            codes.0.extend(of_it.map(|kernel| (kernel, file.kernel(kernel).map_err(|error| named(&error)))));
        }
        Ok(codes)
    }

    /// The code of a kernel.
    ///
    /// # Errors
    /// Why there is none.
    pub fn of(&self, kernel: &Kernel) -> Result<&Code, String> {
        let is = |of: &&Kernel| (of.architecture, of.name) == (kernel.architecture, kernel.name);
        match self.0.iter().find(|(of, _)| is(of)) {
            Some((_, code)) => code.as_ref().map_err(String::clone),
            None => Err(format!("no program for {} was read", kernel.architecture)),
        }
    }

    /// The kernels of an architecture whose code was found, and how many bytes each has.
    pub fn extents(&self, architecture: Architecture) -> impl Iterator<Item = (&'static str, usize)> {
        let found = self.0.iter().filter(move |(kernel, _)| kernel.architecture == architecture);
        found.filter_map(|(kernel, code)| Some((kernel.name, code.as_ref().ok()?.bytes().len())))
    }
}
