//! Salsa20 of D. J. Bernstein, "Salsa20 specification" (2005), with the 8 and 12 rounds of "The Salsa20 family of stream
//! ciphers" (2007), and XSalsa20 of "Extending the Salsa20 nonce" (2011).
//!
//! Names are those of the specification; section numbers refer to it.
//!
//! ```
//! use vambrace_reference::salsa20;
//!
//! // ECRYPT's verified test vectors, 128-bit key, set 1, vector 0.
//! let mut key = [0; 16];
//! key[0] = 0x80;
//! let state = salsa20::initial16(&key, &[0; 8], 0);
//! let stream = salsa20::to_bytes(&salsa20::hash(&state, 20));
//! assert_eq!(stream[..4], [0x4d, 0xfa, 0x5e, 0x48]);
//! ```

use crate::Word;

/// Left rotation c <<< n (section 2), of 32-bit words.
fn rotl<W: Word>(c: &W, n: u32) -> W {
    c.rotr(W::BITS - n)
}

/// Section 3: the quarterround function.
pub fn quarterround<W: Word>([y0, y1, y2, y3]: [&W; 4]) -> [W; 4] {
    let z1 = y1.xor(&rotl(&y0.add(y3), 7));
    let z2 = y2.xor(&rotl(&z1.add(y0), 9));
    let z3 = y3.xor(&rotl(&z2.add(&z1), 13));
    let z0 = y0.xor(&rotl(&z3.add(&z2), 18));
    [z0, z1, z2, z3]
}

/// Section 4: the rowround function.
pub fn rowround<W: Word>(y: &[W; 16]) -> [W; 16] {
    let [z0, z1, z2, z3] = quarterround([&y[0], &y[1], &y[2], &y[3]]);
    let [z5, z6, z7, z4] = quarterround([&y[5], &y[6], &y[7], &y[4]]);
    let [z10, z11, z8, z9] = quarterround([&y[10], &y[11], &y[8], &y[9]]);
    let [z15, z12, z13, z14] = quarterround([&y[15], &y[12], &y[13], &y[14]]);
    [z0, z1, z2, z3, z4, z5, z6, z7, z8, z9, z10, z11, z12, z13, z14, z15]
}

/// Section 5: the columnround function.
pub fn columnround<W: Word>(x: &[W; 16]) -> [W; 16] {
    let [y0, y4, y8, y12] = quarterround([&x[0], &x[4], &x[8], &x[12]]);
    let [y5, y9, y13, y1] = quarterround([&x[5], &x[9], &x[13], &x[1]]);
    let [y10, y14, y2, y6] = quarterround([&x[10], &x[14], &x[2], &x[6]]);
    let [y15, y3, y7, y11] = quarterround([&x[15], &x[3], &x[7], &x[11]]);
    [y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14, y15]
}

/// Section 6: the doubleround function.
pub fn doubleround<W: Word>(x: &[W; 16]) -> [W; 16] {
    rowround(&columnround(x))
}

/// `rounds / 2` double rounds; `rounds` is even.
fn rounds_of<W: Word>(x: &[W; 16], rounds: u32) -> [W; 16] {
    (0..rounds / 2).fold(x.clone(), |z, _| doubleround(&z))
}

/// Section 8: the Salsa20 hash function, on words; `rounds` is 20, 12 or 8.
pub fn hash<W: Word>(x: &[W; 16], rounds: u32) -> [W; 16] {
    let z = rounds_of(x, rounds);
    core::array::from_fn(|i| x[i].add(&z[i]))
}

/// Section 10: the state of the next block. The block counter is the 64-bit integer of the words 8 and 9, low word first.
pub fn count<W: Word>(state: &mut [W; 16]) {
    [state[8], state[9]] = W::add_to_pair([&state[8], &state[9]], &W::constant(1));
}

/// "Extending the Salsa20 nonce", section 2: the words of HSalsa20, a key for Salsa20.
pub fn hsalsa20<W: Word>(x: &[W; 16], rounds: u32) -> [W; 8] {
    let z = rounds_of(x, rounds);
    [0, 5, 10, 15, 6, 7, 8, 9].map(|i: usize| z[i].clone())
}

/// Section 7: the littleendian function, for each word of some bytes.
#[inline]
fn littleendian<const WORDS: usize>(b: &[u8]) -> [u32; WORDS] {
    let (words, _) = b.as_chunks();
    core::array::from_fn(|i| u32::from_le_bytes(words[i]))
}

