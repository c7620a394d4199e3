//! The page of a kernel: all that is known of it.

use maud::{Markup, html};
use vambrace_harness::event::Status;
use vambrace_prover::code::Code;

use super::super::Run;
use super::contract;
use super::frame::{self, check_page, fact, grouped, list, page, table};
use super::{Others, listing};
use crate::mutants::report::{KernelSummary, median};
use crate::plan::Row;
use crate::proofs::Standing;
use crate::trace;
use crate::verdict::{Cell, KernelVerdict};

/// The page.
pub(super) fn of(run: &Run<'_>, row: &Row, verdict: &KernelVerdict, others: &Others<'_>) -> String {
    let code = row.kernel.and_then(|kernel| run.codes.of(kernel).ok());
    let body = html! {
        (facts(run, verdict, code))
        @if let Some(kernel) = row.kernel { (contract::section(kernel)) }
        (checks(run, verdict))
        @if row.kernel.is_some() {
            (proof(verdict))
            (hashes(verdict))
            (coverage(verdict))
        }
        @if let Some(mutated) = others.mutated {
            @let of = |one: &&KernelSummary| one.architecture == verdict.architecture && one.kernel == verdict.name;
            @if let Some(summary) = mutated.kernels.iter().find(of) { (mutants(summary, mutated.commit.as_deref(), &mutated.date)) }
        }
        @if let Some(planted) = others.planted { (planted.of_kernel(verdict.architecture, &verdict.name)) }
        (frame::tools(run))
        section #again {
            h2 { "Run it again" }
            pre { "ci/verify --" (run.effort.again()) " --seed " (run.seed) " --only " (verdict.name) }
        }
        @if let Some(code) = code { (disassembly(row, code)) }
    };
    page(&format!("{} {}", verdict.architecture, verdict.name), pill(verdict), &body)
}

/// The verdict on the whole kernel.
fn pill(verdict: &KernelVerdict) -> Markup {
    frame::pill(verdict.checks.values(), "checks failed", "checks passed: all that were selected and apply")
}

fn facts(run: &Run<'_>, verdict: &KernelVerdict, code: Option<&Code>) -> Markup {
    html! {
        dl class="facts" {
            (fact("Algorithm", verdict.algorithm))
            (fact("Tier", verdict.tier))
            (fact("Features declared by the contract", list(&verdict.declared_features)))
            (fact("Features that the instructions need", verdict.minimal_features.as_deref().map_or("not read".to_owned(), list)))
            @if let Some(code) = code {
                @let literals: usize = code.literals().iter().map(std::ops::Range::len).sum();
                (fact("Code", format!("{} bytes: {} of instructions, {literals} of constants", code.bytes().len(), code.bytes().len() - literals)))
            }
            (fact("Commit", run.tools.commit.as_deref().unwrap_or("not in a repository")))
            (fact("Date", &run.tools.date))
            (fact("Seed", run.seed))
        }
    }
}

/// A cell's colour and text in a table of one column.
pub(super) fn status(kernel: &KernelVerdict, check: &str, cell: &Cell) -> Markup {
    match (cell.status, kernel.standing(check)) {
        (Status::Fail, _) => html! { td class="fail" { "fail ✗" } },
        (Status::Pass, Some(standing)) => html! { td class="pass" { (standing.to_string()) " ✓" } },
        (Status::Pass, None) => html! { td class="pass" { "pass ✓" } },
        (Status::None, Some(known @ Standing::NotProvedAsKnown)) => html! { td class="known" { (known.to_string()) } },
        (Status::None, Some(standing)) => html! { td class="none" { (standing.to_string()) } },
        (Status::None, None) => html! { td class="none" { "–" } },
    }
}

/// What stands beside the colour: reasons, failures, what was left out.
pub(super) fn remarks(cell: &Cell) -> Markup {
    html! {
        @if let Some(reason) = &cell.reason { (reason) }
        @for some in &cell.left_out { p { (some.subject) " leaves out " (some.cases) " " (some.reason) } }
        @for failure in &cell.failures { pre { (failure) } }
    }
}

fn checks(run: &Run<'_>, verdict: &KernelVerdict) -> Markup {
    html! {
        section #checks {
            h2 { "Checks" }
            (table(&["check", "", "cases", "seed", "CPU models", "ms", "remarks"], &html! {
                @for check in &run.plan.checks { @if let Some(cell) = verdict.checks.get(check.name) { tr {
                    th scope="row" { a href={ "../" (check_page(check.name)) } { (check.name) } }
                    (status(verdict, check.name, cell))
                    @if cell.status == Status::None { td {} td {} td {} td {} } @else {
                        td { (grouped(cell.cases)) } td { (cell.seed) } td { (cell.cpus.join("; ")) } td { (grouped(cell.milliseconds)) }
                    }
                    td { (remarks(cell)) }
                } } }
            }))
        }
    }
}

