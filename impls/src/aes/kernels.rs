//! AES in XTS mode: its contracts, and one line per kernel.

use vambrace_contract::{Access, Argument, ArgumentKind, Contract, Returns, ScalarType, Secrecy, Size, Tier};

use super::{Aes, Prepare, generic, generic_expand_key};
#[cfg(any(vambrace_aarch64, vambrace_arm))]
use crate::cpu;
use crate::dispatch::Dispatch;
#[cfg(vambrace_aarch64)]
use crate::xts::One;
use crate::xts::{self, Backend};

/// Bytes of the largest layout of round keys, for 14 rounds.
pub(crate) const MAX_LAYOUT_BYTES: usize = 1920;

/// 10 rounds under a key of 16 bytes, 14 under one of 32.
const ROUNDS: Argument = Argument {
    name: "rounds",
    kind: ArgumentKind::Scalar { ty: ScalarType::U32, secrecy: Secrecy::Public, min: 10, max: 14, step: 4 },
};

/// A round key more than there are rounds, in a tier's own form.
const fn round_keys(name: &'static str, access: Access, rounds: usize) -> Argument {
    let size = Size::LayoutEach { layout: "round key", more: 1, argument: rounds };
    Argument::buffer(name, size, access, Secrecy::Secret)
}

/// A round key more than there are rounds, as in FIPS 197.
const fn schedule(name: &'static str, access: Access, rounds: usize) -> Argument {
    let size = Size::Affine { base: 16, per: 16, argument: rounds };
    Argument::buffer(name, size, access, Secrecy::Secret)
}

/// The round keys of a key: FIPS 197, section 5.2, in the standard's byte order.
pub(crate) static EXPAND_KEY: Contract = Contract {
    algorithm: "aes-xts",
    operation: "expand_key",
    arguments: &[
        // 16 bytes for 10 rounds, 32 for 14.
        Argument::buffer("key", Size::Affine { base: -24, per: 4, argument: 2 }, Access::Read, Secrecy::Secret),
        schedule("schedule", Access::Write, 2),
        ROUNDS,
    ],
    returns: Returns::Nothing,
};

/// Round keys in the form that the kernels of a tier want.
pub(crate) static CONVERT_KEY: Contract = Contract {
    algorithm: "aes-xts",
    operation: "convert_key",
    arguments: &[schedule("schedule", Access::Read, 2), round_keys("layout", Access::Write, 2), ROUNDS],
    returns: Returns::Nothing,
};

const XTS: &[Argument] = &xts::arguments(round_keys("keys", Access::Read, 5).aligned(16), 16, ROUNDS);

/// `count` blocks, each encrypted under the tweak and the next (IEEE 1619, section 5.3.1): the tweak moves on. Under a tweak of
/// zero that is the bare cipher.
pub(crate) static XTS_ENCRYPT: Contract =
    Contract { algorithm: "aes-xts", operation: "xts_encrypt", arguments: XTS, returns: Returns::Nothing };

/// The same for decryption (section 5.4.1).
pub(crate) static XTS_DECRYPT: Contract = Contract { operation: "xts_decrypt", ..XTS_ENCRYPT };

const XTS_ONE: &[Argument] = &xts::arguments_of_one(
    round_keys("keys", Access::Read, 5).aligned(16),
    schedule("tweak_keys", Access::Read, 5).aligned(16),
    16,
    ROUNDS,
);

/// A data unit of one block, encrypted under its tweak, which is encrypted by the round keys `tweak_keys` first (IEEE 1619,
/// section 5.3.1).
pub(crate) static XTS_ENCRYPT_ONE: Contract =
    Contract { algorithm: "aes-xts", operation: "xts_encrypt_one", arguments: XTS_ONE, returns: Returns::Nothing };

/// The same for decryption (section 5.4.1).
pub(crate) static XTS_DECRYPT_ONE: Contract = Contract { operation: "xts_decrypt_one", ..XTS_ENCRYPT_ONE };

/// Expands a kernel with these arguments: contract data, naked function.
macro_rules! aes_kernel {
    (
        [$($argument:ident: $ty:ty),*]
        $module:ident on $architecture:ident if $cfg:ident: $name:literal = $tier:ident $variant:literal by $contract:path,
        from $source:literal, round keys of $round_key:literal, needs [$($feature:ident),*], stack $stack:literal
    ) => {
        kernel! {
            $module on $architecture if $cfg: $name = $tier $variant x 1,
            fn($($argument: $ty),*) as $contract,
            from $source, layout [("round key", $round_key)], needs [$($feature),*], stack $stack
        }
    };
}

