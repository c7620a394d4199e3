// SHA-384, SHA-512, SHA-512/224 and SHA-512/256 compression with FEAT_SHA512, one message
//
//     compress(state: *mut [u64; 8], blocks: *const u8, count: usize)
//
// For each of the count blocks of 128 bytes: state = state + rounds(state, block), as FIPS 180-4, section 6.4.2
// (constants: section 4.2.3). The state is a .. h as native words, the message is big-endian bytes at any address.
// With count = 0 no memory is touched.
//
// Technique. The state is four vectors ab, cd, ef, gh with a, c, e, g in the lower half. W(i) is the vector of the
// schedule words 2i, 2i+1, K(i) that of the constants, i = 0 .. 39:
//     W(i+8) = SHA512SU1(SHA512SU0(W(i), W(i+1)), W(i+7), W(i+4, 5)),
// in place of W(i), where W(i+4, 5) is the upper half of W(i+4) and the lower one of W(i+5). Two rounds, with x' for x
// after them:
//     ef' = cd + T1,    ab' = T1 + T2,    cd' = ab,    gh' = ef.
// SHA512H, meant to compute T1 from [f, g], [d, e] and gh + W(i) + K(i), adds d on its way from the first round to the
// second, where it needs e. Given [0, e] for [d, e], and cd as a further addend, it yields cd + T1 = ef', and the T1
// for SHA512H2 is ef' - cd. From e to the next e two latencies are left, of SHA512H and one EXT; cd is known two rounds
// ahead. SHA512H2 stands behind SHA512H of the next two rounds, which becomes ready at the same time and has the longer
// way to go; hence six registers, not five, rotate through the roles of the state.
//
// The first four rounds leave the chaining value in its registers for the addition at the end.
//
// Registers
//     x0       state                       v0 .. v7    W(i), i mod 8 = 0 .. 7
//     x1       next block                  v16 .. v19  ab, cd, ef, gh at the start of the block
//     x2       blocks left                 v20 .. v25  ab (T1 before SHA512H2), cd, ef, gh, cd before and the next
//     x3       constants                               ef, in changing roles
//                                          v26         [f, g]; W(i+4, 5)
//                                          v27         [0, 0]
//                                          v28 .. v31  K(i), W(i) + K(i), i mod 4 = 0 .. 3
// v8 .. v15 and the stack are not used.
//
// Cleared before return: v0 .. v7, v16 .. v31, by loading constants, four registers an instruction. All else that is
// written holds addresses or the count.

        .arch_extension sha3

        state        .req    x0
        blocks       .req    x1
        count        .req    x2
        constants    .req    x3

        msg0         .req    v0
        msg1         .req    v1
        msg2         .req    v2
        msg3         .req    v3
        msg4         .req    v4
        msg5         .req    v5
        msg6         .req    v6
        msg7         .req    v7

        saved_ab     .req    v16
        saved_cd     .req    v17
        saved_ef     .req    v18
        saved_gh     .req    v19
        st0          .req    v20
        st1          .req    v21
        st2          .req    v22
        st3          .req    v23
        st4          .req    v24
        st5          .req    v25
        mid          .req    v26
        zero         .req    v27
        WK0          .req    v28
        WK1          .req    v29
        WK2          .req    v30
        WK3          .req    v31

        saved_cd_q   .req    q17
        saved_ab_q   .req    q16
        st0_q        .req    q20
        st1_q        .req    q21
        st2_q        .req    q22
        st3_q        .req    q23
        st4_q        .req    q24
        st5_q        .req    q25
        mid_q        .req    q26

