//! A damaged file about a cipher is an error that names the file, the line and the reason.

use vambrace_vectors::ciphers::cavp::{Xts, XtsTweak, parse_blocks, parse_xts};
use vambrace_vectors::ciphers::{blobby, cryptopp, generated, wycheproof};
use vambrace_vectors::{FILES, Reason, VectorError};

fn published(path: &str) -> &'static [u8] {
    FILES.iter().find(|file| file.path == path).unwrap().contents
}

/// The file after a replacement, which must apply exactly once.
#[track_caller]
fn damaged(whole: &str, from: &str, to: &str) -> String {
    assert_eq!(whole.matches(from).count(), 1, "{from:?} must occur once");
    whole.replacen(from, to, 1)
}

#[track_caller]
fn fails<T: std::fmt::Debug>(result: Result<T, VectorError>, line: usize, reason: Reason) {
    assert_eq!(result.unwrap_err(), VectorError::Malformed { file: "damaged".into(), line, reason });
}

fn missing(expected: &'static str, found: &str) -> Reason {
    Reason::MissingField { expected, found: Some(found.to_owned()) }
}

fn wrong_length(key: &'static str, said_by: &'static str, expected: usize, given: usize) -> Reason {
    Reason::WrongLength { key, said_by, expected, given }
}

/// Two data units with keys of one byte each, one in either direction, the second of 18 bytes less some bits.
const UNITS: &str = "# comment\n[ENCRYPT]\n\
    COUNT = 1\nDataUnitLen = 128\nKey = 0a0b\ni = 000102030405060708090a0b0c0d0e0f\n\
    PT = 10101010101010101010101010101010\nCT = 20202020202020202020202020202020\n\
    [DECRYPT]\n\
    COUNT = 1\nDataUnitLen = 138\nKey = 0c0d\ni = 100102030405060708090a0b0c0d0e0f\n\
    CT = 404040404040404040404040404040404040\nPT = 303030303030303030303030303030303030\n";

const UNITS_HAVE: Xts = Xts { key_bytes: 1, tweak: XtsTweak::Bytes };

#[test]
fn the_undamaged_units_parse() {
    let vectors = parse_xts("whole", UNITS.as_bytes(), UNITS_HAVE).unwrap();
    let [unit] = &*vectors.units else { panic!("one of whole bytes") };
    assert_eq!((&*unit.key1, &*unit.key2, unit.tweak[15], &*unit.source), (&[10][..], &[11][..], 15, "whole:3"));
    assert_eq!((unit.plaintext[0], unit.ciphertext[0]), (0x10, 0x20));
    let [partial] = &*vectors.partial_units else { panic!("one of partial bytes") };
    assert_eq!((partial.bits, partial.unit.plaintext[0], partial.unit.ciphertext[0]), (138, 0x30, 0x40));

    let numbered = UNITS.replace("i = 000102030405060708090a0b0c0d0e0f", "DataUnitSeqNumber = 258");
    let numbered = &numbered[..numbered.find("[DECRYPT]").unwrap()];
    let tweak = Xts { tweak: XtsTweak::Number, ..UNITS_HAVE };
    assert_eq!(parse_xts("whole", numbered.as_bytes(), tweak).unwrap().units[0].tweak[..3], [2, 1, 0]);
    fails(parse_xts("damaged", numbered.as_bytes(), UNITS_HAVE), 6, missing("i", "DataUnitSeqNumber"));
    fails(parse_xts("damaged", UNITS.as_bytes(), tweak), 6, missing("DataUnitSeqNumber", "i"));
    let reason = Reason::NotANumber { key: "DataUnitSeqNumber", value: "-1".into() };
    fails(parse_xts("damaged", damaged(numbered, "258", "-1").as_bytes(), tweak), 6, reason);
}

#[track_caller]
fn units_fail(from: &str, to: &str, line: usize, reason: Reason) {
    fails(parse_xts("damaged", damaged(UNITS, from, to).as_bytes(), UNITS_HAVE), line, reason);
}

