//! Executable specifications, written to be read beside the standards.
//!
//! Each specification is generic over the [`Word`] type, so that one text runs on integers today and on symbolic
//! terms when machine code is proved equal to it. Its `u32` and `u64` instances are the portable tier of `vambrace`.
//! Nothing here is tuned: a line of code is a line of the standard.
//!
//! With feature `oracles` the crate also adapts implementations that others wrote (module `oracles`), which judge the
//! specifications as they judge the kernels: a specification never judges itself.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "oracles")]
extern crate std;

pub mod aes;
pub mod blake2;
#[cfg(feature = "oracles")]
pub mod oracles;
pub mod salsa20;
pub mod sha2;
pub mod speck;
pub mod xts;

/// A word of [`BITS`](Word::BITS) bits: an unsigned integer, or a term that stands for one.
///
/// Operations take references since a term need not be `Copy`.
pub trait Word: Clone {
    /// The number of bits, 32 or 64.
    const BITS: u32;

    /// The word with this value; `value` fits.
    fn constant(value: u64) -> Self;
    /// Addition modulo 2^BITS.
    fn add(&self, other: &Self) -> Self;
    /// Subtraction modulo 2^BITS.
    fn sub(&self, other: &Self) -> Self;
    /// Addition of a word to an integer of two words, the lower one first, modulo 2^(2 BITS).
    fn add_to_pair(pair: [&Self; 2], n: &Self) -> [Self; 2];
    /// Bitwise exclusive or.
    fn xor(&self, other: &Self) -> Self;
    /// Bitwise and.
    fn and(&self, other: &Self) -> Self;
    /// Bitwise or.
    fn or(&self, other: &Self) -> Self;
    /// Bitwise complement.
    fn not(&self) -> Self;
    /// Rotation right by 0 < n < BITS.
    fn rotr(&self, n: u32) -> Self;
    /// Logical shift right by 0 < n < BITS.
    fn shr(&self, n: u32) -> Self;
    /// Logical shift left by 0 < n < BITS.
    fn shl(&self, n: u32) -> Self;
}

macro_rules! word {
    ($integer:ty) => {
        impl Word for $integer {
            const BITS: u32 = <$integer>::BITS;

            #[inline(always)]
            fn constant(value: u64) -> Self {
                debug_assert!(value <= u64::from(<$integer>::MAX));
                value as $integer
            }
            #[inline(always)]
            fn add(&self, other: &Self) -> Self {
                self.wrapping_add(*other)
            }
            #[inline(always)]
            fn sub(&self, other: &Self) -> Self {
                self.wrapping_sub(*other)
            }
            #[inline(always)]
            fn add_to_pair([low, high]: [&Self; 2], n: &Self) -> [Self; 2] {
                let (low, carry) = low.overflowing_add(*n);
                [low, high.wrapping_add(<$integer>::from(carry))]
            }
            #[inline(always)]
            fn xor(&self, other: &Self) -> Self {
                self ^ other
            }
            #[inline(always)]
            fn and(&self, other: &Self) -> Self {
                self & other
            }
            #[inline(always)]
            fn or(&self, other: &Self) -> Self {
                self | other
            }
            #[inline(always)]
            fn not(&self) -> Self {
                !self
            }
            #[inline(always)]
            fn rotr(&self, n: u32) -> Self {
                self.rotate_right(n)
            }
            #[inline(always)]
            fn shr(&self, n: u32) -> Self {
                self >> n
            }
            #[inline(always)]
            fn shl(&self, n: u32) -> Self {
                self << n
            }
        }
    };
}

word!(u32);
word!(u64);
