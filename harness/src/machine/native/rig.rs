//! Calls of one kernel with every circumstance chosen.

use std::ops::Range;

use rand::seq::SliceRandom;
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};
use vambrace_contract::{
    Access, Architecture, Argument, ArgumentKind, Kernel, Overlap, Returns, ScalarType, Secrecy, Size,
};

use super::super::passing::{self, Location};
use super::architecture::{self, ARCHITECTURE, Registers, STACK_ALIGNMENT};
use super::call::{Call, Contents, Depth, FEW, MARGIN, MAX_ARGUMENTS, MAX_UNITS, Part, Place, Source, Surroundings};
use super::child::{self, Fault};
use super::finding::Finding;
use super::memory::{Area, Protection, first_difference, last_difference, page};
use super::register::Register;

/// Bytes of stack below the declared frame, in which nothing may change.
const BELOW: usize = 4096;
/// Bytes of stack above the arguments, in which nothing may change.
const ABOVE: usize = 1024;

/// What a call came to, for a reader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    /// The addresses of the buffers.
    pub(super) addresses: [usize; MAX_ARGUMENTS],
    /// The bytes of the buffers that are there.
    pub(super) sizes: [usize; MAX_ARGUMENTS],
    /// The scalars passed.
    pub(super) scalars: [u64; MAX_ARGUMENTS],
    /// SP at the call.
    pub(super) sp: usize,
}

/// Why a kernel cannot be called.
#[derive(Debug)]
pub(super) enum Refusal {
    /// Its contract says something impossible.
    Contract(String),
    /// The system does not provide what it takes.
    System(nix::Error),
}

impl From<nix::Error> for Refusal {
    fn from(error: nix::Error) -> Refusal {
        Refusal::System(error)
    }
}

/// A kernel, memory for its arguments, and a stack.
pub(super) struct Rig<'k> {
    pub(super) kernel: &'k Kernel,
    entry: usize,
    locations: Vec<Location>,
    /// Bytes of arguments on the stack.
    on_stack: usize,
    areas: Vec<Option<Area>>,
    common: Area,
    stack: Area,
    /// Random bytes, and behind them what was lent.
    pool: Vec<u8>,
    /// How many of them are the pool's own.
    owned: usize,
    dead_stack: Vec<u8>,
    /// Two sets of results, to be compared.
    results: [Vec<u8>; 2],
    /// Where in them each argument's is, and at the end the value returned.
    result_offsets: Vec<usize>,
    pub(super) record: Record,
    pub(super) before: Registers,
    pub(super) after: Registers,
}

