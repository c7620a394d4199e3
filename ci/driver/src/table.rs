//! What `ci verify` prints: the list of what there is, the matrix, the summary.

use std::fmt::Write;

use comfy_table::{Attribute, Cell, CellAlignment, Color, Table, presets};
use vambrace::kernels::{ABSENT, Absent, Architecture};
use vambrace_harness::event::Status;

use crate::place::{Depth, Place};
use crate::plan::{Plan, Row};
use crate::proofs::{self, Standing};
use crate::report::{self, Run};
use crate::verdict::{self, KernelVerdict, Verdict};

/// The kernels, checks and places of a plan.
pub fn list(plan: &Plan, places: &[(Place, Depth)]) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    for architecture in plan.architectures() {
        let _ = writeln!(text, "kernels of {architecture}");
        let selected = |row: &&Row| plan.cells().any(|(other, _)| std::ptr::eq(other, *row));
        for row in plan.rows.iter().filter(|row| row.architecture == architecture).filter(selected) {
            let features: Vec<&str> = row.features().iter().map(|feature| feature.name()).collect();
            let needs = if features.is_empty() { String::new() } else { format!("needs {}", features.join(", ")) };
            let _ = writeln!(text, "  {:<20} {:<8} {needs}", row.name, row.tier.name());
        }
    }
    let _ = writeln!(text, "checks");
    for check in plan.checks.iter().filter(|check| plan.cells().any(|(_, other)| other.name == check.name)) {
        let _ = writeln!(text, "  {:<16} {}", check.name, check.looks_for);
    }
    let _ = writeln!(text, "places");
    for (place, depth) in places.iter().filter(|(place, _)| plan.architectures().contains(&place.architecture)) {
        let _ = writeln!(text, "  {:<26} {}", place.to_string(), report::depth(*depth));
    }
    text
}

/// A table per architecture and algorithm: a row for each check, a column for each kernel.
pub fn matrix(plan: &Plan, verdict: &Verdict, colour: bool) -> String {
    let mut text = String::new();
    for architecture in Architecture::ALL {
        for (algorithm, rows) in plan.families(architecture) {
            let kernel = |row: &&Row| {
                verdict
                    .kernels
                    .iter()
                    .find(|kernel| kernel.architecture == architecture.name() && kernel.name == row.name)
            };
            let kernels: Vec<&KernelVerdict> = rows.iter().filter_map(kernel).collect();
            if kernels.iter().any(|kernel| kernel.was_run()) {
                let _ = writeln!(text, "\n{architecture} {algorithm}\n{}", family(plan, &kernels, colour));
                for absent in absent(architecture, algorithm) {
                    let _ = writeln!(text, "{}: none exists: {}", absent.tier, absent.reason);
                }
            }
        }
    }
    text
}

/// The tiers that an algorithm does not have on an architecture.
pub fn absent(architecture: Architecture, algorithm: &str) -> impl Iterator<Item = &'static Absent> {
    ABSENT.iter().filter(move |absent| absent.architecture == architecture && absent.algorithm == algorithm)
}

/// A table of checks, with a column for each subject.
pub(crate) fn of_subjects<'a>(subjects: impl Iterator<Item = &'a str>, colour: bool) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    if colour {
        table.enforce_styling();
    } else {
        table.force_no_tty();
    }
    let header = subjects.map(|name| Cell::new(name).set_alignment(CellAlignment::Right));
    table.set_header([Cell::new("check")].into_iter().chain(header));
    table
}

/// The cell of a check of a subject.
pub(crate) fn shown(status: Status, standing: Option<Standing>, cases: u64) -> Cell {
    let shown = match (status, standing) {
        (Status::Fail, _) => Cell::new("FAIL ✗").fg(Color::Red).add_attribute(Attribute::Bold),
        (Status::Pass, Some(standing)) => Cell::new(format!("{standing} ✓")).fg(Color::Green),
        (Status::Pass, None) => Cell::new(format!("{cases} ✓")).fg(Color::Green),
        (Status::None, Some(known @ Standing::NotProvedAsKnown)) => Cell::new(known).fg(Color::Yellow),
        (Status::None, Some(standing)) => Cell::new(standing),
        (Status::None, None) => Cell::new("–"),
    };
    shown.set_alignment(CellAlignment::Right)
}

