//! Speck with blocks of 64 bits ("The Simon and Speck Families of Lightweight Block Ciphers", 2013; "Simon and Speck:
//! Implementation Guide", 2018), bare and in XTS mode.
//!
//! Byte order is that of the implementation guide and of Linux 4.17 to 4.19: words are little-endian, a block is y and then
//! x, the first key word is the first round key. XTS is that of IEEE 1619 over GF(2^64) with the polynomial x^64 + x^4 + x^3 + x + 1, as Linux defined it: tweaks have 8 bytes.
//! Data units have 8 bytes to 2^20 blocks; the last block may be short (ciphertext stealing). A key for XTS is the key of the
//! data, then the key of the tweak.
//!
//! ```
//! use vambrace::speck64::Speck64_128Xts;
//!
//! let mut key = [0; 32];
//! key.iter_mut().zip(0..).for_each(|(byte, n)| *byte = n);
//! let xts = Speck64_128Xts::new(&key)?;
//! let mut sector = [0x5a; 512];
//! xts.encrypt_sectors(&mut sector, 512, 7)?;
//! xts.decrypt(&7u64.to_le_bytes(), &mut sector)?;
//! assert_eq!(sector, [0x5a; 512]);
//! # Ok::<(), vambrace::XtsError>(())
//! ```

pub mod kernels;

use core::fmt;

use cipher::common::{Block, ParBlocks};
use cipher::consts::{U8, U12, U16, U32};
use cipher::{
    AlgorithmName, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt, BlockCipherEncBackend,
    BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, InOut, InOutBuf, Key, KeyInit, KeySizeUser,
    ParBlocksSizeUser,
};
use vambrace_contract::Tier;
use vambrace_reference::{speck as specification, xts as mode};
use zeroize::ZeroizeOnDrop;

use crate::dispatch::Dispatch;
use crate::speck::{RoundKeys, speck_block};
use crate::xts::{self, Backend, Direction, Keyed, Xts, xts_types};
use crate::{TierError, XtsError, cpu};

/// The most rounds.
const MAX_ROUNDS: usize = 27;

/// 32-bit words.
pub(crate) struct Words32;

impl xts::Cipher for Words32 {
    type Block = [u8; 8];
    type KeyUnit = u32;
    type Key = RoundKeys<u32, MAX_ROUNDS>;
    type Prepare = ();

    const BLOCK_BYTES: usize = 8;

    fn expand(key: &[u8], _: &'static Backend<Self>) -> Self::Key {
        /// A key of `M` words, for `T` rounds.
        fn expand<const M: usize, const T: usize>(key: &[u8]) -> [u32; T] {
            let (words, _) = key.as_chunks();
            specification::expand_key(&core::array::from_fn::<_, M, _>(|i| u32::from_le_bytes(words[i])))
        }
        match key.len() {
            12 => RoundKeys::new(&mut expand::<3, 26>(key)),
            16 => RoundKeys::new(&mut expand::<4, 27>(key)),
            length => unreachable!("no type has a key of {length} bytes"),
        }
    }

    fn convert(_: &mut Self::Key, _: &'static Backend<Self>) {}

    fn encrypt_key(key: &Self::Key) -> (*const u32, u32) {
        key.pointer()
    }

    fn decrypt_key(key: &Self::Key) -> (*const u32, u32) {
        key.pointer()
    }

    fn next(mut tweak: [u8; 8]) -> [u8; 8] {
        mode::next_tweak(&mut tweak);
        tweak
    }

    fn dispatch() -> &'static Dispatch<Backend<Self>> {
        &kernels::DISPATCH
    }
}

speck_block! {
    /// Speck64/96: blocks of 8 bytes, keys of 12, 26 rounds. The bare block cipher, for modes other than XTS.
    Speck64_96, "speck64": Words32, key U12, block 8 as U8, together U32
}

xts_types! {
    /// Speck64/96 in XTS mode: two keys of 12 bytes.
    Speck64_96Xts, "speck64-xts": Words32, key 24, block 8, token cpu::Sha3, equal halves allowed
}

speck_block! {
    /// Speck64/128: blocks of 8 bytes, keys of 16, 27 rounds. The bare block cipher, for modes other than XTS.
    Speck64_128, "speck64": Words32, key U16, block 8 as U8, together U32
}

xts_types! {
    /// Speck64/128 in XTS mode: two keys of 16 bytes.
    Speck64_128Xts, "speck64-xts": Words32, key 32, block 8, token cpu::Sha3, equal halves allowed
}
