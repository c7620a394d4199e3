//! `ci verify`: from sources to a verdict.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use rayon::prelude::*;
use vambrace::kernels::Architecture;
use vambrace_harness::event::Status;
use vambrace_verify::dispatch::format_features;
use vambrace_verify::planted::Planted;
use vambrace_verify::selection::Selection;

use crate::code::Codes;
use crate::elf::Elf;
use crate::features;
use crate::guest::{self, CellResult, Launch, Report};
use crate::luks::{self, Opened, Opener};
use crate::mutants::{self, Amount};
use crate::place::{Depth, Place, Replay, places};
use crate::plan::{Job, Part, Plan, Row, Scope};
use crate::progress::Display;
use crate::qemu::{self, Qemu};
use crate::report::{self, Effort, Run};
use crate::shard::Shard;
use crate::verdict::{Done, Inspected, Results, Verdict};
use crate::{build, code_hashes, compare, objects, others, planted, proofs, table, trace};

/// Checks every kernel under QEMU and writes target/verify/{index.html,report.json,junit.xml}.
///
/// Exit status: 0 if everything that was selected was run and passed, 1 if not, 2 if the run could not be made.
#[derive(Args, Debug)]
pub struct Arguments {
    /// At most two minutes of checking on two cores; the default.
    #[arg(long, group = "effort")]
    quick: bool,
    /// More cases, and every check on every CPU model.
    #[arg(long, group = "effort")]
    full: bool,
    /// The same again and again with new seeds, until the time is over, as 2h or 30min.
    #[arg(long, group = "effort", value_name = "DURATION", value_parser = humantime::parse_duration)]
    soak: Option<Duration>,
    /// Only what matches: a glob over kernels, over checks, or over KERNEL/CHECK. Repeatable.
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    /// Where all randomness comes from; chosen and printed where it is not given.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Runs one case again, as a failure printed it: ARCHITECTURE@CPU:SUBJECT:CHECK:SEED[:CASE].
    #[arg(long, value_name = "CASE", conflicts_with_all = ["only", "seed", "soak", "list"])]
    replay: Option<Replay>,
    /// Lists kernels, checks and CPU models, and runs nothing.
    #[arg(long)]
    list: bool,
    /// Proves the kernels equal to their specifications for all inputs, and runs no check. --only selects kernels.
    #[arg(long, conflicts_with_all = ["effort", "seed", "replay", "list", "of_checks"])]
    prove_only: bool,
    /// Proves a function of this object file, archive or linked file equal to its specification, and runs the checks of machine code
    /// on it, if it is not linked yet. With --replay it runs one of their cases again.
    #[arg(long, value_name = "FILE", requires = "contract", conflicts_with_all = ["soak", "only", "list", "mutants", "prove_only"])]
    object: Option<PathBuf>,
    /// What the function may do, and what it is to compute: docs/objects.md.
    #[arg(long, value_name = "FILE", requires = "object")]
    contract: Option<PathBuf>,
    /// Instead of checking the kernels, checks the checks: runs them on kernels with one instruction changed.
    #[arg(long, group = "of_checks", conflicts_with_all = ["effort", "replay", "list"])]
    mutants: bool,
    /// The same with published bugs and the defects that the checks look for, planted in our own code. --only selects by entry
    /// (B01 to B46, or a check) or by kernel.
    #[arg(long, group = "of_checks", conflicts_with_all = ["effort", "replay", "list"])]
    planted: bool,
    /// Instead of checking the kernels, checks crates that are not ours: sha2, blake2, salsa20, aes and xts-mode, ring, aws-lc-rs.
    #[arg(long, group = "of_checks", conflicts_with_all = ["effort", "replay", "list", "only", "write"])]
    others: bool,
    /// How many mutants of each kernel, 40 where it is not given; how many planted bugs of those in kernels, all where it is not given.
    #[arg(long, value_name = "N", requires = "of_checks")]
    sample: Option<usize>,
    /// All mutants: hours.
    #[arg(long, requires = "mutants", conflicts_with = "sample")]
    exhaustive: bool,
    /// Only those that the last run did not kill, to be judged anew.
    #[arg(long, requires = "mutants", conflicts_with_all = ["sample", "exhaustive", "only", "seed"])]
    again: bool,
    /// Writes docs/mutants.md or docs/planted.md too.
    #[arg(long, requires = "of_checks")]
    write: bool,
    /// A part of the kernels, so that several machines can share a run: the Ith of N.
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE, conflicts_with_all = ["replay", "again", "code_hashes"])]
    shard: Shard,
    /// Prints the SHA-256 of every kernel's code in a program, an object file or an archive (.a, .rlib); without FILE, in the
    /// guests. With --compare OLD.json, tells whether that is what was verified.
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with_all = ["effort", "seed", "replay", "list", "mutants", "prove_only"])]
    code_hashes: Option<Option<PathBuf>>,
    /// Tells what has changed since an older report.json; where a second one is given, between the two, without a run.
    #[arg(long, value_names = ["OLD.json", "NEW.json"], num_args = 1..=2, conflicts_with_all = ["replay", "list", "mutants", "prove_only"])]
    compare: Vec<PathBuf>,
    /// Where the reports go.
    #[arg(long, value_name = "FOLDER", default_value = "target/verify")]
    report: PathBuf,
}

