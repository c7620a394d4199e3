// BLAKE2b compression with FEAT_SHA3, one message
//
//     compress(state: *mut State, blocks: *const u8, count: usize, increment: usize)
//
// For each of the count blocks of 128 bytes: t = t + increment, then h = F(h, block, t, f), as RFC 7693, section 3.2.
// The state is h[8], t[2], f[2] as native words; f is only read. The message may stand at any address. With count = 0
// no memory is touched.
//
// Technique. The rows a = v[0..3], b = v[4..7], c = v[8..11], d = v[12..15] of the working vector are two registers
// each, so that one instruction serves two of the four G of a step; XAR is the exclusive or and the rotation of G
// (RFC 7693, section 3.1) at once:
//     a = a + x + b,  d = (d ^ a) >>> 32,  c = c + d,  b = (b ^ c) >>> 24,
//     a = a + y + b,  d = (d ^ a) >>> 16,  c = c + d,  b = (b ^ c) >>> 63.
// The longest path goes from b to b through one addition or XAR after the other; a + x and a + y do not wait for b. It
// bounds the speed: eight latencies a step, two steps a round. So nothing else may come upon it: for the diagonal step
// b stays where it is; a, which is finished three instructions before b, moves by one word in one direction, c in the
// other, and d by two words, which is only a change of names. The message words are paired from the eight registers
// that hold them by one instruction a pair.
//
// Registers
//     x0       state                       v0, v1      a          v16 .. v23  m[0 .. 15], two words a register
//     x1       block                       v2, v3      b          v24 .. v27  h[0 .. 7]
//     x2       blocks left                 v4, v5      c          v28         [a3, a0] in the diagonal step
//     x3       increment                   v6, v7      d          v29         [c1, c2] in the diagonal step
//     x4, x5   t[0], t[1]                                         v30, v31    the pairs of message words to be added
//     x6       constants
// v8 .. v15 and the stack are not used.
//
// Cleared before return: v0 .. v7, v16 .. v31, by loading constants, four registers an instruction. All else that is
// written holds addresses, the count, or t.

        .arch_extension sha3

        state        .req    x0
        block        .req    x1
        count        .req    x2
        increment    .req    x3
        t0           .req    x4
        t1           .req    x5
        constants    .req    x6

        a_01         .req    v0
        a_23         .req    v1
        b_01         .req    v2
        b_23         .req    v3
        c_01         .req    v4
        c_23         .req    v5
        d_01         .req    v6
        d_23         .req    v7
        h_01         .req    v24
        h_23         .req    v25
        h_45         .req    v26
        h_67         .req    v27
        a_30         .req    v28
        a_12         .req    v1
        c_12         .req    v29
        c_30         .req    v5
        xy_01        .req    v30
        xy_23        .req    v31
        xy_01_d      .req    d30
        xy_23_d      .req    d31

        m0           .req    v16
        m1           .req    v16
        m2           .req    v17
        m3           .req    v17
        m4           .req    v18
        m5           .req    v18
        m6           .req    v19
        m7           .req    v19
        m8           .req    v20
        m9           .req    v20
        m10          .req    v21
        m11          .req    v21
        m12          .req    v22
        m13          .req    v22
        m14          .req    v23
        m15          .req    v23

