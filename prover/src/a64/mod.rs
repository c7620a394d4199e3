//! AArch64.

mod crypto;
pub mod decode;
pub mod instruction;
mod integer;
mod linked;
mod state;
mod vector;

pub use state::{Flags, State};
