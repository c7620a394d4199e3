// Speck128 in XTS mode, encryption, integer registers
//
//     xts_encrypt(keys: *const u64, tweak: *mut u8, input: *const u8, output: *mut u8, count: usize, rounds: u32)
//
// For each of the count blocks of 16 bytes:
//     output = E(input ^ T) ^ T,    T = T * x in GF(2^128) modulo x^128 + x^7 + x^2 + x + 1.
// Afterwards the tweak in memory is the T of the next block. A tweak of zero stays zero and gives the bare cipher.
//
// Source
//     Beaulieu and others, "The Simon and Speck Families of Lightweight Block Ciphers", 2013, section 4; words and
//     blocks little-endian, y before x, as in "Simon and Speck Implementation Guide", 2018. IEEE 1619, section 5 (XTS).
//     ror and rol rotate a word of 64 bits.
//
// Technique
//   - A round is x = (ror(x, 8) + y) ^ k, y = rol(y, 3) ^ x.
//   - Eight blocks go through the rounds together.
//   - T * x^4 takes six instructions, so the tweaks of the two halves of 8 blocks are computed side by side.
//   - What is left below 8 blocks goes through integer registers, four at a time; where fewer are left, the last block
//     stands for those that are missing, and is loaded, computed and stored again. One block alone goes by itself.
//
// Arguments
//     x0  keys    rounds words, aligned to 8; read only
//     x1  tweak   16 bytes at any address; read and written
//     x2  input   16 count bytes at any address, equal to output or disjoint from it; read only
//     x3  output  16 count bytes at any address
//     x4  count   number of blocks; with 0 no memory is touched
//     w5  rounds  at least 1; the upper half of x5 is ignored
//
// Registers
//     x0-x4           arguments; input, output and count move on
//     x5              end of the round keys
//     x6              next round key; temporary outside of the rounds
//     x7              round key; temporary outside of the rounds
//     x8-x15          x of eight blocks; T in x8, x9; 0x87 in x15, or a place in the output;
//                     a second round key of one block in x9
//     x16,x17,x19-x24 y of eight blocks; T in x16, x17; of at most four blocks: distances between them in x21-x23
//
// Stack, 176 bytes
//     sp + 0      tweaks
//     sp + 128    x19-x24 of the caller
//
// Cleared before return: x6-x17, the tweaks on the stack.

xkeys   .req    x0
xtweak  .req    x1
xin     .req    x2
xout    .req    x3
xcount  .req    x4
xend    .req    x5
xkp     .req    x6
rk      .req    x7
rx0     .req    x8
rx1     .req    x9
rx2     .req    x10
rx3     .req    x11
rx4     .req    x12
rx5     .req    x13
rx6     .req    x14
rx7     .req    x15
ry0     .req    x16
ry1     .req    x17
ry2     .req    x19
ry3     .req    x20
ry4     .req    x21
ry5     .req    x22
ry6     .req    x23
ry7     .req    x24
xt0     .req    x6
xt1     .req    x7
xpoly   .req    x15
xplace  .req    x15
xo1     .req    x21
xo2     .req    x22
xo3     .req    x23

// (h, l) = (h, l) * x
.macro  speck128_scalar_encrypt_times_x h, l
        and     xt0, xpoly, \h, asr #63
        extr    \h, \h, \l, #63
        eor     \l, xt0, \l, lsl #1
.endm

// (g, k) = (h, l) * x^4: the bits c that leave come back as c * (x^7 + x^2 + x + 1)
.macro  speck128_scalar_encrypt_times_x4 g, k, h, l
        lsr     xt0, \h, #60
        extr    \g, \h, \l, #60
        eor     xt1, xt0, xt0, lsl #1
        eor     xt1, xt1, xt0, lsl #2
        eor     xt1, xt1, xt0, lsl #7
        eor     \k, xt1, \l, lsl #4
.endm

