//! Buffering, for all tiers: the sequential mode, and each node of a tree.

use vambrace_reference::blake2::{self as specification, MessageWord, Parameters};
use zeroize::optimization_barrier;

use super::{Backend, State, Variant, write_digest};
use crate::StateError;

/// A running hash. The last block is held back, since its compression is told that it is the last.
pub(crate) struct Engine<V: Variant> {
    state: State<V::Word>,
    /// Bytes of the message, then zeros.
    buffer: V::Block,
    /// How many bytes of `buffer` are in use: up to a whole block.
    filled: usize,
    pub(super) backend: &'static Backend<V>,
}

impl<V: Variant> Clone for Engine<V> {
    #[inline]
    fn clone(&self) -> Engine<V> {
        Engine { state: self.state, buffer: self.buffer, filled: self.filled, backend: self.backend }
    }
}

impl<V: Variant> Engine<V> {
    /// Before the first byte of the message; `key` is the key, filled up with zeros to a block.
    #[inline]
    pub(crate) fn new(parameters: &Parameters, key: Option<&V::Block>, backend: &'static Backend<V>) -> Engine<V> {
        let mut engine = Engine { state: V::NO_STATE, buffer: V::ZEROS, filled: 0, backend };
        engine.start(parameters, key);
        engine
    }

    /// A node of a tree, from its state before the first byte.
    pub(super) fn of_node(state: State<V::Word>, backend: &'static Backend<V>) -> Engine<V> {
        Engine { state, buffer: V::ZEROS, filled: 0, backend }
    }

    /// Begins again, in place.
    #[inline]
    pub(crate) fn start(&mut self, parameters: &Parameters, key: Option<&V::Block>) {
        self.state = State { h: specification::initial(parameters), ..V::NO_STATE };
        (self.buffer, self.filled) = match key {
            Some(key) => (*key, V::BLOCK_BYTES),
            None => (V::ZEROS, 0),
        };
    }

    /// The number of bytes so far, the block of the key included.
    #[inline]
    pub(crate) fn length(&self) -> u128 {
        V::bytes(self.state.t).wrapping_add(self.filled as u128)
    }

    #[inline]
    pub(crate) fn update(&mut self, mut data: &[u8]) {
        let room = V::BLOCK_BYTES - self.filled;
        if data.len() > room {
            if self.filled != 0 {
                let (head, rest) = data.split_at(room);
                self.buffer.as_mut()[self.filled..].copy_from_slice(head);
                self.backend.compress(&mut self.state, core::slice::from_ref(&self.buffer), V::BLOCK_BYTES);
                (self.buffer, self.filled) = (V::ZEROS, 0);
                data = rest;
            }
            // At least one byte is left to be held back.
            let whole = (data.len() - 1) / V::BLOCK_BYTES;
            if whole != 0 {
                self.backend.compress(&mut self.state, &V::blocks(data).0[..whole], V::BLOCK_BYTES);
                data = &data[whole * V::BLOCK_BYTES..];
            }
        }
        self.buffer.as_mut()[self.filled..][..data.len()].copy_from_slice(data);
        self.filled += data.len();
    }

    /// Compresses the last block and writes as much of the digest as `out` has room for. The engine holds a finished hash
    /// afterwards.
    #[inline]
    pub(crate) fn finish(&mut self, last_node: bool, out: &mut [u8]) {
        self.state.f[0] = V::ONES;
        if last_node {
            self.state.f[1] = V::ONES;
        }
        self.backend.compress(&mut self.state, core::slice::from_ref(&self.buffer), self.filled);
        write_digest::<V>(&self.state.h, out);
    }

    /// Writes the exported state from the chaining value on.
    pub(crate) fn export(&self, out: &mut [u8]) {
        let (words, rest) = out.split_at_mut(V::BLOCK_BYTES / 2);
        for (bytes, word) in words.chunks_exact_mut(V::BLOCK_BYTES / 16).zip(self.state.h) {
            V::write_word(word, bytes);
        }
        let (counter, rest) = rest.split_at_mut(V::BLOCK_BYTES / 8);
        for (bytes, word) in counter.chunks_exact_mut(V::BLOCK_BYTES / 16).zip(self.state.t) {
            V::write_word(word, bytes);
        }
        let (filled, buffer) = rest.split_at_mut(1);
        filled[0] = self.filled as u8;
        buffer[..self.filled].copy_from_slice(&self.buffer.as_ref()[..self.filled]);
        buffer[self.filled..].fill(0);
    }

    /// What [`export`](Engine::export) wrote; the number of bytes is right.
    pub(crate) fn import(exported: &[u8], backend: &'static Backend<V>) -> Result<Engine<V>, StateError> {
        let mut engine = Engine { state: V::NO_STATE, buffer: V::ZEROS, filled: 0, backend };
        let (words, rest) = exported.split_at(V::BLOCK_BYTES / 2);
        for (word, bytes) in engine.state.h.iter_mut().zip(words.chunks_exact(V::BLOCK_BYTES / 16)) {
            *word = V::Word::from_bytes(bytes);
        }
        let (counter, rest) = rest.split_at(V::BLOCK_BYTES / 8);
        for (word, bytes) in engine.state.t.iter_mut().zip(counter.chunks_exact(V::BLOCK_BYTES / 16)) {
            *word = V::Word::from_bytes(bytes);
        }
        let count = V::bytes(engine.state.t);
        if !count.is_multiple_of(V::BLOCK_BYTES as u128) {
            return Err(StateError::Counter { block: V::BLOCK_BYTES, given: count });
        }
        let (filled, buffer) = rest.split_at(1);
        let buffered = usize::from(filled[0]);
        if buffered > V::BLOCK_BYTES || buffer[buffered..].iter().any(|byte| *byte != 0) {
            return Err(StateError::Buffer { buffered });
        }
        let given =
            V::bytes(engine.state.t).checked_add(buffered as u128).filter(|given| *given <= V::MAX_MESSAGE_BYTES);
        if given.is_none() {
            let given = V::bytes(engine.state.t).saturating_add(buffered as u128);
            return Err(StateError::MessageTooLong { limit: V::MAX_MESSAGE_BYTES, given });
        }
        engine.buffer.as_mut().copy_from_slice(buffer);
        engine.filled = buffered;
        Ok(engine)
    }

    /// From the chaining value after `count` bytes, whole blocks that were not the last.
    #[cfg(feature = "verify")]
    pub(crate) fn resume(h: [V::Word; 8], count: u128, backend: &'static Backend<V>) -> Engine<V> {
        let state = State { h, t: V::counter(count), ..V::NO_STATE };
        Engine { state, buffer: V::ZEROS, filled: 0, backend }
    }

    /// The chaining value after the blocks so far, the one that is held back aside.
    #[cfg(feature = "verify")]
    pub(crate) fn chaining_value(&self) -> ([V::Word; 8], u128) {
        (self.state.h, self.length())
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.state = V::NO_STATE;
        self.buffer = V::ZEROS;
        self.filled = 0;
        optimization_barrier(self);
    }
}

impl<V: Variant> Drop for Engine<V> {
    #[inline]
    fn drop(&mut self) {
        self.clear();
    }
}
