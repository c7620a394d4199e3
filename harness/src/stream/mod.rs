//! Checks of what a stream cipher computes.
//!
//! Each check is a module: what it looks for, which published bugs it would have caught, and how. All compare the subject
//! with an oracle that shares no code with it, but for [`kat`], which compares it with published vectors.
//!
//! Work is divided into numbered cases, as for [hash functions](crate::hash): a failure can be replayed alone.

pub mod aliasing;
pub mod counters;
pub mod determinism;
pub mod differential;
pub mod errors;
pub mod handed_back;
pub mod kat;
pub mod keystream;
pub mod lengths;
pub mod mixed_tiers;
mod setup;
pub mod splits;
mod steps;

use vambrace_reference::oracles::ciphers::StreamCipherOracle;

use crate::check::Check;
use crate::subject::StreamSubject;
use crate::trial::{Answers, Named};
use crate::{Context, Outcome};

/// A check of a stream cipher.
pub type StreamCheck = Check<fn(&dyn StreamSubject, &dyn StreamCipherOracle, &Context) -> Outcome>;

/// A check at work on a stream cipher.
type Trial<'a> = crate::trial::Trial<'a, dyn StreamSubject + 'a, dyn StreamCipherOracle + 'a>;

impl Named for dyn StreamSubject + '_ {
    fn name(&self) -> &str {
        StreamSubject::name(self)
    }
    fn algorithm(&self) -> &str {
        StreamSubject::algorithm(self)
    }
}

impl Answers for dyn StreamCipherOracle + '_ {
    fn algorithm(&self) -> &str {
        StreamCipherOracle::algorithm(self)
    }
}

/// Every check of a stream cipher, in the order of the catalogue.
pub static CHECKS: &[StreamCheck] = &[
    kat::CHECK,
    lengths::CHECK,
    splits::CHECK,
    differential::CHECK,
    counters::CHECK,
    mixed_tiers::CHECK,
    aliasing::CHECK,
    keystream::CHECK,
    handed_back::CHECK,
    determinism::CHECK,
    errors::CHECK,
];

/// The check of a name.
pub fn check(name: &str) -> Option<&'static StreamCheck> {
    CHECKS.iter().find(|check| check.name == name)
}
