// BLAKE2b compression, AArch32 (A32) with NEON
//
//   void compress(uint64_t state[12], const uint8_t *blocks, size_t count, size_t increment)
//                 r0                  r1                     r2            r3
//
//   state: h[0 .. 7], t[0 .. 1], f[0 .. 1]. For each block t := t + increment (128 bits), then
//   h := F(h, block, t, f).
//
// RFC 7693, sections 2.6 (IV), 2.7 (SIGMA), 3.1 (G) and 3.2 (F); the flags f are two words of any value.
// ARMv7-A with NEON. `blocks` may have any alignment, `state` is 8-aligned; nothing outside
// blocks[0 .. 128 count) is read, and count = 0 touches no memory at all.
//
// Technique
//   - A q register holds two words of a row of v, such that the four G of a step are two pairs:
//       column step      (0,4,8,12),  (2,6,10,14)   and  (1,5,9,13),  (3,7,11,15)
//       diagonal step    (3,4,9,14),  (1,6,11,12)   and  (2,7,8,13),  (0,5,10,15)
//     So both steps have the same pairs of words in a register, and the diagonals come from combining
//     other registers and from exchanging the two words of four of the eight: both of a, one of b,
//     one of d. An operation on d registers in the place of one on q registers exchanges them:
//     for a the addition of x, for d the exclusive or with a, for b the last exclusive or with c.
//   - A step then differs from the one before in the names of its registers only: c1 and c2 change
//     places, and a2, b1 and the free register t go round.
//   - Rotations: by 32 VREV64, by 24 and 16 VTBL, by 63 (x + x) with the top bit inserted (VSRI).
//   - 12 words of the message are in registers, so that SIGMA chooses registers. m[0] .. m[3] are
//     loaded from the block where they are wanted, into a register that is about to be written.
//   - x of a step is added at the end of the step before, long before b is complete.
//   - The counter is kept in integer registers (ADDS, ADC).
//
// Registers
//   q0       A: a of the first pair of G of a step
//   q1       Bb: b of the second
//   q2, q3, q8  U, V, W: a2, b1 and t (a of the second pair, b of the first, free) in turn
//   q4, q5   C: v[8], v[10];  E: v[9], v[11]
//   q6       D: v[14], v[12] before a column step, v[12], v[14] before a diagonal step
//   q7       F: v[13], v[15]
//   d18, d19 R24, R16: the indices of VTBL
//   d20-d31  m4-m15: words of the message
//   r0-r3    state, block, blocks left, increment
//   r4-r7    t
//   r8-r10   addresses of m[1], m[2], m[3]
//   r11      address of the IV
//   r12      next block
//
// Stack, 96 bytes
//   sp + 0   d8-d15 of the caller
//   sp + 64  r4-r11 of the caller
//
// Cleared: q0-q3, q8, q10-q15 (q9 holds R24 and R16); d8-d15 hold the caller's values again.

        .fpu    neon

state   .req    r0
block   .req    r1
count   .req    r2
incr    .req    r3
t0l     .req    r4
t0h     .req    r5
t1l     .req    r6
t1h     .req    r7
w1      .req    r8
w2      .req    r9
w3      .req    r10
K       .req    r11
next    .req    r12
A       .req    q0
Al      .req    d0
Ah      .req    d1
Bb      .req    q1
Bbl     .req    d2
Bbh     .req    d3
U       .req    q2
Ul      .req    d4
Uh      .req    d5
V       .req    q3
Vl      .req    d6
Vh      .req    d7
C       .req    q4
Cl      .req    d8
Ch      .req    d9
E       .req    q5
El      .req    d10
Eh      .req    d11
D       .req    q6
Dl      .req    d12
Dh      .req    d13
F       .req    q7
Fl      .req    d14
Fh      .req    d15
W       .req    q8
Wl      .req    d16
Wh      .req    d17
R24     .req    d18
R16     .req    d19
m4      .req    d20
m5      .req    d21
m6      .req    d22
m7      .req    d23
m8      .req    d24
m9      .req    d25
m10     .req    d26
m11     .req    d27
m12     .req    d28
m13     .req    d29
m14     .req    d30
m15     .req    d31

// t := m[i] for i < 4; the other words of the message are in registers
.macro blake2b_neon_load i, t
        .if     (\i) == 0
        vld1.8  {\t}, [block]
        .elseif (\i) < 4
        vld1.8  {\t}, [w\i]
        .endif
