//! The column *proved*, and `ci verify --prove-only`: what is proved of the kernels in the guests, for all inputs.
//!
//! Each proof is made by a process of its own ([`apart`]), so that its memory can be told and limited, and so that one that
//! goes wrong takes nothing else with it.

pub mod apart;
mod lines;

use std::path::Path;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use vambrace::kernels::{Architecture, Kernel};
use vambrace_prover::Outcome;
use vambrace_verify::selection::Selection;

use crate::build;
use crate::code::Codes;
use crate::disassembly::Disassembler;
use crate::plan::{self, Check, Row, Scope};
use crate::progress;
use crate::shard::Shard;
use crate::verify::Ending;

/// The name of the column.
pub const NAME: &str = "proved";

/// The check.
pub fn check() -> Check {
    Check {
        name: NAME,
        scope: Scope::Proof,
        looks_for:
            "machine code that is not the specification for all inputs and every number of blocks, or that breaks its \
            contract for any of them; bytes that are proved and are not those that the guests ran"
                .to_owned(),
        seen_in: String::new(),
    }
}

/// How a kernel stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Proved.
    Proved,
    /// Not proved, which is known and written down.
    NotProvedAsKnown,
    /// No specification is written for its entry point.
    NoSpecification,
    /// Not proved although a proof is claimed, or proved although it is said not to be.
    Failed,
}

impl std::fmt::Display for Standing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Standing::Proved => "proved",
            Standing::NotProvedAsKnown => "not proved, as known",
            Standing::NoSpecification => "none: no specification",
            Standing::Failed => "FAILED",
        })
    }
}

/// What became of the proof of a kernel, and what it cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proof {
    /// How the kernel stands.
    pub standing: Standing,
    /// Why it does not stand better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The SHA-256 of the bytes that the prover was given.
    pub sha256: String,
    /// CPU seconds.
    pub seconds: f64,
    /// The most memory that the process of the proof had resident at a time, its program included.
    pub peak_memory_bytes: u64,
    /// Instructions executed on terms.
    pub steps: u64,
    /// Nodes of terms.
    pub nodes: u64,
    /// Cases that differ in the remainder of the count, or in how the stack is aligned.
    pub cases: u64,
    /// States at a return that were evaluated on numbers too.
    pub evaluated: u64,
}

/// An attempt to prove a kernel.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The kernel.
    pub kernel: &'static Kernel,
    /// What came of it; or why nothing did.
    pub result: Result<Proof, String>,
}

impl Attempt {
    /// What is wrong, if something is.
    pub fn complaint(&self) -> Option<&str> {
        match &self.result {
            Ok(Proof { standing: Standing::Failed, reason, .. }) => Some(reason.as_deref().unwrap_or("not proved")),
            Ok(_) => None,
            Err(error) => Some(error),
        }
    }
}

/// Kernels that have a specification and no proof, by architecture and name, and why that is so; of every other a proof is
/// claimed.
const KNOWN_UNPROVED: &[(Architecture, &str, &str)] = &[];

/// Why a kernel is not proved, where that is known.
fn known_unproved(kernel: &Kernel) -> Option<&'static str> {
    let is = |of: &&(Architecture, &str, &str)| (of.0, of.1) == (kernel.architecture, kernel.name);
    KNOWN_UNPROVED.iter().find(is).map(|(.., why)| *why)
}

/// How a kernel stands by the prover's answer and by what is known of it, and why not better; instructions also in words if
/// somebody is there who reads them.
fn standing(outcome: &Outcome, known: Option<&str>, reader: Option<Disassembler>) -> (Standing, Option<String>) {
    let instruction = |offset, word| match reader.as_ref().and_then(|reader| reader.instruction(offset, word)) {
        Some(text) => format!("{word:#010x}, {text}"),
        None => format!("{word:#010x}"),
    };
    match (outcome, known) {
        (Outcome::Proved, None) => (Standing::Proved, None),
        (Outcome::Proved, Some(why)) => {
            (Standing::Failed, Some(format!("it is proved, but listed as one that is not ({why})")))
        }
        (Outcome::NotProved(_), Some(why)) => (Standing::NotProvedAsKnown, Some(why.to_owned())),
        (Outcome::NotProved(failure), None) => (Standing::Failed, Some(failure.told(&instruction).to_string())),
        (Outcome::NotAttempted(why), _) => (Standing::NoSpecification, Some((*why).to_owned())),
    }
}

/// Proves kernels, as many at once as there are cores.
pub fn prove_all(codes: &Codes, kernels: &[&'static Kernel]) -> Vec<Attempt> {
    let display = progress::Proofs::new(kernels.len());
    let attempt = |&kernel: &&'static Kernel| {
        let attempt = Attempt { kernel, result: codes.of(kernel).and_then(|code| apart::prove(kernel, code)) };
        display.end(&attempt);
        attempt
    };
    kernels.par_iter().map(attempt).collect()
}

