// Speck64 in XTS mode, decryption, AArch32 (A32) with NEON
//
//     xts_decrypt(keys: *const u32, tweak: *mut u8, input: *const u8, output: *mut u8, count: usize, rounds: u32)
//
// For each of the count blocks of 8 bytes:
//     output = D(input ^ T) ^ T,    T = T * x in GF(2^64) modulo x^64 + x^4 + x^3 + x + 1.
// Afterwards the tweak in memory is the T of the next block. A tweak of zero stays zero and gives the bare cipher.
// ARMv7-A with NEON.
//
// Source
//     Beaulieu and others, "The Simon and Speck Families of Lightweight Block Ciphers", 2013, section 4; words and
//     blocks little-endian, y before x, as in "Simon and Speck Implementation Guide", 2018.
//     XTS as in IEEE 1619, section 5, with a field of 64 bits.
//     ror and rol rotate a word of 32 bits.
//
// Technique
//   - A round is y = ror(y ^ x, 3), x = rol((x ^ k) - y, 8), with the round keys from last to first.
//   - Sixteen blocks go through the rounds together, in vectors of four words. The rotation by 8 is a byte permutation, that by 3
//     a shift and a shift with insertion. An odd number of rounds enters the loop of two rounds in its middle.
//   - The tweaks are computed in integer registers and wait on the stack.
//   - Of what is left below 16 blocks, 8 or more are copied to the stack and go through the same code there; fewer
//     go through integer registers one by one.
//
// Arguments
//     r0        keys    rounds words, aligned to 4; read only
//     r1        tweak   8 bytes at any address; read and written
//     r2        input   8 count bytes at any address, equal to output or disjoint from it; read only
//     r3        output  8 count bytes at any address
//     [sp]      count   number of blocks; with 0 nothing else is touched
//     [sp, #4]  rounds  at least 1
//
// Registers
//     r0      first round key in order of use     r9      end of the round keys in order of use
//     r2, r3  next input, output                  r10     next round key; of one block: round key
//     r4-r5   T; words of one block               r11     0x1b; of one block: next round key
//     r8      blocks left                         r1, r12, lr  temporaries
//     r6, r7  T * x^8, ..
//     q0-q7   y and x in turn, a pair for four blocks
//     q8-q11  temporaries; tweaks
//     q12     round key in all lanes
//     d26     byte permutation
//
// Stack, 368 bytes
//     sp + 0    tweaks
//     sp + 128  copy of the last blocks
//     sp + 256  d8-d15 of the caller
//     sp + 320  tweak pointer, number of copied blocks, their output
//     sp + 332  r4-r11, lr of the caller
//
// Cleared before return: q0-q3, q8-q13, tweaks and blocks on the stack; q4-q7 and r4-r11 are the caller's again,
// r0-r3, r12 and lr hold
// addresses.

        .fpu    neon

first   .req    r0
temp    .req    r1
input   .req    r2
output  .req    r3
left    .req    r8
end     .req    r9
kp      .req    r10
poly    .req    r11
mask    .req    r12
Tl      .req    r4
Th      .req    r5
Ul      .req    r6
Uh      .req    r7
y       .req    r4
x       .req    r5
k       .req    r10
kp1     .req    r11
Y0      .req    q0
X0      .req    q1
Xl0     .req    d2
Xh0     .req    d3
Y1      .req    q2
X1      .req    q3
Xl1     .req    d6
Xh1     .req    d7
Y2      .req    q4
X2      .req    q5
Xl2     .req    d10
Xh2     .req    d11
Y3      .req    q6
X3      .req    q7
Xl3     .req    d14
Xh3     .req    d15
Z0      .req    q8
Z1      .req    q9
Z2      .req    q10
Z3      .req    q11
KK      .req    q12
KKl     .req    d24
KKh     .req    d25
bytes   .req    d26

// (l, h) = (l, h) * x
.macro  speck64_neon_decrypt_times_x l, h
        and     mask, poly, \h, asr #31
        adds    \l, \l, \l
        adc     \h, \h, \h
        eor     \l, \l, mask
.endm

// One round of 16 blocks
.macro  speck64_neon_decrypt_round
        vld1.32 {KKl[], KKh[]}, [kp :32], lr            // k
  .irp  j, 0, 1, 2, 3
        veor    Z\j, Y\j, X\j                           // y ^ x
  .endr
  .irp  j, 0, 1, 2, 3
        vshl.i32 Y\j, Z\j, #29
  .endr
  .irp  j, 0, 1, 2, 3
        veor    X\j, X\j, KK                            // x ^ k
  .endr
  .irp  j, 0, 1, 2, 3
        vsri.32 Y\j, Z\j, #3                            // ror(y ^ x, 3)
  .endr
  .irp  j, 0, 1, 2, 3
        vsub.i32 X\j, X\j, Y\j                          // - y
  .endr
  .irp  j, 0, 1, 2, 3
        vtbl.8  Xl\j, {Xl\j}, bytes
        vtbl.8  Xh\j, {Xh\j}, bytes                     // rol( , 8)
  .endr
