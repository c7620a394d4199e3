//! Implementations that others wrote, to compare with.
//!
//! An oracle shares no code with what it judges. States are exchanged as the words of the standard in order, each
//! most significant byte first, so that no byte order of ours can cancel one of theirs.

mod blake2;
pub mod ciphers;

use core::fmt;
use std::vec::Vec;

use digest::Digest;
use digest::common::hazmat::SerializableState;

use crate::sha2 as specification;

pub use self::blake2::{Blake2b, Blake2bp, Blake2s, Blake2sp};

/// What a hash function with parameters is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashParameters<'a> {
    /// Bytes of the digest.
    pub output_bytes: usize,
    /// The key; empty for none.
    pub key: &'a [u8],
    /// The salt; empty for zeros.
    pub salt: &'a [u8],
    /// The personalisation; empty for zeros.
    pub personal: &'a [u8],
}

/// Which parameters a hash function takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashLimits {
    /// Bytes of the longest digest.
    pub output_bytes: usize,
    /// Bytes of the longest key.
    pub key_bytes: usize,
    /// Bytes of a salt and of a personalisation; 0 if there are none.
    pub salt_bytes: usize,
}

impl HashLimits {
    /// Whether the parameters are allowed.
    pub fn allow(&self, parameters: &HashParameters<'_>) -> bool {
        let HashParameters { output_bytes, key, salt, personal } = parameters;
        (1..=self.output_bytes).contains(output_bytes)
            && key.len() <= self.key_bytes
            && [salt, personal].iter().all(|bytes| bytes.is_empty() || bytes.len() == self.salt_bytes)
    }
}

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
    /// Bytes of the chaining value; 0 if the function has none that could be injected.
    fn state_bytes(&self) -> usize;
    /// The chaining value of the empty message.
    fn initial_state(&self) -> Vec<u8>;
    /// The digest of a message.
    fn digest(&self, message: &[u8]) -> Vec<u8>;
    /// The digest of a message of which `count` bytes (whole blocks) led to the chaining value `state`, and `rest` follows.
    ///
    /// `None` if the state has another size, or if count is no multiple of the block size or too large for the algorithm.
    fn digest_from(&self, state: &[u8], count: u128, rest: &[u8]) -> Option<Vec<u8>>;
    /// The chaining value after some whole blocks that begin `count` bytes into the message, none of which is its last
    /// where that makes a difference. `None` if sizes are wrong.
    fn compress(&self, state: &[u8], count: u128, blocks: &[u8]) -> Option<Vec<u8>>;

    /// Whether a message's last block is compressed unlike the others, so that it waits for the end of the message.
    fn holds_back_last_block(&self) -> bool {
        false
    }
    /// Which parameters the function takes, if it takes any.
    fn limits(&self) -> Option<HashLimits> {
        None
    }
    /// The digest of a message under these parameters. `None` if they are not allowed.
    fn digest_with(&self, parameters: &HashParameters<'_>, message: &[u8]) -> Option<Vec<u8>> {
        let _ = (parameters, message);
        None
    }
}

/// The words of SHA-2 in the form in which states are exchanged.
pub trait Words: specification::MessageWord {
    /// Messages have fewer than 2^LIMIT_BITS bytes.
    const LIMIT_BITS: u32;
    /// Bytes of a block.
    const BLOCK_BYTES: usize = Self::BITS as usize * 2;

    /// Eight words from big-endian bytes.
    fn read(state: &[u8]) -> Option<[Self; 8]>;
    /// Big-endian bytes of eight words.
    fn write(state: &[Self; 8]) -> Vec<u8>;
    /// The crate `sha2`'s compression function; `blocks` is whole blocks.
    fn compress_by_crate(state: &mut [Self; 8], blocks: &[u8]);

    /// Whether a message may have `count` bytes in whole blocks, and `rest` more.
    fn possible(count: u128, rest: usize) -> bool {
        count.is_multiple_of(Self::BLOCK_BYTES as u128)
            && count.checked_add(rest as u128).is_some_and(|length| length < 1 << Self::LIMIT_BITS)
    }
}

macro_rules! words {
    ($word:ty, $bytes:literal, $limit_bits:literal, $compress:path) => {
        impl Words for $word {
            const LIMIT_BITS: u32 = $limit_bits;

            fn read(state: &[u8]) -> Option<[$word; 8]> {
                let (words, rest) = state.as_chunks();
                let words: [[u8; $bytes]; 8] = words.try_into().ok()?;
                rest.is_empty().then(|| words.map(<$word>::from_be_bytes))
            }
            fn write(state: &[$word; 8]) -> Vec<u8> {
                state.iter().flat_map(|word| word.to_be_bytes()).collect()
            }
            fn compress_by_crate(state: &mut [$word; 8], blocks: &[u8]) {
                $compress(state, blocks.as_chunks().0);
            }
        }
    };
}

words!(u32, 4, 61, sha2::block_api::compress256);
words!(u64, 8, 125, sha2::block_api::compress512);

