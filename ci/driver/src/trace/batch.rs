//! Many kernels at once: what a run traces, and what is known of each when it is judged.

use std::ffi::OsString;

use rayon::prelude::*;
use vambrace::kernels::{Architecture, Kernel};
use vambrace_harness::event::Status;
use vambrace_harness::machine::traced;
use vambrace_trace::line::Written;
use vambrace_trace::order::Wanted;

use super::COVERAGE;
use super::code::Code;
use super::judge::Subject;
use super::trial::{STAGES, Tracer, Trial, passed};
use crate::disassembly::Disassembler;
use crate::guest::{CellResult, Report};
use crate::place::Replay;
use crate::plan::{Job, Row, rows};
use crate::progress::Display;
use crate::report::Effort;
use crate::verdict::Done;

/// What a guest of several kernels has shown of one.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// The cases that were traced.
    pub(super) cases: u64,
    /// The calls, and what was executed by the first functional checks and by a call with nothing to do.
    pub(super) written: Written,
}

/// Kernels that one guest runs after another, since starting a guest takes as long as tracing one.
struct Batch<'a> {
    tracer: &'a Tracer<'a>,
    /// Each kernel with its code.
    kernels: Vec<(&'static Kernel, Code)>,
    /// Whether any is to be judged by its calls, and whether any by what was executed.
    calls: bool,
    coverage: bool,
    effort: Effort,
    seed: u64,
}

impl Batch<'_> {
    /// What becomes of all of them, by name; nothing if something goes wrong, which tracing each alone will tell more of.
    fn run(&self) -> Vec<(&'static str, Known)> {
        self.try_run().unwrap_or_default()
    }

    fn try_run(&self) -> Result<Vec<(&'static str, Known)>, String> {
        let cells = |kernels: &mut dyn Iterator<Item = &'static Kernel>, checks: &[&str]| {
            let cells = kernels.flat_map(|kernel| checks.iter().map(move |check| format!("{}/{check}", kernel.name)));
            cells.flat_map(|cell| ["--only".into(), cell.into()]).collect::<Vec<OsString>>()
        };
        let all = || self.kernels.iter().map(|(kernel, _)| *kernel);
        let of_trace = ["--trace", "kernels"].map(OsString::from).to_vec();
        let traced = [of_trace.clone(), cells(&mut all(), &[traced::NAME])].concat();
        let (report, calls) = match self.calls {
            true => self.guest(traced, Wanted::Calls)?,
            false => Default::default(),
        };
        let functional = [vec!["--announce".into()], cells(&mut all(), STAGES[0])].concat();
        let (_, mut executed) = match self.coverage {
            true => self.guest(functional, Wanted::Coverage)?,
            false => Default::default(),
        };
        let mut with_empty_call = all().filter(|kernel| traced::has_empty_call(kernel));
        let empty = cells(&mut with_empty_call, &[traced::NAME]);
        if self.coverage && !empty.is_empty() {
            let case = ["--case".into(), traced::EMPTY_CASE.to_string().into()].to_vec();
            executed.ran.extend(self.guest([of_trace, case, empty].concat(), Wanted::Coverage)?.1.ran);
        }
        let of_kernel = |(kernel, code): &(&'static Kernel, Code)| {
            let extent = &code.extent;
            let result = report.results.iter().find(|result| result.kernel == kernel.name);
            let calls = calls.calls.iter().filter(|record| record.call.entry == extent.address);
            let ran = executed.ran.iter().filter(|pc| extent.contains(**pc));
            let written = Written { calls: calls.cloned().collect(), ran: ran.copied().collect() };
            (kernel.name, Known { cases: result.map_or(0, |result| result.cases), written })
        };
        Ok(self.kernels.iter().map(of_kernel).collect())
    }

    fn guest(&self, arguments: Vec<OsString>, wanted: Wanted) -> Result<(Report, Written), String> {
        let options = ["--budget", self.effort.name(), "--seed", &self.seed.to_string()].map(OsString::from).to_vec();
        let code: Vec<&Code> = self.kernels.iter().map(|(_, code)| code).collect();
        let (report, written) = self.tracer.guest([options, arguments].concat(), wanted, &code, self.seed)?;
        passed(&report)?;
        Ok((report, written))
    }
}

/// Kernels of a batch: few enough that all cores have something to do.
const BATCH: usize = 22;

