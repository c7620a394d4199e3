//! The kernels of Vambrace as subjects of its harness.
//!
//! A [`KernelSubjects`] is a row of the matrix: one kernel, and the hash functions that run through it. Rows come from the
//! library's kernel table, so a kernel that is added there is checked without a change here as long as its algorithm has a
//! subject.

mod blake2;
pub mod cell;
pub mod checks;
mod ciphers;
pub mod counting;
pub mod dispatch;
pub mod eval;
mod eval_ciphers;
pub mod mutation;
pub mod object;
pub mod own_code;
pub mod planted;
pub mod selection;
mod sha2;
pub mod traced;

use digest::{Output, OutputSizeUser};
use vambrace::Tier;
use vambrace::kernels::{Architecture, Kernel};
use vambrace_harness::subject::{HashSubject, StreamSubject, XtsSubject};

/// What can be checked of what runs through a kernel.
pub enum Subject {
    /// A hash function.
    Hash(Box<dyn HashSubject>),
    /// A stream cipher.
    Stream(Box<dyn StreamSubject>),
    /// A cipher in XTS mode.
    Xts(Box<dyn XtsSubject>),
}

impl Subject {
    /// The subject's name.
    pub fn name(&self) -> &str {
        match self {
            Subject::Hash(hash) => hash.name(),
            Subject::Stream(stream) => stream.name(),
            Subject::Xts(xts) => xts.name(),
        }
    }

    /// The algorithm's name.
    fn algorithm(&self) -> &str {
        match self {
            Subject::Hash(hash) => hash.algorithm(),
            Subject::Stream(stream) => stream.algorithm(),
            Subject::Xts(xts) => xts.algorithm(),
        }
    }

    /// Whether a quick run asks it for the check although another subject has gone through all checks on the same kernel: if
    /// what it differs in can break what the check looks for.
    pub fn adds_to(&self, check: &str) -> bool {
        // Of SHA-2, the initial value and the number of bytes that are kept; else rounds, key lengths, or a tree around.
        let of_initial_values = ["kat", "errors"];
        let of_structure = ["lengths", "many", "parameters", "xts"];
        of_initial_values.contains(&check) || !self.algorithm().starts_with("sha") && of_structure.contains(&check)
    }
}

/// A kernel, or the portable tier, and what runs through it.
pub struct KernelSubjects {
    /// The row's name, as `sha256_neon`.
    pub name: String,
    /// Its tier.
    pub tier: Tier,
    /// The kernel; none for portable Rust.
    pub kernel: Option<&'static Kernel>,
    /// What runs through it; the family's own first.
    pub subjects: Vec<Subject>,
    /// Whether this process can run it, or the library's error.
    pub available: Result<(), String>,
}

/// What a family of algorithms knows of a row: whether this process can run it, or the library's error, and its subjects.
type Row = (Result<(), String>, Vec<Subject>);

/// The rows of this build: for each algorithm the portable tier, then its kernels in the order of the table.
pub fn subjects() -> Vec<KernelSubjects> {
    let architecture = Architecture::current();
    let mut rows = Vec::new();
    for table in vambrace::kernels::ALL {
        if let Some(first) = table.first() {
            rows.push(row(first.contract.algorithm, Tier::Generic, Tier::Generic.name(), None));
        }
        for kernel in table.iter().filter(|kernel| Some(kernel.architecture) == architecture && kernel.entry.is_some())
        {
            rows.push(row(kernel.contract.algorithm, kernel.tier, kernel.variant, Some(kernel)));
        }
    }
    rows
}

fn row(algorithm: &str, tier: Tier, variant: &'static str, kernel: Option<&'static Kernel>) -> KernelSubjects {
    let name = kernel.map_or_else(|| format!("{algorithm}_{variant}"), |kernel| kernel.name.to_owned());
    let (available, subjects) = sha2::row(algorithm, variant)
        .or_else(|| blake2::row(algorithm, variant))
        .or_else(|| ciphers::row(algorithm, variant))
        .unwrap_or_else(|| (Err(format!("no subject is written for the algorithm {algorithm}")), Vec::new()));
    KernelSubjects { name, tier, kernel, subjects, available }
}

/// Has the library write digests, which are arrays, into vectors of their length; what the caller sees changes only where they
/// were written.
fn as_arrays<D: OutputSizeUser, T>(outputs: &mut [Vec<u8>], write: impl FnOnce(&mut [Output<D>]) -> T) -> T {
    let mut arrays = vec![Output::<D>::default(); outputs.len()];
    for (array, output) in arrays.iter_mut().zip(&*outputs) {
        array.copy_from_slice(output);
    }
    let done = write(&mut arrays);
    for (output, array) in outputs.iter_mut().zip(&arrays) {
        output.copy_from_slice(array);
    }
    done
}

/// The algorithms by the names that command lines and `eval` use.
pub mod named {
    use vambrace_harness::subject::{Direction, KeyedXts, RunningHash, RunningStream};
    use vambrace_reference::oracles::HashParameters;

