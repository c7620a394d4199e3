//! Implementations that others wrote, to compare with.
//!
//! An oracle shares no code with what it judges. States are exchanged as the words of the standard in order, each
//! most significant byte first, so that no byte order of ours can cancel one of theirs.

use core::fmt;
use std::vec::Vec;

use digest::Digest;
use digest::common::hazmat::SerializableState;

use crate::sha2 as specification;

/// A hash function that answers for whole messages and for the rest of a message from an injected state.
pub trait HashOracle: Sync + fmt::Debug {
    /// The algorithm's name, as `sha256`.
    fn algorithm(&self) -> &'static str;
    /// Where the answers come from, as `crate sha2`.
    fn source(&self) -> &'static str;
    /// Bytes of a block.
    fn block_bytes(&self) -> usize;
    /// Bytes of the digest.
    fn output_bytes(&self) -> usize;
    /// Bytes of the chaining value.
    fn state_bytes(&self) -> usize;
    /// The chaining value of the empty message.
    fn initial_state(&self) -> Vec<u8>;
    /// The digest of a message.
    fn digest(&self, message: &[u8]) -> Vec<u8>;
    /// The digest of a message of which `count` bytes (whole blocks) led to the chaining value `state`, and `rest` follows.
    ///
    /// `None` if the state has another size, or if count is no multiple of the block size or too large for the algorithm.
    fn digest_from(&self, state: &[u8], count: u128, rest: &[u8]) -> Option<Vec<u8>>;
    /// The chaining value after some whole blocks. `None` if sizes are wrong.
    fn compress(&self, state: &[u8], blocks: &[u8]) -> Option<Vec<u8>>;
}

/// SHA-224 by the crate `sha2`.
#[derive(Debug)]
pub struct Sha224;

/// SHA-256 by the crate `sha2`.
#[derive(Debug)]
pub struct Sha256;

/// Big-endian words to the words of SHA-224 and SHA-256.
fn words(state: &[u8]) -> Option<[u32; 8]> {
    let (words, rest) = state.as_chunks();
    let words: [[u8; 4]; 8] = words.try_into().ok()?;
    rest.is_empty().then(|| words.map(u32::from_be_bytes))
}

fn sha2_compress(state: &[u8], blocks: &[u8]) -> Option<Vec<u8>> {
    let mut state = words(state)?;
    let (blocks, rest) = blocks.as_chunks();
    sha2::block_api::compress256(&mut state, blocks);
    rest.is_empty().then(|| state.iter().flat_map(|word| word.to_be_bytes()).collect())
}

/// The words before the first block, from the serialised form of the crate `sha2` (little-endian).
fn sha2_initial_state<D: Digest + SerializableState>() -> Vec<u8> {
    let serialized = D::new().serialize();
    let (words, _) = serialized.as_chunks::<4>();
    words.iter().take(8).flat_map(|word| word.iter().rev().copied()).collect()
}

/// Continues a hash of the crate `sha2` from an injected state, through its own serialised form: the words in
/// little-endian order, the number of blocks, and an empty block buffer.
fn sha2_digest_from<D: Digest + SerializableState>(state: &[u8], count: u128, rest: &[u8]) -> Option<Vec<u8>> {
    let state = words(state)?;
    let count = u64::try_from(count).ok().filter(|count| count % 64 == 0)?;
    if u128::from(count) + rest.len() as u128 >= 1 << 61 {
        return None;
    }
    let mut serialized = D::new().serialize();
    let words = state.iter().flat_map(|word| word.to_le_bytes());
    let blocks = (count / 64).to_le_bytes();
    serialized.iter_mut().zip(words.chain(blocks)).for_each(|(byte, new)| *byte = new);
    let mut running = D::deserialize(&serialized).ok()?;
    running.update(rest);
    Some(running.finalize().to_vec())
}

macro_rules! sha2_oracle {
    ($oracle:ident, $name:literal, $output:literal) => {
        impl HashOracle for $oracle {
            fn algorithm(&self) -> &'static str {
                $name
            }
            fn source(&self) -> &'static str {
                "crate sha2"
            }
            fn block_bytes(&self) -> usize {
                64
            }
            fn output_bytes(&self) -> usize {
                $output
            }
            fn state_bytes(&self) -> usize {
                32
            }
            fn initial_state(&self) -> Vec<u8> {
                sha2_initial_state::<sha2::$oracle>()
            }
            fn digest(&self, message: &[u8]) -> Vec<u8> {
                sha2::$oracle::digest(message).to_vec()
            }
            fn digest_from(&self, state: &[u8], count: u128, rest: &[u8]) -> Option<Vec<u8>> {
                sha2_digest_from::<sha2::$oracle>(state, count, rest)
            }
            fn compress(&self, state: &[u8], blocks: &[u8]) -> Option<Vec<u8>> {
                sha2_compress(state, blocks)
            }
        }
    };
}

sha2_oracle!(Sha224, "sha224", 28);
sha2_oracle!(Sha256, "sha256", 32);

/// Every hash oracle, by algorithm.
pub static HASHES: &[&dyn HashOracle] = &[&Sha224, &Sha256];

/// The oracle of an algorithm.
pub fn hash(algorithm: &str) -> Option<&'static dyn HashOracle> {
    HASHES.iter().copied().find(|oracle| oracle.algorithm() == algorithm)
}

