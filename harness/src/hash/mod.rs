//! Checks of what a hash function computes.
//!
//! Each check is a module: what it looks for, which published bugs it would have caught, and how. All compare the subject
//! with an oracle that shares no code with it, but for [`kat`], which compares it with what the standard's authors
//! published.
//!
//! Work is divided into numbered cases. What a case does depends on its number, the seed and the subject, and not on the
//! budget: a full run has more cases than a quick one, and a failure of either can be replayed alone
//! ([`Context::only_case`]).

pub mod aliasing;
pub mod counters;
pub mod determinism;
pub mod differential;
pub mod errors;
mod expected;
pub mod handed_back;
pub mod kat;
pub mod lengths;
pub mod many;
pub mod mixed_tiers;
pub mod parameters;
pub mod splits;
mod steps;

use vambrace_reference::oracles::HashOracle;

use crate::check::Check;
use crate::subject::HashSubject;
use crate::trial::{Answers, Named};
use crate::{Context, Outcome};

/// A check of a hash function.
pub type HashCheck = Check<fn(&dyn HashSubject, &dyn HashOracle, &Context) -> Outcome>;

/// A check at work on a hash function.
type Trial<'a> = crate::trial::Trial<'a, dyn HashSubject + 'a, dyn HashOracle + 'a>;

impl Named for dyn HashSubject + '_ {
    fn name(&self) -> &str {
        HashSubject::name(self)
    }
    fn algorithm(&self) -> &str {
        HashSubject::algorithm(self)
    }
}

impl Answers for dyn HashOracle + '_ {
    fn algorithm(&self) -> &str {
        HashOracle::algorithm(self)
    }
}

/// Every check of a hash function, in the order of the catalogue.
pub static CHECKS: &[HashCheck] = &[
    kat::CHECK,
    lengths::CHECK,
    splits::CHECK,
    differential::CHECK,
    counters::CHECK,
    mixed_tiers::CHECK,
    aliasing::CHECK,
    many::CHECK,
    handed_back::CHECK,
    determinism::CHECK,
    errors::CHECK,
    parameters::CHECK,
];

/// The check of a name.
pub fn check(name: &str) -> Option<&'static HashCheck> {
    CHECKS.iter().find(|check| check.name == name)
}
