//! Loads and stores in the wrong order, and what passes from the bulk of a call to its end, and from call to call.

use super::super::bug::{Entry, Sibling, entry, here, none, there};
use super::{A32, A64, both};

const STEAL: &str = "«other.as_mut()[..rest].copy_from_slice(&input[C::BLOCK_BYTES..]);»";

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry(
            "B04",
            "a store before the load from the same place, equal buffers",
            "isa-l_crypto#130, #133, 13fd5c8 (AES-XTS on AArch64, stealing in place)",
            &["aliasing", "xts"],
            early_stores(),
        ),
        entry(
            "B05",
            "stealing in place takes the tail from where it was overwritten",
            "mbedtls#4302, wolfSSL#6011",
            &["aliasing", "xts"],
            stealing(),
        ),
        entry(
            "B12",
            "pointers are not advanced between the bulk and the rest of a call",
            "openssl be9375d5 (OCB)",
            &["lengths", "xts", "kat"],
            pointers(),
        ),
        entry(
            "B13",
            "a mix-up of registers that only the second block of a call meets",
            "libgcrypt beb90157 (SHA-512 by NEON)",
            &["lengths", "differential", "many"],
            later_blocks(),
        ),
        entry(
            "B28",
            "the chaining value handed back is not that of the last block",
            "OP-TEE#2355, #2389; mbed-os#600",
            &["handed-back", "splits", "xts"],
            handed_back(),
        ),
        none(
            "B40",
            "partly overlapping input and output",
            "libsodium#196",
            "the safe interface takes references and InOutBuf, of which no two can overlap in part; at the kernels the contract says so",
        ),
        entry(
            "B41",
            "in place, on one architecture alone",
            "cryptopp#1236, #683, #1088 (AES on ARMv7)",
            &["aliasing"],
            on_one_architecture(),
        ),
        entry(
            "B46",
            "one rest of blocks is wrong",
            "BearSSL on NetBSD (4 n + 3 blocks of XTS)",
            &["xts", "lengths", "kat"],
            rests(),
        ),
    ]
}

fn early_stores() -> Vec<Sibling> {
    let mut siblings = both(|direction| {
        let aes = format!("aes_xts_ce_{direction}");
        let store = |offset: usize| {
            Sibling::kernel(A64, &aes, format!("six blocks: the block at {offset} is stored before it is loaded")).edit(
                "ldp M4_q, M5_q, [input, #64]",
                format!("str M0_q, [output, #{offset}]\n ldp M4_q, M5_q, [input, #64]"),
            )
        };
        let one = "one block: something is stored before it is loaded";
        vec![
            store(64),
            store(80),
            Sibling::kernel(A64, &aes, one).edit(
                "ldr M0_q, [input]\n eor Y0.16b, U0.16b, KD.16b",
                "str U0_q, [output]\n ldr M0_q, [input]\n eor Y0.16b, U0.16b, KD.16b",
            ),
            Sibling::kernel(A64, &format!("speck128_xts_neon_{direction}"), one).edit(
                format!("b.hi 5f\n speck128_neon_{direction}_times_x rx0, ry0\n stp ry0, rx0, [xtweak]\n «speck128_neon_{direction}_load 0, 0, [xin]»"),
                format!("str xpoly, [xout, #8]\n speck128_neon_{direction}_load 0, 0, [xin]"),
            ),
            Sibling::kernel(A64, &format!("speck64_xts_neon_{direction}"), "four blocks: the last is stored before it is loaded").edit(
                format!("add xt, xin, xo3\n speck64_neon_{direction}_load 3, 3, [xt]"),
                format!("str w0, [xout, xo3]\n add xt, xin, xo3\n speck64_neon_{direction}_load 3, 3, [xt]"),
            ),
        ]
    });
    siblings.extend([
        Sibling::kernel(A64, "salsa20_neon", "a row is stored before the next is loaded")
            .edit("ldr q31, [input, #64*\\n+32]", "str q24, [output, #64*\\n+32]\n ldr q31, [input, #64*\\n+32]"),
        Sibling::kernel(A64, "salsa20_scalar", "two words are stored before they are loaded").edit(
            "ldp wt2, wt3, [input, #\\offset+8]",
            "stp wt0, wt1, [output, #\\offset+8]\n ldp wt2, wt3, [input, #\\offset+8]",
        ),
    ]);
    siblings
}

