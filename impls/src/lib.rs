//! Hashes and ciphers in ARM assembly, behind the RustCrypto traits.
//!
//! Every algorithm comes in up to four [tiers](Tier): portable Rust, integer assembly, NEON, and the Cryptographic
//! Extension, for AArch64 and for ARMv7-A. [`Sha256::new`](digest::Digest::new) picks the best that the CPU has, once
//! per process; [`Sha256::with_tier`] asks for one and says so when it cannot be had. Elsewhere the portable tier is
//! what there is.
//!
//! ```
//! use vambrace::{Digest, Sha256};
//!
//! let mut hasher = Sha256::new();
//! hasher.update(b"a");
//! hasher.update(b"bc");
//! let digest = hasher.finalize();
//! assert_eq!(digest[..4], [0xba, 0x78, 0x16, 0xbf]);
//! assert_eq!(digest, Sha256::digest(b"abc"));
//! ```
//!
//! The library allocates nothing, asks for no `unsafe`, and clears its secrets when it drops them; the assembly tiers also
//! clear the registers and the stack that they used. Each kernel's
//! contract (what it may read, write, clobber and reveal) is data in this crate, and the harness beside it checks
//! machine code against it: see `SOUNDNESS.md` in the repository for what that shows and what it does not.
//!
//! # Features
//! - `std` (default): detection of CPU features at run time. Without it, AArch64 uses what the target declares at compile
//!   time, and on ARMv7 a kernel beyond `scalar` needs a token from `assume` (see [`cpu`]).
//! - `verify`: for the harness alone; exports the raw kernel table and lets detection be masked.
//!
//! # Memory
//! Messages may lie at any address. Kernels use unaligned loads, which need normal memory with alignment checks off
//! (`SCTLR.A` = 0), as under every operating system; with the MMU off, as in early boot, pass aligned data or use the
//! portable tier.
#![no_std]

#[cfg(feature = "std")]
extern crate std;

#[macro_use]
mod kernel;
pub mod aes;
mod blake2;
pub mod blake2b;
pub mod blake2s;
pub mod cpu;
mod dispatch;
mod error;
mod lanes;
pub mod salsa20;
mod sha2;
pub mod sha256;
pub mod sha512;
mod speck;
pub mod speck128;
pub mod speck64;
mod xts;

pub use aes::{Aes128Xts, Aes256Xts};
pub use blake2b::{Blake2b, Blake2b256, Blake2b512, Blake2bMac, Blake2bVar, Blake2bp};
pub use blake2s::{Blake2s, Blake2s128, Blake2s256, Blake2sMac, Blake2sVar, Blake2sp};
pub use cipher;
pub use digest::{self, Digest};
pub use error::{
    KeystreamExhausted, LaneCountError, ManyError, MessageTooLong, OutputLengthError, ParameterError, StateError,
    TierError, TierErrorReason, XtsError,
};
pub use salsa20::{Salsa8, Salsa12, Salsa20, XSalsa8, XSalsa12, XSalsa20};
pub use sha256::{Sha224, Sha256};
pub use sha512::{Sha384, Sha512, Sha512_224, Sha512_256};
pub use vambrace_contract::Tier;

/// The raw table of kernels, for the harness.
#[cfg(feature = "verify")]
pub mod kernels {
    pub use vambrace_contract::*;

    /// Every kernel of every architecture; those of this build have an address.
    pub static ALL: &[&[Kernel]] = &[
        crate::sha256::kernels::TABLE,
        crate::sha512::kernels::TABLE,
        crate::blake2b::kernels::TABLE,
        crate::blake2s::kernels::TABLE,
        crate::salsa20::kernels::TABLE,
        crate::speck128::kernels::TABLE,
        crate::speck64::kernels::TABLE,
        crate::aes::kernels::TABLE,
    ];

    /// A tier that an algorithm does not have on an architecture: asking for it is a
    /// [`TierError`](crate::TierError).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Absent {
        /// The algorithm, as in a contract.
        pub algorithm: &'static str,
        /// The architecture.
        pub architecture: Architecture,
        /// The tier.
        pub tier: Tier,
        /// Why there is no kernel.
        pub reason: &'static str,
    }

    const fn no_instruction_on_arm(algorithm: &'static str, reason: &'static str) -> Absent {
        Absent { algorithm, architecture: Architecture::Arm, tier: Tier::Ce, reason }
    }

    /// Every tier that does not exist.
    pub static ABSENT: &[Absent] = &[
        no_instruction_on_arm("sha512", "AArch32 has no instruction for SHA-512"),
        no_instruction_on_arm("blake2b", "AArch32 has none of the instructions of FEAT_SHA3"),
        no_instruction_on_arm("blake2s", "AArch32 has none of the instructions of FEAT_SHA3"),
        no_instruction_on_arm("salsa20", "AArch32 has none of the instructions of FEAT_SHA3"),
        no_instruction_on_arm("speck128-xts", "AArch32 has none of the instructions of FEAT_SHA3"),
        no_instruction_on_arm("speck64-xts", "AArch32 has none of the instructions of FEAT_SHA3"),
    ];
}

/// Makes automatic dispatch choose anew, for every algorithm.
#[cfg(feature = "verify")]
fn forget_dispatch() {
    sha256::kernels::DISPATCH.forget();
    sha512::kernels::DISPATCH.forget();
    blake2b::kernels::DISPATCH.forget();
    blake2b::kernels::DISPATCH_MANY.forget();
    blake2s::kernels::DISPATCH.forget();
    blake2s::kernels::DISPATCH_MANY.forget();
    salsa20::kernels::DISPATCH.forget();
    speck128::kernels::DISPATCH.forget();
    speck64::kernels::DISPATCH.forget();
    aes::kernels::DISPATCH.forget();
}

/// The examples of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
