//! What is known about ciphers, and how their files are to be read.

pub mod blobby;
pub mod cavp;
pub mod cryptopp;
pub mod generated;
pub mod wycheproof;

use crate::once::Once;
use crate::{FILES, File, Format, VectorError};

/// What is known about a stream cipher.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StreamVectors {
    /// Messages, or parts of messages, and what they are encrypted to.
    pub messages: Vec<StreamVector>,
    /// Digests of long streams.
    pub digests: Vec<StreamDigest>,
    /// The function that makes a block of the stream, on its own.
    pub cores: Vec<CoreVector>,
}

impl StreamVectors {
    fn len(&self) -> usize {
        self.messages.len() + self.digests.len() + self.cores.len()
    }
}

/// A message, or a part of one, and what it is encrypted to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamVector {
    /// The key.
    pub key: Vec<u8>,
    /// The nonce.
    pub nonce: Vec<u8>,
    /// The number of bytes of the message before this part.
    pub offset: u64,
    /// The message, or this part of it.
    pub plaintext: Vec<u8>,
    /// What it is encrypted to.
    pub ciphertext: Vec<u8>,
    /// Where it stands: file and line, or file and number of the case.
    pub source: String,
}

/// A long message, and the exclusive or of all 64-byte pieces of what it is encrypted to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamDigest {
    /// The key.
    pub key: Vec<u8>,
    /// The nonce.
    pub nonce: Vec<u8>,
    /// The message.
    pub plaintext: Vec<u8>,
    /// The exclusive or of its encryption's pieces.
    pub digest: Vec<u8>,
    /// Where it stands: file and line.
    pub source: String,
}

/// What the function of a block gives: the Salsa20 hash function, section 8 of the specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoreVector {
    /// The function is applied so many times.
    pub times: usize,
    /// 64 bytes.
    pub input: Vec<u8>,
    /// 64 bytes.
    pub output: Vec<u8>,
    /// Where it stands: file and line.
    pub source: String,
}

/// What is known about a block cipher in XTS.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct XtsVectors {
    /// Data units of whole bytes.
    pub units: Vec<XtsVector>,
    /// Data units that end within a byte, which nobody has who counts in bytes. The last byte's bits are its most
    /// significant ones.
    pub partial_units: Vec<PartialXtsVector>,
    /// Bytes of each of the two keys, and the number of data units under such keys, in files of Project Wycheproof that have
    /// keys of several lengths: those of other lengths, which are another algorithm's.
    pub other_keys: Vec<(usize, usize)>,
}

/// A data unit and what it is encrypted to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct XtsVector {
    /// Key 1, which encrypts the data.
    pub key1: Vec<u8>,
    /// Key 2, which encrypts the tweak.
    pub key2: Vec<u8>,
    /// The tweak, before encryption; a data unit's number is least significant byte first.
    pub tweak: Vec<u8>,
    /// The data unit.
    pub plaintext: Vec<u8>,
    /// What it is encrypted to.
    pub ciphertext: Vec<u8>,
    /// Where it stands: file and line.
    pub source: String,
}

/// A data unit of so many bits, no whole number of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialXtsVector {
    /// Bits of the data unit.
    pub bits: usize,
    /// The data unit, the last byte filled up.
    pub unit: XtsVector,
}

/// Some whole blocks, and what each of them is encrypted to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockVector {
    /// The key.
    pub key: Vec<u8>,
    /// One block or more.
    pub plaintext: Vec<u8>,
    /// As many blocks.
    pub ciphertext: Vec<u8>,
    /// Where it stands: file and line.
    pub source: String,
}

/// How a file about a cipher is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CipherFormat {
    /// Data units, for [`cavp::parse_xts`].
    CavpXts(cavp::Xts),
    /// Blocks, for [`cavp::parse_blocks`].
    CavpBlocks {
        /// Bytes of a key.
        key_bytes: usize,
    },
    /// Messages of one algorithm among others, for [`cryptopp::parse_stream`].
    CryptoppStream(cryptopp::Stream),
    /// Blocks of one algorithm among others, for [`cryptopp::parse_blocks`].
    CryptoppBlocks(cryptopp::Blocks),
    /// Messages, for [`blobby::parse_stream`].
    BlobbyStream,
    /// Blocks of a stream, for [`generated::parse_cores`].
    Cores,
    /// Data units of one key size among others, for [`generated::parse_xts`].
    GeneratedXts {
        /// Bytes of each of the two keys.
        key_bytes: usize,
    },
    /// Messages of one number of rounds and nonces of one length among others, for [`generated::parse_stream`].
    GeneratedStream {
        /// The number of rounds.
        rounds: usize,
        /// Bytes of a nonce.
        nonce_bytes: usize,
    },
    /// Data units of one key size among others, for [`wycheproof::parse_xts`].
    WycheproofXts {
        /// Bytes of each of the two keys.
        key_bytes: usize,
    },
}

/// What a file has.
enum Vectors {
    Stream(StreamVectors),
    Xts(XtsVectors),
    Blocks(Vec<BlockVector>),
}

