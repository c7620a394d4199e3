//! Salsa20 and XSalsa20 with everything that a subject can offer, and any one of many defects.
//!
//! Built on the specification; judged by the crate `salsa20`. Blocks are made in groups of four, as vector code does, and
//! singly where there are fewer.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread::{self, ThreadId};

use vambrace_harness::subject::{RunningStream, StreamSubject};
use vambrace_reference::salsa20;

pub use crate::stream_defect::Defect;
use crate::surroundings::old_stack_contents;

const TIERS: [&str; 3] = ["generic", "neon", "ce"];
const BLOCK: usize = 64;
const END: u128 = 1 << 70;
const LANES: usize = 4;

/// What all running ciphers of a subject know.
struct Shared {
    extended: bool,
    rounds: u32,
    defect: Option<Defect>,
    parts: AtomicUsize,
    alive: AtomicU64,
    thread: ThreadId,
}

/// The stream cipher.
pub struct Model {
    name: String,
    algorithm: &'static str,
    shared: Arc<Shared>,
}

impl Model {
    pub fn new(algorithm: &'static str, defect: Option<Defect>) -> Model {
        let shared = Shared {
            extended: algorithm.starts_with('x'),
            rounds: algorithm.split_once('-').map_or(20, |(_, rounds)| rounds.parse().unwrap()),
            defect,
            parts: AtomicUsize::new(0),
            alive: AtomicU64::new(0),
            thread: thread::current().id(),
        };
        let name = defect.map_or("correct".to_owned(), |defect| format!("{defect:?}").replace([' ', ':'], ""));
        Model { name: format!("{algorithm}_{name}"), algorithm, shared: Arc::new(shared) }
    }

    /// As long as they should be, if the defect does that.
    fn fitted(
        &self,
        what: &str,
        bytes: &[u8],
        right: &[usize],
        short: Defect,
        long: Defect,
    ) -> Result<Vec<u8>, String> {
        let defect = self.shared.defect;
        if right.contains(&bytes.len()) {
            return Ok(bytes.to_vec());
        }
        let (least, most) = (right[0], right[right.len() - 1]);
        let by_byte = defect == Some(Defect::KeyLengthByte) && what == "key" && right.contains(&(bytes.len() % 256));
        if defect == Some(short) && bytes.len() < least || defect == Some(long) && bytes.len() > most || by_byte {
            let mut bytes = bytes.to_vec();
            bytes.resize(if bytes.len() < least { least } else { most }, 0);
            return Ok(bytes);
        }
        assert!(what != "key" || defect != Some(Defect::KeyPanics), "length of the key");
        let silent = defect == Some(Defect::SilentError);
        Err(if silent { String::new() } else { format!("a {what} of {} bytes", bytes.len()) })
    }
}

impl StreamSubject for Model {
    fn name(&self) -> &str {
        &self.name
    }

    fn algorithm(&self) -> &str {
        self.algorithm
    }

    fn start(&self, key: &[u8], nonce: &[u8]) -> Result<Box<dyn RunningStream>, String> {
        let extended = self.shared.extended;
        let (keys, nonces): (&[usize], &[usize]) = if extended { (&[32], &[24]) } else { (&[16, 32], &[8]) };
        let key = self.fitted("key", key, keys, Defect::ShortKey, Defect::LongKey)?;
        let nonce = self.fitted("nonce", nonce, nonces, Defect::ShortNonce, Defect::LongNonce)?;
        let mut state = match key.len() {
            _ if extended => {
                let rounds = if self.shared.defect == Some(Defect::DerivationRounds) { 20 } else { self.shared.rounds };
                salsa20::initial_extended(key[..].try_into().unwrap(), nonce[..].try_into().unwrap(), 0, rounds)
            }
            16 => salsa20::initial16(key[..].try_into().unwrap(), nonce[..].try_into().unwrap(), 0),
            _ => salsa20::initial32(key[..].try_into().unwrap(), nonce[..].try_into().unwrap(), 0),
        };
        if self.shared.defect == Some(Defect::Constants) {
            state[5] = u32::from_le_bytes(*b"nd 3");
            state[10] = u32::from_le_bytes(*b"2-by");
        }
        self.shared.alive.fetch_add(1, Ordering::Relaxed);
        Ok(Box::new(Running {
            shared: self.shared.clone(),
            state,
            place: Rc::new(RefCell::new(Place { next: 0, block: [0; BLOCK], used: BLOCK, shift: 0 })),
            tier: 0,
            used: false,
        }))
    }

