//! SHA-224 and SHA-256 with everything that a subject can offer, and any one of many defects.
//!
//! Built on the specification; judged by the crate `sha2`.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, ThreadId};

use vambrace_harness::subject::{HashSubject, RunningHash};
use vambrace_reference::sha2::{self, MessageWord, SHA224_INITIAL, SHA256_INITIAL};

pub use crate::defect::Defect;
use crate::surroundings::old_stack_contents;

const LIMIT: u128 = (1 << 61) - 1;
const STATE_BYTES: usize = 106;
const TIERS: [&str; 3] = ["generic", "neon", "ce"];

/// What all running hashes of a subject know.
struct Shared {
    initial: [u32; 8],
    output_bytes: usize,
    code: u8,
    defect: Option<Defect>,
    messages: AtomicUsize,
    alive: AtomicUsize,
    thread: ThreadId,
}

/// The hash function.
pub struct Model {
    name: String,
    algorithm: &'static str,
    shared: Arc<Shared>,
}

impl Model {
    pub fn new(algorithm: &'static str, defect: Option<Defect>) -> Model {
        let (initial, output_bytes, code) = match algorithm {
            "sha224" => (SHA224_INITIAL, 28, 1),
            _ => (SHA256_INITIAL, 32, 2),
        };
        let shared = Shared {
            initial,
            output_bytes,
            code,
            defect,
            messages: AtomicUsize::new(0),
            alive: AtomicUsize::new(0),
            thread: thread::current().id(),
        };
        let name = defect.map_or("correct".to_owned(), |defect| format!("{defect:?}").replace(' ', ""));
        Model { name: format!("{algorithm}_{name}"), algorithm, shared: Arc::new(shared) }
    }

    fn has(&self, defect: Defect) -> bool {
        self.shared.defect == Some(defect)
    }

    fn running(&self, state: [u32; 8], length: u64) -> Running {
        self.shared.messages.fetch_add(1, Ordering::Relaxed);
        self.shared.alive.fetch_add(1, Ordering::Relaxed);
        Running {
            shared: self.shared.clone(),
            state,
            length: Rc::new(RefCell::new(length)),
            buffer: Rc::new(RefCell::new(Vec::new())),
            input: None,
            tier: TIERS[0],
            states: [state; 3],
            earlier: state,
            used: false,
        }
    }

    fn imported(&self, state: &[u8]) -> Result<Running, String> {
        if self.has(Defect::ImportPanics) {
            assert_eq!(state.len(), STATE_BYTES, "length of the state");
        }
        let mut bytes = [0; STATE_BYTES];
        let short = state.len() < STATE_BYTES && self.has(Defect::ShortState);
        let long = state.len() > STATE_BYTES && self.has(Defect::LongState);
        if state.len() != STATE_BYTES && !short && !long {
            return Err(format!("a state has {STATE_BYTES} bytes, not {}", state.len()));
        }
        bytes.iter_mut().zip(state).for_each(|(to, from)| *to = *from);
        let newer = bytes[0] > 1 && self.has(Defect::NewerVersion);
        if bytes[0] != 1 && !newer && !self.has(Defect::AnyVersion) {
            return Err(format!("version {}", bytes[0]));
        }
        if bytes[1] != self.shared.code && !self.has(Defect::AnyAlgorithm) {
            return Err(format!("algorithm {}", bytes[1]));
        }
        let mut length = u64::from_be_bytes(bytes[34..42].try_into().unwrap());
        let (buffer, padding) = bytes[42..].split_at((length % 64) as usize);
        if padding.iter().any(|byte| *byte != 0) && !self.has(Defect::DirtyBuffer) {
            return Err("a dirty buffer".to_owned());
        }
        if self.has(Defect::ImportRoundsLength) {
            length = length / 64 * 64;
        }
        let running = self.running(words(&bytes[2..34]), length);
        running.buffer.borrow_mut().extend_from_slice(buffer);
        Ok(running)
    }

    fn one(&self, message: &[u8]) -> Vec<u8> {
        let mut running = self.running(self.shared.initial, 0);
        running.absorb(message);
        running.finish()
    }
}

