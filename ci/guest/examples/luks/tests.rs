//! Volumes made here open, and damaged ones say what is wrong. That volumes made by others open is seen by `ci/verify --full`.

use pbkdf2::pbkdf2_hmac;
use sha2::Sha256;
use vambrace::{Aes128Xts, Aes256Xts, Tier};
use zerocopy::byteorder::{U16, U32};
use zerocopy::{FromZeros, IntoBytes};

use crate::error::LuksError;
use crate::header::{Header, MAGIC, OnDisk, SECTOR};
use crate::split;
use crate::volume::{Tiers, Volume};

const PASSPHRASE: &[u8] = b"open sesame";
const STRIPES: usize = 5;
/// The slot in use, and the sector where its key material begins.
const SLOT: usize = 2;
const MATERIAL: usize = 3;
const PAYLOAD: usize = 6;

fn bytes(length: usize, seed: u8) -> Vec<u8> {
    (0..length).map(|i| (i as u8).wrapping_mul(37).wrapping_add((i >> 8) as u8 ^ seed)).collect()
}

fn field(text: &str) -> [u8; 32] {
    let mut field = [0; 32];
    field[..text.len()].copy_from_slice(text.as_bytes());
    field
}

fn encrypt(key: &[u8], sectors: &mut [u8]) {
    match key.len() {
        32 => Aes128Xts::new(key).unwrap().encrypt_sectors(sectors, SECTOR, 0).unwrap(),
        _ => Aes256Xts::new(key).unwrap().encrypt_sectors(sectors, SECTOR, 0).unwrap(),
    }
}

/// The parts of a key: all but the last are anything.
fn split(key: &[u8]) -> Vec<u8> {
    let mut parts = bytes((STRIPES - 1) * key.len(), 9);
    let mut last = split::merge(&parts, key.len());
    split::diffuse(&mut last);
    last.iter_mut().zip(key).for_each(|(byte, key)| *byte ^= key);
    parts.extend(last);
    parts
}

/// A volume of a few sectors, and its payload.
fn volume(key_bytes: usize) -> (Vec<u8>, Vec<u8>) {
    let (key, payload) = (bytes(key_bytes, 1), bytes(4 * SECTOR, 2));
    let mut header = OnDisk::new_zeroed();
    header.magic = MAGIC;
    header.version = U16::new(1);
    (header.cipher_name, header.cipher_mode, header.hash_spec) = (field("aes"), field("xts-plain64"), field("sha256"));
    header.payload_offset = U32::new(PAYLOAD as u32);
    header.key_bytes = U32::new(key_bytes as u32);
    header.mk_digest_salt = field("digest");
    header.mk_digest_iterations = U32::new(3);
    pbkdf2_hmac::<Sha256>(&key, &header.mk_digest_salt, 3, &mut header.mk_digest);
    for slot in &mut header.slots {
        slot.active = U32::new(0xdead);
    }
    let slot = &mut header.slots[SLOT];
    (slot.active, slot.iterations) = (U32::new(0x00ac_71f3), U32::new(7));
    slot.salt = field("slot");
    (slot.key_material_offset, slot.stripes) = (U32::new(MATERIAL as u32), U32::new(STRIPES as u32));
    let mut slot_key = vec![0; key_bytes];
    pbkdf2_hmac::<Sha256>(PASSPHRASE, &slot.salt, 7, &mut slot_key);

    let mut image = header.as_bytes().to_vec();
    image.resize(MATERIAL * SECTOR, 0);
    let mut parts = split(&key);
    parts.resize(parts.len().next_multiple_of(SECTOR), 0);
    encrypt(&slot_key, &mut parts);
    image.extend(parts);
    image.resize(PAYLOAD * SECTOR, 0);
    let mut encrypted = payload.clone();
    encrypt(&key, &mut encrypted);
    image.extend(encrypted);
    (image, payload)
}

fn open(image: &[u8], passphrase: &[u8], tiers: Tiers) -> Result<(Volume, Vec<u8>), LuksError> {
    let header = Header::read(image)?;
    let volume = Volume::open(image, &header, passphrase, tiers)?;
    Ok((volume, image[header.payload].to_vec()))
}

/// What opening a damaged image says, in words too.
#[track_caller]
fn fails(image: &[u8], expected: LuksError, words: &str) {
    let error = open(image, PASSPHRASE, Tiers::default()).map(drop).unwrap_err();
    assert!(error.to_string().contains(words), "{error}");
    assert_eq!(error, expected);
}

/// The image with other bytes at a place.
fn with(at: usize, bytes: &[u8]) -> Vec<u8> {
    let (mut image, _) = volume(64);
    image[at..at + bytes.len()].copy_from_slice(bytes);
    image
}

/// Where a field of the slot stands.
const fn of_slot(field: usize) -> usize {
    208 + 48 * SLOT + field
}

#[test]
fn the_header_has_the_size_of_the_specification() {
    assert_eq!(size_of::<OnDisk>(), 592);
    assert_eq!(std::mem::offset_of!(OnDisk, slots), 208);
}

#[test]
fn a_volume_opens_by_every_tier_and_is_written_as_it_was() {
    for key_bytes in [32, 64] {
        let (image, payload) = volume(key_bytes);
        let mut tiers = 0;
        for tier in Tier::ALL {
            let (volume, mut data) = match open(&image, PASSPHRASE, Tiers { encrypt: Some(tier), decrypt: Some(tier) })
            {
                Err(LuksError::Tier(_)) => continue,
                opened => opened.unwrap(),
            };
            assert_eq!((volume.slot, volume.key_bytes, volume.tiers()), (SLOT, key_bytes, (tier, tier)));
            volume.decrypt(&mut data).unwrap();
            assert!(data == payload, "{tier}");
            volume.encrypt(&mut data).unwrap();
            assert!(data == image[PAYLOAD * SECTOR..], "{tier}");
            tiers += 1;
        }
        assert!(tiers > 0);
    }
}