/// The kernels of rows.
pub fn kernels<'a>(rows: impl Iterator<Item = &'a Row>) -> Vec<&'static Kernel> {
    rows.filter_map(|row| row.kernel).collect()
}

/// Builds the guests, and proves the kernels in them that are selected and in the shard.
///
/// # Errors
/// If nothing is selected or the guests cannot be built.
pub fn run(root: &Path, selection: &Selection, shard: Shard) -> Result<Ending, String> {
    let rows = plan::kernels(selection, NAME, shard)?;
    let codes = Codes::read(&build::guests(root, &plan::architectures(&rows))?)?;
    let began = Instant::now();
    let attempts = prove_all(&codes, &kernels(rows.iter()));
    Ok(tell(&attempts, began.elapsed()))
}

/// Prints what became of kernels, and tells whether all is well.
pub(crate) fn tell(attempts: &[Attempt], took: Duration) -> Ending {
    print!("{}", lines::report(attempts, took));
    if attempts.iter().any(|attempt| attempt.complaint().is_some()) { Ending::Bad } else { Ending::Good }
}

/// What the proofs together took, in CPU time.
pub fn computed(attempts: &[Attempt]) -> Duration {
    attempts
        .iter()
        .filter_map(|attempt| attempt.result.as_ref().ok())
        .map(|it| Duration::from_secs_f64(it.seconds))
        .sum()
}

#[cfg(test)]
pub(crate) mod tests {
    use vambrace::kernels::ALL;
    use vambrace_prover::failure::{Failure, Reason};

    use super::*;

    /// A proof that never was, of bytes with a hash.
    pub(crate) fn proof(standing: Standing, reason: Option<&str>, sha256: &str) -> Proof {
        Proof {
            standing,
            reason: reason.map(str::to_owned),
            sha256: sha256.to_owned(),
            seconds: 0.25,
            peak_memory_bytes: 12 << 20,
            steps: 5,
            nodes: 7,
            cases: 1,
            evaluated: 8,
        }
    }

    fn kernel(architecture: Architecture, name: &str) -> &'static Kernel {
        let mut all = ALL.iter().copied().flatten();
        all.find(|kernel| kernel.architecture == architecture && kernel.name == name).unwrap()
    }

    #[test]
    fn a_claim_that_does_not_hold_is_a_failure_either_way() {
        let failure = || Outcome::NotProved(Failure::new(Reason::SecretFlags));
        assert_eq!(standing(&Outcome::Proved, None, None), (Standing::Proved, None));
        let (failed, reason) = standing(&failure(), None, None);
        assert_eq!(failed, Standing::Failed);
        assert!(reason.unwrap().contains("flags depend on a secret"));
        let none = Outcome::NotAttempted("nobody wrote one");
        assert_eq!(standing(&none, None, None), (Standing::NoSpecification, Some("nobody wrote one".to_owned())));
        let known = standing(&failure(), Some("too large"), None);
        assert_eq!(known, (Standing::NotProvedAsKnown, Some("too large".to_owned())));
        let (failed, reason) = standing(&Outcome::Proved, Some("too large"), None);
        assert_eq!(failed, Standing::Failed);
        assert!(reason.unwrap().contains("listed as one that is not (too large)"));
    }

    #[test]
    fn the_instruction_of_a_failure_is_told_in_words() {
        let failure = Failure { position: Some(16), word: Some(0xd65f_03c0), ..Failure::new(Reason::SecretFlags) };
        let reader = Disassembler::new(Architecture::Aarch64).ok();
        let (_, reason) = standing(&Outcome::NotProved(failure), None, reader);
        assert_eq!(
            reason.as_deref(),
            Some("at offset 0x10 (0xd65f03c0, ret): the flags depend on a secret at the return")
        );
    }

    #[test]
    fn what_is_known_not_to_be_proved_exists() {
        for (architecture, name, _) in KNOWN_UNPROVED {
            assert_eq!(kernel(*architecture, name).name, *name);
        }
    }

    #[test]
    fn only_what_is_claimed_and_does_not_hold_is_complained_of() {
        let kernel = kernel(Architecture::Aarch64, "sha256_neon");
        let complaint = |result| Attempt { kernel, result }.complaint().map(str::to_owned);
        for good in [Standing::Proved, Standing::NotProvedAsKnown, Standing::NoSpecification] {
            assert_eq!(complaint(Ok(proof(good, Some("so"), "ab"))), None);
        }
        assert_eq!(complaint(Ok(proof(Standing::Failed, Some("sp is lost"), "ab"))).as_deref(), Some("sp is lost"));
        assert_eq!(complaint(Err("no symbol".to_owned())).as_deref(), Some("no symbol"));
    }
}
