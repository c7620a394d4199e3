//! The program as a user meets it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

fn ci() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ci"));
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

fn output(arguments: &[&str]) -> (Option<i32>, String) {
    said(ci().args(arguments).output().unwrap())
}

fn said(output: Output) -> (Option<i32>, String) {
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code(), text)
}

#[test]
fn what_there_is_can_be_listed() {
    let (status, text) = output(&["verify", "--list"]);
    assert_eq!(status, Some(0), "{text}");
    for part in ["sha256_ce_x2", "needs neon, sha2", "dispatch", "features", "arm@cortex-a9,neon=off"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let (status, text) = output(&["verify", "--list", "--only", "sha256_neon/kat"]);
    assert_eq!(status, Some(0));
    assert!(text.contains("sha256_neon") && !text.contains("sha256_scalar") && !text.contains("dispatch"), "{text}");
}

#[test]
fn a_pattern_that_matches_nothing_is_an_error() {
    let (status, text) = output(&["verify", "--only", "sha3_neon"]);
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("\"sha3_neon\" matches no kernel"), "{text}");
    let (status, text) = output(&["verify", "--only", "sha256_["]);
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("sha256_[") && text.contains("malformed"), "{text}");
}

#[test]
fn an_unknown_option_or_value_is_named() {
    for (arguments, part) in [
        (&["verify", "--quik"][..], "--quik"),
        (&["verify", "--shard", "0/3"], "the shards of 3 are 1/3 to 3/3"),
        (&["verify", "--shard", "4/3"], "the shards of 3 are 1/3 to 3/3"),
        (&["verify", "--shard", "x/y"], "one is I/N"),
        (&["verify", "--shard", "1/2", "--replay", "arm@max:sha256_neon:kat:1"], "cannot be used with"),
        (&["verify", "--code-hashes", "x", "--full"], "cannot be used with"),
        (&["verify", "--compare"], "a value is required"),
        (&["verify", "--quick", "--full"], "cannot be used with"),
        (&["verify", "--soak", "forever"], "forever"),
        (&["verify", "--seed", "-1"], "-1"),
        (&["verify", "--replay", "aarch64@max"], "1 fields"),
        (&["verify", "--replay", "mips@max:sha256_neon:kat:1:1"], "mips"),
        (&["prove"], "prove"),
        (&[], "Usage"),
    ] {
        let (status, text) = output(arguments);
        assert_eq!(status, Some(2), "{arguments:?}: {text}");
        assert!(text.contains(part), "{arguments:?}: {text}");
    }
}

/// A search path with cargo, rustc and git, but no QEMU of the system.
fn path_with(qemu: Option<&str>, folder: &Path) -> String {
    for tool in ["cargo", "rustc"] {
        let found = Command::new("sh").args(["-c", &format!("command -v {tool}")]).output().unwrap();
        let program = String::from_utf8(found.stdout).unwrap();
        std::os::unix::fs::symlink(program.trim(), folder.join(tool)).unwrap();
    }
    if let Some(version) = qemu {
        for name in ["qemu-aarch64", "qemu-arm"] {
            let program = folder.join(name);
            fs::write(&program, format!("#!/bin/sh\necho {name} version {version}\n")).unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        }
    }
    folder.to_str().unwrap().to_owned()
}

#[test]
fn a_missing_qemu_is_named_with_the_command_to_run() {
    let folder = tempfile::tempdir().unwrap();
    let report = tempfile::tempdir().unwrap();
    let path = path_with(None, folder.path());
    let output = ci().args(["verify", "--report"]).arg(report.path()).env("PATH", path).output().unwrap();
    let (status, text) = said(output);
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("qemu-aarch64 is not installed; QEMU user mode 7.2 or later is needed"), "{text}");
    assert!(text.contains("sudo apt-get install qemu-user"), "{text}");
}

#[test]
fn an_old_qemu_is_named_with_its_version() {
    let folder = tempfile::tempdir().unwrap();
    let report = tempfile::tempdir().unwrap();
    let path = path_with(Some("'6.2.0 (Debian 1:6.2+dfsg-2ubuntu6)'"), folder.path());
    let output = ci().args(["verify", "--report"]).arg(report.path()).env("PATH", path).output().unwrap();
    let (status, text) = said(output);
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("qemu-aarch64 has version 6.2.0; QEMU user mode 7.2 or later is needed"), "{text}");
}

#[test]
fn a_report_folder_that_cannot_be_written_to_is_named_before_the_run() {
    let (status, text) = output(&["verify", "--report", "/proc/reports"]);
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("/proc/reports"), "{text}");
}

#[test]
fn a_kernel_is_proved_on_demand() {
    let (status, text) = output(&["verify", "--prove-only", "--only", "blake2s_scalar"]);
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("blake2s_scalar") && text.contains("proved for all inputs, 0 not proved"), "{text}");
    let (status, text) = output(&["verify", "--prove-only", "--only", "sha3_neon"]);
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("\"sha3_neon\" matches no kernel"), "{text}");
    let (status, text) = output(&["verify", "--prove-only", "--quick"]);
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("cannot be used with"), "{text}");
}

