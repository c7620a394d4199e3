//! Checks of what a block cipher in XTS computes.
//!
//! Each check is a module: what it looks for, which published bugs it would have caught, and how. All compare the subject
//! with an oracle that shares no code with it, but for [`kat`], which compares it with published vectors.
//!
//! Work is divided into numbered cases, as for [hash functions](crate::hash): a failure can be replayed alone.

pub mod aliasing;
pub mod counters;
pub mod data_units;
pub mod determinism;
pub mod differential;
pub mod errors;
pub mod handed_back;
pub mod kat;
pub mod mixed_tiers;
mod setup;
mod steps;

use vambrace_reference::oracles::ciphers::XtsOracle;

use crate::check::Check;
use crate::subject::XtsSubject;
use crate::trial::{Answers, Named};
use crate::{Context, Outcome};

/// A check of a block cipher in XTS.
pub type XtsCheck = Check<fn(&dyn XtsSubject, &dyn XtsOracle, &Context) -> Outcome>;

/// A check at work on a block cipher in XTS.
type Trial<'a> = crate::trial::Trial<'a, dyn XtsSubject + 'a, dyn XtsOracle + 'a>;

impl Named for dyn XtsSubject + '_ {
    fn name(&self) -> &str {
        XtsSubject::name(self)
    }
    fn algorithm(&self) -> &str {
        XtsSubject::algorithm(self)
    }
}

impl Answers for dyn XtsOracle + '_ {
    fn algorithm(&self) -> &str {
        XtsOracle::algorithm(self)
    }
}

/// Every check of a block cipher in XTS, in the order of the catalogue.
pub static CHECKS: &[XtsCheck] = &[
    kat::CHECK,
    differential::CHECK,
    counters::CHECK,
    mixed_tiers::CHECK,
    aliasing::CHECK,
    data_units::CHECK,
    handed_back::CHECK,
    determinism::CHECK,
    errors::CHECK,
];

/// The check of a name.
pub fn check(name: &str) -> Option<&'static XtsCheck> {
    CHECKS.iter().find(|check| check.name == name)
}