#[test]
fn damaged_units_are_refused() {
    units_fail("[ENCRYPT]\n", "", 2, missing("[ENCRYPT] or [DECRYPT]", "COUNT"));
    units_fail("[DECRYPT]", "[COUNT = 1]", 9, missing("[ENCRYPT] or [DECRYPT]", "COUNT"));
    units_fail("[DECRYPT]\n", "", 9, Reason::OutOfOrder { expected: 2, given: 1 });
    units_fail("= 138", "= 136", 14, wrong_length("CT", "DataUnitLen", 17, 18));
    units_fail("= 128", "= 127", 4, wrong_length("DataUnitLen", "XTS, at least,", 16, 16));
    units_fail("= 128", "= 8", 4, wrong_length("DataUnitLen", "XTS, at least,", 16, 1));
    units_fail("= 128", "= many", 4, Reason::NotANumber { key: "DataUnitLen", value: "many".into() });
    units_fail("0a0b\n", "0a\n", 5, wrong_length("Key", "the algorithm", 2, 1));
    units_fail("000102", "0102", 6, wrong_length("i", "the algorithm", 16, 15));
    units_fail("PT = 1010", "PT = 10", 7, wrong_length("PT", "DataUnitLen", 16, 15));
    units_fail("CT = 2020", "CT = 20", 8, wrong_length("CT", "the other text", 16, 15));
    units_fail("CT = 2020", "CT = 202x", 8, Reason::NotHex { key: "CT", found: 'x', position: 3 });
    units_fail("PT = 3030", "PT = 303", 15, Reason::OddDigits { key: "PT", digits: 35 });
    units_fail("PT = 1010", "XT = 1010", 7, Reason::UnknownKey { key: "XT".into() });
    let cut = &UNITS[..UNITS.find("PT = 30").unwrap()];
    let reason = Reason::MissingField { expected: "PT", found: None };
    fails(parse_xts("damaged", cut.as_bytes(), UNITS_HAVE), 14, reason);
    for empty in ["", "# nothing\n", "[ENCRYPT]\n[DECRYPT]\n"] {
        fails(parse_xts("damaged", empty.as_bytes(), UNITS_HAVE), empty.lines().count().max(1), Reason::NoCases);
    }
    let error = parse_xts("damaged", published("cavp/aes/XTSGenAES256-hexstr.rsp"), UNITS_HAVE).unwrap_err();
    assert_eq!(error.reason(), Some(&wrong_length("Key", "the algorithm", 2, 64)));
}

const BLOCKS: &str = "[ENCRYPT]\nCOUNT = 0\nKEY = 01\nPLAINTEXT = 10101010101010101010101010101010\n\
    CIPHERTEXT = 20202020202020202020202020202020\n";

#[test]
fn damaged_blocks_are_refused() {
    let vectors = parse_blocks("whole", BLOCKS.as_bytes(), 1).unwrap();
    assert_eq!((&*vectors[0].key, vectors[0].plaintext[0], vectors[0].ciphertext[0]), (&[1][..], 0x10, 0x20));
    let swapped =
        BLOCKS.replace("[ENC", "[DEC").replace("PLAIN", "X").replace("CIPHER", "PLAIN").replace('X', "CIPHER");
    let vectors = parse_blocks("whole", swapped.replace("TECIPHERT", "TEXT").as_bytes(), 1).unwrap();
    assert_eq!((vectors[0].plaintext[0], vectors[0].ciphertext[0]), (0x20, 0x10));

    let fail = |from, to, line, reason| {
        fails(parse_blocks("damaged", damaged(BLOCKS, from, to).as_bytes(), 1), line, reason);
    };
    fail("COUNT = 0", "COUNT = 1", 2, Reason::OutOfOrder { expected: 0, given: 1 });
    fail("KEY = 01", "KEY = 0101", 3, wrong_length("KEY", "the algorithm", 1, 2));
    fail("10101010101010101010101010101010", "1010", 4, wrong_length("PLAINTEXT", "the block size", 16, 2));
    fail("10101010101010101010101010101010", "", 4, wrong_length("PLAINTEXT", "the block size", 16, 0));
    fail("20202020202020202020202020202020", "2020", 5, wrong_length("CIPHERTEXT", "the other text", 16, 2));
    fail("[ENCRYPT]", "[DECRYPT]", 4, missing("CIPHERTEXT", "PLAINTEXT"));
    fails(parse_blocks("damaged", b"", 1), 1, Reason::NoCases);
    fails(parse_blocks("damaged", b"\xff", 1), 1, Reason::NotText { offset: 0 });
}

