//! Names for the parts of a register file.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A part of the register file, small enough to be compared as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Register {
    /// x0 to x30, or r0 to r12 and r14.
    General(u8),
    /// d0 to d31; on aarch64 the low half of v0 to v31.
    Double(u8),
    /// The upper half of v0 to v31 (aarch64).
    Upper(u8),
    /// SP.
    StackPointer,
    /// NZCV; on arm also Q and GE.
    Flags,
    /// The byte order of loads and stores, CPSR.E (arm).
    Endianness,
    /// FPCR, or the control bits of FPSCR.
    FloatingPointControl,
    /// FPSR, or the other bits of FPSCR.
    FloatingPointStatus,
}

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let aarch64 = cfg!(target_arch = "aarch64");
        match self {
            Register::General(n) if aarch64 => write!(f, "x{n}"),
            Register::General(14) => write!(f, "lr"),
            Register::General(n) => write!(f, "r{n}"),
            Register::Double(n) if aarch64 => write!(f, "d{n} (the low half of v{n})"),
            Register::Double(n) => write!(f, "d{n}"),
            Register::Upper(n) => write!(f, "the upper half of v{n}"),
            Register::StackPointer => write!(f, "sp"),
            Register::Flags if aarch64 => write!(f, "nzcv"),
            Register::Flags => write!(f, "the flags of cpsr"),
            Register::Endianness => write!(f, "cpsr.e"),
            Register::FloatingPointControl if aarch64 => write!(f, "fpcr"),
            Register::FloatingPointControl => write!(f, "the control bits of fpscr"),
            Register::FloatingPointStatus if aarch64 => write!(f, "fpsr"),
            Register::FloatingPointStatus => write!(f, "the status bits of fpscr"),
        }
    }
}