fn sha2_compress<W: Words>(state: &[u8], blocks: &[u8]) -> Option<Vec<u8>> {
    let mut state = W::read(state)?;
    W::compress_by_crate(&mut state, blocks);
    blocks.len().is_multiple_of(W::BLOCK_BYTES).then(|| W::write(&state))
}

/// The words before the first block, from the serialised form of the crate `sha2` (little-endian).
fn sha2_initial_state<W: Words, D: Digest + SerializableState>() -> Vec<u8> {
    let serialized = D::new().serialize();
    let words = serialized.chunks_exact(W::BITS as usize / 8);
    words.take(8).flat_map(|word| word.iter().rev().copied()).collect()
}

/// Continues a hash of the crate `sha2` from an injected state, through its own serialised form: the words in
/// little-endian order, the number of blocks in two words, and an empty block buffer.
fn sha2_digest_from<W: Words, D: Digest + SerializableState>(
    state: &[u8],
    count: u128,
    rest: &[u8],
) -> Option<Vec<u8>> {
    W::read(state)?;
    if !W::possible(count, rest.len()) {
        return None;
    }
    let mut serialized = D::new().serialize();
    let words = state.chunks_exact(W::BITS as usize / 8).flat_map(|word| word.iter().rev().copied());
    let blocks = (count / W::BLOCK_BYTES as u128).to_le_bytes().into_iter().take(W::BITS as usize / 4);
    serialized.iter_mut().zip(words.chain(blocks)).for_each(|(byte, new)| *byte = new);
    let mut running = D::deserialize(&serialized).ok()?;
    running.update(rest);
    Some(running.finalize().to_vec())
}

macro_rules! sha2_oracle {
    ($(#[$doc:meta])* $oracle:ident, $name:literal, $output:literal, $word:ty) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $oracle;

        impl HashOracle for $oracle {
            fn algorithm(&self) -> &'static str {
                $name
            }
            fn source(&self) -> &'static str {
                "crate sha2"
            }
            fn block_bytes(&self) -> usize {
                <$word as Words>::BLOCK_BYTES
            }
            fn output_bytes(&self) -> usize {
                $output
            }
            fn state_bytes(&self) -> usize {
                size_of::<[$word; 8]>()
            }
            fn initial_state(&self) -> Vec<u8> {
                sha2_initial_state::<$word, sha2::$oracle>()
            }
            fn digest(&self, message: &[u8]) -> Vec<u8> {
                sha2::$oracle::digest(message).to_vec()
            }
            fn digest_from(&self, state: &[u8], count: u128, rest: &[u8]) -> Option<Vec<u8>> {
                sha2_digest_from::<$word, sha2::$oracle>(state, count, rest)
            }
            fn compress(&self, state: &[u8], _: u128, blocks: &[u8]) -> Option<Vec<u8>> {
                sha2_compress::<$word>(state, blocks)
            }
        }
    };
}

sha2_oracle!(
    /// SHA-224 by the crate `sha2`.
    Sha224, "sha224", 28, u32
);
sha2_oracle!(
    /// SHA-256 by the crate `sha2`.
    Sha256, "sha256", 32, u32
);
sha2_oracle!(
    /// SHA-384 by the crate `sha2`.
    Sha384, "sha384", 48, u64
);
sha2_oracle!(
    /// SHA-512 by the crate `sha2`.
    Sha512, "sha512", 64, u64
);
sha2_oracle!(
    /// SHA-512/224 by the crate `sha2`.
    Sha512_224, "sha512-224", 28, u64
);
sha2_oracle!(
    /// SHA-512/256 by the crate `sha2`.
    Sha512_256, "sha512-256", 32, u64
);

/// Every hash oracle, by algorithm.
pub static HASHES: &[&dyn HashOracle] =
    &[&Sha224, &Sha256, &Sha384, &Sha512, &Sha512_224, &Sha512_256, &Blake2b, &Blake2s, &Blake2bp, &Blake2sp];

/// Those of SHA-2.
#[cfg(test)]
static SHA2: &[&dyn HashOracle] = &[&Sha224, &Sha256, &Sha384, &Sha512, &Sha512_224, &Sha512_256];

/// The oracle of an algorithm.
pub fn hash(algorithm: &str) -> Option<&'static dyn HashOracle> {
    HASHES.iter().copied().find(|oracle| oracle.algorithm() == algorithm)
}

/// A hash function of SHA-2 by this crate's own [specification](crate::sha2).
///
/// For judging an implementation that *is* one of the crates behind [`HASHES`], or is built on it, and so must not be
/// compared with itself. Never an oracle for the portable tier of `vambrace`, which is the same text.
#[derive(Debug)]
pub struct SpecificationHash<W: 'static> {
    algorithm: &'static str,
    initial: &'static [W; 8],
    output_bytes: usize,
}

