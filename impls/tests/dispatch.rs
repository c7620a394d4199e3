//! Which kernel serves, and what is refused, as the CPU's features vary.
//!
//! Detection is process-wide state, so these tests are a program of their own and take turns.
#![cfg(feature = "verify")]

mod support;

use digest::consts::{U32, U64};
use support::ASSEMBLY;
use support::masked::{Masked, feature_sets};
use vambrace::kernels::{self, Architecture, Feature};
use vambrace::{
    Blake2b512, Blake2bp, Blake2s256, Blake2sp, Digest, Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256, Tier,
    TierError, TierErrorReason, cpu,
};

/// A tier, and a digest by its kernel.
type Hashed = (Tier, Vec<u8>);

/// A tier with a kernel, and the features that it needs.
type Needs = (Tier, &'static [Feature]);

/// A type whose kernels are dispatched.
struct Type {
    name: &'static str,
    /// By automatic dispatch.
    automatic: fn() -> Hashed,
    /// By a tier that is asked for.
    forced: fn(Tier) -> Result<Hashed, TierError>,
    /// The digests of three messages by automatic dispatch.
    many: fn() -> Vec<u8>,
    /// The tier of the type that a token makes, where the CPU has the features.
    with_neon: fn(cpu::Neon) -> Tier,
    with_ce: fn() -> Option<Tier>,
    /// The tiers of this architecture, the one that automatic dispatch prefers first.
    tiers: &'static [Needs],
}

const MESSAGES: [&[u8]; 3] = [b"abc", &[b'x'; 1000], b""];

macro_rules! types {
    ($($type:ty, $name:literal, ce by $token:path, tiers $tiers:expr;)*) => {
        &[$(Type {
            name: $name,
            automatic: || {
                let hash = <$type>::new();
                (hash.tier(), hash.chain_update(MESSAGES[1]).finalize().to_vec())
            },
            forced: |tier| {
                let hash = <$type>::with_tier(tier)?;
                Ok((hash.tier(), hash.chain_update(MESSAGES[1]).finalize().to_vec()))
            },
            many: || {
                let mut outputs: [_; 3] = Default::default();
                <$type>::digest_many(&MESSAGES, &mut outputs).unwrap();
                outputs.concat()
            },
            with_neon: |token| <$type>::with_neon(token).tier(),
            with_ce: || <$token>::detect().map(|token| <$type>::with_ce(token).tier()),
            tiers: $tiers,
        }),*]
    };
}

static TYPES: &[Type] = types! {
    Sha224, "sha224", ce by cpu::Sha2, tiers SHA256;
    Sha256, "sha256", ce by cpu::Sha2, tiers SHA256;
    Sha384, "sha384", ce by cpu::Sha512, tiers SHA512;
    Sha512, "sha512", ce by cpu::Sha512, tiers SHA512;
    Sha512_224, "sha512-224", ce by cpu::Sha512, tiers SHA512;
    Sha512_256, "sha512-256", ce by cpu::Sha512, tiers SHA512;
    Blake2b512, "blake2b", ce by cpu::Sha3, tiers BLAKE2B;
    Blake2bp::<U64>, "blake2bp", ce by cpu::Sha3, tiers BLAKE2B;
    Blake2s256, "blake2s", ce by cpu::Sha3, tiers BLAKE2S;
    Blake2sp::<U32>, "blake2sp", ce by cpu::Sha3, tiers BLAKE2S;
};

const SCALAR: Needs = (Tier::Scalar, &[]);
const NEON: Needs = (Tier::Neon, &[Feature::Neon]);
const SHA2: Needs = (Tier::Ce, &[Feature::Neon, Feature::Sha2]);
const SHA512_CE: Needs = (Tier::Ce, &[Feature::Neon, Feature::Sha512]);
const SHA3: Needs = (Tier::Ce, &[Feature::Neon, Feature::Sha3]);

/// What `docs/speed.md` says is fastest comes first.
const fn tiers(aarch64: &'static [Needs], arm: &'static [Needs]) -> &'static [Needs] {
    if cfg!(target_arch = "aarch64") {
        aarch64
    } else if cfg!(target_arch = "arm") {
        arm
    } else {
        &[]
    }
}

const SHA256: &[Needs] = tiers(&[SHA2, NEON, SCALAR], &[SHA2, NEON, SCALAR]);
const SHA512: &[Needs] = tiers(&[SHA512_CE, SCALAR, NEON], &[NEON, SCALAR]);
const BLAKE2B: &[Needs] = tiers(&[SCALAR, SHA3, NEON], &[NEON, SCALAR]);
const BLAKE2S: &[Needs] = tiers(&[SCALAR, SHA3, NEON], &[SCALAR, NEON]);

