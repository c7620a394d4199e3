// SHA-256 compression, AArch32 (A32) with NEON
//
//   void compress(uint32_t state[8], const uint8_t *blocks, size_t count)
//                 r0                 r1                     r2
//
//   state := H(count),  where  H(0) = state,  H(j+1) = H(j) + rounds(H(j), block j)
//
// FIPS 180-4, sections 4.1.2 (functions), 4.2.2 (constants) and 6.2.2 (computation); also SHA-224.
// ARMv7-A with NEON. `blocks` may have any alignment, `state` is 4-aligned; nothing outside
// blocks[0 .. 64 count) is read, and count = 0 touches no memory at all.
//
// Technique
//   - The rounds run in the integer registers, the schedule four words at a time in NEON, 16 rounds
//     ahead; K + W passes from one to the other through the stack. The two streams have nothing else
//     in common and are interleaved.
//   - With X(n) = W[4n .. 4n+3] and S(n) = sigma0(X(n)) + X(n+2), word by word,
//       X(n+4) = X(n) + (S(n), S(n+1))[1 .. 4] + sigma1(two words before, two words at a time)
//     so that the shift by one word is paid once for both terms, and S(n+1) serves again in X(n+5).
//   - During the last 16 rounds of a block the NEON side fetches the next block. The last block
//     fetches itself again.
//   - Rotations are free in the shifted operand, the outermost one in the addition:
//       Sigma1(e) = (e ^ e>>>5 ^ e>>>19) >>> 6         Sigma0(a) = (a ^ a>>>11 ^ a>>>20) >>> 2
//   - Ch(e,f,g) = ((f ^ g) & e) ^ g
//   - Maj(a,b,c) = ((a ^ b) & (b ^ c)) ^ b, where b ^ c is the a ^ b of the round before.
//   - K + W of two rounds come with one LDRD; the second goes into g, its h to be, as soon as Ch
//     has read g.
//
// Registers
//   r4-r11   a..h; the names move one place with every round
//   r0, r1   K + W of two rounds, temporaries
//   r2       next block
//   r3       second half of the K + W, sp + 32
//   r12      next constants
//   lr       a ^ b of the last round
//   q0-q3    X(n) .. X(n+3)
//   q8, q9   S(n), S(n+1); they change places with every group
//   q10-q12  temporaries
//   q14, q15 K, then K + W, of two groups
//
// Stack, 112 bytes
//   sp + 0    K + W of the 16 rounds to come
//   sp + 64   state, blocks, count
//   sp + 76   r4-r11, lr of the caller
//
// Cleared: r0, r1, lr, q0-q3, q8-q12, q14, q15 and the K + W.

        .fpu    neon

k0      .req    r0
k1      .req    r1
block   .req    r2
KW      .req    r3
K       .req    r12
ab      .req    lr
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
SX0      .req    q8
SX1      .req    q9
T       .req    q10
Tl      .req    d20
Th      .req    d21
U       .req    q11
Ul      .req    d22
V       .req    q12
KX0      .req    q14
KX0l     .req    d28
KX0h     .req    d29
KX1      .req    q15
KX1l     .req    d30
KX1h     .req    d31

// The instruction of the other stream that belongs to slot n
.macro sha256_arm_neon_at slot, n, instruction:vararg
        .if     (\slot) == (\n)
        \instruction
        .endif
.endm

// T1 = h + Sigma1(e) + Ch(e,f,g)   h holds K[i] + W[i] already
// d := d + T1,  h := T1 + Sigma0(a) + Maj(a,b,c);  bc = b ^ c is used up, ab becomes a ^ b
// next: K[i+1] + W[i+1], or nothing; may be the same register as ab
// stream, n: macro and arguments of the other stream, its slots n .. n+7
.macro sha256_arm_neon_round a, b, c, d, e, f, g, h, bc, ab, t, next, n, stream:vararg
        eor     \t, \e, \e, ror #5
        \stream, (\n)
        eor     \t, \t, \e, ror #19
        add     \h, \h, \t, ror #6              // h + Sigma1(e)
        \stream, (\n)+1
        eor     \t, \f, \g
        and     \t, \t, \e
        \stream, (\n)+2
        eor     \t, \t, \g                      // Ch(e,f,g)
        add     \h, \h, \t                      // T1
        \stream, (\n)+3
        .ifnb   \next
        add     \g, \g, \next
        .endif
        add     \d, \d, \h                      // d + T1
        \stream, (\n)+4
        eor     \t, \a, \a, ror #11
        eor     \t, \t, \a, ror #20
        \stream, (\n)+5
        eor     \ab, \a, \b
        and     \bc, \bc, \ab
        \stream, (\n)+6
        add     \h, \h, \t, ror #2              // T1 + Sigma0(a)
        eor     \bc, \bc, \b                    // Maj(a,b,c)
        \stream, (\n)+7
        add     \h, \h, \bc                     // T1 + T2
