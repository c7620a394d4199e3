//! Which changes of a kernel's words are its mutants.
//!
//! What a field of an instruction means is read from the encoding diagrams of [`features`](crate::features), so each row of
//! them has its operators. A mutant is always an instruction of a feature that the kernel's contract declares: another word
//! would be found by the check *features* without being run. The list depends on the code alone; a mutant's number in it is
//! its name in replay lines.

use vambrace::kernels::Architecture;
use vambrace_verify::mutation::Change;

use super::alike;
use super::code::{Code, Word};
use crate::disassembly::Disassembler;
use crate::features::encoding;
use crate::features::encoding::{Encoding, Field, Needs};

/// What is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// An operand's register, or a list of registers.
    Register,
    /// An immediate: a constant, an offset, a shift or rotate amount, a lane.
    Immediate,
    /// The operation: a sibling opcode, a width, an element size, the kind of a shift, a condition flag setting.
    Opcode,
    /// A condition.
    Condition,
    /// An instruction becomes a NOP.
    Removed,
    /// An instruction changes places with the next, which uses its result.
    Swapped,
    /// A bit of a table.
    Literal,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 7] =
        [Kind::Register, Kind::Immediate, Kind::Opcode, Kind::Condition, Kind::Removed, Kind::Swapped, Kind::Literal];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Register => "register",
            Kind::Immediate => "immediate",
            Kind::Opcode => "opcode",
            Kind::Condition => "condition",
            Kind::Removed => "removed",
            Kind::Swapped => "swapped",
            Kind::Literal => "literal",
        }
    }
}

/// A kernel with one thing changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// Its number among the mutants of its kernel.
    pub number: u64,
    /// What is changed.
    pub kind: Kind,
    /// The new words: two that are swapped, else one.
    pub changes: Vec<Change>,
}

/// The instruction that does nothing.
pub fn nop(architecture: Architecture) -> u32 {
    match architecture {
        Architecture::Aarch64 => 0xd503_201f,
        Architecture::Arm => 0xe320_f000,
    }
}

/// All mutants of a kernel.
pub fn all(code: &Code, disassembler: &Disassembler) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    let mut add = |kind, changes: Vec<Change>| {
        mutants.push(Mutant { number: mutants.len() as u64, kind, changes });
    };
    for (index, word) in code.words.iter().enumerate() {
        let change = |value| vec![Change { offset: word.offset, word: value }];
        if !word.is_code {
            add(Kind::Literal, change(word.value ^ 1 << (mixed(word.offset) % 32)));
            continue;
        }
        let Some(row) = encoding(code.architecture, word.value).filter(|row| !is_hint(row)) else { continue };
        for (kind, value) in of_instruction(code, disassembler, *word, row) {
            add(kind, change(value));
        }
        add(Kind::Removed, change(nop(code.architecture)));
        if let Some(next) = code.words.get(index + 1).filter(|next| next.is_code && uses(code, *word, **next)) {
            let changes =
                [Change { offset: word.offset, word: next.value }, Change { offset: next.offset, word: word.value }];
            add(Kind::Swapped, changes.to_vec());
        }
    }
    mutants
}

/// Hints do nothing by definition, and so do prefetches.
pub fn is_hint(row: &Encoding) -> bool {
    row.name.contains("hints") || row.name.starts_with("PLD")
}

