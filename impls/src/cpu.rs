//! Which features the CPU has, and tokens that say so.
//!
//! A kernel that needs a feature can be reached only with the zero-sized token of that feature, and a token is handed
//! out only by detection. So no caller writes `unsafe`, and none can run into an undefined instruction.
//!
//! ```
//! use vambrace::{Digest, Sha256, cpu};
//!
//! if let Some(token) = cpu::Neon::detect() {
//!     let digest = Sha256::with_neon(token).chain_update(b"abc").finalize();
//!     assert_eq!(digest, Sha256::digest(b"abc"));
//! }
//! ```
//!
//! With feature `std`, detection asks the operating system (on ARMv7 Linux the auxiliary vector's `AT_HWCAP` and
//! `AT_HWCAP2`). Without it, AArch64 goes by the target features of the build; on ARMv7, where stable Rust shows none,
//! nothing is detected and `assume` is the way.

use vambrace_contract::Feature;

/// A set of CPU features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Features(u8);

impl Features {
    /// No feature.
    pub const NONE: Features = Features(0);

    /// The set with one more feature.
    #[must_use]
    pub const fn with(self, feature: Feature) -> Features {
        Features(self.0 | 1 << feature as u8)
    }

    /// The features that are in both sets.
    #[must_use]
    pub const fn intersection(self, other: Features) -> Features {
        Features(self.0 & other.0)
    }

    /// Whether the feature is in the set.
    pub const fn contains(self, feature: Feature) -> bool {
        self.0 & 1 << feature as u8 != 0
    }

    /// The first of some features that is not in the set.
    pub fn missing(self, needed: &[Feature]) -> Option<Feature> {
        needed.iter().copied().find(|&feature| !self.contains(feature))
    }

    /// The features in the set.
    pub fn iter(self) -> impl Iterator<Item = Feature> {
        Feature::ALL.into_iter().filter(move |&feature| self.contains(feature))
    }

    /// The features of an ARMv7 or AArch32 Linux process whose auxiliary vector has these `AT_HWCAP` and `AT_HWCAP2`.
    ///
    /// Bits as in the kernel's `arch/arm/include/uapi/asm/hwcap.h`: NEON is bit 12 of the first word; AES, PMULL and
    /// SHA-2 are bits 0, 1 and 3 of the second. A word is a mask, so a bit counts whatever the others are.
    pub const fn from_arm_hwcap(hwcap: usize, hwcap2: usize) -> Features {
        let mut features = Features::NONE;
        if hwcap & 1 << 12 != 0 {
            features = features.with(Feature::Neon);
            // The Cryptographic Extension works on NEON registers.
            if hwcap2 & 1 << 0 != 0 {
                features = features.with(Feature::Aes);
            }
            if hwcap2 & 1 << 1 != 0 {
                features = features.with(Feature::Pmull);
            }
            if hwcap2 & 1 << 3 != 0 {
                features = features.with(Feature::Sha2);
            }
        }
        features
    }
}

/// The features of this CPU that this build can detect.
pub fn detect() -> Features {
    #[cfg(feature = "verify")]
    if let Some(features) = verify::given() {
        return features;
    }
    detect_unmasked()
}

/// What the CPU has, asked once per process.
fn detect_unmasked() -> Features {
    use core::sync::atomic::{AtomicU16, Ordering};

    const UNKNOWN: u16 = u16::MAX;
    static KNOWN: AtomicU16 = AtomicU16::new(UNKNOWN);

    match KNOWN.load(Ordering::Relaxed) {
        UNKNOWN => {
            // Threads that race here store the same value.
            let features = ask();
            KNOWN.store(u16::from(features.0), Ordering::Relaxed);
            features
        }
        bits => Features(bits as u8),
    }
}

#[cfg(all(vambrace_aarch64, feature = "std"))]
fn ask() -> Features {
    use std::arch::is_aarch64_feature_detected as detected;

    let mut features = Features::NONE;
    for (feature, present) in [
        (Feature::Neon, detected!("neon")),
        (Feature::Aes, detected!("aes")),
        (Feature::Pmull, detected!("pmull")),
        (Feature::Sha2, detected!("sha2")),
        // std's "sha3" stands for FEAT_SHA512 and FEAT_SHA3 both, and asks the system for both.
        (Feature::Sha512, detected!("sha3")),
        (Feature::Sha3, detected!("sha3")),
    ] {
        if present {
            features = features.with(feature);
        }
    }
    features
}

#[cfg(all(vambrace_aarch64, not(feature = "std")))]
fn ask() -> Features {
    let mut features = Features::NONE;
    for (feature, declared) in [
        (Feature::Neon, cfg!(target_feature = "neon")),
        // The target feature "aes" stands for FEAT_AES and FEAT_PMULL.
        (Feature::Aes, cfg!(target_feature = "aes")),
        (Feature::Pmull, cfg!(target_feature = "aes")),
        (Feature::Sha2, cfg!(target_feature = "sha2")),
        (Feature::Sha512, cfg!(target_feature = "sha3")),
        (Feature::Sha3, cfg!(target_feature = "sha3")),
    ] {
        if declared {
            features = features.with(feature);
        }
    }
    features
}

