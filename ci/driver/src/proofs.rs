//! `ci verify --prove-only`: what is proved of the kernels in the guests, for all inputs.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use vambrace::Sha256;
use vambrace::kernels::{ALL, Architecture, Kernel};
use vambrace_prover::budget::Limits;
use vambrace_prover::code::ElfFile;
use vambrace_prover::{Outcome, Verdict, prove};
use vambrace_verify::selection::Selection;

use crate::build;
use crate::verify::Ending;

/// The name of the column.
pub const NAME: &str = "proved";

/// What became of a kernel.
struct Attempt {
    kernel: &'static Kernel,
    /// The SHA-256 of its bytes in the file, and the verdict on them; or why there are none.
    result: Result<(String, Verdict), String>,
}

impl Attempt {
    /// Whether the kernel is not proved although it has a specification.
    fn is_bad(&self) -> bool {
        match &self.result {
            Ok((_, verdict)) => matches!(verdict.outcome, Outcome::NotProved(_)),
            Err(_) => true,
        }
    }
}

/// Builds the guests, and proves the kernels in them that are selected.
///
/// # Errors
/// If nothing is selected or the guests cannot be built.
pub fn run(root: &Path, selection: &Selection) -> Result<Ending, String> {
    let kernels: Vec<&'static Kernel> =
        ALL.iter().copied().flatten().filter(|kernel| selection.contains(kernel.name, NAME)).collect();
    if kernels.is_empty() {
        return Err(format!("{:?} matches no kernel", selection.patterns().collect::<Vec<_>>().join(" ")));
    }
    let selected = |one: &&Architecture| kernels.iter().any(|kernel| kernel.architecture == **one);
    let architectures: Vec<Architecture> = Architecture::ALL.iter().filter(selected).copied().collect();
    let programs = build::guests(root, &architectures)?;
    let began = Instant::now();
    let mut attempts = Vec::new();
    for (architecture, program) in programs {
        let of_it: Vec<_> = kernels.iter().copied().filter(|kernel| kernel.architecture == architecture).collect();
        attempts.extend(attempt(architecture, &program, &of_it)?);
    }
    print!("{}", report(&attempts, began.elapsed()));
    Ok(if attempts.iter().any(Attempt::is_bad) { Ending::Bad } else { Ending::Good })
}

fn attempt(architecture: Architecture, program: &PathBuf, kernels: &[&'static Kernel]) -> Result<Vec<Attempt>, String> {
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", program.display());
    let data = fs::read(program).map_err(|error| named(&error))?;
    let file = ElfFile::parse(&data, architecture).map_err(|error| named(&error))?;
    let codes: Vec<_> = kernels.iter().map(|&kernel| (kernel, file.kernel(kernel))).collect();
    let attempts = codes.into_par_iter().map(|(kernel, code)| {
        let result = code.map_err(|error| error.to_string()).map(|code| {
            let hash = Sha256::digest(code.bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
            (hash, prove(kernel, &code, Limits::default()))
        });
        Attempt { kernel, result }
    });
    Ok(attempts.collect())
}

fn report(attempts: &[Attempt], took: Duration) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    for architecture in Architecture::ALL {
        let of_it: Vec<&Attempt> =
            attempts.iter().filter(|attempt| attempt.kernel.architecture == architecture).collect();
        if !of_it.is_empty() {
            let _ = writeln!(
                text,
                "\n{architecture:<24} {:<14} {:>7} {:>8} {:>8}  SHA-256 of the code",
                "", "seconds", "steps", "nodes"
            );
        }
        for Attempt { kernel, result } in of_it {
            let _ = match result {
                Err(error) => writeln!(text, "{:<24} NOT PROVED     {error}", kernel.name),
                Ok((hash, Verdict { outcome: Outcome::Proved, time, steps, nodes, .. })) => writeln!(
                    text,
                    "{:<24} {:<14} {:>7.2} {steps:>8} {nodes:>8}  {hash}",
                    kernel.name,
                    "proved",
                    time.as_secs_f64()
                ),
                Ok((hash, Verdict { outcome: Outcome::NotProved(failure), time, steps, nodes, .. })) => writeln!(
                    text,
                    "{:<24} {:<14} {:>7.2} {steps:>8} {nodes:>8}  {hash}\n  {failure}",
                    kernel.name,
                    "NOT PROVED",
                    time.as_secs_f64()
                ),
                Ok((_, Verdict { outcome: Outcome::NotAttempted(why), .. })) => {
                    writeln!(text, "{:<24} not attempted: {why}", kernel.name)
                }
            };
        }
    }
    let outcomes = |matches: fn(&Outcome) -> bool| {
        attempts.iter().filter(|one| one.result.as_ref().is_ok_and(|(_, verdict)| matches(&verdict.outcome))).count()
    };
    let _ = writeln!(
        text,
        "\n{} proved for all inputs, {} not proved, {} not attempted, in {:.1} s",
        outcomes(|outcome| *outcome == Outcome::Proved),
        attempts.len()
            - outcomes(|outcome| *outcome == Outcome::Proved)
            - outcomes(|outcome| matches!(outcome, Outcome::NotAttempted(_))),
        outcomes(|outcome| matches!(outcome, Outcome::NotAttempted(_))),
        took.as_secs_f64()
    );
    text
}

#[cfg(test)]
mod tests {
    use vambrace_prover::failure::{Failure, Reason};

    use super::*;

    fn attempt_with(outcome: Outcome) -> Attempt {
        let verdict = Verdict {
            outcome,
            time: Duration::from_millis(250),
            steps: 5,
            nodes: 7,
            rounds: 1,
            cases: 1,
            evaluated: 8,
        };
        Attempt { kernel: &ALL[0][0], result: Ok(("ab12".to_owned(), verdict)) }
    }

    #[test]
    fn a_kernel_that_is_not_proved_is_bad_and_named() {
        let failed = attempt_with(Outcome::NotProved(Failure::new(Reason::SecretFlags)));
        assert!(failed.is_bad());
        let text = report(&[attempt_with(Outcome::Proved), failed], Duration::from_secs(2));
        for part in
            [ALL[0][0].name, "NOT PROVED", "flags depend on a secret", "0.25", "ab12", "1 proved", "1 not proved"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!attempt_with(Outcome::Proved).is_bad());
        assert!(!attempt_with(Outcome::NotAttempted("no specification")).is_bad());
        let missing = Attempt { kernel: &ALL[0][0], result: Err("no symbol".to_owned()) };
        assert!(missing.is_bad() && report(&[missing], Duration::ZERO).contains("no symbol"));
    }
}
