//! The two halves of a rotation by shifts: what the first leaves in place, or not, the second overwrites.
//!
//! `shl d, n, #k` and `sli d, n, #k` differ in the k lowest bits of each element; `sri d, m, #(size - k)` then writes just
//! those. So do `ushr`, `sri` before `sli` with the highest bits.

use vambrace::kernels::Architecture;

use super::code::Code;
use super::dead::reads_vector;
use super::operators::Mutant;
use crate::features::encoding;
use crate::features::encoding::{bit, bits};

/// A shift of the elements of a vector by an immediate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shift {
    left: bool,
    inserts: bool,
    /// The size of elements and the amount.
    size: u32,
    amount: u32,
    register: u32,
    /// Whether it is of 128 bits.
    whole: bool,
}

/// Why a mutant is equivalent, if it is a shift that inserts or not, before its other half.
pub fn reason(code: &Code, mutant: &Mutant) -> Option<String> {
    let [change] = mutant.changes[..] else { return None };
    let place = code.at(change.offset).filter(|place| place.is_code)?;
    let (old, new) = (shift(code.architecture, place.value)?, shift(code.architecture, change.word)?);
    let other_operands = match code.architecture {
        Architecture::Aarch64 => 0x3ff,
        Architecture::Arm => 0x0040_f02f,
    };
    if (Shift { inserts: old.inserts, ..new }) != old || (place.value ^ change.word) & other_operands != 0 {
        return None;
    }
    // The next instruction that has to do with the register.
    let mut offset = change.offset + 4;
    loop {
        let next = code.at(offset).filter(|next| next.is_code)?;
        let half = shift(code.architecture, next.value).filter(|half| half.inserts && half.register == old.register);
        if let Some(half) = half {
            let complements = half.left != old.left
                && (half.size, half.whole) == (old.size, old.whole)
                && half.amount + old.amount == old.size
                && !reads_itself(code.architecture, next.value);
            return complements.then(|| {
                format!("rotation: the other half at {offset:#x} overwrites all bits in which the two differ")
            });
        }
        if reads_vector(code.architecture, offset, next.value, old.register)? {
            return None;
        }
        offset += 4;
    }
}

/// Whether a shift's operand is its result, which then holds what differs.
fn reads_itself(architecture: Architecture, word: u32) -> bool {
    match architecture {
        Architecture::Aarch64 => bits(word, 9, 5) == bits(word, 4, 0),
        Architecture::Arm => bits(word, 15, 12) == bits(word, 3, 0) && bit(word, 22) == bit(word, 5),
    }
}

fn shift(architecture: Architecture, word: u32) -> Option<Shift> {
    let name = encoding(architecture, word)?.name;
    let (left, inserts, size_and_amount, register, whole) = match architecture {
        Architecture::Aarch64 => {
            let (left, inserts) = match (name, bit(word, 29), bits(word, 15, 11)) {
                ("SRI, SHL, SLI", false, 0b01010) => (true, false),
                ("SRI, SHL, SLI", true, 0b01010) => (true, true),
                ("SRI, SHL, SLI", true, 0b01000) => (false, true),
                // Signed or not: the bits that a sign fills are those that the other half overwrites.
                ("SSHR, SSRA, SRSHR, SRSRA and their kin", _, 0) => (false, false),
                _ => return None,
            };
            (left, inserts, bits(word, 22, 16), bits(word, 4, 0), bit(word, 30))
        }
        Architecture::Arm => {
            let (left, inserts) = match (name, bit(word, 24), bits(word, 11, 8)) {
                ("VSHL, VSLI (immediate)", false, _) => (true, false),
                ("VSHL, VSLI (immediate)", true, _) => (true, true),
                ("VSRI", ..) => (false, true),
                ("VSHR, VSRA, VRSHR, VRSRA", _, 0) => (false, false),
                _ => return None,
            };
            let register = u32::from(bit(word, 22)) << 4 | bits(word, 15, 12);
            (left, inserts, u32::from(bit(word, 7)) << 6 | bits(word, 21, 16), register, bit(word, 6))
        }
    };
    let size = 1 << size_and_amount.max(8).ilog2();
    let amount = if left { size_and_amount - size } else { 2 * size - size_and_amount };
    Some(Shift { left, inserts, size, amount, register, whole })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutants::code::Word;
    use crate::mutants::operators::Kind;
    use vambrace_verify::mutation::Change;

    fn judged(architecture: Architecture, words: &[u32], word: u32) -> bool {
        let list = words.iter().enumerate();
        let words =
            list.map(|(index, value)| Word { offset: 4 * index as u32, value: *value, is_code: true }).collect();
        let code = Code { architecture, kernel: "k".to_owned(), features: &[], words };
        reason(&code, &Mutant { number: 0, kind: Kind::Opcode, changes: vec![Change { offset: 0, word }] }).is_some()
    }

    #[test]
    fn what_the_other_half_overwrites_does_not_matter() {
        // shl v30.4s, v26.4s, #7 -> sli; eor v1, v2, v3; sri v30.4s, v26.4s, #25
        let (shl, sli, eor, sri) = (0x4f27_575e, 0x6f27_575e, 0x6e23_1c41, 0x6f27_475e);
        assert!(judged(Architecture::Aarch64, &[shl, eor, sri], sli));
        // By another amount, of another register, or with a reader before it.
        assert!(!judged(Architecture::Aarch64, &[shl, eor, 0x6f28_475e], sli));
        assert!(!judged(Architecture::Aarch64, &[shl, eor, 0x6f27_475d], sli));
        assert!(!judged(Architecture::Aarch64, &[shl, 0x6e3e_1c41, sri], sli));
        // vshr.u64 d30, d18, #34 -> vshr.s64; vsli.64 d30, d18, #30. And without the other half.
        let (unsigned, signed, sli) = (0xf3de_e0b2, 0xf2de_e0b2, 0xf3de_e5b2);
        assert!(judged(Architecture::Arm, &[unsigned, sli], signed) && !judged(Architecture::Arm, &[unsigned], signed));
        // vshl.i32 q0, q1, #7 -> vsli.32; vsri.32 q0, q1, #25
        assert!(judged(Architecture::Arm, &[0xf2a7_0552, 0xf3a7_0452], 0xf3a7_0552));
        assert!(!judged(Architecture::Arm, &[0xf2a7_0552, 0xf3a8_0452], 0xf3a7_0552));
    }
}