impl<'k> Rig<'k> {
    pub(super) fn new(kernel: &'k Kernel, entry: usize, rng: &mut impl Rng) -> Result<Rig<'k>, Refusal> {
        let arguments = kernel.contract.arguments;
        kernel.contract.validate().map_err(|error| Refusal::Contract(error.to_string()))?;
        if arguments.len() > MAX_ARGUMENTS {
            return Err(Refusal::Contract(format!(
                "it has {} arguments, and a call here has at most {MAX_ARGUMENTS}",
                arguments.len()
            )));
        }
        let mut largest = [0; MAX_ARGUMENTS];
        for (n, argument) in arguments.iter().enumerate() {
            if let ArgumentKind::Scalar { min, max, .. } = argument.kind {
                largest[n] = if max <= FEW { max } else { MAX_UNITS.clamp(min, max) };
            }
        }
        let mut areas = Vec::new();
        let mut result_offsets = Vec::new();
        let (mut result_size, mut common_size, mut largest_area) = (0, 0, 0);
        for (n, argument) in arguments.iter().enumerate() {
            result_offsets.push(result_size);
            let ArgumentKind::Buffer { access, alignment, .. } = argument.kind else {
                areas.push(None);
                continue;
            };
            if alignment > page() {
                return Err(Refusal::Contract(format!("`{}` asks for more alignment than a page has", argument.name)));
            }
            let size = kernel.buffer_size(n, &largest).ok_or_else(|| {
                Refusal::Contract(format!("`{}` has no size, or more than fits into memory", argument.name))
            })?;
            let protection = if access.writes() { Protection::ReadWrite } else { Protection::Read };
            let area = Area::new(page() + size + MARGIN + alignment, protection)?;
            largest_area = largest_area.max(area.contents().len());
            areas.push(Some(area));
            common_size += size + alignment + MARGIN;
            if access.writes() {
                result_size += size;
            }
        }
        result_offsets.push(result_size);
        let (locations, on_stack) = passing::locate(ARCHITECTURE, arguments);
        let common = Area::new(common_size, Protection::ReadWrite)?;
        let stack = Area::new(kernel.stack + BELOW + on_stack + ABOVE + 64 * STACK_ALIGNMENT, Protection::ReadWrite)?;
        largest_area = largest_area.max(common.contents().len()).max(stack.contents().len());
        let mut pool = vec![0; largest_area + 16 * 1024];
        rng.fill(&mut pool[..]);
        Ok(Rig {
            kernel,
            entry,
            locations,
            on_stack,
            areas,
            common,
            dead_stack: vec![0; stack.contents().len()],
            stack,
            owned: pool.len(),
            pool,
            results: [vec![0; result_size + 8], vec![0; result_size + 8]],
            result_offsets,
            record: Record::default(),
            before: Registers::CALM,
            after: Registers::CALM,
        })
    }

    pub(super) fn arguments(&self) -> &'static [Argument] {
        self.kernel.contract.arguments
    }

    /// The numbers of the arguments that are buffers.
    pub(super) fn buffers(&self) -> impl Iterator<Item = usize> + Clone + use<> {
        let is_buffer = |a: &Argument| matches!(a.kind, ArgumentKind::Buffer { .. });
        self.arguments().iter().enumerate().filter(move |(_, a)| is_buffer(a)).map(|(n, _)| n)
    }

    /// The buffers whose size depends on a scalar.
    pub(super) fn scaled_by(&self, scalar: usize) -> impl Iterator<Item = usize> + Clone + use<> {
        let follows = move |a: &Argument| match a.kind {
            ArgumentKind::Buffer { size: Size::Affine { argument, per, .. }, .. } => argument == scalar && per > 0,
            _ => false,
        };
        self.arguments().iter().enumerate().filter(move |(_, a)| follows(a)).map(|(n, _)| n)
    }

    /// Alignment, access and secrecy of a buffer.
    pub(super) fn buffer(&self, argument: usize) -> (usize, Access, Secrecy) {
        match self.arguments()[argument].kind {
            ArgumentKind::Buffer { alignment, access, secrecy, .. } => (alignment, access, secrecy),
            ArgumentKind::Scalar { .. } => unreachable!("only buffers are asked for"),
        }
    }

    /// The buffer that a buffer may equal; of several that may overlap in any way, the first.
    pub(super) fn may_equal(&self, argument: usize) -> Option<usize> {
        match self.arguments()[argument].kind {
            ArgumentKind::Buffer { overlap: Overlap::MayEqual(other), .. } => Some(other),
            ArgumentKind::Buffer { overlap: Overlap::Shared, size, .. } => {
                self.arguments()[..argument].iter().position(|earlier| {
                    matches!(earlier.kind, ArgumentKind::Buffer { overlap: Overlap::Shared, size: its, .. } if its == size)
                })
            }
            _ => None,
        }
    }

    /// Whether a buffer may overlap others in any way.
    pub(super) fn is_shared(&self, argument: usize) -> bool {
        matches!(self.arguments()[argument].kind, ArgumentKind::Buffer { overlap: Overlap::Shared, .. })
    }

    /// A place in the pool, from which as many bytes as any area has can be taken.
    pub(super) fn anywhere(rng: &mut impl Rng) -> usize {
        rng.random_range(0..16 * 1024)
    }

