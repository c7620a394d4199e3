//! Other words in the place of a kernel's own.

use std::ffi::c_void;
use std::ptr::{self, NonNull};

use nix::sys::mman::{ProtFlags, mprotect};
use nix::unistd::{SysconfVar, sysconf};

use super::Change;

/// Writes the changes over the code at `entry`.
///
/// # Errors
/// If the system does not let it.
///
/// # Safety
/// Each change lies in the code or the literals of the kernel at `entry`, and neither it nor a reference to it is in use.
pub(super) unsafe fn apply(entry: usize, changes: &[Change]) -> nix::Result<()> {
    let page = sysconf(SysconfVar::PAGE_SIZE)?.unwrap_or(4096) as usize;
    for change in changes {
        let address = entry + change.offset as usize;
        let first = address / page * page;
        let length = (address + 4).next_multiple_of(page) - first;
        let Some(pages) = NonNull::new(ptr::with_exposed_provenance_mut::<c_void>(first)) else {
            return Err(nix::Error::EINVAL);
        };
        let executable = ProtFlags::PROT_READ | ProtFlags::PROT_EXEC;
        // SAFETY: the pages hold code, which stays readable and executable throughout; as the caller vouches, the word is the
        // kernel's. Volatile, because nothing in Rust will read it.
        unsafe {
            mprotect(pages, length, executable | ProtFlags::PROT_WRITE)?;
            ptr::with_exposed_provenance_mut::<u32>(address).write_unaligned(change.word);
            mprotect(pages, length, executable)?;
            synchronise(address, address + 4);
        }
    }
    Ok(())
}

/// Makes instructions that were written visible to the fetch of instructions.
///
/// # Safety
/// The range is mapped.
unsafe fn synchronise(start: usize, end: usize) {
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
