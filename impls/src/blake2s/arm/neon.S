// BLAKE2s compression: AArch32 (A32), NEON, one message
//
//     compress(state: *mut State, blocks: *const u8, count: usize, increment: usize)
//
//     State = { h: [u32; 8], t: [u32; 2], f: [u32; 2] }
//     for each block:  t := t + increment (mod 2^64, t[0] the low word),  h := F(h, block, t, f)
//
// Source
//     RFC 7693, sections 2.6 (IV), 2.7 (SIGMA), 3.1 (mixing function G), 3.2 (compression function F).
//     v[12] ^= t[0], v[13] ^= t[1], v[14] ^= f[0], v[15] ^= f[1]; x >>> n is a rotation to the right.
//
// Technique
//   - The rows a, b, c, d of v are vectors, so that four G run at once. Between the steps on columns and on diagonals
//     a, c and d are rotated by words and b stays: b is the last to be ready, and the rotations do not have to wait
//     for it.
//   - x >>> 16 by VREV32, x >>> 8 by a byte table, the others by shift and insert.
//   - The words of the message are loaded into their lanes by address, one half of a round ahead. Every G waits for
//     the one before it and leaves slots enough.
//
// Arguments
//     r0  state      aligned to 4; h and t are read and written, f is read
//     r1  blocks     64 count bytes, at any address (normal memory, SCTLR.A = 0: unaligned access allowed); read only
//     r2  count      number of blocks; with 0 no memory is touched
//     r3  increment  what each block adds to t
//
// Registers
//     r0 .. r12  addresses of words 0 .. 12 of the block
//     lr         addresses of words 13 .. 15, others
//     q0, q1     message for the columns: first and second words of the four G
//     q2, q3     message for the diagonals
//     q8 .. q11  a, b, c, d
//     q12        temporary
//     q13, q14   h
//     d30        byte table of x >>> 8
//     d31        t
//     q4 .. q7 are not used.
//
// Stack, 64 bytes
//     sp + 0     increment, 64 bits
//     sp + 8     IV[6] ^ f[0], IV[7] ^ f[1]
//     sp + 16    state, count, increment, r4 .. r11, lr of the caller
//
// Cleared
//     q0 .. q3, q8 .. q14; r4 .. r11 are the caller's again. Nothing secret is ever in a core register or on the
//     stack. What is left is public: r0 = state, r2 = 0, r3 = increment, r1 and r12 addresses, q15 the table and t.
//
// Notes
//   - Armv7-A with NEON, little-endian AArch32 state, A32 instructions; position-independent.
//   - Nothing but state, blocks[0 .. 64 count), the constants and the stack above is read or written.
//   - Branches compare the count alone, which is public; no address depends on state or message.
//   - At the end of the file the FPU is set back to the default of the ARMv7 target.

        .fpu    neon

a           .req    q8
vb          .req    q9
c           .req    q10
d           .req    q11
dl          .req    d22
dh          .req    d23
x           .req    q12
h0          .req    q13
h1          .req    q14
rot8        .req    d30
t           .req    d31
w0          .req    r0
w1          .req    r1
w2          .req    r2
w3          .req    r3
w4          .req    r4
w5          .req    r5
w6          .req    r6
w7          .req    r7
w8          .req    r8
w9          .req    r9
w10         .req    r10
w11         .req    r11
w12         .req    r12

// Word k of the message, if k is given, to a lane of D register m; with no lane to both
.macro blake2s_neon_word m, lane, k
        .ifnb   \k
        .if     \k <= 12
        vld1.32 {\m[\lane]}, [w\k]
        .else
        add     lr, w0, #4*\k
        vld1.32 {\m[\lane]}, [lr]
        .endif
        .endif
.endm

