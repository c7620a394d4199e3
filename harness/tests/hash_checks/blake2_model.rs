//! BLAKE2b and BLAKE2s with keys and all other parameters, and any one of many defects.
//!
//! Built on the specification, which takes states and counters that no message leads to; judged by the crate `blake2`.

use std::marker::PhantomData;

use vambrace_harness::subject::{HashSubject, RunningHash};
use vambrace_reference::blake2::{self, MessageWord, Parameters};
use vambrace_reference::oracles::HashParameters;

/// What is wrong with a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    // Parameters.
    /// Reset forgets the block of the key.
    ResetForgetsKey,
    /// `finalize_reset` forgets the block of the key.
    FinalizeResetForgetsKey,
    /// Reset goes back to no key, no salt and no personalisation, and to the longest digest's parameter block.
    ResetForgetsParameters,
    /// The parameter block says that there is no key.
    KeyLengthMissing,
    /// The parameter block says the longest digest: a shorter one is the beginning of it.
    OutputLengthMissing,
    /// The salt is ignored.
    SaltIgnored,
    /// The personalisation is ignored.
    PersonalIgnored,
    /// Salt and personalisation are exchanged.
    SaltAndPersonalSwapped,
    /// The last byte of a key of the greatest length is ignored.
    LongestKeyCut,
    /// The key is not filled up to a block.
    KeyNotFilledUp,
    /// The block of the key is never taken for the last one.
    KeyBlockNeverLast,

    // Parameters beyond the limits.
    /// A key of one byte more is accepted.
    LongKey,
    /// A digest of no bytes is accepted.
    NoOutput,
    /// The length of the digest is taken modulo 256.
    OutputLengthInAByte,
    /// A salt that is too short is filled up with zeros.
    ShortSalt,
    /// A personalisation that is too long is cut off.
    LongPersonal,
    /// The error says nothing.
    SilentError,

    // The last block, and the counter.
    /// A block that is full is compressed as if more followed.
    LastBlockNotHeldBack,
    /// The carry out of the counter's first word is lost.
    CounterCarry,
    /// The last block counts for a whole one.
    LastBlockCountsWhole,
    /// The empty message's block has no finalisation flag.
    NoFlagForEmptyMessage,
}

/// A word size as the model needs it.
pub trait Size: MessageWord + Copy + Sync + Into<u64> + 'static {
    const BYTES: usize = Self::BITS as usize / 8;
    const BLOCK: usize = 16 * Self::BYTES;
    /// Bytes of the longest digest, and of the longest key.
    const MAX: usize = 8 * Self::BYTES;
    const SALT: usize = 2 * Self::BYTES;
    /// The greatest number of message bytes.
    const LIMIT: u128;
}

impl Size for u64 {
    const LIMIT: u128 = u128::MAX;
}

impl Size for u32 {
    const LIMIT: u128 = u64::MAX as u128;
}

/// The hash function.
pub struct Model<W> {
    name: String,
    algorithm: &'static str,
    defect: Option<Defect>,
    word: PhantomData<fn() -> W>,
}

/// The model of an algorithm, `blake2b` or `blake2s`.
pub fn model(algorithm: &'static str, defect: Option<Defect>) -> Box<dyn HashSubject> {
    let name = format!("{algorithm}_{}", defect.map_or("correct".to_owned(), |defect| format!("{defect:?}")));
    match algorithm {
        "blake2s" => Box::new(Model { name, algorithm, defect, word: PhantomData::<fn() -> u32> }),
        _ => Box::new(Model { name, algorithm, defect, word: PhantomData::<fn() -> u64> }),
    }
}

impl<W: Size> Model<W> {
    fn has(&self, defect: Defect) -> bool {
        self.defect == Some(defect)
    }

    fn plain(&self) -> Running<W> {
        let parameters = Parameters { digest_length: W::MAX as u8, ..Parameters::default() };
        Running::begin(parameters, W::MAX, Vec::new(), self.defect)
    }

