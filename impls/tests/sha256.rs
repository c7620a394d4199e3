//! SHA-224 and SHA-256 as their users call them.

#[macro_use]
mod support;

use vambrace::{Digest, Sha224, Sha256, StateError};

sha2_tests! {
    sha224: Sha224 of u32, family sha256, name "sha224", code 1,
    initial "c1059ed8367cd5073070dd17f70e5939ffc00b316858151164f98fa7befa4fa4"
}

sha2_tests! {
    sha256: Sha256 of u32, family sha256, name "sha256", code 2,
    initial "6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19"
}

#[test]
fn a_state_of_one_hash_is_refused_by_the_other() {
    let refused = Sha224::import_state(&Sha256::new().export_state()).map(drop);
    assert_eq!(refused, Err(StateError::Algorithm { expected: 1, given: 2 }));
    let refused = Sha256::import_state(&Sha224::new().export_state()).map(drop);
    assert_eq!(refused, Err(StateError::Algorithm { expected: 2, given: 1 }));
}

#[test]
fn the_limit_is_that_of_the_standard() {
    // FIPS 180-4, figure 1: fewer than 2^64 bits.
    assert_eq!(vambrace::sha256::MAX_MESSAGE_BYTES, u64::MAX / 8);
    assert_eq!(vambrace::sha256::STATE_BYTES, 106);
}
