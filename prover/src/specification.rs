//! The specifications of `vambrace-reference` on terms, and which of them a contract asks for.

use std::cell::RefCell;

use vambrace_contract::Contract;
use vambrace_reference::aes::{self, AesWord, Planes};
use vambrace_reference::blake2::{self, Blake2Word};
use vambrace_reference::sha2::{self, Sha2Word};
use vambrace_reference::{Word, salsa20, speck, xts};

use crate::terms::{SBox, Term, Terms};

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

pub(crate) fn arena<R>(operation: impl FnOnce(&mut Terms) -> R) -> R {
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
    fn sub(&self, other: &Self) -> Self {
        Symbol(arena(|t| t.sub(self.0, other.0, WIDTH)))
    }
    fn add_to_pair([low, high]: [&Self; 2], n: &Self) -> [Self; 2] {
        arena(|t| {
            let pair = t.concat(&[(low.0, WIDTH), (high.0, WIDTH)]);
            let sum = t.add(pair, n.0, 2 * WIDTH);
            [0, WIDTH].map(|from| Symbol(t.extract(sum, from, WIDTH)))
        })
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

impl<const WIDTH: u32> AesWord for Symbol<WIDTH> {
    fn sub_bytes(planes: &Planes<Self>) -> Planes<Self> {
        substituted(SBox::Forward, planes)
    }
    fn inv_sub_bytes(planes: &Planes<Self>) -> Planes<Self> {
        substituted(SBox::Inverse, planes)
    }
}

/// The S-box as such, of each byte.
fn substituted<const WIDTH: u32>(s_box: SBox, planes: &Planes<Symbol<WIDTH>>) -> Planes<Symbol<WIDTH>> {
    let bytes = arena(|terms| {
        let planes = planes.each_ref().map(|plane| terms.lanes(plane.0, 1, WIDTH));
        let byte = |position: usize| {
            let byte = terms.vector(&planes.each_ref().map(|plane| plane[position]), 1);
            terms.substituted(s_box, byte)
        };
        (0..WIDTH as usize).map(byte).collect::<Vec<Term>>()
    });
    AesBlock::planes_of(&bytes)
}

/// A word that AES can be run on: bytes as planes and back.
pub(crate) trait AesBlock: AesWord {
    /// A byte, as it is given.
    type Byte;

    /// The planes of bytes.
    fn planes_of(bytes: &[Self::Byte]) -> Planes<Self>;

    /// The bytes of words.
    fn bytes_of_words(words: &[Self]) -> Vec<Self::Byte>;

    /// The planes of words, byte by byte.
    fn planes_of_words(words: &[Self]) -> Planes<Self> {
        Self::planes_of(&Self::bytes_of_words(words))
    }

    /// The words whose bytes are the first ones of planes.
    fn words_of_planes(planes: &Planes<Self>, words: usize) -> Vec<Self>;
}

impl<const WIDTH: u32> AesBlock for Symbol<WIDTH> {
    type Byte = Term;

    fn planes_of(bytes: &[Term]) -> Planes<Self> {
        arena(|terms| {
            let bits: Vec<Vec<Term>> = bytes.iter().map(|&byte| terms.lanes(byte, 1, 8)).collect();
            std::array::from_fn(|index| {
                let plane: Vec<Term> = bits.iter().map(|bits| bits[index]).collect();
                Symbol(terms.vector(&plane, 1))
            })
        })
    }

    fn bytes_of_words(words: &[Self]) -> Vec<Term> {
        arena(|terms| words.iter().flat_map(|word| terms.lanes(word.0, 8, WIDTH)).collect())
    }

    fn words_of_planes(planes: &Planes<Self>, words: usize) -> Vec<Self> {
        arena(|terms| {
            let bytes = words * WIDTH as usize / 8;
            let planes = planes.each_ref().map(|plane| terms.lanes(plane.0, 1, bytes as u32));
            let bits: Vec<Term> = (0..bytes).flat_map(|byte| planes.each_ref().map(|plane| plane[byte])).collect();
            bits.chunks(WIDTH as usize).map(|bits| Symbol(terms.vector(bits, 1))).collect()
        })
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
        impl AesBlock for $integer {
            type Byte = u8;

            fn planes_of(bytes: &[u8]) -> Planes<Self> {
                aes::to_planes(bytes.iter().map(|&byte| byte.into()))
            }
            fn bytes_of_words(words: &[Self]) -> Vec<u8> {
                words.iter().flat_map(|word| word.to_le_bytes()).collect()
            }
            fn words_of_planes(planes: &Planes<Self>, words: usize) -> Vec<Self> {
                let word = |first: u32| {
                    (0..$width).step_by(8).fold(0, |word, at| word | aes::byte_of(planes, first + at / 8) << at)
                };
                (0..words as u32).map(|index| word(index * $width / 8)).collect()
            }
        }
    };
}
like!(32, u32);
like!(64, u64);

/// Which function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Function {
    Sha2,
    Blake2,
    Salsa20,
    SpeckXts { decrypts: bool },
    AesXts { decrypts: bool },
}

/// A part of the state, of one word or more that are one number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name in the standard.
    pub name: String,
    /// Its bits.
    pub bits: u32,
}

