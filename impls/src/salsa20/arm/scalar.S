// Salsa20, 8, 12 or 20 rounds: AArch32 (A32), one block in integer registers
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
//   - An update is two instructions, since the operand of EOR is rotated for free.
//   - Two quarterrounds at a time go side by side. Four words that these do not need are in memory: x(2), x(3), x(6),
//     x(7) share registers with x(8), x(9), x(12), x(13); they change places after columns 0 and 1 and back after rows
//     0 and 1, two words an instruction.
//   - At the end the ten words in registers r2 .. r11 are finished there, then the other six.
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
//                  x(14), x(15); outside of the rounds addresses, counts, words of state and input
//     r12, lr      temporaries
//
// Stack, 128 bytes
//     sp + 0     x(0) .. x(15)
//     sp + 64    double rounds left
//     sp + 72    state, next input, next output, blocks left
//     sp + 88    r4 .. r12, lr of the caller
//     sp + 128   rounds (argument)
//
// Cleared
//     sp + 0 .. 63 are zero, r4 .. r12 are the caller's again. r0 .. r3 hold addresses and counts.
//
// Notes
//   - ARMv7-A, little-endian data; callable from Thumb; position-independent.
//   - Branches depend on count and rounds alone, which are public; no address depends on anything but the arguments.

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

// Update n of a double round, n mod 32: x(t) = x(t) ^ ((x(a) + x(b)) <<< r), handed on as "do lane, r, t, a, b",
// lane = n mod 2. The order is that of the specification's columnround and rowround with two quarterrounds side by
// side: 0 .. 7 columns 0 and 1, 8 .. 15 columns 2 and 3, 16 .. 23 rows 0 and 1, 24 .. 31 rows 2 and 3.
.macro  salsa20_arm_scalar_update n, do
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

// The instructions of an update
.macro  salsa20_arm_scalar_add lane, r, t, a, b
        add     t_\lane, w_\a, w_\b
.endm
.macro  salsa20_arm_scalar_eor lane, r, t, a, b
        eor     w_\t, w_\t, t_\lane, ror #32-\r
.endm

