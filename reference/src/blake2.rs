//! BLAKE2b (64-bit words) and BLAKE2s (32-bit words) of RFC 7693, with the whole parameter block of the BLAKE2
//! specification (2013-01-29, section 2.5), so that the tree modes BLAKE2bp and BLAKE2sp can be said too.
//!
//! Names are those of the RFC; section numbers refer to it.
//!
//! ```
//! use vambrace_reference::blake2::{self, Parameters};
//!
//! let parameters = Parameters { digest_length: 64, ..Parameters::default() };
//! let h: [u64; 8] = blake2::digest(&parameters, b"", b"abc", false);
//! assert_eq!(h[0].to_le_bytes(), [0xba, 0x80, 0xa5, 0x3f, 0x98, 0x1c, 0x4d, 0x0d]);
//! ```

use crate::Word;

/// A word size that BLAKE2 is defined for, with the parameters of section 2.1.
pub trait Blake2Word: Word {
    /// Rounds of F.
    const ROUNDS: usize;
    /// G's rotations R1 to R4.
    const R: [u32; 4];
    /// Bytes of the salt, and of the personalisation.
    const SALT_BYTES: usize = Self::BITS as usize / 4;
}

impl Blake2Word for u64 {
    const ROUNDS: usize = 12;
    const R: [u32; 4] = [32, 24, 16, 63];
}

impl Blake2Word for u32 {
    const ROUNDS: usize = 10;
    const R: [u32; 4] = [16, 12, 8, 7];
}

/// Section 2.6: the first 64 bits of the fractional parts of the square roots of the first eight primes.
///
/// The initialisation vector of BLAKE2s is the first 32 bits of each.
#[rustfmt::skip]
pub const IV: [u64; 8] = [
    0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f, 0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179,
];

/// Section 2.7: the message word permutations; round r uses number r mod 10.
#[rustfmt::skip]
pub const SIGMA: [[usize; 16]; 10] = [
    [ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15],
    [14, 10,  4,  8,  9, 15, 13,  6,  1, 12,  0,  2, 11,  7,  5,  3],
    [11,  8, 12,  0,  5,  2, 15, 13, 10, 14,  3,  6,  7,  1,  9,  4],
    [ 7,  9,  3,  1, 13, 12, 11, 14,  2,  6,  5, 10,  4,  0, 15,  8],
    [ 9,  0,  5,  7,  2,  4, 10, 15, 14,  1, 11, 12,  6,  8,  3, 13],
    [ 2, 12,  6, 10,  0, 11,  8,  3,  4, 13,  7,  5, 15, 14,  1,  9],
    [12,  5,  1, 15, 14, 13,  4, 10,  0,  7,  6,  3,  9,  2,  8, 11],
    [13, 11,  7, 14, 12,  1,  3,  9,  5,  0, 15,  4,  8,  6,  2, 10],
    [ 6, 15, 14,  9, 11,  3,  0,  8, 12,  2, 13,  7,  1,  4, 10,  5],
    [10,  2,  8,  4,  7,  6,  1,  5, 15, 11,  9, 14,  3, 12, 13,  0],
];

/// The initialisation vector of a word size.
#[inline]
pub fn iv<W: Blake2Word>() -> [W; 8] {
    IV.map(|word| W::constant(word >> (64 - W::BITS)))
}

/// Section 3.1: the mixing function G.
fn g<W: Blake2Word>(v: &mut [W; 16], [a, b, c, d]: [usize; 4], x: &W, y: &W) {
    v[a] = v[a].add(&v[b]).add(x);
    v[d] = v[d].xor(&v[a]).rotr(W::R[0]);
    v[c] = v[c].add(&v[d]);
    v[b] = v[b].xor(&v[c]).rotr(W::R[1]);
    v[a] = v[a].add(&v[b]).add(y);
    v[d] = v[d].xor(&v[a]).rotr(W::R[2]);
    v[c] = v[c].add(&v[d]);
    v[b] = v[b].xor(&v[c]).rotr(W::R[3]);
}