.endm

// x := a + m[i], which for i < 4 has been loaded to t
.macro blake2b_neon_add x, a, i, t
        .if     (\i) < 4
        vadd.i64 \x, \a, \t
        .else
        vadd.i64 \x, \a, m\i
        .endif
.endm

// A step works on two pairs of G: (A, b1, c1, D) and (a2, Bb, c2, F); t is free.
// Its words of the message are the arguments, in the order of SIGMA; x has been added to a before.

// First half of the first step, the column step of round 0: a + b, d>>>32, c + d, b>>>24, and a + y
.macro blake2b_neon_first a2, b1, t, c1, c2, x0, y0, x1, y1, x2, y2, x3, y3
        blake2b_neon_first_half \a2, \b1, \t, \c1, \c2, \y0, \y2, \y1, \y3
.endm

.macro blake2b_neon_first_half a2, b1, t, c1, c2, y0, y1, y2, y3
        vadd.i64 \a2, \a2, Bb
        veor    F, F, \a2
        vadd.i64 A, A, \b1
        vrev64.32 F, F
        veor    \t\()l, Dh, Al
        veor    \t\()h, Dl, Ah
        vadd.i64 \c2, \c2, F
        vrev64.32 D, \t
        blake2b_neon_load \y0, \t\()l
        blake2b_neon_load \y1, \t\()h
        veor    Bb, Bb, \c2
        vadd.i64 \c1, \c1, D
        blake2b_neon_add Ah, Ah, \y1, \t\()h
        blake2b_neon_load \y3, \t\()h
        blake2b_neon_add Al, Al, \y0, \t\()l
        blake2b_neon_load \y2, \t\()l
        vtbl.8  Bbh, {Bbh}, R24
        vtbl.8  Bbl, {Bbl}, R24
        veor    \b1, \b1, \c1
        blake2b_neon_add \a2\()l, \a2\()l, \y2, \t\()l
        blake2b_neon_add \a2\()h, \a2\()h, \y3, \t\()h
        vtbl.8  \b1\()h, {\b1\()h}, R24
        vtbl.8  \b1\()l, {\b1\()l}, R24
.endm

// Second half of a step, the words x of the next step added to a, and the first half of that step:
// its names are A, t, a2, Bb, c2, c1, D, F, and b1 is free
.macro blake2b_neon_step a2, b1, t, c1, c2, x0, x1, x2, x3, y0, y1, y2, y3
        blake2b_neon_load \x1, \t\()h
        vadd.i64 \a2, \a2, Bb                           // a + b + y
        blake2b_neon_load \x0, \t\()l
        vadd.i64 A, A, \b1
        veor    F, F, \a2
        blake2b_neon_add \t\()h, Al, \x1, \t\()h        // a + x, words exchanged
        veor    D, D, A
        blake2b_neon_load \x2, Al
        vtbl.8  Fl, {Fl}, R16                           // d>>>16
        vtbl.8  Fh, {Fh}, R16
        blake2b_neon_add \t\()l, Ah, \x0, \t\()l
        blake2b_neon_load \x3, Ah
        blake2b_neon_add Al, \a2\()h, \x2, Al
        vtbl.8  Dh, {Dh}, R16
        vadd.i64 \c2, \c2, F                            // c + d
        blake2b_neon_add Ah, \a2\()l, \x3, Ah
        vtbl.8  Dl, {Dl}, R16
        veor    \a2\()h, Bbl, \c2\()l                   // b ^ c, words exchanged
        veor    \a2\()l, Bbh, \c2\()h
        vadd.i64 \c1, \c1, D
        vadd.i64 Bb, \a2, \a2                           // 2 b
        veor    \b1, \b1, \c1
        vsri.64 Bb, \a2, #63                            // b>>>63
        vadd.i64 \a2, \b1, \b1
        vadd.i64 \t, \t, Bb                             // a + x + b
        vsri.64 \a2, \b1, #63                           // b>>>63
        veor    F, F, \t
        vadd.i64 A, A, \a2
        vrev64.32 F, F                                  // d>>>32
        veor    \b1\()l, Dh, Al                         // d ^ a, words exchanged
        veor    \b1\()h, Dl, Ah
        vadd.i64 \c1, \c1, F                            // c + d
        vrev64.32 D, \b1                                // d>>>32
        blake2b_neon_load \y0, \b1\()l
        blake2b_neon_load \y1, \b1\()h
        veor    Bb, Bb, \c1
        vadd.i64 \c2, \c2, D
        blake2b_neon_add Ah, Ah, \y1, \b1\()h           // + y
        blake2b_neon_load \y3, \b1\()h
        blake2b_neon_add Al, Al, \y0, \b1\()l
        blake2b_neon_load \y2, \b1\()l
        vtbl.8  Bbh, {Bbh}, R24                         // b>>>24
        vtbl.8  Bbl, {Bbl}, R24
        veor    \a2, \a2, \c2
        blake2b_neon_add \t\()l, \t\()l, \y2, \b1\()l
        blake2b_neon_add \t\()h, \t\()h, \y3, \b1\()h
        vtbl.8  \a2\()h, {\a2\()h}, R24
        vtbl.8  \a2\()l, {\a2\()l}, R24
