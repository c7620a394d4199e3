//! Any number of blocks: an invariant at the head of each loop over blocks, guessed from the first arrival there, weakened until
//! it holds for every other, and thereby proved.
//!
//! The variables stand for the state, the next blocks, their address and the number of blocks left *now*: at entry for those
//! that the caller passed, at the head for those after any number of turns. An arrival after `n` more blocks satisfies the
//! invariant if it is the invariant with the variables moved on: the state replaced by what the specification makes of
//! it, block `b` by block `b + n`, the address by the one `n` blocks further, the number left by `n` less.
//!
//! Blocks that are written are not part of the invariant. At every arrival those that were done since the last head must be what
//! the specification says, and no other may have changed; behind the head the address is that of the next block, and what is
//! before it is out of bounds.
//!
//! What a register or a byte of memory holds at the head is a term over those variables, or it is not told: then it is a new
//! variable, secret if it was once seen to hold something secret.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::arguments::{Arguments, Lane};
use crate::code::Code;
use crate::conditions::{Count, with_known_count};
use crate::failure::{Failure, Reason};
use crate::heads::Cut;
use crate::machine::{Flow, Machine, Register, Stop};
use crate::memory::{Extent, Kind, Offset, Region, RegionId};
use crate::specification::{Given, Specification};
use crate::terms::{Leaf, Substitution, Term, Terms};

/// Where a run ended.
pub enum End<M> {
    /// At the head of a loop.
    Head(M),
    /// Back at the caller.
    Returned(M),
}

/// Executes from a machine on, both ways where the count decides, up to the cut or the return. From a head on, the run
/// ends when it has come back there so many times as the cut says, or to another head.
///
/// # Errors
/// The first instruction that must not be.
pub fn explore<M: Machine>(
    terms: &mut Terms,
    code: &Code,
    start: M,
    cut: &Cut,
    from: Option<u64>,
) -> Result<Vec<End<M>>, Failure> {
    let (mut waiting, mut ends) = (vec![(start, 0)], Vec::new());
    while let Some((mut machine, mut arrivals)) = waiting.pop() {
        loop {
            let position = machine.position();
            let failed = |reason: Reason| Failure {
                position: Some(position),
                word: code.instruction(position),
                ..Failure::new(reason)
            };
            terms.budget_mut().step().map_err(|exhausted| failed(Reason::Exhausted(exhausted)))?;
            terms.set_executed(Some(position));
            let stepped = machine.step(terms);
            terms.set_executed(None);
            match stepped {
                Ok(Flow::Returned) => {
                    ends.push(End::Returned(machine));
                    break;
                }
                Ok(Flow::On) => {
                    if cut.heads.contains(&machine.position()) {
                        arrivals += 1;
                        if from != Some(machine.position()) || arrivals >= cut.turns {
                            ends.push(End::Head(machine));
                            break;
                        }
                    }
                }
                Err(Stop::Fault(fault)) => return Err(failed(Reason::Fault(fault))),
                Err(Stop::Divide(by)) => return Err(failed(Reason::Divides(by))),
                Err(Stop::Split(at)) => {
                    let count = machine.count().filter(|count| count.low < at && at <= count.high);
                    let count = count.ok_or_else(|| failed(Reason::Split(at)))?;
                    let mut more = machine.clone();
                    more.set_count(Count { low: at, ..count });
                    machine.set_count(Count { high: at - 1, ..count });
                    waiting.push((more, arrivals));
                }
            }
            if let Some(exhausted) = terms.budget().exhausted() {
                return Err(failed(Reason::Exhausted(exhausted)));
            }
        }
    }
    Ok(ends)
}

/// What the specification makes of the states and blocks of all lanes, block by block.
pub struct Chain {
    specification: Specification,
    lanes: Vec<Lane>,
    given: Given<Term>,
    /// By number of blocks, by lane.
    states: Vec<Vec<Vec<Term>>>,
    /// By number of the block, by lane: the words of the block of output.
    outputs: Vec<Vec<Vec<Term>>>,
    /// The regions with blocks that are written, as they are when no block is done.
    streams: Vec<(RegionId, Region)>,
    /// A variable: how many times the count's scale of blocks were done before those that have names now.
    done: Leaf,
}

