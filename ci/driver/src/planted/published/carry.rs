//! Counters, lengths and tweaks: carries that are lost, and counts that are cut.

use super::super::bug::{Entry, Sibling, entry, here, there};
use super::{A32, A64, LAST_BLOCK, both, last_block};

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry(
            "B08",
            "the words of the counter are added as one wider lane at the end",
            "cryptopp#1361, #1362, #1363 (ChaCha by NEON)",
            &["counters", "differential"],
            wide_lanes(),
        ),
        entry(
            "B09",
            "the block counter has another width than the algorithm says",
            "RustCrypto/stream-ciphers#445 (Salsa20) and #381 (ChaCha)",
            &["counters"],
            counter_width(),
        ),
        entry(
            "B10",
            "the upper word of the counter is ignored on entry",
            "golang/go#30965, CVE-2019-11840 (salsa20)",
            &["counters"],
            upper_word(),
        ),
        entry(
            "B11",
            "the carry is computed from the wrong operand",
            "DaGenix/rust-crypto#313",
            &["counters", "kat", "undefined-input"],
            wrong_carry(),
        ),
        entry(
            "B17",
            "the block count is cut or signed",
            "libgcrypt 9ee2d56e (Keccak by NEON)",
            &["count-width"],
            count_width(),
        ),
        entry(
            "B29",
            "the bulk and the rest of a call count in different ways",
            "Linux 009b30ac7444 (AES-CTR by VMX)",
            &["counters", "xts", "handed-back"],
            two_ways(),
        ),
        entry(
            "B30",
            "a carry out of 64 bits, and what is written back after a rest",
            "libgcrypt fc37e805 and 60ed0abb, wolfSSL#5489",
            &["counters", "handed-back", "kat"],
            write_back(),
        ),
        entry(
            "B34",
            "the length of the message in 32 bits",
            "isa-l_crypto#3, pico-sdk#3176, cloudtools/sha256#2, ogay/sha2#3",
            &["counters", "lengths"],
            length_fields(),
        ),
        entry(
            "B35",
            "one residue of the length is wrong, for long messages alone",
            "ogay/sha2#4 (929,271 bytes)",
            &["lengths"],
            sparse_lengths(),
        ),
        entry(
            "B44",
            "the number of a data unit is counted without carry",
            "ACVP-Server#241, ACVP#1475",
            &["counters", "xts"],
            sector_numbers(),
        ),
    ]
}

fn wide_lanes() -> Vec<Sibling> {
    let row = |name: &str, letter: char, register: usize| {
        format!("add v\\{letter}\\().4s, v\\{letter}\\().4s, v{register}.4s{}", if name.is_empty() { "" } else { name })
    };
    let wide = |letter: char, register: usize| format!("add v\\{letter}\\().2d, v\\{letter}\\().2d, v{register}.2d");
    let counter = "the row of the counter, in lanes of 64 bits";
    vec![
        here("salsa20_neon", counter, row("", 'c', 26), wide('c', 26)),
        here("salsa20_ce", counter, row("", 'c', 26), wide('c', 26)),
        here("salsa20_neon", "the row of the constants, in lanes of 64 bits", row("", 'a', 24), wide('a', 24)),
        here("salsa20_neon", "the last row, in lanes of 64 bits", row("", 'd', 27), wide('d', 27)),
        Sibling::kernel(A32, "salsa20_neon", "the row of the counter of several blocks, in lanes of 64 bits").edit(
            "vadd.i32 q\\a, q\\a, q12",
            ".if \\next\n vadd.i64 q\\a, q\\a, q12\n .else\n vadd.i32 q\\a, q\\a, q12\n .endif",
        ),
        Sibling::kernel(A32, "salsa20_neon", "the row of the counter of one block, in lanes of 64 bits").edit(
            "ldrd r4, r5, [sp, #192] \n vadd.i32 q12, q12, q14",
            "ldrd r4, r5, [sp, #192]\n vadd.i64 q12, q12, q14",
        ),
        // The second of two words of one register.
        here(
            "salsa20_neon",
            "a block in integer registers: the low word's carry goes on",
            "add w_\\c, w_\\c, wt1",
            "add x_\\c, x_\\c, xt1\n add x_\\d, x_\\d, x_\\c, lsr #32",
        ),
    ]
}

