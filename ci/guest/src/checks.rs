//! Every check that a guest can run.

use vambrace_harness::{hash, machine};

use crate::dispatch;

/// What a check is run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Each hash function that runs through the kernel.
    Hash,
    /// The kernel's machine code; the portable tier has none of its own.
    Machine,
    /// The choice of the kernel, also where the CPU lacks what it needs.
    Dispatch,
}

/// A check, for tables and reports.
#[derive(Clone, Copy, Debug)]
pub struct CheckInfo {
    /// Its name in tables and on command lines.
    pub name: &'static str,
    /// What it is run on.
    pub kind: Kind,
    /// What it looks for.
    pub looks_for: &'static str,
    /// Published bugs that it would have caught.
    pub seen_in: &'static str,
}

/// Every check, in the order in which they are run and shown.
pub fn catalogue() -> Vec<CheckInfo> {
    let hashes = hash::CHECKS.iter().map(|check| CheckInfo {
        name: check.name,
        kind: Kind::Hash,
        looks_for: check.looks_for,
        seen_in: check.seen_in,
    });
    let machine = machine::CHECKS.iter().map(|check| CheckInfo {
        name: check.name,
        kind: Kind::Machine,
        looks_for: check.looks_for,
        seen_in: check.seen_in,
    });
    let dispatch = CheckInfo {
        name: dispatch::NAME,
        kind: Kind::Dispatch,
        looks_for: dispatch::LOOKS_FOR,
        seen_in: dispatch::SEEN_IN,
    };
    hashes.chain(machine).chain([dispatch]).collect()
}

#[cfg(test)]
mod tests {
    use super::catalogue;

    #[test]
    fn checks_have_names_of_their_own_that_need_no_quoting() {
        let checks = catalogue();
        for (index, check) in checks.iter().enumerate() {
            assert!(checks[..index].iter().all(|other| other.name != check.name), "{} is there twice", check.name);
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
            assert!(check.name.chars().all(plain), "{:?} would need quoting in a shell", check.name);
            assert!(!check.looks_for.is_empty(), "{} does not say what it looks for", check.name);
        }
    }
}