/// How a run ended, where it could be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Everything that was selected was run and passed.
    Good,
    /// Something failed or was not run.
    Bad,
}

/// Makes a run.
///
/// # Errors
/// Why it cannot be made.
pub fn run(arguments: &Arguments) -> Result<Ending, String> {
    if let (Some(object), Some(contract)) = (&arguments.object, &arguments.contract) {
        let effort = if arguments.full { Effort::Full } else { Effort::Quick };
        let seed = arguments.seed.unwrap_or_else(fresh_seed);
        let replay = arguments.replay.as_ref();
        return objects::run(&objects::Request { object, contract, effort, seed, replay });
    }
    let selection = Selection::new(&arguments.only).map_err(|error| format!("--only: {error}"))?;
    // Read before the minutes of checking.
    let compared: Vec<compare::Report> =
        arguments.compare.iter().map(|path| compare::read(path)).collect::<Result<_, _>>()?;
    if let Some(file) = &arguments.code_hashes {
        return code_hashes::run(file.as_deref(), &selection, compared.first());
    }
    if let [old, new] = compared.as_slice() {
        print!("{}", compare::changes(old, new));
        return Ok(Ending::Good);
    }
    if arguments.prove_only {
        return proofs::run(&build::workspace_root()?, &selection, arguments.shard);
    }
    if arguments.mutants {
        return try_mutants(arguments, &selection);
    }
    if arguments.planted {
        return plant(arguments, &selection);
    }
    if arguments.others {
        return others::run(&build::workspace_root()?, arguments.seed.unwrap_or_else(fresh_seed));
    }
    let plan = Plan::new(selection, arguments.full || arguments.soak.is_some())?.sharded(arguments.shard);
    if arguments.list {
        print!("{}", table::list(&plan, &places(arguments.full)));
        return Ok(Ending::Good);
    }
    // Cargo is asked, for the program may be run from anywhere in the workspace.
    let root = build::workspace_root()?;
    match &arguments.replay {
        Some(replay) if replay.check == mutants::NAME => mutants::replay(&root, replay),
        Some(replay) => replay_case(&root, replay, arguments.full),
        None => verify(&root, arguments, &plan, compared.first()),
    }
}

fn try_mutants(arguments: &Arguments, selection: &Selection) -> Result<Ending, String> {
    let root = build::workspace_root()?;
    let folder = root.join(&arguments.report);
    report::probe(&folder)?;
    let amount = if arguments.exhaustive { Amount::Exhaustive } else { Amount::Sample(arguments.sample.unwrap_or(40)) };
    let seed = arguments.seed.unwrap_or_else(fresh_seed);
    let options =
        mutants::Options { selection, shard: arguments.shard, seed, amount, folder, document: arguments.write };
    if arguments.again { mutants::again(&root, &options) } else { mutants::run(&root, &options) }
}