// Rounds 2i, 2i+1, and SHA512H2 of the two rounds before. In: WK = K(i), W = W(i), ab = T1 of the two rounds before,
// oldcd = cd before those. Out: newef = ef', T1 = T1; T1 may be gh.
.macro  sha512_ce_rounds WK, W, ab, cd, ef, gh, oldcd, newef, T1
        add         \WK\().2d, \WK\().2d, \W\().2d
        ext         \WK\().16b, \WK\().16b, \WK\().16b, #8              // [W(2i+1) + K(2i+1), W(2i) + K(2i)]
        add         \WK\().2d, \WK\().2d, \gh\().2d
        add         \newef\().2d, \WK\().2d, \cd\().2d                  // gh + cd + W(i) + K(i)
        ext         mid.16b, \ef\().16b, \gh\().16b, #8                 // [f, g]
        ext         \T1\().16b, zero.16b, \ef\().16b, #8                // [0, e]
        sha512h     \newef\()_q, mid_q, \T1\().2d                       // ef' = cd + T1
  .ifnc \oldcd, none
        sha512h2    \ab\()_q, \oldcd\()_q, \cd\().2d                    // ab = T1 + T2
  .endif
        sub         \T1\().2d, \newef\().2d, \cd\().2d
.endm

// W(i+8) from W(i), W(i+1), W(i+4), W(i+5), W(i+7), in place of W(i).
.macro  sha512_ce_schedule W0, W1, W4, W5, W7
        ext         mid.16b, \W4\().16b, \W5\().16b, #8
        sha512su0   \W0\().2d, \W1\().2d
        sha512su1   \W0\().2d, \W7\().2d, mid.2d
.endm

        .cfi_startproc
        hint        #34                                                 // bti c
        cbz         count, 9f
        movi        zero.2d, #0
        ld1         {v16.2d - v19.2d}, [state]

