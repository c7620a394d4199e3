//! A run over the mutants of the selected kernels.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rand::seq::SliceRandom;
use rayon::prelude::*;
use vambrace::kernels::{Architecture, Kernel};
use vambrace_harness::{Budget, Context};
use vambrace_verify::selection::Selection;

use super::code::Code;
use super::equivalents::{self, Equivalents, Said};
use super::operators::{self, Kind, Mutant};
use super::report::{self, KernelSummary, Run, Survivor, Tried};
use super::server::{Fate, Server, Site};
use super::{NAME, planted};
use crate::build;
use crate::disassembly::Disassembler;
use crate::elf::Elf;
use crate::place::{Replay, places};
use crate::plan::{self, Row};
use crate::qemu;
use crate::shard::Shard;
use crate::verify::Ending;

/// How many mutants of each kernel are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// So many, as evenly over the kinds as they allow.
    Sample(usize),
    /// All.
    Exhaustive,
}

/// What a run is about.
#[derive(Debug)]
pub struct Options<'a> {
    /// The kernels.
    pub selection: &'a Selection,
    /// The part of them.
    pub shard: Shard,
    /// The seed of the samples and of the checks.
    pub seed: u64,
    /// How many.
    pub amount: Amount,
    /// The folder of the reports.
    pub folder: PathBuf,
    /// Whether docs/mutants.md is written, too.
    pub document: bool,
}

/// What the guests are run with.
pub struct Sites(Vec<(Site, Elf)>);

impl Sites {
    /// Builds the guests of a workspace for some architectures.
    ///
    /// # Errors
    /// If they cannot be built, or QEMU is missing.
    pub fn prepare(root: &Path, architectures: &[Architecture]) -> Result<Sites, String> {
        let programs = build::programs(root, architectures, &["mutants"], "dev")?;
        let sites = programs.into_iter().map(|program| {
            // The first place of an architecture has most features.
            let mut all = places(false).into_iter().map(|(place, _)| place);
            let place = all.find(|place| place.architecture == program.architecture);
            let place = place.ok_or_else(|| format!("there is no place for {}", program.architecture))?;
            let qemu = if place.emulated() {
                Some(qemu::find(program.architecture).map_err(|error| error.to_string())?)
            } else {
                None
            };
            let elf = Elf::read(&program.path, program.architecture)?;
            Ok((Site { place, qemu, program: program.path }, elf))
        });
        Ok(Sites(sites.collect::<Result<_, String>>()?))
    }

    /// That of an architecture, and the guest's file.
    ///
    /// # Errors
    /// If none was built for it.
    pub fn of(&self, architecture: Architecture) -> Result<&(Site, Elf), String> {
        let found = self.0.iter().find(|(site, _)| site.place.architecture == architecture);
        found.ok_or_else(|| format!("no guest was built for {architecture}"))
    }
}

/// Tries mutants of every selected kernel.
///
/// # Errors
/// If the run cannot be made: a kernel that does not pass as it is, a defect of a mutant that goes unseen, a lost guest.
pub fn run(root: &Path, options: &Options<'_>) -> Result<Ending, String> {
    let rows = plan::kernels(options.selection, NAME, options.shard)?;
    let architectures = plan::architectures(&rows);
    let equivalents = Equivalents::read()?;
    let sites = Sites::prepare(root, &architectures)?;
    let began = Instant::now();
    let planted = planted::see(sites.0.iter().map(|(site, _)| site), options.seed)?;

    let try_one = |row: Row| {
        let tried =
            sites.of(row.architecture).and_then(|(site, elf)| try_kernel(site, elf, &row, options, &equivalents));
        tried.map_err(|error| format!("{} {}: {error}", row.architecture, row.name))
    };
    let kernels = for_each(rows, try_one)?;
    finish(root, options, Run::new(root, options, planted, began.elapsed(), kernels))
}

/// Runs the survivors of the last run again, and judges them anew: those that a sharper check finds now, or a reason explains.
///
/// # Errors
/// If there was no run, if the kernels are no longer those that it was about, or as [`run`].
pub fn again(root: &Path, options: &Options<'_>) -> Result<Ending, String> {
    let mut last = report::last(&options.folder)
        .ok_or_else(|| format!("{} has no report of a run over mutants", options.folder.display()))?;
    let equivalents = Equivalents::read()?;
    let sites = Sites::prepare(root, &Architecture::ALL)?;
    last.planted = planted::see(sites.0.iter().map(|(site, _)| site), last.seed)?;
    let rows = plan::rows();
    let judge = |mut summary: KernelSummary| {
        if summary.survivors.is_empty() {
            return Ok(summary);
        }
        let row = rows.iter().find(|row| {
            row.kernel.is_some() && row.name == summary.kernel && row.architecture.name() == summary.architecture
        });
        let judged = row.ok_or_else(|| "there is no such kernel any more".to_owned()).and_then(|row| {
            let (site, elf) = sites.of(row.architecture)?;
            let address = Server::address(site, &row.name)?;
            Bench::prepare(site, elf, row, address, last.seed, &equivalents)?.judge_again(&mut summary)
        });
        judged.map_err(|error| format!("{} {}: {error}", summary.architecture, summary.kernel))?;
        Ok(summary)
    };
    last.kernels = for_each(std::mem::take(&mut last.kernels), judge)?;
    last.commit = crate::report::tools(root, &[]).commit;
    finish(root, options, last)
}

