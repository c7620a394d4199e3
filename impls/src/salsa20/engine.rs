//! The key stream at any byte, for all tiers.

use cipher::InOutBuf;
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
    /// At the beginning; `state` has the counter 0.
    pub(super) fn new(state: [u32; 16], rounds: u32, backend: &'static Backend) -> Engine {
        Engine { state, block: [0; BLOCK_BYTES], used: BLOCK_BYTES, blocks: 0, rounds, backend }
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
        self.block = [0; BLOCK_BYTES];
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
        let (mut head, rest) = data.split_at(left);
        head.xor_in2out(&self.block[self.used..][..head.len()]);
        self.used += head.len();

        let count = rest.len() / BLOCK_BYTES;
        let (whole, mut tail) = rest.split_at(count * BLOCK_BYTES);
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
            self.block = [0; BLOCK_BYTES];
            self.next_block();
            self.used = tail.len();
            tail.xor_in2out(&self.block[..tail.len()]);
        }
    }

    /// The next block of the key stream; `block` is zero.
    fn next_block(&mut self) {
        let block = self.block.as_mut_ptr();
        // SAFETY: as in `apply`, in place, for one block.
        unsafe { (self.backend.stream)(&raw mut self.state, block, block, 1, self.rounds) };
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

impl Drop for Engine {
    fn drop(&mut self) {
        self.state = [0; 16];
        self.block = [0; BLOCK_BYTES];
        optimization_barrier(self);
    }
}