const STREAM: &str = "AlgorithmType: SymmetricCipher\nName: S\n# comment\nKey: 00 01\\\n  02\nIV: r2 0a0B\n\
    Plaintext: 0102\nSeek: 64\nCiphertext: a1A2\nTest: Encrypt\nRounds: 8\nTest: Encrypt\n\
    Rounds: 20\nSeek: 0\nCiphertextXorDigest: r64 05\nTest: EncryptXorDigest\nName: T\nTest: Whatever\n";

const STREAM_IS: cryptopp::Stream = cryptopp::Stream { name: "S", rounds: 20, nonce_bytes: 4 };

#[track_caller]
fn stream_fails(from: &str, to: &str, line: usize, reason: Reason) {
    fails(cryptopp::parse_stream("damaged", damaged(STREAM, from, to).as_bytes(), STREAM_IS), line, reason);
}

#[test]
fn damaged_streams_are_refused() {
    let vectors = cryptopp::parse_stream("whole", STREAM.as_bytes(), STREAM_IS).unwrap();
    let ([message], [digest]) = (&*vectors.messages, &*vectors.digests) else { panic!("one of each: {vectors:?}") };
    assert_eq!((&*message.key, &*message.nonce), (&[0, 1, 2][..], &[10, 11, 10, 11][..]));
    assert_eq!((message.offset, &*message.plaintext, &*message.ciphertext), (64, &[1, 2][..], &[0xa1, 0xa2][..]));
    assert_eq!((&*message.source, &*digest.digest, &*digest.source), ("whole:10", &[5; 64][..], "whole:16"));
    let eight = cryptopp::Stream { rounds: 8, ..STREAM_IS };
    assert_eq!(cryptopp::parse_stream("whole", STREAM.as_bytes(), eight).unwrap().messages[0].source, "whole:12");
    let far = damaged(STREAM, "Seek: 64", "Seek64: 0x3fffffffc0");
    assert_eq!(cryptopp::parse_stream("whole", far.as_bytes(), STREAM_IS).unwrap().messages[0].offset, 0x3f_ffff_ffc0);

    stream_fails("Key:", "Kex:", 4, Reason::UnknownKey { key: "Kex".into() });
    stream_fails("Key: 00", "Key 00", 4, Reason::NotAField);
    stream_fails("00 01", "00 0", 4, Reason::OddDigits { key: "Key", digits: 5 });
    stream_fails("00 01", "00 0g", 4, Reason::NotHex { key: "Key", found: 'g', position: 4 });
    stream_fails("r2 ", "rr ", 6, Reason::NotANumber { key: "IV", value: "r".into() });
    stream_fails("r2 ", "r3 ", 6, wrong_length("IV", "the algorithm", 4, 6));
    stream_fails("IV: r2 0a0B\n", "", 9, missing("IV", "Test"));
    stream_fails("a1A2", "a1", 9, wrong_length("Ciphertext", "Plaintext", 2, 1));
    stream_fails("Seek: 64", "Seek: far", 8, Reason::NotANumber { key: "Seek", value: "far".into() });
    stream_fails("Rounds: 8", "Rounds: -8", 11, Reason::NotANumber { key: "Rounds", value: "-8".into() });
    stream_fails("r64 05", "r63 05", 15, wrong_length("CiphertextXorDigest", "the block size", 64, 63));
    let unknown = |value: &str| Reason::UnknownValue { key: "Test", value: value.to_owned() };
    stream_fails("Name: T", "Name: S", 18, unknown("Whatever"));
    stream_fails("Seek: 0\n", "Seek: 1\n", 16, unknown("EncryptXorDigest"));
    stream_fails("Whatever\n", "Whatever\\\n", 18, Reason::MissingField { expected: "Test", found: None });
    let other = cryptopp::Stream { name: "U", ..STREAM_IS };
    fails(cryptopp::parse_stream("damaged", STREAM.as_bytes(), other), 18, Reason::NoCases);
    fails(cryptopp::parse_stream("damaged", b"", STREAM_IS), 1, Reason::NoCases);
    fails(cryptopp::parse_stream("damaged", b"#\n\x80", STREAM_IS), 2, Reason::NotText { offset: 0 });
    // AlgorithmType forgets what stood above it.
    let forgotten = format!("{STREAM}AlgorithmType: SymmetricCipher\nName: S\nTest: Encrypt\n");
    fails(cryptopp::parse_stream("damaged", forgotten.as_bytes(), STREAM_IS), 21, missing("Key", "Test"));
}

