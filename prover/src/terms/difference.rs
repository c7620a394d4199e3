//! Where two terms differ, as deep as it can be told.

use std::fmt::Write;

use super::{LeafKind, SBox, Term, Terms};

/// Two terms that differ, and the smallest parts of them found that do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The part of the one, in words.
    pub one: String,
    /// The part of the other.
    pub other: String,
}

/// What the one has and the other has not.
fn without<T: Copy + PartialEq>(one: &[T], other: &[T]) -> Vec<T> {
    one.iter().filter(|part| !other.contains(part)).copied().collect()
}

/// How much of a term is written out.
const SHOWN: usize = 400;

impl Terms {
    /// Descends as long as two terms have the same shape but for one part.
    pub fn difference(&self, one: Term, other: Term) -> Difference {
        let (mut a, mut b) = (one, other);
        // Sums are made behind their parts, so this ends; the bound is for safety alone.
        for _ in 0..10_000 {
            match self.descend(a, b) {
                Some((x, y)) => (a, b) = (x, y),
                None => break,
            }
        }
        Difference { one: self.write(a), other: self.write(b) }
    }

    fn descend(&self, a: Term, b: Term) -> Option<(Term, Term)> {
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
        if let (LeafKind::Substituted(s, byte), LeafKind::Substituted(t, other)) =
            (self.kind(x.leaf()), self.kind(y.leaf()))
        {
            return (s == t).then_some((*byte, *other));
        }
        let (s, t) = (self.sum_of(x.leaf())?, self.sum_of(y.leaf())?);
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
