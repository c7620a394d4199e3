//! Speck with blocks of 128 bits ("The Simon and Speck Families of Lightweight Block Ciphers", 2013; "Simon and Speck:
//! Implementation Guide", 2018), bare and in XTS mode.
//!
//! Byte order is that of the implementation guide and of Linux 4.17 to 4.19: words are little-endian, a block is y and then
//! x, the first key word is the first round key. XTS is that of IEEE 1619, over GF(2^128).
//! Data units have 16 bytes to 2^20 blocks; the last block may be short (ciphertext stealing). A key for XTS is the key of the
//! data, then the key of the tweak.
//!
//! ```
//! use vambrace::speck128::Speck128_256Xts;
//!
//! let mut key = [0; 64];
//! key.iter_mut().zip(0..).for_each(|(byte, n)| *byte = n);
//! let xts = Speck128_256Xts::new(&key)?;
//! let mut sector = [0x5a; 512];
//! xts.encrypt_sectors(&mut sector, 512, 7)?;
//! xts.decrypt(&7u128.to_le_bytes(), &mut sector)?;
//! assert_eq!(sector, [0x5a; 512]);
//! # Ok::<(), vambrace::XtsError>(())
//! ```

pub mod kernels;

use core::fmt;

use cipher::common::{Block, ParBlocks};
use cipher::consts::{U16, U24, U32};
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
    /// 64-bit words.
    Words64: u64, block 16, MAX_ROUNDS is 34, keys [16: 2 for 32, 24: 3 for 33, 32: 4 for 34]
}

speck_block! {
    /// Speck128/128: blocks of 16 bytes, keys of 16, 32 rounds. The bare block cipher, for modes other than XTS.
    Speck128_128, "speck128": Words64, key U16, block 16 as U16, together U16
}

xts_types! {
    /// Speck128/128 in XTS mode: two keys of 16 bytes.
    Speck128_128Xts, "speck128-xts": Words64, key 32, block 16, token cpu::Sha3, equal halves allowed
}

speck_block! {
    /// Speck128/192: blocks of 16 bytes, keys of 24, 33 rounds. The bare block cipher, for modes other than XTS.
    Speck128_192, "speck128": Words64, key U24, block 16 as U16, together U16
}

xts_types! {
    /// Speck128/192 in XTS mode: two keys of 24 bytes.
    Speck128_192Xts, "speck128-xts": Words64, key 48, block 16, token cpu::Sha3, equal halves allowed
}

speck_block! {
    /// Speck128/256: blocks of 16 bytes, keys of 32, 34 rounds. The bare block cipher, for modes other than XTS.
    Speck128_256, "speck128": Words64, key U32, block 16 as U16, together U16
}

xts_types! {
    /// Speck128/256 in XTS mode: two keys of 32 bytes.
    Speck128_256Xts, "speck128-xts": Words64, key 64, block 16, token cpu::Sha3, equal halves allowed
}
