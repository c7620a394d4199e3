//! Runs of checks on subjects with planted defects.

use vambrace_harness::{Budget, Context, Failure, Outcome};

/// Every defect is looked for with each of these seeds; with one of them where tests run in an emulator.
pub const SEEDS: &[u64] = if cfg!(target_arch = "x86_64") { &[1, 0x5eed, u64::MAX] } else { &[7] };

/// A quick run with a seed, of which the replay line is known.
pub fn context(seed: u64) -> Context {
    let mut context = Context::new(Budget::Quick, seed);
    context.replay_command = "ci/verify --replay".to_owned();
    context.place = "here".to_owned();
    context
}

/// The check fires with every seed, says what it must, and fires again when its case is replayed.
#[track_caller]
pub fn fires(name: &str, check: &str, run: impl Fn(&Context) -> Outcome) {
    for &seed in SEEDS {
        let failure = match run(&context(seed)) {
            Outcome::Fail(failure) => failure,
            other => panic!("{check} does not fire on {name} with seed {seed}: {other:?}"),
        };
        says_what_it_must(name, check, seed, &failure);

        let mut replayed = context(seed);
        replayed.only_case = Some(failure.case);
        match run(&replayed) {
            Outcome::Fail(again) => assert_eq!(again.case, failure.case),
            other => panic!("{check} does not fire again: {other:?}\n{failure}"),
        }
    }
}

#[track_caller]
fn says_what_it_must(name: &str, check: &str, seed: u64, failure: &Failure) {
    assert_eq!((failure.subject.as_str(), failure.check.as_str(), failure.seed), (name, check, seed));
    assert_eq!(failure.replay, format!("ci/verify --replay here:{name}:{check}:{seed}:{}", failure.case));
    assert!(!failure.what.is_empty());
    assert_ne!(failure.expected.is_some(), failure.expected == failure.actual, "what differs is shown\n{failure}");
}
