//! What the prover takes instructions to do, against QEMU.

mod aarch64;
mod guest;