fn plant(arguments: &Arguments, selection: &Selection) -> Result<Ending, String> {
    let root = build::workspace_root()?;
    let folder = root.join(&arguments.report);
    report::probe(&folder)?;
    let seed = arguments.seed.unwrap_or_else(fresh_seed);
    let options = planted::Options { selection, seed, sample: arguments.sample, folder, document: arguments.write };
    planted::run(&root, &options)
}

/// What the guests are started with.
#[derive(Clone)]
pub(crate) struct Machines {
    qemus: Vec<(Architecture, Qemu)>,
    programs: Vec<(Architecture, PathBuf)>,
    /// The kernels in them.
    codes: Codes,
}

impl Machines {
    /// Finds QEMU for what is to be emulated, builds the guests, and reads the kernels in them.
    pub(crate) fn prepare(root: &Path, places: &[Place]) -> Result<Machines, String> {
        let mut machines = Machines::without_codes(root, places)?;
        machines.codes = Codes::read(&machines.programs)?;
        Ok(machines)
    }

    /// The same for guests whose kernels nobody asks for.
    pub(crate) fn without_codes(root: &Path, places: &[Place]) -> Result<Machines, String> {
        let mut machines = Machines { qemus: Vec::new(), programs: Vec::new(), codes: Codes::default() };
        let used = |one: &&Architecture| places.iter().any(|place| place.architecture == **one);
        let architectures: Vec<Architecture> = Architecture::ALL.iter().filter(used).copied().collect();
        for &architecture in &architectures {
            if places.iter().any(|place| place.architecture == architecture && place.emulated()) {
                let qemu = qemu::find(architecture).map_err(|error| error.to_string())?;
                machines.qemus.push((architecture, qemu));
            }
        }
        machines.programs = build::guests(root, &architectures)?;
        Ok(machines)
    }

    /// The options of a guest that all its runs at a place share.
    fn options(&self, place: &Place) -> Vec<OsString> {
        let mut options: Vec<OsString> = vec!["--place".into(), place.to_string().into()];
        if let Some(mask) = place.mask {
            options.extend(["--mask".into(), format_features(mask).into()]);
        }
        if let Some(expected) = place.features() {
            options.extend(["--expect".into(), format_features(expected).into()]);
        }
        for (kernel, bytes) in self.codes.extents(place.architecture) {
            options.extend(["--extent".into(), format!("{kernel}={bytes}").into()]);
        }
        options
    }

    /// The guest of an architecture.
    pub(crate) fn program(&self, architecture: Architecture) -> Result<&Path, String> {
        let found = self.programs.iter().find(|(of, _)| *of == architecture);
        found.map(|(_, path)| path.as_path()).ok_or_else(|| format!("no guest was built for {architecture}"))
    }

    /// The same with another guest for an architecture.
    pub(crate) fn with_program(&self, architecture: Architecture, path: PathBuf) -> Machines {
        let programs = self.programs.iter().filter(|(of, _)| *of != architecture).cloned();
        let programs = programs.chain([(architecture, path)]).collect();
        Machines { qemus: self.qemus.clone(), programs, codes: self.codes.clone() }
    }

    pub(crate) fn launch(
        &self,
        place: &Place,
        arguments: impl IntoIterator<Item = OsString>,
        silence: Duration,
    ) -> Launch {
        self.launch_of(&self.programs, place, arguments, silence)
    }

    /// The same for other programs, of which there is one for each architecture.
    fn launch_of(
        &self,
        programs: &[(Architecture, PathBuf)],
        place: &Place,
        arguments: impl IntoIterator<Item = OsString>,
        silence: Duration,
    ) -> Launch {
        let of = |architecture: &Architecture| *architecture == place.architecture;
        let qemu = self.qemus.iter().find(|(architecture, _)| of(architecture)).map(|(_, qemu)| qemu);
        let program = programs.iter().find(|(architecture, _)| of(architecture));
        // Programs were built for the architectures of all places.
        let program = program.map(|(_, program)| program.as_path()).unwrap_or(Path::new("verify"));
        let mut command_line = qemu::command_line(place, qemu, program);
        command_line.extend(arguments);
        Launch { command_line, silence }
    }
}

