//! Salsa20, and Speck and AES in XTS mode.

use std::marker::PhantomData;

use cipher::{BlockCipherDecrypt, BlockCipherEncrypt, InOutBuf, KeyInit, KeyIvInit, StreamCipher};
use vambrace::speck64::{Speck64_96, Speck64_96Xts, Speck64_128, Speck64_128Xts};
use vambrace::speck128::{Speck128_128, Speck128_128Xts, Speck128_192, Speck128_192Xts, Speck128_256, Speck128_256Xts};
use vambrace::{
    Aes128Xts, Aes256Xts, KeystreamExhausted, Salsa8, Salsa12, Salsa20, Tier, TierError, XSalsa8, XSalsa12, XSalsa20,
    XtsError,
};
use vambrace_harness::subject::{Direction, KeyedXts, RunningStream, StreamSubject, XtsSubject};

use crate::Subject;

/// The names of the stream ciphers.
pub const STREAMS: &[&str] = &["salsa20", "salsa20-12", "salsa20-8", "xsalsa20", "xsalsa20-12", "xsalsa20-8"];

/// The names of the ciphers in XTS mode.
pub const XTS: &[&str] = &[
    "aes128-xts",
    "aes256-xts",
    "speck128-128-xts",
    "speck128-192-xts",
    "speck128-256-xts",
    "speck64-96-xts",
    "speck64-128-xts",
];

fn parse(tier: &str) -> Result<Tier, String> {
    tier.parse().map_err(|_| format!("unknown tier {tier:?}; the ciphers have auto, generic, scalar, neon and ce"))
}

/// A stream cipher of the library.
trait Stream: KeyIvInit + StreamCipher + Clone + 'static {
    fn set_tier(&mut self, tier: Tier) -> Result<(), TierError>;
    fn apply(&mut self, data: &mut [u8]) -> Result<(), KeystreamExhausted>;
    fn seek_to(&mut self, position: u128) -> Result<(), KeystreamExhausted>;
    fn position(&self) -> u128;
}

macro_rules! stream {
    ($($cipher:ident),*) => {
        $(impl Stream for $cipher {
            fn set_tier(&mut self, tier: Tier) -> Result<(), TierError> {
                $cipher::set_tier(self, tier)
            }
            fn apply(&mut self, data: &mut [u8]) -> Result<(), KeystreamExhausted> {
                $cipher::apply(self, data)
            }
            fn seek_to(&mut self, position: u128) -> Result<(), KeystreamExhausted> {
                $cipher::seek_to(self, position)
            }
            fn position(&self) -> u128 {
                $cipher::position(self)
            }
        })*
    };
}

stream!(Salsa20, Salsa12, Salsa8, XSalsa20, XSalsa12, XSalsa8);

fn stream<C: Stream>(tier: &str, key: &[u8], nonce: &[u8]) -> Result<Box<dyn RunningStream>, String> {
    let mut cipher = C::new_from_slices(key, nonce).map_err(|_| {
        let keys = if C::iv_size() == 8 { "32 or 16" } else { "32" };
        let (key, nonce, nonces) = (key.len(), nonce.len(), C::iv_size());
        format!("a key of {key} bytes with a nonce of {nonce} is refused; keys have {keys} bytes, and nonces {nonces}")
    })?;
    if tier != "auto" {
        cipher.set_tier(parse(tier)?).map_err(|error| error.to_string())?;
    }
    Ok(Box::new(Running(cipher)))
}

/// Calls a generic function for the type of a stream cipher's name; `None` for another algorithm.
macro_rules! stream_by_name {
    ($algorithm:expr, $function:ident($($argument:expr),*)) => {
        match $algorithm {
            "salsa20" => Some($function::<Salsa20>($($argument),*)),
            "salsa20-12" => Some($function::<Salsa12>($($argument),*)),
            "salsa20-8" => Some($function::<Salsa8>($($argument),*)),
            "xsalsa20" => Some($function::<XSalsa20>($($argument),*)),
            "xsalsa20-12" => Some($function::<XSalsa12>($($argument),*)),
            "xsalsa20-8" => Some($function::<XSalsa8>($($argument),*)),
            _ => None,
        }
    };
}

/// A key stream in a tier (`auto`, a tier). `None` for another algorithm.
pub fn start(algorithm: &str, tier: &str, key: &[u8], nonce: &[u8]) -> Option<Result<Box<dyn RunningStream>, String>> {
    stream_by_name!(algorithm, stream(tier, key, nonce))
}

