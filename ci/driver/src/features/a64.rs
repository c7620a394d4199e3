//! The A64 instructions that a kernel may consist of.
//!
//! Diagrams and allocations are those of the Arm Architecture Reference Manual for A-profile (DDI 0487), chapter C4 "A64
//! instruction set encoding". The table is a list of what is allowed, not of all there is: floating-point arithmetic,
//! system registers but the flags, and exclusive accesses are left out, since no kernel has a use for them; a word
//! that is not found fails the check. Extensions of which it is known that they hide among the others are listed to be named.

use vambrace::kernels::Feature;

use super::encoding::{Encoding, Needs, always, bit, bits};

const BASE: Needs = Needs::Base;
const NEON: Needs = Needs::Feature(Feature::Neon);
const AES: Needs = Needs::Feature(Feature::Aes);
const PMULL: Needs = Needs::Feature(Feature::Pmull);
const SHA2: Needs = Needs::Feature(Feature::Sha2);
const SHA512: Needs = Needs::Feature(Feature::Sha512);
const SHA3: Needs = Needs::Feature(Feature::Sha3);
const SHA1: Needs = Needs::Extension("FEAT_SHA1");
const SM3: Needs = Needs::Extension("FEAT_SM3");
const SM4: Needs = Needs::Extension("FEAT_SM4");
const CRC32: Needs = Needs::Extension("FEAT_CRC32");
const LSE: Needs = Needs::Extension("FEAT_LSE");
const DOTPROD: Needs = Needs::Extension("FEAT_DotProd");
const I8MM: Needs = Needs::Extension("FEAT_I8MM");
const RDM: Needs = Needs::Extension("FEAT_RDM");

const fn row(diagram: &'static str, needs: Needs, name: &'static str, allocated: fn(u32) -> bool) -> Encoding {
    Encoding::new(diagram, needs, name, allocated)
}

/// 64-bit operands.
const fn sf(word: u32) -> bool {
    bit(word, 31)
}

/// 128-bit vectors.
const fn q(word: u32) -> bool {
    bit(word, 30)
}

const fn size(word: u32) -> u32 {
    bits(word, 23, 22)
}

/// The form with 64-bit elements exists for 128-bit vectors alone.
const fn any_size(word: u32) -> bool {
    size(word) != 3 || q(word)
}

const fn not_64(word: u32) -> bool {
    size(word) != 3
}

const fn halves_or_words(word: u32) -> bool {
    matches!(size(word), 1 | 2)
}

/// A bit mask immediate that exists: DDI 0487, `DecodeBitMasks`.
const fn bit_mask(word: u32) -> bool {
    let (n, imms) = (bits(word, 22, 22), bits(word, 15, 10));
    // The highest set bit of N:NOT(imms) gives the element size; all ones below it is reserved.
    let pattern = n << 6 | (!imms & 0x3f);
    if pattern < 2 || (n == 1 && !sf(word)) {
        return false;
    }
    let levels = (1 << (31 - pattern.leading_zeros())) - 1;
    imms & levels != levels
}

/// The shift amount fits the register.
const fn shift_amount(word: u32) -> bool {
    sf(word) || !bit(word, 15)
}

/// An element size in the lowest set bit of imm5; 64-bit elements for 128-bit vectors alone.
const fn imm5(word: u32) -> bool {
    let imm5 = bits(word, 20, 16);
    imm5 & 15 != 0 && (imm5 & 15 != 8 || q(word))
}

/// Elements of 8 to 64 bits, 64 for 128-bit vectors alone. All zero is another group.
const fn immh(word: u32) -> bool {
    let immh = bits(word, 22, 19);
    immh != 0 && (immh < 8 || q(word))
}

/// Elements of 8 to 32 bits.
const fn immh_narrow(word: u32) -> bool {
    matches!(bits(word, 22, 19), 1..8)
}

const fn immh_64(word: u32) -> bool {
    bit(word, 22)
}

