//! Registers and the stack: what belongs to the caller, what the caller leaves undefined, what is left behind.

use super::super::bug::{Entry, Sibling, entry, here, none, there};
use super::{A32, A64, both};

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry(
            "B14",
            "a register that is no argument decides",
            "libgcrypt 761a1a0d (Poly1305 by NEON)",
            &["undefined-input", "abi"],
            undefined_registers(),
        ),
        entry(
            "B18",
            "a register or a place on the stack is not cleared",
            "libgcrypt 726e992b (q15 held the last round key)",
            &["residue"],
            residues(),
        ),
        entry(
            "B19",
            "a 32-bit argument is used with its undefined upper half",
            "libgcrypt 9b58e4a0",
            &["abi", "undefined-input"],
            upper_halves(),
        ),
        entry(
            "B22",
            "a register that belongs to the caller is lost",
            "openssl#23233, RustCrypto/asm-hashes#13, openjdk#17701, leancrypto v15",
            &["abi"],
            lost_registers(),
        ),
        entry(
            "B23",
            "a register that all turns of a loop need is lost in the first",
            "openssl#10470, cryptogams d4e50f3 (ChaCha)",
            &["lengths", "xts", "differential"],
            lost_constants(),
        ),
        entry(
            "B24",
            "the address of a table is off",
            "openssl#4659, #4669, #4673, #5431 (adr of a Thumb function by binutils 2.29)",
            &["kat", "xts"],
            table_addresses(),
        ),
        none(
            "B25",
            "an erratum of Cortex-A57 and A72",
            "openssl#13504, #13571 (AES pairs on AArch32 after a write to a 32-bit lane)",
            "no emulator interrupts an AES pair in the middle; SOUNDNESS.md names it",
        ),
        entry(
            "B26",
            "pointer authentication that does not pair, or a missing landing pad",
            "openssl#13256 (Poly1305)",
            &["abi", "features"],
            authentication(),
        ),
        entry(
            "B38",
            "the stack frame is smaller than what is used of it",
            "golang/go#17499 (Poly1305 on ARM)",
            &["abi"],
            frames(),
        ),
    ]
}

fn undefined_registers() -> Vec<Sibling> {
    let mut siblings = both(|direction| {
        let aes = format!("aes_xts_ce_{direction}");
        vec![
            Sibling::kernel(A64, &aes, "the mask of the tweak is derived from x13").edit(
                "and reduce, poly, hi, asr #63 \n mov \\U\\().d[1], hi",
                "and reduce, x13, hi, asr #63\n mov \\U\\().d[1], hi",
            ),
            Sibling::kernel(A32, &aes, "the mask of the tweak is derived from what r9 held")
                .edit("mov poly, #0x87", ""),
            Sibling::kernel(A32, &aes, "the mask of the tweak is derived from what d0 held")
                .edit("mov poly, #0x87", "vmov poly, s1\n and poly, poly, #0x87"),
            Sibling::kernel(
                A64,
                &format!("speck64_xts_neon_{direction}"),
                "the mask of the tweak is derived from what x15 held, one block",
            )
            .edit("ldr T0, [xtweak]\n «mov xpoly, #0x1b»\n str T0, [sp]", ""),
            Sibling::kernel(
                A32,
                &format!("speck128_xts_scalar_{direction}"),
                "the mask of the tweak is derived from what r8 held",
            )
            .edit("mov poly, #0x87\n ldr T0, [r1, #0]", "ldr T0, [r1, #0]"),
        ]
    });
    siblings.extend([
        Sibling::kernel(A64, "salsa20_scalar", "a bit of x18 reaches the first word")
            .edit("ldp w_0, w_1, [state]", "ldp w_0, w_1, [state]\n and w22, w18, #1\n eor w_0, w_0, w22"),
        Sibling::kernel(A64, "sha256_ce", "the upper half of v20 reaches the state")
            .edit("ld1 {v0.4s, v1.4s}, [state]", "ld1 {v0.4s, v1.4s}, [state]\n mov v0.s[3], v20.s[3]"),
        Sibling::kernel(A32, "blake2s_scalar", "the carry at entry reaches the counter")
            .edit("cmp r2, #0\n bne 2f", "tst r2, r2\n bne 2f")
            .edit("adds r4, r4, r12", "adcs r4, r4, r12"),
    ]);
    siblings
}

