//! What vector instructions compute that both instruction sets have.

use crate::terms::{Term, Terms, ones, repeat};

/// Lane by lane, of three vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lanes {
    /// ADD, VADD.
    Add,
    /// SUB, VSUB.
    Sub,
    /// CMTST, VTST: all ones where some bit is one in both.
    Test,
}

impl Lanes {
    /// The result.
    pub(crate) fn apply(self, t: &mut Terms, a: Term, b: Term, element: u32, width: u32) -> Term {
        let (a, b) = (t.lanes(a, element, width), t.lanes(b, element, width));
        let lanes: Vec<Term> = (a.into_iter().zip(b))
            .map(|(a, b)| match self {
                Lanes::Add => t.add(a, b, element),
                Lanes::Sub => t.sub(a, b, element),
                Lanes::Test => {
                    let both = t.and(a, b);
                    let bits = t.lanes(both, 1, element);
                    let any = bits.into_iter().fold(Terms::ZERO, |any, bit| t.or(any, bit));
                    t.vector(&vec![any; element as usize], 1)
                }
            })
            .collect();
        t.vector(&lanes, element)
    }
}

/// Bit by bit, of three vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VectorLogic {
    /// AND, VAND.
    And,
    /// BIC, VBIC.
    AndNot,
    /// ORR, VORR.
    Or,
    /// ORN, VORN.
    OrNot,
    /// EOR, VEOR.
    Xor,
    /// BSL, VBSL.
    Select,
    /// BIT, VBIT.
    InsertIfTrue,
    /// BIF, VBIF.
    InsertIfFalse,
}

impl VectorLogic {
    /// The operation that U and size tell.
    pub(crate) fn of(u: bool, size: u32) -> VectorLogic {
        match (u, size) {
            (false, 0) => VectorLogic::And,
            (false, 1) => VectorLogic::AndNot,
            (false, 2) => VectorLogic::Or,
            (false, _) => VectorLogic::OrNot,
            (true, 0) => VectorLogic::Xor,
            (true, 1) => VectorLogic::Select,
            (true, 2) => VectorLogic::InsertIfTrue,
            (true, _) => VectorLogic::InsertIfFalse,
        }
    }

    /// The result, where the destination held `was`.
    pub(crate) fn apply(self, t: &mut Terms, was: Term, a: Term, b: Term, width: u32) -> Term {
        let result = self.bits(t, was, a, b, width);
        if matches!(self, VectorLogic::And | VectorLogic::Xor) { t.recognised(result, width) } else { result }
    }

    fn bits(self, t: &mut Terms, was: Term, a: Term, b: Term, width: u32) -> Term {
        match self {
            VectorLogic::And => t.and(a, b),
            VectorLogic::AndNot => {
                let b = t.not(b, width);
                t.and(a, b)
            }
            VectorLogic::Or if a == b => a,
            VectorLogic::Or => t.or(a, b),
            VectorLogic::OrNot => {
                let b = t.not(b, width);
                t.or(a, b)
            }
            VectorLogic::Xor => t.xor(a, b),
            VectorLogic::Select => t.select(was, a, b),
            VectorLogic::InsertIfTrue => t.select(b, a, was),
            VectorLogic::InsertIfFalse => t.select(b, was, a),
        }
    }
}

/// Shifts by an immediate, element by element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VectorShift {
    /// USHR, VSHR without sign.
    Right,
    /// USRA, VSRA without sign.
    RightAdd,
    /// SHL, VSHL.
    Left,
    /// SLI, VSLI.
    LeftInsert,
    /// SRI, VSRI.
    RightInsert,
}

impl VectorShift {
    /// The amount, by the number that tells it together with the size of an element.
    pub(crate) fn amount(self, value: u32, element: u32) -> u32 {
        match self {
            VectorShift::Left | VectorShift::LeftInsert => value - element,
            VectorShift::Right | VectorShift::RightAdd | VectorShift::RightInsert => 2 * element - value,
        }
    }

    /// The result, where the destination held `was`.
    pub(crate) fn apply(self, t: &mut Terms, was: Term, value: Term, by: u32, element: u32, width: u32) -> Term {
        let (value, was) = (t.lanes(value, element, width), t.lanes(was, element, width));
        let lanes: Vec<Term> =
            (value.into_iter().zip(was)).map(|(value, was)| self.lane(t, was, value, by, element)).collect();
        t.vector(&lanes, element)
    }

