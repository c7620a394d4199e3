//! The choice of a kernel by what the CPU has.

use cipher::{KeyIvInit, StreamCipher};
use digest::consts::{U32, U64};
use vambrace::cpu::{self, Features};
use vambrace::kernels::{Architecture, Feature};
use vambrace::speck64::{Speck64_96Xts, Speck64_128Xts};
use vambrace::speck128::{Speck128_128Xts, Speck128_192Xts, Speck128_256Xts};
use vambrace::{
    Aes128Xts, Aes256Xts, Blake2b512, Blake2bp, Blake2s256, Blake2sp, Digest, Salsa8, Salsa12, Salsa20, Sha224, Sha256,
    Sha384, Sha512, Sha512_224, Sha512_256, Tier, TierError, TierErrorReason, XSalsa8, XSalsa12, XSalsa20,
};
use vambrace_harness::{Context, Failure, Outcome};

use crate::KernelSubjects;

/// The check's name.
pub const NAME: &str = "dispatch";

/// What it looks for.
pub const LOOKS_FOR: &str = "forced tiers that hash wrongly, fall back silently, or are refused without naming the missing \
    feature, automatic dispatch that takes another tier than the best there is, and detection that reports another CPU model, \
    for every set of features that this CPU can be made to look like";

/// Published bugs that it would have caught.
pub const SEEN_IN: &str = "libgcrypt 6b6bfd57 (HWCAP2 bits taken for masks) and 1e72c50f (NEON symbol called without NEON), \
    wolfSSL 11123 (SHA-3 instructions on a core without them)";

/// The tier that says it was used, and the digest of [`MESSAGE`].
type Hashed = (Tier, Vec<u8>);

/// A public type whose kernels are dispatched.
struct Dispatched {
    /// As in a kernel's contract: the types of one family share kernels.
    family: &'static str,
    name: &'static str,
    /// By a forced tier.
    forced: fn(Tier) -> Result<Hashed, TierError>,
    /// By automatic dispatch.
    automatic: fn() -> Hashed,
    digest: &'static str,
}

/// Two blocks, the second of padding: FIPS 180-2 appendix B.2.
const MESSAGE: &[u8] = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";

macro_rules! dispatched {
    ($family:literal, $name:literal, $type:ty, $digest:literal) => {
        Dispatched {
            family: $family,
            name: $name,
            forced: |tier| {
                <$type>::with_tier(tier).map(|hash| (hash.tier(), hash.chain_update(MESSAGE).finalize().to_vec()))
            },
            automatic: || (<$type>::new().tier(), <$type>::digest(MESSAGE).to_vec()),
            digest: $digest,
        }
    };
}

/// A stream cipher: 80 bytes of its key stream, so that a partial block is left.
macro_rules! stream {
    ($name:literal, $type:ty, nonce $nonce:literal, $stream:literal) => {
        Dispatched {
            family: "salsa20",
            name: $name,
            forced: |tier| {
                let mut cipher = <$type>::new(&counting::<32>().into(), &counting::<$nonce>().into());
                cipher.set_tier(tier)?;
                Ok((cipher.tier(), key_stream(&mut cipher)))
            },
            automatic: || {
                let mut cipher = <$type>::new(&counting::<32>().into(), &counting::<$nonce>().into());
                (cipher.tier(), key_stream(&mut cipher))
            },
            digest: $stream,
        }
    };
}

/// A cipher in XTS mode: a data unit of 37 bytes, so that ciphertext is stolen; it must decrypt again.
macro_rules! xts {
    ($family:literal, $name:literal, $type:ty, $ciphertext:literal) => {
        Dispatched {
            family: $family,
            name: $name,
            forced: |tier| {
                let key = counting::<{ <$type>::KEY_BYTES }>();
                let Ok(mut cipher) = <$type>::new(&key) else { return Ok((tier, b"the key is refused".to_vec())) };
                cipher.set_tier(tier)?;
                let (encrypt, decrypt) = (cipher.clone(), cipher.clone());
                let tweak = counting::<{ <$type>::BLOCK_BYTES }>();
                let there = |data: &mut [u8]| encrypt.encrypt(&tweak, data).is_ok();
                let back = |data: &mut [u8]| decrypt.decrypt(&tweak, data).is_ok();
                Ok((cipher.tier(), data_unit(there, back)))
            },
            automatic: || {
                let key = counting::<{ <$type>::KEY_BYTES }>();
                let Ok(cipher) = <$type>::new(&key) else { return (Tier::Generic, b"the key is refused".to_vec()) };
                let tweak = counting::<{ <$type>::BLOCK_BYTES }>();
                let there = |data: &mut [u8]| cipher.encrypt(&tweak, data).is_ok();
                let back = |data: &mut [u8]| cipher.decrypt(&tweak, data).is_ok();
                (cipher.tier(), data_unit(there, back))
            },
            digest: $ciphertext,
        }
    };
}

