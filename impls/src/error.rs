//! What can go wrong: each error names the limit and the value given.

use core::fmt;

use vambrace_contract::{Feature, Tier};

/// A tier was asked for that this process cannot have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TierError {
    /// The algorithm, as `sha256`.
    pub algorithm: &'static str,
    /// The tier that was asked for.
    pub tier: Tier,
    /// Why it cannot be had.
    pub reason: TierErrorReason,
}

/// Why a tier cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TierErrorReason {
    /// The CPU lacks this feature, or detection could not see it.
    MissingFeature(Feature),
    /// No kernel of this tier exists for the architecture of this build.
    NoKernel,
}

impl fmt::Display for TierError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason {
            TierErrorReason::MissingFeature(feature) => {
                write!(f, "{} in tier {} needs the CPU feature {feature}, which is missing", self.algorithm, self.tier)
            }
            TierErrorReason::NoKernel => {
                write!(f, "{} has no kernel of tier {} on this architecture", self.algorithm, self.tier)
            }
        }
    }
}

impl core::error::Error for TierError {}

/// A message would exceed what the algorithm allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageTooLong {
    /// The greatest number of bytes that a message may have.
    pub limit: u128,
    /// The number of bytes that it would have had.
    pub given: u128,
}

impl fmt::Display for MessageTooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a message of {} bytes exceeds the limit of {} bytes", self.given, self.limit)
    }
}

impl core::error::Error for MessageTooLong {}

/// A hash cannot be had with these parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParameterError {
    /// The digest would be empty, or longer than the algorithm's longest.
    OutputLength {
        /// Bytes of the longest digest.
        limit: usize,
        /// Bytes asked for.
        given: usize,
    },
    /// The key is longer than allowed, or empty where there must be one.
    KeyLength {
        /// Bytes of the longest key.
        limit: usize,
        /// Bytes given.
        given: usize,
    },
    /// The salt has the wrong number of bytes.
    SaltLength {
        /// Bytes of a salt.
        expected: usize,
        /// Bytes given.
        given: usize,
    },
    /// The personalisation has the wrong number of bytes.
    PersonalLength {
        /// Bytes of a personalisation.
        expected: usize,
        /// Bytes given.
        given: usize,
    },
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParameterError::OutputLength { limit, given } => {
                write!(f, "a digest has 1 to {limit} bytes, but {given} were asked for")
            }
            ParameterError::KeyLength { limit, given } => {
                write!(f, "a key has 1 to {limit} bytes, but {given} were given")
            }
            ParameterError::SaltLength { expected, given } => {
                write!(f, "a salt has {expected} bytes, but {given} were given")
            }
            ParameterError::PersonalLength { expected, given } => {
                write!(f, "a personalisation has {expected} bytes, but {given} were given")
            }
        }
    }
}

impl core::error::Error for ParameterError {}

/// The buffer for a digest of run-time length has another length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputLengthError {
    /// Bytes of the digest.
    pub expected: usize,
    /// Bytes given.
    pub given: usize,
}

impl fmt::Display for OutputLengthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the digest has {} bytes, but a buffer of {} was given", self.expected, self.given)
    }
}

impl core::error::Error for OutputLengthError {}

/// There is less key stream than was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeystreamExhausted {
    /// Bytes of key stream that are left; or where it ends, for a position.
    pub limit: u128,
    /// Bytes of data given; or the position.
    pub given: u128,
}

impl fmt::Display for KeystreamExhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes exceed the key stream's limit of {} bytes", self.given, self.limit)
    }
}

impl core::error::Error for KeystreamExhausted {}

/// A data unit, a sector, a key or a tweak that XTS does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum XtsError {
    /// The data unit is shorter than a block.
    DataUnitTooShort {
        /// Bytes of a block.
        limit: usize,
        /// Bytes given.
        given: usize,
    },
    /// The data unit is longer than 2^20 blocks.
    DataUnitTooLong {
        /// Bytes of the longest data unit.
        limit: usize,
        /// Bytes given.
        given: usize,
    },
    /// The data is no whole number of sectors.
    PartialSector {
        /// Bytes of a sector.
        sector: usize,
        /// Bytes given.
        given: usize,
    },
    /// A sector has a number that its tweak cannot hold.
    SectorNumber {
        /// The largest number.
        limit: u128,
        /// The number of the first sector given.
        first: u128,
        /// Sectors given.
        sectors: usize,
    },
    /// Source and destination have different lengths.
    UnequalLengths {
        /// Bytes of the source.
        input: usize,
        /// Bytes of the destination.
        output: usize,
    },
    /// The key, of data and tweak together, has the wrong length.
    KeyLength {
        /// Bytes of a key.
        expected: usize,
        /// Bytes given.
        given: usize,
    },
    /// The key of the data and the key of the tweak are the same.
    EqualKeyHalves,
    /// The tweak has the wrong length.
    TweakLength {
        /// Bytes of a tweak.
        expected: usize,
        /// Bytes given.
        given: usize,
    },
}

