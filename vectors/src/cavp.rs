//! Response files of NIST's Cryptographic Algorithm Validation Program (CAVP).
//!
//! Of the SHA Validation System (SHAVS) the byte-oriented forms are read: short and long messages, and Monte Carlo
//! chains.

use std::path::Path;

use crate::response::{Response, read};
use crate::{HashVector, MonteCarlo, Reason, VectorError};

/// Messages and digests, from a file on disk.
///
/// # Errors
/// If the file cannot be read, or as [`parse_messages`].
pub fn read_messages(path: &Path, digest_bytes: usize) -> Result<Vec<HashVector>, VectorError> {
    parse_messages(&path.display().to_string(), &read(path)?, digest_bytes)
}

/// A Monte Carlo chain, from a file on disk.
///
/// # Errors
/// If the file cannot be read, or as [`parse_monte_carlo`].
pub fn read_monte_carlo(path: &Path, digest_bytes: usize) -> Result<MonteCarlo, VectorError> {
    parse_monte_carlo(&path.display().to_string(), &read(path)?, digest_bytes)
}

/// Messages and digests of an algorithm whose digest has `digest_bytes`: `[L = …]`, then `Len`, `Msg` and `MD` for each.
///
/// # Errors
/// At the first line that is wrong, and if there is no case at all.
pub fn parse_messages(file: &str, bytes: &[u8], digest_bytes: usize) -> Result<Vec<HashVector>, VectorError> {
    let mut response = Response::new(file, bytes, &["L", "Len", "Msg", "MD"])?;
    let mut vectors = Vec::new();
    if response.peek().is_none() {
        return Err(response.error_at_end(Reason::NoCases));
    }
    digest_length(&mut response, digest_bytes)?;
    while response.peek().is_some() {
        let length = response.field("Len")?;
        let bits = response.number("Len", &length)?;
        if bits % 8 != 0 {
            return Err(response.error(length.line, Reason::PartialByte { bits }));
        }
        let message = response.field("Msg")?;
        let message = if bits == 0 {
            // The empty message is written as one byte, 00.
            response.bytes_of_length("Msg", &message, 1, "the custom of CAVP for Len = 0")?;
            Vec::new()
        } else {
            response.bytes_of_length("Msg", &message, bits / 8, "Len")?
        };
        let digest = response.field("MD")?;
        let digest = response.bytes_of_length("MD", &digest, digest_bytes, "L")?;
        vectors.push(HashVector { key: Vec::new(), message, digest, source: response.source(&length) });
    }
    if vectors.is_empty() {
        return Err(response.error_at_end(Reason::NoCases));
    }
    Ok(vectors)
}

/// A Monte Carlo chain of an algorithm whose digest has `digest_bytes`: `[L = …]`, `Seed`, then `COUNT` and `MD` for
/// each checkpoint.
///
/// # Errors
/// At the first line that is wrong, and if the chain has another number of checkpoints than SHAVS asks for.
pub fn parse_monte_carlo(file: &str, bytes: &[u8], digest_bytes: usize) -> Result<MonteCarlo, VectorError> {
    let mut response = Response::new(file, bytes, &["L", "Seed", "COUNT", "MD"])?;
    if response.peek().is_none() {
        return Err(response.error_at_end(Reason::NoCases));
    }
    digest_length(&mut response, digest_bytes)?;
    let seed_entry = response.field("Seed")?;
    let seed = response.bytes_of_length("Seed", &seed_entry, digest_bytes, "L")?;
    let mut checkpoints = Vec::new();
    while response.peek().is_some() {
        let count = response.field("COUNT")?;
        let given = response.number("COUNT", &count)?;
        if given != checkpoints.len() {
            return Err(response.error(count.line, Reason::OutOfOrder { expected: checkpoints.len(), given }));
        }
        let digest = response.field("MD")?;
        checkpoints.push(response.bytes_of_length("MD", &digest, digest_bytes, "L")?);
    }
    if checkpoints.len() != MonteCarlo::CHECKPOINTS {
        let reason = Reason::Checkpoints { expected: MonteCarlo::CHECKPOINTS, given: checkpoints.len() };
        return Err(response.error_at_end(reason));
    }
    Ok(MonteCarlo { seed, checkpoints, source: response.source(&seed_entry) })
}

/// The section that says how long digests are, which must agree with the algorithm.
fn digest_length(response: &mut Response<'_>, expected: usize) -> Result<(), VectorError> {
    let section = response.section("L").ok_or_else(|| response.missing("[L]"))?;
    let given = response.number("L", &section)?;
    if given == expected {
        return Ok(());
    }
    Err(response.error(section.line, Reason::OtherDigestLength { expected, given }))
}