/// Expands a kernel of XTS.
macro_rules! aes_xts {
    ($($kernel:tt)*) => {
        aes_kernel! {
            [keys: *const u8, tweak: *mut [u8; 16], input: *const u8, output: *mut u8, count: usize, rounds: u32]
            $($kernel)*
        }
    };
}

/// Expands a kernel for a data unit of one block.
macro_rules! aes_xts_one {
    ($($kernel:tt)*) => {
        aes_kernel! {
            [
                keys: *const u8, tweak_keys: *const u8, tweak: *const [u8; 16], input: *const u8, output: *mut u8,
                rounds: u32
            ]
            $($kernel)*
        }
    };
}

/// Expands a kernel that prepares keys.
macro_rules! aes_key {
    ($($kernel:tt)*) => {
        aes_kernel! { [from: *const u8, to: *mut u8, rounds: u32] $($kernel)* }
    };
}

aes_xts! {
    aarch64_ce_encrypt on Aarch64 if vambrace_aarch64: "aes_xts_ce_encrypt" = Ce "ce_encrypt" by super::XTS_ENCRYPT,
    from "aarch64/ce_encrypt.S", round keys of 16, needs [Neon, Aes], stack 64
}
aes_xts! {
    aarch64_ce_decrypt on Aarch64 if vambrace_aarch64: "aes_xts_ce_decrypt" = Ce "ce_decrypt" by super::XTS_DECRYPT,
    from "aarch64/ce_decrypt.S", round keys of 16, needs [Neon, Aes], stack 64
}
aes_xts_one! {
    aarch64_ce_encrypt_one on Aarch64 if vambrace_aarch64: "aes_xts_ce_encrypt_one" = Ce "ce_encrypt_one" by super::XTS_ENCRYPT_ONE,
    from "aarch64/ce_encrypt_one.S", round keys of 16, needs [Neon, Aes], stack 0
}
aes_xts_one! {
    aarch64_ce_decrypt_one on Aarch64 if vambrace_aarch64: "aes_xts_ce_decrypt_one" = Ce "ce_decrypt_one" by super::XTS_DECRYPT_ONE,
    from "aarch64/ce_decrypt_one.S", round keys of 16, needs [Neon, Aes], stack 0
}
aes_key! {
    aarch64_ce_expand_key on Aarch64 if vambrace_aarch64: "aes_xts_ce_expand_key" = Ce "ce_expand_key" by super::EXPAND_KEY,
    from "aarch64/ce_expand_key.S", round keys of 16, needs [Neon, Aes], stack 0
}
aes_key! {
    aarch64_ce_convert_key on Aarch64 if vambrace_aarch64: "aes_xts_ce_convert_key" = Ce "ce_convert_key" by super::CONVERT_KEY,
    from "aarch64/ce_convert_key_decrypt.S", round keys of 16, needs [Neon, Aes], stack 0
}
aes_xts! {
    aarch64_neon_encrypt on Aarch64 if vambrace_aarch64: "aes_xts_neon_encrypt" = Neon "neon_encrypt" by super::XTS_ENCRYPT,
    from "aarch64/neon_encrypt.S", round keys of 128, needs [Neon], stack 192
}
aes_xts! {
    aarch64_neon_decrypt on Aarch64 if vambrace_aarch64: "aes_xts_neon_decrypt" = Neon "neon_decrypt" by super::XTS_DECRYPT,
    from "aarch64/neon_decrypt.S", round keys of 128, needs [Neon], stack 192
}
aes_key! {
    aarch64_neon_convert_key on Aarch64 if vambrace_aarch64: "aes_xts_neon_convert_key" = Neon "neon_convert_key" by super::CONVERT_KEY,
    from "aarch64/neon_convert_key_encrypt.S", round keys of 128, needs [Neon], stack 0
}
aes_xts! {
    aarch64_scalar_encrypt on Aarch64 if vambrace_aarch64: "aes_xts_scalar_encrypt" = Scalar "scalar_encrypt" by super::XTS_ENCRYPT,
    from "aarch64/scalar_encrypt.S", round keys of 64, needs [], stack 240
}
aes_xts! {
    aarch64_scalar_decrypt on Aarch64 if vambrace_aarch64: "aes_xts_scalar_decrypt" = Scalar "scalar_decrypt" by super::XTS_DECRYPT,
    from "aarch64/scalar_decrypt.S", round keys of 64, needs [], stack 240
}
aes_key! {
    aarch64_scalar_expand_key on Aarch64 if vambrace_aarch64: "aes_xts_scalar_expand_key" = Scalar "scalar_expand_key" by super::EXPAND_KEY,
    from "aarch64/scalar_expand_key.S", round keys of 64, needs [], stack 96
}
aes_key! {
    aarch64_scalar_convert_key on Aarch64 if vambrace_aarch64: "aes_xts_scalar_convert_key" = Scalar "scalar_convert_key" by super::CONVERT_KEY,
    from "aarch64/scalar_convert_key_encrypt.S", round keys of 64, needs [], stack 0
}
aes_xts! {
    arm_ce_encrypt on Arm if vambrace_arm: "aes_xts_ce_encrypt" = Ce "ce_encrypt" by super::XTS_ENCRYPT,
    from "arm/ce_encrypt.S", round keys of 16, needs [Neon, Aes], stack 104
}
aes_xts! {
    arm_ce_decrypt on Arm if vambrace_arm: "aes_xts_ce_decrypt" = Ce "ce_decrypt" by super::XTS_DECRYPT,
    from "arm/ce_decrypt.S", round keys of 16, needs [Neon, Aes], stack 104
}
aes_key! {
    arm_ce_expand_key on Arm if vambrace_arm: "aes_xts_ce_expand_key" = Ce "ce_expand_key" by super::EXPAND_KEY,
    from "arm/ce_expand_key.S", round keys of 16, needs [Neon, Aes], stack 32
}
aes_key! {
    arm_ce_convert_key on Arm if vambrace_arm: "aes_xts_ce_convert_key" = Ce "ce_convert_key" by super::CONVERT_KEY,
    from "arm/ce_convert_key_decrypt.S", round keys of 16, needs [Neon, Aes], stack 0
}
aes_xts! {
    arm_neon_encrypt on Arm if vambrace_arm: "aes_xts_neon_encrypt" = Neon "neon_encrypt" by super::XTS_ENCRYPT,
    from "arm/neon_encrypt.S", round keys of 128, needs [Neon], stack 424
}
aes_xts! {
    arm_neon_decrypt on Arm if vambrace_arm: "aes_xts_neon_decrypt" = Neon "neon_decrypt" by super::XTS_DECRYPT,
    from "arm/neon_decrypt.S", round keys of 128, needs [Neon], stack 424
}
aes_key! {
    arm_neon_convert_key on Arm if vambrace_arm: "aes_xts_neon_convert_key" = Neon "neon_convert_key" by super::CONVERT_KEY,
    from "arm/neon_convert_key_encrypt.S", round keys of 128, needs [Neon], stack 0
}
aes_xts! {
    arm_scalar_encrypt on Arm if vambrace_arm: "aes_xts_scalar_encrypt" = Scalar "scalar_encrypt" by super::XTS_ENCRYPT,
    from "arm/scalar_encrypt.S", round keys of 32, needs [], stack 184
}
aes_xts! {
    arm_scalar_decrypt on Arm if vambrace_arm: "aes_xts_scalar_decrypt" = Scalar "scalar_decrypt" by super::XTS_DECRYPT,
    from "arm/scalar_decrypt.S", round keys of 32, needs [], stack 184
}
aes_key! {
    arm_scalar_expand_key on Arm if vambrace_arm: "aes_xts_scalar_expand_key" = Scalar "scalar_expand_key" by super::EXPAND_KEY,
    from "arm/scalar_expand_key.S", round keys of 32, needs [], stack 112
}
aes_key! {
    arm_scalar_convert_key on Arm if vambrace_arm: "aes_xts_scalar_convert_key" = Scalar "scalar_convert_key" by super::CONVERT_KEY,
    from "arm/scalar_convert_key_encrypt.S", round keys of 32, needs [], stack 56
}

