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
