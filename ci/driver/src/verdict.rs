//! What all the results together say.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use vambrace_harness::Failure;
use vambrace_harness::event::Status;
use vambrace_verify::dispatch;

use crate::code::{self, Codes};
use crate::features;
use crate::guest::{CellResult, KernelFacts, Report};
use crate::luks::{self, Opened};
use crate::place::{Place, Replay, places};
use crate::plan::{Check, Job, Part, Plan, Row};
use crate::proofs::{self, Attempt, Proof, Standing};

/// A cell of the matrix.
#[derive(Clone, Debug, Serialize)]
pub struct Cell {
    /// Fail if anything failed, pass if something passed, else none.
    pub status: Status,
    /// Cases tried, at all places and with all seeds.
    pub cases: u64,
    /// Cases that there are and that were not tried, by subject.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
    /// The seed; the first one where there were several.
    pub seed: u64,
    /// The CPUs where it passed or failed.
    pub cpus: Vec<String>,
    /// Wall-clock milliseconds, at all places.
    pub milliseconds: u64,
    /// Why there is nothing to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<Failure>,
}

/// Cases that there are and that were not tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// On what, as `aes128-xts_neon_encrypt`.
    pub subject: String,
    /// How many.
    pub cases: u64,
    /// What they are, and why.
    pub reason: String,
}

/// A row of the matrix.
#[derive(Clone, Debug, Serialize)]
pub struct KernelVerdict {
    /// As `sha256_neon`.
    pub name: String,
    /// `aarch64` or `arm`.
    pub architecture: &'static str,
    /// The family of hash functions.
    pub algorithm: &'static str,
    /// `generic`, `scalar`, `neon` or `ce`.
    pub tier: &'static str,
    /// As `ce_x2`.
    pub variant: &'static str,
    /// The CPU features that the contract declares.
    pub declared_features: Vec<&'static str>,
    /// The CPU features that the instructions need; none for portable Rust, or if they could not be read.
    pub minimal_features: Option<Vec<&'static str>>,
    /// Bytes of code, without literals.
    pub code_bytes: Option<u64>,
    /// Bytes of stack that the contract declares.
    pub stack: usize,
    /// The SHA-256 of its code and literals in the file that the guests were started from.
    pub code_sha256: Option<String>,
    /// The SHA-256 of the same in the memory of each guest that ran checks of it: one, if all is well.
    pub ran_sha256: BTreeSet<String>,
    /// Whether a guest ran checks of it and did not say on which bytes.
    #[serde(skip)]
    untold: bool,
    /// Its proof, if one was attempted.
    pub proof: Option<Proof>,
    /// The cells, by check.
    pub checks: BTreeMap<&'static str, Cell>,
}

impl KernelVerdict {
    /// Whether any check of the kernel passed or failed.
    pub fn was_run(&self) -> bool {
        self.checks.values().any(|cell| cell.status != Status::None)
    }

    /// How the kernel stands with the prover, where that says more than the colour of the cell.
    pub fn standing(&self, check: &str) -> Option<Standing> {
        self.proof.as_ref().map(|proof| proof.standing).filter(|_| check == proofs::NAME)
    }
}

/// The whole matrix.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// Every row of the plan.
    pub kernels: Vec<KernelVerdict>,
    /// What went wrong and belongs to no cell.
    pub problems: Vec<String>,
}

/// A job that has been done, and with which seed.
#[derive(Clone, Debug)]
pub struct Done {
    /// The job.
    pub job: Job,
    /// The seed.
    pub seed: u64,
    /// What came of it.
    pub report: Report,
}

/// What reading a kernel's instructions showed.
#[derive(Clone, Debug)]
pub struct Inspected {
    /// `aarch64` or `arm`.
    pub architecture: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// What was found, or why nothing could be read.
    pub finding: Result<features::Finding, String>,
}

/// All that a run has found out.
#[derive(Clone, Copy, Debug)]
pub struct Results<'a> {
    /// What guests were asked, and what they answered.
    pub done: &'a [Done],
    /// What reading instructions showed.
    pub inspected: &'a [Inspected],
    /// What became of disk images.
    pub opened: &'a [Opened],
    /// What was proved.
    pub proofs: &'a [Attempt],
    /// The code in the files of the guests.
    pub codes: &'a Codes,
}

