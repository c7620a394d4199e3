// BLAKE2s compression: AArch32 (A32), integer registers only, one message
//
//     compress(state: *mut State, blocks: *const u8, count: usize, increment: usize)
//
//     State = { h: [u32; 8], t: [u32; 2], f: [u32; 2] }
//     for each block:  t := t + increment (mod 2^64, t[0] the low word),  h := F(h, block, t, f)
//
// Source
//     RFC 7693, sections 2.6 (IV), 2.7 (SIGMA), 3.1 (mixing function G), 3.2 (compression function F).
//     v[12] ^= t[0], v[13] ^= t[1], v[14] ^= f[0], v[15] ^= f[1]; x >>> n is a rotation to the right.
//
// Technique
//   - Twelve words of v are in registers, four on the stack. A step is half a round, four G on disjoint words; two G
//     run interleaved, then four of their words change places with those on the stack, and the other two G run. With
//           column step:    G(0), G(1) on columns 0, 1, then G(2), G(3) on columns 2, 3
//           diagonal step:  G(0), G(1) on diagonals 1, 0, then G(2), G(3) on diagonals 3, 2
//     what the column step puts on the stack, v[8], v[9], v[4], v[13], is what the diagonal step fetches, and what
//     the diagonal step puts there, v[10], v[11], v[6], v[15], is what the column step fetches: two LDRD and two STRD
//     in each step, and every word has a fixed register. One macro serves for both steps.
//   - Rotations are deferred to the shifted operands of the next instructions that use the word. After G, b is kept
//     without its last rotation by 7, d without its last by 8; before round 0 there is none to make up for.
//   - A shifted operand takes two cycles and the one multiply pipe on some cores: the rotation by 16 of G(0) and G(2)
//     is therefore made by itself, which eases that pipe by two operations for one.
//   - Words of the message are loaded where they are added. LDR allows any address.
//
// Arguments
//     r0  state      aligned to 4; h and t are read and written, f is read
//     r1  blocks     64 count bytes, at any address (normal memory, SCTLR.A = 0: unaligned access allowed); read only
//     r2  count      number of blocks; with 0 no memory is touched
//     r3  increment  what each block adds to t
//
// Registers in the rounds
//     r0 .. r3   v[0] .. v[3]                                   r9    v[12]
//     r4, r5     v[8], v[9] or v[10], v[11]                     r10   v[7]
//     r6, r7     v[4], v[13] or v[6], v[15]                     r11   v[14]
//     r8         v[5]                                           r12   word of the message
//                                                               lr    block
//
// Stack, 128 bytes
//     sp + 0    v[8], v[9], v[4], v[13]
//     sp + 16   v[10], v[11], v[6], v[15]
//     sp + 32   the same at the start of a block: IV[2], IV[3], h[6], IV[7] ^ f[1]
//     sp + 48   t
//     sp + 56   IV[4], IV[5]
//     sp + 64   IV[0], IV[1], IV[6] ^ f[0], one word not used
//     sp + 80   state, count, increment
//     sp + 92   r4 .. r11, lr of the caller
//
// Cleared
//     The stack from sp + 0 to sp + 47, r1; r4 .. r11 are the caller's again. What else is left is public:
//     r0 = state, r2 = 0, r3 = increment, r12 and lr addresses, the stack above sp + 48.
//
// Notes
//   - Armv7-A, little-endian AArch32 state, A32 instructions; position-independent.
//   - Nothing but state, blocks[0 .. 64 count), the constants and the stack above is read or written.
//   - Branches compare the count alone, which is public; no address depends on state or message.

v_4_6   .req    r6
v_5     .req    r8
v_7     .req    r10
v_12    .req    r9
v_13_15 .req    r7
v_14    .req    r11
m       .req    r12
block   .req    lr

