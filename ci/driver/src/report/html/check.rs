//! The page of a check: what it shows, what it does not, and what came of it.

use maud::{Markup, html};
use vambrace_harness::event::Status;

use super::super::Run;
use super::frame::{self, fact, grouped, kernel_page, page, table};
use super::kernel::{remarks, status};
use super::{Others, soundness};
use crate::plan::{Check, Scope};
use crate::verdict::{Cell, KernelVerdict};

/// The page.
pub(super) fn of(run: &Run<'_>, check: &Check, text: Option<&str>, others: &Others<'_>) -> String {
    let cells = || run.verdict.kernels.iter().filter_map(|kernel| Some((kernel, kernel.checks.get(check.name)?)));
    let cases: u64 = cells().map(|(_, cell)| cell.cases).sum();
    let milliseconds: u64 = cells().map(|(_, cell)| cell.milliseconds).sum();
    let pill = frame::pill(cells().map(|(_, cell)| cell), "kernels failed", "kernels passed: all that it was made of");
    let body = html! {
        section #shows {
            h2 { "What it looks for" }
            p { (check.looks_for) "." }
            @if !check.seen_in.is_empty() { p class="aside" { "Seen in: " (check.seen_in) } }
            p { "Made by " (maker(&check.scope)) "." }
            @for said in text.map(|text| soundness::of_check(text, check.name)).unwrap_or_default() {
                @if said.title != check.name { h3 { (said.title) } }
                h3 { "It shows" }
                p { (said.shows) }
                h3 { "It does not show" }
                p { (said.does_not_show) }
            }
        }
        dl class="facts" {
            (fact("Cases", grouped(cases)))
            (fact("Time", format!("{:.1} s", milliseconds as f64 / 1000.0)))
            (fact("Seed", run.seed))
            @if let Some(killed) = others.killed_by(check.name) { (fact("Mutants that failed it first", killed)) }
        }
        section #kernels {
            h2 { "Kernels" }
            (table(&["kernel", "", "cases", "seed", "CPU models", "ms", "remarks"], &html! {
                @for (kernel, cell) in cells() { (row(check, kernel, cell)) }
            }))
        }
        @if let Some(planted) = others.planted { (planted.of_check(check.name)) }
    };
    page(check.name, pill, &body)
}

fn row(check: &Check, kernel: &KernelVerdict, cell: &Cell) -> Markup {
    html! { tr {
        th scope="row" { a href={ "../" (kernel_page(kernel.architecture, &kernel.name)) } { (kernel.architecture) " " (kernel.name) } }
        (status(kernel, check.name, cell))
        @if cell.status == Status::None { td {} td {} td {} td {} } @else {
            td { (grouped(cell.cases)) } td { (cell.seed) } td { (cell.cpus.join("; ")) } td { (grouped(cell.milliseconds)) }
        }
        td { (remarks(cell)) }
    } }
}

/// Who makes a check.
fn maker(scope: &Scope) -> &'static str {
    match scope {
        Scope::Guest(_) => "a program that runs under QEMU, on each CPU model that can change its outcome",
        Scope::Elf => "reading the ELF file that was run",
        Scope::Image => "a program that runs under QEMU, on disk images that qemu-img encrypted",
        Scope::Trace => "reading traces that a plugin in QEMU recorded",
        Scope::Proof => "a prover, from the machine code in the ELF file that was run",
    }
}
