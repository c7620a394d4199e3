//! What a core makes of straight-line code, by `llvm-mca`.

use std::io::Write;

use super::cores::Core;
use super::decode::{attributes, triple};
use super::tool::{self, Llvm, SpeedError, in_file, text};

/// The cost of one piece of code.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Cycles from the first instruction to the end of the last.
    pub cycles: f64,
    /// Cycles if nothing waited but for an execution unit.
    pub bound: f64,
    /// The share of instructions that the model lacks, and that were left out.
    pub lost: f64,
}

/// Whether a load may depend on an earlier store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// No load does.
    Independent,
    /// Every load does.
    Dependent,
}

/// Runs the model of a core over code.
pub fn cost(core: &Core, lines: &[String], memory: Memory, llvm: &Llvm) -> Result<Cost, SpeedError> {
    let code = core.model_code(lines);
    let mut input = tempfile::NamedTempFile::new().map_err(in_file(&std::env::temp_dir()))?;
    input.write_all(code.join("\n").as_bytes()).map_err(in_file(input.path()))?;
    input.write_all(b"\n").map_err(in_file(input.path()))?;

    let mut command = llvm.mca();
    command.arg(format!("-mtriple={}", triple(core.architecture))).arg(format!("-mcpu={}", core.name));
    command.arg(format!("-mattr={}", attributes(core.architecture)));
    command.args(["-iterations=1", "-skip-unsupported-instructions=any", "-all-views=0", "-summary-view"]);
    if memory == Memory::Dependent {
        command.arg("-noalias=false");
    }
    let output = tool::output(command.arg(input.path()))?;
    let summary = Summary::parse(&text(&output.stdout))?;
    let fed = code.len() as f64;
    Ok(Cost { cycles: summary.cycles, bound: summary.bound, lost: (fed - summary.instructions) / fed.max(1.0) })
}

struct Summary {
    instructions: f64,
    cycles: f64,
    bound: f64,
}

impl Summary {
    fn parse(output: &str) -> Result<Summary, SpeedError> {
        let number = |name: &str| {
            let line = output.lines().find_map(|line| line.strip_prefix(name))?;
            line.strip_prefix(':')?.trim().parse().ok()
        };
        let summary = || {
            Some(Summary {
                instructions: number("Instructions")?,
                cycles: number("Total Cycles")?,
                bound: number("Block RThroughput")?,
            })
        };
        summary().ok_or_else(|| SpeedError::Output { program: "llvm-mca", what: output.chars().take(200).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_is_read() {
        let output = "Iterations:        1\nInstructions:      3\nTotal Cycles:      8\nTotal uOps:        3\n\n\
                      Dispatch Width:    2\nuOps Per Cycle:    0.38\nIPC:               0.38\nBlock RThroughput: 1.5\n";
        let summary = Summary::parse(output).unwrap();
        assert_eq!((summary.instructions, summary.cycles, summary.bound), (3.0, 8.0, 1.5));
        assert!(Summary::parse("error: no instructions\n").is_err());
    }
}
