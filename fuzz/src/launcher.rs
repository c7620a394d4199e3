//! Builds a fuzz target for AArch64 and becomes it, under QEMU.

use std::env;
use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The architecture that a target is built for when `cargo fuzz` is given no `--target`.
const ARCHITECTURE: &str = "aarch64";
const TRIPLE: &str = "aarch64-unknown-linux-gnu";

/// Builds the target and runs it with the arguments of this process. Returns only if that is impossible.
pub fn launch(name: &str) -> ExitCode {
    match run(name) {
        Ok(status) => status,
        Err(error) => {
            eprintln!("{name}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(name: &str) -> io::Result<ExitCode> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = target_folder(&env::current_exe()?)?;
    if !build(name, folder, &target)? {
        eprintln!("{name}: not built for {TRIPLE}; ci/setup installs what is needed");
        return Ok(ExitCode::FAILURE);
    }
    let profile = if is_release() { "release" } else { "debug" };
    let error = Command::new(folder.join("../ci/run-guest").canonicalize()?)
        .arg(ARCHITECTURE)
        .arg(target.join(TRIPLE).join(profile).join(name))
        .args(env::args_os().skip(1))
        .exec();
    Err(error)
}

fn is_release() -> bool {
    env!("VAMBRACE_FUZZ_PROFILE") == "release"
}

/// The target folder in which this program lies, in `TRIPLE/PROFILE`.
fn target_folder(program: &Path) -> io::Result<PathBuf> {
    program.ancestors().nth(3).map(Path::to_owned).ok_or_else(|| {
        io::Error::new(io::ErrorKind::NotFound, format!("{} is in no target folder of cargo", program.display()))
    })
}

/// Builds the target; whether that succeeded.
fn build(name: &str, folder: &Path, target: &Path) -> io::Result<bool> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    // From the root, whose .cargo/config.toml holds the cross compilers.
    cargo.current_dir(folder.join(".."));
    cargo.args(["build", "--manifest-path", "fuzz/Cargo.toml", "--target", TRIPLE, "--bin", name]);
    cargo.arg("--target-dir").arg(target);
    if is_release() {
        cargo.arg("--release");
        if env!("VAMBRACE_FUZZ_DEBUG") != "false" {
            cargo.args(["--config", "profile.release.debug=\"line-tables-only\""]);
        }
    }
    cargo.env("CARGO_ENCODED_RUSTFLAGS", env!("VAMBRACE_FUZZ_RUSTFLAGS"));
    Ok(cargo.status()?.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guest_lies_beside_the_launcher() {
        let program = Path::new("/somewhere/target/x86_64-unknown-linux-gnu/release/sha256_neon");
        assert_eq!(target_folder(program).unwrap(), Path::new("/somewhere/target"));
        assert!(target_folder(Path::new("sha256_neon")).is_err());
    }
}
