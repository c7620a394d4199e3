// AES-XTS decryption: AArch32 (A32), AES instructions of ARMv8 (FEAT_AES), four blocks in flight
//
//     xts_decrypt(layout: *const u8, tweak: *mut [u8; 16],
//                 input: *const u8, output: *mut u8, count: usize, rounds: u32)
//
//     for j = 0 .. count - 1:  output[j] := InvCipher(input[j] ^ T(j)) ^ T(j),
//     where  T(0) = tweak,  T(j+1) = T(j) x,  and afterwards  tweak := T(count);
//     InvCipher is the equivalent inverse cipher of AES with the round keys of layout
//
// Source
//     FIPS 197, section 5.3.5 (equivalent inverse cipher); IEEE 1619-2007, section 5 (XTS; blocks and tweaks are
//     little-endian: multiplication by x is a shift left of the 128-bit integer, and 0x87 for the bit shifted out).
//
// Technique
//   - Round keys k(0) .. k(R) stream through two pairs of registers, each pair loaded two rounds ahead.
//   - The last xor is with Y = T ^ k(R), made first: so T is free for the tweak of the next four blocks, which is
//     made between the rounds, in integer registers.
//   - What is left below four blocks: one block alone, or up to three side by side. Lanes without a block work on
//     what their register holds, and are not stored.
//
// Arguments
//     r0      layout  the decryption layout of this tier's convert_key_decrypt: round keys of the equivalent
//                     inverse cipher, 16 (R + 1) bytes, R = rounds, aligned to 16; read only
//     r1      tweak   16 bytes, at any address; read and written
//     r2      input   16 count bytes, at any address (normal memory, SCTLR.A = 0: unaligned access allowed);
//                     read only
//     r3      output  16 count bytes, at any address; equal to input, or disjoint from it
//     [sp]    count   number of blocks; with 0 nothing but these arguments is read
//     [sp+4]  rounds  10 or 14
//
// Registers
//     r0         k(R)                          q0 .. q3    M, blocks in flight
//     r1         tweak                         q4 .. q7    Y
//     r2, r3     next input, output            q8, q9      two round keys
//     r4 .. r7   tweak of the next block       q10, q11    two round keys, in turn with q8, q9
//     r8         temporary                     q12 .. q15  T of the blocks in flight or of the next ones
//     r9         0x87
//     r10        next round keys
//     r11        rounds
//     r12        blocks left
//     lr         layout
//
// Stack, 104 bytes
//     sp + 0    d8 .. d15 of the caller
//     sp + 64   r4 .. r11, lr of the caller; 4 bytes unused
//
// Cleared
//     q0 .. q3 and q8 .. q15 are zero, d8 .. d15 and r4 .. r11 are the caller's again. r0 .. r3, r12 and lr only ever
//     held addresses, the count and the rounds; the flags are those of the count.
//
// Notes
//   - Armv8-A with FEAT_AES, little-endian AArch32 state, A32 instructions; position-independent.
//   - Nothing but the arguments, layout, tweak, input, output and the stack above is read or written.
//   - Branches compare count and rounds alone, which are public; no address depends on anything secret.
//   - At the end of the file the architecture and FPU are set back to the defaults of the ARMv7 target.

        .arch   armv8-a
        .fpu    crypto-neon-fp-armv8

        last_key     .req    r0
        tweak        .req    r1
        input        .req    r2
        output       .req    r3
        tw0          .req    r4
        tw1          .req    r5
        tw2          .req    r6
        tw3          .req    r7
        reduce       .req    r8
        poly         .req    r9
        keys         .req    r10
        rounds       .req    r11
        count        .req    r12
        layout       .req    lr

        M0           .req    q0
        M1           .req    q1
        M2           .req    q2
        M3           .req    q3
        Y0           .req    q4
        Y1           .req    q5
        Y2           .req    q6
        Y3           .req    q7
        Ka           .req    q8
        Kb           .req    q9
        Kc           .req    q10
        Kd           .req    q11
        T0           .req    q12
        T1           .req    q13
        T2           .req    q14
        T3           .req    q15
        T0l          .req    d24
        T0h          .req    d25
        T1l          .req    d26
        T1h          .req    d27
        T2l          .req    d28
        T2h          .req    d29
        T3l          .req    d30
        T3h          .req    d31

