//! Runs a function of an object file in a guest.

use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::io::IsTerminal;
use std::path::Path;

use comfy_table::Cell;
use vambrace::kernels::Architecture;
use vambrace_harness::event::Status;
use vambrace_harness::machine::{self, MachineCheck};
use vambrace_verify::object::Image;

use super::link::Unlinked;
use super::{Case, Given, link};
use crate::guest::{self, CellResult, Report};
use crate::place::{Place, Replay, places};
use crate::proofs::{self, Attempt, Standing};
use crate::report::Effort;
use crate::table;
use crate::verify::{Ending, Machines, all_of, silence};

/// How to run.
pub struct Options<'a> {
    /// The folder of the workspace.
    pub root: &'a Path,
    /// How much.
    pub effort: Effort,
    /// Where all randomness comes from.
    pub seed: u64,
    /// What a replay line begins with.
    pub command: String,
}

/// What came of running a case of the function.
pub(super) struct Ran {
    /// The name by which replay lines call it.
    name: String,
    /// What a guest says; or why none was started.
    result: Result<Report, String>,
}

/// Every check that is run, in the order in which they are shown.
fn checks() -> impl Iterator<Item = &'static MachineCheck> {
    machine::CHECKS.iter().chain([&machine::SPECIFICATION])
}

/// Where the function is run: on the CPU that has most.
fn place(architecture: Architecture) -> Result<Place, String> {
    let mut places = places(false).into_iter().map(|(place, _)| place);
    places.find(|place| place.architecture == architecture).ok_or_else(|| format!("nothing runs {architecture} here"))
}

/// Runs all checks on every case.
///
/// # Errors
/// If the linker or QEMU cannot be run, or no guest can be built.
pub(super) fn all(given: &Given, cases: &[Case], options: &Options<'_>) -> Result<(Place, Vec<Ran>), String> {
    let place = place(given.contract.kernel.architecture)?;
    let mut machines = None;
    let mut all = Vec::new();
    for case in cases {
        let name = case.short_name.clone();
        let result = match link::image(given, &case.values(given), &name)? {
            Err(Unlinked(why)) => Err(why),
            Ok(image) => {
                let machines = match &mut machines {
                    Some(machines) => machines,
                    none => none.insert(Machines::without_codes(options.root, std::slice::from_ref(&place))?),
                };
                let replay = Replay { subject: name.clone(), ..all_of(&place, options.seed) };
                match in_guest(machines, &image, &replay, &[], options)? {
                    report if report.results.is_empty() && report.problems.is_empty() => {
                        Err(format!("{place} has not all features that the contract declares"))
                    }
                    report => Ok(report),
                }
            }
        };
        all.push(Ran { name, result });
    }
    Ok((place, all))
}

/// Runs a case of a check, or a check, again.
///
/// # Errors
/// If there is no such case, check or place.
pub(super) fn again(given: &Given, cases: &[Case], replay: &Replay, options: &Options<'_>) -> Result<Ending, String> {
    replay.place.is_known()?;
    let case = cases.iter().find(|case| case.short_name == replay.subject).ok_or_else(|| {
        let names: Vec<&str> = cases.iter().map(|case| &*case.short_name).collect();
        format!("the contract is not for {}, but for {}", replay.subject, names.join("; "))
    })?;
    if checks().all(|check| check.name != replay.check) {
        let known: Vec<&str> = checks().map(|check| check.name).collect();
        return Err(format!("unknown check {:?}; the checks of objects are {}", replay.check, known.join(", ")));
    }
    if replay.place.architecture != given.contract.kernel.architecture {
        return Err(format!(
            "the object is for {}, and cannot be run on {}",
            given.contract.kernel.architecture, replay.place
        ));
    }
    let image = link::image(given, &case.values(given), &case.short_name)?.map_err(|Unlinked(why)| why)?;
    let machines = Machines::without_codes(options.root, std::slice::from_ref(&replay.place))?;
    let only: Vec<OsString> = vec!["--only".into(), format!("*/{}", replay.check).into()];
    let number = replay.case.map(|case| ["--case".into(), case.to_string().into()]);
    let arguments: Vec<OsString> = only.into_iter().chain(number.into_iter().flatten()).collect();
    let report = in_guest(&machines, &image, replay, &arguments, options)?;
    crate::verify::tell(replay, &report)
}

