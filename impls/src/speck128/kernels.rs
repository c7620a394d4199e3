//! Speck128 in XTS mode: its contracts, and one line per kernel.

use vambrace_contract::{Argument, Contract, Returns, Tier};

use super::{MAX_ROUNDS, Words64};
#[cfg(any(vambrace_aarch64, vambrace_arm))]
use crate::cpu;
use crate::dispatch::Dispatch;
use crate::speck::{self, speck_kernel, speck_kernel_one, speck_kernel_with};
use crate::xts::Backend;
#[cfg(vambrace_aarch64)]
use crate::xts::One;

const ARGUMENTS: &[Argument] = &speck::arguments(8, MAX_ROUNDS);

/// `count` blocks, each encrypted under the tweak and the next (IEEE 1619, section 5.3.1): the tweak moves on. Under a tweak of
/// zero that is the bare cipher.
///
/// The keys are the round keys in order, each in the byte order of the machine; blocks and tweak are little-endian.
pub(crate) static XTS_ENCRYPT: Contract =
    Contract { algorithm: "speck128-xts", operation: "xts_encrypt", arguments: ARGUMENTS, returns: Returns::Nothing };

/// The same for decryption (section 5.4.1).
pub(crate) static XTS_DECRYPT: Contract = Contract { operation: "xts_decrypt", ..XTS_ENCRYPT };

const ARGUMENTS_OF_ONE: &[Argument] = &speck::arguments_of_one(8, 32, MAX_ROUNDS);

/// A data unit of one block, encrypted under its tweak, which is encrypted by the round keys `tweak_keys` first (IEEE 1619,
/// section 5.3.1).
pub(crate) static XTS_ENCRYPT_ONE: Contract = Contract {
    algorithm: "speck128-xts",
    operation: "xts_encrypt_one",
    arguments: ARGUMENTS_OF_ONE,
    returns: Returns::Nothing,
};

/// The same for decryption (section 5.4.1).
pub(crate) static XTS_DECRYPT_ONE: Contract = Contract { operation: "xts_decrypt_one", ..XTS_ENCRYPT_ONE };

speck_kernel! {
    [u64, 16] aarch64_scalar_encrypt on Aarch64 if vambrace_aarch64: "speck128_xts_scalar_encrypt" = Scalar "scalar_encrypt" by super::XTS_ENCRYPT,
    from "aarch64/scalar_encrypt.S", needs [], stack 176
}
speck_kernel! {
    [u64, 16] aarch64_scalar_decrypt on Aarch64 if vambrace_aarch64: "speck128_xts_scalar_decrypt" = Scalar "scalar_decrypt" by super::XTS_DECRYPT,
    from "aarch64/scalar_decrypt.S", needs [], stack 176
}
speck_kernel_one! {
    [u64, 16] aarch64_scalar_encrypt_one on Aarch64 if vambrace_aarch64: "speck128_xts_scalar_encrypt_one" = Scalar "scalar_encrypt_one" by super::XTS_ENCRYPT_ONE,
    from "aarch64/scalar_encrypt_one.S", needs [], stack 0
}
speck_kernel_one! {
    [u64, 16] aarch64_scalar_decrypt_one on Aarch64 if vambrace_aarch64: "speck128_xts_scalar_decrypt_one" = Scalar "scalar_decrypt_one" by super::XTS_DECRYPT_ONE,
    from "aarch64/scalar_decrypt_one.S", needs [], stack 0
}
speck_kernel! {
    [u64, 16] aarch64_neon_encrypt on Aarch64 if vambrace_aarch64: "speck128_xts_neon_encrypt" = Neon "neon_encrypt" by super::XTS_ENCRYPT,
    from "aarch64/neon_encrypt.S", needs [Neon], stack 304
}
speck_kernel! {
    [u64, 16] aarch64_neon_decrypt on Aarch64 if vambrace_aarch64: "speck128_xts_neon_decrypt" = Neon "neon_decrypt" by super::XTS_DECRYPT,
    from "aarch64/neon_decrypt.S", needs [Neon], stack 304
}
speck_kernel! {
    [u64, 16] aarch64_ce_encrypt on Aarch64 if vambrace_aarch64: "speck128_xts_ce_encrypt" = Ce "ce_encrypt" by super::XTS_ENCRYPT,
    from "aarch64/ce_encrypt.S", needs [Neon, Sha3], stack 304
}
speck_kernel! {
    [u64, 16] aarch64_ce_decrypt on Aarch64 if vambrace_aarch64: "speck128_xts_ce_decrypt" = Ce "ce_decrypt" by super::XTS_DECRYPT,
    from "aarch64/ce_decrypt.S", needs [Neon, Sha3], stack 304
}
speck_kernel! {
    [u64, 16] arm_scalar_encrypt on Arm if vambrace_arm: "speck128_xts_scalar_encrypt" = Scalar "scalar_encrypt" by super::XTS_ENCRYPT,
    from "arm/scalar_encrypt.S", needs [], stack 112
}
speck_kernel! {
    [u64, 16] arm_scalar_decrypt on Arm if vambrace_arm: "speck128_xts_scalar_decrypt" = Scalar "scalar_decrypt" by super::XTS_DECRYPT,
    from "arm/scalar_decrypt.S", needs [], stack 112
}
speck_kernel! {
    [u64, 16] arm_neon_encrypt on Arm if vambrace_arm: "speck128_xts_neon_encrypt" = Neon "neon_encrypt" by super::XTS_ENCRYPT,
    from "arm/neon_encrypt.S", needs [Neon], stack 368
}
speck_kernel! {
    [u64, 16] arm_neon_decrypt on Arm if vambrace_arm: "speck128_xts_neon_decrypt" = Neon "neon_decrypt" by super::XTS_DECRYPT,
    from "arm/neon_decrypt.S", needs [Neon], stack 368
}

