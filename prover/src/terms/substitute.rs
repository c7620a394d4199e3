//! Terms in place of variables.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Leaf, LeafKind, Term, Terms, Window, ones};

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
    /// Whether two terms are equal: the same node, or the same node once what circuits make of planes is
    /// [resolved](Terms::resolved), or their difference is zero, or they are the same once every sum that is the low bits of a
    /// wider one is written as those bits.
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
        let (a, b) = (self.resolved(a), self.resolved(b));
        if a == b {
            return true;
        }
        // A shifted sum is bits of a sum here and a sum with greater coefficients there.
        let bits = self.bits(a).max(self.bits(b));
        if let Some(&width) = [32, 64].iter().find(|&&width| bits <= width)
            && self.sub(a, b, width) == Terms::ZERO
        {
            return true;
        }
        let (x, y) = (self.widen(a), self.widen(b));
        x == y
    }

    /// The term with every narrow sum written as bits of the widest sum that it is the low bits of.
    fn widen(&mut self, term: Term) -> Term {
        let (of, mut wide) = std::mem::take(&mut self.widened);
        if of != self.wider.len() {
            wide = Substitution::default();
        }
        let below = self.leaves_directly_below(term);
        below.into_iter().for_each(|leaf| self.widen_leaf(leaf, &mut wide));
        let widened = self.replaced(term, &wide);
        // What was found to be narrow meanwhile was made here, and of what is wide already.
        self.widened = (self.wider.len(), wide);
        widened
    }

    fn leaves_directly_below(&self, term: Term) -> Vec<Leaf> {
        self.parts(term).iter().flat_map(|&(product, _)| self.windows(product).to_vec()).map(Window::leaf).collect()
    }

    /// Finds what becomes of a leaf, after all that it is made of.
    fn widen_leaf(&mut self, leaf: Leaf, wide: &mut Substitution) {
        let mut waiting = vec![leaf];
        let mut begun = FxHashSet::default();
        while let Some(&leaf) = waiting.last() {
            if wide.replaced.contains_key(&leaf) {
                waiting.pop();
                continue;
            }
            let widest = self.widest(leaf);
            let needed: Vec<Leaf> = if widest == leaf {
                self.made_of(leaf).into_iter().flat_map(|term| self.leaves_directly_below(term)).collect()
            } else {
                vec![widest]
            };
            let missing: Vec<Leaf> = needed.into_iter().filter(|leaf| !wide.replaced.contains_key(leaf)).collect();
            if !missing.is_empty() && begun.insert(leaf) {
                // Of a sum that is made of its own low bits those stay as they are.
                for leaf in missing {
                    if begun.contains(&leaf) {
                        let itself = self.window(leaf);
                        wide.replace(leaf, itself);
                    } else {
                        waiting.push(leaf);
                    }
                }
                continue;
            }
            let new = if widest != leaf {
                let width = self.width(leaf);
                self.mask(wide.replaced[&widest], ones(width))
            } else {
                self.rebuilt(leaf, wide)
            };
            wide.replace(leaf, new);
            waiting.pop();
        }
    }

    /// A variable as it is, anything else of what became of its parts.
    fn rebuilt(&mut self, leaf: Leaf, substitution: &mut Substitution) -> Term {
        match self.kind(leaf).clone() {
            LeafKind::Variable(_) => self.window(leaf),
            LeafKind::Sum(sum) => {
                let summands: Vec<(Term, u128)> =
                    sum.summands.iter().map(|&(summand, k)| (self.replaced(summand, substitution), k)).collect();
                self.sum(&summands, sum.constant, sum.width)
            }
            LeafKind::Substituted(s_box, byte) => {
                let byte = self.replaced(byte, substitution);
                self.substituted(s_box, byte)
            }
            LeafKind::Function(..) => self.rebuilt_function(leaf, substitution),
        }
    }

    /// A function of the same planes is itself. One of others is known only as far as it can be resolved; what cannot is nothing
    /// in particular any more.
    fn rebuilt_function(&mut self, leaf: Leaf, substitution: &mut Substitution) -> Term {
        let same = self.made_of(leaf).into_iter().all(|plane| self.replaced(plane, substitution) == plane);
        let whole = self.window(leaf);
        let resolved = self.resolved(whole);
        if same {
            whole
        } else if resolved == whole {
            let (width, secret) = (self.width(leaf), self.is_secret(whole));
            self.variable("a function of other planes", width, secret)
        } else {
            self.substitute(resolved, substitution)
        }
    }

    /// The term with other terms in place of its variables.
    pub fn substitute(&mut self, term: Term, substitution: &mut Substitution) -> Term {
        for leaf in self.leaves_below(&[term]) {
            if substitution.replaced.contains_key(&leaf) {
                continue;
            }
            let new = self.rebuilt(leaf, substitution);
            substitution.replaced.insert(leaf, new);
        }
        self.replaced(term, substitution)
    }

    fn replaced(&mut self, term: Term, substitution: &Substitution) -> Term {
        let mut parts = Vec::new();
        for (product, mask) in self.parts(term).to_vec() {
            let windows = self.windows(product).to_vec();
            let leaves: Option<Vec<Window>> = windows
                .iter()
                .map(|window| {
                    let leaf = self.as_leaf(substitution.replaced[&window.leaf()])?;
                    let alike = self.width(leaf) == self.width(window.leaf());
                    alike.then(|| Window::new(leaf, window.rotation()))
                })
                .collect();
            if let Some(mut leaves) = leaves {
                leaves.sort_unstable();
                leaves.dedup();
                parts.push((self.product(&leaves), mask));
                continue;
            }
            let mut value = self.constant(u128::MAX);
            for window in windows {
                let repeated = self.repeated(substitution.replaced[&window.leaf()], window);
                value = self.and(value, repeated);
            }
            let masked = self.parts(value).iter().map(|&(product, k)| (product, k & mask));
            parts.extend(masked.filter(|&(_, k)| k != 0));
        }
        self.collect(parts)
    }

    /// A term in place of a leaf, seen through a window.
    pub(super) fn repeated(&mut self, by: Term, window: Window) -> Term {
        let width = self.width(window.leaf());
        let there = self.rotr(by, window.rotation(), width);
        let copies = vec![(there, width); (128 / width) as usize];
        let repeated = self.concat(&copies);
        let filled = width * (128 / width);
        if filled == 128 {
            return repeated;
        }
        let rest = self.shl(there, filled, 128);
        self.xor(repeated, rest)
    }
}
