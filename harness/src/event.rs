//! What a run under QEMU tells the driver: one JSON object per line on standard output.

use serde::{Deserialize, Serialize};

use crate::{Failure, LeftOut};

/// One line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The run begins.
    Started {
        /// `aarch64` or `arm`.
        architecture: String,
        /// The CPU features that detection reports.
        features: Vec<String>,
        /// The seed.
        seed: u64,
        /// How many results will follow.
        planned: u64,
    },
    /// A kernel of this build.
    Kernel {
        /// Its name.
        name: String,
        /// Its tier.
        tier: String,
        /// Its address, equal to that of its symbol in the ELF file; none for portable Rust.
        address: Option<u64>,
        /// The features that its contract declares.
        features: Vec<String>,
        /// Bytes of stack that its contract declares.
        stack: u64,
        /// Whether this CPU has what it needs.
        available: bool,
        /// The SHA-256 of its code in the memory of this process, where its extent was told.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<String>,
    },
    /// A check of a kernel begins: what a crash or a hang will be blamed on.
    Running {
        /// The kernel's name.
        kernel: String,
        /// The subject's name: one kernel serves SHA-224 and SHA-256, say.
        subject: String,
        /// The check's name.
        check: String,
    },
    /// A check of a kernel is done.
    Result {
        /// The kernel's name.
        kernel: String,
        /// The subject's name.
        subject: String,
        /// The check's name.
        check: String,
        /// `pass`, `fail` or `none`.
        status: Status,
        /// Cases tried.
        cases: u64,
        /// Cases that there are and that were not tried.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        left_out: Vec<LeftOut>,
        /// Why the check does not apply.
        reason: Option<String>,
        /// What is wrong.
        failure: Option<Box<Failure>>,
        /// Wall-clock milliseconds.
        milliseconds: u64,
    },
    /// The run is complete. A run that ends without it has failed.
    Finished {
        /// How many results there were.
        results: u64,
    },
}

/// The colour of a cell of the matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Nothing wrong found.
    Pass,
    /// Something wrong.
    Fail,
    /// Does not apply.
    None,
}
