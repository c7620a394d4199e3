//! Judging crates that we did not write: `sha2`, `blake2`, `salsa20`, and `aes` with `xts-mode`, by all checks of what a function
//! computes. To judge an implementation of your own, copy the module of its kind and change what it calls.
//!
//! ```sh
//! cargo run --example other_crates                                         # here
//! cargo run --example other_crates --target aarch64-unknown-linux-gnu      # in QEMU
//! cargo run --example other_crates --target armv7-unknown-linux-gnueabihf
//! ```
//!
//! These crates are the usual oracles, and must not judge themselves: what they are compared with here is the specifications in
//! `vambrace-reference`, and for BLAKE2 its transcription of the compression function. `ring` and `aws-lc-rs` take a C compiler
//! and minutes to build, so they are in a package of their own, `ci/others`.

mod blake2_hash;
mod salsa;
mod sha2_hash;
mod xts;

use std::process::ExitCode;

use vambrace_harness::program::{self, Judged};
use vambrace_harness::subject::{HashSubject, XtsSubject};
use vambrace_reference::oracles::ciphers::StreamCipherOracle;
use vambrace_reference::oracles::{self, ciphers};

fn main() -> ExitCode {
    let (hashes, streams, modes) = (sha2_hash::subjects(), salsa::subjects(), xts::subjects());
    let (keyless, transcribed) = (blake2_hash::subjects(), blake2_hash::oracles());
    let long_keys = salsa::oracles();
    let mut judged: Vec<Judged<'_>> = Vec::new();
    judged.extend(hashes.iter().filter_map(|subject| sha2(&**subject)));
    judged.extend(keyless.iter().zip(&transcribed).map(|(subject, oracle)| Judged::Hash(&**subject, oracle)));
    judged.extend(streams.iter().filter_map(|subject| {
        let oracle = long_keys.iter().find(|oracle| oracle.algorithm() == subject.algorithm())?;
        Some(Judged::Stream(&**subject, oracle))
    }));
    judged.extend(modes.iter().filter_map(|subject| mode(&**subject)));
    program::judge("other_crates", "cargo run --example other_crates --", &judged, &salsa::known())
}

fn sha2(subject: &dyn HashSubject) -> Option<Judged<'_>> {
    Some(Judged::Hash(subject, oracles::specification(subject.algorithm())?))
}

fn mode(subject: &dyn XtsSubject) -> Option<Judged<'_>> {
    let oracle = ciphers::XTS_SPECIFICATIONS.iter().find(|oracle| oracle.algorithm() == subject.algorithm())?;
    Some(Judged::Xts(subject, *oracle))
}
