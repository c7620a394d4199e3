//! The macros that make the public types of a mode.

/// Expands to the methods that all types of a mode have.
macro_rules! blake2_common {
    ($name:literal: $words:ident, impl[$($generics:tt)*] for $type:ty $(where [$($bounds:tt)*])?) => {
        impl<$($generics)*> $type $(where $($bounds)*)? {
            /// The same running hash, continued by the kernels of this tier: all tiers share one state.
            ///
            /// # Errors
            /// If the CPU lacks a feature that the tier needs, or no such kernel exists for the architecture; then the tier
            /// stays as it was.
            pub fn set_tier(&mut self, tier: Tier) -> Result<(), TierError> {
                self.running.set_backends(Backends::<$words>::of_tier($name, tier)?);
                Ok(())
            }

            /// The tier whose kernel hashes this message.
            pub fn tier(&self) -> Tier {
                self.running.backends().one.tier
            }

            /// Appends to the message.
            ///
            /// # Errors
            /// If the message, with the block of the key, would be longer than [`MAX_MESSAGE_BYTES`]; then it stays as it
            /// was.
            #[inline]
            pub fn try_update(&mut self, data: &[u8]) -> Result<(), MessageTooLong> {
                self.running.try_update(data)
            }

            /// The same running hash, continued by a kernel for several messages, in one of its lanes, with others beside it.
            ///
            /// # Errors
            /// As [`set_tier`](Self::set_tier).
            #[cfg(feature = "verify")]
            pub fn set_variant(&mut self, variant: &str) -> Result<(), TierError> {
                self.running.set_backends(Backends::<$words>::of_variant($name, variant)?);
                Ok(())
            }
        }

        impl<$($generics)*> fmt::Debug for $type $(where $($bounds)*)? {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!($name, " { .. }"))
            }
        }

        impl<$($generics)*> ZeroizeOnDrop for $type $(where $($bounds)*)? {}

        impl<$($generics)*> Update for $type $(where $($bounds)*)? {
            /// Appends to the message. Beyond [`MAX_MESSAGE_BYTES`] the counter wraps.
            #[inline]
            fn update(&mut self, data: &[u8]) {
                self.running.update(data);
            }
        }

        impl<$($generics)*> Reset for $type $(where $($bounds)*)? {
            #[inline]
            fn reset(&mut self) {
                self.running.reset();
            }
        }
    };
}

