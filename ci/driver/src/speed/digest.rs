//! How many instructions a whole digest of a short message takes, everything included.
//!
//! `drive_digest` computes digests between calls of two marker functions, and what is executed between them is counted:
//! construction, dispatch, buffering, padding, the kernel, clearing. The first digest, which chooses the kernel, is left out.

use vambrace::kernels::{ALL, Architecture, Tier};

use super::count::{Counter, Counts};
use super::tool::{Guests, SpeedError};

/// A hash whose whole digests are counted.
struct Algorithm {
    /// As `drive_digest` and the kernels name it.
    name: &'static str,
    /// The type, in the library and in the crate.
    hash: &'static str,
    /// The crate.
    peer: &'static str,
    /// Message sizes in bytes: empty, short, whole blocks, and on both sides of the first that makes another block necessary.
    sizes: &'static [usize],
    /// The tiers that automatic dispatch picks for one message, first on a CPU with everything, then when features are
    /// hidden, on AArch64.
    aarch64: &'static [Tier],
    /// The same on AArch32.
    arm: &'static [Tier],
}

const ALGORITHMS: [Algorithm; 4] = {
    use Tier::{Ce, Neon, Scalar};
    [
        Algorithm {
            name: "sha256",
            hash: "Sha256",
            peer: "sha2",
            sizes: &[0, 16, 32, 55, 56, 64, 100, 128, 500, 1024],
            aarch64: &[Ce, Neon, Scalar],
            arm: &[Ce, Neon, Scalar],
        },
        Algorithm {
            name: "sha512",
            hash: "Sha512",
            peer: "sha2",
            sizes: &[0, 16, 32, 64, 100, 111, 112, 128, 500, 1024],
            aarch64: &[Ce, Scalar],
            arm: &[Neon, Scalar],
        },
        Algorithm {
            name: "blake2b",
            hash: "Blake2b512",
            peer: "blake2",
            sizes: &[0, 16, 32, 64, 100, 128, 129, 500, 1024],
            aarch64: &[Scalar],
            arm: &[Neon, Scalar],
        },
        Algorithm {
            name: "blake2s",
            hash: "Blake2s256",
            peer: "blake2",
            sizes: &[0, 16, 32, 64, 65, 100, 128, 500, 1024],
            aarch64: &[Scalar],
            arm: &[Scalar],
        },
    ]
};

/// What is counted: the implementation and tier that `drive_digest` is given, what the row is called, and how many
/// messages a digest is divided by.
struct Subject {
    implementation: &'static str,
    tier: &'static str,
    what: String,
    messages: usize,
}

/// How many messages `drive_digest` gives to one call of `digest_many`.
const MANY: usize = 16;

fn subjects(algorithm: &Algorithm, architecture: Architecture) -> Vec<Subject> {
    let Algorithm { name, hash, peer, .. } = *algorithm;
    let dispatched = match architecture {
        Architecture::Aarch64 => algorithm.aarch64,
        Architecture::Arm => algorithm.arm,
    };
    let has = |tier: Tier, several: bool| {
        ALL.iter().copied().flatten().any(|kernel| {
            let of = (kernel.contract.algorithm, kernel.architecture, kernel.tier);
            of == (name, architecture, tier) && (kernel.lanes > 1) == several
        })
    };
    let subject =
        |implementation, tier: Tier, what, messages| Subject { implementation, tier: tier.name(), what, messages };

    let mut subjects = Vec::new();
    for tier in Tier::ALL.into_iter().rev() {
        if dispatched.contains(&tier) {
            subjects.push(subject("digest", tier, format!("`{hash}::digest`, tier {tier}"), 1));
        } else if tier == Tier::Generic || has(tier, false) {
            subjects.push(subject("with-tier", tier, format!("`{hash}::with_tier`, tier {tier}"), 1));
        }
    }
    for tier in Tier::ALL.into_iter().rev().filter(|tier| has(*tier, true)) {
        let what = format!("`{hash}::digest_many` of {MANY}, each, tier {tier}");
        subjects.push(subject("digest-many", tier, what, MANY));
    }
    if let Some(&tier) = dispatched.first() {
        subjects.push(subject("trait", tier, format!("`<{hash} as Digest>::digest`, tier {tier}"), 1));
    }
    let what = format!("`{peer}::{hash}::digest`");
    subjects.push(Subject { implementation: "crate", tier: "auto", what, messages: 1 });
    subjects
}

/// Counts, on both architectures.
pub fn counts(guests: &Guests) -> Result<Vec<Counts>, SpeedError> {
    let mut rows = Vec::new();
    for architecture in Architecture::ALL {
        let counter = Counter::new(guests, architecture, guests.path(architecture, "drive_digest"))?;
        for algorithm in &ALGORITHMS {
            let place = format!("{architecture} {} digests", algorithm.name);
            for Subject { implementation, tier, what, messages } in subjects(algorithm, architecture) {
                let counts = counter.count(&[algorithm.name, implementation, tier], algorithm.sizes)?;
                let counts = counts.into_iter().map(|count| count.div_ceil(messages));
                let instructions = algorithm.sizes.iter().copied().zip(counts).collect();
                rows.push(Counts { place: place.clone(), what, instructions });
            }
        }
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use vambrace::kernels::Kernel;

    use super::*;

    #[test]
    fn every_algorithm_that_has_kernels_is_counted() {
        let hashes = |kernel: &&Kernel| kernel.contract.operation.starts_with("compress");
        for kernel in ALL.iter().copied().flatten().filter(hashes) {
            let algorithm = kernel.contract.algorithm;
            let counted = ALGORITHMS.iter().find(|counted| counted.name == algorithm);
            let counted = counted.unwrap_or_else(|| panic!("no whole digests of {algorithm}"));
            let subjects = subjects(counted, kernel.architecture);
            let of_tier = subjects.iter().filter(|subject| subject.tier == kernel.tier.name());
            assert!(of_tier.count() > 0, "no whole digests by {}", kernel.name);
        }
    }

    #[test]
    fn what_the_library_is_compared_with_comes_last() {
        for architecture in Architecture::ALL {
            let rows = |index: usize| {
                let subjects = subjects(&ALGORITHMS[index], architecture);
                subjects.into_iter().map(|subject| subject.what).collect::<Vec<_>>()
            };
            assert_eq!(rows(3).last().unwrap(), "`blake2::Blake2s256::digest`");
            assert_eq!(rows(3)[rows(3).len() - 2], "`<Blake2s256 as Digest>::digest`, tier scalar");
            let several = rows(0).iter().filter(|what| what.contains("digest_many")).count();
            assert_eq!(several, usize::from(architecture == Architecture::Aarch64));
        }
    }
}
