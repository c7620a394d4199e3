//! The specifications of `vambrace-reference` on terms, and which of them a contract asks for.

use std::cell::RefCell;

use vambrace_contract::Contract;
use vambrace_reference::Word;
use vambrace_reference::blake2::{self, Blake2Word};
use vambrace_reference::sha2::{self, Sha2Word};

use crate::terms::{Term, Terms};

thread_local! {
    /// The arena of the specification that is running: a `Word` has no other way to it.
    static ARENA: RefCell<Option<Terms>> = const { RefCell::new(None) };
}

/// A word of a specification that is a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol<const WIDTH: u32>(pub Term);

/// Runs a specification whose words are terms of an arena.
pub fn on_terms<R>(terms: &mut Terms, specification: impl FnOnce() -> R) -> R {
    let taken = std::mem::replace(terms, Terms::new(Default::default()));
    let before = ARENA.with_borrow_mut(|arena| arena.replace(taken));
    let result = specification();
    if let Some(taken) = ARENA.with_borrow_mut(|arena| std::mem::replace(arena, before)) {
        *terms = taken;
    }
    result
}

fn arena<R>(operation: impl FnOnce(&mut Terms) -> R) -> R {
    ARENA.with_borrow_mut(|arena| operation(arena.as_mut().expect("specifications on terms run inside `on_terms`")))
}

impl<const WIDTH: u32> Word for Symbol<WIDTH> {
    const BITS: u32 = WIDTH;

    fn constant(value: u64) -> Self {
        Symbol(arena(|t| t.constant(value.into())))
    }
    fn add(&self, other: &Self) -> Self {
        Symbol(arena(|t| t.add(self.0, other.0, WIDTH)))
    }
    fn xor(&self, other: &Self) -> Self {
        Symbol(arena(|t| t.xor(self.0, other.0)))
    }
    fn and(&self, other: &Self) -> Self {
        Symbol(arena(|t| t.and(self.0, other.0)))
    }
    fn or(&self, other: &Self) -> Self {
        Symbol(arena(|t| t.or(self.0, other.0)))
    }
    fn not(&self) -> Self {
        Symbol(arena(|t| t.not(self.0, WIDTH)))
    }
    fn rotr(&self, n: u32) -> Self {
        Symbol(arena(|t| t.rotr(self.0, n, WIDTH)))
    }
    fn shr(&self, n: u32) -> Self {
        Symbol(arena(|t| t.shr(self.0, n)))
    }
    fn shl(&self, n: u32) -> Self {
        Symbol(arena(|t| t.shl(self.0, n, WIDTH)))
    }
}

macro_rules! like {
    ($width:literal, $integer:ty) => {
        impl Sha2Word for Symbol<$width> {
            const ROUNDS: usize = <$integer as Sha2Word>::ROUNDS;
            const BIG_SIGMA_0: [u32; 3] = <$integer as Sha2Word>::BIG_SIGMA_0;
            const BIG_SIGMA_1: [u32; 3] = <$integer as Sha2Word>::BIG_SIGMA_1;
            const SMALL_SIGMA_0: [u32; 3] = <$integer as Sha2Word>::SMALL_SIGMA_0;
            const SMALL_SIGMA_1: [u32; 3] = <$integer as Sha2Word>::SMALL_SIGMA_1;
        }
        impl Blake2Word for Symbol<$width> {
            const ROUNDS: usize = <$integer as Blake2Word>::ROUNDS;
            const R: [u32; 4] = <$integer as Blake2Word>::R;
        }
    };
}
like!(32, u32);
like!(64, u64);

/// Which compression function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Function {
    Sha2,
    Blake2,
}

/// What an entry point computes: a state that one block after the other advances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Specification {
    function: Function,
    /// Bits of a word.
    pub width: u32,
}

