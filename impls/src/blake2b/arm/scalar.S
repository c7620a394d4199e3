// BLAKE2b compression, AArch32 (A32), integer registers only
//
//   void compress(uint64_t state[12], const uint8_t *blocks, size_t count, size_t increment)
//                 r0                  r1                     r2            r3
//
//   state: h[0 .. 7], t[0 .. 1], f[0 .. 1]. For each block t := t + increment (128 bits), then
//   h := F(h, block, t, f).
//
// RFC 7693, sections 2.6 (IV), 2.7 (SIGMA), 3.1 (G) and 3.2 (F); the flags f are two words of any value.
// Any ARMv7-A core. `blocks` may have any alignment, `state` is 8-aligned; nothing outside
// blocks[0 .. 128 count) is read, and count = 0 touches no memory at all.
//
// Technique
//   - A word is a pair of registers (l, h), low half first; the halves are added by ADDS and ADC.
//   - Rotations of a word, and what is left to the shifted operands of the next instructions:
//       32  exchanges the names of the halves
//       24  exchanges the low 24 bits of the halves (BFI) and leaves both rotated by 8
//       16  joins the top of one half and the bottom of the other (PKHBT), leaves both rotated by 16
//       63  adds the word to itself and the carry out of it (ADDS, ADCS, ADC)
//   - The 16 words of v are on the stack, six of them in registers at a time. Which ones was found by
//     search: 22 words change places in a round, none of them just computed as b, and at the end of
//     the round every pair holds the same word as at its start.
//   - What is stored has been complete for a while, so that no load waits behind a store.
//   - The block is copied to the stack, where LDRD can read it.
//
// Registers
//   r0-r9    P0 .. P4: words of v; at the start of a round v[0], v[4], v[8], v[9], v[12]
//   r12, lr  P5: v[7] at all times
//   r10, r11 ml, mh: a word of the message, temporaries
//
// Stack, 312 bytes
//   sp + 0    v, 16 words; the place of v[7] is not used
//   sp + 128  m, 16 words
//   sp + 256  not used
//   sp + 260  state, block, blocks left, increment
//   sp + 276  r4-r11, lr of the caller
//
// Cleared: r0-r3, r12, lr, v and m on the stack.

P0l     .req    r0
P0h     .req    r1
P1l     .req    r2
P1h     .req    r3
P2l     .req    r4
P2h     .req    r5
P3l     .req    r6
P3h     .req    r7
P4l     .req    r8
P4h     .req    r9
P5l     .req    r12
P5h     .req    lr
ml      .req    r10
mh      .req    r11