fn of_instruction(code: &Code, disassembler: &Disassembler, word: Word, row: &Encoding) -> Vec<(Kind, u32)> {
    let mut candidates = Vec::new();
    for field in row.fields() {
        let Some(kind) = meaning(code.architecture, row, field) else { continue };
        let value = field.of(word.value);
        let others: Vec<u32> = match kind {
            Kind::Register if field.width > 5 => {
                // A list: one register less or more.
                (0..2).map(|which| value ^ 1 << (mixed(word.offset + which) % field.width)).collect()
            }
            Kind::Register => vec![value ^ 1, mixed(word.offset + field.low)],
            // Lanes, whose number is in the upper bits of a field that tells the size, too.
            Kind::Immediate if ["INS", "DUP", "VDUP", "UMOV", "SMOV"].iter().any(|name| row.name.starts_with(name)) => {
                (0..field.width).map(|bit| value ^ 1 << bit).collect()
            }
            Kind::Immediate => {
                vec![
                    value.wrapping_add(1),
                    value.wrapping_sub(1),
                    value ^ 1 << (mixed(word.offset + field.low) % field.width),
                ]
            }
            Kind::Condition => vec![value ^ 1, value ^ 2, value ^ 8, mixed(word.offset)],
            _ if field.width <= 3 => (0..1 << field.width).collect(),
            _ => (0..field.width).map(|bit| value ^ 1 << bit).collect(),
        };
        candidates.extend(others.into_iter().map(|other| (kind, field.set(word.value, other))));
    }
    candidates.extend(siblings(code.architecture, row, word.value).into_iter().map(|sibling| (Kind::Opcode, sibling)));
    // The siblings that another row of the table has.
    let fixed = row.fixed();
    candidates.extend((0..32).filter(|bit| fixed >> bit & 1 != 0).map(|bit| (Kind::Opcode, word.value ^ 1 << bit)));
    let mut kept: Vec<(Kind, u32)> = Vec::new();
    for (kind, value) in candidates {
        let seen = value == word.value || kept.iter().any(|(_, other)| *other == value);
        if !seen && is_mutant(code, disassembler, word, value) {
            kept.push((kind, value));
        }
    }
    kept
}

/// The same instruction with another operation, where operations differ in more than a field of one letter.
fn siblings(architecture: Architecture, row: &Encoding, word: u32) -> Vec<u32> {
    let with = |high: u32, low: u32, value: u32| {
        let mask = ((1 << (high - low + 1)) - 1) << low;
        word & !mask | value << low & mask
    };
    let bitwise = row.name.contains("BSL, ");
    match architecture {
        // AND, BIC, ORR, ORN, EOR, BSL, BIT, BIF.
        Architecture::Aarch64 if bitwise => {
            (0..8).map(|which| with(23, 22, which & 3) & !(1 << 29) | which >> 2 << 29).collect()
        }
        Architecture::Arm if bitwise => {
            (0..8).map(|which| with(21, 20, which & 3) & !(1 << 24) | which >> 2 << 24).collect()
        }
        // AND, EOR, SUB, ADD, ORR, BIC.
        Architecture::Arm
            if row.needs == Needs::Base && ["AND", "ADD", "ORR"].iter().any(|name| row.name.starts_with(name)) =>
        {
            [0, 1, 2, 4, 12, 14].map(|operation| with(24, 21, operation)).to_vec()
        }
        _ => Vec::new(),
    }
}

/// Whether a word in the place of another is an instruction that the kernel may have, and one that means something else.
fn is_mutant(code: &Code, disassembler: &Disassembler, word: Word, value: u32) -> bool {
    let Some(row) = encoding(code.architecture, value).filter(|row| !is_hint(row)) else { return false };
    let declared = match row.needs {
        Needs::Base => true,
        Needs::Feature(feature) => code.features.contains(&feature),
        Needs::Extension(_) => false,
    };
    let text = |value| disassembler.instruction(word.offset.into(), value);
    let (old, new) = (text(word.value), text(value));
    declared && new.is_some() && old != new && !alike::same_meaning(code.architecture, word.value, value)
}

/// Whether a row's letters a to h spell one constant, and mmmm is how it is spread.
pub fn is_constant(row: &Encoding) -> bool {
    row.name.starts_with("MOVI") || row.name.starts_with("VMOV, VMVN")
}

/// What changing a field changes; none for a field that is not to be changed.
fn meaning(architecture: Architecture, row: &Encoding, field: Field) -> Option<Kind> {
    let is_constant = is_constant(row);
    Some(match (field.letter, field.width) {
        ('c', 4) => Kind::Condition,
        ('h', 7 | 8) => return None,
        ('m', 4) if is_constant => Kind::Opcode,
        ('d' | 'n' | 'm' | 'a' | 't' | 'u' | 's', 3..=5) => Kind::Register,
        ('r', 16) => Kind::Register,
        ('D' | 'N' | 'M', 1) if architecture == Architecture::Arm && row.needs != Needs::Base => Kind::Register,
        ('a'..='h', 1) if is_constant => Kind::Immediate,
        ('i' | 'j' | 'r' | 'w' | 'l' | 'b' | 'f' | 'h', _) => Kind::Immediate,
        _ => Kind::Opcode,
    })
}