.endm

// On to a diagonal step, the words of SIGMA[i][8 .. 15]
.macro blake2b_neon_diagonal a2, b1, t, c1, c2, x0, y0, x1, y1, x2, y2, x3, y3
        blake2b_neon_step \a2, \b1, \t, \c1, \c2, \x2, \x0, \x3, \x1, \y3, \y1, \y2, \y0
.endm

// On to a column step, the words of SIGMA[i][0 .. 7]
.macro blake2b_neon_column a2, b1, t, c1, c2, x0, y0, x1, y1, x2, y2, x3, y3
        blake2b_neon_step \a2, \b1, \t, \c1, \c2, \x1, \x3, \x0, \x2, \y0, \y2, \y1, \y3
.endm

// Second half of the last step; b of the first pair is in t after it
.macro blake2b_neon_last a2, b1, t, c1, c2
        vadd.i64 \a2, \a2, Bb
        vadd.i64 A, A, \b1
        veor    F, F, \a2
        veor    D, D, A
        vtbl.8  Fl, {Fl}, R16
        vtbl.8  Fh, {Fh}, R16
        vtbl.8  Dh, {Dh}, R16
        vadd.i64 \c2, \c2, F
        vtbl.8  Dl, {Dl}, R16
        veor    \t\()h, Bbl, \c2\()l
        veor    \t\()l, Bbh, \c2\()h
        vadd.i64 \c1, \c1, D
        vadd.i64 Bb, \t, \t
        veor    \b1, \b1, \c1
        vsri.64 Bb, \t, #63
        vadd.i64 \t, \b1, \b1
        vsri.64 \t, \b1, #63
.endm

        .cfi_startproc
        cmp     count, #0
        bne     2f
        bx      lr

        .balign 8
1:      .quad   0x0201000706050403, 0x0100070605040302  // R24, R16
        // IV[0], IV[2], IV[1], IV[3], IV[6], IV[4], IV[5], IV[7]
        .quad   0x6a09e667f3bcc908, 0x3c6ef372fe94f82b, 0xbb67ae8584caa73b, 0xa54ff53a5f1d36f1
        .quad   0x1f83d9abfb41bd6b, 0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x5be0cd19137e2179

