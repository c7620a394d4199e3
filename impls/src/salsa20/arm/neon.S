// Salsa20, 8, 12 or 20 rounds: AArch32 (A32), four blocks in NEON registers beside two in integer registers
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
//   - Six blocks at a time. Lane i of the vector register x(j) is word j of block i, i = 0 .. 3, so a quarterround
//     needs no permutation, and columns and rows differ in the names of registers alone. Blocks 4 and 5 take turns in
//     the integer registers, each with two double rounds beside one of the vectors: they are through when the vectors are.
//     The streams are interleaved, one instruction of either at a time.
//   - Registers of both kinds are too few by four. Both streams therefore run two quarterrounds at a time and keep in
//     memory four words that these do not need: x(2), x(3), x(6), x(7) share registers with x(8), x(9), x(12), x(13);
//     they change places after columns 0 and 1 and back after rows 0 and 1.
//   - A rotation is VSHL and VSRI in the vectors; in the integer registers it costs nothing, being that of the operand
//     of EOR.
//   - At the end 4x4 transposes turn words of four blocks into rows of one block. An integer block is combined with
//     state and input in NEON registers.
//   - Up to four blocks use the integer registers alone; five pass through the code for six.
//
// Arguments
//     r0    state    sixteen words, aligned to 4; words 8 and 9 are written, the others only read
//     r1    input    64 count bytes, any address; equal to output or disjoint from it
//     r2    output   64 count bytes, any address
//     r3    count    number of blocks; with 0 no memory is touched
//     [sp]  rounds   8, 12 or 20
//     Normal memory, SCTLR.A = 0: unaligned access allowed.
//
// Registers
//     r0 .. r11    x(0), x(1), x(2) or x(8), x(3) or x(9), x(4), x(5), x(6) or x(12), x(7) or x(13), x(10), x(11),
//                  x(14), x(15) of the integer block; outside of the rounds addresses and counts
//     r12, lr      temporaries
//     q0 .. q3     x(2) or x(8), x(3) or x(9), x(6) or x(12), x(7) or x(13) of blocks 0 .. 3
//     q4 .. q11    x(0), x(1), x(4), x(5), x(10), x(11), x(14), x(15)
//     q12 .. q15   temporaries; rows of state and input
//
// Stack, 328 bytes
//     sp + 0     x(2), x(3), x(6), x(7) of blocks 0 .. 3
//     sp + 64    x(8), x(9), x(12), x(13)
//     sp + 128   x(0) .. x(15) of the integer block
//     sp + 192   its counter
//     sp + 200   iterations left
//     sp + 204   distance of the integer block from the first of the six, bytes
//     sp + 208   d8 .. d15 of the caller
//     sp + 272   state, next input, next output, blocks left
//     sp + 288   r4 .. r12, lr of the caller
//     sp + 328   rounds (argument)
//
// Cleared
//     q0 .. q3, q8 .. q15 and sp + 0 .. 199 are zero, r4 .. r12 and d8 .. d15 are the caller's again. r0 .. r3 hold
//     addresses and counts.
//
// Notes
//   - ARMv7-A with NEON, little-endian data; callable from Thumb; position-independent.
//   - Branches depend on count and rounds alone, which are public; no address depends on anything but the arguments.

        .fpu    neon

w_0     .req    r0
w_1     .req    r1
w_2     .req    r2
w_3     .req    r3
w_4     .req    r4
w_5     .req    r5
w_6     .req    r6
w_7     .req    r7
w_8     .req    r2
w_9     .req    r3
w_10    .req    r8
w_11    .req    r9
w_12    .req    r6
w_13    .req    r7
w_14    .req    r10
w_15    .req    r11
t_0     .req    r12
t_1     .req    lr
v_0     .req    q4
v_1     .req    q5
v_2     .req    q0
v_3     .req    q1
v_4     .req    q6
v_5     .req    q7
v_6     .req    q2
v_7     .req    q3
v_8     .req    q0
v_9     .req    q1
v_10    .req    q8
v_11    .req    q9
v_12    .req    q2
v_13    .req    q3
v_14    .req    q10
v_15    .req    q11
vt_0    .req    q12
vt_1    .req    q13
vu_0    .req    q14
vu_1    .req    q15

