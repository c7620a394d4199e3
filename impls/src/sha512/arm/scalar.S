// SHA-512 compression, AArch32 (A32), integer registers only
//
//   void compress(uint64_t state[8], const uint8_t *blocks, size_t count)
//                 r0                 r1                     r2
//
//   state := H(count),  where  H(0) = state,  H(j+1) = H(j) + rounds(H(j), block j)
//
// FIPS 180-4, sections 4.1.3 (functions), 4.2.3 (constants) and 6.4.2 (computation); also SHA-384,
// SHA-512/224 and SHA-512/256.
// Any ARMv7-A core. `blocks` may have any alignment, `state` is 8-aligned; nothing outside
// blocks[0 .. 128 count) is read, and count = 0 touches no memory at all.
//
// Technique
//   - A word is a pair of registers (l, h), low half first; the halves are added by ADDS and ADC.
//   - With m = l ^ h the low half of (l, h)>>>n, n < 32, is  l>>>n ^ m<<(32-n)  and the high half
//     h>>>n ^ m<<(32-n), rotating 32 bits. For n > 32 it is  l>>>(n-32) ^ m>>(n-32)  and the same
//     with h. So what the two halves of a sum of rotations need of the other half is one word M:
//       Sigma1(e) = (l ^ l>>>5 ^ l>>>9) >>> 9  ^ M,    M = (m ^ m<<4)<<14 ^ m>>9
//       Sigma0(a) = (l ^ l>>>5 ^ l>>>26) >>> 2 ^ M,    M = (m ^ m>>5)>>2 ^ m<<4
//     and likewise with h. The outermost rotation is free in the shifted operand.
//   - sigma1(W) = l>>>29 ^ l>>>19 ^ M ^ (W >> 6),      M = m>>29 ^ m<<13
//   - sigma0(W) = (W >> 7) ^ ((W ^ W>>>7) >>> 1), the last rotation by RRX.
//   - Ch(e,f,g) = ((f ^ g) & e) ^ g
//   - Maj(a,b,c) = ((a ^ b) & (b ^ c)) ^ b, where b ^ c is the a ^ b of the round before.
//   - a..h are on the stack, where only the names move; a, e and b ^ c stay in registers as well.
//   - The schedule is a circle of 16 words on the stack.
//   - What is stored has been complete for a while, so that no load waits behind a store.
//
// Registers
//   r0-r11   six pairs: a, e, b ^ c, T and two temporaries; after a round the pairs of T and the
//            temporaries hold the new a, b ^ c and e, and the others are free
//   r12      address of the next constants
//   lr       address of the next word of the message (rounds 0 .. 15), temporary
//
// Stack, 240 bytes
//   sp + 0    W, 16 words
//   sp + 128  a..h, 8 words
//   sp + 192  state, blocks, count
//   sp + 204  r4-r11, lr of the caller
//
// Cleared: r0-r3, lr, W and a..h on the stack.

K       .req    r12

