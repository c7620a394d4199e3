// AES-XTS encryption: AArch32 (A32), NEON, bit-sliced, eight blocks at a time
//
//     xts_encrypt(layout: *const u8, tweak: *mut [u8; 16],
//                 input: *const u8, output: *mut u8, count: usize, rounds: u32)
//
//     for j = 0 .. count - 1:  output[j] := Cipher(input[j] ^ T(j)) ^ T(j),
//     where  T(0) = tweak,  T(j+1) = T(j) x,  and afterwards  tweak := T(count);
//     Cipher is the cipher AES with the round keys of layout
//
// Source
//     FIPS 197, section 5.1 (cipher); IEEE 1619-2007, section 5 (XTS; blocks and tweaks are little-endian:
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
//     0xbc, k = 0: over GF(2) that changes the linear layers only, and of all 2040 choices this is one of those with
//     the shortest and shallowest. t29 and t33 are multiplexers. The constant 0x63 is in the round keys. Sixteen
//     registers do not hold it: some values are put aside on the stack, or computed again.
//   - ShiftRows is left out: the state after round i is kept as SR^-i(state), SR being ShiftRows on positions. So are
//     the round keys, in the layout. MixColumns of round i then takes the next row from the positions SR^-i gives, by
//     a byte permutation, as it would without. Two rows on is a swap of half words in even rounds, and with it a swap
//     of the halves of the register in odd ones. Hence two rounds per loop. Only the last round has to be followed by
//     SR^R.
//   - With n = s of the next row and t = s ^ n, MixColumns is 2 t ^ n ^ (t two rows on).
//   - Tweaks of eight blocks lie on the stack.
//   - Fewer than eight blocks are done as eight. Lanes without a block work on what their register holds, and are not
//     stored.
//
// Arguments
//     r0      layout  round keys of this tier's convert_key_encrypt: 128 (R + 1) bytes, R = rounds,
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
//     r11        round key of the last round
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
.macro  aes_neon_encrypt_tweaks
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
.macro  aes_neon_encrypt_swap4 a0, b0, a1, b1, t0, t1
        vmov        q\t0, q\a0
        vmov        q\t1, q\a1
        vsli.8      q\a0, q\b0, #4
        vsli.8      q\a1, q\b1, #4
        vsri.8      q\b0, q\t0, #4
        vsri.8      q\b1, q\t1, #4
.endm

// In two pairs (a, b) the bits of a under the mask change places with the bits of b n places to the right
.macro  aes_neon_encrypt_swap n, mask, a0, b0, a1, b1, t0, t1, t2, t3
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
.macro  aes_neon_encrypt_transpose r0, r1, r2, r3, r4, r5, r6, r7, t0, t1, t2, t3, m
        aes_neon_encrypt_swap4 \r0, \r4, \r1, \r5, \t0, \t1
        aes_neon_encrypt_swap4 \r2, \r6, \r3, \r7, \t2, \t3
        vmov.i8     q\m, #0xcc
        aes_neon_encrypt_swap 2, \m, \r0, \r2, \r1, \r3, \t0, \t1, \t2, \t3
        aes_neon_encrypt_swap 2, \m, \r4, \r6, \r5, \r7, \t0, \t1, \t2, \t3
        vmov.i8     q\m, #0xaa
        aes_neon_encrypt_swap 1, \m, \r0, \r1, \r2, \r3, \t0, \t1, \t2, \t3
        aes_neon_encrypt_swap 1, \m, \r4, \r5, \r6, \r7, \t0, \t1, \t2, \t3
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

