//! Mutants that do what the kernel does: by a rule that is checked here, or by a reason that is written down.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use vambrace::kernels::Kernel;
use vambrace_verify::mutation::Change;

use super::code::Code;
use super::operators::{Kind, Mutant};
use super::{alike, dead, flags, merged, proof};
use crate::disassembly::Disassembler;

/// Mutants that a reader has looked at, with the reason why each is equivalent.
const LIST: &str = include_str!("equivalents.json");

/// Changes that change nothing that a caller can see.
#[derive(Clone, Debug, Deserialize)]
struct Entry {
    architecture: String,
    kernel: String,
    #[serde(flatten)]
    what: What,
    reason: String,
    /// A caller could see the difference, but no check does: a gap that is known.
    #[serde(default)]
    gap: bool,
}

/// What shows that nobody can tell a mutant from its kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shown {
    /// One that is checked here.
    Rule,
    /// The prover.
    Proof,
    /// One that is written down.
    Reason,
}

/// What is said of a mutant that passed everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// Nobody can see that it is another kernel.
    Equivalent(Shown, String),
    /// It is a gap in the checks, which is known.
    Gap(String),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum What {
    /// One instruction, where it stands.
    Instruction {
        /// Offsets from the kernel's first instruction, in hexadecimal.
        at: Vec<String>,
        /// The instruction as it is.
        was: String,
        /// What it may become.
        becomes: Vec<String>,
    },
    /// All words from one offset to another, the last included, in whatever way they are changed.
    Region {
        from: String,
        to: String,
        /// What [`digest`] makes of them.
        digest: String,
    },
}

impl Entry {
    fn said(&self) -> Said {
        let reason = self.reason.clone();
        if self.gap { Said::Gap(reason) } else { Said::Equivalent(Shown::Reason, reason) }
    }
}

/// The instruction at an offset and so many after it, as they are now.
fn now(code: &Code, disassembler: &Disassembler, at: &str, more: u32) -> String {
    let Some(first) = offset(at) else { return format!("nothing at {at:?}") };
    let words = (0..=more).filter_map(|index| code.at(first + 4 * index));
    let changes = words.map(|word| Change { offset: word.offset, word: word.value }).collect();
    texts(code, disassembler, &Mutant { number: 0, kind: Kind::Opcode, changes }).0
}

/// FNV-1a over the words of a part of a kernel: whether it is still what somebody has looked at.
fn digest(code: &Code, from: u32, to: u32) -> String {
    let words = code.words.iter().filter(|word| (from..=to).contains(&word.offset));
    let bytes = words.flat_map(|word| word.value.to_le_bytes());
    let hash =
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    format!("{hash:016x}")
}

/// The list, for the kernels of this build.
#[derive(Debug)]
pub struct Equivalents(Vec<Entry>);

impl Equivalents {
    /// Reads the list.
    ///
    /// # Errors
    /// If it is malformed.
    pub fn read() -> Result<Equivalents, String> {
        Equivalents::parse(LIST)
    }

    fn parse(text: &str) -> Result<Equivalents, String> {
        let entries: Vec<Entry> = serde_json::from_str(text).map_err(|error| format!("equivalents.json: {error}"))?;
        for entry in &entries {
            if entry.reason.len() < 20 {
                return Err(format!("equivalents.json: {}: {:?} is no reason", entry.kernel, entry.reason));
            }
        }
        Ok(Equivalents(entries))
    }

    fn of<'a>(&'a self, code: &'a Code) -> impl Iterator<Item = &'a Entry> {
        let is_of = |entry: &&Entry| entry.kernel == code.kernel && entry.architecture == code.architecture.name();
        self.0.iter().filter(is_of)
    }

