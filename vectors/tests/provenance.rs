//! `PROVENANCE.md` and the files agree.

use sha2::{Digest, Sha256};
use vambrace_vectors::{FILES, provenance};

#[test]
fn every_file_is_as_published_and_has_all_its_cases() {
    let rows = provenance().unwrap();
    for file in FILES {
        let row = rows
            .iter()
            .find(|row| row.path == file.path)
            .unwrap_or_else(|| panic!("vectors/PROVENANCE.md has no row for {}", file.path));
        assert_eq!(hex::encode(Sha256::digest(file.contents)), row.sha256, "SHA-256 of {}", file.path);
        // A file with several algorithms is here once for each.
        let cases: usize =
            FILES.iter().filter(|other| other.path == file.path).map(|other| other.cases().unwrap()).sum();
        assert_eq!(cases, row.cases, "cases in {}", file.path);
        assert!(row.cases > 0, "{} is of no use", file.path);
    }
}

#[test]
fn every_row_has_its_file() {
    let mut rows: Vec<String> = provenance().unwrap().into_iter().map(|row| row.path).collect();
    let mut files: Vec<String> = FILES.iter().map(|file| file.path.to_owned()).collect();
    rows.sort();
    files.sort();
    files.dedup();
    assert_eq!(rows, files);
}

#[test]
fn every_file_in_the_folder_is_embedded() {
    let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let mut found = Vec::new();
    let mut folders = vec![data.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path.strip_prefix(&data).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    found.sort();
    let mut files: Vec<&str> = FILES.iter().map(|file| file.path).collect();
    files.sort_unstable();
    files.dedup();
    assert_eq!(found, files);
}
