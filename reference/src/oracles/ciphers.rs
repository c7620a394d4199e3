//! Salsa20 by the crate `salsa20`; AES and Speck by the crates `aes` and `speck-cipher`, in XTS by the crate `xts-mode`.
//!
//! Where a crate cannot go there is a second transcription here, tested against the crate where it can: the last block that
//! Salsa20's counter has, at which the crate's addition overflows, and XTS with blocks of 8 bytes, which `xts-mode` has not.

mod specification;

use core::fmt;
use std::vec::Vec;

use ::salsa20::SalsaCore;
use cipher::array::{Array, ArraySize};
use cipher::consts::{U1, U4, U6, U10, U16};
use cipher::typenum::Unsigned;
use cipher::{
    Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt, BlockCipherEncBackend,
    BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, InOut, KeyInit, KeySizeUser, ParBlocksSizeUser,
    StreamCipherCore, StreamCipherSeekCore,
};
use xts_mode::Xts128;

pub use self::specification::{STREAM_SPECIFICATIONS, SpecificationStream, SpecificationXts, XTS_SPECIFICATIONS};

/// A stream cipher that answers from any block of the stream on, and from an injected state.
pub trait StreamCipherOracle: Sync + fmt::Debug {
    /// The algorithm's name, as `salsa20`.
    fn algorithm(&self) -> &'static str;
    /// Where the answers come from, as `crate salsa20`.
    fn source(&self) -> &'static str;
    /// Bytes that a key may have.
    fn key_bytes(&self) -> &'static [usize];
    /// Bytes of the nonce.
    fn nonce_bytes(&self) -> usize;
    /// Bytes of a block.
    fn block_bytes(&self) -> usize {
        64
    }
    /// The number of rounds.
    fn rounds(&self) -> u32;
    /// The state of a block: 16 words, each most significant byte first, of which the words 8 (low) and 9 (high) are the
    /// number of the block. `None` if sizes are wrong.
    fn state(&self, key: &[u8], nonce: &[u8], block: u64) -> Option<Vec<u8>>;
    /// The stream of some blocks from a state on, whose counter wraps. `None` if the state has another size.
    fn stream_from(&self, state: &[u8], blocks: usize) -> Option<Vec<u8>>;

    /// Some bytes of the stream, from a block on; the counter wraps. `None` if sizes are wrong.
    fn keystream(&self, key: &[u8], nonce: &[u8], start_block: u64, bytes: usize) -> Option<Vec<u8>> {
        let state = self.state(key, nonce, start_block)?;
        let mut stream = self.stream_from(&state, bytes.div_ceil(self.block_bytes()))?;
        stream.truncate(bytes);
        Some(stream)
    }
    /// Encrypts (or decrypts) data that stands so many bytes behind the beginning of a message. `None`, and data as it was,
    /// if sizes are wrong or if the message is longer than the counter can count.
    fn apply(&self, key: &[u8], nonce: &[u8], offset: u128, data: &mut [u8]) -> Option<()> {
        let block_bytes = self.block_bytes() as u128;
        let end = offset.checked_add(data.len() as u128)?;
        let start = u64::try_from(offset / block_bytes).ok().filter(|_| end <= block_bytes << 64)?;
        let within = (offset % block_bytes) as usize;
        let stream = self.keystream(key, nonce, start, within + data.len())?;
        data.iter_mut().zip(&stream[within..]).for_each(|(byte, key)| *byte ^= key);
        Some(())
    }
}

