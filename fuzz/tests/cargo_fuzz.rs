//! `cargo fuzz`, typed as anybody would: libFuzzer works under QEMU as it does elsewhere, and finds defects.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use vambrace::kernels::{self, Architecture};

const ARM: &str = "--target=armv7-unknown-linux-gnueabihf";
/// No option: AArch64.
const AARCH64: &str = "";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

struct Ran {
    success: bool,
    /// Standard output and standard error.
    text: String,
}

impl Ran {
    #[track_caller]
    fn succeeds(self) -> String {
        assert!(self.success, "{}", self.text);
        self.text
    }

    #[track_caller]
    fn fails(self) -> String {
        assert!(!self.success, "{}", self.text);
        self.text
    }
}

fn command(words: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(root()).arg("fuzz").args(words.iter().filter(|word| !word.is_empty()));
    for variable in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "VAMBRACE_CPU", "RUST_BACKTRACE"] {
        command.env_remove(variable);
    }
    command
}

fn run(command: &mut Command) -> Ran {
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    Ran { success: output.status.success(), text: String::from_utf8_lossy(&text).into_owned() }
}

fn cargo_fuzz(words: &[&str]) -> Ran {
    run(&mut command(words))
}

/// A new folder for a corpus.
fn corpus(name: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::TempDir::with_prefix(name).unwrap();
    let path = folder.path().to_str().unwrap().to_owned();
    (folder, path)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// What libFuzzer says after `marker`, to the end of the line.
#[track_caller]
fn after<'a>(text: &'a str, marker: &str) -> &'a str {
    let (_, rest) = text.rsplit_once(marker).unwrap_or_else(|| panic!("no {marker:?} in\n{text}"));
    rest.lines().next().unwrap().trim()
}

#[test]
fn a_planted_defect_is_found_within_a_minute_and_its_input_replayed_and_minimised() {
    let artifacts = root().join("fuzz/artifacts/planted_defect");
    drop(fs::remove_dir_all(&artifacts));
    let (_folder, corpus) = corpus("planted");
    cargo_fuzz(&["build", "planted_defect"]).succeeds();

    let found = cargo_fuzz(&["run", "planted_defect", &corpus, "--", "-seed=1", "-max_total_time=60"]).fails();
    assert!(found.contains("sha256 is wrong after step"), "{found}");
    let artifact = after(&found, "Test unit written to").to_owned();
    assert!(Path::new(&artifact).starts_with(&artifacts), "{artifact}");
    // What cargo-fuzz says about it: the program, and how to see it again.
    assert!(found.contains("Output of `std::fmt::Debug`:") && found.contains("update with"), "{found}");
    let relative = artifact.strip_prefix(root().to_str().unwrap()).unwrap().trim_start_matches('/');
    assert!(found.contains(&format!("cargo fuzz run planted_defect {relative}")), "{found}");

    // The same input shows the same defect again, here and on the other architecture.
    for architecture in [AARCH64, ARM] {
        let replayed = cargo_fuzz(&["run", architecture, "planted_defect", relative]).fails();
        assert!(replayed.contains("Running: "), "{replayed}");
        assert_eq!(after(&replayed, "sha256 is wrong "), after(&found, "sha256 is wrong "));
    }

    for architecture in [AARCH64, ARM] {
        let minimised = cargo_fuzz(&["tmin", architecture, "planted_defect", "--runs=3000", relative]).succeeds();
        assert!(minimised.contains("caused a crash. Will try to minimize it further"), "{minimised}");
        let smallest = files(&artifacts).into_iter().min_by_key(|path| fs::metadata(path).unwrap().len()).unwrap();
        let replayed = cargo_fuzz(&["run", architecture, "planted_defect", smallest.to_str().unwrap()]).fails();
        assert!(replayed.contains("sha256 is wrong after step"), "{replayed}");
        assert!(fs::metadata(&smallest).unwrap().len() <= fs::metadata(&artifact).unwrap().len());
    }
    fs::remove_dir_all(&artifacts).unwrap();
}

