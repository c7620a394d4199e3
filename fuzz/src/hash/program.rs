//! What is done with a hash function, as inputs of libFuzzer say it and as people read it.

use std::fmt;

use libfuzzer_sys::arbitrary::{self, Arbitrary, Unstructured};
use vambrace::Tier;
use vambrace_reference::oracles::{HashLimits, HashParameters};

use super::message::hex;
use super::{MAX_MESSAGES, MAX_UPDATE};
use crate::guarded::End;
use crate::target;

/// Steps of a program, at most.
const MAX_STEPS: usize = 32;
/// Bytes of the longest digest, and of the longest key.
const MAX_LENGTH: u8 = 64;

/// What is to be done.
#[derive(Clone)]
pub struct Program {
    /// Which of the hash functions that share a kernel.
    pub hash: u8,
    /// Whether messages begin by the tier's kernel for several messages, where there is one.
    pub several: bool,
    /// One after the other.
    pub steps: Vec<Step>,
}

/// A step.
#[derive(Clone)]
pub enum Step {
    /// Appends to the message.
    Update(Data),
    /// Keeps a copy.
    Clone,
    /// Goes on with the copy, and keeps this one.
    Swap,
    /// Begins anew.
    Reset,
    /// Begins anew, by the operation that also gives the digest.
    FinalizeReset,
    /// Begins anew, under those parameters that the hash function takes.
    Begin(Choice),
    /// Goes on by another kernel.
    Switch(Kernel),
    /// Goes on with what came of export and import.
    Export,
    /// Imports a state of which one byte was changed.
    ImportDamaged {
        /// Which byte.
        position: u8,
        /// How.
        flip: u8,
    },
    /// Begins in the middle of a message.
    Inject {
        /// The chaining value.
        state: Pattern,
        /// Bytes before, down to whole blocks.
        count: u64,
    },
    /// Hashes several messages at once.
    Many(Vec<Data>),
}

/// A kernel of the hash function.
#[derive(Clone, Copy)]
pub struct Kernel {
    /// Its tier.
    pub tier: Tier,
    /// Whether it is the one for several messages, of which one lane is used.
    pub several: bool,
}

/// Parameters, as far as a hash function takes them.
#[derive(Clone)]
pub struct Choice {
    /// Bytes of the digest, at most.
    pub digest: u8,
    /// Bytes of the key, at most.
    pub key: u8,
    /// Whether there is a salt.
    pub salt: bool,
    /// Whether there is a personalisation.
    pub personal: bool,
    /// The bytes of key, salt and personalisation, one after the other.
    pub pattern: Pattern,
}

/// Bytes of a message.
#[derive(Clone)]
pub struct Data {
    /// How many.
    pub length: Length,
    /// Which.
    pub pattern: Pattern,
    /// Where.
    pub end: End,
}

/// How many bytes.
#[derive(Clone, Copy)]
pub enum Length {
    /// So many.
    Bytes(u16),
    /// Some whole blocks, and a few more or less.
    Blocks {
        /// Whole blocks.
        count: u8,
        /// What is added.
        more: i8,
    },
    /// As many as complete the current block, some whole blocks, and a few more or less.
    ToBoundary {
        /// Whole blocks.
        count: u8,
        /// What is added.
        more: i8,
    },
}

/// Which bytes.
#[derive(Clone)]
pub enum Pattern {
    /// One value.
    Constant(u8),
    /// Values in arithmetic progression.
    Ramp {
        /// The first.
        start: u8,
        /// The difference.
        step: u8,
    },
    /// One word, most significant byte first, again and again: carries.
    Word(u32),
    /// Pseudo-random values (xorshift).
    Random(u32),
    /// These, again and again.
    Literal(Vec<u8>),
}

impl target::Program for Program {
    fn subject(&self) -> usize {
        usize::from(self.hash)
    }
}

impl Arbitrary<'_> for Program {
    fn arbitrary(u: &mut Unstructured<'_>) -> arbitrary::Result<Program> {
        let byte = u.arbitrary::<u8>()?;
        let (hash, several) = (byte % 128, byte >= 128);
        let mut steps = Vec::new();
        while !u.is_empty() && steps.len() < MAX_STEPS {
            steps.push(u.arbitrary()?);
        }
        Ok(Program { hash, several, steps })
    }
}

