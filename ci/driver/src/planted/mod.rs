//! `ci verify --planted`: bugs that were published, and the defects that the checks look for, planted in our own code.
//!
//! A bug is an edit of our source (`published`, `catalogue`). One in a kernel's assembly is assembled and written over the kernel
//! in a guest, or into the guest's file; those in the Rust around the kernels are built into a copy of the library. The
//! checks that should see it are run on it, and one of them must.

mod assembler;
mod bug;
mod catalogue;
mod document;
mod library;
mod published;
mod report;
mod run;
mod source;
mod traced;

pub use bug::Entry;
pub use report::Run;
pub use run::{Options, judge, run};

/// What the random numbers of a sample are drawn for.
const NAME: &str = "planted";

/// Everything that there is to plant: published bugs, then the rows of the catalogue of checks.
pub fn entries() -> Vec<Entry> {
    published::entries().into_iter().chain(catalogue::entries()).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use rayon::prelude::*;

    use super::*;
    use bug::{Sibling, Site};

    fn root() -> &'static Path {
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
    }

    fn siblings() -> Vec<(&'static str, Sibling)> {
        let of = |entry: Entry| entry.siblings.into_iter().flatten().map(move |sibling| (entry.id, sibling));
        entries().into_iter().flat_map(of).collect()
    }

    #[test]
    fn every_edit_applies() {
        let failures: Vec<String> = siblings()
            .par_iter()
            .filter_map(|(id, sibling)| {
                let text =
                    |file: &str| std::fs::read_to_string(root().join(file)).map_err(|error| format!("{file}: {error}"));
                let applied = match sibling.site() {
                    // One after the other.
                    Site::Kernel => {
                        text(&sibling.edits[0].file).and_then(|text| source::edited(&text, &sibling.edits)).map(drop)
                    }
                    // All at once.
                    Site::Library => sibling
                        .edits
                        .iter()
                        .try_for_each(|edit| text(&edit.file).and_then(|text| source::find(&text, edit)).map(drop)),
                };
                let error = applied.err()?;
                Some(format!("{id} {} {} ({}): {error}", sibling.architecture, sibling.row, sibling.what))
            })
            .collect();
        assert!(failures.is_empty(), "{} fail:\n{}", failures.len(), failures.join("\n"));
    }

    #[test]
    fn every_check_that_should_see_something_exists() {
        let names: Vec<&str> = crate::plan::checks().iter().map(|check| check.name).collect();
        let rows = crate::plan::rows();
        for (id, sibling) in siblings() {
            for check in sibling.seen_by {
                assert!(names.contains(check), "{id}: {check}");
            }
            let is_row = |row: &crate::plan::Row| row.architecture == sibling.architecture && row.name == sibling.row;
            assert!(rows.iter().any(is_row), "{id}: {} {}", sibling.architecture, sibling.row);
        }
    }
}