/// Works through a list, as many at once as there are cores, and shows what comes of each.
fn for_each<T: Send>(
    list: Vec<T>,
    work: impl Fn(T) -> Result<KernelSummary, String> + Sync,
) -> Result<Vec<KernelSummary>, String> {
    let shown = |one| {
        let summary = work(one);
        match &summary {
            Ok(summary) => eprint!("{}", summary.lines()),
            Err(error) => eprintln!("{error}"),
        }
        summary
    };
    let done: Vec<Result<KernelSummary, String>> = list.into_par_iter().map(shown).collect();
    let mut kernels = done.into_iter().collect::<Result<Vec<_>, String>>()?;
    kernels.sort_by(|a, b| (&a.architecture, &a.kernel).cmp(&(&b.architecture, &b.kernel)));
    Ok(kernels)
}

fn finish(root: &Path, options: &Options<'_>, run: Run) -> Result<Ending, String> {
    print!("{}", run.text());
    report::write(root, options, &run)?;
    Ok(if run.unexplained().next().is_none() { Ending::Good } else { Ending::Bad })
}

/// A sample of a kernel's mutants: shuffled, then one of each kind in turn.
fn sample(
    mut mutants: Vec<Mutant>,
    amount: Amount,
    kernel: &str,
    architecture: Architecture,
    seed: u64,
) -> Vec<Mutant> {
    let Amount::Sample(number) = amount else { return mutants };
    let context = Context::new(Budget::Quick, seed);
    mutants.shuffle(&mut context.rng(kernel, NAME, architecture as u64));
    let mut kinds: Vec<VecDeque<Mutant>> = vec![VecDeque::new(); Kind::ALL.len()];
    for mutant in mutants {
        let kind = Kind::ALL.iter().position(|kind| *kind == mutant.kind).unwrap_or(0);
        kinds[kind].push_back(mutant);
    }
    let mut chosen = Vec::new();
    while chosen.len() < number && kinds.iter().any(|kind| !kind.is_empty()) {
        let one_each = kinds.iter_mut().filter_map(VecDeque::pop_front);
        chosen.extend(one_each.take(number - chosen.len()));
    }
    chosen.sort_by_key(|mutant| mutant.number);
    chosen
}

/// The kernel as it is, in a child like those of its mutants, passes.
fn control(server: &mut Server) -> Result<(), String> {
    match server.run(&[], None)? {
        Fate::Survived { .. } => Ok(()),
        Fate::Killed { check, how, what, .. } => {
            Err(format!("the kernel as it is does not pass {check} in a child ({how}): {what}"))
        }
    }
}

/// A kernel, and all that is known of its mutants.
struct Bench<'a> {
    site: &'a Site,
    kernel: Option<&'static Kernel>,
    code: Code,
    disassembler: Disassembler,
    mutants: Vec<Mutant>,
    equivalents: &'a Equivalents,
    seed: u64,
}

impl<'a> Bench<'a> {
    fn prepare(
        site: &'a Site,
        elf: &Elf,
        row: &Row,
        address: u64,
        seed: u64,
        equivalents: &'a Equivalents,
    ) -> Result<Bench<'a>, String> {
        let features = row.kernel.map_or(&[][..], |kernel| kernel.features);
        let code = Code::read(elf, &row.name, features, address)?;
        let disassembler = Disassembler::new(row.architecture)?;
        let stale = equivalents.stale(&code, &disassembler);
        if !stale.is_empty() {
            return Err(format!("equivalents.json has outdated reasons:\n  {}", stale.join("\n  ")));
        }
        let mutants = operators::all(&code, &disassembler);
        Ok(Bench { site, kernel: row.kernel, code, disassembler, mutants, equivalents, seed })
    }

    /// A guest in which the kernel as it is has passed.
    fn server(&self) -> Result<Server, String> {
        let mut server = Server::start(self.site, &self.code.kernel, self.seed, &[])?;
        control(&mut server)?;
        Ok(server)
    }

    fn try_one(&self, server: &mut Server, mutant: &Mutant) -> Result<Tried, String> {
        let fate = server.run(&mutant.changes, None)?;
        let survivor = matches!(fate, Fate::Survived { .. }).then(|| self.shown(mutant));
        Ok(Tried { kind: mutant.kind, fate, survivor })
    }

    /// A mutant for a reader, as if it had survived.
    fn shown(&self, mutant: &Mutant) -> Survivor {
        let (before, after) = equivalents::texts(&self.code, &self.disassembler, mutant);
        let (place, seed, number) = (&self.site.place, self.seed, mutant.number);
        let said = self.equivalents.said(self.kernel, &self.code, &self.disassembler, mutant);
        let (shown_by, equivalent, gap) = match said {
            Some(Said::Equivalent(shown, reason)) => (Some(shown), Some(reason), None),
            Some(Said::Gap(gap)) => (None, None, Some(gap)),
            None => (None, None, None),
        };
        Survivor {
            number,
            kind: mutant.kind.name().to_owned(),
            offset: mutant.changes[0].offset,
            before,
            after,
            shown_by,
            equivalent,
            gap,
            replay: format!("ci/verify --replay {place}:{}:{NAME}:{seed}:{number}", self.code.kernel),
        }
    }

    /// The survivors of another run, judged anew: those that no reason explains are run again.
    fn judge_again(&self, summary: &mut KernelSummary) -> Result<(), String> {
        let mut server = None;
        for survivor in std::mem::take(&mut summary.survivors) {
            let mutant = self.mutants.get(survivor.number as usize);
            let mutant = mutant.ok_or_else(|| "it has fewer mutants now".to_owned())?;
            let shown = self.shown(mutant);
            if (&shown.before, &shown.after, shown.offset) != (&survivor.before, &survivor.after, survivor.offset) {
                return Err(format!(
                    "its mutant {} is another one now: {} -> {}",
                    shown.number, shown.before, shown.after
                ));
            }
            summary.forget(&survivor);
            let tried = if shown.equivalent.is_some() {
                Tried { kind: mutant.kind, fate: Fate::Survived { milliseconds: 0 }, survivor: Some(shown) }
            } else {
                let server = match &mut server {
                    Some(server) => server,
                    none => none.insert(self.server()?),
                };
                self.try_one(server, mutant)?
            };
            summary.note(tried);
        }
        Ok(())
    }
}

