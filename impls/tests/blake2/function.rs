//! The four functions as one kind of thing, so that a test is written once.

use std::fmt::Debug;

use digest::common::hazmat::SerializableState;
use digest::consts::{U32, U64};
use digest::{Digest, FixedOutputReset, KeyInit, Mac, Output, Reset, TryCustomizedInit, Update};
use vambrace::{
    LaneCountError, ManyError, MessageTooLong, OutputLengthError, ParameterError, StateError, Tier, TierError,
};
use vambrace::{blake2b, blake2s};
use vambrace_reference::blake2::MessageWord;
use vambrace_reference::oracles::{HashOracle, HashParameters};

use crate::support;

/// What all types of a function have beside the traits of the crate `digest`.
pub trait Tiered: Update + Reset + Clone + Debug {
    fn set_tier(&mut self, tier: Tier) -> Result<(), TierError>;
    fn tier(&self) -> Tier;
    fn try_update(&mut self, data: &[u8]) -> Result<(), MessageTooLong>;
}

/// One of the four functions, by what its types offer under the same names.
pub trait Function {
    const NAME: &'static str;
    const BLOCK: usize;
    const LEAVES: usize;
    /// Up to here every length is tried.
    const LENGTHS: usize;
    /// Bytes of the longest digest and of the longest key.
    const MAX: usize = Self::BLOCK / 2;
    /// Bytes of the salt, and of the personalisation.
    const SALT: usize = Self::BLOCK / 8;
    type Word: MessageWord + Into<u64>;
    /// With the longest digest.
    type Hash: Tiered + Digest + FixedOutputReset + TryCustomizedInit<Error = ParameterError>;
    /// With the longest tag.
    type Mac: Tiered + Mac + KeyInit + FixedOutputReset;
    type Var: Tiered;

    /// The crates `blake2`, `blake2b_simd` and `blake2s_simd`.
    fn oracle() -> &'static dyn HashOracle;

    fn with_tier(tier: Tier) -> Result<Self::Hash, TierError>;
    fn digest(message: &[u8]) -> Output<Self::Hash>;
    fn salted(salt: &[u8], personal: &[u8]) -> Result<Self::Hash, ParameterError>;
    fn digest_many(messages: &[&[u8]], outputs: &mut [Output<Self::Hash>]) -> Result<(), LaneCountError>;
    fn digest_many_with_tier(
        tier: Tier,
        messages: &[&[u8]],
        outputs: &mut [Output<Self::Hash>],
    ) -> Result<(), ManyError>;

    fn mac(key: &[u8], salt: &[u8], personal: &[u8]) -> Result<Self::Mac, ParameterError>;

    fn var(output_length: usize) -> Result<Self::Var, ParameterError>;
    fn var_with(parameters: &HashParameters<'_>) -> Result<Self::Var, ParameterError>;
    fn output_length(var: &Self::Var) -> usize;
    fn finalize_into(var: Self::Var, output: &mut [u8]) -> Result<(), OutputLengthError>;
    fn finalize_into_reset(var: &mut Self::Var, output: &mut [u8]) -> Result<(), OutputLengthError>;
}

/// What the sequential functions have in addition.
pub trait Sequential: Function {
    const CODE: u8;
    const STATE_BYTES: usize;
    const LIMIT: u128;
    fn export(hash: &Self::Hash) -> Vec<u8>;
    fn import(state: &[u8]) -> Result<Self::Hash, StateError>;
    fn serialized(hash: &Self::Hash) -> Vec<u8>;
    fn deserialized(hash: &Self::Hash) -> Self::Hash;
    /// From big-endian words.
    #[cfg(feature = "verify")]
    fn from_chaining_value(state: [Self::Word; 8], count: u128) -> Result<Self::Hash, MessageTooLong>;
    #[cfg(feature = "verify")]
    fn chaining_value(hash: &Self::Hash) -> ([Self::Word; 8], u128);
}

macro_rules! tiered {
    ($($type:ty),*) => {
        $(impl Tiered for $type {
            fn set_tier(&mut self, tier: Tier) -> Result<(), TierError> {
                <$type>::set_tier(self, tier)
            }
            fn tier(&self) -> Tier {
                <$type>::tier(self)
            }
            fn try_update(&mut self, data: &[u8]) -> Result<(), MessageTooLong> {
                <$type>::try_update(self, data)
            }
        })*
    };
}

macro_rules! function {
    (
        $function:ident, $name:literal: $word:ty, block $block:literal, leaves $leaves:literal, lengths $lengths:literal,
        hash $hash:ty, mac $mac:ty, var $var:ty
        $(, sequential in $module:ident with code $code:literal)?
    ) => {
        pub struct $function;

        tiered!($hash, $mac, $var);

        impl Function for $function {
            const NAME: &'static str = $name;
            const BLOCK: usize = $block;
            const LEAVES: usize = $leaves;
            const LENGTHS: usize = $lengths;
            type Word = $word;
            type Hash = $hash;
            type Mac = $mac;
            type Var = $var;

            fn oracle() -> &'static dyn HashOracle {
                vambrace_reference::oracles::hash($name).unwrap()
            }
            fn with_tier(tier: Tier) -> Result<$hash, TierError> {
                <$hash>::with_tier(tier)
            }
            fn digest(message: &[u8]) -> Output<$hash> {
                <$hash>::digest(message)
            }
            fn salted(salt: &[u8], personal: &[u8]) -> Result<$hash, ParameterError> {
                <$hash>::with_salt_and_personal(salt, personal)
            }
            fn digest_many(messages: &[&[u8]], outputs: &mut [Output<$hash>]) -> Result<(), LaneCountError> {
                <$hash>::digest_many(messages, outputs)
            }
            fn digest_many_with_tier(
                tier: Tier,
                messages: &[&[u8]],
                outputs: &mut [Output<$hash>],
            ) -> Result<(), ManyError> {
                <$hash>::digest_many_with_tier(tier, messages, outputs)
            }
            fn mac(key: &[u8], salt: &[u8], personal: &[u8]) -> Result<$mac, ParameterError> {
                <$mac>::with_salt_and_personal(key, salt, personal)
            }
            fn var(output_length: usize) -> Result<$var, ParameterError> {
                <$var>::new(output_length)
            }
            fn var_with(parameters: &HashParameters<'_>) -> Result<$var, ParameterError> {
                let HashParameters { output_bytes, key, salt, personal } = *parameters;
                <$var>::with_parameters(output_bytes, key, salt, personal)
            }
            fn output_length(var: &$var) -> usize {
                var.output_length()
            }
            fn finalize_into(var: $var, output: &mut [u8]) -> Result<(), OutputLengthError> {
                var.finalize_into(output)
            }
            fn finalize_into_reset(var: &mut $var, output: &mut [u8]) -> Result<(), OutputLengthError> {
                var.finalize_into_reset(output)
            }
        }

        $(impl Sequential for $function {
            const CODE: u8 = $code;
            const STATE_BYTES: usize = $module::STATE_BYTES;
            const LIMIT: u128 = $module::MAX_MESSAGE_BYTES;
            fn export(hash: &$hash) -> Vec<u8> {
                hash.export_state().to_vec()
            }
            fn import(state: &[u8]) -> Result<$hash, StateError> {
                <$hash>::import_state(state)
            }
            fn serialized(hash: &$hash) -> Vec<u8> {
                hash.serialize().to_vec()
            }
            fn deserialized(hash: &$hash) -> $hash {
                <$hash>::deserialize(&hash.serialize()).unwrap()
            }
            #[cfg(feature = "verify")]
            fn from_chaining_value(state: [$word; 8], count: u128) -> Result<$hash, MessageTooLong> {
                <$hash>::from_chaining_value(&state, count)
            }
            #[cfg(feature = "verify")]
            fn chaining_value(hash: &$hash) -> ([$word; 8], u128) {
                hash.chaining_value()
            }
        })?
    };
}

