// Salsa20, 8, 12 or 20 rounds: AArch64 with FEAT_SHA3, four blocks in vector registers beside four in integer ones
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
//   - Eight blocks at a time. Lane i of the vector register x(j) is word j of block i, i = 0 .. 3, so a quarterround
//     needs no permutation, and columns and rows differ in the names of registers alone. Blocks 4 to 7 take turns in
//     the integer registers, each with two double rounds beside one round of the vectors: all are through when the vectors
//     are. Two integer instructions stand beside one of the vectors.
//   - x ^ (t <<< r) = EOR3(x, t << r, t >> (32 - r)), the two shifts side by side: one instruction less on the way from
//     an update to the next than with shift, SRI, EOR.
//   - At the end 4x4 transposes turn words of four blocks into rows of one block. Row 2 of the state has the counter in
//     a lane of 64 bits, so the step to the next block is one addition with the carry inside.
//   - A rest of five to seven blocks passes through the same code and stores what is wanted of it; up to four blocks
//     use the integer registers alone.
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
//     x0         state                      v0 .. v7, v16 .. v23   x(0) .. x(15) of blocks 0 .. 3
//     x1, x2     input, output              v24 .. v31             temporaries; counters, rows of state and input
//     x3         blocks left                v8 .. v15 are not used.
//     w4         rounds
//     w5 .. w17, w19 .. w21    x(0) .. x(15) of the integer block
//     x22 .. x25               temporaries
//     w26                      iterations left
//     x27, x28                 input, output of the integer block
//
// Stack, 80 bytes: sp + 0 .. 79  x19 .. x28 of the caller
//
// Cleared
//     x5 .. x17, v0 .. v7, v16 .. v31 (these only if used) are zero, x19 .. x28 are the caller's again. All else that
//     is written holds addresses or the count. No word on the stack is secret.
//
// Notes
//   - Armv8-A with Advanced SIMD and FEAT_SHA3, little-endian AArch64 state; position-independent.
//   - Branches depend on count and rounds alone, which are public; no address depends on anything but the arguments.

        .cfi_startproc
        .arch_extension sha3
        hint    #34                                     // bti c
        cbz     x3, 9f
        stp     x19, x20, [sp, #-80]!
        .cfi_def_cfa_offset 80
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
        stp     x27, x28, [sp, #64]
        .cfi_rel_offset x27, 64
        .cfi_rel_offset x28, 72

state   .req    x0
input   .req    x1
output  .req    x2
count   .req    x3
rounds  .req    w4
left    .req    w26
step    .req    x26
int_in  .req    x27
int_out .req    x28
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
v_0     .req    v0
v_1     .req    v1
v_2     .req    v2
v_3     .req    v3
v_4     .req    v4
v_5     .req    v5
v_6     .req    v6
v_7     .req    v7
v_8     .req    v16
v_9     .req    v17
v_10    .req    v18
v_11    .req    v19
v_12    .req    v20
v_13    .req    v21
v_14    .req    v22
v_15    .req    v23
vt0     .req    v24
vt1     .req    v25
vt2     .req    v26
vt3     .req    v27
vu0     .req    v28
vu1     .req    v29
vu2     .req    v30
vu3     .req    v31

// Update n of a double round, n mod 32, in the order of the specification's columnround and rowround, four
// quarterrounds side by side: x(t) = x(t) ^ ((x(a) + x(b)) <<< r) is handed on as "do lane, r, t, a, b", lane = n mod 4. Of four
// updates from a multiple of four on none needs another.
.macro  salsa20_a64_ce_update n, do
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

// The instructions of an update, in the integer block and in the four vector blocks
.macro  salsa20_a64_ce_int_add lane, r, t, a, b
        add     wt\lane, w_\a, w_\b
.endm
.macro  salsa20_a64_ce_int_eor lane, r, t, a, b
        eor     w_\t, w_\t, wt\lane, ror #32-\r
.endm
.macro  salsa20_a64_ce_vec_add lane, r, t, a, b
        add     vt\lane\().4s, v_\a\().4s, v_\b\().4s
.endm
.macro  salsa20_a64_ce_vec_shl lane, r, t, a, b
        shl     vu\lane\().4s, vt\lane\().4s, #\r
.endm
.macro  salsa20_a64_ce_vec_shr lane, r, t, a, b
        ushr    vt\lane\().4s, vt\lane\().4s, #32-\r
.endm
.macro  salsa20_a64_ce_vec_eor lane, r, t, a, b
        eor3    v_\t\().16b, v_\t\().16b, vu\lane\().16b, vt\lane\().16b
.endm

// One instruction of each of the vector updates v .. v+3 beside the integer updates i .. i+3
.macro  salsa20_a64_ce_four v, vec, i
        salsa20_a64_ce_update \v,   salsa20_a64_ce_vec_\vec
        salsa20_a64_ce_update \i,   salsa20_a64_ce_int_add
        salsa20_a64_ce_update \i+1, salsa20_a64_ce_int_add
        salsa20_a64_ce_update \v+1, salsa20_a64_ce_vec_\vec
        salsa20_a64_ce_update \i+2, salsa20_a64_ce_int_add
        salsa20_a64_ce_update \i+3, salsa20_a64_ce_int_add
        salsa20_a64_ce_update \v+2, salsa20_a64_ce_vec_\vec
        salsa20_a64_ce_update \i,   salsa20_a64_ce_int_eor
        salsa20_a64_ce_update \i+1, salsa20_a64_ce_int_eor
        salsa20_a64_ce_update \v+3, salsa20_a64_ce_vec_\vec
        salsa20_a64_ce_update \i+2, salsa20_a64_ce_int_eor
        salsa20_a64_ce_update \i+3, salsa20_a64_ce_int_eor
.endm

// A round of the vector blocks, columns if n = 0, rows if n = 16, beside two double rounds of the integer block
.macro  salsa20_a64_ce_round n
  .irp i, 0, 4, 8, 12
        salsa20_a64_ce_four \n+\i, add, 4*\i
        salsa20_a64_ce_four \n+\i, shl, 4*\i+4
        salsa20_a64_ce_four \n+\i, shr, 4*\i+8
        salsa20_a64_ce_four \n+\i, eor, 4*\i+12
  .endr
.endm

// A double round of the integer block alone
.macro  salsa20_a64_ce_int_double_round
  .irp n, 0, 4, 8, 12, 16, 20, 24, 28
    .irp lane, 0, 1, 2, 3
        salsa20_a64_ce_update \n+\lane, salsa20_a64_ce_int_add
    .endr
    .irp lane, 0, 1, 2, 3
        salsa20_a64_ce_update \n+\lane, salsa20_a64_ce_int_eor
    .endr
  .endr
.endm

// The integer block begins: x = state, its counter advanced by \n. w_8 is the lower half of x_8.
.macro  salsa20_a64_ce_int_begin n
        ldr     x_8, [state, #32]
        ldp     w_0, w_1, [state]
        ldp     w_4, w_5, [state, #16]
        ldp     w_12, w_13, [state, #48]
        add     x_8, x_8, \n
        ldp     w_14, w_15, [state, #56]
        ldp     w_10, w_11, [state, #40]
        lsr     x_9, x_8, #32
        ldp     w_2, w_3, [state, #8]
        ldp     w_6, w_7, [state, #24]
.endm

// The integer block ends: a row of output = input ^ (x + state). Two words are one register.
.macro  salsa20_a64_ce_int_end_row offset, n, a, b, c, d
        ldp     xt0, xt1, [state, #\offset]
        ldp     xt2, xt3, [int_in, #\offset]
  .if \offset == 32
        add     xt0, xt0, \n
  .endif
        add     w_\a, w_\a, wt0
        add     x_\b, x_\b, xt0, lsr #32
        add     w_\c, w_\c, wt1
        add     x_\d, x_\d, xt1, lsr #32
        eor     xt2, xt2, x_\a
        eor     xt3, xt3, x_\c
        eor     xt2, xt2, x_\b, lsl #32
        eor     xt3, xt3, x_\d, lsl #32
        stp     xt2, xt3, [int_out, #\offset]
.endm
.macro  salsa20_a64_ce_int_end n
        salsa20_a64_ce_int_end_row 0,  \n, 0, 1, 2, 3
        salsa20_a64_ce_int_end_row 16, \n, 4, 5, 6, 7
        salsa20_a64_ce_int_end_row 32, \n, 8, 9, 10, 11
        salsa20_a64_ce_int_end_row 48, \n, 12, 13, 14, 15
.endm

// The vector blocks begin: x = state in every lane, with four counters. Uses x22, x23 and the temporaries.
.macro  salsa20_a64_ce_vec_begin
        ldr     q24, 10f
        ldr     q25, 10f+16
        add     xt0, state, #32
        ld1r    {v26.2d}, [xt0]
        ld4r    {v0.4s, v1.4s, v2.4s, v3.4s}, [state]
        add     xt1, state, #16
        ld4r    {v16.4s, v17.4s, v18.4s, v19.4s}, [xt0]
        add     xt0, state, #48
        add     v24.2d, v24.2d, v26.2d                  // counters of blocks 0, 1
        add     v25.2d, v25.2d, v26.2d                  // of blocks 2, 3
        ld4r    {v4.4s, v5.4s, v6.4s, v7.4s}, [xt1]
        ld4r    {v20.4s, v21.4s, v22.4s, v23.4s}, [xt0]
        uzp1    v_8.4s, v24.4s, v25.4s
        uzp2    v_9.4s, v24.4s, v25.4s
.endm

// Words a, b, c, d of four blocks become a row of block 0, 1, 2, 3
.macro  salsa20_a64_ce_transpose a, b, c, d
        trn1    vt0.4s, v_\a\().4s, v_\b\().4s
        trn2    vt1.4s, v_\a\().4s, v_\b\().4s
        trn1    vt2.4s, v_\c\().4s, v_\d\().4s
        trn2    vt3.4s, v_\c\().4s, v_\d\().4s
        trn1    v_\a\().2d, vt0.2d, vt2.2d
        trn1    v_\b\().2d, vt1.2d, vt3.2d
        trn2    v_\c\().2d, vt0.2d, vt2.2d
        trn2    v_\d\().2d, vt1.2d, vt3.2d
.endm

// A vector block ends: output = input ^ (x + state), rows of x in v\a .. v\d, of state in v24 .. v27; row 2 of state
// goes on to the next block by v28 = [1, 0]
.macro  salsa20_a64_ce_vec_end n, a, b, c, d
        ldp     q29, q30, [input, #64*\n]
        ldr     q31, [input, #64*\n+32]
        add     v\a\().4s, v\a\().4s, v24.4s
        add     v\b\().4s, v\b\().4s, v25.4s
        add     v\c\().4s, v\c\().4s, v26.4s
        add     v\d\().4s, v\d\().4s, v27.4s
        eor     v\a\().16b, v\a\().16b, v29.16b
        ldr     q29, [input, #64*\n+48]
        eor     v\b\().16b, v\b\().16b, v30.16b
        eor     v\c\().16b, v\c\().16b, v31.16b
        add     v26.2d, v26.2d, v28.2d
        stp     q\a, q\b, [output, #64*\n]
        eor     v\d\().16b, v\d\().16b, v29.16b
        stp     q\c, q\d, [output, #64*\n+32]
.endm

// An integer block is through: it ends if it is wanted, then the next one begins
.macro  salsa20_a64_ce_int_next
        sub     step, int_in, input
        lsr     step, step, #6                          // number of the block
        cmp     count, step
        b.ls    5f
        salsa20_a64_ce_int_end step
5:      add     step, step, #1
        salsa20_a64_ce_int_begin step
        add     int_in, int_in, #64
        add     int_out, int_out, #64
        lsr     left, rounds, #2
.endm

        cmp     count, #5
        b.lo    6f

        // eight blocks, or the last five to seven
1:      salsa20_a64_ce_int_begin #4
        salsa20_a64_ce_vec_begin
        add     int_in, input, #256
        add     int_out, output, #256
        lsr     left, rounds, #2
        .balign 16
2:      salsa20_a64_ce_round 0
        subs    left, left, #1
        b.ne    3f
        salsa20_a64_ce_int_next
3:      salsa20_a64_ce_round 16
        subs    left, left, #1
        b.ne    2b
        sub     xt0, int_in, input
        cmp     xt0, #448
        b.eq    4f
        salsa20_a64_ce_int_next
        b       2b

4:      // block 7 and the vector blocks are through
        cmp     count, #8
        b.lo    5f
        salsa20_a64_ce_int_end #7
5:      salsa20_a64_ce_transpose 0, 1, 2, 3
        salsa20_a64_ce_transpose 4, 5, 6, 7
        salsa20_a64_ce_transpose 8, 9, 10, 11
        salsa20_a64_ce_transpose 12, 13, 14, 15
        ldp     q24, q25, [state]
        ldp     q26, q27, [state, #32]
        ldr     q28, 10f+32
        salsa20_a64_ce_vec_end 0, 0, 4, 16, 20
        salsa20_a64_ce_vec_end 1, 1, 5, 17, 21
        salsa20_a64_ce_vec_end 2, 2, 6, 18, 22
        salsa20_a64_ce_vec_end 3, 3, 7, 19, 23
5:      ldr     xt0, [state, #32]
        mov     left, #8
        cmp     count, #8
        csel    step, step, count, hi
        add     xt0, xt0, step
        str     xt0, [state, #32]
        add     input, input, #512
        add     output, output, #512
        subs    count, count, step
        b.eq    5f
        cmp     count, #5
        b.hs    1b
5:
  .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        movi    v\n\().2d, #0
  .endr
        cbz     count, 8f

        // one block at a time
6:      mov     int_in, input
        mov     int_out, output
7:      salsa20_a64_ce_int_begin #0
        lsr     left, rounds, #1
        .balign 16
2:      salsa20_a64_ce_int_double_round
        subs    left, left, #1
        b.ne    2b
        salsa20_a64_ce_int_end #0
        ldr     xt0, [state, #32]
        add     int_in, int_in, #64
        add     int_out, int_out, #64
        add     xt0, xt0, #1
        str     xt0, [state, #32]
        subs    count, count, #1
        b.ne    7b

8:
  .irp n, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
        mov     x\n, xzr
  .endr
        ldp     x21, x22, [sp, #16]
        ldp     x23, x24, [sp, #32]
        ldp     x25, x26, [sp, #48]
        ldp     x27, x28, [sp, #64]
        ldp     x19, x20, [sp], #80
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
9:      ret
        .cfi_endproc

        .balign 16
10:     .quad   0, 1                                    // counters of blocks 0, 1
        .quad   2, 3                                    // and 2, 3
        .quad   1, 0                                    // one step of row 2

.purgem salsa20_a64_ce_update
.purgem salsa20_a64_ce_int_add
.purgem salsa20_a64_ce_int_eor
.purgem salsa20_a64_ce_vec_add
.purgem salsa20_a64_ce_vec_shl
.purgem salsa20_a64_ce_vec_shr
.purgem salsa20_a64_ce_vec_eor
.purgem salsa20_a64_ce_four
.purgem salsa20_a64_ce_round
.purgem salsa20_a64_ce_int_next
.purgem salsa20_a64_ce_int_double_round
.purgem salsa20_a64_ce_int_begin
.purgem salsa20_a64_ce_int_end_row
.purgem salsa20_a64_ce_int_end
.purgem salsa20_a64_ce_vec_begin
.purgem salsa20_a64_ce_transpose
.purgem salsa20_a64_ce_vec_end
  .irp name, state, input, output, count, rounds, left, step, int_in, int_out, w_0, w_1, w_2, w_3, w_4, w_5
        .unreq  \name
  .endr
  .irp name, w_6, w_7, w_8, w_9, w_10, w_11, w_12, w_13, w_14, w_15, x_0, x_1, x_2, x_3, x_4, x_5, x_6, x_7
        .unreq  \name
  .endr
  .irp name, x_8, x_9, x_10, x_11, x_12, x_13, x_14, x_15, wt0, wt1, wt2, wt3, xt0, xt1, xt2, xt3, v_0, v_1
        .unreq  \name
  .endr
  .irp name, v_2, v_3, v_4, v_5, v_6, v_7, v_8, v_9, v_10, v_11, v_12, v_13, v_14, v_15, vt0, vt1, vt2, vt3
        .unreq  \name
  .endr
  .irp name, vu0, vu1, vu2, vu3
        .unreq  \name
  .endr
