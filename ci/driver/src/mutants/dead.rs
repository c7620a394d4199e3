//! Mutants that change nothing but registers and flags that nobody reads any more.
//!
//! A small analysis of liveness over the kernel's own branches. It errs on one side: an instruction that it does not know
//! exactly reads every register that a field of it may name, and overwrites none.

use std::fmt;

use vambrace::kernels::Architecture;

use super::alike;
use super::code::{Code, Word};
use super::operators::{Kind, Mutant, is_constant, is_hint};
use crate::features::encoding;
use crate::features::encoding::{Encoding, Needs, bit, bits};

/// Places that hold values: x0 to x30 and SP by their low and high halves (r0 to r15 have low ones alone), v0 to v31 or d0 to
/// d31, and the flags.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Places(u128);

const FLAGS: Places = Places(1 << 96);

impl Places {
    fn low(register: u32) -> Places {
        Places(1 << (register & 31))
    }

    fn high(register: u32) -> Places {
        Places(1 << (32 + (register & 31)))
    }

    fn general(register: u32) -> Places {
        Places::low(register).and(Places::high(register))
    }

    fn vector(register: u32) -> Places {
        Places(1 << (64 + (register & 31)))
    }

    fn and(self, other: Places) -> Places {
        Places(self.0 | other.0)
    }

    fn without(self, other: Places) -> Places {
        Places(self.0 & !other.0)
    }

    fn meets(self, other: Places) -> bool {
        self.0 & other.0 != 0
    }
}

impl fmt::Display for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = (0..97).filter(|place| self.0 >> place & 1 != 0).map(|place| match place {
            0..32 => format!("register {place}"),
            32..64 => format!("the upper half of register {}", place - 32),
            64..96 => format!("vector register {}", place - 64),
            _ => "the flags".to_owned(),
        });
        let names: Vec<String> =
            names.filter(|name| !name.starts_with("the upper") || self.0 & 0xffff_ffff == 0).collect();
        f.write_str(&names.join(", "))
    }
}

