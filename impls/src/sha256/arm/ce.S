// SHA-224/256 compression: AArch32 (A32), SHA-256 instructions of ARMv8 (FEAT_SHA256), one message
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
//   - W(i) is the vector of schedule words W[4i .. 4i+3], K(i) that of constants, i = 0 .. 15. In place of W(i):
//         W(i+4) = SHA256SU1(SHA256SU0(W(i), W(i+1)), W(i+2), W(i+3)),
//     which is, for t = 4i .. 4i+3,
//         SHA256SU0:  x[t]    = W[t] + sigma0(W[t+1])                 sigma0(w) = (w >>>  7) ^ (w >>> 18) ^ (w >>  3)
//         SHA256SU1:  W[t+16] = x[t] + W[t+9] + sigma1(W[t+14])       sigma1(w) = (w >>> 17) ^ (w >>> 19) ^ (w >> 10)
//   - SHA256H and SHA256H2 run four rounds: one gives the new abcd, the other the new efgh. Each needs both old halves,
//     hence one copy of abcd.
//   - The two steps of the schedule for W(i+4) lie in the groups i and i+1, and W(i+1) + K(i+1) is formed as soon as
//     SHA256H2 of group i has read W(i) + K(i), so that only copy, SHA256H and SHA256H2 are left on the critical path,
//     also where instructions issue in program order.
//   - The constants stream through two registers, in pairs.
//   - The last group is there twice: for every block but the last one it begins the next block.
//
// Arguments
//     r0  state   a .. h as native words, aligned to 4; read and written
//     r1  blocks  64 count bytes, at any address (normal memory, SCTLR.A = 0: unaligned access allowed); read only
//     r2  count   number of blocks; with 0 no memory is touched
//
// Registers
//     r0       state                       q0 .. q3    W(i), i mod 4 = 0 .. 3
//     r1       next block                  q8, q9      abcd, efgh
//     r2       blocks left                 q10, q11    the same at the start of the block
//     r3       next constants              q12         abcd before the current four rounds
//                                          q13         W(i) + K(i)
//                                          q14, q15    K(i), i even and odd
//     q4 .. q7 are not used.
//
// Stack
//     Not used.
//
// Cleared
//     q0 .. q3, q8 .. q13 are zero. All else that is written holds addresses, the count or constants:
//     r0 = state, r1 = end of the blocks, r2 = 0, r3 = end of the constants, q14, q15 = K(14), K(15).
//
// Notes
//   - Armv8-A with FEAT_SHA256, little-endian AArch32 state, A32 instructions; position-independent.
//   - Nothing but state, blocks[0 .. 64 count) and the constants is read or written.
//   - Branches compare the count alone, which is public; no address depends on state or message.
//   - At the end of the file the architecture and FPU are set back to the defaults of the ARMv7 target.

        .arch   armv8-a
        .fpu    crypto-neon-fp-armv8

        state        .req    r0
        blocks       .req    r1
        count        .req    r2
        constants    .req    r3

        msg0         .req    q0
        msg1         .req    q1
        msg2         .req    q2
        msg3         .req    q3
        abcd         .req    q8
        efgh         .req    q9
        saved_abcd   .req    q10
        saved_efgh   .req    q11
        old_abcd     .req    q12
        WK           .req    q13
        Keven        .req    q14
        Kodd         .req    q15

// Rounds 4i .. 4i+3 for 1 <= i <= 11. In: WK = W(i) + K(i), W0, W1, W2 = W(i), W(i+1), W(i+2),
// W3 = SHA256SU0(W(i-1), W(i)), K = K(i+1). Out: WK = W(i+1) + K(i+1), W3 = W(i+3), W0 = SHA256SU0(W(i), W(i+1)).
.macro  sha256_arm_ce_rounds K, W0, W1, W2, W3
        vmov            old_abcd, abcd
        sha256h.32      abcd, efgh, WK
        sha256su0.32    \W0, \W1                                // first half of W(i+4)
        sha256h2.32     efgh, old_abcd, WK
        vadd.i32        WK, \W1, \K                             // W(i+1) + K(i+1)
        sha256su1.32    \W3, \W1, \W2                           // W(i+3)
.endm

        .cfi_startproc
        cmp             count, #0
        bxeq            lr
        adr             constants, 8f

        vld1.8          {d0-d3}, [blocks]!                      // W(0) .. W(3)
        vld1.8          {d4-d7}, [blocks]!
        vld1.32         {d28-d31}, [constants]!                 // K(0), K(1)
        vld1.32         {d16-d19}, [state]

        vrev32.8        msg0, msg0                              // from big-endian
        vrev32.8        msg1, msg1
        vadd.i32        WK, msg0, Keven                         // W(0) + K(0)
        vrev32.8        msg2, msg2
        vrev32.8        msg3, msg3

