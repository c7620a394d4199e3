//! AES-128 and AES-256 in XTS mode (FIPS 197; IEEE 1619-2018; NIST SP 800-38E).
//!
//! A key is the key of the data, then the key of the tweak: 32 or 64 bytes together. Data units have 16 bytes to 2^20 blocks of
//! 16; the last block may be short (ciphertext stealing). Tweaks have 16 bytes; a sector's number is little-endian in them.
//! No tier has a table that a secret indexes: without AES instructions the cipher is bit-sliced.
//!
//! ```
//! use vambrace::Aes256Xts;
//!
//! let mut key = [0; 64];
//! key.iter_mut().zip(0..).for_each(|(byte, n)| *byte = n);
//! let xts = Aes256Xts::new(&key)?;
//! let mut sectors = [0x5a; 1024];
//! xts.encrypt_sectors(&mut sectors, 512, 7)?;
//! xts.decrypt(&8u128.to_le_bytes(), &mut sectors[512..])?;
//! assert_eq!(sectors[512..], [0x5a; 512]);
//! # Ok::<(), vambrace::XtsError>(())
//! ```

pub mod kernels;

use core::fmt;

use cipher::InOutBuf;
use ctutils::CtEq;
use vambrace_contract::Tier;
use vambrace_reference::{aes as specification, xts as mode};
use zeroize::{ZeroizeOnDrop, optimization_barrier};

use crate::dispatch::Dispatch;
use crate::xts::{self, Backend, Direction, Xts, xts_types};
use crate::{TierError, XtsError, cpu};

/// Bytes of the round keys of FIPS 197, for 14 rounds.
const SCHEDULE_BYTES: usize = 240;

/// Bytes of the largest layout that a tier makes of them.
const LAYOUT_BYTES: usize = kernels::MAX_LAYOUT_BYTES;

/// Bytes at an address that is a multiple of 16.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub(crate) struct Aligned<const BYTES: usize>([u8; BYTES]);

/// An expanded key.
pub(crate) struct ExpandedKey {
    /// The round keys of FIPS 197, section 5.2.
    schedule: Aligned<SCHEDULE_BYTES>,
    /// What the tier at work makes of them.
    layout: Aligned<LAYOUT_BYTES>,
    rounds: u32,
    /// Whether encryption takes the layout.
    encrypts_by_layout: bool,
    /// Whether decryption takes the layout.
    decrypts_by_layout: bool,
}

impl Clone for ExpandedKey {
    fn clone(&self) -> Self {
        ExpandedKey { ..*self }
    }
}

impl Default for ExpandedKey {
    #[inline]
    fn default() -> Self {
        ExpandedKey {
            schedule: Aligned([0; SCHEDULE_BYTES]),
            layout: Aligned([0; LAYOUT_BYTES]),
            rounds: 0,
            encrypts_by_layout: false,
            decrypts_by_layout: false,
        }
    }
}

impl ExpandedKey {
    /// Makes the layout of a backend, where there was none.
    fn lay_out(&mut self, backend: &'static Backend<Aes>) {
        self.encrypts_by_layout = backend.prepare.encrypts_by_layout;
        self.decrypts_by_layout = backend.prepare.convert.is_some();
        if let Some(convert) = backend.prepare.convert {
            // SAFETY: schedule and layout have the bytes of the most rounds, as the contract `CONVERT_KEY` asks. A backend is
            // handed out only when the CPU has its features.
            unsafe { convert(self.schedule.0.as_ptr(), self.layout.0.as_mut_ptr(), self.rounds) };
        }
    }
}

impl Drop for ExpandedKey {
    fn drop(&mut self) {
        self.schedule = Aligned([0; SCHEDULE_BYTES]);
        self.layout = Aligned([0; LAYOUT_BYTES]);
        optimization_barrier(self);
    }
}

/// The entry point `expand_key`: `key`, `schedule`, `rounds`.
pub(crate) type ExpandKey = unsafe extern "C" fn(*const u8, *mut u8, u32);

/// The entry point `convert_key`: `schedule`, `layout`, `rounds`.
pub(crate) type ConvertKey = unsafe extern "C" fn(*const u8, *mut u8, u32);

