// BLAKE2b compression, integer instructions only, one message
//
//     compress(state: *mut State, blocks: *const u8, count: usize, increment: usize)
//
// For each of the count blocks of 128 bytes: t += increment modulo 2^128, then h = F(h, m, t, f) as RFC 7693,
// section 3.2. State is h[8], t[2], f[2], 64-bit words; f is only read. Blocks are read at any address. With count = 0
// no memory is touched.
//
// Technique. The mixing function G is, with r = ROR,
//     a += b + x,  d = r(d ^ a, 32),  c += d,  b = r(b ^ c, 24),
//     a += b + y,  d = r(d ^ a, 16),  c += d,  b = r(b ^ c, 63).
// - Fourteen instructions are needed for it: ADD takes no rotated operand, so that each new d and b is wanted as such.
//   The four G of a half round run side by side, first their first lines and then their second lines.
// - r(d ^ a, 32) is made as r(d, 32) ^ r(a, 32): d is rotated as soon as it has been added to c, and the other rotation
//   is free in EOR. This takes a cycle off the longest chain where EOR with a shifted operand has a latency of one. To
//   do it with the other three rotations as well would shorten the chain further, but would overload the one pipe that
//   a Cortex-A57 has for shifted operands.
// - Plain rotations are written as ORR with zero, for the pipe of shifted operands where a core has one.
// - At the start the rotation of d by 32 is free, since the constants below are rotated. At the end r(b ^ c, 63) is not
//   made: its only use is h ^= d ^ r(b ^ c, 63).
// - The sixteen words of v and thirteen message words stay in registers. Which word gives way to which was computed:
//   over a block 49 words are loaded, by 31 instructions, and no sequence with thirteen registers loads fewer words.
//   A word is loaded before the half of G that takes it, in place of one that was added before.
//
// Registers
//     x4 .. x17, x19, x20          v[0] .. v[15]; between blocks x4 .. x11 are h
//     x21 .. x30, x0, x1, x2       thirteen of the words of m, named xm0 .. xm15 as long as they are there
//     x3                           block
//     x0, x1, x2                   between blocks: state, count, increment
//
// Stack: 144 bytes: x19 .. x30 of the caller, state, increment, two words made of f, count. All of it is public.
// Cleared before return: x2, x4 .. x17. x0, x1 and x3 hold state, 0 and an address, x19 .. x30 are the caller's again.

        .cfi_startproc
        hint        #34                                                 // bti c
        cbz         x2, 9f

        xstate       .req    x0
        xcount       .req    x1
        xincrement   .req    x2
        xblock       .req    x3
        xv0          .req    x4
        xv1          .req    x5
        xv2          .req    x6
        xv3          .req    x7
        xv4          .req    x8
        xv5          .req    x9
        xv6          .req    x10
        xv7          .req    x11
        xv8          .req    x12
        xv9          .req    x13
        xv10         .req    x14
        xv11         .req    x15
        xv12         .req    x16
        xv13         .req    x17
        xv14         .req    x19
        xv15         .req    x20
        // m[i]: the first thirteen registers to hold a word
        xm0          .req    x21
        xm1          .req    x22
        xm2          .req    x23
        xm3          .req    x24
        xm4          .req    x25
        xm5          .req    x26
        xm6          .req    x27
        xm7          .req    x28
        xm8          .req    x29
        xm9          .req    x30
        xm10         .req    x0
        xm11         .req    x1
        xm12         .req    x2

