//! SHA-384, SHA-512, SHA-512/224 and SHA-512/256 as their users call them.

#[macro_use]
mod support;

use vambrace::{Digest, Sha256, Sha384, Sha512, Sha512_224, Sha512_256, StateError};

sha2_tests! {
    sha384: Sha384 of u64, family sha512, name "sha384", code 3,
    initial "cbbb9d5dc1059ed8629a292a367cd5079159015a3070dd17152fecd8f70e5939\
             67332667ffc00b318eb44a8768581511db0c2e0d64f98fa747b5481dbefa4fa4"
}

sha2_tests! {
    sha512: Sha512 of u64, family sha512, name "sha512", code 4,
    initial "6a09e667f3bcc908bb67ae8584caa73b3c6ef372fe94f82ba54ff53a5f1d36f1\
             510e527fade682d19b05688c2b3e6c1f1f83d9abfb41bd6b5be0cd19137e2179"
}

sha2_tests! {
    sha512_224: Sha512_224 of u64, family sha512, name "sha512-224", code 5,
    initial "8c3d37c819544da273e1996689dcd4d61dfab7ae32ff9c82679dd514582f9fcf\
             0f6d2b697bd44da877e36f7304c489423f9d85a86a1d36c81112e6ad91d692a1"
}

sha2_tests! {
    sha512_256: Sha512_256 of u64, family sha512, name "sha512-256", code 6,
    initial "22312194fc2bf72c9f555fa3c84c64c22393b86b6f53b151963877195940eabd\
             96283ee2a88effe3be5e1e25538639922b0199fc2c85b8aa0eb72ddc81c52ca2"
}

/// What the import of a state says, by the code of the type that imports it.
type Import = (u8, fn(&[u8]) -> Result<(), StateError>);

#[test]
fn a_state_of_one_hash_is_refused_by_the_others() {
    let states = [
        Sha384::new().export_state(),
        Sha512::new().export_state(),
        Sha512_224::new().export_state(),
        Sha512_256::new().export_state(),
    ];
    let imports: [Import; 4] = [
        (3, |state| Sha384::import_state(state).map(drop)),
        (4, |state| Sha512::import_state(state).map(drop)),
        (5, |state| Sha512_224::import_state(state).map(drop)),
        (6, |state| Sha512_256::import_state(state).map(drop)),
    ];
    for (code, import) in imports {
        for (given, state) in (3..).zip(&states) {
            let expected = StateError::Algorithm { expected: code, given };
            assert_eq!(import(state), if given == code { Ok(()) } else { Err(expected) });
        }
        let refused = import(&Sha256::new().export_state());
        assert_eq!(refused, Err(StateError::Length { expected: 210, given: 106 }));
    }
}

#[test]
fn the_limit_is_that_of_the_standard() {
    // FIPS 180-4, figure 1: fewer than 2^128 bits.
    assert_eq!(vambrace::sha512::MAX_MESSAGE_BYTES, u128::MAX / 8);
}

/// FIPS 180-4, section 5.3.6: the initial hash value of SHA-512/t is the digest of its name under SHA-512 whose own initial
/// value is changed by a5…a5.
#[cfg(feature = "verify")]
#[test]
fn truncated_hashes_begin_where_the_standard_says() {
    let (initial, _) = Sha512::new().chaining_value();
    let changed = initial.map(|word| word ^ 0xa5a5_a5a5_a5a5_a5a5);
    for (name, (begins, _)) in
        [("SHA-512/224", Sha512_224::new().chaining_value()), ("SHA-512/256", Sha512_256::new().chaining_value())]
    {
        let digest = Sha512::from_chaining_value(&changed, 0).unwrap().chain_update(name).finalize();
        assert_eq!(digest[..], begins.map(u64::to_be_bytes).concat(), "{name}");
    }
}
