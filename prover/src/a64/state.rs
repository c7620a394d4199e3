//! The AArch64 machine: its state, and one step of it.

use std::sync::Arc;

use super::decode::{decode, is_indirect_branch};
use super::instruction::Condition;
use crate::code::Code;
use crate::conditions::{Count, few_addresses, is_less, is_negative, is_zero};
use crate::linking::{Link, Links};
use crate::machine::{Fault, Flow, Machine, Register, Stop};
use crate::memory::{Extent, Kind, Memory, Offset, Region, RegionId};
use crate::terms::{Leaf, Term, Terms, ones};

/// What made the flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flags {
    /// Nothing that counts.
    Unknown,
    /// N, Z, C, V.
    Known([bool; 4]),
    /// a + b or a - b.
    Sum {
        /// Bits.
        width: u32,
        /// Whether b was subtracted.
        subtract: bool,
        /// The first operand.
        a: Term,
        /// The second.
        b: Term,
        /// The result.
        result: Term,
    },
    /// A result of AND.
    Logic {
        /// Bits.
        width: u32,
        /// The result.
        result: Term,
    },
}

/// The state.
#[derive(Clone, Debug)]
pub struct State {
    /// What is executed.
    pub code: Arc<Code>,
    /// What the linker puts into it.
    pub links: Links,
    /// The kernel's own address, a variable.
    pub code_base: Leaf,
    /// x0 to x30.
    pub x: [Term; 31],
    /// SP.
    pub sp: Term,
    /// v0 to v31.
    pub v: [Term; 32],
    /// The condition flags.
    pub flags: Flags,
    /// Memory.
    pub memory: Memory,
    /// What x30 held at entry.
    pub return_address: Term,
    /// The variable that is the stack pointer at entry.
    pub stack_base: Leaf,
    /// What is known of the count.
    pub count: Option<Count>,
    /// Where the next instruction is.
    pub position: u64,
}

impl State {
    /// Register 31 is zero.
    pub(super) fn zero_or(&self, terms: &mut Terms, register: u32, width: u32) -> Term {
        if register == 31 { Terms::ZERO } else { terms.low(self.x[register as usize], width) }
    }

    /// Register 31 is the stack pointer.
    pub(super) fn stack_or(&self, terms: &mut Terms, register: u32, width: u32) -> Term {
        let value = if register == 31 { self.sp } else { self.x[register as usize] };
        terms.low(value, width)
    }

    pub(super) fn set(&mut self, register: u32, value: Term) {
        if register != 31 {
            self.x[register as usize] = value;
        }
    }

    pub(super) fn set_or_stack(&mut self, register: u32, value: Term) {
        if register == 31 {
            self.sp = value;
        } else {
            self.x[register as usize] = value;
        }
    }

    pub(super) fn vector(&self, terms: &mut Terms, register: u32, width: u32) -> Term {
        terms.low(self.v[register as usize], width)
    }

    /// How far the stack pointer is from where it was at entry.
    fn stack_offset(&self, terms: &Terms, sp: Term) -> Result<i64, Fault> {
        match terms.as_offset(sp, 64) {
            Some((Some(base), offset)) if base == self.stack_base => Ok(offset as i64),
            _ => Err(Fault::StackPointer(terms.write(sp))),
        }
    }

    fn place(&self, terms: &mut Terms, rn: u32, address: Term) -> Result<((RegionId, i64), i64), Stop> {
        let pointer = self.stack_offset(terms, self.sp)?;
        if rn == 31 && pointer % 16 != 0 {
            return Err(Fault::StackAlignment(Offset(pointer)).into());
        }
        few_addresses(terms, address, self.count)?;
        Ok((self.memory.resolve(terms, address, 64, self.count)?, pointer))
    }

    /// Reads memory through base register `rn`.
    pub(super) fn load(&mut self, terms: &mut Terms, rn: u32, address: Term, bytes: u32) -> Result<Term, Stop> {
        let (at, pointer) = self.place(terms, rn, address)?;
        Ok(self.memory.load(terms, at, bytes, pointer)?)
    }

    /// Writes memory through base register `rn`.
    pub(super) fn store(
        &mut self,
        terms: &mut Terms,
        rn: u32,
        address: Term,
        value: Term,
        bytes: u32,
    ) -> Result<(), Stop> {
        let (at, pointer) = self.place(terms, rn, address)?;
        Ok(self.memory.store(terms, at, value, bytes, pointer)?)
    }

