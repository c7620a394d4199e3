// AES key expansion: AArch32 (A32), integer registers, constant-time
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
//     r0  key       4 Nk = 16, 24 or 32 bytes for 10, 12 or 14 rounds, at any address (normal memory, SCTLR.A = 0:
//                   unaligned access allowed); read only
//     r1  schedule  16 (R + 1) bytes, at any address; written, and read where written; disjoint from key
//     r2  rounds    10, 12 or 14
//
// Registers
//     r0 .. r12  values named at the right; beside the S-box: counters, addresses, Rcon and words
//     lr         0x01010101; temporary
//
// Stack, 112 bytes
//     sp + 0    next word; words left; Rcon; - 4 Nk; words of a step; bit 0: this step takes RotWord and
//               Rcon, bit 1: so does the next but one only
//     sp + 24   values put aside
//     sp + 76   r4 .. r11, lr of the caller
//
// Cleared
//     r0 .. r3, r12 and the values put aside are zero, r4 .. r11 are the caller's again.
//
// Notes
//   - Armv7-A, little-endian AArch32 state, A32 instructions; position-independent.
//   - Nothing but key, schedule and the stack above is read or written.
//   - Branches compare rounds and counters alone, which are public; no address depends on the key.

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
        sub         sp, sp, #76
        .cfi_def_cfa_offset 112

        mov         r3, #4                                      // Nk = 4, 6 or 8
        mov         r12, #1
        cmp         r2, #12
        movhs       r3, #6
        movhi       r3, #8
        movhi       r12, #3
        lsl         r4, r2, #2                                  // 4 R + 4 - Nk words are to be made
        add         r4, r4, #4
        sub         r4, r4, r3
        mov         r5, r3