fn stealing() -> Vec<Sibling> {
    let overwritten = "data.get_out()[C::BLOCK_BYTES..].copy_from_slice(&whole.as_ref()[..rest]); \
        other.as_mut()[..rest].copy_from_slice(&data.get_in()[C::BLOCK_BYTES..]);";
    let right = "other.as_mut()[..rest].copy_from_slice(&data.get_in()[C::BLOCK_BYTES..]);";
    let when = |row: &str, what: &str, condition: &str| {
        Sibling::library(A32, row, what).edit_in(
            "impls/src/xts/mod.rs",
            STEAL,
            format!("if {condition} {{ {overwritten} }} else {{ {right} }}"),
        )
    };
    vec![
        when("speck128_xts_scalar_encrypt", "always", "true"),
        when("aes_xts_ce_encrypt", "always", "true"),
        when("speck128_xts_scalar_encrypt", "in encryption", "direction == Direction::Encrypt"),
        when("speck128_xts_scalar_decrypt", "in decryption", "direction == Direction::Decrypt"),
        when("speck64_xts_neon_decrypt", "in decryption", "direction == Direction::Decrypt"),
        when("speck128_xts_scalar_encrypt", "for a rest of one byte", "rest == 1"),
        when("speck128_xts_scalar_decrypt", "for a rest of 15 bytes", "rest == 15"),
        when("aes_xts_ce_encrypt", "for a rest of 8 bytes", "rest == 8"),
        when(
            "speck128_xts_scalar_encrypt",
            "where nothing but the two blocks is there",
            "data.len() < 2 * C::BLOCK_BYTES",
        ),
    ]
}

fn pointers() -> Vec<Sibling> {
    let mut siblings = both(|direction| {
        let (aes, speck) = (format!("aes_xts_ce_{direction}"), format!("speck128_xts_neon_{direction}"));
        vec![
            here(&aes, "the input after six blocks", "add input, input, #96", ""),
            here(&aes, "the output after six blocks", "add output, output, #96", ""),
            here(&aes, "the input after six blocks, by five alone", "add input, input, «#96»", "#80"),
            here(&speck, "the input after 16 blocks", "add xin, xin, #128", ""),
            here(&speck, "the output after 16 blocks", "add xout, xout, #128", ""),
            here(&speck, "the input after four blocks", "add xin, xin, xo3", ""),
            Sibling::kernel(A32, &aes, "the output after four blocks")
                .edit("vst1.8 {d4-d7}, «[output]!»\n subs count, count, #4", "[output]"),
        ]
    });
    siblings.extend([
        here("salsa20_neon", "the input after six blocks", "add input, input, #384", ""),
        here("salsa20_neon", "the output after six blocks", "add output, output, #384", ""),
        here("salsa20_ce", "the input after eight blocks, by seven alone", "add input, input, «#512»", "#448"),
        Sibling::kernel(A32, "salsa20_neon", "the input after six blocks").edit("add r1, r1, «#112»", "#48"),
        Sibling::library(A32, "sha256_neon", "the part that fills the buffer is hashed again")
            .edit_in("impls/src/sha2/engine.rs", "self.compress_buffer();\n «data = rest;»", "let _ = rest;")
            .seen_by(&["splits"]),
        Sibling::library(A32, "blake2s_scalar", "the part that fills the buffer is hashed again")
            .edit_in(
                "impls/src/blake2/engine.rs",
                "(self.buffer, self.filled) = (V::ZEROS, 0);\n «data = rest;»",
                "let _ = rest;",
            )
            .seen_by(&["splits"]),
        Sibling::library(A32, "salsa20_neon", "what is left of a block is used again")
            .edit_in("impls/src/salsa20/engine.rs", "«self.used += left;»", "")
            .seen_by(&["splits"]),
    ]);
    siblings
}

