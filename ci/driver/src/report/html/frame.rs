//! What all pages have in common.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use vambrace_harness::event::Status;

use super::super::Run;
use crate::verdict::Cell;

const STYLE: &str = include_str!("style.css");

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

/// A page below the index, in a folder of its own.
pub(super) fn page(title: &str, verdict: Markup, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            (head(&format!("{title}: Vambrace")))
            body {
                header {
                    p { a href="../index.html" { "Vambrace" } }
                    h1 { (title) }
                    (verdict)
                }
                main { (body) }
            }
        }
    };
    page.into_string()
}

/// The verdict on some cells, in words for those that failed and for those that passed.
pub(super) fn pill<'a>(cells: impl Iterator<Item = &'a Cell> + Clone, failed: &str, passed: &str) -> Markup {
    let count = |status| cells.clone().filter(|cell| cell.status == status).count();
    let (of_failed, of_passed) = (count(Status::Fail), count(Status::Pass));
    html! {
        @if of_failed > 0 {
            p class="verdict fail" { (of_failed) " " (failed) ", " (of_passed) " passed" }
        } @else if of_passed > 0 {
            p class="verdict pass" { (of_passed) " " (passed) }
        } @else {
            p class="verdict" { "Nothing was checked in this run" }
        }
    }
}

/// What took part in a run.
pub(super) fn tools(run: &Run<'_>) -> Markup {
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

pub(super) fn fact(name: &str, value: impl maud::Render) -> Markup {
    html! { div { dt { (name) } dd { (value) } } }
}

/// A table that scrolls by itself where the page is narrow.
pub(super) fn table(columns: &[&str], rows: &Markup) -> Markup {
    html! {
        div class="wide" tabindex="0" {
            table class="listing" {
                thead { tr { @for column in columns { th scope="col" { (column) } } } }
                tbody { (rows) }
            }
        }
    }
}

/// A number with its digits in groups of three.
pub(super) fn grouped(number: u64) -> String {
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

pub(super) fn list(names: &[&str]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// The file of a kernel's page, seen from the index.
pub(super) fn kernel_page(architecture: &str, name: &str) -> String {
    format!("kernels/{architecture}-{name}.html")
}

/// The file of a check's page, seen from the index.
pub(super) fn check_page(name: &str) -> String {
    format!("checks/{name}.html")
}
