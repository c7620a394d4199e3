//! What a plugin is told to do, as text.
//!
//! ```text
//! vambrace-trace 1
//! architecture aarch64
//! wanted calls
//! output /tmp/trace
//! kernel ADDRESS SIZE
//! literals START END
//! words WORD WORD …
//! ```
//!
//! A kernel's literals and words follow it. Addresses, sizes and words are hexadecimal.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use vambrace_contract::Architecture;

use crate::line::HEADER;
use crate::recorder::Code;

/// What is to be written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A digest of each call, and what is wrong with its accesses.
    Calls,
    /// The same, and each event.
    Events,
    /// Which instructions were executed for the sake of their own kernel, in calls or not.
    Coverage,
}

impl Wanted {
    const ALL: [Wanted; 3] = [Wanted::Calls, Wanted::Events, Wanted::Coverage];

    fn word(self) -> &'static str {
        match self {
            Wanted::Calls => "calls",
            Wanted::Events => "events",
            Wanted::Coverage => "coverage",
        }
    }
}

/// What a plugin is told to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// What the guest runs on.
    pub architecture: Architecture,
    /// What is to be written down.
    pub wanted: Wanted,
    /// Where.
    pub output: PathBuf,
    /// The code to be watched, and its bytes in words of 32 bits, literals included.
    pub kernels: Vec<(Code, Vec<u32>)>,
}

impl Order {
    /// The order as text.
    pub fn text(&self) -> String {
        let Order { architecture, wanted, output, kernels } = self;
        let mut text =
            format!("{HEADER}\narchitecture {architecture}\nwanted {}\noutput {}\n", wanted.word(), output.display());
        // Writing to a string cannot fail.
        for (code, words) in kernels {
            let _ = writeln!(text, "kernel {:x} {:x}", code.address, code.size);
            for literals in &code.literals {
                let _ = writeln!(text, "literals {:x} {:x}", literals.start, literals.end);
            }
            text.push_str("words");
            for word in words {
                let _ = write!(text, " {word:x}");
            }
            text.push('\n');
        }
        text
    }

    /// Reads an order from a file.
    ///
    /// # Errors
    /// What cannot be read, with the file's name.
    pub fn read(path: &Path) -> Result<Order, String> {
        let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Order::parse(&text).map_err(|line| format!("{}: line {line} belongs to no order", path.display()))
    }

    /// The order that a text is, or the number of the first line that is none.
    fn parse(text: &str) -> Result<Order, usize> {
        let (mut architecture, mut wanted, mut output) = (None, None, None);
        let mut kernels: Vec<(Code, Vec<u32>)> = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let (key, value) = line.split_once(' ').unwrap_or((line, ""));
            let understood = match (key, kernels.last_mut()) {
                _ if index == 0 => (line == HEADER).then_some(()),
                ("architecture", None) => {
                    architecture = Architecture::ALL.into_iter().find(|architecture| architecture.name() == value);
                    architecture.map(|_| ())
                }
                ("wanted", None) => {
                    wanted = Wanted::ALL.into_iter().find(|wanted| wanted.word() == value);
                    wanted.map(|_| ())
                }
                ("output", None) => {
                    output = Some(PathBuf::from(value));
                    (!value.is_empty()).then_some(())
                }
                ("kernel", _) => pair(value).map(|(address, size)| {
                    kernels.push((Code { address, size, literals: Vec::new() }, Vec::new()));
                }),
                ("literals", Some((code, _))) => pair(value).map(|(start, end)| code.literals.push(start..end)),
                ("words", Some((_, words))) => {
                    let read: Option<Vec<u32>> =
                        value.split_whitespace().map(|word| u32::from_str_radix(word, 16).ok()).collect();
                    read.map(|read| *words = read)
                }
                _ => None,
            };
            understood.ok_or(index + 1)?;
        }
        let end = text.lines().count() + 1;
        Ok(Order {
            architecture: architecture.ok_or(end)?,
            wanted: wanted.ok_or(end)?,
            output: output.ok_or(end)?,
            kernels,
        })
    }
}

fn pair(text: &str) -> Option<(u64, u64)> {
    let (one, other) = text.split_once(' ')?;
    Some((u64::from_str_radix(one, 16).ok()?, u64::from_str_radix(other, 16).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_read_as_it_was_given() {
        let literals: Vec<_> = [0x1010..0x1020, 0x1024..0x1028].to_vec();
        let order = Order {
            architecture: Architecture::Arm,
            wanted: Wanted::Events,
            output: PathBuf::from("/tmp/with a blank/trace"),
            kernels: vec![
                (Code { address: 0x1000, size: 0x28, literals }, vec![0xe12f_ff1e, 0, u32::MAX]),
                (Code { address: 0x2000, size: 0, literals: Vec::new() }, Vec::new()),
            ],
        };
        assert_eq!(Order::parse(&order.text()), Ok(order));
    }

    #[test]
    fn what_is_no_order_is_refused_with_its_line() {
        let head = format!("{HEADER}\narchitecture arm\nwanted calls\noutput /tmp/x\n");
        assert!(Order::parse(&head).is_ok());
        for (text, line) in [
            ("vambrace-trace 0\n".to_owned(), 1),
            (format!("{HEADER}\n"), 2),
            (head.replace("arm", "mips"), 2),
            (head.replace("calls", "all"), 3),
            (head.replace(" /tmp/x", ""), 4),
            (format!("{head}words 1\n"), 5),
            (format!("{head}kernel 10\n"), 5),
            (format!("{head}kernel 10 10\nwords 123456789\n"), 6),
            (format!("{head}kernel 10 10\nfrobnicate\n"), 6),
        ] {
            assert_eq!(Order::parse(&text), Err(line), "{text}");
        }
    }
}