// Load m[new] in place of m[old].
.macro  blake2b_scalar_load new, old
        xm\new .req xm\old
        .unreq      xm\old
        ldr         xm\new, [xblock, #8 * \new]
.endm

// Load m[new0] and m[new1], new1 = new0 + 1, in place of m[old0] and m[old1].
.macro  blake2b_scalar_load_pair new0, new1, old0, old1
        xm\new0 .req xm\old0
        xm\new1 .req xm\old1
        .unreq      xm\old0
        .unreq      xm\old1
        ldp         xm\new0, xm\new1, [xblock, #8 * \new0]
.endm

// a += x, or a += y, in four G.
.macro  blake2b_scalar_words i0, i1, i2, i3
        add         xv0, xv0, xm\i0
        add         xv1, xv1, xm\i1
        add         xv2, xv2, xm\i2
        add         xv3, xv3, xm\i3
.endm

// Four G from a += b up to the first new b. In: d rotated by 32. The parameters are indices of v; a is v[0] .. v[3].
.macro  blake2b_scalar_first b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3
        add         xv0, xv0, xv\b0                                     // a += b
        add         xv1, xv1, xv\b1
        add         xv2, xv2, xv\b2
        add         xv3, xv3, xv\b3
        eor         xv\d0, xv\d0, xv0, ror #32                          // d = r(d ^ a, 32)
        eor         xv\d1, xv\d1, xv1, ror #32
        eor         xv\d2, xv\d2, xv2, ror #32
        eor         xv\d3, xv\d3, xv3, ror #32
        add         xv\c0, xv\c0, xv\d0                                 // c += d
        add         xv\c1, xv\c1, xv\d1
        add         xv\c2, xv\c2, xv\d2
        add         xv\c3, xv\c3, xv\d3
        eor         xv\b0, xv\b0, xv\c0
        eor         xv\b1, xv\b1, xv\c1
        eor         xv\b2, xv\b2, xv\c2
        eor         xv\b3, xv\b3, xv\c3
        orr         xv\b0, xzr, xv\b0, ror #24                          // b = r(b ^ c, 24)
        orr         xv\b1, xzr, xv\b1, ror #24
        orr         xv\b2, xzr, xv\b2, ror #24
        orr         xv\b3, xzr, xv\b3, ror #24
.endm

// Four G from the second a += b on. Out: d rotated by 32; in the last half round d, and b before its rotation.
.macro  blake2b_scalar_second last, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3
        add         xv0, xv0, xv\b0                                     // a += b
        add         xv1, xv1, xv\b1
        add         xv2, xv2, xv\b2
        add         xv3, xv3, xv\b3
        eor         xv\d0, xv\d0, xv0
        eor         xv\d1, xv\d1, xv1
        eor         xv\d2, xv\d2, xv2
        eor         xv\d3, xv\d3, xv3
        orr         xv\d0, xzr, xv\d0, ror #16                          // d = r(d ^ a, 16)
        orr         xv\d1, xzr, xv\d1, ror #16
        orr         xv\d2, xzr, xv\d2, ror #16
        orr         xv\d3, xzr, xv\d3, ror #16
        add         xv\c0, xv\c0, xv\d0                                 // c += d
        add         xv\c1, xv\c1, xv\d1
        add         xv\c2, xv\c2, xv\d2
        add         xv\c3, xv\c3, xv\d3
  .if !\last
        orr         xv\d0, xzr, xv\d0, ror #32                          // r(d, 32)
        orr         xv\d1, xzr, xv\d1, ror #32
        orr         xv\d2, xzr, xv\d2, ror #32
        orr         xv\d3, xzr, xv\d3, ror #32
  .endif
        eor         xv\b0, xv\b0, xv\c0
        eor         xv\b1, xv\b1, xv\c1
        eor         xv\b2, xv\b2, xv\c2
        eor         xv\b3, xv\b3, xv\c3
  .if !\last
        orr         xv\b0, xzr, xv\b0, ror #63                          // b = r(b ^ c, 63)
        orr         xv\b1, xzr, xv\b1, ror #63
        orr         xv\b2, xzr, xv\b2, ror #63
        orr         xv\b3, xzr, xv\b3, ror #63
  .endif
.endm

.macro  blake2b_scalar_columns_first
        blake2b_scalar_first 4, 5, 6, 7,  8, 9, 10, 11,  12, 13, 14, 15
.endm
.macro  blake2b_scalar_columns_second
        blake2b_scalar_second 0,  4, 5, 6, 7,  8, 9, 10, 11,  12, 13, 14, 15
.endm
.macro  blake2b_scalar_diagonals_first
        blake2b_scalar_first 5, 6, 7, 4,  10, 11, 8, 9,  15, 12, 13, 14
.endm
.macro  blake2b_scalar_diagonals_second last=0
        blake2b_scalar_second \last,  5, 6, 7, 4,  10, 11, 8, 9,  15, 12, 13, 14
.endm

        stp         x29, x30, [sp, #-144]!
        .cfi_def_cfa_offset 144
        .cfi_offset x29, -144
        .cfi_offset x30, -136
        stp         x19, x20, [sp, #16]
        .cfi_offset x19, -128
        .cfi_offset x20, -120
        stp         x21, x22, [sp, #32]
        .cfi_offset x21, -112
        .cfi_offset x22, -104
        stp         x23, x24, [sp, #48]
        .cfi_offset x23, -96
        .cfi_offset x24, -88
        stp         x25, x26, [sp, #64]
        .cfi_offset x25, -80
        .cfi_offset x26, -72
        stp         x27, x28, [sp, #80]
        .cfi_offset x27, -64
        .cfi_offset x28, -56
        stp         x0, x3, [sp, #96]                                   // state, increment

        adr         x4, 8f
        ldp         x8, x9, [xstate, #80]                               // f
        ldp         x16, x17, [x4, #48]
        mov         x10, x1
        mov         xcount, x2
        mov         xincrement, x3
        mov         xblock, x10
        eor         x16, x16, x8, ror #32
        eor         x17, x17, x9, ror #32
        ldp         xv0, xv1, [xstate]
        ldp         xv2, xv3, [xstate, #16]
        stp         x16, x17, [sp, #112]                                // v[14], v[15], rotated by 32
        ldp         xv4, xv5, [xstate, #32]
        ldp         xv6, xv7, [xstate, #48]

1:      ldp         xv8, xv9, [xstate, #64]                             // t
        ldp         xm0, xm1, [xblock]
        ldp         xm2, xm3, [xblock, #16]
        str         xcount, [sp, #128]
        adds        xv8, xv8, xincrement
        adr         x1, 8f
        adc         xv9, xv9, xzr
        ldp         xv12, xv13, [x1, #32]
        ldp         xm4, xm5, [xblock, #32]
        stp         xv8, xv9, [xstate, #64]
        eor         xv12, xv12, xv8, ror #32
        eor         xv13, xv13, xv9, ror #32
        ldp         xv14, xv15, [sp, #112]
        ldp         xv8, xv9, [x1]
        ldp         xv10, xv11, [x1, #16]
        ldp         xm6, xm7, [xblock, #48]

        // Round 0
        blake2b_scalar_words 0, 2, 4, 6
        blake2b_scalar_columns_first
        blake2b_scalar_words 1, 3, 5, 7
        ldp         xm8, xm9, [xblock, #8 * 8]
        ldp         xm10, xm11, [xblock, #8 * 10]
        xm13 .req xm5
        .unreq      xm5
        ldp         xm12, xm13, [xblock, #8 * 12]
        blake2b_scalar_load_pair 14, 15, 6, 7
        blake2b_scalar_columns_second
        blake2b_scalar_words 8, 10, 12, 14
        blake2b_scalar_diagonals_first
        blake2b_scalar_words 9, 11, 13, 15
        blake2b_scalar_diagonals_second

        // Round 1
        blake2b_scalar_words 14, 4, 9, 13
        blake2b_scalar_load_pair 6, 7, 9, 14
        blake2b_scalar_columns_first
        blake2b_scalar_words 10, 8, 15, 6
        blake2b_scalar_load 5, 8
        blake2b_scalar_columns_second
        blake2b_scalar_words 1, 0, 11, 5
        blake2b_scalar_diagonals_first
        blake2b_scalar_words 12, 2, 7, 3
        blake2b_scalar_diagonals_second

        // Round 2
        blake2b_scalar_words 11, 12, 5, 15
        blake2b_scalar_load_pair 8, 9, 12, 15
        blake2b_scalar_columns_first
        blake2b_scalar_words 8, 0, 2, 13
        blake2b_scalar_columns_second
        blake2b_scalar_words 10, 3, 7, 9
        blake2b_scalar_load 14, 5
        blake2b_scalar_diagonals_first
        blake2b_scalar_words 14, 6, 1, 4
        blake2b_scalar_diagonals_second

        // Round 3
        blake2b_scalar_words 7, 3, 13, 11
        blake2b_scalar_load 12, 13
        blake2b_scalar_columns_first
        blake2b_scalar_words 9, 1, 12, 14
        blake2b_scalar_load 5, 12
        blake2b_scalar_load 15, 14
        blake2b_scalar_columns_second
        blake2b_scalar_words 2, 5, 4, 15
        blake2b_scalar_diagonals_first
        blake2b_scalar_words 6, 10, 0, 8
        blake2b_scalar_diagonals_second

        // Round 4
        blake2b_scalar_words 9, 5, 2, 10
        blake2b_scalar_columns_first
        blake2b_scalar_words 0, 7, 4, 15
        blake2b_scalar_load 14, 5
        blake2b_scalar_columns_second
        blake2b_scalar_words 14, 11, 6, 3
        blake2b_scalar_load_pair 12, 13, 4, 14
        blake2b_scalar_diagonals_first
        blake2b_scalar_words 1, 12, 8, 13
        blake2b_scalar_diagonals_second

        // Round 5
        blake2b_scalar_words 2, 6, 0, 8
        blake2b_scalar_columns_first
        blake2b_scalar_words 12, 10, 11, 3
        blake2b_scalar_load_pair 4, 5, 6, 11
        blake2b_scalar_columns_second
        blake2b_scalar_words 4, 7, 15, 1
        blake2b_scalar_load 14, 7
        blake2b_scalar_diagonals_first
        blake2b_scalar_words 13, 5, 14, 9
        blake2b_scalar_diagonals_second

        // Round 6
        blake2b_scalar_words 12, 1, 14, 4
        blake2b_scalar_columns_first
        blake2b_scalar_words 5, 15, 13, 10
        blake2b_scalar_load_pair 6, 7, 14, 15
        blake2b_scalar_columns_second
        blake2b_scalar_words 0, 6, 9, 8
        blake2b_scalar_load 11, 10
        blake2b_scalar_diagonals_first
        blake2b_scalar_words 7, 3, 2, 11
        blake2b_scalar_diagonals_second

        // Round 7
        blake2b_scalar_words 13, 7, 12, 3
        blake2b_scalar_load_pair 14, 15, 12, 13
        blake2b_scalar_columns_first
        blake2b_scalar_words 11, 14, 1, 9
        blake2b_scalar_columns_second
        blake2b_scalar_words 5, 15, 8, 2
        blake2b_scalar_load 10, 7
        blake2b_scalar_diagonals_first
        blake2b_scalar_words 0, 4, 6, 10
        blake2b_scalar_diagonals_second

        // Round 8
        blake2b_scalar_words 6, 14, 11, 0
        blake2b_scalar_columns_first
        blake2b_scalar_words 15, 9, 3, 8
        blake2b_scalar_load_pair 12, 13, 14, 15
        blake2b_scalar_columns_second
        blake2b_scalar_words 12, 13, 1, 10
        blake2b_scalar_load 7, 12
        blake2b_scalar_diagonals_first
        blake2b_scalar_words 2, 7, 4, 5
        blake2b_scalar_diagonals_second

        // Round 9
        blake2b_scalar_words 10, 8, 7, 1
        blake2b_scalar_columns_first
        blake2b_scalar_words 2, 4, 6, 5
        blake2b_scalar_load_pair 14, 15, 8, 10
        blake2b_scalar_columns_second
        blake2b_scalar_words 15, 9, 3, 13
        blake2b_scalar_load 12, 9
        blake2b_scalar_diagonals_first
        blake2b_scalar_words 11, 14, 12, 0
        blake2b_scalar_diagonals_second

        // Round 10
        blake2b_scalar_words 0, 2, 4, 6
        blake2b_scalar_columns_first
        blake2b_scalar_words 1, 3, 5, 7
        blake2b_scalar_load_pair 8, 9, 5, 6
        blake2b_scalar_load 10, 7
        blake2b_scalar_columns_second
        blake2b_scalar_words 8, 10, 12, 14
        blake2b_scalar_diagonals_first
        blake2b_scalar_words 9, 11, 13, 15
        blake2b_scalar_diagonals_second

        // Round 11
        blake2b_scalar_words 14, 4, 9, 13
        blake2b_scalar_load_pair 6, 7, 13, 14
        blake2b_scalar_columns_first
        blake2b_scalar_words 10, 8, 15, 6
        blake2b_scalar_load 5, 15
        blake2b_scalar_columns_second
        blake2b_scalar_words 1, 0, 11, 5
        blake2b_scalar_diagonals_first
        blake2b_scalar_words 12, 2, 7, 3
        blake2b_scalar_diagonals_second last=1

        // h ^= v[0..7] ^ v[8..15].
        ldp         xstate, xincrement, [sp, #96]
        add         xblock, xblock, #128
        ldp         x21, x22, [xstate]
        ldp         x23, x24, [xstate, #16]
        ldp         x25, x26, [xstate, #32]
        ldp         x27, x28, [xstate, #48]
        ldr         xcount, [sp, #128]
        eor         xv0, xv0, xv8
        eor         xv1, xv1, xv9
        eor         xv2, xv2, xv10
        eor         xv3, xv3, xv11
        eor         xv0, xv0, x21
        eor         xv1, xv1, x22
        eor         xv2, xv2, x23
        eor         xv3, xv3, x24
        eor         xv12, xv12, x25
        eor         xv13, xv13, x26
        eor         xv14, xv14, x27
        eor         xv15, xv15, x28
        stp         xv0, xv1, [xstate]
        eor         xv4, xv12, xv4, ror #63
        eor         xv5, xv13, xv5, ror #63
        stp         xv2, xv3, [xstate, #16]
        eor         xv6, xv14, xv6, ror #63
        eor         xv7, xv15, xv7, ror #63
        stp         xv4, xv5, [xstate, #32]
        sub         xcount, xcount, #1
        stp         xv6, xv7, [xstate, #48]
        cbnz        xcount, 1b

        // Clear what held secrets and is not restored below.
.irp r, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
        mov         x\r, #0
.endr
        ldp         x19, x20, [sp, #16]
        ldp         x21, x22, [sp, #32]
        ldp         x23, x24, [sp, #48]
        ldp         x25, x26, [sp, #64]
        ldp         x27, x28, [sp, #80]
        ldp         x29, x30, [sp], #144
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

        // IV[0..3] and, rotated by 32, IV[4..7].
        .balign     8
8:      .quad       0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1
        .quad       0xade682d1510e527f, 0x2b3e6c1f9b05688c, 0xfb41bd6b1f83d9ab, 0x137e21795be0cd19
        .cfi_endproc

.irp macro, load, load_pair, words, first, second, columns_first, columns_second, diagonals_first, diagonals_second
        .purgem blake2b_scalar_\macro
.endr
.irp name, state, count, increment, block, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15
        .unreq  x\name
.endr
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
        .unreq  xm\i
.endr
