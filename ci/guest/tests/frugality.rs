//! What the library asks of its surroundings: little stack, and no heap.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

use vambrace::{Digest, Sha256, Tier};

/// Bytes of stack that a kernel may use.
const STACK: usize = 512;

#[test]
fn no_kernel_uses_more_than_512_bytes_of_stack() {
    for kernel in vambrace::kernels::ALL.iter().copied().flatten() {
        assert!(kernel.stack <= STACK, "{} {} uses {} bytes", kernel.architecture, kernel.name, kernel.stack);
    }
}

/// The system's allocator, counting what this thread asks of it.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: every request is passed on to the system's allocator as it is; counting touches a constant-initialised
// thread-local without a destructor, which allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller's obligations are the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's obligations are the same.
        unsafe { System.dealloc(block, layout) }
    }
}

fn allocations<T>(action: impl FnOnce() -> T) -> usize {
    let before = ALLOCATIONS.get();
    black_box(action());
    ALLOCATIONS.get() - before
}

#[test]
fn hashing_allocates_nothing() {
    let message = [0x5a; 300];
    assert_eq!(allocations(|| message.to_vec()), 1, "the allocations are counted");

    assert_eq!(allocations(|| Sha256::digest(message)), 0, "the first digest, which detects features");
    for tier in Tier::ALL {
        let Ok(mut hash) = Sha256::with_tier(tier) else { continue };
        let hashing = allocations(|| {
            message.chunks(7).for_each(|part| hash.update(part));
            let exported = hash.clone().export_state();
            let imported = Sha256::import_state(&exported).map(Sha256::finalize);
            assert_eq!(imported, Ok(hash.finalize_reset()));
        });
        assert_eq!(hashing, 0, "{tier}");
        let many = allocations(|| {
            let mut outputs = [Default::default(); 5];
            let messages = [&message[..0], &message[..55], &message[..64], &message[..129], &message];
            assert_eq!(Sha256::digest_many_with_tier(tier, &messages, &mut outputs), Ok(()));
            assert_eq!(outputs[4], Sha256::digest(message));
        });
        assert_eq!(many, 0, "{tier}");
    }
}
