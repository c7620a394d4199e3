//! What came of the mutants: JSON for programs, a page and a section for a reviewer, lines for the terminal.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use maud::{DOCTYPE, Markup, html};
use serde::{Deserialize, Serialize};

use super::document;
use super::equivalents::Shown;
use super::operators::Kind;
use super::run::{Amount, Options};
use super::server::Fate;
use crate::report::{self as verdict, Tools};

/// The names of the files.
const JSON: &str = "mutants.json";
const PAGE: &str = "mutants.html";

/// Raised when a field changes its meaning or goes.
const SCHEMA: u32 = 1;

/// A mutant that was run.
pub struct Tried {
    /// What was changed.
    pub kind: Kind,
    /// What became of it.
    pub fate: Fate,
    /// How to look at it, if it passed everything.
    pub survivor: Option<Survivor>,
}

/// A mutant that passed everything.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Survivor {
    /// Its number.
    pub number: u64,
    /// What was changed.
    pub kind: String,
    /// Where.
    pub offset: u32,
    /// The instruction or the word of a table as it is; two that change places.
    pub before: String,
    /// As the mutant has it.
    pub after: String,
    /// What shows that it is equivalent; none for a gap in the checks.
    #[serde(default)]
    pub shown_by: Option<Shown>,
    /// Why it is equivalent; none for a gap in the checks.
    pub equivalent: Option<String>,
    /// What is known of the gap.
    #[serde(default)]
    pub gap: Option<String>,
    /// The command that runs it again.
    pub replay: String,
}

/// Numbers of mutants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// Run.
    pub tried: usize,
    /// Found out.
    pub killed: usize,
    /// Not found out, and equivalent.
    pub equivalent: usize,
}

impl Survivor {
    /// Whether nobody has said anything of it.
    pub fn is_unexplained(&self) -> bool {
        self.equivalent.is_none() && self.gap.is_none()
    }

    /// Why it was not found out.
    pub fn why(&self) -> String {
        match (&self.equivalent, &self.gap) {
            (Some(reason), _) => reason.clone(),
            (None, Some(gap)) => format!("a known gap in the checks: {gap}"),
            (None, None) => "a gap in the checks".to_owned(),
        }
    }
}

impl Count {
    /// Not found out, and nobody says why.
    pub fn gaps(&self) -> usize {
        self.tried - self.killed - self.equivalent
    }

    fn note(&mut self, tried: &Tried) {
        self.tried += 1;
        match &tried.survivor {
            None => self.killed += 1,
            Some(survivor) => self.equivalent += usize::from(survivor.equivalent.is_some()),
        }
    }

    fn add(&mut self, other: &Count) {
        self.tried += other.tried;
        self.killed += other.killed;
        self.equivalent += other.equivalent;
    }

    /// The share found out of those that are not equivalent, for a reader.
    pub fn share(&self) -> String {
        match self.tried - self.equivalent {
            0 => "–".to_owned(),
            // Rounded down: all but one are not all.
            different => {
                let tenths = 1000 * self.killed / different;
                format!("{}.{} %", tenths / 10, tenths % 10)
            }
        }
    }
}

/// The mutants of one kernel.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KernelSummary {
    /// `aarch64` or `arm`.
    pub architecture: String,
    /// The kernel's name.
    pub kernel: String,
    /// How many mutants there are.
    pub possible: usize,
    /// Of those that were run.
    pub count: Count,
    /// The same by kind.
    pub kinds: BTreeMap<String, Count>,
    /// How many were found out in each check.
    pub by_check: BTreeMap<String, usize>,
    /// How many were found out in each way.
    pub by_how: BTreeMap<String, usize>,
    /// The CPU milliseconds that each of them took, in ascending order.
    pub kill_milliseconds: Vec<u64>,
    /// The checks in their order, with the CPU milliseconds that they took on the kernel as it is.
    pub checks: Vec<(String, u64)>,
    /// Those that passed everything.
    pub survivors: Vec<Survivor>,
}

