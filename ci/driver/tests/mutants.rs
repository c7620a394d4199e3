//! Mutants of a kernel, from the command line to the reports. Planted defects are a part of each run.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

fn verify(arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ci"));
    let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).arg("verify").args(arguments).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code(), text)
}

fn report(folder: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(folder.join("mutants.json")).unwrap()).unwrap()
}

#[test]
fn mutants_of_a_kernel_are_killed_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let (status, text) =
        verify(&["--mutants", "--only", "sha512_ce", "--sample", "7", "--seed", "1", "--report", path]);
    assert_eq!(status, Some(0), "{text}");
    let report = report(folder.path());
    assert_eq!(report["seed"], 1);
    assert_eq!(report["planted"], 9, "defects of each kind on one architecture");
    let kernel = &report["kernels"][0];
    assert_eq!((kernel["architecture"].as_str(), kernel["kernel"].as_str()), (Some("aarch64"), Some("sha512_ce")));
    let count = |name: &str| kernel["count"][name].as_u64().unwrap();
    assert_eq!(count("tried"), 7);
    assert_eq!(count("killed") + count("equivalent"), 7);
    assert!(count("killed") > 0 && kernel["possible"].as_u64().unwrap() > 1000);
    let times: Vec<u64> = kernel["kill_milliseconds"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
    assert!(times[times.len() / 2] < 2000, "the median takes too long: {times:?}");
    assert!(std::fs::read_to_string(folder.path().join("mutants.html")).unwrap().contains("sha512_ce"));
}

#[test]
fn one_mutant_can_be_run_again() {
    let (status, text) = verify(&["--replay", "aarch64@max:sha512_ce:mutants:1:100"]);
    for part in ["before", "after", "aarch64 sha512_ce + 0x"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(status, Some(0), "{text}");
    let (status, text) = verify(&["--replay", "aarch64@max:sha512_ce:mutants:1:123456789"]);
    assert_eq!(status, Some(2));
    assert!(text.contains("none of number 123456789"), "{text}");
    let (status, text) = verify(&["--replay", "arm@max:sha512_ce:mutants:1:1"]);
    assert_eq!(status, Some(2));
    assert!(text.contains("arm has no kernel sha512_ce"), "{text}");
}

#[test]
fn options_of_mutants_need_mutants() {
    for (arguments, part) in [
        (&["--sample", "3"][..], "--mutants"),
        (&["--exhaustive"], "--mutants"),
        (&["--write"], "--mutants"),
        (&["--mutants", "--full"], "cannot be used with"),
        (&["--mutants", "--sample", "3", "--exhaustive"], "cannot be used with"),
        (&["--mutants", "--only", "md5_*"], "matches no kernel"),
    ] {
        let (status, text) = verify(arguments);
        assert_eq!(status, Some(2), "{arguments:?}: {text}");
        assert!(text.contains(part), "{arguments:?}: {text}");
    }
}
