//! Tracing one kernel, and judging it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Instant;

use vambrace::kernels::Architecture;
use vambrace_harness::Failure;
use vambrace_harness::event::Status;
use vambrace_harness::machine::traced;
use vambrace_trace::line::Written;
use vambrace_trace::order::Wanted;
use vambrace_verify::checks::{self, Kind};

use super::batch::Known;
use super::code::Code;
use super::guest::Traced;
use super::judge::{Finding, Subject, Unequal};
use super::{BOUNDS, CONSTANT_TIME, COVERAGE};
use crate::elf::Elf;
use crate::guest::{CellResult, Launch, Report};
use crate::place::{Place, Replay};
use crate::report::Effort;

/// Kernels that divide, and how often: the block count, which is public. That no operand of a division depends on a secret is
/// proved of them (`ci/verify --prove-only`).
const PUBLIC_DIVISIONS: [(Architecture, &str, usize); 1] = [(Architecture::Aarch64, "blake2b_neon_x2", 1)];

/// The functional checks in the order in which they are run for coverage, the quick ones first: until every instruction has been
/// executed.
pub(super) const STAGES: [&[&str]; 3] =
    [&["handed-back", "many", "differential"], &["xts", "stream", "counters"], &["kat", "lengths"]];

/// Starts guests at a place: without plugin, with these arguments.
pub type Start<'a> = dyn Fn(&Place, Vec<OsString>) -> Launch + Sync + 'a;

/// What it takes to trace kernels of one architecture.
pub struct Tracer<'a> {
    /// Where they are traced.
    pub place: Place,
    start: &'a Start<'a>,
    plugin: PathBuf,
    elf: &'a Elf,
    addresses: Vec<(String, u64)>,
}

impl<'a> Tracer<'a> {
    /// Asks the guest, whose file is `elf`, where its kernels are; `of` is whose calls are traced, `kernels` or `planted`.
    ///
    /// # Errors
    /// If the guest does not answer.
    pub fn new(
        place: Place,
        elf: &'a Elf,
        plugin: PathBuf,
        start: &'a Start<'a>,
        of: &str,
    ) -> Result<Tracer<'a>, String> {
        let introduce = ["--introduce", "--trace", of].map(OsString::from).to_vec();
        let report = crate::guest::run(&start(&place, introduce), &all_of(&place, 0), |_| {});
        if let Some(problem) = report.problems.first() {
            return Err(format!("{place}: {problem}"));
        }
        let addresses = report.kernels.iter().filter_map(|facts| Some((facts.name.clone(), facts.address?))).collect();
        Ok(Tracer { place, start, plugin, elf, addresses })
    }

    /// The kernels that the guest has.
    pub(super) fn kernels(&self) -> impl Iterator<Item = &str> {
        self.addresses.iter().map(|(name, _)| name.as_str())
    }

    pub(super) fn code(&self, kernel: &str) -> Result<Code, String> {
        let address = self.addresses.iter().find(|(name, _)| name == kernel).map(|(_, address)| *address);
        Code::read(self.elf, address.ok_or_else(|| format!("no guest told the address of {kernel}"))?)
    }

    pub(super) fn guest(
        &self,
        arguments: Vec<OsString>,
        wanted: Wanted,
        code: &[&Code],
        seed: u64,
    ) -> Result<(Report, Written), String> {
        let launch = (self.start)(&self.place, arguments);
        let traced = Traced { launch, plugin: self.plugin.clone(), architecture: self.place.architecture };
        traced.run(wanted, code, &all_of(&self.place, seed), |_| {})
    }
}

/// What a failure of a guest at a place is completed to a replay line with.
fn all_of(place: &Place, seed: u64) -> Replay {
    Replay { place: place.clone(), subject: String::new(), check: String::new(), seed, case: None }
}

