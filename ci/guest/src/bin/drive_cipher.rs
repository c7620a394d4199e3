//! `drive_cipher ALGORITHM IMPLEMENTATION TIER PART BYTES...`: encrypts or decrypts data of each size, between a call of
//! `vambrace_count_begin` and one of `vambrace_count_end`, and prints the results.
//!
//! ALGORITHM is `salsa20`, `salsa12` or `salsa8`, or a cipher in XTS mode with a direction, as `aes128-xts-enc` or
//! `speck128-256-xts-dec`. IMPLEMENTATION is
//! - `library`: the library's type. Detection is masked so that automatic dispatch picks TIER;
//! - `set-tier`: the same after `set_tier(TIER)`, for tiers that automatic dispatch does not pick;
//! - `crate`: the RustCrypto crates, under their own detection; TIER is `auto`. For Speck64, whose blocks are shorter than
//!   `xts-mode` takes, it is the bare block cipher, which does less.
//!
//! PART is what lies between the two calls:
//! - `data`: one call for the data, under keys that are ready;
//! - `key`: the same from the bytes of the keys on: the keys made ready, the data, and the keys dropped.

use std::hint::black_box;
use std::process::ExitCode;

use aes::{Aes128, Aes256};
use cipher::{
    Array, BlockCipherDecrypt, BlockCipherEncrypt, BlockSizeUser, KeyInit, KeyIvInit, StreamCipher, consts::U16,
};
use vambrace::speck64::{Speck64_96Xts, Speck64_128Xts};
use vambrace::speck128::{Speck128_128Xts, Speck128_192Xts, Speck128_256Xts};
use vambrace::{Aes128Xts, Aes256Xts, Salsa8, Salsa12, Salsa20, Tier, TierError};
use vambrace_verify::counting::mask;
use xts_mode::Xts128;

/// The most bytes of data.
const LONGEST: usize = 1 << 16;

