//! AES of FIPS 197, as a Boolean circuit: no table, no branch and no address depends on a secret.
//!
//! Bytes are in *planes*: bit b of byte j is bit j of plane b, so that one operation on words works on as many bytes as a
//! word has bits. Byte `s[r, c]` of the state, which the standard numbers r + 4c, is at bit r + 4c; behind it follow the states
//! of further blocks. The S-box is what section 5.1.1 defines it to be, inversion and an affine map.
//!
//! Names are those of the standard; section numbers refer to the edition of 2001.
//!
//! ```
//! use vambrace_reference::aes::Aes;
//! use vambrace_reference::xts::BlockCipher;
//!
//! // Appendix B.
//! let key = [0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c];
//! let mut block = [0x32, 0x43, 0xf6, 0xa8, 0x88, 0x5a, 0x30, 0x8d, 0x31, 0x31, 0x98, 0xa2, 0xe0, 0x37, 0x07, 0x34];
//! Aes::new(&key).unwrap().encrypt_block(&mut block);
//! assert_eq!(block[..4], [0x39, 0x25, 0x84, 0x1d]);
//! ```

use crate::Word;
use crate::xts::BlockCipher;

/// Eight planes: bytes as many as a word has bits.
pub type Planes<W> = [W; 8];

/// Section 4.1: addition.
fn add<W: Word>(a: &Planes<W>, b: &Planes<W>) -> Planes<W> {
    core::array::from_fn(|i| a[i].xor(&b[i]))
}

/// Section 4.2: a polynomial of degree 14 modulo m(x) = x^8 + x^4 + x^3 + x + 1.
fn reduce<W: Word>(mut c: [W; 15]) -> Planes<W> {
    for i in (8..15).rev() {
        for power in [4, 3, 1, 0] {
            c[i - 8 + power] = c[i - 8 + power].xor(&c[i]);
        }
    }
    let [c0, c1, c2, c3, c4, c5, c6, c7, ..] = c;
    [c0, c1, c2, c3, c4, c5, c6, c7]
}

/// Section 4.2: multiplication.
fn multiply<W: Word>(a: &Planes<W>, b: &Planes<W>) -> Planes<W> {
    let mut c = core::array::from_fn(|_| W::constant(0));
    for i in 0..8 {
        for j in 0..8 {
            c[i + j] = c[i + j].xor(&a[i].and(&b[j]));
        }
    }
    reduce(c)
}

/// The square: in characteristic 2 the terms of a sum are squared one by one.
fn square<W: Word>(a: &Planes<W>) -> Planes<W> {
    reduce(core::array::from_fn(|i| if i % 2 == 0 { a[i / 2].clone() } else { W::constant(0) }))
}

/// Section 4.2.1: multiplication by x.
fn xtime<W: Word>(a: &Planes<W>) -> Planes<W> {
    let mut c = core::array::from_fn(|_| W::constant(0));
    c[1..9].clone_from_slice(a);
    reduce(c)
}

/// Section 4.2: the multiplicative inverse, and 0 for 0: a^254, since a^255 = 1 for all others.
fn invert<W: Word>(a: &Planes<W>) -> Planes<W> {
    let fourth = |a: &Planes<W>| square(&square(a));
    let a2 = square(a);
    let a3 = multiply(&a2, a);
    let a12 = fourth(&a3);
    let a15 = multiply(&a12, &a3);
    let a240 = fourth(&fourth(&a15));
    multiply(&multiply(&a240, &a12), &a2)
}

/// Section 5.1.1: SubBytes, inversion and the affine map of equation 5.1.
pub fn sub_bytes<W: Word>(s: &Planes<W>) -> Planes<W> {
    let b = invert(s);
    core::array::from_fn(|i| {
        let sum = [4, 5, 6, 7].iter().fold(b[i].clone(), |sum, k| sum.xor(&b[(i + k) % 8]));
        if 0x63 >> i & 1 == 1 { sum.not() } else { sum }
    })
}