    fn with(&self, given: &HashParameters<'_>) -> Result<Running<W>, String> {
        let HashParameters { mut output_bytes, key, salt, personal } = *given;
        if self.has(Defect::OutputLengthInAByte) {
            output_bytes %= 256;
        }
        if output_bytes > W::MAX || output_bytes == 0 && !self.has(Defect::NoOutput) {
            return Err(format!("{output_bytes} bytes of digest"));
        }
        if key.len() > W::MAX + usize::from(self.has(Defect::LongKey)) {
            return Err(format!("{} bytes of key", key.len()));
        }
        let short = self.has(Defect::ShortSalt) && salt.len() < W::SALT;
        let long = self.has(Defect::LongPersonal) && personal.len() > W::SALT;
        if !salt.is_empty() && salt.len() != W::SALT && !short {
            return Err(format!("{} bytes of salt", salt.len()));
        }
        if !personal.is_empty() && personal.len() != W::SALT && !long {
            return Err(format!("{} bytes of personalisation", personal.len()));
        }

        let mut parameters = Parameters {
            digest_length: if self.has(Defect::OutputLengthMissing) { W::MAX } else { output_bytes } as u8,
            key_length: if self.has(Defect::KeyLengthMissing) { 0 } else { key.len() } as u8,
            ..Parameters::default()
        };
        let (mut of_salt, mut of_personal) = (salt, &personal[..personal.len().min(W::SALT)]);
        match self.defect {
            Some(Defect::SaltIgnored) => of_salt = &[],
            Some(Defect::PersonalIgnored) => of_personal = &[],
            Some(Defect::SaltAndPersonalSwapped) => (of_salt, of_personal) = (of_personal, of_salt),
            _ => {}
        }
        parameters.salt[..of_salt.len()].copy_from_slice(of_salt);
        parameters.personal[..of_personal.len()].copy_from_slice(of_personal);

        let mut block = key.to_vec();
        if self.has(Defect::LongestKeyCut) && key.len() == W::MAX {
            block[W::MAX - 1] = 0;
        }
        if !key.is_empty() && !self.has(Defect::KeyNotFilledUp) {
            block.resize(W::BLOCK, 0);
        }
        Ok(Running::begin(parameters, output_bytes, block, self.defect))
    }
}

impl<W: Size> HashSubject for Model<W> {
    fn name(&self) -> &str {
        &self.name
    }

    fn algorithm(&self) -> &str {
        self.algorithm
    }

    fn start(&self) -> Box<dyn RunningHash> {
        Box::new(self.plain())
    }

    fn start_from(&self, state: &[u8], count: u128) -> Option<Box<dyn RunningHash>> {
        if count > W::LIMIT {
            return None;
        }
        let mut running = self.plain();
        for (word, bytes) in running.h.iter_mut().zip(state.chunks_exact(W::BYTES)) {
            *word = W::constant(bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)));
        }
        running.count = count;
        Some(Box::new(running))
    }

    fn start_with(&self, parameters: &HashParameters<'_>) -> Option<Result<Box<dyn RunningHash>, String>> {
        let error = |error| if self.has(Defect::SilentError) { String::new() } else { error };
        Some(self.with(parameters).map(|running| Box::new(running) as Box<dyn RunningHash>).map_err(error))
    }

    fn digest_many(&self, messages: &[&[u8]], outputs: &mut [Vec<u8>]) -> Option<Result<(), String>> {
        if messages.len() != outputs.len() {
            return Some(Err(format!("{} messages, {} outputs", messages.len(), outputs.len())));
        }
        for (message, output) in messages.iter().zip(outputs) {
            let mut running = self.plain();
            running.absorb(message);
            *output = running.finish();
        }
        Some(Ok(()))
    }

    fn message_limit(&self) -> Option<u128> {
        Some(W::LIMIT)
    }
}

/// A message on its way.
#[derive(Clone)]
struct Running<W> {
    defect: Option<Defect>,
    parameters: Parameters,
    output_bytes: usize,
    /// What the message begins with: the block of the key, if there is one.
    key: Vec<u8>,
    h: [W; 8],
    /// The bytes that were compressed.
    count: u128,
    buffer: Vec<u8>,
}

