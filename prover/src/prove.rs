//! The proof of one kernel.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use vambrace_contract::{Architecture, Kernel};

use crate::arguments::{Arguments, BLOCKS, Words};
use crate::budget::{Budget, Exhausted, Limits, computed};
use crate::code::Code;
use crate::conditions::Count;
use crate::failure::{Failure, Reason};
use crate::induction::{Chain, Cut, Proved, find_head, for_every_count};
use crate::machine::{Fault, Machine, Register};
use crate::memory::{Kind, MemoryError, Offset, RegionId};
use crate::specification::Specification;
use crate::terms::{Assignment, Leaf, Term, Terms};
use crate::{a32, a64};

/// What became of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything that [`prove`] says holds, for all inputs.
    Proved,
    /// There is no proof, and this is where it stopped.
    NotProved(Failure),
    /// No specification is written for the entry point.
    NotAttempted(&'static str),
}

/// What became of a kernel, and what it cost.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// What became of it.
    pub outcome: Outcome,
    /// Time that was computed.
    pub time: Duration,
    /// Instructions executed.
    pub steps: u64,
    /// Nodes of terms.
    pub nodes: usize,
    /// Turns of the search for the invariant, over all cases.
    pub rounds: usize,
    /// Cases that differ in the remainder of the count, or in how the stack is aligned.
    pub cases: u64,
    /// States at a return that were evaluated on numbers and compared with the specification.
    pub evaluated: usize,
}

/// Proves that code keeps the contract of a kernel and computes what the specification of its entry point says, for all
/// inputs and every number of blocks:
/// - the state is the specification's;
/// - every load and store is inside what the contract grants, no stack is used below the declared depth, and none below SP;
/// - no branch, no address and no operand of a division depends on a secret;
/// - callee-saved registers and SP are given back, and the return is to the caller;
/// - no register, no flag and no byte of the stack depends on a secret at the return, where the contract says so.
pub fn prove(kernel: &Kernel, code: &Code, limits: Limits) -> Verdict {
    let began = computed();
    let mut verdict = Verdict {
        outcome: Outcome::Proved,
        time: Duration::ZERO,
        steps: 0,
        nodes: 0,
        rounds: 0,
        cases: 0,
        evaluated: 0,
    };
    verdict.outcome = match (Specification::of(kernel.contract), kernel.architecture) {
        (None, _) => Outcome::NotAttempted("no specification is written for its entry point"),
        (Some(specification), Architecture::Aarch64) => {
            all_cases::<a64::State>(kernel, specification, &Arc::new(code.clone()), limits, &mut verdict)
        }
        (Some(specification), Architecture::Arm) => {
            all_cases::<a32::State>(kernel, specification, &Arc::new(code.clone()), limits, &mut verdict)
        }
    };
    verdict.time = computed().saturating_sub(began);
    verdict
}

/// Proves for every count, or, where the kernel divides it, for every remainder; and for every alignment of the stack.
fn all_cases<M: Machine>(
    kernel: &Kernel,
    specification: Specification,
    code: &Arc<Code>,
    limits: Limits,
    verdict: &mut Verdict,
) -> Outcome {
    let began = computed();
    let cases = |scale| -> Vec<(u64, u32)> {
        (0..scale).flat_map(|rest| M::STACK_PHASES.iter().map(move |&phase| (rest, phase))).collect()
    };
    let (mut scale, mut waiting, turns) = (1, cases(1), Cell::new(1));
    while let Some((rest, stack_phase)) = waiting.pop() {
        let mut terms = Terms::within(Budget::continued(limits, began, verdict.steps));
        let case = Case { kernel, specification, code, count: (scale, rest), stack_phase, turns: &turns };
        let result = case.prove::<M>(&mut terms, verdict);
        verdict.steps = terms.budget().steps();
        verdict.nodes = verdict.nodes.max(terms.nodes());
        verdict.cases += 1;
        if let Err(failure) = result {
            match *failure.reason {
                Reason::Divides(by) if scale == 1 => (scale, waiting, verdict.cases) = (by, cases(by), 0),
                _ => return Outcome::NotProved(failure),
            }
        }
    }
    Outcome::Proved
}

struct Case<'a> {
    kernel: &'a Kernel,
    specification: Specification,
    code: &'a Arc<Code>,
    count: (u64, u64),
    stack_phase: u32,
    /// How many turns of the loop count as one; the same for all cases.
    turns: &'a Cell<u32>,
}