    /// Takes up the contents of a buffer in a call, made in place. Answers where in the pool they are, until [`forget_lent`].
    ///
    /// [`forget_lent`]: Rig::forget_lent
    pub(super) fn lend(&mut self, argument: usize, call: &Call, make: impl FnOnce(&mut [u8])) -> usize {
        let begin = self.pool.len();
        self.pool.resize(begin + self.size(argument, call), 0);
        make(&mut self.pool[begin..]);
        begin
    }

    /// Gives back all that was lent.
    pub(super) fn forget_lent(&mut self) {
        self.pool.truncate(self.owned);
    }

    /// A call with so many units in every buffer that has units, in the middle of aligned memory.
    pub(super) fn call_of(&self, units: u64, rng: &mut impl Rng) -> Call {
        let mut scalars = [0; MAX_ARGUMENTS];
        let mut first = true;
        for (n, argument) in self.arguments().iter().enumerate() {
            let ArgumentKind::Scalar { min, max, step, .. } = argument.kind else { continue };
            // A number that decides a size, and has few values, is one of those of a mode: of rounds, say.
            let scales = self.scaled_by(n).next().is_some();
            let value = match scales {
                true if std::mem::take(&mut first) => units.clamp(min, max),
                true if max > FEW => rng.random_range(0..10u64).clamp(min, max),
                _ => match rng.random_range(0..4) {
                    0 => min,
                    1 => max,
                    _ => rng.random_range(min..=max),
                },
            };
            // A kernel is not asked for what lies between the steps.
            scalars[n] = value - (value - min) % step;
        }
        Call {
            granted: scalars,
            passed: scalars,
            short: None,
            places: [Place::Middle(64); MAX_ARGUMENTS],
            contents: std::array::from_fn(|_| Contents::of(Source::Pool(Self::anywhere(rng)))),
        }
    }

    /// Surroundings as they may be.
    pub(super) fn any_surroundings(rng: &mut impl Rng) -> Surroundings {
        Surroundings {
            registers: Registers::random(rng),
            poison: Self::anywhere(rng),
            below: Self::anywhere(rng),
            above: Self::anywhere(rng),
            stale: Self::anywhere(rng),
            depth: Depth::Roomy(rng.random_range(0..8)),
        }
    }

    /// Puts all buffers into the memory that they share, in some order: the first so far from its beginning, and behind each, beyond
    /// what the alignment of the next asks for, such a gap.
    pub(super) fn pack<R: Rng>(
        &self,
        call: &mut Call,
        rng: &mut R,
        first: Range<usize>,
        gap: impl Fn(&mut R) -> usize,
    ) {
        let mut order = [0; MAX_ARGUMENTS];
        let mut count = 0;
        for buffer in self.buffers() {
            order[count] = buffer;
            count += 1;
        }
        order[..count].shuffle(rng);
        let mut at = rng.random_range(first);
        for &buffer in &order[..count] {
            let (alignment, ..) = self.buffer(buffer);
            at = usize::next_multiple_of(at, alignment);
            call.places[buffer] = Place::Packed(at);
            at += self.kernel.buffer_size(buffer, &call.granted).unwrap_or(0) + gap(rng);
        }
    }

    /// A place in the middle that the contract allows: the given offset, rounded down to the alignment.
    pub(super) fn middle(&self, argument: usize, offset: usize) -> Place {
        let (alignment, ..) = self.buffer(argument);
        Place::Middle(offset % MARGIN / alignment * alignment)
    }

    /// An address beside the buffer's area at which nothing is.
    pub(super) fn unmapped(&self, argument: usize) -> usize {
        self.areas[argument].as_ref().map_or(0, |area| area.range().end)
    }

    fn size(&self, argument: usize, call: &Call) -> usize {
        let mut granted = call.granted;
        if let Some(short) = call.short.filter(|short| short.buffer == argument) {
            granted[short.scalar] = short.units;
        }
        self.kernel.buffer_size(argument, &granted).unwrap_or(0)
    }

