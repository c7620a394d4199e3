//! A function of anybody's object file, put into this process where a linker has decided that it lies, and checked like a kernel.
//!
//! The driver links the object by itself, to addresses at which no guest has anything: no guest is built anew for it, and nothing
//! of the guest is in its reach but what it is given.

use std::ffi::c_void;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::ptr::{self, NonNull};

use nix::sys::mman::{MapFlags, ProtFlags, mmap_anonymous, mprotect};
use nix::unistd::{SysconfVar, sysconf};
use serde::{Deserialize, Serialize};
use vambrace::cpu;
use vambrace::kernels::{Argument, ArgumentKind, Contract, EntryPoint, Kernel, Size};
use vambrace_contract::file::ObjectContract;

use crate::KernelSubjects;
use crate::mutation::synchronise;

/// Where the lowest byte of an image is to lie: above every guest, and below what Linux maps by itself on either architecture.
pub const BASE: u64 = 0x2000_0000;

/// The function and everything that it may refer to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// Its name, by which results and replay lines call it.
    pub name: String,
    /// The text of its contract.
    pub contract: String,
    /// The address to jump to; bit 0 is set for T32.
    pub entry: u64,
    /// The memory.
    pub segments: Vec<Segment>,
}

/// Memory that is alike in what may be done to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// Its address.
    pub address: u64,
    /// Its bytes, in hexadecimal digits.
    pub bytes: String,
    /// How many bytes it has: those behind the given ones are zero.
    pub size: u64,
    /// Whether it can be written.
    pub writable: bool,
    /// Whether it holds instructions.
    pub executable: bool,
}

impl Image {
    /// Reads what the driver has written.
    ///
    /// # Errors
    /// If the file cannot be read, or is no image.
    pub fn read(path: &Path) -> Result<Image, String> {
        let text = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        serde_json::from_slice(&text).map_err(|error| format!("{} is no image: {error}", path.display()))
    }

    /// Puts it into memory, for as long as this process lives; the row of the matrix that it is.
    ///
    /// # Errors
    /// If the contract cannot be read, or something lies there already.
    pub fn load(&self) -> Result<KernelSubjects, String> {
        let contract = ObjectContract::parse(&self.contract).map_err(|error| format!("the contract: {error}"))?;
        let is_code = |segment: &&Segment| {
            segment.executable && (segment.address..segment.address + segment.size).contains(&self.entry)
        };
        if self.segments.iter().find(is_code).is_none() {
            return Err(format!("{} at {:#x} is in no memory that holds instructions", self.name, self.entry));
        }
        self.segments.iter().try_for_each(Segment::load)?;
        let entry = usize::try_from(self.entry).map_err(|error| format!("{:#x}: {error}", self.entry))?;
        // SAFETY: an address of code that was just put there; it is called as its contract says, whatever its signature.
        let entry = unsafe { std::mem::transmute::<*const (), EntryPoint>(ptr::with_exposed_provenance(entry)) };
        let arguments = addressable(contract.kernel.contract.arguments).leak();
        // Kernels live as long as the process, and so do their contracts.
        let kernel: &'static Kernel = Box::leak(Box::new(Kernel {
            name: self.name.clone().leak(),
            contract: Box::leak(Box::new(Contract { arguments, ..*contract.kernel.contract })),
            entry: Some(entry),
            ..*contract.kernel
        }));
        let available = match cpu::detect().missing(kernel.features) {
            None => Ok(()),
            Some(feature) => Err(format!("this CPU lacks {feature}")),
        };
        Ok(KernelSubjects {
            name: self.name.clone(),
            tier: kernel.tier,
            kernel: Some(kernel),
            subjects: Vec::new(),
            available,
        })
    }
}

/// The arguments with no count of more units than have addresses. No caller has so many; this library's kernels count them all the
/// same, others may compute where the last one ends.
fn addressable(arguments: &[Argument]) -> Vec<Argument> {
    let mut restricted = arguments.to_vec();
    for argument in arguments {
        let ArgumentKind::Buffer { size: Size::Affine { per, argument: scalar, .. }, .. } = argument.kind else {
            continue;
        };
        if let Some(Argument { kind: ArgumentKind::Scalar { min, max, .. }, .. }) = restricted.get_mut(scalar) {
            *max = (*max).min((usize::MAX / per.max(1)) as u64).max(*min);
        }
    }
    restricted
}

