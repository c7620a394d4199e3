//! Speck with 32- and 64-bit words, of "The Simon and Speck Families of Lightweight Block Ciphers" (Beaulieu et al., 2013),
//! section 4.
//!
//! A block is two words (x, y). A key is m words: k₀, then ℓ₀ to ℓₘ₋₂. The paper writes them the other way round, ℓₘ₋₂ to k₀.
//!
//! The paper says nothing about bytes. Here they have the order of the designers' "Simon and Speck Implementation Guide"
//! (2018), as in Linux 4.17: words are little-endian, a block is y and then x, a key is k₀ and then ℓ₀, ℓ₁ …
//!
//! ```
//! use vambrace_reference::speck;
//!
//! // Appendix C, Speck64/96.
//! let key = [0x03020100, 0x0b0a0908, 0x13121110];
//! let round_keys: [u32; 26] = speck::expand_key(&key);
//! assert_eq!(speck::encrypt(&round_keys, &[0x74614620, 0x736e6165]), [0x9f7952ec, 0x4175946c]);
//! ```

use crate::Word;
use crate::xts::BlockCipher;

/// α of section 4.1, for words of more than 16 bits.
pub const ALPHA: u32 = 8;
/// β of section 4.1, for words of more than 16 bits.
pub const BETA: u32 = 3;

/// Left rotation S^n.
fn rotl<W: Word>(x: &W, n: u32) -> W {
    x.rotr(W::BITS - n)
}

/// Section 4.1: the round function R_k(x, y) = ((S^−α x + y) ⊕ k, S^β y ⊕ (S^−α x + y) ⊕ k).
pub fn round<W: Word>(k: &W, [x, y]: &[W; 2]) -> [W; 2] {
    let x = x.rotr(ALPHA).add(y).xor(k);
    let y = rotl(y, BETA).xor(&x);
    [x, y]
}

/// Section 4.1: the inverse, R_k⁻¹(x, y) = (S^α ((x ⊕ k) − S^−β (x ⊕ y)), S^−β (x ⊕ y)).
pub fn inverse_round<W: Word>(k: &W, [x, y]: &[W; 2]) -> [W; 2] {
    let y = x.xor(y).rotr(BETA);
    let x = rotl(&x.xor(k).sub(&y), ALPHA);
    [x, y]
}

/// Section 4.2: the round keys k₀ to k_T₋₁ of a key of M words, k₀ first.
///
/// T is 26 or 27 for three or four 32-bit words; 32, 33 or 34 for two, three or four 64-bit words.
pub fn expand_key<W: Word, const M: usize, const T: usize>(key: &[W; M]) -> [W; T] {
    let mut round_keys = round_keys(key);
    core::array::from_fn(|_| round_keys.next().expect("there is one for every round"))
}

/// The same, one after the other, for as many rounds as are asked for.
#[inline]
pub fn round_keys<W: Word, const M: usize>(key: &[W; M]) -> impl Iterator<Item = W> {
    let mut k = key[0].clone();
    // ℓ_i to ℓ_i+m−2, then what is not used.
    let mut l: [W; M] = core::array::from_fn(|i| key[(i + 1) % M].clone());
    (0..).map(move |i| {
        let round_key = k.clone();
        let [next_l, next_k] = round(&W::constant(i), &[l[0].clone(), k.clone()]);
        l[0] = next_l;
        (1..M - 1).for_each(|j| l.swap(j - 1, j));
        k = next_k;
        round_key
    })
}

/// The block (x, y) encrypted under round keys.
pub fn encrypt<W: Word>(round_keys: &[W], block: &[W; 2]) -> [W; 2] {
    round_keys.iter().fold(block.clone(), |block, k| round(k, &block))
}

/// The block (x, y) decrypted under round keys.
pub fn decrypt<W: Word>(round_keys: &[W], block: &[W; 2]) -> [W; 2] {
    round_keys.iter().rev().fold(block.clone(), |block, k| inverse_round(k, &block))
}

/// Round keys, to encrypt and decrypt blocks of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Speck<W, const T: usize> {
    /// k₀ to k_T₋₁.
    pub round_keys: [W; T],
}

macro_rules! speck {
    ($($name:ident, $word:ty, $word_bytes:literal, $m:literal, $rounds:literal;)*) => {$(
        #[doc = concat!("Speck with blocks and keys of so many bits: ", stringify!($name), ".")]
        pub type $name = Speck<$word, $rounds>;

        impl Speck<$word, $rounds> {
            /// The cipher under a key.
            pub fn new(key: &[u8; $m * $word_bytes]) -> Self {
                let (words, _) = key.as_chunks();
                let key: [$word; $m] = core::array::from_fn(|i| <$word>::from_le_bytes(words[i]));
                Speck { round_keys: expand_key(&key) }
            }
        }
    )*};
}

