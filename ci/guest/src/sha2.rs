//! SHA-2: SHA-224 and SHA-256, and the SHA-512 family.

use std::ops::Range;

use digest::{Digest, FixedOutputReset, Output, Reset};
use vambrace::{Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256, Tier, TierError, TierErrorReason};
use vambrace_harness::subject::{HashSubject, RunningHash};

use crate::{Row, as_arrays};

/// The types of this family, as far as subjects need them.
trait Hash: Digest + FixedOutputReset + Reset + Clone + 'static {
    const NAME: &'static str;
    const MAX_MESSAGE_BYTES: u128;
    const BLOCK_BYTES: u128;
    const STATE_BYTES: usize;
    fn with_tier(tier: Tier) -> Result<Self, TierError>;
    fn with_pair_kernel() -> Result<Self, TierError>;
    fn set_tier(&mut self, tier: Tier) -> Result<(), TierError>;
    fn set_pair_kernel(&mut self) -> Result<(), TierError>;
    fn try_update(&mut self, data: &[u8]) -> Result<(), vambrace::MessageTooLong>;
    fn export_state(&self) -> Vec<u8>;
    fn import_state(state: &[u8]) -> Result<Self, vambrace::StateError>;
    /// From big-endian words; `state` has `STATE_BYTES`, and `count` is a whole number of blocks.
    fn from_chaining_value(state: &[u8], count: u128) -> Result<Self, vambrace::MessageTooLong>;
    /// As big-endian words.
    fn chaining_value(&self) -> (Vec<u8>, u128);
    fn digest_many_auto(messages: &[&[u8]], outputs: &mut [Output<Self>]) -> Result<(), String>;
    fn digest_many(tier: Tier, messages: &[&[u8]], outputs: &mut [Output<Self>]) -> Result<(), String>;
}

macro_rules! hash {
    ($hash:ident, $name:literal, $module:ident of $word:ty) => {
        impl Hash for $hash {
            const NAME: &'static str = $name;
            const MAX_MESSAGE_BYTES: u128 = vambrace::$module::MAX_MESSAGE_BYTES as u128;
            const BLOCK_BYTES: u128 = 16 * size_of::<$word>() as u128;
            const STATE_BYTES: usize = size_of::<[$word; 8]>();
            fn with_tier(tier: Tier) -> Result<Self, TierError> {
                $hash::with_tier(tier)
            }
            fn with_pair_kernel() -> Result<Self, TierError> {
                $hash::with_pair_kernel()
            }
            fn set_tier(&mut self, tier: Tier) -> Result<(), TierError> {
                $hash::set_tier(self, tier)
            }
            fn set_pair_kernel(&mut self) -> Result<(), TierError> {
                $hash::set_pair_kernel(self)
            }
            fn try_update(&mut self, data: &[u8]) -> Result<(), vambrace::MessageTooLong> {
                $hash::try_update(self, data)
            }
            fn export_state(&self) -> Vec<u8> {
                $hash::export_state(self).to_vec()
            }
            fn import_state(state: &[u8]) -> Result<Self, vambrace::StateError> {
                $hash::import_state(state)
            }
            fn from_chaining_value(state: &[u8], count: u128) -> Result<Self, vambrace::MessageTooLong> {
                let words = state.as_chunks().0;
                $hash::from_chaining_value(&std::array::from_fn(|i| <$word>::from_be_bytes(words[i])), count)
            }
            fn chaining_value(&self) -> (Vec<u8>, u128) {
                let (state, count) = $hash::chaining_value(self);
                (state.iter().flat_map(|word| word.to_be_bytes()).collect(), count)
            }
            fn digest_many_auto(messages: &[&[u8]], outputs: &mut [Output<Self>]) -> Result<(), String> {
                $hash::digest_many(messages, outputs).map_err(|error| error.to_string())
            }
            fn digest_many(tier: Tier, messages: &[&[u8]], outputs: &mut [Output<Self>]) -> Result<(), String> {
                $hash::digest_many_with_tier(tier, messages, outputs).map_err(|error| error.to_string())
            }
        }
    };
}

hash!(Sha224, "sha224", sha256 of u32);
hash!(Sha256, "sha256", sha256 of u32);
hash!(Sha384, "sha384", sha512 of u64);
hash!(Sha512, "sha512", sha512 of u64);
hash!(Sha512_224, "sha512-224", sha512 of u64);
hash!(Sha512_256, "sha512-256", sha512 of u64);

/// Calls a generic function for the type of an algorithm's name; `None` for another algorithm.
macro_rules! by_name {
    ($algorithm:expr, $function:ident($($argument:expr),*)) => {
        match $algorithm {
            Sha224::NAME => Some($function::<Sha224>($($argument),*)),
            Sha256::NAME => Some($function::<Sha256>($($argument),*)),
            Sha384::NAME => Some($function::<Sha384>($($argument),*)),
            Sha512::NAME => Some($function::<Sha512>($($argument),*)),
            Sha512_224::NAME => Some($function::<Sha512_224>($($argument),*)),
            Sha512_256::NAME => Some($function::<Sha512_256>($($argument),*)),
            _ => None,
        }
    };
}