/// Bytes of the key and of the nonce of a stream cipher. `None` for another algorithm.
pub fn stream_sizes(algorithm: &str) -> Option<(usize, usize)> {
    fn of<C: Stream>() -> (usize, usize) {
        (C::key_size(), C::iv_size())
    }
    stream_by_name!(algorithm, of())
}

struct Running<C>(C);

impl<C: Stream> RunningStream for Running<C> {
    fn apply(&mut self, data: &mut [u8]) -> Result<(), String> {
        self.0.apply(data).map_err(|error| error.to_string())
    }

    fn apply_to(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), String> {
        self.0.try_apply_keystream_b2b(input, output).map_err(|error| error.to_string())
    }

    fn seek(&mut self, position: u128) -> Result<(), String> {
        self.0.seek_to(position).map_err(|error| error.to_string())
    }

    fn position(&self) -> u128 {
        self.0.position()
    }

    fn boxed_clone(&self) -> Box<dyn RunningStream> {
        Box::new(Running(self.0.clone()))
    }

    fn switch_tier(&mut self, tier: &str) -> Option<Result<(), String>> {
        Some(parse(tier).and_then(|tier| self.0.set_tier(tier).map_err(|error| error.to_string())))
    }
}

/// The tiers that can be had here.
fn tiers(mut available: impl FnMut(&str) -> bool) -> Vec<String> {
    Tier::ALL.iter().map(|tier| tier.name()).filter(|name| available(name)).map(str::to_owned).collect()
}

struct OfStream {
    name: String,
    algorithm: &'static str,
    tier: &'static str,
}

impl StreamSubject for OfStream {
    fn name(&self) -> &str {
        &self.name
    }

    fn algorithm(&self) -> &str {
        self.algorithm
    }

    fn start(&self, key: &[u8], nonce: &[u8]) -> Result<Box<dyn RunningStream>, String> {
        start(self.algorithm, self.tier, key, nonce).unwrap_or_else(|| Err("unknown algorithm".to_owned()))
    }

    fn tiers(&self) -> Vec<String> {
        let mut salsa = Salsa20::new(&[0; 32].into(), &[0; 8].into());
        tiers(|name| parse(name).is_ok_and(|tier| salsa.set_tier(tier).is_ok()))
    }
}

/// A cipher in XTS mode.
trait Xts: Clone + Send + Sync + 'static {
    const NAME: &'static str;
    const KEY_BYTES: usize;
    const BLOCK_BYTES: usize;
    const REFUSES_EQUAL_HALVES: bool;
    fn new(key: &[u8], allow_equal_halves: bool) -> Result<Self, XtsError>;
    fn prepared_by(tier: Tier, key: &[u8]) -> Result<Self, String>;
    fn set_tier(&mut self, tier: Tier) -> Result<(), TierError>;
    fn crypt(&self, direction: Direction, tweak: &[u8], data: InOutBuf<'_, '_, u8>) -> Result<(), XtsError>;
    fn under(&self, direction: Direction, tweak: &[u8], data: &mut [u8]) -> Result<(), XtsError>;
    fn sectors(&self, direction: Direction, data: &mut [u8], bytes: usize, first: u128) -> Result<(), XtsError>;
}