/// Section 3.2: the compression function F, with the offset counter t and the finalisation flags f (all ones for the last
/// block; the second word is the last node of a tree level).
pub fn compress<W: Blake2Word>(h: &mut [W; 8], m: &[W; 16], t: &[W; 2], f: &[W; 2]) {
    let iv = iv::<W>();
    let mut v: [W; 16] = core::array::from_fn(|i| if i < 8 { h[i].clone() } else { iv[i - 8].clone() });
    v[12] = v[12].xor(&t[0]);
    v[13] = v[13].xor(&t[1]);
    v[14] = v[14].xor(&f[0]);
    v[15] = v[15].xor(&f[1]);

    for round in 0..W::ROUNDS {
        let s = &SIGMA[round % 10];
        g(&mut v, [0, 4, 8, 12], &m[s[0]], &m[s[1]]);
        g(&mut v, [1, 5, 9, 13], &m[s[2]], &m[s[3]]);
        g(&mut v, [2, 6, 10, 14], &m[s[4]], &m[s[5]]);
        g(&mut v, [3, 7, 11, 15], &m[s[6]], &m[s[7]]);
        g(&mut v, [0, 5, 10, 15], &m[s[8]], &m[s[9]]);
        g(&mut v, [1, 6, 11, 12], &m[s[10]], &m[s[11]]);
        g(&mut v, [2, 7, 8, 13], &m[s[12]], &m[s[13]]);
        g(&mut v, [3, 4, 9, 14], &m[s[14]], &m[s[15]]);
    }

    for i in 0..8 {
        h[i] = h[i].xor(&v[i]).xor(&v[i + 8]);
    }
}

/// The parameter block, in the terms of the BLAKE2 specification. The default is sequential mode without key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// Bytes of the digest: 1 to 64 (BLAKE2b) or 32 (BLAKE2s).
    pub digest_length: u8,
    /// Bytes of the key: 0 to 64 or 32.
    pub key_length: u8,
    /// 1 in sequential mode.
    pub fanout: u8,
    /// 1 in sequential mode.
    pub max_depth: u8,
    /// 0 in sequential mode.
    pub leaf_length: u32,
    /// 0 in sequential mode. BLAKE2s has 48 bits for it.
    pub node_offset: u64,
    /// 0 in sequential mode and for leaves.
    pub node_depth: u8,
    /// 0 in sequential mode.
    pub inner_length: u8,
    /// Salt; BLAKE2s takes the first 8 bytes.
    pub salt: [u8; 16],
    /// Personalisation; BLAKE2s takes the first 8 bytes.
    pub personal: [u8; 16],
}

impl Parameters {
    /// Sequential mode without key.
    pub const SEQUENTIAL: Parameters = Parameters {
        digest_length: 0,
        key_length: 0,
        fanout: 1,
        max_depth: 1,
        leaf_length: 0,
        node_offset: 0,
        node_depth: 0,
        inner_length: 0,
        salt: [0; 16],
        personal: [0; 16],
    };
}

impl Default for Parameters {
    fn default() -> Parameters {
        Parameters::SEQUENTIAL
    }
}

/// An integer word that a message of bytes is made of.
pub trait MessageWord: Blake2Word {
    /// The word of some bytes, least significant first (section 2.4).
    fn from_bytes(bytes: &[u8]) -> Self;

    /// The words of a block, least significant byte first.
    fn parse(block: &[u8]) -> [Self; 16] {
        let bytes = Self::BITS as usize / 8;
        core::array::from_fn(|i| Self::from_bytes(&block[bytes * i..bytes * (i + 1)]))
    }
}

impl MessageWord for u64 {
    #[inline]
    fn from_bytes(bytes: &[u8]) -> u64 {
        bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
    }
}

impl MessageWord for u32 {
    #[inline]
    fn from_bytes(bytes: &[u8]) -> u32 {
        bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte))
    }
}

