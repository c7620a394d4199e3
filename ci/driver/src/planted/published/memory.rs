//! Accesses that leave a buffer, and those that ask for more alignment than there is.

use super::super::bug::{Entry, Sibling, entry};
use super::{A32, A64, both, each};

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry(
            "B01",
            "over-read where the last blocks are fewer than the stride",
            "CVE-2023-1255, openssl#20759, aws-lc#970 (AES-XTS decryption on AArch64)",
            &["bounds"],
            short_strides(),
        ),
        entry(
            "B02",
            "over-read in the last turn of the wide loop",
            "aws-lc#2227, openssl#27216 (16 blocks of AES-XTS)",
            &["bounds"],
            wide_loops(),
        ),
        entry(
            "B03",
            "access before a buffer",
            "aws-lc#2286 (stealing code, guard page on the left)",
            &["bounds"],
            under_reads(),
        ),
        entry(
            "B15",
            "an instruction that needs alignment, on the message",
            "libgcrypt 1111d311 and a6158a01 (ldm, stm and ldrd on user pointers)",
            &["alignment"],
            aligned_messages(),
        ),
        entry(
            "B16",
            "an instruction that needs alignment, on output, tweak, state or key",
            "wolfSSL#5323, #5152, #7181, #6458, #7200; mirage-crypto#79, #291, #292; dchest/siphash#14, #17",
            &["alignment"],
            aligned_arguments(),
        ),
        entry(
            "B27",
            "over-read for the parameter with the smaller size",
            "OP-TEE#6920 (SHA3-224 read as SHA3-256)",
            &["bounds"],
            siblings_sizes(),
        ),
        entry(
            "B37",
            "a dead load beyond the input",
            "s2n-bignum#443 (a functionally proved routine)",
            &["bounds"],
            dead_loads(),
        ),
        entry("B39", "a loop that assumes a count other than zero", "aws-lc#863", &["bounds"], zero_counts()),
        entry(
            "B45",
            "an alignment hint on the state",
            "libgcrypt 2cba0dbd (Salsa20)",
            &["alignment"],
            aligned_states(),
        ),
    ]
}

fn short_strides() -> Vec<Sibling> {
    let aes = both(|direction| {
        let kernel = format!("aes_xts_ce_{direction}");
        let here = |what: &str| Sibling::kernel(A64, &kernel, what);
        let there = |what: &str| Sibling::kernel(A32, &kernel, what);
        vec![
            here("2 blocks left of 6: two more are loaded").edit("cmp count, #2\n «b.lo 1f»\n ldr M2_q", ""),
            here("3 blocks left of 6: one more is loaded").edit("ldr M2_q, [input, #32]\n «b.eq 1f»", ""),
            here("4 blocks left of 6: one more is loaded").edit("cmp count, #4\n «b.lo 1f»\n ldr M4_q", ""),
            there("2 blocks left of 4: one more is loaded").edit("cmp count, #1\n «beq 1f»\n vld1.8 {d4-d5}", ""),
        ]
    });
    let speck = both(|direction| {
        let of = |cipher: &str, tier: &str, bytes: usize, place: &str| {
            let kernel = format!("{cipher}_xts_{tier}_{direction}");
            let load = |block: usize| {
                let find = format!(
                    "add {place}, xin, xo{block}\n {cipher}_{tier}_{direction}_load {block}, {block}, «[{place}]»"
                );
                Sibling::kernel(A64, &kernel, format!("{block} blocks left of 4: one more is loaded"))
                    .edit(find, format!("[xin, #{}]", bytes * block))
            };
            [load(2), load(3)]
        };
        let wide = ["neon", "scalar"].map(|tier| of("speck128", tier, 16, "xt0"));
        let narrow = ["neon", "scalar"].map(|tier| of("speck64", tier, 8, "xt"));
        wide.into_iter().chain(narrow).flatten().collect()
    });
    let here = |what: &str| Sibling::kernel(A64, "salsa20_neon", what);
    let there = |what: &str| Sibling::kernel(A32, "salsa20_neon", what);
    let salsa = vec![
        here("3 blocks left of 6: one more").edit("cmp count, #4\n «b.lo 5f»\n salsa20_a64_neon_vec_end 3", ""),
        here("4 blocks left of 6: one more").edit("cmp count, #5\n «b.lo 3f»", ""),
        here("5 blocks left of 6: one more").edit("cmp count, #6\n «b.lo 5f»", ""),
        Sibling::kernel(A64, "salsa20_ce", "7 blocks left of 8: one more").edit("cmp count, #8\n «b.lo 5f»", ""),
        there("5 blocks left of 6: one more").edit("cmp r12, #6\n «blo 4f»", ""),
    ];
    [aes, speck, salsa].concat()
}

