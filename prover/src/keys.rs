//! The entry points that prepare keys for AES: what they compute, and the proof that a kernel does.
//!
//! They have no count, so that nothing is left to induction: each number of rounds is a case, which is executed from the entry to
//! the return.

use std::sync::Arc;

use vambrace_contract::{Access, Architecture, ArgumentKind, Kernel, ScalarType, Secrecy, Tier};
use vambrace_reference::aes::{self, Aes, Planes};

use crate::arguments::ShapeError;
use crate::budget::{Budget, Limits};
use crate::code::Code;
use crate::failure::{Failure, Reason};
use crate::heads::Cut;
use crate::induction::{End, explore};
use crate::left::check_left;
use crate::machine::Machine;
use crate::memory::{Extent, Kind, Memory, Region, RegionId};
use crate::numbers::Random;
use crate::prove::{Outcome, Verdict};
use crate::specification::{AesBlock, Symbol, on_terms};
use crate::terms::{Assignment, SBox, Term, Terms};

/// Bytes of a round key of FIPS 197.
pub const KEY_BYTES: u32 = 16;
/// Its bits.
const KEY_BITS: u32 = 8 * KEY_BYTES;

/// The order of columns in which the bits of a plane stand, and how many of them each byte of a round key has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slicing {
    /// Bits of a plane.
    plane: u32,
    /// The plane of bit 7 is first, not that of bit 0.
    highest_first: bool,
    /// The bytes of a row stand side by side, not those of a column.
    by_rows: bool,
}

impl Slicing {
    /// The byte of the round key that a bit of a plane belongs to.
    fn byte_at(&self, bit: u32) -> usize {
        let place = (bit * KEY_BYTES / self.plane) as usize;
        if self.by_rows { place / 4 + 4 * (place % 4) } else { place }
    }
}

/// The form in which kernels want round keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form(Order);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// As FIPS 197 expands them, section 5.2.
    Schedule,
    /// Those of the equivalent inverse cipher, section 5.3.5, in the order of their use.
    EquivalentInverse,
    /// Bit-sliced: of round i positions that ShiftRows has not moved since the first round, and without the constant that the
    /// S-box before it adds.
    Planes(Slicing),
}

impl Form {
    /// What the kernels of a tier want; those with AES instructions want keys converted for decryption alone.
    pub fn of(kernel: &Kernel) -> Form {
        let arm = kernel.architecture == Architecture::Arm;
        let plane = match (kernel.tier, arm) {
            (Tier::Neon, _) => 128,
            (Tier::Scalar, false) => 64,
            (Tier::Scalar, true) => 32,
            _ if kernel.contract.operation == "xts_encrypt" => return Form(Order::Schedule),
            _ => return Form(Order::EquivalentInverse),
        };
        let neon = kernel.tier == Tier::Neon;
        Form(Order::Planes(Slicing { plane, highest_first: neon && arm, by_rows: !neon }))
    }

    /// Whether kernels with this form compute the S-box by a circuit.
    pub fn is_bit_sliced(self) -> bool {
        matches!(self.0, Order::Planes(_))
    }

    /// How many blocks are encrypted at once by bit-sliced kernels.
    pub fn blocks_together(self) -> usize {
        match self.0 {
            Order::Planes(slicing) => (slicing.plane / KEY_BYTES) as usize,
            _ => 0,
        }
    }

    /// The round keys in this form, in pieces that follow one another, each with its bytes.
    pub fn arranged(self, terms: &mut Terms, schedule: &[Term]) -> Vec<(Term, u32)> {
        let last = schedule.len() - 1;
        match self.0 {
            Order::Schedule => schedule.iter().map(|&key| (key, KEY_BYTES)).collect(),
            Order::EquivalentInverse => {
                let mut keys = vec![(schedule[last], KEY_BYTES)];
                for &key in schedule[1..last].iter().rev() {
                    keys.push((on_planes(terms, key, aes::inv_mix_columns), KEY_BYTES));
                }
                keys.push((schedule[0], KEY_BYTES));
                keys
            }
            Order::Planes(slicing) => {
                let planes = schedule.iter().enumerate().flat_map(|(round, &key)| sliced(terms, slicing, round, key));
                planes.collect()
            }
        }
    }
}

