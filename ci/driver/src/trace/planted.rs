//! Whether the checks see what they look for.

use std::ffi::OsString;

use vambrace::kernels::Architecture;
use vambrace_trace::order::Wanted;
use vambrace_verify::traced::{CONTRACT, PLANTED, Planted, STACK, SeenBy};

use super::code::Code;
use super::judge::{Finding, Subject};
use super::trial::{Tracer, Trial};
use super::{BOUNDS, CONSTANT_TIME, COVERAGE};
use crate::disassembly::Disassembler;
use crate::report::Effort;

/// A planted kernel, and what the checks say of it.
pub struct Seen {
    /// The kernel.
    pub planted: &'static Planted,
    /// The checks that complain, and how.
    pub complaints: Vec<(&'static str, String)>,
}

impl Seen {
    /// Whether the check that should complain does, and no other.
    pub fn is_right(&self) -> bool {
        let complaining: Vec<&str> = self.complaints.iter().map(|(check, _)| *check).collect();
        match self.planted.seen_by {
            SeenBy::Nothing => complaining.is_empty(),
            SeenBy::ConstantTime => complaining == [CONSTANT_TIME],
            SeenBy::TraceBounds => complaining == [BOUNDS],
            SeenBy::Coverage => complaining == [COVERAGE],
        }
    }
}

/// Judges every planted kernel by every check. `tracer` is one of the planted kernels. Where traces part is only told if it is to
/// be `explained`, which takes a run for each.
///
/// # Errors
/// If one cannot be judged.
pub fn judge_planted(tracer: &Tracer<'_>, explained: bool) -> Result<Vec<Seen>, String> {
    const SEED: u64 = 1;
    let architecture: Architecture = tracer.place.architecture;
    let expected = || PLANTED.iter().filter(|planted| planted.on.contains(&architecture));
    let there: Vec<&str> = tracer.kernels().collect();
    if let Some(missing) = expected().find(|planted| !there.contains(&planted.name)) {
        return Err(format!("the guest has no kernel {}", missing.name));
    }
    let disassembler = Disassembler::new(architecture)?;
    let code: Vec<(&'static Planted, Code)> =
        expected().map(|planted| Ok((planted, tracer.code(planted.name)?))).collect::<Result<_, String>>()?;
    let all: Vec<&Code> = code.iter().map(|(_, code)| code).collect();
    let arguments = || ["--trace", "planted", "--seed", "1"].map(OsString::from).to_vec();
    let (report, traced) = tracer.guest(arguments(), Wanted::Calls, &all, SEED)?;
    let (again, covered) = tracer.guest(arguments(), Wanted::Coverage, &all, SEED)?;
    if !report.is_good() || !again.is_good() {
        return Err(format!("the guest does not come to its end: {:?} {:?}", report.problems, again.problems));
    }
    code.iter()
        .map(|(planted, code)| {
            let subject = Subject {
                architecture,
                arguments: CONTRACT.arguments,
                stack: STACK,
                code,
                disassembler: &disassembler,
            };
            let cases = report.results.iter().find(|result| result.kernel == planted.name);
            let mut calls = traced.clone();
            calls.calls.retain(|record| record.call.entry == code.extent.address);
            subject.complete(&calls.calls, cases.map_or(0, |result| result.cases))?;
            let (kernel, algorithm, of, effort) = (planted.name, "planted", "planted", Effort::Quick);
            let (seed, case, known, has_empty_call) = (SEED, None, None, false);
            let trial = Trial { tracer, subject, kernel, algorithm, has_empty_call, of, effort, seed, case, known };
            let unequal = trial.subject.unequal(&calls.calls).map(|unequal| match explained {
                true => trial.explain(unequal).what,
                false => format!("traces of case {} differ with the secrets", unequal.case),
            });
            let said = |judged: Result<(), Finding>| judged.err().map(|finding| finding.what);
            let complaints = [
                (CONSTANT_TIME, said(trial.subject.variable_time(0)).or(unequal)),
                (BOUNDS, said(trial.subject.bounds(&calls.calls))),
                (COVERAGE, said(trial.subject.coverage(&covered.ran).map(|_| ()))),
            ];
            let complaints = complaints.into_iter().filter_map(|(check, what)| Some((check, what?))).collect();
            Ok(Seen { planted, complaints })
        })
        .collect()
}

/// Judges the planted kernels, and counts the defects that were seen.
///
/// # Errors
/// If a defect goes unseen or is seen by the wrong check, or a kernel without defect is accused.
pub fn see_planted_defects(tracer: &Tracer<'_>) -> Result<usize, String> {
    let place = &tracer.place;
    let seen = judge_planted(tracer, false).map_err(|what| format!("{place}: no trace can be trusted: {what}"))?;
    if let Some(wrong) = seen.iter().find(|seen| !seen.is_right()) {
        let Seen { planted, complaints } = wrong;
        let said = match complaints.as_slice() {
            [] => "no check complains".to_owned(),
            some => some.iter().map(|(check, what)| format!("{check} says {what}")).collect::<Vec<_>>().join("; "),
        };
        return Err(format!("{place}: no trace can be trusted: of {} {said}", planted.name));
    }
    Ok(seen.iter().filter(|seen| seen.planted.seen_by != SeenBy::Nothing).count())
}
