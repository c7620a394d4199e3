//! Block ciphers in XTS under test.

/// Which way a cipher goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the plaintext to the ciphertext.
    Encrypt,
    /// From the ciphertext to the plaintext.
    Decrypt,
}

impl Direction {
    /// The other one.
    #[must_use]
    pub fn reverse(self) -> Direction {
        match self {
            Direction::Encrypt => Direction::Decrypt,
            Direction::Decrypt => Direction::Encrypt,
        }
    }

    /// As the end of a sentence: `encrypted` or `decrypted`.
    pub fn done(self) -> &'static str {
        match self {
            Direction::Encrypt => "encrypted",
            Direction::Decrypt => "decrypted",
        }
    }
}

/// A block cipher in XTS under test.
///
/// A key is the key of the data and then the key of the tweaks, of the same length. A tweak has as many bytes as a block.
pub trait XtsSubject: Sync {
    /// The subject's name, as `aes128_xts_neon`; unique in a run.
    fn name(&self) -> &str;

    /// The name of the algorithm, as `aes128-xts`: decides which oracle and which vectors it is compared with.
    fn algorithm(&self) -> &str;

    /// The cipher under a key, or the subject's message why there is none.
    fn keyed(&self, key: &[u8]) -> Result<Box<dyn KeyedXts>, String>;

    /// The directions that it stands for. The others are there too, but by code that is judged elsewhere.
    fn directions(&self) -> &[Direction] {
        &[Direction::Encrypt, Direction::Decrypt]
    }

    /// Whether a key of two equal halves is refused, as FIPS 140-3 wants it of AES.
    fn refuses_equal_halves(&self) -> bool;

    /// The names of the tiers or variants that a keyed cipher can be switched to.
    fn tiers(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A block cipher in XTS under a key.
///
/// An implementation answers `None` to what it does not offer. Errors are the subject's messages; nothing is written then.
pub trait KeyedXts {
    /// A data unit in place.
    fn crypt(&self, direction: Direction, tweak: &[u8], data: &mut [u8]) -> Result<(), String>;

    /// A data unit from one buffer to another of the same length.
    fn crypt_to(&self, direction: Direction, tweak: &[u8], input: &[u8], output: &mut [u8]) -> Result<(), String>;

    /// A data unit under a tweak that is encrypted already.
    fn crypt_from(&self, direction: Direction, encrypted_tweak: &[u8], data: &mut [u8]) -> Option<Result<(), String>> {
        let _ = (direction, encrypted_tweak, data);
        None
    }

    /// Consecutive data units of `sector_bytes` each, of which the tweaks are `first`, `first` + 1 … in little-endian order.
    fn crypt_sectors(
        &self,
        direction: Direction,
        first: u128,
        sector_bytes: usize,
        data: &mut [u8],
    ) -> Option<Result<(), String>> {
        let _ = (direction, first, sector_bytes, data);
        None
    }

    /// Whole blocks, each by the block cipher itself under the key of the data. No other lengths are asked for.
    fn blocks(&self, direction: Direction, data: &mut [u8]) -> Option<Result<(), String>> {
        let _ = (direction, data);
        None
    }

    /// The same key once more.
    fn boxed_clone(&self) -> Box<dyn KeyedXts>;

    /// Continues by another tier, one of [`XtsSubject::tiers`]. The inner error is the subject's message.
    fn switch_tier(&mut self, tier: &str) -> Option<Result<(), String>> {
        let _ = tier;
        None
    }
}
