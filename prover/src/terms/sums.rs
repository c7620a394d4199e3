//! Sums modulo a power of two.
//!
//! The normal form of a sum: sums in it are flattened; of a summand with an even coefficient only the bits that count are
//! kept, and low zeros move into the coefficient; what is a term and its lower bits is one summand and what is above; summands with equal coefficients that never have a one at the same
//! place are joined by exclusive or, which is what their sum is. A lone summand whose coefficient is a power of two, or
//! several so far from each other that the copies do not meet, is a shift, or an exclusive or of shifts.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Leaf, LeafKind, Sum, Term, Terms, ones};

impl Terms {
    /// a + b modulo 2^width.
    pub fn add(&mut self, a: Term, b: Term, width: u32) -> Term {
        self.sum(&[(a, 1), (b, 1)], 0, width)
    }

    /// a + c modulo 2^width; c may be negative.
    pub fn add_constant(&mut self, a: Term, c: i128, width: u32) -> Term {
        self.sum(&[(a, 1)], c as u128, width)
    }

    /// a - b modulo 2^width.
    pub fn sub(&mut self, a: Term, b: Term, width: u32) -> Term {
        self.sum(&[(a, 1), (b, u128::MAX)], 0, width)
    }

    /// The sum of terms times coefficients, and a constant, modulo 2^width.
    pub fn sum(&mut self, summands: &[(Term, u128)], constant: u128, width: u32) -> Term {
        let mut collected = Summands { width, constant, coefficients: FxHashMap::default(), new: FxHashSet::default() };
        let longest = collected.begin_with_longest(self, summands);
        for (index, &(term, coefficient)) in summands.iter().enumerate() {
            if Some(index) != longest {
                collected.take(self, term, coefficient);
            }
        }
        collected.settle(self);
        self.of(collected)
    }

    /// The carry out of a + b, numbers of `width` bits.
    pub fn carry(&mut self, a: Term, b: Term, width: u32) -> Term {
        let wide = self.add(a, b, width + 1);
        self.extract(wide, width, 1)
    }

    fn of(&mut self, collected: Summands) -> Term {
        let Summands { width, constant, coefficients, .. } = collected;
        let constant = constant & ones(width);
        let mut summands: Vec<(Term, u128)> = coefficients.into_iter().filter(|&(_, k)| k != 0).collect();
        summands.sort_unstable();
        match *summands {
            [] => return self.constant(constant),
            [(term, coefficient)] if constant == 0 && self.apart(term, coefficient) => {
                let copies = (0..width).filter(|&by| coefficient >> by & 1 == 1);
                return copies.fold(Terms::ZERO, |all, by| {
                    let copy = self.shl(term, by, width);
                    self.xor(all, copy)
                });
            }
            _ => {}
        }
        let sum = Sum { width, constant, summands: summands.into() };
        let leaf = match self.sums.get(&sum) {
            Some(&leaf) => leaf,
            None => {
                let secret = sum.summands.iter().any(|&(term, _)| self.is_secret(term));
                let sample = sum.summands.iter().fold(constant, |value, &(term, coefficient)| {
                    value.wrapping_add(self.sample(term).wrapping_mul(coefficient))
                });
                let leaf = self.leaf(LeafKind::Sum(sum.clone()), width, secret, sample & ones(width));
                self.sums.insert(sum, leaf);
                leaf
            }
        };
        self.window(leaf)
    }

    /// Whether a term times a coefficient is made of copies of the term that do not meet.
    fn apart(&self, term: Term, coefficient: u128) -> bool {
        let next = |above: u128| above & (above - 1);
        let mut left = coefficient;
        while next(left) != 0 {
            if next(left).trailing_zeros() - left.trailing_zeros() < self.bits(term) {
                return false;
            }
            left = next(left);
        }
        true
    }

    /// The lowest bits beyond which a term has only zeros.
    pub(crate) fn bits(&self, term: Term) -> u32 {
        self.parts(term).iter().map(|&(_, mask)| 128 - mask.leading_zeros()).max().unwrap_or(0)
    }

    /// The lowest bits of a wider sum, as a sum.
    pub(crate) fn narrowed(&mut self, leaf: Leaf, width: u32) -> Option<Term> {
        let sum = self.sum_of(leaf).filter(|sum| sum.width > width)?;
        let (summands, constant) = (sum.summands.clone(), sum.constant);
        let narrow = self.sum(&summands, constant, width);
        if let Some(narrow_leaf) = self.as_leaf(narrow) {
            self.wider.entry(narrow_leaf).or_insert(leaf);
        }
        Some(narrow)
    }

