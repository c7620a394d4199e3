//! XTS over AES-128, Speck128/128 and Speck64/128 with everything that a subject can offer, and any one of many defects.
//!
//! Built on the specification of the block ciphers; judged by crates. Whole blocks are taken in groups of eight, as vector
//! code does, of which each lane has its tweak.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread::{self, ThreadId};

use vambrace_harness::subject::{Direction, KeyedXts, XtsSubject};
use vambrace_reference::aes::Aes;
use vambrace_reference::speck::{Speck64_128, Speck128_128};
use vambrace_reference::xts::BlockCipher;

use crate::surroundings::old_stack_contents;
pub use crate::xts_defect::Defect;

const TIERS: [&str; 3] = ["generic", "neon", "ce"];
const MOST_BLOCKS: usize = 1 << 20;
const LANES: usize = 8;

/// A block cipher under a key.
#[derive(Clone)]
enum Cipher {
    Aes(Box<Aes>),
    Speck128(Speck128_128),
    Speck64(Speck64_128),
}

impl Cipher {
    fn crypt(&self, direction: Direction, block: &mut [u8]) {
        fn go<const BYTES: usize>(cipher: &impl BlockCipher<BYTES>, direction: Direction, block: &mut [u8]) {
            let block: &mut [u8; BYTES] = block.try_into().unwrap();
            match direction {
                Direction::Encrypt => cipher.encrypt_block(block),
                Direction::Decrypt => cipher.decrypt_block(block),
            }
        }
        match self {
            Cipher::Aes(cipher) => go(&**cipher, direction, block),
            Cipher::Speck128(cipher) => go(cipher, direction, block),
            Cipher::Speck64(cipher) => go(cipher, direction, block),
        }
    }
}

/// What all keys of a subject know.
struct Shared {
    algorithm: &'static str,
    block: usize,
    defect: Option<Defect>,
    units: AtomicUsize,
    alive: AtomicU64,
    thread: ThreadId,
}

impl Shared {
    fn cipher(&self, key: &[u8]) -> Cipher {
        let key: &[u8; 16] = key.try_into().unwrap();
        match self.algorithm {
            "aes128-xts" => Cipher::Aes(Box::new(Aes::new(key).unwrap())),
            "speck128-128-xts" => Cipher::Speck128(Speck128_128::new(key)),
            _ => Cipher::Speck64(Speck64_128::new(key)),
        }
    }

    fn error(&self, text: String) -> String {
        if self.defect == Some(Defect::SilentError) { String::new() } else { text }
    }
}

/// The subject.
pub struct Model {
    name: String,
    shared: Arc<Shared>,
}

impl Model {
    pub fn new(algorithm: &'static str, defect: Option<Defect>) -> Model {
        let shared = Shared {
            algorithm,
            block: if algorithm.starts_with("speck64") { 8 } else { 16 },
            defect,
            units: AtomicUsize::new(0),
            alive: AtomicU64::new(0),
            thread: thread::current().id(),
        };
        let name = defect.map_or("correct".to_owned(), |defect| format!("{defect:?}").replace([' ', ':'], ""));
        Model { name: format!("{algorithm}_{name}"), shared: Arc::new(shared) }
    }
}

impl XtsSubject for Model {
    fn name(&self) -> &str {
        &self.name
    }

    fn algorithm(&self) -> &str {
        self.shared.algorithm
    }

