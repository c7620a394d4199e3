//! The proof of one kernel.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use vambrace_contract::{Architecture, Kernel};

use crate::arguments::{Arguments, Choice, Lane, ShapeError, Words};
use crate::budget::{Budget, Exhausted, Limits, computed};
use crate::code::Code;
use crate::conditions::Count;
use crate::failure::{Failure, Reason};
use crate::heads::{Cut, Heads, ends};
use crate::induction::{Chain, End, Proved, equal_at, explore, for_every_count};
use crate::keys::Form;
use crate::left::check_left;
use crate::machine::{Fault, Machine};
use crate::memory::MemoryError;
use crate::numbers::Random;
use crate::specification::{Given, Specification};
use crate::terms::{Assignment, Term, Terms};
use crate::without_count::{self, WithoutCount};
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
    /// Cases that differ in the number of rounds, in whether blocks are written where they are read, in the remainder of the
    /// count, or in how the stack is aligned.
    pub cases: u64,
    /// States at a return that were evaluated on numbers and compared with the specification.
    pub evaluated: usize,
}

/// Whether there is a specification for the entry point of a kernel, and the contract has the shape that it asks for.
///
/// # Errors
/// What does not fit.
pub fn fits(kernel: &Kernel) -> Result<(), ShapeError> {
    let Some(specification) = Specification::of(kernel.contract) else {
        return WithoutCount::of(kernel).map(|_| ()).ok_or(ShapeError::NoSpecification);
    };
    // It says of itself what is wrong, which comes first.
    kernel.contract.validate().map_err(ShapeError::Contract)?;
    let address_bits = match kernel.architecture {
        Architecture::Aarch64 => a64::State::ADDRESS_BITS,
        Architecture::Arm => a32::State::ADDRESS_BITS,
    };
    for choice in Choice::all(kernel.contract.arguments, specification) {
        let specification = specification.with_rounds(choice.rounds.unwrap_or(0));
        let mut terms = Terms::new(Limits::default());
        Arguments::new(&mut terms, kernel, (specification, choice), address_bits, (1, 0), Words::Numbers)?;
    }
    Ok(())
}

/// Proves that code keeps the contract of a kernel and computes what the specification of its entry point says, for all
/// inputs, every number of blocks, every number of rounds that the contract allows, in place and not:
/// - the state is the specification's, and so is every block that is written; no other is;
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
    verdict.outcome = match kernel.architecture {
        Architecture::Aarch64 => attempt::<a64::State>(kernel, code, limits, &mut verdict),
        Architecture::Arm => attempt::<a32::State>(kernel, code, limits, &mut verdict),
    };
    if let Outcome::NotProved(failure) = &mut verdict.outcome {
        failure.look_up(code);
    }
    verdict.time = computed().saturating_sub(began);
    verdict
}

fn attempt<M: Machine>(kernel: &Kernel, code: &Code, limits: Limits, verdict: &mut Verdict) -> Outcome {
    let code = Arc::new(code.clone());
    match (Specification::of(kernel.contract), WithoutCount::of(kernel)) {
        (Some(specification), _) => all_cases::<M>(kernel, specification, &code, limits, verdict),
        (None, Some(function)) => without_count::prove_all::<M>(kernel, function, &code, limits, verdict),
        (None, None) => Outcome::NotAttempted("no specification is written for its entry point"),
    }
}

