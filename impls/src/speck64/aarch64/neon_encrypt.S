// Speck64 in XTS mode, encryption, NEON and integer registers side by side
//
//     xts_encrypt(keys: *const u32, tweak: *mut u8, input: *const u8, output: *mut u8, count: usize, rounds: u32)
//
// For each of the count blocks of 8 bytes:
//     output = E(input ^ T) ^ T,    T = T * x in GF(2^64) modulo x^64 + x^4 + x^3 + x + 1.
// Afterwards the tweak in memory is the T of the next block. A tweak of zero stays zero and gives the bare cipher.
//
// Source
//     Beaulieu and others, "The Simon and Speck Families of Lightweight Block Ciphers", 2013, section 4; words and
//     blocks little-endian, y before x, as in "Simon and Speck Implementation Guide", 2018. XTS as in IEEE 1619,
//     section 5, with a field of 64 bits.
//     ror and rol rotate a word of 32 bits.
//
// Technique
//   - A round is x = (ror(x, 8) + y) ^ k, y = rol(y, 3) ^ x.
//   - Thirty-two blocks go through the rounds together, 24 of them in vectors of four words and eight in integer
//     registers. The two streams share nothing but the loop, and their instructions alternate.
//   - In vectors the rotation by 8 is a byte permutation, that by 3 a shift and a shift with insertion.
//     Three vectors run three instructions behind the other three: shifts have fewer pipelines
//     and should not come in a row.
//   - Thirty-two blocks are loaded, stored and combined with T as they lie in memory; the words are parted and
//     joined in registers.
//   - T * x^16 takes five instructions, so the tweaks of the two halves of 32 blocks are computed side by side.
//   - What is left below 32 blocks goes through integer registers, four at a time; where fewer are left, the last block
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
//     v0-v7,v16-v19   y and x of 24 more blocks, four by four in turn
//     v20-v25         temporaries; tweaks
//     v26             round key, four times
//     v27             byte permutation
//
// Stack, 304 bytes
//     sp + 0      tweaks
//     sp + 256    x19-x24 of the caller
//
// Cleared before return: x6-x17, v0-v7, v16-v26, the tweaks on the stack.

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
xt1     .req    x7
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
vy4     .req    v16
vx4     .req    v17
vy5     .req    v18
vx5     .req    v19
vt0     .req    v20
vt1     .req    v21
vt2     .req    v22
vt3     .req    v23
vt4     .req    v24
vt5     .req    v25
vk      .req    v26
vbytes  .req    v27
qbytes  .req    q27
dx0     .req    x8
dx1     .req    x9
dx2     .req    x10
dx3     .req    x11
dx4     .req    x12
dx5     .req    x13
dx6     .req    x14
dx7     .req    x15
dy0     .req    x16
dy1     .req    x17
dy2     .req    x19
dy3     .req    x20
dy4     .req    x21
dy5     .req    x22
dy6     .req    x23
dy7     .req    x24
qy0     .req    q0
qx0     .req    q1
qy1     .req    q2
qx1     .req    q3
qy2     .req    q4
qx2     .req    q5
qy3     .req    q6
qx3     .req    q7
qy4     .req    q16
qx4     .req    q17
qy5     .req    q18
qx5     .req    q19
qt0     .req    q20
qt1     .req    q21
qt2     .req    q22
qt3     .req    q23
qt4     .req    q24
qt5     .req    q25

// u = t * x
.macro  speck64_neon_encrypt_times_x u, t
        and     xt, xpoly, \t, asr #63
        eor     \u, xt, \t, lsl #1
.endm

// u = t * x^16: the bits c that leave come back as c * (x^4 + x^3 + x + 1)
.macro  speck64_neon_encrypt_times_x16 u, t
        lsr     xt, \t, #48
        eor     \u, xt, \t, lsl #16
        eor     \u, \u, xt, lsl #1
        eor     \u, \u, xt, lsl #3
        eor     \u, \u, xt, lsl #4