/// A block cipher, alone and in XTS.
pub trait XtsOracle: Sync + fmt::Debug {
    /// The algorithm's name, as `aes128-xts`.
    fn algorithm(&self) -> &'static str;
    /// The block cipher's name, as `aes128`.
    fn cipher(&self) -> &'static str {
        self.algorithm().trim_end_matches("-xts")
    }
    /// Where the answers come from, as `crates aes and xts-mode`.
    fn source(&self) -> &'static str;
    /// Bytes of each of the two keys.
    fn key_bytes(&self) -> usize;
    /// Bytes of a block and of a tweak.
    fn block_bytes(&self) -> usize;
    /// The block cipher's number of rounds.
    fn rounds(&self) -> u32;
    /// A block encrypted by the block cipher. `None` if sizes are wrong.
    fn encrypt_block(&self, key: &[u8], block: &[u8]) -> Option<Vec<u8>>;
    /// A block decrypted by the block cipher. `None` if sizes are wrong.
    fn decrypt_block(&self, key: &[u8], block: &[u8]) -> Option<Vec<u8>>;
    /// A data unit encrypted, of which T, the encrypted tweak, is given. `None` if sizes are wrong, or if data has less than
    /// one block.
    fn encrypt_from(&self, key1: &[u8], t: &[u8], data: &[u8]) -> Option<Vec<u8>>;
    /// A data unit decrypted, of which T, the encrypted tweak, is given. `None` as for encryption.
    fn decrypt_from(&self, key1: &[u8], t: &[u8], data: &[u8]) -> Option<Vec<u8>>;

    /// A data unit encrypted. `None` if sizes are wrong, or if data has less than one block.
    fn encrypt(&self, key1: &[u8], key2: &[u8], tweak: &[u8], data: &[u8]) -> Option<Vec<u8>> {
        self.encrypt_from(key1, &self.encrypt_block(key2, tweak)?, data)
    }
    /// A data unit decrypted. `None` as for encryption.
    fn decrypt(&self, key1: &[u8], key2: &[u8], tweak: &[u8], data: &[u8]) -> Option<Vec<u8>> {
        self.decrypt_from(key1, &self.encrypt_block(key2, tweak)?, data)
    }
}

/// The words of a state, from big-endian bytes.
fn read_state(state: &[u8]) -> Option<[u32; 16]> {
    let (words, []) = state.as_chunks() else { return None };
    <[[u8; 4]; 16]>::try_from(words).ok().map(|words| words.map(u32::from_be_bytes))
}

/// Big-endian bytes of the words of a state.
fn write_state(state: &[u32; 16]) -> Vec<u8> {
    state.iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// A block of the stream: the matrix is transposed and then each row changed, round after round, as the family paper has it
/// (section 2).
fn salsa20_block(state: &[u32; 16], rounds: u32) -> [u8; 64] {
    let mut m: [[u32; 4]; 4] = core::array::from_fn(|i| core::array::from_fn(|j| state[4 * i + j]));
    for _ in 0..rounds {
        m = core::array::from_fn(|i| core::array::from_fn(|j| m[j][i]));
        for (diagonal, row) in m.iter_mut().enumerate() {
            for (step, left) in [7, 9, 13, 18].into_iter().enumerate() {
                // From the two words before it, the word `step + 1` places behind the diagonal.
                let at = |places: usize| (diagonal + step + places) % 4;
                row[at(1)] ^= row[at(0)].wrapping_add(row[at(3)]).rotate_left(left);
            }
        }
    }
    let mut stream = [0; 64];
    for (at, bytes) in stream.as_chunks_mut().0.iter_mut().enumerate() {
        *bytes = m[at / 4][at % 4].wrapping_add(state[at]).to_le_bytes();
    }
    stream
}

/// The crate's stream from a state on.
fn salsa20_stream<R: Unsigned>(state: [u32; 16], blocks: usize) -> Vec<u8> {
    let mut core = SalsaCore::<R>::from_raw_state(state);
    let mut stream = Vec::with_capacity(64 * blocks);
    for _ in 0..blocks {
        let number = core.get_block_pos();
        if number == u64::MAX {
            let mut state = state;
            (state[8], state[9]) = (u32::MAX, u32::MAX);
            stream.extend(salsa20_block(&state, 2 * R::U32));
            core.set_block_pos(0);
        } else {
            let mut block = Array::default();
            core.write_keystream_block(&mut block);
            stream.extend(block);
        }
    }
    stream
}

/// The words of the state for a key of 16 or 32 bytes.
fn salsa20_state(key: &[u8], nonce: &[u8], block: u64) -> Option<[u32; 16]> {
    let (constants, last_half): (&[u8; 16], _) = match key.len() {
        16 => (b"expand 16-byte k", key),
        32 => (b"expand 32-byte k", &key[16..]),
        _ => return None,
    };
    let bytes = [
        &constants[..4],
        &key[..16],
        &constants[4..8],
        nonce,
        &block.to_le_bytes(),
        &constants[8..12],
        last_half,
        &constants[12..],
    ]
    .concat();
    let words: [[u8; 4]; 16] = bytes.as_chunks().0.try_into().ok()?;
    Some(words.map(u32::from_le_bytes))
}

/// Salsa20 by the crate `salsa20`, with 2 R rounds.
#[derive(Debug)]
pub struct Salsa20<R> {
    algorithm: &'static str,
    double_rounds: core::marker::PhantomData<R>,
}

impl<R> Salsa20<R> {
    const fn new(algorithm: &'static str) -> Self {
        Salsa20 { algorithm, double_rounds: core::marker::PhantomData }
    }
}

impl<R: Unsigned + Sync + fmt::Debug> StreamCipherOracle for Salsa20<R> {
    fn algorithm(&self) -> &'static str {
        self.algorithm
    }
    fn source(&self) -> &'static str {
        "crate salsa20"
    }
    fn key_bytes(&self) -> &'static [usize] {
        &[16, 32]
    }
    fn nonce_bytes(&self) -> usize {
        8
    }
    fn rounds(&self) -> u32 {
        2 * R::U32
    }
    fn state(&self, key: &[u8], nonce: &[u8], block: u64) -> Option<Vec<u8>> {
        (nonce.len() == 8).then(|| salsa20_state(key, nonce, block))?.map(|state| write_state(&state))
    }
    fn stream_from(&self, state: &[u8], blocks: usize) -> Option<Vec<u8>> {
        read_state(state).map(|state| salsa20_stream::<R>(state, blocks))
    }
}

