//! The compression function of SHA-224 and SHA-256: its contracts, and one line per kernel.

use vambrace_contract::{Access, Argument, Contract, Returns, Secrecy, Size, Tier};

use super::Words32;
#[cfg(any(vambrace_aarch64, vambrace_arm))]
use crate::cpu;
use crate::dispatch::Dispatch;
use crate::sha2::{Backend, generic, sha2_compress, sha2_compress_x2};

const STATE: Argument = Argument::buffer("state", Size::Fixed(32), Access::ReadWrite, Secrecy::Secret).aligned(4);

const fn blocks(name: &'static str, count: usize) -> Argument {
    let size = Size::Affine { base: 0, per: 64, argument: count };
    Argument::buffer(name, size, Access::Read, Secrecy::Secret)
}

/// The hash value after `count` message blocks: FIPS 180-4 section 6.2.2, steps 1 to 4, for each.
///
/// The state is the eight words of the hash value in order, each in the byte order of the machine.
pub(crate) static COMPRESS: Contract = Contract {
    algorithm: "sha256",
    operation: "compress",
    arguments: &[STATE, blocks("blocks", 2), Argument::count("count")],
    returns: Returns::Nothing,
};

/// The same for two independent messages with a common number of blocks.
pub(crate) static COMPRESS_X2: Contract = Contract {
    algorithm: "sha256",
    operation: "compress_x2",
    arguments: &[
        Argument { name: "state0", ..STATE },
        Argument { name: "state1", ..STATE },
        blocks("blocks0", 4).shared(),
        blocks("blocks1", 4).shared(),
        Argument::count("count"),
    ],
    returns: Returns::Nothing,
};

sha2_compress! {
    /// One message by integer instructions.
    [u32, 64] scalar(): aarch64_scalar on Aarch64 if vambrace_aarch64: "sha256_scalar" = Scalar "scalar",
    from "aarch64/scalar.S", needs [], stack 128
}

sha2_compress! {
    /// One message: rounds by integer instructions, message schedule by NEON.
    [u32, 64] neon(cpu::Neon): aarch64_neon on Aarch64 if vambrace_aarch64: "sha256_neon" = Neon "neon",
    from "aarch64/neon.S", needs [Neon], stack 32
}

sha2_compress! {
    /// One message by the SHA-256 instructions.
    [u32, 64] ce(cpu::Sha2): aarch64_ce on Aarch64 if vambrace_aarch64: "sha256_ce" = Ce "ce",
    from "aarch64/ce.S", needs [Neon, Sha2], stack 0
}

sha2_compress_x2! {
    /// Two messages, interleaved, by the SHA-256 instructions.
    [u32, 64] ce_x2(cpu::Sha2): aarch64_ce_x2 on Aarch64 if vambrace_aarch64: "sha256_ce_x2" = Ce "ce_x2",
    from "aarch64/ce_x2.S", needs [Neon, Sha2], stack 0
}

sha2_compress! {
    /// One message by integer instructions.
    [u32, 64] scalar(): arm_scalar on Arm if vambrace_arm: "sha256_scalar" = Scalar "scalar",
    from "arm/scalar.S", needs [], stack 112
}

sha2_compress! {
    /// One message: rounds by integer instructions, message schedule by NEON.
    [u32, 64] neon(cpu::Neon): arm_neon on Arm if vambrace_arm: "sha256_neon" = Neon "neon",
    from "arm/neon.S", needs [Neon], stack 112
}

sha2_compress! {
    /// One message by the SHA-256 instructions.
    [u32, 64] ce(cpu::Sha2): arm_ce on Arm if vambrace_arm: "sha256_ce" = Ce "ce",
    from "arm/ce.S", needs [Neon, Sha2], stack 0
}

/// Every kernel, whatever this build is for.
#[cfg(feature = "verify")]
pub(crate) static TABLE: &[vambrace_contract::Kernel] = &[
    aarch64_scalar::KERNEL,
    aarch64_neon::KERNEL,
    aarch64_ce::KERNEL,
    aarch64_ce_x2::KERNEL,
    arm_scalar::KERNEL,
    arm_neon::KERNEL,
    arm_ce::KERNEL,
];

/// What automatic dispatch chooses from: on every core model the Cryptographic Extension is fastest, and the vectorised
/// schedule beats the scalar one.
pub(crate) static DISPATCH: Dispatch<Backend<Words32>> = Dispatch::new(&ASSEMBLY, &GENERIC);

static GENERIC: Backend<Words32> =
    Backend { tier: Tier::Generic, features: &[], compress: generic::<Words32>, compress_x2: None };

#[cfg(vambrace_aarch64)]
static ASSEMBLY: [Backend<Words32>; 3] = [
    Backend {
        tier: Tier::Ce,
        features: cpu::Sha2::FEATURES,
        compress: aarch64_ce::entry,
        compress_x2: Some(aarch64_ce_x2::entry),
    },
    Backend { tier: Tier::Neon, features: cpu::Neon::FEATURES, compress: aarch64_neon::entry, compress_x2: None },
    Backend { tier: Tier::Scalar, features: &[], compress: aarch64_scalar::entry, compress_x2: None },
];

#[cfg(vambrace_arm)]
static ASSEMBLY: [Backend<Words32>; 3] = [
    Backend { tier: Tier::Ce, features: cpu::Sha2::FEATURES, compress: arm_ce::entry, compress_x2: None },
    Backend { tier: Tier::Neon, features: cpu::Neon::FEATURES, compress: arm_neon::entry, compress_x2: None },
    Backend { tier: Tier::Scalar, features: &[], compress: arm_scalar::entry, compress_x2: None },
];

#[cfg(not(any(vambrace_aarch64, vambrace_arm)))]
static ASSEMBLY: [Backend<Words32>; 0] = [];

/// The kernel for two messages as if it were one for one.
#[cfg(all(feature = "verify", vambrace_aarch64))]
pub(super) static PAIRED: [Backend<Words32>; 1] = [Backend {
    tier: Tier::Ce,
    features: cpu::Sha2::FEATURES,
    compress: {
        unsafe extern "C" fn compress(state: *mut [u32; 8], blocks: *const [u8; 64], count: usize) {
            // SAFETY: the caller keeps the contract `COMPRESS`; the features are this backend's.
            unsafe { crate::sha2::in_one_lane::<Words32>(aarch64_ce_x2::entry, state, blocks, count) }
        }
        compress
    },
    compress_x2: Some(aarch64_ce_x2::entry),
}];
#[cfg(all(feature = "verify", not(vambrace_aarch64)))]
pub(super) static PAIRED: [Backend<Words32>; 0] = [];
