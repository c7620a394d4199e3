//! Buffering and padding, for all tiers.

use digest::array::{Array, ArraySize};
use zeroize::optimization_barrier;

use super::{Backend, Family, write_digest};
use crate::{MessageTooLong, StateError};

/// Version of the format of exported states.
const STATE_VERSION: u8 = 1;

/// A running hash.
pub(crate) struct Engine<F: Family> {
    /// The hash value after all whole blocks.
    state: [F::Word; 8],
    /// The number of message bytes.
    length: F::Length,
    /// The bytes after the last whole block, then zeros.
    buffer: F::Block,
    backend: &'static Backend<F>,
}

impl<F: Family> Clone for Engine<F> {
    #[inline]
    fn clone(&self) -> Engine<F> {
        Engine { state: self.state, length: self.length, buffer: self.buffer, backend: self.backend }
    }
}

impl<F: Family> Engine<F> {
    #[inline]
    pub(crate) fn new(initial: &[F::Word; 8], backend: &'static Backend<F>) -> Engine<F> {
        Engine::resume(*initial, F::Length::default(), backend)
    }

    /// From the hash value after `length` message bytes, a whole number of blocks.
    #[inline]
    pub(crate) fn resume(state: [F::Word; 8], length: F::Length, backend: &'static Backend<F>) -> Engine<F> {
        Engine { state, length, buffer: F::ZEROS, backend }
    }