#[test]
fn an_input_that_shows_nothing_passes() {
    let (folder, _) = corpus("harmless");
    let input = folder.path().join("input");
    fs::write(&input, [0, 0, 0, 3, b'a']).unwrap();
    let text = cargo_fuzz(&["run", "planted_defect", input.to_str().unwrap()]).succeeds();
    assert!(text.contains("Executed "), "{text}");
}

#[test]
fn a_read_beyond_the_input_is_a_crash() {
    let (folder, _) = corpus("beyond");
    for architecture in [AARCH64, ARM] {
        // One update (0) with a literal pattern (4 in the upper bits) before (0) or after (4) an unmapped page: 16 bytes, of
        // which 8 are given.
        for end in [0, 4] {
            let input = folder.path().join(end.to_string());
            fs::write(&input, [&[0, 0, 4 << 3 | end, 16, 8], &b"overread"[..]].concat()).unwrap();
            let ran = cargo_fuzz(&["run", architecture, "planted_defect", input.to_str().unwrap()]);
            match end {
                0 => assert!(ran.fails().contains("deadly signal")),
                _ => assert!(ran.succeeds().contains("Executed ")),
            }
        }
    }
}

#[test]
fn every_target_runs_on_every_architecture() {
    for (option, architecture) in [(AARCH64, Architecture::Aarch64), (ARM, Architecture::Arm)] {
        for target in cargo_fuzz(&["list"]).succeeds().lines().filter(|target| *target != "planted_defect") {
            let (folder, corpus) = corpus(target);
            // Few runs, of inputs that are long from the first on.
            let options = ["--", "-seed=1", "-runs=200", "-len_control=0", "-max_len=64"];
            let ran = cargo_fuzz(&[&["run", option, target, &corpus], &options[..]].concat());
            if !has_kernel(architecture, target) {
                let text = ran.fails();
                assert!(text.contains("has no kernel of tier ce on this architecture"), "{text}");
                continue;
            }
            let text = ran.succeeds();
            assert!(text.contains("Done 200 runs"), "{text}");
            // It is told by coverage what is new, and keeps it where it should.
            assert!(files(folder.path()).len() > 50, "{text}");
            assert!(text.contains("Extra Counters"), "{text}");
        }
    }
}

/// Whether the kernel of a target exists for an architecture.
fn has_kernel(architecture: Architecture, target: &str) -> bool {
    let mut kernels = kernels::ALL.iter().copied().flatten();
    kernels.any(|kernel| {
        let named = format!("{}_{}", kernel.contract.algorithm.replace('-', "_"), kernel.tier);
        kernel.architecture == architecture && named == target
    })
}

#[test]
fn a_corpus_is_reduced_to_what_matters() {
    for architecture in [AARCH64, ARM] {
        let (folder, corpus) = corpus("corpus");
        // The same 40 times over, but for bytes that mean the same.
        for copy in 0..40u8 {
            fs::write(folder.path().join(copy.to_string()), [0, 0, 0, 3, copy]).unwrap();
        }
        cargo_fuzz(&["cmin", architecture, "sha256_neon", &corpus]).succeeds();
        let left = files(folder.path()).len();
        assert!((1..40).contains(&left), "{left} inputs left");
    }
}

#[test]
fn a_cpu_without_the_instructions_is_told_so() {
    let mut command = command(&["run", ARM, "sha256_ce", "--", "-runs=1"]);
    let text = run(command.env("VAMBRACE_CPU", "cortex-a8")).fails();
    assert!(text.contains("in tier ce needs the CPU feature sha2, which is missing"), "{text}");
    assert!(text.contains("VAMBRACE_CPU names the CPU model; it is cortex-a8"), "{text}");
    assert!(!text.contains("SIGILL"), "{text}");
}
