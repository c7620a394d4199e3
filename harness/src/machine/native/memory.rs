//! Memory that ends where it should.

use std::ffi::c_void;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::ptr::NonNull;

use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::mman::{MapFlags, ProtFlags, mmap, mmap_anonymous, munmap};
use nix::unistd::{SysconfVar, ftruncate, sysconf};

/// Inaccessible bytes on both sides of an area: more than any kernel strays in a step.
const GUARD: usize = 64 << 10;

/// Bytes in a page.
pub(super) fn page() -> usize {
    sysconf(SysconfVar::PAGE_SIZE).ok().flatten().map_or(4096, |size| size as usize)
}

/// What a kernel may do with an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Protection {
    /// The area is mapped read-only.
    Read,
    /// The area can be written.
    ReadWrite,
}

/// An area between inaccessible pages, which a kernel sees under one address with some protection and the harness under
/// another with none.
///
/// The memory is shared with children, so that what a child found can be looked at after its end.
pub(super) struct Area {
    reserved: Mapping,
    view: Mapping,
    range: Range<usize>,
}

struct Mapping {
    address: NonNull<c_void>,
    length: usize,
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and everything that refers to it is gone with its owner. It can only fail for an
        // address that was never mapped.
        let _ = unsafe { munmap(self.address, self.length) };
    }
}

fn nonzero(length: usize) -> nix::Result<NonZeroUsize> {
    NonZeroUsize::new(length).ok_or(nix::Error::EINVAL)
}

impl Area {
    /// At least `length` bytes, a whole number of pages.
    pub(super) fn new(length: usize, protection: Protection) -> nix::Result<Area> {
        let length = length.max(1).checked_next_multiple_of(page()).ok_or(nix::Error::ENOMEM)?;
        let guard = GUARD.next_multiple_of(page());
        let total = length.checked_add(2 * guard).ok_or(nix::Error::ENOMEM)?;

        let file = memfd_create("vambrace", MFdFlags::MFD_CLOEXEC)?;
        ftruncate(&file, length.try_into().map_err(|_| nix::Error::ENOMEM)?)?;

        let read_write = ProtFlags::PROT_READ | ProtFlags::PROT_WRITE;
        let seen = match protection {
            Protection::Read => ProtFlags::PROT_READ,
            Protection::ReadWrite => read_write,
        };
        // SAFETY: new mappings at addresses that the system chooses, and one over a part of the first, which nobody has
        // seen yet.
        unsafe {
            let reserved = Mapping {
                address: mmap_anonymous(
                    None,
                    nonzero(total)?,
                    ProtFlags::PROT_NONE,
                    MapFlags::MAP_PRIVATE | MapFlags::MAP_NORESERVE,
                )?,
                length: total,
            };
            let start = reserved.address.addr().get() + guard;
            mmap(Some(nonzero(start)?), nonzero(length)?, seen, MapFlags::MAP_SHARED | MapFlags::MAP_FIXED, &file, 0)?;
            let view =
                Mapping { address: mmap(None, nonzero(length)?, read_write, MapFlags::MAP_SHARED, &file, 0)?, length };
            Ok(Area { reserved, view, range: start..start + length })
        }
    }

    /// The addresses that the kernel can reach.
    pub(super) fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Those and the inaccessible ones around them.
    pub(super) fn reserved(&self) -> Range<usize> {
        let start = self.reserved.address.addr().get();
        start..start + self.reserved.length
    }

    /// The contents, as the harness sees them.
    pub(super) fn contents(&self) -> &[u8] {
        // SAFETY: the view is as long, lives as long as `self`, and is written only through `contents_mut` and by a
        // kernel, which does not run while this borrow lives.
        unsafe { std::slice::from_raw_parts(self.view.address.as_ptr().cast(), self.view.length) }
    }

    /// The contents, to be changed.
    pub(super) fn contents_mut(&mut self) -> &mut [u8] {
        // SAFETY: as for `contents`, and the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.view.address.as_ptr().cast(), self.view.length) }
    }
}

// SAFETY: an area is memory like that of a `Box<[u8]>`.
unsafe impl Send for Area {}

/// The position of the first byte that differs.
pub(super) fn first_difference(a: &[u8], b: &[u8]) -> Option<usize> {
    if a == b {
        return None;
    }
    a.iter().zip(b).position(|(a, b)| a != b)
}

/// The position of the last byte that differs.
pub(super) fn last_difference(a: &[u8], b: &[u8]) -> Option<usize> {
    a.iter().zip(b).rposition(|(a, b)| a != b)
}