/// What is expected of a tier under the features that detection sees now.
fn expected(ty: &Type, tier: Tier) -> Result<(), TierErrorReason> {
    if tier == Tier::Generic {
        return Ok(());
    }
    match ty.tiers.iter().find(|(known, _)| *known == tier) {
        None => Err(TierErrorReason::NoKernel),
        Some((_, needed)) => match cpu::detect().missing(needed) {
            None => Ok(()),
            Some(feature) => Err(TierErrorReason::MissingFeature(feature)),
        },
    }
}

#[test]
fn without_features_the_scalar_tier_serves() {
    let _masked = Masked::to(&[]);
    for ty in TYPES {
        assert_eq!((ty.automatic)().0, if ASSEMBLY { Tier::Scalar } else { Tier::Generic }, "{}", ty.name);
        if ASSEMBLY {
            let refusal = |tier| (ty.forced)(tier).err().map(|error| error.reason);
            assert_eq!(refusal(Tier::Neon), Some(TierErrorReason::MissingFeature(Feature::Neon)), "{}", ty.name);
            assert_eq!(refusal(Tier::Scalar), None, "{}", ty.name);
        }
    }
    assert!(cpu::Neon::detect().is_none());
    assert!(cpu::Sha2::detect().is_none() && cpu::Sha512::detect().is_none() && cpu::Sha3::detect().is_none());
}

#[test]
fn other_features_do_not_stand_for_those_of_a_tier() {
    for missing in [Feature::Sha2, Feature::Sha512, Feature::Sha3] {
        let others: Vec<Feature> = Feature::ALL.into_iter().filter(|feature| *feature != missing).collect();
        let _masked = Masked::to(&others);
        for ty in TYPES {
            let Some((tier, _)) = ty.tiers.iter().find(|(_, needed)| needed.contains(&missing)) else { continue };
            assert_ne!((ty.automatic)().0, *tier, "{}", ty.name);
            assert_eq!((ty.with_ce)(), None, "{}", ty.name);
            let error = (ty.forced)(*tier).unwrap_err();
            assert_eq!((error.algorithm, error.tier), (ty.name, *tier));
            if cpu::Neon::detect().is_some() {
                assert_eq!(error.reason, TierErrorReason::MissingFeature(missing), "{}", ty.name);
            }
        }
    }
}

#[test]
fn under_every_set_of_features_the_preferred_tier_serves() {
    for features in feature_sets() {
        let _masked = Masked::to(&features);
        for ty in TYPES {
            let (_, digest) = (ty.forced)(Tier::Generic).unwrap();
            let (best, by_best) = (ty.automatic)();
            let preferred = ty.tiers.iter().map(|(tier, _)| *tier).find(|tier| expected(ty, *tier).is_ok());
            assert_eq!(best, preferred.unwrap_or(Tier::Generic), "{} with {features:?}", ty.name);
            assert_eq!(by_best, digest, "{} with {features:?}", ty.name);
            for tier in Tier::ALL {
                match (expected(ty, tier), (ty.forced)(tier)) {
                    (Ok(()), answer) => assert_eq!(answer, Ok((tier, digest.clone())), "{}", ty.name),
                    (Err(reason), answer) => {
                        assert_eq!(answer, Err(TierError { algorithm: ty.name, tier, reason }));
                    }
                }
            }
        }
    }
}

/// Kernels for several messages are chosen by an order of their own.
#[test]
fn several_messages_have_the_same_digests_under_every_set_of_features() {
    let digests: Vec<_> = TYPES.iter().map(|ty| (ty.many)()).collect();
    for features in feature_sets() {
        let _masked = Masked::to(&features);
        for (ty, digests) in TYPES.iter().zip(&digests) {
            assert_eq!((ty.many)(), *digests, "{} with {features:?}", ty.name);
        }
    }
}

#[test]
fn with_all_features_a_digest_is_that_of_the_standards() {
    let _masked = Masked::to(&Feature::ALL);
    // FIPS 180-4's example, and RFC 7693, appendices A and B.
    assert_eq!(Sha256::new().chain_update(b"abc").finalize()[..4], [0xba, 0x78, 0x16, 0xbf]);
    assert_eq!(Sha512::new().chain_update(b"abc").finalize()[..4], [0xdd, 0xaf, 0x35, 0xa1]);
    assert_eq!(Blake2b512::new().chain_update(b"abc").finalize()[..4], [0xba, 0x80, 0xa5, 0x3f]);
    assert_eq!(Blake2s256::new().chain_update(b"abc").finalize()[..4], [0x50, 0x8c, 0x5e, 0x8c]);
}

