//! BLAKE2bp and BLAKE2sp: leaves that take the blocks of the message in turn, and a root over their digests.

use core::slice;

use vambrace_reference::blake2::Parameters;
use zeroize::optimization_barrier;

use super::{Backends, Engine, Interleaved, Mode, State, Variant, write_digest};

/// A running hash with `LEAVES` leaves, of which a kernel may take `LANES` at a time.
pub(crate) struct Tree<V: Variant, const LEAVES: usize, const LANES: usize> {
    leaves: [State<V::Word>; LEAVES],
    /// Blocks that may be a leaf's last: up to two for each leaf, in the order of the message.
    buffer: [[V::Block; LEAVES]; 2],
    /// Bytes in `buffer`.
    filled: usize,
    length: u128,
    /// Its state before the first byte.
    root: State<V::Word>,
    backends: Backends<V>,
}

impl<V: Variant, const LEAVES: usize, const LANES: usize> Clone for Tree<V, LEAVES, LANES> {
    fn clone(&self) -> Self {
        Tree { leaves: self.leaves, buffer: self.buffer, ..*self }
    }
}

impl<V: Interleaved<LANES>, const LEAVES: usize, const LANES: usize> Tree<V, LEAVES, LANES> {
    /// Bytes of one block for each leaf.
    const STRIPE: usize = LEAVES * V::BLOCK_BYTES;

    fn buffer(&mut self) -> &mut [u8] {
        let blocks = self.buffer.as_flattened_mut();
        // SAFETY: a block is an array of `BLOCK_BYTES` bytes, so the blocks are as many bytes, without gaps.
        unsafe { slice::from_raw_parts_mut(blocks.as_mut_ptr().cast(), 2 * Self::STRIPE) }
    }

    /// Advances each leaf by one block, which counts for `increment` bytes.
    fn compress(
        leaves: &mut [State<V::Word>; LEAVES],
        blocks: [&V::Block; LEAVES],
        increment: usize,
        backends: Backends<V>,
    ) {
        let Some(kernel) = backends.many.together else {
            for (state, block) in leaves.iter_mut().zip(blocks) {
                backends.one.compress(state, slice::from_ref(block), increment);
            }
            return;
        };
        let (states, blocks) = (leaves.as_chunks_mut::<LANES>().0, blocks.as_chunks::<LANES>().0);
        for (states, blocks) in states.iter_mut().zip(blocks) {
            let (states, blocks) = (states.each_mut().map(core::ptr::from_mut), blocks.map(core::ptr::from_ref));
            // SAFETY: distinct aligned states and a block for each, none of which overlaps a state; a backend is handed out
            // only when the CPU has its features.
            unsafe { V::together(kernel, states, blocks, 1, increment) };
        }
    }
}

impl<V: Interleaved<LANES>, const LEAVES: usize, const LANES: usize> Mode for Tree<V, LEAVES, LANES> {
    type Variant = V;

    fn parameters(chosen: Parameters) -> Parameters {
        Parameters { fanout: LEAVES as u8, max_depth: 2, node_depth: 1, inner_length: V::MAX_BYTES as u8, ..chosen }
    }

    fn new(parameters: &Parameters, key: Option<&V::Block>, backends: Backends<V>) -> Self {
        let mut tree = Tree {
            leaves: [V::NO_STATE; LEAVES],
            buffer: [[V::ZEROS; LEAVES]; 2],
            filled: 0,
            length: 0,
            root: V::NO_STATE,
            backends,
        };
        tree.start(parameters, key);
        tree
    }

    fn start(&mut self, parameters: &Parameters, key: Option<&V::Block>) {
        use vambrace_reference::blake2::initial;

        self.root = State { h: initial(parameters), ..V::NO_STATE };
        for (offset, leaf) in self.leaves.iter_mut().enumerate() {
            let of_leaf = Parameters { node_depth: 0, node_offset: offset as u64, ..*parameters };
            *leaf = State { h: initial(&of_leaf), ..V::NO_STATE };
        }
        self.buffer = [[V::ZEROS; LEAVES]; 2];
        (self.filled, self.length) = (0, 0);
        if let Some(key) = key {
            // Every leaf begins with the key.
            self.buffer[0] = [*key; LEAVES];
            self.filled = Self::STRIPE;
            self.length = V::BLOCK_BYTES as u128;
        }
    }

