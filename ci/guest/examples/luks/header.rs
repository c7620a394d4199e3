//! The header of a LUKS1 volume: "LUKS1 On-Disk Format Specification" 1.2.3, section 2. All numbers are big-endian.

use std::ops::Range;

use zerocopy::FromBytes;
use zerocopy::byteorder::{BE, U16, U32};
use zerocopy_derive::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::error::LuksError;

/// More iterations of PBKDF2 than any volume asks for that is opened in seconds.
const MAX_ITERATIONS: u32 = 100_000_000;

/// How a volume begins.
pub const MAGIC: [u8; 6] = *b"LUKS\xba\xbe";

/// Bytes of a sector, also of what the cipher takes as a data unit.
pub const SECTOR: usize = 512;

const IN_USE: u32 = 0x00ac_71f3;
const FREE: u32 = 0x0000_dead;

/// The header as it stands on the disk: `phdr`.
#[derive(Clone, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct OnDisk {
    pub magic: [u8; 6],
    pub version: U16<BE>,
    pub cipher_name: [u8; 32],
    pub cipher_mode: [u8; 32],
    pub hash_spec: [u8; 32],
    pub payload_offset: U32<BE>,
    pub key_bytes: U32<BE>,
    pub mk_digest: [u8; 20],
    pub mk_digest_salt: [u8; 32],
    pub mk_digest_iterations: U32<BE>,
    pub uuid: [u8; 40],
    pub slots: [SlotOnDisk; 8],
}

/// A key slot as it stands on the disk.
#[derive(Clone, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct SlotOnDisk {
    pub active: U32<BE>,
    pub iterations: U32<BE>,
    pub salt: [u8; 32],
    pub key_material_offset: U32<BE>,
    pub stripes: U32<BE>,
}

/// A header that this program can go by.
#[derive(Debug)]
pub struct Header {
    /// Bytes of the volume's key: of both keys of XTS.
    pub key_bytes: usize,
    /// By which the volume's key is recognised.
    pub digest: [u8; 20],
    /// What the digest was made with.
    pub digest_salt: [u8; 32],
    /// What the digest was made with.
    pub digest_iterations: u32,
    /// The key slots in use.
    pub slots: Vec<Slot>,
    /// The bytes of the image that are the payload.
    pub payload: Range<usize>,
}

/// A key slot in use.
#[derive(Debug)]
pub struct Slot {
    /// Its number, from 0.
    pub number: usize,
    /// What the passphrase is stretched with.
    pub salt: [u8; 32],
    /// What the passphrase is stretched with.
    pub iterations: u32,
    /// Into how many parts of the key's length the key is split.
    pub stripes: usize,
    /// The bytes of the image that hold them, encrypted: whole sectors.
    pub material: Range<usize>,
}

impl Header {
    /// Reads the header of an image, and sees that everything it speaks of is there.
    pub fn read(image: &[u8]) -> Result<Header, LuksError> {
        let begin = &image[..image.len().min(MAGIC.len())];
        if !MAGIC.starts_with(begin) {
            return Err(LuksError::Magic { given: begin.to_vec() });
        }
        let Ok((raw, _)) = OnDisk::ref_from_prefix(image) else {
            return Err(truncated(image, "the header", size_of::<OnDisk>() as u64));
        };
        if raw.version.get() != 1 {
            return Err(LuksError::Version { given: raw.version.get() });
        }
        let name = text("cipher-name", &raw.cipher_name)?;
        let mode = text("cipher-mode", &raw.cipher_mode)?;
        let key_bytes = raw.key_bytes.get();
        if (name, mode) != ("aes", "xts-plain64") || ![32, 64].contains(&key_bytes) {
            return Err(LuksError::Cipher { name: name.to_owned(), mode: mode.to_owned(), key_bytes });
        }
        let hash = text("hash-spec", &raw.hash_spec)?;
        if hash != "sha256" {
            return Err(LuksError::Hash { name: hash.to_owned() });
        }
        let payload = payload(raw, image)?;
        let slots = raw.slots.iter().enumerate();
        let slots = slots.filter_map(|(number, slot)| read_slot(number, slot, key_bytes, payload.start).transpose());
        let slots: Vec<Slot> = slots.collect::<Result<_, _>>()?;
        if slots.is_empty() {
            return Err(LuksError::NoSlot { slots: raw.slots.len() });
        }
        check_iterations(raw.mk_digest_iterations.get())?;
        Ok(Header {
            key_bytes: key_bytes as usize,
            digest: raw.mk_digest,
            digest_salt: raw.mk_digest_salt,
            digest_iterations: raw.mk_digest_iterations.get(),
            slots,
            payload,
        })
    }
}

/// A damaged count would keep the program busy for hours.
fn check_iterations(given: u32) -> Result<(), LuksError> {
    if given > MAX_ITERATIONS { Err(LuksError::Iterations { limit: MAX_ITERATIONS, given }) } else { Ok(()) }
}

fn truncated(image: &[u8], part: &str, needed: u64) -> LuksError {
    LuksError::Truncated { part: part.to_owned(), needed, given: image.len() as u64 }
}

/// What stands before the first zero of a field.
fn text<'a>(field: &'static str, bytes: &'a [u8]) -> Result<&'a str, LuksError> {
    let end = bytes.iter().position(|byte| *byte == 0);
    end.and_then(|end| str::from_utf8(&bytes[..end]).ok())
        .ok_or_else(|| LuksError::NoText { field, given: bytes.to_vec() })
}

fn payload(raw: &OnDisk, image: &[u8]) -> Result<Range<usize>, LuksError> {
    let (begin, header) = (u64::from(raw.payload_offset.get()) * SECTOR as u64, size_of::<OnDisk>() as u64);
    if begin < header {
        return Err(LuksError::PayloadInHeader { payload: begin, header });
    }
    let given = image.len() as u64;
    if begin > given {
        return Err(truncated(image, "what stands before the payload", begin));
    }
    if !(given - begin).is_multiple_of(SECTOR as u64) {
        return Err(LuksError::PartialSector { given: given - begin });
    }
    // It lies in the image, so it can be counted.
    Ok(begin as usize..image.len())
}

/// A slot, if it is in use; its material must lie before the payload, which is inside the image.
fn read_slot(number: usize, raw: &SlotOnDisk, key_bytes: u32, payload: usize) -> Result<Option<Slot>, LuksError> {
    match raw.active.get() {
        IN_USE => {}
        FREE => return Ok(None),
        given => return Err(LuksError::SlotMark { slot: number, given }),
    }
    let (iterations, stripes) = (raw.iterations.get(), raw.stripes.get());
    for (what, given) in [("iterations", iterations), ("stripes", stripes)] {
        if given == 0 {
            return Err(LuksError::SlotEmpty { slot: number, what, given });
        }
    }
    check_iterations(iterations)?;
    let begin = u64::from(raw.key_material_offset.get()) * SECTOR as u64;
    let end = begin + (u64::from(stripes) * u64::from(key_bytes)).next_multiple_of(SECTOR as u64);
    let (header, payload) = (size_of::<OnDisk>() as u64, payload as u64);
    if begin < header || end > payload {
        return Err(LuksError::SlotOutside { slot: number, begin, end, header, payload });
    }
    let material = begin as usize..end as usize;
    Ok(Some(Slot { number, salt: raw.salt, iterations, stripes: stripes as usize, material }))
}
