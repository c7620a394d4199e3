//! T32 instructions, executed by the machine of [`a32`](crate::a32).

pub mod decode;
mod step;