    fn tiers(&self) -> Vec<String> {
        TIERS.map(str::to_owned).to_vec()
    }
}

/// Where a running cipher is.
#[derive(Clone, Copy)]
struct Place {
    /// The next block.
    next: u128,
    /// The one before, of which a part may be left.
    block: [u8; BLOCK],
    used: usize,
    /// By how much the position is wrong.
    shift: i64,
}

impl Place {
    fn position(&self) -> u128 {
        self.next * BLOCK as u128 - (BLOCK - self.used) as u128
    }
}

/// A stream on its way.
struct Running {
    shared: Arc<Shared>,
    state: [u32; 16],
    /// Shared by clones where that is the defect.
    place: Rc<RefCell<Place>>,
    tier: usize,
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

    /// One block, with these words of the counter.
    fn block(&self, low: u32, high: u32) -> [u8; BLOCK] {
        let mut state = self.state;
        (state[8], state[9]) = if self.has(Defect::CounterOrder) { (high, low) } else { (low, high) };
        if self.has(Defect::TierLayout) && self.tier == 1 {
            state.swap(8, 9);
        }
        let rounds = self.shared.rounds - if self.has(Defect::Rounds) { 2 } else { 0 };
        let mut words = salsa20::hash(&state, rounds);
        let wrong = match self.shared.defect {
            Some(Defect::EveryBlock) => true,
            Some(Defect::SignBit) => state.contains(&0x8000_0000),
            Some(Defect::NeighboursAllOnes) => state.windows(2).any(|pair| pair == [u32::MAX; 2]),
            Some(Defect::ZeroNonce) => state[6..8] == [0, 0],
            Some(Defect::OneInAHundred) => words[3] >> 25 == 0,
            Some(Defect::WrongTier) => self.tier == 2,
            _ => false,
        };
        if wrong {
            words[11] ^= 1 << 9;
        }
        if self.has(Defect::FeedForward64) && words[8] < state[8] {
            // The sum of the lower words has carried.
            words[9] = words[9].wrapping_add(1);
        }
        let mut bytes = salsa20::to_bytes(&words);
        if self.has(Defect::ByteOrder) {
            bytes.as_chunks_mut::<4>().0.iter_mut().for_each(|word| word.reverse());
        }
        bytes
    }

    /// The key stream of some blocks from `next` on.
    fn blocks(&self, next: u128, count: usize) -> Vec<u8> {
        let next = next as u64;
        let mut stream = Vec::with_capacity(count * BLOCK);
        for index in 0..count {
            let grouped = index < count / LANES * LANES;
            let first = next.wrapping_add((index / LANES * LANES) as u64);
            let lane = if grouped { index % LANES } else { 0 };
            let number = next.wrapping_add(index as u64);
            let (mut low, mut high) = (number as u32, (number >> 32) as u32);
            let carried = number >> 32 != next >> 32;
            match self.shared.defect {
                Some(Defect::CounterBits(bits)) if bits < 32 => (low, high) = (low & ((1 << bits) - 1), 0),
                Some(Defect::CounterBits(bits)) if bits < 64 => high &= (1u32 << (bits - 32)).wrapping_sub(1),
                Some(Defect::LaneCarry(wrong)) if grouped && lane == wrong => high = (first >> 32) as u32,
                Some(Defect::GroupCarry) if grouped && first >> 32 != next >> 32 => high = (next >> 32) as u32,
                Some(Defect::SingleCarry) if !grouped && number != 0 => {
                    high = (number.wrapping_sub(1) >> 32) as u32;
                }
                Some(Defect::SignedCounter) if high == 0 && low >> 31 == 1 => high = u32::MAX,
                Some(Defect::CarryTwice) if carried => high = high.wrapping_add(1),
                _ => {}
            }
            stream.extend(self.block(low, high));
        }
        let wrong = match self.shared.defect {
            Some(Defect::BlocksPerCall(minimum)) => count >= minimum,
            Some(Defect::StrideTail { stride, tail }) => count > stride && count % stride == tail,
            _ => false,
        };
        if wrong {
            stream[count * BLOCK - 7] ^= 1;
        }
        stream
    }

