//! A test program of its own: the limit on the size of files holds for the whole process.

use std::fs;
use std::path::Path;

use driver::report::{probe, write_files};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::{SigHandler, Signal, signal};

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Does something while a file that reaches `limit` bytes is refused its next, as on a full disk. The limit is gone when
/// the test harness writes again, to what may be a long file.
fn with_files_up_to<T>(limit: u64, action: impl FnOnce() -> T) -> T {
    // SAFETY: SIGXFSZ is ignored, which installs no handler.
    unsafe { signal(Signal::SIGXFSZ, SigHandler::SigIgn) }.unwrap();
    let (soft, hard) = getrlimit(Resource::RLIMIT_FSIZE).unwrap();
    setrlimit(Resource::RLIMIT_FSIZE, limit, hard).unwrap();
    let result = action();
    setrlimit(Resource::RLIMIT_FSIZE, soft, hard).unwrap();
    result
}

#[test]
fn when_files_cannot_grow_the_reports_of_the_run_before_stay_and_nothing_partial_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let before = [("index.html", "old page".to_owned()), ("report.json", "{}".to_owned())];
    write_files(folder, &before).unwrap();

    let after = [("index.html", "new page".to_owned()), ("report.json", "x".repeat(10_000))];
    let error = with_files_up_to(4096, || write_files(folder, &after)).unwrap_err();
    assert!(error.contains("report.json cannot be written (10000 bytes)"), "{error}");
    assert!(error.contains("File too large"), "{error}");
    assert_eq!(names(folder), ["index.html", "report.json"]);
    assert_eq!(fs::read_to_string(folder.join("index.html")).unwrap(), "old page");
    assert_eq!(fs::read_to_string(folder.join("report.json")).unwrap(), "{}");

    // Where not a byte can be written, that is known before the run.
    let error = with_files_up_to(0, || probe(folder)).unwrap_err();
    assert!(error.contains(folder.to_str().unwrap()) && error.contains("File too large"), "{error}");
    assert_eq!(names(folder), ["index.html", "report.json"]);
}
