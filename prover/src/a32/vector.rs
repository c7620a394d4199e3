//! What instructions on vector registers do.

use super::instruction::{After, Exchange, Operation, Sha256, Three};
use super::state::State;
use crate::machine::{Fault, Stop};
use crate::sha2::{hash256, schedule256, schedule256_second};
use crate::terms::{Term, Terms, ones};
use crate::vectors::{look_up, unzip, zip};

impl State {
    /// Executes an instruction on vector registers.
    pub(super) fn execute_vector(
        &mut self,
        t: &mut Terms,
        operation: Operation,
        class: &'static str,
    ) -> Result<(), Stop> {
        match operation {
            Operation::VectorMemory { .. }
            | Operation::Structures { .. }
            | Operation::LoadLane { .. }
            | Operation::LoadAll { .. } => Ok(self.vector_memory(t, operation)?),
            Operation::Aes { operation, d, m } => {
                let [was, operand] = [d, m].map(|register| self.vector(t, register, true));
                let result = operation.apply(t, was, operand);
                self.set_vector(t, d, true, result);
                Ok(())
            }
            Operation::Sha256 { operation, d, n, m } => {
                let [was, n, m] = [d, n, m].map(|register| self.vector(t, register, true));
                let result = match operation {
                    Sha256::Hash => hash256(t, was, n, m).0,
                    Sha256::SecondHash => hash256(t, n, was, m).1,
                    Sha256::Schedule => schedule256(t, was, m),
                    Sha256::SecondSchedule => schedule256_second(t, was, n, m),
                };
                self.set_vector(t, d, true, result);
                Ok(())
            }
            Operation::Three { operation, quad, element, d, n, m } => {
                let [was, a, b] = [d, n, m].map(|register| self.vector(t, register, quad));
                let result = match operation {
                    Three::Lanes(lanes) => lanes.apply(t, a, b, element, width(quad)),
                    Three::Logic(logic) => logic.apply(t, was, a, b, width(quad)),
                };
                self.set_vector(t, d, quad, result);
                Ok(())
            }
            _ if self.element(t, operation) => Ok(()),
            _ => Err(Fault::Operand(class, "an operation that has no meaning here".to_owned()).into()),
        }
    }

    fn element(&mut self, t: &mut Terms, operation: Operation) -> bool {
        let (d, quad, result) = match operation {
            Operation::VectorShift { operation, quad, element, d, m, by } => {
                let (value, was) = (self.vector(t, m, quad), self.vector(t, d, quad));
                (d, quad, operation.apply(t, was, value, by, element, width(quad)))
            }
            Operation::Narrow { element, d, m, by } => {
                let value = self.vector(t, m, true);
                let lanes: Vec<Term> =
                    t.lanes(value, 2 * element, 128).into_iter().map(|lane| t.extract(lane, by, element)).collect();
                (d, false, t.vector(&lanes, element))
            }
            Operation::Extract { quad, d, n, m, from } => {
                let (low, high) = (self.vector(t, n, quad), self.vector(t, m, quad));
                let low = t.shr(low, from);
                let high = if from == 0 { Terms::ZERO } else { t.shl(high, width(quad) - from, width(quad)) };
                (d, quad, t.xor(low, high))
            }
            Operation::Table { d, n, count, m } => {
                let registers: Vec<Term> = (0..count.div_ceil(2))
                    .map(|pair| {
                        let low = self.d[(n + 2 * pair) as usize];
                        // Of an odd number the last is alone, and what would be above it reads as zero.
                        let high = if 2 * pair + 1 < count { self.d[(n + 2 * pair + 1) as usize] } else { Terms::ZERO };
                        t.concat(&[(low, 64), (high, 64)])
                    })
                    .collect();
                (d, false, look_up(t, &registers, self.d[m as usize], 64))
            }
            Operation::DuplicateLane { quad, element, d, m, index } => {
                let lane = t.extract(self.d[m as usize], index * element, element);
                (d, quad, t.vector(&vec![lane; (width(quad) / element) as usize], element))
            }
            Operation::DuplicateGeneral { quad, element, d, rt } => {
                let lane = t.low(self.r[rt as usize], element);
                (d, quad, t.vector(&vec![lane; (width(quad) / element) as usize], element))
            }
            Operation::VectorReverse { quad, unit, element, d, m } => {
                let value = self.vector(t, m, quad);
                (d, quad, t.reverse_units(value, unit, element, width(quad)))
            }
            Operation::ExchangeVectors { exchange, quad, element, d, m } => {
                let (a, b) = (self.vector(t, d, quad), self.vector(t, m, quad));
                let (a, b) = exchanged(t, exchange, a, b, element, width(quad));
                self.set_vector(t, m, quad, b);
                (d, quad, a)
            }
            Operation::VectorImmediate { quad, d, value } => {
                let value = t.constant(value.into());
                (d, quad, t.vector(&vec![value; if quad { 2 } else { 1 }], 64))
            }
            Operation::MoveLane { rt, d, index } => {
                self.r[rt as usize] = t.extract(self.d[d as usize], 32 * index, 32);
                return true;
            }
            Operation::Two { d, low, high, to_vector: true } => {
                let words = [self.r[low as usize], self.r[high as usize]];
                (d, false, t.vector(&words, 32))
            }
            Operation::Two { d, low, high, to_vector: false } => {
                self.r[low as usize] = t.extract(self.d[d as usize], 0, 32);
                self.r[high as usize] = t.extract(self.d[d as usize], 32, 32);
                return true;
            }
            _ => return false,
        };
        self.set_vector(t, d, quad, result);
        true
    }