/// The planes of round key i: of SR^-i(w(i) ^ c(i)), c(0) = 0 and c(i) = 0x63 in every byte for i > 0.
fn sliced(terms: &mut Terms, slicing: Slicing, round: usize, key: Term) -> Vec<(Term, u32)> {
    let constant = if round == 0 { 0 } else { SBox::Forward.table()[0] };
    let constant = terms.constant(u128::from_le_bytes([constant; KEY_BYTES as usize]));
    let mut key = terms.xor(key, constant);
    for _ in 0..round % 4 {
        key = on_planes(terms, key, aes::inv_shift_rows);
    }
    let bits = terms.lanes(key, 1, KEY_BITS);
    let plane = |terms: &mut Terms, index: usize| {
        let plane: Vec<Term> = (0..slicing.plane).map(|bit| bits[8 * slicing.byte_at(bit) + index]).collect();
        (terms.vector(&plane, 1), slicing.plane / 8)
    };
    let mut planes: Vec<(Term, u32)> = (0..8).map(|index| plane(terms, index)).collect();
    if slicing.highest_first {
        planes.reverse();
    }
    planes
}

/// Words of the specification.
type Word = Symbol<64>;

/// A function of the specification on a round key.
fn on_planes(terms: &mut Terms, key: Term, function: fn(&Planes<Word>) -> Planes<Word>) -> Term {
    let bytes = terms.lanes(key, 8, KEY_BITS);
    let words = on_terms(terms, || Word::words_of_planes(&function(&Word::planes_of(&bytes)), 2));
    terms.vector(&words.into_iter().map(|Symbol(word)| word).collect::<Vec<_>>(), 64)
}

/// What an entry point makes of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyFunction {
    /// The key expansion of FIPS 197.
    Expand,
    /// Round keys in the form that kernels want.
    Convert(Form),
}

impl KeyFunction {
    /// What a kernel makes of a key, if it is for keys.
    pub fn of(kernel: &Kernel) -> Option<KeyFunction> {
        match (kernel.contract.algorithm, kernel.contract.operation) {
            ("aes-xts", "expand_key") => Some(KeyFunction::Expand),
            ("aes-xts", "convert_key") => Some(KeyFunction::Convert(Form::of(kernel))),
            _ => None,
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

    /// What is written, in pieces that follow one another, each with its bytes, where this is read in pieces of 16 bytes.
    pub fn result(self, terms: &mut Terms, input: &[Term], rounds: usize) -> Vec<(Term, u32)> {
        match self {
            KeyFunction::Convert(form) => form.arranged(terms, input),
            KeyFunction::Expand => {
                let bytes: Vec<Term> = input.iter().flat_map(|&piece| terms.lanes(piece, 8, KEY_BITS)).collect();
                let words = on_terms(terms, || {
                    let key: Vec<Planes<Word>> = bytes.chunks(4).map(Word::planes_of).collect();
                    let mut round_keys = vec![[Symbol(Terms::ZERO); 8]; rounds + 1];
                    aes::expand_key(&key, &mut round_keys);
                    round_keys.iter().flat_map(|planes| Word::words_of_planes(planes, 2)).collect::<Vec<_>>()
                });
                words.into_iter().map(|Symbol(word)| (word, 8)).collect()
            }
        }
    }

    /// The result on numbers.
    pub fn result_on_numbers(self, input: &[u8], rounds: usize) -> Vec<u8> {
        match self {
            KeyFunction::Expand => {
                let cipher = Aes::new(input).expect("the contract has keys of this length");
                (0..=rounds).flat_map(|round| cipher.round_key(round).unwrap_or_default()).collect()
            }
            KeyFunction::Convert(form) => {
                let mut terms = Terms::new(Limits::default());
                let pieces: Vec<Term> = (input.chunks(KEY_BYTES as usize))
                    .map(|bytes| terms.constant(u128::from_le_bytes(bytes.try_into().unwrap_or_default())))
                    .collect();
                let arranged = form.arranged(&mut terms, &pieces).into_iter();
                let value = |(piece, bytes): (Term, u32)| {
                    terms.value(piece).unwrap_or_default().to_le_bytes()[..bytes as usize].to_vec()
                };
                arranged.flat_map(value).collect()
            }
        }
    }
}

/// Proves that a kernel keeps its contract and computes a function of a key, for every key and number of rounds.
pub(crate) fn prove_all<M: Machine>(
    kernel: &Kernel,
    function: KeyFunction,
    code: &Arc<Code>,
    limits: Limits,
    verdict: &mut Verdict,
) -> Outcome {
    let began = crate::budget::computed();
    for rounds in function.rounds(kernel) {
        for &stack_phase in M::STACK_PHASES {
            let mut terms = Terms::within(Budget::continued(limits, began, verdict.steps));
            let case = Case { kernel, function, code, rounds, stack_phase };
            let result = case.prove::<M>(&mut terms, verdict);
            verdict.steps = terms.budget().steps();
            verdict.nodes = verdict.nodes.max(terms.nodes());
            verdict.cases += 1;
            match result {
                Ok(true) => {}
                // Any alignment of the stack is like this one.
                Ok(false) => break,
                Err(failure) => {
                    return Outcome::NotProved(Failure { choice: format!(" with {rounds} rounds"), ..failure });
                }
            }
        }
    }
    Outcome::Proved
}

struct Case<'a> {
    kernel: &'a Kernel,
    function: KeyFunction,
    code: &'a Arc<Code>,
    rounds: u64,
    stack_phase: u32,
}

/// What a kernel is called with.
struct Call {
    memory: Memory,
    passed: Vec<(Term, u32)>,
    input: Vec<Term>,
    output: RegionId,
}

impl Case<'_> {
    fn call<M: Machine>(&self, terms: &mut Terms) -> Result<Call, Failure> {
        let arguments = self.kernel.contract.arguments;
        let scalars: Vec<u64> = arguments.iter().map(|_| self.rounds).collect();
        let (mut memory, mut passed, mut input, mut output) = (Memory::default(), Vec::new(), None, None);
        for (index, argument) in arguments.iter().enumerate() {
            let refused = || Failure::new(ShapeError::Argument(argument.name));
            let (access, secrecy) = match argument.kind {
                ArgumentKind::Buffer { access, secrecy, .. } => (access, secrecy),
                ArgumentKind::Scalar { ty: ScalarType::U32, secrecy: Secrecy::Public, .. } => {
                    passed.push((terms.constant(self.rounds.into()), 32));
                    continue;
                }
                ArgumentKind::Scalar { .. } => return Err(refused()),
            };
            let bytes = self.kernel.buffer_size(index, &scalars).ok_or_else(refused)?;
            let pointer = terms.variable(argument.name, M::ADDRESS_BITS, false);
            passed.push((pointer, M::ADDRESS_BITS));
            let base = terms.as_leaf(pointer).ok_or_else(refused)?;
            let mut region = Region::new(argument.name, base, Kind::Argument(access), 0, Extent::Fixed(bytes as i64));
            match access {
                Access::Read if input.is_none() && bytes % KEY_BYTES as usize == 0 => {
                    let secret = secrecy == Secrecy::Secret;
                    let words = (0..bytes as i64 / 16).map(|n| {
                        let word = terms.variable(format!("{}[{n}]", argument.name), KEY_BITS, secret);
                        region.put(terms, 16 * n, word, KEY_BYTES);
                        word
                    });
                    input = Some(words.collect());
                    memory.add(region);
                }
                Access::Write if output.is_none() => output = Some(memory.add(region)),
                _ => return Err(refused()),
            }
        }
        match (input, output) {
            (Some(input), Some(output)) => Ok(Call { memory, passed, input, output }),
            _ => Err(Failure::new(ShapeError::NoCount)),
        }
    }