fn words(bytes: &[u8]) -> [u32; 8] {
    let (words, _) = bytes.as_chunks();
    std::array::from_fn(|index| u32::from_be_bytes(words[index]))
}

impl HashSubject for Model {
    fn name(&self) -> &str {
        &self.name
    }

    fn algorithm(&self) -> &str {
        self.algorithm
    }

    fn start(&self) -> Box<dyn RunningHash> {
        let mut initial = self.shared.initial;
        if self.has(Defect::InitialValue) {
            initial[7] ^= 1 << 31;
        }
        Box::new(self.running(initial, 0))
    }

    fn start_from(&self, state: &[u8], count: u128) -> Option<Box<dyn RunningHash>> {
        let limit = if self.has(Defect::LimitTooLow) { 1 << 60 } else { LIMIT };
        let mut count = u64::try_from(count).ok().filter(|count| u128::from(*count) <= limit)?;
        if self.has(Defect::InjectedHighWord) {
            count &= 0xffff_ffff;
        }
        Some(Box::new(self.running(words(state), count)))
    }

    fn import(&self, state: &[u8]) -> Option<Result<Box<dyn RunningHash>, String>> {
        Some(self.imported(state).map(|running| Box::new(running) as Box<dyn RunningHash>))
    }

    fn state_tag(&self) -> Range<usize> {
        0..2
    }

    fn digest_many(&self, messages: &[&[u8]], outputs: &mut [Vec<u8>]) -> Option<Result<(), String>> {
        if messages.len() != outputs.len() && !self.has(Defect::UnequalCounts) {
            if self.has(Defect::UnequalCountsWritten) {
                outputs.iter_mut().zip(messages).take(1).for_each(|(output, message)| *output = self.one(message));
            }
            return Some(Err(format!("{} messages, {} outputs", messages.len(), outputs.len())));
        }
        let count = messages.len();
        for (index, (message, output)) in messages.iter().zip(outputs.iter_mut()).enumerate() {
            let next = messages.get(index + 1).copied().unwrap_or_default();
            *output = self.one(message);
            match self.shared.defect {
                Some(Defect::LaneAlignment) if message.as_ptr().addr() % 8 == 5 => output[9] ^= 2,
                Some(Defect::OddOneForgotten) if count > 1 && count % 2 == 1 && index + 1 == count => output.fill(0),
                Some(Defect::EmptyLane) if message.is_empty() && index > 0 => *output = self.one(messages[index - 1]),
                Some(Defect::LaneLeaks) if index % 2 == 0 && message.len() / 64 < next.len() / 64 => {
                    output[3] ^= next[next.len() - 1];
                }
                Some(Defect::FewLanes(lanes)) if index >= lanes => output.fill(0),
                Some(Defect::EqualLanes) if index % 2 == 0 && message.len() >= 64 && next.len() == message.len() => {
                    *output = self.one(&message[..message.len() - 64]);
                }
                _ => {}
            }
        }
        if self.has(Defect::LanesSwapped) && count > 1 {
            outputs.swap(0, 1);
        }
        Some(Ok(()))
    }

    fn tiers(&self) -> Vec<String> {
        TIERS.map(str::to_owned).to_vec()
    }

    fn message_limit(&self) -> Option<u128> {
        Some(LIMIT)
    }
}

