// BLAKE2s compression with FEAT_SHA3, one message
//
//     compress(state: *mut State, blocks: *const u8, count: usize, increment: usize)
//
// For each of the count blocks of 64 bytes: t = t + increment, then h = F(h, block, t, f), as RFC 7693, section 3.2.
// The state is h[8], t[2], f[2] as native words; f is only read. The message may stand at any address. With count = 0
// no memory is touched.
//
// Technique. FEAT_SHA3 rotates 64-bit lanes only, but XAR rotates a lane that holds a 32-bit word twice just as it
// would rotate the word. So each word stands twice in one 64-bit lane, additions act on 32-bit lanes, and XAR is the
// exclusive or and the rotation of G (RFC 7693, section 3.1) at once:
//     a = a + x + b,  d = (d ^ a) >>> 16,  c = c + d,  b = (b ^ c) >>> 12,
//     a = a + y + b,  d = (d ^ a) >>> 8,   c = c + d,  b = (b ^ c) >>> 7.
// The rows a = v[0..3], b = v[4..7], c = v[8..11], d = v[12..15] of the working vector are two registers each, so that
// one instruction serves two of the four G of a step. The longest path goes from b to b through one addition or XAR
// after the other; a + x and a + y do not wait for b. It bounds the speed: eight latencies a step, two steps a round.
// With single words in 32-bit lanes, two of the rotations would take shift and insert and the others a permutation,
// behind the exclusive or: 14 latencies. So nothing else may come upon the path: for the diagonal step b stays where it
// is; a, which is finished three instructions before b, moves by one word in one direction, c in the other, and d by
// two words, which is only a change of names.
//
// Registers
//     x0       state                       v0, v1      a          v16 .. v23  m[0 .. 15], two words a register
//     x1       block                       v2, v3      b          v24 .. v27  h[0 .. 7]
//     x2       blocks left                 v4, v5      c          v28         [a3, a0] in the diagonal step
//     x3       increment                   v6, v7      d          v29         [c1, c2] in the diagonal step
//     x4       t                                                  v30, v31    the pairs of message words to be added
//     x5       constants
// v8 .. v15 and the stack are not used.
//
// Cleared before return: v0 .. v7, v16 .. v31, by loading constants, four registers an instruction. All else that is
// written holds addresses, the count, or t.

        .arch_extension sha3

        state        .req    x0
        block        .req    x1
        count        .req    x2
        increment    .req    x3
        t            .req    x4
        constants    .req    x5

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

// xy = [m[i], m[j]], each word twice. Even words are in the lower lanes, odd ones in the upper lanes.
.macro  blake2s_ce_pair xy, i, j
    .if     (\i % 2 == 0) && (\j % 2 == 0)
        zip1        \xy\().2d, m\i\().2d, m\j\().2d
    .elseif (\i % 2 == 1) && (\j % 2 == 1)
        zip2        \xy\().2d, m\i\().2d, m\j\().2d
    .elseif (\i % 2 == 1)
        ext         \xy\().16b, m\i\().16b, m\j\().16b, #8
    .else
        mov         \xy\().16b, m\j\().16b
        mov         \xy\().d[0], m\i\().d[0]
    .endif
.endm

// xy = the message words i0 .. i3; nothing without i0.
.macro  blake2s_ce_words i0, i1, i2, i3
    .ifnb   \i0
        blake2s_ce_pair xy_01, \i0, \i1
        blake2s_ce_pair xy_23, \i2, \i3
    .endif
.endm

// w = w + x for two pairs of registers.
.macro  blake2s_ce_add w0, x0, w1, x1
        add         \w0\().4s, \w0\().4s, \x0\().4s
        add         \w1\().4s, \w1\().4s, \x1\().4s
.endm

// w = (w ^ x) >>> n for two pairs of registers.
.macro  blake2s_ce_xor_rotate n, w0, x0, w1, x1
        xar         \w0\().2d, \w0\().2d, \x0\().2d, #\n
        xar         \w1\().2d, \w1\().2d, \x1\().2d, #\n
