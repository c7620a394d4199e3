//! What BLAKE2b and BLAKE2s have in common: buffering, keys, the trees of BLAKE2bp and BLAKE2sp, several messages, and the
//! shape of their kernels and types (RFC 7693; the parameter block and the trees are in "BLAKE2: simpler, smaller, fast as
//! MD5", sections 2.5 to 2.10).

mod engine;
mod hash;
mod kernels;
mod many;
mod running;
mod tree;

use vambrace_contract::{Feature, Tier};
#[cfg(all(feature = "verify", any(vambrace_aarch64, vambrace_arm)))]
use vambrace_reference::Word;
use vambrace_reference::blake2::{self as specification, MessageWord};

#[cfg(feature = "verify")]
use crate::TierError;
use crate::dispatch::{self, Dispatch};

pub(crate) use engine::Engine;
pub(crate) use hash::{blake2_common, blake2_export, blake2_types};
pub(crate) use kernels::{blake2_compress, blake2_compress_many};
pub(crate) use many::{digest_many, trees_many};
pub(crate) use running::{Key, Mode, NoKey, Running, parameters};
pub(crate) use tree::Tree;

/// The state that a kernel advances, in the terms of RFC 7693 section 3.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct State<W> {
    /// The chaining value.
    pub h: [W; 8],
    /// The number of bytes hashed so far, the less significant word first.
    pub t: [W; 2],
    /// The finalisation flags: all ones in the first word at the last block, and in the second at the last block of the last
    /// node of a level of a tree.
    pub f: [W; 2],
}

/// A word size, with its block size and its kernels.
pub(crate) trait Variant: Sized + 'static {
    /// Words of the state.
    type Word: MessageWord + Copy + 'static;
    /// 16 words as bytes.
    type Block: Copy + AsRef<[u8]> + AsMut<[u8]> + 'static;
    /// The kernels for several messages.
    type Together: Copy + 'static;

    /// Bytes of a block.
    const BLOCK_BYTES: usize;
    /// Bytes of the longest digest, and of the longest key.
    const MAX_BYTES: usize = Self::BLOCK_BYTES / 2;
    /// Bytes of the salt, and of the personalisation.
    const SALT_BYTES: usize = Self::BLOCK_BYTES / 8;
    /// A block of zeros.
    const ZEROS: Self::Block;
    /// A state of zeros.
    const NO_STATE: State<Self::Word>;
    /// All ones.
    const ONES: Self::Word;
    /// The greatest number of bytes that a message may have, the block of the key included.
    const MAX_MESSAGE_BYTES: u128;

    /// A message as blocks and the rest.
    fn blocks(message: &[u8]) -> (&[Self::Block], &[u8]);
    /// A number of bytes, modulo the counter's range, as words.
    fn counter(bytes: u128) -> [Self::Word; 2];
    /// The words as a number.
    fn bytes(counter: [Self::Word; 2]) -> u128;
    /// A word, least significant byte first, into as many bytes.
    fn write_word(word: Self::Word, bytes: &mut [u8]);

    /// The kernels for one message.
    fn dispatch() -> &'static Dispatch<Backend<Self>>;
    /// The same kernels, in the order of preference for several messages.
    fn dispatch_many() -> &'static Dispatch<Backend<Self>>;
    /// The kernels for several messages, each as if it were one for one; for the harness.
    #[cfg(feature = "verify")]
    fn interleaved() -> &'static [Backend<Self>];
}

/// A variant whose kernels for several messages take `LANES` of them.
pub(crate) trait Interleaved<const LANES: usize>: Variant {
    /// Calls the kernel.
    ///
    /// # Safety
    /// As its contract says, and the CPU has what the kernel needs.
    unsafe fn together(
        kernel: Self::Together,
        states: [*mut State<Self::Word>; LANES],
        blocks: [*const Self::Block; LANES],
        count: usize,
        increment: usize,
    );
}

/// The entry point for one message: `state`, `blocks`, `count`, `increment`.
pub(crate) type Compress<V> =
    unsafe extern "C" fn(*mut State<<V as Variant>::Word>, *const <V as Variant>::Block, usize, usize);

/// The kernels of one tier. Their contracts are those of the variant's module `kernels`.
pub(crate) struct Backend<V: Variant> {
    pub(crate) tier: Tier,
    /// The name of the kernel among those of the tier.
    #[cfg_attr(not(feature = "verify"), allow(dead_code))]
    pub(crate) variant: &'static str,
    pub(crate) features: &'static [Feature],
    pub(crate) compress: Compress<V>,
    pub(crate) together: Option<V::Together>,
}

impl<V: Variant> dispatch::Backend for Backend<V> {
    fn tier(&self) -> Tier {
        self.tier
    }

    fn features(&self) -> &'static [Feature] {
        self.features
    }
}

impl<V: Variant> Backend<V> {
    /// Advances the state by some blocks, each of which counts for `increment` bytes.
    #[inline]
    fn compress(&self, state: &mut State<V::Word>, blocks: &[V::Block], increment: usize) {
        // SAFETY: the references are valid for what the contract `COMPRESS` asks (twelve aligned words; a block of bytes for
        // each of the count) and cannot overlap. A backend is handed out only when the CPU has its features.
        unsafe { (self.compress)(state, blocks.as_ptr(), blocks.len(), increment) }
    }
}

/// The kernels that a process uses: those for one message, and those that are best for several.
pub(crate) struct Backends<V: Variant> {
    pub(crate) one: &'static Backend<V>,
    pub(crate) many: &'static Backend<V>,
}

