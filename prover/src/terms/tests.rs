//! Terms against numbers, and different ways to say the same.

use super::{Assignment, Term, Terms, ones};

fn terms() -> Terms {
    Terms::new(Default::default())
}

/// Variables with values, and a way to the value of a term.
struct Numbers {
    terms: Terms,
    values: Assignment,
    state: u64,
}

impl Numbers {
    fn new(seed: u64) -> Numbers {
        Numbers { terms: terms(), values: Assignment::default(), state: seed }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.state >> 11 ^ self.state << 40
    }

    fn variable(&mut self, width: u32) -> (Term, u128) {
        let value = (u128::from(self.next()) << 64 | u128::from(self.next())) & ones(width);
        let term = self.terms.variable("x", width, true);
        self.values.set(self.terms.as_leaf(term).unwrap(), value);
        (term, value)
    }

    fn value(&mut self, term: Term) -> u128 {
        self.terms.evaluate(term, &mut self.values, &mut |_| panic!("every variable has a value"))
    }
}

#[test]
fn random_expressions_have_the_value_of_the_same_on_numbers() {
    for width in [8, 32, 64, 128] {
        let mut numbers = Numbers::new(width.into());
        let mut known: Vec<(Term, u128)> = (0..4).map(|_| numbers.variable(width)).collect();
        for _ in 0..200 {
            let pick = |numbers: &mut Numbers| known[known.len() - 1 - numbers.next() as usize % 4];
            let ((a, x), (b, y)) = (pick(&mut numbers), pick(&mut numbers));
            let by = numbers.next() as u32 % width;
            let t = &mut numbers.terms;
            let rotated = |x: u128| if by == 0 { x } else { (x >> by | x << (width - by)) & ones(width) };
            let (term, value) = match numbers.state >> 20 & 7 {
                0 => (t.xor(a, b), x ^ y),
                1 => (t.add(a, b, width), x.wrapping_add(y) & ones(width)),
                2 => (t.sub(a, b, width), x.wrapping_sub(y) & ones(width)),
                3 => (t.shl(a, by, width), x << by & ones(width)),
                4 => (t.shr(a, by), x >> by),
                5 => (t.rotr(a, by, width), rotated(x)),
                6 => (t.not(a, width), !x & ones(width)),
                // AND of what has grown by AND doubles it.
                _ => {
                    let part = t.mask(a, 0xff0f);
                    (t.xor(part, b), x & 0xff0f ^ y)
                }
            };
            assert_eq!(numbers.value(term), value);
            known.push((term, value));
        }
    }
}

#[test]
fn and_or_and_select_have_their_values() {
    let mut numbers = Numbers::new(9);
    let [(a, x), (b, y), (c, z)] = std::array::from_fn(|_| numbers.variable(64));
    let t = &mut numbers.terms;
    let (and, or, select) = (t.and(a, b), t.or(a, b), t.select(c, a, b));
    let majority = [(a, b), (a, c), (b, c)].map(|(p, q)| t.and(p, q));
    let majority = majority.into_iter().reduce(|p, q| t.xor(p, q)).unwrap();
    assert_eq!(numbers.value(and), x & y);
    assert_eq!(numbers.value(or), x | y);
    assert_eq!(numbers.value(select), z & x | !z & y);
    assert_eq!(numbers.value(majority), x & y | x & z | y & z);
}

#[test]
fn one_function_has_one_form() {
    let t = &mut terms();
    let [x, y, z] = ["x", "y", "z"].map(|name| t.variable(name, 32, true));
    // Rotation by shifts.
    let (left, right) = (t.shl(x, 25, 32), t.shr(x, 7));
    assert_eq!(t.or(left, right), t.rotr(x, 7, 32));
    // Ch by selection and as a sum of what has no one in common; Maj by differences.
    let (and, not) = (t.and(x, y), t.not(x, 32));
    let rest = t.and(not, z);
    assert_eq!(t.add(and, rest, 32), t.select(x, y, z));
    let (xy, yz) = (t.xor(x, y), t.xor(y, z));
    let both = t.and(xy, yz);
    let by_differences = t.xor(both, y);
    let (or, xz_y) = (t.or(x, y), t.and(x, y));
    let with_z = t.and(or, z);
    assert_eq!(t.or(xz_y, with_z), by_differences);
    // De Morgan.
    let (not_x, not_y) = (t.not(x, 32), t.not(y, 32));
    let or = t.or(not_x, not_y);
    assert_eq!(t.not(or, 32), t.and(x, y));
    assert_eq!(t.reverse_bytes(x, 16, 32), {
        let swapped = t.reverse_bytes(x, 32, 32);
        t.rotr(swapped, 16, 32)
    });
}

