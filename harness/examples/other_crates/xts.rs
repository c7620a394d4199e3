//! The crate `xts-mode` over the crate `aes`, or over whatever has the traits of block ciphers of `cipher`.

use std::marker::PhantomData;

use aes::cipher::consts::U16;
use aes::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, BlockSizeUser, KeyInit};
use aes::{Aes128, Aes256};
use vambrace_harness::subject::{Direction, KeyedXts, XtsSubject};
use xts_mode::Xts128;

/// A block cipher in XTS.
struct Subject<C> {
    name: &'static str,
    algorithm: &'static str,
    cipher: PhantomData<fn() -> C>,
}

/// What the mode asks of a cipher.
trait Cipher: BlockSizeUser<BlockSize = U16> + BlockCipherEncrypt + BlockCipherDecrypt + KeyInit + Clone + 'static {}

impl Cipher for Aes128 {}
impl Cipher for Aes256 {}

impl<C: Cipher> XtsSubject for Subject<C> {
    fn name(&self) -> &str {
        self.name
    }

    fn algorithm(&self) -> &str {
        self.algorithm
    }

    fn keyed(&self, key: &[u8]) -> Result<Box<dyn KeyedXts>, String> {
        if key.len() != 2 * C::key_size() {
            return Err(format!("a key has {} bytes, not {}", 2 * C::key_size(), key.len()));
        }
        let (data, tweak) = key.split_at(C::key_size());
        let cipher = |key| C::new_from_slice(key).map_err(|error| error.to_string());
        Ok(Box::new(Keyed { data: cipher(data)?, tweak: cipher(tweak)? }))
    }

    /// The crates take any key.
    fn refuses_equal_halves(&self) -> bool {
        false
    }
}

#[derive(Clone)]
struct Keyed<C> {
    data: C,
    tweak: C,
}

impl<C: Cipher> KeyedXts for Keyed<C> {
    /// The mode panics where a data unit is shorter than a block, as its documentation says: whoever takes data from outside must
    /// look, as here. The longest data unit is that of IEEE 1619.
    fn crypt(&self, direction: Direction, tweak: &[u8], data: &mut [u8]) -> Result<(), String> {
        let tweak = tweak.try_into().map_err(|_| format!("a tweak has 16 bytes, not {}", tweak.len()))?;
        if !(16..=16 << 20).contains(&data.len()) {
            return Err(format!("a data unit has 16 to 2^24 bytes, not {}", data.len()));
        }
        let xts = Xts128::new(self.data.clone(), self.tweak.clone());
        match direction {
            Direction::Encrypt => xts.encrypt_sector(data, tweak),
            Direction::Decrypt => xts.decrypt_sector(data, tweak),
        }
        Ok(())
    }

    fn crypt_to(&self, direction: Direction, tweak: &[u8], input: &[u8], output: &mut [u8]) -> Result<(), String> {
        if input.len() != output.len() {
            return Err(format!("{} bytes do not go into {}", input.len(), output.len()));
        }
        let mut data = input.to_vec();
        self.crypt(direction, tweak, &mut data)?;
        output.copy_from_slice(&data);
        Ok(())
    }

    fn boxed_clone(&self) -> Box<dyn KeyedXts> {
        Box::new(self.clone())
    }
}

/// AES with both lengths of keys.
pub fn subjects() -> Vec<Box<dyn XtsSubject>> {
    vec![
        Box::new(Subject::<Aes128> { name: "xts-mode_aes128", algorithm: "aes128-xts", cipher: PhantomData }),
        Box::new(Subject::<Aes256> { name: "xts-mode_aes256", algorithm: "aes256-xts", cipher: PhantomData }),
    ]
}
