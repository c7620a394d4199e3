//! Becomes a fuzz target for ARM, under QEMU: one that lies beside this program, as `.clusterfuzzlite/build.sh` lays it, or else
//! one for AArch64 that is built now.

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
    let program = env::current_exe()?;
    if let Some(bundle) = Bundle::of(&program, name) {
        return Err(bundle.command(env::args_os().skip(1)).exec());
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = target_folder(&program)?;
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

/// By this name in a program a fuzzing fleet knows that it is a fuzz target.
#[used]
static MARK: [u8; 22] = *b"LLVMFuzzerTestOneInput";

/// What lies beside a launcher on a machine that builds nothing: `guest/ARCHITECTURE/` with QEMU, the libraries of the target, and
/// its programs, which have a suffix so that nobody takes them for programs of this machine.
#[derive(Debug, PartialEq, Eq)]
struct Bundle {
    launcher: PathBuf,
    folder: PathBuf,
    program: PathBuf,
}

impl Bundle {
    /// The bundle of a launcher; `NAME` runs the target on AArch64, `NAME_arm` on ARMv7.
    fn of(launcher: &Path, name: &str) -> Option<Bundle> {
        let architecture = match launcher.file_name()?.to_str()?.strip_prefix(name)? {
            "" => ARCHITECTURE,
            "_arm" => "arm",
            _ => return None,
        };
        let folder = launcher.parent()?.join("guest").join(architecture);
        let program = folder.join(format!("{name}.program"));
        program.is_file().then(|| Bundle { launcher: launcher.to_owned(), folder, program })
    }

    /// QEMU with the program. The guest is given the launcher's name as its own: libFuzzer starts itself again by it.
    fn command(&self, arguments: impl Iterator<Item = OsString>) -> Command {
        let mut command = Command::new(self.folder.join("qemu"));
        command
            .arg("-L")
            .arg(&self.folder)
            .arg("-cpu")
            .arg(env::var_os("VAMBRACE_CPU").unwrap_or_else(|| "max".into()));
        command.arg("-0").arg(&self.launcher).arg(&self.program).args(arguments);
        command
    }
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
    fn a_bundle_is_used_where_there_is_one_for_the_launchers_name() {
        let folder = tempfile::tempdir().unwrap();
        let launcher = folder.path().join("sha256_neon");
        assert_eq!(Bundle::of(&launcher, "sha256_neon"), None);
        for (name, architecture) in [("sha256_neon", "aarch64"), ("sha256_neon_arm", "arm")] {
            let guests = folder.path().join("guest").join(architecture);
            std::fs::create_dir_all(&guests).unwrap();
            std::fs::write(guests.join("sha256_neon.program"), "").unwrap();
            let launcher = folder.path().join(name);
            let command = Bundle::of(&launcher, "sha256_neon").unwrap().command(["-runs=1".into()].into_iter());
            assert_eq!(command.get_program(), guests.join("qemu"));
            let arguments: Vec<_> = command.get_args().map(|it| it.to_str().unwrap()).collect();
            let [guests, launcher] = [&guests, &launcher].map(|path| path.to_str().unwrap());
            let program = format!("{guests}/sha256_neon.program");
            assert_eq!(arguments, ["-L", guests, "-cpu", "max", "-0", launcher, &program, "-runs=1"]);
        }
        assert_eq!(Bundle::of(&folder.path().join("sha256_neon_x86"), "sha256_neon"), None);
        assert_eq!(Bundle::of(&folder.path().join("sha256_ce"), "sha256_neon"), None);
    }

    #[test]
    fn the_guest_lies_beside_the_launcher() {
        let program = Path::new("/somewhere/target/x86_64-unknown-linux-gnu/release/sha256_neon");
        assert_eq!(target_folder(program).unwrap(), Path::new("/somewhere/target"));
        assert!(target_folder(Path::new("sha256_neon")).is_err());
    }
}