/// Whether the second instruction reads what the first has written, and both compute in registers alone.
fn uses(code: &Code, first: Word, second: Word) -> bool {
    let row_of = |word: Word| encoding(code.architecture, word.value);
    let (Some(one), Some(other)) = (row_of(first), row_of(second)) else { return false };
    let computes = |row: &Encoding| {
        let elsewhere = ["LD", "ST", "B", "CB", "TB", "ADR", "VLD", "VST", "general"];
        !elsewhere.iter().any(|part| row.name.starts_with(part) || row.name.ends_with(part))
    };
    let vector = |row: &Encoding| row.needs != Needs::Base;
    if !computes(one) || !computes(other) || vector(one) != vector(other) || first.value == second.value {
        return false;
    }
    if alike::commute(code.architecture, first.value, second.value) {
        return false;
    }
    let register = |row: &Encoding, word: u32, letter: char| {
        let fields = row.fields();
        let low = fields.iter().find(|field| field.letter == letter && field.width >= 4)?.of(word);
        let high = letter.to_ascii_uppercase();
        let high =
            fields.iter().find(|field| field.letter == high && field.width == 1).map_or(0, |field| field.of(word));
        Some(high << 4 | low)
    };
    let Some(result) = register(one, first.value, 'd') else { return false };
    !is_constant(other)
        && ['n', 'm', 'a'].into_iter().any(|letter| register(other, second.value, letter) == Some(result))
}

/// A number that looks like a random one, for the same choice in every run.
fn mixed(seed: u32) -> u32 {
    let mut value = seed.wrapping_add(0x9e37_79b9).wrapping_mul(0x85eb_ca6b);
    value ^= value >> 13;
    value = value.wrapping_mul(0xc2b2_ae35);
    value ^ value >> 16
}

#[cfg(test)]
mod tests {
    use vambrace::kernels::Feature;

    use super::*;

    /// The mutants of the first of some words, as text.
    fn of_first(architecture: Architecture, features: &'static [Feature], words: &[u32]) -> Vec<(Kind, String)> {
        let word = |(index, value): (usize, &u32)| Word { offset: 4 * index as u32, value: *value, is_code: true };
        let words = words.iter().enumerate().map(word).collect();
        let code = Code { architecture, kernel: "k".to_owned(), features, words };
        let disassembler = Disassembler::new(architecture).unwrap();
        let mutants = all(&code, &disassembler).into_iter().filter(|mutant| mutant.changes[0].offset == 0);
        mutants.map(|mutant| (mutant.kind, disassembler.instruction(0, mutant.changes[0].word).unwrap())).collect()
    }

    fn has(mutants: &[(Kind, String)], kind: Kind, text: &str) -> bool {
        mutants.iter().any(|mutant| *mutant == (kind, text.to_owned()))
    }

    #[test]
    fn each_part_of_an_a64_instruction_is_changed() {
        // eor w0, w1, w2, ror #7
        let mutants = of_first(Architecture::Aarch64, &[], &[0x4ac2_1c20]);
        for (kind, text) in [
            (Kind::Register, "eor w1, w1, w2, ror #7"),
            (Kind::Register, "eor w0, w0, w2, ror #7"),
            (Kind::Register, "eor w0, w1, w3, ror #7"),
            (Kind::Immediate, "eor w0, w1, w2, ror #8"),
            (Kind::Immediate, "eor w0, w1, w2, ror #6"),
            (Kind::Opcode, "eor w0, w1, w2, lsr #7"),
            (Kind::Opcode, "orr w0, w1, w2, ror #7"),
            (Kind::Opcode, "and w0, w1, w2, ror #7"),
            (Kind::Opcode, "eon w0, w1, w2, ror #7"),
            (Kind::Opcode, "eor x0, x1, x2, ror #7"),
            (Kind::Removed, "nop"),
        ] {
            assert!(has(&mutants, kind, text), "{text}: {mutants:?}");
        }
    }

