//! The macros that make the kernels of a word size. The module that calls them has the contracts `COMPRESS` and `COMPRESS_X2`.

/// Expands one kernel for one message: contract data, naked function, safe wrapper.
macro_rules! sha2_compress {
    (
        $(#[$doc:meta])*
        [$word:ty, $block:literal] $wrapper:ident($($token:ty)?): $module:ident on $architecture:ident if $cfg:ident: $name:literal = $tier:ident $variant:literal,
        from $source:literal, needs [$($feature:ident),*], stack $stack:literal
    ) => {
        kernel! {
            $module on $architecture if $cfg: $name = $tier $variant x 1,
            fn(state: *mut [$word; 8], blocks: *const [u8; $block], count: usize) as super::COMPRESS,
            from $source, needs [$($feature),*], stack $stack
        }

        $(#[$doc])*
        ///
        /// Replaces `state` (the words of the hash value in order) by the hash value after `blocks`.
        #[cfg($cfg)]
        pub fn $wrapper($(_: $token,)? state: &mut [$word; 8], blocks: &[[u8; $block]]) {
            // SAFETY: both pointers come from references that are valid for the sizes in `COMPRESS` (eight aligned
            // words, and a block of bytes for each of the count) and cannot overlap; the token says that the CPU has the features.
            unsafe { $module::entry(state, blocks.as_ptr(), blocks.len()) }
        }
    };
}

/// The same for a kernel of two messages.
macro_rules! sha2_compress_x2 {
    (
        $(#[$doc:meta])*
        [$word:ty, $block:literal] $wrapper:ident($($token:ty)?): $module:ident on $architecture:ident if $cfg:ident: $name:literal = $tier:ident $variant:literal,
        from $source:literal, needs [$($feature:ident),*], stack $stack:literal
    ) => {
        kernel! {
            $module on $architecture if $cfg: $name = $tier $variant x 2,
            fn(
                state0: *mut [$word; 8],
                state1: *mut [$word; 8],
                blocks0: *const [u8; $block],
                blocks1: *const [u8; $block],
                count: usize
            ) as super::COMPRESS_X2,
            from $source, needs [$($feature),*], stack $stack
        }

        $(#[$doc])*
        ///
        /// Replaces each state by the hash value after the blocks of the same number. The message with fewer blocks
        /// limits both; returns how many blocks of each were taken.
        #[cfg($cfg)]
        pub fn $wrapper($(_: $token,)? states: [&mut [$word; 8]; 2], blocks: [&[[u8; $block]]; 2]) -> usize {
            let [state0, state1] = states;
            let count = blocks[0].len().min(blocks[1].len());
            // SAFETY: as for one message; the states are distinct, being mutable references, and the messages are only
            // read. Each has at least `count` blocks.
            unsafe { $module::entry(state0, state1, blocks[0].as_ptr(), blocks[1].as_ptr(), count) }
            count
        }
    };
}

pub(crate) use {sha2_compress, sha2_compress_x2};
