//! What instructions on general registers do, and branches, loads and stores.

use super::instruction::{Bitfield, Instruction, Logic, Mode, MoveWide, Moved, Select, Shift};
use super::state::{Flags, State};
use crate::conditions::is_zero;
use crate::machine::{Fault, Flow, Stop};
use crate::terms::{Term, Terms, ones};
use crate::vectors::{unzip, zip};

impl State {
    /// Executes an instruction.
    pub(super) fn execute(
        &mut self,
        t: &mut Terms,
        instruction: Instruction,
        class: &'static str,
    ) -> Result<Flow, Stop> {
        if let Some(flow) = self.execute_branch(t, instruction)? {
            return Ok(flow);
        }
        if !self.execute_integer(t, instruction, class)? && !self.execute_memory(t, instruction)? {
            self.execute_vector(t, instruction);
        }
        self.position += 4;
        Ok(Flow::On)
    }

    fn execute_branch(&mut self, t: &mut Terms, instruction: Instruction) -> Result<Option<Flow>, Stop> {
        let (taken, offset) = match instruction {
            Instruction::Branch { offset } => (true, offset),
            Instruction::Call { offset } => {
                let back = self.code_address(t, 4);
                self.set(30, back);
                (true, offset)
            }
            Instruction::BranchIf { condition, offset } => (self.condition_holds(t, condition)?, offset),
            Instruction::BranchZero { width, nonzero, rt, offset } => {
                let tested = self.zero_or(t, rt, width);
                (is_zero(t, tested, width, self.count)? != nonzero, offset)
            }
            Instruction::BranchBit { bit, set, rt, offset } => {
                let tested = self.zero_or(t, rt, 64);
                let tested = t.extract(tested, bit, 1);
                (is_zero(t, tested, 1, self.count)? != set, offset)
            }
            Instruction::Return { rn } => {
                let target = self.zero_or(t, rn, 64);
                if target == self.return_address {
                    return Ok(Some(Flow::Returned));
                }
                // A routine within the kernel goes back to where it was called.
                match t.as_offset(target, 64) {
                    Some((Some(base), offset)) if base == self.code_base => self.position = offset as u64,
                    _ => return Err(Fault::ReturnAddress(t.write(target)).into()),
                }
                return Ok(Some(Flow::On));
            }
            _ => return Ok(None),
        };
        self.branch(if taken { offset } else { 4 });
        Ok(Some(Flow::On))
    }

    fn shifted(&self, t: &mut Terms, register: u32, shift: Shift, width: u32) -> Term {
        let value = self.zero_or(t, register, width);
        match shift {
            Shift::Left(by) => t.shl(value, by, width),
            Shift::Right(by) => t.shr(value, by),
            Shift::Arithmetic(by) => arithmetic_shift(t, value, by, width),
            Shift::Rotate(by) => t.rotr(value, by, width),
        }
    }

