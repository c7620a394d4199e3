//! The machine of A32 and T32: its state, and one step of A32.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use super::decode::{decode, is_indirect_branch};
use crate::code::Code;
use crate::conditions::{Count, few_addresses, is_less, is_negative, is_zero};
use crate::linking::Links;
use crate::machine::{Fault, Flow, Machine, Register, Stop};
use crate::memory::{Extent, Kind, Memory, Region, RegionId};
use crate::terms::{Leaf, Term, Terms, ones};

/// What made the flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flags {
    /// Nothing that counts.
    Unknown,
    /// N, Z, C, V.
    Known([bool; 4]),
    /// a + b or a - b. Where the sum took up a carry, these are the whole numbers of which the result is the upper word.
    Sum {
        /// Bits of a and b.
        width: u32,
        /// Whether b was subtracted.
        subtract: bool,
        /// The first operand.
        a: Term,
        /// The second.
        b: Term,
        /// The 32 bits of the result.
        result: Term,
    },
    /// A result of a logical operation, and the bit that a shift moved into the carry.
    Logic {
        /// The result.
        result: Term,
        /// The carry, where it is known.
        carry: Option<Term>,
        /// Whether the flags before, of which some stay, depend on a secret.
        secret: bool,
    },
    /// a exclusive or b, which is zero where a - b is.
    Equal {
        /// The first operand.
        a: Term,
        /// The second.
        b: Term,
        /// The result.
        result: Term,
        /// The carry, where it is known.
        carry: Option<Term>,
        /// Whether the flags before, of which some stay, depend on a secret.
        secret: bool,
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
    /// r0 to r14.
    pub r: [Term; 15],
    /// d0 to d31.
    pub d: [Term; 32],
    /// The condition flags.
    pub flags: Flags,
    /// Memory.
    pub memory: Memory,
    /// What r14 held at entry.
    pub return_address: Term,
    /// The variable that is the stack pointer at entry.
    pub stack_base: Leaf,
    /// What the stack pointer at entry is modulo 16: 0 or 8.
    pub stack_phase: u32,
    /// Whether that was asked for.
    pub stack_phase_asked: Rc<Cell<bool>>,
    /// What is known of the count.
    pub count: Option<Count>,
    /// Where the next instruction is.
    pub position: u64,
    /// Bytes of the instruction.
    pub length: u64,
}

impl State {
    /// A register; r15 is the address of the instruction and 8, or in T32 and 4.
    pub(super) fn get(&self, terms: &mut Terms, register: u32) -> Term {
        if register == 15 { self.code_address(terms, self.ahead()) } else { self.r[register as usize] }
    }

    fn ahead(&self) -> i64 {
        if self.code.is_thumb() { 4 } else { 8 }
    }

    /// r15 as the base of an address; code begins at a multiple of 4.
    pub(super) fn aligned_pc(&self, terms: &mut Terms) -> Term {
        self.code_address(terms, self.ahead() - (self.position & 3) as i64)
    }

    pub(super) fn code_address(&self, terms: &mut Terms, offset: i64) -> Term {
        let base = terms.window(self.code_base);
        terms.add_constant(base, i128::from(self.position as i64 + offset), 32)
    }

    /// A vector register, or two.
    pub(super) fn vector(&self, terms: &mut Terms, d: u32, quad: bool) -> Term {
        let low = self.d[d as usize];
        if quad { terms.concat(&[(low, 64), (self.d[d as usize + 1], 64)]) } else { low }
    }

    pub(super) fn set_vector(&mut self, terms: &mut Terms, d: u32, quad: bool, value: Term) {
        self.d[d as usize] = terms.extract_bits(value, 0, 64);
        if quad {
            self.d[d as usize + 1] = terms.extract_bits(value, 64, 64);
        }
    }

    fn place(&self, terms: &mut Terms, address: Term) -> Result<((RegionId, i64), i64), Stop> {
        let sp = self.r[13];
        let pointer = match terms.as_offset(sp, 32) {
            Some((Some(base), offset)) if base == self.stack_base => offset as i64,
            _ => return Err(Fault::StackPointer(terms.write(sp)).into()),
        };
        few_addresses(terms, address, self.count)?;
        Ok((self.memory.resolve(terms, address, 32, self.count)?, pointer))
    }

    pub(super) fn load(&mut self, terms: &mut Terms, address: Term, bytes: u32) -> Result<Term, Stop> {
        let (at, pointer) = self.place(terms, address)?;
        Ok(self.memory.load(terms, at, bytes, pointer)?)
    }

