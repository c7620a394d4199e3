//! What there is to check, and which part of it a run is about.

use std::collections::BTreeSet;

use vambrace::Tier;
use vambrace::cpu::Features;
use vambrace::kernels::{Architecture, Feature, Kernel};
use vambrace_harness::Share;
use vambrace_verify::checks::{self, Kind};
use vambrace_verify::selection::Selection;

use crate::features;
use crate::luks;
use crate::place::{Depth, Place};
use crate::proofs;
use crate::shard::Shard;
use crate::trace;

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
    /// Whether it belongs to another shard of the run.
    pub elsewhere: bool,
}

impl Row {
    /// The CPU features that its contract declares.
    pub fn features(&self) -> &'static [Feature] {
        self.kernel.map_or(&[], |kernel| kernel.features)
    }

    /// Whether the kernel sees keys alone, and data only where they are used.
    fn prepares_keys(&self) -> bool {
        self.does(&["expand_key", "convert_key"])
    }

    /// Whether a quick run tries it with all published vectors. The tests of the specification do so with portable Rust, and
    /// the kernels that use keys have them prepared by those of their tier.
    fn takes_all_vectors(&self) -> bool {
        self.kernel.is_some() && !self.prepares_keys()
    }

    /// Whether the kernel takes data units of one block alone.
    fn takes_one_block(&self) -> bool {
        self.does(&["xts_encrypt_one", "xts_decrypt_one"])
    }

    fn does(&self, operations: &[&str]) -> bool {
        self.kernel.is_some_and(|kernel| operations.contains(&kernel.contract.operation))
    }
}

/// Who runs a check, and on what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// A guest.
    Guest(Vec<Kind>),
    /// The driver, on the ELF file that the guests ran.
    Elf,
    /// A guest, on disk images that the driver has made, in a thorough run.
    Image,
    /// The driver, on traces of calls.
    Trace,
    /// The prover.
    Proof,
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
        if row.prepares_keys() && OF_DATA_UNITS.contains(&self.name) {
            return Err("the kernel prepares keys, and the check is about data units");
        }
        if row.takes_one_block() && OF_DATA_UNITS.contains(&self.name) {
            return Err("the kernel takes data units of one block, and the check is about what follows the first");
        }
        let of_machine_code = match &self.scope {
            Scope::Image if row.algorithm != "aes-xts" => return Err("the images are encrypted by AES in XTS"),
            Scope::Image => return Ok(()),
            Scope::Elf | Scope::Trace | Scope::Proof => true,
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
            rows.push(Row { architecture, algorithm, name, tier, variant, kernel: None, elsewhere: false });
            rows.extend(table.iter().filter(|kernel| kernel.architecture == architecture).map(|kernel| Row {
                architecture,
                algorithm,
                name: kernel.name.to_owned(),
                tier: kernel.tier,
                variant: kernel.variant,
                kernel: Some(kernel),
                elsewhere: false,
            }));
        }
    }
    rows
}

/// The rows of the kernels that are selected for something that is done with whole kernels, as far as they are in a shard.
///
/// # Errors
/// If no kernel is selected.
pub fn kernels(selection: &Selection, purpose: &str, shard: Shard) -> Result<Vec<Row>, String> {
    let chosen = |row: &Row| row.kernel.is_some() && selection.contains(&row.name, purpose);
    let rows: Vec<Row> = rows().into_iter().filter(chosen).collect();
    if rows.is_empty() {
        return Err(format!("--only {} matches no kernel; ci/verify --list shows them", listed(selection)));
    }
    Ok(shard.of(rows))
}

/// The patterns of a selection, as they are to be typed.
fn listed(selection: &Selection) -> String {
    let patterns: Vec<String> = selection.patterns().map(|pattern| format!("{pattern:?}")).collect();
    patterns.join(" --only ")
}

/// The architectures that rows are of.
pub fn architectures(rows: &[Row]) -> Vec<Architecture> {
    let of = |architecture: &Architecture| rows.iter().any(|row| row.architecture == *architecture);
    Architecture::ALL.into_iter().filter(of).collect()
}

