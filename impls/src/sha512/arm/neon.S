// SHA-512 compression, AArch32 (A32) with NEON
//
//   void compress(uint64_t state[8], const uint8_t *blocks, size_t count)
//                 r0                 r1                     r2
//
//   state := H(count),  where  H(0) = state,  H(j+1) = H(j) + rounds(H(j), block j)
//
// FIPS 180-4, sections 4.1.3 (functions), 4.2.3 (constants) and 6.4.2 (computation); also SHA-384,
// SHA-512/224 and SHA-512/256.
// ARMv7-A with NEON. `blocks` may have any alignment, `state` is 8-aligned; nothing outside
// blocks[0 .. 128 count) is read, and count = 0 touches no memory at all.
//
// Rounds
//   - A word is a d register. A rotation is a shift and a shift with insertion (VSHR, VSLI).
//   - Ch(e,f,g) and Maj(a,b,c) select bits: e ? f : g (VBIT), and a ^ b ? c : b (VBSL). Ch takes the
//     place of g, which by then has been added to K + W of the next round, being its h.
//   - Sigma0 and Maj of a round are added in the next round, so that two chains of operations,
//     that of the new e and that of the new a, go side by side.
//   - The new a takes the place of d, the new e that of the g of the round before. So a..d stay in
//     four registers, e..g and a temporary in another four, and all come round every four rounds.
//
// Schedule
//   - Two words at a time, 16 rounds ahead, on q registers. With X(k) = W[2k], W[2k+1] and
//     S(k) = sigma0(X(k)) + X(k+4), word by word,
//       X(k+8) = X(k) + (S(k), S(k+1))[1, 2] + sigma1(X(k+7))
//     The sum with S is made in d registers, where a shift by one word costs nothing: the first word
//     of S(k+1) goes to the second of X(k), the second to the first of X(k+1).
//   - K + W of two rounds takes one addition. The rotation by 8 permutes bytes (VEXT).
//   - The two streams are interleaved: a round has 12 slots for instructions of the schedule.
//
// Registers
//   q0-q7    X(k) .. X(k+7), the names move one place with every two rounds
//   d16-d19  ad0-ad3: a..d, the names move one place with every round
//   d20-d23  eg0-eg3: e..g and a temporary that becomes the new e, likewise (g another, after Ch)
//   q12-q13  KX0, KX1: K + W of two rounds, then their h, then their T1
//   q14-q15  T, U: temporaries, Ul of both streams
//   r0-r2    state, next block, blocks left
//   r3       next constants
//   r12      groups of 16 rounds left
//
// Stack, 64 bytes
//   sp + 0   d8-d15 of the caller
//
// Cleared: q0-q3, q8-q15; d8-d15 hold the caller's values again.

        .fpu    neon

state   .req    r0
block   .req    r1
count   .req    r2
K       .req    r3
groups  .req    r12
X0      .req    q0
X0l     .req    d0
X0h     .req    d1
X1      .req    q1
X1l     .req    d2
X1h     .req    d3
X2      .req    q2
X2l     .req    d4
X2h     .req    d5
X3      .req    q3
X3l     .req    d6
X3h     .req    d7
X4      .req    q4
X4l     .req    d8
X4h     .req    d9
X5      .req    q5
X5l     .req    d10
X5h     .req    d11
X6      .req    q6
X6l     .req    d12
X6h     .req    d13
X7      .req    q7
X7l     .req    d14
X7h     .req    d15
ad01    .req    q8
ad23    .req    q9
eg01    .req    q10
ad0     .req    d16
ad1     .req    d17
ad2     .req    d18
ad3     .req    d19
eg0     .req    d20
eg1     .req    d21
eg2     .req    d22
eg3     .req    d23
KX0     .req    q12
KX0l    .req    d24
KX0h    .req    d25
KX1     .req    q13
KX1l    .req    d26
KX1h    .req    d27
T       .req    q14
Tl      .req    d28
Th      .req    d29
U       .req    q15
Ul      .req    d30
Uh      .req    d31

// The instruction of the other stream that belongs into slot n
.macro sha512_arm_neon_at slot, n, instruction:vararg
        .if     (\slot) == (\n)
        \instruction
        .endif
.endm