2:      push    {r4-r11}
        .cfi_def_cfa_offset 32
        .cfi_rel_offset r4, 0
        .cfi_rel_offset r5, 4
        .cfi_rel_offset r6, 8
        .cfi_rel_offset r7, 12
        .cfi_rel_offset r8, 16
        .cfi_rel_offset r9, 20
        .cfi_rel_offset r10, 24
        .cfi_rel_offset r11, 28
        vpush   {d8-d15}
        .cfi_def_cfa_offset 96
        .cfi_rel_offset r4, 64
        .cfi_rel_offset r5, 68
        .cfi_rel_offset r6, 72
        .cfi_rel_offset r7, 76
        .cfi_rel_offset r8, 80
        .cfi_rel_offset r9, 84
        .cfi_rel_offset r10, 88
        .cfi_rel_offset r11, 92
        .cfi_rel_offset d8, 0
        .cfi_rel_offset d9, 8
        .cfi_rel_offset d10, 16
        .cfi_rel_offset d11, 24
        .cfi_rel_offset d12, 32
        .cfi_rel_offset d13, 40
        .cfi_rel_offset d14, 48
        .cfi_rel_offset d15, 56

        add     K, state, #64
        ldm     K, {t0l, t0h, t1l, t1h}
        adr     K, 1b
        vldm    K!, {R24, R16}
        vldr    Al, [state]                             // v[0 .. 7] = h
        vldr    Ul, [state, #8]
        vldr    Ah, [state, #16]
        vldr    Uh, [state, #24]
        vldr    Vl, [state, #32]
        vldr    Bbl, [state, #40]
        vldr    Vh, [state, #48]
        vldr    Bbh, [state, #56]

3:      add     next, block, #32
        add     w2, block, #16
        vld1.8  {m4, m5, m6, m7}, [next]!
        vld1.8  {Wl}, [block]
        vld1.8  {Wh}, [w2]
        adds    t0l, t0l, incr
        adcs    t0h, t0h, #0
        adcs    t1l, t1l, #0
        adc     t1h, t1h, #0
        vldm    K, {d8-d15}
        vmov    m13, t0l, t0h
        vmov    m14, t1l, t1h
        vldr    m12, [state, #80]
        vldr    m15, [state, #88]
        veor    D, D, q14                               // v[12 .. 15] ^= t, f
        veor    F, F, q15
        vadd.i64 Al, Al, Wl                             // x of the first step
        vadd.i64 Ah, Ah, m4
        vadd.i64 Ul, Ul, Wh
        vadd.i64 Uh, Uh, m6
        add     w1, block, #8
        add     w3, block, #24
        vld1.8  {m8, m9, m10, m11}, [next]!
        vld1.8  {m12, m13, m14, m15}, [next]!

        blake2b_neon_first    U, V, W, C, E,  0,  1,  2,  3,  4,  5,  6,  7
        blake2b_neon_diagonal U, V, W, C, E,  8,  9, 10, 11, 12, 13, 14, 15
        blake2b_neon_column   W, U, V, E, C, 14, 10,  4,  8,  9, 15, 13,  6
        blake2b_neon_diagonal V, W, U, C, E,  1, 12,  0,  2, 11,  7,  5,  3
        blake2b_neon_column   U, V, W, E, C, 11,  8, 12,  0,  5,  2, 15, 13
        blake2b_neon_diagonal W, U, V, C, E, 10, 14,  3,  6,  7,  1,  9,  4
        blake2b_neon_column   V, W, U, E, C,  7,  9,  3,  1, 13, 12, 11, 14
        blake2b_neon_diagonal U, V, W, C, E,  2,  6,  5, 10,  4,  0, 15,  8
        blake2b_neon_column   W, U, V, E, C,  9,  0,  5,  7,  2,  4, 10, 15
        blake2b_neon_diagonal V, W, U, C, E, 14,  1, 11, 12,  6,  8,  3, 13
        blake2b_neon_column   U, V, W, E, C,  2, 12,  6, 10,  0, 11,  8,  3
        blake2b_neon_diagonal W, U, V, C, E,  4, 13,  7,  5, 15, 14,  1,  9
        blake2b_neon_column   V, W, U, E, C, 12,  5,  1, 15, 14, 13,  4, 10
        blake2b_neon_diagonal U, V, W, C, E,  0,  7,  6,  3,  9,  2,  8, 11
        blake2b_neon_column   W, U, V, E, C, 13, 11,  7, 14, 12,  1,  3,  9
        blake2b_neon_diagonal V, W, U, C, E,  5,  0, 15,  4,  8,  6,  2, 10
        blake2b_neon_column   U, V, W, E, C,  6, 15, 14,  9, 11,  3,  0,  8
        blake2b_neon_diagonal W, U, V, C, E, 12,  2, 13,  7,  1,  4, 10,  5
        blake2b_neon_column   V, W, U, E, C, 10,  2,  8,  4,  7,  6,  1,  5
        blake2b_neon_diagonal U, V, W, C, E, 15, 11,  9, 14,  3, 12, 13,  0
        blake2b_neon_column   W, U, V, E, C,  0,  1,  2,  3,  4,  5,  6,  7
        blake2b_neon_diagonal V, W, U, C, E,  8,  9, 10, 11, 12, 13, 14, 15
        blake2b_neon_column   U, V, W, E, C, 14, 10,  4,  8,  9, 15, 13,  6
        blake2b_neon_diagonal W, U, V, C, E,  1, 12,  0,  2, 11,  7,  5,  3
        blake2b_neon_last     V, W, U, E, C

        vldr    m4, [state]                             // h ^= v[0 .. 7] ^ v[8 .. 15]
        vldr    m6, [state, #8]
        vldr    m5, [state, #16]
        vldr    m7, [state, #24]
        vldr    m8, [state, #32]
        vldr    m10, [state, #40]
        vldr    m9, [state, #48]
        vldr    m11, [state, #56]
        veor    Wl, Vh, Cl
        veor    Wh, Vl, Ch
        veor    El, Ah, El
        veor    Eh, Al, Eh
        veor    Vl, Ul, Dh
        veor    Vh, Uh, Dl
        veor    F, Bb, F
        veor    A, W, q10
        veor    U, E, q11
        veor    V, V, q12
        veor    Bb, F, q13
        mov     block, next
        subs    count, count, #1
        vstr    Al, [state]
        vstr    Ul, [state, #8]
        vstr    Ah, [state, #16]
        vstr    Uh, [state, #24]
        vstr    Vl, [state, #32]
        vstr    Bbl, [state, #40]
        vstr    Vh, [state, #48]
        vstr    Bbh, [state, #56]
        bne     3b

        add     K, state, #64
        stm     K, {t0l, t0h, t1l, t1h}
        vmov.i32 q0, #0
        vmov.i32 q1, #0
        vmov.i32 q2, #0
        vmov.i32 q3, #0
        vmov.i32 q8, #0
        vmov.i32 q10, #0
        vmov.i32 q11, #0
        vmov.i32 q12, #0
        vmov.i32 q13, #0
        vmov.i32 q14, #0
        vmov.i32 q15, #0
        vpop    {d8-d15}
        .cfi_def_cfa_offset 32
        .cfi_restore d8
        .cfi_restore d9
        .cfi_restore d10
        .cfi_restore d11
        .cfi_restore d12
        .cfi_restore d13
        .cfi_restore d14
        .cfi_restore d15
        .cfi_rel_offset r4, 0
        .cfi_rel_offset r5, 4
        .cfi_rel_offset r6, 8
        .cfi_rel_offset r7, 12
        .cfi_rel_offset r8, 16
        .cfi_rel_offset r9, 20
        .cfi_rel_offset r10, 24
        .cfi_rel_offset r11, 28
        pop     {r4-r11}
        .cfi_def_cfa_offset 0
        .cfi_restore r4
        .cfi_restore r5
        .cfi_restore r6
        .cfi_restore r7
        .cfi_restore r8
        .cfi_restore r9
        .cfi_restore r10
        .cfi_restore r11
        bx      lr
        .cfi_endproc

.purgem blake2b_neon_load
.purgem blake2b_neon_add
.purgem blake2b_neon_first
.purgem blake2b_neon_first_half
.purgem blake2b_neon_step
.purgem blake2b_neon_diagonal
.purgem blake2b_neon_column
.purgem blake2b_neon_last
.unreq  state
.unreq  block
.unreq  count
.unreq  incr
.unreq  t0l
.unreq  t0h
.unreq  t1l
.unreq  t1h
.unreq  w1
.unreq  w2
.unreq  w3
.unreq  K
.unreq  next
.unreq  A
.unreq  Al
.unreq  Ah
.unreq  Bb
.unreq  Bbl
.unreq  Bbh
.unreq  U
.unreq  Ul
.unreq  Uh
.unreq  V
.unreq  Vl
.unreq  Vh
.unreq  C
.unreq  Cl
.unreq  Ch
.unreq  E
.unreq  El
.unreq  Eh
.unreq  D
.unreq  Dl
.unreq  Dh
.unreq  F
.unreq  Fl
.unreq  Fh
.unreq  W
.unreq  Wl
.unreq  Wh
.unreq  R24
.unreq  R16
.unreq  m4
.unreq  m5
.unreq  m6
.unreq  m7
.unreq  m8
.unreq  m9
.unreq  m10
.unreq  m11
.unreq  m12
.unreq  m13
.unreq  m14
.unreq  m15

        .fpu    vfpv3-d16                       // the default of the ARMv7 target
