//! `ci verify --mutants`: how much of what can be wrong with a kernel's machine code the checks find.
//!
//! A mutant is a kernel with one instruction changed. The checks that a quick run makes of the kernel are run on it until one
//! fails. A mutant that passes them all is either equivalent, which a rule or a written reason must show, or a gap in the checks.

mod alike;
mod code;
mod dead;
mod document;
mod equivalents;
mod flags;
mod merged;
mod operators;
mod planted;
mod proof;
pub mod report;
mod run;
mod server;

pub use code::Code;
pub use run::{Amount, Options, Sites, again, replay, run};
pub use server::{Fate, Server, Site};

/// What takes the place of a check in the replay line of a mutant.
pub const NAME: &str = "mutants";
