//! What is planted: an edit of our own source, and the check that must see it.

use vambrace::kernels::Architecture;

/// Bugs of one kind: of a published one, or of what a check looks for.
#[derive(Clone, Debug)]
pub struct Entry {
    /// `B01` and so on for a published bug, else the name of a check.
    pub id: &'static str,
    /// What is wrong, in general.
    pub kind: &'static str,
    /// Where it was seen.
    pub mirrors: &'static str,
    /// The siblings, or why there can be none here.
    pub siblings: Result<Vec<Sibling>, &'static str>,
}

/// One planted bug.
#[derive(Clone, Debug)]
pub struct Sibling {
    /// What is wrong.
    pub what: String,
    /// Whose code is run.
    pub architecture: Architecture,
    /// The row of the matrix on which the checks are run.
    pub row: String,
    /// What is changed in the source.
    pub edits: Vec<Edit>,
    /// The checks one of which must see it, in the order in which they are asked.
    pub seen_by: &'static [&'static str],
}

/// A change of a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The file, from the root of the repository on.
    pub file: String,
    /// What stands there, see [`find`](super::source::find).
    pub find: String,
    /// What stands there instead.
    pub replace: String,
}

/// Where a sibling is planted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Site {
    /// In the assembly of one kernel.
    Kernel,
    /// In the Rust around the kernels.
    Library,
}

impl Sibling {
    /// In the assembly of a kernel.
    pub fn kernel(architecture: Architecture, kernel: &str, what: impl Into<String>) -> Sibling {
        Sibling { what: what.into(), architecture, row: kernel.to_owned(), edits: Vec::new(), seen_by: &[] }
    }

    /// In the Rust around the kernels, to be seen in the row of one of them.
    pub fn library(architecture: Architecture, row: &str, what: impl Into<String>) -> Sibling {
        Sibling::kernel(architecture, row, what)
    }

    /// The same with a change of the kernel's own source.
    pub fn edit(self, find: impl Into<String>, replace: impl Into<String>) -> Sibling {
        let file = source_of(self.architecture, &self.row);
        self.edit_in(file, find, replace)
    }

    /// The same with a change of another file.
    pub fn edit_in(mut self, file: impl Into<String>, find: impl Into<String>, replace: impl Into<String>) -> Sibling {
        self.edits.push(Edit { file: file.into(), find: find.into(), replace: replace.into() });
        self
    }

    /// The same, to be seen by one of these checks.
    pub fn seen_by(mut self, checks: &'static [&'static str]) -> Sibling {
        self.seen_by = checks;
        self
    }

    /// Where it is planted.
    pub fn site(&self) -> Site {
        if self.edits.iter().all(|edit| edit.file.ends_with(".S")) { Site::Kernel } else { Site::Library }
    }
}

/// In the assembly of a kernel for AArch64: what is wrong, what stands there, and what stands there instead.
pub fn here(kernel: &str, what: &str, find: impl Into<String>, replace: impl Into<String>) -> Sibling {
    Sibling::kernel(Architecture::Aarch64, kernel, what).edit(find, replace)
}

/// The same for ARMv7.
pub fn there(kernel: &str, what: &str, find: impl Into<String>, replace: impl Into<String>) -> Sibling {
    Sibling::kernel(Architecture::Arm, kernel, what).edit(find, replace)
}

/// Where the assembly of a kernel stands.
pub fn source_of(architecture: Architecture, kernel: &str) -> String {
    let start = ["_scalar", "_neon", "_ce"].iter().filter_map(|tier| kernel.find(tier)).min().unwrap_or(kernel.len());
    let (algorithm, variant) = kernel.split_at(start);
    let folder = algorithm.strip_suffix("_xts").unwrap_or(algorithm);
    // What a key is converted for stands in the file's name alone.
    let suffix = match variant.strip_suffix("convert_key") {
        Some("_ce_") => "_decrypt",
        Some(_) => "_encrypt",
        None => "",
    };
    format!("impls/src/{folder}/{architecture}/{}{suffix}.S", variant.trim_start_matches('_'))
}

/// An entry whose siblings are seen by these checks where they do not say otherwise.
pub fn entry(
    id: &'static str,
    kind: &'static str,
    mirrors: &'static str,
    seen_by: &'static [&'static str],
    mut siblings: Vec<Sibling>,
) -> Entry {
    for sibling in siblings.iter_mut().filter(|sibling| sibling.seen_by.is_empty()) {
        sibling.seen_by = seen_by;
    }
    Entry { id, kind, mirrors, siblings: Ok(siblings) }
}

/// An entry that can have no sibling here.
pub fn none(id: &'static str, kind: &'static str, mirrors: &'static str, why: &'static str) -> Entry {
    Entry { id, kind, mirrors, siblings: Err(why) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_source_of_every_kernel_is_where_its_name_says() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let kernels = vambrace::kernels::ALL.iter().flat_map(|table| table.iter());
        for kernel in kernels {
            let file = source_of(kernel.architecture, kernel.name);
            assert!(root.join(&file).is_file(), "{}: {file}", kernel.name);
        }
    }
}