    fn address(&self, argument: usize, call: &Call) -> usize {
        let (alignment, ..) = self.buffer(argument);
        let range = self.areas[argument].as_ref().map_or(0..0, Area::range);
        match call.places[argument] {
            Place::Right => (range.end - self.size(argument, call)) / alignment * alignment,
            Place::Left => range.start,
            Place::Middle(offset) => range.start + page() - 64 + offset,
            Place::Dangling(address) => address,
            Place::Same(other) => self.address(other, call),
            Place::Packed(offset) => self.common.range().start + offset,
        }
    }

    /// The area in which a buffer lies, `None` for the common one.
    fn home(&self, argument: usize, call: &Call) -> Option<usize> {
        match call.places[argument] {
            Place::Packed(_) => None,
            Place::Same(other) => self.home(other, call),
            _ => Some(argument),
        }
    }

    /// The part of an area in which a buffer lies.
    fn span(&self, argument: usize, home: Option<usize>) -> Range<usize> {
        let area = self.area(home);
        let start = self.record.addresses[argument].wrapping_sub(area.range().start).min(area.contents().len());
        let size = self.record.sizes[argument].min(area.contents().len() - start);
        start..start + size
    }

    fn area(&self, home: Option<usize>) -> &Area {
        match home {
            Some(argument) => self.areas[argument].as_ref().unwrap_or(&self.common),
            None => &self.common,
        }
    }

    fn area_mut(&mut self, home: Option<usize>) -> &mut Area {
        match home {
            Some(argument) => self.areas[argument].as_mut().unwrap_or(&mut self.common),
            None => &mut self.common,
        }
    }

    /// Every area, the common one only if a buffer lies there.
    fn homes(&self, call: &Call) -> impl Iterator<Item = Option<usize>> + use<> {
        let packed = self.buffers().any(|n| matches!(call.places[n], Place::Packed(_)));
        self.buffers().map(Some).chain(packed.then_some(None))
    }

    /// Fills memory and registers, calls, and looks at the memory around the buffers.
    pub(super) fn run(&mut self, call: &Call, around: &Surroundings) -> Result<(), Finding> {
        if let Err(fault) = self.attempt(call, around) {
            return Err(Finding::Fault(fault));
        }
        self.check_around(call, around)
    }

    /// Fills memory and registers, and calls.
    pub(super) fn attempt(&mut self, call: &Call, around: &Surroundings) -> Result<(), Fault> {
        self.attempt_announced(call, around, |_| {})
    }

    /// The same, with something done between the two.
    pub(super) fn attempt_announced(
        &mut self,
        call: &Call,
        around: &Surroundings,
        announce: impl FnOnce(&Self),
    ) -> Result<(), Fault> {
        self.prepare(call, around);
        announce(self);
        // SAFETY: rigs run in a child; SP points into the stack's area.
        match unsafe { child::call(self.entry, &mut self.before) } {
            Ok(after) => {
                self.after = after;
                Ok(())
            }
            Err(fault) => Err(fault),
        }
    }

