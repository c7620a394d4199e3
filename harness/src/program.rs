//! A program of one's own that judges subjects: command line, table, exit status. See the examples.

use std::process::ExitCode;
use std::time::Instant;

use vambrace_reference::oracles::HashOracle;
use vambrace_reference::oracles::ciphers::{StreamCipherOracle, XtsOracle};

use crate::subject::{HashSubject, StreamSubject, XtsSubject};
use crate::{Budget, Context, Failure, Outcome, hash, stream, xts};

/// A subject, and what it is compared with. An oracle must share no code with the subject.
#[derive(Clone, Copy)]
pub enum Judged<'a> {
    /// A hash function.
    Hash(&'a dyn HashSubject, &'a dyn HashOracle),
    /// A stream cipher.
    Stream(&'a dyn StreamSubject, &'a dyn StreamCipherOracle),
    /// A cipher in XTS mode.
    Xts(&'a dyn XtsSubject, &'a dyn XtsOracle),
}

impl Judged<'_> {
    fn name(&self) -> &str {
        match self {
            Judged::Hash(subject, _) => subject.name(),
            Judged::Stream(subject, _) => subject.name(),
            Judged::Xts(subject, _) => subject.name(),
        }
    }

    /// The checks of its kind.
    fn checks(&self) -> Vec<Check<'_>> {
        match *self {
            Judged::Hash(subject, oracle) => {
                hash::CHECKS.iter().map(|check| Check::new(check.name, |on| (check.run)(subject, oracle, on))).collect()
            }
            Judged::Stream(subject, oracle) => stream::CHECKS
                .iter()
                .map(|check| Check::new(check.name, |on| (check.run)(subject, oracle, on)))
                .collect(),
            Judged::Xts(subject, oracle) => {
                xts::CHECKS.iter().map(|check| Check::new(check.name, |on| (check.run)(subject, oracle, on))).collect()
            }
        }
    }
}

/// A check of a subject, whatever its kind.
struct Check<'a> {
    name: &'static str,
    run: Box<dyn Fn(&Context) -> Outcome + 'a>,
}

impl<'a> Check<'a> {
    fn new(name: &'static str, run: impl Fn(&Context) -> Outcome + 'a) -> Check<'a> {
        Check { name, run: Box::new(run) }
    }
}

/// A finding that is known, so that it does not fail the run, and must be there as long as it is listed.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// The subject's name.
    pub subject: &'static str,
    /// The check's name.
    pub check: &'static str,
    /// What the failure says, in part.
    pub says: &'static str,
    /// What is behind it.
    pub why: &'static str,
}