/// Section 5.3.2: InvSubBytes, the inverse of the affine map and inversion.
pub fn inv_sub_bytes<W: Word>(s: &Planes<W>) -> Planes<W> {
    invert(&core::array::from_fn(|i| {
        let sum = s[(i + 2) % 8].xor(&s[(i + 5) % 8]).xor(&s[(i + 7) % 8]);
        if 0x05 >> i & 1 == 1 { sum.not() } else { sum }
    }))
}

/// A word of the cipher. SubBytes and InvSubBytes on it are the circuits above, unless a word knows the S-box as such, as a
/// term does.
pub trait AesWord: Word {
    /// SubBytes.
    fn sub_bytes(s: &Planes<Self>) -> Planes<Self> {
        sub_bytes(s)
    }
    /// InvSubBytes.
    fn inv_sub_bytes(s: &Planes<Self>) -> Planes<Self> {
        inv_sub_bytes(s)
    }
}

impl AesWord for u32 {}
impl AesWord for u64 {}

/// The 16 bits of a pattern, for each state in a word.
fn each_state<W: Word>(pattern: u64) -> W {
    W::constant((pattern * 0x0001_0001_0001_0001) & (u64::MAX >> (64 - W::BITS)))
}

/// Each state's bits rotated right by n < 16: what was at bit j + n mod 16 is at bit j.
fn rotate_states<W: Word>(plane: &W, n: u32) -> W {
    if n == 0 {
        return plane.clone();
    }
    let low = each_state(0xffff >> n);
    plane.shr(n).and(&low).or(&plane.shl(16 - n).and(&low.not()))
}

/// Row r moved to the left by `columns[r]`.
fn move_rows<W: Word>(s: &Planes<W>, columns: [u32; 4]) -> Planes<W> {
    core::array::from_fn(|i| {
        (0..4)
            .fold(W::constant(0), |sum, r| sum.or(&rotate_states(&s[i], 4 * columns[r]).and(&each_state(0x1111 << r))))
    })
}

/// Section 5.1.2: ShiftRows, `s′[r, c] = s[r, c + r mod 4]`.
pub fn shift_rows<W: Word>(s: &Planes<W>) -> Planes<W> {
    move_rows(s, [0, 1, 2, 3])
}

/// Section 5.3.1: InvShiftRows.
pub fn inv_shift_rows<W: Word>(s: &Planes<W>) -> Planes<W> {
    move_rows(s, [0, 3, 2, 1])
}

/// `s[r + n mod 4, c]` at the place of `s[r, c]`, 0 < n < 4.
fn rotate_columns<W: Word>(s: &Planes<W>, n: u32) -> Planes<W> {
    let low = each_state::<W>(0x1111 * (0xf >> n));
    core::array::from_fn(|i| s[i].shr(n).and(&low).or(&s[i].shl(4 - n).and(&low.not())))
}

/// Section 5.1.3: MixColumns, `s′[r] = {02} • s[r] ⊕ {03} • s[r + 1] ⊕ s[r + 2] ⊕ s[r + 3]`.
pub fn mix_columns<W: Word>(s: &Planes<W>) -> Planes<W> {
    let [s1, s2, s3] = [1, 2, 3].map(|n| rotate_columns(s, n));
    add(&add(&xtime(&add(s, &s1)), &s1), &add(&s2, &s3))
}

/// Section 5.3.3: InvMixColumns, `s′[r] = {0e} • s[r] ⊕ {0b} • s[r + 1] ⊕ {0d} • s[r + 2] ⊕ {09} • s[r + 3]`.
pub fn inv_mix_columns<W: Word>(s: &Planes<W>) -> Planes<W> {
    let [s1, s2, s3] = [1, 2, 3].map(|n| rotate_columns(s, n));
    let by1 = add(&add(&s1, &s2), &s3);
    let by2 = add(s, &s1);
    let by4 = add(s, &s2);
    let by8 = add(s, &by1);
    add(&by1, &xtime(&add(&by2, &xtime(&add(&by4, &xtime(&by8))))))
}

