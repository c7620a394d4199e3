//! The key stream at any byte, for all tiers.

use cipher::InOutBuf;
use cipher::consts::{U4, U16};
use zeroize::optimization_barrier;

use super::Backend;
use crate::KeystreamExhausted;

/// Bytes of a block.
pub(super) const BLOCK_BYTES: usize = 64;

/// Blocks of a key stream: the counter has 64 bits.
pub(super) const BLOCKS: u128 = 1 << 64;

/// A key stream and a position in it.
pub(super) struct Engine {
    /// The matrix; its counter is that of the next block.
    state: [u32; 16],
    /// The block at the position, where that is inside of one.
    block: [u8; BLOCK_BYTES],
    /// Bytes of `block` before the position: all of them between blocks.
    used: usize,
    /// Blocks before the next.
    blocks: u128,
    rounds: u32,
    backend: &'static Backend,
}

impl Clone for Engine {
    fn clone(&self) -> Engine {
        Engine { state: self.state, block: self.block, ..*self }
    }
}

impl Engine {
    /// At the beginning of the key stream of a matrix, which `set_up` puts in its place; its counter is 0.
    #[inline]
    pub(super) fn new(rounds: u32, backend: &'static Backend, set_up: impl FnOnce(&mut [u32; 16])) -> Engine {
        let (state, block) = ([0; 16], [0; BLOCK_BYTES]);
        let mut engine = Engine { state, block, used: BLOCK_BYTES, blocks: 0, rounds, backend };
        set_up(&mut engine.state);
        engine
    }

    pub(super) fn backend(&self) -> &'static Backend {
        self.backend
    }

    pub(super) fn set_backend(&mut self, backend: &'static Backend) {
        self.backend = backend;
    }

    /// Blocks before the next, and bytes used of the one before that.
    pub(super) fn blocks_and_used(&self) -> (u128, u8) {
        (self.blocks, self.used as u8)
    }

    /// The position, in bytes.
    pub(super) fn position(&self) -> u128 {
        self.blocks * BLOCK_BYTES as u128 - (BLOCK_BYTES - self.used) as u128
    }

    /// Bytes from the position to the end.
    pub(super) fn remaining(&self) -> u128 {
        BLOCKS * BLOCK_BYTES as u128 - self.position()
    }

    pub(super) fn check(&self, bytes: usize) -> Result<(), KeystreamExhausted> {
        let (limit, given) = (self.remaining(), bytes as u128);
        if given > limit { Err(KeystreamExhausted { limit, given }) } else { Ok(()) }
    }

    pub(super) fn seek(&mut self, position: u128) -> Result<(), KeystreamExhausted> {
        let limit = BLOCKS * BLOCK_BYTES as u128;
        if position > limit {
            return Err(KeystreamExhausted { limit, given: position });
        }
        self.blocks = position / BLOCK_BYTES as u128;
        self.state[8] = self.blocks as u32;
        self.state[9] = (self.blocks >> 32) as u32;
        self.used = BLOCK_BYTES;
        let inside = (position % BLOCK_BYTES as u128) as usize;
        if inside != 0 {
            self.next_block();
            self.used = inside;
        }
        Ok(())
    }

    /// Xors the key stream from the position on, which [`check`](Engine::check) allows.
    pub(super) fn apply(&mut self, data: InOutBuf<'_, '_, u8>) {
        let left = (BLOCK_BYTES - self.used).min(data.len());
        let (head, rest) = data.split_at(left);
        if left != 0 {
            xor(head, &self.block[self.used..]);
            self.used += left;
        }

        let count = rest.len() / BLOCK_BYTES;
        let (whole, tail) = rest.split_at(count * BLOCK_BYTES);
        if count != 0 {
            let (input, output) = whole.into_raw();
            // SAFETY: the buffer gives a pointer for reading and one for writing, equal or disjoint, with `count` blocks at
            // each, as the contract `STREAM` asks; the state is a reference. A backend is handed out only when the CPU has
            // its features, and the rounds are 8, 12 or 20.
            unsafe {
                (self.backend.stream)(&raw mut self.state, input, output, count, self.rounds);
            }
            self.advance(count);
        }
        if !tail.is_empty() {
            self.next_block();
            self.used = tail.len();
            xor(tail, &self.block);
        }
    }

    /// The next block of the key stream.
    fn next_block(&mut self) {
        static ZEROS: [u8; BLOCK_BYTES] = [0; BLOCK_BYTES];
        let block = self.block.as_mut_ptr();
        // SAFETY: as in `apply`, for one block, from zeros that are disjoint from it.
        unsafe { (self.backend.stream)(&raw mut self.state, ZEROS.as_ptr(), block, 1, self.rounds) };
        self.advance(1);
    }

    /// Beyond the end the counter is that of the beginning again, and so is the position.
    fn advance(&mut self, blocks: usize) {
        self.blocks += blocks as u128;
        if self.blocks > BLOCKS {
            self.blocks -= BLOCKS;
        }
    }
}

/// Xors the beginning of a key stream: by words, since the compiler leaves a loop over bytes in place as it is.
fn xor(data: InOutBuf<'_, '_, u8>, stream: &[u8]) {
    let (chunks, rest) = data.into_chunks::<U16>();
    let (keys, stream) = stream.split_at(16 * chunks.len());
    for (mut chunk, key) in chunks.into_iter().zip(keys.as_chunks().0) {
        let word = u128::from_ne_bytes(chunk.get_in().0) ^ u128::from_ne_bytes(*key);
        chunk.get_out().0 = word.to_ne_bytes();
    }
    let (words, rest) = rest.into_chunks::<U4>();
    let (keys, stream) = stream.split_at(4 * words.len());
    for (mut word, key) in words.into_iter().zip(keys.as_chunks().0) {
        let xored = u32::from_ne_bytes(word.get_in().0) ^ u32::from_ne_bytes(*key);
        word.get_out().0 = xored.to_ne_bytes();
    }
    for (mut byte, key) in rest.into_iter().zip(stream) {
        *byte.get_out() = *byte.get_in() ^ key;
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.state = [0; 16];
        self.block = [0; BLOCK_BYTES];
        optimization_barrier(self);
    }
}
