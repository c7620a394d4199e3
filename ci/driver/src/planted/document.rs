//! docs/planted.md.

use std::fmt::Write;

use super::report::{Listed, Run, by_check};

const HEAD: &str = "\
# Planted bugs

What a check is worth shows in the bugs that it finds. This is the list of those that were planted in our own code: for every published
bug of which we know, and for every check, several of the kind. `ci/verify --planted --write` plants them and writes this page;
`--only B01` selects an entry, `--only 'aes_*'` the rows of some kernels, `--sample N` as many of those in kernels, drawn by `--seed`.

- A bug is an edit of our source: a piece of text, which must stand there once, and what stands there instead
  (`ci/driver/src/planted/published`, `catalogue.rs`). An edit that no longer applies ends the run.
- One in the assembly of a kernel is assembled by GNU as and written over the kernel in a guest; where the code has become longer, it stands
  elsewhere and the kernel begins with a branch to it. Before and after, the kernel without a bug is assembled and moved in the same way, and
  passes: so the sources are shown to mean the same to both assemblers, and the code not to depend on its address.
- Those in the Rust around the kernels are all built into one copy of the library, each beside what it takes the place of, and put in force
  one at a time. With none in force the copy passes.
- Each is run through the checks that should see it alone, in the order given, until one does. One that is seen by other checks only
  counts as not seen. *trace-bounds*, *constant-time*, *coverage* and *features* judge a copy of the guest's file with the bug in it.
- Times are CPU time under QEMU from the fork of a child to its end; for the four checks named last, wall-clock time.

";

/// One row for each entry.
pub fn table(run: &Run) -> String {
    let mut text = "| entry | kind | planted | seen by | longest ms |\n|---|---|---|---|---|\n".to_owned();
    for entry in &run.entries {
        let Listed { id, kind, .. } = entry;
        match &entry.impossible {
            Some(why) => {
                let _ = writeln!(text, "| {id} | {kind} | none | {why} | |");
            }
            None => {
                let seen = run.of(entry);
                let by: Vec<String> =
                    by_check(seen.clone()).iter().map(|(name, count)| format!("{name} {count}")).collect();
                let longest = seen.clone().map(|one| one.milliseconds).max().unwrap_or(0);
                let _ = writeln!(text, "| {id} | {kind} | {} | {} | {longest} |", seen.count(), by.join(", "));
            }
        }
    }
    text
}

/// The page.
pub fn text(run: &Run) -> String {
    let mut text = HEAD.to_owned();
    let _ = writeln!(text, "## Result\n\n{}.\n\n{}", run.sentence(), table(run));
    let _ = writeln!(text, "## Each of them\n");
    for entry in run.entries.iter().filter(|entry| entry.impossible.is_none()) {
        let _ = writeln!(text, "### {}: {}\n\nMirrors {}.\n", entry.id, entry.kind, entry.mirrors);
        let _ = writeln!(text, "| where | what | seen by | ms |\n|---|---|---|---|");
        for one in run.of(entry) {
            let place = if one.in_kernel { "" } else { ", library" };
            let _ = writeln!(
                text,
                "| {} {}{place} | {} | {} | {} |",
                one.architecture,
                one.row,
                one.what,
                one.verdict(),
                one.milliseconds
            );
        }
        text.push('\n');
    }
    text
}
