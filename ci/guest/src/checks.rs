//! Every check that a guest can run.

use vambrace_harness::{hash, machine, stream, xts};

use crate::dispatch;

/// What a check is run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Each hash function that runs through the kernel.
    Hash,
    /// Each stream cipher that runs through the kernel.
    Stream,
    /// Each cipher in XTS mode that runs through the kernel.
    Xts,
    /// The kernel's machine code; the portable tier has none of its own.
    Machine,
    /// The choice of the kernel, also where the CPU lacks what it needs.
    Dispatch,
}

impl Kind {
    /// What runs through the kernels of an algorithm, by its name in their contracts.
    pub fn of_algorithm(algorithm: &str) -> Kind {
        match algorithm {
            "salsa20" => Kind::Stream,
            xts if xts.ends_with("-xts") => Kind::Xts,
            _ => Kind::Hash,
        }
    }
}

/// A check, for tables and reports.
#[derive(Clone, Debug)]
pub struct CheckInfo {
    /// Its name in tables and on command lines.
    pub name: &'static str,
    /// What it is run on: `aliasing` is looked for in what a hash function computes and in what machine code does.
    pub kinds: Vec<Kind>,
    /// What it looks for.
    pub looks_for: String,
    /// Published bugs that it would have caught.
    pub seen_in: String,
}

/// Every check, in the order in which they are run and shown.
pub fn catalogue() -> Vec<CheckInfo> {
    let hashes = hash::CHECKS.iter().map(|check| (check.name, Kind::Hash, check.looks_for, check.seen_in));
    let streams = stream::CHECKS.iter().map(|check| (check.name, Kind::Stream, check.looks_for, check.seen_in));
    let xts = xts::CHECKS.iter().map(|check| (check.name, Kind::Xts, check.looks_for, check.seen_in));
    let machine = machine::CHECKS.iter().map(|check| (check.name, Kind::Machine, check.looks_for, check.seen_in));
    let dispatch = (dispatch::NAME, Kind::Dispatch, dispatch::LOOKS_FOR, dispatch::SEEN_IN);
    let mut checks: Vec<CheckInfo> = Vec::new();
    for (name, kind, looks_for, seen_in) in hashes.chain(streams).chain(xts).chain(machine).chain([dispatch]) {
        match checks.iter_mut().find(|check| check.name == name) {
            Some(check) => {
                check.kinds.push(kind);
                join(&mut check.looks_for, looks_for);
                join(&mut check.seen_in, seen_in);
            }
            None => checks.push(CheckInfo {
                name,
                kinds: vec![kind],
                looks_for: looks_for.to_owned(),
                seen_in: seen_in.to_owned(),
            }),
        }
    }
    checks
}

fn join(text: &mut String, more: &str) {
    if !text.is_empty() && !more.is_empty() {
        text.push_str("; ");
    }
    text.push_str(more);
}

#[cfg(test)]
mod tests {
    use super::{Kind, catalogue};

    #[test]
    fn checks_have_names_of_their_own_that_need_no_quoting() {
        let checks = catalogue();
        for (index, check) in checks.iter().enumerate() {
            assert!(checks[..index].iter().all(|other| other.name != check.name), "{} is there twice", check.name);
            let twice = |kind| check.kinds.iter().filter(|other| **other == kind).count() > 1;
            let kinds = [Kind::Hash, Kind::Stream, Kind::Xts, Kind::Machine];
            assert!(!kinds.into_iter().any(twice), "two checks of a kind are called {}", check.name);
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
            assert!(check.name.chars().all(plain), "{:?} would need quoting in a shell", check.name);
            assert!(!check.looks_for.is_empty(), "{} does not say what it looks for", check.name);
        }
    }
}