    /// The entries that a kernel has outgrown: the instruction there is another one now, so the reason must be thought over.
    pub fn stale(&self, code: &Code, disassembler: &Disassembler) -> Vec<String> {
        let mut stale = BTreeSet::new();
        let place = format!("{} {}", code.architecture, code.kernel);
        for entry in self.of(code) {
            match &entry.what {
                What::Instruction { at, was, .. } => {
                    for at in at {
                        let now = self::now(code, disassembler, at, was.matches("; ").count() as u32);
                        if now != *was {
                            stale.insert(format!("{place} {at}: was {was:?}, is {now:?}"));
                        }
                    }
                }
                What::Region { from, to, digest: known } => {
                    let now = offset(from).zip(offset(to)).map(|(from, to)| digest(code, from, to));
                    if now.as_ref() != Some(known) {
                        stale.insert(format!(
                            "{place} {from} to {to}: the digest was {known}, is {}",
                            now.unwrap_or_default()
                        ));
                    }
                }
            }
        }
        stale.into_iter().collect()
    }

    /// Why a mutant is not found out; none if nothing says so.
    pub fn said(
        &self,
        kernel: Option<&Kernel>,
        code: &Code,
        disassembler: &Disassembler,
        mutant: &Mutant,
    ) -> Option<Said> {
        let by_rule = || rule(code, mutant).map(|reason| Said::Equivalent(Shown::Rule, reason));
        let by_proof = || Some(Said::Equivalent(Shown::Proof, proof::reason(kernel?, code, mutant)?));
        by_rule().or_else(by_proof).or_else(|| self.listed(code, disassembler, mutant))
    }

    /// What the list says.
    fn listed(&self, code: &Code, disassembler: &Disassembler, mutant: &Mutant) -> Option<Said> {
        let covers = |entry: &&Entry| match &entry.what {
            What::Region { from, to, .. } => {
                let inside =
                    |place| offset(from).is_some_and(|from| from <= place) && offset(to).is_some_and(|to| place <= to);
                mutant.changes.iter().all(|change| inside(change.offset))
            }
            What::Instruction { .. } => false,
        };
        if let Some(entry) = self.of(code).find(covers) {
            return Some(entry.said());
        }
        let place = mutant.changes.first()?.offset;
        let (is, becomes) = texts(code, disassembler, mutant);
        let fits = |entry: &&Entry| match &entry.what {
            What::Instruction { at, was, becomes: list } => {
                *was == is && list.contains(&becomes) && at.iter().any(|at| offset(at) == Some(place))
            }
            What::Region { .. } => false,
        };
        self.of(code).find(fits).map(Entry::said)
    }
}

/// Why a mutant does the same, by a rule.
fn rule(code: &Code, mutant: &Mutant) -> Option<String> {
    let rules = [dead::reason, flags::reason, merged::reason];
    let found = rules.into_iter().find_map(|rule| rule(code, mutant));
    found.or_else(|| one_meaning(code, mutant).map(str::to_owned))
}

/// Why the words alone, or two that change places, do the same.
fn one_meaning(code: &Code, mutant: &Mutant) -> Option<&'static str> {
    match mutant.changes[..] {
        [change] => alike::same_result(code.architecture, code.at(change.offset)?.value, change.word),
        [one, other] => {
            let moves = [one, other].iter().any(|change| alike::does_nothing(code.architecture, change.word));
            match (moves, alike::sums_commute(code.architecture, one.word, other.word)) {
                (true, _) => Some("one meaning: one of the two does nothing, wherever it stands"),
                (_, true) => Some("one meaning: both add to the register"),
                _ => None,
            }
        }
        _ => None,
    }
}

/// What a mutant changes, before and after: instructions, or words of a table.
pub fn texts(code: &Code, disassembler: &Disassembler, mutant: &Mutant) -> (String, String) {
    let text = |offset, word| match code.at(offset) {
        Some(place) if !place.is_code => format!(".word {word:#010x}"),
        _ => disassembler.instruction(offset.into(), word).unwrap_or_else(|| format!("{word:#010x}")),
    };
    let before = mutant.changes.iter().filter_map(|change| Some(text(change.offset, code.at(change.offset)?.value)));
    let after = mutant.changes.iter().map(|change| text(change.offset, change.word));
    (before.collect::<Vec<_>>().join("; "), after.collect::<Vec<_>>().join("; "))
}

