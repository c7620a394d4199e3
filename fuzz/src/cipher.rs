//! Fuzzing of ciphers: a sequence of steps is carried out, and compared with the oracle after each.

use libfuzzer_sys::arbitrary::{self, Arbitrary, Unstructured};
use vambrace::cipher::{InOutBuf, KeyIvInit, StreamCipher};
use vambrace::{Tier, TierError};
use vambrace_reference::oracles::ciphers::{self as oracles, StreamCipherOracle, XtsOracle};

use crate::guarded::{End, Guarded};
use crate::target;

/// Steps of a program, at most.
const MAX_STEPS: usize = 16;
/// Bytes of one step, at most.
const MAX_BYTES: usize = 2048;

/// Data of a step: so many bytes, counted up from one, at one end of a page.
#[derive(Clone, Debug)]
pub struct Data {
    length: usize,
    first: u8,
    step: u8,
    end: End,
}

impl Arbitrary<'_> for Data {
    fn arbitrary(u: &mut Unstructured<'_>) -> arbitrary::Result<Data> {
        let shape = u.arbitrary::<u8>()?;
        let length = match shape % 4 {
            0 => usize::from(u.arbitrary::<u8>()?),
            1 => usize::from(u.arbitrary::<u16>()?) % (MAX_BYTES + 1),
            // Around a number of blocks.
            _ => {
                let byte = usize::from(u.arbitrary::<u8>()?);
                (16 * (1 + byte % 40) + byte / 40).saturating_sub(3)
            }
        };
        let end = if shape & 4 == 0 { End::Right } else { End::Left };
        Ok(Data { length, first: u.arbitrary()?, step: u.arbitrary()?, end })
    }
}

impl Data {
    fn bytes(&self) -> Vec<u8> {
        (0..self.length).map(|i| self.first.wrapping_add(self.step.wrapping_mul(i as u8))).collect()
    }
}

/// What is done with a key.
#[derive(Clone, Debug)]
pub struct Program {
    cipher: u8,
    key: [u8; 64],
    steps: Vec<Step>,
}

/// A step.
#[derive(Clone, Debug)]
pub enum Step {
    /// Encrypts, or decrypts, in place or into another buffer; the tweak, where there is one.
    Crypt {
        /// What goes in.
        data: Data,
        /// Whether it is decrypted, where that makes a difference.
        decrypt: bool,
        /// Whether it comes out where it went in.
        in_place: bool,
        /// The tweak, or as many bytes of it as there are in a block.
        tweak: [u8; 16],
    },
    /// Goes on by another tier, if there is one.
    Switch(Tier),
    /// Goes to a position: near the end of a block counter's word, or anywhere.
    Seek {
        /// Of two, in bytes; the top bit says to begin at the beginning instead.
        power: u8,
        /// How many bytes before that.
        back: u16,
    },
}

impl Arbitrary<'_> for Program {
    fn arbitrary(u: &mut Unstructured<'_>) -> arbitrary::Result<Program> {
        let cipher = u.arbitrary()?;
        let seed = u.arbitrary::<[u8; 4]>()?;
        let key = std::array::from_fn(|i| seed[i % 4].wrapping_mul(i as u8 | 1).wrapping_add(i as u8));
        let mut steps = Vec::new();
        while !u.is_empty() && steps.len() < MAX_STEPS {
            steps.push(match u.arbitrary::<u8>()? % 8 {
                0 => Step::Switch(Tier::ALL[usize::from(u.arbitrary::<u8>()? % 4)]),
                1 | 2 => Step::Seek { power: u.arbitrary()?, back: u.arbitrary()? },
                _ => {
                    let shape = u.arbitrary::<u8>()?;
                    // Few different bytes make a tweak; many of them have long carries.
                    let [low, high] = u.arbitrary::<[u8; 2]>()?;
                    let tweak = std::array::from_fn(|i| if i % 3 == 0 { high } else { low });
                    Step::Crypt { data: u.arbitrary()?, decrypt: shape & 1 != 0, in_place: shape & 2 != 0, tweak }
                }
            });
        }
        Ok(Program { cipher, key, steps })
    }
}

impl target::Program for Program {
    fn subject(&self) -> usize {
        usize::from(self.cipher)
    }
}

/// A cipher that is fuzzed.
pub type Subject = target::Subject<Program>;

