// SHA-224/256 compression: AArch64, SHA-256 instructions (FEAT_SHA256), one message
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
//   - The two steps of the schedule for W(i+4) lie in the groups i and i+1, and W(i+1) + K(i+1) is formed in group i,
//     so that only copy, SHA256H and SHA256H2 are left on the critical path, also where instructions issue in program
//     order.
//   - K(0) .. K(12) stay in registers; K(13) .. K(15) pass through registers of dead words.
//   - The last three groups are there twice: for every block but the last one they load and begin the next block.
//
// Arguments
//     x0  state   a .. h as native words, aligned to 4; read and written
//     x1  blocks  64 count bytes, at any address (normal memory, SCTLR_ELx.A = 0: unaligned access allowed); read only
//     x2  count   number of blocks; with 0 no memory is touched
//
// Registers
//     x0       state                       v0, v1      abcd, efgh
//     x1       next block                  v2, v3      the same at the start of the block
//     x2       blocks left                 v4 .. v7    W(i), i mod 4 = 0 .. 3
//     x3       constants                   v16         abcd before the current four rounds
//                                          v17, v18    W(i) + K(i), i even and odd
//                                          v19 .. v31  K(0) .. K(12)
//     v8 .. v15 are not used.
//
// Stack
//     Not used.
//
// Cleared
//     v0 .. v7, v16 .. v18 are zero. All else that is written holds addresses, the count or constants:
//     x0 = state, x1 = end of the blocks, x2 = 0, x3 = address in the constants, v19 .. v31 = K(0) .. K(12).
//
// Notes
//   - Armv8-A with FEAT_SHA256, little-endian AArch64 state; position-independent.
//   - Nothing but state, blocks[0 .. 64 count) and the constants is read or written.
//   - Branches compare the count alone, which is public; no address depends on state or message.
//   - The includer of this file puts the extension sha2 back after it where the target lacks it.

        .arch_extension sha2

        state        .req    x0
        blocks       .req    x1
        count        .req    x2
        constants    .req    x3

        abcd         .req    v0
        efgh         .req    v1
        saved_abcd   .req    v2
        saved_efgh   .req    v3
        msg0         .req    v4
        msg1         .req    v5
        msg2         .req    v6
        msg3         .req    v7
        old_abcd     .req    v16
        WK0          .req    v17
        WK1          .req    v18

        abcd_q       .req    q0
        efgh_q       .req    q1
        saved_abcd_q .req    q2
        msg0_q       .req    q4
        msg1_q       .req    q5
        old_abcd_q   .req    q16

        K0           .req    v19
        K1           .req    v20
        K2           .req    v21
        K3           .req    v22
        K4           .req    v23
        K5           .req    v24
        K6           .req    v25
        K7           .req    v26
        K8           .req    v27
        K9           .req    v28
        K10          .req    v29
        K11          .req    v30
        K12          .req    v31

// Rounds 4i .. 4i+3 with WK = W(i) + K(i), for 1 <= i <= 11. In: W0, W1, W2 = W(i), W(i+1), W(i+2),
// W3 = SHA256SU0(W(i-1), W(i)), K = K(i+1). Out: WKnext = W(i+1) + K(i+1), W3 = W(i+3), W0 = SHA256SU0(W(i), W(i+1)).
.macro  sha256_ce_rounds WK, WKnext, K, W0, W1, W2, W3
        add         \WKnext\().4s, \W1\().4s, \K\().4s          // W(i+1) + K(i+1)
        mov         old_abcd.16b, abcd.16b
        sha256h     abcd_q, efgh_q, \WK\().4s
        sha256su0   \W0\().4s, \W1\().4s                        // first half of W(i+4)
        sha256su1   \W3\().4s, \W1\().4s, \W2\().4s             // W(i+3)
        sha256h2    efgh_q, old_abcd_q, \WK\().4s
.endm

        .cfi_startproc
        hint        #34                                         // bti c
        cbz         count, 9f
        adr         constants, 8f

        ld1         {v4.16b - v7.16b}, [blocks], #64            // W(0) .. W(3)
        ld1         {v0.4s, v1.4s}, [state]
        ld1         {v19.4s - v22.4s}, [constants], #64         // K(0) .. K(12)
        ld1         {v23.4s - v26.4s}, [constants], #64
        ld1         {v27.4s - v30.4s}, [constants], #64
        ldr         q31, [constants]

        rev32       msg0.16b, msg0.16b                          // from big-endian
        rev32       msg1.16b, msg1.16b
        rev32       msg2.16b, msg2.16b
        rev32       msg3.16b, msg3.16b
        add         WK0.4s, msg0.4s, K0.4s                      // W(0) + K(0)

