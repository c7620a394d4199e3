//! Runs mutants of one kernel through its checks: JSON lines on standard input, JSON lines on standard output.
//!
//! The driver (`ci/verify --mutants`) starts it under QEMU; see [`vambrace_verify::mutation`].

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use clap::Parser;
use vambrace::cpu::Features;
use vambrace_harness::{Budget, Context};
use vambrace_verify::dispatch::{Detection, parse_features};
use vambrace_verify::mutation::{self, Answer, Budgeted, Request, Server};
use vambrace_verify::{cell, subjects};

#[global_allocator]
static ALLOCATOR: Budgeted = Budgeted;

/// Runs mutants of one kernel through its checks: requests on standard input, answers on standard output, one JSON object a line.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The kernel's name, as sha256_neon.
    #[arg(long, value_name = "NAME")]
    kernel: String,
    /// Where the randomness of the checks comes from.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Tells the kernel's address, and runs nothing.
    #[arg(long)]
    introduce: bool,
    /// Has these checks alone. Repeatable.
    #[arg(long, value_name = "CHECK")]
    check: Vec<String>,
    /// What the check of the choice of kernels must find that the CPU has, as neon+sha2.
    #[arg(long, value_name = "FEATURES", value_parser = parse_features)]
    expect: Option<Features>,
    /// Leaves out a check, to show what only it finds. Repeatable.
    #[arg(long, value_name = "CHECK")]
    disable: Vec<String>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(what) => {
            let told = tell(&Answer::Refused { what: what.clone() });
            eprintln!("mutants: {what}");
            told.map_or(ExitCode::from(2), |()| ExitCode::FAILURE)
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let rows = subjects();
    let name = &arguments.kernel;
    let row = rows.iter().find(|row| row.name == *name);
    let row = row.ok_or_else(|| format!("this build has no kernel {name}"))?;
    row.available.clone()?;
    let entry =
        row.kernel.and_then(|kernel| kernel.entry).ok_or_else(|| format!("{name} is no machine code of ours"))?;
    let entry = entry as *const () as usize;
    if arguments.introduce {
        return tell(&Answer::Baseline { address: entry as u64, room: mutation::room(), checks: Vec::new() });
    }
    cell::note_panics();
    let context = Context::new(Budget::Quick, arguments.seed);
    let cells = mutation::cells(&rows, name, &arguments.check, &arguments.disable);
    let detection = Detection { mask: None, expected: arguments.expect };
    let server = Server::new(entry, &rows, cells, detection, context)?;
    tell(&Answer::Baseline { address: entry as u64, room: mutation::room(), checks: server.checks() })?;
    for line in io::stdin().lock().lines() {
        let line = line.map_err(|error| format!("standard input: {error}"))?;
        let request: Request =
            serde_json::from_str(&line).map_err(|error| format!("{line:?} is no request: {error}"))?;
        tell(&server.answer(&request)?)?;
    }
    Ok(())
}

fn tell(answer: &Answer) -> Result<(), String> {
    let mut line = serde_json::to_vec(answer).map_err(|error| error.to_string())?;
    line.push(b'\n');
    let mut out = io::stdout().lock();
    out.write_all(&line).and_then(|()| out.flush()).map_err(|error| format!("standard output: {error}"))
}