/// What an instruction does to places.
#[derive(Clone, Copy, Default)]
pub(super) struct Effect {
    reads: Places,
    /// What holds another value afterwards, whatever it held.
    writes: Places,
    /// Whether `writes` is all that it changes: no memory, no control flow, nothing unknown.
    computes: bool,
    pub(super) flow: Flow,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Flow {
    #[default]
    Next,
    /// To the offset, or also on.
    Jump {
        to: i64,
        or_next: bool,
    },
    /// To a subroutine of the kernel's own.
    Call {
        to: i64,
    },
    /// From the kernel, or from a subroutine to behind one of the calls.
    Return,
    Unknown,
}

/// Why a mutant is equivalent, if nothing that it changes is ever read.
pub fn reason(code: &Code, mutant: &Mutant) -> Option<String> {
    let change = match mutant.changes[..] {
        [change] => change,
        [_, second] => return swapped(code, second.offset),
        _ => return None,
    };
    let place = code.at(change.offset).filter(|place| place.is_code)?;
    if let Some(base) = write_back(code.architecture, place.value, change.word) {
        let dead = is_dead(code, place.offset + 4, base);
        return dead
            .then(|| format!("dead: the access is the same, and nothing reads {base}, which it moves or leaves"));
    }
    let (old, new) =
        (effect(code.architecture, place.offset, place.value), effect(code.architecture, place.offset, change.word));
    let difference = difference(code.architecture, place.value, change.word);
    if !old.computes || !(new.computes || difference.is_some() || mutant.kind == Kind::Removed) {
        return None;
    }
    let changed = match difference {
        Some(places) => places,
        None if mutant.kind == Kind::Removed => old.writes,
        None => old.writes.and(new.writes),
    };
    let dead = changed != Places::default() && is_dead(code, place.offset + 4, changed);
    dead.then(|| {
        format!("dead: what differs ({changed}) is overwritten or given up by the return before anything reads it, on every path")
    })
}

/// Two sums into one register of which only one keeps its upper half, in the other order.
fn swapped(code: &Code, second: u32) -> Option<String> {
    let (first, second) = (code.at(second.checked_sub(4)?)?, code.at(second)?);
    if !alike::commute(code.architecture, first.value | SF, second.value | SF) {
        return None;
    }
    let changed = Places::high(bits(second.value, 4, 0));
    let wide =
        code.architecture == Architecture::Aarch64 && encoding(code.architecture, second.value)?.needs == Needs::Base;
    (wide && is_dead(code, second.offset + 4, changed)).then(|| format!("dead: what differs ({changed}) is never read"))
}

/// The base register of two accesses to the same addresses, of which one leaves it as it is or moves it on differently.
fn write_back(architecture: Architecture, one: u32, other: u32) -> Option<Places> {
    let (row, its) = (encoding(architecture, one)?, encoding(architecture, other)?);
    let differ = one ^ other;
    match architecture {
        Architecture::Aarch64 => {
            let base = Places::general(bits(one, 9, 5));
            let structures = row.name.starts_with("LD1 to ST4") && its.name.starts_with("LD1 to ST4");
            let lane = row.name.contains("one lane") == its.name.contains("one lane");
            // Without write-back the index is 0; with it bits 20 to 16 say by how much.
            let moved = structures && lane && differ & !(0x3f << 16 | 1 << 23) == 0 && differ >> 21 & 1 == 0;
            // Offset and pre-index address the same.
            let pair =
                row.name.starts_with("LDP, STP") && its.name == row.name && differ == 1 << 23 && bit(one & other, 24);
            (moved || pair).then_some(base)
        }
        Architecture::Arm => {
            let base = Places::low(bits(one, 19, 16));
            let structures = row.name == its.name && (row.name.starts_with("VLD1") || row.name.starts_with("VLD2"));
            let moved = structures && differ & !15 == 0;
            let multiple = row.name == its.name
                && (row.name.starts_with("LDM") || row.name.starts_with("VLDM"))
                && differ == 1 << 21;
            let indexed = row.name == its.name && row.name.starts_with("LDR") && differ == 1 << 21 && bit(one, 24);
            let returns = row.name.starts_with("LDM") && bit(one, 20) && bit(one, 15);
            ((moved || multiple || indexed) && !returns).then_some(base)
        }
    }
}

/// The bit that tells 64-bit instructions from 32-bit ones.
const SF: u32 = 1 << 31;

/// What differs between two instructions that compute nearly the same; none if they are not of that kind.
fn difference(architecture: Architecture, one: u32, other: u32) -> Option<Places> {
    let (row, its) = (encoding(architecture, one)?, encoding(architecture, other)?);
    let same_row = row.name == its.name;
    match architecture {
        Architecture::Aarch64 => {
            let arithmetic = row.name.starts_with("ADD, SUB");
            let logical = row.name.starts_with("AND, BIC");
            // The low half of a sum or of a bitwise combination does not depend on upper halves.
            let modular = (arithmetic && bits(one, 23, 22) == 0 && !bit(one, 29))
                || (logical && bits(one, 23, 22) == 0 && bits(one, 30, 29) != 3)
                || (row.name == "ADD, SUB (immediate)" && !bit(one, 29))
                || row.name == "MADD, MSUB";
            match one ^ other {
                0x8000_0000 if same_row && modular => Some(Places::high(bits(one, 4, 0))),
                0x2000_0000 if same_row && arithmetic && bits(one, 4, 0) != 31 => Some(FLAGS),
                _ => None,
            }
        }
        Architecture::Arm => {
            let sets_flags = row.fields().iter().any(|field| field.letter == 'S' && field.low == 20);
            (same_row && sets_flags && one ^ other == 1 << 20).then_some(FLAGS)
        }
    }
}

/// Whether no path from an offset on reads one of the places before it is overwritten.
fn is_dead(code: &Code, from: u32, places: Places) -> bool {
    let live_at_return = match code.architecture {
        // x18 to x29, SP; d8 to d15: AAPCS64, section 6.1.
        Architecture::Aarch64 => {
            (18..30).map(Places::general).chain([Places::general(31)]).fold(Places::default(), Places::and)
        }
        // r4 to r11, SP.
        Architecture::Arm => (4..12).chain([13]).map(Places::low).fold(Places::default(), Places::and),
    };
    let live_at_return = (8..16).map(Places::vector).fold(live_at_return, Places::and);
    let mut seen: Vec<(u32, Places)> = Vec::new();
    let mut waiting = vec![(from, places)];
    while let Some((offset, places)) = waiting.pop() {
        if seen.contains(&(offset, places)) {
            continue;
        }
        seen.push((offset, places));
        let Some(word) = code.at(offset).filter(|word| word.is_code) else { return false };
        let effect = effect(code.architecture, offset, word.value);
        if effect.reads.meets(places) {
            return false;
        }
        let left = places.without(effect.writes);
        if left == Places::default() {
            continue;
        }
        match effect.flow {
            Flow::Next => waiting.push((offset + 4, left)),
            Flow::Return if left.meets(live_at_return) => return false,
            Flow::Return => waiting.extend(return_sites(code).map(|site| (site, left))),
            Flow::Call { to } => match u32::try_from(to) {
                Ok(to) => waiting.push((to, left)),
                Err(_) => return false,
            },
            Flow::Unknown => return false,
            Flow::Jump { to, or_next } => {
                let Ok(to) = u32::try_from(to) else { return false };
                waiting.push((to, left));
                if or_next {
                    waiting.push((offset + 4, left));
                }
            }
        }
    }
    true
}

/// Where a subroutine of the kernel may return to.
pub(super) fn return_sites(code: &Code) -> impl Iterator<Item = u32> + '_ {
    let calls = code.words.iter().filter(|word| word.is_code);
    let is_call = |word: &&Word| matches!(effect(code.architecture, word.offset, word.value).flow, Flow::Call { .. });
    calls.filter(is_call).map(|word| word.offset + 4)
}

