// SHA-256 compression (FIPS 180-4, section 6.2.2) with FEAT_SHA256: one message.

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
        old          .req    v16
        WK0          .req    v17
        WK1          .req    v18
        abcd_q       .req    q0
        efgh_q       .req    q1
        saved_abcd_q .req    q2
        old_q        .req    q16
        WK0_q        .req    q17
        WK1_q        .req    q18
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

        .arch_extension sha2

// Four rounds
        .macro  sha256_ce_even WK, WKn, K, W0, W1, W2, W3
        mov     old.16b, abcd.16b
        sha256h abcd_q, efgh_q, \WK\().4s
        sha256su1 \W3\().4s, \W1\().4s, \W2\().4s
        sha256su0 \W0\().4s, \W1\().4s
        add     \WKn\().4s, \W1\().4s, \K\().4s
        sha256h2 efgh_q, old_q, \WK\().4s
        .endm

        .macro  sha256_ce_odd WK, WKn, K, W0, W1, W2, W3
        mov     old.16b, abcd.16b
        sha256su1 \W3\().4s, \W1\().4s, \W2\().4s
        sha256h abcd_q, efgh_q, \WK\().4s
        sha256h2 efgh_q, old_q, \WK\().4s
        sha256su0 \W0\().4s, \W1\().4s
        add     \WKn\().4s, \W1\().4s, \K\().4s
        .endm

        hint    #34
        cbz     count, 9f
        adr     constants, 8f
        ld1     {v0.4s-v1.4s}, [state]
        ld1     {v4.16b-v7.16b}, [blocks], #64
        ld1     {v19.4s-v22.4s}, [constants], #64
        ld1     {v23.4s-v26.4s}, [constants], #64
        ld1     {v27.4s-v30.4s}, [constants], #64
        ldr     q31, [constants]
        rev32   msg0.16b, msg0.16b
        rev32   msg1.16b, msg1.16b
        rev32   msg2.16b, msg2.16b
        rev32   msg3.16b, msg3.16b
        add     WK0.4s, msg0.4s, K0.4s

1:      mov     saved_abcd.16b, abcd.16b
        sha256h abcd_q, efgh_q, WK0.4s                  // (h keeps efgh)
        mov     saved_efgh.16b, efgh.16b
        sha256su0 msg0.4s, msg1.4s
        add     WK1.4s, msg1.4s, K1.4s
        sha256h2 efgh_q, saved_abcd_q, WK0.4s

        sha256_ce_odd WK1, WK0, K2, msg1, msg2, msg3, msg0
        sha256_ce_even WK0, WK1, K3, msg2, msg3, msg0, msg1
        sha256_ce_odd WK1, WK0, K4, msg3, msg0, msg1, msg2
        sha256_ce_even WK0, WK1, K5, msg0, msg1, msg2, msg3
        sha256_ce_odd WK1, WK0, K6, msg1, msg2, msg3, msg0
        sha256_ce_even WK0, WK1, K7, msg2, msg3, msg0, msg1
        sha256_ce_odd WK1, WK0, K8, msg3, msg0, msg1, msg2
        sha256_ce_even WK0, WK1, K9, msg0, msg1, msg2, msg3
        sha256_ce_odd WK1, WK0, K10, msg1, msg2, msg3, msg0
        sha256_ce_even WK0, WK1, K11, msg2, msg3, msg0, msg1
        sha256_ce_odd WK1, WK0, K12, msg3, msg0, msg1, msg2
        // 12
        mov     old.16b, abcd.16b
        sha256h abcd_q, efgh_q, WK0.4s
        sha256su1 msg3.4s, msg1.4s, msg2.4s
        ldr     WK1_q, [constants, #16]
        add     WK1.4s, msg1.4s, WK1.4s
        sha256h2 efgh_q, old_q, WK0.4s
        ldr     WK0_q, [constants, #32]
        subs    count, count, #1
        b.eq    2f

        mov     old.16b, abcd.16b
        add     WK0.4s, msg2.4s, WK0.4s
        sha256h abcd_q, efgh_q, WK1.4s
        sha256h2 efgh_q, old_q, WK1.4s
        ldr     WK1_q, [constants, #48]

        mov     old.16b, abcd.16b
        add     WK1.4s, msg3.4s, WK1.4s
        ld1     {v4.16b-v7.16b}, [blocks], #64
        sha256h abcd_q, efgh_q, WK0.4s
        sha256h2 efgh_q, old_q, WK0.4s

        mov     old.16b, abcd.16b
        rev32   msg0.16b, msg0.16b
        sha256h abcd_q, efgh_q, WK1.4s
        sha256h2 efgh_q, old_q, WK1.4s
        rev32   msg1.16b, msg1.16b
        rev32   msg2.16b, msg2.16b
        rev32   msg3.16b, msg3.16b
        add     WK0.4s, msg0.4s, K0.4s
        add     abcd.4s, abcd.4s, saved_abcd.4s
        add     efgh.4s, efgh.4s, saved_efgh.4s
        b       1b


2:      mov     old.16b, abcd.16b
        add     WK0.4s, msg2.4s, WK0.4s
        sha256h abcd_q, efgh_q, WK1.4s
        sha256h2 efgh_q, old_q, WK1.4s
        ldr     WK1_q, [constants, #48]

        mov     old.16b, abcd.16b
        add     WK1.4s, msg3.4s, WK1.4s
        sha256h abcd_q, efgh_q, WK0.4s
        sha256h2 efgh_q, old_q, WK0.4s

        mov     old.16b, abcd.16b
        sha256h abcd_q, efgh_q, WK1.4s
        sha256h2 efgh_q, old_q, WK1.4s
        add     abcd.4s, abcd.4s, saved_abcd.4s
        add     efgh.4s, efgh.4s, saved_efgh.4s
        st1     {v0.4s-v1.4s}, [state]

        movi    v0.4s, #0
        movi    v1.4s, #0
        movi    v2.4s, #0
        movi    v3.4s, #0
        movi    v4.4s, #0
        movi    v5.4s, #0
        movi    v6.4s, #0
        movi    v7.4s, #0
        movi    v16.4s, #0
        movi    v17.4s, #0
        movi    v18.4s, #0
9:      ret

        .balign 16
8:
        .word   0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5
        .word   0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5
        .word   0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3
        .word   0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174
        .word   0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc
        .word   0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da
        .word   0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7
        .word   0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967
        .word   0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13
        .word   0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85
        .word   0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3
        .word   0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070
        .word   0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5
        .word   0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3
        .word   0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208
        .word   0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2

        .arch_extension nosha2
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
        .unreq  old
        .unreq  WK0
        .unreq  WK1
        .unreq  abcd_q
        .unreq  efgh_q
        .unreq  saved_abcd_q
        .unreq  old_q
        .unreq  WK0_q
        .unreq  WK1_q
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
        .purgem sha256_ce_even
        .purgem sha256_ce_odd
