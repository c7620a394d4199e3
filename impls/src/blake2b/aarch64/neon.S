// BLAKE2b compression with NEON, one message
//
//     compress(state: *mut State, blocks: *const u8, count: usize, increment: usize)
//
// For each of the count blocks of 128 bytes: t += increment modulo 2^128, then h = F(h, m, t, f) as RFC 7693,
// section 3.2. State is h[8], t[2], f[2], 64-bit words; f is only read. Blocks are read at any address. With count = 0
// no memory is touched.
//
// Technique. A row of v is two vectors: ra0, ra1 are v[0..3], rb0, rb1 v[4..7], rc0, rc1 v[8..11], rd0, rd1 v[12..15].
// The latency of the chain b, a, d, c, b decides; the rest has time beside it.
// - Each word of m has a register of its own, in the lower half. TRN1 makes a vector of any two.
// - Rotation by 32 is REV64, by 24 and 16 a permutation of bytes, by 63 x + x with bit 0 inserted from bit 63.
// - For the diagonals a, c and d turn and b stays, so that no EXT is in the chain. d turns by exchange of rd0 and rd1,
//   ra0 and rc0 change their registers. Lane i of the rows then belongs to the diagonal of v[4+i]:
//         columns    v0 v1 v2 v3    v4 v5 v6 v7    v8 v9  v10 v11    v12 v13 v14 v15
//         diagonals  v3 v0 v1 v2    v4 v5 v6 v7    v9 v10 v11 v8     v14 v15 v12 v13
// For one message, integer instructions are faster on each model predicted: Cortex-A53, A57, Neoverse N1, V1, V2.
//
// Registers
//     x0  state                 v0 .. v7, v16 .. v23   m[0] .. m[15] in the lower half
//     x1  next block            v24, v25   ra0 in columns, diagonals    v28 .. v31 rd0, rd1, temporaries t0, t1
//     x2  blocks left           v8         ra1                          v13        IV[6..7] ^ f
//     x3  increment             v9, v10    rb0, rb1                      v14, v15   rotations by 24 and by 16 for TBL
//     x4  constants             v26, v27   rc0 in columns, diagonals
//     x5, x6  t                 v11        rc1
//
// Stack: 64 bytes: d8 .. d15 of the caller.
// Cleared before return: v0 .. v7, v16 .. v31, and the upper halves of v8 .. v15.

        .cfi_startproc
        hint        #34                                                 // bti c
        cbz         x2, 9f

        state        .req    x0
        blocks       .req    x1
        count        .req    x2
        increment    .req    x3
        ra0          .req    v24
        ra0_turned   .req    v25
        ra1          .req    v8
        rb0          .req    v9
        rb1          .req    v10
        rc0          .req    v26
        rc0_turned   .req    v27
        rc1          .req    v11
        rd0          .req    v28
        rd1          .req    v29
        t0           .req    v30
        t1           .req    v31
        v67          .req    v13
        rot24        .req    v14
        rot16        .req    v15
        m0           .req    v0
        m1           .req    v1
        m2           .req    v2
        m3           .req    v3
        m4           .req    v4
        m5           .req    v5
        m6           .req    v6
        m7           .req    v7
        m8           .req    v16
        m9           .req    v17
        m10          .req    v18
        m11          .req    v19
        m12          .req    v20
        m13          .req    v21
        m14          .req    v22
        m15          .req    v23

// a += [m[i0], m[i1], m[i2], m[i3]]
.macro  blake2b_neon_words ra0, i0, i1, i2, i3
        trn1        t0.2d, m\i0\().2d, m\i1\().2d
        trn1        t1.2d, m\i2\().2d, m\i3\().2d
        add         \ra0\().2d, \ra0\().2d, t0.2d
        add         ra1.2d, ra1.2d, t1.2d
.endm

