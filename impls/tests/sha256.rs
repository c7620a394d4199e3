//! SHA-224 and SHA-256 as their users call them.

use digest::common::hazmat::SerializableState;
use digest::const_oid::AssociatedOid;
use digest::{Digest, FixedOutputReset, Output, Reset, Update};
use hmac::{Hmac, KeyInit, Mac};
use vambrace::sha256::{MAX_MESSAGE_BYTES, STATE_BYTES};
use vambrace::{LaneCountError, MessageTooLong, Sha224, Sha256, StateError, Tier, TierErrorReason};

/// The tiers that this process can run.
fn tiers() -> Vec<Tier> {
    Tier::ALL.into_iter().filter(|tier| Sha256::with_tier(*tier).is_ok()).collect()
}

fn message(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 7 + i / 256) as u8).collect()
}

#[test]
fn every_tier_agrees_with_the_crate_sha2_at_every_length() {
    let message = message(700);
    for tier in tiers() {
        for length in 0..=message.len() {
            let expected = sha2::Sha256::digest(&message[..length]);
            let actual = Sha256::with_tier(tier).unwrap().chain_update(&message[..length]).finalize();
            assert_eq!(actual[..], expected[..], "{tier}, {length} bytes");
        }
        let expected = sha2::Sha224::digest(&message);
        assert_eq!(Sha224::with_tier(tier).unwrap().chain_update(&message).finalize()[..], expected[..], "{tier}");
    }
}

#[test]
fn a_message_in_one_piece_has_the_digest_that_the_trait_gives() {
    let message = message(300);
    for length in 0..=message.len() {
        let message = &message[..length];
        assert_eq!(Sha256::digest(message), <Sha256 as Digest>::digest(message), "{length} bytes");
        assert_eq!(Sha224::digest(message), <Sha224 as Digest>::digest(message), "{length} bytes");
    }
}

#[test]
fn a_clone_may_continue_under_another_tier() {
    let message = message(300);
    let expected = sha2::Sha256::digest(&message);
    for first in tiers() {
        for second in tiers() {
            let mut hash = Sha256::with_tier(first).unwrap().chain_update(&message[..100]);
            let original = hash.clone();
            hash.set_tier(second).unwrap();
            assert_eq!((original.tier(), hash.tier()), (first, second));
            for hash in [original, hash] {
                assert_eq!(hash.chain_update(&message[100..]).finalize()[..], expected[..], "{first} to {second}");
            }
        }
    }
}

#[test]
fn a_reset_hash_is_a_new_one() {
    let empty = Sha256::digest(b"");
    let mut hash = Sha256::new().chain_update(message(130));
    Reset::reset(&mut hash);
    assert_eq!(hash.clone().finalize(), empty);
    Update::update(&mut hash, &message(130));
    assert_eq!(hash.finalize_fixed_reset(), Sha256::digest(message(130)));
    assert_eq!(hash.finalize(), empty);
}

#[test]
fn an_exported_state_continues_anywhere() {
    let message = message(200);
    for split in [0, 1, 63, 64, 65, 128, 199, 200] {
        let hash = Sha256::new().chain_update(&message[..split]);
        let exported = hash.export_state();
        assert_eq!(exported[..], hash.serialize()[..]);
        let imported = Sha256::import_state(&exported).unwrap().chain_update(&message[split..]);
        assert_eq!(imported.finalize(), Sha256::digest(&message));
        let deserialized = Sha256::deserialize(&hash.serialize()).unwrap().chain_update(&message[split..]);
        assert_eq!(deserialized.finalize(), Sha256::digest(&message));
    }
}

#[test]
fn an_exported_state_is_laid_out_as_documented() {
    let state = Sha256::new().chain_update(b"abc").export_state();
    let mut expected = vec![1, 2];
    // The initial hash value: FIPS 180-4 section 5.3.3.
    expected.extend(hex::decode("6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19").unwrap());
    expected.extend([0, 0, 0, 0, 0, 0, 0, 3]);
    expected.extend(b"abc");
    expected.resize(STATE_BYTES, 0);
    assert_eq!(state[..], expected[..]);
    assert_eq!(Sha224::new().export_state()[1], 1);
}

