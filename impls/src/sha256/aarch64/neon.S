// SHA-224 and SHA-256 compression function, rounds in integer registers, message
// schedule in NEON registers.
//
//   for i in 0 .. count:  state = compress(state, blocks[64 i .. 64 i + 64))
//
//   x0  state   [u32; 8], a..h, read and written
//   x1  blocks  64 count bytes, read only, any alignment
//   x2  count   number of blocks, may be 0
//
// Source: FIPS 180-4, sections 4.1.2 (functions), 4.2.2 (constants), 5.2.1
// (parsing), 6.2.2 (compression).
//
// Technique
// - Four rounds run beside the computation of the four schedule words that are
//   needed sixteen rounds later: vector instructions stand between integer ones.
// - W + K of the next four rounds is added in a vector and moved to two 64-bit
//   integer registers. A 64-bit addition uses the lower or, shifted down, the upper
//   half; what it leaves in the upper half of h is dropped by the 32-bit additions
//   that follow. Nothing derived from the message is written to memory.
// - All of K stays in registers.
// - sigma0 of four words is shifts with insertion. sigma1 of two words, whose
//   results the next two words need, works on 64-bit lanes: with ww = w 2^32 + w,
//     sigma1(w) = ((ww ^ (ww >> 2) ^ (w << 7)) >> 17) mod 2^32,
//   and that last shift is a narrowing one.
// - Sigma0 and Sigma1 take three instructions: with r = ror,
//     Sigma1(e) = r(e, 6) ^ r(e ^ r(e, 14), 11)
//     Sigma0(a) = r(a, 2) ^ r(a ^ r(a,  9), 13)
// - Ch(e,f,g) = (e & f) + (~e & g): the two terms share no bit, so both are
//   simply added.
// - Maj(a,b,c) = ((a ^ b) & (b ^ c)) ^ b, where a ^ b is b ^ c of the next round.
// - The last sixteen rounds have no schedule and load the next block instead; beside
//   the last block they load that block again, so nothing beyond it is read.
//
// Registers
//   x0-x2    state, blocks, count            x3-x10           a..h
//   x11,x12  temporaries                     x13,x14          a ^ b, b ^ c in turn
//   x15-x17,x29  W + K of eight rounds
//   v0-v3    sixteen words of the schedule   v4-v7,v24-v27    temporaries
//   v8-v23   K[0..63]
//   x30      distance to the next block
//
// Stack: 80 bytes: d8-d15, x29 and x30 of the caller.
// Cleared before return: x3-x17, v0-v7, v24-v27 (v8-v23 held constants, x29 is the
// caller's again).

        .cfi_startproc
        hint    #34                                     // bti c
        cbz     x2, 9f

xstate  .req    x0
xblocks .req    x1
xcount  .req    x2
wa      .req    w3
wb      .req    w4
wc      .req    w5
wd      .req    w6
we      .req    w7
wf      .req    w8
wg      .req    w9
wh      .req    w10
xa      .req    x3
xb      .req    x4
xc      .req    x5
xd      .req    x6
xe      .req    x7
xf      .req    x8
xg      .req    x9
xh      .req    x10
wt0     .req    w11
wt1     .req    w12
wu0     .req    w13
wu1     .req    w14
xl0     .req    x15
xh0     .req    x16
xl1     .req    x17
xh1     .req    x29
xstep   .req    x30

// One round with seven places (i..o) for vector instructions. wk holds
// W[t] + K[t] in its half \half. In: b ^ c in bc. Out: a ^ b in ab, the new e in d,
// the new a in h.
.macro  sha256_a64_neon_round a, b, c, d, e, f, g, h, ab, bc, wk, half, i, j, k, l, m, n, o
  .if \half == 0
        add     x\h, x\h, \wk                           // T1 = h + W[t] + K[t]
  .else
        add     x\h, x\h, \wk, lsr #32
  .endif
        ror     wt0, w\e, #6
        eor     wt1, w\e, w\e, ror #14
        \i
        and     w\ab, w\e, w\f
        eor     wt0, wt0, wt1, ror #11                  // Sigma1(e)
        \j
        bic     wt1, w\g, w\e
        add     w\h, w\h, w\ab
        eor     w\ab, w\a, w\b
        \k
        add     w\h, w\h, wt1                           // + Ch(e,f,g)
        and     w\bc, w\bc, w\ab
        \l
        add     w\h, w\h, wt0                           // + Sigma1(e)
        eor     w\bc, w\bc, w\b                         // Maj(a,b,c)
        \m
        ror     wt0, w\a, #2
        eor     wt1, w\a, w\a, ror #9
        \n
        add     w\d, w\d, w\h                           // e' = d + T1
        add     w\h, w\h, w\bc                          // + Maj(a,b,c)
        \o
        eor     wt0, wt0, wt1, ror #13                  // Sigma0(a)
        add     w\h, w\h, wt0                           // a' = T1 + Maj + Sigma0
