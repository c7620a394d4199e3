//! A run over planted bugs.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use rand::seq::SliceRandom;
use rayon::prelude::*;
use vambrace::kernels::Architecture;
use vambrace_harness::{Budget, Context};
use vambrace_verify::mutation::Change;
use vambrace_verify::selection::Selection;

use super::assembler;
use super::bug::{Entry, Sibling, Site};
use super::library::Library;
use super::report::{Run, Seen};
use super::traced::Traces;
use super::{NAME, entries, source};
use crate::elf::Elf;
use crate::features;
use crate::mutants::{Code, Fate, Server, Site as Place, Sites};
use crate::plan::{self, Row};
use crate::trace;
use crate::verify::Ending;

/// What a run is about.
#[derive(Debug)]
pub struct Options<'a> {
    /// The entries, as `B01`, or the rows of the matrix, or both.
    pub selection: &'a Selection,
    /// The seed of the sample and of the checks.
    pub seed: u64,
    /// So many siblings alone, of those that need nothing else to be built.
    pub sample: Option<usize>,
    /// The folder of the reports.
    pub folder: std::path::PathBuf,
    /// Whether docs/planted.md is written, too.
    pub document: bool,
}

/// A planted bug, and the number of its entry.
type Planted<'a> = (usize, &'a Sibling);

/// Plants what is selected, and tells which check saw it.
///
/// # Errors
/// If the run cannot be made: an edit that no longer applies, a kernel that does not pass without a bug, a lost guest.
pub fn run(root: &Path, options: &Options<'_>) -> Result<Ending, String> {
    let run = judge(root, options)?;
    print!("{}", run.text());
    super::report::write(root, options, &run)?;
    Ok(if run.is_good() { Ending::Good } else { Ending::Bad })
}

/// The same without a word of it.
///
/// # Errors
/// As [`run`].
pub fn judge(root: &Path, options: &Options<'_>) -> Result<Run, String> {
    let entries = entries();
    let chosen = choose(&entries, options)?;
    let began = Instant::now();
    let bench = Bench::prepare(root, options, &chosen)?;
    let mut groups: BTreeMap<(&'static str, &str, Site, bool), Vec<Planted<'_>>> = BTreeMap::new();
    for (number, sibling) in &chosen {
        let key = (sibling.architecture.name(), sibling.row.as_str(), sibling.site(), of_file(sibling));
        groups.entry(key).or_default().push((*number, sibling));
    }
    let groups: Vec<Vec<Planted<'_>>> = groups.into_values().collect();
    let seen: Vec<Result<Vec<Seen>, String>> =
        groups.into_par_iter().map(|group| bench.group(&entries, &group)).collect();
    let seen: Vec<Vec<Seen>> = seen.into_iter().collect::<Result<_, _>>()?;
    Ok(Run::new(root, options, &entries, began.elapsed(), seen.into_iter().flatten().collect()))
}

/// Whether the file that guests run has to be changed for it: what the driver reads of it, or what QEMU records.
fn of_file(sibling: &Sibling) -> bool {
    sibling.seen_by.iter().any(|check| *check == features::NAME || trace::NAMES.contains(check))
}

fn choose<'a>(entries: &'a [Entry], options: &Options<'_>) -> Result<Vec<Planted<'a>>, String> {
    let all = entries
        .iter()
        .enumerate()
        .flat_map(|(number, entry)| entry.siblings.iter().flatten().map(move |sibling| (number, sibling)));
    let is_chosen = |(number, sibling): &Planted<'_>| options.selection.contains(&sibling.row, entries[*number].id);
    let mut chosen: Vec<Planted<'_>> = all.filter(is_chosen).collect();
    if chosen.is_empty() {
        let patterns: Vec<&str> = options.selection.patterns().collect();
        return Err(format!(
            "--only {} matches no planted bug; the entries are B01 to B46 and checks",
            patterns.join(" --only ")
        ));
    }
    if let Some(size) = options.sample {
        chosen.retain(|(_, sibling)| sibling.site() == Site::Kernel && !of_file(sibling));
        chosen.shuffle(&mut Context::new(Budget::Quick, options.seed).rng(NAME, NAME, 0));
        chosen.truncate(size);
    }
    Ok(chosen)
}

/// What it takes to plant.
struct Bench<'a> {
    root: &'a Path,
    seed: u64,
    kernels: Sites,
    library: Option<Library>,
    traces: Option<Traces<'a>>,
    rows: Vec<Row>,
}