/// What a step makes of data in one buffer, or from one to another.
fn between(data: &Data, in_place: bool, crypt: impl FnOnce(InOutBuf<'_, '_, u8>)) -> Vec<u8> {
    thread_local! {
        static BUFFERS: std::cell::RefCell<[Guarded; 2]> =
            std::cell::RefCell::new([Guarded::new(MAX_BYTES), Guarded::new(MAX_BYTES)]);
    }
    let bytes = data.bytes();
    BUFFERS.with_borrow_mut(|[first, second]| {
        let input = first.place(bytes.len(), data.end);
        input.copy_from_slice(&bytes);
        if in_place {
            crypt(input.into());
            return input.to_vec();
        }
        let output = second.place(bytes.len(), data.end);
        output.fill(0x5c);
        crypt(InOutBuf::new(input, output).expect("both have as many bytes"));
        assert_eq!(input, bytes, "the input was written to");
        output.to_vec()
    })
}

/// A stream cipher.
trait Stream: KeyIvInit + StreamCipher {
    const ALGORITHM: &'static str;
    fn set_tier(&mut self, tier: Tier) -> Result<(), TierError>;
    fn seek_to(&mut self, position: u128) -> bool;
    fn position(&self) -> u128;
}

impl Subject {
    const fn stream<S: Stream>() -> Subject {
        Subject { start: |tier| new_stream::<S>(&[0; 64]).set_tier(tier), run: run_stream::<S> }
    }

    const fn xts<X: Xts>() -> Subject {
        Subject { start: |tier| X::new(&std::array::from_fn(|i| i as u8)).set_tier(tier), run: run_xts::<X> }
    }
}

fn new_stream<S: Stream>(key: &[u8; 64]) -> S {
    S::new_from_slices(&key[..32], &key[32..][..S::iv_size()]).expect("sizes that the cipher has")
}

fn run_stream<S: Stream>(program: &Program, tier: Tier) {
    let oracle: &dyn StreamCipherOracle = oracles::stream(S::ALGORITHM).expect("an oracle for every cipher");
    let mut cipher = new_stream::<S>(&program.key);
    cipher.set_tier(tier).expect("the tier was there before");
    for (number, step) in program.steps.iter().enumerate() {
        match step {
            // A tier that is not there is refused, and changes nothing.
            Step::Switch(tier) => drop(cipher.set_tier(*tier)),
            Step::Seek { power, back } => {
                let end = 1u128 << (power % 71);
                let before = cipher.position();
                let to = if power & 0x80 == 0 { end.saturating_sub(u128::from(*back)) } else { u128::from(*back) };
                let reached = cipher.seek_to(to);
                assert_eq!(cipher.position(), if reached { to } else { before }, "step {number}: {step:?}");
            }
            Step::Crypt { data, in_place, .. } => {
                let position = cipher.position();
                let mut expected = data.bytes();
                let (key, nonce) = program.key.split_at(32);
                let possible = oracle.apply(key, &nonce[..S::iv_size()], position, &mut expected).is_some();
                let mut accepted = false;
                let actual = between(data, *in_place, |buffer| {
                    accepted = cipher.try_apply_keystream_inout(buffer).is_ok();
                });
                assert_eq!(accepted, possible, "step {number} at {position}: {step:?}");
                if accepted {
                    assert_eq!(actual, expected, "step {number} at {position}: {step:?}");
                    assert_eq!(cipher.position(), position + data.length as u128, "step {number}: {step:?}");
                } else {
                    assert_eq!(cipher.position(), position, "step {number}: {step:?}");
                }
            }
        }
    }
}

/// A cipher in XTS mode.
trait Xts: Sized {
    const ALGORITHM: &'static str;
    const KEY_BYTES: usize;
    const BLOCK_BYTES: usize;
    fn new(key: &[u8; 64]) -> Self;
    fn set_tier(&mut self, tier: Tier) -> Result<(), TierError>;
    fn crypt(&self, decrypt: bool, tweak: &[u8], data: InOutBuf<'_, '_, u8>) -> bool;
}

