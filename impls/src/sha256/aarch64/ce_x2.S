// SHA-224/256 compression: AArch64, SHA-256 instructions (FEAT_SHA256), two independent messages interleaved
//
//     compress_x2(state0: *mut [u32; 8], state1: *mut [u32; 8],
//                 blocks0: *const u8, blocks1: *const u8, count: usize)
//
//     state := H(count),  where  H(0) = state,  H(j+1) = H(j) + rounds(H(j), block j),  for each message
//     and block j is the sixteen big-endian words of its blocks[64 j .. 64 j + 64)
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
//   - One message alone waits for the latency of its chain of SHA256H and SHA256H2; the other message fills those
//     cycles, until the SHA-256 instructions of both saturate their unit.
//   - The two steps of the schedule for W(i+4) lie in the groups i and i+1, and W(i+1) + K(i+1) is formed at the end of
//     group i.
//   - The constants stream through two registers, each loaded one group ahead and used for both messages.
//   - The last group is there twice: for every block but the last one it begins the next block.
//
// Arguments
//     x0, x1  state0, state1    a .. h as native words, aligned to 4; read and written
//     x2, x3  blocks0, blocks1  64 count bytes each, at any address (normal memory, SCTLR_ELx.A = 0: unaligned access
//                               allowed); read only
//     x4      count             number of blocks of each message; with 0 no memory is touched
//
// Registers
//     x0, x1      states                   v0 .. v3    message 0: W(i), i mod 4 = 0 .. 3
//     x2, x3      next blocks              v4 .. v7    message 1: the same
//     x4          blocks left              v16, v17    message 0: abcd, efgh
//     x5          constants                v18, v19    message 1: the same
//                                          v20 .. v23  abcd, efgh, abcd, efgh at the start of the block
//                                          v24, v25    abcd before the current four rounds
//                                          v26, v27    W(i) + K(i)
//                                          v28, v29    K(i), i even and odd
//     v8 .. v15, v30 and v31 are not used.
//
// Stack
//     Not used.
//
// Cleared
//     v0 .. v7, v16 .. v27 are zero. All else that is written holds addresses, the count or constants:
//     x0, x1 = states, x2, x3 = ends of the blocks, x4 = 0, x5 = constants, v28, v29 = K(14), K(15).
//
// Notes
//   - Armv8-A with FEAT_SHA256, little-endian AArch64 state; position-independent.
//   - Nothing but the two states, the blocks of both and the constants is read or written.
//   - Branches compare the count alone, which is public; no address depends on states or messages.
//   - The includer of this file puts the extension sha2 back after it where the target lacks it.

        .arch_extension sha2

        state0        .req    x0
        state1        .req    x1
        blocks0       .req    x2
        blocks1       .req    x3
        count         .req    x4
        constants     .req    x5

        m0w0          .req    v0
        m0w1          .req    v1
        m0w2          .req    v2
        m0w3          .req    v3
        m1w0          .req    v4
        m1w1          .req    v5
        m1w2          .req    v6
        m1w3          .req    v7

        abcd0         .req    v16
        efgh0         .req    v17
        abcd1         .req    v18
        efgh1         .req    v19
        saved_abcd0   .req    v20
        saved_efgh0   .req    v21
        saved_abcd1   .req    v22
        saved_efgh1   .req    v23
        old_abcd0     .req    v24
        old_abcd1     .req    v25
        WK0           .req    v26
        WK1           .req    v27
        Keven         .req    v28
        Kodd          .req    v29

        abcd0_q       .req    q16
        efgh0_q       .req    q17
        abcd1_q       .req    q18
        efgh1_q       .req    q19
        saved_abcd0_q .req    q20
        saved_abcd1_q .req    q22
        old_abcd0_q   .req    q24
        old_abcd1_q   .req    q25
        Keven_q       .req    q28
        Kodd_q        .req    q29