/// The state before the first block: the initialisation vector and the parameter block (section 2.5), added bit by bit.
#[inline]
pub fn initial<W: MessageWord>(parameters: &Parameters) -> [W; 8] {
    let mut block = [0u8; 64];
    block[0] = parameters.digest_length;
    block[1] = parameters.key_length;
    block[2] = parameters.fanout;
    block[3] = parameters.max_depth;
    block[4..8].copy_from_slice(&parameters.leaf_length.to_le_bytes());
    let offset = parameters.node_offset.to_le_bytes();
    let offset_bytes = if W::BITS == 64 { 8 } else { 6 };
    block[8..8 + offset_bytes].copy_from_slice(&offset[..offset_bytes]);
    block[8 + offset_bytes] = parameters.node_depth;
    block[9 + offset_bytes] = parameters.inner_length;
    let salt_at = W::BITS as usize / 2;
    block[salt_at..salt_at + W::SALT_BYTES].copy_from_slice(&parameters.salt[..W::SALT_BYTES]);
    let personal_at = salt_at + W::SALT_BYTES;
    block[personal_at..personal_at + W::SALT_BYTES].copy_from_slice(&parameters.personal[..W::SALT_BYTES]);

    let iv = iv::<W>();
    let bytes = W::BITS as usize / 8;
    core::array::from_fn(|i| iv[i].xor(&W::from_bytes(&block[bytes * i..bytes * (i + 1)])))
}

/// Section 3.3: the final state for a key and a message; the digest is its first bytes, least significant first.
///
/// `last_node` sets the second finalisation flag, for the last node of a level of a tree.
pub fn digest<W: MessageWord>(parameters: &Parameters, key: &[u8], message: &[u8], last_node: bool) -> [W; 8] {
    let block_bytes = W::BITS as usize * 2;
    let mut h = initial::<W>(parameters);
    let ones = W::constant(0).not();
    let zero = W::constant(0);
    let mut hashed: u128 = 0;
    let mut take = |block: &[u8], last: bool| {
        let mut padded = [0u8; 128];
        padded[..block.len()].copy_from_slice(block);
        hashed += block.len() as u128;
        let t = [0, W::BITS].map(|shift| W::constant((hashed >> shift) as u64 & (u64::MAX >> (64 - W::BITS))));
        let f0 = if last { ones.clone() } else { zero.clone() };
        let f1 = if last && last_node { ones.clone() } else { zero.clone() };
        compress(&mut h, &W::parse(&padded[..block_bytes]), &t, &[f0, f1]);
    };

    if !key.is_empty() {
        let mut block = [0u8; 128];
        block[..key.len()].copy_from_slice(key);
        take(&block[..block_bytes], message.is_empty());
        if message.is_empty() {
            return h;
        }
    }
    // The last block is never left empty but for an empty message.
    let before = message.len().saturating_sub(1) / block_bytes * block_bytes;
    message[..before].chunks(block_bytes).for_each(|block| take(block, false));
    take(&message[before..], true);
    h
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use vambrace_vectors::blake2::{self_test, self_test_sequence};

    use super::*;

    fn hash<W: MessageWord + Into<u64>>(length: usize, key: &[u8], message: &[u8]) -> Vec<u8> {
        let parameters =
            Parameters { digest_length: length as u8, key_length: key.len() as u8, ..Parameters::default() };
        let h = digest::<W>(&parameters, key, message, false);
        h.into_iter().flat_map(|word| word.into().to_le_bytes()[..W::BITS as usize / 8].to_vec()).take(length).collect()
    }

    /// Appendix E: the hash of all hashes of all given output and input lengths, unkeyed and keyed.
    #[track_caller]
    fn passes_the_self_test<W: MessageWord + Into<u64>>(algorithm: &str) {
        let test = self_test(algorithm).unwrap();
        let mut all = Vec::new();
        for output in test.output_lengths {
            for input in test.input_lengths {
                let message = self_test_sequence(input, input as u32);
                all.extend(hash::<W>(output, &[], &message));
                let key = self_test_sequence(output, output as u32);
                all.extend(hash::<W>(output, &key, &message));
            }
        }
        assert_eq!(hash::<W>(32, &[], &all), test.digest);
    }

    #[test]
    fn blake2b_passes_the_self_test_of_the_rfc() {
        passes_the_self_test::<u64>("blake2b");
    }

    #[test]
    fn blake2s_passes_the_self_test_of_the_rfc() {
        passes_the_self_test::<u32>("blake2s");
    }
}
