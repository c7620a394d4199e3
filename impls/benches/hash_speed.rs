//! Real speed of the hash functions on the machine that this runs on, in the rows of the Linux hash speed test.
//!
//! ```text
//! cargo bench -p vambrace -- [--algorithm ALGORITHM] [--tier TIER] [--seconds SECONDS] [FILTER]
//! ```
//!
//! The algorithms are sha256, sha512, blake2b and blake2s, the last two with digests of the greatest length.
//! A row `1024:256` is one digest of a message of 1024 bytes that comes in updates of 256 bytes, from a copy of an empty
//! hash to `finalize`. A row `many 16 x 64` is one call of `digest_many` for 16 messages of 64 bytes, counted as 16
//! operations. FILTER keeps the rows that contain it. Times are those of the wall clock, so close other programs, and fix the
//! clock of the CPU; cycles are those of this thread. Without `--bench`, which `cargo bench` adds, or with `--test`, every row
//! runs once and only its digest is looked at.

use std::fmt;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use vambrace::digest::{FixedOutput, Output, Update};
use vambrace::{Blake2b512, Blake2s256, ManyError, Sha256, Sha512, Tier, TierError};

/// Message sizes, and the sizes of the updates that each comes in.
const ROWS: [(usize, &[usize]); 7] = [
    (16, &[16]),
    (64, &[16, 64]),
    (256, &[16, 64, 256]),
    (1024, &[16, 256, 1024]),
    (2048, &[16, 256, 1024, 2048]),
    (4096, &[16, 256, 1024, 4096]),
    (8192, &[16, 256, 1024, 4096, 8192]),
];

/// Messages for one call of `digest_many`.
const MANY: usize = 16;
/// Their sizes.
const MANY_SIZES: [usize; 6] = [16, 64, 256, 1024, 4096, 8192];

/// How often a row is timed: as often as a spread needs.
const SAMPLES: usize = 41;

/// A hash of the library.
trait Hash: Update + FixedOutput + Clone + Default {
    const NAME: &'static str;
    fn with_tier(tier: Tier) -> Result<Self, TierError>;
    fn tier(&self) -> Tier;
    fn digest_many(tier: Tier, messages: &[&[u8]], outputs: &mut [Output<Self>]) -> Result<(), ManyError>;
}

macro_rules! hashes {
    ($($hash:ty = $name:literal),*) => {
        $(impl Hash for $hash {
            const NAME: &'static str = $name;
            fn with_tier(tier: Tier) -> Result<Self, TierError> {
                <$hash>::with_tier(tier)
            }
            fn tier(&self) -> Tier {
                <$hash>::tier(self)
            }
            #[inline]
            fn digest_many(tier: Tier, messages: &[&[u8]], outputs: &mut [Output<Self>]) -> Result<(), ManyError> {
                <$hash>::digest_many_with_tier(tier, messages, outputs)
            }
        })*

        /// The names of the algorithms.
        const ALGORITHMS: &[&str] = &[$($name),*];

        /// Runs the rows of every algorithm that is asked for; how many there were.
        fn run(arguments: &Arguments, cycles: &mut Cycles) -> usize {
            let wanted = |name: &str| arguments.algorithm.as_ref().is_none_or(|wanted| wanted == name);
            0 $(+ if wanted($name) { rows::<$hash>(arguments, cycles) } else { 0 })*
        }
    };
}

hashes!(Sha256 = "sha256", Sha512 = "sha512", Blake2b512 = "blake2b", Blake2s256 = "blake2s");

struct Arguments {
    algorithm: Option<String>,
    tier: Option<Tier>,
    time: Duration,
    filter: String,
    measure: bool,
}

impl Arguments {
    fn parse() -> Result<Arguments, lexopt::Error> {
        use lexopt::prelude::*;

        let mut arguments = Arguments {
            algorithm: None,
            tier: None,
            time: Duration::from_millis(500),
            filter: String::new(),
            measure: true,
        };
        let mut parser = lexopt::Parser::from_env();
        while let Some(argument) = parser.next()? {
            match argument {
                Long("bench") => {}
                Long("algorithm") => {
                    arguments.algorithm =
                        Some(parser.value()?.parse_with(|name| match ALGORITHMS.contains(&name) {
                            true => Ok(name.to_owned()),
                            false => Err(format!("the algorithms are {}", ALGORITHMS.join(", "))),
                        })?);
                }
                Long("tier") => arguments.tier = Some(parser.value()?.parse()?),
                Long("seconds") => {
                    let seconds = parser.value()?.parse_with(|text| match text.parse::<f64>() {
                        Ok(seconds) if (0.001..=3600.0).contains(&seconds) => Ok(seconds),
                        _ => Err("a number of seconds from 0.001 to 3600 is needed"),
                    })?;
                    arguments.time = Duration::from_secs_f64(seconds);
                }
                Value(filter) => arguments.filter = filter.string()?,
                _ => return Err(argument.unexpected()),
            }
        }
        Ok(arguments)
    }

