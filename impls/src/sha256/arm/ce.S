// SHA-256 compression (FIPS 180-4, section 6.2.2) with the AArch32 SHA-2 instructions of ARMv8.

        state          .req    r0
        blocks         .req    r1
        count          .req    r2
        constants      .req    r3
        msg0           .req    q0
        msg1           .req    q1
        msg2           .req    q2
        msg3           .req    q3
        K0             .req    q4
        K1             .req    q5
        K2             .req    q6
        K3             .req    q7
        abcd           .req    q8
        efgh           .req    q9
        saved_abcd     .req    q10
        saved_efgh     .req    q11
        old            .req    q12
        WK             .req    q13
        Ka             .req    q14
        Kb             .req    q15
        .arch armv8-a
        .fpu crypto-neon-fp-armv8
        .cfi_startproc
        cmp count, #0
        bxeq lr
        adr constants, 8f
        vpush {q4-q7}
        .cfi_def_cfa_offset 64
        .cfi_offset d8, -64
        .cfi_offset d9, -56
        .cfi_offset d10, -48
        .cfi_offset d11, -40
        .cfi_offset d12, -32
        .cfi_offset d13, -24
        .cfi_offset d14, -16
        .cfi_offset d15, -8
        vld1.32 {q8-q9}, [state]
        vld1.8 {d0-d3}, [blocks]!
        vld1.8 {d4-d7}, [blocks]!
        vldmia constants!, {q4-q7}
        vrev32.8 msg0, msg0
        vrev32.8 msg1, msg1
        vrev32.8 msg2, msg2
        vrev32.8 msg3, msg3
        vadd.i32 WK, msg0, K0
1:
// quad 0
        vmov saved_abcd, abcd
        sha256h.32 abcd, efgh, WK
        vmov saved_efgh, efgh
        sha256su0.32 msg0, msg1
        sha256h2.32 efgh, saved_abcd, WK
        vadd.i32 WK, msg1, K1
        sha256su1.32 msg0, msg2, msg3
// quad 1
        vmov old, abcd
        sha256h.32 abcd, efgh, WK
        sha256su0.32 msg1, msg2
        sha256h2.32 efgh, old, WK
        vadd.i32 WK, msg2, K2
        sha256su1.32 msg1, msg3, msg0
// quad 2
        vmov old, abcd
        sha256h.32 abcd, efgh, WK
        sha256su0.32 msg2, msg3
        sha256h2.32 efgh, old, WK
        vadd.i32 WK, msg3, K3
        vld1.32 {q14-q15}, [constants]!
        sha256su1.32 msg2, msg0, msg1
// quad 3
        vmov old, abcd
        sha256h.32 abcd, efgh, WK
        sha256su0.32 msg3, msg0
        sha256h2.32 efgh, old, WK
        vadd.i32 WK, msg0, Ka
        sha256su1.32 msg3, msg1, msg2
// quad 4
        vmov old, abcd
        sha256h.32 abcd, efgh, WK
        sha256su0.32 msg0, msg1
        sha256h2.32 efgh, old, WK
        vadd.i32 WK, msg1, Kb
        vld1.32 {q14-q15}, [constants]!
        sha256su1.32 msg0, msg2, msg3
// quad 5
        vmov old, abcd
        sha256h.32 abcd, efgh, WK
        sha256su0.32 msg1, msg2
        sha256h2.32 efgh, old, WK
        vadd.i32 WK, msg2, Ka
        sha256su1.32 msg1, msg3, msg0
// quad 6
        vmov old, abcd
        sha256h.32 abcd, efgh, WK
        sha256su0.32 msg2, msg3
        sha256h2.32 efgh, old, WK
        vadd.i32 WK, msg3, Kb
        vld1.32 {q14-q15}, [constants]!
        sha256su1.32 msg2, msg0, msg1
// quad 7
        vmov old, abcd
        sha256h.32 abcd, efgh, WK
        sha256su0.32 msg3, msg0
        sha256h2.32 efgh, old, WK
        vadd.i32 WK, msg0, Ka
        sha256su1.32 msg3, msg1, msg2