    fn vector_memory(&mut self, t: &mut Terms, operation: Operation) -> Result<(), Stop> {
        let (rn, updated) = match operation {
            Operation::VectorMemory { load, d, count, rn, start, update } => {
                let first = self.moved(t, rn, start);
                let updated = update.map(|by| self.moved(t, rn, by));
                if let Some(updated) = updated.filter(|_| rn == 13 && !load && update < Some(0)) {
                    self.r[rn as usize] = updated;
                }
                self.doublewords(t, load, d, count, first)?;
                (rn, updated)
            }
            Operation::Structures { load, d, count, interleave, rn, after } => {
                let first = self.get(t, rn);
                let registers = d as usize..(d + count) as usize;
                let kept = self.d[registers.clone()].to_vec();
                if let Some(element) = interleave.filter(|_| !load) {
                    self.exchange_halves(t, d as usize, count as usize, element, zip);
                }
                self.doublewords(t, load, d, count, first)?;
                if !load {
                    self.d[registers].copy_from_slice(&kept);
                } else if let Some(element) = interleave {
                    self.exchange_halves(t, d as usize, count as usize, element, unzip);
                }
                (rn, self.moved_after(t, first, count * 8, after))
            }
            Operation::LoadLane { element, d, index, rn, after } => {
                let first = self.get(t, rn);
                let lane = self.load(t, first, element / 8)?;
                let kept = t.mask(self.d[d as usize], !(ones(element) << (index * element)));
                let placed = t.shl(lane, index * element, 64);
                self.d[d as usize] = t.xor(kept, placed);
                (rn, self.moved_after(t, first, element / 8, after))
            }
            Operation::LoadAll { element, d, count, rn, after } => {
                let first = self.get(t, rn);
                let lane = self.load(t, first, element / 8)?;
                let all = t.vector(&vec![lane; (64 / element) as usize], element);
                self.d[d as usize..(d + count) as usize].fill(all);
                (rn, self.moved_after(t, first, element / 8, after))
            }
            _ => return Ok(()),
        };
        if let Some(updated) = updated {
            self.r[rn as usize] = updated;
        }
        Ok(())
    }

    fn moved_after(&self, t: &mut Terms, first: Term, bytes: u32, after: After) -> Option<Term> {
        match after {
            After::Same => None,
            After::Behind => Some(t.add_constant(first, bytes.into(), 32)),
            After::By(register) => Some(t.add(first, self.r[register as usize], 32)),
        }
    }

    /// VLD2 and VST2: both halves of the registers are one vector each, in memory their elements take turns.
    fn exchange_halves(
        &mut self,
        t: &mut Terms,
        d: usize,
        count: usize,
        element: u32,
        by: fn(&mut Terms, [Term; 2], u32, u32) -> [Term; 2],
    ) {
        let width = 32 * count as u32;
        let halves = [d, d + count / 2].map(|at| t.vector(&self.d[at..at + count / 2], 64));
        let new = by(t, halves, element, width);
        for (n, place) in (d..d + count).enumerate() {
            let at = (n % (count / 2)) as u32 * 64;
            self.d[place] = t.extract_bits(new[n / (count / 2)], at, 64);
        }
    }

    fn doublewords(&mut self, t: &mut Terms, load: bool, d: u32, count: u32, first: Term) -> Result<(), Stop> {
        for index in 0..count {
            let address = t.add_constant(first, (index * 8).into(), 32);
            if load {
                self.d[(d + index) as usize] = self.load(t, address, 8)?;
            } else {
                self.store(t, address, self.d[(d + index) as usize], 8)?;
            }
        }
        Ok(())
    }
}

const fn width(quad: bool) -> u32 {
    if quad { 128 } else { 64 }
}

fn exchanged(t: &mut Terms, exchange: Exchange, a: Term, b: Term, element: u32, width: u32) -> (Term, Term) {
    let (mut x, mut y) = (t.lanes(a, element, width), t.lanes(b, element, width));
    let count = x.len();
    match exchange {
        Exchange::Swap => return (b, a),
        Exchange::Transpose => (0..count).step_by(2).for_each(|n| std::mem::swap(&mut x[n + 1], &mut y[n])),
        Exchange::Unzip => return unzip(t, [a, b], element, width).into(),
        Exchange::Zip => return zip(t, [a, b], element, width).into(),
    }
    (t.vector(&x, element), t.vector(&y, element))
}
