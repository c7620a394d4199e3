//! What the entry points of known algorithms compute, on bytes: which argument of a contract is what, and what is in the buffers
//! that a call has written.
//!
//! A contract names an algorithm and an operation; the texts of `vambrace_reference` say what that is.

use vambrace_contract::{Access, Argument, ArgumentKind, Contract, Kernel, Size, Tier};
use vambrace_reference::aes::{self, Aes};
use vambrace_reference::speck::RoundKeys;
use vambrace_reference::xts::{self, BlockCipher};
use vambrace_reference::{Word, blake2, salsa20, sha2};

use crate::subject::Direction;

/// Bytes of a round key of AES, as FIPS 197 has it.
const ROUND_KEY: usize = 16;

/// What is done with each block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Function {
    Sha256,
    Sha512,
    Blake2s,
    Blake2b,
    Salsa20,
    Speck64(Direction),
    Speck128(Direction),
    Aes(Direction),
}

impl Function {
    fn of(contract: &Contract) -> Option<Function> {
        let compresses = contract.operation == "compress" || contract.operation.starts_with("compress_x");
        let direction = match contract.operation {
            "xts_encrypt" => Some(Direction::Encrypt),
            "xts_decrypt" => Some(Direction::Decrypt),
            _ => None,
        };
        match contract.algorithm {
            "sha256" if compresses => Some(Function::Sha256),
            "sha512" if compresses => Some(Function::Sha512),
            "blake2s" if compresses => Some(Function::Blake2s),
            "blake2b" if compresses => Some(Function::Blake2b),
            "salsa20" if contract.operation == "stream" => Some(Function::Salsa20),
            "speck64-xts" => direction.map(Function::Speck64),
            "speck128-xts" => direction.map(Function::Speck128),
            "aes-xts" => direction.map(Function::Aes),
            _ => None,
        }
    }

    fn state_bytes(self) -> usize {
        match self {
            Function::Sha256 => 32,
            Function::Sha512 | Function::Salsa20 => 64,
            // The chaining value, the counter and the flags.
            Function::Blake2s => 12 * 4,
            Function::Blake2b => 12 * 8,
            Function::Speck64(_) => 8,
            Function::Speck128(_) | Function::Aes(_) => 16,
        }
    }

    fn block_bytes(self) -> usize {
        match self {
            Function::Sha256 | Function::Blake2s | Function::Salsa20 => 64,
            Function::Sha512 | Function::Blake2b => 128,
            Function::Speck64(_) => 8,
            Function::Speck128(_) | Function::Aes(_) => 16,
        }
    }

    /// Whether blocks are written as well as read.
    fn writes(self) -> bool {
        !self.compresses()
    }

    fn compresses(self) -> bool {
        matches!(self, Function::Sha256 | Function::Sha512 | Function::Blake2s | Function::Blake2b)
    }

    fn takes_increment(self) -> bool {
        matches!(self, Function::Blake2s | Function::Blake2b)
    }

    fn takes_keys(self) -> bool {
        matches!(self, Function::Speck64(_) | Function::Speck128(_) | Function::Aes(_))
    }
}

/// What an entry point computes, and of which arguments.
#[derive(Clone, Debug)]
pub(crate) struct Specification {
    function: Function,
    /// Of each lane.
    states: Vec<usize>,
    inputs: Vec<usize>,
    outputs: Vec<usize>,
    keys: Option<usize>,
    rounds: Option<usize>,
    /// By how much a block moves the counter of BLAKE2.
    increment: Option<usize>,
    /// The round keys are those of FIPS 197, section 5.3.5, in the order of their use.
    equivalent_inverse: bool,
}

impl Specification {
    /// The specification of a kernel's entry point.
    ///
    /// # Errors
    /// If there is none, or the contract has another shape: in words.
    pub(crate) fn of(kernel: &Kernel) -> Result<Specification, String> {
        let Contract { algorithm, operation, arguments, .. } = *kernel.contract;
        let function = Function::of(kernel.contract)
            .ok_or_else(|| format!("what {operation} of {algorithm} computes is not specified on bytes"))?;
        let mut found = Specification {
            function,
            states: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            keys: None,
            rounds: None,
            increment: None,
            equivalent_inverse: kernel.tier == Tier::Ce && function == Function::Aes(Direction::Decrypt),
        };
        let count = found.count(arguments).ok_or("no argument counts blocks")?;
        for (n, argument) in arguments.iter().enumerate().filter(|&(n, _)| n != count) {
            if !found.place(n, argument, count) {
                return Err(format!("`{}` has a shape that the specification does not expect", argument.name));
            }
        }
        if !found.is_complete(kernel.lanes) {
            return Err("the contract has other arguments than the specification".to_owned());
        }
        found.check_round_keys(kernel)?;
        Ok(found)
    }

