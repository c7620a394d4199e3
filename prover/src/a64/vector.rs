//! What instructions on vector registers do.

use super::instruction::{Instruction, Permute};
use super::state::State;
use crate::terms::{Term, Terms, ones};
use crate::vectors::look_up;

impl State {
    /// Executes an instruction that is neither a branch nor on general registers or memory alone.
    pub(super) fn execute_vector(&mut self, t: &mut Terms, instruction: Instruction) {
        match instruction {
            Instruction::Lanes { operation, width, element, rd, rn, rm } => {
                let (a, b) = (self.vector(t, rn, width), self.vector(t, rm, width));
                self.v[rd as usize] = operation.apply(t, a, b, element, width);
            }
            Instruction::VectorLogic { operation, width, rd, rn, rm } => {
                let [a, b, was] = [rn, rm, rd].map(|register| self.vector(t, register, width));
                self.v[rd as usize] = operation.apply(t, was, a, b, width);
            }
            Instruction::VectorShift { operation, width, element, rd, rn, by } => {
                let (value, was) = (self.vector(t, rn, width), self.vector(t, rd, width));
                self.v[rd as usize] = operation.apply(t, was, value, by, element, width);
            }
            Instruction::Widen { upper, element, rd, rn, by } => {
                let half = t.extract(self.v[rn as usize], if upper { 64 } else { 0 }, 64);
                let lanes: Vec<Term> =
                    t.lanes(half, element, 64).into_iter().map(|lane| t.shl(lane, by, 2 * element)).collect();
                self.v[rd as usize] = t.vector(&lanes, 2 * element);
            }
            Instruction::Narrow { upper, element, rd, rn, by } => {
                let lanes: Vec<Term> = t
                    .lanes(self.v[rn as usize], 2 * element, 128)
                    .into_iter()
                    .map(|lane| t.extract(lane, by, element))
                    .collect();
                let half = t.vector(&lanes, element);
                self.v[rd as usize] = if upper {
                    let low = self.vector(t, rd, 64);
                    t.concat(&[(low, 64), (half, 64)])
                } else {
                    half
                };
            }
            Instruction::Permute { kind, second, width, element, rd, rn, rm } => {
                let (a, b) = (self.vector(t, rn, width), self.vector(t, rm, width));
                let (a, b) = (t.lanes(a, element, width), t.lanes(b, element, width));
                self.v[rd as usize] = t.vector(&permute(kind, second, &a, &b), element);
            }
            Instruction::VectorExtract { width, rd, rn, rm, from } => {
                let (low, high) = (self.vector(t, rn, width), self.vector(t, rm, width));
                let low = t.shr(low, from);
                self.v[rd as usize] = if from == 0 {
                    low
                } else {
                    let high = t.shl(high, width - from, width);
                    t.xor(low, high)
                };
            }
            Instruction::VectorReverse { width, unit, element, rd, rn } => {
                let value = self.vector(t, rn, width);
                self.v[rd as usize] = t.reverse_units(value, unit, element, width);
            }
            Instruction::Table { width, count, rd, rn, rm } => {
                self.v[rd as usize] = self.table(t, width, count, rn, rm);
            }
            _ => self.execute_element(t, instruction),
        }
    }

    /// Moves of single elements, and what is left for `crypto`.
    fn execute_element(&mut self, t: &mut Terms, instruction: Instruction) {
        match instruction {
            Instruction::DuplicateElement { scalar, width, element, rd, rn, index } => {
                let lane = t.extract(self.v[rn as usize], index * element, element);
                let copies = if scalar { 1 } else { width / element };
                self.v[rd as usize] = t.vector(&vec![lane; copies as usize], element);
            }
            Instruction::DuplicateGeneral { width, element, rd, rn } => {
                let lane = self.zero_or(t, rn, element);
                self.v[rd as usize] = t.vector(&vec![lane; (width / element) as usize], element);
            }
            Instruction::InsertElement { element, rd, rn, to, from } => {
                let lane = t.extract(self.v[rn as usize], from * element, element);
                self.insert(t, rd, lane, to * element, element);
            }
            Instruction::InsertGeneral { element, rd, rn, to } => {
                let lane = self.zero_or(t, rn, element);
                self.insert(t, rd, lane, to * element, element);
            }
            Instruction::MoveElement { element, rd, rn, from } => {
                let lane = t.extract(self.v[rn as usize], from * element, element);
                self.set(rd, lane);
            }
            Instruction::MoveToVector { element, upper, rd, rn } => {
                let value = self.zero_or(t, rn, element);
                if upper {
                    self.insert(t, rd, value, 64, 64);
                } else {
                    self.v[rd as usize] = value;
                }
            }
            Instruction::MoveFromVector { element, upper, rd, rn } => {
                let value = t.extract(self.v[rn as usize], if upper { 64 } else { 0 }, element);
                self.set(rd, value);
            }
            Instruction::VectorImmediate { rd, value, .. } => self.v[rd as usize] = t.constant(value),
            _ => self.execute_crypto(t, instruction),
        }
    }

    fn insert(&mut self, t: &mut Terms, rd: u32, lane: Term, at: u32, element: u32) {
        let kept = t.mask(self.v[rd as usize], !(ones(element) << at));
        let placed = t.shl(lane, at, 128);
        self.v[rd as usize] = t.xor(kept, placed);
    }

    /// TBL: each byte of the index chooses a byte of the table, or zero. Indices that are not constant are a polynomial.
    fn table(&self, t: &mut Terms, width: u32, count: u32, rn: u32, rm: u32) -> Term {
        let indices = self.vector(t, rm, width);
        let registers: Vec<Term> = (0..count).map(|n| self.v[((rn + n) % 32) as usize]).collect();
        look_up(t, &registers, indices, width)
    }
}

fn permute(kind: Permute, second: bool, a: &[Term], b: &[Term]) -> Vec<Term> {
    let (lanes, part) = (a.len(), usize::from(second));
    match kind {
        Permute::Unzip => a.iter().chain(b).copied().skip(part).step_by(2).collect(),
        Permute::Transpose => (0..lanes / 2).flat_map(|pair| [a[2 * pair + part], b[2 * pair + part]]).collect(),
        Permute::Zip => (0..lanes / 2).flat_map(|n| [a[n + part * lanes / 2], b[n + part * lanes / 2]]).collect(),
    }
}
