//! A call of a kernel, and what surrounds it.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::architecture::Registers;
use super::memory::first_difference;
use super::register::Register;

/// More arguments than any entry point should have.
pub(super) const MAX_ARGUMENTS: usize = 16;

/// A number with no more values than this is passed with all of them, also where it decides a size: rounds, say.
pub(super) const FEW: u64 = 64;

/// The most units of a buffer that a call is given memory for.
pub(super) const MAX_UNITS: u64 = 64;

/// Numbers of units that lead through different paths and exits, of kernels that take up to 32 at once: none, less than a
/// stride, one and the rest, two.
pub(super) const UNITS: [u64; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17, 32, 35, 64];

/// Room around a buffer in the middle of its area.
pub(super) const MARGIN: usize = 128;

/// Where a buffer lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Its end, as nearly as its alignment allows, is the end of its area.
    Right,
    /// Its beginning is the beginning of its area.
    Left,
    /// It begins so many bytes (below [`MARGIN`]) after the address 64 bytes before the second page of its area.
    Middle(usize),
    /// At this address, which is no memory.
    Dangling(usize),
    /// The same memory as another argument.
    Same(usize),
    /// So many bytes into the area that all buffers share.
    Packed(usize),
}

/// Where the bytes of a buffer come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// The pool, of which this byte is the buffer's first.
    Pool(usize),
    /// One byte, again and again.
    Byte(u8),
}

/// What a buffer holds at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Contents {
    /// Where the bytes before `until` come from,
    pub(super) first: Source,
    pub(super) until: usize,
    /// and the others.
    pub(super) rest: Source,
}

impl Contents {
    /// All bytes from one source.
    pub(super) fn of(source: Source) -> Contents {
        Contents { first: source, until: 0, rest: source }
    }

    /// The two parts of a buffer of `size` bytes, each with its source.
    fn parts(&self, size: usize) -> [(Range<usize>, Source); 2] {
        let until = self.until.min(size);
        [(0..until, self.first), (until..size, self.rest)]
    }

    pub(super) fn write(&self, pool: &[u8], target: &mut [u8]) {
        for (part, source) in self.parts(target.len()) {
            match source {
                Source::Pool(from) => target[part.clone()].copy_from_slice(&pool[from..][part]),
                Source::Byte(byte) => target[part].fill(byte),
            }
        }
    }

    /// The first byte of a buffer that is another.
    pub(super) fn first_difference(&self, pool: &[u8], buffer: &[u8]) -> Option<usize> {
        self.parts(buffer.len()).into_iter().find_map(|(part, source)| {
            let start = part.start;
            let offset = match source {
                Source::Pool(from) => first_difference(&buffer[part.clone()], &pool[from..][part]),
                Source::Byte(byte) => buffer[part].iter().position(|&b| b != byte),
            };
            offset.map(|offset| start + offset)
        })
    }
}

/// What a caller decides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    /// The scalar arguments that decide how large the buffers are.
    pub(super) granted: [u64; MAX_ARGUMENTS],
    /// The scalar arguments that are passed: the same, but for calls that ask for more than there is.
    pub(super) passed: [u64; MAX_ARGUMENTS],
    /// A buffer that is shorter than the others: as if this scalar had this value.
    pub(super) short: Option<Short>,
    pub(super) places: [Place; MAX_ARGUMENTS],
    /// Used for the buffers that the kernel may read.
    pub(super) contents: [Contents; MAX_ARGUMENTS],
}

/// See [`Call::short`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Short {
    pub(super) buffer: usize,
    pub(super) scalar: usize,
    pub(super) units: u64,
}

/// What a kernel must not care about.
#[derive(Clone, Copy)]
pub(super) struct Surroundings {
    /// Every register, the undefined bits of argument registers included.
    pub(super) registers: Registers,
    /// Where in the pool the bytes around the buffers come from,
    pub(super) poison: usize,
    /// those below SP,
    pub(super) below: usize,
    /// those above it, undefined bits of arguments included,
    pub(super) above: usize,
    /// and those that are in write-only buffers at first.
    pub(super) stale: usize,
    pub(super) depth: Depth,
}

/// Where SP is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Depth {
    /// Well above the end of the stack, and so many times the stack's alignment lower than it could be.
    Roomy(usize),
    /// So that the declared frame ends where the stack ends.
    Flush,
}

/// A part of the surroundings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Part {
    Register(Register),
    Poison,
    Below,
    Above,
    Stale,
    Depth,
    /// The address of a buffer.
    Place(usize),
}

impl Surroundings {
    /// The plainest.
    pub(super) const CALM: Surroundings =
        Surroundings { registers: Registers::CALM, poison: 0, below: 0, above: 0, stale: 0, depth: Depth::Roomy(0) };

    /// These with one part from others.
    pub(super) fn with(mut self, part: Part, other: &Surroundings) -> Surroundings {
        match part {
            Part::Register(register) => self.registers.set(register, other.registers.get(register)),
            Part::Poison => self.poison = other.poison,
            Part::Below => self.below = other.below,
            Part::Above => self.above = other.above,
            Part::Stale => self.stale = other.stale,
            Part::Depth => self.depth = other.depth,
            Part::Place(_) => {}
        }
        self
    }
}
