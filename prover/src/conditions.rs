//! What a public branch asks, answered where it can be.
//!
//! Two kinds of question have an answer: about constants, and about the number of units that are left, which is a variable
//! of which an interval is known. Where the interval has numbers of both answers, the run is to be split.

use crate::terms::{Leaf, Substitution, Term, Terms, ones};

/// The number of units that are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// The variable.
    pub leaf: Leaf,
    /// The least value that it may have.
    pub low: u64,
    /// The greatest.
    pub high: u64,
    /// How many units each of them stands for: more than one where the kernel divides.
    pub scale: u64,
    /// Units beyond those.
    pub rest: u64,
}

impl Count {
    /// Units that are left at least.
    pub fn units(&self) -> u64 {
        self.low.saturating_mul(self.scale).saturating_add(self.rest)
    }
}

/// The term with the number of units in the place of the count, where only one number is possible.
pub(crate) fn with_known_count(terms: &mut Terms, term: Term, count: Option<Count>) -> Term {
    match count.filter(|count| count.low == count.high) {
        Some(count) if terms.leaves_below(&[term]).contains(&count.leaf) => {
            let mut known = Substitution::default();
            let number = terms.constant(count.low.into());
            known.replace(count.leaf, number);
            terms.substitute(term, &mut known)
        }
        _ => term,
    }
}

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undecided {
    /// For counts below this number it is one, from it on the other.
    Split(u64),
    /// It depends on a secret.
    Secret(String),
    /// It is about something else.
    Unknown(String),
}

/// How a term depends on the count: factor × count + constant, modulo 2^width, and the factor times any count fits.
struct Linear {
    factor: u128,
    constant: u128,
}

fn linear(terms: &mut Terms, term: Term, width: u32, count: Count) -> Option<Linear> {
    let whole = terms.window(count.leaf);
    let (summand, factor, constant) = match terms.as_leaf(term).and_then(|leaf| terms.sum_of(leaf)) {
        Some(sum) if sum.width == width => match *sum.summands {
            [(summand, factor)] => (summand, factor, sum.constant),
            _ => return None,
        },
        _ => {
            let zeros = terms.parts(term).iter().map(|&(_, mask)| mask.trailing_zeros()).min()?;
            (terms.shr(term, zeros), 1 << zeros, 0)
        }
    };
    let counting = width - factor.trailing_zeros();
    let fits = u128::from(count.high).checked_mul(factor).is_some_and(|most| most <= ones(width));
    (terms.low(whole, counting) == summand && fits).then_some(Linear { factor, constant })
}

/// The value of a term that depends on the count alone, where few counts are possible: each is a case of its own.
fn by_cases(terms: &mut Terms, term: Term, count: Count) -> Option<Result<u128, Undecided>> {
    let depends = terms.leaves_below(&[term]).into_iter().filter(|&leaf| terms.name(leaf).is_some());
    if !depends.eq([count.leaf]) || count.high - count.low >= FEW {
        return None;
    }
    if count.low < count.high {
        return Some(Err(Undecided::Split(count.low + 1)));
    }
    let known = with_known_count(terms, term, Some(count));
    terms.value(known).map(Ok)
}

/// How many counts are few.
const FEW: u64 = 8;

fn refuse(terms: &Terms, term: Term) -> Undecided {
    if terms.is_secret(term) { Undecided::Secret(terms.write(term)) } else { Undecided::Unknown(terms.write(term)) }
}

/// Where few counts are possible, each is a case of its own for an address that depends on it.
pub(crate) fn few_addresses(terms: &mut Terms, address: Term, count: Option<Count>) -> Result<(), Undecided> {
    match count.filter(|count| count.low < count.high && count.high - count.low < FEW) {
        Some(count) if !terms.is_secret(address) && terms.leaves_below(&[address]).contains(&count.leaf) => {
            Err(Undecided::Split(count.low + 1))
        }
        _ => Ok(()),
    }
}

