//! Digests agree with those of other implementations.

use digest::{Digest, FixedOutput, KeyInit, Mac, Output, TryCustomizedInit};
use vambrace::Tier;
use vambrace_reference::oracles::HashParameters;

use crate::expected::{composed, expected, of_mac, of_var};
use crate::function::{Function, Tiered, bytes, lengths, plain, tests, tiers};
use crate::support::message;

tests!(
    of all:
    every_tier_agrees_at_every_length_in_every_part,
    a_message_in_one_piece_has_the_digest_that_the_trait_gives,
    every_output_length_agrees,
    every_key_length_agrees,
    salt_and_personalisation_agree,
    a_customization_is_the_personalisation,
    several_messages_have_the_digests_of_each,
);

tests!(of trees: a_tree_is_composed_of_its_leaves);

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