impl Arbitrary<'_> for Step {
    fn arbitrary(u: &mut Unstructured<'_>) -> arbitrary::Result<Step> {
        Ok(match u.arbitrary::<u8>()? % 16 {
            0..=5 => Step::Update(u.arbitrary()?),
            6 => Step::Begin(u.arbitrary()?),
            7 => Step::Clone,
            8 => Step::Swap,
            9 => Step::Reset,
            10 => Step::FinalizeReset,
            11 => {
                let byte = u.arbitrary::<u8>()?;
                Step::Switch(Kernel { tier: Tier::ALL[usize::from(byte % 4)], several: byte & 4 != 0 })
            }
            12 => Step::Export,
            13 => Step::ImportDamaged { position: u.arbitrary()?, flip: u.arbitrary()? },
            14 => {
                let state = Pattern::of_kind(u.arbitrary()?, u)?;
                // Near a power of two, or anywhere. The hash rounds it down to whole blocks.
                let count = if u.arbitrary()? {
                    let byte = u.arbitrary::<u8>()?;
                    // Half of them where a word ends that counts bytes or bits.
                    let power = if byte < 128 { byte % 64 } else { [29, 32, 61, 64][usize::from(byte % 4)] };
                    ((1u128 << power) as u64).wrapping_sub(64 * u64::from(u.arbitrary::<u8>()? % 32))
                } else {
                    u.arbitrary()?
                };
                Step::Inject { state, count }
            }
            _ => {
                let messages = u.arbitrary::<u8>()? as usize % (MAX_MESSAGES + 1);
                Step::Many((0..messages).map(|_| u.arbitrary()).collect::<Result<_, _>>()?)
            }
        })
    }
}

// Few bytes to a step: libFuzzer begins with short inputs.

impl Arbitrary<'_> for Choice {
    fn arbitrary(u: &mut Unstructured<'_>) -> arbitrary::Result<Choice> {
        let shape = u.arbitrary::<u8>()?;
        let digest = 1 + u.arbitrary::<u8>()? % MAX_LENGTH;
        let key = if shape & 1 == 0 { 0 } else { 1 + u.arbitrary::<u8>()? % MAX_LENGTH };
        let (salt, personal) = (shape & 2 != 0, shape & 4 != 0);
        Ok(Choice { digest, key, salt, personal, pattern: Pattern::of_kind(shape >> 3, u)? })
    }
}

impl Arbitrary<'_> for Data {
    fn arbitrary(u: &mut Unstructured<'_>) -> arbitrary::Result<Data> {
        let shape = u.arbitrary::<u8>()?;
        let end = if shape & 4 == 0 { End::Right } else { End::Left };
        let length = match shape % 4 {
            0 => Length::Bytes(u16::from(u.arbitrary::<u8>()?)),
            1 => Length::Bytes(u.arbitrary::<u16>()? % (MAX_UPDATE as u16 + 1)),
            kind => {
                let byte = u.arbitrary::<u8>()?;
                let (count, more) = (byte % 16, (byte / 16 % 7) as i8 - 3);
                if kind == 2 { Length::Blocks { count, more } } else { Length::ToBoundary { count, more } }
            }
        };
        Ok(Data { length, pattern: Pattern::of_kind(shape >> 3, u)?, end })
    }
}

impl Pattern {
    fn of_kind(kind: u8, u: &mut Unstructured<'_>) -> arbitrary::Result<Pattern> {
        Ok(match kind % 8 {
            0 => Pattern::Constant(u.arbitrary()?),
            1 => Pattern::Ramp { start: u.arbitrary()?, step: u.arbitrary()? },
            2 => Pattern::Word(u.arbitrary()?),
            3 => Pattern::Word(u32::MAX - u32::from(u.arbitrary::<u8>()?)),
            4 => {
                let bytes = usize::from(u.arbitrary::<u8>()? % 64);
                Pattern::Literal(u.bytes(bytes.min(u.len()))?.to_vec())
            }
            5 => Pattern::Random(u.arbitrary()?),
            // As good as any seed, and short.
            _ => Pattern::Random(u32::from(u.arbitrary::<u8>()?)),
        })
    }
}

/// A line for each step, since `cargo fuzz` prints every input that it finds.
impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "hash number {}", self.hash)?;
        if self.several {
            f.write_str(", by a kernel for several messages")?;
        }
        self.steps.iter().enumerate().try_for_each(|(number, step)| write!(f, "\n{number:>2}  {step}"))
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Update(data) => write!(f, "update with {data}"),
            Step::Clone => f.write_str("keep a clone"),
            Step::Swap => f.write_str("go on with the clone, keep this one"),
            Step::Reset => f.write_str("reset"),
            Step::FinalizeReset => f.write_str("finalize and reset"),
            Step::Begin(choice) => write!(f, "begin with {choice}"),
            Step::Switch(Kernel { tier, several: false }) => write!(f, "go on by tier {tier}"),
            Step::Switch(Kernel { tier, several: true }) => {
                write!(f, "go on by the kernel of tier {tier} for several messages")
            }
            Step::Export => f.write_str("export and import"),
            Step::ImportDamaged { position, flip } => write!(f, "import with byte {position} changed by {flip:#04x}"),
            Step::Inject { state, count } => write!(f, "begin after {count} bytes, with the chaining value of {state}"),
            Step::Many(messages) => {
                write!(f, "{} messages at once", messages.len())?;
                messages.iter().try_for_each(|data| write!(f, "; {data}"))
            }
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "up to {} bytes of digest", self.digest)?;
        if self.key != 0 {
            write!(f, ", up to {} of key", self.key)?;
        }
        for (name, there) in [("salt", self.salt), ("personalisation", self.personal)] {
            if there {
                write!(f, ", {name}")?;
            }
        }
        write!(f, ": {}", self.pattern)
    }
}