/// Every row; the first that matches counts.
pub static TABLE: &[Encoding] = &[
    // Data processing, immediate.
    row("xii 10000 iiiiiiiiiiiiiiiiiii ddddd", BASE, "ADR, ADRP", always),
    row("sxx 100010 x iiiiiiiiiiii nnnnn ddddd", BASE, "ADD, SUB (immediate)", always),
    row("sxx 100100 N rrrrrr iiiiii nnnnn ddddd", BASE, "AND, ORR, EOR, ANDS (immediate)", bit_mask),
    row("sxx 100101 hh iiiiiiiiiiiiiiii ddddd", BASE, "MOVN, MOVZ, MOVK", |w| {
        bits(w, 30, 29) != 1 && (sf(w) || !bit(w, 22))
    }),
    row("sxx 100110 N rrrrrr iiiiii nnnnn ddddd", BASE, "SBFM, BFM, UBFM", |w| {
        bits(w, 30, 29) != 3 && bit(w, 22) == sf(w) && (sf(w) || (!bit(w, 21) && !bit(w, 15)))
    }),
    row("s00 100111 N 0 mmmmm iiiiii nnnnn ddddd", BASE, "EXTR", |w| bit(w, 22) == sf(w) && shift_amount(w)),
    // Data processing, register.
    row("sxx 01010 tt N mmmmm iiiiii nnnnn ddddd", BASE, "AND, BIC, ORR, ORN, EOR, EON, ANDS, BICS", shift_amount),
    row("sxx 01011 tt 0 mmmmm iiiiii nnnnn ddddd", BASE, "ADD, SUB (shifted register)", |w| {
        bits(w, 23, 22) != 3 && shift_amount(w)
    }),
    row("sxx 01011 00 1 mmmmm ooo iii nnnnn ddddd", BASE, "ADD, SUB (extended register)", |w| bits(w, 12, 10) <= 4),
    row("sxx 11010000 mmmmm 000000 nnnnn ddddd", BASE, "ADC, SBC", always),
    row("sx1 11010010 mmmmm cccc x0 nnnnn 0 ffff", BASE, "CCMP, CCMN", always),
    row("sx0 11010100 mmmmm cccc 0x nnnnn ddddd", BASE, "CSEL, CSINC, CSINV, CSNEG", always),
    row("s00 11010110 mmmmm 00001x nnnnn ddddd", BASE, "UDIV, SDIV", always),
    row("s00 11010110 mmmmm 0010xx nnnnn ddddd", BASE, "LSLV, LSRV, ASRV, RORV", always),
    row("s00 11010110 mmmmm 010xzz nnnnn ddddd", CRC32, "CRC32", |w| (bits(w, 11, 10) == 3) == sf(w)),
    row("s10 11010110 00000 00000x nnnnn ddddd", BASE, "RBIT, REV16", always),
    row("s10 11010110 00000 000010 nnnnn ddddd", BASE, "REV, REV32", always),
    row("110 11010110 00000 000011 nnnnn ddddd", BASE, "REV", always),
    row("s10 11010110 00000 00010x nnnnn ddddd", BASE, "CLZ, CLS", always),
    row("s00 11011000 mmmmm o aaaaa nnnnn ddddd", BASE, "MADD, MSUB", always),
    row("100 11011x01 mmmmm o aaaaa nnnnn ddddd", BASE, "SMADDL, SMSUBL, UMADDL, UMSUBL", always),
    row("100 11011x10 mmmmm 0 11111 nnnnn ddddd", BASE, "SMULH, UMULH", always),
    // Branches.
    row("x00101 iiiiiiiiiiiiiiiiiiiiiiiiii", BASE, "B, BL", always),
    row("s011010 x iiiiiiiiiiiiiiiiiii ttttt", BASE, "CBZ, CBNZ", always),
    row("b011011 x bbbbb iiiiiiiiiiiiii ttttt", BASE, "TBZ, TBNZ", always),
    row("01010100 iiiiiiiiiiiiiiiiiii 0 cccc", BASE, "B.cond", always),
    row("1101011 00xx 11111 000000 nnnnn 00000", BASE, "BR, BLR, RET", |w| bits(w, 22, 21) != 3),
    // Hints, of which those that are not implemented do nothing; barriers; the flags.
    row("11010101 00000011 0010 hhhh hhh 11111", BASE, "NOP, BTI and other hints", always),
    row("11010101 00000011 0011 oooo 1xx 11111", BASE, "DSB, DMB, ISB", |w| {
        // Without option, DSB is SSBB or PSSBB, and the last of the four is SB.
        !matches!(bits(w, 6, 5), 3) && (bits(w, 6, 5) != 0 || !matches!(bits(w, 11, 8), 0 | 4))
    }),
    row("11010101 00x1 1011 0100 0010 000 ttttt", BASE, "MRS, MSR (NZCV)", always),
    // Loads and stores, general registers.
    row("xx 011 0 00 iiiiiiiiiiiiiiiiiii ttttt", BASE, "LDR, LDRSW, PRFM (literal)", always),
    row("x0 101 0 0xx L iiiiiii uuuuu nnnnn ttttt", BASE, "LDP, STP, LDNP, STNP", always),
    row("01 101 0 0xx 1 iiiiiii uuuuu nnnnn ttttt", BASE, "LDPSW", |w| bits(w, 24, 23) != 0),
    row("zz 111 0 01 oo iiiiiiiiiiii nnnnn ttttt", BASE, "LDR, STR (unsigned offset)", load_size),
    row("zz 111 0 00 oo 0 iiiiiiiii 00 nnnnn ttttt", BASE, "LDUR, STUR", load_size),
    row("zz 111 0 00 oo 0 iiiiiiiii x1 nnnnn ttttt", BASE, "LDR, STR (writeback)", |w| {
        load_size(w) && !(bits(w, 31, 30) == 3 && bit(w, 23))
    }),
    row("zz 111 0 00 oo 1 mmmmm x1x S 10 nnnnn ttttt", BASE, "LDR, STR (register offset)", load_size),
    row("zz 111 0 00 ar 1 sssss 0ooo 00 nnnnn ttttt", LSE, "LDADD and its kin", always),
    row("zz 111 0 00 ar 1 sssss 1000 00 nnnnn ttttt", LSE, "SWP", always),
    row("zz 001000 1 L 1 sssss o 11111 nnnnn ttttt", LSE, "CAS", always),
    // Loads and stores, vector registers.
    row("xx 011 1 00 iiiiiiiiiiiiiiiiiii ttttt", NEON, "LDR (literal, vector)", |w| bits(w, 31, 30) != 3),
    row("xx 101 1 0xx L iiiiiii uuuuu nnnnn ttttt", NEON, "LDP, STP (vector)", |w| bits(w, 31, 30) != 3),
    row("zz 111 1 01 xo iiiiiiiiiiii nnnnn ttttt", NEON, "LDR, STR (unsigned offset, vector)", vector_size),
    row("zz 111 1 00 xo 0 iiiiiiiii 00 nnnnn ttttt", NEON, "LDUR, STUR (vector)", vector_size),
    row("zz 111 1 00 xo 0 iiiiiiiii x1 nnnnn ttttt", NEON, "LDR, STR (writeback, vector)", vector_size),
    row("zz 111 1 00 xo 1 mmmmm x1x S 10 nnnnn ttttt", NEON, "LDR, STR (register offset, vector)", vector_size),
    row("0 Q 0011000 L 000000 oooo zz nnnnn ttttt", NEON, "LD1 to ST4", structures),
    row("0 Q 0011001 L 0 mmmmm oooo zz nnnnn ttttt", NEON, "LD1 to ST4 (writeback)", structures),
    row("0 Q 0011010 L R 00000 ooo S zz nnnnn ttttt", NEON, "LD1 to ST4 (one lane)", lane),
    row("0 Q 0011011 L R mmmmm ooo S zz nnnnn ttttt", NEON, "LD1 to ST4 (one lane, writeback)", lane),
    // Cryptographic instructions.
    row("01001110 00 10100 001 xx 10 nnnnn ddddd", AES, "AESE, AESD, AESMC, AESIMC", always),
    row("0 Q 0 01110 11 1 mmmmm 1110 00 nnnnn ddddd", PMULL, "PMULL (64-bit)", always),
    row("01011110 000 mmmmm 0 1 xx 00 nnnnn ddddd", SHA2, "SHA256H, SHA256H2, SHA256SU1", |w| bits(w, 13, 12) != 3),
    row("01011110 00 10100 00010 10 nnnnn ddddd", SHA2, "SHA256SU0", always),
    row("01011110 000 mmmmm 0 0 xx 00 nnnnn ddddd", SHA1, "SHA1C, SHA1P, SHA1M, SHA1SU0", always),
    row("01011110 00 10100 0000x 10 nnnnn ddddd", SHA1, "SHA1H, SHA1SU1", always),
    row("11001110 011 mmmmm 10 00 xx nnnnn ddddd", SHA512, "SHA512H, SHA512H2, SHA512SU1", |w| bits(w, 11, 10) != 3),
    row("11001110 11000000 100000 nnnnn ddddd", SHA512, "SHA512SU0", always),
    row("11001110 011 mmmmm 10 00 11 nnnnn ddddd", SHA3, "RAX1", always),
    row("11001110 00x mmmmm 0 aaaaa nnnnn ddddd", SHA3, "EOR3, BCAX", always),
    row("11001110 100 mmmmm iiiiii nnnnn ddddd", SHA3, "XAR", always),
    row("11001110 010 mmmmm 0 aaaaa nnnnn ddddd", SM3, "SM3SS1", always),
    row("11001110 010 mmmmm 10 ii xx nnnnn ddddd", SM3, "SM3TT1A to SM3TT2B", always),
    row("11001110 011 mmmmm 11 00 0x nnnnn ddddd", SM3, "SM3PARTW1, SM3PARTW2", always),
    row("11001110 011 mmmmm 11 00 10 nnnnn ddddd", SM4, "SM4EKEY", always),
    row("11001110 11000000 100001 nnnnn ddddd", SM4, "SM4E", always),
    // Advanced SIMD, three registers of the same shape.
    row("0 Q U 01110 zz 1 mmmmm 00x00 1 nnnnn ddddd", NEON, "SHADD, SHSUB, UHADD, UHSUB", not_64),
    row("0 Q U 01110 zz 1 mmmmm 00001 1 nnnnn ddddd", NEON, "SQADD, UQADD", any_size),
    row("0 Q U 01110 zz 1 mmmmm 00010 1 nnnnn ddddd", NEON, "SRHADD, URHADD", not_64),
    row("0 Q U 01110 zz 1 mmmmm 00011 1 nnnnn ddddd", NEON, "AND, BIC, ORR, ORN, EOR, BSL, BIT, BIF", always),
    row("0 Q U 01110 zz 1 mmmmm 00101 1 nnnnn ddddd", NEON, "SQSUB, UQSUB", any_size),
    row("0 Q U 01110 zz 1 mmmmm 0011x 1 nnnnn ddddd", NEON, "CMGT, CMHI, CMGE, CMHS", any_size),
    row("0 Q U 01110 zz 1 mmmmm 010xx 1 nnnnn ddddd", NEON, "SSHL, SQSHL, SRSHL, SQRSHL and their kin", any_size),
    row("0 Q U 01110 zz 1 mmmmm 011xx 1 nnnnn ddddd", NEON, "SMAX, SMIN, SABD, SABA and their kin", not_64),
    row("0 Q U 01110 zz 1 mmmmm 1000x 1 nnnnn ddddd", NEON, "ADD, SUB, CMTST, CMEQ", any_size),
    row("0 Q U 01110 zz 1 mmmmm 10010 1 nnnnn ddddd", NEON, "MLA, MLS", not_64),
    row("0 Q U 01110 zz 1 mmmmm 10011 1 nnnnn ddddd", NEON, "MUL, PMUL", |w| {
        not_64(w) && (!bit(w, 29) || size(w) == 0)
    }),
    row("0 Q U 01110 zz 1 mmmmm 1010x 1 nnnnn ddddd", NEON, "SMAXP, SMINP, UMAXP, UMINP", not_64),
    row("0 Q U 01110 zz 1 mmmmm 10110 1 nnnnn ddddd", NEON, "SQDMULH, SQRDMULH", halves_or_words),
    row("0 Q 0 01110 zz 1 mmmmm 10111 1 nnnnn ddddd", NEON, "ADDP", any_size),
    row("0 Q U 01110 10 0 mmmmm 1 0010 1 nnnnn ddddd", DOTPROD, "SDOT, UDOT", always),
    row("0 Q 0 01110 10 0 mmmmm 1 0011 1 nnnnn ddddd", I8MM, "USDOT", always),
    row("0 1 U 01110 10 0 mmmmm 1 0100 1 nnnnn ddddd", I8MM, "SMMLA, UMMLA", always),
    row("0 1 0 01110 10 0 mmmmm 1 0101 1 nnnnn ddddd", I8MM, "USMMLA", always),
    row("0 Q 1 01110 zz 0 mmmmm 1 000x 1 nnnnn ddddd", RDM, "SQRDMLAH, SQRDMLSH", halves_or_words),
    // Three registers of different shapes.
    row("0 Q U 01110 zz 1 mmmmm 0xxx 00 nnnnn ddddd", NEON, "SADDL, SADDW, ADDHN, SABAL and their kin", not_64),
    row("0 Q U 01110 zz 1 mmmmm 1xx0 00 nnnnn ddddd", NEON, "SMLAL, SMLSL, SMULL, PMULL", |w| {
        not_64(w) && (bits(w, 15, 12) != 0b1110 || (!bit(w, 29) && size(w) == 0))
    }),
    row("0 Q 0 01110 zz 1 mmmmm 1xx1 00 nnnnn ddddd", NEON, "SQDMLAL, SQDMLSL, SQDMULL", |w| {
        halves_or_words(w) && bits(w, 15, 12) != 0b1111
    }),
    // Two registers.
    row("0 Q 0 01110 zz 10000 00000 10 nnnnn ddddd", NEON, "REV64", not_64),
    row("0 Q 1 01110 0z 10000 00000 10 nnnnn ddddd", NEON, "REV32", always),
    row("0 Q 0 01110 00 10000 00001 10 nnnnn ddddd", NEON, "REV16", always),
    row("0 Q U 01110 zz 10000 00x10 10 nnnnn ddddd", NEON, "SADDLP, SADALP, UADDLP, UADALP", not_64),
    row("0 Q U 01110 zz 10000 00x11 10 nnnnn ddddd", NEON, "SUQADD, USQADD, SQABS, SQNEG", any_size),
    row("0 Q U 01110 zz 10000 00100 10 nnnnn ddddd", NEON, "CLS, CLZ", not_64),
    row("0 Q U 01110 0z 10000 00101 10 nnnnn ddddd", NEON, "CNT, NOT, RBIT", |w| bit(w, 29) || !bit(w, 22)),
    row("0 Q U 01110 zz 10000 0100x 10 nnnnn ddddd", NEON, "CMGT, CMGE, CMEQ, CMLE (zero)", any_size),
    row("0 Q 0 01110 zz 10000 01010 10 nnnnn ddddd", NEON, "CMLT (zero)", any_size),
    row("0 Q U 01110 zz 10000 01011 10 nnnnn ddddd", NEON, "ABS, NEG", any_size),
    row("0 Q U 01110 zz 10000 10010 10 nnnnn ddddd", NEON, "XTN, SQXTUN", not_64),
    row("0 Q 1 01110 zz 10000 10011 10 nnnnn ddddd", NEON, "SHLL", not_64),
    row("0 Q U 01110 zz 10000 10100 10 nnnnn ddddd", NEON, "SQXTN, UQXTN", not_64),
    row("0 Q U 01110 zz 11000 00011 10 nnnnn ddddd", NEON, "SADDLV, UADDLV", across),
    row("0 Q U 01110 zz 11000 x1010 10 nnnnn ddddd", NEON, "SMAXV, SMINV, UMAXV, UMINV", across),
    row("0 Q 0 01110 zz 11000 11011 10 nnnnn ddddd", NEON, "ADDV", across),
    // Elements and permutations.
    row("0 Q 0 01110 000 iiiii 0 0000 1 nnnnn ddddd", NEON, "DUP (element)", imm5),
    row("0 Q 0 01110 000 iiiii 0 0001 1 nnnnn ddddd", NEON, "DUP (general)", imm5),
    row("0 1 0 01110 000 iiiii 0 0011 1 nnnnn ddddd", NEON, "INS (general)", imm5),
    row("0 Q 0 01110 000 iiiii 0 0101 1 nnnnn ddddd", NEON, "SMOV", |w| {
        bits(w, 17, 16) != 0 || (q(w) && bits(w, 18, 16) == 0b100)
    }),
    row("0 Q 0 01110 000 iiiii 0 0111 1 nnnnn ddddd", NEON, "UMOV", |w| {
        if q(w) { bits(w, 19, 16) == 0b1000 } else { bits(w, 18, 16) != 0 }
    }),
    row("0 1 1 01110 000 iiiii 0 jjjj 1 nnnnn ddddd", NEON, "INS (element)", imm5),
    row("0 Q 0 01110 zz 0 mmmmm 0 xxx 10 nnnnn ddddd", NEON, "UZP, TRN, ZIP", |w| any_size(w) && bits(w, 13, 12) != 0),
    row("0 Q 1 01110 00 0 mmmmm 0 iiii 0 nnnnn ddddd", NEON, "EXT", |w| q(w) || !bit(w, 14)),
    row("0 Q 0 01110 00 0 mmmmm 0 ll x 00 nnnnn ddddd", NEON, "TBL, TBX", always),
    // Immediates and shifts.
    row("0 Q x 01111 00000 abc mmmm 0 1 defgh ddddd", NEON, "MOVI, MVNI, ORR, BIC (immediate)", |w| {
        // FMOV of a double exists for 128-bit vectors alone.
        bits(w, 15, 12) != 15 || !bit(w, 29) || q(w)
    }),
    row("0 Q U 01111 0 iiii iii 00xx0 1 nnnnn ddddd", NEON, "SSHR, SSRA, SRSHR, SRSRA and their kin", immh),
    row("0 Q U 01111 0 iiii iii 010x0 1 nnnnn ddddd", NEON, "SRI, SHL, SLI", |w| immh(w) && (bit(w, 29) || bit(w, 12))),
    row("0 Q U 01111 0 iiii iii 011x0 1 nnnnn ddddd", NEON, "SQSHLU, SQSHL, UQSHL", |w| {
        immh(w) && (bit(w, 29) || bit(w, 12))
    }),
    row("0 Q U 01111 0 iiii iii 100xx 1 nnnnn ddddd", NEON, "SHRN, RSHRN, SQSHRN and their kin", immh_narrow),
    row("0 Q U 01111 0 iiii iii 10100 1 nnnnn ddddd", NEON, "SSHLL, USHLL", immh_narrow),
    // By one element.
    row("0 Q 1 01111 zz LM mmmm 0x00 H 0 nnnnn ddddd", NEON, "MLA, MLS (element)", halves_or_words),
    row("0 Q 0 01111 zz LM mmmm 1000 H 0 nnnnn ddddd", NEON, "MUL (element)", halves_or_words),
    row("0 Q U 01111 zz LM mmmm xx10 H 0 nnnnn ddddd", NEON, "SMLAL, SMLSL, SMULL (element)", |w| {
        halves_or_words(w) && bits(w, 15, 14) != 3
    }),
    row("0 Q 0 01111 zz LM mmmm xx11 H 0 nnnnn ddddd", NEON, "SQDMLAL, SQDMLSL, SQDMULL (element)", |w| {
        halves_or_words(w) && bits(w, 15, 14) != 3
    }),
    row("0 Q 0 01111 zz LM mmmm 110x H 0 nnnnn ddddd", NEON, "SQDMULH, SQRDMULH (element)", halves_or_words),
    row("0 Q 1 01111 zz LM mmmm 11x1 H 0 nnnnn ddddd", RDM, "SQRDMLAH, SQRDMLSH (element)", halves_or_words),
    row("0 Q U 01111 10 LM mmmm 1110 H 0 nnnnn ddddd", DOTPROD, "SDOT, UDOT (element)", always),
    // One 64-bit element in a vector register.
    row("01 U 11110 11 1 mmmmm 0011x 1 nnnnn ddddd", NEON, "CMGT, CMHI, CMGE, CMHS (scalar)", always),
    row("01 U 11110 11 1 mmmmm 010x0 1 nnnnn ddddd", NEON, "SSHL, SRSHL, USHL, URSHL (scalar)", always),
    row("01 U 11110 11 1 mmmmm 1000x 1 nnnnn ddddd", NEON, "ADD, SUB, CMTST, CMEQ (scalar)", always),
    row("01 U 11110 11 10000 0100x 10 nnnnn ddddd", NEON, "CMGT, CMGE, CMEQ, CMLE (zero, scalar)", always),
    row("01 0 11110 11 10000 01010 10 nnnnn ddddd", NEON, "CMLT (zero, scalar)", always),
    row("01 U 11110 11 10000 01011 10 nnnnn ddddd", NEON, "ABS, NEG (scalar)", always),
    row("01 0 11110 11 11000 11011 10 nnnnn ddddd", NEON, "ADDP (scalar)", always),
    row("01 0 11110 000 iiiii 0 0000 1 nnnnn ddddd", NEON, "DUP (element, scalar)", |w| bits(w, 19, 16) != 0),
    row("01 U 11111 0 iiii iii 00xx0 1 nnnnn ddddd", NEON, "SSHR, SSRA, SRSHR, SRSRA and their kin (scalar)", immh_64),
    row("01 U 11111 0 iiii iii 010x0 1 nnnnn ddddd", NEON, "SRI, SHL, SLI (scalar)", |w| {
        immh_64(w) && (bit(w, 29) || bit(w, 12))
    }),
    // Between general and vector registers.
    row("0 00 11110 00 1 00 11x 000000 nnnnn ddddd", NEON, "FMOV (32 bits, general)", always),
    row("1 00 11110 01 1 00 11x 000000 nnnnn ddddd", NEON, "FMOV (64 bits, general)", always),
    row("1 00 11110 10 1 01 11x 000000 nnnnn ddddd", NEON, "FMOV (upper half, general)", always),
    row("000 11110 0x 1 0000 00 10000 nnnnn ddddd", NEON, "FMOV (register)", always),
];

/// size:opc of a load, store or prefetch of a general register.
const fn load_size(word: u32) -> bool {
    // With 32 bits there is no sign extension to 32 bits.
    bits(word, 23, 22) != 3 || bits(word, 31, 30) < 2
}

/// size:opc of a load or store of a vector register: 128 bits are spelt with size 0.
const fn vector_size(word: u32) -> bool {
    !bit(word, 23) || bits(word, 31, 30) == 0
}

const fn structures(word: u32) -> bool {
    match bits(word, 15, 12) {
        // LD1 with four, three, one and two registers.
        0b0010 | 0b0110 | 0b0111 | 0b1010 => true,
        // LD4, LD3, LD2.
        0b0000 | 0b0100 | 0b1000 => bits(word, 11, 10) != 3 || q(word),
        _ => false,
    }
}

const fn lane(word: u32) -> bool {
    let size = bits(word, 11, 10);
    match bits(word, 15, 14) {
        0b00 => true,
        0b01 => size & 1 == 0,
        0b10 => size == 0 || (size == 1 && !bit(word, 12)),
        // Load and replicate.
        _ => bit(word, 22) && !bit(word, 12),
    }
}

const fn across(word: u32) -> bool {
    size(word) < 2 || (size(word) == 2 && q(word))
}