/// A kernel that is being judged.
pub(super) struct Trial<'a> {
    pub(super) tracer: &'a Tracer<'a>,
    pub(super) subject: Subject<'a>,
    pub(super) kernel: &'a str,
    pub(super) algorithm: &'a str,
    /// Whether the contract has a call that has nothing to do.
    pub(super) has_empty_call: bool,
    /// `kernels` or `planted`.
    pub(super) of: &'static str,
    pub(super) effort: Effort,
    pub(super) seed: u64,
    pub(super) case: Option<u64>,
    /// What guests of several kernels have shown already.
    pub(super) known: Option<Known>,
}

impl Trial<'_> {
    fn options(&self) -> Vec<OsString> {
        ["--budget", self.effort.name(), "--seed", &self.seed.to_string()].map(OsString::from).to_vec()
    }

    fn trace_arguments(&self, case: Option<u64>) -> Vec<OsString> {
        let only = format!("{}/{}", self.kernel, traced::NAME);
        let mut options = self.options();
        options.extend(["--trace", self.of, "--only", &only].map(OsString::from));
        if let Some(case) = case {
            options.extend(["--case".into(), case.to_string().into()]);
        }
        options
    }

    /// Traces the calls. The number of cases, and the calls; or what went wrong with them, whatever the traces say.
    pub(super) fn trace(&self) -> Result<(u64, Written), String> {
        let (cases, written) = match &self.known {
            Some(known) => (known.cases, known.written.clone()),
            None => {
                let (code, arguments) = ([self.subject.code], self.trace_arguments(self.case));
                let (report, written) = self.tracer.guest(arguments, Wanted::Calls, &code, self.seed)?;
                (passed(&report)?, written)
            }
        };
        self.subject.complete(&written.calls, cases)?;
        Ok((cases, written))
    }

    /// What the calls say of secrets.
    fn constant_time(&self, written: &Written) -> Result<u64, Finding> {
        let known = |of: &&(Architecture, &str, usize)| of.0 == self.subject.architecture && of.1 == self.kernel;
        self.subject.variable_time(PUBLIC_DIVISIONS.iter().find(known).map_or(0, |(.., count)| *count))?;
        match self.subject.unequal(&written.calls) {
            None => Ok(written.calls.len() as u64),
            Some(unequal) => Err(self.explain(unequal)),
        }
    }

    /// Records a case again, with all that happens in it.
    pub(super) fn explain(&self, unequal: Unequal) -> Finding {
        let code = [self.subject.code];
        let arguments = self.trace_arguments(Some(unequal.case.into()));
        match self.tracer.guest(arguments, Wanted::Events, &code, self.seed) {
            Ok((_, written)) => self.subject.difference(unequal, &written.calls),
            Err(error) => Finding {
                case: Some(unequal.case.into()),
                what: format!("traces differ with the secrets, and could not be recorded again: {error}"),
                input: String::new(),
            },
        }
    }

    /// Runs functional checks until every instruction has been executed, or all checks are done.
    ///
    /// Nobody who computes something calls a kernel with nothing to do, so the way back from there is executed by such a call
    /// that is made for it. That nothing is done is what the checks of the machine see.
    fn coverage(&self) -> Result<u64, Finding> {
        let fail = |what| Finding { case: None, what, input: String::new() };
        let function = Kind::of_algorithm(self.algorithm);
        let of_function = checks::catalogue().into_iter().filter(|check| check.kinds.contains(&function));
        let all: Vec<&str> = of_function.map(|check| check.name).collect();
        let rest: Vec<&str> =
            all.iter().filter(|name| !STAGES.iter().any(|stage| stage.contains(name))).copied().collect();
        let (mut ran, mut judged, first) = match &self.known {
            Some(known) => {
                let mut ran = known.written.ran.clone();
                let judged = self.judge_coverage(&mut ran);
                (ran, judged, 1)
            }
            None => (Vec::new(), Err(fail("no functional check was run".to_owned())), 0),
        };
        for (index, stage) in STAGES.iter().copied().chain([rest.as_slice()]).enumerate().skip(first) {
            if judged.is_ok() {
                break;
            }
            let checks: Vec<&str> = stage.iter().filter(|name| all.contains(name)).copied().collect();
            if checks.is_empty() {
                continue;
            }
            let mut options = self.options();
            options.push("--announce".into());
            for check in checks {
                options.extend(["--only".into(), format!("{}/{check}", self.kernel).into()]);
            }
            ran.extend(self.executed(options).map_err(fail)?);
            judged = self.judge_coverage(&mut ran);
            if judged.is_err() && index == 0 && self.has_empty_call {
                ran.extend(self.executed(self.trace_arguments(Some(traced::EMPTY_CASE))).map_err(fail)?);
                judged = self.judge_coverage(&mut ran);
            }
        }
        judged
    }

    fn judge_coverage(&self, ran: &mut [u64]) -> Result<u64, Finding> {
        ran.sort_unstable();
        self.subject.coverage(ran)
    }

    /// The instructions that a guest executes.
    fn executed(&self, options: Vec<OsString>) -> Result<Vec<u64>, String> {
        let (report, written) = self.tracer.guest(options, Wanted::Coverage, &[self.subject.code], self.seed)?;
        passed(&report)?;
        Ok(written.ran)
    }

    pub(super) fn judge(&self, checks: &[&str]) -> Report {
        let mut report = Report::default();
        let begun = Instant::now();
        if checks.iter().any(|check| [CONSTANT_TIME, BOUNDS].contains(check)) {
            let traced = self.trace();
            for &check in checks.iter().filter(|check| **check != COVERAGE) {
                let judged = match &traced {
                    Ok((_, written)) if check == CONSTANT_TIME => self.constant_time(written),
                    Ok((_, written)) => self.subject.bounds(&written.calls).map(|()| written.calls.len() as u64),
                    Err(what) => Err(Finding { case: None, what: what.clone(), input: String::new() }),
                };
                report.results.push(self.result(check, judged, begun));
            }
        }
        if checks.contains(&COVERAGE) {
            let begun = Instant::now();
            report.results.push(self.result(COVERAGE, self.coverage(), begun));
        }
        report
    }

    fn result(&self, check: &str, judged: Result<u64, Finding>, begun: Instant) -> CellResult {
        let (status, cases, failure) = match judged {
            Ok(cases) => (Status::Pass, cases, None),
            Err(finding) => (Status::Fail, finding.case.unwrap_or(0) + 1, Some(self.failure(check, finding))),
        };
        CellResult {
            kernel: self.kernel.to_owned(),
            subject: self.kernel.to_owned(),
            check: check.to_owned(),
            status,
            cases,
            left_out: Vec::new(),
            reason: None,
            failure: failure.map(Box::new),
            milliseconds: begun.elapsed().as_millis() as u64,
        }
    }

    fn failure(&self, check: &str, finding: Finding) -> Failure {
        let replay = Replay {
            place: self.tracer.place.clone(),
            subject: self.kernel.to_owned(),
            check: check.to_owned(),
            seed: self.seed,
            case: finding.case,
        };
        let full = if self.effort == Effort::Quick { "" } else { "--full " };
        Failure {
            subject: self.kernel.to_owned(),
            check: check.to_owned(),
            seed: self.seed,
            case: finding.case.unwrap_or(0),
            what: finding.what,
            input: finding.input,
            expected: None,
            actual: None,
            replay: format!("ci/verify {full}--replay {replay}"),
        }
    }
}

/// The cases of a guest of which every check passed, or what went wrong.
pub(super) fn passed(report: &Report) -> Result<u64, String> {
    if let Some(problem) = report.problems.first() {
        return Err(problem.clone());
    }
    if let Some(failure) = report.results.iter().find_map(|result| result.failure.as_ref()) {
        return Err(format!("{} fails {}: {}", failure.subject, failure.check, failure.what));
    }
    Ok(report.results.iter().map(|result| result.cases).sum())
}
