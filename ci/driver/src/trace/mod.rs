//! Checks by traces: which instructions of a kernel are executed, and which memory they access.
//!
//! A guest calls the kernels, and a plugin in QEMU records what they do (`vambrace-trace`). Three columns of the matrix come of
//! that: *constant-time*, *trace-bounds* and *coverage*. Before any kernel is judged, kernels with planted defects are: each
//! must be seen by the check that looks for it and by no other.

mod batch;
mod code;
mod guest;
mod judge;
mod planted;
mod trial;

pub use batch::{replay, run};
pub use guest::takes_api_2;
pub use planted::{Seen, judge_planted, see_planted_defects};
pub use trial::{Start, Tracer};

use crate::place::{Depth, Place};
use crate::plan::{Check, Job, Plan, Scope};
use vambrace::kernels::Architecture;

/// Traces of calls that differ in secrets alone are equal.
pub const CONSTANT_TIME: &str = "constant-time";
/// Every access lies in what the contract grants.
pub const BOUNDS: &str = "trace-bounds";
/// Every instruction is executed.
pub const COVERAGE: &str = "coverage";

/// Their columns.
pub const NAMES: [&str; 3] = [CONSTANT_TIME, BOUNDS, COVERAGE];

/// The checks.
pub fn checks() -> [Check; 3] {
    let check = |name, looks_for: &str, seen_in: &str| Check {
        name,
        scope: Scope::Trace,
        looks_for: looks_for.to_owned(),
        seen_in: seen_in.to_owned(),
    };
    [
        check(
            CONSTANT_TIME,
            "calls with equal public inputs and different secrets whose traces (instructions, and addresses and sizes of \
             accesses) differ; instructions whose time may depend on their operands",
            "",
        ),
        check(
            BOUNDS,
            "accesses outside of what the contract grants where no page ends: beside a buffer, in another argument, to an \
             input, below the declared stack, below SP, beyond the kernel's own literals",
            "s2n-bignum 443, aws-lc 2286, Go 17499",
        ),
        check(
            COVERAGE,
            "instructions that no functional check executes",
            "libcrux 1220 (a fallback that no test ran), libgcrypt 68861ae5",
        ),
    ]
}

/// Where kernels of an architecture are traced: on the CPU model of QEMU that has every feature.
pub fn place(architecture: Architecture, places: &[(Place, Depth)]) -> Option<&Place> {
    places
        .iter()
        .map(|(place, _)| place)
        .find(|place| place.architecture == architecture && place.emulated() && place.mask.is_none())
}

/// What is to be traced, as jobs of one kernel each. Without QEMU it is for the machine itself, where nothing can be traced.
pub fn jobs(plan: &Plan, places: &[(Place, Depth)]) -> Vec<Job> {
    let jobs = plan.rows.iter().filter_map(|row| {
        let of_architecture = || places.iter().map(|(place, _)| place).find(|it| it.architecture == row.architecture);
        let place = place(row.architecture, places).or_else(of_architecture)?.clone();
        let chosen = plan.cells().filter(|(of, check)| std::ptr::eq(*of, row) && check.scope == Scope::Trace);
        let checks: Vec<&'static str> = chosen.map(|(_, check)| check.name).collect();
        (!checks.is_empty()).then(|| Job::of_kernel(place, row.name.clone(), checks))
    });
    jobs.collect()
}
