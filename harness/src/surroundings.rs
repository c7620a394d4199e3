//! What a result must not depend on: the stack, and how deep it is.

use std::hint::black_box;

/// Leaves a known byte in the stack space that the next calls use.
#[inline(never)]
pub(crate) fn paint_stack(paint: u8) {
    black_box(&mut [paint; 8192]);
}

/// Calls with that many frames of an odd size in between.
#[inline(never)]
pub(crate) fn deeper<T>(depth: usize, call: &mut dyn FnMut() -> T) -> T {
    let mut frame = [depth as u8; 40];
    black_box(&mut frame);
    let result = if depth == 0 { call() } else { deeper(depth - 1, call) };
    black_box(&mut frame);
    result
}
