// BLAKE2s compression: AArch32 (A32), NEON, four messages
//
//     compress_x4(state0 .. state3: *mut State, blocks0 .. blocks3: *const u8, count: usize, increment: usize)
//
//     State = { h: [u32; 8], t: [u32; 2], f: [u32; 2] }
//     for each of the four messages and each of its blocks:
//         t := t + increment (mod 2^64, t[0] the low word),  h := F(h, block, t, f)
//
// Source
//     RFC 7693, sections 2.6 (IV), 2.7 (SIGMA), 3.1 (mixing function G), 3.2 (compression function F).
//     v[12] ^= t[0], v[13] ^= t[1], v[14] ^= f[0], v[15] ^= f[1]; x >>> n is a rotation to the right.
//
// Technique
//   - One message in each lane of 32 bits: a Q register holds one word of v of all four messages. The words of the
//     blocks are transposed to the stack, where every word has an address of its own, most of them kept in registers.
//   - Twelve words of v are in registers, four on the stack. A step is half a round, four G on disjoint words; two G
//     run interleaved, then four of their words change places with those on the stack, and the other two G run. With
//           column step:    G(0), G(1) on columns 0, 1, then G(2), G(3) on columns 2, 3
//           diagonal step:  G(0), G(1) on diagonals 1, 0, then G(2), G(3) on diagonals 3, 2
//     what the column step puts on the stack, v[8], v[9], v[4], v[13], is what the diagonal step fetches, and what
//     the diagonal step puts there, v[10], v[11], v[6], v[15], is what the column step fetches; every word has a
//     fixed register, and one macro serves for both steps.
//   - x >>> 16 by VREV32, x >>> 8 by a byte table, the others by shift and insert.
//   - Between the blocks, the h of the four states hold h of the four messages transposed: state0 has h[0], h[1],
//     state1 h[2], h[3], state2 h[5], h[7], state3 h[4], h[6]. At the end each state gets its own h again.
//
// Arguments
//     r0 .. r3   state0 .. state3    aligned to 4, disjoint; h and t are read and written, f is read
//     on the stack, at sp of the entry:
//     sp + 0 .. 12   blocks0 .. blocks3   64 count bytes each, at any address (normal memory, SCTLR.A = 0: unaligned
//                                         access allowed); read only, may overlap
//     sp + 16        count                number of blocks of each message; with 0 no other memory is touched
//     sp + 20        increment            what each block adds to each t
//
// Registers in the rounds
//     q0 .. q3   v[0] .. v[3]                     q10, q11    v[12], v[14]
//     q4, q5     v[5], v[7]                       q12         word of the message
//     q6, q7     v[4], v[13] or v[6], v[15]       q13, q14    temporaries
//     q8, q9     v[8], v[9] or v[10], v[11]       d30         byte table of x >>> 8
//     sp, r0 .. r10, lr    addresses of words 0, 1 .. 11, 12 of the message
//     r11        frame
//     r12        addresses
//
// Stack, 504 bytes, 512 where the entry sp is a multiple of 16
//     sp + 0      words of the message: 0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15
//     sp + 256    v[8], v[9], v[4], v[13]
//     sp + 320    v[10], v[11], v[6], v[15]
//     r11 - 4     blocks left
//     r11 + 0     d8 .. d15 of the caller
//     r11 + 64    state0 .. state3, r4 .. r11, lr of the caller
//     r11 + 116   the arguments of the caller
//
// Cleared
//     q0 .. q3, q8 .. q15 and the stack from sp + 0 to sp + 383; d8 .. d15, r4 .. r11 are the caller's again. What
//     else is left is public: r0 .. r3 = state0 .. state3, r12 an address.
//
// Notes
//   - Armv7-A with NEON, little-endian AArch32 state, A32 instructions; position-independent.
//   - Nothing but the states, the blocks, the arguments, the constants and the stack above is read or written.
//   - Branches compare the count alone, which is public; no address depends on state or message.
//   - At the end of the file the FPU is set back to the default of the ARMv7 target.

        .fpu    neon