    /// The key stream of a part.
    fn stream(&self, length: usize) -> Vec<u8> {
        let mut place = self.place.borrow_mut();
        if length == 0 {
            if self.has(Defect::EmptyPart) {
                place.used = BLOCK;
            }
            return Vec::new();
        }
        let inside = place.used != BLOCK;
        let head = (BLOCK - place.used).min(length);
        let mut stream = place.block[place.used..][..head].to_vec();
        if !(self.has(Defect::RestUsedTwice) && head == length && length > 20) {
            place.used += head;
        }
        if self.has(Defect::CompletedBlockAgain) && inside && head == length && place.used == BLOCK {
            place.next -= 1;
        }
        let count = (length - head) / BLOCK;
        stream.extend(self.blocks(place.next, count));
        place.next += count as u128;
        match self.shared.defect {
            Some(Defect::CounterBehindGroup) if count > LANES && count.is_multiple_of(LANES) => place.next -= 1,
            Some(Defect::CounterAfter(least)) if count >= least => place.next += 1,
            _ => {}
        }
        let tail = length - head - count * BLOCK;
        if tail != 0 {
            let block = self.blocks(place.next, 1);
            place.block.copy_from_slice(&block);
            stream.extend_from_slice(&place.block[..tail]);
            place.next += 1;
            place.used = if self.has(Defect::RestForgotten) { BLOCK } else { tail };
            if self.has(Defect::TailCut(tail)) {
                *stream.last_mut().unwrap() = 0;
            }
            match self.shared.defect {
                Some(Defect::CounterBehindTail) if count > 0 => place.next -= 1,
                Some(Defect::CounterBeforeTail) if count > 0 => place.next += 1,
                Some(Defect::PositionAfterTail) => place.shift = (BLOCK - tail) as i64,
                _ => {}
            }
        } else if count != 0 {
            place.shift = 0;
        }
        let parts = self.shared.parts.fetch_add(1, Ordering::Relaxed) + 1;
        let here = 0u8;
        let wrong = match self.shared.defect {
            Some(Defect::Length(wrong)) => length == wrong,
            Some(Defect::LengthInside(wrong)) => length == wrong && inside,
            Some(Defect::EveryNth(n)) => parts.is_multiple_of(n),
            Some(Defect::StackAddress) => (&raw const here).addr() & 0x40 != 0,
            Some(Defect::StackContents) => old_stack_contents() & 1 != 0,
            Some(Defect::Thread) => thread::current().id() != self.shared.thread,
            Some(Defect::UsedObject) => self.used,
            Some(Defect::Neighbour) => self.shared.alive.load(Ordering::Relaxed) > 1,
            _ => false,
        };
        if wrong {
            stream[length / 2] ^= 0x10;
        }
        stream
    }

    /// Whether there is so much key stream, and what comes with the error.
    fn check(&self, input: &[u8], output: Option<&mut [u8]>, in_place: bool) -> Result<(), String> {
        let place = *self.place.borrow();
        let length = input.len();
        let left = END.saturating_sub(place.position());
        let limit = match self.shared.defect {
            Some(Defect::Wraps) => u128::MAX,
            Some(Defect::WrapsInside) if place.used != BLOCK => u128::MAX,
            Some(Defect::OutOfPlaceWraps) if !in_place => u128::MAX,
            Some(Defect::WrapsAtTheEnd) if left == 0 => u128::MAX,
            Some(Defect::EndByBlocks) => left.next_multiple_of(BLOCK as u128),
            Some(Defect::EndTooEarly) => left.saturating_sub(1),
            _ => left,
        };
        if length as u128 <= limit {
            return Ok(());
        }
        let partial = match self.shared.defect {
            Some(Defect::PartialBeforeError) => left as usize,
            Some(Defect::BlocksBeforeError) => left as usize / BLOCK * BLOCK,
            _ => 0,
        };
        if partial != 0
            && let Some(output) = output
        {
            let stream = self.stream(partial);
            output.iter_mut().zip(input).zip(stream).for_each(|((to, from), key)| *to = from ^ key);
            *self.place.borrow_mut() = place;
        }
        let mut place = self.place.borrow_mut();
        if self.has(Defect::ErrorMoves) {
            (place.next, place.used) = (END / BLOCK as u128, BLOCK);
        }
        if self.has(Defect::ErrorEmptiesBuffer) && place.used != BLOCK {
            place.block = [0; BLOCK];
        }
        let silent = self.has(Defect::SilentError);
        Err(if silent { String::new() } else { format!("{length} bytes, where {left} are left") })
    }

