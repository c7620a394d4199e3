//! The pages of evidence: an index, one for each kernel and one for each check, to be read offline, on a telephone too.

mod check;
mod contract;
mod frame;
mod kernel;
mod listing;
pub(super) mod planted;
mod plots;
mod soundness;

use maud::{DOCTYPE, Markup, html};
use rayon::prelude::*;
use vambrace::kernels::Architecture;
use vambrace_harness::event::Status;
use vambrace_verify::dispatch::format_features;

use super::{NOT_COVERED, Run, depth};
use crate::mutants::report as mutants;
use crate::plan::Row;
use crate::proofs::Standing;
use crate::verdict::{Cell, KernelVerdict};
use crate::{table, trace};

pub use frame::head;
use frame::{check_page, fact, grouped, kernel_page, list};
use planted::Planted;
use plots::Bar;

/// What other runs have left behind, and what the repository says.
pub(super) struct Others<'a> {
    /// The text of `SOUNDNESS.md`.
    pub soundness: Option<&'a str>,
    /// The last run over mutants.
    pub mutated: Option<&'a mutants::Run>,
    /// The last run over planted bugs.
    pub planted: Option<&'a Planted>,
}

impl Others<'_> {
    /// How many mutants failed a check first, of how many that failed any.
    fn killed_by(&self, check: &str) -> Option<String> {
        let mutated = self.mutated?;
        let killed = mutated.checks().into_iter().find(|(name, _)| name == check).map_or(0, |(_, killed)| killed);
        Some(format!("{killed} of {}", mutated.total().killed))
    }
}

/// Every page, with the path of its file.
pub(super) fn pages(run: &Run<'_>, others: &Others<'_>) -> Vec<(String, String)> {
    let rows: Vec<&Row> = run.plan.rows.iter().collect();
    let kernels = rows.into_par_iter().filter_map(|row| {
        let verdict = verdict_of(run, row)?;
        Some((kernel_page(verdict.architecture, &verdict.name), kernel::of(run, row, verdict, others)))
    });
    let mut pages: Vec<(String, String)> = kernels.collect();
    let checks = run.plan.checks.iter();
    pages.extend(checks.map(|of| (check_page(of.name), check::of(run, of, others.soundness, others))));
    pages.push(("index.html".to_owned(), index(run, others)));
    pages
}

fn index(run: &Run<'_>, others: &Others<'_>) -> String {
    let (soundness, mutated) = (others.soundness, others.mutated);
    let good = run.verdict.is_good();
    let [passed, failed, silent] = run.verdict.counts();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            (head(if good { "Vambrace: verified" } else { "Vambrace: failed" }))
            body {
                header {
                    h1 { "Vambrace" }
                    p class=(if good { "verdict pass" } else { "verdict fail" }) {
                        (if good { "Every selected check passed" } else { "Something failed or was not run" })
                    }
                    dl class="facts" {
                        (fact("Commit", run.tools.commit.as_deref().unwrap_or("not in a repository")))
                        (fact("Date", &run.tools.date))
                        (fact("Cells", format!("{passed} passed, {failed} failed, {silent} do not apply or were not selected")))
                        (fact("Cases", grouped(run.verdict.cases())))
                        (fact("Effort", run.effort.name()))
                        (fact("Seed", run.seed))
                        (fact("Proved for all inputs", proved(run)))
                        (fact("Time", format!("{:.1} s of checking, {:.1} s of proving, {:.1} s of building", run.checking.as_secs_f64(), run.proving.as_secs_f64(), run.building.as_secs_f64())))
                        (fact("Planted defects", format!("{} seen before the run", run.planted)))
                    }
                    nav {
                        a href="#matrix" { "Matrix" } " "
                        a href="#figures" { "Figures" } " "
                        @if !good { a href="#failures" { "Failures" } " " }
                        a href="#kernels" { "Kernels" } " "
                        a href="#checks" { "Checks" } " "
                        a href="#cpus" { "CPUs" } " "
                        @if mutated.is_some() { a href="#mutants" { "Mutants" } " " }
                        @if others.planted.is_some() { a href="#planted" { "Planted bugs" } " " }
                        a href="#tools" { "Tools" } " "
                        a href="#limits" { "Not covered" } " "
                        a href="#again" { "Run it again" }
                    }
                }
                main {
                    @if !good { (failures(run)) }
                    (matrix(run))
                    (figures(run, others))
                    (kernels(run))
                    (checks(run))
                    (cpus(run))
                    @if let Some(mutated) = mutated { (mutants::section(mutated)) }
                    @if let Some(planted) = others.planted { (planted.section()) }
                    (frame::tools(run))
                    (limits(soundness))
                    (again(run))
                }
            }
        }
    };
    page.into_string()
}