impl Case<'_> {
    fn entry<M: Machine>(&self, terms: &mut Terms, words: Words) -> Result<(M, Arguments), Failure> {
        let arguments = Arguments::new(terms, self.kernel, self.specification, M::ADDRESS_BITS, self.count, words)
            .map_err(Failure::new)?;
        let memory = arguments.memory.clone();
        let mut machine = M::enter(terms, self.code.clone(), self.kernel.stack, memory, &arguments.passed);
        machine.set_count(arguments.count);
        machine.set_stack_phase(self.stack_phase);
        Ok((machine, arguments))
    }

    fn prove<M: Machine>(&self, terms: &mut Terms, verdict: &mut Verdict) -> Result<(), Failure> {
        let mut numbers = Terms::new(Limits::default());
        let (trial, _) = self.entry::<M>(&mut numbers, Words::Numbers)?;
        let head = find_head(&mut numbers, trial);
        let turns = self.turns.get();
        let result = self.prove_with::<M>(terms, head.map(|head| Cut { head, turns }), verdict);
        match (result, head) {
            (Err(failure), Some(head)) if turns == 1 && is_for_want_of_an_invariant(&failure) => {
                // Perhaps the state is back in its place after the second turn.
                self.turns.set(2);
                self.prove_with::<M>(terms, Some(Cut { head, turns: 2 }), verdict).map_err(|_| failure)
            }
            (result, _) => result,
        }
    }

    fn prove_with<M: Machine>(
        &self,
        terms: &mut Terms,
        cut: Option<Cut>,
        verdict: &mut Verdict,
    ) -> Result<(), Failure> {
        let (entry, arguments) = self.entry::<M>(terms, Words::Variables)?;
        let before = entry.registers();
        let mut chain = Chain::new(self.specification, &arguments);
        let Proved { returns, rounds } = for_every_count(terms, self.code, entry, cut, &mut chain)?;
        verdict.rounds += rounds;
        for machine in &returns {
            let blocks = blocks_done(machine)?;
            self.check_outputs(terms, machine, blocks, &mut chain)?;
            self.check_registers(terms, machine, &before)?;
            self.check_residue(terms, machine)?;
            verdict.evaluated += self.evaluate(terms, machine, blocks, &arguments)?;
        }
        match terms.budget().exhausted() {
            Some(exhausted) => Err(Failure::new(Reason::Exhausted(exhausted))),
            None => Ok(()),
        }
    }

    fn state_word<M: Machine>(
        &self,
        terms: &mut Terms,
        machine: &M,
        lane: usize,
        word: usize,
        chain: &[crate::arguments::Lane],
    ) -> Term {
        let bytes = self.specification.width / 8;
        let region = machine.memory().region(chain[lane].region);
        region.get(terms, i64::from(bytes) * word as i64, bytes).expect("the state was there at entry")
    }

    fn check_outputs<M: Machine>(
        &self,
        terms: &mut Terms,
        machine: &M,
        blocks: u64,
        chain: &mut Chain,
    ) -> Result<(), Failure> {
        let lanes = chain.lanes().to_vec();
        let expected = chain.after(terms, blocks as usize).to_vec();
        for (lane, expected) in expected.iter().enumerate() {
            for (word, &expected) in expected.iter().enumerate() {
                let found = self.state_word(terms, machine, lane, word, &lanes);
                if !terms.equal(found, expected) {
                    return Err(Failure::new(Reason::Output {
                        word: self.word_name(machine, lanes[lane].region, word),
                        blocks,
                        difference: terms.difference(found, expected),
                        example: example(terms, found, expected),
                    }));
                }
            }
        }
        Ok(())
    }

    fn word_name<M: Machine>(&self, machine: &M, region: RegionId, word: usize) -> String {
        format!("{}.{}", machine.memory().region(region).name, self.specification.state_names()[word])
    }

    fn check_registers<M: Machine>(&self, terms: &mut Terms, machine: &M, before: &[Register]) -> Result<(), Failure> {
        for (index, (now, before)) in machine.registers().iter().zip(before).enumerate() {
            let preserved = machine.preserved_bits(index);
            let (old, new) = (terms.low(before.value, preserved), terms.low(now.value, preserved));
            if preserved > 0 && old != new {
                let (register, held) = (now.name.clone(), terms.write(new));
                return Err(Failure::new(Reason::Preserved { register, held }));
            }
            if self.kernel.clears.registers && terms.is_secret(now.value) {
                let (register, held) = (now.name.clone(), terms.write(now.value));
                return Err(Failure::new(Reason::SecretRegister { register, held }));
            }
        }
        if self.kernel.clears.registers && machine.flags_are_secret(terms) {
            return Err(Failure::new(Reason::SecretFlags));
        }
        Ok(())
    }

    fn check_residue<M: Machine>(&self, terms: &mut Terms, machine: &M) -> Result<(), Failure> {
        if !self.kernel.clears.stack {
            return Ok(());
        }
        let stack = machine.memory().regions().filter(|(_, region)| region.kind == Kind::Stack);
        for (offset, value, bytes) in stack.flat_map(|(_, region)| region.cells()) {
            if terms.is_secret(value) {
                return Err(Failure::new(Reason::SecretStack {
                    offset: Offset(offset),
                    bytes,
                    held: terms.write(value),
                }));
            }
        }
        Ok(())
    }

    /// Compares the terms at a return with the specification on numbers, so that what both sides of the proof have in
    /// common, the terms, is looked at from outside.
    fn evaluate<M: Machine>(
        &self,
        terms: &mut Terms,
        machine: &M,
        blocks: u64,
        arguments: &Arguments,
    ) -> Result<usize, Failure> {
        for trial in 0..TRIALS {
            let mut random = Random(0x7072_6f76_6572 + trial);
            let mut values = Assignment::default();
            let mut number = |terms: &Terms, term: Term| {
                let leaf = terms.as_leaf(term).expect("arguments are variables");
                let value = random.number(terms.width(leaf));
                values.set(leaf, value);
                value as u64
            };
            let scalars: Vec<u64> = arguments.scalars.iter().map(|&scalar| number(terms, scalar)).collect();
            let mut expected = Vec::new();
            for lane in &arguments.lanes {
                let mut state: Vec<u64> = lane.state.iter().map(|&word| number(terms, word)).collect();
                for block in &lane.blocks[..blocks as usize] {
                    let block: Vec<u64> = block.iter().map(|&word| number(terms, word)).collect();
                    state = self.specification.advance_numbers(&state, &block, &scalars);
                }
                expected.push(state);
            }
            for (lane, expected) in expected.iter().enumerate() {
                let words: Vec<Term> = (0..expected.len())
                    .map(|word| self.state_word(terms, machine, lane, word, &arguments.lanes))
                    .collect();
                // The state depends on nothing else.
                let found = terms.evaluate_all(&words, &mut values, &mut |_| random.number(128));
                for (word, (&found, &expected)) in found.iter().zip(expected).enumerate() {
                    if found != u128::from(expected) {
                        let word = self.word_name(machine, arguments.lanes[lane].region, word);
                        return Err(Failure::new(Reason::Evaluation {
                            word,
                            blocks,
                            found,
                            expected: expected.into(),
                        }));
                    }
                }
            }
        }
        Ok(TRIALS as usize)
    }
}