/// Section 5.1: the cipher, under the round keys of [`expand_key`].
pub fn cipher<W: AesWord>(round_keys: &[Planes<W>], input: &Planes<W>) -> Planes<W> {
    let [first, middle @ .., last] = round_keys else { unreachable!("there are eleven or more") };
    let mut state = add(input, first);
    for round_key in middle {
        state = add(&mix_columns(&shift_rows(&W::sub_bytes(&state))), round_key);
    }
    add(&shift_rows(&W::sub_bytes(&state)), last)
}

/// Section 5.3: the inverse cipher, under the same round keys.
pub fn inv_cipher<W: AesWord>(round_keys: &[Planes<W>], input: &Planes<W>) -> Planes<W> {
    let [first, middle @ .., last] = round_keys else { unreachable!("there are eleven or more") };
    let mut state = add(input, last);
    for round_key in middle.iter().rev() {
        state = inv_mix_columns(&add(&W::inv_sub_bytes(&inv_shift_rows(&state)), round_key));
    }
    add(&W::inv_sub_bytes(&inv_shift_rows(&state)), first)
}

/// Section 5.2: the key schedule. The key has Nk = 4, 6 or 8 words, each of four bytes in planes (at bits 0 to 3); there is
/// room for Nr + 1 = Nk + 7 round keys, which are the same for each state in a word.
pub fn expand_key<W: AesWord>(key: &[Planes<W>], round_keys: &mut [Planes<W>]) {
    let nk = key.len();
    // w[i] at index i mod Nk.
    let mut w: [Planes<W>; 8] = core::array::from_fn(|i| key[i % nk].clone());
    // Rcon[i / Nk] = x^(i / Nk − 1), as the first byte of a word.
    let mut rcon: Planes<W> = core::array::from_fn(|i| W::constant(u64::from(i == 0)));
    round_keys.fill(core::array::from_fn(|_| W::constant(0)));
    for i in 0..4 * round_keys.len() {
        if i >= nk {
            let mut temp = w[(i - 1) % nk].clone();
            if i % nk == 0 {
                temp = add(&only_word(&W::sub_bytes(&rotate_columns(&temp, 1))), &rcon);
                rcon = xtime(&rcon);
            } else if nk > 6 && i % nk == 4 {
                temp = only_word(&W::sub_bytes(&temp));
            }
            w[i % nk] = add(&w[i % nk], &temp);
        }
        // Word c of the round key, in each state of a word.
        let round_key = &mut round_keys[i / 4];
        for (plane, word) in round_key.iter_mut().zip(&w[i % nk]) {
            for state in 0..W::BITS / 16 {
                let at = 16 * state + 4 * (i as u32 % 4);
                *plane = plane.or(&if at == 0 { word.clone() } else { word.shl(at) });
            }
        }
    }
}

/// The first four bytes, without what the S-box makes of the zeros behind them.
fn only_word<W: Word>(s: &Planes<W>) -> Planes<W> {
    core::array::from_fn(|i| s[i].and(&W::constant(0xf)))
}

/// Planes of bytes, each of which is the value of a word. There are at most as many as a word has bits.
pub fn to_planes<W: Word>(bytes: impl IntoIterator<Item = W>) -> Planes<W> {
    let mut planes: Planes<W> = core::array::from_fn(|_| W::constant(0));
    for (j, byte) in (0..).zip(bytes) {
        for (i, plane) in (0..).zip(&mut planes) {
            let bit = shr(&byte, i).and(&W::constant(1));
            *plane = plane.or(&if j == 0 { bit } else { bit.shl(j) });
        }
    }
    planes
}