    fn keyed(&self, key: &[u8]) -> Result<Box<dyn KeyedXts>, String> {
        let shared = &self.shared;
        let mut key = key.to_vec();
        let fits = match shared.defect {
            Some(Defect::ShortKey) => key.len() <= 32,
            Some(Defect::LongKey) => key.len() >= 32,
            _ => key.len() == 32,
        };
        if !fits {
            assert!(shared.defect != Some(Defect::KeyPanics), "length of the key");
            return Err(shared.error(format!("a key of {} bytes", key.len())));
        }
        key.resize(32, 0);
        let (mut key1, mut key2) = key.split_at(16);
        let equal = match shared.defect {
            Some(Defect::EqualAccepted) => false,
            Some(Defect::EqualFirstByte) => key1[0] == key2[0],
            Some(Defect::EqualLastByte) => key1[15] == key2[15],
            Some(Defect::EqualZeroAccepted) => key1 == key2 && key1 != [0; 16],
            _ => key1 == key2,
        };
        if equal && self.refuses_equal_halves() {
            return Err(shared.error("equal halves".to_owned()));
        }
        if shared.defect == Some(Defect::KeysSwapped) {
            (key1, key2) = (key2, key1);
        }
        shared.alive.fetch_add(1, Ordering::Relaxed);
        let wrong = match shared.defect {
            Some(Defect::KeyAllOnes) => key1.windows(2).any(|pair| pair == [0xff; 2]),
            Some(Defect::KeyZero) => key2[0] == 0,
            _ => false,
        };
        Ok(Box::new(Keyed {
            data: shared.cipher(key1),
            tweak: shared.cipher(key2),
            shared: shared.clone(),
            tier: 0,
            damage: [wrong; 3],
            last: AtomicUsize::new(0),
            reuse: AtomicU64::new(0),
        }))
    }

    fn refuses_equal_halves(&self) -> bool {
        self.shared.algorithm.starts_with("aes")
    }

    fn tiers(&self) -> Vec<String> {
        TIERS.map(str::to_owned).to_vec()
    }
}

/// Two keys.
struct Keyed {
    shared: Arc<Shared>,
    data: Cipher,
    tweak: Cipher,
    tier: usize,
    /// Whether the key for encryption, that for decryption and that of the tweak have the wrong form.
    damage: [bool; 3],
    /// The direction of the data unit before: 1 or 2.
    last: AtomicUsize,
    /// What a data unit leaves to the next.
    reuse: AtomicU64,
}

impl Drop for Keyed {
    fn drop(&mut self) {
        self.shared.alive.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The buffers of a call, as bytes that were read before any was written.
struct Buffers<'a> {
    input: Vec<u8>,
    source: *const u8,
    output: &'a mut [u8],
    in_place: bool,
}

impl Keyed {
    fn has(&self, defect: Defect) -> bool {
        self.shared.defect == Some(defect)
    }

    fn double(&self, t: u128, lane: usize) -> u128 {
        let bits = 8 * self.shared.block as u32;
        let mask = u128::MAX >> (128 - bits);
        let mut next = (t << 1) & mask;
        let lost = match self.shared.defect {
            Some(Defect::ByteCarry(byte)) => Some(byte),
            Some(Defect::LaneByteCarry(byte, wrong)) if lane == wrong => Some(byte),
            _ => None,
        };
        if let Some(byte) = lost {
            next &= !(1 << (8 * byte + 8));
        }
        let carry = match self.shared.defect {
            Some(Defect::NotReduced(wrong)) if lane == wrong => 0,
            Some(Defect::AlwaysReduced(wrong)) if lane == wrong => 1,
            Some(Defect::WrongCarry) => t >> (bits - 2) & 1,
            _ => t >> (bits - 1) & 1,
        };
        let polynomial = if bits == 128 { 0x87 } else { 0x1b };
        let polynomial = if self.has(Defect::Polynomial) { polynomial - 2 } else { polynomial };
        next ^ (carry * polynomial)
    }

    /// The tweaks of so many blocks, and one more.
    fn tweaks(&self, t: u128, blocks: usize) -> Vec<u128> {
        let mut tweaks = vec![t];
        for number in 1..=blocks {
            let before = tweaks[number - 1];
            let mut next = self.double(before, number % LANES);
            if number.is_multiple_of(LANES) {
                match self.shared.defect {
                    Some(Defect::GroupLate) => next = before,
                    Some(Defect::GroupEarly(more)) if blocks - number > more => next = self.double(next, 1),
                    _ => {}
                }
            }
            tweaks.push(next);
        }
        tweaks
    }