// Four G: G(0) on a0, v_4_6, c0, v_12 and G(1) on a1, v_5, c1, v_13_15,
// then G(2) on a2, v_4_6, c0, v_14 and G(3) on a3, v_7, c1, v_13_15
// c0, c1 are r4, r5 or r5, r4
// xi, yi: the words of the message for G(i), by number
// out, in: where on the stack r4, r5, v_4_6, v_13_15 go between the two pairs, and where they come from
// rb, rd: the rotations that b and d still lack at the start; by 0 is none
.macro blake2s_scalar_step a0, a1, a2, a3, c0, c1, out, in, rb, rd, x0, y0, x1, y1, x2, y2, x3, y3
        ldr     m, [block, #4*\x1]
        add     \a1, \a1, m                     // G(1)
        ldr     m, [block, #4*\x0]
        add     \a0, \a0, m                     // G(0)
        add     \a1, \a1, v_5, ror #\rb         // G(1)
        ldr     m, [block, #4*\y1]
        eor     v_13_15, \a1, v_13_15, ror #\rd // G(1)
        add     \a0, \a0, v_4_6, ror #\rb       // G(0)
        add     \a3, \a3, v_7, ror #\rb         // G(3)
        eor     v_12, \a0, v_12, ror #\rd       // G(0)
        add     \a1, \a1, m                     // G(1)
        add     \c1, \c1, v_13_15, ror #16      // G(1)
        ldr     m, [block, #4*\y0]
        ror     v_12, v_12, #16                 // G(0)
        eor     v_5, \c1, v_5, ror #\rb         // G(1)
        add     \c0, \c0, v_12                  // G(0)
        add     \a0, \a0, m                     // G(0)
        ldr     m, [block, #4*\x3]
        add     \a1, \a1, v_5, ror #12          // G(1)
        eor     v_4_6, \c0, v_4_6, ror #\rb     // G(0)
        add     \a0, \a0, v_4_6, ror #12        // G(0)
        add     \a3, \a3, m                     // G(3)
        ldr     m, [block, #4*\x2]
        eor     v_13_15, \a1, v_13_15, ror #16  // G(1)
        eor     v_12, \a0, v_12                 // G(0)
        add     \c1, \c1, v_13_15, ror #8       // G(1)
        add     \c0, \c0, v_12, ror #8          // G(0)
        eor     v_4_6, \c0, v_4_6, ror #12      // G(0)
        eor     v_5, \c1, v_5, ror #12          // G(1)
        strd    v_4_6, v_13_15, [sp, #\out+8]   // b of G(0), d of G(1)
        add     \a2, \a2, m                     // G(2)
        ldrd    v_4_6, v_13_15, [sp, #\in+8]    // b of G(2), d of G(3)
        strd    r4, r5, [sp, #\out]             // c of G(0), G(1)
        ldr     m, [block, #4*\y3]
        add     \a2, \a2, v_4_6, ror #\rb       // G(2)
        ldrd    r4, r5, [sp, #\in]              // c of G(2), G(3)
        eor     v_13_15, \a3, v_13_15, ror #\rd // G(3)
        add     \a3, \a3, m                     // G(3)
        eor     v_14, \a2, v_14, ror #\rd       // G(2)
        ldr     m, [block, #4*\y2]
        add     \c1, \c1, v_13_15, ror #16      // G(3)
        ror     v_14, v_14, #16                 // G(2)
        add     \a2, \a2, m                     // G(2)
        eor     v_7, \c1, v_7, ror #\rb         // G(3)
        add     \c0, \c0, v_14                  // G(2)
        eor     v_4_6, \c0, v_4_6, ror #\rb     // G(2)
        add     \a2, \a2, v_4_6, ror #12        // G(2)
        add     \a3, \a3, v_7, ror #12          // G(3)
        eor     v_13_15, \a3, v_13_15, ror #16  // G(3)
        eor     v_14, \a2, v_14                 // G(2)
        add     \c1, \c1, v_13_15, ror #8       // G(3)
        add     \c0, \c0, v_14, ror #8          // G(2)
        eor     v_7, \c1, v_7, ror #12          // G(3)
        eor     v_4_6, \c0, v_4_6, ror #12      // G(2)
.endm

// A round: s0 .. s15 are SIGMA of the round, RFC 7693, section 2.7
.macro blake2s_scalar_round_0 s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15
        blake2s_scalar_step r0, r1, r2, r3, r4, r5, 0, 32, 0, 0, \s0, \s1, \s2, \s3, \s4, \s5, \s6, \s7
        blake2s_scalar_step r1, r0, r3, r2, r5, r4, 16, 0, 7, 8, \s10, \s11, \s8, \s9, \s14, \s15, \s12, \s13
.endm

.macro blake2s_scalar_round s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15
        blake2s_scalar_step r0, r1, r2, r3, r4, r5, 0, 16, 7, 8, \s0, \s1, \s2, \s3, \s4, \s5, \s6, \s7
        blake2s_scalar_step r1, r0, r3, r2, r5, r4, 16, 0, 7, 8, \s10, \s11, \s8, \s9, \s14, \s15, \s12, \s13
.endm

        .cfi_startproc
        cmp     r2, #0
        bne     2f
        bx      lr
1:      .word   0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a          // IV, RFC 7693, section 2.6
        .word   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19

2:      push    {r0, r2-r11, lr}
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
        sub     sp, sp, #80
        .cfi_def_cfa_offset 128

        adr     r12, 1b
        ldm     r12, {r4-r11}
        ldrd    r2, r3, [r0, #40]
        mov     block, r1
        mov     r12, r0
        strd    r4, r5, [sp, #64]                       // IV[0], IV[1]
        strd    r6, r7, [sp, #32]                       // IV[2], IV[3]
        ldrd    r6, r7, [r0, #32]
        eor     r10, r10, r2
        eor     r11, r11, r3
        strd    r8, r9, [sp, #56]                       // IV[4], IV[5]
        str     r10, [sp, #72]                          // IV[6] ^ f[0]
        str     r11, [sp, #44]                          // IV[7] ^ f[1]
        strd    r6, r7, [sp, #48]                       // t
        ldrd    r8, r9, [r12, #16]                      // h[4], h[5]
        ldrd    r10, r11, [r12, #24]                    // h[6], h[7]
        ldm     r12, {r0-r3}                            // h[0] .. h[3]
        mov     v_4_6, r8
        mov     v_5, r9
        str     r10, [sp, #40]
        mov     v_7, r11

3:      ldrd    r4, r5, [sp, #48]                       // t
        ldr     r12, [sp, #88]                          // increment
        ldr     v_12, [sp, #56]                         // IV[4]
        ldr     v_13_15, [sp, #60]                      // IV[5]
        adds    r4, r4, r12
        adc     r5, r5, #0
        ldr     v_14, [sp, #72]                         // v[14] = IV[6] ^ f[0]
        strd    r4, r5, [sp, #48]
        eor     v_12, v_12, r4                          // v[12]
        eor     v_13_15, v_13_15, r5                    // v[13]
        ldrd    r4, r5, [sp, #64]                       // v[8], v[9]

        blake2s_scalar_round_0  0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15
        blake2s_scalar_round   14, 10,  4,  8,  9, 15, 13,  6,  1, 12,  0,  2, 11,  7,  5,  3
        blake2s_scalar_round   11,  8, 12,  0,  5,  2, 15, 13, 10, 14,  3,  6,  7,  1,  9,  4
        blake2s_scalar_round    7,  9,  3,  1, 13, 12, 11, 14,  2,  6,  5, 10,  4,  0, 15,  8
        blake2s_scalar_round    9,  0,  5,  7,  2,  4, 10, 15, 14,  1, 11, 12,  6,  8,  3, 13
        blake2s_scalar_round    2, 12,  6, 10,  0, 11,  8,  3,  4, 13,  7,  5, 15, 14,  1,  9
        blake2s_scalar_round   12,  5,  1, 15, 14, 13,  4, 10,  0,  7,  6,  3,  9,  2,  8, 11
        blake2s_scalar_round   13, 11,  7, 14, 12,  1,  3,  9,  5,  0, 15,  4,  8,  6,  2, 10
        blake2s_scalar_round    6, 15, 14,  9, 11,  3,  0,  8, 12,  2, 13,  7,  1,  4, 10,  5
        blake2s_scalar_round   10,  2,  8,  4,  7,  6,  1,  5, 15, 11,  9, 14,  3, 12, 13,  0

        ldr     r12, [sp, #80]                          // state
        eor     r0, r0, r4                              // v[0] ^ v[8]
        eor     r1, r1, r5                              // v[1] ^ v[9]
        ldrd    r4, r5, [sp, #16]                       // v[10], v[11]
        eor     v_4_6, v_4_6, v_12, ror #1              // (v[4] ^ v[12]) <<< 7
        eor     v_5, v_5, v_13_15, ror #1               // (v[5] ^ v[13]) <<< 7
        eor     r2, r2, r4                              // v[2] ^ v[10]
        eor     r3, r3, r5                              // v[3] ^ v[11]
        ldrd    r4, r5, [sp, #24]                       // v[6], v[15]
        add     block, block, #64
        eor     r4, r4, v_14, ror #1                    // (v[6] ^ v[14]) <<< 7
        eor     v_7, v_7, r5, ror #1                    // (v[7] ^ v[15]) <<< 7
        ldm     r12, {r5, r7, r9, r11}                  // h[0] .. h[3]
        eor     r0, r0, r5
        eor     r1, r1, r7
        eor     r2, r2, r9
        eor     r3, r3, r11
        stm     r12!, {r0-r3}
        ldm     r12, {r5, r7, r9, r11}                  // h[4] .. h[7]
        eor     v_4_6, r5, v_4_6, ror #7
        ldr     r5, [sp, #84]                           // count
        eor     v_5, r7, v_5, ror #7
        eor     r9, r9, r4, ror #7
        eor     v_7, r11, v_7, ror #7
        subs    r5, r5, #1
        stm     r12, {r6, r8, r9, r10}
        str     r9, [sp, #40]                           // h[6]
        str     r5, [sp, #84]
        bne     3b

        ldrd    r4, r5, [sp, #48]
        mov     r0, #0
        mov     r1, #0
        mov     r2, #0
        mov     r3, #0
        str     r4, [r12, #16]                          // t
        str     r5, [r12, #20]
        stm     sp!, {r0-r3}
        .cfi_def_cfa_offset 112
        stm     sp!, {r0-r3}
        .cfi_def_cfa_offset 96
        stm     sp!, {r0-r3}
        .cfi_def_cfa_offset 80
        add     sp, sp, #32
        .cfi_def_cfa_offset 48
        pop     {r0, r2-r11, lr}                        // state, a count of zero, the increment
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

.purgem blake2s_scalar_step
.purgem blake2s_scalar_round_0
.purgem blake2s_scalar_round
.unreq  v_4_6
.unreq  v_5
.unreq  v_7
.unreq  v_12
.unreq  v_13_15
.unreq  v_14
.unreq  m
.unreq  block
