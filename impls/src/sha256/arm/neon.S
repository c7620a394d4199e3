// SHA-224/256 compression: AArch32 (A32), rounds in integer registers, message schedule in NEON registers, one message
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
// Technique, rounds
//   - In the integer registers. Rotations are free in the shifted operand, the outermost one in the addition:
//         Sigma1(e) = (e ^ (e >>>  5) ^ (e >>> 19)) >>> 6
//         Sigma0(a) = (a ^ (a >>> 11) ^ (a >>> 20)) >>> 2
//   - Ch(e,f,g) = ((f ^ g) & ~e) ^ f
//   - Maj(a,b,c) = ((a ^ b) & (b ^ c)) ^ b, where b ^ c is the a ^ b of the round before.
//   - Sigma0 and Maj of a round are added in the next round, beside its Sigma1: only d + T1 has to be ready in time.
//   - K + W of two rounds come with one LDRD; the second goes into g, its h to be.
//
// Technique, schedule
//   - In NEON, four words at a time, 16 rounds ahead; K + W passes to the rounds through the stack. The two streams
//     have nothing else in common. After every second integer instruction comes a slot, 32 in four rounds, for an
//     instruction of the other stream.
//   - With X(k) = W[4k .. 4k+3] and S(k) = sigma0(X(k)) + X(k+2), word by word,
//         X(k+4) = X(k) + (S(k), S(k+1))[1 .. 4] + sigma1(the two words before, two words at a time)
//     so that the shift by one word is paid once for both terms, and S(k+1) serves again in X(k+5).
//   - Two new words x, y are spread to D = (x:x, y:y), 64 bits each. A narrowing shift then is a rotation, with a
//     result of two words: for sigma1 now, and for sigma0, wanted two groups later.
//   - During the last 16 rounds of a block the next block is fetched. The last block fetches itself.
//
// Arguments
//     r0  state   a .. h as native words, aligned to 4; read and written
//     r1  blocks  64 count bytes, at any address (normal memory, SCTLR.A = 0: unaligned access allowed); read only
//     r2  count   number of blocks; with 0 no memory is touched
//
// Registers
//     r4 .. r11  a .. h; the names move one place with every round
//     r0, r1     K + W of two rounds, temporaries
//     r2         next block
//     r3         sp + 32
//     r12        next constants
//     lr         a ^ b of the last round but one
//     q0 .. q3   X(k) .. X(k+3)
//     q8 .. q11  S(k), S(k+1), sigma0(X(k+2)), sigma0(X(k+3)); S(k), once used, is free for sigma0(X(k+4))
//     q12        D
//     q13        x >>> 18, y >>> 18 of four words, until the other terms of sigma0 are there
//     q14, q15   K, then K + W, of two groups
//     q4 .. q7 are not used.
//
// Stack, 112 bytes
//     sp + 0    K + W of the 16 rounds to come
//     sp + 64   state
//     sp + 68   blocks
//     sp + 72   blocks left
//     sp + 76   r4 .. r11, lr of the caller
//
// Cleared
//     q0 .. q3, q8 .. q15 and the K + W on the stack are zero, r4 .. r11 are the caller's again. r0, r1 and lr held
//     temporaries and are reloaded, r2 with them: r0 = state, r1 = blocks, r2 = 0, lr = return address. r3 and r12
//     only ever held addresses.
//
// Notes
//   - Armv7-A with NEON, little-endian AArch32 state, A32 instructions; position-independent.
//   - Nothing but state, blocks[0 .. 64 count), the constants and the stack above is read or written.
//   - Branches, and the step to the next block, compare the count alone, which is public; no address depends on state
//     or message.
//   - At the end of the file the FPU is set back to the default of the ARMv7 target.

        .fpu    neon

