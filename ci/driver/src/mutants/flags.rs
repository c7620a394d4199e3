//! Mutants of a condition that says the same for all flags that can be there.
//!
//! A forward analysis over the kernel's own branches: which of the sixteen values of NZCV are possible before each
//! instruction. A branch leaves its own condition behind on one way and the opposite on the other; comparisons with 0 never
//! borrow, and logical comparisons clear C and V on A64.

use vambrace::kernels::Architecture;

use super::code::Code;
use super::dead::{Flow, effect, return_sites};
use super::operators::{Kind, Mutant};
use crate::features::encoding;
use crate::features::encoding::{bit, bits};

/// A set of values of NZCV.
type Possible = u16;

/// Before the first instruction.
const ANY: Possible = 0xffff;
/// No result is zero and negative.
const COMPUTED: Possible = 0x0fff;

/// The values in which a condition holds: DDI 0487, `ConditionHolds`.
fn holding(condition: u32) -> Possible {
    (0u32..16).filter(|flags| holds(condition, *flags)).fold(0, |set, flags| set | 1 << flags)
}

fn holds(condition: u32, flags: u32) -> bool {
    let [n, z, c, v] = [3, 2, 1, 0].map(|at| bit(flags, at));
    let base = match condition >> 1 {
        0 => z,
        1 => c,
        2 => n,
        3 => v,
        4 => c && !z,
        5 => n == v,
        6 => n == v && !z,
        _ => return true,
    };
    base != bit(condition, 0)
}

/// The condition of an instruction: its value and the bit from which it stands.
fn condition(architecture: Architecture, word: u32) -> Option<(u32, u32)> {
    let name = encoding(architecture, word)?.name;
    let low = match (architecture, name) {
        (Architecture::Aarch64, "B.cond") => 0,
        (Architecture::Aarch64, "CSEL, CSINC, CSINV, CSNEG") => 12,
        (Architecture::Aarch64, _) => return None,
        (Architecture::Arm, _) if bits(word, 31, 28) == 15 => return None,
        (Architecture::Arm, _) => 28,
    };
    Some((bits(word, low + 3, low), low))
}

/// Why a mutant is equivalent, if it is another condition that says the same.
pub fn reason(code: &Code, mutant: &Mutant) -> Option<String> {
    let [change] = mutant.changes[..] else { return None };
    let place = code.at(change.offset).filter(|place| place.is_code)?;
    let (old, low) = condition(code.architecture, place.value)?;
    let (new, _) = condition(code.architecture, change.word)?;
    if mutant.kind != Kind::Condition || (place.value ^ change.word) & !(15 << low) != 0 {
        return None;
    }
    let possible = before(code, place.offset)?;
    let same = holding(old) & possible == holding(new) & possible;
    (same && possible != 0).then(|| {
        "condition: both conditions say the same for all flags that can be there, whatever way leads there".to_owned()
    })
}

/// The values that are possible before an instruction; none if the kernel's ways cannot all be told.
fn before(code: &Code, offset: u32) -> Option<Possible> {
    let index = |offset: u32| offset as usize / 4;
    let mut possible = vec![0; code.words.len()];
    let mut waiting = vec![(0, ANY)];
    while let Some((at, flags)) = waiting.pop() {
        let place = code.at(at).filter(|place| place.is_code)?;
        let known: &mut Possible = possible.get_mut(index(at))?;
        if flags & !*known == 0 {
            continue;
        }
        *known |= flags;
        let flags = *known;
        let (architecture, word) = (code.architecture, place.value);
        match effect(architecture, at, word).flow {
            Flow::Next => waiting.push((at + 4, after(architecture, word, flags))),
            Flow::Return => waiting.extend(return_sites(code).map(|site| (site, flags))),
            Flow::Call { to } => waiting.push((u32::try_from(to).ok()?, flags)),
            Flow::Jump { to, or_next } => {
                let condition = condition(architecture, word).map_or(14, |(condition, _)| condition);
                let taken = if condition < 14 { flags & holding(condition) } else { flags };
                let passed = if condition < 14 { flags & !holding(condition) } else { flags };
                waiting.push((u32::try_from(to).ok()?, taken));
                if or_next {
                    waiting.push((at + 4, passed));
                }
            }
            Flow::Unknown => {
                // A return under a condition goes on without it; of any other jump it is not known where it leads.
                let (condition, _) = condition(architecture, word).filter(|(condition, _)| *condition < 14)?;
                let returns =
                    encoding(architecture, word).is_some_and(|row| row.name == "BX, BLX" && bits(word, 5, 0) == 0x1e);
                if architecture != Architecture::Arm || !returns {
                    return None;
                }
                waiting.push((at + 4, flags & !holding(condition)));
            }
        }
    }
    possible.get(index(offset)).copied()
}

