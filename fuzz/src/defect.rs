//! A hash with defects, to see that fuzzing finds them.

use std::arch::asm;
use std::hint::black_box;

use vambrace::{MessageTooLong, Sha256, Tier, TierError};

use crate::hash::{DigestMany, Hash, States, Subject};

/// The hash with defects, alone.
pub const SUBJECTS: &[Subject] = &[Subject::of::<Defective>()];

/// Buffered bytes when the defect strikes.
const BUFFERED: u64 = 61;
/// Whole blocks that the update then makes of them, at least.
const BLOCKS: u64 = 5;

/// What an input begins with that is read beyond its end. No fuzzer finds it by chance: it is for the tests, which see
/// that such a read is noticed.
const READS_BEYOND: u64 = u64::from_be_bytes(*b"overread");

/// SHA-256, but an update that makes five or more whole blocks, and no rest, out of 61 buffered bytes and its own changes
/// one bit of the digest: as if a kernel whose loop takes four blocks were entered wrongly after one from the buffer.
///
/// The condition is computed without branches or comparisons. A kernel's assembly shows libFuzzer nothing of what happens
/// inside, so this must not either.
#[derive(Clone)]
pub struct Defective {
    hash: Sha256,
    /// Bytes of the message, modulo 2^64.
    length: u64,
    wrong: u8,
}

/// 1 for equal values, else 0.
fn equal(a: u64, b: u64) -> u8 {
    let difference = black_box(a ^ b);
    1 ^ (black_box(difference | difference.wrapping_neg()) >> 63) as u8
}

/// Reads the byte after some others, as a kernel might.
fn read_beyond(data: &[u8]) {
    // SAFETY: not sound, which is the point: it reads what lies there, drops it, or faults. Nothing is written.
    unsafe {
        #[cfg(target_arch = "aarch64")]
        asm!("ldrb {byte:w}, [{address}]", address = in(reg) data.as_ptr_range().end, byte = out(reg) _, options(readonly));
        #[cfg(target_arch = "arm")]
        asm!("ldrb {byte}, [{address}]", address = in(reg) data.as_ptr_range().end, byte = out(reg) _, options(readonly));
    }
}

const OF_SHA256: States<Sha256> = <Sha256 as Hash>::STATES.unwrap();

impl Defective {
    /// Goes on with a hash that may be in the middle of a message.
    fn resumed(hash: Sha256) -> Defective {
        let (_, length) = hash.chaining_value();
        Defective { hash, length: length as u64, wrong: 0 }
    }
}

impl Hash for Defective {
    const ALGORITHM: &'static str = <Sha256 as Hash>::ALGORITHM;
    const KERNELS: &'static str = <Sha256 as Hash>::KERNELS;
    const LIMIT: u128 = <Sha256 as Hash>::LIMIT;
    const STATES: Option<States<Self>> = Some(States {
        export: |hash| (OF_SHA256.export)(&hash.hash),
        import: |state| (OF_SHA256.import)(state).map(Defective::resumed),
        inject: |state, count| (OF_SHA256.inject)(state, count).map(Defective::resumed),
    });
    const DIGEST_MANY: Option<DigestMany> = <Sha256 as Hash>::DIGEST_MANY;

    fn with_tier(tier: Tier) -> Result<Self, TierError> {
        Ok(Defective { hash: Sha256::with_tier(tier)?, length: 0, wrong: 0 })
    }

    fn set_tier(&mut self, tier: Tier) -> Result<(), TierError> {
        self.hash.set_tier(tier)
    }

    fn set_variant(&mut self, variant: &str) -> Result<(), TierError> {
        self.hash.set_variant(variant)
    }

    fn try_update(&mut self, data: &[u8]) -> Result<(), MessageTooLong> {
        self.hash.try_update(data)?;
        if let Some((first, _)) = data.split_first_chunk()
            && equal(u64::from_be_bytes(*first), READS_BEYOND) == 1
        {
            read_beyond(data);
        }
        let buffered = self.length % 64;
        self.length = self.length.wrapping_add(data.len() as u64);
        let bytes = buffered + data.len() as u64;
        let enough = 1 ^ equal(bytes / (64 * BLOCKS), 0);
        self.wrong |= equal(buffered, BUFFERED) & equal(bytes % 64, 0) & enough;
        Ok(())
    }

    fn reset(&mut self) {
        Hash::reset(&mut self.hash);
        (self.length, self.wrong) = (0, 0);
    }

    fn finalize(self) -> Vec<u8> {
        let mut digest = Hash::finalize(self.hash);
        digest[0] ^= self.wrong;
        digest
    }

    fn finalize_reset(&mut self) -> Vec<u8> {
        let digest = self.clone().finalize();
        self.reset();
        digest
    }
}
