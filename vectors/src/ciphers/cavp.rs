//! Response files of NIST's validation systems for AES (AESVS) and for XTS-AES (XTSVS).

use super::{BlockVector, PartialXtsVector, XtsVector, XtsVectors};
use crate::response::{Entry, Response};
use crate::{Reason, VectorError};

/// What a file of XTSVS has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Xts {
    /// Bytes of each of the two keys.
    pub key_bytes: usize,
    /// How the tweak is written.
    pub tweak: XtsTweak,
}

/// How a tweak is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum XtsTweak {
    /// As `i`, 16 bytes.
    Bytes,
    /// As `DataUnitSeqNumber`, a decimal number.
    Number,
}

/// Bytes of a block.
const BLOCK: usize = 16;

/// The fields of a case: the text given and the text wanted.
type Order = [&'static str; 2];

/// The order of the texts in the section that begins here, of plaintext and ciphertext.
fn direction(response: &mut Response<'_>, [plaintext, ciphertext]: Order) -> Result<Order, VectorError> {
    if response.section("ENCRYPT").is_some() {
        Ok([plaintext, ciphertext])
    } else if response.section("DECRYPT").is_some() {
        Ok([ciphertext, plaintext])
    } else {
        Err(response.missing("[ENCRYPT] or [DECRYPT]"))
    }
}

/// The case's number, which must be the next one.
fn count<'a>(response: &mut Response<'a>, expected: usize) -> Result<Entry<'a>, VectorError> {
    let entry = response.field("COUNT")?;
    let given = response.number("COUNT", &entry)?;
    if given == expected { Ok(entry) } else { Err(response.error(entry.line, Reason::OutOfOrder { expected, given })) }
}

/// Data units of XTSVS: `[ENCRYPT]` and `[DECRYPT]`, then `COUNT` (from 1), `DataUnitLen` in bits, `Key` (both keys), the tweak,
/// and `PT` and `CT`, or `CT` and `PT`.
///
/// # Errors
/// At the first line that is wrong, and if there is no case at all.
pub fn parse_xts(file: &str, bytes: &[u8], xts: Xts) -> Result<XtsVectors, VectorError> {
    let keys = ["ENCRYPT", "DECRYPT", "COUNT", "DataUnitLen", "Key", "i", "DataUnitSeqNumber", "PT", "CT"];
    let mut response = Response::new(file, bytes, &keys)?;
    let mut vectors = XtsVectors::default();
    while response.peek().is_some() {
        let order = direction(&mut response, ["PT", "CT"])?;
        let mut number = 1;
        while response.peek().is_some_and(|entry| !entry.section) {
            let first = count(&mut response, number)?;
            number += 1;
            let entry = response.field("DataUnitLen")?;
            let bits = response.number("DataUnitLen", &entry)?;
            if bits < 8 * BLOCK {
                let reason = Reason::WrongLength {
                    key: "DataUnitLen",
                    said_by: "XTS, at least,",
                    expected: BLOCK,
                    given: bits.div_ceil(8),
                };
                return Err(response.error(entry.line, reason));
            }
            let entry = response.field("Key")?;
            let key = response.bytes_of_length("Key", &entry, 2 * xts.key_bytes, "the algorithm")?;
            let (key1, key2) = key.split_at(xts.key_bytes);
            let tweak = match xts.tweak {
                XtsTweak::Bytes => {
                    let entry = response.field("i")?;
                    response.bytes_of_length("i", &entry, BLOCK, "the algorithm")?
                }
                XtsTweak::Number => {
                    let entry = response.field("DataUnitSeqNumber")?;
                    (response.number("DataUnitSeqNumber", &entry)? as u128).to_le_bytes().to_vec()
                }
            };
            let [plaintext, ciphertext] = texts(&mut response, order, Some(bits.div_ceil(8)))?;
            let source = response.source(&first);
            let unit = XtsVector { key1: key1.to_vec(), key2: key2.to_vec(), tweak, plaintext, ciphertext, source };
            if bits % 8 == 0 {
                vectors.units.push(unit);
            } else {
                vectors.partial_units.push(PartialXtsVector { bits, unit });
            }
        }
    }
    if vectors == XtsVectors::default() {
        return Err(response.error_at_end(Reason::NoCases));
    }
    Ok(vectors)
}

/// Plaintext and ciphertext, which stand in this order or the other: of as many bytes as `DataUnitLen` says, or whole blocks.
fn texts(response: &mut Response<'_>, order: Order, length: Option<usize>) -> Result<[Vec<u8>; 2], VectorError> {
    let entry = response.field(order[0])?;
    let given = match length {
        Some(length) => response.bytes_of_length(order[0], &entry, length, "DataUnitLen")?,
        None => response.bytes(order[0], &entry)?,
    };
    if length.is_none() && (given.is_empty() || given.len() % BLOCK != 0) {
        let expected = given.len().next_multiple_of(BLOCK).max(BLOCK);
        let reason = Reason::WrongLength { key: order[0], said_by: "the block size", expected, given: given.len() };
        return Err(response.error(entry.line, reason));
    }
    let entry = response.field(order[1])?;
    let wanted = response.bytes_of_length(order[1], &entry, given.len(), "the other text")?;
    Ok(if matches!(order[0], "PT" | "PLAINTEXT") { [given, wanted] } else { [wanted, given] })
}

/// Blocks of AESVS, in ECB: `[ENCRYPT]` and `[DECRYPT]`, then `COUNT` (from 0), `KEY`, and `PLAINTEXT` and `CIPHERTEXT`, or
/// `CIPHERTEXT` and `PLAINTEXT`.
///
/// # Errors
/// At the first line that is wrong, and if there is no case at all.
pub fn parse_blocks(file: &str, bytes: &[u8], key_bytes: usize) -> Result<Vec<BlockVector>, VectorError> {
    let mut response = Response::new(file, bytes, &["ENCRYPT", "DECRYPT", "COUNT", "KEY", "PLAINTEXT", "CIPHERTEXT"])?;
    let mut vectors = Vec::new();
    while response.peek().is_some() {
        let order = direction(&mut response, ["PLAINTEXT", "CIPHERTEXT"])?;
        let mut number = 0;
        while response.peek().is_some_and(|entry| !entry.section) {
            let first = count(&mut response, number)?;
            number += 1;
            let entry = response.field("KEY")?;
            let key = response.bytes_of_length("KEY", &entry, key_bytes, "the algorithm")?;
            let [plaintext, ciphertext] = texts(&mut response, order, None)?;
            vectors.push(BlockVector { key, plaintext, ciphertext, source: response.source(&first) });
        }
    }
    if vectors.is_empty() {
        return Err(response.error_at_end(Reason::NoCases));
    }
    Ok(vectors)
}