    #[test]
    fn vector_and_cryptographic_instructions_have_their_siblings() {
        const CE: &[Feature] = &[Feature::Neon, Feature::Sha2, Feature::Aes];
        let mutants = |word| of_first(Architecture::Aarch64, CE, &[word]);
        assert!(has(&mutants(0x5e02_4020), Kind::Opcode, "sha256h2 q0, q1, v2.4s"));
        assert!(has(&mutants(0x4e28_4820), Kind::Opcode, "aesd v0.16b, v1.16b"));
        assert!(has(&mutants(0x6e20_0820), Kind::Opcode, "rev32 v0.8h, v1.8h"));
        assert!(has(&mutants(0x4ea2_1c20), Kind::Opcode, "eor v0.16b, v1.16b, v2.16b"));
        assert!(has(&mutants(0x4ea2_8420), Kind::Opcode, "sub v0.4s, v1.4s, v2.4s"));
        assert!(has(&mutants(0x4ea2_8420), Kind::Opcode, "add v0.2d, v1.2d, v2.2d"));
        // mov v0.s[1], v1.s[2]: another lane.
        let lanes = mutants(0x6e0c_4420);
        assert!(has(&lanes, Kind::Immediate, "mov v0.s[1], v1.s[3]"), "{lanes:?}");
    }

    #[test]
    fn each_part_of_an_a32_instruction_is_changed() {
        // eor r0, r1, r2, ror #7
        let mutants = of_first(Architecture::Arm, &[], &[0xe021_03e2]);
        for (kind, text) in [
            (Kind::Register, "eor r1, r1, r2, ror #7"),
            (Kind::Immediate, "eor r0, r1, r2, ror #8"),
            (Kind::Opcode, "eor r0, r1, r2, lsr #7"),
            (Kind::Opcode, "orr r0, r1, r2, ror #7"),
            (Kind::Opcode, "add r0, r1, r2, ror #7"),
            (Kind::Opcode, "eors r0, r1, r2, ror #7"),
            (Kind::Condition, "eorgt r0, r1, r2, ror #7"),
            (Kind::Removed, "nop"),
        ] {
            assert!(has(&mutants, kind, text), "{text}: {mutants:?}");
        }
        // vadd.i64 q0, q1, q2
        let mutants = of_first(Architecture::Arm, &[Feature::Neon], &[0xf232_0844]);
        assert!(
            has(&mutants, Kind::Opcode, "vsub.i64 q0, q1, q2") && has(&mutants, Kind::Opcode, "vadd.i32 q0, q1, q2")
        );
        assert!(
            has(&mutants, Kind::Register, "vadd.i64 q1, q1, q2")
                || has(&mutants, Kind::Register, "vadd.i64 q8, q1, q2")
        );
    }

    #[test]
    fn no_mutant_needs_a_feature_that_the_contract_lacks_and_hints_have_none() {
        // eor v0.16b, v1.16b, v2.16b has EOR3 for a neighbour.
        let mutants = of_first(Architecture::Aarch64, &[Feature::Neon], &[0x6e22_1c20]);
        assert!(mutants.iter().all(|(_, text)| !text.starts_with("eor3") && !text.starts_with("sha")), "{mutants:?}");
        assert!(of_first(Architecture::Aarch64, &[], &[0xd503_245f]).is_empty());
        assert!(of_first(Architecture::Arm, &[], &[0xe320_f000]).is_empty());
    }

    #[test]
    fn only_neighbours_that_depend_on_each_other_are_swapped() {
        // add w0, w1, w2; eor w3, w0, w4. And eor w3, w5, w4.
        let swapped = |second| {
            let mutants = of_first(Architecture::Aarch64, &[], &[0x0b02_0020, second]);
            mutants.iter().any(|(kind, _)| *kind == Kind::Swapped)
        };
        assert!(swapped(0x4a04_0003));
        assert!(!swapped(0x4a04_00a3));
    }

    #[test]
    fn a_bit_of_each_word_of_a_table_is_flipped() {
        let words = vec![Word { offset: 0, value: 0x428a_2f98, is_code: false }];
        let code = Code { architecture: Architecture::Arm, kernel: "k".to_owned(), features: &[], words };
        let mutants = all(&code, &Disassembler::new(Architecture::Arm).unwrap());
        assert_eq!(mutants.len(), 1);
        assert_eq!((mutants[0].changes[0].word ^ 0x428a_2f98).count_ones(), 1);
    }
}
