//! `ci verify --compare`: what has changed since an older report.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::report::{self, Run, SCHEMA};

/// The parts of a report.json that are compared.
#[derive(Clone, Debug, Deserialize)]
pub struct Report {
    verdict: String,
    effort: String,
    seed: u64,
    shard: String,
    tools: Tools,
    checking_seconds: f64,
    proving_seconds: f64,
    planted_defects_seen: u64,
    cases: u64,
    kernels: Vec<KernelReport>,
}

#[derive(Clone, Debug, Deserialize)]
struct Tools {
    versions: Vec<Tool>,
    commit: Option<String>,
    date: String,
}

#[derive(Clone, Debug, Deserialize)]
struct Tool {
    name: String,
    version: String,
}

/// What a report says of a kernel.
#[derive(Clone, Debug, Deserialize)]
pub struct KernelReport {
    name: String,
    architecture: String,
    declared_features: Vec<String>,
    minimal_features: Option<Vec<String>>,
    code_bytes: Option<u64>,
    stack: u64,
    /// The SHA-256 of the code that was verified.
    pub code_sha256: Option<String>,
    proof: Option<Proof>,
    checks: BTreeMap<String, Cell>,
}

#[derive(Clone, Debug, Deserialize)]
struct Proof {
    standing: String,
    seconds: f64,
    peak_memory_bytes: u64,
}

#[derive(Clone, Debug, Deserialize)]
struct Cell {
    status: String,
    cases: u64,
    reason: Option<String>,
}

impl Report {
    /// When the run ended.
    pub fn date(&self) -> &str {
        &self.tools.date
    }

    /// The commit that it was made of.
    pub fn commit(&self) -> &str {
        self.tools.commit.as_deref().unwrap_or("unknown")
    }

    /// What it says of a kernel.
    pub fn kernel(&self, architecture: &str, name: &str) -> Option<&KernelReport> {
        self.kernels.iter().find(|kernel| kernel.architecture == architecture && kernel.name == name)
    }
}

impl KernelReport {
    /// Whether any cell of it has this status.
    pub fn has(&self, status: &str) -> bool {
        self.checks.values().any(|cell| cell.status == status)
    }

    /// Whether it is proved, as the end of a sentence.
    pub fn proof_in_words(&self) -> &'static str {
        match &self.proof {
            Some(proof) if proof.standing == "proved" => ", and proved",
            _ => "",
        }
    }

    fn title(&self) -> String {
        format!("{} {}", self.architecture, self.name)
    }
}

/// Reads a report.
///
/// # Errors
/// If there is no such file, if it is no report, or one of another version.
pub fn read(path: &Path) -> Result<Report, String> {
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = fs::read_to_string(path).map_err(|error| named(&error))?;
    parse(&text).map_err(|error| named(&error))
}

/// What of a report can be read in every version.
#[derive(Deserialize)]
struct Version {
    schema: u32,
}

fn parse(text: &str) -> Result<Report, String> {
    let version: Version =
        serde_json::from_str(text).map_err(|error| format!("it is no report of ci/verify: {error}"))?;
    if version.schema != SCHEMA {
        return Err(format!(
            "it is a report of schema version {}, and this ci/verify reads version {SCHEMA}; docs/report.md tells what changed",
            version.schema
        ));
    }
    serde_json::from_str(text).map_err(|error| format!("the report is malformed: {error}"))
}

/// A run, as its report will tell it.
///
/// # Errors
/// If it cannot be written as JSON.
pub fn of(run: &Run<'_>) -> Result<Report, String> {
    parse(&report::document(run)?)
}

/// What has changed, for a reader.
pub fn changes(old: &Report, new: &Report) -> String {
    let mut text = String::new();
    let of = |report: &Report| {
        let Report { effort, seed, shard, .. } = report;
        format!("commit {}, {} ({effort}, seed {seed}, shard {shard})", report.commit(), report.date())
    };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "\nchanges from {}\n          to {}", of(old), of(new));
    let header = text.len();
    figures(&mut text, old, new);
    for kernel in &old.kernels {
        if new.kernel(&kernel.architecture, &kernel.name).is_none() {
            let _ = writeln!(text, "  {}: is gone", kernel.title());
        }
    }
    let mut cases: BTreeMap<&str, (usize, u64, u64)> = BTreeMap::new();
    for kernel in &new.kernels {
        match old.kernel(&kernel.architecture, &kernel.name) {
            None => {
                let _ = writeln!(text, "  {}: is new", kernel.title());
            }
            Some(before) => of_kernel(&mut text, before, kernel, &mut cases),
        }
    }
    for (check, (kernels, before, after)) in cases {
        let _ = writeln!(text, "  {check}: {before} cases -> {after}, of {kernels} kernels");
    }
    if text.len() == header {
        text.push_str("  nothing\n");
    }
    text
}

