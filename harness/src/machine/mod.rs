//! Checks of what machine code does to registers and memory, driven by a kernel's contract alone.
//!
//! Every check calls the kernel with the whole register file chosen, on a stack of its own, with its buffers in memory that
//! ends where they do, and looks at everything afterwards. The calls of a check run in a forked child, so a kernel may do
//! what it likes: a fault, a loop without end or an illegal instruction becomes a [`Failure`](crate::Failure) that says
//! where. On a machine of another architecture there is nothing to call, and every check answers that it does not apply.

#[cfg(any(test, vambrace_machine))]
mod instruction;
#[cfg(vambrace_machine)]
mod native;
#[cfg(any(test, vambrace_machine))]
mod passing;
#[cfg(vambrace_machine)]
mod specified;
pub mod traced;

use vambrace_contract::Kernel;

use crate::{Context, Outcome};

/// A check of a kernel's machine code.
#[derive(Clone, Copy, Debug)]
pub struct MachineCheck {
    /// Its name in tables and on command lines.
    pub name: &'static str,
    /// What it looks for.
    pub looks_for: &'static str,
    /// Published bugs that it would have caught.
    pub seen_in: &'static str,
    /// Runs it on a kernel that has an address and whose features the CPU has.
    pub run: fn(&Kernel, &Context) -> Outcome,
}

macro_rules! run {
    ($check:ident) => {{
        #[cfg(vambrace_machine)]
        {
            native::$check
        }
        #[cfg(not(vambrace_machine))]
        {
            elsewhere
        }
    }};
}

#[cfg(not(vambrace_machine))]
fn elsewhere(kernel: &Kernel, _: &Context) -> Outcome {
    Outcome::None { reason: format!("code for {} cannot be called on this machine", kernel.architecture) }
}

/// Every machine-level check, in the order of the catalogue.
pub static CHECKS: &[MachineCheck] = &[
    MachineCheck {
        name: "bounds",
        looks_for: "accesses outside of the buffers and writes to inputs",
        seen_in: "CVE-2023-1255, aws-lc 2227, 2286 and 863, OP-TEE 6920, s2n-bignum 443",
        run: run!(bounds),
    },
    MachineCheck {
        name: "alignment",
        looks_for: "instructions that need more alignment than the caller owes",
        seen_in: "libgcrypt 1111d311, a6158a01 and 2cba0dbd, wolfSSL 5323",
        run: run!(alignment),
    },
    MachineCheck {
        name: "aliasing",
        looks_for: "results that depend on whether buffers are equal or touch each other",
        seen_in: "isa-l_crypto 130, mbedTLS 4302, wolfSSL 6011, Crypto++ 1236",
        run: run!(aliasing),
    },
    MachineCheck {
        name: "abi",
        looks_for: "registers and stack of the caller that are not handed back, and junk that is taken for an argument",
        seen_in: "OpenSSL 23233, asm-hashes 13, cryptogams d4e50f3, Go 17499, libgcrypt 9b58e4a0",
        run: run!(abi),
    },
    MachineCheck {
        name: "undefined-input",
        looks_for: "results that depend on what the contract leaves undefined",
        seen_in: "libgcrypt 761a1a0d",
        run: run!(undefined_input),
    },
    MachineCheck {
        name: "count-width",
        looks_for: "counts, sizes and end addresses that are cut off at some width",
        seen_in: "libgcrypt 9ee2d56e",
        run: run!(count_width),
    },
    MachineCheck {
        name: "residue",
        looks_for: "secrets left in volatile registers and dead stack",
        seen_in: "libgcrypt 726e992b",
        run: run!(residue),
    },
];

/// What a kernel computes, for code that no type of a library is built on: where there is one, the checks of that type say more.
pub static SPECIFICATION: MachineCheck = MachineCheck {
    name: "specification",
    looks_for: "results that are not those of the specification",
    seen_in: "",
    run: run!(specification),
};
