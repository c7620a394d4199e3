//! Proves that the machine code of a kernel computes what its specification says, for all inputs.
pub mod a64;
pub mod arguments;
pub mod budget;
pub mod code;
pub mod conditions;
mod encoding;
pub mod failure;
pub mod induction;
pub mod machine;
pub mod memory;
mod prove;
pub mod specification;
pub mod terms;
pub use prove::{Outcome, Verdict, prove};
