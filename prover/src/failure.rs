//! Why there is no proof.

use std::fmt;

use crate::arguments::ShapeError;
use crate::budget::Exhausted;
use crate::code::Code;
use crate::machine::Fault;
use crate::memory::Offset;
use crate::numbers::example;
use crate::terms::{Difference, Term, Terms};

/// Why there is no proof, and at which instruction that was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The offset of the instruction in the kernel.
    pub position: Option<u64>,
    /// The instruction.
    pub word: Option<u32>,
    /// What was taken as fixed, as ` with 12 rounds in place`.
    pub choice: String,
    /// What is wrong.
    pub reason: Box<Reason>,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum Reason {
    #[error("{0}")]
    Shape(#[from] ShapeError),
    #[error("{0}")]
    Fault(Fault),
    #[error("a limit is reached: {0}")]
    Exhausted(Exhausted),
    #[error("the count is divided by {0} in a second place")]
    Divides(u64),
    #[error("the count cannot be split at {0}")]
    Split(u64),
    #[error("the loop has no count of blocks")]
    NoCount,
    #[error("a turn of the loop may take {blocks} blocks where only {left} may be left: it need not end")]
    NoProgress { blocks: u64, left: u64 },
    #[error("it returns although it is not known how many blocks are left: {low} to {high}")]
    BlocksLeft { low: u64, high: u64 },
    #[error("it returns after {0} blocks, more than have names")]
    TooManyBlocks(u64),
    #[error("after {blocks} blocks {word} is not what the specification says\n{example}\n    code          {}\n    specification {}", difference.one, difference.other)]
    Output { word: String, blocks: u64, difference: Box<Difference>, example: String, maker: Option<Maker> },
    #[error("after {blocks} blocks {word} is not written")]
    NotWritten { word: String, blocks: u64 },
    #[error("after {blocks} blocks {word} is written, which belongs to a block that is not done")]
    WrittenAhead { word: String, blocks: u64 },
    #[error(
        "after {blocks} blocks the terms of {word} have the value {found:#x} where the specification on numbers has {expected:#x}"
    )]
    Evaluation { word: String, blocks: u64, found: u128, expected: u128 },
    #[error("{register} is not given back as it was: it holds {held}")]
    Preserved { register: String, held: String },
    #[error("{register} holds a secret at the return: {held}")]
    SecretRegister { register: String, held: String },
    #[error("the flags depend on a secret at the return")]
    SecretFlags,
    #[error("the stack holds a secret at the return, {bytes} bytes at sp{offset}: {held}")]
    SecretStack { offset: Offset, bytes: u32, held: String },
}

/// The instruction to which a part of the output that is wrong goes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Maker {
    /// Its offset in the kernel.
    pub position: u64,
    /// The instruction.
    pub word: Option<u32>,
    /// Whether it made nothing that is told to be wrong, but wrote it.
    pub wrote: bool,
}

impl Reason {
    /// A word of the output that is not what it should be, and the offset of the instruction that wrote it.
    pub(crate) fn output(
        terms: &mut Terms,
        word: String,
        blocks: u64,
        (found, wrote): (Term, Option<u64>),
        expected: Term,
    ) -> Reason {
        let (difference, example) = (terms.difference(found, expected), example(terms, found, expected));
        let made = difference.maker.map(|position| Maker { position, word: None, wrote: false });
        let maker = made.or(wrote.map(|position| Maker { position, word: None, wrote: true }));
        Reason::Output { word, blocks, difference: Box::new(difference), example, maker }
    }
}

impl Failure {
    /// A failure that no instruction is to blame for.
    pub fn new(reason: impl Into<Reason>) -> Failure {
        Failure { position: None, word: None, choice: String::new(), reason: Box::new(reason.into()) }
    }

    /// Looks up the word of the instruction that made what is wrong.
    pub(crate) fn look_up(&mut self, code: &Code) {
        if let Reason::Output { maker: Some(maker), .. } = &mut *self.reason {
            maker.word = code.instruction(maker.position);
        }
    }

    /// The failure in words, with instructions as `text` writes them, by offset and word.
    pub fn told<'a>(&'a self, text: &'a dyn Fn(u64, u32) -> String) -> impl fmt::Display + 'a {
        Told { failure: self, text }
    }
}

struct Told<'a> {
    failure: &'a Failure,
    text: &'a dyn Fn(u64, u32) -> String,
}

impl Told<'_> {
    fn place(&self, position: u64, word: Option<u32>) -> String {
        let word = word.map(|word| format!(" ({})", (self.text)(position, word))).unwrap_or_default();
        format!("at offset {position:#x}{word}")
    }
}

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure { position, word, choice, reason } = self.failure;
        if let Some(position) = *position {
            write!(f, "{}: ", self.place(position, *word))?;
        }
        write!(f, "{reason}")?;
        if let Reason::Output { maker: Some(Maker { position, word, wrote }), .. } = **reason {
            let what = if wrote { "written" } else { "made" };
            write!(f, "\n    {what} by the instruction {}", self.place(position, word))?;
        }
        if choice.is_empty() { Ok(()) } else { write!(f, "\n   {choice}") }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.told(&|_, word| format!("{word:#010x}")).fmt(f)
    }
}

impl std::error::Error for Failure {}
