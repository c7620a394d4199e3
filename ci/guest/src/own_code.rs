//! The bytes of a kernel as this process has them in memory: what the checks call, whatever a file says.

use sha2::{Digest, Sha256};
use vambrace::kernels::Kernel;

/// How many bytes a kernel's code and literals take, by the ELF file; written `NAME=BYTES`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The kernel's name.
    pub kernel: String,
    /// Bytes.
    pub bytes: usize,
}

impl std::str::FromStr for Extent {
    type Err = String;

    fn from_str(text: &str) -> Result<Extent, String> {
        let read = text.split_once('=').and_then(|(kernel, bytes)| Some((kernel, bytes.parse().ok()?)));
        let (kernel, bytes) = read.ok_or_else(|| format!("{text:?} is no extent; one is NAME=BYTES"))?;
        Ok(Extent { kernel: kernel.to_owned(), bytes })
    }
}

/// The SHA-256 of a kernel's code, in hexadecimal digits.
///
/// # Errors
/// If the kernel is not in this program, or if so many bytes are more than there is code behind its entry.
pub fn digest(kernel: &Kernel, bytes: usize) -> Result<String, String> {
    let entry = kernel.entry.ok_or_else(|| format!("{} is not in this program", kernel.name))? as usize;
    let end = end_of_code();
    if entry.checked_add(bytes).is_none_or(|last| last > end) {
        return Err(format!("{} at {entry:#x} has no {bytes} bytes: the code ends at {end:#x}", kernel.name));
    }
    let code = std::ptr::with_exposed_provenance::<u8>(entry);
    // SAFETY: from the entry of a function to the end of the program's code everything is mapped, readable, and not written.
    let code = unsafe { std::slice::from_raw_parts(code, bytes) };
    Ok(hex::encode(Sha256::digest(code)))
}

/// Where the program's code ends, as its linker says.
fn end_of_code() -> usize {
    unsafe extern "C" {
        #[link_name = "etext"]
        static END: u8;
    }
    (&raw const END).addr()
}

#[cfg(test)]
mod tests {
    use vambrace::kernels::ALL;

    use super::*;

    #[test]
    fn an_extent_names_a_kernel_and_a_number() {
        assert_eq!("sha256_neon=12".parse(), Ok(Extent { kernel: "sha256_neon".to_owned(), bytes: 12 }));
        for text in ["sha256_neon", "sha256_neon=", "sha256_neon=-1", ""] {
            let error = text.parse::<Extent>().unwrap_err();
            assert!(error.contains(&format!("{text:?}")) && error.contains("NAME=BYTES"), "{error}");
        }
    }

    #[test]
    fn what_is_hashed_are_the_bytes_at_the_entry() {
        for kernel in ALL.iter().copied().flatten() {
            let Some(entry) = kernel.entry else {
                assert!(digest(kernel, 4).unwrap_err().contains(kernel.name));
                continue;
            };
            // SAFETY: a kernel has an instruction, and code can be read.
            let first = unsafe { std::ptr::with_exposed_provenance::<[u8; 4]>(entry as usize).read() };
            assert_eq!(digest(kernel, 4).unwrap(), hex::encode(Sha256::digest(first)));
            assert_ne!(digest(kernel, 4), digest(kernel, 8));
            assert!(digest(kernel, usize::MAX / 2).unwrap_err().contains("the code ends at"));
        }
    }
}
