//! The compression function of BLAKE2b: its contracts, and one line per kernel.

use vambrace_contract::{Access, Argument, ArgumentKind, Contract, Returns, ScalarType, Secrecy, Size, Tier};

use super::Words64;
#[cfg(all(feature = "verify", vambrace_aarch64))]
use crate::blake2::in_one_lane;
use crate::blake2::{Backend, State, blake2_compress, blake2_compress_many, generic};
#[cfg(any(vambrace_aarch64, vambrace_arm))]
use crate::cpu;
use crate::dispatch::Dispatch;

/// The chaining value is secret; counter and flags are not.
const STATE: Argument =
    Argument::buffer("state", Size::Fixed(96), Access::ReadWrite, Secrecy::SecretUpTo(64)).aligned(8);

const INCREMENT: Argument = Argument {
    name: "increment",
    kind: ArgumentKind::Scalar { ty: ScalarType::Usize, secrecy: Secrecy::Public, min: 0, max: 128, step: 1 },
};

const fn blocks(name: &'static str, count: usize) -> Argument {
    let size = Size::Affine { base: 0, per: 128, argument: count };
    Argument::buffer(name, size, Access::Read, Secrecy::Secret)
}

/// The state after `count` message blocks: for each, the counter grows by `increment` bytes, then RFC 7693 section 3.2.
///
/// The state is the chaining value, the counter and the flags ([`State`]), twelve words in the byte order of the machine.
pub(crate) static COMPRESS: Contract = Contract {
    algorithm: "blake2b",
    operation: "compress",
    arguments: &[STATE, blocks("blocks", 2), Argument::count("count"), INCREMENT],
    returns: Returns::Nothing,
};

/// The same for two independent messages with a common number of blocks.
pub(crate) static COMPRESS_X2: Contract = Contract {
    algorithm: "blake2b",
    operation: "compress_x2",
    arguments: &[
        Argument { name: "state0", ..STATE },
        Argument { name: "state1", ..STATE },
        blocks("blocks0", 4).shared(),
        blocks("blocks1", 4).shared(),
        Argument::count("count"),
        INCREMENT,
    ],
    returns: Returns::Nothing,
};

/// The entry point for two messages: their states, their blocks, `count`, `increment`.
pub(crate) type Together =
    unsafe extern "C" fn(*mut State<u64>, *mut State<u64>, *const [u8; 128], *const [u8; 128], usize, usize);

blake2_compress! {
    /// One message by integer instructions.
    [u64, 128] scalar(): aarch64_scalar on Aarch64 if vambrace_aarch64: "blake2b_scalar" = Scalar "scalar",
    from "aarch64/scalar.S", needs [], stack 144
}

blake2_compress! {
    /// One message by NEON.
    [u64, 128] neon(cpu::Neon): aarch64_neon on Aarch64 if vambrace_aarch64: "blake2b_neon" = Neon "neon",
    from "aarch64/neon.S", needs [Neon], stack 64
}

blake2_compress_many! {
    /// Two messages, a lane each, by NEON.
    [u64, 128] neon_x2(cpu::Neon): aarch64_neon_x2 on Aarch64 if vambrace_aarch64: "blake2b_neon_x2" = Neon "neon_x2" x 2,
    fn(state0, state1; blocks0, blocks1) as super::COMPRESS_X2,
    from "aarch64/neon_x2.S", needs [Neon], stack 224
}

blake2_compress! {
    /// One message by the instructions of FEAT_SHA3.
    [u64, 128] ce(cpu::Sha3): aarch64_ce on Aarch64 if vambrace_aarch64: "blake2b_ce" = Ce "ce",
    from "aarch64/ce.S", needs [Neon, Sha3], stack 0
}

blake2_compress_many! {
    /// Two messages, a lane each, by the instructions of FEAT_SHA3.
    [u64, 128] ce_x2(cpu::Sha3): aarch64_ce_x2 on Aarch64 if vambrace_aarch64: "blake2b_ce_x2" = Ce "ce_x2" x 2,
    fn(state0, state1; blocks0, blocks1) as super::COMPRESS_X2,
    from "aarch64/ce_x2.S", needs [Neon, Sha3], stack 256
}

blake2_compress! {
    /// One message by integer instructions.
    [u64, 128] scalar(): arm_scalar on Arm if vambrace_arm: "blake2b_scalar" = Scalar "scalar",
    from "arm/scalar.S", needs [], stack 312
}

blake2_compress! {
    /// One message by NEON.
    [u64, 128] neon(cpu::Neon): arm_neon on Arm if vambrace_arm: "blake2b_neon" = Neon "neon",
    from "arm/neon.S", needs [Neon], stack 96
}

