// SHA-256 compression (FIPS 180-4, section 6.2.2) with FEAT_SHA256: two independent messages, interleaved.

        state0         .req    x0
        state1         .req    x1
        blocks0        .req    x2
        blocks1        .req    x3
        count          .req    x4
        constants      .req    x5
        msg0_0         .req    v0
        msg0_1         .req    v1
        msg0_2         .req    v2
        msg0_3         .req    v3
        msg1_0         .req    v4
        msg1_1         .req    v5
        msg1_2         .req    v6
        msg1_3         .req    v7
        abcd0          .req    v16
        efgh0          .req    v17
        abcd1          .req    v18
        efgh1          .req    v19
        saved_abcd0    .req    v20
        saved_efgh0    .req    v21
        saved_abcd1    .req    v22
        saved_efgh1    .req    v23
        old0           .req    v24
        old1           .req    v25
        WK0            .req    v26
        WK1            .req    v27
        K0             .req    v28
        K1             .req    v29
        K2             .req    v30
        K3             .req    v31
        abcd0_q        .req    q16
        efgh0_q        .req    q17
        abcd1_q        .req    q18
        efgh1_q        .req    q19
        saved_abcd0_q  .req    q20
        saved_abcd1_q  .req    q22
        old0_q         .req    q24
        old1_q         .req    q25
        K0_q           .req    q28
        K1_q           .req    q29
        K2_q           .req    q30
        K3_q           .req    q31
        .arch_extension sha2
        hint    #34
        cbz     count, 9f
        adr     constants, 8f
        ld1 {v16.4s-v17.4s}, [state0]
        ld1 {v18.4s-v19.4s}, [state1]
        ld1 {v0.16b-v3.16b}, [blocks0], #64
        ld1 {v4.16b-v7.16b}, [blocks1], #64
        ldp K0_q, K1_q, [constants]
        rev32 msg0_0.16b, msg0_0.16b
        rev32 msg0_1.16b, msg0_1.16b
        rev32 msg0_2.16b, msg0_2.16b
        rev32 msg0_3.16b, msg0_3.16b
        rev32 msg1_0.16b, msg1_0.16b
        rev32 msg1_1.16b, msg1_1.16b
        rev32 msg1_2.16b, msg1_2.16b
        rev32 msg1_3.16b, msg1_3.16b
        add WK0.4s, msg0_0.4s, K0.4s
        add WK1.4s, msg1_0.4s, K0.4s