#[test]
fn one_sum_has_one_form() {
    let t = &mut terms();
    let [x, y, z] = ["x", "y", "z"].map(|name| t.variable(name, 64, true));
    let (xy, yz) = (t.add(x, y, 64), t.add(y, z, 64));
    assert_eq!(t.add(xy, z, 64), t.add(x, yz, 64));
    assert_eq!(t.sub(xy, y, 64), x);
    // Doubling by addition and by a shift, and back.
    let (twice, shifted) = (t.add(x, x, 64), t.shl(x, 1, 64));
    assert_eq!(twice, shifted);
    assert_eq!(t.sub(twice, x, 64), x);
    let thrice = t.add(shifted, x, 64);
    assert_eq!(t.sum(&[(x, 3)], 0, 64), thrice);
    // What is dropped does not count.
    let [low_x, low_y] = [x, y].map(|term| t.low(term, 32));
    let narrow = t.add(low_x, low_y, 32);
    assert_eq!(t.low(xy, 32), narrow);
    // A rotation by shifts that are added.
    let (left, right) = (t.shl(x, 44, 64), t.shr(x, 20));
    let step = t.add(y, right, 64);
    let rotated = t.rotr(x, 20, 64);
    assert_eq!(t.add(step, left, 64), t.add(y, rotated, 64));
}

#[test]
fn a_carry_joins_the_halves_of_a_sum() {
    let mut numbers = Numbers::new(11);
    let [(a, x), (b, y)] = std::array::from_fn(|_| numbers.variable(64));
    let carry = numbers.terms.carry(a, b, 64);
    assert_eq!(numbers.value(carry), (x + y) >> 64);
}

#[test]
fn a_word_that_is_doubled_with_its_carry_is_rotated() {
    // ADDS, ADCS, ADC of a word in two halves: the rotation by 63 of BLAKE2b.
    let t = &mut terms();
    let [low, high] = ["low", "high"].map(|name| t.variable(name, 32, true));
    let whole = t.concat(&[(low, 32), (high, 32)]);
    let doubled = t.shl(low, 1, 32);
    let above = t.concat(&[(whole, 64), (doubled, 32)]);
    let sum = t.add(above, whole, 96);
    let rotated = t.rotr(whole, 63, 64);
    assert_eq!(t.extract(sum, 64, 32), t.low(rotated, 32));
    assert_eq!(t.extract(sum, 32, 32), t.extract(rotated, 32, 32));
}

#[test]
fn copies_of_a_term_that_do_not_meet_are_no_sum() {
    let mut numbers = Numbers::new(12);
    let (x, value) = numbers.variable(16);
    let t = &mut numbers.terms;
    let (apart, meeting) = (t.sum(&[(x, 0x1_0001)], 0, 32), t.sum(&[(x, 0x8001)], 0, 32));
    assert_eq!(apart, t.concat(&[(x, 16), (x, 16)]));
    assert!(t.as_leaf(meeting).is_some());
    assert_eq!(numbers.value(meeting), (value * 0x8001) & 0xffff_ffff);
}

#[test]
fn bits_of_a_sum_are_equal_however_they_are_taken() {
    let t = &mut terms();
    let [x, y] = ["x", "y"].map(|name| t.variable(name, 64, false));
    let sum = t.add(x, y, 64);
    let (low, high) = (t.low(sum, 32), t.extract(sum, 32, 32));
    let joined = t.concat(&[(low, 32), (high, 32)]);
    assert_ne!(joined, sum);
    assert!(t.equal(joined, sum));
    let other = t.add_constant(sum, 1, 64);
    assert!(!t.equal(joined, other));
}

#[test]
fn secrets_are_followed_and_cancel() {
    let t = &mut terms();
    let (secret, public) = (t.variable("s", 32, true), t.variable("p", 32, false));
    let mixed = t.add(secret, public, 32);
    assert!(t.is_secret(mixed) && !t.is_secret(public));
    let cleared = t.sub(mixed, secret, 32);
    assert!(!t.is_secret(cleared));
    assert_eq!(cleared, public);
}

