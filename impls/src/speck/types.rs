//! The macros that make kernels and types of a word size.

/// Expands to a word size: the cipher for all its key lengths, each a number of words for a number of rounds.
macro_rules! speck_words {
    (
        $(#[$doc:meta])*
        $words:ident: $word:ty, block $block:literal, $max_rounds:ident is $most:literal,
        keys [$($bytes:literal: $m:literal for $rounds:literal),*]
    ) => {
        /// The most rounds.
        const $max_rounds: usize = $most;

        $(#[$doc])*
        pub(crate) struct $words;

        impl xts::Cipher for $words {
            type Block = [u8; $block];
            type KeyUnit = $word;
            type Key = RoundKeys<$word, $max_rounds>;
            type Prepare = ();

            const BLOCK_BYTES: usize = $block;

            fn expand(key: &[u8], _: &'static Backend<Self>, expanded: &mut Self::Key) {
                /// A key of `M` words, for `T` rounds.
                #[inline]
                fn fill<const M: usize, const T: usize>(key: &[u8], expanded: &mut RoundKeys<$word, $max_rounds>) {
                    let (words, _) = key.as_chunks();
                    let key = core::array::from_fn::<_, M, _>(|i| <$word>::from_le_bytes(words[i]));
                    expanded.fill::<T>(specification::round_keys(&key));
                }
                match key.len() {
                    $($bytes => fill::<$m, $rounds>(key, expanded),)*
                    length => unreachable!("no type has a key of {length} bytes"),
                }
            }

            fn convert(_: &mut Self::Key, _: &'static Backend<Self>) {}

            fn encrypt_key(key: &Self::Key) -> (*const $word, u32) {
                key.pointer()
            }

            fn decrypt_key(key: &Self::Key) -> (*const $word, u32) {
                key.pointer()
            }

            fn block(bytes: &[u8]) -> Option<&[u8; $block]> {
                bytes.try_into().ok()
            }

            fn next(mut tweak: [u8; $block]) -> [u8; $block] {
                mode::next_tweak(&mut tweak);
                tweak
            }

            fn dispatch() -> &'static Dispatch<Backend<Self>> {
                &kernels::DISPATCH
            }
        }
    };
}

/// Expands one kernel with these arguments: contract data, naked function.
macro_rules! speck_kernel_with {
    (
        [$($argument:ident: $ty:ty),*]
        $module:ident on $architecture:ident if $cfg:ident: $name:literal = $tier:ident $variant:literal by $contract:path,
        from $source:literal, needs [$($feature:ident),*], stack $stack:literal
    ) => {
        kernel! {
            $module on $architecture if $cfg: $name = $tier $variant x 1,
            fn($($argument: $ty),*) as $contract,
            from $source, needs [$($feature),*], stack $stack
        }
    };
}

/// Expands one kernel of XTS.
macro_rules! speck_kernel {
    ([$word:ty, $block:literal] $($kernel:tt)*) => {
        speck_kernel_with! {
            [keys: *const $word, tweak: *mut [u8; $block], input: *const u8, output: *mut u8, count: usize, rounds: u32]
            $($kernel)*
        }
    };
}

/// Expands one kernel for a data unit of one block.
macro_rules! speck_kernel_one {
    ([$word:ty, $block:literal] $($kernel:tt)*) => {
        speck_kernel_with! {
            [
                keys: *const $word, tweak_keys: *const $word, tweak: *const [u8; $block], input: *const u8,
                output: *mut u8, rounds: u32
            ]
            $($kernel)*
        }
    };
}

/// Expands to the bare block cipher with a key length.
macro_rules! speck_block {
    (
        $(#[$doc:meta])*
        $speck:ident, $name:literal: $cipher:ty, key $key_size:ty, block $block:literal as $block_size:ty,
        together $par_blocks:ty
    ) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $speck {
            keyed: Keyed<$cipher>,
        }

        impl $speck {
            /// The same key, for the kernels of this tier.
            ///
            /// # Errors
            /// If the CPU lacks a feature that the tier needs, or no such kernel exists for the architecture; then the tier
            /// stays as it was.
            pub fn set_tier(&mut self, tier: Tier) -> Result<(), TierError> {
                self.keyed.set_backend(<$cipher as xts::Cipher>::dispatch().of_tier($name, tier)?);
                Ok(())
            }

            /// The tier whose kernels encrypt and decrypt.
            pub fn tier(&self) -> Tier {
                self.keyed.backend().tier
            }

            /// Any number of whole blocks, in one call of the kernel.
            fn blocks(&self, direction: Direction, blocks: InOutBuf<'_, '_, Block<Self>>) {
                let count = blocks.len();
                let (input, output) = blocks.into_raw();
                // SAFETY: a block is an array of bytes without padding, so as many blocks are so many bytes, at the same
                // addresses.
                let bytes = unsafe { InOutBuf::from_raw(input.cast::<u8>(), output.cast::<u8>(), count * $block) };
                self.bytes(direction, bytes);
            }

            /// The bytes of whole blocks.
            fn bytes(&self, direction: Direction, bytes: InOutBuf<'_, '_, u8>) {
                self.keyed.blocks(direction, &mut [0; $block], bytes);
            }
        }

        impl fmt::Debug for $speck {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($speck), " { .. }"))
            }
        }

        impl ZeroizeOnDrop for $speck {}

        impl AlgorithmName for $speck {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($speck))
            }
        }

        impl KeySizeUser for $speck {
            type KeySize = $key_size;
        }

        impl BlockSizeUser for $speck {
            type BlockSize = $block_size;
        }

        impl ParBlocksSizeUser for $speck {
            type ParBlocksSize = $par_blocks;
        }

        impl KeyInit for $speck {
            fn new(key: &Key<Self>) -> Self {
                Self { keyed: Keyed::new(key, <$cipher as xts::Cipher>::dispatch().best()) }
            }
        }

        impl BlockCipherEncrypt for $speck {
            fn encrypt_with_backend(&self, f: impl BlockCipherEncClosure<BlockSize = $block_size>) {
                f.call(self);
            }
            fn encrypt_blocks_inout(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
                self.blocks(Direction::Encrypt, blocks);
            }
            fn encrypt_blocks(&self, blocks: &mut [Block<Self>]) {
                self.blocks(Direction::Encrypt, blocks.into());
            }
        }

        impl BlockCipherEncBackend for $speck {
            fn encrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
                self.bytes(Direction::Encrypt, block.into_buf());
            }
            fn encrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
                self.blocks(Direction::Encrypt, blocks.into_buf());
            }
        }

        impl BlockCipherDecrypt for $speck {
            fn decrypt_with_backend(&self, f: impl BlockCipherDecClosure<BlockSize = $block_size>) {
                f.call(self);
            }
            fn decrypt_blocks_inout(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
                self.blocks(Direction::Decrypt, blocks);
            }
            fn decrypt_blocks(&self, blocks: &mut [Block<Self>]) {
                self.blocks(Direction::Decrypt, blocks.into());
            }
        }

        impl BlockCipherDecBackend for $speck {
            fn decrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
                self.bytes(Direction::Decrypt, block.into_buf());
            }
            fn decrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
                self.blocks(Direction::Decrypt, blocks.into_buf());
            }
        }
    };
}

pub(crate) use {speck_block, speck_kernel, speck_kernel_one, speck_kernel_with, speck_words};