    fn prepare(&mut self, call: &Call, around: &Surroundings) {
        for n in self.buffers() {
            self.record.addresses[n] = self.address(n, call);
            self.record.sizes[n] = self.size(n, call);
        }
        self.record.scalars = call.passed;
        let pool = std::mem::take(&mut self.pool);
        for home in self.homes(call) {
            let contents = self.area_mut(home).contents_mut();
            contents.copy_from_slice(&pool[around.poison..][..contents.len()]);
        }
        // What is read is written last, so that it is what memory with two names holds.
        for reads in [false, true] {
            for n in self.buffers() {
                let (_, access, _) = self.buffer(n);
                if access.reads() != reads || matches!(call.places[n], Place::Dangling(_)) {
                    continue;
                }
                let home = self.home(n, call);
                let span = self.span(n, home);
                let target = &mut self.area_mut(home).contents_mut()[span];
                let contents = if reads { call.contents[n] } else { Contents::of(Source::Pool(around.stale)) };
                contents.write(&pool, target);
            }
        }

        let range = self.stack.range();
        let sp = match around.depth {
            Depth::Roomy(lower) => {
                (range.end - ABOVE - self.on_stack - lower * STACK_ALIGNMENT) / STACK_ALIGNMENT * STACK_ALIGNMENT
            }
            Depth::Flush => (range.start + self.kernel.stack).next_multiple_of(STACK_ALIGNMENT),
        };
        self.record.sp = sp;
        let split = sp - range.start;
        let stack = self.stack.contents_mut();
        let length = stack.len();
        stack[..split].copy_from_slice(&pool[around.below..][..split]);
        stack[split..].copy_from_slice(&pool[around.above..][..length - split]);
        self.pool = pool;

        self.before = around.registers;
        self.before.set(Register::StackPointer, sp as u64);
        for (n, argument) in self.arguments().iter().enumerate() {
            let value = match argument.kind {
                ArgumentKind::Buffer { .. } => self.record.addresses[n] as u64,
                ArgumentKind::Scalar { .. } => call.passed[n],
            };
            let bits = passing::bits(ARCHITECTURE, argument);
            match self.locations[n] {
                Location::Register(r) => {
                    let register = Register::General(r as u8);
                    let undefined = if bits == 64 { 0 } else { self.before.get(register) >> bits << bits };
                    let defined = if bits == 64 { value } else { value & ((1 << bits) - 1) };
                    self.before.set(register, undefined | defined);
                }
                Location::Pair(r) => {
                    self.before.set(Register::General(r as u8), value & 0xffff_ffff);
                    self.before.set(Register::General(r as u8 + 1), value >> 32);
                }
                Location::Stack(offset) => {
                    let bytes = bits as usize / 8;
                    self.stack.contents_mut()[split + offset..][..bytes].copy_from_slice(&value.to_le_bytes()[..bytes]);
                }
            }
        }
    }

    /// Nothing but what may be written has changed.
    fn check_around(&self, call: &Call, around: &Surroundings) -> Result<(), Finding> {
        for home in self.homes(call) {
            let contents = self.area(home).contents();
            let expected = &self.pool[around.poison..][..contents.len()];
            let mut from = 0;
            loop {
                // The first buffer in this area that ends after `from`.
                let next = self
                    .buffers()
                    .filter(|&n| self.home(n, call) == home && !matches!(call.places[n], Place::Dangling(_)))
                    .map(|n| self.span(n, home))
                    .filter(|span| span.end > from)
                    .min_by_key(|span| span.start);
                let to = next.as_ref().map_or(contents.len(), |span| span.start.max(from));
                if let Some(first) = first_difference(&contents[from..to], &expected[from..to]) {
                    let last = last_difference(&contents[from..to], &expected[from..to]).unwrap_or(first);
                    let start = self.area(home).range().start + from;
                    return Err(Finding::WroteAround { first: start + first, last: start + last });
                }
                match next {
                    Some(span) => from = span.end,
                    None => break,
                }
            }
        }
        // In memory that the kernel can write, what it may only read is still what it was.
        for n in self.buffers() {
            let written_too = self
                .buffers()
                .any(|other| self.buffer(other).1.writes() && self.record.addresses[other] == self.record.addresses[n]);
            let in_memory = !matches!(call.places[n], Place::Dangling(_));
            if self.buffer(n).1 != Access::Read || written_too || !in_memory {
                continue;
            }
            let home = self.home(n, call);
            let contents = &self.area(home).contents()[self.span(n, home)];
            if let Some(offset) = call.contents[n].first_difference(&self.pool, contents) {
                return Err(Finding::WroteInput { argument: n, offset });
            }
        }
        Ok(())
    }