impl fmt::Display for XtsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            XtsError::DataUnitTooShort { limit, given } => {
                write!(f, "a data unit has at least {limit} bytes, but {given} were given")
            }
            XtsError::DataUnitTooLong { limit, given } => {
                write!(f, "a data unit has at most {limit} bytes, but {given} were given")
            }
            XtsError::PartialSector { sector, given } => {
                write!(f, "{given} bytes are no whole number of sectors of {sector}")
            }
            XtsError::SectorNumber { limit, first, sectors } => {
                write!(f, "sectors have numbers up to {limit}, but {sectors} from {first} on were given")
            }
            XtsError::UnequalLengths { input, output } => {
                write!(f, "source and destination must have the same length, but have {input} and {output} bytes")
            }
            XtsError::KeyLength { expected, given } => {
                write!(f, "a key of {expected} bytes is needed, but {given} were given")
            }
            XtsError::EqualKeyHalves => f.write_str("the key of the data and the key of the tweak are the same"),
            XtsError::TweakLength { expected, given } => {
                write!(f, "a tweak of {expected} bytes is needed, but {given} were given")
            }
        }
    }
}

impl core::error::Error for XtsError {}

/// `digest_many` was given a different number of messages and outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneCountError {
    /// Messages given.
    pub messages: usize,
    /// Outputs given.
    pub outputs: usize,
}

impl fmt::Display for LaneCountError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} messages need as many outputs, but {} were given", self.messages, self.outputs)
    }
}

impl core::error::Error for LaneCountError {}

/// Several messages could not be hashed by the kernels of a tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ManyError {
    /// The tier cannot be had.
    Tier(TierError),
    /// The numbers of messages and outputs differ.
    LaneCount(LaneCountError),
}

impl From<TierError> for ManyError {
    fn from(error: TierError) -> ManyError {
        ManyError::Tier(error)
    }
}

impl From<LaneCountError> for ManyError {
    fn from(error: LaneCountError) -> ManyError {
        ManyError::LaneCount(error)
    }
}

impl fmt::Display for ManyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ManyError::Tier(error) => error.fmt(f),
            ManyError::LaneCount(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for ManyError {}

/// An exported state cannot be continued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StateError {
    /// It has the wrong number of bytes.
    Length {
        /// Bytes that an exported state has.
        expected: usize,
        /// Bytes given.
        given: usize,
    },
    /// It was written by another version of the format.
    Version {
        /// The version that this library reads and writes.
        expected: u8,
        /// The version found.
        given: u8,
    },
    /// It belongs to another algorithm.
    Algorithm {
        /// The code of this algorithm.
        expected: u8,
        /// The code found.
        given: u8,
    },
    /// It belongs to a hash with digests of another length.
    OutputLength {
        /// Bytes of this hash's digest.
        expected: usize,
        /// The number found.
        given: usize,
    },
    /// It stands for a message longer than the algorithm allows.
    MessageTooLong {
        /// The greatest number of bytes that a message may have.
        limit: u128,
        /// The number of bytes that the state says.
        given: u128,
    },
    /// Its counter is no whole number of blocks.
    Counter {
        /// Bytes of a block.
        block: usize,
        /// The counter, in bytes.
        given: u128,
    },
    /// Bytes of the block buffer beyond the buffered part of the message are not zero.
    Buffer {
        /// Bytes of the message that the length says are buffered.
        buffered: usize,
    },
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StateError::Length { expected, given } => {
                write!(f, "an exported state has {expected} bytes, but {given} were given")
            }
            StateError::Version { expected, given } => {
                write!(f, "exported states of version {expected} can be read, but this one is of version {given}")
            }
            StateError::Algorithm { expected, given } => {
                write!(f, "an exported state of algorithm {expected} is needed, but this one is of algorithm {given}")
            }
            StateError::OutputLength { expected, given } => {
                write!(f, "an exported state for digests of {expected} bytes is needed, but this one is for {given}")
            }
            StateError::MessageTooLong { limit, given } => {
                write!(f, "the exported state stands for {given} bytes, but a message has at most {limit}")
            }
            StateError::Counter { block, given } => {
                write!(
                    f,
                    "the exported state counts {given} bytes before its buffer, no whole number of blocks of {block}"
                )
            }
            StateError::Buffer { buffered } => {
                write!(f, "the exported block buffer holds more than the {buffered} bytes that the length says")
            }
        }
    }
}

impl core::error::Error for StateError {}
