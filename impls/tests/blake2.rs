//! BLAKE2b, BLAKE2s and their trees as their users call them.

mod support;

use std::fmt::Debug;

use digest::block_api::AlgorithmName;
use digest::common::hazmat::SerializableState;
use digest::consts::{U1, U16, U20, U28, U31, U32, U33, U48, U63, U64};
use digest::{
    Digest, FixedOutput, FixedOutputReset, Key, KeyInit, Mac, MacError, Output, Reset, TryCustomizedInit, Update,
};
use support::{ASSEMBLY, message};
use vambrace::{
    LaneCountError, ManyError, MessageTooLong, OutputLengthError, ParameterError, StateError, Tier, TierError,
    TierErrorReason,
};
use vambrace::{blake2b, blake2s};
use vambrace_reference::Word;
use vambrace_reference::blake2::{self as specification, MessageWord, Parameters};
use vambrace_reference::oracles::{HashOracle, HashParameters};

/// What all types of a function have beside the traits of the crate `digest`.
trait Tiered: Update + Reset + Clone + Debug {
    fn set_tier(&mut self, tier: Tier) -> Result<(), TierError>;
    fn tier(&self) -> Tier;
    fn try_update(&mut self, data: &[u8]) -> Result<(), MessageTooLong>;
}

/// One of the four functions, by what its types offer under the same names.
trait Function {
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
trait Sequential: Function {
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
        struct $function;

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

/// Makes tests of generic functions: each is run for all four functions.
macro_rules! tests_of_all {
    ($($test:ident),* $(,)?) => {
        $(mod $test {
            #[test]
            fn blake2b() {
                super::$test::<super::Blake2b>();
            }
            #[test]
            fn blake2s() {
                super::$test::<super::Blake2s>();
            }
            #[test]
            fn blake2bp() {
                super::$test::<super::Blake2bp>();
            }
            #[test]
            fn blake2sp() {
                super::$test::<super::Blake2sp>();
            }
        })*
    };
}

/// The same for the sequential functions.
macro_rules! tests_of_sequential {
    ($($test:ident),* $(,)?) => {
        $(mod $test {
            #[test]
            fn blake2b() {
                super::$test::<super::Blake2b>();
            }
            #[test]
            fn blake2s() {
                super::$test::<super::Blake2s>();
            }
        })*
    };
}

/// The same for the trees.
macro_rules! tests_of_trees {
    ($($test:ident),* $(,)?) => {
        $(mod $test {
            #[test]
            fn blake2bp() {
                super::$test::<super::Blake2bp>();
            }
            #[test]
            fn blake2sp() {
                super::$test::<super::Blake2sp>();
            }
        })*
    };
}

tests_of_all!(
    every_tier_agrees_at_every_length_in_every_part,
    a_message_in_one_piece_has_the_digest_that_the_trait_gives,
    every_output_length_agrees,
    every_key_length_agrees,
    salt_and_personalisation_agree,
    a_customization_is_the_personalisation,
    a_customization_that_is_too_long_is_refused,
    a_mac_accepts_its_tag_alone,
    a_tag_that_is_cut_off_is_accepted_where_that_is_asked_for,
    a_key_of_the_greatest_length_needs_no_slice,
    keys_beyond_the_limits_are_refused,
    output_lengths_beyond_the_limits_are_refused,
    salts_and_personalisations_of_other_lengths_are_refused,
    a_buffer_of_another_length_is_refused_and_changes_nothing,
    a_clone_may_continue_under_another_tier,
    a_reset_hash_is_a_new_one_under_the_same_parameters,
    several_messages_have_the_digests_of_each,
    unequal_numbers_of_messages_and_outputs_are_refused_and_nothing_is_written,
    a_tier_without_a_kernel_is_refused,
    debug_output_reveals_nothing,
);

tests_of_sequential!(
    an_exported_state_continues_anywhere,
    an_exported_state_is_laid_out_as_documented,
    a_state_that_cannot_be_continued_is_refused,
    a_message_beyond_the_limit_is_refused_and_stays_as_it_was,
);

#[cfg(feature = "verify")]
tests_of_sequential!(a_chaining_value_is_continued, a_message_that_began_in_the_middle_is_refused_beyond_the_limit,);

tests_of_trees!(a_tree_is_composed_of_its_leaves);

/// So many bytes, of which no two are alike.
fn bytes(first: u8, length: usize) -> Vec<u8> {
    (0..length).map(|i| first.wrapping_add(i as u8)).collect()
}

fn plain<F: Function>() -> HashParameters<'static> {
    HashParameters { output_bytes: F::MAX, key: &[], salt: &[], personal: &[] }
}

fn tiers<F: Function>() -> Vec<Tier> {
    support::tiers(F::with_tier)
}

/// Lengths around those where something happens.
fn lengths<F: Function>() -> [usize; 10] {
    let (block, stripe) = (F::BLOCK, F::LEAVES * F::BLOCK);
    [0, 1, block - 1, block, block + 1, 2 * block, stripe + 1, 2 * stripe - block, 2 * stripe, 2 * stripe + block + 1]
}

/// What the digest should be: by the crates of others; they know no trees with a salt, which are composed here.
fn expected<F: Function>(parameters: &HashParameters<'_>, message: &[u8]) -> Vec<u8> {
    if F::LEAVES > 1 && !(parameters.salt.is_empty() && parameters.personal.is_empty()) {
        return composed::<F>(parameters, message);
    }
    F::oracle().digest_with(parameters, message).unwrap()
}

/// A tree by the specification of the sequential function ("BLAKE2: simpler, smaller, fast as MD5", section 2.10).
fn composed<F: Function>(parameters: &HashParameters<'_>, message: &[u8]) -> Vec<u8> {
    let HashParameters { output_bytes, key, salt, personal } = *parameters;
    let mut node = Parameters {
        digest_length: output_bytes as u8,
        key_length: key.len() as u8,
        fanout: F::LEAVES as u8,
        max_depth: 2,
        inner_length: F::MAX as u8,
        ..Parameters::default()
    };
    node.salt[..salt.len()].copy_from_slice(salt);
    node.personal[..personal.len()].copy_from_slice(personal);
    let digest = |node: &Parameters, key: &[u8], message: &[u8], last: bool, length: usize| -> Vec<u8> {
        let words = specification::digest::<F::Word>(node, key, message, last);
        let word_bytes = F::BLOCK / 16;
        words.into_iter().flat_map(|word| word.into().to_le_bytes().into_iter().take(word_bytes)).take(length).collect()
    };
    let mut of_leaves = Vec::new();
    for leaf in 0..F::LEAVES {
        let blocks: Vec<u8> = message.chunks(F::BLOCK).skip(leaf).step_by(F::LEAVES).flatten().copied().collect();
        let parameters = Parameters { node_offset: leaf as u64, ..node };
        of_leaves.extend(digest(&parameters, key, &blocks, leaf + 1 == F::LEAVES, F::MAX));
    }
    digest(&Parameters { node_depth: 1, ..node }, &[], &of_leaves, true, output_bytes)
}

fn of_var<F: Function>(parameters: &HashParameters<'_>, tier: Tier, message: &[u8]) -> Vec<u8> {
    let mut var = F::var_with(parameters).unwrap();
    var.set_tier(tier).unwrap();
    var.update(message);
    let mut output = vec![0; F::output_length(&var)];
    F::finalize_into(var, &mut output).unwrap();
    output
}

fn of_mac<F: Function>(parameters: &HashParameters<'_>, tier: Tier, message: &[u8]) -> Vec<u8> {
    let mut mac = F::mac(parameters.key, parameters.salt, parameters.personal).unwrap();
    mac.set_tier(tier).unwrap();
    Update::update(&mut mac, message);
    mac.finalize_fixed().to_vec()
}

/// The digests of all prefixes of a message, each in pieces of some length and what is left of it.
fn compare_at_every_length<F: Function, H: Tiered + FixedOutput>(start: &H, key: &[u8], pieces: &[usize]) {
    let message = message(F::LENGTHS);
    let parameters = HashParameters { key, ..plain::<F>() };
    let expected: Vec<_> = (0..=message.len()).map(|length| expected::<F>(&parameters, &message[..length])).collect();
    for tier in tiers::<F>() {
        let mut start = start.clone();
        start.set_tier(tier).unwrap();
        for &piece in pieces {
            let mut head = start.clone();
            for (length, expected) in expected.iter().enumerate() {
                if length != 0 && length % piece == 0 {
                    head.try_update(&message[length - piece..length]).unwrap();
                }
                let mut whole = head.clone();
                whole.update(&message[length / piece * piece..length]);
                let actual = whole.finalize_fixed();
                assert_eq!(actual[..], expected[..], "{tier}, {length} bytes in pieces of {piece}");
            }
        }
    }
}

fn every_tier_agrees_at_every_length_in_every_part<F: Function>() {
    let stripe = F::LEAVES * F::BLOCK;
    compare_at_every_length::<F, F::Hash>(&F::Hash::new(), &[], &[1, F::BLOCK - 1, stripe, F::LENGTHS]);
    let key = bytes(9, F::MAX);
    compare_at_every_length::<F, F::Mac>(&F::mac(&key, &[], &[]).unwrap(), &key, &[stripe + 1, F::LENGTHS]);
}

fn a_message_in_one_piece_has_the_digest_that_the_trait_gives<F: Function>() {
    let message = message(2 * F::LEAVES * F::BLOCK + 10);
    for length in 0..=message.len() {
        let message = &message[..length];
        assert_eq!(F::digest(message), <F::Hash as Digest>::digest(message), "{length} bytes");
    }
}

fn a_tree_is_composed_of_its_leaves<F: Function>() {
    let message = message(700);
    let (key, salt, personal) = (bytes(3, 20), bytes(50, F::SALT), bytes(90, F::SALT));
    for length in (0..=message.len()).step_by(17) {
        let message = &message[..length];
        let unsalted = HashParameters { key: &key, ..plain::<F>() };
        assert_eq!(composed::<F>(&unsalted, message), expected::<F>(&unsalted, message), "the composition itself");
        for tier in tiers::<F>() {
            let salted = HashParameters { salt: &salt, personal: &personal, ..unsalted };
            assert_eq!(of_mac::<F>(&salted, tier, message), composed::<F>(&salted, message), "{tier}, {length} bytes");
            let salted = HashParameters { key: &[], output_bytes: 20, ..salted };
            assert_eq!(of_var::<F>(&salted, tier, message), composed::<F>(&salted, message), "{tier}, {length} bytes");
        }
    }
}

fn every_output_length_agrees<F: Function>() {
    let (key, salt, personal) = (bytes(7, F::MAX), bytes(100, F::SALT), bytes(200, F::SALT));
    for output_bytes in 1..=F::MAX {
        let message = message(lengths::<F>()[output_bytes % 10]);
        let key = &key[..output_bytes * 7 % (F::MAX + 1)];
        let salt = if output_bytes % 2 == 0 { &salt[..] } else { &[] };
        let personal = if output_bytes % 3 == 0 { &personal[..] } else { &[] };
        for parameters in
            [HashParameters { output_bytes, ..plain::<F>() }, HashParameters { output_bytes, key, salt, personal }]
        {
            for tier in tiers::<F>() {
                assert_eq!(
                    of_var::<F>(&parameters, tier, &message),
                    expected::<F>(&parameters, &message),
                    "{tier}, {parameters:?}"
                );
            }
        }
        let var = F::var(output_bytes).unwrap();
        assert_eq!(F::output_length(&var), output_bytes);
        let mut output = vec![0; output_bytes];
        F::finalize_into(var, &mut output).unwrap();
        assert_eq!(output, expected::<F>(&HashParameters { output_bytes, ..plain::<F>() }, b""));
    }
}

fn every_key_length_agrees<F: Function>() {
    let key = bytes(77, F::MAX);
    for key_bytes in 1..=F::MAX {
        let key = &key[..key_bytes];
        let message = message(lengths::<F>()[key_bytes % 10]);
        let parameters = HashParameters { key, ..plain::<F>() };
        let expected = expected::<F>(&parameters, &message);
        let mac = <F::Mac as KeyInit>::new_from_slice(key).unwrap();
        assert_eq!(Mac::chain_update(mac, &message).finalize().into_bytes()[..], expected[..], "{key_bytes} bytes");
        for tier in tiers::<F>() {
            assert_eq!(of_mac::<F>(&parameters, tier, &message), expected, "{tier}, {key_bytes} bytes");
        }
    }
}

fn salt_and_personalisation_agree<F: Function>() {
    let (salt, personal) = (bytes(1, F::SALT), bytes(101, F::SALT));
    let message = message(F::BLOCK + 1);
    for (salt, personal) in [(&salt[..], &[][..]), (&[], &personal), (&salt, &personal)] {
        let parameters = HashParameters { salt, personal, ..plain::<F>() };
        let hash = F::salted(salt, personal).unwrap().chain_update(&message);
        assert_eq!(hash.finalize()[..], expected::<F>(&parameters, &message)[..]);
        let parameters = HashParameters { key: b"key", ..parameters };
        assert_eq!(of_mac::<F>(&parameters, Tier::Generic, &message), expected::<F>(&parameters, &message));
    }
    // None, and all zeros, are one.
    let zeros = vec![0; F::SALT];
    for (salt, personal) in [(&[][..], &[][..]), (&zeros, &[]), (&[], &zeros), (&zeros, &zeros)] {
        assert_eq!(F::salted(salt, personal).unwrap().finalize(), F::digest(b""));
    }
}

fn a_customization_is_the_personalisation<F: Function>() {
    for length in 0..=F::SALT {
        let mut personal = bytes(61, length);
        let customized = F::Hash::try_new_customized(&personal).unwrap().chain_update(b"abc").finalize();
        personal.resize(F::SALT, 0);
        let parameters = HashParameters { personal: &personal, ..plain::<F>() };
        assert_eq!(customized[..], expected::<F>(&parameters, b"abc")[..], "{length} bytes");
    }
}

fn a_customization_that_is_too_long_is_refused<F: Function>() {
    let error = F::Hash::try_new_customized(&bytes(0, F::SALT + 1)).err();
    assert_eq!(error, Some(ParameterError::PersonalLength { expected: F::SALT, given: F::SALT + 1 }));
}

fn a_mac_accepts_its_tag_alone<F: Function>() {
    let key = bytes(33, F::MAX / 2);
    let message = message(3 * F::BLOCK);
    let mut mac = <F::Mac as KeyInit>::new_from_slice(&key).unwrap();
    Mac::update(&mut mac, &message);
    let tag = mac.clone().finalize().into_bytes();
    assert_eq!(tag[..], expected::<F>(&HashParameters { key: &key, ..plain::<F>() }, &message)[..]);
    assert_eq!(mac.clone().verify_slice(&tag), Ok(()));
    assert_eq!(mac.clone().verify(&tag), Ok(()));

    for byte in 0..F::MAX {
        let mut wrong = tag.clone();
        wrong[byte] ^= 1 << (byte % 8);
        assert_eq!(mac.clone().verify_slice(&wrong), Err(MacError), "byte {byte}");
        assert_eq!(mac.clone().verify(&wrong), Err(MacError), "byte {byte}");
    }
    for shorter in 0..F::MAX {
        assert_eq!(mac.clone().verify_slice(&tag[..shorter]), Err(MacError), "{shorter} bytes");
    }
    assert_eq!(mac.clone().verify_slice(&[&tag[..], &[0]].concat()), Err(MacError));
    let mut other = <F::Mac as KeyInit>::new_from_slice(&key[1..]).unwrap();
    Mac::update(&mut other, &message);
    assert_eq!(other.verify_slice(&tag), Err(MacError));

    // Each begins again under the same key.
    for _ in 0..2 {
        assert_eq!(mac.verify_slice_reset(&tag), Ok(()));
        assert_eq!(mac.verify_reset(&tag), Err(MacError), "nothing has another tag");
        Mac::update(&mut mac, &message);
    }
}

fn a_tag_that_is_cut_off_is_accepted_where_that_is_asked_for<F: Function>() {
    let mac = Mac::chain_update(<F::Mac as KeyInit>::new_from_slice(b"key").unwrap(), b"abc");
    let tag = mac.clone().finalize().into_bytes();
    for length in 1..=F::MAX {
        assert_eq!(mac.clone().verify_truncated_left(&tag[..length]), Ok(()), "{length} bytes");
        assert_eq!(mac.clone().verify_truncated_right(&tag[F::MAX - length..]), Ok(()), "{length} bytes");
        let mut wrong = tag[..length].to_vec();
        wrong[length - 1] ^= 0x80;
        assert_eq!(mac.clone().verify_truncated_left(&wrong), Err(MacError), "{length} bytes");
    }
    assert_eq!(mac.clone().verify_truncated_left(&[]), Err(MacError));
    assert_eq!(mac.verify_truncated_left(&[&tag[..], &[0]].concat()), Err(MacError));
}

fn a_key_of_the_greatest_length_needs_no_slice<F: Function>() {
    let mut key = Key::<F::Mac>::default();
    key.copy_from_slice(&bytes(17, F::MAX));
    let tag = Mac::chain_update(<F::Mac as KeyInit>::new(&key), b"abc").finalize();
    assert_eq!(tag, Mac::chain_update(<F::Mac as KeyInit>::new_from_slice(&key).unwrap(), b"abc").finalize());
    assert_eq!(tag.into_bytes()[..], expected::<F>(&HashParameters { key: &key, ..plain::<F>() }, b"abc")[..]);
}

fn keys_beyond_the_limits_are_refused<F: Function>() {
    let limit = F::MAX;
    // The lengths that are 0 and 32 in a byte are no better.
    for given in [0, limit + 1, F::BLOCK, F::BLOCK + 1, 256, 256 + 32] {
        let key = vec![1; given];
        let error = ParameterError::KeyLength { limit, given };
        assert_eq!(F::mac(&key, &[], &[]).map(drop), Err(error));
        assert!(<F::Mac as KeyInit>::new_from_slice(&key).is_err(), "{given} bytes");
        assert_eq!(error.to_string(), format!("a key has 1 to {limit} bytes, but {given} were given"));
        if given != 0 {
            assert_eq!(F::var_with(&HashParameters { key: &key, ..plain::<F>() }).map(drop), Err(error));
        }
    }
}

fn output_lengths_beyond_the_limits_are_refused<F: Function>() {
    let limit = F::MAX;
    for given in [0, limit + 1, 255, 256, 256 + limit, usize::MAX] {
        let error = ParameterError::OutputLength { limit, given };
        assert_eq!(F::var(given).map(drop), Err(error));
        let parameters = HashParameters { output_bytes: given, key: b"key", ..plain::<F>() };
        assert_eq!(F::var_with(&parameters).map(drop), Err(error));
        assert_eq!(error.to_string(), format!("a digest has 1 to {limit} bytes, but {given} were asked for"));
    }
}

fn salts_and_personalisations_of_other_lengths_are_refused<F: Function>() {
    let expected = F::SALT;
    for given in [1, expected - 1, expected + 1, 2 * expected, 256, 256 + expected] {
        let wrong = vec![0; given];
        let of_salt = ParameterError::SaltLength { expected, given };
        assert_eq!(F::salted(&wrong, &[]).map(drop), Err(of_salt));
        assert_eq!(F::mac(b"key", &wrong, &[]).map(drop), Err(of_salt));
        assert_eq!(F::var_with(&HashParameters { salt: &wrong, ..plain::<F>() }).map(drop), Err(of_salt));
        assert_eq!(of_salt.to_string(), format!("a salt has {expected} bytes, but {given} were given"));

        let of_personal = ParameterError::PersonalLength { expected, given };
        assert_eq!(F::salted(&[], &wrong).map(drop), Err(of_personal));
        assert_eq!(F::mac(b"key", &[], &wrong).map(drop), Err(of_personal));
        assert_eq!(F::var_with(&HashParameters { personal: &wrong, ..plain::<F>() }).map(drop), Err(of_personal));
        assert_eq!(of_personal.to_string(), format!("a personalisation has {expected} bytes, but {given} were given"));
    }
}

fn a_buffer_of_another_length_is_refused_and_changes_nothing<F: Function>() {
    let expected_bytes = 20;
    let parameters = HashParameters { output_bytes: expected_bytes, key: b"key", ..plain::<F>() };
    let message = message(2 * F::BLOCK);
    let mut var = F::var_with(&parameters).unwrap();
    var.update(&message);
    for given in [0, 1, expected_bytes - 1, expected_bytes + 1, F::MAX, 256 + expected_bytes] {
        let error = OutputLengthError { expected: expected_bytes, given };
        let mut output = vec![0x5a; given];
        assert_eq!(F::finalize_into_reset(&mut var, &mut output), Err(error));
        assert_eq!(F::finalize_into(var.clone(), &mut output), Err(error));
        assert!(output.iter().all(|byte| *byte == 0x5a), "{given} bytes: something is written");
        assert_eq!(error.to_string(), format!("the digest has 20 bytes, but a buffer of {given} was given"));
    }
    let mut output = vec![0; expected_bytes];
    F::finalize_into_reset(&mut var, &mut output).unwrap();
    assert_eq!(output, expected::<F>(&parameters, &message), "the message is as it was");
    F::finalize_into(var, &mut output).unwrap();
    assert_eq!(output, expected::<F>(&parameters, b""));
}

fn a_clone_may_continue_under_another_tier<F: Function>() {
    let message = message(3 * F::LEAVES * F::BLOCK + 50);
    let key = bytes(5, 10);
    let parameters = HashParameters { key: &key, ..plain::<F>() };
    let (unkeyed, keyed) = (expected::<F>(&plain::<F>(), &message), expected::<F>(&parameters, &message));

    /// Each pair of tiers, with the change at some place.
    fn check<F: Function, T: Tiered>(start: &T, message: &[u8], finish: impl Fn(T) -> Vec<u8>, expected: &[u8]) {
        for first in tiers::<F>() {
            for second in tiers::<F>() {
                for cut in [0, F::BLOCK, F::BLOCK + 1, F::LEAVES * F::BLOCK + 40, message.len()] {
                    let mut original = start.clone();
                    original.set_tier(first).unwrap();
                    original.update(&message[..cut]);
                    let mut clone = original.clone();
                    clone.set_tier(second).unwrap();
                    assert_eq!((original.tier(), clone.tier()), (first, second));
                    for mut hash in [original, clone] {
                        hash.update(&message[cut..]);
                        assert_eq!(finish(hash), expected, "{first} to {second} at {cut}");
                    }
                }
            }
        }
    }
    check::<F, _>(&F::Hash::new(), &message, |hash| hash.finalize_fixed().to_vec(), &unkeyed);
    check::<F, _>(&F::mac(&key, &[], &[]).unwrap(), &message, |mac| mac.finalize_fixed().to_vec(), &keyed);
    let finish = |var| {
        let mut output = vec![0; F::MAX];
        F::finalize_into(var, &mut output).unwrap();
        output
    };
    check::<F, _>(&F::var_with(&parameters).unwrap(), &message, finish, &keyed);
}

fn a_reset_hash_is_a_new_one_under_the_same_parameters<F: Function>() {
    let (key, salt, personal) = (bytes(80, F::MAX - 1), bytes(110, F::SALT), bytes(140, F::SALT));
    let (before, after) = (message(2 * F::LEAVES * F::BLOCK + 3), message(F::BLOCK + 9));
    let unkeyed = HashParameters { salt: &salt, personal: &personal, ..plain::<F>() };
    let keyed = HashParameters { key: &key, ..unkeyed };
    let shorter = HashParameters { output_bytes: F::MAX - 3, ..keyed };

    /// After a reset, and after a digest that resets; `finish` is such a digest.
    fn check<F: Function, T: Tiered>(
        mut hash: T,
        parameters: &HashParameters<'_>,
        messages: [&[u8]; 2],
        finish: impl Fn(&mut T) -> Vec<u8>,
    ) {
        let [before, after] = messages;
        let tier = hash.tier();
        hash.update(before);
        hash.reset();
        hash.update(after);
        assert_eq!(finish(&mut hash), expected::<F>(parameters, after), "after a reset");
        hash.update(before);
        assert_eq!(finish(&mut hash), expected::<F>(parameters, before), "after a digest");
        assert_eq!(finish(&mut hash), expected::<F>(parameters, b""), "nothing after a digest");
        hash.reset();
        hash.reset();
        assert_eq!(finish(&mut hash), expected::<F>(parameters, b""), "nothing after two resets");
        assert_eq!(hash.tier(), tier);
    }
    for tier in tiers::<F>() {
        let messages = [&before[..], &after];
        let mut hash = F::salted(&salt, &personal).unwrap();
        hash.set_tier(tier).unwrap();
        check::<F, _>(hash, &unkeyed, messages, |hash| hash.finalize_fixed_reset().to_vec());
        let mut mac = F::mac(&key, &salt, &personal).unwrap();
        mac.set_tier(tier).unwrap();
        check::<F, _>(mac, &keyed, messages, |mac| mac.finalize_fixed_reset().to_vec());
        let mut var = F::var_with(&shorter).unwrap();
        var.set_tier(tier).unwrap();
        check::<F, _>(var, &shorter, messages, |var| {
            let mut output = vec![0; F::output_length(var)];
            F::finalize_into_reset(var, &mut output).unwrap();
            output
        });
    }
}

fn several_messages_have_the_digests_of_each<F: Function>() {
    let block = F::BLOCK;
    let lengths = [5 * block + 3, 0, block, 1, block + 1, 2 * block, 17 * block, block - 1, 2 * block + 1];
    let messages = lengths.map(|length| message(length + 1)[1..].to_vec());
    // Forwards and backwards, so that each message is in more than one lane.
    for count in 0..=messages.len() {
        let mut messages: Vec<&[u8]> = messages[..count].iter().map(Vec::as_slice).collect();
        for _ in 0..2 {
            let expected: Vec<_> = messages.iter().map(|message| F::oracle().digest(message)).collect();
            let mut outputs = vec![Output::<F::Hash>::default(); count];
            F::digest_many(&messages, &mut outputs).unwrap();
            assert!(outputs.iter().map(|output| &output[..]).eq(&expected), "{count} messages");
            for tier in tiers::<F>() {
                let mut outputs = vec![Output::<F::Hash>::default(); count];
                F::digest_many_with_tier(tier, &messages, &mut outputs).unwrap();
                assert!(outputs.iter().map(|output| &output[..]).eq(&expected), "{tier}, {count} messages");
            }
            messages.reverse();
        }
    }
}

fn unequal_numbers_of_messages_and_outputs_are_refused_and_nothing_is_written<F: Function>() {
    let mut outputs: [Output<F::Hash>; 9] = Default::default();
    for (messages, given) in [(0, 1), (1, 0), (2, 3), (3, 2), (4, 8), (9, 5), (5, 9)] {
        let error = LaneCountError { messages, outputs: given };
        let messages = vec![&b"abc"[..]; messages];
        assert_eq!(F::digest_many(&messages, &mut outputs[..given]), Err(error));
        for tier in tiers::<F>() {
            let refused = F::digest_many_with_tier(tier, &messages, &mut outputs[..given]);
            assert_eq!(refused, Err(ManyError::LaneCount(error)), "{tier}");
        }
    }
    assert!(outputs.iter().flatten().all(|byte| *byte == 0), "something is written");
}

fn a_tier_without_a_kernel_is_refused<F: Function>() {
    let mut outputs = [Output::<F::Hash>::default()];
    for tier in Tier::ALL {
        let Err(error) = F::with_tier(tier).map(drop) else { continue };
        assert_eq!((error.algorithm, error.tier), (F::NAME, tier));
        let kernel = ASSEMBLY && !(tier == Tier::Ce && cfg!(target_arch = "arm"));
        assert_eq!(error.reason == TierErrorReason::NoKernel, !kernel, "{error}");

        let mut hash = F::Hash::new();
        let before = hash.tier();
        assert_eq!(hash.set_tier(tier), Err(error));
        assert_eq!(hash.tier(), before, "the tier stays as it was");
        assert_eq!(F::digest_many_with_tier(tier, &[b"abc"], &mut outputs), Err(ManyError::Tier(error)));
        assert!(outputs[0].iter().all(|byte| *byte == 0), "something is written");
    }
    assert!(tiers::<F>().contains(&Tier::Generic));
}

fn debug_output_reveals_nothing<F: Function>() {
    let expected = format!("{} {{ .. }}", F::NAME);
    let (salt, personal) = (bytes(1, F::SALT), bytes(2, F::SALT));
    let parameters = HashParameters { output_bytes: 20, key: b"secret", salt: &salt, personal: &personal };
    assert_eq!(format!("{:?}", F::salted(&salt, &personal).unwrap().chain_update(b"secret")), expected);
    assert_eq!(format!("{:?}", F::mac(b"secret", &salt, &personal).unwrap()), expected);
    assert_eq!(format!("{:?}", F::var_with(&parameters).unwrap()), expected);
    assert_eq!(format!("{:#?}", F::var_with(&parameters).unwrap()), expected);
}

fn an_exported_state_continues_anywhere<F: Sequential>() {
    let (salt, personal) = (bytes(60, F::SALT), bytes(30, F::SALT));
    let message = message(3 * F::BLOCK + 8);
    let block = F::BLOCK;
    for (salt, personal) in [(&[][..], &[][..]), (&salt, &personal)] {
        let expected = expected::<F>(&HashParameters { salt, personal, ..plain::<F>() }, &message);
        let other = self::expected::<F>(&HashParameters { salt, personal, ..plain::<F>() }, b"other");
        for split in [0, 1, block - 1, block, block + 1, 2 * block, 2 * block + 1, 3 * block + 8] {
            let hash = F::salted(salt, personal).unwrap().chain_update(&message[..split]);
            let exported = F::export(&hash);
            assert_eq!(exported.len(), F::STATE_BYTES);
            assert_eq!(exported, F::serialized(&hash));
            assert_eq!(F::export(&F::import(&exported).unwrap()), exported);
            for tier in tiers::<F>() {
                let mut imported = F::import(&exported).unwrap();
                imported.set_tier(tier).unwrap();
                Update::update(&mut imported, &message[split..]);
                assert_eq!(imported.finalize_fixed_reset()[..], expected[..], "{tier}, split at {split}");
                // The salt has come along.
                Update::update(&mut imported, b"other");
                assert_eq!(imported.finalize()[..], other[..], "{tier}, split at {split}");
            }
            let deserialized = F::deserialized(&hash).chain_update(&message[split..]);
            assert_eq!(deserialized.finalize()[..], expected[..], "split at {split}");
        }
    }
}

fn an_exported_state_is_laid_out_as_documented<F: Sequential>() {
    let (salt, personal) = (bytes(60, F::SALT), bytes(30, F::SALT));
    let message = message(F::BLOCK + 3);
    let state = F::export(&F::salted(&salt, &personal).unwrap().chain_update(&message));

    let mut parameters = Parameters { digest_length: F::MAX as u8, ..Parameters::default() };
    parameters.salt[..F::SALT].copy_from_slice(&salt);
    parameters.personal[..F::SALT].copy_from_slice(&personal);
    let mut h: [F::Word; 8] = specification::initial(&parameters);
    let [none, block] = [0, F::BLOCK as u64].map(F::Word::constant);
    let no_flags = [none.clone(), none.clone()];
    specification::compress(&mut h, &F::Word::parse(&message[..F::BLOCK]), &[block.clone(), none.clone()], &no_flags);

    let mut expected = vec![1, F::CODE, F::MAX as u8];
    expected.extend(salt);
    expected.extend(personal);
    for word in h.into_iter().chain([block, none]) {
        expected.extend(&word.into().to_le_bytes()[..F::BLOCK / 16]);
    }
    expected.push(3);
    expected.extend(&message[F::BLOCK..]);
    expected.resize(F::STATE_BYTES, 0);
    assert_eq!(state, expected);
}

/// Where the counter of an exported state is.
fn counter_at<F: Function>() -> usize {
    3 + 2 * F::SALT + F::MAX
}

fn a_state_that_cannot_be_continued_is_refused<F: Sequential>() {
    let (expected, limit) = (F::STATE_BYTES, F::LIMIT);
    let good = F::export(&F::Hash::new().chain_update(b"abc"));
    let refused = |state: &[u8]| F::import(state).map(drop).unwrap_err();
    for given in [0, 1, expected - 1] {
        assert_eq!(refused(&good[..given]), StateError::Length { expected, given });
    }
    let longer = [&good[..], &[0]].concat();
    assert_eq!(refused(&longer), StateError::Length { expected, given: expected + 1 });

    let changed = |index: usize, byte: u8| {
        let mut state = good.clone();
        state[index] = byte;
        state
    };
    for given in [0, 2, 255] {
        assert_eq!(refused(&changed(0, given)), StateError::Version { expected: 1, given });
    }
    for given in (0..=u8::MAX).filter(|given| *given != F::CODE) {
        assert_eq!(refused(&changed(1, given)), StateError::Algorithm { expected: F::CODE, given });
    }
    for given in (0..=255).filter(|given| *given != F::MAX) {
        assert_eq!(refused(&changed(2, given as u8)), StateError::OutputLength { expected: F::MAX, given });
    }

    // A buffer with more than it should have, and one with more than there is room for.
    let filled_at = counter_at::<F>() + F::BLOCK / 8;
    assert_eq!(refused(&changed(expected - 1, 9)), StateError::Buffer { buffered: 3 });
    assert_eq!(refused(&changed(filled_at, 2)), StateError::Buffer { buffered: 2 });
    for buffered in [F::BLOCK + 1, 255] {
        assert_eq!(refused(&changed(filled_at, buffered as u8)), StateError::Buffer { buffered });
    }

    // A count that ends inside a block.
    let mut state = good.clone();
    state[counter_at::<F>()] = 3;
    assert_eq!(refused(&state), StateError::Counter { block: F::BLOCK, given: 3 });

    // A count of which the buffered bytes are too many; that of BLAKE2b ends where numbers do.
    state[counter_at::<F>()..filled_at].fill(0xff);
    state[counter_at::<F>()] = 0u8.wrapping_sub(F::BLOCK as u8);
    state[filled_at] = F::BLOCK as u8;
    assert_eq!(refused(&state), StateError::MessageTooLong { limit, given: limit.saturating_add(1) });
}

/// A state just below the limit, as an exported one; without feature `verify` there is no other way to it.
fn a_message_beyond_the_limit_is_refused_and_stays_as_it_was<F: Sequential>() {
    let mut state = F::export(&F::Hash::new());
    let counter = counter_at::<F>();
    let count = F::LIMIT - (F::BLOCK as u128 - 1);
    state[counter..counter + F::BLOCK / 8].copy_from_slice(&count.to_le_bytes()[..F::BLOCK / 8]);
    refuses_what_exceeds_the_limit::<F>(F::import(&state).unwrap());
}

/// A hash to which one byte less than a block can be appended.
fn refuses_what_exceeds_the_limit<F: Sequential>(mut hash: F::Hash) {
    let before = F::export(&hash);
    // The number of bytes that BLAKE2b would have had is beyond what a number can say.
    let error = MessageTooLong { limit: F::LIMIT, given: F::LIMIT.saturating_add(1) };
    assert_eq!(hash.try_update(&vec![7; F::BLOCK]), Err(error));
    assert_eq!(F::export(&hash), before);
    let more = MessageTooLong { given: F::LIMIT.saturating_add(901), ..error };
    assert_eq!(hash.try_update(&vec![7; F::BLOCK + 900]), Err(more));
    assert_eq!(F::export(&hash), before);
    assert_eq!(hash.try_update(&vec![7; F::BLOCK - 1]), Ok(()));
    let before = F::export(&hash);
    assert_eq!(hash.try_update(&[7]), Err(error));
    assert_eq!(hash.try_update(&[]), Ok(()));
    assert_eq!(F::export(&hash), before);
}

#[cfg(feature = "verify")]
fn a_chaining_value_is_continued<F: Sequential>() {
    let message = message(3 * F::BLOCK + 5);
    // One byte more, so that two blocks are not the last.
    let hash = F::Hash::new().chain_update(&message[..2 * F::BLOCK + 1]);
    let (state, count) = F::chaining_value(&hash);
    assert_eq!(count, 2 * F::BLOCK as u128 + 1);
    for tier in tiers::<F>() {
        let mut hash = F::from_chaining_value(state.clone(), 2 * F::BLOCK as u128).unwrap();
        hash.set_tier(tier).unwrap();
        assert_eq!(hash.chain_update(&message[2 * F::BLOCK..]).finalize(), F::digest(&message), "{tier}");
    }
}

#[cfg(feature = "verify")]
fn a_message_that_began_in_the_middle_is_refused_beyond_the_limit<F: Sequential>() {
    let state = F::chaining_value(&F::Hash::new()).0;
    let count = F::LIMIT - (F::BLOCK as u128 - 1);
    for tier in tiers::<F>() {
        let mut hash = F::from_chaining_value(state.clone(), count).unwrap();
        hash.set_tier(tier).unwrap();
        refuses_what_exceeds_the_limit::<F>(hash.clone());

        // The last bytes that fit count.
        let last = bytes(4, F::BLOCK - 1);
        hash.try_update(&last).unwrap();
        let words: Vec<u8> = state.iter().flat_map(|word| word.clone().into().to_be_bytes()).collect();
        let skipped = 8 - F::BLOCK / 16;
        let words: Vec<u8> = words.chunks(8).flat_map(|word| &word[skipped..]).copied().collect();
        let expected = F::oracle().digest_from(&words, count, &last).unwrap();
        assert_eq!(hash.finalize()[..], expected[..], "{tier}");
    }
    if let Some(given) = F::LIMIT.checked_add(1) {
        let refused = F::from_chaining_value(state, given).map(drop);
        assert_eq!(refused, Err(MessageTooLong { limit: F::LIMIT, given }));
    }
}

#[test]
fn a_state_of_another_type_is_refused() {
    let long = blake2b::Blake2b512::new().export_state();
    let short = blake2b::Blake2b256::new().export_state();
    let error = StateError::OutputLength { expected: 32, given: 64 };
    assert_eq!(blake2b::Blake2b256::import_state(&long).map(drop), Err(error));
    assert!(blake2b::Blake2b256::deserialize(&long.into()).is_err());
    assert_eq!(error.to_string(), "an exported state for digests of 32 bytes is needed, but this one is for 64");
    let error = StateError::OutputLength { expected: 64, given: 32 };
    assert_eq!(blake2b::Blake2b512::import_state(&short).map(drop), Err(error));

    let other = blake2s::Blake2s256::new().export_state();
    let error = StateError::Length { expected: blake2b::STATE_BYTES, given: blake2s::STATE_BYTES };
    assert_eq!(blake2b::Blake2b256::import_state(&other).map(drop), Err(error));
    let error = StateError::Length { expected: blake2s::STATE_BYTES, given: blake2b::STATE_BYTES };
    assert_eq!(blake2s::Blake2s256::import_state(&short).map(drop), Err(error));
    let error = StateError::OutputLength { expected: 16, given: 32 };
    assert_eq!(blake2s::Blake2s128::import_state(&other).map(drop), Err(error));
    assert_eq!((blake2b::STATE_BYTES, blake2s::STATE_BYTES), (244, 124));
}

/// Messages of several lengths by a type with a shorter digest, in one piece and in parts.
fn digests_of<H: Tiered + Digest>(function: &str) {
    let oracle = vambrace_reference::oracles::hash(function).unwrap();
    let output_bytes = <H as Digest>::output_size();
    for length in [0, 1, 63, 64, 65, 128, 129, 512, 513, 1025] {
        let message = message(length);
        let parameters = HashParameters { output_bytes, key: &[], salt: &[], personal: &[] };
        let expected = oracle.digest_with(&parameters, &message).unwrap();
        let mut hash = H::new();
        assert_eq!(hash.clone().chain_update(&message).finalize()[..], expected[..], "{length} bytes");
        message.chunks(31).for_each(|part| Update::update(&mut hash, part));
        assert_eq!(hash.finalize()[..], expected[..], "{length} bytes in parts");
    }
}

/// The same under a key.
fn tags_of<M: Mac + KeyInit>(function: &str) {
    let oracle = vambrace_reference::oracles::hash(function).unwrap();
    let output_bytes = M::output_size();
    for length in [0, 1, 64, 129, 1025] {
        let message = message(length);
        let parameters = HashParameters { output_bytes, key: b"the key", salt: &[], personal: &[] };
        let tag = M::new_from_slice(b"the key").unwrap().chain_update(&message).finalize().into_bytes();
        assert_eq!(tag[..], oracle.digest_with(&parameters, &message).unwrap()[..], "{length} bytes");
    }
}

tiered!(
    blake2b::Blake2b<U1>,
    blake2b::Blake2b<U31>,
    blake2b::Blake2b<U33>,
    blake2b::Blake2b<U63>,
    blake2b::Blake2b128,
    blake2b::Blake2b160,
    blake2b::Blake2b256,
    blake2b::Blake2b384,
    blake2b::Blake2bp<U20>,
    blake2s::Blake2s<U1>,
    blake2s::Blake2s<U31>,
    blake2s::Blake2s128,
    blake2s::Blake2s160,
    blake2s::Blake2s224,
    blake2s::Blake2sp<U20>
);

#[test]
fn types_with_shorter_digests_agree() {
    digests_of::<blake2b::Blake2b<U1>>("blake2b");
    digests_of::<blake2b::Blake2b128>("blake2b");
    digests_of::<blake2b::Blake2b160>("blake2b");
    digests_of::<blake2b::Blake2b<U31>>("blake2b");
    digests_of::<blake2b::Blake2b256>("blake2b");
    digests_of::<blake2b::Blake2b<U33>>("blake2b");
    digests_of::<blake2b::Blake2b384>("blake2b");
    digests_of::<blake2b::Blake2b<U63>>("blake2b");
    digests_of::<blake2b::Blake2b512>("blake2b");
    digests_of::<blake2b::Blake2bp<U20>>("blake2bp");
    digests_of::<blake2s::Blake2s<U1>>("blake2s");
    digests_of::<blake2s::Blake2s128>("blake2s");
    digests_of::<blake2s::Blake2s160>("blake2s");
    digests_of::<blake2s::Blake2s224>("blake2s");
    digests_of::<blake2s::Blake2s<U31>>("blake2s");
    digests_of::<blake2s::Blake2s256>("blake2s");
    digests_of::<blake2s::Blake2sp<U20>>("blake2sp");
    let sizes = [
        blake2b::Blake2b128::output_size(),
        blake2b::Blake2b160::output_size(),
        blake2b::Blake2b256::output_size(),
        blake2b::Blake2b384::output_size(),
        blake2b::Blake2b512::output_size(),
        blake2s::Blake2s128::output_size(),
        blake2s::Blake2s160::output_size(),
        blake2s::Blake2s224::output_size(),
        blake2s::Blake2s256::output_size(),
    ];
    assert_eq!(sizes, [16, 20, 32, 48, 64, 16, 20, 28, 32]);
}

#[test]
fn macs_with_shorter_tags_agree() {
    tags_of::<blake2b::Blake2bMac<U16>>("blake2b");
    tags_of::<blake2b::Blake2bMac<U48>>("blake2b");
    tags_of::<blake2b::Blake2bMac512>("blake2b");
    tags_of::<blake2b::Blake2bpMac<U28>>("blake2bp");
    tags_of::<blake2s::Blake2sMac<U1>>("blake2s");
    tags_of::<blake2s::Blake2sMac<U16>>("blake2s");
    tags_of::<blake2s::Blake2sMac256>("blake2s");
    tags_of::<blake2s::Blake2spMac<U28>>("blake2sp");
}

#[test]
fn types_have_names() {
    struct Name<T>(std::marker::PhantomData<T>);
    impl<T: AlgorithmName> std::fmt::Display for Name<T> {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            T::write_alg_name(f)
        }
    }
    fn name<T: AlgorithmName>() -> String {
        Name::<T>(std::marker::PhantomData).to_string()
    }
    assert_eq!(name::<blake2b::Blake2b512>(), "Blake2b512");
    assert_eq!(name::<blake2b::Blake2bp<U20>>(), "Blake2bp160");
    assert_eq!(name::<blake2s::Blake2s128>(), "Blake2s128");
    assert_eq!(name::<blake2s::Blake2sp<U32>>(), "Blake2sp256");
}