// quad 8
        vmov old, abcd
        sha256h.32 abcd, efgh, WK
        sha256su0.32 msg0, msg1
        sha256h2.32 efgh, old, WK
        vadd.i32 WK, msg1, Kb
        vld1.32 {q14-q15}, [constants]!
        sha256su1.32 msg0, msg2, msg3
// quad 9
        vmov old, abcd
        sha256h.32 abcd, efgh, WK
        sha256su0.32 msg1, msg2
        sha256h2.32 efgh, old, WK
        vadd.i32 WK, msg2, Ka
        sha256su1.32 msg1, msg3, msg0
// quad 10
        vmov old, abcd
        sha256h.32 abcd, efgh, WK
        sha256su0.32 msg2, msg3
        sha256h2.32 efgh, old, WK
        vadd.i32 WK, msg3, Kb
        vld1.32 {q14-q15}, [constants]!
        sha256su1.32 msg2, msg0, msg1
// quad 11
        vmov old, abcd
        sha256h.32 abcd, efgh, WK
        sha256su0.32 msg3, msg0
        sha256h2.32 efgh, old, WK
        vadd.i32 WK, msg0, Ka
        sha256su1.32 msg3, msg1, msg2
// quad 12
        vmov old, abcd
        sha256h.32 abcd, efgh, WK
        sha256h2.32 efgh, old, WK
        vadd.i32 WK, msg1, Kb
        vld1.32 {q14-q15}, [constants]!
        subs count, count, #1
        beq 2f
        vld1.8 {d0-d3}, [blocks]!
// quad 13
        vmov old, abcd
        sha256h.32 abcd, efgh, WK
        sha256h2.32 efgh, old, WK
        vadd.i32 WK, msg2, Ka
        vrev32.8 msg0, msg0
// quad 14
        sub constants, constants, #192
        vmov old, abcd
        sha256h.32 abcd, efgh, WK
        vrev32.8 msg1, msg1
        sha256h2.32 efgh, old, WK
        vadd.i32 WK, msg3, Kb
        vld1.8 {d4-d7}, [blocks]!
// quad 15
        vmov old, abcd
        sha256h.32 abcd, efgh, WK
        sha256h2.32 efgh, old, WK
        vadd.i32 WK, msg0, K0
        vrev32.8 msg2, msg2
        vrev32.8 msg3, msg3
        vadd.i32 abcd, abcd, saved_abcd
        vadd.i32 efgh, efgh, saved_efgh
        b 1b
2:
// quad 13
        vmov old, abcd
        sha256h.32 abcd, efgh, WK
        sha256h2.32 efgh, old, WK
        vadd.i32 WK, msg2, Ka
// quad 14
        sub constants, constants, #192
        vmov old, abcd
        sha256h.32 abcd, efgh, WK
        sha256h2.32 efgh, old, WK
        vadd.i32 WK, msg3, Kb
// quad 15
        vmov old, abcd
        sha256h.32 abcd, efgh, WK
        sha256h2.32 efgh, old, WK
        vadd.i32 abcd, abcd, saved_abcd
        vadd.i32 efgh, efgh, saved_efgh
        vst1.32 {q8-q9}, [state]
        vpop {q4-q7}
        .cfi_def_cfa_offset 0
        vmov.i32 q0, #0
        vmov.i32 q1, #0
        vmov.i32 q2, #0
        vmov.i32 q3, #0
        vmov.i32 q8, #0
        vmov.i32 q9, #0
        vmov.i32 q10, #0
        vmov.i32 q11, #0
        vmov.i32 q12, #0
        vmov.i32 q13, #0
        bx lr
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

        .cfi_endproc
        .unreq  state
        .unreq  blocks
        .unreq  count
        .unreq  constants
        .unreq  msg0
        .unreq  msg1
        .unreq  msg2
        .unreq  msg3
        .unreq  K0
        .unreq  K1
        .unreq  K2
        .unreq  K3
        .unreq  abcd
        .unreq  efgh
        .unreq  saved_abcd
        .unreq  saved_efgh
        .unreq  old
        .unreq  WK
        .unreq  Ka
        .unreq  Kb
        .arch armv7-a
        .fpu vfpv3-d16
