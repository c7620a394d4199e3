//! The guest that runs mutants of a kernel, seen from the driver.

use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use vambrace_verify::dispatch::format_features;
use vambrace_verify::mutation::{Answer, Change, Planted, Request};

use crate::guest;
use crate::place::Place;
use crate::qemu::{self, Qemu};

/// A guest that says nothing for so long has been lost: it ends each mutant itself after three minutes.
const SILENCE: Duration = Duration::from_secs(900);

/// How guests are started at a place.
pub struct Site {
    /// Where.
    pub place: Place,
    /// QEMU, where it is needed.
    pub qemu: Option<Qemu>,
    /// The program `mutants`.
    pub program: std::path::PathBuf,
}

/// A guest that is waiting for the next mutant of its kernel.
pub struct Server {
    child: Child,
    requests: ChildStdin,
    answers: mpsc::Receiver<io::Result<String>>,
    next: u64,
    /// The address of the kernel's first instruction.
    pub address: u64,
    /// Where there is room for longer code: its first byte, and how many.
    pub room: (u64, u64),
    /// The checks in their order, with the CPU milliseconds that each took on the kernel as it is.
    pub checks: Vec<(String, u64)>,
}

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was found out.
    Killed {
        /// In this check.
        check: String,
        /// By this.
        how: vambrace_verify::mutation::How,
        /// With these words.
        what: String,
        /// CPU milliseconds.
        milliseconds: u64,
    },
    /// It passed everything.
    Survived {
        /// CPU milliseconds.
        milliseconds: u64,
    },
}

impl Server {
    /// Starts a guest for a kernel, which first sees that the kernel as it is passes.
    ///
    /// # Errors
    /// If it does not, or the guest cannot be run.
    pub fn start(site: &Site, kernel: &str, seed: u64, disabled: &[&str]) -> Result<Server, String> {
        let mut options = vec![OsString::from("--seed"), seed.to_string().into()];
        for check in disabled {
            options.extend(["--disable", check].map(OsString::from));
        }
        Server::with(site, kernel, options)
    }

    /// The address of a kernel's first instruction, from a guest that runs nothing.
    ///
    /// # Errors
    /// If the guest cannot be run, or has no such kernel.
    pub fn address(site: &Site, kernel: &str) -> Result<u64, String> {
        Server::with(site, kernel, vec!["--introduce".into()]).map(|server| server.address)
    }

    /// Starts a guest for a kernel with these checks alone; the check of the choice of kernels knows what the CPU has.
    ///
    /// # Errors
    /// As [`start`](Server::start).
    pub fn of_checks(site: &Site, kernel: &str, seed: u64, checks: &[&str]) -> Result<Server, String> {
        let mut options = vec![OsString::from("--seed"), seed.to_string().into()];
        options.extend(checks.iter().flat_map(|check| ["--check", check]).map(OsString::from));
        if let Some(features) = site.place.features() {
            options.extend(["--expect".into(), format_features(features).into()]);
        }
        Server::with(site, kernel, options)
    }

    fn with(site: &Site, kernel: &str, options: Vec<OsString>) -> Result<Server, String> {
        let mut line = qemu::command_line(&site.place, site.qemu.as_ref(), Path::new(&site.program));
        line.extend(["--kernel", kernel].map(OsString::from));
        line.extend(options);
        let mut command = Command::new(&line[0]);
        command.args(&line[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.process_group(0).spawn().map_err(|error| format!("{:?}: {error}", line[0]))?;
        guest::watch(child.id());
        let (Some(requests), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the guest is not connected".to_owned());
        };
        let answers = guest::lines(stdout);
        let mut server = Server { child, requests, answers, next: 0, address: 0, room: (0, 0), checks: Vec::new() };
        match server.hear()? {
            Answer::Baseline { address, room, checks } => {
                (server.address, server.room, server.checks) = (address, room, checks);
                Ok(server)
            }
            Answer::Refused { what } => Err(what),
            other => Err(format!("the guest begins with {other:?}")),
        }
    }

    fn hear(&mut self) -> Result<Answer, String> {
        let heard = self.answers.recv_timeout(SILENCE).map_err(|_| "the guest has ended or is silent".to_owned())?;
        let line = heard.map_err(|error| format!("the guest cannot be read from: {error}"))?;
        serde_json::from_str(&line).map_err(|error| format!("the guest says {line:?}, which is no answer: {error}"))
    }

    /// Runs a mutant.
    ///
    /// # Errors
    /// If the guest is lost, or says what does not fit.
    pub fn run(&mut self, changes: &[Change], planted: Option<Planted>) -> Result<Fate, String> {
        self.request(Request { id: 0, changes: changes.to_vec(), planted, checks: Vec::new() })
    }

    /// Runs a mutant through some checks alone, in this order.
    ///
    /// # Errors
    /// As [`run`](Server::run).
    pub fn run_checks(&mut self, changes: Vec<Change>, checks: &[&str]) -> Result<Fate, String> {
        let checks = checks.iter().map(|check| (*check).to_owned()).collect();
        self.request(Request { id: 0, changes, planted: None, checks })
    }

    fn request(&mut self, mut request: Request) -> Result<Fate, String> {
        self.next += 1;
        request.id = self.next;
        let mut line = serde_json::to_string(&request).map_err(|error| error.to_string())?;
        line.push('\n');
        self.requests.write_all(line.as_bytes()).map_err(|error| format!("the guest does not listen: {error}"))?;
        match self.hear()? {
            Answer::Killed { id, check, how, what, milliseconds } if id == self.next => {
                Ok(Fate::Killed { check, how, what, milliseconds })
            }
            Answer::Survived { id, milliseconds } if id == self.next => Ok(Fate::Survived { milliseconds }),
            other => Err(format!("the guest answers request {} with {other:?}", self.next)),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        guest::finish(self.child.id());
        // It has been killed, so it is there to be waited for.
        let _ = self.child.wait();
    }
}