/// What an instruction at an offset does.
pub(super) fn effect(architecture: Architecture, offset: u32, word: u32) -> Effect {
    let Some(row) = encoding(architecture, word) else {
        return Effect { flow: Flow::Unknown, ..Effect::default() };
    };
    if is_hint(row) {
        return Effect { computes: true, ..Effect::default() };
    }
    match architecture {
        Architecture::Aarch64 => a64(row, offset, word),
        Architecture::Arm => a32(row, offset, word),
    }
}

/// Whether an instruction reads a vector register or overwrites it; none where the way on is not plain.
pub(super) fn reads_vector(architecture: Architecture, offset: u32, word: u32, register: u32) -> Option<bool> {
    let effect = effect(architecture, offset, word);
    let place = Places::vector(register);
    (effect.flow == Flow::Next).then(|| effect.reads.meets(place) || effect.writes.meets(place))
}

fn signed(value: u32, width: u32) -> i64 {
    i64::from(value) - if bit(value, width - 1) { 1 << width } else { 0 }
}

/// Every register that a field may name, in every bank in which it may be.
fn named(row: &Encoding, word: u32, letters: &[char], architecture: Architecture) -> Places {
    let is_vector = row.needs != Needs::Base;
    // Structures and tables take up to four registers from the one named on.
    let many = ["LD1", "TBL", "VLD", "VTBL", "VST"].iter().any(|part| row.name.contains(part));
    let mut places = Places::default();
    let fields = row.fields();
    let letters: &[char] = if is_constant(row) && letters.contains(&'d') { &['d'] } else { letters };
    if is_constant(row) && !letters.contains(&'d') {
        return places;
    }
    for field in fields.iter().filter(|field| letters.contains(&field.letter) && (3..=5).contains(&field.width)) {
        let low = field.of(word) << if field.width == 3 { 1 } else { 0 };
        let high = field.letter.to_ascii_uppercase();
        let high =
            fields.iter().find(|other| other.letter == high && other.width == 1).map_or(0, |other| other.of(word));
        places = places.and(Places::general(low));
        if is_vector {
            let (first, count) = match architecture {
                Architecture::Aarch64 => (low, if many { 4 } else { 1 }),
                Architecture::Arm => (high << 4 | low, if many { 4 } else { 2 }),
            };
            places = (first..first + count).map(Places::vector).fold(places, Places::and);
            // An element's register of four bits, and a single-precision register of VFP.
            if field.width == 4 && architecture == Architecture::Aarch64 {
                places = places.and(Places::vector(low + 16));
            }
            if architecture == Architecture::Arm && row.name.contains("VMOV (general register, single)") {
                places = places.and(Places::vector(low / 2));
            }
        }
    }
    places
}

