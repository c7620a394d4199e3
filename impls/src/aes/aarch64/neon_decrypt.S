// AES-XTS decryption: AArch64, Advanced SIMD, bit-sliced, eight blocks at a time
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
//   - Register b holds bit b of the 128 bytes of eight blocks: a byte of the register is a byte position of the
//     block, in the standard's order, and its eight bits are the eight blocks.
//   - The S-box is a circuit in the manner of Boyar and Peralta: linear layer (y), products that go into an inversion
//     in GF(2^4) (t), products with its result (z), linear layer (s). Inverted is c a^(2^k) in place of a, with c =
//     0x83, k = 1: over GF(2) that changes the linear layers only, and of all 2040 choices this is one of those with
//     the shortest and shallowest. t29 and t33 are multiplexers. The constant 0x63 is in the round keys.
//   - ShiftRows is left out: the state after round i is kept as SR^-i(state), SR being ShiftRows on positions. So are
//     the round keys, in the layout. MixColumns of round i then takes its rows from the positions SR^-i gives, which
//     is one byte permutation, as without. Only the ciphertext has to be permuted, by SR^-R, at the beginning.
//   - InvMixColumns is MixColumns of a ^ 4 (a ^ a two rows on). With n = b of the next row and t = b ^ n, MixColumns
//     is 2 t ^ n ^ (t two rows on).
//   - Tweaks of eight blocks lie on the stack, made in integer registers while the blocks before are finished.
//   - Fewer than eight blocks are done as eight. Lanes without a block work on what their register holds, and are not
//     stored.
//
// Arguments
//     x0  layout  round keys of this tier's convert_key_encrypt, read backwards: 128 (R + 1) bytes, R = rounds,
//                 aligned to 16; read only
//     x1  tweak   16 bytes, at any address; read and written
//     x2  input   16 count bytes, at any address (normal memory, SCTLR_ELx.A = 0: unaligned access allowed);
//                 read only
//     x3  output  16 count bytes, at any address; equal to input, or disjoint from it
//     x4  count   number of blocks; with 0 no memory is touched
//     w5  rounds  10, 12 or 14; the upper half of x5 is ignored
//
// Registers
//     x0 .. x3   the arguments, input and output moving on              v0 .. v31  state, and values named at the
//     x4         blocks left, less eight                            right of the instructions; before and
//     x5         position in the table of permutations              after the rounds:
//     x6, x7     tweak, low and high half                               v0 .. v7   blocks, or bits
//     x8, x9     temporaries                                            v16 .. v23 temporaries, tweaks
//     x10        permutations                                           v24, v25   masks
//     x11        0x87
//     x12        next round key
//     x13        round key of the first round, k(R)
//     x14        permutation SR^-R
//     x15        position of the first permutations
//
// Stack, 192 bytes
//     sp + 0    tweaks of eight blocks
//     sp + 128  d8 .. d15 of the caller
//
// Cleared
//     v0 .. v7, v16 .. v31, x6 .. x9 and the tweaks on the stack are zero, d8 .. d15 are the caller's again (with
//     upper halves zero). x0 .. x5 and x10 .. x15 only ever held addresses, counts and constants.
//
// Notes
//   - Armv8-A with Advanced SIMD, little-endian AArch64 state; position-independent.
//   - Nothing but layout, tweak, input, output, the constants and the stack above is read or written.
//   - Branches compare count and rounds alone, which are public; no address depends on anything secret.

        layout       .req    x0
        tweak        .req    x1
        input        .req    x2
        output       .req    x3
        count        .req    x4
        rounds       .req    w5
        place        .req    x5
        lo           .req    x6
        hi           .req    x7
        reduce       .req    x8
        permutation  .req    x9
        permutations .req    x10
        poly         .req    x11
        keys         .req    x12
        first_key    .req    x13
        unshift      .req    x14
        start        .req    x15

