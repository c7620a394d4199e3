//! Real speed of the ciphers on the machine that this runs on, for the sizes of the Linux cipher speed test.
//!
//! ```text
//! cargo bench -p vambrace --bench cipher_speed -- [--algorithm ALGORITHM] [--tier TIER] [--seconds SECONDS] [FILTER]
//! ```
//!
//! The algorithms are salsa20, salsa12, salsa8, aes128-xts, aes256-xts, speck128-128-xts, speck128-192-xts, speck128-256-xts,
//! speck64-96-xts and speck64-128-xts. A row `encrypt 1420` is one call that encrypts a data unit of 1420 bytes in place under
//! keys that are ready; that size takes ciphertext stealing, by blocks of 16 and of 8 bytes. A row `apply 1420` goes to the
//! beginning of the key stream and xors it to 1420 bytes. FILTER keeps the rows that contain it. Without `--bench`, which
//! `cargo bench` adds, or with `--test`, every row runs once and only its result is looked at.

mod measuring;

use std::fmt;
use std::hint::black_box;
use std::process::ExitCode;

use vambrace::cipher::KeyIvInit;
use vambrace::speck64::{Speck64_96Xts, Speck64_128Xts};
use vambrace::speck128::{Speck128_128Xts, Speck128_192Xts, Speck128_256Xts};
use vambrace::{Aes128Xts, Aes256Xts, Salsa8, Salsa12, Salsa20, Tier, TierError};

use measuring::Algorithm;

/// Bytes of data.
const SIZES: [usize; 7] = [16, 64, 128, 256, 1024, 1420, 4096];

/// 64 bytes, of which ciphers take as many as they need.
const KEY: [u8; 64] = *b"The key of the data comes first, and then the key of the tweaks.";

/// The same for tweaks and nonces.
const TWEAK: [u8; 16] = *b"A tweak or nonce";

/// What is done to the data.
#[derive(Clone, Copy)]
enum Action {
    Apply,
    Encrypt,
    Decrypt,
}

struct Row {
    action: Action,
    bytes: usize,
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let action = match self.action {
            Action::Apply => "apply",
            Action::Encrypt => "encrypt",
            Action::Decrypt => "decrypt",
        };
        f.pad(&format!("{action} {}", self.bytes))
    }
}

/// A cipher of the library.
trait Cipher {
    const NAME: &'static str;
    const ACTIONS: &'static [Action];

    fn new() -> Self;
    fn tier(&self) -> Tier;
    fn set_tier(&mut self, tier: Tier) -> Result<(), TierError>;
    fn act(&mut self, action: Action, data: &mut [u8]);
}

macro_rules! stream_ciphers {
    ($($cipher:ty = $name:literal),*) => {
        $(impl Cipher for $cipher {
            const NAME: &'static str = $name;
            const ACTIONS: &'static [Action] = &[Action::Apply];

            fn new() -> Self {
                let (key, nonce) = (KEY.first_chunk::<32>(), TWEAK.first_chunk::<8>());
                KeyIvInit::new(key.expect("64 bytes are enough").into(), nonce.expect("16 bytes are enough").into())
            }
            fn tier(&self) -> Tier {
                <$cipher>::tier(self)
            }
            fn set_tier(&mut self, tier: Tier) -> Result<(), TierError> {
                <$cipher>::set_tier(self, tier)
            }
            #[inline]
            fn act(&mut self, _: Action, data: &mut [u8]) {
                let done = self.seek_to(0).and_then(|()| self.apply(data));
                done.expect("the key stream is long enough");
            }
        })*
    };
}

macro_rules! xts {
    ($($cipher:ty = $name:literal),*) => {
        $(impl Cipher for $cipher {
            const NAME: &'static str = $name;
            const ACTIONS: &'static [Action] = &[Action::Encrypt, Action::Decrypt];

            fn new() -> Self {
                <$cipher>::new(&KEY[..<$cipher>::KEY_BYTES]).expect("the key has the right length")
            }
            fn tier(&self) -> Tier {
                <$cipher>::tier(self)
            }
            fn set_tier(&mut self, tier: Tier) -> Result<(), TierError> {
                <$cipher>::set_tier(self, tier)
            }
            #[inline]
            fn act(&mut self, action: Action, data: &mut [u8]) {
                let tweak = &TWEAK[..<$cipher>::BLOCK_BYTES];
                let done = match action {
                    Action::Apply | Action::Encrypt => self.encrypt(tweak, data),
                    Action::Decrypt => self.decrypt(tweak, data),
                };
                done.expect("data and tweak have allowed lengths");
            }
        })*
    };
}

stream_ciphers!(Salsa20 = "salsa20", Salsa12 = "salsa12", Salsa8 = "salsa8");
xts!(Aes128Xts = "aes128-xts", Aes256Xts = "aes256-xts");
xts!(
    Speck128_128Xts = "speck128-128-xts",
    Speck128_192Xts = "speck128-192-xts",
    Speck128_256Xts = "speck128-256-xts",
    Speck64_96Xts = "speck64-96-xts",
    Speck64_128Xts = "speck64-128-xts"
);

const fn algorithm<C: Cipher>() -> (&'static str, fn(&mut measuring::Bench) -> usize) {
    (<C as Cipher>::NAME, measuring::rows::<C>)
}

fn main() -> ExitCode {
    let algorithms = [
        algorithm::<Salsa20>(),
        algorithm::<Salsa12>(),
        algorithm::<Salsa8>(),
        algorithm::<Aes128Xts>(),
        algorithm::<Aes256Xts>(),
        algorithm::<Speck128_128Xts>(),
        algorithm::<Speck128_192Xts>(),
        algorithm::<Speck128_256Xts>(),
        algorithm::<Speck64_96Xts>(),
        algorithm::<Speck64_128Xts>(),
    ];
    measuring::run("cipher_speed", &algorithms)
}

impl<C: Cipher> Algorithm for C {
    type Row = Row;

    const NAME: &'static str = <C as Cipher>::NAME;

    fn has_tier(tier: Tier) -> Result<(), TierError> {
        C::new().set_tier(tier)
    }

    fn dispatched() -> Tier {
        C::new().tier()
    }

    fn rows() -> Vec<Row> {
        C::ACTIONS.iter().flat_map(|&action| SIZES.map(|bytes| Row { action, bytes })).collect()
    }

    fn shape(row: &Row) -> (usize, usize) {
        (row.bytes, 1)
    }

    fn is_right(row: &Row, tier: Tier) -> bool {
        Operation::<C>::new(row, tier).run(1) == Operation::<C>::new(row, Tier::Generic).run(1)
    }

    fn operation(row: &Row, tier: Tier) -> impl FnMut(u32) {
        let mut operation = Operation::<C>::new(row, tier);
        move |times| {
            operation.run(times);
        }
    }
}

/// A row in a tier, with what it works on.
struct Operation<C> {
    cipher: C,
    action: Action,
    data: Vec<u8>,
}

impl<C: Cipher> Operation<C> {
    fn new(row: &Row, tier: Tier) -> Operation<C> {
        let mut cipher = C::new();
        cipher.set_tier(tier).expect("the tier was had a moment ago");
        Operation { cipher, action: row.action, data: (0..row.bytes).map(|i| i as u8).collect() }
    }

    fn run(&mut self, times: u32) -> &[u8] {
        for _ in 0..times {
            self.cipher.act(self.action, black_box(&mut self.data));
        }
        black_box(&self.data)
    }
}
