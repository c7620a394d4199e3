// Speck128 in XTS mode, encryption, AArch32 (A32), integer registers only
//
//     xts_encrypt(keys: *const u64, tweak: *mut u8, input: *const u8, output: *mut u8, count: usize, rounds: u32)
//
// For each of the count blocks of 16 bytes:
//     output = E(input ^ T) ^ T,    T = T * x in GF(2^128) modulo x^128 + x^7 + x^2 + x + 1.
// Afterwards the tweak in memory is the T of the next block. A tweak of zero stays zero and gives the bare cipher.
// Any ARMv7-A core.
//
// Source
//     Beaulieu and others, "The Simon and Speck Families of Lightweight Block Ciphers", 2013, section 4; words and
//     blocks little-endian, y before x, as in "Simon and Speck Implementation Guide", 2018.
//     IEEE 1619, section 5 (XTS).
//     ror and rol rotate a word of 64 bits.
//
// Technique
//   - A round is x = (ror(x, 8) + y) ^ k, y = rol(y, 3) ^ x.
//   - Two blocks go through the rounds together; a word is a pair of registers (l, h).
//   - ror(x, 8) = (x >> 8) + (x << 56) is added to y in two 64-bit additions, each with its shifts for free.
//   - With m = (l ^ h) >> 29 the halves of rol(y, 3) are l <<< 3 ^ m and h <<< 3 ^ m, rotating 32 bits.
//   - A last single block goes by itself.
//   - An odd number of rounds enters the loop of two rounds in its middle.
//
// Arguments
//     r0        keys    rounds words, aligned to 8; read only
//     r1        tweak   16 bytes at any address; read and written
//     r2        input   16 count bytes at any address, equal to output or disjoint from it; read only
//     r3        output  16 count bytes at any address
//     [sp]      count   number of blocks; with 0 nothing else is touched
//     [sp, #4]  rounds  at least 1
//
// Registers
//     r0-r3    first block: yl, yh, xl, xh         r10, r11  temporaries
//     r4-r7    second block; T                     r12       next round key
//     r8, r9   round key                           lr        end of the round keys in order of use
//
// Stack
//     sp + 0    T, T*x, T*x^2
//     sp + 48   blocks left
//     sp + 52   end of the round keys in order of use
//     sp + 60   first round key in order of use, tweak pointer, next input, next output
//     sp + 76   r4-r11, lr of the caller
//   112 bytes in all
//
// Cleared before return: r0-r3, the tweaks on the stack; r12 and lr hold addresses.

yl0     .req    r0
yh0     .req    r1
xl0     .req    r2
xh0     .req    r3
yl1     .req    r4
yh1     .req    r5
xl1     .req    r6
xh1     .req    r7
T0      .req    r4
T1      .req    r5
T2      .req    r6
T3      .req    r7
kl      .req    r8
kh      .req    r9
poly    .req    r8
mask    .req    r9
u0      .req    r10
u1      .req    r11
kp      .req    r12
end     .req    lr

// T = T * x
.macro  speck128_scalar_encrypt_times_x
        and     mask, poly, T3, asr #31
        adds    T0, T0, T0
        adcs    T1, T1, T1
        adcs    T2, T2, T2
        adc     T3, T3, T3
        eor     T0, T0, mask
.endm

