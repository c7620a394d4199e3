//! The kernels of Vambrace as subjects of its harness.
//!
//! A [`KernelSubjects`] is a row of the matrix: one kernel, and the hash functions that run through it. Rows come from the
//! library's kernel table, so a kernel that is added there is checked without a change here as long as its algorithm has a
//! subject.

mod sha256;

use vambrace::Tier;
use vambrace::kernels::{Architecture, Kernel};
use vambrace_harness::subject::HashSubject;

/// A kernel, or the portable tier, and what runs through it.
pub struct KernelSubjects {
    /// The row's name, as `sha256_neon`.
    pub name: String,
    /// Its tier.
    pub tier: Tier,
    /// The kernel; none for portable Rust.
    pub kernel: Option<&'static Kernel>,
    /// The hash functions that run through it, each as a subject.
    pub hashes: Vec<Box<dyn HashSubject>>,
    /// Whether this process can run it, or the library's error.
    pub available: Result<(), String>,
}

/// The rows of this build: for each algorithm the portable tier, then its kernels in the order of the table.
pub fn subjects() -> Vec<KernelSubjects> {
    let architecture = Architecture::current();
    let mut rows = Vec::new();
    for table in vambrace::kernels::ALL {
        if let Some(first) = table.first() {
            rows.push(row(first.contract.algorithm, Tier::Generic, Tier::Generic.name(), None));
        }
        for kernel in table.iter().filter(|kernel| Some(kernel.architecture) == architecture && kernel.entry.is_some()) {
            rows.push(row(kernel.contract.algorithm, kernel.tier, kernel.variant, Some(kernel)));
        }
    }
    rows
}

fn row(algorithm: &str, tier: Tier, variant: &'static str, kernel: Option<&'static Kernel>) -> KernelSubjects {
    let name = kernel.map_or_else(|| format!("{algorithm}_{variant}"), |kernel| kernel.name.to_owned());
    let (available, hashes) = match algorithm {
        "sha256" => (sha256::available(variant), sha256::subjects(variant)),
        _ => (Err(format!("no subject is written for the algorithm {algorithm}")), Vec::new()),
    };
    KernelSubjects { name, tier, kernel, hashes, available }
}

/// Running hashes by the names that `eval` uses.
pub mod running {
    pub use crate::sha256::{start, start_from};
}
