// AES round keys, bit-sliced: AArch32 (A32), integer registers
//
//     convert_key_encrypt(schedule: *const u8, layout: *mut u8, rounds: u32)
//
//     For i = 0 .. R, R = rounds:  k := SR^-i(w(i) ^ c(i)),  where w(0) .. w(R) are the 16-byte round keys of
//     schedule,
//     SR is ShiftRows, c(0) = 0 and c(i) = 0x63 in every byte for i > 0; and
//     bits 8 r + 2 c + j, j = 0, 1, of the 32-bit word layout[i][b] := bit b of row r, column c of k, for b = 0 .. 7.
//     The layout serves both directions.
//
// Source
//     FIPS 197, sections 5.1.2 (ShiftRows), 5.1.4 (AddRoundKey). See the encryption of this tier for the use of SR
//     and 0x63.
//
// Technique
//   - Twice the same block goes the way of the blocks in the cipher.
//
// Arguments
//     r0  schedule  16 (R + 1) bytes, at any address (normal memory, SCTLR.A = 0: unaligned access allowed);
//                   read only
//     r1  layout    32 (R + 1) bytes (480 for 14 rounds), aligned to 4; written, disjoint from schedule
//     r2  rounds    10, 12 or 14
//
// Registers
//     r0 .. r7   columns of two blocks (r0, r2, r4, r6 are one block), then bits; r2 and r3 counters before
//     r8, r9     temporaries
//     r10        round key
//     r11        0, and all ones after the first key
//     r12        next layout
//     lr         mask; permutation of the round
//
// Stack, 56 bytes
//     sp + 4    round keys left less one, place of the permutation; 12 bytes unused
//     sp + 20   r4 .. r11, lr of the caller
//
// Cleared
//     r0 .. r3 are zero, r4 .. r11 are the caller's again. r12 and lr only ever held addresses and constants.
//
// Notes
//   - Armv7-A, little-endian AArch32 state, A32 instructions; position-independent.
//   - Nothing but schedule, layout, the constants and the stack above is read or written.
//   - Branches compare counters alone, which are public; no address depends on the key.

// In two pairs (a, b) the bits of b under the mask lr change places with the bits of a n places to the left
.macro  aes_scalar_convert_key_encrypt_swap n, a0, b0, a1, b1
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
.macro  aes_scalar_convert_key_encrypt_transpose
        movw        lr, #0x0f0f
        movt        lr, #0x0f0f
        aes_scalar_convert_key_encrypt_swap    4, r0, r4, r1, r5
        aes_scalar_convert_key_encrypt_swap    4, r2, r6, r3, r7
        movw        lr, #0x3333
        movt        lr, #0x3333
        aes_scalar_convert_key_encrypt_swap    2, r0, r2, r1, r3
        aes_scalar_convert_key_encrypt_swap    2, r4, r6, r5, r7
        movw        lr, #0x5555
        movt        lr, #0x5555
        aes_scalar_convert_key_encrypt_swap    1, r0, r1, r2, r3
        aes_scalar_convert_key_encrypt_swap    1, r4, r5, r6, r7
.endm

        .cfi_startproc
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
        sub         sp, sp, #20
        .cfi_def_cfa_offset 56
        mov         r10, r0
        mov         r12, r1
        mov         r11, #0
        mov         r3, #0
        str         r3, [sp, #8]

1:      str         r2, [sp, #4]                                // r10 round key, r3 place of the permutation
        adr         lr, .Laes_scalar_convert_key_encrypt_permutations
        add         lr, lr, r3
        ldrb        r8, [lr, #0]
        ldrb        r9, [r10, r8]
        mov         r0, r9
        ldrb        r8, [lr, #1]
        ldrb        r9, [r10, r8]
        orr         r0, r0, r9, lsl #8
        ldrb        r8, [lr, #2]
        ldrb        r9, [r10, r8]
        orr         r0, r0, r9, lsl #16
        ldrb        r8, [lr, #3]
        ldrb        r9, [r10, r8]
        orr         r0, r0, r9, lsl #24
        ldrb        r8, [lr, #4]
        ldrb        r9, [r10, r8]
        mov         r2, r9
        ldrb        r8, [lr, #5]
        ldrb        r9, [r10, r8]
        orr         r2, r2, r9, lsl #8
        ldrb        r8, [lr, #6]
        ldrb        r9, [r10, r8]
        orr         r2, r2, r9, lsl #16
        ldrb        r8, [lr, #7]
        ldrb        r9, [r10, r8]
        orr         r2, r2, r9, lsl #24
        ldrb        r8, [lr, #8]
        ldrb        r9, [r10, r8]
        mov         r4, r9
        ldrb        r8, [lr, #9]
        ldrb        r9, [r10, r8]
        orr         r4, r4, r9, lsl #8
        ldrb        r8, [lr, #10]
        ldrb        r9, [r10, r8]
        orr         r4, r4, r9, lsl #16
        ldrb        r8, [lr, #11]
        ldrb        r9, [r10, r8]
        orr         r4, r4, r9, lsl #24
        ldrb        r8, [lr, #12]
        ldrb        r9, [r10, r8]
        mov         r6, r9
        ldrb        r8, [lr, #13]
        ldrb        r9, [r10, r8]
        orr         r6, r6, r9, lsl #8
        ldrb        r8, [lr, #14]
        ldrb        r9, [r10, r8]
        orr         r6, r6, r9, lsl #16
        ldrb        r8, [lr, #15]
        ldrb        r9, [r10, r8]
        orr         r6, r6, r9, lsl #24
        mov         r1, r0
        mov         r3, r2
        mov         r5, r4
        mov         r7, r6
        aes_scalar_convert_key_encrypt_transpose
        eor         r0, r0, r11                                 // 0x63
        eor         r1, r1, r11
        eor         r5, r5, r11
        eor         r6, r6, r11
        .irp        x, r0, r1, r2, r3, r4, r5, r6, r7
        str         \x, [r12], #4
        .endr
        mvn         r11, #0
        add         r10, r10, #16
        ldr         r3, [sp, #8]
        ldr         r2, [sp, #4]
        add         r3, r3, #16
        and         r3, r3, #63
        str         r3, [sp, #8]
        subs        r2, r2, #1
        bpl         1b

        mov         r0, #0                                      // leave nothing of the key behind
        mov         r1, #0
        mov         r2, #0
        mov         r3, #0
        add         sp, sp, #20
        .cfi_remember_state
        .cfi_def_cfa_offset 36
        pop         {r4-r11, pc}
        .cfi_restore_state
        .cfi_endproc

.Laes_scalar_convert_key_encrypt_permutations:                    // SR^-i
        .byte            0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15
        .byte            0, 13, 10,  7,  4,  1, 14, 11,  8,  5,  2, 15, 12,  9,  6,  3
        .byte            0,  9,  2, 11,  4, 13,  6, 15,  8,  1, 10,  3, 12,  5, 14,  7
        .byte            0,  5, 10, 15,  4,  9, 14,  3,  8, 13,  2,  7, 12,  1,  6, 11

.purgem aes_scalar_convert_key_encrypt_swap
.purgem aes_scalar_convert_key_encrypt_transpose