// Half a round, with the words of the message in mx and my
// Then the rows are rotated by words: a by \ra bytes, c by \rc, d by two words
// nxl .. nyh: D registers for the message of the next half, s0 .. s3, s4 .. s7: its words by number, or nothing
.macro blake2s_neon_step mx, my, ra, rc, nxl, nxh, nyl, nyh, s0, s1, s2, s3, s4, s5, s6, s7
        vadd.i32 a, a, \mx
        vadd.i32 a, a, vb
        blake2s_neon_word \nxl, , \s0
        veor    d, d, a
        vadd.i32 a, a, \my
        vrev32.16 d, d                          // d := (d ^ a) >>> 16
        blake2s_neon_word \nxl, 1, \s1
        vadd.i32 c, c, d
        blake2s_neon_word \nxh, , \s2
        veor    x, vb, c
        vshr.u32 vb, x, #12
        blake2s_neon_word \nxh, 1, \s3
        vsli.32 vb, x, #20                      // b := (b ^ c) >>> 12

        vadd.i32 a, a, vb
        blake2s_neon_word \nyl, , \s4
        veor    d, d, a
        vext.8  a, a, a, #\ra
        vtbl.8  dl, {dl}, rot8
        vtbl.8  dh, {dh}, rot8                  // d := (d ^ a) >>> 8
        blake2s_neon_word \nyl, 1, \s5
        vadd.i32 c, c, d
        vswp    dl, dh
        blake2s_neon_word \nyh, , \s6
        veor    x, vb, c
        vext.8  c, c, c, #\rc
        vshr.u32 vb, x, #7
        blake2s_neon_word \nyh, 1, \s7
        vsli.32 vb, x, #25                      // b := (b ^ c) >>> 7
.endm

// A round: s0 .. s15 are SIGMA of the round, RFC 7693, section 2.7
// next: the first half of SIGMA of the next round, for its columns, even places first, or nothing
.macro blake2s_neon_round s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15, next:vararg
        blake2s_neon_step q0, q1, 12, 4, d4, d5, d6, d7, \s14, \s8, \s10, \s12, \s15, \s9, \s11, \s13
        blake2s_neon_step q2, q3, 4, 12, d0, d1, d2, d3, \next
.endm

        .cfi_startproc
        cmp     r2, #0
        bne     2f
        bx      lr
1:      .word   0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a          // IV, RFC 7693, section 2.6
        .word   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
        .byte   1, 2, 3, 0, 5, 6, 7, 4                                  // x >>> 8