impl KernelSummary {
    /// Of a kernel of which no mutant was run yet.
    pub fn new(architecture: &str, kernel: &str, possible: usize, checks: Vec<(String, u64)>) -> KernelSummary {
        KernelSummary {
            architecture: architecture.to_owned(),
            kernel: kernel.to_owned(),
            possible,
            count: Count::default(),
            kinds: BTreeMap::new(),
            by_check: BTreeMap::new(),
            by_how: BTreeMap::new(),
            kill_milliseconds: Vec::new(),
            checks,
            survivors: Vec::new(),
        }
    }

    /// Adds a mutant.
    pub fn note(&mut self, one: Tried) {
        self.count.note(&one);
        self.kinds.entry(one.kind.name().to_owned()).or_default().note(&one);
        if let Fate::Killed { check, how, milliseconds, .. } = one.fate {
            *self.by_check.entry(check).or_default() += 1;
            *self.by_how.entry(how.to_string()).or_default() += 1;
            let place = self.kill_milliseconds.partition_point(|other| *other < milliseconds);
            self.kill_milliseconds.insert(place, milliseconds);
        }
        self.survivors.extend(one.survivor);
    }

    /// Takes a survivor out of the counts, to be noted anew.
    pub fn forget(&mut self, survivor: &Survivor) {
        for count in std::iter::once(&mut self.count).chain(self.kinds.get_mut(&survivor.kind)) {
            count.tried -= 1;
            count.equivalent -= usize::from(survivor.equivalent.is_some());
        }
    }

    /// A line, and the gaps, while the run goes on.
    pub fn lines(&self) -> String {
        let Count { tried, killed, equivalent } = self.count;
        let mut text = format!(
            "{:8} {:28} {tried:5} of {:5} tried, {killed} killed, {equivalent} equivalent, {} gaps; median {} ms, longest {} ms\n",
            self.architecture,
            self.kernel,
            self.possible,
            self.count.gaps(),
            median(&self.kill_milliseconds),
            self.kill_milliseconds.last().copied().unwrap_or(0),
        );
        for gap in self.survivors.iter().filter(|survivor| survivor.equivalent.is_none()) {
            let Survivor { kind, offset, before, after, replay, .. } = gap;
            if let Some(known) = &gap.gap {
                let _ = writeln!(text, "  known gap: {kind} at {offset:#x}: {before}  ->  {after}: {known}");
                continue;
            }
            let _ = writeln!(text, "  survives: {kind} at {offset:#x}: {before}  ->  {after}\n    {replay}");
        }
        text
    }
}

/// The middle of numbers in ascending order; 0 if there are none.
pub fn median(numbers: &[u64]) -> u64 {
    numbers.get(numbers.len() / 2).copied().unwrap_or(0)
}

/// A run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Run {
    /// See `SCHEMA`.
    pub schema: u32,
    /// The seed of the samples and of the checks.
    pub seed: u64,
    /// Mutants tried of each kernel at most; none for all.
    pub sample: Option<usize>,
    /// Planted defects that were seen before the run.
    pub planted: usize,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// The commit, with `-dirty` where files differ from it.
    pub commit: Option<String>,
    /// When the run ended, as RFC 3339.
    pub date: String,
    /// The kernels.
    pub kernels: Vec<KernelSummary>,
}

impl Run {
    /// A run that has just ended.
    pub fn new(root: &Path, options: &Options<'_>, planted: usize, time: Duration, kernels: Vec<KernelSummary>) -> Run {
        let Tools { commit, date, .. } = verdict::tools(root, &[]);
        let sample = match options.amount {
            Amount::Sample(number) => Some(number),
            Amount::Exhaustive => None,
        };
        Run { schema: SCHEMA, seed: options.seed, sample, planted, seconds: time.as_secs_f64(), commit, date, kernels }
    }

