//! The command line of the harness: `ci verify` and `ci speed`.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use driver::proofs::apart;
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
    Verify(Box<verify::Arguments>),
    Speed(speed::Arguments),
    #[command(name = apart::COMMAND, hide = true)]
    ProveOne(apart::Arguments),
}

fn main() -> ExitCode {
    match Arguments::parse().command {
        Command::Verify(arguments) => verify(&arguments),
        Command::Speed(arguments) => speed::run(&arguments),
        Command::ProveOne(arguments) => prove_one(&arguments),
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

fn prove_one(arguments: &apart::Arguments) -> ExitCode {
    match apart::run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("ci {}: {error}", apart::COMMAND);
            ExitCode::from(2)
        }
    }
}