/// XSalsa20 by the crate `salsa20`, with 2 R rounds for the key and as many for the stream.
#[derive(Debug)]
pub struct XSalsa20<R> {
    algorithm: &'static str,
    double_rounds: core::marker::PhantomData<R>,
}

impl<R> XSalsa20<R> {
    const fn new(algorithm: &'static str) -> Self {
        XSalsa20 { algorithm, double_rounds: core::marker::PhantomData }
    }
}

impl<R: Unsigned + Sync + fmt::Debug> StreamCipherOracle for XSalsa20<R> {
    fn algorithm(&self) -> &'static str {
        self.algorithm
    }
    fn source(&self) -> &'static str {
        "crate salsa20"
    }
    fn key_bytes(&self) -> &'static [usize] {
        &[32]
    }
    fn nonce_bytes(&self) -> usize {
        24
    }
    fn rounds(&self) -> u32 {
        2 * R::U32
    }
    fn state(&self, key: &[u8], nonce: &[u8], block: u64) -> Option<Vec<u8>> {
        let (input, last) = nonce.split_at_checked(16).filter(|(_, last)| last.len() == 8)?;
        let derived = ::salsa20::hsalsa::<R>(key.try_into().ok()?, input.try_into().ok()?);
        salsa20_state(&derived, last, block).map(|state| write_state(&state))
    }
    fn stream_from(&self, state: &[u8], blocks: usize) -> Option<Vec<u8>> {
        read_state(state).map(|state| salsa20_stream::<R>(state, blocks))
    }
}

/// What an oracle needs of a block cipher's crate.
trait Crate: KeyInit + BlockCipherEncrypt + BlockCipherDecrypt {}

impl<C: KeyInit + BlockCipherEncrypt + BlockCipherDecrypt> Crate for C {}

/// A cipher whose crate has the most significant byte of a block and of a key first, with the least significant one first.
#[derive(Clone)]
struct Reversed<C>(C);

