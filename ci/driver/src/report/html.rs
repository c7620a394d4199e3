//! `index.html`: one file that a reviewer can read alone, offline, on a telephone too.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use pulldown_cmark::{Options, Parser};
use vambrace::kernels::Architecture;
use vambrace_harness::event::Status;
use vambrace_verify::dispatch::format_features;

use super::{NOT_COVERED, Run, depth};
use crate::mutants::report as mutants;
use crate::plan::Row;
use crate::table;
use crate::verdict::{Cell, KernelVerdict};

const STYLE: &str = include_str!("style.css");

/// The page. `soundness` is the text of `SOUNDNESS.md`, `mutated` the last run over mutants.
pub(super) fn page(run: &Run<'_>, soundness: Option<&str>, mutated: Option<&mutants::Run>) -> String {
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
                        (fact("Cells", &format!("{passed} passed, {failed} failed, {silent} do not apply or were not selected")))
                        (fact("Cases", &grouped(run.verdict.cases())))
                        (fact("Effort", run.effort.name()))
                        (fact("Seed", &run.seed.to_string()))
                        (fact("Time", &format!("{:.1} s of checking, {:.1} s of building", run.checking.as_secs_f64(), run.building.as_secs_f64())))
                        (fact("Planted defects", &format!("{} seen before the run", run.planted)))
                    }
                    nav {
                        a href="#matrix" { "Matrix" } " "
                        @if !good { a href="#failures" { "Failures" } " " }
                        a href="#kernels" { "Kernels" } " "
                        a href="#checks" { "Checks" } " "
                        a href="#cpus" { "CPUs" } " "
                        @if mutated.is_some() { a href="#mutants" { "Mutants" } " " }
                        a href="#tools" { "Tools" } " "
                        a href="#limits" { "Not covered" } " "
                        a href="#again" { "Run it again" }
                    }
                }
                main {
                    @if !good { (failures(run)) }
                    (matrix(run))
                    (kernels(run))
                    (checks(run))
                    (cpus(run))
                    @if let Some(mutated) = mutated { (mutants::section(mutated)) }
                    (tools(run))
                    (limits(soundness))
                    (again(run))
                }
            }
        }
    };
    page.into_string()
}

/// The head of a page.
pub fn head(title: &str) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            title { (title) }
            style { (PreEscaped(STYLE)) }
        }
    }
}

fn fact(name: &str, value: &str) -> Markup {
    html! { div { dt { (name) } dd { (value) } } }
}

/// A number with its digits in groups of three.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            // A narrow space that does not break.
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
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
            p { "A row for each check, a column for each kernel; the number of cases tried. Point at a cell, or tap it, for the CPUs and the seed." }
            @for architecture in Architecture::ALL {
                @for (algorithm, rows) in run.plan.families(architecture) {
                    h3 { (architecture) " " (algorithm) }
                    (family(run, &rows))
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
                    @for kernel in &kernels { th scope="col" title=(kernel.name) { (kernel.variant) } }
                } }
                tbody {
                    @for check in &run.plan.checks {
                        tr {
                            th scope="row" { a href={ "#check-" (check.name) } { (check.name) } }
                            @for kernel in &kernels {
                                @if let Some(cell) = kernel.checks.get(check.name) { (matrix_cell(cell)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn matrix_cell(cell: &Cell) -> Markup {
    let told = match cell.status {
        Status::None => cell.reason.clone().unwrap_or_default(),
        _ => format!("{}; seed {}; {} ms", cell.cpus.join(", "), cell.seed, cell.milliseconds),
    };
    let left_out =
        cell.left_out.iter().map(|some| format!("; {} leaves out {} {}", some.subject, some.cases, some.reason));
    let told = left_out.fold(told, |told, some| told + &some);
    html! {
        @match cell.status {
            Status::Pass => td class="pass" title=(told) tabindex="0" { (grouped(cell.cases)) span class="mark" { " ✓" } },
            Status::Fail => td class="fail" title=(told) tabindex="0" { a href="#failures" { "fail ✗" } },
            Status::None => td class="none" title=(told) tabindex="0" { "–" },
        }
    }
}

fn kernels(run: &Run<'_>) -> Markup {
    let list = |names: &[&str]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
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
                                th scope="row" { (kernel.architecture) " " (kernel.name) }
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
                    h3 { (check.name) }
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

fn tools(run: &Run<'_>) -> Markup {
    html! {
        section #tools {
            h2 { "Tools" }
            dl class="facts" {
                @for tool in &run.tools.versions { (fact(&tool.name, &tool.version)) }
                (fact("Host", &run.tools.host))
            }
        }
    }
}

fn limits(soundness: Option<&str>) -> Markup {
    html! {
        section #limits {
            h2 { "Not covered" }
            dl {
                @for (what, why) in NOT_COVERED { dt { (what) } dd { (why) } }
            }
            @match soundness {
                Some(text) => details { summary { "All of SOUNDNESS.md" } (markdown(text)) },
                None => p { "SOUNDNESS.md in the repository says what each check shows and what it does not." },
            }
        }
    }
}

/// Markdown of ours as HTML.
fn markdown(text: &str) -> Markup {
    let mut page = String::new();
    pulldown_cmark::html::push_html(&mut page, Parser::new_ext(text, Options::ENABLE_TABLES));
    PreEscaped(page)
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
