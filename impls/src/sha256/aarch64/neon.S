// SHA-224/256 compression: AArch64, rounds in integer registers, message schedule in NEON registers, one message
//
//     compress(state: *mut [u32; 8], blocks: *const u8, count: usize)
//
//     state := H(count),  where  H(0) = state,  H(j+1) = H(j) + rounds(H(j), block j),
//     and block j is the sixteen big-endian words of blocks[64 j .. 64 j + 64)
//
// Source
//     FIPS 180-4, sections 4.1.2 (functions), 4.2.2 (constants), 5.2.1 (parsing), 6.2.2 (computation).
//     x >>> n stands for ROTR^n(x), x >> n for SHR^n(x), of words of 32 bits, or 64 where said.
//
// Technique
//   - Four rounds run beside the computation of the four schedule words that are needed sixteen rounds later; vector
//     instructions stand in small groups between the integer ones.
//   - W + K of the next four rounds is added in a vector and moved to two 64-bit integer registers. A 64-bit addition
//     uses the lower or, shifted down, the upper half; what it leaves in the upper half of h is dropped by the 32-bit
//     additions that follow. The state is written to memory, no schedule word is.
//   - All of K stays in registers.
//   - sigma0 of four words is shifts with insertion, one step ahead of its use. sigma1 of two words, whose results the
//     next two words need, works on 64-bit lanes: with ww = 2^32 w + w,
//         sigma1(w) = ((ww ^ (ww >> 2) ^ (w << 7)) >> 17) mod 2^32,
//     and that last shift is a narrowing one.
//   - Sigma0 and Sigma1 take three instructions, since logical instructions rotate one operand for free:
//         Sigma1(e) = (e >>> 6) ^ ((e ^ (e >>> 14)) >>> 11)
//         Sigma0(a) = (a >>> 2) ^ ((a ^ (a >>>  9)) >>> 13)
//   - Ch(e,f,g) = (e & f) + (~e & g): the two terms share no bit, so both are simply added.
//   - Maj(a,b,c) = ((a ^ b) & (b ^ c)) ^ b, where a ^ b is b ^ c of the next round.
//   - The last sixteen rounds have no schedule and load the next block instead; beside the last block they load that
//     block again, so nothing beyond it is read.
//
// Arguments
//     x0  state   a .. h as native words, aligned to 4; read and written
//     x1  blocks  64 count bytes, at any address (normal memory, SCTLR_ELx.A = 0: unaligned access allowed); read only
//     x2  count   number of blocks; with 0 no memory is touched
//
// Registers
//     x0          state                    v0 .. v3               W, sixteen words
//     x1          next block               v4 .. v7               sigma1
//     x2          blocks left              v8 .. v11, v20 .. v31  K[0 .. 63]
//     x3 .. x10   a .. h                   v16 .. v18             sigma0
//     x11, x12    temporaries              v19                    W + K
//     x13, x14    a ^ b, b ^ c in turn
//     x15 .. x17  W + K of four to eight rounds
//     v12 .. v15 are not used.
//
// Stack, 32 bytes
//     sp + 0    d8, d9 of the caller
//     sp + 16   d10, d11 of the caller
//
// Cleared
//     x3 .. x17, v0 .. v7, v16 .. v19 are zero, d8 .. d11 are the caller's again. All else that is written holds
//     addresses, the count or constants: x0 = state, x1 = last block, x2 = 0, v20 .. v31 = K[16 .. 63]. No word on the
//     stack is secret.
//
// Notes
//   - Armv8-A with Advanced SIMD, little-endian AArch64 state; position-independent.
//   - Nothing but state, blocks[0 .. 64 count), the constants and the stack above is read or written.
//   - Branches, and the step to the next block, compare the count alone, which is public; no address depends on state
//     or message.

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
xt0     .req    x11
wt1     .req    w12
wu0     .req    w13
wu1     .req    w14
xwk0    .req    x15
xwk1    .req    x16
xwk2    .req    x17
vww     .req    v4
vw2     .req    v5
vw7     .req    v6
vs1     .req    v7
vn      .req    v16
vr7     .req    v17
vr18    .req    v18
vwk     .req    v19
dwk     .req    d19

