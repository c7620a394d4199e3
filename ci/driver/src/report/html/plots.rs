//! Figures that are better looked at than read, as SVG within the page.
//!
//! Colours are the page's own variables, so that they follow its light and its dark form; the drawing library knows only
//! numbers, so each variable has a number that nothing else has.

use maud::{Markup, PreEscaped, html};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Failed = DrawingAreaErrorKind<std::io::Error>;

const INK: RGBColor = RGBColor(1, 2, 3);
const PASS: RGBColor = RGBColor(1, 2, 4);
const FAIL: RGBColor = RGBColor(1, 2, 5);
const LINE: RGBColor = RGBColor(1, 2, 6);

/// What stands for a number in the page.
const COLOURS: [(&str, &str); 4] =
    [("#010203", "currentColor"), ("#010204", "var(--pass)"), ("#010205", "var(--fail)"), ("#010206", "var(--line)")];

const WIDTH: u32 = 440;
const ROW: u32 = 18;
const TEXT: i32 = 13;

/// A bar of a [`bars`].
pub(super) struct Bar {
    pub name: String,
    /// Its length.
    pub value: f64,
    /// How much of it is drawn in the colour of failure, at its end.
    pub bad: f64,
    /// What is written behind it.
    pub told: String,
}

/// Horizontal bars, each with its name at the left and a text behind it.
pub(super) fn bars(title: &str, bars: &[Bar]) -> Markup {
    let height = ROW * bars.len() as u32 + 6;
    figure(title, height, |area| {
        let names = bars.iter().map(|bar| bar.name.chars().count()).max().unwrap_or(0) as i32;
        // A letter of the page's font is about so wide.
        let left = (names * TEXT * 11 / 20 + 8).min(WIDTH as i32 / 2);
        let told = bars.iter().map(|bar| bar.told.chars().count()).max().unwrap_or(0) as i32;
        let room = f64::from(WIDTH as i32 - left - told * TEXT * 11 / 20 - 12);
        let most = bars.iter().map(|bar| bar.value).fold(f64::MIN_POSITIVE, f64::max);
        for (index, bar) in bars.iter().enumerate() {
            let top = index as i32 * ROW as i32 + 3;
            let middle = top + ROW as i32 / 2 - 1;
            let at = |value: f64| left + (room * value / most).round() as i32;
            area.draw(&Text::new(bar.name.as_str(), (left - 6, middle), style(HPos::Right)))?;
            let piece = |from: f64, to: f64, colour: RGBColor| {
                area.draw(&Rectangle::new([(at(from), top + 2), (at(to), top + ROW as i32 - 4)], colour.filled()))
            };
            piece(0.0, bar.value - bar.bad, PASS)?;
            if bar.bad > 0.0 {
                piece(bar.value - bar.bad, bar.value, FAIL)?;
            }
            area.draw(&Text::new(bar.told.as_str(), (at(bar.value) + 5, middle), style(HPos::Left)))?;
        }
        Ok(())
    })
}

/// How many numbers lie in each power of two: for times that differ by orders of magnitude.
pub(super) fn powers_of_two(title: &str, unit: &str, numbers: &[u64]) -> Markup {
    let bin = |number: u64| number.max(1).ilog2();
    let (first, last) =
        (numbers.iter().copied().map(bin).min().unwrap_or(0), numbers.iter().copied().map(bin).max().unwrap_or(0));
    let counts: Vec<usize> =
        (first..=last).map(|of| numbers.iter().filter(|&&number| bin(number) == of).count()).collect();
    let height = 180;
    figure(title, height, |area| {
        let most = counts.iter().copied().max().unwrap_or(1).max(1);
        let (bottom, top) = (height as i32 - 36, 20);
        let wide = (WIDTH as i32 - 20) / counts.len() as i32;
        for (index, &count) in counts.iter().enumerate() {
            let left = 10 + index as i32 * wide;
            let middle = left + wide / 2;
            let up = bottom - (f64::from(bottom - top) * count as f64 / most as f64).round() as i32;
            area.draw(&Rectangle::new([(left + 1, up), (left + wide - 2, bottom)], PASS.filled()))?;
            area.draw(&Text::new(count.to_string(), (middle, up - 8), style(HPos::Center)))?;
            let from = 1_u64 << (first + index as u32);
            let of = if from == 1 { 0 } else { from };
            area.draw(&Text::new(short(of), (left + 1, bottom + 9), style(HPos::Center)))?;
        }
        area.draw(&PathElement::new(vec![(10, bottom), (WIDTH as i32 - 10, bottom)], LINE))?;
        area.draw(&Text::new(unit, (WIDTH as i32 / 2, bottom + 26), style(HPos::Center)))
    })
}

/// A power of two, short enough to stand under a narrow bar.
fn short(number: u64) -> String {
    match number {
        10_000.. => format!("{}k", number / 1000),
        _ => number.to_string(),
    }
}

fn style(side: HPos) -> TextStyle<'static> {
    TextStyle::from(("sans-serif", TEXT).into_font()).color(&INK).pos(Pos::new(side, VPos::Center))
}

fn figure(title: &str, height: u32, draw: impl FnOnce(&Area<'_>) -> Result<(), Failed>) -> Markup {
    let mut text = String::new();
    let drawn = {
        let area = SVGBackend::with_string(&mut text, (WIDTH, height)).into_drawing_area();
        draw(&area).and_then(|()| area.present())
    };
    html! {
        figure {
            figcaption { (title) }
            @match drawn {
                Ok(()) => (PreEscaped(within_page(&text, title))),
                Err(error) => p { "It could not be drawn: " (error) },
            }
        }
    }
}

/// What the library drew, as a part of a page: in the page's colours, with a name for those who do not see it.
fn within_page(svg: &str, title: &str) -> String {
    let mut text = svg.replace("font-family=\"sans-serif\"", "font-family=\"system-ui, sans-serif\"");
    for (number, name) in COLOURS {
        text = text.replace(number, name);
    }
    let label = html! { span title=(title) {} }.into_string();
    let label = label.trim_start_matches("<span title=").trim_end_matches("></span>").to_owned();
    text.replacen("<svg ", &format!("<svg role=\"img\" aria-label={label} "), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(name: &str, value: f64, bad: f64) -> Bar {
        Bar { name: name.to_owned(), value, bad, told: format!("{value} <of> them") }
    }

    #[test]
    fn a_figure_is_drawn_in_the_colours_of_the_page_and_says_what_it_is() {
        let text = bars("killed \"by\" check", &[bar("kat", 10.0, 0.0), bar("abi", 4.0, 1.0)]).into_string();
        for part in [
            "<svg role=\"img\" aria-label=\"killed &quot;by&quot; check\"",
            "viewBox",
            "kat",
            "4 &lt;of&gt; them",
            "var(--pass)",
            "var(--fail)",
            "currentColor",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("#0102"), "{text}");
        // Three pieces: two whole bars, and the end of one.
        assert_eq!(text.matches("<rect").count(), 3);
    }

    #[test]
    fn times_are_counted_by_powers_of_two() {
        let text = powers_of_two("time", "milliseconds", &[0, 1, 2, 3, 9, 40_000]).into_string();
        // 0 and 1, 2 and 3, then 8 and 32768, and those between.
        assert_eq!(text.matches("<rect").count(), 16, "{text}");
        assert!(text.contains("32k") && text.contains("milliseconds"), "{text}");
    }

    #[test]
    fn a_figure_of_nothing_is_empty_and_no_error() {
        assert!(bars("nothing", &[]).into_string().contains("<svg"));
        assert!(powers_of_two("nothing", "ms", &[]).into_string().contains("<svg"));
    }
}
