// Speck64 in XTS mode, decryption, AArch32 (A32), integer registers only
//
//     xts_decrypt(keys: *const u32, tweak: *mut u8, input: *const u8, output: *mut u8, count: usize, rounds: u32)
//
// For each of the count blocks of 8 bytes:
//     output = D(input ^ T) ^ T,    T = T * x in GF(2^64) modulo x^64 + x^4 + x^3 + x + 1.
// Afterwards the tweak in memory is the T of the next block. A tweak of zero stays zero and gives the bare cipher.
// Any ARMv7-A core.
//
// Source
//     Beaulieu and others, "The Simon and Speck Families of Lightweight Block Ciphers", 2013, section 4; words and
//     blocks little-endian, y before x, as in "Simon and Speck Implementation Guide", 2018.
//     XTS as in IEEE 1619, section 5, with a field of 64 bits.
//     ror and rol rotate a word of 32 bits.
//
// Technique
//   - A round is y = ror(y ^ x, 3), x = rol((x ^ k) - y, 8), with the round keys from last to first.
//   - Four blocks go through the rounds together. x is kept as ror(x, 8), so that its rotation is free in the shifted
//     operands of the next round.
//   - What is left below four blocks goes one by one.
//   - An odd number of rounds enters the loop of two rounds in its middle.
//
// Arguments
//     r0        keys    rounds words, aligned to 4; read only
//     r1        tweak   8 bytes at any address; read and written
//     r2        input   8 count bytes at any address, equal to output or disjoint from it; read only
//     r3        output  8 count bytes at any address
//     [sp]      count   number of blocks; with 0 nothing else is touched
//     [sp, #4]  rounds  at least 1
//
// Registers
//     r0-r3    y of four blocks                    r10, r11  T of the next block
//     r4-r7    their x                             r12       end of the round keys in order of use
//     r8       round key                           lr        address of data; temporary
//     r9       next round key
//
// Stack
//     sp + 0    tweaks of four blocks
//     sp + 32   blocks left
//     sp + 36   end of the round keys in order of use
//     sp + 44   first round key in order of use, tweak pointer, next input, next output
//     sp + 60   r4-r11, lr of the caller
//   96 bytes in all
//
// Cleared before return: r0-r3, the tweaks on the stack; r12 and lr hold addresses.

y0      .req    r0
y1      .req    r1
y2      .req    r2
y3      .req    r3
x0      .req    r4
x1      .req    r5
x2      .req    r6
x3      .req    r7
k       .req    r8
kp      .req    r9
Tl      .req    r10
Th      .req    r11
end     .req    r12
mask    .req    r12
poly    .req    lr
data    .req    lr