    fn bare(&self, direction: Direction, block: &mut [u8]) {
        let half = self.shared.block / 2;
        if self.has(Defect::WordOrder) {
            block.rotate_left(half);
        }
        self.data.crypt(direction, block);
        if self.has(Defect::WordOrder) {
            block.rotate_left(half);
        }
        let wrong = match self.shared.defect {
            Some(Defect::EveryBlock) => true,
            Some(Defect::OneDirection(wrong)) => wrong == direction,
            Some(Defect::OneInAThousand) => u16::from_le_bytes([block[0], block[1]]) >> 6 == 0,
            Some(Defect::WrongTier) => self.tier == 2,
            _ => self.damage[usize::from(direction == Direction::Decrypt)],
        };
        if wrong {
            block[5] ^= 2;
        }
    }

    fn one(&self, direction: Direction, t: u128, block: &mut [u8]) {
        let t = t.to_le_bytes();
        block.iter_mut().zip(t).for_each(|(byte, t)| *byte ^= t);
        self.bare(direction, block);
        if !self.has(Defect::TweakOnce) {
            block.iter_mut().zip(t).for_each(|(byte, t)| *byte ^= t);
        }
    }

    /// A data unit of allowed length under an encrypted tweak.
    fn under(&self, direction: Direction, t: u128, buffers: Buffers<'_>) {
        let Buffers { mut input, source, output, in_place } = buffers;
        let block = self.shared.block;
        let (blocks, rest) = (input.len() / block, input.len() % block);
        let tweaks = self.tweaks(t, blocks);
        let before = input.clone();
        for number in 0..blocks {
            let last = rest != 0 && number == blocks - 1;
            let order = match self.shared.defect {
                Some(Defect::TweaksSwapped(taken)) => taken,
                _ => direction,
            };
            let number_of_tweak = number + usize::from(last && order == Direction::Decrypt);
            self.one(direction, tweaks[number_of_tweak], &mut input[number * block..][..block]);
        }
        if rest != 0 {
            let order = match self.shared.defect {
                Some(Defect::TweaksSwapped(taken)) => taken,
                _ => direction,
            };
            let second = blocks - usize::from(order == Direction::Decrypt);
            let last = (blocks - 1) * block;
            let whole = input[last..last + block].to_vec();
            let mut other = whole.clone();
            let short = match self.shared.defect {
                Some(Defect::InPlaceStealing(wrong)) if in_place && direction == wrong => whole[..rest].to_vec(),
                Some(Defect::OutputStealing) if !in_place => output[last + block..].to_vec(),
                _ => before[last + block..].to_vec(),
            };
            other[..rest].copy_from_slice(&short);
            let kept = match self.shared.defect {
                Some(Defect::StealsTooFew) => true,
                Some(Defect::StealsTooFewOf(wrong)) => rest == wrong,
                _ => false,
            };
            if kept {
                other[rest - 1] = whole[rest - 1];
            }
            if self.has(Defect::InputStealing) && !in_place {
                other[rest..].copy_from_slice(&before[last + rest..last + block]);
            }
            self.one(direction, tweaks[second], &mut other);
            input[last..last + block].copy_from_slice(&other);
            let stolen = if self.has(Defect::StealsFromTheEnd) { &whole[block - rest..] } else { &whole[..rest] };
            input[last + block..].copy_from_slice(stolen);
        }
        if self.is_wrong(direction, &input, source, output.as_ptr()) {
            let at = blocks * block - 3;
            input[at] ^= 0x20;
        }
        self.stray(source, output.as_mut_ptr(), &input, in_place);
        output.copy_from_slice(if self.has(Defect::InputWritten) && !in_place { &before } else { &input });
    }

