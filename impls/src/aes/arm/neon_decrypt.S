// AES-XTS decryption: AArch32 (A32), NEON, bit-sliced, eight blocks at a time
//
//     xts_decrypt(layout: *const u8, tweak: *mut [u8; 16],
//                 input: *const u8, output: *mut u8, count: usize, rounds: u32)
//
//     for j = 0 .. count - 1:  output[j] := InvCipher(input[j] ^ T(j)) ^ T(j),
//     where  T(0) = tweak,  T(j+1) = T(j) x,  and afterwards  tweak := T(count);
//     InvCipher is the inverse cipher of AES with the round keys of layout
//
// Source
//     FIPS 197, section 5.3 (inverse cipher); IEEE 1619-2007, section 5 (XTS; blocks and tweaks are little-endian:
//     multiplication by x is a shift left of the 128-bit integer, and 0x87 for the bit shifted out).
//     Bit-slicing: E. Kaesper, P. Schwabe, "Faster and timing-attack resistant AES-GCM", CHES 2009.
//     S-box: J. Boyar, R. Peralta, "A new combinational logic minimization technique with applications to
//     cryptology", SEA 2010, and "A depth-16 circuit for the AES S-box", 2011.
//     Without ShiftRows: A. Adomnicai, T. Peyrin, "Fixslicing AES-like ciphers", CHES 2021.
//
// Technique
//   - A register per bit b holds bit b of the 128 bytes of eight blocks: a byte of the register is a byte position of
//     the block, in the standard's order, and its eight bits are the eight blocks.
//   - The S-box is a circuit in the manner of Boyar and Peralta: linear layer (y), products that go into an inversion
//     in GF(2^4) (t), products with its result (z), linear layer (s). Inverted is c a^(2^k) in place of a, with c =
//     0x83, k = 1: over GF(2) that changes the linear layers only, and of all 2040 choices this is one of those with
//     the shortest and shallowest. t29 and t33 are multiplexers. The constant 0x63 is in the round keys. Sixteen
//     registers do not hold it: some values are put aside on the stack, or computed again.
//   - ShiftRows is left out: the state after round i is kept as SR^-i(state), SR being ShiftRows on positions. So are
//     the round keys, in the layout. MixColumns of round i then takes the next row from the positions SR^-i gives, by
//     a byte permutation, as it would without. Two rows on is a swap of half words in even rounds, and with it a swap
//     of the halves of the register in odd ones. Hence two rounds per loop. Only the ciphertext has to be permuted,
//     by SR^-R, at the beginning.
//   - InvMixColumns is MixColumns of a ^ 4 (a ^ a two rows on). With n = b of the next row and t = b ^ n, MixColumns
//     is 2 t ^ n ^ (t two rows on).
//   - Tweaks of eight blocks lie on the stack.
//   - Fewer than eight blocks are done as eight. Lanes without a block work on what their register holds, and are not
//     stored.
//
// Arguments
//     r0      layout  round keys of this tier's convert_key_encrypt, read backwards: 128 (R + 1) bytes, R = rounds,
//                     aligned to 16; read only
//     r1      tweak   16 bytes, at any address; read and written
//     r2      input   16 count bytes, at any address (normal memory, SCTLR.A = 0: unaligned access allowed);
//                     read only
//     r3      output  16 count bytes, at any address; equal to input, or disjoint from it
//     [sp]    count   number of blocks; with 0 nothing but these arguments is read
//     [sp+4]  rounds  10, 12 or 14
//
// Registers
//     Between the rounds: r2, r3 input, output; r4 .. r7 tweak; r8 temporary; r9 0x87; r12 count;
//     lr address of tweaks.
//     In the rounds:
//     r0 .. r7   addresses of the values put aside (and sp)
//     r9         next round key
//     r10        next permutation
//     r11        round key of the last round, k(0)
//     r12        place of the permutations of the next two rounds
//     lr         permutations
//     q0 .. q15  state, and values named at the right of the instructions
//
// Stack, 424 bytes
//     sp + 0    values put aside
//     sp + 144  tweaks of eight blocks and of the one after
//     sp + 288  layout, tweak, input, output, blocks left less eight, blocks of this step; 8 bytes unused
//     sp + 320  d8 .. d15 of the caller
//     sp + 384  r4 .. r11, lr of the caller, and 4 bytes unused
//
// Cleared
//     q0 .. q3, q8 .. q15, values put aside and tweaks are zero, d8 .. d15 and r4 .. r11 are the caller's again. r0
//     .. r3, r12 and lr hold addresses and counts.
//
// Notes
//   - Armv7-A with NEON, little-endian AArch32 state, A32 instructions; position-independent.
//   - Nothing but the arguments, layout, tweak, input, output, the constants and the stack above is read or written.
//   - Branches compare count and rounds alone, which are public; no address depends on anything secret.
//   - At the end of the file the FPU is set back to the default of the ARMv7 target.

        .fpu    neon

        keys         .req    r9
        place        .req    r10
        last_key     .req    r11
        toggle       .req    r12
        permutations .req    lr

// The tweaks of eight blocks, and of the one after, to the stack: from r4 .. r7, the first of them
.macro  aes_neon_decrypt_tweaks
        add         lr, sp, #144
        mov         r9, #0x87
        .rept       8
        stmia       lr!, {r4-r7}
        and         r8, r9, r7, asr #31                         // 0x87 if a bit is shifted out
        adds        r4, r4, r4
        adcs        r5, r5, r5
        adcs        r6, r6, r6
        adc         r7, r7, r7
        eor         r4, r4, r8
        .endr
        stmia       lr, {r4-r7}
.endm

// In two pairs (a, b) the high halves of the bytes of a change places with the low halves of b
.macro  aes_neon_decrypt_swap4 a0, b0, a1, b1, t0, t1
        vmov        q\t0, q\a0
        vmov        q\t1, q\a1
        vsli.8      q\a0, q\b0, #4
        vsli.8      q\a1, q\b1, #4
        vsri.8      q\b0, q\t0, #4
        vsri.8      q\b1, q\t1, #4
.endm

// In two pairs (a, b) the bits of a under the mask change places with the bits of b n places to the right
.macro  aes_neon_decrypt_swap n, mask, a0, b0, a1, b1, t0, t1, t2, t3
        vshl.u8     q\t0, q\b0, #\n
        vshl.u8     q\t1, q\b1, #\n
        vshr.u8     q\t2, q\a0, #\n
        vshr.u8     q\t3, q\a1, #\n
        vbit        q\a0, q\t0, q\mask
        vbit        q\a1, q\t1, q\mask
        vbif        q\b0, q\t2, q\mask
        vbif        q\b1, q\t3, q\mask