/// Proves for every choice that the contract leaves, for every count, or, where the kernel divides it, for every remainder;
/// and for every alignment of the stack, if that is asked for.
fn all_cases<M: Machine>(
    kernel: &Kernel,
    specification: Specification,
    code: &Arc<Code>,
    limits: Limits,
    verdict: &mut Verdict,
) -> Outcome {
    let began = computed();
    let choices = Choice::all(kernel.contract.arguments, specification);
    let with_rest = |scale| (0..scale).flat_map(|rest| choices.iter().map(move |&choice| (rest, choice)));
    let (mut scale, first_cut) = (1, Cell::new(0));
    let mut waiting: Vec<(u64, Choice)> = with_rest(1).collect();
    while let Some((rest, choice)) = waiting.pop() {
        let rounds = choice.rounds.unwrap_or(0);
        let specification = specification.with_rounds(rounds);
        for &stack_phase in M::STACK_PHASES {
            let mut terms = Terms::within(Budget::continued(limits, began, verdict.steps));
            let count = (scale, rest);
            let case = Case { kernel, specification, choice, code, limits, count, stack_phase, first_cut: &first_cut };
            let result = case.prove::<M>(&mut terms, verdict);
            verdict.steps = terms.budget().steps();
            verdict.nodes = verdict.nodes.max(terms.nodes());
            verdict.cases += 1;
            match result.map_err(|failure| case.without_invariant::<M>(terms.budget(), failure)) {
                Ok(phase_counts) if phase_counts => {}
                // Any alignment is like this one.
                Ok(_) => break,
                Err(failure) => match *failure.reason {
                    Reason::Divides(by) if scale == 1 => {
                        (scale, waiting, verdict.cases) = (by, with_rest(by).collect(), 0);
                        break;
                    }
                    _ => return Outcome::NotProved(Failure { choice: choice.describe(), ..failure }),
                },
            }
        }
    }
    Outcome::Proved
}

struct Case<'a> {
    kernel: &'a Kernel,
    specification: Specification,
    choice: Choice,
    code: &'a Arc<Code>,
    limits: Limits,
    count: (u64, u64),
    stack_phase: u32,
    /// Which of the cuts has worked; the same for all cases.
    first_cut: &'a Cell<usize>,
}