impl Chain {
    /// No block yet.
    pub fn new(terms: &mut Terms, specification: Specification, arguments: &Arguments, address_bits: u32) -> Chain {
        let done = terms.variable("blocks done", address_bits, false);
        let done = terms.as_leaf(done).expect("a variable is a leaf");
        let lanes = arguments.lanes.clone();
        let states = vec![lanes.iter().map(|lane| lane.state.clone()).collect()];
        let outputs = lanes.iter().filter_map(|lane| lane.output);
        let streams = outputs.map(|output| (output.region, arguments.memory.region(output.region).clone())).collect();
        Chain { specification, lanes, given: arguments.given.clone(), states, outputs: Vec::new(), streams, done }
    }

    /// The states after so many blocks; no more than have names.
    pub fn after(&mut self, terms: &mut Terms, blocks: usize) -> &[Vec<Term>] {
        while self.states.len() <= blocks {
            let done = self.states.len() - 1;
            let (mut states, mut outputs) = (Vec::new(), Vec::new());
            for (lane, state) in self.lanes.iter().zip(&self.states[done]) {
                let step = self.specification.step(terms, state, &lane.blocks[done], &self.given);
                states.push(step.state);
                outputs.push(step.block);
            }
            self.states.push(states);
            self.outputs.push(outputs);
        }
        &self.states[blocks]
    }

    /// Blocks that have names.
    pub fn names(&self) -> usize {
        self.specification.blocks_with_names()
    }

    /// The lanes at the beginning.
    pub fn lanes(&self) -> &[Lane] {
        &self.lanes
    }

    /// Puts what is true after `blocks` more blocks in the place of what is true now.
    fn moved_on(&mut self, terms: &mut Terms, way: &Way, blocks: usize) -> Substitution {
        let mut moved = self.moved_on_in_public(terms, way, blocks);
        self.after(terms, blocks);
        for (lane, new_state) in self.lanes.iter().zip(&self.states[blocks]) {
            for (&old, &new) in lane.state.iter().zip(new_state) {
                moved.replace(terms.as_leaf(old).expect("fields are variables"), new);
            }
            for (index, words) in lane.blocks.iter().enumerate() {
                for (word, &old) in words.iter().enumerate() {
                    let leaf = terms.as_leaf(old).expect("words are variables");
                    match lane.blocks.get(index + blocks) {
                        Some(later) => moved.replace(leaf, later[word]),
                        None => {
                            // Beyond the blocks with names: nothing can be known to be equal to it.
                            let unknown = terms.variable("a block without a name", terms.width(leaf), true);
                            moved.replace(leaf, unknown);
                        }
                    }
                }
            }
        }
        moved
    }

    /// As [`moved_on`](Self::moved_on) for addresses and counts, with everything else as it is.
    fn moved_on_in_public(&self, terms: &mut Terms, way: &Way, blocks: usize) -> Substitution {
        let (count, times) = (way.count, blocks as i128 / i128::from(way.count.scale));
        let mut moved = Substitution::default();
        for &cursor in self.lanes.iter().flat_map(|lane| &lane.cursors) {
            let whole = terms.window(cursor);
            let bytes = (blocks * self.specification.block_bytes()) as i128;
            let further = terms.add_constant(whole, bytes, way.address_bits);
            moved.replace(cursor, further);
        }
        let left = terms.window(count.leaf);
        let fewer = terms.add_constant(left, -times, way.address_bits);
        moved.replace(count.leaf, fewer);
        // At the entry none is done.
        let before = if way.from.is_some() { terms.window(self.done) } else { Terms::ZERO };
        let done = terms.add_constant(before, times, way.address_bits);
        moved.replace(self.done, done);
        moved
    }

    /// Whether a term is about what was at the entry, or secret.
    fn is_of_entry(&self, terms: &Terms, term: Term) -> bool {
        terms.is_secret(term) || terms.leaves_below(&[term]).contains(&self.done)
    }

