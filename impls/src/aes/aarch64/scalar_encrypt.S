// AES-XTS encryption: AArch64, integer registers, bit-sliced, four blocks at a time, constant-time
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
//   - A register per bit b holds bit b of the 64 bytes of four blocks: bit 16 r + 4 c + j is that of row r, column c,
//     block j. Rows are rotated by rotating the register, which is free in the operand of a xor; columns by a mask.
//   - The S-box is a circuit in the manner of Boyar and Peralta: linear layer (y), products that go into an inversion
//     in GF(2^4) (t), products with its result (z), linear layer (s). Inverted is c a^(2^k) in place of a, with c =
//     0xbc, k = 0: over GF(2) that changes the linear layers only, and of all 2040 choices this is one of those with
//     the shortest and shallowest. The constant 0x63 is in the round keys. It is a routine within this one (label 9);
//     its values stay in registers.
//   - ShiftRows is left out: the state after round i is kept as SR^-i(state), SR being ShiftRows on positions. So are
//     the round keys, in the layout. In MixColumns of round i the next row is then rotated by i columns, and that
//     after the next by 2 i: there are four MixColumns. A rotation of the whole register is left to the use of a
//     value. Only the last round has to be followed by SR^R.
//   - With n = s of the next row and t = s ^ n, MixColumns is 2 t ^ n ^ (t two rows on).
//   - Fewer than four blocks are done as four. Lanes without a block work on what their registers hold, and are not
//     stored.
//
// Arguments
//     x0  layout  round keys of this tier's convert_key_encrypt: 64 (R + 1) bytes, R = rounds,
//                 aligned to 16; read only
//     x1  tweak   16 bytes, at any address; read and written
//     x2  input   16 count bytes, at any address (normal memory, SCTLR_ELx.A = 0: unaligned access allowed);
//                 read only
//     x3  output  16 count bytes, at any address; equal to input, or disjoint from it
//     x4  count   number of blocks; with 0 no memory is touched
//     w5  rounds  10 or 14; the upper half of x5 is ignored
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
.macro  aes_scalar_encrypt_tweaks
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
.macro  aes_scalar_encrypt_xor_tweaks
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
.macro  aes_scalar_encrypt_swap32 a, b
        mov         x10, \a
        bfi         \a, \b, #32, #32
        bfxil       \b, x10, #32, #32
.endm

// In two pairs (a, b) the bits of b under the mask change places with the bits of a n places to the left
.macro  aes_scalar_encrypt_swap n, mask, a0, b0, a1, b1
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
.macro  aes_scalar_encrypt_swap_within n, mask, a, b
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
.macro  aes_scalar_encrypt_swap_within_all n, mask
        aes_scalar_encrypt_swap_within \n, \mask, x1, x2
        aes_scalar_encrypt_swap_within \n, \mask, x3, x4
        aes_scalar_encrypt_swap_within \n, \mask, x5, x6
        aes_scalar_encrypt_swap_within \n, \mask, x7, x8
.endm

// Columns 1 and 2 of the blocks change places; these two steps are their own inverses
.macro  aes_scalar_encrypt_swap_columns
        aes_scalar_encrypt_swap32  x1, x5
        aes_scalar_encrypt_swap32  x2, x6
        aes_scalar_encrypt_swap32  x3, x7
        aes_scalar_encrypt_swap32  x4, x8
.endm

