// BLAKE2s compression function: AArch64, NEON, one message
//
//     compress(state: *mut State, blocks: *const u8, count: usize, increment: usize)
//
//     for each j in 0 .. count:  t := t + increment mod 2^64,  h := F(h, block j, t, f),
//     where block j is the sixteen little-endian words of blocks[64 j .. 64 j + 64)
//
// Source
//     RFC 7693, sections 2.6 (IV), 2.7 (SIGMA), 3.1 (G), 3.2 (F). Here t and f are words 12 .. 15 of the working
//     vector before they are combined with IV[4 .. 7]; the caller sets f. x >>> n rotates a word of 32 bits to the right.
//
// Technique
//   - The working vector is four rows a, b, c, d of four words; lane i of the rows is the i-th call of G in half a round.
//   - For the diagonals a, c and d are rotated by lanes, not b: b is the last to be ready, and what is done to the
//     others is ready before b is.
//   - Every sequence of four message words comes from one table look-up in the whole block, with constant indices.
//   - The chain of dependent instructions decides the speed. Where b >>> n is added to a, the two shifts are added one
//     after the other, without waiting for the rotated b:
//         a + (b >>> n) = a + (b >> n) + (b << (32 - n))
//   - x >>> 16 exchanges halfwords, x >>> 8 permutes bytes.
//
// Arguments
//     x0  state      h[8], t[2], f[2] as native words, aligned to 4; h and t read and written, f read
//     x1  blocks     64 count bytes, at any address (normal memory, SCTLR_ELx.A = 0: unaligned access allowed); read only
//     x2  count      number of blocks; with 0 no memory is touched
//     x3  increment  added to t for every block, 64 bits
//
// Registers
//     x0  state               v0 .. v3    rows a, b, c, d
//     x1  next block          v4 .. v7    message
//     x2  blocks left         v16, v17    h
//     x3  increment           v18         IV[0 .. 3]
//     x4  constants           v19         IV[4], IV[5], IV[6] ^ f[0], IV[7] ^ f[1]
//     x5  t                   v20         byte permutation
//                             v21         b before its rotation
//                             v22 .. v25  indices
//                             v26 .. v29  message words in the order of SIGMA
// v8 .. v15 are not used. The stack is not used.
//
// Cleared
//     v0 .. v7, v16, v17, v21, v26 .. v29 are zero. All else that is written holds addresses, the count, t, f or
//     constants.
//
// Notes
//   - Armv8-A with Advanced SIMD, little-endian AArch64 state; position-independent.
//   - Nothing but state, blocks[0 .. 64 count) and the constants is read or written.
//   - Branches compare the count alone, which is public; no address depends on state or message.

        .cfi_startproc
        hint    #34                                     // bti c
        cbz     x2, 9f

xstate  .req    x0
xblocks .req    x1
xcount  .req    x2
xinc    .req    x3
xk      .req    x4
xt      .req    x5
va      .req    v0
vb      .req    v1
vc      .req    v2
vd      .req    v3
vh0     .req    v16
vh1     .req    v17
viv0    .req    v18
viv4    .req    v19
vror8   .req    v20
vu      .req    v21
vi0     .req    v22
vi1     .req    v23
vi2     .req    v24
vi3     .req    v25
qi0     .req    q22
qi1     .req    q23
qi2     .req    q24
qi3     .req    q25
vs0     .req    v26
vs1     .req    v27
vs2     .req    v28
vs3     .req    v29

