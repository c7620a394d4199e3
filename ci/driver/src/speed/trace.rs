//! Which instructions a guest executes, in order, from QEMU's log.
//!
//! With `-d in_asm,exec,nochain` QEMU logs each block when it translates it, with its instructions, and a line each time
//! that it executes one. Only addresses are taken from the log; the instructions are read from the ELF file.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::ops::Range;
use std::path::Path;

use vambrace::kernels::Architecture;

use super::tool::{self, Guests, SpeedError, in_file};

/// A program, ready to be run and watched.
pub struct Guest<'a> {
    /// What runs it.
    pub guests: &'a Guests,
    /// What it was built for.
    pub architecture: Architecture,
    /// Its file.
    pub program: &'a Path,
}

/// What was executed.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Addresses of the blocks, as often as they were executed.
    executed: Vec<u64>,
    /// Addresses of the instructions of each block.
    blocks: HashMap<u64, Vec<u64>>,
}

impl Guest<'_> {
    /// Runs the guest and watches the instructions of some address ranges; of none, all.
    pub fn trace(&self, arguments: &[String], ranges: &[Range<u64>]) -> Result<Trace, SpeedError> {
        let log = tempfile::NamedTempFile::new().map_err(in_file(&std::env::temp_dir()))?;
        let mut command = self.guests.qemu(self.architecture);
        // The seed is for what the guest finds in its auxiliary vector.
        command.args(["-seed", "1", "-cpu", "max", "-d", "in_asm,exec,nochain", "-D"]).arg(log.path());
        if !ranges.is_empty() {
            let ranges = ranges.iter().map(|range| format!("{:#x}+{:#x}", range.start, range.end - range.start));
            command.args(["-dfilter", &ranges.collect::<Vec<_>>().join(",")]);
        }
        tool::output(command.arg(self.program).args(arguments))?;
        let lines = BufReader::new(File::open(log.path()).map_err(in_file(log.path()))?);
        Trace::parse(lines).map_err(|error| match error {
            LogError::Read(error) => in_file(log.path())(error),
            LogError::Line(line) => SpeedError::Output { program: "qemu", what: line },
        })
    }
}

#[derive(Debug)]
enum LogError {
    Read(io::Error),
    Line(String),
}

impl Trace {
    fn parse(log: impl BufRead) -> Result<Trace, LogError> {
        let mut trace = Trace::default();
        // The block that was translated last, until the line that says where it lies in the order of execution.
        let mut block = Vec::new();
        let mut end = 0;
        for line in log.lines() {
            let line = line.map_err(LogError::Read)?;
            if line.starts_with("IN:") {
                block.clear();
                end = 0;
            } else if line.starts_with("0x") {
                let Some((address, bytes)) = instruction(&line) else { return Err(LogError::Line(line)) };
                // A wide Thumb instruction across the end of a page is shown as two.
                if address >= end {
                    block.push(address);
                    end = address + bytes;
                }
            } else if line.starts_with("Trace ") {
                let Some(address) = executed(&line) else { return Err(LogError::Line(line)) };
                trace.executed.push(address);
                if let Some(&first) = block.first() {
                    trace.blocks.insert(first, std::mem::take(&mut block));
                }
            } else if line.starts_with("OBJD") {
                return Err(LogError::Line(format!("{line} (this QEMU was built without a disassembler)")));
            }
        }
        Ok(trace)
    }

    /// Addresses of the instructions executed, in order.
    pub fn instructions(&self) -> Result<Vec<u64>, SpeedError> {
        Ok(self.blocks(&self.executed)?.flatten().copied().collect())
    }

    /// How many instructions were executed between each call of `begin` and the next call of `end`, both left out.
    pub fn count_between(&self, begin: u64, end: u64) -> Result<Vec<usize>, SpeedError> {
        let after_begin = self.executed.split(|&address| address == begin).skip(1);
        after_begin
            .map(|part| {
                let part = part.split(|&address| address == end).next().unwrap_or_default();
                Ok(self.blocks(part)?.map(Vec::len).sum())
            })
            .collect()
    }