fn wide_loops() -> Vec<Sibling> {
    let mut siblings = both(|direction| {
        let aes = format!("aes_xts_ce_{direction}");
        let dead = |offset: usize| {
            Sibling::kernel(A64, &aes, format!("six blocks: 32 bytes at {offset} are loaded, too")).edit(
                "ldp M4_q, M5_q, [input, #64]",
                format!("ldp M4_q, M5_q, [input, #{offset}]\n ldp M4_q, M5_q, [input, #64]"),
            )
        };
        let speck = |kernel: String, what: &str, find: &str, load: &str| {
            Sibling::kernel(A64, &kernel, what).edit(find, format!("{find}\n {load}"))
        };
        vec![
            dead(80),
            dead(112),
            speck(
                format!("speck128_xts_neon_{direction}"),
                "16 blocks: the word behind them is loaded",
                "add xin, xin, #128",
                "ldr xt0, [xin, #128]",
            ),
            speck(
                format!("speck64_xts_neon_{direction}"),
                "32 blocks: the last byte of the word behind them is loaded",
                "add xin, xin, #256",
                "ldrb w6, [xin]",
            ),
            Sibling::kernel(A32, &aes, "four blocks: the byte behind them is loaded")
                .edit("vld1.8 {d4-d7}, [input]!", "vld1.8 {d4-d7}, [input]!\n ldrb r8, [input]"),
        ]
    });
    siblings.extend([
        Sibling::kernel(A64, "salsa20_neon", "six blocks: 16 bytes behind them are loaded").edit(
            "salsa20_a64_neon_vec_end 2, 2, 6, 18, 22",
            "ldr q29, [input, #384]\n salsa20_a64_neon_vec_end 2, 2, 6, 18, 22",
        ),
        Sibling::kernel(A64, "sha256_ce", "the block behind the last is loaded")
            .edit("subs count, count, #1", "ldr q18, [blocks, #48]\n subs count, count, #1"),
    ]);
    siblings
}

fn under_reads() -> Vec<Sibling> {
    let mut siblings = both(|direction| {
        let aes = format!("aes_xts_ce_{direction}");
        // Encryption has a way of its own for one block alone.
        let (load, store) = match direction {
            "encrypt" => {
                ("ldr M0_q, [input]\n eor M0.16b, M0.16b, U0.16b", "eor lo, reduce, lo, lsl #1\n str M0_q, [output]")
            }
            _ => ("ldr M0_q, [input]\n eor Y0.16b, U0.16b, KD.16b", "eor M0.16b, M0.16b, Y0.16b\n str M0_q, [output]"),
        };
        let early = |distance: usize| {
            Sibling::kernel(A64, &aes, format!("one block: 16 bytes are loaded from {distance} before it, too"))
                .edit(load, format!("ldur M0_q, [input, #-{distance}]\n {load}"))
        };
        let written = Sibling::kernel(A64, &aes, "one block: a byte before the output is written")
            .edit(store, format!("sturb w5, [output, #-1]\n {store}"));
        let speck = format!("speck128_xts_scalar_{direction}");
        let word = Sibling::kernel(A32, &speck, "the word before the tweak is read")
            .edit("ldr T0, [r1, #0]", "ldr T0, [r1, #-4]\n ldr T0, [r1, #0]");
        vec![early(1), early(8), early(15), early(16), written, word]
    });
    siblings.push(
        Sibling::library(A32, "speck128_xts_scalar_encrypt", "stealing begins two bytes too early")
            .edit_in(
                "impls/src/xts/mod.rs",
                "data.split_at(«length - rest - C::BLOCK_BYTES»)",
                "(length - rest - C::BLOCK_BYTES).saturating_sub(2)",
            )
            .seen_by(&["xts"]),
    );
    siblings
}

