//! What all the results together say.

use std::collections::BTreeMap;

use serde::Serialize;
use vambrace_harness::Failure;
use vambrace_harness::event::Status;

use crate::features;
use crate::guest::{CellResult, Report};
use crate::place::{Place, Replay};
use crate::plan::{Check, Job, Plan, Row};

/// A cell of the matrix.
#[derive(Clone, Debug, Serialize)]
pub struct Cell {
    /// Fail if anything failed, pass if something passed, else none.
    pub status: Status,
    /// Cases tried, at all places and with all seeds.
    pub cases: u64,
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
    /// The cells, by check.
    pub checks: BTreeMap<&'static str, Cell>,
}

impl KernelVerdict {
    /// Whether any check of the kernel passed or failed.
    pub fn was_run(&self) -> bool {
        self.checks.values().any(|cell| cell.status != Status::None)
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

impl Verdict {
    /// Puts the results into the matrix. What a job should have answered and did not is a failure.
    pub fn new(plan: &Plan, done: &[Done], inspected: &[Inspected], seed: u64) -> Verdict {
        let mut kernels: Vec<KernelVerdict> = plan.rows.iter().map(|row| empty_row(plan, row, seed)).collect();
        let mut problems = Vec::new();
        for Done { job, seed, report } in done {
            let place = &job.place;
            let row = kernels.iter_mut().find(|kernel| is(kernel, place.architecture.name(), &job.kernel));
            let Some(row) = row else { continue };
            for result in &report.results {
                match row.checks.get_mut(result.check.as_str()) {
                    Some(cell)
                        if result.kernel == job.kernel && job.checks.iter().any(|name| *name == result.check) =>
                    {
                        add(cell, place, result);
                    }
                    _ => {
                        let (kernel, check) = (&result.kernel, &result.check);
                        problems.push(format!("{place}: the guest ran {kernel}/{check}, which was not asked for"));
                    }
                }
            }
            for check in &job.checks {
                let answered = report.results.iter().any(|result| result.check == **check);
                if let Some(cell) = row.checks.get_mut(check).filter(|_| !answered) {
                    fail(cell, place, not_run(place, &job.kernel, check, *seed));
                }
            }
            problems.extend(report.problems.iter().map(|problem| format!("{place} {}: {problem}", job.kernel)));
        }
        for inspected in inspected {
            let row = kernels.iter_mut().find(|kernel| is(kernel, inspected.architecture, &inspected.kernel));
            if let Some(row) = row {
                inspect(row, inspected, seed);
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
            .filter(|kernel| !kernel.was_run())
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

    /// Cases tried.
    pub fn cases(&self) -> u64 {
        self.kernels.iter().flat_map(|kernel| kernel.checks.values()).map(|cell| cell.cases).sum()
    }
}

fn is(kernel: &KernelVerdict, architecture: &str, name: &str) -> bool {
    kernel.architecture == architecture && kernel.name == name
}

fn empty_row(plan: &Plan, row: &Row, seed: u64) -> KernelVerdict {
    let cell = |check: &Check| Cell {
        status: Status::None,
        cases: 0,
        seed,
        cpus: Vec::new(),
        milliseconds: 0,
        reason: match check.applies(row) {
            Err(reason) => Some(reason.to_owned()),
            Ok(()) if !plan.selection.contains(&row.name, check.name) => Some("not selected".to_owned()),
            Ok(()) => None,
        },
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
        checks: plan.checks.iter().map(|check| (check.name, cell(check))).collect(),
    }
}

fn add(cell: &mut Cell, place: &Place, result: &CellResult) {
    cell.cases += result.cases;
    cell.milliseconds += result.milliseconds;
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
    cell.failures.extend(what.map(|what| Failure {
        subject: row.name.clone(),
        check: features::NAME.to_owned(),
        seed,
        case: 0,
        what,
        input: String::new(),
        expected: None,
        actual: None,
        replay: format!("ci/verify --only {}/{}", row.name, features::NAME),
    }));
}
