//! XTS of IEEE Std 1619 (2007), which NIST SP 800-38E refers to, over any block cipher with blocks of 16 or 8 bytes.
//!
//! Names are those of the standard; section numbers refer to it. The standard has AES and blocks of 16 bytes alone. With
//! blocks of 8 bytes the tweak is an element of GF(2^64), of the polynomial x^64 + x^4 + x^3 + x + 1, as Linux 4.17 has it for
//! Speck64.
//!
//! ```
//! use vambrace_reference::aes::Aes;
//! use vambrace_reference::xts;
//!
//! // Appendix B, vector 1.
//! let key = Aes::new(&[0; 16]).unwrap();
//! let mut data = [0; 32];
//! xts::encrypt(&key, &key, &[0; 16], &mut data)?;
//! assert_eq!(data[..4], [0x91, 0x7c, 0xf6, 0x9e]);
//! # Ok::<(), xts::TooShort>(())
//! ```

use crate::Word;

/// A block cipher under a key, with blocks of so many bytes.
pub trait BlockCipher<const BYTES: usize> {
    /// Encrypts a block in place.
    fn encrypt_block(&self, block: &mut [u8; BYTES]);
    /// Decrypts a block in place.
    fn decrypt_block(&self, block: &mut [u8; BYTES]);

    /// Encrypts each block.
    fn encrypt_blocks(&self, blocks: &mut [[u8; BYTES]]) {
        blocks.iter_mut().for_each(|block| self.encrypt_block(block));
    }
    /// Decrypts each block.
    fn decrypt_blocks(&self, blocks: &mut [[u8; BYTES]]) {
        blocks.iter_mut().for_each(|block| self.decrypt_block(block));
    }
}

/// A data unit has at least one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooShort;

impl core::fmt::Display for TooShort {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("a data unit of XTS has at least one block")
    }
}

impl core::error::Error for TooShort {}

/// Section 5.2: multiplication by α, the polynomial x, of an element of GF(2^128) or GF(2^64) in words, low word first.
pub fn multiply_by_alpha<W: Word>(t: &mut [W]) {
    let last = t.len() - 1;
    // The coefficient of x^128 or x^64, which comes back as x^7 + x^2 + x + 1 or x^4 + x^3 + x + 1.
    let c = t[last].shr(W::BITS - 1);
    for i in (1..=last).rev() {
        t[i] = t[i].shl(1).or(&t[i - 1].shr(W::BITS - 1));
    }
    let [b, a] = if t.len() as u32 * W::BITS == 128 { [2, 7] } else { [3, 4] };
    t[0] = t[0].shl(1).xor(&c).xor(&c.shl(1)).xor(&c.shl(b)).xor(&c.shl(a));
}

/// [`multiply_by_alpha`] on bytes, of which the first has the lowest powers.
pub fn next_tweak<const BYTES: usize>(t: &mut [u8; BYTES]) {
    const { assert!(BYTES == 16 || BYTES == 8) };
    let mut words = [0u64; 2];
    let words = &mut words[..BYTES / 8];
    let (bytes, _) = t.as_chunks_mut();
    words.iter_mut().zip(&*bytes).for_each(|(word, bytes)| *word = u64::from_le_bytes(*bytes));
    multiply_by_alpha(words);
    words.iter().zip(bytes).for_each(|(word, bytes)| *bytes = word.to_le_bytes());
}

/// A block, which is also an element of the field that tweaks are in.
pub trait Block: Clone {
    /// Addition in the field: bit by bit, modulo 2.
    fn add(&mut self, other: &Self);
    /// Section 5.2: multiplication by α.
    fn multiply_by_alpha(&mut self);
}

impl<const BYTES: usize> Block for [u8; BYTES] {
    #[inline]
    fn add(&mut self, other: &Self) {
        self.iter_mut().zip(other).for_each(|(byte, other)| *byte ^= other);
    }
    #[inline]
    fn multiply_by_alpha(&mut self) {
        next_tweak(self);
    }
}

/// Words, the one of the lowest powers first.
impl<W: Word, const WORDS: usize> Block for [W; WORDS] {
    fn add(&mut self, other: &Self) {
        self.iter_mut().zip(other).for_each(|(word, other)| *word = word.xor(other));
    }
    fn multiply_by_alpha(&mut self) {
        multiply_by_alpha(self);
    }
}

/// Adds T, T ⊗ α, T ⊗ α² … to blocks; afterwards T is that of the block behind them.
fn add_tweaks<B: Block>(t: &mut B, blocks: &mut [B]) {
    for block in blocks {
        block.add(t);
        t.multiply_by_alpha();
    }
}

/// Blocks that are given to the cipher together.
const TOGETHER: usize = 4;

/// Sections 5.3.1 and 5.4.1, block by block, with E or D for `cipher`: P becomes E(P ⊕ T) ⊕ T. Afterwards T is that of the block
/// behind the last.
pub fn apply<B: Block>(mut cipher: impl FnMut(&mut [B]), t: &mut B, blocks: &mut [B]) {
    for blocks in blocks.chunks_mut(TOGETHER) {
        add_tweaks(&mut t.clone(), blocks);
        cipher(blocks);
        add_tweaks(t, blocks);
    }
}

/// Section 5.3.1, block by block: P is encrypted to E(P ⊕ T) ⊕ T. Afterwards T is that of the block behind the last.
pub fn encrypt_blocks<const BYTES: usize>(
    key1: &impl BlockCipher<BYTES>,
    t: &mut [u8; BYTES],
    blocks: &mut [[u8; BYTES]],
) {
    apply(|blocks| key1.encrypt_blocks(blocks), t, blocks);
}