fn run_xts<X: Xts>(program: &Program, tier: Tier) {
    let oracle: &dyn XtsOracle = oracles::xts(X::ALGORITHM).expect("an oracle for every cipher");
    let mut xts = X::new(&program.key);
    xts.set_tier(tier).expect("the tier was there before");
    let (key1, key2) = program.key[..X::KEY_BYTES].split_at(X::KEY_BYTES / 2);
    for (number, step) in program.steps.iter().enumerate() {
        match step {
            Step::Switch(tier) => drop(xts.set_tier(*tier)),
            Step::Seek { .. } => {}
            Step::Crypt { data, decrypt, in_place, tweak } => {
                let tweak = &tweak[..X::BLOCK_BYTES];
                let bytes = data.bytes();
                let expected = match decrypt {
                    false => oracle.encrypt(key1, key2, tweak, &bytes),
                    true => oracle.decrypt(key1, key2, tweak, &bytes),
                };
                let mut accepted = false;
                let actual = between(data, *in_place, |buffer| accepted = xts.crypt(*decrypt, tweak, buffer));
                assert_eq!(accepted, expected.is_some(), "step {number}: {step:?}");
                match expected {
                    Some(expected) => assert_eq!(actual, expected, "step {number}: {step:?}"),
                    None if *in_place => assert_eq!(actual, bytes, "step {number}: {step:?}"),
                    None => assert!(actual.iter().all(|byte| *byte == 0x5c), "step {number}: {step:?}"),
                }
            }
        }
    }
}

macro_rules! stream {
    ($($cipher:ident, $algorithm:literal;)*) => {
        $(impl Stream for vambrace::$cipher {
            const ALGORITHM: &'static str = $algorithm;
            fn set_tier(&mut self, tier: Tier) -> Result<(), TierError> {
                vambrace::$cipher::set_tier(self, tier)
            }
            fn seek_to(&mut self, position: u128) -> bool {
                vambrace::$cipher::seek_to(self, position).is_ok()
            }
            fn position(&self) -> u128 {
                vambrace::$cipher::position(self)
            }
        })*
    };
}

stream! {
    Salsa20, "salsa20";
    Salsa12, "salsa20-12";
    Salsa8, "salsa20-8";
    XSalsa20, "xsalsa20";
    XSalsa12, "xsalsa20-12";
    XSalsa8, "xsalsa20-8";
}

macro_rules! xts {
    ($($xts:ty, $algorithm:literal, $new:ident;)*) => {
        $(impl Xts for $xts {
            const ALGORITHM: &'static str = $algorithm;
            const KEY_BYTES: usize = <$xts>::KEY_BYTES;
            const BLOCK_BYTES: usize = <$xts>::BLOCK_BYTES;
            fn new(key: &[u8; 64]) -> Self {
                <$xts>::$new(&key[..<$xts>::KEY_BYTES]).expect("a key of the right length")
            }
            fn set_tier(&mut self, tier: Tier) -> Result<(), TierError> {
                <$xts>::set_tier(self, tier)
            }
            fn crypt(&self, decrypt: bool, tweak: &[u8], data: InOutBuf<'_, '_, u8>) -> bool {
                let done =
                    if decrypt { self.decrypt_inout(tweak, data) } else { self.encrypt_inout(tweak, data) };
                done.is_ok()
            }
        })*
    };
}

xts! {
    vambrace::Aes128Xts, "aes128-xts", new_with_equal_halves_allowed;
    vambrace::Aes256Xts, "aes256-xts", new_with_equal_halves_allowed;
    vambrace::speck128::Speck128_128Xts, "speck128-128-xts", new;
    vambrace::speck128::Speck128_192Xts, "speck128-192-xts", new;
    vambrace::speck128::Speck128_256Xts, "speck128-256-xts", new;
    vambrace::speck64::Speck64_96Xts, "speck64-96-xts", new;
    vambrace::speck64::Speck64_128Xts, "speck64-128-xts", new;
}

/// Salsa20 with all its rounds and nonces.
pub const SALSA20: &[Subject] = &[
    Subject::stream::<vambrace::Salsa20>(),
    Subject::stream::<vambrace::Salsa12>(),
    Subject::stream::<vambrace::Salsa8>(),
    Subject::stream::<vambrace::XSalsa20>(),
    Subject::stream::<vambrace::XSalsa12>(),
    Subject::stream::<vambrace::XSalsa8>(),
];
/// AES with both keys.
pub const AES_XTS: &[Subject] = &[Subject::xts::<vambrace::Aes128Xts>(), Subject::xts::<vambrace::Aes256Xts>()];
/// Speck128 with all its keys.
pub const SPECK128_XTS: &[Subject] = &[
    Subject::xts::<vambrace::speck128::Speck128_128Xts>(),
    Subject::xts::<vambrace::speck128::Speck128_192Xts>(),
    Subject::xts::<vambrace::speck128::Speck128_256Xts>(),
];
/// Speck64 with both keys.
pub const SPECK64_XTS: &[Subject] =
    &[Subject::xts::<vambrace::speck64::Speck64_96Xts>(), Subject::xts::<vambrace::speck64::Speck64_128Xts>()];