    pub(super) fn store(&mut self, terms: &mut Terms, address: Term, value: Term, bytes: u32) -> Result<(), Stop> {
        let (at, pointer) = self.place(terms, address)?;
        Ok(self.memory.store(terms, at, value, bytes, pointer)?)
    }

    /// Whether a condition holds.
    ///
    /// # Errors
    /// If that is not known.
    pub fn condition_holds(&self, terms: &mut Terms, condition: u32) -> Result<bool, Stop> {
        let holds = match condition >> 1 {
            0 => self.zero(terms)?,
            1 => self.carry(terms)?,
            2 => self.negative(terms)?,
            3 => self.overflow(terms)?,
            4 => self.carry(terms)? && !self.zero(terms)?,
            5 => self.negative(terms)? == self.overflow(terms)?,
            6 => self.negative(terms)? == self.overflow(terms)? && !self.zero(terms)?,
            _ => return Ok(true),
        };
        Ok(holds != (condition & 1 == 1))
    }

    fn unset(what: &str) -> Stop {
        Fault::UnknownCondition(what.to_owned()).into()
    }

    fn zero(&self, terms: &mut Terms) -> Result<bool, Stop> {
        match self.flags {
            Flags::Unknown => Err(State::unset("flags that no instruction of the kernel has set")),
            Flags::Known([_, zero, _, _]) => Ok(zero),
            Flags::Equal { a, b, result, .. } if terms.value(result).is_none() => {
                let difference = terms.sub(a, b, 32);
                Ok(is_zero(terms, difference, 32, self.count)?)
            }
            Flags::Sum { result, .. } | Flags::Logic { result, .. } | Flags::Equal { result, .. } => {
                Ok(is_zero(terms, result, 32, self.count)?)
            }
        }
    }

    fn negative(&self, terms: &mut Terms) -> Result<bool, Stop> {
        match self.flags {
            Flags::Unknown => Err(State::unset("flags that no instruction of the kernel has set")),
            Flags::Known([negative, ..]) => Ok(negative),
            Flags::Sum { result, .. } | Flags::Logic { result, .. } | Flags::Equal { result, .. } => {
                Ok(is_negative(terms, result, 32, self.count)?)
            }
        }
    }

    fn carry(&self, terms: &mut Terms) -> Result<bool, Stop> {
        match self.flags {
            Flags::Unknown => Err(State::unset("flags that no instruction of the kernel has set")),
            Flags::Known([_, _, carry, _]) => Ok(carry),
            Flags::Sum { width, subtract: true, a, b, .. } => Ok(!is_less(terms, a, b, width, self.count)?),
            Flags::Sum { width, a, b, .. } => match (terms.value(a), terms.value(b)) {
                (_, Some(0)) => Ok(false),
                (_, Some(b)) => {
                    let least = terms.constant(ones(width) - b + 1);
                    Ok(!is_less(terms, a, least, width, self.count)?)
                }
                _ => Err(State::unset("the carry of a sum")),
            },
            Flags::Logic { carry, .. } | Flags::Equal { carry, .. } => match carry.and_then(|carry| terms.value(carry))
            {
                Some(carry) => Ok(carry == 1),
                None => Err(State::unset("the carry of a shift")),
            },
        }
    }

    fn overflow(&self, terms: &mut Terms) -> Result<bool, Stop> {
        match self.flags {
            Flags::Known([.., overflow]) => Ok(overflow),
            Flags::Sum { width, subtract, a, b, result } => {
                let mut sign = |term, width: u32| {
                    let bit = terms.extract(term, width - 1, 1);
                    terms.value(bit).map(|bit| bit == 1)
                };
                match (sign(a, width), sign(b, width), sign(result, 32)) {
                    (Some(a), Some(b), Some(result)) => Ok((a != b) == subtract && result != a),
                    _ => Err(State::unset("the overflow of a sum")),
                }
            }
            // A logical operation leaves the overflow of one before.
            Flags::Unknown | Flags::Logic { .. } | Flags::Equal { .. } => {
                Err(State::unset("an overflow that is not followed"))
            }
        }
    }

    /// The carry as a term of one bit.
    pub(super) fn carry_bit(&self, terms: &mut Terms) -> Result<Term, Stop> {
        match self.flags {
            Flags::Known([_, _, carry, _]) => Ok(terms.constant(carry.into())),
            Flags::Logic { carry: Some(carry), .. } | Flags::Equal { carry: Some(carry), .. } => Ok(carry),
            Flags::Sum { width, subtract: false, a, b, .. } if width < 128 => Ok(terms.carry(a, b, width)),
            _ => Err(State::unset("a carry that is not followed")),
        }
    }
}