/// Every kernel, whatever this build is for.
#[cfg(feature = "verify")]
pub(crate) static TABLE: &[vambrace_contract::Kernel] = &[
    aarch64_scalar::KERNEL,
    aarch64_neon::KERNEL,
    aarch64_neon_x2::KERNEL,
    aarch64_ce::KERNEL,
    aarch64_ce_x2::KERNEL,
    arm_scalar::KERNEL,
    arm_neon::KERNEL,
];

static GENERIC: Backend<Words64> =
    Backend { tier: Tier::Generic, variant: "generic", features: &[], compress: generic::<Words64>, together: None };

/// What automatic dispatch chooses from for one message. On AArch64 that is bound by the latency of G, and vectors lose
/// against integers on every core model; on AArch32 NEON is far ahead.
pub(crate) static DISPATCH: Dispatch<Backend<Words64>> = Dispatch::new(&ASSEMBLY, &GENERIC);

/// What automatic dispatch chooses from for several messages: on AArch64 two in the lanes of a vector win on all models but
/// in-order ones without FEAT_SHA3; AArch32 has no room for two.
pub(crate) static DISPATCH_MANY: Dispatch<Backend<Words64>> = Dispatch::new(&ASSEMBLY_MANY, &GENERIC);

#[cfg(vambrace_aarch64)]
const SCALAR: Backend<Words64> =
    Backend { tier: Tier::Scalar, variant: "scalar", features: &[], compress: aarch64_scalar::entry, together: None };
#[cfg(vambrace_aarch64)]
const NEON: Backend<Words64> = Backend {
    tier: Tier::Neon,
    variant: "neon",
    features: cpu::Neon::FEATURES,
    compress: aarch64_neon::entry,
    together: Some(aarch64_neon_x2::entry),
};
#[cfg(vambrace_aarch64)]
const CE: Backend<Words64> = Backend {
    tier: Tier::Ce,
    variant: "ce",
    features: cpu::Sha3::FEATURES,
    compress: aarch64_ce::entry,
    together: Some(aarch64_ce_x2::entry),
};
#[cfg(vambrace_aarch64)]
static ASSEMBLY: [Backend<Words64>; 3] = [SCALAR, CE, NEON];
#[cfg(vambrace_aarch64)]
static ASSEMBLY_MANY: [Backend<Words64>; 3] = [CE, NEON, SCALAR];

#[cfg(vambrace_arm)]
const SCALAR: Backend<Words64> =
    Backend { tier: Tier::Scalar, variant: "scalar", features: &[], compress: arm_scalar::entry, together: None };
#[cfg(vambrace_arm)]
const NEON: Backend<Words64> = Backend {
    tier: Tier::Neon,
    variant: "neon",
    features: cpu::Neon::FEATURES,
    compress: arm_neon::entry,
    together: None,
};
#[cfg(vambrace_arm)]
static ASSEMBLY: [Backend<Words64>; 2] = [NEON, SCALAR];
#[cfg(vambrace_arm)]
static ASSEMBLY_MANY: [Backend<Words64>; 2] = [NEON, SCALAR];

#[cfg(not(any(vambrace_aarch64, vambrace_arm)))]
static ASSEMBLY: [Backend<Words64>; 0] = [];
#[cfg(not(any(vambrace_aarch64, vambrace_arm)))]
static ASSEMBLY_MANY: [Backend<Words64>; 0] = [];

/// The kernels for several messages, each as if it were one for one.
#[cfg(all(feature = "verify", vambrace_aarch64))]
pub(super) static INTERLEAVED: [Backend<Words64>; 2] = [
    Backend {
        tier: Tier::Neon,
        variant: "neon_x2",
        features: cpu::Neon::FEATURES,
        compress: {
            unsafe extern "C" fn compress(
                state: *mut State<u64>,
                blocks: *const [u8; 128],
                count: usize,
                increment: usize,
            ) {
                // SAFETY: the caller keeps the contract `COMPRESS`; the features are this backend's.
                unsafe { in_one_lane::<Words64, 2>(aarch64_neon_x2::entry, state, blocks, count, increment) }
            }
            compress
        },
        together: Some(aarch64_neon_x2::entry),
    },
    Backend {
        tier: Tier::Ce,
        variant: "ce_x2",
        features: cpu::Sha3::FEATURES,
        compress: {
            unsafe extern "C" fn compress(
                state: *mut State<u64>,
                blocks: *const [u8; 128],
                count: usize,
                increment: usize,
            ) {
                // SAFETY: the caller keeps the contract `COMPRESS`; the features are this backend's.
                unsafe { in_one_lane::<Words64, 2>(aarch64_ce_x2::entry, state, blocks, count, increment) }
            }
            compress
        },
        together: Some(aarch64_ce_x2::entry),
    },
];
#[cfg(all(feature = "verify", vambrace_arm))]
pub(super) static INTERLEAVED: [Backend<Words64>; 0] = [];
#[cfg(all(feature = "verify", not(any(vambrace_aarch64, vambrace_arm))))]
pub(super) static INTERLEAVED: [Backend<Words64>; 0] = [];
