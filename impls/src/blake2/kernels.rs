//! The macros that make the kernels of a word size. The module that calls them has the contracts `COMPRESS` and
//! `COMPRESS_X2` or `COMPRESS_X4`.

/// Expands one kernel for one message: contract data, naked function, safe wrapper.
macro_rules! blake2_compress {
    (
        $(#[$doc:meta])*
        [$word:ty, $block:literal] $wrapper:ident($($token:ty)?): $module:ident on $architecture:ident if $cfg:ident: $name:literal = $tier:ident $variant:literal,
        from $source:literal, needs [$($feature:ident),*], stack $stack:literal
    ) => {
        kernel! {
            $module on $architecture if $cfg: $name = $tier $variant x 1,
            fn(state: *mut crate::blake2::State<$word>, blocks: *const [u8; $block], count: usize, increment: usize)
                as super::COMPRESS,
            from $source, needs [$($feature),*], stack $stack
        }

        $(#[$doc])*
        ///
        /// Compresses `blocks` into `state`. Before each, the counter grows by `increment` bytes (up to a block's).
        #[cfg($cfg)]
        pub fn $wrapper($(_: $token,)? state: &mut State<$word>, blocks: &[[u8; $block]], increment: usize) {
            assert!(increment <= $block, "a block has {} bytes, and cannot count for {increment}", $block);
            // SAFETY: both pointers come from references that are valid for the sizes in `COMPRESS` (twelve aligned words, and
            // a block of bytes for each of the count) and cannot overlap; the token says that the CPU has the features.
            unsafe { $module::entry(state, blocks.as_ptr(), blocks.len(), increment) }
        }
    };
}

/// The same for a kernel of several messages.
macro_rules! blake2_compress_many {
    (
        $(#[$doc:meta])*
        [$word:ty, $block:literal] $wrapper:ident($token:ty): $module:ident on $architecture:ident if $cfg:ident: $name:literal = $tier:ident $variant:literal x $lanes:literal,
        fn($($state:ident),*; $($blocks:ident),*) as $contract:path,
        from $source:literal, needs [$($feature:ident),*], stack $stack:literal
    ) => {
        kernel! {
            $module on $architecture if $cfg: $name = $tier $variant x $lanes,
            fn(
                $($state: *mut crate::blake2::State<$word>,)*
                $($blocks: *const [u8; $block],)*
                count: usize, increment: usize
            ) as $contract,
            from $source, needs [$($feature),*], stack $stack
        }

        $(#[$doc])*
        ///
        /// Compresses blocks of the same number into each state. Before each, the counters grow by `increment` bytes (up to a
        /// block's). The message with the fewest blocks limits all; returns how many blocks of each were taken.
        #[cfg($cfg)]
        pub fn $wrapper(
            _: $token,
            states: [&mut State<$word>; $lanes],
            blocks: [&[[u8; $block]]; $lanes],
            increment: usize,
        ) -> usize {
            assert!(increment <= $block, "a block has {} bytes, and cannot count for {increment}", $block);
            let count = blocks.iter().map(|blocks| blocks.len()).min().unwrap_or_default();
            let [$($state),*] = states;
            let [$($blocks),*] = blocks;
            // SAFETY: as for one message; the states are distinct, being mutable references, and the messages are only
            // read. Each has at least `count` blocks.
            unsafe { $module::entry($($state,)* $($blocks.as_ptr(),)* count, increment) }
            count
        }
    };
}

pub(crate) use {blake2_compress, blake2_compress_many};