fn failures(run: &Run<'_>) -> Markup {
    html! {
        section #failures {
            h2 { "Failures" }
            @for (kernel, failure, elsewhere) in run.verdict.distinct_failures() {
                article class="failure" {
                    h3 { (kernel.architecture) " " (kernel.name) " – " (failure.check) }
                    pre { (failure.to_string()) }
                    @if !elsewhere.is_empty() {
                        details {
                            summary { "The same in " (elsewhere.len()) " more places" }
                            pre { (elsewhere.join("\n")) }
                        }
                    }
                }
            }
            @for problem in &run.verdict.problems {
                article class="failure" { pre { (problem) } }
            }
        }
    }
}

fn matrix(run: &Run<'_>) -> Markup {
    html! {
        section #matrix {
            h2 { "Matrix" }
            p { "A row for each check, a column for each kernel; the number of cases tried. Point at a cell, or tap it, for the CPUs and the seed; each kernel and each check has a page." }
            @for architecture in Architecture::ALL {
                @for (algorithm, rows) in run.plan.families(architecture) {
                    h3 { (architecture) " " (algorithm) }
                    @let was_run = |row: &&Row| verdict_of(run, row).is_some_and(|kernel| kernel.was_run() || kernel.proof.is_some());
                    @if rows.iter().any(was_run) { (family(run, &rows)) } @else { p class="aside" { "Nothing of it is in this run." } }
                    @for absent in table::absent(architecture, algorithm) {
                        p { code { (absent.tier) } ": none exists: " (absent.reason) "." }
                    }
                }
            }
        }
    }
}

fn verdict_of<'a>(run: &Run<'a>, row: &Row) -> Option<&'a KernelVerdict> {
    let is = |kernel: &&KernelVerdict| kernel.architecture == row.architecture.name() && kernel.name == row.name;
    run.verdict.kernels.iter().find(is)
}