impl CipherFormat {
    fn parse(self, file: &str, bytes: &[u8]) -> Result<Vectors, VectorError> {
        Ok(match self {
            CipherFormat::CavpXts(xts) => Vectors::Xts(cavp::parse_xts(file, bytes, xts)?),
            CipherFormat::CavpBlocks { key_bytes } => Vectors::Blocks(cavp::parse_blocks(file, bytes, key_bytes)?),
            CipherFormat::CryptoppStream(stream) => Vectors::Stream(cryptopp::parse_stream(file, bytes, stream)?),
            CipherFormat::CryptoppBlocks(blocks) => Vectors::Blocks(cryptopp::parse_blocks(file, bytes, blocks)?),
            CipherFormat::BlobbyStream => {
                let messages = blobby::parse_stream(file, bytes)?;
                Vectors::Stream(StreamVectors { messages, ..StreamVectors::default() })
            }
            CipherFormat::Cores => {
                let cores = generated::parse_cores(file, bytes)?;
                Vectors::Stream(StreamVectors { cores, ..StreamVectors::default() })
            }
            CipherFormat::GeneratedXts { key_bytes } => {
                let units = generated::parse_xts(file, bytes, key_bytes)?;
                Vectors::Xts(XtsVectors { units, ..XtsVectors::default() })
            }
            CipherFormat::GeneratedStream { rounds, nonce_bytes } => {
                let messages = generated::parse_stream(file, bytes, rounds, nonce_bytes)?;
                Vectors::Stream(StreamVectors { messages, ..StreamVectors::default() })
            }
            CipherFormat::WycheproofXts { key_bytes } => Vectors::Xts(wycheproof::parse_xts(file, bytes, key_bytes)?),
        })
    }

    /// The number of cases that the parser finds.
    pub(crate) fn cases(self, file: &str, bytes: &[u8]) -> Result<usize, VectorError> {
        Ok(match self.parse(file, bytes)? {
            Vectors::Stream(vectors) => vectors.len(),
            Vectors::Xts(vectors) => vectors.units.len() + vectors.partial_units.len(),
            Vectors::Blocks(vectors) => vectors.len(),
        })
    }
}

/// What the files of an algorithm have.
fn of(algorithm: &str) -> impl Iterator<Item = Result<Vectors, VectorError>> {
    FILES.iter().filter(move |file| file.algorithm == algorithm).filter_map(|file: &File| match file.format {
        Format::Cipher(format) => Some(format.parse(&file.name(), file.contents)),
        _ => None,
    })
}

fn found<T: PartialEq>(vectors: T, nothing: &T, algorithm: &str) -> Result<T, VectorError> {
    if vectors == *nothing { Err(VectorError::UnknownAlgorithm { name: algorithm.to_owned() }) } else { Ok(vectors) }
}

/// Everything embedded for a stream cipher, by the name of the algorithm, as `salsa20`.
///
/// # Errors
/// If there is nothing for the algorithm, or a file does not parse.
pub fn stream(algorithm: &str) -> Result<&'static StreamVectors, VectorError> {
    static KNOWN: Once<StreamVectors> = Once::new();
    KNOWN.get(algorithm, || read_stream(algorithm))
}

fn read_stream(algorithm: &str) -> Result<StreamVectors, VectorError> {
    let mut all = StreamVectors::default();
    for vectors in of(algorithm) {
        if let Vectors::Stream(vectors) = vectors? {
            all.messages.extend(vectors.messages);
            all.digests.extend(vectors.digests);
            all.cores.extend(vectors.cores);
        }
    }
    found(all, &StreamVectors::default(), algorithm)
}

/// Everything embedded for a block cipher in XTS, by the name of the algorithm, as `aes128-xts`.
///
/// # Errors
/// If there is nothing for the algorithm, or a file does not parse.
pub fn xts(algorithm: &str) -> Result<&'static XtsVectors, VectorError> {
    static KNOWN: Once<XtsVectors> = Once::new();
    KNOWN.get(algorithm, || read_xts(algorithm))
}

fn read_xts(algorithm: &str) -> Result<XtsVectors, VectorError> {
    let mut all = XtsVectors::default();
    for vectors in of(algorithm) {
        if let Vectors::Xts(vectors) = vectors? {
            all.units.extend(vectors.units);
            all.partial_units.extend(vectors.partial_units);
            all.other_keys.extend(vectors.other_keys);
        }
    }
    found(all, &XtsVectors::default(), algorithm)
}

/// Everything embedded for a block cipher, by the name of the algorithm, as `aes128`.
///
/// # Errors
/// If there is nothing for the algorithm, or a file does not parse.
pub fn block(algorithm: &str) -> Result<&'static [BlockVector], VectorError> {
    static KNOWN: Once<Vec<BlockVector>> = Once::new();
    KNOWN.get(algorithm, || read_block(algorithm)).map(Vec::as_slice)
}

fn read_block(algorithm: &str) -> Result<Vec<BlockVector>, VectorError> {
    let mut all = Vec::new();
    for vectors in of(algorithm) {
        if let Vectors::Blocks(vectors) = vectors? {
            all.extend(vectors);
        }
    }
    found(all, &Vec::new(), algorithm)
}
