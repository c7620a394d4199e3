//! What Speck has in common over its two word sizes: keys, the bare block cipher, and the shape of kernels and types.

mod types;

use vambrace_reference::speck as specification;
use vambrace_reference::xts::BlockCipher;
use zeroize::optimization_barrier;

use crate::xts;

pub(crate) use types::{speck_block, speck_kernel};

/// Round keys, for all tiers.
pub(crate) struct RoundKeys<W: Copy + Default + 'static, const MAX: usize> {
    words: [W; MAX],
    rounds: u32,
}

impl<W: Copy + Default + 'static, const MAX: usize> Clone for RoundKeys<W, MAX> {
    fn clone(&self) -> Self {
        RoundKeys { words: self.words, rounds: self.rounds }
    }
}

impl<W: Copy + Default + 'static, const MAX: usize> RoundKeys<W, MAX> {
    /// Copies them from an array of as many as there are rounds.
    pub(crate) fn new(round_keys: &mut [W]) -> Self {
        let mut words = [W::default(); MAX];
        words[..round_keys.len()].copy_from_slice(round_keys);
        round_keys.fill(W::default());
        optimization_barrier(round_keys);
        RoundKeys { words, rounds: round_keys.len() as u32 }
    }

    /// Where they begin, and the number of rounds.
    pub(crate) fn pointer(&self) -> (*const W, u32) {
        (self.words.as_ptr(), self.rounds)
    }
}

impl<W: Copy + Default + 'static, const MAX: usize> Drop for RoundKeys<W, MAX> {
    fn drop(&mut self) {
        self.words = [W::default(); MAX];
        optimization_barrier(self);
    }
}

/// The portable tier of a direction: the specification on integers.
///
/// # Safety
/// As the contracts `XTS_ENCRYPT` and `XTS_DECRYPT` say, for blocks of `BYTES`.
pub(crate) unsafe fn generic<const BYTES: usize>(
    cipher: &impl BlockCipher<BYTES>,
    direction: xts::Direction,
    tweak: *mut [u8; BYTES],
    input: *const u8,
    output: *mut u8,
    count: usize,
) {
    if count == 0 {
        return;
    }
    // SAFETY: the contract grants the tweak for reading and writing, apart from all else.
    let tweak = unsafe { &mut *tweak };
    for n in 0..count {
        let mut block = [[0; BYTES]];
        // SAFETY: the contract grants `count` blocks for reading at `input`.
        block[0] = unsafe { input.add(n * BYTES).cast::<[u8; BYTES]>().read_unaligned() };
        match direction {
            xts::Direction::Encrypt => vambrace_reference::xts::encrypt_blocks(cipher, tweak, &mut block),
            xts::Direction::Decrypt => vambrace_reference::xts::decrypt_blocks(cipher, tweak, &mut block),
        }
        // SAFETY: the contract grants as many for writing at `output`; where they are equal, a block is read before it is
        // written.
        unsafe { output.add(n * BYTES).cast::<[u8; BYTES]>().write_unaligned(block[0]) };
    }
}

/// The block cipher of the specification under round keys.
pub(crate) struct Rounds<'a, W>(pub(crate) &'a [W]);

macro_rules! rounds {
    ($word:ty, $bytes:literal) => {
        impl BlockCipher<$bytes> for Rounds<'_, $word> {
            fn encrypt_block(&self, block: &mut [u8; $bytes]) {
                let [y, x] = block.as_chunks().0 else { unreachable!("a block is two words") };
                let words = [<$word>::from_le_bytes(*x), <$word>::from_le_bytes(*y)];
                let [x, y] = specification::encrypt(self.0, &words).map(<$word>::to_le_bytes);
                block.as_chunks_mut().0.copy_from_slice(&[y, x]);
            }
            fn decrypt_block(&self, block: &mut [u8; $bytes]) {
                let [y, x] = block.as_chunks().0 else { unreachable!("a block is two words") };
                let words = [<$word>::from_le_bytes(*x), <$word>::from_le_bytes(*y)];
                let [x, y] = specification::decrypt(self.0, &words).map(<$word>::to_le_bytes);
                block.as_chunks_mut().0.copy_from_slice(&[y, x]);
            }
        }
    };
}

rounds!(u32, 8);
rounds!(u64, 16);