/// A line for a value that has changed.
fn line<T: PartialEq>(text: &mut String, what: &str, old: &T, new: &T, show: impl Fn(&T) -> String) {
    if old != new {
        let _ = writeln!(text, "  {what}: {} -> {}", show(old), show(new));
    }
}

fn figures(text: &mut String, old: &Report, new: &Report) {
    line(text, "verdict", &old.verdict, &new.verdict, String::clone);
    line(text, "planted defects seen", &old.planted_defects_seen, &new.planted_defects_seen, u64::to_string);
    line(text, "cases in all", &old.cases, &new.cases, u64::to_string);
    for tool in &new.tools.versions {
        let before = old.tools.versions.iter().find(|other| other.name == tool.name);
        let version = |tool: &Option<&Tool>| tool.map_or("not used".to_owned(), |tool| tool.version.clone());
        if before.map(|tool| &tool.version) != Some(&tool.version) {
            let _ = writeln!(text, "  {}: {} -> {}", tool.name, version(&before), tool.version);
        }
    }
    let times = [
        ("checking", old.checking_seconds, new.checking_seconds),
        ("proving", old.proving_seconds, new.proving_seconds),
        ("CPU time of the costliest proof", longest(old), longest(new)),
    ];
    for (what, before, after) in times {
        if differs(before, after) {
            let _ = writeln!(text, "  {what}: {before:.1} s -> {after:.1} s");
        }
    }
    let memory = |report: &Report| {
        let proofs = report.kernels.iter().filter_map(|kernel| kernel.proof.as_ref());
        proofs.map(|proof| proof.peak_memory_bytes as f64 / f64::from(1 << 20)).fold(0.0, f64::max)
    };
    if differs(memory(old), memory(new)) {
        let _ = writeln!(text, "  memory of the largest proof: {:.0} MiB -> {:.0} MiB", memory(old), memory(new));
    }
}

fn longest(report: &Report) -> f64 {
    report.kernels.iter().filter_map(|kernel| Some(kernel.proof.as_ref()?.seconds)).fold(0.0, f64::max)
}

/// Whether a measured figure has changed by more than it changes from run to run.
fn differs(before: f64, after: f64) -> bool {
    (before - after).abs() > 0.2 * before.max(after).max(1.0)
}

fn of_kernel<'a>(
    text: &mut String,
    old: &KernelReport,
    new: &'a KernelReport,
    cases: &mut BTreeMap<&'a str, (usize, u64, u64)>,
) {
    let title = new.title();
    let of = |what: &str| format!("{title}: {what}");
    let number = |value: &Option<u64>| value.map_or("not read".to_owned(), |value| value.to_string());
    let list = |features: &Option<Vec<String>>| match features {
        None => "not read".to_owned(),
        Some(features) if features.is_empty() => "none".to_owned(),
        Some(features) => features.join(", "),
    };
    let hash = |hash: &Option<String>| hash.clone().unwrap_or_else(|| "not read".to_owned());
    line(text, &of("code"), &old.code_sha256, &new.code_sha256, hash);
    line(text, &of("bytes of instructions"), &old.code_bytes, &new.code_bytes, number);
    line(text, &of("bytes of stack"), &old.stack, &new.stack, u64::to_string);
    line(
        text,
        &of("features declared"),
        &Some(old.declared_features.clone()),
        &Some(new.declared_features.clone()),
        list,
    );
    line(text, &of("features needed"), &old.minimal_features, &new.minimal_features, list);
    let standing =
        |kernel: &KernelReport| kernel.proof.as_ref().map_or("not attempted".to_owned(), |it| it.standing.clone());
    line(text, &of("proof"), &standing(old), &standing(new), |it| it.replace('_', " "));
    for (check, cell) in &new.checks {
        let Some(before) = old.checks.get(check) else {
            let _ = writeln!(text, "  {title}/{check}: is new, {}", told(cell));
            continue;
        };
        if before.status != cell.status {
            let _ = writeln!(text, "  {title}/{check}: {} -> {}", told(before), told(cell));
        } else if before.cases != cell.cases {
            let sum = cases.entry(check).or_default();
            *sum = (sum.0 + 1, sum.1 + before.cases, sum.2 + cell.cases);
        }
    }
    for check in old.checks.keys().filter(|check| !new.checks.contains_key(*check)) {
        let _ = writeln!(text, "  {title}/{check}: is gone");
    }
}