1:      vmov            saved_abcd, abcd                        // rounds 0 .. 3; the copies stay for the last addition
        vmov            saved_efgh, efgh
        sha256h.32      abcd, efgh, WK
        sha256su0.32    msg0, msg1
        sha256h2.32     efgh, saved_abcd, WK
        vadd.i32        WK, msg1, Kodd                          // W(1) + K(1)
        vld1.32         {d28-d31}, [constants]!                 // K(2), K(3)

        sha256_arm_ce_rounds Keven, msg1, msg2, msg3, msg0      // rounds 4 .. 47
        sha256_arm_ce_rounds Kodd,  msg2, msg3, msg0, msg1
        vld1.32         {d28-d31}, [constants]!                 // K(4), K(5)
        sha256_arm_ce_rounds Keven, msg3, msg0, msg1, msg2
        sha256_arm_ce_rounds Kodd,  msg0, msg1, msg2, msg3
        vld1.32         {d28-d31}, [constants]!                 // K(6), K(7)
        sha256_arm_ce_rounds Keven, msg1, msg2, msg3, msg0
        sha256_arm_ce_rounds Kodd,  msg2, msg3, msg0, msg1
        vld1.32         {d28-d31}, [constants]!                 // K(8), K(9)
        sha256_arm_ce_rounds Keven, msg3, msg0, msg1, msg2
        sha256_arm_ce_rounds Kodd,  msg0, msg1, msg2, msg3
        vld1.32         {d28-d31}, [constants]!                 // K(10), K(11)
        sha256_arm_ce_rounds Keven, msg1, msg2, msg3, msg0
        sha256_arm_ce_rounds Kodd,  msg2, msg3, msg0, msg1
        vld1.32         {d28-d31}, [constants]!                 // K(12), K(13)
        sha256_arm_ce_rounds Keven, msg3, msg0, msg1, msg2

        vmov            old_abcd, abcd                          // rounds 48 .. 51
        sha256h.32      abcd, efgh, WK
        sha256h2.32     efgh, old_abcd, WK
        vadd.i32        WK, msg1, Kodd                          // W(13) + K(13)
        sha256su1.32    msg3, msg1, msg2                        // W(15)
        vld1.32         {d28-d31}, [constants]!                 // K(14), K(15)

        vmov            old_abcd, abcd                          // rounds 52 .. 55
        sha256h.32      abcd, efgh, WK
        sha256h2.32     efgh, old_abcd, WK
        vadd.i32        WK, msg2, Keven                         // W(14) + K(14)

        vmov            old_abcd, abcd                          // rounds 56 .. 59
        sha256h.32      abcd, efgh, WK
        sha256h2.32     efgh, old_abcd, WK
        vadd.i32        WK, msg3, Kodd                          // W(15) + K(15)

        subs            count, count, #1
        beq             2f

        vld1.8          {d0-d3}, [blocks]!                      // rounds 60 .. 63, and the next block
        sub             constants, constants, #256
        vmov            old_abcd, abcd
        vld1.8          {d4-d7}, [blocks]!
        sha256h.32      abcd, efgh, WK
        vrev32.8        msg0, msg0
        vld1.32         {d28-d31}, [constants]!                 // K(0), K(1)
        sha256h2.32     efgh, old_abcd, WK
        vrev32.8        msg1, msg1
        vadd.i32        WK, msg0, Keven                         // W(0) + K(0)
        vrev32.8        msg2, msg2
        vrev32.8        msg3, msg3
        vadd.i32        abcd, abcd, saved_abcd
        vadd.i32        efgh, efgh, saved_efgh
        b               1b

2:      vmov            old_abcd, abcd                          // rounds 60 .. 63 of the last block
        sha256h.32      abcd, efgh, WK
        sha256h2.32     efgh, old_abcd, WK

        vadd.i32        abcd, abcd, saved_abcd
        vadd.i32        efgh, efgh, saved_efgh
        vst1.32         {d16-d19}, [state]

        vmov.i32        q0,  #0                                 // leave nothing of message or state behind
        vmov.i32        q1,  #0
        vmov.i32        q2,  #0
        vmov.i32        q3,  #0
        vmov.i32        q8,  #0
        vmov.i32        q9,  #0
        vmov.i32        q10, #0
        vmov.i32        q11, #0
        vmov.i32        q12, #0
        vmov.i32        q13, #0
        bx              lr
        .cfi_endproc

        .balign         16
8:                                                              // K, FIPS 180-4, section 4.2.2
        .word           0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5
        .word           0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5
        .word           0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3
        .word           0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174
        .word           0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc
        .word           0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da
        .word           0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7
        .word           0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967
        .word           0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13
        .word           0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85
        .word           0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3
        .word           0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070
        .word           0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5
        .word           0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3
        .word           0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208
        .word           0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2

.purgem sha256_arm_ce_rounds

        .unreq  state
        .unreq  blocks
        .unreq  count
        .unreq  constants
        .unreq  msg0
        .unreq  msg1
        .unreq  msg2
        .unreq  msg3
        .unreq  abcd
        .unreq  efgh
        .unreq  saved_abcd
        .unreq  saved_efgh
        .unreq  old_abcd
        .unreq  WK
        .unreq  Keven
        .unreq  Kodd

        .arch   armv7-a
        .fpu    vfpv3-d16