// Round i, and what is left of the round before, where a, b, c were b, c, d
// h holds h + K[i] + W[i] already, p the T1 of the round before
//   a := p + Sigma0(b) + Maj(b,c,d)
//   h := T1 = h + Sigma1(e) + Ch(e,f,g),  x := d + T1, the next e
// next: K[i+1] + W[i+1], or K[i+1] and the other stream adds W[i+1]; becomes the h of the next round
// stream, n: macro and arguments of the other stream, its slots n .. n+11
.macro sha512_arm_neon_round a, b, c, d, e, f, g, x, h, next, p, n, stream:vararg
        vshr.u64 Ul, \b, #34
        vshr.u64 \a, \b, #28
        \stream, (\n)
        vshr.u64 \x, \e, #14
        vadd.i64 \next, \next, \g
        \stream, (\n)+1
        vsli.64 \a, \b, #36
        vbit    \g, \f, \e                      // Ch(e,f,g)
        vsli.64 Ul, \b, #30
        \stream, (\n)+2
        vadd.i64 \h, \h, \g
        \stream, (\n)+3
        veor    \a, \a, Ul
        vshr.u64 Ul, \b, #39
        \stream, (\n)+4
        vshr.u64 \g, \e, #18
        vsli.64 \x, \e, #50
        vsli.64 Ul, \b, #25
        vsli.64 \g, \e, #46
        \stream, (\n)+5
        veor    \a, \a, Ul                      // Sigma0(b)
        veor    \x, \x, \g
        \stream, (\n)+6
        vshr.u64 \g, \e, #41
        vadd.i64 \a, \a, \p
        \stream, (\n)+7
        vsli.64 \g, \e, #23
        veor    \p, \b, \c
        \stream, (\n)+8
        veor    \x, \x, \g                      // Sigma1(e)
        vbsl    \p, \d, \c                      // Maj(b,c,d)
        \stream, (\n)+9
        vadd.i64 \h, \h, \x                     // T1
        vadd.i64 \a, \a, \p
        \stream, (\n)+10
        vadd.i64 \x, \d, \h                     // d + T1
        \stream, (\n)+11
.endm

// The first round of a block: nothing is left from the round before
.macro sha512_arm_neon_round_0 a, b, c, d, e, f, g, x, h, next, n, stream:vararg
        \stream, (\n)
        vshr.u64 \x, \e, #14
        vadd.i64 \next, \next, \g
        \stream, (\n)+1
        vbit    \g, \f, \e                      // Ch(e,f,g)
        \stream, (\n)+2
        vadd.i64 \h, \h, \g
        \stream, (\n)+3
        \stream, (\n)+4
        vshr.u64 \g, \e, #18
        vsli.64 \x, \e, #50
        vsli.64 \g, \e, #46
        \stream, (\n)+5
        veor    \x, \x, \g
        \stream, (\n)+6
        vshr.u64 \g, \e, #41
        \stream, (\n)+7
        vsli.64 \g, \e, #23
        \stream, (\n)+8
        veor    \x, \x, \g                      // Sigma1(e)
        \stream, (\n)+9
        vadd.i64 \h, \h, \x                     // T1
        \stream, (\n)+10
        vadd.i64 \x, \d, \h                     // d + T1
        \stream, (\n)+11
.endm

// What is left of the last round of a block
.macro sha512_arm_neon_end a, b, c, d, p
        vshr.u64 \a, \b, #28
        vshr.u64 Ul, \b, #34
        vsli.64 \a, \b, #36
        vsli.64 Ul, \b, #30
        veor    \a, \a, Ul
        vshr.u64 Ul, \b, #39
        vsli.64 Ul, \b, #25
        veor    Uh, \b, \c
        veor    \a, \a, Ul                      // Sigma0(b)
        vbsl    Uh, \d, \c                      // Maj(b,c,d)
        vadd.i64 \a, \a, \p
        vadd.i64 \a, \a, Uh
.endm

