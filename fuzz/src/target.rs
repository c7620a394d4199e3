//! A fuzz target: the subjects that run through a kernel, without their types, and the tier that it is about.

use std::process;

use vambrace::{Tier, TierError};

/// An input of libFuzzer, read as what is to be done with one of the subjects.
pub trait Program {
    /// The number of the subject, to be reduced by how many there are.
    fn subject(&self) -> usize;
}

/// What carries out programs, without its type.
pub struct Subject<P> {
    /// Whether a tier can be had.
    pub(crate) start: fn(Tier) -> Result<(), TierError>,
    pub(crate) run: fn(&P, Tier),
}

/// Ends the process with a message unless the CPU has what the tier needs.
pub fn require<P>(subjects: &[Subject<P>], target: &str, tier: Tier) {
    if let Some(error) = subjects.iter().find_map(|subject| (subject.start)(tier).err()) {
        let model = std::env::var("VAMBRACE_CPU").unwrap_or_else(|_| "max".to_owned());
        eprintln!("{target}: {error}");
        eprintln!("{target}: under QEMU the environment variable VAMBRACE_CPU names the CPU model; it is {model}");
        process::exit(1);
    }
}

/// Carries out a program with the subject that it chooses.
///
/// # Panics
/// At the first step after which the subject and the oracle disagree.
pub fn run<P: Program>(subjects: &[Subject<P>], program: &P, tier: Tier) {
    (subjects[program.subject() % subjects.len()].run)(program, tier);
}