impl Verdict {
    /// Puts the results into the matrix. What a job should have answered and did not is a failure.
    pub fn new(plan: &Plan, results: &Results<'_>, seed: u64) -> Verdict {
        let Results { done, inspected, opened, proofs, codes } = *results;
        let mut kernels: Vec<KernelVerdict> = plan.rows.iter().map(|row| empty_row(plan, row, seed)).collect();
        let mut problems = Vec::new();
        for done in done {
            for part in &done.job.parts {
                let architecture = done.job.place.architecture.name();
                if let Some(row) = kernels.iter_mut().find(|kernel| is(kernel, architecture, &part.kernel)) {
                    answer(row, part, done);
                }
            }
            let place = &done.job.place;
            problems.extend(unasked(done).map(|result| {
                let (kernel, check) = (&result.kernel, &result.check);
                format!("{place}: the guest ran {kernel}/{check}, which was not asked for")
            }));
            problems.extend(done.report.problems.iter().map(|problem| format!("{place} {}: {problem}", done.job.name)));
        }
        let order: Vec<String> = places(true).iter().map(|(place, _)| place.cpu_name()).collect();
        for cell in kernels.iter_mut().flat_map(|kernel| kernel.checks.values_mut()) {
            // Jobs end in any order.
            cell.cpus.sort_by_key(|cpu| order.iter().position(|name| name == cpu));
        }
        for inspected in inspected {
            let row = kernels.iter_mut().find(|kernel| is(kernel, inspected.architecture, &inspected.kernel));
            if let Some(row) = row {
                inspect(row, inspected, seed);
            }
        }
        for opened in opened {
            let row = kernels.iter_mut().find(|kernel| is(kernel, opened.architecture, &opened.kernel));
            if let Some(row) = row {
                open(row, opened, seed);
            }
        }
        for (kernel, row) in kernels.iter_mut().zip(&plan.rows) {
            let code = row.kernel.and_then(|kernel| codes.of(kernel).ok());
            kernel.code_sha256 = code.map(|code| code::sha256(code.bytes()));
            problems.extend(other_bytes(kernel));
        }
        for attempt in proofs {
            let architecture = attempt.kernel.architecture.name();
            let row = kernels.iter_mut().find(|kernel| is(kernel, architecture, attempt.kernel.name));
            if let Some(row) = row {
                prove(row, attempt, seed);
            }
        }
        for (row, check) in plan.cells() {
            let kernel = kernels.iter_mut().find(|kernel| is(kernel, row.architecture.name(), &row.name));
            let cell = kernel.and_then(|kernel| kernel.checks.get_mut(check.name));
            if let Some(cell) = cell.filter(|cell| cell.status == Status::None && cell.reason.is_none()) {
                cell.reason = Some("not run".to_owned());
            }
        }
        let unrun: Vec<String> = kernels
            .iter()
            .filter(|kernel| !kernel.was_run() && kernel.proof.is_none())
            .filter(|kernel| plan.cells().any(|(row, _)| is(kernel, row.architecture.name(), &row.name)))
            .map(|kernel| format!("{} {} was selected, but no check of it was run", kernel.architecture, kernel.name))
            .collect();
        problems.extend(unrun);
        let unanswered = plan.cells().filter_map(|(row, check)| {
            let kernel = kernels.iter().find(|kernel| is(kernel, row.architecture.name(), &row.name))?;
            let cell = kernel.checks.get(check.name)?;
            let silent = cell.status == Status::None && cell.reason.as_deref() == Some("not run");
            silent.then(|| format!("{} {}/{} was selected, but not run", kernel.architecture, kernel.name, check.name))
        });
        problems.extend(unanswered);
        Verdict { kernels, problems }
    }

    /// Every failure, with the kernel that it belongs to.
    pub fn failures(&self) -> impl Iterator<Item = (&KernelVerdict, &Failure)> {
        self.kernels.iter().flat_map(|kernel| {
            kernel.checks.values().flat_map(move |cell| cell.failures.iter().map(move |failure| (kernel, failure)))
        })
    }

    /// Every failure once, with the replay lines of all places where it came in the same words.
    pub fn distinct_failures(&self) -> Vec<(&KernelVerdict, &Failure, Vec<&str>)> {
        let mut distinct: Vec<(&KernelVerdict, &Failure, Vec<&str>)> = Vec::new();
        for (kernel, failure) in self.failures() {
            let same = |(of, other, _): &&mut (&KernelVerdict, &Failure, Vec<&str>)| {
                let words =
                    |failure: &'_ Failure| (failure.subject.clone(), failure.check.clone(), failure.what.clone());
                std::ptr::eq(*of, kernel) && words(other) == words(failure)
            };
            match distinct.iter_mut().find(same) {
                Some((_, _, elsewhere)) => elsewhere.push(&failure.replay),
                None => distinct.push((kernel, failure, Vec::new())),
            }
        }
        distinct
    }