2:      push    {r0, r2-r11, lr}
        .cfi_def_cfa_offset 48
        .cfi_offset r4, -36
        .cfi_offset r5, -32
        .cfi_offset r6, -28
        .cfi_offset r7, -24
        .cfi_offset r8, -20
        .cfi_offset r9, -16
        .cfi_offset r10, -12
        .cfi_offset r11, -8
        .cfi_offset lr, -4
        sub     sp, sp, #16
        .cfi_def_cfa_offset 64

        vld1.32 {d26-d29}, [r0]!                        // h
        vld1.32 {d16, d17}, [r0]                        // t, f
        adr     r12, 1b+24
        vld1.32 {d18, d19}, [r12]                       // IV[6], IV[7] and the table
        mov     r4, #0
        vmov    t, d16
        veor    d17, d17, d18
        vmov    rot8, d19
        str     r3, [sp]
        str     r4, [sp, #4]
        vstr    d17, [sp, #8]
        mov     w0, r1
        add     w2, r1, #8
        add     w3, r1, #12
        add     w4, r1, #16
        add     w5, r1, #20
        add     w6, r1, #24
        add     w7, r1, #28
        add     w8, r1, #32
        add     w9, r1, #36
        add     w10, r1, #40
        add     w11, r1, #44
        add     w12, r1, #48
        add     w1, r1, #4

3:      adr     lr, 1b
        vldr    d16, [sp]                               // increment
        vld2.32 {d0-d3}, [w0]                           // words 0, 2, 4, 6 and 1, 3, 5, 7
        vadd.i64 t, t, d16
        vld1.32 {d20, d21}, [lr]!                       // IV[0] .. IV[3]
        vld1.32 {dl}, [lr]
        vldr    dh, [sp, #8]                            // IV[6] ^ f[0], IV[7] ^ f[1]
        vmov    a, h0
        vmov    vb, h1
        veor    dl, dl, t                               // IV[4] ^ t[0], IV[5] ^ t[1]

        blake2s_neon_round  0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15,  14,  4,  9, 13, 10,  8, 15,  6
        blake2s_neon_round 14, 10,  4,  8,  9, 15, 13,  6,  1, 12,  0,  2, 11,  7,  5,  3,  11, 12,  5, 15,  8,  0,  2, 13
        blake2s_neon_round 11,  8, 12,  0,  5,  2, 15, 13, 10, 14,  3,  6,  7,  1,  9,  4,   7,  3, 13, 11,  9,  1, 12, 14
        blake2s_neon_round  7,  9,  3,  1, 13, 12, 11, 14,  2,  6,  5, 10,  4,  0, 15,  8,   9,  5,  2, 10,  0,  7,  4, 15
        blake2s_neon_round  9,  0,  5,  7,  2,  4, 10, 15, 14,  1, 11, 12,  6,  8,  3, 13,   2,  6,  0,  8, 12, 10, 11,  3
        blake2s_neon_round  2, 12,  6, 10,  0, 11,  8,  3,  4, 13,  7,  5, 15, 14,  1,  9,  12,  1, 14,  4,  5, 15, 13, 10
        blake2s_neon_round 12,  5,  1, 15, 14, 13,  4, 10,  0,  7,  6,  3,  9,  2,  8, 11,  13,  7, 12,  3, 11, 14,  1,  9
        blake2s_neon_round 13, 11,  7, 14, 12,  1,  3,  9,  5,  0, 15,  4,  8,  6,  2, 10,   6, 14, 11,  0, 15,  9,  3,  8
        blake2s_neon_round  6, 15, 14,  9, 11,  3,  0,  8, 12,  2, 13,  7,  1,  4, 10,  5,  10,  8,  7,  1,  2,  4,  6,  5
        blake2s_neon_round 10,  2,  8,  4,  7,  6,  1,  5, 15, 11,  9, 14,  3, 12, 13,  0

        ldr     lr, [sp, #20]                           // count
        veor    a, a, c
        .irp    k, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
        add     w\k, w\k, #64
        .endr
        veor    h0, h0, a                               // h[i] ^ v[i] ^ v[i+8]
        veor    vb, vb, d
        subs    lr, lr, #1
        str     lr, [sp, #20]
        veor    h1, h1, vb
        bne     3b

        ldr     lr, [sp, #16]                           // state
        vst1.32 {d26-d29}, [lr]!
        vst1.32 {t}, [lr]
        vmov.i32 q0, #0                                 // leave nothing of message or state behind
        vmov.i32 q1, #0
        vmov.i32 q2, #0
        vmov.i32 q3, #0
        vmov.i32 q8, #0
        vmov.i32 q9, #0
        vmov.i32 q10, #0
        vmov.i32 q11, #0
        vmov.i32 q12, #0
        vmov.i32 q13, #0
        vmov.i32 q14, #0
        add     sp, sp, #16
        .cfi_def_cfa_offset 48
        pop     {r0, r2-r11, lr}                        // state, a count of zero, the increment
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

.purgem blake2s_neon_word
.purgem blake2s_neon_step
.purgem blake2s_neon_round
.unreq  a
.unreq  vb
.unreq  c
.unreq  d
.unreq  dl
.unreq  dh
.unreq  x
.unreq  h0
.unreq  h1
.unreq  rot8
.unreq  t
.unreq  w0
.unreq  w1
.unreq  w2
.unreq  w3
.unreq  w4
.unreq  w5
.unreq  w6
.unreq  w7
.unreq  w8
.unreq  w9
.unreq  w10
.unreq  w11
.unreq  w12

        .fpu    vfpv3-d16                       // the default of the ARMv7 target