/// Rows whose instructions overwrite Rd or Vd wholly, whatever it held.
fn overwrites_a64(name: &str, word: u32) -> bool {
    match name {
        "MOVN, MOVZ, MOVK" => bits(word, 30, 29) != 3,
        "SBFM, BFM, UBFM" => bits(word, 30, 29) != 1,
        "AND, BIC, ORR, ORN, EOR, BSL, BIT, BIF" => !bit(word, 29) || bits(word, 23, 22) == 0,
        "MOVI, MVNI, ORR, BIC (immediate)" => bits(word, 15, 12) >= 12 || !bit(word, 12),
        "SSHR, SSRA, SRSHR, SRSRA and their kin" => !bit(word, 12),
        "SRI, SHL, SLI" => !bit(word, 29),
        "TBL, TBX" => !bit(word, 12),
        "AESE, AESD, AESMC, AESIMC" => bit(word, 13),
        "ADR, ADRP"
        | "ADD, SUB (immediate)"
        | "AND, ORR, EOR, ANDS (immediate)"
        | "EXTR"
        | "AND, BIC, ORR, ORN, EOR, EON, ANDS, BICS"
        | "ADD, SUB (shifted register)"
        | "ADD, SUB (extended register)"
        | "ADC, SBC"
        | "CSEL, CSINC, CSINV, CSNEG"
        | "LSLV, LSRV, ASRV, RORV"
        | "RBIT, REV16"
        | "REV, REV32"
        | "REV"
        | "CLZ, CLS"
        | "MADD, MSUB"
        | "SMULH, UMULH"
        | "ADD, SUB, CMTST, CMEQ"
        | "RAX1"
        | "EOR3, BCAX"
        | "XAR"
        | "REV64"
        | "REV32"
        | "REV16"
        | "DUP (element)"
        | "DUP (general)"
        | "UZP, TRN, ZIP"
        | "EXT"
        | "CNT, NOT, RBIT" => true,
        _ => false,
    }
}

fn a64(row: &Encoding, offset: u32, word: u32) -> Effect {
    let at = i64::from(offset);
    let jump = |value, width, or_next| Flow::Jump { to: at + 4 * signed(value, width), or_next };
    let architecture = Architecture::Aarch64;
    let reading = |letters: &[char]| named(row, word, letters, architecture);
    let flow = match row.name {
        "B, BL" if !bit(word, 31) => jump(bits(word, 25, 0), 26, false),
        "B, BL" => Flow::Call { to: at + 4 * signed(bits(word, 25, 0), 26) },
        "B.cond" => jump(bits(word, 23, 5), 19, true),
        "CBZ, CBNZ" => jump(bits(word, 23, 5), 19, true),
        "TBZ, TBNZ" => jump(bits(word, 18, 5), 14, true),
        "BR, BLR, RET" if bits(word, 22, 21) == 2 => Flow::Return,
        "BR, BLR, RET" => Flow::Unknown,
        _ => Flow::Next,
    };
    let memory = ["LD", "ST"].iter().any(|part| row.name.starts_with(part));
    let is_vector = row.needs != Needs::Base;
    let overwrites = overwrites_a64(row.name, word);
    let reads_flags =
        matches!(row.name, "B.cond" | "CSEL, CSINC, CSINV, CSNEG" | "CCMP, CCMN" | "ADC, SBC" | "MRS, MSR (NZCV)");
    let arithmetic = row.name.starts_with("ADD, SUB (") && bit(word, 29);
    let logical = matches!(row.name, "AND, ORR, EOR, ANDS (immediate)" | "AND, BIC, ORR, ORN, EOR, EON, ANDS, BICS")
        && bits(word, 30, 29) == 3;
    let mut reads = reading(&['n', 'm', 'a', 's']);
    if !is_vector && overwrites && !bit(word, 31) && row.name != "ADD, SUB (extended register)" {
        // 32-bit operands.
        reads = Places(reads.0 & 0xffff_ffff);
    }
    let loaded = loaded_a64(row.name, word, is_vector);
    if !overwrites && loaded.is_none() {
        reads = reads.and(reading(&['d', 't', 'u']));
    }
    if reads_flags {
        reads = reads.and(FLAGS);
    }
    let d = bits(word, 4, 0);
    let zero = d == 31 && !is_vector && (arithmetic || !row.name.starts_with("ADD, SUB ("));
    let mut writes = match overwrites {
        true if zero => Places::default(),
        true if is_vector => Places::vector(d),
        true => Places::general(d),
        false => Places::default(),
    };
    if arithmetic || logical {
        writes = writes.and(FLAGS);
    }
    writes = writes.and(loaded.unwrap_or_default());
    Effect { reads, writes, computes: overwrites && !memory && flow == Flow::Next, flow }
}