// xy = [m[i], m[j]]. Even words are in the lower lanes, odd ones in the upper lanes.
.macro  blake2b_ce_pair xy, i, j
    .if     (\i % 2 == 0) && (\j % 2 == 0)
        zip1        \xy\().2d, m\i\().2d, m\j\().2d
    .elseif (\i % 2 == 1) && (\j % 2 == 1)
        zip2        \xy\().2d, m\i\().2d, m\j\().2d
    .elseif (\i % 2 == 1)
        ext         \xy\().16b, m\i\().16b, m\j\().16b, #8
    .else
        ldr         \xy\()_d, [block, #8 * \i]
        mov         \xy\().d[1], m\j\().d[1]
    .endif
.endm

// xy = the message words i0 .. i3; nothing without i0.
.macro  blake2b_ce_words i0, i1, i2, i3
    .ifnb   \i0
        blake2b_ce_pair xy_01, \i0, \i1
        blake2b_ce_pair xy_23, \i2, \i3
    .endif
.endm

// w = w + x for two pairs of registers.
.macro  blake2b_ce_add w0, x0, w1, x1
        add         \w0\().2d, \w0\().2d, \x0\().2d
        add         \w1\().2d, \w1\().2d, \x1\().2d
.endm

// w = (w ^ x) >>> n for two pairs of registers.
.macro  blake2b_ce_xor_rotate n, w0, x0, w1, x1
        xar         \w0\().2d, \w0\().2d, \x0\().2d, #\n
        xar         \w1\().2d, \w1\().2d, \x1\().2d, #\n
.endm

// w0 = [upper word of x0, lower word of x1], w1 = [upper word of x1, lower word of x0]; w1 may be x0 or x1.
.macro  blake2b_ce_move w0, w1, x0, x1
        ext         \w0\().16b, \x0\().16b, \x1\().16b, #8
        ext         \w1\().16b, \x1\().16b, \x0\().16b, #8
.endm

// One round; s0 .. s15 is the row of SIGMA (RFC 7693, section 2.7), n0, n2, n4, n6 are from the next row if there is
// one. The words x of the columns are in xy before, those of the next round after.
.macro  blake2b_ce_round s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15, n0, n2, n4, n6
        blake2b_ce_add              a_01, xy_01, a_23, xy_23
        blake2b_ce_add              a_01, b_01, a_23, b_23
        blake2b_ce_words            \s1, \s3, \s5, \s7
        blake2b_ce_xor_rotate 32,   d_01, a_01, d_23, a_23
        blake2b_ce_add              a_01, xy_01, a_23, xy_23
        blake2b_ce_add              c_01, d_01, c_23, d_23
        blake2b_ce_xor_rotate 24,   b_01, c_01, b_23, c_23
        blake2b_ce_add              a_01, b_01, a_23, b_23
        blake2b_ce_words            \s14, \s8, \s10, \s12
        blake2b_ce_xor_rotate 16,   d_01, a_01, d_23, a_23
        blake2b_ce_move             a_30, a_12, a_23, a_01
        blake2b_ce_add              c_01, d_01, c_23, d_23
        blake2b_ce_xor_rotate 63,   b_01, c_01, b_23, c_23
        blake2b_ce_add              a_30, xy_01, a_12, xy_23
        blake2b_ce_move             c_12, c_30, c_01, c_23

        blake2b_ce_add              a_30, b_01, a_12, b_23
        blake2b_ce_words            \s15, \s9, \s11, \s13
        blake2b_ce_xor_rotate 32,   d_23, a_30, d_01, a_12
        blake2b_ce_add              a_30, xy_01, a_12, xy_23
        blake2b_ce_add              c_12, d_23, c_30, d_01
        blake2b_ce_xor_rotate 24,   b_01, c_12, b_23, c_30
        blake2b_ce_add              a_30, b_01, a_12, b_23
        blake2b_ce_words            \n0, \n2, \n4, \n6
        blake2b_ce_xor_rotate 16,   d_23, a_30, d_01, a_12
        blake2b_ce_move             a_01, a_23, a_30, a_12
        blake2b_ce_add              c_12, d_23, c_30, d_01
        blake2b_ce_xor_rotate 63,   b_01, c_12, b_23, c_30
        blake2b_ce_move             c_01, c_23, c_30, c_12
.endm

        .cfi_startproc
        hint        #34                                                 // bti c
        cbz         count, 9f

        adr         constants, 8f
        ldp         t0, t1, [state, #64]
        ldp         q0, q1, [state]                                     // h
        ldp         q2, q3, [state, #32]

1:      adds        t0, t0, increment
        adc         t1, t1, xzr
        stp         t0, t1, [state, #64]
        ldp         q16, q17, [block]                                   // m
        ldp         q18, q19, [block, #32]
        ldp         q20, q21, [block, #64]
        ldp         q22, q23, [block, #96]
        ldr         q28, [state, #64]                                   // t
        ldr         q29, [state, #80]                                   // f
        ldp         q6, q7, [constants, #32]                            // IV[4 .. 7]
        ldp         q4, q5, [constants]                                 // IV[0 .. 3]
        mov         h_01.16b, a_01.16b
        mov         h_23.16b, a_23.16b
        mov         h_45.16b, b_01.16b
        mov         h_67.16b, b_23.16b
        blake2b_ce_words 0, 2, 4, 6
        eor         d_01.16b, d_01.16b, v28.16b
        eor         d_23.16b, d_23.16b, v29.16b

        blake2b_ce_round  0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15,  14,  4,  9, 13
        blake2b_ce_round 14, 10,  4,  8,  9, 15, 13,  6,  1, 12,  0,  2, 11,  7,  5,  3,  11, 12,  5, 15
        blake2b_ce_round 11,  8, 12,  0,  5,  2, 15, 13, 10, 14,  3,  6,  7,  1,  9,  4,   7,  3, 13, 11
        blake2b_ce_round  7,  9,  3,  1, 13, 12, 11, 14,  2,  6,  5, 10,  4,  0, 15,  8,   9,  5,  2, 10
        blake2b_ce_round  9,  0,  5,  7,  2,  4, 10, 15, 14,  1, 11, 12,  6,  8,  3, 13,   2,  6,  0,  8
        blake2b_ce_round  2, 12,  6, 10,  0, 11,  8,  3,  4, 13,  7,  5, 15, 14,  1,  9,  12,  1, 14,  4
        blake2b_ce_round 12,  5,  1, 15, 14, 13,  4, 10,  0,  7,  6,  3,  9,  2,  8, 11,  13,  7, 12,  3
        blake2b_ce_round 13, 11,  7, 14, 12,  1,  3,  9,  5,  0, 15,  4,  8,  6,  2, 10,   6, 14, 11,  0
        blake2b_ce_round  6, 15, 14,  9, 11,  3,  0,  8, 12,  2, 13,  7,  1,  4, 10,  5,  10,  8,  7,  1
        blake2b_ce_round 10,  2,  8,  4,  7,  6,  1,  5, 15, 11,  9, 14,  3, 12, 13,  0,   0,  2,  4,  6
        blake2b_ce_round  0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15,  14,  4,  9, 13
        blake2b_ce_round 14, 10,  4,  8,  9, 15, 13,  6,  1, 12,  0,  2, 11,  7,  5,  3

        add         block, block, #128
        sub         count, count, #1
        eor3        a_01.16b, a_01.16b, c_01.16b, h_01.16b
        eor3        a_23.16b, a_23.16b, c_23.16b, h_23.16b
        eor3        b_01.16b, b_01.16b, d_01.16b, h_45.16b
        eor3        b_23.16b, b_23.16b, d_23.16b, h_67.16b
        cbnz        count, 1b

        stp         q0, q1, [state]
        stp         q2, q3, [state, #32]

        ld1         {v0.2d - v3.2d}, [constants]                        // constants where secrets were
        ld1         {v4.2d - v7.2d}, [constants]
        ld1         {v16.2d - v19.2d}, [constants]
        ld1         {v20.2d - v23.2d}, [constants]
        ld1         {v24.2d - v27.2d}, [constants]
        ld1         {v28.2d - v31.2d}, [constants]
9:      ret
        .cfi_endproc

        .balign     16
8:      .quad       0x6a09e667f3bcc908, 0xbb67ae8584caa73b              // IV, RFC 7693, section 2.6
        .quad       0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1
        .quad       0x510e527fade682d1, 0x9b05688c2b3e6c1f
        .quad       0x1f83d9abfb41bd6b, 0x5be0cd19137e2179

        .purgem     blake2b_ce_pair
        .purgem     blake2b_ce_words
        .purgem     blake2b_ce_add
        .purgem     blake2b_ce_xor_rotate
        .purgem     blake2b_ce_move
        .purgem     blake2b_ce_round

        .unreq      state
        .unreq      block
        .unreq      count
        .unreq      increment
        .unreq      t0
        .unreq      t1
        .unreq      constants
        .unreq      a_01
        .unreq      a_23
        .unreq      b_01
        .unreq      b_23
        .unreq      c_01
        .unreq      c_23
        .unreq      d_01
        .unreq      d_23
        .unreq      h_01
        .unreq      h_23
        .unreq      h_45
        .unreq      h_67
        .unreq      a_30
        .unreq      a_12
        .unreq      c_12
        .unreq      c_30
        .unreq      xy_01
        .unreq      xy_23
        .unreq      xy_01_d
        .unreq      xy_23_d
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