// Rounds i and i+1, i even, with the slots 0 .. 23 of the other stream
// h, h1: K + W and h of these rounds, h2: of the next;  p: T1 of the round before, or nothing at the
// first round of a block
.macro sha512_arm_neon_rounds_2 a, b, c, d, e, f, g, x, h, h1, h2, p, stream:vararg
        .ifnb   \p
        sha512_arm_neon_round \a, \b, \c, \d, \e, \f, \g, \x, \h, \h1, \p, 0, \stream
        .else
        sha512_arm_neon_round_0 \a, \b, \c, \d, \e, \f, \g, \x, \h, \h1, 0, \stream
        .endif
        sha512_arm_neon_round \d, \a, \b, \c, \x, \e, \f, \g, \h1, \h2, \h, 12, \stream
.endm

// Rounds i and i+1, i = 2k, the instructions of slot n: X0 = X(k) becomes X(k+8)
// X1, X5, X7: X(k+1), X(k+5), X(k+7);  KX: K + W of the rounds i+2 and i+3
.macro sha512_arm_neon_words X0, X1, X5, X7, KX, n
        sha512_arm_neon_at 2, \n, vshr.u64 T, \X1, #1
        sha512_arm_neon_at 4, \n, vsli.64 T, \X1, #63                           // X1>>>1
        sha512_arm_neon_at 5, \n, vext.8 Uh, \X1\()h, \X1\()h, #1
        sha512_arm_neon_at 6, \n, vext.8 Ul, \X1\()l, \X1\()l, #1               // X1>>>8
        sha512_arm_neon_at 7, \n, veor T, T, U
        sha512_arm_neon_at 8, \n, vshr.u64 U, \X1, #7
        sha512_arm_neon_at 9, \n, veor T, T, U                                  // sigma0(X1)
        sha512_arm_neon_at 11, \n, vadd.i64 T, T, \X5                           // S(k+1)
        sha512_arm_neon_at 12, \n, vld1.64 {\KX\()l, \KX\()h}, [K:64]!
        sha512_arm_neon_at 13, \n, vadd.i64 \X0\()h, \X0\()h, Tl
        sha512_arm_neon_at 13, \n, vadd.i64 \KX, \KX, \X1                       // K + W
        sha512_arm_neon_at 14, \n, vadd.i64 \X1\()l, \X1\()l, Th

        sha512_arm_neon_at 15, \n, vshr.u64 T, \X7, #19
        sha512_arm_neon_at 16, \n, vsli.64 T, \X7, #45                          // X7>>>19
        sha512_arm_neon_at 18, \n, vshr.u64 U, \X7, #61
        sha512_arm_neon_at 19, \n, vsli.64 U, \X7, #3                           // X7>>>61
        sha512_arm_neon_at 20, \n, veor T, T, U
        sha512_arm_neon_at 21, \n, vshr.u64 U, \X7, #6
        sha512_arm_neon_at 22, \n, veor T, T, U                                 // sigma1(X7)
        sha512_arm_neon_at 23, \n, vadd.i64 \X0, \X0, T                         // X(k+8)
.endm

// Rounds i and i+1 of the last 16: only K + W of the rounds i+2 and i+3
.macro sha512_arm_neon_constants X1, KX, n
        sha512_arm_neon_at 12, \n, vld1.64 {\KX\()l, \KX\()h}, [K:64]!
        sha512_arm_neon_at 13, \n, vadd.i64 \KX, \KX, \X1
.endm

// The last two rounds: nothing
.macro sha512_arm_neon_none arguments:vararg
.endm

        .cfi_startproc
        cmp     count, #0
        bne     2f
        bx      lr
1:      .word   9f - (3f + 8)                   // the constants, seen from the ADD below

2:      vpush   {d8-d15}
        .cfi_def_cfa_offset 64
        .cfi_offset d8, -64
        .cfi_offset d9, -56
        .cfi_offset d10, -48
        .cfi_offset d11, -40
        .cfi_offset d12, -32
        .cfi_offset d13, -24
        .cfi_offset d14, -16
        .cfi_offset d15, -8
        ldr     K, 1b
3:      add     K, pc, K
        vld1.64 {ad0, ad1, ad2, ad3}, [state:64]!       // a, b, c, d
        vld1.64 {eg0, eg1, eg2, eg3}, [state:64]        // e, f, g, h
        sub     state, state, #32

