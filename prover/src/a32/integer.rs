//! What instructions on general registers do, and branches, loads and stores.

use super::instruction::{Alu, Mode, Operand, Operation, Shift, ShiftBy};
use super::state::{Flags, State};
use crate::conditions::is_zero;
use crate::machine::{Fault, Flow, Machine, Stop};
use crate::terms::{Term, Terms, ones};

impl State {
    /// Executes an instruction whose condition holds.
    pub(crate) fn execute(&mut self, t: &mut Terms, operation: Operation, class: &'static str) -> Result<Flow, Stop> {
        match operation {
            Operation::Branch { offset } => {
                self.position = (self.position as i64 + offset) as u64;
                return Ok(Flow::On);
            }
            Operation::Exchange { rm } => {
                let target = self.get(t, rm);
                self.check_return(t, target)?;
                return Ok(Flow::Returned);
            }
            Operation::BranchZero { nonzero, rn, offset } => {
                let tested = self.get(t, rn);
                let taken = is_zero(t, tested, 32, self.count)? != nonzero;
                self.position =
                    if taken { (self.position as i64 + offset) as u64 } else { self.position + self.length };
                return Ok(Flow::On);
            }
            Operation::Nop => {}
            Operation::Address { rd, offset } => self.r[rd as usize] = self.moved(t, 15, offset),
            Operation::Alu { alu, flags, rd, rn, operand } => self.alu(t, alu, flags, rd, rn, operand)?,
            Operation::MoveWide { top, rd, immediate } => {
                let kept = if top { t.mask(self.r[rd as usize], 0xffff) } else { Terms::ZERO };
                let new = t.constant(u128::from(immediate) << if top { 16 } else { 0 });
                self.r[rd as usize] = t.xor(kept, new);
            }
            Operation::Reverse { rd, rm } => self.r[rd as usize] = t.reverse_bytes(self.r[rm as usize], 32, 32),
            Operation::PackHalves { top, rd, rn, rm, by } => {
                let (n, m) = (self.r[rn as usize], self.r[rm as usize]);
                self.r[rd as usize] = if top {
                    let shifted = arithmetic_shift(t, m, by);
                    let (high, low) = (t.mask(n, 0xffff_0000), t.mask(shifted, 0xffff));
                    t.xor(high, low)
                } else {
                    let shifted = t.shl(m, by, 32);
                    let (high, low) = (t.mask(shifted, 0xffff_0000), t.mask(n, 0xffff));
                    t.xor(high, low)
                };
            }
            Operation::InsertBits { rd, rn, low, width } => {
                let kept = t.mask(self.r[rd as usize], !(ones(width) << low));
                let field = t.mask(self.r[rn as usize], ones(width));
                let placed = t.shl(field, low, 32);
                self.r[rd as usize] = t.xor(kept, placed);
            }
            Operation::ExtractBits { signed, rd, rn, low, width } => {
                let field = t.extract(self.r[rn as usize], low, width);
                self.r[rd as usize] = if signed { sign_extended(t, field, width) } else { field };
            }
            Operation::ShiftBy { kind, flags, rd, rn, rm } => {
                let amount = t.mask(self.r[rm as usize], 0xff);
                let refused = || Fault::Operand(class, format!("a shift by {}", t.write(amount)));
                let amount = t.value(amount).ok_or_else(refused)? as u32;
                let (result, shifted_out) = shifted_by(t, kind, self.r[rn as usize], amount);
                if flags {
                    self.flags = self.logic_flags(t, result, shifted_out);
                }
                self.r[rd as usize] = result;
            }
            Operation::Multiply { flags, rd, rn, rm } => {
                let result = self.product(t, [rn, rm], (Terms::ZERO, false), class)?;
                if flags {
                    self.flags = self.logic_flags(t, result, None);
                }
                self.r[rd as usize] = result;
            }
            Operation::MultiplyAdd { subtract, rd, rn, rm, ra } => {
                self.r[rd as usize] = self.product(t, [rn, rm], (self.r[ra as usize], subtract), class)?;
            }
            _ => {
                if !self.execute_memory(t, operation)? {
                    self.execute_vector(t, operation, class)?;
                }
            }
        }
        // A load of the address of the next instruction.
        if let Operation::Multiple { load: true, list, .. } = operation
            && list >> 15 == 1
        {
            return Ok(Flow::Returned);
        }
        self.position += self.length;
        Ok(Flow::On)
    }