/// How a tier prepares keys. Contracts are those of the module `kernels`.
#[derive(Clone, Copy)]
pub(crate) struct Prepare {
    pub(crate) expand: ExpandKey,
    /// What makes the layout, if the tier has one.
    pub(crate) convert: Option<ConvertKey>,
    /// Whether encryption takes the layout rather than the round keys; decryption always does, if there is one.
    pub(crate) encrypts_by_layout: bool,
}

/// AES, with the kernels of its tiers.
pub(crate) struct Aes;

impl xts::Cipher for Aes {
    type Block = [u8; 16];
    type KeyUnit = u8;
    type Key = ExpandedKey;
    type Prepare = Prepare;

    const BLOCK_BYTES: usize = 16;

    fn expand(key: &[u8], backend: &'static Backend<Self>, expanded: &mut ExpandedKey) {
        expanded.rounds = match key.len() {
            16 => 10,
            32 => 14,
            length => unreachable!("no type has a key of {length} bytes"),
        };
        // SAFETY: the key has the bytes that belong to the rounds, and the schedule those of the most rounds, as the contract
        // `EXPAND_KEY` asks. A backend is handed out only when the CPU has its features.
        unsafe { (backend.prepare.expand)(key.as_ptr(), expanded.schedule.0.as_mut_ptr(), expanded.rounds) };
        expanded.lay_out(backend);
    }

    fn convert(key: &mut ExpandedKey, backend: &'static Backend<Self>) {
        key.layout = Aligned([0; LAYOUT_BYTES]);
        key.lay_out(backend);
    }

    fn encrypt_key(key: &ExpandedKey) -> (*const u8, u32) {
        (if key.encrypts_by_layout { key.layout.0.as_ptr() } else { key.schedule.0.as_ptr() }, key.rounds)
    }

    fn decrypt_key(key: &ExpandedKey) -> (*const u8, u32) {
        (if key.decrypts_by_layout { key.layout.0.as_ptr() } else { key.schedule.0.as_ptr() }, key.rounds)
    }

    fn block(bytes: &[u8]) -> Option<&[u8; 16]> {
        bytes.try_into().ok()
    }

    fn next(mut tweak: [u8; 16]) -> [u8; 16] {
        mode::next_tweak(&mut tweak);
        tweak
    }

    fn dispatch() -> &'static Dispatch<Backend<Self>> {
        &kernels::DISPATCH
    }
}

/// The portable tier of key expansion: the specification on integers.
///
/// # Safety
/// As the contract `EXPAND_KEY` says.
pub(crate) unsafe extern "C" fn generic_expand_key(key: *const u8, schedule: *mut u8, rounds: u32) {
    // SAFETY: the contract grants as many bytes of key as belong to the rounds, for reading, and as many round keys for
    // writing, apart from it.
    let (key, schedule) = unsafe {
        let bytes = 16 * (rounds as usize + 1);
        (core::slice::from_raw_parts(key, 4 * (rounds as usize - 6)), core::slice::from_raw_parts_mut(schedule, bytes))
    };
    if let Some(cipher) = specification::Aes::new(key) {
        for (round, bytes) in schedule.chunks_exact_mut(16).enumerate() {
            bytes.copy_from_slice(&cipher.round_key(round).unwrap_or_default());
        }
    }
}

/// The portable tier of a direction: the specification on integers.
///
/// # Safety
/// As the contracts `XTS_ENCRYPT` and `XTS_DECRYPT` say; the keys are round keys.
unsafe extern "C" fn generic<const ENCRYPTS: bool>(
    keys: *const u8,
    tweak: *mut [u8; 16],
    input: *const u8,
    output: *mut u8,
    count: usize,
    rounds: u32,
) {
    let direction = if ENCRYPTS { Direction::Encrypt } else { Direction::Decrypt };
    // SAFETY: the contract grants a round key more than there are rounds.
    let schedule = unsafe { core::slice::from_raw_parts(keys, 16 * (rounds as usize + 1)) };
    let Some(cipher) = specification::Aes::from_schedule(schedule) else { return };
    // SAFETY: the caller keeps the contract.
    unsafe { xts::portable(&cipher, direction, tweak, input, output, count) }
}

xts_types! {
    /// AES-128 in XTS mode: a key of 32 bytes.
    Aes128Xts, "aes-xts": Aes, key 32, block 16, token cpu::Aes, equal halves refused
}

xts_types! {
    /// AES-256 in XTS mode: a key of 64 bytes.
    Aes256Xts, "aes-xts": Aes, key 64, block 16, token cpu::Aes, equal halves refused
}
