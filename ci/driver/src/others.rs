//! `ci verify --others`: the checks of what functions compute, on crates that are not ours.

use std::path::Path;
use std::process::Command;

use vambrace::kernels::Architecture;

use crate::build;
use crate::verify::Ending;

/// What has the subjects: arguments of `cargo run`.
const PROGRAMS: [&[&str]; 2] =
    [&["--package", "vambrace-harness", "--example", "other_crates"], &["--package", "vambrace-others"]];

/// Runs them under QEMU, or natively.
///
/// # Errors
/// If one cannot be built or started.
pub fn run(root: &Path, seed: u64) -> Result<Ending, String> {
    let mut ending = Ending::Good;
    for arguments in PROGRAMS {
        for architecture in Architecture::ALL {
            let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
            command.current_dir(root).arg("run").args(arguments).args(["--target", build::target(architecture)]);
            command.args(["--", "--seed", &seed.to_string()]);
            println!("{architecture}: {}", arguments.join(" "));
            let status = command.status().map_err(|error| format!("{command:?}: {error}"))?;
            match status.code() {
                Some(0) => {}
                Some(1) => ending = Ending::Bad,
                _ => return Err(format!("{command:?} ended with {status}")),
            }
        }
    }
    Ok(ending)
}