#[test]
fn damaged_blocks_of_cryptopp_are_refused() {
    let whole = "Name: B/ECB\nKey: 01\nPlaintext: 0102 0304\nCiphertext: 05060708\nTest: Encrypt\n\
                 Key: 0102\nTest: Encrypt\nName: B/CBC\nTest: Whatever\n";
    let blocks = cryptopp::Blocks { name: "B", key_bytes: 1, block_bytes: 2 };
    let vectors = cryptopp::parse_blocks("whole", whole.as_bytes(), blocks).unwrap();
    assert_eq!((vectors.len(), &*vectors[0].plaintext, &*vectors[0].source), (1, &[1, 2, 3, 4][..], "whole:5"));
    let fail = |from, to, line, reason| {
        fails(cryptopp::parse_blocks("damaged", damaged(whole, from, to).as_bytes(), blocks), line, reason);
    };
    fail("0102 0304", "0102 03", 3, wrong_length("Plaintext", "the block size", 4, 3));
    fail("0102 0304", "", 3, wrong_length("Plaintext", "the block size", 2, 0));
    fail("05060708", "0506", 4, wrong_length("Ciphertext", "Plaintext", 4, 2));
    fail("B/CBC\nTest", "B/ECB\nKey: 03\nTest", 10, Reason::UnknownValue { key: "Test", value: "Whatever".into() });
    let other = cryptopp::Blocks { key_bytes: 3, ..blocks };
    fails(cryptopp::parse_blocks("damaged", whole.as_bytes(), other), 9, Reason::NoCases);
}

#[test]
fn damaged_generated_files_are_refused() {
    let whole = "Key = 0102\ni = 000102030405060708090a0b0c0d0e0f\nPT = 10101010101010101010101010101010\n\
                 CT = 20202020202020202020202020202020\n";
    assert_eq!(generated::parse_xts("whole", whole.as_bytes(), 1).unwrap()[0].key2, [2]);
    let fail = |from, to, line, reason| {
        fails(generated::parse_xts("damaged", damaged(whole, from, to).as_bytes(), 1), line, reason);
    };
    fail("Key = 0102\n", "", 1, missing("Key", "i"));
    fail("= 0001", "= 00", 2, wrong_length("i", "the algorithm", 16, 15));
    fail("PT = 10", "PT = ", 3, wrong_length("PT", "XTS, at least,", 16, 15));
    fail("CT = 20", "CT = ", 4, wrong_length("CT", "PT", 16, 15));
    fails(generated::parse_xts("damaged", whole.as_bytes(), 2), 4, Reason::NoCases);

    let core = format!("Times = 3\nInput = {}\nOutput = {}\n", "01".repeat(64), "02".repeat(64));
    let vectors = generated::parse_cores("whole", core.as_bytes()).unwrap();
    assert_eq!((vectors[0].times, vectors[0].input[0], vectors[0].output[63]), (3, 1, 2));
    let fail = |from, to, line, reason| {
        fails(generated::parse_cores("damaged", damaged(&core, from, to).as_bytes()), line, reason);
    };
    fail("= 3", "= x", 1, Reason::NotANumber { key: "Times", value: "x".into() });
    fail("Input = 01", "Input = ", 2, wrong_length("Input", "the algorithm", 64, 63));
    fail("Output = 02", "Output = ", 3, wrong_length("Output", "the algorithm", 64, 63));
    fails(generated::parse_cores("damaged", b"# nothing\n"), 1, Reason::NoCases);
}

