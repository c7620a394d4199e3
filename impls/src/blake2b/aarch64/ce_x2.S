// BLAKE2b compression with FEAT_SHA3, two independent messages in the two 64-bit lanes of the vector registers
//
//     compress_x2(state0: *mut State, state1: *mut State,
//                 blocks0: *const u8, blocks1: *const u8, count: usize, increment: usize)
//
// For each of the count blocks of 128 bytes of message j = 0, 1: t(j) = t(j) + increment, then
// h(j) = F(h(j), block(j), t(j), f(j)), as RFC 7693, section 3.2. A state is h[8], t[2], f[2] as native words; f is
// only read. A message may stand at any address. With count = 0 no memory is touched.
//
// Technique. Every word of the working vector v[0..15] and of the message m[0..15] is one register, with message 0 in
// the lower lane and message 1 in the upper one: 16 and 16 registers, and no permutation of v between the column and
// the diagonal step. The mixing function G needs no other register, because XAR is its exclusive or and its rotation
// at once (RFC 7693, section 3.1):
//     a = a + x + b,  d = (d ^ a) >>> 32,  c = c + d,  b = (b ^ c) >>> 24,
//     a = a + y + b,  d = (d ^ a) >>> 16,  c = c + d,  b = (b ^ c) >>> 63.
// In each line the longest path goes from b to b through one addition or XAR after the other, because a + x and a + y
// do not wait for b. The four G of a step advance together, in the order in which the step before it finished their b.
// The counters are added in general registers, and v[12..15] goes through the stack. The chaining value h stays on the
// stack, both messages interleaved, from block to block.
//
// Registers
//     x0, x1      states                     v0 .. v15    v[0 .. 15]; h[0 .. 7] in v0 .. v7 between blocks
//     x2, x3      next blocks                v16 .. v31   m[0 .. 15]
//     x4          blocks left
//     x5          increment
//     x6, x7      t[0], t[1] of message 0
//     x8, x9      t[0], t[1] of message 1
//     x10         constants
//     x11, x12    IV[4], IV[5]
//     x13 .. x16  scratch (public values only)
//
// Stack: 256 bytes: h (128), v[12..15] before the first round (64), d8 .. d15 of the caller (64).
//
// Cleared before return: v0 .. v31 (the lower halves of v8 .. v15 are the caller's again), by loading constants, four
// registers an instruction; h on the stack. All else that is written holds addresses, the count, or t and f.

        .arch_extension sha3

        state0       .req    x0
        state1       .req    x1
        blocks0      .req    x2
        blocks1      .req    x3
        count        .req    x4
        increment    .req    x5
        t0_0         .req    x6
        t1_0         .req    x7
        t0_1         .req    x8
        t1_1         .req    x9
        constants    .req    x10
        IV4          .req    x11
        IV5          .req    x12

        m0           .req    v16
        m1           .req    v17
        m2           .req    v18
        m3           .req    v19
        m4           .req    v20
        m5           .req    v21
        m6           .req    v22
        m7           .req    v23
        m8           .req    v24
        m9           .req    v25
        m10          .req    v26
        m11          .req    v27
        m12          .req    v28
        m13          .req    v29
        m14          .req    v30
        m15          .req    v31

// w = w + x for four pairs of words.
.macro  blake2b_ce_x2_add w0, x0, w1, x1, w2, x2, w3, x3
        add         \w0\().2d, \w0\().2d, \x0\().2d
        add         \w1\().2d, \w1\().2d, \x1\().2d
        add         \w2\().2d, \w2\().2d, \x2\().2d
        add         \w3\().2d, \w3\().2d, \x3\().2d
.endm

// w = (w ^ x) >>> n for four pairs of words.
.macro  blake2b_ce_x2_xor_rotate n, w0, x0, w1, x1, w2, x2, w3, x3
        xar         \w0\().2d, \w0\().2d, \x0\().2d, #\n
        xar         \w1\().2d, \w1\().2d, \x1\().2d, #\n
        xar         \w2\().2d, \w2\().2d, \x2\().2d, #\n
        xar         \w3\().2d, \w3\().2d, \x3\().2d, #\n
.endm

