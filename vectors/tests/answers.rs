//! The vectors agree with an implementation that others wrote.

use sha2::{Digest, Sha224, Sha256};
use vambrace_vectors::{HashVectors, MonteCarlo, VectorError, hash};

fn check<D: Digest>(vectors: &HashVectors) {
    for vector in &vectors.messages {
        assert_eq!(D::digest(&vector.message).to_vec(), vector.digest, "{}", vector.source);
    }
    for chain in &vectors.monte_carlo {
        let mut seed = chain.seed.clone();
        for (number, checkpoint) in chain.checkpoints.iter().enumerate() {
            let mut last = [seed.clone(), seed.clone(), seed];
            for _ in 0..MonteCarlo::STEPS {
                let next = D::digest(last.concat()).to_vec();
                last.rotate_left(1);
                last[2] = next;
            }
            [_, _, seed] = last;
            assert_eq!(&seed, checkpoint, "{}, COUNT = {number}", chain.source);
        }
    }
}

#[test]
fn sha224_vectors_agree_with_the_crate_sha2() {
    let vectors = hash("sha224").unwrap();
    assert_eq!((vectors.messages.len(), vectors.monte_carlo.len()), (129, 1));
    check::<Sha224>(vectors);
}

#[test]
fn sha256_vectors_agree_with_the_crate_sha2() {
    let vectors = hash("sha256").unwrap();
    assert_eq!((vectors.messages.len(), vectors.monte_carlo.len()), (129, 1));
    check::<Sha256>(vectors);
}

#[test]
fn the_empty_message_is_empty() {
    let vectors = hash("sha256").unwrap();
    assert_eq!(vectors.messages.iter().filter(|vector| vector.message.is_empty()).count(), 1);
    assert!(vectors.messages[0].message.is_empty());
    assert_eq!(vectors.messages[1].message, [0xd3]);
}

#[test]
fn a_vector_knows_its_line() {
    let vectors = hash("sha224").unwrap();
    assert_eq!(vectors.messages[1].source, "vectors/data/cavp/sha2/SHA224ShortMsg.rsp:12");
    assert_eq!(vectors.monte_carlo[0].source, "vectors/data/cavp/sha2/SHA224Monte.rsp:8");
}

#[test]
fn an_unknown_algorithm_is_an_error_and_not_an_empty_set() {
    let error = hash("sha3").unwrap_err();
    assert_eq!(error, VectorError::UnknownAlgorithm { name: "sha3".into() });
    assert_eq!(error.to_string(), "no vectors for algorithm \"sha3\"");
    assert!(hash("SHA256").is_err());
    assert!(hash("").is_err());
}

#[test]
fn blake2_has_known_answers_with_and_without_a_key() {
    for (algorithm, bytes) in [("blake2b", 64), ("blake2s", 32), ("blake2bp", 64), ("blake2sp", 32)] {
        let vectors = hash(algorithm).unwrap();
        assert_eq!(vectors.messages.len(), 512, "{algorithm}");
        assert!(vectors.messages.iter().all(|vector| vector.digest.len() == bytes));
        assert_eq!(vectors.messages.iter().filter(|vector| vector.key.len() == bytes).count(), 256);
        assert_eq!(vectors.messages[255].message.len(), 255);
        assert_eq!(vectors.messages[256].key, vectors.messages[511].key);
    }
    let first = &hash("blake2s").unwrap().messages[0];
    assert_eq!(first.digest[..4], [0x69, 0x21, 0x7a, 0x30]);
    assert_eq!(first.source, "vectors/data/blake2/blake2-kat.h:26");
}

#[test]
fn blake2_is_continued_from_states_near_carries() {
    let continued = &hash("blake2b").unwrap().continued;
    assert!(continued.iter().any(|vector| vector.count > u128::MAX - 256 && vector.message.len() > 64));
    assert!(continued.iter().any(|vector| vector.count < 1 << 64 && vector.count + 385 >= 1 << 64));
    let continued = &hash("blake2s").unwrap().continued;
    assert!(continued.iter().any(|vector| vector.count < 1 << 32 && vector.count + 193 >= 1 << 32));
}
