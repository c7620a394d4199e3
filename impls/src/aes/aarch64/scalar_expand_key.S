// AES key expansion: AArch64, integer registers, constant-time
//
//     expand_key(key: *const u8, schedule: *mut u8, rounds: u32)
//
//     schedule := the words w[0] .. w[4 R + 3] of the key expansion, R = rounds, in the standard's byte order
//
// Source
//     FIPS 197, section 5.2.
//     S-box: J. Boyar, R. Peralta, "A new combinational logic minimization technique with applications to
//     cryptology", SEA 2010.
//
// Technique
//   - SubWord is a circuit, on the four bytes at once: bit b of every byte is moved to bit 0 of the bytes of a
//     register. There is no table. The circuit is that of the ciphers of this tier: linear layer (y), products around
//     an inversion in GF(2^4) (t, z), linear layer (s). It leaves out the constant 0x63, which is added at the end.
//   - Words are little-endian here, byte 0 of the standard lowest: RotWord is a rotation to the right by 8, and Rcon
//     sits in the low byte, doubled in GF(2^8) without a branch.
//   - One step makes the next Nk words (4 or 6); for Nk = 8 the next four, of which only every second time the first
//     takes RotWord and Rcon.
//
// Arguments
//     x0  key       4 Nk = 16, 24 or 32 bytes for 10, 12 or 14 rounds, at any address (normal memory,
//                   SCTLR_ELx.A = 0: unaligned access allowed); read only
//     x1  schedule  16 (R + 1) bytes, at any address; written, and read where written; disjoint from key
//     w2  rounds    10, 12 or 14; the upper half of x2 is ignored
//
// Registers
//     x1         next word                        w0, w5 .. w17, w19 .. w28  values named at the right
//     w2         words left                       w29                        0x01010101
//     w3         Rcon
//     x4         - 4 Nk
//     beside the S-box: w5, words of a step, 4 or 6; w6, bit 0: this step takes RotWord and Rcon, bit 1: so does the
//     next but one only; w0, words left of this step
//
// Stack, 96 bytes
//     sp + 0    x19 .. x29 of the caller
//     sp + 88   w5, w6
//
// Cleared
//     x0, x5 .. x17 are zero, x19 .. x29 are the caller's again. x1 .. x4 only ever held addresses, counts and Rcon.
//
// Notes
//   - Armv8-A, little-endian AArch64 state; position-independent.
//   - Nothing but key, schedule and the stack above is read or written.
//   - Branches compare rounds and counters alone, which are public; no address depends on the key.

        left_of_step .req    w0
        next         .req    x1
        left         .req    w2
        rcon         .req    w3
        back         .req    x4
        step         .req    w5
        rotate       .req    w6
        ones         .req    w29

        .cfi_startproc
        hint        #34                                         // bti c
        stp         x19, x20, [sp, #-96]!
        .cfi_def_cfa_offset 96
        stp         x21, x22, [sp, #16]
        stp         x23, x24, [sp, #32]
        stp         x25, x26, [sp, #48]
        stp         x27, x28, [sp, #64]
        str         x29, [sp, #80]
        .cfi_rel_offset x19, 0
        .cfi_rel_offset x20, 8
        .cfi_rel_offset x21, 16
        .cfi_rel_offset x22, 24
        .cfi_rel_offset x23, 32
        .cfi_rel_offset x24, 40
        .cfi_rel_offset x25, 48
        .cfi_rel_offset x26, 56
        .cfi_rel_offset x27, 64
        .cfi_rel_offset x28, 72
        .cfi_rel_offset x29, 80
        ldp         x7, x8, [x0]                                // w[0] .. w[3]
        stp         x7, x8, [next]
        lsl         left, w2, #2                                // 4 R + 4 - Nk words are to be made: 3 R + 10
        mov         back, #-16
        mov         step, #4
        mov         rotate, #1
        cmp         left, #48
        b.lo        1f
        ldr         x7, [x0, #16]                               // Nk = 6, 8
        str         x7, [next, #16]
        mov         back, #-24
        mov         step, #6
        b.eq        1f
        ldr         x7, [x0, #24]
        str         x7, [next, #24]
        mov         back, #-32
        mov         step, #4
        mov         rotate, #3
1:      sub         next, next, back                            // next := first word to be made
        add         left, left, #4
        add         left, left, w4, asr #2
        mov         rcon, #1
        mov         ones, #0x01010101

2:      ldur        w15, [next, #-4]
        stp         step, rotate, [sp, #88]
        tbz         rotate, #0, 3f
        ror         w15, w15, #8                                // RotWord
3:      and         w7, ones, w15
        and         w8, ones, w15, lsr #1
        and         w9, ones, w15, lsr #2
        and         w10, ones, w15, lsr #3
        and         w11, ones, w15, lsr #4
        and         w12, ones, w15, lsr #5
        and         w13, ones, w15, lsr #6
        and         w14, ones, w15, lsr #7

        // SubBytes
        eor         w0, w12, w14                                // y20 = a5 ^ a7
        eor         w15, w9, w10                                // r0 = a2 ^ a3
        eor         w5, w9, w11                                 // y9 = a2 ^ a4
        eor         w6, w12, w13                                // r1 = a5 ^ a6
        eor         w16, w8, w14                                // y2 = a1 ^ a7
        eor         w20, w0, w15                                // y18 = y20 ^ r0
        eor         w17, w16, w5                                // y4 = y2 ^ y9
        eor         w21, w16, w20                               // y7 = y2 ^ y18
        eor         w24, w7, w6                                 // y16 = a0 ^ r1
        eor         w19, w17, w15                               // y0 = y4 ^ r0
        eor         w25, w11, w14                               // y8 = a4 ^ a7
        eor         w26, w21, w6                                // y10 = y7 ^ r1
        eor         w27, w0, w5                                 // y11 = y20 ^ y9
        eor         w10, w11, w24                               // y3 = a4 ^ y16
        eor         w22, w19, w6                                // y17 = y0 ^ r1
        and         w11, w5, w27                                // t12 = y9 y11
        and         w12, w25, w26                               // t15 = y8 y10
        eor         w28, w14, w24                               // y5 = a7 ^ y16
        eor         w9, w9, w14                                 // y14 = a2 ^ a7
        eor         w13, w12, w11                               // t16 = t15 ^ t12
        eor         w6, w8, w24                                 // y13 = a1 ^ y16
        and         w23, w17, w19                               // t5 = y4 y0
        and         w14, w16, w21                               // t10 = y2 y7
        eor         w15, w21, w24                               // y1 = y7 ^ y16
        and         w12, w6, w24                                // t7 = y13 y16
        eor         w14, w14, w12                               // t11 = t10 ^ t7
        and         w17, w9, w22                                // t13 = y14 y17
        and         w15, w28, w15                               // t8 = y5 y1
        eor         w14, w14, w13                               // t20 = t11 ^ t16
        eor         w15, w15, w12                               // t9 = t8 ^ t7
        eor         w11, w17, w11                               // t14 = t13 ^ t12
        eor         w20, w14, w20                               // t24 = t20 ^ y18
        eor         w15, w15, w11                               // t19 = t9 ^ t14
        eor         w12, w7, w19                                // y15 = a0 ^ y0
        eor         w14, w9, w6                                 // y12 = y14 ^ y13
        eor         w8, w15, w8                                 // t23 = t19 ^ a1
        and         w17, w14, w12                               // t2 = y12 y15
        and         w15, w10, w7                                // t3 = y3 a0
        eor         w15, w15, w17                               // t4 = t3 ^ t2
        eor         w17, w23, w17                               // t6 = t5 ^ t2
        eor         w23, w25, w26                               // y19 = y8 ^ y10
        eor         w13, w17, w13                               // t18 = t6 ^ t16
        eor         w15, w15, w11                               // t17 = t4 ^ t14
        eor         w17, w13, w23                               // t22 = t18 ^ y19
        eor         w23, w15, w0                                // t21 = t17 ^ y20
        eor         w11, w23, w17                               // t25 = t21 ^ t22
        eor         w13, w8, w20                                // t30 = t23 ^ t24
        and         w0, w17, w8                                 // t35 = t22 t23
        and         w15, w23, w8                                // t26 = t21 t23
        eor         w8, w20, w15                                // t27 = t24 ^ t26
        and         w23, w23, w20                               // t38 = t21 t24
        and         w8, w8, w11                                 // t28 = t27 t25
        bic         w23, w11, w23                               // t39 = t25 (1 ^ t38)
        eor         w8, w8, w17                                 // t29 = t28 ^ t22
        eor         w11, w17, w15                               // t31 = t22 ^ t26
        bic         w0, w13, w0                                 // t36 = t30 (1 ^ t35)
        eor         w17, w15, w23                               // t40 = t26 ^ t39
        and         w11, w11, w13                               // t32 = t31 t30
        eor         w23, w15, w0                                // t37 = t26 ^ t36
        eor         w13, w11, w20                               // t33 = t32 ^ t24
        and         w0, w17, w28                                // z13 = t40 y5
        eor         w20, w8, w17                                // t43 = t29 ^ t40
        eor         w15, w17, w23                               // t41 = t40 ^ t37
        and         w28, w20, w6                                // z12 = t43 y13
        and         w11, w15, w25                               // z17 = t41 y8
        eor         w6, w8, w13                                 // t42 = t29 ^ t33
        and         w10, w23, w10                               // z10 = t37 y3
        eor         w25, w6, w15                                // t45 = t42 ^ t41
        and         w7, w23, w7                                 // z1 = t37 a0
        and         w26, w15, w26                               // z8 = t41 y10
        eor         w23, w13, w23                               // t44 = t33 ^ t37
        and         w15, w25, w22                               // z7 = t45 y17
        and         w22, w23, w14                               // z9 = t44 y12
        and         w19, w13, w19                               // z2 = t33 y0
        eor         w14, w16, w5                                // y4 = y2 ^ y9, again
        and         w13, w13, w14                               // z11 = t33 y4
        and         w14, w23, w12                               // z0 = t44 y15
        and         w16, w8, w16                                // z14 = t29 y2
        and         w23, w6, w5                                 // z15 = t42 y9
        eor         w12, w16, w11                               // p12 = z14 ^ z17
        eor         w5, w21, w24                                // y1 = y7 ^ y16, again
        and         w16, w17, w5                                // z4 = t40 y1
        and         w17, w6, w27                                // z6 = t42 y11
        and         w21, w8, w21                                // z5 = t29 y7
        and         w24, w20, w24                               // z3 = t43 y16
        eor         w8, w19, w21                                // p0 = z2 ^ z5
        eor         w6, w21, w26                                // p8 = z5 ^ z8
        eor         w20, w14, w24                               // p1 = z0 ^ z3
        and         w21, w25, w9                                // z16 = t45 y14
        eor         w27, w17, w24                               // p7 = z6 ^ z3
        eor         w5, w7, w8                                  // p11 = z1 ^ p0
        eor         w25, w8, w20                                // p2 = p0 ^ p1
        eor         w26, w28, w23                               // p18 = z12 ^ z15
        eor         w15, w15, w27                               // p13 = z7 ^ p7
        eor         w17, w13, w11                               // p4 = z11 ^ z17
        eor         w24, w16, w5                                // p17 = z4 ^ p11
        eor         w28, w22, w23                               // p3 = z9 ^ z15
        eor         w8, w12, w26                                // p19 = p12 ^ p18
        eor         w19, w5, w15                                // p14 = p11 ^ p13
        eor         w7, w28, w17                                // p5 = p3 ^ p4
        eor         w9, w24, w8                                 // s0 = p17 ^ p19
        eor         w11, w27, w6                                // p9 = p7 ^ p8
        eor         w14, w0, w12                                // p15 = z13 ^ p12
        eor         w13, w7, w11                                // s7 = p5 ^ p9
        eor         w0, w10, w28                                // p21 = z10 ^ p3
        eor         w5, w14, w19                                // p16 = p15 ^ p14
        eor         w6, w19, w9                                 // s1 = p14 ^ s0
        eor         w16, w21, w11                               // p22 = z16 ^ p9
        eor         w17, w25, w7                                // s4 = p2 ^ p5
        eor         w15, w0, w5                                 // s2 = p21 ^ p16
        eor         w19, w24, w17                               // s3 = p17 ^ s4
        eor         w20, w16, w5                                // s5 = p22 ^ p16
        eor         w21, w25, w13                               // s6 = p2 ^ s7

        eor         w9, w9, w6, lsl #1
        eor         w9, w9, w15, lsl #2
        eor         w9, w9, w19, lsl #3
        eor         w9, w9, w17, lsl #4
        eor         w9, w9, w20, lsl #5
        eor         w9, w9, w21, lsl #6
        eor         w9, w9, w13, lsl #7
        mov         w28, #0x6363
        movk        w28, #0x6363, lsl #16
        eor         w9, w9, w28
        ldp         step, rotate, [sp, #88]
        tbz         rotate, #0, 4f
        eor         w9, w9, rcon
        lsr         w28, rcon, #7
        add         w28, w28, w28, lsl #1
        add         w28, w28, w28, lsl #3                       // 0x1b if a bit is shifted out
        eor         rcon, w28, rcon, lsl #1
        and         rcon, rcon, #0xff
4:      eor         rotate, rotate, rotate, lsr #1              // with bit 1, every second step only
        mov         left_of_step, step
5:      ldr         w28, [next, back]
        eor         w9, w9, w28
        str         w9, [next], #4
        subs        left, left, #1
        b.eq        6f
        subs        left_of_step, left_of_step, #1
        b.ne        5b
        b           2b

6:      .irp        n, 0, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17   // leave nothing of the key behind
        mov         x\n, #0
        .endr
        ldp         x21, x22, [sp, #16]
        ldp         x23, x24, [sp, #32]
        ldp         x25, x26, [sp, #48]
        ldp         x27, x28, [sp, #64]
        ldr         x29, [sp, #80]
        ldp         x19, x20, [sp], #96
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
        ret
        .cfi_endproc

        .unreq  left_of_step
        .unreq  next
        .unreq  left
        .unreq  rcon
        .unreq  back
        .unreq  step
        .unreq  rotate
        .unreq  ones
