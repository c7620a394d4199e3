//! What there is to check, and which part of it a run is about.

use std::collections::BTreeSet;

use vambrace::Tier;
use vambrace::cpu::Features;
use vambrace::kernels::{Architecture, Feature, Kernel};
use vambrace_verify::checks::{self, Kind};
use vambrace_verify::selection::Selection;

use crate::features;
use crate::place::{Depth, Place};

/// A row of the matrix.
#[derive(Clone, Debug)]
pub struct Row {
    /// What it is written for.
    pub architecture: Architecture,
    /// As in a kernel's contract: the family of hash functions that share the kernel.
    pub algorithm: &'static str,
    /// As `sha256_neon`; unique within an architecture.
    pub name: String,
    /// What it asks of the CPU.
    pub tier: Tier,
    /// As `ce_x2`; the tier's name where it is the tier's only kernel.
    pub variant: &'static str,
    /// The kernel; none for portable Rust.
    pub kernel: Option<&'static Kernel>,
}

impl Row {
    /// The CPU features that its contract declares.
    pub fn features(&self) -> &'static [Feature] {
        self.kernel.map_or(&[], |kernel| kernel.features)
    }
}

/// Who runs a check, and on what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// A guest.
    Guest(Vec<Kind>),
    /// The driver, on the ELF file that the guests ran.
    Elf,
}

/// A column of the matrix.
#[derive(Clone, Debug)]
pub struct Check {
    /// Its name in tables and on command lines.
    pub name: &'static str,
    /// Who runs it.
    pub scope: Scope,
    /// What it looks for.
    pub looks_for: String,
    /// Published bugs that it would have caught.
    pub seen_in: String,
}

impl Check {
    /// Whether the check says anything about the row, or why not.
    pub fn applies(&self, row: &Row) -> Result<(), &'static str> {
        let of_machine_code = match &self.scope {
            Scope::Elf => true,
            Scope::Guest(kinds) => {
                let of_results = [Kind::of_algorithm(row.algorithm), Kind::Dispatch];
                if kinds.iter().any(|kind| of_results.contains(kind)) {
                    return Ok(());
                }
                kinds.contains(&Kind::Machine)
            }
        };
        match row.kernel {
            _ if !of_machine_code => Err("the check is one of another kind of function"),
            None => Err("portable Rust: what the compiler makes of it is not under contract"),
            Some(_) => Ok(()),
        }
    }
}

/// Every row of the matrix, whatever architecture this is compiled for.
pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for architecture in Architecture::ALL {
        for table in vambrace::kernels::ALL {
            let Some(first) = table.first() else { continue };
            let algorithm = first.contract.algorithm;
            let (tier, variant) = (Tier::Generic, Tier::Generic.name());
            let name = format!("{algorithm}_{variant}");
            rows.push(Row { architecture, algorithm, name, tier, variant, kernel: None });
            rows.extend(table.iter().filter(|kernel| kernel.architecture == architecture).map(|kernel| Row {
                architecture,
                algorithm,
                name: kernel.name.to_owned(),
                tier: kernel.tier,
                variant: kernel.variant,
                kernel: Some(kernel),
            }));
        }
    }
    rows
}

/// Every column of the matrix.
pub fn checks() -> Vec<Check> {
    let guests = checks::catalogue().into_iter().map(|info| Check {
        name: info.name,
        scope: Scope::Guest(info.kinds),
        looks_for: info.looks_for,
        seen_in: info.seen_in,
    });
    guests.chain([features::check()]).collect()
}

/// What another CPU model can change and a quick run therefore repeats on each: that results are right with the
/// instructions that QEMU grants the model, that contracts hold, and what is dispatched.
pub const LIGHT: &[&str] = &["kat", "splits", "abi", "dispatch"];

/// What a masked run repeats: the choice of the kernel, and that the one chosen works.
pub const MASKED: &[&str] = &["kat", "dispatch"];

/// Some checks of one kernel at one place, by one guest.
#[derive(Clone, Debug)]
pub struct Job {
    /// Where.
    pub place: Place,
    /// The kernel's name.
    pub kernel: String,
    /// The checks' names, in the order of the catalogue.
    pub checks: Vec<&'static str>,
}

/// What a run is about.
#[derive(Debug)]
pub struct Plan {
    /// Every row.
    pub rows: Vec<Row>,
    /// Every column.
    pub checks: Vec<Check>,
    /// What was asked for.
    pub selection: Selection,
}

impl Plan {
    /// A plan for what `selection` leaves.
    ///
    /// # Errors
    /// If that is nothing.
    pub fn new(selection: Selection) -> Result<Plan, String> {
        let plan = Plan { rows: rows(), checks: checks(), selection };
        if plan.cells().next().is_none() {
            let patterns: Vec<String> = plan.selection.patterns().map(|pattern| format!("{pattern:?}")).collect();
            return Err(format!(
                "--only {} matches no kernel, check or KERNEL/CHECK; ci/verify --list shows them",
                patterns.join(" --only ")
            ));
        }
        Ok(plan)
    }

