//! The arguments of an entry point as terms: what the contract grants, what the specification names.

use vambrace_contract::{Access, Argument, ArgumentKind, Kernel, Overlap, ScalarType, Secrecy, Size};

use crate::conditions::Count;
use crate::keys::{Form, KEY_BYTES};
use crate::memory::{Extent, Kind, Memory, Region, RegionId};
use crate::specification::{Given, Specification};
use crate::terms::{Leaf, Term, Terms, ones};

/// One message: its state, and its blocks from the next one on.
#[derive(Clone, Debug)]
pub struct Lane {
    /// Where the state is.
    pub region: RegionId,
    /// The fields of the state.
    pub state: Vec<Term>,
    /// The addresses of the next block, where it is read and where it is written.
    pub cursors: Vec<Leaf>,
    /// The words of the blocks.
    pub blocks: Vec<Vec<Term>>,
    /// Where blocks are written, if they are.
    pub output: Option<Output>,
}

/// Where blocks are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    /// The region.
    pub region: RegionId,
    /// Whether that is where they are read.
    pub in_place: bool,
}

/// What a contract leaves open that each proof takes as fixed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The number of rounds, where an argument tells it.
    pub rounds: Option<u32>,
    /// Whether blocks are written where they are read.
    pub in_place: bool,
}

impl Choice {
    /// Every choice that a contract allows.
    pub fn all(arguments: &[Argument], specification: Specification) -> Vec<Choice> {
        let rounds: Vec<Option<u32>> = match arguments.iter().find(|one| tells_rounds(one, specification)) {
            Some(&Argument { kind: ArgumentKind::Scalar { min, max, step, .. }, .. }) => {
                (min..=max).step_by(step as usize).map(|rounds| u32::try_from(rounds).ok()).collect()
            }
            _ => vec![None],
        };
        let may_be_in_place = arguments
            .iter()
            .any(|argument| matches!(argument.kind, ArgumentKind::Buffer { overlap: Overlap::MayEqual(_), .. }));
        let places = if may_be_in_place { vec![false, true] } else { vec![false] };
        let with = |rounds| places.iter().map(move |&in_place| Choice { rounds, in_place });
        rounds.into_iter().flat_map(with).collect()
    }

    /// For messages; nothing where there is no choice.
    pub fn describe(&self) -> String {
        let place = if self.in_place { " in place" } else { "" };
        self.rounds.map_or(place.to_owned(), |rounds| format!(" with {rounds} rounds{place}"))
    }
}

fn tells_rounds(argument: &Argument, specification: Specification) -> bool {
    specification.takes_rounds() && argument.name == "rounds"
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
    /// The keys, and the public scalars beside count and rounds.
    pub given: Given<Term>,
    /// The number of blocks.
    pub count: Count,
}

/// Why a contract and a specification do not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum ShapeError {
    #[error("no specification is written for the entry point")]
    NoSpecification,
    #[error("the contract contradicts itself: {0}")]
    Contract(vambrace_contract::ContractError),
    #[error("argument {0} has a shape for which the specification has no use")]
    Argument(&'static str),
    #[error(
        "the contract has {states} states, {messages} messages and {scalars} further scalars, which the specification does not expect"
    )]
    Number { states: usize, messages: usize, scalars: usize },
    #[error("the contract has keys of {found} words, the specification of {expected}")]
    Keys { found: usize, expected: usize },
    #[error("the contract has {found} outputs for {expected} messages")]
    Outputs { found: usize, expected: usize },
    #[error("the contract has no number of rounds")]
    NoRounds,
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
    choice: Choice,
    kernel: &'a Kernel,
    words: Words,
    all: &'static [Argument],
    /// Which argument is the count.
    counted: usize,
    arguments: Arguments,
    states: Vec<(RegionId, Vec<Term>)>,
    streams: Vec<Stream>,
    outputs: Vec<(Option<Leaf>, Output)>,
}

/// Blocks that are read.
struct Stream {
    argument: usize,
    region: RegionId,
    cursor: Leaf,
    blocks: Vec<Vec<Term>>,
}

