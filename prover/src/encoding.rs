//! Rows of the tables that instructions are decoded by.
//!
//! A row has a pattern of 32 bits and a function that reads the fields. A word that no row accepts is no instruction that the
//! prover knows. The tables are also what co-simulation draws its instructions from, so that no row goes without.

/// One class of encodings.
pub struct Encoding<I: 'static> {
    /// What the class is called, as in the manual.
    pub class: &'static str,
    mask: u32,
    value: u32,
    decode: fn(u32) -> Option<I>,
}

impl<I> Encoding<I> {
    /// A row. In the pattern `0` and `1` are fixed, letters are fields, spaces are for the eye.
    ///
    /// # Panics
    /// If the pattern has not 32 bits (at compile time, where tables are constants).
    pub const fn new(pattern: &str, class: &'static str, decode: fn(u32) -> Option<I>) -> Encoding<I> {
        let (mut mask, mut value, mut bits, mut at) = (0u32, 0u32, 0, 0);
        let pattern = pattern.as_bytes();
        while at < pattern.len() {
            let bit = pattern[at];
            if bit != b' ' {
                mask = mask << 1 | (bit == b'0' || bit == b'1') as u32;
                value = value << 1 | (bit == b'1') as u32;
                bits += 1;
            }
            at += 1;
        }
        assert!(bits == 32, "a pattern has 32 bits");
        Encoding { class, mask, value, decode }
    }

    /// The word with the fields that some bits give.
    pub fn word(&self, fields: u32) -> u32 {
        self.value | fields & !self.mask
    }

    /// The instruction, if the word is one of this class.
    pub fn decode(&self, word: u32) -> Option<I> {
        if word & self.mask == self.value { (self.decode)(word) } else { None }
    }
}

/// Bits `high ..= low` of a word.
pub(crate) const fn bits(word: u32, high: u32, low: u32) -> u32 {
    word >> low & (u32::MAX >> (31 - (high - low)))
}

/// One bit of a word.
pub(crate) const fn bit(word: u32, at: u32) -> bool {
    word >> at & 1 == 1
}

/// Bits `high ..= low` of a word as a number with a sign.
pub(crate) const fn signed(word: u32, high: u32, low: u32) -> i64 {
    let width = high - low + 1;
    ((bits(word, high, low) << (32 - width)) as i32 >> (32 - width)) as i64
}