1:      ld1         {v0.16b - v3.16b}, [blocks], #64                    // W(0) .. W(7)
        ld1         {v4.16b - v7.16b}, [blocks], #64
        sub         count, count, #1
        adr         constants, 8f
        rev64       msg0.16b, msg0.16b                                  // from big-endian
        rev64       msg1.16b, msg1.16b
        rev64       msg2.16b, msg2.16b
        rev64       msg3.16b, msg3.16b
        rev64       msg4.16b, msg4.16b
        rev64       msg5.16b, msg5.16b
        rev64       msg6.16b, msg6.16b
        rev64       msg7.16b, msg7.16b

        ld1         {v28.2d - v31.2d}, [constants], #64                 // K(0) .. K(3)
        sha512_ce_rounds   WK0, msg0, saved_ab, saved_cd, saved_ef, saved_gh, none,     st0, st1
        sha512_ce_schedule msg0, msg1, msg4, msg5, msg7
        sha512_ce_rounds   WK1, msg1, st1,      saved_ab, st0,      saved_ef, saved_cd, st2, st3
        sha512_ce_schedule msg1, msg2, msg5, msg6, msg0
        sha512_ce_rounds   WK2, msg2, st3,      st1,      st2,      st0,      saved_ab, st4, st0
        sha512_ce_schedule msg2, msg3, msg6, msg7, msg1
        sha512_ce_rounds   WK3, msg3, st0,      st3,      st4,      st2,      st1,      st5, st2
        sha512_ce_schedule msg3, msg4, msg7, msg0, msg2

        ld1         {v28.2d - v31.2d}, [constants], #64                 // K(4) .. K(7)
        sha512_ce_rounds   WK0, msg4, st2,      st0,      st5,      st4,      st3,      st1, st4
        sha512_ce_schedule msg4, msg5, msg0, msg1, msg3
        sha512_ce_rounds   WK1, msg5, st4,      st2,      st1,      st5,      st0,      st3, st5
        sha512_ce_schedule msg5, msg6, msg1, msg2, msg4
        sha512_ce_rounds   WK2, msg6, st5,      st4,      st3,      st1,      st2,      st0, st1
        sha512_ce_schedule msg6, msg7, msg2, msg3, msg5
        sha512_ce_rounds   WK3, msg7, st1,      st5,      st0,      st3,      st4,      st2, st3
        sha512_ce_schedule msg7, msg0, msg3, msg4, msg6

        ld1         {v28.2d - v31.2d}, [constants], #64                 // K(8) .. K(11)
        sha512_ce_rounds   WK0, msg0, st3,      st1,      st2,      st0,      st5,      st4, st0
        sha512_ce_schedule msg0, msg1, msg4, msg5, msg7
        sha512_ce_rounds   WK1, msg1, st0,      st3,      st4,      st2,      st1,      st5, st2
        sha512_ce_schedule msg1, msg2, msg5, msg6, msg0
        sha512_ce_rounds   WK2, msg2, st2,      st0,      st5,      st4,      st3,      st1, st4
        sha512_ce_schedule msg2, msg3, msg6, msg7, msg1
        sha512_ce_rounds   WK3, msg3, st4,      st2,      st1,      st5,      st0,      st3, st5
        sha512_ce_schedule msg3, msg4, msg7, msg0, msg2

        ld1         {v28.2d - v31.2d}, [constants], #64                 // K(12) .. K(15)
        sha512_ce_rounds   WK0, msg4, st5,      st4,      st3,      st1,      st2,      st0, st1
        sha512_ce_schedule msg4, msg5, msg0, msg1, msg3
        sha512_ce_rounds   WK1, msg5, st1,      st5,      st0,      st3,      st4,      st2, st3
        sha512_ce_schedule msg5, msg6, msg1, msg2, msg4
        sha512_ce_rounds   WK2, msg6, st3,      st1,      st2,      st0,      st5,      st4, st0
        sha512_ce_schedule msg6, msg7, msg2, msg3, msg5
        sha512_ce_rounds   WK3, msg7, st0,      st3,      st4,      st2,      st1,      st5, st2
        sha512_ce_schedule msg7, msg0, msg3, msg4, msg6

        ld1         {v28.2d - v31.2d}, [constants], #64                 // K(16) .. K(19)
        sha512_ce_rounds   WK0, msg0, st2,      st0,      st5,      st4,      st3,      st1, st4
        sha512_ce_schedule msg0, msg1, msg4, msg5, msg7
        sha512_ce_rounds   WK1, msg1, st4,      st2,      st1,      st5,      st0,      st3, st5
        sha512_ce_schedule msg1, msg2, msg5, msg6, msg0
        sha512_ce_rounds   WK2, msg2, st5,      st4,      st3,      st1,      st2,      st0, st1
        sha512_ce_schedule msg2, msg3, msg6, msg7, msg1
        sha512_ce_rounds   WK3, msg3, st1,      st5,      st0,      st3,      st4,      st2, st3
        sha512_ce_schedule msg3, msg4, msg7, msg0, msg2

        ld1         {v28.2d - v31.2d}, [constants], #64                 // K(20) .. K(23)
        sha512_ce_rounds   WK0, msg4, st3,      st1,      st2,      st0,      st5,      st4, st0
        sha512_ce_schedule msg4, msg5, msg0, msg1, msg3
        sha512_ce_rounds   WK1, msg5, st0,      st3,      st4,      st2,      st1,      st5, st2
        sha512_ce_schedule msg5, msg6, msg1, msg2, msg4
        sha512_ce_rounds   WK2, msg6, st2,      st0,      st5,      st4,      st3,      st1, st4
        sha512_ce_schedule msg6, msg7, msg2, msg3, msg5
        sha512_ce_rounds   WK3, msg7, st4,      st2,      st1,      st5,      st0,      st3, st5
        sha512_ce_schedule msg7, msg0, msg3, msg4, msg6

        ld1         {v28.2d - v31.2d}, [constants], #64                 // K(24) .. K(27)
        sha512_ce_rounds   WK0, msg0, st5,      st4,      st3,      st1,      st2,      st0, st1
        sha512_ce_schedule msg0, msg1, msg4, msg5, msg7
        sha512_ce_rounds   WK1, msg1, st1,      st5,      st0,      st3,      st4,      st2, st3
        sha512_ce_schedule msg1, msg2, msg5, msg6, msg0
        sha512_ce_rounds   WK2, msg2, st3,      st1,      st2,      st0,      st5,      st4, st0
        sha512_ce_schedule msg2, msg3, msg6, msg7, msg1
        sha512_ce_rounds   WK3, msg3, st0,      st3,      st4,      st2,      st1,      st5, st2
        sha512_ce_schedule msg3, msg4, msg7, msg0, msg2

        ld1         {v28.2d - v31.2d}, [constants], #64                 // K(28) .. K(31)
        sha512_ce_rounds   WK0, msg4, st2,      st0,      st5,      st4,      st3,      st1, st4
        sha512_ce_schedule msg4, msg5, msg0, msg1, msg3
        sha512_ce_rounds   WK1, msg5, st4,      st2,      st1,      st5,      st0,      st3, st5
        sha512_ce_schedule msg5, msg6, msg1, msg2, msg4
        sha512_ce_rounds   WK2, msg6, st5,      st4,      st3,      st1,      st2,      st0, st1
        sha512_ce_schedule msg6, msg7, msg2, msg3, msg5
        sha512_ce_rounds   WK3, msg7, st1,      st5,      st0,      st3,      st4,      st2, st3
        sha512_ce_schedule msg7, msg0, msg3, msg4, msg6

        ld1         {v28.2d - v31.2d}, [constants], #64                 // K(32) .. K(35)
        sha512_ce_rounds   WK0, msg0, st3,      st1,      st2,      st0,      st5,      st4, st0
        sha512_ce_rounds   WK1, msg1, st0,      st3,      st4,      st2,      st1,      st5, st2
        sha512_ce_rounds   WK2, msg2, st2,      st0,      st5,      st4,      st3,      st1, st4
        sha512_ce_rounds   WK3, msg3, st4,      st2,      st1,      st5,      st0,      st3, st5

        ld1         {v28.2d - v31.2d}, [constants]                      // K(36) .. K(39)
        sha512_ce_rounds   WK0, msg4, st5,      st4,      st3,      st1,      st2,      st0, st1
        sha512_ce_rounds   WK1, msg5, st1,      st5,      st0,      st3,      st4,      st2, st3
        sha512_ce_rounds   WK2, msg6, st3,      st1,      st2,      st0,      st5,      st4, st0
        sha512_ce_rounds   WK3, msg7, st0,      st3,      st4,      st2,      st1,      st5, st2
        sha512h2    st2_q, st3_q, st0.2d

        add         saved_ab.2d, saved_ab.2d, st2.2d
        add         saved_cd.2d, saved_cd.2d, st0.2d
        add         saved_ef.2d, saved_ef.2d, st5.2d
        add         saved_gh.2d, saved_gh.2d, st4.2d
        cbnz        count, 1b

        st1         {v16.2d - v19.2d}, [state]

        ld1         {v0.2d - v3.2d}, [constants]                        // constants where secrets were
        ld1         {v4.2d - v7.2d}, [constants]
        ld1         {v16.2d - v19.2d}, [constants]
        ld1         {v20.2d - v23.2d}, [constants]
        ld1         {v24.2d - v27.2d}, [constants]
        ld1         {v28.2d - v31.2d}, [constants]
