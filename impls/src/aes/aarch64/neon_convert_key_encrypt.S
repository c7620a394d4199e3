// AES round keys, bit-sliced: AArch64, Advanced SIMD
//
//     convert_key_encrypt(schedule: *const u8, layout: *mut u8, rounds: u32)
//
//     For i = 0 .. R, R = rounds:  k := SR^-i(w(i) ^ c(i)),  where w(0) .. w(R) are the 16-byte round keys of
//     schedule,
//     SR is ShiftRows, c(0) = 0 and c(i) = 0x63 in every byte for i > 0; and
//     byte p of layout[i][b] := 0xff if bit b of byte p of k is 1, otherwise 0, for b = 0 .. 7.
//     The layout serves both directions.
//
// Source
//     FIPS 197, sections 5.1.2 (ShiftRows), 5.1.4 (AddRoundKey). See the encryption of this tier for the use of SR
//     and 0x63.
//
// Arguments
//     x0  schedule  16 (R + 1) bytes, at any address (normal memory, SCTLR_ELx.A = 0: unaligned access allowed);
//                   read only
//     x1  layout    128 (R + 1) bytes (1920 for 14 rounds), at any address; written, disjoint from schedule
//     w2  rounds    10, 12 or 14; the upper half of x2 is ignored
//
// Registers
//     x0   next round key                     v0         round key
//     x1   next layout                        v1         0x63, 0 for the first key
//     x2   round keys left, less one          v2 .. v5   SR^-i for i mod 4 = 0 .. 3 (in turn, v2 first)
//     x3   permutations                       v6         permutation of the next round
//                                             v7         0x63
//                                             v16 .. v23 one bit in every byte, bits 0 .. 7
//                                             v24 .. v31 the bits of the round key
//
// Stack
//     Not used.
//
// Cleared
//     v0 and v24 .. v31 are zero. All else only ever held addresses, a counter and constants.
//
// Notes
//   - Armv8-A with Advanced SIMD, little-endian AArch64 state; position-independent.
//   - Nothing but schedule, layout and the constants is read or written.
//   - Branches compare a counter alone, which is public; no address depends on the key.

        schedule     .req    x0
        layout       .req    x1
        rounds       .req    w2
        permutations .req    x3

        .cfi_startproc
        hint        #34                                         // bti c
        adr         permutations, .Laes_neon_convert_key_encrypt_permutations
        ldp         q2, q3, [permutations]
        ldp         q4, q5, [permutations, #32]
        movi        v1.16b, #0
        movi        v7.16b, #0x63
        movi        v16.16b, #0x01
        movi        v17.16b, #0x02
        movi        v18.16b, #0x04
        movi        v19.16b, #0x08
        movi        v20.16b, #0x10
        movi        v21.16b, #0x20
        movi        v22.16b, #0x40
        movi        v23.16b, #0x80
1:      ldr         q0, [schedule], #16
        eor         v0.16b, v0.16b, v1.16b
        mov         v1.16b, v7.16b
        tbl         v0.16b, {v0.16b}, v2.16b
        mov         v6.16b, v2.16b                              // the permutations move on
        mov         v2.16b, v3.16b
        mov         v3.16b, v4.16b
        mov         v4.16b, v5.16b
        mov         v5.16b, v6.16b
        cmtst       v24.16b, v0.16b, v16.16b
        cmtst       v25.16b, v0.16b, v17.16b
        cmtst       v26.16b, v0.16b, v18.16b
        cmtst       v27.16b, v0.16b, v19.16b
        cmtst       v28.16b, v0.16b, v20.16b
        cmtst       v29.16b, v0.16b, v21.16b
        cmtst       v30.16b, v0.16b, v22.16b
        cmtst       v31.16b, v0.16b, v23.16b
        stp         q24, q25, [layout]
        stp         q26, q27, [layout, #32]
        stp         q28, q29, [layout, #64]
        stp         q30, q31, [layout, #96]
        add         layout, layout, #128
        subs        rounds, rounds, #1
        b.pl        1b

        .irp        n, 0, 24, 25, 26, 27, 28, 29, 30, 31        // leave nothing of the key behind
        movi        v\n\().16b, #0
        .endr
        ret
        .cfi_endproc

        .balign     16
.Laes_neon_convert_key_encrypt_permutations:                    // SR^-i
        .byte        0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15
        .byte        0, 13, 10,  7,  4,  1, 14, 11,  8,  5,  2, 15, 12,  9,  6,  3
        .byte        0,  9,  2, 11,  4, 13,  6, 15,  8,  1, 10,  3, 12,  5, 14,  7
        .byte        0,  5, 10, 15,  4,  9, 14,  3,  8, 13,  2,  7, 12,  1,  6, 11

        .unreq  schedule
        .unreq  layout
        .unreq  rounds
        .unreq  permutations
