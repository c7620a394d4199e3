// Speck64 in XTS mode, decryption, integer registers
//
//     xts_decrypt(keys: *const u32, tweak: *mut u8, input: *const u8, output: *mut u8, count: usize, rounds: u32)
//
// For each of the count blocks of 8 bytes:
//     output = D(input ^ T) ^ T,    T = T * x in GF(2^64) modulo x^64 + x^4 + x^3 + x + 1.
// Afterwards the tweak in memory is the T of the next block. A tweak of zero stays zero and gives the bare cipher.
//
// Source
//     Beaulieu and others, "The Simon and Speck Families of Lightweight Block Ciphers", 2013, section 4; words and
//     blocks little-endian, y before x, as in "Simon and Speck Implementation Guide", 2018. XTS as in IEEE 1619,
//     section 5, with a field of 64 bits.
//     ror and rol rotate a word of 32 bits.
//
// Technique
//   - A round is y = ror(y ^ x, 3), x = rol((x ^ k) - y, 8), with the round keys from last to first.
//   - Eight blocks go through the rounds together.
//   - In integer registers x is kept as ror(x, 8), so that its rotation is free in the shifted operands of the next
//     round, and after the last round in that of the addition of T.
//   - T * x^4 takes five instructions, so the tweaks of the two halves of 8 blocks are computed side by side.
//   - What is left below 8 blocks goes through integer registers, four at a time; where fewer are left, the last block
//     stands for those that are missing, and is loaded, computed and stored again. One block alone goes by itself.
//
// Arguments
//     x0  keys    rounds words, aligned to 4; read only
//     x1  tweak   8 bytes at any address; read and written
//     x2  input   8 count bytes at any address, equal to output or disjoint from it; read only
//     x3  output  8 count bytes at any address
//     x4  count   number of blocks; with 0 no memory is touched
//     w5  rounds  at least 1; the upper half of x5 is ignored
//
// Registers
//     x0-x4           arguments; input, output and count move on
//     x5              end of the round keys
//     x6              next round key; temporary outside of the rounds
//     x7              round key; temporary outside of the rounds
//     x8-x15          x of eight blocks; T in x8-x11, 0x1b in x15, or a place in the output
//     x16,x17,x19-x24 y of eight blocks; of at most four blocks: distances between them in x21-x23
//
// Stack, 112 bytes
//     sp + 0      tweaks
//     sp + 64     x19-x24 of the caller
//
// Cleared before return: x6-x17, the tweaks on the stack.

xkeys   .req    x0
xtweak  .req    x1
xin     .req    x2
xout    .req    x3
xcount  .req    x4
xend    .req    x5
xkp     .req    x6
rk      .req    w7
rx0     .req    w8
rx1     .req    w9
rx2     .req    w10
rx3     .req    w11
rx4     .req    w12
rx5     .req    w13
rx6     .req    w14
rx7     .req    w15
ry0     .req    w16
ry1     .req    w17
ry2     .req    w19
ry3     .req    w20
ry4     .req    w21
ry5     .req    w22
ry6     .req    w23
ry7     .req    w24
xt      .req    x6
rt0     .req    w6
rt1     .req    w7
T0      .req    x8
T1      .req    x9
T2      .req    x10
T3      .req    x11
xpoly   .req    x15
xplace  .req    x15
xo1     .req    x21
xo2     .req    x22
xo3     .req    x23

// u = t * x
.macro  speck64_scalar_decrypt_times_x u, t
        and     xt, xpoly, \t, asr #63
        eor     \u, xt, \t, lsl #1
.endm

// u = t * x^4: the bits c that leave come back as c * (x^4 + x^3 + x + 1)
.macro  speck64_scalar_decrypt_times_x4 u, t
        lsr     xt, \t, #60
        eor     \u, xt, \t, lsl #4
        eor     \u, \u, xt, lsl #1
        eor     \u, \u, xt, lsl #3
        eor     \u, \u, xt, lsl #4
.endm