4:      vld1.8  {X0l, X0h, X1l, X1h}, [block]!
        vld1.8  {X2l, X2h, X3l, X3h}, [block]!
        vld1.8  {X4l, X4h, X5l, X5h}, [block]!
        vld1.8  {X6l, X6h, X7l, X7h}, [block]!
        vld1.64 {KX0l, KX0h}, [K:64]!
        vrev64.8 X0, X0                         // W[0], W[1]
        vrev64.8 X1, X1
        vrev64.8 X2, X2
        vrev64.8 X3, X3
        vrev64.8 X4, X4
        vadd.i64 KX0, KX0, X0                   // K[0] + W[0], K[1] + W[1]
        vrev64.8 X5, X5
        vrev64.8 X6, X6
        vrev64.8 X7, X7                         // W[14], W[15]
        vadd.i64 KX0l, KX0l, eg3                // h + K[0] + W[0]

        vshr.u64 Tl, X0h, #1
        vext.8  Ul, X0h, X0h, #1
        vsli.64 Tl, X0h, #63
        vshr.u64 Uh, X0h, #7
        veor    Tl, Tl, Ul
        vadd.i64 X0l, X0l, X4h
        veor    Tl, Tl, Uh                      // sigma0(W[1])
        mov     groups, #4
        vadd.i64 X0l, X0l, Tl                   // W[0] + S[1]

        sha512_arm_neon_rounds_2 ad0, ad1, ad2, ad3, eg0, eg1, eg2, eg3, KX0l, KX0h, KX1l, , sha512_arm_neon_words X0, X1, X5, X7, KX1
        b       6f

5:      sha512_arm_neon_rounds_2 ad0, ad1, ad2, ad3, eg0, eg1, eg2, eg3, KX0l, KX0h, KX1l, KX1h, sha512_arm_neon_words X0, X1, X5, X7, KX1
6:      sha512_arm_neon_rounds_2 ad2, ad3, ad0, ad1, eg2, eg3, eg0, eg1, KX1l, KX1h, KX0l, KX0h, sha512_arm_neon_words X1, X2, X6, X0, KX0
        sha512_arm_neon_rounds_2 ad0, ad1, ad2, ad3, eg0, eg1, eg2, eg3, KX0l, KX0h, KX1l, KX1h, sha512_arm_neon_words X2, X3, X7, X1, KX1
        sha512_arm_neon_rounds_2 ad2, ad3, ad0, ad1, eg2, eg3, eg0, eg1, KX1l, KX1h, KX0l, KX0h, sha512_arm_neon_words X3, X4, X0, X2, KX0
        sha512_arm_neon_rounds_2 ad0, ad1, ad2, ad3, eg0, eg1, eg2, eg3, KX0l, KX0h, KX1l, KX1h, sha512_arm_neon_words X4, X5, X1, X3, KX1
        sha512_arm_neon_rounds_2 ad2, ad3, ad0, ad1, eg2, eg3, eg0, eg1, KX1l, KX1h, KX0l, KX0h, sha512_arm_neon_words X5, X6, X2, X4, KX0
        sha512_arm_neon_rounds_2 ad0, ad1, ad2, ad3, eg0, eg1, eg2, eg3, KX0l, KX0h, KX1l, KX1h, sha512_arm_neon_words X6, X7, X3, X5, KX1
        sha512_arm_neon_rounds_2 ad2, ad3, ad0, ad1, eg2, eg3, eg0, eg1, KX1l, KX1h, KX0l, KX0h, sha512_arm_neon_words X7, X0, X4, X6, KX0
        subs    groups, groups, #1
        bne     5b

        sha512_arm_neon_rounds_2 ad0, ad1, ad2, ad3, eg0, eg1, eg2, eg3, KX0l, KX0h, KX1l, KX1h, sha512_arm_neon_constants X1, KX1
        sha512_arm_neon_rounds_2 ad2, ad3, ad0, ad1, eg2, eg3, eg0, eg1, KX1l, KX1h, KX0l, KX0h, sha512_arm_neon_constants X2, KX0
        sha512_arm_neon_rounds_2 ad0, ad1, ad2, ad3, eg0, eg1, eg2, eg3, KX0l, KX0h, KX1l, KX1h, sha512_arm_neon_constants X3, KX1
        sha512_arm_neon_rounds_2 ad2, ad3, ad0, ad1, eg2, eg3, eg0, eg1, KX1l, KX1h, KX0l, KX0h, sha512_arm_neon_constants X4, KX0
        vld1.64 {X0l, X0h, X1l, X1h}, [state:64]!       // a, b, c, d of the state
        vld1.64 {X2l, X2h, X3l, X3h}, [state:64]        // e, f, g, h
        sub     state, state, #32
        sha512_arm_neon_rounds_2 ad0, ad1, ad2, ad3, eg0, eg1, eg2, eg3, KX0l, KX0h, KX1l, KX1h, sha512_arm_neon_constants X5, KX1
        sha512_arm_neon_rounds_2 ad2, ad3, ad0, ad1, eg2, eg3, eg0, eg1, KX1l, KX1h, KX0l, KX0h, sha512_arm_neon_constants X6, KX0
        sha512_arm_neon_rounds_2 ad0, ad1, ad2, ad3, eg0, eg1, eg2, eg3, KX0l, KX0h, KX1l, KX1h, sha512_arm_neon_constants X7, KX1
        sha512_arm_neon_rounds_2 ad2, ad3, ad0, ad1, eg2, eg3, eg0, eg1, KX1l, KX1h, X3h, KX0h, sha512_arm_neon_none
        sha512_arm_neon_end ad0, ad1, ad2, ad3, KX1h

        vadd.i64 ad01, ad01, X0
        vadd.i64 ad23, ad23, X1
        vadd.i64 eg01, eg01, X2
        vadd.i64 eg2, eg2, X3l
        vmov    eg3, X3h
        vst1.64 {ad0, ad1, ad2, ad3}, [state:64]!
        vst1.64 {eg0, eg1, eg2, eg3}, [state:64]
        sub     state, state, #32
        sub     K, K, #640
        subs    count, count, #1
        bne     4b

        vmov.i32 q0, #0
        vmov.i32 q1, #0
        vmov.i32 q2, #0
        vmov.i32 q3, #0
        vmov.i32 q8, #0
        vmov.i32 q9, #0
        vmov.i32 q10, #0
        vmov.i32 q11, #0
        vmov.i32 q12, #0
        vmov.i32 q13, #0
        vmov.i32 q14, #0
        vmov.i32 q15, #0
        vpop    {d8-d15}
        .cfi_def_cfa_offset 0
        .cfi_restore d8
        .cfi_restore d9
        .cfi_restore d10
        .cfi_restore d11
        .cfi_restore d12
        .cfi_restore d13
        .cfi_restore d14
        .cfi_restore d15
        bx      lr
        .cfi_endproc

        .balign 8