fn verify(root: &Path, arguments: &Arguments, plan: &Plan, old: Option<&compare::Report>) -> Result<Ending, String> {
    let effort = match (arguments.full, arguments.soak) {
        (_, Some(duration)) => Effort::Soak(duration),
        (true, None) => Effort::Full,
        (false, None) => Effort::Quick,
    };
    let folder = root.join(&arguments.report);
    // Not after the minutes of checking.
    report::probe(&folder)?;
    let seed = arguments.seed.unwrap_or_else(fresh_seed);
    let places: Vec<(Place, Depth)> = places(effort != Effort::Quick)
        .into_iter()
        .filter(|(place, _)| plan.architectures().contains(&place.architecture))
        .collect();
    let began = Instant::now();
    let every_place: Vec<Place> = places.iter().map(|(place, _)| place.clone()).collect();
    let machines = Machines::prepare(root, &every_place)?;
    let examples = build_for_images(root, plan)?;
    let built = began.elapsed();
    let began = Instant::now();
    let mut planted = see_planted_defects(&machines, &every_place)?;

    let mut done = Vec::new();
    for round in 0.. {
        let round_seed = seed.wrapping_add(round);
        let jobs = plan.jobs(&places);
        done.extend(run_jobs(&machines, jobs, effort, round_seed));
        let good = done.iter().all(|done: &Done| done.report.is_good());
        match effort {
            Effort::Soak(duration) if good && began.elapsed() < duration => {}
            _ => break,
        }
    }
    let (traced, planted_for_traces) = trace_kernels(root, &machines, trace::jobs(plan, &places), effort, seed)?;
    done.extend(traced);
    planted += planted_for_traces;
    let inspected = inspect(plan, &machines, &every_place);
    let opened = open_images(plan, &machines, &examples, &every_place, seed);
    let checking = began.elapsed();
    let began = Instant::now();
    let to_prove = plan.cells().filter(|(_, check)| check.scope == Scope::Proof).map(|(row, _)| row);
    let proofs = proofs::prove_all(&machines.codes, &proofs::kernels(to_prove));
    let results =
        Results { done: &done, inspected: &inspected, opened: &opened, proofs: &proofs, codes: &machines.codes };
    let verdict = Verdict::new(plan, &results, seed);
    let run = Run {
        effort,
        seed,
        shard: arguments.shard,
        building: built,
        checking,
        proving: began.elapsed(),
        planted,
        places: &places,
        plan,
        verdict: &verdict,
        codes: &machines.codes,
        tools: report::tools(root, &machines.qemus),
    };
    print!("{}", table::matrix(plan, &verdict, std::io::stdout().is_terminal()));
    println!("{}", table::summary(&run));
    if let Some(old) = old {
        print!("{}", compare::changes(old, &compare::of(&run)?));
    }
    let written = report::write(root, &folder, &run)?;
    println!("report: {}", written.display());
    // All that a full run has beside: whether the checks see what they should, and what they say of others' code.
    let beside = match effort {
        Effort::Full if arguments.only.is_empty() => judge_checks(root, folder, seed)?,
        _ => Ending::Good,
    };
    Ok(if verdict.is_good() { beside } else { Ending::Bad })
}

fn judge_checks(root: &Path, folder: PathBuf, seed: u64) -> Result<Ending, String> {
    let selection = &Selection::default();
    let options = planted::Options { selection, seed, sample: None, folder, document: false };
    let endings = [planted::run(root, &options)?, others::run(root, seed)?];
    Ok(if endings.contains(&Ending::Bad) { Ending::Bad } else { Ending::Good })
}

/// A seed that differs from run to run, short enough to be typed.
fn fresh_seed() -> u64 {
    // The standard library keys its hash maps by random numbers of the system.
    RandomState::new().build_hasher().finish() >> 32
}

/// How long a guest may be silent: no single check of a quick run takes seconds.
pub(crate) fn silence(effort: Effort) -> Duration {
    match effort {
        Effort::Quick => Duration::from_secs(120),
        Effort::Full | Effort::Soak(_) => Duration::from_secs(3600),
    }
}

