//! BLAKE2s (RFC 7693), and BLAKE2sp, its tree of 8 leaves ("BLAKE2: simpler, smaller, fast as MD5", section 2.10).
//!
//! Messages are sequences of bytes; words are little-endian. Blocks have 64 bytes, digests 1 to 32, keys up to 32, salt and
//! personalisation 8 each. A message may have at most 2^64 - 1 bytes, the block of the key included (RFC 7693, section
//! 1.2): [`Blake2s::try_update`] returns an error beyond, the `Update` trait's `update` lets the counter wrap.
//!
//! - [`Blake2s`] is the hash, of a digest length that the type says: [`Blake2s256`] and its like.
//! - [`Blake2sMac`] is the keyed hash, with the traits of a MAC. Verification takes the same time wherever tags differ.
//! - [`Blake2sVar`] has a digest length known at run time, and takes all parameters of the sequential mode.
//! - [`Blake2sp`], [`Blake2spMac`] and [`Blake2spVar`] are the same for the tree.
//!
//! ```
//! use vambrace::blake2s::{Blake2sMac, Blake2sVar, Blake2sp};
//! use vambrace::digest::{KeyInit, Mac, Update, consts::U32};
//! use vambrace::{Blake2s256, Digest};
//!
//! let digest = Blake2s256::digest(b"abc");
//! assert_eq!(hex::encode(&digest[..16]), "508c5e8c327c14e2e1a72ba34eeb452f");
//!
//! let mut mac = Blake2sMac::<U32>::new_from_slice(b"key")?;
//! Update::update(&mut mac, b"abc");
//! let tag = mac.clone().finalize().into_bytes();
//! assert!(mac.verify_slice(&tag).is_ok());
//!
//! let mut var = Blake2sVar::with_parameters(20, b"key", b"ssssssss", b"pppppppp")?;
//! var.update(b"abc");
//! let mut digest = [0; 20];
//! var.finalize_into(&mut digest)?;
//!
//! assert_ne!(Blake2sp::<U32>::digest(b"abc"), Blake2s256::digest(b"abc"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod kernels;

use core::fmt;
use core::marker::PhantomData;

use digest::array::ArraySize;
use digest::block_api::{AlgorithmName, BlockSizeUser};
use digest::common::hazmat::{DeserializeStateError, SerializableState, SerializedState};
use digest::common::{InvalidLength, KeyInit, KeySizeUser};
use digest::consts::{True, U32, U64, U124};
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

/// The greatest number of bytes that a message may have, with the block of the key: 2^64 - 1.
pub const MAX_MESSAGE_BYTES: u128 = Words32::MAX_MESSAGE_BYTES;

/// Bytes of the longest digest.
pub const MAX_OUTPUT_BYTES: usize = Words32::MAX_BYTES;

/// Bytes of the longest key.
pub const MAX_KEY_BYTES: usize = Words32::MAX_BYTES;

/// Bytes of the salt, and of the personalisation.
pub const SALT_BYTES: usize = Words32::SALT_BYTES;

/// Bytes of an exported state.
pub const STATE_BYTES: usize = Running::<Engine<Words32>, NoKey>::STATE_BYTES;

/// Messages that a kernel for several takes at once.
const LANES: usize = 4;

/// 32-bit words: section 2.1.
pub(crate) struct Words32;

impl Variant for Words32 {
    type Together = kernels::Together;

    variant_arithmetic!(u32, u64, 64);

    fn dispatch() -> &'static Dispatch<Backend<Words32>> {
        &kernels::DISPATCH
    }

    fn dispatch_many() -> &'static Dispatch<Backend<Words32>> {
        &kernels::DISPATCH_MANY
    }

    #[cfg(feature = "verify")]
    fn interleaved() -> &'static [Backend<Words32>] {
        &kernels::INTERLEAVED
    }
}

impl Interleaved<LANES> for Words32 {
    #[inline]
    unsafe fn together(
        kernel: kernels::Together,
        states: [*mut State<u32>; LANES],
        blocks: [*const [u8; 64]; LANES],
        count: usize,
        increment: usize,
    ) {
        let [state0, state1, state2, state3] = states;
        let [blocks0, blocks1, blocks2, blocks3] = blocks;
        // SAFETY: the caller keeps the contract `COMPRESS_X4`.
        unsafe { kernel(state0, state1, state2, state3, blocks0, blocks1, blocks2, blocks3, count, increment) }
    }
}

/// BLAKE2s with digests of 16 bytes.
pub type Blake2s128 = Blake2s<digest::consts::U16>;
/// BLAKE2s with digests of 20 bytes.
pub type Blake2s160 = Blake2s<digest::consts::U20>;
/// BLAKE2s with digests of 28 bytes.
pub type Blake2s224 = Blake2s<digest::consts::U28>;
/// BLAKE2s with digests of 32 bytes.
pub type Blake2s256 = Blake2s<digest::consts::U32>;

/// BLAKE2s under a key, with tags of 32 bytes.
pub type Blake2sMac256 = Blake2sMac<U32>;

blake2_types! {
    Engine<Words32>, "blake2s": Words32, max U32, block U64,
    /// BLAKE2s with digests of `N` bytes, 1 to 32.
    hash Blake2s,
    /// BLAKE2s under a key, with tags of `N` bytes, 1 to 32.
    ///
    /// Keys have 1 to 32 bytes ([`KeyInit::new_from_slice`]).
    mac Blake2sMac,
    /// BLAKE2s with digests of a length known at run time, and all parameters of the sequential mode.
    var Blake2sVar,
    digest of many by blake2::digest_many::<Words32, N, LANES>
}

blake2_export!(Blake2s: words u32, max U32, state U124, code 17);

blake2_types! {
    Tree<Words32, 8, LANES>, "blake2sp": Words32, max U32, block U64,
    /// BLAKE2sp, 8 BLAKE2s leaves under a root, with digests of `N` bytes, 1 to 32.
    hash Blake2sp,
    /// BLAKE2sp under a key, with tags of `N` bytes, 1 to 32.
    ///
    /// Keys have 1 to 32 bytes ([`KeyInit::new_from_slice`]).
    mac Blake2spMac,
    /// BLAKE2sp with digests of a length known at run time, key, salt and personalisation.
    var Blake2spVar,
    digest of many by blake2::trees_many::<Tree<Words32, 8, LANES>, N>
}
