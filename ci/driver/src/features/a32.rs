//! The A32 instructions that a kernel may consist of.
//!
//! Diagrams and allocations are those of the ARM Architecture Reference Manual for ARMv7-A (DDI 0406), chapters A5 "ARM
//! instruction set encoding" and A7 "Advanced SIMD and Floating-point instruction encoding", and of DDI 0487 chapter F4 for
//! what ARMv8 added. The table is a list of what is allowed, not of all there is: floating-point arithmetic, coprocessors,
//! system registers but the flags, and exclusive accesses are left out, since no kernel has a use for them; a word
//! that is not found fails the check. Bits that should be zero or one must be.

use vambrace::kernels::Feature;

use super::encoding::{Encoding, Needs, always, bit, bits};

const BASE: Needs = Needs::Base;
const NEON: Needs = Needs::Feature(Feature::Neon);
const AES: Needs = Needs::Feature(Feature::Aes);
const PMULL: Needs = Needs::Feature(Feature::Pmull);
const SHA2: Needs = Needs::Feature(Feature::Sha2);
const SHA1: Needs = Needs::Extension("FEAT_SHA1");
const CRC32: Needs = Needs::Extension("FEAT_CRC32");
const DIVIDE: Needs = Needs::Extension("integer division");
const DOTPROD: Needs = Needs::Extension("FEAT_DotProd");
const I8MM: Needs = Needs::Extension("FEAT_I8MM");
const RDM: Needs = Needs::Extension("FEAT_RDM");

const fn row(diagram: &'static str, needs: Needs, name: &'static str, allocated: fn(u32) -> bool) -> Encoding {
    Encoding::new(diagram, needs, name, allocated)
}

/// An instruction with a condition field; without one the same bits mean something else.
const fn conditional(word: u32) -> bool {
    word >> 28 != 15
}

const fn size(word: u32) -> u32 {
    bits(word, 21, 20)
}

/// 128-bit vectors.
const fn q(word: u32) -> bool {
    bit(word, 6)
}

/// A 128-bit register has an even number: Vd, Vn and Vm.
const fn even(word: u32) -> bool {
    even_d(word) && even_n(word) && even_m(word)
}

const fn even_d(word: u32) -> bool {
    !bit(word, 12)
}

const fn even_n(word: u32) -> bool {
    !bit(word, 16)
}

const fn even_m(word: u32) -> bool {
    !bit(word, 0)
}

const fn if_q_even(word: u32) -> bool {
    !q(word) || even(word)
}

const fn if_q_even_dm(word: u32) -> bool {
    !q(word) || (even_d(word) && even_m(word))
}

/// Elements of 8 to 32 bits.
const fn same(word: u32) -> bool {
    size(word) != 3 && if_q_even(word)
}

const fn halves_or_words(word: u32) -> bool {
    matches!(size(word), 1 | 2)
}

/// The element size of instructions with two registers.
const fn size2(word: u32) -> u32 {
    bits(word, 19, 18)
}

const fn two_same(word: u32) -> bool {
    size2(word) != 3 && if_q_even_dm(word)
}

/// A shift amount; all zero is another group.
const fn shifted(word: u32) -> bool {
    (bit(word, 7) || bits(word, 21, 19) != 0) && if_q_even_dm(word)
}

/// P = 0 with W = 1 is the unprivileged form.
const fn privileged(word: u32) -> bool {
    conditional(word) && (bit(word, 24) || !bit(word, 21))
}