    /// The selected cells that can have an answer.
    pub fn cells(&self) -> impl Iterator<Item = (&Row, &Check)> {
        self.rows
            .iter()
            .flat_map(|row| self.checks.iter().map(move |check| (row, check)))
            .filter(|(row, check)| check.applies(row).is_ok() && self.selection.contains(&row.name, check.name))
    }

    /// The architectures that have a selected cell.
    pub fn architectures(&self) -> Vec<Architecture> {
        Architecture::ALL.into_iter().filter(|&one| self.cells().any(|(row, _)| row.architecture == one)).collect()
    }

    /// The guests to be run, the long ones first.
    pub fn jobs(&self, places: &[(Place, Depth)]) -> Vec<Job> {
        let mut jobs: Vec<Job> = places
            .iter()
            .flat_map(|(place, depth)| {
                let rows = self.rows.iter().filter(|row| row.architecture == place.architecture);
                rows.map(|row| Job {
                    place: place.clone(),
                    kernel: row.name.clone(),
                    checks: self.guest_checks(row, place.features(), *depth),
                })
            })
            .filter(|job| !job.checks.is_empty())
            .collect();
        jobs.sort_by_key(|job| std::cmp::Reverse(job.checks.len()));
        jobs
    }

    fn guest_checks(&self, row: &Row, features: Option<Features>, depth: Depth) -> Vec<&'static str> {
        let available = features.is_none_or(|features| features.missing(row.features()).is_none());
        let chosen = self.cells().filter(|(of, check)| {
            let dispatch = check.scope == Scope::Guest(vec![Kind::Dispatch]);
            std::ptr::eq(*of, row)
                && check.scope != Scope::Elf
                && (available || dispatch)
                && match depth {
                    Depth::Everything => true,
                    Depth::Light => LIGHT.contains(&check.name),
                    Depth::Dispatch => MASKED.contains(&check.name),
                }
        });
        chosen.map(|(_, check)| check.name).collect()
    }

    /// The rows of an architecture by algorithm, in order.
    pub fn families(&self, architecture: Architecture) -> Vec<(&'static str, Vec<&Row>)> {
        let rows = || self.rows.iter().filter(move |row| row.architecture == architecture);
        let mut seen = BTreeSet::new();
        rows()
            .filter(|row| seen.insert(row.algorithm))
            .map(|first| (first.algorithm, rows().filter(|row| row.algorithm == first.algorithm).collect()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::places;

    fn plan(pattern: &str) -> Result<Plan, String> {
        Plan::new(Selection::new(&[pattern]).unwrap())
    }

    #[test]
    fn a_pattern_that_matches_nothing_is_an_error_that_names_it() {
        let error = plan("sha3_*").unwrap_err();
        assert!(error.contains("\"sha3_*\"") && error.contains("--list"), "{error}");
        let portable_code_has_no_contract = plan("sha256_generic/features");
        assert!(portable_code_has_no_contract.is_err());
    }

    #[test]
    fn every_kernel_is_run_somewhere_with_every_check_of_its_own() {
        let plan = Plan::new(Selection::default()).unwrap();
        let jobs = plan.jobs(&places(false));
        for (row, check) in plan.cells().filter(|(_, check)| check.scope != Scope::Elf) {
            let covers = |job: &&Job| job.place.architecture == row.architecture && job.kernel == row.name;
            assert!(
                jobs.iter().filter(covers).any(|job| job.checks.contains(&check.name)),
                "{} {}",
                row.name,
                check.name
            );
        }
    }

    #[test]
    fn a_cpu_without_the_feature_is_asked_for_the_refusal() {
        let plan = Plan::new(Selection::default()).unwrap();
        let jobs = plan.jobs(&places(true));
        let checks = |place: &str, kernel: &str| {
            let job = jobs.iter().find(|job| job.place.to_string() == place && job.kernel == kernel).unwrap();
            job.checks.clone()
        };
        assert_eq!(checks("arm@cortex-a9,neon=off", "sha256_neon"), ["dispatch"]);
        assert_eq!(checks("arm@cortex-a15", "sha256_ce"), ["dispatch"]);
        assert_eq!(checks("aarch64@max,mask=neon", "sha256_ce"), ["dispatch"]);
        assert!(checks("arm@cortex-a9", "sha256_neon").len() > 1);
        assert!(checks("aarch64@cortex-a53", "sha256_ce_x2").len() > 1);
    }

    #[test]
    fn the_lighter_lists_name_checks_that_exist() {
        let checks = checks();
        for name in LIGHT.iter().chain(MASKED) {
            assert!(checks.iter().any(|check| check.name == *name), "{name}");
        }
    }

    #[test]
    fn only_the_architectures_that_have_the_kernel_are_built_for() {
        assert_eq!(plan("sha256_ce_x2").unwrap().architectures(), [Architecture::Aarch64]);
        assert_eq!(plan("sha256_ce").unwrap().architectures(), Architecture::ALL);
    }
}