#[test]
fn damaged_generated_streams_are_refused() {
    let key = "01".repeat(32);
    let whole = format!("Rounds = 8\nKey = {key}\nNonce = 0203\nOffset = 64\nStream = aabb\n");
    let vectors = generated::parse_stream("whole", whole.as_bytes(), 8, 2).unwrap();
    let [vector] = &*vectors else { panic!("one case") };
    assert_eq!((&*vector.nonce, vector.offset, &*vector.plaintext), (&[2, 3][..], 64, &[0, 0][..]));
    assert_eq!((&*vector.ciphertext, &*vector.source), (&[0xaa, 0xbb][..], "whole:1"));
    let fail = |from, to, line, reason| {
        fails(generated::parse_stream("damaged", damaged(&whole, from, to).as_bytes(), 8, 2), line, reason);
    };
    fail("= 8", "= eight", 1, Reason::NotANumber { key: "Rounds", value: "eight".into() });
    fail("Key = 01", "Key = ", 2, wrong_length("Key", "the algorithm", 32, 31));
    fail("= 0203", "= 020", 3, Reason::OddDigits { key: "Nonce", digits: 3 });
    fail("= 0203", "= 02", 5, Reason::NoCases);
    fail("= 64", "= -1", 4, Reason::NotANumber { key: "Offset", value: "-1".into() });
    fail("= aabb", "= ", 5, wrong_length("Stream", "a case, at least,", 1, 0));
    fail("Nonce = 0203\n", "", 3, missing("Nonce", "Offset"));
    fails(generated::parse_stream("damaged", whole.as_bytes(), 12, 2), 5, Reason::NoCases);
}

const WYCHEPROOF: &str = r#"{
  "algorithm": "AES-XTS",
  "numberOfTests": 2,
  "testGroups": [
    { "keySize": 16, "ivSize": 16, "tests": [
        { "tcId": 1,
          "key": "0a0b", "iv": "c102",
          "msg": "10101010101010101010101010101010",
          "ct": "20202020202020202020202020202020",
          "result": "valid" }
    ] },
    { "keySize": 32, "ivSize": 8, "tests": [
        { "tcId": 2,
          "key": "0c0d0e0f", "iv": "04",
          "msg": "3030303030303030303030303030303030",
          "ct": "4040404040404040404040404040404040",
          "result": "valid" }
    ] }
  ]
}
"#;

#[test]
fn damaged_wycheproof_is_refused() {
    let vectors = wycheproof::parse_xts("whole", WYCHEPROOF.as_bytes(), 1).unwrap();
    let [unit] = &*vectors.units else { panic!("one of this key size") };
    assert_eq!(
        (&*unit.key1, &*unit.key2, &unit.tweak[..3], &*unit.source),
        (&[10][..], &[11][..], &[0xc1, 2, 0][..], "whole:6")
    );
    assert_eq!(vectors.other_keys, [(2, 1)]);
    let fail = |from, to, line, reason| {
        fails(wycheproof::parse_xts("damaged", damaged(WYCHEPROOF, from, to).as_bytes(), 1), line, reason);
    };
    fail("AES-XTS", "AES-CBC", 2, Reason::UnknownValue { key: "algorithm", value: "AES-CBC".into() });
    fail(": 2,\n  \"testGroups", ": 3,\n  \"testGroups", 3, Reason::NumberOfCases { said: 3, found: 2 });
    fail("\"0a0b\"", "\"0a0\"", 6, Reason::OddDigits { key: "key", digits: 3 });
    fail("\"0a0b\"", "\"0a\"", 6, wrong_length("key", "keySize", 2, 1));
    fail("c102", "c10x", 6, Reason::NotHex { key: "iv", found: 'x', position: 3 });
    fail("c102", "c1", 6, wrong_length("iv", "ivSize", 2, 1));
    fail("\"ivSize\": 16", "\"ivSize\": 0", 6, wrong_length("iv", "ivSize", 0, 2));
    fail("\"10101010", "\"101010", 6, wrong_length("msg", "XTS, at least,", 16, 15));
    fail("\"40404040", "\"404040", 13, wrong_length("ct", "msg", 17, 16));
    let long = damaged(WYCHEPROOF, "\"ivSize\": 16", "\"ivSize\": 136").replace("c102", &"01".repeat(17));
    fails(wycheproof::parse_xts("damaged", long.as_bytes(), 1), 6, wrong_length("iv", "XTS, at most,", 16, 17));
    // A case of a kind that nobody has seen is not passed over.
    let invalid = WYCHEPROOF.replacen("\"valid\"", "\"invalid\"", 1);
    let reason = Reason::UnknownValue { key: "result", value: "invalid".into() };
    fails(wycheproof::parse_xts("damaged", invalid.as_bytes(), 1), 6, reason);
    fails(wycheproof::parse_xts("damaged", WYCHEPROOF.as_bytes(), 5), 20, Reason::NoCases);
    for (text, line) in [("", 1), ("{\n\n]", 3), ("{\"algorithm\": \"AES-XTS\"}", 1), (&WYCHEPROOF[..300], 10)] {
        let error = wycheproof::parse_xts("damaged", text.as_bytes(), 1).unwrap_err();
        assert!(matches!(error.reason(), Some(Reason::NotOfTheSchema { .. })), "{error}");
        assert_eq!(error.line(), Some(line), "{error}");
    }
}