/// Byte j of planes, as the value of a word.
pub fn byte_of<W: Word>(planes: &Planes<W>, j: u32) -> W {
    (0..).zip(planes).fold(W::constant(0), |byte, (i, plane)| {
        let bit = shr(plane, j).and(&W::constant(1));
        byte.or(&if i == 0 { bit } else { bit.shl(i) })
    })
}

/// Shift right by 0 ≤ n.
fn shr<W: Word>(word: &W, n: u32) -> W {
    if n == 0 { word.clone() } else { word.shr(n) }
}

/// Bytes to planes of 64 bits.
fn pack(bytes: &[u8]) -> Planes<u64> {
    to_planes(bytes.iter().map(|&byte| u64::from(byte)))
}

/// Planes of 64 bits to bytes.
fn unpack(planes: &Planes<u64>, bytes: &mut [u8]) {
    (0..).zip(bytes).for_each(|(j, byte)| *byte = byte_of(planes, j) as u8);
}

/// Round keys, to encrypt and decrypt blocks of bytes, four at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aes {
    round_keys: [Planes<u64>; 15],
    /// Nr.
    rounds: usize,
}

impl Aes {
    /// The cipher under a key of 16, 24 or 32 bytes; none for any other length.
    pub fn new(key: &[u8]) -> Option<Aes> {
        let rounds = match key.len() {
            16 => 10,
            24 => 12,
            32 => 14,
            _ => return None,
        };
        let mut words = [[0; 8]; 8];
        let (bytes, _) = key.as_chunks::<4>();
        words.iter_mut().zip(bytes).for_each(|(word, bytes)| *word = pack(bytes));
        let mut round_keys = [[0; 8]; 15];
        expand_key(&words[..bytes.len()], &mut round_keys[..=rounds]);
        Some(Aes { round_keys, rounds })
    }

    /// The cipher under 11, 13 or 15 [round keys](Aes::round_key) of 16 bytes each; none for any other length.
    pub fn from_schedule(schedule: &[u8]) -> Option<Aes> {
        let (keys, []) = schedule.as_chunks::<16>() else { return None };
        if !matches!(keys.len(), 11 | 13 | 15) {
            return None;
        }
        let mut round_keys = [[0; 8]; 15];
        round_keys.iter_mut().zip(keys).for_each(|(planes, key)| *planes = pack([*key; 4].as_flattened()));
        Some(Aes { round_keys, rounds: keys.len() - 1 })
    }

    /// Nr: 10, 12 or 14.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// Section 5.2: round key number `round` in bytes, the words `w[4 round]` to `w[4 round + 3]`; none if there is no such round.
    pub fn round_key(&self, round: usize) -> Option<[u8; 16]> {
        let mut key = [0; 16];
        unpack(self.round_keys[..=self.rounds].get(round)?, &mut key);
        Some(key)
    }

    /// As many blocks as fit in planes, by [`cipher`] or [`inv_cipher`].
    fn each_four(&self, blocks: &mut [[u8; 16]], function: fn(&[Planes<u64>], &Planes<u64>) -> Planes<u64>) {
        for blocks in blocks.chunks_mut(4) {
            let bytes = blocks.as_flattened_mut();
            unpack(&function(&self.round_keys[..=self.rounds], &pack(bytes)), bytes);
        }
    }
}