fn aligned_messages() -> Vec<Sibling> {
    let there = |kernel: &str, what: &str| Sibling::kernel(A32, kernel, what);
    let mut siblings = both(|direction| {
        let aes = format!("aes_xts_ce_{direction}");
        vec![
            there(&aes, "a hint of 64 bits").edit(
                "vld1.8 {d0-d3}, [input]! \n vld1.8 {d20-d21}, [last_key]\n vld1.8 {d4-d7}, «[input]!»",
                "[input:64]!",
            ),
            there(&aes, "a hint of 128 bits").edit("vld1.8 {d0-d1}, «[input]»", "[input:128]"),
            there(&format!("speck64_xts_neon_{direction}"), "a hint of 64 bits")
                .edit("vld2.32 {d4-d7}, «[input]!»", "[input:64]!"),
        ]
    });
    siblings.extend([
        there("sha256_scalar", "ldrd")
            .edit("ldr w2, [w0, #4*(\\i)]\n ldr w3, [w0, #4*(\\i)+4]", "ldrd w2, w3, [w0, #4*(\\i)]"),
        there("sha512_neon", "a hint of 64 bits").edit("vld1.8 {X2l, X2h, X3l, X3h}, «[block]!»", "[block:64]!"),
        there("salsa20_scalar", "ldm")
            .edit("ldr r2, [r1]\n add r9, r9, r5\n ldr r3, [r1, #4]", "ldm r1, {r2, r3}\n add r9, r9, r5"),
    ]);
    siblings
}

fn aligned_arguments() -> Vec<Sibling> {
    let there = |kernel: &str, what: &str| Sibling::kernel(A32, kernel, what);
    let mut siblings = both(|direction| {
        let aes = format!("aes_xts_ce_{direction}");
        vec![
            there(&aes, "the output of one block: a hint of 64 bits").edit("vst1.8 {d0-d1}, «[output]»", "[output:64]"),
            there(&aes, "the output of two: a hint of 128 bits")
                .edit("vst1.8 {d0-d3}, «[output]!» \n vmov T0, T2", "[output:128]!"),
            there(&aes, "the tweak: a hint of 64 bits").edit("vst1.8 {d24-d25}, «[tweak]»", "[tweak:64]"),
            there(&aes, "the tweak: ldm").edit(
                "ldr tw0, [tweak]\n ldr tw1, [tweak, #4]\n ldr tw2, [tweak, #8]\n ldr tw3, [tweak, #12]",
                "ldm tweak, {tw0, tw1, tw2, tw3}",
            ),
            Sibling::kernel(A64, &aes, "the tweak: an instruction that acquires").edit(
                "ldp lo, hi, [tweak]\n mov poly, #0x87\n",
                "ldar lo, [tweak]\n ldr hi, [tweak, #8]\n mov poly, #0x87\n",
            ),
        ]
    });
    // The encryption of one block alone loads the tweak before all else.
    siblings.retain(|one| !(one.architecture == A64 && one.row.ends_with("encrypt")));
    siblings.extend([
        there("salsa20_neon", "the state, four bytes off: a hint of 64 bits")
            .edit("vld1.32 {d24-d27}, «[r0]»", "[r0:64]"),
        there("salsa20_scalar", "the output: strd")
            .edit("str r8, [r0] \n add r2, r2, r5", "strd r8, r9, [r0]\n add r2, r2, r5"),
        there("blake2s_neon_x4", "the state, four bytes off: a hint of 64 bits")
            .edit("ldr r12, [frame, #68]\n vld1.32 {d20-d23}, «[r12]»", "[r12:64]"),
    ]);
    siblings
}