#[test]
fn a_state_that_cannot_be_continued_is_refused() {
    let good = Sha256::new().chain_update(b"abc").export_state();
    let refused = |state: &[u8]| Sha256::import_state(state).map(drop).unwrap_err();
    assert_eq!(refused(&good[1..]), StateError::Length { expected: STATE_BYTES, given: STATE_BYTES - 1 });
    assert_eq!(refused(&[]), StateError::Length { expected: STATE_BYTES, given: 0 });
    assert_eq!(refused(&[&good[..], &[0]].concat()), StateError::Length { expected: 106, given: 107 });

    let changed = |index: usize, byte: u8| {
        let mut state = good;
        state[index] = byte;
        state
    };
    assert_eq!(refused(&changed(0, 2)), StateError::Version { expected: 1, given: 2 });
    assert_eq!(refused(&changed(1, 1)), StateError::Algorithm { expected: 2, given: 1 });
    assert_eq!(refused(&changed(105, 9)), StateError::Buffer { buffered: 3 });
    assert_eq!(
        refused(&changed(34, 0x20)),
        StateError::MessageTooLong { limit: u128::from(MAX_MESSAGE_BYTES), given: (1 << 61) + 3 }
    );
    assert_eq!(Sha224::import_state(&good).map(drop), Err(StateError::Algorithm { expected: 1, given: 2 }));
    assert!(Sha256::deserialize(&changed(0, 2).into()).is_err());
}

#[test]
fn several_messages_have_the_digests_of_each() {
    let lengths = [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 500, 4000];
    let messages: Vec<Vec<u8>> = lengths.map(message).to_vec();
    for count in 0..=messages.len() {
        let messages: Vec<&[u8]> = messages[..count].iter().map(Vec::as_slice).collect();
        let expected: Vec<_> = messages.iter().map(Sha256::digest).collect();
        let mut outputs = vec![Output::<Sha256>::default(); count];
        Sha256::digest_many(&messages, &mut outputs).unwrap();
        assert_eq!(outputs, expected);
        for tier in tiers() {
            let mut outputs = vec![Output::<Sha256>::default(); count];
            Sha256::digest_many_with_tier(tier, &messages, &mut outputs).unwrap();
            assert_eq!(outputs, expected, "{tier}");
        }
    }
}

#[test]
fn unequal_numbers_of_messages_and_outputs_are_refused_and_nothing_is_written() {
    let mut outputs = [Output::<Sha256>::default(); 3];
    let refused = Sha256::digest_many(&[b"a", b"b"], &mut outputs);
    assert_eq!(refused, Err(LaneCountError { messages: 2, outputs: 3 }));
    assert_eq!(outputs, [Output::<Sha256>::default(); 3]);
    assert_eq!(refused.unwrap_err().to_string(), "2 messages need as many outputs, but 3 were given");
    assert_eq!(Sha256::digest_many(&[], &mut []), Ok(()));
}

#[test]
fn a_message_beyond_the_limit_is_refused_and_stays_as_it_was() {
    // An exported state may stand just below the limit.
    let mut state = Sha256::new().export_state();
    state[34..42].copy_from_slice(&(MAX_MESSAGE_BYTES - 63).to_be_bytes());
    let mut hash = Sha256::import_state(&state).unwrap();
    let refused = hash.try_update(&[0; 64]);
    let (limit, given) = (u128::from(MAX_MESSAGE_BYTES), u128::from(MAX_MESSAGE_BYTES) + 1);
    assert_eq!(refused, Err(MessageTooLong { limit, given }));
    assert_eq!(hash.export_state(), state);
    assert_eq!(hash.try_update(&[0; 63]), Ok(()));
    assert_eq!(
        refused.unwrap_err().to_string(),
        "a message of 2305843009213693952 bytes exceeds the limit of 2305843009213693951 bytes"
    );
}

#[test]
fn a_tier_without_a_kernel_is_refused() {
    for tier in Tier::ALL {
        if let Err(error) = Sha224::with_tier(tier) {
            assert_eq!((error.algorithm, error.tier), ("sha224", tier));
            let assembly = cfg!(any(target_arch = "aarch64", target_arch = "arm"));
            assert_eq!(error.reason == TierErrorReason::NoKernel, !assembly, "{error}");
        }
    }
    assert!(Sha256::with_tier(Tier::Generic).is_ok());
}

#[test]
fn hmac_works_over_every_hash() {
    // RFC 4231, test cases 1 and 6 (a key longer than a block).
    let tag = |key: &[u8], data: &[u8]| {
        let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
        Mac::update(&mut mac, data);
        hex::encode(mac.finalize().into_bytes())
    };
    assert_eq!(tag(&[0x0b; 20], b"Hi There"), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    assert_eq!(
        tag(&[0xaa; 131], b"Test Using Larger Than Block-Size Key - Hash Key First"),
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    );
    let mut mac = Hmac::<Sha224>::new_from_slice(&[0x0b; 20]).unwrap();
    Mac::update(&mut mac, b"Hi There");
    assert_eq!(hex::encode(mac.finalize().into_bytes()), "896fb1128abbdf196832107cd49df33f47b4b1169912ba4f53684b22");
}

#[test]
fn object_identifiers_are_those_of_nist() {
    assert_eq!(Sha224::OID, sha2::Sha224::OID);
    assert_eq!(Sha256::OID, sha2::Sha256::OID);
}

#[test]
fn a_debug_representation_reveals_nothing() {
    assert_eq!(format!("{:?}", Sha256::new().chain_update(b"secret")), "Sha256 { .. }");
}