    fn update(&mut self, mut data: &[u8]) {
        self.length = self.length.wrapping_add(data.len() as u128);
        // A stripe can go when every leaf has a byte after its block of it: the last leaf's comes last.
        let needed = 2 * Self::STRIPE - V::BLOCK_BYTES + 1;
        while self.filled + data.len() >= needed {
            if self.filled == 0 {
                let (stripe, rest) = data.split_at(Self::STRIPE);
                let (stripe, _) = V::blocks(stripe).0.as_chunks::<LEAVES>();
                Self::compress(&mut self.leaves, stripe[0].each_ref(), V::BLOCK_BYTES, self.backends);
                data = rest;
                continue;
            }
            let filled = self.filled;
            if filled < Self::STRIPE {
                let (head, rest) = data.split_at(Self::STRIPE - filled);
                self.buffer()[filled..Self::STRIPE].copy_from_slice(head);
                self.filled = Self::STRIPE;
                data = rest;
                continue;
            }
            Self::compress(&mut self.leaves, self.buffer[0].each_ref(), V::BLOCK_BYTES, self.backends);
            self.buffer[0] = self.buffer[1];
            self.filled -= Self::STRIPE;
        }
        let filled = self.filled;
        self.buffer()[filled..filled + data.len()].copy_from_slice(data);
        self.filled += data.len();
    }

    fn finish(&mut self, out: &mut [u8]) {
        let filled = self.filled;
        self.buffer()[filled..].fill(0);
        let mut last = self.buffer[0].each_ref();
        for (n, leaf) in self.leaves.iter_mut().enumerate() {
            // How much of the buffer is this leaf's, and how much of that is in its second block.
            let of_first = filled.saturating_sub(n * V::BLOCK_BYTES).min(V::BLOCK_BYTES);
            let of_second = filled.saturating_sub(Self::STRIPE + n * V::BLOCK_BYTES).min(V::BLOCK_BYTES);
            let bytes = if of_second != 0 {
                self.backends.one.compress(leaf, slice::from_ref(last[n]), V::BLOCK_BYTES);
                last[n] = &self.buffer[1][n];
                of_second
            } else {
                of_first
            };
            leaf.t = V::counter(V::bytes(leaf.t).wrapping_add(bytes as u128));
            leaf.f[0] = V::ONES;
            if n == LEAVES - 1 {
                leaf.f[1] = V::ONES;
            }
        }
        // The counters are there already: leaves end at different lengths.
        Self::compress(&mut self.leaves, last, 0, self.backends);

        let mut root = Engine::<V>::of_node(self.root, self.backends.one);
        let mut digest = V::ZEROS;
        for leaf in &self.leaves {
            write_digest::<V>(&leaf.h, &mut digest.as_mut()[..V::MAX_BYTES]);
            root.update(&digest.as_ref()[..V::MAX_BYTES]);
        }
        digest = V::ZEROS;
        optimization_barrier(&digest);
        root.finish(true, out);
    }

    fn length(&self) -> u128 {
        self.length
    }

    fn set_backends(&mut self, backends: Backends<V>) {
        self.backends = backends;
    }

    fn backends(&self) -> Backends<V> {
        self.backends
    }
}

impl<V: Variant, const LEAVES: usize, const LANES: usize> Drop for Tree<V, LEAVES, LANES> {
    fn drop(&mut self) {
        self.leaves = [V::NO_STATE; LEAVES];
        self.buffer = [[V::ZEROS; LEAVES]; 2];
        (self.filled, self.length) = (0, 0);
        self.root = V::NO_STATE;
        optimization_barrier(self);
    }
}
