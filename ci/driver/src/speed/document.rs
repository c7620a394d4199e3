//! The tables in `docs/speed.md`, between markers.

use std::fmt;
use std::fs;
use std::path::Path;

use super::tables::Table;
use super::tool::{SpeedError, in_file};

/// Where the page is, from the root of the repository.
const PAGE: &str = "docs/speed.md";

fn markers(place: &str) -> [String; 2] {
    [format!("<!-- ci speed: {place} -->\n"), format!("<!-- end of {place} -->")]
}

/// The part of the page between the markers of a place, and where it starts.
fn part<'a>(page: &'a str, place: &str) -> Result<(usize, &'a str), SpeedError> {
    let [begin, end] = markers(place);
    let missing = |marker: &str| SpeedError::NoMarker(marker.trim().to_owned());
    let start = page.find(&begin).ok_or_else(|| missing(&begin))? + begin.len();
    let length = page[start..].find(&end).ok_or_else(|| missing(&end))?;
    Ok((start, &page[start..start + length]))
}

fn replaced(page: &str, table: &Table) -> Result<String, SpeedError> {
    let (start, old) = part(page, &table.place)?;
    Ok(format!("{}{}\n{}", &page[..start], table.text.trim_end(), &page[start + old.len()..]))
}

/// Puts the tables in their places.
pub fn write(root: &Path, tables: &[Table]) -> Result<(), SpeedError> {
    let path = root.join(PAGE);
    let page = fs::read_to_string(&path).map_err(in_file(&path))?;
    let page = tables.iter().try_fold(page, |page, table| replaced(&page, table))?;
    fs::write(&path, page).map_err(in_file(&path))
}

/// A line of a table that is not as it would be written now.
#[derive(Debug, PartialEq, Eq)]
pub struct Stale {
    place: String,
    line: usize,
    written: String,
    now: String,
}

impl fmt::Display for Stale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Stale { place, line, written, now } = self;
        write!(f, "docs/speed.md, {place}, line {line}:\n  written: {written}\n  now:     {now}")
    }
}

/// The lines that differ from what is in the page.
pub fn stale(root: &Path, tables: &[Table]) -> Result<Vec<Stale>, SpeedError> {
    let path = root.join(PAGE);
    let page = fs::read_to_string(&path).map_err(in_file(&path))?;
    let mut stale = Vec::new();
    for table in tables {
        stale.extend(differences(&page, table)?);
    }
    Ok(stale)
}

fn differences(page: &str, table: &Table) -> Result<Vec<Stale>, SpeedError> {
    let (_, written) = part(page, &table.place)?;
    let lines = |text: &str| text.trim_end().lines().map(str::to_owned).collect::<Vec<_>>();
    let (written, now) = (lines(written), lines(&table.text));
    let line = |lines: &[String], index: usize| lines.get(index).cloned().unwrap_or_default();
    Ok((0..written.len().max(now.len()))
        .map(|index| Stale {
            place: table.place.clone(),
            line: index + 1,
            written: line(&written, index),
            now: line(&now, index),
        })
        .filter(|stale| stale.written != stale.now)
        .collect())
}

#[cfg(test)]
mod tests {
    use vambrace::kernels::Architecture;

    use super::super::kernels::select;
    use super::*;

    const EXAMPLE: &str = "before\n<!-- ci speed: x -->\n| a |\n| 1 |\n<!-- end of x -->\nafter\n";

    fn table(text: &str) -> Table {
        Table { place: "x".to_owned(), text: text.to_owned() }
    }

    #[test]
    fn a_table_takes_the_place_between_its_markers() {
        let page = replaced(EXAMPLE, &table("| b |\n")).unwrap();
        assert_eq!(page, "before\n<!-- ci speed: x -->\n| b |\n<!-- end of x -->\nafter\n");
        assert_eq!(differences(&page, &table("| b |\n")).unwrap(), []);
    }

    #[test]
    fn a_place_may_be_empty() {
        let page = replaced("<!-- ci speed: x -->\n<!-- end of x -->\n", &table("| b |\n")).unwrap();
        assert_eq!(page, "<!-- ci speed: x -->\n| b |\n<!-- end of x -->\n");
    }

    #[test]
    fn every_line_that_differs_is_named() {
        let stale = differences(EXAMPLE, &table("| a |\n| 2 |\n| 3 |\n")).unwrap();
        let lines: Vec<_> = stale.iter().map(|stale| (stale.line, &*stale.written, &*stale.now)).collect();
        assert_eq!(lines, [(2, "| 1 |", "| 2 |"), (3, "", "| 3 |")]);
    }

    #[test]
    fn a_page_without_the_place_is_an_error() {
        let error = replaced("no markers", &table("| b |\n")).unwrap_err();
        assert!(error.to_string().contains("<!-- ci speed: x -->"), "{error}");
    }

    #[test]
    fn the_page_has_a_row_for_every_kernel_and_no_other() {
        let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(PAGE)).unwrap();
        for architecture in Architecture::ALL {
            let all = select(None).unwrap();
            let kernels = || all.iter().filter(|kernel| kernel.architecture == architecture);
            for (table, least_lanes) in [("predicted", 1), ("peers", 1), ("several", 2)] {
                let rows = kernels().filter(|kernel| kernel.lanes >= least_lanes);
                let expected: Vec<String> = rows.map(|kernel| format!("`{}`", kernel.name)).collect();
                let place = format!("{architecture} {table}");
                let (_, text) = part(&page, &place).unwrap();
                let rows: Vec<&str> =
                    text.lines().skip(2).filter_map(|line| line.split('|').nth(1)).map(str::trim).collect();
                assert_eq!(rows, expected, "the rows of {place:?}: run `ci speed --write`");
            }
        }
    }
}
