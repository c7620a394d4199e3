//! Fuzzing of hash functions: a sequence of steps is carried out, and compared with the oracle after each.

mod message;
mod program;
mod situations;

use std::cell::RefCell;

use vambrace::{ManyError, MessageTooLong, ParameterError, StateError, Tier, TierError};
use vambrace_reference::oracles::{self, HashOracle, HashParameters};

use self::message::{Message, Start, same};
use self::program::Parameters;
pub use self::program::{Choice, Data, Kernel, Length, Pattern, Program, Step};
use self::situations::{Shape, count_carry, count_neighbours, count_update};
use crate::guarded::Guarded;
use crate::target;

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
