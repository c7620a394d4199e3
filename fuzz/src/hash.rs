//! Fuzzing of hash functions: a sequence of steps is carried out, and compared with the oracle after each.

use std::cell::RefCell;
use std::fmt;
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;

use libfuzzer_sys::arbitrary::{self, Arbitrary, Unstructured};
use vambrace::{ManyError, MessageTooLong, ParameterError, StateError, Tier, TierError, TierErrorReason, kernels};
use vambrace_reference::oracles::{self, HashLimits, HashOracle, HashParameters};

use crate::guarded::{End, Guarded};
use crate::target;

/// Steps of a program, at most.
const MAX_STEPS: usize = 32;
/// Bytes of one update, or of one message of several, at most.
const MAX_UPDATE: usize = 2048;
/// Bytes of a message, at most: what the oracle hashes after every step.
const MAX_MESSAGE: usize = 4096;
/// Messages hashed at once, at most.
const MAX_MESSAGES: usize = 6;

/// Bytes of the longest digest, and of the longest key.
const MAX_LENGTH: u8 = 64;

/// A hash function to be fuzzed.
pub trait Hash: Clone {
    /// The algorithm, as the oracles name it.
    const ALGORITHM: &'static str;
    /// The algorithm of the kernels that it runs through, as their table names it.
    const KERNELS: &'static str;
    /// Bytes that a message may have.
    const LIMIT: u128;
    /// The leaves that take the blocks of a message in turn; 1 for what is no tree.
    const LEAVES: usize = 1;
    /// How a message begins under parameters.
    const PARAMETERS: Takes<Self> = Takes::Nothing;
    /// How a state is handed out and taken back, where it is.
    const STATES: Option<States<Self>> = None;
    /// The digests of several messages, where there is a function for them.
    const DIGEST_MANY: Option<DigestMany> = None;

    /// An empty message.
    fn with_tier(tier: Tier) -> Result<Self, TierError>;
    /// Continues by another tier.
    fn set_tier(&mut self, tier: Tier) -> Result<(), TierError>;
    /// Continues by a kernel for several messages.
    fn set_variant(&mut self, variant: &str) -> Result<(), TierError>;
    /// Appends to the message.
    fn try_update(&mut self, data: &[u8]) -> Result<(), MessageTooLong>;
    /// Back to the empty message.
    fn reset(&mut self);
    /// The digest.
    fn finalize(self) -> Vec<u8>;
    /// The digest, and back to the empty message.
    fn finalize_reset(&mut self) -> Vec<u8>;
}

/// Which parameters a type takes, of those that its algorithm has, and how a message begins under them.
pub enum Takes<H> {
    /// None.
    Nothing,
    /// Salt and personalisation.
    SaltAndPersonal(Begin<H>),
    /// The length of the digest, key, salt and personalisation.
    All(Begin<H>),
}

