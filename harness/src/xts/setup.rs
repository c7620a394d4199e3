//! Two keys, by the subject and by the oracle.

use std::fmt;

use rand::Rng;
use vambrace_reference::oracles::ciphers::XtsOracle;

use super::Trial;
use crate::subject::{Direction, KeyedXts};
use crate::trial::Wrong;

/// The greatest number of blocks of a data unit: IEEE 1619, section 5.1.
pub(super) const MOST_BLOCKS: usize = 1 << 20;

/// Both directions.
pub(super) const DIRECTIONS: [Direction; 2] = [Direction::Encrypt, Direction::Decrypt];

/// The direction of a case, of which every other one decrypts.
pub(super) fn direction(case: u64) -> Direction {
    DIRECTIONS[(case % 2) as usize]
}

/// The directions that the subject stands for.
pub(super) fn directions(trial: &Trial<'_>) -> impl Iterator<Item = Direction> {
    DIRECTIONS.into_iter().filter(|direction| trial.subject.directions().contains(direction))
}

/// Whether the subject stands for the direction of a case.
pub(super) fn judges(trial: &Trial<'_>, case: u64) -> bool {
    trial.subject.directions().contains(&direction(case))
}

/// One of the subject's directions, decryption if it has the choice.
pub(super) fn chosen(trial: &Trial<'_>, decrypt: bool) -> Direction {
    let mut directions = directions(trial);
    let first = directions.next().unwrap_or(Direction::Encrypt);
    if decrypt { directions.next().unwrap_or(first) } else { first }
}

/// The key of the data and the key of the tweaks.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    pub(super) key1: Vec<u8>,
    pub(super) key2: Vec<u8>,
}

impl Keys {
    /// Two keys; if they are equal, which a subject may refuse, the second is changed.
    pub(super) fn new(key1: Vec<u8>, mut key2: Vec<u8>) -> Keys {
        if key1 == key2 {
            key2[0] ^= 1;
        }
        Keys { key1, key2 }
    }

    /// The random keys of a case.
    pub(super) fn of_case(trial: &Trial<'_>, case: u64) -> Keys {
        // Apart from the random numbers that the case takes for other things.
        let mut keys = vec![0; 2 * trial.oracle.key_bytes()];
        trial.rng(case ^ 0x5e70 << 48).fill_bytes(&mut keys);
        let key2 = keys.split_off(keys.len() / 2);
        Keys::new(keys, key2)
    }

    /// As the subject takes them.
    pub(super) fn joined(&self) -> Vec<u8> {
        [&self.key1[..], &self.key2].concat()
    }

    /// The subject under the keys.
    pub(super) fn keyed(&self, trial: &Trial<'_>) -> Result<Box<dyn KeyedXts>, Wrong> {
        trial.subject.keyed(&self.joined()).map_err(|error| {
            Wrong::new(format!("a key of the right length is refused: {error}")).input(self.to_string())
        })
    }

    /// A tweak encrypted, by the oracle.
    pub(super) fn encrypted(&self, trial: &Trial<'_>, tweak: &[u8]) -> Vec<u8> {
        trial.oracle.encrypt_block(&self.key2, tweak).expect("an oracle takes a block")
    }

    /// The tweak that is encrypted to this one, by the oracle: so every encrypted tweak can be had.
    pub(super) fn tweak_for(&self, trial: &Trial<'_>, encrypted: &[u8]) -> Vec<u8> {
        trial.oracle.decrypt_block(&self.key2, encrypted).expect("an oracle takes a block")
    }

    /// A data unit, by the oracle.
    pub(super) fn expected(&self, trial: &Trial<'_>, direction: Direction, tweak: &[u8], data: &[u8]) -> Vec<u8> {
        self.expected_from(trial, direction, &self.encrypted(trial, tweak), data)
    }

    /// A data unit under an encrypted tweak, by the oracle.
    pub(super) fn expected_from(&self, trial: &Trial<'_>, direction: Direction, t: &[u8], data: &[u8]) -> Vec<u8> {
        let result = match direction {
            Direction::Encrypt => trial.oracle.encrypt_from(&self.key1, t, data),
            Direction::Decrypt => trial.oracle.decrypt_from(&self.key1, t, data),
        };
        result.expect("an oracle takes a data unit of a block or more")
    }
}