    /// Whether everything that was selected was run and nothing failed.
    pub fn is_good(&self) -> bool {
        self.problems.is_empty()
            && self.kernels.iter().all(|kernel| kernel.checks.values().all(|cell| cell.status != Status::Fail))
    }

    /// Cells that passed, that failed, and that have nothing to say.
    pub fn counts(&self) -> [usize; 3] {
        let count = |status| {
            let cells = self.kernels.iter().flat_map(|kernel| kernel.checks.values());
            cells.filter(|cell| cell.status == status).count()
        };
        [count(Status::Pass), count(Status::Fail), count(Status::None)]
    }

    /// What could not be run, once for each check, and why.
    pub fn not_run(&self) -> BTreeSet<(&'static str, &str)> {
        let cells = self.kernels.iter().flat_map(|kernel| &kernel.checks);
        let reasons = cells.filter_map(|(check, cell)| Some((*check, cell.reason.as_deref()?)));
        reasons.filter(|(_, reason)| reason.starts_with("not run: ")).collect()
    }

    /// What was left out, once for each check: how many cases and why.
    pub fn left_out(&self) -> BTreeSet<(&'static str, u64, &str)> {
        let cells = self.kernels.iter().flat_map(|kernel| &kernel.checks);
        cells
            .flat_map(|(check, cell)| cell.left_out.iter().map(|one| (*check, one.cases, one.reason.as_str())))
            .collect()
    }

    /// Cases tried. Those of a proof are no inputs.
    pub fn cases(&self) -> u64 {
        let cells = self.kernels.iter().flat_map(|kernel| &kernel.checks);
        cells.filter(|(check, _)| **check != proofs::NAME).map(|(_, cell)| cell.cases).sum()
    }
}

fn is(kernel: &KernelVerdict, architecture: &str, name: &str) -> bool {
    kernel.architecture == architecture && kernel.name == name
}

/// Puts what a guest answered for a kernel into its row. What it should have answered and did not is a failure.
fn answer(row: &mut KernelVerdict, part: &Part, done: &Done) {
    let (place, report) = (&done.job.place, &done.report);
    let results = || report.results.iter().filter(|result| result.kernel == part.kernel);
    // Where only the CPU itself knows what it has, it may lack what the kernel needs; the refusal is then judged.
    let lacks = |facts: &KernelFacts| facts.name == part.kernel && !facts.available;
    let refused = place.features().is_none() && report.kernels.iter().any(lacks);
    for facts in report.kernels.iter().filter(|facts| facts.name == part.kernel && facts.address.is_some()) {
        match &facts.code {
            Some(hash) => {
                row.ran_sha256.insert(hash.clone());
            }
            None => row.untold = true,
        }
    }
    for check in &part.checks {
        let Some(cell) = row.checks.get_mut(check) else { continue };
        let mut answered = refused && *check != dispatch::NAME;
        for result in results().filter(|result| result.check == **check) {
            add(cell, place, result);
            answered = true;
        }
        if !answered {
            fail(cell, place, not_run(place, &part.kernel, check, done.seed));
        }
    }
}

/// What a guest ran without having been asked to.
fn unasked(done: &Done) -> impl Iterator<Item = &CellResult> {
    let asked = |result: &&CellResult| {
        let mut parts = done.job.parts.iter().filter(|part| part.kernel == result.kernel);
        parts.any(|part| part.checks.iter().any(|check| *check == result.check))
    };
    done.report.results.iter().filter(move |result| !asked(result))
}

fn empty_row(plan: &Plan, row: &Row, seed: u64) -> KernelVerdict {
    let cell = |check: &Check| Cell {
        status: Status::None,
        cases: 0,
        left_out: Vec::new(),
        seed,
        cpus: Vec::new(),
        milliseconds: 0,
        reason: plan.silence(row, check).map(str::to_owned),
        failures: Vec::new(),
    };
    KernelVerdict {
        name: row.name.clone(),
        architecture: row.architecture.name(),
        algorithm: row.algorithm,
        tier: row.tier.name(),
        variant: row.variant,
        declared_features: row.features().iter().map(|feature| feature.name()).collect(),
        minimal_features: None,
        code_bytes: None,
        stack: row.kernel.map_or(0, |kernel| kernel.stack),
        code_sha256: None,
        ran_sha256: BTreeSet::new(),
        untold: false,
        proof: None,
        checks: plan.checks.iter().map(|check| (check.name, cell(check))).collect(),
    }
}

