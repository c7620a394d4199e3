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
    pub const fn new(diagram: &str, needs: Needs, name: &'static str, allocated: fn(u32) -> bool) -> Encoding {
        let (mut mask, mut value, mut bits, mut at) = (0u32, 0u32, 0, 0);
        let diagram = diagram.as_bytes();
        while at < diagram.len() {
            if !matches!(diagram[at], b' ' | b'\'') {
                mask = mask << 1 | matches!(diagram[at], b'0' | b'1') as u32;
                value = value << 1 | (diagram[at] == b'1') as u32;
                bits += 1;
            }
            at += 1;
        }
        assert!(bits == 32, "a diagram has 32 bits");
        Encoding { name, needs, mask, value, allocated }
    }

    /// Whether a word is one of these instructions.
    pub fn matches(&self, word: u32) -> bool {
        word & self.mask == self.value && (self.allocated)(word)
    }

    /// A word with the row's fixed bits, and the others from `bits`.
    #[cfg(test)]
    pub fn fill(&self, bits: u32) -> u32 {
        self.value | bits & !self.mask
    }
}

/// Bits `high` to `low` of a word.
pub const fn bits(word: u32, high: u32, low: u32) -> u32 {
    word >> low & ((1 << (high - low + 1)) - 1)
}

/// Bit `at` of a word.
pub const fn bit(word: u32, at: u32) -> bool {
    word >> at & 1 != 0
}

/// Every word that fits the diagram.
pub const fn always(_: u32) -> bool {
    true
}
