//! The ciphers as their users call them, against the crates `salsa20`, `aes` and `xts-mode`.

use cipher::{KeyInit, KeyIvInit, StreamCipher, StreamCipherSeek};
use vambrace::speck64::{Speck64_96Xts, Speck64_128Xts};
use vambrace::speck128::{Speck128_128Xts, Speck128_192Xts, Speck128_256Xts};
use vambrace::{Aes128Xts, Aes256Xts, Salsa8, Salsa12, Salsa20, Tier, XSalsa8, XSalsa12, XSalsa20, XtsError};
use xts_mode::Xts128;

fn bytes(length: usize, seed: u8) -> Vec<u8> {
    (0..length).map(|i| (i as u8).wrapping_mul(31).wrapping_add((i >> 8) as u8 ^ seed)).collect()
}

/// The tiers that a cipher has here.
fn tiers(mut set: impl FnMut(Tier) -> bool) -> Vec<Tier> {
    Tier::ALL.into_iter().filter(|tier| set(*tier)).collect()
}

macro_rules! stream {
    ($name:ident, $ours:ty, $theirs:ty, $nonce:literal) => {
        #[test]
        fn $name() {
            let (key, nonce) = (bytes(32, 1), bytes($nonce, 2));
            let new = || <$ours>::new_from_slices(&key, &nonce).unwrap();
            for tier in tiers(|tier| new().set_tier(tier).is_ok()) {
                for length in (0..700).chain([1024, 1500, 4096]) {
                    let mut expected = bytes(length, 3);
                    <$theirs>::new_from_slices(&key, &nonce).unwrap().apply_keystream(&mut expected);
                    let mut cipher = new();
                    cipher.set_tier(tier).unwrap();
                    let mut data = bytes(length, 3);
                    let (first, second) = data.split_at_mut(length / 3);
                    cipher.apply(first).unwrap();
                    cipher.apply(second).unwrap();
                    assert_eq!(data, expected, "{tier}, {length} bytes");
                    assert_eq!(cipher.position(), length as u128);
                    assert_eq!(cipher.current_pos::<u64>(), length as u64);
                    cipher.seek(length as u64 / 2);
                    let mut half = bytes(length, 3).split_off(length / 2);
                    cipher.apply_keystream(&mut half);
                    assert_eq!(half, expected[length / 2..], "{tier}, {length} bytes");
                }
            }
        }
    };
}

stream!(salsa20_agrees_with_the_crate, Salsa20, salsa20::Salsa20, 8);
stream!(salsa12_agrees_with_the_crate, Salsa12, salsa20::Salsa12, 8);
stream!(salsa8_agrees_with_the_crate, Salsa8, salsa20::Salsa8, 8);
stream!(xsalsa20_agrees_with_the_crate, XSalsa20, salsa20::XSalsa20, 24);
stream!(xsalsa12_agrees_with_the_crate, XSalsa12, salsa20::XSalsa12, 24);
stream!(xsalsa8_agrees_with_the_crate, XSalsa8, salsa20::XSalsa8, 24);

macro_rules! aes {
    ($name:ident, $ours:ty, $theirs:ty) => {
        #[test]
        fn $name() {
            let key = bytes(<$ours>::KEY_BYTES, 5);
            let (first, second) = key.split_at(key.len() / 2);
            let theirs =
                Xts128::new(<$theirs>::new_from_slice(first).unwrap(), <$theirs>::new_from_slice(second).unwrap());
            let mut ours = <$ours>::new(&key).unwrap();
            for tier in tiers(|tier| <$ours>::new(&key).unwrap().set_tier(tier).is_ok()) {
                ours.set_tier(tier).unwrap();
                assert_eq!(ours.tier(), tier);
                for length in (16..420).chain([512, 1024, 4096]) {
                    let tweak = (length as u128 * 0x1234_5678_9abc_def1).to_le_bytes();
                    let plain = bytes(length, 6);
                    let mut expected = plain.clone();
                    theirs.encrypt_sector(&mut expected, tweak.into());
                    let mut data = vec![0; length];
                    ours.encrypt_to(&tweak, &plain, &mut data).unwrap();
                    assert_eq!(data, expected, "{tier}, {length} bytes");
                    ours.decrypt(&tweak, &mut data).unwrap();
                    assert_eq!(data, plain, "{tier}, {length} bytes");
                    ours.encrypt(&tweak, &mut data).unwrap();
                    assert_eq!(data, expected, "{tier}, {length} bytes");
                }
            }
        }
    };
}

aes!(aes128_xts_agrees_with_the_crates, Aes128Xts, aes::Aes128);
aes!(aes256_xts_agrees_with_the_crates, Aes256Xts, aes::Aes256);

macro_rules! speck {
    ($name:ident, $ours:ty) => {
        #[test]
        fn $name() {
            let key = bytes(<$ours>::KEY_BYTES, 5);
            let mut generic = <$ours>::new(&key).unwrap();
            generic.set_tier(Tier::Generic).unwrap();
            for tier in tiers(|tier| <$ours>::new(&key).unwrap().set_tier(tier).is_ok()) {
                let mut ours = <$ours>::new(&key).unwrap();
                ours.set_tier(tier).unwrap();
                for length in (<$ours>::BLOCK_BYTES..700).chain([1024, 4096]) {
                    let tweak = bytes(<$ours>::BLOCK_BYTES, length as u8);
                    let plain = bytes(length, 6);
                    let mut expected = plain.clone();
                    generic.encrypt(&tweak, &mut expected).unwrap();
                    let mut data = vec![0; length];
                    ours.encrypt_to(&tweak, &plain, &mut data).unwrap();
                    assert_eq!(data, expected, "{tier}, {length} bytes");
                    ours.decrypt(&tweak, &mut data).unwrap();
                    assert_eq!(data, plain, "{tier}, {length} bytes");
                }
            }
        }
    };
}