    /// Nothing on the stack has changed but the declared frame.
    pub(super) fn check_stack(&self, around: &Surroundings) -> Result<(), Finding> {
        let start = self.stack.range().start;
        let contents = self.stack.contents();
        let sp = self.record.sp - start;
        let frame = sp.saturating_sub(self.kernel.stack);
        if let Some(at) = first_difference(&contents[..frame], &self.pool[around.below..][..frame]) {
            return Err(Finding::BelowFrame { depth: sp - at });
        }
        let arguments = sp..sp + self.on_stack;
        for (n, argument) in self.arguments().iter().enumerate() {
            let Location::Stack(offset) = self.locations[n] else { continue };
            let bytes = passing::bits(ARCHITECTURE, argument) as usize / 8;
            let value = match argument.kind {
                ArgumentKind::Buffer { .. } => self.record.addresses[n] as u64,
                ArgumentKind::Scalar { .. } => self.record.scalars[n],
            };
            if contents[sp + offset..][..bytes] != value.to_le_bytes()[..bytes] {
                return Err(Finding::StackArgument { argument: n });
            }
        }
        let above = arguments.end..contents.len();
        let expected = &self.pool[around.above..][self.on_stack..][..above.len()];
        if let Some(at) = first_difference(&contents[above], expected) {
            return Err(Finding::AboveArguments { offset: self.on_stack + at });
        }
        Ok(())
    }

    /// Keeps the stack below SP.
    pub(super) fn keep_dead_stack(&mut self) {
        self.dead_stack.copy_from_slice(self.stack.contents());
    }

    /// The difference between the stack below SP and what was kept of a call with the same SP.
    pub(super) fn dead_stack_residue(&self) -> Option<Finding> {
        let end = self.record.sp - self.stack.range().start;
        let (one, other) = (&self.dead_stack[..end], &self.stack.contents()[..end]);
        let at = first_difference(one, other)? / 8 * 8;
        let value = |stack: &[u8]| stack[at..(at + 8).min(end)].iter().rev().fold(0, |v, &b| v << 8 | u64::from(b));
        Some(Finding::StackResidue { depth: end - at, one: value(one), other: value(other) })
    }

    /// Keeps what the last call computed as one of two results.
    pub(super) fn keep(&mut self, which: usize, call: &Call) {
        let mut kept = std::mem::take(&mut self.results[which]);
        for n in self.buffers() {
            if self.buffer(n).1.writes() {
                let home = self.home(n, call);
                let result = &self.area(home).contents()[self.span(n, home)];
                kept[self.result_offsets[n]..][..result.len()].copy_from_slice(result);
            }
        }
        let end = kept.len() - 8;
        kept[end..].copy_from_slice(&self.returned().to_le_bytes());
        self.results[which] = kept;
    }

    /// What a buffer that is read holds at first.
    pub(super) fn given(&self, argument: usize, call: &Call) -> Vec<u8> {
        let mut bytes = vec![0; self.size(argument, call)];
        call.contents[argument].write(&self.pool, &mut bytes);
        bytes
    }

    /// Keeps what should be in buffers after a call as the first of two results, to be compared with the second. A value that is
    /// returned is as it should be.
    pub(super) fn keep_expected(&mut self, buffers: &[(usize, Vec<u8>)]) {
        let [expected, actual] = &mut self.results;
        expected.copy_from_slice(actual);
        for (argument, bytes) in buffers {
            expected[self.result_offsets[*argument]..][..bytes.len()].copy_from_slice(bytes);
        }
    }

    /// The value that the last call returned, 0 if its contract has none.
    fn returned(&self) -> u64 {
        let Returns::Value(ty, _) = self.kernel.contract.returns else { return 0 };
        let low = self.after.get(Register::General(0));
        match (ARCHITECTURE, ty) {
            (_, ScalarType::U32) => low & 0xffff_ffff,
            (Architecture::Arm, ScalarType::U64) => low | self.after.get(Register::General(1)) << 32,
            _ => low,
        }
    }

    /// The registers in which the result is.
    pub(super) fn returns_in(&self, register: Register) -> bool {
        match self.kernel.contract.returns {
            Returns::Nothing => false,
            Returns::Value(ScalarType::U64, _) if ARCHITECTURE == Architecture::Arm => {
                matches!(register, Register::General(0 | 1))
            }
            Returns::Value(..) => register == Register::General(0),
        }
    }

