//! Other words in the place of a kernel's own.

use std::ffi::c_void;
use std::ptr::{self, NonNull};

use nix::sys::mman::{ProtFlags, mprotect};
use nix::unistd::{SysconfVar, sysconf};

use super::Change;

/// Bytes of [`room`]: several times the longest kernel.
const ROOM_BYTES: usize = 256 << 10;

/// Nothing, to be overwritten by code that is longer than the kernel whose place it takes.
#[unsafe(naked)]
unsafe extern "C" fn nothing() {
    core::arch::naked_asm!(".balign 64", ".space {bytes}", bytes = const ROOM_BYTES)
}

/// Where there is room for code: its first byte, and how many.
pub fn room() -> (u64, u64) {
    // The function's first instruction may come after some bytes of alignment.
    let start = (nothing as *const () as usize).next_multiple_of(64);
    (start as u64, (ROOM_BYTES - 64) as u64)
}

/// Writes the changes over the code at `entry`.
///
/// # Errors
/// If the system does not let it.
///
/// # Safety
/// Each change lies in the code or the literals of the kernel at `entry`, in [`room`] or in memory that is there to be
/// overwritten by it alone, and neither it nor a reference to it is in use.
pub(super) unsafe fn apply(entry: usize, changes: &[Change]) -> nix::Result<()> {
    let page = sysconf(SysconfVar::PAGE_SIZE)?.unwrap_or(4096) as usize;
    for run in changes.chunk_by(|one, next| next.offset == one.offset.wrapping_add(4)) {
        let Some(offset) = run.first().map(|change| change.offset) else { continue };
        let address = entry.wrapping_add_signed(offset.cast_signed() as isize);
        let end = address + 4 * run.len();
        let first = address / page * page;
        let length = end.next_multiple_of(page) - first;
        let Some(pages) = NonNull::new(ptr::with_exposed_provenance_mut::<c_void>(first)) else {
            return Err(nix::Error::EINVAL);
        };
        let executable = ProtFlags::PROT_READ | ProtFlags::PROT_EXEC;
        // SAFETY: the pages hold code, which stays readable and executable throughout; as the caller vouches, the words are
        // there to be changed. Volatile, because nothing in Rust will read them.
        unsafe {
            mprotect(pages, length, executable | ProtFlags::PROT_WRITE)?;
            for (index, change) in run.iter().enumerate() {
                ptr::with_exposed_provenance_mut::<u32>(address + 4 * index).write_unaligned(change.word);
            }
            mprotect(pages, length, executable)?;
            synchronise(address, end);
        }
    }
    Ok(())
}

/// Makes instructions that were written visible to the fetch of instructions.
///
/// # Safety
/// The range is mapped.
pub(crate) unsafe fn synchronise(start: usize, end: usize) {
    #[cfg(any(target_arch = "aarch64", target_arch = "arm"))]
    {
        unsafe extern "C" {
            // From the compiler's run-time library.
            fn __clear_cache(start: *mut c_void, end: *mut c_void);
        }
        // SAFETY: as the caller vouches.
        unsafe {
            __clear_cache(ptr::with_exposed_provenance_mut(start), ptr::with_exposed_provenance_mut(end));
        }
    }
    #[cfg(not(any(target_arch = "aarch64", target_arch = "arm")))]
    let _ = (start, end);
}