impl<W: Size> Running<W> {
    fn begin(parameters: Parameters, output_bytes: usize, key: Vec<u8>, defect: Option<Defect>) -> Running<W> {
        let h = blake2::initial(&parameters);
        Running { defect, parameters, output_bytes, buffer: key.clone(), key, h, count: 0 }
    }

    fn has(&self, defect: Defect) -> bool {
        self.defect == Some(defect)
    }

    fn begin_again(&mut self, forgets_key: bool) {
        let mut key = self.key.clone();
        if self.has(Defect::ResetForgetsParameters) {
            key.clear();
            self.parameters = Parameters { digest_length: W::MAX as u8, ..Parameters::default() };
        }
        if forgets_key {
            key.clear();
        }
        *self = Running::begin(self.parameters, self.output_bytes, key, self.defect);
    }

    fn absorb(&mut self, data: &[u8]) {
        self.buffer.extend_from_slice(data);
        let held_back = usize::from(!self.has(Defect::LastBlockNotHeldBack));
        let whole = self.buffer.len().saturating_sub(held_back) / W::BLOCK * W::BLOCK;
        let blocks: Vec<u8> = self.buffer.drain(..whole).collect();
        blocks.chunks_exact(W::BLOCK).for_each(|block| self.compress(block, W::BLOCK, false));
    }

    /// Takes a block that counts for some bytes.
    fn compress(&mut self, block: &[u8], bytes: usize, last: bool) {
        let before = self.count;
        self.count = before.wrapping_add(bytes as u128);
        if self.has(Defect::CounterCarry) && before >> W::BITS != self.count >> W::BITS {
            self.count = self.count.wrapping_sub(1 << W::BITS);
        }
        let word = |value: u128| W::constant(value as u64 & u64::MAX >> (64 - W::BITS));
        let t = [word(self.count), word(self.count >> W::BITS)];
        let f = [if last { word(u128::MAX) } else { word(0) }, word(0)];
        blake2::compress(&mut self.h, &W::parse(block), &t, &f);
    }

    fn finish(&mut self) -> Vec<u8> {
        let mut block = std::mem::take(&mut self.buffer);
        if self.has(Defect::KeyBlockNeverLast) && !self.key.is_empty() && self.count == 0 && block == self.key {
            self.compress(&block, W::BLOCK, false);
            block.clear();
        }
        let empty = self.count == 0 && block.is_empty();
        let bytes = if self.has(Defect::LastBlockCountsWhole) && !block.is_empty() { W::BLOCK } else { block.len() };
        block.resize(W::BLOCK, 0);
        self.compress(&block, bytes, !(empty && self.has(Defect::NoFlagForEmptyMessage)));
        let words = self.h.iter().flat_map(|word| (*word).into().to_le_bytes().into_iter().take(W::BYTES));
        words.take(self.output_bytes).collect()
    }
}

impl<W: Size> RunningHash for Running<W> {
    fn update(&mut self, data: &[u8]) {
        self.absorb(data);
    }

    fn try_update(&mut self, data: &[u8]) -> Option<Result<(), String>> {
        let more = (self.buffer.len() + data.len()) as u128;
        if self.count.checked_add(more).is_none_or(|length| length > W::LIMIT) {
            return Some(Err(format!("more than {} bytes", W::LIMIT)));
        }
        self.absorb(data);
        Some(Ok(()))
    }

    fn boxed_clone(&self) -> Box<dyn RunningHash> {
        Box::new(self.clone())
    }

    fn reset(&mut self) {
        self.begin_again(self.has(Defect::ResetForgetsKey));
    }

    fn finalize(mut self: Box<Self>) -> Vec<u8> {
        self.finish()
    }

    fn finalize_reset(&mut self) -> Vec<u8> {
        let digest = self.finish();
        self.begin_again(self.has(Defect::FinalizeResetForgetsKey));
        digest
    }

    fn chaining_value(&self) -> Option<(Vec<u8>, u128)> {
        let bytes = |word: &W| (*word).into().to_be_bytes().into_iter().skip(8 - W::BYTES);
        Some((self.h.iter().flat_map(bytes).collect(), self.count.wrapping_add(self.buffer.len() as u128)))
    }
}
