//! Numbers to evaluate terms at.

use crate::terms::{Assignment, Leaf, Term, Terms};

/// SplitMix64: the same numbers in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub(crate) fn number(&mut self, width: u32) -> u128 {
        (u128::from(self.next()) << 64 | u128::from(self.next())) & crate::terms::ones(width)
    }
}

/// Numbers on which two terms differ, if some are found.
pub(crate) fn example(terms: &mut Terms, found: Term, expected: Term) -> String {
    for trial in 0..64 {
        let mut random = Random(trial);
        let mut values = Assignment::default();
        let mut missing = |_: Leaf| random.number(128);
        let (a, b) =
            (terms.evaluate(found, &mut values, &mut missing), terms.evaluate(expected, &mut values, &mut missing));
        if a != b {
            let leaves = terms.leaves_below(&[found, expected]);
            let named = leaves.iter().filter_map(|&leaf| Some((terms.name(leaf)?, values.get(leaf)?)));
            let named: Vec<String> = named.take(32).map(|(name, value)| format!("{name} = {value:#x}")).collect();
            return format!("    it is {a:#x} and not {b:#x} for {}", named.join(", "));
        }
    }
    "    no numbers were found on which they differ: the normal form may be too weak".to_owned()
}