    /// The term that has the value now which another had at the entry.
    fn at_entry(&self, terms: &mut Terms, way: &Way, term: Term) -> Term {
        let mut then = Substitution::default();
        let done = terms.window(self.done);
        for &cursor in self.lanes.iter().flat_map(|lane| &lane.cursors) {
            let whole = terms.window(cursor);
            let bytes = (self.specification.block_bytes() as u64 * way.count.scale).into();
            let done = terms.sum(&[(done, bytes)], 0, way.address_bits);
            let before = terms.sub(whole, done, way.address_bits);
            then.replace(cursor, before);
        }
        let left = terms.window(way.count.leaf);
        let all = terms.add(left, done, way.address_bits);
        then.replace(way.count.leaf, all);
        terms.substitute(term, &mut then)
    }

    /// The leaves that are others after every block and public.
    fn moving(&self, count: Count) -> Vec<Leaf> {
        let cursors = self.lanes.iter().flat_map(|lane| &lane.cursors);
        cursors.copied().chain([count.leaf]).collect()
    }

    /// Whether the first blocks of every output are what the specification says, and no other block was written.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check_blocks<M: Machine>(&mut self, terms: &mut Terms, machine: &M, blocks: usize) -> Result<(), Reason> {
        self.after(terms, blocks);
        for (index, lane) in self.lanes.iter().enumerate() {
            let Some(output) = lane.output else { continue };
            let outputs = self.outputs.iter().map(|lanes| &lanes[index]);
            let left = if output.in_place { &lane.blocks[blocks..] } else { &[] };
            let expected: Vec<&Vec<Term>> = outputs.take(blocks).chain(left).collect();
            let checked = Blocks { specification: self.specification, region: output.region, done: blocks, expected };
            checked.check(terms, machine)?;
        }
        Ok(())
    }

    /// Words of the output after so many blocks, as they are found in memory and as `expected` has them.
    pub fn output_words<M: Machine>(&self, terms: &mut Terms, machine: &M, lane: usize, blocks: usize) -> Vec<Term> {
        let Some(output) = self.lanes[lane].output else { return Vec::new() };
        let words = blocks * self.specification.block_words();
        (0..words)
            .filter_map(|word| stream_word(terms, self.specification, machine, output.region, word).ok())
            .collect()
    }
}

/// A way from the entry or a head to a head.
struct Way {
    /// The head that it begins at; none for the entry.
    from: Option<u64>,
    /// What is known of the count at the end of it.
    count: Count,
    address_bits: u32,
}

/// A word of a region of blocks; the offset of the first byte that is not there.
fn stream_word<M: Machine>(
    terms: &mut Terms,
    specification: Specification,
    machine: &M,
    region: RegionId,
    word: usize,
) -> Result<Term, i64> {
    let bytes = specification.width / 8;
    let there = machine.memory().region(region).get(terms, word as i64 * i64::from(bytes), bytes)?;
    Ok(specification.in_memory(terms, there))
}

/// What a region of blocks is to hold.
struct Blocks<'a> {
    specification: Specification,
    region: RegionId,
    done: usize,
    expected: Vec<&'a Vec<Term>>,
}

impl Blocks<'_> {
    fn check<M: Machine>(&self, terms: &mut Terms, machine: &M) -> Result<(), Reason> {
        let region = machine.memory().region(self.region);
        let (done, word_count) = (self.done as u64, self.specification.block_words());
        for (block, words) in self.expected.iter().enumerate() {
            for (index, &expected) in words.iter().enumerate() {
                let name = format!("{}[{block}].m{index}", region.name);
                let word = block * word_count + index;
                let wrote = region.wrote(word as i64 * i64::from(self.specification.width / 8));
                let found = stream_word(terms, self.specification, machine, self.region, word)
                    .map_err(|_| Reason::NotWritten { word: name.clone(), blocks: done })?;
                if equal_at(terms, found, expected, machine.count()) {
                    continue;
                }
                return Err(if block < self.done {
                    Reason::output(terms, name, done, (found, wrote), expected)
                } else {
                    Reason::WrittenAhead { word: name, blocks: done }
                });
            }
        }
        let end = (self.expected.len() * self.specification.block_bytes()) as i64;
        match region.cells().find(|&(offset, _, bytes)| offset + i64::from(bytes) > end) {
            Some((offset, ..)) => {
                let word = format!("{}{}", region.name, Offset(offset));
                Err(Reason::WrittenAhead { word, blocks: done })
            }
            None => Ok(()),
        }
    }
}

