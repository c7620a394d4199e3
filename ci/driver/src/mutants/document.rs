//! docs/mutants.md.

use std::fmt::Write;

use super::report::{Run, median};

const HEAD: &str = "\
# Mutants

A mutant is a kernel with one instruction changed: a register, an immediate, the operation or its width, a condition, an instruction
left out, two that depend on each other swapped, a bit of a table flipped. The checks that a quick run makes of the kernel are run on it,
on the machine code where it stands, until one fails: the mutant is *killed*. One that passes everything is *equivalent*, if a rule, a proof or
a written reason shows that no caller can see the difference, or else a *gap* in the checks. `ci/verify --mutants --write` writes this page.

- Rules, proofs and reasons: two words of one meaning are no mutants (`ci/driver/src/mutants/alike.rs`); results that nothing reads are
  found by an analysis of liveness (`dead.rs`); what is left is given to the prover ([proofs.md](proofs.md)), and may be proved as the kernel itself is; the rest is
  listed one by one (`equivalents.json`), and a reason whose instruction has changed fails the run.
- A kernel passes its checks as it is, in a child like those of its mutants, before and after them. Loops, exhausted memory, an
  overwritten stack, jumps to nowhere and undefined instructions are planted first, and must be called by their names.
- Times are CPU time under QEMU, from the fork of a child to its end.

";

/// The page.
pub fn text(run: &Run) -> String {
    let mut text = HEAD.to_owned();
    let amount = run.sample.map_or("All mutants".to_owned(), |number| format!("Up to {number} mutants of each kernel"));
    let _ = writeln!(text, "## Result\n\n{}. {amount}, {} kernels.\n", run.sentence(), run.kernels.len());
    let _ = writeln!(text, "Shown to be {}.\n", run.shown());
    let _ = writeln!(text, "| what was changed | tried | killed | equivalent | gaps |\n|---|---|---|---|---|");
    for (name, count) in run.kinds() {
        let _ =
            writeln!(text, "| {name} | {} | {} | {} | {} |", count.tried, count.killed, count.equivalent, count.gaps());
    }
    let _ = writeln!(
        text,
        "\nThe check that a mutant fails first, in the order abi, kat, residue, bounds, handed-back, then the catalogue's:\n"
    );
    let _ = writeln!(text, "| check | killed |\n|---|---|");
    for (name, count) in run.checks() {
        let _ = writeln!(text, "| {name} | {count} |");
    }
    let hows: Vec<String> = run.hows().into_iter().map(|(name, count)| format!("{name} {count}")).collect();
    let _ = writeln!(text, "\nHow: {}.\n", hows.join(", "));
    let _ = writeln!(
        text,
        "| kernel | mutants | tried | killed | equivalent | gaps | median ms | longest ms |\n|---|---|---|---|---|---|---|---|"
    );
    for kernel in &run.kernels {
        let count = &kernel.count;
        let times = &kernel.kill_milliseconds;
        let _ = writeln!(
            text,
            "| {} {} | {} | {} | {} | {} | {} | {} | {} |",
            kernel.architecture,
            kernel.kernel,
            kernel.possible,
            count.tried,
            count.killed,
            count.equivalent,
            count.gaps(),
            median(times),
            times.last().copied().unwrap_or(0),
        );
    }
    if run.gaps().next().is_some() {
        let _ = writeln!(text, "\nGaps:\n");
    }
    for (kernel, gap) in run.gaps() {
        let known = gap.gap.as_deref().unwrap_or("not explained yet");
        let _ = writeln!(
            text,
            "- {} {} + {:#x}: `{}` becomes `{}`: {known}.",
            kernel.architecture, kernel.kernel, gap.offset, gap.before, gap.after
        );
    }
    text
}
