//! Bugs that are seen in the file that guests run, or in traces: written into a copy of that file.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use object::{Object, ObjectSection};
use tempfile::TempDir;
use vambrace::kernels::{Architecture, Feature};
use vambrace_harness::event::Status;
use vambrace_verify::mutation::{Change, How};

use super::bug::Sibling;
use crate::elf::Elf;
use crate::features;
use crate::guest::Report;
use crate::mutants::Fate;
use crate::place::{Place, Replay, places};
use crate::plan::Row;
use crate::report::Effort;
use crate::trace;
use crate::verify::{self, Machines};

/// The guests, to be copied and changed.
pub struct Traces<'a> {
    root: &'a Path,
    machines: Machines,
    files: Vec<File>,
    folder: TempDir,
    copies: AtomicUsize,
}

struct File {
    place: Place,
    path: PathBuf,
    bytes: Vec<u8>,
    elf: Elf,
    /// The names and addresses of its kernels.
    kernels: Vec<(String, u64)>,
}

impl<'a> Traces<'a> {
    /// Builds the guests of some architectures.
    ///
    /// # Errors
    /// If they cannot be built, or do not tell where their kernels are.
    pub fn prepare(root: &'a Path, architectures: &[Architecture]) -> Result<Traces<'a>, String> {
        let all = places(false);
        let chosen: Vec<Place> = architectures.iter().filter_map(|one| trace::place(*one, &all)).cloned().collect();
        let machines = Machines::prepare(root, &chosen)?;
        let files = chosen.into_iter().map(|place| {
            let path = machines.program(place.architecture)?.to_path_buf();
            let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            let elf = Elf::read(&path, place.architecture)?;
            let report = verify::introduced(&machines, &place);
            let kernels =
                report.kernels.iter().filter_map(|facts| Some((facts.name.clone(), facts.address?))).collect();
            Ok(File { place, path, bytes, elf, kernels })
        });
        let files = files.collect::<Result<_, String>>()?;
        let folder = tempfile::tempdir().map_err(|error| format!("no folder for changed guests: {error}"))?;
        Ok(Traces { root, machines, files, folder, copies: AtomicUsize::new(0) })
    }

    fn file(&self, architecture: Architecture) -> Result<&File, String> {
        let found = self.files.iter().find(|file| file.place.architecture == architecture);
        found.ok_or_else(|| format!("no guest was built for {architecture}"))
    }

    /// The file that has a kernel, and the kernel's address.
    ///
    /// # Errors
    /// If there is none.
    pub fn kernel(&self, row: &Row) -> Result<(&Elf, u64), String> {
        let file = self.file(row.architecture)?;
        let kernel = file.kernels.iter().find(|(name, _)| *name == row.name);
        Ok((&file.elf, kernel.ok_or_else(|| format!("no guest told the address of {}", row.name))?.1))
    }

    /// Has the checks of a sibling judge a changed kernel, until one of them sees something.
    ///
    /// # Errors
    /// If the guest cannot be changed or run.
    pub fn judge(
        &self,
        row: &Row,
        sibling: &Sibling,
        address: u64,
        changes: &[Change],
        seed: u64,
    ) -> Result<Fate, String> {
        let file = self.file(row.architecture)?;
        let bytes = patched(&file.bytes, address, changes)?;
        let begun = Instant::now();
        for check in sibling.seen_by {
            let said = match *check {
                features::NAME => self.features(file, &bytes, address, row)?,
                _ => self.traced(file, &bytes, row, check, seed)?,
            };
            let milliseconds = begun.elapsed().as_millis() as u64;
            if let Some(what) = said {
                return Ok(Fate::Killed { check: (*check).to_owned(), how: How::Failure, what, milliseconds });
            }
        }
        Ok(Fate::Survived { milliseconds: begun.elapsed().as_millis() as u64 })
    }

    fn features(&self, file: &File, bytes: &[u8], address: u64, row: &Row) -> Result<Option<String>, String> {
        let elf = Elf::parse(file.path.display().to_string(), bytes, file.place.architecture)?;
        let declared: Vec<&str> = row.features().iter().map(|feature: &Feature| feature.name()).collect();
        Ok(elf.inspect(address)?.complaint(&declared))
    }

    fn traced(&self, file: &File, bytes: &[u8], row: &Row, check: &str, seed: u64) -> Result<Option<String>, String> {
        let number = self.copies.fetch_add(1, Ordering::Relaxed);
        let path = self.folder.path().join(format!("guest-{number}"));
        std::fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))?;
        make_executable(&path)?;
        let machines = self.machines.with_program(row.architecture, path.clone());
        let replay =
            Replay { place: file.place.clone(), subject: row.name.clone(), check: check.to_owned(), seed, case: None };
        let places = std::slice::from_ref(&file.place);
        let report = verify::with_tracers(self.root, &machines, places, Effort::Quick, |tracers| {
            let tracers: Vec<_> = tracers.into_iter().map(|(_, tracer)| tracer).collect();
            Ok(trace::replay(&tracers, &replay, Effort::Quick))
        })?;
        std::fs::remove_file(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        said(&report)
    }
}

/// What a check said; a run that told nothing is none.
fn said(report: &Report) -> Result<Option<String>, String> {
    if let Some(problem) = report.problems.first() {
        return Err(problem.clone());
    }
    let [result] = report.results.as_slice() else {
        return Err(format!("{} results", report.results.len()));
    };
    match (result.status, &result.failure) {
        (Status::Fail, Some(failure)) => Ok(Some(failure.what.clone())),
        (Status::Pass, _) => Ok(None),
        (status, _) => Err(format!("the check says {status:?}")),
    }
}

fn make_executable(path: &Path) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(path, mode).map_err(|error| format!("{}: {error}", path.display()))
}

/// An ELF file with other words at addresses of its code.
///
/// # Errors
/// If the addresses are in no section of the file.
fn patched(bytes: &[u8], address: u64, changes: &[Change]) -> Result<Vec<u8>, String> {
    let file = object::File::parse(bytes).map_err(|error| error.to_string())?;
    let mut patched = bytes.to_vec();
    for change in changes {
        let at = address + u64::from(change.offset);
        let place = file.sections().find_map(|section| {
            let (start, size) = section.file_range()?;
            let begin = at.checked_sub(section.address())?;
            (section.kind() == object::SectionKind::Text && begin + 4 <= size).then_some((start + begin) as usize)
        });
        let place = place.ok_or_else(|| format!("{at:#x} is in no section of code"))?;
        let word = patched.get_mut(place..place + 4).ok_or_else(|| format!("{at:#x} is beyond the file"))?;
        word.copy_from_slice(&change.word.to_le_bytes());
    }
    Ok(patched)
}