.endm

.macro  sha256_a64_neon_schedule X0, X1, X2, X3, K, l0, h0, l1, h1, a, b, c, d, e, f, g, h
        sha256_a64_neon_round \a, \b, \c, \d, \e, \f, \g, \h, u0, u1, \l0, 0, "ext v4.16b, \X0\().16b, \X1\().16b, #4", "zip2 v5.4s, \X3\().4s, \X3\().4s", "ext v6.16b, \X2\().16b, \X3\().16b, #4", "ushll2 v7.2d, \X3\().4s, #7", "ushr v24.4s, v4.4s, #7", "ushr v25.2d, v5.2d, #2", "eor v5.16b, v5.16b, v7.16b"
        sha256_a64_neon_round \h, \a, \b, \c, \d, \e, \f, \g, u1, u0, \l0, 1, "ushr v26.4s, v4.4s, #18", "sli v24.4s, v4.4s, #25", "eor v5.16b, v5.16b, v25.16b", "add \X0\().4s, \X0\().4s, v6.4s", "sli v26.4s, v4.4s, #14", "shrn v5.2s, v5.2d, #17", "ushr v4.4s, v4.4s, #3"
        sha256_a64_neon_round \g, \h, \a, \b, \c, \d, \e, \f, u0, u1, \h0, 0, "eor v24.16b, v24.16b, v26.16b", "eor v4.16b, v4.16b, v24.16b", "add \X0\().4s, \X0\().4s, v4.4s", "add v6.4s, \X0\().4s, v5.4s", "zip1 v7.4s, v6.4s, v6.4s", "ushll v6.2d, v6.2s, #7", "add v27.4s, \X1\().4s, \K\().4s"
        sha256_a64_neon_round \f, \g, \h, \a, \b, \c, \d, \e, u1, u0, \h0, 1, "ushr v25.2d, v7.2d, #2", "eor v7.16b, v7.16b, v6.16b", "mov \l1, v27.d[0]", "mov \h1, v27.d[1]", "eor v7.16b, v7.16b, v25.16b", "shrn2 v5.4s, v7.2d, #17", "add \X0\().4s, \X0\().4s, v5.4s"
.endm

.macro  sha256_a64_neon_load X0, X1, offset, K, l0, h0, l1, h1, a, b, c, d, e, f, g, h
        sha256_a64_neon_round \a, \b, \c, \d, \e, \f, \g, \h, u0, u1, \l0, 0, "ldr q4, [xblocks, #\offset]"
        sha256_a64_neon_round \h, \a, \b, \c, \d, \e, \f, \g, u1, u0, \l0, 1, "", "rev32 \X0\().16b, v4.16b"
        sha256_a64_neon_round \g, \h, \a, \b, \c, \d, \e, \f, u0, u1, \h0, 0, "add v27.4s, \X1\().4s, \K\().4s"
        sha256_a64_neon_round \f, \g, \h, \a, \b, \c, \d, \e, u1, u0, \h0, 1, "", "", "mov \l1, v27.d[0]", "mov \h1, v27.d[1]"
