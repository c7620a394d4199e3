//! What `--prove-only` prints.

use std::fmt::Write;
use std::time::Duration;

use vambrace::kernels::Architecture;

use super::{Attempt, Proof, Standing};

/// A line for each kernel, and what they amount to.
pub(super) fn report(attempts: &[Attempt], took: Duration) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    for architecture in Architecture::ALL {
        let of_it: Vec<&Attempt> = attempts.iter().filter(|one| one.kernel.architecture == architecture).collect();
        if !of_it.is_empty() {
            let _ = writeln!(
                text,
                "\n{architecture:<24} {:<12} {:>7} {:>6} {:>8} {:>8}  SHA-256 of the code",
                "", "seconds", "MiB", "steps", "nodes"
            );
        }
        for attempt in of_it {
            let name = attempt.kernel.name;
            let _ = match &attempt.result {
                Ok(proof) => writeln!(text, "{name:<24} {}", line(proof)),
                Err(error) => writeln!(text, "{name:<24} NOT PROVED   {error}"),
            };
        }
    }
    let count = |wanted: Standing| {
        attempts.iter().filter(|one| one.result.as_ref().is_ok_and(|proof| proof.standing == wanted)).count()
    };
    let (proved, known, none) =
        (count(Standing::Proved), count(Standing::NotProvedAsKnown), count(Standing::NoSpecification));
    let _ = writeln!(
        text,
        "\n{proved} proved for all inputs, {} not proved, {known} not proved as known, {none} without a specification, \
         in {:.1} s ({:.1} s of CPU time)",
        attempts.len() - proved - known - none,
        took.as_secs_f64(),
        super::computed(attempts).as_secs_f64()
    );
    text
}

fn line(proof: &Proof) -> String {
    let Proof { seconds, peak_memory_bytes, steps, nodes, sha256, .. } = proof;
    let reason = proof.reason.as_deref().unwrap_or_default();
    let cost = format!("{seconds:>7.2} {:>6} {steps:>8} {nodes:>8}  {sha256}", peak_memory_bytes >> 20);
    match proof.standing {
        Standing::Proved => format!("{:<12} {cost}", "proved"),
        Standing::Failed => format!("{:<12} {cost}\n  {reason}", "NOT PROVED"),
        Standing::NotProvedAsKnown => format!("not proved, as known: {reason}"),
        Standing::NoSpecification => format!("none: {reason}"),
    }
}

#[cfg(test)]
mod tests {
    use vambrace::kernels::ALL;

    use super::super::tests::proof;
    use super::*;

    #[test]
    fn a_kernel_that_is_not_proved_is_named_with_its_reason_and_every_proof_with_its_cost() {
        let attempt = |result| Attempt { kernel: &ALL[0][0], result };
        let text = report(
            &[
                attempt(Ok(proof(Standing::Proved, None, "ab12"))),
                attempt(Ok(proof(Standing::Failed, Some("the flags are secret"), "cd34"))),
                attempt(Ok(proof(Standing::NotProvedAsKnown, Some("too large"), "ef56"))),
                attempt(Ok(proof(Standing::NoSpecification, Some("nobody wrote one"), "0708"))),
                attempt(Err("no symbol".to_owned())),
            ],
            Duration::from_secs(2),
        );
        for part in [
            ALL[0][0].name,
            "NOT PROVED",
            "the flags are secret",
            "0.25     12        5        7  ab12",
            "not proved, as known: too large",
            "none: nobody wrote one",
            "no symbol",
            "1 proved for all inputs, 2 not proved, 1 not proved as known, 1 without a specification, in 2.0 s (1.0 s",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
