//! What the prover takes instructions to do, against QEMU.

mod aarch64;
#[path = "../support/guest.rs"]
mod guest;
