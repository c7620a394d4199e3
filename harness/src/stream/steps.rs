//! What happens to a running stream cipher, step by step.

use proptest::collection::vec;
use proptest::prelude::any;
use proptest::prop_oneof;
use proptest::strategy::{BoxedStrategy, Just, Strategy};

use super::Trial;
use super::setup::{Setup, applied, applied_to, compare_position, end, seek};
use crate::message::{Length, around_multiples};
use crate::refusal::switched;
use crate::subject::RunningStream;
use crate::trial::{Wrong, same, shown};

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// So many bytes in place.
    Apply(usize),
    /// So many bytes from buffer to buffer.
    ApplyTo(usize),
    /// Goes on with a clone. The original takes other bytes.
    MoveToClone,
    /// Makes a clone that takes other bytes. Goes on with the original.
    LeaveClone,
    /// Goes to a position.
    Seek(u128),
    /// Goes forwards or back by so many bytes, to the beginning at most.
    SeekBy(i64),
    /// Goes on with the tier of this index (modulo their number).
    SwitchTier(usize),
}

impl Step {
    /// The step in words.
    fn describe(&self, tiers: &[String]) -> String {
        match self {
            Step::Apply(length) => format!("apply {length}"),
            Step::ApplyTo(length) => format!("apply_to {length}"),
            Step::MoveToClone => "go on with a clone".to_owned(),
            Step::LeaveClone => "leave a clone behind".to_owned(),
            Step::Seek(position) => format!("seek {position}"),
            Step::SeekBy(distance) => format!("seek by {distance:+}"),
            Step::SwitchTier(index) => {
                let tier = index.checked_rem(tiers.len()).map_or("none", |index| &tiers[index]);
                format!("switch to {tier}")
            }
        }
    }
}

/// The length of a part: a third short (often empty), a third around a few blocks, a third of many blocks.
fn part_length(block: usize) -> impl Strategy<Value = usize> {
    Length(prop_oneof![
        prop_oneof![1 => Just(0), 3 => 0..=block / 4],
        prop_oneof![block / 4..=3 * block, around_multiples(block, 3)],
        prop_oneof![3 * block..=20 * block, around_multiples(block, 20)],
    ])
}

/// Data alone.
pub(super) fn parts(block: usize) -> BoxedStrategy<Step> {
    prop_oneof![
        2 => part_length(block).prop_map(Step::Apply),
        1 => part_length(block).prop_map(Step::ApplyTo),
    ]
    .boxed()
}

/// Clones.
pub(super) fn clones() -> BoxedStrategy<Step> {
    prop_oneof![Just(Step::MoveToClone), Just(Step::LeaveClone)].boxed()
}

/// Positions from which a script does not reach the end: near the beginning, at any distance, and before carries of the
/// counter.
pub(super) fn positions(block: usize) -> BoxedStrategy<u128> {
    let bytes = block as u128;
    let before_a_carry =
        (3..64u32, 0..=12 * bytes).prop_map(move |(power, before)| (bytes << power).saturating_sub(before));
    prop_oneof![
        3 => 0..=4 * bytes,
        3 => 0..=40 * bytes,
        1 => (0..=40 * bytes).prop_map(move |position| position / bytes * bytes),
        1 => any::<u64>().prop_map(move |number| u128::from(number >> 1) * bytes / 3),
        2 => before_a_carry,
    ]
    .boxed()
}

/// Seeks.
pub(super) fn seeks(block: usize) -> BoxedStrategy<Step> {
    let far = 3 * block as i64;
    prop_oneof![
        3 => positions(block).prop_map(Step::Seek),
        2 => (-far..=far).prop_map(Step::SeekBy),
    ]
    .boxed()
}

/// Some steps, and how they are looked at.
pub(super) fn scripts(step: impl Strategy<Value = Step>, look: Look) -> impl Strategy<Value = (Vec<Step>, Look)> {
    (vec(step, 1..=10), Just(look))
}

/// What is compared beside the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// Nothing.
    Data,
    /// After each step the position.
    Position,
    /// After each step the position, and what a clone continues with.
    WhatFollows,
}

/// How many bytes some steps take.
fn total(steps: &[Step]) -> usize {
    let bytes = |step: &Step| match step {
        Step::Apply(length) | Step::ApplyTo(length) => *length,
        _ => 0,
    };
    steps.iter().map(bytes).sum()
}

