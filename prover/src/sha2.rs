//! What the SHA-2 instructions of both instruction sets compute (the pseudocode of the manuals).

use crate::terms::{Term, Terms};

/// Ch of FIPS 180-4.
pub(crate) fn choose(t: &mut Terms, x: Term, y: Term, z: Term) -> Term {
    t.select(x, y, z)
}

/// Maj.
pub(crate) fn majority(t: &mut Terms, x: Term, y: Term, z: Term) -> Term {
    let (both, either) = (t.and(x, y), t.or(x, y));
    let rest = t.and(either, z);
    t.or(both, rest)
}

/// A function of three rotations.
pub(crate) fn big_sigma(t: &mut Terms, x: Term, by: [u32; 3], width: u32) -> Term {
    let [a, b, c] = by.map(|by| t.rotr(x, by, width));
    let two = t.xor(a, b);
    t.xor(two, c)
}

/// A function of two rotations and a shift.
pub(crate) fn small_sigma(t: &mut Terms, x: Term, [a, b, c]: [u32; 3], width: u32) -> Term {
    let rotated = [a, b].map(|by| t.rotr(x, by, width));
    let shifted = t.shr(x, c);
    let two = t.xor(rotated[0], rotated[1]);
    t.xor(two, shifted)
}

/// SHA256hash: the halves abcd and efgh after four rounds.
pub(crate) fn hash256(t: &mut Terms, abcd: Term, efgh: Term, words: Term) -> (Term, Term) {
    let (mut x, mut y, w) = (t.lanes(abcd, 32, 128), t.lanes(efgh, 32, 128), t.lanes(words, 32, 128));
    for word in w {
        let (chosen, sigma1) = (choose(t, y[0], y[1], y[2]), big_sigma(t, y[0], [6, 11, 25], 32));
        let (major, sigma0) = (majority(t, x[0], x[1], x[2]), big_sigma(t, x[0], [2, 13, 22], 32));
        let t1 = t.sum(&[(y[3], 1), (sigma1, 1), (chosen, 1), (word, 1)], 0, 32);
        let e = t.add(t1, x[3], 32);
        let a = t.sum(&[(t1, 1), (sigma0, 1), (major, 1)], 0, 32);
        (x, y) = (vec![a, x[0], x[1], x[2]], vec![e, y[0], y[1], y[2]]);
    }
    (t.vector(&x, 32), t.vector(&y, 32))
}

/// SHA256SU0.
pub(crate) fn schedule256(t: &mut Terms, d: Term, n: Term) -> Term {
    let (w, next) = (t.lanes(d, 32, 128), t.lanes(n, 32, 128));
    let words = [w[1], w[2], w[3], next[0]];
    let lanes: Vec<Term> = (w.iter().zip(words))
        .map(|(&word, after)| {
            let sigma = small_sigma(t, after, [7, 18, 3], 32);
            t.add(word, sigma, 32)
        })
        .collect();
    t.vector(&lanes, 32)
}

/// SHA256SU1.
pub(crate) fn schedule256_second(t: &mut Terms, d: Term, n: Term, m: Term) -> Term {
    let (d, n, m) = (t.lanes(d, 32, 128), t.lanes(n, 32, 128), t.lanes(m, 32, 128));
    let middle = [n[1], n[2], n[3], m[0]];
    let mut lanes: Vec<Term> = Vec::new();
    for lane in 0..4 {
        let late = if lane < 2 { m[lane + 2] } else { lanes[lane - 2] };
        let sigma = small_sigma(t, late, [17, 19, 10], 32);
        lanes.push(t.sum(&[(d[lane], 1), (middle[lane], 1), (sigma, 1)], 0, 32));
    }
    t.vector(&lanes, 32)
}
