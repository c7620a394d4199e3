//! Data units one after the other under one key.

use proptest::collection::vec;
use proptest::prelude::any;
use proptest::prop_oneof;
use proptest::strategy::{BoxedStrategy, Just, Strategy};

use super::Trial;
use super::setup::{Keys, chosen, crypted, crypted_to};
use crate::message;
use crate::refusal::switched;
use crate::subject::KeyedXts;
use crate::trial::{Wrong, same, shown};

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A data unit of so many bytes, and a block more.
    Unit {
        /// In place, or from buffer to buffer.
        in_place: bool,
        decrypt: bool,
        /// Which of a few tweaks.
        tweak: u8,
        length: usize,
    },
    /// Goes on with a clone; the original is dropped.
    MoveToClone,
    /// Goes on with the tier of this index (modulo their number).
    SwitchTier(usize),
}

/// Data units.
pub(super) fn units(block: usize) -> BoxedStrategy<Step> {
    (any::<bool>(), any::<bool>(), 0..3u8, message::length(block))
        .prop_map(|(in_place, decrypt, tweak, length)| Step::Unit { in_place, decrypt, tweak, length })
        .boxed()
}

/// Data units, and tiers of that many to switch to.
pub(super) fn units_and_tiers(block: usize, tiers: usize) -> BoxedStrategy<Step> {
    prop_oneof![
        4 => units(block),
        4 => any::<usize>().prop_map(move |tier| Step::SwitchTier(tier % tiers.max(1))),
        1 => Just(Step::MoveToClone),
    ]
    .boxed()
}

/// The script that belongs to the case, and if something is wrong the shortest that shows it.
pub(super) fn property(trial: &Trial<'_>, case: u64, step: impl Strategy<Value = Step>) -> Result<u64, Wrong> {
    let keys = Keys::of_case(trial, case);
    let scripts = (vec(step, 1..=8), Just(()));
    trial.script(case, &scripts, |steps, ()| {
        let mut keyed = keys.keyed(trial)?;
        let mut words = Vec::new();
        let mut compared = 0;
        for (index, step) in steps.iter().enumerate() {
            words.push(describe(trial, step));
            compared += take(trial, case, &keys, &mut keyed, step).map_err(|wrong| {
                let data = data(trial, case, step).map_or(String::new(), |(_, data)| format!(": {}", shown(&data)));
                wrong.input(format!("{}{data}; step {}; {keys}", words.join(", "), index + 1))
            })?;
        }
        Ok(compared)
    })
}

fn describe(trial: &Trial<'_>, step: &Step) -> String {
    match step {
        Step::Unit { in_place, decrypt, tweak, length } => format!(
            "{} bytes {} {} under tweak {tweak}",
            length + trial.oracle.block_bytes(),
            chosen(trial, *decrypt).done(),
            if *in_place { "in place" } else { "from buffer to buffer" },
        ),
        Step::MoveToClone => "go on with a clone".to_owned(),
        Step::SwitchTier(index) => {
            let tiers = trial.subject.tiers();
            format!("switch to {}", index.checked_rem(tiers.len()).map_or("none", |index| &tiers[index]))
        }
    }
}

/// The tweak and the data of a step.
fn data(trial: &Trial<'_>, case: u64, step: &Step) -> Option<(Vec<u8>, Vec<u8>)> {
    let Step::Unit { tweak, length, .. } = step else { return None };
    let block = trial.oracle.block_bytes();
    let tweak = trial.bytes(case ^ u64::from(1 + tweak) << 56, block);
    Some((tweak, trial.bytes(!case, length + block)))
}

fn take(trial: &Trial<'_>, case: u64, keys: &Keys, keyed: &mut Box<dyn KeyedXts>, step: &Step) -> Result<u64, Wrong> {
    match step {
        Step::Unit { in_place, decrypt, .. } => {
            let direction = chosen(trial, *decrypt);
            let (tweak, data) = data(trial, case, step).unwrap_or_default();
            let crypt = if *in_place { crypted } else { crypted_to };
            let actual = crypt(&**keyed, direction, &tweak, &data)?;
            let expected = keys.expected(trial, direction, &tweak, &data);
            same(|| format!("{} bytes are wrongly {}", data.len(), direction.done()), &expected, &actual)?;
            return Ok(1);
        }
        Step::MoveToClone => *keyed = keyed.boxed_clone(),
        Step::SwitchTier(index) => {
            let tiers = trial.subject.tiers();
            if let Some(tier) = index.checked_rem(tiers.len()).map(|index| &tiers[index]) {
                switched(tier, keyed.switch_tier(tier))?;
            }
        }
    }
    Ok(0)
}
