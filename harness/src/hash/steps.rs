//! What happens to a running hash, step by step.

use proptest::collection::vec;
use proptest::prop_oneof;
use proptest::strategy::{BoxedStrategy, Just, Strategy};

use super::Trial;
use super::expected::Expected;
use crate::message::{Length, around_multiples};
use crate::refusal::switched;
use crate::subject::{HashSubject, RunningHash};
use crate::trial::{Wrong, same, shown};

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// So many more bytes.
    Update(usize),
    /// So many more bytes, by `try_update` where the subject has it.
    TryUpdate(usize),
    /// Goes on with a clone. The original takes other bytes and is finished.
    MoveToClone,
    /// Makes a clone that takes other bytes and is finished. Goes on with the original.
    LeaveClone,
    /// Begins again.
    Reset,
    /// Takes the digest and begins again.
    FinalizeReset,
    /// Exports the state and goes on with what imports it, where the subject can.
    ExportImport,
    /// Goes on with the tier of this index (modulo their number).
    SwitchTier(usize),
}

impl Step {
    /// The step in words.
    fn describe(&self, tiers: &[String]) -> String {
        match self {
            Step::Update(length) => format!("update {length}"),
            Step::TryUpdate(length) => format!("try_update {length}"),
            Step::MoveToClone => "go on with a clone".to_owned(),
            Step::LeaveClone => "leave a clone behind".to_owned(),
            Step::Reset => "reset".to_owned(),
            Step::FinalizeReset => "finalize_reset".to_owned(),
            Step::ExportImport => "export and import".to_owned(),
            Step::SwitchTier(index) => {
                let tier = index.checked_rem(tiers.len()).map_or("none", |index| &tiers[index]);
                format!("switch to {tier}")
            }
        }
    }
}

/// The length of a part: a third short (often empty), a third around a few blocks, a third of many blocks.
pub(super) fn part_length(block: usize) -> impl Strategy<Value = usize> {
    Length(prop_oneof![
        prop_oneof![1 => Just(0), 3 => 0..=block / 4],
        prop_oneof![block / 4..=3 * block, around_multiples(block, 3)],
        prop_oneof![3 * block..=20 * block, around_multiples(block, 20)],
    ])
}

/// Updates alone.
pub(super) fn updates(block: usize) -> BoxedStrategy<Step> {
    prop_oneof![
        4 => part_length(block).prop_map(Step::Update),
        1 => part_length(block).prop_map(Step::TryUpdate),
    ]
    .boxed()
}

/// What can happen to a running hash between its parts, tiers aside.
pub(super) fn turns() -> BoxedStrategy<Step> {
    prop_oneof![
        2 => Just(Step::MoveToClone),
        2 => Just(Step::LeaveClone),
        2 => Just(Step::ExportImport),
        1 => Just(Step::FinalizeReset),
        1 => Just(Step::Reset),
    ]
    .boxed()
}

/// Some steps, and whether to look at the digest after each.
pub(super) fn scripts(step: impl Strategy<Value = Step>) -> impl Strategy<Value = (Vec<Step>, Look)> {
    (vec(step, 1..=10), prop_oneof![Just(Look::AtTheEnd), Just(Look::AfterEachStep)])
}

/// When the digest is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// Of the hash itself, after the last step.
    AtTheEnd,
    /// Of a clone too, after each step.
    AfterEachStep,
    /// The chaining value, after each step.
    AtTheChainingValue,
}

/// How many bytes some steps take.
fn total(steps: &[Step]) -> usize {
    let bytes = |step: &Step| match step {
        Step::Update(length) | Step::TryUpdate(length) => *length,
        _ => 0,
    };
    steps.iter().map(bytes).sum()
}

/// What a clone is fed, to see whether it is one.
const OTHER_BYTES: [u8; 77] = [0xa7; 77];

/// A message at its beginning, or in the middle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beginning<'a> {
    pub(super) state: &'a [u8],
    pub(super) count: u128,
}

/// The script that belongs to the case, and if something is wrong the shortest that shows it.
pub(super) fn property(
    trial: &Trial<'_>,
    case: u64,
    scripts: &impl Strategy<Value = (Vec<Step>, Look)>,
    beginning: Option<Beginning<'_>>,
) -> Result<u64, Wrong> {
    trial.script(case, scripts, |steps, look| play(trial, beginning, &trial.bytes(case, total(steps)), steps, look))
}

/// Takes the steps with the bytes of `data` in order, and compares. Answers how many comparisons there were: none if the
/// subject does not offer the beginning, or the algorithm does not allow so long a message.
fn play(
    trial: &Trial<'_>,
    beginning: Option<Beginning<'_>>,
    data: &[u8],
    steps: &[Step],
    look: Look,
) -> Result<u64, Wrong> {
    let Trial { subject, oracle, .. } = *trial;
    let (running, expected) = match beginning {
        None => (subject.start(), Expected::start(oracle)),
        Some(Beginning { state, count }) => match subject.start_from(state, count) {
            Some(running) if oracle.digest_from(state, count, data).is_some() => {
                (running, Expected::from(oracle, state, count))
            }
            _ => return Ok(0),
        },
    };
    let mut player = Player { trial, running, expected, data, compared: 0 };
    for (index, step) in steps.iter().enumerate() {
        player.take(step, look).map_err(|wrong| describe(subject, wrong, beginning, &steps[..=index], data))?;
    }
    player.end().map_err(|wrong| describe(subject, wrong, beginning, steps, data))
}

