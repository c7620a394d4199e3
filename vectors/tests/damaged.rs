//! A damaged file is an error that names the file, the line and the reason.

use std::path::Path;

use vambrace_vectors::blake2::{KnownAnswers, parse_carries, parse_known_answers};
use vambrace_vectors::cavp::{parse_messages, parse_monte_carlo, read_messages, read_monte_carlo};
use vambrace_vectors::{FILES, Reason, VectorError};

/// Two messages for a digest of four bytes, as CAVP writes them: `Len` stands in lines 6 and 10.
const MESSAGES: &str = "#  CAVS 11.0\r\n#  \"TEST\"\r\n\r\n[L = 4]\r\n\r\n\
                        Len = 0\r\nMsg = 00\r\nMD = 00010203\r\n\r\n\
                        Len = 16\r\nMsg = a1b2\r\nMD = 04050607\r\n\r\n";

fn published(path: &str) -> &'static [u8] {
    FILES.iter().find(|file| file.path == path).unwrap().contents
}

fn monte_carlo() -> &'static str {
    std::str::from_utf8(published("cavp/sha2/SHA256Monte.rsp")).unwrap()
}

/// The file after a replacement, which must apply exactly once.
#[track_caller]
fn damaged(whole: &str, from: &str, to: &str) -> String {
    assert_eq!(whole.matches(from).count(), 1, "{from:?} must occur once");
    whole.replacen(from, to, 1)
}

#[track_caller]
fn messages_fail(bytes: impl AsRef<[u8]>, line: usize, reason: Reason) {
    let error = parse_messages("damaged.rsp", bytes.as_ref(), 4).unwrap_err();
    assert_eq!(error, VectorError::Malformed { file: "damaged.rsp".into(), line, reason: reason.clone() });
    assert_eq!((error.file(), error.line(), error.reason()), (Some("damaged.rsp"), Some(line), Some(&reason)));
    assert_eq!(error.to_string(), format!("damaged.rsp:{line}: {reason}"));
}

#[track_caller]
fn chain_fails(bytes: impl AsRef<[u8]>, line: usize, reason: Reason) {
    let error = parse_monte_carlo("chain.rsp", bytes.as_ref(), 32).unwrap_err();
    assert_eq!(error, VectorError::Malformed { file: "chain.rsp".into(), line, reason });
}

#[test]
fn the_undamaged_file_parses() {
    let vectors = parse_messages("whole.rsp", MESSAGES.as_bytes(), 4).unwrap();
    assert_eq!(vectors.len(), 2);
    assert_eq!(
        (&*vectors[0].message, &*vectors[0].digest, &*vectors[0].source),
        (&[][..], &[0, 1, 2, 3][..], "whole.rsp:6")
    );
    assert_eq!((&*vectors[1].message, &*vectors[1].digest), (&[0xa1, 0xb2][..], &[4, 5, 6, 7][..]));
    // Line ends of either kind, and a last line without one.
    let unix = MESSAGES.replace("\r\n", "\n");
    assert_eq!(parse_messages("whole.rsp", unix.trim_end().as_bytes(), 4).unwrap(), vectors);
}

#[test]
fn a_missing_file_is_named() {
    let path = Path::new("no/such/SHA256ShortMsg.rsp");
    for error in [read_messages(path, 32).unwrap_err(), read_monte_carlo(path, 32).unwrap_err()] {
        assert_eq!((error.file(), error.line()), (Some("no/such/SHA256ShortMsg.rsp"), None));
        assert!(matches!(&error, VectorError::Unreadable { reason, .. } if reason.contains("No such file")), "{error}");
    }
}

#[test]
fn a_file_on_disk_is_read() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/cavp/sha2");
    assert_eq!(read_messages(&data.join("SHA256ShortMsg.rsp"), 32).unwrap().len(), 65);
    assert_eq!(read_monte_carlo(&data.join("SHA256Monte.rsp"), 32).unwrap().checkpoints.len(), 100);
    let error = read_messages(&data.join("SHA256Monte.rsp"), 32).unwrap_err();
    assert_eq!(error.line(), Some(8));
    assert!(error.file().unwrap().ends_with("data/cavp/sha2/SHA256Monte.rsp"));
}