    /// The argument that counts blocks.
    fn count(&self, arguments: &[Argument]) -> Option<usize> {
        arguments.iter().find_map(|argument| match argument.kind {
            ArgumentKind::Buffer { size: Size::Affine { base: 0, per, argument }, .. }
                if per == self.function.block_bytes() && arguments.get(argument)?.name != "rounds" =>
            {
                Some(argument)
            }
            _ => None,
        })
    }

    /// Takes an argument for what it is. Whether it is anything.
    fn place(&mut self, n: usize, argument: &Argument, count: usize) -> bool {
        let function = self.function;
        match argument.kind {
            ArgumentKind::Buffer { size: Size::Fixed(bytes), access: Access::ReadWrite, .. } => {
                self.states.push(n);
                bytes == function.state_bytes()
            }
            ArgumentKind::Buffer { size: Size::Affine { base: 0, per, argument }, access, .. } if argument == count => {
                match access {
                    Access::Read => self.inputs.push(n),
                    Access::Write => self.outputs.push(n),
                    Access::ReadWrite => return false,
                }
                per == function.block_bytes()
            }
            ArgumentKind::Buffer { access: Access::Read, .. } => {
                function.takes_keys() && self.keys.replace(n).is_none()
            }
            ArgumentKind::Buffer { .. } => false,
            ArgumentKind::Scalar { .. } if argument.name == "rounds" => {
                !function.compresses() && self.rounds.replace(n).is_none()
            }
            ArgumentKind::Scalar { .. } => function.takes_increment() && self.increment.replace(n).is_none(),
        }
    }

    fn is_complete(&self, lanes: usize) -> bool {
        let function = self.function;
        self.states.len() == lanes
            && self.inputs.len() == lanes
            && self.outputs.len() == if function.writes() { lanes } else { 0 }
            && self.keys.is_some() == function.takes_keys()
            && self.rounds.is_some() != function.compresses()
            && self.increment.is_some() == function.takes_increment()
    }

    /// The round keys of AES may be in any form; of those of FIPS 197 alone it is known here what they stand for.
    fn check_round_keys(&self, kernel: &Kernel) -> Result<(), String> {
        let (Function::Aes(_), Some(keys), Some(rounds)) = (self.function, self.keys, self.rounds) else {
            return Ok(());
        };
        let ArgumentKind::Scalar { max, .. } = kernel.contract.arguments[rounds].kind else { return Ok(()) };
        let bytes = kernel.buffer_size(keys, &vec![max; kernel.contract.arguments.len()]);
        if kernel.tier == Tier::Ce && bytes.is_some_and(|bytes| bytes as u64 == ROUND_KEY as u64 * (max + 1)) {
            Ok(())
        } else {
            Err("its round keys are in a form of its own".to_owned())
        }
    }

