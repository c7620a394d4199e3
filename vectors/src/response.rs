//! The line format that NIST's response files share: comments, `[sections]` and `key = value`.

use std::path::Path;

use crate::{Reason, VectorError};

/// The lines of a response file that say something.
pub(crate) struct Response<'a> {
    file: &'a str,
    entries: Vec<Entry<'a>>,
    next: usize,
    last_line: usize,
}

/// A line that says something.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<'a> {
    pub(crate) line: usize,
    /// Whether it stands in brackets and so holds for all that follows.
    pub(crate) section: bool,
    pub(crate) key: &'a str,
    pub(crate) value: &'a str,
}

/// Reads a file from a path.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, VectorError> {
    std::fs::read(path)
        .map_err(|error| VectorError::Unreadable { file: path.display().to_string(), reason: error.to_string() })
}

/// The bytes that hexadecimal digits stand for.
pub(crate) fn hex_bytes(key: &'static str, digits: &str) -> Result<Vec<u8>, Reason> {
    let mut bytes = vec![0; digits.len() / 2];
    // Much faster than to collect them.
    hex::decode_to_slice(digits, &mut bytes).map(|()| bytes).map_err(|error| match error {
        hex::FromHexError::InvalidHexCharacter { c: found, index: position } => Reason::NotHex { key, found, position },
        hex::FromHexError::OddLength | hex::FromHexError::InvalidStringLength => {
            Reason::OddDigits { key, digits: digits.len() }
        }
    })
}

impl<'a> Response<'a> {
    /// Splits a file into lines. Keys that are not in `keys` are errors.
    pub(crate) fn new(file: &'a str, bytes: &'a [u8], keys: &[&str]) -> Result<Response<'a>, VectorError> {
        let mut response = Response { file, entries: Vec::new(), next: 0, last_line: 1 };
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
            response.last_line = index + 1;
            let text = std::str::from_utf8(line)
                .map_err(|error| response.error(index + 1, Reason::NotText { offset: error.valid_up_to() }))?
                .trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let (section, text) = match text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
                Some(text) => (true, text),
                None => (false, text),
            };
            let (key, value) = match text.split_once('=') {
                Some((key, value)) => (key.trim(), value.trim()),
                None if section => (text.trim(), ""),
                None => return Err(response.error(index + 1, Reason::NotAField)),
            };
            if !keys.contains(&key) {
                return Err(response.error(index + 1, Reason::UnknownKey { key: key.to_owned() }));
            }
            response.entries.push(Entry { line: index + 1, section, key, value });
        }
        Ok(response)
    }

    /// The next line, left where it is.
    pub(crate) fn peek(&self) -> Option<Entry<'a>> {
        self.entries.get(self.next).copied()
    }

    /// The next line if it is this section.
    pub(crate) fn section(&mut self, key: &str) -> Option<Entry<'a>> {
        self.next_if(true, key)
    }

    /// The next line, which must be this field.
    pub(crate) fn field(&mut self, key: &'static str) -> Result<Entry<'a>, VectorError> {
        self.next_if(false, key).ok_or_else(|| self.missing(key))
    }

    fn next_if(&mut self, section: bool, key: &str) -> Option<Entry<'a>> {
        let entry = self.peek().filter(|entry| entry.section == section && entry.key == key)?;
        self.next += 1;
        Some(entry)
    }

    /// That the next line is not what is expected.
    pub(crate) fn missing(&self, expected: &'static str) -> VectorError {
        let found = self.peek();
        let line = found.map_or(self.last_line, |entry| entry.line);
        self.error(line, Reason::MissingField { expected, found: found.map(|entry| entry.key.to_owned()) })
    }

    /// That something is wrong at the file's end.
    pub(crate) fn error_at_end(&self, reason: Reason) -> VectorError {
        self.error(self.last_line, reason)
    }

    pub(crate) fn error(&self, line: usize, reason: Reason) -> VectorError {
        VectorError::Malformed { file: self.file.to_owned(), line, reason }
    }

    /// Where an entry stands: file and line.
    pub(crate) fn source(&self, entry: &Entry<'_>) -> String {
        format!("{}:{}", self.file, entry.line)
    }

    /// The value as a decimal number.
    pub(crate) fn number(&self, key: &'static str, entry: &Entry<'_>) -> Result<usize, VectorError> {
        let digits = !entry.value.is_empty() && entry.value.bytes().all(|byte| byte.is_ascii_digit());
        let number = if digits { entry.value.parse().ok() } else { None };
        number.ok_or_else(|| self.error(entry.line, Reason::NotANumber { key, value: entry.value.to_owned() }))
    }

    /// The value as bytes.
    pub(crate) fn bytes(&self, key: &'static str, entry: &Entry<'_>) -> Result<Vec<u8>, VectorError> {
        hex_bytes(key, entry.value).map_err(|reason| self.error(entry.line, reason))
    }

    /// The value as bytes, of which there must be so many.
    pub(crate) fn bytes_of_length(
        &self,
        key: &'static str,
        entry: &Entry<'_>,
        expected: usize,
        said_by: &'static str,
    ) -> Result<Vec<u8>, VectorError> {
        let bytes = self.bytes(key, entry)?;
        if bytes.len() == expected {
            return Ok(bytes);
        }
        Err(self.error(entry.line, Reason::WrongLength { key, said_by, expected, given: bytes.len() }))
    }
}
