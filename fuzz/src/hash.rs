//! Fuzzing of hash functions: a sequence of steps is carried out, and compared with the oracle after each.

use std::cell::RefCell;
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;
use std::{fmt, process};

use libfuzzer_sys::arbitrary::{self, Arbitrary, Unstructured};
use vambrace::{Digest, ManyError, MessageTooLong, StateError, Tier, TierError};
use vambrace_reference::oracles::{self, HashOracle};

use crate::guarded::{End, Guarded};

/// Steps of a program, at most.
const MAX_STEPS: usize = 32;
/// Bytes of one update, or of one message of several, at most.
const MAX_UPDATE: usize = 2048;
/// Bytes of a message, at most: what the oracle hashes after every step.
const MAX_MESSAGE: usize = 4096;
/// Messages hashed at once, at most.
const MAX_MESSAGES: usize = 6;

/// A hash function to be fuzzed.
pub trait Hash: Clone {
    /// The algorithm, as the oracles name it.
    const ALGORITHM: &'static str;
    /// Bytes that a message may have.
    const LIMIT: u128;

    /// An empty message.
    fn with_tier(tier: Tier) -> Result<Self, TierError>;
    /// A message of which `count` bytes led to the chaining value `state` (words in order, each most significant byte
    /// first), if there can be one.
    fn from_chaining_value(tier: Tier, state: &[u8], count: u128) -> Option<Self>;
    /// Continues by another tier.
    fn set_tier(&mut self, tier: Tier) -> Result<(), TierError>;
    /// Appends to the message.
    fn try_update(&mut self, data: &[u8]) -> Result<(), MessageTooLong>;
    /// Back to the empty message.
    fn reset(&mut self);
    /// The digest.
    fn finalize(self) -> Vec<u8>;
    /// The digest, and back to the empty message.
    fn finalize_reset(&mut self) -> Vec<u8>;
    /// The state.
    fn export_state(&self) -> Vec<u8>;
    /// Continues a state.
    fn import_state(state: &[u8]) -> Result<Self, StateError>;
    /// The digests of several messages.
    fn digest_many(tier: Tier, messages: &[&[u8]]) -> Result<Vec<Vec<u8>>, ManyError>;
}

macro_rules! subject {
    ($hash:ty, $algorithm:literal, $word:ty, $limit:expr) => {
        impl Hash for $hash {
            const ALGORITHM: &'static str = $algorithm;
            const LIMIT: u128 = $limit as u128;

            fn with_tier(tier: Tier) -> Result<Self, TierError> {
                <$hash>::with_tier(tier)
            }
            fn from_chaining_value(tier: Tier, state: &[u8], count: u128) -> Option<Self> {
                let (words, _) = state.as_chunks();
                let words: [[u8; size_of::<$word>()]; 8] = words.try_into().ok()?;
                let mut hash = <$hash>::from_chaining_value(&words.map(<$word>::from_be_bytes), count).ok()?;
                <$hash>::set_tier(&mut hash, tier).ok()?;
                Some(hash)
            }
            fn set_tier(&mut self, tier: Tier) -> Result<(), TierError> {
                <$hash>::set_tier(self, tier)
            }
            fn try_update(&mut self, data: &[u8]) -> Result<(), MessageTooLong> {
                <$hash>::try_update(self, data)
            }
            fn reset(&mut self) {
                Digest::reset(self);
            }
            fn finalize(self) -> Vec<u8> {
                Digest::finalize(self).to_vec()
            }
            fn finalize_reset(&mut self) -> Vec<u8> {
                Digest::finalize_reset(self).to_vec()
            }
            fn export_state(&self) -> Vec<u8> {
                <$hash>::export_state(self).to_vec()
            }
            fn import_state(state: &[u8]) -> Result<Self, StateError> {
                <$hash>::import_state(state)
            }
            fn digest_many(tier: Tier, messages: &[&[u8]]) -> Result<Vec<Vec<u8>>, ManyError> {
                let mut outputs = vec![Default::default(); messages.len()];
                <$hash>::digest_many_with_tier(tier, messages, &mut outputs)?;
                Ok(outputs.iter().map(|output| output.to_vec()).collect())
            }
        }
    };
}

