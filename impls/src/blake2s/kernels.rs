//! The compression function of BLAKE2s: its contracts, and one line per kernel.

use vambrace_contract::{Access, Argument, ArgumentKind, Contract, Returns, ScalarType, Secrecy, Size, Tier};

use super::Words32;
#[cfg(all(feature = "verify", any(vambrace_aarch64, vambrace_arm)))]
use crate::blake2::in_one_lane;
use crate::blake2::{Backend, State, blake2_compress, blake2_compress_many, generic};
#[cfg(any(vambrace_aarch64, vambrace_arm))]
use crate::cpu;
use crate::dispatch::Dispatch;

/// The chaining value is secret; counter and flags are not.
const STATE: Argument =
    Argument::buffer("state", Size::Fixed(48), Access::ReadWrite, Secrecy::SecretUpTo(32)).aligned(4);

const INCREMENT: Argument = Argument {
    name: "increment",
    kind: ArgumentKind::Scalar { ty: ScalarType::Usize, secrecy: Secrecy::Public, min: 0, max: 64, step: 1 },
};

const fn blocks(name: &'static str, count: usize) -> Argument {
    let size = Size::Affine { base: 0, per: 64, argument: count };
    Argument::buffer(name, size, Access::Read, Secrecy::Secret)
}

/// The state after `count` message blocks: for each, the counter grows by `increment` bytes, then RFC 7693 section 3.2.
///
/// The state is the chaining value, the counter and the flags ([`State`]), twelve words in the byte order of the machine.
pub(crate) static COMPRESS: Contract = Contract {
    algorithm: "blake2s",
    operation: "compress",
    arguments: &[STATE, blocks("blocks", 2), Argument::count("count"), INCREMENT],
    returns: Returns::Nothing,
};

/// The same for four independent messages with a common number of blocks.
pub(crate) static COMPRESS_X4: Contract = Contract {
    algorithm: "blake2s",
    operation: "compress_x4",
    arguments: &[
        Argument { name: "state0", ..STATE },
        Argument { name: "state1", ..STATE },
        Argument { name: "state2", ..STATE },
        Argument { name: "state3", ..STATE },
        blocks("blocks0", 8).shared(),
        blocks("blocks1", 8).shared(),
        blocks("blocks2", 8).shared(),
        blocks("blocks3", 8).shared(),
        Argument::count("count"),
        INCREMENT,
    ],
    returns: Returns::Nothing,
};

/// The entry point for four messages: their states, their blocks, `count`, `increment`.
pub(crate) type Together = unsafe extern "C" fn(
    *mut State<u32>,
    *mut State<u32>,
    *mut State<u32>,
    *mut State<u32>,
    *const [u8; 64],
    *const [u8; 64],
    *const [u8; 64],
    *const [u8; 64],
    usize,
    usize,
);

blake2_compress! {
    /// One message by integer instructions.
    [u32, 64] scalar(): aarch64_scalar on Aarch64 if vambrace_aarch64: "blake2s_scalar" = Scalar "scalar",
    from "aarch64/scalar.S", needs [], stack 144
}

blake2_compress! {
    /// One message by NEON.
    [u32, 64] neon(cpu::Neon): aarch64_neon on Aarch64 if vambrace_aarch64: "blake2s_neon" = Neon "neon",
    from "aarch64/neon.S", needs [Neon], stack 0
}

blake2_compress_many! {
    /// Four messages, a lane each, by NEON.
    [u32, 64] neon_x4(cpu::Neon): aarch64_neon_x4 on Aarch64 if vambrace_aarch64: "blake2s_neon_x4" = Neon "neon_x4" x 4,
    fn(state0, state1, state2, state3; blocks0, blocks1, blocks2, blocks3) as super::COMPRESS_X4,
    from "aarch64/neon_x4.S", needs [Neon], stack 336
}

blake2_compress! {
    /// One message by the instructions of FEAT_SHA3.
    [u32, 64] ce(cpu::Sha3): aarch64_ce on Aarch64 if vambrace_aarch64: "blake2s_ce" = Ce "ce",
    from "aarch64/ce.S", needs [Neon, Sha3], stack 0
}

blake2_compress! {
    /// One message by integer instructions.
    [u32, 64] scalar(): arm_scalar on Arm if vambrace_arm: "blake2s_scalar" = Scalar "scalar",
    from "arm/scalar.S", needs [], stack 128
}

blake2_compress! {
    /// One message by NEON.
    [u32, 64] neon(cpu::Neon): arm_neon on Arm if vambrace_arm: "blake2s_neon" = Neon "neon",
    from "arm/neon.S", needs [Neon], stack 64
}

blake2_compress_many! {
    /// Four messages, a lane each, by NEON.
    [u32, 64] neon_x4(cpu::Neon): arm_neon_x4 on Arm if vambrace_arm: "blake2s_neon_x4" = Neon "neon_x4" x 4,
    fn(state0, state1, state2, state3; blocks0, blocks1, blocks2, blocks3) as super::COMPRESS_X4,
    from "arm/neon_x4.S", needs [Neon], stack 512
}

