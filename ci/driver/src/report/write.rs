//! Files that are there whole or not at all.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// Whether files can be written to a folder, which is made if it is not there.
///
/// # Errors
/// Why not.
pub fn probe(folder: &Path) -> Result<(), String> {
    let refused = |error: std::io::Error| format!("the reports cannot be written to {}: {error}", folder.display());
    fs::create_dir_all(folder).map_err(refused)?;
    let mut file = NamedTempFile::new_in(folder).map_err(refused)?;
    file.write_all(b"probe").and_then(|()| file.as_file().sync_all()).map_err(refused)
}

/// Writes every file under a temporary name, then gives all of them their own. Names may have folders, which are made.
///
/// # Errors
/// Which one could not be written, and why; then the files that were there before are as they were.
pub fn write_files<N: AsRef<str>>(folder: &Path, files: &[(N, String)]) -> Result<(), String> {
    let mut written = Vec::new();
    for (name, contents) in files {
        let name = name.as_ref();
        let refused = |error: std::io::Error| {
            format!("{} cannot be written ({} bytes): {error}", folder.join(name).display(), contents.len())
        };
        let path = folder.join(name);
        let folder = path.parent().unwrap_or(folder);
        fs::create_dir_all(folder).map_err(refused)?;
        let mut file = NamedTempFile::new_in(folder).map_err(refused)?;
        file.write_all(contents.as_bytes()).and_then(|()| file.as_file().sync_all()).map_err(refused)?;
        written.push((name, file));
    }
    for (name, file) in written {
        let path = folder.join(name);
        make_readable(file.as_file()).map_err(|error| format!("{}: {error}", path.display()))?;
        file.persist(&path).map_err(|error| format!("{} cannot be replaced: {}", path.display(), error.error))?;
    }
    Ok(())
}

/// Removes the pages below a folder that are none of these: those of kernels and checks that are no more.
///
/// # Errors
/// Which one could not be removed, and why.
pub fn remove_other_pages<N: AsRef<str>>(folder: &Path, files: &[(N, String)]) -> Result<(), String> {
    let kept: Vec<PathBuf> = files.iter().map(|(name, _)| folder.join(name.as_ref())).collect();
    let folders: BTreeSet<&Path> = kept.iter().filter_map(|path| path.parent()).filter(|of| *of != folder).collect();
    for folder in folders {
        let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
        for entry in fs::read_dir(folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.extension().is_some_and(|extension| extension == "html") && !kept.contains(&path) {
                fs::remove_file(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            }
        }
    }
    Ok(())
}

/// Temporary files are for their owner alone; reports are not.
fn make_readable(file: &fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_replace_those_of_the_run_before() {
        let folder = tempfile::tempdir().unwrap();
        for contents in ["first", "second"] {
            write_files(folder.path(), &[("a", contents.to_owned()), ("b", contents.to_owned())]).unwrap();
        }
        assert_eq!(fs::read_to_string(folder.path().join("a")).unwrap(), "second");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn pages_of_what_is_no_more_go_and_all_else_stays() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str| vec![(name.to_owned(), String::new())];
        for name in ["kernels/old.html", "kernels/note.txt", "mutants.html"] {
            write_files(folder.path(), &write(name)).unwrap();
        }
        let new = write("kernels/new.html");
        write_files(folder.path(), &new).unwrap();
        remove_other_pages(folder.path(), &new).unwrap();
        let is_there = |name: &str| folder.path().join(name).exists();
        assert!(is_there("kernels/new.html") && is_there("kernels/note.txt") && is_there("mutants.html"));
        assert!(!is_there("kernels/old.html"));
    }

    #[test]
    fn a_folder_that_cannot_be_written_to_is_named_before_the_run() {
        let error = probe(Path::new("/proc/no-such-folder")).unwrap_err();
        assert!(error.contains("/proc/no-such-folder"), "{error}");
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(probe(&file).unwrap_err().contains(file.to_str().unwrap()));
    }
}