    /// An address in the kernel.
    pub(super) fn code_address(&self, terms: &mut Terms, offset: i64) -> Term {
        let base = terms.window(self.code_base);
        terms.add_constant(base, i128::from(self.position as i64 + offset), 64)
    }

    /// Whether a condition holds.
    ///
    /// # Errors
    /// If that is not known.
    pub fn condition_holds(&self, terms: &mut Terms, Condition(number): Condition) -> Result<bool, Stop> {
        let holds = match number >> 1 {
            0 => self.zero(terms)?,
            1 => self.carry(terms)?,
            2 => self.negative(terms)?,
            3 => self.overflow(terms)?,
            4 => self.carry(terms)? && !self.zero(terms)?,
            5 => self.negative(terms)? == self.overflow(terms)?,
            _ => self.negative(terms)? == self.overflow(terms)? && !self.zero(terms)?,
        };
        Ok(holds != (number & 1 == 1))
    }

    fn unset() -> Stop {
        Fault::UnknownCondition("flags that no instruction of the kernel has set".to_owned()).into()
    }

    fn zero(&self, terms: &mut Terms) -> Result<bool, Stop> {
        match self.flags {
            Flags::Unknown => Err(State::unset()),
            Flags::Known([_, zero, _, _]) => Ok(zero),
            Flags::Sum { width, result, .. } | Flags::Logic { width, result } => {
                Ok(is_zero(terms, result, width, self.count)?)
            }
        }
    }

    fn negative(&self, terms: &mut Terms) -> Result<bool, Stop> {
        match self.flags {
            Flags::Unknown => Err(State::unset()),
            Flags::Known([negative, _, _, _]) => Ok(negative),
            Flags::Sum { width, result, .. } | Flags::Logic { width, result } => {
                Ok(is_negative(terms, result, width, self.count)?)
            }
        }
    }

    fn carry(&self, terms: &mut Terms) -> Result<bool, Stop> {
        match self.flags {
            Flags::Unknown => Err(State::unset()),
            Flags::Known([_, _, carry, _]) => Ok(carry),
            Flags::Sum { width, subtract: true, a, b, .. } => Ok(!is_less(terms, a, b, width, self.count)?),
            Flags::Sum { width, a, b, .. } => match terms.value(b) {
                Some(0) => Ok(false),
                Some(b) => {
                    let least = terms.constant(ones(width) - b + 1);
                    Ok(!is_less(terms, a, least, width, self.count)?)
                }
                None => Err(Fault::UnknownCondition(terms.write(b)).into()),
            },
            Flags::Logic { .. } => Ok(false),
        }
    }

    fn overflow(&self, terms: &mut Terms) -> Result<bool, Stop> {
        match self.flags {
            Flags::Unknown => Err(State::unset()),
            Flags::Known([_, _, _, overflow]) => Ok(overflow),
            Flags::Logic { .. } => Ok(false),
            Flags::Sum { width, subtract, a, b, result } => {
                let mut sign = |term| {
                    let bit = terms.extract(term, width - 1, 1);
                    terms.value(bit).map(|bit| bit == 1)
                };
                match (sign(a), sign(b), sign(result)) {
                    (Some(a), Some(b), Some(result)) => Ok((a != b) == subtract && result != a),
                    _ => Err(Fault::UnknownCondition("the overflow flag of a sum".to_owned()).into()),
                }
            }
        }
    }

    /// The carry as a term: what ADC adds.
    pub(super) fn carry_of(&self) -> Option<(Term, Term, u32)> {
        match self.flags {
            Flags::Sum { width, subtract: false, a, b, .. } => Some((a, b, width)),
            _ => None,
        }
    }

    pub(super) fn branch(&mut self, offset: i64) {
        self.position = (self.position as i64 + offset) as u64;
    }
}

impl Machine for State {
    const ADDRESS_BITS: u32 = 64;