/// The bytes 0, 1, 2 …
const fn counting<const BYTES: usize>() -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    let mut i = 0;
    while i < BYTES {
        bytes[i] = i as u8;
        i += 1;
    }
    bytes
}

fn key_stream(cipher: &mut impl StreamCipher) -> Vec<u8> {
    let mut data = vec![0; 80];
    match cipher.try_apply_keystream(&mut data) {
        Ok(()) => data,
        Err(error) => error.to_string().into_bytes(),
    }
}

fn data_unit(encrypt: impl Fn(&mut [u8]) -> bool, decrypt: impl Fn(&mut [u8]) -> bool) -> Vec<u8> {
    let plain: Vec<u8> = (100..137).collect();
    let mut data = plain.clone();
    if !encrypt(&mut data) {
        return b"encryption is refused".to_vec();
    }
    let ciphertext = data.clone();
    if decrypt(&mut data) && data == plain { ciphertext } else { b"decryption does not undo encryption".to_vec() }
}

/// The digests are by Python's `hashlib`; those of SHA-2 are in FIPS 180-2, appendices B to D, too. The key streams are by
/// `pycryptodome` (20 rounds), the ciphertexts of AES by `cryptography`, all others by a few lines of Python that agree with
/// these.
static DISPATCHED: &[Dispatched] = &[
    dispatched!("sha256", "sha224", Sha224, "75388b16512776cc5dba5da1fd890150b0c6455cb4f58b1952522525"),
    dispatched!("sha256", "sha256", Sha256, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
    dispatched!(
        "sha512",
        "sha384",
        Sha384,
        "3391fdddfc8dc7393707a65b1b4709397cf8b1d162af05abfe8f450de5f36bc6b0455a8520bc4e6f5fe95b1fe3c8452b"
    ),
    dispatched!(
        "sha512",
        "sha512",
        Sha512,
        "204a8fc6dda82f0a0ced7beb8e08a41657c16ef468b228a8279be331a703c33596fd15c13b1b07f9aa1d3bea57789ca031ad85c7a71dd70354ec631238ca3445"
    ),
    dispatched!("sha512", "sha512-224", Sha512_224, "e5302d6d54bb242275d1e7622d68df6eb02dedd13f564c13dbda2174"),
    dispatched!("sha512", "sha512-256", Sha512_256, "bde8e1f9f19bb9fd3406c90ec6bc47bd36d8ada9f11880dbc8a22a7078b6a461"),
    dispatched!(
        "blake2b",
        "blake2b",
        Blake2b512,
        "7285ff3e8bd768d69be62b3bf18765a325917fa9744ac2f582a20850bc2b1141ed1b3e4528595acc90772bdf2d37dc8a47130b44f33a02e8730e5ad8e166e888"
    ),
    dispatched!(
        "blake2b",
        "blake2bp",
        Blake2bp<U64>,
        "c5a0341eebb615503e229330e06a3dce8805b434ca758e899e72ac40bac36e637b70098a24ae5c3c4d39a183a43eb974823e3ddb5b09e07ad1e526e905f65bc4"
    ),
    dispatched!("blake2s", "blake2s", Blake2s256, "6f4df5116a6f332edab1d9e10ee87df6557beab6259d7663f3bcd5722c13f189"),
    dispatched!(
        "blake2s",
        "blake2sp",
        Blake2sp<U32>,
        "3d107e42f17c13c82b436ebb651a48def67e7772fa06f4738ee968c7f4d8b48b"
    ),
    stream!("salsa20", Salsa20, nonce 8, "2ead0f5f185729ced672b3a928e454f72fdb44a87b9cd8d219e4ec14aef9c6bc77bf057f5659d7753848f8d3fe769ca5fdd8057d46326990e5f136e2fcb7bb7ca13a2b59d9047b8dbeb93ec4b78ce1a5"),
    stream!("salsa12", Salsa12, nonce 8, "06c9dd540af341e7e77e5d604594247d13accb164c02b45db37d1abdcddb501e7bdf1a99c6ac8ad2d71c14424f03a056acfb41cfbaea8c84881e7fcbf0576c3380db366cbae650b928b3bea595310c3d"),
    stream!("salsa8", Salsa8, nonce 8, "6f305a9a55da5f8a79a7e372135db532d05c6574de2623a23edb4d955062cbd68d9324c1db60747f6713d9d2f9c446a743ba8351e9c7cc064a114dce38de5c5626a168beaf92cf65a474a05cd4a1fef2"),
    stream!("xsalsa20", XSalsa20, nonce 24, "7cb660afdd9ec6468f57dd6d2433f93428fd82cd7386c5471a24d8ad2a525b6e5eff384fc7caa210bb3c8f3e688f4a9752a546df8c253fef17a2679455c7a1e183dbf5d545b0f502b98de0997a66ab43"),
    stream!("xsalsa12", XSalsa12, nonce 24, "f3193a5fe2a995e1601120f445a6c47b280ca14fdc2b4601a1f634fe4766441a567448b2dfc3cf0d9a0e3652586769ee840a975c0ec46bc17e3f321694c0b744cabe226b3521b869677823441cde3c61"),
    stream!("xsalsa8", XSalsa8, nonce 24, "e0e5c9f7aa4c40bf774c8cf7f24da8298df48e7b5e7a60ff75c5c898c51fdc5ce881c3af35525f501329b5c536ef93a54396a97b8d29e383288495fe71aa921a6030db80564b3d902e184214baf0aa55"),
    xts!(
        "aes-xts",
        "aes128-xts",
        Aes128Xts,
        "045bc69575e1c0e74914c693fadfae07cc413bf5026ae9ef98e264f91f458d56722868f1bf"
    ),
    xts!(
        "aes-xts",
        "aes256-xts",
        Aes256Xts,
        "d79b0cf80d2ec042aed43f373130d6526f3fe9cf954da6fbf0fe695295f9cfe1a2330bcab2"
    ),
    xts!(
        "speck128-xts",
        "speck128/128-xts",
        Speck128_128Xts,
        "4b1ad4e35d73c9568711c3cd2392e635c7471b4fcb7eac657f404c0a87bc208fab8e4b05b0"
    ),
    xts!(
        "speck128-xts",
        "speck128/192-xts",
        Speck128_192Xts,
        "4f3ebdffb21479b20d26ec10b84bc1e5551541f4bcfe7266d7dba9f7b041114c61f4618759"
    ),
    xts!(
        "speck128-xts",
        "speck128/256-xts",
        Speck128_256Xts,
        "a360b7f2f72546e7165057420d3d717221deab10a3c63a4307bada7d09609bdc8c15d74e24"
    ),
    xts!(
        "speck64-xts",
        "speck64/96-xts",
        Speck64_96Xts,
        "1a6089f2891563d2528446f22a4cd98d00704a2dcb0dd2d3d31c6c4e2b742f7fa355603069"
    ),
    xts!(
        "speck64-xts",
        "speck64/128-xts",
        Speck64_128Xts,
        "8dc9f4fcdb243c7ecf0796746f57ac8c3f1940f3be356f6faea305e94123f12743f586bef5"
    ),
];

/// The tiers of a family in the order in which they should be chosen on this architecture: by `docs/speed.md`, which is
/// where the library's own order comes from. A tier that is not named is never chosen where another can be had.
fn preference(family: &str) -> &'static [Tier] {
    match (family, Architecture::current()) {
        // Without SHA-512 instructions, vectorised schedules win on no in-order core and tie on others.
        ("sha512", Some(Architecture::Aarch64)) => &[Tier::Ce, Tier::Scalar],
        // One message is bound by latency; vectors pay with several.
        ("blake2b" | "blake2s", Some(Architecture::Aarch64)) => &[Tier::Scalar],
        ("blake2s", Some(Architecture::Arm)) => &[Tier::Scalar],
        // FEAT_SHA3 has no rotation of 32-bit words.
        ("speck64-xts", Some(Architecture::Aarch64)) => &[Tier::Neon, Tier::Scalar],
        _ => &[Tier::Ce, Tier::Neon, Tier::Scalar],
    }
}