fn counter_width() -> Vec<Sibling> {
    let kept = "the upper word never grows";
    vec![
        here("salsa20_scalar", kept, "add xt2, xt0, #1", "add wt2, wt0, #1\n orr xt2, xt2, xt1, lsl #32"),
        here(
            "salsa20_neon",
            "the upper word never grows, one block at a time",
            "add xt0, xt0, #1",
            "add wt1, wt0, #1\n bfi xt0, xt1, #0, #32",
        ),
        here(
            "salsa20_neon",
            "the upper word never grows from six blocks to the next",
            "add xt0, xt0, step",
            "add wt1, wt0, w26\n bfi xt0, xt1, #0, #32",
        ),
        here(
            "salsa20_neon",
            "the second block has the upper word of the first",
            "add v24.2d, v24.2d, v26.2d",
            "add v24.4s, v24.4s, v26.4s",
        ),
        here(
            "salsa20_neon",
            "the third and fourth block have the upper word of the first",
            "add v25.2d, v25.2d, v26.2d",
            "add v25.4s, v25.4s, v26.4s",
        ),
        here(
            "salsa20_ce",
            "the upper word never grows from eight blocks to the next",
            "add xt0, xt0, step",
            "add wt1, wt0, w26\n bfi xt0, xt1, #0, #32",
        ),
        there("salsa20_scalar", kept, "adc r1, r1, #0", ""),
        there("salsa20_neon", "the upper word never grows from six blocks to the next", "adc r4, r4, #0", ""),
        there("salsa20_neon", "the upper word never grows, one block at a time", "adc r5, r5, #0", ""),
        there("salsa20_neon", "the fifth and sixth block have the upper word of the first", "adc r3, r3, #0", ""),
        Sibling::library(A32, "salsa20_neon", "the position has 32 bits").edit_in(
            "impls/src/salsa20/engine.rs",
            "«self.blocks += blocks as u128;»",
            "self.blocks = (self.blocks + blocks as u128) & 0xffff_ffff;",
        ),
    ]
}

fn upper_word() -> Vec<Sibling> {
    let begin = "ldr x_8, [state, #32]\n ldp w_0, w_1, [state]";
    let narrow = "ldr w_8, [state, #32]\n ldp w_0, w_1, [state]";
    vec![
        Sibling::kernel(A64, "salsa20_neon", "of a block in integer registers").edit(begin, narrow),
        Sibling::kernel(A64, "salsa20_scalar", "always").edit(begin, narrow),
        Sibling::kernel(A64, "salsa20_neon", "of four blocks in vectors")
            .edit("ld1r {v26.2d}, [xt0]", "ldr s26, [xt0]\n dup v26.2d, v26.d[0]"),
        Sibling::kernel(A64, "salsa20_ce", "of four blocks in vectors")
            .edit("ld1r {v26.2d}, [xt0]", "ldr s26, [xt0]\n dup v26.2d, v26.d[0]"),
        Sibling::kernel(A32, "salsa20_scalar", "always")
            .edit("ldmia r12!, {r2, r3, r8, r9}", "ldmia r12!, {r2, r3, r8, r9}\n mov r3, #0"),
        Sibling::kernel(A32, "salsa20_neon", "of a block in integer registers")
            .edit("ldmia r12!, {r2, r3, r8, r9}", "ldmia r12!, {r2, r3, r8, r9}\n mov r3, #0"),
        Sibling::library(A32, "salsa20_scalar", "when the key stream is sought").edit_in(
            "impls/src/salsa20/engine.rs",
            "self.state[9] = «(self.blocks >> 32) as u32»;",
            "0",
        ),
        Sibling::library(A32, "salsa20_scalar", "by sign extension when the key stream is sought").edit_in(
            "impls/src/salsa20/engine.rs",
            "self.state[9] = «(self.blocks >> 32) as u32»;",
            "((self.blocks as u32 as i32) >> 31) as u32",
        ),
    ]
}

