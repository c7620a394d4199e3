//! The macro that makes the public types of a cipher.

/// Expands to a cipher in XTS mode.
macro_rules! xts_types {
    (
        $(#[$doc:meta])*
        $xts:ident, $name:literal: $cipher:ty, key $key:literal, block $block:literal, token $token:path,
        equal halves $equal:ident
    ) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $xts {
            xts: Xts<$cipher>,
        }

        impl $xts {
            /// Bytes of a key: the key of the data, then the key of the tweak, of the same length.
            pub const KEY_BYTES: usize = $key;

            /// Bytes of a block, and of a tweak.
            pub const BLOCK_BYTES: usize = $block;

            /// The greatest number of bytes of a data unit: 2^20 blocks.
            pub const MAX_DATA_UNIT_BYTES: usize = xts::MAX_BLOCKS * $block;

            xts_types!(@new $equal);

            /// The same keys, for the kernels of this tier.
            ///
            /// # Errors
            /// If the CPU lacks a feature that the tier needs, or no such kernel exists for the architecture; then the tier
            /// stays as it was.
            pub fn set_tier(&mut self, tier: Tier) -> Result<(), TierError> {
                self.xts.set_tier($name, tier)
            }

            /// The same keys, for the NEON kernels.
            pub fn use_neon(&mut self, _: cpu::Neon) {
                self.xts.set_backend(<$cipher as xts::Cipher>::dispatch().with_token(Tier::Neon));
            }

            /// The same keys, for the kernels of the Cryptographic Extension.
            pub fn use_ce(&mut self, _: $token) {
                self.xts.set_backend(<$cipher as xts::Cipher>::dispatch().with_token(Tier::Ce));
            }

            /// The tier whose kernels encrypt and decrypt.
            pub fn tier(&self) -> Tier {
                self.xts.backend().tier
            }

            /// Encrypts a data unit under its tweak, in place or from one buffer to another.
            ///
            /// # Errors
            /// If the data unit is shorter than a block or longer than [`MAX_DATA_UNIT_BYTES`](Self::MAX_DATA_UNIT_BYTES),
            /// or the tweak has not as many bytes as a block; then nothing is written.
            #[inline]
            pub fn encrypt_inout(&self, tweak: &[u8], data: InOutBuf<'_, '_, u8>) -> Result<(), XtsError> {
                self.xts.data_unit(Direction::Encrypt, xts::tweak::<$cipher>(tweak)?, data)
            }

            /// Decrypts a data unit under its tweak, in place or from one buffer to another.
            ///
            /// # Errors
            /// As [`encrypt_inout`](Self::encrypt_inout).
            #[inline]
            pub fn decrypt_inout(&self, tweak: &[u8], data: InOutBuf<'_, '_, u8>) -> Result<(), XtsError> {
                self.xts.data_unit(Direction::Decrypt, xts::tweak::<$cipher>(tweak)?, data)
            }

            /// Encrypts a data unit in place.
            ///
            /// # Errors
            /// As [`encrypt_inout`](Self::encrypt_inout).
            pub fn encrypt(&self, tweak: &[u8], data: &mut [u8]) -> Result<(), XtsError> {
                self.encrypt_inout(tweak, data.into())
            }

            /// Decrypts a data unit in place.
            ///
            /// # Errors
            /// As [`encrypt_inout`](Self::encrypt_inout).
            pub fn decrypt(&self, tweak: &[u8], data: &mut [u8]) -> Result<(), XtsError> {
                self.decrypt_inout(tweak, data.into())
            }

            /// Encrypts a data unit from one buffer to another.
            ///
            /// # Errors
            /// As [`encrypt_inout`](Self::encrypt_inout), or if the buffers have different lengths.
            pub fn encrypt_to(&self, tweak: &[u8], input: &[u8], output: &mut [u8]) -> Result<(), XtsError> {
                self.encrypt_inout(tweak, xts::from_to(input, output)?)
            }

            /// Decrypts a data unit from one buffer to another.
            ///
            /// # Errors
            /// As [`encrypt_inout`](Self::encrypt_inout), or if the buffers have different lengths.
            pub fn decrypt_to(&self, tweak: &[u8], input: &[u8], output: &mut [u8]) -> Result<(), XtsError> {
                self.decrypt_inout(tweak, xts::from_to(input, output)?)
            }

            /// Encrypts a run of sectors in place, each a data unit whose tweak is its number, little-endian.
            ///
            /// # Errors
            /// If a sector is no allowed data unit, the data is no whole number of them, or a number exceeds what the tweak holds;
            /// then nothing is written.
            pub fn encrypt_sectors(&self, data: &mut [u8], sector_bytes: usize, first: u128) -> Result<(), XtsError> {
                let (limit, tweak) = (xts::largest_number::<$cipher>(), xts::little_endian::<$cipher>);
                xts::each_sector(&self.xts, Direction::Encrypt, data, sector_bytes, first, limit, tweak)
            }

            /// Decrypts a run of sectors in place, each a data unit whose tweak is its number, little-endian.
            ///
            /// # Errors
            /// As [`encrypt_sectors`](Self::encrypt_sectors).
            pub fn decrypt_sectors(&self, data: &mut [u8], sector_bytes: usize, first: u128) -> Result<(), XtsError> {
                let (limit, tweak) = (xts::largest_number::<$cipher>(), xts::little_endian::<$cipher>);
                xts::each_sector(&self.xts, Direction::Decrypt, data, sector_bytes, first, limit, tweak)
            }

            /// Encrypts a run of sectors in place, under tweaks that a function makes of their numbers.
            ///
            /// # Errors
            /// As [`encrypt_sectors`](Self::encrypt_sectors), but that numbers may be as large as their type allows.
            pub fn encrypt_area(
                &self,
                data: &mut [u8],
                sector_bytes: usize,
                first: u128,
                tweak: impl Fn(u128) -> [u8; $block],
            ) -> Result<(), XtsError> {
                xts::each_sector(&self.xts, Direction::Encrypt, data, sector_bytes, first, u128::MAX, tweak)
            }

            /// Decrypts a run of sectors in place, under tweaks that a function makes of their numbers.
            ///
            /// # Errors
            /// As [`encrypt_sectors`](Self::encrypt_sectors).
            pub fn decrypt_area(
                &self,
                data: &mut [u8],
                sector_bytes: usize,
                first: u128,
                tweak: impl Fn(u128) -> [u8; $block],
            ) -> Result<(), XtsError> {
                xts::each_sector(&self.xts, Direction::Decrypt, data, sector_bytes, first, u128::MAX, tweak)
            }

            /// From its keys, which the kernels of the tier prepare too; the halves may be equal.
            ///
            /// For tests of the kernels that prepare keys: [`set_tier`](Self::set_tier) leaves the round keys as those of automatic
            /// dispatch have made them.
            ///
            /// # Errors
            /// As [`set_tier`](Self::set_tier).
            #[cfg(feature = "verify")]
            pub fn prepared_by(tier: Tier, key: &[u8; $key]) -> Result<Self, TierError> {
                Ok(Self { xts: Xts::new(key, <$cipher as xts::Cipher>::dispatch().of_tier($name, tier)?) })
            }

            /// A data unit of whole blocks or with a partial one, under a tweak that is encrypted already.
            ///
            /// For tests of carries that no tweak is known to lead to.
            ///
            /// # Errors
            /// As [`encrypt_inout`](Self::encrypt_inout).
            #[cfg(feature = "verify")]
            pub fn under_encrypted_tweak(
                &self,
                encrypt: bool,
                tweak: [u8; $block],
                data: InOutBuf<'_, '_, u8>,
            ) -> Result<(), XtsError> {
                xts::check_data_unit::<$cipher>(data.len())?;
                self.xts.under(if encrypt { Direction::Encrypt } else { Direction::Decrypt }, tweak, data);
                Ok(())
            }
        }

        impl fmt::Debug for $xts {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($xts), " { .. }"))
            }
        }

        impl ZeroizeOnDrop for $xts {}
    };
    (@new allowed) => {
        /// From a key, under automatic dispatch.
        ///
        /// # Errors
        /// If the key has another length than [`KEY_BYTES`](Self::KEY_BYTES).
        pub fn new(key: &[u8]) -> Result<Self, XtsError> {
            xts::keyed(key, Self::KEY_BYTES).map(|xts| Self { xts })
        }
    };
    (@new refused) => {
        /// From a key, under automatic dispatch.
        ///
        /// # Errors
        /// If the key has another length than [`KEY_BYTES`](Self::KEY_BYTES), or its halves are equal, which FIPS 140-3
        /// (implementation guidance C.I) forbids: the mode is not secure then.
        pub fn new(key: &[u8]) -> Result<Self, XtsError> {
            let halves = key.split_at_checked(Self::KEY_BYTES / 2);
            if halves.is_some_and(|(data, tweak)| data.ct_eq(tweak).into()) {
                return Err(XtsError::EqualKeyHalves);
            }
            Self::new_with_equal_halves_allowed(key)
        }

        /// The same, whatever the halves are: to read what was written under such a key.
        ///
        /// # Errors
        /// If the key has another length than [`KEY_BYTES`](Self::KEY_BYTES).
        pub fn new_with_equal_halves_allowed(key: &[u8]) -> Result<Self, XtsError> {
            xts::keyed(key, Self::KEY_BYTES).map(|xts| Self { xts })
        }
    };
}
pub(crate) use xts_types;