#[test]
fn a_token_reaches_its_kernel() {
    let _masked = Masked::to(&Feature::ALL);
    for ty in TYPES {
        if let Some(token) = cpu::Neon::detect() {
            assert_eq!((ty.with_neon)(token), Tier::Neon, "{}", ty.name);
        }
        if let Some(tier) = (ty.with_ce)() {
            assert_eq!(tier, Tier::Ce, "{}", ty.name);
        }
    }
}

/// A running hash that its kernels for several messages continue, by the variant's name.
type Continued = fn(&str) -> Result<Tier, TierError>;

#[test]
fn a_kernel_for_several_messages_is_refused_without_its_features() {
    let functions: [(&str, Continued); 4] = [
        ("blake2b", |variant| {
            let mut hash = Blake2b512::new();
            hash.set_variant(variant).map(|()| hash.tier())
        }),
        ("blake2bp", |variant| {
            let mut hash = Blake2bp::<U64>::new();
            hash.set_variant(variant).map(|()| hash.tier())
        }),
        ("blake2s", |variant| {
            let mut hash = Blake2s256::new();
            hash.set_variant(variant).map(|()| hash.tier())
        }),
        ("blake2sp", |variant| {
            let mut hash = Blake2sp::<U32>::new();
            hash.set_variant(variant).map(|()| hash.tier())
        }),
    ];
    for features in feature_sets() {
        let _masked = Masked::to(&features);
        for (name, continued) in functions {
            let family = name.trim_end_matches('p');
            for (variant, tier, needed) in
                [("neon_x2", NEON.0, NEON.1), ("neon_x4", NEON.0, NEON.1), ("ce_x2", SHA3.0, SHA3.1)]
            {
                let kernel = kernels::ALL.iter().copied().flatten().find(|kernel| {
                    kernel.contract.algorithm == family && kernel.variant == variant && kernel.entry.is_some()
                });
                let reason = match kernel {
                    None => Some(TierErrorReason::NoKernel),
                    Some(_) => cpu::detect().missing(needed).map(TierErrorReason::MissingFeature),
                };
                let answer = match reason {
                    None => Ok(tier),
                    Some(reason) => Err(TierError { algorithm: name, tier, reason }),
                };
                assert_eq!(continued(variant), answer, "{variant} with {features:?}");
            }
        }
    }
}

#[test]
fn the_kernel_table_is_consistent() {
    let mut names = std::collections::BTreeSet::new();
    for kernel in kernels::ALL.iter().copied().flatten() {
        assert_eq!(kernel.contract.validate(), Ok(()), "{}", kernel.name);
        assert!(names.insert((kernel.architecture, kernel.name)), "{} occurs twice", kernel.name);
        assert_eq!(kernel.name, format!("{}_{}", kernel.contract.algorithm.replace('-', "_"), kernel.variant));
        assert!(kernel.variant.starts_with(kernel.tier.name()));
        assert!(kernel.stack <= 512, "{} uses {} bytes of stack", kernel.name, kernel.stack);
        let here = Architecture::current() == Some(kernel.architecture);
        assert_eq!(kernel.entry.is_some(), here, "{}", kernel.name);
    }
}

/// What is dispatched is what the table says: the same tiers, with the same features.
#[test]
fn the_kernel_table_has_every_tier_that_is_dispatched() {
    for ty in TYPES {
        let family = match ty.name {
            "sha224" => "sha256",
            "sha384" | "sha512-224" | "sha512-256" => "sha512",
            name => name.trim_end_matches('p'),
        };
        let table = kernels::ALL.iter().find(|table| table[0].contract.algorithm == family).unwrap();
        for kernel in table.iter().filter(|kernel| kernel.entry.is_some()) {
            let tier = ty.tiers.iter().find(|(tier, _)| *tier == kernel.tier);
            assert_eq!(tier.map(|(_, needed)| *needed), Some(kernel.features), "{} for {}", kernel.name, ty.name);
        }
        for (tier, _) in ty.tiers {
            assert!(table.iter().any(|kernel| kernel.tier == *tier && kernel.variant == tier.name()), "{}", ty.name);
        }
    }
}
