//! Memory between two unmapped pages, so that a kernel that reads beyond its input faults at once.

use std::ptr;

use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect};
use rustix::param::page_size;

/// What lies around an input: the same in every run, so that an artifact fails as it did.
const POISON: u8 = 0xa5;
/// How much of it is renewed for each input.
const POISONED_BYTES: usize = 64;

/// Which end of an input lies at an unmapped page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Its beginning.
    Left,
    /// Its end; its beginning is then aligned as its length has it.
    Right,
}

/// Some whole pages, with an unmapped one on either side. Never freed: a fuzzer needs a few.
#[derive(Debug)]
pub struct Guarded {
    memory: &'static mut [u8],
}

impl Guarded {
    /// Room for so many bytes, rounded up to whole pages.
    ///
    /// # Panics
    /// If the system grants no memory.
    pub fn new(bytes: usize) -> Guarded {
        let page = page_size();
        let bytes = bytes.next_multiple_of(page);
        let total = bytes + 2 * page;
        let private = MapFlags::PRIVATE;
        // SAFETY: a new mapping at an address of the system's choice touches no other memory.
        let start = unsafe { mmap_anonymous(ptr::null_mut(), total, ProtFlags::empty(), private) }
            .unwrap_or_else(|error| panic!("cannot map {total} bytes: {error}"))
            .cast::<u8>();
        // SAFETY: all but the first and the last page of the mapping just made, to which nothing refers yet.
        let inner = unsafe { start.add(page) };
        // SAFETY: as above.
        unsafe { mprotect(inner.cast(), bytes, MprotectFlags::READ | MprotectFlags::WRITE) }
            .unwrap_or_else(|error| panic!("cannot make {bytes} bytes accessible: {error}"));
        // SAFETY: these pages are readable, writable and zero, stay mapped for ever, and nothing else refers to them.
        Guarded { memory: unsafe { std::slice::from_raw_parts_mut(inner, bytes) } }
    }

    /// So many bytes at one end, to be written, with poison on their other side.
    ///
    /// # Panics
    /// If there is no room for so many.
    pub fn place(&mut self, bytes: usize, end: End) -> &mut [u8] {
        match end {
            End::Left => {
                let (input, rest) = self.memory.split_at_mut(bytes);
                let poisoned = rest.len().min(POISONED_BYTES);
                rest[..poisoned].fill(POISON);
                input
            }
            End::Right => {
                let (rest, input) = self.memory.split_at_mut(self.memory.len() - bytes);
                let poisoned = rest.len().min(POISONED_BYTES);
                let untouched = rest.len() - poisoned;
                rest[untouched..].fill(POISON);
                input
            }
        }
    }
}