fn wrong_carry() -> Vec<Sibling> {
    let mut siblings = both(|direction| {
        let aes = format!("aes_xts_ce_{direction}");
        let speck = format!("speck128_xts_scalar_{direction}");
        let narrow = format!("speck64_xts_neon_{direction}");
        vec![
            there(
                &aes,
                "the tweak's third word takes the carry of the first",
                "adcs tw1, tw1, tw1",
                "adc tw1, tw1, tw1",
            ),
            there(
                &aes,
                "the tweak's last word takes the carry of the second",
                "adcs tw2, tw2, tw2",
                "adc tw2, tw2, tw2",
            ),
            there(&speck, "the tweak's third word takes the carry of the first", "adcs T1, T1, T1", "adc T1, T1, T1"),
            there(&speck, "the tweak's last word takes the carry of the second", "adcs T2, T2, T2", "adc T2, T2, T2"),
            there(
                &narrow,
                "the tweak's upper word takes a carry of long ago",
                "adds \\l, \\l, \\l",
                "add \\l, \\l, \\l",
            ),
            here(&aes, "the tweak's upper word takes the carry of itself", "lsr carry, lo, #63", "lsr carry, hi, #63"),
        ]
    });
    siblings.extend([
        there(
            "salsa20_scalar",
            "the counter's upper word takes the carry of the loop's end",
            "adds lr, lr, #1",
            "add lr, lr, #1",
        ),
        there(
            "salsa20_neon",
            "the counter's upper word takes the carry of the loop's end",
            "adds r4, r4, #1",
            "add r4, r4, #1",
        ),
        there(
            "blake2s_scalar",
            "the counter's upper word takes the carry of the loop's end",
            "adds r4, r4, r12",
            "add r4, r4, r12",
        ),
        here(
            "blake2b_neon",
            "the counter's upper word takes the caller's carry",
            "adds x5, x5, increment",
            "add x5, x5, increment",
        ),
        here(
            "blake2b_neon",
            "the counter's carry is overwritten",
            "adds x5, x5, increment\n adc x6",
            "adds x5, x5, increment\n cmn count, xzr\n adc x6",
        ),
    ]);
    siblings
}

fn count_width() -> Vec<Sibling> {
    let mut siblings = both(|direction| {
        let aes = format!("aes_xts_ce_{direction}");
        vec![
            here(&aes, "32 bits decide whether there is something to do", "cbz count, 9f", "cbz w4, 9f"),
            here(&aes, "the count of whole groups is signed", "subs count, count, #6\n «b.hs» 2b", "b.ge"),
            here(
                &format!("speck64_xts_scalar_{direction}"),
                "32 bits",
                "cbz xcount, 9f",
                "mov w4, w4\n cbz xcount, 9f",
            ),
            Sibling::kernel(A32, &aes, "the count of whole groups is signed")
                .edit("subs count, count, #4\n «bhs» 3b", "bge"),
            Sibling::kernel(A32, &format!("speck64_xts_neon_{direction}"), "the count of whole groups is signed")
                .edit("subs left, left, #16\n «bhs» 1b", "bge"),
        ]
    });
    siblings.extend([
        here(
            "salsa20_neon",
            "the step of six blocks is the lesser of two signed numbers",
            "csel step, step, count, «hi»",
            "gt",
        ),
        here("salsa20_scalar", "32 bits", "cbz x3, 9f", "mov w3, w3\n cbz x3, 9f"),
        here("sha256_ce", "28 bits", "cbz count, 9f", "and count, count, #0xfffffff\n cbz count, 9f"),
        here("sha512_ce_x2", "63 bits", "cbz count, 9f", "and count, count, #0x7fffffffffffffff\n cbz count, 9f"),
        here("blake2b_neon", "16 bits", "cbz x2, 9f", "and x2, x2, #0xffff\n cbz x2, 9f"),
        Sibling::kernel(A32, "sha256_scalar", "31 bits")
            .edit("cmp r2, #0\n bxeq lr", "bics r2, r2, #0x80000000\n bxeq lr"),
        Sibling::kernel(A32, "salsa20_neon", "the step of six blocks is the lesser of two signed numbers")
            .edit("«movlo» r6, r5", "movlt"),
    ]);
    siblings
}