/// As many bytes, from last to first.
fn reversed<N: ArraySize>(bytes: &Array<u8, N>) -> Array<u8, N> {
    let mut other = bytes.clone();
    other.reverse();
    other
}

impl<C: KeySizeUser> KeySizeUser for Reversed<C> {
    type KeySize = C::KeySize;
}

impl<C: KeyInit> KeyInit for Reversed<C> {
    fn new(key: &cipher::Key<Self>) -> Self {
        Reversed(C::new(&reversed(key)))
    }
}

impl<C: BlockSizeUser> BlockSizeUser for Reversed<C> {
    type BlockSize = C::BlockSize;
}

impl<C: BlockSizeUser> ParBlocksSizeUser for Reversed<C> {
    type ParBlocksSize = U1;
}

impl<C: BlockCipherEncrypt> BlockCipherEncBackend for Reversed<C> {
    fn encrypt_block(&self, mut block: InOut<'_, '_, Block<Self>>) {
        let mut bytes = reversed(block.get_in());
        self.0.encrypt_block(&mut bytes);
        *block.get_out() = reversed(&bytes);
    }
}

impl<C: BlockCipherDecrypt> BlockCipherDecBackend for Reversed<C> {
    fn decrypt_block(&self, mut block: InOut<'_, '_, Block<Self>>) {
        let mut bytes = reversed(block.get_in());
        self.0.decrypt_block(&mut bytes);
        *block.get_out() = reversed(&bytes);
    }
}

impl<C: BlockCipherEncrypt> BlockCipherEncrypt for Reversed<C> {
    fn encrypt_with_backend(&self, f: impl BlockCipherEncClosure<BlockSize = Self::BlockSize>) {
        f.call(self);
    }
}

impl<C: BlockCipherDecrypt> BlockCipherDecrypt for Reversed<C> {
    fn decrypt_with_backend(&self, f: impl BlockCipherDecClosure<BlockSize = Self::BlockSize>) {
        f.call(self);
    }
}

/// XTS over a block size.
trait Mode<C> {
    fn encrypt(cipher: C, t: &[u8], data: &[u8]) -> Option<Vec<u8>>;
    fn decrypt(cipher: C, t: &[u8], data: &[u8]) -> Option<Vec<u8>>;
}

/// By the crate `xts-mode`, which encrypts the tweak itself: it is given what the same key decrypts T to.
struct ByCrate;

impl<C: Crate + Clone + BlockSizeUser<BlockSize = U16>> Mode<C> for ByCrate {
    fn encrypt(cipher: C, t: &[u8], data: &[u8]) -> Option<Vec<u8>> {
        let mut tweak = t.try_into().ok()?;
        cipher.decrypt_block(&mut tweak);
        let mut data = (data.len() >= 16).then(|| data.to_vec())?;
        Xts128::new(cipher.clone(), cipher).encrypt_sector(&mut data, tweak);
        Some(data)
    }
    fn decrypt(cipher: C, t: &[u8], data: &[u8]) -> Option<Vec<u8>> {
        let mut tweak = t.try_into().ok()?;
        cipher.decrypt_block(&mut tweak);
        let mut data = (data.len() >= 16).then(|| data.to_vec())?;
        Xts128::new(cipher.clone(), cipher).decrypt_sector(&mut data, tweak);
        Some(data)
    }
}

/// By a transcription of our own, for any block size.
struct ByHand;

/// The tweak of block number `power`: T times x^power, by the bits of T one after another.
fn tweak(t: &[u8], power: usize) -> Vec<u8> {
    let bits = 8 * t.len();
    // Bit n is the coefficient of x^n; x^bits = x^7 + x^2 + x + 1 for 128, x^4 + x^3 + x + 1 for 64.
    let low: &[usize] = if bits == 128 { &[7, 2, 1, 0] } else { &[4, 3, 1, 0] };
    let mut coefficients: Vec<bool> = (0..bits).map(|n| t[n / 8] >> (n % 8) & 1 == 1).collect();
    for _ in 0..power {
        coefficients.rotate_right(1);
        if coefficients[0] {
            // What came round to x^0 stands for x^bits.
            coefficients[0] = false;
            low.iter().for_each(|&n| coefficients[n] ^= true);
        }
    }
    coefficients.chunks(8).map(|bits| bits.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit))).collect()
}