v_5       .req    q4
v_7       .req    q5
v_4_6     .req    q6
v_13_15   .req    q7
v_13_15l  .req    d14
v_13_15h  .req    d15
v_12      .req    q10
v_12l     .req    d20
v_12h     .req    d21
v_14      .req    q11
v_14l     .req    d22
v_14h     .req    d23
m         .req    q12
t0        .req    q13
t1        .req    q14
rot8      .req    d30
w1        .req    r0
w2        .req    r1
w3        .req    r2
w4        .req    r3
w5        .req    r4
w6        .req    r5
w7        .req    r6
w8        .req    r7
w9        .req    r8
w10       .req    r9
w11       .req    r10
w12       .req    lr
frame     .req    r11

// Where word k of the message is: sp + ...
.macro blake2s_neon_x4_address register, k
        add     \register, sp, #128*(\k / 8) + 32*(\k & 3) + 16*(\k / 4 & 1)
.endm

// m := word k of the message
.macro blake2s_neon_x4_word k
        .if     \k == 0
        vld1.64 {d24, d25}, [sp:128]
        .elseif \k <= 12
        vld1.64 {d24, d25}, [w\k:128]
        .else
        blake2s_neon_x4_address r12, \k
        vld1.64 {d24, d25}, [r12:128]
        .endif
.endm