impl fmt::Display for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = match self.end {
            End::Left => "after",
            End::Right => "before",
        };
        write!(f, "{} of {}, {end} an unmapped page", self.length, self.pattern)
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Length::Bytes(bytes) => write!(f, "{bytes} bytes"),
            Length::Blocks { count, more } => write!(f, "{count} blocks {more:+} bytes"),
            Length::ToBoundary { count, more } => write!(f, "the rest of the block, {count} blocks {more:+} bytes"),
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pattern::Constant(value) => write!(f, "the byte {value:02x}"),
            Pattern::Ramp { start, step } => write!(f, "bytes from {start:02x} in steps of {step:02x}"),
            Pattern::Word(word) => write!(f, "the word {word:08x}"),
            Pattern::Random(seed) => write!(f, "xorshift from {seed:08x}"),
            Pattern::Literal(bytes) => write!(f, "the bytes {}", hex(bytes)),
        }
    }
}

impl Choice {
    /// The parameters, cut down to what is allowed.
    pub(super) fn within(&self, limits: HashLimits) -> Parameters {
        let salt_bytes = |there| if there { limits.salt_bytes } else { 0 };
        let key = usize::from(self.key).min(limits.key_bytes);
        let salt = salt_bytes(self.salt);
        let mut bytes = vec![0; key + salt + salt_bytes(self.personal)];
        self.pattern.fill(&mut bytes);
        let personal = bytes.split_off(key + salt);
        let salt = bytes.split_off(key);
        Parameters { digest: usize::from(self.digest).min(limits.output_bytes), key: bytes, salt, personal }
    }
}

impl Length {
    /// The number of bytes, where blocks have `block` bytes and `filled` bytes of the current one are there.
    pub(super) fn bytes(self, block: usize, filled: usize) -> usize {
        let bytes = match self {
            Length::Bytes(bytes) => usize::from(bytes),
            Length::Blocks { count, more } => (usize::from(count) * block).saturating_add_signed(isize::from(more)),
            Length::ToBoundary { count, more } => {
                let whole = (block - filled) % block + usize::from(count) * block;
                whole.saturating_add_signed(isize::from(more))
            }
        };
        bytes.min(MAX_UPDATE)
    }
}

impl Pattern {
    pub(super) fn fill(&self, bytes: &mut [u8]) {
        match self {
            Pattern::Constant(value) => bytes.fill(*value),
            Pattern::Ramp { start, step } => {
                let mut value = *start;
                for byte in bytes {
                    *byte = value;
                    value = value.wrapping_add(*step);
                }
            }
            Pattern::Word(word) => {
                let word = word.to_be_bytes();
                for chunk in bytes.chunks_mut(4) {
                    chunk.copy_from_slice(&word[..chunk.len()]);
                }
            }
            Pattern::Random(seed) => {
                // Marsaglia's xorshift32; zero is its fixed point.
                let mut state = seed ^ 0x9e37_79b9;
                for chunk in bytes.chunks_mut(4) {
                    state ^= state << 13;
                    state ^= state >> 17;
                    state ^= state << 5;
                    chunk.copy_from_slice(&state.to_le_bytes()[..chunk.len()]);
                }
            }
            Pattern::Literal(values) if values.is_empty() => bytes.fill(0),
            Pattern::Literal(values) => {
                for chunk in bytes.chunks_mut(values.len()) {
                    chunk.copy_from_slice(&values[..chunk.len()]);
                }
            }
        }
    }

    /// The first byte, or zero.
    pub(super) fn first(&self) -> u8 {
        let mut byte = [0];
        self.fill(&mut byte);
        byte[0]
    }
}

/// Parameters that are allowed.
#[derive(Clone)]
pub(super) struct Parameters {
    /// Bytes of the digest.
    pub(super) digest: usize,
    pub(super) key: Vec<u8>,
    pub(super) salt: Vec<u8>,
    pub(super) personal: Vec<u8>,
}

impl Parameters {
    pub(super) fn as_slices(&self) -> HashParameters<'_> {
        HashParameters { output_bytes: self.digest, key: &self.key, salt: &self.salt, personal: &self.personal }
    }
}
