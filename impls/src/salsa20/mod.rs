//! Salsa20, Salsa20/12 and Salsa20/8 (Bernstein, "The Salsa20 family of stream ciphers", 2007), and XSalsa20 with as many
//! rounds ("Extending the Salsa20 nonce", 2011).
//!
//! Keys have 32 or 16 bytes, nonces 8 (XSalsa20: 32 and 24). All words are little-endian. The key stream has 2^64 blocks of 64
//! bytes; block n is computed from the counter n, so that any byte of it can be sought. Encryption and decryption are
//! the same: the data is xored with the key stream. A nonce must not be used twice under a key.
//!
//! ```
//! use vambrace::Salsa20;
//! use vambrace::cipher::{KeyIvInit, StreamCipher, StreamCipherSeek};
//!
//! let (key, nonce) = ([0x42; 32], [0x24; 8]);
//! let mut data = *b"attack at dawn";
//! let mut cipher = Salsa20::new(&key.into(), &nonce.into());
//! cipher.apply_keystream(&mut data);
//! cipher.seek(0u64);
//! cipher.apply_keystream(&mut data);
//! assert_eq!(&data, b"attack at dawn");
//! ```

mod engine;
pub mod kernels;

use core::fmt;

use cipher::common::InvalidLength;
use cipher::consts::{U8, U24, U32, U64};
use cipher::{
    AlgorithmName, BlockSizeUser, InOutBuf, Iv, IvSizeUser, Key, KeyIvInit, KeySizeUser, OverflowError, SeekNum,
    StreamCipher, StreamCipherError, StreamCipherSeek,
};
use vambrace_contract::{Feature, Tier};
use vambrace_reference::salsa20 as specification;
use zeroize::ZeroizeOnDrop;

use crate::dispatch;
use crate::{KeystreamExhausted, TierError, cpu};
use engine::{BLOCK_BYTES, Engine};

/// Bytes of a key stream: 2^70.
pub const KEYSTREAM_BYTES: u128 = engine::BLOCKS * BLOCK_BYTES as u128;

/// The entry point: `state`, `input`, `output`, `count`, `rounds`.
pub(crate) type Stream = unsafe extern "C" fn(*mut [u32; 16], *const u8, *mut u8, usize, u32);

/// The kernel of one tier. Its contract is [`kernels::STREAM`].
pub(crate) struct Backend {
    pub(crate) tier: Tier,
    pub(crate) features: &'static [Feature],
    pub(crate) stream: Stream,
}

impl dispatch::Backend for Backend {
    fn tier(&self) -> Tier {
        self.tier
    }

    fn features(&self) -> &'static [Feature] {
        self.features
    }
}

/// The portable tier: the specification on integers.
///
/// # Safety
/// As the contract `STREAM` says.
pub(crate) unsafe extern "C" fn generic(
    state: *mut [u32; 16],
    input: *const u8,
    output: *mut u8,
    count: usize,
    rounds: u32,
) {
    if count == 0 {
        return;
    }
    // SAFETY: the contract grants an aligned state for reading and writing, apart from the other two.
    let state = unsafe { &mut *state };
    for n in 0..count {
        let stream = specification::hash(state, rounds);
        for (i, byte) in stream.iter().flat_map(|word| word.to_le_bytes()).enumerate() {
            let offset = n * BLOCK_BYTES + i;
            // SAFETY: the contract grants `count` blocks at each; where they are equal, a byte is read before it is written.
            unsafe { *output.add(offset) = *input.add(offset) ^ byte };
        }
        let (low, carry) = state[8].overflowing_add(1);
        (state[8], state[9]) = (low, state[9].wrapping_add(u32::from(carry)));
    }
}

/// Makes the matrix that belongs to a key and a nonce.
type Setup = fn(key: &[u8], nonce: &[u8], state: &mut [u32; 16]);