1:      add         WK1.4s, msg1.4s, K1.4s                      // rounds 0 .. 3; the copies stay for the last addition
        mov         saved_abcd.16b, abcd.16b
        mov         saved_efgh.16b, efgh.16b
        sha256h     abcd_q, efgh_q, WK0.4s
        sha256su0   msg0.4s, msg1.4s
        sha256h2    efgh_q, saved_abcd_q, WK0.4s

        sha256_ce_rounds WK1, WK0, K2,  msg1, msg2, msg3, msg0  // rounds 4 .. 47
        sha256_ce_rounds WK0, WK1, K3,  msg2, msg3, msg0, msg1
        sha256_ce_rounds WK1, WK0, K4,  msg3, msg0, msg1, msg2
        sha256_ce_rounds WK0, WK1, K5,  msg0, msg1, msg2, msg3
        sha256_ce_rounds WK1, WK0, K6,  msg1, msg2, msg3, msg0
        sha256_ce_rounds WK0, WK1, K7,  msg2, msg3, msg0, msg1
        sha256_ce_rounds WK1, WK0, K8,  msg3, msg0, msg1, msg2
        sha256_ce_rounds WK0, WK1, K9,  msg0, msg1, msg2, msg3
        sha256_ce_rounds WK1, WK0, K10, msg1, msg2, msg3, msg0
        sha256_ce_rounds WK0, WK1, K11, msg2, msg3, msg0, msg1
        sha256_ce_rounds WK1, WK0, K12, msg3, msg0, msg1, msg2

        ldr         msg0_q, [constants, #16]                    // rounds 48 .. 51; K(13)
        mov         old_abcd.16b, abcd.16b
        sha256h     abcd_q, efgh_q, WK0.4s
        sha256su1   msg3.4s, msg1.4s, msg2.4s                   // W(15)
        add         WK1.4s, msg1.4s, msg0.4s                    // W(13) + K(13)
        ldp         msg0_q, msg1_q, [constants, #32]            // K(14), K(15)
        sha256h2    efgh_q, old_abcd_q, WK0.4s

        subs        count, count, #1
        b.eq        2f

        add         WK0.4s, msg2.4s, msg0.4s                    // rounds 52 .. 55; W(14) + K(14)
        mov         old_abcd.16b, abcd.16b
        sha256h     abcd_q, efgh_q, WK1.4s
        sha256h2    efgh_q, old_abcd_q, WK1.4s

        add         WK1.4s, msg3.4s, msg1.4s                    // rounds 56 .. 59; W(15) + K(15)
        mov         old_abcd.16b, abcd.16b
        ld1         {v4.16b - v7.16b}, [blocks], #64            // the next block
        sha256h     abcd_q, efgh_q, WK0.4s
        sha256h2    efgh_q, old_abcd_q, WK0.4s

        mov         old_abcd.16b, abcd.16b                      // rounds 60 .. 63
        sha256h     abcd_q, efgh_q, WK1.4s
        rev32       msg0.16b, msg0.16b
        rev32       msg1.16b, msg1.16b
        sha256h2    efgh_q, old_abcd_q, WK1.4s
        rev32       msg2.16b, msg2.16b
        rev32       msg3.16b, msg3.16b

        add         abcd.4s, abcd.4s, saved_abcd.4s
        add         WK0.4s, msg0.4s, K0.4s                      // W(0) + K(0) of the next block
        add         efgh.4s, efgh.4s, saved_efgh.4s
        b           1b

2:      add         WK0.4s, msg2.4s, msg0.4s                    // rounds 52 .. 55 of the last block; W(14) + K(14)
        mov         old_abcd.16b, abcd.16b
        sha256h     abcd_q, efgh_q, WK1.4s
        sha256h2    efgh_q, old_abcd_q, WK1.4s

        add         WK1.4s, msg3.4s, msg1.4s                    // rounds 56 .. 59; W(15) + K(15)
        mov         old_abcd.16b, abcd.16b
        sha256h     abcd_q, efgh_q, WK0.4s
        sha256h2    efgh_q, old_abcd_q, WK0.4s

        mov         old_abcd.16b, abcd.16b                      // rounds 60 .. 63
        sha256h     abcd_q, efgh_q, WK1.4s
        sha256h2    efgh_q, old_abcd_q, WK1.4s

        add         abcd.4s, abcd.4s, saved_abcd.4s
        add         efgh.4s, efgh.4s, saved_efgh.4s
        st1         {v0.4s, v1.4s}, [state]

        movi        v0.4s, #0                                   // leave nothing of message or state behind
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

.purgem sha256_ce_rounds

        .unreq  state
        .unreq  blocks
        .unreq  count
        .unreq  constants
        .unreq  abcd
        .unreq  efgh
        .unreq  saved_abcd
        .unreq  saved_efgh
        .unreq  msg0
        .unreq  msg1
        .unreq  msg2
        .unreq  msg3
        .unreq  old_abcd
        .unreq  WK0
        .unreq  WK1
        .unreq  abcd_q
        .unreq  efgh_q
        .unreq  saved_abcd_q
        .unreq  msg0_q
        .unreq  msg1_q
        .unreq  old_abcd_q
        .unreq  K0
        .unreq  K1
        .unreq  K2
        .unreq  K3
        .unreq  K4
        .unreq  K5
        .unreq  K6
        .unreq  K7
        .unreq  K8
        .unreq  K9
        .unreq  K10
        .unreq  K11
        .unreq  K12