fn add(cell: &mut Cell, place: &Place, result: &CellResult) {
    cell.cases += result.cases;
    cell.milliseconds += result.milliseconds;
    for vambrace_harness::LeftOut { cases, reason } in &result.left_out {
        let left_out = LeftOut { subject: result.subject.clone(), cases: *cases, reason: reason.clone() };
        // The same at every place.
        if !cell.left_out.contains(&left_out) {
            cell.left_out.push(left_out);
        }
    }
    match result.status {
        Status::None => cell.reason = cell.reason.take().or_else(|| result.reason.clone()),
        Status::Pass | Status::Fail => {
            let cpu = place.cpu_name();
            if !cell.cpus.contains(&cpu) {
                cell.cpus.push(cpu);
            }
            if cell.status != Status::Fail {
                cell.status = result.status;
            }
            cell.failures.extend(result.failure.as_deref().cloned());
        }
    }
    if cell.status != Status::None {
        cell.reason = None;
    }
}

fn fail(cell: &mut Cell, place: &Place, failure: Failure) {
    let cpu = place.cpu_name();
    if !cell.cpus.contains(&cpu) {
        cell.cpus.push(cpu);
    }
    cell.status = Status::Fail;
    cell.reason = None;
    cell.failures.push(failure);
}

fn not_run(place: &Place, kernel: &str, check: &str, seed: u64) -> Failure {
    let replay = Replay { place: place.clone(), subject: kernel.to_owned(), check: check.to_owned(), seed, case: None };
    Failure {
        subject: kernel.to_owned(),
        check: check.to_owned(),
        seed,
        case: 0,
        what: format!("the check was to be run on {place}, but the guest gave no result"),
        input: String::new(),
        expected: None,
        actual: None,
        replay: format!("ci/verify --replay {replay}"),
    }
}

fn inspect(row: &mut KernelVerdict, inspected: &Inspected, seed: u64) {
    let Some(cell) = row.checks.get_mut(features::NAME) else { return };
    cell.cpus = vec!["ELF file".to_owned()];
    let what = match &inspected.finding {
        Err(error) => Some(error.clone()),
        Ok(finding) => {
            cell.cases = finding.instructions;
            row.minimal_features = Some(finding.needed.iter().map(|feature| feature.name()).collect());
            row.code_bytes = Some(4 * finding.instructions);
            finding.complaint(&row.declared_features)
        }
    };
    cell.reason = None;
    cell.status = if what.is_some() { Status::Fail } else { Status::Pass };
    cell.failures.extend(what.map(|what| whole(row.name.clone(), features::NAME, seed, what, "")));
}

fn open(row: &mut KernelVerdict, opened: &Opened, seed: u64) {
    let Some(cell) = row.checks.get_mut(luks::NAME) else { return };
    cell.milliseconds = opened.milliseconds;
    let what = match &opened.finding {
        luks::Finding::NotRun(reason) => {
            cell.reason = Some(reason.clone());
            return;
        }
        luks::Finding::Same(sectors) => {
            cell.cases = *sectors;
            None
        }
        luks::Finding::Wrong(what) => Some(what.clone()),
    };
    cell.cpus = vec![opened.cpu.clone()];
    cell.reason = None;
    cell.status = if what.is_some() { Status::Fail } else { Status::Pass };
    cell.failures.extend(what.map(|what| whole(row.name.clone(), luks::NAME, seed, what, "--full ")));
}

/// What is wrong if guests did not run the bytes that their file has.
fn other_bytes(kernel: &KernelVerdict) -> Option<String> {
    let KernelVerdict { architecture, name, .. } = kernel;
    if kernel.untold {
        return Some(format!("{architecture} {name}: a guest did not say which bytes it ran"));
    }
    let file = kernel.code_sha256.as_ref()?;
    let other = kernel.ran_sha256.iter().find(|hash| *hash != file)?;
    Some(format!("{architecture} {name}: a guest ran code of SHA-256 {other}, but its file has {file}"))
}