    /// As a test: options are those of the test harness and mean nothing here, a name is a filter.
    fn of_test() -> Arguments {
        let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
        let filter = filter.unwrap_or_default();
        Arguments { algorithm: None, tier: None, time: Duration::ZERO, filter, measure: false }
    }
}

fn main() -> ExitCode {
    let given = |option: &str| std::env::args().any(|argument| argument == option);
    let to_measure = given("--bench") && !given("--test");
    let arguments = if to_measure { Arguments::parse() } else { Ok(Arguments::of_test()) };
    let arguments = match arguments {
        Ok(arguments) => arguments,
        Err(error) => {
            eprintln!("hash_speed: {error}");
            eprintln!("usage: hash_speed [--algorithm ALGORITHM] [--tier TIER] [--seconds SECONDS] [FILTER]");
            return ExitCode::from(2);
        }
    };
    let mut cycles = Cycles::open();
    if arguments.measure {
        println!("{}", std::env::consts::ARCH);
        println!("cycles: {}", if cycles.read().is_some() { "counted by the operating system" } else { "no counter" });
        if emulated() {
            println!("THIS RUNS UNDER QEMU: the figures say how fast QEMU is, and mean nothing for any ARM core.");
        }
    }
    let rows = run(&arguments, &mut cycles);
    if rows == 0 && arguments.measure {
        eprintln!("hash_speed: no row is named like {:?} in what is here", arguments.filter);
        return ExitCode::FAILURE;
    }
    if !arguments.measure {
        println!("{rows} rows give the right digest; `cargo bench` measures them");
    }
    ExitCode::SUCCESS
}

/// The rows of an algorithm in every tier that is asked for; how many there were.
fn rows<H: Hash>(arguments: &Arguments, cycles: &mut Cycles) -> usize {
    let name = H::NAME;
    if arguments.measure {
        println!("{name}: automatic dispatch picks tier {} for one message", H::default().tier());
    }
    let mut rows = 0;
    for tier in Tier::ALL.into_iter().filter(|tier| arguments.tier.is_none_or(|wanted| wanted == *tier)) {
        if let Err(error) = H::with_tier(tier) {
            println!("{name} {tier}: not here: {error}");
            continue;
        }
        for row in Row::all().filter(|row| row.to_string().contains(&arguments.filter)) {
            rows += 1;
            row.check::<H>(tier);
            if arguments.measure {
                println!("{name} {tier:<7} {row:<12} {}", row.measure::<H>(tier, arguments.time, cycles));
            }
        }
    }
    rows
}

/// What is done in one operation.
enum Row {
    One { bytes: usize, update: usize },
    Many { bytes: usize },
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Row::One { bytes, update } => f.pad(&format!("{bytes}:{update}")),
            Row::Many { bytes } => f.pad(&format!("many {MANY} x {bytes}")),
        }
    }
}

impl Row {
    fn all() -> impl Iterator<Item = Row> {
        let one =
            ROWS.iter().flat_map(|&(bytes, updates)| updates.iter().map(move |&update| Row::One { bytes, update }));
        one.chain(MANY_SIZES.map(|bytes| Row::Many { bytes }))
    }

    /// Bytes of each message, and messages of an operation.
    fn shape(&self) -> (usize, usize) {
        match *self {
            Row::One { bytes, .. } => (bytes, 1),
            Row::Many { bytes } => (bytes, MANY),
        }
    }

    /// The digest of every message is the portable tier's.
    fn check<H: Hash>(&self, tier: Tier) {
        let whole = Row::One { bytes: self.shape().0, update: usize::MAX };
        let mut expected = Operation::<H>::new(&whole, Tier::Generic);
        let expected = &expected.run(1)[0];
        let mut operation = Operation::<H>::new(self, tier);
        let right = operation.run(1).iter().all(|digest| digest == expected);
        assert!(right, "{} {tier} {self} gives a wrong digest", H::NAME);
    }

    fn measure<H: Hash>(&self, tier: Tier, time: Duration, cycles: &mut Cycles) -> Figures {
        let mut operation = Operation::<H>::new(self, tier);
        let mut timed = |times: u32| {
            let (start, first_cycle) = (Instant::now(), cycles.read());
            operation.run(times);
            let cycles = first_cycle.zip(cycles.read()).map(|(first, last)| last.saturating_sub(first) as f64);
            (start.elapsed(), cycles)
        };
        let sample = time / SAMPLES as u32;
        let mut times = 1;
        while timed(times).0 < sample / 2 && times < u32::MAX / 2 {
            times *= 2;
        }

        let (bytes, messages) = self.shape();
        let operations = f64::from(times) * messages as f64;
        let samples: Vec<_> = (0..SAMPLES).map(|_| timed(times)).collect();
        let seconds = Quantiles::of(samples.iter().map(|(time, _)| time.as_secs_f64() / operations));
        let cycles = samples.iter().map(|(_, cycles)| cycles.map(|cycles| cycles / operations / bytes as f64));
        Figures { bytes, seconds, cycles: cycles.collect::<Option<Vec<_>>>().map(Quantiles::of) }
    }
}

