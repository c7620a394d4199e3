// Speck128 in XTS mode, encryption, NEON and integer registers side by side
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
//   - Sixteen blocks go through the rounds together, eight of them in vectors of two words and eight in integer
//     registers. The two streams share nothing but the loop, and their instructions alternate.
//   - In vectors the rotation by 8 is a byte permutation, that by 3 a shift and a shift with insertion.
//   - T * x^8 takes six instructions, so the tweaks of the two halves of 16 blocks are computed side by side.
//   - What is left below 16 blocks goes through integer registers, four at a time; where fewer are left, the last block
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
//     v0-v7           y and x of eight more blocks, two by two in turn
//     v16-v23         y and x of their tweaks, likewise
//     v24             round key, twice
//     v25             byte permutation
//     v26-v29         temporaries
//
// Stack, 304 bytes
//     sp + 0      tweaks
//     sp + 256    x19-x24 of the caller
//
// Cleared before return: x6-x17, v0-v7, v16-v24, v26-v29, the tweaks on the stack.

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
vy0     .req    v0
vx0     .req    v1
vy1     .req    v2
vx1     .req    v3
vy2     .req    v4
vx2     .req    v5
vy3     .req    v6
vx3     .req    v7
vty0    .req    v16
vtx0    .req    v17
vty1    .req    v18
vtx1    .req    v19
vty2    .req    v20
vtx2    .req    v21
vty3    .req    v22
vtx3    .req    v23
vk      .req    v24
vbytes  .req    v25
qbytes  .req    q25
vt0     .req    v26
vt1     .req    v27
vt2     .req    v28
vt3     .req    v29

// (h, l) = (h, l) * x
.macro  speck128_neon_encrypt_times_x h, l
        and     xt0, xpoly, \h, asr #63
        extr    \h, \h, \l, #63
        eor     \l, xt0, \l, lsl #1
.endm

// (g, k) = (h, l) * x^8: the bits c that leave come back as c * (x^7 + x^2 + x + 1)
.macro  speck128_neon_encrypt_times_x8 g, k, h, l
        lsr     xt0, \h, #56
        extr    \g, \h, \l, #56
        eor     xt1, xt0, xt0, lsl #1
        eor     xt1, xt1, xt0, lsl #2
        eor     xt1, xt1, xt0, lsl #7
        eor     \k, xt1, \l, lsl #8
.endm