fn later_blocks() -> Vec<Sibling> {
    vec![
        here(
            "sha256_ce",
            "the first words of the next block are swapped from others",
            "sha256h abcd_q, efgh_q, WK1.4s\n rev32 msg0.16b, «msg0.16b»",
            "msg1.16b",
        ),
        here(
            "sha256_ce",
            "the last words of the next block are not swapped",
            "sha256h2 efgh_q, old_abcd_q, WK1.4s\n rev32 msg2.16b, msg2.16b\n «rev32 msg3.16b, msg3.16b»",
            "",
        ),
        here(
            "sha256_ce",
            "the next block's first sum has another constant",
            "add abcd.4s, abcd.4s, saved_abcd.4s\n add WK0.4s, msg0.4s, «K0.4s»",
            "K1.4s",
        ),
        here(
            "sha512_ce_x2",
            "the next block of the second message is that of the first",
            "b.eq 2f\n ld1 {v0.16b - v3.16b}, [blocks0], #64\n ld1 {v8.16b - v11.16b}, «[blocks1], #64»",
            "[blocks0], #64",
        ),
        here(
            "sha256_scalar",
            "the next block is this one",
            "ldr xblocks, [sp, #112]",
            "ldr xblocks, [sp, #112]\n sub xblocks, xblocks, #64",
        ),
        there("sha512_neon", "the next block begins with another constant", "sub K, K, «#640»", "#632"),
        there("sha256_scalar", "the next block begins with another constant", "sub K, K, «#192»", "#188"),
        there(
            "sha512_neon",
            "a word of the next chaining value is that of the block",
            "vadd.i64 eg2, eg2, X3l",
            "vadd.i64 eg2, eg2, X3l\n vst1.64 {eg2}, [state:64]\n vadd.i64 eg2, eg2, eg2",
        )
        .seen_by(&["lengths", "differential"]),
        here(
            "blake2b_neon",
            "the flags change with every block",
            "stp q9, q10, [state, #32]\n b.ne 1b",
            "stp q9, q10, [state, #32]\n ext v67.16b, v67.16b, v67.16b, #8\n b.ne 1b",
        ),
        there(
            "blake2s_scalar",
            "a word that is kept for the next block is another",
            "str r9, [sp, #40] \n str r5, [sp, #84]",
            "str r8, [sp, #40]\n str r5, [sp, #84]",
        ),
    ]
}

fn handed_back() -> Vec<Sibling> {
    let mut siblings = both(|direction| {
        let aes = format!("aes_xts_ce_{direction}");
        let here = |what: &str, find: &str| Sibling::kernel(A64, &aes, what).edit(find, "");
        let there = |what: &str, find: &str| Sibling::kernel(A32, &aes, what).edit(find, "");
        vec![
            here("after two blocks the tweak is that of the first", "mov U0.16b, U2.16b"),
            here("after three blocks it is that of the second", "mov U0.16b, U3.16b"),
            here("after four blocks it is that of the third", "mov U0.16b, U4.16b"),
            here("after five blocks it is that of the fourth", "mov U0.16b, U5.16b"),
            there("after two blocks the tweak is that of the first", "vmov T0, T2"),
            there("after three blocks it is that of the second", "vmov T0, T3"),
            Sibling::kernel(A64, &format!("speck64_xts_neon_{direction}"), "after 32 blocks the tweak is the first")
                .edit("str T2, [xtweak]", ""),
            Sibling::kernel(A64, &format!("speck64_xts_scalar_{direction}"), "after 8 blocks the tweak is the first")
                .edit("str T2, [xtweak]", ""),
            Sibling::kernel(
                A32,
                &format!("speck128_xts_scalar_{direction}"),
                "the first word of the tweak is not handed back",
            )
            .edit("ldr r12, [sp, #64]\n «str T0, [r12, #0]»", ""),
        ]
    });
    siblings.extend([
        Sibling::kernel(A64, "salsa20_neon", "after six blocks the counter is the first")
            .edit("add xt0, xt0, step\n «str xt0, [state, #32]»", ""),
        Sibling::kernel(A32, "salsa20_neon", "after six blocks the counter is the first")
            .edit("subs r5, r5, r6\n «str r3, [r12, #32]»", ""),
        Sibling::kernel(A64, "blake2s_scalar", "the counter is not handed back")
            .edit("str x14, [xstate, #32]", "")
            .seen_by(&["handed-back", "lengths"]),
    ]);
    siblings
}

