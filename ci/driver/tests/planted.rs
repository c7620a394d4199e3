//! Planted bugs, from the command line to the report.

use std::process::Command;

use serde_json::Value;

fn verify(arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ci"));
    let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).arg("verify").args(arguments).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code(), text)
}

#[test]
fn a_planted_bug_is_seen_by_the_check_that_should() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let (status, text) =
        verify(&["--planted", "--only", "sha512_ce_x2/B*", "--sample", "50", "--seed", "1", "--report", path]);
    assert_eq!(status, Some(0), "{text}");
    let report: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path().join("planted.json")).unwrap()).unwrap();
    let seen = report["seen"].as_array().unwrap();
    assert!(seen.len() >= 4, "{text}");
    for one in seen {
        assert_eq!((one["architecture"].as_str(), one["row"].as_str()), (Some("aarch64"), Some("sha512_ce_x2")));
        let expected: Vec<&str> = one["expected"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert!(expected.contains(&one["by"].as_str().unwrap()), "{one}");
    }
}

#[test]
fn a_selection_of_nothing_is_an_error() {
    let (status, text) = verify(&["--planted", "--only", "B99"]);
    assert_eq!(status, Some(2));
    assert!(text.contains("--only B99 matches no planted bug"), "{text}");
    let (status, text) = verify(&["--planted", "--mutants"]);
    assert_eq!(status, Some(2));
    assert!(text.contains("cannot be used with"), "{text}");
}