// Indices of half a call of G, \n of 0 .. 39.
.macro  blake2s_neon_index i, n
  .if \n < 40
        ldr     qi\i, [xk, #48 + 16 * (\n)]
  .endif
.endm

// The four message words that these indices select.
.macro  blake2s_neon_words i, n
  .if \n < 40
        tbl     vs\i\().16b, {v4.16b-v7.16b}, vi\i\().16b
  .endif
.endm

// b := u >>> n; a := a + b, where the rotated b is ready later than a.
.macro  blake2s_neon_turn n
        usra    va.4s, vu.4s, #\n
        shl     vb.4s, vu.4s, #32 - \n
        add     va.4s, va.4s, vb.4s
        sri     vb.4s, vu.4s, #\n
.endm

// The rest of the first half of G after a := a + b + m[s]. u is b before its rotation by 12.
.macro  blake2s_neon_first words, i, n
        eor     vd.16b, vd.16b, va.16b
        blake2s_neon_words \i, \n
        add     va.4s, va.4s, vs\words\().4s            // m[s] of the second half
        rev32   vd.8h, vd.8h                            // d := (d ^ a) >>> 16
        add     vc.4s, vc.4s, vd.4s                     // c := c + d
        blake2s_neon_index \i, \n + 4
        eor     vu.16b, vb.16b, vc.16b                  // b ^ c
.endm

// The rest of the second half of G. u is b before its rotation by 7; a, c, d are rotated by \ra, \rc, 8 bytes.
.macro  blake2s_neon_second words, i, n, ra, rc, last
        eor     vd.16b, vd.16b, va.16b
        ext     va.16b, va.16b, va.16b, #\ra
        blake2s_neon_words \i, \n
  .if \last == 0
        add     va.4s, va.4s, vs\words\().4s            // m[s] of the next half round
  .endif
        tbl     vd.16b, {vd.16b}, vror8.16b             // d := (d ^ a) >>> 8
        add     vc.4s, vc.4s, vd.4s                     // c := c + d
        blake2s_neon_index \i, \n + 4
        ext     vd.16b, vd.16b, vd.16b, #8
        eor     vu.16b, vb.16b, vc.16b                  // b ^ c
        ext     vc.16b, vc.16b, vc.16b, #\rc
.endm

// Round r after its first a := a + b + m[s]; ends with that of the next round unless it is the last.
.macro  blake2s_neon_round r
        blake2s_neon_first 1, 3, 4 * \r + 3             // columns
        blake2s_neon_turn 12
        blake2s_neon_second 2, 0, 4 * \r + 4, 12, 4, 0
        blake2s_neon_turn 7
        blake2s_neon_first 3, 1, 4 * \r + 5             // diagonals
        blake2s_neon_turn 12
  .if \r < 9
        blake2s_neon_second 0, 2, 4 * \r + 6, 4, 12, 0
        blake2s_neon_turn 7
  .else
        blake2s_neon_second 0, 2, 4 * \r + 6, 4, 12, 1
        shl     vb.4s, vu.4s, #25
        sri     vb.4s, vu.4s, #7
  .endif
.endm

        adr     xk, 8f
        ldp     q16, q17, [xstate]
        ldr     xt, [xstate, #32]
        ldr     d0, [xstate, #40]                       // f
        ldp     q18, q19, [xk]
        ldr     q20, [xk, #32]
        ext     v0.16b, v0.16b, v0.16b, #8
        eor     viv4.16b, viv4.16b, v0.16b

1:      // One block.
        ldp     q4, q5, [xblocks]
        blake2s_neon_index 0, 0
        ldp     q6, q7, [xblocks, #32]
        blake2s_neon_index 1, 1
        blake2s_neon_index 2, 2
        blake2s_neon_index 3, 3
        add     xt, xt, xinc
        add     xblocks, xblocks, #64
        fmov    d3, xt
        sub     xcount, xcount, #1
        blake2s_neon_words 0, 0
        add     va.4s, vh0.4s, vh1.4s
        mov     vb.16b, vh1.16b
        eor     vd.16b, vd.16b, viv4.16b
        mov     vc.16b, viv0.16b
        blake2s_neon_words 1, 1
        add     va.4s, va.4s, vs0.4s
        blake2s_neon_index 0, 4
        blake2s_neon_index 1, 5
        blake2s_neon_words 2, 2
        blake2s_neon_index 2, 6

.irp r, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
        blake2s_neon_round \r
.endr

        // h[i] := h[i] ^ v[i] ^ v[i + 8]
        eor     va.16b, va.16b, vc.16b
        eor     vd.16b, vd.16b, vh1.16b
        eor     vh0.16b, vh0.16b, va.16b
        eor     vh1.16b, vb.16b, vd.16b
        cbnz    xcount, 1b

        stp     q16, q17, [xstate]
        str     xt, [xstate, #32]

        // Clear what held secrets.
.irp r, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 21, 26, 27, 28, 29
        movi    v\r\().2d, #0
.endr
9:      ret

        // IV[0 .. 7], and the byte indices that rotate lanes of 32 bits right by 8.
        .balign 16
8:      .word   0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a
        .word   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
        .byte   1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12

        // Byte indices of the message words of a row of SIGMA: columns, first and second halves; diagonals, first and
        // second halves. Lane i of the diagonals is the call of G with word i of b, which is the one before.
.macro  blake2s_neon_four s0, s1, s2, s3
        .word   0x03020100 + 0x04040404 * \s0, 0x03020100 + 0x04040404 * \s1
        .word   0x03020100 + 0x04040404 * \s2, 0x03020100 + 0x04040404 * \s3
.endm
.macro  blake2s_neon_sigma s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15
        blake2s_neon_four \s0, \s2, \s4, \s6
        blake2s_neon_four \s1, \s3, \s5, \s7
        blake2s_neon_four \s14, \s8, \s10, \s12
        blake2s_neon_four \s15, \s9, \s11, \s13
.endm
        blake2s_neon_sigma  0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15
        blake2s_neon_sigma 14, 10,  4,  8,  9, 15, 13,  6,  1, 12,  0,  2, 11,  7,  5,  3
        blake2s_neon_sigma 11,  8, 12,  0,  5,  2, 15, 13, 10, 14,  3,  6,  7,  1,  9,  4
        blake2s_neon_sigma  7,  9,  3,  1, 13, 12, 11, 14,  2,  6,  5, 10,  4,  0, 15,  8
        blake2s_neon_sigma  9,  0,  5,  7,  2,  4, 10, 15, 14,  1, 11, 12,  6,  8,  3, 13
        blake2s_neon_sigma  2, 12,  6, 10,  0, 11,  8,  3,  4, 13,  7,  5, 15, 14,  1,  9
        blake2s_neon_sigma 12,  5,  1, 15, 14, 13,  4, 10,  0,  7,  6,  3,  9,  2,  8, 11
        blake2s_neon_sigma 13, 11,  7, 14, 12,  1,  3,  9,  5,  0, 15,  4,  8,  6,  2, 10
        blake2s_neon_sigma  6, 15, 14,  9, 11,  3,  0,  8, 12,  2, 13,  7,  1,  4, 10,  5
        blake2s_neon_sigma 10,  2,  8,  4,  7,  6,  1,  5, 15, 11,  9, 14,  3, 12, 13,  0
        .cfi_endproc

.irp macro, index, words, turn, first, second, round, four, sigma
        .purgem blake2s_neon_\macro
.endr
.irp name, xstate, xblocks, xcount, xinc, xk, xt, va, vb, vc, vd, vh0, vh1, viv0, viv4, vror8, vu, vi0, vi1, vi2, vi3
        .unreq  \name
.endr
.irp name, qi0, qi1, qi2, qi3, vs0, vs1, vs2, vs3
        .unreq  \name
.endr
