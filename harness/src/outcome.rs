//! What a check found.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Context;

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing wrong in so many cases (at least one).
    Pass {
        /// Cases tried.
        cases: u64,
        /// Cases there are that were not tried, and why.
        left_out: Vec<LeftOut>,
    },
    /// Something wrong.
    Fail(Box<Failure>),
    /// The check does not apply to the subject.
    None {
        /// Why not.
        reason: String,
    },
}

/// Cases that a check has and does not try on a subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// How many.
    pub cases: u64,
    /// What they are, and why they are not tried.
    pub reason: String,
}

/// Something wrong, with what is needed to see it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The subject's name.
    pub subject: String,
    /// The check's name.
    pub check: String,
    /// The seed of the run.
    pub seed: u64,
    /// The number of the case.
    pub case: u64,
    /// What is wrong, in a sentence: names the register, the buffer, the offset.
    pub what: String,
    /// The smallest failing input found, for a reader.
    pub input: String,
    /// Expected bytes in hex, where bytes were compared.
    pub expected: Option<String>,
    /// Actual bytes in hex, where bytes were compared.
    pub actual: Option<String>,
    /// A command line that shows it again.
    pub replay: String,
}

impl Failure {
    /// A failure of a case of `check` on `subject`.
    pub fn new(context: &Context, subject: &str, check: &str, case: u64, what: impl Into<String>) -> Failure {
        let mut name = format!("{subject}:{check}:{}:{case}", context.seed);
        if !context.place.is_empty() {
            name = format!("{}:{name}", context.place);
        }
        Failure {
            subject: subject.to_owned(),
            check: check.to_owned(),
            seed: context.seed,
            case,
            what: what.into(),
            input: String::new(),
            expected: None,
            actual: None,
            replay: format!("{} {name}", context.replay_command).trim_start().to_owned(),
        }
    }

    /// With the smallest failing input found.
    #[must_use]
    pub fn input(mut self, input: impl Into<String>) -> Failure {
        self.input = input.into();
        self
    }

    /// With the bytes that were compared.
    #[must_use]
    pub fn compared(mut self, expected: &[u8], actual: &[u8]) -> Failure {
        self.expected = Some(hex::encode(expected));
        self.actual = Some(hex::encode(actual));
        self
    }
}

impl From<Failure> for Outcome {
    fn from(failure: Failure) -> Outcome {
        Outcome::Fail(Box::new(failure))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} fails {}: {}", self.subject, self.check, self.what)?;
        if !self.input.is_empty() {
            writeln!(f, "  input     {}", self.input)?;
        }
        if let (Some(expected), Some(actual)) = (&self.expected, &self.actual) {
            writeln!(f, "  expected  {expected}")?;
            writeln!(f, "  actual    {actual}")?;
            writeln!(f, "            {}", mark_differences(expected, actual).trim_end())?;
        }
        writeln!(f, "  seed      {}, case {}", self.seed, self.case)?;
        write!(f, "  replay    {}", self.replay)
    }
}

/// A caret below every hex digit of a byte that differs.
fn mark_differences(expected: &str, actual: &str) -> String {
    let longest = expected.len().max(actual.len());
    (0..longest)
        .map(|digit| {
            let byte = digit / 2 * 2;
            if expected.get(byte..byte + 2) == actual.get(byte..byte + 2) { ' ' } else { '^' }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Budget;

    #[test]
    fn a_failure_shows_what_differs_and_how_to_see_it_again() {
        let mut context = Context::new(Budget::Quick, 7);
        context.replay_command = "ci/verify --replay".into();
        context.place = "aarch64@max".into();
        let failure = Failure::new(&context, "sha256_neon", "splits", 3, "the digest is wrong")
            .input("3 bytes")
            .compared(&[1, 2, 3], &[1, 0x12, 3]);
        let text = failure.to_string();
        assert!(text.contains("  ^^  ") || text.contains("  ^^"), "{text}");
        assert!(text.ends_with("ci/verify --replay aarch64@max:sha256_neon:splits:7:3"), "{text}");
    }

    #[test]
    fn bytes_beyond_the_shorter_value_are_marked() {
        assert_eq!(mark_differences("0102", "01"), "  ^^");
    }
}
