// BLAKE2b compression with integer and NEON instructions side by side, two messages
//
//     compress_x2(state0: *mut State, state1: *mut State, blocks0: *const u8, blocks1: *const u8, count: usize,
//                 increment: usize)
//
// For each message, for each of its count blocks of 128 bytes: t += increment modulo 2^128, then h = F(h, m, t, f) as
// RFC 7693, section 3.2. State is h[8], t[2], f[2], 64-bit words; f is only read. Blocks are read at any address and
// may overlap. With count = 0 no memory is touched.
//
// Technique. A block takes integer instructions about half the time that it takes NEON, whose limit is the latency of
// the chain b, a, d, c, b and which leaves the integer units free. So two blocks of one message are compressed by
// integer instructions (integer part) while one block of the other is compressed by NEON (vector part); then the parts
// change messages, and after that both are three blocks further. The integer part begins with message 0. At the end
// there may be a block of one or of each message for the integer part alone.
//
// Integer part. G is, with r = ROR,
//     a += b + x,  d = r(d ^ a, 32),  c += d,  b = r(b ^ c, 24),
//     a += b + y,  d = r(d ^ a, 16),  c += d,  b = r(b ^ c, 63).
// - r(d ^ a, 32) is made as r(d, 32) ^ r(a, 32): d is rotated as soon as it has been added to c, and the other rotation
//   is free in EOR. Plain rotations are written as ORR with zero, for the pipe of shifted operands where there is one.
// - The sixteen words of v and thirteen message words stay in registers. Which word gives way to which was computed:
//   49 words are loaded over a block, the fewest that thirteen registers allow.
// Vector part. A row of v is two vectors, ra0, ra1 for v[0..3] and so on to rd0, rd1 for v[12..15].
// - Each word of m has a register of its own, in the lower half. TRN1 makes a vector of any two.
// - Rotation by 32 is REV64, by 24 and 16 a permutation of bytes, by 63 x + x with bit 0 inserted from bit 63.
// - For the diagonals a, c and d turn and b stays, so that no EXT is in the chain. d turns by exchange of rd0 and rd1,
//   ra0 and rc0 change their registers. Lane i of the rows then belongs to the diagonal of v[4+i]:
//         columns    v0 v1 v2 v3    v4 v5 v6 v7    v8 v9  v10 v11    v12 v13 v14 v15
//         diagonals  v3 v0 v1 v2    v4 v5 v6 v7    v9 v10 v11 v8     v14 v15 v12 v13
// A half round of the integer part stands beside half of a half round of the vector part. Within the macros the
// instructions of the vector part are indented and in groups, which serves cores that issue in order.
//
// Registers
//     x4 .. x17, x19, x20        xv0 .. xv15: v of the integer part; between its blocks xv0 .. xv7 are h
//     x21 .. x30, x0, x1, x2     thirteen of its message words, named xm0 .. xm15 as long as they are there
//     x3                         its block
//     x0 .. x2                   between blocks: its state, temporary, increment
//     v0 .. v7, v16 .. v23       m[0] .. m[15] of the vector part
//     v24, v25, v8               ra0 in columns, ra0 in diagonals, ra1
//     v9, v10                    rb0, rb1
//     v26, v27, v11              rc0 in columns, rc0 in diagonals, rc1
//     v28, v29                   rd0, rd1
//     v30, v31, v12, v13         temporaries t0, t1, u0, u1
//     v14, v15                   rotations by 24 and by 16 for TBL
//
// Stack: 224 bytes: x19 .. x30 and d8 .. d15 of the caller, pointers and counts. None of it is secret.
// Cleared before return: x0 .. x17, v0 .. v7, v16 .. v31, and the upper halves of v8 .. v15.

        .cfi_startproc
        hint        #34                                                 // bti c
        cbz         x4, 9f

        xstate       .req    x0
        xincrement   .req    x2
        xblock       .req    x3
        xv0          .req    x4
        xv1          .req    x5
        xv2          .req    x6
        xv3          .req    x7
        xv4          .req    x8
        xv5          .req    x9
        xv6          .req    x10
        xv7          .req    x11
        xv8          .req    x12
        xv9          .req    x13
        xv10         .req    x14
        xv11         .req    x15
        xv12         .req    x16
        xv13         .req    x17
        xv14         .req    x19
        xv15         .req    x20
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
        u0           .req    v12
        u1           .req    v13
        rot24        .req    v14
        rot16        .req    v15
        rm0          .req    v0
        rm1          .req    v1
        rm2          .req    v2
        rm3          .req    v3
        rm4          .req    v4
        rm5          .req    v5
        rm6          .req    v6
        rm7          .req    v7
        rm8          .req    v16
        rm9          .req    v17
        rm10         .req    v18
        rm11         .req    v19
        rm12         .req    v20
        rm13         .req    v21
        rm14         .req    v22
        rm15         .req    v23

// Message words of the integer part: the first thirteen registers to hold one, at the start of each block.
.macro  blake2b_neon_x2_names
        xm0          .req    x21
        xm1          .req    x22
        xm2          .req    x23
        xm3          .req    x24
        xm4          .req    x25
        xm5          .req    x26
        xm6          .req    x27
        xm7          .req    x28
        xm8          .req    x29
        xm9          .req    x30
        xm10         .req    x0
        xm11         .req    x1
        xm12         .req    x2
.endm

