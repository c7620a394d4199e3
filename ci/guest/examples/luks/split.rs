//! The anti-forensic splitter: "TKS1", section 2.4, and the LUKS1 specification, section 2.4. A key is spread over many
//! parts, of which each is needed.

use sha2::{Digest, Sha256};

/// Mixes a part: each 32 bytes become the hash of their number and themselves, the last ones cut as they were.
pub fn diffuse(part: &mut [u8]) {
    for (number, piece) in (0_u32..).zip(part.chunks_mut(32)) {
        let digest = Sha256::new().chain_update(number.to_be_bytes()).chain_update(&*piece).finalize();
        piece.copy_from_slice(&digest[..piece.len()]);
    }
}

/// The key of which these are the parts, each as long as the key.
pub fn merge(parts: &[u8], key_bytes: usize) -> Vec<u8> {
    let mut key = vec![0; key_bytes];
    for (number, part) in parts.chunks_exact(key_bytes).enumerate() {
        if number > 0 {
            diffuse(&mut key);
        }
        key.iter_mut().zip(part).for_each(|(byte, other)| *byte ^= other);
    }
    key
}
