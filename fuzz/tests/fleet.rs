//! What a fuzzing fleet gets: `.clusterfuzzlite/build.sh` is run as a fleet runs it, and its programs as a fleet's machines run
//! them, which have neither cargo nor a repository. The container images are not to be had here; what they would add is compilers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned()
}

fn script() -> Command {
    let mut command = Command::new(root().join(".clusterfuzzlite/build.sh"));
    command.current_dir("/").env("VAMBRACE_FUZZ_TARGETS", "sha256_neon sha512_ce");
    command
}

fn unzip(archive: &Path, folder: &Path) {
    let output = Command::new("unzip").arg("-q").arg(archive).arg("-d").arg(folder).output().unwrap();
    assert!(output.status.success(), "{}", text(&output));
}

/// A program as a machine of the fleet runs it.
fn run(program: &Path, arguments: &[&str]) -> (bool, String) {
    let output = Command::new(program)
        .args(arguments)
        .current_dir("/")
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .output()
        .unwrap();
    (output.status.success(), text(&output))
}

#[test]
fn a_fleet_gets_programs_of_its_own_machine_that_need_nothing_but_what_lies_beside_them() {
    let folder = tempfile::tempdir().unwrap();
    let built = folder.path().join("built");
    fs::create_dir(&built).unwrap();
    // What the images of OSS-Fuzz set, for another compiler and another machine.
    let mut script = script();
    script
        .env("OUT", &built)
        .env("CC", "clang")
        .env("CXX", "clang++")
        .env("CXXFLAGS", "-fsanitize=address -stdlib=libc++");
    script.env("RUSTFLAGS", "-Zsanitizer=address").env("LIB_FUZZING_ENGINE", "-fsanitize=fuzzer");
    let output = script.output().unwrap();
    assert!(output.status.success(), "{}", text(&output));

    // The fleet copies it elsewhere.
    let out = folder.path().join("out");
    fs::rename(&built, &out).unwrap();
    let mut files: Vec<String> = Vec::new();
    for entry in fs::read_dir(&out).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_file()) {
        files.push(entry.file_name().into_string().unwrap());
    }
    files.sort();
    let of = |name: &str| [name.to_owned(), format!("{name}.options"), format!("{name}_seed_corpus.zip")];
    // ARMv7 has no instructions for SHA-512.
    let mut expected = [of("sha256_neon"), of("sha256_neon_arm"), of("sha512_ce")].concat();
    expected.sort();
    assert_eq!(files, expected);
    for name in ["sha256_neon", "sha256_neon_arm", "sha512_ce"] {
        let program = out.join(name);
        let bytes = fs::read(&program).unwrap();
        // By these a fleet knows a fuzz target, and that it is for its own machine (2 bytes at 18: 62 for x86-64, 183 for AArch64).
        assert!(bytes.windows(22).any(|window| window == b"LLVMFuzzerTestOneInput"), "{name}");
        assert_eq!((&bytes[..4], u16::from_le_bytes([bytes[18], bytes[19]])), (&b"\x7fELF"[..], MACHINE), "{name}");
        let (success, said) = run(&program, &["-seed=1", "-runs=200"]);
        assert!(success && said.contains("Done 200 runs"), "{name}: {said}");
    }
    // Programs of another machine do not look like targets: their names have a suffix.
    for guest in
        fs::read_dir(out.join("guest/arm")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap())
    {
        assert!(["qemu", "lib"].contains(&&*guest) || guest.ends_with(".program"), "{guest}");
    }

    // The seeds pass, and libFuzzer starts itself again where it minimises and merges.
    let seeds = folder.path().join("seeds");
    unzip(&out.join("sha256_neon_seed_corpus.zip"), &seeds);
    let merged = folder.path().join("merged");
    fs::create_dir(&merged).unwrap();
    let [seeds, merged] = [&seeds, &merged].map(|path| path.to_str().unwrap());
    let (success, said) = run(&out.join("sha256_neon"), &["-runs=0", seeds]);
    assert!(success && said.contains("Done"), "{said}");
    let (success, said) = run(&out.join("sha256_neon"), &["-merge=1", merged, seeds]);
    assert!(success && said.contains("MERGE-OUTER"), "{said}");
    let count = |folder: &str| fs::read_dir(folder).unwrap().count();
    assert!(count(merged) > 0 && count(merged) <= count(seeds), "{said}");
}

const MACHINE: u16 = if cfg!(target_arch = "aarch64") { 183 } else { 62 };

#[test]
fn without_a_place_to_put_them_nothing_is_built() {
    let output = script().env_remove("OUT").output().unwrap();
    assert!(!output.status.success());
    assert!(text(&output).contains("OUT: is where the fuzz targets go"), "{}", text(&output));
}

#[test]
fn every_algorithm_has_seeds_and_they_are_small() {
    let list = Command::new("cargo").args(["fuzz", "list"]).current_dir(root()).output().unwrap();
    let list = text(&list);
    let algorithms: Vec<&str> = list.lines().filter_map(|target| target.strip_suffix("_neon")).collect();
    assert!(algorithms.len() >= 7, "{list}");
    for algorithm in algorithms {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("seeds");
        unzip(&root().join("fuzz/corpus-seed").join(format!("{algorithm}.zip")), &folder);
        let sizes: Vec<u64> =
            fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).collect();
        assert!(sizes.len() >= 10 && sizes.iter().all(|size| *size <= 192), "{algorithm}: {sizes:?}");
    }
}
