//! What is known about ciphers is found by name, and is what it should be.

use vambrace_vectors::{VectorError, block, hash, stream, xts};

#[test]
fn stream_ciphers_have_vectors() {
    let vectors = stream("salsa20").unwrap();
    assert_eq!((vectors.messages.len(), vectors.digests.len(), vectors.cores.len()), (421, 1, 6));
    let first = &vectors.messages[0];
    assert_eq!((first.key.len(), first.nonce.len(), first.offset, first.plaintext.len()), (16, 8, 0, 64));
    assert_eq!(first.ciphertext[..4], [0x4d, 0xfa, 0x5e, 0x48]);
    assert_eq!(first.source, "vectors/data/salsa20/salsa.txt:10");
    assert_eq!(vectors.messages[2].plaintext.len(), 128);
    assert_eq!(vectors.digests[0].plaintext.len(), 131_072);
    assert_eq!(vectors.cores[3].times, 1_000_000);
    let last = &vectors.messages[420];
    assert_eq!((last.key.len(), &*last.source), (32, "vectors/data/salsa20/ecrypt.blb, case 411"));

    for algorithm in ["salsa20-12", "salsa20-8"] {
        let vectors = stream(algorithm).unwrap();
        let (published, generated) = vectors.messages.split_at(2);
        assert_eq!(published.iter().map(|vector| vector.offset).collect::<Vec<_>>(), [0, 192]);
        let of = |bytes| generated.iter().filter(|vector| vector.key.len() == bytes).count();
        assert_eq!([of(16), of(32), generated.len()], [25, 25, 50], "{algorithm}");
    }
    for (algorithm, messages) in [("xsalsa20", 96), ("xsalsa20-12", 25), ("xsalsa20-8", 25)] {
        let vectors = stream(algorithm).unwrap();
        assert_eq!(vectors.messages.len(), messages, "{algorithm}");
        assert!(vectors.messages.iter().all(|vector| (vector.key.len(), vector.nonce.len()) == (32, 24)));
    }
}

#[test]
fn salsa20_has_vectors_at_a_carry_of_its_counter() {
    let carries = stream("salsa20").unwrap().messages.iter().filter(|vector| {
        let first = vector.offset / 64;
        let last = (vector.offset + vector.plaintext.len() as u64 - 1) / 64;
        first >> 32 != last >> 32
    });
    assert_eq!(
        carries.map(|vector| vector.offset).collect::<Vec<_>>(),
        [0x3f_ffff_ffc0, 0x3f_ffff_ff80, 0x3f_ffff_fc80]
    );
}

#[test]
fn xts_has_vectors_of_whole_and_of_partial_bytes() {
    for (algorithm, key_bytes, partial, lengths) in
        [("aes128-xts", 16, [130].as_slice(), [16, 25, 32].as_slice()), ("aes256-xts", 32, &[140, 250], &[32, 48])]
    {
        let vectors = xts(algorithm).unwrap();
        assert_eq!(vectors.units.len() + vectors.partial_units.len(), 2000 + 41);
        let mut bits: Vec<usize> = vectors.partial_units.iter().map(|vector| vector.bits).collect();
        bits.sort_unstable();
        bits.dedup();
        assert_eq!(bits, partial);
        let units = vectors.units.iter().filter(|vector| vector.source.contains("cavp"));
        let mut bytes: Vec<usize> = units.map(|vector| vector.plaintext.len()).collect();
        bytes.sort_unstable();
        bytes.dedup();
        assert_eq!(bytes, lengths);
        for vector in &vectors.units {
            assert_eq!([vector.key1.len(), vector.key2.len(), vector.tweak.len()], [key_bytes, key_bytes, 16]);
            assert_eq!(vector.plaintext.len(), vector.ciphertext.len());
        }
    }
    let vectors = xts("aes128-xts").unwrap();
    assert_eq!(vectors.units[0].plaintext[..4], [0xeb, 0xab, 0xce, 0x95]);
    assert_eq!(vectors.units[0].source, "vectors/data/cavp/aes/XTSGenAES128-hexstr.rsp:12");
    // Number 141, and a section in which the ciphertext stands first.
    let numbered = vectors.units.iter().find(|vector| vector.source.contains("seqno")).unwrap();
    assert_eq!(numbered.tweak[..2], [141, 0]);
    let last = vectors.units.iter().rfind(|unit| unit.source.contains("cavp")).unwrap();
    assert!(last.source.ends_with("seqno.rsp:8007"), "{}", last.source);

    for (algorithm, bytes) in [("speck128-128-xts", 16), ("speck128-192-xts", 24), ("speck128-256-xts", 32)] {
        let vectors = xts(algorithm).unwrap();
        assert_eq!((vectors.units.len(), vectors.partial_units.len()), (77, 0));
        assert!(vectors.units.iter().all(|vector| vector.key1.len() == bytes));
        assert_eq!(vectors.units[76].plaintext.len(), 4095);
    }
}

