// SHA-224/256 compression: AArch64, integer instructions, one message
//
//     compress(state: *mut [u32; 8], blocks: *const u8, count: usize)
//
//     state := H(count),  where  H(0) = state,  H(j+1) = H(j) + rounds(H(j), block j),
//     and block j is the sixteen big-endian words of blocks[64 j .. 64 j + 64)
//
// Source
//     FIPS 180-4, sections 4.1.2 (functions), 4.2.2 (constants), 5.2.1 (parsing), 6.2.2 (computation).
//     x >>> n stands for ROTR^n(x), x >> n for SHR^n(x), of words of 32 bits.
//
// Technique
//   - The sixteen words of the message schedule stay in registers. Round t uses word t mod 16 and then replaces it by
//     the word of round t + 16; the last sixteen rounds do not. A round and a schedule step are interleaved, so that
//     cores that issue in order find independent work.
//   - Sigma0 and Sigma1 take three instructions, since logical instructions rotate one operand for free:
//         Sigma1(e) = (e >>> 6) ^ ((e ^ (e >>> 14)) >>> 11)
//         Sigma0(a) = (a >>> 2) ^ ((a ^ (a >>>  9)) >>> 13)
//     One of the two plain rotations is written as an ORR with zero: it then runs in the pipe for shifted operands
//     where a core has such a pipe.
//   - Ch(e,f,g) = (e & f) + (~e & g): the two terms share no bit, so both are simply added.
//   - Maj(a,b,c) = ((a ^ b) & (b ^ c)) ^ b, where a ^ b is b ^ c of the next round.
//   - Two constants come with one 64-bit load; 64-bit additions use the lower or, shifted down, the upper half. What
//     they leave in the upper half of h is dropped by the 32-bit additions that follow.
//
// Arguments
//     x0  state   a .. h as native words, aligned to 4; read and written
//     x1  blocks  64 count bytes, at any address (normal memory, SCTLR_ELx.A = 0: unaligned access allowed); read only
//     x2  count   number of blocks; with 0 no memory is touched
//
// Registers
//     Between blocks                       Within a block
//     x0         state                     x0, x1                  temporaries
//     x1         next block                x2, x30                 a ^ b, b ^ c in turn
//     x2         blocks left               x3                      next constants
//     x4 .. x11  a .. h                    x4 .. x11               a .. h; the names move one place with every round
//                                          x12 .. x17, x19 .. x28  W[0 .. 15]
//                                          x29                     two constants
//
// Stack, 128 bytes
//     sp + 0    x29, x30 of the caller
//     sp + 16   x19 .. x28 of the caller
//     sp + 96   state
//     sp + 104  blocks left
//     sp + 112  next block
//     sp + 120  not used
//
// Cleared
//     x4 .. x17 are zero, x19 .. x30 are the caller's again. x0 .. x2 held temporaries and are reloaded:
//     x0 = state, x1 = end of the blocks, x2 = 0. x3 only ever held addresses. No word on the stack is secret.
//
// Notes
//   - Any Armv8-A core, little-endian AArch64 state; position-independent.
//   - Nothing but state, blocks[0 .. 64 count), the constants and the stack above is read or written.
//   - Branches compare the count and the constants pointer, both public; no address depends on state or message.
//   - x29 holds K within: a walk along frame pointers does not see this frame and goes astray; the CFI describes it.
//   - x30 is stored without a signature (no PACIASP), so pointer authentication does not cover this return address.

        .cfi_startproc
        hint    #34                                     // bti c
        cbz     x2, 9f

wt0     .req    w0
xt0     .req    x0
wt1     .req    w1
wu0     .req    w2
xstate  .req    x0
xblocks .req    x1
xcount  .req    x2
xkp     .req    x3
wa      .req    w4
wb      .req    w5
wc      .req    w6
wd      .req    w7
we      .req    w8
wf      .req    w9
wg      .req    w10
wh      .req    w11
xa      .req    x4
xb      .req    x5
xc      .req    x6
xd      .req    x7
xe      .req    x8
xf      .req    x9
xg      .req    x10
xh      .req    x11
wm0     .req    w12
wm1     .req    w13
wm2     .req    w14
wm3     .req    w15
wm4     .req    w16
wm5     .req    w17
wm6     .req    w19
wm7     .req    w20
wm8     .req    w21
wm9     .req    w22
wm10    .req    w23
wm11    .req    w24
wm12    .req    w25
wm13    .req    w26
wm14    .req    w27
wm15    .req    w28
xm0     .req    x12
xm1     .req    x13
xm2     .req    x14
xm3     .req    x15
xm4     .req    x16
xm5     .req    x17
xm6     .req    x19
xm7     .req    x20
xm8     .req    x21
xm9     .req    x22
xm10    .req    x23
xm11    .req    x24
xm12    .req    x25
xm13    .req    x26
xm14    .req    x27
xm15    .req    x28
xk      .req    x29
wu1     .req    w30

