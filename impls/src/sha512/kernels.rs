//! The compression function of SHA-384, SHA-512 and their like: its contracts, and one line per kernel.

use vambrace_contract::{Access, Argument, Contract, Returns, Secrecy, Size, Tier};

use super::Words64;
#[cfg(any(vambrace_aarch64, vambrace_arm))]
use crate::cpu;
use crate::dispatch::Dispatch;
use crate::sha2::{Backend, generic, sha2_compress, sha2_compress_x2};

const STATE: Argument = Argument::buffer("state", Size::Fixed(64), Access::ReadWrite, Secrecy::Secret).aligned(8);

const fn blocks(name: &'static str, count: usize) -> Argument {
    let size = Size::Affine { base: 0, per: 128, argument: count };
    Argument::buffer(name, size, Access::Read, Secrecy::Secret)
}

/// The hash value after `count` message blocks: FIPS 180-4 section 6.4.2, steps 1 to 4, for each.
///
/// The state is the eight words of the hash value in order, each in the byte order of the machine.
pub(crate) static COMPRESS: Contract = Contract {
    algorithm: "sha512",
    operation: "compress",
    arguments: &[STATE, blocks("blocks", 2), Argument::count("count")],
    returns: Returns::Nothing,
};

/// The same for two independent messages with a common number of blocks.
pub(crate) static COMPRESS_X2: Contract = Contract {
    algorithm: "sha512",
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
    [u64, 128] scalar(): aarch64_scalar on Aarch64 if vambrace_aarch64: "sha512_scalar" = Scalar "scalar",
    from "aarch64/scalar.S", needs [], stack 128
}

sha2_compress! {
    /// One message: rounds by integer instructions, message schedule by NEON.
    [u64, 128] neon(cpu::Neon): aarch64_neon on Aarch64 if vambrace_aarch64: "sha512_neon" = Neon "neon",
    from "aarch64/neon.S", needs [Neon], stack 0
}

sha2_compress! {
    /// One message by the SHA-512 instructions.
    [u64, 128] ce(cpu::Sha512): aarch64_ce on Aarch64 if vambrace_aarch64: "sha512_ce" = Ce "ce",
    from "aarch64/ce.S", needs [Neon, Sha512], stack 0
}

sha2_compress_x2! {
    /// Two messages, interleaved, by the SHA-512 instructions.
    [u64, 128] ce_x2(cpu::Sha512): aarch64_ce_x2 on Aarch64 if vambrace_aarch64: "sha512_ce_x2" = Ce "ce_x2",
    from "aarch64/ce_x2.S", needs [Neon, Sha512], stack 64
}

sha2_compress! {
    /// One message by integer instructions.
    [u64, 128] scalar(): arm_scalar on Arm if vambrace_arm: "sha512_scalar" = Scalar "scalar",
    from "arm/scalar.S", needs [], stack 240
}

sha2_compress! {
    /// One message by NEON.
    [u64, 128] neon(cpu::Neon): arm_neon on Arm if vambrace_arm: "sha512_neon" = Neon "neon",
    from "arm/neon.S", needs [Neon], stack 64
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
];

/// What automatic dispatch chooses from. The SHA-512 instructions are fastest on every core model that has them. Without
/// them, scalar and vectorised schedules tie on out-of-order AArch64 cores, and the scalar one wins on in-order ones; on
/// AArch32 NEON is far ahead.
pub(crate) static DISPATCH: Dispatch<Backend<Words64>> = Dispatch::new(&ASSEMBLY, &GENERIC);

static GENERIC: Backend<Words64> =
    Backend { tier: Tier::Generic, features: &[], compress: generic::<Words64>, compress_x2: None };

#[cfg(vambrace_aarch64)]
static ASSEMBLY: [Backend<Words64>; 3] = [
    Backend {
        tier: Tier::Ce,
        features: cpu::Sha512::FEATURES,
        compress: aarch64_ce::entry,
        compress_x2: Some(aarch64_ce_x2::entry),
    },
    Backend { tier: Tier::Scalar, features: &[], compress: aarch64_scalar::entry, compress_x2: None },
    Backend { tier: Tier::Neon, features: cpu::Neon::FEATURES, compress: aarch64_neon::entry, compress_x2: None },
];

#[cfg(vambrace_arm)]
static ASSEMBLY: [Backend<Words64>; 2] = [
    Backend { tier: Tier::Neon, features: cpu::Neon::FEATURES, compress: arm_neon::entry, compress_x2: None },
    Backend { tier: Tier::Scalar, features: &[], compress: arm_scalar::entry, compress_x2: None },
];

#[cfg(not(any(vambrace_aarch64, vambrace_arm)))]
static ASSEMBLY: [Backend<Words64>; 0] = [];

/// The kernel for two messages as if it were one for one.
#[cfg(all(feature = "verify", vambrace_aarch64))]
pub(super) static PAIRED: [Backend<Words64>; 1] = [Backend {
    tier: Tier::Ce,
    features: cpu::Sha512::FEATURES,
    compress: {
        unsafe extern "C" fn compress(state: *mut [u64; 8], blocks: *const [u8; 128], count: usize) {
            // SAFETY: the caller keeps the contract `COMPRESS`; the features are this backend's.
            unsafe { crate::sha2::in_one_lane::<Words64>(aarch64_ce_x2::entry, state, blocks, count) }
        }
        compress
    },
    compress_x2: Some(aarch64_ce_x2::entry),
}];
#[cfg(all(feature = "verify", not(vambrace_aarch64)))]
pub(super) static PAIRED: [Backend<Words64>; 0] = [];
