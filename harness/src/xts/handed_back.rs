//! The tweak that one part of a data unit hands to the next: a data unit that is cut in two at every block boundary, where
//! the second part begins under the tweak that belongs there.

use vambrace_reference::oracles::ciphers::XtsOracle;

use super::setup::{Keys, advanced, crypted, crypted_from, direction, judges};
use super::{Trial, XtsCheck};
use crate::subject::{Direction, KeyedXts, XtsSubject};
use crate::trial::{Wrong, same, shown};
use crate::{Context, Outcome};

/// The check.
pub const CHECK: XtsCheck = XtsCheck {
    name: "handed-back",
    looks_for: "parts of a data unit that differ from the same blocks within the whole: a tweak that is not the next one",
    seen_in: "libgcrypt 60ed0abb (counter from the wrong register)",
    run,
};

/// Bytes behind the last block, of a case each: most have some.
const RESTS: [usize; 4] = [5, 0, 7, 1];

fn run(subject: &dyn XtsSubject, oracle: &dyn XtsOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    // A case is the number of blocks less two, twice, and one more to decrypt.
    trial.judge(trial.cases(0, 2 * 16, 2 * 64), "", |case| {
        if !judges(&trial, case) {
            return Ok(0);
        }
        let block = oracle.block_bytes();
        let blocks = 2 + case as usize / 2;
        let data = trial.bytes(!case, blocks * block + RESTS[blocks % RESTS.len()]);
        let keys = Keys::of_case(&trial, case);
        let t = trial.bytes(case, block);
        let expected = keys.expected_from(&trial, direction(case), &t, &data);
        let unit = Unit { keyed: keys.keyed(&trial)?, direction: direction(case), keys, t, data, expected };
        (1..blocks).map(|cut| unit.cut_in_two(&trial, cut)).sum()
    })
}

/// A data unit under an encrypted tweak.
struct Unit {
    keys: Keys,
    keyed: Box<dyn KeyedXts>,
    direction: Direction,
    t: Vec<u8>,
    data: Vec<u8>,
    expected: Vec<u8>,
}

impl Unit {
    fn cut_in_two(&self, trial: &Trial<'_>, cut: usize) -> Result<u64, Wrong> {
        let Unit { keys, keyed, direction, t, data, expected } = self;
        let (first, second) = data.split_at(cut * trial.oracle.block_bytes());
        let behind = advanced(t, cut);
        let describe = |wrong: Wrong| {
            let (data, done) = (shown(data), direction.done());
            let (t, behind) = (hex::encode(t), hex::encode(&behind));
            wrong.input(format!(
                "{data}, {done}, cut behind {cut} blocks, under the encrypted tweaks {t} and {behind}; {keys}"
            ))
        };
        let what = || {
            let (first, second) = (first.len(), second.len());
            format!("two parts of a data unit, {first} and {second} bytes, differ from the whole")
        };
        let crypt =
            |t: &[u8], part: &[u8]| crypted(&**keyed, *direction, &keys.tweak_for(trial, t), part).map_err(describe);
        let actual = [crypt(t, first)?, crypt(&behind, second)?].concat();
        same(what, expected, &actual).map_err(describe)?;
        let crypt = |t: &[u8], part: &[u8]| crypted_from(&**keyed, *direction, t, part).map_err(describe);
        if let (Some(first), Some(second)) = (crypt(t, first)?, crypt(&behind, second)?) {
            same(what, expected, &[first, second].concat()).map_err(describe)?;
            return Ok(2);
        }
        Ok(1)
    }
}