.endm

        .cfi_startproc
        ldr     r12, [sp]
        cmp     r12, #0
        bxeq    lr

        push    {r4-r11, lr}
        .cfi_def_cfa_offset 36
        .cfi_offset r4, -36
        .cfi_offset r5, -32
        .cfi_offset r6, -28
        .cfi_offset r7, -24
        .cfi_offset r8, -20
        .cfi_offset r9, -16
        .cfi_offset r10, -12
        .cfi_offset r11, -8
        .cfi_offset lr, -4
        sub     sp, sp, #12
        .cfi_def_cfa_offset 48
        vpush   {d8-d15}
        .cfi_def_cfa_offset 112
        .cfi_offset d8, -112
        .cfi_offset d9, -104
        .cfi_offset d10, -96
        .cfi_offset d11, -88
        .cfi_offset d12, -80
        .cfi_offset d13, -72
        .cfi_offset d14, -64
        .cfi_offset d15, -56
        sub     sp, sp, #256
        .cfi_def_cfa_offset 368
        ldr     lr, [sp, #372]                          // rounds
        mov     left, r12
        mov     r12, #0
        str     r1, [sp, #320]
        str     r12, [sp, #324]
        movw    r10, #0x0003
        movt    r10, #0x0201
        movw    r12, #0x0407
        movt    r12, #0x0605
        vmov    bytes, r10, r12                         // bytes 3, 0, 1, 2, 7, 4, 5, 6
        sub     end, first, #4
        add     first, end, lr, lsl #2
        ldr     Tl, [r1]
        ldr     Th, [r1, #4]
        mov     poly, #0x1b
        subs    left, left, #16
        blo     5f

        // 16 blocks
1:      lsr     mask, Th, #24                           // T * x^8: the bits c that leave
        lsl     Uh, Th, #8                              // come back as c * (x^4 + x^3 + x + 1)
        orr     Uh, Uh, Tl, lsr #24
        eor     Ul, mask, Tl, lsl #8
        eor     Ul, Ul, mask, lsl #1
        eor     Ul, Ul, mask, lsl #3
        eor     Ul, Ul, mask, lsl #4
  .irp  n, 0, 1, 2, 3, 4, 5, 6
        strd    Tl, Th, [sp, #8*\n]
        speck64_neon_decrypt_times_x Tl, Th
        strd    Ul, Uh, [sp, #64+8*\n]
        speck64_neon_decrypt_times_x Ul, Uh
  .endr
        strd    Tl, Th, [sp, #56]
        strd    Ul, Uh, [sp, #120]
        speck64_neon_decrypt_times_x Ul, Uh
        mov     Tl, Ul
        mov     Th, Uh
        mov     temp, sp
        vld2.32 {d0-d3}, [input]!
        vld2.32 {d4-d7}, [input]!
        vld2.32 {d8-d11}, [input]!
        vld2.32 {d12-d15}, [input]!
        vld2.32 {d16-d19}, [temp :64]!
        veor    Y0, Y0, Z0
        veor    X0, X0, Z1
        vld2.32 {d20-d23}, [temp :64]!
        veor    Y1, Y1, Z2
        veor    X1, X1, Z3
        vld2.32 {d16-d19}, [temp :64]!
        veor    Y2, Y2, Z0
        veor    X2, X2, Z1
        vld2.32 {d20-d23}, [temp :64]!
        veor    Y3, Y3, Z2
        veor    X3, X3, Z3
        mov     kp, first
        sub     temp, end, first
        mvn     lr, #3                                  // -4
        tst     temp, #4
        bne     3f
2:      speck64_neon_decrypt_round
3:      speck64_neon_decrypt_round
        cmp     kp, end
        bne     2b

        mov     temp, sp
        vld2.32 {d16-d19}, [temp :64]!
        veor    Y0, Y0, Z0
        veor    X0, X0, Z1
        vst2.32 {d0-d3}, [output]!
        vld2.32 {d20-d23}, [temp :64]!
        veor    Y1, Y1, Z2
        veor    X1, X1, Z3
        vst2.32 {d4-d7}, [output]!
        vld2.32 {d16-d19}, [temp :64]!
        veor    Y2, Y2, Z0
        veor    X2, X2, Z1
        vst2.32 {d8-d11}, [output]!
        vld2.32 {d20-d23}, [temp :64]!
        veor    Y3, Y3, Z2
        veor    X3, X3, Z3
        vst2.32 {d12-d15}, [output]!
        subs    left, left, #16
        bhs     1b

5:      adds    left, left, #16
        beq     7f
        cmp     left, #8
        blo     6f

        // 8 to 15 blocks left: copied to the stack
        str     left, [sp, #324]
        str     output, [sp, #328]
        add     output, sp, #128
        mov     temp, left
5:      vld1.8  {d0}, [input]!
        subs    temp, temp, #1
        vst1.64 {d0}, [output :64]!
        bne     5b
        add     input, sp, #128
        add     output, sp, #128
        mov     left, #0
        b       1b

        // 1 to 7 blocks left: one
6:      strd    Tl, Th, [sp]
        speck64_neon_decrypt_times_x Tl, Th
        strd    Tl, Th, [sp, #8]
        ldrd    y, x, [sp]
        ldr     temp, [input], #4
        ldr     r12, [input], #4
        eor     y, y, temp
        eor     x, x, r12
        mov     kp1, first
        ror     x, x, #8                                // x is kept as ror(x, 8)
2:      ldr     k, [kp1], #-4
        eor     y, y, x, ror #24
        ror     y, y, #3                                // ror(y ^ x, 3)
        eor     x, k, x, ror #24                        // x ^ k
        cmp     kp1, end
        sub     x, x, y                                 // - y
        bne     2b
        ror     x, x, #24
        ldrd    r10, r11, [sp]
        eor     y, y, r10
        eor     x, x, r11
        str     y, [output], #4
        str     x, [output], #4
        ldrd    Tl, Th, [sp, #8]
        mov     poly, #0x1b
        subs    left, left, #1
        bne     6b

7:      ldr     left, [sp, #324]
        cmp     left, #0
        beq     7f

        // Blocks on the stack: out, and T of the one after them
        add     temp, sp, left, lsl #3
        ldrd    Tl, Th, [temp]
        ldr     output, [sp, #328]
        add     temp, sp, #128
5:      vld1.64 {d0}, [temp :64]!
        subs    left, left, #1
        vst1.8  {d0}, [output]!
        bne     5b

7:      ldr     r1, [sp, #320]
        str     Tl, [r1]
        str     Th, [r1, #4]
  .irp  n, 0, 1, 2, 3, 8, 9, 10, 11, 12, 13
        vmov.i32 q\n, #0
  .endr
        mov     r12, sp
  .rept 8
        vst1.64 {d0-d3}, [r12 :64]!
  .endr
        add     sp, sp, #256
        .cfi_def_cfa_offset 112
        vpop    {d8-d15}
        .cfi_def_cfa_offset 48
        .cfi_restore d8
        .cfi_restore d9
        .cfi_restore d10
        .cfi_restore d11
        .cfi_restore d12
        .cfi_restore d13
        .cfi_restore d14
        .cfi_restore d15
        add     sp, sp, #12
        .cfi_def_cfa_offset 36
        pop     {r4-r11, lr}
        .cfi_def_cfa_offset 0
        .cfi_restore r4
        .cfi_restore r5
        .cfi_restore r6
        .cfi_restore r7
        .cfi_restore r8
        .cfi_restore r9
        .cfi_restore r10
        .cfi_restore r11
        .cfi_restore lr
        bx      lr
        .cfi_endproc

.purgem speck64_neon_decrypt_times_x
.purgem speck64_neon_decrypt_round
.unreq  first
.unreq  temp
.unreq  input
.unreq  output
.unreq  left
.unreq  end
.unreq  kp
.unreq  poly
.unreq  mask
.unreq  Tl
.unreq  Th
.unreq  Ul
.unreq  Uh
.unreq  y
.unreq  x
.unreq  k
.unreq  kp1
.unreq  Y0
.unreq  X0
.unreq  Xl0
.unreq  Xh0
.unreq  Y1
.unreq  X1
.unreq  Xl1
.unreq  Xh1
.unreq  Y2
.unreq  X2
.unreq  Xl2
.unreq  Xh2
.unreq  Y3
.unreq  X3
.unreq  Xl3
.unreq  Xh3
.unreq  Z0
.unreq  Z1
.unreq  Z2
.unreq  Z3
.unreq  KK
.unreq  KKl
.unreq  KKh
.unreq  bytes

        .fpu    vfpv3-d16                               // the default of the ARMv7 target