1:      aes_neon_encrypt_tweaks
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
        aes_neon_encrypt_transpose 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
        ldr         keys, [sp, #288]
        ldr         r8, [sp, #424 + 4]
        vld1.8      {d16-d19}, [keys]!
        ldr         permutations, 7f
.Laes_neon_encrypt_here:
        add         permutations, pc, permutations
        mov         toggle, #0
        vld1.8      {d20-d23}, [keys]!
        mov         place, permutations
        veor        q7, q7, q8
        veor        q6, q6, q9
        vld1.8      {d24-d27}, [keys]!
        sub         last_key, keys, #96
        veor        q5, q5, q10
        veor        q4, q4, q11
        vld1.8      {d28-d31}, [keys]!
        add         last_key, last_key, r8, lsl #7              // k(R)
        veor        q3, q3, q12
        veor        q2, q2, q13
        veor        q1, q1, q14
        veor        q0, q0, q15
        add         r0, sp, #16
        add         r1, sp, #32
        add         r2, sp, #48
        add         r3, sp, #64
        add         r4, sp, #80
        add         r5, sp, #96
        add         r6, sp, #112
        add         r7, sp, #128
3:      // SubBytes
        veor        q6, q5, q6                                  // r1 = a5 ^ a6
        veor        q8, q1, q7                                  // y2 = a1 ^ a7
        veor        q12, q2, q4                                 // y9 = a2 ^ a4
        veor        q14, q2, q3                                 // r0 = a2 ^ a3
        veor        q10, q0, q6                                 // y16 = a0 ^ r1
        veor        q11, q5, q7                                 // y20 = a5 ^ a7
        veor        q15, q8, q12                                // y4 = y2 ^ y9
        veor        q9, q2, q7                                  // y14 = a2 ^ a7
        veor        q13, q4, q10                                // y3 = a4 ^ y16
        veor        q5, q1, q10                                 // y13 = a1 ^ y16
        vst1.64     {d0-d1}, [r0]                          // a0 put aside
        vst1.64     {d2-d3}, [sp]                          // a1 put aside
        vst1.64     {d26-d27}, [r2]                        // y3 put aside
        vand        q3, q13, q0                                 // t3 = y3 a0
        veor        q13, q15, q14                               // y0 = y4 ^ r0
        veor        q2, q11, q12                                // y11 = y20 ^ y9
        veor        q1, q9, q5                                  // y12 = y14 ^ y13
        vst1.64     {d18-d19}, [r1]                        // y14 put aside
        vst1.64     {d26-d27}, [r4]                        // y0 put aside
        veor        q0, q0, q13                                 // y15 = a0 ^ y0
        vand        q15, q15, q13                               // t5 = y4 y0
        veor        q13, q13, q6                                // y17 = y0 ^ r1
        vst1.64     {d4-d5}, [r3]                          // y11 put aside
        vst1.64     {d0-d1}, [r6]                          // y15 put aside
        vand        q2, q12, q2                                 // t12 = y9 y11
        vand        q0, q1, q0                                  // t2 = y12 y15
        vand        q9, q9, q13                                 // t13 = y14 y17
        veor        q14, q11, q14                               // y18 = y20 ^ r0
        vst1.64     {d26-d27}, [r7]                        // y17 put aside
        veor        q3, q3, q0                                  // t4 = t3 ^ t2
        veor        q9, q9, q2                                  // t14 = t13 ^ t12
        veor        q13, q8, q14                                // y7 = y2 ^ y18
        veor        q15, q15, q0                                // t6 = t5 ^ t2
        veor        q4, q4, q7                                  // y8 = a4 ^ a7
        veor        q0, q3, q9                                  // t17 = t4 ^ t14
        vst1.64     {d2-d3}, [r5]                          // y12 put aside
        veor        q7, q7, q10                                 // y5 = a7 ^ y16
        veor        q1, q13, q10                                // y1 = y7 ^ y16
        veor        q11, q0, q11                                // t21 = t17 ^ y20
        vand        q3, q8, q13                                 // t10 = y2 y7
        vand        q0, q5, q10                                 // t7 = y13 y16
        vand        q1, q7, q1                                  // t8 = y5 y1
        veor        q6, q13, q6                                 // y10 = y7 ^ r1
        veor        q3, q3, q0                                  // t11 = t10 ^ t7
        veor        q0, q1, q0                                  // t9 = t8 ^ t7
        vand        q1, q4, q6                                  // t15 = y8 y10
        veor        q9, q0, q9                                  // t19 = t9 ^ t14
        veor        q0, q1, q2                                  // t16 = t15 ^ t12
        vld1.64     {d4-d5}, [sp]                          // a1 again
        veor        q1, q4, q6                                  // y19 = y8 ^ y10
        veor        q15, q15, q0                                // t18 = t6 ^ t16
        veor        q0, q3, q0                                  // t20 = t11 ^ t16
        veor        q9, q9, q2                                  // t23 = t19 ^ a1
        veor        q1, q15, q1                                 // t22 = t18 ^ y19
        veor        q3, q0, q14                                 // t24 = t20 ^ y18
        vand        q2, q11, q9                                 // t26 = t21 t23
        veor        q14, q11, q1                                // t25 = t21 ^ t22
        vand        q0, q11, q3                                 // t38 = t21 t24
        veor        q15, q1, q2                                 // t31 = t22 ^ t26
        vbic        q14, q14, q0                                // t39 = t25 (1 ^ t38)
        vbsl        q15, q9, q3                                 // t33 = t31 ? t23 : t24 = t31 (t23 ^ t24) ^ t24
        veor        q0, q9, q3                                  // t30 = t23 ^ t24
        vand        q9, q1, q9                                  // t35 = t22 t23
        veor        q3, q3, q2                                  // t27 = t24 ^ t26
        veor        q14, q2, q14                                // t40 = t26 ^ t39
        vbic        q9, q0, q9                                  // t36 = t30 (1 ^ t35)
        vbit        q1, q11, q3                                 // t29 = t27 ? t21 : t22 = t27 (t21 ^ t22) ^ t22
        veor        q11, q13, q10                               // y1 = y7 ^ y16, again
        vand        q7, q14, q7                                 // z13 = t40 y5
        veor        q2, q2, q9                                  // t37 = t26 ^ t36
        veor        q3, q1, q14                                 // t43 = t29 ^ t40
        vand        q11, q14, q11                               // z4 = t40 y1
        veor        q9, q1, q15                                 // t42 = t29 ^ t33
        vand        q13, q1, q13                                // z5 = t29 y7
        veor        q14, q14, q2                                // t41 = t40 ^ t37
        veor        q0, q8, q12                                 // y4 = y2 ^ y9, again
        vand        q1, q1, q8                                  // z14 = t29 y2
        vand        q5, q3, q5                                  // z12 = t43 y13
        vld1.64     {d16-d17}, [r4]                        // y0 again
        vand        q3, q3, q10                                 // z3 = t43 y16
        veor        q10, q9, q14                                // t45 = t42 ^ t41
        vand        q6, q14, q6                                 // z8 = t41 y10
        vand        q14, q14, q4                                // z17 = t41 y8
        vand        q0, q15, q0                                 // z11 = t33 y4
        vand        q8, q15, q8                                 // z2 = t33 y0
        vld1.64     {d8-d9}, [r5]                          // y12 again
        veor        q1, q1, q14                                 // p12 = z14 ^ z17
        veor        q14, q0, q14                                // p4 = z11 ^ z17
        veor        q0, q8, q13                                 // p0 = z2 ^ z5
        veor        q15, q15, q2                                // t44 = t33 ^ t37
        vld1.64     {d16-d17}, [r6]                        // y15 again
        veor        q6, q13, q6                                 // p8 = z5 ^ z8
        vand        q12, q9, q12                                // z15 = t42 y9
        vand        q4, q15, q4                                 // z9 = t44 y12
        vand        q15, q15, q8                                // z0 = t44 y15
        vld1.64     {d16-d17}, [r7]                        // y17 again
        veor        q5, q5, q12                                 // p18 = z12 ^ z15
        veor        q4, q4, q12                                 // p3 = z9 ^ z15
        veor        q13, q15, q3                                // p1 = z0 ^ z3
        vld1.64     {d30-d31}, [r3]                        // y11 again
        vand        q12, q10, q8                                // z7 = t45 y17
        veor        q5, q1, q5                                  // p19 = p12 ^ p18
        vand        q8, q9, q15                                 // z6 = t42 y11
        vld1.64     {d18-d19}, [r0]                        // a0 again
        veor        q3, q8, q3                                  // p7 = z6 ^ z3
        veor        q8, q4, q14                                 // p5 = p3 ^ p4
        vand        q15, q2, q9                                 // z1 = t37 a0
        veor        q9, q0, q13                                 // p2 = p0 ^ p1
        veor        q12, q12, q3                                // p13 = z7 ^ p7
        vld1.64     {d26-d27}, [r1]                        // y14 again
        veor        q15, q15, q0                                // p11 = z1 ^ p0
        veor        q0, q3, q6                                  // p9 = p7 ^ p8
        vld1.64     {d6-d7}, [r2]                          // y3 again
        vand        q14, q10, q13                               // z16 = t45 y14
        veor        q10, q15, q12                               // p14 = p11 ^ p13
        veor        q12, q7, q1                                 // p15 = z13 ^ p12
        vand        q6, q2, q3                                  // z10 = t37 y3
        veor        q2, q11, q15                                // p17 = z4 ^ p11
        veor        q13, q8, q0                                 // s7 = p5 ^ p9
        veor        q1, q9, q8                                  // s4 = p2 ^ p5
        veor        q3, q6, q4                                  // p21 = z10 ^ p3
        veor        q4, q2, q5                                  // s0 = p17 ^ p19
        veor        q5, q12, q10                                // p16 = p15 ^ p14
        veor        q6, q14, q0                                 // p22 = z16 ^ p9
        veor        q8, q9, q13                                 // s6 = p2 ^ s7
        veor        q7, q10, q4                                 // s1 = p14 ^ s0
        veor        q10, q2, q1                                 // s3 = p17 ^ s4
        veor        q9, q6, q5                                  // s5 = p22 ^ p16
        veor        q11, q3, q5                                 // s2 = p21 ^ p16

        // MixColumns, AddRoundKey, odd round
        vld1.8      {d4-d5}, [keys]!                            // round key
        vld1.8      {d10-d11}, [place]!                         // permutation of this round
        vld1.8      {d30-d31}, [keys]!
        vtbl.8      d6, {d14-d15}, d10                          // n1 = s1 of the next row
        vtbl.8      d7, {d14-d15}, d11
        vtbl.8      d24, {d20-d21}, d10                         // n3 = s3 of the next row
        vtbl.8      d25, {d20-d21}, d11
        veor        q6, q10, q12                                // t3 = s3 ^ n3
        vld1.8      {d20-d21}, [keys]!
        veor        q0, q7, q3                                  // t1 = s1 ^ n1
        vtbl.8      d28, {d18-d19}, d10                         // n5 = s5 of the next row
        vtbl.8      d29, {d18-d19}, d11
        veor        q7, q9, q14                                 // t5 = s5 ^ n5
        veor        q14, q14, q10
        vld1.8      {d18-d19}, [keys]!
        vtbl.8      d20, {d26-d27}, d10                         // n7 = s7 of the next row
        vtbl.8      d21, {d26-d27}, d11
        veor        q2, q10, q2
        veor        q10, q13, q10                               // t7 = s7 ^ n7
        vtbl.8      d26, {d16-d17}, d10                         // n6 = s6 of the next row
        vtbl.8      d27, {d16-d17}, d11
        veor        q15, q13, q15
        veor        q13, q8, q13                                // t6 = s6 ^ n6
        veor        q8, q15, q7
        vrev32.16   q15, q7                                     // f5 = t5 of two rows on, but for the halves
        veor        q7, q2, q13
        vrev32.16   q13, q13                                    // f6 = t6 of two rows on, but for the halves
        veor        d4, d16, d27                                // o6 = n6 ^ k6 ^ t5 ^ f6
        veor        d5, d17, d26
        vld1.8      {d26-d27}, [keys]!
        veor        q12, q12, q13
        vld1.8      {d26-d27}, [keys]!
        vtbl.8      d16, {d2-d3}, d10                           // n4 = s4 of the next row
        vtbl.8      d17, {d2-d3}, d11
        veor        q1, q1, q8                                  // t4 = s4 ^ n4
        veor        q9, q8, q9
        veor        q9, q9, q6
        vrev32.16   q8, q6                                      // f3 = t3 of two rows on, but for the halves
        veor        q6, q9, q10
        veor        q9, q14, q1
        veor        d28, d18, d31                               // o5 = n5 ^ k5 ^ t4 ^ f5
        veor        d29, d19, d30
        vrev32.16   q9, q1                                      // f4 = t4 of two rows on, but for the halves
        veor        d30, d12, d19                               // o4 = n4 ^ k4 ^ t3 ^ t7 ^ f4
        veor        d31, d13, d18
        vld1.8      {d2-d3}, [keys]!
        veor        q6, q3, q1
        vld1.8      {d18-d19}, [keys]!
        vtbl.8      d2, {d22-d23}, d10                          // n2 = s2 of the next row
        vtbl.8      d3, {d22-d23}, d11
        vtbl.8      d6, {d8-d9}, d10                            // n0 = s0 of the next row
        vtbl.8      d7, {d8-d9}, d11
        veor        q5, q4, q3                                  // t0 = s0 ^ n0
        veor        q3, q3, q9
        veor        q4, q11, q1                                 // t2 = s2 ^ n2
        veor        q11, q1, q13
        veor        q6, q6, q5
        veor        q3, q3, q10
        veor        q9, q12, q4
        vrev32.16   q1, q5                                      // f0 = t0 of two rows on, but for the halves
        veor        d24, d6, d3                                 // o0 = n0 ^ k0 ^ t7 ^ f0
        veor        d25, d7, d2
        veor        q3, q9, q10
        veor        d26, d6, d17                                // o3 = n3 ^ k3 ^ t2 ^ t7 ^ f3
        veor        d27, d7, d16
        veor        q9, q6, q10
        vrev32.16   q5, q4                                      // f2 = t2 of two rows on, but for the halves
        veor        q3, q11, q0
        vrev32.16   q4, q0                                      // f1 = t1 of two rows on, but for the halves
        veor        d2, d18, d9                                 // o1 = n1 ^ k1 ^ t0 ^ t7 ^ f1
        veor        d3, d19, d8
        veor        d0, d6, d11                                 // o2 = n2 ^ k2 ^ t1 ^ f2
        veor        d1, d7, d10
        vrev32.16   q10, q10                                    // f7 = t7 of two rows on, but for the halves
        veor        d10, d14, d21                               // o7 = n7 ^ k7 ^ t6 ^ f7
        veor        d11, d15, d20

        // SubBytes
        veor        q2, q14, q2                                 // r1 = a5 ^ a6
        veor        q8, q1, q5                                  // y2 = a1 ^ a7
        veor        q10, q0, q15                                // y9 = a2 ^ a4
        veor        q3, q0, q13                                 // r0 = a2 ^ a3
        veor        q11, q12, q2                                // y16 = a0 ^ r1
        veor        q6, q14, q5                                 // y20 = a5 ^ a7
        veor        q4, q8, q10                                 // y4 = y2 ^ y9
        veor        q7, q0, q5                                  // y14 = a2 ^ a7
        veor        q9, q15, q11                                // y3 = a4 ^ y16
        veor        q14, q1, q11                                // y13 = a1 ^ y16
        vst1.64     {d24-d25}, [r0]                        // a0 put aside
        vst1.64     {d2-d3}, [sp]                          // a1 put aside
        vst1.64     {d18-d19}, [r2]                        // y3 put aside
        vand        q13, q9, q12                                // t3 = y3 a0
        veor        q9, q4, q3                                  // y0 = y4 ^ r0
        veor        q0, q6, q10                                 // y11 = y20 ^ y9
        veor        q1, q7, q14                                 // y12 = y14 ^ y13
        vst1.64     {d14-d15}, [r1]                        // y14 put aside
        vst1.64     {d18-d19}, [r4]                        // y0 put aside
        veor        q12, q12, q9                                // y15 = a0 ^ y0
        vand        q4, q4, q9                                  // t5 = y4 y0
        veor        q9, q9, q2                                  // y17 = y0 ^ r1
        vst1.64     {d0-d1}, [r3]                          // y11 put aside
        vst1.64     {d24-d25}, [r6]                        // y15 put aside
        vand        q0, q10, q0                                 // t12 = y9 y11
        vand        q12, q1, q12                                // t2 = y12 y15
        vand        q7, q7, q9                                  // t13 = y14 y17
        veor        q3, q6, q3                                  // y18 = y20 ^ r0
        vst1.64     {d18-d19}, [r7]                        // y17 put aside
        veor        q13, q13, q12                               // t4 = t3 ^ t2
        veor        q7, q7, q0                                  // t14 = t13 ^ t12
        veor        q9, q8, q3                                  // y7 = y2 ^ y18
        veor        q4, q4, q12                                 // t6 = t5 ^ t2
        veor        q15, q15, q5                                // y8 = a4 ^ a7
        veor        q12, q13, q7                                // t17 = t4 ^ t14
        vst1.64     {d2-d3}, [r5]                          // y12 put aside
        veor        q5, q5, q11                                 // y5 = a7 ^ y16
        veor        q1, q9, q11                                 // y1 = y7 ^ y16
        veor        q6, q12, q6                                 // t21 = t17 ^ y20
        vand        q13, q8, q9                                 // t10 = y2 y7
        vand        q12, q14, q11                               // t7 = y13 y16
        vand        q1, q5, q1                                  // t8 = y5 y1
        veor        q2, q9, q2                                  // y10 = y7 ^ r1
        veor        q13, q13, q12                               // t11 = t10 ^ t7
        veor        q12, q1, q12                                // t9 = t8 ^ t7
        vand        q1, q15, q2                                 // t15 = y8 y10
        veor        q7, q12, q7                                 // t19 = t9 ^ t14
        veor        q12, q1, q0                                 // t16 = t15 ^ t12
        vld1.64     {d0-d1}, [sp]                          // a1 again
        veor        q1, q15, q2                                 // y19 = y8 ^ y10
        veor        q4, q4, q12                                 // t18 = t6 ^ t16
        veor        q12, q13, q12                               // t20 = t11 ^ t16
        veor        q7, q7, q0                                  // t23 = t19 ^ a1
        veor        q1, q4, q1                                  // t22 = t18 ^ y19
        veor        q13, q12, q3                                // t24 = t20 ^ y18
        vand        q0, q6, q7                                  // t26 = t21 t23
        veor        q3, q6, q1                                  // t25 = t21 ^ t22
        vand        q12, q6, q13                                // t38 = t21 t24
        veor        q4, q1, q0                                  // t31 = t22 ^ t26
        vbic        q3, q3, q12                                 // t39 = t25 (1 ^ t38)
        vbsl        q4, q7, q13                                 // t33 = t31 ? t23 : t24 = t31 (t23 ^ t24) ^ t24
        veor        q12, q7, q13                                // t30 = t23 ^ t24
        vand        q7, q1, q7                                  // t35 = t22 t23
        veor        q13, q13, q0                                // t27 = t24 ^ t26
        veor        q3, q0, q3                                  // t40 = t26 ^ t39
        vbic        q7, q12, q7                                 // t36 = t30 (1 ^ t35)
        vbit        q1, q6, q13                                 // t29 = t27 ? t21 : t22 = t27 (t21 ^ t22) ^ t22
        veor        q6, q9, q11                                 // y1 = y7 ^ y16, again
        vand        q5, q3, q5                                  // z13 = t40 y5
        veor        q0, q0, q7                                  // t37 = t26 ^ t36
        veor        q13, q1, q3                                 // t43 = t29 ^ t40
        vand        q6, q3, q6                                  // z4 = t40 y1
        veor        q7, q1, q4                                  // t42 = t29 ^ t33
        vand        q9, q1, q9                                  // z5 = t29 y7
        veor        q3, q3, q0                                  // t41 = t40 ^ t37
        veor        q12, q8, q10                                // y4 = y2 ^ y9, again
        vand        q1, q1, q8                                  // z14 = t29 y2
        vand        q14, q13, q14                               // z12 = t43 y13
        vld1.64     {d16-d17}, [r4]                        // y0 again
        vand        q13, q13, q11                               // z3 = t43 y16
        veor        q11, q7, q3                                 // t45 = t42 ^ t41
        vand        q2, q3, q2                                  // z8 = t41 y10
        vand        q3, q3, q15                                 // z17 = t41 y8
        vand        q12, q4, q12                                // z11 = t33 y4
        vand        q8, q4, q8                                  // z2 = t33 y0
        vld1.64     {d30-d31}, [r5]                        // y12 again
        veor        q1, q1, q3                                  // p12 = z14 ^ z17
        veor        q3, q12, q3                                 // p4 = z11 ^ z17
        veor        q12, q8, q9                                 // p0 = z2 ^ z5
        veor        q4, q4, q0                                  // t44 = t33 ^ t37
        vld1.64     {d16-d17}, [r6]                        // y15 again
        veor        q2, q9, q2                                  // p8 = z5 ^ z8
        vand        q10, q7, q10                                // z15 = t42 y9
        vand        q15, q4, q15                                // z9 = t44 y12
        vand        q4, q4, q8                                  // z0 = t44 y15
        vld1.64     {d16-d17}, [r7]                        // y17 again
        veor        q14, q14, q10                               // p18 = z12 ^ z15
        veor        q15, q15, q10                               // p3 = z9 ^ z15
        veor        q9, q4, q13                                 // p1 = z0 ^ z3
        vld1.64     {d8-d9}, [r3]                          // y11 again
        vand        q10, q11, q8                                // z7 = t45 y17
        veor        q14, q1, q14                                // p19 = p12 ^ p18
        vand        q8, q7, q4                                  // z6 = t42 y11
        vld1.64     {d14-d15}, [r0]                        // a0 again
        veor        q13, q8, q13                                // p7 = z6 ^ z3
        veor        q8, q15, q3                                 // p5 = p3 ^ p4
        vand        q4, q0, q7                                  // z1 = t37 a0
        veor        q7, q12, q9                                 // p2 = p0 ^ p1
        veor        q10, q10, q13                               // p13 = z7 ^ p7
        vld1.64     {d18-d19}, [r1]                        // y14 again
        veor        q4, q4, q12                                 // p11 = z1 ^ p0
        veor        q12, q13, q2                                // p9 = p7 ^ p8
        vld1.64     {d26-d27}, [r2]                        // y3 again
        vand        q3, q11, q9                                 // z16 = t45 y14
        veor        q11, q4, q10                                // p14 = p11 ^ p13
        veor        q10, q5, q1                                 // p15 = z13 ^ p12
        vand        q2, q0, q13                                 // z10 = t37 y3
        veor        q0, q6, q4                                  // p17 = z4 ^ p11
        veor        q9, q8, q12                                 // s7 = p5 ^ p9
        veor        q1, q7, q8                                  // s4 = p2 ^ p5
        veor        q13, q2, q15                                // p21 = z10 ^ p3
        veor        q15, q0, q14                                // s0 = p17 ^ p19
        veor        q14, q10, q11                               // p16 = p15 ^ p14
        veor        q2, q3, q12                                 // p22 = z16 ^ p9
        veor        q8, q7, q9                                  // s6 = p2 ^ s7
        veor        q5, q11, q15                                // s1 = p14 ^ s0
        veor        q11, q0, q1                                 // s3 = p17 ^ s4
        veor        q7, q2, q14                                 // s5 = p22 ^ p16
        veor        q6, q13, q14                                // s2 = p21 ^ p16
        cmp         keys, last_key
        beq         4f

        // MixColumns, AddRoundKey, even round
        vld1.8      {d20-d21}, [keys]!                          // round key
        vld1.8      {d26-d27}, [place]!                         // permutation of this round
        vld1.8      {d28-d29}, [keys]!
        vtbl.8      d24, {d2-d3}, d26                           // n4 = s4 of the next row
        vtbl.8      d25, {d2-d3}, d27
        vtbl.8      d8, {d16-d17}, d26                          // n6 = s6 of the next row
        vtbl.8      d9, {d16-d17}, d27
        vld1.8      {d0-d1}, [keys]!
        veor        q8, q8, q4                                  // t6 = s6 ^ n6
        veor        q14, q4, q14
        vld1.8      {d8-d9}, [keys]!
        veor        q1, q1, q12                                 // t4 = s4 ^ n4
        vtbl.8      d6, {d14-d15}, d26                          // n5 = s5 of the next row
        vtbl.8      d7, {d14-d15}, d27
        veor        q12, q12, q4
        veor        q2, q7, q3                                  // t5 = s5 ^ n5
        veor        q3, q3, q0
        vld1.8      {d0-d1}, [keys]!
        vtbl.8      d8, {d22-d23}, d26                          // n3 = s3 of the next row
        vtbl.8      d9, {d22-d23}, d27
        vtbl.8      d14, {d12-d13}, d26                         // n2 = s2 of the next row
        vtbl.8      d15, {d12-d13}, d27
        veor        q3, q3, q1
        vrev32.16   q1, q1                                      // f4 = t4 of two rows on
        veor        q11, q11, q4                                // t3 = s3 ^ n3
        veor        q4, q4, q0
        veor        q6, q6, q7                                  // t2 = s2 ^ n2
        vld1.8      {d0-d1}, [keys]!
        veor        q12, q12, q11
        veor        q0, q7, q0
        veor        q4, q4, q6
        vrev32.16   q6, q6                                      // f2 = t2 of two rows on
        vtbl.8      d14, {d18-d19}, d26                         // n7 = s7 of the next row
        vtbl.8      d15, {d18-d19}, d27
        veor        q14, q14, q2
        vrev32.16   q2, q2                                      // f5 = t5 of two rows on
        veor        q9, q9, q7                                  // t7 = s7 ^ n7
        veor        q10, q7, q10
        veor        q7, q3, q2                                  // o5 = n5 ^ k5 ^ t4 ^ f5
        vtbl.8      d4, {d10-d11}, d26                          // n1 = s1 of the next row
        vtbl.8      d5, {d10-d11}, d27
        vtbl.8      d6, {d30-d31}, d26                          // n0 = s0 of the next row
        vtbl.8      d7, {d30-d31}, d27
        veor        q13, q4, q9
        veor        q12, q12, q9
        veor        q15, q15, q3                                // t0 = s0 ^ n0
        veor        q4, q12, q1                                 // o4 = n4 ^ k4 ^ t3 ^ t7 ^ f4
        veor        q12, q5, q2                                 // t1 = s1 ^ n1
        veor        q10, q10, q8
        vrev32.16   q8, q8                                      // f6 = t6 of two rows on
        vld1.8      {d10-d11}, [keys]!
        veor        q14, q14, q8                                // o6 = n6 ^ k6 ^ t5 ^ f6
        veor        q8, q2, q5
        veor        q0, q0, q12
        vld1.8      {d10-d11}, [keys]!
        veor        q8, q8, q15
        veor        q2, q0, q6                                  // o2 = n2 ^ k2 ^ t1 ^ f2
        veor        q3, q3, q5
        veor        q8, q8, q9
        vrev32.16   q15, q15                                    // f0 = t0 of two rows on
        veor        q6, q3, q9
        vrev32.16   q9, q9                                      // f7 = t7 of two rows on
        vrev32.16   q12, q12                                    // f1 = t1 of two rows on
        veor        q0, q6, q15                                 // o0 = n0 ^ k0 ^ t7 ^ f0
        veor        q9, q10, q9                                 // o7 = n7 ^ k7 ^ t6 ^ f7
        veor        q1, q8, q12                                 // o1 = n1 ^ k1 ^ t0 ^ t7 ^ f1
        vrev32.16   q12, q11                                    // f3 = t3 of two rows on
        veor        q3, q13, q12                                // o3 = n3 ^ k3 ^ t2 ^ t7 ^ f3
        vmov        q5, q7
        vmov        q6, q14
        vmov        q7, q9
        eor         toggle, toggle, #32
        add         place, permutations, toggle
        b           3b

4:
        ldr         r8, [sp, #424 + 4]
        add         permutations, permutations, #64             // SR^R is SR^2 for 10 and 14 rounds, nothing for 12
        and         r8, r8, #2
        add         permutations, permutations, r8, lsl #3
        vld1.8      {d28-d29}, [permutations]
        vld1.8      {d0-d1}, [keys]!
        vld1.8      {d4-d5}, [keys]!
        vld1.8      {d6-d7}, [keys]!
        vld1.8      {d8-d9}, [keys]!
        veor        q9, q9, q0
        vld1.8      {d0-d1}, [keys]!
        veor        q8, q8, q2
        vld1.8      {d4-d5}, [keys]!
        veor        q7, q7, q3
        vld1.8      {d6-d7}, [keys]!
        veor        q1, q1, q4
        vld1.8      {d8-d9}, [keys]!
        veor        q11, q11, q0
        veor        q6, q6, q2
        veor        q5, q5, q3
        veor        q15, q15, q4
        vtbl.8      d26, {d30-d31}, d28
        vtbl.8      d27, {d30-d31}, d29
        vtbl.8      d30, {d10-d11}, d28
        vtbl.8      d31, {d10-d11}, d29
        vtbl.8      d10, {d12-d13}, d28
        vtbl.8      d11, {d12-d13}, d29
        vtbl.8      d12, {d22-d23}, d28
        vtbl.8      d13, {d22-d23}, d29
        vtbl.8      d22, {d2-d3}, d28
        vtbl.8      d23, {d2-d3}, d29
        vtbl.8      d2, {d14-d15}, d28
        vtbl.8      d3, {d14-d15}, d29
        vtbl.8      d14, {d16-d17}, d28
        vtbl.8      d15, {d16-d17}, d29
        vtbl.8      d16, {d18-d19}, d28
        vtbl.8      d17, {d18-d19}, d29
        aes_neon_encrypt_transpose 13, 15, 5, 6, 11, 1, 7, 8, 0, 2, 3, 4, 9
        add         r8, sp, #144
        vld1.64     {d0-d1}, [r8]!
        vld1.64     {d4-d5}, [r8]!
        vld1.64     {d6-d7}, [r8]!
        vld1.64     {d8-d9}, [r8]!
        veor        q13, q13, q0
        vld1.64     {d0-d1}, [r8]!
        veor        q15, q15, q2
        vld1.64     {d4-d5}, [r8]!
        veor        q5, q5, q3
        vld1.64     {d6-d7}, [r8]!
        veor        q6, q6, q4
        vld1.64     {d8-d9}, [r8]!
        veor        q11, q11, q0
        veor        q1, q1, q2
        veor        q7, q7, q3
        veor        q8, q8, q4
        ldr         r3, [sp, #288 + 12]
        ldr         r12, [sp, #288 + 16]
        cmn         r12, #8                                     // fewer than eight were left: -7 .. -1
        bhs         6f
        cmp         r12, #0
        vst1.8      {d26-d27}, [r3]!
        vst1.8      {d30-d31}, [r3]!
        vst1.8      {d10-d11}, [r3]!
        vst1.8      {d12-d13}, [r3]!
        vst1.8      {d22-d23}, [r3]!
        vst1.8      {d2-d3}, [r3]!
        vst1.8      {d14-d15}, [r3]!
        vst1.8      {d16-d17}, [r3]!
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
        vst1.8      {d26-d27}, [r3]!
        cmp         r8, #2
        blo         8f
        vst1.8      {d30-d31}, [r3]!
        beq         8f
        vst1.8      {d10-d11}, [r3]!
        cmp         r8, #4
        blo         8f
        vst1.8      {d12-d13}, [r3]!
        beq         8f
        vst1.8      {d22-d23}, [r3]!
        cmp         r8, #6
        blo         8f
        vst1.8      {d2-d3}, [r3]!
        beq         8f
        vst1.8      {d14-d15}, [r3]!
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

7:      .word           .Laes_neon_encrypt_permutations - .Laes_neon_encrypt_here - 8

        .balign     16
.Laes_neon_encrypt_permutations:                          // position r + 4 c: row r, column c
        .byte            5,  6,  7,  4,  9, 10, 11,  8, 13, 14, 15, 12,  1,  2,  3,  0  // i mod 4 = 1: the next row
        .byte            9, 10, 11,  8, 13, 14, 15, 12,  1,  2,  3,  0,  5,  6,  7,  4  // i mod 4 = 2: the next row
        .byte           13, 14, 15, 12,  1,  2,  3,  0,  5,  6,  7,  4,  9, 10, 11,  8  // i mod 4 = 3: the next row
        .byte            1,  2,  3,  0,  5,  6,  7,  4,  9, 10, 11,  8, 13, 14, 15, 12  // i mod 4 = 0: the next row
        .byte            0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15  // nothing
        .byte            0,  9,  2, 11,  4, 13,  6, 15,  8,  1, 10,  3, 12,  5, 14,  7  // SR^2

.purgem aes_neon_encrypt_tweaks
.purgem aes_neon_encrypt_swap4
.purgem aes_neon_encrypt_swap
.purgem aes_neon_encrypt_transpose

        .unreq  keys
        .unreq  place
        .unreq  last_key
        .unreq  toggle
        .unreq  permutations

        .fpu    vfpv3-d16