// Block j of the integer registers from \address, with the tweak on the stack at 8 n
.macro  speck64_scalar_decrypt_load j, n, address:vararg
        ldp     ry\j, rx\j, \address
        ldp     rt0, rt1, [sp, #8*(\n)]
        eor     ry\j, ry\j, rt0
        eor     rx\j, rx\j, rt1
        ror     rx\j, rx\j, #8
.endm

.macro  speck64_scalar_decrypt_store j, n, address:vararg
        ldp     rt0, rt1, [sp, #8*(\n)]
        eor     rt0, rt0, ry\j
        eor     rt1, rt1, rx\j, ror #24
        stp     rt0, rt1, \address
.endm

        .cfi_startproc
        hint    #34                                     // bti c
        cbz     xcount, 9f

        sub     sp, sp, #112
        .cfi_def_cfa_offset 112
        stp     x19, x20, [sp, #64]
        .cfi_offset x19, -48
        .cfi_offset x20, -40
        stp     x21, x22, [sp, #80]
        .cfi_offset x21, -32
        .cfi_offset x22, -24
        stp     x23, x24, [sp, #96]
        .cfi_offset x23, -16
        .cfi_offset x24, -8
        add     xend, xkeys, w5, uxtw #2
        subs    xcount, xcount, #8
        b.lo    3f

        // 8 blocks; tweaks T, T*x, .. and T*x^4, T*x^5, ..
1:      ldr     T0, [xtweak]
        mov     xpoly, #0x1b
        speck64_scalar_decrypt_times_x4 T2, T0
  .irp  n, 0, 2
        speck64_scalar_decrypt_times_x T1, T0
        speck64_scalar_decrypt_times_x T3, T2
        stp     T0, T1, [sp, #8*\n]
        stp     T2, T3, [sp, #32+8*\n]
    .if \n < 2
        speck64_scalar_decrypt_times_x T0, T1
    .endif
        speck64_scalar_decrypt_times_x T2, T3
  .endr
        str     T2, [xtweak]

  .irp  j, 0, 1, 2, 3, 4, 5, 6, 7
        speck64_scalar_decrypt_load \j, \j, [xin, #8*\j]
  .endr
        add     xin, xin, #64
        mov     xkp, xend

2:      ldr     rk, [xkp, #-4]!
        cmp     xkp, xkeys
        eor     ry0, ry0, rx0, ror #24                  // y ^ x
        eor     ry1, ry1, rx1, ror #24
        eor     ry2, ry2, rx2, ror #24
        eor     ry3, ry3, rx3, ror #24
        eor     ry4, ry4, rx4, ror #24
        eor     ry5, ry5, rx5, ror #24
        eor     ry6, ry6, rx6, ror #24
        eor     ry7, ry7, rx7, ror #24
        eor     rx0, rk, rx0, ror #24                   // x ^ k
        eor     rx1, rk, rx1, ror #24
        eor     rx2, rk, rx2, ror #24
        eor     rx3, rk, rx3, ror #24
        eor     rx4, rk, rx4, ror #24
        eor     rx5, rk, rx5, ror #24
        eor     rx6, rk, rx6, ror #24
        eor     rx7, rk, rx7, ror #24
        ror     ry0, ry0, #3                            // ror(y ^ x, 3)
        ror     ry1, ry1, #3
        ror     ry2, ry2, #3
        ror     ry3, ry3, #3
        ror     ry4, ry4, #3
        ror     ry5, ry5, #3
        ror     ry6, ry6, #3
        ror     ry7, ry7, #3
        sub     rx0, rx0, ry0                           // - y
        sub     rx1, rx1, ry1
        sub     rx2, rx2, ry2
        sub     rx3, rx3, ry3
        sub     rx4, rx4, ry4
        sub     rx5, rx5, ry5
        sub     rx6, rx6, ry6
        sub     rx7, rx7, ry7
        b.ne    2b

  .irp  j, 0, 1, 2, 3, 4, 5, 6, 7
        speck64_scalar_decrypt_store \j, \j, [xout, #8*\j]
  .endr
        add     xout, xout, #64
        subs    xcount, xcount, #8
        b.hs    1b

        // Clear what only this loop uses.
  .irp  n, 2, 3
        stp     xzr, xzr, [sp, #16*\n]
  .endr

3:      adds    xcount, xcount, #8
        b.eq    7f

        // 1 to 7 blocks left. One goes alone.
4:      cmp     xcount, #1
        ldr     T0, [xtweak]
        mov     xpoly, #0x1b
        str     T0, [sp]
        speck64_scalar_decrypt_times_x T0, T0
        b.hi    5f
        str     T0, [xtweak]
        speck64_scalar_decrypt_load 0, 0, [xin]
        mov     xkp, xend
2:      ldr     rk, [xkp, #-4]!
        cmp     xkp, xkeys
        eor     ry0, ry0, rx0, ror #24                  // y ^ x
        eor     rx0, rk, rx0, ror #24                   // x ^ k
        ror     ry0, ry0, #3                            // ror(y ^ x, 3)
        sub     rx0, rx0, ry0                           // - y
        b.ne    2b
        speck64_scalar_decrypt_store 0, 0, [xout]
        b       7f

        // Two or more: xo1, xo2, xo3 are the places of blocks 1, 2, 3, or of the last block if that is before them,
        // and T is multiplied as often.
5:      mov     xo1, #8
        str     T0, [sp, #8]
        speck64_scalar_decrypt_times_x T1, T0
        cmp     xcount, #2
        csel    T0, T1, T0, hi
        cset    xo2, hi
        add     xo2, xo1, xo2, lsl #3
        str     T0, [sp, #16]
        speck64_scalar_decrypt_times_x T1, T0
        cmp     xcount, #3
        csel    T0, T1, T0, hi
        cset    xo3, hi
        add     xo3, xo2, xo3, lsl #3
        str     T0, [sp, #24]
        speck64_scalar_decrypt_times_x T0, T0
        str     T0, [xtweak]

        speck64_scalar_decrypt_load 0, 0, [xin]
        add     xt, xin, xo1
        speck64_scalar_decrypt_load 1, 1, [xt]
        add     xt, xin, xo2
        speck64_scalar_decrypt_load 2, 2, [xt]
        add     xt, xin, xo3
        speck64_scalar_decrypt_load 3, 3, [xt]
        mov     xkp, xend
2:      ldr     rk, [xkp, #-4]!
        cmp     xkp, xkeys
        eor     ry0, ry0, rx0, ror #24                  // y ^ x
        eor     ry1, ry1, rx1, ror #24
        eor     ry2, ry2, rx2, ror #24
        eor     ry3, ry3, rx3, ror #24
        eor     rx0, rk, rx0, ror #24                   // x ^ k
        eor     rx1, rk, rx1, ror #24
        eor     rx2, rk, rx2, ror #24
        eor     rx3, rk, rx3, ror #24
        ror     ry0, ry0, #3                            // ror(y ^ x, 3)
        ror     ry1, ry1, #3
        ror     ry2, ry2, #3
        ror     ry3, ry3, #3
        sub     rx0, rx0, ry0                           // - y
        sub     rx1, rx1, ry1
        sub     rx2, rx2, ry2
        sub     rx3, rx3, ry3
        b.ne    2b
        speck64_scalar_decrypt_store 0, 0, [xout]
        add     xplace, xout, xo1
        speck64_scalar_decrypt_store 1, 1, [xplace]
        add     xplace, xout, xo2
        speck64_scalar_decrypt_store 2, 2, [xplace]
        add     xplace, xout, xo3
        speck64_scalar_decrypt_store 3, 3, [xplace]
        add     xo3, xo3, #8
        add     xin, xin, xo3
        add     xout, xout, xo3
        subs    xcount, xcount, xo3, lsr #3
        b.ne    4b

7:      stp     xzr, xzr, [sp]
        stp     xzr, xzr, [sp, #16]
        ldp     x19, x20, [sp, #64]
        ldp     x21, x22, [sp, #80]
        ldp     x23, x24, [sp, #96]
        add     sp, sp, #112
        .cfi_def_cfa_offset 0
        .cfi_restore x19
        .cfi_restore x20
        .cfi_restore x21
        .cfi_restore x22
        .cfi_restore x23
        .cfi_restore x24
  .irp  n, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
        mov     x\n, #0
  .endr
9:      ret
        .cfi_endproc

  .irp  macro, times_x, times_x4, load, store
.purgem speck64_scalar_decrypt_\macro
  .endr

.unreq  xkeys
.unreq  xtweak
.unreq  xin
.unreq  xout
.unreq  xcount
.unreq  xend
.unreq  xkp
.unreq  rk
.unreq  rx0
.unreq  rx1
.unreq  rx2
.unreq  rx3
.unreq  rx4
.unreq  rx5
.unreq  rx6
.unreq  rx7
.unreq  ry0
.unreq  ry1
.unreq  ry2
.unreq  ry3
.unreq  ry4
.unreq  ry5
.unreq  ry6
.unreq  ry7
.unreq  xt
.unreq  rt0
.unreq  rt1
.unreq  T0
.unreq  T1
.unreq  T2
.unreq  T3
.unreq  xpoly
.unreq  xplace
.unreq  xo1
.unreq  xo2
.unreq  xo3
