// SHA-384, SHA-512, SHA-512/224 and SHA-512/256 compression function, integer
// instructions only.
//
//   for i in 0 .. count:  state = compress(state, blocks[128 i .. 128 i + 128))
//
//   x0  state   [u64; 8], a..h, read and written
//   x1  blocks  128 count bytes, read only, any alignment
//   x2  count   number of blocks, may be 0
//
// Source: FIPS 180-4, sections 4.1.3 (functions), 4.2.3 (constants), 5.2.2
// (parsing), 6.4.2 (compression).
//
// Technique
// - The sixteen words of the message schedule stay in registers. Round t uses
//   word t mod 16 and then replaces it by the word of round t + 16; the last
//   sixteen rounds do not. A round and a schedule step are interleaved, so that
//   cores that issue in order find independent work.
// - Sigma0 and Sigma1 take three instructions: with r = ror,
//     Sigma1(e) = r(e, 14) ^ r(e ^ r(e, 23), 18)
//     Sigma0(a) = r(a, 28) ^ r(a ^ r(a,  5), 34)
//   One of the two plain rotations is written as an orr with zero: it then runs in the
//   pipe for shifted operands where a core has such a pipe.
// - Ch(e,f,g) = (e & f) + (~e & g): the two terms share no bit, so both are
//   simply added.
// - Maj(a,b,c) = ((a ^ b) & (b ^ c)) ^ b, where a ^ b is b ^ c of the next round.
// - The constant of the next round is loaded as soon as that of this round is added.
//   After each sixteen rounds it is K[16], K[32], K[48] or K[64]; of these only K[64]
//   has bit 6 clear, which ends the inner loop.
//
// Registers
//   x0, x1   temporaries                     x4-x11           a..h
//   x2, x30  a ^ b, b ^ c in turn            x12-x17,x19-x28  W[0..15]
//   x3       pointer to the constants        x29              K[t]
//
// Stack: 128 bytes: x19-x30 of the caller, then state, blocks and count.
// Cleared before return: x4-x17; x0-x2 hold state, blocks and count again, x3 held
// only addresses, and x19-x30 are the caller's again.

        .cfi_startproc
        hint    #34                                     // bti c
        cbz     x2, 9f

xt0     .req    x0
xt1     .req    x1
xu0     .req    x2
xstate  .req    x0
xblocks .req    x1
xcount  .req    x2
xkp     .req    x3
xa      .req    x4
xb      .req    x5
xc      .req    x6
xd      .req    x7
xe      .req    x8
xf      .req    x9
xg      .req    x10
xh      .req    x11
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
xu1     .req    x30

