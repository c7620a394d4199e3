//! BLAKE2 by the crates `blake2`, `blake2b_simd` and `blake2s_simd`.
//!
//! None of them takes an injected chaining value or counter. For those there is a compression function here, written down
//! a second time, from the tables of the BLAKE2 paper; tests compare it with the crates, and with states that the authors'
//! C code went through (`vectors/data/blake2`).

use std::vec::Vec;

use digest::Digest;
use digest::array::Array;
use digest::block_api::{Buffer, UpdateCore, VariableOutputCore};

use super::{HashLimits, HashOracle, HashParameters};

/// The message permutations, a nibble for each word.
const SIGMA: [u64; 10] = [
    0x0123_4567_89ab_cdef,
    0xea48_9fd6_1c02_b753,
    0xb8c0_52fd_ae36_7194,
    0x7931_dcbe_265a_40f8,
    0x9057_24af_e1bc_683d,
    0x2c6a_0b83_4d75_fe19,
    0xc51f_ed4a_0763_928b,
    0xdb7e_c139_50f4_862a,
    0x6fe9_b308_c2d7_14a5,
    0xa284_7615_fb9e_3cd0,
];

/// A word size, in the terms of this module.
trait Size: Copy {
    /// Bytes of a word.
    const BYTES: usize;
    const ROUNDS: usize;
    const IV: [Self; 8];
    fn read_le(bytes: &[u8]) -> Self;
    fn read_be(bytes: &[u8]) -> Self;
    fn to_be(self) -> Vec<u8>;
    fn to_le(self) -> Vec<u8>;
    fn low(value: u128) -> Self;
    /// a + b + m, then d, c and b of half a G; `first` says which half.
    fn half_g(a: &mut Self, b: &mut Self, c: &mut Self, d: &mut Self, m: Self, first: bool);
    fn xor(self, other: Self) -> Self;
}

macro_rules! size {
    ($word:ty, $rounds:literal, $first:expr, $second:expr, $iv:expr) => {
        impl Size for $word {
            const BYTES: usize = size_of::<$word>();
            const ROUNDS: usize = $rounds;
            const IV: [$word; 8] = $iv;
            fn read_le(bytes: &[u8]) -> $word {
                <$word>::from_le_bytes(bytes.try_into().expect("as many bytes as a word has"))
            }
            fn read_be(bytes: &[u8]) -> $word {
                <$word>::from_be_bytes(bytes.try_into().expect("as many bytes as a word has"))
            }
            fn to_be(self) -> Vec<u8> {
                self.to_be_bytes().to_vec()
            }
            fn to_le(self) -> Vec<u8> {
                self.to_le_bytes().to_vec()
            }
            fn low(value: u128) -> $word {
                value as $word
            }
            fn half_g(a: &mut Self, b: &mut Self, c: &mut Self, d: &mut Self, m: Self, first: bool) {
                let (of_d, of_b): (u32, u32) = if first { $first } else { $second };
                *a = a.wrapping_add(*b).wrapping_add(m);
                *d = (*d ^ *a).rotate_right(of_d);
                *c = c.wrapping_add(*d);
                *b = (*b ^ *c).rotate_right(of_b);
            }
            fn xor(self, other: $word) -> $word {
                self ^ other
            }
        }
    };
}

size!(
    u64,
    12,
    (32, 24),
    (16, 63),
    [
        0x6a09e667f3bcc908,
        0xbb67ae8584caa73b,
        0x3c6ef372fe94f82b,
        0xa54ff53a5f1d36f1,
        0x510e527fade682d1,
        0x9b05688c2b3e6c1f,
        0x1f83d9abfb41bd6b,
        0x5be0cd19137e2179,
    ]
);
size!(
    u32,
    10,
    (16, 12),
    (8, 7),
    [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,]
);