.endm

// Block j of the integer registers from \address, with the tweak on the stack at 8 n
.macro  speck64_neon_encrypt_load j, n, address:vararg
        ldp     ry\j, rx\j, \address
        ldp     rt0, rt1, [sp, #8*(\n)]
        eor     ry\j, ry\j, rt0
        eor     rx\j, rx\j, rt1
.endm

.macro  speck64_neon_encrypt_store j, n, address:vararg
        ldp     rt0, rt1, [sp, #8*(\n)]
        eor     rt0, rt0, ry\j
        eor     rt1, rt1, rx\j
        stp     rt0, rt1, \address
.endm

// Blocks i and j = i + 1 of the eight. The upper halves of the registers of y hold x too; the rounds do not read them.
.macro  speck64_neon_encrypt_load2 i, j
        ldp     dy\i, dy\j, [xin, #192+8*\i]
        ldp     xt, xt1, [sp, #192+8*\i]
        eor     dy\i, dy\i, xt
        eor     dy\j, dy\j, xt1
        lsr     dx\i, dy\i, #32
        lsr     dx\j, dy\j, #32
.endm

.macro  speck64_neon_encrypt_store2 i, j
        ldp     xt, xt1, [sp, #192+8*\i]
        eor     xt, xt, dy\i
        eor     xt1, xt1, dy\j
        eor     xt, xt, dx\i, lsl #32
        eor     xt1, xt1, dx\j, lsl #32
        stp     xt, xt1, [xout, #192+8*\i]
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
        add     xend, xkeys, w5, uxtw #2
        subs    xcount, xcount, #32
        b.lo    3f
        ldr     qbytes, 8f

        // 32 blocks; tweaks T, T*x, .. and T*x^16, T*x^17, ..
1:      ldr     T0, [xtweak]
        mov     xpoly, #0x1b
        speck64_neon_encrypt_times_x16 T2, T0
  .irp  n, 0, 2, 4, 6, 8, 10, 12, 14
        speck64_neon_encrypt_times_x T1, T0
        speck64_neon_encrypt_times_x T3, T2
        stp     T0, T1, [sp, #8*\n]
        stp     T2, T3, [sp, #128+8*\n]
    .if \n < 14
        speck64_neon_encrypt_times_x T0, T1
    .endif
        speck64_neon_encrypt_times_x T2, T3
  .endr
        str     T2, [xtweak]

        ldp     qt0, qt1, [xin, #0]
        ldp     qt2, qt3, [xin, #32]
        ldp     qt4, qt5, [xin, #64]
        ldp     qy0, qx0, [sp, #0]
        ldp     qy1, qx1, [sp, #32]
        ldp     qy2, qx2, [sp, #64]
        eor     vt0.16b, vt0.16b, vy0.16b
        eor     vt2.16b, vt2.16b, vy1.16b
        eor     vt4.16b, vt4.16b, vy2.16b
        eor     vt1.16b, vt1.16b, vx0.16b
        eor     vt3.16b, vt3.16b, vx1.16b
        eor     vt5.16b, vt5.16b, vx2.16b
        uzp1    vy0.4s, vt0.4s, vt1.4s
        uzp1    vy1.4s, vt2.4s, vt3.4s
        uzp1    vy2.4s, vt4.4s, vt5.4s
        uzp2    vx0.4s, vt0.4s, vt1.4s
        uzp2    vx1.4s, vt2.4s, vt3.4s
        uzp2    vx2.4s, vt4.4s, vt5.4s
        ldp     qt0, qt1, [xin, #96]
        ldp     qt2, qt3, [xin, #128]
        ldp     qt4, qt5, [xin, #160]
        ldp     qy3, qx3, [sp, #96]
        ldp     qy4, qx4, [sp, #128]
        ldp     qy5, qx5, [sp, #160]
        eor     vt0.16b, vt0.16b, vy3.16b
        eor     vt2.16b, vt2.16b, vy4.16b
        eor     vt4.16b, vt4.16b, vy5.16b
        eor     vt1.16b, vt1.16b, vx3.16b
        eor     vt3.16b, vt3.16b, vx4.16b
        eor     vt5.16b, vt5.16b, vx5.16b
        uzp1    vy3.4s, vt0.4s, vt1.4s
        uzp1    vy4.4s, vt2.4s, vt3.4s
        uzp1    vy5.4s, vt4.4s, vt5.4s
        uzp2    vx3.4s, vt0.4s, vt1.4s
        uzp2    vx4.4s, vt2.4s, vt3.4s
        uzp2    vx5.4s, vt4.4s, vt5.4s
        speck64_neon_encrypt_load2 0, 1
        speck64_neon_encrypt_load2 2, 3
        speck64_neon_encrypt_load2 4, 5
        speck64_neon_encrypt_load2 6, 7
        add     xin, xin, #256
        mov     xkp, xkeys

2:      ld1r    {vk.4s}, [xkp]
        ldr     rk, [xkp], #4
        cmp     xkp, xend
        tbl     vx0.16b, {vx0.16b}, vbytes.16b          // ror(x, 8)
        ror     rx0, rx0, #8                            // ror(x, 8)
        tbl     vx1.16b, {vx1.16b}, vbytes.16b
        ror     rx1, rx1, #8
        tbl     vx2.16b, {vx2.16b}, vbytes.16b
        ror     rx2, rx2, #8
        shl     vt0.4s, vy0.4s, #3
        ror     rx3, rx3, #8
        shl     vt1.4s, vy1.4s, #3
        ror     rx4, rx4, #8
        shl     vt2.4s, vy2.4s, #3
        ror     rx5, rx5, #8
        add     vx0.4s, vx0.4s, vy0.4s                  // + y
        ror     rx6, rx6, #8
        add     vx1.4s, vx1.4s, vy1.4s
        ror     rx7, rx7, #8
        add     vx2.4s, vx2.4s, vy2.4s
        sri     vt0.4s, vy0.4s, #29                     // rol(y, 3)
        add     rx0, rx0, ry0                           // + y
        sri     vt1.4s, vy1.4s, #29
        add     rx1, rx1, ry1
        sri     vt2.4s, vy2.4s, #29
        add     rx2, rx2, ry2
        tbl     vx3.16b, {vx3.16b}, vbytes.16b
        add     rx3, rx3, ry3
        tbl     vx4.16b, {vx4.16b}, vbytes.16b
        add     rx4, rx4, ry4
        tbl     vx5.16b, {vx5.16b}, vbytes.16b
        add     rx5, rx5, ry5
        eor     vx0.16b, vx0.16b, vk.16b                // ^ k
        add     rx6, rx6, ry6
        eor     vx1.16b, vx1.16b, vk.16b
        add     rx7, rx7, ry7
        eor     vx2.16b, vx2.16b, vk.16b
        shl     vt3.4s, vy3.4s, #3
        eor     rx0, rx0, rk                            // ^ k
        shl     vt4.4s, vy4.4s, #3
        eor     rx1, rx1, rk
        shl     vt5.4s, vy5.4s, #3
        eor     rx2, rx2, rk
        eor     vy0.16b, vx0.16b, vt0.16b               // ^ x
        eor     rx3, rx3, rk
        eor     vy1.16b, vx1.16b, vt1.16b
        eor     rx4, rx4, rk
        eor     vy2.16b, vx2.16b, vt2.16b
        eor     rx5, rx5, rk
        add     vx3.4s, vx3.4s, vy3.4s
        eor     rx6, rx6, rk
        add     vx4.4s, vx4.4s, vy4.4s
        eor     rx7, rx7, rk
        add     vx5.4s, vx5.4s, vy5.4s
        sri     vt3.4s, vy3.4s, #29
        eor     ry0, rx0, ry0, ror #29                  // rol(y, 3) ^ x
        sri     vt4.4s, vy4.4s, #29
        eor     ry1, rx1, ry1, ror #29
        sri     vt5.4s, vy5.4s, #29
        eor     ry2, rx2, ry2, ror #29
        eor     vx3.16b, vx3.16b, vk.16b
        eor     ry3, rx3, ry3, ror #29
        eor     vx4.16b, vx4.16b, vk.16b
        eor     ry4, rx4, ry4, ror #29
        eor     vx5.16b, vx5.16b, vk.16b
        eor     ry5, rx5, ry5, ror #29
        eor     vy3.16b, vx3.16b, vt3.16b
        eor     ry6, rx6, ry6, ror #29
        eor     vy4.16b, vx4.16b, vt4.16b
        eor     ry7, rx7, ry7, ror #29
        eor     vy5.16b, vx5.16b, vt5.16b
        b.ne    2b

        zip1    vt0.4s, vy0.4s, vx0.4s
        zip1    vt2.4s, vy1.4s, vx1.4s
        zip1    vt4.4s, vy2.4s, vx2.4s
        zip2    vt1.4s, vy0.4s, vx0.4s
        zip2    vt3.4s, vy1.4s, vx1.4s
        zip2    vt5.4s, vy2.4s, vx2.4s
        ldp     qy0, qx0, [sp, #0]
        ldp     qy1, qx1, [sp, #32]
        ldp     qy2, qx2, [sp, #64]
        eor     vt0.16b, vt0.16b, vy0.16b
        eor     vt2.16b, vt2.16b, vy1.16b
        eor     vt4.16b, vt4.16b, vy2.16b
        eor     vt1.16b, vt1.16b, vx0.16b
        eor     vt3.16b, vt3.16b, vx1.16b
        eor     vt5.16b, vt5.16b, vx2.16b
        stp     qt0, qt1, [xout, #0]
        stp     qt2, qt3, [xout, #32]
        stp     qt4, qt5, [xout, #64]
        zip1    vt0.4s, vy3.4s, vx3.4s
        zip1    vt2.4s, vy4.4s, vx4.4s
        zip1    vt4.4s, vy5.4s, vx5.4s
        zip2    vt1.4s, vy3.4s, vx3.4s
        zip2    vt3.4s, vy4.4s, vx4.4s
        zip2    vt5.4s, vy5.4s, vx5.4s
        ldp     qy3, qx3, [sp, #96]
        ldp     qy4, qx4, [sp, #128]
        ldp     qy5, qx5, [sp, #160]
        eor     vt0.16b, vt0.16b, vy3.16b
        eor     vt2.16b, vt2.16b, vy4.16b
        eor     vt4.16b, vt4.16b, vy5.16b
        eor     vt1.16b, vt1.16b, vx3.16b
        eor     vt3.16b, vt3.16b, vx4.16b
        eor     vt5.16b, vt5.16b, vx5.16b
        stp     qt0, qt1, [xout, #96]
        stp     qt2, qt3, [xout, #128]
        stp     qt4, qt5, [xout, #160]
        speck64_neon_encrypt_store2 0, 1
        speck64_neon_encrypt_store2 2, 3
        speck64_neon_encrypt_store2 4, 5
        speck64_neon_encrypt_store2 6, 7
        add     xout, xout, #256
        subs    xcount, xcount, #32
        b.hs    1b

        // Clear what only this loop uses.
  .irp  n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        stp     xzr, xzr, [sp, #16*\n]
  .endr
  .irp  n, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26
        movi    v\n\().2d, #0
  .endr

3:      adds    xcount, xcount, #32
        b.eq    7f

        // 1 to 31 blocks left. One goes alone.
4:      cmp     xcount, #1
        ldr     T0, [xtweak]
        mov     xpoly, #0x1b
        str     T0, [sp]
        speck64_neon_encrypt_times_x T0, T0
        b.hi    5f
        str     T0, [xtweak]
        speck64_neon_encrypt_load 0, 0, [xin]
        mov     xkp, xkeys
2:      ldr     rk, [xkp], #4
        cmp     xkp, xend
        ror     rx0, rx0, #8                            // ror(x, 8)
        add     rx0, rx0, ry0                           // + y
        eor     rx0, rx0, rk                            // ^ k
        eor     ry0, rx0, ry0, ror #29                  // rol(y, 3) ^ x
        b.ne    2b
        speck64_neon_encrypt_store 0, 0, [xout]
        b       7f

        // Two or more: xo1, xo2, xo3 are the places of blocks 1, 2, 3, or of the last block if that is before them,
        // and T is multiplied as often.
5:      mov     xo1, #8
        str     T0, [sp, #8]
        speck64_neon_encrypt_times_x T1, T0
        cmp     xcount, #2
        csel    T0, T1, T0, hi
        cset    xo2, hi
        add     xo2, xo1, xo2, lsl #3
        str     T0, [sp, #16]
        speck64_neon_encrypt_times_x T1, T0
        cmp     xcount, #3
        csel    T0, T1, T0, hi
        cset    xo3, hi
        add     xo3, xo2, xo3, lsl #3
        str     T0, [sp, #24]
        speck64_neon_encrypt_times_x T0, T0
        str     T0, [xtweak]

        speck64_neon_encrypt_load 0, 0, [xin]
        add     xt, xin, xo1
        speck64_neon_encrypt_load 1, 1, [xt]
        add     xt, xin, xo2
        speck64_neon_encrypt_load 2, 2, [xt]
        add     xt, xin, xo3
        speck64_neon_encrypt_load 3, 3, [xt]
        mov     xkp, xkeys
2:      ldr     rk, [xkp], #4
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
        eor     ry0, rx0, ry0, ror #29                  // rol(y, 3) ^ x
        eor     ry1, rx1, ry1, ror #29
        eor     ry2, rx2, ry2, ror #29
        eor     ry3, rx3, ry3, ror #29
        b.ne    2b
        speck64_neon_encrypt_store 0, 0, [xout]
        add     xplace, xout, xo1
        speck64_neon_encrypt_store 1, 1, [xplace]
        add     xplace, xout, xo2
        speck64_neon_encrypt_store 2, 2, [xplace]
        add     xplace, xout, xo3
        speck64_neon_encrypt_store 3, 3, [xplace]
        add     xo3, xo3, #8
        add     xin, xin, xo3
        add     xout, xout, xo3
        subs    xcount, xcount, xo3, lsr #3
        b.ne    4b

7:      stp     xzr, xzr, [sp]
        stp     xzr, xzr, [sp, #16]
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
8:      .byte   1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12  // ror(x, 8)

  .irp  macro, times_x, times_x16, load, load2, store, store2
.purgem speck64_neon_encrypt_\macro
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
.unreq  xt1
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
.unreq  vy4
.unreq  vx4
.unreq  vy5
.unreq  vx5
.unreq  vt0
.unreq  vt1
.unreq  vt2
.unreq  vt3
.unreq  vt4
.unreq  vt5
.unreq  vk
.unreq  vbytes
.unreq  qbytes
.unreq  dx0
.unreq  dx1
.unreq  dx2
.unreq  dx3
.unreq  dx4
.unreq  dx5
.unreq  dx6
.unreq  dx7
.unreq  dy0
.unreq  dy1
.unreq  dy2
.unreq  dy3
.unreq  dy4
.unreq  dy5
.unreq  dy6
.unreq  dy7
.unreq  qy0
.unreq  qx0
.unreq  qy1
.unreq  qx1
.unreq  qy2
.unreq  qx2
.unreq  qy3
.unreq  qx3
.unreq  qy4
.unreq  qx4
.unreq  qy5
.unreq  qx5
.unreq  qt0
.unreq  qt1
.unreq  qt2
.unreq  qt3
.unreq  qt4
.unreq  qt5
