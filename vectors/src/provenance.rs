//! Where the files come from: the table of `PROVENANCE.md`.

use crate::{Reason, VectorError};

const FILE: &str = "vectors/PROVENANCE.md";

/// A row of `PROVENANCE.md`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// The file's path below `vectors/data`.
    pub path: String,
    /// The package and version that it was taken from, and where it lies in there.
    pub package: String,
    /// Who published it first.
    pub origin: String,
    /// On what terms.
    pub licence: String,
    /// The number of cases in it.
    pub cases: usize,
    /// The SHA-256 of the file, in hex.
    pub sha256: String,
    /// The row's line.
    pub line: usize,
}

/// Every row of the table.
///
/// # Errors
/// If a row is malformed.
pub fn provenance() -> Result<Vec<Provenance>, VectorError> {
    parse(include_str!("../PROVENANCE.md"))
}

/// The rows of the one table whose first column is a path in backticks.
fn parse(text: &str) -> Result<Vec<Provenance>, VectorError> {
    let rows = text.lines().enumerate().filter(|(_, line)| line.starts_with("| `"));
    rows.map(|(index, line)| {
        let line_number = index + 1;
        let mut columns = line.trim().trim_matches('|').split('|').map(|column| column.trim().trim_matches('`'));
        let mut column = |name: &'static str| match columns.next() {
            Some(text) if !text.is_empty() => Ok(text.to_owned()),
            found => Err(malformed(line_number, name, found.unwrap_or_default())),
        };
        let (path, package, origin, licence) =
            (column("file")?, column("package")?, column("origin")?, column("licence")?);
        let cases = column("number of cases")?;
        let cases = cases.parse().map_err(|_| malformed(line_number, "number of cases", &cases))?;
        let sha256 = column("SHA-256")?;
        if sha256.len() != 64 || !sha256.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(malformed(line_number, "SHA-256", &sha256));
        }
        Ok(Provenance { path, package, origin, licence, cases, sha256, line: line_number })
    })
    .collect()
}

fn malformed(line: usize, column: &'static str, found: &str) -> VectorError {
    VectorError::Malformed { file: FILE.to_owned(), line, reason: Reason::Column { column, found: found.to_owned() } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_without_a_number_of_cases_is_refused() {
        let error = parse("| file |\n| `a.rsp` | p | o | l | many | 00 |\n").unwrap_err();
        assert_eq!((error.file(), error.line()), (Some(FILE), Some(2)));
        assert_eq!(error.to_string(), "vectors/PROVENANCE.md:2: the row has no number of cases: \"many\"");
    }

    #[test]
    fn a_row_with_half_a_sum_is_refused() {
        let error = parse("| `a.rsp` | p | o | l | 1 | `00ff` |").unwrap_err();
        assert_eq!(error.reason(), Some(&Reason::Column { column: "SHA-256", found: "00ff".into() }));
    }

    #[test]
    fn a_row_that_ends_early_is_refused() {
        let error = parse("| `a.rsp` | p | o |").unwrap_err();
        assert_eq!(error.reason(), Some(&Reason::Column { column: "licence", found: String::new() }));
    }
}
