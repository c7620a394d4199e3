//! Published bugs in code of this kind, planted in ours: several siblings of each, in other registers, residues, directions,
//! offsets and kernels.

mod carry;
mod convention;
mod machine;
mod memory;
mod order;

use vambrace::kernels::Architecture;

use super::bug::{Entry, Sibling};

const A64: Architecture = Architecture::Aarch64;
const A32: Architecture = Architecture::Arm;

const DIRECTIONS: [&str; 2] = ["encrypt", "decrypt"];

/// Where BLAKE2 compresses its last block.
pub(super) const LAST_BLOCK: &str =
    "«self.backend.compress(&mut self.state, core::slice::from_ref(&self.buffer), self.filled);»\n write_digest";

/// The same with another number of bytes.
pub(super) fn last_block(bytes: &str) -> String {
    format!("let bytes = {bytes}; self.backend.compress(&mut self.state, core::slice::from_ref(&self.buffer), bytes);")
}

/// Every one, by its name.
pub fn entries() -> Vec<Entry> {
    let parts = [memory::entries(), order::entries(), carry::entries(), machine::entries(), convention::entries()];
    let mut entries: Vec<Entry> = parts.into_iter().flatten().collect();
    entries.sort_by_key(|entry| entry.id);
    entries
}

/// The same in both directions of a cipher.
fn both(siblings: impl Fn(&str) -> Vec<Sibling>) -> Vec<Sibling> {
    DIRECTIONS.into_iter().flat_map(siblings).collect()
}

/// The same in each of some kernels.
fn each(architecture: Architecture, kernels: &[&str], what: &str, find: &str, replace: &str) -> Vec<Sibling> {
    kernels.iter().map(|kernel| Sibling::kernel(architecture, kernel, what).edit(find, replace)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_published_bugs_are_listed_once() {
        let names: Vec<&str> = entries().iter().map(|entry| entry.id).collect();
        let all: Vec<String> = (1..=46).map(|number| format!("B{number:02}")).collect();
        assert_eq!(names, all);
    }

    #[test]
    fn each_has_siblings_or_a_reason() {
        for entry in entries() {
            match entry.siblings {
                Ok(siblings) => {
                    assert!(siblings.len() >= 3, "{} has {} siblings", entry.id, siblings.len());
                    assert!(
                        siblings.iter().all(|one| !one.edits.is_empty() && !one.seen_by.is_empty()),
                        "{}",
                        entry.id
                    );
                }
                Err(why) => assert!(!why.is_empty()),
            }
        }
    }
}