    /// What is in the buffers that are written, after a call with these contents of those that are read, and these scalars.
    /// `None` for a number of rounds that the cipher does not have.
    pub(crate) fn expected(&self, given: impl Fn(usize) -> Vec<u8>, scalars: &[u64]) -> Option<Vec<(usize, Vec<u8>)>> {
        let scalar = |of: Option<usize>| of.map_or(0, |n| scalars[n]);
        let (rounds, increment) = (u32::try_from(scalar(self.rounds)).ok()?, scalar(self.increment));
        let keys = self.keys.map(&given).unwrap_or_default();
        let mut written = Vec::new();
        for (lane, (&state, &input)) in self.states.iter().zip(&self.inputs).enumerate() {
            let (mut words, mut blocks) = (given(state), given(input));
            match self.function {
                Function::Sha256 => blocks.chunks(64).for_each(|block| sha2_compress::<u32>(&mut words, block)),
                Function::Sha512 => blocks.chunks(128).for_each(|block| sha2_compress::<u64>(&mut words, block)),
                Function::Blake2s => {
                    blocks.chunks(64).for_each(|block| blake2_compress::<u32>(&mut words, block, increment));
                }
                Function::Blake2b => {
                    blocks.chunks(128).for_each(|block| blake2_compress::<u64>(&mut words, block, increment));
                }
                Function::Salsa20 => {
                    let mut counted = from_bytes::<u32, 16>(&words);
                    salsa20::apply(&mut counted, rounds, &mut blocks);
                    // Words 8 and 9 count the blocks.
                    words = to_bytes(&counted);
                }
                Function::Speck64(direction) => {
                    apply::<8>(&RoundKeys(&all_words::<u32>(&keys)), direction, &mut words, &mut blocks);
                }
                Function::Speck128(direction) => {
                    apply::<16>(&RoundKeys(&all_words::<u64>(&keys)), direction, &mut words, &mut blocks);
                }
                Function::Aes(direction) => {
                    apply::<16>(&self.aes(&keys)?, direction, &mut words, &mut blocks);
                }
            }
            written.push((state, words));
            written.extend(self.outputs.get(lane).map(|&output| (output, blocks)));
        }
        Some(written)
    }

    fn aes(&self, keys: &[u8]) -> Option<Aes> {
        let mut schedule: Vec<[u8; ROUND_KEY]> = keys.as_chunks().0.to_vec();
        if self.equivalent_inverse {
            schedule.reverse();
            let last = schedule.len().checked_sub(1)?;
            // What was done to them is undone.
            schedule.get_mut(1..last)?.iter_mut().for_each(mix_columns);
        }
        Aes::from_schedule(schedule.as_flattened())
    }
}

/// Section 5.1.3 of FIPS 197, of a round key.
fn mix_columns(key: &mut [u8; ROUND_KEY]) {
    let planes = aes::mix_columns(&aes::to_planes(key.iter().map(|&byte| u64::from(byte))));
    *key = std::array::from_fn(|j| aes::byte_of(&planes, j as u32) as u8);
}

/// A word in memory, in the byte order of the machine.
trait InMemory: Word + Copy {
    fn store(self) -> Vec<u8>;
}

impl InMemory for u32 {
    fn store(self) -> Vec<u8> {
        self.to_le_bytes().to_vec()
    }
}

impl InMemory for u64 {
    fn store(self) -> Vec<u8> {
        self.to_le_bytes().to_vec()
    }
}

fn all_words<W: blake2::MessageWord>(bytes: &[u8]) -> Vec<W> {
    bytes.chunks(W::BITS as usize / 8).map(W::from_bytes).collect()
}

/// The first words.
fn from_bytes<W: blake2::MessageWord, const N: usize>(bytes: &[u8]) -> [W; N] {
    let words = all_words::<W>(bytes);
    std::array::from_fn(|n| words[n].clone())
}

fn to_bytes<W: InMemory>(words: &[W]) -> Vec<u8> {
    words.iter().flat_map(|word| word.store()).collect()
}

fn sha2_compress<W: sha2::MessageWord + blake2::MessageWord + InMemory>(state: &mut Vec<u8>, block: &[u8]) {
    let mut hash = from_bytes::<W, 8>(state);
    sha2::compress(&mut hash, &<W as sha2::MessageWord>::parse(block));
    *state = to_bytes(&hash);
}

fn blake2_compress<W: blake2::MessageWord + InMemory>(state: &mut Vec<u8>, block: &[u8], increment: u64) {
    let [h @ .., t0, t1, f0, f1] = from_bytes::<W, 12>(state);
    let (mut h, counter) = (h, W::add_to_pair([&t0, &t1], &W::constant(increment)));
    blake2::compress(&mut h, &W::parse(block), &counter, &[f0, f1]);
    *state = to_bytes(&[&h[..], &counter, &[f0, f1]].concat());
}

fn apply<const BYTES: usize>(
    cipher: &impl BlockCipher<BYTES>,
    direction: Direction,
    tweak: &mut [u8],
    blocks: &mut [u8],
) {
    let ([tweak], blocks) = (tweak.as_chunks_mut().0, blocks.as_chunks_mut().0) else { return };
    match direction {
        Direction::Encrypt => xts::encrypt_blocks(cipher, tweak, blocks),
        Direction::Decrypt => xts::decrypt_blocks(cipher, tweak, blocks),
    }
}
