//! The Secure Hash Algorithms of FIPS 180-4 with 32-bit words (SHA-224, SHA-256) and 64-bit words (SHA-384, SHA-512 …).
//!
//! Names are those of the standard; section numbers refer to it.
//!
//! ```
//! use vambrace_reference::sha2;
//!
//! let [h0, ..] = sha2::digest(&sha2::SHA256_INITIAL, b"abc");
//! assert_eq!(h0, 0xba7816bf);
//! ```

use crate::Word;

/// A word size that SHA-2 is defined for, with the amounts of sections 4.1.2 and 4.1.3.
pub trait Sha2Word: Word {
    /// Rounds per block.
    const ROUNDS: usize;
    /// Bytes of the length field: 8 or 16 (section 5.1).
    const LENGTH_BYTES: usize = Self::BITS as usize / 4;
    /// Rotations of Σ0.
    const BIG_SIGMA_0: [u32; 3];
    /// Rotations of Σ1.
    const BIG_SIGMA_1: [u32; 3];
    /// Two rotations and a shift of σ0.
    const SMALL_SIGMA_0: [u32; 3];
    /// Two rotations and a shift of σ1.
    const SMALL_SIGMA_1: [u32; 3];
}

impl Sha2Word for u32 {
    const ROUNDS: usize = 64;
    const BIG_SIGMA_0: [u32; 3] = [2, 13, 22];
    const BIG_SIGMA_1: [u32; 3] = [6, 11, 25];
    const SMALL_SIGMA_0: [u32; 3] = [7, 18, 3];
    const SMALL_SIGMA_1: [u32; 3] = [17, 19, 10];
}

impl Sha2Word for u64 {
    const ROUNDS: usize = 80;
    const BIG_SIGMA_0: [u32; 3] = [28, 34, 39];
    const BIG_SIGMA_1: [u32; 3] = [14, 18, 41];
    const SMALL_SIGMA_0: [u32; 3] = [1, 8, 7];
    const SMALL_SIGMA_1: [u32; 3] = [19, 61, 6];
}

