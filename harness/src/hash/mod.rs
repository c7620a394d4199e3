//! Checks of what a hash function computes.

use vambrace_reference::oracles::HashOracle;

use crate::subject::HashSubject;
use crate::{Context, Outcome};

/// A check of a hash function.
#[derive(Clone, Copy, Debug)]
pub struct HashCheck {
    /// Its name in tables and on command lines.
    pub name: &'static str,
    /// What it looks for.
    pub looks_for: &'static str,
    /// Published bugs that it would have caught.
    pub seen_in: &'static str,
    /// Runs it.
    pub run: fn(&dyn HashSubject, &dyn HashOracle, &Context) -> Outcome,
}

/// Every check of a hash function, in the order of the catalogue.
pub static CHECKS: &[HashCheck] = &[];