// One round; s0 .. s15 is the row of SIGMA (RFC 7693, section 2.7).
.macro  blake2b_ce_x2_round s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15
        // columns: G(0, 4, 8, 12), G(1, 5, 9, 13), G(2, 6, 10, 14), G(3, 7, 11, 15)
        blake2b_ce_x2_add           v0, m\s0, v1, m\s2, v2, m\s4, v3, m\s6
        blake2b_ce_x2_add           v0, v4, v1, v5, v2, v6, v3, v7
        blake2b_ce_x2_xor_rotate 32, v12, v0, v13, v1, v14, v2, v15, v3
        blake2b_ce_x2_add           v8, v12, v9, v13, v10, v14, v11, v15
        blake2b_ce_x2_xor_rotate 24, v4, v8, v5, v9, v6, v10, v7, v11
        blake2b_ce_x2_add           v0, m\s1, v1, m\s3, v2, m\s5, v3, m\s7
        blake2b_ce_x2_add           v0, v4, v1, v5, v2, v6, v3, v7
        blake2b_ce_x2_xor_rotate 16, v12, v0, v13, v1, v14, v2, v15, v3
        blake2b_ce_x2_add           v8, v12, v9, v13, v10, v14, v11, v15
        blake2b_ce_x2_xor_rotate 63, v4, v8, v5, v9, v6, v10, v7, v11
        // diagonals: G(3, 4, 9, 14), G(0, 5, 10, 15), G(1, 6, 11, 12), G(2, 7, 8, 13)
        blake2b_ce_x2_add           v3, m\s14, v0, m\s8, v1, m\s10, v2, m\s12
        blake2b_ce_x2_add           v3, v4, v0, v5, v1, v6, v2, v7
        blake2b_ce_x2_xor_rotate 32, v14, v3, v15, v0, v12, v1, v13, v2
        blake2b_ce_x2_add           v9, v14, v10, v15, v11, v12, v8, v13
        blake2b_ce_x2_xor_rotate 24, v4, v9, v5, v10, v6, v11, v7, v8
        blake2b_ce_x2_add           v3, m\s15, v0, m\s9, v1, m\s11, v2, m\s13
        blake2b_ce_x2_add           v3, v4, v0, v5, v1, v6, v2, v7
        blake2b_ce_x2_xor_rotate 16, v14, v3, v15, v0, v12, v1, v13, v2
        blake2b_ce_x2_add           v9, v14, v10, v15, v11, v12, v8, v13
        blake2b_ce_x2_xor_rotate 63, v4, v9, v5, v10, v6, v11, v7, v8