/// A list of features as on a command line: names joined by `,` or `+`, or `none`.
///
/// # Errors
/// A sentence that names the unknown feature and those that exist.
pub fn parse_features(list: &str) -> Result<Features, String> {
    if list == "none" {
        return Ok(Features::NONE);
    }
    list.split([',', '+']).try_fold(Features::NONE, |features, name| {
        let feature = Feature::ALL.into_iter().find(|feature| feature.name() == name).ok_or_else(|| {
            let known = Feature::ALL.map(Feature::name).join(", ");
            format!("unknown CPU feature {name:?}; the features are {known}, joined by '+', or 'none'")
        })?;
        Ok(features.with(feature))
    })
}

/// A set of features as [`parse_features`] reads it.
pub fn format_features(features: Features) -> String {
    let names: Vec<&str> = features.iter().map(Feature::name).collect();
    if names.is_empty() { "none".to_owned() } else { names.join("+") }
}

/// Detection as the command line wants it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Detection {
    /// Detection sees only these.
    pub mask: Option<Features>,
    /// What detection must see then.
    pub expected: Option<Features>,
}

impl Detection {
    /// Puts the mask of the run in force.
    pub fn apply(&self) {
        match self.mask {
            Some(mask) => cpu::verify::mask(mask),
            None => cpu::verify::unmask(),
        }
    }
}