/// Every row; the first that matches counts.
pub static TABLE: &[Encoding] = &[
    // Data processing.
    row("cccc 000 00xx S nnnn dddd iiiii tt 0 mmmm", BASE, "AND, EOR, SUB, RSB", conditional),
    row("cccc 000 01xx S nnnn dddd iiiii tt 0 mmmm", BASE, "ADD, ADC, SBC, RSC", conditional),
    row("cccc 000 10xx 1 nnnn 0000 iiiii tt 0 mmmm", BASE, "TST, TEQ, CMP, CMN", conditional),
    row("cccc 000 11x0 S nnnn dddd iiiii tt 0 mmmm", BASE, "ORR, BIC", conditional),
    row("cccc 000 11x1 S 0000 dddd iiiii tt 0 mmmm", BASE, "MOV, LSL, LSR, ASR, ROR, RRX, MVN", conditional),
    row("cccc 000 0xxx S nnnn dddd ssss 0 tt 1 mmmm", BASE, "AND to RSC (register-shifted)", conditional),
    row("cccc 000 10xx 1 nnnn 0000 ssss 0 tt 1 mmmm", BASE, "TST, TEQ, CMP, CMN (register-shifted)", conditional),
    row("cccc 000 11x0 S nnnn dddd ssss 0 tt 1 mmmm", BASE, "ORR, BIC (register-shifted)", conditional),
    row("cccc 000 11x1 S 0000 dddd ssss 0 tt 1 mmmm", BASE, "MOV, MVN (register-shifted)", conditional),
    row("cccc 001 0xxx S nnnn dddd iiiiiiiiiiii", BASE, "AND to RSC (immediate), ADR", conditional),
    row("cccc 001 10xx 1 nnnn 0000 iiiiiiiiiiii", BASE, "TST, TEQ, CMP, CMN (immediate)", conditional),
    row("cccc 001 11x0 S nnnn dddd iiiiiiiiiiii", BASE, "ORR, BIC (immediate)", conditional),
    row("cccc 001 11x1 S 0000 dddd iiiiiiiiiiii", BASE, "MOV, MVN (immediate)", conditional),
    row("cccc 001 10x0 0 iiii dddd iiiiiiiiiiii", BASE, "MOVW, MOVT", conditional),
    row("cccc 0011 0010 0000 1111 0000 hhhhhhhh", BASE, "NOP and other hints", conditional),
    row("cccc 0001 0000 1111 dddd 0000 00000000", BASE, "MRS (flags)", conditional),
    row("cccc 0001 0010 1000 1111 0000 0000 nnnn", BASE, "MSR (flags)", conditional),
    row("cccc 0001 0010 1111 1111 1111 00x1 mmmm", BASE, "BX, BLX", conditional),
    row("cccc 0001 0110 1111 dddd 1111 0001 mmmm", BASE, "CLZ", conditional),
    row("1110 0001 0xx0 nnnn dddd 0000 0100 mmmm", CRC32, "CRC32", |w| bits(w, 22, 21) != 3),
    row("1110 0001 0xx0 nnnn dddd 0010 0100 mmmm", CRC32, "CRC32C", |w| bits(w, 22, 21) != 3),
    // Multiplication.
    row("cccc 0000 000S dddd 0000 mmmm 1001 nnnn", BASE, "MUL", conditional),
    row("cccc 0000 001S dddd aaaa mmmm 1001 nnnn", BASE, "MLA", conditional),
    row("cccc 0000 01x0 dddd aaaa mmmm 1001 nnnn", BASE, "UMAAL, MLS", conditional),
    row("cccc 0000 1xxS dddd dddd mmmm 1001 nnnn", BASE, "UMULL, UMLAL, SMULL, SMLAL", conditional),
    row("cccc 0111 00x1 dddd 1111 mmmm 0001 nnnn", DIVIDE, "SDIV, UDIV", conditional),
    // Media instructions.
    row("cccc 0110 0xxx nnnn dddd 1111 xxx1 mmmm", BASE, "SADD16, UADD8 and their kin", |w| {
        conditional(w) && bits(w, 21, 20) != 0 && !matches!(bits(w, 7, 5), 5 | 6)
    }),
    row("cccc 0110 1000 nnnn dddd iiiii x01 mmmm", BASE, "PKHBT, PKHTB", conditional),
    row("cccc 0110 1000 nnnn dddd 1111 1011 mmmm", BASE, "SEL", conditional),
    row("cccc 0110 1011 1111 dddd 1111 x011 mmmm", BASE, "REV, REV16", conditional),
    row("cccc 0110 1111 1111 dddd 1111 x011 mmmm", BASE, "RBIT, REVSH", conditional),
    row("cccc 0110 1xxx nnnn dddd rr00 0111 mmmm", BASE, "SXTB, UXTB, UXTAH and their kin", |w| {
        conditional(w) && bits(w, 21, 20) != 1
    }),
    row("cccc 0111 1x1 wwwww dddd lllll 101 nnnn", BASE, "SBFX, UBFX", |w| {
        conditional(w) && bits(w, 11, 7) + bits(w, 20, 16) < 32
    }),
    row("cccc 0111 110 mmmmm dddd lllll 001 nnnn", BASE, "BFI, BFC", |w| {
        conditional(w) && bits(w, 20, 16) >= bits(w, 11, 7)
    }),
    // Loads and stores.
    row("cccc 010 PUBWL nnnn tttt iiiiiiiiiiii", BASE, "LDR, STR, LDRB, STRB (immediate)", privileged),
    row("cccc 011 PUBWL nnnn tttt iiiii tt 0 mmmm", BASE, "LDR, STR, LDRB, STRB (register)", privileged),
    row("cccc 000 PU1WL nnnn tttt iiii 1011 iiii", BASE, "LDRH, STRH (immediate)", privileged),
    row("cccc 000 PU0WL nnnn tttt 0000 1011 mmmm", BASE, "LDRH, STRH (register)", privileged),
    row("cccc 000 PU1W1 nnnn tttt iiii 11x1 iiii", BASE, "LDRSB, LDRSH (immediate)", privileged),
    row("cccc 000 PU0W1 nnnn tttt 0000 11x1 mmmm", BASE, "LDRSB, LDRSH (register)", privileged),
    row("cccc 000 PU1W0 nnnn ttt0 iiii 11x1 iiii", BASE, "LDRD, STRD (immediate)", privileged),
    row("cccc 000 PU0W0 nnnn ttt0 0000 11x1 mmmm", BASE, "LDRD, STRD (register)", privileged),
    row("cccc 100 PU0WL nnnn rrrrrrrrrrrrrrrr", BASE, "LDM, STM, PUSH, POP", |w| {
        conditional(w) && bits(w, 15, 0) != 0 && bits(w, 19, 16) != 15
    }),
    row("1111 0101 U101 nnnn 1111 iiiiiiiiiiii", BASE, "PLD (immediate, literal)", always),
    row("1111 0111 U101 nnnn 1111 iiiii tt 0 mmmm", BASE, "PLD (register)", |w| bits(w, 3, 0) != 15),
    // Branches and barriers.
    row("cccc 101 x iiiiiiiiiiiiiiiiiiiiiiii", BASE, "B, BL", conditional),
    row("1111 0101 0111 1111 1111 0000 01xx oooo", BASE, "DSB, DMB, ISB", |w| {
        bits(w, 5, 4) != 3 && (bits(w, 5, 4) != 0 || !matches!(bits(w, 3, 0), 0 | 4))
    }),
    // Loads and stores of VFP and NEON registers, and moves between them and general registers.
    row("cccc 1101 UD0L nnnn dddd 101z iiiiiiii", NEON, "VLDR, VSTR", conditional),
    row("cccc 1100 1DWL nnnn dddd 101z iiiiiiii", NEON, "VLDMIA, VSTMIA, VPOP", |w| conditional(w) && register_list(w)),
    row("cccc 1101 0D1L nnnn dddd 101z iiiiiiii", NEON, "VLDMDB, VSTMDB, VPUSH", |w| {
        conditional(w) && register_list(w)
    }),
    row("cccc 1100 010L tttt tttt 1011 00M1 mmmm", NEON, "VMOV (two general registers, double)", conditional),
    row("cccc 1110 0xx0 dddd tttt 1011 Dxx1 0000", NEON, "VMOV (general register to element)", |w| {
        conditional(w) && (bit(w, 22) || bits(w, 6, 5) != 2)
    }),
    row("cccc 1110 Uxx1 nnnn tttt 1011 Nxx1 0000", NEON, "VMOV (element to general register)", |w| {
        conditional(w) && (bit(w, 22) || bits(w, 6, 5) != 2) && !(bit(w, 23) && !bit(w, 22) && !bit(w, 5))
    }),
    row("cccc 1110 1bQ0 dddd tttt 1011 D0e1 0000", NEON, "VDUP (general register)", |w| {
        conditional(w) && !(bit(w, 22) && bit(w, 5)) && (!bit(w, 21) || even_n(w))
    }),
    row("cccc 1110 000x nnnn tttt 1010 N001 0000", NEON, "VMOV (general register, single)", conditional),
    row("1111 0100 0D L 0 nnnn dddd 0111 zz 0a mmmm", NEON, "VLD1, VST1 (one register)", always),
    row("1111 0100 0D L 0 nnnn dddd 1010 zz aa mmmm", NEON, "VLD1, VST1 (two registers)", |w| {
        bits(w, 5, 4) != 3 && fits(w, 2)
    }),
    row("1111 0100 0D L 0 nnnn dddd 0110 zz 0a mmmm", NEON, "VLD1, VST1 (three registers)", |w| fits(w, 3)),
    row("1111 0100 0D L 0 nnnn dddd 0010 zz aa mmmm", NEON, "VLD1, VST1 (four registers)", |w| fits(w, 4)),
    row("1111 0100 0D L 0 nnnn dddd 100x zz aa mmmm", NEON, "VLD2, VST2 (two registers)", |w| {
        bits(w, 7, 6) != 3 && bits(w, 5, 4) != 3 && fits(w, 2 + bits(w, 8, 8))
    }),
    row("1111 0100 0D L 0 nnnn dddd 0011 zz aa mmmm", NEON, "VLD2, VST2 (four registers)", |w| {
        bits(w, 7, 6) != 3 && fits(w, 4)
    }),
    row("1111 0100 0D L 0 nnnn dddd 010x zz 0a mmmm", NEON, "VLD3, VST3", |w| {
        bits(w, 7, 6) != 3 && fits(w, 3 + 2 * bits(w, 8, 8))
    }),
    row("1111 0100 0D L 0 nnnn dddd 000x zz aa mmmm", NEON, "VLD4, VST4", |w| {
        bits(w, 7, 6) != 3 && fits(w, 4 + 3 * bits(w, 8, 8))
    }),
    row("1111 0100 1D L 0 nnnn dddd zz00 iiia mmmm", NEON, "VLD1, VST1 (one lane)", |w| match bits(w, 11, 10) {
        0 => !bit(w, 4),
        1 => !bit(w, 5),
        2 => !bit(w, 6) && matches!(bits(w, 5, 4), 0 | 3),
        _ => false,
    }),
    row("1111 0100 1D 1 0 nnnn dddd 1100 zz Ta mmmm", NEON, "VLD1 (to all lanes)", |w| {
        bits(w, 7, 6) != 3 && !(bits(w, 7, 6) == 0 && bit(w, 4)) && fits(w, 1 + bits(w, 5, 5))
    }),
    // Cryptographic instructions.
    row("1111 0011 1D11 0000 dddd 0011 xxM0 mmmm", AES, "AESE, AESD, AESMC, AESIMC", |w| even_d(w) && even_m(w)),
    row("1111 0010 1D10 nnnn dddd 1110 N0M0 mmmm", PMULL, "VMULL (64-bit polynomials)", even_d),
    row("1111 0011 0Dxx nnnn dddd 1100 N1M0 mmmm", SHA2, "SHA256H, SHA256H2, SHA256SU1", |w| size(w) != 3 && even(w)),
    row("1111 0011 1D11 1010 dddd 0011 11M0 mmmm", SHA2, "SHA256SU0", |w| even_d(w) && even_m(w)),
    row("1111 0010 0Dxx nnnn dddd 1100 N1M0 mmmm", SHA1, "SHA1C, SHA1P, SHA1M, SHA1SU0", even),
    row("1111 0011 1D11 1001 dddd 0010 11M0 mmmm", SHA1, "SHA1H", |w| even_d(w) && even_m(w)),
    row("1111 0011 1D11 1010 dddd 0011 10M0 mmmm", SHA1, "SHA1SU1", |w| even_d(w) && even_m(w)),
    row("1111 1100 0D10 nnnn dddd 1101 NQMU mmmm", DOTPROD, "VSDOT, VUDOT", if_q_even),
    row("1111 1110 0D10 nnnn dddd 1101 NQMU mmmm", DOTPROD, "VSDOT, VUDOT (element)", |w| {
        !q(w) || (even_d(w) && even_n(w))
    }),
    row("1111 1100 1D10 nnnn dddd 1101 NQM0 mmmm", I8MM, "VUSDOT", if_q_even),
    row("1111 1100 xD10 nnnn dddd 1100 N1MU mmmm", I8MM, "VSMMLA, VUMMLA, VUSMMLA", |w| {
        even(w) && !(bit(w, 23) && bit(w, 4))
    }),
    row("1111 0011 0Dzz nnnn dddd 1011 NQM1 mmmm", RDM, "VQRDMLAH", |w| halves_or_words(w) && if_q_even(w)),
    row("1111 0011 0Dzz nnnn dddd 1100 NQM1 mmmm", RDM, "VQRDMLSH", |w| halves_or_words(w) && if_q_even(w)),
    // NEON, three registers of the same length.
    row("1111 001U 0Dzz nnnn dddd 00x0 NQM0 mmmm", NEON, "VHADD, VHSUB", same),
    row("1111 001U 0Dzz nnnn dddd 0001 NQM0 mmmm", NEON, "VRHADD", same),
    row("1111 001U 0Dzz nnnn dddd 00x0 NQM1 mmmm", NEON, "VQADD, VQSUB", if_q_even),
    row("1111 001U 0Dzz nnnn dddd 0001 NQM1 mmmm", NEON, "VAND, VBIC, VORR, VORN, VEOR, VBSL, VBIT, VBIF", if_q_even),
    row("1111 001U 0Dzz nnnn dddd 0011 NQMx mmmm", NEON, "VCGT, VCGE", same),
    row("1111 001U 0Dzz nnnn dddd 010x NQMx mmmm", NEON, "VSHL, VQSHL, VRSHL, VQRSHL", if_q_even),
    row("1111 001U 0Dzz nnnn dddd 011x NQMx mmmm", NEON, "VMAX, VMIN, VABD, VABA", same),
    row("1111 001U 0Dzz nnnn dddd 1000 NQM0 mmmm", NEON, "VADD, VSUB", if_q_even),
    row("1111 001U 0Dzz nnnn dddd 1000 NQM1 mmmm", NEON, "VTST, VCEQ", same),
    row("1111 001U 0Dzz nnnn dddd 1001 NQM0 mmmm", NEON, "VMLA, VMLS", same),
    row("1111 001U 0Dzz nnnn dddd 1001 NQM1 mmmm", NEON, "VMUL", |w| same(w) && (!bit(w, 24) || size(w) == 0)),
    row("1111 001U 0Dzz nnnn dddd 1010 N0Mx mmmm", NEON, "VPMAX, VPMIN", |w| size(w) != 3),
    row("1111 001U 0Dzz nnnn dddd 1011 NQM0 mmmm", NEON, "VQDMULH, VQRDMULH", |w| halves_or_words(w) && if_q_even(w)),
    row("1111 0010 0Dzz nnnn dddd 1011 N0M1 mmmm", NEON, "VPADD", |w| size(w) != 3),
    // Three registers of different lengths.
    row("1111 001U 1Dzz nnnn dddd 0x00 N0M0 mmmm", NEON, "VADDHN, VSUBHN, VADDL, VRADDHN", long_or_narrow),
    row("1111 001U 1Dzz nnnn dddd 0xx1 N0M0 mmmm", NEON, "VADDW, VSUBW, VABAL, VABDL", long_or_narrow),
    row("1111 001U 1Dzz nnnn dddd 0x10 N0M0 mmmm", NEON, "VSUBL, VSUBHN, VRSUBHN", long_or_narrow),
    row("1111 001U 1Dzz nnnn dddd 1xx0 N0M0 mmmm", NEON, "VMLAL, VMLSL, VMULL", |w| {
        size(w) != 3 && even_d(w) && (bits(w, 11, 8) != 14 || (!bit(w, 24) && size(w) == 0))
    }),
    row("1111 0010 1Dzz nnnn dddd 1xx1 N0M0 mmmm", NEON, "VQDMLAL, VQDMLSL, VQDMULL", |w| {
        halves_or_words(w) && even_d(w) && bits(w, 11, 8) != 15
    }),
    // By one element.
    row("1111 001Q 1Dzz nnnn dddd 0x00 N1M0 mmmm", NEON, "VMLA, VMLS (element)", element),
    row("1111 001Q 1Dzz nnnn dddd 1000 N1M0 mmmm", NEON, "VMUL (element)", element),
    row("1111 001U 1Dzz nnnn dddd xx10 N1M0 mmmm", NEON, "VMLAL, VMLSL, VMULL (element)", |w| {
        halves_or_words(w) && even_d(w) && bits(w, 11, 10) != 3
    }),
    row("1111 0010 1Dzz nnnn dddd xx11 N1M0 mmmm", NEON, "VQDMLAL, VQDMLSL, VQDMULL (element)", |w| {
        halves_or_words(w) && even_d(w) && bits(w, 11, 10) != 3
    }),
    row("1111 001Q 1Dzz nnnn dddd 110x N1M0 mmmm", NEON, "VQDMULH, VQRDMULH (element)", element),
    row("1111 001Q 1Dzz nnnn dddd 111x N1M0 mmmm", RDM, "VQRDMLAH, VQRDMLSH (element)", element),
    // Permutations.
    row("1111 0010 1D11 nnnn dddd iiii NQM0 mmmm", NEON, "VEXT", |w| if_q_even(w) && (q(w) || !bit(w, 11))),
    row("1111 0011 1D11 nnnn dddd 10ll NxM0 mmmm", NEON, "VTBL, VTBX", |w| {
        (bit(w, 7) as u32) * 16 + bits(w, 19, 16) + bits(w, 9, 8) < 32
    }),
    row("1111 0011 1D11 iiii dddd 1100 0QM0 mmmm", NEON, "VDUP (element)", |w| {
        bits(w, 18, 16) != 0 && (!q(w) || even_d(w))
    }),
    // Two registers.
    row("1111 0011 1D11 zz00 dddd 0000 0QM0 mmmm", NEON, "VREV64", two_same),
    row("1111 0011 1D11 0z00 dddd 0000 1QM0 mmmm", NEON, "VREV32", if_q_even_dm),
    row("1111 0011 1D11 0000 dddd 0001 0QM0 mmmm", NEON, "VREV16", if_q_even_dm),
    row("1111 0011 1D11 zz00 dddd 0x10 xQM0 mmmm", NEON, "VPADDL, VPADAL", two_same),
    row("1111 0011 1D11 zz00 dddd 0100 xQM0 mmmm", NEON, "VCLS, VCLZ", two_same),
    row("1111 0011 1D11 0000 dddd 0101 xQM0 mmmm", NEON, "VCNT, VMVN", if_q_even_dm),
    row("1111 0011 1D11 zz00 dddd 0111 xQM0 mmmm", NEON, "VQABS, VQNEG", two_same),
    row("1111 0011 1D11 zz01 dddd 000x xQM0 mmmm", NEON, "VCGT, VCGE, VCEQ, VCLE (zero)", two_same),
    row("1111 0011 1D11 zz01 dddd 0010 0QM0 mmmm", NEON, "VCLT (zero)", two_same),
    row("1111 0011 1D11 zz01 dddd 0011 xQM0 mmmm", NEON, "VABS, VNEG", two_same),
    row("1111 0011 1D11 0010 dddd 0000 0QM0 mmmm", NEON, "VSWP", if_q_even_dm),
    row("1111 0011 1D11 zz10 dddd 0000 1QM0 mmmm", NEON, "VTRN", two_same),
    row("1111 0011 1D11 zz10 dddd 0001 xQM0 mmmm", NEON, "VUZP, VZIP", |w| two_same(w) && (q(w) || size2(w) != 2)),
    row("1111 0011 1D11 zz10 dddd 0010 xxM0 mmmm", NEON, "VMOVN, VQMOVN, VQMOVUN", |w| size2(w) != 3 && even_m(w)),
    row("1111 0011 1D11 zz10 dddd 0011 00M0 mmmm", NEON, "VSHLL (by the element size)", |w| size2(w) != 3 && even_d(w)),
    // Immediates and shifts.
    row("1111 001i 1D00 0iii dddd mmmm 0Qx1 iiii", NEON, "VMOV, VMVN, VORR, VBIC (immediate)", |w| {
        (!q(w) || even_d(w)) && !(bits(w, 11, 8) == 15 && bit(w, 5))
    }),
    row("1111 001U 1Dii iiii dddd 00xx LQM1 mmmm", NEON, "VSHR, VSRA, VRSHR, VRSRA", shifted),
    row("1111 0011 1Dii iiii dddd 0100 LQM1 mmmm", NEON, "VSRI", shifted),
    row("1111 001U 1Dii iiii dddd 0101 LQM1 mmmm", NEON, "VSHL, VSLI (immediate)", shifted),
    row("1111 0011 1Dii iiii dddd 0110 LQM1 mmmm", NEON, "VQSHLU (immediate)", shifted),
    row("1111 001U 1Dii iiii dddd 0111 LQM1 mmmm", NEON, "VQSHL (immediate)", shifted),
    row("1111 001U 1Dii iiii dddd 1000 0xM1 mmmm", NEON, "VSHRN, VRSHRN, VQSHRUN, VQRSHRUN", narrowed),
    row("1111 001U 1Dii iiii dddd 1001 0xM1 mmmm", NEON, "VQSHRN, VQRSHRN", narrowed),
    row("1111 001U 1Dii iiii dddd 1010 00M1 mmmm", NEON, "VSHLL, VMOVL", |w| bits(w, 21, 19) != 0 && even_d(w)),
];