subject!(vambrace::Sha224, "sha224", u32, vambrace::sha256::MAX_MESSAGE_BYTES);
subject!(vambrace::Sha256, "sha256", u32, vambrace::sha256::MAX_MESSAGE_BYTES);
subject!(vambrace::Sha384, "sha384", u64, vambrace::sha512::MAX_MESSAGE_BYTES);
subject!(vambrace::Sha512, "sha512", u64, vambrace::sha512::MAX_MESSAGE_BYTES);
subject!(vambrace::Sha512_224, "sha512-224", u64, vambrace::sha512::MAX_MESSAGE_BYTES);
subject!(vambrace::Sha512_256, "sha512-256", u64, vambrace::sha512::MAX_MESSAGE_BYTES);

/// What is to be done.
#[derive(Clone)]
pub struct Program {
    /// Which of the hash functions that share a kernel.
    pub hash: u8,
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
    /// Goes on by another tier.
    SwitchTier(Tier),
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

impl Arbitrary<'_> for Program {
    fn arbitrary(u: &mut Unstructured<'_>) -> arbitrary::Result<Program> {
        let hash = u.arbitrary()?;
        let mut steps = Vec::new();
        while !u.is_empty() && steps.len() < MAX_STEPS {
            steps.push(u.arbitrary()?);
        }
        Ok(Program { hash, steps })
    }
}

