//! What the BLAKE2 authors publish: the known answers of their C code, and the self-test of RFC 7693; and digests from
//! injected states, generated with their code.

use crate::response::Response;
use crate::{ContinuedVector, HashVector, Reason, VectorError};

/// Which known answers of the header file to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownAnswers {
    /// The arrays are called this and `_kat`, or `_keyed_kat`.
    pub prefix: &'static str,
    /// Bytes of a digest, and of the key.
    pub digest_bytes: usize,
}

/// Digests of each array of a header file.
const DIGESTS: usize = 256;

/// The known answers of one function from `blake2-kat.h`: digests of the messages 00, 00 01, 00 01 02 … of 0 to 255 bytes,
/// without a key and under the key 00 01 02 … of the greatest length.
///
/// # Errors
/// If the file has no such arrays, or at the first line that is wrong.
pub fn parse_known_answers(file: &str, bytes: &[u8], answers: KnownAnswers) -> Result<Vec<HashVector>, VectorError> {
    let error = |line: usize, reason| VectorError::Malformed { file: file.to_owned(), line, reason };
    let mut lines = Vec::new();
    for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let text = std::str::from_utf8(line)
            .map_err(|wrong| error(index + 1, Reason::NotText { offset: wrong.valid_up_to() }))?;
        lines.push((index + 1, text.trim()));
    }
    let last_line = lines.len();
    let mut vectors = Vec::new();
    for (array, keyed) in [("kat", false), ("keyed_kat", true)] {
        let declaration = format!("static const uint8_t {}_{array}[", answers.prefix);
        let begin = lines.iter().position(|(_, line)| line.starts_with(&declaration)).ok_or_else(|| {
            error(last_line, Reason::MissingField { expected: "an array of known answers", found: None })
        })?;
        let mut rest = lines[begin + 1..].iter();
        for message_bytes in 0..DIGESTS {
            let (line, digest) =
                next_digest(&mut rest).map_err(|(line, reason)| error(line.unwrap_or(last_line), reason))?;
            if digest.len() != answers.digest_bytes {
                let (expected, given) = (answers.digest_bytes, digest.len());
                return Err(error(
                    line,
                    Reason::WrongLength { key: "digest", said_by: "the algorithm", expected, given },
                ));
            }
            vectors.push(HashVector {
                key: if keyed { (0..answers.digest_bytes as u8).collect() } else { Vec::new() },
                message: (0..message_bytes).map(|byte| byte as u8).collect(),
                digest,
                source: format!("{file}:{line}"),
            });
        }
        match rest.find(|(_, line)| !line.is_empty()) {
            Some((_, "};")) => {}
            found => {
                let line = found.map_or(last_line, |(line, _)| *line);
                return Err(error(line, Reason::MissingField { expected: "the end of the array", found: None }));
            }
        }
    }
    Ok(vectors)
}

/// The next pair of braces with bytes in it, and the line where it begins.
fn next_digest<'a>(
    lines: &mut impl Iterator<Item = &'a (usize, &'a str)>,
) -> Result<(usize, Vec<u8>), (Option<usize>, Reason)> {
    let mut begun = None;
    let mut digest = Vec::new();
    for &(line, text) in lines {
        match (text, begun) {
            ("", _) => {}
            ("{", None) if digest.is_empty() => {
                // The array's own brace is followed by the first digest's.
                begun = Some(line);
            }
            ("{", Some(_)) if digest.is_empty() => begun = Some(line),
            ("}" | "},", Some(begun)) => return Ok((begun, digest)),
            (_, Some(_)) => {
                for byte in text.trim_end_matches(',').split(',').map(str::trim) {
                    let value = byte.strip_prefix("0x").and_then(|digits| u8::from_str_radix(digits, 16).ok());
                    digest.push(value.ok_or((Some(line), Reason::NotANumber { key: "byte", value: byte.to_owned() }))?);
                }
            }
            (_, None) => {
                return Err((Some(line), Reason::MissingField { expected: "a digest", found: Some(text.to_owned()) }));
            }
        }
    }
    Err((None, Reason::MissingField { expected: "a digest", found: None }))
}

