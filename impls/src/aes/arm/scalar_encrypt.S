// AES-XTS encryption: AArch32 (A32), integer registers, bit-sliced, two blocks at a time, constant-time
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
//     S-box: J. Boyar, R. Peralta, "A new combinational logic minimization technique with applications to
//     cryptology", SEA 2010, and "A depth-16 circuit for the AES S-box", 2011.
//     Without ShiftRows: A. Adomnicai, T. Peyrin, "Fixslicing AES-like ciphers", CHES 2021.
//
// Technique
//   - A register per bit b holds bit b of the 32 bytes of two blocks: bit 8 r + 2 c + j is that of row r, column c,
//     block j. Rows are rotated by rotating the register, which is free in the operand of a xor; columns by a mask.
//   - The S-box is a circuit in the manner of Boyar and Peralta: linear layer (y), products that go into an inversion
//     in GF(2^4) (t), products with its result (z), linear layer (s). Inverted is c a^(2^k) in place of a, with c =
//     0xbc, k = 0: over GF(2) that changes the linear layers only, and of all 2040 choices this is one of those with
//     the shortest and shallowest. The constant 0x63 is in the round keys. Thirteen registers do not hold it: some
//     values are put aside.
//   - ShiftRows is left out: the state after round i is kept as SR^-i(state), SR being ShiftRows on positions. So are
//     the round keys, in the layout. In MixColumns of round i the next row is then rotated by i columns, and that
//     after the next by 2 i: there are four MixColumns. A rotation of the whole register is left to the use of a
//     value. Only the last round has to be followed by SR^R.
//   - With n = s of the next row and t = s ^ n, MixColumns is 2 t ^ n ^ (t two rows on).
//   - One block is done as two; the other half is not stored.
//
// Arguments
//     r0      layout  round keys of this tier's convert_key_encrypt: 32 (R + 1) bytes, R = rounds,
//                     aligned to 16; read only
//     r1      tweak   16 bytes, at any address; read and written
//     r2      input   16 count bytes, at any address (normal memory, SCTLR.A = 0: unaligned access allowed);
//                     read only
//     r3      output  16 count bytes, at any address; equal to input, or disjoint from it
//     [sp]    count   number of blocks; with 0 nothing but these arguments is read
//     [sp+4]  rounds  10 or 14
//
// Registers
//     r0 .. r12  state, and values named at the right of the instructions; before and after the rounds:
//     r0 .. r7   columns of two blocks (r0, r2, r4, r6 are one block), or bits
//     lr         round keys, mask
//
// Stack, 184 bytes
//     sp + 0    values put aside
//     sp + 52   tweaks of two blocks, and of the one after
//     sp + 100  layout, tweak, input, output, blocks left less two, next round key, last round key, rounds,
//               three masks
//     sp + 148  r4 .. r11, lr of the caller
//
// Cleared
//     r0 .. r3, r12 and lr are zero or hold addresses and counts; values put aside and tweaks are zero;
//     r4 .. r11 are the caller's again.
//
// Notes
//   - Armv7-A, little-endian AArch32 state, A32 instructions; position-independent.
//   - Nothing but the arguments, layout, tweak, input, output and the stack above is read or written.
//   - Branches compare count and rounds alone, which are public; no address depends on anything secret.