#[test]
fn truncated_hex_is_refused() {
    let odd = damaged(MESSAGES, "MD = 04050607\r\n\r\n", "MD = 0405060");
    messages_fail(odd, 12, Reason::OddDigits { key: "MD", digits: 7 });
    let even = damaged(MESSAGES, "MD = 04050607\r\n\r\n", "MD = 040506");
    messages_fail(even, 12, Reason::WrongLength { key: "MD", said_by: "L", expected: 4, given: 3 });
    let nothing = damaged(MESSAGES, "MD = 04050607\r\n\r\n", "MD = ");
    messages_fail(nothing, 12, Reason::WrongLength { key: "MD", said_by: "L", expected: 4, given: 0 });
}

#[test]
fn an_odd_number_of_digits_is_refused() {
    messages_fail(damaged(MESSAGES, "a1b2", "a1b"), 11, Reason::OddDigits { key: "Msg", digits: 3 });
}

#[test]
fn a_character_that_is_no_digit_is_refused() {
    let reason = Reason::NotHex { key: "Msg", found: 'g', position: 2 };
    messages_fail(damaged(MESSAGES, "a1b2", "a1g2"), 11, reason);
}

#[test]
fn a_missing_field_is_named_where_it_should_stand() {
    let missing = |expected, found: &str| Reason::MissingField { expected, found: Some(found.to_owned()) };
    messages_fail(damaged(MESSAGES, "Msg = 00\r\n", ""), 7, missing("Msg", "MD"));
    messages_fail(damaged(MESSAGES, "Len = 16\r\n", ""), 10, missing("Len", "Msg"));
    messages_fail(damaged(MESSAGES, "MD = 00010203\r\n", ""), 9, missing("MD", "Len"));
    messages_fail(damaged(MESSAGES, "[L = 4]\r\n", ""), 5, missing("[L]", "Len"));
    // The end of the file instead of a digest, with and without the empty line before it.
    let cut = damaged(MESSAGES, "MD = 04050607\r\n\r\n", "");
    messages_fail(&cut, 11, Reason::MissingField { expected: "MD", found: None });
    messages_fail(cut + "\r\n", 12, Reason::MissingField { expected: "MD", found: None });
}

#[test]
fn a_section_is_no_field() {
    let reason = Reason::MissingField { expected: "Len", found: Some("Len".into()) };
    messages_fail(damaged(MESSAGES, "Len = 16", "[Len = 16]"), 10, reason);
}

#[test]
fn a_message_of_another_length_is_refused() {
    let reason = Reason::WrongLength { key: "Msg", said_by: "Len", expected: 3, given: 2 };
    messages_fail(damaged(MESSAGES, "Len = 16", "Len = 24"), 11, reason);
    let reason = Reason::WrongLength { key: "Msg", said_by: "Len", expected: 2, given: 3 };
    messages_fail(damaged(MESSAGES, "a1b2", "a1b2c3"), 11, reason);
    messages_fail(damaged(MESSAGES, "Len = 16", "Len = 12"), 10, Reason::PartialByte { bits: 12 });
    let reason = Reason::WrongLength { key: "Msg", said_by: "the custom of CAVP for Len = 0", expected: 1, given: 2 };
    messages_fail(damaged(MESSAGES, "Len = 16", "Len = 0"), 11, reason);
}

#[test]
fn a_length_that_is_no_number_is_refused() {
    for value in ["sixteen", "", "-8", "+8", "99999999999999999999999"] {
        let reason = Reason::NotANumber { key: "Len", value: value.into() };
        messages_fail(damaged(MESSAGES, "Len = 16", &format!("Len = {value}")), 10, reason);
    }
}

