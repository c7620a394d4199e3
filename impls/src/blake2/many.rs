//! Several messages at once.

use core::slice;

use digest::array::{Array, ArraySize};
use vambrace_reference::blake2::{Parameters, initial};
use zeroize::optimization_barrier;

use super::{Backends, Interleaved, Mode, NoKey, Running, State, Variant, write_digest};
use crate::LaneCountError;
use crate::lanes::{self, Lane};

/// One message on its way: its whole blocks but the last, then the last block, filled up with zeros.
struct Message<'a, V: Variant, N: ArraySize> {
    state: State<V::Word>,
    body: &'a [V::Block],
    tail: V::Block,
    /// Bytes of the message in `tail`.
    tail_bytes: usize,
    done: bool,
    output: Option<&'a mut Array<u8, N>>,
}

impl<V: Variant, N: ArraySize> Message<'_, V, N> {
    /// Sets the counter and the flag for the last block.
    #[inline]
    fn announce_tail(&mut self) {
        self.state.t = V::counter(V::bytes(self.state.t).wrapping_add(self.tail_bytes as u128));
        self.state.f[0] = V::ONES;
        self.done = true;
    }
}

impl<'a, V: Variant, N: ArraySize> Lane for Message<'a, V, N> {
    /// The state before the first block, the message, and where its digest goes.
    type Job = (&'a [V::Word; 8], &'a [u8], &'a mut Array<u8, N>);

    const IDLE: Self =
        Message { state: V::NO_STATE, body: &[], tail: V::ZEROS, tail_bytes: 0, done: true, output: None };

    #[inline]
    fn begin(&mut self, (initial, message, output): Self::Job) {
        let whole = message.len().saturating_sub(1) / V::BLOCK_BYTES;
        let (body, tail) = message.split_at(whole * V::BLOCK_BYTES);
        self.state = State { h: *initial, ..V::NO_STATE };
        self.body = V::blocks(body).0;
        self.tail = V::ZEROS;
        self.tail.as_mut()[..tail.len()].copy_from_slice(tail);
        self.tail_bytes = tail.len();
        self.done = false;
        self.output = Some(output);
    }

    #[inline]
    fn is_done(&self) -> bool {
        self.done
    }

    #[inline]
    fn finish(&mut self) {
        if let Some(output) = self.output.take() {
            write_digest::<V>(&self.state.h, output);
        }
    }
}

impl<V: Variant, N: ArraySize> Drop for Message<'_, V, N> {
    #[inline]
    fn drop(&mut self) {
        self.state = V::NO_STATE;
        self.tail = V::ZEROS;
        optimization_barrier(self);
    }
}

/// Takes a lane to its end.
#[inline]
fn alone<V: Variant, N: ArraySize>(message: &mut Message<'_, V, N>, backends: Backends<V>) {
    if message.done {
        return;
    }
    if !message.body.is_empty() {
        backends.one.compress(&mut message.state, message.body, V::BLOCK_BYTES);
        message.body = &[];
    }
    message.announce_tail();
    backends.one.compress(&mut message.state, slice::from_ref(&message.tail), 0);
}

/// Advances all lanes by at least one block.
#[inline]
fn together<V: Interleaved<LANES>, N: ArraySize, const LANES: usize>(
    lanes: &mut [Message<'_, V, N>; LANES],
    kernel: V::Together,
) {
    let count = lanes.iter().map(|lane| lane.body.len()).min().unwrap_or_default();
    let (count, increment) = if count != 0 {
        (count, V::BLOCK_BYTES)
    } else {
        // Some lane is at its last block: each lane's counter is set beforehand, for one block.
        for lane in lanes.iter_mut() {
            if lane.body.is_empty() {
                lane.announce_tail();
            } else {
                lane.state.t = V::counter(V::bytes(lane.state.t).wrapping_add(V::BLOCK_BYTES as u128));
            }
        }
        (1, 0)
    };
    let lane_pointers = |lane: &mut Message<'_, V, N>| {
        let blocks = if lane.body.is_empty() { core::ptr::from_ref(&lane.tail) } else { lane.body.as_ptr() };
        (core::ptr::from_mut(&mut lane.state), blocks)
    };
    let pointers = lanes.each_mut().map(lane_pointers);
    let (states, blocks) = (pointers.map(|(state, _)| state), pointers.map(|(_, blocks)| blocks));
    // SAFETY: distinct aligned states, and for each `count` blocks that do not overlap one: of its body, which has as many,
    // or its tail, when the count is one. A backend is handed out only when the CPU has its features.
    unsafe { V::together(kernel, states, blocks, count, increment) };
    for lane in lanes {
        lane.body = lane.body.get(count..).unwrap_or_default();
    }
}

/// The digests of all messages.
pub(crate) fn digest_many<V: Interleaved<LANES>, N: ArraySize, const LANES: usize>(
    backends: Backends<V>,
    parameters: &Parameters,
    messages: &[&[u8]],
    outputs: &mut [Array<u8, N>],
) -> Result<(), LaneCountError> {
    if messages.len() != outputs.len() {
        return Err(LaneCountError { messages: messages.len(), outputs: outputs.len() });
    }
    let initial = initial::<V::Word>(parameters);
    let jobs = messages.iter().zip(outputs).map(|(message, output)| (&initial, *message, output));
    let alone = |message: &mut Message<'_, V, N>| alone(message, backends);
    match backends.many.together {
        Some(kernel) => lanes::run::<LANES, _>(jobs, |lanes| together::<V, N, LANES>(lanes, kernel), alone),
        None => lanes::run::<1, _>(jobs, |_| (), alone),
    }
    Ok(())
}

/// The digests of all messages by a tree each: its leaves are what fills the lanes.
pub(crate) fn trees_many<M: Mode, N: ArraySize>(
    backends: Backends<M::Variant>,
    parameters: &Parameters,
    messages: &[&[u8]],
    outputs: &mut [Array<u8, N>],
) -> Result<(), LaneCountError> {
    if messages.len() != outputs.len() {
        return Err(LaneCountError { messages: messages.len(), outputs: outputs.len() });
    }
    let mut tree = Running::<M, NoKey>::new(*parameters, NoKey, backends);
    for (message, output) in messages.iter().zip(outputs) {
        tree.update(message);
        tree.finish(output);
        tree.reset();
    }
    Ok(())
}
