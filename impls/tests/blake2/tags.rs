//! Tags are verified.

use digest::{Key, KeyInit, Mac, MacError};
use vambrace_reference::oracles::HashParameters;

use crate::expected::expected;
use crate::function::{Function, bytes, plain, tests};
use crate::support::message;

tests!(
    of all:
    a_mac_accepts_its_tag_alone,
    a_tag_that_is_cut_off_is_accepted_where_that_is_asked_for,
    a_key_of_the_greatest_length_needs_no_slice,
);

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
