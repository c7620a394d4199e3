//! The entry points without a count, which prepare keys for AES or take one block: what they compute, and the proof that a
//! kernel does.
//!
//! Nothing is left to induction: each number of rounds is a case, which is executed from the entry to the return.

use std::sync::Arc;

use vambrace_contract::{Access, Argument, ArgumentKind, Kernel, Overlap, ScalarType, Secrecy};
use vambrace_reference::aes::{self, Aes, Planes};

use crate::arguments::ShapeError;
use crate::budget::{Budget, Limits};
use crate::code::Code;
use crate::failure::{Failure, Reason};
use crate::heads::Cut;
use crate::induction::{End, explore};
use crate::keys::{Form, Word};
use crate::left::check_left;
use crate::machine::Machine;
use crate::memory::{Extent, Kind, Memory, Region, RegionId};
use crate::numbers::Random;
use crate::prove::{Outcome, Verdict};
use crate::specification::{AesBlock, Given, Specification, Symbol, on_terms};
use crate::terms::{Assignment, Term, Terms};

/// What an entry point without a count computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WithoutCount {
    /// The key expansion of FIPS 197.
    Expand,
    /// Round keys in the form that kernels want.
    Convert(Form),
    /// A data unit of one block in XTS: keys, the keys of the tweak, the tweak and the block are read, in this order.
    Block(Specification, Form),
}

impl WithoutCount {
    /// What a kernel computes, if it has no count.
    pub fn of(kernel: &Kernel) -> Option<WithoutCount> {
        match (kernel.contract.algorithm, kernel.contract.operation) {
            ("aes-xts", "expand_key") => Some(WithoutCount::Expand),
            ("aes-xts", "convert_key") => Some(WithoutCount::Convert(Form::of(kernel))),
            _ => Some(WithoutCount::Block(Specification::of_one_block(kernel.contract)?, Form::of(kernel))),
        }
    }