.macro  speck128_scalar_encrypt_put offset
        strd    T0, T1, [sp, #\offset]
        strd    T2, T3, [sp, #\offset+8]
.endm

// Block i ^= the tweak on the stack at offset
.macro  speck128_scalar_encrypt_xor i, offset
        ldrd    kl, kh, [sp, #\offset]
        ldrd    u0, u1, [sp, #\offset+8]
        eor     yl\i, yl\i, kl
        eor     yh\i, yh\i, kh
        eor     xl\i, xl\i, u0
        eor     xh\i, xh\i, u1
.endm

.macro  speck128_scalar_encrypt_load i, offset
        ldr     yl\i, [r12, #\offset]
        ldr     yh\i, [r12, #\offset+4]
        ldr     xl\i, [r12, #\offset+8]
        ldr     xh\i, [r12, #\offset+12]
.endm

.macro  speck128_scalar_encrypt_store i, offset
        str     yl\i, [r12, #\offset]
        str     yh\i, [r12, #\offset+4]
        str     xl\i, [r12, #\offset+8]
        str     xh\i, [r12, #\offset+12]
.endm

// One round of block i
.macro  speck128_scalar_encrypt_round i
        adds    u0, yl\i, xl\i, lsr #8
        adc     u1, yh\i, xh\i, lsr #8
        adds    u0, u0, xh\i, lsl #24
        adc     u1, u1, xl\i, lsl #24                   // ror(x, 8) + y
        eor     xl\i, u0, kl
        eor     u0, yl\i, yh\i
        eor     xh\i, u1, kh                            // ^ k
        lsr     u0, u0, #29
        eor     yl\i, u0, yl\i, ror #29
        eor     yh\i, u0, yh\i, ror #29                 // rol(y, 3)
        eor     yl\i, yl\i, xl\i
        eor     yh\i, yh\i, xh\i                        // ^ x
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
        sub     sp, sp, #60
        .cfi_def_cfa_offset 112
        ldr     lr, [sp, #116]                          // rounds
        add     lr, r0, lr, lsl #3
        str     lr, [sp, #52]
        mov     poly, #0x87
        ldr     T0, [r1, #0]
        ldr     T1, [r1, #4]
        ldr     T2, [r1, #8]
        ldr     T3, [r1, #12]
        subs    r11, r12, #2
        blo     5f

        // Two blocks
1:      str     r11, [sp, #48]
        speck128_scalar_encrypt_put 0
        speck128_scalar_encrypt_times_x
        speck128_scalar_encrypt_put 16
        speck128_scalar_encrypt_times_x
        speck128_scalar_encrypt_put 32
        ldr     r12, [sp, #68]
        speck128_scalar_encrypt_load 0, 0
        speck128_scalar_encrypt_load 1, 16
        add     r12, r12, #32
        str     r12, [sp, #68]
        speck128_scalar_encrypt_xor 0, 0
        speck128_scalar_encrypt_xor 1, 16
        ldr     kp, [sp, #60]
        ldr     end, [sp, #52]
        sub     u0, end, kp
        tst     u0, #8
        bne     3f
2:      ldrd    kl, kh, [kp], #8
        speck128_scalar_encrypt_round 0
        speck128_scalar_encrypt_round 1
3:      ldrd    kl, kh, [kp], #8
        speck128_scalar_encrypt_round 0
        speck128_scalar_encrypt_round 1
        cmp     kp, end
        bne     2b
        ldr     r12, [sp, #72]
        speck128_scalar_encrypt_xor 0, 0
        speck128_scalar_encrypt_store 0, 0
        speck128_scalar_encrypt_xor 1, 16
        speck128_scalar_encrypt_store 1, 16
        add     r12, r12, #32
        str     r12, [sp, #72]
        ldr     r11, [sp, #48]
        ldrd    T0, T1, [sp, #32]
        ldrd    T2, T3, [sp, #40]
        mov     poly, #0x87
        subs    r11, r11, #2
        bhs     1b

5:      tst     r11, #1
        beq     7f

        // The last block
        speck128_scalar_encrypt_put 0
        speck128_scalar_encrypt_times_x
        speck128_scalar_encrypt_put 32
        ldr     r12, [sp, #68]
        speck128_scalar_encrypt_load 0, 0
        speck128_scalar_encrypt_xor 0, 0
        ldr     kp, [sp, #60]
        ldr     end, [sp, #52]
        sub     u0, end, kp
        tst     u0, #8
        bne     3f
2:      ldrd    kl, kh, [kp], #8
        speck128_scalar_encrypt_round 0
3:      ldrd    kl, kh, [kp], #8
        speck128_scalar_encrypt_round 0
        cmp     kp, end
        bne     2b
        ldr     r12, [sp, #72]
        speck128_scalar_encrypt_xor 0, 0
        speck128_scalar_encrypt_store 0, 0
        ldrd    T0, T1, [sp, #32]
        ldrd    T2, T3, [sp, #40]

7:      ldr     r12, [sp, #64]
        str     T0, [r12, #0]
        str     T1, [r12, #4]
        str     T2, [r12, #8]
        str     T3, [r12, #12]
  .irp  n, 0, 1, 2, 3, 4, 5, 6, 7
        mov     r\n, #0
  .endr
  .irp  n, 0, 1, 2, 3, 4, 5
        strd    r0, r1, [sp, #8*\n]
  .endr
        add     sp, sp, #76
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

.purgem speck128_scalar_encrypt_times_x
.purgem speck128_scalar_encrypt_put
.purgem speck128_scalar_encrypt_xor
.purgem speck128_scalar_encrypt_load
.purgem speck128_scalar_encrypt_store
.purgem speck128_scalar_encrypt_round
.unreq  yl0
.unreq  yh0
.unreq  xl0
.unreq  xh0
.unreq  yl1
.unreq  yh1
.unreq  xl1
.unreq  xh1
.unreq  T0
.unreq  T1
.unreq  T2
.unreq  T3
.unreq  kl
.unreq  kh
.unreq  poly
.unreq  mask
.unreq  u0
.unreq  u1
.unreq  kp
.unreq  end