#[test]
fn digests_of_another_algorithm_are_refused() {
    messages_fail(published("cavp/sha2/SHA224ShortMsg.rsp"), 6, Reason::OtherDigestLength { expected: 4, given: 28 });
    let reason = Reason::WrongLength { key: "MD", said_by: "L", expected: 4, given: 5 };
    messages_fail(damaged(MESSAGES, "00010203", "0001020304"), 8, reason);
}

#[test]
fn an_empty_file_is_refused() {
    messages_fail("", 1, Reason::NoCases);
    chain_fails("", 1, Reason::NoCases);
    messages_fail("# nothing\r\n\r\n# but comments\r\n", 3, Reason::NoCases);
    messages_fail("# a header\n\n[L = 4]\n", 3, Reason::NoCases);
}

#[test]
fn a_binary_file_is_refused() {
    messages_fail(b"\x7fELF\x02\x01\x01\0\0", 1, Reason::NotAField);
    messages_fail([0x80; 64], 1, Reason::NotText { offset: 0 });
    let mut bytes = MESSAGES.as_bytes().to_vec();
    let place = MESSAGES.find("b2\r\n").unwrap();
    bytes[place] = 0xff;
    messages_fail(bytes, 11, Reason::NotText { offset: 8 });
    messages_fail(b"[L = 4]\nLen = 8\nMsg = 00\0\nMD = 00010203", 3, Reason::OddDigits { key: "Msg", digits: 3 });
}

#[test]
fn an_unknown_key_is_refused() {
    let reason = Reason::UnknownKey { key: "Message".into() };
    messages_fail(damaged(MESSAGES, "Msg = a1b2", "Message = a1b2"), 11, reason);
    messages_fail(damaged(MESSAGES, "[L = 4]", "[ENCRYPT]"), 4, Reason::UnknownKey { key: "ENCRYPT".into() });
    messages_fail(damaged(MESSAGES, "Msg = a1b2", "Msg a1b2"), 11, Reason::NotAField);
}

#[test]
fn checkpoints_are_counted_from_zero_without_gaps() {
    chain_fails(
        damaged(monte_carlo(), "COUNT = 2\r\n", "COUNT = 3\r\n"),
        16,
        Reason::OutOfOrder { expected: 2, given: 3 },
    );
    chain_fails(
        damaged(monte_carlo(), "COUNT = 0\r\n", "COUNT = 1\r\n"),
        10,
        Reason::OutOfOrder { expected: 0, given: 1 },
    );
    let reason = Reason::MissingField { expected: "COUNT", found: Some("MD".into()) };
    chain_fails(damaged(monte_carlo(), "COUNT = 1\r\n", ""), 13, reason);
}

#[test]
fn a_chain_that_ends_early_or_late_is_refused() {
    let text = monte_carlo();
    let cut = &text[..text.find("COUNT = 99").unwrap()];
    chain_fails(cut, cut.lines().count(), Reason::Checkpoints { expected: 100, given: 99 });
    let longer = format!("{text}COUNT = 100\r\nMD = {}\r\n", "00".repeat(32));
    chain_fails(&longer, longer.lines().count(), Reason::Checkpoints { expected: 100, given: 101 });
}

#[test]
fn a_seed_has_the_length_of_a_digest() {
    let reason = Reason::WrongLength { key: "Seed", said_by: "L", expected: 32, given: 31 };
    chain_fails(damaged(monte_carlo(), "Seed = 6d", "Seed = "), 8, reason);
}

#[test]
fn every_cut_of_a_published_file_is_an_error_or_a_shorter_list() {
    // The first 3000 bytes, so that emulation takes no long time.
    let whole = &published("cavp/sha2/SHA256ShortMsg.rsp")[..3000];
    let all = parse_messages("cut.rsp", published("cavp/sha2/SHA256ShortMsg.rsp"), 32).unwrap();
    for length in 0..whole.len() {
        let lines = whole[..length].split(|&byte| byte == b'\n').count();
        match parse_messages("cut.rsp", &whole[..length], 32) {
            Ok(some) => assert_eq!(some, all[..some.len()], "cut after {length} bytes"),
            Err(error) => {
                assert_eq!(error.file(), Some("cut.rsp"));
                assert!((1..=lines).contains(&error.line().unwrap()), "cut after {length} bytes: {error}");
            }
        }
    }
}

