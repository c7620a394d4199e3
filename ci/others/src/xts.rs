//! AES-256-XTS of AWS-LC, by its C interface.

use std::ptr;

use aws_lc_sys::{EVP_CIPHER_CTX_free, EVP_CIPHER_CTX_new, EVP_CipherInit_ex, EVP_CipherUpdate, EVP_aes_256_xts};
use vambrace_harness::subject::{Direction, KeyedXts, XtsSubject};

struct Subject;

impl XtsSubject for Subject {
    fn name(&self) -> &str {
        "aws-lc_aes256_xts"
    }

    fn algorithm(&self) -> &str {
        "aes256-xts"
    }

    fn keyed(&self, key: &[u8]) -> Result<Box<dyn KeyedXts>, String> {
        let key: [u8; 64] = key.try_into().map_err(|_| format!("a key has 64 bytes, not {}", key.len()))?;
        let keyed = Keyed { key };
        // Whether the library takes the key shows when it is given it.
        keyed.crypt(Direction::Encrypt, &[0; 16], &mut [0; 16])?;
        Ok(Box::new(keyed))
    }

    fn refuses_equal_halves(&self) -> bool {
        true
    }
}

#[derive(Clone)]
struct Keyed {
    key: [u8; 64],
}

impl Keyed {
    /// One data unit, from a place to another or in place.
    ///
    /// # Safety
    /// `input` can be read and `output` be written for `length` bytes; they are equal or disjoint.
    unsafe fn unit(
        &self,
        direction: Direction,
        tweak: &[u8],
        input: *const u8,
        output: *mut u8,
        length: usize,
    ) -> Result<(), String> {
        let tweak: &[u8; 16] = tweak.try_into().map_err(|_| format!("a tweak has 16 bytes, not {}", tweak.len()))?;
        if !(16..=16 << 20).contains(&length) {
            return Err(format!("a data unit has 16 to 2^24 bytes, not {length}"));
        }
        let bytes = i32::try_from(length).map_err(|error| error.to_string())?;
        let encrypt = i32::from(direction == Direction::Encrypt);
        let mut written = 0;
        // SAFETY: a context is made and freed here; key and tweak have the sizes that the cipher reads; the caller vouches for
        // the rest.
        let done = unsafe {
            let context = EVP_CIPHER_CTX_new();
            if context.is_null() {
                return Err("no memory for a context".to_owned());
            }
            let (key, tweak) = (self.key.as_ptr(), tweak.as_ptr());
            let done = EVP_CipherInit_ex(context, EVP_aes_256_xts(), ptr::null_mut(), key, tweak, encrypt) == 1
                && EVP_CipherUpdate(context, output, &mut written, input, bytes) == 1;
            EVP_CIPHER_CTX_free(context);
            done
        };
        match done {
            true if written == bytes => Ok(()),
            true => Err(format!("{written} bytes were written of {bytes}")),
            false => Err("AWS-LC refuses the key or the data unit".to_owned()),
        }
    }
}

impl KeyedXts for Keyed {
    fn crypt(&self, direction: Direction, tweak: &[u8], data: &mut [u8]) -> Result<(), String> {
        let (place, length) = (data.as_mut_ptr(), data.len());
        // SAFETY: one buffer, in place.
        unsafe { self.unit(direction, tweak, place, place, length) }
    }

    fn crypt_to(&self, direction: Direction, tweak: &[u8], input: &[u8], output: &mut [u8]) -> Result<(), String> {
        if input.len() != output.len() {
            return Err(format!("{} bytes do not go into {}", input.len(), output.len()));
        }
        // SAFETY: two references, so disjoint, of equal length.
        unsafe { self.unit(direction, tweak, input.as_ptr(), output.as_mut_ptr(), input.len()) }
    }

    fn boxed_clone(&self) -> Box<dyn KeyedXts> {
        Box::new(self.clone())
    }
}

/// What there is.
pub fn subjects() -> Vec<Box<dyn XtsSubject>> {
    vec![Box::new(Subject)]
}
