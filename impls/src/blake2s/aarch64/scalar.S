// BLAKE2s compression function: AArch64, integer instructions, one message
//
//     compress(state: *mut State, blocks: *const u8, count: usize, increment: usize)
//
//     for each j in 0 .. count:  t := t + increment mod 2^64,  h := F(h, block j, t, f),
//     where block j is the sixteen little-endian words of blocks[64 j .. 64 j + 64)
//
// Source
//     RFC 7693, sections 2.6 (IV), 2.7 (SIGMA), 3.1 (G), 3.2 (F). Here t and f are words 12 .. 15 of the working
//     vector before they are combined with IV[4 .. 7]; the caller sets f. x >>> n rotates a word of 32 bits to the right.
//
// Technique
//   - The working vector and the whole message stay in registers: twelve words alone, four as two pairs. A 64-bit
//     addition takes the upper word of a pair, shifted down; what it leaves above bit 31 of the sum is dropped by the
//     32-bit addition that follows.
//   - The four calls of G in half a round do not depend on each other and advance side by side.
//   - (d ^ a) >>> r is (d >>> r) ^ (a >>> r): d is rotated before a is there, and the exclusive or rotates a as its shifted
//     operand. So from one sum to the next it takes one instruction and not two, and where a core has a pipe for shifted
//     operands beside those for simple instructions, both have their share.
//   - The last rotation of v[4 .. 7] is part of the exclusive or that ends F.
//
// Arguments
//     x0  state      h[8], t[2], f[2] as native words, aligned to 4; h and t read and written, f read
//     x1  blocks     64 count bytes, at any address (normal memory, SCTLR_ELx.A = 0: unaligned access allowed); read only
//     x2  count      number of blocks; with 0 no memory is touched
//     x3  increment  added to t for every block, 64 bits
//
// Registers
//     Within a block                           Between blocks
//     x0 .. x15             v[0 .. 15]         w0 .. w7    h
//     x16, x17, x19 .. x28  m[0 .. 11]         x8, x9      next block, blocks left
//     x29                   m[12], m[13]       x10, x11    state, increment
//     x30                   m[14], m[15]
//
// Stack, 144 bytes
//     sp + 0    x29, x30 of the caller
//     sp + 16   x19 .. x28 of the caller
//     sp + 96   next block, blocks left
//     sp + 112  state, increment
//     sp + 128  IV[6] ^ f[0], IV[7] ^ f[1]
//     sp + 136  not used
//
// Cleared
//     x0 .. x7 and x12 .. x17 are zero, x19 .. x30 are the caller's again. x8 .. x11 held words of the working vector and
//     are reloaded: x8 = end of the blocks, x9 = 0, x10 = state, x11 = increment. No word on the stack is secret.
//
// Notes
//   - Any Armv8-A core, little-endian AArch64 state; position-independent.
//   - Nothing but state, blocks[0 .. 64 count), the constants and the stack above is read or written.
//   - Branches compare the count alone, which is public; no address depends on state or message.
//   - x29 holds two words of the message within: a walk along frame pointers does not see this frame and goes astray;
//     the CFI describes it.
//   - x30 is stored without a signature (no PACIASP), so pointer authentication does not cover this return address.

        .cfi_startproc
        hint    #34                                     // bti c
        cbz     x2, 9f

wm0     .req    w16
wm1     .req    w17
wm2     .req    w19
wm3     .req    w20
wm4     .req    w21
wm5     .req    w22
wm6     .req    w23
wm7     .req    w24
wm8     .req    w25
wm9     .req    w26
wm10    .req    w27
wm11    .req    w28
wm12    .req    w29
wm14    .req    w30
xm12    .req    x29
xm14    .req    x30
xblocks .req    x8
xcount  .req    x9
xstate  .req    x10
xinc    .req    x11

// v[a] := v[a] + m[s]
.macro  blake2s_scalar_message a, s
  .if \s == 13
        add     x\a, x\a, xm12, lsr #32
  .elseif \s == 15
        add     x\a, x\a, xm14, lsr #32
  .else
        add     w\a, w\a, wm\s
  .endif
.endm