/// Runs guests with defects, once per way of running guests: each must be seen, or the run would be worth nothing.
/// Returns how many were seen.
fn see_planted_defects(machines: &Machines, places: &[Place]) -> Result<usize, String> {
    let mut runners: Vec<&Place> = Vec::new();
    for place in places {
        let same = |other: &&Place| (other.architecture, other.emulated()) == (place.architecture, place.emulated());
        if !runners.iter().any(same) {
            runners.push(place);
        }
    }
    let all = runners.iter().flat_map(|place| Planted::ALL.into_iter().map(move |planted| (*place, planted)));
    let see = |(place, planted): (&Place, Planted)| {
        let options = ["--planted", planted.name(), "--only", "planted/kat"].map(OsString::from);
        let launch = machines.launch(place, options, silence(Effort::Quick));
        let report = guest::run(&launch, &all_of(place, 1), |_| {});
        recognise(planted, &report).map(|()| 1).map_err(|what| {
            let name = planted.name();
            format!("the planted defect {name:?} goes unseen on {place}, so no result there can be trusted: {what}")
        })
    };
    all.collect::<Vec<_>>().into_par_iter().map(see).sum()
}

/// Whether a report shows a planted defect, and for the right reason.
fn recognise(planted: Planted, report: &Report) -> Result<(), String> {
    let failures = report.results.iter().filter_map(|result| result.failure.as_deref());
    let mut said: Vec<&str> = failures.map(|failure| failure.what.as_str()).collect();
    let blamed_on_a_check = !said.is_empty();
    said.extend(report.problems.iter().map(String::as_str));
    let seen = match planted {
        Planted::WrongDigest => blamed_on_a_check && report.problems.is_empty(),
        Planted::UndefinedInstruction => blamed_on_a_check && said[0].contains("SIGILL"),
        Planted::EarlyExit => blamed_on_a_check && said[0].contains("ended before it was finished"),
        Planted::ExitStatus => !blamed_on_a_check && said.iter().any(|said| said.contains("exit status: 1")),
    };
    if seen { Ok(()) } else { Err(format!("the driver saw {said:?}")) }
}

/// Runs jobs, as many at once as there are cores.
fn run_jobs(machines: &Machines, jobs: Vec<Job>, effort: Effort, seed: u64) -> Vec<Done> {
    let workers = thread::available_parallelism().map_or(1, usize::from).min(jobs.len().max(1));
    let display = Display::new(jobs.len(), workers);
    let queue = Mutex::new(VecDeque::from(jobs));
    let done = Mutex::new(Vec::new());
    let lock = |queue: &Mutex<VecDeque<Job>>| queue.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).pop_front();
    thread::scope(|scope| {
        for worker in 0..workers {
            let (queue, done, display) = (&queue, &done, &display);
            scope.spawn(move || {
                while let Some(job) = lock(queue) {
                    let report = run_job(machines, &job, effort, seed, display, worker);
                    done.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(Done { job, seed, report });
                }
            });
        }
    });
    display.finish();
    done.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn run_job(machines: &Machines, job: &Job, effort: Effort, seed: u64, display: &Display, worker: usize) -> Report {
    let mut options = machines.options(&job.place);
    options.extend(["--budget".into(), effort.name().into(), "--seed".into(), seed.to_string().into()]);
    options.extend(["--vectors".into(), job.vectors.to_string().into()]);
    for Part { kernel, checks } in &job.parts {
        options.extend(checks.iter().flat_map(|check| ["--only".into(), format!("{kernel}/{check}").into()]));
    }
    let launch = machines.launch(&job.place, options, silence(effort));
    display.begin(worker, job);
    let report = guest::run(&launch, &all_of(&job.place, seed), |progress| display.progress(worker, job, &progress));
    display.end(worker, job, &report);
    report
}

