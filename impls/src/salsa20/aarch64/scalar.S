// Salsa20, 8, 12 or 20 rounds: AArch64, one block in integer registers
//
//     stream(state: *mut [u32; 16], input: *const u8, output: *mut u8, count: usize, rounds: u32)
//
//     For each of count blocks of 64 bytes: output = input ^ Salsa20(state), then the block counter, words 8 (low) and
//     9 of the state, grows by one modulo 2^64. At the end words 8 and 9 are the counter of the block after the last.
//
// Source
//     D. J. Bernstein, "Salsa20 specification", sections 3 to 8; "The Salsa20 family of stream ciphers" for 8 and 12
//     rounds. x(0) .. x(15) are the words of the specification's 4x4 matrix, row by row; <<< is rotation to the left.
//
// Technique
//   - All sixteen words in registers; columns and rows differ in the names of registers alone. An update is two
//     instructions, since EOR rotates an operand for free. The four quarterrounds of a round go side by side.
//   - Nowhere but in these rotations is an operand shifted, and one rotation in 64 is an instruction of its own: some
//     cores have one unit only for shifted operands, and it is the bottleneck.
//
// Arguments
//     x0  state    sixteen words, aligned to 4; words 8 and 9 are written, the others only read
//     x1  input    64 count bytes, any address; equal to output or disjoint from it
//     x2  output   64 count bytes, any address
//     x3  count    number of blocks; with 0 no memory is touched
//     w4  rounds   8, 12 or 20
//     Normal memory, SCTLR_ELx.A = 0: unaligned access allowed.
//
// Registers
//     x0         state                      w5 .. w17, w19 .. w21  x(0) .. x(15)
//     x1, x2     input, output              x22 .. x25             temporaries
//     x3         blocks left                w26                    double rounds left, in twos
//     w4         rounds
//
// Stack, 64 bytes: sp + 0 .. 63  x19 .. x26 of the caller
//
// Cleared
//     x5 .. x17 are zero, x19 .. x26 are the caller's again. All else that is written holds addresses or the count. No
//     word on the stack is secret.
//
// Notes
//   - Armv8-A, little-endian AArch64 state, no Advanced SIMD; position-independent.
//   - Branches depend on count and rounds alone, which are public; no address depends on anything but the arguments.

        .cfi_startproc
        hint    #34                                     // bti c
        cbz     x3, 9f
        stp     x19, x20, [sp, #-64]!
        .cfi_def_cfa_offset 64
        .cfi_rel_offset x19, 0
        .cfi_rel_offset x20, 8
        stp     x21, x22, [sp, #16]
        .cfi_rel_offset x21, 16
        .cfi_rel_offset x22, 24
        stp     x23, x24, [sp, #32]
        .cfi_rel_offset x23, 32
        .cfi_rel_offset x24, 40
        stp     x25, x26, [sp, #48]
        .cfi_rel_offset x25, 48
        .cfi_rel_offset x26, 56

state   .req    x0
input  .req    x1
output .req    x2
count   .req    x3
rounds  .req    w4
left    .req    w26
w_0     .req    w5
w_1     .req    w6
w_2     .req    w7
w_3     .req    w8
w_4     .req    w9
w_5     .req    w10
w_6     .req    w11
w_7     .req    w12
w_8     .req    w13
w_9     .req    w14
w_10    .req    w15
w_11    .req    w16
w_12    .req    w17
w_13    .req    w19
w_14    .req    w20
w_15    .req    w21
x_0     .req    x5
x_1     .req    x6
x_2     .req    x7
x_3     .req    x8
x_4     .req    x9
x_5     .req    x10
x_6     .req    x11
x_7     .req    x12
x_8     .req    x13
x_9     .req    x14
x_10    .req    x15
x_11    .req    x16
x_12    .req    x17
x_13    .req    x19
x_14    .req    x20
x_15    .req    x21
wt0     .req    w22
wt1     .req    w23
wt2     .req    w24
wt3     .req    w25
xt0     .req    x22
xt1     .req    x23
xt2     .req    x24
xt3     .req    x25

// Update n of a double round, n mod 32, in the order of the specification's columnround and rowround, four
// quarterrounds side by side: x(t) = x(t) ^ ((x(a) + x(b)) <<< r) is handed on as "do lane, r, t, a, b", lane = n mod 4. Of four
// updates from a multiple of four on none needs another.
.macro  salsa20_a64_scalar_update n, do
  .if      ((\n) & 31) == 0
        \do     0,  7,  4,  0, 12
  .elseif  ((\n) & 31) == 1
        \do     1,  7,  9,  5,  1
  .elseif  ((\n) & 31) == 2
        \do     2,  7, 14, 10,  6
  .elseif  ((\n) & 31) == 3
        \do     3,  7,  3, 15, 11
  .elseif  ((\n) & 31) == 4
        \do     0,  9,  8,  4,  0
  .elseif  ((\n) & 31) == 5
        \do     1,  9, 13,  9,  5
  .elseif  ((\n) & 31) == 6
        \do     2,  9,  2, 14, 10
  .elseif  ((\n) & 31) == 7
        \do     3,  9,  7,  3, 15
  .elseif  ((\n) & 31) == 8
        \do     0, 13, 12,  8,  4
  .elseif  ((\n) & 31) == 9
        \do     1, 13,  1, 13,  9
  .elseif  ((\n) & 31) == 10
        \do     2, 13,  6,  2, 14
  .elseif  ((\n) & 31) == 11
        \do     3, 13, 11,  7,  3
  .elseif  ((\n) & 31) == 12
        \do     0, 18,  0, 12,  8
  .elseif  ((\n) & 31) == 13
        \do     1, 18,  5,  1, 13
  .elseif  ((\n) & 31) == 14
        \do     2, 18, 10,  6,  2
  .elseif  ((\n) & 31) == 15
        \do     3, 18, 15, 11,  7
  .elseif  ((\n) & 31) == 16
        \do     0,  7,  1,  0,  3
  .elseif  ((\n) & 31) == 17
        \do     1,  7,  6,  5,  4
  .elseif  ((\n) & 31) == 18
        \do     2,  7, 11, 10,  9
  .elseif  ((\n) & 31) == 19
        \do     3,  7, 12, 15, 14
  .elseif  ((\n) & 31) == 20
        \do     0,  9,  2,  1,  0
  .elseif  ((\n) & 31) == 21
        \do     1,  9,  7,  6,  5
  .elseif  ((\n) & 31) == 22
        \do     2,  9,  8, 11, 10
  .elseif  ((\n) & 31) == 23
        \do     3,  9, 13, 12, 15
  .elseif  ((\n) & 31) == 24
        \do     0, 13,  3,  2,  1
  .elseif  ((\n) & 31) == 25
        \do     1, 13,  4,  7,  6
  .elseif  ((\n) & 31) == 26
        \do     2, 13,  9,  8, 11
  .elseif  ((\n) & 31) == 27
        \do     3, 13, 14, 13, 12
  .elseif  ((\n) & 31) == 28
        \do     0, 18,  0,  3,  2
  .elseif  ((\n) & 31) == 29
        \do     1, 18,  5,  4,  7
  .elseif  ((\n) & 31) == 30
        \do     2, 18, 10,  9,  8
  .elseif  ((\n) & 31) == 31
        \do     3, 18, 15, 14, 13
  .endif
.endm

// The instructions of an update
.macro  salsa20_a64_scalar_add lane, r, t, a, b
        add     wt\lane, w_\a, w_\b
.endm
.macro  salsa20_a64_scalar_eor lane, r, t, a, b
        eor     w_\t, w_\t, wt\lane, ror #32-\r
.endm
.macro  salsa20_a64_scalar_ror_eor lane, r, t, a, b
        ror     wt\lane, wt\lane, #32-\r
        eor     w_\t, w_\t, wt\lane
.endm

// A double round; with apart = 1 the fourth rotation is an instruction of its own
.macro  salsa20_a64_scalar_double_round apart
  .irp n, 0, 4, 8, 12, 16, 20, 24, 28
    .irp lane, 0, 1, 2, 3
        salsa20_a64_scalar_update \n+\lane, salsa20_a64_scalar_add
    .endr
    .irp lane, 0, 1, 2, 3
      .if \apart && (\n + \lane == 3)
        salsa20_a64_scalar_update \n+\lane, salsa20_a64_scalar_ror_eor
      .else
        salsa20_a64_scalar_update \n+\lane, salsa20_a64_scalar_eor
      .endif
    .endr
  .endr
.endm

// A block begins: x = state. w_8 is the lower half of x_8.
.macro  salsa20_a64_scalar_begin
        ldr     x_8, [state, #32]
        ldp     w_0, w_1, [state]
        ldp     w_4, w_5, [state, #16]
        ldp     w_12, w_13, [state, #48]
        ldp     w_14, w_15, [state, #56]
        ldp     w_10, w_11, [state, #40]
        lsr     x_9, x_8, #32
        ldp     w_2, w_3, [state, #8]
        ldp     w_6, w_7, [state, #24]
.endm

// A block ends: a row of output = input ^ (x + state). The counter goes on with row 2.
.macro  salsa20_a64_scalar_end_row offset, a, b, c, d
  .if \offset == 32
        ldr     xt0, [state, #32]
        lsr     xt1, xt0, #32
        add     xt2, xt0, #1
        str     xt2, [state, #32]
  .else
        ldp     wt0, wt1, [state, #\offset]
  .endif
        ldp     wt2, wt3, [input, #\offset]
        add     w_\a, w_\a, wt0
        add     w_\b, w_\b, wt1
        ldp     wt0, wt1, [state, #\offset+8]
        eor     w_\a, w_\a, wt2
        eor     w_\b, w_\b, wt3
        ldp     wt2, wt3, [input, #\offset+8]
        add     w_\c, w_\c, wt0
        add     w_\d, w_\d, wt1
        stp     w_\a, w_\b, [output, #\offset]
        eor     w_\c, w_\c, wt2
        eor     w_\d, w_\d, wt3
        stp     w_\c, w_\d, [output, #\offset+8]
.endm
.macro  salsa20_a64_scalar_end
        salsa20_a64_scalar_end_row 0,  0, 1, 2, 3
        salsa20_a64_scalar_end_row 16, 4, 5, 6, 7
        salsa20_a64_scalar_end_row 32, 8, 9, 10, 11
        salsa20_a64_scalar_end_row 48, 12, 13, 14, 15
.endm

1:      salsa20_a64_scalar_begin
        lsr     left, rounds, #2
        .balign 16
2:      salsa20_a64_scalar_double_round 0
        salsa20_a64_scalar_double_round 1
        subs    left, left, #1
        b.ne    2b
        salsa20_a64_scalar_end
        add     input, input, #64
        add     output, output, #64
        subs    count, count, #1
        b.ne    1b

  .irp n, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
        mov     x\n, xzr
  .endr
        ldp     x21, x22, [sp, #16]
        ldp     x23, x24, [sp, #32]
        ldp     x25, x26, [sp, #48]
        ldp     x19, x20, [sp], #64
        .cfi_def_cfa_offset 0
        .cfi_restore x19
        .cfi_restore x20
        .cfi_restore x21
        .cfi_restore x22
        .cfi_restore x23
        .cfi_restore x24
        .cfi_restore x25
        .cfi_restore x26
9:      ret
        .cfi_endproc

.purgem salsa20_a64_scalar_update
.purgem salsa20_a64_scalar_add
.purgem salsa20_a64_scalar_eor
.purgem salsa20_a64_scalar_ror_eor
.purgem salsa20_a64_scalar_double_round
.purgem salsa20_a64_scalar_begin
.purgem salsa20_a64_scalar_end_row
.purgem salsa20_a64_scalar_end
  .irp name, state, input, output, count, rounds, left, w_0, w_1, w_2, w_3, w_4, w_5, w_6, w_7, w_8, w_9
        .unreq  \name
  .endr
  .irp name, w_10, w_11, w_12, w_13, w_14, w_15, x_0, x_1, x_2, x_3, x_4, x_5, x_6, x_7, x_8, x_9, x_10
        .unreq  \name
  .endr
  .irp name, x_11, x_12, x_13, x_14, x_15, wt0, wt1, wt2, wt3, xt0, xt1, xt2, xt3
        .unreq  \name
  .endr
