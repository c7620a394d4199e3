//! Proves that the machine code of a kernel computes what its specification says, for all inputs and every number of blocks.
//!
//! No solver is asked. The code is executed on terms ([`terms`]), the specification is run on terms ([`specification`]), and both
//! arrive at one normal form, in which equal functions are mostly the same node. Equal nodes are a proof; anything
//! else is a failed proof, with the first difference and numbers that show it.
//!
//! The layers, each of which knows only those before it: [`budget`], [`terms`]; [`memory`], [`conditions`], [`linking`], [`machine`]; `vectors`, [`a64`],
//! [`a32`] and [`t32`] (decoders and semantics); [`arguments`] and [`specification`] (what a contract grants, what the standard says); [`heads`] and [`induction`]; and [`prove`].
//! `docs/proofs.md` in the repository explains them to a reader who knows no provers.
#![forbid(unsafe_code)]

pub mod a32;
pub mod a64;
pub mod aes;
pub mod arguments;
pub mod budget;
pub mod code;
pub mod conditions;
mod encoding;
pub mod failure;
pub mod heads;
pub mod induction;
pub mod keys;
mod left;
pub mod linking;
pub mod machine;
pub mod memory;
mod numbers;
mod object;
mod prove;
mod sha2;
pub mod specification;
pub mod t32;
pub mod terms;
pub mod vectors;
pub mod without_count;

pub use prove::{Outcome, Verdict, fits, prove};