impl BlockCipher<16> for Aes {
    fn encrypt_block(&self, block: &mut [u8; 16]) {
        self.encrypt_blocks(core::array::from_mut(block));
    }
    fn decrypt_block(&self, block: &mut [u8; 16]) {
        self.decrypt_blocks(core::array::from_mut(block));
    }
    fn encrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
        self.each_four(blocks, cipher);
    }
    fn decrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
        self.each_four(blocks, inv_cipher);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figure 7.
    #[rustfmt::skip]
    const S_BOX: [u8; 256] = [
        0x63, 0x7c, 0x77, 0x7b, 0xf2, 0x6b, 0x6f, 0xc5, 0x30, 0x01, 0x67, 0x2b, 0xfe, 0xd7, 0xab, 0x76,
        0xca, 0x82, 0xc9, 0x7d, 0xfa, 0x59, 0x47, 0xf0, 0xad, 0xd4, 0xa2, 0xaf, 0x9c, 0xa4, 0x72, 0xc0,
        0xb7, 0xfd, 0x93, 0x26, 0x36, 0x3f, 0xf7, 0xcc, 0x34, 0xa5, 0xe5, 0xf1, 0x71, 0xd8, 0x31, 0x15,
        0x04, 0xc7, 0x23, 0xc3, 0x18, 0x96, 0x05, 0x9a, 0x07, 0x12, 0x80, 0xe2, 0xeb, 0x27, 0xb2, 0x75,
        0x09, 0x83, 0x2c, 0x1a, 0x1b, 0x6e, 0x5a, 0xa0, 0x52, 0x3b, 0xd6, 0xb3, 0x29, 0xe3, 0x2f, 0x84,
        0x53, 0xd1, 0x00, 0xed, 0x20, 0xfc, 0xb1, 0x5b, 0x6a, 0xcb, 0xbe, 0x39, 0x4a, 0x4c, 0x58, 0xcf,
        0xd0, 0xef, 0xaa, 0xfb, 0x43, 0x4d, 0x33, 0x85, 0x45, 0xf9, 0x02, 0x7f, 0x50, 0x3c, 0x9f, 0xa8,
        0x51, 0xa3, 0x40, 0x8f, 0x92, 0x9d, 0x38, 0xf5, 0xbc, 0xb6, 0xda, 0x21, 0x10, 0xff, 0xf3, 0xd2,
        0xcd, 0x0c, 0x13, 0xec, 0x5f, 0x97, 0x44, 0x17, 0xc4, 0xa7, 0x7e, 0x3d, 0x64, 0x5d, 0x19, 0x73,
        0x60, 0x81, 0x4f, 0xdc, 0x22, 0x2a, 0x90, 0x88, 0x46, 0xee, 0xb8, 0x14, 0xde, 0x5e, 0x0b, 0xdb,
        0xe0, 0x32, 0x3a, 0x0a, 0x49, 0x06, 0x24, 0x5c, 0xc2, 0xd3, 0xac, 0x62, 0x91, 0x95, 0xe4, 0x79,
        0xe7, 0xc8, 0x37, 0x6d, 0x8d, 0xd5, 0x4e, 0xa9, 0x6c, 0x56, 0xf4, 0xea, 0x65, 0x7a, 0xae, 0x08,
        0xba, 0x78, 0x25, 0x2e, 0x1c, 0xa6, 0xb4, 0xc6, 0xe8, 0xdd, 0x74, 0x1f, 0x4b, 0xbd, 0x8b, 0x8a,
        0x70, 0x3e, 0xb5, 0x66, 0x48, 0x03, 0xf6, 0x0e, 0x61, 0x35, 0x57, 0xb9, 0x86, 0xc1, 0x1d, 0x9e,
        0xe1, 0xf8, 0x98, 0x11, 0x69, 0xd9, 0x8e, 0x94, 0x9b, 0x1e, 0x87, 0xe9, 0xce, 0x55, 0x28, 0xdf,
        0x8c, 0xa1, 0x89, 0x0d, 0xbf, 0xe6, 0x42, 0x68, 0x41, 0x99, 0x2d, 0x0f, 0xb0, 0x54, 0xbb, 0x16,
    ];

    #[test]
    fn the_s_box_is_the_table_of_the_standard() {
        for first in [0, 64, 128, 192] {
            let bytes: [u8; 64] = core::array::from_fn(|j| first + j as u8);
            let mut substituted = [0; 64];
            unpack(&sub_bytes(&pack(&bytes)), &mut substituted);
            assert_eq!(substituted, bytes.map(|byte| S_BOX[usize::from(byte)]));
            unpack(&inv_sub_bytes(&pack(&bytes)), &mut substituted);
            assert_eq!(bytes, substituted.map(|byte| S_BOX[usize::from(byte)]));
        }
    }

    /// Multiplication of two bytes, bit by bit.
    fn product(a: u8, b: u8) -> u8 {
        (0..8).rev().fold(0, |sum, i| {
            let twice = if sum & 0x80 == 0 { sum << 1 } else { sum << 1 ^ 0x1b };
            if b >> i & 1 == 1 { twice ^ a } else { twice }
        })
    }

    #[test]
    fn multiplication_is_that_of_the_field() {
        // {57} • {83} = {c1}, section 4.2.
        assert_eq!(product(0x57, 0x83), 0xc1);
        let all: [u8; 64] = core::array::from_fn(|i| (i * 37 + 11) as u8);
        for b in 0..=255 {
            let mut bytes = [0; 64];
            unpack(&multiply(&pack(&all), &pack(&[b; 64])), &mut bytes);
            assert_eq!(bytes, all.map(|a| product(a, b)));
        }
        let mut bytes = [0; 64];
        unpack(&square(&pack(&all)), &mut bytes);
        assert_eq!(bytes, all.map(|a| product(a, a)));
    }

    #[test]
    fn columns_are_mixed_as_matrices_say() {
        let state: [u8; 64] = core::array::from_fn(|i| (i * i * 5 + 3 * i + 1) as u8);
        let mixed = |row: [u8; 4]| -> [u8; 64] {
            core::array::from_fn(|at| {
                let (c, r) = (at / 4, at % 4);
                (0..4).fold(0, |sum, k| sum ^ product(row[(k + 4 - r) % 4], state[4 * c + k]))
            })
        };
        let mut bytes = [0; 64];
        unpack(&mix_columns(&pack(&state)), &mut bytes);
        assert_eq!(bytes, mixed([2, 3, 1, 1]));
        unpack(&inv_mix_columns(&pack(&state)), &mut bytes);
        assert_eq!(bytes, mixed([0x0e, 0x0b, 0x0d, 0x09]));
    }

    #[test]
    fn rows_are_shifted_as_the_figure_says() {
        let state: [u8; 64] = core::array::from_fn(|i| i as u8);
        let mut bytes = [0; 64];
        unpack(&shift_rows(&pack(&state)), &mut bytes);
        let row_and_column = |at: usize| (at % 4, at / 4 % 4, at / 16);
        assert_eq!(
            bytes,
            core::array::from_fn(|at| {
                let (r, c, block) = row_and_column(at);
                state[16 * block + 4 * ((c + r) % 4) + r]
            })
        );
        unpack(&inv_shift_rows(&pack(&bytes)), &mut bytes);
        assert_eq!(bytes, state);
    }

    /// Appendix A: words of the expanded keys, the last of each.
    #[test]
    fn keys_are_expanded_as_in_the_appendix() {
        let key = [
            0x60, 0x3d, 0xeb, 0x10, 0x15, 0xca, 0x71, 0xbe, 0x2b, 0x73, 0xae, 0xf0, 0x85, 0x7d, 0x77, 0x81, 0x1f, 0x35,
            0x2c, 0x07, 0x3b, 0x61, 0x08, 0xd7, 0x2d, 0x98, 0x10, 0xa3, 0x09, 0x14, 0xdf, 0xf4,
        ];
        let last = Aes::new(&key).unwrap().round_key(14).unwrap();
        assert_eq!(last[12..], [0x70, 0x6c, 0x63, 0x1e]);
        let key = [
            0x8e, 0x73, 0xb0, 0xf7, 0xda, 0x0e, 0x64, 0x52, 0xc8, 0x10, 0xf3, 0x2b, 0x80, 0x90, 0x79, 0xe5, 0x62, 0xf8,
            0xea, 0xd2, 0x52, 0x2c, 0x6b, 0x7b,
        ];
        assert_eq!(Aes::new(&key).unwrap().round_key(12).unwrap()[12..], [0x01, 0x00, 0x22, 0x02]);
        let key = [0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c];
        let cipher = Aes::new(&key).unwrap();
        assert_eq!(cipher.round_key(0).unwrap(), key);
        assert_eq!(cipher.round_key(10).unwrap()[12..], [0xb6, 0x63, 0x0c, 0xa6]);
        assert_eq!(cipher.round_key(11), None);
    }

    /// Appendix C: one block of each key size, under 00 01 02 …
    #[test]
    fn examples_of_the_appendix() {
        let key: [u8; 32] = core::array::from_fn(|i| i as u8);
        let plaintext: [u8; 16] = core::array::from_fn(|i| (i * 0x11) as u8);
        let ciphertexts = [
            [0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a],
            [0xdd, 0xa9, 0x7c, 0xa4, 0x86, 0x4c, 0xdf, 0xe0, 0x6e, 0xaf, 0x70, 0xa0, 0xec, 0x0d, 0x71, 0x91],
            [0x8e, 0xa2, 0xb7, 0xca, 0x51, 0x67, 0x45, 0xbf, 0xea, 0xfc, 0x49, 0x90, 0x4b, 0x49, 0x60, 0x89],
        ];
        for (bytes, ciphertext) in [16, 24, 32].into_iter().zip(ciphertexts) {
            let cipher = Aes::new(&key[..bytes]).unwrap();
            let mut block = plaintext;
            cipher.encrypt_block(&mut block);
            assert_eq!(block, ciphertext);
            cipher.decrypt_block(&mut block);
            assert_eq!(block, plaintext);
        }
        assert_eq!(Aes::new(&key[..17]), None);
    }

    fn words(blocks: &[[u8; 16]]) -> impl Iterator<Item = u32> {
        blocks.as_flattened().iter().map(|&byte| byte.into())
    }

    /// Any number of blocks, and 32-bit words, give what single blocks give.
    #[test]
    fn blocks_do_not_touch_each_other() {
        let cipher = Aes::new(&[0x5a; 32]).unwrap();
        let plain: [[u8; 16]; 9] = core::array::from_fn(|n| core::array::from_fn(|i| (n * 31 + i * 7) as u8));
        let mut single = plain;
        single.iter_mut().for_each(|block| cipher.encrypt_block(block));
        for n in 0..=9 {
            let mut blocks = plain;
            cipher.encrypt_blocks(&mut blocks[..n]);
            assert_eq!(blocks[..n], single[..n]);
            assert_eq!(blocks[n..], plain[n..]);
            cipher.decrypt_blocks(&mut blocks[..n]);
            assert_eq!(blocks, plain);
        }

        let key = [to_planes([0x5a_u32; 4]); 8];
        let mut round_keys = [[0; 8]; 15];
        expand_key(&key, &mut round_keys);
        let planes = super::cipher(&round_keys, &to_planes(words(&plain[..2])));
        for (j, byte) in single[..2].as_flattened().iter().enumerate() {
            assert_eq!(byte_of(&planes, j as u32), u32::from(*byte));
        }
        let back = inv_cipher(&round_keys, &planes);
        assert_eq!(back, to_planes(words(&plain[..2])));
    }

    #[test]
    fn a_schedule_is_its_round_keys() {
        for bytes in [16, 24, 32] {
            let cipher = Aes::new(&[0xc3; 32][..bytes]).unwrap();
            let mut schedule = [[0; 16]; 15];
            let keys = &mut schedule[..=cipher.rounds()];
            keys.iter_mut().enumerate().for_each(|(round, key)| *key = cipher.round_key(round).unwrap());
            assert_eq!(Aes::from_schedule(keys.as_flattened()), Some(cipher));
            assert_eq!(Aes::from_schedule(&keys.as_flattened()[1..]), None);
            assert_eq!(Aes::from_schedule(&keys.as_flattened()[16..]), None);
        }
    }
}
