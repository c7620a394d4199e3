//! The crate `hmac` over every hash of SHA-2: the test cases of RFC 4231, and all vectors of Project Wycheproof.

mod support;

use digest::block_api::BlockSizeUser;
use digest::{Digest, OutputSizeUser};
use hmac::{EagerHash, Hmac, KeyInit, Mac, SimpleHmac};
use vambrace::{Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256, Tier};
use wycheproof::TestResult;
use wycheproof::mac::{Test, TestName, TestSet};

/// Runs a test once for each tier that automatic dispatch takes on some CPU with no more features than this one. `tier` is
/// the one that it takes.
#[cfg(feature = "verify")]
fn under_each_tier(tier: fn() -> Tier, mut test: impl FnMut(Tier)) {
    let mut seen = Vec::new();
    for features in support::masked::feature_sets() {
        let _masked = support::masked::Masked::to(&features);
        if !seen.contains(&tier()) {
            seen.push(tier());
            test(tier());
        }
    }
    assert!(seen.contains(if support::ASSEMBLY { &Tier::Scalar } else { &Tier::Generic }), "{seen:?}");
}

/// Runs a test under the tier that automatic dispatch takes.
#[cfg(not(feature = "verify"))]
fn under_each_tier(tier: fn() -> Tier, mut test: impl FnMut(Tier)) {
    test(tier());
}

/// Whether the MAC takes the case's tag for its message. A tag that is shorter than the MAC's is its beginning.
fn accepts<M: Mac + KeyInit + Clone>(case: &Test, tag_bytes: usize) -> bool {
    let mac = M::new_from_slice(&case.key).unwrap().chain_update(&case.msg[..]);
    let (first, second) = case.msg.split_at(case.msg.len() / 3);
    let in_parts = M::new_from_slice(&case.key).unwrap().chain_update(first).chain_update(second);
    assert_eq!(in_parts.finalize(), mac.clone().finalize(), "case {}", case.tc_id);

    let accepted = mac.clone().verify_truncated_left(&case.tag).is_ok() && case.tag.len() == tag_bytes;
    let whole = tag_bytes == M::output_size();
    assert_eq!(mac.verify_slice(&case.tag).is_ok(), accepted && whole, "case {}", case.tc_id);
    accepted
}

/// Compares `Hmac` and `SimpleHmac` with all cases of a set, and answers how many there were.
fn cases<H: Digest + EagerHash + BlockSizeUser>(set: &TestSet, tier: Tier) -> usize {
    let mut count = 0;
    for group in &set.test_groups {
        let tag_bytes = group.tag_size / 8;
        assert!(tag_bytes <= <H as OutputSizeUser>::output_size());
        for case in &group.tests {
            let valid = match case.result {
                TestResult::Valid => true,
                TestResult::Invalid => false,
                TestResult::Acceptable => panic!("case {}: an HMAC is right or wrong", case.tc_id),
            };
            assert_eq!(accepts::<Hmac<H>>(case, tag_bytes), valid, "Hmac, {tier}: {case:?}");
            assert_eq!(accepts::<SimpleHmac<H>>(case, tag_bytes), valid, "SimpleHmac, {tier}: {case:?}");
            count += 1;
        }
    }
    count
}

/// All cases of a set, which has so many.
fn wycheproof<H: Digest + EagerHash + BlockSizeUser>(tier: fn() -> Tier, name: TestName, expected: usize) {
    let set = TestSet::load(name).unwrap();
    let mut runs = 0;
    under_each_tier(tier, |tier| {
        assert_eq!(cases::<H>(&set, tier), expected, "{tier}");
        runs += 1;
    });
    assert!(runs > 0);
    let shorter = set.test_groups.iter().filter(|group| group.tag_size / 8 < <H as OutputSizeUser>::output_size());
    assert!(shorter.map(|group| group.tests.len()).sum::<usize>() > 80, "tags that are cut off");
}

#[test]
fn hmac_sha224_passes_wycheproof() {
    wycheproof::<Sha224>(|| Sha224::new().tier(), TestName::HmacSha224, 172);
}

#[test]
fn hmac_sha256_passes_wycheproof() {
    wycheproof::<Sha256>(|| Sha256::new().tier(), TestName::HmacSha256, 174);
}

#[test]
fn hmac_sha384_passes_wycheproof() {
    wycheproof::<Sha384>(|| Sha384::new().tier(), TestName::HmacSha384, 174);
}

#[test]
fn hmac_sha512_passes_wycheproof() {
    wycheproof::<Sha512>(|| Sha512::new().tier(), TestName::HmacSha512, 174);
}

#[test]
fn hmac_sha512_224_passes_wycheproof() {
    wycheproof::<Sha512_224>(|| Sha512_224::new().tier(), TestName::HmacSha512_224, 173);
}

#[test]
fn hmac_sha512_256_passes_wycheproof() {
    wycheproof::<Sha512_256>(|| Sha512_256::new().tier(), TestName::HmacSha512_256, 175);
}

/// RFC 4231: test cases 1, 5 (a tag that is cut off) and 6 (a key longer than a block).
fn rfc_4231<H: EagerHash>(short_key: &str, cut_off: &str, long_key: &str) {
    let mac = |key: &[u8], data: &[u8]| Hmac::<H>::new_from_slice(key).unwrap().chain_update(data);
    let tag = |key: &[u8], data: &[u8]| hex::encode(mac(key, data).finalize().into_bytes());
    assert_eq!(tag(&[0x0b; 20], b"Hi There"), short_key);
    assert_eq!(tag(&[0xaa; 131], b"Test Using Larger Than Block-Size Key - Hash Key First"), long_key);

    let cut_off = hex::decode(cut_off).unwrap();
    let mac = mac(&[0x0c; 20], b"Test With Truncation");
    assert!(mac.clone().verify_truncated_left(&cut_off).is_ok());
    assert!(mac.clone().verify_truncated_right(&cut_off).is_err());
    assert!(mac.verify_slice(&cut_off).is_err());
}

#[test]
fn hmac_passes_rfc_4231() {
    rfc_4231::<Sha224>(
        "896fb1128abbdf196832107cd49df33f47b4b1169912ba4f53684b22",
        "0e2aea68a90c8d37c988bcdb9fca6fa8",
        "95e9a0db962095adaebe9b2d6f0dbce2d499f112f2d2b7273fa6870e",
    );
    rfc_4231::<Sha256>(
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
        "a3b6167473100ee06e0c796c2955552b",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    );
    rfc_4231::<Sha384>(
        "afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59cfaea9ea9076ede7f4af152e8b2fa9cb6",
        "3abf34c3503b2a23a46efc619baef897",
        "4ece084485813e9088d2c63a041bc5b44f9ef1012a2b588f3cd11f05033ac4c60c2ef6ab4030fe8296248df163f44952",
    );
    rfc_4231::<Sha512>(
        "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4\
         be9d914eeb61f1702e696c203a126854",
        "415fad6271580a531d4179bc891d87a6",
        "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f3526b56d037e05f2598bd0fd2215d6a1e52\
         95e64f73f63f0aec8b915a985d786598",
    );
}