/// Whether two terms are equal, given what is known of the count.
pub fn equal_at(terms: &mut Terms, found: Term, expected: Term, count: Option<Count>) -> bool {
    terms.equal(found, expected) || {
        let known = with_known_count(terms, found, count);
        known != found && terms.equal(known, expected)
    }
}

/// Where something is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Bits `from .. from + width` of a register.
    Register { index: usize, from: u32, width: u32 },
    /// Bytes of a region.
    Memory { region: RegionId, offset: i64, bytes: u32 },
}

/// What is held there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    This(Term),
    Anything { secret: bool },
}

/// The invariant.
pub struct Invariant<M> {
    head: u64,
    /// For the parts of the machine that never change.
    pattern: M,
    cells: Vec<(Place, Held)>,
    count: Count,
}

impl<M: Machine> Invariant<M> {
    /// What is true of a machine.
    pub fn of(terms: &mut Terms, head: u64, machine: &M, count: Count) -> Invariant<M> {
        let mut cells = Vec::new();
        for (index, register) in machine.registers().into_iter().enumerate() {
            for from in (0..register.width).step_by(64) {
                let width = register.width.min(64);
                let value = terms.extract(register.value, from, width);
                cells.push((Place::Register { index, from, width }, Held::This(value)));
            }
        }
        let mut invariant = Invariant { head, pattern: machine.clone(), cells, count };
        for (place, value) in written(machine) {
            invariant.cells.push((place, Held::This(value)));
        }
        invariant
    }

    /// A machine of which the invariant is true, and nothing else.
    fn machine(&self, terms: &mut Terms, chain: &Chain) -> M {
        let mut machine = self.pattern.clone();
        let changing: Vec<RegionId> =
            machine.memory().regions().filter(|(_, region)| is_changing(region)).map(|(id, _)| id).collect();
        for id in changing {
            machine.memory_mut().region_mut(id).forget();
        }
        for (id, region) in &chain.streams {
            *machine.memory_mut().region_mut(*id) = region.clone();
        }
        let mut registers: Vec<Term> = machine.registers().iter().map(|_| Terms::ZERO).collect();
        for &(place, held) in &self.cells {
            let width = match place {
                Place::Register { width, .. } => width,
                Place::Memory { bytes, .. } => bytes * 8,
            };
            let value = match held {
                Held::This(term) => term,
                Held::Anything { secret } => terms.variable(format!("anything in {}", self.name(place)), width, secret),
            };
            match place {
                Place::Register { index, from, .. } => {
                    let part = if from == 0 { value } else { terms.shl(value, from, 128) };
                    registers[index] = terms.xor(registers[index], part);
                }
                Place::Memory { region, offset, bytes } => {
                    machine.memory_mut().region_mut(region).put(terms, offset, value, bytes);
                }
            }
        }
        registers.into_iter().enumerate().for_each(|(index, value)| machine.set_register(index, value));
        machine.forget_flags();
        machine.set_count(self.count);
        machine.set_position(self.head);
        machine
    }

    fn name(&self, place: Place) -> String {
        match place {
            Place::Register { index, from, .. } => {
                let name = self.pattern.registers()[index].name.clone();
                if from == 0 { name } else { format!("{name}>>{from}") }
            }
            Place::Memory { region, offset, .. } => {
                format!("{}{}", self.pattern.memory().region(region).name, Offset(offset))
            }
        }
    }

