//! SHA-384, SHA-512, SHA-512/224 and SHA-512/256 (FIPS 180-4).
//!
//! Messages are sequences of bytes; the words of a block and of the digest are big-endian, as in the standard
//! (section 3.1). Blocks have 128 bytes, digests 48, 64, 28 and 32. A message may have at most 2^125 - 1 bytes
//! (2^128 - 8 bits; section 1, figure 1): [`Sha512::try_update`] returns an error beyond, the `Update` trait's `update`
//! goes on with the length modulo 2^128 bits.
//!
//! # HMAC
//! The types work with the `hmac` crate:
//! ```
//! use hmac::{Hmac, KeyInit, Mac};
//! use vambrace::Sha512;
//!
//! // RFC 4231, test case 2.
//! let mut mac = Hmac::<Sha512>::new_from_slice(b"Jefe").unwrap();
//! mac.update(b"what do ya want for nothing?");
//! let tag = mac.finalize().into_bytes();
//! assert_eq!(hex::encode(&tag[..16]), "164b7a7bfcf819e2e395fbe73b56e0a3");
//! ```

pub mod kernels;

use core::fmt;

use digest::block_api::{
    AlgorithmName, Block, BlockSizeUser, Buffer, BufferKindUser, CoreProxy, Eager, FixedOutputCore, UpdateCore,
};
use digest::common::hazmat::{DeserializeStateError, SerializableState, SerializedState};
use digest::const_oid::{AssociatedOid, ObjectIdentifier};
use digest::consts::{U28, U32, U48, U64, U128, U210};
use digest::{FixedOutput, FixedOutputReset, HashMarker, Output, OutputSizeUser, Reset, Update};
use vambrace_contract::Tier;
use vambrace_reference::sha2::{SHA384_INITIAL, SHA512_224_INITIAL, SHA512_256_INITIAL, SHA512_INITIAL};
use zeroize::ZeroizeOnDrop;

use crate::dispatch::Dispatch;
use crate::sha2::{self, Backend, Engine, Family, family_arithmetic, sha2_hash};
use crate::{LaneCountError, ManyError, MessageTooLong, StateError, TierError, cpu};

/// The greatest number of bytes that a message may have: 2^125 - 1.
pub const MAX_MESSAGE_BYTES: u128 = (1 << 125) - 1;

/// Bytes of an exported state: version, algorithm, hash value, length, block buffer.
pub const STATE_BYTES: usize = 210;

/// 64-bit words: sections 4.1.3 and 6.4.
pub(crate) struct Words64;

impl Family for Words64 {
    family_arithmetic!(u64, 128, u128, 16);

    fn dispatch() -> &'static Dispatch<Backend<Words64>> {
        &kernels::DISPATCH
    }

    #[cfg(feature = "verify")]
    fn paired() -> Option<&'static Backend<Words64>> {
        kernels::PAIRED.first()
    }
}

sha2_hash! {
    /// SHA-384: a digest of 48 bytes.
    ///
    /// ```
    /// use vambrace::{Digest, Sha384};
    ///
    /// let digest = Sha384::digest(b"abc");
    /// assert_eq!(hex::encode(&digest[..16]), "cb00753f45a35e8bb5a03d699ac65007");
    /// ```
    Sha384, Sha384Core, "sha384": Words64 of u64, block U128, token cpu::Sha512,
    output U48, from SHA384_INITIAL, state U210, code 3, oid "2.16.840.1.101.3.4.2.2"
}

sha2_hash! {
    /// SHA-512: a digest of 64 bytes.
    ///
    /// ```
    /// use vambrace::{Digest, Sha512};
    ///
    /// let digest = Sha512::digest(b"abc");
    /// assert_eq!(hex::encode(&digest[..16]), "ddaf35a193617abacc417349ae204131");
    /// ```
    Sha512, Sha512Core, "sha512": Words64 of u64, block U128, token cpu::Sha512,
    output U64, from SHA512_INITIAL, state U210, code 4, oid "2.16.840.1.101.3.4.2.3"
}

sha2_hash! {
    /// SHA-512/224: a digest of 28 bytes.
    ///
    /// ```
    /// use vambrace::{Digest, Sha512_224};
    ///
    /// let digest = Sha512_224::digest(b"abc");
    /// assert_eq!(hex::encode(&digest[..16]), "4634270f707b6a54daae7530460842e2");
    /// ```
    Sha512_224, Sha512_224Core, "sha512-224": Words64 of u64, block U128, token cpu::Sha512,
    output U28, from SHA512_224_INITIAL, state U210, code 5, oid "2.16.840.1.101.3.4.2.5"
}

sha2_hash! {
    /// SHA-512/256: a digest of 32 bytes.
    ///
    /// ```
    /// use vambrace::{Digest, Sha512_256};
    ///
    /// let digest = Sha512_256::digest(b"abc");
    /// assert_eq!(hex::encode(&digest[..16]), "53048e2681941ef99b2e29b76b4c7dab");
    /// ```
    Sha512_256, Sha512_256Core, "sha512-256": Words64 of u64, block U128, token cpu::Sha512,
    output U32, from SHA512_256_INITIAL, state U210, code 6, oid "2.16.840.1.101.3.4.2.6"
}
