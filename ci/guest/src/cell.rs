//! The cells of the matrix that a process can run: a check, and the subject or the machine code that it is run on.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;

use vambrace::kernels::Kernel;
use vambrace_harness::subject::{HashSubject, StreamSubject, XtsSubject};
use vambrace_harness::{Budget, Context, Failure, Outcome, hash, machine, stream, xts};
use vambrace_reference::oracles;

use crate::checks::{self, Kind};
use crate::dispatch::{self, Detection};
use crate::selection::Selection;
use crate::{KernelSubjects, Subject};

/// What is run for a cell, on one subject.
pub enum Work<'a> {
    /// A check of what a hash function computes.
    Hash(&'static hash::HashCheck, &'a dyn HashSubject),
    /// A check of what a stream cipher computes.
    Stream(&'static stream::StreamCheck, &'a dyn StreamSubject),
    /// A check of what a cipher in XTS mode computes.
    Xts(&'static xts::XtsCheck, &'a dyn XtsSubject),
    /// A check of what machine code does.
    Machine(&'static machine::MachineCheck, &'static Kernel),
    /// The check of the kernel's choice.
    Dispatch(&'a KernelSubjects),
    /// Calls that are traced from outside.
    Trace(&'static Kernel),
}

/// A check of a subject of a row.
pub struct Cell<'a> {
    /// The row's name.
    pub kernel: &'a str,
    /// The subject's name.
    pub subject: &'a str,
    /// The check's name.
    pub check: &'static str,
    /// What is run.
    pub work: Work<'a>,
}

impl Cell<'_> {
    /// Runs one cell; a panic in it is a failure of it.
    pub fn perform(&self, rows: &[KernelSubjects], detection: &Detection, context: &Context) -> Outcome {
        let no_oracle = |algorithm: &str| -> Outcome {
            let what = format!("there is no oracle for the algorithm {algorithm}");
            Failure::new(context, self.subject, self.check, 0, what).into()
        };
        let run = || match self.work {
            Work::Hash(check, subject) => match oracles::hash(subject.algorithm()) {
                Some(oracle) => (check.run)(subject, oracle, context),
                None => no_oracle(subject.algorithm()),
            },
            Work::Stream(check, subject) => match oracles::ciphers::stream(subject.algorithm()) {
                Some(oracle) => (check.run)(subject, oracle, context),
                None => no_oracle(subject.algorithm()),
            },
            Work::Xts(check, subject) => match oracles::ciphers::xts(subject.algorithm()) {
                Some(oracle) => (check.run)(subject, oracle, context),
                None => no_oracle(subject.algorithm()),
            },
            Work::Machine(check, kernel) => (check.run)(kernel, context),
            Work::Dispatch(row) => dispatch::run(row, rows, detection, context),
            Work::Trace(kernel) => machine::traced::run(kernel, context),
        };
        panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
            let panic = PANIC.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
            let what = panic.unwrap_or_else(|| "panicked".to_owned());
            Failure::new(context, self.subject, self.check, context.only_case.unwrap_or(0), what).into()
        })
    }
}

/// Everything selected, in the order of rows and checks. A row that the CPU lacks the features for keeps its dispatch,
/// where the refusal itself is judged.
///
/// In a quick run the siblings of a family's first function run through what those can break.
pub fn cells<'a>(
    rows: &'a [KernelSubjects],
    selection: &Selection,
    subject: Option<&str>,
    budget: Budget,
) -> Vec<Cell<'a>> {
    let mut cells = Vec::new();
    for row in rows {
        for info in checks::catalogue().iter().filter(|info| selection.contains(&row.name, info.name)) {
            let kinds = info.kinds.iter().filter(|kind| row.available.is_ok() || **kind == Kind::Dispatch);
            for kind in kinds {
                let cell = |subject, work| Cell { kernel: &row.name, subject, check: info.name, work };
                match kind {
                    Kind::Hash | Kind::Stream | Kind::Xts => {
                        let all = subject.is_some() || budget != Budget::Quick;
                        let asked = |of: &(usize, &Subject)| all || of.0 == 0 || of.1.adds_to(info.name);
                        let subjects = row.subjects.iter().enumerate().filter(asked);
                        cells.extend(subjects.filter_map(|(_, subject)| {
                            let work = functional(*kind, info.name, subject)?;
                            Some(cell(subject.name(), work))
                        }));
                    }
                    Kind::Machine => {
                        let check = machine::CHECKS.iter().find(|check| check.name == info.name);
                        if let (Some(check), Some(kernel)) = (check, row.kernel) {
                            cells.push(cell(&row.name, Work::Machine(check, kernel)));
                        }
                    }
                    Kind::Dispatch => cells.push(cell(&row.name, Work::Dispatch(row))),
                }
            }
        }
    }
    cells.retain(|cell| subject.is_none_or(|name| name == cell.subject));
    cells
}

/// Every selected check of machine code that this CPU can run, and the comparison with the specification, for code without subjects.
pub fn machine_cells<'a>(rows: &'a [KernelSubjects], selection: &Selection) -> Vec<Cell<'a>> {
    let mut cells = Vec::new();
    for row in rows.iter().filter(|row| row.available.is_ok()) {
        let Some(kernel) = row.kernel else { continue };
        let checks = machine::CHECKS.iter().chain([&machine::SPECIFICATION]);
        let selected = checks.filter(|check| selection.contains(&row.name, check.name));
        cells.extend(selected.map(|check| {
            let work = Work::Machine(check, kernel);
            Cell { kernel: &row.name, subject: &row.name, check: check.name, work }
        }));
    }
    cells
}

/// The calls to be traced, of every selected kernel that this CPU can run.
pub fn traced_cells<'a>(rows: &'a [KernelSubjects], selection: &Selection) -> Vec<Cell<'a>> {
    let check = machine::traced::NAME;
    let selected = rows.iter().filter(|row| row.available.is_ok() && selection.contains(&row.name, check));
    let cell = |row: &'a KernelSubjects| {
        let work = Work::Trace(row.kernel?);
        Some(Cell { kernel: &row.name, subject: &row.name, check, work })
    };
    selected.filter_map(cell).collect()
}

/// The check of a name on a subject, if it is one of that kind.
fn functional<'a>(kind: Kind, check: &str, subject: &'a Subject) -> Option<Work<'a>> {
    match (kind, subject) {
        (Kind::Hash, Subject::Hash(hash)) => {
            let check = hash::CHECKS.iter().find(|known| known.name == check)?;
            Some(Work::Hash(check, hash.as_ref()))
        }
        (Kind::Stream, Subject::Stream(stream)) => {
            let check = stream::CHECKS.iter().find(|known| known.name == check)?;
            Some(Work::Stream(check, stream.as_ref()))
        }
        (Kind::Xts, Subject::Xts(xts)) => {
            let check = xts::CHECKS.iter().find(|known| known.name == check)?;
            Some(Work::Xts(check, xts.as_ref()))
        }
        _ => None,
    }
}

/// The message and place of the last panic.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Keeps what a panic says for the failure that it becomes, instead of printing it.
pub fn note_panics() {
    panic::set_hook(Box::new(|panic| {
        *PANIC.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(panic.to_string());
    }));
}
