//! BLAKE2b and BLAKE2s, and their trees BLAKE2bp and BLAKE2sp.

use std::marker::PhantomData;
use std::ops::Range;

use digest::consts::{U32, U64};
use digest::{Digest, FixedOutputReset, Output, Reset, Update};
use vambrace::blake2b::{self, Blake2b, Blake2bVar, Blake2bp, Blake2bpVar};
use vambrace::blake2s::{self, Blake2s, Blake2sVar, Blake2sp, Blake2spVar};
use vambrace::{ManyError, MessageTooLong, OutputLengthError, ParameterError, StateError, Tier, TierError};
use vambrace_harness::subject::{HashSubject, RunningHash};
use vambrace_reference::oracles::HashParameters;

use crate::{Row, as_arrays};

/// What has kernels of different tiers.
trait Tiered: Update + Reset + Clone + 'static {
    fn set_tier(&mut self, tier: Tier) -> Result<(), TierError>;
    fn set_variant(&mut self, variant: &str) -> Result<(), TierError>;
    fn try_update(&mut self, data: &[u8]) -> Result<(), MessageTooLong>;
}

/// A function: the type of its greatest output length, and the one that takes parameters.
trait Function: 'static {
    const NAME: &'static str;
    /// The variants that run several messages, by any architecture.
    const VARIANTS: &'static [&'static str];
    const MAX_MESSAGE_BYTES: u128;
    type Fixed: Tiered + Digest + FixedOutputReset;
    type Var: Tiered;
    fn var(parameters: &HashParameters<'_>) -> Result<Self::Var, ParameterError>;
    fn output_length(var: &Self::Var) -> usize;
    fn write(var: &mut Self::Var, output: &mut [u8]) -> Result<(), OutputLengthError>;
    fn digest_many(messages: &[&[u8]], outputs: &mut [Output<Self::Fixed>]) -> Result<(), String>;
    fn digest_many_with_tier(
        tier: Tier,
        messages: &[&[u8]],
        outputs: &mut [Output<Self::Fixed>],
    ) -> Result<(), ManyError>;
    fn export(_: &Self::Fixed) -> Option<Vec<u8>> {
        None
    }
    fn import(_: &[u8]) -> Option<Result<Self::Fixed, StateError>> {
        None
    }
    /// From big-endian words.
    fn from_chaining_value(_state: &[u8], _count: u128) -> Option<Result<Self::Fixed, String>> {
        None
    }
    /// As big-endian words.
    fn chaining_value(_: &Self::Fixed) -> Option<(Vec<u8>, u128)> {
        None
    }
}

macro_rules! tiered {
    ($($type:ty),*) => {
        $(impl Tiered for $type {
            fn set_tier(&mut self, tier: Tier) -> Result<(), TierError> {
                <$type>::set_tier(self, tier)
            }
            fn set_variant(&mut self, variant: &str) -> Result<(), TierError> {
                <$type>::set_variant(self, variant)
            }
            fn try_update(&mut self, data: &[u8]) -> Result<(), MessageTooLong> {
                <$type>::try_update(self, data)
            }
        })*
    };
}

tiered!(Blake2b<U64>, Blake2bVar, Blake2bp<U64>, Blake2bpVar, Blake2s<U32>, Blake2sVar, Blake2sp<U32>, Blake2spVar);

