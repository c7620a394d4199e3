//! What a running hash should answer, by the oracle.

use vambrace_reference::oracles::HashOracle;

/// A running hash made of the oracle's two answers that need no whole message: one chaining value to the next, and a
/// digest from a chaining value. So the digests of all prefixes of a message cost little more than the message. Where the
/// oracle has no chaining value, the message is kept whole.
#[derive(Clone, Debug)]
pub(super) struct Expected<'a> {
    oracle: &'a dyn HashOracle,
    state: Vec<u8>,
    /// The bytes that led to `state`.
    count: u128,
    /// The bytes after the last whole block.
    rest: Vec<u8>,
}

impl<'a> Expected<'a> {
    /// An empty message.
    pub(super) fn start(oracle: &'a dyn HashOracle) -> Expected<'a> {
        Expected::from(oracle, &oracle.initial_state(), 0)
    }

    /// A message of which `count` bytes have led to the chaining value `state`.
    pub(super) fn from(oracle: &'a dyn HashOracle, state: &[u8], count: u128) -> Expected<'a> {
        Expected { oracle, state: state.to_vec(), count, rest: Vec::new() }
    }

    /// Back to the empty message.
    pub(super) fn restart(&mut self) {
        *self = Expected::start(self.oracle);
    }

    pub(super) fn update(&mut self, data: &[u8]) {
        let block = self.oracle.block_bytes();
        self.rest.extend_from_slice(data);
        if self.is_whole() {
            return;
        }
        let held_back = usize::from(self.oracle.holds_back_last_block());
        let whole = self.rest.len().saturating_sub(held_back) / block * block;
        if whole != 0 {
            let blocks: Vec<u8> = self.rest.drain(..whole).collect();
            let state = self.oracle.compress(&self.state, self.count, &blocks);
            self.state = state.expect("an oracle compresses whole blocks");
            self.count += whole as u128;
        }
    }

    /// The digest; none if the message is longer than the algorithm allows.
    pub(super) fn digest(&self) -> Option<Vec<u8>> {
        if self.is_whole() {
            return Some(self.oracle.digest(&self.rest));
        }
        self.oracle.digest_from(&self.state, self.count, &self.rest)
    }

    /// Whether the message is kept whole.
    fn is_whole(&self) -> bool {
        self.oracle.state_bytes() == 0
    }

    /// The chaining value after the whole blocks so far, and the number of message bytes so far.
    pub(super) fn chaining_value(&self) -> (&[u8], u128) {
        (&self.state, self.count + self.rest.len() as u128)
    }
}
