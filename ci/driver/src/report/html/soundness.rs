//! What `SOUNDNESS.md` says of a check: the rows of its tables.

use maud::{Markup, PreEscaped, html};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Markdown of ours as HTML.
pub(super) fn markdown(text: &str) -> Markup {
    let mut page = String::new();
    pulldown_cmark::html::push_html(&mut page, Parser::new_ext(text, Options::ENABLE_TABLES));
    PreEscaped(page)
}

/// A row of a table: what a check shows, and what it does not.
pub(super) struct Said {
    /// The check, as the row calls it: `aliasing (kernel)`, say.
    pub title: String,
    pub shows: Markup,
    pub does_not_show: Markup,
}

/// The rows about a check.
pub(super) fn of_check(text: &str, check: &str) -> Vec<Said> {
    let is_about = |title: &str| title == check || title.strip_prefix(check).is_some_and(|rest| rest.starts_with(" ("));
    rows(text).into_iter().filter(|said| is_about(&said.title)).collect()
}

/// All rows of three cells.
fn rows(text: &str) -> Vec<Said> {
    let (mut rows, mut cells, mut cell): (_, Vec<Vec<Event<'_>>>, Option<Vec<Event<'_>>>) =
        (Vec::new(), Vec::new(), None);
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::TableCell) => cell = Some(Vec::new()),
            Event::End(TagEnd::TableCell) => cells.extend(cell.take()),
            Event::End(TagEnd::TableRow) => {
                if let [title, shows, not] = std::mem::take(&mut cells).as_slice() {
                    let title = title.iter().filter_map(|event| match event {
                        Event::Text(text) | Event::Code(text) => Some(&**text),
                        _ => None,
                    });
                    rows.push(Said { title: title.collect(), shows: rendered(shows), does_not_show: rendered(not) });
                }
            }
            Event::End(TagEnd::TableHead) => cells.clear(),
            // They lead to other places of that file.
            Event::Start(Tag::Link { .. }) | Event::End(TagEnd::Link) => {}
            other => {
                if let Some(cell) = &mut cell {
                    cell.push(other);
                }
            }
        }
    }
    rows
}

fn rendered(events: &[Event<'_>]) -> Markup {
    let mut text = String::new();
    pulldown_cmark::html::push_html(&mut text, events.iter().cloned());
    if text.is_empty() {
        html! { "Nothing more is known to slip through." }
    } else {
        PreEscaped(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan;

    #[test]
    fn the_rows_about_a_check_are_found_with_their_markup() {
        let text = "| check | shows | not |\n|---|---|---|\n| kat | vectors of `NIST` | [time](#time) |\n| aliasing (kernel) | a | |\n| aliasing | b | c |\n";
        let [kat] = of_check(text, "kat").try_into().ok().unwrap();
        assert_eq!(
            (kat.shows.into_string(), kat.does_not_show.into_string()),
            ("vectors of <code>NIST</code>".into(), "time".into())
        );
        assert_eq!(of_check(text, "aliasing").len(), 2);
        assert_eq!(of_check(text, "check").len(), 0);
    }

    #[test]
    fn soundness_says_of_every_check_what_it_shows_and_what_it_does_not() {
        let text = include_str!("../../../../../SOUNDNESS.md");
        for check in plan::checks() {
            assert!(!of_check(text, check.name).is_empty(), "SOUNDNESS.md has no row about {}", check.name);
        }
    }
}