// Round i, i taken modulo 16, with W[i] in T
// A: a;  E: e;  B: b ^ c;  T becomes the new a, Y the new b ^ c, X the new e
// W[i] and, of the round before, a and e are stored here, where they have long been complete
.macro sha512_arm_scalar_round i, al, ah, el, eh, bl, bh, tl, th, xl, xh, yl, yh
        strd    \al, \ah, [sp, #128+8*((0-(\i))&7)]     // a
        ldrd    \xl, \xh, [sp, #128+8*((7-(\i))&7)]     // h
        ldrd    \yl, \yh, [K, #8*(\i)]
        strd    \el, \eh, [sp, #128+8*((4-(\i))&7)]     // e
        strd    \tl, \th, [sp, #8*(\i)]
        adds    \xl, \xl, \yl
        adc     \xh, \xh, \yh
        ldrd    \yl, \yh, [sp, #128+8*((6-(\i))&7)]     // g
        adds    \tl, \tl, \xl
        adc     \th, \th, \xh                           // h + K[i] + W[i]
        ldrd    \xl, \xh, [sp, #128+8*((5-(\i))&7)]     // f

        eor     \xl, \xl, \yl
        eor     \xh, \xh, \yh
        and     \xl, \xl, \el
        and     \xh, \xh, \eh
        eor     \xl, \xl, \yl
        eor     \xh, \xh, \yh                           // Ch(e,f,g)
        eor     \yl, \el, \el, ror #5
        eor     \yh, \eh, \eh, ror #5
        adds    \tl, \tl, \xl
        eor     \xl, \el, \eh
        adc     \th, \th, \xh                           // h + K[i] + W[i] + Ch(e,f,g)

        eor     \xh, \xl, \xl, lsl #4
        eor     \yl, \yl, \el, ror #9
        eor     \yh, \yh, \eh, ror #9
        mov     \xl, \xl, lsr #9
        eor     \xl, \xl, \xh, lsl #14                  // M
        eor     \yl, \xl, \yl, ror #9
        eor     \yh, \xl, \yh, ror #9                   // Sigma1(e)
        ldrd    \xl, \xh, [sp, #128+8*((3-(\i))&7)]     // d
        adds    \tl, \tl, \yl
        eor     \el, \al, \ah
        eor     \yl, \al, \al, ror #5
        adc     \th, \th, \yh                           // T1
        eor     \yh, \ah, \ah, ror #5
        adds    \xl, \xl, \tl
        eor     \eh, \el, \el, lsr #5
        mov     \el, \el, lsl #4
        adc     \xh, \xh, \th                           // d + T1

        eor     \yl, \yl, \al, ror #26
        eor     \yh, \yh, \ah, ror #26
        eor     \el, \el, \eh, lsr #2                   // M
        eor     \yl, \el, \yl, ror #2
        eor     \yh, \el, \yh, ror #2                   // Sigma0(a)
        ldrd    \el, \eh, [sp, #128+8*((1-(\i))&7)]     // b
        adds    \tl, \tl, \yl
        adc     \th, \th, \yh                           // T1 + Sigma0(a)

        eor     \yl, \al, \el
        eor     \yh, \ah, \eh                           // a ^ b
        and     \bl, \bl, \yl
        and     \bh, \bh, \yh
        eor     \bl, \bl, \el
        eor     \bh, \bh, \eh                           // Maj(a,b,c)
        adds    \tl, \tl, \bl
        adc     \th, \th, \bh                           // T1 + Sigma0(a) + Maj(a,b,c)
.endm

// Round i < 16, W[i] from the block
.macro sha512_arm_scalar_round_0_15 i, al, ah, el, eh, bl, bh, tl, th, xl, xh, yl, yh
        ldr     \th, [lr], #4
        ldr     \tl, [lr], #4
        rev     \th, \th
        rev     \tl, \tl
        sha512_arm_scalar_round \i, \al, \ah, \el, \eh, \bl, \bh, \tl, \th, \xl, \xh, \yl, \yh
.endm

// Round i >= 16, i taken modulo 16
// W[i] = sigma1(W[i-2]) + W[i-7] + sigma0(W[i-15]) + W[i-16]
.macro sha512_arm_scalar_round_16_79 i, al, ah, el, eh, bl, bh, tl, th, xl, xh, yl, yh
        ldrd    \xl, \xh, [sp, #8*((\i+1)&15)]          // W[i-15]
        mov     \tl, \xl, lsr #7
        mov     \th, \xh, lsr #7
        eor     \tl, \tl, \xh, lsl #25                  // W >> 7
        eor     \yh, \th, \xl, lsl #25
        eor     \yl, \tl, \xl
        eor     \yh, \yh, \xh                           // W ^ W>>>7
        ldrd    \xl, \xh, [sp, #8*((\i+9)&15)]          // W[i-7]
        eors    \th, \th, \yh, lsr #1
        eor     \tl, \tl, \yl, rrx
        eor     \th, \th, \yl, lsl #31                  // sigma0(W[i-15])

        ldrd    \yl, \yh, [sp, #8*(\i)]                 // W[i-16]
        adds    \tl, \tl, \xl
        adc     \th, \th, \xh
        ldrd    \xl, \xh, [sp, #8*((\i+14)&15)]         // W[i-2]
        adds    \tl, \tl, \yl
        adc     \th, \th, \yh

        eor     \yl, \xl, \xh
        mov     lr, \yl, lsr #29
        eor     lr, lr, \yl, lsl #13                    // M
        eor     \yl, lr, \xl, ror #29
        eor     \yh, lr, \xh, ror #29
        eor     \yl, \yl, \xl, ror #19
        eor     \yh, \yh, \xh, ror #19
        eor     \yl, \yl, \xl, lsr #6
        eor     \yh, \yh, \xh, lsr #6
        eor     \yl, \yl, \xh, lsl #26                  // sigma1(W[i-2])
        adds    \tl, \tl, \yl
        adc     \th, \th, \yh                           // W[i]
        sha512_arm_scalar_round \i, \al, \ah, \el, \eh, \bl, \bh, \tl, \th, \xl, \xh, \yl, \yh
.endm

// Two rounds
.macro sha512_arm_scalar_rounds_2 n, i
        sha512_arm_scalar_round_\n      \i,   r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11
        sha512_arm_scalar_round_\n      \i+1, r6, r7, r8, r9, r10, r11, r0, r1, r2, r3, r4, r5
.endm

// Word j of the state in memory, at lr, and of its copy on the stack: both become the sum
.macro sha512_arm_scalar_sum j, tl, th, xl, xh
        ldrd    \tl, \th, [lr, #8*\j]
        ldrd    \xl, \xh, [sp, #128+8*\j]
        adds    \tl, \tl, \xl
        adc     \th, \th, \xh
        strd    \tl, \th, [lr, #8*\j]
        strd    \tl, \th, [sp, #128+8*\j]
.endm

        .cfi_startproc
        cmp     r2, #0
        bne     2f
        bx      lr
1:      .word   9f - (3f + 8)                           // the constants, seen from the ADD below

2:      push    {r0-r2, r4-r11, lr}
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
        sub     sp, sp, #192
        .cfi_def_cfa_offset 240

        ldr     K, 1b
3:      add     K, pc, K
        mov     lr, r1
        add     r1, r0, #32
        ldm     r1, {r2-r9}                             // e, f, g, h
        add     r1, sp, #160
        stm     r1, {r2-r9}
        ldm     r0, {r4-r11}                            // a, b, c, d
        add     r1, sp, #128
        stm     r1, {r4-r11}
        mov     r0, r4
        mov     r1, r5                                  // a
        eor     r4, r6, r8
        eor     r5, r7, r9                              // b ^ c

4:      .irp    i, 0, 2, 4, 6, 8, 10, 12, 14
        sha512_arm_scalar_rounds_2 0_15, \i
        .endr
        str     lr, [sp, #196]                          // address of the next block

5:      add     K, K, #128
        .irp    i, 0, 2, 4, 6, 8, 10, 12, 14
        sha512_arm_scalar_rounds_2 16_79, \i
        .endr
        ldrb    lr, [K, #120]
        cmp     lr, #0x17                               // low byte of K[79], and not of K[31], K[47] or K[63]
        bne     5b

        strd    r0, r1, [sp, #128]                      // a
        strd    r2, r3, [sp, #160]                      // e
        ldr     lr, [sp, #192]                          // state
        sha512_arm_scalar_sum 5, r2, r3, r8, r9
        sha512_arm_scalar_sum 6, r4, r5, r8, r9
        sha512_arm_scalar_sum 7, r6, r7, r8, r9
        sha512_arm_scalar_sum 3, r10, r11, r8, r9
        sha512_arm_scalar_sum 0, r0, r1, r8, r9
        sha512_arm_scalar_sum 4, r2, r3, r8, r9
        sha512_arm_scalar_sum 1, r4, r5, r8, r9
        sha512_arm_scalar_sum 2, r6, r7, r8, r9
        eor     r4, r4, r6
        eor     r5, r5, r7                              // b ^ c

        ldr     r6, [sp, #200]                          // count
        sub     K, K, #512
        ldr     lr, [sp, #196]                          // address of the next block
        subs    r6, r6, #1
        str     r6, [sp, #200]
        bne     4b

        mov     r0, #0
        mov     r1, #0
        mov     r2, #0
        mov     r3, #0
        .irp    offset, 224, 208, 192, 176, 160, 144, 128, 112, 96, 80, 64, 48
        stm     sp!, {r0-r3}
        .cfi_def_cfa_offset \offset
        .endr
        pop     {r0-r2, r4-r11, lr}                     // state, an address and a count, nothing secret
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

        .balign 8
9:      .quad   0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc
        .quad   0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118
        .quad   0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2
        .quad   0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694
        .quad   0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65
        .quad   0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5
        .quad   0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4
        .quad   0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70
        .quad   0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df
        .quad   0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b
        .quad   0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30
        .quad   0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8
        .quad   0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8
        .quad   0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3
        .quad   0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec
        .quad   0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b
        .quad   0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178
        .quad   0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b
        .quad   0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c
        .quad   0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817

.purgem sha512_arm_scalar_round
.purgem sha512_arm_scalar_round_0_15
.purgem sha512_arm_scalar_round_16_79
.purgem sha512_arm_scalar_rounds_2
.purgem sha512_arm_scalar_sum
.unreq  K
