//! The command line of the harness: `ci verify` and `ci speed`.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use driver::speed;
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
    Speed(speed::Arguments),
}

fn main() -> ExitCode {
    match Arguments::parse().command {
        Command::Verify(arguments) => verify(&arguments),
        Command::Speed(arguments) => speed::run(&arguments),
    }
}

fn verify(arguments: &verify::Arguments) -> ExitCode {
    driver::guest::end_with_the_driver();
    match verify::run(arguments) {
        Ok(Ending::Good) => ExitCode::SUCCESS,
        Ok(Ending::Bad) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("ci verify: {error}");
            ExitCode::from(2)
        }
    }
}