impl<'a> Bench<'a> {
    fn prepare(root: &'a Path, options: &Options<'_>, chosen: &[Planted<'_>]) -> Result<Bench<'a>, String> {
        let has = |wanted: &dyn Fn(&Sibling) -> bool| {
            let is_there = |one: &Architecture| chosen.iter().any(|(_, it)| it.architecture == *one && wanted(it));
            Architecture::ALL.into_iter().filter(is_there).collect::<Vec<_>>()
        };
        let in_library = has(&|sibling| sibling.site() == Site::Library);
        let of_files = has(&of_file);
        let siblings = chosen.iter().map(|(_, sibling)| *sibling).filter(|sibling| sibling.site() == Site::Library);
        Ok(Bench {
            root,
            seed: options.seed,
            kernels: Sites::prepare(root, &has(&|_| true))?,
            library: if in_library.is_empty() { None } else { Some(Library::build(root, &in_library, siblings)?) },
            traces: if of_files.is_empty() { None } else { Some(Traces::prepare(root, &of_files)?) },
            rows: plan::rows(),
        })
    }

    /// Siblings of one site in one row.
    fn group(&self, entries: &[Entry], group: &[Planted<'_>]) -> Result<Vec<Seen>, String> {
        let Some((_, first)) = group.first() else { return Ok(Vec::new()) };
        let name = format!("{} {}", first.architecture, first.row);
        let row = self.rows.iter().find(|row| row.architecture == first.architecture && row.name == first.row);
        let row = row.ok_or_else(|| format!("there is no row {name}"))?;
        let judged = match (first.site(), of_file(first)) {
            (Site::Library, _) => self.in_library(row, group),
            (Site::Kernel, false) => self.in_kernel(row, group),
            (Site::Kernel, true) => self.in_file(row, group),
        };
        let fates = judged.map_err(|error| format!("{name}: {error}"))?;
        let seen = group.iter().zip(fates).map(|((number, sibling), fate)| {
            let seen = Seen::new(entries[*number].id, sibling, fate);
            eprint!("{}", seen.line());
            seen
        });
        Ok(seen.collect())
    }

    fn in_kernel(&self, row: &Row, group: &[Planted<'_>]) -> Result<Vec<Fate>, String> {
        let (site, elf) = self.kernels.of(row.architecture)?;
        let kernel = Kernel::read(self.root, elf, row, Server::address(site, &row.name)?)?;
        let mut server = Server::of_checks(site, &row.name, self.seed, &checks_of(group))?;
        let room = server.room;
        // The code of another assembler, elsewhere in memory: as it is, and after all that was planted.
        let control = |server: &mut Server| {
            let changes = kernel.moved(room)?;
            unharmed(server.run_checks(changes, &[])?)
        };
        control(&mut server)?;
        let fate = |(_, sibling): &Planted<'_>| {
            let changes = kernel.planted(sibling, room)?;
            server.run_checks(changes, sibling.seen_by).map_err(|error| format!("{}: {error}", sibling.what))
        };
        let fates = group.iter().map(fate).collect::<Result<Vec<_>, String>>()?;
        control(&mut server)?;
        self.explained(site, row, group, fates, |sibling, room| kernel.planted(sibling, room))
    }

    fn in_library(&self, row: &Row, group: &[Planted<'_>]) -> Result<Vec<Fate>, String> {
        let library = self.library.as_ref().ok_or("the library was not built with what is planted in it")?;
        let (site, _) = library.sites.of(row.architecture)?;
        let mut server = Server::of_checks(site, &row.name, self.seed, &checks_of(group))?;
        unharmed(server.run_checks(Vec::new(), &[])?)?;
        let address = server.address;
        let fate = |(_, sibling): &Planted<'_>| server.run_checks(library.chosen(sibling, address)?, sibling.seen_by);
        let fates = group.iter().map(fate).collect::<Result<Vec<_>, String>>()?;
        unharmed(server.run_checks(Vec::new(), &[])?)?;
        self.explained(site, row, group, fates, |sibling, _| library.chosen(sibling, address))
    }

    fn in_file(&self, row: &Row, group: &[Planted<'_>]) -> Result<Vec<Fate>, String> {
        let traces = self.traces.as_ref().ok_or("no guest was built to be changed")?;
        let (elf, address) = traces.kernel(row)?;
        let kernel = Kernel::read(self.root, elf, row, address)?;
        group
            .iter()
            .map(|(_, sibling)| {
                let changes = kernel.in_place(sibling)?;
                traces
                    .judge(row, sibling, address, &changes, self.seed)
                    .map_err(|error| format!("{}: {error}", sibling.what))
            })
            .collect()
    }

    /// What no check saw that should have: by all others, to tell who does.
    fn explained(
        &self,
        site: &Place,
        row: &Row,
        group: &[Planted<'_>],
        mut fates: Vec<Fate>,
        changes: impl Fn(&Sibling, (u64, u64)) -> Result<Vec<Change>, String>,
    ) -> Result<Vec<Fate>, String> {
        if fates.iter().all(|fate| !matches!(fate, Fate::Survived { .. })) {
            return Ok(fates);
        }
        let mut server = Server::start(site, &row.name, self.seed, &[])?;
        for (fate, (_, sibling)) in fates.iter_mut().zip(group) {
            if matches!(fate, Fate::Survived { .. }) {
                let room = server.room;
                *fate = server.run_checks(changes(sibling, room)?, &[])?;
            }
        }
        Ok(fates)
    }
}

/// The checks that siblings are seen by, each once.
fn checks_of(group: &[Planted<'_>]) -> Vec<&'static str> {
    let mut checks: Vec<&'static str> = group.iter().flat_map(|(_, sibling)| sibling.seen_by).copied().collect();
    checks.sort_unstable();
    checks.dedup();
    checks
}

fn unharmed(fate: Fate) -> Result<(), String> {
    match fate {
        Fate::Survived { .. } => Ok(()),
        Fate::Killed { check, what, .. } => Err(format!("without a bug it does not pass {check}: {what}")),
    }
}

/// A kernel as it was built, and its source.
struct Kernel {
    architecture: Architecture,
    address: u64,
    built: Vec<u32>,
    source: String,
}

impl Kernel {
    fn read(root: &Path, elf: &Elf, row: &Row, address: u64) -> Result<Kernel, String> {
        let code = Code::read(elf, &row.name, row.features(), address)?;
        let path = root.join(super::bug::source_of(row.architecture, &row.name));
        let source = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let built = code.words.iter().map(|word| word.value).collect();
        Ok(Kernel { architecture: row.architecture, address, built, source })
    }

    fn words(&self, sibling: Option<&Sibling>) -> Result<Vec<u32>, String> {
        let edits = sibling.map_or(&[][..], |sibling| &sibling.edits);
        assembler::assemble(self.architecture, &source::edited(&self.source, edits)?)
    }

    /// The code with a bug in the kernel's place, or where there is room for it if it is longer.
    fn planted(&self, sibling: &Sibling, room: (u64, u64)) -> Result<Vec<Change>, String> {
        let planted = || {
            let words = self.words(Some(sibling))?;
            if words.len() <= self.built.len() { Ok(self.changed(&words)) } else { self.elsewhere(&words, room) }
        };
        planted().map_err(|error| format!("{}: {error}", sibling.what))
    }

    /// The code without a bug where there is room, with a branch to it.
    fn moved(&self, room: (u64, u64)) -> Result<Vec<Change>, String> {
        self.elsewhere(&self.words(None)?, room)
    }

    fn elsewhere(&self, words: &[u32], (room, bytes): (u64, u64)) -> Result<Vec<Change>, String> {
        if 4 * words.len() as u64 > bytes {
            return Err(format!("{} words of code do not fit in {bytes} bytes", words.len()));
        }
        let first = Change { offset: 0, word: assembler::branch(self.architecture, self.address, room)? };
        let offset = room.wrapping_sub(self.address) as u32;
        let there = words.iter().enumerate();
        let there = there.map(|(index, word)| Change { offset: offset.wrapping_add(4 * index as u32), word: *word });
        Ok(std::iter::once(first).chain(there).collect())
    }

    /// The words that are others now.
    fn changed(&self, words: &[u32]) -> Vec<Change> {
        let both = words.iter().zip(&self.built).enumerate().filter(|(_, (new, old))| new != old);
        both.map(|(index, (new, _))| Change { offset: 4 * index as u32, word: *new }).collect()
    }

    /// The same for code that keeps its length, whose literals stay where the file says that they are.
    fn in_place(&self, sibling: &Sibling) -> Result<Vec<Change>, String> {
        let words = self.words(Some(sibling)).map_err(|error| format!("{}: {error}", sibling.what))?;
        let (now, before) = (words.len(), self.built.len());
        if now != before {
            return Err(format!(
                "{}: the kernel has {now} words now, and {before} before; it must not move",
                sibling.what
            ));
        }
        Ok(self.changed(&words))
    }
}