// One round, with seven places for vector instructions: instructions 7 r .. 7 r + 6 of
// the macro sha256_a64_neon_\list. wk holds W[t] + K[t] in its lower (r even) or upper
// (r odd) half. In: b ^ c in bc. Out: a ^ b in ab, the new e in d, the new a in h.
.macro  sha256_a64_neon_round a, b, c, d, e, f, g, h, ab, bc, wk, r, list, arguments:vararg
  .if \r % 2 == 0
        add     x\h, x\h, \wk                          // T1 = h + W[t] + K[t]
  .else
        add     x\h, x\h, \wk, lsr #32                 // T1 = h + W[t] + K[t]
  .endif
        ror     wt0, w\e, #6
        eor     wt1, w\e, w\e, ror #14
        and     w\ab, w\e, w\f
        sha256_a64_neon_\list 7*\r+0, \arguments
        sha256_a64_neon_\list 7*\r+1, \arguments
        add     w\h, w\h, w\ab                          // + (e & f)
        eor     wt0, wt0, wt1, ror #11                  // Sigma1(e)
        bic     wt1, w\g, w\e
        eor     w\ab, w\a, w\b
        and     w\bc, w\bc, w\ab
        sha256_a64_neon_\list 7*\r+2, \arguments
        sha256_a64_neon_\list 7*\r+3, \arguments
        eor     w\bc, w\bc, w\b                         // Maj(a,b,c)
        add     w\h, w\h, wt1                           // + (~e & g)
        eor     wt1, w\a, w\a, ror #9
        add     w\h, w\h, wt0                           // + Sigma1(e)
        add     w\d, w\d, w\h                           // e' = d + T1
        ror     wt0, w\a, #2
        sha256_a64_neon_\list 7*\r+4, \arguments
        sha256_a64_neon_\list 7*\r+5, \arguments
        sha256_a64_neon_\list 7*\r+6, \arguments
        eor     wt0, wt0, wt1, ror #13                  // Sigma0(a)
        add     w\h, w\h, w\bc                          // T1 + Maj(a,b,c)
        add     w\h, w\h, wt0                           // a' = T1 + Maj(a,b,c) + Sigma0(a)
.endm

// Four rounds, W + K in xwk0 and \now; leaves W + K of the next four in xwk0 and \next.
.macro  sha256_a64_neon_rounds a, b, c, d, e, f, g, h, now, next, list, arguments:vararg
        sha256_a64_neon_round \a, \b, \c, \d, \e, \f, \g, \h, u0, u1, xwk0, 0, \list, \next, \arguments
        sha256_a64_neon_round \h, \a, \b, \c, \d, \e, \f, \g, u1, u0, xwk0, 1, \list, \next, \arguments
        sha256_a64_neon_round \g, \h, \a, \b, \c, \d, \e, \f, u0, u1, \now, 2, \list, \next, \arguments
        sha256_a64_neon_round \f, \g, \h, \a, \b, \c, \d, \e, u1, u0, \now, 3, \list, \next, \arguments
.endm

// Beside rounds t .. t+3. In: W0 = W[t ..] + sigma0(W[t+1 ..]), W1.. = W[t+4 ..].
// Out: W0 = W[t+16 ..]; if \more is 1, W1 = W[t+4 ..] + sigma0(W[t+5 ..]).
.macro  sha256_a64_neon_schedule n, next, K, more, W0, W1, W2, W3
  .if (\n == 0) && \more
        ext     vn.16b, \W1\().16b, \W2\().16b, #4      // W[t+5 .. t+8]
  .elseif \n == 1
        zip2    vww.4s, \W3\().4s, \W3\().4s            // ww for W[t+14], W[t+15]
  .elseif \n == 2
        ext     vs1.16b, \W2\().16b, \W3\().16b, #4     // W[t+9 .. t+12]
  .elseif \n == 3
        ushll2  vw7.2d, \W3\().4s, #7                   // w << 7
  .elseif \n == 4
        add     \W0\().4s, \W0\().4s, vs1.4s            // W[t ..] + sigma0(W[t+1 ..]) + W[t+9 ..]
  .elseif \n == 5
        ushr    vw2.2d, vww.2d, #2                      // ww >> 2
  .elseif \n == 6
        eor     vww.16b, vww.16b, vw7.16b
  .elseif \n == 7
        eor     vww.16b, vww.16b, vw2.16b
  .elseif (\n == 8) && \more
        ushr    vr7.4s, vn.4s, #7
  .elseif (\n == 9) && \more
        ushr    vr18.4s, vn.4s, #18
  .elseif \n == 10
        shrn    vs1.2s, vww.2d, #17                     // sigma1(W[t+14], W[t+15])
  .elseif (\n == 11) && \more
        sli     vr18.4s, vn.4s, #14                     // w >>> 18
  .elseif (\n == 12) && \more
        sli     vr7.4s, vn.4s, #25                      // w >>> 7
  .elseif \n == 13
        add     vw7.4s, \W0\().4s, vs1.4s               // W[t+16], W[t+17]
  .elseif \n == 14
        zip1    vww.4s, vw7.4s, vw7.4s                  // ww for W[t+16], W[t+17]
  .elseif \n == 15
        ushll   vw7.2d, vw7.2s, #7                      // w << 7
  .elseif \n == 16
        add     vwk.4s, \W1\().4s, \K\().4s             // W + K of t+4 .. t+7
  .elseif (\n == 17) && \more
        ushr    vn.4s, vn.4s, #3                        // w >> 3
  .elseif \n == 18
        ushr    vw2.2d, vww.2d, #2                      // ww >> 2
  .elseif (\n == 19) && \more
        eor     vr7.16b, vr7.16b, vr18.16b
  .elseif \n == 20
        eor     vww.16b, vww.16b, vw7.16b
  .elseif (\n == 21) && \more
        eor     vn.16b, vn.16b, vr7.16b                 // sigma0(W[t+5 .. t+8])
  .elseif \n == 22
        eor     vww.16b, vww.16b, vw2.16b
  .elseif \n == 23
        fmov    xwk0, dwk
  .elseif \n == 24
        shrn2   vs1.4s, vww.2d, #17                     // sigma1(W[t+14 .. t+17])
  .elseif \n == 25
        mov     \next, vwk.d[1]
  .elseif (\n == 26) && \more
        add     \W1\().4s, \W1\().4s, vn.4s             // W[t+4 ..] + sigma0(W[t+5 ..])
  .elseif \n == 27
        add     \W0\().4s, \W0\().4s, vs1.4s            // W[t+16 .. t+19]
  .endif