/// Runs the check on a row of the matrix.
///
/// Case 0 compares detection with what is expected; case 1 + n looks at the CPU with the n-th subset of its features.
pub fn run(row: &KernelSubjects, rows: &[KernelSubjects], detection: &Detection, context: &Context) -> Outcome {
    let outcome = judge(row, rows, detection, context);
    detection.apply();
    outcome
}

fn judge(row: &KernelSubjects, rows: &[KernelSubjects], detection: &Detection, context: &Context) -> Outcome {
    let family = family(row);
    let types: Vec<&Dispatched> = DISPATCHED.iter().filter(|dispatched| dispatched.family == family).collect();
    if types.is_empty() {
        return Outcome::None { reason: format!("no public type dispatches to the kernels of {family}") };
    }
    let fail = |case, what: String| Outcome::from(Failure::new(context, &row.name, NAME, case, what));
    let mut cases = 0;
    let wanted = |case| context.only_case.is_none_or(|only| only == case);

    let detected = cpu::detect();
    if wanted(0) {
        if let Some(expected) = detection.expected.filter(|&expected| expected != detected) {
            let (saw, has) = (format_features(detected), format_features(expected));
            return fail(0, format!("detection reports {saw}, but this CPU model has {has}"));
        }
        if let Err(what) = availability(row, detected).and_then(|()| auxiliary_vector()) {
            return fail(0, what);
        }
        cases += 1;
    }

    let present: Vec<Feature> = detected.iter().collect();
    for subset in 0..1u64 << present.len() {
        if !wanted(1 + subset) {
            continue;
        }
        let chosen = present.iter().enumerate().filter(|(bit, _)| subset >> bit & 1 != 0);
        let mask = chosen.fold(Features::NONE, |features, (_, &feature)| features.with(feature));
        cpu::verify::mask(mask);
        if cpu::detect() != mask {
            let saw = format_features(cpu::detect());
            return fail(1 + subset, format!("masked to {}, detection reports {saw}", format_features(mask)));
        }
        for dispatched in &types {
            let judged = forced(row, dispatched, mask).and_then(|()| automatic(rows, dispatched, mask));
            if let Err(what) = judged {
                return fail(1 + subset, format!("on a CPU with {}: {what}", format_features(mask)));
            }
        }
        cases += 1;
    }
    Outcome::Pass { cases, left_out: Vec::new() }
}