    fn is_wrong(&self, direction: Direction, data: &[u8], input: *const u8, output: *const u8) -> bool {
        let block = self.shared.block;
        let (length, blocks, rest) = (data.len(), data.len() / block, data.len() % block);
        let units = self.shared.units.fetch_add(1, Ordering::Relaxed) + 1;
        let this = 1 + usize::from(direction == Direction::Decrypt);
        let last = self.last.swap(this, Ordering::Relaxed);
        let here = 0u8;
        match self.shared.defect {
            Some(Defect::Length(wrong)) => length == wrong,
            Some(Defect::SingleBlock(wrong)) => length == block && direction == wrong,
            Some(Defect::StrideTail { stride, tail, direction: wrong }) => {
                blocks % stride == tail && direction == wrong
            }
            Some(Defect::Rest(wrong)) => rest == wrong,
            Some(Defect::InputAlignment { modulo, residue }) => input.addr() % modulo == residue,
            Some(Defect::OutputAlignment { modulo, residue }) => output.addr() % modulo == residue,
            Some(Defect::EveryNth(n)) => units.is_multiple_of(n),
            Some(Defect::StackAddress) => (&raw const here).addr() & 0x40 != 0,
            Some(Defect::StackContents) => old_stack_contents() & 1 != 0,
            Some(Defect::Thread) => thread::current().id() != self.shared.thread,
            Some(Defect::UsedObject) => last != 0 && last != this,
            Some(Defect::Neighbour) => self.shared.alive.load(Ordering::Relaxed) > 1,
            _ => false,
        }
    }

    /// Writes beside the output, or to the input, as machine code could.
    fn stray(&self, source: *const u8, output: *mut u8, result: &[u8], in_place: bool) {
        // SAFETY: planted for the check of aliasing alone, whose buffers lie in the middle of larger allocations of their
        // own. The writes are volatile and nobody else writes there.
        unsafe {
            match self.shared.defect {
                Some(Defect::WritesBehind) => output.add(result.len()).write_volatile(0),
                Some(Defect::WritesBefore) => output.sub(1).write_volatile(0),
                Some(Defect::InputWritten) if !in_place => {
                    for (offset, byte) in result.iter().enumerate() {
                        source.add(offset).cast_mut().write_volatile(*byte);
                    }
                }
                _ => {}
            }
        }
    }

    /// The number of a tweak's bytes.
    fn tweak_of(&self, tweak: &[u8]) -> Result<u128, String> {
        let block = self.shared.block;
        let fits = match self.shared.defect {
            Some(Defect::ShortTweak) => tweak.len() <= block,
            Some(Defect::LongTweak) => tweak.len() >= block,
            _ => tweak.len() == block,
        };
        if !fits {
            return Err(self.shared.error(format!("a tweak of {} bytes", tweak.len())));
        }
        let mut bytes = [0; 16];
        bytes[..block].iter_mut().zip(tweak).for_each(|(to, from)| *to = *from);
        Ok(u128::from_le_bytes(bytes))
    }

    /// Whether the length is allowed; `false` if nothing more is to be done.
    fn check(&self, data: &mut [u8]) -> Result<bool, String> {
        let (block, length) = (self.shared.block, data.len());
        if length < block {
            match self.shared.defect {
                Some(Defect::ShortAccepted) => return Ok(false),
                Some(Defect::EmptyAccepted) if length == 0 => return Ok(false),
                Some(Defect::ShortWritten) => data.iter_mut().for_each(|byte| *byte ^= 0x99),
                _ => {}
            }
            return Err(self.shared.error(format!("{length} bytes are too short")));
        }
        let most = MOST_BLOCKS * block;
        if length > most || length == most && self.has(Defect::LongestRefused) {
            match self.shared.defect {
                Some(Defect::LongAccepted) => return Ok(false),
                Some(Defect::LongByBlocks) if length / block <= MOST_BLOCKS => return Ok(false),
                Some(Defect::LongWritten) => data[..block].iter_mut().for_each(|byte| *byte ^= 0x99),
                _ => {}
            }
            return Err(self.shared.error(format!("{length} bytes are too long")));
        }
        Ok(true)
    }

