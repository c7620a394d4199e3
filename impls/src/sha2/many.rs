//! Several messages at once, two to a kernel call.

use digest::array::{Array, ArraySize};
use zeroize::optimization_barrier;

use super::{Backend, Family, write_digest};
use crate::LaneCountError;
use crate::lanes::{self, Lane};

/// One message on its way: its whole blocks, then one or two blocks of the rest with the padding.
struct Message<'a, F: Family, N: ArraySize> {
    state: [F::Word; 8],
    body: &'a [F::Block],
    tail: [F::Block; 2],
    /// How many blocks of `tail`, from its end, are still to come.
    tail_left: usize,
    output: Option<&'a mut Array<u8, N>>,
}

impl<F: Family, N: ArraySize> Message<'_, F, N> {
    /// The state, and the blocks to come that lie side by side.
    #[inline]
    fn state_and_blocks(&mut self) -> (&mut [F::Word; 8], &[F::Block]) {
        let blocks = match (self.body, self.tail_left) {
            ([], 0) => &[],
            ([], 1) => &self.tail[1..],
            ([], _) => &self.tail,
            (body, _) => body,
        };
        (&mut self.state, blocks)
    }

    /// Leaves so many of those blocks behind.
    #[inline]
    fn advance(&mut self, blocks: usize) {
        match self.body.get(blocks..) {
            Some(rest) if !self.body.is_empty() => self.body = rest,
            _ => self.tail_left -= blocks,
        }
    }
}

impl<'a, F: Family, N: ArraySize> Lane for Message<'a, F, N> {
    /// The initial hash value, the message, and where its digest goes.
    type Job = (&'a [F::Word; 8], &'a [u8], &'a mut Array<u8, N>);

    const IDLE: Self = Message { state: F::NO_STATE, body: &[], tail: [F::ZEROS; 2], tail_left: 0, output: None };

    #[inline]
    fn begin(&mut self, (initial, message, output): Self::Job) {
        let (body, rest) = F::blocks(message);
        let field = F::BLOCK_BYTES - F::LENGTH_BYTES;
        self.state = *initial;
        self.body = body;
        self.tail = [F::ZEROS; 2];
        self.tail_left = if rest.len() < field { 1 } else { 2 };
        self.output = Some(output);

        let first = self.tail[2 - self.tail_left].as_mut();
        first[..rest.len()].copy_from_slice(rest);
        first[rest.len()] = 0x80;
        let length = F::advance(F::Length::default(), message.len());
        self.tail[1].as_mut()[field..].copy_from_slice(F::length_field(length).as_ref());
    }

    #[inline]
    fn is_done(&self) -> bool {
        self.tail_left == 0
    }

    #[inline]
    fn finish(&mut self) {
        if let Some(output) = self.output.take() {
            write_digest::<F>(&self.state, output);
        }
    }
}

impl<F: Family, N: ArraySize> Drop for Message<'_, F, N> {
    #[inline]
    fn drop(&mut self) {
        self.state = F::NO_STATE;
        self.tail = [F::ZEROS; 2];
        optimization_barrier(self);
    }
}

/// The digests of all messages.
pub(crate) fn digest_many<F: Family, N: ArraySize>(
    backend: &Backend<F>,
    initial: &[F::Word; 8],
    messages: &[&[u8]],
    outputs: &mut [Array<u8, N>],
) -> Result<(), LaneCountError> {
    if messages.len() != outputs.len() {
        return Err(LaneCountError { messages: messages.len(), outputs: outputs.len() });
    }
    let jobs = messages.iter().zip(outputs).map(|(message, output)| (initial, *message, output));
    let alone = |message: &mut Message<'_, F, N>| {
        while !message.is_done() {
            let (state, blocks) = message.state_and_blocks();
            let count = blocks.len();
            backend.compress(state, blocks);
            message.advance(count);
        }
    };
    match backend.pair() {
        Some(pair) => {
            let together = |lanes: &mut [Message<'_, F, N>; 2]| {
                let [first, second] = lanes;
                let ((state0, blocks0), (state1, blocks1)) = (first.state_and_blocks(), second.state_and_blocks());
                let count = pair.compress([state0, state1], [blocks0, blocks1]);
                first.advance(count);
                second.advance(count);
            };
            lanes::run::<2, _>(jobs, together, alone)
        }
        None => lanes::run::<1, _>(jobs, |_| (), alone),
    }
    Ok(())
}