fn on_one_architecture() -> Vec<Sibling> {
    let mut siblings = both(|direction| {
        let aes = format!("aes_xts_ce_{direction}");
        let speck = format!("speck128_xts_neon_{direction}");
        vec![
            there(
                &aes,
                "one block is stored before it is loaded",
                "vld1.8 {d0-d1}, [input]",
                "vst1.8 {d24-d25}, [output]\n vld1.8 {d0-d1}, [input]",
            ),
            there(
                &aes,
                "the third of three blocks is stored before it is loaded",
                "beq 1f\n vld1.8 {d4-d5}, [input]",
                "beq 1f\n add r8, output, #32\n vst1.8 {d0-d1}, [r8]\n vld1.8 {d4-d5}, [input]",
            ),
            there(
                &speck,
                "a word of one block is stored before it is loaded",
                "ldr xl, [input], #4",
                "str yl, [output, #8]\n ldr xl, [input], #4",
            ),
        ]
    });
    siblings.extend([
        there(
            "salsa20_scalar",
            "a word is stored before it is loaded",
            "ldr r4, [r1, #12]",
            "str r8, [r0, #12]\n ldr r4, [r1, #12]",
        ),
        there(
            "salsa20_scalar",
            "the seventh word is stored before it is loaded",
            "ldr r5, [r1, #24]",
            "str r2, [r0, #24]\n ldr r5, [r1, #24]",
        ),
        Sibling::library(A32, "salsa20_neon", "the bytes of the rest are stored before they are loaded").edit_in(
            "impls/src/salsa20/engine.rs",
            "*byte.get_out() = «*byte.get_in() ^ key»;",
            "{ *byte.get_out() = *key; *byte.get_in() ^ key }",
        ),
    ]);
    siblings
}

fn rests() -> Vec<Sibling> {
    let mut siblings = both(|direction| {
        let aes = format!("aes_xts_ce_{direction}");
        let speck = |cipher: &str, tier: &str, architecture| {
            let find = format!("{cipher}_{tier}_{direction}_store «3, 3, [xplace]»");
            Sibling::kernel(
                architecture,
                &format!("{cipher}_xts_{tier}_{direction}"),
                "4 of 4 blocks: the last is the one before",
            )
            .edit(find, "2, 3, [xplace]")
        };
        vec![
            Sibling::kernel(A64, &aes, "3 blocks: the last has the tweak before").edit(
                "eor Y2.16b, «U2.16b», KD.16b\n eor Y3.16b, U3.16b, KD.16b\n eor Y4.16b, U4.16b, KD.16b\n\n",
                "U1.16b",
            ),
            Sibling::kernel(A64, &aes, "5 blocks: the last is the one before")
                .edit("str «M4_q», [output, #64]", "M3_q"),
            Sibling::kernel(A32, &aes, "3 blocks: the last is the one before")
                .edit("vst1.8 «{d4-d5}», [output]", "{d2-d3}"),
            speck("speck128", "neon", A64),
            speck("speck64", "neon", A64),
            speck("speck64", "scalar", A64),
        ]
    });
    siblings.extend([
        Sibling::kernel(A64, "salsa20_neon", "4 blocks: the last is the one before")
            .edit("salsa20_a64_neon_vec_end 3, «3, 7, 19, 23»", "2, 6, 18, 22"),
        Sibling::kernel(A64, "salsa20_neon", "5 blocks: the counter of the last is that of the sixth")
            .edit("1: salsa20_a64_neon_int_begin «#4»", "#5"),
    ]);
    siblings
}