    /// Whether it is a proof for this alignment of the stack alone.
    fn prove<M: Machine>(&self, terms: &mut Terms, verdict: &mut Verdict) -> Result<bool, Failure> {
        terms.follow_planes();
        let call = self.call::<M>(terms)?;
        let expected = self.function.result(terms, &call.input, self.rounds as usize);
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
                return Err(Failure::new(Reason::output(terms, word, 0, found, expected)));
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
            let mut input = Vec::new();
            for &word in &call.input {
                let value = random.number(KEY_BITS);
                values.set(terms.as_leaf(word).expect("what is read are variables"), value);
                input.extend(value.to_le_bytes());
            }
            let expected = self.function.result_on_numbers(&input, self.rounds as usize);
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

    fn planes(terms: &mut Terms, bytes: &[Term]) -> Vec<Term> {
        let planes = on_terms(terms, || Word::planes_of(bytes));
        planes.into_iter().map(|Symbol(plane)| terms.recognised(plane, 64)).collect()
    }

    /// The circuit of the specification on planes, as instructions would compute it.
    fn circuit(terms: &mut Terms, s_box: SBox, planes: &[Term]) -> Vec<Term> {
        let planes: Planes<Word> = std::array::from_fn(|index| Symbol(planes[index]));
        let new = on_terms(terms, || match s_box {
            SBox::Forward => aes::sub_bytes(&planes),
            SBox::Inverse => aes::inv_sub_bytes(&planes),
        });
        new.map(|Symbol(plane)| plane).to_vec()
    }

    #[test]
    fn a_circuit_for_an_s_box_is_the_s_box_of_each_byte() {
        for s_box in SBox::BOTH {
            let mut terms = Terms::new(Limits::default());
            terms.follow_planes();
            let bytes: Vec<Term> = (0..64).map(|n| terms.variable(format!("byte {n}"), 8, true)).collect();
            // The specification is first.
            let new: Vec<Term> = bytes.iter().map(|&byte| terms.substituted(s_box, byte)).collect();
            let expected = on_terms(&mut terms, || Word::planes_of(&new));
            let named = planes(&mut terms, &bytes);
            let found = circuit(&mut terms, s_box, &named);
            for (found, Symbol(expected)) in found.iter().zip(expected) {
                assert_ne!(*found, expected, "they are not resolved yet");
                assert!(terms.equal(*found, expected));
                // The complement of a plane is another function, and so is one of another S-box.
                let complement = terms.not(*found, 64);
                assert!(!terms.equal(complement, expected));
            }
            let mut swapped = named.clone();
            swapped.swap(2, 5);
            let wrong = circuit(&mut terms, s_box, &swapped);
            assert!(wrong.iter().zip(expected).all(|(&wrong, Symbol(expected))| !terms.equal(wrong, expected)));
        }
    }

    #[test]
    fn complements_of_planes_are_recognised_and_evaluated() {
        let mut terms = Terms::new(Limits::default());
        terms.follow_planes();
        let bytes: Vec<Term> = (0..64).map(|n| terms.variable(format!("byte {n}"), 8, true)).collect();
        let new: Vec<Term> = bytes.iter().map(|&byte| terms.substituted(SBox::Inverse, byte)).collect();
        let complements: Vec<Term> = bytes.iter().map(|&byte| terms.not(byte, 8)).collect();
        let named = planes(&mut terms, &complements);
        let right: Vec<Term> = named.iter().map(|&plane| terms.not(plane, 64)).collect();
        let found = circuit(&mut terms, SBox::Inverse, &right);
        let mut values = Assignment::default();
        let mut random = Random(1);
        let value = terms.evaluate(found[3], &mut values, &mut |_| random.number(8));
        let byte = terms.evaluate(new[17], &mut values, &mut |_| panic!("every byte has a value"));
        assert_eq!(value >> 17 & 1, byte >> 3 & 1);
        let resolved = terms.resolved(found[3]);
        assert_eq!(terms.evaluate(resolved, &mut values, &mut |_| panic!("every byte has a value")), value);
        assert_eq!(terms.sample(resolved), terms.sample(found[3]));
    }

    #[test]
    fn the_inverse_s_box_undoes_the_s_box() {
        let mut terms = Terms::new(Limits::default());
        let byte = terms.variable("byte", 8, true);
        let there = terms.substituted(SBox::Forward, byte);
        assert_ne!(there, byte);
        assert_eq!(terms.substituted(SBox::Inverse, there), byte);
        let (known, zero) = (terms.constant(0x53), terms.constant(0));
        // The example of FIPS 197, section 5.1.1.
        let substituted = terms.substituted(SBox::Forward, known);
        assert_eq!(terms.value(substituted), Some(0xed));
        assert_eq!(terms.substituted(SBox::Inverse, zero), terms.constant(0x52));
    }

    #[test]
    fn keys_on_terms_are_those_of_the_standard() {
        let mut terms = Terms::new(Limits::default());
        // FIPS 197, appendix A.1.
        let key = 0x3c4f_cf09_8815_f7ab_a6d2_ae28_1615_7e2b;
        let variable = terms.variable("key", KEY_BITS, true);
        let schedule = KeyFunction::Expand.result(&mut terms, &[variable], 10);
        let mut values = Assignment::default();
        values.set(terms.as_leaf(variable).unwrap(), key);
        let last = schedule.last().unwrap().0;
        let last = terms.evaluate(last, &mut values, &mut |_| panic!("the key is all"));
        assert_eq!(last & ones(64), 0xa60c_63b6_c80c_3fe1);
    }

    #[test]
    fn every_form_has_every_bit_of_the_round_keys() {
        let slicings = [(128, true, false), (128, false, false), (64, false, true), (32, false, true)];
        let planes =
            slicings.map(|(plane, highest_first, by_rows)| Order::Planes(Slicing { plane, highest_first, by_rows }));
        for order in planes.into_iter().chain([Order::Schedule, Order::EquivalentInverse]) {
            let mut terms = Terms::new(Limits::default());
            let keys: Vec<Term> = (0..11).map(|n| terms.variable(format!("k{n}"), KEY_BITS, true)).collect();
            let arranged = Form(order).arranged(&mut terms, &keys);
            let pieces: Vec<Term> = arranged.iter().map(|&(piece, _)| piece).collect();
            assert_eq!(terms.leaves_below(&pieces).len(), 11, "{order:?}");
            for (piece, bytes) in arranged {
                assert!(bytes <= KEY_BYTES && terms.bits(piece) <= 8 * bytes, "{order:?}");
            }
        }
    }
}