#[test]
fn every_case_of_wycheproof_belongs_to_a_key_length() {
    let mut lines = Vec::new();
    for (algorithm, key_bytes, others) in [
        ("aes128-xts", 16, [(24, 41), (32, 41)]),
        ("aes192-xts", 24, [(16, 41), (32, 41)]),
        ("aes256-xts", 32, [(16, 41), (24, 41)]),
    ] {
        let vectors = xts(algorithm).unwrap();
        assert_eq!(vectors.other_keys, others);
        let units: Vec<_> = vectors.units.iter().filter(|unit| unit.source.contains("wycheproof")).collect();
        assert_eq!(units.len(), 41, "{algorithm}");
        for unit in &units {
            assert_eq!([unit.key1.len(), unit.key2.len(), unit.tweak.len()], [key_bytes, key_bytes, 16]);
            assert!(unit.plaintext.len() >= 16 && unit.plaintext.len() == unit.ciphertext.len());
        }
        // Lengths at which the last block is stolen from, and tweaks of every length.
        assert_eq!(units.iter().filter(|unit| !unit.plaintext.len().is_multiple_of(16)).count(), 20, "{algorithm}");
        for bytes in 1..16 {
            assert!(
                units
                    .iter()
                    .any(|unit| unit.tweak[bytes..].iter().all(|byte| *byte == 0) && unit.tweak[bytes - 1] != 0)
            );
        }
        lines.extend(units.iter().map(|unit| unit.source.clone()));
    }
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), 123);
}

#[test]
fn block_ciphers_have_vectors() {
    for (algorithm, key, block_bytes, number) in [
        ("aes128", 16, 16, 588),
        ("aes192", 24, 16, 720),
        ("aes256", 32, 16, 830),
        ("speck64-96", 12, 8, 8),
        ("speck64-128", 16, 8, 8),
        ("speck128-128", 16, 16, 8),
        ("speck128-192", 24, 16, 8),
        ("speck128-256", 32, 16, 8),
    ] {
        let vectors = block(algorithm).unwrap();
        assert_eq!(vectors.len(), number, "{algorithm}");
        for vector in vectors {
            assert_eq!(vector.key.len(), key, "{}", vector.source);
            assert_eq!(vector.plaintext.len(), vector.ciphertext.len());
            assert!(vector.plaintext.len().is_multiple_of(block_bytes) && !vector.plaintext.is_empty());
        }
    }
}

#[test]
fn an_unknown_algorithm_is_an_error_and_not_an_empty_set() {
    let error = |name: &str| VectorError::UnknownAlgorithm { name: name.to_owned() };
    assert_eq!(stream("chacha20").unwrap_err(), error("chacha20"));
    assert_eq!(xts("aes-xts").unwrap_err(), error("aes-xts"));
    assert_eq!(block("speck").unwrap_err(), error("speck"));
    // What is known is known under its own heading alone.
    for algorithm in ["salsa20", "aes128-xts", "aes128"] {
        assert_eq!(hash(algorithm).unwrap_err(), error(algorithm));
    }
    assert!(stream("aes128").is_err() && xts("salsa20").is_err() && block("aes128-xts").is_err());
    assert!(stream("sha256").is_err() && xts("sha256").is_err() && block("sha256").is_err());
}