/// Every column of the matrix.
pub fn checks() -> Vec<Check> {
    let guests = checks::catalogue().into_iter().map(|info| Check {
        name: info.name,
        scope: Scope::Guest(info.kinds),
        looks_for: info.looks_for,
        seen_in: info.seen_in,
    });
    guests.chain([features::check(), luks::check()]).chain(trace::checks()).chain([proofs::check()]).collect()
}

/// Checks that vary data units under a few keys: of a key's preparation and of a single block they say no more than *kat* and
/// *differential* do.
const OF_DATA_UNITS: &[&str] = &["xts", "counters", "handed-back"];

/// What another CPU model or a mask can change, and a quick run therefore repeats on each: the choice of the kernel, and that
/// it computes what it should with the instructions that the model has. QEMU executes an instruction alike on all models.
pub const LIGHT: &[&str] = &["kat", "dispatch"];

/// In a quick run each of these models takes one in so many of the published vectors, and the next model the next ones.
const SHARES: u64 = 4;

/// Some checks of some kernels at one place, by one guest.
#[derive(Clone, Debug)]
pub struct Job {
    /// Where.
    pub place: Place,
    /// The kernel's name, or that it is of all kernels.
    pub name: String,
    /// What is run.
    pub parts: Vec<Part>,
    /// Which of the published vectors are taken.
    pub vectors: Share,
}

/// The checks of one kernel in a job.
#[derive(Clone, Debug)]
pub struct Part {
    /// The kernel's name.
    pub kernel: String,
    /// The checks' names, in the order of the catalogue.
    pub checks: Vec<&'static str>,
}

impl Job {
    /// A job of one kernel.
    pub fn of_kernel(place: Place, kernel: String, checks: Vec<&'static str>) -> Job {
        Job { place, name: kernel.clone(), parts: vec![Part { kernel, checks }], vectors: Share::ALL }
    }

    /// The checks' names, of all kernels.
    pub fn checks(&self) -> Vec<&'static str> {
        self.parts.iter().flat_map(|part| &part.checks).copied().collect()
    }

    /// How many cells it answers for.
    pub fn cells(&self) -> usize {
        self.parts.iter().map(|part| part.checks.len()).sum()
    }
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
    /// Whether it is more than a quick run.
    pub thorough: bool,
}

impl Plan {
    /// A plan for what `selection` leaves.
    ///
    /// # Errors
    /// If that is nothing.
    pub fn new(selection: Selection, thorough: bool) -> Result<Plan, String> {
        let mut plan = Plan { rows: rows(), checks: checks(), selection, thorough: true };
        let exists = plan.cells().next().is_some();
        plan.thorough = thorough;
        if exists && plan.cells().next().is_none() {
            return Err("what --only selects is run with --full or --soak alone".to_owned());
        }
        if !exists {
            let patterns = listed(&plan.selection);
            return Err(format!(
                "--only {patterns} matches no kernel, check or KERNEL/CHECK; ci/verify --list shows them"
            ));
        }
        Ok(plan)
    }

    /// The same for a part of the kernels. A part of few may have none.
    pub fn sharded(mut self, shard: Shard) -> Plan {
        let is_selected = |row: &Row| self.checks.iter().any(|check| self.silence(row, check).is_none());
        let selected: Vec<usize> = (0..self.rows.len()).filter(|&index| is_selected(&self.rows[index])).collect();
        for (position, index) in selected.into_iter().enumerate() {
            self.rows[index].elsewhere = !shard.has(position);
        }
        self
    }

    /// The selected cells that can have an answer.
    pub fn cells(&self) -> impl Iterator<Item = (&Row, &Check)> {
        self.rows
            .iter()
            .flat_map(|row| self.checks.iter().map(move |check| (row, check)))
            .filter(|(row, check)| self.silence(row, check).is_none())
    }

