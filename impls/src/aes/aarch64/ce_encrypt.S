// AES-XTS encryption: AArch64, AES instructions (FEAT_AES), six blocks in flight
//
//     xts_encrypt(layout: *const u8, tweak: *mut [u8; 16],
//                 input: *const u8, output: *mut u8, count: usize, rounds: u32)
//
//     for j = 0 .. count - 1:  output[j] := Cipher(input[j] ^ T(j)) ^ T(j),
//     where  T(0) = tweak,  T(j+1) = T(j) x,  and afterwards  tweak := T(count);
//     Cipher is the cipher AES with the round keys of layout
//
// Source
//     FIPS 197, section 5.1 (cipher); IEEE 1619-2007, section 5 (XTS; blocks and tweaks are
//     little-endian: multiplication by x is a shift left of the 128-bit integer, and 0x87 for the bit shifted out).
//
// Technique
//   - With k(0) .. k(R) the round keys of the layout in order, U = T ^ k(0) is carried in place of T, and
//     KD = k(0) ^ k(R) in place of both outer keys: aese xors its key first, so the first one takes U as its key
//     (input ^ T ^ k(0)), and the last xor is Y = U ^ KD = T ^ k(R).
//   - U makes its steps in integer registers:  U' = T x ^ k(0) = U x ^ c  with  c = k(0) x ^ k(0).  The halves are
//     shifted one by one, which makes the shortest chain from one U to the next.
//   - The tweaks of the next six blocks are made between the rounds of these.
//   - The last two rounds are done for three, two and one block, so that aese and aesmc that are ready stand
//     before most of the last xors, which then take an execution unit that cannot do AES.
//   - K1 .. K13 are k(R-13) .. k(R-1): 10 rounds have k(1) .. k(9) in K5 .. K13, and begin there.
//   - One block is a path of its own, for tweaks and short data: it saves what six need.
//   - What is left below six blocks: one block alone, or up to five side by side. Lanes without a block work on what
//     their register holds, and are not stored.
//
// Arguments
//     x0  layout  the key schedule as expanded (FIPS 197, section 5.2),
//                 16 (R + 1) bytes, R = rounds, aligned to 16; read only
//     x1  tweak   16 bytes, at any address; read and written
//     x2  input   16 count bytes, at any address (normal memory, SCTLR_ELx.A = 0: unaligned access allowed);
//                 read only
//     x3  output  16 count bytes, at any address; equal to input, or disjoint from it
//     x4  count   number of blocks; with 0 no memory is touched
//     w5  rounds  10, 12 or 14; the upper half of x5 is ignored
//
// Registers
//     x0 .. x4   the arguments, input and output moving on, blocks left      v0 .. v5    M, blocks in flight
//     x6, x7     U, low and high half, of the block after those in v6 ..     v6 .. v11   U of these or next blocks
//     x8, x9     temporaries                                                v12 .. v17  Y
//     x10, x11   c                                                          v18 .. v30  K1 .. K13
//     x12        0x87                                                       v31         KD
//
// Stack, 64 bytes
//     sp + 0    d8 .. d15 of the caller
//
// Cleared
//     v0 .. v7, v16 .. v31 and x6 .. x11, as far as they were written, are zero, d8 .. d15 are the caller's again (with
//     upper halves zero). x0 .. x5 and x12 only ever held addresses, the count, the rounds and a constant.
//
// Notes
//   - Armv8-A with FEAT_AES, little-endian AArch64 state; position-independent.
//   - Nothing but layout, tweak, input, output and the stack above is read or written.
//   - Branches compare count and rounds alone, which are public; no address depends on anything secret.
//   - The includer of this file puts the extension aes back after it where the target lacks it.

        .arch_extension aes

        layout       .req    x0
        tweak        .req    x1
        input        .req    x2
        output       .req    x3
        count        .req    x4
        rounds       .req    w5
        lo           .req    x6
        hi           .req    x7
        reduce       .req    x8
        carry        .req    x9
        c_lo         .req    x10
        c_hi         .req    x11
        poly         .req    x12

        M0           .req    v0
        M0_q         .req    q0
        M1           .req    v1
        M1_q         .req    q1
        M2           .req    v2
        M2_q         .req    q2
        M3           .req    v3
        M3_q         .req    q3
        M4           .req    v4
        M4_q         .req    q4
        M5           .req    v5
        M5_q         .req    q5

        U0           .req    v6
        U0_d         .req    d6
        U1           .req    v7
        U1_d         .req    d7
        U2           .req    v8
        U2_d         .req    d8
        U3           .req    v9
        U3_d         .req    d9
        U4           .req    v10
        U4_d         .req    d10
        U5           .req    v11
        U5_d         .req    d11
        U0_q         .req    q6

        Y0           .req    v12
        Y1           .req    v13
        Y2           .req    v14
        Y3           .req    v15
        Y4           .req    v16
        Y5           .req    v17
        Y0_q         .req    q12

        K1           .req    v18
        K1_q         .req    q18
        K2           .req    v19
        K2_q         .req    q19
        K3           .req    v20
        K3_q         .req    q20
        K4           .req    v21
        K4_q         .req    q21
        K5           .req    v22
        K5_q         .req    q22
        K6           .req    v23
        K6_q         .req    q23
        K7           .req    v24
        K7_q         .req    q24
        K8           .req    v25
        K8_q         .req    q25
        K9           .req    v26
        K9_q         .req    q26
        K10          .req    v27
        K10_q        .req    q27
        K11          .req    v28
        K11_q        .req    q28
        K12          .req    v29
        K12_q        .req    q29
        K13          .req    v30
        K13_q        .req    q30

        KD           .req    v31
        KD_q         .req    q31

