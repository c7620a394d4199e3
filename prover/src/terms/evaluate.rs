//! Terms on numbers.

use rustc_hash::FxHashMap;

use super::{Leaf, LeafKind, Product, Term, Terms, ones, repeat};

/// Values of variables; those of sums follow, and are kept.
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    values: FxHashMap<Leaf, u128>,
}

impl Assignment {
    /// Gives a variable a value.
    pub fn set(&mut self, leaf: Leaf, value: u128) {
        self.values.insert(leaf, value);
    }

    /// The value of a variable, if it has one.
    pub fn get(&self, leaf: Leaf) -> Option<u128> {
        self.values.get(&leaf).copied()
    }
}

impl Terms {
    /// The value of a term; variables without a value get the one that `missing` tells.
    pub fn evaluate(&self, term: Term, values: &mut Assignment, missing: &mut dyn FnMut(Leaf) -> u128) -> u128 {
        self.evaluate_all(&[term], values, missing)[0]
    }

    /// The values of terms.
    pub fn evaluate_all(
        &self,
        terms: &[Term],
        values: &mut Assignment,
        missing: &mut dyn FnMut(Leaf) -> u128,
    ) -> Vec<u128> {
        for leaf in self.leaves_below(terms) {
            if values.values.contains_key(&leaf) {
                continue;
            }
            let value = match self.kind(leaf) {
                LeafKind::Variable(_) => missing(leaf),
                LeafKind::Substituted(s_box, byte) => s_box.of(self.value_of(*byte, values)),
                LeafKind::Function(group, function) => {
                    self.value_of_function(*group, function, |plane| self.value_of(plane, values))
                }
                LeafKind::Sum(sum) => sum.summands.iter().fold(sum.constant, |all, &(summand, coefficient)| {
                    all.wrapping_add(self.value_of(summand, values).wrapping_mul(coefficient))
                }),
            };
            values.values.insert(leaf, value & ones(self.width(leaf)));
        }
        terms.iter().map(|&term| self.value_of(term, values)).collect()
    }

    fn value_of(&self, term: Term, values: &Assignment) -> u128 {
        self.parts(term).iter().fold(0, |all, &(product, mask)| all ^ (self.value_of_product(product, values) & mask))
    }

    fn value_of_product(&self, product: Product, values: &Assignment) -> u128 {
        self.windows(product).iter().fold(u128::MAX, |all, window| {
            all & repeat(values.values[&window.leaf()], self.width(window.leaf()), window.rotation())
        })
    }

    /// Every leaf that terms depend on, also through other leaves, each behind those that it depends on.
    pub fn leaves_below(&self, terms: &[Term]) -> Vec<Leaf> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut waiting: Vec<Term> = terms.to_vec();
        while let Some(term) = waiting.pop() {
            for &(product, _) in self.parts(term) {
                for window in self.windows(product).iter() {
                    if seen.insert(window.leaf()) {
                        waiting.extend(self.made_of(window.leaf()));
                    }
                }
            }
        }
        // A leaf is made behind what it is made of.
        let mut leaves: Vec<Leaf> = seen.into_iter().collect();
        leaves.sort_unstable();
        leaves
    }
}
