//! How much memory a process may ask for.
//!
//! `setrlimit` is no help: QEMU's user mode answers that RLIMIT_AS and RLIMIT_DATA are set, and sets nothing.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// What a child may have beyond what it was forked with. No check needs a tenth of it.
pub const MEMORY_BYTES: usize = 512 << 20;

/// The exit status of a process that has asked for more.
pub(super) const MEMORY_STATUS: i32 = 77;

/// The system's allocator, which ends the process when it asks for more than `set` has left it.
pub struct Budgeted;

static USED: AtomicUsize = AtomicUsize::new(0);
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);

/// Leaves the process so many bytes more.
pub(super) fn set(bytes: usize) {
    LIMIT.store(USED.load(Relaxed).saturating_add(bytes), Relaxed);
}

fn take(bytes: usize) {
    let used = USED.fetch_add(bytes, Relaxed).saturating_add(bytes);
    if used > LIMIT.load(Relaxed) {
        // SAFETY: ends the process, without a look at memory that cannot be trusted.
        unsafe { nix::libc::_exit(MEMORY_STATUS) }
    }
}

// SAFETY: all memory is the system allocator's, asked for with the caller's own arguments.
unsafe impl GlobalAlloc for Budgeted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        take(layout.size());
        // SAFETY: as the caller vouches.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        USED.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as the caller vouches.
        unsafe { System.dealloc(memory, layout) }
    }
}
