//! The command line of the harness: `ci verify`.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use driver::verify::{self, Ending};

/// The host side of the harness.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Verify(verify::Arguments),
}

fn main() -> ExitCode {
    let Arguments { command: Command::Verify(arguments) } = Arguments::parse();
    driver::guest::end_with_the_driver();
    match verify::run(&arguments) {
        Ok(Ending::Good) => ExitCode::SUCCESS,
        Ok(Ending::Bad) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("ci verify: {error}");
            ExitCode::from(2)
        }
    }
}