macro_rules! function {
    (
        $function:ident, $name:literal, $variants:expr, $module:ident, $fixed:ty, $var:ty
        $(, sequential of $word:ty)?
    ) => {
        struct $function;

        impl Function for $function {
            const NAME: &'static str = $name;
            const VARIANTS: &'static [&'static str] = $variants;
            const MAX_MESSAGE_BYTES: u128 = $module::MAX_MESSAGE_BYTES;
            type Fixed = $fixed;
            type Var = $var;
            fn var(parameters: &HashParameters<'_>) -> Result<$var, ParameterError> {
                let HashParameters { output_bytes, key, salt, personal } = *parameters;
                <$var>::with_parameters(output_bytes, key, salt, personal)
            }
            fn output_length(var: &$var) -> usize {
                var.output_length()
            }
            fn write(var: &mut $var, output: &mut [u8]) -> Result<(), OutputLengthError> {
                var.finalize_into_reset(output)
            }
            fn digest_many(messages: &[&[u8]], outputs: &mut [Output<$fixed>]) -> Result<(), String> {
                <$fixed>::digest_many(messages, outputs).map_err(|error| error.to_string())
            }
            fn digest_many_with_tier(
                tier: Tier,
                messages: &[&[u8]],
                outputs: &mut [Output<$fixed>],
            ) -> Result<(), ManyError> {
                <$fixed>::digest_many_with_tier(tier, messages, outputs)
            }
            $(
                fn export(hash: &$fixed) -> Option<Vec<u8>> {
                    Some(hash.export_state().to_vec())
                }
                fn import(state: &[u8]) -> Option<Result<$fixed, StateError>> {
                    Some(<$fixed>::import_state(state))
                }
                fn from_chaining_value(state: &[u8], count: u128) -> Option<Result<$fixed, String>> {
                    const STATE_BYTES: usize = size_of::<[$word; 8]>();
                    if state.len() != STATE_BYTES {
                        let given = state.len();
                        return Some(Err(format!("a state has {STATE_BYTES} bytes, but {given} were given")));
                    }
                    let block = 16 * size_of::<$word>() as u128;
                    if !count.is_multiple_of(block) {
                        return Some(Err(format!("count must be a multiple of the block size {block}, but is {count}")));
                    }
                    let words = state.as_chunks().0;
                    let words = std::array::from_fn(|i| <$word>::from_be_bytes(words[i]));
                    Some(<$fixed>::from_chaining_value(&words, count).map_err(|error| error.to_string()))
                }
                fn chaining_value(hash: &$fixed) -> Option<(Vec<u8>, u128)> {
                    let (state, count) = hash.chaining_value();
                    Some((state.iter().flat_map(|word| word.to_be_bytes()).collect(), count))
                }
            )?
        }
    };
}

function!(
    OfBlake2b, "blake2b", &["neon_x2", "ce_x2"], blake2b, Blake2b<U64>, Blake2bVar, sequential of u64
);
function!(OfBlake2bp, "blake2bp", &["neon_x2", "ce_x2"], blake2b, Blake2bp<U64>, Blake2bpVar);
function!(OfBlake2s, "blake2s", &["neon_x4"], blake2s, Blake2s<U32>, Blake2sVar, sequential of u32);
function!(OfBlake2sp, "blake2sp", &["neon_x4"], blake2s, Blake2sp<U32>, Blake2spVar);

/// The names of the algorithms.
pub const NAMES: &[&str] = &[OfBlake2b::NAME, OfBlake2s::NAME, OfBlake2bp::NAME, OfBlake2sp::NAME];

/// Calls a generic function for the function of an algorithm's name; `None` for another algorithm.
macro_rules! by_name {
    ($algorithm:expr, $function:ident($($argument:expr),*)) => {
        match $algorithm {
            OfBlake2b::NAME => Some($function::<OfBlake2b>($($argument),*)),
            OfBlake2s::NAME => Some($function::<OfBlake2s>($($argument),*)),
            OfBlake2bp::NAME => Some($function::<OfBlake2bp>($($argument),*)),
            OfBlake2sp::NAME => Some($function::<OfBlake2sp>($($argument),*)),
            _ => None,
        }
    };
}

/// Goes on with a tier, or with a kernel for several messages.
fn switch<F: Function>(hash: &mut impl Tiered, name: &str) -> Result<(), String> {
    if F::VARIANTS.contains(&name) {
        return hash.set_variant(name).map_err(|error| match error.reason {
            vambrace::TierErrorReason::NoKernel => {
                format!("{} has no kernel {name} on this architecture", error.algorithm)
            }
            _ => error.to_string(),
        });
    }
    let tier = name.parse().map_err(|_| {
        let variants = F::VARIANTS.join(", ");
        format!("unknown tier {name:?}; {} has auto, generic, scalar, neon, ce and {variants}", F::NAME)
    })?;
    hash.set_tier(tier).map_err(|error| error.to_string())
}

fn started<F: Function>(tier: &str) -> Result<Box<dyn RunningHash>, String> {
    let mut hash = F::Fixed::new();
    if tier != "auto" {
        switch::<F>(&mut hash, tier)?;
    }
    Ok(Box::new(Fixed::<F>(hash)))
}