/// Section 4.2.3: the first 64 bits of the fractional parts of the cube roots of the first 80 primes.
///
/// The constants of section 4.2.2 are the first 32 bits of the first 64 of them.
#[rustfmt::skip]
pub const K: [u64; 80] = [
    0x428a_2f98_d728_ae22, 0x7137_4491_23ef_65cd, 0xb5c0_fbcf_ec4d_3b2f, 0xe9b5_dba5_8189_dbbc,
    0x3956_c25b_f348_b538, 0x59f1_11f1_b605_d019, 0x923f_82a4_af19_4f9b, 0xab1c_5ed5_da6d_8118,
    0xd807_aa98_a303_0242, 0x1283_5b01_4570_6fbe, 0x2431_85be_4ee4_b28c, 0x550c_7dc3_d5ff_b4e2,
    0x72be_5d74_f27b_896f, 0x80de_b1fe_3b16_96b1, 0x9bdc_06a7_25c7_1235, 0xc19b_f174_cf69_2694,
    0xe49b_69c1_9ef1_4ad2, 0xefbe_4786_384f_25e3, 0x0fc1_9dc6_8b8c_d5b5, 0x240c_a1cc_77ac_9c65,
    0x2de9_2c6f_592b_0275, 0x4a74_84aa_6ea6_e483, 0x5cb0_a9dc_bd41_fbd4, 0x76f9_88da_8311_53b5,
    0x983e_5152_ee66_dfab, 0xa831_c66d_2db4_3210, 0xb003_27c8_98fb_213f, 0xbf59_7fc7_beef_0ee4,
    0xc6e0_0bf3_3da8_8fc2, 0xd5a7_9147_930a_a725, 0x06ca_6351_e003_826f, 0x1429_2967_0a0e_6e70,
    0x27b7_0a85_46d2_2ffc, 0x2e1b_2138_5c26_c926, 0x4d2c_6dfc_5ac4_2aed, 0x5338_0d13_9d95_b3df,
    0x650a_7354_8baf_63de, 0x766a_0abb_3c77_b2a8, 0x81c2_c92e_47ed_aee6, 0x9272_2c85_1482_353b,
    0xa2bf_e8a1_4cf1_0364, 0xa81a_664b_bc42_3001, 0xc24b_8b70_d0f8_9791, 0xc76c_51a3_0654_be30,
    0xd192_e819_d6ef_5218, 0xd699_0624_5565_a910, 0xf40e_3585_5771_202a, 0x106a_a070_32bb_d1b8,
    0x19a4_c116_b8d2_d0c8, 0x1e37_6c08_5141_ab53, 0x2748_774c_df8e_eb99, 0x34b0_bcb5_e19b_48a8,
    0x391c_0cb3_c5c9_5a63, 0x4ed8_aa4a_e341_8acb, 0x5b9c_ca4f_7763_e373, 0x682e_6ff3_d6b2_b8a3,
    0x748f_82ee_5def_b2fc, 0x78a5_636f_4317_2f60, 0x84c8_7814_a1f0_ab72, 0x8cc7_0208_1a64_39ec,
    0x90be_fffa_2363_1e28, 0xa450_6ceb_de82_bde9, 0xbef9_a3f7_b2c6_7915, 0xc671_78f2_e372_532b,
    0xca27_3ece_ea26_619c, 0xd186_b8c7_21c0_c207, 0xeada_7dd6_cde0_eb1e, 0xf57d_4f7f_ee6e_d178,
    0x06f0_67aa_7217_6fba, 0x0a63_7dc5_a2c8_98a6, 0x113f_9804_bef9_0dae, 0x1b71_0b35_131c_471b,
    0x28db_77f5_2304_7d84, 0x32ca_ab7b_40c7_2493, 0x3c9e_be0a_15c9_bebc, 0x431d_67c4_9c10_0d4c,
    0x4cc5_d4be_cb3e_42b6, 0x597f_299c_fc65_7e2a, 0x5fcb_6fab_3ad6_faec, 0x6c44_198c_4a47_5817,
];

/// Section 5.3.2: the initial hash value of SHA-224.
#[rustfmt::skip]
pub const SHA224_INITIAL: [u32; 8] = [
    0xc105_9ed8, 0x367c_d507, 0x3070_dd17, 0xf70e_5939, 0xffc0_0b31, 0x6858_1511, 0x64f9_8fa7, 0xbefa_4fa4,
];

/// Section 5.3.3: the initial hash value of SHA-256.
#[rustfmt::skip]
pub const SHA256_INITIAL: [u32; 8] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
];

/// Section 5.3.4: the initial hash value of SHA-384.
#[rustfmt::skip]
pub const SHA384_INITIAL: [u64; 8] = [
    0xcbbb_9d5d_c105_9ed8, 0x629a_292a_367c_d507, 0x9159_015a_3070_dd17, 0x152f_ecd8_f70e_5939,
    0x6733_2667_ffc0_0b31, 0x8eb4_4a87_6858_1511, 0xdb0c_2e0d_64f9_8fa7, 0x47b5_481d_befa_4fa4,
];

/// Section 5.3.5: the initial hash value of SHA-512.
#[rustfmt::skip]
pub const SHA512_INITIAL: [u64; 8] = [
    0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f, 0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179,
];

/// Section 5.3.6.1: the initial hash value of SHA-512/224.
#[rustfmt::skip]
pub const SHA512_224_INITIAL: [u64; 8] = [
    0x8c3d_37c8_1954_4da2, 0x73e1_9966_89dc_d4d6, 0x1dfa_b7ae_32ff_9c82, 0x679d_d514_582f_9fcf,
    0x0f6d_2b69_7bd4_4da8, 0x77e3_6f73_04c4_8942, 0x3f9d_85a8_6a1d_36c8, 0x1112_e6ad_91d6_92a1,
];