/// The names of the algorithms.
pub const NAMES: &[&str] =
    &[Sha224::NAME, Sha256::NAME, Sha384::NAME, Sha512::NAME, Sha512_224::NAME, Sha512_256::NAME];

/// The name of the variant that runs two messages.
const PAIR: &str = "ce_x2";

/// What names a kernel: a tier, or the kernel for two messages.
#[derive(Clone, Copy)]
enum Variant {
    Tier(Tier),
    Pair,
}

impl Variant {
    fn parse(name: &str) -> Result<Variant, String> {
        match name {
            PAIR => Ok(Variant::Pair),
            _ => name
                .parse()
                .map(Variant::Tier)
                .map_err(|_| format!("unknown tier {name:?}; SHA-2 has auto, generic, scalar, neon, ce and {PAIR}")),
        }
    }

    fn start<H: Hash>(self) -> Result<H, String> {
        match self {
            Variant::Tier(tier) => H::with_tier(tier).map_err(|error| error.to_string()),
            Variant::Pair => H::with_pair_kernel().map_err(pair_error),
        }
    }

    fn switch<H: Hash>(self, hash: &mut H) -> Result<(), String> {
        match self {
            Variant::Tier(tier) => hash.set_tier(tier).map_err(|error| error.to_string()),
            Variant::Pair => hash.set_pair_kernel().map_err(pair_error),
        }
    }

    fn digest_many<H: Hash>(self, messages: &[&[u8]], outputs: &mut [Output<H>]) -> Result<(), String> {
        let tier = match self {
            Variant::Tier(tier) => tier,
            // The tier's own choice for several messages is this kernel, where there is one.
            Variant::Pair => H::with_pair_kernel().map(|_| Tier::Ce).map_err(pair_error)?,
        };
        H::digest_many(tier, messages, outputs)
    }
}

fn pair_error(error: TierError) -> String {
    match error.reason {
        TierErrorReason::NoKernel => format!("{} has no kernel {PAIR} on this architecture", error.algorithm),
        _ => error.to_string(),
    }
}

/// Whether this process can run a variant of a kernel's algorithm, or the library's error, and the hash functions that run
/// through it. `None` for another algorithm.
pub fn row(algorithm: &str, variant: &'static str) -> Option<Row> {
    fn subject<H: Hash>(variant: &'static str) -> crate::Subject {
        crate::Subject::Hash(Box::new(Subject::<H>::new(variant)))
    }
    match algorithm {
        "sha256" => Some((available::<Sha256>(variant), vec![subject::<Sha256>(variant), subject::<Sha224>(variant)])),
        "sha512" => Some((
            available::<Sha512>(variant),
            vec![
                subject::<Sha512>(variant),
                subject::<Sha384>(variant),
                subject::<Sha512_224>(variant),
                subject::<Sha512_256>(variant),
            ],
        )),
        _ => None,
    }
}

fn available<H: Hash>(variant: &str) -> Result<(), String> {
    Variant::parse(variant)?.start::<H>().map(drop)
}

/// A running hash of an algorithm of this family in a tier (`auto`, a tier, a variant). `None` for another algorithm.
pub fn start(algorithm: &str, tier: &str) -> Option<Result<Box<dyn RunningHash>, String>> {
    fn started<H: Hash>(tier: &str) -> Result<Box<dyn RunningHash>, String> {
        if tier == "auto" {
            return Ok(Box::new(Running(H::new())));
        }
        let hash = Variant::parse(tier)?.start::<H>()?;
        Ok(Box::new(Running(hash)))
    }
    by_name!(algorithm, started(tier))
}

/// The same from an injected chaining value (8 big-endian words) with `count` message bytes already hashed.
pub fn start_from(
    algorithm: &str,
    tier: &str,
    state: &[u8],
    count: u128,
) -> Option<Result<Box<dyn RunningHash>, String>> {
    fn started<H: Hash>(tier: &str, state: &[u8], count: u128) -> Result<Box<dyn RunningHash>, String> {
        if state.len() != H::STATE_BYTES {
            return Err(format!("a state has {} bytes, but {} were given", H::STATE_BYTES, state.len()));
        }
        if !count.is_multiple_of(H::BLOCK_BYTES) {
            return Err(format!("count must be a multiple of the block size {}, but is {count}", H::BLOCK_BYTES));
        }
        let mut hash = H::from_chaining_value(state, count).map_err(|error| error.to_string())?;
        if tier != "auto" {
            Variant::parse(tier)?.switch(&mut hash)?;
        }
        Ok(Box::new(Running(hash)))
    }
    by_name!(algorithm, started(tier, state, count))
}