    /// Remembers that the low words of a sum are sums too.
    pub(crate) fn note_low_words(&mut self, sum: Term, width: u32) {
        if self.as_leaf(sum).is_some() {
            for words in 1..width / 32 {
                self.low_sum(sum, words * 32);
            }
        }
    }

    /// The widest sum of which a leaf is the low bits.
    pub(crate) fn widest(&self, leaf: Leaf) -> Leaf {
        self.wider.get(&leaf).map_or(leaf, |&wider| self.widest(wider))
    }

    /// The sum whose low bits stand beside its other bits in a term.
    pub(crate) fn rejoined(&self, term: Term) -> Option<Leaf> {
        let [(p, k), (q, l)] = *self.parts(term) else { return None };
        let whole = |product| match *self.windows(product) {
            [window] if window.rotation() == 0 => Some(window.leaf()),
            _ => None,
        };
        let (a, b) = (whole(p)?, whole(q)?);
        let ((narrow, low), (wide, high)) = if k < l { ((a, k), (b, l)) } else { ((b, l), (a, k)) };
        let fits = low == ones(self.width(narrow)) && high == ones(self.width(wide)) & !low;
        (fits && self.wider.get(&narrow) == Some(&wide)).then_some(wide)
    }

    /// A term that is base + constant, or a constant alone; for addresses and counts.
    pub fn as_offset(&self, term: Term, width: u32) -> Option<(Option<Leaf>, i128)> {
        let signed = |value: u128| {
            let unused = 128 - width;
            ((value << unused) as i128) >> unused
        };
        if let Some(value) = self.value(term) {
            return Some((None, signed(value)));
        }
        let leaf = self.as_leaf(term).filter(|&leaf| self.width(leaf) == width)?;
        match self.sum_of(leaf) {
            None => Some((Some(leaf), 0)),
            Some(Sum { constant, summands, .. }) => match **summands {
                [(base, 1)] => {
                    let base = self.as_leaf(base).filter(|&base| self.width(base) == width)?;
                    self.sum_of(base).is_none().then(|| (Some(base), signed(*constant)))
                }
                _ => None,
            },
        }
    }
}

struct Summands {
    width: u32,
    constant: u128,
    coefficients: FxHashMap<Term, u128>,
    /// Those that have not been compared with the others.
    new: FxHashSet<Term>,
}

impl Summands {
    /// Takes over the summands of the longest sum among terms, which need no comparison with each other. Which one that was.
    fn begin_with_longest(&mut self, terms: &Terms, summands: &[(Term, u128)]) -> Option<usize> {
        let sums = summands.iter().enumerate().filter(|(_, (_, coefficient))| *coefficient == 1);
        let sums = sums.filter_map(|(index, &(term, _))| Some((index, terms.sum_of(terms.as_leaf(term)?)?)));
        let (index, sum) = sums.filter(|(_, sum)| sum.width == self.width).max_by_key(|(_, sum)| sum.summands.len())?;
        self.constant = self.constant.wrapping_add(sum.constant);
        self.coefficients.extend(sum.summands.iter().copied());
        Some(index)
    }

    fn take(&mut self, terms: &mut Terms, term: Term, coefficient: u128) {
        let mut waiting = vec![(term, coefficient)];
        while let Some((term, coefficient)) = waiting.pop() {
            let mut coefficient = coefficient & ones(self.width);
            if coefficient == 0 || term == Terms::ZERO {
                continue;
            }
            if let Some(value) = terms.value(term) {
                self.constant = self.constant.wrapping_add(value.wrapping_mul(coefficient));
                continue;
            }
            let lowest = terms.parts(term).iter().map(|&(_, mask)| mask.trailing_zeros()).min().unwrap_or(0);
            let term = terms.shr(term, lowest);
            coefficient = if lowest < self.width { coefficient << lowest & ones(self.width) } else { 0 };
            if coefficient == 0 {
                continue;
            }
            let counting = self.width - coefficient.trailing_zeros();
            let term = match terms.rejoined(term) {
                Some(wide) if terms.width(wide) == counting => terms.window(wide),
                _ => terms.low_sum(term, counting),
            };
            let flattened = terms.as_leaf(term).and_then(|leaf| terms.sum_of(leaf)).filter(|sum| sum.width == counting);
            match flattened {
                Some(sum) if coefficient == 1 => {
                    // Its summands have their form already.
                    self.constant = self.constant.wrapping_add(sum.constant);
                    for &(term, k) in &sum.summands {
                        self.add(term, k, &mut waiting);
                    }
                }
                Some(sum) => {
                    self.constant = self.constant.wrapping_add(sum.constant.wrapping_mul(coefficient));
                    let summands = sum.summands.iter();
                    waiting.extend(summands.map(|&(term, k)| (term, k.wrapping_mul(coefficient))));
                }
                None if terms.value(term).is_some() => waiting.push((term, coefficient)),
                None => self.add(term, coefficient, &mut waiting),
            }
        }
    }