// Four G: G(0) on a0, v_4_6, c0, v_12 and G(1) on a1, v_5, c1, v_13_15,
// then G(2) on a2, v_4_6, c0, v_14 and G(3) on a3, v_7, c1, v_13_15
// xi, yi: the words of the message for G(i), by number
// out, in: where on the stack q8, q9, v_4_6, v_13_15 go between the two pairs, and where they come from
.macro blake2s_neon_x4_step a0, a1, a2, a3, c0, c1, out, in, x0, y0, x1, y1, x2, y2, x3, y3
        blake2s_neon_x4_word \x0
        vadd.i32 \a0, \a0, m                    // G(0)
        blake2s_neon_x4_word \x1
        vadd.i32 \a1, \a1, m                    // G(1)
        vadd.i32 \a0, \a0, v_4_6                // G(0)
        blake2s_neon_x4_word \y0
        vadd.i32 \a1, \a1, v_5                  // G(1)
        veor    v_12, v_12, \a0                 // G(0)
        vadd.i32 \a0, \a0, m                    // G(0)
        veor    v_13_15, v_13_15, \a1           // G(1)
        vrev32.16 v_12, v_12                    // G(0)
        vadd.i32 \c0, \c0, v_12                 // G(0)
        vrev32.16 v_13_15, v_13_15              // G(1)
        vadd.i32 \c1, \c1, v_13_15              // G(1)
        veor    t0, v_4_6, \c0                  // G(0)
        blake2s_neon_x4_word \y1
        veor    t1, v_5, \c1                    // G(1)
        vshr.u32 v_4_6, t0, #12                 // G(0)
        vshr.u32 v_5, t1, #12                   // G(1)
        vsli.32 v_4_6, t0, #20                  // G(0)
        vsli.32 v_5, t1, #20                    // G(1)
        vadd.i32 \a0, \a0, v_4_6                // G(0)
        vadd.i32 \a1, \a1, m                    // G(1)
        veor    v_12, v_12, \a0                 // G(0)
        vadd.i32 \a1, \a1, v_5                  // G(1)
        blake2s_neon_x4_word \x2
        vtbl.8  v_12h, {v_12h}, rot8            // G(0)
        veor    v_13_15, v_13_15, \a1           // G(1)
        vtbl.8  v_12l, {v_12l}, rot8            // G(0)
        vtbl.8  v_13_15l, {v_13_15l}, rot8      // G(1)
        vtbl.8  v_13_15h, {v_13_15h}, rot8      // G(1)
        vadd.i32 \c0, \c0, v_12                 // G(0)
        vadd.i32 \a2, \a2, m                    // G(2)
        vadd.i32 \c1, \c1, v_13_15              // G(1)
        veor    t0, v_4_6, \c0                  // G(0)
        add     r12, sp, #\out
        vst1.64 {d16-d19}, [r12:128]            // c of G(0), G(1)
        veor    t1, v_5, \c1                    // G(1)
        vshr.u32 v_4_6, t0, #7                  // G(0)
        add     r12, sp, #\in
        vld1.64 {d16, d17}, [r12:128]!
        vld1.64 {d18, d19}, [r12:128]           // c of G(2), G(3)
        vshr.u32 v_5, t1, #7                    // G(1)
        vsli.32 v_4_6, t0, #25                  // G(0)
        blake2s_neon_x4_word \x3
        add     r12, sp, #\out+32
        vst1.64 {d12-d15}, [r12:128]            // b of G(0), d of G(1)
        vadd.i32 \a3, \a3, m                    // G(3)
        add     r12, sp, #\in+32
        vld1.64 {d12, d13}, [r12:128]!
        vld1.64 {d14, d15}, [r12:128]           // b of G(2), d of G(3)
        vadd.i32 \a3, \a3, v_7                  // G(3)
        vsli.32 v_5, t1, #25                    // G(1)
        veor    v_13_15, v_13_15, \a3           // G(3)
        vadd.i32 \a2, \a2, v_4_6                // G(2)
        blake2s_neon_x4_word \y2
        veor    v_14, v_14, \a2                 // G(2)
        vrev32.16 v_13_15, v_13_15              // G(3)
        vadd.i32 \c1, \c1, v_13_15              // G(3)
        vrev32.16 v_14, v_14                    // G(2)
        vadd.i32 \c0, \c0, v_14                 // G(2)
        vadd.i32 \a2, \a2, m                    // G(2)
        blake2s_neon_x4_word \y3
        veor    t1, v_7, \c1                    // G(3)
        veor    t0, v_4_6, \c0                  // G(2)
        vshr.u32 v_7, t1, #12                   // G(3)
        vshr.u32 v_4_6, t0, #12                 // G(2)
        vadd.i32 \a3, \a3, m                    // G(3)
        vsli.32 v_7, t1, #20                    // G(3)
        vsli.32 v_4_6, t0, #20                  // G(2)
        vadd.i32 \a3, \a3, v_7                  // G(3)
        vadd.i32 \a2, \a2, v_4_6                // G(2)
        veor    v_13_15, v_13_15, \a3           // G(3)
        veor    v_14, v_14, \a2                 // G(2)
        vtbl.8  v_13_15h, {v_13_15h}, rot8      // G(3)
        vtbl.8  v_13_15l, {v_13_15l}, rot8      // G(3)
        vtbl.8  v_14l, {v_14l}, rot8            // G(2)
        vtbl.8  v_14h, {v_14h}, rot8            // G(2)
        vadd.i32 \c1, \c1, v_13_15              // G(3)
        vadd.i32 \c0, \c0, v_14                 // G(2)
        veor    t1, v_7, \c1                    // G(3)
        veor    t0, v_4_6, \c0                  // G(2)
        vshr.u32 v_4_6, t0, #7                  // G(2)
        vshr.u32 v_7, t1, #7                    // G(3)
        vsli.32 v_4_6, t0, #25                  // G(2)
        vsli.32 v_7, t1, #25                    // G(3)
.endm

// A round: s0 .. s15 are SIGMA of the round, RFC 7693, section 2.7
.macro blake2s_neon_x4_round s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15
        blake2s_neon_x4_step q0, q1, q2, q3, q8, q9, 256, 320, \s0, \s1, \s2, \s3, \s4, \s5, \s6, \s7
        blake2s_neon_x4_step q1, q0, q3, q2, q9, q8, 320, 256, \s10, \s11, \s8, \s9, \s14, \s15, \s12, \s13
.endm