    fn encrypted(&self, tweak: u128) -> u128 {
        let block = self.shared.block;
        let mut bytes = tweak.to_le_bytes();
        if self.has(Defect::TweakOrder) {
            bytes[..block].reverse();
        }
        if !self.has(Defect::TweakPlain) {
            self.tweak.crypt(Direction::Encrypt, &mut bytes[..block]);
        }
        if self.damage[2] || self.has(Defect::ZeroTweak) && tweak == 0 {
            bytes[1] ^= 1;
        }
        let t = u128::from_le_bytes(bytes);
        match self.shared.defect {
            Some(Defect::TweakUsedUp) => {
                let before = self.reuse.swap(tweak as u64 | 1, Ordering::Relaxed);
                if before == tweak as u64 | 1 { self.double(t, 1) } else { t }
            }
            Some(Defect::TweakLeft) => {
                let before = self.reuse.swap(t as u64, Ordering::Relaxed);
                if before & 7 == 5 { t ^ u128::from(before) } else { t }
            }
            _ => t,
        }
    }

    fn unit(&self, direction: Direction, tweak: &[u8], buffers: Buffers<'_>) -> Result<(), String> {
        let tweak = self.tweak_of(tweak)?;
        if self.check(buffers.output)? {
            self.under(direction, self.encrypted(tweak), buffers);
        }
        Ok(())
    }
}

/// Data in place.
fn in_place(data: &mut [u8]) -> Buffers<'_> {
    // What is too long is not read.
    let input = if data.len() > 16 * MOST_BLOCKS { Vec::new() } else { data.to_vec() };
    Buffers { input, source: data.as_ptr(), output: data, in_place: true }
}

impl KeyedXts for Keyed {
    fn crypt(&self, direction: Direction, tweak: &[u8], data: &mut [u8]) -> Result<(), String> {
        self.unit(direction, tweak, in_place(data))
    }

    fn crypt_to(&self, direction: Direction, tweak: &[u8], input: &[u8], output: &mut [u8]) -> Result<(), String> {
        let length = input.len().min(output.len());
        if input.len() != output.len() {
            let ignored =
                self.has(Defect::UnequalLengths) || self.has(Defect::LongerOutput) && input.len() < output.len();
            if !ignored {
                if self.has(Defect::UnequalLengthsWritten) {
                    output[..length].copy_from_slice(&input[..length]);
                }
                return Err(self.shared.error(format!("{} bytes to {}", input.len(), output.len())));
            }
        }
        let buffers = Buffers {
            input: input[..length].to_vec(),
            source: input.as_ptr(),
            output: &mut output[..length],
            in_place: false,
        };
        self.unit(direction, tweak, buffers)
    }

    fn crypt_from(&self, direction: Direction, encrypted_tweak: &[u8], data: &mut [u8]) -> Option<Result<(), String>> {
        let t = match self.tweak_of(encrypted_tweak) {
            Ok(t) => t,
            Err(error) => return Some(Err(error)),
        };
        match self.check(data) {
            Ok(true) => {}
            Ok(false) => return Some(Ok(())),
            Err(error) => return Some(Err(error)),
        }
        let bits = 8 * self.shared.block;
        let t = match self.shared.defect {
            Some(Defect::FromEncryptsAgain) => self.encrypted(t),
            Some(Defect::FromDoubled) => self.double(t, 1),
            Some(Defect::FromHalf) => t & ((1 << (bits / 2)) - 1),
            Some(Defect::FromReversed) => t.swap_bytes() >> (128 - bits),
            _ => t,
        };
        self.under(direction, t, in_place(data));
        Some(Ok(()))
    }

