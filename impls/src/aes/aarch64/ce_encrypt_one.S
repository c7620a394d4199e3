// AES-XTS encryption of a data unit of one block: AArch64, AES instructions (FEAT_AES)
//
//     xts_encrypt_one(keys: *const u8, tweak_keys: *const u8, tweak: *const [u8; 16],
//                     input: *const u8, output: *mut u8, rounds: u32)
//
//     output := Cipher(input ^ T) ^ T  with  T = Cipher'(tweak),
//     where Cipher is the cipher AES with the round keys of keys, and Cipher' with those of tweak_keys.
//
// Source
//     FIPS 197, section 5.1 (cipher); IEEE 1619-2007, section 5.3.1 (XTS).
//
// Technique
//   - Both ciphers in one call: T stays in a register, no tweak is made that no block uses, and what is cleared is cleared
//     once.
//   - Round keys go through four registers and are loaded two by two, two rounds before they are due.
//   - aese xors its key first, so the last round has two: the second is xored to T, that of
//     the tweak before T goes to the block, that of the block before T goes there again.
//
// Arguments
//     x0  keys        the key schedule as expanded (FIPS 197, section 5.2),
//                     16 (R + 1) bytes, R = rounds, aligned to 16; read only
//     x1  tweak_keys  the key schedule as expanded (FIPS 197, section 5.2), 16 (R + 1) bytes, aligned to 16; read only
//     x2  tweak       16 bytes, at any address (normal memory, SCTLR_ELx.A = 0: unaligned access allowed); read only
//     x3  input       16 bytes, at any address; read only
//     x4  output      16 bytes, at any address; equal to input, or disjoint from it
//     w5  rounds      10 or 14; the upper half of x5 is ignored
//
// Registers
//     x0 .. x5   the arguments; x0 and x1 move on with 14 rounds
//     v0         M, the block in flight
//     v1         T
//     v2 .. v5   round keys
//
// Stack: none
//
// Cleared
//     v0 .. v5 are zero. x0 .. x5 only ever held addresses and the number of rounds.
//
// Notes
//   - Armv8-A with FEAT_AES, little-endian AArch64 state; position-independent.
//   - Nothing but keys, tweak_keys, tweak, input and output is read or written.
//   - Branches test rounds alone, which is public; no address depends on anything secret.
//   - The includer of this file puts the extension aes back after it where the target lacks it.

        .arch_extension aes

        keys         .req    x0
        tweak_keys   .req    x1
        tweak        .req    x2
        input        .req    x3
        output       .req    x4
        rounds       .req    w5
        M            .req    v0
        M_q          .req    q0
        T            .req    v1
        T_q          .req    q1
        K0           .req    v2
        K0_q         .req    q2
        K1           .req    v3
        K1_q         .req    q3
        K2           .req    v4
        K2_q         .req    q4
        K3           .req    v5
        K3_q         .req    q5

// Two rounds of B with the keys J and K
.macro  aes_ce_encrypt_one_rounds B, J, K
        aese        \B\().16b, \J\().16b
        aesmc       \B\().16b, \B\().16b
        aese        \B\().16b, \K\().16b
        aesmc       \B\().16b, \B\().16b
.endm

// All rounds of B but for the last key, which is then in K2
.macro  aes_ce_encrypt_one_cipher B, keys
        ldp         K0_q, K1_q, [\keys]
        ldp         K2_q, K3_q, [\keys, #32]
        tbz         rounds, #2, 1f                              // 10 rounds
        aes_ce_encrypt_one_rounds \B, K0, K1
        ldp         K0_q, K1_q, [\keys, #64]!
        aes_ce_encrypt_one_rounds \B, K2, K3
        ldp         K2_q, K3_q, [\keys, #32]
1:      aes_ce_encrypt_one_rounds \B, K0, K1
        ldp         K0_q, K1_q, [\keys, #64]
        aes_ce_encrypt_one_rounds \B, K2, K3
        ldp         K2_q, K3_q, [\keys, #96]
        aes_ce_encrypt_one_rounds \B, K0, K1
        ldp         K0_q, K1_q, [\keys, #128]
        aes_ce_encrypt_one_rounds \B, K2, K3
        ldr         K2_q, [\keys, #160]
        aese        \B\().16b, K0.16b
        aesmc       \B\().16b, \B\().16b
        aese        \B\().16b, K1.16b
.endm

        .cfi_startproc
        hint        #34                                         // bti c
        ldr         T_q, [tweak]
        aes_ce_encrypt_one_cipher T, tweak_keys
        ldr         M_q, [input]
        eor         T.16b, T.16b, K2.16b
        eor         M.16b, M.16b, T.16b
        aes_ce_encrypt_one_cipher M, keys
        eor         T.16b, T.16b, K2.16b
        eor         M.16b, M.16b, T.16b
        str         M_q, [output]
        .irp        n, 0, 1, 2, 3, 4, 5                         // leave nothing of keys, tweak or block behind
        movi        v\n\().16b, #0
        .endr
        ret
        .cfi_endproc

.purgem aes_ce_encrypt_one_rounds
.purgem aes_ce_encrypt_one_cipher

        .unreq  keys
        .unreq  tweak_keys
        .unreq  tweak
        .unreq  input
        .unreq  output
        .unreq  rounds
        .unreq  M
        .unreq  M_q
        .unreq  T
        .unreq  T_q
        .unreq  K0
        .unreq  K0_q
        .unreq  K1
        .unreq  K1_q
        .unreq  K2
        .unreq  K2_q
        .unreq  K3
        .unreq  K3_q
