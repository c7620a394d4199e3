//! The machine-level checks on subjects made for them: correct ones pass every check, and each defect is found by the check
//! that looks for it, with words that say what it is.

#![cfg_attr(not(any(target_arch = "aarch64", target_arch = "arm")), allow(dead_code, unused_imports))]

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(target_arch = "arm")]
mod arm;
mod contracts;

use vambrace_contract::{Architecture, Clears, Contract, Kernel, Tier};
use vambrace_harness::machine::CHECKS;
use vambrace_harness::{Budget, Context, Failure, Outcome};

const SEED: u64 = 0x7ea5_ed0f;

/// A subject without code.
const fn subject(name: &'static str, contract: &'static Contract, stack: usize) -> Kernel {
    Kernel {
        name,
        architecture: match Architecture::current() {
            Some(architecture) => architecture,
            None => Architecture::Arm,
        },
        tier: Tier::Scalar,
        variant: "scalar",
        lanes: 1,
        contract,
        features: &[],
        stack,
        layout: &[],
        clears: Clears::ALL,
        entry: None,
    }
}

fn context() -> Context {
    let mut context = Context::new(Budget::Quick, SEED);
    context.replay_command = "replay".into();
    context
}

fn outcome(kernel: &Kernel, check: &str) -> Outcome {
    let check = CHECKS.iter().find(|c| c.name == check).unwrap_or_else(|| panic!("there is no check {check}"));
    (check.run)(kernel, &context())
}

/// The kernel passes every check, but for those that do not apply to it.
#[track_caller]
fn passes(kernel: &Kernel, inapplicable: &[&str]) {
    for check in CHECKS {
        match outcome(kernel, check.name) {
            Outcome::Pass { cases, .. } => {
                assert!(!inapplicable.contains(&check.name), "{} applies to {}", check.name, kernel.name);
                assert!(cases >= 10, "{} tried {cases} cases on {}", check.name, kernel.name);
            }
            Outcome::Fail(failure) => panic!("{failure}"),
            Outcome::None { reason } => {
                assert!(
                    inapplicable.contains(&check.name),
                    "{} does not apply to {}: {reason}",
                    check.name,
                    kernel.name
                );
            }
        }
    }
}

/// The check finds a defect and says so in these words; the failure can be replayed.
#[track_caller]
fn finds(kernel: &Kernel, check: &str, words: &[&str]) {
    let failure = match outcome(kernel, check) {
        Outcome::Fail(failure) => failure,
        other => panic!("{check} finds nothing wrong with {}: {other:?}", kernel.name),
    };
    for word in words {
        assert!(failure.what.contains(word), "{check} of {} should say {word:?}: {failure}", kernel.name);
    }
    let Failure { subject, check: found_by, seed, case, replay, .. } = &*failure;
    assert_eq!((subject.as_str(), found_by.as_str(), *seed), (kernel.name, check, SEED));
    assert_eq!(*replay, format!("replay {subject}:{check}:{SEED}:{case}"));

    let mut again = context();
    again.only_case = Some(*case);
    let check = CHECKS.iter().find(|c| c.name == check).expect("it was found above");
    let Outcome::Fail(second) = (check.run)(kernel, &again) else { panic!("the case alone passes: {failure}") };
    for word in words {
        assert!(second.what.contains(word), "replayed, it should still say {word:?}: {second}");
    }
}

#[test]
fn checks_have_different_names() {
    let mut names: Vec<_> = CHECKS.iter().map(|check| check.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), CHECKS.len());
}

#[test]
fn a_kernel_without_code_is_not_checked() {
    let kernel = subject("nothing", &contracts::FOLD, 0);
    for check in CHECKS {
        assert!(matches!((check.run)(&kernel, &context()), Outcome::None { .. }), "{}", check.name);
    }
}

#[test]
fn a_kernel_of_another_architecture_is_not_checked() {
    let other = Architecture::ALL.into_iter().find(|&a| Some(a) != Architecture::current()).expect("there are two");
    let kernel = Kernel { architecture: other, entry: Some(nothing), ..subject("foreign", &contracts::FOLD, 0) };
    for check in CHECKS {
        match (check.run)(&kernel, &context()) {
            Outcome::None { reason } => assert!(reason.contains(other.name()), "{reason}"),
            other => panic!("{}: {other:?}", check.name),
        }
    }
}

unsafe extern "C" fn nothing() {}

#[cfg(any(target_arch = "aarch64", target_arch = "arm"))]
#[test]
fn a_contract_that_contradicts_itself_is_a_failure() {
    let kernel = Kernel { entry: Some(nothing), ..subject("odd", &contracts::CONTRADICTION, 0) };
    finds_at_once(&kernel, "argument 0 refers to argument 7");
    let kernel = Kernel { entry: Some(nothing), ..subject("layout", &contracts::UNKNOWN_LAYOUT, 0) };
    finds_at_once(&kernel, "`keys` has no size");
}

#[cfg(any(target_arch = "aarch64", target_arch = "arm"))]
#[track_caller]
fn finds_at_once(kernel: &Kernel, words: &str) {
    for check in CHECKS {
        match (check.run)(kernel, &context()) {
            Outcome::Fail(failure) => assert!(failure.what.contains(words), "{failure}"),
            other => panic!("{}: {other:?}", check.name),
        }
    }
}

/// A naked function of assembly lines, as an entry point.
#[cfg(any(target_arch = "aarch64", target_arch = "arm"))]
macro_rules! code {
    ($($line:expr),* $(,)?) => {{
        #[unsafe(naked)]
        unsafe extern "C" fn entry() {
            core::arch::naked_asm!($($line),*)
        }
        Some(entry as vambrace_contract::EntryPoint)
    }};
}
#[cfg(any(target_arch = "aarch64", target_arch = "arm"))]
use code;