// Block j of the integer registers from \address, with the tweak on the stack at 16 n
.macro  speck128_neon_encrypt_load j, n, address:vararg
        ldp     ry\j, rx\j, \address
        ldp     xt0, xt1, [sp, #16*(\n)]
        eor     ry\j, ry\j, xt0
        eor     rx\j, rx\j, xt1
.endm

.macro  speck128_neon_encrypt_store j, n, address:vararg
        ldp     xt0, xt1, [sp, #16*(\n)]
        eor     xt0, xt0, ry\j
        eor     xt1, xt1, rx\j
        stp     xt0, xt1, \address
.endm

        .cfi_startproc
        hint    #34                                     // bti c
        cbz     xcount, 9f

        sub     sp, sp, #304
        .cfi_def_cfa_offset 304
        stp     x19, x20, [sp, #256]
        .cfi_offset x19, -48
        .cfi_offset x20, -40
        stp     x21, x22, [sp, #272]
        .cfi_offset x21, -32
        .cfi_offset x22, -24
        stp     x23, x24, [sp, #288]
        .cfi_offset x23, -16
        .cfi_offset x24, -8
        add     xend, xkeys, w5, uxtw #3
        subs    xcount, xcount, #16
        b.lo    3f
        ldr     qbytes, 8f

        // 16 blocks; tweaks T, T*x, .. and T*x^8, T*x^9, ..
1:      ldp     ry0, rx0, [xtweak]
        mov     xpoly, #0x87
        speck128_neon_encrypt_times_x8 rx1, ry1, rx0, ry0
  .irp  n, 0, 1, 2, 3, 4, 5, 6
        stp     ry0, rx0, [sp, #16*\n]
        speck128_neon_encrypt_times_x rx0, ry0
        stp     ry1, rx1, [sp, #128+16*\n]
        speck128_neon_encrypt_times_x rx1, ry1
  .endr
        stp     ry0, rx0, [sp, #112]
        stp     ry1, rx1, [sp, #240]
        speck128_neon_encrypt_times_x rx1, ry1
        stp     ry1, rx1, [xtweak]

        mov     xt0, sp
        ld2     {vy0.2d, vx0.2d}, [xin], #32
        ld2     {vy1.2d, vx1.2d}, [xin], #32
        ld2     {vy2.2d, vx2.2d}, [xin], #32
        ld2     {vy3.2d, vx3.2d}, [xin], #32
        ld2     {vty0.2d, vtx0.2d}, [xt0], #32
        ld2     {vty1.2d, vtx1.2d}, [xt0], #32
        ld2     {vty2.2d, vtx2.2d}, [xt0], #32
        ld2     {vty3.2d, vtx3.2d}, [xt0], #32
  .irp  j, 0, 1, 2, 3
        eor     vy\j\().16b, vy\j\().16b, vty\j\().16b
        eor     vx\j\().16b, vx\j\().16b, vtx\j\().16b
  .endr
  .irp  j, 0, 1, 2, 3, 4, 5, 6, 7
        speck128_neon_encrypt_load \j, 8+\j, [xin, #16*\j]
  .endr
        add     xin, xin, #128
        mov     xkp, xkeys

2:      ld1r    {vk.2d}, [xkp]
        ldr     rk, [xkp], #8
        cmp     xkp, xend
        tbl     vx0.16b, {vx0.16b}, vbytes.16b          // ror(x, 8)
        ror     rx0, rx0, #8                            // ror(x, 8)
        ror     rx1, rx1, #8
        tbl     vx1.16b, {vx1.16b}, vbytes.16b
        ror     rx2, rx2, #8
        tbl     vx2.16b, {vx2.16b}, vbytes.16b
        ror     rx3, rx3, #8
        tbl     vx3.16b, {vx3.16b}, vbytes.16b
        ror     rx4, rx4, #8
        ror     rx5, rx5, #8
        shl     vt0.2d, vy0.2d, #3
        ror     rx6, rx6, #8
        shl     vt1.2d, vy1.2d, #3
        ror     rx7, rx7, #8
        shl     vt2.2d, vy2.2d, #3
        add     rx0, rx0, ry0                           // + y
        add     rx1, rx1, ry1
        shl     vt3.2d, vy3.2d, #3
        add     rx2, rx2, ry2
        add     vx0.2d, vx0.2d, vy0.2d                  // + y
        add     rx3, rx3, ry3
        add     vx1.2d, vx1.2d, vy1.2d
        add     rx4, rx4, ry4
        add     rx5, rx5, ry5
        add     vx2.2d, vx2.2d, vy2.2d
        add     rx6, rx6, ry6
        add     vx3.2d, vx3.2d, vy3.2d
        add     rx7, rx7, ry7
        sri     vt0.2d, vy0.2d, #61                     // rol(y, 3)
        eor     rx0, rx0, rk                            // ^ k
        eor     rx1, rx1, rk
        sri     vt1.2d, vy1.2d, #61
        eor     rx2, rx2, rk
        sri     vt2.2d, vy2.2d, #61
        eor     rx3, rx3, rk
        sri     vt3.2d, vy3.2d, #61
        eor     rx4, rx4, rk
        eor     rx5, rx5, rk
        eor     vx0.16b, vx0.16b, vk.16b                // ^ k
        eor     rx6, rx6, rk
        eor     vx1.16b, vx1.16b, vk.16b
        eor     rx7, rx7, rk
        eor     vx2.16b, vx2.16b, vk.16b
        eor     ry0, rx0, ry0, ror #61                  // rol(y, 3) ^ x
        eor     ry1, rx1, ry1, ror #61
        eor     vx3.16b, vx3.16b, vk.16b
        eor     ry2, rx2, ry2, ror #61
        eor     vy0.16b, vx0.16b, vt0.16b               // ^ x
        eor     ry3, rx3, ry3, ror #61
        eor     vy1.16b, vx1.16b, vt1.16b
        eor     ry4, rx4, ry4, ror #61
        eor     ry5, rx5, ry5, ror #61
        eor     vy2.16b, vx2.16b, vt2.16b
        eor     ry6, rx6, ry6, ror #61
        eor     vy3.16b, vx3.16b, vt3.16b
        eor     ry7, rx7, ry7, ror #61
        b.ne    2b

  .irp  j, 0, 1, 2, 3
        eor     vy\j\().16b, vy\j\().16b, vty\j\().16b
        eor     vx\j\().16b, vx\j\().16b, vtx\j\().16b
  .endr
        st2     {vy0.2d, vx0.2d}, [xout], #32
        st2     {vy1.2d, vx1.2d}, [xout], #32
        st2     {vy2.2d, vx2.2d}, [xout], #32
        st2     {vy3.2d, vx3.2d}, [xout], #32
  .irp  j, 0, 1, 2, 3, 4, 5, 6, 7
        speck128_neon_encrypt_store \j, 8+\j, [xout, #16*\j]
  .endr
        add     xout, xout, #128
        subs    xcount, xcount, #16
        b.hs    1b

        // Clear what only this loop uses.
  .irp  n, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        stp     xzr, xzr, [sp, #16*\n]
  .endr
  .irp  n, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 24, 26, 27, 28, 29
        movi    v\n\().2d, #0
  .endr

3:      adds    xcount, xcount, #16
        b.eq    7f

        // 1 to 15 blocks left. One goes alone.
4:      cmp     xcount, #1
        ldp     ry0, rx0, [xtweak]
        mov     xpoly, #0x87
        stp     ry0, rx0, [sp]
        b.hi    5f
        speck128_neon_encrypt_times_x rx0, ry0
        stp     ry0, rx0, [xtweak]
        speck128_neon_encrypt_load 0, 0, [xin]
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
6:      speck128_neon_encrypt_store 0, 0, [xout]
        b       7f

        // Two or more: xo1, xo2, xo3 are the places of blocks 1, 2, 3, or of the last block if that is before them,
        // and T is multiplied as often.
5:      mov     xo1, #16
        speck128_neon_encrypt_times_x rx0, ry0
        stp     ry0, rx0, [sp, #16]
        mov     rx1, rx0
        mov     ry1, ry0
        speck128_neon_encrypt_times_x rx1, ry1
        cmp     xcount, #2
        csel    rx0, rx1, rx0, hi
        csel    ry0, ry1, ry0, hi
        cset    xo2, hi
        add     xo2, xo1, xo2, lsl #4
        stp     ry0, rx0, [sp, #32]
        mov     rx1, rx0
        mov     ry1, ry0
        speck128_neon_encrypt_times_x rx1, ry1
        cmp     xcount, #3
        csel    rx0, rx1, rx0, hi
        csel    ry0, ry1, ry0, hi
        cset    xo3, hi
        add     xo3, xo2, xo3, lsl #4
        stp     ry0, rx0, [sp, #48]
        speck128_neon_encrypt_times_x rx0, ry0
        stp     ry0, rx0, [xtweak]

        speck128_neon_encrypt_load 0, 0, [xin]
        add     xt0, xin, xo1
        speck128_neon_encrypt_load 1, 1, [xt0]
        add     xt0, xin, xo2
        speck128_neon_encrypt_load 2, 2, [xt0]
        add     xt0, xin, xo3
        speck128_neon_encrypt_load 3, 3, [xt0]
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
        speck128_neon_encrypt_store 0, 0, [xout]
        add     xplace, xout, xo1
        speck128_neon_encrypt_store 1, 1, [xplace]
        add     xplace, xout, xo2
        speck128_neon_encrypt_store 2, 2, [xplace]
        add     xplace, xout, xo3
        speck128_neon_encrypt_store 3, 3, [xplace]
        add     xo3, xo3, #16
        add     xin, xin, xo3
        add     xout, xout, xo3
        subs    xcount, xcount, xo3, lsr #4
        b.ne    4b

7:      stp     xzr, xzr, [sp]
        stp     xzr, xzr, [sp, #16]
        stp     xzr, xzr, [sp, #32]
        stp     xzr, xzr, [sp, #48]
        ldp     x19, x20, [sp, #256]
        ldp     x21, x22, [sp, #272]
        ldp     x23, x24, [sp, #288]
        add     sp, sp, #304
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

        .balign 16
8:      .byte   1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8  // ror(x, 8)

  .irp  macro, times_x, times_x8, load, store
.purgem speck128_neon_encrypt_\macro
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
.unreq  vy0
.unreq  vx0
.unreq  vy1
.unreq  vx1
.unreq  vy2
.unreq  vx2
.unreq  vy3
.unreq  vx3
.unreq  vty0
.unreq  vtx0
.unreq  vty1
.unreq  vtx1
.unreq  vty2
.unreq  vtx2
.unreq  vty3
.unreq  vtx3
.unreq  vk
.unreq  vbytes
.unreq  qbytes
.unreq  vt0
.unreq  vt1
.unreq  vt2
.unreq  vt3