/// A message on its way.
struct Running {
    shared: Arc<Shared>,
    state: [u32; 8],
    /// Message bytes so far, modulo 2^64. Shared by clones where that is the defect.
    length: Rc<RefCell<u64>>,
    buffer: Rc<RefCell<Vec<u8>>>,
    /// Where the caller's incomplete block is, if it has not been copied as it should.
    input: Option<(*const u8, usize)>,
    tier: &'static str,
    /// The hash value that each tier had last.
    states: [[u32; 8]; 3],
    /// The chaining value before the last block.
    earlier: [u32; 8],
    used: bool,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.shared.alive.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Running {
    fn has(&self, defect: Defect) -> bool {
        self.shared.defect == Some(defect)
    }

    fn spoil(&mut self) {
        self.state[5] ^= 1 << 8;
    }

    fn count(&self, bytes: usize) {
        let mut length = self.length.borrow_mut();
        let before = *length;
        *length = before.wrapping_add(bytes as u64);
        let carries = before >> 32 != *length >> 32;
        let loses = match self.shared.defect {
            Some(Defect::BulkCarry) => bytes > 64,
            Some(Defect::SingleBlockCarry) => bytes <= 64,
            _ => false,
        };
        if carries && loses {
            *length -= 1 << 32;
        }
    }

    /// Buffers, and compresses what is whole.
    fn absorb(&mut self, data: &[u8]) {
        self.copy_input();
        self.count(data.len());
        if self.has(Defect::EmptyUpdate) && data.is_empty() {
            self.buffer.borrow_mut().clear();
        }
        let buffer = self.buffer.clone();
        let mut buffer = buffer.borrow_mut();
        if self.has(Defect::SingleByteLost) && data.len() == 1 && buffer.is_empty() {
            return;
        }
        let mut rest = data;
        let buffered = !buffer.is_empty();
        if buffered {
            let (head, after) = data.split_at(data.len().min(64 - buffer.len()));
            buffer.extend_from_slice(head);
            rest = after;
            if buffer.len() == 64 {
                if !(self.has(Defect::CompletedBlockLost) && rest.is_empty()) {
                    self.compress(&buffer);
                }
                buffer.clear();
            }
        }
        let (whole, tail) = rest.split_at(rest.len() / 64 * 64);
        if !whole.is_empty() {
            self.compress(whole);
            if let Some(Defect::Alignment { modulo, residue }) = self.shared.defect
                && whole.as_ptr().addr() % modulo == residue
            {
                self.spoil();
            }
        }
        if self.has(Defect::PointerNotAdvanced) && buffered && !whole.is_empty() {
            buffer.extend_from_slice(&data[..tail.len()]);
        } else if self.has(Defect::PointsToInput) && !tail.is_empty() && buffer.is_empty() {
            self.input = Some((tail.as_ptr(), tail.len()));
        } else {
            buffer.extend_from_slice(tail);
        }
    }

    /// Takes from the caller what should have been copied earlier.
    fn copy_input(&mut self) {
        if let Some((start, length)) = self.input.take() {
            // SAFETY: set under `Defect::PointsToInput` alone, which is planted for the check of aliasing alone, which
            // keeps each part's place until the digest is there.
            let late = unsafe { std::slice::from_raw_parts(start, length) };
            self.buffer.borrow_mut().extend_from_slice(late);
        }
    }

    fn compress(&mut self, blocks: &[u8]) {
        let before = self.state;
        let count = blocks.len() / 64;
        if self.has(Defect::ChainingValueAllOnes) && before.contains(&u32::MAX) {
            self.spoil();
        }
        if self.has(Defect::TierLayout) && self.tier == "neon" {
            self.state.reverse();
        }
        for block in blocks.chunks_exact(64) {
            let words: [u32; 16] = MessageWord::parse(block);
            self.earlier = self.state;
            sha2::compress(&mut self.state, &words);
            let wrong = match self.shared.defect {
                Some(Defect::EveryBlock) => true,
                Some(Defect::NeighboursAllOnes) => words.windows(2).any(|pair| pair == [u32::MAX; 2]),
                Some(Defect::ZeroBlock) => words == [0; 16],
                Some(Defect::SignBit) => words.contains(&0x8000_0000),
                Some(Defect::SingleBit) => words.iter().map(|word| word.count_ones()).sum::<u32>() == 1,
                Some(Defect::RampBlock) => {
                    let step = block[1].wrapping_sub(block[0]);
                    step != 0 && block.windows(2).all(|pair| pair[1].wrapping_sub(pair[0]) == step)
                }
                _ => false,
            };
            if wrong {
                self.spoil();
            }
        }
        if self.has(Defect::TierLayout) && self.tier == "neon" {
            self.state.reverse();
        }
        let wrong = match self.shared.defect {
            Some(Defect::BlocksPerCall(minimum)) => count >= minimum,
            Some(Defect::StrideTail { stride, tail }) => count > stride && count % stride == tail,
            Some(Defect::WrongTier) => self.tier == "ce",
            _ => false,
        };
        if wrong {
            self.spoil();
        }
        if self.has(Defect::ChainingValueOfFirstBlock) && before != self.shared.initial && count > 1 {
            self.state = before;
            sha2::compress(&mut self.state, &MessageWord::parse(&blocks[..64]));
        }
    }

    /// The bits of the length field.
    fn bits(&self) -> u64 {
        let length = *self.length.borrow();
        let bits = length.wrapping_mul(8);
        match self.shared.defect {
            Some(Defect::BitCount(width)) => bits & ((1 << width) - 1),
            Some(Defect::ByteCount(width)) => (length & ((1 << width) - 1)).wrapping_mul(8),
            Some(Defect::SignedBitCount) if bits < 1 << 32 => bits as u32 as i32 as u64,
            _ => bits,
        }
    }

    fn finish(&mut self) -> Vec<u8> {
        self.copy_input();
        let length = *self.length.borrow();
        let mut last = self.buffer.take();
        assert!(!self.has(Defect::Panic(length)), "a message of {length} bytes");
        last.push(0x80);
        let room = if self.has(Defect::LateExtraBlock) { 57 } else { 56 };
        let end = if last.len() <= room { 64 } else { 128 };
        last.resize(end, 0);
        last[end - 8..].copy_from_slice(&self.bits().to_be_bytes());
        // One block at a time, as from a buffer.
        for block in last.chunks_exact(64) {
            self.compress(block);
        }
        self.spoil_by_length(length);
        self.spoil_by_surroundings();
        let mut digest: Vec<u8> = self.state.iter().flat_map(|word| word.to_be_bytes()).collect();
        if self.has(Defect::DigestByteOrder) {
            digest.chunks_exact_mut(4).for_each(<[u8]>::reverse);
        }
        if self.has(Defect::TruncatedAtTheWrongEnd) {
            digest.drain(..32 - self.shared.output_bytes);
        }
        digest.truncate(self.shared.output_bytes);
        digest
    }

    fn spoil_by_length(&mut self, length: u64) {
        let wrong = match self.shared.defect {
            Some(Defect::Residue(residue)) => length % 64 == residue,
            Some(Defect::Length(wrong)) => length == wrong,
            Some(Defect::LongResidue { residue, minimum }) => length >= minimum && length % 64 == residue,
            Some(Defect::From(minimum)) => length >= minimum,
            Some(Defect::OneInAThousand) => self.state[0] >> 22 == 0,
            _ => false,
        };
        if wrong {
            self.spoil();
        }
    }

    fn spoil_by_surroundings(&mut self) {
        let here = 0u8;
        let wrong = match self.shared.defect {
            Some(Defect::EveryNth(n)) => self.shared.messages.load(Ordering::Relaxed).is_multiple_of(n),
            Some(Defect::StackAddress) => (&raw const here).addr() & 0x40 != 0,
            Some(Defect::StackContents) => old_stack_contents() & 1 != 0,
            Some(Defect::Thread) => thread::current().id() != self.shared.thread,
            Some(Defect::UsedObject) => self.used,
            Some(Defect::Neighbour) => self.shared.alive.load(Ordering::Relaxed) > 1,
            _ => false,
        };
        if wrong {
            self.spoil();
        }
    }

    fn begin_again(&mut self, defects: [Defect; 3]) {
        let [buffer, length, state] = defects.map(|defect| self.has(defect));
        if !buffer {
            self.buffer.take();
        }
        if !length {
            self.length.replace(0);
        }
        if !state {
            self.state = self.shared.initial;
        }
        self.used = true;
    }

    fn too_long(&self, bytes: usize) -> bool {
        let length = u128::from(*self.length.borrow()) + bytes as u128;
        match self.shared.defect {
            Some(Defect::NoLimit) => false,
            Some(Defect::LimitOffByOne) => length >= LIMIT,
            _ => length > LIMIT,
        }
    }
}

impl RunningHash for Running {
    fn update(&mut self, data: &[u8]) {
        self.absorb(data);
    }

