//! The crate `sha2`, and whatever has the traits of `digest`.

use std::marker::PhantomData;

use sha2::digest::{Digest, FixedOutputReset, Reset};
use sha2::{Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};
use vambrace_harness::subject::{HashSubject, RunningHash};

/// A hash function that has the traits of `digest`.
pub struct Subject<H> {
    name: &'static str,
    algorithm: &'static str,
    hash: PhantomData<fn() -> H>,
}

impl<H> Subject<H> {
    /// Under a name, which stands in the table, and as an algorithm, which decides the vectors.
    pub fn new(name: &'static str, algorithm: &'static str) -> Subject<H> {
        Subject { name, algorithm, hash: PhantomData }
    }
}

impl<H: Digest + FixedOutputReset + Reset + Clone + 'static> HashSubject for Subject<H> {
    fn name(&self) -> &str {
        self.name
    }

    fn algorithm(&self) -> &str {
        self.algorithm
    }

    fn start(&self) -> Box<dyn RunningHash> {
        Box::new(Running(H::new()))
    }
}

#[derive(Clone)]
struct Running<H>(H);

impl<H: Digest + FixedOutputReset + Reset + Clone + 'static> RunningHash for Running<H> {
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
}

/// All of the crate.
pub fn subjects() -> Vec<Box<dyn HashSubject>> {
    vec![
        Box::new(Subject::<Sha224>::new("sha2_sha224", "sha224")),
        Box::new(Subject::<Sha256>::new("sha2_sha256", "sha256")),
        Box::new(Subject::<Sha384>::new("sha2_sha384", "sha384")),
        Box::new(Subject::<Sha512>::new("sha2_sha512", "sha512")),
        Box::new(Subject::<Sha512_224>::new("sha2_sha512_224", "sha512-224")),
        Box::new(Subject::<Sha512_256>::new("sha2_sha512_256", "sha512-256")),
    ]
}