// One round of the blocks with key K: M := InvMixColumns(InvSubBytes(InvShiftRows(M ^ K)))
.macro  aes_ce_decrypt_round K, blocks:vararg
        .irp        B, \blocks
        aesd.8      \B, \K
        aesimc.8     \B, \B
        .endr
.endm

// The rounds before the last ten. Ka, Kb, Kc, Kd are the round keys to use next, before and after.
.macro  aes_ce_decrypt_first_rounds blocks:vararg
        vld1.8      {d16-d19}, [keys]!                          // k(0) .. k(3)
        vld1.8      {d20-d23}, [keys]!
        cmp         rounds, #12
        blo         1f
        aes_ce_decrypt_round Ka, \blocks
        aes_ce_decrypt_round Kb, \blocks
        vld1.8      {d16-d19}, [keys]!                          // 14 rounds: k(4) .. k(7)
        aes_ce_decrypt_round Kc, \blocks
        aes_ce_decrypt_round Kd, \blocks
        vld1.8      {d20-d23}, [keys]!
1:
.endm

// The last ten rounds; the last key is not used yet
.macro  aes_ce_decrypt_last_rounds blocks:vararg
        aes_ce_decrypt_round Ka, \blocks
        aes_ce_decrypt_round Kb, \blocks
        vld1.8      {d16-d19}, [keys]!
        aes_ce_decrypt_round Kc, \blocks
        aes_ce_decrypt_round Kd, \blocks
        vld1.8      {d20-d23}, [keys]!
        aes_ce_decrypt_round Ka, \blocks
        aes_ce_decrypt_round Kb, \blocks
        vld1.8      {d16-d19}, [keys]!
        aes_ce_decrypt_round Kc, \blocks
        aes_ce_decrypt_round Kd, \blocks
        aes_ce_decrypt_round Ka, \blocks
        .irp        B, \blocks
        aesd.8      \B, Kb
        .endr
.endm

