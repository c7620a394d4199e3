//! The key stream of Salsa20: its contract, and one line per kernel.

use vambrace_contract::{Access, Argument, ArgumentKind, Contract, Returns, ScalarType, Secrecy, Size, Tier};

use super::{Backend, generic};
#[cfg(any(vambrace_aarch64, vambrace_arm))]
use crate::cpu;
use crate::dispatch::Dispatch;

const fn blocks(name: &'static str, access: Access) -> Argument {
    Argument::buffer(name, Size::Affine { base: 0, per: 64, argument: 3 }, access, Secrecy::Secret)
}

/// `count` blocks of 64 bytes, each xored with the key stream block that the counter counts: Salsa20 specification, sections
/// 8 to 10. The counter in the state moves on by `count`.
///
/// The state is the 4×4 matrix in the order of the specification's section 8, each word in the byte order of the machine;
/// words 8 and 9 are the counter, the less significant first.
pub(crate) static STREAM: Contract = Contract {
    algorithm: "salsa20",
    operation: "stream",
    arguments: &[
        Argument::buffer("state", Size::Fixed(64), Access::ReadWrite, Secrecy::Secret).aligned(4),
        blocks("input", Access::Read),
        blocks("output", Access::Write).may_equal(1),
        Argument::count("count"),
        Argument {
            name: "rounds",
            kind: ArgumentKind::Scalar { ty: ScalarType::U32, secrecy: Secrecy::Public, min: 8, max: 20, step: 4 },
        },
    ],
    returns: Returns::Nothing,
};

/// Expands one kernel: contract data, naked function.
macro_rules! stream {
    (
        $module:ident on $architecture:ident if $cfg:ident: $name:literal = $tier:ident $variant:literal,
        from $source:literal, needs [$($feature:ident),*], stack $stack:literal
    ) => {
        kernel! {
            $module on $architecture if $cfg: $name = $tier $variant x 1,
            fn(state: *mut [u32; 16], input: *const u8, output: *mut u8, count: usize, rounds: u32) as super::STREAM,
            from $source, needs [$($feature),*], stack $stack
        }
    };
}

stream! { aarch64_scalar on Aarch64 if vambrace_aarch64: "salsa20_scalar" = Scalar "scalar", from "aarch64/scalar.S", needs [], stack 64 }
stream! { aarch64_neon on Aarch64 if vambrace_aarch64: "salsa20_neon" = Neon "neon", from "aarch64/neon.S", needs [Neon], stack 80 }
stream! { aarch64_ce on Aarch64 if vambrace_aarch64: "salsa20_ce" = Ce "ce", from "aarch64/ce.S", needs [Neon, Sha3], stack 80 }
stream! { arm_scalar on Arm if vambrace_arm: "salsa20_scalar" = Scalar "scalar", from "arm/scalar.S", needs [], stack 128 }
stream! { arm_neon on Arm if vambrace_arm: "salsa20_neon" = Neon "neon", from "arm/neon.S", needs [Neon], stack 328 }

/// Every kernel, whatever this build is for.
#[cfg(feature = "verify")]
pub(crate) static TABLE: &[vambrace_contract::Kernel] =
    &[aarch64_scalar::KERNEL, aarch64_neon::KERNEL, aarch64_ce::KERNEL, arm_scalar::KERNEL, arm_neon::KERNEL];

static GENERIC: Backend = Backend { tier: Tier::Generic, features: &[], stream: generic };

/// What automatic dispatch chooses from: each tier is faster than the next on every core model.
pub(crate) static DISPATCH: Dispatch<Backend> = Dispatch::new(&ASSEMBLY, &GENERIC);

#[cfg(vambrace_aarch64)]
static ASSEMBLY: [Backend; 3] = [
    Backend { tier: Tier::Ce, features: cpu::Sha3::FEATURES, stream: aarch64_ce::entry },
    Backend { tier: Tier::Neon, features: cpu::Neon::FEATURES, stream: aarch64_neon::entry },
    Backend { tier: Tier::Scalar, features: &[], stream: aarch64_scalar::entry },
];

#[cfg(vambrace_arm)]
static ASSEMBLY: [Backend; 2] = [
    Backend { tier: Tier::Neon, features: cpu::Neon::FEATURES, stream: arm_neon::entry },
    Backend { tier: Tier::Scalar, features: &[], stream: arm_scalar::entry },
];

#[cfg(not(any(vambrace_aarch64, vambrace_arm)))]
static ASSEMBLY: [Backend; 0] = [];
