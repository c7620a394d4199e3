//! Messages that are hard in different ways.

use std::fmt;

use proptest::collection::vec;
use proptest::num::usize::BinarySearch;
use proptest::prelude::{Just, any};
use proptest::prop_oneof;
use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Bytes that can be described in a few words.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) length: usize,
    pub(crate) content: Content,
}

/// What a message is filled with.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// One byte, repeated.
    Constant(u8),
    /// Each byte is the one before plus a step: shows swapped words and lanes.
    Ramp { first: u8, step: u8 },
    /// A single bit set (modulo the length) among zeros: shows what a rotation or a byte swap does to it.
    Bit(usize),
    /// 32-bit words at the edges of their range, most of them all ones: long carries, in every byte order.
    Edges { seed: u64 },
    /// Random bytes by their seed.
    Random { seed: u64 },
    /// Random bytes one by one, repeated: these can be shrunk.
    Bytes(Vec<u8>),
}

impl Message {
    /// The bytes.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let length = self.length;
        match &self.content {
            Content::Constant(byte) => vec![*byte; length],
            Content::Ramp { first, step } => {
                (0..length).map(|i| first.wrapping_add(step.wrapping_mul(i as u8))).collect()
            }
            Content::Bit(bit) => {
                let mut bytes = vec![0; length];
                let bit = bit % (8 * length).max(1);
                if let Some(byte) = bytes.get_mut(bit / 8) {
                    *byte = 0x80 >> (bit % 8);
                }
                bytes
            }
            Content::Edges { seed } => {
                const ALL_ONES: [u8; 4] = [0xff; 4];
                const EDGES: [[u8; 4]; 7] = [
                    [0, 0, 0, 0],
                    [0xff, 0xff, 0xff, 0xfe],
                    [0xfe, 0xff, 0xff, 0xff],
                    [0x80, 0, 0, 0],
                    [0, 0, 0, 0x80],
                    [0x7f, 0xff, 0xff, 0xff],
                    [0, 0, 0, 1],
                ];
                let mut rng = ChaCha8Rng::seed_from_u64(*seed);
                let mut bytes = vec![0; length];
                for word in bytes.chunks_mut(4) {
                    let edge = if rng.random_ratio(3, 4) { None } else { EDGES.choose(&mut rng) };
                    word.copy_from_slice(&edge.unwrap_or(&ALL_ONES)[..word.len()]);
                }
                bytes
            }
            Content::Random { seed } => {
                let mut bytes = vec![0; length];
                ChaCha8Rng::seed_from_u64(*seed).fill_bytes(&mut bytes);
                bytes
            }
            Content::Bytes(bytes) => bytes.iter().copied().cycle().take(length).collect(),
        }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.length)?;
        match &self.content {
            _ if self.length == 0 => Ok(()),
            Content::Constant(byte) => write!(f, ", all {byte:#04x}"),
            Content::Ramp { first, step } => write!(f, " from {first:#04x} in steps of {step:#04x}"),
            Content::Bit(bit) => write!(f, ", all bits 0 but bit {}", bit % (8 * self.length)),
            Content::Edges { seed } => write!(f, " of words at the edges of their range (seed {seed})"),
            Content::Random { seed } => write!(f, " of random numbers (seed {seed})"),
            Content::Bytes(_) if self.length > 256 => {
                write!(f, ", {} repeated", hex::encode(&self.bytes()[..256]))
            }
            Content::Bytes(_) => write!(f, ", {}", hex::encode(self.bytes())),
        }
    }
}

/// Contents of all kinds; simpler ones come first, which is where shrinking goes.
pub(crate) fn content() -> impl Strategy<Value = Content> {
    prop_oneof![
        1 => prop_oneof![Just(0), Just(0xff), any::<u8>()].prop_map(Content::Constant),
        1 => (any::<u8>(), any::<u8>()).prop_map(|(first, step)| Content::Ramp { first, step }),
        1 => any::<usize>().prop_map(Content::Bit),
        2 => any::<u64>().prop_map(|seed| Content::Edges { seed }),
        2 => any::<u64>().prop_map(|seed| Content::Random { seed }),
        1 => vec(any::<u8>(), 1..=64).prop_map(Content::Bytes),
    ]
}

/// Lengths as they are drawn by another strategy, but shrunk towards 0 whatever led to them.
#[derive(Clone, Debug)]
pub(crate) struct Length<S>(pub(crate) S);

impl<S: Strategy<Value = usize>> Strategy for Length<S> {
    type Tree = BinarySearch;
    type Value = usize;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        self.0.new_tree(runner).map(|tree| BinarySearch::new(tree.current()))
    }
}

/// A block multiple up to so many blocks, or one byte less or more.
pub(crate) fn around_multiples(block: usize, most: usize) -> impl Strategy<Value = usize> {
    (1..=most, 0..=2usize).prop_map(move |(blocks, beyond)| blocks * block + beyond - 1)
}

/// Lengths around block multiples and between them, most of them short.
pub(crate) fn length(block: usize) -> impl Strategy<Value = usize> {
    Length(prop_oneof![
        6 => 0..=2 * block,
        6 => around_multiples(block, 9),
        6 => 0..=20 * block,
        1 => 0..=128 * block,
    ])
}

/// Messages of all kinds.
pub(crate) fn message(block: usize) -> impl Strategy<Value = Message> {
    (length(block), content()).prop_map(|(length, content)| Message { length, content })
}
