// AES-XTS decryption: AArch64, integer registers, bit-sliced, four blocks at a time, constant-time
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
//     S-box: J. Boyar, R. Peralta, "A new combinational logic minimization technique with applications to
//     cryptology", SEA 2010, and "A depth-16 circuit for the AES S-box", 2011.
//     Without ShiftRows: A. Adomnicai, T. Peyrin, "Fixslicing AES-like ciphers", CHES 2021.
//
// Technique
//   - A register per bit b holds bit b of the 64 bytes of four blocks: bit 16 r + 4 c + j is that of row r, column c,
//     block j. Rows are rotated by rotating the register, which is free in the operand of a xor; columns by a mask.
//   - The S-box is a circuit in the manner of Boyar and Peralta: linear layer (y), products that go into an inversion
//     in GF(2^4) (t), products with its result (z), linear layer (s). Inverted is c a^(2^k) in place of a, with c =
//     0x83, k = 1: over GF(2) that changes the linear layers only, and of all 2040 choices this is one of those with
//     the shortest and shallowest. The constant 0x63 is in the round keys. It is a routine within this one (label 9);
//     its values stay in registers.
//   - ShiftRows is left out: the state after round i is kept as SR^-i(state), SR being ShiftRows on positions. So are
//     the round keys, in the layout. In MixColumns of round i the next row is then rotated by i columns, and that
//     after the next by 2 i: there are four MixColumns. A rotation of the whole register is left to the use of a
//     value. Only the ciphertext has to be permuted, by SR^-R, at the beginning.
//   - InvMixColumns is MixColumns of a ^ 4 (a ^ a two rows on). With n = b of the next row and t = b ^ n, MixColumns
//     is 2 t ^ n ^ (t two rows on).
//   - Fewer than four blocks are done as four. Lanes without a block work on what their registers hold, and are not
//     stored.
//
// Arguments
//     x0  layout  round keys of this tier's convert_key_encrypt, read backwards: 64 (R + 1) bytes, R = rounds,
//                 aligned to 16; read only
//     x1  tweak   16 bytes, at any address; read and written
//     x2  input   16 count bytes, at any address (normal memory, SCTLR_ELx.A = 0: unaligned access allowed);
//                 read only
//     x3  output  16 count bytes, at any address; equal to input, or disjoint from it
//     x4  count   number of blocks; with 0 no memory is touched
//     w5  rounds  10, 12 or 14; the upper half of x5 is ignored
//
// Registers
//     x0         next round key                x1 .. x17, x19 .. x29  state, and values named at the right of the
//     x30        return address of the S-box                         instructions; before and after the rounds:
//                                              x1 .. x8    halves of four blocks (x1, x5 are one block), or bits
//                                              x9 .. x17   temporaries, addresses, count
//
// Stack, 240 bytes
//     sp + 0    tweaks of four blocks, and of the one after
//     sp + 80   layout, tweak, input, output, blocks left less four, last round key, blocks of this step, rounds
//     sp + 144  x19 .. x30 of the caller
//
// Cleared
//     x1 .. x17 and the tweaks on the stack are zero, x19 .. x30 are the caller's again. x0 is an address.
//
// Notes
//   - Armv8-A, little-endian AArch64 state; position-independent.
//   - Nothing but layout, tweak, input, output and the stack above is read or written.
//   - Branches compare count and rounds alone, which are public; no address depends on anything secret.

        keys         .req    x0