// Bits of the bytes change places with the numbers of the registers
.macro  aes_scalar_encrypt_transpose
        aes_scalar_encrypt_swap    4, 0x0f0f0f0f0f0f0f0f, x1, x5, x2, x6
        aes_scalar_encrypt_swap    4, 0x0f0f0f0f0f0f0f0f, x3, x7, x4, x8
        aes_scalar_encrypt_swap    2, 0x3333333333333333, x1, x3, x2, x4
        aes_scalar_encrypt_swap    2, 0x3333333333333333, x5, x7, x6, x8
        aes_scalar_encrypt_swap    1, 0x5555555555555555, x1, x2, x3, x4
        aes_scalar_encrypt_swap    1, 0x5555555555555555, x5, x6, x7, x8
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
        str         x6, [sp, #120]
        str         x5, [sp, #136]
        mov         x15, x4
        mov         x14, x2
1:      aes_scalar_encrypt_tweaks
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
        aes_scalar_encrypt_xor_tweaks
        aes_scalar_encrypt_swap_columns
        aes_scalar_encrypt_transpose
        aes_scalar_encrypt_swap_within_all 16, 0x00000000ffff0000  // from (c1, r1, r0, c0) to (r1, r0, c1, c0)
        aes_scalar_encrypt_swap_within_all 8, 0x0000ff000000ff00
        ldr         keys, [sp, #80]
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
        add         keys, keys, #64

3:      bl          9f
        // MixColumns, AddRoundKey, i mod 4 = 1
        and         x9, x24, #0xfff0fff0fff0fff0
        and         x10, x24, #0x000f000f000f000f
        eor         x9, x10, x9, ror #16                        // n0 = s0 of the next row, but for a rotation by 4
        and         x10, x25, #0xfff0fff0fff0fff0
        and         x11, x25, #0x000f000f000f000f
        and         x12, x23, #0xfff0fff0fff0fff0
        eor         x10, x11, x10, ror #16                      // n1 = s1 of the next row, but for a rotation by 4
        and         x11, x23, #0x000f000f000f000f
        eor         x11, x11, x12, ror #16                      // n2 = s2 of the next row, but for a rotation by 4
        and         x12, x19, #0xfff0fff0fff0fff0
        and         x14, x19, #0x000f000f000f000f
        and         x17, x15, #0xfff0fff0fff0fff0
        eor         x12, x14, x12, ror #16                      // n3 = s3 of the next row, but for a rotation by 4
        and         x14, x15, #0x000f000f000f000f
        eor         x14, x14, x17, ror #16                      // n4 = s4 of the next row, but for a rotation by 4
        and         x17, x22, #0xfff0fff0fff0fff0
        and         x20, x22, #0x000f000f000f000f
        and         x21, x16, #0xfff0fff0fff0fff0
        eor         x17, x20, x17, ror #16                      // n5 = s5 of the next row, but for a rotation by 4
        and         x20, x16, #0x000f000f000f000f
        eor         x20, x20, x21, ror #16                      // n6 = s6 of the next row, but for a rotation by 4
        and         x21, x13, #0xfff0fff0fff0fff0
        and         x26, x13, #0x000f000f000f000f
        eor         x24, x24, x9, ror #4                        // t0 = s0 ^ n0
        eor         x21, x26, x21, ror #16                      // n7 = s7 of the next row, but for a rotation by 4
        eor         x25, x25, x10, ror #4                       // t1 = s1 ^ n1
        eor         x23, x23, x11, ror #4                       // t2 = s2 ^ n2
        eor         x19, x19, x12, ror #4                       // t3 = s3 ^ n3
        eor         x15, x15, x14, ror #4                       // t4 = s4 ^ n4
        eor         x22, x22, x17, ror #4                       // t5 = s5 ^ n5
        eor         x16, x16, x20, ror #4                       // t6 = s6 ^ n6
        eor         x13, x13, x21, ror #4                       // t7 = s7 ^ n7
        ldp         x26, x27, [keys]                            // round key
        ldp         x28, x29, [keys, #16]
        ldp         x1, x2, [keys, #32]
        ldp         x3, x4, [keys, #48]
        and         x5, x24, #0xff00ff00ff00ff00
        and         x6, x24, #0x00ff00ff00ff00ff
        eor         x5, x6, x5, ror #16                         // f0 = t0 of two rows on, but for a rotation by 24
        eor         x10, x27, x10, ror #4
        eor         x12, x29, x12, ror #4
        eor         x14, x1, x14, ror #4
        eor         x9, x26, x9, ror #4
        eor         x11, x28, x11, ror #4
        eor         x17, x2, x17, ror #4
        eor         x20, x3, x20, ror #4
        eor         x21, x4, x21, ror #4
        eor         x10, x10, x24
        eor         x12, x12, x23
        eor         x14, x14, x19
        and         x24, x25, #0xff00ff00ff00ff00
        and         x26, x25, #0x00ff00ff00ff00ff
        eor         x11, x11, x25
        eor         x24, x26, x24, ror #16                      // f1 = t1 of two rows on, but for a rotation by 24
        and         x25, x23, #0xff00ff00ff00ff00
        and         x23, x23, #0x00ff00ff00ff00ff
        and         x26, x19, #0xff00ff00ff00ff00
        eor         x23, x23, x25, ror #16                      // f2 = t2 of two rows on, but for a rotation by 24
        and         x19, x19, #0x00ff00ff00ff00ff
        eor         x19, x19, x26, ror #16                      // f3 = t3 of two rows on, but for a rotation by 24
        and         x25, x15, #0xff00ff00ff00ff00
        eor         x3, x11, x23, ror #24                       // o2 = n2 ^ k2 ^ t1 ^ f2
        and         x11, x15, #0x00ff00ff00ff00ff
        eor         x11, x11, x25, ror #16                      // f4 = t4 of two rows on, but for a rotation by 24
        eor         x15, x17, x15
        and         x17, x22, #0xff00ff00ff00ff00
        and         x23, x22, #0x00ff00ff00ff00ff
        eor         x17, x23, x17, ror #16                      // f5 = t5 of two rows on, but for a rotation by 24
        eor         x20, x20, x22
        and         x22, x16, #0xff00ff00ff00ff00
        and         x23, x16, #0x00ff00ff00ff00ff
        eor         x22, x23, x22, ror #16                      // f6 = t6 of two rows on, but for a rotation by 24
        eor         x16, x21, x16
        and         x21, x13, #0xff00ff00ff00ff00
        eor         x6, x15, x17, ror #24                       // o5 = n5 ^ k5 ^ t4 ^ f5
        and         x15, x13, #0x00ff00ff00ff00ff
        eor         x7, x20, x22, ror #24                       // o6 = n6 ^ k6 ^ t5 ^ f6
        eor         x15, x15, x21, ror #16                      // f7 = t7 of two rows on, but for a rotation by 24
        eor         x9, x9, x13
        eor         x1, x9, x5, ror #24                         // o0 = n0 ^ k0 ^ t7 ^ f0
        eor         x9, x10, x13
        eor         x8, x16, x15, ror #24                       // o7 = n7 ^ k7 ^ t6 ^ f7
        eor         x10, x12, x13
        eor         x12, x14, x13
        eor         x2, x9, x24, ror #24                        // o1 = n1 ^ k1 ^ t0 ^ t7 ^ f1
        eor         x4, x10, x19, ror #24                       // o3 = n3 ^ k3 ^ t2 ^ t7 ^ f3
        eor         x5, x12, x11, ror #24                       // o4 = n4 ^ k4 ^ t3 ^ t7 ^ f4
        add         keys, keys, #64
        bl          9f
        ldr         x1, [sp, #120]
        cmp         keys, x1
        b.eq        4f
        // MixColumns, AddRoundKey, i mod 4 = 2
        ldp         x9, x10, [keys]                             // round key
        ldp         x11, x12, [keys, #16]
        ldp         x14, x17, [keys, #32]
        and         x20, x24, #0xff00ff00ff00ff00
        and         x21, x24, #0x00ff00ff00ff00ff
        and         x26, x25, #0xff00ff00ff00ff00
        eor         x20, x21, x20, ror #16                      // n0 = s0 of the next row, but for a rotation by 8
        and         x21, x25, #0x00ff00ff00ff00ff
        eor         x21, x21, x26, ror #16                      // n1 = s1 of the next row, but for a rotation by 8
        and         x26, x23, #0xff00ff00ff00ff00
        and         x27, x23, #0x00ff00ff00ff00ff
        and         x28, x19, #0xff00ff00ff00ff00
        eor         x26, x27, x26, ror #16                      // n2 = s2 of the next row, but for a rotation by 8
        and         x27, x19, #0x00ff00ff00ff00ff
        eor         x27, x27, x28, ror #16                      // n3 = s3 of the next row, but for a rotation by 8
        and         x28, x15, #0xff00ff00ff00ff00
        and         x29, x15, #0x00ff00ff00ff00ff
        eor         x24, x24, x20, ror #8                       // t0 = s0 ^ n0
        eor         x28, x29, x28, ror #16                      // n4 = s4 of the next row, but for a rotation by 8
        eor         x9, x9, x20, ror #8
        eor         x10, x10, x21, ror #8
        eor         x20, x25, x21, ror #8                       // t1 = s1 ^ n1
        and         x21, x22, #0xff00ff00ff00ff00
        eor         x23, x23, x26, ror #8                       // t2 = s2 ^ n2
        eor         x11, x11, x26, ror #8
        and         x25, x22, #0x00ff00ff00ff00ff
        eor         x21, x25, x21, ror #16                      // n5 = s5 of the next row, but for a rotation by 8
        and         x25, x16, #0xff00ff00ff00ff00
        eor         x19, x19, x27, ror #8                       // t3 = s3 ^ n3
        eor         x12, x12, x27, ror #8
        and         x26, x16, #0x00ff00ff00ff00ff
        eor         x14, x14, x28, ror #8
        eor         x25, x26, x25, ror #16                      // n6 = s6 of the next row, but for a rotation by 8
        eor         x15, x15, x28, ror #8                       // t4 = s4 ^ n4
        and         x26, x13, #0xff00ff00ff00ff00
        and         x27, x13, #0x00ff00ff00ff00ff
        eor         x26, x27, x26, ror #16                      // n7 = s7 of the next row, but for a rotation by 8
        ldp         x27, x28, [keys, #48]
        eor         x22, x22, x21, ror #8                       // t5 = s5 ^ n5
        eor         x17, x17, x21, ror #8
        eor         x16, x16, x25, ror #8                       // t6 = s6 ^ n6
        eor         x13, x13, x26, ror #8                       // t7 = s7 ^ n7
        eor         x10, x10, x24
        eor         x12, x12, x23
        eor         x21, x27, x25, ror #8
        eor         x25, x28, x26, ror #8
        eor         x14, x14, x19
        eor         x11, x11, x20
        eor         x3, x11, x23, ror #32                       // o2 = n2 ^ k2 ^ t1 ^ f2
        eor         x11, x17, x15
        eor         x9, x9, x13
        eor         x10, x10, x13
        eor         x1, x9, x24, ror #32                        // o0 = n0 ^ k0 ^ t7 ^ f0
        eor         x2, x10, x20, ror #32                       // o1 = n1 ^ k1 ^ t0 ^ t7 ^ f1
        eor         x9, x12, x13
        eor         x10, x21, x22
        eor         x6, x11, x22, ror #32                       // o5 = n5 ^ k5 ^ t4 ^ f5
        eor         x11, x25, x16
        eor         x12, x14, x13
        eor         x4, x9, x19, ror #32                        // o3 = n3 ^ k3 ^ t2 ^ t7 ^ f3
        eor         x7, x10, x16, ror #32                       // o6 = n6 ^ k6 ^ t5 ^ f6
        eor         x8, x11, x13, ror #32                       // o7 = n7 ^ k7 ^ t6 ^ f7
        eor         x5, x12, x15, ror #32                       // o4 = n4 ^ k4 ^ t3 ^ t7 ^ f4
        add         keys, keys, #64
        bl          9f
        // MixColumns, AddRoundKey, i mod 4 = 3
        and         x9, x24, #0xf000f000f000f000
        and         x10, x24, #0x0fff0fff0fff0fff
        eor         x9, x10, x9, ror #16                        // n0 = s0 of the next row, but for a rotation by 12
        and         x10, x25, #0xf000f000f000f000
        and         x11, x25, #0x0fff0fff0fff0fff
        and         x12, x23, #0xf000f000f000f000
        eor         x10, x11, x10, ror #16                      // n1 = s1 of the next row, but for a rotation by 12
        and         x11, x23, #0x0fff0fff0fff0fff
        eor         x11, x11, x12, ror #16                      // n2 = s2 of the next row, but for a rotation by 12
        and         x12, x19, #0xf000f000f000f000
        and         x14, x19, #0x0fff0fff0fff0fff
        and         x17, x15, #0xf000f000f000f000
        eor         x12, x14, x12, ror #16                      // n3 = s3 of the next row, but for a rotation by 12
        and         x14, x15, #0x0fff0fff0fff0fff
        eor         x14, x14, x17, ror #16                      // n4 = s4 of the next row, but for a rotation by 12
        and         x17, x22, #0xf000f000f000f000
        and         x20, x22, #0x0fff0fff0fff0fff
        and         x21, x16, #0xf000f000f000f000
        eor         x17, x20, x17, ror #16                      // n5 = s5 of the next row, but for a rotation by 12
        and         x20, x16, #0x0fff0fff0fff0fff
        eor         x20, x20, x21, ror #16                      // n6 = s6 of the next row, but for a rotation by 12
        and         x21, x13, #0xf000f000f000f000
        and         x26, x13, #0x0fff0fff0fff0fff
        eor         x24, x24, x9, ror #12                       // t0 = s0 ^ n0
        eor         x21, x26, x21, ror #16                      // n7 = s7 of the next row, but for a rotation by 12
        eor         x25, x25, x10, ror #12                      // t1 = s1 ^ n1
        eor         x23, x23, x11, ror #12                      // t2 = s2 ^ n2
        eor         x19, x19, x12, ror #12                      // t3 = s3 ^ n3
        eor         x15, x15, x14, ror #12                      // t4 = s4 ^ n4
        eor         x22, x22, x17, ror #12                      // t5 = s5 ^ n5
        eor         x16, x16, x20, ror #12                      // t6 = s6 ^ n6
        eor         x13, x13, x21, ror #12                      // t7 = s7 ^ n7
        ldp         x26, x27, [keys]                            // round key
        ldp         x28, x29, [keys, #16]
        ldp         x1, x2, [keys, #32]
        ldp         x3, x4, [keys, #48]
        and         x5, x24, #0xff00ff00ff00ff00
        and         x6, x24, #0x00ff00ff00ff00ff
        eor         x5, x6, x5, ror #16                         // f0 = t0 of two rows on, but for a rotation by 24
        eor         x10, x27, x10, ror #12
        eor         x12, x29, x12, ror #12
        eor         x14, x1, x14, ror #12
        eor         x9, x26, x9, ror #12
        eor         x11, x28, x11, ror #12
        eor         x17, x2, x17, ror #12
        eor         x20, x3, x20, ror #12
        eor         x21, x4, x21, ror #12
        eor         x10, x10, x24
        eor         x12, x12, x23
        eor         x14, x14, x19
        and         x24, x25, #0xff00ff00ff00ff00
        and         x26, x25, #0x00ff00ff00ff00ff
        eor         x11, x11, x25
        eor         x24, x26, x24, ror #16                      // f1 = t1 of two rows on, but for a rotation by 24
        and         x25, x23, #0xff00ff00ff00ff00
        and         x23, x23, #0x00ff00ff00ff00ff
        and         x26, x19, #0xff00ff00ff00ff00
        eor         x23, x23, x25, ror #16                      // f2 = t2 of two rows on, but for a rotation by 24
        and         x19, x19, #0x00ff00ff00ff00ff
        eor         x19, x19, x26, ror #16                      // f3 = t3 of two rows on, but for a rotation by 24
        and         x25, x15, #0xff00ff00ff00ff00
        eor         x3, x11, x23, ror #24                       // o2 = n2 ^ k2 ^ t1 ^ f2
        and         x11, x15, #0x00ff00ff00ff00ff
        eor         x11, x11, x25, ror #16                      // f4 = t4 of two rows on, but for a rotation by 24
        eor         x15, x17, x15
        and         x17, x22, #0xff00ff00ff00ff00
        and         x23, x22, #0x00ff00ff00ff00ff
        eor         x17, x23, x17, ror #16                      // f5 = t5 of two rows on, but for a rotation by 24
        eor         x20, x20, x22
        and         x22, x16, #0xff00ff00ff00ff00
        and         x23, x16, #0x00ff00ff00ff00ff
        eor         x22, x23, x22, ror #16                      // f6 = t6 of two rows on, but for a rotation by 24
        eor         x16, x21, x16
        and         x21, x13, #0xff00ff00ff00ff00
        eor         x6, x15, x17, ror #24                       // o5 = n5 ^ k5 ^ t4 ^ f5
        and         x15, x13, #0x00ff00ff00ff00ff
        eor         x7, x20, x22, ror #24                       // o6 = n6 ^ k6 ^ t5 ^ f6
        eor         x15, x15, x21, ror #16                      // f7 = t7 of two rows on, but for a rotation by 24
        eor         x9, x9, x13
        eor         x1, x9, x5, ror #24                         // o0 = n0 ^ k0 ^ t7 ^ f0
        eor         x9, x10, x13
        eor         x8, x16, x15, ror #24                       // o7 = n7 ^ k7 ^ t6 ^ f7
        eor         x10, x12, x13
        eor         x12, x14, x13
        eor         x2, x9, x24, ror #24                        // o1 = n1 ^ k1 ^ t0 ^ t7 ^ f1
        eor         x4, x10, x19, ror #24                       // o3 = n3 ^ k3 ^ t2 ^ t7 ^ f3
        eor         x5, x12, x11, ror #24                       // o4 = n4 ^ k4 ^ t3 ^ t7 ^ f4
        add         keys, keys, #64
        bl          9f
        // MixColumns, AddRoundKey, i mod 4 = 0
        ldp         x9, x10, [keys]                             // round key
        ldp         x11, x12, [keys, #16]
        ldp         x14, x17, [keys, #32]
        ldp         x20, x21, [keys, #48]
        eor         x26, x24, x24, ror #16                      // t0 = s0 ^ n0
        eor         x27, x23, x23, ror #16                      // t2 = s2 ^ n2
        eor         x28, x19, x19, ror #16                      // t3 = s3 ^ n3
        eor         x29, x25, x25, ror #16                      // t1 = s1 ^ n1
        eor         x10, x10, x25, ror #16
        eor         x12, x12, x19, ror #16
        eor         x9, x9, x24, ror #16
        eor         x11, x11, x23, ror #16
        eor         x14, x14, x15, ror #16
        eor         x15, x15, x15, ror #16                      // t4 = s4 ^ n4
        eor         x17, x17, x22, ror #16
        eor         x19, x22, x22, ror #16                      // t5 = s5 ^ n5
        eor         x20, x20, x16, ror #16
        eor         x16, x16, x16, ror #16                      // t6 = s6 ^ n6
        eor         x21, x21, x13, ror #16
        eor         x13, x13, x13, ror #16                      // t7 = s7 ^ n7
        eor         x10, x10, x26
        eor         x12, x12, x27
        eor         x14, x14, x28
        eor         x11, x11, x29
        eor         x3, x11, x27, ror #32                       // o2 = n2 ^ k2 ^ t1 ^ f2
        eor         x11, x17, x15
        eor         x17, x20, x19
        eor         x6, x11, x19, ror #32                       // o5 = n5 ^ k5 ^ t4 ^ f5
        eor         x11, x21, x16
        eor         x7, x17, x16, ror #32                       // o6 = n6 ^ k6 ^ t5 ^ f6
        eor         x9, x9, x13
        eor         x10, x10, x13
        eor         x1, x9, x26, ror #32                        // o0 = n0 ^ k0 ^ t7 ^ f0
        eor         x9, x12, x13
        eor         x12, x14, x13
        eor         x8, x11, x13, ror #32                       // o7 = n7 ^ k7 ^ t6 ^ f7
        eor         x2, x10, x29, ror #32                       // o1 = n1 ^ k1 ^ t0 ^ t7 ^ f1
        eor         x4, x9, x28, ror #32                        // o3 = n3 ^ k3 ^ t2 ^ t7 ^ f3
        eor         x5, x12, x15, ror #32                       // o4 = n4 ^ k4 ^ t3 ^ t7 ^ f4
        add         keys, keys, #64
        b           3b

4:
        ldp         x9, x10, [keys]                             // last round key
        ldp         x11, x12, [keys, #16]
        ldp         x14, x17, [keys, #32]
        ldp         x20, x21, [keys, #48]
        eor         x1, x24, x9
        eor         x2, x25, x10
        eor         x3, x23, x11
        eor         x4, x19, x12
        eor         x5, x15, x14
        eor         x6, x22, x17
        eor         x7, x16, x20
        eor         x8, x13, x21
        aes_scalar_encrypt_swap_within_all 8, 0x00ff000000ff0000               // SR^2 = SR^R
        aes_scalar_encrypt_swap_within_all 8, 0x0000ff000000ff00               // back to blocks
        aes_scalar_encrypt_swap_within_all 16, 0x00000000ffff0000
        aes_scalar_encrypt_transpose
        aes_scalar_encrypt_swap_columns
        aes_scalar_encrypt_xor_tweaks
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

        // SubBytes: a0 .. a7 in x1 .. x8; s0 .. s7 in x24, x25, x23, x19, x15, x22, x16, x13
9:
        eor         x12, x3, x4                                 // r0 = a2 ^ a3
        eor         x14, x6, x8                                 // y20 = a5 ^ a7
        eor         x13, x2, x8                                 // y2 = a1 ^ a7
        eor         x19, x14, x12                               // y18 = y20 ^ r0
        eor         x9, x3, x5                                  // y9 = a2 ^ a4
        eor         x10, x6, x7                                 // r1 = a5 ^ a6
        eor         x22, x13, x19                               // y7 = y2 ^ y18
        eor         x11, x1, x10                                // y16 = a0 ^ r1
        eor         x15, x5, x8                                 // y8 = a4 ^ a7
        eor         x16, x13, x9                                // y4 = y2 ^ y9
        eor         x23, x14, x9                                // y11 = y20 ^ y9
        eor         x25, x22, x10                               // y10 = y7 ^ r1
        eor         x17, x5, x11                                // y3 = a4 ^ y16
        eor         x20, x16, x12                               // y0 = y4 ^ r0
        eor         x21, x3, x8                                 // y14 = a2 ^ a7
        and         x24, x9, x23                                // t12 = y9 y11
        and         x26, x15, x25                               // t15 = y8 y10
        eor         x29, x2, x11                                // y13 = a1 ^ y16
        eor         x27, x20, x10                               // y17 = y0 ^ r1
        eor         x28, x1, x20                                // y15 = a0 ^ y0
        eor         x3, x8, x11                                 // y5 = a7 ^ y16
        eor         x5, x21, x29                                // y12 = y14 ^ y13
        eor         x12, x26, x24                               // t16 = t15 ^ t12
        and         x7, x21, x27                                // t13 = y14 y17
        and         x8, x16, x20                                // t5 = y4 y0
        and         x10, x17, x1                                // t3 = y3 a0
        and         x26, x5, x28                                // t2 = y12 y15
        eor         x7, x7, x24                                 // t14 = t13 ^ t12
        eor         x8, x8, x26                                 // t6 = t5 ^ t2
        eor         x10, x10, x26                               // t4 = t3 ^ t2
        eor         x4, x22, x11                                // y1 = y7 ^ y16
        eor         x24, x8, x12                                // t18 = t6 ^ t16
        eor         x26, x10, x7                                // t17 = t4 ^ t14
        and         x6, x29, x11                                // t7 = y13 y16
        and         x8, x13, x22                                // t10 = y2 y7
        and         x10, x3, x4                                 // t8 = y5 y1
        eor         x8, x8, x6                                  // t11 = t10 ^ t7
        eor         x10, x10, x6                                // t9 = t8 ^ t7
        eor         x6, x10, x7                                 // t19 = t9 ^ t14
        eor         x7, x26, x14                                // t21 = t17 ^ y20
        eor         x12, x8, x12                                // t20 = t11 ^ t16
        eor         x14, x12, x19                               // t24 = t20 ^ y18
        eor         x10, x15, x25                               // y19 = y8 ^ y10
        eor         x19, x6, x2                                 // t23 = t19 ^ a1
        and         x26, x7, x19                                // t26 = t21 t23
        eor         x6, x24, x10                                // t22 = t18 ^ y19
        eor         x2, x14, x26                                // t27 = t24 ^ t26
        eor         x8, x7, x6                                  // t25 = t21 ^ t22
        and         x10, x2, x8                                 // t28 = t27 t25
        and         x2, x7, x14                                 // t38 = t21 t24
        and         x24, x6, x19                                // t35 = t22 t23
        eor         x7, x19, x14                                // t30 = t23 ^ t24
        eor         x12, x10, x6                                // t29 = t28 ^ t22
        bic         x19, x8, x2                                 // t39 = t25 (1 ^ t38)
        bic         x10, x7, x24                                // t36 = t30 (1 ^ t35)
        eor         x2, x6, x26                                 // t31 = t22 ^ t26
        eor         x24, x26, x19                               // t40 = t26 ^ t39
        eor         x6, x26, x10                                // t37 = t26 ^ t36
        and         x7, x2, x7                                  // t32 = t31 t30
        eor         x8, x7, x14                                 // t33 = t32 ^ t24
        eor         x10, x24, x6                                // t41 = t40 ^ t37
        and         x19, x12, x13                               // z14 = t29 y2
        eor         x26, x12, x8                                // t42 = t29 ^ t33
        and         x2, x10, x15                                // z17 = t41 y8
        and         x7, x12, x22                                // z5 = t29 y7
        eor         x13, x26, x10                               // t45 = t42 ^ t41
        and         x15, x10, x25                               // z8 = t41 y10
        and         x10, x26, x23                               // z6 = t42 y11
        eor         x12, x12, x24                               // t43 = t29 ^ t40
        eor         x14, x8, x6                                 // t44 = t33 ^ t37
        and         x22, x24, x3                                // z13 = t40 y5
        eor         x25, x19, x2                                // p12 = z14 ^ z17
        and         x23, x12, x11                               // z3 = t43 y16
        eor         x3, x22, x25                                // p15 = z13 ^ p12
        and         x19, x14, x28                               // z0 = t44 y15
        eor         x11, x7, x15                                // p8 = z5 ^ z8
        and         x22, x8, x16                                // z11 = t33 y4
        eor         x15, x19, x23                               // p1 = z0 ^ z3
        and         x28, x6, x17                                // z10 = t37 y3
        eor         x2, x22, x2                                 // p4 = z11 ^ z17
        and         x19, x8, x20                                // z2 = t33 y0
        and         x17, x26, x9                                // z15 = t42 y9
        and         x20, x12, x29                               // z12 = t43 y13
        and         x22, x24, x4                                // z4 = t40 y1
        and         x6, x6, x1                                  // z1 = t37 a0
        and         x16, x14, x5                                // z9 = t44 y12
        and         x24, x13, x27                               // z7 = t45 y17
        eor         x26, x10, x23                               // p7 = z6 ^ z3
        eor         x29, x19, x7                                // p0 = z2 ^ z5
        eor         x27, x16, x17                               // p3 = z9 ^ z15
        eor         x4, x24, x26                                // p13 = z7 ^ p7
        eor         x5, x20, x17                                // p18 = z12 ^ z15
        eor         x7, x26, x11                                // p9 = p7 ^ p8
        eor         x8, x6, x29                                 // p11 = z1 ^ p0
        and         x1, x13, x21                                // z16 = t45 y14
        eor         x9, x22, x8                                 // p17 = z4 ^ p11
        eor         x10, x29, x15                               // p2 = p0 ^ p1
        eor         x11, x8, x4                                 // p14 = p11 ^ p13
        eor         x12, x27, x2                                // p5 = p3 ^ p4
        eor         x20, x25, x5                                // p19 = p12 ^ p18
        eor         x13, x12, x7                                // s7 = p5 ^ p9
        eor         x14, x3, x11                                // p16 = p15 ^ p14
        eor         x15, x10, x12                               // s4 = p2 ^ p5
        eor         x17, x28, x27                               // p21 = z10 ^ p3
        eor         x21, x1, x7                                 // p22 = z16 ^ p9
        eor         x24, x9, x20                                // s0 = p17 ^ p19
        eor         x16, x10, x13                               // s6 = p2 ^ s7
        eor         x19, x9, x15                                // s3 = p17 ^ s4
        eor         x22, x21, x14                               // s5 = p22 ^ p16
        eor         x23, x17, x14                               // s2 = p21 ^ p16
        eor         x25, x11, x24                               // s1 = p14 ^ s0
        ret
        .cfi_endproc

.purgem aes_scalar_encrypt_tweaks
.purgem aes_scalar_encrypt_xor_tweaks
.purgem aes_scalar_encrypt_swap32
.purgem aes_scalar_encrypt_swap
.purgem aes_scalar_encrypt_swap_within
.purgem aes_scalar_encrypt_swap_within_all
.purgem aes_scalar_encrypt_swap_columns
.purgem aes_scalar_encrypt_transpose

        .unreq  keys