#[test]
fn substitution_is_evaluation_by_terms() {
    let t = &mut terms();
    let [x, y] = ["x", "y"].map(|name| t.variable(name, 32, true));
    let formula = |t: &mut Terms, x: Term| {
        let turned = t.rotr(x, 5, 32);
        let sum = t.sum(&[(turned, 1), (y, 3)], 7, 32);
        let and = t.and(sum, x);
        let vector = t.concat(&[(and, 32), (sum, 32), (x, 32)]);
        t.shr(vector, 9)
    };
    let before = formula(t, x);
    let by = t.add_constant(y, 12, 32);
    let expected = formula(t, by);
    let mut substitution = super::Substitution::default();
    substitution.replace(t.as_leaf(x).unwrap(), by);
    assert_eq!(t.substitute(before, &mut substitution), expected);
}

#[test]
fn the_part_that_differs_is_found() {
    let t = &mut terms();
    let [x, y, z] = ["x", "y", "z"].map(|name| t.variable(name, 32, true));
    let build = |t: &mut Terms, inner: Term| {
        let sum = t.add(inner, y, 32);
        let turned = t.rotr(sum, 6, 32);
        let mixed = t.xor(turned, z);
        t.add(mixed, z, 32)
    };
    let (one, other) = (build(t, x), build(t, z));
    let difference = t.difference(one, other);
    assert_eq!((&*difference.one, &*difference.other), ("x", "z"));
    assert_eq!(difference.maker, None);
}

#[test]
fn the_first_thing_that_differs_is_told_with_the_instruction_that_made_it() {
    let t = &mut terms();
    let [x, y, z] = ["x", "y", "z"].map(|name| t.variable(name, 32, true));
    // Three rounds, of which the last makes all that the first one did wrong twice over.
    let rounds = |t: &mut Terms, turns: [u32; 3], code: bool| {
        let mut state = [x, y, z];
        for (round, turn) in turns.into_iter().enumerate() {
            let at = |t: &mut Terms, place: u64| t.set_executed(code.then_some(16 * round as u64 + place));
            at(t, 0);
            let turned = t.rotr(state[0], turn, 32);
            at(t, 4);
            let mixed = t.xor(turned, state[1]);
            at(t, 8);
            let sum = t.add(mixed, state[2], 32);
            at(t, 12);
            let last = t.add(sum, state[0], 32);
            state = [sum, last, state[0]];
        }
        t.set_executed(None);
        t.xor(state[0], state[1])
    };
    let (one, other) = (rounds(t, [7, 11, 13], true), rounds(t, [7, 12, 13], false));
    let difference = t.difference(one, other);
    assert_eq!(difference.maker, Some(16), "{difference:?}");
    assert!(difference.one.ends_with(">>>11") && difference.other.ends_with(">>>12"), "{difference:?}");
    // What the other has elsewhere was made as it should be; what is made of it was not.
    t.set_executed(Some(2));
    let elsewhere = t.rotr(y, 3, 32);
    let build = |t: &mut Terms, part: Term, offset: Option<u64>| {
        t.set_executed(offset);
        let sum = t.add(part, z, 32);
        t.set_executed(None);
        let turned = t.rotr(sum, 9, 32);
        t.add(turned, elsewhere, 32)
    };
    let (wrong, right) = (build(t, elsewhere, Some(4)), build(t, x, None));
    let difference = t.difference(wrong, right);
    assert_eq!((&*difference.one, &*difference.other, difference.maker), ("y>>>3", "x", Some(4)));
}

#[test]
fn offsets_are_told_from_other_terms() {
    let t = &mut terms();
    let base = t.variable("base", 64, false);
    let leaf = t.as_leaf(base).unwrap();
    let below = t.add_constant(base, -16, 64);
    assert_eq!(t.as_offset(below, 64), Some((Some(leaf), -16)));
    let negative = t.constant(ones(64) - 3);
    assert_eq!(t.as_offset(negative, 64), Some((None, -4)));
    let twice = t.add(base, below, 64);
    assert_eq!(t.as_offset(twice, 64), None);
}