.endm

// From eight blocks to eight bits, or back
.macro  aes_neon_decrypt_transpose r0, r1, r2, r3, r4, r5, r6, r7, t0, t1, t2, t3, m
        aes_neon_decrypt_swap4 \r0, \r4, \r1, \r5, \t0, \t1
        aes_neon_decrypt_swap4 \r2, \r6, \r3, \r7, \t2, \t3
        vmov.i8     q\m, #0xcc
        aes_neon_decrypt_swap 2, \m, \r0, \r2, \r1, \r3, \t0, \t1, \t2, \t3
        aes_neon_decrypt_swap 2, \m, \r4, \r6, \r5, \r7, \t0, \t1, \t2, \t3
        vmov.i8     q\m, #0xaa
        aes_neon_decrypt_swap 1, \m, \r0, \r1, \r2, \r3, \t0, \t1, \t2, \t3
        aes_neon_decrypt_swap 1, \m, \r4, \r5, \r6, \r7, \t0, \t1, \t2, \t3
.endm

        .cfi_startproc
        ldr         r12, [sp]
        cmp         r12, #0
        bxeq        lr

        push        {r4-r12, lr}
        .cfi_def_cfa_offset 40
        .cfi_rel_offset r4, 0
        .cfi_rel_offset r5, 4
        .cfi_rel_offset r6, 8
        .cfi_rel_offset r7, 12
        .cfi_rel_offset r8, 16
        .cfi_rel_offset r9, 20
        .cfi_rel_offset r10, 24
        .cfi_rel_offset r11, 28
        .cfi_rel_offset lr, 36
        vpush       {d8-d15}
        .cfi_def_cfa_offset 104
        .cfi_rel_offset d8, 0
        .cfi_rel_offset d9, 8
        .cfi_rel_offset d10, 16
        .cfi_rel_offset d11, 24
        .cfi_rel_offset d12, 32
        .cfi_rel_offset d13, 40
        .cfi_rel_offset d14, 48
        .cfi_rel_offset d15, 56
        sub         sp, sp, #320
        .cfi_def_cfa_offset 424

        str         r0, [sp, #288]
        str         r1, [sp, #288 + 4]
        str         r3, [sp, #288 + 12]
        ldr         r4, [r1]
        ldr         r5, [r1, #4]
        ldr         r6, [r1, #8]
        ldr         r7, [r1, #12]

1:      aes_neon_decrypt_tweaks
        subs        r12, r12, #8
        str         r12, [sp, #288 + 16]
        blo         5f
        mov         r8, #8
        vld1.8      {d0-d3}, [r2]!                              // eight blocks
        vld1.8      {d4-d7}, [r2]!
        vld1.8      {d8-d11}, [r2]!
        vld1.8      {d12-d15}, [r2]!

2:      str         r2, [sp, #288 + 8]
        str         r8, [sp, #288 + 20]
        add         lr, sp, #144
        vld1.64     {d16-d19}, [lr]!
        vld1.64     {d20-d23}, [lr]!
        veor        q0, q0, q8
        vld1.64     {d24-d27}, [lr]!
        veor        q1, q1, q9
        vld1.64     {d28-d31}, [lr]
        veor        q2, q2, q10
        veor        q3, q3, q11
        veor        q4, q4, q12
        veor        q5, q5, q13
        veor        q6, q6, q14
        veor        q7, q7, q15
        aes_neon_decrypt_transpose 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
        ldr         last_key, [sp, #288]                        // k(0)
        ldr         r8, [sp, #424 + 4]
        ldr         permutations, 7f
.Laes_neon_decrypt_here:
        add         permutations, pc, permutations
        add         place, permutations, #64                    // SR^-R is SR^2 for 10 and 14 rounds, nothing for 12
        and         toggle, r8, #2
        add         place, place, toggle, lsl #3
        vld1.8      {d30-d31}, [place]
        eor         toggle, toggle, #2
        lsl         toggle, toggle, #4                          // the first permutations are those of R - 1
        add         place, permutations, toggle
        add         keys, last_key, r8, lsl #7                  // k(R)
        vtbl.8      d16, {d0-d1}, d30
        vtbl.8      d17, {d0-d1}, d31
        vtbl.8      d0, {d2-d3}, d30
        vtbl.8      d1, {d2-d3}, d31
        vtbl.8      d2, {d4-d5}, d30
        vtbl.8      d3, {d4-d5}, d31
        vtbl.8      d4, {d6-d7}, d30
        vtbl.8      d5, {d6-d7}, d31
        vtbl.8      d6, {d8-d9}, d30
        vtbl.8      d7, {d8-d9}, d31
        vtbl.8      d8, {d10-d11}, d30
        vtbl.8      d9, {d10-d11}, d31
        vtbl.8      d10, {d12-d13}, d30
        vtbl.8      d11, {d12-d13}, d31
        vtbl.8      d12, {d14-d15}, d30
        vtbl.8      d13, {d14-d15}, d31
        vld1.8      {d18-d19}, [keys]!
        vld1.8      {d20-d21}, [keys]!
        vld1.8      {d22-d23}, [keys]!
        vld1.8      {d24-d25}, [keys]!
        veor        q7, q6, q9
        vld1.8      {d18-d19}, [keys]!
        veor        q6, q5, q10
        vld1.8      {d20-d21}, [keys]!
        veor        q5, q4, q11
        vld1.8      {d22-d23}, [keys]!
        veor        q4, q3, q12
        vld1.8      {d24-d25}, [keys]!
        veor        q3, q2, q9
        veor        q2, q1, q10
        veor        q1, q0, q11
        veor        q0, q8, q12
        sub         keys, keys, #256
        add         r0, sp, #16
        add         r1, sp, #32
        add         r2, sp, #48
        add         r3, sp, #64
        add         r4, sp, #80
        add         r5, sp, #96
        add         r6, sp, #112
        add         r7, sp, #128
3:      // InvSubBytes
        veor        q12, q1, q5                                 // y3 = a1 ^ a5
        veor        q13, q3, q4                                 // r0 = a3 ^ a4
        veor        q8, q5, q7                                  // y2 = a5 ^ a7
        veor        q9, q0, q7                                  // y0 = a0 ^ a7
        veor        q2, q2, q6                                  // y6 = a2 ^ a6
        veor        q0, q1, q13                                 // y16 = a1 ^ r0
        veor        q7, q12, q13                                // r1 = y3 ^ r0
        veor        q15, q3, q8                                 // y4 = a3 ^ y2
        veor        q13, q6, q9                                 // y19 = a6 ^ y0
        veor        q11, q1, q2                                 // y5 = a1 ^ y6
        veor        q10, q5, q2                                 // y8 = a5 ^ y6
        vst1.64     {d24-d25}, [r2]                        // y3 put aside
        vand        q1, q12, q2                                 // t3 = y3 y6
        veor        q4, q9, q2                                  // y15 = y0 ^ y6
        veor        q12, q12, q15                               // y12 = y3 ^ y4
        veor        q5, q5, q13                                 // y1 = a5 ^ y19
        vst1.64     {d4-d5}, [sp]                          // y6 put aside
        vst1.64     {d8-d9}, [r4]                          // y15 put aside
        veor        q2, q4, q0                                  // y17 = y15 ^ y16
        vst1.64     {d24-d25}, [r6]                        // y12 put aside
        vst1.64     {d10-d11}, [r7]                        // y1 put aside
        vand        q4, q12, q4                                 // t2 = y12 y15
        vst1.64     {d22-d23}, [r1]                        // y5 put aside
        vand        q15, q15, q9                                // t5 = y4 y0
        veor        q12, q8, q11                                // y13 = y2 ^ y5
        vand        q5, q11, q5                                 // t8 = y5 y1
        veor        q14, q3, q10                                // y14 = a3 ^ y8
        veor        q6, q6, q7                                  // y11 = a6 ^ r1
        veor        q11, q13, q10                               // y10 = y19 ^ y8
        veor        q1, q1, q4                                  // t4 = t3 ^ t2
        vst1.64     {d20-d21}, [r0]                        // y8 put aside
        vst1.64     {d4-d5}, [r5]                          // y17 put aside
        veor        q4, q15, q4                                 // t6 = t5 ^ t2
        vand        q2, q14, q2                                 // t13 = y14 y17
        vand        q15, q3, q6                                 // t12 = a3 y11
        vand        q10, q10, q11                               // t15 = y8 y10
        veor        q7, q13, q7                                 // y7 = y19 ^ r1
        vst1.64     {d28-d29}, [r3]                        // y14 put aside
        vand        q14, q12, q0                                // t7 = y13 y16
        veor        q2, q2, q15                                 // t14 = t13 ^ t12
        veor        q10, q10, q15                               // t16 = t15 ^ t12
        vand        q15, q8, q7                                 // t10 = y2 y7
        veor        q5, q5, q14                                 // t9 = t8 ^ t7
        veor        q1, q1, q2                                  // t17 = t4 ^ t14
        veor        q14, q15, q14                               // t11 = t10 ^ t7
        veor        q2, q5, q2                                  // t19 = t9 ^ t14
        veor        q15, q4, q10                                // t18 = t6 ^ t16
        veor        q5, q12, q0                                 // y21 = y13 ^ y16
        veor        q10, q14, q10                               // t20 = t11 ^ t16
        veor        q4, q8, q7                                  // y18 = y2 ^ y7
        veor        q14, q3, q6                                 // y20 = a3 ^ y11
        veor        q2, q2, q5                                  // t23 = t19 ^ y21
        veor        q15, q15, q13                               // t22 = t18 ^ y19
        veor        q10, q10, q4                                // t24 = t20 ^ y18
        veor        q5, q1, q14                                 // t21 = t17 ^ y20
        vand        q13, q15, q2                                // t35 = t22 t23
        veor        q4, q2, q10                                 // t30 = t23 ^ t24
        veor        q14, q5, q15                                // t25 = t21 ^ t22
        vand        q1, q5, q10                                 // t38 = t21 t24
        vbic        q4, q4, q13                                 // t36 = t30 (1 ^ t35)
        vbic        q14, q14, q1                                // t39 = t25 (1 ^ t38)
        vand        q1, q5, q2                                  // t26 = t21 t23
        veor        q13, q15, q1                                // t31 = t22 ^ t26
        veor        q14, q1, q14                                // t40 = t26 ^ t39
        veor        q4, q1, q4                                  // t37 = t26 ^ t36
        vbsl        q13, q2, q10                                // t33 = t31 ? t23 : t24 = t31 (t23 ^ t24) ^ t24
        veor        q10, q10, q1                                // t27 = t24 ^ t26
        veor        q1, q14, q4                                 // t41 = t40 ^ t37
        vand        q2, q13, q9                                 // z2 = t33 y0
        veor        q9, q3, q8                                  // y4 = a3 ^ y2, again
        vbit        q15, q5, q10                                // t29 = t27 ? t21 : t22 = t27 (t21 ^ t22) ^ t22
        vand        q5, q1, q11                                 // z8 = t41 y10
        vand        q10, q13, q9                                // z11 = t33 y4
        veor        q11, q15, q14                               // t43 = t29 ^ t40
        vand        q7, q15, q7                                 // z5 = t29 y7
        veor        q9, q15, q13                                // t42 = t29 ^ t33
        vand        q15, q15, q8                                // z14 = t29 y2
        veor        q8, q13, q4                                 // t44 = t33 ^ t37
        vld1.64     {d26-d27}, [r0]                        // y8 again
        veor        q2, q2, q5                                  // p12 = z2 ^ z8
        veor        q5, q7, q5                                  // p0 = z5 ^ z8
        vand        q12, q11, q12                               // z12 = t43 y13
        vand        q0, q11, q0                                 // z3 = t43 y16
        vand        q13, q1, q13                                // z17 = t41 y8
        vand        q3, q9, q3                                  // z15 = t42 a3
        veor        q7, q15, q13                                // p3 = z14 ^ z17
        veor        q15, q9, q1                                 // t45 = t42 ^ t41
        vand        q1, q9, q6                                  // z6 = t42 y11
        vld1.64     {d12-d13}, [r2]                        // y3 again
        veor        q12, q12, q3                                // p10 = z12 ^ z15
        vand        q11, q4, q6                                 // z10 = t37 y3
        vld1.64     {d12-d13}, [r1]                        // y5 again
        veor        q12, q7, q12                                // s6 = p3 ^ p10
        veor        q10, q10, q11                               // p15 = z11 ^ z10
        vand        q9, q14, q6                                 // z13 = t40 y5
        vld1.64     {d12-d13}, [sp]                        // y6 again
        veor        q10, q13, q10                               // p16 = z17 ^ p15
        veor        q7, q9, q7                                  // p4 = z13 ^ p3
        vld1.64     {d18-d19}, [r7]                        // y1 again
        vand        q4, q4, q6                                  // z1 = t37 y6
        veor        q6, q0, q1                                  // p1 = z3 ^ z6
        vld1.64     {d0-d1}, [r6]                          // y12 again
        vand        q14, q14, q9                                // z4 = t40 y1
        vld1.64     {d18-d19}, [r4]                        // y15 again
        vand        q0, q8, q0                                  // z9 = t44 y12
        veor        q14, q14, q5                                // p8 = z4 ^ p0
        vand        q8, q8, q9                                  // z0 = t44 y15
        veor        q9, q11, q0                                 // p6 = z10 ^ z9
        vld1.64     {d0-d1}, [r3]                          // y14 again
        veor        q11, q2, q12                                // p13 = p12 ^ s6
        veor        q13, q8, q1                                 // p14 = z0 ^ z6
        vld1.64     {d16-d17}, [r5]                        // y17 again
        veor        q2, q3, q9                                  // p7 = z15 ^ p6
        vand        q1, q15, q0                                 // z16 = t45 y14
        veor        q0, q13, q10                                // p17 = p14 ^ p16
        veor        q3, q13, q11                                // s7 = p14 ^ p13
        vand        q9, q15, q8                                 // z7 = t45 y17
        veor        q15, q5, q6                                 // p2 = p0 ^ p1
        veor        q5, q2, q14                                 // p9 = p7 ^ p8
        veor        q10, q4, q0                                 // p18 = z1 ^ p17
        veor        q8, q1, q9                                  // p19 = z16 ^ z7
        veor        q6, q15, q7                                 // p5 = p2 ^ p4
        veor        q7, q9, q7                                  // p22 = z7 ^ p4
        veor        q13, q8, q5                                 // s1 = p19 ^ p9
        veor        q9, q0, q6                                  // p21 = p17 ^ p5
        veor        q14, q2, q6                                 // s4 = p7 ^ p5
        veor        q0, q5, q10                                 // s2 = p9 ^ p18
        veor        q15, q15, q13                               // s0 = p2 ^ s1
        veor        q1, q10, q7                                 // s5 = p18 ^ p22
        veor        q2, q11, q9                                 // s3 = p13 ^ p21

        // AddRoundKey, InvMixColumns, odd round
        vld1.8      {d18-d19}, [keys]!                          // round key
        vld1.8      {d22-d23}, [keys]!
        veor        q5, q3, q9                                  // a7 = s7 ^ k7
        vld1.8      {d12-d13}, [keys]!
        veor        q11, q12, q11                               // a6 = s6 ^ k6
        vld1.8      {d14-d15}, [keys]!
        veor        q12, q1, q6                                 // a5 = s5 ^ k5
        vld1.8      {d12-d13}, [keys]!
        veor        q10, q14, q7                                // a4 = s4 ^ k4
        vrev32.16   q7, q5                                      // g7 = a7 of two rows on, but for the halves
        vld1.8      {d16-d17}, [keys]!
        veor        q3, q2, q6                                  // a3 = s3 ^ k3
        veor        d28, d10, d15                               // u7 = a7 ^ g7
        veor        d29, d11, d14
        vld1.8      {d4-d5}, [keys]!
        veor        q1, q0, q8                                  // a2 = s2 ^ k2
        vrev32.16   q6, q11                                     // g6 = a6 of two rows on, but for the halves
        veor        q0, q13, q2                                 // a1 = s1 ^ k1
        vld1.8      {d8-d9}, [keys]!
        veor        d4, d22, d13                                // u6 = a6 ^ g6
        veor        d5, d23, d12
        vrev32.16   q8, q3                                      // g3 = a3 of two rows on, but for the halves
        veor        q6, q15, q4                                 // a0 = s0 ^ k0
        vrev32.16   q4, q0                                      // g1 = a1 of two rows on, but for the halves
        veor        d18, d6, d17                                // u3 = a3 ^ g3
        veor        d19, d7, d16
        vrev32.16   q7, q1                                      // g2 = a2 of two rows on, but for the halves
        veor        d26, d0, d9                                 // u1 = a1 ^ g1
        veor        d27, d1, d8
        vrev32.16   q8, q6                                      // g0 = a0 of two rows on, but for the halves
        veor        d8, d2, d15                                 // u2 = a2 ^ g2
        veor        d9, d3, d14
        veor        q13, q3, q13
        veor        d14, d12, d17                               // u0 = a0 ^ g0
        veor        d15, d13, d16
        veor        q15, q10, q4
        veor        q3, q1, q7
        veor        q4, q12, q9
        veor        q7, q13, q2                                 // b3 = a3 ^ u1 ^ u6
        veor        q6, q6, q2                                  // b0 = a0 ^ u6
        veor        q9, q3, q14                                 // b2 = a2 ^ u0 ^ u7
        veor        q13, q2, q14                                // u67 = u6 ^ u7
        veor        q8, q4, q14                                 // b5 = a5 ^ u3 ^ u7
        vrev32.16   q14, q10                                    // g4 = a4 of two rows on, but for the halves
        vrev32.16   q1, q12                                     // g5 = a5 of two rows on, but for the halves
        veor        q4, q15, q13                                // b4 = a4 ^ u2 ^ u67
        veor        q3, q0, q13                                 // b1 = a1 ^ u67
        veor        d4, d20, d29                                // u4 = a4 ^ g4
        veor        d5, d21, d28
        veor        d26, d24, d3                                // u5 = a5 ^ g5
        veor        d27, d25, d2
        vld1.8      {d28-d29}, [place]!                         // permutation of this round
        veor        q2, q11, q2                                 // b6 = a6 ^ u4
        veor        q13, q5, q13                                // b7 = a7 ^ u5
        vtbl.8      d22, {d18-d19}, d28                         // n2 = b2 of the next row
        vtbl.8      d23, {d18-d19}, d29
        vtbl.8      d30, {d14-d15}, d28                         // n3 = b3 of the next row
        vtbl.8      d31, {d14-d15}, d29
        vtbl.8      d10, {d12-d13}, d28                         // n0 = b0 of the next row
        vtbl.8      d11, {d12-d13}, d29
        vtbl.8      d0, {d26-d27}, d28                          // n7 = b7 of the next row
        vtbl.8      d1, {d26-d27}, d29
        veor        q12, q9, q11                                // t2 = b2 ^ n2
        veor        q9, q7, q15                                 // t3 = b3 ^ n3
        veor        q10, q6, q5                                 // t0 = b0 ^ n0
        veor        q6, q13, q0                                 // t7 = b7 ^ n7
        veor        q7, q15, q12
        vrev32.16   q1, q12                                     // f2 = t2 of two rows on, but for the halves
        vtbl.8      d26, {d6-d7}, d28                           // n1 = b1 of the next row
        vtbl.8      d27, {d6-d7}, d29
        veor        q12, q5, q6
        veor        q15, q7, q6
        veor        q7, q3, q13                                 // t1 = b1 ^ n1
        veor        q3, q13, q10
        vrev32.16   q5, q10                                     // f0 = t0 of two rows on, but for the halves
        vtbl.8      d20, {d4-d5}, d28                           // n6 = b6 of the next row
        vtbl.8      d21, {d4-d5}, d29
        veor        q13, q11, q7
        veor        d22, d24, d11                               // o0 = n0 ^ t7 ^ f0
        veor        d23, d25, d10
        veor        q5, q2, q10                                 // t6 = b6 ^ n6
        veor        d24, d26, d3                                // o2 = n2 ^ t1 ^ f2
        veor        d25, d27, d2
        veor        q3, q3, q6
        vrev32.16   q2, q7                                      // f1 = t1 of two rows on, but for the halves
        veor        q0, q0, q5
        vrev32.16   q1, q5                                      // f6 = t6 of two rows on, but for the halves
        veor        d10, d6, d5                                 // o1 = n1 ^ t0 ^ t7 ^ f1
        veor        d11, d7, d4
        vtbl.8      d14, {d8-d9}, d28                           // n4 = b4 of the next row
        vtbl.8      d15, {d8-d9}, d29
        vtbl.8      d4, {d16-d17}, d28                          // n5 = b5 of the next row
        vtbl.8      d5, {d16-d17}, d29
        vrev32.16   q3, q9                                      // f3 = t3 of two rows on, but for the halves
        veor        q14, q4, q7                                 // t4 = b4 ^ n4
        veor        q9, q7, q9
        veor        d8, d30, d7                                 // o3 = n3 ^ t2 ^ t7 ^ f3
        veor        d9, d31, d6
        veor        q15, q8, q2                                 // t5 = b5 ^ n5
        veor        q8, q2, q14
        vrev32.16   q7, q14                                     // f4 = t4 of two rows on, but for the halves
        veor        q13, q9, q6
        vrev32.16   q9, q6                                      // f7 = t7 of two rows on, but for the halves
        veor        q10, q10, q15
        vrev32.16   q14, q15                                    // f5 = t5 of two rows on, but for the halves
        veor        d12, d26, d15                               // o4 = n4 ^ t3 ^ t7 ^ f4
        veor        d13, d27, d14
        veor        d6, d0, d19                                 // o7 = n7 ^ t6 ^ f7
        veor        d7, d1, d18
        veor        d30, d20, d3                                // o6 = n6 ^ t5 ^ f6
        veor        d31, d21, d2
        veor        d2, d16, d29                                // o5 = n5 ^ t4 ^ f5
        veor        d3, d17, d28
        sub         keys, keys, #256

        // InvSubBytes
        veor        q14, q5, q1                                 // y3 = a1 ^ a5
        veor        q13, q4, q6                                 // r0 = a3 ^ a4
        veor        q8, q1, q3                                  // y2 = a5 ^ a7
        veor        q10, q11, q3                                // y0 = a0 ^ a7
        veor        q12, q12, q15                               // y6 = a2 ^ a6
        veor        q11, q5, q13                                // y16 = a1 ^ r0
        veor        q3, q14, q13                                // r1 = y3 ^ r0
        veor        q9, q4, q8                                  // y4 = a3 ^ y2
        veor        q13, q15, q10                               // y19 = a6 ^ y0
        veor        q0, q5, q12                                 // y5 = a1 ^ y6
        veor        q2, q1, q12                                 // y8 = a5 ^ y6
        vst1.64     {d28-d29}, [r2]                        // y3 put aside
        vand        q5, q14, q12                                // t3 = y3 y6
        veor        q6, q10, q12                                // y15 = y0 ^ y6
        veor        q14, q14, q9                                // y12 = y3 ^ y4
        veor        q1, q1, q13                                 // y1 = a5 ^ y19
        vst1.64     {d24-d25}, [sp]                        // y6 put aside
        vst1.64     {d12-d13}, [r4]                        // y15 put aside
        veor        q12, q6, q11                                // y17 = y15 ^ y16
        vst1.64     {d28-d29}, [r6]                        // y12 put aside
        vst1.64     {d2-d3}, [r7]                          // y1 put aside
        vand        q6, q14, q6                                 // t2 = y12 y15
        vst1.64     {d0-d1}, [r1]                          // y5 put aside
        vand        q9, q9, q10                                 // t5 = y4 y0
        veor        q14, q8, q0                                 // y13 = y2 ^ y5
        vand        q1, q0, q1                                  // t8 = y5 y1
        veor        q7, q4, q2                                  // y14 = a3 ^ y8
        veor        q15, q15, q3                                // y11 = a6 ^ r1
        veor        q0, q13, q2                                 // y10 = y19 ^ y8
        veor        q5, q5, q6                                  // t4 = t3 ^ t2
        vst1.64     {d4-d5}, [r0]                          // y8 put aside
        vst1.64     {d24-d25}, [r5]                        // y17 put aside
        veor        q6, q9, q6                                  // t6 = t5 ^ t2
        vand        q12, q7, q12                                // t13 = y14 y17
        vand        q9, q4, q15                                 // t12 = a3 y11
        vand        q2, q2, q0                                  // t15 = y8 y10
        veor        q3, q13, q3                                 // y7 = y19 ^ r1
        vst1.64     {d14-d15}, [r3]                        // y14 put aside
        vand        q7, q14, q11                                // t7 = y13 y16
        veor        q12, q12, q9                                // t14 = t13 ^ t12
        veor        q2, q2, q9                                  // t16 = t15 ^ t12
        vand        q9, q8, q3                                  // t10 = y2 y7
        veor        q1, q1, q7                                  // t9 = t8 ^ t7
        veor        q5, q5, q12                                 // t17 = t4 ^ t14
        veor        q7, q9, q7                                  // t11 = t10 ^ t7
        veor        q12, q1, q12                                // t19 = t9 ^ t14
        veor        q9, q6, q2                                  // t18 = t6 ^ t16
        veor        q1, q14, q11                                // y21 = y13 ^ y16
        veor        q2, q7, q2                                  // t20 = t11 ^ t16
        veor        q6, q8, q3                                  // y18 = y2 ^ y7
        veor        q7, q4, q15                                 // y20 = a3 ^ y11
        veor        q12, q12, q1                                // t23 = t19 ^ y21
        veor        q9, q9, q13                                 // t22 = t18 ^ y19
        veor        q2, q2, q6                                  // t24 = t20 ^ y18
        veor        q1, q5, q7                                  // t21 = t17 ^ y20
        vand        q13, q9, q12                                // t35 = t22 t23
        veor        q6, q12, q2                                 // t30 = t23 ^ t24
        veor        q7, q1, q9                                  // t25 = t21 ^ t22
        vand        q5, q1, q2                                  // t38 = t21 t24
        vbic        q6, q6, q13                                 // t36 = t30 (1 ^ t35)
        vbic        q7, q7, q5                                  // t39 = t25 (1 ^ t38)
        vand        q5, q1, q12                                 // t26 = t21 t23
        veor        q13, q9, q5                                 // t31 = t22 ^ t26
        veor        q7, q5, q7                                  // t40 = t26 ^ t39
        veor        q6, q5, q6                                  // t37 = t26 ^ t36
        vbsl        q13, q12, q2                                // t33 = t31 ? t23 : t24 = t31 (t23 ^ t24) ^ t24
        veor        q2, q2, q5                                  // t27 = t24 ^ t26
        veor        q5, q7, q6                                  // t41 = t40 ^ t37
        vand        q12, q13, q10                               // z2 = t33 y0
        veor        q10, q4, q8                                 // y4 = a3 ^ y2, again
        vbit        q9, q1, q2                                  // t29 = t27 ? t21 : t22 = t27 (t21 ^ t22) ^ t22
        vand        q1, q5, q0                                  // z8 = t41 y10
        vand        q2, q13, q10                                // z11 = t33 y4
        veor        q0, q9, q7                                  // t43 = t29 ^ t40
        vand        q3, q9, q3                                  // z5 = t29 y7
        veor        q10, q9, q13                                // t42 = t29 ^ t33
        vand        q9, q9, q8                                  // z14 = t29 y2
        veor        q8, q13, q6                                 // t44 = t33 ^ t37
        vld1.64     {d26-d27}, [r0]                        // y8 again
        veor        q12, q12, q1                                // p12 = z2 ^ z8
        veor        q1, q3, q1                                  // p0 = z5 ^ z8
        vand        q14, q0, q14                                // z12 = t43 y13
        vand        q11, q0, q11                                // z3 = t43 y16
        vand        q13, q5, q13                                // z17 = t41 y8
        vand        q4, q10, q4                                 // z15 = t42 a3
        veor        q3, q9, q13                                 // p3 = z14 ^ z17
        veor        q9, q10, q5                                 // t45 = t42 ^ t41
        vand        q5, q10, q15                                // z6 = t42 y11
        vld1.64     {d30-d31}, [r2]                        // y3 again
        veor        q14, q14, q4                                // p10 = z12 ^ z15
        vand        q0, q6, q15                                 // z10 = t37 y3
        vld1.64     {d30-d31}, [r1]                        // y5 again
        veor        q14, q3, q14                                // s6 = p3 ^ p10
        veor        q2, q2, q0                                  // p15 = z11 ^ z10
        vand        q10, q7, q15                                // z13 = t40 y5
        vld1.64     {d30-d31}, [sp]                        // y6 again
        veor        q2, q13, q2                                 // p16 = z17 ^ p15
        veor        q3, q10, q3                                 // p4 = z13 ^ p3
        vld1.64     {d20-d21}, [r7]                        // y1 again
        vand        q6, q6, q15                                 // z1 = t37 y6
        veor        q15, q11, q5                                // p1 = z3 ^ z6
        vld1.64     {d22-d23}, [r6]                        // y12 again
        vand        q7, q7, q10                                 // z4 = t40 y1
        vld1.64     {d20-d21}, [r4]                        // y15 again
        vand        q11, q8, q11                                // z9 = t44 y12
        veor        q7, q7, q1                                  // p8 = z4 ^ p0
        vand        q8, q8, q10                                 // z0 = t44 y15
        veor        q10, q0, q11                                // p6 = z10 ^ z9
        vld1.64     {d22-d23}, [r3]                        // y14 again
        veor        q0, q12, q14                                // p13 = p12 ^ s6
        veor        q13, q8, q5                                 // p14 = z0 ^ z6
        vld1.64     {d16-d17}, [r5]                        // y17 again
        veor        q12, q4, q10                                // p7 = z15 ^ p6
        vand        q5, q9, q11                                 // z16 = t45 y14
        veor        q11, q13, q2                                // p17 = p14 ^ p16
        veor        q4, q13, q0                                 // s7 = p14 ^ p13
        vand        q10, q9, q8                                 // z7 = t45 y17
        veor        q9, q1, q15                                 // p2 = p0 ^ p1
        veor        q1, q12, q7                                 // p9 = p7 ^ p8
        veor        q2, q6, q11                                 // p18 = z1 ^ p17
        veor        q8, q5, q10                                 // p19 = z16 ^ z7
        veor        q15, q9, q3                                 // p5 = p2 ^ p4
        veor        q3, q10, q3                                 // p22 = z7 ^ p4
        veor        q13, q8, q1                                 // s1 = p19 ^ p9
        veor        q10, q11, q15                               // p21 = p17 ^ p5
        veor        q7, q12, q15                                // s4 = p7 ^ p5
        veor        q11, q1, q2                                 // s2 = p9 ^ p18
        veor        q9, q9, q13                                 // s0 = p2 ^ s1
        veor        q5, q2, q3                                  // s5 = p18 ^ p22
        veor        q12, q0, q10                                // s3 = p13 ^ p21
        cmp         keys, last_key
        beq         4f

        // AddRoundKey, InvMixColumns, even round
        vld1.8      {d30-d31}, [keys]!                          // round key
        vld1.8      {d16-d17}, [keys]!
        vld1.8      {d20-d21}, [keys]!
        veor        q8, q14, q8                                 // a6 = s6 ^ k6
        vld1.8      {d28-d29}, [keys]!
        veor        q10, q5, q10                                // a5 = s5 ^ k5
        veor        q15, q4, q15                                // a7 = s7 ^ k7
        vld1.8      {d10-d11}, [keys]!
        vrev32.16   q3, q8                                      // g6 = a6 of two rows on
        veor        q14, q7, q14                                // a4 = s4 ^ k4
        vld1.8      {d4-d5}, [keys]!
        veor        q12, q12, q5                                // a3 = s3 ^ k3
        vrev32.16   q7, q14                                     // g4 = a4 of two rows on
        vld1.8      {d2-d3}, [keys]!
        veor        q11, q11, q2                                // a2 = s2 ^ k2
        veor        q5, q8, q3                                  // u6 = a6 ^ g6
        vrev32.16   q4, q12                                     // g3 = a3 of two rows on
        veor        q13, q13, q1                                // a1 = s1 ^ k1
        vld1.8      {d4-d5}, [keys]!
        vrev32.16   q0, q11                                     // g2 = a2 of two rows on
        vrev32.16   q3, q10                                     // g5 = a5 of two rows on
        vrev32.16   q6, q13                                     // g1 = a1 of two rows on
        veor        q9, q9, q2                                  // a0 = s0 ^ k0
        veor        q3, q10, q3                                 // u5 = a5 ^ g5
        veor        q2, q13, q6                                 // u1 = a1 ^ g1
        veor        q1, q14, q7                                 // u4 = a4 ^ g4
        vrev32.16   q6, q9                                      // g0 = a0 of two rows on
        veor        q4, q12, q4                                 // u3 = a3 ^ g3
        veor        q12, q12, q2
        vrev32.16   q2, q15                                     // g7 = a7 of two rows on
        veor        q6, q9, q6                                  // u0 = a0 ^ g0
        veor        q10, q10, q4
        veor        q12, q12, q5                                // b3 = a3 ^ u1 ^ u6
        veor        q7, q15, q2                                 // u7 = a7 ^ g7
        veor        q4, q11, q6
        veor        q11, q11, q0                                // u2 = a2 ^ g2
        veor        q15, q15, q3                                // b7 = a7 ^ u5
        vld1.8      {d6-d7}, [place]!                           // permutation of this round
        veor        q6, q4, q7                                  // b2 = a2 ^ u0 ^ u7
        veor        q11, q14, q11
        veor        q14, q9, q5                                 // b0 = a0 ^ u6
        veor        q9, q5, q7                                  // u67 = u6 ^ u7
        vtbl.8      d0, {d24-d25}, d6                           // n3 = b3 of the next row
        vtbl.8      d1, {d24-d25}, d7
        veor        q10, q10, q7                                // b5 = a5 ^ u3 ^ u7
        vtbl.8      d14, {d28-d29}, d6                          // n0 = b0 of the next row
        vtbl.8      d15, {d28-d29}, d7
        veor        q11, q11, q9                                // b4 = a4 ^ u2 ^ u67
        veor        q13, q13, q9                                // b1 = a1 ^ u67
        veor        q12, q12, q0                                // t3 = b3 ^ n3
        veor        q9, q8, q1                                  // b6 = a6 ^ u4
        veor        q8, q14, q7                                 // t0 = b0 ^ n0
        vtbl.8      d28, {d26-d27}, d6                          // n1 = b1 of the next row
        vtbl.8      d29, {d26-d27}, d7
        vtbl.8      d10, {d30-d31}, d6                          // n7 = b7 of the next row
        vtbl.8      d11, {d30-d31}, d7
        vtbl.8      d4, {d12-d13}, d6                           // n2 = b2 of the next row
        vtbl.8      d5, {d12-d13}, d7
        vtbl.8      d8, {d18-d19}, d6                           // n6 = b6 of the next row
        vtbl.8      d9, {d18-d19}, d7
        veor        q13, q13, q14                               // t1 = b1 ^ n1
        veor        q15, q15, q5                                // t7 = b7 ^ n7
        veor        q6, q6, q2                                  // t2 = b2 ^ n2
        veor        q9, q9, q4                                  // t6 = b6 ^ n6
        veor        q2, q2, q13
        veor        q7, q7, q15
        veor        q0, q0, q6
        vrev32.16   q1, q6                                      // f2 = t2 of two rows on
        vrev32.16   q13, q13                                    // f1 = t1 of two rows on
        veor        q14, q14, q8
        vrev32.16   q8, q8                                      // f0 = t0 of two rows on
        veor        q2, q2, q1                                  // o2 = n2 ^ t1 ^ f2
        vtbl.8      d2, {d20-d21}, d6                           // n5 = b5 of the next row
        vtbl.8      d3, {d20-d21}, d7
        vtbl.8      d12, {d22-d23}, d6                          // n4 = b4 of the next row
        vtbl.8      d13, {d22-d23}, d7
        veor        q14, q14, q15
        vrev32.16   q3, q12                                     // f3 = t3 of two rows on
        veor        q10, q10, q1                                // t5 = b5 ^ n5
        veor        q12, q6, q12
        veor        q11, q11, q6                                // t4 = b4 ^ n4
        veor        q6, q0, q15
        veor        q13, q14, q13                               // o1 = n1 ^ t0 ^ t7 ^ f1
        veor        q14, q12, q15
        vrev32.16   q12, q15                                    // f7 = t7 of two rows on
        veor        q3, q6, q3                                  // o3 = n3 ^ t2 ^ t7 ^ f3
        veor        q15, q4, q10
        veor        q0, q7, q8                                  // o0 = n0 ^ t7 ^ f0
        veor        q8, q5, q9
        vrev32.16   q10, q10                                    // f5 = t5 of two rows on
        veor        q5, q1, q11
        vrev32.16   q11, q11                                    // f4 = t4 of two rows on
        veor        q7, q8, q12                                 // o7 = n7 ^ t6 ^ f7
        vrev32.16   q12, q9                                     // f6 = t6 of two rows on
        veor        q5, q5, q10                                 // o5 = n5 ^ t4 ^ f5
        veor        q4, q14, q11                                // o4 = n4 ^ t3 ^ t7 ^ f4
        veor        q6, q15, q12                                // o6 = n6 ^ t5 ^ f6
        vmov        q1, q13
        sub         keys, keys, #256
        eor         toggle, toggle, #32
        add         place, permutations, toggle
        b           3b

4:
        vld1.8      {d0-d1}, [keys]!
        vld1.8      {d2-d3}, [keys]!
        vld1.8      {d4-d5}, [keys]!
        vld1.8      {d6-d7}, [keys]!
        veor        q4, q4, q0
        vld1.8      {d0-d1}, [keys]!
        veor        q14, q14, q1
        vld1.8      {d2-d3}, [keys]!
        veor        q5, q5, q2
        vld1.8      {d4-d5}, [keys]!
        veor        q7, q7, q3
        vld1.8      {d6-d7}, [keys]!
        veor        q12, q12, q0
        veor        q11, q11, q1
        veor        q13, q13, q2
        veor        q9, q9, q3
        aes_neon_decrypt_transpose 9, 13, 11, 12, 7, 5, 14, 4, 0, 1, 2, 3, 6
        add         r8, sp, #144
        vld1.64     {d0-d1}, [r8]!
        vld1.64     {d2-d3}, [r8]!
        vld1.64     {d4-d5}, [r8]!
        vld1.64     {d6-d7}, [r8]!
        veor        q9, q9, q0
        vld1.64     {d0-d1}, [r8]!
        veor        q13, q13, q1
        vld1.64     {d2-d3}, [r8]!
        veor        q11, q11, q2
        vld1.64     {d4-d5}, [r8]!
        veor        q12, q12, q3
        vld1.64     {d6-d7}, [r8]!
        veor        q7, q7, q0
        veor        q5, q5, q1
        veor        q14, q14, q2
        veor        q4, q4, q3
        ldr         r3, [sp, #288 + 12]
        ldr         r12, [sp, #288 + 16]
        cmn         r12, #8                                     // fewer than eight were left: -7 .. -1
        bhs         6f
        cmp         r12, #0
        vst1.8      {d18-d19}, [r3]!
        vst1.8      {d26-d27}, [r3]!
        vst1.8      {d22-d23}, [r3]!
        vst1.8      {d24-d25}, [r3]!
        vst1.8      {d14-d15}, [r3]!
        vst1.8      {d10-d11}, [r3]!
        vst1.8      {d28-d29}, [r3]!
        vst1.8      {d8-d9}, [r3]!
        str         r3, [sp, #288 + 12]
        beq         8f
        add         lr, sp, #144 + 128
        ldr         r2, [sp, #288 + 8]
        ldmia       lr, {r4-r7}
        b           1b

5:      add         r8, r12, #8                                 // one to seven blocks
        vld1.8      {d0-d1}, [r2]!
        cmp         r8, #2
        blo         2b
        vld1.8      {d2-d3}, [r2]!
        beq         2b
        vld1.8      {d4-d5}, [r2]!
        cmp         r8, #4
        blo         2b
        vld1.8      {d6-d7}, [r2]!
        beq         2b
        vld1.8      {d8-d9}, [r2]!
        cmp         r8, #6
        blo         2b
        vld1.8      {d10-d11}, [r2]!
        beq         2b
        vld1.8      {d12-d13}, [r2]!
        b           2b

6:      add         r8, r12, #8
        vst1.8      {d18-d19}, [r3]!
        cmp         r8, #2
        blo         8f
        vst1.8      {d26-d27}, [r3]!
        beq         8f
        vst1.8      {d22-d23}, [r3]!
        cmp         r8, #4
        blo         8f
        vst1.8      {d24-d25}, [r3]!
        beq         8f
        vst1.8      {d14-d15}, [r3]!
        cmp         r8, #6
        blo         8f
        vst1.8      {d10-d11}, [r3]!
        beq         8f
        vst1.8      {d28-d29}, [r3]!
8:      ldr         r1, [sp, #288 + 4]
        ldr         r8, [sp, #288 + 20]
        add         lr, sp, #144                                // the tweak after the last block
        add         lr, lr, r8, lsl #4
        vld1.64     {d0-d1}, [lr]
        vst1.8      {d0-d1}, [r1]
        .irp        n, 0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15 // leave nothing of keys, tweaks or blocks behind
        vmov.i32    q\n, #0
        .endr
        mov         lr, sp
        .rept       9
        vst1.64     {d0-d3}, [lr]!
        .endr
        add         sp, sp, #320
        .cfi_def_cfa_offset 104
        vpop        {d8-d15}
        .cfi_def_cfa_offset 40
        .cfi_restore d8
        .cfi_restore d9
        .cfi_restore d10
        .cfi_restore d11
        .cfi_restore d12
        .cfi_restore d13
        .cfi_restore d14
        .cfi_restore d15
        pop         {r4-r12, pc}
        .cfi_endproc

7:      .word           .Laes_neon_decrypt_permutations - .Laes_neon_decrypt_here - 8

        .balign     16
.Laes_neon_decrypt_permutations:                          // position r + 4 c: row r, column c
        .byte            5,  6,  7,  4,  9, 10, 11,  8, 13, 14, 15, 12,  1,  2,  3,  0  // i mod 4 = 1: the next row
        .byte            1,  2,  3,  0,  5,  6,  7,  4,  9, 10, 11,  8, 13, 14, 15, 12  // i mod 4 = 0: the next row
        .byte           13, 14, 15, 12,  1,  2,  3,  0,  5,  6,  7,  4,  9, 10, 11,  8  // i mod 4 = 3: the next row
        .byte            9, 10, 11,  8, 13, 14, 15, 12,  1,  2,  3,  0,  5,  6,  7,  4  // i mod 4 = 2: the next row
        .byte            0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15  // nothing
        .byte            0,  9,  2, 11,  4, 13,  6, 15,  8,  1, 10,  3, 12,  5, 14,  7  // SR^2

.purgem aes_neon_decrypt_tweaks
.purgem aes_neon_decrypt_swap4
.purgem aes_neon_decrypt_swap
.purgem aes_neon_decrypt_transpose

        .unreq  keys
        .unreq  place
        .unreq  last_key
        .unreq  toggle
        .unreq  permutations

        .fpu    vfpv3-d16
