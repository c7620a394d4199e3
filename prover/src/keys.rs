//! The forms in which the kernels of a tier want the round keys of AES.

use vambrace_contract::{Architecture, Kernel, Tier};
use vambrace_reference::aes::{self, Planes};

use crate::specification::{AesBlock, Symbol, on_terms};
use crate::terms::{SBox, Term, Terms};

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
            _ if kernel.contract.operation.starts_with("xts_encrypt") => return Form(Order::Schedule),
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
pub(crate) type Word = Symbol<64>;

/// A function of the specification on a round key.
fn on_planes(terms: &mut Terms, key: Term, function: fn(&Planes<Word>) -> Planes<Word>) -> Term {
    let bytes = terms.lanes(key, 8, KEY_BITS);
    let words = on_terms(terms, || Word::words_of_planes(&function(&Word::planes_of(&bytes)), 2));
    terms.vector(&words.into_iter().map(|Symbol(word)| word).collect::<Vec<_>>(), 64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Limits;
    use crate::numbers::Random;
    use crate::terms::Assignment;

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
