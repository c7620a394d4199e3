//! How many instructions the encryption of a short message takes, everything included, beside the crates.
//!
//! `drive_cipher` calls a cipher between its marks, under keys that are ready, or from the bytes of the keys on.

use std::path::Path;

use vambrace::kernels::{ALL, Architecture, Tier};

use super::count::{Counter, Counts};
use super::tool::{Guests, SpeedError};

/// Ciphers that share their kernels, and a table.
struct Family {
    /// As the kernels name it.
    name: &'static str,
    /// The ciphers: as `drive_cipher` names them, and how rows do, in the library and by the crates.
    ciphers: &'static [Names],
    /// Data sizes in bytes.
    sizes: &'static [usize],
    /// Whether automatic dispatch picks the tier `ce`, where there is one.
    ce: bool,
}

struct Names {
    name: &'static str,
    library: &'static str,
    peer: &'static str,
}

const fn names(name: &'static str, library: &'static str, peer: &'static str) -> Names {
    Names { name, library, peer }
}

/// Short data, the size from which bit-sliced code is full, stealing, and a disk's sector.
const XTS_SIZES: &[usize] = &[16, 64, 128, 256, 500, 512];

const FAMILIES: &[Family] = &[
    Family {
        name: "salsa20",
        ciphers: &[
            names("salsa20", "Salsa20", "salsa20::Salsa20"),
            names("salsa12", "Salsa12", "salsa20::Salsa12"),
            names("salsa8", "Salsa8", "salsa20::Salsa8"),
        ],
        sizes: &[16, 64, 100, 128, 256, 500, 512],
        ce: true,
    },
    Family {
        name: "aes-xts",
        ciphers: &[
            names("aes128-xts-enc", "Aes128Xts::encrypt", "Xts128<aes::Aes128>::encrypt_sector"),
            names("aes128-xts-dec", "Aes128Xts::decrypt", "Xts128<aes::Aes128>::decrypt_sector"),
            names("aes256-xts-enc", "Aes256Xts::encrypt", "Xts128<aes::Aes256>::encrypt_sector"),
            names("aes256-xts-dec", "Aes256Xts::decrypt", "Xts128<aes::Aes256>::decrypt_sector"),
        ],
        sizes: XTS_SIZES,
        ce: true,
    },
    Family {
        name: "speck128-xts",
        ciphers: &[
            names("speck128-128-xts-enc", "Speck128_128Xts::encrypt", "Xts128<Speck128_128>::encrypt_sector"),
            names("speck128-128-xts-dec", "Speck128_128Xts::decrypt", "Xts128<Speck128_128>::decrypt_sector"),
            names("speck128-256-xts-enc", "Speck128_256Xts::encrypt", "Xts128<Speck128_256>::encrypt_sector"),
            names("speck128-256-xts-dec", "Speck128_256Xts::decrypt", "Xts128<Speck128_256>::decrypt_sector"),
        ],
        sizes: XTS_SIZES,
        ce: true,
    },
    Family {
        name: "speck64-xts",
        ciphers: &[
            names("speck64-128-xts-enc", "Speck64_128Xts::encrypt", "Speck64_128::encrypt_blocks"),
            names("speck64-128-xts-dec", "Speck64_128Xts::decrypt", "Speck64_128::decrypt_blocks"),
        ],
        sizes: XTS_SIZES,
        ce: false,
    },
];

/// What lies between the marks: as `drive_cipher` is told, and as the table's place says.
const PARTS: [(&str, &str); 2] = [("data", "calls"), ("key", "calls with keys")];

/// What is counted: the implementation and tier that the program is given, and what the row is called.
struct Subject {
    /// Whether it is the program in which the crate `aes` uses no AES instructions.
    aes_soft: bool,
    implementation: &'static str,
    tier: &'static str,
    what: String,
}

const PROGRAM: &str = "drive_cipher";

fn subjects(family: &Family, names: &Names, architecture: Architecture) -> Vec<Subject> {
    let Names { library, peer, .. } = names;
    let kernels = || ALL.iter().copied().flatten().filter(|kernel| kernel.architecture == architecture);
    let has = |tier: Tier| kernels().any(|kernel| (kernel.contract.algorithm, kernel.tier) == (family.name, tier));
    let mut subjects = Vec::new();
    for tier in Tier::ALL.into_iter().rev().filter(|tier| has(*tier)) {
        let dispatched = tier != Tier::Ce || family.ce;
        let implementation = if dispatched { "library" } else { "set-tier" };
        let what = format!("`{library}`, tier {tier}");
        subjects.push(Subject { aes_soft: false, implementation, tier: tier.name(), what });
    }
    let mut by_crate = |aes_soft, what| {
        subjects.push(Subject { aes_soft, implementation: "crate", tier: "auto", what });
    };
    match (family.name, architecture) {
        ("aes-xts", Architecture::Aarch64) => {
            by_crate(false, format!("`{peer}`, AES instructions"));
            by_crate(true, format!("`{peer}`, `aes_backend=\"soft\"`"));
        }
        ("speck64-xts", _) => by_crate(false, format!("`{peer}`, no XTS")),
        _ => by_crate(false, format!("`{peer}`")),
    }
    subjects
}

/// Counts, on both architectures.
pub fn counts(root: &Path, guests: &Guests) -> Result<Vec<Counts>, SpeedError> {
    let soft = Guests::without_aes_instructions(root, PROGRAM)?;
    let mut rows = Vec::new();
    for architecture in Architecture::ALL {
        let counter = Counter::new(guests, architecture, guests.path(architecture, PROGRAM))?;
        let soft = if soft.architecture == architecture { &soft.path } else { guests.path(architecture, PROGRAM) };
        let soft = Counter::new(guests, architecture, soft)?;
        for family in FAMILIES {
            for (part, place) in PARTS {
                let place = format!("{architecture} {} {place}", family.name);
                for names in family.ciphers {
                    for Subject { aes_soft, implementation, tier, what } in subjects(family, names, architecture) {
                        let counter = if aes_soft { &soft } else { &counter };
                        let counts = counter.count(&[names.name, implementation, tier, part], family.sizes)?;
                        let instructions = family.sizes.iter().copied().zip(counts).collect();
                        rows.push(Counts { place: place.clone(), what, instructions });
                    }
                }
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
    fn every_cipher_that_has_kernels_is_counted() {
        let ciphers = |kernel: &&Kernel| matches!(kernel.contract.operation, "stream" | "xts_encrypt" | "xts_decrypt");
        for kernel in ALL.iter().copied().flatten().filter(ciphers) {
            let family = FAMILIES.iter().find(|family| family.name == kernel.contract.algorithm);
            let family = family.unwrap_or_else(|| panic!("no calls of {}", kernel.contract.algorithm));
            for names in family.ciphers {
                let subjects = subjects(family, names, kernel.architecture);
                let of_tier = subjects.iter().filter(|subject| subject.tier == kernel.tier.name());
                assert_eq!(of_tier.count(), 1, "{} by {}", names.name, kernel.name);
            }
        }
    }

    #[test]
    fn aes_is_counted_with_and_without_the_crates_instructions_where_it_has_any() {
        let family = FAMILIES.iter().find(|family| family.name == "aes-xts").unwrap();
        let soft = |architecture| {
            let subjects = subjects(family, &family.ciphers[0], architecture);
            let by_crate = subjects.iter().filter(|subject| subject.implementation == "crate");
            by_crate.map(|subject| subject.aes_soft).collect::<Vec<_>>()
        };
        assert_eq!(soft(Architecture::Aarch64), [false, true]);
        assert_eq!(soft(Architecture::Arm), [false]);
    }
}