// Update n of a double round, n mod 32: x(t) = x(t) ^ ((x(a) + x(b)) <<< r), handed on as "do lane, r, t, a, b",
// lane = n mod 2. The order is that of the specification's columnround and rowround with two quarterrounds side by
// side: 0 .. 7 columns 0 and 1, 8 .. 15 columns 2 and 3, 16 .. 23 rows 0 and 1, 24 .. 31 rows 2 and 3.
.macro  salsa20_arm_neon_update n, do
  .if      ((\n) & 31) == 0
        \do     0,  7,  4,  0, 12
  .elseif  ((\n) & 31) == 1
        \do     1,  7,  9,  5,  1
  .elseif  ((\n) & 31) == 2
        \do     0,  9,  8,  4,  0
  .elseif  ((\n) & 31) == 3
        \do     1,  9, 13,  9,  5
  .elseif  ((\n) & 31) == 4
        \do     0, 13, 12,  8,  4
  .elseif  ((\n) & 31) == 5
        \do     1, 13,  1, 13,  9
  .elseif  ((\n) & 31) == 6
        \do     0, 18,  0, 12,  8
  .elseif  ((\n) & 31) == 7
        \do     1, 18,  5,  1, 13
  .elseif  ((\n) & 31) == 8
        \do     0,  7, 14, 10,  6
  .elseif  ((\n) & 31) == 9
        \do     1,  7,  3, 15, 11
  .elseif  ((\n) & 31) == 10
        \do     0,  9,  2, 14, 10
  .elseif  ((\n) & 31) == 11
        \do     1,  9,  7,  3, 15
  .elseif  ((\n) & 31) == 12
        \do     0, 13,  6,  2, 14
  .elseif  ((\n) & 31) == 13
        \do     1, 13, 11,  7,  3
  .elseif  ((\n) & 31) == 14
        \do     0, 18, 10,  6,  2
  .elseif  ((\n) & 31) == 15
        \do     1, 18, 15, 11,  7
  .elseif  ((\n) & 31) == 16
        \do     0,  7,  1,  0,  3
  .elseif  ((\n) & 31) == 17
        \do     1,  7,  6,  5,  4
  .elseif  ((\n) & 31) == 18
        \do     0,  9,  2,  1,  0
  .elseif  ((\n) & 31) == 19
        \do     1,  9,  7,  6,  5
  .elseif  ((\n) & 31) == 20
        \do     0, 13,  3,  2,  1
  .elseif  ((\n) & 31) == 21
        \do     1, 13,  4,  7,  6
  .elseif  ((\n) & 31) == 22
        \do     0, 18,  0,  3,  2
  .elseif  ((\n) & 31) == 23
        \do     1, 18,  5,  4,  7
  .elseif  ((\n) & 31) == 24
        \do     0,  7, 11, 10,  9
  .elseif  ((\n) & 31) == 25
        \do     1,  7, 12, 15, 14
  .elseif  ((\n) & 31) == 26
        \do     0,  9,  8, 11, 10
  .elseif  ((\n) & 31) == 27
        \do     1,  9, 13, 12, 15
  .elseif  ((\n) & 31) == 28
        \do     0, 13,  9,  8, 11
  .elseif  ((\n) & 31) == 29
        \do     1, 13, 14, 13, 12
  .elseif  ((\n) & 31) == 30
        \do     0, 18, 10,  9,  8
  .elseif  ((\n) & 31) == 31
        \do     1, 18, 15, 14, 13
  .endif
.endm

// The instructions of an update, in the integer block and in the four vector blocks
.macro  salsa20_arm_neon_int_add lane, r, t, a, b
        add     t_\lane, w_\a, w_\b