fn offset(text: &str) -> Option<u32> {
    u32::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutants::code::Word;
    use crate::mutants::operators;
    use vambrace::kernels::Architecture;

    const ENTRY: &str = r#"[{"architecture": "aarch64", "kernel": "k", "at": ["0x4"], "was": "orr w0, w1, w2",
        "becomes": ["eor w0, w1, w2"], "reason": "the bits of w1 and w2 are disjoint"}]"#;

    fn code(words: &[u32]) -> Code {
        let word = |(index, value): (usize, &u32)| Word { offset: 4 * index as u32, value: *value, is_code: true };
        let words = words.iter().enumerate().map(word).collect();
        Code { architecture: Architecture::Aarch64, kernel: "k".to_owned(), features: &[], words }
    }

    #[test]
    fn a_reason_holds_for_its_instruction_at_its_place_alone() {
        let list = Equivalents::parse(ENTRY).unwrap();
        let disassembler = Disassembler::new(Architecture::Aarch64).unwrap();
        // str w0, [x3] keeps the results from being dead.
        let code = code(&[0x2a02_0020, 0x2a02_0020, 0xb900_0060, 0xd65f_03c0]);
        let mutants = operators::all(&code, &disassembler);
        let eor = |offset| {
            let is = |mutant: &&Mutant| mutant.changes[0].offset == offset && mutant.changes[0].word == 0x4a02_0020;
            mutants.iter().find(is).unwrap()
        };
        assert!(
            matches!(list.said(None, &code, &disassembler, eor(4)), Some(Said::Equivalent(Shown::Reason, reason)) if reason.contains("disjoint"))
        );
        let other =
            mutants.iter().find(|mutant| mutant.changes[0].offset == 4 && mutant.kind == Kind::Removed).unwrap();
        assert_eq!(list.said(None, &code, &disassembler, other), None);
        assert!(list.stale(&code, &disassembler).is_empty());
    }

    #[test]
    fn a_reason_for_another_instruction_is_stale() {
        let list = Equivalents::parse(ENTRY).unwrap();
        let disassembler = Disassembler::new(Architecture::Aarch64).unwrap();
        let stale = list.stale(&code(&[0xd65f_03c0, 0xd65f_03c0]), &disassembler);
        assert!(stale[0].contains("orr w0, w1, w2") && stale[0].contains("\"ret\""), "{stale:?}");
    }

    #[test]
    fn a_region_is_covered_while_it_is_the_same() {
        let disassembler = Disassembler::new(Architecture::Aarch64).unwrap();
        let code = code(&[0x2a02_0020, 0x2a02_0020, 0xb900_0060, 0xd65f_03c0]);
        let region = |digest: &str| {
            let text = r#"[{"architecture": "aarch64", "kernel": "k", "from": "0x4", "to": "0x8", "digest": "DIGEST",
                "reason": "no caller ever gets there"}]"#;
            Equivalents::parse(&text.replace("DIGEST", digest)).unwrap()
        };
        let list = region(&digest(&code, 4, 8));
        assert!(list.stale(&code, &disassembler).is_empty());
        let mutants = operators::all(&code, &disassembler);
        let covered = |offset| {
            let mut there = mutants.iter().filter(|mutant| mutant.changes[0].offset == offset);
            there.all(|mutant| list.said(None, &code, &disassembler, mutant).is_some())
        };
        assert!(covered(4) && covered(8) && !covered(12));
        assert!(region("0").stale(&code, &disassembler)[0].contains(&digest(&code, 4, 8)));
    }

    #[test]
    fn a_reason_says_something() {
        let error = Equivalents::parse(&ENTRY.replace("the bits of w1 and w2 are disjoint", "yes")).unwrap_err();
        assert!(error.contains("no reason"), "{error}");
        Equivalents::read().unwrap();
    }
}