9:      ret
        .cfi_endproc

        .balign     16
8:                                                                      // K, FIPS 180-4, section 4.2.3
        .quad       0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc
        .quad       0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118
        .quad       0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2
        .quad       0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694
        .quad       0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65
        .quad       0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5
        .quad       0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4
        .quad       0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70
        .quad       0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df
        .quad       0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b
        .quad       0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30
        .quad       0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8
        .quad       0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8
        .quad       0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3
        .quad       0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec
        .quad       0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b
        .quad       0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178
        .quad       0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b
        .quad       0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c
        .quad       0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817

.purgem sha512_ce_rounds
.purgem sha512_ce_schedule

        .unreq  state
        .unreq  blocks
        .unreq  count
        .unreq  constants
        .unreq  msg0
        .unreq  msg1
        .unreq  msg2
        .unreq  msg3
        .unreq  msg4
        .unreq  msg5
        .unreq  msg6
        .unreq  msg7
        .unreq  saved_ab
        .unreq  saved_cd
        .unreq  saved_ef
        .unreq  saved_gh
        .unreq  st0
        .unreq  st1
        .unreq  st2
        .unreq  st3
        .unreq  st4
        .unreq  st5
        .unreq  mid
        .unreq  zero
        .unreq  WK0
        .unreq  WK1
        .unreq  WK2
        .unreq  WK3
        .unreq  saved_cd_q
        .unreq  saved_ab_q
        .unreq  st0_q
        .unreq  st1_q
        .unreq  st2_q
        .unreq  st3_q
        .unreq  st4_q
        .unreq  st5_q
        .unreq  mid_q