fn in_guest(
    machines: &Machines,
    image: &Image,
    replay: &Replay,
    arguments: &[OsString],
    options: &Options<'_>,
) -> Result<Report, String> {
    let file = tempfile::NamedTempFile::new().map_err(|error| format!("no file for the image: {error}"))?;
    let text = serde_json::to_vec(image).map_err(|error| error.to_string())?;
    fs::write(&file, text).map_err(|error| format!("{}: {error}", file.path().display()))?;
    let mut all: Vec<OsString> = vec!["--object".into(), file.path().into(), "--place".into()];
    all.extend([replay.place.to_string(), "--seed".to_owned(), replay.seed.to_string()].map(OsString::from));
    all.extend(["--budget", options.effort.name()].map(OsString::from));
    all.extend(arguments.iter().cloned());
    let mut report = guest::run(&machines.launch(&replay.place, all, silence(options.effort)), replay, |_| {});
    for failure in report.results.iter_mut().filter_map(|result| result.failure.as_mut()) {
        // A guest knows no files; what follows its command is a word.
        let case = failure.replay.rsplit(' ').next().unwrap_or_default();
        failure.replay = format!("{} {}", options.command, super::quoted(case));
    }
    Ok(report)
}

impl Ran {
    fn result(&self, check: &str) -> Option<&CellResult> {
        self.result.as_ref().ok()?.results.iter().find(|result| result.check == check)
    }

    /// Whether all is well: what is not run is not wrong.
    pub(super) fn is_good(&self) -> bool {
        self.result.as_ref().is_ok_and(Report::is_good) || self.result.is_err()
    }
}

/// A table of what was proved and run, every failure in full, and what it amounts to.
pub(super) fn told(ran: &[Ran], attempts: &[Attempt], place: &Place, seed: u64) -> String {
    let mut text = String::new();
    if ran.iter().any(|one| one.result.is_ok()) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\n{}", matrix(ran, attempts));
    }
    let results = || ran.iter().filter_map(|one| one.result.as_ref().ok()).flat_map(|report| &report.results);
    for result in results() {
        match (&result.failure, &result.reason) {
            (Some(failure), _) => {
                let _ = writeln!(text, "\n{failure}");
            }
            (None, Some(reason)) => {
                let _ = writeln!(text, "{} {}: does not apply: {reason}", result.subject, result.check);
            }
            (None, None) => {}
        }
    }
    for Ran { name, result } in ran {
        let problems = result.as_ref().map(|report| report.problems.as_slice()).unwrap_or_default();
        for problem in problems {
            let _ = writeln!(text, "{place}: {name}: {problem}");
        }
        if let Err(why) = result {
            let _ = writeln!(text, "{name}: proved only, not run: {why}");
        }
    }
    let count = |status| results().filter(|result| result.status == status).count();
    let not_run = ran.iter().filter(|one| one.result.is_err()).count();
    let _ = writeln!(
        text,
        "{} checks passed on {place}, {} failed, {} do not apply; {not_run} not run; seed {seed}",
        count(Status::Pass),
        count(Status::Fail),
        count(Status::None)
    );
    text
}

fn matrix(ran: &[Ran], attempts: &[Attempt]) -> comfy_table::Table {
    let colour = std::io::stdout().is_terminal();
    let mut table = table::of_subjects(ran.iter().map(|one| one.name.as_str()), colour);
    let proved = attempts.iter().map(|attempt| match &attempt.result {
        Ok(proof) if proof.standing == Standing::Proved => table::shown(Status::Pass, Some(proof.standing), 0),
        _ => table::shown(Status::Fail, None, 0),
    });
    table.add_row([Cell::new(proofs::NAME)].into_iter().chain(proved));
    for check in checks() {
        let cells = ran.iter().map(|one| match one.result(check.name) {
            Some(result) => table::shown(result.status, None, result.cases),
            None => table::shown(Status::None, None, 0),
        });
        table.add_row([Cell::new(check.name)].into_iter().chain(cells));
    }
    table
}