macro_rules! xts {
    ($xts:ident, $name:literal, $refuses:literal, $new_with_equal_halves:ident) => {
        impl Xts for $xts {
            const NAME: &'static str = $name;
            const KEY_BYTES: usize = $xts::KEY_BYTES;
            const BLOCK_BYTES: usize = $xts::BLOCK_BYTES;
            const REFUSES_EQUAL_HALVES: bool = $refuses;
            fn new(key: &[u8], allow_equal_halves: bool) -> Result<Self, XtsError> {
                if allow_equal_halves { $xts::$new_with_equal_halves(key) } else { $xts::new(key) }
            }
            fn prepared_by(tier: Tier, key: &[u8]) -> Result<Self, String> {
                let key = key.try_into().map_err(|_| format!("a key of {} bytes", key.len()))?;
                $xts::prepared_by(tier, key).map_err(|error| error.to_string())
            }
            fn set_tier(&mut self, tier: Tier) -> Result<(), TierError> {
                $xts::set_tier(self, tier)
            }
            fn crypt(&self, direction: Direction, tweak: &[u8], data: InOutBuf<'_, '_, u8>) -> Result<(), XtsError> {
                match direction {
                    Direction::Encrypt => self.encrypt_inout(tweak, data),
                    Direction::Decrypt => self.decrypt_inout(tweak, data),
                }
            }
            fn under(&self, direction: Direction, tweak: &[u8], data: &mut [u8]) -> Result<(), XtsError> {
                let expected = $xts::BLOCK_BYTES;
                let error = XtsError::TweakLength { expected, given: tweak.len() };
                let tweak = tweak.try_into().map_err(|_| error)?;
                self.under_encrypted_tweak(direction == Direction::Encrypt, tweak, data.into())
            }
            fn sectors(
                &self,
                direction: Direction,
                data: &mut [u8],
                bytes: usize,
                first: u128,
            ) -> Result<(), XtsError> {
                match direction {
                    Direction::Encrypt => self.encrypt_sectors(data, bytes, first),
                    Direction::Decrypt => self.decrypt_sectors(data, bytes, first),
                }
            }
        }
    };
}

xts!(Aes128Xts, "aes128-xts", true, new_with_equal_halves_allowed);
xts!(Aes256Xts, "aes256-xts", true, new_with_equal_halves_allowed);
xts!(Speck128_128Xts, "speck128-128-xts", false, new);
xts!(Speck128_192Xts, "speck128-192-xts", false, new);
xts!(Speck128_256Xts, "speck128-256-xts", false, new);
xts!(Speck64_96Xts, "speck64-96-xts", false, new);
xts!(Speck64_128Xts, "speck64-128-xts", false, new);

/// Calls a generic function for the type of the name of a cipher in XTS mode; `None` for another algorithm.
macro_rules! xts_by_name {
    ($algorithm:expr, $function:ident($($argument:expr),*)) => {
        match $algorithm {
            Aes128Xts::NAME => Some($function::<Aes128Xts>($($argument),*)),
            Aes256Xts::NAME => Some($function::<Aes256Xts>($($argument),*)),
            Speck128_128Xts::NAME => Some($function::<Speck128_128Xts>($($argument),*)),
            Speck128_192Xts::NAME => Some($function::<Speck128_192Xts>($($argument),*)),
            Speck128_256Xts::NAME => Some($function::<Speck128_256Xts>($($argument),*)),
            Speck64_96Xts::NAME => Some($function::<Speck64_96Xts>($($argument),*)),
            Speck64_128Xts::NAME => Some($function::<Speck64_128Xts>($($argument),*)),
            _ => None,
        }
    };
}

/// A key by the kernels of a tier, those that prepare it included.
fn with_tier<X: Xts>(key: &[u8], allow_equal_halves: bool, tier: &str) -> Result<X, String> {
    let xts = X::new(key, allow_equal_halves).map_err(|error| error.to_string())?;
    if tier == "auto" { Ok(xts) } else { X::prepared_by(parse(tier)?, key) }
}

/// A key in a tier. `None` for another algorithm.
pub fn keyed(
    algorithm: &str,
    tier: &str,
    key: &[u8],
    allow_equal_halves: bool,
) -> Option<Result<Box<dyn KeyedXts>, String>> {
    fn keyed<X: Xts>(tier: &str, key: &[u8], allow_equal_halves: bool) -> Result<Box<dyn KeyedXts>, String> {
        let encrypts = with_tier::<X>(key, allow_equal_halves, tier)?;
        Ok(Box::new(Keyed { decrypts: encrypts.clone(), encrypts }))
    }
    xts_by_name!(algorithm, keyed(tier, key, allow_equal_halves))
}

/// Bytes of the keys of a cipher in XTS mode, together, and of a tweak. `None` for another algorithm.
pub fn xts_sizes(algorithm: &str) -> Option<(usize, usize)> {
    fn of<X: Xts>() -> (usize, usize) {
        (X::KEY_BYTES, X::BLOCK_BYTES)
    }
    xts_by_name!(algorithm, of())
}