fn siblings_sizes() -> Vec<Sibling> {
    let mut siblings = both(|direction| {
        let aes = format!("aes_xts_ce_{direction}");
        let speck = |cipher: &str| {
            let kernel = format!("{cipher}_xts_neon_{direction}");
            // Decryption begins at the end of the keys, encryption at the beginning.
            Sibling::kernel(A64, &kernel, "the round key of the next longer key is read").edit(
                "cbz xcount, 9f",
                "cbz xcount, 9f\n ldr w6, [xkeys, w5, uxtw #KEY]"
                    .replace("#KEY", if cipher == "speck64" { "#2" } else { "#3" }),
            )
        };
        let mut siblings = vec![
            if direction == "decrypt" {
                Sibling::kernel(A64, &aes, "10 rounds read the keys of 12")
                    .edit("eor KD.16b, KD.16b, Y0.16b\n «tbz rounds, #2, 1f»\n ldp K3_q, K4_q, [x8, #-176]", "")
            } else {
                Sibling::kernel(A64, &aes, "the round key of the next longer key is read")
                    .edit("cbz count, 9f", "cbz count, 9f\n add x8, layout, w5, uxtw #4\n ldr q0, [x8, #16]")
            },
            Sibling::kernel(A32, &aes, "a round key more is loaded")
                .edit("add last_key, r0, rounds, lsl #4", "add last_key, r0, rounds, lsl #4\n ldr r8, [last_key, #16]"),
        ];
        // speck64's load of a word of its keys needs a scale that LDR of a word has.
        if direction == "encrypt" {
            siblings.push(speck("speck64"));
        }
        siblings
    });
    siblings.extend([
        Sibling::kernel(A64, "aes_xts_ce_expand_key", "a key of 16 bytes is read as one of 32")
            .edit("cmp rounds, #12", "ldp k4, k5, [key, #16]\n cmp rounds, #12"),
        Sibling::kernel(A64, "aes_xts_ce_expand_key", "a key of 16 bytes is read as one of 24")
            .edit("cmp rounds, #12", "ldrb k4, [key, #23]\n cmp rounds, #12"),
        Sibling::kernel(A64, "blake2s_scalar", "a block is read as one of BLAKE2b")
            .edit("ldp xm12, xm14, [xblocks, #48]", "ldp xm12, xm14, [xblocks, #112]\n ldp xm12, xm14, [xblocks, #48]"),
        Sibling::kernel(A64, "sha256_scalar", "a block is read as one of SHA-512")
            .edit("ldp xm12, xm14, [xblocks, #48]", "ldp xm12, xm14, [xblocks, #112]\n ldp xm12, xm14, [xblocks, #48]"),
    ]);
    siblings
}