    fn try_update(&mut self, data: &[u8]) -> Option<Result<(), String>> {
        if self.too_long(data.len()) {
            if self.has(Defect::RefusalAppends) {
                self.absorb(data);
            }
            if self.has(Defect::RefusalEmptiesBuffer) {
                self.buffer.borrow_mut().clear();
            }
            let error = if self.has(Defect::SilentError) { String::new() } else { format!("more than {LIMIT} bytes") };
            return Some(Err(error));
        }
        self.absorb(data);
        if self.has(Defect::TryUpdateCountsTwice) {
            self.count(data.len());
        }
        Some(Ok(()))
    }

    fn boxed_clone(&self) -> Box<dyn RunningHash> {
        let (length, buffer) = (*self.length.borrow(), self.buffer.borrow().clone());
        self.shared.messages.fetch_add(1, Ordering::Relaxed);
        self.shared.alive.fetch_add(1, Ordering::Relaxed);
        Box::new(Running {
            shared: self.shared.clone(),
            length: if self.has(Defect::CloneSharesLength) {
                self.length.clone()
            } else {
                Rc::new(RefCell::new(length))
            },
            buffer: match self.shared.defect {
                Some(Defect::CloneSharesBuffer) => self.buffer.clone(),
                Some(Defect::CloneForgetsBuffer) => Rc::default(),
                _ => Rc::new(RefCell::new(buffer)),
            },
            ..*self
        })
    }