fn try_kernel(
    site: &Site,
    elf: &Elf,
    row: &Row,
    options: &Options<'_>,
    equivalents: &Equivalents,
) -> Result<KernelSummary, String> {
    let mut server = Server::start(site, &row.name, options.seed, &[])?;
    control(&mut server)?;
    let bench = Bench::prepare(site, elf, row, server.address, options.seed, equivalents)?;
    let checks = server.checks.clone();
    let mut summary = KernelSummary::new(row.architecture.name(), &row.name, bench.mutants.len(), checks);
    for mutant in sample(bench.mutants.clone(), options.amount, &row.name, row.architecture, options.seed) {
        summary.note(bench.try_one(&mut server, &mutant)?);
    }
    control(&mut server)?;
    Ok(summary)
}

/// Runs one mutant again, or the kernel as it is where no number is given.
///
/// # Errors
/// If there is no such kernel or mutant, or the guest cannot be run.
pub fn replay(root: &Path, replay: &Replay) -> Result<Ending, String> {
    let row = plan::rows().into_iter().find(|row| {
        row.architecture == replay.place.architecture && row.name == replay.subject && row.kernel.is_some()
    });
    let row = row.ok_or_else(|| format!("{} has no kernel {}", replay.place.architecture, replay.subject))?;
    let sites = Sites::prepare(root, &[row.architecture])?;
    let (site, elf) = sites.of(row.architecture)?;
    let equivalents = Equivalents::read()?;
    let address = Server::address(site, &row.name)?;
    let bench = Bench::prepare(site, elf, &row, address, replay.seed, &equivalents)?;
    let mut server = bench.server()?;
    let Some(number) = replay.case else {
        println!("{} {} passes as it is; a mutant has a number", row.architecture, row.name);
        return Ok(Ending::Good);
    };
    let count = bench.mutants.len();
    let mutant = bench.mutants.get(number as usize).cloned();
    let mutant = mutant.ok_or_else(|| format!("{} has {count} mutants, and none of number {number}", row.name))?;
    let shown = bench.shown(&mutant);
    println!("{} {} + {:#x}: {}", row.architecture, row.name, shown.offset, shown.kind);
    println!("  before  {}\n  after   {}", shown.before, shown.after);
    match bench.try_one(&mut server, &mutant)?.fate {
        Fate::Killed { check, how, what, milliseconds } => {
            println!("  killed  by {check} in {milliseconds} ms of CPU time ({how}): {what}");
            Ok(Ending::Good)
        }
        Fate::Survived { .. } => {
            let why = shown.equivalent.as_deref().or(shown.gap.as_deref());
            println!("  survives; {}", why.unwrap_or("nothing says that it is equivalent"));
            Ok(if shown.equivalent.is_some() { Ending::Good } else { Ending::Bad })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_every_kind_and_follows_from_the_seed() {
        let mutant = |number| Mutant { number, kind: Kind::ALL[number as usize % 50 / 25], changes: Vec::new() };
        let mutants: Vec<Mutant> = (0..100).map(mutant).collect();
        let take = |seed| sample(mutants.clone(), Amount::Sample(10), "k", Architecture::Arm, seed);
        assert_eq!(take(7), take(7));
        assert_ne!(take(7), take(8));
        assert_eq!(take(7).iter().filter(|mutant| mutant.kind == Kind::Register).count(), 5);
        assert_eq!(sample(mutants.clone(), Amount::Sample(1000), "k", Architecture::Arm, 7).len(), 100);
        assert_eq!(sample(mutants.clone(), Amount::Exhaustive, "k", Architecture::Arm, 7), mutants);
    }
}