#[test]
fn a_key_is_merged_from_its_parts_alone() {
    let key = bytes(64, 5);
    let mut parts = split(&key);
    assert_eq!(split::merge(&parts, 64), key);
    assert_eq!(split::merge(&parts[..64], 64), parts[..64]);
    parts[70] ^= 1;
    assert_ne!(split::merge(&parts, 64), key);
}

#[test]
fn a_wrong_passphrase_is_refused() {
    let (image, _) = volume(64);
    for passphrase in [&b""[..], b"open sesam", b"open sesame\n"] {
        let error = open(&image, passphrase, Tiers::default()).map(drop).unwrap_err();
        assert_eq!(error, LuksError::Passphrase { tried: 1 });
        assert_eq!(error.to_string(), "the passphrase is wrong: it opens none of the 1 key slots in use");
    }
}

#[test]
fn damaged_key_material_opens_for_no_passphrase() {
    fails(&with(MATERIAL * SECTOR + 100, &[0; 16]), LuksError::Passphrase { tried: 1 }, "passphrase");
    fails(&with(112, &[0; 20]), LuksError::Passphrase { tried: 1 }, "passphrase");
}

#[test]
fn a_wrong_magic_is_shown() {
    fails(&with(0, b"QFI\xfb"), LuksError::Magic { given: b"QFI\xfb\xba\xbe".to_vec() }, "begins with 514649fbbabe");
    fails(b"no", LuksError::Magic { given: b"no".to_vec() }, "it is no LUKS volume");
}

#[test]
fn version_2_is_refused_by_name() {
    fails(&with(6, &[0, 2]), LuksError::Version { given: 2 }, "LUKS version 2; this program reads version 1");
}

#[test]
fn a_truncated_image_is_told_with_what_is_missing() {
    let (image, _) = volume(64);
    for given in [0, 6, 208, 591] {
        let error = LuksError::Truncated { part: "the header".into(), needed: 592, given: given as u64 };
        fails(&image[..given], error, "but the header ends after 592");
    }
    for given in [592, MATERIAL * SECTOR, PAYLOAD * SECTOR - 1] {
        let part = "what stands before the payload".into();
        fails(&image[..given], LuksError::Truncated { part, needed: 3072, given: given as u64 }, "ends after 3072");
    }
    fails(&image[..image.len() - 1], LuksError::PartialSector { given: 2047 }, "no whole number of sectors of 512");
}

#[test]
fn an_unknown_cipher_is_named() {
    let cipher =
        |name: &str, mode: &str, key_bytes| LuksError::Cipher { name: name.into(), mode: mode.into(), key_bytes };
    fails(&with(8, &field("serpent")), cipher("serpent", "xts-plain64", 64), "by serpent-xts-plain64 with keys of 64");
    fails(&with(40, &field("cbc-essiv:sha256")), cipher("aes", "cbc-essiv:sha256", 64), "aes-cbc-essiv:sha256");
    fails(&with(108, &[0, 0, 0, 48]), cipher("aes", "xts-plain64", 48), "keys of 48 bytes");
    fails(&with(72, &field("whirlpool")), LuksError::Hash { name: "whirlpool".into() }, "\"whirlpool\"");
    fails(&with(8, &[b'a'; 32]), LuksError::NoText { field: "cipher-name", given: vec![b'a'; 32] }, "cipher-name");
    fails(
        &with(72, &[0xff; 4]),
        LuksError::NoText { field: "hash-spec", given: [&[0xff; 4][..], &field("sha256")[4..]].concat() },
        "ffffffff3536",
    );
}

#[test]
fn a_bad_slot_is_named() {
    let slot = SLOT;
    fails(&with(of_slot(0), &[0, 0, 0, 1]), LuksError::SlotMark { slot, given: 1 }, "key slot 2 is marked 0x00000001");
    fails(&with(of_slot(0), &[0, 0, 0xde, 0xad]), LuksError::NoSlot { slots: 8 }, "none of the 8 key slots is in use");
    let empty = |what| LuksError::SlotEmpty { slot, what, given: 0 };
    fails(&with(of_slot(4), &[0; 4]), empty("iterations"), "key slot 2 has 0 iterations");
    fails(&with(of_slot(44), &[0; 4]), empty("stripes"), "key slot 2 has 0 stripes");
    let endless = LuksError::Iterations { limit: 100_000_000, given: u32::MAX };
    fails(&with(of_slot(4), &[0xff; 4]), endless, "by 4294967295 iterations; this program makes at most 100000000");
    let outside = |begin, end| LuksError::SlotOutside { slot, begin, end, header: 592, payload: 3072 };
    fails(&with(of_slot(40), &[0, 0, 0, 1]), outside(512, 1024), "bytes 512 to 1024; it must lie between 592 and 3072");
    fails(&with(of_slot(40), &[0, 0, 0, 6]), outside(3072, 3584), "3072 to 3584");
    fails(&with(of_slot(44), &[0, 0, 15, 160]), outside(1536, 257_536), "1536 to 257536");
    let far = outside(1536, 1536 + 0xffff_ffff * 64 + 64);
    fails(&with(of_slot(44), &[0xff; 4]), far, "between 592 and 3072");
}

#[test]
fn a_payload_inside_the_header_is_refused() {
    let error = LuksError::PayloadInHeader { payload: 512, header: 592 };
    fails(&with(104, &[0, 0, 0, 1]), error, "begins at byte 512, but the header ends after 592");
}