    fn blocks(&self, executed: &[u64]) -> Result<impl Iterator<Item = &Vec<u64>>, SpeedError> {
        let blocks: Vec<_> = executed.iter().map(|address| self.blocks.get(address)).collect();
        match blocks.iter().position(Option::is_none) {
            None => Ok(blocks.into_iter().flatten()),
            Some(index) => {
                let what = format!("the block at {:#x} is executed, but was not translated", executed[index]);
                Err(SpeedError::Output { program: "qemu", what })
            }
        }
    }
}

/// Address and size of the instruction in a line `0x0040a1c0:  d503245f  hint     #0x22`; in Thumb code halfwords are
/// apart: `0x000169c8:  f04f 0b00  mov.w    fp, #0`.
fn instruction(line: &str) -> Option<(u64, u64)> {
    let (address, rest) = line.strip_prefix("0x")?.split_once(':')?;
    let address = u64::from_str_radix(address, 16).ok()?;
    let word = rest.split_whitespace().next()?;
    let value = u32::from_str_radix(word, 16).ok()?;
    match word.len() {
        8 => Some((address, 4)),
        // Halfwords from 0xe800 on start a wide instruction.
        4 => Some((address, if value < 0xe800 { 2 } else { 4 })),
        _ => None,
    }
}

/// Address of the block in a line `Trace 0: 0x7fb818897b40 [0000000001009b31/000000000040a1c0/00000001/00000200] name`.
fn executed(line: &str) -> Option<u64> {
    let (_, rest) = line.split_once('[')?;
    u64::from_str_radix(rest.split('/').nth(1)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "\
----------------
IN: first
0x0040a1c0:  d503245f  hint     #0x22
0x0040a1c4:  b4001162  cbz      x2, #0x40a3f0

Trace 0: 0x7fb818897b40 [0000000001009b31/000000000040a1c0/00000001/00000200] first
----------------
IN:
0x0040a3f0:  d65f03c0  ret

Trace 0: 0x7fb818898f80 [0000000001009331/000000000040a3f0/00000001/00000200]
Trace 0: 0x7fb818897b40 [0000000001009b31/000000000040a1c0/00000001/00000200] first
Trace 0: 0x7fb818898f80 [0000000001009331/000000000040a3f0/00000001/00000200]
";

    fn parse(log: &str) -> Result<Trace, LogError> {
        Trace::parse(log.as_bytes())
    }

    #[test]
    fn a_block_counts_as_often_as_it_is_executed() {
        let trace = parse(LOG).unwrap();
        assert_eq!(trace.instructions().unwrap(), [0x40a1c0, 0x40a1c4, 0x40a3f0, 0x40a1c0, 0x40a1c4, 0x40a3f0]);
    }

    #[test]
    fn what_lies_between_two_markers_is_counted() {
        let trace = parse(LOG).unwrap();
        assert_eq!(trace.count_between(0x40a1c0, 0x40a3f0).unwrap(), [0, 0]);
        assert_eq!(trace.count_between(0x40a3f0, 1).unwrap(), [2, 0]);
        assert!(trace.count_between(1, 0x40a3f0).unwrap().is_empty());
    }

    #[test]
    fn thumb_instructions_have_two_sizes() {
        let log = "\
IN:
0x00059c58:  e92d 4880  push.w   {r7, fp, lr}
0x00059c5c:  4616       mov      r6, r2
0x00059ffe:  f510       cmn.w    r0, #0x1000
0x0005a000:  5f80       ldrsh    r0, [r0, r6]
0x0005a002:  4616       mov      r6, r2

Trace 0: 0x7f6bb40000c0 [00800480/00059c58/00000000/00000200]
";
        assert_eq!(parse(log).unwrap().instructions().unwrap(), [0x59c58, 0x59c5c, 0x59ffe, 0x5a002]);
    }

    #[test]
    fn a_line_of_another_form_is_an_error() {
        for line in ["0x0040a1c0  d503245f", "0x0040a1c0: zz", "Trace 0: 0x7fb818897b40", "OBJD-T: 5f2403d5"] {
            match parse(line) {
                Err(LogError::Line(what)) => assert!(what.starts_with(line), "{what}"),
                other => panic!("{line}: {other:?}"),
            }
        }
    }

    #[test]
    fn a_block_that_was_never_translated_is_an_error() {
        let trace = parse("Trace 0: 0x7f [00/40/00/00]").unwrap();
        assert!(trace.instructions().unwrap_err().to_string().contains("0x40"));
    }
}
