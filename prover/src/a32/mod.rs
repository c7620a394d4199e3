//! AArch32: A32 instructions with Advanced SIMD and the SHA-2 extension.

pub mod decode;
pub mod instruction;
mod integer;
mod state;
mod vector;

pub use state::{Flags, State};