    /// Makes the invariant true of a machine that has come to the head after `blocks` more blocks. Whether it had to change.
    fn weaken(&mut self, terms: &mut Terms, arrived: &M, moved: &mut Moved, chain: &Chain) -> bool {
        let Moved { way, blocks, by: moved } = moved;
        let mut changed = false;
        let registers = arrived.registers();
        for (place, held) in &mut self.cells {
            let there = held_at(terms, arrived, &registers, *place);
            let secret = there.is_some_and(|there| terms.is_secret(there));
            let weaker = match (*held, there) {
                (Held::This(term), Some(there)) if holds_after(terms, term, moved, there) => *held,
                // What has stayed as it was may be what it was at the entry; the next turn will tell.
                (Held::This(term), Some(there)) if there == term && !chain.is_of_entry(terms, term) => {
                    Held::This(chain.at_entry(terms, way, term))
                }
                (Held::This(term), _) => Held::Anything { secret: secret || terms.is_secret(term) },
                (Held::Anything { secret: before }, _) => Held::Anything { secret: before || secret },
            };
            changed |= weaker != *held;
            *held = weaker;
        }
        changed |= self.add_new(terms, arrived);
        if let Some(count) = arrived.count() {
            let fewer = *blocks / count.scale;
            let (low, high) = (count.low.saturating_sub(fewer), count.high.saturating_sub(fewer));
            changed |= low < self.count.low || high > self.count.high;
            self.count.low = self.count.low.min(low);
            self.count.high = self.count.high.max(high);
        }
        changed
    }

    /// Bytes that were written only on the way here may hold anything.
    fn add_new(&mut self, terms: &mut Terms, arrived: &M) -> bool {
        let mut added = false;
        for (place, value) in written(arrived) {
            let Place::Memory { region, offset, bytes } = place else { continue };
            for byte in 0..i64::from(bytes) {
                let at = offset + byte;
                let known = self.cells.iter().any(|&(place, _)| match place {
                    Place::Memory { region: r, offset: o, bytes: b } => {
                        r == region && (o..o + i64::from(b)).contains(&at)
                    }
                    Place::Register { .. } => false,
                });
                if !known {
                    let held = Held::Anything { secret: terms.is_secret(value) };
                    self.cells.push((Place::Memory { region, offset: at, bytes: 1 }, held));
                    added = true;
                }
            }
        }
        added
    }

    /// The cells whose term is public and says where among the blocks the machine is.
    fn moving_cells(&self, terms: &Terms, moving: &[Leaf]) -> Vec<(Place, Term)> {
        let this = self.cells.iter().filter_map(|&(place, held)| match held {
            Held::This(term) if !terms.is_secret(term) && terms.value(term).is_none() => Some((place, term)),
            _ => None,
        });
        this.filter(|&(_, term)| terms.leaves_below(&[term]).iter().any(|leaf| moving.contains(leaf))).collect()
    }

    /// Whether a machine has an address of its stack where the invariant has one of the blocks: then it does with blocks on its
    /// stack what the loop does with those of the caller, and the invariant is not about it.
    fn is_about_others(&self, terms: &Terms, arrived: &M, chain: &Chain) -> bool {
        let memory = arrived.memory();
        let base = |term| terms.as_offset(term, M::ADDRESS_BITS).and_then(|(base, _)| base);
        let is_stack = |leaf| memory.regions().any(|(_, region)| region.kind == Kind::Stack && region.base == leaf);
        let cursors: Vec<Leaf> = chain.lanes.iter().flat_map(|lane| lane.cursors.iter().copied()).collect();
        let registers = arrived.registers();
        self.cells.iter().any(|&(place, held)| match (place, held) {
            (Place::Register { index, from: 0, .. }, Held::This(term)) => {
                base(term).is_some_and(|leaf| cursors.contains(&leaf))
                    && base(registers[index].value).is_some_and(is_stack)
            }
            _ => false,
        })
    }
}

/// What is there; nothing where memory was not written.
fn held_at<M: Machine>(terms: &mut Terms, machine: &M, registers: &[Register], place: Place) -> Option<Term> {
    match place {
        Place::Register { index, from, width } => Some(terms.extract(registers[index].value, from, width)),
        Place::Memory { region, offset, bytes } => machine.memory().region(region).get(terms, offset, bytes).ok(),
    }
}