    /// The first eight arguments are in x0 to x7, the others on the stack, eight bytes each (Procedure Call Standard for the
    /// Arm 64-bit Architecture, section 6.8.2).
    fn enter(terms: &mut Terms, code: Arc<Code>, stack: usize, mut memory: Memory, passed: &[(Term, u32)]) -> State {
        let mut unknown = |name: String| terms.variable(name, 64, false);
        let mut x: [Term; 31] = std::array::from_fn(|n| unknown(format!("x{n} at entry")));
        let halves: [[Term; 2]; 32] =
            std::array::from_fn(|n| ["low", "high"].map(|half| unknown(format!("{half} half of v{n} at entry"))));
        let (sp, code_address) = (unknown("sp at entry".to_owned()), unknown("code".to_owned()));
        let v = halves.map(|[low, high]| terms.concat(&[(low, 64), (high, 64)]));
        let stack_base = terms.as_leaf(sp).expect("a variable is a leaf");
        let code_base = terms.as_leaf(code_address).expect("a variable is a leaf");
        let links = Links::new(terms, &code, code_base, &mut memory, 64);
        memory.add(Region::new("sp", stack_base, Kind::Stack, -(stack as i64), Extent::Fixed(0)));
        let on_stack = passed.len().saturating_sub(8) as i64 * 8;
        let mut above = Region::new("sp", stack_base, Kind::StackArguments, 0, Extent::Fixed(on_stack));
        for (index, &(value, bits)) in passed.iter().enumerate() {
            // What an argument leaves of eight bytes is undefined.
            let rest = terms.variable(format!("what is above argument {index}"), 64, false);
            let rest = terms.mask(rest, !ones(bits));
            let value = terms.xor(value, rest);
            match x.get_mut(index).filter(|_| index < 8) {
                Some(register) => *register = value,
                None => above.put(terms, (index as i64 - 8) * 8, value, 8),
            }
        }
        memory.add(above);
        State {
            position: code.entry(),
            code,
            links,
            code_base,
            return_address: x[30],
            x,
            sp,
            v,
            flags: Flags::Unknown,
            memory,
            stack_base,
            count: None,
        }
    }

    fn step(&mut self, terms: &mut Terms) -> Result<Flow, Stop> {
        let word = self.code.fetch(self.position).ok_or(Fault::OutsideCode)?;
        let link = self.links.at(self.position, 4);
        if let Some(refused @ Link::Refused(_)) = link {
            return Err(refused.refuse().into());
        }
        let Some((instruction, row)) = decode(word) else {
            let fault = if is_indirect_branch(word) { Fault::IndirectBranch(word) } else { Fault::Unknown(word) };
            return Err(fault.into());
        };
        match link {
            None => self.execute(terms, instruction, row.class),
            Some(link) => self.execute_linked(terms, word, instruction, link),
        }
    }

    fn position(&self) -> u64 {
        self.position
    }

    fn set_position(&mut self, position: u64) {
        self.position = position;
    }

    fn count(&self) -> Option<Count> {
        self.count
    }

    fn set_count(&mut self, count: Count) {
        self.memory.units = count.units();
        self.count = Some(count);
    }

    fn memory(&self) -> &Memory {
        &self.memory
    }

    fn memory_mut(&mut self) -> &mut Memory {
        &mut self.memory
    }

    fn registers(&self) -> Vec<Register> {
        let register = |name: String, width, value| Register { name, width, value };
        let general = self.x.iter().enumerate().map(|(n, &value)| register(format!("x{n}"), 64, value));
        let vectors = self.v.iter().enumerate().map(|(n, &value)| register(format!("v{n}"), 128, value));
        general.chain([register("sp".to_owned(), 64, self.sp)]).chain(vectors).collect()
    }

    fn set_register(&mut self, index: usize, value: Term) {
        match index {
            0..31 => self.x[index] = value,
            31 => self.sp = value,
            _ => self.v[index - 32] = value,
        }
    }

    fn flags_are_secret(&self, terms: &mut Terms) -> bool {
        match self.flags {
            Flags::Unknown | Flags::Known(_) => false,
            Flags::Sum { a, b, result, .. } => [a, b, result].iter().any(|&term| terms.is_secret(term)),
            Flags::Logic { result, .. } => terms.is_secret(result),
        }
    }

    fn forget_flags(&mut self) {
        self.flags = Flags::Unknown;
    }

    /// x18 to x30 and SP, d8 to d15 (Procedure Call Standard, section 6.1); x18 may be the platform's.
    fn preserved_bits(&self, index: usize) -> u32 {
        match index {
            18..=31 => 64,
            40..=47 => 64,
            _ => 0,
        }
    }
}