impl Arguments {
    /// Makes the arguments of a kernel. The count is `scale` times a variable, and `rest`.
    ///
    /// # Errors
    /// If the contract does not fit the specification.
    pub fn new(
        terms: &mut Terms,
        kernel: &Kernel,
        (specification, choice): (Specification, Choice),
        address_bits: u32,
        (scale, rest): (u64, u64),
        words: Words,
    ) -> Result<Arguments, ShapeError> {
        kernel.contract.validate().map_err(ShapeError::Contract)?;
        let all = kernel.contract.arguments;
        let (counted, per) = count_of(all).ok_or(ShapeError::NoCount)?;
        // All bytes of a buffer have addresses.
        let ArgumentKind::Scalar { min, max, .. } = all[counted].kind else { return Err(ShapeError::NoCount) };
        let most = max.min((ones(address_bits) / per as u128) as u64);
        let variable = terms.variable(all[counted].name, address_bits, false);
        let leaf = terms.as_leaf(variable).ok_or(ShapeError::NoCount)?;
        let low = min.saturating_sub(rest).div_ceil(scale);
        let count = Count { leaf, low, high: most.saturating_sub(rest) / scale, scale, rest };
        let arguments = Arguments {
            memory: Memory::default(),
            passed: Vec::new(),
            lanes: Vec::new(),
            given: Given { keys: Vec::new(), scalars: Vec::new() },
            count,
        };
        let (states, streams, outputs) = Default::default();
        let mut maker = Maker {
            terms,
            address_bits,
            specification,
            choice,
            kernel,
            words,
            all,
            counted,
            arguments,
            states,
            streams,
            outputs,
        };
        for (index, argument) in all.iter().enumerate() {
            if index == counted {
                let value = maker.terms.sum(&[(variable, scale.into())], rest.into(), address_bits);
                maker.arguments.passed.push((value, address_bits));
            } else {
                maker.argument(index, argument)?;
            }
        }
        maker.finish(kernel)
    }
}

/// The argument that counts blocks, and the bytes of one: the number, as wide as an address, that a size depends on.
fn count_of(arguments: &[Argument]) -> Option<(usize, usize)> {
    arguments.iter().find_map(|argument| match argument.kind {
        ArgumentKind::Buffer { size: Size::Affine { base: 0, per, argument }, .. } if per > 0 => {
            let counts = matches!(arguments[argument].kind, ArgumentKind::Scalar { ty: ScalarType::Usize, .. });
            counts.then_some((argument, per))
        }
        _ => None,
    })
}

