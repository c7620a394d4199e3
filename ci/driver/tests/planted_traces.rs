//! The checks by traces, on kernels with planted defects, as `ci/verify` runs them before the real ones.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use driver::elf::Elf;
use driver::guest::Launch;
use driver::place::{Depth, Place, places};
use driver::trace::{self, BOUNDS, CONSTANT_TIME, COVERAGE, Seen, Tracer};
use driver::{build, qemu};
use vambrace::kernels::Architecture;
use vambrace_verify::traced::SeenBy;

struct Bench {
    place: Place,
    program: PathBuf,
    plugin: PathBuf,
}

impl Bench {
    fn new(architecture: Architecture) -> Bench {
        let root = build::workspace_root().unwrap();
        let qemu = qemu::find(architecture).unwrap();
        let plugin = build::plugin(&root, trace::takes_api_2(&[(architecture, qemu)]).unwrap()).unwrap();
        let program = build::guests(&root, &[architecture]).unwrap().remove(0).1;
        let place = trace::place(architecture, &places(false)).unwrap().clone();
        Bench { place, program, plugin }
    }

    fn start(&self) -> impl Fn(&Place, Vec<OsString>) -> Launch + Sync {
        |place: &Place, arguments: Vec<OsString>| {
            let qemu = qemu::find(place.architecture).unwrap();
            let mut command_line = qemu::command_line(place, Some(&qemu), &self.program);
            command_line.extend(arguments);
            Launch { command_line, silence: Duration::from_secs(300) }
        }
    }

    fn judge(&self, plugin: &Path) -> Result<Vec<Seen>, String> {
        let start = self.start();
        let elf = Elf::read(&self.program, self.place.architecture)?;
        let tracer = Tracer::new(self.place.clone(), &elf, plugin.to_owned(), &start, "planted")?;
        trace::judge_planted(&tracer, true)
    }
}

/// Each defect is seen by the check that looks for it and by no other, which says what it is.
fn each_defect_is_seen_by_its_check(architecture: Architecture, words: &[(&str, &str)]) {
    let bench = Bench::new(architecture);
    let seen = bench.judge(&bench.plugin).unwrap();
    for Seen { planted, complaints } in &seen {
        let checks: Vec<&str> = complaints.iter().map(|(check, _)| *check).collect();
        let expected: &[&str] = match planted.seen_by {
            SeenBy::Nothing => &[],
            SeenBy::ConstantTime => &[CONSTANT_TIME],
            SeenBy::TraceBounds => &[BOUNDS],
            SeenBy::Coverage => &[COVERAGE],
        };
        assert_eq!(checks, expected, "{}: {complaints:?}", planted.name);
    }
    for (name, words) in words {
        let of_name = seen.iter().find(|seen| seen.planted.name == *name).unwrap_or_else(|| panic!("no {name}"));
        let said = &of_name.complaints[0].1;
        assert!(said.contains(words), "{name} should say {words:?}: {said}");
    }
}

#[test]
fn each_defect_of_aarch64_code_is_seen_by_its_check() {
    each_defect_is_seen_by_its_check(
        Architecture::Aarch64,
        &[
            ("planted_branch_on_bit", "`tbz w6, #0,"),
            ("planted_branch_on_comparison", "a branch depends on a secret: +0x1c `b.lo"),
            ("planted_load_from_secret_index", "`ldrb w8, [x2, x8]` reads 1 byte at"),
            ("planted_store_to_secret_index", "`str w6, [x0, x8]` writes 4 bytes at"),
            ("planted_division", "`udiv w8, w6, w4`"),
            ("planted_byte_left_of_input", "where nothing is granted, 1 byte before `input`"),
            ("planted_byte_right_of_key", "at offset 8 from the beginning of `key`"),
            ("planted_output_read", "at offset 0 of `output`, which may only be written, and was not yet"),
            ("planted_input_written", "of `input`, which may only be read"),
            ("planted_store_below_frame", "128 below the caller's SP, where the contract declares 64"),
            ("planted_store_below_moved_sp", "48 below the caller's SP, which is below SP at that time"),
            ("planted_branch_never_taken", "`eor w6, w6, w6`"),
        ],
    );
}

#[test]
fn each_defect_of_arm_code_is_seen_by_its_check() {
    each_defect_is_seen_by_its_check(
        Architecture::Arm,
        &[
            ("planted_branch_on_bit", "a branch depends on a secret:"),
            ("planted_conditional_load", "an access depends on a secret:"),
            ("planted_load_from_secret_index", "`ldrb r8, [r2, r8]` reads 1 byte at"),
            ("planted_byte_left_of_input", "where nothing is granted, 1 byte before `input`"),
            ("planted_key_written", "at offset 0 of `key`, which may only be read"),
            ("planted_store_below_sp", "32 below the caller's SP, which is below SP at that time"),
            ("planted_instruction_jumped_over", "1 of "),
        ],
    );
}

#[test]
fn a_plugin_that_qemu_does_not_take_is_an_error_that_says_so() {
    let bench = Bench::new(Architecture::Aarch64);
    let folder = tempfile::tempdir().unwrap();
    let error = bench.judge(&folder.path().join("missing.so")).err().unwrap();
    assert!(error.contains("QEMU did not start with the plugin") && error.contains("missing.so"), "{error}");

    // A library that is no plugin.
    let object = folder.path().join("empty.so");
    let made = std::process::Command::new("cc").args(["-shared", "-x", "c", "/dev/null", "-o"]).arg(&object).status();
    assert!(made.unwrap().success());
    let error = bench.judge(&object).err().unwrap();
    assert!(error.contains("QEMU did not start with the plugin") && error.contains("qemu_plugin"), "{error}");

    // One for a version of the interface that QEMU does not have.
    let source = folder.path().join("future.c");
    std::fs::write(&source, "int qemu_plugin_version = 9999; int qemu_plugin_install(void) { return 0; }\n").unwrap();
    let future = folder.path().join("future.so");
    let made = std::process::Command::new("cc").arg("-shared").arg(&source).arg("-o").arg(&future).status();
    assert!(made.unwrap().success());
    let error = bench.judge(&future).err().unwrap();
    assert!(error.contains("QEMU did not start with the plugin") && error.contains("9999"), "{error}");
}

#[test]
fn a_plugin_that_records_nothing_is_an_error() {
    let bench = Bench::new(Architecture::Aarch64);
    let folder = tempfile::tempdir().unwrap();
    // It is loaded, and does nothing.
    let source = folder.path().join("idle.c");
    std::fs::write(&source, "int qemu_plugin_version = 1; int qemu_plugin_install(void) { return 0; }\n").unwrap();
    let idle = folder.path().join("idle.so");
    let made = std::process::Command::new("cc").arg("-shared").arg(&source).arg("-o").arg(&idle).status();
    assert!(made.unwrap().success());
    let error = bench.judge(&idle).err().unwrap();
    assert!(error.contains("QEMU did not start with the plugin"), "{error}");
}

#[test]
fn kernels_are_traced_where_qemu_is_and_nowhere_else() {
    let native: Place = "aarch64@native".parse().unwrap();
    let max: Place = "aarch64@max".parse().unwrap();
    let masked: Place = "aarch64@max,mask=neon".parse().unwrap();
    let everything = |place: &Place| (place.clone(), Depth::Everything);
    let of = |places: &[(Place, Depth)]| trace::place(Architecture::Aarch64, places).cloned();
    assert_eq!(of(&[everything(&native), everything(&masked), everything(&max)]), Some(max.clone()));
    assert_eq!(of(&[everything(&native)]), None);
}