// Round t, and if \more is 1 the schedule word of round t + 16 beside it, all indices
// modulo 16:
//   W[t] += sigma0(W[t1]) + W[t9] + sigma1(W[t14])    t1 = t + 1, t9 = t + 9, t14 = t + 14
// In: b ^ c in bc. Out: a ^ b in ab, the new e in d, the new a in h. bc becomes free.
.macro  sha512_a64_scalar_round more, t, t1, t9, t14, a, b, c, d, e, f, g, h, ab, bc
        add     x\h, x\h, xm\t                          // T1 = h + W[t]
        and     xt0, x\e, x\f
        ror     xt1, x\e, #14
        eor     x\ab, x\e, x\e, ror #23
        add     x\h, x\h, xk                            // + K[t]
  .if \t < 15
        ldr     xk, [xkp, #8 * (\t + 1)]                // K[t+1]
  .elseif \more
        ldr     xk, [xkp, #128]!                        // K[t+1]
  .endif
        add     x\h, x\h, xt0                           // + (e & f)
        bic     xt0, x\g, x\e
        eor     xt1, xt1, x\ab, ror #18                 // Sigma1(e)
        eor     x\ab, x\a, x\b
        add     x\h, x\h, xt0                           // + (~e & g)
        eor     xt0, x\a, x\a, ror #5
        add     x\h, x\h, xt1                           // + Sigma1(e)
        and     x\bc, x\bc, x\ab
        orr     xt1, xzr, x\a, ror #28
        add     x\d, x\d, x\h                           // e' = d + T1
  .if \more
        add     xm\t, xm\t, xm\t9                       // W[t] + W[t9]
  .endif
        eor     x\bc, x\bc, x\b                         // Maj(a,b,c)
        add     x\h, x\h, x\bc                          // T1 + Maj(a,b,c)
        eor     xt1, xt1, xt0, ror #34                  // Sigma0(a)
  .if \more
        lsr     x\bc, xm\t1, #7
        lsr     xt0, xm\t14, #6
        eor     x\bc, x\bc, xm\t1, ror #1
        eor     xt0, xt0, xm\t14, ror #19
        eor     x\bc, x\bc, xm\t1, ror #8               // sigma0(W[t1])
        eor     xt0, xt0, xm\t14, ror #61               // sigma1(W[t14])
        add     xm\t, xm\t, x\bc
  .endif
        add     x\h, x\h, xt1                           // a' = T1 + Maj(a,b,c) + Sigma0(a)
  .if \more
        add     xm\t, xm\t, xt0                         // W[t+16]
  .endif
.endm

// Sixteen rounds, with the schedule for the sixteen after them if \more is 1.
.macro  sha512_a64_scalar_rounds more
        sha512_a64_scalar_round \more,  0,  1,  9, 14, a, b, c, d, e, f, g, h, u0, u1
        sha512_a64_scalar_round \more,  1,  2, 10, 15, h, a, b, c, d, e, f, g, u1, u0
        sha512_a64_scalar_round \more,  2,  3, 11,  0, g, h, a, b, c, d, e, f, u0, u1
        sha512_a64_scalar_round \more,  3,  4, 12,  1, f, g, h, a, b, c, d, e, u1, u0
        sha512_a64_scalar_round \more,  4,  5, 13,  2, e, f, g, h, a, b, c, d, u0, u1
        sha512_a64_scalar_round \more,  5,  6, 14,  3, d, e, f, g, h, a, b, c, u1, u0
        sha512_a64_scalar_round \more,  6,  7, 15,  4, c, d, e, f, g, h, a, b, u0, u1
        sha512_a64_scalar_round \more,  7,  8,  0,  5, b, c, d, e, f, g, h, a, u1, u0
        sha512_a64_scalar_round \more,  8,  9,  1,  6, a, b, c, d, e, f, g, h, u0, u1
        sha512_a64_scalar_round \more,  9, 10,  2,  7, h, a, b, c, d, e, f, g, u1, u0
        sha512_a64_scalar_round \more, 10, 11,  3,  8, g, h, a, b, c, d, e, f, u0, u1
        sha512_a64_scalar_round \more, 11, 12,  4,  9, f, g, h, a, b, c, d, e, u1, u0
        sha512_a64_scalar_round \more, 12, 13,  5, 10, e, f, g, h, a, b, c, d, u0, u1
        sha512_a64_scalar_round \more, 13, 14,  6, 11, d, e, f, g, h, a, b, c, u1, u0
        sha512_a64_scalar_round \more, 14, 15,  7, 12, c, d, e, f, g, h, a, b, u0, u1
        sha512_a64_scalar_round \more, 15,  0,  8, 13, b, c, d, e, f, g, h, a, u1, u0
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

        ldp     xa, xb, [xstate]
        ldp     xc, xd, [xstate, #16]
        ldp     xe, xf, [xstate, #32]
        ldp     xg, xh, [xstate, #48]

1:      // One block: load, and rounds 0..63 in four turns of the inner loop.
        ldp     xm0, xm1, [xblocks]
        ldp     xm2, xm3, [xblocks, #16]
        ldp     xm4, xm5, [xblocks, #32]
        ldp     xm6, xm7, [xblocks, #48]
        ldp     xm8, xm9, [xblocks, #64]
        ldp     xm10, xm11, [xblocks, #80]
        ldp     xm12, xm13, [xblocks, #96]
        ldp     xm14, xm15, [xblocks, #112]
        add     xblocks, xblocks, #128
        adr     xkp, 8f
        str     xblocks, [sp, #112]
        ldr     xk, [xkp]
        eor     xu1, xb, xc
        rev     xm0, xm0
        rev     xm1, xm1
        rev     xm2, xm2
        rev     xm3, xm3
        rev     xm4, xm4
        rev     xm5, xm5
        rev     xm6, xm6
        rev     xm7, xm7
        rev     xm8, xm8
        rev     xm9, xm9
        rev     xm10, xm10
        rev     xm11, xm11
        rev     xm12, xm12
        rev     xm13, xm13
        rev     xm14, xm14
        rev     xm15, xm15

2:      sha512_a64_scalar_rounds 1
        tbnz    xk, #6, 2b

        // Rounds 64..79.
        sha512_a64_scalar_rounds 0

        // Add the old chaining value.
        ldp     xstate, xcount, [sp, #96]
        ldp     xm0, xm1, [xstate]
        ldp     xm2, xm3, [xstate, #16]
        ldp     xm4, xm5, [xstate, #32]
        ldp     xm6, xm7, [xstate, #48]
        ldr     xblocks, [sp, #112]
        sub     xcount, xcount, #1
        add     xa, xa, xm0
        add     xb, xb, xm1
        add     xc, xc, xm2
        add     xd, xd, xm3
        stp     xa, xb, [xstate]
        add     xe, xe, xm4
        add     xf, xf, xm5
        stp     xc, xd, [xstate, #16]
        add     xg, xg, xm6
        add     xh, xh, xm7
        stp     xe, xf, [xstate, #32]
        stp     xg, xh, [xstate, #48]
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

        // K[0..79].
        .balign 8
8:      .quad   0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc
        .quad   0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118
        .quad   0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2
        .quad   0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694
        .quad   0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65
        .quad   0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5
        .quad   0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4
        .quad   0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70
        .quad   0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df
        .quad   0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b
        .quad   0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30
        .quad   0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8
        .quad   0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8
        .quad   0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3
        .quad   0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec
        .quad   0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b
        .quad   0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178
        .quad   0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b
        .quad   0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c
        .quad   0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817
        .cfi_endproc

.irp macro, round, rounds
        .purgem sha512_a64_scalar_\macro
.endr
.irp name, t0, t1, u0, u1, state, blocks, count, kp, k
        .unreq  x\name
.endr
.irp name, a, b, c, d, e, f, g, h, m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15
        .unreq  x\name
.endr
