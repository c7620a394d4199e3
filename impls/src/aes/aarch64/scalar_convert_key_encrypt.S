// AES round keys, bit-sliced: AArch64, integer registers
//
//     convert_key_encrypt(schedule: *const u8, layout: *mut u8, rounds: u32)
//
//     For i = 0 .. R, R = rounds:  k := SR^-i(w(i) ^ c(i)),  where w(0) .. w(R) are the 16-byte round keys of
//     schedule,
//     SR is ShiftRows, c(0) = 0 and c(i) = 0x63 in every byte for i > 0; and
//     bits 16 r + 4 c + j, j = 0 .. 3, of the 64-bit word layout[i][b] := bit b of row r, column c of k, for b = 0 ..
//     7.
//     The layout serves both directions.
//
// Source
//     FIPS 197, sections 5.1.2 (ShiftRows), 5.1.4 (AddRoundKey). See the encryption of this tier for the use of SR
//     and 0x63.
//
// Technique
//   - Four times the same block goes the way of the blocks in the cipher.
//
// Arguments
//     x0  schedule  16 (R + 1) bytes, at any address (normal memory, SCTLR_ELx.A = 0: unaligned access allowed);
//                   read only
//     x1  layout    64 (R + 1) bytes (960 for 14 rounds), aligned to 8; written, disjoint from schedule
//     w2  rounds    10, 12 or 14; the upper half of x2 is ignored
//
// Registers
//     x0         next round key             x1 .. x8   halves of four blocks (x1, x5 are one block), then bits
//     x9         next layout                x10, x11   temporaries
//     w12        round keys left, less one  x13        a byte of the key, its place
//     x14        permutation of the round   x15        position
//     x16        0, and all ones after the first key
//     x17        permutations
//
// Stack
//     Not used.
//
// Cleared
//     x1 .. x8, x10, x11 and x13 are zero. All else only ever held addresses, counters and constants.
//
// Notes
//   - Armv8-A, little-endian AArch64 state; position-independent.
//   - Nothing but schedule, layout and the constants is read or written.
//   - Branches compare counters alone, which are public; no address depends on the key.

// The high half of a changes places with the low half of b
.macro  aes_scalar_convert_key_encrypt_swap32 a, b
        mov         x10, \a
        bfi         \a, \b, #32, #32
        bfxil       \b, x10, #32, #32
.endm

// In two pairs (a, b) the bits of b under the mask change places with the bits of a n places to the left
.macro  aes_scalar_convert_key_encrypt_swap n, mask, a0, b0, a1, b1
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
.macro  aes_scalar_convert_key_encrypt_swap_within n, mask, a, b
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
.macro  aes_scalar_convert_key_encrypt_swap_within_all n, mask
        aes_scalar_convert_key_encrypt_swap_within \n, \mask, x1, x2
        aes_scalar_convert_key_encrypt_swap_within \n, \mask, x3, x4
        aes_scalar_convert_key_encrypt_swap_within \n, \mask, x5, x6
        aes_scalar_convert_key_encrypt_swap_within \n, \mask, x7, x8
.endm

// Columns 1 and 2 of the blocks change places; these two steps are their own inverses
.macro  aes_scalar_convert_key_encrypt_swap_columns
        aes_scalar_convert_key_encrypt_swap32  x1, x5
        aes_scalar_convert_key_encrypt_swap32  x2, x6
        aes_scalar_convert_key_encrypt_swap32  x3, x7
        aes_scalar_convert_key_encrypt_swap32  x4, x8
.endm

// Bits of the bytes change places with the numbers of the registers
.macro  aes_scalar_convert_key_encrypt_transpose
        aes_scalar_convert_key_encrypt_swap    4, 0x0f0f0f0f0f0f0f0f, x1, x5, x2, x6
        aes_scalar_convert_key_encrypt_swap    4, 0x0f0f0f0f0f0f0f0f, x3, x7, x4, x8
        aes_scalar_convert_key_encrypt_swap    2, 0x3333333333333333, x1, x3, x2, x4
        aes_scalar_convert_key_encrypt_swap    2, 0x3333333333333333, x5, x7, x6, x8
        aes_scalar_convert_key_encrypt_swap    1, 0x5555555555555555, x1, x2, x3, x4
        aes_scalar_convert_key_encrypt_swap    1, 0x5555555555555555, x5, x6, x7, x8
.endm

        .cfi_startproc
        hint        #34                                         // bti c
        adr         x17, .Laes_scalar_convert_key_encrypt_permutations
        mov         x9, x1
        mov         w12, w2
        mov         x14, x17
        mov         x16, #0
1:      mov         x15, #16
2:      sub         x15, x15, #1                                // x5:x1 := permuted round key
        ldrb        w13, [x14, x15]
        ldrb        w13, [x0, x13]
        extr        x5, x5, x1, #56
        orr         x1, x13, x1, lsl #8
        cbnz        x15, 2b
        mov         x2, x1
        mov         x3, x1
        mov         x4, x1
        mov         x6, x5
        mov         x7, x5
        mov         x8, x5
        aes_scalar_convert_key_encrypt_swap_columns
        aes_scalar_convert_key_encrypt_transpose
        aes_scalar_convert_key_encrypt_swap_within_all 16, 0x00000000ffff0000
        aes_scalar_convert_key_encrypt_swap_within_all 8, 0x0000ff000000ff00
        eor         x1, x1, x16                                 // 0x63
        eor         x2, x2, x16
        eor         x6, x6, x16
        eor         x7, x7, x16
        stp         x1, x2, [x9]
        stp         x3, x4, [x9, #16]
        stp         x5, x6, [x9, #32]
        stp         x7, x8, [x9, #48]
        add         x9, x9, #64
        add         x0, x0, #16
        mov         x16, #-1
        sub         x14, x14, x17
        add         x14, x14, #16
        and         x14, x14, #63
        add         x14, x14, x17
        subs        w12, w12, #1
        b.pl        1b

        .irp        n, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13       // leave nothing of the key behind
        mov         x\n, #0
        .endr
        ret
        .cfi_endproc

.Laes_scalar_convert_key_encrypt_permutations:                    // SR^-i
        .byte        0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15
        .byte        0, 13, 10,  7,  4,  1, 14, 11,  8,  5,  2, 15, 12,  9,  6,  3
        .byte        0,  9,  2, 11,  4, 13,  6, 15,  8,  1, 10,  3, 12,  5, 14,  7
        .byte        0,  5, 10, 15,  4,  9, 14,  3,  8, 13,  2,  7, 12,  1,  6, 11

.purgem aes_scalar_convert_key_encrypt_swap32
.purgem aes_scalar_convert_key_encrypt_swap
.purgem aes_scalar_convert_key_encrypt_swap_within
.purgem aes_scalar_convert_key_encrypt_swap_within_all
.purgem aes_scalar_convert_key_encrypt_swap_columns
.purgem aes_scalar_convert_key_encrypt_transpose
