//! What the cryptographic instructions do (the pseudocode of the manual, C7.2).

use super::instruction::{Instruction, Sha2};
use super::state::State;
use crate::terms::{Term, Terms};

impl State {
    /// Executes a cryptographic instruction.
    pub(super) fn execute_crypto(&mut self, t: &mut Terms, instruction: Instruction) {
        let of = |register: u32| self.v[register as usize];
        let (rd, result) = match instruction {
            Instruction::Sha2 { operation, rd, rn, rm } => (rd, sha2(t, operation, of(rd), of(rn), of(rm))),
            Instruction::Schedule256 { rd, rn } => (rd, schedule256(t, of(rd), of(rn))),
            Instruction::Schedule512 { rd, rn } => {
                let (w, x) = (t.lanes(of(rd), 64, 128), t.lanes(of(rn), 64, 128));
                let next = [w[1], x[0]].map(|word| small_sigma(t, word, [1, 8, 7], 64));
                let low = t.add(w[0], next[0], 64);
                let high = t.add(w[1], next[1], 64);
                (rd, t.vector(&[low, high], 64))
            }
            Instruction::Xor3 { rd, rn, rm, ra } => {
                let two = t.xor(of(rn), of(rm));
                (rd, t.xor(two, of(ra)))
            }
            Instruction::ClearXor { rd, rn, rm, ra } => {
                let inverted = t.not(of(ra), 128);
                let cleared = t.and(of(rm), inverted);
                (rd, t.xor(of(rn), cleared))
            }
            Instruction::XorRotate { rd, rn, rm, by } => {
                let both = t.xor(of(rn), of(rm));
                let lanes: Vec<Term> = t.lanes(both, 64, 128).into_iter().map(|lane| t.rotr(lane, by, 64)).collect();
                (rd, t.vector(&lanes, 64))
            }
            Instruction::RotateXor { rd, rn, rm } => {
                let lanes: Vec<Term> = t.lanes(of(rm), 64, 128).into_iter().map(|lane| t.rotr(lane, 63, 64)).collect();
                let rotated = t.vector(&lanes, 64);
                (rd, t.xor(of(rn), rotated))
            }
            other => unreachable!("{other:?} is executed elsewhere"),
        };
        self.v[rd as usize] = result;
    }
}

pub(crate) fn choose(t: &mut Terms, x: Term, y: Term, z: Term) -> Term {
    t.select(x, y, z)
}

pub(crate) fn majority(t: &mut Terms, x: Term, y: Term, z: Term) -> Term {
    let (both, either) = (t.and(x, y), t.or(x, y));
    let rest = t.and(either, z);
    t.or(both, rest)
}

pub(crate) fn big_sigma(t: &mut Terms, x: Term, by: [u32; 3], width: u32) -> Term {
    let [a, b, c] = by.map(|by| t.rotr(x, by, width));
    let two = t.xor(a, b);
    t.xor(two, c)
}

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

fn sha2(t: &mut Terms, operation: Sha2, d: Term, n: Term, m: Term) -> Term {
    match operation {
        Sha2::H256 => hash256(t, d, n, m).0,
        Sha2::SecondH256 => hash256(t, n, d, m).1,
        Sha2::Schedule256 => schedule256_second(t, d, n, m),
        Sha2::H512 => {
            let (w, x, y) = (t.lanes(d, 64, 128), t.lanes(n, 64, 128), t.lanes(m, 64, 128));
            let (sigma, chosen) = (big_sigma(t, y[1], [14, 18, 41], 64), choose(t, y[1], x[0], x[1]));
            let high = t.sum(&[(sigma, 1), (chosen, 1), (w[1], 1)], 0, 64);
            let e = t.add(high, y[0], 64);
            let (sigma, chosen) = (big_sigma(t, e, [14, 18, 41], 64), choose(t, e, y[1], x[0]));
            let next = t.sum(&[(sigma, 1), (chosen, 1), (w[0], 1)], 0, 64);
            t.vector(&[next, high], 64)
        }
        Sha2::SecondH512 => {
            let (w, x, y) = (t.lanes(d, 64, 128), t.lanes(n, 64, 128), t.lanes(m, 64, 128));
            let mut round = |a: Term, b: Term, c: Term, word: Term| {
                let (sigma, major) = (big_sigma(t, a, [28, 34, 39], 64), majority(t, a, b, c));
                t.sum(&[(sigma, 1), (major, 1), (word, 1)], 0, 64)
            };
            let high = round(y[0], y[1], x[0], w[1]);
            let low = round(high, y[0], y[1], w[0]);
            t.vector(&[low, high], 64)
        }
        Sha2::Schedule512 => {
            let (w, x, y) = (t.lanes(d, 64, 128), t.lanes(n, 64, 128), t.lanes(m, 64, 128));
            let lanes: Vec<Term> = (0..2)
                .map(|lane| {
                    let sigma = small_sigma(t, x[lane], [19, 61, 6], 64);
                    t.sum(&[(w[lane], 1), (sigma, 1), (y[lane], 1)], 0, 64)
                })
                .collect();
            t.vector(&lanes, 64)
        }
    }
}