impl Maker<'_> {
    fn argument(&mut self, index: usize, argument: &Argument) -> Result<(), ShapeError> {
        let refuse = Err(ShapeError::Argument(argument.name));
        let name = argument.name;
        match argument.kind {
            ArgumentKind::Buffer { size, access, secrecy, overlap, .. } => match (size, access, overlap) {
                (Size::Fixed(bytes), Access::ReadWrite, Overlap::Disjoint | Overlap::Shared)
                    if bytes == self.specification.state_bytes() =>
                {
                    self.state(name, secrecy);
                    Ok(())
                }
                (Size::Affine { base: 0, per, argument }, _, _) if argument == self.counted => {
                    if per != self.specification.block_bytes() || secrecy != Secrecy::Secret {
                        return refuse;
                    }
                    match (access, overlap) {
                        (Access::Read, Overlap::Disjoint | Overlap::Shared) => self.message(index, name),
                        (Access::Write, Overlap::Disjoint) => self.output(name, None),
                        (Access::Write, Overlap::MayEqual(target)) => {
                            let of = self.streams.iter().position(|stream| stream.argument == target);
                            self.output(name, Some(of.ok_or(ShapeError::Argument(name))?));
                        }
                        _ => return refuse,
                    }
                    Ok(())
                }
                (_, Access::Read, Overlap::Disjoint | Overlap::Shared) => {
                    let bytes = self.bytes(index, size).ok_or(ShapeError::Argument(name))?;
                    self.keys(name, secrecy, bytes)
                }
                _ => refuse,
            },
            ArgumentKind::Scalar { ty, secrecy: Secrecy::Public, max, .. } => {
                self.scalar(argument, ty, max);
                Ok(())
            }
            ArgumentKind::Scalar { .. } => refuse,
        }
    }

    /// Bytes of a buffer that is the same for every count.
    fn bytes(&self, argument: usize, size: Size) -> Option<usize> {
        match size {
            Size::LayoutEach { argument: told_by, .. } if tells_rounds(&self.all[told_by], self.specification) => {
                self.kernel.buffer_size(argument, &vec![self.choice.rounds?.into(); self.all.len()])
            }
            Size::Fixed(bytes) => Some(bytes),
            Size::Affine { base, per, argument } if tells_rounds(&self.all[argument], self.specification) => {
                base.checked_add_unsigned(per * self.choice.rounds? as usize)?.try_into().ok()
            }
            _ => None,
        }
    }

    fn pointer(&mut self, name: &str) -> Leaf {
        let pointer = self.terms.variable(name, self.address_bits, false);
        self.arguments.passed.push((pointer, self.address_bits));
        self.terms.as_leaf(pointer).expect("a variable is a leaf")
    }

    fn variable(&mut self, name: String, bits: u32, secret: bool) -> Term {
        let variable = self.terms.variable(name, bits, secret);
        match self.words {
            Words::Variables => variable,
            Words::Numbers => {
                let number = self.terms.sample(variable);
                self.terms.constant(number)
            }
        }
    }

    fn state(&mut self, name: &'static str, secrecy: Secrecy) {
        let base = self.pointer(name);
        let bytes = self.specification.state_bytes();
        let secret_bytes = secrecy.secret_bytes(bytes);
        let kind = Kind::Argument(Access::ReadWrite);
        let mut region = Region::new(name, base, kind, 0, Extent::Fixed(bytes as i64));
        let (mut fields, mut at) = (Vec::new(), 0);
        for field in self.specification.state() {
            let variable = self.variable(format!("{name}.{}", field.name), field.bits, at < secret_bytes);
            region.put(self.terms, at as i64, variable, field.bits / 8);
            fields.push(variable);
            at += field.bits as usize / 8;
        }
        self.states.push((self.arguments.memory.add(region), fields));
    }

    fn message(&mut self, argument: usize, name: &'static str) {
        let cursor = self.pointer(name);
        let (bytes, width) = (self.specification.block_bytes(), self.specification.width);
        let kind = Kind::Argument(Access::Read);
        let mut region = Region::new(name, cursor, kind, 0, Extent::PerUnit(bytes as i64));
        let mut blocks = Vec::new();
        for block in 0..self.specification.blocks_with_names() {
            let words: Vec<Term> = (0..self.specification.block_words())
                .map(|word| self.variable(format!("{name}[{block}].m{word}"), width, true))
                .collect();
            for (index, &word) in words.iter().enumerate() {
                let there = self.specification.in_memory(self.terms, word);
                let at = block * bytes + index * width as usize / 8;
                region.put(self.terms, at as i64, there, width / 8);
            }
            blocks.push(words);
        }
        let region = self.arguments.memory.add(region);
        self.streams.push(Stream { argument, region, cursor, blocks });
    }

    /// Where blocks are written; the number of the message that they may be written over.
    fn output(&mut self, name: &'static str, over: Option<usize>) {
        if let Some(stream) = over.filter(|_| self.choice.in_place).map(|index| &self.streams[index]) {
            let pointer = self.terms.window(stream.cursor);
            self.arguments.passed.push((pointer, self.address_bits));
            let region = stream.region;
            let shared = self.arguments.memory.region_mut(region);
            shared.kind = Kind::Argument(Access::ReadWrite);
            shared.name = format!("{name}, which is {}", shared.name);
            self.outputs.push((None, Output { region, in_place: true }));
            return;
        }
        let cursor = self.pointer(name);
        let extent = Extent::PerUnit(self.specification.block_bytes() as i64);
        let region = Region::new(name, cursor, Kind::Argument(Access::Write), 0, extent);
        let region = self.arguments.memory.add(region);
        self.outputs.push((Some(cursor), Output { region, in_place: false }));
    }

    fn keys(&mut self, name: &'static str, secrecy: Secrecy, bytes: usize) -> Result<(), ShapeError> {
        let width = self.specification.width;
        let expected = self.specification.key_words();
        let arranged = self.specification.arranges_keys();
        let found = if arranged { expected } else { bytes * 8 / width as usize };
        if expected == 0 || secrecy != Secrecy::Secret {
            return Err(ShapeError::Argument(name));
        }
        if found != expected || !self.arguments.given.keys.is_empty() {
            return Err(ShapeError::Keys { found, expected });
        }
        let base = self.pointer(name);
        let mut region = Region::new(name, base, Kind::Argument(Access::Read), 0, Extent::Fixed(bytes as i64));
        for index in 0..found {
            let word = self.variable(format!("{name}.k{index}"), width, true);
            if !arranged {
                region.put(self.terms, (index * width as usize / 8) as i64, word, width / 8);
            }
            self.arguments.given.keys.push(word);
        }
        if arranged {
            self.arrange_keys(&mut region);
            if region.cells().map(|(_, _, bytes)| bytes as usize).sum::<usize>() != bytes {
                return Err(ShapeError::Argument(name));
            }
        }
        self.arguments.memory.add(region);
        Ok(())
    }

    /// The round keys in the form that the kernel wants.
    fn arrange_keys(&mut self, region: &mut Region) {
        let pairs = self.arguments.given.keys.chunks(2);
        let schedule: Vec<Term> = pairs.map(|pair| self.terms.vector(pair, 8 * KEY_BYTES / 2)).collect();
        let mut at = 0;
        for (piece, bytes) in Form::of(self.kernel).arranged(self.terms, &schedule) {
            region.put(self.terms, at, piece, bytes);
            at += i64::from(bytes);
        }
    }

    fn scalar(&mut self, argument: &Argument, ty: ScalarType, max: u64) {
        let bits = match ty {
            ScalarType::U32 => 32,
            ScalarType::U64 => 64,
            ScalarType::Usize => self.address_bits,
        };
        if let Some(rounds) = self.choice.rounds.filter(|_| tells_rounds(argument, self.specification)) {
            let rounds = self.terms.constant(rounds.into());
            self.arguments.passed.push((rounds, bits));
            return;
        }
        // Every value up to the next power of two, which is no less than the contract asks for.
        let used = max.checked_ilog2().map_or(1, |log| log + 1).min(bits);
        let value = self.variable(argument.name.to_owned(), used, false);
        self.arguments.passed.push((value, bits));
        self.arguments.given.scalars.push(value);
    }

    fn finish(mut self, kernel: &Kernel) -> Result<Arguments, ShapeError> {
        let (states, messages) = (self.states.len(), self.streams.len());
        let scalars = self.arguments.given.scalars.len();
        if states != kernel.lanes || messages != kernel.lanes || scalars != self.specification.scalars() {
            return Err(ShapeError::Number { states, messages, scalars });
        }
        let (found, expected) = (self.outputs.len(), if self.specification.writes_blocks() { messages } else { 0 });
        if found != expected {
            return Err(ShapeError::Outputs { found, expected });
        }
        if self.specification.takes_rounds() && self.choice.rounds.is_none() {
            return Err(ShapeError::NoRounds);
        }
        let (found, expected) = (self.arguments.given.keys.len(), self.specification.key_words());
        if found != expected {
            return Err(ShapeError::Keys { found, expected });
        }
        let mut outputs = self.outputs.into_iter();
        self.arguments.lanes = (self.states.into_iter().zip(self.streams))
            .map(|((region, state), Stream { cursor, blocks, .. })| {
                let (more, output) = outputs.next().unzip();
                let cursors = [Some(cursor), more.flatten()].into_iter().flatten().collect();
                Lane { region, state, cursors, blocks, output }
            })
            .collect();
        Ok(self.arguments)
    }
}