/// What a load of one register or two overwrites; none for what is no such load.
fn loaded_a64(name: &str, word: u32, is_vector: bool) -> Option<Places> {
    let place = |register| if is_vector { Places::vector(register) } else { Places::general(register) };
    if name.starts_with("LDP, STP") && bit(word, 22) {
        return Some(place(bits(word, 4, 0)).and(place(bits(word, 14, 10))));
    }
    let loads = if is_vector { bit(word, 22) } else { bits(word, 23, 22) != 0 };
    let one = name.starts_with("LDR, STR (") || name.starts_with("LDUR, STUR");
    // With size 11 and opc 10 it is a prefetch.
    let prefetches = !is_vector && bits(word, 31, 30) == 3 && bit(word, 23);
    (one && loads && !prefetches).then(|| place(bits(word, 4, 0)))
}

/// Rows whose instructions overwrite Rd or Vd wholly, whatever it held.
fn overwrites_a32(name: &str, word: u32) -> bool {
    match name {
        "MOVW, MOVT" => !bit(word, 22),
        "VAND, VBIC, VORR, VORN, VEOR, VBSL, VBIT, VBIF" => !bit(word, 24) || bits(word, 21, 20) == 0,
        "VMOV, VMVN, VORR, VBIC (immediate)" => bits(word, 11, 8) >= 12 || !bit(word, 8),
        "VSHR, VSRA, VRSHR, VRSRA" => !bit(word, 8),
        "VSHL, VSLI (immediate)" => !bit(word, 24),
        "AND, EOR, SUB, RSB"
        | "ADD, ADC, SBC, RSC"
        | "ORR, BIC"
        | "MOV, LSL, LSR, ASR, ROR, RRX, MVN"
        | "AND to RSC (register-shifted)"
        | "ORR, BIC (register-shifted)"
        | "MOV, MVN (register-shifted)"
        | "AND to RSC (immediate), ADR"
        | "ORR, BIC (immediate)"
        | "MOV, MVN (immediate)"
        | "TST, TEQ, CMP, CMN"
        | "TST, TEQ, CMP, CMN (register-shifted)"
        | "TST, TEQ, CMP, CMN (immediate)"
        | "REV, REV16"
        | "RBIT, REVSH"
        | "SBFX, UBFX"
        | "VADD, VSUB"
        | "VEXT"
        | "VREV64"
        | "VREV32"
        | "VREV16"
        | "VDUP (element)" => true,
        _ => false,
    }
}

