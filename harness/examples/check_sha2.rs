//! Judging a hash function that we did not write: the crate `sha2`.
//!
//! Everything needed to check your own implementation is here. Write two types: one that *is* the hash function
//! ([`HashSubject`]), and one that is a message on its way ([`RunningHash`]). What your implementation does not offer is
//! left out; the checks that need it then answer "does not apply".
//!
//! ```sh
//! cargo run --example check_sha2                                         # here
//! cargo run --example check_sha2 --target aarch64-unknown-linux-gnu      # in QEMU
//! cargo run --example check_sha2 --target armv7-unknown-linux-gnueabihf
//! cargo run --example check_sha2 -- --full --seed 42
//! ```
//!
//! The exit status is 0 if nothing is wrong, 1 if a check fails, 2 if the command line is not understood.

use std::process::ExitCode;

use sha2::digest::common::hazmat::{SerializableState, SerializedState};
use sha2::digest::{Digest, FixedOutputReset, Reset};
use sha2::{Sha224, Sha256};
use vambrace_harness::program::{self, Judged};
use vambrace_harness::subject::{HashSubject, RunningHash};
use vambrace_reference::oracles;

/// The hash function: knows its name and how to begin a message.
///
/// Generic over the type of the crate, so that both sizes are subjects. Nothing about it is specific to SHA-2.
struct Subject<H> {
    /// Unique in a run: it stands in reports and decides the random numbers.
    name: &'static str,
    /// Decides the official vectors and the oracle: one of the names of `vambrace_reference::oracles`.
    algorithm: &'static str,
    hash: std::marker::PhantomData<fn() -> H>,
}

impl<H> Subject<H> {
    fn new(name: &'static str, algorithm: &'static str) -> Subject<H> {
        Subject { name, algorithm, hash: std::marker::PhantomData }
    }
}

/// What the types of the crate can do, all of which takes part in the checks.
trait Hash: Digest + FixedOutputReset + Reset + SerializableState + Clone + 'static {}

impl Hash for Sha224 {}
impl Hash for Sha256 {}

impl<H: Hash> HashSubject for Subject<H> {
    fn name(&self) -> &str {
        self.name
    }

    fn algorithm(&self) -> &str {
        self.algorithm
    }

    fn start(&self) -> Box<dyn RunningHash> {
        Box::new(Running(H::new()))
    }

    /// An exported state comes from outside and may be damaged: the answer is an error then, never a panic.
    ///
    /// The crate accepts any number of blocks and multiplies it when the message ends, which panics where overflow is
    /// checked (sha2 0.11.1, `block_api.rs`; this check found it). Whoever takes states from outside must look, as here.
    fn import(&self, state: &[u8]) -> Option<Result<Box<dyn RunningHash>, String>> {
        let imported = SerializedState::<H>::try_from(state)
            .map_err(|_| format!("a state has {} bytes, not {}", SerializedState::<H>::default().len(), state.len()))
            .and_then(|state| match state[32..40].try_into().map(u64::from_le_bytes) {
                Ok(blocks) if blocks < 1 << (61 - 6) => H::deserialize(&state).map_err(|error| error.to_string()),
                _ => Err("a message has fewer than 2^61 bytes".to_owned()),
            })
            .map(|hash| Box::new(Running(hash)) as Box<dyn RunningHash>);
        Some(imported)
    }

    /// The crate offers no chaining value to begin from, but its serialised state holds one: eight words in little-endian
    /// order, the number of blocks, and the block buffer. So the checks of counters apply, which no message of practical
    /// length could reach.
    fn start_from(&self, state: &[u8], count: u128) -> Option<Box<dyn RunningHash>> {
        let count = u64::try_from(count).ok().filter(|count| *count < 1 << 61)?;
        let mut serialized = H::new().serialize();
        let (words, buffer) = serialized.split_at_mut_checked(32)?;
        for (to, from) in words.chunks_exact_mut(4).zip(state.chunks_exact(4)) {
            to.copy_from_slice(from);
            to.reverse();
        }
        buffer.get_mut(..8)?.copy_from_slice(&(count / 64).to_le_bytes());
        Some(Box::new(Running(H::deserialize(&serialized).ok()?)))
    }

    // `digest_many`, `tiers` and `message_limit` are left out: the crate has nothing of the kind.
}

/// A message on its way.
#[derive(Clone)]
struct Running<H>(H);

impl<H: Hash> RunningHash for Running<H> {
    fn update(&mut self, data: &[u8]) {
        Digest::update(&mut self.0, data);
    }

    fn boxed_clone(&self) -> Box<dyn RunningHash> {
        Box::new(self.clone())
    }

    fn reset(&mut self) {
        Reset::reset(&mut self.0);
    }

    fn finalize(self: Box<Self>) -> Vec<u8> {
        self.0.finalize().to_vec()
    }

    fn finalize_reset(&mut self) -> Vec<u8> {
        Digest::finalize_reset(&mut self.0).to_vec()
    }

    fn export(&self) -> Option<Vec<u8>> {
        Some(self.0.serialize().to_vec())
    }
}

fn main() -> ExitCode {
    let subjects: [&dyn HashSubject; 2] =
        [&Subject::<Sha224>::new("sha2_sha224", "sha224"), &Subject::<Sha256>::new("sha2_sha256", "sha256")];
    // The crate `sha2` is the usual oracle, and must not judge itself. The specification shares no code with it.
    let judged = subjects
        .iter()
        .filter_map(|subject| Some(Judged::Hash(*subject, oracles::specification(subject.algorithm())?)));
    program::judge("check_sha2", "cargo run --example check_sha2 --", &judged.collect::<Vec<_>>(), &[])
}