    fn crypt_sectors(
        &self,
        direction: Direction,
        first: u128,
        sector_bytes: usize,
        data: &mut [u8],
    ) -> Option<Result<(), String>> {
        let (block, length) = (self.shared.block, data.len());
        let error = |text: String| Some(Err(self.shared.error(text)));
        if sector_bytes < block {
            let accepted = match self.shared.defect {
                Some(Defect::EmptySector) => sector_bytes == 0,
                Some(Defect::ShortSector) => sector_bytes != 0,
                _ => false,
            };
            return if accepted { Some(Ok(())) } else { error(format!("sectors of {sector_bytes} bytes")) };
        }
        if sector_bytes > MOST_BLOCKS * block {
            return error(format!("sectors of {sector_bytes} bytes"));
        }
        let rest = length % sector_bytes;
        let partial = match self.shared.defect {
            Some(Defect::PartialSectorWritten | Defect::PartialSectorAccepted) => 1,
            Some(Defect::PartialSectorAsUnit) if rest >= block => 2,
            _ => 0,
        };
        if rest != 0 && partial == 0 {
            return error(format!("{length} bytes in sectors of {sector_bytes}"));
        }
        let sectors = length / sector_bytes;
        for (number, sector) in data.chunks_mut(sector_bytes).enumerate() {
            if sector.len() < sector_bytes && partial == 1 || self.has(Defect::SectorLast) && number + 1 == sectors {
                break;
            }
            let mut n = match self.shared.defect {
                Some(Defect::SectorTweakFixed) => first,
                Some(Defect::SectorFirst) => number as u128,
                _ => first.wrapping_add(number as u128),
            };
            if let Some(Defect::SectorBits(bits)) = self.shared.defect {
                let mask = (1 << bits) - 1;
                n = first & !mask | n & mask;
            }
            let mut tweak = n.to_le_bytes()[..block].to_vec();
            if self.has(Defect::SectorOrder) {
                tweak.reverse();
            }
            let cut = if self.has(Defect::SectorRounded) { sector.len() / block * block } else { sector.len() };
            if let Err(error) = self.crypt(direction, &tweak, &mut sector[..cut]) {
                return Some(Err(error));
            }
        }
        if rest != 0 && self.has(Defect::PartialSectorWritten) {
            return error(format!("{length} bytes in sectors of {sector_bytes}"));
        }
        Some(Ok(()))
    }

    fn blocks(&self, direction: Direction, data: &mut [u8]) -> Option<Result<(), String>> {
        let (block, length) = (self.shared.block, data.len());
        if !length.is_multiple_of(block) {
            return Some(Err(self.shared.error(format!("{length} bytes"))));
        }
        for (number, block) in data.chunks_exact_mut(block).enumerate() {
            self.bare(direction, block);
            if self.has(Defect::BlocksAlone) && number > 0 {
                block[0] ^= 1;
            }
        }
        Some(Ok(()))
    }

    fn boxed_clone(&self) -> Box<dyn KeyedXts> {
        self.shared.alive.fetch_add(1, Ordering::Relaxed);
        let forgets = self.has(Defect::CloneForgetsTier) && self.tier != 0;
        Box::new(Keyed {
            shared: self.shared.clone(),
            data: self.data.clone(),
            tweak: self.tweak.clone(),
            damage: if forgets { [true; 3] } else { self.damage },
            tier: self.tier,
            last: AtomicUsize::new(0),
            reuse: AtomicU64::new(0),
        })
    }

    fn switch_tier(&mut self, tier: &str) -> Option<Result<(), String>> {
        let Some(index) = TIERS.iter().position(|known| *known == tier) else {
            if self.has(Defect::UnknownTierDamages) {
                self.damage[1] = true;
            }
            let known = self.has(Defect::UnknownTier);
            return Some(if known { Ok(()) } else { Err(format!("unknown tier {tier:?}")) });
        };
        if self.has(Defect::SwitchRefused) && index == 2 && self.tier == 1 {
            return Some(Err("not from there".to_owned()));
        }
        match self.shared.defect {
            Some(Defect::KeyForm) => self.damage = [index != 1 && self.tier == 1; 3],
            Some(Defect::SwitchEncryption) => self.damage[1] = index == 1,
            Some(Defect::SwitchDataKey) => self.damage[2] = index == 2,
            _ => {}
        }
        self.tier = index;
        Some(Ok(()))
    }
}