/// What a clone is fed, to see whether it is one.
const OTHER_BYTES: [u8; 77] = [0xa7; 77];

/// The script that belongs to the case, and if something is wrong the shortest that shows it.
pub(super) fn property(
    trial: &Trial<'_>,
    case: u64,
    scripts: &impl Strategy<Value = (Vec<Step>, Look)>,
    beginning: u128,
) -> Result<u64, Wrong> {
    let setup = Setup::of_case(trial, case);
    trial.script(case, scripts, |steps, look| {
        play(trial, &setup, beginning, &trial.bytes(!case, total(steps)), steps, look)
    })
}

/// Takes the steps with the bytes of `data` in order, and compares. Answers how many comparisons there were.
fn play(
    trial: &Trial<'_>,
    setup: &Setup,
    beginning: u128,
    data: &[u8],
    steps: &[Step],
    look: Look,
) -> Result<u64, Wrong> {
    let running = if beginning == 0 { setup.start(trial)? } else { setup.at(trial, beginning)? };
    let mut player = Player { trial, setup, running, position: beginning, data, compared: 0 };
    let tiers = trial.subject.tiers();
    for (index, step) in steps.iter().enumerate() {
        player.take(step, look).map_err(|wrong| {
            let words: Vec<String> = steps[..=index].iter().map(|step| step.describe(&tiers)).collect();
            let data = shown(&data[..total(&steps[..=index])]);
            let from = if beginning == 0 { String::new() } else { format!("from {beginning} on, ") };
            wrong.input(format!("{from}{}: {data}; {setup}", words.join(", ")))
        })?;
    }
    Ok(player.compared)
}

struct Player<'a> {
    trial: &'a Trial<'a>,
    setup: &'a Setup,
    running: Box<dyn RunningStream>,
    position: u128,
    data: &'a [u8],
    compared: u64,
}

impl<'a> Player<'a> {
    fn take(&mut self, step: &Step, look: Look) -> Result<(), Wrong> {
        match step {
            Step::Apply(length) => self.apply(*length, applied)?,
            Step::ApplyTo(length) => self.apply(*length, applied_to)?,
            Step::MoveToClone => {
                let clone = self.running.boxed_clone();
                let original = std::mem::replace(&mut self.running, clone);
                self.other_bytes(original, "the original of a clone")?;
            }
            Step::LeaveClone => self.other_bytes(self.running.boxed_clone(), "a clone")?,
            Step::Seek(position) => self.seek(*position)?,
            Step::SeekBy(distance) => {
                self.seek(self.position.saturating_add_signed((*distance).into()))?;
            }
            Step::SwitchTier(index) => {
                let tiers = self.trial.subject.tiers();
                if let Some(tier) = index.checked_rem(tiers.len()).map(|index| &tiers[index]) {
                    switched(tier, self.running.switch_tier(tier))?;
                }
            }
        }
        if look != Look::Data {
            compare_position(self.position, &*self.running, "after a step")?;
            self.compared += 1;
        }
        if look == Look::WhatFollows {
            let mut clone = self.running.boxed_clone();
            self.setup.continues(self.trial, &mut *clone, self.position, "after a step")?;
            self.compared += 1;
        }
        Ok(())
    }

    fn seek(&mut self, position: u128) -> Result<(), Wrong> {
        // Scripts end long before the key stream does.
        let position = position.min(end(self.trial.oracle) - (1 << 20));
        seek(&mut *self.running, position)?;
        self.position = position;
        Ok(())
    }

    fn apply(
        &mut self,
        length: usize,
        apply: impl Fn(&mut dyn RunningStream, &[u8]) -> Result<Vec<u8>, Wrong>,
    ) -> Result<(), Wrong> {
        let (part, rest) = self.data.split_at(length);
        self.data = rest;
        let actual = apply(&mut *self.running, part)?;
        let expected = self.setup.expected(self.trial, self.position, part);
        same(|| format!("{length} bytes at position {} are wrong", self.position), &expected, &actual)?;
        self.position += length as u128;
        self.compared += 1;
        Ok(())
    }

    fn other_bytes(&mut self, mut running: Box<dyn RunningStream>, which: &str) -> Result<(), Wrong> {
        let expected = self.setup.expected(self.trial, self.position, &OTHER_BYTES);
        same(|| format!("what {which} makes of data is wrong"), &expected, &applied(&mut *running, &OTHER_BYTES)?)?;
        self.compared += 1;
        Ok(())
    }
}
