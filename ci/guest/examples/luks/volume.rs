//! Opening a volume, and its payload in either direction.

use pbkdf2::pbkdf2_hmac;
use sha2::Sha256;
use vambrace::{Aes128Xts, Aes256Xts, Tier, XtsError};

use crate::error::LuksError;
use crate::header::{Header, SECTOR};
use crate::split;

/// AES in XTS by the length of its keys.
enum Cipher {
    Aes128(Aes128Xts),
    Aes256(Aes256Xts),
}

impl Cipher {
    /// By the kernels of a tier; by the best ones without.
    fn new(key: &[u8], tier: Option<Tier>) -> Result<Cipher, LuksError> {
        let mut cipher = match key.len() {
            Aes128Xts::KEY_BYTES => Cipher::Aes128(Aes128Xts::new(key)?),
            _ => Cipher::Aes256(Aes256Xts::new(key)?),
        };
        if let Some(tier) = tier {
            match &mut cipher {
                Cipher::Aes128(xts) => xts.set_tier(tier)?,
                Cipher::Aes256(xts) => xts.set_tier(tier)?,
            }
        }
        Ok(cipher)
    }

    fn tier(&self) -> Tier {
        match self {
            Cipher::Aes128(xts) => xts.tier(),
            Cipher::Aes256(xts) => xts.tier(),
        }
    }

    fn encrypt(&self, sectors: &mut [u8]) -> Result<(), XtsError> {
        match self {
            Cipher::Aes128(xts) => xts.encrypt_sectors(sectors, SECTOR, 0),
            Cipher::Aes256(xts) => xts.encrypt_sectors(sectors, SECTOR, 0),
        }
    }

    fn decrypt(&self, sectors: &mut [u8]) -> Result<(), XtsError> {
        match self {
            Cipher::Aes128(xts) => xts.decrypt_sectors(sectors, SECTOR, 0),
            Cipher::Aes256(xts) => xts.decrypt_sectors(sectors, SECTOR, 0),
        }
    }
}

/// The tiers to work by; without one, the best that the CPU has.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tiers {
    /// For the payload.
    pub encrypt: Option<Tier>,
    /// For the key slots and the payload.
    pub decrypt: Option<Tier>,
}

/// An open volume.
pub struct Volume {
    encrypts: Cipher,
    decrypts: Cipher,
    /// The key slot that the passphrase opened.
    pub slot: usize,
    /// Bytes of the volume's key.
    pub key_bytes: usize,
}

impl Volume {
    /// Opens a volume: a slot's parts are decrypted as sectors from 0 on under what PBKDF2 makes of the passphrase, and merged
    /// to the volume's key, which the header has a digest of.
    pub fn open(image: &[u8], header: &Header, passphrase: &[u8], tiers: Tiers) -> Result<Volume, LuksError> {
        for slot in &header.slots {
            let mut slot_key = vec![0; header.key_bytes];
            pbkdf2_hmac::<Sha256>(passphrase, &slot.salt, slot.iterations, &mut slot_key);
            let mut parts = image[slot.material.clone()].to_vec();
            Cipher::new(&slot_key, tiers.decrypt)?.decrypt(&mut parts)?;
            let key = split::merge(&parts[..slot.stripes * header.key_bytes], header.key_bytes);
            let mut digest = [0; 20];
            pbkdf2_hmac::<Sha256>(&key, &header.digest_salt, header.digest_iterations, &mut digest);
            if digest == header.digest {
                let (encrypts, decrypts) = (Cipher::new(&key, tiers.encrypt)?, Cipher::new(&key, tiers.decrypt)?);
                return Ok(Volume { encrypts, decrypts, slot: slot.number, key_bytes: header.key_bytes });
            }
        }
        Err(LuksError::Passphrase { tried: header.slots.len() })
    }

    /// The tiers that encrypt and decrypt.
    pub fn tiers(&self) -> (Tier, Tier) {
        (self.encrypts.tier(), self.decrypts.tier())
    }

    /// Encrypts the sectors of a payload from the first on.
    pub fn encrypt(&self, sectors: &mut [u8]) -> Result<(), LuksError> {
        Ok(self.encrypts.encrypt(sectors)?)
    }

    /// Decrypts them.
    pub fn decrypt(&self, sectors: &mut [u8]) -> Result<(), LuksError> {
        Ok(self.decrypts.decrypt(sectors)?)
    }
}
