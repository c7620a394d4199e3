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

mod engine;
pub mod kernels;
mod many;

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

use crate::{LaneCountError, MessageTooLong, StateError, TierError, cpu};
use engine::{Backend, Engine};

#[cfg(feature = "verify")]
pub(crate) use engine::forget_dispatch;

/// The greatest number of bytes that a message may have: 2^61 - 1.
pub const MAX_MESSAGE_BYTES: u64 = (1 << 61) - 1;

/// Bytes of an exported state: version, algorithm, hash value, length, block buffer.
pub const STATE_BYTES: usize = 106;

macro_rules! hash {
    (
        $(#[$doc:meta])*
        $hash:ident, $core:ident, $name:literal, $output:ty, $initial:ident, code $code:literal, oid $oid:literal
    ) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $hash {
            engine: Engine,
        }

        impl $hash {
            const INITIAL: &'static [u32; 8] = &$initial;
            /// What an exported state says it belongs to.
            const CODE: u8 = $code;

            /// An empty message, to be hashed by the kernel of this tier.
            ///
            /// # Errors
            /// If the CPU lacks a feature that the tier needs, or no such kernel exists for the architecture.
            pub fn with_tier(tier: Tier) -> Result<Self, TierError> {
                Backend::of_tier($name, tier).map(|backend| Self { engine: Engine::new(Self::INITIAL, backend) })
            }

            /// An empty message, to be hashed by the NEON kernel.
            pub fn with_neon(token: cpu::Neon) -> Self {
                Self { engine: Engine::new(Self::INITIAL, Backend::neon(token)) }
            }

            /// An empty message, to be hashed by the kernel of the Cryptographic Extension.
            pub fn with_ce(token: cpu::Sha2) -> Self {
                Self { engine: Engine::new(Self::INITIAL, Backend::ce(token)) }
            }

            /// The same running hash, continued by the kernel of this tier: all tiers share one state.
            ///
            /// # Errors
            /// As [`with_tier`](Self::with_tier); then the tier stays as it was.
            pub fn set_tier(&mut self, tier: Tier) -> Result<(), TierError> {
                self.engine.set_backend(Backend::of_tier($name, tier)?);
                Ok(())
            }

            /// The tier whose kernel hashes this message.
            pub fn tier(&self) -> Tier {
                self.engine.backend().tier()
            }

            /// Appends to the message.
            ///
            /// # Errors
            /// If the message would be longer than [`MAX_MESSAGE_BYTES`]; then it stays as it was.
            #[inline]
            pub fn try_update(&mut self, data: &[u8]) -> Result<(), MessageTooLong> {
                self.engine.try_update(data)
            }

            /// The state of the running hash, which [`import_state`](Self::import_state) continues, under any tier, on
            /// any architecture.
            ///
            /// In order: a version (1), the algorithm (SHA-224 is 1, SHA-256 is 2), the hash value (8 words of 4 bytes)
            /// and the number of message bytes so far (8 bytes), all big-endian, and the bytes of the incomplete block,
            /// filled up to 64 with zeros. It reveals the message's hash and must be kept as secret as the message.
            pub fn export_state(&self) -> [u8; STATE_BYTES] {
                self.engine.export(Self::CODE)
            }

            /// Continues an exported state, under automatic dispatch.
            ///
            /// # Errors
            /// If the state has the wrong length, version or algorithm, or contradicts itself.
            pub fn import_state(state: &[u8]) -> Result<Self, StateError> {
                Engine::import(Self::CODE, state, Backend::best()).map(|engine| Self { engine })
            }

            /// The digests of several independent messages, of any number and lengths, by the kernels that the CPU is
            /// fastest with for several messages at once.
            ///
            /// ```
            #[doc = concat!("use vambrace::{Digest, ", stringify!($hash), "};")]
            ///
            /// let mut outputs = [Default::default(); 3];
            #[doc = concat!(stringify!($hash), "::digest_many(&[b\"a\", b\"bc\", b\"\"], &mut outputs)?;")]
            #[doc = concat!("assert_eq!(outputs[1], ", stringify!($hash), "::digest(b\"bc\"));")]
            /// # Ok::<(), vambrace::LaneCountError>(())
            /// ```
            ///
            /// # Errors
            /// If there are not as many outputs as messages; then nothing is written.
            pub fn digest_many(messages: &[&[u8]], outputs: &mut [Output<Self>]) -> Result<(), LaneCountError> {
                many::digest(Backend::best(), Self::INITIAL, messages, outputs)
            }

            /// The same by the kernels of one tier: the one for several messages where the tier has one, else the one for
            /// one message.
            ///
            /// # Errors
            /// If the tier cannot be had (the outer error), or the counts differ (the inner one).
            pub fn digest_many_with_tier(
                tier: Tier,
                messages: &[&[u8]],
                outputs: &mut [Output<Self>],
            ) -> Result<Result<(), LaneCountError>, TierError> {
                let backend = Backend::of_tier($name, tier)?;
                Ok(many::digest(backend, Self::INITIAL, messages, outputs))
            }

            /// An empty message, to be hashed by the kernel for two messages, with another message in the other lane.
            ///
            /// # Errors
            /// As [`with_tier`](Self::with_tier).
            #[cfg(feature = "verify")]
            pub fn with_pair_kernel() -> Result<Self, TierError> {
                Backend::paired($name).map(|backend| Self { engine: Engine::new(Self::INITIAL, backend) })
            }

            /// The same running hash, continued as [`with_pair_kernel`](Self::with_pair_kernel) says.
            ///
            /// # Errors
            /// As [`with_tier`](Self::with_tier); then the tier stays as it was.
            #[cfg(feature = "verify")]
            pub fn set_pair_kernel(&mut self) -> Result<(), TierError> {
                self.engine.set_backend(Backend::paired($name)?);
                Ok(())
            }

            /// A running hash from any chaining value: `state` is the hash value after `count` message bytes.
            ///
            /// For tests of counters that no message of practical length reaches.
            ///
            /// # Errors
            /// If `count` exceeds [`MAX_MESSAGE_BYTES`].
            ///
            /// # Panics
            /// If `count` is not a whole number of blocks.
            #[cfg(feature = "verify")]
            pub fn from_chaining_value(state: &[u32; 8], count: u128) -> Result<Self, MessageTooLong> {
                assert!(count % 64 == 0, "{count} bytes are no whole number of blocks");
                match u64::try_from(count) {
                    Ok(length) if length <= MAX_MESSAGE_BYTES => {
                        Ok(Self { engine: Engine::resume(*state, length, Backend::best()) })
                    }
                    _ => Err(MessageTooLong { limit: u128::from(MAX_MESSAGE_BYTES), given: count }),
                }
            }

            /// The words of the hash value after the whole blocks so far, and the number of message bytes so far.
            #[cfg(feature = "verify")]
            pub fn chaining_value(&self) -> ([u32; 8], u64) {
                self.engine.chaining_value()
            }
        }

        impl Default for $hash {
            #[inline]
            fn default() -> Self {
                Self { engine: Engine::new(Self::INITIAL, Backend::best()) }
            }
        }

        impl fmt::Debug for $hash {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($hash), " { .. }"))
            }
        }

        impl HashMarker for $hash {}
        impl ZeroizeOnDrop for $hash {}

        impl AlgorithmName for $hash {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($hash))
            }
        }

        impl AssociatedOid for $hash {
            const OID: ObjectIdentifier = ObjectIdentifier::new_unwrap($oid);
        }

        impl BlockSizeUser for $hash {
            type BlockSize = U64;
        }

        impl OutputSizeUser for $hash {
            type OutputSize = $output;
        }

        impl Update for $hash {
            /// Appends to the message. Beyond [`MAX_MESSAGE_BYTES`] the length counts modulo 2^64 bits.
            #[inline]
            fn update(&mut self, data: &[u8]) {
                self.engine.update(data);
            }
        }

        impl FixedOutput for $hash {
            #[inline]
            fn finalize_into(mut self, out: &mut Output<Self>) {
                self.engine.finish(out);
            }
        }

        impl Reset for $hash {
            #[inline]
            fn reset(&mut self) {
                self.engine.reset(Self::INITIAL);
            }
        }

        impl FixedOutputReset for $hash {
            #[inline]
            fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                self.engine.finish(out);
                self.engine.reset(Self::INITIAL);
            }
        }

        impl SerializableState for $hash {
            type SerializedStateSize = U106;

            /// As [`export_state`](Self::export_state).
            fn serialize(&self) -> SerializedState<Self> {
                self.export_state().into()
            }

            /// As [`import_state`](Self::import_state).
            fn deserialize(state: &SerializedState<Self>) -> Result<Self, DeserializeStateError> {
                Self::import_state(state).map_err(|_| DeserializeStateError)
            }
        }

        impl CoreProxy for $hash {
            type Core = $core;

            fn compose(core: $core, buffer: Buffer<$core>) -> Self {
                let mut engine = core.engine.clone();
                engine.update(buffer.get_data());
                Self { engine }
            }

            fn decompose(self) -> ($core, Buffer<$core>) {
                let (engine, buffered) = self.engine.split();
                ($core { engine }, Buffer::<$core>::new(buffered.as_slice()))
            }
        }

        #[doc = concat!("The block-level core of [`", stringify!($hash), "`], for `Hmac` and its like.")]
        #[derive(Clone)]
        pub struct $core {
            /// Holds whole blocks only.
            engine: Engine,
        }

        impl Default for $core {
            fn default() -> Self {
                Self { engine: Engine::new($hash::INITIAL, Backend::best()) }
            }
        }

        impl fmt::Debug for $core {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($core), " { .. }"))
            }
        }

        impl HashMarker for $core {}
        impl ZeroizeOnDrop for $core {}

        impl AlgorithmName for $core {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($hash))
            }
        }

        impl BlockSizeUser for $core {
            type BlockSize = U64;
        }

        impl OutputSizeUser for $core {
            type OutputSize = $output;
        }

        impl BufferKindUser for $core {
            type BufferKind = Eager;
        }

        impl UpdateCore for $core {
            fn update_blocks(&mut self, blocks: &[Block<Self>]) {
                self.engine.update(Block::<Self>::slice_as_flattened(blocks));
            }
        }

        impl FixedOutputCore for $core {
            fn finalize_fixed_core(&mut self, buffer: &mut Buffer<Self>, out: &mut Output<Self>) {
                self.engine.update(buffer.get_data());
                self.engine.finish(out);
            }
        }

        impl Reset for $core {
            fn reset(&mut self) {
                self.engine.reset($hash::INITIAL);
            }
        }

        impl SerializableState for $core {
            type SerializedStateSize = U106;

            fn serialize(&self) -> SerializedState<Self> {
                self.engine.export($hash::CODE).into()
            }

            fn deserialize(state: &SerializedState<Self>) -> Result<Self, DeserializeStateError> {
                let engine =
                    Engine::import($hash::CODE, state, Backend::best()).map_err(|_| DeserializeStateError)?;
                if engine.is_between_blocks() { Ok(Self { engine }) } else { Err(DeserializeStateError) }
            }
        }
    };
}

hash! {
    /// SHA-224: a digest of 28 bytes.
    ///
    /// ```
    /// use vambrace::{Digest, Sha224};
    ///
    /// let digest = Sha224::digest(b"abc");
    /// assert_eq!(hex::encode(digest), "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7");
    /// ```
    Sha224, Sha224Core, "sha224", U28, SHA224_INITIAL, code 1, oid "2.16.840.1.101.3.4.2.4"
}

hash! {
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
    Sha256, Sha256Core, "sha256", U32, SHA256_INITIAL, code 2, oid "2.16.840.1.101.3.4.2.1"
}
