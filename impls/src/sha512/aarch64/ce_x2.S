// SHA-384, SHA-512, SHA-512/224 and SHA-512/256 compression with FEAT_SHA512, two independent messages interleaved
//
//     compress_x2(state0: *mut [u64; 8], state1: *mut [u64; 8],
//                 blocks0: *const u8, blocks1: *const u8, count: usize)
//
// For each of the count blocks of 128 bytes of message m = 0, 1: state(m) = state(m) + rounds(state(m), block(m)), as
// FIPS 180-4, section 6.4.2 (constants: section 4.2.3). A state is a .. h as native words, a message is big-endian
// bytes at any address. With count = 0 no memory is touched.
//
// Technique. A state is four vectors ab, cd, ef, gh with a, c, e, g in the lower half. W(i) is the vector of the
// schedule words 2i, 2i+1, K(i) that of the constants, i = 0 .. 39:
//     W(i+8) = SHA512SU1(SHA512SU0(W(i), W(i+1)), W(i+7), W(i+4, 5)),
// in place of W(i), where W(i+4, 5) is the upper half of W(i+4) and the lower one of W(i+5). Two rounds, with x' for x
// after them:
//     T1 = SHA512H([f, g], [d, e], gh + W(i) + K(i)),    ef' = cd + T1,    ab' = SHA512H2(cd, ab, T1),
//     cd' = ab,    gh' = ef.
// One message alone waits for the latency of its chain of SHA512H, addition and EXT; the other message fills those
// cycles, until the SHA-512 instructions of both saturate their unit. The constants stream through two registers and
// serve both messages. The chaining values stay in memory during a block.
//
// Registers
//     x0, x1      states                   v0 .. v7    message 0: W(i), i mod 8 = 0 .. 7
//     x2, x3      next blocks              v8 .. v15   message 1: the same
//     x4          blocks left              v16 .. v20  message 0: ab, cd, ef, gh and the next ef, in changing roles
//     x5          constants                v21 .. v25  message 1: the same
//                                          v26 .. v28  [f, g], [d, e], W(i) + K(i) of either message
//                                          v29         W(i+4, 5) of either message
//                                          v30, v31    K(i), i even and odd
//
// Stack: 64 bytes: d8 .. d15 of the caller.
//
// Cleared before return: v0 .. v31 (the lower halves of v8 .. v15 are the caller's again), by loading constants, four
// registers an instruction. All else that is written holds addresses or the count.

        .arch_extension sha3

        state0       .req    x0
        state1       .req    x1
        blocks0      .req    x2
        blocks1      .req    x3
        count        .req    x4
        constants    .req    x5

        m0w0         .req    v0
        m0w1         .req    v1
        m0w2         .req    v2
        m0w3         .req    v3
        m0w4         .req    v4
        m0w5         .req    v5
        m0w6         .req    v6
        m0w7         .req    v7

        m1w0         .req    v8
        m1w1         .req    v9
        m1w2         .req    v10
        m1w3         .req    v11
        m1w4         .req    v12
        m1w5         .req    v13
        m1w6         .req    v14
        m1w7         .req    v15

        m0s0         .req    v16
        m0s1         .req    v17
        m0s2         .req    v18
        m0s3         .req    v19
        m0s4         .req    v20

        m1s0         .req    v21
        m1s1         .req    v22
        m1s2         .req    v23
        m1s3         .req    v24
        m1s4         .req    v25

        fg           .req    v26
        de           .req    v27
        WK           .req    v28
        Wmid         .req    v29
        Keven        .req    v30
        Kodd         .req    v31

        m0s0_q       .req    q16
        m0s1_q       .req    q17
        m0s2_q       .req    q18
        m0s3_q       .req    q19
        m0s4_q       .req    q20
        m1s0_q       .req    q21
        m1s1_q       .req    q22
        m1s2_q       .req    q23
        m1s3_q       .req    q24
        m1s4_q       .req    q25
        fg_q         .req    q26
        Keven_q      .req    q30
        Kodd_q       .req    q31