/// Traces kernels, as many at once as there are cores.
pub fn run(tracers: &[Tracer<'_>], jobs: Vec<Job>, effort: Effort, seed: u64) -> Vec<Done> {
    let rows = rows();
    let batches = tracers.iter().flat_map(|tracer| {
        let of_tracer = jobs.iter().filter(|job| job.place == tracer.place);
        let kernels = of_tracer.filter_map(|job| {
            let kernel = row_of(&rows, job)?.kernel?;
            Some((kernel, tracer.code(kernel.name).ok()?))
        });
        let kernels: Vec<_> = kernels.collect();
        let selected = |wanted: bool| jobs.iter().flat_map(Job::checks).any(|it| (it == COVERAGE) == wanted);
        let (calls, coverage) = (selected(false), selected(true));
        let batch = |kernels: &[_]| Batch { tracer, kernels: kernels.to_vec(), calls, coverage, effort, seed };
        kernels.chunks(BATCH).map(batch).collect::<Vec<_>>()
    });
    let batches: Vec<Batch<'_>> = batches.collect();
    let known: Vec<(Architecture, &str, Known)> = batches
        .par_iter()
        .flat_map(|batch| {
            let architecture = batch.tracer.place.architecture;
            batch.run().into_iter().map(|(name, known)| (architecture, name, known)).collect::<Vec<_>>()
        })
        .collect();

    let display = Display::new(jobs.len(), rayon::current_num_threads());
    let done = jobs.into_par_iter().map(|job| {
        let worker = rayon::current_thread_index().unwrap_or(0);
        display.begin(worker, &job);
        let is_of_job = |known: &&(Architecture, &str, Known)| known.0 == job.place.architecture && known.1 == job.name;
        let known = known.iter().find(is_of_job).map(|(_, _, known)| known.clone());
        let report = trace_job(tracers, &rows, &job, effort, seed, None, known);
        for result in &report.results {
            display.progress(worker, &job, &crate::guest::Progress::Done(result));
        }
        display.end(worker, &job, &report);
        Done { job, seed, report }
    });
    let done = done.collect();
    display.finish();
    done
}

fn row_of<'a>(rows: &'a [Row], job: &Job) -> Option<&'a Row> {
    rows.iter().find(|row| row.architecture == job.place.architecture && row.name == job.name)
}

fn trace_job(
    tracers: &[Tracer<'_>],
    rows: &[Row],
    job: &Job,
    effort: Effort,
    seed: u64,
    case: Option<u64>,
    known: Option<Known>,
) -> Report {
    let Some(tracer) = tracers.iter().find(|tracer| tracer.place == job.place) else {
        return untraceable(job);
    };
    let kernel = row_of(rows, job).and_then(|row| Some((row, row.kernel?)));
    let read =
        Disassembler::new(job.place.architecture).and_then(|disassembler| Ok((disassembler, tracer.code(&job.name)?)));
    match (kernel, read) {
        (Some((row, kernel)), Ok((disassembler, code))) => {
            let subject = Subject {
                architecture: job.place.architecture,
                arguments: kernel.contract.arguments,
                stack: kernel.stack,
                code: &code,
                disassembler: &disassembler,
            };
            let has_empty_call = traced::has_empty_call(kernel);
            let (kernel, algorithm, of) = (job.name.as_str(), row.algorithm, "kernels");
            Trial { tracer, subject, kernel, algorithm, has_empty_call, of, effort, seed, case, known }
                .judge(&job.checks())
        }
        (None, _) => Report { problems: vec![format!("there is no kernel {}", job.name)], ..Report::default() },
        (_, Err(problem)) => Report { problems: vec![problem], ..Report::default() },
    }
}

/// The answer where there is no QEMU to run a plugin.
fn untraceable(job: &Job) -> Report {
    let result = |check: &str| CellResult {
        kernel: job.name.clone(),
        subject: job.name.clone(),
        check: check.to_owned(),
        status: Status::None,
        cases: 0,
        left_out: Vec::new(),
        reason: Some("traces are recorded by QEMU, and this runs without it".to_owned()),
        failure: None,
        milliseconds: 0,
    };
    Report { results: job.checks().into_iter().map(result).collect(), ..Report::default() }
}

/// Judges one kernel by one check again.
pub fn replay(tracers: &[Tracer<'_>], replay: &Replay, effort: Effort) -> Report {
    let check = super::NAMES.into_iter().filter(|name| *name == replay.check).collect();
    let job = Job::of_kernel(replay.place.clone(), replay.subject.clone(), check);
    trace_job(tracers, &rows(), &job, effort, replay.seed, replay.case, None)
}