impl<W: Words> SpecificationHash<W> {
    /// As many bytes of a final hash value, most significant byte of each word first, as the digest has.
    fn truncate(&self, hash: [W; 8]) -> Vec<u8> {
        let mut bytes = W::write(&hash);
        bytes.truncate(self.output_bytes);
        bytes
    }
}

impl<W: Words + Sync + fmt::Debug> HashOracle for SpecificationHash<W> {
    fn algorithm(&self) -> &'static str {
        self.algorithm
    }
    fn source(&self) -> &'static str {
        "specification of crate vambrace-reference"
    }
    fn block_bytes(&self) -> usize {
        W::BLOCK_BYTES
    }
    fn output_bytes(&self) -> usize {
        self.output_bytes
    }
    fn state_bytes(&self) -> usize {
        size_of::<[W; 8]>()
    }
    fn initial_state(&self) -> Vec<u8> {
        W::write(self.initial)
    }
    fn digest(&self, message: &[u8]) -> Vec<u8> {
        self.truncate(specification::digest(self.initial, message))
    }
    fn digest_from(&self, state: &[u8], count: u128, rest: &[u8]) -> Option<Vec<u8>> {
        let state = W::read(state)?;
        W::possible(count, rest.len()).then(|| self.truncate(specification::digest_from(&state, count, rest)))
    }
    fn compress(&self, state: &[u8], _: u128, blocks: &[u8]) -> Option<Vec<u8>> {
        let mut state = W::read(state)?;
        let mut blocks = blocks.chunks_exact(W::BLOCK_BYTES);
        for block in &mut blocks {
            specification::compress(&mut state, &W::parse(block));
        }
        blocks.remainder().is_empty().then(|| W::write(&state))
    }
}

/// Every specification of a hash as an oracle, by algorithm.
pub static SPECIFICATIONS: &[&dyn HashOracle] = &[
    &SpecificationHash { algorithm: "sha224", initial: &specification::SHA224_INITIAL, output_bytes: 28 },
    &SpecificationHash { algorithm: "sha256", initial: &specification::SHA256_INITIAL, output_bytes: 32 },
    &SpecificationHash { algorithm: "sha384", initial: &specification::SHA384_INITIAL, output_bytes: 48 },
    &SpecificationHash { algorithm: "sha512", initial: &specification::SHA512_INITIAL, output_bytes: 64 },
    &SpecificationHash { algorithm: "sha512-224", initial: &specification::SHA512_224_INITIAL, output_bytes: 28 },
    &SpecificationHash { algorithm: "sha512-256", initial: &specification::SHA512_256_INITIAL, output_bytes: 32 },
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
        for oracle in SHA2.iter().chain(SPECIFICATIONS) {
            let state = oracle.compress(&oracle.initial_state(), 0, &message[..128]).unwrap();
            assert_eq!(oracle.digest_from(&state, 128, &message[128..]).unwrap(), oracle.digest(&message));
        }
    }

    #[test]
    fn a_count_that_cannot_be_is_refused() {
        for oracle in SHA2.iter().chain(SPECIFICATIONS) {
            let state = oracle.initial_state();
            let limit = if oracle.block_bytes() == 64 { 1 << 61 } else { 1 << 125 };
            let block = oracle.block_bytes() as u128;
            assert_eq!(oracle.digest_from(&state, 1, b""), None);
            assert_eq!(oracle.digest_from(&state, limit, b""), None);
            assert_eq!(oracle.digest_from(&state, u128::MAX - (block - 1), b""), None);
            assert_eq!(oracle.digest_from(&state[1..], 0, b""), None);
            assert!(oracle.digest_from(&state, limit - block, b"").is_some());
        }
    }

    #[test]
    fn specification_and_crate_agree_on_injected_states() {
        let message: Vec<u8> = (0..=255).rev().collect();
        for oracle in SHA2 {
            let other = specification(oracle.algorithm()).unwrap();
            assert_eq!(oracle.initial_state(), other.initial_state());
            let state = std::vec![0xa5; oracle.state_bytes()];
            assert_eq!(oracle.compress(&state, 0, &message), other.compress(&state, 0, &message));
            assert_eq!(oracle.compress(&state, 0, &message[1..]), None);
            assert_eq!(other.compress(&state, 0, &message[1..]), None);
            for carry in [29, 32, 61, 64, 93, 96, 125] {
                for count in [(1 << carry) - 128, 1 << carry] {
                    for rest in [0, 55, 56, 63, 64, 111, 112, 127, 128, 129] {
                        let rest = &message[..rest];
                        let expected = oracle.digest_from(&state, count, rest);
                        let what = oracle.algorithm();
                        assert_eq!(other.digest_from(&state, count, rest), expected, "{what}: {count}, {rest:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn specification_agrees_with_the_crate_sha2_at_every_length() {
        let message = std::vec![0x5a; 300];
        for oracle in SHA2 {
            let other = specification(oracle.algorithm()).unwrap();
            for length in 0..message.len() {
                let message = &message[..length];
                assert_eq!(other.digest(message), oracle.digest(message), "{}: {length}", oracle.algorithm());
            }
        }
    }
}