/// What all blocks are processed with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given<T> {
    /// The words of the keys.
    pub keys: Vec<T>,
    /// The public scalars beside the count and the rounds.
    pub scalars: Vec<T>,
}

/// What a block makes of the state, and what becomes of the block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step<T> {
    /// The new state.
    pub state: Vec<T>,
    /// The words of the block that is written; none if blocks are only read.
    pub block: Vec<T>,
}

/// What an entry point computes: a state that one block after the other advances, and perhaps a block for each block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Specification {
    function: Function,
    /// Bits of a word.
    pub width: u32,
    /// The number of rounds, where an argument tells it.
    rounds: u32,
}

impl Specification {
    /// The specification of an entry point, if one is written for it.
    pub fn of(contract: &Contract) -> Option<Specification> {
        let compress = contract.operation == "compress" || contract.operation.starts_with("compress_x");
        let decrypts = contract.operation == "xts_decrypt";
        let xts = decrypts || contract.operation == "xts_encrypt";
        let (function, width) = match contract.algorithm {
            "sha256" if compress => (Function::Sha2, 32),
            "sha512" if compress => (Function::Sha2, 64),
            "blake2s" if compress => (Function::Blake2, 32),
            "blake2b" if compress => (Function::Blake2, 64),
            "salsa20" if contract.operation == "stream" => (Function::Salsa20, 32),
            "speck64-xts" if xts => (Function::SpeckXts { decrypts }, 32),
            "speck128-xts" if xts => (Function::SpeckXts { decrypts }, 64),
            "aes-xts" if xts => (Function::AesXts { decrypts }, 64),
            _ => return None,
        };
        Some(Specification { function, width, rounds: 0 })
    }

    /// The specification of an entry point that encrypts or decrypts a data unit of one block, if it is one: the function of many.
    pub fn of_one_block(contract: &Contract) -> Option<Specification> {
        let operation = contract.operation.strip_suffix("_one").filter(|many| many.starts_with("xts_"))?;
        Specification::of(&Contract { operation, ..*contract }).filter(|specification| specification.width == 64)
    }

    /// The same cipher, encrypting.
    pub fn encrypting(self) -> Specification {
        let function = match self.function {
            Function::SpeckXts { .. } => Function::SpeckXts { decrypts: false },
            Function::AesXts { .. } => Function::AesXts { decrypts: false },
            other => other,
        };
        Specification { function, ..self }
    }

    /// The same function with so many rounds.
    pub fn with_rounds(self, rounds: u32) -> Specification {
        Specification { rounds, ..self }
    }

    /// Whether an argument tells the number of rounds.
    pub fn takes_rounds(&self) -> bool {
        !matches!(self.function, Function::Sha2 | Function::Blake2)
    }

    /// The state, in the order of memory.
    pub fn state(&self) -> Vec<Field> {
        let words = |names: Vec<String>| names.into_iter().map(|name| Field { name, bits: self.width }).collect();
        let numbered = |letter: char, numbers: std::ops::Range<usize>| numbers.map(move |n| format!("{letter}{n}"));
        match self.function {
            Function::Sha2 => words(numbered('h', 0..8).collect()),
            Function::Blake2 => words(numbered('h', 0..8).chain(["t0", "t1", "f0", "f1"].map(str::to_owned)).collect()),
            Function::Salsa20 => {
                let mut fields: Vec<Field> = words(numbered('x', 0..8).chain(numbered('x', 10..16)).collect());
                fields.insert(8, Field { name: "counter".to_owned(), bits: 64 });
                fields
            }
            Function::SpeckXts { .. } | Function::AesXts { .. } => words(numbered('t', 0..2).collect()),
        }
    }

    /// Bytes of the state.
    pub fn state_bytes(&self) -> usize {
        self.state().iter().map(|field| field.bits as usize / 8).sum()
    }