.endm

// Beside rounds 48 .. 59: four words of the next block to W0.
.macro  sha256_a64_neon_load n, next, K, offset, Q0, W0, W1
  .if \n == 0
        ldr     \Q0, [xblocks, #\offset]                // next block
  .elseif \n == 1
        add     vwk.4s, \W1\().4s, \K\().4s             // W + K of t+4 .. t+7
  .elseif \n == 9
        fmov    xwk0, dwk
  .elseif \n == 11
        mov     \next, vwk.d[1]
  .elseif \n == 14
        rev32   \W0\().16b, \W0\().16b
  .endif
.endm

// Beside rounds 60 .. 63: the last four words of the next block to W0, its first four
// and their sigma0 to W1.
.macro  sha256_a64_neon_turn n, next, K, offset, Q0, W0, W1, W2
  .if \n == 0
        ldr     \Q0, [xblocks, #\offset]                // next block
  .elseif \n == 1
        add     vwk.4s, \W1\().4s, \K\().4s             // W + K of t+4 .. t+7
  .elseif \n == 2
        ext     vn.16b, \W1\().16b, \W2\().16b, #4      // W[t+5 .. t+8]
  .elseif \n == 7
        ushr    vr7.4s, vn.4s, #7
  .elseif \n == 8
        ushr    vr18.4s, vn.4s, #18
  .elseif \n == 9
        fmov    xwk0, dwk
  .elseif \n == 10
        mov     \next, vwk.d[1]
  .elseif \n == 11
        sli     vr7.4s, vn.4s, #25                      // w >>> 7
  .elseif \n == 12
        sli     vr18.4s, vn.4s, #14                     // w >>> 18
  .elseif \n == 14
        ushr    vn.4s, vn.4s, #3                        // w >> 3
  .elseif \n == 15
        eor     vr7.16b, vr7.16b, vr18.16b
  .elseif \n == 17
        rev32   \W0\().16b, \W0\().16b
  .elseif \n == 21
        eor     vn.16b, vn.16b, vr7.16b                 // sigma0(W[t+5 .. t+8])
  .elseif \n == 25
        add     \W1\().4s, \W1\().4s, vn.4s             // W[t+4 ..] + sigma0(W[t+5 ..])
  .endif
.endm

        sub     sp, sp, #32
        .cfi_def_cfa_offset 32
        stp     d8, d9, [sp]
        .cfi_offset d8, -32
        .cfi_offset d9, -24
        stp     d10, d11, [sp, #16]
        .cfi_offset d10, -16
        .cfi_offset d11, -8

        // Constants, first block, chaining value.
        adr     x3, 8f
        ld1     {v0.16b-v3.16b}, [xblocks]
        ld1     {v8.4s-v11.4s}, [x3], #64
        ld1     {v20.4s-v23.4s}, [x3], #64
        ld1     {v24.4s-v27.4s}, [x3], #64
        ld1     {v28.4s-v31.4s}, [x3]
        rev32   v0.16b, v0.16b
        rev32   v1.16b, v1.16b
        rev32   v2.16b, v2.16b
        rev32   v3.16b, v3.16b
        ldp     wa, wb, [xstate]
        ldp     wc, wd, [xstate, #8]
        ldp     we, wf, [xstate, #16]
        ldp     wg, wh, [xstate, #24]

        // W + K of rounds 0 .. 3; W[0 ..] + sigma0(W[1 ..]).
        add     vwk.4s, v0.4s, v8.4s
        ext     vn.16b, v0.16b, v1.16b, #4
        ushr    vr7.4s, vn.4s, #7
        ushr    vr18.4s, vn.4s, #18
        fmov    xwk0, dwk
        mov     xwk1, vwk.d[1]
        sli     vr7.4s, vn.4s, #25
        sli     vr18.4s, vn.4s, #14
        ushr    vn.4s, vn.4s, #3
        eor     vr7.16b, vr7.16b, vr18.16b
        eor     vn.16b, vn.16b, vr7.16b
        add     v0.4s, v0.4s, vn.4s

1:      // One block.
        eor     wu1, wb, wc
        subs    xcount, xcount, #1
        cset    wt0, ne
        add     xblocks, xblocks, xt0, lsl #6           // stays at the last block

        sha256_a64_neon_rounds a, b, c, d, e, f, g, h, xwk1, xwk2, schedule, v9, 1, v0, v1, v2, v3
        sha256_a64_neon_rounds e, f, g, h, a, b, c, d, xwk2, xwk1, schedule, v10, 1, v1, v2, v3, v0
        sha256_a64_neon_rounds a, b, c, d, e, f, g, h, xwk1, xwk2, schedule, v11, 1, v2, v3, v0, v1
        sha256_a64_neon_rounds e, f, g, h, a, b, c, d, xwk2, xwk1, schedule, v20, 1, v3, v0, v1, v2
        sha256_a64_neon_rounds a, b, c, d, e, f, g, h, xwk1, xwk2, schedule, v21, 1, v0, v1, v2, v3
        sha256_a64_neon_rounds e, f, g, h, a, b, c, d, xwk2, xwk1, schedule, v22, 1, v1, v2, v3, v0
        sha256_a64_neon_rounds a, b, c, d, e, f, g, h, xwk1, xwk2, schedule, v23, 1, v2, v3, v0, v1
        sha256_a64_neon_rounds e, f, g, h, a, b, c, d, xwk2, xwk1, schedule, v24, 1, v3, v0, v1, v2
        sha256_a64_neon_rounds a, b, c, d, e, f, g, h, xwk1, xwk2, schedule, v25, 1, v0, v1, v2, v3
        sha256_a64_neon_rounds e, f, g, h, a, b, c, d, xwk2, xwk1, schedule, v26, 1, v1, v2, v3, v0
        sha256_a64_neon_rounds a, b, c, d, e, f, g, h, xwk1, xwk2, schedule, v27, 1, v2, v3, v0, v1
        sha256_a64_neon_rounds e, f, g, h, a, b, c, d, xwk2, xwk1, schedule, v28, 0, v3, v0, v1, v2

        sha256_a64_neon_rounds a, b, c, d, e, f, g, h, xwk1, xwk2, load, v29, 0, q0, v0, v1
        sha256_a64_neon_rounds e, f, g, h, a, b, c, d, xwk2, xwk1, load, v30, 16, q1, v1, v2
        sha256_a64_neon_rounds a, b, c, d, e, f, g, h, xwk1, xwk2, load, v31, 32, q2, v2, v3
        sha256_a64_neon_rounds e, f, g, h, a, b, c, d, xwk2, xwk1, turn, v8, 48, q3, v3, v0, v1

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

        ldp     d10, d11, [sp, #16]
        ldp     d8, d9, [sp]
        add     sp, sp, #32
        .cfi_def_cfa_offset 0
        .cfi_restore d8
        .cfi_restore d9
        .cfi_restore d10
        .cfi_restore d11

        // Clear what held secrets.
.irp r, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
        mov     x\r, #0
.endr
.irp r, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19
        movi    v\r\().2d, #0
.endr
9:      ret

        // K[0 .. 63].
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

.irp macro, round, rounds, schedule, load, turn
        .purgem sha256_a64_neon_\macro
.endr
.irp name, xstate, xblocks, xcount, wt0, xt0, wt1, wu0, wu1, xwk0, xwk1, xwk2
        .unreq  \name
.endr
.irp name, vww, vw2, vw7, vs1, vn, vr7, vr18, vwk, dwk
        .unreq  \name
.endr
.irp name, a, b, c, d, e, f, g, h
        .unreq  w\name
        .unreq  x\name
.endr