    /// Every number of rounds that the contract allows.
    pub fn rounds(self, kernel: &Kernel) -> Vec<u64> {
        let rounds = kernel.contract.arguments.iter().find(|argument| argument.name == "rounds");
        match rounds.map(|argument| argument.kind) {
            Some(ArgumentKind::Scalar { min, max, step, .. }) => (min..=max).step_by(step as usize).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether what is read first are round keys in the form of the kernel.
    fn arranges(self, input: usize) -> bool {
        matches!(self, WithoutCount::Block(specification, _) if input == 0 && specification.arranges_keys())
    }

    /// Words of 64 bits that an input of so many bytes stands for.
    pub fn words(self, input: usize, bytes: usize, rounds: u64) -> usize {
        if self.arranges(input) { 2 * (rounds as usize + 1) } else { bytes / 8 }
    }

    /// An input as it is in memory, in pieces that follow one another, each with its bytes.
    fn in_memory(self, terms: &mut Terms, input: usize, words: &[Term]) -> Vec<(Term, u32)> {
        match self {
            WithoutCount::Block(_, form) if self.arranges(input) => {
                let schedule = round_keys(terms, words);
                form.arranged(terms, &schedule)
            }
            _ => words.iter().map(|&word| (word, 8)).collect(),
        }
    }

    /// An input on numbers, as it is in memory.
    pub fn in_memory_on_numbers(self, input: usize, words: &[u64]) -> Vec<u8> {
        let mut terms = Terms::new(Limits::default());
        let words: Vec<Term> = words.iter().map(|&word| terms.constant(word.into())).collect();
        let pieces = self.in_memory(&mut terms, input, &words);
        values_of(&terms, &pieces)
    }

    /// What is written, in pieces that follow one another, each with its bytes, where words of 64 bits are read.
    pub fn result(self, terms: &mut Terms, inputs: &[Vec<Term>], rounds: usize) -> Vec<(Term, u32)> {
        match self {
            WithoutCount::Convert(form) => {
                let schedule = round_keys(terms, &inputs[0]);
                form.arranged(terms, &schedule)
            }
            WithoutCount::Expand => {
                let bytes: Vec<Term> = inputs[0].iter().flat_map(|&word| terms.lanes(word, 8, 64)).collect();
                let words = on_terms(terms, || {
                    let key: Vec<Planes<Word>> = bytes.chunks(4).map(Word::planes_of).collect();
                    let mut round_keys = vec![[Symbol(Terms::ZERO); 8]; rounds + 1];
                    aes::expand_key(&key, &mut round_keys);
                    round_keys.iter().flat_map(|planes| Word::words_of_planes(planes, 2)).collect::<Vec<_>>()
                });
                words.into_iter().map(|Symbol(word)| (word, 8)).collect()
            }
            WithoutCount::Block(specification, _) => {
                let cipher = specification.with_rounds(rounds as u32);
                let given = |keys: &[Term]| Given { keys: keys.to_vec(), scalars: Vec::new() };
                // Under a tweak of zero XTS is the bare cipher.
                let none = [Terms::ZERO; 2];
                let tweak = cipher.encrypting().step(terms, &none, &inputs[2], &given(&inputs[1])).block;
                let block = cipher.step(terms, &tweak, &inputs[3], &given(&inputs[0])).block;
                block.into_iter().map(|word| (word, 8)).collect()
            }
        }
    }

    /// The result on numbers.
    pub fn result_on_numbers(self, inputs: &[Vec<u64>], rounds: usize) -> Vec<u8> {
        let bytes = |words: &[u64]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        match self {
            WithoutCount::Expand => {
                let cipher = Aes::new(&bytes(&inputs[0])).expect("the contract has keys of this length");
                (0..=rounds).flat_map(|round| cipher.round_key(round).unwrap_or_default()).collect()
            }
            WithoutCount::Convert(_) => {
                let mut terms = Terms::new(Limits::default());
                let words: Vec<Term> = inputs[0].iter().map(|&word| terms.constant(word.into())).collect();
                let pieces = self.result(&mut terms, &[words], rounds);
                values_of(&terms, &pieces)
            }
            WithoutCount::Block(specification, _) => {
                let cipher = specification.with_rounds(rounds as u32);
                let given = |keys: &[u64]| Given { keys: keys.to_vec(), scalars: Vec::new() };
                let tweak = cipher.encrypting().step_on_numbers(&[0; 2], &inputs[2], &given(&inputs[1])).block;
                bytes(&cipher.step_on_numbers(&tweak, &inputs[3], &given(&inputs[0])).block)
            }
        }
    }
}

/// Round keys, of two words each.
fn round_keys(terms: &mut Terms, words: &[Term]) -> Vec<Term> {
    words.chunks(2).map(|pair| terms.vector(pair, 64)).collect()
}

/// The bytes of pieces that are constant.
fn values_of(terms: &Terms, pieces: &[(Term, u32)]) -> Vec<u8> {
    let value =
        |&(piece, bytes): &(Term, u32)| terms.value(piece).unwrap_or_default().to_le_bytes()[..bytes as usize].to_vec();
    pieces.iter().flat_map(value).collect()
}

/// Proves that a kernel keeps its contract and computes its function, for every input and number of rounds, in place and not.
pub(crate) fn prove_all<M: Machine>(
    kernel: &Kernel,
    function: WithoutCount,
    code: &Arc<Code>,
    limits: Limits,
    verdict: &mut Verdict,
) -> Outcome {
    let began = crate::budget::computed();
    let may_be_in_place = kernel.contract.arguments.iter().any(is_in_place);
    let places = if may_be_in_place { vec![false, true] } else { vec![false] };
    let choices =
        function.rounds(kernel).into_iter().flat_map(|rounds| places.iter().map(move |&place| (rounds, place)));
    for (rounds, in_place) in choices {
        for &stack_phase in M::STACK_PHASES {
            let mut terms = Terms::within(Budget::continued(limits, began, verdict.steps));
            let case = Case { kernel, function, code, rounds, in_place, stack_phase };
            let result = case.prove::<M>(&mut terms, verdict);
            verdict.steps = terms.budget().steps();
            verdict.nodes = verdict.nodes.max(terms.nodes());
            verdict.cases += 1;
            match result {
                Ok(true) => {}
                // Any alignment of the stack is like this one.
                Ok(false) => break,
                Err(failure) => {
                    let place = if in_place { " in place" } else { "" };
                    return Outcome::NotProved(Failure { choice: format!(" with {rounds} rounds{place}"), ..failure });
                }
            }
        }
    }
    Outcome::Proved
}

/// Whether a buffer may be one that is read.
fn is_in_place(argument: &Argument) -> bool {
    matches!(argument.kind, ArgumentKind::Buffer { overlap: Overlap::MayEqual(_), .. })
}

struct Case<'a> {
    kernel: &'a Kernel,
    function: WithoutCount,
    code: &'a Arc<Code>,
    rounds: u64,
    in_place: bool,
    stack_phase: u32,
}

/// What a kernel is called with.
struct Call {
    memory: Memory,
    passed: Vec<(Term, u32)>,
    /// The words of what is read.
    inputs: Vec<Vec<Term>>,
    output: RegionId,
}

impl Case<'_> {
    fn call<M: Machine>(&self, terms: &mut Terms) -> Result<Call, Failure> {
        let arguments = self.kernel.contract.arguments;
        let scalars = vec![self.rounds; arguments.len()];
        let (mut memory, mut passed, mut inputs, mut output) = (Memory::default(), Vec::new(), Vec::new(), None);
        // The pointer and the region of each argument.
        let mut places: Vec<Option<(Term, RegionId)>> = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let refused = || Failure::new(ShapeError::Argument(argument.name));
            let (access, secrecy, overlap) = match argument.kind {
                ArgumentKind::Buffer { access, secrecy, overlap, .. } => (access, secrecy, overlap),
                ArgumentKind::Scalar { ty: ScalarType::U32, secrecy: Secrecy::Public, .. } => {
                    passed.push((terms.constant(self.rounds.into()), 32));
                    places.push(None);
                    continue;
                }
                ArgumentKind::Scalar { .. } => return Err(refused()),
            };
            if let (Overlap::MayEqual(other), true) = (overlap, self.in_place) {
                let (pointer, region) = places.get(other).copied().flatten().ok_or_else(refused)?;
                passed.push((pointer, M::ADDRESS_BITS));
                memory.region_mut(region).kind = Kind::Argument(Access::ReadWrite);
                output = Some(region);
                continue;
            }
            let bytes = self.kernel.buffer_size(index, &scalars).ok_or_else(refused)?;
            let pointer = terms.variable(argument.name, M::ADDRESS_BITS, false);
            passed.push((pointer, M::ADDRESS_BITS));
            let base = terms.as_leaf(pointer).ok_or_else(refused)?;
            let mut region = Region::new(argument.name, base, Kind::Argument(access), 0, Extent::Fixed(bytes as i64));
            if access == Access::Read {
                let count = self.function.words(inputs.len(), bytes, self.rounds);
                let secret = secrecy == Secrecy::Secret;
                let words: Vec<Term> =
                    (0..count).map(|n| terms.variable(format!("{}[{n}]", argument.name), 64, secret)).collect();
                let mut at = 0;
                for (piece, length) in self.function.in_memory(terms, inputs.len(), &words) {
                    region.put(terms, at, piece, length);
                    at += i64::from(length);
                }
                if at != bytes as i64 {
                    return Err(refused());
                }
                inputs.push(words);
            }
            let region = memory.add(region);
            places.push(Some((pointer, region)));
            match access {
                Access::Read => {}
                Access::Write if output.is_none() => output = Some(region),
                _ => return Err(refused()),
            }
        }
        let output = output.ok_or_else(|| Failure::new(ShapeError::NoCount))?;
        Ok(Call { memory, passed, inputs, output })
    }

    /// Whether it is a proof for this alignment of the stack alone.
    fn prove<M: Machine>(&self, terms: &mut Terms, verdict: &mut Verdict) -> Result<bool, Failure> {
        terms.follow_planes();
        let call = self.call::<M>(terms)?;
        let expected = self.function.result(terms, &call.inputs, self.rounds as usize);
        let mut entry = M::enter(terms, self.code.clone(), self.kernel.stack, call.memory.clone(), &call.passed);
        entry.set_stack_phase(self.stack_phase);
        let (before, phase) = (entry.registers(), entry.stack_phase_asked());
        for end in explore(terms, self.code, entry, &Cut::NONE, None)? {
            let End::Returned(machine) = end else { continue };
            self.check_output(terms, &machine, &call, &expected)?;
            check_left(terms, self.kernel, &machine, &before)?;
            verdict.evaluated += self.evaluate(terms, &machine, &call)?;
        }
        match terms.budget().exhausted() {
            Some(exhausted) => Err(Failure::new(Reason::Exhausted(exhausted))),
            None => Ok(phase.get()),
        }
    }

    fn check_output<M: Machine>(
        &self,
        terms: &mut Terms,
        machine: &M,
        call: &Call,
        expected: &[(Term, u32)],
    ) -> Result<(), Failure> {
        let region = machine.memory().region(call.output);
        let mut at = 0;
        for &(expected, bytes) in expected {
            let word = format!("{}+{at:#x}", region.name);
            let Ok(found) = region.get(terms, at, bytes) else {
                return Err(Failure::new(Reason::NotWritten { word, blocks: 0 }));
            };
            if !terms.equal(found, expected) {
                return Err(Failure::new(Reason::output(terms, word, 0, (found, region.wrote(at)), expected)));
            }
            at += i64::from(bytes);
        }
        Ok(())
    }

    /// Compares the terms at a return with the specification on numbers.
    fn evaluate<M: Machine>(&self, terms: &mut Terms, machine: &M, call: &Call) -> Result<usize, Failure> {
        for trial in 0..TRIALS {
            let mut random = Random(0x006b_6579 + trial);
            let mut values = Assignment::default();
            let mut number = |&word: &Term| {
                let value = random.number(64);
                values.set(terms.as_leaf(word).expect("what is read are variables"), value);
                value as u64
            };
            let inputs: Vec<Vec<u64>> =
                call.inputs.iter().map(|words| words.iter().map(&mut number).collect()).collect();
            let expected = self.function.result_on_numbers(&inputs, self.rounds as usize);
            let region = machine.memory().region(call.output);
            let bytes: Vec<Term> = (0..expected.len() as i64).filter_map(|at| region.get(terms, at, 1).ok()).collect();
            let found = terms.evaluate_all(&bytes, &mut values, &mut |_| random.number(128));
            for (at, (&found, &expected)) in found.iter().zip(&expected).enumerate() {
                if found != u128::from(expected) {
                    let word = format!("{}+{at:#x}", region.name);
                    let expected = expected.into();
                    return Err(Failure::new(Reason::Evaluation { word, blocks: 0, found, expected }));
                }
            }
        }
        Ok(TRIALS as usize)
    }
}

/// How often the terms at a return are evaluated.
const TRIALS: u64 = 4;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::ones;

    #[test]
    fn keys_on_terms_are_those_of_the_standard() {
        let mut terms = Terms::new(Limits::default());
        // FIPS 197, appendix A.1.
        let key: u128 = 0x3c4f_cf09_8815_f7ab_a6d2_ae28_1615_7e2b;
        let words = ["low", "high"].map(|name| terms.variable(name, 64, true));
        let schedule = WithoutCount::Expand.result(&mut terms, &[words.to_vec()], 10);
        let mut values = Assignment::default();
        for (word, at) in words.into_iter().zip([0, 64]) {
            values.set(terms.as_leaf(word).unwrap(), key >> at & ones(64));
        }
        let last = schedule.last().unwrap().0;
        let last = terms.evaluate(last, &mut values, &mut |_| panic!("the key is all"));
        assert_eq!(last & ones(64), 0xa60c_63b6_c80c_3fe1);
    }
}