fn a32(row: &Encoding, offset: u32, word: u32) -> Effect {
    let conditional = bits(word, 31, 28) != 15 && bits(word, 31, 28) != 14;
    let is_vector = row.needs != Needs::Base;
    let compares = row.name.starts_with("TST, TEQ");
    let list = row.name.starts_with("LDM");
    let flow = match row.name {
        "B, BL" if !bit(word, 24) => {
            Flow::Jump { to: i64::from(offset) + 8 + 4 * signed(bits(word, 23, 0), 24), or_next: conditional }
        }
        "B, BL" if !conditional => Flow::Call { to: i64::from(offset) + 8 + 4 * signed(bits(word, 23, 0), 24) },
        "BX, BLX" if bits(word, 5, 4) == 1 && !conditional => Flow::Return,
        "LDM, STM, PUSH, POP" if bit(word, 20) && bit(word, 15) && !conditional => Flow::Return,
        "B, BL" | "BX, BLX" => Flow::Unknown,
        _ if list && bit(word, 20) && bit(word, 15) => Flow::Unknown,
        // A result in PC is a jump, too.
        _ if !is_vector
            && !compares
            && row.name.len() > 2
            && bits(word, 15, 12) == 15
            && overwrites_a32(row.name, word) =>
        {
            Flow::Unknown
        }
        _ => Flow::Next,
    };
    let overwrites = overwrites_a32(row.name, word) && !conditional;
    let mut reads = named(row, word, &['n', 'm', 'a', 's'], Architecture::Arm);
    if !overwrites || bits(word, 15, 12) == 15 {
        reads = reads.and(named(row, word, &['d', 't'], Architecture::Arm));
    }
    let pops = list && bit(word, 20) && !conditional;
    let vector_pops = row.name.starts_with("VLDM") && bit(word, 20) && bit(word, 8) && !conditional;
    if list && !pops {
        reads = Places(reads.0 | u128::from(bits(word, 15, 0)));
    }
    if vector_pops {
        reads = Places::low(bits(word, 19, 16));
    } else if row.name.starts_with("VLDM") || row.name.starts_with("VLDR") || row.name.starts_with("VMOV (two") {
        reads = (0..32).map(Places::vector).fold(reads, Places::and);
    }
    let arithmetic_imm =
        row.name.starts_with("AND to RSC") || row.name.starts_with("AND, EOR") || row.name.starts_with("ADD, ADC");
    let operation = bits(word, 24, 21);
    let with_carry = arithmetic_imm && matches!(operation, 5..=7);
    let rotates_through_carry = row.name.starts_with("MOV, LSL") && bits(word, 6, 5) == 3 && bits(word, 11, 7) == 0;
    let rrx_operand =
        !is_vector && bits(word, 27, 25) == 0 && bits(word, 6, 5) == 3 && bits(word, 11, 7) == 0 && !bit(word, 4);
    if (conditional && bits(word, 31, 28) != 15)
        || with_carry
        || rotates_through_carry
        || rrx_operand
        || row.name.starts_with("MRS")
    {
        reads = reads.and(FLAGS);
    }
    let mut writes = if pops { Places(u128::from(bits(word, 15, 0))) } else { Places::default() };
    if vector_pops {
        let first = u32::from(bit(word, 22)) << 4 | bits(word, 15, 12);
        writes = (first..first + bits(word, 7, 0) / 2).map(Places::vector).fold(writes, Places::and);
    }
    if overwrites && is_vector {
        let d = u32::from(bit(word, 22)) << 4 | bits(word, 15, 12);
        writes = writes.and(Places::vector(d));
        if bit(word, 6) {
            writes = writes.and(Places::vector(d + 1));
        }
    } else if overwrites && !compares {
        writes = writes.and(Places::low(bits(word, 15, 12)));
    }
    // Sums and comparisons set all of NZCV; the others leave V.
    let sets_all =
        (arithmetic_imm && bit(word, 20) && matches!(operation, 2..=7)) || (compares && matches!(operation, 10 | 11));
    if sets_all && !conditional {
        writes = writes.and(FLAGS);
    }
    let has_s = compares || row.fields().iter().any(|field| field.letter == 'S' && field.low == 20);
    let sets_some = has_s && bit(word, 20) && !sets_all;
    Effect { reads, writes, computes: overwrites && flow == Flow::Next && !sets_some, flow }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutants::code::Word;
    use vambrace_verify::mutation::Change;

    fn code(architecture: Architecture, words: &[u32]) -> Code {
        let word = |(index, value): (usize, &u32)| Word { offset: 4 * index as u32, value: *value, is_code: true };
        let words = words.iter().enumerate().map(word).collect();
        Code { architecture, kernel: "k".to_owned(), features: &[], words }
    }

    fn judged(architecture: Architecture, words: &[u32], kind: Kind, word: u32) -> Option<String> {
        let changes = vec![Change { offset: 0, word }];
        reason(&code(architecture, words), &Mutant { number: 0, kind, changes })
    }

    const RET: u32 = 0xd65f_03c0;
    const BX_LR: u32 = 0xe12f_ff1e;

    #[test]
    fn flags_that_nobody_reads_are_dead() {
        // add w0, w0, w1 -> adds; str w0, [x2]; ret. And with b.ne before the return, they are read.
        let adds = |words: &[u32]| judged(Architecture::Aarch64, words, Kind::Opcode, 0x2b01_0000);
        assert!(adds(&[0x0b01_0000, 0xb900_0040, RET]).unwrap().contains("the flags"));
        assert_eq!(adds(&[0x0b01_0000, 0x54ff_ffe1, 0xb900_0040, RET]), None);
        // cmp w0, w1 before it: overwritten.
        assert!(adds(&[0x0b01_0000, 0x6b01_001f, 0x54ff_ffe1, 0xb900_0040, RET]).is_some());
        // add r0, r0, r1 -> adds; str r0, [r2]; bx lr. And with bne.
        let adds = |words: &[u32]| judged(Architecture::Arm, words, Kind::Opcode, 0xe090_0001);
        assert!(adds(&[0xe080_0001, 0xe582_0000, BX_LR]).is_some());
        assert_eq!(adds(&[0xe080_0001, 0x1aff_fffd, 0xe582_0000, BX_LR]), None);
        // eor r0, r0, r1 -> eors, which leaves V as it was; and before adc.
        let eors = |words: &[u32]| judged(Architecture::Arm, words, Kind::Opcode, 0xe030_0001);
        assert!(eors(&[0xe020_0001, 0xe582_0000, BX_LR]).is_some());
        assert_eq!(eors(&[0xe020_0001, 0xe0a0_0001, 0xe582_0000, BX_LR]), None);
    }

    #[test]
    fn upper_halves_that_nobody_reads_are_dead() {
        // eor w0, w1, w2 -> eor x0, x1, x2; str w0, [x3] or str x0, [x3]; ret
        let wide = |words: &[u32]| judged(Architecture::Aarch64, words, Kind::Opcode, 0xca02_0020);
        // add w4, w0, w5 reads the low half; then x0 is overwritten.
        assert!(wide(&[0x4a02_0020, 0x0b05_0004, 0xd280_0000, RET]).unwrap().contains("upper half"));
        assert_eq!(wide(&[0x4a02_0020, 0x8b05_0004, 0xd280_0000, RET]), None);
        assert_eq!(wide(&[0x4a02_0020, 0xf900_0060, RET]), None);
    }

    #[test]
    fn what_is_cleared_at_the_return_is_dead_and_what_the_caller_keeps_is_not() {
        // movi v0.16b, #0 removed; ret. v8 belongs to the caller.
        let removed = |word| judged(Architecture::Aarch64, &[word, RET], Kind::Removed, 0xd503_201f);
        assert!(removed(0x4f00_e400).unwrap().contains("vector register 0"));
        assert_eq!(removed(0x4f00_e408), None);
        // mov x9, #0 and mov x19, #0
        assert!(removed(0xd280_0009).is_some());
        assert_eq!(removed(0xd280_0013), None);
        // mov r12, #0 and mov r4, #0; vmov.i32 q0, #0 and q4
        let removed = |word| judged(Architecture::Arm, &[word, BX_LR], Kind::Removed, 0xe320_f000);
        assert!(removed(0xe3a0_c000).is_some() && removed(0xf280_0050).is_some());
        assert!(removed(0xe3a0_4000).is_none() && removed(0xf280_8050).is_none());
    }

    #[test]
    fn what_is_restored_before_the_return_may_be_lost_before() {
        // mov x19, #0 removed; ldp x19, x20, [sp], #16; ret. And without the load.
        let removed = |words: &[u32]| judged(Architecture::Aarch64, words, Kind::Removed, 0xd503_201f);
        assert!(removed(&[0xd280_0013, 0xa8c1_53f3, RET]).is_some() && removed(&[0xd280_0013, RET]).is_none());
        // mov r5, #0; pop {r4, r5, pc}. And pop {r4, pc}, and push {r4, r5}.
        let removed = |words: &[u32]| judged(Architecture::Arm, words, Kind::Removed, 0xe320_f000);
        assert!(removed(&[0xe3a0_5000, 0xe8bd_8030]).is_some());
        assert!(
            removed(&[0xe3a0_5000, 0xe8bd_8010]).is_none() && removed(&[0xe3a0_5000, 0xe92d_0030, BX_LR]).is_none()
        );
        // vmov.i32 q4, #0; vpop {d8-d15}; bx lr
        assert!(removed(&[0xf280_8050, 0xecbd_8b10, BX_LR]).is_some() && removed(&[0xf280_8050, BX_LR]).is_none());
    }

    #[test]
    fn a_subroutine_returns_behind_every_call() {
        // adds for add; bl .+16; cmp w0, w1; b.ne .-8; ret; sub: ret. The comparison overwrites the flags.
        let adds = |words: &[u32]| judged(Architecture::Aarch64, words, Kind::Opcode, 0x2b01_0000);
        assert!(adds(&[0x0b01_0000, 0x9400_0004, 0x6b01_001f, 0x54ff_ffc1, RET, RET]).is_some());
        // Without it they are read behind the call.
        assert!(adds(&[0x0b01_0000, 0x9400_0003, 0x54ff_ffe1, RET, RET]).is_none());
    }

    #[test]
    fn stores_and_jumps_are_never_dead() {
        // str x0, [sp]; ldr x0, [x1]; b . removed
        for word in [0xf900_03e0, 0xf940_0020, 0x1400_0000, RET] {
            assert_eq!(judged(Architecture::Aarch64, &[word, RET], Kind::Removed, 0xd503_201f), None, "{word:#x}");
        }
        for word in [0xe58d_0000, 0xe591_0000, 0xeaff_fffe, BX_LR, 0xe92d_4010] {
            assert_eq!(judged(Architecture::Arm, &[word, BX_LR], Kind::Removed, 0xe320_f000), None, "{word:#x}");
        }
    }

    #[test]
    fn a_base_register_that_is_given_up_may_move() {
        // st1 {v0.16b}, [x0]; ret: and post-indexed. Before ldr x1, [x0] it may not.
        let moved = |words: &[u32]| judged(Architecture::Aarch64, words, Kind::Opcode, 0x4c9f_7000);
        assert!(moved(&[0x4c00_7000, RET]).unwrap().contains("register 0"));
        assert_eq!(moved(&[0x4c00_7000, 0xf940_0001, RET]), None);
        // vst1.8 {d0}, [r0]; and with write-back
        let moved = |words: &[u32]| judged(Architecture::Arm, words, Kind::Register, 0xf400_070d);
        assert!(moved(&[0xf400_070f, BX_LR]).is_some());
        assert_eq!(moved(&[0xf400_070f, 0xe590_1000, BX_LR]), None);
        // str r0, [r1, #4] and str r0, [r1, #4]! have one address; str r0, [r1], #4 has another.
        let words = [0xe581_0004, BX_LR];
        assert!(judged(Architecture::Arm, &words, Kind::Opcode, 0xe5a1_0004).is_some());
        assert_eq!(judged(Architecture::Arm, &words, Kind::Opcode, 0xe481_0004), None);
    }

    #[test]
    fn a_register_that_is_cleared_with_another_constant_is_dead() {
        // movi v16.4s, #0 -> #0x40; movi v0.4s, #0, whose cmode is no register; ret
        let words = [0x4f00_0410, 0x4f00_e400, RET];
        assert!(judged(Architecture::Aarch64, &words, Kind::Immediate, 0x4f02_0410).is_some());
    }

    #[test]
    fn both_ways_of_a_branch_count() {
        // eor v0, v1, v2 removed; cbz x0, .+8; ret; st1 {v0.16b}, [x1]; ret
        let words = [0x6e22_1c20, 0xb400_0040, RET, 0x4c00_7020, RET];
        assert_eq!(judged(Architecture::Aarch64, &words, Kind::Removed, 0xd503_201f), None);
        // A loop in which it is overwritten before it is read: cbz x0, .+8; b .-8; ret
        let words = [0x6e22_1c20, 0xb400_0040, 0x17ff_fffe, RET];
        assert!(judged(Architecture::Aarch64, &words, Kind::Removed, 0xd503_201f).is_some());
    }
}