    fn lane(self, t: &mut Terms, was: Term, value: Term, by: u32, element: u32) -> Term {
        match self {
            VectorShift::Left => t.shl(value, by, element),
            VectorShift::Right => t.shr(value, by),
            VectorShift::RightAdd => {
                let shifted = t.shr(value, by);
                t.add(was, shifted, element)
            }
            VectorShift::LeftInsert => {
                let (shifted, kept) = (t.shl(value, by, element), t.mask(was, ones(by)));
                t.xor(shifted, kept)
            }
            VectorShift::RightInsert => {
                let (shifted, kept) = (t.shr(value, by), t.mask(was, ones(element) & !ones(element - by)));
                t.xor(shifted, kept)
            }
        }
    }
}

/// AdvSIMDExpandImm of the manuals, for the forms that fill a register: 64 bits of it.
pub(crate) fn expand_immediate(mode: u32, inverted: bool, byte: u64) -> Option<u64> {
    let spread = |value: u64, element: u32| repeat(value.into(), element, 0) as u64;
    let value = match (mode, inverted) {
        (0 | 2 | 4 | 6, _) => spread(byte << (4 * mode), 32),
        (8 | 10, _) => spread(byte << (4 * (mode - 8)), 16),
        (12, _) => spread(byte << 8 | 0xff, 32),
        (13, _) => spread(byte << 16 | 0xffff, 32),
        (14, false) => spread(byte, 8),
        (14, true) => (0..8).filter(|bit| byte >> bit & 1 == 1).map(|bit| 0xff << (8 * bit)).sum(),
        // Floating point, and ORR and BIC.
        _ => return None,
    };
    Some(if inverted && mode != 14 { !value } else { value })
}

/// The elements of two vectors in turn.
pub(crate) fn zip(t: &mut Terms, [a, b]: [Term; 2], element: u32, width: u32) -> [Term; 2] {
    let (a, b) = (t.lanes(a, element, width), t.lanes(b, element, width));
    let all: Vec<Term> = a.into_iter().zip(b).flat_map(|(a, b)| [a, b]).collect();
    let (low, high) = all.split_at(all.len() / 2);
    [t.vector(low, element), t.vector(high, element)]
}

/// The elements with even numbers, and those with odd ones, of two vectors behind each other.
pub(crate) fn unzip(t: &mut Terms, [a, b]: [Term; 2], element: u32, width: u32) -> [Term; 2] {
    let all: Vec<Term> = [a, b].into_iter().flat_map(|vector| t.lanes(vector, element, width)).collect();
    [0, 1].map(|first| {
        let own: Vec<Term> = all.iter().copied().skip(first).step_by(2).collect();
        t.vector(&own, element)
    })
}

/// Bytes of a table of registers, by a vector of indices.
pub(crate) fn look_up(t: &mut Terms, registers: &[Term], indices: Term, width: u32) -> Term {
    if let Some(indices) = t.value(indices) {
        let indices: Vec<u32> = (0..width / 8).map(|n| (indices >> (8 * n)) as u32 & 0xff).collect();
        // Bytes that stay neighbours are taken together.
        let neighbours = |a: &u32, b: &u32| *b == *a + 1 && !b.is_multiple_of(16);
        let runs = indices.chunk_by(neighbours).map(|run| {
            let (first, bits) = (run[0], run.len() as u32 * 8);
            let register = registers.get(first as usize / 16);
            (register.map_or(Terms::ZERO, |&register| t.extract_bits(register, first % 16 * 8, bits)), bits)
        });
        let runs: Vec<(Term, u32)> = runs.collect();
        return t.concat(&runs);
    }
    let bytes: Vec<Term> = registers.iter().flat_map(|&register| t.lanes(register, 8, 128)).collect();
    let chosen: Vec<Term> = t.lanes(indices, 8, width).into_iter().map(|index| choose_byte(t, &bytes, index)).collect();
    t.vector(&chosen, 8)
}

fn choose_byte(t: &mut Terms, bytes: &[Term], index: Term) -> Term {
    let index_bits = t.lanes(index, 1, 8);
    let mut all = Terms::ZERO;
    for (number, &byte) in bytes.iter().enumerate() {
        let mut chosen = byte;
        for (at, &bit) in index_bits.iter().enumerate() {
            let wanted = if number >> at & 1 == 1 { bit } else { t.not(bit, 1) };
            let spread = t.vector(&[wanted; 8], 1);
            chosen = t.and(chosen, spread);
        }
        all = t.xor(all, chosen);
    }
    all
}
