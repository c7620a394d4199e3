//! The binary format of RustCrypto's test data, as the crate `blobby` 0.4 reads it: the number of blobs, a table of blobs that
//! occur more than once, and the blobs, each as its length and bytes or as a place in the table. Integers have seven bits
//! to a byte, most significant first, of which all but the last have the top bit set.

use super::StreamVector;
use crate::{Reason, VectorError};

/// What is read, from the front.
struct Reader<'a> {
    file: &'a str,
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn error(&self, expected: &'static str) -> VectorError {
        let reason = Reason::Blob { offset: self.at, expected };
        VectorError::Malformed { file: self.file.to_owned(), line: 1, reason }
    }

    fn take(&mut self, length: usize, expected: &'static str) -> Result<&'a [u8], VectorError> {
        let end = self.at.checked_add(length).filter(|&end| end <= self.bytes.len());
        let bytes = &self.bytes[self.at..end.ok_or_else(|| self.error(expected))?];
        self.at += length;
        Ok(bytes)
    }

    fn integer(&mut self) -> Result<usize, VectorError> {
        let mut value: usize = 0;
        for place in 0..4 {
            let byte = self.take(1, "an integer")?[0];
            value = value << 7 | usize::from(byte & 0x7f);
            if byte & 0x80 == 0 {
                return Ok(value);
            }
            if place < 3 {
                // No integer has two forms: those with one more byte begin where the others end.
                value += 1;
            }
        }
        Err(self.error("an integer of at most four bytes"))
    }

    fn blob(&mut self) -> Result<&'a [u8], VectorError> {
        let length = self.integer()?;
        self.take(length, "as many bytes as the length says")
    }
}

/// Every blob of a file.
fn blobs<'a>(reader: &mut Reader<'a>) -> Result<Vec<&'a [u8]>, VectorError> {
    let number = reader.integer()?;
    let table_length = reader.integer()?;
    let mut table = Vec::new();
    for _ in 0..table_length {
        table.push(reader.blob()?);
    }
    let mut blobs = Vec::new();
    for _ in 0..number {
        let value = reader.integer()?;
        blobs.push(if value & 1 == 1 {
            *table.get(value >> 1).ok_or_else(|| reader.error("a place in the table before this"))?
        } else {
            reader.take(value >> 1, "as many bytes as the length says")?
        });
    }
    if reader.at < reader.bytes.len() {
        return Err(reader.error("the end of the file"));
    }
    Ok(blobs)
}

/// Parts of messages of zeros: key, nonce, the part's place in four bytes (most significant first) and 64 bytes of the stream
/// for each.
///
/// # Errors
/// If the file is not of this format, or has no cases. The error names the byte; the line is always 1.
pub fn parse_stream(file: &str, bytes: &[u8]) -> Result<Vec<StreamVector>, VectorError> {
    let mut reader = Reader { file, bytes, at: 0 };
    let blobs = blobs(&mut reader)?;
    let (cases, rest) = blobs.as_chunks();
    if !rest.is_empty() {
        return Err(reader.error("four blobs for each case"));
    }
    let mut vectors = Vec::new();
    for (number, &[key, nonce, offset, stream]) in cases.iter().enumerate() {
        let offset = offset.try_into().map(u32::from_be_bytes);
        let offset = offset.map_err(|_| reader.error("four bytes for the place in the stream"))?;
        if key.len() != 32 || nonce.len() != 8 || stream.len() != 64 {
            return Err(reader.error("32 bytes of a key, eight of a nonce, 64 of the stream"));
        }
        vectors.push(StreamVector {
            key: key.to_vec(),
            nonce: nonce.to_vec(),
            offset: offset.into(),
            plaintext: vec![0; stream.len()],
            ciphertext: stream.to_vec(),
            source: format!("{file}, case {number}"),
        });
    }
    if vectors.is_empty() {
        return Err(VectorError::Malformed { file: file.to_owned(), line: 1, reason: Reason::NoCases });
    }
    Ok(vectors)
}
