//! Defects of the run itself, to show before every run that none of them would go unseen.

use std::process;

use clap::ValueEnum;
use digest::Digest;
use vambrace::{Sha256, Tier};
use vambrace_harness::Outcome;
use vambrace_harness::subject::{HashSubject, RunningHash};

use crate::KernelSubjects;

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Planted {
    /// Every digest has one wrong bit.
    WrongDigest,
    /// The process meets an undefined instruction.
    UndefinedInstruction,
    /// The process ends in the middle, with exit status 0.
    EarlyExit,
    /// All results are good, but the exit status is 1.
    ExitStatus,
}

impl Planted {
    /// Every planted defect.
    pub const ALL: [Planted; 4] =
        [Planted::WrongDigest, Planted::UndefinedInstruction, Planted::EarlyExit, Planted::ExitStatus];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Planted::WrongDigest => "wrong-digest",
            Planted::UndefinedInstruction => "undefined-instruction",
            Planted::EarlyExit => "early-exit",
            Planted::ExitStatus => "exit-status",
        }
    }

    /// The row that takes the place of the kernels'.
    pub fn row(self) -> KernelSubjects {
        KernelSubjects {
            name: "planted".to_owned(),
            tier: Tier::Generic,
            kernel: None,
            subjects: vec![crate::Subject::Hash(Box::new(Subject { flipped: u8::from(self == Planted::WrongDigest) }))],
            available: Ok(()),
        }
    }

    /// Runs a check, unless the defect comes first.
    pub fn run(self, check: impl FnOnce() -> Outcome) -> Outcome {
        match self {
            Planted::WrongDigest => check(),
            Planted::UndefinedInstruction => undefined_instruction(),
            Planted::EarlyExit => process::exit(0),
            Planted::ExitStatus => Outcome::Pass { cases: 1, left_out: Vec::new() },
        }
    }
}

fn undefined_instruction() -> ! {
    #[cfg(any(target_arch = "aarch64", target_arch = "arm"))]
    // SAFETY: the instruction is permanently undefined: it raises SIGILL and nothing after it is reached.
    unsafe {
        core::arch::asm!("udf #0", options(noreturn))
    }
    #[cfg(not(any(target_arch = "aarch64", target_arch = "arm")))]
    process::abort()
}

struct Subject {
    /// Which bits of the first byte of a digest are wrong.
    flipped: u8,
}

#[derive(Clone)]
struct Running {
    hash: Sha256,
    flipped: u8,
}

impl HashSubject for Subject {
    fn name(&self) -> &str {
        "planted"
    }

    fn algorithm(&self) -> &str {
        "sha256"
    }

    fn start(&self) -> Box<dyn RunningHash> {
        Box::new(Running { hash: Sha256::new(), flipped: self.flipped })
    }
}

impl RunningHash for Running {
    fn update(&mut self, data: &[u8]) {
        Digest::update(&mut self.hash, data);
    }

    fn boxed_clone(&self) -> Box<dyn RunningHash> {
        Box::new(self.clone())
    }

    fn reset(&mut self) {
        Digest::reset(&mut self.hash);
    }

    fn finalize(mut self: Box<Self>) -> Vec<u8> {
        self.finalize_reset()
    }

    fn finalize_reset(&mut self) -> Vec<u8> {
        let mut digest = self.hash.finalize_reset().to_vec();
        digest[0] ^= self.flipped;
        digest
    }
}
