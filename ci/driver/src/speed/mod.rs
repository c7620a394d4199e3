//! Predicted speed: the instructions that a kernel really executes, through LLVM's models of ARM cores.
//!
//! `drive` runs once under QEMU for two message sizes, and QEMU logs which blocks of the kernel it executes (`trace`).
//! The instructions of those blocks, read from the ELF file and disassembled by `llvm-mc` (`decode`), are straight-line
//! code for `llvm-mca` (`model`). The slope between the two sizes is the cost of a byte (`predict`).
//!
//! `docs/speed.md` says what such figures are worth; its tables are written here (`document`).

mod call;
mod cores;
mod count;
mod decode;
mod digest;
mod document;
mod kernels;
mod model;
mod peers;
mod predict;
mod straight_line;
mod tables;
mod tool;
mod trace;

use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use vambrace::kernels::Kernel;

use crate::build;
use peers::Peers;
use tables::Table;
use tool::{Guests, Llvm};

pub use tool::SpeedError;

/// Predicts the speed of kernels by LLVM's models of ARM cores, and counts the instructions of whole digests and calls.
///
/// Exit status: 0 if the figures could be made (with --check: and docs/speed.md has them), 1 if docs/speed.md is out of date,
/// 2 if the figures could not be made.
#[derive(Args, Debug)]
pub struct Arguments {
    /// Only the kernels whose name matches, alone or as ARCHITECTURE/NAME; no whole digests and calls.
    #[arg(long, value_name = "GLOB")]
    only: Option<glob::Pattern>,
    /// Only the whole digests and calls.
    #[arg(long, conflicts_with = "only")]
    counts: bool,
    /// Compares the tables in docs/speed.md with fresh ones.
    #[arg(long, conflicts_with_all = ["write", "only"])]
    check: bool,
    /// Writes the tables in docs/speed.md anew.
    #[arg(long, conflicts_with = "only")]
    write: bool,
}

/// Does it.
pub fn run(arguments: &Arguments) -> ExitCode {
    match speed(arguments) {
        Ok(status) => status,
        Err(error) => {
            eprintln!("ci speed: {error}");
            ExitCode::from(2)
        }
    }
}

fn speed(arguments: &Arguments) -> Result<ExitCode, SpeedError> {
    let root = build::workspace_root().map_err(SpeedError::Build)?;
    let llvm = Llvm::find()?;
    let kernels = if arguments.counts { Vec::new() } else { kernels::select(arguments.only.as_ref())? };
    let guests = Guests::build(&root)?;
    let tables = measure(&kernels, arguments.only.is_none(), &root, &guests, &llvm)?;
    if arguments.write {
        document::write(&root, &tables)?;
    } else if arguments.check {
        let stale = document::stale(&root, &tables)?;
        if !stale.is_empty() {
            stale.iter().for_each(|line| eprintln!("{line}"));
            eprintln!("docs/speed.md is out of date; `ci speed --write` writes its tables anew");
            return Ok(ExitCode::FAILURE);
        }
    } else {
        tables.iter().for_each(|table| println!("{table}"));
    }
    Ok(ExitCode::SUCCESS)
}

fn measure(
    kernels: &[&'static Kernel],
    short_messages: bool,
    root: &Path,
    guests: &Guests,
    llvm: &Llvm,
) -> Result<Vec<Table>, SpeedError> {
    let mut predictions = Vec::new();
    for kernel in kernels {
        eprintln!("{} {}", kernel.architecture, kernel.name);
        predictions.push(predict::kernel(kernel, guests, llvm)?);
    }
    let mut tables = tables::predictions(&predictions, &Peers::published());
    if short_messages {
        eprintln!("whole digests");
        tables.extend(tables::counts(&digest::counts(guests)?));
        eprintln!("whole calls of ciphers");
        tables.extend(tables::counts(&call::counts(root, guests)?));
    }
    tables.push(tables::tools(llvm, guests));
    Ok(tables)
}