function!(
    Blake2b, "blake2b": u64, block 128, leaves 1, lengths 704,
    hash blake2b::Blake2b<U64>, mac blake2b::Blake2bMac<U64>, var blake2b::Blake2bVar,
    sequential in blake2b with code 16
);
function!(
    Blake2s, "blake2s": u32, block 64, leaves 1, lengths 704,
    hash blake2s::Blake2s<U32>, mac blake2s::Blake2sMac<U32>, var blake2s::Blake2sVar,
    sequential in blake2s with code 17
);
function!(
    Blake2bp, "blake2bp": u64, block 128, leaves 4, lengths 1500,
    hash blake2b::Blake2bp<U64>, mac blake2b::Blake2bpMac<U64>, var blake2b::Blake2bpVar
);
function!(
    Blake2sp, "blake2sp": u32, block 64, leaves 8, lengths 1500,
    hash blake2s::Blake2sp<U32>, mac blake2s::Blake2spMac<U32>, var blake2s::Blake2spVar
);

/// Makes tests of generic functions: each is run for all four functions, for the sequential ones, or for the trees.
macro_rules! tests {
    (of all: $($test:ident),* $(,)?) => {
        $(tests!($test of blake2b Blake2b, blake2s Blake2s, blake2bp Blake2bp, blake2sp Blake2sp);)*
    };
    (of sequential: $($test:ident),* $(,)?) => {
        $(tests!($test of blake2b Blake2b, blake2s Blake2s);)*
    };
    (of trees: $($test:ident),* $(,)?) => {
        $(tests!($test of blake2bp Blake2bp, blake2sp Blake2sp);)*
    };
    ($test:ident of $($name:ident $function:ident),*) => {
        mod $test {
            $(#[test]
            fn $name() {
                super::$test::<crate::function::$function>();
            })*
        }
    };
}

pub(crate) use {tests, tiered};

/// So many bytes, of which no two are alike.
pub fn bytes(first: u8, length: usize) -> Vec<u8> {
    (0..length).map(|i| first.wrapping_add(i as u8)).collect()
}

pub fn plain<F: Function>() -> HashParameters<'static> {
    HashParameters { output_bytes: F::MAX, key: &[], salt: &[], personal: &[] }
}

pub fn tiers<F: Function>() -> Vec<Tier> {
    support::tiers(F::with_tier)
}

/// Lengths around those where something happens.
pub fn lengths<F: Function>() -> [usize; 10] {
    let (block, stripe) = (F::BLOCK, F::LEAVES * F::BLOCK);
    [0, 1, block - 1, block, block + 1, 2 * block, stripe + 1, 2 * stripe - block, 2 * stripe, 2 * stripe + block + 1]
}
