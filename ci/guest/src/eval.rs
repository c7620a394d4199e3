//! Every kernel behind JSON lines: a request per line, an answer per line, so that any other tool can drive them.
//!
//! ```
//! let request = r#"{"id":1,"algorithm":"sha256","tier":"generic","message":"616263","parts":[1,0,2]}"#;
//! let answer = vambrace_verify::eval::answer(request);
//! assert!(answer.starts_with(r#"{"id":1,"output":"ba7816bf"#));
//! ```
//!
//! A request names an `algorithm`, a `tier` (`auto` if absent) and one of `message` (hex), `messages` (an array of them, for
//! several at once) and `pattern` (`{"len":n,"byte":b}`: n times the byte b). `parts` are the lengths of the updates, after
//! which the rest follows in one. `state` and `count` inject a chaining value (its words in order, each most significant
//! digit first) with `count` bytes already hashed. BLAKE2 takes `key`, `output_len`, `salt` and `personal`; Salsa20
//! `key`, `iv`, `counter` (the first block) and `rounds`; ciphers in XTS mode (`aes-xts`, `speck64-xts`, `speck128-xts`) `key`, `tweak`,
//! `direction`, `in_place` and `allow_equal_keys`; the bare `speck64` and `speck128` `key` and `direction`. A field that the algorithm has no use for is an error, as is an unknown
//! one. The answer repeats the `id` and has `output`, `outputs` or `error`.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use vambrace_harness::subject::RunningHash;
use vambrace_reference::oracles::HashParameters;

use crate::named;