// T to the stack at 8 n, T = T * x
.macro  speck64_scalar_decrypt_tweak n
        strd    Tl, Th, [sp, #8*\n]
        and     mask, poly, Th, asr #31
        adds    Tl, Tl, Tl
        adc     Th, Th, Th
        eor     Tl, Tl, mask
.endm

.macro  speck64_scalar_decrypt_load n
        ldr     y\n, [data], #4
        ldr     x\n, [data], #4
        ldrd    r8, r9, [sp, #8*\n]
        eor     y\n, y\n, r8
        eor     x\n, x\n, r9
        ror     x\n, x\n, #8
.endm

.macro  speck64_scalar_decrypt_store n
        ldrd    r8, r9, [sp, #8*\n]
        eor     y\n, y\n, r8
        eor     x\n, r9, x\n, ror #24
        str     y\n, [data], #4
        str     x\n, [data], #4
.endm

// One round of the blocks listed
.macro  speck64_scalar_decrypt_round blocks:vararg
        ldr     k, [kp], #-4
  .irp  j, \blocks
        eor     y\j, y\j, x\j, ror #24                  // y ^ x
  .endr
  .irp  j, \blocks
        eor     x\j, k, x\j, ror #24                    // x ^ k
  .endr
  .irp  j, \blocks
        ror     y\j, y\j, #3                            // ror(y ^ x, 3)
  .endr
  .irp  j, \blocks
        sub     x\j, x\j, y\j                           // - y
  .endr
.endm

        .cfi_startproc
        ldr     r12, [sp]
        cmp     r12, #0
        bxeq    lr

        push    {r0-r11, lr}
        .cfi_def_cfa_offset 52
        .cfi_offset r4, -36
        .cfi_offset r5, -32
        .cfi_offset r6, -28
        .cfi_offset r7, -24
        .cfi_offset r8, -20
        .cfi_offset r9, -16
        .cfi_offset r10, -12
        .cfi_offset r11, -8
        .cfi_offset lr, -4
        sub     sp, sp, #44
        .cfi_def_cfa_offset 96
        ldr     lr, [sp, #100]                          // rounds
        sub     r0, r0, #4
        add     lr, r0, lr, lsl #2
        str     r0, [sp, #36]
        str     lr, [sp, #44]
        ldr     Tl, [r1]
        ldr     Th, [r1, #4]
        subs    r9, r12, #4
        blo     5f

        // Four blocks
1:      str     r9, [sp, #32]
        mov     poly, #0x1b
  .irp  n, 0, 1, 2, 3
        speck64_scalar_decrypt_tweak \n
  .endr
        ldr     data, [sp, #52]
  .irp  n, 0, 1, 2, 3
        speck64_scalar_decrypt_load \n
  .endr
        str     data, [sp, #52]
        ldr     kp, [sp, #44]
        ldr     end, [sp, #36]
        sub     lr, end, kp
        tst     lr, #4
        bne     3f
2:      speck64_scalar_decrypt_round 0, 1, 2, 3
3:      speck64_scalar_decrypt_round 0, 1, 2, 3
        cmp     kp, end
        bne     2b
        ldr     data, [sp, #56]
  .irp  n, 0, 1, 2, 3
        speck64_scalar_decrypt_store \n
  .endr
        str     data, [sp, #56]
        ldr     r9, [sp, #32]
        subs    r9, r9, #4
        bhs     1b

5:      adds    r9, r9, #4
        beq     7f

        // 1 to 3 blocks left: one
6:      str     r9, [sp, #32]
        mov     poly, #0x1b
        speck64_scalar_decrypt_tweak 0
        ldr     data, [sp, #52]
        speck64_scalar_decrypt_load 0
        str     data, [sp, #52]
        ldr     kp, [sp, #44]
        ldr     end, [sp, #36]
        sub     lr, end, kp
        tst     lr, #4
        bne     3f
2:      speck64_scalar_decrypt_round 0
3:      speck64_scalar_decrypt_round 0
        cmp     kp, end
        bne     2b
        ldr     data, [sp, #56]
        speck64_scalar_decrypt_store 0
        str     data, [sp, #56]
        ldr     r9, [sp, #32]
        subs    r9, r9, #1
        bne     6b

7:      ldr     r12, [sp, #48]
        str     Tl, [r12]
        str     Th, [r12, #4]
  .irp  n, 0, 1, 2, 3, 4, 5, 6, 7
        mov     r\n, #0
  .endr
  .irp  n, 0, 1, 2, 3
        strd    r0, r1, [sp, #8*\n]
  .endr
        add     sp, sp, #60
        .cfi_def_cfa_offset 36
        pop     {r4-r11, lr}
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

.purgem speck64_scalar_decrypt_tweak
.purgem speck64_scalar_decrypt_load
.purgem speck64_scalar_decrypt_store
.purgem speck64_scalar_decrypt_round
.unreq  y0
.unreq  y1
.unreq  y2
.unreq  y3
.unreq  x0
.unreq  x1
.unreq  x2
.unreq  x3
.unreq  k
.unreq  kp
.unreq  Tl
.unreq  Th
.unreq  end
.unreq  mask
.unreq  poly
.unreq  data