1:
// quad 0
        ldp K2_q, K3_q, [constants, #32]
        mov saved_abcd0.16b, abcd0.16b
        sha256h abcd0_q, efgh0_q, WK0.4s
        mov saved_efgh0.16b, efgh0.16b
        mov saved_abcd1.16b, abcd1.16b
        sha256h abcd1_q, efgh1_q, WK1.4s
        mov saved_efgh1.16b, efgh1.16b
        sha256su0 msg0_0.4s, msg0_1.4s
        sha256su0 msg1_0.4s, msg1_1.4s
        sha256h2 efgh0_q, saved_abcd0_q, WK0.4s
        add WK0.4s, msg0_1.4s, K1.4s
        sha256h2 efgh1_q, saved_abcd1_q, WK1.4s
        add WK1.4s, msg1_1.4s, K1.4s
        sha256su1 msg0_0.4s, msg0_2.4s, msg0_3.4s
        sha256su1 msg1_0.4s, msg1_2.4s, msg1_3.4s
// quad 1
        mov old0.16b, abcd0.16b
        sha256h abcd0_q, efgh0_q, WK0.4s
        mov old1.16b, abcd1.16b
        sha256h abcd1_q, efgh1_q, WK1.4s
        sha256su0 msg0_1.4s, msg0_2.4s
        sha256su0 msg1_1.4s, msg1_2.4s
        sha256h2 efgh0_q, old0_q, WK0.4s
        add WK0.4s, msg0_2.4s, K2.4s
        sha256h2 efgh1_q, old1_q, WK1.4s
        add WK1.4s, msg1_2.4s, K2.4s
        sha256su1 msg0_1.4s, msg0_3.4s, msg0_0.4s
        sha256su1 msg1_1.4s, msg1_3.4s, msg1_0.4s
// quad 2
        ldp K0_q, K1_q, [constants, #64]
        mov old0.16b, abcd0.16b
        sha256h abcd0_q, efgh0_q, WK0.4s
        mov old1.16b, abcd1.16b
        sha256h abcd1_q, efgh1_q, WK1.4s
        sha256su0 msg0_2.4s, msg0_3.4s
        sha256su0 msg1_2.4s, msg1_3.4s
        sha256h2 efgh0_q, old0_q, WK0.4s
        add WK0.4s, msg0_3.4s, K3.4s
        sha256h2 efgh1_q, old1_q, WK1.4s
        add WK1.4s, msg1_3.4s, K3.4s
        sha256su1 msg0_2.4s, msg0_0.4s, msg0_1.4s
        sha256su1 msg1_2.4s, msg1_0.4s, msg1_1.4s
// quad 3
        mov old0.16b, abcd0.16b
        sha256h abcd0_q, efgh0_q, WK0.4s
        mov old1.16b, abcd1.16b
        sha256h abcd1_q, efgh1_q, WK1.4s
        sha256su0 msg0_3.4s, msg0_0.4s
        sha256su0 msg1_3.4s, msg1_0.4s
        sha256h2 efgh0_q, old0_q, WK0.4s
        add WK0.4s, msg0_0.4s, K0.4s
        sha256h2 efgh1_q, old1_q, WK1.4s
        add WK1.4s, msg1_0.4s, K0.4s
        sha256su1 msg0_3.4s, msg0_1.4s, msg0_2.4s
        sha256su1 msg1_3.4s, msg1_1.4s, msg1_2.4s
// quad 4
        ldp K2_q, K3_q, [constants, #96]
        mov old0.16b, abcd0.16b
        sha256h abcd0_q, efgh0_q, WK0.4s
        mov old1.16b, abcd1.16b
        sha256h abcd1_q, efgh1_q, WK1.4s
        sha256su0 msg0_0.4s, msg0_1.4s
        sha256su0 msg1_0.4s, msg1_1.4s
        sha256h2 efgh0_q, old0_q, WK0.4s
        add WK0.4s, msg0_1.4s, K1.4s
        sha256h2 efgh1_q, old1_q, WK1.4s
        add WK1.4s, msg1_1.4s, K1.4s
        sha256su1 msg0_0.4s, msg0_2.4s, msg0_3.4s
        sha256su1 msg1_0.4s, msg1_2.4s, msg1_3.4s
// quad 5
        mov old0.16b, abcd0.16b
        sha256h abcd0_q, efgh0_q, WK0.4s
        mov old1.16b, abcd1.16b
        sha256h abcd1_q, efgh1_q, WK1.4s
        sha256su0 msg0_1.4s, msg0_2.4s
        sha256su0 msg1_1.4s, msg1_2.4s
        sha256h2 efgh0_q, old0_q, WK0.4s
        add WK0.4s, msg0_2.4s, K2.4s
        sha256h2 efgh1_q, old1_q, WK1.4s
        add WK1.4s, msg1_2.4s, K2.4s
        sha256su1 msg0_1.4s, msg0_3.4s, msg0_0.4s
        sha256su1 msg1_1.4s, msg1_3.4s, msg1_0.4s
// quad 6
        ldp K0_q, K1_q, [constants, #128]
        mov old0.16b, abcd0.16b
        sha256h abcd0_q, efgh0_q, WK0.4s
        mov old1.16b, abcd1.16b
        sha256h abcd1_q, efgh1_q, WK1.4s
        sha256su0 msg0_2.4s, msg0_3.4s
        sha256su0 msg1_2.4s, msg1_3.4s
        sha256h2 efgh0_q, old0_q, WK0.4s
        add WK0.4s, msg0_3.4s, K3.4s
        sha256h2 efgh1_q, old1_q, WK1.4s
        add WK1.4s, msg1_3.4s, K3.4s
        sha256su1 msg0_2.4s, msg0_0.4s, msg0_1.4s
        sha256su1 msg1_2.4s, msg1_0.4s, msg1_1.4s
// quad 7
        mov old0.16b, abcd0.16b
        sha256h abcd0_q, efgh0_q, WK0.4s
        mov old1.16b, abcd1.16b
        sha256h abcd1_q, efgh1_q, WK1.4s
        sha256su0 msg0_3.4s, msg0_0.4s
        sha256su0 msg1_3.4s, msg1_0.4s
        sha256h2 efgh0_q, old0_q, WK0.4s
        add WK0.4s, msg0_0.4s, K0.4s
        sha256h2 efgh1_q, old1_q, WK1.4s
        add WK1.4s, msg1_0.4s, K0.4s
        sha256su1 msg0_3.4s, msg0_1.4s, msg0_2.4s
        sha256su1 msg1_3.4s, msg1_1.4s, msg1_2.4s
// quad 8
        ldp K2_q, K3_q, [constants, #160]
        mov old0.16b, abcd0.16b
        sha256h abcd0_q, efgh0_q, WK0.4s
        mov old1.16b, abcd1.16b
        sha256h abcd1_q, efgh1_q, WK1.4s
        sha256su0 msg0_0.4s, msg0_1.4s
        sha256su0 msg1_0.4s, msg1_1.4s
        sha256h2 efgh0_q, old0_q, WK0.4s
        add WK0.4s, msg0_1.4s, K1.4s
        sha256h2 efgh1_q, old1_q, WK1.4s
        add WK1.4s, msg1_1.4s, K1.4s
        sha256su1 msg0_0.4s, msg0_2.4s, msg0_3.4s
        sha256su1 msg1_0.4s, msg1_2.4s, msg1_3.4s
// quad 9
        mov old0.16b, abcd0.16b
        sha256h abcd0_q, efgh0_q, WK0.4s
        mov old1.16b, abcd1.16b
        sha256h abcd1_q, efgh1_q, WK1.4s
        sha256su0 msg0_1.4s, msg0_2.4s
        sha256su0 msg1_1.4s, msg1_2.4s
        sha256h2 efgh0_q, old0_q, WK0.4s
        add WK0.4s, msg0_2.4s, K2.4s
        sha256h2 efgh1_q, old1_q, WK1.4s
        add WK1.4s, msg1_2.4s, K2.4s
        sha256su1 msg0_1.4s, msg0_3.4s, msg0_0.4s
        sha256su1 msg1_1.4s, msg1_3.4s, msg1_0.4s
// quad 10
        ldp K0_q, K1_q, [constants, #192]
        mov old0.16b, abcd0.16b
        sha256h abcd0_q, efgh0_q, WK0.4s
        mov old1.16b, abcd1.16b
        sha256h abcd1_q, efgh1_q, WK1.4s
        sha256su0 msg0_2.4s, msg0_3.4s
        sha256su0 msg1_2.4s, msg1_3.4s
        sha256h2 efgh0_q, old0_q, WK0.4s
        add WK0.4s, msg0_3.4s, K3.4s
        sha256h2 efgh1_q, old1_q, WK1.4s
        add WK1.4s, msg1_3.4s, K3.4s
        sha256su1 msg0_2.4s, msg0_0.4s, msg0_1.4s
        sha256su1 msg1_2.4s, msg1_0.4s, msg1_1.4s
// quad 11
        mov old0.16b, abcd0.16b
        sha256h abcd0_q, efgh0_q, WK0.4s
        mov old1.16b, abcd1.16b
        sha256h abcd1_q, efgh1_q, WK1.4s
        sha256su0 msg0_3.4s, msg0_0.4s
        sha256su0 msg1_3.4s, msg1_0.4s
        sha256h2 efgh0_q, old0_q, WK0.4s
        add WK0.4s, msg0_0.4s, K0.4s
        sha256h2 efgh1_q, old1_q, WK1.4s
        add WK1.4s, msg1_0.4s, K0.4s
        sha256su1 msg0_3.4s, msg0_1.4s, msg0_2.4s
        sha256su1 msg1_3.4s, msg1_1.4s, msg1_2.4s
// quad 12
        ldp K2_q, K3_q, [constants, #224]
        mov old0.16b, abcd0.16b
        sha256h abcd0_q, efgh0_q, WK0.4s
        mov old1.16b, abcd1.16b
        sha256h abcd1_q, efgh1_q, WK1.4s
        sha256h2 efgh0_q, old0_q, WK0.4s
        add WK0.4s, msg0_1.4s, K1.4s
        sha256h2 efgh1_q, old1_q, WK1.4s
        add WK1.4s, msg1_1.4s, K1.4s
        subs count, count, #1
        b.eq 2f
        ld1 {v0.16b-v1.16b}, [blocks0], #32
        ld1 {v4.16b-v5.16b}, [blocks1], #32
// quad 13
        mov old0.16b, abcd0.16b
        sha256h abcd0_q, efgh0_q, WK0.4s
        mov old1.16b, abcd1.16b
        sha256h abcd1_q, efgh1_q, WK1.4s
        sha256h2 efgh0_q, old0_q, WK0.4s
        add WK0.4s, msg0_2.4s, K2.4s
        sha256h2 efgh1_q, old1_q, WK1.4s
        add WK1.4s, msg1_2.4s, K2.4s
        rev32 msg0_0.16b, msg0_0.16b
        rev32 msg0_1.16b, msg0_1.16b
// quad 14
        ldp K0_q, K1_q, [constants]
        mov old0.16b, abcd0.16b
        sha256h abcd0_q, efgh0_q, WK0.4s
        mov old1.16b, abcd1.16b
        sha256h abcd1_q, efgh1_q, WK1.4s
        rev32 msg1_0.16b, msg1_0.16b
        rev32 msg1_1.16b, msg1_1.16b
        sha256h2 efgh0_q, old0_q, WK0.4s
        add WK0.4s, msg0_3.4s, K3.4s
        sha256h2 efgh1_q, old1_q, WK1.4s
        add WK1.4s, msg1_3.4s, K3.4s
        ld1 {v2.16b-v3.16b}, [blocks0], #32
        ld1 {v6.16b-v7.16b}, [blocks1], #32
// quad 15
        mov old0.16b, abcd0.16b
        sha256h abcd0_q, efgh0_q, WK0.4s
        mov old1.16b, abcd1.16b
        sha256h abcd1_q, efgh1_q, WK1.4s
        sha256h2 efgh0_q, old0_q, WK0.4s
        add WK0.4s, msg0_0.4s, K0.4s
        sha256h2 efgh1_q, old1_q, WK1.4s
        add WK1.4s, msg1_0.4s, K0.4s
        rev32 msg0_2.16b, msg0_2.16b
        rev32 msg0_3.16b, msg0_3.16b
        rev32 msg1_2.16b, msg1_2.16b
        rev32 msg1_3.16b, msg1_3.16b
        add abcd0.4s, abcd0.4s, saved_abcd0.4s
        add efgh0.4s, efgh0.4s, saved_efgh0.4s
        add abcd1.4s, abcd1.4s, saved_abcd1.4s
        add efgh1.4s, efgh1.4s, saved_efgh1.4s
        b 1b
2:
// quad 13
        mov old0.16b, abcd0.16b
        sha256h abcd0_q, efgh0_q, WK0.4s
        mov old1.16b, abcd1.16b
        sha256h abcd1_q, efgh1_q, WK1.4s
        sha256h2 efgh0_q, old0_q, WK0.4s
        add WK0.4s, msg0_2.4s, K2.4s
        sha256h2 efgh1_q, old1_q, WK1.4s
        add WK1.4s, msg1_2.4s, K2.4s
// quad 14
        mov old0.16b, abcd0.16b
        sha256h abcd0_q, efgh0_q, WK0.4s
        mov old1.16b, abcd1.16b
        sha256h abcd1_q, efgh1_q, WK1.4s
        sha256h2 efgh0_q, old0_q, WK0.4s
        add WK0.4s, msg0_3.4s, K3.4s
        sha256h2 efgh1_q, old1_q, WK1.4s
        add WK1.4s, msg1_3.4s, K3.4s
// quad 15
        mov old0.16b, abcd0.16b
        sha256h abcd0_q, efgh0_q, WK0.4s
        mov old1.16b, abcd1.16b
        sha256h abcd1_q, efgh1_q, WK1.4s
        sha256h2 efgh0_q, old0_q, WK0.4s
        sha256h2 efgh1_q, old1_q, WK1.4s
        add abcd0.4s, abcd0.4s, saved_abcd0.4s
        add efgh0.4s, efgh0.4s, saved_efgh0.4s
        add abcd1.4s, abcd1.4s, saved_abcd1.4s
        add efgh1.4s, efgh1.4s, saved_efgh1.4s
        st1 {v16.4s-v17.4s}, [state0]
        st1 {v18.4s-v19.4s}, [state1]
        movi v0.4s, #0
        movi v1.4s, #0
        movi v2.4s, #0
        movi v3.4s, #0
        movi v4.4s, #0
        movi v5.4s, #0
        movi v6.4s, #0
        movi v7.4s, #0
        movi v16.4s, #0
        movi v17.4s, #0
        movi v18.4s, #0
        movi v19.4s, #0
        movi v20.4s, #0
        movi v21.4s, #0
        movi v22.4s, #0
        movi v23.4s, #0
        movi v24.4s, #0
        movi v25.4s, #0
        movi v26.4s, #0
        movi v27.4s, #0
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
        .unreq  state0
        .unreq  state1
        .unreq  blocks0
        .unreq  blocks1
        .unreq  count
        .unreq  constants
        .unreq  msg0_0
        .unreq  msg0_1
        .unreq  msg0_2
        .unreq  msg0_3
        .unreq  msg1_0
        .unreq  msg1_1
        .unreq  msg1_2
        .unreq  msg1_3
        .unreq  abcd0
        .unreq  efgh0
        .unreq  abcd1
        .unreq  efgh1
        .unreq  saved_abcd0
        .unreq  saved_efgh0
        .unreq  saved_abcd1
        .unreq  saved_efgh1
        .unreq  old0
        .unreq  old1
        .unreq  WK0
        .unreq  WK1
        .unreq  K0
        .unreq  K1
        .unreq  K2
        .unreq  K3
        .unreq  abcd0_q
        .unreq  efgh0_q
        .unreq  abcd1_q
        .unreq  efgh1_q
        .unreq  saved_abcd0_q
        .unreq  saved_abcd1_q
        .unreq  old0_q
        .unreq  old1_q
        .unreq  K0_q
        .unreq  K1_q
        .unreq  K2_q
        .unreq  K3_q