/// One case: a key and a nonce from the table, the place 1 and 64 bytes 07.
fn blob() -> Vec<u8> {
    let table = [&[2, 32][..], &[3; 32], &[8], &[4; 8]].concat();
    [&[4][..], &table, &[1, 3, 8, 0, 0, 0, 1, 0x80, 0], &[7; 64]].concat()
}

#[test]
fn damaged_blobs_are_refused() {
    let whole = blob();
    let vectors = blobby::parse_stream("whole", &whole).unwrap();
    let [vector] = &*vectors else { panic!("one case") };
    assert_eq!((&*vector.key, &*vector.nonce, vector.offset), (&[3; 32][..], &[4; 8][..], 1));
    assert_eq!(
        (&*vector.plaintext, &*vector.ciphertext, &*vector.source),
        (&[0; 64][..], &[7; 64][..], "whole, case 0")
    );

    let fail = |bytes: &[u8], offset, expected| {
        fails(blobby::parse_stream("damaged", bytes), 1, Reason::Blob { offset, expected });
    };
    fail(b"", 0, "an integer");
    fail(&[0xff; 9], 4, "an integer of at most four bytes");
    let mut beyond = whole.clone();
    beyond[44] = 5;
    fail(&beyond, 45, "a place in the table before this");
    let longer = [&whole[..], &[0]].concat();
    fail(&longer, whole.len(), "the end of the file");
    fail(&whole[..20], 3, "as many bytes as the length says");
    let mut more = whole.clone();
    more[0] = 5;
    fail(&[&more[..], &[2, 0]].concat(), more.len() + 2, "four blobs for each case");
    let mut short = whole.clone();
    (short[45], short[46]) = (3, 6);
    short.remove(47);
    fail(&short, short.len(), "four bytes for the place in the stream");
    let mut swapped = whole.clone();
    (swapped[44], swapped[45]) = (3, 1);
    fail(&swapped, swapped.len(), "32 bytes of a key, eight of a nonce, 64 of the stream");
    fails(blobby::parse_stream("damaged", &[0, 0]), 1, Reason::NoCases);
    for length in 0..whole.len() {
        let error = blobby::parse_stream("damaged", &whole[..length]).unwrap_err();
        assert!(matches!(error.reason(), Some(Reason::Blob { offset, .. }) if *offset <= length), "{error}");
    }
}

/// A cut file never gives other cases than the whole one.
#[test]
fn every_cut_of_a_published_file_is_an_error_or_a_shorter_list() {
    let whole = &published("speck/speck.txt")[..1500];
    let blocks = cryptopp::Blocks { name: "SPECK-64", key_bytes: 12, block_bytes: 8 };
    let all = cryptopp::parse_blocks("cut", published("speck/speck.txt"), blocks).unwrap();
    for length in 0..whole.len() {
        match cryptopp::parse_blocks("cut", &whole[..length], blocks) {
            Ok(some) => assert_eq!(some, all[..some.len()], "cut after {length} bytes"),
            Err(error) => assert!(error.line().unwrap() <= whole[..length].split(|&byte| byte == b'\n').count()),
        }
    }
}
