//! What the benchmarks have in common: the command line, the choice of rows, and the measuring.
//!
//! Times are those of the wall clock, so close other programs, and fix the clock of the CPU; cycles are those of this thread.

mod arguments;
mod cycles;

use std::fmt;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use vambrace::{Tier, TierError};

use arguments::Arguments;
use cycles::Cycles;

/// How often a row is timed: as often as a spread needs.
const SAMPLES: usize = 41;

/// An algorithm of the library, and what is measured of it.
pub(crate) trait Algorithm {
    /// What is done in one operation; its name selects it.
    type Row: fmt::Display;

    const NAME: &'static str;

    /// Whether a tier can be had here.
    fn has_tier(tier: Tier) -> Result<(), TierError>;
    /// The tier that automatic dispatch picks.
    fn dispatched() -> Tier;
    fn rows() -> Vec<Self::Row>;
    /// Bytes of each message, and messages of an operation.
    fn shape(row: &Self::Row) -> (usize, usize);
    /// Whether a tier gives the portable tier's results.
    fn is_right(row: &Self::Row, tier: Tier) -> bool;
    /// Does the operation as often as the function is told.
    fn operation(row: &Self::Row, tier: Tier) -> impl FnMut(u32);
}

/// A benchmark's algorithms, each with what runs its rows.
pub type Algorithms = [(&'static str, fn(&mut Bench) -> usize)];

/// A benchmark at work.
pub struct Bench {
    arguments: Arguments,
    cycles: Cycles,
}

/// Runs the benchmark of this name.
pub fn run(program: &str, algorithms: &Algorithms) -> ExitCode {
    let names: Vec<&str> = algorithms.iter().map(|algorithm| algorithm.0).collect();
    let arguments = match Arguments::parse(&names) {
        Ok(arguments) => arguments,
        Err(error) => {
            eprintln!("{program}: {error}");
            eprintln!("usage: {program} [--algorithm ALGORITHM] [--tier TIER] [--seconds SECONDS] [FILTER]");
            return ExitCode::from(2);
        }
    };
    let mut bench = Bench { arguments, cycles: Cycles::open() };
    if bench.arguments.measure {
        let counted = bench.cycles.read().is_some();
        println!("{}", std::env::consts::ARCH);
        println!("cycles: {}", if counted { "counted by the operating system" } else { "no counter" });
        if emulated() {
            println!("THIS RUNS UNDER QEMU: the figures say how fast QEMU is, and mean nothing for any ARM core.");
        }
    }
    let mut rows = 0;
    for (name, algorithm) in algorithms {
        if bench.arguments.algorithm(name) {
            rows += algorithm(&mut bench);
        }
    }
    match (bench.arguments.measure, rows) {
        (true, 0) => {
            eprintln!("{program}: no row of what is here is named like that");
            return ExitCode::FAILURE;
        }
        (true, _) => {}
        (false, rows) => println!("{rows} rows give the right results; `cargo bench` measures them"),
    }
    ExitCode::SUCCESS
}

/// The rows of an algorithm in every tier that is asked for; how many there were.
pub fn rows<A: Algorithm>(bench: &mut Bench) -> usize {
    let name = A::NAME;
    if bench.arguments.measure {
        println!("{name}: automatic dispatch picks tier {} for one message", A::dispatched());
    }
    let mut rows = 0;
    for tier in bench.arguments.tiers() {
        if let Err(error) = A::has_tier(tier) {
            println!("{name} {tier}: not here: {error}");
            continue;
        }
        for row in A::rows().into_iter().filter(|row| bench.arguments.row(&row.to_string())) {
            rows += 1;
            assert!(A::is_right(&row, tier), "{name} {tier} {row} gives a wrong result");
            if bench.arguments.measure {
                let (bytes, messages) = A::shape(&row);
                let operation = A::operation(&row, tier);
                let figures = Figures::measure(bytes, messages, bench.arguments.time, &mut bench.cycles, operation);
                println!("{name} {tier:<7} {row:<12} {figures}");
            }
        }
    }
    rows
}

/// The tenths of a set of samples that are looked at.
struct Quantiles {
    first_tenth: f64,
    median: f64,
    last_tenth: f64,
}

impl Quantiles {
    fn of(samples: impl IntoIterator<Item = f64>) -> Quantiles {
        let mut samples: Vec<f64> = samples.into_iter().collect();
        samples.sort_by(f64::total_cmp);
        let at = |tenths: usize| samples[(samples.len() - 1) * tenths / 10];
        Quantiles { first_tenth: at(1), median: at(5), last_tenth: at(9) }
    }

    /// How far the middle eight tenths lie apart, in percent of the median.
    fn spread(&self) -> f64 {
        100.0 * (self.last_tenth - self.first_tenth) / self.median
    }
}

/// What was measured in a row.
struct Figures {
    bytes: usize,
    /// For each operation.
    seconds: Quantiles,
    /// For each byte.
    cycles: Option<Quantiles>,
}

impl Figures {
    /// Times an operation on as many messages of as many bytes, as often as the time allows.
    fn measure(
        bytes: usize,
        messages: usize,
        time: Duration,
        cycles: &mut Cycles,
        mut operation: impl FnMut(u32),
    ) -> Figures {
        let mut timed = |times: u32| {
            let (start, first_cycle) = (Instant::now(), cycles.read());
            operation(times);
            let cycles = first_cycle.zip(cycles.read()).map(|(first, last)| last.saturating_sub(first) as f64);
            (start.elapsed(), cycles)
        };
        let sample = time / SAMPLES as u32;
        let mut times = 1;
        while timed(times).0 < sample / 2 && times < u32::MAX / 2 {
            times *= 2;
        }

        let operations = f64::from(times) * messages as f64;
        let samples: Vec<_> = (0..SAMPLES).map(|_| timed(times)).collect();
        let seconds = Quantiles::of(samples.iter().map(|(time, _)| time.as_secs_f64() / operations));
        let cycles = samples.iter().map(|(_, cycles)| cycles.map(|cycles| cycles / operations / bytes as f64));
        Figures { bytes, seconds, cycles: cycles.collect::<Option<Vec<_>>>().map(Quantiles::of) }
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Quantiles { median, .. } = self.seconds;
        let (operations, bytes) = (1.0 / median, self.bytes as f64 / median);
        write!(f, "{operations:>12.0} op/s {bytes:>14.0} B/s  median {:>10.1} ns", median * 1e9)?;
        write!(f, "  spread {:>5.1} %", self.seconds.spread())?;
        match &self.cycles {
            Some(cycles) => write!(f, "  {:>8.2} cycles/B  spread {:>5.1} %", cycles.median, cycles.spread()),
            None => Ok(()),
        }
    }
}
/// Whether QEMU's user mode executes this: it hides itself from `/proc/self`, but not from `/proc/thread-self`.
fn emulated() -> bool {
    std::fs::read_to_string("/proc/thread-self/maps").is_ok_and(|maps| maps.contains("/qemu-"))
}