/// Block number `number` with its tweak added before and behind a function.
fn tweaked<C: BlockSizeUser>(
    t: &[u8],
    number: usize,
    block: &[u8],
    function: impl Fn(&mut Block<C>),
) -> Option<Vec<u8>> {
    let tweak = tweak(t, number);
    let add = |block: &[u8]| -> Vec<u8> { block.iter().zip(&tweak).map(|(byte, tweak)| byte ^ tweak).collect() };
    let mut bytes = add(block).as_slice().try_into().ok()?;
    function(&mut bytes);
    Some(add(&bytes))
}

impl<C: Crate> Mode<C> for ByHand {
    fn encrypt(cipher: C, t: &[u8], data: &[u8]) -> Option<Vec<u8>> {
        let bytes = C::block_size();
        let encrypt = |number, block: &[u8]| tweaked::<C>(t, number, block, |block| cipher.encrypt_block(block));
        let whole = data.len() / bytes;
        if whole == 0 || t.len() != bytes {
            return None;
        }
        let blocks = data.chunks_exact(bytes).enumerate().map(|(number, block)| encrypt(number, block));
        let mut output = blocks.collect::<Option<Vec<_>>>()?.concat();
        let short = &data[whole * bytes..];
        if !short.is_empty() {
            let stolen = output.split_off((whole - 1) * bytes);
            output.extend(encrypt(whole, &[short, &stolen[short.len()..]].concat())?);
            output.extend(&stolen[..short.len()]);
        }
        Some(output)
    }
    fn decrypt(cipher: C, t: &[u8], data: &[u8]) -> Option<Vec<u8>> {
        let bytes = C::block_size();
        let decrypt = |number, block: &[u8]| tweaked::<C>(t, number, block, |block| cipher.decrypt_block(block));
        let whole = data.len() / bytes;
        if whole == 0 || t.len() != bytes {
            return None;
        }
        let short = &data[whole * bytes..];
        let plain = if short.is_empty() { whole } else { whole - 1 };
        let blocks = data[..plain * bytes].chunks_exact(bytes).enumerate();
        let mut output = blocks.map(|(number, block)| decrypt(number, block)).collect::<Option<Vec<_>>>()?.concat();
        if !short.is_empty() {
            let last = decrypt(whole, &data[plain * bytes..whole * bytes])?;
            output.extend(decrypt(plain, &[short, &last[short.len()..]].concat())?);
            output.extend(&last[..short.len()]);
        }
        Some(output)
    }
}

macro_rules! xts_oracle {
    ($(#[$doc:meta])* $oracle:ident, $name:literal, $source:literal, $key:literal, $block:literal, $rounds:literal,
     $cipher:ty, $mode:ty) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $oracle;

        impl XtsOracle for $oracle {
            fn algorithm(&self) -> &'static str {
                $name
            }
            fn source(&self) -> &'static str {
                $source
            }
            fn key_bytes(&self) -> usize {
                $key
            }
            fn block_bytes(&self) -> usize {
                $block
            }
            fn rounds(&self) -> u32 {
                $rounds
            }
            fn encrypt_block(&self, key: &[u8], block: &[u8]) -> Option<Vec<u8>> {
                let mut block = block.try_into().ok()?;
                BlockCipherEncrypt::encrypt_block(&<$cipher>::new_from_slice(key).ok()?, &mut block);
                Some(block.to_vec())
            }
            fn decrypt_block(&self, key: &[u8], block: &[u8]) -> Option<Vec<u8>> {
                let mut block = block.try_into().ok()?;
                BlockCipherDecrypt::decrypt_block(&<$cipher>::new_from_slice(key).ok()?, &mut block);
                Some(block.to_vec())
            }
            fn encrypt_from(&self, key1: &[u8], t: &[u8], data: &[u8]) -> Option<Vec<u8>> {
                <$mode>::encrypt(<$cipher>::new_from_slice(key1).ok()?, t, data)
            }
            fn decrypt_from(&self, key1: &[u8], t: &[u8], data: &[u8]) -> Option<Vec<u8>> {
                <$mode>::decrypt(<$cipher>::new_from_slice(key1).ok()?, t, data)
            }
        }
    };
}