/// Expands to the hash, the MAC and the hash of run-time output length of a mode.
macro_rules! blake2_types {
    (
        $mode:ty, $name:literal: $words:ident, max $max:ty, block $block:ty,
        $(#[$hash_doc:meta])* hash $hash:ident,
        $(#[$mac_doc:meta])* mac $mac:ident,
        $(#[$var_doc:meta])* var $var:ident,
        digest of many by $many:path
    ) => {
        $(#[$hash_doc])*
        #[derive(Clone)]
        pub struct $hash<N: ArraySize + NonZero + IsLessOrEqual<$max, Output = True>> {
            running: Running<$mode, NoKey>,
            length: PhantomData<N>,
        }

        blake2_common!($name: $words, impl[N: ArraySize + NonZero + IsLessOrEqual<$max, Output = True>] for $hash<N>);

        impl<N: ArraySize + NonZero + IsLessOrEqual<$max, Output = True>> $hash<N> {
            const PARAMETERS: Parameters = Parameters { digest_length: N::U8, ..Parameters::SEQUENTIAL };

            #[inline]
            fn with_backends(backends: Backends<$words>) -> Self {
                Self { running: Running::new(Self::PARAMETERS, NoKey, backends), length: PhantomData }
            }

            /// An empty message, to be hashed by the kernels of this tier.
            ///
            /// # Errors
            /// If the CPU lacks a feature that the tier needs, or no such kernel exists for the architecture.
            pub fn with_tier(tier: Tier) -> Result<Self, TierError> {
                Backends::of_tier($name, tier).map(Self::with_backends)
            }

            /// An empty message, to be hashed by the NEON kernels.
            pub fn with_neon(_: cpu::Neon) -> Self {
                Self::with_backends(Backends::with_token(Tier::Neon))
            }

            /// An empty message, to be hashed by the kernels of the Cryptographic Extension.
            pub fn with_ce(_: cpu::Sha3) -> Self {
                Self::with_backends(Backends::with_token(Tier::Ce))
            }

            /// An empty message, with a salt and a personalisation, each of which may be empty: then it is all zeros.
            ///
            /// # Errors
            /// If salt or personalisation is neither empty nor as long as [`SALT_BYTES`] says.
            pub fn with_salt_and_personal(salt: &[u8], personal: &[u8]) -> Result<Self, ParameterError> {
                let parameters = blake2::parameters::<$words>(N::USIZE, 0, salt, personal)?;
                Ok(Self { running: Running::new(parameters, NoKey, Backends::best()), length: PhantomData })
            }

            /// The digest of a message that is there in one piece.
            ///
            /// The same as [`Digest::digest`](digest::Digest::digest), which it goes before. That one passes the running hash
            /// on by value, so that a copy may stay behind on the stack that nobody clears; here it stays where it is.
            #[inline]
            pub fn digest(message: impl AsRef<[u8]>) -> Output<Self> {
                let mut output = Output::<Self>::default();
                let mut running = Running::<$mode, NoKey>::new(Self::PARAMETERS, NoKey, Backends::best());
                running.update(message.as_ref());
                running.finish(&mut output);
                output
            }

            /// The digests of several independent messages, of any number and lengths, by the kernels that the CPU is
            /// fastest with for several messages at once.
            ///
            /// # Errors
            /// If there are not as many outputs as messages; then nothing is written.
            pub fn digest_many(messages: &[&[u8]], outputs: &mut [Output<Self>]) -> Result<(), LaneCountError> {
                $many(Backends::best(), &Self::PARAMETERS, messages, outputs)
            }

            /// The same by the kernels of one tier: the one for several messages where the tier has one, else the one for
            /// one message.
            ///
            /// # Errors
            /// If the tier cannot be had, or the counts differ; then nothing is written.
            pub fn digest_many_with_tier(
                tier: Tier,
                messages: &[&[u8]],
                outputs: &mut [Output<Self>],
            ) -> Result<(), ManyError> {
                Ok($many(Backends::of_tier($name, tier)?, &Self::PARAMETERS, messages, outputs)?)
            }
        }

        impl<N: ArraySize + NonZero + IsLessOrEqual<$max, Output = True>> Default for $hash<N> {
            #[inline]
            fn default() -> Self {
                Self::with_backends(Backends::best())
            }
        }

        impl<N: ArraySize + NonZero + IsLessOrEqual<$max, Output = True>> TryCustomizedInit for $hash<N> {
            type Error = ParameterError;

            /// An empty message with a personalisation, filled up with zeros.
            ///
            /// # Errors
            /// If it is longer than [`SALT_BYTES`] says.
            fn try_new_customized(customization: &[u8]) -> Result<Self, ParameterError> {
                let mut parameters = Self::PARAMETERS;
                if customization.len() > SALT_BYTES {
                    return Err(ParameterError::PersonalLength { expected: SALT_BYTES, given: customization.len() });
                }
                parameters.personal[..customization.len()].copy_from_slice(customization);
                Ok(Self { running: Running::new(parameters, NoKey, Backends::best()), length: PhantomData })
            }
        }

        impl<N: ArraySize + NonZero + IsLessOrEqual<$max, Output = True>> HashMarker for $hash<N> {}

        impl<N: ArraySize + NonZero + IsLessOrEqual<$max, Output = True>> AlgorithmName for $hash<N> {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}{}", stringify!($hash), 8 * N::USIZE)
            }
        }

        impl<N: ArraySize + NonZero + IsLessOrEqual<$max, Output = True>> BlockSizeUser for $hash<N> {
            type BlockSize = $block;
        }

        impl<N: ArraySize + NonZero + IsLessOrEqual<$max, Output = True>> OutputSizeUser for $hash<N> {
            type OutputSize = N;
        }

        impl<N: ArraySize + NonZero + IsLessOrEqual<$max, Output = True>> FixedOutput for $hash<N> {
            #[inline]
            fn finalize_into(mut self, out: &mut Output<Self>) {
                self.running.finish(out);
            }
        }

        impl<N: ArraySize + NonZero + IsLessOrEqual<$max, Output = True>> FixedOutputReset for $hash<N> {
            #[inline]
            fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                self.running.finish(out);
                self.running.reset();
            }
        }

        $(#[$mac_doc])*
        #[derive(Clone)]
        pub struct $mac<N: ArraySize + NonZero + IsLessOrEqual<$max, Output = True>> {
            running: Running<$mode, Key<$words>>,
            length: PhantomData<N>,
        }

        blake2_common!($name: $words, impl[N: ArraySize + NonZero + IsLessOrEqual<$max, Output = True>] for $mac<N>);

        impl<N: ArraySize + NonZero + IsLessOrEqual<$max, Output = True>> $mac<N> {
            /// An empty message under a key, with a salt and a personalisation, each of which may be empty: then it is all
            /// zeros.
            ///
            /// # Errors
            /// If the key is empty or longer than [`MAX_KEY_BYTES`], or salt or personalisation is neither empty nor as long
            /// as [`SALT_BYTES`] says.
            pub fn with_salt_and_personal(key: &[u8], salt: &[u8], personal: &[u8]) -> Result<Self, ParameterError> {
                if key.is_empty() {
                    return Err(ParameterError::KeyLength { limit: MAX_KEY_BYTES, given: 0 });
                }
                let key = Key::<$words>::new(key)?;
                let parameters = blake2::parameters::<$words>(N::USIZE, key.length(), salt, personal)?;
                Ok(Self { running: Running::new(parameters, key, Backends::best()), length: PhantomData })
            }
        }

        impl<N: ArraySize + NonZero + IsLessOrEqual<$max, Output = True>> KeySizeUser for $mac<N> {
            type KeySize = $max;
        }

        impl<N: ArraySize + NonZero + IsLessOrEqual<$max, Output = True>> KeyInit for $mac<N> {
            /// Under a key of the greatest length.
            fn new(key: &digest::Key<Self>) -> Self {
                match Self::with_salt_and_personal(key, &[], &[]) {
                    Ok(mac) => mac,
                    Err(_) => unreachable!("the type says how long the key is"),
                }
            }

            /// Under a key of any allowed length.
            ///
            /// # Errors
            /// If the key is empty or longer than [`MAX_KEY_BYTES`].
            fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
                Self::with_salt_and_personal(key, &[], &[]).map_err(|_| InvalidLength)
            }
        }

        impl<N: ArraySize + NonZero + IsLessOrEqual<$max, Output = True>> MacMarker for $mac<N> {}

        impl<N: ArraySize + NonZero + IsLessOrEqual<$max, Output = True>> OutputSizeUser for $mac<N> {
            type OutputSize = N;
        }

        impl<N: ArraySize + NonZero + IsLessOrEqual<$max, Output = True>> FixedOutput for $mac<N> {
            #[inline]
            fn finalize_into(mut self, out: &mut Output<Self>) {
                self.running.finish(out);
            }
        }

        impl<N: ArraySize + NonZero + IsLessOrEqual<$max, Output = True>> FixedOutputReset for $mac<N> {
            #[inline]
            fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                self.running.finish(out);
                self.running.reset();
            }
        }

        $(#[$var_doc])*
        #[derive(Clone)]
        pub struct $var {
            running: Running<$mode, Key<$words>>,
        }

        blake2_common!($name: $words, impl[] for $var);

        impl $var {
            /// An empty message, without key, for a digest of so many bytes.
            ///
            /// # Errors
            /// If a digest cannot have so many bytes: the limits are 1 and [`MAX_OUTPUT_BYTES`].
            pub fn new(output_length: usize) -> Result<Self, ParameterError> {
                Self::with_parameters(output_length, &[], &[], &[])
            }

            /// The same with a key, a salt and a personalisation, each of which may be empty: no key, and all zeros.
            ///
            /// # Errors
            /// If a digest cannot have so many bytes, the key is longer than [`MAX_KEY_BYTES`], or salt or personalisation is
            /// neither empty nor as long as [`SALT_BYTES`] says.
            pub fn with_parameters(
                output_length: usize,
                key: &[u8],
                salt: &[u8],
                personal: &[u8],
            ) -> Result<Self, ParameterError> {
                let key = Key::<$words>::new(key)?;
                let parameters = blake2::parameters::<$words>(output_length, key.length(), salt, personal)?;
                Ok(Self { running: Running::new(parameters, key, Backends::best()) })
            }

            /// Bytes of the digest.
            pub fn output_length(&self) -> usize {
                self.running.digest_length()
            }

            /// Writes the digest.
            ///
            /// # Errors
            /// If the buffer has another length; then nothing is written.
            pub fn finalize_into(mut self, output: &mut [u8]) -> Result<(), OutputLengthError> {
                self.write(output)
            }

            /// Writes the digest and begins again, under the same key.
            ///
            /// # Errors
            /// If the buffer has another length; then nothing is written, and the message stays as it was.
            pub fn finalize_into_reset(&mut self, output: &mut [u8]) -> Result<(), OutputLengthError> {
                self.write(output)?;
                self.running.reset();
                Ok(())
            }

            fn write(&mut self, output: &mut [u8]) -> Result<(), OutputLengthError> {
                let expected = self.output_length();
                if output.len() != expected {
                    return Err(OutputLengthError { expected, given: output.len() });
                }
                self.running.finish(output);
                Ok(())
            }
        }
    };
}

/// Expands to the exported state of a sequential hash.
macro_rules! blake2_export {
    ($hash:ident: words $word:ty, max $max:ty, state $state:ty, code $code:literal) => {
        impl<N: ArraySize + NonZero + IsLessOrEqual<$max, Output = True>> $hash<N> {
            /// The state of the running hash, which [`import_state`](Self::import_state) continues, under any tier, on any
            /// architecture.
            ///
            #[doc = concat!("In order: a version (1), the algorithm (", stringify!($code), "), the bytes of the digest, salt,")]
            /// personalisation, the 8 words of the chaining value, the 2 words of the counter (least significant first), all
            /// words little-endian, the number of bytes in the block buffer, and the buffer, filled up with zeros. It
            /// reveals the message's hash and must be kept as secret as the message.
            pub fn export_state(&self) -> [u8; STATE_BYTES] {
                let mut state = [0; STATE_BYTES];
                self.running.export($code, &mut state);
                state
            }

            /// Continues an exported state, under automatic dispatch.
            ///
            /// # Errors
            /// If the state has the wrong length, version, algorithm or length of the digest, or contradicts itself.
            pub fn import_state(state: &[u8]) -> Result<Self, StateError> {
                let running = Running::import($code, Self::PARAMETERS, state)?;
                Ok(Self { running, length: PhantomData })
            }

            /// A running hash from any chaining value: `state` is the chaining value after `count` message bytes, whole blocks
            /// that were not the last.
            ///
            /// For tests of counters that no message of practical length reaches.
            ///
            /// # Errors
            /// If `count` exceeds [`MAX_MESSAGE_BYTES`].
            #[cfg(feature = "verify")]
            pub fn from_chaining_value(state: &[$word; 8], count: u128) -> Result<Self, MessageTooLong> {
                if count > MAX_MESSAGE_BYTES {
                    return Err(MessageTooLong { limit: MAX_MESSAGE_BYTES, given: count });
                }
                let running = Running::resume(*state, count, Self::PARAMETERS);
                Ok(Self { running, length: PhantomData })
            }

            /// The words of the chaining value after the blocks so far, the one that is held back aside, and the number of
            /// message bytes so far.
            #[cfg(feature = "verify")]
            pub fn chaining_value(&self) -> ([$word; 8], u128) {
                self.running.chaining_value()
            }
        }

        impl<N: ArraySize + NonZero + IsLessOrEqual<$max, Output = True>> SerializableState for $hash<N> {
            type SerializedStateSize = $state;

            /// As [`export_state`](Self::export_state).
            fn serialize(&self) -> SerializedState<Self> {
                self.export_state().into()
            }

            /// As [`import_state`](Self::import_state).
            fn deserialize(state: &SerializedState<Self>) -> Result<Self, DeserializeStateError> {
                Self::import_state(state).map_err(|_| DeserializeStateError)
            }
        }
    };
}

pub(crate) use {blake2_common, blake2_export, blake2_types};