.endm

// w0 = [upper lane of x0, lower lane of x1], w1 = [upper lane of x1, lower lane of x0]; w1 may be x0 or x1.
.macro  blake2s_ce_move w0, w1, x0, x1
        ext         \w0\().16b, \x0\().16b, \x1\().16b, #8
        ext         \w1\().16b, \x1\().16b, \x0\().16b, #8
.endm

// One round; s0 .. s15 is the row of SIGMA (RFC 7693, section 2.7), n0, n2, n4, n6 are from the next row if there is
// one. The words x of the columns are in xy before, those of the next round after.
.macro  blake2s_ce_round s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15, n0, n2, n4, n6
        blake2s_ce_add              a_01, xy_01, a_23, xy_23
        blake2s_ce_add              a_01, b_01, a_23, b_23
        blake2s_ce_words            \s1, \s3, \s5, \s7
        blake2s_ce_xor_rotate 16,   d_01, a_01, d_23, a_23
        blake2s_ce_add              a_01, xy_01, a_23, xy_23
        blake2s_ce_add              c_01, d_01, c_23, d_23
        blake2s_ce_xor_rotate 12,   b_01, c_01, b_23, c_23
        blake2s_ce_add              a_01, b_01, a_23, b_23
        blake2s_ce_words            \s14, \s8, \s10, \s12
        blake2s_ce_xor_rotate 8,    d_01, a_01, d_23, a_23
        blake2s_ce_move             a_30, a_12, a_23, a_01
        blake2s_ce_add              c_01, d_01, c_23, d_23
        blake2s_ce_xor_rotate 7,    b_01, c_01, b_23, c_23
        blake2s_ce_add              a_30, xy_01, a_12, xy_23
        blake2s_ce_move             c_12, c_30, c_01, c_23

        blake2s_ce_add              a_30, b_01, a_12, b_23
        blake2s_ce_words            \s15, \s9, \s11, \s13
        blake2s_ce_xor_rotate 16,   d_23, a_30, d_01, a_12
        blake2s_ce_add              a_30, xy_01, a_12, xy_23
        blake2s_ce_add              c_12, d_23, c_30, d_01
        blake2s_ce_xor_rotate 12,   b_01, c_12, b_23, c_30
        blake2s_ce_add              a_30, b_01, a_12, b_23
        blake2s_ce_words            \n0, \n2, \n4, \n6
        blake2s_ce_xor_rotate 8,    d_23, a_30, d_01, a_12
        blake2s_ce_move             a_01, a_23, a_30, a_12
        blake2s_ce_add              c_12, d_23, c_30, d_01
        blake2s_ce_xor_rotate 7,    b_01, c_12, b_23, c_30
        blake2s_ce_move             c_01, c_23, c_30, c_12