impl fmt::Display for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "key {} {}", hex::encode(&self.key1), hex::encode(&self.key2))
    }
}

/// The tweak of the next block: times x in GF(2^128) or GF(2^64), the first byte with the lowest powers.
pub(super) fn doubled(t: &[u8]) -> Vec<u8> {
    let mut carry = 0;
    let mut doubled: Vec<u8> = t
        .iter()
        .map(|byte| {
            let shifted = byte << 1 | carry;
            carry = byte >> 7;
            shifted
        })
        .collect();
    if carry == 1 {
        doubled[0] ^= if t.len() == 16 { 0x87 } else { 0x1b };
    }
    doubled
}

/// The tweak so many blocks later.
pub(super) fn advanced(t: &[u8], blocks: usize) -> Vec<u8> {
    (0..blocks).fold(t.to_vec(), |t, _| doubled(&t))
}

/// What becomes of data units that begin alike, under one encrypted tweak: whole blocks are asked of the oracle once, and
/// the end of each by itself.
pub(super) struct Prefixes<'a> {
    keys: &'a Keys,
    direction: Direction,
    data: &'a [u8],
    whole: Vec<u8>,
    /// The tweak of each block.
    tweaks: Vec<Vec<u8>>,
}

impl<'a> Prefixes<'a> {
    pub(super) fn new(trial: &Trial<'_>, keys: &'a Keys, direction: Direction, t: &[u8], data: &'a [u8]) -> Self {
        let block = trial.oracle.block_bytes();
        let whole = keys.expected_from(trial, direction, t, &data[..data.len() / block * block]);
        let mut t = t.to_vec();
        let tweaks = whole.chunks(block).map(|_| {
            let next = doubled(&t);
            std::mem::replace(&mut t, next)
        });
        let tweaks = tweaks.collect();
        Prefixes { keys, direction, data, whole, tweaks }
    }

    /// What becomes of the first bytes, a block or more.
    pub(super) fn expected(&self, trial: &Trial<'_>, length: usize) -> Vec<u8> {
        let block = trial.oracle.block_bytes();
        let blocks = length / block;
        if length.is_multiple_of(block) {
            return self.whole[..length].to_vec();
        }
        let plain = (blocks - 1) * block;
        let last = &self.data[plain..length];
        let end = self.keys.expected_from(trial, self.direction, &self.tweaks[blocks - 1], last);
        [&self.whole[..plain], &end].concat()
    }
}

/// What becomes of a data unit in place.
pub(super) fn crypted(keyed: &dyn KeyedXts, direction: Direction, tweak: &[u8], data: &[u8]) -> Result<Vec<u8>, Wrong> {
    let mut data = data.to_vec();
    match keyed.crypt(direction, tweak, &mut data) {
        Ok(()) => Ok(data),
        Err(error) => Err(Wrong::new(format!("a data unit of {} bytes is refused: {error}", data.len()))),
    }
}

/// What becomes of a data unit in another buffer.
pub(super) fn crypted_to(
    keyed: &dyn KeyedXts,
    direction: Direction,
    tweak: &[u8],
    data: &[u8],
) -> Result<Vec<u8>, Wrong> {
    let mut output = vec![0xa9; data.len()];
    match keyed.crypt_to(direction, tweak, data, &mut output) {
        Ok(()) => Ok(output),
        Err(error) => {
            let length = data.len();
            Err(Wrong::new(format!("a data unit of {length} bytes from buffer to buffer is refused: {error}")))
        }
    }
}

/// What becomes of a data unit under an encrypted tweak; none if the subject does not take one.
pub(super) fn crypted_from(
    keyed: &dyn KeyedXts,
    direction: Direction,
    t: &[u8],
    data: &[u8],
) -> Result<Option<Vec<u8>>, Wrong> {
    let mut data = data.to_vec();
    match keyed.crypt_from(direction, t, &mut data) {
        None => Ok(None),
        Some(Ok(())) => Ok(Some(data)),
        Some(Err(error)) => {
            let length = data.len();
            Err(Wrong::new(format!("a data unit of {length} bytes under an encrypted tweak is refused: {error}")))
        }
    }
}

/// The tweak of a sector, its number in little-endian order.
pub(super) fn sector_tweak(oracle: &dyn XtsOracle, number: u128) -> Vec<u8> {
    number.to_le_bytes()[..oracle.block_bytes()].to_vec()
}