fn two_ways() -> Vec<Sibling> {
    let mut siblings = both(|direction| {
        let speck = format!("speck128_neon_{direction}");
        let kernel = format!("speck128_xts_neon_{direction}");
        let halves = "lsl rx0, rx0, #1\n lsl ry0, ry0, #1";
        vec![
            here(
                &kernel,
                "one block: nothing passes between the halves of the tweak",
                format!("b.hi 5f\n «{speck}_times_x rx0, ry0»"),
                halves,
            ),
            here(
                &kernel,
                "two to four blocks: nothing passes between the halves of the first tweak",
                format!("mov xo1, #16\n {speck}_times_x rx0, ry0"),
                format!("mov xo1, #16\n {halves}"),
            ),
            here(
                &format!("speck64_xts_neon_{direction}"),
                "two to four blocks: the tweak is reduced by another polynomial",
                format!("mov xo1, #8\n str T0, [sp, #8]\n speck64_neon_{direction}_times_x T1, T0"),
                format!("mov xo1, #8\n str T0, [sp, #8]\n mov xpoly, #0x87\n speck64_neon_{direction}_times_x T1, T0"),
            ),
        ]
    });
    siblings.extend([
        here(
            "salsa20_neon",
            "one block at a time: the upper word of the counter is lost",
            "add xt0, xt0, #1",
            "add wt0, wt0, #1",
        ),
        here(
            "salsa20_ce",
            "one block at a time: the upper word of the counter never grows",
            "add xt0, xt0, #1",
            "add wt1, wt0, #1\n bfi xt0, xt1, #0, #32",
        ),
        here(
            "salsa20_neon",
            "six blocks: the fifth has a counter of 32 bits",
            "add x_8, x_8, \\n",
            ".ifc \\n, #4\n add w_8, w_8, \\n\n .else\n add x_8, x_8, \\n\n .endif",
        ),
        Sibling::kernel(A32, "salsa20_neon", "six blocks: the sixth has the upper word of the first")
            .edit("adc r3, r3, #0", ".if \\n == 4\n adc r3, r3, #0\n .endif"),
    ]);
    siblings
}

fn write_back() -> Vec<Sibling> {
    let mut siblings = both(|direction| {
        vec![
            here(
                &format!("aes_xts_ce_{direction}"),
                "nothing passes between the halves of the tweak",
                "lsr carry, lo, #63\n «eor lo, c_lo, lo, lsl #1»",
                "mov carry, #0\n eor lo, c_lo, lo, lsl #1",
            ),
            there(
                &format!("aes_xts_ce_{direction}"),
                "nothing passes between the halves of the tweak",
                "adcs tw2, tw2, tw2",
                "adds tw2, tw2, tw2",
            ),
            there(
                &format!("speck128_xts_neon_{direction}"),
                "nothing passes between the halves of the tweak",
                "adcs T2, T2, T2",
                "adds T2, T2, T2",
            ),
        ]
    });
    siblings.extend([
        here(
            "salsa20_neon",
            "one block at a time: what was there before",
            "add xt0, xt0, #1\n str xt0, [state, #32]",
            "str xt0, [state, #32]\n add xt0, xt0, #1",
        ),
        there(
            "salsa20_neon",
            "one block at a time: what was there before",
            "adc r5, r5, #0\n str r4, [r0, #32]",
            "adc r5, r5, #0\n sub r4, r4, #1\n str r4, [r0, #32]",
        ),
        there("salsa20_scalar", "the words are exchanged", "str lr, [r0, #32]", "str lr, [r0, #36]"),
        here("blake2b_neon", "the counter's upper word never grows", "adc x6, x6, xzr", ""),
        here("blake2s_scalar", "the counter's upper word is lost", "add x14, x14, xinc", "add w14, w14, winc")
            .edit("1: // One block: t, message, working vector.", "winc .req w30\n1:"),
        there("blake2s_scalar", "the counter's upper word never grows", "adc r5, r5, #0", ""),
        there("blake2s_scalar", "the counter's lower word alone", "str r5, [r12, #20]", ""),
    ]);
    siblings
}