fn dead_loads() -> Vec<Sibling> {
    let loads = |architecture, kernel: &str, what: &str, find: &str, load: &str| {
        Sibling::kernel(architecture, kernel, what).edit(find, format!("{load}\n {find}"))
    };
    let mut siblings = vec![
        loads(A64, "sha256_ce", "the byte behind the last block", "st1 {v0.4s, v1.4s}, [state]", "ldrb w9, [blocks]"),
        loads(A64, "sha256_ce", "the word behind the state", "st1 {v0.4s, v1.4s}, [state]", "ldr w9, [state, #32]"),
        loads(
            A64,
            "sha256_scalar",
            "the word behind the last block",
            "sub xcount, xcount, #1",
            "ldr wm0, [xblocks]\n ldr wm0, [xstate]",
        ),
        loads(
            A64,
            "sha512_ce_x2",
            "the word behind the second message",
            "st1 {v16.2d - v19.2d}, [state0]",
            "ldr x9, [blocks1]",
        ),
        loads(A64, "blake2b_neon", "the word behind the state", "ldp q0, q1, [state]", "ldr x9, [state, #96]"),
        loads(
            A64,
            "salsa20_scalar",
            "the word behind the state",
            "ldp w_14, w_15, [state, #56]",
            "ldr w_14, [state, #64]",
        ),
        loads(A64, "salsa20_neon", "the byte before the state", "cmp count, #3\n b.lo 6f", "ldurb w5, [state, #-1]"),
        loads(A32, "sha256_scalar", "the byte behind the last block", "str w0, [sp, #68]", "ldrb w1, [w0]"),
        loads(A32, "salsa20_scalar", "the word behind the state", "ldr r1, [sp, #76] \n str w_4", "ldr r1, [r12, #64]"),
        loads(A32, "sha512_neon", "the byte behind the last block", "vadd.i64 ad01, ad01, X0", "ldrb r12, [block]"),
    ];
    siblings.extend(both(|direction| {
        vec![
            loads(
                A64,
                &format!("aes_xts_ce_{direction}"),
                "the byte behind the tweak",
                "str U0_q, [tweak]",
                "ldrb w8, [tweak, #16]",
            ),
            loads(
                A64,
                &format!("speck128_xts_scalar_{direction}"),
                "the byte behind the tweak",
                "add xend, xkeys, w5, uxtw #3",
                "ldrb w6, [xtweak, #16]",
            ),
            loads(
                A32,
                &format!("speck64_xts_neon_{direction}"),
                "the word behind the tweak",
                "mov poly, #0x1b\n subs left, left, #16",
                "ldr temp, [r1, #8]",
            ),
        ]
    }));
    siblings
}

fn zero_counts() -> Vec<Sibling> {
    let gone = "the way back for a count of zero is missing";
    [
        each(A64, &["aes_xts_ce_decrypt", "sha256_ce", "sha512_ce_x2"], gone, "cbz count, 9f", ""),
        each(A64, &["salsa20_neon", "salsa20_scalar"], gone, "cbz x3, 9f", ""),
        each(A64, &["blake2b_neon", "blake2s_scalar"], gone, "cbz x2, 9f", ""),
        each(A32, &["salsa20_scalar", "salsa20_neon"], gone, "cmp r3, #0\n bxeq lr", ""),
        each(A32, &["aes_xts_ce_encrypt"], gone, "cmp r12, #0\n bxeq lr", ""),
        each(A32, &["sha256_scalar"], gone, "cmp r2, #0\n bxeq lr", ""),
    ]
    .concat()
}

fn aligned_states() -> Vec<Sibling> {
    let there = |kernel: &str, what: &str| Sibling::kernel(A32, kernel, what);
    vec![
        there("salsa20_neon", "the counter: a hint of 64 bits").edit("vld1.32 {d0}, «[r12]!»", "[r12:64]!"),
        there("salsa20_neon", "a row: a hint of 128 bits").edit("vld1.32 {q12}, «[r0]!»", "[r0:128]!"),
        there("salsa20_neon", "the second half: a hint of 128 bits").edit("vld1.32 {d28-d31}, «[r12]»", "[r12:128]"),
        there("sha512_neon", "the state, eight bytes off: a hint of 128 bits")
            .edit("vld1.64 {ad0, ad1, ad2, ad3}, «[state:64]!»", "[state:128]!"),
        there("sha512_neon", "the state, eight bytes off, when it is stored: a hint of 128 bits")
            .edit("vst1.64 {eg0, eg1, eg2, eg3}, «[state:64]»", "[state:128]"),
        there("blake2s_neon_x4", "the first state: a hint of 64 bits").edit("vst1.32 {d0, d1}, «[r0]!»", "[r0:64]!"),
        there("blake2s_neon_x4", "the fourth state: a hint of 128 bits").edit("vst1.32 {d10, d11}, «[r3]»", "[r3:128]"),
    ]
}
