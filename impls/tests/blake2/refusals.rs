//! What is beyond a limit is refused, with both in the error, and changes nothing.

use digest::{Digest, KeyInit, Output, TryCustomizedInit, Update};
use vambrace::{LaneCountError, ManyError, OutputLengthError, ParameterError, Tier, TierErrorReason};
use vambrace_reference::oracles::HashParameters;

use crate::expected::expected;
use crate::function::{Function, Tiered, bytes, plain, tests, tiers};
use crate::support::{ASSEMBLY, message};

tests!(
    of all:
    a_customization_that_is_too_long_is_refused,
    keys_beyond_the_limits_are_refused,
    output_lengths_beyond_the_limits_are_refused,
    salts_and_personalisations_of_other_lengths_are_refused,
    a_buffer_of_another_length_is_refused_and_changes_nothing,
    unequal_numbers_of_messages_and_outputs_are_refused_and_nothing_is_written,
    a_tier_without_a_kernel_is_refused,
);

fn a_customization_that_is_too_long_is_refused<F: Function>() {
    let error = F::Hash::try_new_customized(&bytes(0, F::SALT + 1)).err();
    assert_eq!(error, Some(ParameterError::PersonalLength { expected: F::SALT, given: F::SALT + 1 }));
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