    fn execute_integer(&mut self, t: &mut Terms, instruction: Instruction, class: &'static str) -> Result<bool, Stop> {
        match instruction {
            Instruction::Hint => {}
            Instruction::Adr { rd, offset } => {
                let address = self.code_address(t, offset);
                self.set(rd, address);
            }
            Instruction::AdrPage { rd, offset } => {
                let address = self.page_address(t, offset)?;
                self.set(rd, address);
            }
            Instruction::AddImmediate { width, subtract, flags, rd, rn, immediate } => {
                let (a, b) = (self.stack_or(t, rn, width), t.constant(immediate.into()));
                let result = self.sum(t, a, b, width, subtract, flags);
                if flags { self.set(rd, result) } else { self.set_or_stack(rd, result) }
            }
            Instruction::AddShifted { width, subtract, flags, rd, rn, rm, shift } => {
                let (a, b) = (self.zero_or(t, rn, width), self.shifted(t, rm, shift, width));
                let result = self.sum(t, a, b, width, subtract, flags);
                self.set(rd, result);
            }
            Instruction::AddExtended { width, subtract, rd, rn, rm, from, left } => {
                let (a, b) = (self.stack_or(t, rn, width), self.zero_or(t, rm, from));
                let b = t.shl(b, left, width);
                let result = self.sum(t, a, b, width, subtract, false);
                self.set_or_stack(rd, result);
            }
            Instruction::AddCarry { width, rd, rn, rm } => {
                let result = self.add_with_carry(t, rn, rm, width)?;
                self.set(rd, result);
            }
            Instruction::LogicImmediate { width, logic, rd, rn, immediate } => {
                let (a, b) = (self.zero_or(t, rn, width), t.constant(immediate.into()));
                let result = self.logic(t, logic, a, b, width);
                if logic == Logic::AndFlags { self.set(rd, result) } else { self.set_or_stack(rd, result) }
            }
            Instruction::LogicShifted { width, logic, invert, rd, rn, rm, shift } => {
                let (a, mut b) = (self.zero_or(t, rn, width), self.shifted(t, rm, shift, width));
                if invert {
                    b = t.not(b, width);
                }
                let result = self.logic(t, logic, a, b, width);
                self.set(rd, result);
            }
            Instruction::MoveWide { width, kind, rd, immediate, left } => {
                let immediate = u128::from(immediate) << left;
                let result = match kind {
                    MoveWide::Zero => t.constant(immediate),
                    MoveWide::Not => t.constant(!immediate & ones(width)),
                    MoveWide::Keep => {
                        let old = self.zero_or(t, rd, width);
                        let kept = t.mask(old, !(0xffff << left));
                        let new = t.constant(immediate);
                        t.xor(kept, new)
                    }
                };
                self.set(rd, result);
            }
            Instruction::Bitfield { width, kind, rd, rn, rotate, last } => {
                let (value, old) = (self.zero_or(t, rn, width), self.zero_or(t, rd, width));
                let result = bitfield(t, kind, value, old, rotate, last, width);
                self.set(rd, result);
            }
            Instruction::Extract { width, rd, rn, rm, from } => {
                let (high, low) = (self.zero_or(t, rn, width), self.zero_or(t, rm, width));
                let both = t.concat(&[(low, width), (high, width)]);
                let result = t.extract(both, from, width);
                self.set(rd, result);
            }
            Instruction::Reverse { width, element, rd, rn } => {
                let value = self.zero_or(t, rn, width);
                let result = t.reverse_bytes(value, element, width);
                self.set(rd, result);
            }
            Instruction::Select { width, kind, rd, rn, rm, condition } => {
                let holds = self.condition_holds(t, condition)?;
                let result = if holds {
                    self.zero_or(t, rn, width)
                } else {
                    let value = self.zero_or(t, rm, width);
                    match kind {
                        Select::Plain => value,
                        Select::Increment => t.add_constant(value, 1, width),
                        Select::Invert => t.not(value, width),
                        Select::Negate => t.sub(Terms::ZERO, value, width),
                    }
                };
                self.set(rd, result);
            }
            Instruction::MultiplyAdd { width, subtract, rd, rn, rm, ra } => {
                let (a, b, c) = (self.zero_or(t, rn, width), self.zero_or(t, rm, width), self.zero_or(t, ra, width));
                let (factor, by) = match (t.value(a), t.value(b)) {
                    (Some(a), _) => (a, b),
                    (_, Some(b)) => (b, a),
                    _ => return Err(Fault::Operand(class, format!("{} times {}", t.write(a), t.write(b))).into()),
                };
                let factor = if subtract { factor.wrapping_neg() } else { factor };
                let result = t.sum(&[(c, 1), (by, factor)], 0, width);
                self.set(rd, result);
            }
            Instruction::Divide { width, rd, rn, rm } => {
                let result = self.divide(t, rn, rm, width, class)?;
                self.set(rd, result);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn sum(&mut self, t: &mut Terms, a: Term, b: Term, width: u32, subtract: bool, flags: bool) -> Term {
        let result = if subtract { t.sub(a, b, width) } else { t.add(a, b, width) };
        if width == 64 && !subtract && t.bits(a) <= 32 && t.bits(b) <= 32 {
            // Perhaps the lower half alone counts, and the sum is one of words.
            t.note_low_words(result, width);
        }
        if flags {
            self.flags = Flags::Sum { width, subtract, a, b, result };
        }
        result
    }

    fn logic(&mut self, t: &mut Terms, logic: Logic, a: Term, b: Term, width: u32) -> Term {
        let result = match logic {
            Logic::And | Logic::AndFlags => t.and(a, b),
            Logic::Or => t.or(a, b),
            Logic::Xor => t.xor(a, b),
        };
        let result = if logic == Logic::Or { result } else { t.recognised(result, width) };
        if logic == Logic::AndFlags {
            self.flags = Flags::Logic { width, result };
        }
        result
    }

    /// The upper half of one sum of twice the width, whose lower half made the carry.
    fn add_with_carry(&mut self, t: &mut Terms, rn: u32, rm: u32, width: u32) -> Result<Term, Stop> {
        let (a, b) = (self.zero_or(t, rn, width), self.zero_or(t, rm, width));
        match self.carry_of() {
            Some((low_a, low_b, low_width)) if low_width == width => {
                let (wide_a, wide_b) =
                    (t.concat(&[(low_a, width), (a, width)]), t.concat(&[(low_b, width), (b, width)]));
                let wide = t.add(wide_a, wide_b, 2 * width);
                Ok(t.extract(wide, width, width))
            }
            _ => match self.flags {
                Flags::Known([_, _, carry, _]) => Ok(t.sum(&[(a, 1), (b, 1)], carry.into(), width)),
                _ => Err(Fault::Operand("ADC", "a carry that ADDS did not make just before".to_owned()).into()),
            },
        }
    }

    /// Division of constants, and of the count by a constant, for which each remainder is a case of its own.
    fn divide(&self, t: &mut Terms, rn: u32, rm: u32, width: u32, class: &'static str) -> Result<Term, Stop> {
        let (a, b) = (self.zero_or(t, rn, width), self.zero_or(t, rm, width));
        for operand in [a, b] {
            if t.is_secret(operand) {
                return Err(Fault::SecretOperand(class, t.write(operand)).into());
            }
        }
        let refusal = Fault::Operand(class, format!("{} by {}", t.write(a), t.write(b)));
        let divisor = t.value(b).ok_or(refusal.clone())?;
        if let Some(dividend) = t.value(a) {
            return Ok(t.constant(dividend.checked_div(divisor).unwrap_or(0)));
        }
        // The count is divisor × quotient + remainder, the quotient a variable: then that is the result.
        let count = self.count.ok_or(refusal.clone())?;
        let whole = t.window(count.leaf);
        for remainder in 0..divisor.min(16) {
            if t.sum(&[(whole, divisor)], remainder, width) == a {
                return Ok(whole);
            }
        }
        match u64::try_from(divisor) {
            Ok(divisor) if whole == a && (2..16).contains(&divisor) => Err(Stop::Divide(divisor)),
            _ => Err(refusal.into()),
        }
    }

    fn address(&self, t: &mut Terms, rn: u32, offset: i64) -> Term {
        let base = self.stack_or(t, rn, 64);
        t.add_constant(base, offset.into(), 64)
    }

    pub(super) fn loaded(&mut self, moved: Moved, register: u32, value: Term) {
        match moved {
            Moved::General { .. } => self.set(register, value),
            Moved::Vector { .. } => self.v[register as usize] = value,
        }
    }

    fn to_store(&self, t: &mut Terms, moved: Moved, register: u32) -> Term {
        match moved {
            Moved::General { bytes } => self.zero_or(t, register, bytes * 8),
            Moved::Vector { bytes } => self.vector(t, register, bytes * 8),
        }
    }

    fn execute_memory(&mut self, t: &mut Terms, instruction: Instruction) -> Result<bool, Stop> {
        match instruction {
            Instruction::LoadStore { load, moved, mode, rt, rn, offset } => {
                self.transfer(t, load, moved, mode, &[rt], rn, offset)?;
            }
            Instruction::LoadStoreIndexed { load, moved, rt, rn, rm, left } => {
                let (base, index) = (self.stack_or(t, rn, 64), self.zero_or(t, rm, 64));
                let index = t.shl(index, left, 64);
                let address = t.add(base, index, 64);
                if load {
                    let value = self.load(t, rn, address, moved.bytes())?;
                    self.loaded(moved, rt, value);
                } else {
                    let value = self.to_store(t, moved, rt);
                    self.store(t, rn, address, value, moved.bytes())?;
                }
            }
            Instruction::Pair { load, moved, mode, rt, rt2, rn, offset } => {
                self.transfer(t, load, moved, mode, &[rt, rt2], rn, offset)?;
            }
            Instruction::Multiple { load, count, bytes, rt, rn, after } => {
                let registers: Vec<u32> = (0..count).map(|n| (rt + n) % 32).collect();
                let mode = if after { Mode::After } else { Mode::Offset };
                let offset = if after { i64::from(count * bytes) } else { 0 };
                self.transfer(t, load, Moved::Vector { bytes }, mode, &registers, rn, offset)?;
            }
            Instruction::MultipleTwo { load, element, width, rt, rn, after } => {
                let registers = [rt, (rt + 1) % 32];
                let mode = if after { Mode::After } else { Mode::Offset };
                let (moved, offset) =
                    (Moved::Vector { bytes: width / 8 }, if after { i64::from(width / 4) } else { 0 });
                // In memory the elements of both take turns.
                if load {
                    self.transfer(t, load, moved, mode, &registers, rn, offset)?;
                    self.exchange(t, registers, |t, pair| unzip(t, pair, element, width));
                } else {
                    let kept = registers.map(|register| self.v[register as usize]);
                    self.exchange(t, registers, |t, pair| zip(t, pair, element, width));
                    self.transfer(t, load, moved, mode, &registers, rn, offset)?;
                    self.exchange(t, registers, |_, _| kept);
                }
            }
            Instruction::Replicate { count, element, width, rt, rn, after } => {
                let registers: Vec<u32> = (0..count).map(|n| (rt + n) % 32).collect();
                let mode = if after { Mode::After } else { Mode::Offset };
                let offset = if after { i64::from(count * element / 8) } else { 0 };
                self.transfer(t, true, Moved::Vector { bytes: element / 8 }, mode, &registers, rn, offset)?;
                for register in registers {
                    let lane = self.v[register as usize];
                    self.v[register as usize] = t.vector(&vec![lane; (width / element) as usize], element);
                }
            }
            Instruction::Literal { moved, rt, offset } => {
                let address = self.code_address(t, offset);
                let value = self.load(t, 0, address, moved.bytes())?;
                self.loaded(moved, rt, value);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn exchange(&mut self, t: &mut Terms, registers: [u32; 2], by: impl FnOnce(&mut Terms, [Term; 2]) -> [Term; 2]) {
        let new = by(t, registers.map(|register| self.v[register as usize]));
        registers.iter().zip(new).for_each(|(&register, value)| self.v[register as usize] = value);
    }

    #[allow(clippy::too_many_arguments, reason = "the fields of an instruction")]
    fn transfer(
        &mut self,
        t: &mut Terms,
        load: bool,
        moved: Moved,
        mode: Mode,
        registers: &[u32],
        rn: u32,
        offset: i64,
    ) -> Result<(), Stop> {
        let updated = self.address(t, rn, offset);
        // A store that moves the stack pointer is a push: what it writes is not below the pointer.
        if rn == 31 && mode == Mode::Before && !load {
            self.sp = updated;
        }
        let start = match mode {
            Mode::After => self.address(t, rn, 0),
            Mode::Offset | Mode::Before => updated,
        };
        let bytes = moved.bytes();
        let mut values = Vec::new();
        for (index, &register) in registers.iter().enumerate() {
            let address = t.add_constant(start, i128::from(index as u32 * bytes), 64);
            if load {
                values.push(self.load(t, rn, address, bytes)?);
            } else {
                let value = self.to_store(t, moved, register);
                self.store(t, rn, address, value, bytes)?;
            }
        }
        for (&register, value) in registers.iter().zip(values) {
            self.loaded(moved, register, value);
        }
        if mode != Mode::Offset {
            self.set_or_stack(rn, updated);
        }
        Ok(())
    }
}

fn arithmetic_shift(t: &mut Terms, value: Term, by: u32, width: u32) -> Term {
    let sign = t.extract(value, width - 1, 1);
    let shifted = t.shr(value, by);
    let copies = t.concat(&vec![(sign, 1); by as usize]);
    let filled = t.shl(copies, width - by, width);
    t.xor(shifted, filled)
}

fn bitfield(t: &mut Terms, kind: Bitfield, value: Term, old: Term, rotate: u32, last: u32, width: u32) -> Term {
    // Bits rotate ..= last go to the bottom, or bits 0 ..= last to where the rotation leads.
    let (bits, length, at) =
        if last >= rotate { (t.shr(value, rotate), last - rotate + 1, 0) } else { (value, last + 1, width - rotate) };
    let field = t.low(bits, length);
    let placed = t.shl(field, at, width);
    match kind {
        Bitfield::Unsigned => placed,
        Bitfield::Insert => {
            let kept = t.mask(old, !(ones(length) << at));
            t.xor(kept, placed)
        }
        Bitfield::Signed => {
            let sign = t.extract(field, length - 1, 1);
            let above = width - at - length;
            let copies = t.concat(&vec![(sign, 1); above as usize]);
            let filled = if above == 0 { Terms::ZERO } else { t.shl(copies, at + length, width) };
            t.xor(placed, filled)
        }
    }
}