/// An empty message under parameters.
pub type Begin<H> = fn(&HashParameters<'_>) -> Result<H, ParameterError>;

/// How a running hash becomes bytes, and how it is made of bytes.
pub struct States<H> {
    /// The state.
    pub export: fn(&H) -> Vec<u8>,
    /// Continues a state.
    pub import: fn(&[u8]) -> Result<H, StateError>,
    /// A message of which so many bytes led to this chaining value (words in order, each most significant byte first).
    pub inject: fn(&[u8], u128) -> Result<H, MessageTooLong>,
}

/// The digests of several messages.
pub type DigestMany = fn(Tier, &[&[u8]]) -> Result<Vec<Vec<u8>>, ManyError>;

/// A hash function that is fuzzed.
pub type Subject = target::Subject<Program>;

impl Subject {
    /// The hash function of a type.
    pub const fn of<H: Hash>() -> Subject {
        Subject { start: |tier| H::with_tier(tier).map(drop), run: run_one::<H> }
    }
}

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
    fn within(&self, limits: HashLimits) -> Parameters {
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
/// by the bytes that were buffered, the whole blocks that it makes, and the bytes that are buffered after it, in a tree
/// also by the leaf and the stripe (a block for each leaf) where it begins; by the highest bit that changes in the number
/// of bytes, and whether a kernel for several messages counts them; messages hashed at once by the blocks of two
/// neighbours. An input that leads to a new situation is kept.
#[used]
#[unsafe(link_section = "__libfuzzer_extra_counters")]
static SITUATIONS: [AtomicU8; WORDS_OF_SITUATIONS * 8] = [const { AtomicU8::new(0) }; WORDS_OF_SITUATIONS * 8];
/// LibFuzzer reads and clears them by words.
const WORDS_OF_SITUATIONS: usize = (CARRY + 2 * COUNTER_BITS).div_ceil(8);

/// How many numbers of buffered bytes there are: a block may be whole and wait.
const FILLED: usize = 128 + 1;
/// More blocks than that are not told apart, nor more leaves and stripes than these.
const BLOCKS: usize = 12;
const LEAVES: usize = 8;
const STRIPES: usize = 3;
const COUNTER_BITS: usize = u128::BITS as usize;

/// Where the situations of each kind begin.
const BEFORE: usize = 0;
const AFTER: usize = BEFORE + FILLED * BLOCKS;
const NEIGHBOURS: usize = AFTER + FILLED * BLOCKS;
const LEAF: usize = NEIGHBOURS + BLOCKS * BLOCKS;
const CARRY: usize = LEAF + STRIPES * LEAVES * BLOCKS;

fn count(situation: usize) {
    SITUATIONS[situation].store(1, Relaxed);
}

fn count_update(shape: Shape, before: usize, bytes: usize) {
    let (filled, rest) = (shape.filled(before), shape.filled(before + bytes));
    let blocks = ((filled + bytes - rest) / shape.block).min(BLOCKS - 1);
    count(BEFORE + filled * BLOCKS + blocks);
    count(AFTER + rest * BLOCKS + blocks);
    if shape.leaves > 1 {
        let begun = before / shape.block;
        let (stripe, leaf) = ((begun / shape.leaves).min(STRIPES - 1), begun % shape.leaves);
        count(LEAF + (stripe * LEAVES + leaf) * BLOCKS + blocks);
    }
}

fn count_carry(before: u128, bytes: usize, several: bool) {
    if let Some(bit) = (before ^ (before + bytes as u128)).checked_ilog2() {
        count(CARRY + usize::from(several) * COUNTER_BITS + bit as usize);
    }
}

fn count_neighbours(block: usize, bytes: [usize; 2]) {
    let [first, second] = bytes.map(|bytes| (bytes / block).min(BLOCKS - 1));
    count(NEIGHBOURS + first * BLOCKS + second);
}

/// How a hash function deals with blocks.
#[derive(Clone, Copy)]
struct Shape {
    /// Bytes of a block.
    block: usize,
    /// Whether a whole block waits for the next byte.
    waits: bool,
    leaves: usize,
}

impl Shape {
    fn of<H: Hash>(oracle: &dyn HashOracle) -> Shape {
        Shape { block: oracle.block_bytes(), waits: oracle.holds_back_last_block(), leaves: H::LEAVES }
    }

    /// The bytes of the current block, after so many of the message.
    fn filled(self, bytes: usize) -> usize {
        match bytes % self.block {
            0 if self.waits && bytes != 0 => self.block,
            filled => filled,
        }
    }
}

thread_local! {
    static MEMORY: RefCell<Vec<Guarded>> =
        RefCell::new((0..MAX_MESSAGES).map(|_| Guarded::new(MAX_UPDATE)).collect());
}

/// Why a tier can be had later on.
const THERE: &str = "the tier was there at the start";

fn run_one<H: Hash>(program: &Program, tier: Tier) {
    let oracle = oracles::hash(H::ALGORITHM).expect("an oracle for every algorithm");
    let kernel = Kernel { tier, several: program.several };
    let mut machine = Machine::<H> { oracle, kernel, current: Message::new(kernel), copy: None };
    for (number, step) in program.steps.iter().enumerate() {
        machine.step(step);
        machine.current.compare(oracle, || format!("after step {number}: {step}"));
    }
    if let Some(copy) = &machine.copy {
        copy.compare(oracle, || "of the copy, at the end".to_owned());
    }
}

/// What a message began with.
#[derive(Clone)]
enum Start {
    /// No bytes and no parameters.
    Usual,
    Parameters(Parameters),
    /// This chaining value, after so many bytes.
    Injected(Vec<u8>, u128),
}

/// Parameters that are allowed.
#[derive(Clone)]
struct Parameters {
    /// Bytes of the digest.
    digest: usize,
    key: Vec<u8>,
    salt: Vec<u8>,
    personal: Vec<u8>,
}

impl Parameters {
    fn as_slices(&self) -> HashParameters<'_> {
        HashParameters { output_bytes: self.digest, key: &self.key, salt: &self.salt, personal: &self.personal }
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Start::Usual => Ok(()),
            Start::Parameters(Parameters { digest, key, salt, personal }) => {
                let [key, salt, personal] = [key, salt, personal].map(|bytes| hex(bytes));
                write!(f, "\n of {digest} bytes, key {key:?}, salt {salt:?}, personalisation {personal:?}")
            }
            Start::Injected(state, count) => write!(f, "\n begun after {count} bytes with {}", hex(state)),
        }
    }
}

