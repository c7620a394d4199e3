//! What a kernel is written for, and what it asks of the CPU.

use core::fmt;

/// An instruction-set architecture that kernels are written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Architecture {
    /// ARMv8-A and later, AArch64 state, little-endian.
    Aarch64,
    /// ARMv7-A and AArch32 state of ARMv8-A, A32 instructions, little-endian.
    Arm,
}

impl Architecture {
    /// Every architecture, in the order of the tables.
    pub const ALL: [Architecture; 2] = [Architecture::Aarch64, Architecture::Arm];

    /// The architecture that this code was compiled for, if it is one of ours.
    pub const fn current() -> Option<Architecture> {
        if cfg!(all(target_arch = "aarch64", target_endian = "little")) {
            Some(Architecture::Aarch64)
        } else if cfg!(all(target_arch = "arm", target_endian = "little")) {
            Some(Architecture::Arm)
        } else {
            None
        }
    }

    /// The name used in tables, on command lines and in reports: `aarch64` or `arm`.
    pub const fn name(self) -> &'static str {
        match self {
            Architecture::Aarch64 => "aarch64",
            Architecture::Arm => "arm",
        }
    }
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How much of the CPU a kernel asks for.
///
/// The order is the order of preference where all are available and equally fast.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tier {
    /// Portable Rust: the specification itself, on every architecture.
    Generic,
    /// Integer instructions of the base architecture.
    Scalar,
    /// Advanced SIMD.
    Neon,
    /// Any instruction of the ARMv8 Cryptographic Extension.
    Ce,
}

impl Tier {
    /// Every tier, lowest first.
    pub const ALL: [Tier; 4] = [Tier::Generic, Tier::Scalar, Tier::Neon, Tier::Ce];

    /// The name used in tables, on command lines and in reports: `generic`, `scalar`, `neon`, `ce`.
    pub const fn name(self) -> &'static str {
        match self {
            Tier::Generic => "generic",
            Tier::Scalar => "scalar",
            Tier::Neon => "neon",
            Tier::Ce => "ce",
        }
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is no [`Tier`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownTier;

impl fmt::Display for UnknownTier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown tier; the tiers are generic, scalar, neon and ce")
    }
}

impl core::error::Error for UnknownTier {}

impl core::str::FromStr for Tier {
    type Err = UnknownTier;

    fn from_str(name: &str) -> Result<Tier, UnknownTier> {
        Tier::ALL.into_iter().find(|tier| tier.name() == name).ok_or(UnknownTier)
    }
}

/// A CPU feature beyond the base architecture that a kernel's instructions need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Feature {
    /// Advanced SIMD (on aarch64 `FEAT_AdvSIMD`, on arm NEON).
    Neon,
    /// `FEAT_AES`: AESE, AESD, AESMC, AESIMC.
    Aes,
    /// `FEAT_PMULL`: 64-bit polynomial multiplication.
    Pmull,
    /// `FEAT_SHA256`: SHA256H, SHA256H2, SHA256SU0, SHA256SU1.
    Sha2,
    /// `FEAT_SHA512`: SHA512H, SHA512H2, SHA512SU0, SHA512SU1 (aarch64 only).
    Sha512,
    /// `FEAT_SHA3`: EOR3, RAX1, XAR, BCAX (aarch64 only).
    Sha3,
}

impl Feature {
    /// Every feature that a contract can ask for.
    pub const ALL: [Feature; 6] =
        [Feature::Neon, Feature::Aes, Feature::Pmull, Feature::Sha2, Feature::Sha512, Feature::Sha3];

    /// The name used in tables, on command lines and in reports, as in `/proc/cpuinfo` of arm64 but for `neon`.
    pub const fn name(self) -> &'static str {
        match self {
            Feature::Neon => "neon",
            Feature::Aes => "aes",
            Feature::Pmull => "pmull",
            Feature::Sha2 => "sha2",
            Feature::Sha512 => "sha512",
            Feature::Sha3 => "sha3",
        }
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiers_have_names_that_parse() {
        for tier in Tier::ALL {
            assert_eq!(tier.name().parse(), Ok(tier));
        }
        assert_eq!("NEON".parse::<Tier>(), Err(UnknownTier));
    }
}