fn family(plan: &Plan, kernels: &[&KernelVerdict], colour: bool) -> Table {
    let mut table = of_subjects(kernels.iter().map(|kernel| kernel.variant), colour);
    for check in &plan.checks {
        let cells: Vec<_> = kernels
            .iter()
            .filter_map(|kernel| Some((kernel.standing(check.name), kernel.checks.get(check.name)?)))
            .collect();
        let silent =
            |cell: &verdict::Cell, standing: &Option<Standing>| cell.status == Status::None && standing.is_none();
        if cells.iter().all(|(standing, cell)| silent(cell, standing)) {
            continue;
        }
        let cells = cells.into_iter().map(|(standing, cell)| shown(cell.status, standing, cell.cases));
        table.add_row([Cell::new(check.name)].into_iter().chain(cells));
    }
    table
}

/// What was done, every failure in full, and the verdict in the last line.
pub fn summary(run: &Run<'_>) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "✓ passed, with the number of cases; ✗ failed; – does not apply or not selected.\n\
         Checks that depend on the CPU model were run on each of:"
    );
    for architecture in run.plan.architectures() {
        let cpus = run.places.iter().filter(|(place, _)| place.architecture == architecture);
        let cpus: Vec<String> = cpus.map(|(place, _)| place.cpu_name()).collect();
        let _ = writeln!(text, "  {architecture}: {}", cpus.join("; "));
    }
    text.push_str(&proved(run.verdict));
    for (check, reason) in run.verdict.not_run() {
        let _ = writeln!(text, "{check}: {reason}");
    }
    for (check, cases, reason) in run.verdict.left_out() {
        let _ = writeln!(text, "left out in {check}: {cases} {reason}");
    }
    for (kernel, failure, elsewhere) in run.verdict.distinct_failures() {
        let _ = writeln!(text, "\n{} {}: {failure}", kernel.architecture, kernel.name);
        for replay in elsewhere {
            let _ = writeln!(text, "  the same  {replay}");
        }
    }
    for problem in &run.verdict.problems {
        let _ = writeln!(text, "\n{problem}");
    }
    let [passed, failed, _] = run.verdict.counts();
    let cases = run.verdict.cases();
    let [building, checking, proving] = [run.building, run.checking, run.proving].map(|time| time.as_secs_f64());
    let _ = writeln!(
        text,
        "\n{passed} cells passed, {failed} failed; {cases} cases in {checking:.1} s after {building:.1} s of building, \
         and {proving:.1} s of proving; {} planted defects seen; effort {}, seed {}, shard {}",
        run.planted,
        run.effort.name(),
        run.seed,
        run.shard
    );
    text.push_str(if run.verdict.is_good() { "verdict: PASS" } else { "verdict: FAIL" });
    text
}

/// How many kernels are proved, and why the others are not.
fn proved(verdict: &Verdict) -> String {
    let proofs = || verdict.kernels.iter().filter_map(|kernel| Some((kernel, kernel.proof.as_ref()?)));
    if proofs().next().is_none() {
        return String::new();
    }
    let count = |standing| proofs().filter(|(_, proof)| proof.standing == standing).count();
    let (proved, none) = (count(Standing::Proved), count(Standing::NoSpecification));
    let mut text = format!("{}: {proved} kernels for all inputs; {none} have no specification\n", proofs::NAME);
    for (kernel, proof) in proofs().filter(|(_, proof)| proof.standing == Standing::NotProvedAsKnown) {
        let why = proof.reason.as_deref().unwrap_or_default();
        let _ = writeln!(text, "  {} {}: not proved, as known: {why}", kernel.architecture, kernel.name);
    }
    text
}

#[cfg(test)]
mod tests {
    use vambrace::kernels::{ALL, Architecture, Tier};

    use super::absent;

    #[test]
    fn every_tier_exists_or_says_why_not() {
        for table in ALL {
            let Some(algorithm) = table.first().map(|kernel| kernel.contract.algorithm) else { continue };
            for architecture in Architecture::ALL {
                for tier in [Tier::Scalar, Tier::Neon, Tier::Ce] {
                    let exists = table.iter().any(|kernel| kernel.architecture == architecture && kernel.tier == tier);
                    let reasons = absent(architecture, algorithm).filter(|absent| absent.tier == tier).count();
                    assert_eq!(reasons, usize::from(!exists), "{architecture} {algorithm} {tier}");
                }
            }
        }
    }
}