.endm

        sub     sp, sp, #80
        .cfi_def_cfa_offset 80
        stp     d8, d9, [sp]
        .cfi_offset d8, -80
        .cfi_offset d9, -72
        stp     d10, d11, [sp, #16]
        .cfi_offset d10, -64
        .cfi_offset d11, -56
        stp     d12, d13, [sp, #32]
        .cfi_offset d12, -48
        .cfi_offset d13, -40
        stp     d14, d15, [sp, #48]
        .cfi_offset d14, -32
        .cfi_offset d15, -24
        stp     x29, x30, [sp, #64]
        .cfi_offset x29, -16
        .cfi_offset x30, -8

        adr     x3, 8f
        ld1     {v0.16b-v3.16b}, [xblocks]
        ld1     {v8.4s-v11.4s}, [x3], #64
        ld1     {v12.4s-v15.4s}, [x3], #64
        ld1     {v16.4s-v19.4s}, [x3], #64
        ld1     {v20.4s-v23.4s}, [x3]
        rev32   v0.16b, v0.16b
        rev32   v1.16b, v1.16b
        add     v4.4s, v0.4s, v8.4s
        rev32   v2.16b, v2.16b
        rev32   v3.16b, v3.16b
        mov     xl0, v4.d[0]
        mov     xh0, v4.d[1]
        ldp     wa, wb, [xstate]
        ldp     wc, wd, [xstate, #8]
        ldp     we, wf, [xstate, #16]
        ldp     wg, wh, [xstate, #24]

1:      eor     wu1, wb, wc
        subs    xcount, xcount, #1
        mov     xstep, #64
        csel    xstep, xstep, xzr, ne
        add     xblocks, xblocks, xstep

        sha256_a64_neon_schedule v0, v1, v2, v3, v9,  xl0, xh0, xl1, xh1, a, b, c, d, e, f, g, h
        sha256_a64_neon_schedule v1, v2, v3, v0, v10, xl1, xh1, xl0, xh0, e, f, g, h, a, b, c, d
        sha256_a64_neon_schedule v2, v3, v0, v1, v11, xl0, xh0, xl1, xh1, a, b, c, d, e, f, g, h
        sha256_a64_neon_schedule v3, v0, v1, v2, v12, xl1, xh1, xl0, xh0, e, f, g, h, a, b, c, d
        sha256_a64_neon_schedule v0, v1, v2, v3, v13, xl0, xh0, xl1, xh1, a, b, c, d, e, f, g, h
        sha256_a64_neon_schedule v1, v2, v3, v0, v14, xl1, xh1, xl0, xh0, e, f, g, h, a, b, c, d
        sha256_a64_neon_schedule v2, v3, v0, v1, v15, xl0, xh0, xl1, xh1, a, b, c, d, e, f, g, h
        sha256_a64_neon_schedule v3, v0, v1, v2, v16, xl1, xh1, xl0, xh0, e, f, g, h, a, b, c, d
        sha256_a64_neon_schedule v0, v1, v2, v3, v17, xl0, xh0, xl1, xh1, a, b, c, d, e, f, g, h
        sha256_a64_neon_schedule v1, v2, v3, v0, v18, xl1, xh1, xl0, xh0, e, f, g, h, a, b, c, d
        sha256_a64_neon_schedule v2, v3, v0, v1, v19, xl0, xh0, xl1, xh1, a, b, c, d, e, f, g, h
        sha256_a64_neon_schedule v3, v0, v1, v2, v20, xl1, xh1, xl0, xh0, e, f, g, h, a, b, c, d

        sha256_a64_neon_load v0, v1, 0,  v21, xl0, xh0, xl1, xh1, a, b, c, d, e, f, g, h
        sha256_a64_neon_load v1, v2, 16, v22, xl1, xh1, xl0, xh0, e, f, g, h, a, b, c, d
        sha256_a64_neon_load v2, v3, 32, v23, xl0, xh0, xl1, xh1, a, b, c, d, e, f, g, h
        sha256_a64_neon_load v3, v0, 48, v8,  xl1, xh1, xl0, xh0, e, f, g, h, a, b, c, d

        // Add the old chaining value.
        ldp     wt0, wt1, [xstate]
        ldp     wu0, wu1, [xstate, #8]
        add     wa, wa, wt0
        add     wb, wb, wt1
        ldp     wt0, wt1, [xstate, #16]
        add     wc, wc, wu0
        add     wd, wd, wu1
        ldp     wu0, wu1, [xstate, #24]
        stp     wa, wb, [xstate]
        add     we, we, wt0
        add     wf, wf, wt1
        stp     wc, wd, [xstate, #8]
        add     wg, wg, wu0
        add     wh, wh, wu1
        stp     we, wf, [xstate, #16]
        stp     wg, wh, [xstate, #24]
        cbnz    xcount, 1b

        ldp     x29, x30, [sp, #64]
        ldp     d14, d15, [sp, #48]
        ldp     d12, d13, [sp, #32]
        ldp     d10, d11, [sp, #16]
        ldp     d8, d9, [sp]
        add     sp, sp, #80
        .cfi_def_cfa_offset 0
        .cfi_restore x29
        .cfi_restore x30
        .cfi_restore d8
        .cfi_restore d9
        .cfi_restore d10
        .cfi_restore d11
        .cfi_restore d12
        .cfi_restore d13
        .cfi_restore d14
        .cfi_restore d15

        // Clear what held secrets.
.irp r, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
        mov     x\r, #0
.endr
.irp r, 0, 1, 2, 3, 4, 5, 6, 7, 24, 25, 26, 27
        movi    v\r\().16b, #0
.endr
9:      ret

        .balign 16
8:      .word   0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5
        .word   0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5
        .word   0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3
        .word   0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174
        .word   0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc
        .word   0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da
        .word   0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7
        .word   0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967
        .word   0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13
        .word   0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85
        .word   0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3
        .word   0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070
        .word   0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5
        .word   0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3
        .word   0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208
        .word   0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
        .cfi_endproc

.irp macro, round, schedule, load
        .purgem sha256_a64_neon_\macro
.endr
.irp name, t0, t1, u0, u1
        .unreq  w\name
.endr
.irp name, state, blocks, count, l0, h0, l1, h1, step
        .unreq  x\name
.endr
.irp name, a, b, c, d, e, f, g, h
        .unreq  w\name
        .unreq  x\name
.endr
