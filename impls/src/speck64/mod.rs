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
use crate::speck::{RoundKeys, speck_block, speck_words};
use crate::xts::{self, Backend, Direction, Keyed, Xts, xts_types};
use crate::{TierError, XtsError, cpu};

speck_words! {
    /// 32-bit words.
    Words32: u32, block 8, MAX_ROUNDS is 27, keys [12: 3 for 26, 16: 4 for 27]
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