/// Section 8: the inverse of the littleendian function, for the words of a block.
pub fn to_bytes(words: &[u32; 16]) -> [u8; 64] {
    let mut bytes = [0; 64];
    for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
    bytes
}

/// Section 9: what the expansion function hashes, for the constants c, the halves of the key and n.
#[inline(always)]
fn expansion(c: &[u8; 16], [k0, k1]: [&[u8]; 2], n: &[u8; 16]) -> [u32; 16] {
    let [c0, c1, c2, c3] = littleendian(c);
    let [a1, a2, a3, a4] = littleendian(k0);
    let [n6, n7, n8, n9] = littleendian(n);
    let [b11, b12, b13, b14] = littleendian(k1);
    [c0, a1, a2, a3, a4, c1, n6, n7, n8, n9, c2, b11, b12, b13, b14, c3]
}

/// Section 9: what the expansion function hashes for a 32-byte key, with the constants σ.
#[inline]
pub fn expansion32(key: &[u8; 32], n: &[u8; 16]) -> [u32; 16] {
    let (k0, k1) = key.split_at(16);
    expansion(b"expand 32-byte k", [k0, k1], n)
}

/// Section 9: what the expansion function hashes for a 16-byte key, with the constants τ.
#[inline]
pub fn expansion16(key: &[u8; 16], n: &[u8; 16]) -> [u32; 16] {
    expansion(b"expand 16-byte k", [key, key], n)
}

/// Section 10: the nonce and the number of a block, together.
#[inline]
fn nonce_and_block(nonce: &[u8; 8], block: u64) -> [u8; 16] {
    let mut n = [0; 16];
    n[..8].copy_from_slice(nonce);
    n[8..].copy_from_slice(&block.to_le_bytes());
    n
}

/// Section 10: the state of a block under a 32-byte key; its [`hash`] is the block's part of the stream.
#[inline]
pub fn initial32(key: &[u8; 32], nonce: &[u8; 8], block: u64) -> [u32; 16] {
    expansion32(key, &nonce_and_block(nonce, block))
}

/// Section 10: the state of a block under a 16-byte key.
#[inline]
pub fn initial16(key: &[u8; 16], nonce: &[u8; 8], block: u64) -> [u32; 16] {
    expansion16(key, &nonce_and_block(nonce, block))
}

/// "Extending the Salsa20 nonce", section 2: the state of a block of XSalsa20.
pub fn initial_extended(key: &[u8; 32], nonce: &[u8; 24], block: u64, rounds: u32) -> [u32; 16] {
    let (first, last) = nonce.split_first_chunk().expect("24 bytes are more than 16");
    let words = hsalsa20(&expansion32(key, first), rounds);
    let mut derived = [0; 32];
    for (bytes, word) in derived.as_chunks_mut().0.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
    initial32(&derived, last.try_into().expect("24 - 16 = 8"), block)
}

