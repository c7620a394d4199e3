// BLAKE2s compression function: AArch64, NEON, four messages
//
//     compress_x4(state0 .. state3: *mut State, blocks0 .. blocks3: *const u8, count: usize, increment: usize)
//
//     for each lane i in 0 .. 4, for each j in 0 .. count:
//         t := t + increment mod 2^64,  h := F(h, block j, t, f),
//     where block j is the sixteen little-endian words of blocks_i[64 j .. 64 j + 64), and h, t, f are those of state_i
//
// Source
//     RFC 7693, sections 2.6 (IV), 2.7 (SIGMA), 3.1 (G), 3.2 (F). Here t and f are words 12 .. 15 of the working
//     vector before they are combined with IV[4 .. 7]; the caller sets f. x >>> n rotates a word of 32 bits to the right.
//
// Technique
//   - Register v holds word v of the working vector of all four messages, message i in lane i. Messages and chaining
//     values are transposed, four words of four messages at a time.
//   - Eleven words of the message stay in registers, five are read from the stack where they are used.
//   - x >>> 16 exchanges halfwords, x >>> 8 permutes bytes, x >>> 12 and x >>> 7 are a shift and a shift with insertion.
//   - The four calls of G in half a round do not depend on each other and advance side by side.
//   - The counters are 64-bit lanes, where the carry from t[0] to t[1] needs no care.
//
// Arguments
//     x0 .. x3  state0 .. state3    h[8], t[2], f[2] as native words, aligned to 4; h and t read and written, f read;
//                                   four different ones
//     x4 .. x7  blocks0 .. blocks3  64 count bytes each, at any address (normal memory, SCTLR_ELx.A = 0: unaligned access
//                                   allowed), may overlap; read only
//     sp + 0    count               number of blocks; with 0 no other memory is touched
//     sp + 8    increment           added to every t for every block, 64 bits
//
// Registers
//     Within a block                           Between blocks
//     v0 .. v15   v[0 .. 15]                   v0 .. v7  h
//     v16 .. v26  m[0 .. 10]
//     v27 .. v30  temporaries
//     v31         byte permutation             v31
//     x8 count, x9 increment, x10 constants
//
// Stack, 336 bytes
//     sp + 0    d8 .. d15 of the caller
//     sp + 64   m[11 .. 15]
//     sp + 144  h
//     sp + 272  t of messages 0, 1 and of messages 2, 3
//     sp + 304  IV[6] ^ f[0], IV[7] ^ f[1]
//
// Cleared
//     v0 .. v30 are zero but for the low halves of v8 .. v15, which are the caller's again; sp + 64 .. sp + 272 is zero.
//     v31 holds a constant. All else that is written holds addresses, the count, t or f.
//
// Notes
//   - Armv8-A with Advanced SIMD, little-endian AArch64 state; position-independent.
//   - Nothing but the states, blocks_i[0 .. 64 count), count, increment, the constants and the stack above is read or
//     written.
//   - Branches compare the count alone, which is public; no address depends on states or messages.

        .cfi_startproc
        hint    #34                                     // bti c
        ldr     x8, [sp]
        cbz     x8, 9f

xcount  .req    x8
xinc    .req    x9
xiv     .req    x10
vm0     .req    v16
vm1     .req    v17
vm2     .req    v18
vm3     .req    v19
vm4     .req    v20
vm5     .req    v21
vm6     .req    v22
vm7     .req    v23
vm8     .req    v24
vm9     .req    v25
vm10    .req    v26
vror8   .req    v31
qror8   .req    q31

.set    blake2s_neon_x4_m, 64 - 16 * 11                 // sp + this + 16 s: m[s] for s in 11 .. 15
.set    blake2s_neon_x4_h, 144
.set    blake2s_neon_x4_t, 272
.set    blake2s_neon_x4_f, 304

// Four rows of four words in a, b, c, d to four columns there; e, f are temporaries.
.macro  blake2s_neon_x4_transpose a, b, c, d, e, f
        trn1    v\e\().4s, v\a\().4s, v\b\().4s
        trn2    v\f\().4s, v\a\().4s, v\b\().4s
        trn1    v\a\().4s, v\c\().4s, v\d\().4s
        trn2    v\b\().4s, v\c\().4s, v\d\().4s
        trn2    v\c\().2d, v\e\().2d, v\a\().2d
        trn1    v\a\().2d, v\e\().2d, v\a\().2d
        trn2    v\d\().2d, v\f\().2d, v\b\().2d
        trn1    v\b\().2d, v\f\().2d, v\b\().2d
.endm

