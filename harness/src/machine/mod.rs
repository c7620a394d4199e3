//! Checks of what machine code does to registers and memory, driven by a kernel's contract alone.

use vambrace_contract::Kernel;

use crate::{Context, Outcome};

/// A check of a kernel's machine code.
#[derive(Clone, Copy, Debug)]
pub struct MachineCheck {
    /// Its name in tables and on command lines.
    pub name: &'static str,
    /// What it looks for.
    pub looks_for: &'static str,
    /// Published bugs that it would have caught.
    pub seen_in: &'static str,
    /// Runs it on a kernel that has an address and whose features the CPU has.
    pub run: fn(&Kernel, &Context) -> Outcome,
}

/// Every machine-level check, in the order of the catalogue.
pub static CHECKS: &[MachineCheck] = &[];