/// Every kernel, whatever this build is for.
#[cfg(feature = "verify")]
pub(crate) static TABLE: &[vambrace_contract::Kernel] = &[
    aarch64_ce_encrypt::KERNEL,
    aarch64_ce_decrypt::KERNEL,
    aarch64_ce_encrypt_one::KERNEL,
    aarch64_ce_decrypt_one::KERNEL,
    aarch64_ce_expand_key::KERNEL,
    aarch64_ce_convert_key::KERNEL,
    aarch64_neon_encrypt::KERNEL,
    aarch64_neon_decrypt::KERNEL,
    aarch64_neon_convert_key::KERNEL,
    aarch64_scalar_encrypt::KERNEL,
    aarch64_scalar_decrypt::KERNEL,
    aarch64_scalar_expand_key::KERNEL,
    aarch64_scalar_convert_key::KERNEL,
    arm_ce_encrypt::KERNEL,
    arm_ce_decrypt::KERNEL,
    arm_ce_expand_key::KERNEL,
    arm_ce_convert_key::KERNEL,
    arm_neon_encrypt::KERNEL,
    arm_neon_decrypt::KERNEL,
    arm_neon_convert_key::KERNEL,
    arm_scalar_encrypt::KERNEL,
    arm_scalar_decrypt::KERNEL,
    arm_scalar_expand_key::KERNEL,
    arm_scalar_convert_key::KERNEL,
];

