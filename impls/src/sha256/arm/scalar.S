// SHA-224/256 compression: AArch32 (A32), integer instructions, one message
//
//     compress(state: *mut [u32; 8], blocks: *const u8, count: usize)
//
//     state := H(count),  where  H(0) = state,  H(j+1) = H(j) + rounds(H(j), block j),
//     and block j is the sixteen big-endian words of blocks[64 j .. 64 j + 64)
//
// Source
//     FIPS 180-4, sections 4.1.2 (functions), 4.2.2 (constants), 5.2.1 (parsing), 6.2.2 (computation).
//     x >>> n stands for ROTR^n(x), x >> n for SHR^n(x), of words of 32 bits.
//
// Technique
//   - The rounds go in pairs, so that constants and schedule words move two at a time (LDRD, STRD).
//   - Rotations are free in the shifted operand, the outermost one in the addition:
//         Sigma1(e) = (e ^ (e >>>  5) ^ (e >>> 19)) >>> 6
//         Sigma0(a) = (a ^ (a >>> 11) ^ (a >>> 20)) >>> 2
//   - Ch(e,f,g) = ((f ^ g) & ~e) ^ f
//   - Maj(a,b,c) = ((a ^ b) & (b ^ c)) ^ b, where b ^ c is the a ^ b of the round before.
//   - Sigma0 and Maj of a round are added in the next round, beside its Sigma1: only d + T1 has to be ready in time.
//   - K + W of the second round of a pair goes into g, its h to be, once Ch needs g no more.
//   - The schedule is a circle of 16 words on the stack. The last two words stay in registers over the pair of rounds
//     that uses them and begin the next two words.
//   - A new pair of words is stored well after it is complete, so that no load waits for the store.
//
// Arguments
//     r0  state   a .. h as native words, aligned to 4; read and written
//     r1  blocks  64 count bytes, at any address (normal memory, SCTLR.A = 0: unaligned access allowed); read only
//     r2  count   number of blocks; with 0 no memory is touched
//
// Registers
//     r4 .. r11  a .. h; the names move one place with every round
//     r0 .. r3   rounds 0 .. 15: this block in r0, temporaries
//                rounds 16 .. 63: two pairs of words; one holds W[i-2], W[i-1] and is then free for constants and
//                temporaries, the other takes W[i], W[i+1]; they change places with every pair of rounds
//     r12        address of the next constants
//     lr         a ^ b of the last round but one
//
// Stack, 112 bytes
//     sp + 0    W, 16 words
//     sp + 64   state
//     sp + 68   next block
//     sp + 72   blocks left
//     sp + 76   r4 .. r11, lr of the caller
//
// Cleared
//     W on the stack and r3 are zero, r4 .. r11 are the caller's again. r0 .. r2 and lr held temporaries and are
//     reloaded: r0 = state, r1 = end of the blocks, r2 = 1 (the last count is not stored), lr = return address. r12
//     only ever held addresses.
//
// Notes
//   - Any Armv7-A core, little-endian AArch32 state, A32 instructions; position-independent.
//   - Nothing but state, blocks[0 .. 64 count), the constants and the stack above is read or written.
//   - Branches compare the count and a byte of K that marks the end of the constants, both public; no address depends
//     on state or message.

w0      .req    r0
w1      .req    r1
w2      .req    r2
w3      .req    r3
K       .req    r12
ab      .req    lr

// T1 = h + Sigma1(e) + Ch(e,f,g),  d := d + T1,  h := T1      h holds K[i] + W[i] already
// and from the round before, where a, b, c were b, c, d:
// a := a + Sigma0(b) + Maj(b,c,d);  cd = c ^ d is used up, bc becomes b ^ c
// next: K[i+1] + W[i+1], or nothing; may be the same register as bc
.macro sha256_arm_scalar_round a, b, c, d, e, f, g, h, bc, t, next, cd
        eor     \t, \f, \g
        .ifnb   \next
        add     \g, \g, \next
        .endif
        bic     \t, \t, \e
        eor     \bc, \b, \b, ror #11
        eor     \t, \t, \f                      // Ch(e,f,g)
        eor     \bc, \bc, \b, ror #20
        add     \h, \h, \t
        eor     \t, \e, \e, ror #5
        add     \a, \a, \bc, ror #2             // a + Sigma0(b)
        eor     \t, \t, \e, ror #19
        eor     \bc, \b, \c
        and     \cd, \cd, \bc
        add     \h, \h, \t, ror #6              // T1 = h + Ch(e,f,g) + Sigma1(e)
        eor     \cd, \cd, \c                    // Maj(b,c,d)
        add     \d, \d, \h                      // d + T1
        add     \a, \a, \cd
.endm

