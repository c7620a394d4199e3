//! What the cryptographic instructions do (the pseudocode of the manual, C7.2).

use super::instruction::{Instruction, Sha2};
use super::state::State;
use crate::sha2::{big_sigma, choose, hash256, majority, schedule256, schedule256_second, small_sigma};
use crate::terms::{Term, Terms};

impl State {
    /// Executes a cryptographic instruction.
    pub(super) fn execute_crypto(&mut self, t: &mut Terms, instruction: Instruction) {
        let of = |register: u32| self.v[register as usize];
        let (rd, result) = match instruction {
            Instruction::Aes { operation, rd, rn } => (rd, operation.apply(t, of(rd), of(rn))),
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
