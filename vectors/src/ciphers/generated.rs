//! Files of this project in the form of response files: what nobody publishes, generated with a library that others wrote,
//! and what is published in print alone.

use super::{CoreVector, StreamVector, XtsVector};
use crate::response::Response;
use crate::{Reason, VectorError};

/// Data units of a cipher with blocks of 16 bytes: `Key` (both keys), `i`, `PT`, `CT` for each. Those of another key size are
/// checked and left out.
///
/// # Errors
/// At the first line that is wrong, and if there is no case at all of this key size.
pub fn parse_xts(file: &str, bytes: &[u8], key_bytes: usize) -> Result<Vec<XtsVector>, VectorError> {
    let mut response = Response::new(file, bytes, &["Key", "i", "PT", "CT"])?;
    let mut vectors = Vec::new();
    while response.peek().is_some() {
        let first = response.field("Key")?;
        let key = response.bytes("Key", &first)?;
        let entry = response.field("i")?;
        let tweak = response.bytes_of_length("i", &entry, 16, "the algorithm")?;
        let entry = response.field("PT")?;
        let plaintext = response.bytes("PT", &entry)?;
        if plaintext.len() < 16 {
            let given = plaintext.len();
            let reason = Reason::WrongLength { key: "PT", said_by: "XTS, at least,", expected: 16, given };
            return Err(response.error(entry.line, reason));
        }
        let entry = response.field("CT")?;
        let ciphertext = response.bytes_of_length("CT", &entry, plaintext.len(), "PT")?;
        if key.len() == 2 * key_bytes {
            let (key1, key2) = key.split_at(key_bytes);
            let source = response.source(&first);
            vectors.push(XtsVector { key1: key1.to_vec(), key2: key2.to_vec(), tweak, plaintext, ciphertext, source });
        }
    }
    if vectors.is_empty() {
        return Err(response.error_at_end(Reason::NoCases));
    }
    Ok(vectors)
}

/// Parts of messages of zeros: `Rounds`, `Key`, `Nonce`, `Offset` (the bytes before the part) and `Stream` for each. Those of
/// another number of rounds or with nonces of another length are left out.
///
/// # Errors
/// At the first line that is wrong, and if there is no case at all of this number of rounds and nonces of this length.
pub fn parse_stream(
    file: &str,
    bytes: &[u8],
    rounds: usize,
    nonce_bytes: usize,
) -> Result<Vec<StreamVector>, VectorError> {
    let mut response = Response::new(file, bytes, &["Rounds", "Key", "Nonce", "Offset", "Stream"])?;
    let mut vectors = Vec::new();
    while response.peek().is_some() {
        let first = response.field("Rounds")?;
        let of_rounds = response.number("Rounds", &first)?;
        let entry = response.field("Key")?;
        let key = response.bytes("Key", &entry)?;
        if key.len() != 16 {
            response.bytes_of_length("Key", &entry, 32, "the algorithm")?;
        }
        let entry = response.field("Nonce")?;
        let nonce = response.bytes("Nonce", &entry)?;
        let entry = response.field("Offset")?;
        let offset = response.number("Offset", &entry)? as u64;
        let entry = response.field("Stream")?;
        let ciphertext = response.bytes("Stream", &entry)?;
        if ciphertext.is_empty() {
            let reason = Reason::WrongLength { key: "Stream", said_by: "a case, at least,", expected: 1, given: 0 };
            return Err(response.error(entry.line, reason));
        }
        if of_rounds == rounds && nonce.len() == nonce_bytes {
            let (plaintext, source) = (vec![0; ciphertext.len()], response.source(&first));
            vectors.push(StreamVector { key, nonce, offset, plaintext, ciphertext, source });
        }
    }
    if vectors.is_empty() {
        return Err(response.error_at_end(Reason::NoCases));
    }
    Ok(vectors)
}

/// Blocks of a stream: `Times`, `Input` and `Output` for each.
///
/// # Errors
/// At the first line that is wrong, and if there is no case at all.
pub fn parse_cores(file: &str, bytes: &[u8]) -> Result<Vec<CoreVector>, VectorError> {
    let mut response = Response::new(file, bytes, &["Times", "Input", "Output"])?;
    let mut vectors = Vec::new();
    while response.peek().is_some() {
        let first = response.field("Times")?;
        let times = response.number("Times", &first)?;
        let entry = response.field("Input")?;
        let input = response.bytes_of_length("Input", &entry, 64, "the algorithm")?;
        let entry = response.field("Output")?;
        let output = response.bytes_of_length("Output", &entry, 64, "the algorithm")?;
        vectors.push(CoreVector { times, input, output, source: response.source(&first) });
    }
    if vectors.is_empty() {
        return Err(response.error_at_end(Reason::NoCases));
    }
    Ok(vectors)
}