// T := tw3:tw2:tw1:tw0;  tw3:tw2:tw1:tw0 := the tweak of the block after
.macro  aes_ce_decrypt_tweak T
        vmov        \T\()l, tw0, tw1
        and         reduce, poly, tw3, asr #31                   // 0x87 if a bit is shifted out
        vmov        \T\()h, tw2, tw3
        adds        tw0, tw0, tw0
        adcs        tw1, tw1, tw1
        adcs        tw2, tw2, tw2
        adc         tw3, tw3, tw3
        eor         tw0, tw0, reduce
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

        ldr         rounds, [sp, #108]
        mov         layout, r0
        ldr         tw0, [tweak]
        ldr         tw1, [tweak, #4]
        ldr         tw2, [tweak, #8]
        ldr         tw3, [tweak, #12]
        add         last_key, r0, rounds, lsl #4                // k(R)
        mov         poly, #0x87

        aes_ce_decrypt_tweak T0
        aes_ce_decrypt_tweak T1
        subs        count, count, #1
        beq         7f                                          // one block
        aes_ce_decrypt_tweak T2
        aes_ce_decrypt_tweak T3
        subs        count, count, #3
        blo         4f

3:      vld1.8      {d0-d3}, [input]!                           // four blocks
        vld1.8      {d20-d21}, [last_key]
        vld1.8      {d4-d7}, [input]!
        mov         keys, layout
        veor        Y0, T0, Kc
        veor        M0, M0, T0
        veor        Y1, T1, Kc
        veor        M1, M1, T1
        veor        Y2, T2, Kc
        veor        M2, M2, T2
        veor        Y3, T3, Kc
        veor        M3, M3, T3
        aes_ce_decrypt_first_rounds M0, M1, M2, M3
        aes_ce_decrypt_round Ka, M0, M1, M2, M3
        aes_ce_decrypt_tweak T0
        aes_ce_decrypt_round Kb, M0, M1, M2, M3
        vld1.8      {d16-d19}, [keys]!
        aes_ce_decrypt_round Kc, M0, M1, M2, M3
        aes_ce_decrypt_tweak T1
        aes_ce_decrypt_round Kd, M0, M1, M2, M3
        vld1.8      {d20-d23}, [keys]!
        aes_ce_decrypt_round Ka, M0, M1, M2, M3
        aes_ce_decrypt_tweak T2
        aes_ce_decrypt_round Kb, M0, M1, M2, M3
        vld1.8      {d16-d19}, [keys]!
        aes_ce_decrypt_round Kc, M0, M1, M2, M3
        aes_ce_decrypt_tweak T3
        aes_ce_decrypt_round Kd, M0, M1, M2, M3
        aes_ce_decrypt_round Ka, M0, M1, M2, M3
        aesd.8      M0, Kb
        aesd.8      M1, Kb
        veor        M0, M0, Y0
        aesd.8      M2, Kb
        veor        M1, M1, Y1
        aesd.8      M3, Kb
        vst1.8      {d0-d3}, [output]!
        veor        M2, M2, Y2
        veor        M3, M3, Y3
        vst1.8      {d4-d7}, [output]!
        subs        count, count, #4
        bhs         3b

4:      adds        count, count, #4
        beq         8f
        mov         keys, layout
        subs        count, count, #1
        beq         7f

        vld1.8      {d0-d3}, [input]!                           // two or three blocks; count is one less
        vld1.8      {d20-d21}, [last_key]
        cmp         count, #1
        beq         1f
        vld1.8      {d4-d5}, [input]
1:      veor        Y0, T0, Kc
        veor        M0, M0, T0
        veor        Y1, T1, Kc
        veor        M1, M1, T1
        veor        Y2, T2, Kc
        veor        M2, M2, T2
        aes_ce_decrypt_first_rounds M0, M1, M2
        aes_ce_decrypt_last_rounds M0, M1, M2
        veor        M0, M0, Y0
        veor        M1, M1, Y1
        veor        M2, M2, Y2
        vst1.8      {d0-d3}, [output]!
        vmov        T0, T2                                      // T0 := tweak of the block after the last one
        cmp         count, #1
        beq         8f
        vst1.8      {d4-d5}, [output]
        vmov        T0, T3
        b           8f

7:      vld1.8      {d0-d1}, [input]                            // one block
        vld1.8      {d20-d21}, [last_key]
        mov         keys, layout
        veor        Y0, T0, Kc
        veor        M0, M0, T0
        vmov        T0, T1
        aes_ce_decrypt_first_rounds M0
        aes_ce_decrypt_last_rounds M0
        veor        M0, M0, Y0
        vst1.8      {d0-d1}, [output]

8:      vst1.8      {d24-d25}, [tweak]
        .irp        n, 0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15 // leave nothing of keys, tweaks or blocks behind
        vmov.i32    q\n, #0
        .endr
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

.purgem aes_ce_decrypt_round
.purgem aes_ce_decrypt_first_rounds
.purgem aes_ce_decrypt_last_rounds
.purgem aes_ce_decrypt_tweak

        .unreq  last_key
        .unreq  tweak
        .unreq  input
        .unreq  output
        .unreq  tw0
        .unreq  tw1
        .unreq  tw2
        .unreq  tw3
        .unreq  reduce
        .unreq  poly
        .unreq  keys
        .unreq  rounds
        .unreq  count
        .unreq  layout
        .unreq  M0
        .unreq  M1
        .unreq  M2
        .unreq  M3
        .unreq  Y0
        .unreq  Y1
        .unreq  Y2
        .unreq  Y3
        .unreq  Ka
        .unreq  Kb
        .unreq  Kc
        .unreq  Kd
        .unreq  T0
        .unreq  T1
        .unreq  T2
        .unreq  T3
        .unreq  T0l
        .unreq  T0h
        .unreq  T1l
        .unreq  T1h
        .unreq  T2l
        .unreq  T2h
        .unreq  T3l
        .unreq  T3h

        .arch   armv7-a
        .fpu    vfpv3-d16