impl Machine for State {
    const ADDRESS_BITS: u32 = 32;

    /// The first four words of arguments are in r0 to r3, the others on the stack (Procedure Call Standard for the Arm
    /// Architecture, section 6.5); none has more than a word.
    fn enter(terms: &mut Terms, code: Arc<Code>, stack: usize, mut memory: Memory, passed: &[(Term, u32)]) -> State {
        let mut unknown = |name: String, width| terms.variable(name, width, false);
        let mut r: [Term; 15] = std::array::from_fn(|n| unknown(format!("r{n} at entry"), 32));
        let d = std::array::from_fn(|n| unknown(format!("d{n} at entry"), 64));
        let code_address = unknown("code".to_owned(), 32);
        let stack_base = terms.as_leaf(r[13]).expect("a variable is a leaf");
        let code_base = terms.as_leaf(code_address).expect("a variable is a leaf");
        let links = Links::new(terms, &code, code_base, &mut memory, 32);
        memory.add(Region::new("sp", stack_base, Kind::Stack, -(stack as i64), Extent::Fixed(0)));
        let on_stack = passed.len().saturating_sub(4) as i64 * 4;
        let mut above = Region::new("sp", stack_base, Kind::StackArguments, 0, Extent::Fixed(on_stack));
        for (index, &(value, bits)) in passed.iter().enumerate() {
            assert!(bits <= 32, "an argument of {bits} bits");
            match index {
                0..4 => r[index] = value,
                _ => above.put(terms, (index as i64 - 4) * 4, value, 4),
            }
        }
        memory.add(above);
        let return_address = r[14];
        State {
            position: code.entry(),
            length: 4,
            code,
            links,
            code_base,
            r,
            d,
            flags: Flags::Unknown,
            memory,
            return_address,
            stack_base,
            stack_phase: 0,
            stack_phase_asked: Rc::default(),
            count: None,
        }
    }

    fn step(&mut self, terms: &mut Terms) -> Result<Flow, Stop> {
        if self.code.is_thumb() {
            return self.step_thumb(terms);
        }
        let word = self.code.fetch(self.position).ok_or(Fault::OutsideCode)?;
        if let Some(link) = self.links.at(self.position, 4) {
            return Err(link.refuse().into());
        }
        let Some((instruction, row)) = decode(word) else {
            let fault = if is_indirect_branch(word) { Fault::IndirectBranch(word) } else { Fault::Unknown(word) };
            return Err(fault.into());
        };
        if instruction.condition < 14 && !self.condition_holds(terms, instruction.condition)? {
            self.position += self.length;
            return Ok(Flow::On);
        }
        self.execute(terms, instruction.operation, row.class)
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
        let general = self.r.iter().enumerate().map(|(n, &value)| Register { name: format!("r{n}"), width: 32, value });
        let vectors = self.d.iter().enumerate().map(|(n, &value)| Register { name: format!("d{n}"), width: 64, value });
        general.chain(vectors).collect()
    }

    fn set_register(&mut self, index: usize, value: Term) {
        match index {
            0..15 => self.r[index] = value,
            _ => self.d[index - 15] = value,
        }
    }

    fn flags_are_secret(&self, terms: &mut Terms) -> bool {
        match self.flags {
            Flags::Unknown | Flags::Known(_) => false,
            Flags::Sum { a, b, result, .. } => [a, b, result].iter().any(|&term| terms.is_secret(term)),
            Flags::Logic { result, carry, secret } | Flags::Equal { result, carry, secret, .. } => {
                secret || terms.is_secret(result) || carry.is_some_and(|carry| terms.is_secret(carry))
            }
        }
    }

    fn forget_flags(&mut self) {
        self.flags = Flags::Unknown;
    }

    /// The stack pointer is a multiple of 8 at entry (section 6.2.1.2).
    const STACK_PHASES: &'static [u32] = &[0, 8];

    fn set_stack_phase(&mut self, phase: u32) {
        self.stack_phase = phase;
    }

    fn stack_phase_asked(&self) -> Rc<Cell<bool>> {
        self.stack_phase_asked.clone()
    }

    /// r4 to r11, SP, and d8 to d15 (section 6.1).
    fn preserved_bits(&self, index: usize) -> u32 {
        match index {
            4..=11 | 13 => 32,
            23..=30 => 64,
            _ => 0,
        }
    }
}