    pub(crate) fn backend(&self) -> &'static Backend<F> {
        self.backend
    }

    pub(crate) fn set_backend(&mut self, backend: &'static Backend<F>) {
        self.backend = backend;
    }

    pub(crate) fn is_between_blocks(&self) -> bool {
        F::partial(self.length) == 0
    }

    #[inline]
    pub(crate) fn reset(&mut self, initial: &[F::Word; 8]) {
        self.state = *initial;
        self.length = F::Length::default();
        self.buffer = F::ZEROS;
    }

    #[inline]
    pub(crate) fn try_update(&mut self, data: &[u8]) -> Result<(), MessageTooLong> {
        let given = F::bytes(self.length).saturating_add(data.len() as u128);
        if given > F::MAX_MESSAGE_BYTES {
            return Err(MessageTooLong { limit: F::MAX_MESSAGE_BYTES, given });
        }
        self.update(data);
        Ok(())
    }

    #[inline]
    pub(crate) fn update(&mut self, mut data: &[u8]) {
        let partial = F::partial(self.length);
        self.length = F::advance(self.length, data.len());
        if partial != 0 {
            let room = &mut self.buffer.as_mut()[partial..];
            if data.len() < room.len() {
                room[..data.len()].copy_from_slice(data);
                return;
            }
            let (head, rest) = data.split_at(room.len());
            room.copy_from_slice(head);
            self.compress_buffer();
            data = rest;
        }
        let (blocks, rest) = F::blocks(data);
        if !blocks.is_empty() {
            self.backend.compress(&mut self.state, blocks);
        }
        self.buffer.as_mut()[..rest.len()].copy_from_slice(rest);
    }

    #[inline]
    fn compress_buffer(&mut self) {
        self.backend.compress(&mut self.state, core::slice::from_ref(&self.buffer));
        self.buffer = F::ZEROS;
    }

    /// Pads (section 5.1) and writes the digest; the engine holds a finished hash afterwards.
    #[inline]
    pub(crate) fn finish(&mut self, out: &mut [u8]) {
        let partial = F::partial(self.length);
        self.buffer.as_mut()[partial] = 0x80;
        let field = F::BLOCK_BYTES - F::LENGTH_BYTES;
        if partial >= field {
            self.compress_buffer();
        }
        self.buffer.as_mut()[field..].copy_from_slice(F::length_field(self.length).as_ref());
        self.backend.compress(&mut self.state, core::slice::from_ref(&self.buffer));
        write_digest::<F>(&self.state, out);
    }

    /// The engine without its incomplete block, and that.
    pub(crate) fn split(&self) -> (Engine<F>, Partial<F>) {
        let length = F::partial(self.length);
        let whole = Engine::resume(self.state, F::retreat(self.length, length), self.backend);
        (whole, Partial { block: self.buffer, length })
    }

    /// Writes the exported state: version, algorithm, hash value, length, buffer.
    pub(crate) fn export(&self, code: u8, out: &mut [u8]) {
        let word_bytes = F::BLOCK_BYTES / 16;
        let (head, rest) = out.split_at_mut(2);
        head.copy_from_slice(&[STATE_VERSION, code]);
        let (words, rest) = rest.split_at_mut(8 * word_bytes);
        for (bytes, word) in words.chunks_exact_mut(word_bytes).zip(self.state) {
            F::write_word(word, bytes);
        }
        let (length, buffer) = rest.split_at_mut(F::LENGTH_BYTES);
        length.copy_from_slice(&F::bytes(self.length).to_be_bytes()[16 - F::LENGTH_BYTES..]);
        buffer.copy_from_slice(self.buffer.as_ref());
    }

    /// Bytes of an exported state.
    pub(crate) const STATE_BYTES: usize = 2 + F::BLOCK_BYTES / 2 + F::LENGTH_BYTES + F::BLOCK_BYTES;

    pub(crate) fn import(code: u8, exported: &[u8], backend: &'static Backend<F>) -> Result<Engine<F>, StateError> {
        if exported.len() != Self::STATE_BYTES {
            return Err(StateError::Length { expected: Self::STATE_BYTES, given: exported.len() });
        }
        let (head, rest) = exported.split_at(2);
        if head[0] != STATE_VERSION {
            return Err(StateError::Version { expected: STATE_VERSION, given: head[0] });
        }
        if head[1] != code {
            return Err(StateError::Algorithm { expected: code, given: head[1] });
        }
        let (words, rest) = rest.split_at(F::BLOCK_BYTES / 2);
        let (length, buffer) = rest.split_at(F::LENGTH_BYTES);
        let given = length.iter().fold(0, |length, &byte| length << 8 | u128::from(byte));
        let length = F::length(given)
            .filter(|_| given <= F::MAX_MESSAGE_BYTES)
            .ok_or(StateError::MessageTooLong { limit: F::MAX_MESSAGE_BYTES, given })?;
        let buffered = F::partial(length);
        if buffer[buffered..].iter().any(|byte| *byte != 0) {
            return Err(StateError::Buffer { buffered });
        }

        let mut engine = Engine::resume(F::NO_STATE, length, backend);
        for (word, bytes) in engine.state.iter_mut().zip(words.chunks_exact(F::BLOCK_BYTES / 16)) {
            *word = F::read_word(bytes);
        }
        engine.buffer.as_mut().copy_from_slice(buffer);
        Ok(engine)
    }

    #[cfg(feature = "verify")]
    pub(crate) fn chaining_value(&self) -> ([F::Word; 8], u128) {
        (self.state, F::bytes(self.length))
    }
}

/// The digest of a message in one piece, by an engine that does not move.
///
/// The number of bytes is part of the type so that they are written without a loop.
pub(crate) fn digest<F: Family, N: ArraySize>(
    backend: &'static Backend<F>,
    initial: &[F::Word; 8],
    message: &[u8],
    out: &mut Array<u8, N>,
) {
    let mut engine = Engine::new(initial, backend);
    engine.update(message);
    engine.finish(out);
}

impl<F: Family> Drop for Engine<F> {
    #[inline]
    fn drop(&mut self) {
        self.state = F::NO_STATE;
        self.length = F::Length::default();
        self.buffer = F::ZEROS;
        optimization_barrier(self);
    }
}

/// The incomplete block of a running hash.
pub(crate) struct Partial<F: Family> {
    block: F::Block,
    length: usize,
}

impl<F: Family> Partial<F> {
    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.block.as_ref()[..self.length]
    }
}

impl<F: Family> Drop for Partial<F> {
    fn drop(&mut self) {
        self.block = F::ZEROS;
        optimization_barrier(self);
    }
}