// Words 8, 9, 12, 13 (out = 1) or 2, 3, 6, 7 (out = 0) to memory, the others from there
.macro  salsa20_arm_scalar_swap out
  .if \out
        strd    w_8, w_9, [sp, #32]
        strd    w_12, w_13, [sp, #48]
        ldrd    w_2, w_3, [sp, #8]
        ldrd    w_6, w_7, [sp, #24]
  .else
        strd    w_2, w_3, [sp, #8]
        strd    w_6, w_7, [sp, #24]
        ldrd    w_8, w_9, [sp, #32]
        ldrd    w_12, w_13, [sp, #48]
  .endif
.endm

// A double round
.macro  salsa20_arm_scalar_double_round
  .irp n, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
        salsa20_arm_scalar_update \n,   salsa20_arm_scalar_add
        salsa20_arm_scalar_update \n+1, salsa20_arm_scalar_add
    .if (\n & 15) == 6
        salsa20_arm_scalar_swap (\n == 6)
    .endif
        salsa20_arm_scalar_update \n,   salsa20_arm_scalar_eor
        salsa20_arm_scalar_update \n+1, salsa20_arm_scalar_eor
  .endr
.endm

// x(i) = \op(x(i), word i at r0) for the ten words that are in r2 .. r11 after a double round. With counter = 1 the
// counter at r0 grows by one, too. Uses r1, r12, lr.
.macro  salsa20_arm_scalar_ten op, counter=0
        ldr     r1,  [r0, #16]
        ldr     r12, [r0, #20]
        ldr     lr,  [r0, #32]
        \op     w_4, w_4, r1
        ldr     r1,  [r0, #36]
        \op     w_5, w_5, r12
        ldr     r12, [r0, #40]
        \op     w_8, w_8, lr
  .if \counter
        adds    lr, lr, #1
        str     lr,  [r0, #32]
  .endif
        ldr     lr,  [r0, #44]
        \op     w_9, w_9, r1
  .if \counter
        adc     r1, r1, #0
        str     r1,  [r0, #36]
  .endif
        ldr     r1,  [r0, #48]
        \op     w_10, w_10, r12
        ldr     r12, [r0, #52]
        \op     w_11, w_11, lr
        ldr     lr,  [r0, #56]
        \op     w_12, w_12, r1
        ldr     r1,  [r0, #60]
        \op     w_13, w_13, r12
        \op     w_14, w_14, lr
        \op     w_15, w_15, r1
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
        sub     sp, sp, #72
        .cfi_def_cfa_offset 128
        mov     r12, r0

1:      ldmia   r12!, {r0-r7}                         // x(0) .. x(7)
        strd    r2, r3, [sp, #8]
        ldr     lr, [sp, #128]                          // rounds
        strd    r6, r7, [sp, #24]
        ldmia   r12!, {r2, r3, r8, r9}                  // x(8) .. x(11)
        lsr     lr, lr, #1
        ldmia   r12, {r6, r7, r10, r11}                 // x(12) .. x(15)
        .balign 8
2:      str     lr, [sp, #64]                           // double rounds left
        salsa20_arm_scalar_double_round
        ldr     lr, [sp, #64]                           // double rounds left
        subs    lr, lr, #1
        bne     2b
        strd    w_0, w_1, [sp]
        ldr     r0, [sp, #72]                           // state
        salsa20_arm_scalar_ten add, counter=1
        ldr     r0, [sp, #76]                           // input
        salsa20_arm_scalar_ten eor
        ldr     r0, [sp, #80]                           // output
        ldr     r12, [sp, #72]                          // state
        ldr     r1, [sp, #76]                           // input
        str     w_4,  [r0, #16]
        str     w_5,  [r0, #20]
        str     w_8,  [r0, #32]
        str     w_9,  [r0, #36]
        str     w_10, [r0, #40]
        str     w_11, [r0, #44]
        str     w_12, [r0, #48]
        str     w_13, [r0, #52]
        str     w_14, [r0, #56]
        str     w_15, [r0, #60]
        ldmia   r12!, {r4-r7}                           // words 0 .. 3
        ldmia   sp, {r8-r11}
        add     r8, r8, r4
        ldr     r2, [r1]
        add     r9, r9, r5
        ldr     r3, [r1, #4]
        add     r10, r10, r6
        ldr     lr, [r1, #8]
        add     r11, r11, r7
        ldr     r4, [r1, #12]
        eor     r8, r8, r2
        ldr     r5, [r12, #8]                           // words 6, 7
        eor     r9, r9, r3
        ldr     r6, [r12, #12]
        eor     r10, r10, lr
        ldrd    r2, r3, [sp, #24]
        eor     r11, r11, r4
        str     r8, [r0]
        add     r2, r2, r5
        ldr     r5, [r1, #24]
        add     r3, r3, r6
        ldr     r6, [r1, #28]
        str     r9, [r0, #4]
        eor     r2, r2, r5
        str     r10, [r0, #8]
        eor     r3, r3, r6
        str     r11, [r0, #12]
        ldr     r4, [sp, #84]                           // blocks left
        str     r2, [r0, #24]
        add     r1, r1, #64
        str     r3, [r0, #28]
        add     r0, r0, #64
        str     r1, [sp, #76]                           // input
        subs    r4, r4, #1
        str     r0, [sp, #80]                           // output
        sub     r12, r12, #16
        str     r4, [sp, #84]                           // blocks left
        bne     1b

        mov     r4, #0
        mov     r5, #0
  .irp offset, 0, 8, 16, 24, 32, 40, 48, 56
        strd    r4, r5, [sp, #0+\offset]
  .endr
        add     sp, sp, #72
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

.purgem salsa20_arm_scalar_update
.purgem salsa20_arm_scalar_add
.purgem salsa20_arm_scalar_eor
.purgem salsa20_arm_scalar_swap
.purgem salsa20_arm_scalar_double_round
.purgem salsa20_arm_scalar_ten
  .irp name, w_0, w_1, w_2, w_3, w_4, w_5, w_6, w_7, w_8, w_9, w_10, w_11, w_12, w_13, w_14, w_15, t_0, t_1
        .unreq  \name
  .endr