/// Section 10: encrypts (or decrypts) from the block of the state on. Afterwards the state is that of the block behind the
/// last one, of which data may use any part.
pub fn apply(state: &mut [u32; 16], rounds: u32, data: &mut [u8]) {
    for block in data.chunks_mut(64) {
        let stream = to_bytes(&hash(state, rounds));
        block.iter_mut().zip(stream).for_each(|(byte, key)| *byte ^= key);
        count(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quarter(y: [u32; 4]) -> [u32; 4] {
        quarterround(y.each_ref())
    }

    /// The examples of section 3.
    #[test]
    fn quarterround_examples() {
        assert_eq!(quarter([0, 0, 0, 0]), [0, 0, 0, 0]);
        assert_eq!(quarter([1, 0, 0, 0]), [0x08008145, 0x00000080, 0x00010200, 0x20500000]);
        assert_eq!(quarter([0, 1, 0, 0]), [0x88000100, 0x00000001, 0x00000200, 0x00402000]);
        assert_eq!(quarter([0, 0, 1, 0]), [0x80040000, 0x00000000, 0x00000001, 0x00002000]);
        assert_eq!(quarter([0, 0, 0, 1]), [0x00048044, 0x00000080, 0x00010000, 0x20100001]);
        assert_eq!(
            quarter([0xe7e8c006, 0xc4f9417d, 0x6479b4b2, 0x68c67137]),
            [0xe876d72b, 0x9361dfd5, 0xf1460244, 0x948541a3]
        );
        assert_eq!(
            quarter([0xd3917c5b, 0x55f1c407, 0x52a58a7a, 0x8f887a3b]),
            [0x3e2f308c, 0xd90a8f36, 0x6ab2a923, 0x2883524c]
        );
    }

    /// The input of the second example of sections 4 and 5.
    #[rustfmt::skip]
    const EXAMPLE: [u32; 16] = [
        0x08521bd6, 0x1fe88837, 0xbb2aa576, 0x3aa26365, 0xc54c6a5b, 0x2fc74c2f, 0x6dd39cc3, 0xda0a64f6,
        0x90a2f23d, 0x067f95a6, 0x06b35f61, 0x41e4732e, 0xe859c100, 0xea4d84b7, 0x0f619bff, 0xbc6e965a,
    ];

    #[test]
    #[rustfmt::skip]
    fn rowround_example() {
        assert_eq!(rowround(&EXAMPLE), [
            0xa890d39d, 0x65d71596, 0xe9487daa, 0xc8ca6a86, 0x949d2192, 0x764b7754, 0xe408d9b9, 0x7a41b4d1,
            0x3402e183, 0x3c3af432, 0x50669f96, 0xd89ef0a8, 0x0040ede5, 0xb545fbce, 0xd257ed4f, 0x1818882d,
        ]);
    }

    #[test]
    #[rustfmt::skip]
    fn columnround_example() {
        assert_eq!(columnround(&EXAMPLE), [
            0x8c9d190a, 0xce8e4c90, 0x1ef8e9d3, 0x1326a71a, 0x90a20123, 0xead3c4f3, 0x63a091a0, 0xf0708d69,
            0x789b010c, 0xd195a681, 0xeb7d5504, 0xa774135c, 0x481c2027, 0x53a8e4b5, 0x4c1f89c5, 0x3f78c9c8,
        ]);
    }

    #[test]
    #[rustfmt::skip]
    fn doubleround_example() {
        let x: [u32; 16] = [
            0xde501066, 0x6f9eb8f7, 0xe4fbbd9b, 0x454e3f57, 0xb75540d3, 0x43e93a4c, 0x3a6f2aa0, 0x726d6b36,
            0x9243f484, 0x9145d1e8, 0x4fa9d247, 0xdc8dee11, 0x054bf545, 0x254dd653, 0xd9421b6d, 0x67b276c1,
        ];
        assert_eq!(doubleround(&x), [
            0xccaaf672, 0x23d960f7, 0x9153e63a, 0xcd9a60d0, 0x50440492, 0xf07cad19, 0xae344aa0, 0xdf4cfdfc,
            0xca531c29, 0x8e7943db, 0xac1680cd, 0xd503ca00, 0xa74b2ad6, 0xbc331c5c, 0x1dda24c7, 0xee928277,
        ]);
    }

    /// The last example of section 8: the hash function, a million times.
    #[test]
    fn hash_a_million_times() {
        let x = [
            6, 124, 83, 146, 38, 191, 9, 50, 4, 161, 47, 222, 122, 182, 223, 185, 75, 27, 0, 216, 16, 122, 7, 89, 162,
            104, 101, 147, 213, 21, 54, 95, 225, 253, 139, 176, 105, 132, 23, 116, 76, 41, 176, 207, 221, 34, 157, 108,
            94, 94, 99, 52, 90, 117, 91, 220, 146, 190, 239, 143, 196, 176, 130, 186,
        ];
        let z = [
            8, 18, 38, 199, 119, 76, 215, 67, 173, 127, 144, 162, 103, 212, 176, 217, 192, 19, 233, 33, 159, 197, 154,
            160, 128, 243, 219, 65, 171, 136, 135, 225, 123, 11, 68, 86, 237, 82, 20, 155, 133, 189, 9, 83, 167, 116,
            194, 78, 122, 127, 195, 185, 185, 204, 188, 90, 245, 9, 183, 248, 226, 85, 245, 104,
        ];
        let words = (0..1_000_000).fold(littleendian(&x), |words, _| hash(&words, 20));
        assert_eq!(to_bytes(&words), z);
    }

    #[test]
    fn the_counter_has_64_bits() {
        for (before, after) in [
            (0, 1),
            (0x7fff_ffff, 0x8000_0000),
            (0x8000_0000, 0x8000_0001),
            (0xffff_ffff, 0x1_0000_0000),
            (0x1234_5678_ffff_ffff, 0x1234_5679_0000_0000),
            (u64::MAX, 0),
        ] {
            let mut state = initial32(&[7; 32], &[9; 8], before);
            count(&mut state);
            assert_eq!(state, initial32(&[7; 32], &[9; 8], after));
        }
    }
}