/// Says what led there.
fn describe(
    subject: &dyn HashSubject,
    wrong: Wrong,
    beginning: Option<Beginning<'_>>,
    steps: &[Step],
    data: &[u8],
) -> Wrong {
    let tiers = subject.tiers();
    let mut input = steps.iter().map(|step| step.describe(&tiers)).collect::<Vec<_>>().join(", ");
    input = format!("{input}: {}", shown(&data[..total(steps)]));
    if let Some(Beginning { state, count }) = beginning {
        input = format!("from chaining value {} after {count} bytes: {input}", hex::encode(state));
    }
    wrong.input(input)
}

struct Player<'a> {
    trial: &'a Trial<'a>,
    running: Box<dyn RunningHash>,
    expected: Expected<'a>,
    data: &'a [u8],
    compared: u64,
}

impl<'a> Player<'a> {
    fn take(&mut self, step: &Step, look: Look) -> Result<(), Wrong> {
        let subject = self.trial.subject;
        match step {
            Step::Update(length) => {
                let part = self.part(*length);
                self.running.update(part);
                self.expected.update(part);
            }
            Step::TryUpdate(length) => {
                let part = self.part(*length);
                match self.running.try_update(part) {
                    Some(Ok(())) => {}
                    Some(Err(error)) => return Err(Wrong::new(format!("try_update refuses: {error}"))),
                    None => self.running.update(part),
                }
                self.expected.update(part);
            }
            Step::MoveToClone => {
                let clone = self.running.boxed_clone();
                let original = std::mem::replace(&mut self.running, clone);
                self.finish_with_other_bytes(original, "the original of a clone")?;
            }
            Step::LeaveClone => self.finish_with_other_bytes(self.running.boxed_clone(), "a clone")?,
            Step::Reset => {
                self.running.reset();
                self.expected.restart();
            }
            Step::FinalizeReset => {
                let digest = self.running.finalize_reset();
                self.compared += compare_digest(&self.expected, &digest, "finalize_reset")?;
                self.expected.restart();
            }
            Step::ExportImport => {
                if let Some(state) = self.running.export() {
                    match subject.import(&state) {
                        Some(Ok(running)) => self.running = running,
                        Some(Err(error)) => {
                            return Err(Wrong::new(format!("import refuses what was exported: {error}")));
                        }
                        None => return Err(Wrong::new("a state can be exported but not imported")),
                    }
                }
            }
            Step::SwitchTier(index) => {
                let tiers = subject.tiers();
                if let Some(tier) = index.checked_rem(tiers.len()).map(|index| &tiers[index]) {
                    switched(tier, self.running.switch_tier(tier))?;
                }
            }
        }
        match look {
            Look::AtTheEnd => Ok(()),
            Look::AfterEachStep => {
                let digest = self.running.boxed_clone().finalize();
                self.compared += compare_digest(&self.expected, &digest, "the message so far")?;
                Ok(())
            }
            Look::AtTheChainingValue => {
                self.compared += u64::from(compare_chaining_value(&self.expected, &*self.running)?);
                Ok(())
            }
        }
    }

    fn part(&mut self, length: usize) -> &'a [u8] {
        let (part, rest) = self.data.split_at(length);
        self.data = rest;
        part
    }

    fn finish_with_other_bytes(&mut self, mut running: Box<dyn RunningHash>, what: &str) -> Result<(), Wrong> {
        let mut expected = self.expected.clone();
        expected.update(&OTHER_BYTES);
        running.update(&OTHER_BYTES);
        self.compared += compare_digest(&expected, &running.finalize(), what)?;
        Ok(())
    }

    fn end(self) -> Result<u64, Wrong> {
        Ok(self.compared + compare_digest(&self.expected, &self.running.finalize(), "the message")?)
    }
}

/// Answers how many comparisons there were: beyond the length that the algorithm allows there is nothing to compare with.
fn compare_digest(expected: &Expected<'_>, actual: &[u8], of: &str) -> Result<u64, Wrong> {
    let Some(digest) = expected.digest() else { return Ok(0) };
    same(|| format!("the digest of {of} is wrong"), &digest, actual)?;
    Ok(1)
}

/// Compares what the subject hands back, if it does.
pub(super) fn compare_chaining_value(expected: &Expected<'_>, running: &dyn RunningHash) -> Result<bool, Wrong> {
    let Some((state, count)) = running.chaining_value() else { return Ok(false) };
    let (expected_state, expected_count) = expected.chaining_value();
    same(|| "the chaining value is wrong".to_owned(), expected_state, &state)?;
    if count != expected_count {
        let what = format!("the number of message bytes is wrong: {expected_count} is expected, {count} is answered");
        return Err(Wrong::new(what));
    }
    Ok(true)
}