fn length_fields() -> Vec<Sibling> {
    let field = |row: &str, what: &str, replace: &str| {
        Sibling::library(A32, row, what).edit_in(
            "impls/src/sha2/mod.rs",
            "«length.wrapping_mul(8)».to_be_bytes()",
            replace,
        )
    };
    let counter = |row: &str, what: &str, replace: &str| {
        Sibling::library(A32, row, what).edit_in(
            "impls/src/blake2/mod.rs",
            "«[bytes as $word, (bytes >> <$word>::BITS) as $word]»",
            replace,
        )
    };
    vec![
        field("sha256_scalar", "bits in 32 bits", "(length as u32).wrapping_mul(8) as $length"),
        field("sha256_neon", "bytes in 32 bits", "(length as u32 as $length).wrapping_mul(8)"),
        field("sha512_scalar", "bits in 32 bits", "(length as u32).wrapping_mul(8) as $length"),
        field("sha512_scalar", "bits in 64 bits", "(length as u64).wrapping_mul(8) as $length"),
        field("sha256_scalar", "bits by sign extension", "(length as i32).wrapping_mul(8) as $length"),
        field("sha512_neon", "bytes in 64 bits", "(length as u64 as $length).wrapping_mul(8)"),
        Sibling::library(A32, "sha256_scalar", "bytes counted in 32 bits").edit_in(
            "impls/src/sha2/mod.rs",
            "«length.wrapping_add(bytes as $length)»",
            "(length.wrapping_add(bytes as $length) as u32) as $length",
        ),
        Sibling::library(A32, "sha512_scalar", "bytes counted in 64 bits").edit_in(
            "impls/src/sha2/mod.rs",
            "«length.wrapping_add(bytes as $length)»",
            "(length.wrapping_add(bytes as $length) as u64) as $length",
        ),
        counter("blake2s_scalar", "the counter's upper word is zero", "[bytes as $word, 0]"),
        counter("blake2b_scalar", "the counter's upper word is zero", "[bytes as $word, 0]"),
        counter("blake2b_neon", "the counter has 32 bits", "[bytes as u32 as $word, 0]"),
    ]
}

fn sparse_lengths() -> Vec<Sibling> {
    let from = |row: &str, residue: usize, minimum: u64| {
        Sibling::library(A32, row, format!("the padding of a rest of {residue} bytes, from {minimum} bytes on"))
            .edit_in(
                "impls/src/sha2/engine.rs",
                "if «partial >= field»",
                format!("(partial >= field) != (partial == {residue} && F::bytes(self.length) >= {minimum})"),
            )
    };
    vec![
        from("sha256_scalar", 55, 1 << 8),
        from("sha256_scalar", 55, 1 << 16),
        from("sha256_neon", 56, 1 << 16),
        from("sha256_ce", 63, 1 << 20),
        from("sha256_scalar", 23, 929_000),
        from("sha256_ce", 0, 1 << 20),
        from("sha512_scalar", 111, 1 << 16),
        from("sha512_neon", 112, 1 << 20),
        from("sha512_neon", 55, 929_000),
        Sibling::library(A32, "blake2s_scalar", "the last block of 64 bytes, from 65,536 bytes on").edit_in(
            "impls/src/blake2/engine.rs",
            LAST_BLOCK,
            last_block(
                "if self.filled == V::BLOCK_BYTES && V::bytes(self.state.t) >= 65_536 - 64 { 0 } else { self.filled }",
            ),
        ),
    ]
}

fn sector_numbers() -> Vec<Sibling> {
    let tweak = |row: &str, what: &str, replace: &str| {
        Sibling::library(A32, row, what).edit_in(
            "impls/src/xts/area.rs",
            "xts.data_unit(direction, &«tweak(number)»,",
            replace,
        )
    };
    let kept = |mask: &str| format!("tweak((first & !{mask}) | (number & {mask}))");
    vec![
        tweak("speck128_xts_scalar_encrypt", "in 8 bits", &kept("0xff")),
        tweak("speck128_xts_scalar_decrypt", "in 16 bits", &kept("0xffff")),
        tweak("speck128_xts_scalar_encrypt", "in 32 bits", &kept("0xffff_ffff")),
        tweak("speck128_xts_scalar_encrypt", "in 64 bits", &kept("u128::from(u64::MAX)")),
        tweak("aes_xts_ce_decrypt", "in 32 bits", &kept("0xffff_ffff")),
        tweak("aes_xts_ce_encrypt", "in 64 bits", &kept("u128::from(u64::MAX)")),
        tweak("speck64_xts_neon_encrypt", "in 8 bits", &kept("0xff")),
        tweak("speck64_xts_neon_decrypt", "in 32 bits", &kept("0xffff_ffff")),
        tweak("speck64_xts_neon_decrypt", "cut to 32 bits", "tweak(number & 0xffff_ffff)"),
    ]
}
