//! Project Wycheproof's file about AES in XTS: JSON by its schema `ind_cpa_test_schema_v1.json`.
//!
//! A case's tweak has 1 to 16 bytes, the least significant first; those that are not written are zero.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{XtsVector, XtsVectors};
use crate::response::hex_bytes;
use crate::{Reason, VectorError};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Document {
    algorithm: String,
    number_of_tests: usize,
    test_groups: Vec<Group>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Group {
    /// Bits of both keys.
    key_size: usize,
    /// Bits of a tweak.
    iv_size: usize,
    tests: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    tc_id: usize,
    key: String,
    iv: String,
    msg: String,
    ct: String,
    result: String,
}

/// Bytes of a block and of a tweak.
const BLOCK: usize = 16;

/// The data units under two keys of so many bytes each. Those of other key sizes are checked and counted.
///
/// # Errors
/// If the file is not of this format, at the first case that is wrong, if a case is anything but valid, if there are not as
/// many cases as the file says, and if there is none of this key size.
pub fn parse_xts(file: &str, bytes: &[u8], key_bytes: usize) -> Result<XtsVectors, VectorError> {
    let malformed = |line, reason| VectorError::Malformed { file: file.to_owned(), line, reason };
    let document: Document = serde_json::from_slice(bytes)
        .map_err(|error| malformed(error.line().max(1), Reason::NotOfTheSchema { what: error.to_string() }))?;
    let last_line = String::from_utf8_lossy(bytes).lines().count().max(1);
    if document.algorithm != "AES-XTS" {
        let reason = Reason::UnknownValue { key: "algorithm", value: document.algorithm };
        return Err(malformed(line_of(bytes, "\"algorithm\""), reason));
    }
    let mut vectors = XtsVectors::default();
    let mut others = BTreeMap::new();
    let mut found = 0;
    for group in &document.test_groups {
        for case in &group.tests {
            found += 1;
            let line = line_of(bytes, &format!("\"tcId\": {},", case.tc_id));
            let unit = unit(group, case, format!("{file}:{line}")).map_err(|reason| malformed(line, reason))?;
            if unit.key1.len() == key_bytes {
                vectors.units.push(unit);
            } else {
                *others.entry(unit.key1.len()).or_insert(0) += 1;
            }
        }
    }
    if found != document.number_of_tests {
        let reason = Reason::NumberOfCases { said: document.number_of_tests, found };
        return Err(malformed(line_of(bytes, "\"numberOfTests\""), reason));
    }
    if vectors.units.is_empty() {
        return Err(malformed(last_line, Reason::NoCases));
    }
    vectors.other_keys = others.into_iter().collect();
    Ok(vectors)
}

fn unit(group: &Group, case: &Case, source: String) -> Result<XtsVector, Reason> {
    let of_length = |key, digits: &str, said_by, expected| {
        let bytes = hex_bytes(key, digits)?;
        let given = bytes.len();
        if given == expected { Ok(bytes) } else { Err(Reason::WrongLength { key, said_by, expected, given }) }
    };
    if case.result != "valid" {
        // A case of another kind must not be passed over.
        return Err(Reason::UnknownValue { key: "result", value: case.result.clone() });
    }
    let mut key1 = of_length("key", &case.key, "keySize", group.key_size / 8)?;
    let key2 = key1.split_off(key1.len() / 2);
    let mut tweak = of_length("iv", &case.iv, "ivSize", group.iv_size / 8)?;
    if tweak.is_empty() || tweak.len() > BLOCK {
        let given = tweak.len();
        return Err(Reason::WrongLength { key: "iv", said_by: "XTS, at most,", expected: BLOCK, given });
    }
    tweak.resize(BLOCK, 0);
    let plaintext = hex_bytes("msg", &case.msg)?;
    if plaintext.len() < BLOCK {
        let given = plaintext.len();
        return Err(Reason::WrongLength { key: "msg", said_by: "XTS, at least,", expected: BLOCK, given });
    }
    let ciphertext = of_length("ct", &case.ct, "msg", plaintext.len())?;
    Ok(XtsVector { key1, key2, tweak, plaintext, ciphertext, source })
}

/// The line in which a text first stands; the first one if it stands nowhere as written.
fn line_of(bytes: &[u8], text: &str) -> usize {
    let contents = String::from_utf8_lossy(bytes);
    contents.lines().position(|line| line.contains(text)).map_or(1, |index| index + 1)
}
