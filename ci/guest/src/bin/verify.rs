//! Runs the checks on the kernels of this build, on this CPU, and reports by JSON lines on standard output.
//!
//! The driver (`ci/verify`) starts it under QEMU; it can be started by hand too. Exit status: 0 if nothing failed, 1 if
//! something did, 2 if the command line cannot be served.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::{Parser, ValueEnum};
use vambrace::cpu::{self, Features};
use vambrace::kernels::{Architecture, Feature};
use vambrace_harness::event::{Event, Status};
use vambrace_harness::machine;
use vambrace_harness::{Budget, Context, Outcome, Share};
use vambrace_verify::cell;
use vambrace_verify::checks;
use vambrace_verify::dispatch::{self, Detection};
use vambrace_verify::object::Image;
use vambrace_verify::own_code::{self, Extent};
use vambrace_verify::planted::Planted;
use vambrace_verify::selection::Selection;
use vambrace_verify::traced::{self, Traced};
use vambrace_verify::{KernelSubjects, subjects};

/// Checks the kernels of this build on this CPU; one JSON object per line on standard output.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Lists the cells KERNEL/CHECK, one per line, and runs nothing.
    #[arg(long)]
    list: bool,
    /// Introduces the kernels, with their addresses, and runs nothing.
    #[arg(long, conflicts_with = "list")]
    introduce: bool,
    /// Runs only the cells that match: a glob over kernels, over checks, or over KERNEL/CHECK. Repeatable.
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    /// Runs only this subject, as sha224_neon.
    #[arg(long, value_name = "NAME")]
    subject: Option<String>,
    /// How much to do.
    #[arg(long, value_enum, default_value_t = Effort::Quick)]
    budget: Effort,
    /// Where all randomness comes from.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Runs only the case of this number.
    #[arg(long, value_name = "N")]
    case: Option<u64>,
    /// Lets detection see only these CPU features: names joined by '+', or 'none'.
    #[arg(long, value_name = "FEATURES", value_parser = dispatch::parse_features)]
    mask: Option<Features>,
    /// What detection must report, the mask applied.
    #[arg(long, value_name = "FEATURES", value_parser = dispatch::parse_features)]
    expect: Option<Features>,
    /// Where this runs, for the replay line, as aarch64@max.
    #[arg(long)]
    place: Option<String>,
    /// Leaves out the first N cells: what a run that crashed had done.
    #[arg(long, value_name = "N", default_value_t = 0)]
    skip: usize,
    /// Takes only every N-th published vector, from the one of number K on, as 3/4; all if it is not given.
    #[arg(long, value_name = "K/N")]
    vectors: Option<Share>,
    /// How many bytes a kernel has in the ELF file, as sha256_neon=1234: their hash is told when it is introduced. Repeatable.
    #[arg(long, value_name = "NAME=BYTES", hide = true)]
    extent: Vec<Extent>,
    /// Makes the calls that a plugin traces, in place of the checks.
    #[arg(long, value_enum, hide = true)]
    trace: Option<Traced>,
    /// Tells a plugin for which kernel's sake each cell is run.
    #[arg(long, hide = true)]
    announce: bool,
    /// Runs the checks of machine code on a function of an object file, which is in this image, in place of the kernels.
    #[arg(long, value_name = "FILE", hide = true, conflicts_with_all = ["trace", "planted", "subject"])]
    object: Option<PathBuf>,
    /// Runs a defect in place of the kernels, to show that it is seen.
    #[arg(long, value_enum, hide = true)]
    planted: Option<Planted>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Effort {
    Quick,
    Full,
    Soak,
}

impl Effort {
    fn budget(self) -> Budget {
        match self {
            Effort::Quick => Budget::Quick,
            Effort::Full => Budget::Full,
            Effort::Soak => Budget::Soak,
        }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("verify: {error}");
            ExitCode::from(2)
        }
    }
}

