// AES key expansion: AArch32 (A32), AES instructions of ARMv8 (FEAT_AES)
//
//     expand_key(key: *const u8, schedule: *mut u8, rounds: u32)
//
//     schedule := the words w[0] .. w[4 R + 3] of the key expansion, R = rounds, in the standard's byte order
//
// Source
//     FIPS 197, section 5.2.
//
// Technique
//   - AESE with a zero key is SubBytes after ShiftRows. With one word in all four columns ShiftRows changes nothing,
//     and what is left is SubWord. There is no table.
//   - Words are little-endian here, byte 0 of the standard lowest: RotWord is a rotation to the right by 8, and Rcon
//     sits in the low byte. For Nk = 4 it is doubled in GF(2^8) without a branch; for Nk = 8 it ends at 0x40.
//   - One step makes the next Nk words (4 or 8); of the last step for Nk = 8 only four are wanted.
//
// Arguments
//     r0  key       4 Nk = 16 or 32 bytes for 10 or 14 rounds, at any address (normal memory, SCTLR.A = 0:
//                   unaligned access allowed); read only
//     r1  schedule  16 (R + 1) bytes, at any address; written, disjoint from key
//     r2  rounds    10 or 14
//
// Registers
//     r0         key, then steps left      r4 .. r11  k0 .. k7, the last Nk words
//     r1         next words                r12        SubWord, temporary (Rcon)
//     r2         rounds                    q0         SubWord
//     r3         Rcon                      q1         zero
//
// Stack, 32 bytes
//     sp + 0    r4 .. r11 of the caller
//
// Cleared
//     r12 and q0, q1 are zero, r4 .. r11 are the caller's again. r0 .. r3 only ever held addresses, the rounds, a
//     counter and Rcon.
//
// Notes
//   - Armv8-A with FEAT_AES, little-endian AArch32 state, A32 instructions; position-independent.
//   - Nothing but key, schedule and the stack above is read or written.
//   - Branches compare rounds and a counter alone, which are public; no address depends on the key.
//   - At the end of the file the architecture and FPU are set back to the defaults of the ARMv7 target.

        .arch   armv8-a
        .fpu    crypto-neon-fp-armv8

        key          .req    r0
        steps        .req    r0
        schedule     .req    r1
        rounds       .req    r2
        rcon         .req    r3
        k0           .req    r4
        k1           .req    r5
        k2           .req    r6
        k3           .req    r7
        k4           .req    r8
        k5           .req    r9
        k6           .req    r10
        k7           .req    r11
        temp         .req    r12

// temp := SubWord(word)
.macro  aes_ce_expand_key_sub word
        vdup.32     q0, \word
        aese.8      q0, q1
        vmov.32     temp, d0[0]
.endm

.macro  aes_ce_expand_key_store word:vararg
        .irp        w, \word
        str         \w, [schedule], #4
        .endr
.endm

// k0 := k0 ^ SubWord(RotWord(word)) ^ Rcon;  k1 .. k3 follow
.macro  aes_ce_expand_key_step word
        aes_ce_expand_key_sub \word
        eor         k0, k0, temp, ror #8
        eor         k0, k0, rcon
        eor         k1, k1, k0
        eor         k2, k2, k1
        eor         k3, k3, k2
        aes_ce_expand_key_store k0, k1, k2, k3
.endm

        .cfi_startproc
        push        {r4-r11}
        .cfi_def_cfa_offset 32
        .cfi_rel_offset r4, 0
        .cfi_rel_offset r5, 4
        .cfi_rel_offset r6, 8
        .cfi_rel_offset r7, 12
        .cfi_rel_offset r8, 16
        .cfi_rel_offset r9, 20
        .cfi_rel_offset r10, 24
        .cfi_rel_offset r11, 28

        vmov.i32    q1, #0
        mov         rcon, #1
        ldr         k0, [key, #0]
        ldr         k1, [key, #4]
        ldr         k2, [key, #8]
        ldr         k3, [key, #12]
        aes_ce_expand_key_store k0, k1, k2, k3
        cmp         rounds, #12
        bhi         2f

        mov         steps, #10                                  // Nk = 4
1:      aes_ce_expand_key_step k3
        lsr         temp, rcon, #7                              // Rcon := Rcon x
        add         temp, temp, temp, lsl #1
        add         temp, temp, temp, lsl #3                    // 0x1b if a bit is shifted out
        eor         rcon, temp, rcon, lsl #1
        and         rcon, rcon, #0xff
        subs        steps, steps, #1
        bne         1b
        b           9f

2:      ldr         k4, [key, #16]
        ldr         k5, [key, #20]
        ldr         k6, [key, #24]
        ldr         k7, [key, #28]
        mov         steps, #6                                   // Nk = 8
        aes_ce_expand_key_store k4, k5, k6, k7
1:      aes_ce_expand_key_step k7
        aes_ce_expand_key_sub k3
        eor         k4, k4, temp
        eor         k5, k5, k4
        eor         k6, k6, k5
        eor         k7, k7, k6
        lsl         rcon, rcon, #1                              // Rcon := Rcon x
        aes_ce_expand_key_store k4, k5, k6, k7
        subs        steps, steps, #1
        bne         1b
        aes_ce_expand_key_step k7

9:      vmov.i32    q0, #0                                      // leave nothing of the key behind
        mov         temp, #0
        pop         {r4-r11}
        .cfi_def_cfa_offset 0
        .cfi_restore r4
        .cfi_restore r5
        .cfi_restore r6
        .cfi_restore r7
        .cfi_restore r8
        .cfi_restore r9
        .cfi_restore r10
        .cfi_restore r11
        bx          lr
        .cfi_endproc

.purgem aes_ce_expand_key_sub
.purgem aes_ce_expand_key_store
.purgem aes_ce_expand_key_step

        .unreq  key
        .unreq  steps
        .unreq  schedule
        .unreq  rounds
        .unreq  rcon
        .unreq  k0
        .unreq  k1
        .unreq  k2
        .unreq  k3
        .unreq  k4
        .unreq  k5
        .unreq  k6
        .unreq  k7
        .unreq  temp

        .arch   armv7-a
        .fpu    vfpv3-d16