speck! {
    Speck64_96, u32, 4, 3, 26;
    Speck64_128, u32, 4, 4, 27;
    Speck128_128, u64, 8, 2, 32;
    Speck128_192, u64, 8, 3, 33;
    Speck128_256, u64, 8, 4, 34;
}

/// Round keys wherever they are, to encrypt and decrypt blocks of bytes.
#[derive(Clone, Copy, Debug)]
pub struct RoundKeys<'a, W>(pub &'a [W]);

macro_rules! block_cipher {
    ($word:ty, $block_bytes:literal) => {
        impl BlockCipher<$block_bytes> for RoundKeys<'_, $word> {
            fn encrypt_block(&self, block: &mut [u8; $block_bytes]) {
                let [y, x] = block.as_chunks().0 else { unreachable!("a block is two words") };
                let words = [<$word>::from_le_bytes(*x), <$word>::from_le_bytes(*y)];
                let [x, y] = encrypt(self.0, &words).map(<$word>::to_le_bytes);
                block.as_chunks_mut().0.copy_from_slice(&[y, x]);
            }
            fn decrypt_block(&self, block: &mut [u8; $block_bytes]) {
                let [y, x] = block.as_chunks().0 else { unreachable!("a block is two words") };
                let words = [<$word>::from_le_bytes(*x), <$word>::from_le_bytes(*y)];
                let [x, y] = decrypt(self.0, &words).map(<$word>::to_le_bytes);
                block.as_chunks_mut().0.copy_from_slice(&[y, x]);
            }
        }
    };
}

block_cipher!(u32, 8);
block_cipher!(u64, 16);

impl<W, const T: usize, const BYTES: usize> BlockCipher<BYTES> for Speck<W, T>
where
    for<'a> RoundKeys<'a, W>: BlockCipher<BYTES>,
{
    fn encrypt_block(&self, block: &mut [u8; BYTES]) {
        RoundKeys(&self.round_keys).encrypt_block(block);
    }
    fn decrypt_block(&self, block: &mut [u8; BYTES]) {
        RoundKeys(&self.round_keys).decrypt_block(block);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Appendix C; keys here in the order of this module.
    #[track_caller]
    fn example<W: Word + PartialEq + core::fmt::Debug, const M: usize, const T: usize>(
        key: [W; M],
        plaintext: [W; 2],
        ciphertext: [W; 2],
    ) {
        let round_keys: [W; T] = expand_key(&key);
        assert_eq!(encrypt(&round_keys, &plaintext), ciphertext);
        assert_eq!(decrypt(&round_keys, &ciphertext), plaintext);
    }

    #[test]
    fn examples_of_the_paper() {
        let key = [0x03020100u32, 0x0b0a0908, 0x13121110, 0x1b1a1918];
        example::<u32, 3, 26>(*key.first_chunk().unwrap(), [0x74614620, 0x736e6165], [0x9f7952ec, 0x4175946c]);
        example::<u32, 4, 27>(key, [0x3b726574, 0x7475432d], [0x8c6fa548, 0x454e028b]);

        let key = [0x0706050403020100u64, 0x0f0e0d0c0b0a0908, 0x1716151413121110, 0x1f1e1d1c1b1a1918];
        example::<u64, 2, 32>(
            *key.first_chunk().unwrap(),
            [0x6c61766975716520, 0x7469206564616d20],
            [0xa65d985179783265, 0x7860fedf5c570d18],
        );
        example::<u64, 3, 33>(
            *key.first_chunk().unwrap(),
            [0x7261482066656968, 0x43206f7420746e65],
            [0x1be4cf3a13135566, 0xf9bc185de03c1886],
        );
        example::<u64, 4, 34>(key, [0x65736f6874206e49, 0x202e72656e6f6f70], [0x4109010405c0f53e, 0x4eeeb48d9c188f43]);
    }

    /// The bytes of the implementation guide for Speck128/128.
    #[test]
    fn bytes_are_little_endian_and_y_comes_first() {
        let key: [u8; 16] = core::array::from_fn(|i| i as u8);
        let cipher = Speck128_128::new(&key);
        let mut block = *b" made it equival";
        cipher.encrypt_block(&mut block);
        assert_eq!(
            block,
            [0x18, 0x0d, 0x57, 0x5c, 0xdf, 0xfe, 0x60, 0x78, 0x65, 0x32, 0x78, 0x79, 0x51, 0x98, 0x5d, 0xa6]
        );
        cipher.decrypt_block(&mut block);
        assert_eq!(&block, b" made it equival");
    }
}
