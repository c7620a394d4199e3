//! A check of a kernel from its preconditions to its outcome.

use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use vambrace_contract::Kernel;

use super::architecture::ARCHITECTURE;
use super::child::{self, Ended};
use super::finding::{Finding, describe_call};
use super::rig::{Record, Refusal, Rig};
use crate::{Context, Failure, Outcome};

/// Whether a case says anything about a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tried {
    /// It was tried.
    Yes,
    /// The contract has nothing to try it on.
    NotApplicable,
}

/// A check of a kernel.
pub(super) struct Trial {
    pub(super) name: &'static str,
    /// The number of cases in a quick run, and in a full one. Cases of a quick run are cases of a full one.
    pub(super) cases: fn(&Rig<'_>) -> (u64, u64),
    /// Tries a case. Within a child: whatever it needs is in the rig.
    pub(super) case: fn(&mut Rig<'_>, u64, &mut ChaCha8Rng) -> Result<Tried, Finding>,
    /// Why no case applied.
    pub(super) otherwise: &'static str,
}

#[derive(Serialize, Deserialize)]
enum Report {
    Cases(u64),
    Found { case: u64, record: Box<Record>, finding: Finding },
}

/// One at a time: a fork copies one thread, and the others had better not be in the middle of something.
static ALONE: Mutex<()> = Mutex::new(());

impl Trial {
    pub(super) fn run(&self, kernel: &Kernel, context: &Context) -> Outcome {
        let fail = |case, what: String| Failure::new(context, kernel.name, self.name, case, what);
        if kernel.architecture != ARCHITECTURE {
            return Outcome::None { reason: format!("the kernel is for {}", kernel.architecture) };
        }
        let Some(entry) = kernel.entry else {
            return Outcome::None { reason: "this build has no code of the kernel".into() };
        };
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let mut rng = context.rng(kernel.name, self.name, u64::MAX);
        let mut rig = match Rig::new(kernel, entry as *const () as usize, &mut rng) {
            Ok(rig) => rig,
            Err(Refusal::Contract(reason)) => {
                return fail(0, format!("the contract cannot be checked: {reason}")).into();
            }
            Err(Refusal::System(error)) => return fail(0, format!("no memory for the call: {error}")).into(),
        };
        let (quick, full) = (self.cases)(&rig);
        let cases = context.cases(quick, full);

        let ended = child::run(|current| {
            let mut tried = 0;
            for case in cases {
                current.store(case, Ordering::SeqCst);
                let mut rng = context.rng(kernel.name, self.name, case);
                match (self.case)(&mut rig, case, &mut rng) {
                    Ok(Tried::Yes) => tried += 1,
                    Ok(Tried::NotApplicable) => {}
                    Err(finding) => return Report::Found { case, record: Box::new(rig.record), finding },
                }
            }
            Report::Cases(tried)
        });
        match ended {
            Ok(Ended::Returned(Report::Cases(0))) => Outcome::None { reason: self.otherwise.into() },
            Ok(Ended::Returned(Report::Cases(cases))) => Outcome::Pass { cases, left_out: Vec::new() },
            Ok(Ended::Returned(Report::Found { case, record, finding })) => {
                let (what, difference) = finding.describe(&rig, &record);
                let failure = fail(case, what).input(describe_call(&rig, &record));
                match difference {
                    Some(difference) => failure.compared(&difference.expected, &difference.actual).into(),
                    None => failure.into(),
                }
            }
            Ok(Ended::Died { case, how }) => fail(case, format!("the process that called the kernel {how}")).into(),
            Err(error) => fail(0, format!("no process to call the kernel in: {error}")).into(),
        }
    }
}