1:      ldr         r6, [r0], #4                                // w[0] .. w[Nk-1]
        str         r6, [r1], #4
        subs        r5, r5, #1
        bne         1b
        rsb         r5, r5, #1                                  // Rcon
        rsb         r7, r3, #0
        lsl         r7, r7, #2                                  // - 4 Nk
        cmp         r3, #8
        moveq       r3, #4
        str         r1, [sp]
        str         r4, [sp, #4]
        str         r5, [sp, #8]
        str         r7, [sp, #12]
        str         r3, [sp, #16]
        str         r12, [sp, #20]
        movw        lr, #0x0101
        movt        lr, #0x0101

2:      ldr         r8, [r1, #-4]
        tst         r12, #1
        rorne       r8, r8, #8                                  // RotWord
        and         r0, lr, r8
        and         r1, lr, r8, lsr #1
        and         r2, lr, r8, lsr #2
        and         r3, lr, r8, lsr #3
        and         r4, lr, r8, lsr #4
        and         r5, lr, r8, lsr #5
        and         r6, lr, r8, lsr #6
        and         r7, lr, r8, lsr #7

        // SubBytes
        eor         r8, r5, r7                                  // y20 = a5 ^ a7
        eor         r9, r5, r6                                  // r1 = a5 ^ a6
        eor         r11, r2, r3                                 // r0 = a2 ^ a3
        eor         r12, r2, r4                                 // y9 = a2 ^ a4
        eor         r5, r2, r7                                  // y14 = a2 ^ a7
        str         r0, [sp, #24]                               // a0 put aside
        str         r8, [sp, #28]                               // y20 put aside
        eor         r10, r1, r7                                 // y2 = a1 ^ a7
        eor         r6, r0, r9                                  // y16 = a0 ^ r1
        eor         r2, r8, r12                                 // y11 = y20 ^ y9
        eor         r0, r10, r12                                // y4 = y2 ^ y9
        eor         r8, r8, r11                                 // y18 = y20 ^ r0
        str         r2, [sp, #48]                               // y11 put aside
        str         r0, [sp, #52]                               // y4 put aside
        eor         r11, r0, r11                                // y0 = y4 ^ r0
        str         r10, [sp, #32]                              // y2 put aside
        str         r12, [sp, #36]                              // y9 put aside
        eor         r3, r4, r7                                  // y8 = a4 ^ a7
        eor         r0, r10, r8                                 // y7 = y2 ^ y18
        and         r2, r12, r2                                 // t12 = y9 y11
        eor         r7, r7, r6                                  // y5 = a7 ^ y16
        str         r0, [sp, #60]                               // y7 put aside
        eor         r12, r0, r9                                 // y10 = y7 ^ r1
        and         r10, r10, r0                                // t10 = y2 y7
        str         r7, [sp, #56]                               // y5 put aside
        eor         r0, r0, r6                                  // y1 = y7 ^ y16
        str         r0, [sp, #64]                               // y1 put aside
        and         r7, r7, r0                                  // t8 = y5 y1
        str         r6, [sp, #44]                               // y16 put aside
        eor         r4, r4, r6                                  // y3 = a4 ^ y16
        eor         r0, r1, r6                                  // y13 = a1 ^ y16
        and         r6, r0, r6                                  // t7 = y13 y16
        eor         r7, r7, r6                                  // t9 = t8 ^ t7
        eor         r10, r10, r6                                // t11 = t10 ^ t7
        and         r6, r3, r12                                 // t15 = y8 y10
        eor         r6, r6, r2                                  // t16 = t15 ^ t12
        eor         r9, r11, r9                                 // y17 = y0 ^ r1
        eor         r10, r10, r6                                // t20 = t11 ^ t16
        str         r9, [sp, #72]                               // y17 put aside
        eor         r8, r10, r8                                 // t24 = t20 ^ y18
        str         r5, [sp, #40]                               // y14 put aside
        and         r9, r5, r9                                  // t13 = y14 y17
        ldr         r10, [sp, #24]                              // a0 again
        str         r0, [sp, #68]                               // y13 put aside
        eor         r5, r5, r0                                  // y12 = y14 ^ y13
        eor         r9, r9, r2                                  // t14 = t13 ^ t12
        ldr         r0, [sp, #52]                               // y4 again
        and         r2, r4, r10                                 // t3 = y3 a0
        eor         r7, r7, r9                                  // t19 = t9 ^ t14
        eor         r10, r10, r11                               // y15 = a0 ^ y0
        eor         r1, r7, r1                                  // t23 = t19 ^ a1
        and         r0, r0, r11                                 // t5 = y4 y0
        and         r7, r5, r10                                 // t2 = y12 y15
        eor         r2, r2, r7                                  // t4 = t3 ^ t2
        eor         r0, r0, r7                                  // t6 = t5 ^ t2
        ldr         r7, [sp, #28]                               // y20 again
        eor         r9, r2, r9                                  // t17 = t4 ^ t14
        eor         r2, r3, r12                                 // y19 = y8 ^ y10
        eor         r9, r9, r7                                  // t21 = t17 ^ y20
        eor         r0, r0, r6                                  // t18 = t6 ^ t16
        eor         r6, r1, r8                                  // t30 = t23 ^ t24
        and         r7, r9, r1                                  // t26 = t21 t23
        eor         r0, r0, r2                                  // t22 = t18 ^ y19
        and         r1, r0, r1                                  // t35 = t22 t23
        eor         r2, r0, r7                                  // t31 = t22 ^ t26
        bic         r1, r6, r1                                  // t36 = t30 (1 ^ t35)
        and         r2, r2, r6                                  // t32 = t31 t30
        and         r6, r9, r8                                  // t38 = t21 t24
        eor         r2, r2, r8                                  // t33 = t32 ^ t24
        eor         r1, r7, r1                                  // t37 = t26 ^ t36
        eor         r8, r8, r7                                  // t27 = t24 ^ t26
        and         r4, r1, r4                                  // z10 = t37 y3
        eor         r9, r9, r0                                  // t25 = t21 ^ t22
        str         r4, [sp, #28]                               // z10 put aside
        and         r8, r8, r9                                  // t28 = t27 t25
        eor         r4, r2, r1                                  // t44 = t33 ^ t37
        bic         r9, r9, r6                                  // t39 = t25 (1 ^ t38)
        eor         r0, r8, r0                                  // t29 = t28 ^ t22
        and         r6, r4, r10                                 // z0 = t44 y15
        and         r8, r4, r5                                  // z9 = t44 y12
        ldr         r10, [sp, #52]                              // y4 again
        ldr         r5, [sp, #60]                               // y7 again
        eor         r7, r7, r9                                  // t40 = t26 ^ t39
        and         r4, r2, r10                                 // z11 = t33 y4
        and         r10, r0, r5                                 // z5 = t29 y7
        ldr         r5, [sp, #24]                               // a0 again
        and         r11, r2, r11                                // z2 = t33 y0
        eor         r11, r11, r10                               // p0 = z2 ^ z5
        and         r5, r1, r5                                  // z1 = t37 a0
        eor         r1, r7, r1                                  // t41 = t40 ^ t37
        and         r12, r1, r12                                // z8 = t41 y10
        eor         r10, r10, r12                               // p8 = z5 ^ z8
        ldr         r12, [sp, #32]                              // y2 again
        eor         r9, r0, r7                                  // t43 = t29 ^ t40
        eor         r2, r0, r2                                  // t42 = t29 ^ t33
        and         r3, r1, r3                                  // z17 = t41 y8
        and         r0, r0, r12                                 // z14 = t29 y2
        eor         r12, r0, r3                                 // p12 = z14 ^ z17
        ldr         r0, [sp, #68]                               // y13 again
        eor         r3, r4, r3                                  // p4 = z11 ^ z17
        ldr         r4, [sp, #44]                               // y16 again
        and         r0, r9, r0                                  // z12 = t43 y13
        eor         r5, r5, r11                                 // p11 = z1 ^ p0
        and         r9, r9, r4                                  // z3 = t43 y16
        ldr         r4, [sp, #36]                               // y9 again
        eor         r6, r6, r9                                  // p1 = z0 ^ z3
        and         r4, r2, r4                                  // z15 = t42 y9
        eor         r8, r8, r4                                  // p3 = z9 ^ z15
        eor         r0, r0, r4                                  // p18 = z12 ^ z15
        eor         r4, r11, r6                                 // p2 = p0 ^ p1
        ldr         r6, [sp, #48]                               // y11 again
        eor         r3, r8, r3                                  // p5 = p3 ^ p4
        and         r11, r2, r6                                 // z6 = t42 y11
        eor         r6, r2, r1                                  // t45 = t42 ^ t41
        eor         r9, r11, r9                                 // p7 = z6 ^ z3
        ldr         r11, [sp, #64]                              // y1 again
        eor         r2, r9, r10                                 // p9 = p7 ^ p8
        ldr         r10, [sp, #72]                              // y17 again
        and         r1, r7, r11                                 // z4 = t40 y1
        and         r11, r6, r10                                // z7 = t45 y17
        eor         r11, r11, r9                                // p13 = z7 ^ p7
        ldr         r9, [sp, #40]                               // y14 again
        eor         r10, r4, r3                                 // s4 = p2 ^ p5
        eor         r11, r5, r11                                // p14 = p11 ^ p13
        and         r6, r6, r9                                  // z16 = t45 y14
        eor         r9, r1, r5                                  // p17 = z4 ^ p11
        ldr         r1, [sp, #56]                               // y5 again
        and         r7, r7, r1                                  // z13 = t40 y5
        eor         r1, r3, r2                                  // s7 = p5 ^ p9
        eor         r3, r12, r0                                 // p19 = p12 ^ p18
        eor         r0, r9, r3                                  // s0 = p17 ^ p19
        ldr         r3, [sp, #28]                               // z10 again
        eor         r5, r7, r12                                 // p15 = z13 ^ p12
        eor         r7, r4, r1                                  // s6 = p2 ^ s7
        eor         r4, r3, r8                                  // p21 = z10 ^ p3
        eor         r12, r5, r11                                // p16 = p15 ^ p14
        eor         r2, r6, r2                                  // p22 = z16 ^ p9
        eor         r8, r9, r10                                 // s3 = p17 ^ s4
        eor         r5, r2, r12                                 // s5 = p22 ^ p16
        eor         r6, r11, r0                                 // s1 = p14 ^ s0
        eor         r9, r4, r12                                 // s2 = p21 ^ p16

        eor         r0, r0, r6, lsl #1
        eor         r0, r0, r9, lsl #2
        eor         r0, r0, r8, lsl #3
        eor         r0, r0, r10, lsl #4
        eor         r0, r0, r5, lsl #5
        eor         r0, r0, r7, lsl #6
        eor         r0, r0, r1, lsl #7
        movw        r1, #0x6363
        movt        r1, #0x6363
        eor         r0, r0, r1
        ldr         r6, [sp, #20]
        ldr         r2, [sp, #8]
        tst         r6, #1
        beq         3f
        eor         r0, r0, r2
        lsr         r1, r2, #7
        add         r1, r1, r1, lsl #1
        add         r1, r1, r1, lsl #3                             // 0x1b if a bit is shifted out
        eor         r2, r1, r2, lsl #1
        and         r2, r2, #0xff
        str         r2, [sp, #8]
3:      eor         r6, r6, r6, lsr #1                             // with bit 1, every second step only
        str         r6, [sp, #20]

        ldr         r1, [sp]
        ldr         r2, [sp, #4]
        ldr         r3, [sp, #12]
        ldr         r4, [sp, #16]
4:      ldr         r5, [r1, r3]
        eor         r0, r0, r5
        str         r0, [r1], #4
        subs        r2, r2, #1
        beq         5f
        subs        r4, r4, #1
        bne         4b
        str         r1, [sp]
        str         r2, [sp, #4]
        mov         r12, r6
        mov         r1, r1
        b           2b

5:      mov         r0, #0                                      // leave nothing of the key behind
        mov         r1, #0
        mov         r2, #0
        mov         r3, #0
        mov         r12, #0
        str         r0, [sp, #24]
        str         r0, [sp, #28]
        str         r0, [sp, #32]
        str         r0, [sp, #36]
        str         r0, [sp, #40]
        str         r0, [sp, #44]
        str         r0, [sp, #48]
        str         r0, [sp, #52]
        str         r0, [sp, #56]
        str         r0, [sp, #60]
        str         r0, [sp, #64]
        str         r0, [sp, #68]
        str         r0, [sp, #72]
        add         sp, sp, #76
        .cfi_def_cfa_offset 36
        pop         {r4-r11, pc}
        .cfi_endproc