vambrace_verify::marks!();

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let [algorithm, implementation, tier, part, ref sizes @ ..] = arguments[..] else {
        eprintln!("usage: drive_cipher ALGORITHM IMPLEMENTATION TIER PART BYTES...");
        return ExitCode::from(2);
    };
    match results(algorithm, implementation, tier, part, sizes) {
        Ok(results) => {
            results.iter().for_each(|result| println!("{}", hex::encode(result)));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("drive_cipher: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A cipher with its keys.
trait Cipher {
    fn new(key: &[u8; 64]) -> Self;
    fn encrypt(&mut self, data: &mut [u8]);
    fn decrypt(&mut self, data: &mut [u8]);
}

/// A cipher of the library.
trait Tiered: Cipher {
    fn tier(&self) -> Tier;
    fn set_tier(&mut self, tier: Tier) -> Result<(), TierError>;
}

/// The bytes of a key at the front.
fn front<const BYTES: usize>(key: &[u8; 64]) -> &[u8; BYTES] {
    key.first_chunk().expect("no key has more than 64 bytes")
}

/// 64 bytes, of which ciphers take as many as they need.
const KEY: [u8; 64] = *b"The key of the data comes first, and then the key of the tweaks.";

const TWEAK: [u8; 16] = *b"and here a tweak";

macro_rules! tiered {
    ($($cipher:ty),*) => {
        $(impl Tiered for $cipher {
            fn tier(&self) -> Tier {
                <$cipher>::tier(self)
            }
            #[inline]
            fn set_tier(&mut self, tier: Tier) -> Result<(), TierError> {
                <$cipher>::set_tier(self, tier)
            }
        })*
    };
}

tiered!(Salsa20, Salsa12, Salsa8, Aes128Xts, Aes256Xts);
tiered!(Speck128_128Xts, Speck128_192Xts, Speck128_256Xts, Speck64_96Xts, Speck64_128Xts);

macro_rules! stream {
    ($($cipher:ty),*) => {
        $(impl Cipher for $cipher {
            #[inline]
            fn new(key: &[u8; 64]) -> Self {
                KeyIvInit::new(front::<32>(key).into(), black_box(&[7; 8]).into())
            }
            #[inline]
            fn encrypt(&mut self, data: &mut [u8]) {
                self.apply_keystream(data);
            }
            #[inline]
            fn decrypt(&mut self, data: &mut [u8]) {
                self.apply_keystream(data);
            }
        })*
    };
}

stream!(Salsa20, Salsa12, Salsa8, salsa20::Salsa20, salsa20::Salsa12, salsa20::Salsa8);

macro_rules! xts {
    ($($cipher:ty, block $block:literal);*) => {
        $(impl Cipher for $cipher {
            #[inline]
            fn new(key: &[u8; 64]) -> Self {
                <$cipher>::new(front::<{ <$cipher>::KEY_BYTES }>(key)).expect("the key has the right length")
            }
            #[inline]
            fn encrypt(&mut self, data: &mut [u8]) {
                let tweak = black_box(&TWEAK).first_chunk::<$block>().expect("it has at most 16 bytes");
                <$cipher>::encrypt(self, tweak, data).expect("tweak and data have allowed lengths");
            }
            #[inline]
            fn decrypt(&mut self, data: &mut [u8]) {
                let tweak = black_box(&TWEAK).first_chunk::<$block>().expect("it has at most 16 bytes");
                <$cipher>::decrypt(self, tweak, data).expect("tweak and data have allowed lengths");
            }
        })*
    };
}

xts!(Aes128Xts, block 16; Aes256Xts, block 16);
xts!(Speck128_128Xts, block 16; Speck128_192Xts, block 16; Speck128_256Xts, block 16);
xts!(Speck64_96Xts, block 8; Speck64_128Xts, block 8);

impl<C> Cipher for Xts128<C>
where
    C: BlockSizeUser<BlockSize = U16> + BlockCipherEncrypt + BlockCipherDecrypt + KeyInit,
{
    #[inline]
    fn new(key: &[u8; 64]) -> Self {
        let (data, tweak) = key[..2 * C::key_size()].split_at(C::key_size());
        let cipher = |key| C::new_from_slice(key).expect("the key has the right length");
        Xts128::new(cipher(data), cipher(tweak))
    }
    #[inline]
    fn encrypt(&mut self, data: &mut [u8]) {
        self.encrypt_sector(data, Array(*black_box(&TWEAK)));
    }
    #[inline]
    fn decrypt(&mut self, data: &mut [u8]) {
        self.decrypt_sector(data, Array(*black_box(&TWEAK)));
    }
}

/// The bare blocks of a cipher, for whole blocks.
struct Blocks<C>(C);

impl<C: BlockCipherEncrypt + BlockCipherDecrypt + KeyInit> Cipher for Blocks<C> {
    #[inline]
    fn new(key: &[u8; 64]) -> Self {
        Blocks(C::new_from_slice(&key[..C::key_size()]).expect("the key has the right length"))
    }
    #[inline]
    fn encrypt(&mut self, data: &mut [u8]) {
        self.0.encrypt_blocks(Array::slice_as_chunks_mut(data).0);
    }
    #[inline]
    fn decrypt(&mut self, data: &mut [u8]) {
        self.0.decrypt_blocks(Array::slice_as_chunks_mut(data).0);
    }
}

type Results = Result<Vec<Vec<u8>>, String>;

/// What is to be done, and how often.
struct Call<'a> {
    implementation: &'a str,
    tier: &'a str,
    part: &'a str,
    decrypt: bool,
    sizes: Vec<usize>,
}

fn results(algorithm: &str, implementation: &str, tier: &str, part: &str, sizes: &[&str]) -> Results {
    let sizes = sizes.iter().map(|size| match size.parse() {
        Ok(size) if (16..=LONGEST).contains(&size) => Ok(size),
        _ => Err(format!("{size:?} is no number of bytes from 16 to {LONGEST}")),
    });
    let sizes = sizes.collect::<Result<Vec<usize>, String>>()?;
    let (cipher, decrypt) = match algorithm.strip_suffix("-dec") {
        Some(cipher) => (cipher, true),
        None => (algorithm.trim_end_matches("-enc"), false),
    };
    let call = Call { implementation, tier, part, decrypt, sizes };
    match cipher {
        "salsa20" => call.of::<Salsa20, salsa20::Salsa20>(),
        "salsa12" => call.of::<Salsa12, salsa20::Salsa12>(),
        "salsa8" => call.of::<Salsa8, salsa20::Salsa8>(),
        "aes128-xts" => call.of::<Aes128Xts, Xts128<Aes128>>(),
        "aes256-xts" => call.of::<Aes256Xts, Xts128<Aes256>>(),
        "speck128-128-xts" => call.of::<Speck128_128Xts, Xts128<speck_cipher::Speck128_128>>(),
        "speck128-192-xts" => call.of::<Speck128_192Xts, Xts128<speck_cipher::Speck128_192>>(),
        "speck128-256-xts" => call.of::<Speck128_256Xts, Xts128<speck_cipher::Speck128_256>>(),
        "speck64-96-xts" => call.of::<Speck64_96Xts, Blocks<speck_cipher::Speck64_96>>(),
        "speck64-128-xts" => call.of::<Speck64_128Xts, Blocks<speck_cipher::Speck64_128>>(),
        _ => Err(format!("unknown algorithm {algorithm:?}")),
    }
}

impl Call<'_> {
    /// By the library's type, or by the crate's.
    fn of<L: Tiered, C: Cipher>(&self) -> Results {
        if self.implementation == "crate" {
            return match self.tier {
                "auto" => self.counted(C::new),
                tier => Err(format!("the crate has tier auto only, not {tier:?}")),
            };
        }
        let tier: Tier = self.tier.parse().map_err(|error| format!("{:?}: {error}", self.tier))?;
        match self.implementation {
            "library" => {
                mask(tier);
                match L::new(&KEY).tier() {
                    chosen if chosen == tier => self.counted(L::new),
                    chosen => Err(format!("automatic dispatch picks {chosen} here, not {tier}")),
                }
            }
            "set-tier" => self.counted(|key| {
                let mut cipher = L::new(key);
                cipher.set_tier(tier).expect("the CPU has all features");
                cipher
            }),
            other => Err(format!("unknown implementation {other:?}; there are library, set-tier and crate")),
        }
    }

    /// Each call is one of a function that the compiler does not know here, so that all implementations are called alike.
    fn counted<C: Cipher>(&self, new: impl Fn(&[u8; 64]) -> C) -> Results {
        let key = black_box(KEY);
        let apply: fn(&mut C, &mut [u8]) = black_box(if self.decrypt { C::decrypt } else { C::encrypt });
        let encrypt = |data: &mut [u8]| new(&key).encrypt(data);
        let decrypt = |data: &mut [u8]| new(&key).decrypt(data);
        let whole: &dyn Fn(&mut [u8]) = black_box(if self.decrypt { &decrypt } else { &encrypt });
        let data: Vec<u8> = (0..LONGEST).map(|i| (i % 251) as u8).collect();
        // The first call detects what the CPU has.
        whole(&mut data[..64].to_vec());
        let mut results = Vec::new();
        for &size in &self.sizes {
            let mut data = black_box(data[..size].to_vec());
            match self.part {
                "data" => {
                    let mut cipher = new(&key);
                    vambrace_count_begin();
                    apply(&mut cipher, &mut data);
                    vambrace_count_end();
                }
                "key" => {
                    vambrace_count_begin();
                    whole(&mut data);
                    vambrace_count_end();
                }
                other => return Err(format!("unknown part {other:?}; there are data and key")),
            }
            results.push(data);
        }
        Ok(results)
    }
}