/// The number of results that are failures.
fn run(arguments: &Arguments) -> Result<usize, String> {
    let detection = Detection { mask: arguments.mask, expected: arguments.expect };
    detection.apply();
    let selection = Selection::new(&arguments.only).map_err(|error| error.to_string())?;
    let rows = match (arguments.planted, arguments.trace, &arguments.object) {
        (Some(planted), ..) => vec![planted.row()],
        (None, Some(Traced::Planted), _) => traced::planted_rows(),
        (None, None, Some(image)) => vec![Image::read(image)?.load()?],
        (None, ..) => subjects(),
    };
    let mut cells = match (arguments.trace, &arguments.object) {
        (Some(_), _) => cell::traced_cells(&rows, &selection),
        (None, Some(_)) => cell::machine_cells(&rows, &selection),
        (None, None) => cell::cells(&rows, &selection, arguments.subject.as_deref(), arguments.budget.budget()),
    };
    let refused = |row: &KernelSubjects| row.available.is_err() && selects_some(&selection, row);
    if cells.is_empty() && !rows.iter().any(refused) {
        let patterns: Vec<&str> = selection.patterns().chain(arguments.subject.as_deref()).collect();
        return Err(format!("nothing here matches {}; --list shows what there is", patterns.join(", ")));
    }
    if arguments.list {
        let mut names: Vec<String> = cells.iter().map(|cell| format!("{}/{}", cell.kernel, cell.check)).collect();
        names.dedup();
        names.iter().try_for_each(|name| writeln!(io::stdout(), "{name}")).map_err(|error| error.to_string())?;
        return Ok(0);
    }

    if arguments.introduce {
        cells.clear();
    }
    let architecture = Architecture::current().map_or(std::env::consts::ARCH, Architecture::name);
    let context = context(arguments, architecture);
    let remaining = cells.get(arguments.skip..).unwrap_or_default();
    emit(&Event::Started {
        architecture: architecture.to_owned(),
        features: cpu::detect().iter().map(|feature| feature.name().to_owned()).collect(),
        seed: arguments.seed,
        planned: remaining.len() as u64,
    })?;
    for row in rows.iter().filter(|row| selects_some(&selection, row)) {
        emit(&introduction(row, &arguments.extent)?)?;
    }
    cell::note_panics();
    let mut failures = 0;
    for cell in remaining {
        let (kernel, subject, check) = (cell.kernel.to_owned(), cell.subject.to_owned(), cell.check.to_owned());
        emit(&Event::Running { kernel: kernel.clone(), subject: subject.clone(), check: check.clone() })?;
        let row = rows.iter().find(|row| row.name == cell.kernel);
        if let Some(kernel) = row.and_then(|row| row.kernel).filter(|_| arguments.announce) {
            machine::traced::announce_work_for(kernel);
        }
        let begun = Instant::now();
        let outcome = match arguments.planted {
            Some(planted) => planted.run(|| cell.perform(&rows, &detection, &context)),
            None => cell.perform(&rows, &detection, &context),
        };
        let milliseconds = begun.elapsed().as_millis() as u64;
        let mut left_out = Vec::new();
        let (status, cases, reason, failure) = match outcome {
            Outcome::Pass { cases, left_out: some } => {
                left_out = some;
                (Status::Pass, cases, None, None)
            }
            Outcome::None { reason } => (Status::None, 0, Some(reason), None),
            Outcome::Fail(failure) => (Status::Fail, failure.case + 1, None, Some(failure)),
        };
        failures += usize::from(status == Status::Fail);
        emit(&Event::Result { kernel, subject, check, status, cases, left_out, reason, failure, milliseconds })?;
    }
    emit(&Event::Finished { results: remaining.len() as u64 })?;
    Ok(failures + usize::from(arguments.planted == Some(Planted::ExitStatus)))
}

fn context(arguments: &Arguments, architecture: &str) -> Context {
    let mut context = Context::new(arguments.budget.budget(), arguments.seed);
    context.vectors = arguments.vectors.unwrap_or(Share::ALL);
    context.only_case = arguments.case;
    context.replay_command = match arguments.budget {
        Effort::Quick => "ci/verify --replay",
        Effort::Full | Effort::Soak => "ci/verify --full --replay",
    }
    .to_owned();
    context.place = arguments.place.clone().unwrap_or_else(|| format!("{architecture}@max"));
    context
}

/// Whether a check of the row is selected, be it one that this CPU cannot run.
fn selects_some(selection: &Selection, row: &KernelSubjects) -> bool {
    checks::catalogue().iter().any(|info| selection.contains(&row.name, info.name))
        || [machine::traced::NAME, machine::SPECIFICATION.name].iter().any(|name| selection.contains(&row.name, name))
}

fn introduction(row: &KernelSubjects, extents: &[Extent]) -> Result<Event, String> {
    let extent = extents.iter().find(|extent| extent.kernel == row.name);
    let code = row.kernel.zip(extent).map(|(kernel, extent)| own_code::digest(kernel, extent.bytes)).transpose()?;
    Ok(Event::Kernel {
        name: row.name.clone(),
        tier: row.tier.name().to_owned(),
        address: row.kernel.and_then(|kernel| kernel.entry).map(|entry| entry as usize as u64),
        features: row.kernel.map_or(&[][..], |kernel| kernel.features).iter().map(Feature::to_string).collect(),
        stack: row.kernel.map_or(0, |kernel| kernel.stack as u64),
        available: row.available.is_ok(),
        code,
    })
}

fn emit(event: &Event) -> Result<(), String> {
    let mut line = serde_json::to_vec(event).map_err(|error| error.to_string())?;
    line.push(b'\n');
    let mut out = io::stdout().lock();
    out.write_all(&line).and_then(|()| out.flush()).map_err(|error| format!("standard output: {error}"))
}