.endm

        .cfi_startproc
        hint        #34                                                 // bti c
        cbz         count, 9f

        sub         sp, sp, #256
        .cfi_def_cfa_offset 256
        stp         d8, d9, [sp, #192]
        .cfi_offset d8, -64
        .cfi_offset d9, -56
        stp         d10, d11, [sp, #208]
        .cfi_offset d10, -48
        .cfi_offset d11, -40
        stp         d12, d13, [sp, #224]
        .cfi_offset d12, -32
        .cfi_offset d13, -24
        stp         d14, d15, [sp, #240]
        .cfi_offset d14, -16
        .cfi_offset d15, -8

        adr         constants, 8f
        ldp         x11, x12, [constants, #80]                          // IV[6], IV[7]
        ldp         x13, x14, [state0, #80]                             // f of message 0
        ldp         x15, x16, [state1, #80]                             // f of message 1
        eor         x13, x13, x11
        eor         x14, x14, x12
        eor         x15, x15, x11
        eor         x16, x16, x12
        stp         x13, x15, [sp, #160]                                // v[14]
        stp         x14, x16, [sp, #176]                                // v[15]
        ldp         IV4, IV5, [constants, #64]
        ldp         t0_0, t1_0, [state0, #64]
        ldp         t0_1, t1_1, [state1, #64]
        ldp         q16, q17, [state0]
        ldp         q18, q19, [state1]
        ldp         q20, q21, [state0, #32]
        ldp         q22, q23, [state1, #32]
        zip1        v0.2d, v16.2d, v18.2d
        zip2        v1.2d, v16.2d, v18.2d
        zip1        v2.2d, v17.2d, v19.2d
        zip2        v3.2d, v17.2d, v19.2d
        zip1        v4.2d, v20.2d, v22.2d
        zip2        v5.2d, v20.2d, v22.2d
        zip1        v6.2d, v21.2d, v23.2d
        zip2        v7.2d, v21.2d, v23.2d

1:      adds        t0_0, t0_0, increment
        adc         t1_0, t1_0, xzr
        adds        t0_1, t0_1, increment
        adc         t1_1, t1_1, xzr
        eor         x13, t0_0, IV4
        eor         x14, t0_1, IV4
        eor         x15, t1_0, IV5
        eor         x16, t1_1, IV5
        stp         x13, x14, [sp, #128]                                // v[12]
        stp         x15, x16, [sp, #144]                                // v[13]

        ldp         q8, q9, [blocks0]                                   // m of message 0, two words a register
        ldp         q17, q19, [blocks1]                                 // m of message 1
        ldp         q10, q11, [blocks0, #32]
        ldp         q21, q23, [blocks1, #32]
        ldp         q12, q13, [blocks0, #64]
        ldp         q25, q27, [blocks1, #64]
        ldp         q14, q15, [blocks0, #96]
        ldp         q29, q31, [blocks1, #96]
        add         blocks0, blocks0, #128
        add         blocks1, blocks1, #128
        zip1        m0.2d, v8.2d, v17.2d
        zip1        m2.2d, v9.2d, v19.2d
        zip1        m4.2d, v10.2d, v21.2d
        zip1        m6.2d, v11.2d, v23.2d
        zip2        m1.2d, v8.2d, v17.2d
        zip2        m3.2d, v9.2d, v19.2d
        zip2        m5.2d, v10.2d, v21.2d
        zip2        m7.2d, v11.2d, v23.2d
        zip1        m8.2d, v12.2d, v25.2d
        zip1        m10.2d, v13.2d, v27.2d
        zip1        m12.2d, v14.2d, v29.2d
        zip1        m14.2d, v15.2d, v31.2d
        zip2        m9.2d, v12.2d, v25.2d
        zip2        m11.2d, v13.2d, v27.2d
        zip2        m13.2d, v14.2d, v29.2d
        zip2        m15.2d, v15.2d, v31.2d
        ldr         q12, [sp, #128]
        ldr         q13, [sp, #144]
        ldp         q14, q15, [sp, #160]
        ldp         q8, q9, [constants]                                 // IV[0 .. 3]
        ldp         q10, q11, [constants, #32]
        stp         q0, q1, [sp]                                        // h
        stp         q2, q3, [sp, #32]
        stp         q4, q5, [sp, #64]
        stp         q6, q7, [sp, #96]

        blake2b_ce_x2_round  0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15
        blake2b_ce_x2_round 14, 10,  4,  8,  9, 15, 13,  6,  1, 12,  0,  2, 11,  7,  5,  3
        blake2b_ce_x2_round 11,  8, 12,  0,  5,  2, 15, 13, 10, 14,  3,  6,  7,  1,  9,  4
        blake2b_ce_x2_round  7,  9,  3,  1, 13, 12, 11, 14,  2,  6,  5, 10,  4,  0, 15,  8
        blake2b_ce_x2_round  9,  0,  5,  7,  2,  4, 10, 15, 14,  1, 11, 12,  6,  8,  3, 13
        blake2b_ce_x2_round  2, 12,  6, 10,  0, 11,  8,  3,  4, 13,  7,  5, 15, 14,  1,  9
        blake2b_ce_x2_round 12,  5,  1, 15, 14, 13,  4, 10,  0,  7,  6,  3,  9,  2,  8, 11
        blake2b_ce_x2_round 13, 11,  7, 14, 12,  1,  3,  9,  5,  0, 15,  4,  8,  6,  2, 10
        blake2b_ce_x2_round  6, 15, 14,  9, 11,  3,  0,  8, 12,  2, 13,  7,  1,  4, 10,  5
        blake2b_ce_x2_round 10,  2,  8,  4,  7,  6,  1,  5, 15, 11,  9, 14,  3, 12, 13,  0
        blake2b_ce_x2_round  0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15
        blake2b_ce_x2_round 14, 10,  4,  8,  9, 15, 13,  6,  1, 12,  0,  2, 11,  7,  5,  3

        ldp         q16, q17, [sp]                                      // h
        ldp         q18, q19, [sp, #32]
        ldp         q20, q21, [sp, #64]
        ldp         q22, q23, [sp, #96]
        sub         count, count, #1
        eor3        v0.16b, v0.16b, v8.16b, v16.16b
        eor3        v1.16b, v1.16b, v9.16b, v17.16b
        eor3        v2.16b, v2.16b, v10.16b, v18.16b
        eor3        v3.16b, v3.16b, v11.16b, v19.16b
        eor3        v4.16b, v4.16b, v12.16b, v20.16b
        eor3        v5.16b, v5.16b, v13.16b, v21.16b
        eor3        v6.16b, v6.16b, v14.16b, v22.16b
        eor3        v7.16b, v7.16b, v15.16b, v23.16b
        cbnz        count, 1b

        zip1        v16.2d, v0.2d, v1.2d
        zip2        v18.2d, v0.2d, v1.2d
        zip1        v17.2d, v2.2d, v3.2d
        zip2        v19.2d, v2.2d, v3.2d
        zip1        v20.2d, v4.2d, v5.2d
        zip2        v22.2d, v4.2d, v5.2d
        zip1        v21.2d, v6.2d, v7.2d
        zip2        v23.2d, v6.2d, v7.2d
        stp         q16, q17, [state0]
        stp         q18, q19, [state1]
        stp         q20, q21, [state0, #32]
        stp         q22, q23, [state1, #32]
        stp         t0_0, t1_0, [state0, #64]
        stp         t0_1, t1_1, [state1, #64]

        ld1         {v0.2d - v3.2d}, [constants]                        // nothing secret is left
        ld1         {v4.2d - v7.2d}, [constants]
        ld1         {v16.2d - v19.2d}, [constants]
        ld1         {v20.2d - v23.2d}, [constants]
        ld1         {v24.2d - v27.2d}, [constants]
        ld1         {v28.2d - v31.2d}, [constants]
        stp         q0, q1, [sp]
        stp         q2, q3, [sp, #32]
        stp         q0, q1, [sp, #64]
        stp         q2, q3, [sp, #96]
        ldp         d8, d9, [sp, #192]
        .cfi_restore d8
        .cfi_restore d9
        ldp         d10, d11, [sp, #208]
        .cfi_restore d10
        .cfi_restore d11
        ldp         d12, d13, [sp, #224]
        .cfi_restore d12
        .cfi_restore d13
        ldp         d14, d15, [sp, #240]
        .cfi_restore d14
        .cfi_restore d15
        add         sp, sp, #256
        .cfi_def_cfa_offset 0
9:      ret
        .cfi_endproc

        .balign     16
8:      .quad       0x6a09e667f3bcc908, 0x6a09e667f3bcc908              // IV[0 .. 3], each for both messages
        .quad       0xbb67ae8584caa73b, 0xbb67ae8584caa73b
        .quad       0x3c6ef372fe94f82b, 0x3c6ef372fe94f82b
        .quad       0xa54ff53a5f1d36f1, 0xa54ff53a5f1d36f1
        .quad       0x510e527fade682d1, 0x9b05688c2b3e6c1f              // IV[4 .. 7]
        .quad       0x1f83d9abfb41bd6b, 0x5be0cd19137e2179

        .purgem     blake2b_ce_x2_add
        .purgem     blake2b_ce_x2_xor_rotate
        .purgem     blake2b_ce_x2_round

        .unreq      state0
        .unreq      state1
        .unreq      blocks0
        .unreq      blocks1
        .unreq      count
        .unreq      increment
        .unreq      t0_0
        .unreq      t1_0
        .unreq      t0_1
        .unreq      t1_1
        .unreq      constants
        .unreq      IV4
        .unreq      IV5
        .unreq      m0
        .unreq      m1
        .unreq      m2
        .unreq      m3
        .unreq      m4
        .unreq      m5
        .unreq      m6
        .unreq      m7
        .unreq      m8
        .unreq      m9
        .unreq      m10
        .unreq      m11
        .unreq      m12
        .unreq      m13
        .unreq      m14
        .unreq      m15