// Four tweaks, and the one after, to the stack: from x10:x9, the first of them
.macro  aes_scalar_decrypt_tweaks
        mov         x11, #0x87
        .irp        j, 0, 1, 2, 3
        and         x12, x11, x10, asr #63                      // 0x87 if a bit is shifted out
        stp         x9, x10, [sp, #16 * \j]
        extr        x10, x10, x9, #63
        eor         x9, x12, x9, lsl #1
        .endr
        stp         x9, x10, [sp, #64]
.endm

// x1 .. x8 := x1 .. x8 ^ the tweaks
.macro  aes_scalar_decrypt_xor_tweaks
        ldp         x10, x11, [sp]
        ldp         x12, x13, [sp, #16]
        ldp         x14, x15, [sp, #32]
        ldp         x16, x17, [sp, #48]
        eor         x1, x1, x10
        eor         x5, x5, x11
        eor         x2, x2, x12
        eor         x6, x6, x13
        eor         x3, x3, x14
        eor         x7, x7, x15
        eor         x4, x4, x16
        eor         x8, x8, x17
.endm

// The high half of a changes places with the low half of b
.macro  aes_scalar_decrypt_swap32 a, b
        mov         x10, \a
        bfi         \a, \b, #32, #32
        bfxil       \b, x10, #32, #32
.endm

// In two pairs (a, b) the bits of b under the mask change places with the bits of a n places to the left
.macro  aes_scalar_decrypt_swap n, mask, a0, b0, a1, b1
        eor         x10, \b0, \a0, lsr #\n
        eor         x11, \b1, \a1, lsr #\n
        and         x10, x10, #\mask
        and         x11, x11, #\mask
        eor         \b0, \b0, x10
        eor         \b1, \b1, x11
        eor         \a0, \a0, x10, lsl #\n
        eor         \a1, \a1, x11, lsl #\n
.endm

// In a and b the bits under the mask change places with the bits n places to the left
.macro  aes_scalar_decrypt_swap_within n, mask, a, b
        eor         x10, \a, \a, lsr #\n
        eor         x11, \b, \b, lsr #\n
        and         x10, x10, #\mask
        and         x11, x11, #\mask
        eor         \a, \a, x10
        eor         \b, \b, x11
        eor         \a, \a, x10, lsl #\n
        eor         \b, \b, x11, lsl #\n
.endm

// The same in all of x1 .. x8
.macro  aes_scalar_decrypt_swap_within_all n, mask
        aes_scalar_decrypt_swap_within \n, \mask, x1, x2
        aes_scalar_decrypt_swap_within \n, \mask, x3, x4
        aes_scalar_decrypt_swap_within \n, \mask, x5, x6
        aes_scalar_decrypt_swap_within \n, \mask, x7, x8
.endm

// Columns 1 and 2 of the blocks change places; these two steps are their own inverses
.macro  aes_scalar_decrypt_swap_columns
        aes_scalar_decrypt_swap32  x1, x5
        aes_scalar_decrypt_swap32  x2, x6
        aes_scalar_decrypt_swap32  x3, x7
        aes_scalar_decrypt_swap32  x4, x8
.endm

// Bits of the bytes change places with the numbers of the registers
.macro  aes_scalar_decrypt_transpose
        aes_scalar_decrypt_swap    4, 0x0f0f0f0f0f0f0f0f, x1, x5, x2, x6
        aes_scalar_decrypt_swap    4, 0x0f0f0f0f0f0f0f0f, x3, x7, x4, x8
        aes_scalar_decrypt_swap    2, 0x3333333333333333, x1, x3, x2, x4
        aes_scalar_decrypt_swap    2, 0x3333333333333333, x5, x7, x6, x8
        aes_scalar_decrypt_swap    1, 0x5555555555555555, x1, x2, x3, x4
        aes_scalar_decrypt_swap    1, 0x5555555555555555, x5, x6, x7, x8
.endm

        .cfi_startproc
        hint        #34                                         // bti c
        cbz         x4, 7f

        sub         sp, sp, #240
        .cfi_def_cfa_offset 240
        stp         x19, x20, [sp, #144]
        stp         x21, x22, [sp, #160]
        stp         x23, x24, [sp, #176]
        stp         x25, x26, [sp, #192]
        stp         x27, x28, [sp, #208]
        stp         x29, x30, [sp, #224]
        .cfi_rel_offset x19, 144
        .cfi_rel_offset x20, 152
        .cfi_rel_offset x21, 160
        .cfi_rel_offset x22, 168
        .cfi_rel_offset x23, 176
        .cfi_rel_offset x24, 184
        .cfi_rel_offset x25, 192
        .cfi_rel_offset x26, 200
        .cfi_rel_offset x27, 208
        .cfi_rel_offset x28, 216
        .cfi_rel_offset x29, 224
        .cfi_rel_offset x30, 232
        mov         w5, w5                                      // the upper half is junk
        add         x6, x0, x5, lsl #6                          // k(R)
        ldp         x9, x10, [x1]
        stp         x0, x1, [sp, #80]
        stp         x2, x3, [sp, #96]
        str         x0, [sp, #120]
        str         x5, [sp, #136]
        mov         x15, x4
        mov         x14, x2
1:      aes_scalar_decrypt_tweaks
        mov         x13, #4
        subs        x15, x15, #4                                // blocks left, less four
        add         x17, x15, #4
        csel        x13, x13, x17, hs                           // blocks of this step
        str         x15, [sp, #112]
        str         x13, [sp, #128]
        ldp         x1, x5, [x14]
        cmp         x13, #2
        b.lo        2f
        ldp         x2, x6, [x14, #16]
        b.eq        2f
        ldp         x3, x7, [x14, #32]
        cmp         x13, #4
        b.lo        2f
        ldp         x4, x8, [x14, #48]
2:      add         x14, x14, #64
        str         x14, [sp, #96]
        aes_scalar_decrypt_xor_tweaks
        aes_scalar_decrypt_swap_columns
        aes_scalar_decrypt_transpose
        aes_scalar_decrypt_swap_within_all 16, 0x00000000ffff0000  // from (c1, r1, r0, c0) to (r1, r0, c1, c0)
        aes_scalar_decrypt_swap_within_all 8, 0x0000ff000000ff00
        ldr         x9, [sp, #136]
        ldr         keys, [sp, #80]
        add         keys, keys, x9, lsl #6                      // k(R)
        tbz         x9, #1, 3f
        aes_scalar_decrypt_swap_within_all 8, 0x00ff000000ff0000               // SR^-2, for 10 and 14 rounds
3:
        ldp         x10, x11, [keys]
        ldp         x12, x13, [keys, #16]
        ldp         x14, x15, [keys, #32]
        ldp         x16, x17, [keys, #48]
        eor         x1, x1, x10
        eor         x2, x2, x11
        eor         x3, x3, x12
        eor         x4, x4, x13
        eor         x5, x5, x14
        eor         x6, x6, x15
        eor         x7, x7, x16
        eor         x8, x8, x17
        sub         keys, keys, #64
        ldr         x9, [sp, #136]
        tbnz        x9, #1, 4f

3:      bl          9f
        // AddRoundKey, InvMixColumns, i mod 4 = 3
        ldp         x9, x11, [keys]                             // round key
        ldp         x13, x15, [keys, #16]
        ldp         x16, x17, [keys, #48]
        ldp         x19, x20, [keys, #32]
        eor         x9, x8, x9                                  // a0 = s0 ^ k0
        eor         x11, x6, x11                                // a1 = s1 ^ k1
        eor         x13, x7, x13                                // a2 = s2 ^ k2
        eor         x10, x10, x15                               // a3 = s3 ^ k3
        eor         x15, x22, x16                               // a6 = s6 ^ k6
        eor         x16, x29, x17                               // a7 = s7 ^ k7
        eor         x12, x12, x19                               // a4 = s4 ^ k4
        eor         x14, x14, x20                               // a5 = s5 ^ k5
        and         x17, x9, #0xff00ff00ff00ff00
        and         x19, x9, #0x00ff00ff00ff00ff
        eor         x17, x19, x17, ror #16                      // g0 = a0 of two rows on, but for a rotation by 24
        and         x19, x11, #0xff00ff00ff00ff00
        and         x20, x11, #0x00ff00ff00ff00ff
        and         x21, x13, #0xff00ff00ff00ff00
        eor         x19, x20, x19, ror #16                      // g1 = a1 of two rows on, but for a rotation by 24
        and         x20, x13, #0x00ff00ff00ff00ff
        eor         x20, x20, x21, ror #16                      // g2 = a2 of two rows on, but for a rotation by 24
        and         x21, x10, #0xff00ff00ff00ff00
        and         x22, x10, #0x00ff00ff00ff00ff
        and         x23, x15, #0xff00ff00ff00ff00
        eor         x21, x22, x21, ror #16                      // g3 = a3 of two rows on, but for a rotation by 24
        and         x22, x15, #0x00ff00ff00ff00ff
        eor         x22, x22, x23, ror #16                      // g6 = a6 of two rows on, but for a rotation by 24
        and         x23, x16, #0xff00ff00ff00ff00
        and         x24, x16, #0x00ff00ff00ff00ff
        and         x25, x12, #0xff00ff00ff00ff00
        eor         x23, x24, x23, ror #16                      // g7 = a7 of two rows on, but for a rotation by 24
        and         x24, x12, #0x00ff00ff00ff00ff
        eor         x24, x24, x25, ror #16                      // g4 = a4 of two rows on, but for a rotation by 24
        and         x25, x14, #0xff00ff00ff00ff00
        and         x26, x14, #0x00ff00ff00ff00ff
        eor         x17, x9, x17, ror #24                       // u0 = a0 ^ g0
        eor         x25, x26, x25, ror #16                      // g5 = a5 of two rows on, but for a rotation by 24
        eor         x19, x11, x19, ror #24                      // u1 = a1 ^ g1
        eor         x20, x13, x20, ror #24                      // u2 = a2 ^ g2
        eor         x21, x10, x21, ror #24                      // u3 = a3 ^ g3
        eor         x22, x15, x22, ror #24                      // u6 = a6 ^ g6
        eor         x23, x16, x23, ror #24                      // u7 = a7 ^ g7
        eor         x13, x13, x17
        eor         x10, x10, x19
        eor         x17, x12, x24, ror #24                      // u4 = a4 ^ g4
        eor         x12, x12, x20
        eor         x19, x14, x25, ror #24                      // u5 = a5 ^ g5
        eor         x14, x14, x21
        eor         x15, x15, x17                               // b6 = a6 ^ u4
        eor         x17, x22, x23                               // u67 = u6 ^ u7
        eor         x16, x16, x19                               // b7 = a7 ^ u5
        eor         x9, x9, x22                                 // b0 = a0 ^ u6
        eor         x10, x10, x22                               // b3 = a3 ^ u1 ^ u6
        eor         x13, x13, x23                               // b2 = a2 ^ u0 ^ u7
        eor         x14, x14, x23                               // b5 = a5 ^ u3 ^ u7
        eor         x11, x11, x17                               // b1 = a1 ^ u67
        eor         x12, x12, x17                               // b4 = a4 ^ u2 ^ u67
        and         x17, x15, #0xf000f000f000f000
        and         x19, x15, #0x0fff0fff0fff0fff
        and         x20, x16, #0xf000f000f000f000
        eor         x17, x19, x17, ror #16                      // n6 = b6 of the next row, but for a rotation by 12
        and         x19, x16, #0x0fff0fff0fff0fff
        eor         x19, x19, x20, ror #16                      // n7 = b7 of the next row, but for a rotation by 12
        and         x20, x9, #0xf000f000f000f000
        and         x21, x9, #0x0fff0fff0fff0fff
        and         x22, x10, #0xf000f000f000f000
        eor         x20, x21, x20, ror #16                      // n0 = b0 of the next row, but for a rotation by 12
        and         x21, x10, #0x0fff0fff0fff0fff
        eor         x21, x21, x22, ror #16                      // n3 = b3 of the next row, but for a rotation by 12
        and         x22, x13, #0xf000f000f000f000
        and         x23, x13, #0x0fff0fff0fff0fff
        and         x24, x14, #0xf000f000f000f000
        eor         x22, x23, x22, ror #16                      // n2 = b2 of the next row, but for a rotation by 12
        and         x23, x14, #0x0fff0fff0fff0fff
        eor         x23, x23, x24, ror #16                      // n5 = b5 of the next row, but for a rotation by 12
        and         x24, x11, #0xf000f000f000f000
        and         x25, x11, #0x0fff0fff0fff0fff
        and         x26, x12, #0xf000f000f000f000
        eor         x24, x25, x24, ror #16                      // n1 = b1 of the next row, but for a rotation by 12
        and         x25, x12, #0x0fff0fff0fff0fff
        eor         x25, x25, x26, ror #16                      // n4 = b4 of the next row, but for a rotation by 12
        eor         x15, x15, x17, ror #12                      // t6 = b6 ^ n6
        eor         x16, x16, x19, ror #12                      // t7 = b7 ^ n7
        eor         x9, x9, x20, ror #12                        // t0 = b0 ^ n0
        eor         x10, x10, x21, ror #12                      // t3 = b3 ^ n3
        eor         x13, x13, x22, ror #12                      // t2 = b2 ^ n2
        eor         x14, x14, x23, ror #12                      // t5 = b5 ^ n5
        eor         x11, x11, x24, ror #12                      // t1 = b1 ^ n1
        eor         x12, x12, x25, ror #12                      // t4 = b4 ^ n4
        eor         x24, x9, x24, ror #12
        eor         x25, x10, x25, ror #12
        eor         x21, x13, x21, ror #12
        eor         x19, x15, x19, ror #12
        eor         x20, x16, x20, ror #12
        eor         x17, x14, x17, ror #12
        eor         x22, x11, x22, ror #12
        eor         x23, x12, x23, ror #12
        and         x26, x15, #0xff00ff00ff00ff00
        and         x15, x15, #0x00ff00ff00ff00ff
        and         x27, x16, #0xff00ff00ff00ff00
        eor         x15, x15, x26, ror #16                      // f6 = t6 of two rows on, but for a rotation by 24
        and         x26, x16, #0x00ff00ff00ff00ff
        eor         x26, x26, x27, ror #16                      // f7 = t7 of two rows on, but for a rotation by 24
        and         x27, x9, #0xff00ff00ff00ff00
        and         x9, x9, #0x00ff00ff00ff00ff
        eor         x7, x17, x15, ror #24                       // o6 = n6 ^ t5 ^ f6
        eor         x9, x9, x27, ror #16                        // f0 = t0 of two rows on, but for a rotation by 24
        eor         x8, x19, x26, ror #24                       // o7 = n7 ^ t6 ^ f7
        and         x15, x10, #0xff00ff00ff00ff00
        and         x10, x10, #0x00ff00ff00ff00ff
        eor         x10, x10, x15, ror #16                      // f3 = t3 of two rows on, but for a rotation by 24
        and         x15, x13, #0xff00ff00ff00ff00
        and         x13, x13, #0x00ff00ff00ff00ff
        eor         x1, x20, x9, ror #24                        // o0 = n0 ^ t7 ^ f0
        eor         x9, x13, x15, ror #16                       // f2 = t2 of two rows on, but for a rotation by 24
        and         x13, x14, #0xff00ff00ff00ff00
        and         x14, x14, #0x00ff00ff00ff00ff
        and         x15, x11, #0xff00ff00ff00ff00
        eor         x13, x14, x13, ror #16                      // f5 = t5 of two rows on, but for a rotation by 24
        and         x11, x11, #0x00ff00ff00ff00ff
        eor         x11, x11, x15, ror #16                      // f1 = t1 of two rows on, but for a rotation by 24
        and         x14, x12, #0xff00ff00ff00ff00
        and         x12, x12, #0x00ff00ff00ff00ff
        eor         x3, x22, x9, ror #24                        // o2 = n2 ^ t1 ^ f2
        eor         x9, x12, x14, ror #16                       // f4 = t4 of two rows on, but for a rotation by 24
        eor         x6, x23, x13, ror #24                       // o5 = n5 ^ t4 ^ f5
        eor         x12, x24, x16
        eor         x13, x25, x16
        eor         x14, x21, x16
        eor         x2, x12, x11, ror #24                       // o1 = n1 ^ t0 ^ t7 ^ f1
        eor         x5, x13, x9, ror #24                        // o4 = n4 ^ t3 ^ t7 ^ f4
        eor         x4, x14, x10, ror #24                       // o3 = n3 ^ t2 ^ t7 ^ f3
        sub         keys, keys, #64
        bl          9f
        // AddRoundKey, InvMixColumns, i mod 4 = 2
        ldp         x9, x11, [keys]                             // round key
        ldp         x13, x15, [keys, #16]
        ldp         x16, x17, [keys, #48]
        ldp         x19, x20, [keys, #32]
        eor         x9, x8, x9                                  // a0 = s0 ^ k0
        eor         x11, x6, x11                                // a1 = s1 ^ k1
        eor         x13, x7, x13                                // a2 = s2 ^ k2
        eor         x10, x10, x15                               // a3 = s3 ^ k3
        eor         x15, x22, x16                               // a6 = s6 ^ k6
        eor         x16, x29, x17                               // a7 = s7 ^ k7
        eor         x12, x12, x19                               // a4 = s4 ^ k4
        eor         x14, x14, x20                               // a5 = s5 ^ k5
        eor         x17, x9, x9, ror #32                        // u0 = a0 ^ a0 of two rows on
        eor         x19, x11, x11, ror #32                      // u1 = a1 ^ a1 of two rows on
        eor         x20, x13, x13, ror #32                      // u2 = a2 ^ a2 of two rows on
        eor         x21, x10, x10, ror #32                      // u3 = a3 ^ a3 of two rows on
        eor         x13, x13, x17
        eor         x10, x10, x19
        eor         x17, x15, x15, ror #32                      // u6 = a6 ^ a6 of two rows on
        eor         x19, x16, x16, ror #32                      // u7 = a7 ^ a7 of two rows on
        eor         x22, x12, x12, ror #32                      // u4 = a4 ^ a4 of two rows on
        eor         x12, x12, x20
        eor         x20, x14, x14, ror #32                      // u5 = a5 ^ a5 of two rows on
        eor         x14, x14, x21
        eor         x9, x9, x17                                 // b0 = a0 ^ u6
        eor         x10, x10, x17                               // b3 = a3 ^ u1 ^ u6
        eor         x17, x17, x19                               // u67 = u6 ^ u7
        eor         x13, x13, x19                               // b2 = a2 ^ u0 ^ u7
        eor         x15, x15, x22                               // b6 = a6 ^ u4
        eor         x16, x16, x20                               // b7 = a7 ^ u5
        eor         x14, x14, x19                               // b5 = a5 ^ u3 ^ u7
        eor         x11, x11, x17                               // b1 = a1 ^ u67
        eor         x12, x12, x17                               // b4 = a4 ^ u2 ^ u67
        and         x17, x9, #0xff00ff00ff00ff00
        and         x19, x9, #0x00ff00ff00ff00ff
        and         x20, x10, #0xff00ff00ff00ff00
        eor         x17, x19, x17, ror #16                      // n0 = b0 of the next row, but for a rotation by 8
        and         x19, x10, #0x00ff00ff00ff00ff
        eor         x19, x19, x20, ror #16                      // n3 = b3 of the next row, but for a rotation by 8
        and         x20, x13, #0xff00ff00ff00ff00
        and         x21, x13, #0x00ff00ff00ff00ff
        and         x22, x15, #0xff00ff00ff00ff00
        eor         x20, x21, x20, ror #16                      // n2 = b2 of the next row, but for a rotation by 8
        and         x21, x15, #0x00ff00ff00ff00ff
        eor         x21, x21, x22, ror #16                      // n6 = b6 of the next row, but for a rotation by 8
        and         x22, x16, #0xff00ff00ff00ff00
        and         x23, x16, #0x00ff00ff00ff00ff
        and         x24, x14, #0xff00ff00ff00ff00
        eor         x22, x23, x22, ror #16                      // n7 = b7 of the next row, but for a rotation by 8
        and         x23, x14, #0x00ff00ff00ff00ff
        eor         x23, x23, x24, ror #16                      // n5 = b5 of the next row, but for a rotation by 8
        and         x24, x11, #0xff00ff00ff00ff00
        and         x25, x11, #0x00ff00ff00ff00ff
        and         x26, x12, #0xff00ff00ff00ff00
        eor         x24, x25, x24, ror #16                      // n1 = b1 of the next row, but for a rotation by 8
        and         x25, x12, #0x00ff00ff00ff00ff
        eor         x25, x25, x26, ror #16                      // n4 = b4 of the next row, but for a rotation by 8
        eor         x9, x9, x17, ror #8                         // t0 = b0 ^ n0
        eor         x10, x10, x19, ror #8                       // t3 = b3 ^ n3
        eor         x13, x13, x20, ror #8                       // t2 = b2 ^ n2
        eor         x15, x15, x21, ror #8                       // t6 = b6 ^ n6
        eor         x16, x16, x22, ror #8                       // t7 = b7 ^ n7
        eor         x14, x14, x23, ror #8                       // t5 = b5 ^ n5
        eor         x11, x11, x24, ror #8                       // t1 = b1 ^ n1
        eor         x12, x12, x25, ror #8                       // t4 = b4 ^ n4
        eor         x24, x9, x24, ror #8
        eor         x25, x10, x25, ror #8
        eor         x19, x13, x19, ror #8
        eor         x22, x15, x22, ror #8
        eor         x17, x16, x17, ror #8
        eor         x21, x14, x21, ror #8
        eor         x20, x11, x20, ror #8
        eor         x23, x12, x23, ror #8
        eor         x1, x17, x9, ror #32                        // o0 = n0 ^ t7 ^ f0
        eor         x7, x21, x15, ror #32                       // o6 = n6 ^ t5 ^ f6
        eor         x3, x20, x13, ror #32                       // o2 = n2 ^ t1 ^ f2
        eor         x6, x23, x14, ror #32                       // o5 = n5 ^ t4 ^ f5
        eor         x9, x24, x16
        eor         x13, x25, x16
        eor         x14, x19, x16
        eor         x8, x22, x16, ror #32                       // o7 = n7 ^ t6 ^ f7
        eor         x2, x9, x11, ror #32                        // o1 = n1 ^ t0 ^ t7 ^ f1
        eor         x5, x13, x12, ror #32                       // o4 = n4 ^ t3 ^ t7 ^ f4
        eor         x4, x14, x10, ror #32                       // o3 = n3 ^ t2 ^ t7 ^ f3
        sub         keys, keys, #64
4:      bl          9f
        // AddRoundKey, InvMixColumns, i mod 4 = 1
        ldp         x9, x11, [keys]                             // round key
        ldp         x13, x15, [keys, #16]
        ldp         x16, x17, [keys, #48]
        ldp         x19, x20, [keys, #32]
        eor         x9, x8, x9                                  // a0 = s0 ^ k0
        eor         x11, x6, x11                                // a1 = s1 ^ k1
        eor         x13, x7, x13                                // a2 = s2 ^ k2
        eor         x10, x10, x15                               // a3 = s3 ^ k3
        eor         x15, x22, x16                               // a6 = s6 ^ k6
        eor         x16, x29, x17                               // a7 = s7 ^ k7
        eor         x12, x12, x19                               // a4 = s4 ^ k4
        eor         x14, x14, x20                               // a5 = s5 ^ k5
        and         x17, x9, #0xff00ff00ff00ff00
        and         x19, x9, #0x00ff00ff00ff00ff
        eor         x17, x19, x17, ror #16                      // g0 = a0 of two rows on, but for a rotation by 24
        and         x19, x11, #0xff00ff00ff00ff00
        and         x20, x11, #0x00ff00ff00ff00ff
        and         x21, x13, #0xff00ff00ff00ff00
        eor         x19, x20, x19, ror #16                      // g1 = a1 of two rows on, but for a rotation by 24
        and         x20, x13, #0x00ff00ff00ff00ff
        eor         x20, x20, x21, ror #16                      // g2 = a2 of two rows on, but for a rotation by 24
        and         x21, x10, #0xff00ff00ff00ff00
        and         x22, x10, #0x00ff00ff00ff00ff
        and         x23, x15, #0xff00ff00ff00ff00
        eor         x21, x22, x21, ror #16                      // g3 = a3 of two rows on, but for a rotation by 24
        and         x22, x15, #0x00ff00ff00ff00ff
        eor         x22, x22, x23, ror #16                      // g6 = a6 of two rows on, but for a rotation by 24
        and         x23, x16, #0xff00ff00ff00ff00
        and         x24, x16, #0x00ff00ff00ff00ff
        and         x25, x12, #0xff00ff00ff00ff00
        eor         x23, x24, x23, ror #16                      // g7 = a7 of two rows on, but for a rotation by 24
        and         x24, x12, #0x00ff00ff00ff00ff
        eor         x24, x24, x25, ror #16                      // g4 = a4 of two rows on, but for a rotation by 24
        and         x25, x14, #0xff00ff00ff00ff00
        and         x26, x14, #0x00ff00ff00ff00ff
        eor         x17, x9, x17, ror #24                       // u0 = a0 ^ g0
        eor         x25, x26, x25, ror #16                      // g5 = a5 of two rows on, but for a rotation by 24
        eor         x19, x11, x19, ror #24                      // u1 = a1 ^ g1
        eor         x20, x13, x20, ror #24                      // u2 = a2 ^ g2
        eor         x21, x10, x21, ror #24                      // u3 = a3 ^ g3
        eor         x22, x15, x22, ror #24                      // u6 = a6 ^ g6
        eor         x23, x16, x23, ror #24                      // u7 = a7 ^ g7
        eor         x13, x13, x17
        eor         x10, x10, x19
        eor         x17, x12, x24, ror #24                      // u4 = a4 ^ g4
        eor         x12, x12, x20
        eor         x19, x14, x25, ror #24                      // u5 = a5 ^ g5
        eor         x14, x14, x21
        eor         x15, x15, x17                               // b6 = a6 ^ u4
        eor         x17, x22, x23                               // u67 = u6 ^ u7
        eor         x16, x16, x19                               // b7 = a7 ^ u5
        eor         x9, x9, x22                                 // b0 = a0 ^ u6
        eor         x10, x10, x22                               // b3 = a3 ^ u1 ^ u6
        eor         x13, x13, x23                               // b2 = a2 ^ u0 ^ u7
        eor         x14, x14, x23                               // b5 = a5 ^ u3 ^ u7
        eor         x11, x11, x17                               // b1 = a1 ^ u67
        eor         x12, x12, x17                               // b4 = a4 ^ u2 ^ u67
        and         x17, x15, #0xfff0fff0fff0fff0
        and         x19, x15, #0x000f000f000f000f
        and         x20, x16, #0xfff0fff0fff0fff0
        eor         x17, x19, x17, ror #16                      // n6 = b6 of the next row, but for a rotation by 4
        and         x19, x16, #0x000f000f000f000f
        eor         x19, x19, x20, ror #16                      // n7 = b7 of the next row, but for a rotation by 4
        and         x20, x9, #0xfff0fff0fff0fff0
        and         x21, x9, #0x000f000f000f000f
        and         x22, x10, #0xfff0fff0fff0fff0
        eor         x20, x21, x20, ror #16                      // n0 = b0 of the next row, but for a rotation by 4
        and         x21, x10, #0x000f000f000f000f
        eor         x21, x21, x22, ror #16                      // n3 = b3 of the next row, but for a rotation by 4
        and         x22, x13, #0xfff0fff0fff0fff0
        and         x23, x13, #0x000f000f000f000f
        and         x24, x14, #0xfff0fff0fff0fff0
        eor         x22, x23, x22, ror #16                      // n2 = b2 of the next row, but for a rotation by 4
        and         x23, x14, #0x000f000f000f000f
        eor         x23, x23, x24, ror #16                      // n5 = b5 of the next row, but for a rotation by 4
        and         x24, x11, #0xfff0fff0fff0fff0
        and         x25, x11, #0x000f000f000f000f
        and         x26, x12, #0xfff0fff0fff0fff0
        eor         x24, x25, x24, ror #16                      // n1 = b1 of the next row, but for a rotation by 4
        and         x25, x12, #0x000f000f000f000f
        eor         x25, x25, x26, ror #16                      // n4 = b4 of the next row, but for a rotation by 4
        eor         x15, x15, x17, ror #4                       // t6 = b6 ^ n6
        eor         x16, x16, x19, ror #4                       // t7 = b7 ^ n7
        eor         x9, x9, x20, ror #4                         // t0 = b0 ^ n0
        eor         x10, x10, x21, ror #4                       // t3 = b3 ^ n3
        eor         x13, x13, x22, ror #4                       // t2 = b2 ^ n2
        eor         x14, x14, x23, ror #4                       // t5 = b5 ^ n5
        eor         x11, x11, x24, ror #4                       // t1 = b1 ^ n1
        eor         x12, x12, x25, ror #4                       // t4 = b4 ^ n4
        eor         x24, x9, x24, ror #4
        eor         x25, x10, x25, ror #4
        eor         x21, x13, x21, ror #4
        eor         x19, x15, x19, ror #4
        eor         x20, x16, x20, ror #4
        eor         x17, x14, x17, ror #4
        eor         x22, x11, x22, ror #4
        eor         x23, x12, x23, ror #4
        and         x26, x15, #0xff00ff00ff00ff00
        and         x15, x15, #0x00ff00ff00ff00ff
        and         x27, x16, #0xff00ff00ff00ff00
        eor         x15, x15, x26, ror #16                      // f6 = t6 of two rows on, but for a rotation by 24
        and         x26, x16, #0x00ff00ff00ff00ff
        eor         x26, x26, x27, ror #16                      // f7 = t7 of two rows on, but for a rotation by 24
        and         x27, x9, #0xff00ff00ff00ff00
        and         x9, x9, #0x00ff00ff00ff00ff
        eor         x7, x17, x15, ror #24                       // o6 = n6 ^ t5 ^ f6
        eor         x9, x9, x27, ror #16                        // f0 = t0 of two rows on, but for a rotation by 24
        eor         x8, x19, x26, ror #24                       // o7 = n7 ^ t6 ^ f7
        and         x15, x10, #0xff00ff00ff00ff00
        and         x10, x10, #0x00ff00ff00ff00ff
        eor         x10, x10, x15, ror #16                      // f3 = t3 of two rows on, but for a rotation by 24
        and         x15, x13, #0xff00ff00ff00ff00
        and         x13, x13, #0x00ff00ff00ff00ff
        eor         x1, x20, x9, ror #24                        // o0 = n0 ^ t7 ^ f0
        eor         x9, x13, x15, ror #16                       // f2 = t2 of two rows on, but for a rotation by 24
        and         x13, x14, #0xff00ff00ff00ff00
        and         x14, x14, #0x00ff00ff00ff00ff
        and         x15, x11, #0xff00ff00ff00ff00
        eor         x13, x14, x13, ror #16                      // f5 = t5 of two rows on, but for a rotation by 24
        and         x11, x11, #0x00ff00ff00ff00ff
        eor         x11, x11, x15, ror #16                      // f1 = t1 of two rows on, but for a rotation by 24
        and         x14, x12, #0xff00ff00ff00ff00
        and         x12, x12, #0x00ff00ff00ff00ff
        eor         x3, x22, x9, ror #24                        // o2 = n2 ^ t1 ^ f2
        eor         x9, x12, x14, ror #16                       // f4 = t4 of two rows on, but for a rotation by 24
        eor         x6, x23, x13, ror #24                       // o5 = n5 ^ t4 ^ f5
        eor         x12, x24, x16
        eor         x13, x25, x16
        eor         x14, x21, x16
        eor         x2, x12, x11, ror #24                       // o1 = n1 ^ t0 ^ t7 ^ f1
        eor         x5, x13, x9, ror #24                        // o4 = n4 ^ t3 ^ t7 ^ f4
        eor         x4, x14, x10, ror #24                       // o3 = n3 ^ t2 ^ t7 ^ f3
        sub         keys, keys, #64
        bl          9f
        ldr         x1, [sp, #120]
        cmp         keys, x1
        b.eq        5f
        // AddRoundKey, InvMixColumns, i mod 4 = 0
        ldp         x9, x11, [keys]                             // round key
        ldp         x13, x15, [keys, #16]
        ldp         x16, x17, [keys, #48]
        ldp         x19, x20, [keys, #32]
        eor         x9, x8, x9                                  // a0 = s0 ^ k0
        eor         x11, x6, x11                                // a1 = s1 ^ k1
        eor         x13, x7, x13                                // a2 = s2 ^ k2
        eor         x10, x10, x15                               // a3 = s3 ^ k3
        eor         x15, x22, x16                               // a6 = s6 ^ k6
        eor         x16, x29, x17                               // a7 = s7 ^ k7
        eor         x12, x12, x19                               // a4 = s4 ^ k4
        eor         x14, x14, x20                               // a5 = s5 ^ k5
        eor         x17, x9, x9, ror #32                        // u0 = a0 ^ a0 of two rows on
        eor         x19, x11, x11, ror #32                      // u1 = a1 ^ a1 of two rows on
        eor         x20, x13, x13, ror #32                      // u2 = a2 ^ a2 of two rows on
        eor         x21, x10, x10, ror #32                      // u3 = a3 ^ a3 of two rows on
        eor         x13, x13, x17
        eor         x10, x10, x19
        eor         x17, x15, x15, ror #32                      // u6 = a6 ^ a6 of two rows on
        eor         x19, x16, x16, ror #32                      // u7 = a7 ^ a7 of two rows on
        eor         x22, x12, x12, ror #32                      // u4 = a4 ^ a4 of two rows on
        eor         x12, x12, x20
        eor         x20, x14, x14, ror #32                      // u5 = a5 ^ a5 of two rows on
        eor         x14, x14, x21
        eor         x9, x9, x17                                 // b0 = a0 ^ u6
        eor         x10, x10, x17                               // b3 = a3 ^ u1 ^ u6
        eor         x17, x17, x19                               // u67 = u6 ^ u7
        eor         x13, x13, x19                               // b2 = a2 ^ u0 ^ u7
        eor         x15, x15, x22                               // b6 = a6 ^ u4
        eor         x16, x16, x20                               // b7 = a7 ^ u5
        eor         x14, x14, x19                               // b5 = a5 ^ u3 ^ u7
        eor         x11, x11, x17                               // b1 = a1 ^ u67
        eor         x12, x12, x17                               // b4 = a4 ^ u2 ^ u67
        eor         x17, x9, x9, ror #16                        // t0 = b0 ^ n0
        eor         x19, x10, x10, ror #16                      // t3 = b3 ^ n3
        eor         x20, x13, x13, ror #16                      // t2 = b2 ^ n2
        eor         x21, x15, x15, ror #16                      // t6 = b6 ^ n6
        eor         x22, x16, x16, ror #16                      // t7 = b7 ^ n7
        eor         x10, x20, x10, ror #16
        eor         x23, x14, x14, ror #16                      // t5 = b5 ^ n5
        eor         x24, x11, x11, ror #16                      // t1 = b1 ^ n1
        eor         x11, x17, x11, ror #16
        eor         x25, x12, x12, ror #16                      // t4 = b4 ^ n4
        eor         x12, x19, x12, ror #16
        eor         x16, x21, x16, ror #16
        eor         x9, x22, x9, ror #16
        eor         x15, x23, x15, ror #16
        eor         x13, x24, x13, ror #16
        eor         x14, x25, x14, ror #16
        eor         x1, x9, x17, ror #32                        // o0 = n0 ^ t7 ^ f0
        eor         x7, x15, x21, ror #32                       // o6 = n6 ^ t5 ^ f6
        eor         x3, x13, x20, ror #32                       // o2 = n2 ^ t1 ^ f2
        eor         x6, x14, x23, ror #32                       // o5 = n5 ^ t4 ^ f5
        eor         x9, x10, x22
        eor         x10, x11, x22
        eor         x11, x12, x22
        eor         x8, x16, x22, ror #32                       // o7 = n7 ^ t6 ^ f7
        eor         x4, x9, x19, ror #32                        // o3 = n3 ^ t2 ^ t7 ^ f3
        eor         x2, x10, x24, ror #32                       // o1 = n1 ^ t0 ^ t7 ^ f1
        eor         x5, x11, x25, ror #32                       // o4 = n4 ^ t3 ^ t7 ^ f4
        sub         keys, keys, #64
        b           3b

5:
        ldp         x9, x11, [keys]                             // last round key
        ldp         x13, x15, [keys, #16]
        ldp         x16, x17, [keys, #32]
        ldp         x19, x20, [keys, #48]
        eor         x1, x8, x9
        eor         x2, x6, x11
        eor         x3, x7, x13
        eor         x4, x10, x15
        eor         x5, x12, x16
        eor         x6, x14, x17
        eor         x7, x22, x19
        eor         x8, x29, x20
        aes_scalar_decrypt_swap_within_all 8, 0x0000ff000000ff00               // back to blocks
        aes_scalar_decrypt_swap_within_all 16, 0x00000000ffff0000
        aes_scalar_decrypt_transpose
        aes_scalar_decrypt_swap_columns
        aes_scalar_decrypt_xor_tweaks
        ldr         x14, [sp, #104]
        ldr         x13, [sp, #128]
        stp         x1, x5, [x14]
        cmp         x13, #2
        b.lo        6f
        stp         x2, x6, [x14, #16]
        b.eq        6f
        stp         x3, x7, [x14, #32]
        cmp         x13, #4
        b.lo        6f
        stp         x4, x8, [x14, #48]
        add         x14, x14, #64
        str         x14, [sp, #104]
        ldp         x9, x10, [sp, #64]
        ldr         x15, [sp, #112]
        ldr         x14, [sp, #96]
        cbnz        x15, 1b

6:      ldr         x1, [sp, #88]                               // the tweak after the last block
        add         x13, sp, x13, lsl #4
        ldp         x9, x10, [x13]
        stp         x9, x10, [x1]
        .irp        n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
        mov         x\n, #0                                     // leave nothing of keys, tweaks or blocks behind
        .endr
        stp         xzr, xzr, [sp]
        stp         xzr, xzr, [sp, #16]
        stp         xzr, xzr, [sp, #32]
        stp         xzr, xzr, [sp, #48]
        stp         xzr, xzr, [sp, #64]
        ldp         x19, x20, [sp, #144]
        ldp         x21, x22, [sp, #160]
        ldp         x23, x24, [sp, #176]
        ldp         x25, x26, [sp, #192]
        ldp         x27, x28, [sp, #208]
        ldp         x29, x30, [sp, #224]
        add         sp, sp, #240
        .cfi_remember_state
        .cfi_def_cfa_offset 0
        .cfi_restore x19
        .cfi_restore x20
        .cfi_restore x21
        .cfi_restore x22
        .cfi_restore x23
        .cfi_restore x24
        .cfi_restore x25
        .cfi_restore x26
        .cfi_restore x27
        .cfi_restore x28
        .cfi_restore x29
        .cfi_restore x30
7:      ret
        .cfi_restore_state

        // InvSubBytes: a0 .. a7 in x1 .. x8; s0 .. s7 in x8, x6, x7, x10, x12, x14, x22, x29
9:
        eor         x11, x6, x8                                 // y2 = a5 ^ a7
        eor         x1, x1, x8                                  // y0 = a0 ^ a7
        eor         x3, x3, x7                                  // y6 = a2 ^ a6
        eor         x12, x2, x6                                 // y3 = a1 ^ a5
        eor         x15, x4, x5                                 // r0 = a3 ^ a4
        eor         x16, x4, x11                                // y4 = a3 ^ y2
        eor         x9, x7, x1                                  // y19 = a6 ^ y0
        eor         x10, x1, x3                                 // y15 = y0 ^ y6
        eor         x13, x2, x3                                 // y5 = a1 ^ y6
        eor         x17, x12, x16                               // y12 = y3 ^ y4
        eor         x24, x12, x15                               // r1 = y3 ^ r0
        eor         x14, x6, x3                                 // y8 = a5 ^ y6
        eor         x19, x11, x13                               // y13 = y2 ^ y5
        eor         x20, x2, x15                                // y16 = a1 ^ r0
        eor         x25, x9, x24                                // y7 = y19 ^ r1
        eor         x26, x6, x9                                 // y1 = a5 ^ y19
        eor         x27, x7, x24                                // y11 = a6 ^ r1
        and         x29, x17, x10                               // t2 = y12 y15
        and         x5, x16, x1                                 // t5 = y4 y0
        and         x2, x12, x3                                 // t3 = y3 y6
        eor         x6, x5, x29                                 // t6 = t5 ^ t2
        and         x7, x19, x20                                // t7 = y13 y16
        and         x15, x11, x25                               // t10 = y2 y7
        eor         x21, x10, x20                               // y17 = y15 ^ y16
        eor         x22, x4, x14                                // y14 = a3 ^ y8
        eor         x24, x9, x14                                // y10 = y19 ^ y8
        eor         x5, x15, x7                                 // t11 = t10 ^ t7
        eor         x29, x2, x29                                // t4 = t3 ^ t2
        and         x8, x22, x21                                // t13 = y14 y17
        and         x15, x4, x27                                // t12 = a3 y11
        and         x2, x14, x24                                // t15 = y8 y10
        eor         x2, x2, x15                                 // t16 = t15 ^ t12
        eor         x8, x8, x15                                 // t14 = t13 ^ t12
        eor         x15, x6, x2                                 // t18 = t6 ^ t16
        and         x6, x13, x26                                // t8 = y5 y1
        eor         x7, x6, x7                                  // t9 = t8 ^ t7
        eor         x29, x29, x8                                // t17 = t4 ^ t14
        eor         x7, x7, x8                                  // t19 = t9 ^ t14
        eor         x23, x19, x20                               // y21 = y13 ^ y16
        eor         x28, x4, x27                                // y20 = a3 ^ y11
        eor         x8, x5, x2                                  // t20 = t11 ^ t16
        eor         x6, x11, x25                                // y18 = y2 ^ y7
        eor         x28, x29, x28                               // t21 = t17 ^ y20
        eor         x2, x7, x23                                 // t23 = t19 ^ y21
        eor         x29, x15, x9                                // t22 = t18 ^ y19
        eor         x5, x8, x6                                  // t24 = t20 ^ y18
        and         x7, x28, x2                                 // t26 = t21 t23
        eor         x8, x2, x5                                  // t30 = t23 ^ t24
        eor         x15, x29, x7                                // t31 = t22 ^ t26
        and         x23, x15, x8                                // t32 = t31 t30
        eor         x6, x28, x29                                // t25 = t21 ^ t22
        eor         x9, x5, x7                                  // t27 = t24 ^ t26
        and         x2, x29, x2                                 // t35 = t22 t23
        and         x15, x28, x5                                // t38 = t21 t24
        and         x28, x9, x6                                 // t28 = t27 t25
        bic         x2, x8, x2                                  // t36 = t30 (1 ^ t35)
        eor         x5, x23, x5                                 // t33 = t32 ^ t24
        bic         x6, x6, x15                                 // t39 = t25 (1 ^ t38)
        eor         x8, x7, x2                                  // t37 = t26 ^ t36
        eor         x15, x7, x6                                 // t40 = t26 ^ t39
        eor         x2, x5, x8                                  // t44 = t33 ^ t37
        eor         x29, x28, x29                               // t29 = t28 ^ t22
        and         x7, x2, x10                                 // z0 = t44 y15
        eor         x28, x29, x15                               // t43 = t29 ^ t40
        and         x10, x8, x3                                 // z1 = t37 y6
        and         x3, x28, x20                                // z3 = t43 y16
        eor         x9, x29, x5                                 // t42 = t29 ^ t33
        and         x1, x5, x1                                  // z2 = t33 y0
        and         x20, x15, x26                               // z4 = t40 y1
        eor         x23, x15, x8                                // t41 = t40 ^ t37
        and         x26, x9, x27                                // z6 = t42 y11
        and         x5, x5, x16                                 // z11 = t33 y4
        eor         x6, x9, x23                                 // t45 = t42 ^ t41
        and         x27, x23, x24                               // z8 = t41 y10
        and         x16, x28, x19                               // z12 = t43 y13
        and         x2, x2, x17                                 // z9 = t44 y12
        and         x19, x29, x11                               // z14 = t29 y2
        and         x23, x23, x14                               // z17 = t41 y8
        and         x24, x9, x4                                 // z15 = t42 a3
        and         x25, x29, x25                               // z5 = t29 y7
        and         x17, x15, x13                               // z13 = t40 y5
        eor         x9, x19, x23                                // p3 = z14 ^ z17
        eor         x29, x25, x27                               // p0 = z5 ^ z8
        and         x8, x8, x12                                 // z10 = t37 y3
        eor         x11, x17, x9                                // p4 = z13 ^ p3
        eor         x13, x8, x2                                 // p6 = z10 ^ z9
        eor         x17, x20, x29                               // p8 = z4 ^ p0
        eor         x15, x24, x13                               // p7 = z15 ^ p6
        eor         x20, x16, x24                               // p10 = z12 ^ z15
        eor         x3, x3, x26                                 // p1 = z3 ^ z6
        eor         x14, x1, x27                                // p12 = z2 ^ z8
        eor         x24, x5, x8                                 // p15 = z11 ^ z10
        and         x28, x6, x22                                // z16 = t45 y14
        eor         x4, x29, x3                                 // p2 = p0 ^ p1
        eor         x26, x7, x26                                // p14 = z0 ^ z6
        eor         x27, x23, x24                               // p16 = z17 ^ p15
        and         x2, x6, x21                                 // z7 = t45 y17
        eor         x12, x4, x11                                // p5 = p2 ^ p4
        eor         x19, x15, x17                               // p9 = p7 ^ p8
        eor         x22, x9, x20                                // s6 = p3 ^ p10
        eor         x1, x26, x27                                // p17 = p14 ^ p16
        eor         x5, x28, x2                                 // p19 = z16 ^ z7
        eor         x25, x14, x22                               // p13 = p12 ^ s6
        eor         x3, x10, x1                                 // p18 = z1 ^ p17
        eor         x6, x5, x19                                 // s1 = p19 ^ p9
        eor         x9, x1, x12                                 // p21 = p17 ^ p5
        eor         x13, x2, x11                                // p22 = z7 ^ p4
        eor         x29, x26, x25                               // s7 = p14 ^ p13
        eor         x7, x19, x3                                 // s2 = p9 ^ p18
        eor         x8, x4, x6                                  // s0 = p2 ^ s1
        eor         x10, x25, x9                                // s3 = p13 ^ p21
        eor         x12, x15, x12                               // s4 = p7 ^ p5
        eor         x14, x3, x13                                // s5 = p18 ^ p22
        ret
        .cfi_endproc

.purgem aes_scalar_decrypt_tweaks
.purgem aes_scalar_decrypt_xor_tweaks
.purgem aes_scalar_decrypt_swap32
.purgem aes_scalar_decrypt_swap
.purgem aes_scalar_decrypt_swap_within
.purgem aes_scalar_decrypt_swap_within_all
.purgem aes_scalar_decrypt_swap_columns
.purgem aes_scalar_decrypt_transpose

        .unreq  keys
