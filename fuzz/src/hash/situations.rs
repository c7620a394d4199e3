//! The situations in which kernels are called, as libFuzzer sees them.

use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;

use vambrace_reference::oracles::HashOracle;

use super::Hash;

/// What libFuzzer takes for coverage beside the edges of compiled code.
///
/// It sees nothing of what happens inside a kernel. So the situations in which kernels are called are counted: an update
/// by the bytes that were buffered, the whole blocks that it makes, and the bytes that are buffered after it, in a tree
/// also by the leaf and the stripe (a block for each leaf) where it begins; by the highest bit that changes in the number
/// of bytes, and whether a kernel for several messages counts them; messages hashed at once by the blocks of two
/// neighbours. An input that leads to a new situation is kept.
#[used]
#[unsafe(link_section = "__libfuzzer_extra_counters")]
static SITUATIONS: [AtomicU8; WORDS_OF_SITUATIONS * 8] = [const { AtomicU8::new(0) }; WORDS_OF_SITUATIONS * 8];
/// LibFuzzer reads and clears them by words.
const WORDS_OF_SITUATIONS: usize = (CARRY + 2 * COUNTER_BITS).div_ceil(8);

/// How many numbers of buffered bytes there are: a block may be whole and wait.
const FILLED: usize = 128 + 1;
/// More blocks than that are not told apart, nor more leaves and stripes than these.
const BLOCKS: usize = 12;
const LEAVES: usize = 8;
const STRIPES: usize = 3;
const COUNTER_BITS: usize = u128::BITS as usize;

/// Where the situations of each kind begin.
const BEFORE: usize = 0;
const AFTER: usize = BEFORE + FILLED * BLOCKS;
const NEIGHBOURS: usize = AFTER + FILLED * BLOCKS;
const LEAF: usize = NEIGHBOURS + BLOCKS * BLOCKS;
const CARRY: usize = LEAF + STRIPES * LEAVES * BLOCKS;

fn count(situation: usize) {
    SITUATIONS[situation].store(1, Relaxed);
}

pub(super) fn count_update(shape: Shape, before: usize, bytes: usize) {
    let (filled, rest) = (shape.filled(before), shape.filled(before + bytes));
    let blocks = ((filled + bytes - rest) / shape.block).min(BLOCKS - 1);
    count(BEFORE + filled * BLOCKS + blocks);
    count(AFTER + rest * BLOCKS + blocks);
    if shape.leaves > 1 {
        let begun = before / shape.block;
        let (stripe, leaf) = ((begun / shape.leaves).min(STRIPES - 1), begun % shape.leaves);
        count(LEAF + (stripe * LEAVES + leaf) * BLOCKS + blocks);
    }
}

pub(super) fn count_carry(before: u128, bytes: usize, several: bool) {
    if let Some(bit) = (before ^ (before + bytes as u128)).checked_ilog2() {
        count(CARRY + usize::from(several) * COUNTER_BITS + bit as usize);
    }
}

pub(super) fn count_neighbours(block: usize, bytes: [usize; 2]) {
    let [first, second] = bytes.map(|bytes| (bytes / block).min(BLOCKS - 1));
    count(NEIGHBOURS + first * BLOCKS + second);
}

/// How a hash function deals with blocks.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// Bytes of a block.
    pub(super) block: usize,
    /// Whether a whole block waits for the next byte.
    waits: bool,
    pub(super) leaves: usize,
}

impl Shape {
    pub(super) fn of<H: Hash>(oracle: &dyn HashOracle) -> Shape {
        Shape { block: oracle.block_bytes(), waits: oracle.holds_back_last_block(), leaves: H::LEAVES }
    }

    /// The bytes of the current block, after so many of the message.
    pub(super) fn filled(self, bytes: usize) -> usize {
        match bytes % self.block {
            0 if self.waits && bytes != 0 => self.block,
            filled => filled,
        }
    }
}
