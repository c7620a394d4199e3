//! A test program of its own: the limit on the size of files holds for the whole process.

use std::fs;
use std::path::Path;

use driver::report::{probe, write_files};
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::{SigHandler, Signal, signal};

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn when_files_cannot_grow_the_reports_of_the_run_before_stay_and_nothing_partial_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let before = [("index.html", "old page".to_owned()), ("report.json", "{}".to_owned())];
    write_files(folder, &before).unwrap();

    // A file that reaches the limit is refused its next byte, as on a full disk.
    setrlimit(Resource::RLIMIT_FSIZE, 4096, 4096).unwrap();
    // SAFETY: SIGXFSZ is ignored, which installs no handler.
    unsafe { signal(Signal::SIGXFSZ, SigHandler::SigIgn) }.unwrap();

    let after = [("index.html", "new page".to_owned()), ("report.json", "x".repeat(10_000))];
    let error = write_files(folder, &after).unwrap_err();
    assert!(error.contains("report.json cannot be written (10000 bytes)"), "{error}");
    assert!(error.contains("File too large"), "{error}");
    assert_eq!(names(folder), ["index.html", "report.json"]);
    assert_eq!(fs::read_to_string(folder.join("index.html")).unwrap(), "old page");
    assert_eq!(fs::read_to_string(folder.join("report.json")).unwrap(), "{}");

    // Where not a byte can be written, that is known before the run.
    setrlimit(Resource::RLIMIT_FSIZE, 0, 4096).unwrap();
    let error = probe(folder).unwrap_err();
    assert!(error.contains(folder.to_str().unwrap()) && error.contains("File too large"), "{error}");
    assert_eq!(names(folder), ["index.html", "report.json"]);
}
