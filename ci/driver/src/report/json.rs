//! `report.json`.

use serde::Serialize;
use vambrace_verify::dispatch::format_features;

use super::{NOT_COVERED, Run, Tools, depth};
use crate::verdict::KernelVerdict;

/// Raised when a field changes its meaning or goes; new fields leave it. `docs/report.schema.json` has the same number.
pub const SCHEMA: u32 = 2;

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    verdict: &'static str,
    effort: &'static str,
    seed: u64,
    shard: String,
    tools: &'a Tools,
    building_seconds: f64,
    checking_seconds: f64,
    proving_seconds: f64,
    planted_defects_seen: usize,
    cases: u64,
    cpus: Vec<Cpu>,
    checks: Vec<Check<'a>>,
    kernels: &'a [KernelVerdict],
    problems: &'a [String],
    not_covered: Vec<NotCovered>,
}

#[derive(Serialize)]
struct Cpu {
    architecture: &'static str,
    name: String,
    features: Option<String>,
    checks: &'static str,
}

#[derive(Serialize)]
struct Check<'a> {
    name: &'static str,
    looks_for: &'a str,
    seen_in: &'a str,
}

#[derive(Serialize)]
struct NotCovered {
    what: &'static str,
    why: &'static str,
}

/// The document.
///
/// # Errors
/// If it cannot be written as JSON.
pub fn document(run: &Run<'_>) -> Result<String, String> {
    let document = Document {
        schema: SCHEMA,
        verdict: if run.verdict.is_good() { "pass" } else { "fail" },
        effort: run.effort.name(),
        seed: run.seed,
        shard: run.shard.to_string(),
        tools: &run.tools,
        building_seconds: run.building.as_secs_f64(),
        checking_seconds: run.checking.as_secs_f64(),
        proving_seconds: run.proving.as_secs_f64(),
        planted_defects_seen: run.planted,
        cases: run.verdict.cases(),
        cpus: run
            .places
            .iter()
            .map(|(place, of)| Cpu {
                architecture: place.architecture.name(),
                name: place.cpu_name(),
                features: place.features().map(format_features),
                checks: depth(*of),
            })
            .collect(),
        checks: run
            .plan
            .checks
            .iter()
            .map(|check| Check { name: check.name, looks_for: &check.looks_for, seen_in: &check.seen_in })
            .collect(),
        kernels: &run.verdict.kernels,
        problems: &run.verdict.problems,
        not_covered: NOT_COVERED.iter().map(|&(what, why)| NotCovered { what, why }).collect(),
    };
    let mut text = serde_json::to_string_pretty(&document).map_err(|error| error.to_string())?;
    text.push('\n');
    Ok(text)
}