speck!(speck128_128_tiers_agree, Speck128_128Xts);
speck!(speck128_192_tiers_agree, Speck128_192Xts);
speck!(speck128_256_tiers_agree, Speck128_256Xts);
speck!(speck64_96_tiers_agree, Speck64_96Xts);
speck!(speck64_128_tiers_agree, Speck64_128Xts);

#[test]
fn what_xts_does_not_allow_is_refused_and_nothing_written() {
    let xts = Aes256Xts::new(&bytes(64, 0)).unwrap();
    let mut data = vec![7; 1000];
    let tweak = [0; 16];
    assert_eq!(xts.encrypt(&tweak, &mut data[..15]), Err(XtsError::DataUnitTooShort { limit: 16, given: 15 }));
    assert_eq!(xts.decrypt(&tweak[1..], &mut data), Err(XtsError::TweakLength { expected: 16, given: 15 }));
    assert_eq!(xts.encrypt_sectors(&mut data, 0, 0), Err(XtsError::DataUnitTooShort { limit: 16, given: 0 }));
    assert_eq!(xts.encrypt_sectors(&mut data, 512, 0), Err(XtsError::PartialSector { sector: 512, given: 1000 }));
    let input = [0; 999];
    assert_eq!(xts.encrypt_to(&tweak, &input, &mut data), Err(XtsError::UnequalLengths { input: 999, output: 1000 }));
    assert_eq!(data, [7; 1000]);
    let mut long = vec![7; Aes256Xts::MAX_DATA_UNIT_BYTES + 1];
    let given = long.len();
    assert_eq!(xts.encrypt(&tweak, &mut long), Err(XtsError::DataUnitTooLong { limit: given - 1, given }));
    assert!(long.iter().all(|byte| *byte == 7));
    assert_eq!(Aes128Xts::new(&[0; 31]).unwrap_err(), XtsError::KeyLength { expected: 32, given: 31 });
    assert_eq!(Aes128Xts::new(&[0; 32]).unwrap_err(), XtsError::EqualKeyHalves);
    assert!(Aes128Xts::new_with_equal_halves_allowed(&[0; 32]).is_ok());
    assert!(Speck64_96Xts::new(&[0; 24]).is_ok());
}

#[test]
fn a_sector_number_that_the_tweak_cannot_hold_is_refused_and_nothing_written() {
    let limit = u64::MAX.into();
    let speck = Speck64_128Xts::new(&bytes(32, 0)).unwrap();
    let mut data = [7; 48];
    for (first, sectors) in [(limit + 1, 1), (limit, 2), (limit - 1, 3)] {
        let refused = Err(XtsError::SectorNumber { limit, first, sectors });
        assert_eq!(speck.encrypt_sectors(&mut data[..16 * sectors], 16, first), refused);
        assert_eq!(speck.decrypt_sectors(&mut data[..16 * sectors], 16, first), refused);
    }
    assert_eq!(data, [7; 48]);
    speck.encrypt_sectors(&mut data, 16, limit - 2).unwrap();
    speck.decrypt_sectors(&mut data, 16, limit - 2).unwrap();
    assert_eq!(data, [7; 48]);
    assert_eq!(speck.encrypt_sectors(&mut [], 16, u128::MAX), Ok(()));

    let aes = Aes128Xts::new(&bytes(32, 0)).unwrap();
    let refused = Err(XtsError::SectorNumber { limit: u128::MAX, first: u128::MAX, sectors: 3 });
    assert_eq!(aes.encrypt_sectors(&mut data, 16, u128::MAX), refused);
    assert_eq!(aes.encrypt_area(&mut data, 16, u128::MAX, |_| [0; 16]), refused);
    assert_eq!(data, [7; 48]);
    assert_eq!(aes.encrypt_sectors(&mut data[..16], 16, u128::MAX), Ok(()));
}

#[test]
fn beyond_the_end_the_key_stream_and_the_position_begin_again() {
    let end = vambrace::salsa20::KEYSTREAM_BYTES;
    for (before, bytes, behind) in
        [(10, 10, end), (10, 11, 1), (10, 74, 64), (10, 200, 190), (64, 64, end), (64, 65, 1)]
    {
        let fresh = Salsa20::new(&[1; 32].into(), &[2; 8].into());
        let (mut here, mut there) = (fresh.clone(), fresh);
        here.seek_to(end - before).unwrap();
        here.unchecked_write_keystream(&mut vec![0; bytes]);
        assert_eq!(here.position(), behind, "{bytes} bytes from {before} before the end");
        let (mut one, mut other) = ([0; 100], [0; 100]);
        if behind == end {
            assert!(here.apply(&mut one).is_err());
        } else {
            there.seek_to(behind).unwrap();
            here.apply(&mut one).unwrap();
            there.apply(&mut other).unwrap();
            assert_eq!(one, other, "{bytes} bytes from {before} before the end");
        }
    }
}