fn started_with<F: Function>(tier: &str, parameters: &HashParameters<'_>) -> Result<Box<dyn RunningHash>, String> {
    let mut var = F::var(parameters).map_err(|error| error.to_string())?;
    if tier != "auto" {
        switch::<F>(&mut var, tier)?;
    }
    Ok(Box::new(Var::<F>(var)))
}

fn started_from<F: Function>(tier: &str, state: &[u8], count: u128) -> Result<Box<dyn RunningHash>, String> {
    let hash = F::from_chaining_value(state, count);
    let mut hash = hash.ok_or_else(|| format!("{} cannot be started from a state", F::NAME))??;
    if tier != "auto" {
        switch::<F>(&mut hash, tier)?;
    }
    Ok(Box::new(Fixed::<F>(hash)))
}

fn digests<F: Function>(tier: &str, messages: &[&[u8]]) -> Result<Vec<Vec<u8>>, String> {
    let mut outputs = vec![Output::<F::Fixed>::default(); messages.len()];
    digest_into::<F>(tier, messages, &mut outputs)?;
    Ok(outputs.iter().map(|output| output.to_vec()).collect())
}

fn digest_into<F: Function>(tier: &str, messages: &[&[u8]], outputs: &mut [Output<F::Fixed>]) -> Result<(), String> {
    if tier == "auto" {
        return F::digest_many(messages, outputs);
    }
    // A variant for several messages is its tier's own choice for them; the tier is the beginning of its name.
    switch::<F>(&mut F::Fixed::new(), tier)?;
    let tier = tier.split('_').next().and_then(|tier| tier.parse().ok()).ok_or("a tier without a name")?;
    F::digest_many_with_tier(tier, messages, outputs).map_err(|error| error.to_string())
}

/// Whether this process can run a variant of a kernel's algorithm, or the library's error, and the hash functions that run
/// through it. `None` for another algorithm.
pub fn row(algorithm: &str, variant: &'static str) -> Option<Row> {
    fn subject<F: Function>(variant: &'static str) -> crate::Subject {
        let name = format!("{}_{variant}", F::NAME);
        crate::Subject::Hash(Box::new(Subject::<F> { name, variant, function: PhantomData }))
    }
    fn available<F: Function>(variant: &str) -> Result<(), String> {
        switch::<F>(&mut F::Fixed::new(), variant)
    }
    match algorithm {
        OfBlake2b::NAME => {
            Some((available::<OfBlake2b>(variant), vec![subject::<OfBlake2b>(variant), subject::<OfBlake2bp>(variant)]))
        }
        OfBlake2s::NAME => {
            Some((available::<OfBlake2s>(variant), vec![subject::<OfBlake2s>(variant), subject::<OfBlake2sp>(variant)]))
        }
        _ => None,
    }
}

/// A running hash of an algorithm of this family in a tier (`auto`, a tier, a variant). `None` for another algorithm.
pub fn start(algorithm: &str, tier: &str) -> Option<Result<Box<dyn RunningHash>, String>> {
    by_name!(algorithm, started(tier))
}

/// The same under parameters.
pub fn start_with(
    algorithm: &str,
    tier: &str,
    parameters: &HashParameters<'_>,
) -> Option<Result<Box<dyn RunningHash>, String>> {
    by_name!(algorithm, started_with(tier, parameters))
}

/// The same from an injected chaining value (8 big-endian words) with `count` message bytes already hashed.
pub fn start_from(
    algorithm: &str,
    tier: &str,
    state: &[u8],
    count: u128,
) -> Option<Result<Box<dyn RunningHash>, String>> {
    by_name!(algorithm, started_from(tier, state, count))
}

/// Bytes of the longest digest, and the greatest number of bytes that a message may have. `None` for another algorithm.
pub fn sizes(algorithm: &str) -> Option<(usize, u128)> {
    fn of<F: Function>() -> (usize, u128) {
        (<F::Fixed as Digest>::output_size(), F::MAX_MESSAGE_BYTES)
    }
    by_name!(algorithm, of())
}

/// The digests of several messages by the kernels of a tier. `None` for another algorithm.
pub fn digest_many(algorithm: &str, tier: &str, messages: &[&[u8]]) -> Option<Result<Vec<Vec<u8>>, String>> {
    by_name!(algorithm, digests(tier, messages))
}

