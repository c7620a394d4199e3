//! Checks for implementations of hashes and ciphers.
//!
//! A *subject* is anything that can be checked: an implementation behind a trait of [`subject`], or, for the machine-level
//! checks, a [`Kernel`](vambrace_contract::Kernel): a contract and an address. The harness knows contracts and traits, and
//! no kernel by name; anyone can implement the traits for code of their own (see `examples/`).
//!
//! A *check* is a module with what it looks for, which published bug it would have caught, and a function from a subject
//! and a [`Context`] to an [`Outcome`]. [`hash::CHECKS`], [`stream::CHECKS`] and [`xts::CHECKS`] judge what a function computes,
//! [`machine::CHECKS`] what a kernel does to registers and memory.
//!
//! Every random choice comes from the context's seed, so every failure can be replayed.

pub mod check;
pub mod context;
pub mod event;
pub mod hash;
pub mod machine;
mod message;
pub mod outcome;
mod place;
pub mod program;
mod refusal;
pub mod stream;
pub mod subject;
mod surroundings;
mod trial;
pub mod xts;

pub use context::{Budget, Context, Share};
pub use outcome::{Failure, LeftOut, Outcome};