    fn aligned_wrongly(&self, input: *const u8, output: *const u8) -> bool {
        match self.shared.defect {
            Some(Defect::InputAlignment { modulo, residue }) => input.addr() % modulo == residue,
            Some(Defect::OutputAlignment { modulo, residue }) => output.addr() % modulo == residue,
            _ => false,
        }
    }

    /// Writes beside the output, or to the input, as machine code could.
    fn stray(&self, input: *const u8, output: *mut u8, length: usize, stream: &[u8]) {
        // SAFETY: planted for the check of aliasing alone, whose buffers lie in the middle of larger allocations of their
        // own. The writes are volatile and nobody else writes there.
        unsafe {
            match self.shared.defect {
                Some(Defect::WritesBehind) => output.add(length).write_volatile(0),
                Some(Defect::WritesBefore) => output.sub(1).write_volatile(0),
                Some(Defect::InputWritten) => {
                    for (offset, key) in stream.iter().enumerate() {
                        let byte = input.add(offset).cast_mut();
                        byte.write_volatile(byte.read_volatile() ^ key);
                    }
                }
                _ => {}
            }
        }
    }

    fn move_to(&self, position: u128) {
        let mut place = self.place.borrow_mut();
        let (next, inside) = (position / BLOCK as u128, (position % BLOCK as u128) as usize);
        let old = *place;
        *place = Place { next, used: BLOCK, shift: 0, block: old.block };
        if let Some(Defect::SeekBits(bits)) = self.shared.defect {
            place.next &= (1 << bits) - 1;
        }
        if inside == 0 {
            if self.has(Defect::SeekToBlockKeepsRest) || self.has(Defect::SeekKeepsRest) {
                place.used = old.used;
                place.next += u128::from(old.used != BLOCK);
            }
            return;
        }
        if self.has(Defect::SeekKeepsRest) && old.used != BLOCK {
            place.used = inside;
        } else {
            let block = self.blocks(place.next, 1);
            place.block.copy_from_slice(&block);
            place.used = if self.has(Defect::SeekIgnoresByte) { 0 } else { inside };
        }
        if self.has(Defect::PositionAfterSeek) {
            place.shift = BLOCK as i64;
        }
        if !self.has(Defect::SeekCounterBehind) {
            place.next += 1;
        }
    }
}

impl RunningStream for Running {
    fn apply(&mut self, data: &mut [u8]) -> Result<(), String> {
        let before = data.to_vec();
        self.check(&before, Some(data), true)?;
        let mut stream = self.stream(data.len());
        if self.aligned_wrongly(data.as_ptr(), data.as_ptr()) {
            stream[0] ^= 1;
        }
        let pointer = data.as_mut_ptr();
        if !self.has(Defect::InputWritten) {
            self.stray(pointer, pointer, data.len(), &stream);
        }
        data.iter_mut().zip(&stream).for_each(|(byte, key)| *byte ^= key);
        let tail = data.len() % BLOCK;
        if self.has(Defect::TailInPlace) && data.len() > BLOCK && tail > 1 {
            let at = data.len() - 1;
            data[at] = data[at - 1] ^ stream[at];
        }
        Ok(())
    }