/// Every kernel, whatever this build is for.
#[cfg(feature = "verify")]
pub(crate) static TABLE: &[vambrace_contract::Kernel] = &[
    aarch64_scalar::KERNEL,
    aarch64_neon::KERNEL,
    aarch64_neon_x4::KERNEL,
    aarch64_ce::KERNEL,
    arm_scalar::KERNEL,
    arm_neon::KERNEL,
    arm_neon_x4::KERNEL,
];

static GENERIC: Backend<Words32> =
    Backend { tier: Tier::Generic, variant: "generic", features: &[], compress: generic::<Words32>, together: None };

/// What automatic dispatch chooses from for one message: it is bound by the latency of G, and vectors lose against integers
/// on AArch64; on AArch32 they tie on small cores and lose on large ones.
pub(crate) static DISPATCH: Dispatch<Backend<Words32>> = Dispatch::new(&ASSEMBLY, &GENERIC);

/// What automatic dispatch chooses from for several messages: four in the lanes of a vector win everywhere.
pub(crate) static DISPATCH_MANY: Dispatch<Backend<Words32>> = Dispatch::new(&ASSEMBLY_MANY, &GENERIC);

#[cfg(vambrace_aarch64)]
const SCALAR: Backend<Words32> =
    Backend { tier: Tier::Scalar, variant: "scalar", features: &[], compress: aarch64_scalar::entry, together: None };
#[cfg(vambrace_aarch64)]
const NEON: Backend<Words32> = Backend {
    tier: Tier::Neon,
    variant: "neon",
    features: cpu::Neon::FEATURES,
    compress: aarch64_neon::entry,
    together: Some(aarch64_neon_x4::entry),
};
#[cfg(vambrace_aarch64)]
const CE: Backend<Words32> = Backend {
    tier: Tier::Ce,
    variant: "ce",
    features: cpu::Sha3::FEATURES,
    compress: aarch64_ce::entry,
    together: None,
};
#[cfg(vambrace_aarch64)]
static ASSEMBLY: [Backend<Words32>; 3] = [SCALAR, CE, NEON];
#[cfg(vambrace_aarch64)]
static ASSEMBLY_MANY: [Backend<Words32>; 3] = [NEON, CE, SCALAR];

#[cfg(vambrace_arm)]
const SCALAR: Backend<Words32> =
    Backend { tier: Tier::Scalar, variant: "scalar", features: &[], compress: arm_scalar::entry, together: None };
#[cfg(vambrace_arm)]
const NEON: Backend<Words32> = Backend {
    tier: Tier::Neon,
    variant: "neon",
    features: cpu::Neon::FEATURES,
    compress: arm_neon::entry,
    together: Some(arm_neon_x4::entry),
};
#[cfg(vambrace_arm)]
static ASSEMBLY: [Backend<Words32>; 2] = [SCALAR, NEON];
#[cfg(vambrace_arm)]
static ASSEMBLY_MANY: [Backend<Words32>; 2] = [NEON, SCALAR];

#[cfg(not(any(vambrace_aarch64, vambrace_arm)))]
static ASSEMBLY: [Backend<Words32>; 0] = [];
#[cfg(not(any(vambrace_aarch64, vambrace_arm)))]
static ASSEMBLY_MANY: [Backend<Words32>; 0] = [];

/// The kernels for several messages, each as if it were one for one.
#[cfg(all(feature = "verify", vambrace_aarch64))]
pub(super) static INTERLEAVED: [Backend<Words32>; 1] = [Backend {
    tier: Tier::Neon,
    variant: "neon_x4",
    features: cpu::Neon::FEATURES,
    compress: {
        unsafe extern "C" fn compress(state: *mut State<u32>, blocks: *const [u8; 64], count: usize, increment: usize) {
            // SAFETY: the caller keeps the contract `COMPRESS`; the features are this backend's.
            unsafe { in_one_lane::<Words32, 4>(aarch64_neon_x4::entry, state, blocks, count, increment) }
        }
        compress
    },
    together: Some(aarch64_neon_x4::entry),
}];
#[cfg(all(feature = "verify", vambrace_arm))]
pub(super) static INTERLEAVED: [Backend<Words32>; 1] = [Backend {
    tier: Tier::Neon,
    variant: "neon_x4",
    features: cpu::Neon::FEATURES,
    compress: {
        unsafe extern "C" fn compress(state: *mut State<u32>, blocks: *const [u8; 64], count: usize, increment: usize) {
            // SAFETY: the caller keeps the contract `COMPRESS`; the features are this backend's.
            unsafe { in_one_lane::<Words32, 4>(arm_neon_x4::entry, state, blocks, count, increment) }
        }
        compress
    },
    together: Some(arm_neon_x4::entry),
}];
#[cfg(all(feature = "verify", not(any(vambrace_aarch64, vambrace_arm))))]
pub(super) static INTERLEAVED: [Backend<Words32>; 0] = [];
