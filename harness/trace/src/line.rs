//! The lines in which a plugin writes down what it recorded.
//!
//! ```text
//! vambrace-trace 1
//! call ENTRY CASE VARIANT SP INSTRUCTIONS ACCESSES DIGEST
//! wrong WHAT PC ADDRESS SIZE r|w ARGUMENT|- DISTANCE
//! i PC
//! r ADDRESS SIZE
//! w ADDRESS SIZE
//! end
//! ran PC
//! ```
//!
//! What belongs to a call stands between its `call` and its `end`. Addresses are hexadecimal, other numbers decimal.

use std::fmt::{self, Write};

use crate::announce::Call;
use crate::recorder::{Access, Event, Record, Violation, Wrong};

/// The first line.
pub const HEADER: &str = "vambrace-trace 1";

/// What a plugin wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The calls, in order.
    pub calls: Vec<Record>,
    /// The addresses of instructions that were executed in or out of a call, where that was asked for; sorted, each once.
    pub ran: Vec<u64>,
}

/// A file that no plugin wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineError {
    /// Counted from 1.
    line: usize,
    text: String,
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of the trace is not what a plugin writes: {:?}", self.line, self.text)
    }
}

impl std::error::Error for LineError {}

impl Wrong {
    fn word(self) -> &'static str {
        match self {
            Wrong::Outside => "outside",
            Wrong::ReadOnly => "read-only",
            Wrong::Unwritten => "unwritten",
            Wrong::BelowFrame => "below-frame",
            Wrong::BelowStackPointer => "below-sp",
            Wrong::StackPointerLost => "sp-lost",
        }
    }
}

/// The lines of a call.
pub fn of_call(record: &Record) -> String {
    let Record { call, instructions, accesses, digest, violations, events } = record;
    let Call { entry, case, variant, sp, .. } = call;
    // Writing to a string cannot fail.
    let mut text = String::new();
    let _ = writeln!(text, "call {entry:x} {case} {variant} {sp:x} {instructions} {accesses} {digest:x}");
    for Violation { wrong, pc, access, near, distance } in violations {
        let Access { address, size, store } = access;
        let _ = write!(text, "wrong {} {pc:x} {address:x} {size} {} ", wrong.word(), if *store { "w" } else { "r" });
        let _ = match near {
            Some(argument) => writeln!(text, "{argument} {distance}"),
            None => writeln!(text, "- {distance}"),
        };
    }
    for event in events {
        let _ = match event {
            Event::Instruction(pc) => writeln!(text, "i {pc:x}"),
            Event::Access(Access { address, size, store: false }) => writeln!(text, "r {address:x} {size}"),
            Event::Access(Access { address, size, store: true }) => writeln!(text, "w {address:x} {size}"),
        };
    }
    text.push_str("end\n");
    text
}

/// The lines for instructions that were executed.
pub fn of_ran(addresses: impl IntoIterator<Item = u64>) -> String {
    let mut text = String::new();
    for pc in addresses {
        let _ = writeln!(text, "ran {pc:x}");
    }
    text
}

/// Reads what a plugin wrote.
///
/// # Errors
/// The first line that it cannot have written; a call without an end is one.
pub fn read(text: &str) -> Result<Written, LineError> {
    let mut written = Written::default();
    let mut current = None;
    let mut ended_well = false;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let error = || LineError { line: index + 1, text: line.trim_end().to_owned() };
        // A line that was cut off.
        let content = line.strip_suffix('\n').ok_or_else(error)?;
        let understood = match index {
            0 => (content == HEADER).then_some(()),
            _ => understand(content, &mut current, &mut written),
        };
        understood.ok_or_else(error)?;
        ended_well = current.is_none();
    }
    if !ended_well {
        return Err(LineError { line: text.lines().count() + 1, text: String::new() });
    }
    written.ran.sort_unstable();
    written.ran.dedup();
    Ok(written)
}

