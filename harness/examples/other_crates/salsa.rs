//! The crate `salsa20`, and whatever has the traits of stream ciphers of `cipher`.

use std::marker::PhantomData;

use salsa20::cipher::{KeyIvInit, StreamCipher, StreamCipherSeek};
use salsa20::{Salsa8, Salsa12, Salsa20, XSalsa8, XSalsa12, XSalsa20};
use vambrace_harness::program::Known;
use vambrace_harness::subject::{RunningStream, StreamSubject};
use vambrace_reference::oracles::ciphers::{STREAM_SPECIFICATIONS, StreamCipherOracle};

/// A stream cipher that has the traits of `cipher`.
struct Subject<C> {
    name: &'static str,
    algorithm: &'static str,
    cipher: PhantomData<fn() -> C>,
}

impl<C: KeyIvInit + StreamCipher + StreamCipherSeek + 'static> StreamSubject for Subject<C> {
    fn name(&self) -> &str {
        self.name
    }

    fn algorithm(&self) -> &str {
        self.algorithm
    }

    fn start(&self, key: &[u8], nonce: &[u8]) -> Result<Box<dyn RunningStream>, String> {
        let cipher = C::new_from_slices(key, nonce).map_err(|error| error.to_string())?;
        Ok(Box::new(Running { cipher, key: key.to_vec(), nonce: nonce.to_vec() }))
    }
}

/// With what it was made from, since the crate's types cannot be cloned.
struct Running<C> {
    cipher: C,
    key: Vec<u8>,
    nonce: Vec<u8>,
}

impl<C: KeyIvInit + StreamCipher + StreamCipherSeek + 'static> RunningStream for Running<C> {
    fn apply(&mut self, data: &mut [u8]) -> Result<(), String> {
        self.cipher.try_apply_keystream(data).map_err(|error| error.to_string())
    }

    fn apply_to(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), String> {
        self.cipher.try_apply_keystream_b2b(input, output).map_err(|error| error.to_string())
    }

    fn seek(&mut self, position: u128) -> Result<(), String> {
        self.cipher.try_seek(position).map_err(|error| error.to_string())
    }

    fn position(&self) -> u128 {
        self.cipher.current_pos()
    }

    fn boxed_clone(&self) -> Box<dyn RunningStream> {
        let mut cipher = C::new_from_slices(&self.key, &self.nonce).expect("the key and the nonce were taken before");
        cipher.seek(self.position());
        Box::new(Running { cipher, key: self.key.clone(), nonce: self.nonce.clone() })
    }
}

/// Names and algorithms.
const NAMES: [(&str, &str); 6] = [
    ("salsa20_salsa20", "salsa20"),
    ("salsa20_salsa12", "salsa20-12"),
    ("salsa20_salsa8", "salsa20-8"),
    ("salsa20_xsalsa20", "xsalsa20"),
    ("salsa20_xsalsa12", "xsalsa20-12"),
    ("salsa20_xsalsa8", "xsalsa20-8"),
];

/// All of the crate.
pub fn subjects() -> Vec<Box<dyn StreamSubject>> {
    fn subject<C>((name, algorithm): (&'static str, &'static str)) -> Box<dyn StreamSubject>
    where
        C: KeyIvInit + StreamCipher + StreamCipherSeek + 'static,
    {
        Box::new(Subject::<C> { name, algorithm, cipher: PhantomData })
    }
    let types = [
        subject::<Salsa20>,
        subject::<Salsa12>,
        subject::<Salsa8>,
        subject::<XSalsa20>,
        subject::<XSalsa12>,
        subject::<XSalsa8>,
    ];
    types.into_iter().zip(NAMES).map(|(subject, names)| subject(names)).collect()
}

/// What the crate is compared with: the specification without keys of 16 bytes, which the crate does not take.
pub fn oracles() -> Vec<LongKeys> {
    STREAM_SPECIFICATIONS.iter().map(|oracle| LongKeys(*oracle)).collect()
}

/// A specification that knows keys of 32 bytes alone.
#[derive(Debug)]
pub struct LongKeys(&'static dyn StreamCipherOracle);

impl StreamCipherOracle for LongKeys {
    fn algorithm(&self) -> &'static str {
        self.0.algorithm()
    }

    fn source(&self) -> &'static str {
        self.0.source()
    }

    fn key_bytes(&self) -> &'static [usize] {
        &[32]
    }

    fn nonce_bytes(&self) -> usize {
        self.0.nonce_bytes()
    }

    fn rounds(&self) -> u32 {
        self.0.rounds()
    }

    fn state(&self, key: &[u8], nonce: &[u8], block: u64) -> Option<Vec<u8>> {
        self.0.state(key, nonce, block)
    }

    fn stream_from(&self, state: &[u8], blocks: usize) -> Option<Vec<u8>> {
        self.0.stream_from(state, blocks)
    }
}

/// The crate's key streams end one block early (salsa20 0.11.0): it counts the blocks that remain as 2^64 - 1 less the position,
/// where 2^64 less it do, so that block 2^64 - 1 cannot be had. Nothing is encrypted wrongly.
pub fn known() -> Vec<Known> {
    let why = "salsa20 0.11.0 refuses the last block of a key stream, number 2^64 - 1";
    let of =
        |subject: &'static str| ["counters", "stream"].map(|check| Known { subject, check, says: "Loop Error", why });
    NAMES.iter().flat_map(|(subject, _)| of(subject)).collect()
}