.endm

        .cfi_startproc
        hint        #34                                                 // bti c
        cbz         count, 9f

        adr         constants, 8f
        ldr         t, [state, #32]
        ldp         q24, q25, [state]
        zip1        a_01.4s, v24.4s, v24.4s                             // h
        zip2        a_23.4s, v24.4s, v24.4s
        zip1        b_01.4s, v25.4s, v25.4s
        zip2        b_23.4s, v25.4s, v25.4s

1:      add         t, t, increment
        ldp         q17, q19, [block]
        ldp         q21, q23, [block, #32]
        ldr         d29, [state, #40]                                   // f
        fmov        d28, t
        ldp         q6, q7, [constants, #32]                            // IV[4 .. 7]
        ldp         q4, q5, [constants]                                 // IV[0 .. 3]
        zip1        m0.4s, v17.4s, v17.4s                               // m
        zip2        m2.4s, v17.4s, v17.4s
        zip1        m4.4s, v19.4s, v19.4s
        zip2        m6.4s, v19.4s, v19.4s
        zip1        m8.4s, v21.4s, v21.4s
        zip2        m10.4s, v21.4s, v21.4s
        zip1        m12.4s, v23.4s, v23.4s
        zip2        m14.4s, v23.4s, v23.4s
        zip1        v28.4s, v28.4s, v28.4s
        zip1        v29.4s, v29.4s, v29.4s
        mov         h_01.16b, a_01.16b
        mov         h_23.16b, a_23.16b
        mov         h_45.16b, b_01.16b
        mov         h_67.16b, b_23.16b
        eor         d_01.16b, d_01.16b, v28.16b
        eor         d_23.16b, d_23.16b, v29.16b
        blake2s_ce_words 0, 2, 4, 6

        blake2s_ce_round  0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15,  14,  4,  9, 13
        blake2s_ce_round 14, 10,  4,  8,  9, 15, 13,  6,  1, 12,  0,  2, 11,  7,  5,  3,  11, 12,  5, 15
        blake2s_ce_round 11,  8, 12,  0,  5,  2, 15, 13, 10, 14,  3,  6,  7,  1,  9,  4,   7,  3, 13, 11
        blake2s_ce_round  7,  9,  3,  1, 13, 12, 11, 14,  2,  6,  5, 10,  4,  0, 15,  8,   9,  5,  2, 10
        blake2s_ce_round  9,  0,  5,  7,  2,  4, 10, 15, 14,  1, 11, 12,  6,  8,  3, 13,   2,  6,  0,  8
        blake2s_ce_round  2, 12,  6, 10,  0, 11,  8,  3,  4, 13,  7,  5, 15, 14,  1,  9,  12,  1, 14,  4
        blake2s_ce_round 12,  5,  1, 15, 14, 13,  4, 10,  0,  7,  6,  3,  9,  2,  8, 11,  13,  7, 12,  3
        blake2s_ce_round 13, 11,  7, 14, 12,  1,  3,  9,  5,  0, 15,  4,  8,  6,  2, 10,   6, 14, 11,  0
        blake2s_ce_round  6, 15, 14,  9, 11,  3,  0,  8, 12,  2, 13,  7,  1,  4, 10,  5,  10,  8,  7,  1
        blake2s_ce_round 10,  2,  8,  4,  7,  6,  1,  5, 15, 11,  9, 14,  3, 12, 13,  0

        add         block, block, #64
        sub         count, count, #1
        eor3        a_01.16b, a_01.16b, c_01.16b, h_01.16b
        eor3        a_23.16b, a_23.16b, c_23.16b, h_23.16b
        eor3        b_01.16b, b_01.16b, d_01.16b, h_45.16b
        eor3        b_23.16b, b_23.16b, d_23.16b, h_67.16b
        cbnz        count, 1b

        uzp1        a_01.4s, a_01.4s, a_23.4s
        uzp1        b_01.4s, b_01.4s, b_23.4s
        stp         q0, q2, [state]
        str         t, [state, #32]

        ld1         {v0.2d - v3.2d}, [constants]                        // constants where secrets were
        ld1         {v4.2d - v7.2d}, [constants]
        ld1         {v16.2d - v19.2d}, [constants]
        ld1         {v20.2d - v23.2d}, [constants]
        ld1         {v24.2d - v27.2d}, [constants]
        ld1         {v28.2d - v31.2d}, [constants]
9:      ret
        .cfi_endproc

        .balign     16
8:      .word       0x6a09e667, 0x6a09e667, 0xbb67ae85, 0xbb67ae85      // IV, RFC 7693, section 2.6, each word twice
        .word       0x3c6ef372, 0x3c6ef372, 0xa54ff53a, 0xa54ff53a
        .word       0x510e527f, 0x510e527f, 0x9b05688c, 0x9b05688c
        .word       0x1f83d9ab, 0x1f83d9ab, 0x5be0cd19, 0x5be0cd19

        .purgem     blake2s_ce_pair
        .purgem     blake2s_ce_words
        .purgem     blake2s_ce_add
        .purgem     blake2s_ce_xor_rotate
        .purgem     blake2s_ce_move
        .purgem     blake2s_ce_round

        .unreq      state
        .unreq      block
        .unreq      count
        .unreq      increment
        .unreq      t
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
