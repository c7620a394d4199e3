//! Builds the guests.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cargo_metadata::{Message, MetadataCommand};
use vambrace::kernels::Architecture;

/// The Rust target of an architecture.
pub fn target(architecture: Architecture) -> &'static str {
    match architecture {
        Architecture::Aarch64 => "aarch64-unknown-linux-gnu",
        Architecture::Arm => "armv7-unknown-linux-gnueabihf",
    }
}

/// The folder of the workspace.
///
/// # Errors
/// What cargo says, if it cannot tell.
pub fn workspace_root() -> Result<PathBuf, String> {
    let metadata = MetadataCommand::new().no_deps().exec().map_err(|error| error.to_string())?;
    Ok(metadata.workspace_root.into_std_path_buf())
}

/// A program that was built for an architecture.
#[derive(Clone, Debug)]
pub struct Program {
    /// What it runs on.
    pub architecture: Architecture,
    /// Its name.
    pub name: String,
    /// Its file.
    pub path: PathBuf,
}

/// Builds the program `verify` for some architectures, and says where it is for each.
///
/// # Errors
/// If cargo fails; it has then said why on standard error.
pub fn guests(root: &Path, architectures: &[Architecture]) -> Result<Vec<(Architecture, PathBuf)>, String> {
    let programs = programs(root, architectures, &["verify"], "dev")?;
    Ok(programs.into_iter().map(|program| (program.architecture, program.path)).collect())
}

/// Builds an example of the crate of the guests for some architectures, and says where it is for each.
///
/// # Errors
/// As [`guests`].
pub fn example(
    root: &Path,
    architectures: &[Architecture],
    name: &str,
) -> Result<Vec<(Architecture, PathBuf)>, String> {
    let programs = build(root, architectures, ["--example", "dev"], &[name], &[])?;
    Ok(programs.into_iter().map(|program| (program.architecture, program.path)).collect())
}

/// Builds programs of the crate of the guests, by a profile, for some architectures.
///
/// # Errors
/// As [`guests`].
pub fn programs(
    root: &Path,
    architectures: &[Architecture],
    names: &[&str],
    profile: &str,
) -> Result<Vec<Program>, String> {
    build(root, architectures, ["--bin", profile], names, &[])
}

/// Builds a program of the crate of the guests for AArch64 as it is where the crate `aes` uses no AES instructions. The crate
/// decides by a `cfg` of the whole build, so that everything is built a second time, in a folder of its own.
///
/// # Errors
/// As [`guests`].
pub fn without_aes_instructions(root: &Path, name: &str, profile: &str) -> Result<Program, String> {
    let architecture = Architecture::Aarch64;
    let flags = format!("target.{}.rustflags=['--cfg=aes_backend=\"soft\"']", target(architecture));
    let folder = root.join("target/aes-soft").display().to_string();
    let options = ["--config", &flags, "--target-dir", &folder];
    let mut programs = build(root, &[architecture], ["--bin", profile], &[name], &options)?;
    programs.pop().ok_or_else(|| format!("cargo built no program {name}"))
}

/// `kind` is the option of cargo that the names are for.
fn build(
    root: &Path,
    architectures: &[Architecture],
    [kind, profile]: [&str; 2],
    names: &[&str],
    options: &[&str],
) -> Result<Vec<Program>, String> {
    if architectures.is_empty() {
        // Without a target cargo would build for this machine.
        return Ok(Vec::new());
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(&cargo);
    // No `--package`: with the features of the whole workspace, all is shared with what `cargo test` builds.
    command.current_dir(root).args(["build", "--profile", profile]);
    command.arg("--message-format=json-render-diagnostics").args(options);
    for name in names {
        command.args([kind, name]);
    }
    for &architecture in architectures {
        command.args(["--target", target(architecture)]);
    }
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("{} cannot be run: {error}", cargo.to_string_lossy()))?;
    if !output.status.success() {
        return Err(format!(
            "the guests could not be built; run ci/setup if a target or a linker is missing\n  {command:?}"
        ));
    }
    let mut programs: Vec<Program> = Vec::new();
    for message in Message::parse_stream(output.stdout.as_slice()) {
        if let Message::CompilerArtifact(artifact) = message.map_err(|error| error.to_string())?
            && let Some(path) = artifact.executable.filter(|_| names.contains(&&*artifact.target.name))
        {
            let built_for =
                |architecture: &&Architecture| path.components().any(|part| part.as_str() == target(**architecture));
            if let Some(&architecture) = architectures.iter().find(built_for) {
                programs.push(Program { architecture, name: artifact.target.name, path: path.into_std_path_buf() });
            }
        }
    }
    for &architecture in architectures {
        let is_there = |name: &&str| programs.iter().any(|one| one.architecture == architecture && one.name == **name);
        if let Some(missing) = names.iter().find(|name| !is_there(name)) {
            return Err(format!("cargo built no program {missing} for {}", target(architecture)));
        }
    }
    Ok(programs)
}

/// Builds the plugin for QEMU, and says where it is.
///
/// # Errors
/// As [`guests`].
pub fn plugin(root: &Path, api_2: bool) -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(&cargo);
    command.current_dir(root).args(["build", "--package", "vambrace-plugin"]);
    command.arg("--message-format=json-render-diagnostics");
    if api_2 {
        command.args(["--features", "api-2"]);
    }
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("{} cannot be run: {error}", cargo.to_string_lossy()))?;
    if !output.status.success() {
        return Err(format!("the plugin for QEMU could not be built\n  {command:?}"));
    }
    for message in Message::parse_stream(output.stdout.as_slice()) {
        if let Message::CompilerArtifact(artifact) = message.map_err(|error| error.to_string())?
            && artifact.target.name == "vambrace_plugin"
            && let Some(path) = artifact.filenames.into_iter().find(|path| path.extension() == Some("so"))
        {
            return Ok(path.into_std_path_buf());
        }
    }
    Err("cargo built no plugin for QEMU".to_owned())
}
