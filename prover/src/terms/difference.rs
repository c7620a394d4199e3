//! Where two terms differ, as deep as it can be told.

use std::fmt::Write;

use rustc_hash::FxHashSet;

use super::{Leaf, LeafKind, SBox, Term, Terms};

/// Two terms that differ, and the smallest parts of them found that do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The part of the one, in words.
    pub one: String,
    /// The part of the other.
    pub other: String,
    /// The offset of the instruction that made the part of the one; or, if none did or the other has that part elsewhere, the
    /// smallest of what it is a part of.
    pub maker: Option<u64>,
}

/// What the one has and the other has not.
fn without<T: Copy + PartialEq>(one: &[T], other: &[T]) -> Vec<T> {
    one.iter().filter(|part| !other.contains(part)).copied().collect()
}

/// How much of a term is written out.
const SHOWN: usize = 400;

impl Terms {
    /// Descends as long as two terms have the same shape but for one part, and where they differ in more, to the first thing
    /// that the one is made of and the other is not.
    pub fn difference(&mut self, one: Term, other: Term) -> Difference {
        let (mut a, mut b, mut way) = (one, other, vec![one]);
        // Sums are made behind their parts, so this ends; the bound is for safety alone.
        for _ in 0..10_000 {
            let deeper = self.descend(a, b).or_else(|| self.first_apart(a, b));
            match deeper.filter(|&pair| pair != (a, b)) {
                Some((x, y)) => (a, b) = (x, y),
                None => break,
            }
            way.push(a);
        }
        let (p, q) = (without(self.parts(a), self.parts(b)), without(self.parts(b), self.parts(a)));
        if !p.is_empty() && !q.is_empty() {
            (a, b) = (self.polynomial(&p), self.polynomial(&q));
            way.push(a);
        }
        let maker = self.maker_of_last(&way, other);
        Difference { one: self.write(a), other: self.write(b), maker }
    }

    /// Which instruction made the last of some terms that is nowhere in another one: what is there was made as it should be.
    fn maker_of_last(&self, way: &[Term], other: Term) -> Option<u64> {
        let leaves: FxHashSet<Leaf> = self.leaves_below(&[other]).into_iter().collect();
        let parts: FxHashSet<Term> = leaves.iter().flat_map(|&leaf| self.made_of(leaf)).collect();
        let is_there = |term| parts.contains(&term) || self.as_leaf(term).is_some_and(|leaf| leaves.contains(&leaf));
        way.iter().rev().filter(|&&term| !is_there(term)).find_map(|&term| self.maker(term))
    }

    /// The first leaf that the one is made of and the other is not, and that leaf of the other which has most in common with
    /// it. Leaves are in the order in which they were made, so the other has all that this one is made of.
    fn first_apart(&mut self, one: Term, other: Term) -> Option<(Term, Term)> {
        let [ours, theirs] = [one, other].map(|term| self.leaves_below(&[term]));
        let widest = |leaves: &[Leaf]| leaves.iter().map(|&leaf| self.widest(leaf)).collect::<FxHashSet<Leaf>>();
        let (our_widest, their_widest) = (widest(&ours), widest(&theirs));
        let only =
            |leaf: Leaf, others: &FxHashSet<Leaf>| self.name(leaf).is_none() && !others.contains(&self.widest(leaf));
        let first = ours.into_iter().find(|&leaf| only(leaf, &their_widest))?;
        let made_of: FxHashSet<Term> = self.made_of(first).into_iter().collect();
        let in_common = |leaf| self.made_of(leaf).iter().filter(|part| made_of.contains(part)).count();
        let like_it = theirs
            .into_iter()
            .rev()
            .filter(|&leaf| self.width(leaf) == self.width(first) && in_common(leaf) > 0 && only(leaf, &our_widest));
        let second = like_it.max_by_key(|&leaf| in_common(leaf))?;
        Some((self.window(first), self.window(second)))
    }

    /// The one part in which two terms of the same shape differ: the leaf of a window, or what a leaf is made of.
    fn descend(&mut self, a: Term, b: Term) -> Option<(Term, Term)> {
        let (p, q) = (self.parts(a), self.parts(b));
        let ([(x, k)], [(y, l)]) = (&*without(p, q), &*without(q, p)) else { return None };
        if k != l {
            return None;
        }
        let (x, y) = (self.windows(*x), self.windows(*y));
        let ([x], [y]) = (&*without(&x, &y), &*without(&y, &x)) else { return None };
        if x.rotation() != y.rotation() {
            return None;
        }
        let (x, y) = (x.leaf(), y.leaf());
        let leaves = (self.window(x), self.window(y));
        if leaves != (a, b) {
            return Some(leaves);
        }
        if let (LeafKind::Substituted(s, byte), LeafKind::Substituted(t, other)) = (self.kind(x), self.kind(y)) {
            return (s == t).then_some((*byte, *other));
        }
        let (s, t) = (self.sum_of(x)?, self.sum_of(y)?);
        match (&*without(&s.summands, &t.summands), &*without(&t.summands, &s.summands)) {
            ([(x, k)], [(y, l)]) if k == l && s.constant == t.constant => Some((*x, *y)),
            _ => None,
        }
    }

    /// A term in words, cut short where it is long.
    pub fn write(&self, term: Term) -> String {
        let mut text = String::new();
        self.write_term(term, 3, &mut text);
        if text.len() > SHOWN {
            let end = (0..=SHOWN).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
            text.truncate(end);
            text.push_str(" …");
        }
        text
    }

    fn write_term(&self, term: Term, depth: u32, text: &mut String) {
        if text.len() > SHOWN {
            return;
        }
        if self.parts(term).is_empty() {
            text.push('0');
        }
        for (index, &(product, mask)) in self.parts(term).iter().enumerate() {
            if index > 0 {
                text.push_str(" ^ ");
            }
            let windows = self.windows(product);
            let whole = matches!(*windows, [window] if mask == super::ones(self.width(window.leaf())));
            if !whole {
                let _ = write!(text, "{mask:#x}");
            }
            for (index, window) in windows.iter().enumerate() {
                if index > 0 || !whole {
                    text.push_str(" & ");
                }
                match self.kind(window.leaf()) {
                    LeafKind::Variable(name) => text.push_str(name),
                    _ if depth == 0 => text.push_str("(…)"),
                    LeafKind::Substituted(s_box, byte) => {
                        text.push_str(if *s_box == SBox::Forward { "S(" } else { "InvS(" });
                        self.write_term(*byte, depth - 1, text);
                        text.push(')');
                    }
                    LeafKind::Function(..) => text.push_str("(a function of planes)"),
                    LeafKind::Sum(sum) => {
                        text.push('(');
                        for (index, &(summand, coefficient)) in sum.summands.iter().enumerate() {
                            if index > 0 {
                                text.push_str(" + ");
                            }
                            if coefficient == super::ones(sum.width) {
                                text.push('-');
                            } else if coefficient != 1 {
                                let _ = write!(text, "{coefficient} ");
                            }
                            let simple = self.parts(summand).len() == 1;
                            text.push_str(if simple { "" } else { "[" });
                            self.write_term(summand, depth - 1, text);
                            text.push_str(if simple { "" } else { "]" });
                        }
                        if sum.constant != 0 {
                            let _ = write!(text, " + {:#x}", sum.constant);
                        }
                        text.push(')');
                    }
                }
                if window.rotation() > 0 {
                    let _ = write!(text, ">>>{}", window.rotation());
                }
            }
        }
    }
}