impl Case<'_> {
    fn entry<M: Machine>(&self, terms: &mut Terms, words: Words) -> Result<(M, Arguments), Failure> {
        let what = (self.specification, self.choice);
        let arguments =
            Arguments::new(terms, self.kernel, what, M::ADDRESS_BITS, self.count, words).map_err(Failure::new)?;
        let memory = arguments.memory.clone();
        let mut machine = M::enter(terms, self.code.clone(), self.kernel.stack, memory, &arguments.passed);
        machine.set_count(arguments.count);
        machine.set_stack_phase(self.stack_phase);
        Ok((machine, arguments))
    }

    /// Whether it is a proof for this alignment of the stack alone.
    fn prove<M: Machine>(&self, terms: &mut Terms, verdict: &mut Verdict) -> Result<bool, Failure> {
        let mut numbers = Terms::within(terms.budget().for_trial());
        let (trial, _) = self.entry::<M>(&mut numbers, Words::Numbers)?;
        let heads = Heads::find(&mut numbers, &trial, self.specification.blocks_with_names());
        let cuts = heads.cuts();
        let (mut index, mut failed): (usize, Option<Failure>) = (self.first_cut.get(), None);
        loop {
            let failure = match self.prove_with::<M>(terms, &cuts[index], verdict) {
                Ok(phase_counts) => {
                    self.first_cut.set(index);
                    return Ok(phase_counts);
                }
                Err(failure) => failure,
            };
            // What few blocks go through one by one may be no loop that leaves an invariant: then it is executed.
            let few = index == 0 && cuts[1] != cuts[0] && !matches!(*failure.reason, Reason::Divides(_));
            let another = few || is_for_want_of_an_invariant(&failure);
            let said = failed.take().filter(|_| another).unwrap_or(failure);
            match (index + 1..cuts.len()).find(|&next| cuts[next] != cuts[index]) {
                Some(next) if another => (index, failed) = (next, Some(said)),
                None if another && heads.guessed => {
                    return self.prove_at_an_end::<M>(terms, verdict).ok_or(said);
                }
                _ => return Err(said),
            }
        }
    }

    /// Cuts the loop where it ends. What a try has cost is no argument against the next.
    fn prove_at_an_end<M: Machine>(&self, terms: &mut Terms, verdict: &mut Verdict) -> Option<bool> {
        let mut numbers = Terms::within(terms.budget().for_trial());
        let (trial, _) = self.entry::<M>(&mut numbers, Words::Numbers).ok()?;
        let ends = ends(&mut numbers, &trial, self.specification.blocks_with_names());
        ends.into_iter().find_map(|end| {
            *terms = Terms::within(Budget::continued(self.limits, computed(), terms.budget().steps()));
            self.prove_with::<M>(terms, &Cut { heads: vec![end], turns: 1 }, verdict).ok()
        })
    }

    /// A failure as it shows when a few blocks are executed from the entry to the return, if it does there too: then no part of a
    /// term is what an invariant does not tell, and it is told which instruction made the first wrong one.
    fn without_invariant<M: Machine>(&self, spent: &Budget, failure: Failure) -> Failure {
        if !matches!(*failure.reason, Reason::Output { .. }) {
            return failure;
        }
        let mut terms = Terms::within(spent.for_trial());
        self.failure_of_few_blocks::<M>(&mut terms).unwrap_or(failure)
    }

    fn failure_of_few_blocks<M: Machine>(&self, terms: &mut Terms) -> Option<Failure> {
        let (entry, arguments, mut chain) = self.begin::<M>(terms).ok()?;
        let count = arguments.count;
        for left in count.low..=count.high {
            let mut machine = entry.clone();
            machine.set_count(Count { low: left, high: left, ..count });
            if machine.count()?.units() > chain.names().min(FEW_BLOCKS) as u64 {
                return None;
            }
            for end in explore(terms, self.code, machine, &Cut::NONE, None).ok()? {
                let End::Returned(machine) = end else { continue };
                let blocks = blocks_done(&machine, &chain).ok()?;
                let state = self.check_state(terms, &machine, blocks, &mut chain);
                let checked =
                    state.and_then(|()| chain.check_blocks(terms, &machine, blocks as usize).map_err(Failure::new));
                match checked {
                    Err(failure) if matches!(*failure.reason, Reason::Output { .. }) => return Some(failure),
                    _ => {}
                }
            }
        }
        None
    }

    /// The machine at the entry, and what the specification makes of its arguments.
    fn begin<M: Machine>(&self, terms: &mut Terms) -> Result<(M, Arguments, Chain), Failure> {
        if Form::of(self.kernel).is_bit_sliced() && self.specification.arranges_keys() {
            terms.follow_planes();
        }
        let (entry, arguments) = self.entry::<M>(terms, Words::Variables)?;
        let mut chain = Chain::new(terms, self.specification, &arguments, M::ADDRESS_BITS);
        if self.specification.arranges_keys() {
            // So that what goes into S-boxes is known before the code is executed.
            chain.after(terms, Form::of(self.kernel).blocks_together());
        }
        Ok((entry, arguments, chain))
    }

    fn prove_with<M: Machine>(&self, terms: &mut Terms, cut: &Cut, verdict: &mut Verdict) -> Result<bool, Failure> {
        let (entry, arguments, mut chain) = self.begin::<M>(terms)?;
        let before = entry.registers();
        let phase = entry.stack_phase_asked();
        let Proved { returns, rounds } = for_every_count(terms, self.code, entry, cut, &mut chain)?;
        verdict.rounds += rounds;
        for machine in &returns {
            let blocks = blocks_done(machine, &chain)?;
            self.check_state(terms, machine, blocks, &mut chain)?;
            chain.check_blocks(terms, machine, blocks as usize).map_err(Failure::new)?;
            check_left(terms, self.kernel, machine, &before)?;
            verdict.evaluated += self.evaluate(terms, machine, blocks, &arguments, &chain)?;
        }
        match terms.budget().exhausted() {
            Some(exhausted) => Err(Failure::new(Reason::Exhausted(exhausted))),
            None => Ok(phase.get()),
        }
    }

    /// The fields of a lane's state, as they are in memory.
    fn state_found<M: Machine>(&self, terms: &mut Terms, machine: &M, lane: &Lane) -> Vec<Term> {
        let region = machine.memory().region(lane.region);
        let fields = self.fields().into_iter();
        let found = fields.map(|(offset, bytes)| region.get(terms, offset, bytes));
        found.map(|value| value.expect("the state was there at entry")).collect()
    }

    /// Where the fields of a state are, and how many bytes each has.
    fn fields(&self) -> Vec<(i64, u32)> {
        let mut end = 0;
        let bytes = self.specification.state().into_iter().map(|field| field.bits / 8);
        bytes
            .map(|bytes| {
                end += i64::from(bytes);
                (end - i64::from(bytes), bytes)
            })
            .collect()
    }

    fn check_state<M: Machine>(
        &self,
        terms: &mut Terms,
        machine: &M,
        blocks: u64,
        chain: &mut Chain,
    ) -> Result<(), Failure> {
        let lanes = chain.lanes().to_vec();
        let expected = chain.after(terms, blocks as usize).to_vec();
        for (lane, expected) in lanes.iter().zip(expected) {
            let found = self.state_found(terms, machine, lane);
            for (index, (&found, expected)) in found.iter().zip(expected).enumerate() {
                if !equal_at(terms, found, expected, machine.count()) {
                    let name = self.field_name(machine, lane, index);
                    let wrote = machine.memory().region(lane.region).wrote(self.fields()[index].0);
                    return Err(Failure::new(Reason::output(terms, name, blocks, (found, wrote), expected)));
                }
            }
        }
        Ok(())
    }

    fn field_name<M: Machine>(&self, machine: &M, lane: &Lane, index: usize) -> String {
        format!("{}.{}", machine.memory().region(lane.region).name, self.specification.state()[index].name)
    }

    /// Compares the terms at a return with the specification on numbers, so that what both sides of the proof have in
    /// common, the terms, is looked at from outside.
    fn evaluate<M: Machine>(
        &self,
        terms: &mut Terms,
        machine: &M,
        blocks: u64,
        arguments: &Arguments,
        chain: &Chain,
    ) -> Result<usize, Failure> {
        for trial in 0..TRIALS {
            let mut random = Random(0x7072_6f76_6572 + trial);
            let mut values = Assignment::default();
            let mut numbers = |terms: &Terms, variables: &[Term]| -> Vec<u64> {
                let number = |&term: &Term| {
                    let leaf = terms.as_leaf(term).expect("arguments are variables");
                    let value = random.number(terms.width(leaf));
                    values.set(leaf, value);
                    value as u64
                };
                variables.iter().map(number).collect()
            };
            let Given { keys, scalars } = &arguments.given;
            let given = Given { keys: numbers(terms, keys), scalars: numbers(terms, scalars) };
            let mut expected = Vec::new();
            for lane in &arguments.lanes {
                let (mut state, mut output) = (numbers(terms, &lane.state), Vec::new());
                for block in &lane.blocks[..blocks as usize] {
                    let step = self.specification.step_on_numbers(&state, &numbers(terms, block), &given);
                    state = step.state;
                    output.extend(step.block);
                }
                expected.push((state, output));
            }
            if let Some(count) = machine.count() {
                values.set(count.leaf, count.low.into());
            }
            for (index, (lane, (state, output))) in arguments.lanes.iter().zip(expected).enumerate() {
                let mut words = self.state_found(terms, machine, lane);
                words.extend(chain.output_words(terms, machine, index, blocks as usize));
                // They depend on nothing else.
                let found = terms.evaluate_all(&words, &mut values, &mut |_| random.number(128));
                for (place, (&found, &expected)) in found.iter().zip(state.iter().chain(&output)).enumerate() {
                    if found != u128::from(expected) {
                        let word = match place.checked_sub(state.len()) {
                            None => self.field_name(machine, lane, place),
                            Some(word) => format!("word {word} of the output"),
                        };
                        let expected = expected.into();
                        return Err(Failure::new(Reason::Evaluation { word, blocks, found, expected }));
                    }
                }
            }
        }
        Ok(TRIALS as usize)
    }
}

/// So many blocks are few enough to be executed one after the other for a better message.
const FEW_BLOCKS: usize = 8;

/// How often the terms at a return are evaluated.
const TRIALS: u64 = 4;

/// Whether something that the code needs to know was not the same after every turn of the loop.
fn is_for_want_of_an_invariant(failure: &Failure) -> bool {
    match &*failure.reason {
        Reason::Fault(fault) => {
            matches!(fault, Fault::UnknownCondition(_) | Fault::Memory(MemoryError::UnknownAddress(_)))
        }
        reason => matches!(reason, Reason::NoProgress { .. }),
    }
}

fn blocks_done<M: Machine>(machine: &M, chain: &Chain) -> Result<u64, Failure> {
    let count = machine.count().ok_or_else(|| Failure::new(Reason::NoCount))?;
    let Count { low, high, .. } = count;
    if low != high {
        return Err(Failure::new(Reason::BlocksLeft { low, high }));
    }
    let blocks = count.units();
    if blocks > chain.names() as u64 { Err(Failure::new(Reason::TooManyBlocks(blocks))) } else { Ok(blocks) }
}

impl From<Exhausted> for Reason {
    fn from(exhausted: Exhausted) -> Reason {
        Reason::Exhausted(exhausted)
    }
}