    fn check_return(&self, t: &mut Terms, target: Term) -> Result<(), Fault> {
        if target == self.return_address { Ok(()) } else { Err(Fault::ReturnAddress(t.write(target))) }
    }

    /// The second operand, and the carry that its shift makes; none if the shift leaves the carry alone.
    fn operand(&self, t: &mut Terms, operand: Operand) -> Result<(Term, Option<Term>), Stop> {
        let (register, shift) = match operand {
            Operand::Immediate(value, carry) => {
                let carry = carry.map(|carry| t.constant(carry.into()));
                return Ok((t.constant(value.into()), carry));
            }
            Operand::Shifted(register, shift) => (register, shift),
        };
        let value = self.get(t, register);
        let carry = if shift == Shift::Extend { self.carry_bit(t)? } else { Terms::ZERO };
        Ok(shifted(t, value, shift, carry))
    }

    /// The flags that a logical operation sets: the carry stays where no shift moves something out, the overflow in any case.
    fn logic_flags(&self, t: &mut Terms, result: Term, shifted_out: Option<Term>) -> Flags {
        let carry = shifted_out.or_else(|| self.carry_bit(t).ok());
        Flags::Logic { result, carry, secret: self.flags_are_secret(t) }
    }

    /// A product, of which one factor is a number, added to something or subtracted from it.
    fn product(
        &self,
        t: &mut Terms,
        factors: [u32; 2],
        (addend, subtract): (Term, bool),
        class: &'static str,
    ) -> Result<Term, Fault> {
        let [a, b] = factors.map(|register| self.r[register as usize]);
        let (factor, by) = match (t.value(a), t.value(b)) {
            (Some(a), _) => (a, b),
            (_, Some(b)) => (b, a),
            _ => return Err(Fault::Operand(class, format!("{} times {}", t.write(a), t.write(b)))),
        };
        let factor = if subtract { factor.wrapping_neg() } else { factor };
        Ok(t.sum(&[(addend, 1), (by, factor)], 0, 32))
    }

    fn alu(&mut self, t: &mut Terms, alu: Alu, flags: bool, rd: u32, rn: u32, operand: Operand) -> Result<(), Stop> {
        let (b, shifted_out) = self.operand(t, operand)?;
        let a = self.get(t, rn);
        let result = match alu {
            Alu::Add => self.sum(t, a, b, false, flags),
            Alu::CompareNegative => self.sum(t, a, b, false, flags),
            Alu::Sub | Alu::Compare => self.sum(t, a, b, true, flags),
            Alu::ReverseSub => self.sum(t, b, a, true, flags),
            Alu::AddCarry => self.sum_with_carry(t, a, b, false, flags)?,
            Alu::SubCarry => self.sum_with_carry(t, a, b, true, flags)?,
            _ => {
                let place = self.in_word_of_code(t, alu, a, b);
                let result = match alu {
                    _ if place.is_some() => place.unwrap_or(a),
                    Alu::And | Alu::Test => {
                        let both = self.and(t, a, b);
                        t.recognised(both, 32)
                    }
                    Alu::Xor | Alu::TestEqual => {
                        let sum = t.xor(a, b);
                        t.recognised(sum, 32)
                    }
                    Alu::Or => t.or(a, b),
                    Alu::OrNot => {
                        let inverted = t.not(b, 32);
                        t.or(a, inverted)
                    }
                    Alu::Move => b,
                    Alu::MoveNot => t.not(b, 32),
                    _ => {
                        let inverted = t.not(b, 32);
                        self.and(t, a, inverted)
                    }
                };
                if flags {
                    self.flags = match self.logic_flags(t, result, shifted_out) {
                        Flags::Logic { result, carry, secret } if alu == Alu::TestEqual => {
                            Flags::Equal { a, b, result, carry, secret }
                        }
                        flags => flags,
                    };
                }
                result
            }
        };
        if !matches!(alu, Alu::Test | Alu::TestEqual | Alu::Compare | Alu::CompareNegative) {
            self.r[rd as usize] = result;
        }
        Ok(())
    }

    /// Operations on the two lowest bits of an address in the code, which begins at a multiple of 4.
    fn in_word_of_code(&self, t: &mut Terms, alu: Alu, a: Term, b: Term) -> Option<Term> {
        let mask = t.value(b).filter(|&mask| mask < 4)? as i128;
        let (base, offset) = t.as_offset(a, 32)?;
        if base != Some(self.code_base) {
            return None;
        }
        let low = offset & 3;
        let new = match alu {
            Alu::And | Alu::Test => return Some(t.constant((low & mask) as u128)),
            Alu::Or => low | mask,
            Alu::AndNot => low & !mask,
            Alu::Xor => low ^ mask,
            _ => return None,
        };
        Some(t.add_constant(a, new - low, 32))
    }