// Rounds 4i .. 4i+3 of both messages, for 1 <= i <= 11. j0 .. j3 are i .. i+3 mod 4; mMwJ holds a word vector of
// message M.
// In: WKm = W(i) + K(i), mMwj0 .. 2 = W(i) .. W(i+2), mMwj3 = SHA256SU0(W(i-1), W(i)), Knext = K(i+1).
// Out: WKm = W(i+1) + K(i+1), mMwj3 = W(i+3), mMwj0 = SHA256SU0(W(i), W(i+1)), K = K(i+2), which is at offset.
.macro  sha256_ce_x2_rounds K, Knext, offset, j0, j1, j2, j3
        mov         old_abcd0.16b, abcd0.16b
        mov         old_abcd1.16b, abcd1.16b
        ldr         \K\()_q, [constants, #\offset]
        sha256su1   m1w\j3\().4s, m1w\j1\().4s, m1w\j2\().4s    // message 1: W(i+3)
        sha256su0   m1w\j0\().4s, m1w\j1\().4s                  // first half of W(i+4)
        sha256h     abcd0_q, efgh0_q, WK0.4s
        sha256h     abcd1_q, efgh1_q, WK1.4s
        sha256h2    efgh0_q, old_abcd0_q, WK0.4s
        sha256su0   m0w\j0\().4s, m0w\j1\().4s                  // message 0: first half of W(i+4)
        sha256su1   m0w\j3\().4s, m0w\j1\().4s, m0w\j2\().4s    // W(i+3)
        sha256h2    efgh1_q, old_abcd1_q, WK1.4s
        add         WK0.4s, m0w\j1\().4s, \Knext\().4s          // W(i+1) + K(i+1)
        add         WK1.4s, m1w\j1\().4s, \Knext\().4s
.endm

        .cfi_startproc
        hint        #34                                         // bti c
        cbz         count, 9f
        adr         constants, 8f

        ld1         {v0.16b - v3.16b}, [blocks0], #64           // W(0) .. W(3)
        ld1         {v4.16b - v7.16b}, [blocks1], #64
        ldp         Keven_q, Kodd_q, [constants]                // K(0), K(1)
        ld1         {v16.4s, v17.4s}, [state0]
        ld1         {v18.4s, v19.4s}, [state1]

        rev32       m0w0.16b, m0w0.16b                          // from big-endian
        rev32       m1w0.16b, m1w0.16b
        rev32       m0w1.16b, m0w1.16b
        rev32       m1w1.16b, m1w1.16b
        add         WK0.4s, m0w0.4s, Keven.4s                   // W(0) + K(0)
        add         WK1.4s, m1w0.4s, Keven.4s
        rev32       m0w2.16b, m0w2.16b
        rev32       m1w2.16b, m1w2.16b
        rev32       m0w3.16b, m0w3.16b
        rev32       m1w3.16b, m1w3.16b

1:      mov         saved_abcd0.16b, abcd0.16b                  // rounds 0 .. 3; the copies stay for the last addition
        mov         saved_abcd1.16b, abcd1.16b
        mov         saved_efgh0.16b, efgh0.16b
        mov         saved_efgh1.16b, efgh1.16b
        ldr         Keven_q, [constants, #32]                   // K(2)
        sha256su0   m1w0.4s, m1w1.4s
        sha256h     abcd0_q, efgh0_q, WK0.4s
        sha256h     abcd1_q, efgh1_q, WK1.4s
        sha256h2    efgh0_q, saved_abcd0_q, WK0.4s
        sha256su0   m0w0.4s, m0w1.4s
        sha256h2    efgh1_q, saved_abcd1_q, WK1.4s
        add         WK0.4s, m0w1.4s, Kodd.4s                    // W(1) + K(1)
        add         WK1.4s, m1w1.4s, Kodd.4s

        sha256_ce_x2_rounds Kodd,  Keven,  48, 1, 2, 3, 0       // rounds 4 .. 47
        sha256_ce_x2_rounds Keven, Kodd,   64, 2, 3, 0, 1
        sha256_ce_x2_rounds Kodd,  Keven,  80, 3, 0, 1, 2
        sha256_ce_x2_rounds Keven, Kodd,   96, 0, 1, 2, 3
        sha256_ce_x2_rounds Kodd,  Keven, 112, 1, 2, 3, 0
        sha256_ce_x2_rounds Keven, Kodd,  128, 2, 3, 0, 1
        sha256_ce_x2_rounds Kodd,  Keven, 144, 3, 0, 1, 2
        sha256_ce_x2_rounds Keven, Kodd,  160, 0, 1, 2, 3
        sha256_ce_x2_rounds Kodd,  Keven, 176, 1, 2, 3, 0
        sha256_ce_x2_rounds Keven, Kodd,  192, 2, 3, 0, 1
        sha256_ce_x2_rounds Kodd,  Keven, 208, 3, 0, 1, 2

        mov         old_abcd0.16b, abcd0.16b                    // rounds 48 .. 51
        mov         old_abcd1.16b, abcd1.16b
        ldr         Keven_q, [constants, #224]                  // K(14)
        sha256su1   m1w3.4s, m1w1.4s, m1w2.4s                   // W(15)
        sha256h     abcd0_q, efgh0_q, WK0.4s
        sha256h     abcd1_q, efgh1_q, WK1.4s
        sha256h2    efgh0_q, old_abcd0_q, WK0.4s
        sha256su1   m0w3.4s, m0w1.4s, m0w2.4s
        sha256h2    efgh1_q, old_abcd1_q, WK1.4s
        add         WK0.4s, m0w1.4s, Kodd.4s                    // W(13) + K(13)
        add         WK1.4s, m1w1.4s, Kodd.4s

        mov         old_abcd0.16b, abcd0.16b                    // rounds 52 .. 55
        mov         old_abcd1.16b, abcd1.16b
        ldr         Kodd_q, [constants, #240]                   // K(15)
        sha256h     abcd0_q, efgh0_q, WK0.4s
        sha256h     abcd1_q, efgh1_q, WK1.4s
        sha256h2    efgh0_q, old_abcd0_q, WK0.4s
        sha256h2    efgh1_q, old_abcd1_q, WK1.4s
        add         WK0.4s, m0w2.4s, Keven.4s                   // W(14) + K(14)
        add         WK1.4s, m1w2.4s, Keven.4s

        mov         old_abcd0.16b, abcd0.16b                    // rounds 56 .. 59
        mov         old_abcd1.16b, abcd1.16b
        sha256h     abcd0_q, efgh0_q, WK0.4s
        sha256h     abcd1_q, efgh1_q, WK1.4s
        sha256h2    efgh0_q, old_abcd0_q, WK0.4s
        sha256h2    efgh1_q, old_abcd1_q, WK1.4s
        add         WK0.4s, m0w3.4s, Kodd.4s                    // W(15) + K(15)
        add         WK1.4s, m1w3.4s, Kodd.4s

        subs        count, count, #1
        b.eq        2f

        ldr         Keven_q, [constants]                        // rounds 60 .. 63, and the next block
        ld1         {v0.16b - v3.16b}, [blocks0], #64
        ld1         {v4.16b - v7.16b}, [blocks1], #64
        mov         old_abcd0.16b, abcd0.16b
        mov         old_abcd1.16b, abcd1.16b
        ldr         Kodd_q, [constants, #16]
        sha256h     abcd0_q, efgh0_q, WK0.4s
        sha256h     abcd1_q, efgh1_q, WK1.4s
        sha256h2    efgh0_q, old_abcd0_q, WK0.4s
        sha256h2    efgh1_q, old_abcd1_q, WK1.4s
        rev32       m0w0.16b, m0w0.16b
        rev32       m1w0.16b, m1w0.16b
        add         WK0.4s, m0w0.4s, Keven.4s                   // W(0) + K(0)
        add         WK1.4s, m1w0.4s, Keven.4s
        rev32       m0w1.16b, m0w1.16b
        rev32       m1w1.16b, m1w1.16b
        rev32       m0w2.16b, m0w2.16b
        rev32       m1w2.16b, m1w2.16b
        rev32       m0w3.16b, m0w3.16b
        rev32       m1w3.16b, m1w3.16b
        add         abcd0.4s, abcd0.4s, saved_abcd0.4s
        add         efgh0.4s, efgh0.4s, saved_efgh0.4s
        add         abcd1.4s, abcd1.4s, saved_abcd1.4s
        add         efgh1.4s, efgh1.4s, saved_efgh1.4s
        b           1b

2:      mov         old_abcd0.16b, abcd0.16b                    // rounds 60 .. 63 of the last block
        mov         old_abcd1.16b, abcd1.16b
        sha256h     abcd0_q, efgh0_q, WK0.4s
        sha256h     abcd1_q, efgh1_q, WK1.4s
        sha256h2    efgh0_q, old_abcd0_q, WK0.4s
        sha256h2    efgh1_q, old_abcd1_q, WK1.4s

        add         abcd0.4s, abcd0.4s, saved_abcd0.4s
        add         efgh0.4s, efgh0.4s, saved_efgh0.4s
        add         abcd1.4s, abcd1.4s, saved_abcd1.4s
        add         efgh1.4s, efgh1.4s, saved_efgh1.4s
        st1         {v16.4s, v17.4s}, [state0]
        st1         {v18.4s, v19.4s}, [state1]

        movi        v0.4s, #0                                   // leave nothing of messages or states behind
        movi        v1.4s, #0
        movi        v2.4s, #0
        movi        v3.4s, #0
        movi        v4.4s, #0
        movi        v5.4s, #0
        movi        v6.4s, #0
        movi        v7.4s, #0
        movi        v16.4s, #0
        movi        v17.4s, #0
        movi        v18.4s, #0
        movi        v19.4s, #0
        movi        v20.4s, #0
        movi        v21.4s, #0
        movi        v22.4s, #0
        movi        v23.4s, #0
        movi        v24.4s, #0
        movi        v25.4s, #0
        movi        v26.4s, #0
        movi        v27.4s, #0
9:      ret
        .cfi_endproc

        .balign     16
8:                                                              // K, FIPS 180-4, section 4.2.2
        .word       0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5
        .word       0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5
        .word       0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3
        .word       0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174
        .word       0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc
        .word       0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da
        .word       0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7
        .word       0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967
        .word       0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13
        .word       0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85
        .word       0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3
        .word       0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070
        .word       0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5
        .word       0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3
        .word       0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208
        .word       0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2

.purgem sha256_ce_x2_rounds

        .unreq  state0
        .unreq  state1
        .unreq  blocks0
        .unreq  blocks1
        .unreq  count
        .unreq  constants
        .unreq  m0w0
        .unreq  m0w1
        .unreq  m0w2
        .unreq  m0w3
        .unreq  m1w0
        .unreq  m1w1
        .unreq  m1w2
        .unreq  m1w3
        .unreq  abcd0
        .unreq  efgh0
        .unreq  abcd1
        .unreq  efgh1
        .unreq  saved_abcd0
        .unreq  saved_efgh0
        .unreq  saved_abcd1
        .unreq  saved_efgh1
        .unreq  old_abcd0
        .unreq  old_abcd1
        .unreq  WK0
        .unreq  WK1
        .unreq  Keven
        .unreq  Kodd
        .unreq  abcd0_q
        .unreq  efgh0_q
        .unreq  abcd1_q
        .unreq  efgh1_q
        .unreq  saved_abcd0_q
        .unreq  saved_abcd1_q
        .unreq  old_abcd0_q
        .unreq  old_abcd1_q
        .unreq  Keven_q
        .unreq  Kodd_q
