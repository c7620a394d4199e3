//! SHA-224 and SHA-256 (FIPS 180-4).
//!
//! Messages are sequences of bytes; the words of a block and of the digest are big-endian, as in the standard
//! (section 3.1). Blocks have 64 bytes, digests 28 and 32. A message may have at most 2^61 - 1 bytes
//! (2^64 - 8 bits; section 1, figure 1): [`Sha256::try_update`] returns an error beyond, the `Update` trait's `update`
//! goes on with the length modulo 2^64 bits, as the crate `sha2` does.
//!
//! # HMAC
//! The types work with the `hmac` crate:
//! ```
//! use hmac::{Hmac, KeyInit, Mac};
//! use vambrace::Sha256;
//!
//! // RFC 4231, test case 2.
//! let mut mac = Hmac::<Sha256>::new_from_slice(b"Jefe").unwrap();
//! mac.update(b"what do ya want for nothing?");
//! let tag = mac.finalize().into_bytes();
//! assert_eq!(hex::encode(tag), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
//! ```

pub mod kernels;

use core::fmt;

use digest::block_api::{
    AlgorithmName, Block, BlockSizeUser, Buffer, BufferKindUser, CoreProxy, Eager, FixedOutputCore, UpdateCore,
};
use digest::common::hazmat::{DeserializeStateError, SerializableState, SerializedState};
use digest::const_oid::{AssociatedOid, ObjectIdentifier};
use digest::consts::{U28, U32, U64, U106};
use digest::{FixedOutput, FixedOutputReset, HashMarker, Output, OutputSizeUser, Reset, Update};
use vambrace_contract::Tier;
use vambrace_reference::sha2::{SHA224_INITIAL, SHA256_INITIAL};
use zeroize::ZeroizeOnDrop;

use crate::dispatch::Dispatch;
use crate::sha2::{self, Backend, Engine, Family, family_arithmetic, sha2_hash};
use crate::{LaneCountError, ManyError, MessageTooLong, StateError, TierError, cpu};

/// The greatest number of bytes that a message may have: 2^61 - 1.
pub const MAX_MESSAGE_BYTES: u64 = Words32::MAX_MESSAGE_BYTES as u64;

/// Bytes of an exported state, 106: version, algorithm, hash value, length, block buffer.
pub const STATE_BYTES: usize = Engine::<Words32>::STATE_BYTES;

/// 32-bit words: sections 4.1.2 and 6.2.
pub(crate) struct Words32;

impl Family for Words32 {
    family_arithmetic!(u32, 64, u64, 8);

    fn dispatch() -> &'static Dispatch<Backend<Words32>> {
        &kernels::DISPATCH
    }

    #[cfg(feature = "verify")]
    fn paired() -> Option<&'static Backend<Words32>> {
        kernels::PAIRED.first()
    }
}

sha2_hash! {
    /// SHA-224: a digest of 28 bytes.
    ///
    /// ```
    /// use vambrace::{Digest, Sha224};
    ///
    /// let digest = Sha224::digest(b"abc");
    /// assert_eq!(hex::encode(digest), "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7");
    /// ```
    Sha224, Sha224Core, "sha224": Words32 of u32, block U64, token cpu::Sha2,
    output U28, from SHA224_INITIAL, state U106, code 1, oid "2.16.840.1.101.3.4.2.4"
}

sha2_hash! {
    /// SHA-256: a digest of 32 bytes.
    ///
    /// ```
    /// use vambrace::{Digest, Sha256, Tier};
    ///
    /// let digest = Sha256::digest(b"abc");
    /// assert_eq!(hex::encode(digest), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    ///
    /// // A tier by name; the error says what is missing.
    /// let portable = Sha256::with_tier(Tier::Generic)?.chain_update(b"abc").finalize();
    /// assert_eq!(portable, digest);
    ///
    /// // To be continued elsewhere.
    /// let state = Sha256::new().chain_update(b"a").export_state();
    /// assert_eq!(Sha256::import_state(&state).unwrap().chain_update(b"bc").finalize(), digest);
    /// # Ok::<(), vambrace::TierError>(())
    /// ```
    Sha256, Sha256Core, "sha256": Words32 of u32, block U64, token cpu::Sha2,
    output U32, from SHA256_INITIAL, state U106, code 2, oid "2.16.840.1.101.3.4.2.1"
}
