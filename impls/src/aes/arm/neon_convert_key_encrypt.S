// AES round keys, bit-sliced: AArch32 (A32), NEON
//
//     convert_key_encrypt(schedule: *const u8, layout: *mut u8, rounds: u32)
//
//     For i = 0 .. R, R = rounds:  k := SR^-i(w(i) ^ c(i)),  where w(0) .. w(R) are the 16-byte round keys of
//     schedule,
//     SR is ShiftRows, c(0) = 0 and c(i) = 0x63 in every byte for i > 0; and
//     byte p of layout[i][7 - b] := 0xff if bit b of byte p of k is 1, otherwise 0, for b = 0 .. 7.
//     The layout serves both directions.
//
// Source
//     FIPS 197, sections 5.1.2 (ShiftRows), 5.1.4 (AddRoundKey). See the encryption of this tier for the use of SR
//     and 0x63.
//
// Arguments
//     r0  schedule  16 (R + 1) bytes, at any address (normal memory, SCTLR.A = 0: unaligned access allowed);
//                   read only
//     r1  layout    128 (R + 1) bytes (1920 for 14 rounds), at any address; written, disjoint from schedule
//     r2  rounds    10, 12 or 14
//
// Registers
//     r0   next round key                     q0         round key
//     r1   next layout                        q1         0x63, 0 for the first key
//     r2   round keys left, less one          q2, q3     a bit of every byte
//     r3   permutation of the round           q8         permutation of the round
//     r12  end of the permutations            q9 .. q15  one bit in every byte, bits 7 .. 1; bit 0 in q8 once the
//                                                        permutation is used
//
// Stack
//     Not used.
//
// Cleared
//     q0, q2 and q3 are zero. All else only ever held addresses, a counter and constants.
//
// Notes
//   - Armv7-A with NEON, little-endian AArch32 state, A32 instructions; position-independent.
//   - Nothing but schedule, layout and the constants is read or written.
//   - Branches compare a counter and an address of constants alone, which are public; no address depends on the key.
//   - At the end of the file the FPU is set back to the default of the ARMv7 target.

        .fpu    neon

        schedule     .req    r0
        layout       .req    r1
        rounds       .req    r2
        permutation  .req    r3
        end          .req    r12

        .cfi_startproc
        adr         permutation, .Laes_neon_convert_key_encrypt_permutations
        vmov.i8     q1, #0
        vmov.i8     q9, #0x80
        add         end, permutation, #64
        vmov.i8     q10, #0x40
        vmov.i8     q11, #0x20
        vmov.i8     q12, #0x10
        vmov.i8     q13, #0x08
        vmov.i8     q14, #0x04
        vmov.i8     q15, #0x02
1:      vld1.8      {d16-d17}, [permutation]!
        vld1.8      {d0-d1}, [schedule]!
        cmp         permutation, end
        subeq       permutation, permutation, #64
        veor        q1, q0, q1
        vtbl.8      d0, {d2-d3}, d16
        vtbl.8      d1, {d2-d3}, d17
        vmov.i8     q8, #0x01
        vmov.i8     q1, #0x63
        vtst.8      q2, q0, q9
        vtst.8      q3, q0, q10
        vst1.8      {d4-d7}, [layout]!
        vtst.8      q2, q0, q11
        vtst.8      q3, q0, q12
        vst1.8      {d4-d7}, [layout]!
        vtst.8      q2, q0, q13
        vtst.8      q3, q0, q14
        vst1.8      {d4-d7}, [layout]!
        vtst.8      q2, q0, q15
        vtst.8      q3, q0, q8
        vst1.8      {d4-d7}, [layout]!
        subs        rounds, rounds, #1
        bpl         1b

        vmov.i32    q0, #0                                      // leave nothing of the key behind
        vmov.i32    q2, #0
        vmov.i32    q3, #0
        bx          lr
        .cfi_endproc

        .balign     16
.Laes_neon_convert_key_encrypt_permutations:                    // SR^-i
        .byte            0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15
        .byte            0, 13, 10,  7,  4,  1, 14, 11,  8,  5,  2, 15, 12,  9,  6,  3
        .byte            0,  9,  2, 11,  4, 13,  6, 15,  8,  1, 10,  3, 12,  5, 14,  7
        .byte            0,  5, 10, 15,  4,  9, 14,  3,  8, 13,  2,  7, 12,  1,  6, 11

        .unreq  schedule
        .unreq  layout
        .unreq  rounds
        .unreq  permutation
        .unreq  end

        .fpu    vfpv3-d16
