//! One proof, made by a process of its own: what `ci prove-one` does, and how it is asked.

use std::ffi::OsString;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use nix::sys::resource::{Resource, setrlimit};
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;
use vambrace::kernels::{ALL, Architecture, Kernel};
use vambrace_prover::Verdict;
use vambrace_prover::budget::Limits;
use vambrace_prover::code::Code;

use super::{Proof, Standing, known_unproved, standing};
use crate::code::sha256;
use crate::disassembly::Disassembler;
use crate::guest::{self, Launch};
use crate::objects;

/// The name of the command.
pub const COMMAND: &str = "prove-one";

/// This very program, also when another was built in its place since it was started.
const THIS_PROGRAM: &str = "/proc/self/exe";

/// More memory than the costliest proof takes, by far; a process that asks for more ends, and the proof has failed.
const MEMORY: u64 = 4 << 30;

/// Longer than the prover's own limit on its CPU time on a machine that is busy with ten other things.
const SILENCE: Duration = Duration::from_secs(300);

/// Proves one kernel; ci verify starts it.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The file that says which kernel, and holds its code.
    order: PathBuf,
}

/// What is to be proved.
#[derive(Serialize, Deserialize)]
enum Order {
    Kernel(KernelOrder),
    Object(ObjectOrder),
}

/// Which kernel, and its code.
#[derive(Serialize, Deserialize)]
struct KernelOrder {
    architecture: String,
    kernel: String,
    #[serde(with = "hex")]
    code: Vec<u8>,
    literals: Vec<Range<usize>>,
}

/// Which function of an object file, and which of the cases that its contract has.
#[derive(Serialize, Deserialize)]
struct ObjectOrder {
    object: PathBuf,
    contract: PathBuf,
    case: usize,
}

/// Has a kernel proved by another process.
///
/// # Errors
/// If that cannot be started, or ends without an answer.
pub fn prove(kernel: &Kernel, code: &Code) -> Result<Proof, String> {
    ask(&Order::Kernel(KernelOrder {
        architecture: kernel.architecture.name().to_owned(),
        kernel: kernel.name.to_owned(),
        code: code.bytes().to_vec(),
        literals: code.literals().to_vec(),
    }))
}

/// Has one case of a function in an object file proved by another process.
///
/// # Errors
/// If that cannot be started, or ends without an answer.
pub fn prove_object(object: &Path, contract: &Path, case: usize) -> Result<Proof, String> {
    ask(&Order::Object(ObjectOrder { object: object.to_owned(), contract: contract.to_owned(), case }))
}

fn ask(order: &Order) -> Result<Proof, String> {
    let order = serde_json::to_vec(order).map_err(|error| error.to_string())?;
    let file = NamedTempFile::new().map_err(|error| format!("no file for the code: {error}"))?;
    fs::write(&file, order).map_err(|error| format!("{}: {error}", file.path().display()))?;
    let command_line: Vec<OsString> = vec![THIS_PROGRAM.into(), COMMAND.into(), file.path().into()];
    let mut answer = String::new();
    let ended = guest::run_program(&Launch { command_line, silence: SILENCE }, |line| answer.push_str(line));
    ended.map_err(|how| format!("the proof was not finished: {how}"))?;
    serde_json::from_str(&answer).map_err(|error| format!("the proof has no readable answer ({error}): {answer:?}"))
}

/// Makes the proof that a file asks for, and prints what came of it.
///
/// # Errors
/// If the file cannot be read, or the kernel is not known.
pub fn run(arguments: &Arguments) -> Result<(), String> {
    let name = arguments.order.display();
    let order = fs::read(&arguments.order).map_err(|error| format!("{name}: {error}"))?;
    let order: Order = serde_json::from_slice(&order).map_err(|error| format!("{name}: {error}"))?;
    setrlimit(Resource::RLIMIT_AS, MEMORY, MEMORY).map_err(|error| format!("memory cannot be limited: {error}"))?;
    let proof = serde_json::to_string(&answer(order)?).map_err(|error| error.to_string())?;
    println!("{proof}");
    Ok(())
}