// Half a G four times side by side: rotations of d by \r1, of b by \r2; words \s0 .. \s3 of the message. With \r2 = 0 the b
// are left without their rotation.
.macro  blake2s_scalar_mix r1, r2, a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3, s0, s1, s2, s3
        blake2s_scalar_message \a0, \s0
        blake2s_scalar_message \a1, \s1
        blake2s_scalar_message \a2, \s2
        blake2s_scalar_message \a3, \s3
        ror     w\d0, w\d0, #\r1
        ror     w\d1, w\d1, #\r1
        ror     w\d2, w\d2, #\r1
        ror     w\d3, w\d3, #\r1
        add     w\a0, w\a0, w\b0                        // a := a + b + m[s]
        add     w\a1, w\a1, w\b1
        add     w\a2, w\a2, w\b2
        add     w\a3, w\a3, w\b3
        eor     w\d0, w\d0, w\a0, ror #\r1              // d := (d ^ a) >>> r1
        eor     w\d1, w\d1, w\a1, ror #\r1
        eor     w\d2, w\d2, w\a2, ror #\r1
        eor     w\d3, w\d3, w\a3, ror #\r1
  .if \r2 != 0
        ror     w\b0, w\b0, #\r2
        ror     w\b1, w\b1, #\r2
        ror     w\b2, w\b2, #\r2
        ror     w\b3, w\b3, #\r2
  .endif
        add     w\c0, w\c0, w\d0                        // c := c + d
        add     w\c1, w\c1, w\d1
        add     w\c2, w\c2, w\d2
        add     w\c3, w\c3, w\d3
        eor     w\b0, w\b0, w\c0, ror #\r2              // b := (b ^ c) >>> r2
        eor     w\b1, w\b1, w\c1, ror #\r2
        eor     w\b2, w\b2, w\c2, ror #\r2
        eor     w\b3, w\b3, w\c3, ror #\r2
.endm

// One round; \s0 .. \s15 are its row of SIGMA. \r is 7, and 0 in the last, which leaves v[4 .. 7] without that rotation.
.macro  blake2s_scalar_round r, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15
        // Columns
        blake2s_scalar_mix 16, 12, 0, 1, 2, 3,  4, 5, 6, 7,  8, 9, 10, 11,  12, 13, 14, 15, \s0, \s2, \s4, \s6
        blake2s_scalar_mix  8,  7, 0, 1, 2, 3,  4, 5, 6, 7,  8, 9, 10, 11,  12, 13, 14, 15, \s1, \s3, \s5, \s7
        // Diagonals
        blake2s_scalar_mix 16, 12, 0, 1, 2, 3,  5, 6, 7, 4,  10, 11, 8, 9,  15, 12, 13, 14, \s8, \s10, \s12, \s14
        blake2s_scalar_mix  8, \r, 0, 1, 2, 3,  5, 6, 7, 4,  10, 11, 8, 9,  15, 12, 13, 14, \s9, \s11, \s13, \s15