/// Traces what is to be traced, once the planted defects were seen in traces. Says how many these were.
fn trace_kernels(
    root: &Path,
    machines: &Machines,
    jobs: Vec<Job>,
    effort: Effort,
    seed: u64,
) -> Result<(Vec<Done>, usize), String> {
    let places: Vec<Place> = jobs.iter().map(|job| job.place.clone()).collect();
    with_tracers(root, machines, &places, effort, |tracers| {
        let planted =
            tracers.par_iter().map(|(planted, _)| trace::see_planted_defects(planted)).sum::<Result<_, _>>()?;
        let tracers: Vec<_> = tracers.into_iter().map(|(_, tracer)| tracer).collect();
        Ok((trace::run(&tracers, jobs, effort, seed), planted))
    })
}

/// For each place where QEMU traces: who traces planted kernels, and who traces the real ones.
pub(crate) type Tracers<'a> = Vec<(trace::Tracer<'a>, trace::Tracer<'a>)>;

/// Does something with tracers for some places.
pub(crate) fn with_tracers<T>(
    root: &Path,
    machines: &Machines,
    places: &[Place],
    effort: Effort,
    action: impl FnOnce(Tracers<'_>) -> Result<T, String>,
) -> Result<T, String> {
    let mut traced: Vec<&Place> = places.iter().filter(|place| place.emulated()).collect();
    traced.dedup();
    if traced.is_empty() {
        return action(Vec::new());
    }
    let plugin = build::plugin(root, trace::takes_api_2(&machines.qemus)?)?;
    let start = |place: &Place, arguments: Vec<OsString>| {
        machines.launch(place, machines.options(place).into_iter().chain(arguments), silence(effort))
    };
    let program = |architecture| machines.programs.iter().find(|(of, _)| *of == architecture);
    let read = traced.iter().filter_map(|place| program(place.architecture)).map(|(of, path)| Elf::read(path, *of));
    let elves: Vec<Elf> = read.collect::<Result<_, String>>()?;
    let tracers = traced.iter().zip(&elves).map(|(place, elf)| {
        let tracer = |of| trace::Tracer::new((*place).clone(), elf, plugin.clone(), &start, of);
        Ok((tracer("planted")?, tracer("kernels")?))
    });
    action(tracers.collect::<Result<_, String>>()?)
}

/// Reads the instructions of the kernels for which that was selected.
fn inspect(plan: &Plan, machines: &Machines, places: &[Place]) -> Vec<Inspected> {
    let mut inspected = Vec::new();
    for (architecture, program) in &machines.programs {
        let selected =
            plan.cells().filter(|(row, check)| row.architecture == *architecture && check.name == features::NAME);
        let rows: Vec<&Row> = selected.map(|(row, _)| row).collect();
        if rows.is_empty() {
            continue;
        }
        let elf = Elf::read(program, *architecture);
        let introduced = places
            .iter()
            .find(|place| place.architecture == *architecture)
            .map(|place| introduced(machines, place))
            .unwrap_or_default();
        for row in rows {
            let facts = introduced.kernels.iter().find(|facts| facts.name == row.name);
            let finding = match (&elf, facts.and_then(|facts| facts.address)) {
                (Err(error), _) => Err(error.clone()),
                (Ok(elf), Some(address)) => elf.inspect(address),
                (Ok(_), None) => Err(format!("no guest told the kernel's address; {}", introduced.problems.join("; "))),
            };
            inspected.push(Inspected { architecture: architecture.name(), kernel: row.name.clone(), finding });
        }
    }
    inspected
}

/// What a guest tells of its kernels, without a check.
pub(crate) fn introduced(machines: &Machines, place: &Place) -> Report {
    let launch = machines.launch(place, ["--introduce".into()], silence(Effort::Quick));
    guest::run(&launch, &all_of(place, 0), |_| {})
}

/// Builds the example that opens images, for the architectures that need it.
fn build_for_images(root: &Path, plan: &Plan) -> Result<Vec<(Architecture, PathBuf)>, String> {
    let needs = |one: &Architecture| rows_with_images(plan).any(|row| row.architecture == *one);
    match Architecture::ALL.into_iter().filter(needs).collect::<Vec<_>>().as_slice() {
        [] => Ok(Vec::new()),
        architectures => build::example(root, architectures, luks::EXAMPLE),
    }
}

/// The rows by whose kernels images are to be opened.
fn rows_with_images(plan: &Plan) -> impl Iterator<Item = &Row> {
    plan.cells().filter(|(_, check)| check.name == luks::NAME).map(|(row, _)| row)
}

/// Opens encrypted images by the kernels for which that was selected, each at one place where it can be run.
fn open_images(
    plan: &Plan,
    machines: &Machines,
    examples: &[(Architecture, PathBuf)],
    places: &[Place],
    seed: u64,
) -> Vec<Opened> {
    let openers: Vec<_> = rows_with_images(plan)
        .filter_map(|row| {
            let can_run = |place: &&Place| {
                let features = place.features().filter(|_| place.mask.is_none());
                place.architecture == row.architecture
                    && features.is_some_and(|features| features.missing(row.features()).is_none())
            };
            let place = places.iter().find(can_run)?;
            let launch = move |arguments| machines.launch_of(examples, place, arguments, silence(Effort::Full));
            Some(Opener { row, cpu: place.cpu_name(), launch })
        })
        .collect();
    if openers.is_empty() { Vec::new() } else { luks::open_all(&openers, seed) }
}

/// What a failure of a guest at a place is completed to a replay line with.
pub(crate) fn all_of(place: &Place, seed: u64) -> Replay {
    Replay { place: place.clone(), subject: String::new(), check: String::new(), seed, case: None }
}

/// Runs one case, or one check, again.
fn replay_case(root: &Path, replay: &Replay, full: bool) -> Result<Ending, String> {
    let place = &replay.place;
    replay.is_known()?;
    let machines = Machines::prepare(root, std::slice::from_ref(place))?;
    let effort = if full { Effort::Full } else { Effort::Quick };
    if trace::NAMES.contains(&replay.check.as_str()) {
        return with_tracers(root, &machines, std::slice::from_ref(place), effort, |tracers| {
            let tracers: Vec<_> = tracers.into_iter().map(|(_, tracer)| tracer).collect();
            tell(replay, &trace::replay(&tracers, replay, effort))
        });
    }
    let mut options = machines.options(place);
    options.extend(["--budget", effort.name(), "--seed"].map(OsString::from));
    options.push(replay.seed.to_string().into());
    options.extend(["--subject", &replay.subject, "--only"].map(OsString::from));
    options.push(format!("*/{}", replay.check).into());
    if let Some(case) = replay.case {
        options.extend(["--case".into(), case.to_string().into()]);
    }
    let launch = machines.launch(place, options, silence(effort));
    tell(replay, &guest::run(&launch, replay, |_| {}))
}

/// Prints what came of a replay.
pub(crate) fn tell(replay: &Replay, report: &Report) -> Result<Ending, String> {
    let place = &replay.place;
    for result in &report.results {
        print!("{}", outcome(result));
    }
    report.problems.iter().for_each(|problem| println!("{place}: {problem}"));
    if report.results.is_empty() && report.problems.is_empty() {
        return Err(format!("{} has no check {} for {} that this CPU can run", place, replay.check, replay.subject));
    }
    if let Some(case) = replay.case
        && report.is_good()
        && report.results.iter().all(|result| result.status == Status::None)
    {
        return Err(format!("case {case} of {} for {} was not run", replay.check, replay.subject));
    }
    Ok(if report.is_good() { Ending::Good } else { Ending::Bad })
}

fn outcome(result: &CellResult) -> String {
    let CellResult { subject, check, status, cases, reason, failure, .. } = result;
    match (status, failure) {
        (Status::Fail, Some(failure)) => format!("{failure}\n"),
        (Status::None, _) => format!("{subject} {check}: does not apply: {}\n", reason.as_deref().unwrap_or("")),
        _ => {
            let left_out = result.left_out.iter().map(|some| format!("  left out: {} {}\n", some.cases, some.reason));
            format!("{subject} {check}: passes ({cases} cases)\n{}", left_out.collect::<String>())
        }
    }
}