/// What the auxiliary vector of an ARMv7 process says, made up: no CPU model of QEMU has some of these features without the others.
///
/// The bits are those of Linux' `arch/arm/include/uapi/asm/hwcap.h`.
fn auxiliary_vector() -> Result<(), String> {
    const NEON: u32 = 12;
    const SECOND: [(u32, Feature); 3] = [(0, Feature::Aes), (1, Feature::Pmull), (3, Feature::Sha2)];
    let single = || (0..32).map(|bit| 1usize << bit);
    let first = || [0, u32::MAX as usize, u32::MAX as usize ^ 1 << NEON].into_iter().chain(single());
    // Every combination of the bits that are next to each other, and each of the others.
    let second = || (0..64).chain(single()).chain([u32::MAX as usize]);
    for (hwcap, hwcap2) in first().flat_map(|hwcap| second().map(move |hwcap2| (hwcap, hwcap2))) {
        let has = |word: usize, bit: u32| word & 1 << bit != 0;
        let mut expected = Features::NONE;
        if has(hwcap, NEON) {
            expected = expected.with(Feature::Neon);
            for (_, feature) in SECOND.iter().filter(|(bit, _)| has(hwcap2, *bit)) {
                expected = expected.with(*feature);
            }
        }
        let saw = Features::from_arm_hwcap(hwcap, hwcap2);
        if saw != expected {
            let (saw, has) = (format_features(saw), format_features(expected));
            return Err(format!("AT_HWCAP {hwcap:#x} and AT_HWCAP2 {hwcap2:#x} are taken for {saw}, but say {has}"));
        }
    }
    Ok(())
}

/// The algorithm of the row's contract.
fn family(row: &KernelSubjects) -> &str {
    match row.kernel {
        Some(kernel) => kernel.contract.algorithm,
        None => row.name.strip_suffix("_generic").unwrap_or(&row.name),
    }
}

fn needs(row: &KernelSubjects) -> &'static [Feature] {
    row.kernel.map_or(&[], |kernel| kernel.features)
}

/// The first of the features needed that is not in a set; not by the library's own answer, which is judged.
fn lacking(features: Features, needed: &[Feature]) -> Option<Feature> {
    needed.iter().copied().find(|&feature| features.with(feature) != features)
}

/// The row's own error must name what is missing, and there must be none if nothing is.
fn availability(row: &KernelSubjects, features: Features) -> Result<(), String> {
    match (&row.available, lacking(features, needs(row))) {
        (Ok(()), None) => Ok(()),
        (Err(error), Some(_)) if names_a_missing_feature(error, row, features) => Ok(()),
        (Ok(()), Some(missing)) => Err(format!("the kernel is on offer although the CPU lacks {missing}")),
        (Err(error), None) => Err(format!("the kernel is refused although the CPU has all it needs: {error}")),
        (Err(error), Some(missing)) => Err(format!("the error does not name the missing {missing}: {error}")),
    }
}

fn names_a_missing_feature(error: &str, row: &KernelSubjects, features: Features) -> bool {
    needs(row).iter().any(|&feature| !features.contains(feature) && error.contains(feature.name()))
}

fn forced(row: &KernelSubjects, dispatched: &Dispatched, features: Features) -> Result<(), String> {
    let (name, tier) = (dispatched.name, row.tier);
    match ((dispatched.forced)(tier), lacking(features, needs(row))) {
        (Ok((used, digest)), None) => {
            if used != tier {
                return Err(format!("{name} was asked for tier {tier} and silently used {used}"));
            }
            compare(name, tier, dispatched, &digest)
        }
        (Ok(_), Some(missing)) => Err(format!("{name} offers tier {tier} although {missing} is missing")),
        (Err(error), None) => Err(format!("{name} refuses tier {tier} although nothing is missing: {error}")),
        (Err(error), Some(_)) => match error.reason {
            TierErrorReason::MissingFeature(feature)
                if !features.contains(feature) && needs(row).contains(&feature) =>
            {
                Ok(())
            }
            _ => Err(format!("{name} refuses tier {tier} for a wrong reason: {error}")),
        },
    }
}

