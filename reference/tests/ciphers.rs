//! Published vectors judge the specifications and the oracles of ciphers.

use vambrace_reference::oracles::ciphers::{
    STREAM_SPECIFICATIONS, STREAMS, StreamCipherOracle, XTS, XTS_SPECIFICATIONS, XtsOracle,
};
use vambrace_reference::salsa20;
use vambrace_vectors::{PartialXtsVector, XtsVector, block, stream, xts};

fn streams() -> impl Iterator<Item = &'static dyn StreamCipherOracle> {
    STREAMS.iter().chain(STREAM_SPECIFICATIONS).copied()
}

fn ciphers() -> impl Iterator<Item = &'static dyn XtsOracle> {
    XTS.iter().chain(XTS_SPECIFICATIONS).copied()
}

#[test]
fn streams_are_as_published() {
    for oracle in streams() {
        let vectors = stream(oracle.algorithm()).unwrap();
        for vector in &vectors.messages {
            let mut data = vector.plaintext.clone();
            oracle.apply(&vector.key, &vector.nonce, vector.offset.into(), &mut data).unwrap();
            assert_eq!(data, vector.ciphertext, "{oracle:?}: {}", vector.source);
        }
        for vector in &vectors.digests {
            let mut data = vector.plaintext.clone();
            oracle.apply(&vector.key, &vector.nonce, 0, &mut data).unwrap();
            let pieces = data.chunks(64).fold([0; 64], |sum, piece| std::array::from_fn(|i| sum[i] ^ piece[i]));
            assert_eq!(pieces[..], vector.digest, "{oracle:?}: {}", vector.source);
        }
    }
}

#[test]
fn the_salsa20_hash_function_is_as_published() {
    for vector in &stream("salsa20").unwrap().cores {
        let words = std::array::from_fn(|i| u32::from_le_bytes(vector.input.as_chunks().0[i]));
        let output = (0..vector.times).fold(words, |words, _| salsa20::hash(&words, 20));
        assert_eq!(salsa20::to_bytes(&output)[..], vector.output, "{}", vector.source);
    }
}

#[test]
fn block_ciphers_are_as_published() {
    for oracle in ciphers() {
        for vector in block(oracle.cipher()).unwrap() {
            let each = |text: &[u8], function: &dyn Fn(&[u8]) -> Option<Vec<u8>>| -> Vec<u8> {
                text.chunks(oracle.block_bytes()).flat_map(|block| function(block).unwrap()).collect()
            };
            let encrypted = each(&vector.plaintext, &|block| oracle.encrypt_block(&vector.key, block));
            assert_eq!(encrypted, vector.ciphertext, "{oracle:?}: {}", vector.source);
            let decrypted = each(&vector.ciphertext, &|block| oracle.decrypt_block(&vector.key, block));
            assert_eq!(decrypted, vector.plaintext, "{oracle:?}: {}", vector.source);
        }
    }
}

#[test]
fn xts_is_as_published() {
    let mut judged = 0;
    for oracle in ciphers() {
        let Ok(vectors) = xts(oracle.algorithm()) else { continue };
        for XtsVector { key1, key2, tweak, plaintext, ciphertext, source } in &vectors.units {
            let encrypted = oracle.encrypt(key1, key2, tweak, plaintext).unwrap();
            assert_eq!(&encrypted, ciphertext, "{oracle:?}: {source}");
            let decrypted = oracle.decrypt(key1, key2, tweak, ciphertext).unwrap();
            assert_eq!(&decrypted, plaintext, "{oracle:?}: {source}");
            judged += 1;
        }
        vectors.partial_units.iter().for_each(|vector| partial_unit_is_as_published(oracle, vector));
    }
    assert_eq!(judged, 2 * (1600 + 1600 + 3 * 77 + 3 * 41) - 2 * 400);
}

/// A data unit that ends within a byte steals bits: section 5.3.2 of IEEE 1619 from the two blocks at its end, of which the
/// first is an ordinary one.
fn partial_unit_is_as_published(oracle: &dyn XtsOracle, PartialXtsVector { bits, unit }: &PartialXtsVector) {
    let XtsVector { key1, key2, tweak, plaintext, ciphertext, source } = unit;
    let whole = bits / 128 * 16;
    let mut padded = plaintext.clone();
    padded.resize(whole + 16, 0);
    // With an empty short block, the blocks before and the ordinary one; CC is the last.
    let ordinary = oracle.encrypt(key1, key2, tweak, &plaintext[..whole]).unwrap();
    let cc = &ordinary[whole - 16..];
    let kept = bits % 128;
    for (i, byte) in padded[whole..].iter_mut().enumerate() {
        // The bits of this byte that belong to the short block are its most significant ones.
        let short = 0xff_u8.checked_shl(8 - kept.saturating_sub(8 * i).min(8) as u32).unwrap_or(0);
        *byte = *byte & short | cc[i] & !short;
    }
    // The block put together is number `whole / 16`: the last of a data unit of whole blocks.
    let last = oracle.encrypt(key1, key2, tweak, &padded).unwrap();
    assert_eq!(ordinary[..whole - 16], ciphertext[..whole - 16], "{source}");
    assert_eq!(last[whole..], ciphertext[whole - 16..whole], "{source}");
    for (i, byte) in ciphertext[whole..].iter().enumerate() {
        let short = 0xff_u8.checked_shl(8 - kept.saturating_sub(8 * i).min(8) as u32).unwrap_or(0);
        assert_eq!(byte & short, cc[i] & short, "{source}");
    }
}