xts_oracle!(
    /// AES-128 in XTS.
    Aes128Xts, "aes128-xts", "crates aes and xts-mode", 16, 16, 10, aes::Aes128, ByCrate
);
xts_oracle!(
    /// AES-192 in XTS, which the standard does not have.
    Aes192Xts, "aes192-xts", "crates aes and xts-mode", 24, 16, 12, aes::Aes192, ByCrate
);
xts_oracle!(
    /// AES-256 in XTS.
    Aes256Xts, "aes256-xts", "crates aes and xts-mode", 32, 16, 14, aes::Aes256, ByCrate
);
xts_oracle!(
    /// Speck128/128 in XTS, in the byte order of Linux.
    Speck128_128Xts, "speck128-128-xts", "crates speck-cipher and xts-mode", 16, 16, 32,
    Reversed<speck_cipher::Speck128_128>, ByCrate
);
xts_oracle!(
    /// Speck128/192 in XTS, in the byte order of Linux.
    Speck128_192Xts, "speck128-192-xts", "crates speck-cipher and xts-mode", 24, 16, 33,
    Reversed<speck_cipher::Speck128_192>, ByCrate
);
xts_oracle!(
    /// Speck128/256 in XTS, in the byte order of Linux.
    Speck128_256Xts, "speck128-256-xts", "crates speck-cipher and xts-mode", 32, 16, 34,
    Reversed<speck_cipher::Speck128_256>, ByCrate
);
xts_oracle!(
    /// Speck64/96 in XTS, in the byte order of Linux.
    Speck64_96Xts, "speck64-96-xts", "crate speck-cipher, XTS transcribed a second time", 12, 8, 26,
    Reversed<speck_cipher::Speck64_96>, ByHand
);
xts_oracle!(
    /// Speck64/128 in XTS, in the byte order of Linux.
    Speck64_128Xts, "speck64-128-xts", "crate speck-cipher, XTS transcribed a second time", 16, 8, 27,
    Reversed<speck_cipher::Speck64_128>, ByHand
);

/// Every stream cipher oracle, by algorithm.
pub static STREAMS: &[&dyn StreamCipherOracle] = &[
    &Salsa20::<U10>::new("salsa20"),
    &Salsa20::<U6>::new("salsa20-12"),
    &Salsa20::<U4>::new("salsa20-8"),
    &XSalsa20::<U10>::new("xsalsa20"),
    &XSalsa20::<U6>::new("xsalsa20-12"),
    &XSalsa20::<U4>::new("xsalsa20-8"),
];

/// Every block cipher oracle, by algorithm.
pub static XTS: &[&dyn XtsOracle] = &[
    &Aes128Xts,
    &Aes192Xts,
    &Aes256Xts,
    &Speck128_128Xts,
    &Speck128_192Xts,
    &Speck128_256Xts,
    &Speck64_96Xts,
    &Speck64_128Xts,
];

/// The oracle of a stream cipher.
pub fn stream(algorithm: &str) -> Option<&'static dyn StreamCipherOracle> {
    STREAMS.iter().copied().find(|oracle| oracle.algorithm() == algorithm)
}

/// The oracle of a block cipher in XTS, as `aes128-xts`.
pub fn xts(algorithm: &str) -> Option<&'static dyn XtsOracle> {
    XTS.iter().copied().find(|oracle| oracle.algorithm() == algorithm)
}

/// The oracle of a block cipher, as `aes128`.
pub fn block(cipher: &str) -> Option<&'static dyn XtsOracle> {
    XTS.iter().copied().find(|oracle| oracle.cipher() == cipher)
}

#[cfg(test)]
mod tests;