// M := MixColumns(ShiftRows(SubBytes(M ^ K)))
.macro  aes_ce_encrypt_step M, K
        aese        \M\().16b, \K\().16b
        aesmc        \M\().16b, \M\().16b
.endm

// One round of the six blocks in flight
.macro  aes_ce_encrypt_round K
        .irp        M, M0, M1, M2, M3, M4, M5
        aes_ce_encrypt_step \M, \K
        .endr
.endm

// One round of five blocks
.macro  aes_ce_encrypt_round5 K
        .irp        M, M0, M1, M2, M3, M4
        aes_ce_encrypt_step \M, \K
        .endr
.endm

// U := lo, hi;  lo, hi := the U of the block after
.macro  aes_ce_encrypt_tweak U
        fmov        \U\()_d, lo
        and         reduce, poly, hi, asr #63                   // 0x87 if a bit is shifted out
        mov         \U\().d[1], hi
        lsr         carry, lo, #63
        eor         lo, c_lo, lo, lsl #1
        eor         hi, c_hi, hi, lsl #1
        eor         lo, lo, reduce
        eor         hi, hi, carry
.endm

        .cfi_startproc
        hint        #34                                         // bti c
        cbz         count, 9f
        cmp         count, #1
        b.ne        5f

        ldr         U0_q, [tweak]                               // one block, which is all: no U, keys in order
        ldr         M0_q, [input]
        eor         M0.16b, M0.16b, U0.16b
        tbz         rounds, #2, 1f                              // 10 rounds
        tbz         rounds, #1, 3f                              // 12 rounds
        ldp         K1_q, K2_q, [layout], #32
        aes_ce_encrypt_step M0, K1
        aes_ce_encrypt_step M0, K2
3:      ldp         K1_q, K2_q, [layout], #32
        aes_ce_encrypt_step M0, K1
        aes_ce_encrypt_step M0, K2