/// Bytes of the digest, and the greatest number of bytes that a message may have. `None` for another algorithm.
pub fn sizes(algorithm: &str) -> Option<(usize, u128)> {
    fn of<H: Hash>() -> (usize, u128) {
        (<H as Digest>::output_size(), H::MAX_MESSAGE_BYTES)
    }
    by_name!(algorithm, of())
}

/// The digests of several messages by the kernels of a tier. `None` for another algorithm.
pub fn digest_many(algorithm: &str, tier: &str, messages: &[&[u8]]) -> Option<Result<Vec<Vec<u8>>, String>> {
    fn digests<H: Hash>(tier: &str, messages: &[&[u8]]) -> Result<Vec<Vec<u8>>, String> {
        let mut outputs = vec![Output::<H>::default(); messages.len()];
        if tier == "auto" {
            H::digest_many_auto(messages, &mut outputs)?;
        } else {
            Variant::parse(tier)?.digest_many::<H>(messages, &mut outputs)?;
        }
        Ok(outputs.iter().map(|output| output.to_vec()).collect())
    }
    by_name!(algorithm, digests(tier, messages))
}

struct Subject<H> {
    name: String,
    variant: &'static str,
    hash: std::marker::PhantomData<fn() -> H>,
}

impl<H: Hash> Subject<H> {
    fn new(variant: &'static str) -> Subject<H> {
        Subject { name: format!("{}_{variant}", H::NAME), variant, hash: std::marker::PhantomData }
    }

    fn parsed(&self) -> Variant {
        Variant::parse(self.variant).unwrap_or(Variant::Tier(Tier::Generic))
    }
}

impl<H: Hash> HashSubject for Subject<H> {
    fn name(&self) -> &str {
        &self.name
    }

    fn algorithm(&self) -> &str {
        H::NAME
    }

    fn start(&self) -> Box<dyn RunningHash> {
        match self.parsed().start::<H>() {
            Ok(hash) => Box::new(Running(hash)),
            Err(error) => panic!("{} was started although it is not available: {error}", self.name),
        }
    }

    fn start_from(&self, state: &[u8], count: u128) -> Option<Box<dyn RunningHash>> {
        start_from(H::NAME, self.variant, state, count)?.ok()
    }

    fn import(&self, state: &[u8]) -> Option<Result<Box<dyn RunningHash>, String>> {
        let imported = H::import_state(state).map_err(|error| error.to_string()).and_then(|mut hash| {
            self.parsed().switch(&mut hash)?;
            Ok(Box::new(Running(hash)) as Box<dyn RunningHash>)
        });
        Some(imported)
    }

    /// The version and the algorithm.
    fn state_tag(&self) -> Range<usize> {
        0..2
    }

    fn digest_many(&self, messages: &[&[u8]], outputs: &mut [Vec<u8>]) -> Option<Result<(), String>> {
        Some(as_arrays::<H, _>(outputs, |arrays| self.parsed().digest_many::<H>(messages, arrays)))
    }

    fn tiers(&self) -> Vec<String> {
        let names = Tier::ALL.iter().map(|tier| tier.name()).chain([PAIR]);
        names.filter(|name| available::<H>(name).is_ok()).map(str::to_owned).collect()
    }

    fn message_limit(&self) -> Option<u128> {
        Some(H::MAX_MESSAGE_BYTES)
    }
}

#[derive(Clone)]
struct Running<H>(H);

impl<H: Hash> RunningHash for Running<H> {
    fn update(&mut self, data: &[u8]) {
        Digest::update(&mut self.0, data);
    }

    fn try_update(&mut self, data: &[u8]) -> Option<Result<(), String>> {
        Some(self.0.try_update(data).map_err(|error| error.to_string()))
    }

    fn boxed_clone(&self) -> Box<dyn RunningHash> {
        Box::new(self.clone())
    }

    fn reset(&mut self) {
        Reset::reset(&mut self.0);
    }

    fn finalize(self: Box<Self>) -> Vec<u8> {
        Digest::finalize(self.0).to_vec()
    }

    fn finalize_reset(&mut self) -> Vec<u8> {
        FixedOutputReset::finalize_fixed_reset(&mut self.0).to_vec()
    }

    fn export(&self) -> Option<Vec<u8>> {
        Some(self.0.export_state())
    }

    fn switch_tier(&mut self, tier: &str) -> Option<Result<(), String>> {
        let switched = Variant::parse(tier).and_then(|variant| variant.switch(&mut self.0));
        Some(switched)
    }

    fn chaining_value(&self) -> Option<(Vec<u8>, u128)> {
        Some(self.0.chaining_value())
    }
}