// Rows r0 .. r3 of four words (Q registers, with their halves) become columns
.macro blake2s_neon_x4_transpose r0, r0h, r1, r1h, r2, r2l, r3, r3l
        vtrn.32 \r0, \r1
        vtrn.32 \r2, \r3
        vswp    \r0h, \r2l
        vswp    \r1h, \r3l
.endm

// Words 8i .. 8i+7 of the message in lane i, at the address of the block + offset
.macro blake2s_neon_x4_fetch lane, first, last, offset
        ldr     r12, [frame, #116+4*\lane]              // blocks
        add     r12, r12, \offset
        vld1.8  {\first-\last}, [r12]
.endm

// t of one message, with the increment, to \t, and f to \f
.macro blake2s_neon_x4_count lane, t, f
        ldr     r12, [frame, #64+4*\lane]               // state
        add     r12, r12, #32
        vld1.32 {\t}, [r12]
        vadd.i64 \t, \t, d16
        vst1.32 {\t}, [r12]!
        vld1.32 {\f}, [r12]
.endm

        .cfi_startproc
        ldr     r12, [sp, #16]                          // count
        cmp     r12, #0
        bne     2f
        bx      lr
1:      .word   0x5be0cd19, 0x9b05688c, 0x510e527f, 0x1f83d9ab          // IV[7], IV[5], IV[4], IV[6], RFC 7693,
        .word   0x3c6ef372, 0xa54ff53a, 0x6a09e667, 0xbb67ae85          // section 2.6; IV[2], IV[3], IV[0], IV[1]
        .byte   1, 2, 3, 0, 5, 6, 7, 4                                  // x >>> 8

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
        vpush   {d8-d15}
        .cfi_def_cfa_offset 116
        .cfi_offset d8, -116
        .cfi_offset d9, -108
        .cfi_offset d10, -100
        .cfi_offset d11, -92
        .cfi_offset d12, -84
        .cfi_offset d13, -76
        .cfi_offset d14, -68
        .cfi_offset d15, -60
        mov     frame, sp
        .cfi_def_cfa frame, 116
        sub     lr, sp, #388
        bic     sp, lr, #15
        str     r12, [frame, #-4]

        vld1.32 {d0, d1}, [r0]!                         // h of message 0
        vld1.32 {d2, d3}, [r1]!
        vld1.32 {d4, d5}, [r2]!
        vld1.32 {d6, d7}, [r3]!
        vld1.32 {d12, d13}, [r0]
        vld1.32 {d8, d9}, [r1]
        vld1.32 {d14, d15}, [r2]
        vld1.32 {d10, d11}, [r3]
        blake2s_neon_x4_transpose q0, d1, q1, d3, q2, d4, q3, d6        // h[0] .. h[3]
        blake2s_neon_x4_transpose q6, d13, q4, d9, q7, d14, q5, d10     // h[4], h[5], h[6], h[7]
        sub     r0, r0, #16
        sub     r1, r1, #16
        sub     r2, r2, #16
        sub     r3, r3, #16
        vst1.32 {d0-d3}, [r0]                           // h[0], h[1]
        vst1.32 {d4-d7}, [r1]                           // h[2], h[3]
        vst1.32 {d8-d11}, [r2]                          // h[5], h[7]
        vst1.32 {d12-d15}, [r3]                         // h[4], h[6]

        .irp    k, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        blake2s_neon_x4_address w\k, \k
        .endr

3:      ldr     lr, [frame, #132]                       // count
        ldr     r12, [frame, #-4]                       // blocks left
        sub     lr, lr, r12
        mov     lr, lr, lsl #6                          // offset of the block
        .irp    half, 0, 1
        blake2s_neon_x4_fetch 0, d16, d19, lr
        blake2s_neon_x4_fetch 1, d20, d23, lr
        blake2s_neon_x4_fetch 2, d24, d27, lr
        blake2s_neon_x4_fetch 3, d28, d31, lr
        blake2s_neon_x4_transpose q8, d17, q10, d21, q12, d24, q14, d28
        blake2s_neon_x4_transpose q9, d19, q11, d23, q13, d26, q15, d30
        add     r12, sp, #128*\half
        vst1.64 {d16-d19}, [r12:128]!
        vst1.64 {d20-d23}, [r12:128]!
        vst1.64 {d24-d27}, [r12:128]!
        vst1.64 {d28-d31}, [r12:128]
        add     lr, lr, #32
        .endr

        ldr     lr, [frame, #136]                       // increment
        vdup.32 d16, lr
        vshr.u64 d16, d16, #32
        blake2s_neon_x4_count 0, d24, d28
        blake2s_neon_x4_count 1, d25, d29
        blake2s_neon_x4_count 2, d26, d30
        blake2s_neon_x4_count 3, d27, d31
        vuzp.32 q12, q13                                // t[0], t[1]
        vuzp.32 q14, q15                                // f[0], f[1]
        adr     r12, 1b
        add     lr, sp, #352
        vld1.32 {d16[], d17[]}, [r12]!
        veor    q8, q8, q15                             // v[15] = IV[7] ^ f[1]
        vst1.64 {d14-d17}, [lr:128]                     // v[6], v[15]
        vld1.32 {d14[], d15[]}, [r12]!
        vld1.32 {d20[], d21[]}, [r12]!
        vld1.32 {d22[], d23[]}, [r12]!
        veor    q7, q7, q13                             // v[13] = IV[5] ^ t[1]
        veor    q10, q10, q12                           // v[12] = IV[4] ^ t[0]
        veor    q11, q11, q14                           // v[14] = IV[6] ^ f[0]
        add     lr, sp, #320
        vld1.32 {d24[], d25[]}, [r12]!
        vld1.32 {d26[], d27[]}, [r12]!
        vst1.64 {d24-d27}, [lr:128]                     // v[10], v[11]
        vld1.32 {d16[], d17[]}, [r12]!                  // v[8]
        vld1.32 {d18[], d19[]}, [r12]!                  // v[9]
        vld1.32 {rot8}, [r12]
        blake2s_neon_x4_address w12, 12

        blake2s_neon_x4_round  0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15
        blake2s_neon_x4_round 14, 10,  4,  8,  9, 15, 13,  6,  1, 12,  0,  2, 11,  7,  5,  3
        blake2s_neon_x4_round 11,  8, 12,  0,  5,  2, 15, 13, 10, 14,  3,  6,  7,  1,  9,  4
        blake2s_neon_x4_round  7,  9,  3,  1, 13, 12, 11, 14,  2,  6,  5, 10,  4,  0, 15,  8
        blake2s_neon_x4_round  9,  0,  5,  7,  2,  4, 10, 15, 14,  1, 11, 12,  6,  8,  3, 13
        blake2s_neon_x4_round  2, 12,  6, 10,  0, 11,  8,  3,  4, 13,  7,  5, 15, 14,  1,  9
        blake2s_neon_x4_round 12,  5,  1, 15, 14, 13,  4, 10,  0,  7,  6,  3,  9,  2,  8, 11
        blake2s_neon_x4_round 13, 11,  7, 14, 12,  1,  3,  9,  5,  0, 15,  4,  8,  6,  2, 10
        blake2s_neon_x4_round  6, 15, 14,  9, 11,  3,  0,  8, 12,  2, 13,  7,  1,  4, 10,  5
        blake2s_neon_x4_round 10,  2,  8,  4,  7,  6,  1,  5, 15, 11,  9, 14,  3, 12, 13,  0

        veor    q0, q0, q8                              // v[0] ^ v[8]
        veor    q1, q1, q9                              // v[1] ^ v[9]
        add     r12, sp, #320
        vld1.64 {d16-d19}, [r12:128]!                   // v[10], v[11]
        veor    q6, q6, q10                             // v[4] ^ v[12]
        veor    q4, q4, q7                              // v[5] ^ v[13]
        veor    q2, q2, q8                              // v[2] ^ v[10]
        veor    q3, q3, q9                              // v[3] ^ v[11]
        vld1.64 {d14-d17}, [r12:128]                    // v[6], v[15]
        ldr     r12, [frame, #64]                       // state0
        veor    q7, q7, q11                             // v[6] ^ v[14]
        veor    q5, q5, q8                              // v[7] ^ v[15]
        vld1.32 {d16-d19}, [r12]
        veor    q0, q0, q8                              // h[0]
        veor    q1, q1, q9                              // h[1]
        vst1.32 {d0-d3}, [r12]
        ldr     r12, [frame, #68]                       // state1
        vld1.32 {d20-d23}, [r12]
        veor    q2, q2, q10                             // h[2]
        veor    q3, q3, q11                             // h[3]
        vst1.32 {d4-d7}, [r12]
        ldr     r12, [frame, #72]                       // state2
        vld1.32 {d24-d27}, [r12]
        veor    q4, q4, q12                             // h[5]
        veor    q5, q5, q13                             // h[7]
        vst1.32 {d8-d11}, [r12]
        ldr     r12, [frame, #76]                       // state3
        ldr     lr, [frame, #-4]                        // blocks left
        vld1.32 {d16-d19}, [r12]
        veor    q6, q6, q8                              // h[4]
        veor    q7, q7, q9                              // h[6]
        vst1.32 {d12-d15}, [r12]
        subs    lr, lr, #1
        str     lr, [frame, #-4]
        bne     3b

        blake2s_neon_x4_transpose q0, d1, q1, d3, q2, d4, q3, d6        // h[0] .. h[3] of each message
        blake2s_neon_x4_transpose q6, d13, q4, d9, q7, d14, q5, d10     // h[4] .. h[7]
        add     r12, frame, #64
        ldm     r12, {r0-r3}
        vst1.32 {d0, d1}, [r0]!
        vst1.32 {d2, d3}, [r1]!
        vst1.32 {d4, d5}, [r2]!
        vst1.32 {d6, d7}, [r3]!
        vst1.32 {d12, d13}, [r0]
        vst1.32 {d8, d9}, [r1]
        vst1.32 {d14, d15}, [r2]
        vst1.32 {d10, d11}, [r3]

        vmov.i32 q0, #0                                 // leave nothing of message or state behind
        vmov.i32 q1, #0
        mov     r12, sp
        .rept   12
        vst1.64 {d0-d3}, [r12:128]!
        .endr
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
        mov     sp, frame
        .cfi_def_cfa sp, 116
        vpop    {d8-d15}
        .cfi_def_cfa_offset 52
        .cfi_restore d8
        .cfi_restore d9
        .cfi_restore d10
        .cfi_restore d11
        .cfi_restore d12
        .cfi_restore d13
        .cfi_restore d14
        .cfi_restore d15
        pop     {r0-r11, lr}
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

.purgem blake2s_neon_x4_address
.purgem blake2s_neon_x4_word
.purgem blake2s_neon_x4_step
.purgem blake2s_neon_x4_round
.purgem blake2s_neon_x4_transpose
.purgem blake2s_neon_x4_fetch
.purgem blake2s_neon_x4_count
.unreq  v_5
.unreq  v_7
.unreq  v_4_6
.unreq  v_13_15
.unreq  v_13_15l
.unreq  v_13_15h
.unreq  v_12
.unreq  v_12l
.unreq  v_12h
.unreq  v_14
.unreq  v_14l
.unreq  v_14h
.unreq  m
.unreq  t0
.unreq  t1
.unreq  rot8
.unreq  w1
.unreq  w2
.unreq  w3
.unreq  w4
.unreq  w5
.unreq  w6
.unreq  w7
.unreq  w8
.unreq  w9
.unreq  w10
.unreq  w11
.unreq  w12
.unreq  frame

        .fpu    vfpv3-d16                       // the default of the ARMv7 target
