//! Terms in place of variables.

use rustc_hash::FxHashMap;

use super::{Leaf, Term, Terms, ones};

/// What to put in place of which variable; what became of other leaves is kept.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    replaced: FxHashMap<Leaf, Term>,
}

impl Substitution {
    /// Puts a term in place of a variable.
    pub fn replace(&mut self, leaf: Leaf, by: Term) {
        self.replaced.insert(leaf, by);
    }
}

impl Terms {
    /// Whether two terms are equal: the same node, or their difference is zero, or they are the same once every sum that is the
    /// low bits of a wider one is written as those bits.
    ///
    /// Bits of a wide sum have two forms, as a window of it and as a window of the narrow sum; which one arises
    /// depends on how a program takes them.
    pub fn equal(&mut self, a: Term, b: Term) -> bool {
        if a == b {
            return true;
        }
        if self.sample(a) != self.sample(b) {
            return false;
        }
        // A shifted sum is bits of a sum here and a sum with greater coefficients there.
        let used = |terms: &Terms, term| terms.parts(term).iter().map(|&(_, mask)| 128 - mask.leading_zeros()).max();
        let bits = used(self, a).max(used(self, b)).unwrap_or(0);
        if let Some(&width) = [32, 64].iter().find(|&&width| bits <= width)
            && self.sub(a, b, width) == Terms::ZERO
        {
            return true;
        }
        let (of, mut wide) = std::mem::take(&mut self.widened);
        if of != self.wider.len() {
            wide = Substitution::default();
            for (narrow, wider) in self.wider.clone() {
                let (window, width) = (self.window(wider), self.width(narrow));
                let low = self.mask(window, ones(width));
                wide.replace(narrow, low);
            }
        }
        let now = self.wider.len();
        let equal = self.substitute(a, &mut wide) == self.substitute(b, &mut wide);
        self.widened = (now, wide);
        equal
    }

    /// The term with other terms in place of its variables.
    pub fn substitute(&mut self, term: Term, substitution: &mut Substitution) -> Term {
        for leaf in self.leaves_below(&[term]) {
            if substitution.replaced.contains_key(&leaf) {
                continue;
            }
            let new = match self.sum_of(leaf).cloned() {
                None => self.window(leaf),
                Some(sum) => {
                    let summands: Vec<(Term, u128)> =
                        sum.summands.iter().map(|&(summand, k)| (self.replaced(summand, substitution), k)).collect();
                    self.sum(&summands, sum.constant, sum.width)
                }
            };
            substitution.replaced.insert(leaf, new);
        }
        self.replaced(term, substitution)
    }

    fn replaced(&mut self, term: Term, substitution: &Substitution) -> Term {
        let mut all = Terms::ZERO;
        for (product, mask) in self.parts(term).to_vec() {
            let mut value = self.constant(mask);
            for window in self.windows(product).to_vec() {
                let width = self.width(window.leaf());
                let there = self.rotr(substitution.replaced[&window.leaf()], window.rotation(), width);
                let copies = vec![(there, width); (128 / width) as usize];
                let mut repeated = self.concat(&copies);
                let filled = width * (128 / width);
                if filled < 128 {
                    let rest = self.shl(there, filled, 128);
                    repeated = self.xor(repeated, rest);
                }
                value = self.and(value, repeated);
            }
            let value = self.mask(value, ones(128));
            all = self.xor(all, value);
        }
        all
    }
}
