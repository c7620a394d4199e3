//! Several messages at once, two to a kernel call.

use zeroize::optimization_barrier;

use super::engine::{Backend, write_digest};
use crate::LaneCountError;
use crate::lanes::{self, Lane};

/// One message on its way: its whole blocks, then one or two blocks of the rest with the padding.
struct Message<'a> {
    state: [u32; 8],
    body: &'a [[u8; 64]],
    tail: [[u8; 64]; 2],
    /// Which blocks of `tail` are still to come.
    tail_left: core::ops::Range<usize>,
}

impl<'a> Message<'a> {
    fn new(initial: &[u32; 8], message: &'a [u8]) -> Message<'a> {
        let (body, rest) = message.as_chunks();
        let mut tail = [[0; 64]; 2];
        tail[0][..rest.len()].copy_from_slice(rest);
        tail[0][rest.len()] = 0x80;
        let blocks = if rest.len() < 56 { 1 } else { 2 };
        // A slice has fewer than 2^63 bytes; the number of its bits is meant modulo 2^64 (section 5.1.1).
        let bits = (message.len() as u64).wrapping_mul(8);
        tail[blocks - 1][56..].copy_from_slice(&bits.to_be_bytes());
        Message { state: *initial, body, tail, tail_left: 0..blocks }
    }

    /// The blocks to come that lie side by side.
    fn blocks(&self) -> &[[u8; 64]] {
        if self.body.is_empty() { &self.tail[self.tail_left.clone()] } else { self.body }
    }

    fn advance(&mut self, blocks: usize) {
        if self.body.is_empty() {
            self.tail_left.start += blocks;
        } else {
            self.body = &self.body[blocks..];
        }
    }

    fn state_and_blocks(&mut self) -> (&mut [u32; 8], &[[u8; 64]]) {
        let blocks = if self.body.is_empty() { &self.tail[self.tail_left.clone()] } else { self.body };
        (&mut self.state, blocks)
    }
}

impl Lane for Message<'_> {
    fn ready(&self) -> usize {
        self.blocks().len()
    }
}

impl Drop for Message<'_> {
    fn drop(&mut self) {
        self.state = [0; 8];
        self.tail = [[0; 64]; 2];
        optimization_barrier(self);
    }
}

/// The digests of all messages, each as long as its output.
pub(super) fn digest<O: AsMut<[u8]>>(
    backend: &Backend,
    initial: &[u32; 8],
    messages: &[&[u8]],
    outputs: &mut [O],
) -> Result<(), LaneCountError> {
    if messages.len() != outputs.len() {
        return Err(LaneCountError { messages: messages.len(), outputs: outputs.len() });
    }
    let open = |index: usize| Message::new(initial, messages[index]);
    let alone = |message: &mut Message<'_>| {
        while message.ready() != 0 {
            let (state, blocks) = message.state_and_blocks();
            let count = blocks.len();
            backend.compress(state, blocks);
            message.advance(count);
        }
    };
    let mut close = |index: usize, message: &Message<'_>| write_digest(&message.state, outputs[index].as_mut());
    if backend.has_pair() {
        let together = |lanes: &mut [Message<'_>; 2], count: usize| {
            let [first, second] = lanes;
            let ((state0, blocks0), (state1, blocks1)) = (first.state_and_blocks(), second.state_and_blocks());
            backend.compress_pair([state0, state1], [blocks0, blocks1], count);
            first.advance(count);
            second.advance(count);
        };
        lanes::run::<2, _>(messages.len(), open, together, alone, close);
    } else {
        for index in 0..messages.len() {
            let mut message = open(index);
            alone(&mut message);
            close(index, &message);
        }
    }
    Ok(())
}