/// Whether a term of some width is 0.
pub(crate) fn is_zero(terms: &mut Terms, term: Term, width: u32, count: Option<Count>) -> Result<bool, Undecided> {
    if let Some(value) = terms.value(term) {
        return Ok(value == 0);
    }
    let Some(count) = count.filter(|_| !terms.is_secret(term)) else { return Err(refuse(terms, term)) };
    // Of end - cursor the count has a positive factor, of cursor - end a negative one.
    let negated = terms.sub(Terms::ZERO, term, width);
    let Some(Linear { factor, constant }) =
        linear(terms, term, width, count).or_else(|| linear(terms, negated, width, count))
    else {
        return match by_cases(terms, term, count) {
            Some(value) => value.map(|value| value == 0),
            None => Err(refuse(terms, term)),
        };
    };
    let target = constant.wrapping_neg() & ones(width);
    let zero_at = target / factor;
    if !target.is_multiple_of(factor) || zero_at < count.low.into() || zero_at > count.high.into() {
        return Ok(false);
    }
    let zero_at = zero_at as u64;
    if count.low == count.high {
        Ok(true)
    } else if zero_at == count.low {
        Err(Undecided::Split(zero_at + 1))
    } else {
        Err(Undecided::Split(zero_at))
    }
}

/// Whether a < b, without sign.
pub(crate) fn is_less(
    terms: &mut Terms,
    a: Term,
    b: Term,
    width: u32,
    count: Option<Count>,
) -> Result<bool, Undecided> {
    match (terms.value(a), terms.value(b)) {
        (Some(a), Some(b)) => Ok(a < b),
        (None, Some(limit)) => is_below(terms, a, limit, width, count),
        // a < b unless b < a + 1.
        (Some(a), None) if a < ones(width) => is_below(terms, b, a + 1, width, count).map(|below| !below),
        (Some(_), None) => Ok(false),
        (None, None) => Err(refuse(terms, if terms.is_secret(a) { a } else { b })),
    }
}

/// Whether a term is less than a number.
fn is_below(terms: &mut Terms, term: Term, limit: u128, width: u32, count: Option<Count>) -> Result<bool, Undecided> {
    let Some(count) = count.filter(|_| !terms.is_secret(term)) else { return Err(refuse(terms, term)) };
    let Some(Linear { factor, constant }) = linear(terms, term, width, count) else {
        return Err(refuse(terms, term));
    };
    // From which count on the sum is 2^width or more.
    let wraps_from = (ones(width) - constant) / factor + 1;
    let below = if wraps_from <= count.low.into() {
        let less = ones(width) - constant + 1;
        // factor × count < less + limit.
        less.checked_add(limit).map(|least| least.div_ceil(factor))
    } else if wraps_from > count.high.into() {
        Some(limit.saturating_sub(constant).div_ceil(factor))
    } else {
        return Err(Undecided::Split(wraps_from as u64));
    };
    match below {
        Some(below) if below <= count.low.into() => Ok(false),
        Some(below) if below <= count.high.into() => Err(Undecided::Split(below as u64)),
        _ => Ok(true),
    }
}

