//! The hash functions that are fuzzed.

use vambrace::digest::Reset;
use vambrace::digest::consts::{U32, U64};
use vambrace::{Digest, MessageTooLong, Tier, TierError};

use crate::hash::{DigestMany, Hash, States, Subject, Takes};

// What runs through the kernels of one algorithm, in the order in which an input chooses from it: all tiers have the same.

/// SHA-224 and SHA-256.
pub const SHA256: &[Subject] = &[Subject::of::<vambrace::Sha224>(), Subject::of::<vambrace::Sha256>()];
/// SHA-384, SHA-512, SHA-512/224 and SHA-512/256.
pub const SHA512: &[Subject] = &[
    Subject::of::<vambrace::Sha384>(),
    Subject::of::<vambrace::Sha512>(),
    Subject::of::<vambrace::Sha512_224>(),
    Subject::of::<vambrace::Sha512_256>(),
];
/// BLAKE2b and BLAKE2bp, each with the longest digest, and under parameters.
pub const BLAKE2B: &[Subject] = &[
    Subject::of::<vambrace::blake2b::Blake2b<U64>>(),
    Subject::of::<vambrace::blake2b::Blake2bVar>(),
    Subject::of::<vambrace::blake2b::Blake2bp<U64>>(),
    Subject::of::<vambrace::blake2b::Blake2bpVar>(),
];
/// BLAKE2s and BLAKE2sp, each with the longest digest, and under parameters.
pub const BLAKE2S: &[Subject] = &[
    Subject::of::<vambrace::blake2s::Blake2s<U32>>(),
    Subject::of::<vambrace::blake2s::Blake2sVar>(),
    Subject::of::<vambrace::blake2s::Blake2sp<U32>>(),
    Subject::of::<vambrace::blake2s::Blake2spVar>(),
];

/// Expands to what every type of this library has under the same name.
macro_rules! running {
    ($hash:ty) => {
        fn set_tier(&mut self, tier: Tier) -> Result<(), TierError> {
            <$hash>::set_tier(self, tier)
        }
        fn try_update(&mut self, data: &[u8]) -> Result<(), MessageTooLong> {
            <$hash>::try_update(self, data)
        }
        fn reset(&mut self) {
            Reset::reset(self);
        }
    };
}

/// Expands to what a type has whose digests have one length.
macro_rules! digest {
    ($hash:ty) => {
        const DIGEST_MANY: Option<DigestMany> = Some(|tier, messages| {
            let mut outputs = vec![Default::default(); messages.len()];
            <$hash>::digest_many_with_tier(tier, messages, &mut outputs)?;
            Ok(outputs.iter().map(|output| output.to_vec()).collect())
        });

        fn with_tier(tier: Tier) -> Result<Self, TierError> {
            <$hash>::with_tier(tier)
        }
        fn finalize(self) -> Vec<u8> {
            Digest::finalize(self).to_vec()
        }
        fn finalize_reset(&mut self) -> Vec<u8> {
            Digest::finalize_reset(self).to_vec()
        }
    };
}

/// Expands to what a type has whose states can be exported and injected.
macro_rules! states {
    ($hash:ty, $word:ty) => {
        const STATES: Option<States<Self>> = Some(States {
            export: |hash| hash.export_state().to_vec(),
            import: <$hash>::import_state,
            inject: |state, count| {
                let (words, _) = state.as_chunks();
                <$hash>::from_chaining_value(&std::array::from_fn(|i| <$word>::from_be_bytes(words[i])), count)
            },
        });
    };
}

macro_rules! sha2 {
    ($hash:ty, $algorithm:literal, $module:ident of $word:ty) => {
        impl Hash for $hash {
            const ALGORITHM: &'static str = $algorithm;
            const KERNELS: &'static str = stringify!($module);
            const LIMIT: u128 = vambrace::$module::MAX_MESSAGE_BYTES as u128;

            running!($hash);
            digest!($hash);
            states!($hash, $word);

            // There is one such kernel at most.
            fn set_variant(&mut self, _: &str) -> Result<(), TierError> {
                self.set_pair_kernel()
            }
        }
    };
}

sha2!(vambrace::Sha224, "sha224", sha256 of u32);
sha2!(vambrace::Sha256, "sha256", sha256 of u32);
sha2!(vambrace::Sha384, "sha384", sha512 of u64);
sha2!(vambrace::Sha512, "sha512", sha512 of u64);
sha2!(vambrace::Sha512_224, "sha512-224", sha512 of u64);
sha2!(vambrace::Sha512_256, "sha512-256", sha512 of u64);

/// Expands to the two types of a mode: the one whose digests have the greatest length, and the one under parameters.
macro_rules! blake2 {
    ($algorithm:literal, $module:ident: hash $hash:ty, var $var:ty, leaves $leaves:literal $(, states of $word:ty)?) => {
        impl Hash for $hash {
            const PARAMETERS: Takes<Self> =
                Takes::SaltAndPersonal(|given| <$hash>::with_salt_and_personal(given.salt, given.personal));

            blake2!(both $hash, $algorithm, $module, $leaves);
            digest!($hash);
            $(states!($hash, $word);)?
        }

        impl Hash for $var {
            const PARAMETERS: Takes<Self> = Takes::All(|given| {
                <$var>::with_parameters(given.output_bytes, given.key, given.salt, given.personal)
            });

            blake2!(both $var, $algorithm, $module, $leaves);

            fn with_tier(tier: Tier) -> Result<Self, TierError> {
                let hash = <$var>::new(vambrace::$module::MAX_OUTPUT_BYTES);
                let mut hash = hash.expect("a digest of the greatest length is allowed");
                <$var>::set_tier(&mut hash, tier)?;
                Ok(hash)
            }
            fn finalize(self) -> Vec<u8> {
                let mut digest = vec![0; self.output_length()];
                self.finalize_into(&mut digest).expect("the buffer has the length of the digest");
                digest
            }
            fn finalize_reset(&mut self) -> Vec<u8> {
                let mut digest = vec![0; self.output_length()];
                self.finalize_into_reset(&mut digest).expect("the buffer has the length of the digest");
                digest
            }
        }
    };
    (both $hash:ty, $algorithm:literal, $module:ident, $leaves:literal) => {
        const ALGORITHM: &'static str = $algorithm;
        const KERNELS: &'static str = stringify!($module);
        const LIMIT: u128 = vambrace::$module::MAX_MESSAGE_BYTES;
        const LEAVES: usize = $leaves;

        running!($hash);

        fn set_variant(&mut self, variant: &str) -> Result<(), TierError> {
            <$hash>::set_variant(self, variant)
        }
    };
}

blake2!("blake2b", blake2b: hash vambrace::Blake2b<U64>, var vambrace::Blake2bVar, leaves 1, states of u64);
blake2!("blake2s", blake2s: hash vambrace::Blake2s<U32>, var vambrace::Blake2sVar, leaves 1, states of u32);
blake2!("blake2bp", blake2b: hash vambrace::Blake2bp<U64>, var vambrace::blake2b::Blake2bpVar, leaves 4);
blake2!("blake2sp", blake2s: hash vambrace::Blake2sp<U32>, var vambrace::blake2s::Blake2spVar, leaves 8);
