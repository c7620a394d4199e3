//! What the cases of both instruction sets have in common, and the model that executes one.

use std::sync::Arc;

use vambrace_contract::Access;
use vambrace_prover::code::Code;
use vambrace_prover::machine::{Flow, Machine};
use vambrace_prover::memory::{Extent, Kind, Memory, Region, RegionId};
use vambrace_prover::terms::{Assignment, Leaf, Term, Terms};

/// Bytes of the memory of a case.
pub const SCRATCH_BYTES: usize = 512;
/// Where it is read and written: around here.
pub const MIDDLE: i64 = 256;

/// The literals behind each word, from this offset on.
pub const POOL: usize = 16;
pub const POOL_BYTES: usize = 32;

pub struct Case {
    pub class: &'static str,
    /// What is executed before, to set the flags.
    pub before: Option<u32>,
    pub word: u32,
    pub state: Vec<u8>,
    pub pool: [u8; POOL_BYTES],
    /// The base register, and what it holds: an offset in the scratch.
    pub base: Option<(u32, i64)>,
    /// The register that holds the address of a return.
    pub target: Option<u32>,
    /// Where in the scratch the address of a return is.
    pub target_in_memory: Option<i64>,
    /// A register that is added to an address, shifted by or multiplied with, and what it holds: a number in any case.
    pub index: Option<(u32, u64)>,
    /// The bytes of T32 instructions, where it is those that are executed: more than the word, if it is in a block of IT.
    pub thumb: Option<Vec<u8>>,
}

impl Case {
    /// How far behind the word the way goes on if the word is a branch forward.
    pub fn forward(&self) -> i64 {
        if self.thumb.is_some() { (POOL + POOL_BYTES) as i64 } else { 8 }
    }
}

/// How registers are given to the model.
#[derive(Clone, Copy, PartialEq)]
pub enum Given {
    Numbers,
    Variables,
}

/// A variable of a value.
pub fn place(terms: &mut Terms, values: &mut Assignment, name: &str, width: u32, value: u64) -> (Leaf, Term) {
    let term = terms.variable(name, width, false);
    let leaf = terms.as_leaf(term).unwrap();
    values.set(leaf, value.into());
    (leaf, term)
}

/// Operands as they are given.
pub fn held(terms: &mut Terms, values: &mut Assignment, given: Given, width: u32, value: u64) -> Term {
    match given {
        Given::Numbers => terms.constant(value.into()),
        Given::Variables => place(terms, values, "operand", width, value).1,
    }
}

/// The scratch of a case in words of so many bytes, each made by `word` of its offset, and its code.
pub fn memory(
    terms: &mut Terms,
    case: &Case,
    [scratch, code_base]: [Leaf; 2],
    bytes: u32,
    mut word: impl FnMut(&mut Terms, usize) -> Term,
) -> (Memory, RegionId, Arc<Code>) {
    let mut memory = Memory::default();
    let kind = Kind::Argument(Access::ReadWrite);
    let mut region = Region::new("scratch", scratch, kind, 0, Extent::Fixed(SCRATCH_BYTES as i64));
    for at in (0..SCRATCH_BYTES).step_by(bytes as usize) {
        let value = word(terms, at);
        region.put(terms, at as i64, value, bytes);
    }
    let scratch = memory.add(region);
    let mut code = [0; POOL + POOL_BYTES];
    let word = case.word.to_le_bytes();
    let executed = case.thumb.as_deref().unwrap_or(&word);
    code[..executed.len()].copy_from_slice(executed);
    code[POOL..].copy_from_slice(&case.pool);
    let code = Code::new(code.to_vec(), std::iter::once(POOL..POOL + POOL_BYTES).collect());
    let code = Arc::new(if case.thumb.is_some() { code.of_thumb() } else { code });
    memory.add(Region::code(terms, code_base, &code));
    (memory, scratch, code)
}

/// A machine, and what its variables stand for.
pub struct Model<M> {
    pub terms: Terms,
    pub values: Assignment,
    pub state: M,
    pub scratch: RegionId,
}

impl<M: Machine> Model<M> {
    pub fn value(&mut self, term: Term) -> u128 {
        self.terms.evaluate(term, &mut self.values, &mut |_| panic!("a variable without a value"))
    }

    /// Whether it goes on, forward or backward, as QEMU did, and leaves the same bytes in the scratch.
    pub fn compare_way_and_memory(&mut self, case: &Case, flow: Flow, way: [bool; 2], scratch: &[u8], what: &str) {
        let expected = match flow {
            Flow::Returned => [true, false],
            Flow::On => [self.state.position() as i64 == case.forward(), self.state.position() as i64 == -8],
        };
        assert_eq!(expected, way, "where {what} goes");
        for (at, &found) in scratch[..SCRATCH_BYTES].iter().enumerate() {
            let byte = self.state.memory().region(self.scratch).get(&mut self.terms, at as i64, 1).unwrap();
            assert_eq!(self.value(byte), found.into(), "byte {at} of memory after {what}");
        }
    }
}