// One tweak to the stack at offset o: r8 .. r11;  r8 .. r11 := the one after
.macro  aes_scalar_encrypt_tweak o
        mov         lr, #0x87
        and         lr, lr, r11, asr #31                        // 0x87 if a bit is shifted out
        str         r8, [sp, #\o]
        str         r9, [sp, #\o + 4]
        str         r10, [sp, #\o + 8]
        str         r11, [sp, #\o + 12]
        adds        r8, r8, r8
        adcs        r9, r9, r9
        adcs        r10, r10, r10
        adc         r11, r11, r11
        eor         r8, r8, lr
.endm

// r0 .. r7 := r0 .. r7 ^ the tweaks
.macro  aes_scalar_encrypt_xor_tweaks
        ldr         r8, [sp, #52]
        ldr         r9, [sp, #52 + 4]
        ldr         r10, [sp, #52 + 8]
        ldr         r11, [sp, #52 + 12]
        eor         r0, r0, r8
        eor         r2, r2, r9
        eor         r4, r4, r10
        eor         r6, r6, r11
        ldr         r8, [sp, #52 + 16]
        ldr         r9, [sp, #52 + 20]
        ldr         r10, [sp, #52 + 24]
        ldr         r11, [sp, #52 + 28]
        eor         r1, r1, r8
        eor         r3, r3, r9
        eor         r5, r5, r10
        eor         r7, r7, r11
.endm

// In two pairs (a, b) the bits of b under the mask lr change places with the bits of a n places to the left
.macro  aes_scalar_encrypt_swap n, a0, b0, a1, b1
        eor         r8, \b0, \a0, lsr #\n
        eor         r9, \b1, \a1, lsr #\n
        and         r8, r8, lr
        and         r9, r9, lr
        eor         \b0, \b0, r8
        eor         \b1, \b1, r9
        eor         \a0, \a0, r8, lsl #\n
        eor         \a1, \a1, r9, lsl #\n
.endm

// Bits of the bytes change places with the numbers of the registers
.macro  aes_scalar_encrypt_transpose
        movw        lr, #0x0f0f
        movt        lr, #0x0f0f
        aes_scalar_encrypt_swap    4, r0, r4, r1, r5
        aes_scalar_encrypt_swap    4, r2, r6, r3, r7
        movw        lr, #0x3333
        movt        lr, #0x3333
        aes_scalar_encrypt_swap    2, r0, r2, r1, r3
        aes_scalar_encrypt_swap    2, r4, r6, r5, r7
        movw        lr, #0x5555
        movt        lr, #0x5555
        aes_scalar_encrypt_swap    1, r0, r1, r2, r3
        aes_scalar_encrypt_swap    1, r4, r5, r6, r7
.endm

// SR^2, which is SR^-2, in r0 .. r7: columns of the rows 1 and 3 change places by two
.macro  aes_scalar_encrypt_shift_rows_twice
        movw        lr, #0x0f00
        movt        lr, #0x0f00
        .irp        x, r0, r1, r2, r3, r4, r5, r6, r7
        eor         r8, \x, \x, lsr #4
        and         r8, r8, lr
        eor         \x, \x, r8
        eor         \x, \x, r8, lsl #4
        .endr
.endm

// SubBytes: a0 .. a7 in r0 .. r7; s0 .. s7 in r0, r6, r9, r8, r10, r5, r7, r1; lr is kept
.macro  aes_scalar_encrypt_sub_bytes
        eor         r8, r5, r7                                  // y20 = a5 ^ a7
        eor         r9, r5, r6                                  // r1 = a5 ^ a6
        eor         r11, r2, r3                                 // r0 = a2 ^ a3
        eor         r12, r2, r4                                 // y9 = a2 ^ a4
        eor         r5, r2, r7                                  // y14 = a2 ^ a7
        str         r0, [sp, #0]                                // a0 put aside
        str         r8, [sp, #4]                                // y20 put aside
        eor         r10, r1, r7                                 // y2 = a1 ^ a7
        eor         r6, r0, r9                                  // y16 = a0 ^ r1
        eor         r2, r8, r12                                 // y11 = y20 ^ y9
        eor         r0, r10, r12                                // y4 = y2 ^ y9
        eor         r8, r8, r11                                 // y18 = y20 ^ r0
        str         r2, [sp, #24]                               // y11 put aside
        str         r0, [sp, #28]                               // y4 put aside
        eor         r11, r0, r11                                // y0 = y4 ^ r0
        str         r10, [sp, #8]                               // y2 put aside
        str         r12, [sp, #12]                              // y9 put aside
        eor         r3, r4, r7                                  // y8 = a4 ^ a7
        eor         r0, r10, r8                                 // y7 = y2 ^ y18
        and         r2, r12, r2                                 // t12 = y9 y11
        eor         r7, r7, r6                                  // y5 = a7 ^ y16
        str         r0, [sp, #36]                               // y7 put aside
        eor         r12, r0, r9                                 // y10 = y7 ^ r1
        and         r10, r10, r0                                // t10 = y2 y7
        str         r7, [sp, #32]                               // y5 put aside
        eor         r0, r0, r6                                  // y1 = y7 ^ y16
        str         r0, [sp, #40]                               // y1 put aside
        and         r7, r7, r0                                  // t8 = y5 y1
        str         r6, [sp, #20]                               // y16 put aside
        eor         r4, r4, r6                                  // y3 = a4 ^ y16
        eor         r0, r1, r6                                  // y13 = a1 ^ y16
        and         r6, r0, r6                                  // t7 = y13 y16
        eor         r7, r7, r6                                  // t9 = t8 ^ t7
        eor         r10, r10, r6                                // t11 = t10 ^ t7
        and         r6, r3, r12                                 // t15 = y8 y10
        eor         r6, r6, r2                                  // t16 = t15 ^ t12
        eor         r9, r11, r9                                 // y17 = y0 ^ r1
        eor         r10, r10, r6                                // t20 = t11 ^ t16
        str         r9, [sp, #48]                               // y17 put aside
        eor         r8, r10, r8                                 // t24 = t20 ^ y18
        str         r5, [sp, #16]                               // y14 put aside
        and         r9, r5, r9                                  // t13 = y14 y17
        ldr         r10, [sp, #0]                               // a0 again
        str         r0, [sp, #44]                               // y13 put aside
        eor         r5, r5, r0                                  // y12 = y14 ^ y13
        eor         r9, r9, r2                                  // t14 = t13 ^ t12
        ldr         r0, [sp, #28]                               // y4 again
        and         r2, r4, r10                                 // t3 = y3 a0
        eor         r7, r7, r9                                  // t19 = t9 ^ t14
        eor         r10, r10, r11                               // y15 = a0 ^ y0
        eor         r1, r7, r1                                  // t23 = t19 ^ a1
        and         r0, r0, r11                                 // t5 = y4 y0
        and         r7, r5, r10                                 // t2 = y12 y15
        eor         r2, r2, r7                                  // t4 = t3 ^ t2
        eor         r0, r0, r7                                  // t6 = t5 ^ t2
        ldr         r7, [sp, #4]                                // y20 again
        eor         r9, r2, r9                                  // t17 = t4 ^ t14
        eor         r2, r3, r12                                 // y19 = y8 ^ y10
        eor         r9, r9, r7                                  // t21 = t17 ^ y20
        eor         r0, r0, r6                                  // t18 = t6 ^ t16
        eor         r6, r1, r8                                  // t30 = t23 ^ t24
        and         r7, r9, r1                                  // t26 = t21 t23
        eor         r0, r0, r2                                  // t22 = t18 ^ y19
        and         r1, r0, r1                                  // t35 = t22 t23
        eor         r2, r0, r7                                  // t31 = t22 ^ t26
        bic         r1, r6, r1                                  // t36 = t30 (1 ^ t35)
        and         r2, r2, r6                                  // t32 = t31 t30
        and         r6, r9, r8                                  // t38 = t21 t24
        eor         r2, r2, r8                                  // t33 = t32 ^ t24
        eor         r1, r7, r1                                  // t37 = t26 ^ t36
        eor         r8, r8, r7                                  // t27 = t24 ^ t26
        and         r4, r1, r4                                  // z10 = t37 y3
        eor         r9, r9, r0                                  // t25 = t21 ^ t22
        str         r4, [sp, #4]                                // z10 put aside
        and         r8, r8, r9                                  // t28 = t27 t25
        eor         r4, r2, r1                                  // t44 = t33 ^ t37
        bic         r9, r9, r6                                  // t39 = t25 (1 ^ t38)
        eor         r0, r8, r0                                  // t29 = t28 ^ t22
        and         r6, r4, r10                                 // z0 = t44 y15
        and         r8, r4, r5                                  // z9 = t44 y12
        ldr         r10, [sp, #28]                              // y4 again
        ldr         r5, [sp, #36]                               // y7 again
        eor         r7, r7, r9                                  // t40 = t26 ^ t39
        and         r4, r2, r10                                 // z11 = t33 y4
        and         r10, r0, r5                                 // z5 = t29 y7
        ldr         r5, [sp, #0]                                // a0 again
        and         r11, r2, r11                                // z2 = t33 y0
        eor         r11, r11, r10                               // p0 = z2 ^ z5
        and         r5, r1, r5                                  // z1 = t37 a0
        eor         r1, r7, r1                                  // t41 = t40 ^ t37
        and         r12, r1, r12                                // z8 = t41 y10
        eor         r10, r10, r12                               // p8 = z5 ^ z8
        ldr         r12, [sp, #8]                               // y2 again
        eor         r9, r0, r7                                  // t43 = t29 ^ t40
        eor         r2, r0, r2                                  // t42 = t29 ^ t33
        and         r3, r1, r3                                  // z17 = t41 y8
        and         r0, r0, r12                                 // z14 = t29 y2
        eor         r12, r0, r3                                 // p12 = z14 ^ z17
        ldr         r0, [sp, #44]                               // y13 again
        eor         r3, r4, r3                                  // p4 = z11 ^ z17
        ldr         r4, [sp, #20]                               // y16 again
        and         r0, r9, r0                                  // z12 = t43 y13
        eor         r5, r5, r11                                 // p11 = z1 ^ p0
        and         r9, r9, r4                                  // z3 = t43 y16
        ldr         r4, [sp, #12]                               // y9 again
        eor         r6, r6, r9                                  // p1 = z0 ^ z3
        and         r4, r2, r4                                  // z15 = t42 y9
        eor         r8, r8, r4                                  // p3 = z9 ^ z15
        eor         r0, r0, r4                                  // p18 = z12 ^ z15
        eor         r4, r11, r6                                 // p2 = p0 ^ p1
        ldr         r6, [sp, #24]                               // y11 again
        eor         r3, r8, r3                                  // p5 = p3 ^ p4
        and         r11, r2, r6                                 // z6 = t42 y11
        eor         r6, r2, r1                                  // t45 = t42 ^ t41
        eor         r9, r11, r9                                 // p7 = z6 ^ z3
        ldr         r11, [sp, #40]                              // y1 again
        eor         r2, r9, r10                                 // p9 = p7 ^ p8
        ldr         r10, [sp, #48]                              // y17 again
        and         r1, r7, r11                                 // z4 = t40 y1
        and         r11, r6, r10                                // z7 = t45 y17
        eor         r11, r11, r9                                // p13 = z7 ^ p7
        ldr         r9, [sp, #16]                               // y14 again
        eor         r10, r4, r3                                 // s4 = p2 ^ p5
        eor         r11, r5, r11                                // p14 = p11 ^ p13
        and         r6, r6, r9                                  // z16 = t45 y14
        eor         r9, r1, r5                                  // p17 = z4 ^ p11
        ldr         r1, [sp, #32]                               // y5 again
        and         r7, r7, r1                                  // z13 = t40 y5
        eor         r1, r3, r2                                  // s7 = p5 ^ p9
        eor         r3, r12, r0                                 // p19 = p12 ^ p18
        eor         r0, r9, r3                                  // s0 = p17 ^ p19
        ldr         r3, [sp, #4]                                // z10 again
        eor         r5, r7, r12                                 // p15 = z13 ^ p12
        eor         r7, r4, r1                                  // s6 = p2 ^ s7
        eor         r4, r3, r8                                  // p21 = z10 ^ p3
        eor         r12, r5, r11                                // p16 = p15 ^ p14
        eor         r2, r6, r2                                  // p22 = z16 ^ p9
        eor         r8, r9, r10                                 // s3 = p17 ^ s4
        eor         r5, r2, r12                                 // s5 = p22 ^ p16
        eor         r6, r11, r0                                 // s1 = p14 ^ s0
        eor         r9, r4, r12                                 // s2 = p21 ^ p16
.endm

        .cfi_startproc
        ldr         r12, [sp]
        cmp         r12, #0
        bxeq        lr

        push        {r4-r11, lr}
        .cfi_def_cfa_offset 36
        .cfi_rel_offset r4, 0
        .cfi_rel_offset r5, 4
        .cfi_rel_offset r6, 8
        .cfi_rel_offset r7, 12
        .cfi_rel_offset r8, 16
        .cfi_rel_offset r9, 20
        .cfi_rel_offset r10, 24
        .cfi_rel_offset r11, 28
        .cfi_rel_offset lr, 32
        sub         sp, sp, #148
        .cfi_def_cfa_offset 184

        ldr         r4, [sp, #184 + 4]
        add         r5, r0, r4, lsl #5                          // k(R)
        str         r0, [sp, #100]
        str         r1, [sp, #100 + 4]
        str         r3, [sp, #100 + 12]
        str         r5, [sp, #100 + 24]
        str         r4, [sp, #100 + 28]
        movw        r4, #0xfcfc
        movt        r4, #0xfcfc
        movw        r5, #0xf0f0
        movt        r5, #0xf0f0
        movw        r6, #0xc0c0
        movt        r6, #0xc0c0
        str         r4, [sp, #132]
        str         r5, [sp, #136]
        str         r6, [sp, #140]
        ldr         r8, [r1]
        ldr         r9, [r1, #4]
        ldr         r10, [r1, #8]
        ldr         r11, [r1, #12]

1:      aes_scalar_encrypt_tweak 52
        aes_scalar_encrypt_tweak 52 + 16
        str         r8, [sp, #52 + 32]
        str         r9, [sp, #52 + 36]
        str         r10, [sp, #52 + 40]
        str         r11, [sp, #52 + 44]
        mov         lr, r2
        subs        r12, r12, #2                                // blocks left, less two
        str         r12, [sp, #100 + 16]
        ldr         r0, [lr]
        ldr         r2, [lr, #4]
        ldr         r4, [lr, #8]
        ldr         r6, [lr, #12]
        blo         2f
        ldr         r1, [lr, #16]
        ldr         r3, [lr, #20]
        ldr         r5, [lr, #24]
        ldr         r7, [lr, #28]
2:      add         lr, lr, #32
        str         lr, [sp, #100 + 8]
        aes_scalar_encrypt_xor_tweaks
        aes_scalar_encrypt_transpose
        ldr         lr, [sp, #100]
        ldr         r8, [lr, #0]
        eor         r0, r0, r8
        ldr         r9, [lr, #4]
        eor         r1, r1, r9
        ldr         r10, [lr, #8]
        eor         r2, r2, r10
        ldr         r11, [lr, #12]
        eor         r3, r3, r11
        ldr         r8, [lr, #16]
        eor         r4, r4, r8
        ldr         r9, [lr, #20]
        eor         r5, r5, r9
        ldr         r10, [lr, #24]
        eor         r6, r6, r10
        ldr         r11, [lr, #28]
        eor         r7, r7, r11
        add         lr, lr, #32
        str         lr, [sp, #120]

3:      aes_scalar_encrypt_sub_bytes
        // MixColumns, AddRoundKey, i mod 4 = 1
        ldr         lr, [sp, #120]
        ldr         r2, [sp, #132]                            // 0xfcfcfcfc
        str         r7, [sp, #0]                                // s6 put aside
        bic         r4, r9, r2
        and         r11, r9, r2
        eor         r4, r4, r11, ror #8                         // n2 = s2 of the next row, but for a rotation by 2
        bic         r3, r5, r2
        str         r4, [sp, #4]                                // n2 put aside
        and         r11, r5, r2
        eor         r9, r9, r4, ror #2                          // t2 = s2 ^ n2
        eor         r3, r3, r11, ror #8                         // n5 = s5 of the next row, but for a rotation by 2
        ldr         r4, [lr, #20]
        and         r11, r7, r2
        eor         r5, r5, r3, ror #2                          // t5 = s5 ^ n5
        bic         r7, r7, r2
        eor         r7, r7, r11, ror #8                         // n6 = s6 of the next row, but for a rotation by 2
        eor         r3, r4, r3, ror #2
        str         r7, [sp, #16]                               // n6 put aside
        ldr         r4, [sp, #136]                            // 0xf0f0f0f0
        and         r12, r10, r2
        bic         r7, r10, r2
        eor         r12, r7, r12, ror #8                        // n4 = s4 of the next row, but for a rotation by 2
        str         r5, [sp, #12]                               // t5 put aside
        and         r7, r5, r4
        bic         r5, r5, r4
        eor         r5, r5, r7, ror #8                          // f5 = t5 of two rows on, but for a rotation by 12
        ldr         r7, [lr, #16]
        eor         r10, r10, r12, ror #2                       // t4 = s4 ^ n4
        eor         r3, r3, r5, ror #12
        eor         r12, r7, r12, ror #2
        bic         r7, r10, r4
        eor         r3, r3, r10                                 // o5 = n5 ^ k5 ^ f5 ^ t4
        and         r10, r10, r4
        str         r9, [sp, #8]                                // t2 put aside
        eor         r7, r7, r10, ror #8                         // f4 = t4 of two rows on, but for a rotation by 12
        and         r11, r1, r2
        bic         r9, r1, r2
        eor         r7, r12, r7, ror #12
        bic         r5, r8, r2
        eor         r11, r9, r11, ror #8                        // n7 = s7 of the next row, but for a rotation by 2
        and         r12, r8, r2
        eor         r9, r5, r12, ror #8                         // n3 = s3 of the next row, but for a rotation by 2
        str         r3, [sp, #20]                               // o5 put aside
        eor         r5, r8, r9, ror #2                          // t3 = s3 ^ n3
        and         r3, r6, r2
        bic         r10, r6, r2
        ldr         r8, [lr, #4]
        eor         r3, r10, r3, ror #8                         // n1 = s1 of the next row, but for a rotation by 2
        eor         r6, r6, r3, ror #2                          // t1 = s1 ^ n1
        and         r10, r0, r2
        bic         r2, r0, r2
        eor         r3, r8, r3, ror #2
        ldr         r12, [lr, #12]
        eor         r8, r2, r10, ror #8                         // n0 = s0 of the next row, but for a rotation by 2
        eor         r10, r7, r5
        and         r7, r6, r4
        bic         r2, r6, r4
        eor         r12, r12, r9, ror #2
        eor         r7, r2, r7, ror #8                          // f1 = t1 of two rows on, but for a rotation by 12
        and         r9, r5, r4
        bic         r2, r5, r4
        eor         r0, r0, r8, ror #2                          // t0 = s0 ^ n0
        eor         r3, r3, r7, ror #12
        eor         r9, r2, r9, ror #8                          // f3 = t3 of two rows on, but for a rotation by 12
        and         r5, r0, r4
        bic         r7, r0, r4
        eor         r12, r12, r9, ror #12
        eor         r9, r7, r5, ror #8                          // f0 = t0 of two rows on, but for a rotation by 12
        ldr         r5, [lr, #0]
        eor         r7, r3, r0
        ldr         r2, [lr, #8]
        eor         r3, r5, r8, ror #2
        ldr         r8, [sp, #8]                                // t2 again
        eor         r9, r3, r9, ror #12
        ldr         r3, [sp, #4]                                // n2 again
        eor         r5, r12, r8
        ldr         r0, [lr, #28]                               // round key
        and         r12, r8, r4
        bic         r8, r8, r4
        eor         r2, r2, r3, ror #2
        eor         r1, r1, r11, ror #2                         // t7 = s7 ^ n7
        eor         r3, r8, r12, ror #8                         // f2 = t2 of two rows on, but for a rotation by 12
        eor         r11, r0, r11, ror #2
        eor         r12, r7, r1                                 // o1 = n1 ^ k1 ^ f1 ^ t0 ^ t7
        eor         r8, r2, r3, ror #12
        ldr         r0, [lr, #24]
        ldr         r7, [sp, #0]                                // s6 again
        ldr         r2, [sp, #16]                               // n6 again
        eor         r6, r8, r6                                  // o2 = n2 ^ k2 ^ f2 ^ t1
        eor         r10, r10, r1                                // o4 = n4 ^ k4 ^ f4 ^ t3 ^ t7
        eor         r3, r7, r2, ror #2                          // t6 = s6 ^ n6
        eor         r8, r0, r2, ror #2
        and         r7, r1, r4
        bic         r2, r1, r4
        eor         r7, r2, r7, ror #8                          // f7 = t7 of two rows on, but for a rotation by 12
        eor         r2, r5, r1                                  // o3 = n3 ^ k3 ^ f3 ^ t2 ^ t7
        and         r0, r3, r4
        eor         r1, r9, r1                                  // o0 = n0 ^ k0 ^ f0 ^ t7
        bic         r4, r3, r4
        ldr         r9, [sp, #12]                               // t5 again
        eor         r5, r4, r0, ror #8                          // f6 = t6 of two rows on, but for a rotation by 12
        eor         r0, r8, r5, ror #12
        eor         r4, r11, r7, ror #12
        eor         r8, r0, r9                                  // o6 = n6 ^ k6 ^ f6 ^ t5
        eor         r11, r4, r3                                 // o7 = n7 ^ k7 ^ f7 ^ t6
        ldr         r0, [sp, #20]                               // o5 again
        mov         r3, r2
        mov         r2, r6
        mov         r4, r10
        mov         r5, r0
        mov         r0, r1
        mov         r1, r12
        mov         r6, r8
        mov         r7, r11
        add         lr, lr, #32
        str         lr, [sp, #120]
        aes_scalar_encrypt_sub_bytes
        ldr         lr, [sp, #120]
        ldr         r2, [sp, #124]
        cmp         lr, r2
        beq         4f
        // MixColumns, AddRoundKey, i mod 4 = 2
        ldr         r2, [sp, #136]                            // 0xf0f0f0f0
        ldr         r12, [lr, #28]                              // round key
        ldr         r11, [lr, #24]
        and         r3, r1, r2
        bic         r4, r1, r2
        eor         r3, r4, r3, ror #8                          // n7 = s7 of the next row, but for a rotation by 4
        eor         r1, r1, r3, ror #4                          // t7 = s7 ^ n7
        eor         r3, r12, r3, ror #4
        bic         r4, r7, r2
        and         r12, r7, r2
        eor         r4, r4, r12, ror #8                         // n6 = s6 of the next row, but for a rotation by 4
        eor         r7, r7, r4, ror #4                          // t6 = s6 ^ n6
        eor         r12, r3, r1, ror #16
        eor         r4, r11, r4, ror #4
        eor         r11, r12, r7                                // o7 = n7 ^ k7 ^ f7 ^ t6
        eor         r12, r4, r7, ror #16
        and         r3, r5, r2
        bic         r4, r5, r2
        eor         r3, r4, r3, ror #8                          // n5 = s5 of the next row, but for a rotation by 4
        str         r11, [sp, #0]                               // o7 put aside
        bic         r7, r9, r2
        and         r4, r9, r2
        eor         r7, r7, r4, ror #8                          // n2 = s2 of the next row, but for a rotation by 4
        ldr         r11, [lr, #20]
        ldr         r4, [lr, #8]
        eor         r5, r5, r3, ror #4                          // t5 = s5 ^ n5
        eor         r9, r9, r7, ror #4                          // t2 = s2 ^ n2
        eor         r3, r11, r3, ror #4
        eor         r7, r4, r7, ror #4
        eor         r11, r3, r5, ror #16
        bic         r4, r10, r2
        and         r3, r10, r2
        eor         r3, r4, r3, ror #8                          // n4 = s4 of the next row, but for a rotation by 4
        eor         r4, r12, r5                                 // o6 = n6 ^ k6 ^ f6 ^ t5
        and         r12, r8, r2
        bic         r5, r8, r2
        eor         r5, r5, r12, ror #8                         // n3 = s3 of the next row, but for a rotation by 4
        ldr         r12, [lr, #12]
        eor         r8, r8, r5, ror #4                          // t3 = s3 ^ n3
        eor         r10, r10, r3, ror #4                        // t4 = s4 ^ n4
        eor         r5, r12, r5, ror #4
        ldr         r12, [lr, #16]
        eor         r11, r11, r10                               // o5 = n5 ^ k5 ^ f5 ^ t4
        eor         r5, r5, r8, ror #16
        eor         r3, r12, r3, ror #4
        eor         r3, r3, r10, ror #16
        and         r12, r0, r2
        bic         r10, r0, r2
        eor         r5, r5, r9
        eor         r10, r10, r12, ror #8                       // n0 = s0 of the next row, but for a rotation by 4
        eor         r3, r3, r8
        eor         r7, r7, r9, ror #16
        ldr         r12, [lr, #0]
        eor         r8, r5, r1                                  // o3 = n3 ^ k3 ^ f3 ^ t2 ^ t7
        and         r9, r6, r2
        ldr         r5, [lr, #4]
        bic         r2, r6, r2
        eor         r0, r0, r10, ror #4                         // t0 = s0 ^ n0
        eor         r9, r2, r9, ror #8                          // n1 = s1 of the next row, but for a rotation by 4
        eor         r10, r12, r10, ror #4
        eor         r2, r6, r9, ror #4                          // t1 = s1 ^ n1
        eor         r12, r5, r9, ror #4
        eor         r6, r10, r0, ror #16
        eor         r9, r12, r2, ror #16
        eor         r10, r9, r0
        eor         r5, r7, r2                                  // o2 = n2 ^ k2 ^ f2 ^ t1
        eor         r3, r3, r1                                  // o4 = n4 ^ k4 ^ f4 ^ t3 ^ t7
        eor         r7, r10, r1                                 // o1 = n1 ^ k1 ^ f1 ^ t0 ^ t7
        eor         r1, r6, r1                                  // o0 = n0 ^ k0 ^ f0 ^ t7
        ldr         r0, [sp, #0]                                // o7 again
        mov         r2, r5
        mov         r5, r11
        mov         r6, r4
        mov         r4, r3
        mov         r3, r8
        mov         r8, r0
        mov         r0, r1
        mov         r1, r7
        mov         r7, r8
        add         lr, lr, #32
        str         lr, [sp, #120]
        aes_scalar_encrypt_sub_bytes
        // MixColumns, AddRoundKey, i mod 4 = 3
        ldr         lr, [sp, #120]
        ldr         r2, [sp, #140]                            // 0xc0c0c0c0
        str         r7, [sp, #0]                                // s6 put aside
        bic         r4, r9, r2
        and         r11, r9, r2
        eor         r4, r4, r11, ror #8                         // n2 = s2 of the next row, but for a rotation by 6
        bic         r3, r5, r2
        str         r4, [sp, #4]                                // n2 put aside
        and         r11, r5, r2
        eor         r9, r9, r4, ror #6                          // t2 = s2 ^ n2
        eor         r3, r3, r11, ror #8                         // n5 = s5 of the next row, but for a rotation by 6
        ldr         r4, [lr, #20]
        and         r11, r7, r2
        eor         r5, r5, r3, ror #6                          // t5 = s5 ^ n5
        bic         r7, r7, r2
        eor         r7, r7, r11, ror #8                         // n6 = s6 of the next row, but for a rotation by 6
        eor         r3, r4, r3, ror #6
        str         r7, [sp, #16]                               // n6 put aside
        ldr         r4, [sp, #136]                            // 0xf0f0f0f0
        and         r12, r10, r2
        bic         r7, r10, r2
        eor         r12, r7, r12, ror #8                        // n4 = s4 of the next row, but for a rotation by 6
        str         r5, [sp, #12]                               // t5 put aside
        and         r7, r5, r4
        bic         r5, r5, r4
        eor         r5, r5, r7, ror #8                          // f5 = t5 of two rows on, but for a rotation by 12
        ldr         r7, [lr, #16]
        eor         r10, r10, r12, ror #6                       // t4 = s4 ^ n4
        eor         r3, r3, r5, ror #12
        eor         r12, r7, r12, ror #6
        bic         r7, r10, r4
        eor         r3, r3, r10                                 // o5 = n5 ^ k5 ^ f5 ^ t4
        and         r10, r10, r4
        str         r9, [sp, #8]                                // t2 put aside
        eor         r7, r7, r10, ror #8                         // f4 = t4 of two rows on, but for a rotation by 12
        and         r11, r1, r2
        bic         r9, r1, r2
        eor         r7, r12, r7, ror #12
        bic         r5, r8, r2
        eor         r11, r9, r11, ror #8                        // n7 = s7 of the next row, but for a rotation by 6
        and         r12, r8, r2
        eor         r9, r5, r12, ror #8                         // n3 = s3 of the next row, but for a rotation by 6
        str         r3, [sp, #20]                               // o5 put aside
        eor         r5, r8, r9, ror #6                          // t3 = s3 ^ n3
        and         r3, r6, r2
        bic         r10, r6, r2
        ldr         r8, [lr, #4]
        eor         r3, r10, r3, ror #8                         // n1 = s1 of the next row, but for a rotation by 6
        eor         r6, r6, r3, ror #6                          // t1 = s1 ^ n1
        and         r10, r0, r2
        bic         r2, r0, r2
        eor         r3, r8, r3, ror #6
        ldr         r12, [lr, #12]
        eor         r8, r2, r10, ror #8                         // n0 = s0 of the next row, but for a rotation by 6
        eor         r10, r7, r5
        and         r7, r6, r4
        bic         r2, r6, r4
        eor         r12, r12, r9, ror #6
        eor         r7, r2, r7, ror #8                          // f1 = t1 of two rows on, but for a rotation by 12
        and         r9, r5, r4
        bic         r2, r5, r4
        eor         r0, r0, r8, ror #6                          // t0 = s0 ^ n0
        eor         r3, r3, r7, ror #12
        eor         r9, r2, r9, ror #8                          // f3 = t3 of two rows on, but for a rotation by 12
        and         r5, r0, r4
        bic         r7, r0, r4
        eor         r12, r12, r9, ror #12
        eor         r9, r7, r5, ror #8                          // f0 = t0 of two rows on, but for a rotation by 12
        ldr         r5, [lr, #0]
        eor         r7, r3, r0
        ldr         r2, [lr, #8]
        eor         r3, r5, r8, ror #6
        ldr         r8, [sp, #8]                                // t2 again
        eor         r9, r3, r9, ror #12
        ldr         r3, [sp, #4]                                // n2 again
        eor         r5, r12, r8
        ldr         r0, [lr, #28]                               // round key
        and         r12, r8, r4
        bic         r8, r8, r4
        eor         r2, r2, r3, ror #6
        eor         r1, r1, r11, ror #6                         // t7 = s7 ^ n7
        eor         r3, r8, r12, ror #8                         // f2 = t2 of two rows on, but for a rotation by 12
        eor         r11, r0, r11, ror #6
        eor         r12, r7, r1                                 // o1 = n1 ^ k1 ^ f1 ^ t0 ^ t7
        eor         r8, r2, r3, ror #12
        ldr         r0, [lr, #24]
        ldr         r7, [sp, #0]                                // s6 again
        ldr         r2, [sp, #16]                               // n6 again
        eor         r6, r8, r6                                  // o2 = n2 ^ k2 ^ f2 ^ t1
        eor         r10, r10, r1                                // o4 = n4 ^ k4 ^ f4 ^ t3 ^ t7
        eor         r3, r7, r2, ror #6                          // t6 = s6 ^ n6
        eor         r8, r0, r2, ror #6
        and         r7, r1, r4
        bic         r2, r1, r4
        eor         r7, r2, r7, ror #8                          // f7 = t7 of two rows on, but for a rotation by 12
        eor         r2, r5, r1                                  // o3 = n3 ^ k3 ^ f3 ^ t2 ^ t7
        and         r0, r3, r4
        eor         r1, r9, r1                                  // o0 = n0 ^ k0 ^ f0 ^ t7
        bic         r4, r3, r4
        ldr         r9, [sp, #12]                               // t5 again
        eor         r5, r4, r0, ror #8                          // f6 = t6 of two rows on, but for a rotation by 12
        eor         r0, r8, r5, ror #12
        eor         r4, r11, r7, ror #12
        eor         r8, r0, r9                                  // o6 = n6 ^ k6 ^ f6 ^ t5
        eor         r11, r4, r3                                 // o7 = n7 ^ k7 ^ f7 ^ t6
        ldr         r0, [sp, #20]                               // o5 again
        mov         r3, r2
        mov         r2, r6
        mov         r4, r10
        mov         r5, r0
        mov         r0, r1
        mov         r1, r12
        mov         r6, r8
        mov         r7, r11
        add         lr, lr, #32
        str         lr, [sp, #120]
        aes_scalar_encrypt_sub_bytes
        ldr         lr, [sp, #120]
        // MixColumns, AddRoundKey, i mod 4 = 0
        ldr         r2, [lr, #12]
        ldr         r3, [lr, #8]
        eor         r4, r8, r8, ror #8                          // t3 = s3 ^ n3
        eor         r12, r2, r8, ror #8
        eor         r11, r9, r9, ror #8                         // t2 = s2 ^ n2
        ldr         r8, [lr, #4]
        eor         r9, r3, r9, ror #8
        eor         r2, r9, r11, ror #16
        eor         r9, r6, r6, ror #8                          // t1 = s1 ^ n1
        eor         r8, r8, r6, ror #8
        ldr         r3, [lr, #16]
        ldr         r6, [lr, #0]
        eor         r12, r12, r4, ror #16
        eor         r11, r12, r11
        eor         r3, r3, r10, ror #8
        eor         r12, r6, r0, ror #8
        ldr         r6, [lr, #20]
        eor         r10, r10, r10, ror #8                       // t4 = s4 ^ n4
        eor         r2, r2, r9                                  // o2 = n2 ^ k2 ^ f2 ^ t1
        eor         r3, r3, r10, ror #16
        eor         r9, r8, r9, ror #16
        eor         r3, r3, r4
        eor         r8, r6, r5, ror #8
        eor         r4, r5, r5, ror #8                          // t5 = s5 ^ n5
        eor         r0, r0, r0, ror #8                          // t0 = s0 ^ n0
        ldr         r5, [lr, #24]
        eor         r12, r12, r0, ror #16
        eor         r0, r9, r0
        eor         r6, r7, r7, ror #8                          // t6 = s6 ^ n6
        eor         r9, r1, r1, ror #8                          // t7 = s7 ^ n7
        eor         r5, r5, r7, ror #8
        eor         r7, r11, r9                                 // o3 = n3 ^ k3 ^ f3 ^ t2 ^ t7
        ldr         r11, [lr, #28]                              // round key
        eor         r8, r8, r4, ror #16
        eor         r8, r8, r10                                 // o5 = n5 ^ k5 ^ f5 ^ t4
        eor         r1, r11, r1, ror #8
        eor         r11, r5, r6, ror #16
        eor         r5, r1, r9, ror #16
        eor         r10, r0, r9                                 // o1 = n1 ^ k1 ^ f1 ^ t0 ^ t7
        eor         r1, r12, r9                                 // o0 = n0 ^ k0 ^ f0 ^ t7
        eor         r3, r3, r9                                  // o4 = n4 ^ k4 ^ f4 ^ t3 ^ t7
        eor         r12, r5, r6                                 // o7 = n7 ^ k7 ^ f7 ^ t6
        eor         r0, r11, r4                                 // o6 = n6 ^ k6 ^ f6 ^ t5
        mov         r4, r3
        mov         r3, r7
        mov         r5, r8
        mov         r6, r0
        mov         r0, r1
        mov         r1, r10
        mov         r7, r12
        add         lr, lr, #32
        str         lr, [sp, #120]
        b           3b

4:
        ldr         r3, [lr, #16]
        ldr         r4, [lr, #20]
        ldr         r2, [lr, #4]
        eor         r11, r10, r3
        ldr         r3, [lr, #24]
        ldr         r12, [lr, #28]
        ldr         r10, [lr, #8]
        eor         r7, r7, r3
        eor         r3, r5, r4
        eor         r2, r6, r2
        eor         r4, r1, r12
        ldr         r6, [lr, #0]                                // last round key
        ldr         r12, [lr, #12]
        eor         r9, r9, r10
        eor         r10, r0, r6
        eor         r5, r8, r12
        mov         r0, r10
        mov         r1, r2
        mov         r2, r9
        mov         r6, r7
        mov         r7, r4
        mov         r4, r11
        mov         r8, r3
        mov         r3, r5
        mov         r5, r8
        aes_scalar_encrypt_shift_rows_twice        // SR^2 = SR^R
        aes_scalar_encrypt_transpose                        // back to blocks
        aes_scalar_encrypt_xor_tweaks
        ldr         lr, [sp, #100 + 12]
        ldr         r12, [sp, #100 + 16]
        str         r0, [lr], #4
        str         r2, [lr], #4
        str         r4, [lr], #4
        str         r6, [lr], #4
        cmn         r12, #1                                     // one was left
        beq         6f
        cmp         r12, #0
        str         r1, [lr], #4
        str         r3, [lr], #4
        str         r5, [lr], #4
        str         r7, [lr], #4
        str         lr, [sp, #100 + 12]
        ldr         r8, [sp, #52 + 32]
        ldr         r9, [sp, #52 + 36]
        ldr         r10, [sp, #52 + 40]
        ldr         r11, [sp, #52 + 44]
        ldr         r2, [sp, #100 + 8]
        bne         1b
        b           7f

6:      ldr         r8, [sp, #52 + 16]                           // the tweak after the last block
        ldr         r9, [sp, #52 + 20]
        ldr         r10, [sp, #52 + 24]
        ldr         r11, [sp, #52 + 28]
7:      ldr         r1, [sp, #100 + 4]
        str         r8, [r1]
        str         r9, [r1, #4]
        str         r10, [r1, #8]
        str         r11, [r1, #12]
        mov         r0, #0                                      // leave nothing of keys, tweaks or blocks behind
        mov         r1, #0
        mov         r2, #0
        mov         r3, #0
        mov         r12, #100
8:      subs        r12, r12, #4
        str         r0, [sp, r12]
        bne         8b
        add         sp, sp, #148
        .cfi_def_cfa_offset 36
        pop         {r4-r11, pc}
        .cfi_endproc

.purgem aes_scalar_encrypt_tweak
.purgem aes_scalar_encrypt_xor_tweaks
.purgem aes_scalar_encrypt_swap
.purgem aes_scalar_encrypt_transpose
.purgem aes_scalar_encrypt_shift_rows_twice
.purgem aes_scalar_encrypt_sub_bytes