/// The values that are possible after an instruction.
fn after(architecture: Architecture, word: u32, flags: Possible) -> Possible {
    let name = encoding(architecture, word).map_or("", |row| row.name);
    // C set, V clear: nothing is borrowed when 0 is subtracted.
    let no_borrow: Possible = (0..12).filter(|flags| flags & 3 == 2).fold(0, |set, flags| set | 1 << flags);
    let no_carry: Possible = (0..12).filter(|flags| flags & 3 == 0).fold(0, |set, flags| set | 1 << flags);
    match architecture {
        Architecture::Aarch64 => match name {
            "ADD, SUB (immediate)" if bits(word, 30, 29) == 3 && bits(word, 21, 10) == 0 => no_borrow,
            _ if name.starts_with("ADD, SUB (") && bit(word, 29) => COMPUTED,
            "AND, ORR, EOR, ANDS (immediate)" | "AND, BIC, ORR, ORN, EOR, EON, ANDS, BICS"
                if bits(word, 30, 29) == 3 =>
            {
                no_carry
            }
            "ADC, SBC" if bit(word, 29) => COMPUTED,
            "CCMP, CCMN" | "MRS, MSR (NZCV)" => ANY,
            _ => flags,
        },
        Architecture::Arm => {
            let compares = name.starts_with("TST, TEQ");
            let sets = compares
                || encoding(architecture, word)
                    .is_some_and(|row| row.fields().iter().any(|field| field.letter == 'S' && field.low == 20))
                    && bit(word, 20);
            let subtracts_nothing = (name == "TST, TEQ, CMP, CMN (immediate)" && bits(word, 24, 21) == 10
                || name.starts_with("AND to RSC (immediate)") && bits(word, 24, 21) == 2)
                && bits(word, 7, 0) == 0;
            let set = match (sets, subtracts_nothing) {
                (false, _) if name.starts_with("MSR") => ANY,
                (false, _) => return flags,
                (true, true) => no_borrow,
                (true, false) => COMPUTED,
            };
            if bits(word, 31, 28) == 14 { set } else { set | flags }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutants::code::Word;
    use vambrace_verify::mutation::Change;

    fn judged(architecture: Architecture, words: &[u32], offset: u32, word: u32) -> bool {
        let list = words.iter().enumerate();
        let list = list.map(|(index, value)| Word { offset: 4 * index as u32, value: *value, is_code: true }).collect();
        let code = Code { architecture, kernel: "k".to_owned(), features: &[], words: list };
        let changes = vec![Change { offset, word }];
        reason(&code, &Mutant { number: 0, kind: Kind::Condition, changes }).is_some()
    }

    #[test]
    fn a_condition_that_always_holds_can_be_left_out() {
        // cmp r2, #0; bxeq lr; eorne r0, r0, r1 for eor; bx lr
        let words = [0xe352_0000, 0x012f_ff1e, 0xe020_0001, 0xe12f_ff1e];
        assert!(judged(Architecture::Arm, &words, 8, 0x1020_0001));
        // hi is ne where nothing was borrowed; lt is not.
        assert!(judged(Architecture::Arm, &words, 8, 0x8020_0001));
        assert!(!judged(Architecture::Arm, &words, 8, 0xb020_0001));
        // cmp r2, #1 borrows.
        assert!(!judged(Architecture::Arm, &[0xe352_0001, words[1], words[2], words[3]], 8, 0x8020_0001));
        // Without the return nothing is known.
        assert!(!judged(Architecture::Arm, &[words[0], words[2], words[3]], 4, 0x1020_0001));
    }

    #[test]
    fn comparisons_with_nothing_make_conditions_equal() {
        // cmp x2, #0; b.eq .+8; nop; ret: b.ls says the same, b.lt does not.
        let words = [0xf100_005f, 0x5400_0040, 0xd503_201f, 0xd65f_03c0];
        assert!(judged(Architecture::Aarch64, &words, 4, 0x5400_0049));
        assert!(!judged(Architecture::Aarch64, &words, 4, 0x5400_004b));
        // tst x2, #1 clears C: then ls always holds.
        assert!(!judged(Architecture::Aarch64, &[0xf240_005f, words[1], words[2], words[3]], 4, 0x5400_0049));
    }

    #[test]
    fn every_way_counts() {
        // cbz x3, .+8; cmp x2, #0; b.eq .+8; nop; ret: on one way the flags are the caller's.
        let words = [0xb400_0043, 0xf100_005f, 0x5400_0040, 0xd503_201f, 0xd65f_03c0];
        assert!(!judged(Architecture::Aarch64, &words, 8, 0x5400_0049));
    }
}
