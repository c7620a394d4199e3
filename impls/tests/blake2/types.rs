//! Types with digests of other lengths than the longest.

use digest::block_api::AlgorithmName;
use digest::consts::{U1, U16, U20, U28, U31, U32, U33, U48, U63};
use digest::{Digest, KeyInit, Mac, Update};
use vambrace::{MessageTooLong, Tier, TierError};
use vambrace::{blake2b, blake2s};
use vambrace_reference::oracles::HashParameters;

use crate::function::{Tiered, tiered};
use crate::support::message;

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