/// A register list of VLDM and its kin: not empty, within the file, whole double registers.
const fn register_list(word: u32) -> bool {
    let count = bits(word, 7, 0);
    if bit(word, 8) {
        let first = bits(word, 22, 22) * 16 + bits(word, 15, 12);
        count != 0 && count.is_multiple_of(2) && count <= 32 && first + count / 2 <= 32
    } else {
        let first = bits(word, 15, 12) * 2 + bits(word, 22, 22);
        count != 0 && first + count <= 32
    }
}

/// The last of `registers` double registers from Vd is there, and the base is no PC.
const fn fits(word: u32, registers: u32) -> bool {
    bits(word, 22, 22) * 16 + bits(word, 15, 12) + registers <= 32 && bits(word, 19, 16) != 15
}

/// Results of double length, or operands of double length.
const fn long_or_narrow(word: u32) -> bool {
    let wide = even_d(word);
    size(word) != 3
        && match bits(word, 11, 8) {
            // Both the result and the first operand are long.
            1 | 3 => wide && even_n(word),
            // Narrowing: the operands are long.
            4 | 6 => even_n(word) && even_m(word),
            _ => wide,
        }
}

const fn element(word: u32) -> bool {
    halves_or_words(word) && (!bit(word, 24) || (even_d(word) && even_n(word)))
}

const fn narrowed(word: u32) -> bool {
    bits(word, 21, 19) != 0 && even_m(word)
}