/// The chaining value after one block, of which the last byte is number `count` of the message.
fn compress<W: Size>(h: [W; 8], block: &[u8], count: u128, last: bool) -> [W; 8] {
    let m: Vec<W> = block.chunks_exact(W::BYTES).map(W::read_le).collect();
    let ones = if last { W::low(u128::MAX) } else { W::low(0) };
    let mut rows: [[W; 4]; 4] = [
        [h[0], h[1], h[2], h[3]],
        [h[4], h[5], h[6], h[7]],
        [W::IV[0], W::IV[1], W::IV[2], W::IV[3]],
        [W::IV[4].xor(W::low(count)), W::IV[5].xor(W::low(count >> (8 * W::BYTES))), W::IV[6].xor(ones), W::IV[7]],
    ];
    for round in 0..W::ROUNDS {
        let word = |position: usize| m[(SIGMA[round % 10] >> (60 - 4 * position) & 15) as usize];
        for diagonal in [false, true] {
            for column in 0..4 {
                let [a, b, c, d] = &mut rows;
                let at = |row: usize| if diagonal { (column + row) % 4 } else { column };
                let first = if diagonal { 8 } else { 0 } + 2 * column;
                let (a, b, c, d) = (&mut a[at(0)], &mut b[at(1)], &mut c[at(2)], &mut d[at(3)]);
                W::half_g(a, b, c, d, word(first), true);
                W::half_g(a, b, c, d, word(first + 1), false);
            }
        }
    }
    core::array::from_fn(|i| h[i].xor(rows[i / 4][i % 4]).xor(rows[2 + i / 4][i % 4]))
}

/// Eight words from big-endian bytes.
fn read<W: Size>(state: &[u8]) -> Option<[W; 8]> {
    let words: Vec<W> = state.chunks_exact(W::BYTES).map(W::read_be).collect();
    if state.len() == 8 * W::BYTES { words.try_into().ok() } else { None }
}

fn write<W: Size>(state: [W; 8]) -> Vec<u8> {
    state.into_iter().flat_map(W::to_be).collect()
}

/// Whether `count` bytes in whole blocks, and `rest` more, are a message.
fn possible<W: Size>(count: u128, rest: usize) -> bool {
    let limit = if W::BYTES == 8 { u128::MAX } else { u128::from(u64::MAX) };
    count.is_multiple_of(16 * W::BYTES as u128) && count.checked_add(rest as u128).is_some_and(|length| length <= limit)
}

fn digest_from<W: Size>(state: &[u8], count: u128, rest: &[u8], output_bytes: usize) -> Option<Vec<u8>> {
    let mut h = read::<W>(state)?;
    if !possible::<W>(count, rest.len()) {
        return None;
    }
    let block_bytes = 16 * W::BYTES;
    let whole = rest.len().saturating_sub(1) / block_bytes * block_bytes;
    let mut hashed = count;
    for block in rest[..whole].chunks_exact(block_bytes) {
        hashed += block_bytes as u128;
        h = compress(h, block, hashed, false);
    }
    let mut block = rest[whole..].to_vec();
    hashed += block.len() as u128;
    block.resize(block_bytes, 0);
    h = compress(h, &block, hashed, true);
    Some(h.into_iter().flat_map(W::to_le).take(output_bytes).collect())
}

/// The chaining value after whole blocks that begin `count` bytes into the message and are not its last.
fn compress_blocks<W: Size>(state: &[u8], count: u128, blocks: &[u8]) -> Option<Vec<u8>> {
    let mut h = read::<W>(state)?;
    let block_bytes = 16 * W::BYTES;
    if !blocks.len().is_multiple_of(block_bytes) {
        return None;
    }
    let mut hashed = count;
    for block in blocks.chunks_exact(block_bytes) {
        hashed = hashed.wrapping_add(block_bytes as u128);
        h = compress(h, block, hashed, false);
    }
    Some(write(h))
}

macro_rules! blake2_oracle {
    ($(#[$doc:meta])* $oracle:ident, $name:literal, $word:ty, $max:literal, hash $hash:ty, core $core:ty) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $oracle;

        impl HashOracle for $oracle {
            fn algorithm(&self) -> &'static str {
                $name
            }
            fn source(&self) -> &'static str {
                "crate blake2"
            }
            fn block_bytes(&self) -> usize {
                2 * $max
            }
            fn output_bytes(&self) -> usize {
                $max
            }
            fn state_bytes(&self) -> usize {
                $max
            }
            fn holds_back_last_block(&self) -> bool {
                true
            }
            fn initial_state(&self) -> Vec<u8> {
                let mut h = <$word as Size>::IV;
                h[0] ^= 0x0101_0000 | $max;
                write(h)
            }
            fn digest(&self, message: &[u8]) -> Vec<u8> {
                <$hash>::digest(message).to_vec()
            }
            fn digest_from(&self, state: &[u8], count: u128, rest: &[u8]) -> Option<Vec<u8>> {
                digest_from::<$word>(state, count, rest, $max)
            }
            fn compress(&self, state: &[u8], count: u128, blocks: &[u8]) -> Option<Vec<u8>> {
                compress_blocks::<$word>(state, count, blocks)
            }
            fn limits(&self) -> Option<HashLimits> {
                Some(HashLimits { output_bytes: $max, key_bytes: $max, salt_bytes: $max / 4 })
            }
            fn digest_with(&self, parameters: &HashParameters<'_>, message: &[u8]) -> Option<Vec<u8>> {
                let HashParameters { output_bytes, key, salt, personal } = *parameters;
                self.limits()?.allow(parameters).then_some(())?;
                let mut core = <$core>::new_with_params(salt, personal, key.len(), output_bytes);
                let mut buffer = Buffer::<$core>::default();
                if !key.is_empty() {
                    let mut block = [0; 2 * $max];
                    block[..key.len()].copy_from_slice(key);
                    buffer.digest_blocks(&block, |blocks| core.update_blocks(blocks));
                }
                buffer.digest_blocks(message, |blocks| core.update_blocks(blocks));
                let mut digest = Array::default();
                core.finalize_variable_core(&mut buffer, &mut digest);
                Some(digest[..output_bytes].to_vec())
            }
        }
    };
}