/// A message, hashed and remembered.
#[derive(Clone)]
struct Message<H> {
    hash: H,
    /// Whether it goes on by a kernel for several messages.
    several: bool,
    start: Start,
    bytes: Vec<u8>,
}

impl<H: Hash> Message<H> {
    fn new(kernel: Kernel) -> Message<H> {
        Message::started(H::with_tier(kernel.tier).expect(THERE), Start::Usual, kernel)
    }

    fn started(hash: H, start: Start, kernel: Kernel) -> Message<H> {
        let mut message = Message { hash, several: false, start, bytes: Vec::new() };
        message.begin_by(kernel);
        message
    }

    /// Goes on by a kernel of the tier that is fuzzed: by the one for one message where there is no other.
    fn begin_by(&mut self, kernel: Kernel) {
        self.hash.set_tier(kernel.tier).expect(THERE);
        self.several = false;
        self.switch(kernel);
    }

    /// Goes on by another kernel, unless this build or this CPU lacks it.
    fn switch(&mut self, Kernel { tier, several }: Kernel) {
        let switched = if several {
            let Some(variant) = variant::<H>(tier) else { return };
            self.hash.set_variant(variant)
        } else {
            self.hash.set_tier(tier)
        };
        match switched {
            Ok(()) => self.several = several,
            Err(TierError { reason: TierErrorReason::NoKernel, .. }) if several => {
                panic!("the kernel of tier {tier} for several messages is in the table, but cannot be had")
            }
            Err(_) => (),
        }
    }

    /// The number of bytes hashed since the start, the block of the key included, with which each leaf begins.
    fn hashed(&self, shape: Shape) -> usize {
        match &self.start {
            Start::Parameters(Parameters { key, .. }) if !key.is_empty() => {
                shape.leaves * shape.block + self.bytes.len()
            }
            _ => self.bytes.len(),
        }
    }

    /// The number of bytes hashed, those before the start included.
    fn length(&self, shape: Shape) -> u128 {
        let before = if let Start::Injected(_, count) = self.start { count } else { 0 };
        before + self.hashed(shape) as u128
    }

    /// The empty message again, under the same parameters.
    fn forget(&mut self) {
        if let Start::Injected(..) = self.start {
            self.start = Start::Usual;
        }
        self.bytes.clear();
    }

    fn expected(&self, oracle: &dyn HashOracle) -> Vec<u8> {
        match &self.start {
            Start::Usual => oracle.digest(&self.bytes),
            Start::Parameters(parameters) => oracle
                .digest_with(&parameters.as_slices(), &self.bytes)
                .expect("the oracle takes all parameters within its limits"),
            Start::Injected(state, count) => {
                oracle.digest_from(state, *count, &self.bytes).expect("the oracle takes every length within the limit")
            }
        }
    }

    fn compare(&self, oracle: &dyn HashOracle, when: impl Fn() -> String) {
        let digest = self.hash.clone().finalize();
        same(oracle, &self.expected(oracle), &digest, || format!("{}{}", when(), self.start));
    }
}

