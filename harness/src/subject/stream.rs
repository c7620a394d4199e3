//! Stream ciphers under test.

/// A stream cipher under test.
///
/// Positions are bytes from the beginning of the key stream, which ends behind the last block that the counter can count.
pub trait StreamSubject: Sync {
    /// The subject's name, as `salsa20_neon`; unique in a run.
    fn name(&self) -> &str;

    /// The name of the algorithm, as `salsa20`: decides which oracle and which vectors it is compared with.
    fn algorithm(&self) -> &str;

    /// The beginning of the key stream of a key and a nonce, or the subject's message why there is none.
    fn start(&self, key: &[u8], nonce: &[u8]) -> Result<Box<dyn RunningStream>, String>;

    /// The names of the tiers or variants that a running cipher can be switched to.
    fn tiers(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A stream cipher at a position of its key stream.
///
/// Errors are the subject's messages; nothing is written then, and the position stays as it was.
pub trait RunningStream {
    /// Xors the key stream to data in place.
    fn apply(&mut self, data: &mut [u8]) -> Result<(), String>;

    /// Writes the input xor the key stream to an output of the same length.
    fn apply_to(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), String>;

    /// Goes to a position.
    fn seek(&mut self, position: u128) -> Result<(), String>;

    /// The position.
    fn position(&self) -> u128;

    /// The same key stream at the same position once more.
    fn boxed_clone(&self) -> Box<dyn RunningStream>;

    /// Continues by another tier, one of [`StreamSubject::tiers`]. The inner error is the subject's message.
    fn switch_tier(&mut self, tier: &str) -> Option<Result<(), String>> {
        let _ = tier;
        None
    }
}