// Four G from a += b up to the first new b; r = ROR.
.macro  blake2b_neon_first ra0, rc0, rd0, rd1
        add         \ra0\().2d, \ra0\().2d, rb0.2d                         // a += b
        add         ra1.2d, ra1.2d, rb1.2d
        eor         \rd0\().16b, \rd0\().16b, \ra0\().16b
        eor         \rd1\().16b, \rd1\().16b, ra1.16b
        rev64       \rd0\().4s, \rd0\().4s                                // d = r(d ^ a, 32)
        rev64       \rd1\().4s, \rd1\().4s
        add         \rc0\().2d, \rc0\().2d, \rd0\().2d                     // c += d
        add         rc1.2d, rc1.2d, \rd1\().2d
        eor         rb0.16b, rb0.16b, \rc0\().16b
        eor         rb1.16b, rb1.16b, rc1.16b
        tbl         rb0.16b, {rb0.16b}, rot24.16b                         // b = r(b ^ c, 24)
        tbl         rb1.16b, {rb1.16b}, rot24.16b
.endm

// Four G from the second a += b on.
.macro  blake2b_neon_second ra0, rc0, rd0, rd1
        add         \ra0\().2d, \ra0\().2d, rb0.2d                         // a += b
        add         ra1.2d, ra1.2d, rb1.2d
        eor         \rd0\().16b, \rd0\().16b, \ra0\().16b
        eor         \rd1\().16b, \rd1\().16b, ra1.16b
        tbl         \rd0\().16b, {\rd0\().16b}, rot16.16b                   // d = r(d ^ a, 16)
        tbl         \rd1\().16b, {\rd1\().16b}, rot16.16b
        add         \rc0\().2d, \rc0\().2d, \rd0\().2d                     // c += d
        add         rc1.2d, rc1.2d, \rd1\().2d
        eor         t0.16b, rb0.16b, \rc0\().16b
        eor         t1.16b, rb1.16b, rc1.16b
        add         rb0.2d, t0.2d, t0.2d                                 // b = r(b ^ c, 63)
        add         rb1.2d, t1.2d, t1.2d
        sri         rb0.2d, t0.2d, #63
        sri         rb1.2d, t1.2d, #63
.endm

// A round. The parameters are the row of SIGMA.
.macro  blake2b_neon_round s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15
        blake2b_neon_words  ra0, \s0, \s2, \s4, \s6
        blake2b_neon_first  ra0, rc0, rd0, rd1
        blake2b_neon_words  ra0, \s1, \s3, \s5, \s7
        blake2b_neon_second ra0, rc0, rd0, rd1
        ext         ra0_turned.16b, ra1.16b, ra0.16b, #8                   // v3, v0, v1, v2
        ext         ra1.16b, ra0.16b, ra1.16b, #8
        ext         rc0_turned.16b, rc0.16b, rc1.16b, #8                   // v9, v10, v11, v8
        ext         rc1.16b, rc1.16b, rc0.16b, #8
        blake2b_neon_words  ra0_turned, \s14, \s8, \s10, \s12
        blake2b_neon_first  ra0_turned, rc0_turned, rd1, rd0
        blake2b_neon_words  ra0_turned, \s15, \s9, \s11, \s13
        blake2b_neon_second ra0_turned, rc0_turned, rd1, rd0
        ext         ra0.16b, ra0_turned.16b, ra1.16b, #8                   // v0, v1, v2, v3
        ext         ra1.16b, ra1.16b, ra0_turned.16b, #8
        ext         rc0.16b, rc1.16b, rc0_turned.16b, #8                   // v8, v9, v10, v11
        ext         rc1.16b, rc0_turned.16b, rc1.16b, #8