// Load m[new] in place of m[old].
.macro  blake2b_neon_x2_load new, old
        xm\new .req xm\old
        .unreq      xm\old
        ldr         xm\new, [xblock, #8 * \new]
.endm

// Load m[new0] and m[new1], new1 = new0 + 1, in place of m[old0] and m[old1].
.macro  blake2b_neon_x2_load_pair new0, new1, old0, old1
        xm\new0 .req xm\old0
        xm\new1 .req xm\old1
        .unreq      xm\old0
        .unreq      xm\old1
        ldp         xm\new0, xm\new1, [xblock, #8 * \new0]
.endm

// a += x, or a += y, in four G of the integer part.
.macro  blake2b_neon_x2_words i0, i1, i2, i3
        add         xv0, xv0, xm\i0
        add         xv1, xv1, xm\i1
        add         xv2, xv2, xm\i2
        add         xv3, xv3, xm\i3
.endm

// Start of a block of the integer part: t += increment, v[8] .. v[15], the first message words.
.macro  blake2b_neon_x2_begin
        ldp         xv8, xv9, [xstate, #64]                             // t
        ldp         xm0, xm1, [xblock]
        ldp         xm2, xm3, [xblock, #16]
        ldp         xv10, xv11, [xstate, #80]                           // f
        adds        xv8, xv8, xincrement
        adr         x1, 8f
        adc         xv9, xv9, xzr
        ldp         xv12, xv13, [x1, #32]                               // IV[4..7], rotated by 32
        ldp         xv14, xv15, [x1, #48]
        stp         xv8, xv9, [xstate, #64]
        ldp         xm4, xm5, [xblock, #32]
        eor         xv12, xv12, xv8, ror #32
        eor         xv13, xv13, xv9, ror #32
        eor         xv14, xv14, xv10, ror #32
        eor         xv15, xv15, xv11, ror #32
        ldp         xv8, xv9, [x1]                                      // IV[0..3]
        ldp         xv10, xv11, [x1, #16]
        ldp         xm6, xm7, [xblock, #48]
.endm

// End of a block of the integer part: h ^= v[0..7] ^ v[8..15], the last b being still to be rotated by 63.
.macro  blake2b_neon_x2_end
        ldp         xstate, xincrement, [sp, #160]
        add         xblock, xblock, #128
        ldp         x21, x22, [xstate]
        ldp         x23, x24, [xstate, #16]
        ldp         x25, x26, [xstate, #32]
        ldp         x27, x28, [xstate, #48]
        eor         xv0, xv0, xv8
        eor         xv1, xv1, xv9
        eor         xv2, xv2, xv10
        eor         xv3, xv3, xv11
        eor         xv0, xv0, x21
        eor         xv1, xv1, x22
        eor         xv2, xv2, x23
        eor         xv3, xv3, x24
        eor         xv12, xv12, x25
        eor         xv13, xv13, x26
        eor         xv14, xv14, x27
        eor         xv15, xv15, x28
        stp         xv0, xv1, [xstate]
        eor         xv4, xv12, xv4, ror #63
        eor         xv5, xv13, xv5, ror #63
        stp         xv2, xv3, [xstate, #16]
        eor         xv6, xv14, xv6, ror #63
        eor         xv7, xv15, xv7, ror #63
        stp         xv4, xv5, [xstate, #32]
        stp         xv6, xv7, [xstate, #48]
.endm

// Four G of the integer part alone, from a += b up to the first new b; r = ROR. In: d rotated by 32.
.macro  blake2b_neon_x2_columns_first
        add         xv0, xv0, xv4                                       // a += b
        add         xv1, xv1, xv5
        add         xv2, xv2, xv6
        add         xv3, xv3, xv7
        eor         xv12, xv12, xv0, ror #32                            // d = r(d ^ a, 32)
        eor         xv13, xv13, xv1, ror #32
        eor         xv14, xv14, xv2, ror #32
        eor         xv15, xv15, xv3, ror #32
        add         xv8, xv8, xv12                                      // c += d
        add         xv9, xv9, xv13
        add         xv10, xv10, xv14
        add         xv11, xv11, xv15
        eor         xv4, xv4, xv8
        eor         xv5, xv5, xv9
        eor         xv6, xv6, xv10
        eor         xv7, xv7, xv11
        orr         xv4, xzr, xv4, ror #24                              // b = r(b ^ c, 24)
        orr         xv5, xzr, xv5, ror #24
        orr         xv6, xzr, xv6, ror #24
        orr         xv7, xzr, xv7, ror #24
.endm

.macro  blake2b_neon_x2_diagonals_first
        add         xv0, xv0, xv5                                       // a += b
        add         xv1, xv1, xv6
        add         xv2, xv2, xv7
        add         xv3, xv3, xv4
        eor         xv15, xv15, xv0, ror #32                            // d = r(d ^ a, 32)
        eor         xv12, xv12, xv1, ror #32
        eor         xv13, xv13, xv2, ror #32
        eor         xv14, xv14, xv3, ror #32
        add         xv10, xv10, xv15                                    // c += d
        add         xv11, xv11, xv12
        add         xv8, xv8, xv13
        add         xv9, xv9, xv14
        eor         xv5, xv5, xv10
        eor         xv6, xv6, xv11
        eor         xv7, xv7, xv8
        eor         xv4, xv4, xv9
        orr         xv5, xzr, xv5, ror #24                              // b = r(b ^ c, 24)
        orr         xv6, xzr, xv6, ror #24
        orr         xv7, xzr, xv7, ror #24
        orr         xv4, xzr, xv4, ror #24
.endm

// From the second a += b on. Out: d rotated by 32; in the last half round d, and b before its rotation.
.macro  blake2b_neon_x2_columns_second last=0
        add         xv0, xv0, xv4                                       // a += b
        add         xv1, xv1, xv5
        add         xv2, xv2, xv6
        add         xv3, xv3, xv7
        eor         xv12, xv12, xv0
        eor         xv13, xv13, xv1
        eor         xv14, xv14, xv2
        eor         xv15, xv15, xv3
        orr         xv12, xzr, xv12, ror #16                            // d = r(d ^ a, 16)
        orr         xv13, xzr, xv13, ror #16
        orr         xv14, xzr, xv14, ror #16
        orr         xv15, xzr, xv15, ror #16
        add         xv8, xv8, xv12                                      // c += d
        add         xv9, xv9, xv13
        add         xv10, xv10, xv14
        add         xv11, xv11, xv15
  .if !\last
        orr         xv12, xzr, xv12, ror #32                            // r(d, 32)
        orr         xv13, xzr, xv13, ror #32
        orr         xv14, xzr, xv14, ror #32
        orr         xv15, xzr, xv15, ror #32
  .endif
        eor         xv4, xv4, xv8
        eor         xv5, xv5, xv9
        eor         xv6, xv6, xv10
        eor         xv7, xv7, xv11
  .if !\last
        orr         xv4, xzr, xv4, ror #63                              // b = r(b ^ c, 63)
        orr         xv5, xzr, xv5, ror #63
        orr         xv6, xzr, xv6, ror #63
        orr         xv7, xzr, xv7, ror #63
  .endif
.endm

.macro  blake2b_neon_x2_diagonals_second last=0
        add         xv0, xv0, xv5                                       // a += b
        add         xv1, xv1, xv6
        add         xv2, xv2, xv7
        add         xv3, xv3, xv4
        eor         xv15, xv15, xv0
        eor         xv12, xv12, xv1
        eor         xv13, xv13, xv2
        eor         xv14, xv14, xv3
        orr         xv15, xzr, xv15, ror #16                            // d = r(d ^ a, 16)
        orr         xv12, xzr, xv12, ror #16
        orr         xv13, xzr, xv13, ror #16
        orr         xv14, xzr, xv14, ror #16
        add         xv10, xv10, xv15                                    // c += d
        add         xv11, xv11, xv12
        add         xv8, xv8, xv13
        add         xv9, xv9, xv14
  .if !\last
        orr         xv15, xzr, xv15, ror #32                            // r(d, 32)
        orr         xv12, xzr, xv12, ror #32
        orr         xv13, xzr, xv13, ror #32
        orr         xv14, xzr, xv14, ror #32
  .endif
        eor         xv5, xv5, xv10
        eor         xv6, xv6, xv11
        eor         xv7, xv7, xv8
        eor         xv4, xv4, xv9
  .if !\last
        orr         xv5, xzr, xv5, ror #63                              // b = r(b ^ c, 63)
        orr         xv6, xzr, xv6, ror #63
        orr         xv7, xzr, xv7, ror #63
        orr         xv4, xzr, xv4, ror #63
  .endif
.endm

// The same four half G of the integer part beside a quarter round of the vector part (set in): there, with the names
// of that part, columns are the even rounds of the integer part and diagonals the odd ones.
//     columns_first     beside  a += b, d = r(d ^ a, 32)
//     columns_second    beside  c += d, b = r(b ^ c, 24), then a += [m[i0], m[i1], m[i2], m[i3]]
//     diagonals_first   beside  a += b, d = r(d ^ a, 16), turning a
//     diagonals_second  beside  c += d, b = r(b ^ c, 63), turning c, a += [m[i0], m[i1], m[i2], m[i3]]
.macro  blake2b_neon_x2_even_columns_first
          add         ra0.2d, ra0.2d, rb0.2d
          add         ra1.2d, ra1.2d, rb1.2d
        add         xv0, xv0, xv4                                       // a += b
        add         xv1, xv1, xv5
        add         xv2, xv2, xv6
        add         xv3, xv3, xv7
        eor         xv12, xv12, xv0, ror #32                            // d = r(d ^ a, 32)
        eor         xv13, xv13, xv1, ror #32
        eor         xv14, xv14, xv2, ror #32
          eor         rd0.16b, rd0.16b, ra0.16b
          eor         rd1.16b, rd1.16b, ra1.16b
        eor         xv15, xv15, xv3, ror #32
        add         xv8, xv8, xv12                                      // c += d
        add         xv9, xv9, xv13
        add         xv10, xv10, xv14
        add         xv11, xv11, xv15
        eor         xv4, xv4, xv8
        eor         xv5, xv5, xv9
          rev64       rd0.4s, rd0.4s
          rev64       rd1.4s, rd1.4s
        eor         xv6, xv6, xv10
        eor         xv7, xv7, xv11
        orr         xv4, xzr, xv4, ror #24                              // b = r(b ^ c, 24)
        orr         xv5, xzr, xv5, ror #24
        orr         xv6, xzr, xv6, ror #24
        orr         xv7, xzr, xv7, ror #24
.endm

.macro  blake2b_neon_x2_even_columns_second i0, i1, i2, i3
          add         rc0.2d, rc0.2d, rd0.2d
          add         rc1.2d, rc1.2d, rd1.2d
          trn1        u0.2d, rm\i0\().2d, rm\i1\().2d
          trn1        u1.2d, rm\i2\().2d, rm\i3\().2d
        add         xv0, xv0, xv4                                       // a += b
        add         xv1, xv1, xv5
        add         xv2, xv2, xv6
        add         xv3, xv3, xv7
        eor         xv12, xv12, xv0
        eor         xv13, xv13, xv1
        eor         xv14, xv14, xv2
        eor         xv15, xv15, xv3
        orr         xv12, xzr, xv12, ror #16                            // d = r(d ^ a, 16)
        orr         xv13, xzr, xv13, ror #16
          eor         rb0.16b, rb0.16b, rc0.16b
          eor         rb1.16b, rb1.16b, rc1.16b
          add         ra0.2d, ra0.2d, u0.2d
          add         ra1.2d, ra1.2d, u1.2d
        orr         xv14, xzr, xv14, ror #16
        orr         xv15, xzr, xv15, ror #16
        add         xv8, xv8, xv12                                      // c += d
        add         xv9, xv9, xv13
        add         xv10, xv10, xv14
        add         xv11, xv11, xv15
        orr         xv12, xzr, xv12, ror #32                            // r(d, 32)
        orr         xv13, xzr, xv13, ror #32
        orr         xv14, xzr, xv14, ror #32
          tbl         rb0.16b, {rb0.16b}, rot24.16b
          tbl         rb1.16b, {rb1.16b}, rot24.16b
        orr         xv15, xzr, xv15, ror #32
        eor         xv4, xv4, xv8
        eor         xv5, xv5, xv9
        eor         xv6, xv6, xv10
        eor         xv7, xv7, xv11
        orr         xv4, xzr, xv4, ror #63                              // b = r(b ^ c, 63)
        orr         xv5, xzr, xv5, ror #63
        orr         xv6, xzr, xv6, ror #63
        orr         xv7, xzr, xv7, ror #63
.endm

.macro  blake2b_neon_x2_even_diagonals_first
          add         ra0.2d, ra0.2d, rb0.2d
          add         ra1.2d, ra1.2d, rb1.2d
        add         xv0, xv0, xv5                                       // a += b
        add         xv1, xv1, xv6
        add         xv2, xv2, xv7
        add         xv3, xv3, xv4
        eor         xv15, xv15, xv0, ror #32                            // d = r(d ^ a, 32)
        eor         xv12, xv12, xv1, ror #32
        eor         xv13, xv13, xv2, ror #32
          eor         rd0.16b, rd0.16b, ra0.16b
          eor         rd1.16b, rd1.16b, ra1.16b
        eor         xv14, xv14, xv3, ror #32
        add         xv10, xv10, xv15                                    // c += d
        add         xv11, xv11, xv12
        add         xv8, xv8, xv13
        add         xv9, xv9, xv14
        eor         xv5, xv5, xv10
        eor         xv6, xv6, xv11
          ext         ra0_turned.16b, ra1.16b, ra0.16b, #8
          ext         ra1.16b, ra0.16b, ra1.16b, #8
          tbl         rd0.16b, {rd0.16b}, rot16.16b
          tbl         rd1.16b, {rd1.16b}, rot16.16b
        eor         xv7, xv7, xv8
        eor         xv4, xv4, xv9
        orr         xv5, xzr, xv5, ror #24                              // b = r(b ^ c, 24)
        orr         xv6, xzr, xv6, ror #24
        orr         xv7, xzr, xv7, ror #24
        orr         xv4, xzr, xv4, ror #24
.endm

.macro  blake2b_neon_x2_even_diagonals_second i0, i1, i2, i3
          add         rc0.2d, rc0.2d, rd0.2d
          add         rc1.2d, rc1.2d, rd1.2d
          trn1        u0.2d, rm\i0\().2d, rm\i1\().2d
          trn1        u1.2d, rm\i2\().2d, rm\i3\().2d
        add         xv0, xv0, xv5                                       // a += b
        add         xv1, xv1, xv6
        add         xv2, xv2, xv7
        add         xv3, xv3, xv4
        eor         xv15, xv15, xv0
        eor         xv12, xv12, xv1
        eor         xv13, xv13, xv2
          eor         t0.16b, rb0.16b, rc0.16b
          eor         t1.16b, rb1.16b, rc1.16b
          ext         rc0_turned.16b, rc0.16b, rc1.16b, #8
          ext         rc1.16b, rc1.16b, rc0.16b, #8
          add         ra0_turned.2d, ra0_turned.2d, u0.2d
          add         ra1.2d, ra1.2d, u1.2d
        eor         xv14, xv14, xv3
        orr         xv15, xzr, xv15, ror #16                            // d = r(d ^ a, 16)
        orr         xv12, xzr, xv12, ror #16
        orr         xv13, xzr, xv13, ror #16
        orr         xv14, xzr, xv14, ror #16
        add         xv10, xv10, xv15                                    // c += d
        add         xv11, xv11, xv12
          add         rb0.2d, t0.2d, t0.2d
          add         rb1.2d, t1.2d, t1.2d
        add         xv8, xv8, xv13
        add         xv9, xv9, xv14
        orr         xv15, xzr, xv15, ror #32                            // r(d, 32)
        orr         xv12, xzr, xv12, ror #32
        orr         xv13, xzr, xv13, ror #32
        orr         xv14, xzr, xv14, ror #32
        eor         xv5, xv5, xv10
          sri         rb0.2d, t0.2d, #63
          sri         rb1.2d, t1.2d, #63
        eor         xv6, xv6, xv11
        eor         xv7, xv7, xv8
        eor         xv4, xv4, xv9
        orr         xv5, xzr, xv5, ror #63                              // b = r(b ^ c, 63)
        orr         xv6, xzr, xv6, ror #63
        orr         xv7, xzr, xv7, ror #63
        orr         xv4, xzr, xv4, ror #63
.endm

.macro  blake2b_neon_x2_odd_columns_first
          add         ra0_turned.2d, ra0_turned.2d, rb0.2d
          add         ra1.2d, ra1.2d, rb1.2d
        add         xv0, xv0, xv4                                       // a += b
        add         xv1, xv1, xv5
        add         xv2, xv2, xv6
        add         xv3, xv3, xv7
        eor         xv12, xv12, xv0, ror #32                            // d = r(d ^ a, 32)
        eor         xv13, xv13, xv1, ror #32
        eor         xv14, xv14, xv2, ror #32
          eor         rd1.16b, rd1.16b, ra0_turned.16b
          eor         rd0.16b, rd0.16b, ra1.16b
        eor         xv15, xv15, xv3, ror #32
        add         xv8, xv8, xv12                                      // c += d
        add         xv9, xv9, xv13
        add         xv10, xv10, xv14
        add         xv11, xv11, xv15
        eor         xv4, xv4, xv8
        eor         xv5, xv5, xv9
          rev64       rd1.4s, rd1.4s
          rev64       rd0.4s, rd0.4s
        eor         xv6, xv6, xv10
        eor         xv7, xv7, xv11
        orr         xv4, xzr, xv4, ror #24                              // b = r(b ^ c, 24)
        orr         xv5, xzr, xv5, ror #24
        orr         xv6, xzr, xv6, ror #24
        orr         xv7, xzr, xv7, ror #24
.endm

.macro  blake2b_neon_x2_odd_columns_second i0, i1, i2, i3
          add         rc0_turned.2d, rc0_turned.2d, rd1.2d
          add         rc1.2d, rc1.2d, rd0.2d
          trn1        u0.2d, rm\i0\().2d, rm\i1\().2d
          trn1        u1.2d, rm\i2\().2d, rm\i3\().2d
        add         xv0, xv0, xv4                                       // a += b
        add         xv1, xv1, xv5
        add         xv2, xv2, xv6
        add         xv3, xv3, xv7
        eor         xv12, xv12, xv0
        eor         xv13, xv13, xv1
        eor         xv14, xv14, xv2
        eor         xv15, xv15, xv3
        orr         xv12, xzr, xv12, ror #16                            // d = r(d ^ a, 16)
        orr         xv13, xzr, xv13, ror #16
          eor         rb0.16b, rb0.16b, rc0_turned.16b
          eor         rb1.16b, rb1.16b, rc1.16b
          add         ra0_turned.2d, ra0_turned.2d, u0.2d
          add         ra1.2d, ra1.2d, u1.2d
        orr         xv14, xzr, xv14, ror #16
        orr         xv15, xzr, xv15, ror #16
        add         xv8, xv8, xv12                                      // c += d
        add         xv9, xv9, xv13
        add         xv10, xv10, xv14
        add         xv11, xv11, xv15
        orr         xv12, xzr, xv12, ror #32                            // r(d, 32)
        orr         xv13, xzr, xv13, ror #32
        orr         xv14, xzr, xv14, ror #32
          tbl         rb0.16b, {rb0.16b}, rot24.16b
          tbl         rb1.16b, {rb1.16b}, rot24.16b
        orr         xv15, xzr, xv15, ror #32
        eor         xv4, xv4, xv8
        eor         xv5, xv5, xv9
        eor         xv6, xv6, xv10
        eor         xv7, xv7, xv11
        orr         xv4, xzr, xv4, ror #63                              // b = r(b ^ c, 63)
        orr         xv5, xzr, xv5, ror #63
        orr         xv6, xzr, xv6, ror #63
        orr         xv7, xzr, xv7, ror #63
.endm

.macro  blake2b_neon_x2_odd_diagonals_first
          add         ra0_turned.2d, ra0_turned.2d, rb0.2d
          add         ra1.2d, ra1.2d, rb1.2d
        add         xv0, xv0, xv5                                       // a += b
        add         xv1, xv1, xv6
        add         xv2, xv2, xv7
        add         xv3, xv3, xv4
        eor         xv15, xv15, xv0, ror #32                            // d = r(d ^ a, 32)
        eor         xv12, xv12, xv1, ror #32
        eor         xv13, xv13, xv2, ror #32
          eor         rd1.16b, rd1.16b, ra0_turned.16b
          eor         rd0.16b, rd0.16b, ra1.16b
        eor         xv14, xv14, xv3, ror #32
        add         xv10, xv10, xv15                                    // c += d
        add         xv11, xv11, xv12
        add         xv8, xv8, xv13
        add         xv9, xv9, xv14
        eor         xv5, xv5, xv10
        eor         xv6, xv6, xv11
          ext         ra0.16b, ra0_turned.16b, ra1.16b, #8
          ext         ra1.16b, ra1.16b, ra0_turned.16b, #8
          tbl         rd1.16b, {rd1.16b}, rot16.16b
          tbl         rd0.16b, {rd0.16b}, rot16.16b
        eor         xv7, xv7, xv8
        eor         xv4, xv4, xv9
        orr         xv5, xzr, xv5, ror #24                              // b = r(b ^ c, 24)
        orr         xv6, xzr, xv6, ror #24
        orr         xv7, xzr, xv7, ror #24
        orr         xv4, xzr, xv4, ror #24
.endm

.macro  blake2b_neon_x2_odd_diagonals_second i0, i1, i2, i3
          add         rc0_turned.2d, rc0_turned.2d, rd1.2d
          add         rc1.2d, rc1.2d, rd0.2d
          trn1        u0.2d, rm\i0\().2d, rm\i1\().2d
          trn1        u1.2d, rm\i2\().2d, rm\i3\().2d
        add         xv0, xv0, xv5                                       // a += b
        add         xv1, xv1, xv6
        add         xv2, xv2, xv7
        add         xv3, xv3, xv4
        eor         xv15, xv15, xv0
        eor         xv12, xv12, xv1
        eor         xv13, xv13, xv2
          eor         t0.16b, rb0.16b, rc0_turned.16b
          eor         t1.16b, rb1.16b, rc1.16b
          ext         rc0.16b, rc1.16b, rc0_turned.16b, #8
          ext         rc1.16b, rc0_turned.16b, rc1.16b, #8
          add         ra0.2d, ra0.2d, u0.2d
          add         ra1.2d, ra1.2d, u1.2d
        eor         xv14, xv14, xv3
        orr         xv15, xzr, xv15, ror #16                            // d = r(d ^ a, 16)
        orr         xv12, xzr, xv12, ror #16
        orr         xv13, xzr, xv13, ror #16
        orr         xv14, xzr, xv14, ror #16
        add         xv10, xv10, xv15                                    // c += d
        add         xv11, xv11, xv12
          add         rb0.2d, t0.2d, t0.2d
          add         rb1.2d, t1.2d, t1.2d
        add         xv8, xv8, xv13
        add         xv9, xv9, xv14
        orr         xv15, xzr, xv15, ror #32                            // r(d, 32)
        orr         xv12, xzr, xv12, ror #32
        orr         xv13, xzr, xv13, ror #32
        orr         xv14, xzr, xv14, ror #32
        eor         xv5, xv5, xv10
          sri         rb0.2d, t0.2d, #63
          sri         rb1.2d, t1.2d, #63
        eor         xv6, xv6, xv11
        eor         xv7, xv7, xv8
        eor         xv4, xv4, xv9
        orr         xv5, xzr, xv5, ror #63                              // b = r(b ^ c, 63)
        orr         xv6, xzr, xv6, ror #63
        orr         xv7, xzr, xv7, ror #63
        orr         xv4, xzr, xv4, ror #63
.endm

// The last quarter of a block of the integer part, beside round 5 or 11 of the vector part; \words = 0 in round 11.
.macro  blake2b_neon_x2_last words, i0=0, i1=0, i2=0, i3=0
          add         rc0_turned.2d, rc0_turned.2d, rd1.2d
          add         rc1.2d, rc1.2d, rd0.2d
  .if \words
          trn1        u0.2d, rm\i0\().2d, rm\i1\().2d
          trn1        u1.2d, rm\i2\().2d, rm\i3\().2d
  .endif
        add         xv0, xv0, xv5                                       // a += b
        add         xv1, xv1, xv6
        add         xv2, xv2, xv7
        add         xv3, xv3, xv4
        eor         xv15, xv15, xv0
          eor         t0.16b, rb0.16b, rc0_turned.16b
          eor         t1.16b, rb1.16b, rc1.16b
          ext         rc0.16b, rc1.16b, rc0_turned.16b, #8
          ext         rc1.16b, rc0_turned.16b, rc1.16b, #8
  .if \words
          add         ra0.2d, ra0.2d, u0.2d
          add         ra1.2d, ra1.2d, u1.2d
  .endif
        eor         xv12, xv12, xv1
        eor         xv13, xv13, xv2
        eor         xv14, xv14, xv3
        orr         xv15, xzr, xv15, ror #16                            // d = r(d ^ a, 16)
        orr         xv12, xzr, xv12, ror #16
          add         rb0.2d, t0.2d, t0.2d
          add         rb1.2d, t1.2d, t1.2d
        orr         xv13, xzr, xv13, ror #16
        orr         xv14, xzr, xv14, ror #16
        add         xv10, xv10, xv15                                    // c += d
        add         xv11, xv11, xv12
        add         xv8, xv8, xv13
          sri         rb0.2d, t0.2d, #63
          sri         rb1.2d, t1.2d, #63
        add         xv9, xv9, xv14
        eor         xv5, xv5, xv10
        eor         xv6, xv6, xv11
        eor         xv7, xv7, xv8
        eor         xv4, xv4, xv9
.endm

        sub         sp, sp, #224
        .cfi_def_cfa_offset 224
        stp         x29, x30, [sp, #0]
        .cfi_rel_offset x29, 0
        .cfi_rel_offset x30, 8
        stp         x19, x20, [sp, #16]
        .cfi_rel_offset x19, 16
        .cfi_rel_offset x20, 24
        stp         x21, x22, [sp, #32]
        .cfi_rel_offset x21, 32
        .cfi_rel_offset x22, 40
        stp         x23, x24, [sp, #48]
        .cfi_rel_offset x23, 48
        .cfi_rel_offset x24, 56
        stp         x25, x26, [sp, #64]
        .cfi_rel_offset x25, 64
        .cfi_rel_offset x26, 72
        stp         x27, x28, [sp, #80]
        .cfi_rel_offset x27, 80
        .cfi_rel_offset x28, 88
        stp         d8, d9, [sp, #96]
        .cfi_rel_offset d8, 96
        .cfi_rel_offset d9, 104
        stp         d10, d11, [sp, #112]
        .cfi_rel_offset d10, 112
        .cfi_rel_offset d11, 120
        stp         d12, d13, [sp, #128]
        .cfi_rel_offset d12, 128
        .cfi_rel_offset d13, 136
        stp         d14, d15, [sp, #144]
        .cfi_rel_offset d14, 144
        .cfi_rel_offset d15, 152

        // Stack: at 160 state, increment, block of the integer part; at 184 state, block of the vector part; at 200 how
        // often two blocks beside one are left; at 208 how many blocks (0, 1) are then left for the integer part alone, of
        // the message it has then and of the other:
        //     count mod 3 = 0: no more;    1: one of each;    2: two beside one once more, then one.
        mov         x8, #3
        udiv        x9, x4, x8
        msub        x10, x9, x8, x4                                     // count mod 3
        lsr         x11, x10, #1
        and         x12, x10, #1
        add         x9, x11, x9, lsl #1                                 // 2 floor(count / 3), and 1 if count mod 3 = 2
        add         x11, x11, x12
        stp         x0, x5, [sp, #160]
        stp         x2, x1, [sp, #176]
        stp         x3, x9, [sp, #192]
        stp         x11, x12, [sp, #208]
        adr         x10, 8f
        ldp         q14, q15, [x10, #96]
        cbz         x9, 3f

        // Two blocks of the integer part, one of the vector part.
1:      ldp         xblock, x1, [sp, #176]
        ldr         x4, [sp, #192]
        adr         x5, 8f
        ldp         x6, x7, [x1, #64]                                   // t
        ldp         xstate, xincrement, [sp, #160]
        ldp         d0, d1, [x4, #0]
        ldp         d2, d3, [x4, #16]
        ldp         d4, d5, [x4, #32]
        ldp         d6, d7, [x4, #48]
        ldp         d16, d17, [x4, #64]
        ldp         d18, d19, [x4, #80]
        ldp         d20, d21, [x4, #96]
        ldp         d22, d23, [x4, #112]
        adds        x6, x6, xincrement                                  // t += increment
        adc         x7, x7, xzr
        stp         x6, x7, [x1, #64]
        ldp         q24, q8, [x1]                                // h
        ldp         q9, q10, [x1, #32]
        ldp         q30, q31, [x1, #64]                             // t, f
        ldp         q26, q11, [x5]                                // IV[0..3]
        ldp         q28, q29, [x5, #64]                           // IV[4..7]
        trn1        u0.2d, rm0.2d, rm2.2d
        trn1        u1.2d, rm4.2d, rm6.2d
        eor         rd0.16b, rd0.16b, t0.16b
        eor         rd1.16b, rd1.16b, t1.16b
        add         ra0.2d, ra0.2d, u0.2d
        add         ra1.2d, ra1.2d, u1.2d
        ldp         xv0, xv1, [xstate]
        ldp         xv2, xv3, [xstate, #16]
        ldp         xv4, xv5, [xstate, #32]
        ldp         xv6, xv7, [xstate, #48]

        blake2b_neon_x2_names
        blake2b_neon_x2_begin

        // Round 0; vector part: round 0, columns
        blake2b_neon_x2_words 0, 2, 4, 6
        blake2b_neon_x2_even_columns_first
        blake2b_neon_x2_words 1, 3, 5, 7
        ldp         xm8, xm9, [xblock, #8 * 8]
        ldp         xm10, xm11, [xblock, #8 * 10]
        xm13 .req xm5
        .unreq      xm5
        ldp         xm12, xm13, [xblock, #8 * 12]
        blake2b_neon_x2_load_pair 14, 15, 6, 7
        blake2b_neon_x2_even_columns_second 1, 3, 5, 7
        blake2b_neon_x2_words 8, 10, 12, 14
        blake2b_neon_x2_even_diagonals_first
        blake2b_neon_x2_words 9, 11, 13, 15
        blake2b_neon_x2_even_diagonals_second 14, 8, 10, 12

        // Round 1; vector part: round 0, diagonals
        blake2b_neon_x2_words 14, 4, 9, 13
        blake2b_neon_x2_load_pair 6, 7, 9, 14
        blake2b_neon_x2_odd_columns_first
        blake2b_neon_x2_words 10, 8, 15, 6
        blake2b_neon_x2_load 5, 8
        blake2b_neon_x2_odd_columns_second 15, 9, 11, 13
        blake2b_neon_x2_words 1, 0, 11, 5
        blake2b_neon_x2_odd_diagonals_first
        blake2b_neon_x2_words 12, 2, 7, 3
        blake2b_neon_x2_odd_diagonals_second 14, 4, 9, 13

        // Round 2; vector part: round 1, columns
        blake2b_neon_x2_words 11, 12, 5, 15
        blake2b_neon_x2_load_pair 8, 9, 12, 15
        blake2b_neon_x2_even_columns_first
        blake2b_neon_x2_words 8, 0, 2, 13
        blake2b_neon_x2_even_columns_second 10, 8, 15, 6
        blake2b_neon_x2_words 10, 3, 7, 9
        blake2b_neon_x2_load 14, 5
        blake2b_neon_x2_even_diagonals_first
        blake2b_neon_x2_words 14, 6, 1, 4
        blake2b_neon_x2_even_diagonals_second 5, 1, 0, 11

        // Round 3; vector part: round 1, diagonals
        blake2b_neon_x2_words 7, 3, 13, 11
        blake2b_neon_x2_load 12, 13
        blake2b_neon_x2_odd_columns_first
        blake2b_neon_x2_words 9, 1, 12, 14
        blake2b_neon_x2_load 5, 12
        blake2b_neon_x2_load 15, 14
        blake2b_neon_x2_odd_columns_second 3, 12, 2, 7
        blake2b_neon_x2_words 2, 5, 4, 15
        blake2b_neon_x2_odd_diagonals_first
        blake2b_neon_x2_words 6, 10, 0, 8
        blake2b_neon_x2_odd_diagonals_second 11, 12, 5, 15

        // Round 4; vector part: round 2, columns
        blake2b_neon_x2_words 9, 5, 2, 10
        blake2b_neon_x2_even_columns_first
        blake2b_neon_x2_words 0, 7, 4, 15
        blake2b_neon_x2_load 14, 5
        blake2b_neon_x2_even_columns_second 8, 0, 2, 13
        blake2b_neon_x2_words 14, 11, 6, 3
        blake2b_neon_x2_load_pair 12, 13, 4, 14
        blake2b_neon_x2_even_diagonals_first
        blake2b_neon_x2_words 1, 12, 8, 13
        blake2b_neon_x2_even_diagonals_second 9, 10, 3, 7

        // Round 5; vector part: round 2, diagonals
        blake2b_neon_x2_words 2, 6, 0, 8
        blake2b_neon_x2_odd_columns_first
        blake2b_neon_x2_words 12, 10, 11, 3
        blake2b_neon_x2_load_pair 4, 5, 6, 11
        blake2b_neon_x2_odd_columns_second 4, 14, 6, 1
        blake2b_neon_x2_words 4, 7, 15, 1
        blake2b_neon_x2_load 14, 7
        blake2b_neon_x2_odd_diagonals_first
        blake2b_neon_x2_words 13, 5, 14, 9
        blake2b_neon_x2_odd_diagonals_second 7, 3, 13, 11

        // Round 6; vector part: round 3, columns
        blake2b_neon_x2_words 12, 1, 14, 4
        blake2b_neon_x2_even_columns_first
        blake2b_neon_x2_words 5, 15, 13, 10
        blake2b_neon_x2_load_pair 6, 7, 14, 15
        blake2b_neon_x2_even_columns_second 9, 1, 12, 14
        blake2b_neon_x2_words 0, 6, 9, 8
        blake2b_neon_x2_load 11, 10
        blake2b_neon_x2_even_diagonals_first
        blake2b_neon_x2_words 7, 3, 2, 11
        blake2b_neon_x2_even_diagonals_second 15, 2, 5, 4

        // Round 7; vector part: round 3, diagonals
        blake2b_neon_x2_words 13, 7, 12, 3
        blake2b_neon_x2_load_pair 14, 15, 12, 13
        blake2b_neon_x2_odd_columns_first
        blake2b_neon_x2_words 11, 14, 1, 9
        blake2b_neon_x2_odd_columns_second 8, 6, 10, 0
        blake2b_neon_x2_words 5, 15, 8, 2
        blake2b_neon_x2_load 10, 7
        blake2b_neon_x2_odd_diagonals_first
        blake2b_neon_x2_words 0, 4, 6, 10
        blake2b_neon_x2_odd_diagonals_second 9, 5, 2, 10

        // Round 8; vector part: round 4, columns
        blake2b_neon_x2_words 6, 14, 11, 0
        blake2b_neon_x2_even_columns_first
        blake2b_neon_x2_words 15, 9, 3, 8
        blake2b_neon_x2_load_pair 12, 13, 14, 15
        blake2b_neon_x2_even_columns_second 0, 7, 4, 15
        blake2b_neon_x2_words 12, 13, 1, 10
        blake2b_neon_x2_load 7, 12
        blake2b_neon_x2_even_diagonals_first
        blake2b_neon_x2_words 2, 7, 4, 5
        blake2b_neon_x2_even_diagonals_second 3, 14, 11, 6

        // Round 9; vector part: round 4, diagonals
        blake2b_neon_x2_words 10, 8, 7, 1
        blake2b_neon_x2_odd_columns_first
        blake2b_neon_x2_words 2, 4, 6, 5
        blake2b_neon_x2_load_pair 14, 15, 8, 10
        blake2b_neon_x2_odd_columns_second 13, 1, 12, 8
        blake2b_neon_x2_words 15, 9, 3, 13
        blake2b_neon_x2_load 12, 9
        blake2b_neon_x2_odd_diagonals_first
        blake2b_neon_x2_words 11, 14, 12, 0
        blake2b_neon_x2_odd_diagonals_second 2, 6, 0, 8

        // Round 10; vector part: round 5, columns
        blake2b_neon_x2_words 0, 2, 4, 6
        blake2b_neon_x2_even_columns_first
        blake2b_neon_x2_words 1, 3, 5, 7
        blake2b_neon_x2_load_pair 8, 9, 5, 6
        blake2b_neon_x2_load 10, 7
        blake2b_neon_x2_even_columns_second 12, 10, 11, 3
        blake2b_neon_x2_words 8, 10, 12, 14
        blake2b_neon_x2_even_diagonals_first
        blake2b_neon_x2_words 9, 11, 13, 15
        blake2b_neon_x2_even_diagonals_second 1, 4, 7, 15

        // Round 11; vector part: round 5, diagonals
        blake2b_neon_x2_words 14, 4, 9, 13
        blake2b_neon_x2_load_pair 6, 7, 13, 14
        blake2b_neon_x2_odd_columns_first
        blake2b_neon_x2_words 10, 8, 15, 6
        blake2b_neon_x2_load 5, 15
        blake2b_neon_x2_odd_columns_second 9, 13, 5, 14
        blake2b_neon_x2_words 1, 0, 11, 5
        blake2b_neon_x2_odd_diagonals_first
        blake2b_neon_x2_words 12, 2, 7, 3
        blake2b_neon_x2_last 1, 12, 1, 14, 4

        blake2b_neon_x2_end
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
        .unreq      xm\i
.endr

        blake2b_neon_x2_names
        blake2b_neon_x2_begin

        // Round 0; vector part: round 6, columns
        blake2b_neon_x2_words 0, 2, 4, 6
        blake2b_neon_x2_even_columns_first
        blake2b_neon_x2_words 1, 3, 5, 7
        ldp         xm8, xm9, [xblock, #8 * 8]
        ldp         xm10, xm11, [xblock, #8 * 10]
        xm13 .req xm5
        .unreq      xm5
        ldp         xm12, xm13, [xblock, #8 * 12]
        blake2b_neon_x2_load_pair 14, 15, 6, 7
        blake2b_neon_x2_even_columns_second 5, 15, 13, 10
        blake2b_neon_x2_words 8, 10, 12, 14
        blake2b_neon_x2_even_diagonals_first
        blake2b_neon_x2_words 9, 11, 13, 15
        blake2b_neon_x2_even_diagonals_second 8, 0, 6, 9

        // Round 1; vector part: round 6, diagonals
        blake2b_neon_x2_words 14, 4, 9, 13
        blake2b_neon_x2_load_pair 6, 7, 9, 14
        blake2b_neon_x2_odd_columns_first
        blake2b_neon_x2_words 10, 8, 15, 6
        blake2b_neon_x2_load 5, 8
        blake2b_neon_x2_odd_columns_second 11, 7, 3, 2
        blake2b_neon_x2_words 1, 0, 11, 5
        blake2b_neon_x2_odd_diagonals_first
        blake2b_neon_x2_words 12, 2, 7, 3
        blake2b_neon_x2_odd_diagonals_second 13, 7, 12, 3

        // Round 2; vector part: round 7, columns
        blake2b_neon_x2_words 11, 12, 5, 15
        blake2b_neon_x2_load_pair 8, 9, 12, 15
        blake2b_neon_x2_even_columns_first
        blake2b_neon_x2_words 8, 0, 2, 13
        blake2b_neon_x2_even_columns_second 11, 14, 1, 9
        blake2b_neon_x2_words 10, 3, 7, 9
        blake2b_neon_x2_load 14, 5
        blake2b_neon_x2_even_diagonals_first
        blake2b_neon_x2_words 14, 6, 1, 4
        blake2b_neon_x2_even_diagonals_second 2, 5, 15, 8

        // Round 3; vector part: round 7, diagonals
        blake2b_neon_x2_words 7, 3, 13, 11
        blake2b_neon_x2_load 12, 13
        blake2b_neon_x2_odd_columns_first
        blake2b_neon_x2_words 9, 1, 12, 14
        blake2b_neon_x2_load 5, 12
        blake2b_neon_x2_load 15, 14
        blake2b_neon_x2_odd_columns_second 10, 0, 4, 6
        blake2b_neon_x2_words 2, 5, 4, 15
        blake2b_neon_x2_odd_diagonals_first
        blake2b_neon_x2_words 6, 10, 0, 8
        blake2b_neon_x2_odd_diagonals_second 6, 14, 11, 0

        // Round 4; vector part: round 8, columns
        blake2b_neon_x2_words 9, 5, 2, 10
        blake2b_neon_x2_even_columns_first
        blake2b_neon_x2_words 0, 7, 4, 15
        blake2b_neon_x2_load 14, 5
        blake2b_neon_x2_even_columns_second 15, 9, 3, 8
        blake2b_neon_x2_words 14, 11, 6, 3
        blake2b_neon_x2_load_pair 12, 13, 4, 14
        blake2b_neon_x2_even_diagonals_first
        blake2b_neon_x2_words 1, 12, 8, 13
        blake2b_neon_x2_even_diagonals_second 10, 12, 13, 1

        // Round 5; vector part: round 8, diagonals
        blake2b_neon_x2_words 2, 6, 0, 8
        blake2b_neon_x2_odd_columns_first
        blake2b_neon_x2_words 12, 10, 11, 3
        blake2b_neon_x2_load_pair 4, 5, 6, 11
        blake2b_neon_x2_odd_columns_second 5, 2, 7, 4
        blake2b_neon_x2_words 4, 7, 15, 1
        blake2b_neon_x2_load 14, 7
        blake2b_neon_x2_odd_diagonals_first
        blake2b_neon_x2_words 13, 5, 14, 9
        blake2b_neon_x2_odd_diagonals_second 10, 8, 7, 1

        // Round 6; vector part: round 9, columns
        blake2b_neon_x2_words 12, 1, 14, 4
        blake2b_neon_x2_even_columns_first
        blake2b_neon_x2_words 5, 15, 13, 10
        blake2b_neon_x2_load_pair 6, 7, 14, 15
        blake2b_neon_x2_even_columns_second 2, 4, 6, 5
        blake2b_neon_x2_words 0, 6, 9, 8
        blake2b_neon_x2_load 11, 10
        blake2b_neon_x2_even_diagonals_first
        blake2b_neon_x2_words 7, 3, 2, 11
        blake2b_neon_x2_even_diagonals_second 13, 15, 9, 3

        // Round 7; vector part: round 9, diagonals
        blake2b_neon_x2_words 13, 7, 12, 3
        blake2b_neon_x2_load_pair 14, 15, 12, 13
        blake2b_neon_x2_odd_columns_first
        blake2b_neon_x2_words 11, 14, 1, 9
        blake2b_neon_x2_odd_columns_second 0, 11, 14, 12
        blake2b_neon_x2_words 5, 15, 8, 2
        blake2b_neon_x2_load 10, 7
        blake2b_neon_x2_odd_diagonals_first
        blake2b_neon_x2_words 0, 4, 6, 10
        blake2b_neon_x2_odd_diagonals_second 0, 2, 4, 6

        // Round 8; vector part: round 10, columns
        blake2b_neon_x2_words 6, 14, 11, 0
        blake2b_neon_x2_even_columns_first
        blake2b_neon_x2_words 15, 9, 3, 8
        blake2b_neon_x2_load_pair 12, 13, 14, 15
        blake2b_neon_x2_even_columns_second 1, 3, 5, 7
        blake2b_neon_x2_words 12, 13, 1, 10
        blake2b_neon_x2_load 7, 12
        blake2b_neon_x2_even_diagonals_first
        blake2b_neon_x2_words 2, 7, 4, 5
        blake2b_neon_x2_even_diagonals_second 14, 8, 10, 12

        // Round 9; vector part: round 10, diagonals
        blake2b_neon_x2_words 10, 8, 7, 1
        blake2b_neon_x2_odd_columns_first
        blake2b_neon_x2_words 2, 4, 6, 5
        blake2b_neon_x2_load_pair 14, 15, 8, 10
        blake2b_neon_x2_odd_columns_second 15, 9, 11, 13
        blake2b_neon_x2_words 15, 9, 3, 13
        blake2b_neon_x2_load 12, 9
        blake2b_neon_x2_odd_diagonals_first
        blake2b_neon_x2_words 11, 14, 12, 0
        blake2b_neon_x2_odd_diagonals_second 14, 4, 9, 13

        // Round 10; vector part: round 11, columns
        blake2b_neon_x2_words 0, 2, 4, 6
        blake2b_neon_x2_even_columns_first
        blake2b_neon_x2_words 1, 3, 5, 7
        blake2b_neon_x2_load_pair 8, 9, 5, 6
        blake2b_neon_x2_load 10, 7
        blake2b_neon_x2_even_columns_second 10, 8, 15, 6
        blake2b_neon_x2_words 8, 10, 12, 14
        blake2b_neon_x2_even_diagonals_first
        blake2b_neon_x2_words 9, 11, 13, 15
        blake2b_neon_x2_even_diagonals_second 5, 1, 0, 11

        // Round 11; vector part: round 11, diagonals
        blake2b_neon_x2_words 14, 4, 9, 13
        blake2b_neon_x2_load_pair 6, 7, 13, 14
        blake2b_neon_x2_odd_columns_first
        blake2b_neon_x2_words 10, 8, 15, 6
        blake2b_neon_x2_load 5, 15
        blake2b_neon_x2_odd_columns_second 3, 12, 2, 7
        blake2b_neon_x2_words 1, 0, 11, 5
        blake2b_neon_x2_odd_diagonals_first
        blake2b_neon_x2_words 12, 2, 7, 3
        blake2b_neon_x2_last 0

        blake2b_neon_x2_end
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
        .unreq      xm\i
.endr

        // h ^= v[0..7] ^ v[8..15] of the vector part, and the parts change messages.
        ldp         x1, x4, [sp, #184]
        ldr         x5, [sp, #200]
        ldp         q0, q1, [x1]
        ldp         q2, q3, [x1, #32]
        stp         x3, x5, [sp, #192]
        add         x4, x4, #128
        subs        x5, x5, #1
        str         x1, [sp, #160]
        stp         x4, xstate, [sp, #176]
        str         x5, [sp, #200]
        eor         ra0.16b, ra0.16b, v0.16b
        eor         ra1.16b, ra1.16b, v1.16b
        eor         rd0.16b, rd0.16b, v2.16b
        eor         rd1.16b, rd1.16b, v3.16b
        eor         ra0.16b, ra0.16b, rc0.16b
        eor         ra1.16b, ra1.16b, rc1.16b
        eor         rb0.16b, rb0.16b, rd0.16b
        eor         rb1.16b, rb1.16b, rd1.16b
        stp         q24, q8, [x1]
        stp         q9, q10, [x1, #32]
        b.ne        1b

        // One block of the integer part alone, as often as is left, at most twice.
3:      ldr         x8, [sp, #208]
        cbz         x8, 4f
        ldp         xstate, xincrement, [sp, #160]
        ldr         xblock, [sp, #176]
        ldp         xv0, xv1, [xstate]
        ldp         xv2, xv3, [xstate, #16]
        ldp         xv4, xv5, [xstate, #32]
        ldp         xv6, xv7, [xstate, #48]
        blake2b_neon_x2_names
        blake2b_neon_x2_begin

        // Round 0
        blake2b_neon_x2_words 0, 2, 4, 6
        blake2b_neon_x2_columns_first
        blake2b_neon_x2_words 1, 3, 5, 7
        ldp         xm8, xm9, [xblock, #8 * 8]
        ldp         xm10, xm11, [xblock, #8 * 10]
        xm13 .req xm5
        .unreq      xm5
        ldp         xm12, xm13, [xblock, #8 * 12]
        blake2b_neon_x2_load_pair 14, 15, 6, 7
        blake2b_neon_x2_columns_second
        blake2b_neon_x2_words 8, 10, 12, 14
        blake2b_neon_x2_diagonals_first
        blake2b_neon_x2_words 9, 11, 13, 15
        blake2b_neon_x2_diagonals_second

        // Round 1
        blake2b_neon_x2_words 14, 4, 9, 13
        blake2b_neon_x2_load_pair 6, 7, 9, 14
        blake2b_neon_x2_columns_first
        blake2b_neon_x2_words 10, 8, 15, 6
        blake2b_neon_x2_load 5, 8
        blake2b_neon_x2_columns_second
        blake2b_neon_x2_words 1, 0, 11, 5
        blake2b_neon_x2_diagonals_first
        blake2b_neon_x2_words 12, 2, 7, 3
        blake2b_neon_x2_diagonals_second

        // Round 2
        blake2b_neon_x2_words 11, 12, 5, 15
        blake2b_neon_x2_load_pair 8, 9, 12, 15
        blake2b_neon_x2_columns_first
        blake2b_neon_x2_words 8, 0, 2, 13
        blake2b_neon_x2_columns_second
        blake2b_neon_x2_words 10, 3, 7, 9
        blake2b_neon_x2_load 14, 5
        blake2b_neon_x2_diagonals_first
        blake2b_neon_x2_words 14, 6, 1, 4
        blake2b_neon_x2_diagonals_second

        // Round 3
        blake2b_neon_x2_words 7, 3, 13, 11
        blake2b_neon_x2_load 12, 13
        blake2b_neon_x2_columns_first
        blake2b_neon_x2_words 9, 1, 12, 14
        blake2b_neon_x2_load 5, 12
        blake2b_neon_x2_load 15, 14
        blake2b_neon_x2_columns_second
        blake2b_neon_x2_words 2, 5, 4, 15
        blake2b_neon_x2_diagonals_first
        blake2b_neon_x2_words 6, 10, 0, 8
        blake2b_neon_x2_diagonals_second

        // Round 4
        blake2b_neon_x2_words 9, 5, 2, 10
        blake2b_neon_x2_columns_first
        blake2b_neon_x2_words 0, 7, 4, 15
        blake2b_neon_x2_load 14, 5
        blake2b_neon_x2_columns_second
        blake2b_neon_x2_words 14, 11, 6, 3
        blake2b_neon_x2_load_pair 12, 13, 4, 14
        blake2b_neon_x2_diagonals_first
        blake2b_neon_x2_words 1, 12, 8, 13
        blake2b_neon_x2_diagonals_second

        // Round 5
        blake2b_neon_x2_words 2, 6, 0, 8
        blake2b_neon_x2_columns_first
        blake2b_neon_x2_words 12, 10, 11, 3
        blake2b_neon_x2_load_pair 4, 5, 6, 11
        blake2b_neon_x2_columns_second
        blake2b_neon_x2_words 4, 7, 15, 1
        blake2b_neon_x2_load 14, 7
        blake2b_neon_x2_diagonals_first
        blake2b_neon_x2_words 13, 5, 14, 9
        blake2b_neon_x2_diagonals_second

        // Round 6
        blake2b_neon_x2_words 12, 1, 14, 4
        blake2b_neon_x2_columns_first
        blake2b_neon_x2_words 5, 15, 13, 10
        blake2b_neon_x2_load_pair 6, 7, 14, 15
        blake2b_neon_x2_columns_second
        blake2b_neon_x2_words 0, 6, 9, 8
        blake2b_neon_x2_load 11, 10
        blake2b_neon_x2_diagonals_first
        blake2b_neon_x2_words 7, 3, 2, 11
        blake2b_neon_x2_diagonals_second

        // Round 7
        blake2b_neon_x2_words 13, 7, 12, 3
        blake2b_neon_x2_load_pair 14, 15, 12, 13
        blake2b_neon_x2_columns_first
        blake2b_neon_x2_words 11, 14, 1, 9
        blake2b_neon_x2_columns_second
        blake2b_neon_x2_words 5, 15, 8, 2
        blake2b_neon_x2_load 10, 7
        blake2b_neon_x2_diagonals_first
        blake2b_neon_x2_words 0, 4, 6, 10
        blake2b_neon_x2_diagonals_second

        // Round 8
        blake2b_neon_x2_words 6, 14, 11, 0
        blake2b_neon_x2_columns_first
        blake2b_neon_x2_words 15, 9, 3, 8
        blake2b_neon_x2_load_pair 12, 13, 14, 15
        blake2b_neon_x2_columns_second
        blake2b_neon_x2_words 12, 13, 1, 10
        blake2b_neon_x2_load 7, 12
        blake2b_neon_x2_diagonals_first
        blake2b_neon_x2_words 2, 7, 4, 5
        blake2b_neon_x2_diagonals_second

        // Round 9
        blake2b_neon_x2_words 10, 8, 7, 1
        blake2b_neon_x2_columns_first
        blake2b_neon_x2_words 2, 4, 6, 5
        blake2b_neon_x2_load_pair 14, 15, 8, 10
        blake2b_neon_x2_columns_second
        blake2b_neon_x2_words 15, 9, 3, 13
        blake2b_neon_x2_load 12, 9
        blake2b_neon_x2_diagonals_first
        blake2b_neon_x2_words 11, 14, 12, 0
        blake2b_neon_x2_diagonals_second

        // Round 10
        blake2b_neon_x2_words 0, 2, 4, 6
        blake2b_neon_x2_columns_first
        blake2b_neon_x2_words 1, 3, 5, 7
        blake2b_neon_x2_load_pair 8, 9, 5, 6
        blake2b_neon_x2_load 10, 7
        blake2b_neon_x2_columns_second
        blake2b_neon_x2_words 8, 10, 12, 14
        blake2b_neon_x2_diagonals_first
        blake2b_neon_x2_words 9, 11, 13, 15
        blake2b_neon_x2_diagonals_second

        // Round 11
        blake2b_neon_x2_words 14, 4, 9, 13
        blake2b_neon_x2_load_pair 6, 7, 13, 14
        blake2b_neon_x2_columns_first
        blake2b_neon_x2_words 10, 8, 15, 6
        blake2b_neon_x2_load 5, 15
        blake2b_neon_x2_columns_second
        blake2b_neon_x2_words 1, 0, 11, 5
        blake2b_neon_x2_diagonals_first
        blake2b_neon_x2_words 12, 2, 7, 3
        blake2b_neon_x2_diagonals_second last=1

        blake2b_neon_x2_end
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
        .unreq      xm\i
.endr
        ldp         x1, x4, [sp, #184]                                  // the other message
        ldr         x5, [sp, #216]
        str         x1, [sp, #160]
        str         x4, [sp, #176]
        stp         x5, xzr, [sp, #208]
        b           3b

        // Clear what held secrets; the rest is loaded from the stack.
4:
.irp r, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
        mov         x\r, #0
.endr
.irp r, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        movi        v\r\().2d, #0
.endr
        ldp         x29, x30, [sp, #0]
        .cfi_restore x29
        .cfi_restore x30
        ldp         x19, x20, [sp, #16]
        .cfi_restore x19
        .cfi_restore x20
        ldp         x21, x22, [sp, #32]
        .cfi_restore x21
        .cfi_restore x22
        ldp         x23, x24, [sp, #48]
        .cfi_restore x23
        .cfi_restore x24
        ldp         x25, x26, [sp, #64]
        .cfi_restore x25
        .cfi_restore x26
        ldp         x27, x28, [sp, #80]
        .cfi_restore x27
        .cfi_restore x28
        ldp         d8, d9, [sp, #96]
        .cfi_restore d8
        .cfi_restore d9
        ldp         d10, d11, [sp, #112]
        .cfi_restore d10
        .cfi_restore d11
        ldp         d12, d13, [sp, #128]
        .cfi_restore d12
        .cfi_restore d13
        ldp         d14, d15, [sp, #144]
        .cfi_restore d14
        .cfi_restore d15
        add         sp, sp, #224
        .cfi_def_cfa_offset 0
9:      ret

        // IV[0..3]; IV[4..7] rotated by 32; IV[4..7]; the byte orders for rotation by 24 and by 16.
        .balign     16
8:      .quad       0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1
        .quad       0xade682d1510e527f, 0x2b3e6c1f9b05688c, 0xfb41bd6b1f83d9ab, 0x137e21795be0cd19
        .quad       0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179
        .byte       3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10
        .byte       2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9
        .cfi_endproc

.irp macro, names, load, load_pair, words, begin, end, last, columns_first, columns_second, diagonals_first, diagonals_second
        .purgem blake2b_neon_x2_\macro
.endr
.irp macro, columns_first, columns_second, diagonals_first, diagonals_second
        .purgem blake2b_neon_x2_even_\macro
        .purgem blake2b_neon_x2_odd_\macro
.endr
.irp name, xstate, xincrement, xblock, ra0, ra0_turned, ra1, rb0, rb1, rc0, rc0_turned, rc1, rd0, rd1, t0, t1, u0, u1, rot24, rot16
        .unreq  \name
.endr
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        .unreq  xv\i
        .unreq  rm\i
.endr