// The next tweak to the stack; hi:lo := the tweak after it
.macro  aes_neon_decrypt_tweak j
        and         reduce, poly, hi, asr #63                   // 0x87 if a bit is shifted out
        stp         lo, hi, [sp, #16 * \j]
        extr        hi, hi, lo, #63
        eor         lo, reduce, lo, lsl #1
.endm

// In each of four pairs (a, b) the high halves of the bytes of a change places with the low halves of b
.macro  aes_neon_decrypt_swap4 a0, b0, a1, b1, a2, b2, a3, b3
        mov         v16.16b, v\a0\().16b
        mov         v17.16b, v\a1\().16b
        mov         v18.16b, v\a2\().16b
        mov         v19.16b, v\a3\().16b
        sli         v\a0\().16b, v\b0\().16b, #4
        sli         v\a1\().16b, v\b1\().16b, #4
        sli         v\a2\().16b, v\b2\().16b, #4
        sli         v\a3\().16b, v\b3\().16b, #4
        sri         v\b0\().16b, v16.16b, #4
        sri         v\b1\().16b, v17.16b, #4
        sri         v\b2\().16b, v18.16b, #4
        sri         v\b3\().16b, v19.16b, #4
.endm

// In each of four pairs (a, b) the bits of a under the mask change places with the bits of b n places to the right
.macro  aes_neon_decrypt_swap n, mask, a0, b0, a1, b1, a2, b2, a3, b3
        shl         v16.16b, v\b0\().16b, #\n
        shl         v17.16b, v\b1\().16b, #\n
        shl         v18.16b, v\b2\().16b, #\n
        shl         v19.16b, v\b3\().16b, #\n
        ushr        v20.16b, v\a0\().16b, #\n
        ushr        v21.16b, v\a1\().16b, #\n
        ushr        v22.16b, v\a2\().16b, #\n
        ushr        v23.16b, v\a3\().16b, #\n
        bit         v\a0\().16b, v16.16b, \mask\().16b
        bit         v\a1\().16b, v17.16b, \mask\().16b
        bit         v\a2\().16b, v18.16b, \mask\().16b
        bit         v\a3\().16b, v19.16b, \mask\().16b
        bif         v\b0\().16b, v20.16b, \mask\().16b
        bif         v\b1\().16b, v21.16b, \mask\().16b
        bif         v\b2\().16b, v22.16b, \mask\().16b
        bif         v\b3\().16b, v23.16b, \mask\().16b
.endm

// v0 .. v7 from eight blocks to eight bits, or back
.macro  aes_neon_decrypt_transpose
        movi        v24.16b, #0xcc
        movi        v25.16b, #0xaa
        aes_neon_decrypt_swap4 0, 4, 1, 5, 2, 6, 3, 7
        aes_neon_decrypt_swap 2, v24, 0, 2, 1, 3, 4, 6, 5, 7
        aes_neon_decrypt_swap 1, v25, 0, 1, 2, 3, 4, 5, 6, 7
.endm

// v0 .. v7 := v0 .. v7 ^ the tweaks
.macro  aes_neon_decrypt_xor_tweaks
        ldp         q16, q17, [sp]
        ldp         q18, q19, [sp, #32]
        ldp         q20, q21, [sp, #64]
        ldp         q22, q23, [sp, #96]
        eor         v0.16b, v0.16b, v16.16b
        eor         v1.16b, v1.16b, v17.16b
        eor         v2.16b, v2.16b, v18.16b
        eor         v3.16b, v3.16b, v19.16b
        eor         v4.16b, v4.16b, v20.16b
        eor         v5.16b, v5.16b, v21.16b
        eor         v6.16b, v6.16b, v22.16b
        eor         v7.16b, v7.16b, v23.16b
.endm

        .cfi_startproc
        hint        #34                                         // bti c
        cbz         count, 9f

        sub         sp, sp, #192
        .cfi_def_cfa_offset 192
        stp         d8, d9, [sp, #128]
        stp         d10, d11, [sp, #144]
        stp         d12, d13, [sp, #160]
        stp         d14, d15, [sp, #176]
        .cfi_rel_offset d8, 128
        .cfi_rel_offset d9, 136
        .cfi_rel_offset d10, 144
        .cfi_rel_offset d11, 152
        .cfi_rel_offset d12, 160
        .cfi_rel_offset d13, 168
        .cfi_rel_offset d14, 176
        .cfi_rel_offset d15, 184

        adr         permutations, .Laes_neon_decrypt_permutations
        ldp         lo, hi, [tweak]
        mov         poly, #0x87
        add         unshift, permutations, #128                 // SR^-R is SR^2 for 10 and 14 rounds, nothing for 12
        lsl         w13, rounds, #7
        add         first_key, layout, x13                      // k(R)
        sub         w15, rounds, #1                             // the first permutations are those of R - 1
        ubfiz       start, start, #5, #2
        and         w8, rounds, #2
        add         unshift, unshift, w8, uxtw #3
        aes_neon_decrypt_tweak 0
        aes_neon_decrypt_tweak 1
        aes_neon_decrypt_tweak 2
        aes_neon_decrypt_tweak 3
        aes_neon_decrypt_tweak 4
        aes_neon_decrypt_tweak 5
        aes_neon_decrypt_tweak 6
        aes_neon_decrypt_tweak 7

1:      subs        count, count, #8
        b.lo        5f
        ldp         q0, q1, [input]                             // eight blocks
        ldp         q2, q3, [input, #32]
        ldp         q4, q5, [input, #64]
        ldp         q6, q7, [input, #96]
        add         input, input, #128

2:      aes_neon_decrypt_xor_tweaks
        aes_neon_decrypt_transpose
        ldr         q24, [unshift]
        ldp         q16, q17, [first_key]
        ldp         q18, q19, [first_key, #32]
        ldp         q20, q21, [first_key, #64]
        ldp         q22, q23, [first_key, #96]
        tbl         v0.16b, {v0.16b}, v24.16b
        tbl         v1.16b, {v1.16b}, v24.16b
        tbl         v2.16b, {v2.16b}, v24.16b
        tbl         v3.16b, {v3.16b}, v24.16b
        tbl         v4.16b, {v4.16b}, v24.16b
        tbl         v5.16b, {v5.16b}, v24.16b
        tbl         v6.16b, {v6.16b}, v24.16b
        tbl         v7.16b, {v7.16b}, v24.16b
        sub         keys, first_key, #128
        eor         v0.16b, v0.16b, v16.16b
        eor         v1.16b, v1.16b, v17.16b
        eor         v2.16b, v2.16b, v18.16b
        eor         v3.16b, v3.16b, v19.16b
        eor         v4.16b, v4.16b, v20.16b
        eor         v5.16b, v5.16b, v21.16b
        eor         v6.16b, v6.16b, v22.16b
        eor         v7.16b, v7.16b, v23.16b
        mov         place, start
        add         permutation, permutations, place

3:      // InvSubBytes
        eor         v8.16b, v5.16b, v7.16b                      // y2 = a5 ^ a7
        eor         v9.16b, v0.16b, v7.16b                      // y0 = a0 ^ a7
        eor         v10.16b, v1.16b, v5.16b                     // y3 = a1 ^ a5
        eor         v11.16b, v2.16b, v6.16b                     // y6 = a2 ^ a6
        eor         v12.16b, v3.16b, v4.16b                     // r0 = a3 ^ a4
        eor         v13.16b, v3.16b, v8.16b                     // y4 = a3 ^ y2
        eor         v14.16b, v6.16b, v9.16b                     // y19 = a6 ^ y0
        eor         v15.16b, v9.16b, v11.16b                    // y15 = y0 ^ y6
        eor         v16.16b, v1.16b, v11.16b                    // y5 = a1 ^ y6
        eor         v17.16b, v1.16b, v12.16b                    // y16 = a1 ^ r0
        eor         v12.16b, v10.16b, v12.16b                   // r1 = y3 ^ r0
        eor         v18.16b, v5.16b, v11.16b                    // y8 = a5 ^ y6
        eor         v19.16b, v10.16b, v13.16b                   // y12 = y3 ^ y4
        eor         v20.16b, v5.16b, v14.16b                    // y1 = a5 ^ y19
        eor         v21.16b, v8.16b, v16.16b                    // y13 = y2 ^ y5
        eor         v22.16b, v15.16b, v17.16b                   // y17 = y15 ^ y16
        eor         v23.16b, v6.16b, v12.16b                    // y11 = a6 ^ r1
        eor         v12.16b, v14.16b, v12.16b                   // y7 = y19 ^ r1
        eor         v24.16b, v14.16b, v18.16b                   // y10 = y19 ^ y8
        eor         v25.16b, v3.16b, v18.16b                    // y14 = a3 ^ y8
        and         v26.16b, v13.16b, v9.16b                    // t5 = y4 y0
        and         v27.16b, v16.16b, v20.16b                   // t8 = y5 y1
        and         v28.16b, v19.16b, v15.16b                   // t2 = y12 y15
        and         v29.16b, v21.16b, v17.16b                   // t7 = y13 y16
        and         v30.16b, v3.16b, v23.16b                    // t12 = a3 y11
        and         v31.16b, v25.16b, v22.16b                   // t13 = y14 y17
        and         v0.16b, v8.16b, v12.16b                     // t10 = y2 y7
        and         v1.16b, v10.16b, v11.16b                    // t3 = y3 y6
        and         v2.16b, v18.16b, v24.16b                    // t15 = y8 y10
        eor         v26.16b, v26.16b, v28.16b                   // t6 = t5 ^ t2
        eor         v27.16b, v27.16b, v29.16b                   // t9 = t8 ^ t7
        eor         v31.16b, v31.16b, v30.16b                   // t14 = t13 ^ t12
        eor         v29.16b, v0.16b, v29.16b                    // t11 = t10 ^ t7
        eor         v28.16b, v1.16b, v28.16b                    // t4 = t3 ^ t2
        eor         v30.16b, v2.16b, v30.16b                    // t16 = t15 ^ t12
        eor         v0.16b, v21.16b, v17.16b                    // y21 = y13 ^ y16
        eor         v1.16b, v8.16b, v12.16b                     // y18 = y2 ^ y7
        eor         v27.16b, v27.16b, v31.16b                   // t19 = t9 ^ t14
        eor         v2.16b, v3.16b, v23.16b                     // y20 = a3 ^ y11
        eor         v28.16b, v28.16b, v31.16b                   // t17 = t4 ^ t14
        eor         v26.16b, v26.16b, v30.16b                   // t18 = t6 ^ t16
        eor         v29.16b, v29.16b, v30.16b                   // t20 = t11 ^ t16
        eor         v27.16b, v27.16b, v0.16b                    // t23 = t19 ^ y21
        eor         v28.16b, v28.16b, v2.16b                    // t21 = t17 ^ y20
        eor         v14.16b, v26.16b, v14.16b                   // t22 = t18 ^ y19
        eor         v26.16b, v29.16b, v1.16b                    // t24 = t20 ^ y18
        and         v29.16b, v28.16b, v27.16b                   // t26 = t21 t23
        eor         v30.16b, v28.16b, v14.16b                   // t25 = t21 ^ t22
        and         v31.16b, v28.16b, v26.16b                   // t38 = t21 t24
        eor         v0.16b, v27.16b, v26.16b                    // t30 = t23 ^ t24
        and         v1.16b, v14.16b, v27.16b                    // t35 = t22 t23
        eor         v2.16b, v14.16b, v29.16b                    // t31 = t22 ^ t26
        eor         v4.16b, v26.16b, v29.16b                    // t27 = t24 ^ t26
        bic         v30.16b, v30.16b, v31.16b                   // t39 = t25 (1 ^ t38)
        bic         v31.16b, v0.16b, v1.16b                     // t36 = t30 (1 ^ t35)
        bsl         v2.16b, v27.16b, v26.16b                    // t33 = t31 ? t23 : t24 = t31 (t23 ^ t24) ^ t24
        bit         v14.16b, v28.16b, v4.16b                    // t29 = t27 ? t21 : t22 = t27 (t21 ^ t22) ^ t22
        eor         v26.16b, v29.16b, v30.16b                   // t40 = t26 ^ t39
        eor         v27.16b, v29.16b, v31.16b                   // t37 = t26 ^ t36
        and         v13.16b, v2.16b, v13.16b                    // z11 = t33 y4
        eor         v28.16b, v14.16b, v2.16b                    // t42 = t29 ^ t33
        eor         v29.16b, v14.16b, v26.16b                   // t43 = t29 ^ t40
        and         v8.16b, v14.16b, v8.16b                     // z14 = t29 y2
        eor         v30.16b, v2.16b, v27.16b                    // t44 = t33 ^ t37
        eor         v31.16b, v26.16b, v27.16b                   // t41 = t40 ^ t37
        and         v12.16b, v14.16b, v12.16b                   // z5 = t29 y7
        and         v10.16b, v27.16b, v10.16b                   // z10 = t37 y3
        and         v14.16b, v29.16b, v17.16b                   // z3 = t43 y16
        and         v17.16b, v28.16b, v23.16b                   // z6 = t42 y11
        and         v19.16b, v30.16b, v19.16b                   // z9 = t44 y12
        and         v18.16b, v31.16b, v18.16b                   // z17 = t41 y8
        and         v15.16b, v30.16b, v15.16b                   // z0 = t44 y15
        and         v23.16b, v31.16b, v24.16b                   // z8 = t41 y10
        and         v21.16b, v29.16b, v21.16b                   // z12 = t43 y13
        eor         v13.16b, v13.16b, v10.16b                   // p15 = z11 ^ z10
        eor         v10.16b, v10.16b, v19.16b                   // p6 = z10 ^ z9
        eor         v19.16b, v28.16b, v31.16b                   // t45 = t42 ^ t41
        and         v24.16b, v28.16b, v3.16b                    // z15 = t42 a3
        eor         v8.16b, v8.16b, v18.16b                     // p3 = z14 ^ z17
        and         v20.16b, v26.16b, v20.16b                   // z4 = t40 y1
        and         v16.16b, v26.16b, v16.16b                   // z13 = t40 y5
        eor         v14.16b, v14.16b, v17.16b                   // p1 = z3 ^ z6
        eor         v12.16b, v12.16b, v23.16b                   // p0 = z5 ^ z8
        and         v9.16b, v2.16b, v9.16b                      // z2 = t33 y0
        eor         v13.16b, v18.16b, v13.16b                   // p16 = z17 ^ p15
        eor         v18.16b, v21.16b, v24.16b                   // p10 = z12 ^ z15
        eor         v15.16b, v15.16b, v17.16b                   // p14 = z0 ^ z6
        eor         v16.16b, v16.16b, v8.16b                    // p4 = z13 ^ p3
        eor         v10.16b, v24.16b, v10.16b                   // p7 = z15 ^ p6
        eor         v17.16b, v20.16b, v12.16b                   // p8 = z4 ^ p0
        eor         v12.16b, v12.16b, v14.16b                   // p2 = p0 ^ p1
        and         v14.16b, v19.16b, v25.16b                   // z16 = t45 y14
        and         v19.16b, v19.16b, v22.16b                   // z7 = t45 y17
        and         v11.16b, v27.16b, v11.16b                   // z1 = t37 y6
        eor         v9.16b, v9.16b, v23.16b                     // p12 = z2 ^ z8
        eor         v13.16b, v15.16b, v13.16b                   // p17 = p14 ^ p16
        eor         v8.16b, v8.16b, v18.16b                     // s6 = p3 ^ p10
        eor         v17.16b, v10.16b, v17.16b                   // p9 = p7 ^ p8
        eor         v14.16b, v14.16b, v19.16b                   // p19 = z16 ^ z7
        eor         v18.16b, v12.16b, v16.16b                   // p5 = p2 ^ p4
        eor         v16.16b, v19.16b, v16.16b                   // p22 = z7 ^ p4
        eor         v11.16b, v11.16b, v13.16b                   // p18 = z1 ^ p17
        eor         v9.16b, v9.16b, v8.16b                      // p13 = p12 ^ s6
        eor         v14.16b, v14.16b, v17.16b                   // s1 = p19 ^ p9
        eor         v13.16b, v13.16b, v18.16b                   // p21 = p17 ^ p5
        eor         v10.16b, v10.16b, v18.16b                   // s4 = p7 ^ p5
        eor         v17.16b, v17.16b, v11.16b                   // s2 = p9 ^ p18
        eor         v15.16b, v15.16b, v9.16b                    // s7 = p14 ^ p13
        eor         v11.16b, v11.16b, v16.16b                   // s5 = p18 ^ p22
        eor         v12.16b, v12.16b, v14.16b                   // s0 = p2 ^ s1
        eor         v9.16b, v9.16b, v13.16b                     // s3 = p13 ^ p21
        cmp         keys, layout
        b.eq        4f

        // AddRoundKey, InvMixColumns
        ldp         q13, q16, [keys]                            // round key
        ldp         q18, q19, [keys, #32]
        ldp         q20, q21, [keys, #64]
        ldp         q22, q23, [keys, #96]
        ldp         q24, q25, [x9]                              // permutations of this round
        eor         v12.16b, v12.16b, v13.16b                   // a0 = s0 ^ k0
        eor         v13.16b, v14.16b, v16.16b                   // a1 = s1 ^ k1
        eor         v9.16b, v9.16b, v19.16b                     // a3 = s3 ^ k3
        eor         v14.16b, v15.16b, v23.16b                   // a7 = s7 ^ k7
        eor         v8.16b, v8.16b, v22.16b                     // a6 = s6 ^ k6
        eor         v15.16b, v17.16b, v18.16b                   // a2 = s2 ^ k2
        tbl         v16.16b, {v12.16b}, v25.16b                 // g0 = a0 of two rows on
        tbl         v17.16b, {v13.16b}, v25.16b                 // g1 = a1 of two rows on
        tbl         v18.16b, {v9.16b}, v25.16b                  // g3 = a3 of two rows on
        eor         v11.16b, v11.16b, v21.16b                   // a5 = s5 ^ k5
        eor         v10.16b, v10.16b, v20.16b                   // a4 = s4 ^ k4
        tbl         v19.16b, {v15.16b}, v25.16b                 // g2 = a2 of two rows on
        eor         v16.16b, v12.16b, v16.16b                   // u0 = a0 ^ g0
        eor         v17.16b, v13.16b, v17.16b                   // u1 = a1 ^ g1
        tbl         v20.16b, {v14.16b}, v25.16b                 // g7 = a7 of two rows on
        tbl         v21.16b, {v8.16b}, v25.16b                  // g6 = a6 of two rows on
        eor         v18.16b, v9.16b, v18.16b                    // u3 = a3 ^ g3
        tbl         v22.16b, {v11.16b}, v25.16b                 // g5 = a5 of two rows on
        eor         v16.16b, v15.16b, v16.16b
        eor         v9.16b, v9.16b, v17.16b
        eor         v15.16b, v15.16b, v19.16b                   // u2 = a2 ^ g2
        eor         v17.16b, v8.16b, v21.16b                    // u6 = a6 ^ g6
        eor         v19.16b, v14.16b, v20.16b                   // u7 = a7 ^ g7
        eor         v20.16b, v11.16b, v22.16b                   // u5 = a5 ^ g5
        tbl         v21.16b, {v10.16b}, v25.16b                 // g4 = a4 of two rows on
        eor         v11.16b, v11.16b, v18.16b
        eor         v15.16b, v10.16b, v15.16b
        eor         v12.16b, v12.16b, v17.16b                   // b0 = a0 ^ u6
        eor         v9.16b, v9.16b, v17.16b                     // b3 = a3 ^ u1 ^ u6
        eor         v17.16b, v17.16b, v19.16b                   // u67 = u6 ^ u7
        eor         v10.16b, v10.16b, v21.16b                   // u4 = a4 ^ g4
        eor         v16.16b, v16.16b, v19.16b                   // b2 = a2 ^ u0 ^ u7
        eor         v14.16b, v14.16b, v20.16b                   // b7 = a7 ^ u5
        eor         v11.16b, v11.16b, v19.16b                   // b5 = a5 ^ u3 ^ u7
        tbl         v18.16b, {v9.16b}, v24.16b                  // n3 = b3 of the next row
        eor         v13.16b, v13.16b, v17.16b                   // b1 = a1 ^ u67
        eor         v8.16b, v8.16b, v10.16b                     // b6 = a6 ^ u4
        tbl         v10.16b, {v16.16b}, v24.16b                 // n2 = b2 of the next row
        eor         v15.16b, v15.16b, v17.16b                   // b4 = a4 ^ u2 ^ u67
        tbl         v17.16b, {v12.16b}, v24.16b                 // n0 = b0 of the next row
        eor         v9.16b, v9.16b, v18.16b                     // t3 = b3 ^ n3
        tbl         v19.16b, {v11.16b}, v24.16b                 // n5 = b5 of the next row
        tbl         v20.16b, {v8.16b}, v24.16b                  // n6 = b6 of the next row
        eor         v16.16b, v16.16b, v10.16b                   // t2 = b2 ^ n2
        tbl         v21.16b, {v15.16b}, v24.16b                 // n4 = b4 of the next row
        eor         v12.16b, v12.16b, v17.16b                   // t0 = b0 ^ n0
        tbl         v22.16b, {v13.16b}, v24.16b                 // n1 = b1 of the next row
        eor         v11.16b, v11.16b, v19.16b                   // t5 = b5 ^ n5
        eor         v8.16b, v8.16b, v20.16b                     // t6 = b6 ^ n6
        tbl         v23.16b, {v14.16b}, v24.16b                 // n7 = b7 of the next row
        eor         v15.16b, v15.16b, v21.16b                   // t4 = b4 ^ n4
        eor         v21.16b, v21.16b, v9.16b
        eor         v13.16b, v13.16b, v22.16b                   // t1 = b1 ^ n1
        eor         v22.16b, v22.16b, v12.16b
        tbl         v24.16b, {v8.16b}, v25.16b                  // f6 = t6 of two rows on
        eor         v14.16b, v14.16b, v23.16b                   // t7 = b7 ^ n7
        eor         v8.16b, v23.16b, v8.16b
        eor         v18.16b, v18.16b, v16.16b
        eor         v10.16b, v10.16b, v13.16b
        tbl         v13.16b, {v13.16b}, v25.16b                 // f1 = t1 of two rows on
        eor         v19.16b, v19.16b, v15.16b
        eor         v17.16b, v17.16b, v14.16b
        eor         v22.16b, v22.16b, v14.16b
        eor         v18.16b, v18.16b, v14.16b
        eor         v20.16b, v20.16b, v11.16b
        tbl         v12.16b, {v12.16b}, v25.16b                 // f0 = t0 of two rows on
        eor         v21.16b, v21.16b, v14.16b
        tbl         v14.16b, {v14.16b}, v25.16b                 // f7 = t7 of two rows on
        tbl         v11.16b, {v11.16b}, v25.16b                 // f5 = t5 of two rows on
        tbl         v16.16b, {v16.16b}, v25.16b                 // f2 = t2 of two rows on
        tbl         v9.16b, {v9.16b}, v25.16b                   // f3 = t3 of two rows on
        eor         v0.16b, v17.16b, v12.16b                    // o0 = n0 ^ t7 ^ f0
        tbl         v12.16b, {v15.16b}, v25.16b                 // f4 = t4 of two rows on
        eor         v7.16b, v8.16b, v14.16b                     // o7 = n7 ^ t6 ^ f7
        eor         v5.16b, v19.16b, v11.16b                    // o5 = n5 ^ t4 ^ f5
        eor         v6.16b, v20.16b, v24.16b                    // o6 = n6 ^ t5 ^ f6
        eor         v1.16b, v22.16b, v13.16b                    // o1 = n1 ^ t0 ^ t7 ^ f1
        eor         v3.16b, v18.16b, v9.16b                     // o3 = n3 ^ t2 ^ t7 ^ f3
        eor         v4.16b, v21.16b, v12.16b                    // o4 = n4 ^ t3 ^ t7 ^ f4
        eor         v2.16b, v10.16b, v16.16b                    // o2 = n2 ^ t1 ^ f2
        add         place, place, #96
        and         place, place, #127
        sub         keys, keys, #128
        add         permutation, permutations, place
        b           3b

4:
        ldp         q13, q16, [keys]
        ldp         q18, q19, [keys, #32]
        ldp         q20, q21, [keys, #64]
        ldp         q22, q23, [keys, #96]
        eor         v0.16b, v12.16b, v13.16b
        eor         v1.16b, v14.16b, v16.16b
        eor         v2.16b, v17.16b, v18.16b
        eor         v3.16b, v9.16b, v19.16b
        eor         v4.16b, v10.16b, v20.16b
        eor         v5.16b, v11.16b, v21.16b
        eor         v6.16b, v8.16b, v22.16b
        eor         v7.16b, v15.16b, v23.16b

        aes_neon_decrypt_transpose
        aes_neon_decrypt_xor_tweaks
        cmn         count, #8                                   // fewer than eight were left: -7 .. -1
        b.hs        6f
        stp         q0, q1, [output]
        stp         q2, q3, [output, #32]
        stp         q4, q5, [output, #64]
        stp         q6, q7, [output, #96]
        add         output, output, #128
        aes_neon_decrypt_tweak 0
        aes_neon_decrypt_tweak 1
        aes_neon_decrypt_tweak 2
        aes_neon_decrypt_tweak 3
        aes_neon_decrypt_tweak 4
        aes_neon_decrypt_tweak 5
        aes_neon_decrypt_tweak 6
        aes_neon_decrypt_tweak 7
        cbnz        count, 1b
        ldr         q0, [sp]
        b           8f

5:      ldr         q0, [input]                                 // one to seven blocks, count + 8
        cmn         count, #6
        b.lo        2b
        ldr         q1, [input, #16]
        b.eq        2b
        ldr         q2, [input, #32]
        cmn         count, #4
        b.lo        2b
        ldr         q3, [input, #48]
        b.eq        2b
        ldr         q4, [input, #64]
        cmn         count, #2
        b.lo        2b
        ldr         q5, [input, #80]
        b.eq        2b
        ldr         q6, [input, #96]
        b           2b

6:      str         q0, [output]
        cmn         count, #6
        b.lo        7f
        str         q1, [output, #16]
        b.eq        7f
        str         q2, [output, #32]
        cmn         count, #4
        b.lo        7f
        str         q3, [output, #48]
        b.eq        7f
        str         q4, [output, #64]
        cmn         count, #2
        b.lo        7f
        str         q5, [output, #80]
        b.eq        7f
        str         q6, [output, #96]
7:      add         count, count, #8                            // the tweak after the last block
        add         x8, sp, count, lsl #4
        ldr         q0, [x8]

8:      str         q0, [tweak]
        .irp        n, 0, 1, 2, 3, 4, 5, 6, 7                   // leave nothing of keys, tweaks or blocks behind
        movi        v\n\().16b, #0
        .endr
        .irp        n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        movi        v\n\().16b, #0
        .endr
        stp         q0, q1, [sp]
        stp         q0, q1, [sp, #32]
        stp         q0, q1, [sp, #64]
        stp         q0, q1, [sp, #96]
        mov         lo, #0
        mov         hi, #0
        mov         reduce, #0
        ldp         d8, d9, [sp, #128]
        ldp         d10, d11, [sp, #144]
        ldp         d12, d13, [sp, #160]
        ldp         d14, d15, [sp, #176]
        add         sp, sp, #192
        .cfi_def_cfa_offset 0
        .cfi_restore d8
        .cfi_restore d9
        .cfi_restore d10
        .cfi_restore d11
        .cfi_restore d12
        .cfi_restore d13
        .cfi_restore d14
        .cfi_restore d15
9:      ret
        .cfi_endproc

        .balign     16
.Laes_neon_decrypt_permutations:                            // position r + 4 c: row r, column c
        .byte        1,  2,  3,  0,  5,  6,  7,  4,  9, 10, 11,  8, 13, 14, 15, 12  // i mod 4 = 0: the next row
        .byte        2,  3,  0,  1,  6,  7,  4,  5, 10, 11,  8,  9, 14, 15, 12, 13  // two rows on
        .byte        5,  6,  7,  4,  9, 10, 11,  8, 13, 14, 15, 12,  1,  2,  3,  0  // i mod 4 = 1: the next row
        .byte       10, 11,  8,  9, 14, 15, 12, 13,  2,  3,  0,  1,  6,  7,  4,  5  // two rows on
        .byte        9, 10, 11,  8, 13, 14, 15, 12,  1,  2,  3,  0,  5,  6,  7,  4  // i mod 4 = 2: the next row
        .byte        2,  3,  0,  1,  6,  7,  4,  5, 10, 11,  8,  9, 14, 15, 12, 13  // two rows on
        .byte       13, 14, 15, 12,  1,  2,  3,  0,  5,  6,  7,  4,  9, 10, 11,  8  // i mod 4 = 3: the next row
        .byte       10, 11,  8,  9, 14, 15, 12, 13,  2,  3,  0,  1,  6,  7,  4,  5  // two rows on
        .byte        0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15  // nothing
        .byte        0,  9,  2, 11,  4, 13,  6, 15,  8,  1, 10,  3, 12,  5, 14,  7  // SR^2

.purgem aes_neon_decrypt_tweak
.purgem aes_neon_decrypt_swap4
.purgem aes_neon_decrypt_swap
.purgem aes_neon_decrypt_transpose
.purgem aes_neon_decrypt_xor_tweaks

        .unreq  layout
        .unreq  tweak
        .unreq  input
        .unreq  output
        .unreq  count
        .unreq  rounds
        .unreq  place
        .unreq  lo
        .unreq  hi
        .unreq  reduce
        .unreq  permutation
        .unreq  permutations
        .unreq  poly
        .unreq  keys
        .unreq  first_key
        .unreq  unshift
        .unreq  start