    use crate::{blake2, ciphers, sha2};

    /// The names of the hash functions.
    pub fn hashes() -> impl Iterator<Item = &'static str> {
        sha2::NAMES.iter().chain(blake2::NAMES).copied()
    }

    fn known<T>(answer: Option<Result<T, String>>, algorithm: &str) -> Result<T, String> {
        answer.unwrap_or_else(|| {
            let names: Vec<&str> = hashes().chain(ciphers()).collect();
            Err(format!("unknown algorithm {algorithm:?}; the algorithms are {}", names.join(", ")))
        })
    }

    /// A running hash in a tier: `auto`, a tier, or a variant such as `ce_x2`.
    ///
    /// # Errors
    /// If the algorithm or the tier is unknown, or the CPU lacks what the tier needs.
    pub fn start(algorithm: &str, tier: &str) -> Result<Box<dyn RunningHash>, String> {
        known(sha2::start(algorithm, tier).or_else(|| blake2::start(algorithm, tier)), algorithm)
    }

    /// The same under parameters.
    ///
    /// # Errors
    /// As [`start`], or if the algorithm takes no parameters, or these are beyond its limits.
    pub fn start_with(
        algorithm: &str,
        tier: &str,
        parameters: &HashParameters<'_>,
    ) -> Result<Box<dyn RunningHash>, String> {
        known(blake2::start_with(algorithm, tier, parameters), algorithm)
    }

    /// The same from an injected chaining value: its words in order, each most significant byte first, with `count`
    /// message bytes already hashed.
    ///
    /// # Errors
    /// As [`start`], or if the state has the wrong size, or the count is no whole number of blocks or too large.
    pub fn start_from(algorithm: &str, tier: &str, state: &[u8], count: u128) -> Result<Box<dyn RunningHash>, String> {
        let started = sha2::start_from(algorithm, tier, state, count);
        known(started.or_else(|| blake2::start_from(algorithm, tier, state, count)), algorithm)
    }

    /// The digests of several messages at once.
    ///
    /// # Errors
    /// As [`start`].
    pub fn digest_many(algorithm: &str, tier: &str, messages: &[&[u8]]) -> Result<Vec<Vec<u8>>, String> {
        let digests = sha2::digest_many(algorithm, tier, messages);
        known(digests.or_else(|| blake2::digest_many(algorithm, tier, messages)), algorithm)
    }

    /// Bytes of the digest, the longest where there is a choice, and the greatest number of bytes that a message may have.
    ///
    /// # Errors
    /// If the algorithm is unknown.
    pub fn sizes(algorithm: &str) -> Result<(usize, u128), String> {
        known(sha2::sizes(algorithm).or_else(|| blake2::sizes(algorithm)).map(Ok), algorithm)
    }

    /// Whether the algorithm takes a key, an output length, a salt and a personalisation.
    pub fn takes_parameters(algorithm: &str) -> bool {
        blake2::NAMES.contains(&algorithm)
    }

    /// A key stream in a tier. `None` for an algorithm that is no stream cipher.
    pub fn stream(
        algorithm: &str,
        tier: &str,
        key: &[u8],
        nonce: &[u8],
    ) -> Option<Result<Box<dyn RunningStream>, String>> {
        ciphers::start(algorithm, tier, key, nonce)
    }

    /// Bytes of the key and of the nonce of a stream cipher. `None` for any other algorithm.
    pub fn stream_sizes(algorithm: &str) -> Option<(usize, usize)> {
        ciphers::stream_sizes(algorithm)
    }

    /// Bytes of the keys of a cipher in XTS mode, together, and of a tweak. `None` for any other algorithm.
    pub fn xts_sizes(algorithm: &str) -> Option<(usize, usize)> {
        ciphers::xts_sizes(algorithm)
    }

    /// A key of XTS in a tier, for the name of a cipher with all its key lengths (`aes-xts`). `None` for any other name.
    pub fn xts(
        name: &str,
        tier: &str,
        key: &[u8],
        allow_equal_keys: bool,
    ) -> Option<Result<Box<dyn KeyedXts>, String>> {
        match ciphers::of_key_length(name, key.len()) {
            Some(Ok(algorithm)) => ciphers::keyed(algorithm, tier, key, allow_equal_keys),
            Some(Err(error)) => Some(Err(error)),
            // The name may say the length of the key already.
            None => ciphers::keyed(name, tier, key, allow_equal_keys),
        }
    }

    /// Whole blocks by a bare block cipher. `None` for any other algorithm.
    pub fn blocks(
        algorithm: &str,
        tier: &str,
        key: &[u8],
        direction: Direction,
        data: &mut [u8],
    ) -> Option<Result<(), String>> {
        ciphers::blocks(algorithm, tier, key, direction, data)
    }

    /// The names of the ciphers.
    pub fn ciphers() -> impl Iterator<Item = &'static str> {
        ciphers::STREAMS.iter().chain(ciphers::XTS).copied().chain(["speck64", "speck128"])
    }
}
