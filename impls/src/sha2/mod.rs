//! What SHA-224, SHA-256 and the SHA-512 family have in common: buffering, padding, several messages, and the shape of
//! their kernels and types (FIPS 180-4).

mod engine;
mod hash;
mod kernels;
mod many;

use core::ops::{BitXor, Not};

use vambrace_contract::{Feature, Tier};
use vambrace_reference::sha2::MessageWord;

#[cfg(feature = "verify")]
use crate::TierError;
use crate::dispatch::{self, Dispatch};

pub(crate) use engine::{Engine, digest};
pub(crate) use hash::sha2_hash;
pub(crate) use kernels::{sha2_compress, sha2_compress_x2};
pub(crate) use many::digest_many;

/// A word size, with its block size, its length field and its kernels.
pub(crate) trait Family: Sized + 'static {
    /// Words of the hash value.
    type Word: MessageWord + Copy + Default + Not<Output = Self::Word> + BitXor<Output = Self::Word> + 'static;
    /// 16 words as bytes.
    type Block: Copy + AsRef<[u8]> + AsMut<[u8]> + 'static;
    /// A number of bytes, modulo a power of two that is a multiple of the length field's range.
    type Length: Copy + Default + Eq + 'static;
    /// The length field of the padding: 8 or 16 bytes.
    type LengthField: AsRef<[u8]>;

    /// Bytes of a block.
    const BLOCK_BYTES: usize;
    /// Bytes of the length field.
    const LENGTH_BYTES: usize;
    /// A block of zeros.
    const ZEROS: Self::Block;
    /// Eight words of zero.
    const NO_STATE: [Self::Word; 8];
    /// The greatest number of bytes that a message may have.
    const MAX_MESSAGE_BYTES: u128;

    /// A message as blocks and the rest.
    fn blocks(message: &[u8]) -> (&[Self::Block], &[u8]);
    /// The length after some more bytes.
    fn advance(length: Self::Length, bytes: usize) -> Self::Length;
    /// The length before those bytes.
    fn retreat(length: Self::Length, bytes: usize) -> Self::Length;
    /// How many bytes follow the last whole block.
    fn partial(length: Self::Length) -> usize;
    /// The length as a number.
    fn bytes(length: Self::Length) -> u128;
    /// The number as a length, if it has room.
    fn length(bytes: u128) -> Option<Self::Length>;
    /// The length in bits, big-endian, modulo the field's range.
    fn length_field(length: Self::Length) -> Self::LengthField;
    /// A word, big-endian, into as many bytes.
    fn write_word(word: Self::Word, bytes: &mut [u8]);
    /// A word from as many bytes, big-endian.
    fn read_word(bytes: &[u8]) -> Self::Word;

    /// The kernels.
    fn dispatch() -> &'static Dispatch<Backend<Self>>;
    /// The backend of the interleaved kernel, as if it were one for one message; for the harness.
    #[cfg(feature = "verify")]
    fn paired() -> Option<&'static Backend<Self>>;
}

/// The entry point for one message: `state`, `blocks`, `count`.
pub(crate) type Compress<F> = unsafe extern "C" fn(*mut [<F as Family>::Word; 8], *const <F as Family>::Block, usize);

/// The entry point for two messages: `state0`, `state1`, `blocks0`, `blocks1`, `count`.
pub(crate) type CompressX2<F> = unsafe extern "C" fn(
    *mut [<F as Family>::Word; 8],
    *mut [<F as Family>::Word; 8],
    *const <F as Family>::Block,
    *const <F as Family>::Block,
    usize,
);

/// The kernels of one tier. Their contracts are `COMPRESS` and `COMPRESS_X2` of the family's module `kernels`.
pub(crate) struct Backend<F: Family> {
    pub(crate) tier: Tier,
    pub(crate) features: &'static [Feature],
    pub(crate) compress: Compress<F>,
    pub(crate) compress_x2: Option<CompressX2<F>>,
}

impl<F: Family> dispatch::Backend for Backend<F> {
    fn tier(&self) -> Tier {
        self.tier
    }

    fn features(&self) -> &'static [Feature] {
        self.features
    }
}

impl<F: Family> Backend<F> {
    #[inline]
    fn compress(&self, state: &mut [F::Word; 8], blocks: &[F::Block]) {
        // SAFETY: the references are valid for what the contract `COMPRESS` asks (eight aligned words; a block of bytes
        // for each of the count) and cannot overlap. A backend is handed out only when the CPU has its features.
        unsafe { (self.compress)(state, blocks.as_ptr(), blocks.len()) }
    }

    /// The kernel for two messages, where the tier has one.
    #[inline]
    fn pair(&self) -> Option<Pair<F>> {
        self.compress_x2.map(Pair)
    }
}

/// A kernel for two messages, from a [`Backend`].
struct Pair<F: Family>(CompressX2<F>);