// Word i of v goes from pair p to the stack, word j comes into the pair
.macro blake2b_scalar_swap p, i, j
        strd    \p\()l, \p\()h, [sp, #8*\i]
        ldrd    \p\()l, \p\()h, [sp, #8*\j]
.endm

// (ml, mh) := m[i]
.macro blake2b_scalar_message i
        ldrd    ml, mh, [sp, #128+8*\i]
.endm

// First part of G(a, b, c, d, m[i], m[j]) with m[i] in (ml, mh); when it is done, a is complete
// Both halves of d are rotated by 16, here and on the stack
.macro blake2b_scalar_G_1 a, b, c, d, j
        adds    \a\()l, \a\()l, \b\()l
        adc     \a\()h, \a\()h, \b\()h
        adds    \a\()l, \a\()l, ml
        adc     \a\()h, \a\()h, mh                      // a + b + m[i]
        eor     \d\()l, \a\()l, \d\()l, ror #16
        eor     \d\()h, \a\()h, \d\()h, ror #16         // from here on d>>>32 is (h, l)
        adds    \c\()l, \c\()l, \d\()h
        adc     \c\()h, \c\()h, \d\()l
        eor     ml, \b\()l, \c\()l
        eor     \b\()h, \b\()h, \c\()h
        eor     \b\()l, \b\()l, \c\()l
        bfi     \b\()l, \b\()h, #0, #24
        bfi     \b\()h, ml, #0, #24                     // b>>>24, both halves rotated by 8
        blake2b_scalar_message \j
        adds    \a\()l, \a\()l, \b\()l, ror #24
        adc     \a\()h, \a\()h, \b\()h, ror #24
        adds    \a\()l, \a\()l, ml
        adc     \a\()h, \a\()h, mh                      // a + b + m[j]
        eor     ml, \a\()l, \d\()h
        eor     \d\()l, \a\()h, \d\()l
.endm

// Second part, and (ml, mh) := m[n] for the next G
.macro blake2b_scalar_G_2 b, c, d, n
        pkhbt   \d\()h, ml, \d\()l
        pkhbt   \d\()l, \d\()l, ml                      // d>>>16, both halves rotated by 16
        blake2b_scalar_message \n
        adds    \c\()l, \c\()l, \d\()l, ror #16
        adc     \c\()h, \c\()h, \d\()h, ror #16
        eor     \b\()l, \c\()l, \b\()l, ror #24
        eor     \b\()h, \c\()h, \b\()h, ror #24
        adds    \b\()l, \b\()l, \b\()l
        adcs    \b\()h, \b\()h, \b\()h
        adc     \b\()l, \b\()l, #0                      // b>>>63
.endm

// A round with the words s0 .. s15 of SIGMA[i], n0 the first of the next round
.macro blake2b_scalar_round s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15, n0
        blake2b_scalar_G_1 P0, P1, P2, P4, \s1          // 0, 4, 8, 12
        blake2b_scalar_swap P0, 0, 1
        blake2b_scalar_G_2 P1, P2, P4, \s2
        blake2b_scalar_swap P4, 12, 5
        blake2b_scalar_swap P2, 8, 13
        blake2b_scalar_G_1 P0, P4, P3, P2, \s3          // 1, 5, 9, 13
        blake2b_scalar_swap P1, 4, 2
        blake2b_scalar_swap P0, 1, 6
        blake2b_scalar_G_2 P4, P3, P2, \s4
        blake2b_scalar_swap P2, 13, 10
        blake2b_scalar_swap P3, 9, 14
        blake2b_scalar_G_1 P1, P0, P2, P3, \s5          // 2, 6, 10, 14
        blake2b_scalar_swap P4, 5, 3
        blake2b_scalar_swap P1, 2, 15
        blake2b_scalar_G_2 P0, P2, P3, \s6
        blake2b_scalar_swap P3, 14, 11
        blake2b_scalar_G_1 P4, P5, P3, P1, \s7          // 3, 7, 11, 15
        blake2b_scalar_swap P0, 6, 5
        blake2b_scalar_swap P4, 3, 0
        blake2b_scalar_G_2 P5, P3, P1, \s8
        blake2b_scalar_G_1 P4, P0, P2, P1, \s9          // 0, 5, 10, 15
        blake2b_scalar_swap P4, 0, 12
        blake2b_scalar_G_2 P0, P2, P1, \s10
        blake2b_scalar_swap P1, 15, 6
        blake2b_scalar_swap P2, 10, 1
        blake2b_scalar_G_1 P2, P1, P3, P4, \s11         // 1, 6, 11, 12
        blake2b_scalar_swap P0, 5, 2
        blake2b_scalar_swap P2, 1, 8
        blake2b_scalar_G_2 P1, P3, P4, \s12
        blake2b_scalar_swap P4, 12, 13
        blake2b_scalar_G_1 P0, P5, P2, P4, \s13         // 2, 7, 8, 13
        blake2b_scalar_swap P1, 6, 4
        blake2b_scalar_swap P3, 11, 9
        blake2b_scalar_swap P0, 2, 3
        blake2b_scalar_G_2 P5, P2, P4, \s14
        blake2b_scalar_swap P4, 13, 14
        blake2b_scalar_G_1 P0, P1, P3, P4, \s15         // 3, 4, 9, 14
        blake2b_scalar_swap P0, 3, 0
        blake2b_scalar_G_2 P1, P3, P4, \n0
        blake2b_scalar_swap P4, 14, 12
.endm

// h[j] := h[j] ^ (xl, xh) ^ (yl, yh), where p is a pair for h[j], not (xl, xh), and mh points to the state
.macro blake2b_scalar_fold j, xl, xh, yl, yh, p, rotate:vararg
        eor     \xl, \xl, \yl \rotate
        eor     \xh, \xh, \yh \rotate
        ldrd    \p\()l, \p\()h, [mh, #8*\j]
        eor     \p\()l, \p\()l, \xl
        eor     \p\()h, \p\()h, \xh
        strd    \p\()l, \p\()h, [mh, #8*\j]
.endm

        .cfi_startproc
        cmp     r2, #0
        bne     2f
        bx      lr

        // IV[4] .. IV[7], both halves rotated by 16, then IV[0] .. IV[3]
1:      .word   0x82d1ade6, 0x527f510e, 0x6c1f2b3e, 0x688c9b05
        .word   0xbd6bfb41, 0xd9ab1f83, 0x2179137e, 0xcd195be0
        .word   0xf3bcc908, 0x6a09e667, 0x84caa73b, 0xbb67ae85
        .word   0xfe94f82b, 0x3c6ef372, 0x5f1d36f1, 0xa54ff53a

2:      push    {r0-r11, lr}
        .cfi_def_cfa_offset 52
        .cfi_offset r4, -36
        .cfi_offset r5, -32
        .cfi_offset r6, -28
        .cfi_offset r7, -24
        .cfi_offset r8, -20
        .cfi_offset r9, -16
        .cfi_offset r10, -12
        .cfi_offset r11, -8
        .cfi_offset lr, -4
        sub     sp, sp, #260
        .cfi_def_cfa_offset 312

3:      .irp    i, 0, 32, 64, 96                        // the message to the stack
        ldr     r2, [r1, #\i]
        ldr     r3, [r1, #\i+4]
        ldr     r4, [r1, #\i+8]
        ldr     r5, [r1, #\i+12]
        ldr     r6, [r1, #\i+16]
        ldr     r7, [r1, #\i+20]
        ldr     r8, [r1, #\i+24]
        ldr     r9, [r1, #\i+28]
        strd    r2, r3, [sp, #128+\i]
        strd    r4, r5, [sp, #136+\i]
        strd    r6, r7, [sp, #144+\i]
        strd    r8, r9, [sp, #152+\i]
        .endr

        ldr     r10, [sp, #272]                         // increment
        add     r12, r0, #64
        ldm     r12, {r2-r9}                            // t, f
        adds    r2, r2, r10
        adcs    r3, r3, #0
        adcs    r4, r4, #0
        adc     r5, r5, #0
        stm     r12, {r2-r5}
        adr     r1, 1b
        ldm     r1!, {r10-r12, lr}                      // v[12 .. 15]
        eor     r2, r10, r2, ror #16
        eor     r3, r11, r3, ror #16
        eor     r4, r12, r4, ror #16
        eor     r5, lr, r5, ror #16
        ldm     r1!, {r10-r12, lr}
        strd    r4, r5, [sp, #8*13]
        eor     r6, r10, r6, ror #16
        eor     r7, r11, r7, ror #16
        eor     r8, r12, r8, ror #16
        eor     r9, lr, r9, ror #16
        strd    r6, r7, [sp, #8*14]
        ldm     r1, {r4-r7, r10-r12, lr}                // P2 = v[8], P3 = v[9]
        strd    r8, r9, [sp, #8*15]
        mov     P4l, r2                                 // P4 = v[12]
        mov     P4h, r3
        strd    r10, r11, [sp, #8*10]
        str     r12, [sp, #8*11]
        str     lr, [sp, #8*11+4]
        .irp    j, 1, 2, 3, 5, 6                        // v[0 .. 7] = h
        ldrd    ml, mh, [r0, #8*\j]
        strd    ml, mh, [sp, #8*\j]
        .endr
        ldrd    P1l, P1h, [r0, #8*4]
        ldr     P5l, [r0, #8*7]
        ldr     P5h, [r0, #8*7+4]
        ldrd    P0l, P0h, [r0]
        blake2b_scalar_message 0

        blake2b_scalar_round  0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15,  14
        blake2b_scalar_round 14, 10,  4,  8,  9, 15, 13,  6,  1, 12,  0,  2, 11,  7,  5,  3,  11
        blake2b_scalar_round 11,  8, 12,  0,  5,  2, 15, 13, 10, 14,  3,  6,  7,  1,  9,  4,   7
        blake2b_scalar_round  7,  9,  3,  1, 13, 12, 11, 14,  2,  6,  5, 10,  4,  0, 15,  8,   9
        blake2b_scalar_round  9,  0,  5,  7,  2,  4, 10, 15, 14,  1, 11, 12,  6,  8,  3, 13,   2
        blake2b_scalar_round  2, 12,  6, 10,  0, 11,  8,  3,  4, 13,  7,  5, 15, 14,  1,  9,  12
        blake2b_scalar_round 12,  5,  1, 15, 14, 13,  4, 10,  0,  7,  6,  3,  9,  2,  8, 11,  13
        blake2b_scalar_round 13, 11,  7, 14, 12,  1,  3,  9,  5,  0, 15,  4,  8,  6,  2, 10,   6
        blake2b_scalar_round  6, 15, 14,  9, 11,  3,  0,  8, 12,  2, 13,  7,  1,  4, 10,  5,  10
        blake2b_scalar_round 10,  2,  8,  4,  7,  6,  1,  5, 15, 11,  9, 14,  3, 12, 13,  0,   0
        blake2b_scalar_round  0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15,  14
        blake2b_scalar_round 14, 10,  4,  8,  9, 15, 13,  6,  1, 12,  0,  2, 11,  7,  5,  3,   0

        ldr     mh, [sp, #260]                          // state
        blake2b_scalar_fold 0, P0l, P0h, P2l, P2h, P2
        blake2b_scalar_fold 4, P1l, P1h, P4l, P4h, P4, , ror #16
        ldrd    r4, r5, [sp, #8*1]
        blake2b_scalar_fold 1, r4, r5, P3l, P3h, P3
        ldrd    r8, r9, [sp, #8*15]
        blake2b_scalar_fold 7, P5l, P5h, r8, r9, P4, , ror #16
        ldrd    r0, r1, [sp, #8*2]
        ldrd    r2, r3, [sp, #8*10]
        ldrd    r4, r5, [sp, #8*3]
        ldrd    r6, r7, [sp, #8*11]
        blake2b_scalar_fold 2, r0, r1, r2, r3, P4
        blake2b_scalar_fold 3, r4, r5, r6, r7, P4
        ldrd    r0, r1, [sp, #8*5]
        ldrd    r2, r3, [sp, #8*13]
        ldrd    r4, r5, [sp, #8*6]
        ldrd    r6, r7, [sp, #8*14]
        blake2b_scalar_fold 5, r0, r1, r2, r3, P4, , ror #16
        blake2b_scalar_fold 6, r4, r5, r6, r7, P4, , ror #16

        ldr     r2, [sp, #264]                          // block
        ldr     r3, [sp, #268]                          // count
        mov     r0, mh
        add     r1, r2, #128
        subs    r2, r3, #1
        str     r1, [sp, #264]
        str     r2, [sp, #268]
        bne     3b

        .irp    r, r0, r1, r2, r3, r4, r5, r6, r7
        mov     \r, #0
        .endr
        .irp    offset, 280, 248, 216, 184, 152, 120, 88, 56
        stm     sp!, {r0-r7}
        .cfi_def_cfa_offset \offset
        .endr
        mov     r12, #0
        add     sp, sp, #4
        .cfi_def_cfa_offset 52
        pop     {r0-r11, lr}                            // r0 .. r3: state, an address, 0 and the increment
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

.purgem blake2b_scalar_swap
.purgem blake2b_scalar_message
.purgem blake2b_scalar_G_1
.purgem blake2b_scalar_G_2
.purgem blake2b_scalar_round
.purgem blake2b_scalar_fold
.unreq  P0l
.unreq  P0h
.unreq  P1l
.unreq  P1h
.unreq  P2l
.unreq  P2h
.unreq  P3l
.unreq  P3h
.unreq  P4l
.unreq  P4h
.unreq  P5l
.unreq  P5h
.unreq  ml
.unreq  mh