// Two words of the message from the eight bytes in x\lo.
.macro  sha256_a64_scalar_words lo, hi
        rev32   xm\lo, xm\lo
        lsr     xm\hi, xm\lo, #32
.endm

// Round t, and if \more is 1 the schedule word of round t + 16 beside it, all indices
// modulo 16:
//   W[t] += sigma0(W[t1]) + W[t9] + sigma1(W[t14])    t1 = t + 1, t9 = t + 9, t14 = t + 14
// In: b ^ c in bc. Out: a ^ b in ab, the new e in d, the new a in h. bc becomes free.
.macro  sha256_a64_scalar_round more, t, t1, t9, t14, a, b, c, d, e, f, g, h, ab, bc
        add     w\h, w\h, wm\t                         // T1 = h + W[t]
        and     wt0, w\e, w\f
        ror     wt1, w\e, #6
        eor     w\ab, w\e, w\e, ror #14
  .if \t % 2 == 0
        add     x\h, x\h, xk                           // + K[t]
  .else
        add     x\h, x\h, xk, lsr #32                  // + K[t]
        ldr     xk, [xkp, #4 * (\t + 1)]               // K[t+1], K[t+2]
  .endif
        add     w\h, w\h, wt0                          // + (e & f)
        bic     wt0, w\g, w\e
        eor     wt1, wt1, w\ab, ror #11                // Sigma1(e)
        eor     w\ab, w\a, w\b
        add     w\h, w\h, wt0                          // + (~e & g)
        eor     wt0, w\a, w\a, ror #9
        add     w\h, w\h, wt1                          // + Sigma1(e)
        and     w\bc, w\bc, w\ab
        orr     wt1, wzr, w\a, ror #2
        add     w\d, w\d, w\h                          // e' = d + T1
  .if \more
        add     wm\t, wm\t, wm\t9                      // W[t] + W[t9]
  .endif
        eor     w\bc, w\bc, w\b                        // Maj(a,b,c)
        add     w\h, w\h, w\bc                         // T1 + Maj(a,b,c)
        eor     wt1, wt1, wt0, ror #13                 // Sigma0(a)
  .if \more
        lsr     w\bc, wm\t1, #3
        lsr     wt0, wm\t14, #10
        eor     w\bc, w\bc, wm\t1, ror #7
        eor     wt0, wt0, wm\t14, ror #17
        eor     w\bc, w\bc, wm\t1, ror #18             // sigma0(W[t1])
        eor     wt0, wt0, wm\t14, ror #19              // sigma1(W[t14])
        add     wm\t, wm\t, w\bc
  .endif
        add     w\h, w\h, wt1                          // a' = T1 + Maj(a,b,c) + Sigma0(a)
  .if \more
        add     wm\t, wm\t, wt0                        // W[t+16]
  .endif
.endm

// Sixteen rounds, with the schedule for the sixteen after them if \more is 1.
.macro  sha256_a64_scalar_rounds more
        sha256_a64_scalar_round \more,  0,  1,  9, 14, a, b, c, d, e, f, g, h, u0, u1
        sha256_a64_scalar_round \more,  1,  2, 10, 15, h, a, b, c, d, e, f, g, u1, u0
        sha256_a64_scalar_round \more,  2,  3, 11,  0, g, h, a, b, c, d, e, f, u0, u1
        sha256_a64_scalar_round \more,  3,  4, 12,  1, f, g, h, a, b, c, d, e, u1, u0
        sha256_a64_scalar_round \more,  4,  5, 13,  2, e, f, g, h, a, b, c, d, u0, u1
        sha256_a64_scalar_round \more,  5,  6, 14,  3, d, e, f, g, h, a, b, c, u1, u0
        sha256_a64_scalar_round \more,  6,  7, 15,  4, c, d, e, f, g, h, a, b, u0, u1
        sha256_a64_scalar_round \more,  7,  8,  0,  5, b, c, d, e, f, g, h, a, u1, u0
        sha256_a64_scalar_round \more,  8,  9,  1,  6, a, b, c, d, e, f, g, h, u0, u1
        sha256_a64_scalar_round \more,  9, 10,  2,  7, h, a, b, c, d, e, f, g, u1, u0
        sha256_a64_scalar_round \more, 10, 11,  3,  8, g, h, a, b, c, d, e, f, u0, u1
        sha256_a64_scalar_round \more, 11, 12,  4,  9, f, g, h, a, b, c, d, e, u1, u0
        sha256_a64_scalar_round \more, 12, 13,  5, 10, e, f, g, h, a, b, c, d, u0, u1
        sha256_a64_scalar_round \more, 13, 14,  6, 11, d, e, f, g, h, a, b, c, u1, u0
        sha256_a64_scalar_round \more, 14, 15,  7, 12, c, d, e, f, g, h, a, b, u0, u1
        sha256_a64_scalar_round \more, 15,  0,  8, 13, b, c, d, e, f, g, h, a, u1, u0
.endm

        stp     x29, x30, [sp, #-128]!
        .cfi_def_cfa_offset 128
        .cfi_offset x29, -128
        .cfi_offset x30, -120
        stp     x19, x20, [sp, #16]
        .cfi_offset x19, -112
        .cfi_offset x20, -104
        stp     x21, x22, [sp, #32]
        .cfi_offset x21, -96
        .cfi_offset x22, -88
        stp     x23, x24, [sp, #48]
        .cfi_offset x23, -80
        .cfi_offset x24, -72
        stp     x25, x26, [sp, #64]
        .cfi_offset x25, -64
        .cfi_offset x26, -56
        stp     x27, x28, [sp, #80]
        .cfi_offset x27, -48
        .cfi_offset x28, -40
        stp     xstate, xcount, [sp, #96]

        ldp     wa, wb, [xstate]
        ldp     wc, wd, [xstate, #8]
        ldp     we, wf, [xstate, #16]
        ldp     wg, wh, [xstate, #24]

1:      // One block: load, and rounds 0 .. 47 in three turns of the inner loop.
        ldp     xm0, xm2, [xblocks]
        ldp     xm4, xm6, [xblocks, #16]
        ldp     xm8, xm10, [xblocks, #32]
        ldp     xm12, xm14, [xblocks, #48]
        add     xblocks, xblocks, #64
        adr     xkp, 8f
        str     xblocks, [sp, #112]
        ldr     xk, [xkp]
        eor     wu1, wb, wc
        sha256_a64_scalar_words 0, 1
        sha256_a64_scalar_words 2, 3
        sha256_a64_scalar_words 4, 5
        sha256_a64_scalar_words 6, 7
        sha256_a64_scalar_words 8, 9
        sha256_a64_scalar_words 10, 11
        sha256_a64_scalar_words 12, 13
        sha256_a64_scalar_words 14, 15

2:      sha256_a64_scalar_rounds 1
        add     xkp, xkp, #64
        adr     xt0, 8f + 192
        cmp     xkp, xt0
        b.ne    2b

        // Rounds 48 .. 63.
        sha256_a64_scalar_rounds 0

        // Add the old chaining value.
        ldp     xstate, xcount, [sp, #96]
        ldp     wm0, wm1, [xstate]
        ldp     wm2, wm3, [xstate, #8]
        ldp     wm4, wm5, [xstate, #16]
        ldp     wm6, wm7, [xstate, #24]
        ldr     xblocks, [sp, #112]
        sub     xcount, xcount, #1
        add     wa, wa, wm0
        add     wb, wb, wm1
        add     wc, wc, wm2
        add     wd, wd, wm3
        stp     wa, wb, [xstate]
        add     we, we, wm4
        add     wf, wf, wm5
        stp     wc, wd, [xstate, #8]
        add     wg, wg, wm6
        add     wh, wh, wm7
        stp     we, wf, [xstate, #16]
        stp     wg, wh, [xstate, #24]
        str     xcount, [sp, #104]
        cbnz    xcount, 1b

        // Clear what held secrets and is not restored below.
.irp r, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
        mov     x\r, #0
.endr

        ldp     x19, x20, [sp, #16]
        ldp     x21, x22, [sp, #32]
        ldp     x23, x24, [sp, #48]
        ldp     x25, x26, [sp, #64]
        ldp     x27, x28, [sp, #80]
        ldp     x29, x30, [sp], #128
        .cfi_def_cfa_offset 0
        .cfi_restore x19
        .cfi_restore x20
        .cfi_restore x21
        .cfi_restore x22
        .cfi_restore x23
        .cfi_restore x24
        .cfi_restore x25
        .cfi_restore x26
        .cfi_restore x27
        .cfi_restore x28
        .cfi_restore x29
        .cfi_restore x30
9:      ret

        // K[0 .. 63], and the eight bytes that the last prefetch reads.
        .balign 8
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
        .word   0, 0
        .cfi_endproc

.irp macro, words, round, rounds
        .purgem sha256_a64_scalar_\macro
.endr
.irp name, t0, t1, u0, u1
        .unreq  w\name
.endr
.irp name, t0, state, blocks, count, kp, k
        .unreq  x\name
.endr
.irp name, a, b, c, d, e, f, g, h, m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15
        .unreq  w\name
        .unreq  x\name
.endr
