//! The crate `blake2`, without keys.

use blake2::{Blake2b512, Blake2s256};
use vambrace_harness::subject::HashSubject;
use vambrace_reference::oracles::{self, HashOracle};

use crate::sha2_hash::Subject;

/// What is judged.
pub fn subjects() -> Vec<Box<dyn HashSubject>> {
    vec![
        Box::new(Subject::<Blake2b512>::new("blake2_blake2b", "blake2b")),
        Box::new(Subject::<Blake2s256>::new("blake2_blake2s", "blake2s")),
    ]
}

/// What it is compared with, in the same order.
pub fn oracles() -> Vec<Transcribed> {
    ["blake2b", "blake2s"].into_iter().filter_map(|name| oracles::hash(name).map(Transcribed)).collect()
}

/// The usual oracle without its digests, which are those of the crate: they are computed from the initial state, as a digest
/// from any state is, by the transcription of the compression function.
#[derive(Debug)]
pub struct Transcribed(&'static dyn HashOracle);

impl HashOracle for Transcribed {
    fn algorithm(&self) -> &'static str {
        self.0.algorithm()
    }

    fn source(&self) -> &'static str {
        "transcription in vambrace-reference"
    }

    fn block_bytes(&self) -> usize {
        self.0.block_bytes()
    }

    fn output_bytes(&self) -> usize {
        self.0.output_bytes()
    }

    fn state_bytes(&self) -> usize {
        self.0.state_bytes()
    }

    fn initial_state(&self) -> Vec<u8> {
        self.0.initial_state()
    }

    fn digest(&self, message: &[u8]) -> Vec<u8> {
        // The initial state has the right size, and no byte comes before it.
        self.0.digest_from(&self.0.initial_state(), 0, message).unwrap_or_default()
    }

    fn digest_from(&self, state: &[u8], count: u128, rest: &[u8]) -> Option<Vec<u8>> {
        self.0.digest_from(state, count, rest)
    }

    fn compress(&self, state: &[u8], count: u128, blocks: &[u8]) -> Option<Vec<u8>> {
        self.0.compress(state, count, blocks)
    }

    fn holds_back_last_block(&self) -> bool {
        self.0.holds_back_last_block()
    }
}
