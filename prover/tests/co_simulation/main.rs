//! What the prover takes instructions to do, against QEMU.

mod aarch64;
mod arm;
#[path = "../support/guest.rs"]
mod guest;
mod model;
mod thumb;