fn automatic(rows: &[KernelSubjects], dispatched: &Dispatched, features: Features) -> Result<(), String> {
    let usable = |tier: &&Tier| {
        rows.iter().any(|row| {
            family(row) == dispatched.family && row.tier == **tier && lacking(features, needs(row)).is_none()
        })
    };
    let best = preference(dispatched.family).iter().find(usable).copied().unwrap_or(Tier::Generic);
    let (tier, digest) = (dispatched.automatic)();
    if tier != best {
        return Err(format!("{} dispatches to tier {tier}, but {best} is the best there is", dispatched.name));
    }
    compare(dispatched.name, tier, dispatched, &digest)
}

fn compare(name: &str, tier: Tier, dispatched: &Dispatched, digest: &[u8]) -> Result<(), String> {
    if hex::encode(digest) == dispatched.digest {
        Ok(())
    } else {
        Err(format!("{name} in tier {tier} gives {}, not {}", hex::encode(digest), dispatched.digest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vambrace_harness::Budget;

    fn row(
        tier: Tier,
        kernel: Option<&'static vambrace::kernels::Kernel>,
        available: Result<(), String>,
    ) -> KernelSubjects {
        let name = kernel.map_or("sha256_generic", |kernel| kernel.name).to_owned();
        KernelSubjects { name, tier, kernel, subjects: Vec::new(), available }
    }

    fn kernel(name: &str) -> &'static vambrace::kernels::Kernel {
        vambrace::kernels::ALL.iter().copied().flatten().find(|kernel| kernel.name == name).unwrap()
    }

    #[test]
    fn feature_lists_read_back() {
        for list in ["none", "neon", "neon+aes+pmull+sha2"] {
            assert_eq!(format_features(parse_features(list).unwrap()), list);
        }
        assert_eq!(parse_features("neon,sha2"), parse_features("neon+sha2"));
        let error = parse_features("neon+sse2").unwrap_err();
        assert!(error.contains("\"sse2\"") && error.contains("pmull"), "{error}");
    }

    #[test]
    fn an_offer_without_the_feature_is_seen() {
        let without_sha2 = Features::NONE.with(Feature::Neon);
        let ce = row(Tier::Ce, Some(kernel("sha256_ce")), Ok(()));
        assert!(availability(&ce, without_sha2).unwrap_err().contains("lacks sha2"));
        assert_eq!(availability(&ce, without_sha2.with(Feature::Sha2)), Ok(()));
    }

    #[test]
    fn an_error_must_name_the_missing_feature() {
        let ce = |error: &str| row(Tier::Ce, Some(kernel("sha256_ce")), Err(error.to_owned()));
        let without_sha2 = Features::NONE.with(Feature::Neon);
        assert_eq!(availability(&ce("needs sha2"), without_sha2), Ok(()));
        assert!(availability(&ce("needs neon"), without_sha2).is_err());
        assert!(availability(&ce("needs sha2"), without_sha2.with(Feature::Sha2)).is_err());
    }

    #[test]
    fn a_silent_fallback_and_a_wrong_choice_are_seen() {
        let falls_back = Dispatched {
            forced: |_| Ok((Tier::Generic, Vec::new())),
            automatic: || (Tier::Generic, Vec::new()),
            ..DISPATCHED[1]
        };
        let all = Features::NONE.with(Feature::Neon).with(Feature::Sha2);
        let rows = [row(Tier::Ce, Some(kernel("sha256_ce")), Ok(()))];
        assert!(forced(&rows[0], &falls_back, all).unwrap_err().contains("silently used generic"));
        assert!(automatic(&rows, &falls_back, all).unwrap_err().contains("ce is the best there is"));
        assert!(forced(&rows[0], &falls_back, Features::NONE).unwrap_err().contains("neon is missing"));
        assert!(automatic(&rows, &falls_back, Features::NONE).unwrap_err().contains("gives"));
    }

    #[test]
    fn the_wrong_detection_is_seen() {
        let generic = row(Tier::Generic, None, Ok(()));
        let expected = Features::NONE.with(Feature::Neon).with(Feature::Sha512);
        let detection = Detection { mask: Some(Features::NONE), expected: Some(expected) };
        detection.apply();
        let Outcome::Fail(failure) = run(&generic, &[], &detection, &Context::new(Budget::Quick, 1)) else {
            panic!("a wrong detection passed")
        };
        assert!(failure.what.contains("reports none, but this CPU model has neon+sha512"), "{}", failure.what);
    }
}
