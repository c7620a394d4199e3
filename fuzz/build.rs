//! Tells the launcher with which flags, and where, `cargo fuzz` had it built: the ARM program is built likewise.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CARGO_ENCODED_RUSTFLAGS");
    // Cargo separates flags by 0x1f, which `cargo::rustc-env` carries as it is.
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    println!("cargo::rustc-env=VAMBRACE_FUZZ_RUSTFLAGS={flags}");
    println!("cargo::rustc-env=VAMBRACE_FUZZ_PROFILE={}", env::var("PROFILE").unwrap_or_default());
    println!("cargo::rustc-env=VAMBRACE_FUZZ_DEBUG={}", env::var("DEBUG").unwrap_or_default());
}
