//! What came of planted bugs: lines for the terminal, JSON for programs.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::bug::{Entry, Sibling, Site};
use super::document;
use super::run::Options;
use crate::mutants::Fate;
use crate::report::{self as verdict, Tools};

/// The name of the file.
const JSON: &str = "planted.json";

/// Raised when a field changes its meaning or goes.
const SCHEMA: u32 = 1;

/// A planted bug, and who saw it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Seen {
    /// The entry's name.
    pub entry: String,
    /// What was wrong.
    pub what: String,
    /// `aarch64` or `arm`.
    pub architecture: String,
    /// The row of the matrix.
    pub row: String,
    /// Whether it was in the assembly of the kernel.
    pub in_kernel: bool,
    /// The checks one of which should see it.
    pub expected: Vec<String>,
    /// The check that saw it; none if it passed everything.
    pub by: Option<String>,
    /// In which way.
    pub how: Option<String>,
    /// What the check said.
    pub said: String,
    /// Milliseconds.
    pub milliseconds: u64,
}

impl Seen {
    /// What became of a sibling.
    pub fn new(entry: &str, sibling: &Sibling, fate: Fate) -> Seen {
        let (by, how, said, milliseconds) = match fate {
            Fate::Killed { check, how, what, milliseconds } => (Some(check), Some(how.to_string()), what, milliseconds),
            Fate::Survived { milliseconds } => (None, None, String::new(), milliseconds),
        };
        Seen {
            entry: entry.to_owned(),
            what: sibling.what.clone(),
            architecture: sibling.architecture.name().to_owned(),
            row: sibling.row.clone(),
            in_kernel: sibling.site() == Site::Kernel,
            expected: sibling.seen_by.iter().map(|check| (*check).to_owned()).collect(),
            by,
            how,
            said,
            milliseconds,
        }
    }

    /// Whether one of those saw it that should.
    pub fn is_right(&self) -> bool {
        self.by.as_ref().is_some_and(|by| self.expected.contains(by))
    }

    /// Who saw it, for a reader.
    pub fn verdict(&self) -> String {
        let expected = self.expected.join(" or ");
        match &self.by {
            None => format!("NOT SEEN, by {expected} or any other check"),
            Some(by) if !self.is_right() => format!("NOT SEEN by {expected}, but by {by}"),
            Some(by) => by.clone(),
        }
    }

    /// A line for the terminal.
    pub fn line(&self) -> String {
        let Seen { entry, architecture, row, what, milliseconds, .. } = self;
        let mut line = format!("{entry:16} {:13} {milliseconds:6} ms  {architecture} {row}: {what}\n", self.verdict());
        if !self.is_right() && !self.said.is_empty() {
            let _ = writeln!(line, "{:16} {}", "", self.said);
        }
        line
    }
}

/// An entry, for a reader.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Listed {
    /// Its name.
    pub id: String,
    /// What is wrong, in general.
    pub kind: String,
    /// Where it was seen.
    pub mirrors: String,
    /// Why nothing of the kind can be planted here.
    pub impossible: Option<String>,
}

/// A run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Run {
    /// See `SCHEMA`.
    pub schema: u32,
    /// The seed of the sample and of the checks.
    pub seed: u64,
    /// How many siblings were drawn; none for all that were selected.
    pub sample: Option<usize>,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// The commit, with `-dirty` where files differ from it.
    pub commit: Option<String>,
    /// When the run ended, as RFC 3339.
    pub date: String,
    /// The entries that were selected.
    pub entries: Vec<Listed>,
    /// What was planted, by entry.
    pub seen: Vec<Seen>,
}

impl Run {
    /// A run that has just ended.
    pub fn new(root: &Path, options: &Options<'_>, entries: &[Entry], time: Duration, mut seen: Vec<Seen>) -> Run {
        let Tools { commit, date, .. } = verdict::tools(root, &[]);
        let place = |one: &Seen| entries.iter().position(|entry| entry.id == one.entry);
        seen.sort_by_key(place);
        let listed = entries.iter().filter(|entry| {
            let selected = options.sample.is_none() && options.selection.contains("", entry.id);
            entry.siblings.is_err() && selected || seen.iter().any(|one| one.entry == entry.id)
        });
        let listed = listed.map(|entry| Listed {
            id: entry.id.to_owned(),
            kind: entry.kind.to_owned(),
            mirrors: entry.mirrors.to_owned(),
            impossible: entry.siblings.as_ref().err().map(|why| (*why).to_owned()),
        });
        let (entries, sample) = (listed.collect(), options.sample);
        Run { schema: SCHEMA, seed: options.seed, sample, seconds: time.as_secs_f64(), commit, date, entries, seen }
    }

    /// Whether each was seen by the check that should see it.
    pub fn is_good(&self) -> bool {
        !self.seen.is_empty() && self.seen.iter().all(Seen::is_right)
    }

    /// The siblings of an entry.
    pub fn of<'a>(&'a self, entry: &'a Listed) -> impl Iterator<Item = &'a Seen> + Clone {
        self.seen.iter().filter(|one| one.entry == entry.id)
    }

    /// The sentence that says it all.
    pub fn sentence(&self) -> String {
        let right = self.seen.iter().filter(|one| one.is_right()).count();
        let mut times: Vec<u64> = self.seen.iter().map(|one| one.milliseconds).collect();
        times.sort_unstable();
        let median = times.get(times.len() / 2).copied().unwrap_or(0);
        format!(
            "{right} of {} planted bugs seen by the check that should; seed {}; median {median} ms, longest {} ms, {:.0} s in all",
            self.seen.len(),
            self.seed,
            times.last().copied().unwrap_or(0),
            self.seconds
        )
    }

    /// What the terminal shows at the end.
    pub fn text(&self) -> String {
        let mut text = document::table(self);
        for wrong in self.seen.iter().filter(|one| !one.is_right()) {
            text.push_str(&wrong.line());
        }
        let _ = writeln!(text, "{}", self.sentence());
        text
    }
}

/// Checks and how many siblings each saw, most first.
pub fn by_check<'a>(seen: impl Iterator<Item = &'a Seen>) -> Vec<(String, usize)> {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for one in seen {
        let by = one.by.clone().unwrap_or_else(|| "none".to_owned());
        match counts.iter_mut().find(|(name, _)| *name == by) {
            Some((_, count)) => *count += 1,
            None => counts.push((by, 1)),
        }
    }
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

/// Writes the reports of a run, and docs/planted.md if that was asked for.
///
/// # Errors
/// Which file could not be written, and why.
pub fn write(root: &Path, options: &Options<'_>, run: &Run) -> Result<(), String> {
    let mut json = serde_json::to_string_pretty(run).map_err(|error| error.to_string())?;
    json.push('\n');
    verdict::write_files(&options.folder, &[(JSON, json)])?;
    println!("report: {}", options.folder.join(JSON).display());
    if options.document {
        verdict::write_files(&root.join("docs"), &[("planted.md", document::text(run))])?;
        println!("written: docs/planted.md");
    }
    Ok(())
}