impl Arbitrary<'_> for Step {
    fn arbitrary(u: &mut Unstructured<'_>) -> arbitrary::Result<Step> {
        Ok(match u.arbitrary::<u8>()? % 16 {
            0..=6 => Step::Update(u.arbitrary()?),
            7 => Step::Clone,
            8 => Step::Swap,
            9 => Step::Reset,
            10 => Step::FinalizeReset,
            11 => Step::SwitchTier(*u.choose(&Tier::ALL)?),
            12 => Step::Export,
            13 => Step::ImportDamaged { position: u.arbitrary()?, flip: u.arbitrary()? },
            14 => {
                let state = Pattern::of_kind(u.arbitrary()?, u)?;
                // Near a power of two, or anywhere. The hash rounds it down to whole blocks.
                let count = if u.arbitrary()? {
                    (1u64 << (u.arbitrary::<u8>()? % 64)).wrapping_sub(64 * u64::from(u.arbitrary::<u8>()? % 32))
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

/// Few bytes to a step: libFuzzer begins with short inputs.
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
            Step::SwitchTier(tier) => write!(f, "go on by tier {tier}"),
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

impl Length {
    /// The number of bytes, where blocks have `block` bytes and `filled` bytes of the current one are there.
    fn bytes(self, block: usize, filled: usize) -> usize {
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
    fn fill(&self, bytes: &mut [u8]) {
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
}

/// What libFuzzer takes for coverage beside the edges of compiled code.
///
/// It sees nothing of what happens inside a kernel. So the situations in which kernels are called are counted: an update
/// by the bytes that were buffered, the whole blocks that it makes, and the bytes that are buffered after it; messages
/// hashed at once by the blocks of two neighbours. An input that leads to a new situation is kept.
#[used]
#[unsafe(link_section = "__libfuzzer_extra_counters")]
static SITUATIONS: [AtomicU8; 2 * BUFFERED * BLOCKS + BLOCKS * BLOCKS] =
    [const { AtomicU8::new(0) }; 2 * BUFFERED * BLOCKS + BLOCKS * BLOCKS];
/// Bytes of the longest block.
const BUFFERED: usize = 128;
/// More blocks than that are not told apart.
const BLOCKS: usize = 12;

fn count_update(block: usize, filled: usize, bytes: usize) {
    let blocks = ((filled + bytes) / block).min(BLOCKS - 1);
    let rest = (filled + bytes) % block;
    for situation in [blocks * BUFFERED + filled, (BLOCKS + blocks) * BUFFERED + rest] {
        SITUATIONS[situation].store(1, Relaxed);
    }
}

fn count_neighbours(block: usize, bytes: [usize; 2]) {
    let [first, second] = bytes.map(|bytes| (bytes / block).min(BLOCKS - 1));
    SITUATIONS[2 * BUFFERED * BLOCKS + first * BLOCKS + second].store(1, Relaxed);
}

thread_local! {
    static MEMORY: RefCell<Vec<Guarded>> =
        RefCell::new((0..MAX_MESSAGES).map(|_| Guarded::new(MAX_UPDATE)).collect());
}

/// Ends the process with a message unless the CPU has what the tier needs.
pub fn require<H: Hash>(target: &str, tier: Tier) {
    if let Err(error) = H::with_tier(tier) {
        let model = std::env::var("VAMBRACE_CPU").unwrap_or_else(|_| "max".to_owned());
        eprintln!("{target}: {error}");
        eprintln!("{target}: under QEMU the environment variable VAMBRACE_CPU names the CPU model; it is {model}");
        process::exit(1);
    }
}

/// Carries out a program.
///
/// # Panics
/// At the first step after which the hash and the oracle disagree.
pub fn run<H: Hash>(program: &Program, tier: Tier) {
    let oracle = oracles::hash(H::ALGORITHM).expect("an oracle for every algorithm");
    let mut machine = Machine::<H> { oracle, tier, current: Message::new(tier), copy: None };
    for (number, step) in program.steps.iter().enumerate() {
        machine.step(step);
        machine.current.compare(oracle, || format!("after step {number}: {step}"));
    }
    if let Some(copy) = &machine.copy {
        copy.compare(oracle, || "of the copy, at the end".to_owned());
    }
}

/// A message, hashed and remembered.
#[derive(Clone)]
struct Message<H> {
    hash: H,
    /// The chaining value that it began with and the number of bytes before, unless it began as usual.
    start: Option<(Vec<u8>, u128)>,
    bytes: Vec<u8>,
}

impl<H: Hash> Message<H> {
    fn new(tier: Tier) -> Message<H> {
        let hash = H::with_tier(tier).expect("the tier was there at the start");
        Message { hash, start: None, bytes: Vec::new() }
    }

    fn length(&self) -> u128 {
        self.start.as_ref().map_or(0, |(_, count)| *count) + self.bytes.len() as u128
    }

    fn forget(&mut self) {
        self.start = None;
        self.bytes.clear();
    }

    fn expected(&self, oracle: &dyn HashOracle) -> Vec<u8> {
        match &self.start {
            None => oracle.digest(&self.bytes),
            Some((state, count)) => {
                oracle.digest_from(state, *count, &self.bytes).expect("the oracle takes every length within the limit")
            }
        }
    }

    fn compare(&self, oracle: &dyn HashOracle, when: impl Fn() -> String) {
        same(oracle, &self.expected(oracle), &self.hash.clone().finalize(), when);
    }
}

fn same(oracle: &dyn HashOracle, expected: &[u8], actual: &[u8], when: impl Fn() -> String) {
    assert!(
        expected == actual,
        "{} is wrong {}\n expected {} ({})\n actual   {}",
        oracle.algorithm(),
        when(),
        hex(expected),
        oracle.source(),
        hex(actual)
    );
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

struct Machine<H> {
    oracle: &'static dyn HashOracle,
    /// The tier that is fuzzed.
    tier: Tier,
    current: Message<H>,
    copy: Option<Message<H>>,
}

impl<H: Hash> Machine<H> {
    fn step(&mut self, step: &Step) {
        match step {
            Step::Update(data) => self.update(data),
            Step::Clone => self.copy = Some(self.current.clone()),
            Step::Swap => {
                if let Some(copy) = &mut self.copy {
                    std::mem::swap(copy, &mut self.current);
                }
            }
            Step::Reset => {
                self.current.hash.reset();
                self.current.forget();
            }
            Step::FinalizeReset => {
                let expected = self.current.expected(self.oracle);
                same(self.oracle, &expected, &self.current.hash.finalize_reset(), || "from finalize_reset".to_owned());
                self.current.forget();
            }
            // A tier that this CPU lacks changes nothing.
            Step::SwitchTier(tier) => drop(self.current.hash.set_tier(*tier)),
            Step::Export => {
                let state = self.current.hash.export_state();
                self.current.hash = H::import_state(&state).expect("an exported state can be imported");
                assert!(self.current.hash.export_state() == state, "a state changed by import and export");
                self.current.hash.set_tier(self.tier).expect("the tier was there at the start");
            }
            Step::ImportDamaged { position, flip } => {
                let mut state = self.current.hash.export_state();
                let position = usize::from(*position) % state.len();
                state[position] ^= flip;
                if let Ok(hash) = H::import_state(&state) {
                    assert!(hash.export_state() == state, "a state was taken for another");
                }
            }
            Step::Inject { state, count } => self.inject(state, u128::from(*count)),
            Step::Many(messages) => self.many(messages),
        }
    }

    fn update(&mut self, data: &Data) {
        let block = self.oracle.block_bytes();
        let message = &mut self.current;
        let filled = (message.length() % block as u128) as usize;
        let bytes = data.length.bytes(block, filled).min(MAX_MESSAGE - message.bytes.len());
        MEMORY.with_borrow_mut(|memory| {
            let input = memory[0].place(bytes, data.end);
            data.pattern.fill(input);
            let allowed = message.length() + bytes as u128 <= H::LIMIT;
            match message.hash.try_update(input) {
                Ok(()) => {
                    count_update(block, filled, bytes);
                    assert!(allowed, "a message of more than {} bytes was accepted", H::LIMIT);
                    message.bytes.extend_from_slice(input);
                }
                Err(error) => assert!(!allowed, "an update of {bytes} bytes was refused: {error}"),
            }
            // What becomes of the input afterwards must not matter.
            input.fill(!data.pattern.first());
        });
    }

    fn inject(&mut self, pattern: &Pattern, count: u128) {
        let count = count - count % self.oracle.block_bytes() as u128;
        let mut state = vec![0; self.oracle.state_bytes()];
        pattern.fill(&mut state);
        match H::from_chaining_value(self.tier, &state, count) {
            Some(hash) => self.current = Message { hash, start: Some((state, count)), bytes: Vec::new() },
            None => assert!(count > H::LIMIT, "a message of {count} bytes was refused"),
        }
    }

    fn many(&self, messages: &[Data]) {
        let block = self.oracle.block_bytes();
        MEMORY.with_borrow_mut(|memory| {
            let inputs: Vec<&[u8]> = messages
                .iter()
                .zip(memory)
                .map(|(data, memory)| {
                    let input = memory.place(data.length.bytes(block, 0), data.end);
                    data.pattern.fill(input);
                    &*input
                })
                .collect();
            inputs.array_windows().for_each(|[a, b]| count_neighbours(block, [a.len(), b.len()]));
            let digests = H::digest_many(self.tier, &inputs).expect("the tier was there at the start");
            for (number, (input, actual)) in inputs.iter().zip(&digests).enumerate() {
                same(self.oracle, &self.oracle.digest(input), actual, || format!("of message {number} of several"));
            }
        });
    }
}

impl Pattern {
    /// The first byte, or zero.
    fn first(&self) -> u8 {
        let mut byte = [0];
        self.fill(&mut byte);
        byte[0]
    }
}