impl Segment {
    fn load(&self) -> Result<(), String> {
        let wrong = |what: &dyn std::fmt::Display| format!("memory at {:#x} for the object: {what}", self.address);
        let bytes = hex::decode(&self.bytes).map_err(|error| wrong(&error))?;
        let page = sysconf(SysconfVar::PAGE_SIZE).ok().flatten().unwrap_or(4096) as usize;
        let address = usize::try_from(self.address).map_err(|error| wrong(&error))?;
        let size = usize::try_from(self.size).map_err(|error| wrong(&error))?;
        let first = address / page * page;
        let end = address.checked_add(size).and_then(|end| end.checked_next_multiple_of(page));
        let length = end.and_then(|end| NonZeroUsize::new(end - first)).ok_or_else(|| wrong(&"it has no size"))?;
        if bytes.len() > size {
            return Err(wrong(&format!("{} bytes are given for {size}", bytes.len())));
        }
        let writable = ProtFlags::PROT_READ | ProtFlags::PROT_WRITE;
        // SAFETY: a new mapping; where the address is not free the system refuses, or chooses another.
        let memory = unsafe {
            mmap_anonymous(
                NonZeroUsize::new(first),
                length,
                writable,
                MapFlags::MAP_PRIVATE | MapFlags::MAP_FIXED_NOREPLACE,
            )
        };
        let memory = memory.map_err(|error| wrong(&error))?;
        if memory.addr().get() != first {
            return Err(wrong(&"something lies there already"));
        }
        let protection = match (self.writable, self.executable) {
            (true, true) => writable | ProtFlags::PROT_EXEC,
            (true, false) => writable,
            (false, true) => ProtFlags::PROT_READ | ProtFlags::PROT_EXEC,
            (false, false) => ProtFlags::PROT_READ,
        };
        let begin: NonNull<c_void> = memory.map_addr(|at| at.saturating_add(address - first));
        // SAFETY: the mapping is ours, as long as said, and nobody refers to it yet.
        unsafe {
            ptr::copy_nonoverlapping(bytes.as_ptr(), begin.cast::<u8>().as_ptr(), bytes.len());
            mprotect(memory, length.get(), protection).map_err(|error| wrong(&error))?;
            synchronise(first, first + length.get());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use vambrace_harness::{Budget, Context, Outcome, machine};

    use super::*;

    const CONTRACT: &str = r#"algorithm = "sha256"
operation = "compress"
architecture = "aarch64"
symbol = "function"
features = []
stack = 0
clears = []

[[argument]]
name = "state"
buffer = { bytes = 32, access = "read-write", secret = true }

[[argument]]
name = "blocks"
buffer = { each = 64, of = "count", access = "read", secret = true }

[[argument]]
name = "count"
scalar = { type = "usize", secret = false }
"#;

    fn image(address: u64) -> Image {
        let segment = Segment { address, bytes: "c0035fd6".to_owned(), size: 16, writable: false, executable: true };
        Image { name: "function".to_owned(), contract: CONTRACT.to_owned(), entry: address, segments: vec![segment] }
    }

    #[test]
    fn an_image_is_where_it_says_and_only_once() {
        // Off the beginning of a page.
        let image = image(0x3000_0008);
        let row = image.load().unwrap();
        let kernel = row.kernel.unwrap();
        assert_eq!((row.name.as_str(), kernel.name), ("function", "function"));
        let ArgumentKind::Scalar { max, .. } = kernel.contract.arguments[2].kind else { panic!("a count is a number") };
        assert_eq!(max, usize::MAX as u64 / 64);
        let entry = kernel.entry.unwrap() as usize;
        assert_eq!(entry, 0x3000_0008);
        // SAFETY: the segment has 16 bytes there, which can be read.
        let there = unsafe { ptr::with_exposed_provenance::<[u8; 16]>(entry).read() };
        assert_eq!(there[..4], [0xc0, 0x03, 0x5f, 0xd6]);
        assert_eq!(there[4..], [0; 12]);
        assert!(image.load().is_err_and(|error| error.contains("0x30000008")));
    }

    #[test]
    fn what_is_no_image_is_refused() {
        let refused = |change: fn(&mut Image), part: &str| {
            let mut image = image(0x3100_0000);
            change(&mut image);
            let Err(error) = image.load() else { panic!("{part}: it is loaded") };
            assert!(error.contains(part), "{part}: {error}");
        };
        refused(|image| image.entry += 16, "in no memory that holds instructions");
        refused(|image| image.segments[0].executable = false, "in no memory that holds instructions");
        refused(|image| image.segments[0].bytes.push('x'), "0x31000000");
        refused(|image| image.segments[0].bytes = "00".repeat(17), "17 bytes are given for 16");
        refused(|image| image.contract.push_str("x = 1\n"), "the contract");
        let file = std::env::temp_dir().join("there is no such image");
        assert!(Image::read(&file).unwrap_err().contains("no such image"));
    }

    #[test]
    fn what_our_kernels_compute_is_what_is_specified() {
        let context = Context::new(Budget::Quick, 1);
        let run = |kernel: &Kernel| (machine::SPECIFICATION.run)(kernel, &context);
        let mut passed = 0;
        for row in crate::subjects().into_iter().filter(|row| row.available.is_ok()) {
            let Some(kernel) = row.kernel else { continue };
            match run(kernel) {
                Outcome::Pass { cases, .. } => {
                    assert!(cases > 100, "{}: {cases}", kernel.name);
                    passed += 1;
                    // Another algorithm's specification says something else.
                    let other = other_of_the_same_shape(kernel);
                    assert!(other.is_none_or(|other| matches!(run(&other), Outcome::Fail(_))), "{}", kernel.name);
                }
                Outcome::Fail(failure) => panic!("{failure}"),
                Outcome::None { reason } => {
                    let unspecified = ["is not specified on bytes", "in a form of its own"];
                    assert!(unspecified.iter().any(|part| reason.contains(part)), "{}: {reason}", kernel.name);
                }
            }
        }
        assert!(passed > 0 || !cfg!(any(target_arch = "aarch64", target_arch = "arm")));
    }

    /// The same code, said to decrypt where it encrypts and the other way round.
    fn other_of_the_same_shape(kernel: &Kernel) -> Option<Kernel> {
        let operation = match kernel.contract.operation {
            "xts_encrypt" => "xts_decrypt",
            "xts_decrypt" => "xts_encrypt",
            _ => return None,
        };
        let contract = Contract { operation, ..*kernel.contract };
        Some(Kernel { contract: Box::leak(Box::new(contract)), ..*kernel })
    }
}