#[test]
fn a_shard_lists_its_part_and_a_shard_of_few_may_have_none() {
    let list = |shard: &str| output(&["verify", "--list", "--only", "sha256_ce*/kat", "--shard", shard]);
    let parts: Vec<(Option<i32>, String)> = ["1/3", "2/3", "3/3"].into_iter().map(list).collect();
    for kernel in ["  sha256_ce ", "  sha256_ce_x2 "] {
        let of_whole = output(&["verify", "--list", "--only", "sha256_ce*/kat"]).1.matches(kernel).count();
        let of_parts = parts.iter().map(|(_, text)| text.matches(kernel).count()).sum::<usize>();
        assert!(of_parts > 0 && of_parts == of_whole, "{kernel}: {parts:?}");
    }
    let (status, text) = list("9/9");
    assert_eq!(status, Some(0), "{text}");
    assert!(!text.contains("sha256_ce"), "{text}");
    // Nothing is built or run for it, and it has a report that says so.
    let report = tempfile::tempdir().unwrap();
    let folder = report.path().to_str().unwrap();
    let (status, text) = output(&["verify", "--only", "sha256_ce*/kat", "--shard", "9/9", "--report", folder]);
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("0 cells passed, 0 failed") && text.contains("shard 9/9"), "{text}");
    assert!(fs::read_to_string(report.path().join("report.json")).unwrap().contains("in another shard of the run"));
}

#[test]
fn a_report_that_cannot_be_compared_is_named_before_the_run() {
    let folder = tempfile::tempdir().unwrap();
    for (name, contents, part) in [
        ("older.json", r#"{"schema": 1, "kernels": []}"#, "schema version 1, and this ci/verify reads version"),
        ("torn.json", r#"{"schema": 2, "kernels": ["#, "no report of ci/verify"),
        ("partial.json", r#"{"schema": 2}"#, "the report is malformed: missing field"),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, contents).unwrap();
        let (status, text) = output(&["verify", "--compare", path.to_str().unwrap()]);
        assert_eq!(status, Some(2), "{text}");
        assert!(text.contains(name) && text.contains(part), "{text}");
    }
    let (status, text) = output(&["verify", "--compare", "/nowhere/old.json"]);
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("/nowhere/old.json"), "{text}");
}

#[test]
fn a_file_that_has_no_kernels_is_named() {
    for (file, part) in [
        ("Cargo.toml", "neither an ELF file nor an archive"),
        (env!("CARGO_BIN_EXE_ci"), "the kernels are for little-endian AArch64 and ARMv7"),
        ("/nowhere/program", "No such file"),
    ] {
        if cfg!(target_arch = "aarch64") && file == env!("CARGO_BIN_EXE_ci") {
            continue;
        }
        let (status, text) = output(&["verify", "--code-hashes", file]);
        assert_eq!(status, Some(2), "{text}");
        assert!(text.contains(file) && text.contains(part), "{text}");
    }
}

#[test]
fn the_kernels_of_the_guests_are_hashed_with_symbols_and_without() {
    let hashes = |arguments: &[&str]| {
        let (status, text) = output(&[&["verify", "--only", "blake2s_scalar", "--code-hashes"], arguments].concat());
        assert_eq!(status, Some(0), "{text}");
        let is_hash = |line: &&str| line.contains("/blake2s_scalar  ");
        text.lines().filter(is_hash).map(str::to_owned).collect::<Vec<String>>()
    };
    let whole = hashes(&[]);
    assert_eq!(whole.len(), 2, "{whole:?}");
    let folder = tempfile::tempdir().unwrap();
    let stripped = folder.path().join("stripped");
    let target = Path::new(env!("CARGO_BIN_EXE_ci")).ancestors().nth(2).unwrap();
    let guest = target.join("aarch64-unknown-linux-gnu/debug/verify");
    let program = if cfg!(target_arch = "aarch64") { "strip" } else { "aarch64-linux-gnu-strip" };
    let strip = Command::new(program).arg("-o").arg(&stripped).arg(guest).status().unwrap();
    assert!(strip.success());
    assert_eq!(hashes(&[stripped.to_str().unwrap()]), whole[..1]);
}

#[test]
fn a_proof_without_an_order_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("order");
    let (status, text) = output(&["prove-one", path.to_str().unwrap()]);
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("order: No such file"), "{text}");
    for (contents, part) in [
        (r#"{"Kernel":{}}"#, "missing field"),
        (
            r#"{"Kernel":{"architecture":"arm","kernel":"sha3_neon","code":"","literals":[]}}"#,
            "no kernel sha3_neon for arm",
        ),
    ] {
        fs::write(&path, contents).unwrap();
        let (status, text) = output(&["prove-one", path.to_str().unwrap()]);
        assert_eq!(status, Some(2), "{text}");
        assert!(text.contains(part), "{text}");
    }
}