/// Whether the highest bit of a term is one.
pub(crate) fn is_negative(terms: &mut Terms, term: Term, width: u32, count: Option<Count>) -> Result<bool, Undecided> {
    let sign = terms.extract(term, width - 1, 1);
    match terms.value(sign) {
        Some(value) => Ok(value == 1),
        None => is_below(terms, term, 1 << (width - 1), width, count).map(|below| !below),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks a question about factor × count + constant, splitting as often as asked to, and compares every answer with numbers.
    fn ask(
        factor: u128,
        constant: u128,
        question: fn(&mut Terms, Term, Count) -> Result<bool, Undecided>,
        answer: fn(u64) -> bool,
    ) {
        let mut terms = Terms::new(Default::default());
        let variable = terms.variable("count", 64, false);
        let term = terms.sum(&[(variable, factor)], constant, 64);
        let leaf = terms.as_leaf(variable).unwrap();
        let mut waiting = vec![(0, 40)];
        let mut covered = 0;
        while let Some((low, high)) = waiting.pop() {
            match question(&mut terms, term, Count { leaf, low, high, scale: 1, rest: 0 }) {
                Ok(holds) => {
                    for count in low..=high {
                        let value = (u128::from(count) * factor).wrapping_add(constant) as u64;
                        assert_eq!(holds, answer(value), "{factor} × {count} + {constant:#x}");
                        covered += 1;
                    }
                }
                Err(Undecided::Split(at)) => {
                    assert!(low < at && at <= high, "{low} to {high} cannot be split at {at}");
                    waiting.extend([(low, at - 1), (at, high)]);
                }
                Err(other) => panic!("{other:?}"),
            }
        }
        assert_eq!(covered, 41);
    }

    #[test]
    fn answers_hold_for_every_count_that_they_are_given_for() {
        let minus = |n: u64| u128::from(n.wrapping_neg());
        for factor in [1, 2, 3, 64] {
            for constant in [0, 1, 7, minus(1), minus(2), minus(5), minus(64), minus(128), minus(5000)] {
                ask(factor, constant, |t, term, count| is_zero(t, term, 64, Some(count)), |value| value == 0);
                ask(factor, constant, |t, term, count| is_negative(t, term, 64, Some(count)), |value| value >> 63 == 1);
                let less = |t: &mut Terms, term, count| {
                    let limit = t.constant(6);
                    is_less(t, term, limit, 64, Some(count))
                };
                ask(factor, constant, less, |value| value < 6);
                let more = |t: &mut Terms, term, count| {
                    let limit = t.constant(6);
                    is_less(t, limit, term, 64, Some(count))
                };
                ask(factor, constant, more, |value| 6 < value);
            }
        }
    }

    #[test]
    fn bits_of_few_counts_are_asked_for_one_by_one() {
        let mut terms = Terms::new(Default::default());
        let count = terms.variable("count", 64, false);
        let (leaf, less) = (terms.as_leaf(count).unwrap(), terms.add_constant(count, -2, 64));
        let lowest = terms.mask(less, 1);
        let known = |low, high| Some(Count { leaf, low, high, scale: 1, rest: 0 });
        assert_eq!(is_zero(&mut terms, lowest, 64, known(0, 0)), Ok(true));
        assert_eq!(is_zero(&mut terms, lowest, 64, known(1, 1)), Ok(false));
        assert_eq!(is_zero(&mut terms, lowest, 64, known(0, 1)), Err(Undecided::Split(1)));
        assert!(matches!(is_zero(&mut terms, lowest, 64, known(0, 100)), Err(Undecided::Unknown(_))));
    }

    #[test]
    fn the_end_of_a_buffer_is_compared_with_a_cursor() {
        let mut terms = Terms::new(Default::default());
        let [count, cursor] = ["count", "cursor"].map(|name| terms.variable(name, 64, false));
        let end = terms.sum(&[(cursor, 1), (count, 64)], 0, 64);
        let next = terms.add_constant(cursor, 64, 64);
        let leaf = terms.as_leaf(count).unwrap();
        for (a, b) in [(end, next), (next, end)] {
            let difference = terms.sub(a, b, 64);
            let known = |low, high| Some(Count { leaf, low, high, scale: 1, rest: 0 });
            assert_eq!(is_zero(&mut terms, difference, 64, known(1, 1)), Ok(true));
            assert_eq!(is_zero(&mut terms, difference, 64, known(2, 9)), Ok(false));
            assert_eq!(is_zero(&mut terms, difference, 64, known(1, 9)), Err(Undecided::Split(2)));
        }
    }

    #[test]
    fn what_is_not_about_the_count_is_refused() {
        let mut terms = Terms::new(Default::default());
        let (secret, public) = (terms.variable("s", 64, true), terms.variable("p", 64, false));
        assert!(matches!(is_zero(&mut terms, secret, 64, None), Err(Undecided::Secret(_))));
        assert!(matches!(is_zero(&mut terms, public, 64, None), Err(Undecided::Unknown(_))));
        assert!(matches!(is_less(&mut terms, public, secret, 64, None), Err(Undecided::Secret(_))));
    }
}