    /// The first difference between the two results kept, for calls with the sizes of the last one.
    pub(super) fn compare(&self) -> Option<Difference> {
        let [expected, actual] = &self.results;
        for n in self.buffers().filter(|&n| self.buffer(n).1.writes()) {
            let span = self.result_offsets[n]..self.result_offsets[n] + self.record.sizes[n];
            if let Some(offset) = first_difference(&expected[span.clone()], &actual[span.clone()]) {
                // As many bytes as a reader can take in.
                let shown = span.start + offset / 32 * 32..span.end.min(span.start + offset / 32 * 32 + 64);
                return Some(Difference {
                    argument: Some(n),
                    offset,
                    expected: expected[shown.clone()].to_vec(),
                    actual: actual[shown].to_vec(),
                });
            }
        }
        let end = expected.len() - 8;
        first_difference(&expected[end..], &actual[end..]).map(|offset| Difference {
            argument: None,
            offset,
            expected: expected[end..].to_vec(),
            actual: actual[end..].to_vec(),
        })
    }

    /// Two calls that should have equal results; if they have not, which part of the surroundings makes the difference.
    pub(super) fn equal_results(
        &mut self,
        a: (&Call, &Surroundings),
        b: (&Call, &Surroundings),
    ) -> Result<(), Finding> {
        self.run(a.0, a.1)?;
        self.keep(0, a.0);
        self.run(b.0, b.1)?;
        self.keep(1, b.0);
        let Some(difference) = self.compare() else { return Ok(()) };
        let parts = architecture::undefined()
            .map(Part::Register)
            .chain([Part::Poison, Part::Below, Part::Above, Part::Stale, Part::Depth])
            .chain(self.buffers().map(Part::Place));
        let mut culprit = None;
        for part in parts {
            let mut call = *a.0;
            if let Part::Place(n) = part {
                call.places[n] = b.0.places[n];
            }
            // A fault is a finding of its own, but not the one to be explained.
            if self.run(&call, &a.1.with(part, b.1)).is_err() {
                continue;
            }
            self.keep(1, &call);
            if self.compare().is_some() {
                culprit = Some(part);
                break;
            }
        }
        Err(Finding::DependsOn { part: culprit, difference })
    }

    /// The address ranges of the areas, guards included, and the arguments that they are for.
    pub(super) fn reserved(&self) -> impl Iterator<Item = (Option<usize>, Range<usize>)> {
        let of_argument = |(n, area): (usize, &Option<Area>)| area.as_ref().map(|area| (Some(n), area.reserved()));
        self.areas.iter().enumerate().filter_map(of_argument).chain([(None, self.common.reserved())])
    }

    /// The accessible addresses of a buffer's area.
    pub(super) fn accessible(&self, argument: usize) -> Range<usize> {
        self.area(Some(argument)).range()
    }

    /// The addresses of the stack, guards included.
    pub(super) fn reserved_stack(&self) -> Range<usize> {
        self.stack.reserved()
    }

    /// The address of the first instruction.
    pub(super) fn entry(&self) -> usize {
        if self.is_thumb() { self.entry - 1 } else { self.entry }
    }

    /// Whether it is one of T32, which bit 0 of the address to jump to tells.
    pub(super) fn is_thumb(&self) -> bool {
        ARCHITECTURE == Architecture::Arm && self.entry % 2 == 1
    }

    /// Bytes of arguments on the stack, from SP up.
    pub(super) fn stack_arguments(&self) -> usize {
        self.on_stack
    }

    /// The argument in a general-purpose register, with the bits that it defines.
    pub(super) fn argument_in(&self, register: Register) -> Option<(usize, u32)> {
        let Register::General(r) = register else { return None };
        let n = self.locations.iter().position(|&location| location == Location::Register(r.into()))?;
        Some((n, passing::bits(ARCHITECTURE, &self.arguments()[n])))
    }
}

/// Two results that should be equal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Difference {
    /// In this buffer, or in the value returned.
    pub(super) argument: Option<usize>,
    /// From this byte on.
    pub(super) offset: usize,
    /// Bytes around it.
    pub(super) expected: Vec<u8>,
    pub(super) actual: Vec<u8>,
}
