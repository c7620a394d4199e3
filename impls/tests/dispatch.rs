//! Which kernel serves, and what is refused, as the CPU's features vary.
//!
//! Detection is process-wide state, so these tests are a program of their own and take turns.
#![cfg(feature = "verify")]

use std::sync::{Mutex, MutexGuard};

use vambrace::cpu::{self, Features};
use vambrace::kernels::{self, Feature};
use vambrace::{Digest, Sha256, Tier, TierErrorReason};

static TURN: Mutex<()> = Mutex::new(());

/// Detection as if the CPU had no features but these, until dropped.
struct Masked {
    _turn: MutexGuard<'static, ()>,
}

impl Masked {
    fn to(features: &[Feature]) -> Masked {
        let turn = TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        cpu::verify::mask(features.iter().fold(Features::NONE, |set, feature| set.with(*feature)));
        Masked { _turn: turn }
    }
}

impl Drop for Masked {
    fn drop(&mut self) {
        cpu::verify::unmask();
    }
}

const ASSEMBLY: bool = cfg!(any(target_arch = "aarch64", target_arch = "arm"));

fn refusal(tier: Tier) -> Option<TierErrorReason> {
    Sha256::with_tier(tier).err().map(|error| error.reason)
}

#[test]
fn without_features_the_scalar_tier_serves() {
    let _masked = Masked::to(&[]);
    assert_eq!(Sha256::new().tier(), if ASSEMBLY { Tier::Scalar } else { Tier::Generic });
    if ASSEMBLY {
        assert_eq!(refusal(Tier::Neon), Some(TierErrorReason::MissingFeature(Feature::Neon)));
        assert_eq!(refusal(Tier::Ce), Some(TierErrorReason::MissingFeature(Feature::Neon)));
        assert_eq!(refusal(Tier::Scalar), None);
    }
    assert!(cpu::Neon::detect().is_none() && cpu::Sha2::detect().is_none());
}

#[test]
fn with_neon_alone_the_neon_tier_serves() {
    let _masked = Masked::to(&[Feature::Neon]);
    let neon = cpu::Neon::detect().is_some();
    if neon {
        assert_eq!(Sha256::new().tier(), Tier::Neon);
        assert_eq!(refusal(Tier::Ce), Some(TierErrorReason::MissingFeature(Feature::Sha2)));
    }
    assert!(cpu::Sha2::detect().is_none());
}

#[test]
fn other_features_do_not_stand_for_sha2() {
    let _masked = Masked::to(&[Feature::Neon, Feature::Aes, Feature::Pmull, Feature::Sha512, Feature::Sha3]);
    assert_ne!(Sha256::new().tier(), Tier::Ce);
    assert!(cpu::Sha2::detect().is_none());
    assert!(Sha256::with_tier(Tier::Ce).is_err());
}

#[test]
fn with_all_features_the_best_tier_of_this_cpu_serves() {
    let _masked = Masked::to(&Feature::ALL);
    let expected = match (ASSEMBLY, cpu::Sha2::detect(), cpu::Neon::detect()) {
        (false, ..) => Tier::Generic,
        (true, Some(_), _) => Tier::Ce,
        (true, None, Some(_)) => Tier::Neon,
        (true, None, None) => Tier::Scalar,
    };
    assert_eq!(Sha256::new().tier(), expected);
    assert_eq!(Sha256::new().chain_update(b"abc").finalize()[..4], [0xba, 0x78, 0x16, 0xbf]);
}

#[test]
fn a_token_reaches_its_kernel() {
    let _masked = Masked::to(&Feature::ALL);
    if let Some(token) = cpu::Neon::detect() {
        assert_eq!(Sha256::with_neon(token).tier(), Tier::Neon);
    }
    if let Some(token) = cpu::Sha2::detect() {
        assert_eq!(Sha256::with_ce(token).tier(), Tier::Ce);
    }
}

#[test]
fn the_kernel_table_is_consistent() {
    let mut names = std::collections::BTreeSet::new();
    for kernel in kernels::ALL.iter().copied().flatten() {
        assert_eq!(kernel.contract.validate(), Ok(()), "{}", kernel.name);
        assert!(names.insert((kernel.architecture, kernel.name)), "{} occurs twice", kernel.name);
        assert_eq!(kernel.name, format!("{}_{}", kernel.contract.algorithm, kernel.variant));
        assert!(kernel.variant.starts_with(kernel.tier.name()));
        assert!(kernel.stack <= 512, "{} uses {} bytes of stack", kernel.name, kernel.stack);
        let here = kernels::Architecture::current() == Some(kernel.architecture);
        assert_eq!(kernel.entry.is_some(), here, "{}", kernel.name);
    }
}
