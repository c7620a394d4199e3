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
    if !named::hashes().any(|known| known == algorithm) {
        let names: Vec<&str> = named::hashes().chain(crate::eval_ciphers::NAMES.iter().copied()).collect();
        return Err(format!("unknown algorithm {algorithm:?}; the algorithms are {}", names.join(", ")));
    }
    let (output_bytes, limit) = named::sizes(algorithm)?;
    let parametrised = named::takes_parameters(algorithm);
    let mut used = vec!["messages", "state", "count", "output_len"];
    if parametrised {
        used.extend(["key", "salt", "personal"]);
    }
    refuse_unused(request, algorithm, &used)?;
    let parameters = Parameters::of(request, output_bytes)?;
    if let Some(given) = request.output_len.filter(|&given| !parametrised && given != output_bytes as u64) {
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
    feed(hash.as_mut(), &input, request.parts.as_deref())?;
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
fn feed(hash: &mut dyn RunningHash, input: &Input<'_>, parts: Option<&[u64]>) -> Result<(), String> {
    let mut done = 0;
    for length in part_lengths(parts, input.len())? {
        feed_part(hash, input, done, done + length)?;
        done += length;
    }
    Ok(())
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

/// Refuses a field that the algorithm has no use for: any that is not among those that every algorithm has or those `used`.
pub(crate) fn refuse_unused(request: &Request, algorithm: &str, used: &[&str]) -> Result<(), String> {
    let fields = [
        ("messages", request.messages.is_some()),
        ("state", request.state.is_some()),
        ("count", request.count.is_some()),
        ("output_len", request.output_len.is_some()),
        ("key", request.key.is_some()),
        ("iv", request.iv.is_some()),
        ("counter", request.counter.is_some()),
        ("rounds", request.rounds.is_some()),
        ("allow_equal_keys", request.allow_equal_keys.is_some()),
        ("tweak", request.tweak.is_some()),
        ("direction", request.direction.is_some()),
        ("in_place", request.in_place.is_some()),
        ("salt", request.salt.is_some()),
        ("personal", request.personal.is_some()),
    ];
    match fields.iter().find(|(field, given)| *given && !used.contains(field)) {
        Some((field, _)) => Err(format!("{algorithm} has no {field}")),
        None => Ok(()),
    }
}

/// The lengths of the parts of a message of so many bytes, that of the rest last.
pub(crate) fn part_lengths(parts: Option<&[u64]>, message: u64) -> Result<Vec<u64>, String> {
    let mut lengths = parts.unwrap_or_default().to_vec();
    let mut left = message;
    for &part in &lengths {
        left = left.checked_sub(part).ok_or_else(|| {
            format!("the parts reach beyond the message of {message} bytes: {part} more after {}", message - left)
        })?;
    }
    lengths.push(left);
    Ok(lengths)
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
        let known = "sha224, sha256, sha384, sha512, sha512-224, sha512-256, blake2b, blake2s, blake2bp, blake2sp";
        assert!(error(r#"{"algorithm":"sha3","message":""}"#).contains(known));
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

    /// BLAKE2b of `abc` with some more fields.
    fn blake2b(fields: &str) -> String {
        format!(r#"{{"algorithm":"blake2b","message":"616263"{fields}}}"#)
    }

    const SALT: &str = "73737373737373737373737373737373";
    const PERSONAL: &str = "70707070707070707070707070707070";

    /// The digests are by Python's `hashlib`, whose BLAKE2 is the authors' own.
    #[test]
    fn blake2b_takes_all_its_parameters() {
        let plain = "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1\
                     7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923";
        assert_eq!(output(&blake2b("")), plain);
        assert_eq!(output(&blake2b(r#","output_len":64,"key":"","salt":"","personal":"""#)), plain);
        assert_eq!(
            output(&blake2b(r#","key":"6b6579""#)),
            "5c6a9a4ae911c02fb7e71a991eb9aea371ae993d4842d206e6020d46f5e41358\
             c6d5c277c110ef86c959ed63e6ecaaaceaaff38019a43264ae06acf73b9550b1"
        );
        assert_eq!(output(&blake2b(r#","output_len":20"#)), "384264f676f39536840523f284921cdc68b6846b");
        assert_eq!(
            output(&blake2b(&format!(r#","salt":"{SALT}""#))),
            "818f5213db7a4da552f37c187b9027e5033a15da870fd40aea08c9ae64df94d9\
             fbfebe945c5e20fe68337fc768e364bde627eb583adda81f838e4264ba3da46e"
        );
        assert_eq!(
            output(&blake2b(&format!(r#","personal":"{PERSONAL}""#))),
            "07fc72e115f516a0339a31f44a6ae388145b4a85da611c7275b2ef186ddc575a\
             c2a28122dc82fe0fcf4d11351805ef6f8650d3cef6fe15ac1a104eccf450b6c8"
        );
        let key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
        let all = format!(r#","output_len":20,"key":"{key}","salt":"{SALT}","personal":"{PERSONAL}""#);
        let expected = "4b41c3145fdde940975429100248996ecdd30605";
        assert_eq!(output(&blake2b(&all)), expected);
        assert_eq!(output(&blake2b(&format!(r#"{all},"parts":[1,0,1],"tier":"generic""#))), expected);
    }

    #[test]
    fn parameters_beyond_the_limits_are_named() {
        let key = |bytes: usize| format!(r#","key":"{}""#, "ab".repeat(bytes));
        output(&blake2b(&key(64)));
        assert_eq!(error(&blake2b(&key(65))), "a key has 1 to 64 bytes, but 65 were given");
        assert_eq!(error(&blake2b(&key(256))), "a key has 1 to 64 bytes, but 256 were given");
        for given in ["0", "65", "256", "320", "4294967295"] {
            let expected = format!("a digest has 1 to 64 bytes, but {given} were asked for");
            assert_eq!(error(&blake2b(&format!(r#","output_len":{given}"#))), expected);
        }
        assert!(error(&blake2b(r#","output_len":18446744073709551615"#)).contains("a digest has 1 to 64 bytes"));
        assert!(error(&blake2b(r#","output_len":-1"#)).contains("malformed request"));
        for bytes in [1, 15, 17, 32] {
            let wrong = "ab".repeat(bytes);
            let of_salt = error(&blake2b(&format!(r#","salt":"{wrong}""#)));
            assert_eq!(of_salt, format!("a salt has 16 bytes, but {bytes} were given"));
            let of_personal = error(&blake2b(&format!(r#","personal":"{wrong}""#)));
            assert_eq!(of_personal, format!("a personalisation has 16 bytes, but {bytes} were given"));
        }
        for field in ["key", "salt", "personal"] {
            assert!(error(&blake2b(&format!(r#","{field}":"0""#))).contains(field));
        }
        let shorter = r#"{"algorithm":"blake2s","message":"","key":"KEY"}"#.replace("KEY", &"00".repeat(33));
        assert_eq!(error(&shorter), "a key has 1 to 32 bytes, but 33 were given");
        let shorter = format!(r#"{{"algorithm":"blake2s","message":"","salt":"{SALT}"}}"#);
        assert_eq!(error(&shorter), "a salt has 8 bytes, but 16 were given");
        let tree = r#"{"algorithm":"blake2sp","message":"","output_len":33}"#;
        assert_eq!(error(tree), "a digest has 1 to 32 bytes, but 33 were asked for");
    }

    #[test]
    fn what_does_not_go_together_is_an_error() {
        let state = format!(r#","state":"{}","count":128"#, "00".repeat(64));
        output(&blake2b(&state));
        for field in [
            r#""key":"00""#,
            r#""output_len":20"#,
            &format!(r#""salt":"{SALT}""#),
            &format!(r#""personal":"{PERSONAL}""#),
        ] {
            let both = error(&blake2b(&format!("{state},{field}")));
            assert_eq!(both, "state cannot be given beside key, output_len, salt and personal");
            let many = error(&format!(r#"{{"algorithm":"blake2b","messages":["00"],{field}}}"#));
            assert!(many.ends_with(" cannot be given beside messages"), "{many}");
        }
        for field in [r#""iv":"00""#, r#""counter":1"#, r#""rounds":12"#, r#""tweak":"00""#, r#""direction":"encrypt""#]
        {
            assert!(error(&blake2b(&format!(",{field}"))).starts_with("blake2b has no "));
        }
        for field in [r#""key":"00""#, r#""salt":"00""#, r#""personal":"00""#] {
            let line = format!(r#"{{"algorithm":"sha512","message":"",{field}}}"#);
            assert!(error(&line).starts_with("sha512 has no "), "{}", error(&line));
        }
        for tree in ["blake2bp", "blake2sp"] {
            let state = "00".repeat(if tree == "blake2bp" { 64 } else { 32 });
            let line = format!(r#"{{"algorithm":"{tree}","message":"","state":"{state}","count":0}}"#);
            assert_eq!(error(&line), format!("{tree} cannot be started from a state"));
        }
    }

    /// The digests are composed of those of Python's `hashlib`, which takes the parameters of a tree's nodes.
    #[test]
    fn blake2sp_is_a_tree() {
        let digest = "70f75b58f1fecab821db43c88ad84edde5a52600616cd22517b7bb14d440a7d5";
        assert_eq!(output(r#"{"algorithm":"blake2sp","message":"616263"}"#), digest);
        let message: Vec<u8> = (0..1000).map(|i| (i % 251) as u8).collect();
        let line = format!(r#"{{"algorithm":"blake2sp","message":"{}","parts":[513,1]}}"#, hex::encode(message));
        assert_eq!(output(&line), "611f1af6610cdaf674ec2c9178f6376ebe234ef50998a3be3f1fa698fb779274");
    }

    #[test]
    fn several_messages_of_blake2s_have_their_digests() {
        let line = r#"{"algorithm":"blake2s","messages":["616263","","61","616263","61"]}"#;
        let answer: Value = serde_json::from_str(&answer(line)).unwrap();
        let abc = "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982";
        let empty = "69217a3079908094e11121d042354a7c1f55b6482ca1a51e1b250dfd1ed0eef9";
        let a = "4a0d129873403037c2cd9b9048203687f6233fb6738956e0349bd4320fec3e90";
        assert_eq!(answer["outputs"], serde_json::json!([abc, empty, a, abc, a]));
    }

    /// The digests are by an implementation of FIPS 180-4 in Python, whose numbers have no end.
    #[test]
    fn sha512_counts_bits_beyond_64() {
        let state: String = (0..64).map(|byte| format!("{byte:02x}")).collect();
        let line = |count: &str| {
            format!(r#"{{"algorithm":"sha512","message":"616263","parts":[1],"state":"{state}","count":{count}}}"#)
        };
        // 2^64 bits, 2^67 bits, and the last block that there can be.
        for (count, digest) in [
            (
                "2305843009213693952",
                "acc4ce02af54f3368b374bf90b2b32a792f3c1e6757c289376bcc0f38ece1874\
                 25ce0895b3b5d1b94c144ba39f4bbc7aa3d73ba95811c14614ae05e2790b75c9",
            ),
            (
                r#""18446744073709551616""#,
                "47b9f10bcd1b6c5211ee4fdfdcd0264e04357dc85cc5cb4624140965ddb974e0\
                 c4a28c5ac57f226709923815601480e1c78475db9efef6c2461f1022de13e26b",
            ),
            (
                r#""42535295865117307932921825928971026304""#,
                "eb551c8b395884d97a71de5474b40ee4b64a9eeaadd51577ef349e814a1a8710\
                 b3604de1cd0053e1ec885db7107b22d1970de640d823ef5c6527226d933099bb",
            ),
        ] {
            assert_eq!(output(&line(count)), digest, "{count}");
        }
        let beyond = error(&line(r#""42535295865117307932921825928971026432""#));
        assert!(beyond.contains("exceeds the limit of 42535295865117307932921825928971026431 bytes"), "{beyond}");
        assert!(error(&line("64")).contains("multiple of the block size 128"));
        assert!(error(&line("18446744073709551616")).contains("malformed request"), "a number that JSON rounds");
    }

    /// The digest is by the authors' library, as in `vectors/data/blake2/blake2b-carries.rsp`.
    #[test]
    fn blake2b_counts_bytes_beyond_64_bits() {
        let state = "e3058c641f31144e396186648c61bb55e623640698de21c0ff4b602b5108aaff\
             1ca5b97462a0dd2825a2a63ef86da97297726ad23179b275d98bc3d2c3ab9d28";
        let message = "04606b4b29ff39a8267b2e3b8b4df0469eb7ed55d3112da8adff20281cdd49b2\
             03fafaeb67a82084e334550b0988a9ba151076f5b293783e12cce1ab99400020\
             d9679bfba2bf77dd42a37033e9dd335e950655fc96095ce513ca17c1f064da52\
             1aa8fc572a58d9d4be70f5623317e0521def70a0668cb0adbe4ff6be6be66502\
             5d";
        let digest = "9aebbe248194eefab5b0816e8d1923c5df7345daf3fc72a7007c0f573cd6e71f\
             80347ba9db59efbf85d4c3e3951927cc4d6a9e07543fa9b8237c29d53c71c95b";
        let line = format!(
            r#"{{"algorithm":"blake2b","message":"{message}","parts":[127,2],"state":"{state}","count":18446744073709551488}}"#
        );
        assert_eq!(output(&line), digest);
    }
}