.endm

        stp     x29, x30, [sp, #-144]!
        .cfi_def_cfa_offset 144
        .cfi_offset x29, -144
        .cfi_offset x30, -136
        stp     x19, x20, [sp, #16]
        .cfi_offset x19, -128
        .cfi_offset x20, -120
        stp     x21, x22, [sp, #32]
        .cfi_offset x21, -112
        .cfi_offset x22, -104
        stp     x23, x24, [sp, #48]
        .cfi_offset x23, -96
        .cfi_offset x24, -88
        stp     x25, x26, [sp, #64]
        .cfi_offset x25, -80
        .cfi_offset x26, -72
        stp     x27, x28, [sp, #80]
        .cfi_offset x27, -64
        .cfi_offset x28, -56

        mov     xblocks, x1
        mov     xcount, x2
        mov     xstate, x0
        mov     xinc, x3
        stp     xstate, xinc, [sp, #112]
        adr     x16, 8f
        ldp     w12, w13, [xstate, #40]                 // f
        ldp     w14, w15, [x16, #24]
        ldp     w0, w1, [xstate]
        ldp     w2, w3, [xstate, #8]
        ldp     w4, w5, [xstate, #16]
        ldp     w6, w7, [xstate, #24]
        eor     w14, w14, w12
        eor     w15, w15, w13
        stp     w14, w15, [sp, #128]

1:      // One block: t, message, working vector.
        ldr     x14, [xstate, #32]
        ldp     wm0, wm1, [xblocks]
        ldp     wm2, wm3, [xblocks, #8]
        ldp     wm4, wm5, [xblocks, #16]
        ldp     wm6, wm7, [xblocks, #24]
        adr     x15, 8f
        add     x14, x14, xinc
        ldp     wm8, wm9, [xblocks, #32]
        ldp     wm10, wm11, [xblocks, #40]
        ldp     xm12, xm14, [xblocks, #48]
        ldp     w12, w13, [x15, #16]
        str     x14, [xstate, #32]
        add     xblocks, xblocks, #64
        sub     xcount, xcount, #1
        stp     xblocks, xcount, [sp, #96]
        ldp     w8, w9, [x15]
        ldp     w10, w11, [x15, #8]
        eor     w12, w12, w14                           // IV[4] ^ t[0]
        eor     x13, x13, x14, lsr #32                  // IV[5] ^ t[1]
        ldp     w14, w15, [sp, #128]                    // IV[6] ^ f[0], IV[7] ^ f[1]

        blake2s_scalar_round 7,   0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15
        blake2s_scalar_round 7,  14, 10,  4,  8,  9, 15, 13,  6,  1, 12,  0,  2, 11,  7,  5,  3
        blake2s_scalar_round 7,  11,  8, 12,  0,  5,  2, 15, 13, 10, 14,  3,  6,  7,  1,  9,  4
        blake2s_scalar_round 7,   7,  9,  3,  1, 13, 12, 11, 14,  2,  6,  5, 10,  4,  0, 15,  8
        blake2s_scalar_round 7,   9,  0,  5,  7,  2,  4, 10, 15, 14,  1, 11, 12,  6,  8,  3, 13
        blake2s_scalar_round 7,   2, 12,  6, 10,  0, 11,  8,  3,  4, 13,  7,  5, 15, 14,  1,  9
        blake2s_scalar_round 7,  12,  5,  1, 15, 14, 13,  4, 10,  0,  7,  6,  3,  9,  2,  8, 11
        blake2s_scalar_round 7,  13, 11,  7, 14, 12,  1,  3,  9,  5,  0, 15,  4,  8,  6,  2, 10
        blake2s_scalar_round 7,   6, 15, 14,  9, 11,  3,  0,  8, 12,  2, 13,  7,  1,  4, 10,  5
        blake2s_scalar_round 0,  10,  2,  8,  4,  7,  6,  1,  5, 15, 11,  9, 14,  3, 12, 13,  0

        // h[i] := h[i] ^ v[i] ^ v[i + 8]
        eor     w0, w0, w8
        eor     w1, w1, w9
        eor     w2, w2, w10
        eor     w3, w3, w11
        ldp     xstate, xinc, [sp, #112]
        ldp     xblocks, xcount, [sp, #96]
        eor     w4, w12, w4, ror #7
        eor     w5, w13, w5, ror #7
        ldp     wm0, wm1, [xstate]
        ldp     wm2, wm3, [xstate, #8]
        eor     w6, w14, w6, ror #7
        eor     w7, w15, w7, ror #7
        ldp     wm4, wm5, [xstate, #16]
        ldp     wm6, wm7, [xstate, #24]
        eor     w0, w0, wm0
        eor     w1, w1, wm1
        eor     w2, w2, wm2
        eor     w3, w3, wm3
        stp     w0, w1, [xstate]
        eor     w4, w4, wm4
        eor     w5, w5, wm5
        stp     w2, w3, [xstate, #8]
        eor     w6, w6, wm6
        eor     w7, w7, wm7
        stp     w4, w5, [xstate, #16]
        stp     w6, w7, [xstate, #24]
        cbnz    xcount, 1b

        // Clear what held secrets and is not restored below.
.irp r, 0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15, 16, 17
        mov     x\r, #0
.endr

        ldp     x19, x20, [sp, #16]
        ldp     x21, x22, [sp, #32]
        ldp     x23, x24, [sp, #48]
        ldp     x25, x26, [sp, #64]
        ldp     x27, x28, [sp, #80]
        ldp     x29, x30, [sp], #144
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
        .cfi_restore x30
9:      ret

        // IV[0 .. 7]
        .balign 8
8:      .word   0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a
        .word   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
        .cfi_endproc

.irp macro, message, mix, round
        .purgem blake2s_scalar_\macro
.endr
.irp name, wm0, wm1, wm2, wm3, wm4, wm5, wm6, wm7, wm8, wm9, wm10, wm11, wm12, wm14, xm12, xm14, xblocks, xcount, xstate, xinc
        .unreq  \name
.endr
