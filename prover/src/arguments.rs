//! The arguments of an entry point as terms: what the contract grants, what the specification names.

use vambrace_contract::{Access, Argument, ArgumentKind, Kernel, Overlap, ScalarType, Secrecy, Size};

use crate::conditions::Count;
use crate::memory::{Extent, Kind, Memory, Region, RegionId};
use crate::specification::Specification;
use crate::terms::{Leaf, Term, Terms, ones};

/// How many blocks ahead have names.
pub const BLOCKS: usize = 8;

/// One message: its state, and its blocks from the next one on.
#[derive(Clone, Debug)]
pub struct Lane {
    /// Where the state is.
    pub region: RegionId,
    /// The words of the state.
    pub state: Vec<Term>,
    /// The address of the next block.
    pub cursor: Leaf,
    /// The words of the blocks.
    pub blocks: Vec<Vec<Term>>,
}

/// The arguments.
#[derive(Clone, Debug)]
pub struct Arguments {
    /// The memory that they point to.
    pub memory: Memory,
    /// What is passed, in order, and its bits.
    pub passed: Vec<(Term, u32)>,
    /// The messages.
    pub lanes: Vec<Lane>,
    /// The public scalars beside the count.
    pub scalars: Vec<Term>,
    /// The number of blocks.
    pub count: Count,
}

/// Why a contract and a specification do not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum ShapeError {
    #[error("the contract contradicts itself: {0}")]
    Contract(vambrace_contract::ContractError),
    #[error("argument {0} has a shape for which the specification has no use")]
    Argument(&'static str),
    #[error(
        "the contract has {states} states, {messages} messages and {scalars} further scalars, which the specification does not expect"
    )]
    Number { states: usize, messages: usize, scalars: usize },
    #[error("the contract has no count of blocks")]
    NoCount,
}

/// What the words of states and messages are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// Variables.
    Variables,
    /// Numbers, for a run that only shows which way the code goes.
    Numbers,
}

struct Maker<'a> {
    terms: &'a mut Terms,
    address_bits: u32,
    specification: Specification,
    words: Words,
    arguments: Arguments,
    states: Vec<(RegionId, Vec<Term>)>,
    streams: Vec<(Leaf, Vec<Vec<Term>>)>,
}

impl Arguments {
    /// Makes the arguments of a kernel. The count is `scale` times a variable, and `rest`.
    ///
    /// # Errors
    /// If the contract does not fit the specification.
    pub fn new(
        terms: &mut Terms,
        kernel: &Kernel,
        specification: Specification,
        address_bits: u32,
        (scale, rest): (u64, u64),
        words: Words,
    ) -> Result<Arguments, ShapeError> {
        kernel.contract.validate().map_err(ShapeError::Contract)?;
        let all = kernel.contract.arguments;
        let (counted, per) = count_of(all).ok_or(ShapeError::NoCount)?;
        // All bytes of a buffer have addresses.
        let ArgumentKind::Scalar { max, .. } = all[counted].kind else { return Err(ShapeError::NoCount) };
        let most = max.min((ones(address_bits) / per as u128) as u64);
        let variable = terms.variable(all[counted].name, address_bits, false);
        let leaf = terms.as_leaf(variable).ok_or(ShapeError::NoCount)?;
        let count = Count { leaf, low: 0, high: most.saturating_sub(rest) / scale, scale, rest };
        let arguments =
            Arguments { memory: Memory::default(), passed: Vec::new(), lanes: Vec::new(), scalars: Vec::new(), count };
        let mut maker =
            Maker { terms, address_bits, specification, words, arguments, states: Vec::new(), streams: Vec::new() };
        for (index, argument) in all.iter().enumerate() {
            if index == counted {
                let value = maker.terms.sum(&[(variable, scale.into())], rest.into(), address_bits);
                maker.arguments.passed.push((value, address_bits));
            } else {
                maker.argument(argument)?;
            }
        }
        maker.finish(kernel)
    }
}

/// The argument that counts blocks, and the bytes of one.
fn count_of(arguments: &[Argument]) -> Option<(usize, usize)> {
    arguments.iter().find_map(|argument| match argument.kind {
        ArgumentKind::Buffer { size: Size::Affine { base: 0, per, argument }, .. } if per > 0 => Some((argument, per)),
        _ => None,
    })
}