/// Every kernel, whatever this build is for.
#[cfg(feature = "verify")]
pub(crate) static TABLE: &[vambrace_contract::Kernel] = &[
    aarch64_scalar_encrypt::KERNEL,
    aarch64_scalar_decrypt::KERNEL,
    aarch64_scalar_encrypt_one::KERNEL,
    aarch64_scalar_decrypt_one::KERNEL,
    aarch64_neon_encrypt::KERNEL,
    aarch64_neon_decrypt::KERNEL,
    aarch64_ce_encrypt::KERNEL,
    aarch64_ce_decrypt::KERNEL,
    arm_scalar_encrypt::KERNEL,
    arm_scalar_decrypt::KERNEL,
    arm_neon_encrypt::KERNEL,
    arm_neon_decrypt::KERNEL,
];

static GENERIC: Backend<Words64> = Backend {
    tier: Tier::Generic,
    features: &[],
    encrypt: speck::generic::<u64, 16, true>,
    decrypt: speck::generic::<u64, 16, false>,
    one: None,
    prepare: (),
};

/// What automatic dispatch chooses from: FEAT_SHA3 helps decryption most.
pub(crate) static DISPATCH: Dispatch<Backend<Words64>> = Dispatch::new(&ASSEMBLY, &GENERIC);

/// One block has no use for vectors: every tier takes it through integer registers.
#[cfg(vambrace_aarch64)]
const ONE: One<Words64> =
    One { encrypt: aarch64_scalar_encrypt_one::entry, decrypt: aarch64_scalar_decrypt_one::entry };

#[cfg(vambrace_aarch64)]
static ASSEMBLY: [Backend<Words64>; 3] = [
    Backend {
        tier: Tier::Ce,
        features: cpu::Sha3::FEATURES,
        encrypt: aarch64_ce_encrypt::entry,
        decrypt: aarch64_ce_decrypt::entry,
        one: Some(ONE),
        prepare: (),
    },
    Backend {
        tier: Tier::Neon,
        features: cpu::Neon::FEATURES,
        encrypt: aarch64_neon_encrypt::entry,
        decrypt: aarch64_neon_decrypt::entry,
        one: Some(ONE),
        prepare: (),
    },
    Backend {
        tier: Tier::Scalar,
        features: &[],
        encrypt: aarch64_scalar_encrypt::entry,
        decrypt: aarch64_scalar_decrypt::entry,
        one: Some(ONE),
        prepare: (),
    },
];

#[cfg(vambrace_arm)]
static ASSEMBLY: [Backend<Words64>; 2] = [
    Backend {
        tier: Tier::Neon,
        features: cpu::Neon::FEATURES,
        encrypt: arm_neon_encrypt::entry,
        decrypt: arm_neon_decrypt::entry,
        one: None,
        prepare: (),
    },
    Backend {
        tier: Tier::Scalar,
        features: &[],
        encrypt: arm_scalar_encrypt::entry,
        decrypt: arm_scalar_decrypt::entry,
        one: None,
        prepare: (),
    },
];

#[cfg(not(any(vambrace_aarch64, vambrace_arm)))]
static ASSEMBLY: [Backend<Words64>; 0] = [];
