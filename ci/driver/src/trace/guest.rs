//! Guests under QEMU with the plugin, and what it wrote of them.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use vambrace::kernels::Architecture;
use vambrace_trace::line::{self, Written};
use vambrace_trace::order::{Order, Wanted};

use super::code::Code;
use crate::guest::{self, Launch, Progress, Report};
use crate::place::Replay;
use crate::qemu::Qemu;

/// A command line of a guest, to which the plugin is added.
pub struct Traced {
    /// Without the plugin: QEMU, `-cpu` and a model, the program and its arguments.
    pub launch: Launch,
    /// The plugin.
    pub plugin: PathBuf,
    /// What the guest runs on.
    pub architecture: Architecture,
}

impl Traced {
    /// Runs the guest, and reads what the plugin wrote of this code.
    ///
    /// # Errors
    /// If no plugin was at work, or what it wrote cannot be read. What went wrong with the guest is in its report.
    pub fn run(
        &self,
        wanted: Wanted,
        code: &[&Code],
        replay: &Replay,
        progress: impl FnMut(Progress<'_>),
    ) -> Result<(Report, Written), String> {
        let folder = TempDir::with_prefix("vambrace-").map_err(|error| format!("no folder for the trace: {error}"))?;
        let output = folder.path().join("trace");
        let order = Order {
            architecture: self.architecture,
            wanted,
            output: output.clone(),
            kernels: code.iter().map(|code| (code.extent.clone(), code.words.clone())).collect(),
        };
        let order_path = folder.path().join("order");
        fs::write(&order_path, order.text()).map_err(|error| format!("{}: {error}", order_path.display()))?;
        let launch = Launch { command_line: self.command_line(&order_path), ..self.launch.clone() };
        let report = guest::run(&launch, replay, progress);
        let text = match fs::read_to_string(&output) {
            Ok(text) => text,
            Err(_) => {
                let said = report.problems.join("; ");
                let plugin = self.plugin.display();
                return Err(format!("QEMU did not start with the plugin {plugin}: {said}"));
            }
        };
        let written = line::read(&text).map_err(|error| error.to_string())?;
        Ok((report, written))
    }

    fn command_line(&self, order: &Path) -> Vec<OsString> {
        // A comma in a value is written twice.
        let doubled = |path: &Path| path.to_string_lossy().replace(',', ",,");
        let option = format!("file={},order={}", doubled(&self.plugin), doubled(order));
        let mut command_line = self.launch.command_line.clone();
        // Behind the name of QEMU.
        command_line.splice(1..1, ["-plugin".into(), option.into()]);
        command_line
    }
}

/// Which version of QEMU's interface for plugins a version of QEMU takes.
pub fn takes_api_2(architectures: &[(Architecture, Qemu)]) -> Result<bool, String> {
    let newer: Vec<bool> = architectures.iter().map(|(_, qemu)| qemu.version.major >= 9).collect();
    match newer.iter().all(|one| *one == newer[0]) {
        true => Ok(newer.first().copied().unwrap_or(false)),
        false => {
            Err("one QEMU is older than version 9 and one is not; plugins for both cannot be had at once".to_owned())
        }
    }
}
