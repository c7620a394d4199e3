//! The macro that makes a public hash type.

/// Expands to a hash of a [`Family`](crate::sha2::Family) with the traits of the crate `digest`, and its block-level core.
///
/// The module that calls it has the public constants `MAX_MESSAGE_BYTES` and `STATE_BYTES`, and the imports of `sha256`.
macro_rules! sha2_hash {
    (
        $(#[$doc:meta])*
        $hash:ident, $core:ident, $name:literal: $family:ident of $word:ty, block $block:ty, token $token:path,
        output $output:ty, from $initial:path, state $state:ty, code $code:literal, oid $oid:literal
    ) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $hash {
            engine: Engine<$family>,
        }

        impl $hash {
            const INITIAL: &'static [$word; 8] = &$initial;
            /// What an exported state says it belongs to.
            const CODE: u8 = $code;

            /// An empty message, to be hashed by the kernel of this tier.
            ///
            /// # Errors
            /// If the CPU lacks a feature that the tier needs, or no such kernel exists for the architecture.
            pub fn with_tier(tier: Tier) -> Result<Self, TierError> {
                $family::dispatch().of_tier($name, tier).map(|backend| Self { engine: Engine::new(Self::INITIAL, backend) })
            }

            /// An empty message, to be hashed by the NEON kernel.
            pub fn with_neon(_: cpu::Neon) -> Self {
                Self { engine: Engine::new(Self::INITIAL, $family::dispatch().with_token(Tier::Neon)) }
            }

            /// An empty message, to be hashed by the kernel of the Cryptographic Extension.
            pub fn with_ce(_: $token) -> Self {
                Self { engine: Engine::new(Self::INITIAL, $family::dispatch().with_token(Tier::Ce)) }
            }

            /// The same running hash, continued by the kernel of this tier: all tiers share one state.
            ///
            /// # Errors
            /// As [`with_tier`](Self::with_tier); then the tier stays as it was.
            pub fn set_tier(&mut self, tier: Tier) -> Result<(), TierError> {
                self.engine.set_backend($family::dispatch().of_tier($name, tier)?);
                Ok(())
            }

            /// The tier whose kernel hashes this message.
            pub fn tier(&self) -> Tier {
                self.engine.backend().tier
            }

            /// Appends to the message.
            ///
            /// # Errors
            /// If the message would be longer than [`MAX_MESSAGE_BYTES`]; then it stays as it was.
            #[inline]
            pub fn try_update(&mut self, data: &[u8]) -> Result<(), MessageTooLong> {
                self.engine.try_update(data)
            }

            /// The state of the running hash, which [`import_state`](Self::import_state) continues, under any tier, on
            /// any architecture.
            ///
            #[doc = concat!("In order: a version (1), the algorithm (", stringify!($code), "), the 8 words of the hash")]
            /// value and the number of message bytes so far (in as many bytes as the length field of the padding has),
            /// all big-endian, and the bytes of the incomplete block, filled up with zeros. A hash that `update` took beyond
            /// [`MAX_MESSAGE_BYTES`] has a state too, but none that can be imported. It reveals the message's hash and must be
            /// kept as secret as the message.
            pub fn export_state(&self) -> [u8; STATE_BYTES] {
                let mut state = [0; STATE_BYTES];
                self.engine.export(Self::CODE, &mut state);
                state
            }

            /// Continues an exported state, under automatic dispatch.
            ///
            /// # Errors
            /// If the state has the wrong length, version or algorithm, or contradicts itself.
            pub fn import_state(state: &[u8]) -> Result<Self, StateError> {
                Engine::import(Self::CODE, state, $family::dispatch().best()).map(|engine| Self { engine })
            }

            /// The digest of a message that is there in one piece.
            ///
            /// The same as [`Digest::digest`](digest::Digest::digest), which it goes before. That one passes the running hash
            /// on by value, so that a copy may stay behind on the stack that nobody clears; here it stays where it is.
            #[inline]
            pub fn digest(message: impl AsRef<[u8]>) -> Output<Self> {
                let mut output = Output::<Self>::default();
                sha2::digest($family::dispatch().best(), Self::INITIAL, message.as_ref(), &mut output);
                output
            }

            /// The digests of several independent messages, of any number and lengths, by the kernels that the CPU is
            /// fastest with for several messages at once.
            ///
            /// ```
            #[doc = concat!("use vambrace::{Digest, ", stringify!($hash), "};")]
            ///
            /// let mut outputs = [Default::default(); 3];
            #[doc = concat!(stringify!($hash), "::digest_many(&[b\"a\", b\"bc\", b\"\"], &mut outputs)?;")]
            #[doc = concat!("assert_eq!(outputs[1], ", stringify!($hash), "::digest(b\"bc\"));")]
            /// # Ok::<(), vambrace::LaneCountError>(())
            /// ```
            ///
            /// # Errors
            /// If there are not as many outputs as messages; then nothing is written.
            pub fn digest_many(messages: &[&[u8]], outputs: &mut [Output<Self>]) -> Result<(), LaneCountError> {
                sha2::digest_many($family::dispatch().best(), Self::INITIAL, messages, outputs)
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
                let backend = $family::dispatch().of_tier($name, tier)?;
                Ok(sha2::digest_many(backend, Self::INITIAL, messages, outputs)?)
            }

            /// An empty message, to be hashed by the kernel for two messages, with another message in the other lane.
            ///
            /// # Errors
            /// As [`with_tier`](Self::with_tier).
            #[cfg(feature = "verify")]
            pub fn with_pair_kernel() -> Result<Self, TierError> {
                sha2::paired::<$family>($name).map(|backend| Self { engine: Engine::new(Self::INITIAL, backend) })
            }

            /// The same running hash, continued as [`with_pair_kernel`](Self::with_pair_kernel) says.
            ///
            /// # Errors
            /// As [`with_tier`](Self::with_tier); then the tier stays as it was.
            #[cfg(feature = "verify")]
            pub fn set_pair_kernel(&mut self) -> Result<(), TierError> {
                self.engine.set_backend(sha2::paired::<$family>($name)?);
                Ok(())
            }

            /// A running hash from any chaining value: `state` is the hash value after `count` message bytes.
            ///
            /// For tests of counters that no message of practical length reaches.
            ///
            /// # Errors
            /// If `count` exceeds [`MAX_MESSAGE_BYTES`].
            ///
            /// # Panics
            /// If `count` is not a whole number of blocks.
            #[cfg(feature = "verify")]
            pub fn from_chaining_value(state: &[$word; 8], count: u128) -> Result<Self, MessageTooLong> {
                assert!(count % $family::BLOCK_BYTES as u128 == 0, "{count} bytes are no whole number of blocks");
                match $family::length(count).filter(|_| count <= $family::MAX_MESSAGE_BYTES) {
                    Some(length) => Ok(Self { engine: Engine::resume(*state, length, $family::dispatch().best()) }),
                    None => Err(MessageTooLong { limit: $family::MAX_MESSAGE_BYTES, given: count }),
                }
            }

            /// The words of the hash value after the whole blocks so far, and the number of message bytes so far.
            #[cfg(feature = "verify")]
            pub fn chaining_value(&self) -> ([$word; 8], u128) {
                self.engine.chaining_value()
            }
        }

        impl Default for $hash {
            #[inline]
            fn default() -> Self {
                Self { engine: Engine::new(Self::INITIAL, $family::dispatch().best()) }
            }
        }

        impl fmt::Debug for $hash {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($hash), " { .. }"))
            }
        }

        impl HashMarker for $hash {}
        impl ZeroizeOnDrop for $hash {}

        impl AlgorithmName for $hash {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($hash))
            }
        }

        impl AssociatedOid for $hash {
            const OID: ObjectIdentifier = ObjectIdentifier::new_unwrap($oid);
        }

        impl BlockSizeUser for $hash {
            type BlockSize = $block;
        }

        impl OutputSizeUser for $hash {
            type OutputSize = $output;
        }

        impl Update for $hash {
            /// Appends to the message. Beyond [`MAX_MESSAGE_BYTES`] the length wraps, modulo the range of the padding's field.
            #[inline]
            fn update(&mut self, data: &[u8]) {
                self.engine.update(data);
            }
        }

        impl FixedOutput for $hash {
            #[inline]
            fn finalize_into(mut self, out: &mut Output<Self>) {
                self.engine.finish(out);
            }
        }

        impl Reset for $hash {
            #[inline]
            fn reset(&mut self) {
                self.engine.reset(Self::INITIAL);
            }
        }

        impl FixedOutputReset for $hash {
            #[inline]
            fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                self.engine.finish(out);
                self.engine.reset(Self::INITIAL);
            }
        }

        impl SerializableState for $hash {
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

        impl CoreProxy for $hash {
            type Core = $core;

            fn compose(core: $core, buffer: Buffer<$core>) -> Self {
                let mut engine = core.engine.clone();
                engine.update(buffer.get_data());
                Self { engine }
            }

            fn decompose(self) -> ($core, Buffer<$core>) {
                let (engine, partial) = self.engine.split();
                ($core { engine }, Buffer::<$core>::new(partial.as_slice()))
            }
        }

        #[doc = concat!("The block-level core of [`", stringify!($hash), "`], for `Hmac` and its like.")]
        #[derive(Clone)]
        pub struct $core {
            /// Holds whole blocks only.
            engine: Engine<$family>,
        }

        impl Default for $core {
            fn default() -> Self {
                Self { engine: Engine::new($hash::INITIAL, $family::dispatch().best()) }
            }
        }

        impl fmt::Debug for $core {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($core), " { .. }"))
            }
        }

        impl HashMarker for $core {}
        impl ZeroizeOnDrop for $core {}

        impl AlgorithmName for $core {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($hash))
            }
        }

        impl BlockSizeUser for $core {
            type BlockSize = $block;
        }

        impl OutputSizeUser for $core {
            type OutputSize = $output;
        }

        impl BufferKindUser for $core {
            type BufferKind = Eager;
        }

        impl UpdateCore for $core {
            fn update_blocks(&mut self, blocks: &[Block<Self>]) {
                self.engine.update(Block::<Self>::slice_as_flattened(blocks));
            }
        }

        impl FixedOutputCore for $core {
            fn finalize_fixed_core(&mut self, buffer: &mut Buffer<Self>, out: &mut Output<Self>) {
                self.engine.update(buffer.get_data());
                buffer.reset();
                self.engine.finish(out);
            }
        }

        impl Reset for $core {
            fn reset(&mut self) {
                self.engine.reset($hash::INITIAL);
            }
        }

        impl SerializableState for $core {
            type SerializedStateSize = $state;

            fn serialize(&self) -> SerializedState<Self> {
                let mut state = SerializedState::<Self>::default();
                self.engine.export($hash::CODE, &mut state);
                state
            }

            fn deserialize(state: &SerializedState<Self>) -> Result<Self, DeserializeStateError> {
                let engine =
                    Engine::import($hash::CODE, state, $family::dispatch().best()).map_err(|_| DeserializeStateError)?;
                if engine.is_between_blocks() { Ok(Self { engine }) } else { Err(DeserializeStateError) }
            }
        }
    };
}
pub(crate) use sha2_hash;