    /// Everything together.
    pub fn total(&self) -> Count {
        self.kernels.iter().fold(Count::default(), |mut sum, kernel| {
            sum.add(&kernel.count);
            sum
        })
    }

    /// By kind, in the order of `Kind::ALL`.
    pub fn kinds(&self) -> Vec<(&'static str, Count)> {
        let of = |kind: Kind| {
            self.kernels.iter().filter_map(|kernel| kernel.kinds.get(kind.name())).fold(
                Count::default(),
                |mut sum, count| {
                    sum.add(count);
                    sum
                },
            )
        };
        Kind::ALL.into_iter().map(|kind| (kind.name(), of(kind))).collect()
    }

    /// How many were found out by each check, most first.
    pub fn checks(&self) -> Vec<(String, usize)> {
        most_first(self.kernels.iter().map(|kernel| &kernel.by_check))
    }

    /// How many were found out in each way, most first.
    pub fn hows(&self) -> Vec<(String, usize)> {
        most_first(self.kernels.iter().map(|kernel| &kernel.by_how))
    }

    /// The time that each took that was found out, in ascending order.
    pub fn kill_milliseconds(&self) -> Vec<u64> {
        let mut all: Vec<u64> =
            self.kernels.iter().flat_map(|kernel| kernel.kill_milliseconds.iter().copied()).collect();
        all.sort_unstable();
        all
    }

    /// The survivors of which nobody has said anything.
    pub fn unexplained(&self) -> impl Iterator<Item = (&KernelSummary, &Survivor)> {
        self.survivors().filter(|(_, survivor)| survivor.is_unexplained())
    }

    /// The survivors that nobody calls equivalent.
    pub fn gaps(&self) -> impl Iterator<Item = (&KernelSummary, &Survivor)> {
        self.survivors().filter(|(_, survivor)| survivor.equivalent.is_none())
    }

    /// How many are equivalent by each of the ways to show it.
    pub fn shown(&self) -> String {
        let by = |shown| self.survivors().filter(|(_, survivor)| survivor.shown_by == Some(shown)).count();
        let (rules, proofs, reasons) = (by(Shown::Rule), by(Shown::Proof), by(Shown::Reason));
        format!("equivalent: {rules} by a rule, {proofs} by a proof, {reasons} by a written reason")
    }

    /// All survivors.
    pub fn survivors(&self) -> impl Iterator<Item = (&KernelSummary, &Survivor)> {
        self.kernels.iter().flat_map(|kernel| kernel.survivors.iter().map(move |survivor| (kernel, survivor)))
    }

    /// The sentence that says it all.
    pub fn sentence(&self) -> String {
        let total = self.total();
        let times = self.kill_milliseconds();
        format!(
            "{} of {} mutants killed, {} equivalent, {} gaps: {} of those that are not equivalent; seed {}; CPU time to kill: median {} ms, longest {} ms",
            total.killed,
            total.tried,
            total.equivalent,
            total.gaps(),
            total.share(),
            self.seed,
            median(&times),
            times.last().copied().unwrap_or(0),
        )
    }

    /// What the terminal shows at the end.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (name, count) in self.checks() {
            let _ = writeln!(text, "{count:7}  killed by {name}");
        }
        for kernel in self.kernels.iter().filter(|kernel| kernel.count.gaps() > 0) {
            text.push_str(&kernel.lines());
        }
        let _ = writeln!(text, "{}\n{}", self.sentence(), self.shown());
        text
    }
}

fn most_first<'a>(counts: impl Iterator<Item = &'a BTreeMap<String, usize>>) -> Vec<(String, usize)> {
    let mut sum: BTreeMap<String, usize> = BTreeMap::new();
    for (name, count) in counts.flatten() {
        *sum.entry(name.clone()).or_default() += count;
    }
    let mut sum: Vec<_> = sum.into_iter().collect();
    sum.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    sum
}

