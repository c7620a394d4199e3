//! A check at work on a subject: numbered cases, their random numbers, shrinking, and the verdict.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::ops::Range;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use crate::{Context, Failure, Outcome};

/// How many simpler inputs are tried on the way to the smallest failing one.
const SHRINKING_STEPS: usize = 1000;

/// What is wrong with a subject, before it is known which case of which check found it.
#[derive(Clone, Debug)]
pub(crate) struct Wrong {
    what: String,
    input: String,
    compared: Option<(Vec<u8>, Vec<u8>)>,
}

impl Wrong {
    pub(crate) fn new(what: impl Into<String>) -> Wrong {
        Wrong { what: what.into(), input: String::new(), compared: None }
    }

    #[must_use]
    pub(crate) fn input(mut self, input: impl Into<String>) -> Wrong {
        self.input = input.into();
        self
    }

    #[must_use]
    pub(crate) fn compared(mut self, expected: &[u8], actual: &[u8]) -> Wrong {
        self.compared = Some((expected.to_vec(), actual.to_vec()));
        self
    }
}

/// Nothing, or what differs.
pub(crate) fn same(what: impl FnOnce() -> String, expected: &[u8], actual: &[u8]) -> Result<(), Wrong> {
    if expected == actual { Ok(()) } else { Err(Wrong::new(what()).compared(expected, actual)) }
}

/// Bytes for a reader: all of them if they are few, else how they begin and end.
pub(crate) fn shown(bytes: &[u8]) -> String {
    const FEW: usize = 160;
    match bytes.len() {
        0 => "nothing".to_owned(),
        1..=FEW => hex::encode(bytes),
        length => format!("{length} bytes {}…{}", hex::encode(&bytes[..8]), hex::encode(&bytes[length - 8..])),
    }
}

/// What every subject says of itself.
pub(crate) trait Named {
    /// Its name.
    fn name(&self) -> &str;
    /// The algorithm, by which oracles and vectors are chosen.
    fn algorithm(&self) -> &str;
}

/// What every oracle says of itself.
pub(crate) trait Answers {
    /// The algorithm.
    fn algorithm(&self) -> &str;
}

/// A check at work on a subject.
pub(crate) struct Trial<'a, S: ?Sized, O: ?Sized> {
    check: &'static str,
    pub(crate) subject: &'a S,
    pub(crate) oracle: &'a O,
    context: &'a Context,
}

impl<S: ?Sized, O: ?Sized> Clone for Trial<'_, S, O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: ?Sized, O: ?Sized> Copy for Trial<'_, S, O> {}

impl<'a, S: Named + ?Sized, O: Answers + ?Sized> Trial<'a, S, O> {
    pub(crate) fn new(check: &'static str, subject: &'a S, oracle: &'a O, context: &'a Context) -> Self {
        Trial { check, subject, oracle, context }
    }

    /// The random numbers of a case.
    pub(crate) fn rng(&self, case: u64) -> ChaCha8Rng {
        self.context.rng(self.subject.name(), self.check, case)
    }

    /// Random bytes of a case. Fewer of them are a prefix of more.
    pub(crate) fn bytes(&self, case: u64, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        self.rng(case).fill_bytes(&mut bytes);
        bytes
    }

    /// The cases from `first` on: so many in a quick run, so many in a full one; or the one to be replayed, if it is
    /// among them.
    pub(crate) fn cases(&self, first: u64, quick: u64, full: u64) -> Range<u64> {
        let here = first..first + full.max(quick);
        let Range { start, end } = match self.context.only_case {
            Some(case) if here.contains(&case) => case..case + 1,
            Some(_) => first..first,
            None => {
                let Range { start, end } = self.context.cases(quick, full);
                first + start..first + end
            }
        };
        start..end
    }

    /// The cases of published vectors, so many from `first` on, that are taken.
    pub(crate) fn published(&self, first: u64, count: usize) -> impl Iterator<Item = u64> {
        self.cases(first, count as u64, count as u64).filter(move |case| self.context.takes(case - first))
    }

    /// Whether this is a quick run, or the replay of a case, which may come from any run.
    pub(crate) fn includes(&self, in_quick_runs: bool) -> bool {
        in_quick_runs || self.context.only_case.is_some() || self.context.budget != crate::Budget::Quick
    }

    /// Whether to run this case, in an enumeration of them.
    pub(crate) fn selects(&self, case: u64) -> bool {
        self.context.only_case.is_none_or(|only| only == case)
    }

