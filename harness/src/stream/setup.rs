//! A key and a nonce, by the subject and by the oracle.

use std::fmt;

use rand::Rng;
use rand::seq::IndexedRandom;
use vambrace_reference::oracles::ciphers::StreamCipherOracle;

use super::Trial;
use crate::subject::RunningStream;
use crate::trial::{Wrong, same};

/// A key and a nonce.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    pub(super) key: Vec<u8>,
    pub(super) nonce: Vec<u8>,
}

/// Bytes of the key stream: the counter of blocks has 64 bits.
pub(super) fn end(oracle: &dyn StreamCipherOracle) -> u128 {
    (oracle.block_bytes() as u128) << 64
}

impl Setup {
    /// The random key and nonce of a case.
    pub(super) fn of_case(trial: &Trial<'_>, case: u64) -> Setup {
        // Apart from the random numbers that the case takes for other things.
        let mut rng = trial.rng(case ^ 0x5e70 << 48);
        let key_bytes = trial.oracle.key_bytes().choose(&mut rng).copied().unwrap_or(0);
        let mut setup = Setup { key: vec![0; key_bytes], nonce: vec![0; trial.oracle.nonce_bytes()] };
        rng.fill_bytes(&mut setup.key);
        rng.fill_bytes(&mut setup.nonce);
        setup
    }

    /// The subject at the beginning.
    pub(super) fn start(&self, trial: &Trial<'_>) -> Result<Box<dyn RunningStream>, Wrong> {
        trial.subject.start(&self.key, &self.nonce).map_err(|error| {
            Wrong::new(format!("a key and a nonce of the right lengths are refused: {error}")).input(self.to_string())
        })
    }

    /// The subject at a position, by seeking.
    pub(super) fn at(&self, trial: &Trial<'_>, position: u128) -> Result<Box<dyn RunningStream>, Wrong> {
        let mut running = self.start(trial)?;
        seek(&mut *running, position)?;
        Ok(running)
    }

    /// What becomes of data at a position, by the oracle.
    pub(super) fn expected(&self, trial: &Trial<'_>, position: u128, data: &[u8]) -> Vec<u8> {
        if data.is_empty() {
            return Vec::new();
        }
        let mut data = data.to_vec();
        trial.oracle.apply(&self.key, &self.nonce, position, &mut data).expect("an oracle takes what it says it takes");
        data
    }

    /// The key stream from a position on, by the oracle.
    pub(super) fn keystream(&self, trial: &Trial<'_>, position: u128, bytes: usize) -> Vec<u8> {
        self.expected(trial, position, &vec![0; bytes])
    }

    /// As much of the key stream as may follow, compared; the subject moves on.
    pub(super) fn continues(
        &self,
        trial: &Trial<'_>,
        running: &mut dyn RunningStream,
        position: u128,
        what: &str,
    ) -> Result<(), Wrong> {
        let bytes = (2 * trial.oracle.block_bytes() + 3) as u128;
        let bytes = bytes.min(end(trial.oracle) - position) as usize;
        let actual = applied(running, &vec![0; bytes])?;
        same(
            || format!("the key stream from {position} on is wrong {what}"),
            &self.keystream(trial, position, bytes),
            &actual,
        )
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "key {}, nonce {}", hex::encode(&self.key), hex::encode(&self.nonce))
    }
}

/// Goes to a position that there is.
pub(super) fn seek(running: &mut dyn RunningStream, position: u128) -> Result<(), Wrong> {
    running.seek(position).map_err(|error| Wrong::new(format!("position {position} is refused: {error}")))
}

/// What becomes of data in place.
pub(super) fn applied(running: &mut dyn RunningStream, data: &[u8]) -> Result<Vec<u8>, Wrong> {
    let mut data = data.to_vec();
    match running.apply(&mut data) {
        Ok(()) => Ok(data),
        Err(error) => Err(Wrong::new(format!("{} bytes are refused: {error}", data.len()))),
    }
}

/// What becomes of data in another buffer.
pub(super) fn applied_to(running: &mut dyn RunningStream, data: &[u8]) -> Result<Vec<u8>, Wrong> {
    let mut output = vec![0xa9; data.len()];
    match running.apply_to(data, &mut output) {
        Ok(()) => Ok(output),
        Err(error) => Err(Wrong::new(format!("{} bytes from buffer to buffer are refused: {error}", data.len()))),
    }
}

/// Where the subject says that it is.
pub(super) fn compare_position(expected: u128, running: &dyn RunningStream, when: &str) -> Result<(), Wrong> {
    match running.position() {
        actual if actual == expected => Ok(()),
        actual => {
            Err(Wrong::new(format!("the position {when} is wrong: {expected} is expected, {actual} is answered")))
        }
    }
}