// The first round of a block: nothing is left from the round before
.macro sha256_arm_scalar_round_0 a, b, c, d, e, f, g, h, bc, t, next
        eor     \t, \f, \g
        add     \g, \g, \next
        bic     \t, \t, \e
        eor     \bc, \b, \c
        eor     \t, \t, \f                      // Ch(e,f,g)
        add     \h, \h, \t
        eor     \t, \e, \e, ror #5
        eor     \t, \t, \e, ror #19
        add     \h, \h, \t, ror #6              // T1 = h + Ch(e,f,g) + Sigma1(e)
        add     \d, \d, \h                      // d + T1
.endm

// What is left of the last round of a block
.macro sha256_arm_scalar_end a, b, c, cd, t
        eor     \t, \b, \b, ror #11
        eor     \t, \t, \b, ror #20
        add     \a, \a, \t, ror #2              // a + Sigma0(b)
        eor     \t, \b, \c
        and     \cd, \cd, \t
        eor     \cd, \cd, \c                    // Maj(b,c,d)
        add     \a, \a, \cd
.endm

// Rounds i and i+1 with i < 16: words from the block at w0, stored into the schedule
// cd: a ^ b of the last round but one, or nothing at the first round of a block
.macro sha256_arm_scalar_rounds_0_15 a, b, c, d, e, f, g, h, i, cd
        ldr     w2, [w0, #4*(\i)]
        ldr     w3, [w0, #4*(\i)+4]
        ldr     w1, [K, #4*(\i)]
        rev     w2, w2                          // W[i]
        rev     w3, w3                          // W[i+1]
        add     \h, \h, w1                      // h + K[i]
        ldr     w1, [K, #4*(\i)+4]
        add     \h, \h, w2                      // h + K[i] + W[i]
        strd    w2, w3, [sp, #4*(\i)]
        add     w3, w3, w1                      // K[i+1] + W[i+1]

        .ifnb   \cd
        sha256_arm_scalar_round \a, \b, \c, \d, \e, \f, \g, \h, w1, w2, w3, \cd
        .else
        sha256_arm_scalar_round_0 \a, \b, \c, \d, \e, \f, \g, \h, w1, w2, w3
        .endif
        sha256_arm_scalar_round \h, \a, \b, \c, \d, \e, \f, \g, ab, w2, , w1
.endm

// Rounds i and i+1 with i >= 16, i taken modulo 16; (x0, x1) = W[i-2], W[i-1]
// W[i] = sigma1(W[i-2]) + W[i-7] + sigma0(W[i-15]) + W[i-16] goes to y0, W[i+1] to y1
.macro sha256_arm_scalar_rounds_16_63 a, b, c, d, e, f, g, h, i, x0, x1, y0, y1
        mov     \y0, \x0, ror #17
        mov     \y1, \x1, ror #17
        eor     \y0, \y0, \x0, ror #19
        eor     \y1, \y1, \x1, ror #19
        eor     \y0, \y0, \x0, lsr #10          // sigma1(W[i-2])
        eor     \y1, \y1, \x1, lsr #10          // sigma1(W[i-1])

        .if     (\i) == 6
        ldr     \x0, [sp, #4*15]                // the only pair that wraps around
        ldr     \x1, [sp, #4*0]
        .else
        ldrd    \x0, \x1, [sp, #4*((\i+9)%16)]  // W[i-7], W[i-6]
        .endif
        add     \y0, \y0, \x0
        add     \y1, \y1, \x1

        ldrd    \x0, \x1, [sp, #4*(\i)]         // W[i-16], W[i-15]
        add     \y0, \y0, \x0
        add     \y1, \y1, \x1
        mov     \x0, \x1, ror #7
        eor     \x0, \x0, \x1, ror #18
        eor     \x0, \x0, \x1, lsr #3           // sigma0(W[i-15])
        ldr     \x1, [sp, #4*((\i+2)%16)]       // W[i-14]
        add     \y0, \y0, \x0                   // W[i]
        mov     \x0, \x1, ror #7
        eor     \x0, \x0, \x1, ror #18
        eor     \x0, \x0, \x1, lsr #3           // sigma0(W[i-14])
        add     \y1, \y1, \x0                   // W[i+1]

        ldrd    \x0, \x1, [K, #4*(\i)]          // K[i], K[i+1]
        add     \h, \h, \y0
        add     \h, \h, \x0                     // h + K[i] + W[i]
        add     \x1, \x1, \y1                   // K[i+1] + W[i+1]

        sha256_arm_scalar_round \a, \b, \c, \d, \e, \f, \g, \h, \x1, \x0, \x1, ab
        strd    \y0, \y1, [sp, #4*(\i)]
        sha256_arm_scalar_round \h, \a, \b, \c, \d, \e, \f, \g, ab, \x0, , \x1
.endm

        .cfi_startproc
        cmp     r2, #0
        bxeq    lr

        push    {r0-r2, r4-r11, lr}
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
        sub     sp, sp, #64
        .cfi_def_cfa_offset 112

        ldr     K, 4f
1:      add     K, pc, K                        // address of the constants
        ldm     r0, {r4-r11}
        mov     w0, r1

2:
        sha256_arm_scalar_rounds_0_15   r4, r5, r6, r7, r8, r9, r10, r11, 0
        sha256_arm_scalar_rounds_0_15   r10, r11, r4, r5, r6, r7, r8, r9, 2, ab
        sha256_arm_scalar_rounds_0_15   r8, r9, r10, r11, r4, r5, r6, r7, 4, ab
        sha256_arm_scalar_rounds_0_15   r6, r7, r8, r9, r10, r11, r4, r5, 6, ab
        sha256_arm_scalar_rounds_0_15   r4, r5, r6, r7, r8, r9, r10, r11, 8, ab
        sha256_arm_scalar_rounds_0_15   r10, r11, r4, r5, r6, r7, r8, r9, 10, ab
        sha256_arm_scalar_rounds_0_15   r8, r9, r10, r11, r4, r5, r6, r7, 12, ab
        sha256_arm_scalar_rounds_0_15   r6, r7, r8, r9, r10, r11, r4, r5, 14, ab

        add     w0, w0, #64
        str     w0, [sp, #68]                   // address of the next block
        ldrd    w0, w1, [sp, #4*14]             // W[14], W[15]

3:      add     K, K, #64

        sha256_arm_scalar_rounds_16_63  r4, r5, r6, r7, r8, r9, r10, r11, 0, w0, w1, w2, w3
        sha256_arm_scalar_rounds_16_63  r10, r11, r4, r5, r6, r7, r8, r9, 2, w2, w3, w0, w1
        sha256_arm_scalar_rounds_16_63  r8, r9, r10, r11, r4, r5, r6, r7, 4, w0, w1, w2, w3
        sha256_arm_scalar_rounds_16_63  r6, r7, r8, r9, r10, r11, r4, r5, 6, w2, w3, w0, w1
        sha256_arm_scalar_rounds_16_63  r4, r5, r6, r7, r8, r9, r10, r11, 8, w0, w1, w2, w3
        sha256_arm_scalar_rounds_16_63  r10, r11, r4, r5, r6, r7, r8, r9, 10, w2, w3, w0, w1
        sha256_arm_scalar_rounds_16_63  r8, r9, r10, r11, r4, r5, r6, r7, 12, w0, w1, w2, w3
        sha256_arm_scalar_rounds_16_63  r6, r7, r8, r9, r10, r11, r4, r5, 14, w2, w3, w0, w1

        ldrb    w2, [K, #63]
        cmp     w2, #0xc6                       // top byte of K[63], and not of K[31] or K[47]
        bne     3b

        sha256_arm_scalar_end r4, r5, r6, ab, w0

        ldr     r0, [sp, #64]                   // state
        ldm     r0!, {r1, r2, r3, lr}
        add     r4, r4, r1
        add     r5, r5, r2
        add     r6, r6, r3
        add     r7, r7, lr
        ldm     r0!, {r1, r2, r3, lr}
        add     r8, r8, r1
        add     r9, r9, r2
        add     r10, r10, r3
        add     r11, r11, lr
        ldr     r1, [sp, #72]                   // count
        stmdb   r0, {r4-r11}

        sub     K, K, #192
        subs    r1, r1, #1
        ldrne   w0, [sp, #68]                   // address of the next block
        strne   r1, [sp, #72]
        bne     2b

        mov     r0, #0
        mov     r1, #0
        mov     r2, #0
        mov     r3, #0
        stm     sp!, {r0-r3}
        .cfi_def_cfa_offset 96
        stm     sp!, {r0-r3}
        .cfi_def_cfa_offset 80
        stm     sp!, {r0-r3}
        .cfi_def_cfa_offset 64
        stm     sp!, {r0-r3}
        .cfi_def_cfa_offset 48
        pop     {r0-r2, r4-r11, lr}             // state, a block address and a count, nothing secret
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

4:      .word   5f - (1b + 8)
        .balign 8
5:      .word   0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5
        .word   0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174
        .word   0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da
        .word   0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967
        .word   0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85
        .word   0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070
        .word   0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3
        .word   0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2

.purgem sha256_arm_scalar_round
.purgem sha256_arm_scalar_round_0
.purgem sha256_arm_scalar_end
.purgem sha256_arm_scalar_rounds_0_15
.purgem sha256_arm_scalar_rounds_16_63
.unreq  w0
.unreq  w1
.unreq  w2
.unreq  w3
.unreq  K
.unreq  ab