/// A hash function of SHA-2 with 32-bit words by this crate's own [specification](crate::sha2).
///
/// For judging an implementation that *is* one of the crates behind [`HASHES`], or is built on it, and so must not be
/// compared with itself. Never an oracle for the portable tier of `vambrace`, which is the same text.
#[derive(Debug)]
pub struct SpecificationHash {
    algorithm: &'static str,
    initial: &'static [u32; 8],
    output_bytes: usize,
}

impl SpecificationHash {
    /// As many bytes of a final hash value, most significant byte of each word first, as the digest has.
    fn truncate(&self, hash: [u32; 8]) -> Vec<u8> {
        hash.iter().flat_map(|word| word.to_be_bytes()).take(self.output_bytes).collect()
    }
}

impl HashOracle for SpecificationHash {
    fn algorithm(&self) -> &'static str {
        self.algorithm
    }
    fn source(&self) -> &'static str {
        "specification of crate vambrace-reference"
    }
    fn block_bytes(&self) -> usize {
        64
    }
    fn output_bytes(&self) -> usize {
        self.output_bytes
    }
    fn state_bytes(&self) -> usize {
        32
    }
    fn initial_state(&self) -> Vec<u8> {
        self.initial.iter().flat_map(|word| word.to_be_bytes()).collect()
    }
    fn digest(&self, message: &[u8]) -> Vec<u8> {
        self.truncate(specification::digest(self.initial, message))
    }
    fn digest_from(&self, state: &[u8], count: u128, rest: &[u8]) -> Option<Vec<u8>> {
        let state = words(state)?;
        let possible = count.is_multiple_of(64) && count.saturating_add(rest.len() as u128) < 1 << 61;
        possible.then(|| self.truncate(specification::digest_from(&state, count, rest)))
    }
    fn compress(&self, state: &[u8], blocks: &[u8]) -> Option<Vec<u8>> {
        let mut state = words(state)?;
        let mut blocks = blocks.chunks_exact(64);
        for block in &mut blocks {
            specification::compress(&mut state, &specification::MessageWord::parse(block));
        }
        blocks.remainder().is_empty().then(|| state.iter().flat_map(|word| word.to_be_bytes()).collect())
    }
}

/// Every specification of a hash as an oracle, by algorithm.
pub static SPECIFICATIONS: &[&dyn HashOracle] = &[
    &SpecificationHash { algorithm: "sha224", initial: &specification::SHA224_INITIAL, output_bytes: 28 },
    &SpecificationHash { algorithm: "sha256", initial: &specification::SHA256_INITIAL, output_bytes: 32 },
];

/// The specification of an algorithm as an oracle.
pub fn specification(algorithm: &str) -> Option<&'static dyn HashOracle> {
    SPECIFICATIONS.iter().copied().find(|oracle| oracle.algorithm() == algorithm)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_injected_state_continues_the_message() {
        let message: Vec<u8> = (0..=255).collect();
        for oracle in HASHES.iter().chain(SPECIFICATIONS) {
            let state = oracle.compress(&oracle.initial_state(), &message[..128]).unwrap();
            assert_eq!(oracle.digest_from(&state, 128, &message[128..]).unwrap(), oracle.digest(&message));
        }
    }

    #[test]
    fn a_count_that_cannot_be_is_refused() {
        let state = [0; 32];
        for oracle in HASHES.iter().chain(SPECIFICATIONS) {
            assert_eq!(oracle.digest_from(&state, 1, b""), None);
            assert_eq!(oracle.digest_from(&state, 1 << 61, b""), None);
            assert_eq!(oracle.digest_from(&state, u128::MAX - 63, b""), None);
            assert_eq!(oracle.digest_from(&state[1..], 0, b""), None);
            assert!(oracle.digest_from(&state, (1 << 61) - 64, b"").is_some());
        }
    }

    #[test]
    fn specification_and_crate_agree_on_injected_states() {
        let message: Vec<u8> = (0..=255).rev().collect();
        for oracle in HASHES {
            let other = specification(oracle.algorithm()).unwrap();
            assert_eq!(oracle.initial_state(), other.initial_state());
            let state = [0xa5; 32];
            assert_eq!(oracle.compress(&state, &message), other.compress(&state, &message));
            assert_eq!(oracle.compress(&state, &message[1..]), None);
            assert_eq!(other.compress(&state, &message[1..]), None);
            for count in [64, (1 << 29) - 64, 1 << 29, (1 << 32) - 64, (1 << 61) - 64] {
                for rest in [0, 55, 56, 63, 64, 129] {
                    let rest = &message[..rest];
                    let expected = oracle.digest_from(&state, count, rest);
                    assert_eq!(other.digest_from(&state, count, rest), expected, "{count} and {} bytes", rest.len());
                }
            }
        }
    }

    #[test]
    fn specification_agrees_with_the_crate_sha2_at_every_length() {
        let message = std::vec![0x5a; 300];
        for length in 0..message.len() {
            let expected = Sha256.digest(&message[..length]);
            let hash = specification::digest(&specification::SHA256_INITIAL, &message[..length]);
            let got: Vec<u8> = hash.iter().flat_map(|word| word.to_be_bytes()).collect();
            assert_eq!(got, expected, "length {length}");
        }
    }
}
