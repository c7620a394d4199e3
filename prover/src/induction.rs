//! Any number of blocks: an invariant at the head of the loop over blocks, guessed from the first arrival there, weakened until
//! it holds for every other, and thereby proved.
//!
//! The variables stand for the state, the next blocks, their address and the number of blocks left *now*: at entry for those
//! that the caller passed, at the head for those after any number of turns. An arrival after `n` more blocks satisfies the
//! invariant if it is the invariant with the variables moved on: the state replaced by what the specification makes of
//! it, block `b` by block `b + n`, the address by the one `n` blocks further, the number left by `n` less.
//!
//! What a register or a byte of memory holds at the head is a term over those variables, or it is not told: then it is a new
//! variable, secret if it was once seen to hold something secret.

use std::sync::Arc;

use crate::arguments::{Arguments, BLOCKS, Lane};
use crate::code::Code;
use crate::conditions::Count;
use crate::failure::{Failure, Reason};
use crate::machine::{Flow, Machine, Stop};
use crate::memory::{Kind, Offset, RegionId};
use crate::specification::Specification;
use crate::terms::{Substitution, Term, Terms};

/// Where a run ended.
pub enum End<M> {
    /// At the head of the loop.
    Head(M),
    /// Back at the caller.
    Returned(M),
}

/// Where runs stop: at the head of the loop, when they have come to it so many times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The head.
    pub head: u64,
    /// How many turns of the loop count as one: more where the parts of the state change places with every turn.
    pub turns: u32,
}