k0      .req    r0
k1      .req    r1
block   .req    r2
hi      .req    r3
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
Y0      .req    q8
Y0l     .req    d16
Y0h     .req    d17
Y1      .req    q9
Y1l     .req    d18
Y1h     .req    d19
Y2      .req    q10
Y2l     .req    d20
Y2h     .req    d21
Y3      .req    q11
Y3l     .req    d22
Y3h     .req    d23
D       .req    q12
Dl      .req    d24
Dh      .req    d25
U       .req    q13
Ul      .req    d26
Uh      .req    d27
KX0     .req    q14
KX0l    .req    d28
KX0h    .req    d29
KX1     .req    q15
KX1l    .req    d30
KX1h    .req    d31

// The instruction of the other stream that belongs into slot n
.macro sha256_arm_neon_at slot, n, instruction:vararg
        .if     (\slot) == (\n)
        \instruction
        .endif
.endm

// T1 = h + Sigma1(e) + Ch(e,f,g),  d := d + T1,  h := T1      h holds K[i] + W[i] already
// and from the round before, where a, b, c were b, c, d:
// a := a + Sigma0(b) + Maj(b,c,d);  cd = c ^ d is used up, bc becomes b ^ c
// next: K[i+1] + W[i+1], or nothing; may be the same register as bc
// stream: name and arguments of the macro of the other stream, up to the slot, with a comma after each argument
// n: its slots here are n .. n+7
.macro sha256_arm_neon_round a, b, c, d, e, f, g, h, bc, t, next, cd, n, stream:vararg
        eor     \t, \f, \g
        sha256_arm_neon_\stream (\n)
        .ifnb   \next
        add     \g, \g, \next
        .endif
        bic     \t, \t, \e
        sha256_arm_neon_\stream (\n)+1
        eor     \bc, \b, \b, ror #11
        eor     \t, \t, \f                      // Ch(e,f,g)
        sha256_arm_neon_\stream (\n)+2
        add     \h, \h, \t
        eor     \t, \e, \e, ror #5
        sha256_arm_neon_\stream (\n)+3
        eor     \bc, \bc, \b, ror #20
        eor     \t, \t, \e, ror #19
        sha256_arm_neon_\stream (\n)+4
        add     \a, \a, \bc, ror #2             // a + Sigma0(b)
        eor     \bc, \b, \c
        sha256_arm_neon_\stream (\n)+5
        add     \h, \h, \t, ror #6              // T1 = h + Ch(e,f,g) + Sigma1(e)
        and     \cd, \cd, \bc
        sha256_arm_neon_\stream (\n)+6
        add     \d, \d, \h                      // d + T1
        eor     \cd, \cd, \c                    // Maj(b,c,d)
        sha256_arm_neon_\stream (\n)+7
        add     \a, \a, \cd
.endm

// The first round of a block: nothing is left from the round before
.macro sha256_arm_neon_round_0 a, b, c, d, e, f, g, h, bc, t, next, n, stream:vararg
        eor     \t, \f, \g
        sha256_arm_neon_\stream (\n)
        add     \g, \g, \next
        bic     \t, \t, \e
        sha256_arm_neon_\stream (\n)+1
        eor     \t, \t, \f                      // Ch(e,f,g)
        sha256_arm_neon_\stream (\n)+2
        add     \h, \h, \t
        eor     \t, \e, \e, ror #5
        sha256_arm_neon_\stream (\n)+3
        eor     \t, \t, \e, ror #19
        sha256_arm_neon_\stream (\n)+4
        add     \h, \h, \t, ror #6              // T1 = h + Ch(e,f,g) + Sigma1(e)
        sha256_arm_neon_\stream (\n)+5
        eor     \bc, \b, \c
        sha256_arm_neon_\stream (\n)+6
        add     \d, \d, \h                      // d + T1
        sha256_arm_neon_\stream (\n)+7
.endm

// What is left of the last round of a block
.macro sha256_arm_neon_end a, b, c, cd, t
        eor     \t, \b, \b, ror #11
        eor     \t, \t, \b, ror #20
        add     \a, \a, \t, ror #2              // a + Sigma0(b)
        eor     \t, \b, \c
        and     \cd, \cd, \t
        eor     \cd, \cd, \c                    // Maj(b,c,d)
        add     \a, \a, \cd