fn answer(order: Order) -> Result<Proof, String> {
    match order {
        Order::Kernel(order) => answer_kernel(order),
        Order::Object(ObjectOrder { object, contract, case }) => {
            let case = objects::cases(&object, &contract)?.into_iter().nth(case);
            let case = case.ok_or_else(|| "the contract has no such case".to_owned())?;
            let verdict = vambrace_prover::prove(case.kernel, &case.code, Limits::default());
            let (standing, reason) = match case.undeclared() {
                Some(undeclared) => (Standing::Failed, Some(undeclared)),
                None => standing(&verdict.outcome, None, reader(case.kernel.architecture, &case.code)),
            };
            proof(&verdict, standing, reason, sha256(&case.code.with_constants()))
        }
    }
}

fn answer_kernel(order: KernelOrder) -> Result<Proof, String> {
    let KernelOrder { architecture, kernel: name, code, literals } = order;
    let mut all = ALL.iter().copied().flatten();
    let kernel = all.find(|kernel| kernel.architecture.name() == architecture && kernel.name == name);
    let kernel = kernel.ok_or_else(|| format!("there is no kernel {name} for {architecture}"))?;
    let code = Code::new(code, literals);
    let verdict = vambrace_prover::prove(kernel, &code, Limits::default());
    let (standing, reason) = standing(&verdict.outcome, known_unproved(kernel), reader(kernel.architecture, &code));
    proof(&verdict, standing, reason, sha256(code.bytes()))
}

/// Who tells what the instructions of code are, if it can be had.
fn reader(architecture: Architecture, code: &Code) -> Option<Disassembler> {
    if code.is_thumb() { Disassembler::thumb().ok() } else { Disassembler::new(architecture).ok() }
}

fn proof(verdict: &Verdict, standing: Standing, reason: Option<String>, sha256: String) -> Result<Proof, String> {
    Ok(Proof {
        standing,
        reason,
        sha256,
        seconds: verdict.time.as_secs_f64(),
        peak_memory_bytes: peak_memory()?,
        steps: verdict.steps,
        nodes: verdict.nodes as u64,
        cases: verdict.cases,
        evaluated: verdict.evaluated as u64,
    })
}

/// The most memory that this process has had resident.
///
/// Linux's `VmHWM`, which begins anew with a program; `ru_maxrss` would begin with what the driver had when it started this.
fn peak_memory() -> Result<u64, String> {
    let status = procfs::process::Process::myself().and_then(|process| process.status());
    let status = status.map_err(|error| format!("/proc/self/status: {error}"))?;
    status.vmhwm.map(|kibibytes| kibibytes * 1024).ok_or_else(|| "/proc/self/status has no VmHWM".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(kernel: &str, code: &[u8]) -> KernelOrder {
        let architecture = "aarch64".to_owned();
        KernelOrder { architecture, kernel: kernel.to_owned(), code: code.to_vec(), literals: Vec::new() }
    }

    #[test]
    fn bytes_that_are_not_the_kernel_are_not_proved_and_named_by_their_hash() {
        // A return, and nothing before it.
        let code = 0xd65f_03c0_u32.to_le_bytes();
        let proof = answer(Order::Kernel(order("sha256_neon", &code))).unwrap();
        assert_eq!((proof.standing, proof.sha256), (Standing::Failed, sha256(&code)));
        assert!(proof.peak_memory_bytes > 1 << 20, "{}", proof.peak_memory_bytes);
        let reason = proof.reason.unwrap();
        assert!(reason.contains("not known how many blocks are left"), "{reason}");
    }

    #[test]
    fn an_unknown_kernel_is_an_error() {
        assert!(
            answer(Order::Kernel(order("sha3_neon", &[]))).unwrap_err().contains("no kernel sha3_neon for aarch64")
        );
    }

    #[test]
    fn an_order_survives_the_way() {
        let written = KernelOrder { literals: std::iter::once(1..3).collect(), ..order("k", &[1, 2, 3, 4]) };
        let read: KernelOrder = serde_json::from_str(&serde_json::to_string(&written).unwrap()).unwrap();
        assert_eq!((read.kernel, read.code, read.literals), ("k".to_owned(), vec![1, 2, 3, 4], written.literals));
    }
}