/// Executes from a machine on, both ways where the count decides, up to the cut or the return.
///
/// # Errors
/// The first instruction that must not be.
pub fn explore<M: Machine>(
    terms: &mut Terms,
    code: &Code,
    start: M,
    cut: Option<Cut>,
    arrivals: u32,
) -> Result<Vec<End<M>>, Failure> {
    let (mut waiting, mut ends) = (vec![(start, arrivals)], Vec::new());
    while let Some((mut machine, mut arrivals)) = waiting.pop() {
        loop {
            let position = machine.position();
            let failed = |reason: Reason| Failure {
                position: Some(position),
                word: code.instruction(position),
                reason: Box::new(reason),
            };
            terms.budget_mut().step().map_err(|exhausted| failed(Reason::Exhausted(exhausted)))?;
            match machine.step(terms) {
                Ok(Flow::Returned) => {
                    ends.push(End::Returned(machine));
                    break;
                }
                Ok(Flow::On) => {
                    if let Some(cut) = cut.filter(|cut| cut.head == machine.position()) {
                        arrivals += 1;
                        if arrivals >= cut.turns {
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

/// The head of the loop over blocks: of all targets of backward branches the lowest.
pub fn find_head<M: Machine>(terms: &mut Terms, mut machine: M) -> Option<u64> {
    let mut head: Option<u64> = None;
    // More than there are blocks with names, so that the run ends at the first block without one.
    if let Some(count) = machine.count() {
        machine.set_count(Count { low: count.high.min(4 * BLOCKS as u64), ..count });
    }
    loop {
        let before = machine.position();
        if terms.budget_mut().step().is_err() || !matches!(machine.step(terms), Ok(Flow::On)) {
            return head;
        }
        let after = machine.position();
        if after <= before {
            head = Some(head.map_or(after, |head| head.min(after)));
        }
    }
}

/// What the specification makes of the states of all lanes, block by block.
pub struct Chain {
    specification: Specification,
    lanes: Vec<Lane>,
    scalars: Vec<Term>,
    /// By number of blocks, by lane.
    states: Vec<Vec<Vec<Term>>>,
}

impl Chain {
    /// No block yet.
    pub fn new(specification: Specification, arguments: &Arguments) -> Chain {
        let (lanes, scalars) = (arguments.lanes.clone(), arguments.scalars.clone());
        let states = vec![lanes.iter().map(|lane| lane.state.clone()).collect()];
        Chain { specification, lanes, scalars, states }
    }

    /// The states after `blocks` blocks; no more than [`BLOCKS`].
    pub fn after(&mut self, terms: &mut Terms, blocks: usize) -> &[Vec<Term>] {
        while self.states.len() <= blocks {
            let done = self.states.len() - 1;
            let next = (self.lanes.iter().zip(&self.states[done]))
                .map(|(lane, state)| self.specification.advance(terms, state, &lane.blocks[done], &self.scalars))
                .collect();
            self.states.push(next);
        }
        &self.states[blocks]
    }

    /// The lanes at the beginning.
    pub fn lanes(&self) -> &[Lane] {
        &self.lanes
    }

    /// The scalars beside the count.
    pub fn scalars(&self) -> &[Term] {
        &self.scalars
    }

    /// Puts what is true after `blocks` more blocks in the place of what is true now.
    fn moved_on(&mut self, terms: &mut Terms, count: Count, address_bits: u32, blocks: usize) -> Substitution {
        let mut moved = self.moved_on_in_public(terms, count, address_bits, blocks);
        self.after(terms, blocks);
        for (lane, new_state) in self.lanes.iter().zip(&self.states[blocks]) {
            for (&old, &new) in lane.state.iter().zip(new_state) {
                moved.replace(terms.as_leaf(old).expect("words are variables"), new);
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
    fn machine(&self, terms: &mut Terms) -> M {
        let mut machine = self.pattern.clone();
        let written: Vec<RegionId> =
            machine.memory().regions().filter(|(_, region)| is_written(region.kind)).map(|(id, _)| id).collect();
        for id in written {
            machine.memory_mut().region_mut(id).forget();
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
    fn weaken(&mut self, terms: &mut Terms, arrived: &M, moved: &mut Substitution, blocks: u64) -> bool {
        let mut changed = false;
        let registers = arrived.registers();
        for (place, held) in &mut self.cells {
            let there = match *place {
                Place::Register { index, from, width } => terms.extract(registers[index].value, from, width),
                Place::Memory { region, offset, bytes } => {
                    let region = arrived.memory().region(region);
                    region.get(terms, offset, bytes).expect("what was written stays written")
                }
            };
            let secret = terms.is_secret(there);
            let weaker = match *held {
                Held::This(term) if holds_after(terms, term, moved, there) => *held,
                Held::This(term) => Held::Anything { secret: secret || terms.is_secret(term) },
                Held::Anything { secret: before } => Held::Anything { secret: before || secret },
            };
            changed |= weaker != *held;
            *held = weaker;
        }
        changed |= self.add_new(terms, arrived);
        if let Some(count) = arrived.count() {
            let fewer = blocks / count.scale;
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

    /// How many things that the public part of the invariant tells are true after so many more blocks.
    fn agreement(&self, terms: &mut Terms, arrived: &M, moved: &mut Substitution) -> usize {
        let registers = arrived.registers();
        let mut agreeing = 0;
        for &(place, held) in &self.cells {
            let Held::This(term) = held else { continue };
            let there = match place {
                Place::Register { index, from, width } => terms.extract(registers[index].value, from, width),
                Place::Memory { region, offset, bytes } => {
                    let region = arrived.memory().region(region);
                    region.get(terms, offset, bytes).expect("what was written stays written")
                }
            };
            agreeing += usize::from(!terms.is_secret(term) && terms.substitute(term, moved) == there);
        }
        agreeing
    }
}

/// Whether what a term has become is there.
fn holds_after(terms: &mut Terms, term: Term, moved: &mut Substitution, there: Term) -> bool {
    let expected = terms.substitute(term, moved);
    terms.equal(expected, there)
}

fn is_written(kind: Kind) -> bool {
    match kind {
        Kind::Argument(access) => access.writes(),
        Kind::Stack => true,
        Kind::StackArguments | Kind::Code => false,
    }
}

/// Everything that memory holds which the kernel may have written.
fn written<M: Machine>(machine: &M) -> Vec<(Place, Term)> {
    let regions = machine.memory().regions().filter(|(_, region)| is_written(region.kind));
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
/// is forbidden, and that the variables at each return mean what the chain says.
///
/// # Errors
/// The first failure.
pub fn for_every_count<M: Machine>(
    terms: &mut Terms,
    code: &Arc<Code>,
    entry: M,
    cut: Option<Cut>,
    chain: &mut Chain,
) -> Result<Proved<M>, Failure> {
    let mut returns = Vec::new();
    let mut invariant: Option<Invariant<M>> = None;
    for end in explore(terms, code, entry, cut, cut.map_or(0, |cut| cut.turns - 1))? {
        match end {
            End::Returned(machine) => returns.push(machine),
            End::Head(machine) => {
                let count = machine.count().ok_or_else(|| Failure::new(Reason::NoCount))?;
                match &mut invariant {
                    None => invariant = Some(Invariant::of(terms, machine.position(), &machine, count)),
                    Some(invariant) => {
                        invariant.weaken(terms, &machine, &mut Substitution::default(), 0);
                    }
                }
            }
        }
    }
    let Some(mut invariant) = invariant else { return Ok(Proved { returns, rounds: 0 }) };
    for rounds in 1.. {
        let machine = invariant.machine(terms);
        let (mut changed, mut returned) = (false, Vec::new());
        for end in explore(terms, code, machine, cut, 0)? {
            match end {
                End::Returned(machine) => returned.push(machine),
                End::Head(machine) => {
                    let (blocks, mut moved) = turn(terms, &invariant, &machine, chain)?;
                    changed |= invariant.weaken(terms, &machine, &mut moved, blocks);
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

/// How many blocks a turn of the loop took: as many as most of the public part of the invariant says.
fn turn<M: Machine>(
    terms: &mut Terms,
    invariant: &Invariant<M>,
    arrived: &M,
    chain: &mut Chain,
) -> Result<(u64, Substitution), Failure> {
    let count = arrived.count().ok_or_else(|| Failure::new(Reason::NoCount))?;
    let scale = count.scale as usize;
    let mut best: Option<(usize, usize)> = None;
    for blocks in (scale..=BLOCKS / 2).step_by(scale) {
        // A trial with the old state in place of the new: only the public part is looked at.
        let mut moved = chain.moved_on_in_public(terms, count, M::ADDRESS_BITS, blocks);
        let agreement = invariant.agreement(terms, arrived, &mut moved);
        if best.is_none_or(|(most, _)| agreement > most) {
            best = Some((agreement, blocks));
        }
    }
    let (_, blocks) = best.ok_or_else(|| Failure::new(Reason::NoCount))?;
    // With every turn fewer blocks are left, so the loop ends.
    if count.units() < blocks as u64 {
        return Err(Failure::new(Reason::NoProgress { blocks: blocks as u64, left: count.units() }));
    }
    Ok((blocks as u64, chain.moved_on(terms, count, M::ADDRESS_BITS, blocks)))
}

impl Chain {
    /// As [`moved_on`](Self::moved_on) for addresses and the count, with everything else as it is.
    fn moved_on_in_public(&self, terms: &mut Terms, count: Count, address_bits: u32, blocks: usize) -> Substitution {
        let mut moved = Substitution::default();
        for lane in &self.lanes {
            let cursor = terms.window(lane.cursor);
            let bytes = (blocks * self.specification.block_bytes()) as i128;
            let further = terms.add_constant(cursor, bytes, address_bits);
            moved.replace(lane.cursor, further);
        }
        let left = terms.window(count.leaf);
        let fewer = terms.add_constant(left, -((blocks as u64 / count.scale) as i128), address_bits);
        moved.replace(count.leaf, fewer);
        moved
    }
}
