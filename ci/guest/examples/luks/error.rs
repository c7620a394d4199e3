//! Why a volume cannot be opened: each error names what was found and what can be read.

use thiserror::Error;
use vambrace::{TierError, XtsError};

/// A volume cannot be opened.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum LuksError {
    /// The file ends before a part that the format has, or that its header promises.
    #[error("the image has {given} bytes, but {part} ends after {needed}")]
    Truncated {
        /// What should be there.
        part: String,
        /// The bytes that the file should have.
        needed: u64,
        /// The bytes that it has.
        given: u64,
    },
    /// The file does not begin as LUKS does.
    #[error("the image begins with {}, not with {} (\"LUKS\", ba, be): it is no LUKS volume", hex::encode(.given), hex::encode(crate::header::MAGIC))]
    Magic {
        /// How it begins.
        given: Vec<u8>,
    },
    /// A later version of the format.
    #[error("the volume is of LUKS version {given}; this program reads version 1")]
    Version {
        /// The version found.
        given: u16,
    },
    /// A field for text is none.
    #[error("the field {field} of the header is no text that ends with a zero: {}", hex::encode(.given))]
    NoText {
        /// Its name in the specification.
        field: &'static str,
        /// What it holds.
        given: Vec<u8>,
    },
    /// Another cipher, mode or key length.
    #[error(
        "the volume is encrypted by {name}-{mode} with keys of {key_bytes} bytes; this program reads aes-xts-plain64 with keys of 32 or 64"
    )]
    Cipher {
        /// The cipher's name.
        name: String,
        /// Its mode.
        mode: String,
        /// Bytes of the volume's key.
        key_bytes: u32,
    },
    /// Another hash function.
    #[error("the volume's keys are derived by {name:?}; this program knows sha256")]
    Hash {
        /// The name found.
        name: String,
    },
    /// The payload begins inside the header.
    #[error("the payload begins at byte {payload}, but the header ends after {header}")]
    PayloadInHeader {
        /// Where the payload begins.
        payload: u64,
        /// Where the header ends.
        header: u64,
    },
    /// The payload is no whole number of sectors.
    #[error("the payload has {given} bytes, no whole number of sectors of 512")]
    PartialSector {
        /// Bytes of the payload.
        given: u64,
    },
    /// A key slot is neither in use nor free.
    #[error("key slot {slot} is marked {given:#010x}, which is neither in use (0x00ac71f3) nor free (0x0000dead)")]
    SlotMark {
        /// The slot, from 0.
        slot: usize,
        /// The mark found.
        given: u32,
    },
    /// A key slot in use says something that cannot be.
    #[error("key slot {slot} has {given} {what}; at least one is needed")]
    SlotEmpty {
        /// The slot, from 0.
        slot: usize,
        /// What there is too little of.
        what: &'static str,
        /// How much there is.
        given: u32,
    },
    /// A key is derived by more iterations than this program makes.
    #[error("a key is derived by {given} iterations; this program makes at most {limit}")]
    Iterations {
        /// The most that are made.
        limit: u32,
        /// What the header asks for.
        given: u32,
    },
    /// A key slot's key material lies in the header or in the payload.
    #[error(
        "key slot {slot} has its key material in bytes {begin} to {end}; it must lie between {header} and {payload}"
    )]
    SlotOutside {
        /// The slot, from 0.
        slot: usize,
        /// Where the material begins.
        begin: u64,
        /// Where it ends.
        end: u64,
        /// Where the header ends.
        header: u64,
        /// Where the payload begins.
        payload: u64,
    },
    /// No key slot is in use.
    #[error("none of the {slots} key slots is in use, so no passphrase opens the volume")]
    NoSlot {
        /// How many there are.
        slots: usize,
    },
    /// No key slot gives the volume's key.
    #[error("the passphrase is wrong: it opens none of the {tried} key slots in use")]
    Passphrase {
        /// How many were tried.
        tried: usize,
    },
    /// The CPU lacks what a tier needs.
    #[error(transparent)]
    Tier(#[from] TierError),
    /// The cipher refuses its input.
    #[error(transparent)]
    Xts(#[from] XtsError),
}