    /// Runs cases until one shows something wrong. `each` answers how many comparisons it made: 0 if the case does not
    /// apply to the subject. When none applies the verdict is `missing`.
    ///
    /// A panic of the subject is something wrong.
    pub(crate) fn judge(
        &self,
        cases: impl IntoIterator<Item = u64>,
        missing: &str,
        mut each: impl FnMut(u64) -> Result<u64, Wrong>,
    ) -> Outcome {
        if self.subject.algorithm() != self.oracle.algorithm() {
            let (asked, given) = (self.subject.algorithm(), self.oracle.algorithm());
            return self.failure(0, Wrong::new(format!("the oracle is for {given}, the subject for {asked}")));
        }
        let mut compared = 0;
        let mut ran = false;
        for case in cases {
            ran = true;
            match attempt(|| each(case)) {
                Ok(count) => compared += count,
                Err(wrong) => return self.failure(case, wrong),
            }
        }
        match (compared, self.context.only_case) {
            (0, Some(case)) if !ran => Outcome::None { reason: format!("the check has no case {case}") },
            (0, _) => Outcome::None { reason: missing.to_owned() },
            (cases, _) => Outcome::Pass { cases, left_out: Vec::new() },
        }
    }

    fn failure(&self, case: u64, wrong: Wrong) -> Outcome {
        let mut failure =
            Failure::new(self.context, self.subject.name(), self.check, case, wrong.what).input(wrong.input);
        if let Some((expected, actual)) = wrong.compared {
            failure = failure.compared(&expected, &actual);
        }
        failure.into()
    }

    /// Tries one value of a strategy, the one that belongs to the case; if something is wrong, looks for the simplest
    /// value that shows it.
    pub(crate) fn property<V: Strategy>(
        &self,
        case: u64,
        strategy: &V,
        test: impl Fn(&V::Value) -> Result<u64, Wrong>,
    ) -> Result<u64, Wrong> {
        self.simplest(case, strategy, test).map_err(|(_, wrong)| wrong)
    }

    /// As [`property`](Trial::property), with the value itself.
    pub(crate) fn simplest<V: Strategy>(
        &self,
        case: u64,
        strategy: &V,
        test: impl Fn(&V::Value) -> Result<u64, Wrong>,
    ) -> Result<u64, (Option<V::Value>, Wrong)> {
        let mut seed = [0; 32];
        self.rng(case).fill_bytes(&mut seed);
        let config = Config { failure_persistence: None, source_file: None, ..Config::default() };
        let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
        let mut tree = match strategy.new_tree(&mut runner) {
            Ok(tree) => tree,
            Err(reason) => return Err((None, Wrong::new(format!("the check cannot make its input: {reason}")))),
        };
        let value = tree.current();
        let mut simplest = match attempt(|| test(&value)) {
            Ok(compared) => return Ok(compared),
            Err(wrong) => (Some(value), wrong),
        };
        let mut simpler = tree.simplify();
        for _ in 0..SHRINKING_STEPS {
            if !simpler {
                break;
            }
            let value = tree.current();
            simpler = match attempt(|| test(&value)) {
                Err(wrong) => {
                    simplest = (Some(value), wrong);
                    tree.simplify()
                }
                Ok(_) => tree.complicate(),
            };
        }
        Err(simplest)
    }

    /// As [`property`](Trial::property), for steps that are taken in a certain way; if something is wrong, steps that are not
    /// needed to show it are left out.
    pub(crate) fn script<T: Clone + fmt::Debug, L: Copy + fmt::Debug>(
        &self,
        case: u64,
        scripts: &impl Strategy<Value = (Vec<T>, L)>,
        test: impl Fn(&[T], L) -> Result<u64, Wrong>,
    ) -> Result<u64, Wrong> {
        match self.simplest(case, scripts, |(steps, look)| test(steps, *look)) {
            Ok(compared) => Ok(compared),
            Err((None, wrong)) => Err(wrong),
            Err((Some((mut steps, look)), mut wrong)) => {
                // What was needed while the parts were longer may be needed no more.
                let mut index = steps.len();
                while index > 0 {
                    index -= 1;
                    let mut fewer = steps.clone();
                    fewer.remove(index);
                    if let Err(still) = attempt(|| test(&fewer, look)) {
                        wrong = still;
                        index = fewer.len();
                        steps = fewer;
                    }
                }
                Err(wrong)
            }
        }
    }
}

thread_local! {
    static WATCHED: Cell<bool> = const { Cell::new(false) };
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs a case; a panic becomes something wrong, and is not printed since the same case panics again and again while its
/// input is shrunk. Panics elsewhere in the process are reported as ever.
pub(crate) fn attempt(case: impl FnOnce() -> Result<u64, Wrong>) -> Result<u64, Wrong> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if WATCHED.get() {
                PANIC.set(Some(info.to_string()));
            } else {
                usual(info);
            }
        }));
    });
    let watched = WATCHED.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(case));
    WATCHED.set(watched);
    result.unwrap_or_else(|_| {
        let panic = PANIC.take().unwrap_or_default();
        Err(Wrong::new(panic.split_whitespace().collect::<Vec<_>>().join(" ")))
    })
}
