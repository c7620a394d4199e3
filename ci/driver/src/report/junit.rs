//! `junit.xml`: a suite per kernel, a case per check.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use vambrace_harness::event::Status;

use super::Run;
use crate::proofs;

/// The document.
pub(super) fn document(run: &Run<'_>) -> Result<String, String> {
    let mut report = Report::new("vambrace");
    report.set_time(run.checking);
    for kernel in &run.verdict.kernels {
        let name = format!("{}.{}", kernel.architecture, kernel.name);
        let mut suite = TestSuite::new(name.as_str());
        for (check, cell) in &kernel.checks {
            let status = match cell.status {
                Status::Pass => TestCaseStatus::success(),
                Status::Fail => {
                    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                    let failures: Vec<String> = cell.failures.iter().map(ToString::to_string).collect();
                    status.set_message(cell.failures.first().map_or("failed", |failure| failure.what.as_str()));
                    status.set_description(failures.join("\n\n"));
                    status
                }
                Status::None => {
                    let mut status = TestCaseStatus::skipped();
                    status.set_message(cell.reason.as_deref().unwrap_or("does not apply"));
                    status
                }
            };
            let mut case = TestCase::new(*check, status);
            case.set_classname(name.as_str());
            case.set_time(Duration::from_millis(cell.milliseconds));
            case.add_property(("seed", cell.seed.to_string().as_str()));
            case.add_property(("cases", cell.cases.to_string().as_str()));
            case.add_property(("cpus", cell.cpus.join(" ").as_str()));
            if let Some(proof) = kernel.proof.as_ref().filter(|_| *check == proofs::NAME) {
                case.add_property(("sha256_proved", proof.sha256.as_str()));
                case.add_property(("peak_memory_bytes", proof.peak_memory_bytes.to_string().as_str()));
                for hash in &kernel.ran_sha256 {
                    case.add_property(("sha256_run", hash.as_str()));
                }
            }
            suite.add_test_case(case);
        }
        report.add_test_suite(suite);
    }
    if !run.verdict.problems.is_empty() {
        let mut suite = TestSuite::new("run");
        for problem in &run.verdict.problems {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(problem.as_str());
            suite.add_test_case(TestCase::new("guests", status));
        }
        report.add_test_suite(suite);
    }
    report.to_string().map_err(|error| error.to_string())
}
