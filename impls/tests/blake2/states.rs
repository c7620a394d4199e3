//! States are exported and imported, and end where counters end.

use digest::common::hazmat::SerializableState;
use digest::{Digest, FixedOutputReset, Update};
use vambrace::{MessageTooLong, StateError};
use vambrace::{blake2b, blake2s};
use vambrace_reference::Word;
use vambrace_reference::blake2::{self as specification, MessageWord, Parameters};
use vambrace_reference::oracles::HashParameters;

use crate::expected::expected;
use crate::function::{Function, Sequential, Tiered, bytes, plain, tests, tiers};
use crate::support::message;

tests!(
    of sequential:
    an_exported_state_continues_anywhere,
    an_exported_state_is_laid_out_as_documented,
    a_state_that_cannot_be_continued_is_refused,
    a_message_beyond_the_limit_is_refused_and_stays_as_it_was,
);

#[cfg(feature = "verify")]
tests!(
    of sequential:
    a_chaining_value_is_continued,
    a_message_that_began_in_the_middle_is_refused_beyond_the_limit,
);

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