/// Writes the reports of a run, and docs/mutants.md if that was asked for.
///
/// # Errors
/// Which file could not be written, and why.
pub fn write(root: &Path, options: &Options<'_>, run: &Run) -> Result<(), String> {
    let mut json = serde_json::to_string_pretty(run).map_err(|error| error.to_string())?;
    json.push('\n');
    verdict::write_files(&options.folder, &[(JSON, json), (PAGE, page(run))])?;
    println!("report: {}", options.folder.join(PAGE).display());
    if options.document {
        verdict::write_files(&root.join("docs"), &[("mutants.md", document::text(run))])?;
        println!("written: docs/mutants.md");
    }
    Ok(())
}

/// The last run of which a report lies in a folder.
pub fn last(folder: &Path) -> Option<Run> {
    let run: Run = serde_json::from_str(&std::fs::read_to_string(folder.join(JSON)).ok()?).ok()?;
    (run.schema == SCHEMA).then_some(run)
}

fn page(run: &Run) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            (verdict::head("Vambrace: mutants"))
            body { main { (section(run)) } }
        }
    };
    page.into_string()
}

/// The section of the page of evidence.
pub fn section(run: &Run) -> Markup {
    html! {
        section #mutants {
            h2 { "Mutants" }
            p {
                "Each kernel with one instruction changed, run through the checks of a quick run until one fails. "
                (run.sentence()) ". " (run.planted) " planted defects were seen first. "
                "Commit " (run.commit.as_deref().unwrap_or("unknown")) ", " (run.date) "."
            }
            (counts("what was changed", &run.kinds()))
            (numbers("killed by", &run.checks()))
            (numbers("in the way", &run.hows()))
            div class="wide" { table {
                thead { tr { @for name in ["kernel", "mutants", "tried", "killed", "equivalent", "gaps", "median ms", "longest ms"] { th scope="col" { (name) } } } }
                tbody { @for kernel in &run.kernels { tr {
                    th scope="row" { (kernel.architecture) " " (kernel.kernel) }
                    td { (kernel.possible) } td { (kernel.count.tried) } td { (kernel.count.killed) } td { (kernel.count.equivalent) }
                    td class=(if kernel.count.gaps() == 0 { "pass" } else { "fail" }) { (kernel.count.gaps()) }
                    td { (median(&kernel.kill_milliseconds)) } td { (kernel.kill_milliseconds.last().copied().unwrap_or(0)) }
                } } }
            } }
            details {
                summary { "The " (run.survivors().count()) " survivors" }
                @for (kernel, survivor) in run.survivors() {
                    p { (kernel.architecture) " " (kernel.kernel) " + " (format!("{:#x}", survivor.offset)) ", " (survivor.kind) ": "
                        code { (survivor.before) } " becomes " code { (survivor.after) } ": "
                        (survivor.why()) }
                }
            }
        }
    }
}