    /// Why a cell is not part of the run.
    pub fn silence(&self, row: &Row, check: &Check) -> Option<&'static str> {
        match check.applies(row) {
            Err(reason) => Some(reason),
            Ok(()) if !self.selection.contains(&row.name, check.name) => Some("not selected"),
            Ok(()) if row.elsewhere => Some("in another shard of the run"),
            Ok(()) if check.scope == Scope::Image && !self.thorough => Some("only with --full or --soak"),
            Ok(()) => None,
        }
    }

    /// The architectures that have a selected cell.
    pub fn architectures(&self) -> Vec<Architecture> {
        Architecture::ALL.into_iter().filter(|&one| self.cells().any(|(row, _)| row.architecture == one)).collect()
    }

    /// The guests to be run, the long ones first. Where little is run, one guest runs it for all kernels.
    pub fn jobs(&self, places: &[(Place, Depth)]) -> Vec<Job> {
        let mut jobs: Vec<(Depth, Job)> = Vec::new();
        let mut shares = (0..SHARES).cycle().map(|first| Share { first, step: SHARES });
        let mut next_share = || shares.next().unwrap_or(Share::ALL);
        for (place, depth) in places {
            let part =
                |row: &Row| Part { kernel: row.name.clone(), checks: self.guest_checks(row, place.features(), *depth) };
            let rows = self.rows.iter().filter(|row| row.architecture == place.architecture);
            match depth {
                Depth::Everything => jobs.extend(rows.map(|row| {
                    let Part { kernel, checks } = part(row);
                    let vectors = if self.thorough || row.takes_all_vectors() { Share::ALL } else { next_share() };
                    (*depth, Job { vectors, ..Job::of_kernel(place.clone(), kernel, checks) })
                })),
                // One guest for all: most of what a short one takes is the translation of code that all have in common.
                Depth::Light => {
                    let parts = rows.map(part).filter(|part| !part.checks.is_empty()).collect();
                    let name = "all kernels".to_owned();
                    jobs.push((*depth, Job { place: place.clone(), name, parts, vectors: next_share() }));
                }
            }
        }
        jobs.retain(|(_, job)| job.cells() > 0);
        jobs.sort_by_key(|(depth, job)| (*depth != Depth::Everything, std::cmp::Reverse(job.cells())));
        jobs.into_iter().map(|(_, job)| job).collect()
    }

    fn guest_checks(&self, row: &Row, features: Option<Features>, depth: Depth) -> Vec<&'static str> {
        let available = features.is_none_or(|features| features.missing(row.features()).is_none());
        let chosen = self.cells().filter(|(of, check)| {
            let dispatch = check.scope == Scope::Guest(vec![Kind::Dispatch]);
            std::ptr::eq(*of, row)
                && matches!(check.scope, Scope::Guest(_))
                && (available || dispatch)
                && match depth {
                    Depth::Everything => true,
                    // Portable Rust is compiled for no model in particular, and the kernels that use keys have them prepared
                    // by those of their tier.
                    Depth::Light => LIGHT.contains(&check.name) && (dispatch || row.takes_all_vectors()),
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
        Plan::new(Selection::new(&[pattern]).unwrap(), false)
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
        let plan = Plan::new(Selection::default(), false).unwrap();
        let jobs = plan.jobs(&places(false));
        for (row, check) in plan.cells().filter(|(_, check)| matches!(check.scope, Scope::Guest(_))) {
            let here = jobs.iter().filter(|job| job.place.architecture == row.architecture);
            let mut parts = here.flat_map(|job| &job.parts).filter(|part| part.kernel == row.name);
            assert!(parts.any(|part| part.checks.contains(&check.name)), "{} {}", row.name, check.name);
        }
    }

    #[test]
    fn the_lesser_models_of_an_architecture_take_all_vectors_together() {
        let plan = Plan::new(Selection::default(), false).unwrap();
        let jobs = plan.jobs(&places(false));
        for architecture in Architecture::ALL {
            let of_it = || jobs.iter().filter(|job| job.place.architecture == architecture);
            let of_most = of_it().filter(|job| job.place.cpu_name() == "max");
            let is_whole = |job: &Job| !job.name.ends_with("_key") && !job.name.ends_with("_generic");
            assert!(of_most.filter(|job| is_whole(job)).all(|job| job.vectors == Share::ALL));
            let lesser = of_it().filter(|job| job.place.cpu_name() != "max");
            let first: BTreeSet<u64> = lesser.map(|job| job.vectors.first).collect();
            assert_eq!(first, (0..SHARES).collect(), "{architecture}");
        }
    }

    #[test]
    fn a_cpu_without_the_feature_is_asked_for_the_refusal() {
        let plan = Plan::new(Selection::default(), false).unwrap();
        let jobs = plan.jobs(&places(true));
        let checks = |place: &str, kernel: &str| {
            let mut parts = jobs.iter().filter(|job| job.place.to_string() == place).flat_map(|job| &job.parts);
            parts.find(|part| part.kernel == kernel).unwrap().checks.clone()
        };
        assert_eq!(checks("arm@cortex-a9,neon=off", "sha256_neon"), ["dispatch"]);
        assert_eq!(checks("arm@cortex-a15", "sha256_ce"), ["dispatch"]);
        assert_eq!(checks("aarch64@max,mask=neon", "sha256_ce"), ["dispatch"]);
        assert!(checks("arm@cortex-a9", "sha256_neon").len() > 1);
        assert!(checks("aarch64@cortex-a53", "sha256_ce_x2").len() > 1);
    }

    #[test]
    fn images_are_opened_in_thorough_runs_by_what_they_are_encrypted_with() {
        let cells = |thorough| {
            let plan = Plan::new(Selection::default(), thorough).unwrap();
            let cells = plan.cells().filter(|(_, check)| check.scope == Scope::Image);
            cells.map(|(row, _)| row.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(cells(false), [""; 0]);
        let names = cells(true);
        assert!(names.iter().all(|name| name.starts_with("aes")), "{names:?}");
        for name in ["aes-xts_generic", "aes_xts_scalar_encrypt", "aes_xts_neon_decrypt", "aes_xts_ce_expand_key"] {
            assert_eq!(names.iter().filter(|other| *other == name).count(), 2, "{name}");
        }
        let error = plan("luks").unwrap_err();
        assert!(error.contains("--full"), "{error}");
    }

    #[test]
    fn the_shards_of_a_run_are_the_run_and_have_nothing_in_common() {
        let plan = |pattern: &[&str], thorough| Plan::new(Selection::new(pattern).unwrap(), thorough).unwrap();
        let names = |plan: &Plan| -> Vec<String> {
            plan.cells().map(|(row, check)| format!("{} {}/{}", row.architecture, row.name, check.name)).collect()
        };
        for (pattern, thorough) in [(&[][..], false), (&[], true), (&["blake2?_*/kat", "sha512_*"], false)] {
            let mut whole = names(&plan(pattern, thorough));
            whole.sort();
            for of in [1, 2, 3, 7, 200] {
                let shards = (1..=of).map(|number| format!("{number}/{of}").parse().unwrap());
                let mut all: Vec<String> =
                    shards.flat_map(|shard| names(&plan(pattern, thorough).sharded(shard))).collect();
                all.sort();
                assert_eq!(all, whole, "{pattern:?} {of}");
            }
            assert_eq!(names(&plan(pattern, thorough).sharded(Shard::WHOLE)), names(&plan(pattern, thorough)));
        }
    }

    #[test]
    fn the_shards_of_kernels_are_the_kernels_and_have_nothing_in_common() {
        let selection = Selection::new(&["*"]).unwrap();
        let names = |shard: &str| -> Vec<String> {
            let rows = kernels(&selection, "mutants", shard.parse().unwrap()).unwrap();
            rows.iter().map(|row| format!("{} {}", row.architecture, row.name)).collect()
        };
        let mut all = [names("1/3"), names("2/3"), names("3/3")].concat();
        let mut whole = names("1/1");
        all.sort();
        whole.sort();
        assert_eq!(all, whole);
        let error = kernels(&Selection::new(&["sha3_*"]).unwrap(), "mutants", Shard::WHOLE).unwrap_err();
        assert!(error.contains("\"sha3_*\" matches no kernel"), "{error}");
    }

    #[test]
    fn the_light_list_names_checks_that_exist() {
        let checks = checks();
        for name in LIGHT {
            assert!(checks.iter().any(|check| check.name == *name), "{name}");
        }
    }

    #[test]
    fn only_the_architectures_that_have_the_kernel_are_built_for() {
        assert_eq!(plan("sha256_ce_x2").unwrap().architectures(), [Architecture::Aarch64]);
        assert_eq!(plan("sha256_ce").unwrap().architectures(), Architecture::ALL);
    }
}
