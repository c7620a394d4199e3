//! What can be checked.

mod hash;
mod stream;
mod xts;

pub use hash::{HashSubject, RunningHash};
pub use stream::{RunningStream, StreamSubject};
pub use xts::{Direction, KeyedXts, XtsSubject};