/// The name of the tier's kernel for several messages, where this build has one.
fn variant<H: Hash>(tier: Tier) -> Option<&'static str> {
    let mut table = kernels::ALL.iter().copied().flatten();
    let kernel = table.find(|kernel| {
        let of_hash = kernel.contract.algorithm == H::KERNELS && kernel.entry.is_some();
        of_hash && kernel.tier == tier && kernel.lanes > 1
    });
    kernel.map(|kernel| kernel.variant)
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
    /// What messages begin with.
    kernel: Kernel,
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
                let (expected, start) = (self.current.expected(self.oracle), &self.current.start);
                let digest = self.current.hash.finalize_reset();
                same(self.oracle, &expected, &digest, || format!("from finalize_reset{start}"));
                self.current.forget();
            }
            Step::Begin(choice) => self.begin(choice),
            Step::Switch(kernel) => self.current.switch(*kernel),
            Step::Export => self.export(),
            Step::ImportDamaged { position, flip } => self.import_damaged(usize::from(*position), *flip),
            Step::Inject { state, count } => self.inject(state, u128::from(*count)),
            Step::Many(messages) => self.many(messages),
        }
    }

    fn update(&mut self, data: &Data) {
        let shape = Shape::of::<H>(self.oracle);
        let message = &mut self.current;
        let hashed = message.hashed(shape);
        let bytes = data.length.bytes(shape.block, shape.filled(hashed)).min(MAX_MESSAGE - message.bytes.len());
        MEMORY.with_borrow_mut(|memory| {
            let input = memory[0].place(bytes, data.end);
            data.pattern.fill(input);
            let length = message.length(shape);
            let allowed = length + bytes as u128 <= H::LIMIT;
            match message.hash.try_update(input) {
                Ok(()) => {
                    count_update(shape, hashed, bytes);
                    count_carry(length, bytes, message.several);
                    assert!(allowed, "a message of more than {} bytes was accepted", H::LIMIT);
                    message.bytes.extend_from_slice(input);
                }
                Err(error) => assert!(!allowed, "an update of {bytes} bytes was refused: {error}"),
            }
            // What becomes of the input afterwards must not matter.
            input.fill(!data.pattern.first());
        });
    }

    fn begin(&mut self, choice: &Choice) {
        let limits = || self.oracle.limits().expect("an oracle with parameters");
        let (begin, parameters) = match H::PARAMETERS {
            Takes::Nothing => {
                self.current = Message::new(self.kernel);
                return;
            }
            Takes::SaltAndPersonal(begin) => {
                let digest = limits().output_bytes;
                (begin, Parameters { digest, key: Vec::new(), ..choice.within(limits()) })
            }
            Takes::All(begin) => (begin, choice.within(limits())),
        };
        let hash = begin(&parameters.as_slices());
        let start = Start::Parameters(parameters);
        match hash {
            Ok(hash) => self.current = Message::started(hash, start, self.kernel),
            Err(error) => panic!("parameters were refused: {error}{start}"),
        }
    }

    fn export(&mut self) {
        let Some(States { export, import, .. }) = H::STATES else { return };
        let message = &mut self.current;
        let state = export(&message.hash);
        message.hash = import(&state).expect("an exported state can be imported");
        assert!(export(&message.hash) == state, "a state changed by import and export");
        message.begin_by(self.kernel);
    }

    fn import_damaged(&self, position: usize, flip: u8) {
        let Some(States { export, import, .. }) = H::STATES else { return };
        let mut state = export(&self.current.hash);
        let position = position % state.len();
        state[position] ^= flip;
        if let Ok(hash) = import(&state) {
            assert!(export(&hash) == state, "a state was taken for another");
        }
    }

    fn inject(&mut self, pattern: &Pattern, count: u128) {
        let Some(States { inject, .. }) = H::STATES else { return };
        let count = count - count % self.oracle.block_bytes() as u128;
        let mut state = vec![0; self.oracle.state_bytes()];
        pattern.fill(&mut state);
        match inject(&state, count) {
            Ok(hash) => self.current = Message::started(hash, Start::Injected(state, count), self.kernel),
            Err(error) => assert!(count > H::LIMIT, "a message of {count} bytes was refused: {error}"),
        }
    }

    fn many(&self, messages: &[Data]) {
        let Some(digest_many) = H::DIGEST_MANY else { return };
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
            let digests = digest_many(self.kernel.tier, &inputs).expect(THERE);
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