fn family(run: &Run<'_>, rows: &[&Row]) -> Markup {
    let kernels: Vec<&KernelVerdict> = rows.iter().filter_map(|row| verdict_of(run, row)).collect();
    html! {
        div class="wide" {
            table class="matrix" {
                thead { tr {
                    th scope="col" { "check" }
                    @for kernel in &kernels { th scope="col" { a href=(kernel_page(kernel.architecture, &kernel.name)) title=(kernel.name) { (kernel.variant) } } }
                } }
                tbody {
                    @for check in &run.plan.checks {
                        tr {
                            th scope="row" { a href=(check_page(check.name)) { (check.name) } }
                            @for kernel in &kernels {
                                @if let Some(cell) = kernel.checks.get(check.name) { (matrix_cell(cell, kernel.standing(check.name))) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn matrix_cell(cell: &Cell, standing: Option<Standing>) -> Markup {
    let told = match cell.status {
        Status::None => cell.reason.clone().unwrap_or_default(),
        _ => format!("{}; seed {}; {} ms", cell.cpus.join(", "), cell.seed, cell.milliseconds),
    };
    let left_out =
        cell.left_out.iter().map(|some| format!("; {} leaves out {} {}", some.subject, some.cases, some.reason));
    let told = left_out.fold(told, |told, some| told + &some);
    html! {
        @match (cell.status, standing) {
            (Status::Fail, _) => td class="fail" title=(told) tabindex="0" { a href="#failures" { "fail ✗" } },
            (Status::Pass, Some(standing)) => td class="pass" title=(told) tabindex="0" { (standing.to_string()) span class="mark" { " ✓" } },
            (Status::Pass, None) => td class="pass" title=(told) tabindex="0" { (grouped(cell.cases)) span class="mark" { " ✓" } },
            (Status::None, Some(known @ Standing::NotProvedAsKnown)) => td class="known" title=(told) tabindex="0" { (known.to_string()) },
            (Status::None, Some(standing)) => td class="none" title=(told) tabindex="0" { (standing.to_string()) },
            (Status::None, None) => td class="none" title=(told) tabindex="0" { "–" },
        }
    }
}

/// How many kernels are proved, and of how many.
fn proved(run: &Run<'_>) -> String {
    let proofs = || run.verdict.kernels.iter().filter_map(|kernel| kernel.proof.as_ref());
    match (proofs().filter(|proof| proof.standing == Standing::Proved).count(), proofs().count()) {
        (_, 0) => "not attempted".to_owned(),
        (proved, all) => format!("{proved} of {all} kernels"),
    }
}

/// What is better looked at than read.
fn figures(run: &Run<'_>, others: &Others<'_>) -> Markup {
    html! {
        section #figures {
            h2 { "Figures" }
            div class="figures" {
                @if let Some(mutated) = others.mutated {
                    @let killed = mutated.total().killed;
                    (plots::bars("Mutants killed, by the check that they fail first", &mutated.checks().into_iter().map(|(name, count)| {
                        let told = format!("{count}, {:.1} %", 100.0 * count as f64 / killed.max(1) as f64);
                        Bar { name, value: count as f64, bad: 0.0, told }
                    }).collect::<Vec<_>>()))
                    (plots::powers_of_two("Mutants by the time that it took to kill them", "CPU milliseconds under QEMU, from each power of two to the next", &mutated.kill_milliseconds()))
                }
                @if let Some(planted) = others.planted {
                    (plots::bars("Planted bugs, by the check that saw them", &planted.by_check().into_iter().map(|(name, count)| {
                        Bar { name: name.to_owned(), value: count as f64, bad: 0.0, told: count.to_string() }
                    }).collect::<Vec<_>>()))
                }
                (plots::bars("Time of each check, all kernels together", &times(run)))
                @for architecture in Architecture::ALL {
                    @let proofs = proofs(run, architecture);
                    @if !proofs.is_empty() { (plots::bars(&format!("CPU time and memory of each proof, {architecture}"), &proofs)) }
                }
                @for architecture in Architecture::ALL {
                    @let covered = covered(run, architecture);
                    @if !covered.is_empty() {
                        (plots::bars(&format!("Instructions of each kernel of {architecture} that functional checks execute"), &covered))
                    }
                }
            }
        }
    }
}

fn times(run: &Run<'_>) -> Vec<Bar> {
    let cells = |check: &str| {
        let cells = run.verdict.kernels.iter().filter_map(|kernel| kernel.checks.get(check));
        cells.map(|cell| cell.milliseconds).sum::<u64>() as f64 / 1000.0
    };
    let mut bars: Vec<Bar> = run
        .plan
        .checks
        .iter()
        .map(|check| (check.name, cells(check.name)))
        .filter(|(_, value)| *value > 0.0)
        .map(|(name, value)| Bar { name: name.to_owned(), value, bad: 0.0, told: format!("{value:.1} s") })
        .collect();
    bars.sort_by(|a, b| b.value.total_cmp(&a.value));
    bars
}

fn proofs(run: &Run<'_>, architecture: Architecture) -> Vec<Bar> {
    let kernels = run.verdict.kernels.iter().filter(|kernel| kernel.architecture == architecture.name());
    let bar = |kernel: &KernelVerdict| {
        let proof = kernel.proof.as_ref().filter(|proof| proof.standing != Standing::NoSpecification)?;
        let bad = if proof.standing == Standing::Proved { 0.0 } else { proof.seconds };
        let told = format!("{:.2} s, {} MiB", proof.seconds, proof.peak_memory_bytes >> 20);
        Some(Bar { name: kernel.name.clone(), value: proof.seconds, bad, told })
    };
    kernels.filter_map(bar).collect()
}

fn covered(run: &Run<'_>, architecture: Architecture) -> Vec<Bar> {
    let kernels = run.verdict.kernels.iter().filter(|kernel| kernel.architecture == architecture.name());
    let bar = |kernel: &KernelVerdict| {
        let cell = kernel.checks.get(trace::COVERAGE).filter(|cell| cell.status != Status::None)?;
        let instructions = kernel.code_bytes.map_or(cell.cases, |bytes| bytes / 4);
        let (bad, told) = match cell.status {
            Status::Fail => (instructions, format!("not all of {}", grouped(instructions))),
            _ => (0, format!("{}, 100 %", grouped(cell.cases))),
        };
        let value = if bad > 0 { instructions } else { cell.cases };
        Some(Bar { name: kernel.name.clone(), value: value as f64, bad: bad as f64, told })
    };
    kernels.filter_map(bar).collect()
}

fn kernels(run: &Run<'_>) -> Markup {
    html! {
        section #kernels {
            h2 { "Kernels" }
            p { "Features beyond the base architecture: what the contract declares, and what the instructions in the ELF file need at least." }
            div class="wide" {
                table {
                    thead { tr {
                        th scope="col" { "kernel" } th scope="col" { "tier" }
                        th scope="col" { "declared" } th scope="col" { "needed" }
                        th scope="col" { "code" } th scope="col" { "stack" }
                    } }
                    tbody {
                        @for kernel in run.verdict.kernels.iter().filter(|kernel| kernel.tier != "generic") {
                            tr {
                                th scope="row" { a href=(kernel_page(kernel.architecture, &kernel.name)) { (kernel.architecture) " " (kernel.name) } }
                                td { (kernel.tier) }
                                td { (list(&kernel.declared_features)) }
                                td { (kernel.minimal_features.as_deref().map_or("not read".to_owned(), list)) }
                                td { @if let Some(bytes) = kernel.code_bytes { (bytes) " bytes" } @else { "not read" } }
                                td { (kernel.stack) " bytes" }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn checks(run: &Run<'_>) -> Markup {
    html! {
        section #checks {
            h2 { "Checks" }
            @for check in &run.plan.checks {
                article id={ "check-" (check.name) } {
                    h3 { a href=(check_page(check.name)) { (check.name) } }
                    p { (check.looks_for) }
                    @for (_, reason) in run.verdict.not_run().iter().filter(|(name, _)| *name == check.name) { p { (reason) } }
                    @for (_, cases, reason) in run.verdict.left_out().iter().filter(|(name, ..)| *name == check.name) {
                        p { "Left out: " (cases) " " (reason) "." }
                    }
                    @if !check.seen_in.is_empty() { p class="aside" { "Seen in: " (check.seen_in) } }
                }
            }
        }
    }
}

fn cpus(run: &Run<'_>) -> Markup {
    html! {
        section #cpus {
            h2 { "CPUs" }
            div class="wide" {
                table {
                    thead { tr {
                        th scope="col" { "architecture" } th scope="col" { "CPU" }
                        th scope="col" { "features that detection must report" } th scope="col" { "what was run" }
                    } }
                    tbody {
                        @for (place, of) in run.places {
                            tr {
                                td { (place.architecture) }
                                td { (place.cpu_name()) }
                                td { (place.features().map_or("whatever it has".to_owned(), |features| format_features(features).replace('+', ", "))) }
                                td { (depth(*of)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn limits(text: Option<&str>) -> Markup {
    html! {
        section #limits {
            h2 { "Not covered" }
            dl {
                @for (what, why) in NOT_COVERED { dt { (what) } dd { (why) } }
            }
            @match text {
                Some(text) => details { summary { "All of SOUNDNESS.md" } (soundness::markdown(text)) },
                None => p { "SOUNDNESS.md in the repository says what each check shows and what it does not." },
            }
        }
    }
}

fn again(run: &Run<'_>) -> Markup {
    html! {
        section #again {
            h2 { "Run it again" }
            p { "The same run, from a checkout of the commit:" }
            pre { "ci/verify --" (run.effort.again()) " --seed " (run.seed) }
            p { "One kernel, one check, or one cell:" }
            pre { "ci/verify --only sha256_neon\nci/verify --only abi\nci/verify --only 'sha256_*/splits'" }
            p { "One case: each failure prints its own line." }
            pre { "ci/verify --replay aarch64@max:sha256_neon:splits:" (run.seed) ":0" }
        }
    }
}
