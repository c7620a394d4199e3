// AES key expansion: AArch64, AES instructions (FEAT_AES)
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
//     x0  key       4 Nk = 16 or 32 bytes for 10 or 14 rounds, at any address (normal memory,
//                   SCTLR_ELx.A = 0: unaligned access allowed); read only
//     x1  schedule  16 (R + 1) bytes, at any address; written, disjoint from key
//     w2  rounds    10 or 14; the upper half of x2 is ignored
//
// Registers
//     x0         key                  w4 .. w11  k0 .. k7, the last Nk words
//     x1         next words           w12        SubWord
//     w2         rounds               w14        temporary (Rcon)
//     w3         Rcon                 v0         SubWord
//     w13        steps left           v1         zero
//
// Stack
//     Not used.
//
// Cleared
//     x4 .. x12 and v0, v1 are zero. x0 .. x3, x13, x14 only ever held addresses, the rounds, a counter and Rcon.
//
// Notes
//   - Armv8-A with FEAT_AES, little-endian AArch64 state; position-independent.
//   - Nothing but key and schedule is read or written.
//   - Branches compare rounds and a counter alone, which are public; no address depends on the key.
//   - The includer of this file puts the extension aes back after it where the target lacks it.

        .arch_extension aes

        key          .req    x0
        schedule     .req    x1
        rounds       .req    w2
        rcon         .req    w3
        k0           .req    w4
        k1           .req    w5
        k2           .req    w6
        k3           .req    w7
        k4           .req    w8
        k5           .req    w9
        k6           .req    w10
        k7           .req    w11
        sub_word     .req    w12
        steps        .req    w13
        carry        .req    w14

// sub_word := SubWord(word)
.macro  aes_ce_expand_key_sub word
        dup         v0.4s, \word
        aese        v0.16b, v1.16b
        fmov        sub_word, s0
.endm

// k0 := k0 ^ SubWord(RotWord(word)) ^ Rcon;  k1 .. k3 follow
.macro  aes_ce_expand_key_step word
        aes_ce_expand_key_sub \word
        eor         k0, k0, rcon
        eor         k0, k0, sub_word, ror #8
        eor         k1, k1, k0
        eor         k2, k2, k1
        eor         k3, k3, k2
        stp         k0, k1, [schedule]
        stp         k2, k3, [schedule, #8]
        add         schedule, schedule, #16
.endm

        .cfi_startproc
        hint        #34                                         // bti c
        movi        v1.16b, #0
        mov         rcon, #1
        ldp         k0, k1, [key]
        ldp         k2, k3, [key, #8]
        stp         k0, k1, [schedule]
        stp         k2, k3, [schedule, #8]
        add         schedule, schedule, #16
        cmp         rounds, #12
        b.hi        2f

        mov         steps, #10                                  // Nk = 4
1:      aes_ce_expand_key_step k3
        lsr         carry, rcon, #7                             // Rcon := Rcon x
        add         carry, carry, carry, lsl #1
        add         carry, carry, carry, lsl #3                 // 0x1b if a bit is shifted out
        eor         rcon, carry, rcon, lsl #1
        and         rcon, rcon, #0xff
        subs        steps, steps, #1
        b.ne        1b
        b           9f

2:      ldp         k4, k5, [key, #16]                          // Nk = 8
        ldp         k6, k7, [key, #24]
        mov         steps, #6
        stp         k4, k5, [schedule]
        stp         k6, k7, [schedule, #8]
        add         schedule, schedule, #16
1:      aes_ce_expand_key_step k7
        aes_ce_expand_key_sub k3
        eor         k4, k4, sub_word
        eor         k5, k5, k4
        eor         k6, k6, k5
        eor         k7, k7, k6
        stp         k4, k5, [schedule]
        stp         k6, k7, [schedule, #8]
        lsl         rcon, rcon, #1                              // Rcon := Rcon x
        add         schedule, schedule, #16
        subs        steps, steps, #1
        b.ne        1b
        aes_ce_expand_key_step k7

9:      movi        v0.16b, #0                                  // leave nothing of the key behind
        mov         k0, #0
        mov         k1, #0
        mov         k2, #0
        mov         k3, #0
        mov         k4, #0
        mov         k5, #0
        mov         k6, #0
        mov         k7, #0
        mov         sub_word, #0
        ret
        .cfi_endproc

.purgem aes_ce_expand_key_sub
.purgem aes_ce_expand_key_step

        .unreq  key
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
        .unreq  sub_word
        .unreq  steps
        .unreq  carry