.endm

// Rounds i .. i+3, i taken modulo 16, with slots n .. n+31 of the other stream
// cd: a ^ b of the last round but one, or nothing at the first round of a block
.macro sha256_arm_neon_rounds_4 a, b, c, d, e, f, g, h, i, cd, n, stream:vararg
        ldrd    k0, k1, [sp, #4*(\i)]           // K[i] + W[i], K[i+1] + W[i+1]
        add     \h, \h, k0
        .ifnb   \cd
        sha256_arm_neon_round \a, \b, \c, \d, \e, \f, \g, \h, k1, k0, k1, \cd, (\n), \stream
        .else
        sha256_arm_neon_round_0 \a, \b, \c, \d, \e, \f, \g, \h, k1, k0, k1, (\n), \stream
        .endif
        sha256_arm_neon_round \h, \a, \b, \c, \d, \e, \f, \g, ab, k0, , k1, (\n)+8, \stream
        ldrd    k0, k1, [sp, #4*(\i)+8]         // K[i+2] + W[i+2], K[i+3] + W[i+3]
        add     \f, \f, k0
        sha256_arm_neon_round \g, \h, \a, \b, \c, \d, \e, \f, k1, k0, k1, ab, (\n)+16, \stream
        sha256_arm_neon_round \f, \g, \h, \a, \b, \c, \d, \e, ab, k0, , k1, (\n)+24, \stream
.endm

// Group k of the block, k < 12, the instructions of slot n: X0 = X(k) becomes X(k+4), i = 4k + 16
// X1, X3: X(k+1), X(k+3);  S0: S(k), then temporary and the first half of sigma0(X(k+4))
// S1: sigma0(X(k+1)), becomes S(k+1);  Z3: the first half of sigma0(X(k+3)), becomes the whole
.macro sha256_arm_neon_words X0, X1, X3, S0, S1, Z3, k, n
        .if     (\k) < 3                        // sigma0(X1), words of the message
        sha256_arm_neon_at 0, \n, vshr.u32 \S1, \X1, #7
        sha256_arm_neon_at 0, \n, vshr.u32 D, \X1, #18
        sha256_arm_neon_at 1, \n, vsli.32 \S1, \X1, #25                         // X1 >>> 7
        sha256_arm_neon_at 1, \n, vsli.32 D, \X1, #14                           // X1 >>> 18
        sha256_arm_neon_at 2, \n, veor \S1, \S1, D
        sha256_arm_neon_at 3, \n, vshr.u32 D, \X1, #3
        sha256_arm_neon_at 4, \n, veor \S1, \S1, D
        .endif

        sha256_arm_neon_at 5, \n, vadd.i32 \S1, \S1, \X3                        // S(k+1) = sigma0(X1) + X3
        sha256_arm_neon_at 6, \n, vext.32 \S0, \S0, \S1, #1
        sha256_arm_neon_at 8, \n, vadd.i32 \X0, \X0, \S0                        // X0 + (S0, S1)[1 .. 4]

        .if     (\k) >= 1 && (\k) <= 9          // from W[i-2], W[i-1]: sigma1, and half of sigma0(X3)
        sha256_arm_neon_at 7, \n, vdup.32 Dl, \X3\()h[0]
        sha256_arm_neon_at 8, \n, vdup.32 Dh, \X3\()h[1]
        sha256_arm_neon_at 9, \n, vshrn.i64 \S0\()l, D, #17
        sha256_arm_neon_at 10, \n, vshrn.i64 \S0\()h, D, #19
        sha256_arm_neon_at 11, \n, vshrn.i64 \Z3\()h, D, #7
        sha256_arm_neon_at 12, \n, vshrn.i64 Uh, D, #18
        .else                                   // sigma1 alone
        sha256_arm_neon_at 9, \n, vshr.u32 \S0\()l, \X3\()h, #17
        sha256_arm_neon_at 10, \n, vshr.u32 \S0\()h, \X3\()h, #19
        sha256_arm_neon_at 11, \n, vsli.32 \S0\()l, \X3\()h, #15
        sha256_arm_neon_at 12, \n, vsli.32 \S0\()h, \X3\()h, #13
        .endif
        sha256_arm_neon_at 13, \n, vshr.u32 Dl, \X3\()h, #10
        sha256_arm_neon_at 14, \n, veor \S0\()l, \S0\()l, \S0\()h
        sha256_arm_neon_at 15, \n, veor \S0\()l, \S0\()l, Dl                    // sigma1(W[i-2]), sigma1(W[i-1])
        sha256_arm_neon_at 17, \n, vadd.i32 \X0\()l, \X0\()l, \S0\()l           // W[i], W[i+1]

        .if     (\k) >= 1 && (\k) <= 9
        sha256_arm_neon_at 16, \n, veor \Z3, \Z3, U
        sha256_arm_neon_at 18, \n, vshr.u32 D, \X3, #3
        sha256_arm_neon_at 19, \n, veor \Z3, \Z3, D                             // sigma0(X3)
        .endif

        .if     (\k) <= 8                       // from W[i], W[i+1]: sigma1, and half of sigma0(X0)
        sha256_arm_neon_at 20, \n, vdup.32 Dl, \X0\()l[0]
        sha256_arm_neon_at 21, \n, vdup.32 Dh, \X0\()l[1]
        sha256_arm_neon_at 22, \n, vshrn.i64 \S0\()h, D, #17
        sha256_arm_neon_at 23, \n, vshrn.i64 \S0\()l, D, #19
        sha256_arm_neon_at 24, \n, vshrn.i64 Ul, D, #18
        sha256_arm_neon_at 25, \n, veor \S0\()h, \S0\()h, \S0\()l
        sha256_arm_neon_at 26, \n, vshrn.i64 \S0\()l, D, #7
        .else                                   // sigma1 alone
        sha256_arm_neon_at 20, \n, vshr.u32 \S0\()h, \X0\()l, #17
        sha256_arm_neon_at 21, \n, vshr.u32 \S0\()l, \X0\()l, #19
        sha256_arm_neon_at 22, \n, vsli.32 \S0\()h, \X0\()l, #15
        sha256_arm_neon_at 23, \n, vsli.32 \S0\()l, \X0\()l, #13
        sha256_arm_neon_at 25, \n, veor \S0\()h, \S0\()h, \S0\()l
        .endif
        sha256_arm_neon_at 27, \n, vshr.u32 Dl, \X0\()l, #10
        sha256_arm_neon_at 28, \n, veor \S0\()h, \S0\()h, Dl                    // sigma1(W[i]), sigma1(W[i+1])
        sha256_arm_neon_at 29, \n, vadd.i32 \X0\()h, \X0\()h, \S0\()h           // W[i+2], W[i+3]

        .if     (\k) % 4 == 0                   // K + W of the two groups before, K of the next two
        sha256_arm_neon_at 2, \n, vst1.32 {KX0l, KX0h, KX1l, KX1h}, [hi:64]
        .elseif (\k) % 4 == 2
        sha256_arm_neon_at 2, \n, vst1.32 {KX0l, KX0h, KX1l, KX1h}, [sp:64]
        .endif
        .if     (\k) % 2 == 0
        sha256_arm_neon_at 22, \n, vld1.32 {KX0l, KX0h, KX1l, KX1h}, [K]!
        sha256_arm_neon_at 31, \n, vadd.i32 KX0, KX0, \X0
        .else
        sha256_arm_neon_at 31, \n, vadd.i32 KX1, KX1, \X0
        .endif
.endm

// The next block, the instructions of slot n, of 128
.macro sha256_arm_neon_next n
        sha256_arm_neon_at 6, \n, vst1.32 {KX0l, KX0h, KX1l, KX1h}, [hi:64]     // K + W of the last 8 rounds

        sha256_arm_neon_at 8, \n, vld1.8 {X0l, X0h, X1l, X1h}, [block]!
        sha256_arm_neon_at 12, \n, vld1.8 {X2l, X2h, X3l, X3h}, [block]!
        sha256_arm_neon_at 16, \n, vld1.32 {KX0l, KX0h, KX1l, KX1h}, [K]!
        sha256_arm_neon_at 20, \n, vrev32.8 X0, X0                              // W[0 .. 3]
        sha256_arm_neon_at 23, \n, vrev32.8 X1, X1                              // W[4 .. 7]
        sha256_arm_neon_at 26, \n, vrev32.8 X2, X2                              // W[8 .. 11]
        sha256_arm_neon_at 29, \n, vrev32.8 X3, X3                              // W[12 .. 15]
        sha256_arm_neon_at 32, \n, vadd.i32 KX0, KX0, X0
        sha256_arm_neon_at 36, \n, vadd.i32 KX1, KX1, X1

        sha256_arm_neon_at 40, \n, vshr.u32 Y0, X0, #7
        sha256_arm_neon_at 44, \n, vshr.u32 D, X0, #18
        sha256_arm_neon_at 48, \n, vshr.u32 U, X0, #3
        sha256_arm_neon_at 52, \n, vsli.32 Y0, X0, #25
        sha256_arm_neon_at 56, \n, vsli.32 D, X0, #14
        sha256_arm_neon_at 60, \n, veor Y0, Y0, U
        sha256_arm_neon_at 68, \n, veor Y0, Y0, D                               // sigma0(X0)
        sha256_arm_neon_at 76, \n, vadd.i32 Y0, Y0, X2                          // S(0) = sigma0(X0) + X2

        sha256_arm_neon_at 72, \n, vst1.32 {KX0l, KX0h, KX1l, KX1h}, [sp:64]    // K + W of 8 rounds
        sha256_arm_neon_at 80, \n, vld1.32 {KX0l, KX0h, KX1l, KX1h}, [K]!
        sha256_arm_neon_at 96, \n, vadd.i32 KX0, KX0, X2
        sha256_arm_neon_at 104, \n, vadd.i32 KX1, KX1, X3                       // K + W of 8 more, stored later
.endm

// The rounds 4k .. 4k+15, and groups k .. k+3
.macro sha256_arm_neon_rounds_0_47 k, cd
        sha256_arm_neon_rounds_4 r4, r5, r6, r7, r8, r9, r10, r11,  0, \cd, 0, words X0, X1, X3, Y0, Y1, Y3, (\k),
        sha256_arm_neon_rounds_4 r8, r9, r10, r11, r4, r5, r6, r7,  4, ab,   0, words X1, X2, X0, Y1, Y2, Y0, (\k)+1,
        sha256_arm_neon_rounds_4 r4, r5, r6, r7, r8, r9, r10, r11,  8, ab,   0, words X2, X3, X1, Y2, Y3, Y1, (\k)+2,
        sha256_arm_neon_rounds_4 r8, r9, r10, r11, r4, r5, r6, r7, 12, ab,   0, words X3, X0, X2, Y3, Y0, Y2, (\k)+3,
.endm

// The last 16 rounds, and the next block
.macro sha256_arm_neon_rounds_48_63
        sha256_arm_neon_rounds_4 r4, r5, r6, r7, r8, r9, r10, r11,  0, ab,  0, next
        sha256_arm_neon_rounds_4 r8, r9, r10, r11, r4, r5, r6, r7,  4, ab, 32, next
        sha256_arm_neon_rounds_4 r4, r5, r6, r7, r8, r9, r10, r11,  8, ab, 64, next
        sha256_arm_neon_rounds_4 r8, r9, r10, r11, r4, r5, r6, r7, 12, ab, 96, next
.endm

        .cfi_startproc
        cmp     r2, #0
        bne     2f
        bx      lr
1:      .word   9f - (3f + 8)                   // the constants, seen from the ADD below

2:      push    {r0-r2, r4-r11, lr}
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

        ldr     K, 1b
3:      add     K, pc, K
        vld1.8  {X0l, X0h, X1l, X1h}, [r1]!
        vld1.8  {X2l, X2h, X3l, X3h}, [r1]!
        vld1.32 {KX0l, KX0h, KX1l, KX1h}, [K]!
        mov     block, r1
        add     hi, sp, #32
        vrev32.8 X0, X0                         // W[0 .. 3]
        ldm     r0, {r4-r11}
        vrev32.8 X1, X1                         // W[4 .. 7]
        vrev32.8 X2, X2                         // W[8 .. 11]
        vrev32.8 X3, X3                         // W[12 .. 15]
        vadd.i32 KX0, KX0, X0
        vadd.i32 KX1, KX1, X1
        vst1.32 {KX0l, KX0h, KX1l, KX1h}, [sp:64]
        vshr.u32 Y0, X0, #7
        vshr.u32 D, X0, #18
        vshr.u32 U, X0, #3
        vld1.32 {KX0l, KX0h, KX1l, KX1h}, [K]!
        vsli.32 Y0, X0, #25
        vsli.32 D, X0, #14
        veor    Y0, Y0, U
        vadd.i32 KX0, KX0, X2
        vadd.i32 KX1, KX1, X3
        veor    Y0, Y0, D                       // sigma0(X0)
        vadd.i32 Y0, Y0, X2                     // S(0) = sigma0(X0) + X2

4:      sha256_arm_neon_rounds_0_47 0
        sha256_arm_neon_rounds_0_47 4, ab
        sha256_arm_neon_rounds_0_47 8, ab

        ldr     k0, [sp, #72]                   // count
        sub     K, K, #256
        subs    k0, k0, #1                      // the flags are kept until the branch below
        str     k0, [sp, #72]
        subeq   block, block, #64               // the last block stands in for its successor

        sha256_arm_neon_rounds_48_63
        sha256_arm_neon_end r4, r5, r6, ab, k0

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
        vst1.32 {d0-d3}, [sp:64]!
        .cfi_def_cfa_offset 80
        vst1.32 {d0-d3}, [sp:64]!
        .cfi_def_cfa_offset 48
        pop     {r0-r2, r4-r11, lr}             // state, blocks and a count of zero, nothing secret
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

        .balign 8
9:      .word   0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5
        .word   0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174
        .word   0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da
        .word   0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967
        .word   0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85
        .word   0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070
        .word   0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3
        .word   0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2

.purgem sha256_arm_neon_at
.purgem sha256_arm_neon_round
.purgem sha256_arm_neon_round_0
.purgem sha256_arm_neon_end
.purgem sha256_arm_neon_rounds_4
.purgem sha256_arm_neon_words
.purgem sha256_arm_neon_next
.purgem sha256_arm_neon_rounds_0_47
.purgem sha256_arm_neon_rounds_48_63
.unreq  k0
.unreq  k1
.unreq  block
.unreq  hi
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
.unreq  Y0
.unreq  Y0l
.unreq  Y0h
.unreq  Y1
.unreq  Y1l
.unreq  Y1h
.unreq  Y2
.unreq  Y2l
.unreq  Y2h
.unreq  Y3
.unreq  Y3l
.unreq  Y3h
.unreq  D
.unreq  Dl
.unreq  Dh
.unreq  U
.unreq  Ul
.unreq  Uh
.unreq  KX0
.unreq  KX0l
.unreq  KX0h
.unreq  KX1
.unreq  KX1l
.unreq  KX1h

        .fpu    vfpv3-d16                       // the default of the ARMv7 target