    fn reset(&mut self) {
        self.begin_again([Defect::ResetKeepsBuffer, Defect::ResetKeepsLength, Defect::ResetKeepsState]);
    }

    fn finalize(mut self: Box<Self>) -> Vec<u8> {
        self.finish()
    }

    fn finalize_reset(&mut self) -> Vec<u8> {
        let digest = self.finish();
        self.begin_again([Defect::ResetKeepsBuffer, Defect::FinalizeResetKeepsLength, Defect::ResetKeepsState]);
        digest
    }

    fn export(&self) -> Option<Vec<u8>> {
        let mut bytes = vec![1, self.shared.code];
        bytes.extend(self.state.iter().flat_map(|word| word.to_be_bytes()));
        bytes.extend(self.length.borrow().to_be_bytes());
        bytes.extend_from_slice(&self.buffer.borrow());
        if self.has(Defect::ExportCutsBuffer) && bytes.len() > 42 {
            bytes.pop();
        }
        bytes.resize(STATE_BYTES, 0);
        Some(bytes)
    }

    fn switch_tier(&mut self, tier: &str) -> Option<Result<(), String>> {
        let Some(index) = TIERS.iter().position(|known| *known == tier) else {
            if self.has(Defect::UnknownTierEmptiesBuffer) {
                self.buffer.borrow_mut().clear();
            }
            let known = self.has(Defect::UnknownTier);
            return Some(if known { Ok(()) } else { Err(format!("unknown tier {tier:?}")) });
        };
        if self.has(Defect::SwitchRefused) && tier == "ce" && self.tier == "neon" {
            return Some(Err("not from there".to_owned()));
        }
        if self.has(Defect::SwitchForgetsBuffer) && self.tier != tier {
            self.buffer.borrow_mut().clear();
        }
        if self.has(Defect::SwitchFindsOldState) {
            let current = TIERS.iter().position(|known| *known == self.tier).unwrap();
            self.states[current] = self.state;
            self.state = self.states[index];
        }
        self.tier = TIERS[index];
        Some(Ok(()))
    }

    fn chaining_value(&self) -> Option<(Vec<u8>, u128)> {
        let mut state = self.state;
        let mut count = u128::from(*self.length.borrow());
        match self.shared.defect {
            Some(Defect::HandsBackOneEarlier) => state = self.earlier,
            Some(Defect::HandsBackByteOrder) => state[7] = state[7].swap_bytes(),
            Some(Defect::HandsBackWholeBlocks) => count = count / 64 * 64,
            Some(Defect::HandsBackCount32) => count &= 0xffff_ffff,
            _ => {}
        }
        Some((state.iter().flat_map(|word| word.to_be_bytes()).collect(), count))
    }
}
