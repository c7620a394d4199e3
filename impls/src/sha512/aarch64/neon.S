// SHA-384, SHA-512, SHA-512/224 and SHA-512/256 compression function, rounds in integer
// registers, message schedule in NEON registers.
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
// - Two rounds run beside the computation of the two schedule words that are needed
//   sixteen rounds later; vector instructions stand in a few groups between the
//   integer ones: on a core that writes results in order an integer instruction waits
//   for the slower vector instruction before it, once for each group.
// - W + K of the next two rounds is added in a vector and moved to two integer
//   registers. Nothing derived from the message is written to memory.
// - A pair of words that begins with an odd number, W[t+9..t+10], is put together once
//   and used twice: as such, and eight rounds later for sigma0.
// - A rotation is a shift and a shift with insertion, or a byte permutation where it is
//   by 8.
// - Sigma0 and Sigma1 take three instructions: with r = ror,
//     Sigma1(e) = r(e, 14) ^ r(e ^ r(e, 23), 18)
//     Sigma0(a) = r(a, 28) ^ r(a ^ r(a,  5), 34)
// - Ch(e,f,g) = (e & f) + (~e & g): the two terms share no bit, so both are
//   simply added.
// - Maj(a,b,c) = ((a ^ b) & (b ^ c)) ^ b, where a ^ b is b ^ c of the next round.
// - The last sixteen rounds have no schedule and load the next block instead; beside
//   the last block they load that block again, so nothing beyond it is read.
//
// Registers
//   x0-x2    state, blocks, count            v0-v7    sixteen words W
//   x3       pointer to the constants        v16-v19  pairs that begin with an odd number
//   x4-x11   a..h                            v20-v22  sigma0
//   x12,x13  temporaries                     v23-v25  sigma1
//   x14,x15  a ^ b, b ^ c in turn            v26      W + K
//   x16,x17  W + K of two rounds             v27-v30  K of eight rounds
//                                            v31      byte permutation
// The stack is not used.
// Cleared before return: x4-x17, v0-v7, v16-v26 (v27-v31 held constants).

        .cfi_startproc
        hint    #34                                     // bti c
        cbz     x2, 9f

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
xt0     .req    x12
xt1     .req    x13
xu0     .req    x14
xu1     .req    x15
xwk0    .req    x16
xwk1    .req    x17
ve0     .req    v16
ve1     .req    v17
ve2     .req    v18
ve3     .req    v19
vr1     .req    v20
vr7     .req    v21
vr8     .req    v22
vr6     .req    v23
vr19    .req    v24
vr61    .req    v25
vwk     .req    v26
dwk     .req    d26
vk0     .req    v27
vk1     .req    v28
vk2     .req    v29
vk3     .req    v30
vror8   .req    v31
qror8   .req    q31

// Two rounds, W + K in xwk0 and xwk1, with five places for vector instructions: those of the macro
// sha512_a64_neon_\list for 0 .. 4. They leave W + K of the next two rounds in xwk0 and xwk1.
// In and out: b ^ c in xu1; g, h, a .. f are a .. h of the next two rounds.
.macro  sha512_a64_neon_rounds a, b, c, d, e, f, g, h, list, arguments:vararg
        sha512_a64_neon_\list 0, \arguments
        orr     xt0, xzr, x\e, ror #14
        add     x\h, x\h, xwk0                          // T1 = h + W[t] + K[t]
        and     xu0, x\e, x\f
        eor     xt1, x\e, x\e, ror #23
        add     x\h, x\h, xu0                           // + (e & f)
        sha512_a64_neon_\list 1, \arguments
        eor     xt0, xt0, xt1, ror #18                  // Sigma1(e)
        bic     xt1, x\g, x\e
        add     x\h, x\h, xt1                           // + (~e & g)
        eor     xu0, x\a, x\b
        and     xu1, xu1, xu0
        add     x\h, x\h, xt0                           // + Sigma1(e)
        eor     xu1, xu1, x\b                           // Maj(a,b,c)
        orr     xt0, xzr, x\a, ror #28
        eor     xt1, x\a, x\a, ror #5
        add     x\d, x\d, x\h                           // e' = d + T1
        add     x\h, x\h, xu1                           // T1 + Maj(a,b,c)
        add     x\g, x\g, xwk1                          // second round: T1 = h + W[t+1] + K[t+1]
        eor     xt0, xt0, xt1, ror #34                  // Sigma0(a)
        and     xu1, x\d, x\e
        add     x\h, x\h, xt0                           // a' = T1 + Maj(a,b,c) + Sigma0(a)
        orr     xt0, xzr, x\d, ror #14
        eor     xt1, x\d, x\d, ror #23
        add     x\g, x\g, xu1                           // + (e & f)
        eor     xu1, x\h, x\a
        sha512_a64_neon_\list 2, \arguments
        and     xu0, xu0, xu1
        eor     xt0, xt0, xt1, ror #18                  // Sigma1(e)
        bic     xt1, x\f, x\d
        sha512_a64_neon_\list 3, \arguments
        eor     xu0, xu0, x\a                           // Maj(a,b,c)
        add     x\g, x\g, xt1                           // + (~e & g)
        eor     xt1, x\h, x\h, ror #5
        add     x\g, x\g, xt0                           // + Sigma1(e)
        add     x\c, x\c, x\g                           // e' = d + T1
        orr     xt0, xzr, x\h, ror #28
        add     x\g, x\g, xu0                           // T1 + Maj(a,b,c)
        eor     xt0, xt0, xt1, ror #34                  // Sigma0(a)
        add     x\g, x\g, xt0                           // a' = T1 + Maj(a,b,c) + Sigma0(a)
        sha512_a64_neon_\list 4, \arguments
