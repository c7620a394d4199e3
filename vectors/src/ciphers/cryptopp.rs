//! Files of Crypto++, folder `TestVectors`: lines `Field: value`, of which `Test` makes a case of the values that stand above
//! it. A value goes on in the next line behind a backslash; `r16 00` is 16 times `00`; spaces between digits say nothing.
//! `AlgorithmType` forgets all values.

use std::collections::HashMap;

use super::{BlockVector, StreamDigest, StreamVector, StreamVectors};
use crate::{Reason, VectorError};

/// A stream cipher among those of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    /// `Name` in the file.
    pub name: &'static str,
    /// `Rounds` in the file, 20 where there is none.
    pub rounds: usize,
    /// Bytes of a nonce.
    pub nonce_bytes: usize,
}

/// A block cipher among those of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// `Name` in the file, without `/ECB`.
    pub name: &'static str,
    /// Bytes of a key.
    pub key_bytes: usize,
    /// Bytes of a block.
    pub block_bytes: usize,
}

const FIELDS: [&str; 13] = [
    "AlgorithmType",
    "Name",
    "Source",
    "Comment",
    "Rounds",
    "Key",
    "IV",
    "Seek",
    "Seek64",
    "Plaintext",
    "Ciphertext",
    "CiphertextXorDigest",
    "Test",
];

/// A value and the line where it begins.
#[derive(Clone, Debug)]
struct Value {
    line: usize,
    text: String,
}

/// The values that hold at a line `Test`.
struct Case<'a> {
    file: &'a str,
    values: &'a HashMap<&'static str, Value>,
    test: Value,
}

impl Case<'_> {
    fn error(&self, line: usize, reason: Reason) -> VectorError {
        VectorError::Malformed { file: self.file.to_owned(), line, reason }
    }

    fn source(&self) -> String {
        format!("{}:{}", self.file, self.test.line)
    }

    fn value(&self, field: &'static str) -> Result<&Value, VectorError> {
        let missing = Reason::MissingField { expected: field, found: Some("Test".to_owned()) };
        self.values.get(field).ok_or_else(|| self.error(self.test.line, missing))
    }

    fn is(&self, field: &str, text: &str) -> bool {
        self.values.get(field).is_some_and(|value| value.text == text)
    }

    /// A decimal number, or a hexadecimal one behind `0x`; this one where there is none.
    fn number(&self, field: &'static str, otherwise: u64) -> Result<u64, VectorError> {
        let Some(value) = self.values.get(field) else { return Ok(otherwise) };
        let number = match value.text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => value.text.parse(),
        };
        let reason = || Reason::NotANumber { key: field, value: value.text.clone() };
        number.map_err(|_| self.error(value.line, reason()))
    }

    fn bytes(&self, field: &'static str) -> Result<Vec<u8>, VectorError> {
        let value = self.value(field)?;
        let (times, digits) = match value.text.strip_prefix('r').and_then(|text| text.split_once(' ')) {
            Some((times, digits)) => {
                let reason = || Reason::NotANumber { key: field, value: times.to_owned() };
                (times.parse().map_err(|_| self.error(value.line, reason()))?, digits)
            }
            None => (1, value.text.as_str()),
        };
        let mut nibbles = Vec::new();
        for (position, found) in digits.chars().enumerate().filter(|(_, found)| !found.is_whitespace()) {
            let digit = found.to_digit(16);
            let reason = Reason::NotHex { key: field, found, position };
            nibbles.push(digit.ok_or_else(|| self.error(value.line, reason))? as u8);
        }
        let (pairs, rest) = nibbles.as_chunks();
        if !rest.is_empty() {
            return Err(self.error(value.line, Reason::OddDigits { key: field, digits: nibbles.len() }));
        }
        let bytes: Vec<u8> = pairs.iter().map(|[high, low]| high << 4 | low).collect();
        Ok(bytes.repeat(times))
    }

    fn bytes_of_length(
        &self,
        field: &'static str,
        expected: usize,
        said_by: &'static str,
    ) -> Result<Vec<u8>, VectorError> {
        let bytes = self.bytes(field)?;
        if bytes.len() == expected {
            return Ok(bytes);
        }
        let reason = Reason::WrongLength { key: field, said_by, expected, given: bytes.len() };
        Err(self.error(self.value(field)?.line, reason))
    }

    fn unknown_test(&self) -> VectorError {
        let reason = Reason::UnknownValue { key: "Test", value: self.test.text.clone() };
        self.error(self.test.line, reason)
    }
}