fn proof(verdict: &KernelVerdict) -> Markup {
    html! {
        section #proof {
            h2 { "Proof" }
            @match &verdict.proof {
                None => p { "Not attempted in this run." },
                Some(proof) => {
                    p {
                        @match proof.standing {
                            Standing::Proved => "Equal to its specification, and in keeping with its contract, for all inputs and every number of blocks.",
                            Standing::NotProvedAsKnown => "Not proved, which is known: ",
                            Standing::NoSpecification => "None: ",
                            Standing::Failed => "FAILED: ",
                        }
                        @if let Some(reason) = &proof.reason { (reason) }
                    }
                    dl class="facts" {
                        (fact("CPU time", format!("{:.2} s", proof.seconds)))
                        (fact("Peak memory of the process", format!("{} MiB", proof.peak_memory_bytes >> 20)))
                        (fact("Instructions executed on terms", grouped(proof.steps)))
                        (fact("Nodes of terms", grouped(proof.nodes)))
                        (fact("Cases", proof.cases))
                        (fact("States evaluated on numbers too", proof.evaluated))
                    }
                    p { a href={ "../" (check_page(crate::proofs::NAME)) } { "What a proof shows, and what it does not" } }
                }
            }
        }
    }
}

fn hashes(verdict: &KernelVerdict) -> Markup {
    let ran: Vec<&str> = verdict.ran_sha256.iter().map(String::as_str).collect();
    html! {
        section #hashes {
            h2 { "Hashes of the code" }
            p { "SHA-256 of all bytes from the kernel's symbol to its end." }
            dl class="hashes" {
                (fact("In the file", verdict.code_sha256.as_deref().unwrap_or("not read")))
                (fact("In the memory of the guests that ran the checks", if ran.is_empty() { "no guest ran".to_owned() } else { ran.join("; ") }))
                (fact("Given to the prover", verdict.proof.as_ref().map_or("nothing", |proof| proof.sha256.as_str())))
            }
        }
    }
}

fn coverage(verdict: &KernelVerdict) -> Markup {
    let cell = verdict.checks.get(trace::COVERAGE);
    html! {
        section #coverage {
            h2 { "Coverage" }
            @match cell.filter(|cell| cell.status == Status::Pass) {
                Some(cell) => p { "All " (grouped(cell.cases)) " instructions are executed by functional checks whose results are compared with an oracle." },
                None => p { @if cell.is_some_and(|cell| cell.status == Status::Fail) { "Not all instructions are executed: see the check above." } @else { "Not recorded in this run." } },
            }
        }
    }
}

fn mutants(summary: &KernelSummary, commit: Option<&str>, date: &str) -> Markup {
    let count = &summary.count;
    let mut by_check: Vec<(&String, &usize)> = summary.by_check.iter().collect();
    by_check.sort_by_key(|(_, killed)| std::cmp::Reverse(**killed));
    html! {
        section #mutants {
            h2 { "Mutants" }
            p {
                "The kernel with one instruction changed: " (count.killed) " of " (count.tried) " mutants killed, " (count.equivalent)
                " equivalent, " (count.gaps()) " gaps; " (grouped(summary.possible as u64)) " are possible. CPU time to kill: median "
                (median(&summary.kill_milliseconds)) " ms, longest " (summary.kill_milliseconds.last().copied().unwrap_or(0))
                " ms. Run of " (date) ", commit " (commit.unwrap_or("unknown")) "."
            }
            (table(&["killed by", "mutants"], &html! {
                @for (check, killed) in by_check { tr { th scope="row" { (check) } td { (killed) } } }
            }))
            @for survivor in &summary.survivors {
                p { code { (format!("{:#x}", survivor.offset)) } " " (survivor.kind) ": " code { (survivor.before) } " becomes "
                    code { (survivor.after) } ": " (survivor.why()) }
            }
        }
    }
}

fn disassembly(row: &Row, code: &Code) -> Markup {
    html! {
        section #disassembly {
            h2 { "Disassembly" }
            p { "Offset, word, instruction, as Capstone reads the bytes in the file; constants as " code { ".word" } "." }
            @match listing::of(row.architecture, code) {
                Ok(listing) => details { summary { (grouped(code.bytes().len() as u64 / 4)) " words" } pre { (listing) } },
                Err(error) => p { (error) },
            }
        }
    }
}
