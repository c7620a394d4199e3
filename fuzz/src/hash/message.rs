//! A message, hashed and remembered, and what its digest should be.

use std::fmt;

use vambrace::{Tier, TierError, TierErrorReason, kernels};
use vambrace_reference::oracles::HashOracle;

use super::program::{Kernel, Parameters};
use super::situations::Shape;
use super::{Hash, THERE};

/// What a message began with.
#[derive(Clone)]
pub(super) enum Start {
    /// No bytes and no parameters.
    Usual,
    Parameters(Parameters),
    /// This chaining value, after so many bytes.
    Injected(Vec<u8>, u128),
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Start::Usual => Ok(()),
            Start::Parameters(Parameters { digest, key, salt, personal }) => {
                let [key, salt, personal] = [key, salt, personal].map(|bytes| hex(bytes));
                write!(f, "\n of {digest} bytes, key {key:?}, salt {salt:?}, personalisation {personal:?}")
            }
            Start::Injected(state, count) => write!(f, "\n begun after {count} bytes with {}", hex(state)),
        }
    }
}

/// A message, hashed and remembered.
#[derive(Clone)]
pub(super) struct Message<H> {
    pub(super) hash: H,
    /// Whether it goes on by a kernel for several messages.
    pub(super) several: bool,
    pub(super) start: Start,
    pub(super) bytes: Vec<u8>,
}

impl<H: Hash> Message<H> {
    pub(super) fn new(kernel: Kernel) -> Message<H> {
        Message::started(H::with_tier(kernel.tier).expect(THERE), Start::Usual, kernel)
    }

    pub(super) fn started(hash: H, start: Start, kernel: Kernel) -> Message<H> {
        let mut message = Message { hash, several: false, start, bytes: Vec::new() };
        message.begin_by(kernel);
        message
    }

    /// Goes on by a kernel of the tier that is fuzzed: by the one for one message where there is no other.
    pub(super) fn begin_by(&mut self, kernel: Kernel) {
        self.hash.set_tier(kernel.tier).expect(THERE);
        self.several = false;
        self.switch(kernel);
    }

    /// Goes on by another kernel, unless this build or this CPU lacks it.
    pub(super) fn switch(&mut self, Kernel { tier, several }: Kernel) {
        let switched = if several {
            let Some(variant) = variant::<H>(tier) else { return };
            self.hash.set_variant(variant)
        } else {
            self.hash.set_tier(tier)
        };
        match switched {
            Ok(()) => self.several = several,
            Err(TierError { reason: TierErrorReason::NoKernel, .. }) if several => {
                panic!("the kernel of tier {tier} for several messages is in the table, but cannot be had")
            }
            Err(_) => (),
        }
    }

    /// The number of bytes hashed since the start, the block of the key included, with which each leaf begins.
    pub(super) fn hashed(&self, shape: Shape) -> usize {
        match &self.start {
            Start::Parameters(Parameters { key, .. }) if !key.is_empty() => {
                shape.leaves * shape.block + self.bytes.len()
            }
            _ => self.bytes.len(),
        }
    }

    /// The number of bytes hashed, those before the start included.
    pub(super) fn length(&self, shape: Shape) -> u128 {
        let before = if let Start::Injected(_, count) = self.start { count } else { 0 };
        before + self.hashed(shape) as u128
    }

    /// The empty message again, under the same parameters.
    pub(super) fn forget(&mut self) {
        if let Start::Injected(..) = self.start {
            self.start = Start::Usual;
        }
        self.bytes.clear();
    }

    pub(super) fn expected(&self, oracle: &dyn HashOracle) -> Vec<u8> {
        match &self.start {
            Start::Usual => oracle.digest(&self.bytes),
            Start::Parameters(parameters) => oracle
                .digest_with(&parameters.as_slices(), &self.bytes)
                .expect("the oracle takes all parameters within its limits"),
            Start::Injected(state, count) => {
                oracle.digest_from(state, *count, &self.bytes).expect("the oracle takes every length within the limit")
            }
        }
    }

    pub(super) fn compare(&self, oracle: &dyn HashOracle, when: impl Fn() -> String) {
        let digest = self.hash.clone().finalize();
        same(oracle, &self.expected(oracle), &digest, || format!("{}{}", when(), self.start));
    }
}

/// The name of the tier's kernel for several messages, where this build has one.
pub(super) fn variant<H: Hash>(tier: Tier) -> Option<&'static str> {
    let mut table = kernels::ALL.iter().copied().flatten();
    let kernel = table.find(|kernel| {
        let of_hash = kernel.contract.algorithm == H::KERNELS && kernel.entry.is_some();
        of_hash && kernel.tier == tier && kernel.lanes > 1
    });
    kernel.map(|kernel| kernel.variant)
}

pub(super) fn same(oracle: &dyn HashOracle, expected: &[u8], actual: &[u8], when: impl Fn() -> String) {
    assert!(
        expected == actual,
        "{} is wrong {}\n expected {} ({})\n actual   {}",
        oracle.algorithm(),
        when(),
        hex(expected),
        oracle.source(),
        hex(actual)
    );
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