// Rounds 2i, 2i+1 of one message. W = W(i), K = K(i). Leaves the new ef in newef, the new ab in place of gh.
.macro  sha512_ce_x2_rounds K, W, ab, cd, ef, gh, newef
        add         WK.2d, \W\().2d, \K\().2d
        ext         fg.16b, \ef\().16b, \gh\().16b, #8
        ext         de.16b, \cd\().16b, \ef\().16b, #8
        ext         WK.16b, WK.16b, WK.16b, #8
        add         \gh\().2d, \gh\().2d, WK.2d                         // gh + W(i) + K(i)
        sha512h     \gh\()_q, fg_q, de.2d                               // T1
        add         \newef\().2d, \cd\().2d, \gh\().2d                  // ef' = cd + T1
        sha512h2    \gh\()_q, \cd\()_q, \ab\().2d                       // ab' = T1 + T2
.endm

// W(i+8) of one message from W(i), W(i+1), W(i+4), W(i+5), W(i+7), in place of W(i).
.macro  sha512_ce_x2_schedule W0, W1, W4, W5, W7
        ext         Wmid.16b, \W4\().16b, \W5\().16b, #8
        sha512su0   \W0\().2d, \W1\().2d
        sha512su1   \W0\().2d, \W7\().2d, Wmid.2d