/// Section 5.4.1, block by block: C is decrypted to D(C ⊕ T) ⊕ T. Afterwards T is that of the block behind the last.
pub fn decrypt_blocks<const BYTES: usize>(
    key1: &impl BlockCipher<BYTES>,
    t: &mut [u8; BYTES],
    blocks: &mut [[u8; BYTES]],
) {
    apply(|blocks| key1.decrypt_blocks(blocks), t, blocks);
}

/// Section 5.3.2: encrypts a data unit of which T, the encrypted tweak, is known.
///
/// # Errors
/// If there is less than one block. Nothing is written then.
pub fn encrypt_from<const BYTES: usize>(
    key1: &impl BlockCipher<BYTES>,
    t: &[u8; BYTES],
    data: &mut [u8],
) -> Result<(), TooShort> {
    let mut t = *t;
    let (blocks, rest) = data.as_chunks_mut();
    encrypt_blocks(key1, &mut t, blocks);
    let last = blocks.last_mut().ok_or(TooShort)?;
    if !rest.is_empty() {
        // The last block's ciphertext CC is the short block C_m ‖ CP; P_m ‖ CP is encrypted in its place.
        last[..rest.len()].swap_with_slice(rest);
        encrypt_blocks(key1, &mut t, core::array::from_mut(last));
    }
    Ok(())
}

/// Section 5.4.2: decrypts a data unit of which T, the encrypted tweak, is known.
///
/// # Errors
/// If there is less than one block. Nothing is written then.
pub fn decrypt_from<const BYTES: usize>(
    key1: &impl BlockCipher<BYTES>,
    t: &[u8; BYTES],
    data: &mut [u8],
) -> Result<(), TooShort> {
    let mut t = *t;
    let (blocks, rest) = data.as_chunks_mut();
    let (last, before) = blocks.split_last_mut().ok_or(TooShort)?;
    decrypt_blocks(key1, &mut t, before);
    if !rest.is_empty() {
        // The last whole block belongs to T_m, and the block put together from the short one to T_m₋₁.
        let mut behind = t;
        next_tweak(&mut behind);
        decrypt_blocks(key1, &mut behind, core::array::from_mut(last));
        last[..rest.len()].swap_with_slice(rest);
    }
    decrypt_blocks(key1, &mut t, core::array::from_mut(last));
    Ok(())
}

/// Section 5.3: encrypts a data unit under both keys; i is the tweak, 16 bytes as the number of the data unit, least
/// significant byte first.
///
/// # Errors
/// If there is less than one block. Nothing is written then.
pub fn encrypt<const BYTES: usize>(
    key1: &impl BlockCipher<BYTES>,
    key2: &impl BlockCipher<BYTES>,
    i: &[u8; BYTES],
    data: &mut [u8],
) -> Result<(), TooShort> {
    let mut t = *i;
    key2.encrypt_block(&mut t);
    encrypt_from(key1, &t, data)
}

/// Section 5.4: decrypts a data unit under both keys.
///
/// # Errors
/// If there is less than one block. Nothing is written then.
pub fn decrypt<const BYTES: usize>(
    key1: &impl BlockCipher<BYTES>,
    key2: &impl BlockCipher<BYTES>,
    i: &[u8; BYTES],
    data: &mut [u8],
) -> Result<(), TooShort> {
    let mut t = *i;
    key2.encrypt_block(&mut t);
    decrypt_from(key1, &t, data)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Section 5.2, in the standard's own words: byte by byte.
    fn by_bytes(a: [u8; 16]) -> [u8; 16] {
        core::array::from_fn(|k| match k {
            0 => (2 * (a[0] % 128)) ^ (135 * (a[15] / 128)),
            _ => (2 * (a[k] % 128)) ^ (a[k - 1] / 128),
        })
    }

    #[test]
    fn alpha_is_that_of_the_standard() {
        let mut t = *b"\x01\x80\xff\x7f\x80\x80\0\0\xffabc\x80\xfe\x80\x80";
        for _ in 0..1000 {
            let expected = by_bytes(t);
            let mut words: [u32; 4] = core::array::from_fn(|i| u32::from_le_bytes(t.as_chunks().0[i]));
            next_tweak(&mut t);
            assert_eq!(t, expected);
            multiply_by_alpha(&mut words);
            assert_eq!(words.map(u32::to_le_bytes).as_flattened(), t);
        }
    }

    #[test]
    fn alpha_is_reduced_by_the_polynomial() {
        let mut t = [0, 0, 0, 0, 0, 0, 0, 0x80];
        next_tweak(&mut t);
        assert_eq!(t, [0x1b, 0, 0, 0, 0, 0, 0, 0]);
        let mut t = [0, 0, 0, 0x80, 0, 0, 0, 0xc0];
        next_tweak(&mut t);
        assert_eq!(t, [0x1b, 0, 0, 0, 1, 0, 0, 0x80]);
        let mut t = [0; 16];
        (t[7], t[15]) = (0x80, 0x80);
        next_tweak(&mut t);
        assert_eq!(t, [0x87, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn less_than_a_block_is_refused() {
        let key = crate::speck::Speck64_128::new(&[1; 16]);
        let mut data = [5; 7];
        assert_eq!(encrypt(&key, &key, &[0; 8], &mut data), Err(TooShort));
        assert_eq!(decrypt(&key, &key, &[0; 8], &mut data), Err(TooShort));
        assert_eq!(data, [5; 7]);
    }
}