/// The algorithm of an XTS cipher from the name that `eval` uses for all its key lengths. `None` for another name.
pub fn of_key_length(name: &str, key_bytes: usize) -> Option<Result<&'static str, String>> {
    let lengths: &[(usize, &str)] = match name {
        "aes-xts" => &[(32, Aes128Xts::NAME), (64, Aes256Xts::NAME)],
        "speck128-xts" => &[(32, Speck128_128Xts::NAME), (48, Speck128_192Xts::NAME), (64, Speck128_256Xts::NAME)],
        "speck64-xts" => &[(24, Speck64_96Xts::NAME), (32, Speck64_128Xts::NAME)],
        _ => return None,
    };
    let known = lengths.iter().find(|(bytes, _)| *bytes == key_bytes).map(|(_, name)| *name);
    Some(known.ok_or_else(|| {
        let lengths: Vec<String> = lengths.iter().map(|(bytes, _)| bytes.to_string()).collect();
        format!("a key of {name} has {} bytes, but {key_bytes} were given", lengths.join(" or "))
    }))
}

/// Encrypts or decrypts whole blocks by a bare block cipher. `None` for another algorithm.
pub fn blocks(
    algorithm: &str,
    tier: &str,
    key: &[u8],
    direction: Direction,
    data: &mut [u8],
) -> Option<Result<(), String>> {
    macro_rules! crypt {
        ($($cipher:ident),*) => {{
            let lengths = [$(<$cipher as cipher::KeySizeUser>::key_size()),*];
            $(if key.len() == <$cipher as cipher::KeySizeUser>::key_size() {
                let mut cipher = match $cipher::new_from_slice(key) {
                    Ok(cipher) => cipher,
                    Err(error) => return Some(Err(error.to_string())),
                };
                if tier != "auto"
                    && let Err(error) =
                        parse(tier).and_then(|tier| cipher.set_tier(tier).map_err(|error| error.to_string()))
                {
                    return Some(Err(error));
                }
                let block = <$cipher as cipher::BlockSizeUser>::block_size();
                let given = data.len();
                let (blocks, rest) = cipher::Block::<$cipher>::slice_as_chunks_mut(data);
                if !rest.is_empty() {
                    return Some(Err(format!("{given} bytes are no whole number of blocks of {block}")));
                }
                match direction {
                    Direction::Encrypt => cipher.encrypt_blocks(blocks),
                    Direction::Decrypt => cipher.decrypt_blocks(blocks),
                }
                return Some(Ok(()));
            })*
            Some(Err(format!("a key of {algorithm} has {lengths:?} bytes, but {} were given", key.len())))
        }};
    }
    match algorithm {
        "speck128" => crypt!(Speck128_128, Speck128_192, Speck128_256),
        "speck64" => crypt!(Speck64_96, Speck64_128),
        _ => None,
    }
}

/// A key, each direction by a tier of its own.
#[derive(Clone)]
struct Keyed<X> {
    encrypts: X,
    decrypts: X,
}

impl<X: Xts> Keyed<X> {
    fn of(&self, direction: Direction) -> &X {
        match direction {
            Direction::Encrypt => &self.encrypts,
            Direction::Decrypt => &self.decrypts,
        }
    }
}

impl<X: Xts> KeyedXts for Keyed<X> {
    fn crypt(&self, direction: Direction, tweak: &[u8], data: &mut [u8]) -> Result<(), String> {
        self.of(direction).crypt(direction, tweak, data.into()).map_err(|error| error.to_string())
    }

    fn crypt_to(&self, direction: Direction, tweak: &[u8], input: &[u8], output: &mut [u8]) -> Result<(), String> {
        let (from, to) = (input.len(), output.len());
        let data = InOutBuf::new(input, output);
        let data = data.map_err(|_| XtsError::UnequalLengths { input: from, output: to }.to_string())?;
        self.of(direction).crypt(direction, tweak, data).map_err(|error| error.to_string())
    }

    fn crypt_from(&self, direction: Direction, tweak: &[u8], data: &mut [u8]) -> Option<Result<(), String>> {
        Some(self.of(direction).under(direction, tweak, data).map_err(|error| error.to_string()))
    }

    fn crypt_sectors(
        &self,
        direction: Direction,
        first: u128,
        sector_bytes: usize,
        data: &mut [u8],
    ) -> Option<Result<(), String>> {
        let done = self.of(direction).sectors(direction, data, sector_bytes, first);
        Some(done.map_err(|error| error.to_string()))
    }

    /// Under a tweak of zero XTS is the bare cipher.
    fn blocks(&self, direction: Direction, data: &mut [u8]) -> Option<Result<(), String>> {
        let tweak = [0; 16];
        Some(self.of(direction).under(direction, &tweak[..X::BLOCK_BYTES], data).map_err(|error| error.to_string()))
    }