fn prove(row: &mut KernelVerdict, attempt: &Attempt, seed: u64) {
    let Some(cell) = row.checks.get_mut(proofs::NAME) else { return };
    let mut what = attempt.complaint().map(str::to_owned);
    if let Ok(proof) = &attempt.result {
        let other = row.ran_sha256.iter().find(|hash| **hash != proof.sha256);
        let differs = |hash| format!("the prover was given code of SHA-256 {}, but a guest ran {hash}", proof.sha256);
        what = what.or_else(|| other.map(differs));
        cell.cases = proof.cases;
        cell.milliseconds = (1000.0 * proof.seconds) as u64;
        row.proof = Some(proof.clone());
    }
    let standing = attempt.result.as_ref().map(|proof| (proof.standing, proof.reason.as_deref().unwrap_or_default()));
    (cell.status, cell.reason) = match (&what, standing) {
        (Some(_), _) => (Status::Fail, None),
        (None, Ok((Standing::NotProvedAsKnown, why))) => (Status::None, Some(format!("not proved, as known: {why}"))),
        (None, Ok((Standing::NoSpecification, why))) => (Status::None, Some(format!("none: {why}"))),
        (None, _) => (Status::Pass, None),
    };
    if cell.status != Status::None {
        cell.cpus = vec!["for all inputs".to_owned()];
    }
    let replay = format!("ci/verify --prove-only --only {}", row.name);
    cell.failures.extend(what.map(|what| Failure { replay, ..whole(row.name.clone(), proofs::NAME, seed, what, "") }));
}

