//! What a check of a function is.

/// A check of what a function computes.
#[derive(Clone, Copy, Debug)]
pub struct Check<R> {
    /// Its name in tables and on command lines.
    pub name: &'static str,
    /// What it looks for.
    pub looks_for: &'static str,
    /// Published bugs that it would have caught.
    pub seen_in: &'static str,
    /// Runs it.
    pub run: R,
}