/// Section 5.3.6.2: the initial hash value of SHA-512/256.
#[rustfmt::skip]
pub const SHA512_256_INITIAL: [u64; 8] = [
    0x2231_2194_fc2b_f72c, 0x9f55_5fa3_c84c_64c2, 0x2393_b86b_6f53_b151, 0x9638_7719_5940_eabd,
    0x9628_3ee2_a88e_ffe3, 0xbe5e_1e25_5386_3992, 0x2b01_99fc_2c85_b8aa, 0x0eb7_2ddc_81c5_2ca2,
];

/// Ch(x, y, z) = (x ∧ y) ⊕ (¬x ∧ z), equation 4.2.
fn ch<W: Word>(x: &W, y: &W, z: &W) -> W {
    x.and(y).xor(&x.not().and(z))
}

/// Maj(x, y, z) = (x ∧ y) ⊕ (x ∧ z) ⊕ (y ∧ z), equation 4.3.
fn maj<W: Word>(x: &W, y: &W, z: &W) -> W {
    x.and(y).xor(&x.and(z)).xor(&y.and(z))
}

/// Σ(x) = ROTR^a(x) ⊕ ROTR^b(x) ⊕ ROTR^c(x), equations 4.4 and 4.5.
fn big_sigma<W: Word>([a, b, c]: [u32; 3], x: &W) -> W {
    x.rotr(a).xor(&x.rotr(b)).xor(&x.rotr(c))
}

/// σ(x) = ROTR^a(x) ⊕ ROTR^b(x) ⊕ SHR^c(x), equations 4.6 and 4.7.
fn small_sigma<W: Word>([a, b, c]: [u32; 3], x: &W) -> W {
    x.rotr(a).xor(&x.rotr(b)).xor(&x.shr(c))
}

/// Sections 6.2.2 and 6.4.2: the hash value H after one more message block M.
pub fn compress<W: Sha2Word>(hash: &mut [W; 8], block: &[W; 16]) {
    // 1. The message schedule; W_t for the last 16 values of t, at index t mod 16.
    let mut schedule = block.clone();

    // 2. The working variables.
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = hash.clone();

    // 3. The rounds.
    for t in 0..W::ROUNDS {
        if t >= 16 {
            schedule[t % 16] = small_sigma(W::SMALL_SIGMA_1, &schedule[(t - 2) % 16])
                .add(&schedule[(t - 7) % 16])
                .add(&small_sigma(W::SMALL_SIGMA_0, &schedule[(t - 15) % 16]))
                .add(&schedule[(t - 16) % 16]);
        }
        let k = W::constant(K[t] >> (64 - W::BITS));
        let t1 = h.add(&big_sigma(W::BIG_SIGMA_1, &e)).add(&ch(&e, &f, &g)).add(&k).add(&schedule[t % 16]);
        let t2 = big_sigma(W::BIG_SIGMA_0, &a).add(&maj(&a, &b, &c));
        h = g;
        g = f;
        f = e;
        e = d.add(&t1);
        d = c;
        c = b;
        b = a;
        a = t1.add(&t2);
    }

    // 4. The next hash value.
    for (word, working) in hash.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.add(&working);
    }
}

/// An integer word that a message of bytes is made of.
pub trait MessageWord: Sha2Word {
    /// The words of a block of 16 words, most significant byte first (section 3.1).
    fn parse(block: &[u8]) -> [Self; 16];
}

impl MessageWord for u32 {
    fn parse(block: &[u8]) -> [u32; 16] {
        let (words, _) = block.as_chunks();
        core::array::from_fn(|t| u32::from_be_bytes(words[t]))
    }
}

impl MessageWord for u64 {
    fn parse(block: &[u8]) -> [u64; 16] {
        let (words, _) = block.as_chunks();
        core::array::from_fn(|t| u64::from_be_bytes(words[t]))
    }
}

/// The final hash value of a message of whole bytes, from an initial hash value (sections 5.1, 5.2, 6.2 and 6.4).
///
/// SHA-224 and its like truncate the result.
pub fn digest<W: MessageWord>(initial: &[W; 8], message: &[u8]) -> [W; 8] {
    digest_from(initial, 0, message)
}