    /// AND, which may also align the stack pointer downwards.
    fn and(&self, t: &mut Terms, a: Term, b: Term) -> Term {
        let alignment = t.value(b).map_or(0, |mask| (!mask & ones(32)) + 1);
        match t.as_offset(a, 32) {
            Some((Some(base), offset)) if base == self.stack_base && (alignment == 8 || alignment == 16) => {
                self.stack_phase_asked.set(true);
                let beyond = (offset + i128::from(self.stack_phase)).rem_euclid(alignment as i128);
                t.add_constant(a, -beyond, 32)
            }
            _ => t.and(a, b),
        }
    }

    fn sum(&mut self, t: &mut Terms, a: Term, b: Term, subtract: bool, flags: bool) -> Term {
        let result = if subtract { t.sub(a, b, 32) } else { t.add(a, b, 32) };
        if flags {
            self.flags = Flags::Sum { width: 32, subtract, a, b, result };
        }
        result
    }

    /// The upper word of one sum or difference, whose lower words made the carry.
    fn sum_with_carry(&mut self, t: &mut Terms, a: Term, b: Term, subtract: bool, flags: bool) -> Result<Term, Stop> {
        let (wide_a, wide_b, width) = match self.flags {
            Flags::Sum { width, subtract: before, a: low_a, b: low_b, .. } if before == subtract && width <= 96 => {
                (t.concat(&[(low_a, width), (a, 32)]), t.concat(&[(low_b, width), (b, 32)]), width + 32)
            }
            _ => {
                // The carry of one bit and itself; the borrow of nothing and one bit, which is there without a carry.
                let carry = self.carry_bit(t)?;
                let (low_a, low_b) = if subtract { (Terms::ZERO, t.not(carry, 1)) } else { (carry, carry) };
                (t.concat(&[(low_a, 1), (a, 32)]), t.concat(&[(low_b, 1), (b, 32)]), 33)
            }
        };
        let wide = if subtract { t.sub(wide_a, wide_b, width) } else { t.add(wide_a, wide_b, width) };
        t.note_low_words(wide, width);
        let result = t.extract(wide, width - 32, 32);
        if flags {
            self.flags = Flags::Sum { width, subtract, a: wide_a, b: wide_b, result };
        }
        Ok(result)
    }

    pub(super) fn moved(&self, t: &mut Terms, rn: u32, offset: i64) -> Term {
        // As a base PC is a multiple of 4.
        let base = if rn == 15 { self.aligned_pc(t) } else { self.get(t, rn) };
        t.add_constant(base, offset.into(), 32)
    }

