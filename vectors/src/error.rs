//! What can be wrong with a file: each error names the file, the line and the reason.

use thiserror::Error;

/// Vectors cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum VectorError {
    /// No file is about the algorithm.
    #[error("no vectors for algorithm {name:?}")]
    UnknownAlgorithm {
        /// The name given.
        name: String,
    },
    /// The file is missing or cannot be read.
    #[error("{file}: {reason}")]
    Unreadable {
        /// The file.
        file: String,
        /// What the operating system says.
        reason: String,
    },
    /// The file is not what it should be.
    #[error("{file}:{line}: {reason}")]
    Malformed {
        /// The file.
        file: String,
        /// The line, counted from 1: where the mistake is, or where the file ended too early.
        line: usize,
        /// What is wrong there.
        reason: Reason,
    },
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Reason {
    /// The file has no cases.
    #[error("the file ends without a single case")]
    NoCases,
    /// The file is binary, or in another encoding.
    #[error("byte {offset} of the line is not UTF-8")]
    NotText {
        /// The byte, counted from 0 at the line's beginning.
        offset: usize,
    },
    /// The line is no comment, no `[section]` and no `key = value`.
    #[error("neither a comment, nor a [section], nor key = value")]
    NotAField,
    /// The key does not occur in files of this format.
    #[error("unknown key {key:?}")]
    UnknownKey {
        /// The key found.
        key: String,
    },
    /// A key was expected and another, or none, was found.
    #[error("expected {expected}, found {}", .found.as_deref().unwrap_or("the end of the file"))]
    MissingField {
        /// The key expected.
        expected: &'static str,
        /// The key found; none at the end of the file.
        found: Option<String>,
    },
    /// The value is no decimal number.
    #[error("{key} is no number: {value:?}")]
    NotANumber {
        /// The key.
        key: &'static str,
        /// The value found.
        value: String,
    },
    /// Two hexadecimal digits make a byte, and one is left over.
    #[error("{key} has an odd number of hexadecimal digits: {digits}")]
    OddDigits {
        /// The key.
        key: &'static str,
        /// How many digits it has.
        digits: usize,
    },
    /// The value has a character that is no hexadecimal digit.
    #[error("{key} has {found:?} at position {position}, which is no hexadecimal digit")]
    NotHex {
        /// The key.
        key: &'static str,
        /// The character found.
        found: char,
        /// Where in the value, counted from 0.
        position: usize,
    },
    /// The value has another length than it should.
    #[error("{key} has {given} bytes, but {said_by} says {expected}")]
    WrongLength {
        /// The key.
        key: &'static str,
        /// What determines the length.
        said_by: &'static str,
        /// The bytes that it should have.
        expected: usize,
        /// The bytes that it has.
        given: usize,
    },
    /// The length is no whole number of bytes.
    #[error("Len is {bits} bits, no whole number of bytes")]
    PartialByte {
        /// The length given.
        bits: usize,
    },
    /// The file is about digests of another length.
    #[error("L is {given} bytes, but the algorithm's digest has {expected}")]
    OtherDigestLength {
        /// Bytes of the algorithm's digest.
        expected: usize,
        /// The length given.
        given: usize,
    },
    /// Cases are numbered from 0 without gaps.
    #[error("COUNT is {given}, expected {expected}")]
    OutOfOrder {
        /// The number that should come next.
        expected: usize,
        /// The number given.
        given: usize,
    },
    /// The chain ends too early or goes on too long.
    #[error("the chain has {given} checkpoints, expected {expected}")]
    Checkpoints {
        /// How many a chain has.
        expected: usize,
        /// How many there are.
        given: usize,
    },
    /// The key may have some values, and this is none of them.
    #[error("{key} is {value:?}, which is unknown")]
    UnknownValue {
        /// The key.
        key: &'static str,
        /// The value found.
        value: String,
    },
    /// A binary file goes on in another way than it should.
    #[error("byte {offset}: expected {expected}")]
    Blob {
        /// The byte, counted from 0 at the file's beginning.
        offset: usize,
        /// What should stand there.
        expected: &'static str,
    },
    /// A JSON file is no JSON, or lacks what its schema has.
    #[error("the file is not of its schema: {what}")]
    NotOfTheSchema {
        /// What the parser says.
        what: String,
    },
    /// The file says how many cases it has, and has not as many.
    #[error("the file says that it has {said} cases, but {found} were found")]
    NumberOfCases {
        /// How many it says.
        said: usize,
        /// How many there are.
        found: usize,
    },
    /// A row of `PROVENANCE.md` does not have the columns that it should.
    #[error("the row has no {column}: {found:?}")]
    Column {
        /// What should stand there.
        column: &'static str,
        /// What does.
        found: String,
    },
}

impl VectorError {
    /// The file, where the error is about one.
    pub fn file(&self) -> Option<&str> {
        match self {
            VectorError::UnknownAlgorithm { .. } => None,
            VectorError::Unreadable { file, .. } | VectorError::Malformed { file, .. } => Some(file),
        }
    }

    /// The line, where the error is about one.
    pub fn line(&self) -> Option<usize> {
        match self {
            VectorError::Malformed { line, .. } => Some(*line),
            _ => None,
        }
    }

    /// What is wrong with the line, where the error is about one.
    pub fn reason(&self) -> Option<&Reason> {
        match self {
            VectorError::Malformed { reason, .. } => Some(reason),
            _ => None,
        }
    }
}