/// Calls a function for each case, and gives the file's last line.
fn cases(
    file: &str,
    bytes: &[u8],
    mut each: impl FnMut(&Case<'_>) -> Result<(), VectorError>,
) -> Result<usize, VectorError> {
    let error = |line, reason| VectorError::Malformed { file: file.to_owned(), line, reason };
    let mut values: HashMap<&'static str, Value> = HashMap::new();
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let mut last_line = 1;
    // The field whose value goes on in the next line.
    let mut open: Option<(&'static str, Value)> = None;
    for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        last_line = index + 1;
        let text = std::str::from_utf8(line)
            .map_err(|wrong| error(last_line, Reason::NotText { offset: wrong.valid_up_to() }))?
            .trim();
        let (more, text) = match text.strip_suffix('\\') {
            Some(text) => (true, text.trim_end()),
            None => (false, text),
        };
        let (field, value) = match open.take() {
            Some((field, mut value)) => {
                value.text.push_str(text);
                (field, value)
            }
            None if text.is_empty() || text.starts_with('#') => continue,
            None => {
                let (field, text) = text.split_once(':').ok_or_else(|| error(last_line, Reason::NotAField))?;
                let known = FIELDS.into_iter().find(|known| *known == field);
                let field = known.ok_or_else(|| error(last_line, Reason::UnknownKey { key: field.to_owned() }))?;
                (field, Value { line: last_line, text: text.trim().to_owned() })
            }
        };
        match field {
            _ if more => open = Some((field, value)),
            "AlgorithmType" => values.clear(),
            "Test" => each(&Case { file, values: &values, test: value })?,
            // Both say where to begin.
            "Seek64" => drop(values.insert("Seek", value)),
            _ => drop(values.insert(field, value)),
        }
    }
    match open {
        Some((expected, _)) => Err(error(last_line, Reason::MissingField { expected, found: None })),
        None => Ok(last_line),
    }
}

fn no_cases(file: &str, line: usize) -> VectorError {
    VectorError::Malformed { file: file.to_owned(), line, reason: Reason::NoCases }
}

/// The messages of one stream cipher.
///
/// # Errors
/// At the first line that is wrong, and if there is no case at all of this cipher.
pub fn parse_stream(file: &str, bytes: &[u8], stream: Stream) -> Result<StreamVectors, VectorError> {
    let mut vectors = StreamVectors::default();
    let last_line = cases(file, bytes, |case| {
        if !case.is("Name", stream.name) || case.number("Rounds", 20)? != stream.rounds as u64 {
            return Ok(());
        }
        let key = case.bytes("Key")?;
        let nonce = case.bytes_of_length("IV", stream.nonce_bytes, "the algorithm")?;
        let offset = case.number("Seek", 0)?;
        let plaintext = case.bytes("Plaintext")?;
        let source = case.source();
        match case.test.text.as_str() {
            // To encrypt after a change of the nonce is to encrypt.
            "Encrypt" | "Resync" => {
                let ciphertext = case.bytes_of_length("Ciphertext", plaintext.len(), "Plaintext")?;
                vectors.messages.push(StreamVector { key, nonce, offset, plaintext, ciphertext, source });
            }
            "EncryptXorDigest" if offset == 0 => {
                let digest = case.bytes_of_length("CiphertextXorDigest", 64, "the block size")?;
                vectors.digests.push(StreamDigest { key, nonce, plaintext, digest, source });
            }
            _ => return Err(case.unknown_test()),
        }
        Ok(())
    })?;
    if vectors == StreamVectors::default() { Err(no_cases(file, last_line)) } else { Ok(vectors) }
}

/// The blocks of one block cipher, in ECB.
///
/// # Errors
/// At the first line that is wrong, and if there is no case at all of this cipher.
pub fn parse_blocks(file: &str, bytes: &[u8], blocks: Blocks) -> Result<Vec<BlockVector>, VectorError> {
    let mut vectors = Vec::new();
    let name = format!("{}/ECB", blocks.name);
    let last_line = cases(file, bytes, |case| {
        if !case.is("Name", &name) {
            return Ok(());
        }
        let key = case.bytes("Key")?;
        if key.len() != blocks.key_bytes {
            return Ok(());
        }
        if case.test.text != "Encrypt" {
            return Err(case.unknown_test());
        }
        let plaintext = case.bytes("Plaintext")?;
        let expected = plaintext.len().next_multiple_of(blocks.block_bytes).max(blocks.block_bytes);
        let plaintext = case.bytes_of_length("Plaintext", expected, "the block size")?;
        let ciphertext = case.bytes_of_length("Ciphertext", plaintext.len(), "Plaintext")?;
        vectors.push(BlockVector { key, plaintext, ciphertext, source: case.source() });
        Ok(())
    })?;
    if vectors.is_empty() { Err(no_cases(file, last_line)) } else { Ok(vectors) }
}
