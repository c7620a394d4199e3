//! Implementations that others wrote, to compare with.
//!
//! An oracle shares no code with what it judges. States are exchanged as the words of the standard in order, each
//! most significant byte first, so that no byte order of ours can cancel one of theirs.

use core::fmt;
use std::vec::Vec;

use digest::Digest;
use digest::common::hazmat::SerializableState;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sha2 as specification;

    #[test]
    fn an_injected_state_continues_the_message() {
        let message: Vec<u8> = (0..=255).collect();
        for oracle in HASHES {
            let initial = match oracle.algorithm() {
                "sha224" => specification::SHA224_INITIAL,
                _ => specification::SHA256_INITIAL,
            };
            let initial: Vec<u8> = initial.iter().flat_map(|word| word.to_be_bytes()).collect();
            let state = oracle.compress(&initial, &message[..128]).unwrap();
            assert_eq!(oracle.digest_from(&state, 128, &message[128..]).unwrap(), oracle.digest(&message));
        }
    }

    #[test]
    fn a_count_that_cannot_be_is_refused() {
        let state = [0; 32];
        assert_eq!(Sha256.digest_from(&state, 1, b""), None);
        assert_eq!(Sha256.digest_from(&state, 1 << 61, b""), None);
        assert_eq!(Sha256.digest_from(&state[1..], 0, b""), None);
        assert!(Sha256.digest_from(&state, (1 << 61) - 64, b"").is_some());
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
