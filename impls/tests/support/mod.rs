//! What the tests of several algorithms share.
#![allow(dead_code, unused_macros, unused_imports, reason = "each test program uses a part")]

#[macro_use]
pub mod sha2;
#[cfg(feature = "verify")]
pub mod masked;

use vambrace::{Tier, TierError};

/// Whether this architecture has kernels.
pub const ASSEMBLY: bool = cfg!(any(target_arch = "aarch64", target_arch = "arm"));

/// The tiers that this process can run, by the constructor of a type.
pub fn tiers<T>(with_tier: fn(Tier) -> Result<T, TierError>) -> Vec<Tier> {
    Tier::ALL.into_iter().filter(|tier| with_tier(*tier).is_ok()).collect()
}

/// Bytes that repeat in no period that a block has.
pub fn message(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 7 + i / 256) as u8).collect()
}