impl<F: Family> Pair<F> {
    /// Advances both states by as many blocks as both messages have; returns how many.
    #[inline]
    fn compress(&self, states: [&mut [F::Word; 8]; 2], blocks: [&[F::Block]; 2]) -> usize {
        let [state0, state1] = states;
        let [blocks0, blocks1] = blocks;
        let count = blocks0.len().min(blocks1.len());
        // SAFETY: as for one message, with the contract `COMPRESS_X2`; both slices have at least `count` blocks.
        unsafe { (self.0)(state0, state1, blocks0.as_ptr(), blocks1.as_ptr(), count) }
        count
    }
}

/// The portable tier: the specification on integers.
///
/// # Safety
/// As the contract `COMPRESS` says.
pub(crate) unsafe extern "C" fn generic<F: Family>(state: *mut [F::Word; 8], blocks: *const F::Block, count: usize) {
    if count == 0 {
        return;
    }
    // SAFETY: the contract grants eight aligned words at `state` for reading and writing, and `count` blocks at `blocks`
    // for reading, disjoint from them.
    let (state, blocks) = unsafe { (&mut *state, core::slice::from_raw_parts(blocks, count)) };
    for block in blocks {
        vambrace_reference::sha2::compress(state, &F::Word::parse(block.as_ref()));
    }
}

/// The kernel for two messages as if it were one for one: each call runs the message in one lane, the two in turn, and
/// another state in the other lane.
///
/// # Safety
/// As the contract `COMPRESS` says, and the CPU has what the kernel needs.
#[cfg(all(feature = "verify", vambrace_aarch64))]
pub(crate) unsafe fn in_one_lane<F: Family>(
    compress_x2: CompressX2<F>,
    state: *mut [F::Word; 8],
    blocks: *const F::Block,
    count: usize,
) {
    use core::sync::atomic::{AtomicBool, Ordering};
    static SECOND: AtomicBool = AtomicBool::new(false);

    // SAFETY: the caller vouches for `state` and `blocks`; the other lane's state is a local, and its message is the same,
    // which the contract `COMPRESS_X2` allows.
    unsafe {
        let mut other = (*state).map(|word| !word);
        let [state0, state1] = match SECOND.fetch_xor(true, Ordering::Relaxed) {
            false => [state, &raw mut other],
            true => [&raw mut other, state],
        };
        compress_x2(state0, state1, blocks, blocks, count);
    }
}

/// The backend of the interleaved kernel, for an algorithm of this name.
#[cfg(feature = "verify")]
pub(crate) fn paired<F: Family>(algorithm: &'static str) -> Result<&'static Backend<F>, TierError> {
    dispatch::check(algorithm, Tier::Ce, F::paired())
}

/// The digest is as much of the hash value, big-endian, as `out` has room for.
#[inline]
fn write_digest<F: Family>(state: &[F::Word; 8], out: &mut [u8]) {
    let bytes = F::BLOCK_BYTES / 16;
    // All words are read first: for all that the compiler knows, `out` may lie in the state.
    for (bytes, word) in out.chunks_mut(bytes).zip(*state) {
        if bytes.len() == F::BLOCK_BYTES / 16 {
            F::write_word(word, bytes);
        } else {
            // SHA-512/224 ends within a word.
            let mut whole = [0; 8];
            F::write_word(word, &mut whole[..F::BLOCK_BYTES / 16]);
            bytes.copy_from_slice(&whole[..bytes.len()]);
        }
    }
}

/// The parts of [`Family`] that follow from the integer types.
macro_rules! family_arithmetic {
    ($word:ty, $block_bytes:literal, $length:ty, $length_bytes:literal) => {
        type Word = $word;
        type Block = [u8; $block_bytes];
        type Length = $length;
        type LengthField = [u8; $length_bytes];

        const BLOCK_BYTES: usize = $block_bytes;
        const LENGTH_BYTES: usize = $length_bytes;
        const ZEROS: [u8; $block_bytes] = [0; $block_bytes];
        const NO_STATE: [$word; 8] = [0; 8];
        const MAX_MESSAGE_BYTES: u128 = (<$length>::MAX / 8) as u128;

        #[inline]
        fn blocks(message: &[u8]) -> (&[Self::Block], &[u8]) {
            message.as_chunks()
        }
        #[inline]
        fn advance(length: $length, bytes: usize) -> $length {
            length.wrapping_add(bytes as $length)
        }
        #[inline]
        fn retreat(length: $length, bytes: usize) -> $length {
            length.wrapping_sub(bytes as $length)
        }
        #[inline]
        fn partial(length: $length) -> usize {
            length as usize % $block_bytes
        }
        #[inline]
        fn bytes(length: $length) -> u128 {
            length as u128
        }
        fn length(bytes: u128) -> Option<$length> {
            <$length>::try_from(bytes).ok()
        }
        #[inline]
        fn length_field(length: $length) -> [u8; $length_bytes] {
            length.wrapping_mul(8).to_be_bytes()
        }
        #[inline]
        fn write_word(word: $word, bytes: &mut [u8]) {
            bytes.copy_from_slice(&word.to_be_bytes());
        }
        fn read_word(bytes: &[u8]) -> $word {
            bytes.iter().fold(0, |word, &byte| word << 8 | <$word>::from(byte))
        }
    };
}
pub(crate) use family_arithmetic;