// Block j of the integer registers from \address, with the tweak on the stack at 16 n
.macro  speck128_scalar_encrypt_load j, n, address:vararg
        ldp     ry\j, rx\j, \address
        ldp     xt0, xt1, [sp, #16*(\n)]
        eor     ry\j, ry\j, xt0
        eor     rx\j, rx\j, xt1
.endm

.macro  speck128_scalar_encrypt_store j, n, address:vararg
        ldp     xt0, xt1, [sp, #16*(\n)]
        eor     xt0, xt0, ry\j
        eor     xt1, xt1, rx\j
        stp     xt0, xt1, \address
.endm

        .cfi_startproc
        hint    #34                                     // bti c
        cbz     xcount, 9f

        sub     sp, sp, #176
        .cfi_def_cfa_offset 176
        stp     x19, x20, [sp, #128]
        .cfi_offset x19, -48
        .cfi_offset x20, -40
        stp     x21, x22, [sp, #144]
        .cfi_offset x21, -32
        .cfi_offset x22, -24
        stp     x23, x24, [sp, #160]
        .cfi_offset x23, -16
        .cfi_offset x24, -8
        add     xend, xkeys, w5, uxtw #3
        subs    xcount, xcount, #8
        b.lo    3f

        // 8 blocks; tweaks T, T*x, .. and T*x^4, T*x^5, ..
1:      ldp     ry0, rx0, [xtweak]
        mov     xpoly, #0x87
        speck128_scalar_encrypt_times_x4 rx1, ry1, rx0, ry0
  .irp  n, 0, 1, 2
        stp     ry0, rx0, [sp, #16*\n]
        speck128_scalar_encrypt_times_x rx0, ry0
        stp     ry1, rx1, [sp, #64+16*\n]
        speck128_scalar_encrypt_times_x rx1, ry1
  .endr
        stp     ry0, rx0, [sp, #48]
        stp     ry1, rx1, [sp, #112]
        speck128_scalar_encrypt_times_x rx1, ry1
        stp     ry1, rx1, [xtweak]

  .irp  j, 0, 1, 2, 3, 4, 5, 6, 7
        speck128_scalar_encrypt_load \j, \j, [xin, #16*\j]
  .endr
        add     xin, xin, #128
        mov     xkp, xkeys

2:      ldr     rk, [xkp], #8
        cmp     xkp, xend
        ror     rx0, rx0, #8                            // ror(x, 8)
        ror     rx1, rx1, #8
        ror     rx2, rx2, #8
        ror     rx3, rx3, #8
        ror     rx4, rx4, #8
        ror     rx5, rx5, #8
        ror     rx6, rx6, #8
        ror     rx7, rx7, #8
        add     rx0, rx0, ry0                           // + y
        add     rx1, rx1, ry1
        add     rx2, rx2, ry2
        add     rx3, rx3, ry3
        add     rx4, rx4, ry4
        add     rx5, rx5, ry5
        add     rx6, rx6, ry6
        add     rx7, rx7, ry7
        eor     rx0, rx0, rk                            // ^ k
        eor     rx1, rx1, rk
        eor     rx2, rx2, rk
        eor     rx3, rx3, rk
        eor     rx4, rx4, rk
        eor     rx5, rx5, rk
        eor     rx6, rx6, rk
        eor     rx7, rx7, rk
        eor     ry0, rx0, ry0, ror #61                  // rol(y, 3) ^ x
        eor     ry1, rx1, ry1, ror #61
        eor     ry2, rx2, ry2, ror #61
        eor     ry3, rx3, ry3, ror #61
        eor     ry4, rx4, ry4, ror #61
        eor     ry5, rx5, ry5, ror #61
        eor     ry6, rx6, ry6, ror #61
        eor     ry7, rx7, ry7, ror #61
        b.ne    2b

  .irp  j, 0, 1, 2, 3, 4, 5, 6, 7
        speck128_scalar_encrypt_store \j, \j, [xout, #16*\j]
  .endr
        add     xout, xout, #128
        subs    xcount, xcount, #8
        b.hs    1b

        // Clear what only this loop uses.
  .irp  n, 4, 5, 6, 7
        stp     xzr, xzr, [sp, #16*\n]
  .endr

3:      adds    xcount, xcount, #8
        b.eq    7f

        // 1 to 7 blocks left. One goes alone.
4:      cmp     xcount, #1
        ldp     ry0, rx0, [xtweak]
        mov     xpoly, #0x87
        stp     ry0, rx0, [sp]
        b.hi    5f
        speck128_scalar_encrypt_times_x rx0, ry0
        stp     ry0, rx0, [xtweak]
        speck128_scalar_encrypt_load 0, 0, [xin]
        // Two rounds at a time; of an odd number, one before them.
        sub     rk, xend, xkeys
        mov     xkp, xkeys
        tbz     rk, #3, 2f
        ldr     rk, [xkp], #8
        cmp     xkp, xend
        ror     rx0, rx0, #8                            // ror(x, 8)
        add     rx0, rx0, ry0                           // + y
        eor     rx0, rx0, rk                            // ^ k
        eor     ry0, rx0, ry0, ror #61                  // rol(y, 3) ^ x
        b.eq    6f
2:      ldp     rk, rx1, [xkp], #16
        cmp     xkp, xend
        ror     rx0, rx0, #8                            // ror(x, 8)
        add     rx0, rx0, ry0                           // + y
        eor     rx0, rx0, rk                            // ^ k
        eor     ry0, rx0, ry0, ror #61                  // rol(y, 3) ^ x
        ror     rx0, rx0, #8                            // ror(x, 8)
        add     rx0, rx0, ry0                           // + y
        eor     rx0, rx0, rx1                           // ^ k
        eor     ry0, rx0, ry0, ror #61                  // rol(y, 3) ^ x
        b.ne    2b
6:      speck128_scalar_encrypt_store 0, 0, [xout]
        b       7f

        // Two or more: xo1, xo2, xo3 are the places of blocks 1, 2, 3, or of the last block if that is before them,
        // and T is multiplied as often.
5:      mov     xo1, #16
        speck128_scalar_encrypt_times_x rx0, ry0
        stp     ry0, rx0, [sp, #16]
        mov     rx1, rx0
        mov     ry1, ry0
        speck128_scalar_encrypt_times_x rx1, ry1
        cmp     xcount, #2
        csel    rx0, rx1, rx0, hi
        csel    ry0, ry1, ry0, hi
        cset    xo2, hi
        add     xo2, xo1, xo2, lsl #4
        stp     ry0, rx0, [sp, #32]
        mov     rx1, rx0
        mov     ry1, ry0
        speck128_scalar_encrypt_times_x rx1, ry1
        cmp     xcount, #3
        csel    rx0, rx1, rx0, hi
        csel    ry0, ry1, ry0, hi
        cset    xo3, hi
        add     xo3, xo2, xo3, lsl #4
        stp     ry0, rx0, [sp, #48]
        speck128_scalar_encrypt_times_x rx0, ry0
        stp     ry0, rx0, [xtweak]

        speck128_scalar_encrypt_load 0, 0, [xin]
        add     xt0, xin, xo1
        speck128_scalar_encrypt_load 1, 1, [xt0]
        add     xt0, xin, xo2
        speck128_scalar_encrypt_load 2, 2, [xt0]
        add     xt0, xin, xo3
        speck128_scalar_encrypt_load 3, 3, [xt0]
        mov     xkp, xkeys
2:      ldr     rk, [xkp], #8
        cmp     xkp, xend
        ror     rx0, rx0, #8                            // ror(x, 8)
        ror     rx1, rx1, #8
        ror     rx2, rx2, #8
        ror     rx3, rx3, #8
        add     rx0, rx0, ry0                           // + y
        add     rx1, rx1, ry1
        add     rx2, rx2, ry2
        add     rx3, rx3, ry3
        eor     rx0, rx0, rk                            // ^ k
        eor     rx1, rx1, rk
        eor     rx2, rx2, rk
        eor     rx3, rx3, rk
        eor     ry0, rx0, ry0, ror #61                  // rol(y, 3) ^ x
        eor     ry1, rx1, ry1, ror #61
        eor     ry2, rx2, ry2, ror #61
        eor     ry3, rx3, ry3, ror #61
        b.ne    2b
        speck128_scalar_encrypt_store 0, 0, [xout]
        add     xplace, xout, xo1
        speck128_scalar_encrypt_store 1, 1, [xplace]
        add     xplace, xout, xo2
        speck128_scalar_encrypt_store 2, 2, [xplace]
        add     xplace, xout, xo3
        speck128_scalar_encrypt_store 3, 3, [xplace]
        add     xo3, xo3, #16
        add     xin, xin, xo3
        add     xout, xout, xo3
        subs    xcount, xcount, xo3, lsr #4
        b.ne    4b

7:      stp     xzr, xzr, [sp]
        stp     xzr, xzr, [sp, #16]
        stp     xzr, xzr, [sp, #32]
        stp     xzr, xzr, [sp, #48]
        ldp     x19, x20, [sp, #128]
        ldp     x21, x22, [sp, #144]
        ldp     x23, x24, [sp, #160]
        add     sp, sp, #176
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
.purgem speck128_scalar_encrypt_\macro
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
.unreq  xt0
.unreq  xt1
.unreq  xpoly
.unreq  xplace
.unreq  xo1
.unreq  xo2
.unreq  xo3