/// How often the terms at a return are evaluated.
const TRIALS: u64 = 4;

/// Whether something that the code needs to know was not the same after every turn of the loop.
fn is_for_want_of_an_invariant(failure: &Failure) -> bool {
    let Reason::Fault(fault) = &*failure.reason else { return false };
    matches!(fault, Fault::UnknownCondition(_) | Fault::Memory(MemoryError::UnknownAddress(_)))
}

fn blocks_done<M: Machine>(machine: &M) -> Result<u64, Failure> {
    let count = machine.count().ok_or_else(|| Failure::new(Reason::NoCount))?;
    let Count { low, high, .. } = count;
    if low != high {
        return Err(Failure::new(Reason::BlocksLeft { low, high }));
    }
    let blocks = count.units();
    if blocks > BLOCKS as u64 { Err(Failure::new(Reason::TooManyBlocks(blocks))) } else { Ok(blocks) }
}

/// Numbers on which two terms differ, if some are found.
fn example(terms: &mut Terms, found: Term, expected: Term) -> String {
    for trial in 0..64 {
        let mut random = Random(trial);
        let mut values = Assignment::default();
        let mut missing = |_: Leaf| random.number(128);
        let (a, b) =
            (terms.evaluate(found, &mut values, &mut missing), terms.evaluate(expected, &mut values, &mut missing));
        if a != b {
            let leaves = terms.leaves_below(&[found, expected]);
            let named = leaves.iter().filter_map(|&leaf| Some((terms.name(leaf)?, values.get(leaf)?)));
            let named: Vec<String> = named.take(32).map(|(name, value)| format!("{name} = {value:#x}")).collect();
            return format!("    it is {a:#x} and not {b:#x} for {}", named.join(", "));
        }
    }
    "    no numbers were found on which they differ: the normal form may be too weak".to_owned()
}

/// SplitMix64: the same numbers in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn number(&mut self, width: u32) -> u128 {
        (u128::from(self.next()) << 64 | u128::from(self.next())) & crate::terms::ones(width)
    }
}

impl From<Exhausted> for Reason {
    fn from(exhausted: Exhausted) -> Reason {
        Reason::Exhausted(exhausted)
    }
}