    fn execute_memory(&mut self, t: &mut Terms, operation: Operation) -> Result<bool, Stop> {
        match operation {
            Operation::LoadStore { load, bytes, mode, rt, rn, offset } => {
                self.transfer(t, load, bytes, mode, &[rt], rn, offset)?;
            }
            Operation::LoadStoreIndexed { load, bytes, rt, rn, rm } => {
                let (base, index) = (self.get(t, rn), self.get(t, rm));
                let address = t.add(base, index, 32);
                self.words(t, load, bytes, &[rt], address)?;
            }
            Operation::LoadStoreTwo { load, mode, rt, rn, offset } => {
                self.transfer(t, load, 4, mode, &[rt, rt + 1], rn, offset)?;
            }
            Operation::LoadStorePair { load, mode, rt, rt2, rn, offset } => {
                self.transfer(t, load, 4, mode, &[rt, rt2], rn, offset)?;
            }
            Operation::Multiple { load, rn, list, start, update } => {
                let registers: Vec<u32> = (0..15).filter(|n| list >> n & 1 == 1).collect();
                let first = self.moved(t, rn, start);
                let updated = update.map(|by| self.moved(t, rn, by));
                // A store that moves the stack pointer down is a push.
                if let Some(updated) = updated.filter(|_| rn == 13 && !load && update < Some(0)) {
                    self.r[rn as usize] = updated;
                }
                // PC is read last, from behind the others.
                let back = (list >> 15 == 1).then(|| t.add_constant(first, 4 * registers.len() as i128, 32));
                let target = back.map(|at| self.load(t, at, 4)).transpose()?;
                target.map_or(Ok(()), |target| self.check_return(t, target))?;
                self.words(t, load, 4, &registers, first)?;
                if let Some(updated) = updated {
                    self.r[rn as usize] = updated;
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    #[allow(clippy::too_many_arguments, reason = "the fields of an instruction")]
    fn transfer(
        &mut self,
        t: &mut Terms,
        load: bool,
        bytes: u32,
        mode: Mode,
        registers: &[u32],
        rn: u32,
        offset: i64,
    ) -> Result<(), Stop> {
        let updated = self.moved(t, rn, offset);
        if rn == 13 && mode == Mode::Before && !load {
            self.r[13] = updated;
        }
        let first = if mode == Mode::After { self.get(t, rn) } else { updated };
        self.words(t, load, bytes, registers, first)?;
        if mode != Mode::Offset {
            self.r[rn as usize] = updated;
        }
        Ok(())
    }

    fn words(&mut self, t: &mut Terms, load: bool, bytes: u32, registers: &[u32], first: Term) -> Result<(), Stop> {
        let mut loaded = Vec::new();
        for (index, &register) in registers.iter().enumerate() {
            let address = t.add_constant(first, i128::from(index as u32 * bytes), 32);
            if load {
                loaded.push(self.load(t, address, bytes)?);
            } else {
                let value = t.low(self.r[register as usize], bytes * 8);
                self.store(t, address, value, bytes)?;
            }
        }
        for (&register, value) in registers.iter().zip(loaded) {
            self.r[register as usize] = t.low(value, 32);
        }
        Ok(())
    }
}

/// A shifted word, and the carry that the shift makes; none if it leaves the carry alone. RRX takes one up.
fn shifted(t: &mut Terms, value: Term, shift: Shift, carry: Term) -> (Term, Option<Term>) {
    match shift {
        Shift::Left(0) => (value, None),
        Shift::Left(by) => (t.shl(value, by, 32), Some(t.extract(value, 32 - by, 1))),
        Shift::Right(by) => (t.shr(value, by), Some(t.extract(value, by - 1, 1))),
        Shift::Arithmetic(by) => (arithmetic_shift(t, value, by), Some(t.extract(value, by - 1, 1))),
        Shift::Rotate(by) => (t.rotr(value, by, 32), Some(t.extract(value, by - 1, 1))),
        Shift::Extend => {
            let shifted = t.shr(value, 1);
            let top = t.shl(carry, 31, 32);
            (t.xor(shifted, top), Some(t.extract(value, 0, 1)))
        }
    }
}

/// The same by 0 to 255, as a register may say (Shift_C of the manual).
fn shifted_by(t: &mut Terms, kind: ShiftBy, value: Term, by: u32) -> (Term, Option<Term>) {
    let shift = match (kind, by) {
        (_, 0) => return (value, None),
        (ShiftBy::Left, 32) => return (Terms::ZERO, Some(t.extract(value, 0, 1))),
        (ShiftBy::Left | ShiftBy::Right, 33..) => return (Terms::ZERO, Some(Terms::ZERO)),
        (ShiftBy::Rotate, _) if by.is_multiple_of(32) => return (value, Some(t.extract(value, 31, 1))),
        (ShiftBy::Left, _) => Shift::Left(by),
        (ShiftBy::Right, _) => Shift::Right(by),
        (ShiftBy::Arithmetic, _) => Shift::Arithmetic(by.min(32)),
        (ShiftBy::Rotate, _) => Shift::Rotate(by % 32),
    };
    shifted(t, value, shift, Terms::ZERO)
}

fn arithmetic_shift(t: &mut Terms, value: Term, by: u32) -> Term {
    let sign = t.extract(value, 31, 1);
    let shifted = t.shr(value, by);
    with_sign(t, shifted, sign, by)
}

/// A number of less than 32 bits as one of 32, with its sign.
fn sign_extended(t: &mut Terms, field: Term, width: u32) -> Term {
    let sign = t.extract(field, width - 1, 1);
    with_sign(t, field, sign, 32 - width)
}

/// A word whose highest bits, of which none is set, become copies of a sign.
fn with_sign(t: &mut Terms, word: Term, sign: Term, bits: u32) -> Term {
    let copies = t.concat(&vec![(sign, 1); bits as usize]);
    let filled = t.shl(copies, 32 - bits, 32);
    t.xor(word, filled)
}
