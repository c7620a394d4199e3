//! The specifications of this crate, behind the traits of the oracles. For judging an implementation that *is* one of the
//! crates behind the oracles; never for the portable tier of `vambrace`, which is the same text.

use core::fmt;
use std::vec::Vec;

use super::{StreamCipherOracle, XtsOracle, read_state, write_state};
use crate::aes::Aes;
use crate::xts::BlockCipher;
use crate::{salsa20, speck, xts};

const SOURCE: &str = "specification of crate vambrace-reference";

/// A stream cipher by its [specification](crate::salsa20).
#[derive(Debug)]
pub struct SpecificationStream {
    algorithm: &'static str,
    rounds: u32,
    extended: bool,
}

impl StreamCipherOracle for SpecificationStream {
    fn algorithm(&self) -> &'static str {
        self.algorithm
    }
    fn source(&self) -> &'static str {
        SOURCE
    }
    fn key_bytes(&self) -> &'static [usize] {
        if self.extended { &[32] } else { &[16, 32] }
    }
    fn nonce_bytes(&self) -> usize {
        if self.extended { 24 } else { 8 }
    }
    fn rounds(&self) -> u32 {
        self.rounds
    }
    fn state(&self, key: &[u8], nonce: &[u8], block: u64) -> Option<Vec<u8>> {
        let state = match key.len() {
            _ if self.extended => {
                salsa20::initial_extended(key.try_into().ok()?, nonce.try_into().ok()?, block, self.rounds)
            }
            16 => salsa20::initial16(key.try_into().ok()?, nonce.try_into().ok()?, block),
            _ => salsa20::initial32(key.try_into().ok()?, nonce.try_into().ok()?, block),
        };
        Some(write_state(&state))
    }
    fn stream_from(&self, state: &[u8], blocks: usize) -> Option<Vec<u8>> {
        let mut stream = std::vec![0; 64 * blocks];
        salsa20::apply(&mut read_state(state)?, self.rounds, &mut stream);
        Some(stream)
    }
}

/// Every specification of a stream cipher as an oracle, by algorithm.
pub static STREAM_SPECIFICATIONS: &[&dyn StreamCipherOracle] = &[
    &SpecificationStream { algorithm: "salsa20", rounds: 20, extended: false },
    &SpecificationStream { algorithm: "salsa20-12", rounds: 12, extended: false },
    &SpecificationStream { algorithm: "salsa20-8", rounds: 8, extended: false },
    &SpecificationStream { algorithm: "xsalsa20", rounds: 20, extended: true },
    &SpecificationStream { algorithm: "xsalsa20-12", rounds: 12, extended: true },
    &SpecificationStream { algorithm: "xsalsa20-8", rounds: 8, extended: true },
];

/// A block cipher by its [specification](crate::aes), alone and in [XTS](crate::xts).
pub struct SpecificationXts<C, const BYTES: usize> {
    algorithm: &'static str,
    key_bytes: usize,
    rounds: u32,
    cipher: fn(&[u8]) -> Option<C>,
}

impl<C, const BYTES: usize> fmt::Debug for SpecificationXts<C, BYTES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SpecificationXts").field(&self.algorithm).finish()
    }
}

impl<C: BlockCipher<BYTES>, const BYTES: usize> SpecificationXts<C, BYTES> {
    fn cipher(&self, key: &[u8]) -> Option<C> {
        (key.len() == self.key_bytes).then(|| (self.cipher)(key))?
    }
}

impl<C: BlockCipher<BYTES>, const BYTES: usize> XtsOracle for SpecificationXts<C, BYTES> {
    fn algorithm(&self) -> &'static str {
        self.algorithm
    }
    fn source(&self) -> &'static str {
        SOURCE
    }
    fn key_bytes(&self) -> usize {
        self.key_bytes
    }
    fn block_bytes(&self) -> usize {
        BYTES
    }
    fn rounds(&self) -> u32 {
        self.rounds
    }
    fn encrypt_block(&self, key: &[u8], block: &[u8]) -> Option<Vec<u8>> {
        let mut block = block.try_into().ok()?;
        self.cipher(key)?.encrypt_block(&mut block);
        Some(block.to_vec())
    }
    fn decrypt_block(&self, key: &[u8], block: &[u8]) -> Option<Vec<u8>> {
        let mut block = block.try_into().ok()?;
        self.cipher(key)?.decrypt_block(&mut block);
        Some(block.to_vec())
    }
    fn encrypt_from(&self, key1: &[u8], t: &[u8], data: &[u8]) -> Option<Vec<u8>> {
        let mut data = data.to_vec();
        xts::encrypt_from(&self.cipher(key1)?, t.try_into().ok()?, &mut data).ok()?;
        Some(data)
    }
    fn decrypt_from(&self, key1: &[u8], t: &[u8], data: &[u8]) -> Option<Vec<u8>> {
        let mut data = data.to_vec();
        xts::decrypt_from(&self.cipher(key1)?, t.try_into().ok()?, &mut data).ok()?;
        Some(data)
    }
}

const fn aes(algorithm: &'static str, key_bytes: usize, rounds: u32) -> SpecificationXts<Aes, 16> {
    SpecificationXts { algorithm, key_bytes, rounds, cipher: Aes::new }
}

macro_rules! speck {
    ($name:literal, $cipher:ident, $key:literal, $rounds:literal) => {
        SpecificationXts {
            algorithm: $name,
            key_bytes: $key,
            rounds: $rounds,
            cipher: |key| key.try_into().ok().map(speck::$cipher::new),
        }
    };
}

/// Every specification of a block cipher as an oracle, by algorithm.
pub static XTS_SPECIFICATIONS: &[&dyn XtsOracle] = &[
    &aes("aes128-xts", 16, 10),
    &aes("aes192-xts", 24, 12),
    &aes("aes256-xts", 32, 14),
    &speck!("speck128-128-xts", Speck128_128, 16, 32),
    &speck!("speck128-192-xts", Speck128_192, 24, 33),
    &speck!("speck128-256-xts", Speck128_256, 32, 34),
    &speck!("speck64-96-xts", Speck64_96, 12, 26),
    &speck!("speck64-128-xts", Speck64_128, 16, 27),
];
