//! The compression function of SHA-224 and SHA-256: its contracts, and one line per kernel.

use vambrace_contract::{Access, Argument, Contract, Returns, Secrecy, Size};
use vambrace_reference::sha2;

#[cfg(any(vambrace_aarch64, vambrace_arm))]
use crate::cpu;

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
        blocks("blocks0", 4),
        blocks("blocks1", 4).may_equal(2),
        Argument::count("count"),
    ],
    returns: Returns::Nothing,
};

/// The entry point [`COMPRESS`].
pub(super) type Compress = unsafe extern "C" fn(*mut [u32; 8], *const [u8; 64], usize);

/// The entry point [`COMPRESS_X2`].
pub(super) type CompressX2 =
    unsafe extern "C" fn(*mut [u32; 8], *mut [u32; 8], *const [u8; 64], *const [u8; 64], usize);

macro_rules! compress {
    (
        $(#[$doc:meta])*
        $wrapper:ident($($token:ty)?): $module:ident on $architecture:ident if $cfg:ident: $name:literal = $tier:ident $variant:literal,
        from $source:literal, needs [$($feature:ident),*], stack $stack:literal
    ) => {
        kernel! {
            $module on $architecture if $cfg: $name = $tier $variant x 1,
            fn(state: *mut [u32; 8], blocks: *const [u8; 64], count: usize) as super::COMPRESS,
            from $source, needs [$($feature),*], stack $stack
        }

        $(#[$doc])*
        ///
        /// Replaces `state` (the words of the hash value in order) by the hash value after `blocks`.
        #[cfg($cfg)]
        pub fn $wrapper($(_: $token,)? state: &mut [u32; 8], blocks: &[[u8; 64]]) {
            // SAFETY: both pointers come from references that are valid for the sizes in `COMPRESS` (32 bytes aligned
            // to 4, and 64 bytes per block) and cannot overlap; the token says that the CPU has the features.
            unsafe { $module::entry(state, blocks.as_ptr(), blocks.len()) }
        }
    };
}

macro_rules! compress_x2 {
    (
        $(#[$doc:meta])*
        $wrapper:ident($($token:ty)?): $module:ident on $architecture:ident if $cfg:ident: $name:literal = $tier:ident $variant:literal,
        from $source:literal, needs [$($feature:ident),*], stack $stack:literal
    ) => {
        kernel! {
            $module on $architecture if $cfg: $name = $tier $variant x 2,
            fn(
                state0: *mut [u32; 8],
                state1: *mut [u32; 8],
                blocks0: *const [u8; 64],
                blocks1: *const [u8; 64],
                count: usize
            ) as super::COMPRESS_X2,
            from $source, needs [$($feature),*], stack $stack
        }

        $(#[$doc])*
        ///
        /// Replaces each state by the hash value after the blocks of the same number. The message with fewer blocks
        /// limits both; returns how many blocks of each were taken.
        #[cfg($cfg)]
        pub fn $wrapper($(_: $token,)? states: [&mut [u32; 8]; 2], blocks: [&[[u8; 64]]; 2]) -> usize {
            let [state0, state1] = states;
            let count = blocks[0].len().min(blocks[1].len());
            // SAFETY: as for one message; the states are distinct, being mutable references, and the messages are only
            // read. Each has at least `count` blocks.
            unsafe { $module::entry(state0, state1, blocks[0].as_ptr(), blocks[1].as_ptr(), count) }
            count
        }
    };
}

compress! {
    /// One message by integer instructions.
    scalar(): aarch64_scalar on Aarch64 if vambrace_aarch64: "sha256_scalar" = Scalar "scalar",
    from "aarch64/scalar.S", needs [], stack 128
}

compress! {
    /// One message: rounds by integer instructions, message schedule by NEON.
    neon(cpu::Neon): aarch64_neon on Aarch64 if vambrace_aarch64: "sha256_neon" = Neon "neon",
    from "aarch64/neon.S", needs [Neon], stack 32
}

compress! {
    /// One message by the SHA-256 instructions.
    ce(cpu::Sha2): aarch64_ce on Aarch64 if vambrace_aarch64: "sha256_ce" = Ce "ce",
    from "aarch64/ce.S", needs [Neon, Sha2], stack 0
}

compress_x2! {
    /// Two messages, interleaved, by the SHA-256 instructions.
    ce_x2(cpu::Sha2): aarch64_ce_x2 on Aarch64 if vambrace_aarch64: "sha256_ce_x2" = Ce "ce_x2",
    from "aarch64/ce_x2.S", needs [Neon, Sha2], stack 0
}

compress! {
    /// One message by integer instructions.
    scalar(): arm_scalar on Arm if vambrace_arm: "sha256_scalar" = Scalar "scalar",
    from "arm/scalar.S", needs [], stack 112
}

compress! {
    /// One message: rounds by integer instructions, message schedule by NEON.
    neon(cpu::Neon): arm_neon on Arm if vambrace_arm: "sha256_neon" = Neon "neon",
    from "arm/neon.S", needs [Neon], stack 112
}

compress! {
    /// One message by the SHA-256 instructions.
    ce(cpu::Sha2): arm_ce on Arm if vambrace_arm: "sha256_ce" = Ce "ce",
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

/// The portable tier: the specification on `u32`.
///
/// # Safety
/// As [`COMPRESS`] says.
pub(super) unsafe extern "C" fn generic(state: *mut [u32; 8], blocks: *const [u8; 64], count: usize) {
    if count == 0 {
        return;
    }
    // SAFETY: the contract grants 32 bytes aligned to 4 at `state` for reading and writing, and `count` blocks of 64
    // bytes at `blocks` for reading, disjoint from them.
    let (state, blocks) = unsafe { (&mut *state, core::slice::from_raw_parts(blocks, count)) };
    for block in blocks {
        sha2::compress(state, &sha2::MessageWord::parse(block));
    }
}
