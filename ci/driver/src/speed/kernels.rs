//! Which kernels, and what `drive` is asked to do with each.

use vambrace::kernels::{ALL, Kernel};

use super::tool::SpeedError;

/// The kernels whose name matches, alone or behind the architecture; all if there is nothing to match.
pub fn select(only: Option<&glob::Pattern>) -> Result<Vec<&'static Kernel>, SpeedError> {
    let matches = |kernel: &&Kernel, only: &glob::Pattern| {
        only.matches(kernel.name) || only.matches(&format!("{}/{}", kernel.architecture, kernel.name))
    };
    let kernels = ALL.iter().copied().flatten().filter(|kernel| has_cost_of_a_byte(kernel));
    match only {
        None => Ok(kernels.collect()),
        Some(only) => {
            let kernels: Vec<_> = kernels.filter(|kernel| matches(kernel, only)).collect();
            if kernels.is_empty() { Err(SpeedError::NoKernel(only.to_string())) } else { Ok(kernels) }
        }
    }
}

/// What prepares keys has none, nor what takes one block alone.
fn has_cost_of_a_byte(kernel: &Kernel) -> bool {
    !matches!(kernel.contract.operation, "expand_key" | "convert_key" | "xts_encrypt_one" | "xts_decrypt_one")
}

/// How `drive` makes a kernel run.
pub struct Workload {
    /// The algorithm, as `drive` and the peers' figures name it.
    pub algorithm: &'static str,
    /// The shortest message: one block.
    pub shortest: usize,
    /// The two sizes between which the cost of a byte is the slope.
    pub sizes: [usize; 2],
    /// Whether each call takes its state up from memory where the call before left it.
    pub chained: bool,
}

/// The two sizes of each message, where nothing else is said.
pub const SIZES: [usize; 2] = [512, 1536];

/// Those for BLAKE2b, whose kernels take 3 and 12 blocks of them in one call and the last block in another: one of the kernels
/// for two messages works in rounds of three blocks of each.
pub const BLAKE2B_SIZES: [usize; 2] = [512, 1664];

/// Those for ciphers: multiples of what any kernel takes in one step.
pub const CIPHER_SIZES: [usize; 2] = [1536, 4608];

impl Workload {
    /// What shows the speed of a kernel.
    pub fn of(kernel: &Kernel) -> Result<Workload, SpeedError> {
        let algorithm = kernel.contract.algorithm;
        let sizes = if algorithm == "blake2b" { BLAKE2B_SIZES } else { SIZES };
        match kernel.contract.operation {
            "compress" | "compress_x2" | "compress_x4" => Ok(Workload { algorithm, shortest: 0, sizes, chained: true }),
            "stream" => Ok(Workload { algorithm, shortest: 64, sizes: CIPHER_SIZES, chained: false }),
            operation @ ("xts_encrypt" | "xts_decrypt") => {
                // One key length stands for all.
                let (algorithm, shortest) = match (algorithm, operation) {
                    ("aes-xts", "xts_encrypt") => ("aes128-xts-enc", 16),
                    ("aes-xts", _) => ("aes128-xts-dec", 16),
                    ("speck128-xts", "xts_encrypt") => ("speck128/256-xts-enc", 16),
                    ("speck128-xts", _) => ("speck128/256-xts-dec", 16),
                    (_, "xts_encrypt") => ("speck64/128-xts-enc", 8),
                    _ => ("speck64/128-xts-dec", 8),
                };
                Ok(Workload { algorithm, shortest, sizes: CIPHER_SIZES, chained: false })
            }
            operation => Err(SpeedError::Kernel {
                kernel: kernel.name.to_owned(),
                what: format!("no workload is written for the operation {operation}"),
            }),
        }
    }

    /// The arguments of `drive`. Sizes have the same number of digits, so that they lie alike on the guest's stack.
    pub fn arguments(&self, kernel: &Kernel, bytes: usize) -> Vec<String> {
        vec![self.algorithm.to_owned(), kernel.variant.to_owned(), format!("{bytes:04}")]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selected(only: &str) -> Result<Vec<String>, SpeedError> {
        let kernels = select(Some(&glob::Pattern::new(only).unwrap()))?;
        Ok(kernels.iter().map(|kernel| format!("{}/{}", kernel.architecture, kernel.name)).collect())
    }

    #[test]
    fn a_kernel_is_selected_by_its_name_with_or_without_the_architecture() {
        assert_eq!(selected("sha256_neon").unwrap(), ["aarch64/sha256_neon", "arm/sha256_neon"]);
        assert_eq!(selected("arm/sha256_s*").unwrap(), ["arm/sha256_scalar"]);
        assert!(selected("md5_*").unwrap_err().to_string().contains("md5_*"));
    }

    #[test]
    fn a_workload_is_known_for_every_kernel() {
        for kernel in select(None).unwrap() {
            assert!(Workload::of(kernel).is_ok(), "{} {}", kernel.architecture, kernel.name);
        }
    }

    #[test]
    fn a_slope_is_over_whole_blocks_and_rounds() {
        // The last block of BLAKE2 comes in a call of its own.
        let rounds = |bytes: usize| (bytes / 128 - 1) / 3;
        for bytes in BLAKE2B_SIZES {
            assert_eq!(bytes, 128 * (1 + 3 * rounds(bytes)));
        }
        assert!(SIZES.iter().all(|bytes| bytes.is_multiple_of(128)));
    }
}