// Loads m[s] to t if it is on the stack.
.macro  blake2s_neon_x4_load s, t
  .if \s > 10
        ldr     q\t, [sp, #blake2s_neon_x4_m + 16 * \s]
  .endif
.endm

// v[a] := v[a] + m[s] if m[s] is in a register (\where = 0) or on the stack and loaded to t (\where = 1).
.macro  blake2s_neon_x4_message where, a, s, t
  .if (\where == 0) && (\s <= 10)
        add     v\a\().4s, v\a\().4s, vm\s\().4s
  .elseif (\where == 1) && (\s > 10)
        add     v\a\().4s, v\a\().4s, v\t\().4s
  .endif
.endm

// d := d >>> n for n = 16 or 8.
.macro  blake2s_neon_x4_rotate n, d
  .if \n == 16
        rev32   v\d\().8h, v\d\().8h
  .else
        tbl     v\d\().16b, {v\d\().16b}, vror8.16b
  .endif
.endm

// Half a G four times side by side: rotations of d by \r1, of b by \r2; words \s0 .. \s3 of the message.
.macro  blake2s_neon_x4_mix r1, r2, a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3, s0, s1, s2, s3
        blake2s_neon_x4_load \s0, 27
        blake2s_neon_x4_load \s1, 28
        blake2s_neon_x4_load \s2, 29
        blake2s_neon_x4_load \s3, 30
.irp where, 0, 1
        blake2s_neon_x4_message \where, \a0, \s0, 27
        blake2s_neon_x4_message \where, \a1, \s1, 28
        blake2s_neon_x4_message \where, \a2, \s2, 29
        blake2s_neon_x4_message \where, \a3, \s3, 30
.endr
        add     v\a0\().4s, v\a0\().4s, v\b0\().4s      // a := a + b + m[s]
        add     v\a1\().4s, v\a1\().4s, v\b1\().4s
        add     v\a2\().4s, v\a2\().4s, v\b2\().4s
        add     v\a3\().4s, v\a3\().4s, v\b3\().4s
        eor     v\d0\().16b, v\d0\().16b, v\a0\().16b
        eor     v\d1\().16b, v\d1\().16b, v\a1\().16b
        eor     v\d2\().16b, v\d2\().16b, v\a2\().16b
        eor     v\d3\().16b, v\d3\().16b, v\a3\().16b
        blake2s_neon_x4_rotate \r1, \d0                 // d := (d ^ a) >>> r1
        blake2s_neon_x4_rotate \r1, \d1
        blake2s_neon_x4_rotate \r1, \d2
        blake2s_neon_x4_rotate \r1, \d3
        add     v\c0\().4s, v\c0\().4s, v\d0\().4s      // c := c + d
        add     v\c1\().4s, v\c1\().4s, v\d1\().4s
        add     v\c2\().4s, v\c2\().4s, v\d2\().4s
        add     v\c3\().4s, v\c3\().4s, v\d3\().4s
        eor     v27.16b, v\b0\().16b, v\c0\().16b
        eor     v28.16b, v\b1\().16b, v\c1\().16b
        eor     v29.16b, v\b2\().16b, v\c2\().16b
        eor     v30.16b, v\b3\().16b, v\c3\().16b
        shl     v\b0\().4s, v27.4s, #32 - \r2
        shl     v\b1\().4s, v28.4s, #32 - \r2
        shl     v\b2\().4s, v29.4s, #32 - \r2
        shl     v\b3\().4s, v30.4s, #32 - \r2
        sri     v\b0\().4s, v27.4s, #\r2                // b := (b ^ c) >>> r2
        sri     v\b1\().4s, v28.4s, #\r2
        sri     v\b2\().4s, v29.4s, #\r2
        sri     v\b3\().4s, v30.4s, #\r2
.endm

// One round; \s0 .. \s15 are its row of SIGMA.
.macro  blake2s_neon_x4_round s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15
        // Columns
        blake2s_neon_x4_mix 16, 12, 0, 1, 2, 3,  4, 5, 6, 7,  8, 9, 10, 11,  12, 13, 14, 15, \s0, \s2, \s4, \s6
        blake2s_neon_x4_mix  8,  7, 0, 1, 2, 3,  4, 5, 6, 7,  8, 9, 10, 11,  12, 13, 14, 15, \s1, \s3, \s5, \s7
        // Diagonals
        blake2s_neon_x4_mix 16, 12, 0, 1, 2, 3,  5, 6, 7, 4,  10, 11, 8, 9,  15, 12, 13, 14, \s8, \s10, \s12, \s14
        blake2s_neon_x4_mix  8,  7, 0, 1, 2, 3,  5, 6, 7, 4,  10, 11, 8, 9,  15, 12, 13, 14, \s9, \s11, \s13, \s15
.endm

        sub     sp, sp, #336
        .cfi_def_cfa_offset 336
        stp     d8, d9, [sp]
        .cfi_offset d8, -336
        .cfi_offset d9, -328
        stp     d10, d11, [sp, #16]
        .cfi_offset d10, -320
        .cfi_offset d11, -312
        stp     d12, d13, [sp, #32]
        .cfi_offset d12, -304
        .cfi_offset d13, -296
        stp     d14, d15, [sp, #48]
        .cfi_offset d14, -288
        .cfi_offset d15, -280

        // Chaining values, counters, and IV[6 .. 7] ^ f.
        ldr     xinc, [sp, #336 + 8]
        adr     xiv, 8f
        ldp     q0, q4, [x0]
        ldp     q1, q5, [x1]
        ldp     q2, q6, [x2]
        ldp     q3, q7, [x3]
        ldr     q16, [x0, #32]
        ldr     q17, [x1, #32]
        ldr     q18, [x2, #32]
        ldr     q19, [x3, #32]
        ldp     q20, q21, [xiv, #96]
        ldr     qror8, [xiv, #128]
        blake2s_neon_x4_transpose 0, 1, 2, 3, 22, 23
        blake2s_neon_x4_transpose 4, 5, 6, 7, 24, 25
        trn1    v22.2d, v16.2d, v17.2d
        trn1    v23.2d, v18.2d, v19.2d
        trn2    v24.2d, v16.2d, v17.2d
        trn2    v25.2d, v18.2d, v19.2d
        stp     q0, q1, [sp, #blake2s_neon_x4_h]
        stp     q2, q3, [sp, #blake2s_neon_x4_h + 32]
        stp     q4, q5, [sp, #blake2s_neon_x4_h + 64]
        stp     q6, q7, [sp, #blake2s_neon_x4_h + 96]
        stp     q22, q23, [sp, #blake2s_neon_x4_t]
        uzp1    v16.4s, v24.4s, v25.4s
        uzp2    v17.4s, v24.4s, v25.4s
        eor     v20.16b, v20.16b, v16.16b
        eor     v21.16b, v21.16b, v17.16b
        stp     q20, q21, [sp, #blake2s_neon_x4_f]

1:      // One block: message, working vector.
        ldp     q16, q20, [x4], #32
        ldp     q17, q21, [x5], #32
        ldp     q18, q22, [x6], #32
        ldp     q19, q23, [x7], #32
        ldp     q24, q28, [x4], #32
        ldp     q25, q29, [x5], #32
        ldp     q26, q30, [x6], #32
        ldp     q27, q15, [x7], #32
        blake2s_neon_x4_transpose 16, 17, 18, 19, 8, 9
        blake2s_neon_x4_transpose 20, 21, 22, 23, 10, 11
        blake2s_neon_x4_transpose 24, 25, 26, 27, 12, 13
        blake2s_neon_x4_transpose 28, 29, 30, 15, 8, 9
        str     q27, [sp, #blake2s_neon_x4_m + 16 * 11]
        stp     q28, q29, [sp, #blake2s_neon_x4_m + 16 * 12]
        stp     q30, q15, [sp, #blake2s_neon_x4_m + 16 * 14]
        ldp     q27, q28, [sp, #blake2s_neon_x4_t]
        dup     v29.2d, xinc
        ldp     q8, q9, [xiv]
        ldp     q10, q11, [xiv, #32]
        ldp     q12, q13, [xiv, #64]
        ldp     q14, q15, [sp, #blake2s_neon_x4_f]
        add     v27.2d, v27.2d, v29.2d
        add     v28.2d, v28.2d, v29.2d
        sub     xcount, xcount, #1
        stp     q27, q28, [sp, #blake2s_neon_x4_t]
        uzp1    v29.4s, v27.4s, v28.4s
        uzp2    v30.4s, v27.4s, v28.4s
        eor     v12.16b, v12.16b, v29.16b               // IV[4] ^ t[0]
        eor     v13.16b, v13.16b, v30.16b               // IV[5] ^ t[1]

        blake2s_neon_x4_round  0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15
        blake2s_neon_x4_round 14, 10,  4,  8,  9, 15, 13,  6,  1, 12,  0,  2, 11,  7,  5,  3
        blake2s_neon_x4_round 11,  8, 12,  0,  5,  2, 15, 13, 10, 14,  3,  6,  7,  1,  9,  4
        blake2s_neon_x4_round  7,  9,  3,  1, 13, 12, 11, 14,  2,  6,  5, 10,  4,  0, 15,  8
        blake2s_neon_x4_round  9,  0,  5,  7,  2,  4, 10, 15, 14,  1, 11, 12,  6,  8,  3, 13
        blake2s_neon_x4_round  2, 12,  6, 10,  0, 11,  8,  3,  4, 13,  7,  5, 15, 14,  1,  9
        blake2s_neon_x4_round 12,  5,  1, 15, 14, 13,  4, 10,  0,  7,  6,  3,  9,  2,  8, 11
        blake2s_neon_x4_round 13, 11,  7, 14, 12,  1,  3,  9,  5,  0, 15,  4,  8,  6,  2, 10
        blake2s_neon_x4_round  6, 15, 14,  9, 11,  3,  0,  8, 12,  2, 13,  7,  1,  4, 10,  5
        blake2s_neon_x4_round 10,  2,  8,  4,  7,  6,  1,  5, 15, 11,  9, 14,  3, 12, 13,  0

        // h[i] := h[i] ^ v[i] ^ v[i + 8]
        ldp     q16, q17, [sp, #blake2s_neon_x4_h]
        ldp     q18, q19, [sp, #blake2s_neon_x4_h + 32]
        ldp     q20, q21, [sp, #blake2s_neon_x4_h + 64]
        ldp     q22, q23, [sp, #blake2s_neon_x4_h + 96]
        eor     v0.16b, v0.16b, v8.16b
        eor     v1.16b, v1.16b, v9.16b
        eor     v2.16b, v2.16b, v10.16b
        eor     v3.16b, v3.16b, v11.16b
        eor     v4.16b, v4.16b, v12.16b
        eor     v5.16b, v5.16b, v13.16b
        eor     v6.16b, v6.16b, v14.16b
        eor     v7.16b, v7.16b, v15.16b
        eor     v0.16b, v0.16b, v16.16b
        eor     v1.16b, v1.16b, v17.16b
        eor     v2.16b, v2.16b, v18.16b
        eor     v3.16b, v3.16b, v19.16b
        eor     v4.16b, v4.16b, v20.16b
        eor     v5.16b, v5.16b, v21.16b
        eor     v6.16b, v6.16b, v22.16b
        eor     v7.16b, v7.16b, v23.16b
        stp     q0, q1, [sp, #blake2s_neon_x4_h]
        stp     q2, q3, [sp, #blake2s_neon_x4_h + 32]
        stp     q4, q5, [sp, #blake2s_neon_x4_h + 64]
        stp     q6, q7, [sp, #blake2s_neon_x4_h + 96]
        cbnz    xcount, 1b

        // Chaining values and counters to the states.
        blake2s_neon_x4_transpose 0, 1, 2, 3, 16, 17
        blake2s_neon_x4_transpose 4, 5, 6, 7, 18, 19
        ldp     q20, q21, [sp, #blake2s_neon_x4_t]
        stp     q0, q4, [x0]
        stp     q1, q5, [x1]
        stp     q2, q6, [x2]
        stp     q3, q7, [x3]
        mov     d22, v20.d[1]
        mov     d23, v21.d[1]
        str     d20, [x0, #32]
        str     d22, [x1, #32]
        str     d21, [x2, #32]
        str     d23, [x3, #32]

        // Clear what held secrets and is not restored below.
.irp r, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
        movi    v\r\().2d, #0
.endr
.irp r, 0, 1, 2, 3, 4, 5
        stp     q0, q0, [sp, #64 + 32 * \r]
.endr
        str     q0, [sp, #64 + 32 * 6]

        ldp     d8, d9, [sp]
        ldp     d10, d11, [sp, #16]
        ldp     d12, d13, [sp, #32]
        ldp     d14, d15, [sp, #48]
        add     sp, sp, #336
        .cfi_def_cfa_offset 0
.irp r, 8, 9, 10, 11, 12, 13, 14, 15
        .cfi_restore d\r
.endr
9:      ret

        // IV[0 .. 7], each in four lanes, and the byte indices that rotate lanes of 32 bits right by 8.
        .balign 16
8:
.irp iv, 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
        .word   \iv, \iv, \iv, \iv
.endr
        .byte   1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12
        .cfi_endproc

.irp macro, transpose, load, message, rotate, mix, round
        .purgem blake2s_neon_x4_\macro
.endr
.irp name, xcount, xinc, xiv, vror8, qror8, vm0, vm1, vm2, vm3, vm4, vm5, vm6, vm7, vm8, vm9, vm10
        .unreq  \name
.endr