/// Digests from injected states: `State`, `Count`, `Msg`, `MD` for each.
///
/// # Errors
/// At the first line that is wrong, and if there is no case at all.
pub fn parse_carries(file: &str, bytes: &[u8], digest_bytes: usize) -> Result<Vec<ContinuedVector>, VectorError> {
    let mut response = Response::new(file, bytes, &["State", "Count", "Msg", "MD"])?;
    let mut vectors = Vec::new();
    while response.peek().is_some() {
        let state_entry = response.field("State")?;
        let state = response.bytes_of_length("State", &state_entry, digest_bytes, "the algorithm")?;
        let count_entry = response.field("Count")?;
        let not_a_number = || {
            let value = count_entry.value.to_owned();
            response.error(count_entry.line, Reason::NotANumber { key: "Count", value })
        };
        let count = count_entry.value.parse().map_err(|_| not_a_number())?;
        let message = response.field("Msg")?;
        let message = response.bytes("Msg", &message)?;
        let digest = response.field("MD")?;
        let digest = response.bytes_of_length("MD", &digest, digest_bytes, "the algorithm")?;
        vectors.push(ContinuedVector { state, count, message, digest, source: response.source(&state_entry) });
    }
    if vectors.is_empty() {
        return Err(response.error_at_end(Reason::NoCases));
    }
    Ok(vectors)
}

/// The self-test of RFC 7693, appendix E: the digest of 32 bytes over all digests of some output and input lengths, without
/// a key and under a key as long as the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelfTest {
    /// The output lengths, in order.
    pub output_lengths: [usize; 4],
    /// The input lengths, in order.
    pub input_lengths: [usize; 6],
    /// The digest over all digests.
    pub digest: [u8; 32],
}

/// The self-test of an algorithm, if RFC 7693 has one.
pub fn self_test(algorithm: &str) -> Option<SelfTest> {
    match algorithm {
        "blake2b" => Some(SelfTest {
            output_lengths: [20, 32, 48, 64],
            input_lengths: [0, 3, 128, 129, 255, 1024],
            digest: [
                0xc2, 0x3a, 0x78, 0x00, 0xd9, 0x81, 0x23, 0xbd, 0x10, 0xf5, 0x06, 0xc6, 0x1e, 0x29, 0xda, 0x56, 0x03,
                0xd7, 0x63, 0xb8, 0xbb, 0xad, 0x2e, 0x73, 0x7f, 0x5e, 0x76, 0x5a, 0x7b, 0xcc, 0xd4, 0x75,
            ],
        }),
        "blake2s" => Some(SelfTest {
            output_lengths: [16, 20, 28, 32],
            input_lengths: [0, 3, 64, 65, 255, 1024],
            digest: [
                0x6a, 0x41, 0x1f, 0x08, 0xce, 0x25, 0xad, 0xcd, 0xfb, 0x02, 0xab, 0xa6, 0x41, 0x45, 0x1c, 0xec, 0x53,
                0xc5, 0x98, 0xb2, 0x4f, 0x4f, 0xc7, 0x87, 0xfb, 0xdc, 0x88, 0x79, 0x7f, 0x4c, 0x1d, 0xfe,
            ],
        }),
        _ => None,
    }
}

/// The deterministic sequence of appendix E, from a seed.
pub fn self_test_sequence(length: usize, seed: u32) -> Vec<u8> {
    let (mut a, mut b) = (0xdead_4bad_u32.wrapping_mul(seed), 1u32);
    (0..length)
        .map(|_| {
            let t = a.wrapping_add(b);
            (a, b) = (b, t);
            (t >> 24) as u8
        })
        .collect()
}
