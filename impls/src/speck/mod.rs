//! What Speck has in common over its two word sizes: keys, the bare block cipher, and the shape of kernels and types.

mod types;

use vambrace_contract::{Access, Argument, ArgumentKind, ScalarType, Secrecy, Size};
use vambrace_reference::speck as specification;
use vambrace_reference::xts::BlockCipher;
use zeroize::optimization_barrier;

use crate::xts::{self, Direction};

pub(crate) use types::{speck_block, speck_kernel, speck_kernel_one, speck_kernel_with, speck_words};

/// The arguments of both directions, for words of so many bytes and at most so many rounds.
pub(crate) const fn arguments(word_bytes: usize, max_rounds: usize) -> [Argument; 6] {
    xts::arguments(round_keys("keys", word_bytes), 2 * word_bytes, rounds(1, max_rounds))
}

/// The same for a data unit of one block, where the numbers of rounds are those of the key lengths.
pub(crate) const fn arguments_of_one(word_bytes: usize, min_rounds: usize, max_rounds: usize) -> [Argument; 6] {
    let (keys, tweak_keys) = (round_keys("keys", word_bytes), round_keys("tweak_keys", word_bytes));
    xts::arguments_of_one(keys, tweak_keys, 2 * word_bytes, rounds(min_rounds, max_rounds))
}

/// A word for each round.
const fn round_keys(name: &'static str, word_bytes: usize) -> Argument {
    let words = Size::Affine { base: 0, per: word_bytes, argument: 5 };
    Argument::buffer(name, words, Access::Read, Secrecy::Secret).aligned(word_bytes)
}

const fn rounds(min: usize, max: usize) -> Argument {
    let (min, max) = (min as u64, max as u64);
    let kind = ArgumentKind::Scalar { ty: ScalarType::U32, secrecy: Secrecy::Public, min, max, step: 1 };
    Argument { name: "rounds", kind }
}

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

impl<W: Copy + Default + 'static, const MAX: usize> Default for RoundKeys<W, MAX> {
    #[inline]
    fn default() -> Self {
        RoundKeys { words: [W::default(); MAX], rounds: 0 }
    }
}

impl<W: Copy + Default + 'static, const MAX: usize> RoundKeys<W, MAX> {
    /// Puts the first ones here, for so many rounds.
    #[inline]
    pub(crate) fn fill<const ROUNDS: usize>(&mut self, round_keys: impl Iterator<Item = W>) {
        self.words[..ROUNDS].iter_mut().zip(round_keys).for_each(|(word, round_key)| *word = round_key);
        self.rounds = ROUNDS as u32;
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
/// As the contract `XTS_ENCRYPT` or `XTS_DECRYPT` of the word size says.
pub(crate) unsafe extern "C" fn generic<W, const BYTES: usize, const ENCRYPTS: bool>(
    keys: *const W,
    tweak: *mut [u8; BYTES],
    input: *const u8,
    output: *mut u8,
    count: usize,
    rounds: u32,
) where
    for<'a> specification::RoundKeys<'a, W>: BlockCipher<BYTES>,
{
    let direction = if ENCRYPTS { Direction::Encrypt } else { Direction::Decrypt };
    // SAFETY: the contract grants `rounds` aligned words for reading; the rest is the callee's own contract.
    unsafe {
        let keys = specification::RoundKeys(core::slice::from_raw_parts(keys, rounds as usize));
        xts::portable(&keys, direction, tweak, input, output, count);
    }
}