.endm

// The constants of eight more rounds where those in v27 .. v30 have been used.
.macro  sha512_a64_neon_constants k
  .if \k == 3
        ld1     {v27.2d-v30.2d}, [xkp], #64             // K[t+4..t+11]
  .endif
.endm

// Beside rounds t, t + 1. In: Wi = W[t+2i..], E = W[t+1..t+2], k = (t/2 + 1) mod 4.
// Out: W0 = W[t+16..], E = W[t+9..t+10].
.macro  sha512_a64_neon_schedule place, k, E, W0, W1, W4, W5, W7
  .if \place == 0
        ushr    vr7.2d, \E\().2d, #7                    // w >> 7
        tbl     vr8.16b, {\E\().16b}, vror8.16b         // ror(w, 8)
        ushr    vr1.2d, \E\().2d, #1
        add     vwk.2d, \W1\().2d, vk\k\().2d           // W + K of t+2, t+3
  .elseif \place == 1
        ushr    vr61.2d, \W7\().2d, #61
        ushr    vr19.2d, \W7\().2d, #19
        sli     vr1.2d, \E\().2d, #63                   // ror(w, 1)
        ushr    vr6.2d, \W7\().2d, #6                   // w >> 6
        ext     \E\().16b, \W4\().16b, \W5\().16b, #8   // W[t+9], W[t+10]
        eor     vr7.16b, vr7.16b, vr8.16b
        sli     vr61.2d, \W7\().2d, #3                  // ror(w, 61)
  .elseif \place == 2
        fmov    xwk0, dwk
        eor     vr6.16b, vr6.16b, vr61.16b
        add     \W0\().2d, \W0\().2d, \E\().2d          // W[t..] + W[t+9..]
        eor     vr7.16b, vr7.16b, vr1.16b               // sigma0(W[t+1], W[t+2])
        sha512_a64_neon_constants \k
        sli     vr19.2d, \W7\().2d, #45                 // ror(w, 19)
  .elseif \place == 3
        fmov    xwk1, vwk.d[1]
        add     \W0\().2d, \W0\().2d, vr7.2d            // + sigma0(W[t+1..])
        eor     vr6.16b, vr6.16b, vr19.16b              // sigma1(W[t+14], W[t+15])
  .else
        add     \W0\().2d, \W0\().2d, vr6.2d            // W[t+16], W[t+17]
  .endif
.endm