1:      ldp         K1_q, K2_q, [layout]
        ldp         K3_q, K4_q, [layout, #32]
        ldp         K5_q, K6_q, [layout, #64]
        ldp         K7_q, K8_q, [layout, #96]
        ldp         K9_q, K10_q, [layout, #128]
        ldr         K11_q, [layout, #160]
        .irp        K, K1, K2, K3, K4, K5, K6, K7, K8, K9
        aes_ce_encrypt_step M0, \K
        .endr
        aese        M0.16b, K10.16b
        ldp         lo, hi, [tweak]
        eor         K11.16b, K11.16b, U0.16b
        mov         poly, #0x87
        eor         M0.16b, M0.16b, K11.16b
        and         reduce, poly, hi, asr #63
        extr        hi, hi, lo, #63                             // T x
        eor         lo, reduce, lo, lsl #1
        str         M0_q, [output]
        stp         lo, hi, [tweak]
        .irp        n, 0, 6, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28
        movi        v\n\().16b, #0
        .endr
        mov         lo, #0
        mov         hi, #0
        mov         reduce, #0
        ret

5:      stp         d8, d9, [sp, #-64]!
        .cfi_def_cfa_offset 64
        stp         d10, d11, [sp, #16]
        stp         d12, d13, [sp, #32]
        stp         d14, d15, [sp, #48]
        .cfi_rel_offset d8, 0
        .cfi_rel_offset d9, 8
        .cfi_rel_offset d10, 16
        .cfi_rel_offset d11, 24
        .cfi_rel_offset d12, 32
        .cfi_rel_offset d13, 40
        .cfi_rel_offset d14, 48
        .cfi_rel_offset d15, 56

        ldp         c_lo, c_hi, [layout]                        // k(0)
        ldp         lo, hi, [tweak]
        mov         poly, #0x87
        ldr         KD_q, [layout]
        add         x8, layout, rounds, uxtw #4
        eor         lo, lo, c_lo                                // U = T ^ k(0)
        eor         hi, hi, c_hi
        ldp         K13_q, Y0_q, [x8, #-16]                     // k(R-1), k(R)
        ldp         K11_q, K12_q, [x8, #-48]
        ldp         K9_q, K10_q, [x8, #-80]
        ldp         K7_q, K8_q, [x8, #-112]
        ldp         K5_q, K6_q, [x8, #-144]
        eor         KD.16b, KD.16b, Y0.16b
        tbz         rounds, #2, 1f                              // 10 rounds
        ldp         K3_q, K4_q, [x8, #-176]
        tbz         rounds, #1, 1f                              // 12 rounds
        ldp         K1_q, K2_q, [x8, #-208]

1:      and         reduce, poly, c_hi, asr #63                 // c = k(0) x ^ k(0)
        lsr         carry, c_lo, #63
        eor         c_lo, c_lo, c_lo, lsl #1
        eor         c_hi, c_hi, c_hi, lsl #1
        eor         c_lo, c_lo, reduce
        eor         c_hi, c_hi, carry

        aes_ce_encrypt_tweak U0
        aes_ce_encrypt_tweak U1
        aes_ce_encrypt_tweak U2
        aes_ce_encrypt_tweak U3
        aes_ce_encrypt_tweak U4
        aes_ce_encrypt_tweak U5
        subs        count, count, #6
        b.lo        4f

2:      ldp         M0_q, M1_q, [input]                         // six blocks
        ldp         M2_q, M3_q, [input, #32]
        ldp         M4_q, M5_q, [input, #64]
        add         input, input, #96

        aes_ce_encrypt_step M0, U0
        aes_ce_encrypt_step M1, U1
        aes_ce_encrypt_step M2, U2
        aes_ce_encrypt_step M3, U3
        aes_ce_encrypt_step M4, U4
        aes_ce_encrypt_step M5, U5
        tbz         rounds, #2, 1f
        tbz         rounds, #1, 3f
        aes_ce_encrypt_round K1
        aes_ce_encrypt_round K2
3:      aes_ce_encrypt_round K3
        aes_ce_encrypt_round K4
1:      aes_ce_encrypt_round K5
        eor         Y0.16b, U0.16b, KD.16b
        aes_ce_encrypt_tweak U0
        aes_ce_encrypt_round K6
        eor         Y1.16b, U1.16b, KD.16b
        aes_ce_encrypt_tweak U1
        aes_ce_encrypt_round K7
        eor         Y2.16b, U2.16b, KD.16b
        aes_ce_encrypt_tweak U2
        aes_ce_encrypt_round K8
        eor         Y3.16b, U3.16b, KD.16b
        aes_ce_encrypt_tweak U3
        aes_ce_encrypt_round K9
        eor         Y4.16b, U4.16b, KD.16b
        aes_ce_encrypt_tweak U4
        aes_ce_encrypt_round K10
        eor         Y5.16b, U5.16b, KD.16b
        aes_ce_encrypt_tweak U5
        aes_ce_encrypt_round K11
        aes_ce_encrypt_step M0, K12
        aes_ce_encrypt_step M1, K12
        aes_ce_encrypt_step M2, K12
        aese        M0.16b, K13.16b
        aese        M1.16b, K13.16b
        aese        M2.16b, K13.16b
        aes_ce_encrypt_step M3, K12
        aes_ce_encrypt_step M4, K12
        aese        M3.16b, K13.16b
        aese        M4.16b, K13.16b
        aes_ce_encrypt_step M5, K12
        eor         M0.16b, M0.16b, Y0.16b
        eor         M1.16b, M1.16b, Y1.16b
        eor         M2.16b, M2.16b, Y2.16b
        aese        M5.16b, K13.16b
        eor         M3.16b, M3.16b, Y3.16b
        eor         M4.16b, M4.16b, Y4.16b
        stp         M0_q, M1_q, [output]
        eor         M5.16b, M5.16b, Y5.16b
        stp         M2_q, M3_q, [output, #32]
        stp         M4_q, M5_q, [output, #64]
        add         output, output, #96
        subs        count, count, #6
        b.hs        2b

4:      adds        count, count, #6
        b.eq        8f
        subs        count, count, #1
        b.eq        7f

        ldp         M0_q, M1_q, [input]                         // two to five blocks; count is one less
        cmp         count, #2
        b.lo        1f
        ldr         M2_q, [input, #32]
        b.eq        1f
        ldr         M3_q, [input, #48]
        cmp         count, #4
        b.lo        1f
        ldr         M4_q, [input, #64]
1:      eor         Y0.16b, U0.16b, KD.16b
        eor         Y1.16b, U1.16b, KD.16b
        eor         Y2.16b, U2.16b, KD.16b
        eor         Y3.16b, U3.16b, KD.16b
        eor         Y4.16b, U4.16b, KD.16b

        aes_ce_encrypt_step M0, U0
        aes_ce_encrypt_step M1, U1
        aes_ce_encrypt_step M2, U2
        aes_ce_encrypt_step M3, U3
        aes_ce_encrypt_step M4, U4
        tbz         rounds, #2, 1f
        tbz         rounds, #1, 3f
        aes_ce_encrypt_round5 K1
        aes_ce_encrypt_round5 K2
3:      aes_ce_encrypt_round5 K3
        aes_ce_encrypt_round5 K4
1:      .irp        K, K5, K6, K7, K8, K9, K10, K11, K12
        aes_ce_encrypt_round5 \K
        .endr
        .irp        M, M0, M1, M2, M3, M4
        aese        \M\().16b, K13.16b
        .endr

        eor         M0.16b, M0.16b, Y0.16b
        eor         M1.16b, M1.16b, Y1.16b
        eor         M2.16b, M2.16b, Y2.16b
        eor         M3.16b, M3.16b, Y3.16b
        eor         M4.16b, M4.16b, Y4.16b
        stp         M0_q, M1_q, [output]
        mov         U0.16b, U2.16b                              // U0 := U of the block after the last one
        cmp         count, #2
        b.lo        8f
        str         M2_q, [output, #32]
        mov         U0.16b, U3.16b
        b.eq        8f
        str         M3_q, [output, #48]
        mov         U0.16b, U4.16b
        cmp         count, #4
        b.lo        8f
        str         M4_q, [output, #64]
        mov         U0.16b, U5.16b
        b           8f

7:      ldr         M0_q, [input]                               // one block
        eor         Y0.16b, U0.16b, KD.16b
        aes_ce_encrypt_step M0, U0
        mov         U0.16b, U1.16b
        tbz         rounds, #2, 1f
        tbz         rounds, #1, 3f
        aes_ce_encrypt_step M0, K1
        aes_ce_encrypt_step M0, K2
3:      aes_ce_encrypt_step M0, K3
        aes_ce_encrypt_step M0, K4
1:      .irp        K, K5, K6, K7, K8, K9, K10, K11, K12
        aes_ce_encrypt_step M0, \K
        .endr
        aese        M0.16b, K13.16b
        eor         M0.16b, M0.16b, Y0.16b
        str         M0_q, [output]

8:      ldr         M0_q, [layout]                              // T = U ^ k(0)
        eor         U0.16b, U0.16b, M0.16b
        str         U0_q, [tweak]

        .irp        n, 0, 1, 2, 3, 4, 5, 6, 7                   // leave nothing of keys, tweaks or blocks behind
        movi        v\n\().16b, #0
        .endr
        .irp        n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        movi        v\n\().16b, #0
        .endr
        mov         lo, #0
        mov         hi, #0
        mov         reduce, #0
        mov         carry, #0
        mov         c_lo, #0
        mov         c_hi, #0
        ldp         d10, d11, [sp, #16]
        ldp         d12, d13, [sp, #32]
        ldp         d14, d15, [sp, #48]
        ldp         d8, d9, [sp], #64
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

.purgem aes_ce_encrypt_step
.purgem aes_ce_encrypt_round
.purgem aes_ce_encrypt_round5
.purgem aes_ce_encrypt_tweak

        .unreq  layout
        .unreq  tweak
        .unreq  input
        .unreq  output
        .unreq  count
        .unreq  rounds
        .unreq  lo
        .unreq  hi
        .unreq  reduce
        .unreq  carry
        .unreq  c_lo
        .unreq  c_hi
        .unreq  poly
        .unreq  M0
        .unreq  M0_q
        .unreq  M1
        .unreq  M1_q
        .unreq  M2
        .unreq  M2_q
        .unreq  M3
        .unreq  M3_q
        .unreq  M4
        .unreq  M4_q
        .unreq  M5
        .unreq  M5_q
        .unreq  U0
        .unreq  U0_d
        .unreq  U1
        .unreq  U1_d
        .unreq  U2
        .unreq  U2_d
        .unreq  U3
        .unreq  U3_d
        .unreq  U4
        .unreq  U4_d
        .unreq  U5
        .unreq  U5_d
        .unreq  U0_q
        .unreq  Y0
        .unreq  Y1
        .unreq  Y2
        .unreq  Y3
        .unreq  Y4
        .unreq  Y5
        .unreq  Y0_q
        .unreq  K1
        .unreq  K1_q
        .unreq  K2
        .unreq  K2_q
        .unreq  K3
        .unreq  K3_q
        .unreq  K4
        .unreq  K4_q
        .unreq  K5
        .unreq  K5_q
        .unreq  K6
        .unreq  K6_q
        .unreq  K7
        .unreq  K7_q
        .unreq  K8
        .unreq  K8_q
        .unreq  K9
        .unreq  K9_q
        .unreq  K10
        .unreq  K10_q
        .unreq  K11
        .unreq  K11_q
        .unreq  K12
        .unreq  K12_q
        .unreq  K13
        .unreq  K13_q
        .unreq  KD
        .unreq  KD_q
