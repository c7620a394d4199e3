//! Rows of the tables of instruction encodings.

use std::fmt;

use vambrace::kernels::Feature;

/// What an instruction asks of the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needs {
    /// The base architecture: ARMv8.0-A without floating point, or ARMv7-A without VFP.
    Base,
    /// A feature that a contract can declare. NEON stands for all use of its registers, VFP instructions included.
    Feature(Feature),
    /// An extension that no contract can declare.
    Extension(&'static str),
}

impl fmt::Display for Needs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Needs::Base => f.pad("the base architecture"),
            Needs::Feature(feature) => f.pad(feature.name()),
            Needs::Extension(name) => f.pad(name),
        }
    }
}

/// A group of instructions that share an encoding diagram.
#[derive(Clone, Copy)]
pub struct Encoding {
    /// The instructions' names.
    pub name: &'static str,
    /// What they ask of the CPU.
    pub needs: Needs,
    diagram: &'static str,
    mask: u32,
    value: u32,
    /// What the diagram leaves unallocated is not an instruction.
    allocated: fn(u32) -> bool,
}

impl Encoding {
    /// A row from its diagram, bit 31 first: `0` and `1` are fixed, a space or `'` separates, anything else is a field.
    ///
    /// # Panics
    /// If the diagram has not 32 bits (at compile time, where the tables are made).
    pub const fn new(diagram: &'static str, needs: Needs, name: &'static str, allocated: fn(u32) -> bool) -> Encoding {
        let (mut mask, mut value, mut bits, mut at) = (0u32, 0u32, 0, 0);
        let letters = diagram.as_bytes();
        while at < letters.len() {
            if !matches!(letters[at], b' ' | b'\'') {
                mask = mask << 1 | matches!(letters[at], b'0' | b'1') as u32;
                value = value << 1 | (letters[at] == b'1') as u32;
                bits += 1;
            }
            at += 1;
        }
        assert!(bits == 32, "a diagram has 32 bits");
        Encoding { name, needs, diagram, mask, value, allocated }
    }

    /// Whether a word is one of these instructions.
    pub fn matches(&self, word: u32) -> bool {
        word & self.mask == self.value && (self.allocated)(word)
    }

    /// The bits that the diagram fixes.
    pub fn fixed(&self) -> u32 {
        self.mask
    }

    /// The fields, from bit 31 on: a run of one letter without a space or a `'` in it.
    pub fn fields(&self) -> Vec<Field> {
        let mut fields: Vec<Field> = Vec::new();
        let (mut at, mut last) = (32, ' ');
        for letter in self.diagram.chars() {
            if !matches!(letter, ' ' | '\'') {
                at -= 1;
                match fields.last_mut().filter(|_| letter == last) {
                    Some(field) if !matches!(letter, '0' | '1') => {
                        field.low = at;
                        field.width += 1;
                    }
                    _ if matches!(letter, '0' | '1') => {}
                    _ => fields.push(Field { letter, low: at, width: 1 }),
                }
            }
            last = letter;
        }
        fields
    }

    /// A word with the row's fixed bits, and the others from `bits`.
    #[cfg(test)]
    pub fn fill(&self, bits: u32) -> u32 {
        self.value | bits & !self.mask
    }
}

/// A field of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The letter that stands for it in the diagram.
    pub letter: char,
    /// Its lowest bit.
    pub low: u32,
    /// How many bits it has.
    pub width: u32,
}

impl Field {
    /// Its value in a word.
    pub fn of(&self, word: u32) -> u32 {
        bits(word, self.low + self.width - 1, self.low)
    }

    /// The word with another value in it.
    pub fn set(&self, word: u32, value: u32) -> u32 {
        let mask = ((1u64 << self.width) - 1) as u32;
        word & !(mask << self.low) | (value & mask) << self.low
    }
}

/// Bits `high` to `low` of a word.
pub const fn bits(word: u32, high: u32, low: u32) -> u32 {
    word >> low & ((1u64 << (high - low + 1)) - 1) as u32
}

/// Bit `at` of a word.
pub const fn bit(word: u32, at: u32) -> bool {
    word >> at & 1 != 0
}

/// Every word that fits the diagram.
pub const fn always(_: u32) -> bool {
    true
}