/// Two functions' worth of nothing, in the form of the header file.
fn header() -> String {
    let digest = "  {\n    0x01, 0x02\n  },\n";
    let array = |name: &str| format!("static const uint8_t {name}[KAT_LENGTH][2] =\n{{\n{}}};\n", digest.repeat(256));
    format!("/* comment */\n{}\n{}", array("x_kat"), array("x_keyed_kat"))
}

#[track_caller]
fn header_fails(bytes: impl AsRef<[u8]>, line: usize, reason: Reason) {
    let answers = KnownAnswers { prefix: "x", digest_bytes: 2 };
    let error = parse_known_answers("kat.h", bytes.as_ref(), answers).unwrap_err();
    assert_eq!(error, VectorError::Malformed { file: "kat.h".into(), line, reason });
}

#[test]
fn a_damaged_header_of_known_answers_is_refused() {
    let whole = header();
    let answers = KnownAnswers { prefix: "x", digest_bytes: 2 };
    let vectors = parse_known_answers("kat.h", whole.as_bytes(), answers).unwrap();
    assert_eq!((vectors.len(), &*vectors[511].key, &*vectors[3].message), (512, &[0, 1][..], &[0, 1, 2][..]));

    let lines = whole.lines().count() + 1;
    header_fails("", 1, Reason::MissingField { expected: "an array of known answers", found: None });
    header_fails(b"\xff\xfe", 1, Reason::NotText { offset: 0 });
    let one = whole.replace("x_keyed_kat", "y_kat");
    header_fails(one, lines, Reason::MissingField { expected: "an array of known answers", found: None });
    let longer = whole.replacen("0x01, 0x02", "0x01, 0x02, 0x03", 1);
    header_fails(longer, 4, Reason::WrongLength { key: "digest", said_by: "the algorithm", expected: 2, given: 3 });
    let garbage = whole.replacen("0x01, 0x02", "0x01, 0xgg", 1);
    header_fails(garbage, 5, Reason::NotANumber { key: "byte", value: "0xgg".into() });
    let cut = &whole[..whole.len() / 4];
    let cut = &cut[..cut.rfind('{').unwrap()];
    header_fails(cut, cut.split('\n').count(), Reason::MissingField { expected: "a digest", found: None });
    let more = whole.replacen("};", "  {\n    0x01, 0x02\n  }\n};", 1);
    header_fails(more, 4 + 3 * 256, Reason::MissingField { expected: "the end of the array", found: None });
}

#[test]
fn a_damaged_file_of_carries_is_refused() {
    let whole = "State = 0102\nCount = 5\nMsg = \nMD = 0304\n";
    assert_eq!(parse_carries("c.rsp", whole.as_bytes(), 2).unwrap()[0].count, 5);
    let fails = |text: &str, line, reason| {
        let error = parse_carries("c.rsp", text.as_bytes(), 2).unwrap_err();
        assert_eq!(error, VectorError::Malformed { file: "c.rsp".into(), line, reason });
    };
    fails("", 1, Reason::NoCases);
    fails(&whole.replace("= 5", "= 5x"), 2, Reason::NotANumber { key: "Count", value: "5x".into() });
    fails(
        &whole.replace("= 0102", "= 01"),
        1,
        Reason::WrongLength { key: "State", said_by: "the algorithm", expected: 2, given: 1 },
    );
    fails(&whole.replace("MD = 0304\n", ""), 3, Reason::MissingField { expected: "MD", found: None });
    fails(&whole.replace("0304", "030"), 4, Reason::OddDigits { key: "MD", digits: 3 });
}
