//! The embedded files.

use crate::blake2::KnownAnswers;
use crate::ciphers::CipherFormat::{self, *};
use crate::ciphers::cavp::{Xts, XtsTweak};
use crate::ciphers::cryptopp::{Blocks, Stream};
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
    /// What is known about a cipher.
    Cipher(CipherFormat),
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
            Format::Cipher(format) => format.cases(&self.name(), self.contents),
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
    file!(
        "aes128-xts",
        "cavp/aes/XTSGenAES128-hexstr.rsp",
        Cipher(CavpXts(Xts { key_bytes: 16, tweak: XtsTweak::Bytes }))
    ),
    file!(
        "aes128-xts",
        "cavp/aes/XTSGenAES128-seqno.rsp",
        Cipher(CavpXts(Xts { key_bytes: 16, tweak: XtsTweak::Number }))
    ),
    file!(
        "aes256-xts",
        "cavp/aes/XTSGenAES256-hexstr.rsp",
        Cipher(CavpXts(Xts { key_bytes: 32, tweak: XtsTweak::Bytes }))
    ),
    file!(
        "aes256-xts",
        "cavp/aes/XTSGenAES256-seqno.rsp",
        Cipher(CavpXts(Xts { key_bytes: 32, tweak: XtsTweak::Number }))
    ),
    file!("aes128-xts", "wycheproof/aes_xts_test.json", Cipher(WycheproofXts { key_bytes: 16 })),
    file!("aes192-xts", "wycheproof/aes_xts_test.json", Cipher(WycheproofXts { key_bytes: 24 })),
    file!("aes256-xts", "wycheproof/aes_xts_test.json", Cipher(WycheproofXts { key_bytes: 32 })),
    file!("aes128", "cavp/aes/ECBGFSbox128.rsp", Cipher(CavpBlocks { key_bytes: 16 })),
    file!("aes128", "cavp/aes/ECBKeySbox128.rsp", Cipher(CavpBlocks { key_bytes: 16 })),
    file!("aes128", "cavp/aes/ECBVarKey128.rsp", Cipher(CavpBlocks { key_bytes: 16 })),
    file!("aes128", "cavp/aes/ECBVarTxt128.rsp", Cipher(CavpBlocks { key_bytes: 16 })),
    file!("aes128", "cavp/aes/ECBMMT128.rsp", Cipher(CavpBlocks { key_bytes: 16 })),
    file!("aes192", "cavp/aes/ECBGFSbox192.rsp", Cipher(CavpBlocks { key_bytes: 24 })),
    file!("aes192", "cavp/aes/ECBKeySbox192.rsp", Cipher(CavpBlocks { key_bytes: 24 })),
    file!("aes192", "cavp/aes/ECBVarKey192.rsp", Cipher(CavpBlocks { key_bytes: 24 })),
    file!("aes192", "cavp/aes/ECBVarTxt192.rsp", Cipher(CavpBlocks { key_bytes: 24 })),
    file!("aes192", "cavp/aes/ECBMMT192.rsp", Cipher(CavpBlocks { key_bytes: 24 })),
    file!("aes256", "cavp/aes/ECBGFSbox256.rsp", Cipher(CavpBlocks { key_bytes: 32 })),
    file!("aes256", "cavp/aes/ECBKeySbox256.rsp", Cipher(CavpBlocks { key_bytes: 32 })),
    file!("aes256", "cavp/aes/ECBVarKey256.rsp", Cipher(CavpBlocks { key_bytes: 32 })),
    file!("aes256", "cavp/aes/ECBVarTxt256.rsp", Cipher(CavpBlocks { key_bytes: 32 })),
    file!("aes256", "cavp/aes/ECBMMT256.rsp", Cipher(CavpBlocks { key_bytes: 32 })),
    file!(
        "salsa20",
        "salsa20/salsa.txt",
        Cipher(CryptoppStream(Stream { name: "Salsa20", rounds: 20, nonce_bytes: 8 }))
    ),
    file!(
        "salsa20-12",
        "salsa20/salsa.txt",
        Cipher(CryptoppStream(Stream { name: "Salsa20", rounds: 12, nonce_bytes: 8 }))
    ),
    file!(
        "salsa20-8",
        "salsa20/salsa.txt",
        Cipher(CryptoppStream(Stream { name: "Salsa20", rounds: 8, nonce_bytes: 8 }))
    ),
    file!(
        "xsalsa20",
        "salsa20/salsa.txt",
        Cipher(CryptoppStream(Stream { name: "XSalsa20", rounds: 20, nonce_bytes: 24 }))
    ),
    file!("salsa20-12", "salsa20/reduced.rsp", Cipher(GeneratedStream { rounds: 12, nonce_bytes: 8 })),
    file!("salsa20-8", "salsa20/reduced.rsp", Cipher(GeneratedStream { rounds: 8, nonce_bytes: 8 })),
    file!("xsalsa20-12", "salsa20/reduced.rsp", Cipher(GeneratedStream { rounds: 12, nonce_bytes: 24 })),
    file!("xsalsa20-8", "salsa20/reduced.rsp", Cipher(GeneratedStream { rounds: 8, nonce_bytes: 24 })),
    file!("salsa20", "salsa20/ecrypt.blb", Cipher(BlobbyStream)),
    file!("salsa20", "salsa20/core.rsp", Cipher(Cores)),
    file!(
        "speck64-96",
        "speck/speck.txt",
        Cipher(CryptoppBlocks(Blocks { name: "SPECK-64", key_bytes: 12, block_bytes: 8 }))
    ),
    file!(
        "speck64-128",
        "speck/speck.txt",
        Cipher(CryptoppBlocks(Blocks { name: "SPECK-64", key_bytes: 16, block_bytes: 8 }))
    ),
    file!(
        "speck128-128",
        "speck/speck.txt",
        Cipher(CryptoppBlocks(Blocks { name: "SPECK-128", key_bytes: 16, block_bytes: 16 }))
    ),
    file!(
        "speck128-192",
        "speck/speck.txt",
        Cipher(CryptoppBlocks(Blocks { name: "SPECK-128", key_bytes: 24, block_bytes: 16 }))
    ),
    file!(
        "speck128-256",
        "speck/speck.txt",
        Cipher(CryptoppBlocks(Blocks { name: "SPECK-128", key_bytes: 32, block_bytes: 16 }))
    ),
    file!("speck128-128-xts", "speck/speck128-xts.rsp", Cipher(GeneratedXts { key_bytes: 16 })),
    file!("speck128-192-xts", "speck/speck128-xts.rsp", Cipher(GeneratedXts { key_bytes: 24 })),
    file!("speck128-256-xts", "speck/speck128-xts.rsp", Cipher(GeneratedXts { key_bytes: 32 })),
];