#[cfg(all(vambrace_arm, feature = "std", any(target_os = "linux", target_os = "android")))]
fn ask() -> Features {
    // SAFETY: `getauxval` reads what the kernel left on the initial stack; it takes any number, opens nothing, and
    // answers 0 for an entry that is not there.
    let [hwcap, hwcap2] = [libc::AT_HWCAP, libc::AT_HWCAP2].map(|entry| unsafe { libc::getauxval(entry) });
    Features::from_arm_hwcap(hwcap as usize, hwcap2 as usize)
}

#[cfg(not(any(
    vambrace_aarch64,
    all(vambrace_arm, feature = "std", any(target_os = "linux", target_os = "android"))
)))]
fn ask() -> Features {
    Features::NONE
}

/// Detection that can be given its answer, so that what happens on another CPU can be seen on this one.
#[cfg(feature = "verify")]
pub mod verify {
    use core::sync::atomic::{AtomicU16, Ordering};

    use super::Features;

    /// No answer given.
    const NOTHING: u16 = u16::MAX;

    static GIVEN: AtomicU16 = AtomicU16::new(NOTHING);

    pub(super) fn given() -> Option<Features> {
        match GIVEN.load(Ordering::Relaxed) {
            NOTHING => None,
            bits => Some(Features(bits as u8)),
        }
    }

    /// From now on detection sees only those of the CPU's features that are in `mask`.
    pub fn mask(mask: Features) {
        let features = super::detect_unmasked().intersection(mask);
        GIVEN.store(u16::from(features.0), Ordering::Relaxed);
        crate::forget_dispatch();
    }

    /// From now on detection sees what the CPU has.
    pub fn unmask() {
        GIVEN.store(NOTHING, Ordering::Relaxed);
        crate::forget_dispatch();
    }
}

macro_rules! token {
    ($(#[$doc:meta])* $token:ident, $($feature:ident),+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $token(());

        impl $token {
            /// The features that the token stands for.
            pub const FEATURES: &'static [Feature] = &[$(Feature::$feature),+];

            /// The token, if this CPU has the features.
            pub fn detect() -> Option<$token> {
                match detect().missing(Self::FEATURES) {
                    None => Some($token(())),
                    Some(_) => None,
                }
            }
        }
    };
}

#[cfg(vambrace_arm)]
macro_rules! assume {
    ($token:ident) => {
        impl $token {
            /// The token, on the caller's word: for ARMv7 where there is no operating system to ask, or one that detection
            /// does not know.
            ///
            /// # Safety
            /// The CPU must implement the features named in [`FEATURES`](Self::FEATURES), and the software that runs
            /// above this one must have switched them on and preserve their registers.
            pub unsafe fn assume() -> $token {
                $token(())
            }
        }
    };
}

token!(
    /// The CPU has Advanced SIMD (NEON).
    Neon, Neon
);
token!(
    /// The CPU has NEON and the SHA-256 instructions (`FEAT_SHA256`).
    Sha2, Neon, Sha2
);
token!(
    /// The CPU has NEON and the AES instructions (`FEAT_AES`).
    Aes, Neon, Aes
);
token!(
    /// The CPU has NEON and the SHA-512 instructions (`FEAT_SHA512`), which exist on AArch64 alone.
    Sha512, Neon, Sha512
);
token!(
    /// The CPU has NEON and the instructions of `FEAT_SHA3` (EOR3, RAX1, XAR, BCAX), which exist on AArch64 alone.
    Sha3, Neon, Sha3
);
#[cfg(vambrace_arm)]
assume!(Neon);
#[cfg(vambrace_arm)]
assume!(Sha2);
#[cfg(vambrace_arm)]
assume!(Aes);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hwcap_words_are_masks() {
        let all = Features::from_arm_hwcap(usize::MAX, usize::MAX);
        for feature in [Feature::Neon, Feature::Aes, Feature::Pmull, Feature::Sha2] {
            assert!(all.contains(feature), "{feature}");
        }
        assert!(!all.contains(Feature::Sha512) && !all.contains(Feature::Sha3));

        assert_eq!(Features::from_arm_hwcap(0, 0), Features::NONE);
        assert_eq!(Features::from_arm_hwcap(1 << 12, 0), Features::NONE.with(Feature::Neon));
        // AES, PMULL, SHA-1, SHA-2 and CRC32 are bits 0 to 4: each alone is no other.
        let second = |bit: usize| Features::from_arm_hwcap(1 << 12, 1 << bit);
        let neon = Features::NONE.with(Feature::Neon);
        assert_eq!(second(0), neon.with(Feature::Aes));
        assert_eq!(second(1), neon.with(Feature::Pmull));
        assert_eq!(second(2), neon);
        assert_eq!(second(3), neon.with(Feature::Sha2));
        assert_eq!(second(4), neon);
        // Bit 12 of the second word, and bits 0 to 3 of the first, mean other things.
        assert_eq!(Features::from_arm_hwcap(0b1111, 1 << 12), Features::NONE);
    }

    #[test]
    fn crypto_without_neon_is_not_used() {
        assert_eq!(Features::from_arm_hwcap(0, 0b1111), Features::NONE);
    }
}