    /// Adds a summand that has its form, or, where its new coefficient leaves fewer bits that count, puts it among those that wait
    /// for theirs.
    fn add(&mut self, term: Term, coefficient: u128, waiting: &mut Vec<(Term, u128)>) {
        let all = self.coefficients.entry(term).or_insert(0);
        let sum = all.wrapping_add(coefficient) & ones(self.width);
        if sum.trailing_zeros() > coefficient.trailing_zeros() {
            self.coefficients.remove(&term);
            waiting.push((term, sum));
        } else {
            *all = sum;
            self.new.insert(term);
        }
    }

    /// Brings what is left to its one form.
    fn settle(&mut self, terms: &mut Terms) {
        if self.coefficients.len() < 2 {
            return;
        }
        while terms.budget_mut().allows_summands(self.coefficients.len())
            && (self.merge_multiples(terms) || self.part_common(terms) || self.join_disjoint(terms))
        {}
        self.new.clear();
    }

    fn sorted(&self) -> Vec<(Term, u128)> {
        let mut summands: Vec<(Term, u128)> = self.coefficients.iter().map(|(&term, &k)| (term, k)).collect();
        summands.sort_unstable();
        summands
    }

    /// Those among the summands that have not been compared with the others.
    fn new_among(&self, summands: &[(Term, u128)]) -> Vec<(Term, u128)> {
        summands.iter().filter(|(term, _)| self.new.contains(term)).copied().collect()
    }

    /// Adds up the coefficients of a term and of its lower bits, which are the same where they count.
    fn merge_multiples(&mut self, terms: &mut Terms) -> bool {
        let summands = self.sorted();
        let new = self.new_among(&summands);
        for &(low, k) in summands.iter().filter(|(_, k)| k.trailing_zeros() > 0) {
            let counting = self.width - k.trailing_zeros();
            let others = if self.new.contains(&low) { &summands } else { &new };
            for &(term, l) in others.iter().filter(|(_, l)| l.trailing_zeros() < k.trailing_zeros()) {
                if terms.sample(term) & ones(counting) == terms.sample(low) && terms.low_sum(term, counting) == low {
                    self.coefficients.remove(&low);
                    self.coefficients.remove(&term);
                    self.take(terms, term, k.wrapping_add(l));
                    return true;
                }
            }
        }
        false
    }

    /// Of a summand that has another one as its lower bits makes that one and what is above: a word that is doubled beside the carry
    /// out of its doubling.
    fn part_common(&mut self, terms: &mut Terms) -> bool {
        let summands = self.sorted();
        let new = self.new_among(&summands);
        for &(low, _) in &summands {
            let bits = terms.bits(low);
            if bits >= self.width {
                continue;
            }
            for &(term, k) in if self.new.contains(&low) { &summands } else { &new } {
                if terms.bits(term) > bits
                    && terms.sample(term) & ones(bits) == terms.sample(low)
                    && terms.mask(term, ones(bits)) == low
                {
                    let above = terms.mask(term, !ones(bits));
                    self.coefficients.remove(&term);
                    self.take(terms, low, k);
                    self.take(terms, above, k);
                    return true;
                }
            }
        }
        false
    }

    /// Joins two summands that have no one in common.
    fn join_disjoint(&mut self, terms: &mut Terms) -> bool {
        // Each with the power of two in its coefficient shifted in, and what is left of the coefficient, with its sign.
        let (width, unused) = (self.width, 128 - self.width);
        let shifted: Vec<(Term, u128, u32, i128)> = (self.sorted().into_iter())
            .map(|(term, k)| {
                let by = k.trailing_zeros();
                (term, terms.sample(term) << by & ones(width), by, ((k << unused) as i128 >> unused) >> by)
            })
            .collect();
        for &(a, sample, by, k) in shifted.iter().filter(|(a, ..)| self.new.contains(a)) {
            for &(b, other, other_by, l) in shifted.iter().filter(|&&(b, ..)| b != a) {
                // The sample tells at once of almost all pairs that they meet.
                if sample & other == 0 && k == l {
                    let (whole_a, whole_b) = (terms.shl(a, by, width), terms.shl(b, other_by, width));
                    if terms.and(whole_a, whole_b) == Terms::ZERO {
                        self.coefficients.remove(&a);
                        self.coefficients.remove(&b);
                        let joined = terms.xor(whole_a, whole_b);
                        self.take(terms, joined, k as u128);
                        return true;
                    }
                }
            }
        }
        false
    }
}