impl<V: Variant> Clone for Backends<V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V: Variant> Copy for Backends<V> {}

impl<V: Variant> Backends<V> {
    /// What automatic dispatch chooses.
    #[inline]
    pub(crate) fn best() -> Backends<V> {
        Backends { one: V::dispatch().best(), many: V::dispatch_many().best() }
    }

    /// Those of one tier.
    #[inline]
    pub(crate) fn of(backend: &'static Backend<V>) -> Backends<V> {
        Backends { one: backend, many: backend }
    }

    /// Those of a tier, for an algorithm of this name.
    pub(crate) fn of_tier(algorithm: &'static str, tier: Tier) -> Result<Backends<V>, crate::TierError> {
        V::dispatch().of_tier(algorithm, tier).map(Backends::of)
    }

    /// Those of a tier whose token the caller holds.
    pub(crate) fn with_token(tier: Tier) -> Backends<V> {
        Backends::of(V::dispatch().with_token(tier))
    }

    /// A kernel for several messages as if it were one for one, for an algorithm of this name.
    #[cfg(feature = "verify")]
    pub(crate) fn of_variant(algorithm: &'static str, variant: &str) -> Result<Backends<V>, TierError> {
        let backend = V::interleaved().iter().find(|backend| backend.variant == variant);
        // Without such a kernel the tier is known by the beginning of its name alone.
        let tier = variant.split('_').next().and_then(|tier| tier.parse().ok()).unwrap_or(Tier::Generic);
        dispatch::check(algorithm, backend.map_or(tier, |backend| backend.tier), backend).map(Backends::of)
    }
}

/// The portable tier: the specification on integers.
///
/// # Safety
/// As the contract `COMPRESS` says.
pub(crate) unsafe extern "C" fn generic<V: Variant>(
    state: *mut State<V::Word>,
    blocks: *const V::Block,
    count: usize,
    increment: usize,
) {
    if count == 0 {
        return;
    }
    // SAFETY: the contract grants an aligned state for reading and writing, and `count` blocks at `blocks` for reading,
    // disjoint from it.
    let (state, blocks) = unsafe { (&mut *state, core::slice::from_raw_parts(blocks, count)) };
    for block in blocks {
        state.t = V::counter(V::bytes(state.t).wrapping_add(increment as u128));
        specification::compress(&mut state.h, &V::Word::parse(block.as_ref()), &state.t, &state.f);
    }
}

/// A kernel for several messages as if it were one for one: each call runs the message in one lane, all lanes in turn, and
/// other states in the other lanes.
///
/// # Safety
/// As the contract `COMPRESS` says, and the CPU has what the kernel needs.
#[cfg(all(feature = "verify", any(vambrace_aarch64, vambrace_arm)))]
pub(crate) unsafe fn in_one_lane<V: Interleaved<LANES>, const LANES: usize>(
    kernel: V::Together,
    state: *mut State<V::Word>,
    blocks: *const V::Block,
    count: usize,
    increment: usize,
) {
    use core::sync::atomic::{AtomicUsize, Ordering};
    static TURN: AtomicUsize = AtomicUsize::new(0);

    let lane = TURN.fetch_add(1, Ordering::Relaxed) % LANES;
    // SAFETY: the caller vouches for `state` and `blocks`; the other lanes' states are locals, and their messages are the
    // same, which the contract allows.
    unsafe {
        let mut others = [*state; LANES];
        for (n, other) in others.iter_mut().enumerate() {
            other.h = other.h.map(|word| word.not());
            other.t = V::counter(V::bytes(other.t).wrapping_sub(n as u128));
            other.f = other.f.map(|word| word.not());
        }
        let mut states = others.each_mut().map(core::ptr::from_mut);
        states[lane] = state;
        V::together(kernel, states, [blocks; LANES], count, increment);
    }
}

/// The digest is as much of the chaining value, least significant byte first, as `out` has room for.
#[inline]
fn write_digest<V: Variant>(h: &[V::Word; 8], out: &mut [u8]) {
    let bytes = V::BLOCK_BYTES / 16;
    for (bytes_out, word) in out.chunks_mut(bytes).zip(*h) {
        if bytes_out.len() == bytes {
            V::write_word(word, bytes_out);
        } else {
            let mut whole = [0; 8];
            V::write_word(word, &mut whole[..bytes]);
            bytes_out.copy_from_slice(&whole[..bytes_out.len()]);
        }
    }
}

/// The parts of [`Variant`] that follow from the integer types.
macro_rules! variant_arithmetic {
    ($word:ty, $counter:ty, $block_bytes:literal) => {
        type Word = $word;
        type Block = [u8; $block_bytes];

        const BLOCK_BYTES: usize = $block_bytes;
        const ZEROS: [u8; $block_bytes] = [0; $block_bytes];
        const NO_STATE: State<$word> = State { h: [0; 8], t: [0; 2], f: [0; 2] };
        const ONES: $word = <$word>::MAX;
        const MAX_MESSAGE_BYTES: u128 = <$counter>::MAX as u128;

        #[inline]
        fn blocks(message: &[u8]) -> (&[Self::Block], &[u8]) {
            message.as_chunks()
        }
        #[inline]
        fn counter(bytes: u128) -> [$word; 2] {
            [bytes as $word, (bytes >> <$word>::BITS) as $word]
        }
        #[inline]
        fn bytes(counter: [$word; 2]) -> u128 {
            u128::from(counter[0]) | u128::from(counter[1]) << <$word>::BITS
        }
        #[inline]
        fn write_word(word: $word, bytes: &mut [u8]) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
    };
}
pub(crate) use variant_arithmetic;
