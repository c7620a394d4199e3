//! Traces of calls of a kernel: which instructions are executed, and which memory they access.
//!
//! Three programs share this crate. A *guest* announces each call that it makes ([`announce`]): which memory the contract
//! grants, where SP is. A *plugin* inside QEMU hears the announcements, sees every instruction of the kernel and every access
//! that it makes, and gives them to a [`recorder`]. It judges each access on the spot, follows SP ([`step`]), and makes a line
//! of text of each call ([`mod@line`]), which the *driver* reads. The driver's [`order`] tells it which code to watch.
//!
//! The crate knows no kernel and nothing of QEMU.
#![forbid(unsafe_code)]

pub mod announce;
pub mod line;
pub mod order;
pub mod recorder;
pub mod step;
