//! Changed machine code under the checks: what the driver asks for, and what it is told.
//!
//! One process serves many mutants of one kernel. Each is made in a forked child, which writes the changed words over the
//! kernel where it stands, so that everything that calls the kernel calls the mutant: the library's types as well as the
//! register-level caller. The checks run in the child one after the other, until one shows something wrong or all have
//! passed; whatever the mutant does to the child's memory ends with the child.

mod child;
mod limit;
mod patch;

use serde::{Deserialize, Serialize};

use crate::cell::{self, Cell};
use crate::checks::Kind;
use crate::selection::Selection;
use crate::{KernelSubjects, checks};
use vambrace_harness::Budget;

pub use child::Server;
pub use limit::{Budgeted, MEMORY_BYTES};
pub use patch::room;
pub(crate) use patch::synchronise;

/// Bytes at an offset from the kernel's entry, and what is written there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// Bytes after the kernel's first instruction, modulo 2^32: the room for longer code may lie before it.
    pub offset: u32,
    /// The new instruction, or the new word of a table.
    pub word: u32,
}

/// One line to the program `mutants`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// Comes back in the answer.
    pub id: u64,
    /// The words to be changed; none for the kernel as it is, which must survive.
    pub changes: Vec<Change>,
    /// What goes wrong in the child beside the kernel, to show that its limits hold.
    #[serde(default)]
    pub planted: Option<Planted>,
    /// The checks to be run, in this order; all if there are none.
    #[serde(default)]
    pub checks: Vec<String>,
}

/// What can go wrong in a child that no change of one word brings about for certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Planted {
    /// It asks for memory without end.
    Memory,
}

/// How a mutant was found out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// The check said what is wrong.
    Failure,
    /// The check used up its CPU time.
    TimeLimit,
    /// The check used up its memory.
    MemoryLimit,
    /// The process was ended by this signal.
    Signal(String),
    /// The process ended in another way.
    Exit(String),
}

impl std::fmt::Display for How {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            How::Failure => f.write_str("failure"),
            How::TimeLimit => f.write_str("time limit"),
            How::MemoryLimit => f.write_str("memory limit"),
            How::Signal(signal) => f.write_str(signal),
            How::Exit(how) => f.write_str(how),
        }
    }
}

/// One line from the program `mutants`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "kebab-case")]
pub enum Answer {
    /// The kernel as it is passed its checks, which took so many milliseconds of CPU time each. Comes first.
    Baseline {
        /// The address of the kernel's first instruction.
        address: u64,
        /// Where there is room for code that is longer than the kernel: its first byte, and how many.
        room: (u64, u64),
        /// The checks in the order in which they are run.
        checks: Vec<(String, u64)>,
    },
    /// The kernel as it is does not pass, or cannot be run; no answer follows.
    Refused {
        /// Why.
        what: String,
    },
    /// A mutant was found out.
    Killed {
        /// The request's.
        id: u64,
        /// The check in which.
        check: String,
        /// By what.
        how: How,
        /// What the check said.
        what: String,
        /// Milliseconds of CPU time, from the fork to the end of the child and of all that it forked.
        milliseconds: u64,
    },
    /// A mutant passed everything.
    Survived {
        /// The request's.
        id: u64,
        /// As for a mutant that was found out.
        milliseconds: u64,
    },
}

/// The order in which checks are run: those first that find out most mutants for the time that they take. The others follow
/// in the order of the catalogue.
const FIRST: [&str; 5] = ["abi", "kat", "residue", "bounds", "handed-back"];

/// The cells that a mutant of a row is run through: everything that a quick run does for it but dispatch, which is about the
/// choice of the kernel; or those of `chosen` checks. A check that is disabled is left out.
pub fn cells<'a>(rows: &'a [KernelSubjects], kernel: &str, chosen: &[String], disabled: &[String]) -> Vec<Cell<'a>> {
    let all = Selection::default();
    let mut cells = cell::cells(rows, &all, None, Budget::Quick);
    let of_choice =
        |name: &str| checks::catalogue().iter().any(|info| info.name == name && info.kinds == [Kind::Dispatch]);
    let is_in = |list: &[String], name: &str| list.iter().any(|check| check == name);
    cells.retain(|cell| {
        let wanted = if chosen.is_empty() { !of_choice(cell.check) } else { is_in(chosen, cell.check) };
        cell.kernel == kernel && wanted && !is_in(disabled, cell.check)
    });
    cells.sort_by_key(|cell| FIRST.iter().position(|first| *first == cell.check).unwrap_or(FIRST.len()));
    cells
}