fn residues() -> Vec<Sibling> {
    let vectors = |kernel: &str, list: &[usize], registers: &[usize]| {
        let listed = |without: Option<usize>| {
            let kept = list.iter().filter(|n| Some(**n) != without).map(usize::to_string);
            kept.collect::<Vec<_>>().join(", ")
        };
        registers
            .iter()
            .map(|register| {
                Sibling::kernel(A64, kernel, format!("v{register}")).edit(
                    format!(".irp n, {}\n movi", listed(None)),
                    format!(".irp n, {}\n movi", listed(Some(*register))),
                )
            })
            .collect::<Vec<_>>()
    };
    const LOW: [usize; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
    const HIGH: [usize; 16] = [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31];
    let mut siblings = both(|direction| {
        let aes = format!("aes_xts_ce_{direction}");
        let mut siblings = vectors(&aes, &HIGH, &[16, 19, 24, 30, 31]);
        siblings.extend(vectors(&aes, &LOW, &[0, 3, 7]));
        siblings.extend(["c_lo", "c_hi"].map(|name| {
            Sibling::kernel(A64, &aes, format!("the integer register {name}")).edit(format!("mov {name}, #0"), "")
        }));
        siblings.push(
            Sibling::kernel(A64, &aes, "v0: a round key is loaded into it once more")
                .edit("mov c_lo, #0", "ldr q0, [layout]\n mov c_lo, #0"),
        );
        let arm = [0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15];
        let list = |without: usize| {
            let kept = arm.iter().filter(|n| **n != without).map(usize::to_string);
            kept.collect::<Vec<_>>().join(", ")
        };
        siblings.extend([0, 3, 8, 11, 12, 15].map(|register| {
            Sibling::kernel(A32, &aes, format!("q{register}"))
                .edit(format!(".irp n, {}\n vmov.i32", list(99)), format!(".irp n, {}\n vmov.i32", list(register)))
        }));
        let speck = format!("speck128_xts_neon_{direction}");
        siblings.push(
            Sibling::kernel(A64, &speck, "16 bytes of the stack")
                .edit("stp xzr, xzr, [sp, #32]\n stp xzr, xzr, [sp, #48]", "stp xzr, xzr, [sp, #32]"),
        );
        siblings
    });
    siblings.extend([
        Sibling::kernel(A32, "sha512_neon", "q15").edit("vmov.i32 q15, #0", ""),
        Sibling::kernel(A32, "sha512_neon", "q0").edit("vmov.i32 q0, #0", ""),
        Sibling::kernel(A32, "sha512_neon", "the second half of q12").edit("vmov.i32 q12, #0", "vmov.i32 d24, #0"),
        Sibling::kernel(A64, "sha256_ce", "v6").edit("movi v6.4s, #0", ""),
        Sibling::kernel(A64, "sha256_ce", "v18").edit("movi v18.4s, #0", ""),
        Sibling::kernel(A64, "blake2s_scalar", "x17").edit(
            ".irp r, 0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15, 16, 17",
            ".irp r, 0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15, 16",
        ),
        Sibling::kernel(A64, "sha256_scalar", "x4, x5").edit(".irp r, 4, 5, 6", ".irp r, 6"),
        Sibling::kernel(A32, "sha256_scalar", "16 bytes of the stack")
            .edit("mov r3, #0\n stm sp!, {r0-r3}", "mov r3, #0\n add sp, sp, #16"),
        Sibling::kernel(A32, "salsa20_scalar", "8 bytes of the stack")
            .edit(".irp offset, 0, 8, 16, 24", ".irp offset, 0, 16, 24"),
        Sibling::kernel(A64, "salsa20_neon", "x5").edit(
            ".irp n, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17\n mov",
            ".irp n, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17\n mov",
        ),
        Sibling::kernel(A64, "aes_xts_ce_expand_key", "v0").edit("movi v0.16b, #0 \n mov k0", "mov k0"),
    ]);
    siblings
}

fn upper_halves() -> Vec<Sibling> {
    let here = |kernel: &str, find: &str, replace: &str| {
        Sibling::kernel(A64, kernel, "the number of rounds").edit(find, replace)
    };
    let mut siblings = both(|direction| {
        vec![
            here(
                &format!("speck128_xts_neon_{direction}"),
                "add xend, xkeys, w5, uxtw #3",
                "add xend, xkeys, x5, lsl #3",
            ),
            here(
                &format!("speck64_xts_neon_{direction}"),
                "add xend, xkeys, w5, uxtw #2",
                "add xend, xkeys, x5, lsl #2",
            ),
            here(
                &format!("speck64_xts_scalar_{direction}"),
                "add xend, xkeys, w5, uxtw #2",
                "add xend, xkeys, w5, sxtw #2\n add xend, xkeys, x5, lsl #2",
            ),
        ]
    });
    siblings.extend([
        here("aes_xts_ce_decrypt", "add x8, layout, rounds, uxtw #4", "add x8, layout, x5, lsl #4"),
        here("salsa20_scalar", "lsr left, rounds, #2", "lsr x26, x4, #2"),
        here(
            "salsa20_neon",
            "7: salsa20_a64_neon_int_begin #0\n lsr left, rounds, #1",
            "7: salsa20_a64_neon_int_begin #0\n lsr step, x4, #1",
        ),
        here("aes_xts_ce_expand_key", "cmp rounds, #12", "cmp x2, #12"),
    ]);
    siblings
}

fn lost_registers() -> Vec<Sibling> {
    let mut siblings = both(|direction| {
        let aes = format!("aes_xts_ce_{direction}");
        let mut siblings = vec![
            here(&aes, "d10 and d11 are not restored", "ldp d10, d11, [sp, #16]", ""),
            here(&aes, "d12 and d13 are not restored", "ldp d12, d13, [sp, #32]", ""),
            here(&aes, "d14 and d15 are not restored", "ldp d14, d15, [sp, #48]", ""),
            here(
                &aes,
                "d9 is restored from the place of d8",
                "ldp d8, d9, [sp], #64",
                "ldr d9, [sp]\n ldr d8, [sp], #64",
            ),
            here(&aes, "d10 and d11 are saved in a place that others need", "stp d10, d11, «[sp, #16]»", "[sp, #32]"),
            there(&aes, "d15 is not restored", "vpop {d8-d15}", "vpop {d8-d14}\n add sp, sp, #8"),
            there(&aes, "d8 and d9 change places", "vpop {d8-d15}", "vpop {d8-d15}\n vswp d8, d9"),
            there(&aes, "r7 is not restored", "pop {r4-r12, pc}", "str r7, [sp, #12]\n pop {r4-r12, pc}"),
            here(
                &format!("speck128_xts_neon_{direction}"),
                "x23 and x24 are not restored",
                "ldp x23, x24, [sp, #288]",
                "",
            ),
            here(
                &format!("speck64_xts_scalar_{direction}"),
                "x19 and x20 change places",
                "ldp «x19, x20», [sp, #64]",
                "x20, x19",
            ),
            there(
                &format!("speck64_xts_neon_{direction}"),
                "q4 is not saved",
                "vpush {d8-d15}",
                "sub sp, sp, #16\n vpush {d10-d15}",
            )
            .edit("vpop {d8-d15}", "vpop {d10-d15}\n add sp, sp, #16"),
        ];
        if direction == "decrypt" {
            siblings.push(here(
                &aes,
                "with a count of zero the stack pointer is not put back",
                "cbz count, 9f\n stp d8, d9, [sp, #-64]!",
                "stp d8, d9, [sp, #-64]!\n cbz count, 9f",
            ));
        }
        siblings
    });
    siblings.extend([
        here("salsa20_neon", "x28 is not restored", "ldp x27, x28, [sp, #64]", "ldr x27, [sp, #64]"),
        here("salsa20_scalar", "x26 is not restored", "ldp x25, x26, [sp, #48]", "ldr x25, [sp, #48]"),
        here(
            "blake2s_scalar",
            "x29 is not restored",
            "ldp x29, x30, [sp], #144",
            "ldr x30, [sp, #8]\n add sp, sp, #144",
        ),
        here("sha512_ce_x2", "d8 and d9 are not restored", "ldp d8, d9, [sp], #64", "add sp, sp, #64"),
        here(
            "sha256_ce",
            "d8 is a temporary",
            "st1 {v0.4s, v1.4s}, [state]",
            "mov v8.16b, v0.16b\n st1 {v0.4s, v1.4s}, [state]\n movi v8.16b, #0",
        ),
        here(
            "sha256_ce",
            "x18 is a temporary",
            "st1 {v0.4s, v1.4s}, [state]",
            "mov x18, #0\n st1 {v0.4s, v1.4s}, [state]",
        ),
        there("sha512_neon", "d8 to d15 are not restored", "vpop {d8-d15}", "add sp, sp, #64"),
        there("salsa20_scalar", "r11 is not restored", "pop {r0-r12, lr}", "str r11, [sp, #44]\n pop {r0-r12, lr}"),
        there(
            "sha256_scalar",
            "r4 and r5 are not restored",
            "pop {r0-r2, r4-r11, lr}",
            "add sp, sp, #20\n pop {r6-r11, lr}",
        ),
    ]);
    siblings
}

fn lost_constants() -> Vec<Sibling> {
    let mut siblings = both(|direction| {
        let aes = format!("aes_xts_ce_{direction}");
        vec![
            here(
                &aes,
                "after six blocks the polynomial is gone",
                "add output, output, #96",
                "add output, output, #96\n mov poly, #0",
            ),
            here(
                &aes,
                "after six blocks a round key is gone",
                "add output, output, #96",
                "add output, output, #96\n mov K13.16b, M0.16b",
            ),
            here(
                &aes,
                "after six blocks a constant of the tweaks is gone",
                "add output, output, #96",
                "add output, output, #96\n mov c_hi, #0",
            ),
            here(
                &format!("speck64_xts_neon_{direction}"),
                "after 32 blocks the order of bytes is gone",
                "add xout, xout, #256",
                "add xout, xout, #256\n mov vbytes.16b, vy0.16b",
            ),
            Sibling::kernel(
                A32,
                &format!("speck128_xts_neon_{direction}"),
                "after eight blocks the order of bytes is gone",
            )
            .edit("vst1.8 {d12-d15}, [output]!", "vst1.8 {d12-d15}, [output]!\n vmov bytes, d0"),
            Sibling::kernel(A32, &aes, "after four blocks the polynomial is gone").edit(
                "vst1.8 {d4-d7}, [output]! \n subs count, count, #4",
                "vst1.8 {d4-d7}, [output]!\n mov poly, #0\n subs count, count, #4",
            ),
        ]
    });
    siblings.extend([
        here(
            "blake2b_neon",
            "after a block a rotation's order of bytes is gone",
            "stp q9, q10, [state, #32]",
            "stp q9, q10, [state, #32]\n mov rot16.16b, v0.16b",
        ),
        here(
            "blake2b_neon",
            "after a block the other rotation's order of bytes is gone",
            "stp q9, q10, [state, #32]",
            "stp q9, q10, [state, #32]\n mov rot24.16b, v0.16b",
        ),
        here(
            "sha256_ce",
            "after a block a constant is gone",
            "add efgh.4s, efgh.4s, saved_efgh.4s\n b 1b",
            "add efgh.4s, efgh.4s, saved_efgh.4s\n mov v19.16b, v4.16b\n b 1b",
        ),
    ]);
    siblings
}

fn table_addresses() -> Vec<Sibling> {
    vec![
        here("sha256_ce", "one byte on", "adr constants, «8f»", "8f+1"),
        here("sha256_ce", "one byte back", "adr constants, «8f»", "8f-1"),
        here("blake2b_neon", "one byte on", "adr x4, «8f»", "8f+1"),
        here("blake2s_scalar", "one byte on, at the first of two places", "adr x16, «8f»", "8f+1"),
        here("blake2s_scalar", "a word on, at the second of two places", "adr x15, «8f»", "8f+4"),
        here("salsa20_neon", "a double word back", "ldr q24, «10f»", "10f-16"),
        here("salsa20_neon", "a double word back, at the third of three places", "ldr q28, «10f+32»", "10f+16"),
        there("sha256_scalar", "one byte on", ".word «5f - (1b + 8)»", "5f - (1b + 7)"),
        there("sha256_scalar", "a word back", ".word «5f - (1b + 8)»", "5f - (1b + 12)"),
        there("sha512_neon", "a double word on", ".word «9f - (3f + 8)»", "9f - (3f + 0)"),
        there("blake2s_scalar", "a word on", "adr r12, «1b»", "1b+4"),
        both(|direction| {
            vec![here(&format!("speck64_xts_neon_{direction}"), "16 bytes back", "ldr qbytes, «8f»", "8f-16")]
        })
        .remove(1),
    ]
}

fn authentication() -> Vec<Sibling> {
    let here = |kernel: &str, what: &str| Sibling::kernel(A64, kernel, what);
    let signed = |kernel: &str, find: &str| {
        here(kernel, "the return address is authenticated before SP is put back")
            .edit("hint #34", "hint #34\n hint #25")
            .edit(find, format!("hint #29\n {find}"))
            .edit("9: ret", "ret\n9: hint #29\n ret")
            .seen_by(&["abi"])
    };
    let landing =
        |kernel: &str, what: &str, instead: &str| here(kernel, what).edit("hint #34", instead).seen_by(&["features"]);
    vec![
        signed("aes_xts_ce_decrypt", "ldp d8, d9, [sp], #64"),
        signed("salsa20_neon", "ldp x19, x20, [sp], #80"),
        signed("sha512_ce_x2", "ldp d8, d9, [sp], #64"),
        signed("blake2b_neon", "add sp, sp, #64"),
        here("sha256_ce", "the return address is signed and not authenticated")
            .edit("9: ret", "hint #25\n9: ret")
            .seen_by(&["abi"]),
        landing("sha256_ce", "no landing pad", "nop"),
        landing("salsa20_neon", "a landing pad for jumps, not for calls", "hint #36"),
        landing("aes_xts_ce_encrypt", "no landing pad", "hint #32"),
    ]
}

fn frames() -> Vec<Sibling> {
    let here = |kernel: &str, what: &str, frame: [&str; 2], smaller: [&str; 2]| {
        Sibling::kernel(A64, kernel, what).edit(frame[0], smaller[0]).edit(frame[1], smaller[1])
    };
    let mut siblings = both(|direction| {
        let whole = ["sub sp, sp, #304", "add sp, sp, #304"];
        let less = ["sub sp, sp, #288", "add sp, sp, #288"];
        vec![
            here(&format!("speck128_xts_neon_{direction}"), "by 16 bytes", whole, less),
            here(&format!("speck64_xts_neon_{direction}"), "by 16 bytes", whole, less),
            here(
                &format!("speck64_xts_scalar_{direction}"),
                "by 32 bytes",
                ["sub sp, sp, #112", "add sp, sp, #112"],
                ["sub sp, sp, #80", "add sp, sp, #80"],
            ),
        ]
    });
    siblings.extend([
        here(
            "blake2b_neon",
            "by 16 bytes",
            ["sub sp, sp, #64", "add sp, sp, #64"],
            ["sub sp, sp, #48", "add sp, sp, #48"],
        ),
        here(
            "blake2s_scalar",
            "by 16 bytes",
            ["stp x29, x30, [sp, #-144]!", "ldp x29, x30, [sp], #144"],
            ["stp x29, x30, [sp, #-128]!", "ldp x29, x30, [sp], #128"],
        ),
        here(
            "sha256_scalar",
            "by 16 bytes",
            ["stp x29, x30, [sp, #-128]!", "ldp x29, x30, [sp], #128"],
            ["stp x29, x30, [sp, #-112]!", "ldp x29, x30, [sp], #112"],
        ),
        Sibling::kernel(A32, "sha256_scalar", "by eight bytes, of which the last words of the schedule are outside")
            .edit("add K, K, #64", "add K, K, #64\n str w0, [sp, #-8]"),
        Sibling::kernel(A32, "aes_xts_ce_encrypt", "a word above the arguments is overwritten")
            .edit("mov poly, #0x87", "mov poly, #0x87\n str poly, [sp, #112]"),
    ]);
    siblings
}
