//! Real speed of the hash functions on the machine that this runs on, in the rows of the Linux hash speed test.
//!
//! ```text
//! cargo bench -p vambrace --bench hash_speed -- [--algorithm ALGORITHM] [--tier TIER] [--seconds SECONDS] [FILTER]
//! ```
//!
//! The algorithms are sha256, sha512, blake2b and blake2s, the last two with digests of the greatest length.
//! A row `1024:256` is one digest of a message of 1024 bytes that comes in updates of 256 bytes, from a copy of an empty
//! hash to `finalize`. A row `many 16 x 64` is one call of `digest_many` for 16 messages of 64 bytes, counted as 16
//! operations. FILTER keeps the rows that contain it. Without `--bench`, which `cargo bench` adds, or with `--test`, every row
//! runs once and only its digest is looked at.

mod measuring;

use std::fmt;
use std::hint::black_box;
use std::process::ExitCode;

use vambrace::digest::{FixedOutput, Output, Update};
use vambrace::{Blake2b512, Blake2s256, ManyError, Sha256, Sha512, Tier, TierError};

use measuring::Algorithm;

/// Message sizes, and the sizes of the updates that each comes in.
const ROWS: [(usize, &[usize]); 7] = [
    (16, &[16]),
    (64, &[16, 64]),
    (256, &[16, 64, 256]),
    (1024, &[16, 256, 1024]),
    (2048, &[16, 256, 1024, 2048]),
    (4096, &[16, 256, 1024, 4096]),
    (8192, &[16, 256, 1024, 4096, 8192]),
];

/// Messages for one call of `digest_many`.
const MANY: usize = 16;
/// Their sizes.
const MANY_SIZES: [usize; 6] = [16, 64, 256, 1024, 4096, 8192];

/// A hash of the library.
trait Hash: Update + FixedOutput + Clone + Default {
    const NAME: &'static str;
    fn with_tier(tier: Tier) -> Result<Self, TierError>;
    fn tier(&self) -> Tier;
    fn digest_many(tier: Tier, messages: &[&[u8]], outputs: &mut [Output<Self>]) -> Result<(), ManyError>;
}

macro_rules! hashes {
    ($($hash:ty = $name:literal),*) => {
        $(impl Hash for $hash {
            const NAME: &'static str = $name;
            fn with_tier(tier: Tier) -> Result<Self, TierError> {
                <$hash>::with_tier(tier)
            }
            fn tier(&self) -> Tier {
                <$hash>::tier(self)
            }
            #[inline]
            fn digest_many(tier: Tier, messages: &[&[u8]], outputs: &mut [Output<Self>]) -> Result<(), ManyError> {
                <$hash>::digest_many_with_tier(tier, messages, outputs)
            }
        })*

        const ALGORITHMS: &measuring::Algorithms = &[$(($name, measuring::rows::<$hash>)),*];
    };
}

hashes!(Sha256 = "sha256", Sha512 = "sha512", Blake2b512 = "blake2b", Blake2s256 = "blake2s");

fn main() -> ExitCode {
    measuring::run("hash_speed", ALGORITHMS)
}

/// What is done in one operation.
enum Row {
    One { bytes: usize, update: usize },
    Many { bytes: usize },
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Row::One { bytes, update } => f.pad(&format!("{bytes}:{update}")),
            Row::Many { bytes } => f.pad(&format!("many {MANY} x {bytes}")),
        }
    }
}

impl Row {
    fn all() -> impl Iterator<Item = Row> {
        let one =
            ROWS.iter().flat_map(|&(bytes, updates)| updates.iter().map(move |&update| Row::One { bytes, update }));
        one.chain(MANY_SIZES.map(|bytes| Row::Many { bytes }))
    }

    /// Bytes of each message, and messages of an operation.
    fn shape(&self) -> (usize, usize) {
        match *self {
            Row::One { bytes, .. } => (bytes, 1),
            Row::Many { bytes } => (bytes, MANY),
        }
    }
}

impl<H: Hash> Algorithm for H {
    type Row = Row;

    const NAME: &'static str = <H as Hash>::NAME;

    fn has_tier(tier: Tier) -> Result<(), TierError> {
        H::with_tier(tier).map(drop)
    }

    fn dispatched() -> Tier {
        H::default().tier()
    }

    fn rows() -> Vec<Row> {
        Row::all().collect()
    }

    fn shape(row: &Row) -> (usize, usize) {
        row.shape()
    }

    fn is_right(row: &Row, tier: Tier) -> bool {
        let whole = Row::One { bytes: row.shape().0, update: usize::MAX };
        let mut expected = Operation::<H>::new(&whole, Tier::Generic);
        let expected = &expected.run(1)[0];
        Operation::<H>::new(row, tier).run(1).iter().all(|digest| digest == expected)
    }

    fn operation(row: &Row, tier: Tier) -> impl FnMut(u32) {
        let mut operation = Operation::<H>::new(row, tier);
        move |times| {
            operation.run(times);
        }
    }
}

/// A row in a tier, with what it works on.
struct Operation<H: Hash> {
    empty: H,
    tier: Tier,
    message: Vec<u8>,
    update: usize,
    many: bool,
    outputs: Vec<Output<H>>,
}

impl<H: Hash> Operation<H> {
    fn new(row: &Row, tier: Tier) -> Operation<H> {
        let (bytes, messages) = row.shape();
        let (update, many) = match *row {
            Row::One { update, .. } => (update, false),
            Row::Many { .. } => (bytes, true),
        };
        Operation {
            empty: H::with_tier(tier).expect("the tier was had a moment ago"),
            tier,
            message: (0..bytes).map(|i| i as u8).collect(),
            update,
            many,
            outputs: vec![Output::<H>::default(); messages],
        }
    }

    fn run(&mut self, times: u32) -> &[Output<H>] {
        if self.many {
            let messages = [self.message.as_slice(); MANY];
            for _ in 0..times {
                let done = H::digest_many(self.tier, black_box(&messages), &mut self.outputs);
                assert_eq!(done, Ok(()));
            }
        } else {
            for _ in 0..times {
                let mut hash = self.empty.clone();
                for part in black_box(&self.message).chunks(self.update) {
                    hash.update(part);
                }
                self.outputs[0] = hash.finalize_fixed();
            }
        }
        black_box(&self.outputs)
    }
}
