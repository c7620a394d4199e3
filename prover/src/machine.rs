//! What both architectures have in common: a machine that executes one instruction after the other on terms.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use crate::code::Code;
use crate::conditions::{Count, Undecided};
use crate::memory::{Memory, MemoryError, Offset};
use crate::terms::{Term, Terms};

/// What an instruction leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// The next instruction, wherever it is.
    On,
    /// Back to the caller.
    Returned,
}

/// Why an instruction cannot be executed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum Fault {
    #[error("{0:#010x} is no instruction that the prover knows")]
    Unknown(u32),
    #[error("{0:#010x} is an indirect branch")]
    IndirectBranch(u32),
    #[error("a branch or a select depends on a secret: {0}")]
    SecretCondition(String),
    #[error("a branch or a select depends on what is neither constant nor the number of units left: {0}")]
    UnknownCondition(String),
    #[error("{0}")]
    Memory(#[from] MemoryError),
    #[error("execution leaves the kernel's code")]
    OutsideCode,
    #[error("the return is not to the address that the caller gave: {0}")]
    ReturnAddress(String),
    #[error("the stack pointer is no constant below where it was at entry: {0}")]
    StackPointer(String),
    #[error("the stack pointer at {0} is not aligned to 16 bytes where memory is accessed through it")]
    StackAlignment(Offset),
    #[error("{0} has an operand on which its time may depend, and which is secret: {1}")]
    SecretOperand(&'static str, String),
    #[error("what stands there is known only after linking: {0}")]
    Unlinked(String),
    #[error("{0} is not known for these operands: {1}")]
    Operand(&'static str, String),
}

/// Why the run stops, or branches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// An instruction that must not be.
    Fault(Fault),
    /// The count is to be split there, and the instruction executed for both parts. Nothing has changed.
    Split(u64),
    /// The count is divided by this number, so each remainder is a case of its own.
    Divide(u64),
}

impl<F: Into<Fault>> From<F> for Stop {
    fn from(fault: F) -> Stop {
        Stop::Fault(fault.into())
    }
}

impl From<Undecided> for Stop {
    fn from(undecided: Undecided) -> Stop {
        match undecided {
            Undecided::Split(at) => Stop::Split(at),
            Undecided::Secret(what) => Stop::Fault(Fault::SecretCondition(what)),
            Undecided::Unknown(what) => Stop::Fault(Fault::UnknownCondition(what)),
        }
    }
}

/// A register, by its place in [`Machine::registers`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// Its name, as `x0`, `v31`, `d8`.
    pub name: String,
    /// Its bits.
    pub width: u32,
    /// What it holds.
    pub value: Term,
}

/// A machine: registers, flags, memory, and where it executes.
pub trait Machine: Clone {
    /// Bits of an address.
    const ADDRESS_BITS: u32;

    /// The machine at the entry of a kernel that may use so many bytes of stack: the arguments are where the procedure call
    /// standard puts them, all else is unknown.
    fn enter(terms: &mut Terms, code: Arc<Code>, stack: usize, memory: Memory, passed: &[(Term, u32)]) -> Self;

    /// What the stack pointer may be modulo 16 at entry: each is a case of its own.
    const STACK_PHASES: &'static [u32] = &[0];

    /// Says which case it is.
    fn set_stack_phase(&mut self, _phase: u32) {}

    /// Becomes true when a step, of this machine or a clone of it, depends on which case it is.
    fn stack_phase_asked(&self) -> Rc<Cell<bool>> {
        Rc::default()
    }

    /// Executes one instruction.
    ///
    /// # Errors
    /// As [`Stop`] says; nothing has changed after [`Stop::Split`].
    fn step(&mut self, terms: &mut Terms) -> Result<Flow, Stop>;

    /// The offset in the kernel of the next instruction.
    fn position(&self) -> u64;

    /// Goes on elsewhere.
    fn set_position(&mut self, position: u64);

    /// What is known of the count.
    fn count(&self) -> Option<Count>;

    /// Says what is known of the count.
    fn set_count(&mut self, count: Count);

    /// Memory.
    fn memory(&self) -> &Memory;

    /// Memory, to change.
    fn memory_mut(&mut self) -> &mut Memory;

    /// Every register but the flags, the stack pointer included, in an order that stays.
    fn registers(&self) -> Vec<Register>;

    /// Gives a register a value, by its place in that order.
    fn set_register(&mut self, index: usize, value: Term);

    /// Whether the flags depend on a secret.
    fn flags_are_secret(&self, terms: &mut Terms) -> bool;

    /// Makes the flags unknown.
    fn forget_flags(&mut self);

    /// Bits of the register, from the lowest, that the callee gives back as they were.
    fn preserved_bits(&self, index: usize) -> u32;
}
