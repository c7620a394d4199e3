//! What a result must not depend on: the stack, and how deep it is.

use std::hint::black_box;

/// Leaves a known byte in the stack space that the next calls use.
#[inline(never)]
pub(crate) fn paint_stack(paint: u8) {
    black_box(&mut [paint; 8192]);
}

/// Calls with that many frames in between. By turns they differ by 64 bytes, so that no size of a frame keeps the stack at
/// the same address modulo a power of two.
#[inline(never)]
pub(crate) fn deeper<T>(depth: usize, call: &mut dyn FnMut() -> T) -> T {
    match depth {
        0 => call(),
        _ if depth % 2 == 1 => within::<40, T>(depth, call),
        _ => within::<104, T>(depth, call),
    }
}

#[inline(never)]
fn within<const BYTES: usize, T>(depth: usize, call: &mut dyn FnMut() -> T) -> T {
    let mut frame = [depth as u8; BYTES];
    black_box(&mut frame);
    let result = deeper(depth - 1, call);
    black_box(&mut frame);
    result
}
