// Speck128 in XTS mode, decryption, AArch32 (A32) with NEON
//
//     xts_decrypt(keys: *const u64, tweak: *mut u8, input: *const u8, output: *mut u8, count: usize, rounds: u32)
//
// For each of the count blocks of 16 bytes:
//     output = D(input ^ T) ^ T,    T = T * x in GF(2^128) modulo x^128 + x^7 + x^2 + x + 1.
// Afterwards the tweak in memory is the T of the next block. A tweak of zero stays zero and gives the bare cipher.
// ARMv7-A with NEON.
//
// Source
//     Beaulieu and others, "The Simon and Speck Families of Lightweight Block Ciphers", 2013, section 4; words and
//     blocks little-endian, y before x, as in "Simon and Speck Implementation Guide", 2018.
//     IEEE 1619, section 5 (XTS).
//     ror and rol rotate a word of 64 bits.
//
// Technique
//   - A round is y = ror(y ^ x, 3), x = rol((x ^ k) - y, 8), with the round keys from last to first.
//   - Eight blocks go through the rounds together, in vectors of two words. The rotation by 8 is a byte permutation, that by 3
//     a shift and a shift with insertion. An odd number of rounds enters the loop of two rounds in its middle.
//   - The tweaks are computed in integer registers and wait on the stack.
//   - Of what is left below 8 blocks, 4 or more are copied to the stack and go through the same code there; fewer
//     go through integer registers one by one.
//
// Arguments
//     r0        keys    rounds words, aligned to 8; read only
//     r1        tweak   16 bytes at any address; read and written
//     r2        input   16 count bytes at any address, equal to output or disjoint from it; read only
//     r3        output  16 count bytes at any address
//     [sp]      count   number of blocks; with 0 nothing else is touched
//     [sp, #4]  rounds  at least 1
//
// Registers
//     r0      first round key in order of use     r9      end of the round keys in order of use
//     r2, r3  next input, output                  r10     next round key; of one block: round key
//     r4-r7   T; words of one block               r11     0x87; of one block: round key
//     r8      blocks left                         r1, r12, lr  temporaries
//     q0-q7   y and x in turn, a pair for two blocks
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
T0      .req    r4
T1      .req    r5
T2      .req    r6
T3      .req    r7
yl      .req    r4
yh      .req    r5
xl      .req    r6
xh      .req    r7
kl      .req    r10
kh      .req    r11
kp1     .req    lr
Y0      .req    q0
X0      .req    q1
Xl0     .req    d2
Xh0     .req    d3
Yh0     .req    d1
Y1      .req    q2
X1      .req    q3
Xl1     .req    d6
Xh1     .req    d7
Yh1     .req    d5
Y2      .req    q4
X2      .req    q5
Xl2     .req    d10
Xh2     .req    d11
Yh2     .req    d9
Y3      .req    q6
X3      .req    q7
Xl3     .req    d14
Xh3     .req    d15
Yh3     .req    d13
Z0      .req    q8
Z1      .req    q9
Z2      .req    q10
Z3      .req    q11
KK      .req    q12
KKl     .req    d24
KKh     .req    d25
bytes   .req    d26

// T = T * x
.macro  speck128_neon_decrypt_times_x
        and     mask, poly, T3, asr #31
        adds    T0, T0, T0
        adcs    T1, T1, T1
        adcs    T2, T2, T2
        adc     T3, T3, T3
        eor     T0, T0, mask
.endm