.endm

        .cfi_startproc
        hint        #34                                                 // bti c
        cbz         count, 9f

        stp         d8, d9, [sp, #-64]!
        .cfi_def_cfa_offset 64
        .cfi_offset d8, -64
        .cfi_offset d9, -56
        stp         d10, d11, [sp, #16]
        .cfi_offset d10, -48
        .cfi_offset d11, -40
        stp         d12, d13, [sp, #32]
        .cfi_offset d12, -32
        .cfi_offset d13, -24
        stp         d14, d15, [sp, #48]
        .cfi_offset d14, -16
        .cfi_offset d15, -8

        adr         constants, 8f
        ld1         {v16.2d - v19.2d}, [state0]
        ld1         {v21.2d - v24.2d}, [state1]
        ld1         {v0.16b - v3.16b}, [blocks0], #64                   // W(0) .. W(7)
        ld1         {v8.16b - v11.16b}, [blocks1], #64
        ld1         {v4.16b - v7.16b}, [blocks0], #64
        ld1         {v12.16b - v15.16b}, [blocks1], #64

1:      rev64       m0w0.16b, m0w0.16b                                  // from big-endian
        rev64       m1w0.16b, m1w0.16b
        rev64       m0w1.16b, m0w1.16b
        rev64       m1w1.16b, m1w1.16b
        rev64       m0w2.16b, m0w2.16b
        rev64       m1w2.16b, m1w2.16b
        rev64       m0w3.16b, m0w3.16b
        rev64       m1w3.16b, m1w3.16b
        rev64       m0w4.16b, m0w4.16b
        rev64       m1w4.16b, m1w4.16b
        rev64       m0w5.16b, m0w5.16b
        rev64       m1w5.16b, m1w5.16b
        rev64       m0w6.16b, m0w6.16b
        rev64       m1w6.16b, m1w6.16b
        rev64       m0w7.16b, m0w7.16b
        rev64       m1w7.16b, m1w7.16b

        ldp         Keven_q, Kodd_q, [constants]
        sha512_ce_x2_rounds   Keven, m0w0, m0s0, m0s1, m0s2, m0s3, m0s4
        sha512_ce_x2_schedule m0w0, m0w1, m0w4, m0w5, m0w7
        sha512_ce_x2_rounds   Keven, m1w0, m1s0, m1s1, m1s2, m1s3, m1s4
        sha512_ce_x2_schedule m1w0, m1w1, m1w4, m1w5, m1w7
        sha512_ce_x2_rounds   Kodd,  m0w1, m0s3, m0s0, m0s4, m0s2, m0s1
        sha512_ce_x2_schedule m0w1, m0w2, m0w5, m0w6, m0w0
        sha512_ce_x2_rounds   Kodd,  m1w1, m1s3, m1s0, m1s4, m1s2, m1s1
        sha512_ce_x2_schedule m1w1, m1w2, m1w5, m1w6, m1w0

        ldp         Keven_q, Kodd_q, [constants, #32]
        sha512_ce_x2_rounds   Keven, m0w2, m0s2, m0s3, m0s1, m0s4, m0s0
        sha512_ce_x2_schedule m0w2, m0w3, m0w6, m0w7, m0w1
        sha512_ce_x2_rounds   Keven, m1w2, m1s2, m1s3, m1s1, m1s4, m1s0
        sha512_ce_x2_schedule m1w2, m1w3, m1w6, m1w7, m1w1
        sha512_ce_x2_rounds   Kodd,  m0w3, m0s4, m0s2, m0s0, m0s1, m0s3
        sha512_ce_x2_schedule m0w3, m0w4, m0w7, m0w0, m0w2
        sha512_ce_x2_rounds   Kodd,  m1w3, m1s4, m1s2, m1s0, m1s1, m1s3
        sha512_ce_x2_schedule m1w3, m1w4, m1w7, m1w0, m1w2

        ldp         Keven_q, Kodd_q, [constants, #64]
        sha512_ce_x2_rounds   Keven, m0w4, m0s1, m0s4, m0s3, m0s0, m0s2
        sha512_ce_x2_schedule m0w4, m0w5, m0w0, m0w1, m0w3
        sha512_ce_x2_rounds   Keven, m1w4, m1s1, m1s4, m1s3, m1s0, m1s2
        sha512_ce_x2_schedule m1w4, m1w5, m1w0, m1w1, m1w3
        sha512_ce_x2_rounds   Kodd,  m0w5, m0s0, m0s1, m0s2, m0s3, m0s4
        sha512_ce_x2_schedule m0w5, m0w6, m0w1, m0w2, m0w4
        sha512_ce_x2_rounds   Kodd,  m1w5, m1s0, m1s1, m1s2, m1s3, m1s4
        sha512_ce_x2_schedule m1w5, m1w6, m1w1, m1w2, m1w4

        ldp         Keven_q, Kodd_q, [constants, #96]
        sha512_ce_x2_rounds   Keven, m0w6, m0s3, m0s0, m0s4, m0s2, m0s1
        sha512_ce_x2_schedule m0w6, m0w7, m0w2, m0w3, m0w5
        sha512_ce_x2_rounds   Keven, m1w6, m1s3, m1s0, m1s4, m1s2, m1s1
        sha512_ce_x2_schedule m1w6, m1w7, m1w2, m1w3, m1w5
        sha512_ce_x2_rounds   Kodd,  m0w7, m0s2, m0s3, m0s1, m0s4, m0s0
        sha512_ce_x2_schedule m0w7, m0w0, m0w3, m0w4, m0w6
        sha512_ce_x2_rounds   Kodd,  m1w7, m1s2, m1s3, m1s1, m1s4, m1s0
        sha512_ce_x2_schedule m1w7, m1w0, m1w3, m1w4, m1w6

        ldp         Keven_q, Kodd_q, [constants, #128]
        sha512_ce_x2_rounds   Keven, m0w0, m0s4, m0s2, m0s0, m0s1, m0s3
        sha512_ce_x2_schedule m0w0, m0w1, m0w4, m0w5, m0w7
        sha512_ce_x2_rounds   Keven, m1w0, m1s4, m1s2, m1s0, m1s1, m1s3
        sha512_ce_x2_schedule m1w0, m1w1, m1w4, m1w5, m1w7
        sha512_ce_x2_rounds   Kodd,  m0w1, m0s1, m0s4, m0s3, m0s0, m0s2
        sha512_ce_x2_schedule m0w1, m0w2, m0w5, m0w6, m0w0
        sha512_ce_x2_rounds   Kodd,  m1w1, m1s1, m1s4, m1s3, m1s0, m1s2
        sha512_ce_x2_schedule m1w1, m1w2, m1w5, m1w6, m1w0

        ldp         Keven_q, Kodd_q, [constants, #160]
        sha512_ce_x2_rounds   Keven, m0w2, m0s0, m0s1, m0s2, m0s3, m0s4
        sha512_ce_x2_schedule m0w2, m0w3, m0w6, m0w7, m0w1
        sha512_ce_x2_rounds   Keven, m1w2, m1s0, m1s1, m1s2, m1s3, m1s4
        sha512_ce_x2_schedule m1w2, m1w3, m1w6, m1w7, m1w1
        sha512_ce_x2_rounds   Kodd,  m0w3, m0s3, m0s0, m0s4, m0s2, m0s1
        sha512_ce_x2_schedule m0w3, m0w4, m0w7, m0w0, m0w2
        sha512_ce_x2_rounds   Kodd,  m1w3, m1s3, m1s0, m1s4, m1s2, m1s1
        sha512_ce_x2_schedule m1w3, m1w4, m1w7, m1w0, m1w2

        ldp         Keven_q, Kodd_q, [constants, #192]
        sha512_ce_x2_rounds   Keven, m0w4, m0s2, m0s3, m0s1, m0s4, m0s0
        sha512_ce_x2_schedule m0w4, m0w5, m0w0, m0w1, m0w3
        sha512_ce_x2_rounds   Keven, m1w4, m1s2, m1s3, m1s1, m1s4, m1s0
        sha512_ce_x2_schedule m1w4, m1w5, m1w0, m1w1, m1w3
        sha512_ce_x2_rounds   Kodd,  m0w5, m0s4, m0s2, m0s0, m0s1, m0s3
        sha512_ce_x2_schedule m0w5, m0w6, m0w1, m0w2, m0w4
        sha512_ce_x2_rounds   Kodd,  m1w5, m1s4, m1s2, m1s0, m1s1, m1s3
        sha512_ce_x2_schedule m1w5, m1w6, m1w1, m1w2, m1w4

        ldp         Keven_q, Kodd_q, [constants, #224]
        sha512_ce_x2_rounds   Keven, m0w6, m0s1, m0s4, m0s3, m0s0, m0s2
        sha512_ce_x2_schedule m0w6, m0w7, m0w2, m0w3, m0w5
        sha512_ce_x2_rounds   Keven, m1w6, m1s1, m1s4, m1s3, m1s0, m1s2
        sha512_ce_x2_schedule m1w6, m1w7, m1w2, m1w3, m1w5
        sha512_ce_x2_rounds   Kodd,  m0w7, m0s0, m0s1, m0s2, m0s3, m0s4
        sha512_ce_x2_schedule m0w7, m0w0, m0w3, m0w4, m0w6
        sha512_ce_x2_rounds   Kodd,  m1w7, m1s0, m1s1, m1s2, m1s3, m1s4
        sha512_ce_x2_schedule m1w7, m1w0, m1w3, m1w4, m1w6

        ldp         Keven_q, Kodd_q, [constants, #256]
        sha512_ce_x2_rounds   Keven, m0w0, m0s3, m0s0, m0s4, m0s2, m0s1
        sha512_ce_x2_schedule m0w0, m0w1, m0w4, m0w5, m0w7
        sha512_ce_x2_rounds   Keven, m1w0, m1s3, m1s0, m1s4, m1s2, m1s1
        sha512_ce_x2_schedule m1w0, m1w1, m1w4, m1w5, m1w7
        sha512_ce_x2_rounds   Kodd,  m0w1, m0s2, m0s3, m0s1, m0s4, m0s0
        sha512_ce_x2_schedule m0w1, m0w2, m0w5, m0w6, m0w0
        sha512_ce_x2_rounds   Kodd,  m1w1, m1s2, m1s3, m1s1, m1s4, m1s0
        sha512_ce_x2_schedule m1w1, m1w2, m1w5, m1w6, m1w0

        ldp         Keven_q, Kodd_q, [constants, #288]
        sha512_ce_x2_rounds   Keven, m0w2, m0s4, m0s2, m0s0, m0s1, m0s3
        sha512_ce_x2_schedule m0w2, m0w3, m0w6, m0w7, m0w1
        sha512_ce_x2_rounds   Keven, m1w2, m1s4, m1s2, m1s0, m1s1, m1s3
        sha512_ce_x2_schedule m1w2, m1w3, m1w6, m1w7, m1w1
        sha512_ce_x2_rounds   Kodd,  m0w3, m0s1, m0s4, m0s3, m0s0, m0s2
        sha512_ce_x2_schedule m0w3, m0w4, m0w7, m0w0, m0w2
        sha512_ce_x2_rounds   Kodd,  m1w3, m1s1, m1s4, m1s3, m1s0, m1s2
        sha512_ce_x2_schedule m1w3, m1w4, m1w7, m1w0, m1w2

        ldp         Keven_q, Kodd_q, [constants, #320]
        sha512_ce_x2_rounds   Keven, m0w4, m0s0, m0s1, m0s2, m0s3, m0s4
        sha512_ce_x2_schedule m0w4, m0w5, m0w0, m0w1, m0w3
        sha512_ce_x2_rounds   Keven, m1w4, m1s0, m1s1, m1s2, m1s3, m1s4
        sha512_ce_x2_schedule m1w4, m1w5, m1w0, m1w1, m1w3
        sha512_ce_x2_rounds   Kodd,  m0w5, m0s3, m0s0, m0s4, m0s2, m0s1
        sha512_ce_x2_schedule m0w5, m0w6, m0w1, m0w2, m0w4
        sha512_ce_x2_rounds   Kodd,  m1w5, m1s3, m1s0, m1s4, m1s2, m1s1
        sha512_ce_x2_schedule m1w5, m1w6, m1w1, m1w2, m1w4

        ldp         Keven_q, Kodd_q, [constants, #352]
        sha512_ce_x2_rounds   Keven, m0w6, m0s2, m0s3, m0s1, m0s4, m0s0
        sha512_ce_x2_schedule m0w6, m0w7, m0w2, m0w3, m0w5
        sha512_ce_x2_rounds   Keven, m1w6, m1s2, m1s3, m1s1, m1s4, m1s0
        sha512_ce_x2_schedule m1w6, m1w7, m1w2, m1w3, m1w5
        sha512_ce_x2_rounds   Kodd,  m0w7, m0s4, m0s2, m0s0, m0s1, m0s3
        sha512_ce_x2_schedule m0w7, m0w0, m0w3, m0w4, m0w6
        sha512_ce_x2_rounds   Kodd,  m1w7, m1s4, m1s2, m1s0, m1s1, m1s3
        sha512_ce_x2_schedule m1w7, m1w0, m1w3, m1w4, m1w6

        ldp         Keven_q, Kodd_q, [constants, #384]
        sha512_ce_x2_rounds   Keven, m0w0, m0s1, m0s4, m0s3, m0s0, m0s2
        sha512_ce_x2_schedule m0w0, m0w1, m0w4, m0w5, m0w7
        sha512_ce_x2_rounds   Keven, m1w0, m1s1, m1s4, m1s3, m1s0, m1s2
        sha512_ce_x2_schedule m1w0, m1w1, m1w4, m1w5, m1w7
        sha512_ce_x2_rounds   Kodd,  m0w1, m0s0, m0s1, m0s2, m0s3, m0s4
        sha512_ce_x2_schedule m0w1, m0w2, m0w5, m0w6, m0w0
        sha512_ce_x2_rounds   Kodd,  m1w1, m1s0, m1s1, m1s2, m1s3, m1s4
        sha512_ce_x2_schedule m1w1, m1w2, m1w5, m1w6, m1w0

        ldp         Keven_q, Kodd_q, [constants, #416]
        sha512_ce_x2_rounds   Keven, m0w2, m0s3, m0s0, m0s4, m0s2, m0s1
        sha512_ce_x2_schedule m0w2, m0w3, m0w6, m0w7, m0w1
        sha512_ce_x2_rounds   Keven, m1w2, m1s3, m1s0, m1s4, m1s2, m1s1
        sha512_ce_x2_schedule m1w2, m1w3, m1w6, m1w7, m1w1
        sha512_ce_x2_rounds   Kodd,  m0w3, m0s2, m0s3, m0s1, m0s4, m0s0
        sha512_ce_x2_schedule m0w3, m0w4, m0w7, m0w0, m0w2
        sha512_ce_x2_rounds   Kodd,  m1w3, m1s2, m1s3, m1s1, m1s4, m1s0
        sha512_ce_x2_schedule m1w3, m1w4, m1w7, m1w0, m1w2

        ldp         Keven_q, Kodd_q, [constants, #448]
        sha512_ce_x2_rounds   Keven, m0w4, m0s4, m0s2, m0s0, m0s1, m0s3
        sha512_ce_x2_schedule m0w4, m0w5, m0w0, m0w1, m0w3
        sha512_ce_x2_rounds   Keven, m1w4, m1s4, m1s2, m1s0, m1s1, m1s3
        sha512_ce_x2_schedule m1w4, m1w5, m1w0, m1w1, m1w3
        sha512_ce_x2_rounds   Kodd,  m0w5, m0s1, m0s4, m0s3, m0s0, m0s2
        sha512_ce_x2_schedule m0w5, m0w6, m0w1, m0w2, m0w4
        sha512_ce_x2_rounds   Kodd,  m1w5, m1s1, m1s4, m1s3, m1s0, m1s2
        sha512_ce_x2_schedule m1w5, m1w6, m1w1, m1w2, m1w4

        ldp         Keven_q, Kodd_q, [constants, #480]
        sha512_ce_x2_rounds   Keven, m0w6, m0s0, m0s1, m0s2, m0s3, m0s4
        sha512_ce_x2_schedule m0w6, m0w7, m0w2, m0w3, m0w5
        sha512_ce_x2_rounds   Keven, m1w6, m1s0, m1s1, m1s2, m1s3, m1s4
        sha512_ce_x2_schedule m1w6, m1w7, m1w2, m1w3, m1w5
        sha512_ce_x2_rounds   Kodd,  m0w7, m0s3, m0s0, m0s4, m0s2, m0s1
        sha512_ce_x2_schedule m0w7, m0w0, m0w3, m0w4, m0w6
        sha512_ce_x2_rounds   Kodd,  m1w7, m1s3, m1s0, m1s4, m1s2, m1s1
        sha512_ce_x2_schedule m1w7, m1w0, m1w3, m1w4, m1w6

        ldp         Keven_q, Kodd_q, [constants, #512]
        sha512_ce_x2_rounds   Keven, m0w0, m0s2, m0s3, m0s1, m0s4, m0s0
        sha512_ce_x2_rounds   Keven, m1w0, m1s2, m1s3, m1s1, m1s4, m1s0
        sha512_ce_x2_rounds   Kodd,  m0w1, m0s4, m0s2, m0s0, m0s1, m0s3
        sha512_ce_x2_rounds   Kodd,  m1w1, m1s4, m1s2, m1s0, m1s1, m1s3

        ldp         Keven_q, Kodd_q, [constants, #544]
        sha512_ce_x2_rounds   Keven, m0w2, m0s1, m0s4, m0s3, m0s0, m0s2
        sha512_ce_x2_rounds   Keven, m1w2, m1s1, m1s4, m1s3, m1s0, m1s2
        sha512_ce_x2_rounds   Kodd,  m0w3, m0s0, m0s1, m0s2, m0s3, m0s4
        sha512_ce_x2_rounds   Kodd,  m1w3, m1s0, m1s1, m1s2, m1s3, m1s4

        ldp         Keven_q, Kodd_q, [constants, #576]
        sha512_ce_x2_rounds   Keven, m0w4, m0s3, m0s0, m0s4, m0s2, m0s1
        sha512_ce_x2_rounds   Keven, m1w4, m1s3, m1s0, m1s4, m1s2, m1s1
        sha512_ce_x2_rounds   Kodd,  m0w5, m0s2, m0s3, m0s1, m0s4, m0s0
        sha512_ce_x2_rounds   Kodd,  m1w5, m1s2, m1s3, m1s1, m1s4, m1s0

        ldp         Keven_q, Kodd_q, [constants, #608]
        sha512_ce_x2_rounds   Keven, m0w6, m0s4, m0s2, m0s0, m0s1, m0s3
        sha512_ce_x2_rounds   Keven, m1w6, m1s4, m1s2, m1s0, m1s1, m1s3
        sha512_ce_x2_rounds   Kodd,  m0w7, m0s1, m0s4, m0s3, m0s0, m0s2
        sha512_ce_x2_rounds   Kodd,  m1w7, m1s1, m1s4, m1s3, m1s0, m1s2

        ld1         {v0.2d - v3.2d}, [state0]                           // the chaining values
        ld1         {v8.2d - v11.2d}, [state1]
        add         m0s0.2d, m0s0.2d, m0w0.2d
        add         m1s0.2d, m1s0.2d, m1w0.2d
        add         m0s1.2d, m0s1.2d, m0w1.2d
        add         m1s1.2d, m1s1.2d, m1w1.2d
        add         m0s2.2d, m0s2.2d, m0w2.2d
        add         m1s2.2d, m1s2.2d, m1w2.2d
        add         m0s3.2d, m0s3.2d, m0w3.2d
        add         m1s3.2d, m1s3.2d, m1w3.2d
        subs        count, count, #1
        b.eq        2f
        ld1         {v0.16b - v3.16b}, [blocks0], #64                   // W(0) .. W(7) of the next block
        ld1         {v8.16b - v11.16b}, [blocks1], #64
        ld1         {v4.16b - v7.16b}, [blocks0], #64
        ld1         {v12.16b - v15.16b}, [blocks1], #64
2:      st1         {v16.2d - v19.2d}, [state0]
        st1         {v21.2d - v24.2d}, [state1]
        b.ne        1b

        ld1         {v0.2d - v3.2d}, [constants]                        // constants where secrets were
        ld1         {v4.2d - v7.2d}, [constants]
        ld1         {v8.2d - v11.2d}, [constants]
        ld1         {v12.2d - v15.2d}, [constants]
        ld1         {v16.2d - v19.2d}, [constants]
        ld1         {v20.2d - v23.2d}, [constants]
        ld1         {v24.2d - v27.2d}, [constants]
        ld1         {v28.2d - v31.2d}, [constants]

        ldp         d10, d11, [sp, #16]
        ldp         d12, d13, [sp, #32]
        ldp         d14, d15, [sp, #48]
        ldp         d8, d9, [sp], #64
        .cfi_def_cfa_offset 0
        .cfi_restore d8
        .cfi_restore d9
        .cfi_restore d10
        .cfi_restore d11
        .cfi_restore d12
        .cfi_restore d13
        .cfi_restore d14
        .cfi_restore d15
9:      ret
        .cfi_endproc

        .balign     16
8:                                                                      // K, FIPS 180-4, section 4.2.3
        .quad       0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc
        .quad       0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118
        .quad       0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2
        .quad       0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694
        .quad       0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65
        .quad       0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5
        .quad       0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4
        .quad       0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70
        .quad       0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df
        .quad       0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b
        .quad       0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30
        .quad       0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8
        .quad       0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8
        .quad       0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3
        .quad       0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec
        .quad       0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b
        .quad       0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178
        .quad       0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b
        .quad       0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c
        .quad       0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817

.purgem sha512_ce_x2_rounds
.purgem sha512_ce_x2_schedule

        .unreq  state0
        .unreq  state1
        .unreq  blocks0
        .unreq  blocks1
        .unreq  count
        .unreq  constants
        .unreq  m0w0
        .unreq  m0w1
        .unreq  m0w2
        .unreq  m0w3
        .unreq  m0w4
        .unreq  m0w5
        .unreq  m0w6
        .unreq  m0w7
        .unreq  m1w0
        .unreq  m1w1
        .unreq  m1w2
        .unreq  m1w3
        .unreq  m1w4
        .unreq  m1w5
        .unreq  m1w6
        .unreq  m1w7
        .unreq  m0s0
        .unreq  m0s1
        .unreq  m0s2
        .unreq  m0s3
        .unreq  m0s4
        .unreq  m1s0
        .unreq  m1s1
        .unreq  m1s2
        .unreq  m1s3
        .unreq  m1s4
        .unreq  fg
        .unreq  de
        .unreq  WK
        .unreq  Wmid
        .unreq  Keven
        .unreq  Kodd
        .unreq  m0s0_q
        .unreq  m0s1_q
        .unreq  m0s2_q
        .unreq  m0s3_q
        .unreq  m0s4_q
        .unreq  m1s0_q
        .unreq  m1s1_q
        .unreq  m1s2_q
        .unreq  m1s3_q
        .unreq  m1s4_q
        .unreq  fg_q
        .unreq  Keven_q
        .unreq  Kodd_q