macro_rules! salsa20 {
    ($(#[$doc:meta])* $cipher:ident, $name:literal, $rounds:literal, nonce $nonce:ty, keys $keys:expr, setup $setup:expr) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $cipher {
            engine: Engine,
        }

        impl $cipher {
            /// The lengths that a key can have, in bytes.
            const KEYS: &'static [usize] = $keys;
            const SETUP: Setup = $setup;

            #[inline]
            fn with_backend(key: &[u8], nonce: &[u8], backend: &'static Backend) -> Self {
                Self { engine: Engine::new($rounds, backend, |state| Self::SETUP(key, nonce, state)) }
            }

            /// The same key stream at the same position, computed by the kernel of this tier.
            ///
            /// # Errors
            /// If the CPU lacks a feature that the tier needs, or no such kernel exists for the architecture; then the tier
            /// stays as it was.
            pub fn set_tier(&mut self, tier: Tier) -> Result<(), TierError> {
                self.engine.set_backend(kernels::DISPATCH.of_tier($name, tier)?);
                Ok(())
            }

            /// The same, by the NEON kernel.
            pub fn use_neon(&mut self, _: cpu::Neon) {
                self.engine.set_backend(kernels::DISPATCH.with_token(Tier::Neon));
            }

            /// The same, by the kernel of the Cryptographic Extension.
            pub fn use_ce(&mut self, _: cpu::Sha3) {
                self.engine.set_backend(kernels::DISPATCH.with_token(Tier::Ce));
            }

            /// The tier whose kernel computes the key stream.
            pub fn tier(&self) -> Tier {
                self.engine.backend().tier
            }

            /// The position, in bytes from the beginning of the key stream.
            pub fn position(&self) -> u128 {
                self.engine.position()
            }

            /// How many bytes of key stream there are from the position on.
            pub fn remaining(&self) -> u128 {
                self.engine.remaining()
            }

            /// Goes to a position, up to [`KEYSTREAM_BYTES`].
            ///
            /// # Errors
            /// If the position is beyond the end of the key stream; then it stays as it was.
            pub fn seek_to(&mut self, position: u128) -> Result<(), KeystreamExhausted> {
                self.engine.seek(position)
            }

            /// Xors the key stream to data in place.
            ///
            /// # Errors
            /// If there is more data than key stream; then the data and the position stay as they were.
            pub fn apply(&mut self, data: &mut [u8]) -> Result<(), KeystreamExhausted> {
                self.engine.check(data.len())?;
                self.engine.apply(data.into());
                Ok(())
            }
        }

        impl fmt::Debug for $cipher {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($cipher), " { .. }"))
            }
        }

        impl ZeroizeOnDrop for $cipher {}

        impl AlgorithmName for $cipher {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($cipher))
            }
        }

        impl KeySizeUser for $cipher {
            type KeySize = U32;
        }

        impl IvSizeUser for $cipher {
            type IvSize = $nonce;
        }

        impl BlockSizeUser for $cipher {
            type BlockSize = U64;
        }

        impl KeyIvInit for $cipher {
            fn new(key: &Key<Self>, nonce: &Iv<Self>) -> Self {
                Self::with_backend(key, nonce, kernels::DISPATCH.best())
            }

            fn new_from_slices(key: &[u8], nonce: &[u8]) -> Result<Self, InvalidLength> {
                if !Self::KEYS.contains(&key.len()) || nonce.len() != Self::iv_size() {
                    return Err(InvalidLength);
                }
                Ok(Self::with_backend(key, nonce, kernels::DISPATCH.best()))
            }
        }

        impl StreamCipher for $cipher {
            fn check_remaining(&self, data_len: usize) -> Result<(), StreamCipherError> {
                self.engine.check(data_len).map_err(|_| StreamCipherError)
            }

            /// Beyond the end the key stream begins again, and so does the position.
            fn unchecked_apply_keystream_inout(&mut self, data: InOutBuf<'_, '_, u8>) {
                self.engine.apply(data);
            }

            /// Beyond the end the key stream begins again, and so does the position.
            fn unchecked_write_keystream(&mut self, data: &mut [u8]) {
                data.fill(0);
                self.engine.apply(data.into());
            }
        }

        impl StreamCipherSeek for $cipher {
            fn try_current_pos<T: SeekNum>(&self) -> Result<T, OverflowError> {
                let (blocks, used) = self.engine.blocks_and_used();
                T::from_block_byte(blocks, used, BLOCK_BYTES as u8)
            }

            fn try_seek<T: SeekNum>(&mut self, position: T) -> Result<(), StreamCipherError> {
                let (block, byte) = position.into_block_byte::<u128>(BLOCK_BYTES as u8).map_err(|_| StreamCipherError)?;
                let position = block.checked_mul(BLOCK_BYTES as u128).and_then(|bytes| bytes.checked_add(byte.into()));
                self.engine.seek(position.ok_or(StreamCipherError)?).map_err(|_| StreamCipherError)
            }
        }
    };
}

/// The first block's matrix of Salsa20, for a key of 32 or 16 bytes.
#[inline]
fn salsa20(key: &[u8], nonce: &[u8], state: &mut [u32; 16]) {
    let mut eight = [0; 8];
    eight.copy_from_slice(nonce);
    *state = match (key.try_into(), key.try_into()) {
        (Ok(key), _) => specification::initial32(key, &eight, 0),
        (_, Ok(key)) => specification::initial16(key, &eight, 0),
        _ => unreachable!("no type has a key of {} bytes", key.len()),
    };
}

/// The first block's matrix of XSalsa20, for a key of 32 bytes.
fn xsalsa20<const ROUNDS: u32>(key: &[u8], nonce: &[u8], state: &mut [u32; 16]) {
    *state = match (key.try_into(), nonce.try_into()) {
        (Ok(key), Ok(nonce)) => specification::initial_extended(key, nonce, 0, ROUNDS),
        _ => unreachable!("no type has a key of {} bytes and a nonce of {}", key.len(), nonce.len()),
    };
}

salsa20! {
    /// Salsa20 with 20 rounds, as specified first and in the eSTREAM portfolio's conservative choice.
    Salsa20, "salsa20", 20, nonce U8, keys &[32, 16], setup salsa20
}
salsa20! {
    /// Salsa20/12, 12 rounds: the eSTREAM portfolio's choice.
    Salsa12, "salsa12", 12, nonce U8, keys &[32, 16], setup salsa20
}
salsa20! {
    /// Salsa20/8, 8 rounds: for scrypt and the like.
    Salsa8, "salsa8", 8, nonce U8, keys &[32, 16], setup salsa20
}
salsa20! {
    /// XSalsa20: Salsa20 with a nonce of 24 bytes, long enough to be chosen at random.
    XSalsa20, "xsalsa20", 20, nonce U24, keys &[32], setup xsalsa20::<20>
}
salsa20! {
    /// XSalsa20 with 12 rounds.
    XSalsa12, "xsalsa12", 12, nonce U24, keys &[32], setup xsalsa20::<12>
}
salsa20! {
    /// XSalsa20 with 8 rounds.
    XSalsa8, "xsalsa8", 8, nonce U24, keys &[32], setup xsalsa20::<8>
}