static GENERIC: Backend<Aes> = Backend {
    tier: Tier::Generic,
    features: &[],
    encrypt: generic::<true>,
    decrypt: generic::<false>,
    one: None,
    prepare: Prepare { expand: generic_expand_key, convert: None, encrypts_by_layout: false },
};

/// What automatic dispatch chooses from: each tier is faster than the next on every core model.
pub(crate) static DISPATCH: Dispatch<Backend<Aes>> = Dispatch::new(&ASSEMBLY, &GENERIC);

#[cfg(vambrace_aarch64)]
const ONE: One<Aes> = One { encrypt: aarch64_ce_encrypt_one::entry, decrypt: aarch64_ce_decrypt_one::entry };

#[cfg(vambrace_aarch64)]
static ASSEMBLY: [Backend<Aes>; 3] = [
    Backend {
        tier: Tier::Ce,
        features: cpu::Aes::FEATURES,
        encrypt: aarch64_ce_encrypt::entry,
        decrypt: aarch64_ce_decrypt::entry,
        one: Some(ONE),
        prepare: Prepare {
            expand: aarch64_ce_expand_key::entry,
            convert: Some(aarch64_ce_convert_key::entry),
            encrypts_by_layout: false,
        },
    },
    Backend {
        tier: Tier::Neon,
        features: cpu::Neon::FEATURES,
        encrypt: aarch64_neon_encrypt::entry,
        decrypt: aarch64_neon_decrypt::entry,
        one: None,
        prepare: Prepare {
            expand: aarch64_scalar_expand_key::entry,
            convert: Some(aarch64_neon_convert_key::entry),
            encrypts_by_layout: true,
        },
    },
    Backend {
        tier: Tier::Scalar,
        features: &[],
        encrypt: aarch64_scalar_encrypt::entry,
        decrypt: aarch64_scalar_decrypt::entry,
        one: None,
        prepare: Prepare {
            expand: aarch64_scalar_expand_key::entry,
            convert: Some(aarch64_scalar_convert_key::entry),
            encrypts_by_layout: true,
        },
    },
];

#[cfg(vambrace_arm)]
static ASSEMBLY: [Backend<Aes>; 3] = [
    Backend {
        tier: Tier::Ce,
        features: cpu::Aes::FEATURES,
        encrypt: arm_ce_encrypt::entry,
        decrypt: arm_ce_decrypt::entry,
        one: None,
        prepare: Prepare {
            expand: arm_ce_expand_key::entry,
            convert: Some(arm_ce_convert_key::entry),
            encrypts_by_layout: false,
        },
    },
    Backend {
        tier: Tier::Neon,
        features: cpu::Neon::FEATURES,
        encrypt: arm_neon_encrypt::entry,
        decrypt: arm_neon_decrypt::entry,
        one: None,
        prepare: Prepare {
            expand: arm_scalar_expand_key::entry,
            convert: Some(arm_neon_convert_key::entry),
            encrypts_by_layout: true,
        },
    },
    Backend {
        tier: Tier::Scalar,
        features: &[],
        encrypt: arm_scalar_encrypt::entry,
        decrypt: arm_scalar_decrypt::entry,
        one: None,
        prepare: Prepare {
            expand: arm_scalar_expand_key::entry,
            convert: Some(arm_scalar_convert_key::entry),
            encrypts_by_layout: true,
        },
    },
];

#[cfg(not(any(vambrace_aarch64, vambrace_arm)))]
static ASSEMBLY: [Backend<Aes>; 0] = [];