fn understand(line: &str, current: &mut Option<Record>, written: &mut Written) -> Option<()> {
    let words: Vec<&str> = line.split(' ').collect();
    let hex = |word: &str| u64::from_str_radix(word, 16).ok();
    match (words.as_slice(), current.as_mut()) {
        (["call", entry, case, variant, sp, instructions, accesses, digest], None) => {
            let (case, variant) = (case.parse().ok()?, variant.parse().ok()?);
            *current = Some(Record {
                call: Call { entry: hex(entry)?, case, variant, sp: hex(sp)?, stack: 0 },
                instructions: instructions.parse().ok()?,
                accesses: accesses.parse().ok()?,
                digest: hex(digest)?,
                ..Record::default()
            });
        }
        (["wrong", what, pc, address, size, direction, near, distance], Some(record)) => {
            let wrong = Wrong::ALL.into_iter().find(|wrong| wrong.word() == *what)?;
            let near = match *near {
                "-" => None,
                argument => Some(argument.parse().ok()?),
            };
            let access = access(direction, address, size)?;
            record.violations.push(Violation { wrong, pc: hex(pc)?, access, near, distance: distance.parse().ok()? });
        }
        (["i", pc], Some(record)) => record.events.push(Event::Instruction(hex(pc)?)),
        ([direction @ ("r" | "w"), address, size], Some(record)) => {
            record.events.push(Event::Access(access(direction, address, size)?));
        }
        (["end"], Some(_)) => written.calls.extend(current.take()),
        // A guest that died is followed by another, which writes behind it.
        (_, None) if line == HEADER => {}
        (["ran", pc], None) => written.ran.push(hex(pc)?),
        _ => return None,
    }
    Some(())
}

fn access(direction: &str, address: &str, size: &str) -> Option<Access> {
    let store = match direction {
        "r" => false,
        "w" => true,
        _ => return None,
    };
    Some(Access { address: u64::from_str_radix(address, 16).ok()?, size: size.parse().ok()?, store })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        let load = Access { address: 0xffff_0000_1234, size: 8, store: false };
        let violation = |wrong, near, distance| Violation { wrong, pc: 0x40_1000, access: load, near, distance };
        Record {
            call: Call { entry: 0x40_1000, case: 3, variant: 1, sp: 0x7fff_0000, stack: 0 },
            instructions: 2,
            accesses: 2,
            digest: u64::MAX,
            violations: Wrong::ALL
                .into_iter()
                .flat_map(|wrong| [violation(wrong, Some(2), -1), violation(wrong, None, 70)])
                .collect(),
            events: vec![
                Event::Instruction(0x40_1000),
                Event::Access(load),
                Event::Access(Access { store: true, ..load }),
                Event::Instruction(0x40_1004),
            ],
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let text = format!("{HEADER}\n{}{}{}", of_ran([8, 4, 8]), of_call(&record()), of_call(&Record::default()));
        let written = read(&text).unwrap();
        assert_eq!(written.calls, [record(), Record::default()]);
        assert_eq!(written.ran, [4, 8]);
    }

    #[test]
    fn what_no_plugin_writes_is_refused_with_its_line() {
        let call = of_call(&record());
        for (text, line) in [
            ("", 1),
            ("vambrace-trace 2\n", 1),
            ("vambrace-trace 1", 1),
            ("vambrace-trace 1\nend\n", 2),
            ("vambrace-trace 1\ncall 1 2 3\n", 2),
            ("vambrace-trace 1\ni 4\n", 2),
            ("vambrace-trace 1\nran x\n", 2),
            (&format!("vambrace-trace 1\n{call}{}", &call[..call.len() - 4]), 1 + 18 + 17 + 1),
            (&format!("vambrace-trace 1\n{}", call.replace("below-sp", "beside")), 11),
        ] {
            assert_eq!(read(text).unwrap_err().line, line, "{text}");
        }
    }
}
