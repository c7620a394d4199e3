//! The embedded files.

use crate::{MonteCarlo, VectorError, cavp};

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

/// Every embedded file.
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
];