9:      .quad   0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc
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

.purgem sha512_arm_neon_at
.purgem sha512_arm_neon_round
.purgem sha512_arm_neon_round_0
.purgem sha512_arm_neon_end
.purgem sha512_arm_neon_words
.purgem sha512_arm_neon_constants
.purgem sha512_arm_neon_none
.purgem sha512_arm_neon_rounds_2
.unreq  state
.unreq  block
.unreq  count
.unreq  K
.unreq  groups
.unreq  X0
.unreq  X0l
.unreq  X0h
.unreq  X1
.unreq  X1l
.unreq  X1h
.unreq  X2
.unreq  X2l
.unreq  X2h
.unreq  X3
.unreq  X3l
.unreq  X3h
.unreq  X4
.unreq  X4l
.unreq  X4h
.unreq  X5
.unreq  X5l
.unreq  X5h
.unreq  X6
.unreq  X6l
.unreq  X6h
.unreq  X7
.unreq  X7l
.unreq  X7h
.unreq  ad01
.unreq  ad23
.unreq  eg01
.unreq  ad0
.unreq  ad1
.unreq  ad2
.unreq  ad3
.unreq  eg0
.unreq  eg1
.unreq  eg2
.unreq  eg3
.unreq  KX0
.unreq  KX0l
.unreq  KX0h
.unreq  KX1
.unreq  KX1l
.unreq  KX1h
.unreq  T
.unreq  Tl
.unreq  Th
.unreq  U
.unreq  Ul
.unreq  Uh

        .fpu    vfpv3-d16                       // the default of the ARMv7 target