fn counts(title: &str, rows: &[(&'static str, Count)]) -> Markup {
    html! {
        div class="wide" { table {
            thead { tr { @for name in [title, "tried", "killed", "equivalent", "gaps"] { th scope="col" { (name) } } } }
            tbody { @for (name, count) in rows { tr {
                th scope="row" { (name) } td { (count.tried) } td { (count.killed) } td { (count.equivalent) } td { (count.gaps()) }
            } } }
        } }
    }
}

fn numbers(title: &str, rows: &[(String, usize)]) -> Markup {
    html! {
        div class="wide" { table {
            thead { tr { th scope="col" { (title) } th scope="col" { "mutants" } } }
            tbody { @for (name, count) in rows { tr { th scope="row" { (name) } td { (count) } } } }
        } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vambrace_verify::mutation::How;

    fn survivor(equivalent: Option<&str>) -> Survivor {
        Survivor {
            number: 5,
            kind: "opcode".to_owned(),
            offset: 0x1c,
            before: "add w0, w1, w2".to_owned(),
            after: "sub w0, w1, w2".to_owned(),
            shown_by: equivalent.map(|_| Shown::Reason),
            equivalent: equivalent.map(str::to_owned),
            gap: None,
            replay: "ci/verify --replay arm@max:k:mutants:7:5".to_owned(),
        }
    }

    fn run(last: Option<&str>) -> Run {
        let killed = |check: &str, milliseconds| Tried {
            kind: Kind::Register,
            fate: Fate::Killed { check: check.to_owned(), how: How::Failure, what: String::new(), milliseconds },
            survivor: None,
        };
        let survived = |equivalent| Tried {
            kind: Kind::Opcode,
            fate: Fate::Survived { milliseconds: 900 },
            survivor: Some(survivor(equivalent)),
        };
        let tried = vec![
            killed("kat", 30),
            killed("kat", 10),
            killed("abi", 20),
            survived(Some("the bits are dead")),
            survived(last),
        ];
        let mut kernel = KernelSummary::new("arm", "k", 50, vec![("kat".to_owned(), 9)]);
        tried.into_iter().for_each(|one| kernel.note(one));
        let kernels = vec![kernel];
        Run {
            schema: SCHEMA,
            seed: 7,
            sample: Some(5),
            planted: 2,
            seconds: 1.0,
            commit: Some("0123456789ab".to_owned()),
            date: "2026-01-01T00:00:00Z".to_owned(),
            kernels,
        }
    }

    #[test]
    fn a_survivor_without_a_reason_is_a_gap_that_everything_shows() {
        let run = run(None);
        assert_eq!(run.total(), Count { tried: 5, killed: 3, equivalent: 1 });
        assert_eq!(run.gaps().count(), 1);
        assert_eq!(run.total().share(), "75.0 %");
        assert_eq!(run.checks(), [("kat".to_owned(), 2), ("abi".to_owned(), 1)]);
        let text = run.text();
        for part in
            ["opcode at 0x1c", "add w0", "sub w0", "arm@max:k:mutants:7:5", "1 gaps", "median 20 ms", "longest 30 ms"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
        let page = page(&run);
        assert!(page.contains("a gap in the checks") && page.contains("the bits are dead"), "{page}");
        assert!(document::text(&run).contains("75.0 %"));
    }

    #[test]
    fn all_but_one_are_not_all() {
        let count = |killed| Count { tried: 2960, killed, equivalent: 240 };
        assert_eq!(count(2719).share(), "99.9 %");
        assert_eq!(count(2720).share(), "100.0 %");
    }

    #[test]
    fn without_gaps_all_that_differ_are_killed() {
        let run = run(Some("no reader"));
        assert_eq!(run.gaps().count(), 0);
        assert_eq!(run.total().share(), "100.0 %");
    }

    #[test]
    fn a_survivor_can_be_judged_anew() {
        let mut run = run(None);
        let kernel = &mut run.kernels[0];
        let gap = kernel.survivors.pop().unwrap();
        kernel.forget(&gap);
        let fate =
            Fate::Killed { check: "residue".to_owned(), how: How::Failure, what: String::new(), milliseconds: 25 };
        kernel.note(Tried { kind: Kind::Opcode, fate, survivor: None });
        assert_eq!(run.total(), Count { tried: 5, killed: 4, equivalent: 1 });
        assert_eq!(run.kernels[0].kinds["opcode"], Count { tried: 2, killed: 1, equivalent: 1 });
        assert_eq!(run.kernels[0].kill_milliseconds, [10, 20, 25, 30]);
    }

    #[test]
    fn the_report_of_the_last_run_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        assert!(last(folder.path()).is_none());
        let json = serde_json::to_string(&run(None)).unwrap();
        std::fs::write(folder.path().join(JSON), &json).unwrap();
        assert_eq!(last(folder.path()).unwrap().total(), run(None).total());
        std::fs::write(folder.path().join(JSON), json.replace("\"schema\":1", "\"schema\":999")).unwrap();
        assert!(last(folder.path()).is_none());
    }
}