/// Whether what a term has become is there.
fn holds_after(terms: &mut Terms, term: Term, moved: &mut Substitution, there: Term) -> bool {
    let expected = terms.substitute(term, moved);
    terms.equal(expected, there)
}

/// Whether a region holds something else after a turn of the loop, by what is written or because the variables have moved on.
/// Blocks have checks of their own.
fn is_changing(region: &Region) -> bool {
    match (region.kind, region.high) {
        (_, Extent::PerUnit(_)) | (Kind::Code | Kind::Table, _) => false,
        (Kind::Argument(access), _) => access.writes(),
        (Kind::Stack | Kind::StackArguments, _) => true,
    }
}

/// Everything that memory holds which may change.
fn written<M: Machine>(machine: &M) -> Vec<(Place, Term)> {
    let regions = machine.memory().regions().filter(|(_, region)| is_changing(region));
    regions
        .flat_map(|(id, region)| {
            region.cells().map(move |(offset, value, bytes)| (Place::Memory { region: id, offset, bytes }, value))
        })
        .collect()
}

/// What a proof by induction found.
pub struct Proved<M> {
    /// Every way back to the caller.
    pub returns: Vec<M>,
    /// How often the invariant was weakened.
    pub rounds: usize,
}

/// Runs a kernel for every count. What comes back satisfies nothing yet but that the kernel ends, that no instruction on any way
/// is forbidden, that the blocks written before the last head are right, and that the variables at each return mean what the
/// chain says.
///
/// # Errors
/// The first failure.
pub fn for_every_count<M: Machine>(
    terms: &mut Terms,
    code: &Arc<Code>,
    entry: M,
    cut: &Cut,
    chain: &mut Chain,
) -> Result<Proved<M>, Failure> {
    let mut search = Search { code, cut, invariants: BTreeMap::new(), from_entry: Vec::new() };
    let mut returns = search.begin(terms, entry, chain)?;
    if search.invariants.is_empty() {
        return Ok(Proved { returns, rounds: 0 });
    }
    for rounds in 1.. {
        let (mut changed, mut returned) = (false, Vec::new());
        for machine in search.from_entry.clone() {
            changed |= search.arrive(terms, None, &machine, chain)?;
        }
        let heads: Vec<u64> = search.invariants.keys().copied().collect();
        for head in heads {
            let machine = search.invariants[&head].machine(terms, chain);
            for end in search.run(terms, machine, Some(head), chain)? {
                match end {
                    End::Returned(machine) => returned.push(machine),
                    End::Head(machine) => changed |= search.arrive(terms, Some(head), &machine, chain)?,
                }
            }
        }
        if !changed {
            returns.extend(returned);
            return Ok(Proved { returns, rounds });
        }
    }
    unreachable!("an invariant has finitely many parts, and the budget ends before")
}

/// The search for the invariants of all heads.
struct Search<'a, M> {
    code: &'a Code,
    cut: &'a Cut,
    invariants: BTreeMap<u64, Invariant<M>>,
    /// What has come to heads from the entry.
    from_entry: Vec<M>,
}

