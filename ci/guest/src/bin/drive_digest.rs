//! `drive_digest ALGORITHM IMPLEMENTATION TIER BYTES...`: computes a whole digest of a message of each size, each between
//! a call of `vambrace_count_begin` and one of `vambrace_count_end`, and prints the digests.
//!
//! ALGORITHM is `sha256`, `sha512`, `blake2b` or `blake2s`, with digests of the greatest length. IMPLEMENTATION is
//! - `digest`: the library's inherent `digest`. Detection is masked so that automatic dispatch picks TIER;
//! - `with-tier`: `with_tier(TIER)`, `update`, `finalize`, for tiers that automatic dispatch does not pick;
//! - `digest-many`: 16 such messages by one call of the library's `digest_many`, masked as for `digest`;
//! - `trait`: `<Hash as Digest>::digest` of the library, as code that is generic over `Digest` calls it, masked likewise;
//! - `crate`: `Digest::digest` of the RustCrypto crate, for comparison, under its own detection; TIER is `auto`.
//!
//! What is executed between the two calls is what `docs/speed.md` counts for short messages: everything that `digest` does,
//! with the few instructions that its caller needs. The kernel was chosen by a digest before.

use std::hint::black_box;
use std::process::ExitCode;

use digest::{Digest, Output};
use vambrace::{Blake2b512, Blake2s256, LaneCountError, Sha256, Sha512, Tier, TierError};
use vambrace_verify::counting::mask;

/// How many messages one call of `digest_many` is given.
const MANY: usize = 16;

/// The longest message.
const LONGEST: usize = 1 << 16;

/// A hash of the library.
trait Hash: Digest + Sized {
    fn inherent_digest(message: &[u8]) -> Output<Self>;
    fn with_tier(tier: Tier) -> Result<Self, TierError>;
    fn tier(&self) -> Tier;
    fn digest_many(messages: &[&[u8]], outputs: &mut [Output<Self>]) -> Result<(), LaneCountError>;
}

macro_rules! hash {
    ($($hash:ty),*) => {
        $(impl Hash for $hash {
            #[inline]
            fn inherent_digest(message: &[u8]) -> Output<Self> {
                <$hash>::digest(message)
            }
            #[inline]
            fn with_tier(tier: Tier) -> Result<Self, TierError> {
                <$hash>::with_tier(tier)
            }
            fn tier(&self) -> Tier {
                <$hash>::tier(self)
            }
            #[inline]
            fn digest_many(messages: &[&[u8]], outputs: &mut [Output<Self>]) -> Result<(), LaneCountError> {
                <$hash>::digest_many(messages, outputs)
            }
        })*
    };
}

hash!(Sha256, Sha512, Blake2b512, Blake2s256);

vambrace_verify::marks!();

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let [algorithm, implementation, tier, ref sizes @ ..] = arguments[..] else {
        eprintln!("usage: drive_digest ALGORITHM IMPLEMENTATION TIER BYTES...");
        return ExitCode::from(2);
    };
    match digests(algorithm, implementation, tier, sizes) {
        Ok(digests) => {
            digests.iter().for_each(|digest| println!("{}", hex::encode(digest)));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("drive_digest: {error}");
            ExitCode::FAILURE
        }
    }
}

fn digests(algorithm: &str, implementation: &str, tier: &str, sizes: &[&str]) -> Result<Vec<Vec<u8>>, String> {
    let sizes = sizes.iter().map(|size| match size.parse() {
        Ok(size) if size <= LONGEST => Ok(size),
        _ => Err(format!("{size:?} is no number of bytes up to {LONGEST}")),
    });
    let sizes = sizes.collect::<Result<Vec<usize>, String>>()?;
    match algorithm {
        "sha256" => of::<Sha256, sha2::Sha256>(implementation, tier, &sizes),
        "sha512" => of::<Sha512, sha2::Sha512>(implementation, tier, &sizes),
        "blake2b" => of::<Blake2b512, blake2::Blake2b512>(implementation, tier, &sizes),
        "blake2s" => of::<Blake2s256, blake2::Blake2s256>(implementation, tier, &sizes),
        _ => Err(format!("unknown algorithm {algorithm:?}; there are sha256, sha512, blake2b and blake2s")),
    }
}

/// The digests by the library's type, or by the crate's.
fn of<H: Hash, C: Digest>(implementation: &str, tier: &str, sizes: &[usize]) -> Result<Vec<Vec<u8>>, String> {
    if implementation == "crate" {
        return match tier {
            "auto" => Ok(bytes(counted(sizes, |message| C::digest(message)))),
            _ => Err(format!("the crate has tier auto only, not {tier:?}")),
        };
    }
    let tier: Tier = tier.parse().map_err(|error| format!("{tier:?}: {error}"))?;
    match implementation {
        "digest" => {
            dispatch_to::<H>(tier)?;
            Ok(bytes(counted(sizes, H::inherent_digest)))
        }
        "trait" => {
            dispatch_to::<H>(tier)?;
            Ok(bytes(counted(sizes, |message| <H as Digest>::digest(message))))
        }
        "with-tier" => {
            H::with_tier(tier).map_err(|error| error.to_string())?;
            let digests = counted(sizes, |message| Some(H::with_tier(tier).ok()?.chain_update(message).finalize()));
            digests.into_iter().map(|digest| Ok(digest.ok_or("the tier was there a moment ago")?.to_vec())).collect()
        }
        "digest-many" => {
            mask(tier);
            let batches = counted(sizes, |message| {
                let mut outputs: [Output<H>; MANY] = Default::default();
                H::digest_many(black_box(&[message; MANY]), &mut outputs).map(|()| outputs)
            });
            batches.into_iter().map(|batch| Ok(batch.map_err(|error| error.to_string())?.concat())).collect()
        }
        _ => Err(format!(
            "unknown implementation {implementation:?}; there are digest, with-tier, digest-many, trait and crate"
        )),
    }
}

/// Lets detection see no more than a tier needs, so that automatic dispatch picks it.
fn dispatch_to<H: Hash>(tier: Tier) -> Result<(), String> {
    mask(tier);
    match H::new().tier() {
        chosen if chosen == tier => Ok(()),
        chosen => Err(format!("automatic dispatch picks {chosen} here, not {tier}")),
    }
}

fn bytes(digests: Vec<impl AsRef<[u8]>>) -> Vec<Vec<u8>> {
    digests.iter().map(|digest| digest.as_ref().to_vec()).collect()
}

/// Each digest is a call of a function that the compiler does not know here, so that all implementations are called alike.
fn counted<O>(sizes: &[usize], digest: impl Fn(&[u8]) -> O) -> Vec<O> {
    let digest: &dyn Fn(&[u8]) -> O = black_box(&digest);
    let message: Vec<u8> = (0..LONGEST).map(|i| (i % 251) as u8).collect();
    black_box(digest(&message[..1]));
    let mut digests = Vec::new();
    for &size in sizes {
        let message = black_box(&message[..size]);
        vambrace_count_begin();
        let digest = digest(message);
        black_box(&digest);
        vambrace_count_end();
        digests.push(digest);
    }
    digests
}