// Beside rounds 64..77: two words of the next block to W0.
.macro  sha512_a64_neon_load place, k, offset, Q0, W0, W1
  .if \place == 0
        ldr     \Q0, [xblocks, #\offset]                // next block
  .elseif \place == 1
        add     vwk.2d, \W1\().2d, vk\k\().2d           // W + K of t+2, t+3
  .elseif \place == 3
        sha512_a64_neon_constants \k
        fmov    xwk0, dwk
        fmov    xwk1, vwk.d[1]
        rev64   \W0\().16b, \W0\().16b
  .endif
.endm

// Beside rounds 78 and 79: the last two words of the next block to W0, and the
// first four E of that block.
.macro  sha512_a64_neon_turn place, k, offset, Q0, W0, W1
        sha512_a64_neon_load \place, \k, \offset, \Q0, \W0, \W1
  .if \place == 1
        ext     ve0.16b, v0.16b, v1.16b, #8             // W[1], W[2]
        ext     ve1.16b, v1.16b, v2.16b, #8             // W[3], W[4]
        ext     ve2.16b, v2.16b, v3.16b, #8             // W[5], W[6]
        ext     ve3.16b, v3.16b, v4.16b, #8             // W[7], W[8]
  .endif
.endm

        // Constants, first block, chaining value.
        adr     xkp, 8f
        ldr     qror8, [xkp, #-16]
        ld1     {v27.2d-v30.2d}, [xkp], #64
        ld1     {v0.16b-v3.16b}, [xblocks], #64
        ld1     {v4.16b-v7.16b}, [xblocks]
        sub     xblocks, xblocks, #64
        rev64   v0.16b, v0.16b
        rev64   v1.16b, v1.16b
        rev64   v2.16b, v2.16b
        rev64   v3.16b, v3.16b
        rev64   v4.16b, v4.16b
        rev64   v5.16b, v5.16b
        rev64   v6.16b, v6.16b
        rev64   v7.16b, v7.16b
        ldp     xa, xb, [xstate]
        ldp     xc, xd, [xstate, #16]
        ldp     xe, xf, [xstate, #32]
        ldp     xg, xh, [xstate, #48]

        // W + K of rounds 0 and 1; the words with odd numbers first.
        add     vwk.2d, v0.2d, vk0.2d
        fmov    xwk0, dwk
        fmov    xwk1, vwk.d[1]
        ext     ve0.16b, v0.16b, v1.16b, #8
        ext     ve1.16b, v1.16b, v2.16b, #8
        ext     ve2.16b, v2.16b, v3.16b, #8
        ext     ve3.16b, v3.16b, v4.16b, #8

1:      // One block: rounds 0..63 in four turns of the inner loop.
        eor     xu1, xb, xc
        subs    xcount, xcount, #1
        cset    xt0, ne
        add     xblocks, xblocks, xt0, lsl #7           // stays at the last block

2:      sha512_a64_neon_rounds a, b, c, d, e, f, g, h, schedule, 1, ve0, v0, v1, v4, v5, v7
        sha512_a64_neon_rounds g, h, a, b, c, d, e, f, schedule, 2, ve1, v1, v2, v5, v6, v0
        sha512_a64_neon_rounds e, f, g, h, a, b, c, d, schedule, 3, ve2, v2, v3, v6, v7, v1
        sha512_a64_neon_rounds c, d, e, f, g, h, a, b, schedule, 0, ve3, v3, v4, v7, v0, v2
        sha512_a64_neon_rounds a, b, c, d, e, f, g, h, schedule, 1, ve0, v4, v5, v0, v1, v3
        sha512_a64_neon_rounds g, h, a, b, c, d, e, f, schedule, 2, ve1, v5, v6, v1, v2, v4
        sha512_a64_neon_rounds e, f, g, h, a, b, c, d, schedule, 3, ve2, v6, v7, v2, v3, v5
        sha512_a64_neon_rounds c, d, e, f, g, h, a, b, schedule, 0, ve3, v7, v0, v3, v4, v6
        adr     xt0, 8f + 576
        cmp     xkp, xt0
        b.ne    2b

        // Rounds 64..79.
        sha512_a64_neon_rounds a, b, c, d, e, f, g, h, load, 1, 0, q0, v0, v1
        sha512_a64_neon_rounds g, h, a, b, c, d, e, f, load, 2, 16, q1, v1, v2
        sha512_a64_neon_rounds e, f, g, h, a, b, c, d, load, 3, 32, q2, v2, v3
        sha512_a64_neon_rounds c, d, e, f, g, h, a, b, load, 0, 48, q3, v3, v4
        sha512_a64_neon_rounds a, b, c, d, e, f, g, h, load, 1, 64, q4, v4, v5
        sha512_a64_neon_rounds g, h, a, b, c, d, e, f, load, 2, 80, q5, v5, v6
        sub     xkp, xkp, #640
        sha512_a64_neon_rounds e, f, g, h, a, b, c, d, load, 3, 96, q6, v6, v7
        sha512_a64_neon_rounds c, d, e, f, g, h, a, b, turn, 0, 112, q7, v7, v0

        // Add the old chaining value.
        ldp     xt0, xt1, [xstate]
        ldp     xu0, xu1, [xstate, #16]
        add     xa, xa, xt0
        add     xb, xb, xt1
        ldp     xt0, xt1, [xstate, #32]
        add     xc, xc, xu0
        add     xd, xd, xu1
        ldp     xu0, xu1, [xstate, #48]
        stp     xa, xb, [xstate]
        add     xe, xe, xt0
        add     xf, xf, xt1
        stp     xc, xd, [xstate, #16]
        add     xg, xg, xu0
        add     xh, xh, xu1
        stp     xe, xf, [xstate, #32]
        stp     xg, xh, [xstate, #48]
        cbnz    xcount, 1b

        // Clear what held secrets.
.irp r, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
        mov     x\r, #0
.endr
.irp r, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26
        movi    v\r\().2d, #0
.endr
9:      ret

        // Byte indices that rotate both 64-bit lanes right by 8, then K[0..79].
        .balign 16
        .byte   1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8
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

.irp macro, rounds, constants, schedule, load, turn
        .purgem sha512_a64_neon_\macro
.endr
.irp name, xstate, xblocks, xcount, xkp, xa, xb, xc, xd, xe, xf, xg, xh, xt0, xt1, xu0, xu1, xwk0, xwk1
        .unreq  \name
.endr
.irp name, ve0, ve1, ve2, ve3, vr1, vr7, vr8, vr6, vr19, vr61, vwk, dwk, vk0, vk1, vk2, vk3, vror8, qror8
        .unreq  \name
.endr