    fn boxed_clone(&self) -> Box<dyn KeyedXts> {
        Box::new(self.clone())
    }

    fn switch_tier(&mut self, tier: &str) -> Option<Result<(), String>> {
        Some(parse(tier).and_then(|tier| {
            self.encrypts.set_tier(tier).map_err(|error| error.to_string())?;
            self.decrypts.set_tier(tier).map_err(|error| error.to_string())
        }))
    }
}

/// XTS by the kernels of a tier; or one direction by them, and the other by the portable tier.
struct OfXts<X> {
    name: String,
    tier: &'static str,
    directions: &'static [Direction],
    cipher: PhantomData<fn() -> X>,
}

impl<X: Xts> XtsSubject for OfXts<X> {
    fn name(&self) -> &str {
        &self.name
    }

    fn algorithm(&self) -> &str {
        X::NAME
    }

    fn keyed(&self, key: &[u8]) -> Result<Box<dyn KeyedXts>, String> {
        let tier = |direction| if self.directions.contains(&direction) { self.tier } else { "generic" };
        Ok(Box::new(Keyed {
            encrypts: with_tier::<X>(key, false, tier(Direction::Encrypt))?,
            decrypts: with_tier::<X>(key, false, tier(Direction::Decrypt))?,
        }))
    }

    fn directions(&self) -> &[Direction] {
        self.directions
    }

    fn refuses_equal_halves(&self) -> bool {
        X::REFUSES_EQUAL_HALVES
    }

    fn tiers(&self) -> Vec<String> {
        let key: Vec<u8> = (0..X::KEY_BYTES).map(|byte| byte as u8).collect();
        tiers(|name| with_tier::<X>(&key, false, name).is_ok())
    }
}

/// Whether this process can run a variant of a kernel's algorithm, or the library's error, and what runs through it. `None`
/// for another algorithm.
///
/// A variant of XTS is a tier and what its kernel does, as `neon_decrypt`: the other direction is the portable tier's then, so
/// that a row stands for its own kernel. The library gives data units of one block to a tier's `encrypt_one`, if it has one.
pub fn row(algorithm: &str, variant: &'static str) -> Option<crate::Row> {
    let (tier, part) = variant.split_once('_').unwrap_or((variant, ""));
    let directions: &[Direction] = match part.trim_end_matches("_one") {
        "encrypt" => &[Direction::Encrypt],
        "decrypt" => &[Direction::Decrypt],
        _ => &[Direction::Encrypt, Direction::Decrypt],
    };
    fn subject<X: Xts>(variant: &str, tier: &'static str, directions: &'static [Direction]) -> Subject {
        let name = format!("{}_{variant}", X::NAME);
        Subject::Xts(Box::new(OfXts::<X> { name, tier, directions, cipher: PhantomData }))
    }
    fn available<X: Xts>(tier: &str) -> Result<(), String> {
        let key: Vec<u8> = (0..X::KEY_BYTES).map(|byte| byte as u8).collect();
        with_tier::<X>(&key, false, tier).map(drop)
    }
    Some(match algorithm {
        "salsa20" => {
            let available = start("salsa20", tier, &[0; 32], &[0; 8])?.map(drop);
            let subjects = STREAMS.iter().map(|&algorithm| {
                Subject::Stream(Box::new(OfStream { name: format!("{algorithm}_{variant}"), algorithm, tier }))
            });
            (available, subjects.collect())
        }
        "aes-xts" => (
            available::<Aes128Xts>(tier),
            vec![subject::<Aes128Xts>(variant, tier, directions), subject::<Aes256Xts>(variant, tier, directions)],
        ),
        "speck128-xts" => (
            available::<Speck128_256Xts>(tier),
            vec![
                subject::<Speck128_256Xts>(variant, tier, directions),
                subject::<Speck128_192Xts>(variant, tier, directions),
                subject::<Speck128_128Xts>(variant, tier, directions),
            ],
        ),
        "speck64-xts" => (
            available::<Speck64_128Xts>(tier),
            vec![
                subject::<Speck64_128Xts>(variant, tier, directions),
                subject::<Speck64_96Xts>(variant, tier, directions),
            ],
        ),
        _ => return None,
    })
}