.endm
.macro  salsa20_arm_neon_int_eor lane, r, t, a, b
        eor     w_\t, w_\t, t_\lane, ror #32-\r
.endm
.macro  salsa20_arm_neon_vec_add lane, r, t, a, b
        vadd.i32 vt_\lane, v_\a, v_\b
.endm
.macro  salsa20_arm_neon_vec_shl lane, r, t, a, b
        vshl.i32 vu_\lane, vt_\lane, #\r
.endm
.macro  salsa20_arm_neon_vec_sri lane, r, t, a, b
        vsri.32 vu_\lane, vt_\lane, #32-\r
.endm
.macro  salsa20_arm_neon_vec_eor lane, r, t, a, b
        veor    v_\t, v_\t, vu_\lane
.endm

// Words 8, 9, 12, 13 (out = 1) or 2, 3, 6, 7 (out = 0) of the integer block to memory, the others from there
.macro  salsa20_arm_neon_int_swap out
  .if \out
        strd    w_8, w_9, [sp, #160]
        strd    w_12, w_13, [sp, #176]
        ldrd    w_2, w_3, [sp, #136]
        ldrd    w_6, w_7, [sp, #152]
  .else
        strd    w_2, w_3, [sp, #136]
        strd    w_6, w_7, [sp, #152]
        ldrd    w_8, w_9, [sp, #160]
        ldrd    w_12, w_13, [sp, #176]
  .endif
.endm

// The same of the vector blocks. Uses r12.
.macro  salsa20_arm_neon_vec_swap out
        add     r12, sp, #64
  .if \out
        vstmia  r12, {d0-d7}
        vldmia  sp, {d0-d7}
  .else
        vstmia  sp, {d0-d7}
        vldmia  r12, {d0-d7}
  .endif
.endm

// One instruction of each of the vector updates v, v+1 and the integer updates i, i+1
.macro  salsa20_arm_neon_four v, vec, i, int
        salsa20_arm_neon_update \v,   salsa20_arm_neon_vec_\vec
        salsa20_arm_neon_update \i,   salsa20_arm_neon_int_\int
        salsa20_arm_neon_update \v+1, salsa20_arm_neon_vec_\vec
        salsa20_arm_neon_update \i+1, salsa20_arm_neon_int_\int
.endm

// A double round of the vector blocks beside two of the integer block
.macro  salsa20_arm_neon_double_round
  .irp n, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
        salsa20_arm_neon_four \n, add, 2*\n,   add
        salsa20_arm_neon_four \n, shl, 2*\n,   eor
    .if (\n & 15) == 6
        salsa20_arm_neon_vec_swap (\n == 6)
    .endif
        salsa20_arm_neon_four \n, sri, 2*\n+2, add
    .if (2*\n & 15) == 4
        salsa20_arm_neon_int_swap ((2*\n & 31) == 4)
    .endif
        salsa20_arm_neon_four \n, eor, 2*\n+2, eor
  .endr
.endm

// A double round of the integer block alone
.macro  salsa20_arm_neon_int_double_round
  .irp n, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
        salsa20_arm_neon_update \n,   salsa20_arm_neon_int_add
        salsa20_arm_neon_update \n+1, salsa20_arm_neon_int_add
    .if (\n & 15) == 6
        salsa20_arm_neon_int_swap (\n == 6)
    .endif
        salsa20_arm_neon_update \n,   salsa20_arm_neon_int_eor
        salsa20_arm_neon_update \n+1, salsa20_arm_neon_int_eor
  .endr
.endm

// The integer block begins: x = state, its counter advanced by n; r12 = state
.macro  salsa20_arm_neon_int_begin n
        ldmia   r12!, {r0-r7}                           // x(0) .. x(7)
        strd    r2, r3, [sp, #136]
        strd    r6, r7, [sp, #152]
        ldmia   r12!, {r2, r3, r8, r9}                  // x(8) .. x(11)
        ldmia   r12, {r6, r7, r10, r11}                 // x(12) .. x(15)
  .if \n
        adds    r2, r2, #\n
        adc     r3, r3, #0
  .endif
        strd    r2, r3, [sp, #192]                      // counter of the block
.endm

// The integer block ends: output = input ^ (x + state), offset bytes from the first block. Leaves r0 = state,
// r1, r2 = input, output of the block after, r4, r5 = counter; uses r3, r12.
.macro  salsa20_arm_neon_int_end offset
        strd    r0, r1, [sp, #128]
        ldr     r0, [sp, #272]                          // state
        strd    r2, r3, [sp, #160]
        ldr     r1, [sp, #276]                          // input
        strd    r4, r5, [sp, #144]
        ldr     r2, [sp, #280]                          // output
        strd    r6, r7, [sp, #176]
        add     r12, r0, #32
        strd    r8, r9, [sp, #168]
        add     r3, sp, #128
        strd    r10, r11, [sp, #184]
  .ifnb \offset
        add     r1, r1, \offset
        add     r2, r2, \offset
  .endif
        vld1.32 {d24-d27}, [r0]
        vld1.32 {d28-d31}, [r3:64]!
        vadd.i32 q12, q12, q14
        vadd.i32 q13, q13, q15
        vld1.8  {d28-d31}, [r1]!
        veor    q12, q12, q14
        veor    q13, q13, q15
        vld1.32 {d28-d31}, [r12]
        vst1.8  {d24-d27}, [r2]!
        vldr    d28, [sp, #192]                         // counter of the block
        vld1.32 {d24-d27}, [r3:64]
        ldrd    r4, r5, [sp, #192]                      // counter of the block
        vadd.i32 q12, q12, q14
        vadd.i32 q13, q13, q15
        vld1.8  {d28-d31}, [r1]!
        veor    q12, q12, q14
        veor    q13, q13, q15
        vst1.8  {d24-d27}, [r2]!
.endm

// The vector blocks begin: x = state in every lane, with four counters; r12 = state
.macro  salsa20_arm_neon_vec_begin
        vld1.32 {d8[], d9[]}, [r12]!                    // x(0) .. x(7)
        vld1.32 {d10[], d11[]}, [r12]!
        vld1.32 {d0[], d1[]}, [r12]!
        vld1.32 {d2[], d3[]}, [r12]!
        vld1.32 {d12[], d13[]}, [r12]!
        vld1.32 {d14[], d15[]}, [r12]!
        vld1.32 {d4[], d5[]}, [r12]!
        vld1.32 {d6[], d7[]}, [r12]!
        vmov.i64 d24, #0xffffffffffffffff
        vstmia  sp, {d0-d7}
        vld1.32 {d0}, [r12]!                            // the counter
        vld1.32 {d16[], d17[]}, [r12]!                  // x(10), x(11)
        vsub.i64 d1, d0, d24
        vld1.32 {d18[], d19[]}, [r12]!
        vsub.i64 d2, d1, d24
        vld1.32 {d4[], d5[]}, [r12]!                    // x(12) .. x(15)
        vsub.i64 d3, d2, d24
        vld1.32 {d6[], d7[]}, [r12]!
        vld1.32 {d20[], d21[]}, [r12]!
        vld1.32 {d22[], d23[]}, [r12]
        vuzp.32 q0, q1                                  // x(8), x(9)
.endm

// A row of the four vector blocks ends: words in q\a, q\b, q\c, q\d, of which c0, d0 are the lower and a1, b1 the upper
// halves. r0, r1, r2 = row of state, input, output, which go forward by 16, 256, 256 bytes; r3 = 64. A row with the
// counter (next = 1) goes on to the next block with every block.
.macro  salsa20_arm_neon_vec_end_row next, a, b, c, d, a1, b1, c0, d0
        vtrn.32 q\a, q\b
        vld1.32 {q12}, [r0]!
        vtrn.32 q\c, q\d
        vld1.8  {q13}, [r1], r3
        vswp    d\a1, d\c0                              // q\a, q\c = row of blocks 0, 2
        vld1.8  {q14}, [r1], r3
        vswp    d\b1, d\d0                              // q\b, q\d = row of blocks 1, 3
        vadd.i32 q\a, q\a, q12
  .if \next
        vmov.i64 d30, #0xffffffffffffffff
        vsub.i64 d24, d24, d30
  .endif
        veor    q\a, q\a, q13
        vld1.8  {q13}, [r1], r3
        vadd.i32 q\b, q\b, q12
  .if \next
        vsub.i64 d24, d24, d30
  .endif
        veor    q\b, q\b, q14
        vst1.8  {q\a}, [r2], r3
        vadd.i32 q\c, q\c, q12
        vld1.8  {q14}, [r1], r3
  .if \next
        vsub.i64 d24, d24, d30
  .endif
        veor    q\c, q\c, q13
        vst1.8  {q\b}, [r2], r3
        vadd.i32 q\d, q\d, q12
        vst1.8  {q\c}, [r2], r3
        veor    q\d, q\d, q14
        vst1.8  {q\d}, [r2], r3
.endm

        .cfi_startproc
        cmp     r3, #0
        bxeq    lr
        push    {r0-r12, lr}
        .cfi_def_cfa_offset 56
        .cfi_offset r4, -40
        .cfi_offset r5, -36
        .cfi_offset r6, -32
        .cfi_offset r7, -28
        .cfi_offset r8, -24
        .cfi_offset r9, -20
        .cfi_offset r10, -16
        .cfi_offset r11, -12
        .cfi_offset lr, -4
        vpush   {d8-d15}
        .cfi_def_cfa_offset 120
        sub     sp, sp, #208
        .cfi_def_cfa_offset 328
        mov     r12, r0
        cmp     r3, #5
        blo     6f

        // six blocks, or the last five
1:      salsa20_arm_neon_vec_begin
        ldr     r12, [sp, #272]                         // state
        salsa20_arm_neon_int_begin 4
        ldr     r12, [sp, #328]                         // rounds
        mov     lr, #256
        str     lr, [sp, #204]                          // distance of the integer block
        lsr     r12, r12, #2
        .balign 8
2:      str     r12, [sp, #200]                         // iterations left
        salsa20_arm_neon_double_round
        ldr     r12, [sp, #200]                         // iterations left
        subs    r12, r12, #1
        bne     2b
        ldr     lr, [sp, #204]                          // distance of the integer block
        cmp     lr, #256
        bne     3f

        // block 4 is through, block 5 follows
        salsa20_arm_neon_int_end lr
        mov     r12, r0
        salsa20_arm_neon_int_begin 5
        ldr     r12, [sp, #328]                         // rounds
        mov     lr, #320
        str     lr, [sp, #204]                          // distance of the integer block
        lsr     r12, r12, #2
        b       2b

3:      // block 5 and the vector blocks are through
        ldr     r12, [sp, #284]                         // blocks left
        cmp     r12, #6
        blo     4f
        salsa20_arm_neon_int_end lr
4:      ldr     r0, [sp, #272]                          // state
        ldr     r1, [sp, #276]                          // input
        ldr     r2, [sp, #280]                          // output
        mov     r3, #64
        add     r0, r0, #32
        add     r1, r1, #32
        add     r2, r2, #32
        salsa20_arm_neon_vec_end_row 1, 0, 1, 8, 9, 1, 3, 16, 18
        sub     r1, r1, #240
        sub     r2, r2, #240
        salsa20_arm_neon_vec_end_row 0, 2, 3, 10, 11, 5, 7, 20, 22
        vldmia  sp, {d0-d7}
        sub     r0, r0, #64
        sub     r1, r1, #304
        sub     r2, r2, #304
        salsa20_arm_neon_vec_end_row 0, 4, 5, 0, 1, 9, 11, 0, 2
        sub     r1, r1, #240
        sub     r2, r2, #240
        salsa20_arm_neon_vec_end_row 0, 6, 7, 2, 3, 13, 15, 4, 6
        sub     r12, r0, #32
        ldr     r5, [sp, #284]                          // blocks left
        ldr     r3, [r12, #32]
        ldr     r4, [r12, #36]
        mov     r6, #6
        cmp     r5, #6
        movlo   r6, r5
        add     r1, r1, #112                            // from row 1 of block 4 to block 6
        add     r2, r2, #112
        adds    r3, r3, r6
        adc     r4, r4, #0
        subs    r5, r5, r6
        str     r3, [r12, #32]
        str     r4, [r12, #36]
        str     r1, [sp, #276]                          // input
        str     r2, [sp, #280]                          // output
        str     r5, [sp, #284]                          // blocks left
        beq     8f
        cmp     r5, #5
        bhs     1b

        // one block at a time
6:      salsa20_arm_neon_int_begin 0
        ldr     r12, [sp, #328]                         // rounds
        lsr     r12, r12, #1
        .balign 8
2:      str     r12, [sp, #200]                         // iterations left
        salsa20_arm_neon_int_double_round
        ldr     r12, [sp, #200]                         // iterations left
        subs    r12, r12, #1
        bne     2b
        salsa20_arm_neon_int_end
        adds    r4, r4, #1
        adc     r5, r5, #0
        str     r4, [r0, #32]
        str     r5, [r0, #36]
        ldr     r3, [sp, #284]                          // blocks left
        str     r1, [sp, #276]                          // input
        mov     r12, r0
        str     r2, [sp, #280]                          // output
        subs    r3, r3, #1
        str     r3, [sp, #284]                          // blocks left
        bne     6b

8:      vmov.i32 q0, #0
        vmov.i32 q1, #0
        vmov.i32 q2, #0
        vmov.i32 q3, #0
  .irp n, 8, 9, 10, 11, 12, 13, 14, 15
        vmov.i32 q\n, #0
  .endr
        mov     r3, sp
  .rept 6
        vst1.64 {d0-d3}, [r3:64]!
  .endr
        vstr    d0, [r3]
        add     sp, sp, #208
        .cfi_def_cfa_offset 120
        vpop    {d8-d15}
        .cfi_def_cfa_offset 56
        pop     {r0-r12, lr}
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

.purgem salsa20_arm_neon_update
.purgem salsa20_arm_neon_int_add
.purgem salsa20_arm_neon_int_eor
.purgem salsa20_arm_neon_vec_add
.purgem salsa20_arm_neon_vec_shl
.purgem salsa20_arm_neon_vec_sri
.purgem salsa20_arm_neon_vec_eor
.purgem salsa20_arm_neon_int_swap
.purgem salsa20_arm_neon_vec_swap
.purgem salsa20_arm_neon_four
.purgem salsa20_arm_neon_double_round
.purgem salsa20_arm_neon_int_double_round
.purgem salsa20_arm_neon_int_begin
.purgem salsa20_arm_neon_int_end
.purgem salsa20_arm_neon_vec_begin
.purgem salsa20_arm_neon_vec_end_row
  .irp name, w_0, w_1, w_2, w_3, w_4, w_5, w_6, w_7, w_8, w_9, w_10, w_11, w_12, w_13, w_14, w_15, t_0, t_1
        .unreq  \name
  .endr
  .irp name, v_0, v_1, v_2, v_3, v_4, v_5, v_6, v_7, v_8, v_9, v_10, v_11, v_12, v_13, v_14, v_15, vt_0
        .unreq  \name
  .endr
  .irp name, vt_1, vu_0, vu_1
        .unreq  \name
  .endr

        .fpu    vfpv3-d16                               // the default of the ARMv7 target