/// The final hash value of a message of which `count` bytes, a whole number of blocks, have led to the hash value `hash`,
/// and `rest` follows.
///
/// Within the limit of the standard: `count` and `rest` together have fewer than 2^61 bytes (2^125 for 64-bit words).
pub fn digest_from<W: MessageWord>(hash: &[W; 8], count: u128, rest: &[u8]) -> [W; 8] {
    let block_bytes = W::BITS as usize * 2;
    let bits = (count + rest.len() as u128) * 8;
    let mut hash = hash.clone();
    let mut blocks = rest.chunks_exact(block_bytes);
    for block in &mut blocks {
        compress(&mut hash, &W::parse(block));
    }

    // 5.1: the bit 1, as few bits 0 as possible, and the length in bits.
    let rest = blocks.remainder();
    let mut last = [0u8; 256];
    last[..rest.len()].copy_from_slice(rest);
    last[rest.len()] = 0x80;
    let end = (rest.len() + 1 + W::LENGTH_BYTES).next_multiple_of(block_bytes);
    last[end - W::LENGTH_BYTES..end].copy_from_slice(&bits.to_be_bytes()[16 - W::LENGTH_BYTES..]);
    for block in last[..end].chunks_exact(block_bytes) {
        compress(&mut hash, &W::parse(block));
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first 64 bits of the fractional part of the cube root of n, by bisection.
    fn fraction_of_cube_root(n: u64) -> u64 {
        // x = floor(cbrt(n) * 2^64) is the largest x with x^3 <= n * 2^192; compare without 256-bit numbers by
        // splitting x = i * 2^64 + f: the cube is monotonic in f, computed to 192 fractional bits in 32-bit limbs.
        let integer = (0u64..).take_while(|i| i * i * i <= n).last().unwrap();
        let (mut low, mut high) = (0u128, 1u128 << 64);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if cube_at_most(integer, middle as u64, n) {
                low = middle;
            } else {
                high = middle;
            }
        }
        low as u64
    }

    /// Whether (integer + fraction / 2^64)^3 <= n.
    fn cube_at_most(integer: u64, fraction: u64, n: u64) -> bool {
        let x = [fraction & 0xffff_ffff, fraction >> 32, integer];
        let square = product(&x, &x);
        let cube = product(&square, &x);
        // The cube has six fractional limbs of 32 bits.
        let whole = cube[6..].iter().rev().fold(0u128, |value, &limb| value << 32 | u128::from(limb));
        whole < u128::from(n)
    }

    fn product(x: &[u64], y: &[u64]) -> [u64; 12] {
        let mut limbs = [0u64; 12];
        for (i, &a) in x.iter().enumerate() {
            let mut carry = 0;
            for (j, &b) in y.iter().enumerate() {
                if i + j < limbs.len() {
                    let sum = limbs[i + j] + a * b + carry;
                    limbs[i + j] = sum & 0xffff_ffff;
                    carry = sum >> 32;
                }
            }
            if i + y.len() < limbs.len() {
                limbs[i + y.len()] = carry;
            }
        }
        limbs
    }

    #[test]
    fn constants_are_cube_roots_of_primes() {
        let primes = (2u64..).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0));
        for (k, prime) in K.iter().zip(primes) {
            assert_eq!(*k, fraction_of_cube_root(prime), "constant of the prime {prime}");
        }
    }

    #[test]
    fn truncated_variants_start_from_sha512_of_their_names() {
        // Section 5.3.6: the hash of the name, from the initial value of SHA-512 with each word xored by a constant.
        let start = SHA512_INITIAL.map(|word| word ^ 0xa5a5_a5a5_a5a5_a5a5);
        assert_eq!(digest(&start, b"SHA-512/224"), SHA512_224_INITIAL);
        assert_eq!(digest(&start, b"SHA-512/256"), SHA512_256_INITIAL);
    }

    #[test]
    fn sha256_of_abc() {
        // FIPS 180-4 example (also CAVP).
        let expected = [0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223, 0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad];
        assert_eq!(digest(&SHA256_INITIAL, b"abc"), expected);
    }
}
