// Speck128 in XTS mode, decryption of a data unit of one block, integer registers
//
//     xts_decrypt_one(keys: *const u64, tweak_keys: *const u64, tweak: *const [u8; 16],
//                     input: *const u8, output: *mut u8, rounds: u32)
//
//     output := D(input ^ T) ^ T  with  T = E'(tweak),
//     where D is the inverse cipher with the round keys of keys, and E' the cipher with those of tweak_keys.
//
// Source
//     Beaulieu and others, "The Simon and Speck Families of Lightweight Block Ciphers", 2013, section 4; words and
//     blocks little-endian, y before x, as in "Simon and Speck Implementation Guide", 2018. IEEE 1619, section 5.4.1
//     (XTS). ror and rol rotate a word of 64 bits.
//
// Technique
//   - A round of E' is x = (ror(x, 8) + y) ^ k, y = rol(y, 3) ^ x. One of D is y = ror(y ^ x, 3), x = rol((x ^ k) - y, 8).
//   - The rotation by 8 of D waits for the next round, where both uses of x rotate their operand: x is ror(x, 8) between
//     rounds.
//   - Both ciphers in one call: T stays in registers, no tweak is made that no block uses, and what is cleared is cleared
//     once. That and 32 rounds without a loop are for the fewest instructions.
//   - Round keys are loaded two by two, three rounds before they are due.
//
// Arguments
//     x0  keys        rounds words, aligned to 8; read only
//     x1  tweak_keys  rounds words, aligned to 8; read only
//     x2  tweak       16 bytes at any address; read only
//     x3  input       16 bytes at any address, equal to output or disjoint from it; read only
//     x4  output      16 bytes at any address
//     w5  rounds      32, 33 or 34; the upper half of x5 is ignored
//
// Registers
//     x0-x5           arguments
//     x6, x7          y and x of the tweak, then T
//     x8, x9          y and x of the block, this one rotated
//     x10-x13         round keys
//
// Stack: none
//
// Cleared before return: x6-x13.

xkeys   .req    x0
xtkeys  .req    x1
xtweak  .req    x2
xin     .req    x3
xout    .req    x4
rounds  .req    w5
ty      .req    x6
tx      .req    x7
ry      .req    x8
rx      .req    x9
k0      .req    x10
k1      .req    x11
k2      .req    x12
k3      .req    x13

// A round of E'
.macro  speck128_scalar_decrypt_one_tweak_round k
        ror     tx, tx, #8                              // ror(x, 8)
        add     tx, tx, ty                              // + y
        eor     tx, tx, \k                              // ^ k
        eor     ty, tx, ty, ror #61                     // rol(y, 3) ^ x
.endm

// A round of D
.macro  speck128_scalar_decrypt_one_round k
        eor     ry, ry, rx, ror #56                     // y ^ x
        ror     ry, ry, #3                              // ror(y, 3)
        eor     rx, \k, rx, ror #56                     // x ^ k
        sub     rx, rx, ry                              // - y
.endm

        .cfi_startproc
        hint    #34                                     // bti c
        ldp     ty, tx, [xtweak]                        // T = E'(tweak): 32 rounds, and one or two more
        ldp     k0, k1, [xtkeys]
        ldp     k2, k3, [xtkeys, #16]
  .irp  next, 32, 64, 96, 128, 160, 192, 224
        speck128_scalar_decrypt_one_tweak_round k0
        speck128_scalar_decrypt_one_tweak_round k1
        ldp     k0, k1, [xtkeys, #\next]
        speck128_scalar_decrypt_one_tweak_round k2
        speck128_scalar_decrypt_one_tweak_round k3
        ldp     k2, k3, [xtkeys, #\next+16]
  .endr
        speck128_scalar_decrypt_one_tweak_round k0
        speck128_scalar_decrypt_one_tweak_round k1
        speck128_scalar_decrypt_one_tweak_round k2
        speck128_scalar_decrypt_one_tweak_round k3
        tbz     rounds, #0, 1f
        ldr     k0, [xtkeys, #256]                      // 33 rounds
        speck128_scalar_decrypt_one_tweak_round k0
1:      tbz     rounds, #1, 2f
        ldp     k0, k1, [xtkeys, #256]                  // 34 rounds
        speck128_scalar_decrypt_one_tweak_round k0
        speck128_scalar_decrypt_one_tweak_round k1

2:      ldp     ry, rx, [xin]
        eor     ry, ry, ty
        eor     rx, rx, tx
        ror     rx, rx, #8
        ldp     k2, k3, [xkeys, #240]
        ldp     k0, k1, [xkeys, #224]
        tbz     rounds, #1, 1f
        ldp     k0, k1, [xkeys, #256]                   // 34 rounds
        speck128_scalar_decrypt_one_round k1
        speck128_scalar_decrypt_one_round k0
        ldp     k0, k1, [xkeys, #224]
1:      tbz     rounds, #0, 2f
        ldr     k1, [xkeys, #256]                       // 33 rounds
        speck128_scalar_decrypt_one_round k1
        ldr     k1, [xkeys, #232]
2:
  .irp  next, 192, 160, 128, 96, 64, 32, 0
        speck128_scalar_decrypt_one_round k3
        speck128_scalar_decrypt_one_round k2
        ldp     k2, k3, [xkeys, #\next+16]
        speck128_scalar_decrypt_one_round k1
        speck128_scalar_decrypt_one_round k0
        ldp     k0, k1, [xkeys, #\next]
  .endr
        speck128_scalar_decrypt_one_round k3
        speck128_scalar_decrypt_one_round k2
        speck128_scalar_decrypt_one_round k1
        speck128_scalar_decrypt_one_round k0
        eor     ry, ry, ty
        eor     rx, tx, rx, ror #56
        stp     ry, rx, [xout]
  .irp  n, 6, 7, 8, 9, 10, 11, 12, 13
        mov     x\n, #0
  .endr
        ret
        .cfi_endproc

  .irp  macro, tweak_round, round
.purgem speck128_scalar_decrypt_one_\macro
  .endr

  .irp  name, xkeys, xtkeys, xtweak, xin, xout, rounds, ty, tx, ry, rx, k0, k1, k2, k3
.unreq  \name
  .endr
