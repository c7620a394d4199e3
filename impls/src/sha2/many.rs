//! Several messages at once, two to a kernel call.

use core::ops::Range;

use zeroize::optimization_barrier;

use super::{Backend, Family, write_digest};
use crate::LaneCountError;
use crate::lanes::{self, Lane};

/// One message on its way: its whole blocks, then one or two blocks of the rest with the padding.
struct Message<'a, F: Family> {
    state: [F::Word; 8],
    body: &'a [F::Block],
    tail: [F::Block; 2],
    /// Which blocks of `tail` are still to come.
    tail_left: Range<usize>,
}

impl<'a, F: Family> Message<'a, F> {
    /// No message.
    fn idle() -> Message<'a, F> {
        Message { state: [F::Word::default(); 8], body: &[], tail: [F::ZEROS; 2], tail_left: 0..0 }
    }

    /// Starts a message in place of the one before.
    fn begin(&mut self, initial: &[F::Word; 8], message: &'a [u8]) {
        let (body, rest) = F::blocks(message);
        self.state = *initial;
        self.body = body;
        self.tail = [F::ZEROS; 2];
        let first = self.tail[0].as_mut();
        first[..rest.len()].copy_from_slice(rest);
        first[rest.len()] = 0x80;
        let field = F::BLOCK_BYTES - F::LENGTH_BYTES;
        let blocks = if rest.len() < field { 1 } else { 2 };
        let length = F::advance(F::Length::default(), message.len());
        self.tail[blocks - 1].as_mut()[field..].copy_from_slice(F::length_field(length).as_ref());
        self.tail_left = 0..blocks;
    }

    /// The state, and the blocks to come that lie side by side.
    fn state_and_blocks(&mut self) -> (&mut [F::Word; 8], &[F::Block]) {
        let blocks = if self.body.is_empty() { &self.tail[self.tail_left.clone()] } else { self.body };
        (&mut self.state, blocks)
    }

    fn advance(&mut self, blocks: usize) {
        if self.body.is_empty() {
            self.tail_left.start += blocks;
        } else {
            self.body = &self.body[blocks..];
        }
    }
}

impl<F: Family> Lane for Message<'_, F> {
    fn ready(&self) -> usize {
        if self.body.is_empty() { self.tail_left.len() } else { self.body.len() }
    }
}

impl<F: Family> Drop for Message<'_, F> {
    fn drop(&mut self) {
        self.state = [F::Word::default(); 8];
        self.tail = [F::ZEROS; 2];
        optimization_barrier(self);
    }
}

/// The digests of all messages, each as long as its output.
pub(crate) fn digest<'a, F: Family, O: AsMut<[u8]>>(
    backend: &Backend<F>,
    initial: &[F::Word; 8],
    messages: &[&'a [u8]],
    outputs: &mut [O],
) -> Result<(), LaneCountError> {
    if messages.len() != outputs.len() {
        return Err(LaneCountError { messages: messages.len(), outputs: outputs.len() });
    }
    let begin = |message: &mut Message<'a, F>, index: usize| message.begin(initial, messages[index]);
    let alone = |message: &mut Message<'a, F>| {
        while message.ready() != 0 {
            let (state, blocks) = message.state_and_blocks();
            let count = blocks.len();
            backend.compress(state, blocks);
            message.advance(count);
        }
    };
    let close = |index: usize, message: &Message<'a, F>| {
        write_digest::<F>(&message.state, outputs[index].as_mut());
    };
    let together = |lanes: &mut [Message<'a, F>; 2], count: usize| {
        let [first, second] = lanes;
        let ((state0, blocks0), (state1, blocks1)) = (first.state_and_blocks(), second.state_and_blocks());
        backend.compress_pair([state0, state1], [blocks0, blocks1], count);
        first.advance(count);
        second.advance(count);
    };
    match backend.compress_x2 {
        Some(_) => lanes::run::<2, _>(messages.len(), Message::idle, begin, together, alone, close),
        None => lanes::run::<1, _>(messages.len(), Message::idle, begin, |_, _| (), alone, close),
    }
    Ok(())
}