blake2_oracle!(
    /// BLAKE2b by the crate `blake2`.
    Blake2b, "blake2b", u64, 64, hash blake2::Blake2b512, core blake2::Blake2bVarCore
);
blake2_oracle!(
    /// BLAKE2s by the crate `blake2`.
    Blake2s, "blake2s", u32, 32, hash blake2::Blake2s256, core blake2::Blake2sVarCore
);

macro_rules! tree_oracle {
    ($(#[$doc:meta])* $oracle:ident, $name:literal, $max:literal, $source:literal, $params:path) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $oracle;

        impl HashOracle for $oracle {
            fn algorithm(&self) -> &'static str {
                $name
            }
            fn source(&self) -> &'static str {
                $source
            }
            fn block_bytes(&self) -> usize {
                2 * $max
            }
            fn output_bytes(&self) -> usize {
                $max
            }
            fn state_bytes(&self) -> usize {
                0
            }
            fn initial_state(&self) -> Vec<u8> {
                Vec::new()
            }
            fn digest(&self, message: &[u8]) -> Vec<u8> {
                <$params>::new().hash(message).as_bytes().to_vec()
            }
            fn digest_from(&self, _: &[u8], _: u128, _: &[u8]) -> Option<Vec<u8>> {
                None
            }
            fn compress(&self, _: &[u8], _: u128, _: &[u8]) -> Option<Vec<u8>> {
                None
            }
            fn limits(&self) -> Option<HashLimits> {
                Some(HashLimits { output_bytes: $max, key_bytes: $max, salt_bytes: 0 })
            }
            fn digest_with(&self, parameters: &HashParameters<'_>, message: &[u8]) -> Option<Vec<u8>> {
                let HashParameters { output_bytes, key, .. } = *parameters;
                self.limits()?.allow(parameters).then_some(())?;
                let hash = <$params>::new().hash_length(output_bytes).key(key).hash(message);
                Some(hash.as_bytes().to_vec())
            }
        }
    };
}

