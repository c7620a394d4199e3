//! The ciphers behind `eval`.

use vambrace_harness::subject::Direction;

use crate::eval::{Request, bytes, part_lengths, refuse_unused};
use crate::named;

/// Bytes of a block of Salsa20.
const SALSA20_BLOCK: u128 = 64;

/// The algorithms, by the names that requests use: keys and `rounds` say which of a family.
pub(crate) const NAMES: &[&str] =
    &["salsa20", "xsalsa20", "aes-xts", "speck64-xts", "speck128-xts", "speck64", "speck128"];

/// What becomes of the message. `None` if the algorithm is no cipher.
pub(crate) fn evaluate(request: &Request, algorithm: &str, tier: &str) -> Option<Result<Vec<u8>, String>> {
    match algorithm {
        "salsa20" | "xsalsa20" => Some(stream(request, algorithm, tier)),
        "aes-xts" | "speck64-xts" | "speck128-xts" => Some(xts(request, algorithm, tier)),
        "speck64" | "speck128" => Some(blocks(request, algorithm, tier)),
        _ => None,
    }
}

fn stream(request: &Request, algorithm: &str, tier: &str) -> Result<Vec<u8>, String> {
    refuse_unused(request, algorithm, &["key", "iv", "counter", "rounds", "in_place"])?;
    let rounds = request.rounds.unwrap_or(20);
    let of_rounds = match (algorithm, rounds) {
        ("salsa20", 20) => "salsa20",
        ("salsa20", 12) => "salsa20-12",
        ("salsa20", 8) => "salsa20-8",
        (_, 20) => "xsalsa20",
        (_, 12) => "xsalsa20-12",
        (_, 8) => "xsalsa20-8",
        _ => return Err(format!("rounds must be 8, 12 or 20, but is {rounds}")),
    };
    let (key, nonce) = (required(&request.key, "key")?, required(&request.iv, "iv")?);
    let mut running = named::stream(of_rounds, tier, &key, &nonce)
        .unwrap_or_else(|| Err(format!("unknown algorithm {algorithm:?}")))?;
    if let Some(counter) = &request.counter {
        let counter = counter.value("counter")?;
        let position = counter.checked_mul(SALSA20_BLOCK);
        running.seek(position.ok_or_else(|| format!("counter must be at most 2^64, but is {counter}"))?)?;
    }
    let mut data = message(request)?;
    let input = data.clone();
    let mut done = 0;
    for length in part_lengths(request.parts.as_deref(), data.len() as u64)? {
        let range = done..done + length as usize;
        match request.in_place {
            Some(false) => running.apply_to(&input[range.clone()], &mut data[range.clone()])?,
            _ => running.apply(&mut data[range.clone()])?,
        }
        done = range.end;
    }
    Ok(data)
}

fn xts(request: &Request, algorithm: &str, tier: &str) -> Result<Vec<u8>, String> {
    refuse_unused(request, algorithm, &["key", "tweak", "direction", "in_place", "allow_equal_keys"])?;
    if request.parts.is_some() {
        return Err("a data unit has no parts".to_owned());
    }
    let (key, tweak) = (required(&request.key, "key")?, required(&request.tweak, "tweak")?);
    let keyed = named::xts(algorithm, tier, &key, request.allow_equal_keys.unwrap_or(false))
        .unwrap_or_else(|| Err(format!("unknown algorithm {algorithm:?}")))?;
    let direction = direction(request)?;
    let mut data = message(request)?;
    match request.in_place {
        Some(false) => {
            let input = data.clone();
            keyed.crypt_to(direction, &tweak, &input, &mut data)?;
        }
        _ => keyed.crypt(direction, &tweak, &mut data)?,
    }
    Ok(data)
}

fn blocks(request: &Request, algorithm: &str, tier: &str) -> Result<Vec<u8>, String> {
    refuse_unused(request, algorithm, &["key", "direction"])?;
    if request.parts.is_some() {
        return Err("whole blocks have no parts".to_owned());
    }
    let key = required(&request.key, "key")?;
    let mut data = message(request)?;
    named::blocks(algorithm, tier, &key, direction(request)?, &mut data)
        .unwrap_or_else(|| Err(format!("unknown algorithm {algorithm:?}")))?;
    Ok(data)
}

fn direction(request: &Request) -> Result<Direction, String> {
    match request.direction.as_deref() {
        None | Some("encrypt") => Ok(Direction::Encrypt),
        Some("decrypt") => Ok(Direction::Decrypt),
        Some(other) => Err(format!("direction must be encrypt or decrypt, but is {other:?}")),
    }
}

fn required(field: &Option<String>, name: &str) -> Result<Vec<u8>, String> {
    bytes(field.as_deref().ok_or_else(|| format!("the field {name} is missing"))?, name)
}

/// The longest pattern: a cipher's output is as long as its input.
const LONGEST: u64 = 1 << 28;

fn message(request: &Request) -> Result<Vec<u8>, String> {
    match (&request.message, &request.pattern) {
        (Some(message), None) => bytes(message, "message"),
        (None, Some(pattern)) if pattern.len > LONGEST => {
            Err(format!("a pattern for a cipher has at most {LONGEST} bytes, but len is {}", pattern.len))
        }
        (None, Some(pattern)) => Ok(vec![pattern.byte; pattern.len as usize]),
        _ => Err("one of message and pattern must be given".to_owned()),
    }
}