    /// Words of a block.
    pub fn block_words(&self) -> usize {
        match self.function {
            Function::Sha2 | Function::Blake2 | Function::Salsa20 => 16,
            Function::SpeckXts { .. } | Function::AesXts { .. } => 2,
        }
    }

    /// Bytes of a block.
    pub fn block_bytes(&self) -> usize {
        self.block_words() * self.width as usize / 8
    }

    /// How many blocks ahead have names: twice as many as the kernels take in a turn of their loops.
    pub fn blocks_with_names(&self) -> usize {
        match self.function {
            Function::Sha2 | Function::Blake2 => 8,
            Function::Salsa20 => 16,
            Function::SpeckXts { .. } => 512 / self.block_bytes(),
            Function::AesXts { .. } => 16,
        }
    }

    /// Whether the kernels have the keys in a form of their own.
    pub fn arranges_keys(&self) -> bool {
        matches!(self.function, Function::AesXts { .. })
    }

    /// Whether the words of a block have their most significant byte first.
    pub fn big_endian_blocks(&self) -> bool {
        self.function == Function::Sha2
    }

    /// A word of a block as it stands in memory, or the other way round.
    pub fn in_memory(&self, terms: &mut Terms, word: Term) -> Term {
        if self.big_endian_blocks() { terms.reverse_bytes(word, self.width, self.width) } else { word }
    }

    /// Whether there is a block of output for each of input.
    pub fn writes_blocks(&self) -> bool {
        matches!(self.function, Function::Salsa20 | Function::SpeckXts { .. } | Function::AesXts { .. })
    }

    /// Words of keys.
    pub fn key_words(&self) -> usize {
        match self.function {
            Function::Sha2 | Function::Blake2 | Function::Salsa20 => 0,
            Function::SpeckXts { .. } => self.rounds as usize,
            // A key of 128 bits more than there are rounds.
            Function::AesXts { .. } => 2 * (self.rounds as usize + 1),
        }
    }

    /// How many public scalars there are beside the count and the rounds.
    pub fn scalars(&self) -> usize {
        usize::from(self.function == Function::Blake2)
    }

    /// What one more block makes of the state.
    pub fn step(&self, terms: &mut Terms, state: &[Term], block: &[Term], given: &Given<Term>) -> Step<Term> {
        match self.width {
            32 => self.step_on_terms::<32>(terms, state, block, given),
            _ => self.step_on_terms::<64>(terms, state, block, given),
        }
    }

    fn step_on_terms<const W: u32>(
        &self,
        terms: &mut Terms,
        state: &[Term],
        block: &[Term],
        given: &Given<Term>,
    ) -> Step<Term>
    where
        Symbol<W>: Sha2Word + Blake2Word + AesBlock,
    {
        let symbols = |words: &[Term]| words.iter().map(|&word| Symbol(word)).collect::<Vec<Symbol<W>>>();
        let fields = self.state();
        let mut words = Vec::new();
        for (field, &value) in fields.iter().zip(state) {
            words.extend((0..field.bits / W).map(|word| Symbol(terms.extract(value, word * W, W))));
        }
        let given = Given { keys: symbols(&given.keys), scalars: symbols(&given.scalars) };
        let Step { state, block } = on_terms(terms, || self.on_words(&words, &symbols(block), &given));
        let mut words = state.into_iter().map(|Symbol(word)| word);
        let state = fields.iter().map(|field| {
            let words: Vec<Term> = words.by_ref().take((field.bits / W) as usize).collect();
            let all = terms.vector(&words, W);
            terms.rejoined(all).map_or(all, |whole| terms.window(whole))
        });
        Step { state: state.collect(), block: block.into_iter().map(|Symbol(word)| word).collect() }
    }

