//! Mutants that are proved, like the kernel itself: they keep its contract and compute what its specification says, for all inputs.

use std::ops::Range;
use std::time::Duration;

use vambrace::kernels::Kernel;
use vambrace_prover::budget::Limits;
use vambrace_prover::{Outcome, code, prove};

use super::code::{Code, Word};
use super::operators::Mutant;

/// What one proof may cost. A mutant may need far more than the kernel, and then there is no proof.
const LIMITS: Duration = Duration::from_secs(10);

/// That a mutant is proved, if it is.
pub fn reason(kernel: &Kernel, code: &Code, mutant: &Mutant) -> Option<String> {
    let limits = Limits { time: LIMITS, ..Limits::default() };
    let verdict = prove(kernel, &changed(code, mutant), limits);
    (verdict.outcome == Outcome::Proved)
        .then(|| "proved to keep the contract and to compute what the specification says, for all inputs".to_owned())
}

/// The mutant's code, as the prover takes it.
fn changed(code: &Code, mutant: &Mutant) -> code::Code {
    let word = |word: &Word| {
        let change = mutant.changes.iter().find(|change| change.offset == word.offset);
        change.map_or(word.value, |change| change.word)
    };
    let bytes = code.words.iter().flat_map(|one| word(one).to_le_bytes()).collect();
    let literals = code.words.chunk_by(|one, next| one.is_code == next.is_code).filter(|words| !words[0].is_code);
    code::Code::new(bytes, literals.map(extent).collect())
}

/// Where consecutive words are.
fn extent(words: &[Word]) -> Range<usize> {
    let start = words[0].offset as usize;
    start..start + 4 * words.len()
}

#[cfg(test)]
mod tests {
    use vambrace::kernels::Architecture;
    use vambrace_verify::mutation::Change;

    use super::*;
    use crate::mutants::operators::Kind;

    #[test]
    fn what_is_proved_is_the_mutant_and_its_literals() {
        let word = |offset, value, is_code| Word { offset, value, is_code };
        let words = vec![word(0, 1, true), word(4, 2, false), word(8, 3, false), word(12, 4, true)];
        let code = Code { architecture: Architecture::Arm, kernel: "k".to_owned(), features: &[], words };
        let changes = vec![Change { offset: 8, word: 0x0102_0304 }];
        let mutant = Mutant { number: 0, kind: Kind::Literal, changes };
        let changed = changed(&code, &mutant);
        assert_eq!(changed.bytes(), [1, 0, 0, 0, 2, 0, 0, 0, 4, 3, 2, 1, 4, 0, 0, 0]);
        assert_eq!(changed.literals(), std::slice::from_ref(&(4..12)));
    }
}