/// Runs every check on every subject, or one case again, as the command line says, and prints a table.
///
/// `program` is its name in messages, `command` how it is started: what a failure is replayed with.
///
/// The exit status is 0 if nothing is wrong, 1 if a check fails, 2 if the command line is not understood.
pub fn judge(program: &str, command: &str, subjects: &[Judged<'_>], known: &[Known]) -> ExitCode {
    let asked = Asked::parse(std::env::args().skip(1), command).and_then(|asked| asked.known_among(subjects));
    let asked = match asked {
        Ok(asked) => asked,
        Err(error) => {
            eprintln!("{program}: {error}\nusage: {program} [--full] [--seed N] [--replay SUBJECT:CHECK:SEED:CASE]");
            return ExitCode::from(2);
        }
    };
    println!("seed {}", asked.context.seed);
    println!("{:<24}{:<14}{:>6}{:>10}{:>8}", "subject", "check", "", "cases", "ms");
    let mut failures: Vec<Box<Failure>> = Vec::new();
    let mut wrong = false;
    for subject in subjects {
        for check in subject.checks().iter().filter(|check| asked.selects(subject.name(), check.name)) {
            let failure = one(subject.name(), check, &asked.context);
            let listed = known.iter().find(|known| (known.subject, known.check) == (subject.name(), check.name));
            match (failure, listed) {
                (Some(failure), Some(known)) if failure.what.contains(known.says) => {
                    println!("{:24}known: {}", "", known.why);
                }
                (None, Some(_)) if asked.replayed.is_none() => {
                    println!("{:24}was known to fail, and does not any more: take it off the list", "");
                    wrong = true;
                }
                (failure, _) => failures.extend(failure),
            }
        }
    }
    failures.iter().for_each(|failure| println!("\n{failure}"));
    if failures.is_empty() && !wrong { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// One line of the table.
fn one(subject: &str, check: &Check<'_>, context: &Context) -> Option<Box<Failure>> {
    let begun = Instant::now();
    let outcome = (check.run)(context);
    let milliseconds = begun.elapsed().as_millis();
    let (verdict, cases) = match &outcome {
        Outcome::Pass { cases, .. } => ("pass", cases.to_string()),
        Outcome::Fail(_) => ("FAIL", String::new()),
        Outcome::None { .. } => ("none", String::new()),
    };
    print!("{subject:<24}{:<14}{verdict:>6}{cases:>10}{milliseconds:>8}", check.name);
    match outcome {
        Outcome::Pass { .. } => println!(),
        Outcome::None { reason } => println!("  {reason}"),
        Outcome::Fail(failure) => {
            println!();
            return Some(failure);
        }
    }
    None
}

/// What the command line asks for.
#[derive(Debug)]
struct Asked {
    context: Context,
    /// The subject and the check to replay, if not all of them.
    replayed: Option<(String, String)>,
}

impl Asked {
    fn parse(mut arguments: impl Iterator<Item = String>, command: &str) -> Result<Asked, String> {
        // A run without a seed takes a new one: more is seen over time, and the seed is printed.
        let now = std::time::UNIX_EPOCH.elapsed().map_err(|error| error.to_string())?;
        let mut context = Context::new(Budget::Quick, now.as_secs());
        context.replay_command = format!("{command} --replay");
        let mut replayed = None;
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
            let number = |text: &str| text.parse().map_err(|_| format!("{text:?} is no number"));
            match argument.as_str() {
                "--full" => context.budget = Budget::Full,
                "--seed" => context.seed = number(&value()?)?,
                "--replay" => {
                    let name = value()?;
                    let [subject, check, seed, case] = name.split(':').collect::<Vec<_>>()[..] else {
                        return Err(format!("{name:?} is not SUBJECT:CHECK:SEED:CASE"));
                    };
                    context.seed = number(seed)?;
                    context.only_case = Some(number(case)?);
                    replayed = Some((subject.to_owned(), check.to_owned()));
                }
                _ => return Err(format!("unknown argument {argument:?}")),
            }
        }
        Ok(Asked { context, replayed })
    }

    /// Itself, if what is to be replayed exists.
    fn known_among(self, subjects: &[Judged<'_>]) -> Result<Asked, String> {
        if let Some((name, check)) = &self.replayed {
            let subject = subjects.iter().find(|subject| subject.name() == name);
            let subject = subject.ok_or(format!("unknown subject {name:?}"))?;
            if !subject.checks().iter().any(|known| known.name == *check) {
                return Err(format!("{name} has no check {check:?}"));
            }
        }
        Ok(self)
    }

    fn selects(&self, subject: &str, check: &str) -> bool {
        self.replayed.as_ref().is_none_or(|replayed| (replayed.0.as_str(), replayed.1.as_str()) == (subject, check))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Asked, String> {
        Asked::parse(line.split_whitespace().map(str::to_owned), "check")
    }

    #[test]
    fn a_command_line_is_understood() {
        let asked = parse("--full --seed 7").unwrap();
        assert_eq!((asked.context.budget, asked.context.seed), (Budget::Full, 7));
        let asked = parse("--replay mine:kat:5:9").unwrap();
        assert_eq!((asked.context.seed, asked.context.only_case), (5, Some(9)));
        assert!(asked.selects("mine", "kat") && !asked.selects("mine", "lengths"));
        assert_eq!(asked.context.replay_command, "check --replay");
    }

    #[test]
    fn what_is_not_understood_is_named() {
        for (line, part) in [
            ("--quick", "\"--quick\""),
            ("--seed", "--seed needs a value"),
            ("--seed many", "\"many\" is no number"),
            ("--replay mine:kat", "SUBJECT:CHECK:SEED:CASE"),
        ] {
            let error = parse(line).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
        let error = parse("--replay mine:kat:1:1").unwrap().known_among(&[]).unwrap_err();
        assert!(error.contains("unknown subject \"mine\""), "{error}");
    }
}