    fn apply_to(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), String> {
        let length = input.len().min(output.len());
        if input.len() != output.len() {
            let ignored =
                self.has(Defect::UnequalLengths) || self.has(Defect::LongerOutput) && input.len() < output.len();
            if !ignored {
                if self.has(Defect::UnequalLengthsWritten) {
                    output[..length].copy_from_slice(&input[..length]);
                }
                if self.has(Defect::UnequalLengthsMove) {
                    self.stream(length);
                }
                return Err(format!("{} bytes to {}", input.len(), output.len()));
            }
        }
        let input = &input[..length];
        let output = &mut output[..length];
        self.check(input, Some(&mut *output), false)?;
        let mut stream = self.stream(length);
        if self.aligned_wrongly(input.as_ptr(), output.as_ptr()) {
            stream[0] ^= 1;
        }
        self.stray(input.as_ptr(), output.as_mut_ptr(), length, &stream);
        let written = self.has(Defect::InputWritten);
        for (index, (to, key)) in output.iter_mut().zip(&stream).enumerate() {
            let old = match self.shared.defect {
                Some(Defect::OutputRead) => *to,
                Some(Defect::OutputTailRead) if index / BLOCK == length / BLOCK => *to,
                _ => 0,
            };
            *to = if written { input[index] } else { input[index] ^ key ^ old };
        }
        Ok(())
    }

    fn seek(&mut self, position: u128) -> Result<(), String> {
        let old = *self.place.borrow();
        let position = match self.shared.defect {
            Some(Defect::SeekWraps) if position > END => position % END,
            Some(Defect::SeekWrapsFar) if position >= 2 * END => position % (2 * END),
            _ => position,
        };
        if position > END {
            if self.has(Defect::SeekErrorMoves) {
                self.move_to(0);
            }
            return Err(format!("position {position}"));
        }
        if self.has(Defect::SeekBack) && position < old.position() && position != 0 {
            return Ok(());
        }
        if self.has(Defect::SeekWithinBlock)
            && old.used != BLOCK
            && position / BLOCK as u128 == old.position() / BLOCK as u128
        {
            return Ok(());
        }
        self.move_to(position);
        self.used = position == 0;
        Ok(())
    }

    fn position(&self) -> u128 {
        let place = self.place.borrow();
        let position = place.position().saturating_add_signed(place.shift.into());
        match self.shared.defect {
            Some(Defect::PositionOfBlock) => position / BLOCK as u128 * BLOCK as u128,
            Some(Defect::Position64) => position as u64 as u128,
            _ => position,
        }
    }

    fn boxed_clone(&self) -> Box<dyn RunningStream> {
        let mut place = *self.place.borrow();
        self.shared.alive.fetch_add(1, Ordering::Relaxed);
        match self.shared.defect {
            Some(Defect::CloneForgetsBuffer) => place.block = [0; BLOCK],
            Some(Defect::CloneBeginsAgain) => (place.next, place.used) = (0, BLOCK),
            _ => {}
        }
        let shares = self.has(Defect::CloneSharesPosition);
        let place = if shares { self.place.clone() } else { Rc::new(RefCell::new(place)) };
        Box::new(Running { shared: self.shared.clone(), place, ..*self })
    }

    fn switch_tier(&mut self, tier: &str) -> Option<Result<(), String>> {
        let Some(index) = TIERS.iter().position(|known| *known == tier) else {
            if self.has(Defect::UnknownTierBeginsAgain) {
                self.move_to(0);
            }
            let known = self.has(Defect::UnknownTier);
            return Some(if known { Ok(()) } else { Err(format!("unknown tier {tier:?}")) });
        };
        if self.has(Defect::SwitchRefused) && index == 2 && self.tier == 1 {
            return Some(Err("not from there".to_owned()));
        }
        let mut place = self.place.borrow_mut();
        if index != self.tier {
            match self.shared.defect {
                Some(Defect::SwitchForgetsBuffer) => place.block = [0; BLOCK],
                Some(Defect::SwitchRounds) if place.used != BLOCK => place.used = 0,
                _ => {}
            }
        }
        drop(place);
        self.tier = index;
        Some(Ok(()))
    }
}
