//! The proofs of this library's kernels, and what speaks for them: mutants that lose theirs, runs under QEMU, another
//! disassembler.

mod built;
mod disassembler;
mod disassembler_a32;
mod emulated;
#[path = "../support/guest.rs"]
mod guest;
mod mutants;
mod proofs;