impl Maker<'_> {
    fn argument(&mut self, argument: &Argument) -> Result<(), ShapeError> {
        let refuse = Err(ShapeError::Argument(argument.name));
        match argument.kind {
            ArgumentKind::Buffer { overlap: Overlap::MayEqual(_), .. } => refuse,
            ArgumentKind::Buffer { size: Size::Fixed(bytes), access: Access::ReadWrite, secrecy, .. }
                if bytes == self.specification.state_bytes() =>
            {
                self.state(argument.name, secrecy);
                Ok(())
            }
            ArgumentKind::Buffer { size: Size::Affine { base: 0, per, .. }, access: Access::Read, secrecy, .. }
                if per == self.specification.block_bytes() && secrecy == Secrecy::Secret =>
            {
                self.message(argument.name);
                Ok(())
            }
            ArgumentKind::Scalar { ty, secrecy: Secrecy::Public, max, .. } => {
                self.scalar(argument.name, ty, max);
                Ok(())
            }
            _ => refuse,
        }
    }

    fn pointer(&mut self, name: &str) -> Leaf {
        let pointer = self.terms.variable(name, self.address_bits, false);
        self.arguments.passed.push((pointer, self.address_bits));
        self.terms.as_leaf(pointer).expect("a variable is a leaf")
    }

    fn word(&mut self, name: String, secret: bool) -> Term {
        let word = self.terms.variable(name, self.specification.width, secret);
        match self.words {
            Words::Variables => word,
            Words::Numbers => {
                let number = self.terms.sample(word);
                self.terms.constant(number)
            }
        }
    }

    fn state(&mut self, name: &'static str, secrecy: Secrecy) {
        let base = self.pointer(name);
        let (bytes, word_bytes) = (self.specification.state_bytes(), self.specification.width as usize / 8);
        let secret_bytes = secrecy.secret_bytes(bytes);
        let kind = Kind::Argument(Access::ReadWrite);
        let mut region = Region::new(name, base, kind, 0, Extent::Fixed(bytes as i64));
        let mut words = Vec::new();
        for (index, word_name) in self.specification.state_names().into_iter().enumerate() {
            let at = index * word_bytes;
            let word = self.word(format!("{name}.{word_name}"), at < secret_bytes);
            region.put(self.terms, at as i64, word, word_bytes as u32);
            words.push(word);
        }
        self.states.push((self.arguments.memory.add(region), words));
    }

    fn message(&mut self, name: &'static str) {
        let base = self.pointer(name);
        let (bytes, width) = (self.specification.block_bytes(), self.specification.width);
        let kind = Kind::Argument(Access::Read);
        let mut region = Region::new(name, base, kind, 0, Extent::PerUnit(bytes as i64));
        let mut blocks = Vec::new();
        for block in 0..BLOCKS {
            let words: Vec<Term> = (0..Specification::BLOCK_WORDS)
                .map(|word| self.word(format!("{name}[{block}].m{word}"), true))
                .collect();
            for (index, &word) in words.iter().enumerate() {
                let there = if self.specification.big_endian_blocks() {
                    self.terms.reverse_bytes(word, width, width)
                } else {
                    word
                };
                let at = block * bytes + index * width as usize / 8;
                region.put(self.terms, at as i64, there, width / 8);
            }
            blocks.push(words);
        }
        self.arguments.memory.add(region);
        self.streams.push((base, blocks));
    }

    fn scalar(&mut self, name: &'static str, ty: ScalarType, max: u64) {
        let bits = match ty {
            ScalarType::U32 => 32,
            ScalarType::U64 => 64,
            ScalarType::Usize => self.address_bits,
        };
        // Every value up to the next power of two, which is no less than the contract asks for.
        let used = max.checked_ilog2().map_or(1, |log| log + 1).min(bits);
        let value = self.terms.variable(name, used, false);
        self.arguments.passed.push((value, bits));
        self.arguments.scalars.push(value);
    }

    fn finish(mut self, kernel: &Kernel) -> Result<Arguments, ShapeError> {
        let (states, messages, scalars) = (self.states.len(), self.streams.len(), self.arguments.scalars.len());
        if states != kernel.lanes || messages != kernel.lanes || scalars != self.specification.scalars() {
            return Err(ShapeError::Number { states, messages, scalars });
        }
        self.arguments.lanes = (self.states.into_iter().zip(self.streams))
            .map(|((region, state), (cursor, blocks))| Lane { region, state, cursor, blocks })
            .collect();
        Ok(self.arguments)
    }
}
