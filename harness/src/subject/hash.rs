//! Hash functions under test.

use std::ops::Range;

use vambrace_reference::oracles::HashParameters;

/// A hash function under test.
///
/// An implementation answers `None` to what it does not offer; the checks that need it then do not apply.
pub trait HashSubject: Sync {
    /// The subject's name, as `sha256_neon`; unique in a run.
    fn name(&self) -> &str;

    /// The name of the algorithm, as `sha256`: decides which oracle and which vectors it is compared with.
    fn algorithm(&self) -> &str;

    /// An empty message.
    fn start(&self) -> Box<dyn RunningHash>;

    /// A message of which `count` bytes (whole blocks) have led to the chaining value `state`.
    ///
    /// The state is its words in the standard's order, each most significant byte first. `None` if the subject offers no
    /// such injection, or if the count exceeds what the algorithm allows.
    fn start_from(&self, state: &[u8], count: u128) -> Option<Box<dyn RunningHash>> {
        let _ = (state, count);
        None
    }

    /// An empty message under parameters, of a function that takes some. The inner error is the subject's message.
    fn start_with(&self, parameters: &HashParameters<'_>) -> Option<Result<Box<dyn RunningHash>, String>> {
        let _ = parameters;
        None
    }

    /// Continues an exported state ([`RunningHash::export`]). The inner error is the subject's message.
    fn import(&self, state: &[u8]) -> Option<Result<Box<dyn RunningHash>, String>> {
        let _ = state;
        None
    }

    /// Which bytes of an exported state say what it is (the version of the format, the algorithm): a state that differs
    /// there must be refused by [`import`](HashSubject::import).
    fn state_tag(&self) -> Range<usize> {
        0..0
    }

    /// The digests of several messages at once, into outputs of the digest's size. The inner error is the subject's
    /// message; outputs are then untouched.
    fn digest_many(&self, messages: &[&[u8]], outputs: &mut [Vec<u8>]) -> Option<Result<(), String>> {
        let _ = (messages, outputs);
        None
    }

    /// The names of the tiers or variants that a running hash can be switched to.
    fn tiers(&self) -> Vec<String> {
        Vec::new()
    }

    /// The greatest number of bytes that a message may have, where the subject enforces it.
    fn message_limit(&self) -> Option<u128> {
        None
    }
}

/// A running hash.
pub trait RunningHash {
    /// Appends to the message.
    fn update(&mut self, data: &[u8]);

    /// Appends to the message, or says why that cannot be; then the message stays as it was.
    fn try_update(&mut self, data: &[u8]) -> Option<Result<(), String>> {
        let _ = data;
        None
    }

    /// The same message once more.
    fn boxed_clone(&self) -> Box<dyn RunningHash>;

    /// Back to the empty message.
    fn reset(&mut self);

    /// The digest.
    fn finalize(self: Box<Self>) -> Vec<u8>;

    /// The digest, and back to the empty message.
    fn finalize_reset(&mut self) -> Vec<u8>;

    /// The state, to be continued by [`HashSubject::import`].
    fn export(&self) -> Option<Vec<u8>> {
        None
    }

    /// Continues by another tier, one of [`HashSubject::tiers`]. The inner error is the subject's message.
    fn switch_tier(&mut self, tier: &str) -> Option<Result<(), String>> {
        let _ = tier;
        None
    }

    /// The chaining value after the whole blocks so far, in the form of [`HashSubject::start_from`], and the number of
    /// message bytes so far.
    fn chaining_value(&self) -> Option<(Vec<u8>, u128)> {
        None
    }
}