impl Specification {
    /// The specification of an entry point, if one is written for it.
    pub fn of(contract: &Contract) -> Option<Specification> {
        let compress = contract.operation == "compress" || contract.operation.starts_with("compress_x");
        match contract.algorithm {
            "sha256" if compress => Some(Specification { function: Function::Sha2, width: 32 }),
            "sha512" if compress => Some(Specification { function: Function::Sha2, width: 64 }),
            "blake2s" if compress => Some(Specification { function: Function::Blake2, width: 32 }),
            "blake2b" if compress => Some(Specification { function: Function::Blake2, width: 64 }),
            _ => None,
        }
    }

    /// The names of the words of the state, in the order of memory.
    pub fn state_names(&self) -> Vec<String> {
        let hash = (0..8).map(|i| format!("h{i}"));
        match self.function {
            Function::Sha2 => hash.collect(),
            Function::Blake2 => hash.chain(["t0", "t1", "f0", "f1"].map(str::to_owned)).collect(),
        }
    }

    /// Bytes of the state.
    pub fn state_bytes(&self) -> usize {
        self.state_names().len() * self.width as usize / 8
    }

    /// Words of a block.
    pub const BLOCK_WORDS: usize = 16;

    /// Bytes of a block.
    pub fn block_bytes(&self) -> usize {
        Specification::BLOCK_WORDS * self.width as usize / 8
    }

    /// Whether the words of a block have their most significant byte first.
    pub fn big_endian_blocks(&self) -> bool {
        self.function == Function::Sha2
    }

    /// How many public scalars there are beside the count.
    pub fn scalars(&self) -> usize {
        match self.function {
            Function::Sha2 => 0,
            Function::Blake2 => 1,
        }
    }

    /// The state after one more block.
    pub fn advance(&self, terms: &mut Terms, state: &[Term], block: &[Term], scalars: &[Term]) -> Vec<Term> {
        match self.width {
            32 => self.advance_terms::<32>(terms, state, block, scalars),
            _ => self.advance_terms::<64>(terms, state, block, scalars),
        }
    }

    fn advance_terms<const W: u32>(
        &self,
        terms: &mut Terms,
        state: &[Term],
        block: &[Term],
        scalars: &[Term],
    ) -> Vec<Term>
    where
        Symbol<W>: Sha2Word + Blake2Word,
    {
        let mut state = state.to_vec();
        if self.function == Function::Blake2 {
            // The counter is one number of two words.
            let counter = terms.concat(&[(state[8], W), (state[9], W)]);
            let counter = terms.add(counter, scalars[0], 2 * W);
            (state[8], state[9]) = (terms.extract(counter, 0, W), terms.extract(counter, W, W));
        }
        let words: Vec<Symbol<W>> = state.iter().map(|&word| Symbol(word)).collect();
        let block = std::array::from_fn(|i| Symbol(block[i]));
        let new = on_terms(terms, || self.compress(words, &block));
        new.into_iter().map(|Symbol(word)| word).collect()
    }

    /// The text of the standard.
    fn compress<W: Sha2Word + Blake2Word>(&self, mut state: Vec<W>, block: &[W; 16]) -> Vec<W> {
        let mut hash: [W; 8] = std::array::from_fn(|i| state[i].clone());
        match self.function {
            Function::Sha2 => sha2::compress(&mut hash, block),
            Function::Blake2 => {
                let pair = |at: usize| [state[at].clone(), state[at + 1].clone()];
                blake2::compress(&mut hash, block, &pair(8), &pair(10));
            }
        }
        state[..8].clone_from_slice(&hash);
        state
    }

