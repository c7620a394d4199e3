//! Judging `ring` and `aws-lc-rs`, of which the assembly is C libraries' own, by all checks of what a function computes that their
//! interfaces offer: SHA-2 of both, and AES-256-XTS of AWS-LC, which its C interface has alone.
//!
//! ```sh
//! cargo run --package vambrace-others --target aarch64-unknown-linux-gnu       # in QEMU
//! cargo run --package vambrace-others --target armv7-unknown-linux-gnueabihf
//! ```
//!
//! They take a C compiler and minutes to build, so that no other package depends on this one. For ARMv7 there is `ring` alone: to
//! build AWS-LC for it takes CMake and libclang, too.

mod hashes;
#[cfg_attr(target_arch = "arm", path = "no_xts.rs")]
mod xts;

use std::process::ExitCode;

use vambrace_harness::program::{self, Judged};
use vambrace_reference::oracles;

fn main() -> ExitCode {
    let (hashes, modes) = (hashes::subjects(), xts::subjects());
    let mut judged: Vec<Judged<'_>> = Vec::new();
    judged.extend(
        hashes.iter().filter_map(|subject| Some(Judged::Hash(&**subject, oracles::hash(subject.algorithm())?))),
    );
    judged.extend(
        modes.iter().filter_map(|subject| Some(Judged::Xts(&**subject, oracles::ciphers::xts(subject.algorithm())?))),
    );
    program::judge("vambrace-others", "cargo run --package vambrace-others --", &judged, &[])
}
