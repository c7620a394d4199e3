//! BLAKE2b (RFC 7693), and BLAKE2bp, its tree of 4 leaves ("BLAKE2: simpler, smaller, fast as MD5", section 2.10).
//!
//! Messages are sequences of bytes; words are little-endian. Blocks have 128 bytes, digests 1 to 64, keys up to 64, salt and
//! personalisation 16 each. A message may have at most 2^128 - 1 bytes, the block of the key included (RFC 7693, section
//! 1.2): [`Blake2b::try_update`] returns an error beyond, the `Update` trait's `update` lets the counter wrap.
//!
//! - [`Blake2b`] is the hash, of a digest length that the type says: [`Blake2b512`] and its like.
//! - [`Blake2bMac`] is the keyed hash, with the traits of a MAC. Verification takes the same time wherever tags differ.
//! - [`Blake2bVar`] has a digest length known at run time, and takes all parameters of the sequential mode.
//! - [`Blake2bp`], [`Blake2bpMac`] and [`Blake2bpVar`] are the same for the tree.
//!
//! ```
//! use vambrace::blake2b::{Blake2bMac, Blake2bVar, Blake2bp};
//! use vambrace::digest::{KeyInit, Mac, Update, consts::U64};
//! use vambrace::{Blake2b512, Digest};
//!
//! let digest = Blake2b512::digest(b"abc");
//! assert_eq!(hex::encode(&digest[..16]), "ba80a53f981c4d0d6a2797b69f12f6e9");
//!
//! let mut mac = Blake2bMac::<U64>::new_from_slice(b"key")?;
//! Update::update(&mut mac, b"abc");
//! let tag = mac.clone().finalize().into_bytes();
//! assert!(mac.verify_slice(&tag).is_ok());
//!
//! let mut var = Blake2bVar::with_parameters(20, b"key", b"ssssssssssssssss", b"pppppppppppppppp")?;
//! var.update(b"abc");
//! let mut digest = [0; 20];
//! var.finalize_into(&mut digest)?;
//!
//! assert_ne!(Blake2bp::<U64>::digest(b"abc"), Blake2b512::digest(b"abc"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod kernels;

use core::fmt;
use core::marker::PhantomData;

use digest::array::ArraySize;
use digest::block_api::{AlgorithmName, BlockSizeUser};
use digest::common::hazmat::{DeserializeStateError, SerializableState, SerializedState};
use digest::common::{InvalidLength, KeyInit, KeySizeUser};
use digest::consts::{True, U64, U128, U244};
use digest::typenum::{IsLessOrEqual, NonZero};
use digest::{
    FixedOutput, FixedOutputReset, HashMarker, MacMarker, Output, OutputSizeUser, Reset, TryCustomizedInit, Update,
};
use vambrace_contract::Tier;
use vambrace_reference::blake2::Parameters;
use zeroize::ZeroizeOnDrop;

pub use crate::blake2::State;
use crate::blake2::{
    self, Backend, Backends, Engine, Interleaved, Key, NoKey, Running, Tree, Variant, blake2_common, blake2_export,
    blake2_types, variant_arithmetic,
};
use crate::dispatch::Dispatch;
use crate::{LaneCountError, ManyError, MessageTooLong, OutputLengthError, ParameterError, StateError, TierError, cpu};

/// The greatest number of bytes that a message may have, with the block of the key: 2^128 - 1.
pub const MAX_MESSAGE_BYTES: u128 = Words64::MAX_MESSAGE_BYTES;

/// Bytes of the longest digest.
pub const MAX_OUTPUT_BYTES: usize = Words64::MAX_BYTES;

/// Bytes of the longest key.
pub const MAX_KEY_BYTES: usize = Words64::MAX_BYTES;

/// Bytes of the salt, and of the personalisation.
pub const SALT_BYTES: usize = Words64::SALT_BYTES;

/// Bytes of an exported state.
pub const STATE_BYTES: usize = Running::<Engine<Words64>, NoKey>::STATE_BYTES;

/// Messages that a kernel for several takes at once.
const LANES: usize = 2;

/// 64-bit words: section 2.1.
pub(crate) struct Words64;

impl Variant for Words64 {
    type Together = kernels::Together;

    variant_arithmetic!(u64, u128, 128);

    fn dispatch() -> &'static Dispatch<Backend<Words64>> {
        &kernels::DISPATCH
    }

    fn dispatch_many() -> &'static Dispatch<Backend<Words64>> {
        &kernels::DISPATCH_MANY
    }

    #[cfg(feature = "verify")]
    fn interleaved() -> &'static [Backend<Words64>] {
        &kernels::INTERLEAVED
    }
}

impl Interleaved<LANES> for Words64 {
    #[inline]
    unsafe fn together(
        kernel: kernels::Together,
        states: [*mut State<u64>; LANES],
        blocks: [*const [u8; 128]; LANES],
        count: usize,
        increment: usize,
    ) {
        let [state0, state1] = states;
        let [blocks0, blocks1] = blocks;
        // SAFETY: the caller keeps the contract `COMPRESS_X2`.
        unsafe { kernel(state0, state1, blocks0, blocks1, count, increment) }
    }
}

/// BLAKE2b with digests of 16 bytes.
pub type Blake2b128 = Blake2b<digest::consts::U16>;
/// BLAKE2b with digests of 20 bytes.
pub type Blake2b160 = Blake2b<digest::consts::U20>;
/// BLAKE2b with digests of 32 bytes.
pub type Blake2b256 = Blake2b<digest::consts::U32>;
/// BLAKE2b with digests of 48 bytes.
pub type Blake2b384 = Blake2b<digest::consts::U48>;
/// BLAKE2b with digests of 64 bytes.
pub type Blake2b512 = Blake2b<digest::consts::U64>;

/// BLAKE2b under a key, with tags of 64 bytes.
pub type Blake2bMac512 = Blake2bMac<U64>;

blake2_types! {
    Engine<Words64>, "blake2b": Words64, max U64, block U128,
    /// BLAKE2b with digests of `N` bytes, 1 to 64.
    hash Blake2b,
    /// BLAKE2b under a key, with tags of `N` bytes, 1 to 64.
    ///
    /// Keys have 1 to 64 bytes ([`KeyInit::new_from_slice`]).
    mac Blake2bMac,
    /// BLAKE2b with digests of a length known at run time, and all parameters of the sequential mode.
    var Blake2bVar,
    digest of many by blake2::digest_many::<Words64, N, LANES>
}

blake2_export!(Blake2b: words u64, max U64, state U244, code 16);

blake2_types! {
    Tree<Words64, 4, LANES>, "blake2bp": Words64, max U64, block U128,
    /// BLAKE2bp, 4 BLAKE2b leaves under a root, with digests of `N` bytes, 1 to 64.
    hash Blake2bp,
    /// BLAKE2bp under a key, with tags of `N` bytes, 1 to 64.
    ///
    /// Keys have 1 to 64 bytes ([`KeyInit::new_from_slice`]).
    mac Blake2bpMac,
    /// BLAKE2bp with digests of a length known at run time, key, salt and personalisation.
    var Blake2bpVar,
    digest of many by blake2::trees_many::<Tree<Words64, 4, LANES>, N>
}