.endm

        sub         sp, sp, #64
        .cfi_def_cfa_offset 64
        stp         d8, d9, [sp, #0]
        .cfi_rel_offset d8, 0
        .cfi_rel_offset d9, 8
        stp         d10, d11, [sp, #16]
        .cfi_rel_offset d10, 16
        .cfi_rel_offset d11, 24
        stp         d12, d13, [sp, #32]
        .cfi_rel_offset d12, 32
        .cfi_rel_offset d13, 40
        stp         d14, d15, [sp, #48]
        .cfi_rel_offset d14, 48
        .cfi_rel_offset d15, 56

        adr         x4, 8f
        ldr         q30, [state, #80]                                  // f
        ldp         q31, q13, [x4, #32]                              // IV[4..5], IV[6..7]
        ldp         q14, q15, [x4, #64]
        ldp         q24, q8, [state]                                // h
        ldp         q9, q10, [state, #32]
        ldp         x5, x6, [state, #64]                                // t
        eor         v67.16b, v67.16b, t0.16b

1:      adds        x5, x5, increment                                   // t += increment
        adc         x6, x6, xzr
        stp         x5, x6, [state, #64]
        ldp         d0, d1, [blocks, #0]
        ldp         d2, d3, [blocks, #16]
        ldp         d4, d5, [blocks, #32]
        ldp         d6, d7, [blocks, #48]
        ldp         d16, d17, [blocks, #64]
        ldp         d18, d19, [blocks, #80]
        ldp         d20, d21, [blocks, #96]
        ldp         d22, d23, [blocks, #112]
        ldr         q30, [state, #64]
        ldr         q28, [x4, #32]
        ldp         q26, q11, [x4]
        add         blocks, blocks, #128
        mov         rd1.16b, v67.16b
        eor         rd0.16b, rd0.16b, t0.16b

        blake2b_neon_round  0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15
        blake2b_neon_round 14, 10,  4,  8,  9, 15, 13,  6,  1, 12,  0,  2, 11,  7,  5,  3
        blake2b_neon_round 11,  8, 12,  0,  5,  2, 15, 13, 10, 14,  3,  6,  7,  1,  9,  4
        blake2b_neon_round  7,  9,  3,  1, 13, 12, 11, 14,  2,  6,  5, 10,  4,  0, 15,  8
        blake2b_neon_round  9,  0,  5,  7,  2,  4, 10, 15, 14,  1, 11, 12,  6,  8,  3, 13
        blake2b_neon_round  2, 12,  6, 10,  0, 11,  8,  3,  4, 13,  7,  5, 15, 14,  1,  9
        blake2b_neon_round 12,  5,  1, 15, 14, 13,  4, 10,  0,  7,  6,  3,  9,  2,  8, 11
        blake2b_neon_round 13, 11,  7, 14, 12,  1,  3,  9,  5,  0, 15,  4,  8,  6,  2, 10
        blake2b_neon_round  6, 15, 14,  9, 11,  3,  0,  8, 12,  2, 13,  7,  1,  4, 10,  5
        blake2b_neon_round 10,  2,  8,  4,  7,  6,  1,  5, 15, 11,  9, 14,  3, 12, 13,  0
        blake2b_neon_round  0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15
        blake2b_neon_round 14, 10,  4,  8,  9, 15, 13,  6,  1, 12,  0,  2, 11,  7,  5,  3

        // h ^= v[0..7] ^ v[8..15].
        ldp         q0, q1, [state]
        ldp         q2, q3, [state, #32]
        subs        count, count, #1
        eor         ra0.16b, ra0.16b, v0.16b
        eor         ra1.16b, ra1.16b, v1.16b
        eor         rd0.16b, rd0.16b, v2.16b
        eor         rd1.16b, rd1.16b, v3.16b
        eor         ra0.16b, ra0.16b, rc0.16b
        eor         ra1.16b, ra1.16b, rc1.16b
        eor         rb0.16b, rb0.16b, rd0.16b
        eor         rb1.16b, rb1.16b, rd1.16b
        stp         q24, q8, [state]
        stp         q9, q10, [state, #32]
        b.ne        1b

        // Clear what held secrets; d8 .. d11 are loaded below, which clears the upper halves.
.irp r, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        movi        v\r\().2d, #0
.endr
        ldp         d8, d9, [sp, #0]
        .cfi_restore d8
        .cfi_restore d9
        ldp         d10, d11, [sp, #16]
        .cfi_restore d10
        .cfi_restore d11
        ldp         d12, d13, [sp, #32]
        .cfi_restore d12
        .cfi_restore d13
        ldp         d14, d15, [sp, #48]
        .cfi_restore d14
        .cfi_restore d15
        add         sp, sp, #64
        .cfi_def_cfa_offset 0
9:      ret

        .balign     16
8:      .quad       0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1  // IV
        .quad       0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179
        .byte       3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10                            // r(x, 24)
        .byte       2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9                            // r(x, 16)
        .cfi_endproc

.irp macro, words, first, second, round
        .purgem blake2b_neon_\macro
.endr
.irp name, state, blocks, count, increment, ra0, ra0_turned, ra1, rb0, rb1, rc0, rc0_turned, rc1, rd0, rd1, t0, t1, v67, rot24, rot16
        .unreq  \name
.endr
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        .unreq  m\i
.endr
