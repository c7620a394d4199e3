//! `drive_digest ALGORITHM IMPLEMENTATION TIER BYTES...`: computes a whole digest of a message of each size, each between
//! a call of `vambrace_count_begin` and one of `vambrace_count_end`, and prints the digests.
//!
//! IMPLEMENTATION is `vambrace`, `vambrace-trait` (as code that is generic over `Digest` calls it), or `sha2` (the crate,
//! for comparison). For `vambrace` in tier `ce_x2` the digests are those of 16 such messages by one call of `digest_many`.
//! What is executed between the two calls is what `docs/speed.md` counts for short messages: everything that `digest` does,
//! with the few instructions that its caller needs. The kernel was chosen by a digest before.

use std::hint::black_box;
use std::process::ExitCode;

use digest::Digest;
use vambrace::cpu::{self, Features};
use vambrace::kernels::Feature;
use vambrace::{Sha256, Tier};

/// How many messages one call of `digest_many` is given.
const MANY: usize = 16;

/// The longest message.
const LONGEST: usize = 1 << 20;

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

/// Where counting begins.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn vambrace_count_begin() {
    black_box("begin");
}

/// Where counting ends.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn vambrace_count_end() {
    black_box("end");
}

fn digests(algorithm: &str, implementation: &str, tier: &str, sizes: &[&str]) -> Result<Vec<Vec<u8>>, String> {
    let sizes = sizes.iter().map(|size| match size.parse() {
        Ok(size) if size <= LONGEST => Ok(size),
        _ => Err(format!("{size:?} is no number of bytes up to {LONGEST}")),
    });
    let sizes = sizes.collect::<Result<Vec<usize>, String>>()?;
    match (algorithm, implementation, tier) {
        ("sha256", "vambrace", "ce_x2") => {
            dispatch_to(Tier::Ce)?;
            let batches = counted(&sizes, |message| {
                let mut outputs = [Default::default(); MANY];
                Sha256::digest_many(black_box(&[message; MANY]), &mut outputs).map(|()| outputs)
            });
            batches.into_iter().map(|batch| Ok(batch.map_err(|error| error.to_string())?.concat())).collect()
        }
        ("sha256", "vambrace", "generic") => {
            let hash = || Sha256::with_tier(Tier::Generic).unwrap_or_default();
            Ok(bytes(counted(&sizes, |message| hash().chain_update(message).finalize())))
        }
        ("sha256", "vambrace", _) => {
            if tier != "auto" {
                dispatch_to(tier.parse().map_err(|error| format!("{tier:?}: {error}"))?)?;
            }
            Ok(bytes(counted(&sizes, |message| Sha256::digest(message))))
        }
        ("sha256", "vambrace-trait", "auto") => {
            Ok(bytes(counted(&sizes, |message| <Sha256 as Digest>::digest(message))))
        }
        ("sha256", "sha2", "auto") => Ok(bytes(counted(&sizes, |message| sha2::Sha256::digest(message)))),
        ("sha256", "vambrace-trait" | "sha2", _) => Err(format!("{implementation} has tier auto only, not {tier:?}")),
        ("sha256", _, _) => {
            Err(format!("unknown implementation {implementation:?}; there are vambrace, vambrace-trait and sha2"))
        }
        _ => Err(format!("unknown algorithm {algorithm:?}; there is sha256")),
    }
}

/// Lets detection see no more than a tier needs, so that automatic dispatch picks it.
fn dispatch_to(tier: Tier) -> Result<(), String> {
    let needed: &[Feature] = match tier {
        Tier::Generic | Tier::Scalar => &[],
        Tier::Neon => &[Feature::Neon],
        Tier::Ce => &Feature::ALL,
    };
    cpu::verify::mask(needed.iter().fold(Features::NONE, |features, feature| features.with(*feature)));
    match Sha256::new().tier() {
        chosen if chosen == tier => Ok(()),
        chosen => Err(format!("automatic dispatch picks {chosen} here, not {tier}")),
    }
}

fn bytes(digests: Vec<impl AsRef<[u8]>>) -> Vec<Vec<u8>> {
    digests.iter().map(|digest| digest.as_ref().to_vec()).collect()
}

fn counted<O>(sizes: &[usize], digest: impl Fn(&[u8]) -> O) -> Vec<O> {
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