    /// The text of the standard.
    fn on_words<W: Sha2Word + Blake2Word + AesBlock>(&self, state: &[W], block: &[W], given: &Given<W>) -> Step<W> {
        match self.function {
            Function::Sha2 => {
                let mut hash = array(state);
                sha2::compress(&mut hash, &array(block));
                Step { state: hash.to_vec(), block: Vec::new() }
            }
            Function::Blake2 => {
                let (mut hash, flags) = (array(state), array(&state[10..]));
                // The counter counts this block; it is one number of two words.
                let counter = W::add_to_pair([&state[8], &state[9]], &given.scalars[0]);
                blake2::compress(&mut hash, &array(block), &counter, &flags);
                Step { state: [&hash[..], &counter, &flags].concat(), block: Vec::new() }
            }
            Function::Salsa20 => {
                let mut state = array(state);
                let stream = salsa20::hash(&state, self.rounds);
                salsa20::count(&mut state);
                let block = block.iter().zip(&stream).map(|(word, key)| word.xor(key)).collect();
                Step { state: state.to_vec(), block }
            }
            Function::SpeckXts { decrypts } => {
                let (mut tweak, mut blocks) = (array::<W, 2>(state), [array(block)]);
                let cipher = |blocks: &mut [[W; 2]]| {
                    for block in blocks {
                        // In memory y is first.
                        block.reverse();
                        let crypt = if decrypts { speck::decrypt } else { speck::encrypt };
                        *block = crypt(&given.keys, block);
                        block.reverse();
                    }
                };
                xts::apply(cipher, &mut tweak, &mut blocks);
                Step { state: tweak.to_vec(), block: blocks.concat() }
            }
            Function::AesXts { decrypts } => {
                let (mut tweak, mut blocks) = (array::<W, 2>(state), [array(block)]);
                let round_keys: Vec<Planes<W>> = given.keys.chunks(2).map(W::planes_of_words).collect();
                let cipher = |blocks: &mut [[W; 2]]| {
                    for block in blocks {
                        let crypt = if decrypts { aes::inv_cipher } else { aes::cipher };
                        *block = array(&W::words_of_planes(&crypt(&round_keys, &W::planes_of_words(block)), 2));
                    }
                };
                xts::apply(cipher, &mut tweak, &mut blocks);
                Step { state: tweak.to_vec(), block: blocks.concat() }
            }
        }
    }

    /// What one more block makes of the state, on numbers.
    pub fn step_on_numbers(&self, state: &[u64], block: &[u64], given: &Given<u64>) -> Step<u64> {
        let fields = self.state();
        let ones = crate::terms::ones(self.width) as u64;
        let words: Vec<u64> = (fields.iter().zip(state))
            .flat_map(|(field, &value)| (0..field.bits).step_by(self.width as usize).map(move |at| value >> at & ones))
            .collect();
        let Step { state, block } = if self.width == 32 {
            let narrow = |words: &[u64]| words.iter().map(|&word| word as u32).collect::<Vec<u32>>();
            let given = Given { keys: narrow(&given.keys), scalars: narrow(&given.scalars) };
            let Step { state, block } = self.on_words(&narrow(&words), &narrow(block), &given);
            let wide = |words: Vec<u32>| words.into_iter().map(u64::from).collect();
            Step { state: wide(state), block: wide(block) }
        } else {
            self.on_words(&words, block, given)
        };
        let mut words = state.into_iter();
        let joined = |field: &Field| {
            let at = (0..field.bits).step_by(self.width as usize);
            at.zip(words.by_ref()).fold(0, |value, (at, word)| value | word << at)
        };
        Step { state: fields.iter().map(joined).collect(), block }
    }
}

/// The first words.
fn array<W: Clone, const N: usize>(words: &[W]) -> [W; N] {
    std::array::from_fn(|i| words[i].clone())
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
        let given = Given { keys: Vec::new(), scalars: vec![terms.constant(3); algorithm.scalars()] };
        let result = algorithm.step(&mut terms, &state, &message, &given).state;
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
        let sha256 = Specification { function: Function::Sha2, width: 32, rounds: 0 };
        let digest = digest_of_abc(sha256, &sha2::SHA256_INITIAL.map(u64::from), padded(64));
        assert_eq!(digest[..2], [0xba78_16bf, 0x8f01_cfea]);
        let sha512 = Specification { function: Function::Sha2, width: 64, rounds: 0 };
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
        let blake2b = Specification { function: Function::Blake2, width: 64, rounds: 0 };
        assert_eq!(
            digest_of_abc(blake2b, &state, block)[0].to_le_bytes(),
            [0xba, 0x80, 0xa5, 0x3f, 0x98, 0x1c, 0x4d, 0x0d]
        );
        let mut state: Vec<u64> = blake2::initial::<u32>(&parameters(32)).map(u64::from).to_vec();
        state.extend([0, 0, u32::MAX.into(), 0]);
        let blake2s = Specification { function: Function::Blake2, width: 32, rounds: 0 };
        assert_eq!((digest_of_abc(blake2s, &state, block)[0] as u32).to_le_bytes(), [0x50, 0x8c, 0x5e, 0x8c]);
    }
}
