//! The embedded files.

use crate::blake2::KnownAnswers;
use crate::{MonteCarlo, VectorError, blake2, cavp};

/// An embedded file.
#[derive(Clone, Copy, Debug)]
pub struct File {
    /// Its path below `vectors/data`.
    pub path: &'static str,
    /// The algorithm that it is about, as `sha256`.
    pub algorithm: &'static str,
    /// How it is to be read.
    pub format: Format,
    /// The file as published.
    pub contents: &'static [u8],
}

/// How a file is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Messages and digests, for [`cavp::parse_messages`].
    CavpMessages {
        /// Bytes of a digest.
        digest_bytes: usize,
    },
    /// A chain of digests, for [`cavp::parse_monte_carlo`].
    CavpMonteCarlo {
        /// Bytes of a digest.
        digest_bytes: usize,
    },
    /// Known answers of one function among those of a header file, for [`blake2::parse_known_answers`].
    Blake2KnownAnswers(KnownAnswers),
    /// Digests from injected states, for [`blake2::parse_carries`].
    Blake2Carries {
        /// Bytes of a digest.
        digest_bytes: usize,
    },
}

impl File {
    /// Its path in the repository.
    pub fn name(&self) -> String {
        format!("vectors/data/{}", self.path)
    }

    /// The number of cases that its parser finds: messages, or checkpoints of a chain.
    ///
    /// # Errors
    /// If the file does not parse.
    pub fn cases(&self) -> Result<usize, VectorError> {
        match self.format {
            Format::CavpMessages { digest_bytes } => {
                cavp::parse_messages(&self.name(), self.contents, digest_bytes).map(|messages| messages.len())
            }
            Format::CavpMonteCarlo { digest_bytes } => {
                cavp::parse_monte_carlo(&self.name(), self.contents, digest_bytes)
                    .map(|MonteCarlo { checkpoints, .. }| checkpoints.len())
            }
            Format::Blake2KnownAnswers(answers) => {
                blake2::parse_known_answers(&self.name(), self.contents, answers).map(|messages| messages.len())
            }
            Format::Blake2Carries { digest_bytes } => {
                blake2::parse_carries(&self.name(), self.contents, digest_bytes).map(|messages| messages.len())
            }
        }
    }
}

macro_rules! file {
    ($algorithm:literal, $path:literal, $($format:tt)*) => {
        File {
            path: $path,
            algorithm: $algorithm,
            format: Format::$($format)*,
            contents: include_bytes!(concat!("../data/", $path)),
        }
    };
}

/// Every embedded file; one with several algorithms is here once for each.
pub static FILES: &[File] = &[
    file!("sha224", "cavp/sha2/SHA224ShortMsg.rsp", CavpMessages { digest_bytes: 28 }),
    file!("sha224", "cavp/sha2/SHA224LongMsg.rsp", CavpMessages { digest_bytes: 28 }),
    file!("sha224", "cavp/sha2/SHA224Monte.rsp", CavpMonteCarlo { digest_bytes: 28 }),
    file!("sha256", "cavp/sha2/SHA256ShortMsg.rsp", CavpMessages { digest_bytes: 32 }),
    file!("sha256", "cavp/sha2/SHA256LongMsg.rsp", CavpMessages { digest_bytes: 32 }),
    file!("sha256", "cavp/sha2/SHA256Monte.rsp", CavpMonteCarlo { digest_bytes: 32 }),
    file!("sha384", "cavp/sha2/SHA384ShortMsg.rsp", CavpMessages { digest_bytes: 48 }),
    file!("sha384", "cavp/sha2/SHA384LongMsg.rsp", CavpMessages { digest_bytes: 48 }),
    file!("sha384", "cavp/sha2/SHA384Monte.rsp", CavpMonteCarlo { digest_bytes: 48 }),
    file!("sha512", "cavp/sha2/SHA512ShortMsg.rsp", CavpMessages { digest_bytes: 64 }),
    file!("sha512", "cavp/sha2/SHA512LongMsg.rsp", CavpMessages { digest_bytes: 64 }),
    file!("sha512", "cavp/sha2/SHA512Monte.rsp", CavpMonteCarlo { digest_bytes: 64 }),
    file!("sha512-224", "cavp/sha2/SHA512_224ShortMsg.rsp", CavpMessages { digest_bytes: 28 }),
    file!("sha512-224", "cavp/sha2/SHA512_224LongMsg.rsp", CavpMessages { digest_bytes: 28 }),
    file!("sha512-224", "cavp/sha2/SHA512_224Monte.rsp", CavpMonteCarlo { digest_bytes: 28 }),
    file!("sha512-256", "cavp/sha2/SHA512_256ShortMsg.rsp", CavpMessages { digest_bytes: 32 }),
    file!("sha512-256", "cavp/sha2/SHA512_256LongMsg.rsp", CavpMessages { digest_bytes: 32 }),
    file!("sha512-256", "cavp/sha2/SHA512_256Monte.rsp", CavpMonteCarlo { digest_bytes: 32 }),
    file!("blake2b", "blake2/blake2-kat.h", Blake2KnownAnswers(KnownAnswers { prefix: "blake2b", digest_bytes: 64 })),
    file!("blake2s", "blake2/blake2-kat.h", Blake2KnownAnswers(KnownAnswers { prefix: "blake2s", digest_bytes: 32 })),
    file!("blake2bp", "blake2/blake2-kat.h", Blake2KnownAnswers(KnownAnswers { prefix: "blake2bp", digest_bytes: 64 })),
    file!("blake2sp", "blake2/blake2-kat.h", Blake2KnownAnswers(KnownAnswers { prefix: "blake2sp", digest_bytes: 32 })),
    file!("blake2b", "blake2/blake2b-carries.rsp", Blake2Carries { digest_bytes: 64 }),
    file!("blake2s", "blake2/blake2s-carries.rsp", Blake2Carries { digest_bytes: 32 }),
];