impl<M: Machine> Search<'_, M> {
    /// Runs from the entry on, and guesses the invariants from the first arrivals. What has returned comes back.
    fn begin(&mut self, terms: &mut Terms, entry: M, chain: &mut Chain) -> Result<Vec<M>, Failure> {
        let (mut returns, mut arrived) = (Vec::new(), Vec::new());
        for end in explore(terms, self.code, entry, self.cut, None)? {
            match end {
                End::Returned(machine) => returns.push(machine),
                End::Head(machine) => {
                    let count = machine.count().ok_or_else(|| Failure::new(Reason::NoCount))?;
                    arrived.push((count, machine));
                }
            }
        }
        // Where any number of blocks may be left is the way that most calls take.
        arrived.sort_by_key(|(count, _)| std::cmp::Reverse(count.high));
        for (count, machine) in arrived {
            let head = machine.position();
            let Some(invariant) = self.invariants.get(&head) else {
                chain.check_blocks(terms, &machine, 0).map_err(Failure::new)?;
                self.invariants.insert(head, Invariant::of(terms, head, &machine, count));
                self.from_entry.push(machine);
                continue;
            };
            let ends = if invariant.is_about_others(terms, &machine, chain) {
                self.run(terms, machine, None, chain)?
            } else {
                vec![End::Head(machine)]
            };
            for end in ends {
                match end {
                    End::Returned(machine) => returns.push(machine),
                    End::Head(machine) => self.from_entry.push(machine),
                }
            }
        }
        Ok(returns)
    }

    /// Runs to all returns and all heads whose invariant is about what is there.
    fn run(&self, terms: &mut Terms, start: M, from: Option<u64>, chain: &Chain) -> Result<Vec<End<M>>, Failure> {
        let (mut waiting, mut ends) = (vec![(start, from)], Vec::new());
        while let Some((machine, from)) = waiting.pop() {
            for end in explore(terms, self.code, machine, self.cut, from)? {
                match end {
                    End::Head(machine) if !self.has_invariant_of(terms, &machine, chain) => {
                        waiting.push((machine, None));
                    }
                    end => ends.push(end),
                }
            }
        }
        Ok(ends)
    }

    fn has_invariant_of(&self, terms: &Terms, machine: &M, chain: &Chain) -> bool {
        let invariant = self.invariants.get(&machine.position());
        invariant.is_some_and(|invariant| !invariant.is_about_others(terms, machine, chain))
    }

    /// Makes the invariant of a head true of a machine that has come there. Whether it had to change.
    fn arrive(
        &mut self,
        terms: &mut Terms,
        from: Option<u64>,
        machine: &M,
        chain: &mut Chain,
    ) -> Result<bool, Failure> {
        let invariant = self.invariants.get_mut(&machine.position()).expect("runs end where there is an invariant");
        let mut moved = turn(terms, invariant, from, machine, chain)?;
        chain.check_blocks(terms, machine, moved.blocks as usize).map_err(Failure::new)?;
        Ok(invariant.weaken(terms, machine, &mut moved, chain))
    }
}

/// What a way has done.
struct Moved {
    way: Way,
    blocks: u64,
    /// What is true at its end in the place of what is true at its beginning.
    by: Substitution,
}

/// How many blocks were done on the way to a head: as many as most of the public part of its invariant says.
fn turn<M: Machine>(
    terms: &mut Terms,
    invariant: &Invariant<M>,
    from: Option<u64>,
    arrived: &M,
    chain: &mut Chain,
) -> Result<Moved, Failure> {
    let count = arrived.count().ok_or_else(|| Failure::new(Reason::NoCount))?;
    let way = Way { from, count, address_bits: M::ADDRESS_BITS };
    let scale = count.scale as usize;
    let cells = invariant.moving_cells(terms, &chain.moving(count));
    let registers = arrived.registers();
    let there: Vec<Option<Term>> = cells.iter().map(|&(place, _)| held_at(terms, arrived, &registers, place)).collect();
    // Only a way forward may do without a block, so that on every way round there is one, and the loop ends.
    let least = if from.is_some_and(|from| invariant.head <= from) { scale } else { 0 };
    let mut best: Option<(usize, usize)> = None;
    for blocks in (least..=chain.names() / 2).step_by(scale) {
        let mut moved = chain.moved_on_in_public(terms, &way, blocks);
        let agreeing =
            cells.iter().zip(&there).filter(|&(&(_, term), &there)| there == Some(terms.substitute(term, &mut moved)));
        let agreement = agreeing.count();
        if best.is_none_or(|(most, _)| agreement > most) {
            best = Some((agreement, blocks));
        }
    }
    let (_, blocks) = best.ok_or_else(|| Failure::new(Reason::NoCount))?;
    // With every turn fewer blocks are left, so the loop ends.
    if count.units() < blocks as u64 {
        return Err(Failure::new(Reason::NoProgress { blocks: blocks as u64, left: count.units() }));
    }
    let by = chain.moved_on(terms, &way, blocks);
    Ok(Moved { way, blocks: blocks as u64, by })
}
