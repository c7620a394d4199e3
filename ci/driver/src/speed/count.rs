//! Counts the instructions that a program executes between its marks.

use std::path::Path;

use vambrace::kernels::Architecture;

use super::tool::{Guests, SpeedError};
use super::trace::Guest;
use crate::elf::Elf;

/// One row of a table of counts.
pub struct Counts {
    /// The table.
    pub place: String,
    /// What is counted, as `Sha256::digest, tier neon`.
    pub what: String,
    /// Sizes in bytes, and the instructions for each.
    pub instructions: Vec<(usize, usize)>,
}

/// A program with marks, and where they are.
pub struct Counter<'a> {
    guest: Guest<'a>,
    begin: u64,
    end: u64,
}

impl Counter<'_> {
    /// Reads where the marks are.
    pub fn new<'a>(
        guests: &'a Guests,
        architecture: Architecture,
        program: &'a Path,
    ) -> Result<Counter<'a>, SpeedError> {
        let elf = Elf::read(program, architecture).map_err(SpeedError::Elf)?;
        let mark = |name| elf.function(name).map(|function| function.address).map_err(SpeedError::Elf);
        let (begin, end) = (mark("vambrace_count_begin")?, mark("vambrace_count_end")?);
        Ok(Counter { guest: Guest { guests, architecture, program }, begin, end })
    }

    /// Runs the program with some words and sizes as arguments; the count of each size.
    pub fn count(&self, words: &[&str], sizes: &[usize]) -> Result<Vec<usize>, SpeedError> {
        let words = words.iter().copied().map(str::to_owned);
        let arguments: Vec<String> = words.chain(sizes.iter().map(usize::to_string)).collect();
        let counts = self.guest.trace(&arguments, &[])?.count_between(self.begin, self.end)?;
        if counts.len() == sizes.len() {
            return Ok(counts);
        }
        let (program, arguments) = (self.guest.program.display(), arguments.join(" "));
        let what = format!("{program} {arguments}: {} counts for {} sizes", counts.len(), sizes.len());
        Err(SpeedError::Elf(what))
    }
}