tree_oracle!(
    /// BLAKE2bp by the crate `blake2b_simd`.
    Blake2bp, "blake2bp", 64, "crate blake2b_simd", blake2b_simd::blake2bp::Params
);
tree_oracle!(
    /// BLAKE2sp by the crate `blake2s_simd`.
    Blake2sp, "blake2sp", 32, "crate blake2s_simd", blake2s_simd::blake2sp::Params
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blake2::{self as specification, MessageWord, Parameters};

    /// Messages of hard lengths.
    fn messages(block: usize) -> impl Iterator<Item = Vec<u8>> {
        [0, 1, block - 1, block, block + 1, 2 * block, 5 * block + 3]
            .into_iter()
            .map(|length| (0..length).map(|i| (i * 7 + length) as u8).collect())
    }

    fn by_specification<W: MessageWord + Size>(parameters: &HashParameters<'_>, message: &[u8]) -> Vec<u8> {
        let HashParameters { output_bytes, key, salt, personal } = *parameters;
        let mut chosen =
            Parameters { digest_length: output_bytes as u8, key_length: key.len() as u8, ..Parameters::default() };
        chosen.salt[..salt.len()].copy_from_slice(salt);
        chosen.personal[..personal.len()].copy_from_slice(personal);
        let h: [W; 8] = specification::digest(&chosen, key, message, false);
        h.into_iter().flat_map(Size::to_le).take(output_bytes).collect()
    }

    /// All pairs of key and output length, by two crates and the specification.
    #[test]
    fn crates_and_specification_agree_on_all_parameters() {
        let key: Vec<u8> = (0..64).collect();
        let salt: Vec<u8> = (100..116).collect();
        let personal: Vec<u8> = (200..216).collect();
        for output_bytes in 1..=64 {
            for key_bytes in 0..=64 {
                let message = std::vec![key_bytes as u8; (output_bytes * 5 + key_bytes * 3) % 300];
                let key = &key[..key_bytes];
                for (salt, personal) in [(&salt[..0], &personal[..0]), (&salt, &personal)] {
                    let parameters = HashParameters { output_bytes, key, salt, personal };
                    let expected = Blake2b.digest_with(&parameters, &message).unwrap();
                    let simd = blake2b_simd::Params::new()
                        .hash_length(output_bytes)
                        .key(key)
                        .salt(salt)
                        .personal(personal)
                        .hash(&message);
                    assert_eq!(simd.as_bytes(), expected, "{parameters:?}");
                    assert_eq!(by_specification::<u64>(&parameters, &message), expected, "{parameters:?}");

                    if output_bytes <= 32 && key_bytes <= 32 {
                        let (salt, personal) = (&salt[..salt.len() / 2], &personal[..personal.len() / 2]);
                        let parameters = HashParameters { output_bytes, key, salt, personal };
                        let expected = Blake2s.digest_with(&parameters, &message).unwrap();
                        let simd = blake2s_simd::Params::new()
                            .hash_length(output_bytes)
                            .key(key)
                            .salt(salt)
                            .personal(personal)
                            .hash(&message);
                        assert_eq!(simd.as_bytes(), expected, "{parameters:?}");
                        assert_eq!(by_specification::<u32>(&parameters, &message), expected, "{parameters:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_not_allowed_is_not_answered() {
        let none = HashParameters { output_bytes: 32, key: &[], salt: &[], personal: &[] };
        let oracles: [&dyn HashOracle; 4] = [&Blake2b, &Blake2s, &Blake2bp, &Blake2sp];
        for oracle in oracles {
            assert!(oracle.digest_with(&none, b"").is_some());
            for wrong in [
                HashParameters { output_bytes: 0, ..none },
                HashParameters { output_bytes: oracle.output_bytes() + 1, ..none },
                HashParameters { key: &[0; 65][..oracle.output_bytes() + 1], ..none },
                HashParameters { salt: &[0; 17], ..none },
                HashParameters { personal: &[0; 3], ..none },
            ] {
                assert_eq!(oracle.digest_with(&wrong, b""), None, "{}: {wrong:?}", oracle.algorithm());
            }
        }
    }

    #[test]
    fn the_compression_function_agrees_with_the_crates() {
        let oracles: [&dyn HashOracle; 2] = [&Blake2b, &Blake2s];
        for oracle in oracles {
            for message in messages(oracle.block_bytes()) {
                let from_the_start = oracle.digest_from(&oracle.initial_state(), 0, &message);
                assert_eq!(from_the_start.unwrap(), oracle.digest(&message));
            }
        }
    }

    #[test]
    fn the_compression_function_agrees_with_the_specification_at_carries() {
        fn check<W: MessageWord + Size>(powers: &[u32]) {
            let block: Vec<u8> = (0..16 * <W as Size>::BYTES).map(|i| (i * 11 + 5) as u8).collect();
            for power in powers {
                for before in [0u128, 1, 64, 128, 256] {
                    let Some(count) = (1u128.checked_shl(*power).unwrap_or(0)).checked_sub(before) else { continue };
                    let state: [W; 8] =
                        read(&(0..8 * <W as Size>::BYTES).map(|i| i as u8).collect::<Vec<_>>()).unwrap();
                    for last in [false, true] {
                        let mut h = state;
                        let t = [W::low(count), W::low(count >> W::BITS)];
                        let flag = if last { W::constant(0).not() } else { W::constant(0) };
                        specification::compress(&mut h, &W::parse(&block), &t, &[flag, W::constant(0)]);
                        assert_eq!(write(h), write(compress(state, &block, count, last)), "2^{power} - {before}");
                    }
                }
            }
        }
        check::<u64>(&[10, 31, 32, 63, 64, 65, 96, 127]);
        check::<u32>(&[10, 31, 32, 33, 63]);
    }
}
