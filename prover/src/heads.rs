//! Where the loops over blocks are.
//!
//! A guess, from runs on numbers: whatever is guessed, a proof is a proof. A loop that is not cut is executed turn by turn, and a
//! cut at another loop finds no invariant.

use std::collections::{BTreeMap, BTreeSet};

use crate::machine::{Flow, Machine};
use crate::memory::Extent;
use crate::terms::{Leaf, Term, Terms};

/// Where runs stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The heads of loops.
    pub heads: Vec<u64>,
    /// How many turns of a loop count as one: more where the parts of the state change places with every turn.
    pub turns: u32,
}

impl Cut {
    /// Nowhere.
    pub const NONE: Cut = Cut { heads: Vec::new(), turns: 0 };
}

/// The heads of loops over blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heads {
    /// Those that are there for any number of blocks.
    pub main: Vec<u64>,
    /// Those that only few blocks go through.
    pub rest: Vec<u64>,
    /// Whether none was found, and what is there is the lowest of all loops.
    pub guessed: bool,
}

impl Heads {
    /// Looks where a kernel goes when no number of blocks is too many, and when there are few.
    pub fn find<M: Machine>(terms: &mut Terms, machine: &M, blocks_with_names: usize) -> Heads {
        let (mut heads, mut lowest) = (Heads::default(), None);
        let Some(count) = machine.count() else { return heads };
        // The first run ends at the first block without a name.
        let large = count.high.min(4 * blocks_with_names as u64);
        let few = (2..=MOST_OF_FEW.min(count.high)).map(|blocks| (blocks, blocks));
        for (low, high) in std::iter::once((large, count.high)).chain(few) {
            let mut trial = machine.clone();
            trial.set_count(crate::conditions::Count { low, high, ..count });
            let (targets, of_blocks) = heads_of_run(terms, trial, count.leaf);
            lowest = lowest.or(targets.into_iter().min());
            for head in of_blocks {
                if !heads.main.contains(&head) && !heads.rest.contains(&head) {
                    if low == large { heads.main.push(head) } else { heads.rest.push(head) }
                }
            }
        }
        if heads == Heads::default() {
            // Whatever that loop does, the message about it is better than the one that the budget is exhausted.
            heads.main.extend(lowest);
            heads.guessed = true;
        }
        heads
    }

    /// The cuts to try, one after the other; some may be the same.
    pub fn cuts(&self) -> [Cut; 3] {
        let (main, all) = (self.main.clone(), [&self.main[..], &self.rest].concat());
        // Perhaps the state is back in its place after the second turn.
        [(all, 1), (main.clone(), 1), (main, 2)].map(|(heads, turns)| Cut { heads, turns })
    }
}

/// Where loops end that are left more than once: behind backward branches that are not taken. Where the turns of one loop are
/// rounds of a block and blocks alike, that is the place which is passed once for each block.
pub fn ends<M: Machine>(terms: &mut Terms, machine: &M, blocks_with_names: usize) -> Vec<u64> {
    let (mut backward, mut ends) = (BTreeSet::new(), BTreeMap::<u64, usize>::new());
    let mut trial = machine.clone();
    if let Some(count) = trial.count() {
        let large = count.high.min(4 * blocks_with_names as u64);
        trial.set_count(crate::conditions::Count { low: large, ..count });
    }
    run(terms, trial, |_, machine, before| {
        let after = machine.position();
        if after <= before {
            backward.insert(before);
        } else if backward.contains(&before) {
            *ends.entry(after).or_default() += 1;
        }
    });
    ends.into_iter().filter(|&(_, times)| times > 1).map(|(end, _)| end).collect()
}

/// What few blocks are: enough for two turns of a loop that takes what another leaves.
const MOST_OF_FEW: u64 = 8;

/// A visit to the target of a backward branch.
struct Visit {
    /// How many visits to any target were before it.
    at: usize,
    /// Everything that tells which block is next.
    place: Vec<Term>,
}

/// The targets of backward branches, and those that are visited twice, each time at another block, and not within a loop with the same
/// property.
fn heads_of_run<M: Machine>(terms: &mut Terms, machine: M, count: Leaf) -> (Vec<u64>, Vec<u64>) {
    let regions = machine.memory().regions();
    let mut moving: Vec<Leaf> = regions
        .filter(|(_, region)| matches!(region.high, Extent::PerUnit(_)))
        .map(|(_, region)| region.base)
        .collect();
    moving.push(count);
    let mut targets = Vec::new();
    run(terms, machine.clone(), |_, machine, before| {
        let after = machine.position();
        if after <= before && !targets.contains(&after) {
            targets.push(after);
        }
    });
    let (mut visits, mut total) = (BTreeMap::<u64, Vec<Visit>>::new(), 0);
    run(terms, machine, |terms, machine, _| {
        if targets.contains(&machine.position()) {
            total += 1;
            let visit = Visit { at: total, place: place_among_blocks(terms, machine, &moving) };
            visits.entry(machine.position()).or_default().push(visit);
        }
    });
    visits.retain(|_, visits| visits.len() > 1 && visits.windows(2).all(|pair| pair[0].place != pair[1].place));
    let is_within = |inner: u64, outer: u64| {
        let (inner, outer) = (&visits[&inner], &visits[&outer]);
        outer
            .windows(2)
            .any(|turn| inner.iter().filter(|visit| (turn[0].at..turn[1].at).contains(&visit.at)).count() > 1)
    };
    let outermost = |head: &u64| !visits.keys().any(|other| other != head && is_within(*head, *other));
    let heads = visits.keys().copied().filter(outermost).collect();
    (targets, heads)
}

/// Runs as far as it goes; after each instruction `look` sees the machine, and where it was before.
fn run<M: Machine>(terms: &mut Terms, mut machine: M, mut look: impl FnMut(&Terms, &M, u64)) {
    loop {
        let before = machine.position();
        if terms.budget_mut().step().is_err() || !matches!(machine.step(terms), Ok(Flow::On)) {
            return;
        }
        look(terms, &machine, before);
    }
}

/// What registers and the stack hold of addresses of blocks and of the count.
fn place_among_blocks<M: Machine>(terms: &Terms, machine: &M, moving: &[Leaf]) -> Vec<Term> {
    let registers = machine.registers().into_iter().map(|register| register.value);
    let memory = machine.memory();
    let stack = memory.regions().filter(|(_, region)| region.kind == crate::memory::Kind::Stack);
    let stored = stack.flat_map(|(_, region)| region.cells().map(|(_, value, _)| value));
    let all = registers.chain(stored).filter(|&term| terms.value(term).is_none());
    all.filter(|&term| terms.leaves_below(&[term]).iter().any(|leaf| moving.contains(leaf))).collect()
}
