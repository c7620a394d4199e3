//! The last run over planted bugs, as far as it lies beside the reports.

use std::collections::BTreeMap;
use std::path::Path;

use maud::{Markup, html};
use serde::Deserialize;

use super::frame::table;

/// The file, and the version of it that is read.
const FILE: &str = "planted.json";
const SCHEMA: u32 = 1;

/// A run.
#[derive(Debug, Deserialize)]
pub(in crate::report) struct Planted {
    schema: u32,
    seed: u64,
    commit: Option<String>,
    date: String,
    entries: Vec<Entry>,
    seen: Vec<Seen>,
}

/// A kind of bug.
#[derive(Debug, Deserialize)]
struct Entry {
    id: String,
    kind: String,
    mirrors: String,
    impossible: Option<String>,
}

/// A bug that was planted, and the check that saw it.
#[derive(Debug, Deserialize)]
struct Seen {
    entry: String,
    what: String,
    architecture: String,
    row: String,
    expected: Vec<String>,
    by: Option<String>,
    milliseconds: u64,
}

impl Seen {
    fn is_right(&self) -> bool {
        self.by.as_ref().is_some_and(|by| self.expected.contains(by))
    }
}

/// The last run whose report lies in a folder.
pub(in crate::report) fn last(folder: &Path) -> Option<Planted> {
    let planted: Planted = serde_json::from_str(&std::fs::read_to_string(folder.join(FILE)).ok()?).ok()?;
    (planted.schema == SCHEMA).then_some(planted)
}

impl Planted {
    fn sentence(&self) -> String {
        let right = self.seen.iter().filter(|seen| seen.is_right()).count();
        let commit = self.commit.as_deref().unwrap_or("unknown");
        let (all, seed, date) = (self.seen.len(), self.seed, &self.date);
        format!(
            "{right} of {all} planted bugs were seen by a check that should see them. Seed {seed}, commit {commit}, {date}."
        )
    }

    /// How many bugs each check was the one to see.
    pub(super) fn by_check(&self) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        for by in self.seen.iter().filter_map(|seen| seen.by.as_deref()) {
            *counts.entry(by).or_default() += 1;
        }
        counts
    }

    /// The section of the index: a row for each kind.
    pub(super) fn section(&self) -> Markup {
        html! {
            section #planted {
                h2 { "Planted bugs" }
                p { "Published bugs, and the defects that the checks look for, planted in our own code. " (self.sentence()) }
                (table(&["entry", "kind", "mirrors", "planted", "seen"], &html! {
                    @for entry in &self.entries {
                        @let of = || self.seen.iter().filter(|seen| seen.entry == entry.id);
                        @let (all, right) = (of().count(), of().filter(|seen| seen.is_right()).count());
                        tr {
                            th scope="row" { (entry.id) } td { (entry.kind) } td { (entry.mirrors) } td { (all) }
                            @match &entry.impossible {
                                Some(why) => td class="none" { "not to be had here: " (why) },
                                None => td class=(if right == all { "pass" } else { "fail" }) { (right) },
                            }
                        }
                    }
                }))
            }
        }
    }

    /// The bugs that were planted in a kernel.
    pub(super) fn of_kernel(&self, architecture: &str, name: &str) -> Markup {
        self.rows(|seen| seen.architecture == architecture && seen.row == name)
    }

    /// The bugs that a check saw or should have seen.
    pub(super) fn of_check(&self, check: &str) -> Markup {
        self.rows(|seen| {
            seen.by.as_deref() == Some(check) || !seen.is_right() && seen.expected.iter().any(|of| of == check)
        })
    }

    fn rows(&self, wanted: impl Fn(&Seen) -> bool) -> Markup {
        let seen: Vec<&Seen> = self.seen.iter().filter(|seen| wanted(seen)).collect();
        html! {
            @if !seen.is_empty() {
                section #planted {
                    h2 { "Planted bugs" }
                    p class="aside" { "Of the run of " (self.date) "." }
                    (table(&["entry", "where", "seen by", "ms", "what was wrong"], &html! {
                        @for seen in seen { tr {
                            th scope="row" { (seen.entry) } td { (seen.architecture) " " (seen.row) }
                            @match &seen.by {
                                Some(by) if seen.is_right() => td class="pass" { (by) },
                                by => td class="fail" { "not seen by " (seen.expected.join(" or ")) @if let Some(by) = by { ", but by " (by) } },
                            }
                            td { (seen.milliseconds) } td { (seen.what) }
                        } }
                    }))
                }
            }
        }
    }
}

#[cfg(test)]
pub(in crate::report) mod tests {
    use super::*;

    const TEXT: &str = r#"{"schema": 1, "seed": 7, "sample": null, "seconds": 2.5, "commit": "0123", "date": "2026-01-01T00:00:00Z",
        "entries": [{"id": "B01", "kind": "a lost carry", "mirrors": "CVE-1 <of> old", "impossible": null},
            {"id": "B02", "kind": "a race", "mirrors": "CVE-2", "impossible": "nothing is shared"}],
        "seen": [{"entry": "B01", "what": "adds becomes add", "architecture": "arm", "row": "sha256_neon", "in_kernel": true,
                "expected": ["counters", "kat"], "by": "kat", "how": "failure", "said": "", "milliseconds": 12},
            {"entry": "B01", "what": "adc becomes add", "architecture": "aarch64", "row": "sha256_neon", "in_kernel": true,
                "expected": ["counters"], "by": "abi", "how": "failure", "said": "", "milliseconds": 13}]}"#;

    pub(in crate::report) fn planted() -> Planted {
        serde_json::from_str(TEXT).unwrap()
    }

    #[test]
    fn the_last_run_is_read_where_it_lies_beside_the_reports() {
        let folder = tempfile::tempdir().unwrap();
        assert!(last(folder.path()).is_none());
        let path = folder.path().join(FILE);
        std::fs::write(&path, TEXT).unwrap();
        assert_eq!(last(folder.path()).unwrap().seen.len(), 2);
        std::fs::write(&path, TEXT.replace("\"schema\": 1", "\"schema\": 999")).unwrap();
        assert!(last(folder.path()).is_none());
    }

    #[test]
    fn a_bug_is_told_where_it_was_planted_and_by_the_check_that_saw_it_or_should_have() {
        let planted = planted();
        let section = planted.section().into_string();
        for part in
            ["1 of 2 planted bugs", "a lost carry", "CVE-1 &lt;of&gt; old", "not to be had here: nothing is shared"]
        {
            assert!(section.contains(part), "{part}: {section}");
        }
        assert!(planted.of_kernel("arm", "sha256_neon").into_string().contains("adds becomes add"));
        assert_eq!(planted.of_kernel("arm", "sha256_ce").into_string(), "");
        let of_check = |check| planted.of_check(check).into_string();
        assert!(of_check("kat").contains("adds becomes add") && !of_check("kat").contains("adc becomes"));
        assert!(of_check("counters").contains("not seen by counters, but by abi"));
        assert_eq!(planted.by_check().into_iter().collect::<Vec<_>>(), [("abi", 1), ("kat", 1)]);
    }
}