    /// The state after one more block, on numbers.
    pub fn advance_numbers(&self, state: &[u64], block: &[u64], scalars: &[u64]) -> Vec<u64> {
        let mut state = state.to_vec();
        if self.function == Function::Blake2 {
            let counter = u128::from(state[8]) | u128::from(state[9]) << self.width;
            let counter = counter.wrapping_add(scalars[0].into());
            let ones = crate::terms::ones(self.width);
            (state[8], state[9]) = ((counter & ones) as u64, (counter >> self.width & ones) as u64);
        }
        if self.width == 32 {
            let words = state.iter().map(|&word| word as u32).collect();
            let block = std::array::from_fn(|i| block[i] as u32);
            self.compress(words, &block).into_iter().map(u64::from).collect()
        } else {
            self.compress(state, &std::array::from_fn(|i| block[i]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::Assignment;

    fn digest_of_abc(algorithm: Specification, initial: &[u64], block: [u8; 128]) -> Vec<u64> {
        let mut terms = Terms::new(Default::default());
        let bytes = algorithm.width as usize / 8;
        let words = |terms: &mut Terms, name: &str, count: usize| -> Vec<Term> {
            (0..count).map(|i| terms.variable(format!("{name}{i}"), algorithm.width, true)).collect()
        };
        let (state, message) = (words(&mut terms, "h", initial.len()), words(&mut terms, "m", 16));
        let scalars = vec![terms.constant(3); algorithm.scalars()];
        let result = algorithm.advance(&mut terms, &state, &message, &scalars);
        let mut values = Assignment::default();
        for (&term, &value) in state.iter().zip(initial) {
            values.set(terms.as_leaf(term).unwrap(), value.into());
        }
        for (&term, word) in message.iter().zip(block.chunks(bytes)) {
            let value = if algorithm.big_endian_blocks() {
                word.iter().fold(0, |value, &byte| value << 8 | u128::from(byte))
            } else {
                word.iter().rev().fold(0, |value, &byte| value << 8 | u128::from(byte))
            };
            values.set(terms.as_leaf(term).unwrap(), value);
        }
        let mut none = |_| panic!("every variable has a value");
        result.iter().map(|&term| terms.evaluate(term, &mut values, &mut none) as u64).collect()
    }

    fn padded(bytes: usize) -> [u8; 128] {
        let mut block = [0; 128];
        block[..4].copy_from_slice(b"abc\x80");
        block[bytes - 1] = 24;
        block
    }

    #[test]
    fn sha2_on_terms_gives_the_examples_of_the_standard() {
        let sha256 = Specification { function: Function::Sha2, width: 32 };
        let digest = digest_of_abc(sha256, &sha2::SHA256_INITIAL.map(u64::from), padded(64));
        assert_eq!(digest[..2], [0xba78_16bf, 0x8f01_cfea]);
        let sha512 = Specification { function: Function::Sha2, width: 64 };
        let digest = digest_of_abc(sha512, &sha2::SHA512_INITIAL, padded(128));
        assert_eq!(digest[..2], [0xddaf_35a1_9361_7aba, 0xcc41_7349_ae20_4131]);
    }

    #[test]
    fn blake2_on_terms_gives_the_examples_of_the_rfc() {
        let mut block = [0; 128];
        block[..3].copy_from_slice(b"abc");
        let parameters = |digest_length| blake2::Parameters { digest_length, ..Default::default() };
        // RFC 7693, appendices A and B.
        let mut state = blake2::initial::<u64>(&parameters(64)).to_vec();
        state.extend([0, 0, u64::MAX, 0]);
        let blake2b = Specification { function: Function::Blake2, width: 64 };
        assert_eq!(
            digest_of_abc(blake2b, &state, block)[0].to_le_bytes(),
            [0xba, 0x80, 0xa5, 0x3f, 0x98, 0x1c, 0x4d, 0x0d]
        );
        let mut state: Vec<u64> = blake2::initial::<u32>(&parameters(32)).map(u64::from).to_vec();
        state.extend([0, 0, u32::MAX.into(), 0]);
        let blake2s = Specification { function: Function::Blake2, width: 32 };
        assert_eq!((digest_of_abc(blake2s, &state, block)[0] as u32).to_le_bytes(), [0x50, 0x8c, 0x5e, 0x8c]);
    }
}