// T to the stack at 16 n
.macro  speck128_neon_decrypt_put n
        strd    T0, T1, [sp, #16*\n]
        strd    T2, T3, [sp, #16*\n+8]
.endm

.macro  speck128_neon_decrypt_get n
        ldrd    T0, T1, [sp, #16*\n]
        ldrd    T2, T3, [sp, #16*\n+8]
.endm

// One round of 8 blocks
.macro  speck128_neon_decrypt_round
        vld1.64 {KKl}, [kp :64]
        vld1.64 {KKh}, [kp :64], lr                     // k
  .irp  j, 0, 1, 2, 3
        veor    Z\j, Y\j, X\j                           // y ^ x
  .endr
  .irp  j, 0, 1, 2, 3
        vshl.i64 Y\j, Z\j, #61
  .endr
  .irp  j, 0, 1, 2, 3
        veor    X\j, X\j, KK                            // x ^ k
  .endr
  .irp  j, 0, 1, 2, 3
        vsri.64 Y\j, Z\j, #3                            // ror(y ^ x, 3)
  .endr
  .irp  j, 0, 1, 2, 3
        vsub.i64 X\j, X\j, Y\j                          // - y
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
        movw    r10, #0x0007
        movt    r10, #0x0201
        movw    r12, #0x0403
        movt    r12, #0x0605
        vmov    bytes, r10, r12                         // bytes 7, 0, 1, 2, 3, 4, 5, 6
        sub     end, first, #8
        add     first, end, lr, lsl #3
        ldr     T0, [r1, #0]
        ldr     T1, [r1, #4]
        ldr     T2, [r1, #8]
        ldr     T3, [r1, #12]
        mov     poly, #0x87
        subs    left, left, #8
        blo     5f

        // 8 blocks
1:
  .irp  n, 0, 1, 2, 3, 4, 5, 6, 7
        speck128_neon_decrypt_put \n
        speck128_neon_decrypt_times_x
  .endr
        mov     temp, sp
        vld1.8  {d0-d3}, [input]!
        vld1.8  {d4-d7}, [input]!
        vld1.8  {d8-d11}, [input]!
        vld1.8  {d12-d15}, [input]!
        vld1.64 {d16-d19}, [temp :64]!
        veor    Y0, Y0, Z0
        veor    X0, X0, Z1
        vswp    Yh0, Xl0
        vld1.64 {d20-d23}, [temp :64]!
        veor    Y1, Y1, Z2
        veor    X1, X1, Z3
        vswp    Yh1, Xl1
        vld1.64 {d16-d19}, [temp :64]!
        veor    Y2, Y2, Z0
        veor    X2, X2, Z1
        vswp    Yh2, Xl2
        vld1.64 {d20-d23}, [temp :64]!
        veor    Y3, Y3, Z2
        veor    X3, X3, Z3
        vswp    Yh3, Xl3
        mov     kp, first
        sub     temp, end, first
        mvn     lr, #7                                  // -8
        tst     temp, #8
        bne     3f
2:      speck128_neon_decrypt_round
3:      speck128_neon_decrypt_round
        cmp     kp, end
        bne     2b

        mov     temp, sp
        vld1.64 {d16-d19}, [temp :64]!
        vswp    Yh0, Xl0
        veor    Y0, Y0, Z0
        veor    X0, X0, Z1
        vst1.8  {d0-d3}, [output]!
        vld1.64 {d20-d23}, [temp :64]!
        vswp    Yh1, Xl1
        veor    Y1, Y1, Z2
        veor    X1, X1, Z3
        vst1.8  {d4-d7}, [output]!
        vld1.64 {d16-d19}, [temp :64]!
        vswp    Yh2, Xl2
        veor    Y2, Y2, Z0
        veor    X2, X2, Z1
        vst1.8  {d8-d11}, [output]!
        vld1.64 {d20-d23}, [temp :64]!
        vswp    Yh3, Xl3
        veor    Y3, Y3, Z2
        veor    X3, X3, Z3
        vst1.8  {d12-d15}, [output]!
        subs    left, left, #8
        bhs     1b

5:      adds    left, left, #8
        beq     7f
        cmp     left, #4
        blo     6f

        // 4 to 7 blocks left: copied to the stack
        str     left, [sp, #324]
        str     output, [sp, #328]
        add     output, sp, #128
        mov     temp, left
5:      vld1.8  {d0-d1}, [input]!
        subs    temp, temp, #1
        vst1.64 {d0-d1}, [output :64]!
        bne     5b
        add     input, sp, #128
        add     output, sp, #128
        mov     left, #0
        b       1b

        // 1 to 3 blocks left: one
6:      speck128_neon_decrypt_put 0
        speck128_neon_decrypt_times_x
        speck128_neon_decrypt_put 1
        ldrd    kl, kh, [sp]
        ldr     yl, [input], #4
        ldr     yh, [input], #4
        eor     yl, yl, kl
        eor     yh, yh, kh
        ldrd    kl, kh, [sp, #8]
        ldr     xl, [input], #4
        ldr     xh, [input], #4
        eor     xl, xl, kl
        eor     xh, xh, kh
        mov     kp1, first
2:      ldrd    kl, kh, [kp1], #-8
        eor     yl, yl, xl
        eor     yh, yh, xh
        eor     xl, xl, kl
        eor     xh, xh, kh                              // x ^ k
        lsr     r12, yl, #3
        lsr     temp, yh, #3
        orr     r12, r12, yh, lsl #29
        orr     yh, temp, yl, lsl #29                   // ror(y ^ x, 3)
        mov     yl, r12
        subs    xl, xl, yl
        sbc     xh, xh, yh                              // - y
        lsl     r12, xl, #8
        orr     r12, r12, xh, lsr #24
        lsl     xh, xh, #8
        orr     xh, xh, xl, lsr #24
        mov     xl, r12                                 // rol( , 8)
        cmp     kp1, end
        bne     2b
        ldrd    kl, kh, [sp]
        eor     yl, yl, kl
        eor     yh, yh, kh
        ldrd    kl, kh, [sp, #8]
        eor     xl, xl, kl
        eor     xh, xh, kh
        str     yl, [output], #4
        str     yh, [output], #4
        str     xl, [output], #4
        str     xh, [output], #4
        speck128_neon_decrypt_get 1
        mov     poly, #0x87
        subs    left, left, #1
        bne     6b

7:      ldr     left, [sp, #324]
        cmp     left, #0
        beq     7f

        // Blocks on the stack: out, and T of the one after them
        add     temp, sp, left, lsl #4
        ldrd    T0, T1, [temp]
        ldrd    T2, T3, [temp, #8]
        ldr     output, [sp, #328]
        add     temp, sp, #128
5:      vld1.64 {d0-d1}, [temp :64]!
        subs    left, left, #1
        vst1.8  {d0-d1}, [output]!
        bne     5b

7:      ldr     r1, [sp, #320]
        str     T0, [r1, #0]
        str     T1, [r1, #4]
        str     T2, [r1, #8]
        str     T3, [r1, #12]
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

.purgem speck128_neon_decrypt_times_x
.purgem speck128_neon_decrypt_put
.purgem speck128_neon_decrypt_get
.purgem speck128_neon_decrypt_round
.unreq  first
.unreq  temp
.unreq  input
.unreq  output
.unreq  left
.unreq  end
.unreq  kp
.unreq  poly
.unreq  mask
.unreq  T0
.unreq  T1
.unreq  T2
.unreq  T3
.unreq  yl
.unreq  yh
.unreq  xl
.unreq  xh
.unreq  kl
.unreq  kh
.unreq  kp1
.unreq  Y0
.unreq  X0
.unreq  Xl0
.unreq  Xh0
.unreq  Yh0
.unreq  Y1
.unreq  X1
.unreq  Xl1
.unreq  Xh1
.unreq  Yh1
.unreq  Y2
.unreq  X2
.unreq  Xl2
.unreq  Xh2
.unreq  Yh2
.unreq  Y3
.unreq  X3
.unreq  Xl3
.unreq  Xh3
.unreq  Yh3
.unreq  Z0
.unreq  Z1
.unreq  Z2
.unreq  Z3
.unreq  KK
.unreq  KKl
.unreq  KKh
.unreq  bytes

        .fpu    vfpv3-d16                               // the default of the ARMv7 target
