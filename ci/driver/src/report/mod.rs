//! The evidence of a run: a page for a reviewer, JSON for programs, JUnit XML for continuous integration.

mod html;
mod json;
mod junit;
#[cfg(test)]
mod tests;
mod write;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use serde::Serialize;
use vambrace::kernels::Architecture;

use crate::code::Codes;
use crate::mutants;
use crate::place::{Depth, Place};
use crate::plan::Plan;
use crate::qemu::Qemu;
use crate::shard::Shard;
use crate::verdict::Verdict;

use html::Others;
pub use html::head;
pub use json::{SCHEMA, document};
pub use write::{probe, write_files};

/// How much was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Before every commit.
    Quick,
    /// Before a release.
    Full,
    /// For as long as was given.
    Soak(Duration),
}

impl Effort {
    /// As guests call it.
    pub fn name(self) -> &'static str {
        match self {
            Effort::Quick => "quick",
            Effort::Full => "full",
            Effort::Soak(_) => "soak",
        }
    }

    /// As the command line has it.
    pub fn again(self) -> String {
        match self {
            Effort::Soak(duration) => {
                format!("soak {}", humantime::format_duration(duration).to_string().replace(' ', ""))
            }
            _ => self.name().to_owned(),
        }
    }
}

/// What was run at a place, for a reader.
pub fn depth(depth: Depth) -> &'static str {
    match depth {
        Depth::Everything => "every check",
        Depth::Light => "the checks that a CPU model can change, with a quarter of the published vectors",
    }
}

/// What the programs were that took part.
#[derive(Clone, Debug, Serialize)]
pub struct Tools {
    /// Name and version of each.
    pub versions: Vec<Tool>,
    /// The commit, with `-dirty` where files differ from it; none outside of a repository.
    pub commit: Option<String>,
    /// When the run ended, as RFC 3339.
    pub date: String,
    /// The machine that it ran on.
    pub host: String,
}

/// A program.
#[derive(Clone, Debug, Serialize)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// The line in which it tells its version.
    pub version: String,
}

/// Asks the programs for their versions.
pub fn tools(root: &Path, qemus: &[(Architecture, Qemu)]) -> Tools {
    let mut versions = Vec::new();
    for (name, argument) in [("rustc", "--version"), ("cargo", "--version")] {
        versions.extend(
            said(Command::new(name).arg(argument).current_dir(root)).map(|version| Tool { name: name.into(), version }),
        );
    }
    for (architecture, qemu) in qemus {
        versions.push(Tool { name: format!("qemu-{architecture}"), version: qemu.version.to_string() });
    }
    for program in ["aarch64-linux-gnu-gcc", "arm-linux-gnueabihf-gcc", "qemu-img"] {
        let version = said(Command::new(program).arg("--version"));
        versions.extend(version.map(|version| Tool { name: program.into(), version }));
    }
    let git = |arguments: &[&str]| said(Command::new("git").args(arguments).current_dir(root));
    let commit = git(&["describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]);
    let date = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let system =
        said(Command::new("uname").args(["-s", "-r", "-m"])).unwrap_or_else(|| std::env::consts::OS.to_owned());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Tools { versions, commit, date, host: format!("{system}, {cores} cores") }
}

/// The first line that a program prints, if it succeeds.
fn said(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_owned)
}

/// A run, as its reports tell it.
pub struct Run<'a> {
    /// How much was done.
    pub effort: Effort,
    /// The seed; that of the first round of a soak.
    pub seed: u64,
    /// The part of the kernels.
    pub shard: Shard,
    /// Time spent building.
    pub building: Duration,
    /// Time spent checking, without proofs.
    pub checking: Duration,
    /// Time spent proving.
    pub proving: Duration,
    /// Planted defects that were seen before the run.
    pub planted: usize,
    /// Where.
    pub places: &'a [(Place, Depth)],
    /// What.
    pub plan: &'a Plan,
    /// What came of it.
    pub verdict: &'a Verdict,
    /// The code of the kernels.
    pub codes: &'a Codes,
    /// With what.
    pub tools: Tools,
}

/// What no run shows, whatever its verdict; `SOUNDNESS.md` has the rest.
pub const NOT_COVERED: &[(&str, &str)] = &[
    (
        "Silicon",
        "QEMU executes what the architecture says. Errata, caches, memory attributes and interrupts of real cores are not there.",
    ),
    (
        "Time",
        "Checks of constant time compare traces of instructions and addresses, not cycles; what a core does speculatively is in no trace.",
    ),
    (
        "All inputs",
        "Cases are samples: official vectors, boundaries and random inputs from the seed below. Passing them is no proof; the row proved alone is about all inputs.",
    ),
    (
        "Other builds",
        "What was checked is the code that this compiler and assembler produced from this commit, for little-endian Linux.",
    ),
];

/// Writes the reports of a run: all of them, or none and an error.
///
/// # Errors
/// Which file could not be written, and why.
pub fn write(root: &Path, folder: &Path, run: &Run<'_>) -> Result<PathBuf, String> {
    let soundness = std::fs::read_to_string(root.join("SOUNDNESS.md")).ok();
    let mutated = mutants::report::last(folder);
    let planted = html::planted::last(folder);
    let others = Others { soundness: soundness.as_deref(), mutated: mutated.as_ref(), planted: planted.as_ref() };
    let mut files = html::pages(run, &others);
    files.push(("report.json".to_owned(), json::document(run)?));
    files.push(("junit.xml".to_owned(), junit::document(run)?));
    write_files(folder, &files)?;
    write::remove_other_pages(folder, &files)?;
    Ok(folder.join("index.html"))
}
