//! Official known-answer files, verbatim, with their provenance and parsers.
//!
//! The files are part of the program, so that a statically linked guest under QEMU needs no file system. Where each
//! comes from is said in `PROVENANCE.md`, which is checked against the files: their SHA-256 and the number of cases
//! that the parser finds in them.
//!
//! ```
//! let vectors = vambrace_vectors::hash("sha256")?;
//! assert_eq!(vectors.messages[0].message, b"");
//! assert_eq!(vectors.messages[0].digest[..4], [0xe3, 0xb0, 0xc4, 0x42]);
//! assert_eq!(vectors.messages[0].source, "vectors/data/cavp/sha2/SHA256ShortMsg.rsp:8");
//! # Ok::<(), vambrace_vectors::VectorError>(())
//! ```

pub mod blake2;
pub mod cavp;
pub mod ciphers;
mod error;
mod files;
mod once;
mod provenance;
mod response;

pub use ciphers::{
    BlockVector, CoreVector, PartialXtsVector, StreamDigest, StreamVector, StreamVectors, XtsVector, XtsVectors, block,
    stream, xts,
};
pub use error::{Reason, VectorError};
pub use files::{FILES, File, Format};
pub use provenance::{Provenance, provenance};

use once::Once;

/// What is known about a hash function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HashVectors {
    /// Messages and their digests.
    pub messages: Vec<HashVector>,
    /// Chains of digests.
    pub monte_carlo: Vec<MonteCarlo>,
    /// Digests from injected states.
    pub continued: Vec<ContinuedVector>,
}

/// A message and its digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HashVector {
    /// The key; empty for none.
    pub key: Vec<u8>,
    /// The message.
    pub message: Vec<u8>,
    /// Its digest.
    pub digest: Vec<u8>,
    /// Where it stands: file and line.
    pub source: String,
}

/// The end of a message of which many bytes have led to a chaining value, and the digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContinuedVector {
    /// The chaining value: its words in order, each most significant byte first.
    pub state: Vec<u8>,
    /// The number of bytes that led to it.
    pub count: u128,
    /// The bytes after those.
    pub message: Vec<u8>,
    /// The digest of the whole.
    pub digest: Vec<u8>,
    /// Where it stands: file and line.
    pub source: String,
}

/// A chain of digests: the Monte Carlo test of the SHA Validation System (SHAVS), section 6.4.
///
/// With MD₀ = MD₁ = MD₂ the seed, MDᵢ is the digest of MDᵢ₋₃ ‖ MDᵢ₋₂ ‖ MDᵢ₋₁ for i = 3 ..= 1002. MD₁₀₀₂ is a checkpoint
/// and the next seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonteCarlo {
    /// The first seed.
    pub seed: Vec<u8>,
    /// What the chain comes to after each thousand digests.
    pub checkpoints: Vec<Vec<u8>>,
    /// Where it stands: file and line.
    pub source: String,
}

impl MonteCarlo {
    /// Digests from one checkpoint to the next.
    pub const STEPS: usize = 1000;
    /// Checkpoints of a chain.
    pub const CHECKPOINTS: usize = 100;
}

/// Everything embedded for a hash function, by the name of the algorithm, as `sha256`.
///
/// # Errors
/// If there is nothing for the algorithm, or a file does not parse.
pub fn hash(algorithm: &str) -> Result<&'static HashVectors, VectorError> {
    static KNOWN: Once<HashVectors> = Once::new();
    KNOWN.get(algorithm, || read_hash(algorithm))
}

fn read_hash(algorithm: &str) -> Result<HashVectors, VectorError> {
    let mut vectors = HashVectors::default();
    let mut found = false;
    for file in FILES.iter().filter(|file| file.algorithm == algorithm) {
        match file.format {
            Format::CavpMessages { digest_bytes } => {
                vectors.messages.extend(cavp::parse_messages(&file.name(), file.contents, digest_bytes)?);
            }
            Format::CavpMonteCarlo { digest_bytes } => {
                vectors.monte_carlo.push(cavp::parse_monte_carlo(&file.name(), file.contents, digest_bytes)?);
            }
            Format::Blake2KnownAnswers(answers) => {
                vectors.messages.extend(blake2::parse_known_answers(&file.name(), file.contents, answers)?);
            }
            Format::Blake2Carries { digest_bytes } => {
                vectors.continued.extend(blake2::parse_carries(&file.name(), file.contents, digest_bytes)?);
            }
            Format::Cipher(_) => continue,
        }
        found = true;
    }
    if found { Ok(vectors) } else { Err(VectorError::UnknownAlgorithm { name: algorithm.to_owned() }) }
}