/// A failure of a check that has no cases, with a command line that runs it again.
fn whole(kernel: String, check: &str, seed: u64, what: String, effort: &str) -> Failure {
    let replay = format!("ci/verify {effort}--seed {seed} --only {kernel}/{check}");
    Failure {
        subject: kernel,
        check: check.to_owned(),
        seed,
        case: 0,
        what,
        input: String::new(),
        expected: None,
        actual: None,
        replay,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use vambrace_harness::Share;
    use vambrace_verify::selection::Selection;

    use super::*;
    use crate::plan::Scope;
    use crate::proofs::tests::proof;
    use crate::trace;

    fn result(kernel: &str, check: &str, status: Status) -> CellResult {
        let failure = (status == Status::Fail).then(|| Failure {
            subject: kernel.to_owned(),
            check: check.to_owned(),
            seed: 7,
            case: 3,
            what: "x19 is <not> what it was".to_owned(),
            input: "2 blocks".to_owned(),
            expected: Some("00".to_owned()),
            actual: Some("01".to_owned()),
            replay: format!("ci/verify --replay aarch64@max:{kernel}:{check}:7:3"),
        });
        CellResult {
            kernel: kernel.to_owned(),
            subject: kernel.to_owned(),
            check: check.to_owned(),
            status,
            cases: 5,
            left_out: Vec::new(),
            reason: (status == Status::None).then(|| "has no such thing".to_owned()),
            failure: failure.map(Box::new),
            milliseconds: 1,
        }
    }

    pub(crate) fn plan(patterns: &[&str]) -> Plan {
        Plan::new(Selection::new(patterns).unwrap(), false).unwrap()
    }

    /// A run in which every guest did all that was asked, `spoil` having had its way with what it reported.
    pub(crate) fn run(plan: &Plan, mut spoil: impl FnMut(&Job, &mut Report)) -> Vec<Done> {
        let jobs = plan.jobs(&places(false)).into_iter().chain(trace::jobs(plan, &places(false)));
        jobs.map(|job| {
            let of = |part: &Part| part.checks.iter().map(|check| result(&part.kernel, check, Status::Pass)).collect();
            let results = job.parts.iter().flat_map(|part| -> Vec<CellResult> { of(part) }).collect();
            let kernels = job.parts.iter().map(|part| facts(&part.kernel, true)).collect();
            let mut report = Report { results, kernels, ..Report::default() };
            spoil(&job, &mut report);
            Done { job, seed: 7, report }
        })
        .collect()
    }

    /// The SHA-256 of every kernel of these tests.
    const HASH: &str = "ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12";

    fn facts(kernel: &str, available: bool) -> KernelFacts {
        let address = (!kernel.ends_with("_generic")).then_some(4096);
        let (name, code) = (kernel.to_owned(), address.map(|_| HASH.to_owned()));
        KernelFacts { name, address, features: Vec::new(), stack: 0, available, code }
    }

    /// A proof of each kernel.
    pub(crate) fn proofs(plan: &Plan) -> Vec<Attempt> {
        let cells = plan.cells().filter(|(_, check)| check.scope == Scope::Proof);
        let attempt =
            |row: &Row| Attempt { kernel: row.kernel.unwrap(), result: Ok(proof(Standing::Proved, None, HASH)) };
        cells.map(|(row, _)| attempt(row)).collect()
    }

    /// The verdict on a run of which nothing but this is left to chance.
    pub(crate) fn judge(plan: &Plan, done: &[Done]) -> Verdict {
        with_proofs(plan, done, &proofs(plan))
    }

    fn with_proofs(plan: &Plan, done: &[Done], proofs: &[Attempt]) -> Verdict {
        let results = Results { done, inspected: &inspected(plan), opened: &[], proofs, codes: &Codes::default() };
        Verdict::new(plan, &results, 7)
    }

    fn nothing() -> Results<'static> {
        static NO_CODES: std::sync::LazyLock<Codes> = std::sync::LazyLock::new(Codes::default);
        Results { done: &[], inspected: &[], opened: &[], proofs: &[], codes: &NO_CODES }
    }

    pub(crate) fn inspected(plan: &Plan) -> Vec<Inspected> {
        let cells = plan.cells().filter(|(_, check)| check.scope == Scope::Elf);
        cells
            .map(|(row, _)| Inspected {
                architecture: row.architecture.name(),
                kernel: row.name.clone(),
                finding: Ok(features::Finding::for_test(row.features())),
            })
            .collect()
    }

    fn verdict(plan: &Plan, spoil: impl FnMut(&Job, &mut Report)) -> Verdict {
        judge(plan, &run(plan, spoil))
    }

    #[test]
    fn a_run_in_which_all_passes_is_good() {
        let plan = plan(&[]);
        let verdict = verdict(&plan, |_, _| {});
        assert!(verdict.is_good(), "{:?}", verdict.problems);
        let neon = verdict.kernels.iter().find(|kernel| is(kernel, "arm", "sha256_neon")).unwrap();
        let dispatch = &neon.checks["dispatch"];
        assert_eq!(dispatch.cpus, ["max", "cortex-a7", "cortex-a8", "cortex-a9", "cortex-a9,neon=off", "cortex-a15"]);
        assert_eq!(dispatch.cases, 6 * 5);
        assert_eq!(neon.checks["features"].status, Status::Pass);
    }

    #[test]
    fn one_failure_at_one_place_is_the_verdict() {
        let plan = plan(&[]);
        let verdict = verdict(&plan, |job, report| {
            if job.place.to_string() == "arm@cortex-a15" {
                let of_kernel = |result: &&mut CellResult| result.kernel == "sha256_neon";
                if let Some(first) = report.results.iter_mut().find(of_kernel) {
                    *first = result("sha256_neon", &first.check, Status::Fail);
                }
            }
        });
        assert!(!verdict.is_good());
        let failures: Vec<_> =
            verdict.failures().map(|(kernel, failure)| (kernel.name.as_str(), failure.case)).collect();
        assert_eq!(failures, [("sha256_neon", 3)]);
    }

    #[test]
    fn the_same_failure_on_several_cpus_is_shown_once() {
        let plan = plan(&[]);
        let verdict = verdict(&plan, |job, report| {
            if job.place.architecture.name() == "arm" {
                let of_kernel = |result: &&mut CellResult| result.kernel == "sha256_neon" && result.check == "dispatch";
                for one in report.results.iter_mut().filter(of_kernel) {
                    *one = result("sha256_neon", "dispatch", Status::Fail);
                }
            }
        });
        assert_eq!(verdict.failures().count(), 6);
        let distinct = verdict.distinct_failures();
        let [(kernel, failure, elsewhere)] = distinct.as_slice() else { panic!("{distinct:?}") };
        assert_eq!((kernel.name.as_str(), failure.case, elsewhere.len()), ("sha256_neon", 3, 5));
    }

    #[test]
    fn a_kernel_that_the_machine_itself_cannot_run_is_refused_there_and_run_elsewhere() {
        let plan = plan(&[]);
        let mut done = run(&plan, |_, _| {});
        let native = |kernel: &str, available| {
            let place: Place = "aarch64@native".parse().unwrap();
            let part = Part { kernel: kernel.to_owned(), checks: vec!["kat", "dispatch"] };
            let job = Job { place, name: kernel.to_owned(), parts: vec![part], vectors: Share::ALL };
            let results = vec![result(kernel, "dispatch", Status::Pass)];
            let kernels = vec![facts(kernel, available)];
            Done { job, seed: 7, report: Report { results, kernels, ..Report::default() } }
        };
        done.push(native("sha256_ce", false));
        assert!(judge(&plan, &done).is_good());
        done.push(native("sha256_neon", true));
        let verdict = judge(&plan, &done);
        let failures: Vec<_> = verdict.failures().map(|(_, failure)| failure.replay.as_str()).collect();
        assert_eq!(failures, ["ci/verify --replay aarch64@native:sha256_neon:kat:7"]);
    }

    #[test]
    fn a_kernel_that_was_not_run_is_a_failure() {
        let plan = plan(&["sha256_ce"]);
        let without_guest = judge(&plan, &[]);
        assert!(!without_guest.is_good());
        assert!(
            without_guest
                .problems
                .iter()
                .any(|problem| problem.contains("aarch64 sha256_ce/kat was selected, but not run"))
        );
        let without_anything = Verdict::new(&plan, &nothing(), 7);
        assert!(without_anything.problems.iter().any(|problem| problem.contains("no check of it was run")));
    }

    #[test]
    fn a_check_without_a_result_is_a_failure_at_its_place() {
        let plan = plan(&[]);
        let verdict = verdict(&plan, |job, report| {
            if job.place.to_string() == "aarch64@cortex-a53" {
                report.results.retain(|result| result.kernel != "sha256_scalar" || result.check != "dispatch");
            }
        });
        let failures: Vec<_> = verdict.failures().map(|(_, failure)| failure.replay.as_str()).collect();
        assert_eq!(failures, ["ci/verify --replay aarch64@cortex-a53:sha256_scalar:dispatch:7"]);
        assert!(!verdict.is_good());
    }

    #[test]
    fn a_guest_that_went_wrong_without_a_check_to_blame_spoils_the_verdict() {
        let plan = plan(&["sha256_neon/kat"]);
        let verdict = verdict(&plan, |job, report| {
            if job.place.to_string() == "arm@max" {
                report.problems.push("the guest ended before it was finished".to_owned());
            }
        });
        assert!(!verdict.is_good());
        assert_eq!(verdict.problems, ["arm@max sha256_neon: the guest ended before it was finished"]);
    }

    #[test]
    fn results_that_nobody_asked_for_are_seen() {
        let plan = plan(&["sha256_neon/kat"]);
        let verdict = verdict(&plan, |job, report| report.results.push(result(&job.name, "lengths", Status::Pass)));
        assert!(verdict.problems[0].contains("sha256_neon/lengths, which was not asked for"), "{:?}", verdict.problems);
    }

    #[test]
    fn a_check_that_does_not_apply_says_why_and_is_no_failure() {
        let plan = plan(&[]);
        let verdict = verdict(&plan, |_, report| {
            if let Some(one) = report.results.iter_mut().find(|result| result.check == "errors") {
                *one = result(&one.kernel, "errors", Status::None);
            }
        });
        assert!(verdict.is_good(), "{:?}", verdict.problems);
        let cell = &verdict.kernels[0].checks["errors"];
        assert_eq!((cell.status, cell.reason.as_deref()), (Status::None, Some("has no such thing")));
        let portable = &verdict.kernels[0].checks["features"];
        assert_eq!(portable.status, Status::None);
        assert!(portable.reason.as_deref().unwrap().contains("portable Rust"));
    }

    #[test]
    fn what_was_not_selected_is_told_and_not_demanded() {
        let plan = plan(&["sha256_neon/kat"]);
        let verdict = verdict(&plan, |_, _| {});
        assert!(verdict.is_good(), "{:?}", verdict.problems);
        let scalar = verdict.kernels.iter().find(|kernel| kernel.name == "sha256_scalar").unwrap();
        assert_eq!(scalar.checks["kat"].reason.as_deref(), Some("not selected"));
        assert_eq!(verdict.counts()[0], 2);
    }

    #[test]
    fn images_that_do_not_open_fail_the_kernel_and_a_missing_program_is_told() {
        let plan = Plan::new(Selection::new(&["aes_xts_neon_decrypt/luks"]).unwrap(), true).unwrap();
        let verdict = |finding: luks::Finding| {
            let opened = ["aarch64", "arm"].map(|architecture| Opened {
                architecture,
                kernel: "aes_xts_neon_decrypt".to_owned(),
                cpu: "max".to_owned(),
                milliseconds: 3,
                finding: finding.clone(),
            });
            Verdict::new(&plan, &Results { opened: &opened, ..nothing() }, 9)
        };
        let good = verdict(luks::Finding::Same(8192));
        assert!(good.is_good(), "{:?}", good.problems);
        assert_eq!((good.cases(), good.counts()[0]), (2 * 8192, 2));
        let bad = verdict(luks::Finding::Wrong("aes-128-xts-plain64: sector 3".to_owned()));
        let failures: Vec<_> = bad.failures().map(|(_, failure)| failure.replay.as_str()).collect();
        assert_eq!(failures, ["ci/verify --full --seed 9 --only aes_xts_neon_decrypt/luks"; 2]);
        let missing = verdict(luks::Finding::NotRun("not run: qemu-img is not installed".to_owned()));
        assert_eq!(missing.not_run().into_iter().collect::<Vec<_>>(), [("luks", "not run: qemu-img is not installed")]);
        // It was all that was selected.
        assert!(missing.problems.iter().any(|problem| problem.contains("no check of it was run")));
        let silent = Verdict::new(&plan, &nothing(), 9);
        assert!(silent.problems.iter().any(|problem| problem.contains("/luks was selected, but not run")));
    }

    #[test]
    fn bytes_that_guests_ran_and_that_were_not_proved_fail_the_kernel() {
        let plan = plan(&["sha256_ce"]);
        let done = run(&plan, |_, _| {});
        assert!(judge(&plan, &done).is_good());
        let mut proofs = proofs(&plan);
        proofs[0].result = Ok(proof(Standing::Proved, None, "cd34"));
        let verdict = with_proofs(&plan, &done, &proofs);
        let failures: Vec<_> = verdict.failures().collect();
        let [(kernel, failure)] = failures.as_slice() else { panic!("{failures:?}") };
        assert_eq!((kernel.name.as_str(), failure.check.as_str()), ("sha256_ce", proofs::NAME));
        assert!(failure.what.contains("SHA-256 cd34, but a guest ran ab12"), "{}", failure.what);
        assert_eq!(failure.replay, "ci/verify --prove-only --only sha256_ce");
        // Also of a kernel that nobody claims to be proved.
        proofs[0].result = Ok(proof(Standing::NoSpecification, Some("none is written"), "cd34"));
        assert!(!with_proofs(&plan, &done, &proofs).is_good());
    }

    #[test]
    fn a_guest_that_does_not_say_which_bytes_it_ran_is_a_problem() {
        let plan = plan(&["sha256_ce"]);
        let verdict = verdict(&plan, |job, report| {
            if job.place.to_string() == "arm@max" {
                report.kernels.iter_mut().for_each(|facts| facts.code = None);
            }
        });
        assert_eq!(verdict.problems, ["arm sha256_ce: a guest did not say which bytes it ran"]);
        let mut verdict = judge(&plan, &run(&plan, |_, _| {}));
        let neon = verdict.kernels.iter_mut().find(|kernel| kernel.name == "sha256_ce").unwrap();
        neon.code_sha256 = Some("cd34".to_owned());
        assert!(other_bytes(neon).unwrap().contains(&format!("ran code of SHA-256 {HASH}, but its file has cd34")));
    }

    #[test]
    fn what_is_not_proved_says_why_and_is_red_only_where_a_proof_is_claimed() {
        let plan = plan(&["sha256_ce/proved"]);
        let told = |result: Result<Proof, String>| {
            let proofs = proofs(&plan).into_iter().map(|it| Attempt { result: result.clone(), ..it });
            let verdict = with_proofs(&plan, &[], &proofs.collect::<Vec<_>>());
            let cell = &verdict.kernels.iter().find(|kernel| kernel.name == "sha256_ce").unwrap().checks[proofs::NAME];
            let said = cell.failures.first().map(|failure| failure.what.clone()).or(cell.reason.clone());
            (verdict.is_good(), cell.status, said.unwrap_or_default())
        };
        assert_eq!(told(Ok(proof(Standing::Proved, None, HASH))), (true, Status::Pass, String::new()));
        let known = told(Ok(proof(Standing::NotProvedAsKnown, Some("too large"), HASH)));
        assert_eq!(known, (true, Status::None, "not proved, as known: too large".to_owned()));
        let none = told(Ok(proof(Standing::NoSpecification, Some("none is written"), HASH)));
        assert_eq!(none, (true, Status::None, "none: none is written".to_owned()));
        let failed = told(Ok(proof(Standing::Failed, Some("sp is lost"), HASH)));
        assert_eq!(failed, (false, Status::Fail, "sp is lost".to_owned()));
        assert_eq!(told(Err("no symbol".to_owned())), (false, Status::Fail, "no symbol".to_owned()));
    }

    #[test]
    fn an_instruction_beyond_the_contract_fails_the_kernel() {
        let plan = plan(&["sha256_scalar/features"]);
        let mut inspected = inspected(&plan);
        inspected[0].finding = Ok(features::Finding::for_test(&[vambrace::kernels::Feature::Neon]));
        inspected[1].finding = Err("no symbol".to_owned());
        let verdict = Verdict::new(&plan, &Results { inspected: &inspected, ..nothing() }, 7);
        let said: Vec<_> = verdict.failures().map(|(_, failure)| failure.what.as_str()).collect();
        assert!(said[0].contains("needs neon, which the contract does not declare"), "{said:?}");
        assert_eq!(said[1], "no symbol");
        assert!(!verdict.is_good());
    }
}
