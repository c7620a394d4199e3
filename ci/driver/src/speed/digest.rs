//! How many instructions a whole digest of a short message takes, everything included.
//!
//! `drive_digest` computes digests between calls of two marker functions, and what is executed between them is counted:
//! construction, dispatch, buffering, padding, the kernel, clearing. The first digest, which chooses the kernel, is left out.

use vambrace::kernels::{Architecture, Tier};

use super::tool::{Guests, SpeedError};
use super::trace::Guest;
use crate::elf::Elf;

/// Message sizes in bytes: empty, short, around the place where the padding needs another block, whole blocks.
pub const SIZES: [usize; 7] = [0, 16, 55, 56, 64, 128, 1024];

/// One row of the table.
pub struct Counts {
    /// What it was counted on.
    pub architecture: Architecture,
    /// What computes the digests, as `Sha256::digest, tier neon`.
    pub what: String,
    /// Instructions for each of [`SIZES`].
    pub instructions: Vec<usize>,
}

/// What is counted: the implementation and tier that `drive_digest` is given, what the row is called, and how many
/// messages a digest is divided by.
struct Subject {
    implementation: &'static str,
    tier: &'static str,
    what: String,
    messages: usize,
}

fn subjects(architecture: Architecture) -> Vec<Subject> {
    let subject =
        |implementation, tier, what: &str, messages| Subject { implementation, tier, what: what.to_owned(), messages };
    let mut subjects = Vec::new();
    for tier in Tier::ALL.iter().rev() {
        subjects.push(subject("vambrace", tier.name(), &format!("`Sha256::digest`, tier {tier}"), 1));
    }
    if architecture == Architecture::Aarch64 {
        subjects.push(subject("vambrace", "ce_x2", "`Sha256::digest_many` of 16, each", 16));
    }
    subjects.push(subject("vambrace-trait", "auto", "`<Sha256 as Digest>::digest`, tier ce", 1));
    subjects.push(subject("sha2", "auto", "`sha2::Sha256::digest`", 1));
    subjects
}

/// Counts, on both architectures.
pub fn counts(guests: &Guests) -> Result<Vec<Counts>, SpeedError> {
    let mut rows = Vec::new();
    for architecture in Architecture::ALL {
        let program = guests.path(architecture, "drive_digest");
        let elf = Elf::read(program, architecture).map_err(SpeedError::Elf)?;
        let marker = |name| elf.function(name).map(|function| function.address).map_err(SpeedError::Elf);
        let (begin, end) = (marker("vambrace_count_begin")?, marker("vambrace_count_end")?);
        let guest = Guest { guests, architecture, program };
        for Subject { implementation, tier, what, messages } in subjects(architecture) {
            let mut arguments = ["sha256", implementation, tier].map(str::to_owned).to_vec();
            arguments.extend(SIZES.map(|size| size.to_string()));
            let counts = guest.trace(&arguments, None)?.count_between(begin, end)?;
            if counts.len() != SIZES.len() {
                let what = format!("{}: {} digests were counted for {} sizes", elf.name(), counts.len(), SIZES.len());
                return Err(SpeedError::Elf(what));
            }
            let instructions = counts.into_iter().map(|count| count.div_ceil(messages)).collect();
            rows.push(Counts { architecture, what, instructions });
        }
    }
    Ok(rows)
}