struct Subject<F> {
    name: String,
    variant: &'static str,
    function: PhantomData<fn() -> F>,
}

impl<F: Function> HashSubject for Subject<F> {
    fn name(&self) -> &str {
        &self.name
    }

    fn algorithm(&self) -> &str {
        F::NAME
    }

    fn start(&self) -> Box<dyn RunningHash> {
        match started::<F>(self.variant) {
            Ok(hash) => hash,
            Err(error) => panic!("{} was started although it is not available: {error}", self.name),
        }
    }

    fn start_from(&self, state: &[u8], count: u128) -> Option<Box<dyn RunningHash>> {
        started_from::<F>(self.variant, state, count).ok()
    }

    fn start_with(&self, parameters: &HashParameters<'_>) -> Option<Result<Box<dyn RunningHash>, String>> {
        Some(started_with::<F>(self.variant, parameters))
    }

    fn import(&self, state: &[u8]) -> Option<Result<Box<dyn RunningHash>, String>> {
        let imported = F::import(state)?.map_err(|error| error.to_string()).and_then(|mut hash| {
            switch::<F>(&mut hash, self.variant)?;
            Ok(Box::new(Fixed::<F>(hash)) as Box<dyn RunningHash>)
        });
        Some(imported)
    }

    /// The version, the algorithm and the output length.
    fn state_tag(&self) -> Range<usize> {
        0..3
    }

    fn digest_many(&self, messages: &[&[u8]], outputs: &mut [Vec<u8>]) -> Option<Result<(), String>> {
        Some(as_arrays::<F::Fixed, _>(outputs, |arrays| digest_into::<F>(self.variant, messages, arrays)))
    }

    fn tiers(&self) -> Vec<String> {
        let names = Tier::ALL.iter().map(|tier| tier.name()).chain(F::VARIANTS.iter().copied());
        names.filter(|name| switch::<F>(&mut F::Fixed::new(), name).is_ok()).map(str::to_owned).collect()
    }

    fn message_limit(&self) -> Option<u128> {
        Some(F::MAX_MESSAGE_BYTES)
    }
}

struct Fixed<F: Function>(F::Fixed);

impl<F: Function> RunningHash for Fixed<F> {
    fn update(&mut self, data: &[u8]) {
        Update::update(&mut self.0, data);
    }

    fn try_update(&mut self, data: &[u8]) -> Option<Result<(), String>> {
        Some(self.0.try_update(data).map_err(|error| error.to_string()))
    }

    fn boxed_clone(&self) -> Box<dyn RunningHash> {
        Box::new(Fixed::<F>(self.0.clone()))
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
        F::export(&self.0)
    }

    fn switch_tier(&mut self, tier: &str) -> Option<Result<(), String>> {
        Some(switch::<F>(&mut self.0, tier))
    }

    fn chaining_value(&self) -> Option<(Vec<u8>, u128)> {
        F::chaining_value(&self.0)
    }
}

struct Var<F: Function>(F::Var);

impl<F: Function> Var<F> {
    fn write(&mut self) -> Vec<u8> {
        let mut output = vec![0; F::output_length(&self.0)];
        match F::write(&mut self.0, &mut output) {
            Ok(()) => output,
            Err(error) => panic!("a buffer of the output's own length is refused: {error}"),
        }
    }
}

impl<F: Function> RunningHash for Var<F> {
    fn update(&mut self, data: &[u8]) {
        Update::update(&mut self.0, data);
    }

    fn try_update(&mut self, data: &[u8]) -> Option<Result<(), String>> {
        Some(self.0.try_update(data).map_err(|error| error.to_string()))
    }

    fn boxed_clone(&self) -> Box<dyn RunningHash> {
        Box::new(Var::<F>(self.0.clone()))
    }

    fn reset(&mut self) {
        Reset::reset(&mut self.0);
    }

    fn finalize(mut self: Box<Self>) -> Vec<u8> {
        self.write()
    }

    fn finalize_reset(&mut self) -> Vec<u8> {
        self.write()
    }

    fn switch_tier(&mut self, tier: &str) -> Option<Result<(), String>> {
        Some(switch::<F>(&mut self.0, tier))
    }
}