fn told(cell: &Cell) -> String {
    match &cell.reason {
        Some(reason) => format!("{} ({reason})", cell.status),
        None => cell.status.clone(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn value(kernel: &str, hash: &str, status: &str) -> Value {
        json!({
            "schema": SCHEMA, "verdict": status, "effort": "quick", "seed": 7, "shard": "1/1",
            "tools": {"versions": [{"name": "rustc", "version": "1.95.0"}], "commit": "0123", "date": "2026-01-01T00:00:00Z", "host": "Linux"},
            "checking_seconds": 60.0, "proving_seconds": 9.0, "planted_defects_seen": 8, "cases": 100,
            "kernels": [{
                "name": kernel, "architecture": "aarch64", "declared_features": ["neon"], "minimal_features": ["neon"],
                "code_bytes": 8, "stack": 16, "code_sha256": hash,
                "proof": {"standing": "proved", "seconds": 0.5, "peak_memory_bytes": 20 << 20},
                "checks": {"kat": {"status": status, "cases": 100}, "splits": {"status": if status == "none" { status } else { "pass" }, "cases": 5}},
            }],
        })
    }

    /// A report of one kernel of AArch64.
    pub(crate) fn report_of(kernel: &str, hash: &str, status: &str) -> Report {
        parse(&value(kernel, hash, status).to_string()).unwrap()
    }

    fn changed(change: impl FnOnce(&mut Value)) -> String {
        let mut new = value("sha256_neon", "ab12", "pass");
        change(&mut new);
        changes(&report_of("sha256_neon", "ab12", "pass"), &parse(&new.to_string()).unwrap())
    }

    #[test]
    fn nothing_has_changed_in_the_same_report() {
        let text = changed(|_| {});
        assert!(text.ends_with("  nothing\n"), "{text}");
        assert!(text.contains("commit 0123, 2026-01-01T00:00:00Z (quick, seed 7, shard 1/1)"), "{text}");
    }

    #[test]
    fn every_kind_of_change_has_its_line() {
        let text = changed(|new| {
            let kernel = &mut new["kernels"][0];
            kernel["code_sha256"] = json!("cd34");
            kernel["stack"] = json!(32);
            kernel["minimal_features"] = json!([]);
            kernel["proof"]["standing"] = json!("not_proved_as_known");
            kernel["checks"] = json!({"kat": {"status": "none", "cases": 0, "reason": "not selected"}, "splits": {"status": "pass", "cases": 6}, "abi": {"status": "fail", "cases": 1}});
            new["tools"]["versions"][0]["version"] = json!("1.96.0");
            new["checking_seconds"] = json!(99.0);
            new["verdict"] = json!("fail");
        });
        for part in [
            "verdict: pass -> fail",
            "rustc: 1.95.0 -> 1.96.0",
            "checking: 60.0 s -> 99.0 s",
            "aarch64 sha256_neon: code: ab12 -> cd34",
            "bytes of stack: 16 -> 32",
            "features needed: neon -> none",
            "proof: proved -> not proved as known",
            "sha256_neon/kat: pass -> none (not selected)",
            "sha256_neon/abi: is new, fail",
            "splits: 5 cases -> 6, of 1 kernels",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("proving:") && !text.contains("nothing"), "{text}");
    }

    #[test]
    fn kernels_and_checks_that_come_and_go_are_named() {
        let text = changed(|new| new["kernels"][0]["name"] = json!("sha256_ce"));
        assert!(text.contains("aarch64 sha256_neon: is gone") && text.contains("aarch64 sha256_ce: is new"), "{text}");
        let text = changed(|new| new["kernels"][0]["checks"] = json!({"kat": {"status": "pass", "cases": 100}}));
        assert!(text.contains("aarch64 sha256_neon/splits: is gone"), "{text}");
    }

    #[test]
    fn a_report_of_another_version_is_an_error_that_names_both() {
        let mut old = value("sha256_neon", "ab12", "pass");
        old["schema"] = json!(1);
        let error = parse(&old.to_string()).unwrap_err();
        assert!(error.contains("schema version 1") && error.contains(&format!("reads version {SCHEMA}")), "{error}");
        // Whatever else is in it.
        assert!(parse(r#"{"schema": 999}"#).unwrap_err().contains("schema version 999"));
    }

    #[test]
    fn what_is_no_report_is_an_error_that_says_where() {
        for (text, part) in [
            ("", "no report of ci/verify"),
            ("PK\u{3}\u{4}", "no report of ci/verify"),
            ("{\"schema\": \"two\"}", "line 1 column 16"),
            ("[1, 2]", "no report of ci/verify"),
            ("{}", "missing field `schema`"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
        let mut torn = value("sha256_neon", "ab12", "pass");
        torn["kernels"][0]["checks"]["kat"]["cases"] = json!(-1);
        let error = parse(&torn.to_string()).unwrap_err();
        assert!(error.contains("the report is malformed") && error.contains("-1"), "{error}");
        let error = read(Path::new("/nowhere/report.json")).unwrap_err();
        assert!(error.contains("/nowhere/report.json"), "{error}");
    }
}
