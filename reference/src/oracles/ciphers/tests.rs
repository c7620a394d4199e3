use cipher::KeyIvInit;

use super::*;

/// Bytes that look random, from a seed (splitmix64).
fn bytes(seed: &mut u64, length: usize) -> Vec<u8> {
    let mut next = || {
        *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (*seed ^ *seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    };
    (0..length).map(|_| next() as u8).collect()
}

/// Each oracle with the specification of its algorithm.
fn streams() -> impl Iterator<Item = (&'static dyn StreamCipherOracle, &'static dyn StreamCipherOracle)> {
    assert_eq!(STREAMS.len(), STREAM_SPECIFICATIONS.len());
    STREAMS.iter().copied().zip(STREAM_SPECIFICATIONS.iter().copied()).inspect(|(oracle, other)| {
        assert_eq!(oracle.algorithm(), other.algorithm());
        assert_eq!(oracle.key_bytes(), other.key_bytes());
        assert_eq!(oracle.nonce_bytes(), other.nonce_bytes());
        assert_eq!(oracle.rounds(), other.rounds());
    })
}

/// Each oracle with the specification of its algorithm.
fn ciphers() -> impl Iterator<Item = (&'static dyn XtsOracle, &'static dyn XtsOracle)> {
    assert_eq!(XTS.len(), XTS_SPECIFICATIONS.len());
    XTS.iter().copied().zip(XTS_SPECIFICATIONS.iter().copied()).inspect(|(oracle, other)| {
        assert_eq!(oracle.algorithm(), other.algorithm());
        assert_eq!(oracle.key_bytes(), other.key_bytes());
        assert_eq!(oracle.block_bytes(), other.block_bytes());
        assert_eq!(oracle.rounds(), other.rounds());
    })
}

#[test]
fn streams_agree_with_their_specifications() {
    let mut seed = 1;
    for (oracle, other) in streams() {
        for &key in oracle.key_bytes() {
            for length in (0..=260).chain([1023, 4096]) {
                let (key, nonce) = (bytes(&mut seed, key), bytes(&mut seed, oracle.nonce_bytes()));
                let block = u64::from_le_bytes(bytes(&mut seed, 8).try_into().unwrap());
                let expected = oracle.keystream(&key, &nonce, block, length).unwrap();
                assert_eq!(expected.len(), length);
                assert_eq!(other.keystream(&key, &nonce, block, length).unwrap(), expected, "{}", oracle.algorithm());
            }
        }
    }
}

/// Counters on both sides of each carry.
fn counters() -> impl Iterator<Item = u64> {
    [1u64 << 8, 1 << 16, 1 << 31, 1 << 32, 3 << 32, 1 << 63, 0]
        .into_iter()
        .flat_map(|carry| (0..6).map(move |before| carry.wrapping_sub(before)))
}

#[test]
fn streams_agree_with_their_specifications_at_carries() {
    let mut seed = 2;
    for (oracle, other) in streams() {
        for block in counters() {
            let key = bytes(&mut seed, 32);
            let nonce = bytes(&mut seed, oracle.nonce_bytes());
            let state = oracle.state(&key, &nonce, block).unwrap();
            assert_eq!(other.state(&key, &nonce, block).unwrap(), state);
            let stream = oracle.stream_from(&state, 7).unwrap();
            assert_eq!(other.stream_from(&state, 7).unwrap(), stream, "{} at {block}", oracle.algorithm());
            // Each block by itself.
            for (number, bytes) in (0..).zip(stream.chunks(64)) {
                assert_eq!(oracle.keystream(&key, &nonce, block.wrapping_add(number), 64).unwrap(), bytes);
            }
        }
    }
}

#[test]
fn the_transcription_agrees_with_the_crate() {
    let mut seed = 3;
    for oracle in STREAMS {
        for _ in 0..200 {
            let state = bytes(&mut seed, 64);
            let expected = oracle.stream_from(&state, 1).unwrap();
            assert_eq!(salsa20_block(&read_state(&state).unwrap(), oracle.rounds()).to_vec(), expected);
        }
    }
}

/// The crate's own way from key and nonce, where it has one.
#[test]
fn states_are_those_of_the_crate() {
    fn stream<C: KeyIvInit + cipher::StreamCipher>(key: &[u8], nonce: &[u8]) -> Vec<u8> {
        let mut stream = std::vec![0; 300];
        C::new_from_slices(key, nonce).unwrap().apply_keystream(&mut stream);
        stream
    }
    let mut seed = 4;
    let (key, nonce) = (bytes(&mut seed, 32), bytes(&mut seed, 24));
    let by_oracle = |name, nonce| super::stream(name).unwrap().keystream(&key, nonce, 0, 300).unwrap();
    assert_eq!(by_oracle("salsa20", &nonce[..8]), stream::<::salsa20::Salsa20>(&key, &nonce[..8]));
    assert_eq!(by_oracle("salsa20-12", &nonce[..8]), stream::<::salsa20::Salsa12>(&key, &nonce[..8]));
    assert_eq!(by_oracle("salsa20-8", &nonce[..8]), stream::<::salsa20::Salsa8>(&key, &nonce[..8]));
    assert_eq!(by_oracle("xsalsa20", &nonce), stream::<::salsa20::XSalsa20>(&key, &nonce));
    assert_eq!(by_oracle("xsalsa20-12", &nonce), stream::<::salsa20::XSalsa12>(&key, &nonce));
    assert_eq!(by_oracle("xsalsa20-8", &nonce), stream::<::salsa20::XSalsa8>(&key, &nonce));
}

#[test]
fn data_is_encrypted_at_any_offset() {
    let (oracle, other) = (stream("salsa20").unwrap(), STREAM_SPECIFICATIONS[0]);
    let stream = oracle.keystream(&[3; 16], &[4; 8], 0, 400).unwrap();
    for offset in [0, 1, 63, 64, 65, 200] {
        for length in [0, 1, 63, 64, 65, 199] {
            for oracle in [oracle, other] {
                let mut data = std::vec![0x5a; length];
                oracle.apply(&[3; 16], &[4; 8], offset as u128, &mut data).unwrap();
                let expected: Vec<u8> = stream[offset..offset + length].iter().map(|byte| byte ^ 0x5a).collect();
                assert_eq!(data, expected);
            }
        }
    }
    let end = 64u128 << 64;
    let mut data = [0; 2];
    assert_eq!(oracle.apply(&[3; 16], &[4; 8], end - 2, &mut data), Some(()));
    assert_eq!(data[..], oracle.keystream(&[3; 16], &[4; 8], u64::MAX, 64).unwrap()[62..]);
    let mut data = [0; 2];
    assert_eq!(oracle.apply(&[3; 16], &[4; 8], end - 1, &mut data), None);
    assert_eq!(oracle.apply(&[3; 16], &[4; 8], u128::MAX, &mut data), None);
    assert_eq!(data, [0; 2]);
}

#[test]
fn sizes_that_streams_do_not_have_are_refused() {
    for oracle in STREAMS.iter().chain(STREAM_SPECIFICATIONS) {
        let nonce = [0; 25];
        for key in (0..40).filter(|bytes| !oracle.key_bytes().contains(bytes)) {
            assert_eq!(oracle.state(&[0; 40][..key], &nonce[..oracle.nonce_bytes()], 0), None);
        }
        for bytes in (0..25).filter(|&bytes| bytes != oracle.nonce_bytes()) {
            assert_eq!(oracle.state(&[0; 32], &nonce[..bytes], 0), None, "{oracle:?} {bytes}");
        }
        assert_eq!(oracle.stream_from(&[0; 63], 1), None);
        assert_eq!(oracle.stream_from(&[0; 65], 1), None);
    }
}

#[test]
fn block_ciphers_agree_with_their_specifications() {
    let mut seed = 5;
    for (oracle, other) in ciphers() {
        for _ in 0..100 {
            let (key, block) = (bytes(&mut seed, oracle.key_bytes()), bytes(&mut seed, oracle.block_bytes()));
            let encrypted = oracle.encrypt_block(&key, &block).unwrap();
            assert_eq!(other.encrypt_block(&key, &block).unwrap(), encrypted, "{}", oracle.cipher());
            assert_eq!(oracle.decrypt_block(&key, &encrypted).unwrap(), block);
            assert_eq!(other.decrypt_block(&key, &encrypted).unwrap(), block);
            let decrypted = oracle.decrypt_block(&key, &block).unwrap();
            assert_eq!(other.decrypt_block(&key, &block).unwrap(), decrypted);
        }
    }
}

/// Every length from one block on to 20 blocks, and a long one.
#[test]
fn xts_agrees_with_its_specification_at_every_length() {
    let mut seed = 6;
    for (oracle, other) in ciphers() {
        let block = oracle.block_bytes();
        for length in (block..20 * block).chain([4096, 4097]) {
            let keys = [bytes(&mut seed, oracle.key_bytes()), bytes(&mut seed, oracle.key_bytes())];
            let (tweak, data) = (bytes(&mut seed, block), bytes(&mut seed, length));
            let encrypted = oracle.encrypt(&keys[0], &keys[1], &tweak, &data).unwrap();
            let what = oracle.algorithm();
            assert_eq!(other.encrypt(&keys[0], &keys[1], &tweak, &data).unwrap(), encrypted, "{what}: {length}");
            assert_eq!(oracle.decrypt(&keys[0], &keys[1], &tweak, &encrypted).unwrap(), data, "{what}: {length}");
            assert_eq!(other.decrypt(&keys[0], &keys[1], &tweak, &encrypted).unwrap(), data, "{what}: {length}");
            let decrypted = oracle.decrypt(&keys[0], &keys[1], &tweak, &data).unwrap();
            assert_eq!(other.decrypt(&keys[0], &keys[1], &tweak, &data).unwrap(), decrypted, "{what}: {length}");
        }
    }
}

/// Tweaks that carry at once, never, at each word and at each byte.
#[test]
fn xts_agrees_with_its_specification_at_carries() {
    let mut seed = 7;
    for (oracle, other) in ciphers() {
        let block = oracle.block_bytes();
        let (key, data) = (bytes(&mut seed, oracle.key_bytes()), bytes(&mut seed, 40 * block + 5));
        let single_bits = (0..8 * block).map(|bit| {
            let mut t = std::vec![0; block];
            t[bit / 8] = 1 << (bit % 8);
            t
        });
        for t in single_bits.chain([std::vec![0; block], std::vec![0xff; block], std::vec![0x80; block]]) {
            let encrypted = oracle.encrypt_from(&key, &t, &data).unwrap();
            assert_eq!(other.encrypt_from(&key, &t, &data).unwrap(), encrypted, "{}: {t:?}", oracle.algorithm());
            assert_eq!(oracle.decrypt_from(&key, &t, &encrypted).unwrap(), data);
            assert_eq!(other.decrypt_from(&key, &t, &encrypted).unwrap(), data);
        }
        // Without a tweak it is the block cipher.
        let zero = std::vec![0; block];
        let blocks = data.chunks_exact(block).flat_map(|block| oracle.encrypt_block(&key, block).unwrap());
        let whole = &data[..40 * block];
        assert_eq!(oracle.encrypt_from(&key, &zero, whole).unwrap(), blocks.collect::<Vec<_>>());
    }
}

/// The transcription for blocks of 8 bytes is one for blocks of any size: the crate judges it at 16.
#[test]
fn xts_by_hand_agrees_with_the_crate() {
    let mut seed = 8;
    for length in 16..200 {
        let (key, t, data) = (bytes(&mut seed, 16), bytes(&mut seed, 16), bytes(&mut seed, length));
        let cipher = || aes::Aes128::new_from_slice(&key).unwrap();
        let encrypted = ByHand::encrypt(cipher(), &t, &data).unwrap();
        assert_eq!(ByCrate::encrypt(cipher(), &t, &data).unwrap(), encrypted);
        assert_eq!(ByHand::decrypt(cipher(), &t, &encrypted).unwrap(), data);
        assert_eq!(ByCrate::decrypt(cipher(), &t, &encrypted).unwrap(), data);
    }
}

#[test]
fn sizes_that_xts_does_not_have_are_refused() {
    for oracle in XTS.iter().chain(XTS_SPECIFICATIONS) {
        let bytes = [0; 40];
        let (key, block) = (&bytes[..oracle.key_bytes()], &bytes[..oracle.block_bytes()]);
        for length in (0..40).filter(|&length| length != key.len()) {
            let key = &bytes[..length];
            assert_eq!(oracle.encrypt_block(key, block), None, "{oracle:?} {length}");
            assert_eq!(oracle.decrypt_block(key, block), None);
            assert_eq!(oracle.encrypt_from(key, block, &bytes), None);
            assert_eq!(oracle.decrypt_from(key, block, &bytes), None);
        }
        for length in (0..40).filter(|&length| length != block.len()) {
            assert_eq!(oracle.encrypt_block(key, &bytes[..length]), None);
            assert_eq!(oracle.decrypt_block(key, &bytes[..length]), None);
            assert_eq!(oracle.encrypt_from(key, &bytes[..length], &bytes), None);
            assert_eq!(oracle.decrypt_from(key, &bytes[..length], &bytes), None);
        }
        for length in 0..block.len() {
            assert_eq!(oracle.encrypt_from(key, block, &bytes[..length]), None);
            assert_eq!(oracle.decrypt_from(key, block, &bytes[..length]), None);
        }
    }
}

#[test]
fn oracles_are_found_by_name() {
    assert_eq!(stream("salsa20-8").unwrap().rounds(), 8);
    assert_eq!(xts("aes256-xts").unwrap().cipher(), "aes256");
    assert_eq!(block("speck64-96").unwrap().algorithm(), "speck64-96-xts");
    assert!(stream("chacha20").is_none() && xts("aes256").is_none() && block("aes256-xts").is_none());
}
