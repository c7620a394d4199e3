//! The host side of the harness: builds the guests, runs them under QEMU across CPU models, reads the ELF files that they
//! ran, writes the reports, and predicts speed.

pub mod build;
pub mod code;
pub mod code_hashes;
pub mod compare;
pub mod disassembly;
pub mod elf;
pub mod features;
pub mod guest;
pub mod luks;
pub mod mutants;
pub mod objects;
pub mod others;
pub mod place;
pub mod plan;
pub mod planted;
pub mod progress;
pub mod proofs;
pub mod qemu;
pub mod report;
pub mod shard;
pub mod speed;
pub mod table;
pub mod trace;
pub mod verdict;
pub mod verify;