/// A request. Numbers that may exceed what JSON readers keep exact are decimal strings or numbers.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Request {
    pub(crate) id: Value,
    pub(crate) algorithm: Option<String>,
    pub(crate) tier: Option<String>,
    pub(crate) message: Option<String>,
    pub(crate) messages: Option<Vec<String>>,
    pub(crate) pattern: Option<Pattern>,
    pub(crate) parts: Option<Vec<u64>>,
    pub(crate) state: Option<String>,
    pub(crate) count: Option<Number>,
    pub(crate) output_len: Option<u64>,
    pub(crate) key: Option<String>,
    pub(crate) iv: Option<String>,
    pub(crate) counter: Option<Number>,
    pub(crate) rounds: Option<u64>,
    pub(crate) allow_equal_keys: Option<bool>,
    pub(crate) tweak: Option<String>,
    pub(crate) direction: Option<String>,
    pub(crate) in_place: Option<bool>,
    pub(crate) salt: Option<String>,
    pub(crate) personal: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pattern {
    pub(crate) len: u64,
    pub(crate) byte: u8,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Number {
    Small(u64),
    Decimal(String),
}

impl Number {
    pub(crate) fn value(&self, field: &str) -> Result<u128, String> {
        match self {
            Number::Small(value) => Ok(u128::from(*value)),
            Number::Decimal(text) => {
                text.parse().map_err(|_| format!("{field} must be a decimal number below 2^128, but is {text:?}"))
            }
        }
    }
}

#[derive(Serialize)]
struct Answer {
    id: Value,
    #[serde(flatten)]
    result: AnswerResult,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum AnswerResult {
    Output(String),
    Outputs(Vec<String>),
    Error(String),
}

/// The answer to one line.
pub fn answer(line: &str) -> String {
    let answer = match serde_json::from_str::<Request>(line) {
        Ok(request) => Answer { result: evaluate(&request).unwrap_or_else(AnswerResult::Error), id: request.id },
        // A line may be no request and still say whose it is.
        Err(error) => {
            let id = serde_json::from_str::<Value>(line).ok().and_then(|value| value.get("id").cloned());
            Answer { id: id.unwrap_or(Value::Null), result: AnswerResult::Error(format!("malformed request: {error}")) }
        }
    };
    serde_json::to_string(&answer).unwrap_or_else(|error| format!(r#"{{"id":null,"error":"unprintable: {error}"}}"#))
}

/// What is hashed.
enum Input<'a> {
    Bytes(Vec<u8>),
    Pattern(&'a Pattern),
}

impl Input<'_> {
    fn len(&self) -> u64 {
        match self {
            Input::Bytes(bytes) => bytes.len() as u64,
            Input::Pattern(pattern) => pattern.len,
        }
    }
}

fn evaluate(request: &Request) -> Result<AnswerResult, String> {
    let algorithm = request.algorithm.as_deref().ok_or("the field algorithm is missing")?;
    let tier = request.tier.as_deref().unwrap_or("auto");
    if let Some(answer) = crate::eval_ciphers::evaluate(request, algorithm, tier) {
        return answer.map(|output| AnswerResult::Output(hex::encode(output)));
    }
    let (output_bytes, limit) = named::sizes(algorithm)?;
    refuse_unused(request, algorithm)?;
    let parameters = Parameters::of(request, output_bytes)?;
    if let Some(given) =
        request.output_len.filter(|&given| !named::takes_parameters(algorithm) && given != output_bytes as u64)
    {
        return Err(format!("{algorithm} has an output of {output_bytes} bytes, but output_len is {given}"));
    }

    if let Some(messages) = &request.messages {
        let alone = [
            ("message", request.message.is_some()),
            ("pattern", request.pattern.is_some()),
            ("parts", request.parts.is_some()),
            ("state", request.state.is_some()),
            ("count", request.count.is_some()),
            ("key", request.key.is_some()),
            ("output_len", parameters.output_bytes != output_bytes),
            ("salt", request.salt.is_some()),
            ("personal", request.personal.is_some()),
        ];
        if let Some((field, _)) = alone.iter().find(|(_, given)| *given) {
            return Err(format!("{field} cannot be given beside messages"));
        }
        let decode = |(index, text): (usize, &String)| bytes(text, &format!("messages[{index}]"));
        let messages = messages.iter().enumerate().map(decode).collect::<Result<Vec<_>, _>>()?;
        let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
        let outputs = named::digest_many(algorithm, tier, &messages)?;
        return Ok(AnswerResult::Outputs(outputs.iter().map(hex::encode).collect()));
    }

    let input = match (&request.message, &request.pattern) {
        (Some(message), None) => Input::Bytes(bytes(message, "message")?),
        (None, Some(pattern)) => Input::Pattern(pattern),
        _ => return Err("one of message, messages and pattern must be given".into()),
    };
    let (mut hash, count) = match (&request.state, &request.count) {
        (Some(_), Some(_)) if parameters.are_given => {
            return Err("state cannot be given beside key, output_len, salt and personal".into());
        }
        (Some(state), Some(count)) => {
            let count = count.value("count")?;
            (named::start_from(algorithm, tier, &bytes(state, "state")?, count)?, count)
        }
        (None, None) if parameters.are_given => (named::start_with(algorithm, tier, &parameters.borrow())?, 0),
        (None, None) => (named::start(algorithm, tier)?, 0),
        _ => return Err("state and count must be given together".into()),
    };
    let total = count.saturating_add(u128::from(input.len()));
    if total > limit {
        return Err(format!("a message of {total} bytes exceeds the limit of {limit} bytes"));
    }
    feed(hash.as_mut(), &input, request.parts.as_deref().unwrap_or_default())?;
    Ok(AnswerResult::Output(hex::encode(hash.finalize())))
}

/// What a function with parameters is given.
struct Parameters {
    are_given: bool,
    output_bytes: usize,
    key: Vec<u8>,
    salt: Vec<u8>,
    personal: Vec<u8>,
}

impl Parameters {
    fn of(request: &Request, output_bytes: usize) -> Result<Parameters, String> {
        let decode = |field: &Option<String>, name| bytes(field.as_deref().unwrap_or_default(), name);
        let given = request.output_len;
        let fields = [&request.key, &request.salt, &request.personal];
        Ok(Parameters {
            are_given: given.is_some() || fields.iter().any(|field| field.is_some()),
            output_bytes: given.map_or(output_bytes, |given| usize::try_from(given).unwrap_or(usize::MAX)),
            key: decode(&request.key, "key")?,
            salt: decode(&request.salt, "salt")?,
            personal: decode(&request.personal, "personal")?,
        })
    }

    fn borrow(&self) -> HashParameters<'_> {
        HashParameters { output_bytes: self.output_bytes, key: &self.key, salt: &self.salt, personal: &self.personal }
    }
}

/// Updates by the lengths in `parts`, then by the rest.
fn feed(hash: &mut dyn RunningHash, input: &Input<'_>, parts: &[u64]) -> Result<(), String> {
    let mut done = 0;
    for &part in parts {
        let end = u64::checked_add(done, part).filter(|&end| end <= input.len()).ok_or_else(|| {
            format!("the parts reach beyond the message of {} bytes: {part} more after {done}", input.len())
        })?;
        feed_part(hash, input, done, end)?;
        done = end;
    }
    feed_part(hash, input, done, input.len())
}

fn feed_part(hash: &mut dyn RunningHash, input: &Input<'_>, from: u64, to: u64) -> Result<(), String> {
    /// A long pattern goes in by as much at a time.
    const STEP: u64 = 1 << 20;

    let mut update = |data: &[u8]| hash.try_update(data).unwrap_or(Ok(()));
    match input {
        Input::Bytes(bytes) => update(&bytes[from as usize..to as usize]),
        Input::Pattern(pattern) => {
            let buffer = vec![pattern.byte; STEP.min(to - from) as usize];
            let mut left = to - from;
            loop {
                let now = left.min(STEP);
                update(&buffer[..now as usize])?;
                left -= now;
                if left == 0 {
                    return Ok(());
                }
            }
        }
    }
}

/// What other algorithms take, and this one has no use for.
fn refuse_unused(request: &Request, algorithm: &str) -> Result<(), String> {
    let plain = !named::takes_parameters(algorithm);
    let fields = [
        ("key", plain && request.key.is_some()),
        ("iv", request.iv.is_some()),
        ("counter", request.counter.is_some()),
        ("rounds", request.rounds.is_some()),
        ("allow_equal_keys", request.allow_equal_keys.is_some()),
        ("tweak", request.tweak.is_some()),
        ("direction", request.direction.is_some()),
        ("in_place", request.in_place.is_some()),
        ("salt", plain && request.salt.is_some()),
        ("personal", plain && request.personal.is_some()),
    ];
    match fields.iter().find(|(_, given)| *given) {
        Some((field, _)) => Err(format!("{algorithm} has no {field}")),
        None => Ok(()),
    }
}

pub(crate) fn bytes(text: &str, field: &str) -> Result<Vec<u8>, String> {
    hex::decode(text).map_err(|error| format!("{field} is no hexadecimal string: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(line: &str) -> String {
        let answer: Value = serde_json::from_str(&answer(line)).unwrap();
        answer["error"].as_str().unwrap_or_else(|| panic!("no error: {answer}")).to_owned()
    }

    fn output(line: &str) -> String {
        let answer: Value = serde_json::from_str(&answer(line)).unwrap();
        answer["output"].as_str().unwrap_or_else(|| panic!("no output: {answer}")).to_owned()
    }

    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn a_message_in_parts_has_its_digest() {
        assert_eq!(output(r#"{"id":1,"algorithm":"sha256","message":"616263"}"#), ABC);
        assert_eq!(output(r#"{"id":1,"algorithm":"sha256","message":"616263","parts":[1,0,2]}"#), ABC);
        assert_eq!(output(r#"{"id":1,"algorithm":"sha256","message":"616263","parts":[1]}"#), ABC);
    }

    #[test]
    fn an_id_of_any_kind_comes_back() {
        let answer = answer(r#"{"id":{"a":[1,"x"]},"algorithm":"sha256","message":""}"#);
        assert!(answer.starts_with(r#"{"id":{"a":[1,"x"]},"output":"e3b0c442"#), "{answer}");
    }

    #[test]
    fn a_pattern_is_its_bytes() {
        // FIPS 180-4's classic example: a million times the letter a.
        let line = r#"{"algorithm":"sha256","pattern":{"len":1000000,"byte":97},"parts":[63,64,65]}"#;
        assert_eq!(output(line), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
        let empty = r#"{"algorithm":"sha256","pattern":{"len":0,"byte":97}}"#;
        assert_eq!(output(empty), output(r#"{"algorithm":"sha256","message":""}"#));
    }

    #[test]
    fn several_messages_have_their_digests() {
        let answer: Value =
            serde_json::from_str(&answer(r#"{"id":5,"algorithm":"sha256","messages":["616263","","616263"]}"#))
                .unwrap();
        assert_eq!(answer["outputs"][0], ABC);
        assert_eq!(answer["outputs"][2], ABC);
        assert_eq!(answer["outputs"].as_array().map(Vec::len), Some(3));
    }

    #[test]
    fn an_injected_state_is_continued() {
        // The initial hash value with no bytes hashed is the empty message.
        let initial = "6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19";
        let line = format!(r#"{{"algorithm":"sha256","message":"616263","state":"{initial}","count":"0"}}"#);
        assert_eq!(output(&line), ABC);
    }

    #[test]
    fn a_malformed_line_is_answered_with_an_error() {
        assert!(answer("{").starts_with(r#"{"id":null,"error":"malformed request"#));
        assert!(answer(r#"{"id":7,"algorithm":3}"#).starts_with(r#"{"id":7,"error":"malformed request"#));
        assert!(error(r#"{"algorithm":"sha256","mesage":""}"#).contains("mesage"));
        assert!(answer("").contains("error"));
        assert!(answer("[1]").contains("error"));
    }

    #[test]
    fn unknown_names_are_answered_with_what_is_known() {
        assert!(error(r#"{"algorithm":"sha3","message":""}"#).contains("sha224, sha256"));
        assert!(error(r#"{"algorithm":"sha256","tier":"avx","message":""}"#).contains("generic, scalar, neon, ce"));
        assert!(error(r#"{"message":""}"#).contains("algorithm"));
    }

    #[test]
    fn bad_values_are_named() {
        assert!(error(r#"{"algorithm":"sha256","message":"6"}"#).contains("message"));
        assert!(error(r#"{"algorithm":"sha256","message":"zz"}"#).contains("message"));
        assert!(error(r#"{"algorithm":"sha256","messages":["00","0"]}"#).contains("messages[1]"));
        assert!(error(r#"{"algorithm":"sha256","message":"00","parts":[1,1]}"#).contains("beyond the message of 1"));
        assert!(error(r#"{"algorithm":"sha256","message":"00","parts":[18446744073709551615,1]}"#).contains("beyond"));
        assert!(error(r#"{"algorithm":"sha256"}"#).contains("one of message"));
        assert!(error(r#"{"algorithm":"sha256","message":"","key":"00"}"#).contains("sha256 has no key"));
        assert!(error(r#"{"algorithm":"sha224","message":"","output_len":32}"#).contains("28 bytes"));
        assert!(error(r#"{"algorithm":"sha256","message":"","messages":[]}"#).contains("message cannot"));
    }

    #[test]
    fn a_message_beyond_the_limit_is_an_error() {
        let line = r#"{"algorithm":"sha256","pattern":{"len":2305843009213693952,"byte":0}}"#;
        assert!(error(line).contains("2305843009213693952 bytes exceeds the limit of 2305843009213693951"));
        let state = "00".repeat(32);
        let line = format!(r#"{{"algorithm":"sha256","message":"","state":"{state}","count":"2305843009213693952"}}"#);
        assert!(error(&line).contains("limit"));
        let last = (1u64 << 61) - 64;
        let line =
            format!(r#"{{"algorithm":"sha256","pattern":{{"len":64,"byte":0}},"state":"{state}","count":"{last}"}}"#);
        assert!(error(&line).contains("limit"));
        let line = format!(r#"{{"algorithm":"sha256","message":"","state":"{state}","count":"1"}}"#);
        assert!(error(&line).contains("multiple of the block size 64"));
        let line = r#"{"algorithm":"sha256","message":"","state":"00","count":64}"#;
        assert!(error(line).contains("32 bytes"));
        let line = format!(r#"{{"algorithm":"sha256","message":"","state":"{state}","count":"-1"}}"#);
        assert!(error(&line).contains("below 2^128"));
        let line = format!(r#"{{"algorithm":"sha256","message":"","state":"{state}"}}"#);
        assert!(error(&line).contains("together"));
    }
}