.endm

// Rounds i .. i+3, i taken modulo 16, with 32 slots
.macro sha256_arm_neon_rounds a, b, c, d, e, f, g, h, i, n, stream:vararg
        ldrd    k0, k1, [sp, #4*(\i)]           // K[i] + W[i], K[i+1] + W[i+1]
        add     \h, \h, k0
        sha256_arm_neon_round \a, \b, \c, \d, \e, \f, \g, \h, ab, k1, k0, k1, (\n), \stream
        sha256_arm_neon_round \h, \a, \b, \c, \d, \e, \f, \g, k1, ab, k0, , (\n)+8, \stream
        ldrd    k0, k1, [sp, #4*(\i)+8]
        add     \f, \f, k0
        sha256_arm_neon_round \g, \h, \a, \b, \c, \d, \e, \f, ab, k1, k0, k1, (\n)+16, \stream
        sha256_arm_neon_round \f, \g, \h, \a, \b, \c, \d, \e, k1, ab, k0, , (\n)+24, \stream
.endm

// Four words, the n-th instruction:  S1 = sigma0(X1) + X3
// X0 := X0 + (S0, S1)[1 .. 4] + sigma1(the two words before, two words at a time)
// half 0 loads the constants of two groups, half 1 stores the sums of two groups
.macro sha256_arm_neon_words X0, X1, X2, X3, S0, S1, half, to, n
        sha256_arm_neon_at 0, \n, vshr.u32 \S1, \X1, #7
        sha256_arm_neon_at 1, \n, vshr.u32 Tl, \X3\()h, #17
        sha256_arm_neon_at 2, \n, vshr.u32 U, \X1, #18
        sha256_arm_neon_at 3, \n, vshr.u32 Th, \X3\()h, #19
        sha256_arm_neon_at 4, \n, vsli.32  \S1, \X1, #25
        sha256_arm_neon_at 5, \n, vsli.32  Tl, \X3\()h, #15
        sha256_arm_neon_at 6, \n, vsli.32  U, \X1, #14
        sha256_arm_neon_at 7, \n, vsli.32  Th, \X3\()h, #13
        sha256_arm_neon_at 8, \n, vshr.u32 V, \X1, #3
        sha256_arm_neon_at 9, \n, veor     \S1, \S1, U
        sha256_arm_neon_at 10, \n, vshr.u32 Ul, \X3\()h, #10
        sha256_arm_neon_at 11, \n, veor     Tl, Tl, Th
        sha256_arm_neon_at 12, \n, veor     \S1, \S1, V
        sha256_arm_neon_at 13, \n, veor     Tl, Tl, Ul
        sha256_arm_neon_at 14, \n, vadd.i32 \S1, \S1, \X3
        sha256_arm_neon_at 15, \n, vext.32  V, \S0, \S1, #1
        sha256_arm_neon_at 16, \n, vadd.i32 \X0, \X0, V
        sha256_arm_neon_at 17, \n, vadd.i32 \X0\()l, \X0\()l, Tl
        sha256_arm_neon_at 18, \n, vshr.u32 Tl, \X0\()l, #17
        sha256_arm_neon_at 19, \n, vshr.u32 Th, \X0\()l, #19
        sha256_arm_neon_at 20, \n, vshr.u32 Ul, \X0\()l, #10
        sha256_arm_neon_at 21, \n, vsli.32  Tl, \X0\()l, #15
        sha256_arm_neon_at 22, \n, vsli.32  Th, \X0\()l, #13
        sha256_arm_neon_at 24, \n, veor     Tl, Tl, Ul
        sha256_arm_neon_at 26, \n, veor     Tl, Tl, Th
        sha256_arm_neon_at 28, \n, vadd.i32 \X0\()h, \X0\()h, Tl
        .if     \half == 0
        sha256_arm_neon_at 25, \n, vld1.32  {KX0l, KX0h, KX1l, KX1h}, [K]!
        sha256_arm_neon_at 30, \n, vadd.i32 KX0, KX0, \X0
        .else
        sha256_arm_neon_at 30, \n, vadd.i32 KX1, KX1, \X0
        sha256_arm_neon_at 31, \n, vst1.32  {KX0l, KX0h, KX1l, KX1h}, [\to:64]
        .endif
.endm

// The next block, the n-th instruction of 128: X(0) .. X(3), K + W of its first 16 rounds, S(0)
.macro sha256_arm_neon_next to0, to1, n
        sha256_arm_neon_at 0, \n, vld1.8   {X0l, X0h, X1l, X1h}, [block]!
        sha256_arm_neon_at 2, \n, vld1.8   {X2l, X2h, X3l, X3h}, [block]!
        sha256_arm_neon_at 4, \n, vld1.32  {KX0l, KX0h, KX1l, KX1h}, [K]!
        sha256_arm_neon_at 6, \n, vrev32.8 X0, X0
        sha256_arm_neon_at 8, \n, vrev32.8 X1, X1
        sha256_arm_neon_at 10, \n, vrev32.8 X2, X2
        sha256_arm_neon_at 12, \n, vrev32.8 X3, X3
        sha256_arm_neon_at 16, \n, vadd.i32 KX0, KX0, X0
        sha256_arm_neon_at 20, \n, vadd.i32 KX1, KX1, X1
        sha256_arm_neon_at 24, \n, vshr.u32 SX0, X0, #7
        sha256_arm_neon_at 26, \n, vshr.u32 U, X0, #18
        sha256_arm_neon_at 28, \n, vshr.u32 V, X0, #3
        sha256_arm_neon_at 32, \n, vsli.32  SX0, X0, #25
        sha256_arm_neon_at 36, \n, vsli.32  U, X0, #14
        sha256_arm_neon_at 40, \n, veor     SX0, SX0, V
        sha256_arm_neon_at 44, \n, veor     SX0, SX0, U
        sha256_arm_neon_at 48, \n, vadd.i32 SX0, SX0, X2
        sha256_arm_neon_at 63, \n, vst1.32  {KX0l, KX0h, KX1l, KX1h}, [\to0:64]
        sha256_arm_neon_at 64, \n, vld1.32  {KX0l, KX0h, KX1l, KX1h}, [K]!
        sha256_arm_neon_at 72, \n, vadd.i32 KX0, KX0, X2
        sha256_arm_neon_at 80, \n, vadd.i32 KX1, KX1, X3
        sha256_arm_neon_at 127, \n, vst1.32  {KX0l, KX0h, KX1l, KX1h}, [\to1:64]
.endm

        .cfi_startproc
        cmp     r2, #0
        bxeq    lr

        push    {r0-r2, r4-r11, lr}
        .cfi_def_cfa_offset 48
        .cfi_offset r4, -36
        .cfi_offset r5, -32
        .cfi_offset r6, -28
        .cfi_offset r7, -24
        .cfi_offset r8, -20
        .cfi_offset r9, -16
        .cfi_offset r10, -12
        .cfi_offset r11, -8
        .cfi_offset lr, -4
        sub     sp, sp, #64
        .cfi_def_cfa_offset 112

        ldr     K, 8f                           // K := address of the constants
7:      add     K, pc, K
        add     KW, sp, #32
        ldm     r0, {r4-r11}
        mov     block, r1

        vld1.8  {X0l, X0h, X1l, X1h}, [block]!
        vld1.8  {X2l, X2h, X3l, X3h}, [block]!
        vld1.32 {KX0l, KX0h, KX1l, KX1h}, [K]!
        vrev32.8 X0, X0
        vrev32.8 X1, X1
        vrev32.8 X2, X2
        vrev32.8 X3, X3
        vadd.i32 KX0, KX0, X0
        vadd.i32 KX1, KX1, X1
        vst1.32 {KX0l, KX0h, KX1l, KX1h}, [sp:64]
        vld1.32 {KX0l, KX0h, KX1l, KX1h}, [K]!
        vadd.i32 KX0, KX0, X2
        vadd.i32 KX1, KX1, X3
        vst1.32 {KX0l, KX0h, KX1l, KX1h}, [KW:64]
        vshr.u32 SX0, X0, #7
        vshr.u32 U, X0, #18
        vshr.u32 V, X0, #3
        vsli.32 SX0, X0, #25
        vsli.32 U, X0, #14
        veor    SX0, SX0, V
        veor    SX0, SX0, U
        vadd.i32 SX0, SX0, X2

1:      eor     ab, r5, r6                      // b ^ c

2:      sha256_arm_neon_rounds r4, r5, r6, r7, r8, r9, r10, r11, 0, 0, sha256_arm_neon_words X0, X1, X2, X3, SX0, SX1, 0, sp
        sha256_arm_neon_rounds r8, r9, r10, r11, r4, r5, r6, r7, 4, 0, sha256_arm_neon_words X1, X2, X3, X0, SX1, SX0, 1, sp
        sha256_arm_neon_rounds r4, r5, r6, r7, r8, r9, r10, r11, 8, 0, sha256_arm_neon_words X2, X3, X0, X1, SX0, SX1, 0, KW
        sha256_arm_neon_rounds r8, r9, r10, r11, r4, r5, r6, r7, 12, 0, sha256_arm_neon_words X3, X0, X1, X2, SX1, SX0, 1, KW

        ldrb    k0, [K, #-1]
        cmp     k0, #0xc6                       // top byte of K[63], and not of K[31] or K[47]
        bne     2b

        ldr     k0, [sp, #72]                   // count
        sub     K, K, #256
        subs    k0, k0, #1                      // these flags are kept until the branch below
        str     k0, [sp, #72]
        subeq   block, block, #64               // the last block stands in for its successor

        sha256_arm_neon_rounds r4, r5, r6, r7, r8, r9, r10, r11, 0, 0, sha256_arm_neon_next sp, KW
        sha256_arm_neon_rounds r8, r9, r10, r11, r4, r5, r6, r7, 4, 32, sha256_arm_neon_next sp, KW
        sha256_arm_neon_rounds r4, r5, r6, r7, r8, r9, r10, r11, 8, 64, sha256_arm_neon_next sp, KW
        sha256_arm_neon_rounds r8, r9, r10, r11, r4, r5, r6, r7, 12, 96, sha256_arm_neon_next sp, KW

        ldr     r0, [sp, #64]                   // state
        ldm     r0!, {r1, lr}
        add     r4, r4, r1
        add     r5, r5, lr
        ldm     r0!, {r1, lr}
        add     r6, r6, r1
        add     r7, r7, lr
        ldm     r0!, {r1, lr}
        add     r8, r8, r1
        add     r9, r9, lr
        ldm     r0!, {r1, lr}
        add     r10, r10, r1
        add     r11, r11, lr
        stmdb   r0, {r4-r11}
        bne     1b

        vmov.i32 q0, #0
        vmov.i32 q1, #0
        vmov.i32 q2, #0
        vmov.i32 q3, #0
        vmov.i32 q8, #0
        vmov.i32 q9, #0
        vmov.i32 q10, #0
        vmov.i32 q11, #0
        vmov.i32 q12, #0
        vmov.i32 q14, #0
        vmov.i32 q15, #0
        vst1.32 {d0-d3}, [sp:64]!
        .cfi_def_cfa_offset 80
        vst1.32 {d0-d3}, [sp:64]!
        .cfi_def_cfa_offset 48
        pop     {r0-r2, r4-r11, lr}
        .cfi_def_cfa_offset 0
        .cfi_restore r4
        .cfi_restore r5
        .cfi_restore r6
        .cfi_restore r7
        .cfi_restore r8
        .cfi_restore r9
        .cfi_restore r10
        .cfi_restore r11
        .cfi_restore lr
        bx      lr
        .cfi_endproc

8:      .word   9f - (7b + 8)
        .balign 8
9:      .word   0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5
        .word   0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174
        .word   0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da
        .word   0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967
        .word   0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85
        .word   0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070
        .word   0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3
        .word   0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2

.purgem sha256_arm_neon_round
.purgem sha256_arm_neon_rounds
.purgem sha256_arm_neon_words
.purgem sha256_arm_neon_next
.purgem sha256_arm_neon_at
        .unreq  k0
        .unreq  k1
        .unreq  block
        .unreq  KW
        .unreq  K
        .unreq  ab
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
        .unreq  SX0
        .unreq  SX1
        .unreq  T
        .unreq  Tl
        .unreq  Th
        .unreq  U
        .unreq  Ul
        .unreq  V
        .unreq  KX0
        .unreq  KX0l
        .unreq  KX0h
        .unreq  KX1
        .unreq  KX1l
        .unreq  KX1h
        .fpu    vfpv3-d16