/// A row in a tier, with what it works on.
struct Operation<H: Hash> {
    empty: H,
    tier: Tier,
    message: Vec<u8>,
    update: usize,
    many: bool,
    outputs: Vec<Output<H>>,
}

impl<H: Hash> Operation<H> {
    fn new(row: &Row, tier: Tier) -> Operation<H> {
        let (bytes, messages) = row.shape();
        let (update, many) = match *row {
            Row::One { update, .. } => (update, false),
            Row::Many { .. } => (bytes, true),
        };
        Operation {
            empty: H::with_tier(tier).expect("the tier was had a moment ago"),
            tier,
            message: (0..bytes).map(|i| i as u8).collect(),
            update,
            many,
            outputs: vec![Output::<H>::default(); messages],
        }
    }

    fn run(&mut self, times: u32) -> &[Output<H>] {
        if self.many {
            let messages = [self.message.as_slice(); MANY];
            for _ in 0..times {
                let done = H::digest_many(self.tier, black_box(&messages), &mut self.outputs);
                assert_eq!(done, Ok(()));
            }
        } else {
            for _ in 0..times {
                let mut hash = self.empty.clone();
                for part in black_box(&self.message).chunks(self.update) {
                    hash.update(part);
                }
                self.outputs[0] = hash.finalize_fixed();
            }
        }
        black_box(&self.outputs)
    }
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

/// The CPU's counter of cycles in this thread, where the system grants one.
struct Cycles {
    #[cfg(target_os = "linux")]
    counter: Option<std::fs::File>,
}

impl Cycles {
    #[cfg(not(target_os = "linux"))]
    fn open() -> Cycles {
        Cycles {}
    }

    #[cfg(not(target_os = "linux"))]
    fn read(&mut self) -> Option<u64> {
        None
    }

    #[cfg(target_os = "linux")]
    fn open() -> Cycles {
        use std::os::fd::FromRawFd;

        /// `struct perf_event_attr` as of its first version (`PERF_ATTR_SIZE_VER0`), which every Linux takes.
        #[repr(C)]
        struct Attributes {
            kind: u32,
            size: u32,
            config: u64,
            sample_period: u64,
            sample_type: u64,
            read_format: u64,
            flags: u64,
            wakeup_events: u32,
            breakpoint_type: u32,
            config1: u64,
        }
        const _: () = assert!(size_of::<Attributes>() == 64);
        const HARDWARE: u32 = 0;
        const CPU_CYCLES: u64 = 0;
        const EXCLUDE_KERNEL: u64 = 1 << 5;
        const EXCLUDE_HYPERVISOR: u64 = 1 << 6;
        const THIS_THREAD: libc::pid_t = 0;
        const ANY_CPU: libc::c_int = -1;
        const NO_GROUP: libc::c_int = -1;
        const NO_FLAGS: libc::c_ulong = 0;

        let attributes = Attributes {
            kind: HARDWARE,
            size: size_of::<Attributes>() as u32,
            config: CPU_CYCLES,
            sample_period: 0,
            sample_type: 0,
            read_format: 0,
            flags: EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR,
            wakeup_events: 0,
            breakpoint_type: 0,
            config1: 0,
        };
        // SAFETY: perf_event_open(2) reads as many bytes at `attributes` as its size says; the other arguments are numbers.
        let descriptor = unsafe {
            libc::syscall(libc::SYS_perf_event_open, &raw const attributes, THIS_THREAD, ANY_CPU, NO_GROUP, NO_FLAGS)
        };
        // A C `long`, of 32 or 64 bits.
        let descriptor = i32::try_from(i128::from(descriptor)).ok().filter(|descriptor| *descriptor >= 0);
        // SAFETY: the call above opened the descriptor, and nothing else knows it.
        Cycles { counter: descriptor.map(|descriptor| unsafe { std::fs::File::from_raw_fd(descriptor) }) }
    }

    /// Cycles so far.
    #[cfg(target_os = "linux")]
    fn read(&mut self) -> Option<u64> {
        use std::io::Read;

        let mut count = [0; 8];
        self.counter.as_mut()?.read_exact(&mut count).ok()?;
        Some(u64::from_ne_bytes(count))
    }
}

/// Whether QEMU's user mode executes this: it hides itself from `/proc/self`, but not from `/proc/thread-self`.
fn emulated() -> bool {
    std::fs::read_to_string("/proc/thread-self/maps").is_ok_and(|maps| maps.contains("/qemu-"))
}
