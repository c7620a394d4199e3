//! AArch64.

pub(crate) mod crypto;
pub mod decode;
pub mod instruction;
mod integer;
mod state;
pub(crate) mod vector;

pub use state::{Flags, State};
