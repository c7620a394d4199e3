//! Finding QEMU user mode, and what the guests are started with.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::Path;
use std::process::Command;

use vambrace::kernels::Architecture;

use crate::place::{Cpu, Place};

/// The oldest version that the checks were tried with: that of Debian 12.
pub const OLDEST: Version = Version { major: 7, minor: 2, patch: 0 };

/// A version of QEMU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// First number.
    pub major: u32,
    /// Second number.
    pub minor: u32,
    /// Third number.
    pub patch: u32,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

impl Version {
    /// The version in the first line of what `qemu-… --version` prints: `qemu-arm version 7.2.22 (Debian …)`.
    pub fn parse(output: &str) -> Option<Version> {
        let (_, rest) = output.lines().next()?.split_once(" version ")?;
        let number = rest.split(|c: char| !c.is_ascii_digit() && c != '.').next()?;
        let mut parts = number.split('.').map(str::parse);
        let major = parts.next()?.ok()?;
        let minor = parts.next()?.ok()?;
        let patch = parts.next().and_then(Result::ok).unwrap_or(0);
        Some(Version { major, minor, patch })
    }
}

/// A program that runs code of an architecture.
#[derive(Clone, Debug)]
pub struct Qemu {
    /// Its name or path.
    pub program: OsString,
    /// Its version.
    pub version: Version,
}

/// Why QEMU cannot be used.
#[derive(Debug)]
pub enum QemuError {
    /// It is not there.
    Missing(String),
    /// It cannot be run, or answers no version.
    Broken(String, String),
    /// It is older than [`OLDEST`].
    TooOld(String, Version),
}

impl fmt::Display for QemuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            QemuError::Missing(program) => write!(f, "{program} is not installed")?,
            QemuError::Broken(program, what) => write!(f, "{program} does not tell its version: {what}")?,
            QemuError::TooOld(program, version) => write!(f, "{program} has version {version}")?,
        }
        let (major, minor) = (OLDEST.major, OLDEST.minor);
        write!(
            f,
            "; QEMU user mode {major}.{minor} or later is needed.\nRun ci/setup, or: sudo apt-get install qemu-user"
        )
    }
}

impl std::error::Error for QemuError {}

/// QEMU for an architecture, as found in `PATH`.
///
/// # Errors
/// If it is missing or too old.
pub fn find(architecture: Architecture) -> Result<Qemu, QemuError> {
    ask(format!("qemu-{architecture}"))
}

fn ask(program: String) -> Result<Qemu, QemuError> {
    let output = match Command::new(&program).arg("--version").output() {
        Ok(output) => output,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(QemuError::Missing(program)),
        Err(error) => return Err(QemuError::Broken(program, error.to_string())),
    };
    let text = String::from_utf8_lossy(&output.stdout);
    match Version::parse(&text) {
        Some(version) if version < OLDEST => Err(QemuError::TooOld(program, version)),
        Some(version) => Ok(Qemu { program: program.into(), version }),
        None => {
            let said = text.lines().next().unwrap_or("it prints nothing").to_owned();
            Err(QemuError::Broken(program, format!("{said} ({})", output.status)))
        }
    }
}

/// The command line that starts a program at a place, without the program's own arguments.
pub fn command_line(place: &Place, qemu: Option<&Qemu>, program: &Path) -> Vec<OsString> {
    match (&place.cpu, qemu) {
        (Cpu::Model(model), Some(qemu)) => {
            vec![qemu.program.clone(), "-cpu".into(), model.into(), program.into()]
        }
        _ => vec![program.into()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn versions_are_read_as_distributions_print_them() {
        let parse = |text| Version::parse(text).map(|version| version.to_string());
        let debian12 = "qemu-arm version 7.2.22 (Debian 1:7.2+dfsg-7+deb12u18+b3)\nCopyright (c) 2003-2022";
        assert_eq!(parse(debian12).as_deref(), Some("7.2.22"));
        assert_eq!(parse("qemu-aarch64 version 8.2.2 (Debian 1:8.2.2+ds-0ubuntu1)").as_deref(), Some("8.2.2"));
        assert_eq!(parse("qemu-aarch64 version 10.0.2").as_deref(), Some("10.0.2"));
        assert_eq!(parse("qemu-aarch64 version 9.1-rc0").as_deref(), Some("9.1.0"));
        assert_eq!(parse(""), None);
        assert_eq!(parse("qemu-arm: unknown option"), None);
        assert_eq!(parse("qemu-arm version next"), None);
    }

    fn fake(folder: &Path, script: &str) -> String {
        let program = folder.join("qemu-fake");
        fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        program.to_str().unwrap().to_owned()
    }

    #[test]
    fn an_old_qemu_is_refused_with_its_version_and_what_to_run() {
        let folder = tempfile::tempdir().unwrap();
        let error = ask(fake(folder.path(), "echo 'qemu-arm version 6.2.0 (Debian)'")).unwrap_err().to_string();
        assert!(error.contains("has version 6.2.0; QEMU user mode 7.2 or later is needed"), "{error}");
        assert!(error.contains("ci/setup") && error.contains("apt-get install qemu-user"), "{error}");
    }

    #[test]
    fn a_missing_qemu_is_named() {
        let error = ask("qemu-of-nowhere".to_owned()).unwrap_err().to_string();
        assert!(error.starts_with("qemu-of-nowhere is not installed"), "{error}");
    }

    #[test]
    fn a_qemu_that_does_not_answer_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let error = ask(fake(folder.path(), "exit 3")).unwrap_err().to_string();
        assert!(error.contains("prints nothing") && error.contains('3'), "{error}");
    }

    #[test]
    fn the_cpu_model_is_given_to_qemu_as_written() {
        let place: Place = "arm@cortex-a9,neon=off,mask=none".parse().unwrap();
        let qemu = Qemu { program: "qemu-arm".into(), version: OLDEST };
        let line = command_line(&place, Some(&qemu), Path::new("verify"));
        assert_eq!(line, ["qemu-arm", "-cpu", "cortex-a9,neon=off", "verify"]);
        assert_eq!(command_line(&"aarch64@native".parse().unwrap(), None, Path::new("verify")), ["verify"]);
    }
}
