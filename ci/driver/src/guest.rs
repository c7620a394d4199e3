//! Runs guests, and makes sure that no way in which one can end goes unseen.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use vambrace_harness::event::{Event, Status};
use vambrace_harness::{Failure, LeftOut};

use crate::place::Replay;

/// How a guest is started and how long it may be silent.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Program and arguments.
    pub command_line: Vec<OsString>,
    /// A guest that reports nothing for so long hangs.
    pub silence: Duration,
}

/// What a guest said about a kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelFacts {
    /// The kernel's name.
    pub name: String,
    /// Its address in the ELF file.
    pub address: Option<u64>,
    /// The features that its contract declares.
    pub features: Vec<String>,
    /// Bytes of stack that its contract declares.
    pub stack: u64,
    /// Whether the CPU has what it needs.
    pub available: bool,
    /// The SHA-256 of its code in the guest's memory, where that was asked for.
    pub code: Option<String>,
}

/// The result of a check on a subject.
#[derive(Clone, Debug, PartialEq)]
pub struct CellResult {
    /// The kernel's name.
    pub kernel: String,
    /// The subject's name.
    pub subject: String,
    /// The check's name.
    pub check: String,
    /// The verdict.
    pub status: Status,
    /// Cases tried.
    pub cases: u64,
    /// Cases that there are and that were not tried.
    pub left_out: Vec<LeftOut>,
    /// Why the check does not apply.
    pub reason: Option<String>,
    /// What is wrong.
    pub failure: Option<Box<Failure>>,
    /// Wall-clock milliseconds.
    pub milliseconds: u64,
}

/// What came of a job.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The features that detection reported.
    pub features: Vec<String>,
    /// The kernels that were introduced.
    pub kernels: Vec<KernelFacts>,
    /// The results, those of crashed checks included.
    pub results: Vec<CellResult>,
    /// What went wrong with the guest and cannot be blamed on a check.
    pub problems: Vec<String>,
}

impl Report {
    /// Whether every check passed, and the guest told so in every way that it should.
    pub fn is_good(&self) -> bool {
        self.problems.is_empty() && self.results.iter().all(|result| result.status != Status::Fail)
    }
}

/// What is told while a guest runs.
#[derive(Debug)]
pub enum Progress<'a> {
    /// A check begins.
    Running {
        /// The subject's name.
        subject: &'a str,
        /// The check's name.
        check: &'a str,
    },
    /// A check is done.
    Done(&'a CellResult),
}

/// Times that a guest may hang before the rest of its checks are given up.
const PATIENCE: usize = 2;

/// Runs a guest to the end of its list. When it dies in a check, that check has failed and another guest goes on after it.
///
/// `replay` has the place and the seed of the run.
pub fn run(launch: &Launch, replay: &Replay, mut progress: impl FnMut(Progress<'_>)) -> Report {
    let mut report = Report::default();
    let (mut planned, mut hangs) = (None, 0);
    loop {
        let skip = report.results.len();
        let attempt = Attempt::start(launch, skip).map(|attempt| {
            let mut conversation = Conversation::new(&mut report, replay, &mut progress);
            let end = attempt.listen(launch.silence, |line| conversation.hear(line));
            let remaining = conversation.planned;
            (conversation.conclude(end), remaining)
        });
        let (conclusion, remaining) = match attempt {
            Ok(conclusion) => conclusion,
            Err(error) => {
                let program = launch.command_line[0].to_string_lossy();
                report.problems.push(format!("{program} cannot be started: {error}"));
                return report;
            }
        };
        let total = *planned.get_or_insert(remaining.unwrap_or(0) as usize);
        match conclusion {
            Conclusion::Complete => return report,
            Conclusion::Lost => return report,
            Conclusion::Crashed { hung } => {
                hangs += usize::from(hung);
                if report.results.len() >= total {
                    return report;
                }
                if hangs > PATIENCE {
                    let left = total - report.results.len();
                    report.problems.push(format!("{hangs} checks hung; {left} more were not tried"));
                    return report;
                }
            }
        }
    }
}

/// Runs a program that speaks no events to its end, and hears every line that it prints.
///
/// # Errors
/// How it ended, if not with success.
pub fn run_program(launch: &Launch, hear: impl FnMut(&str)) -> Result<(), String> {
    let program = launch.command_line[0].to_string_lossy();
    let attempt = Attempt::start(launch, 0).map_err(|error| format!("{program} cannot be started: {error}"))?;
    match attempt.listen(launch.silence, hear) {
        End::Exited(status, _) if status.success() => Ok(()),
        End::Exited(status, errors) => Err(format!("the program {}: {}", ended(status), errors.trim())),
        End::Hung(silence) => Err(format!("the program was silent for {} s and has been ended", silence.as_secs())),
        End::Unreadable(error) => Err(format!("the program cannot be read from: {error}")),
    }
}

/// How a guest ended.
#[derive(Debug)]
enum End {
    /// By itself or by a signal, with the end of what it wrote to standard error.
    Exited(ExitStatus, String),
    /// Killed after being silent for too long.
    Hung(Duration),
    /// Reading from it failed.
    Unreadable(io::Error),
}

#[derive(Debug, PartialEq, Eq)]
enum Conclusion {
    /// The whole list was worked off.
    Complete,
    /// It died in a check, which has been given the blame.
    Crashed { hung: bool },
    /// It went wrong without a check to blame.
    Lost,
}

/// A guest that has been started.
struct Attempt {
    child: Child,
    lines: mpsc::Receiver<io::Result<String>>,
    errors: thread::JoinHandle<String>,
}

impl Attempt {
    fn start(launch: &Launch, skip: usize) -> io::Result<Attempt> {
        let mut command = Command::new(&launch.command_line[0]);
        command.args(&launch.command_line[1..]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if skip > 0 {
            command.arg("--skip").arg(skip.to_string());
        }
        // A group of its own, so that children that a check has forked can be killed with it.
        let mut child = command.process_group(0).spawn()?;
        watch(child.id());
        let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
            return Err(io::Error::other("its output is not connected"));
        };
        let errors = thread::spawn(move || tail(stderr));
        Ok(Attempt { child, lines: lines(stdout), errors })
    }

    /// Hears everything the guest says, and how it ended.
    fn listen(mut self, silence: Duration, mut hear: impl FnMut(&str)) -> End {
        let end = loop {
            match self.lines.recv_timeout(silence) {
                Ok(Ok(line)) => hear(&line),
                Ok(Err(error)) => break Some(End::Unreadable(error)),
                Err(mpsc::RecvTimeoutError::Timeout) => break Some(End::Hung(silence)),
                Err(mpsc::RecvTimeoutError::Disconnected) => break None,
            }
        };
        let id = self.child.id();
        if end.is_some() {
            kill(id);
        }
        let status = self.wait(silence);
        // Also those that the guest has left behind.
        finish(id);
        match (end, status) {
            (Some(end), _) => end,
            (None, Ok(Some(status))) => End::Exited(status, self.errors.join().unwrap_or_default()),
            (None, Ok(None)) => End::Hung(silence),
            (None, Err(error)) => End::Unreadable(error),
        }
    }

    /// The exit status; none if the guest closed its output and stays for longer than `silence`.
    fn wait(&mut self, silence: Duration) -> io::Result<Option<ExitStatus>> {
        let deadline = Instant::now() + silence;
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok(Some(status));
            }
            if Instant::now() >= deadline {
                kill(self.child.id());
                self.child.wait()?;
                return Ok(None);
            }
            thread::sleep(Duration::from_millis(2));
        }
    }
}

/// The process groups of guests that are running.
static GROUPS: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn groups() -> std::sync::MutexGuard<'static, Vec<u32>> {
    GROUPS.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Has a process group, which is a guest's, end with the driver.
pub(crate) fn watch(group: u32) {
    groups().push(group);
}

/// Ends a process group that is watched.
pub(crate) fn finish(group: u32) {
    kill(group);
    groups().retain(|other| *other != group);
}

fn kill(group: u32) {
    if let Ok(group) = i32::try_from(group) {
        // An error says that nobody is left.
        let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
    }
}

/// Prepares this process to run guests: when it is interrupted they end with it, and none leaves a core file behind.
pub fn end_with_the_driver() {
    let handler = || {
        groups().drain(..).for_each(kill);
        std::process::exit(130);
    };
    // Both fail only where the system forbids it, and then the guests end by themselves a little later.
    let _ = ctrlc::set_handler(handler);
    let _ = setrlimit(Resource::RLIMIT_CORE, 0, 0);
}

/// How a guest ended, as the end of a sentence.
fn ended(status: ExitStatus) -> String {
    match status.signal() {
        Some(signal) => {
            let name = Signal::try_from(signal).map_or("unknown", Signal::as_str);
            format!("was ended by signal {signal} ({name})")
        }
        None => format!("ended with {status}"),
    }
}

/// The lines of a stream, as they come, so that who listens need not wait for ever.
pub(crate) fn lines(stream: impl Read + Send + 'static) -> mpsc::Receiver<io::Result<String>> {
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(stream).lines() {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    lines
}

/// The last lines of a stream.
fn tail(stream: impl Read) -> String {
    let mut lines = VecDeque::new();
    for line in BufReader::new(stream).split(b'\n').map_while(Result::ok) {
        if lines.len() == 12 {
            lines.pop_front();
        }
        lines.push_back(String::from_utf8_lossy(&line).into_owned());
    }
    Vec::from(lines).join("\n")
}

/// What a guest has told so far.
struct Conversation<'a> {
    report: &'a mut Report,
    replay: &'a Replay,
    progress: &'a mut dyn FnMut(Progress<'_>),
    planned: Option<u64>,
    running: Option<(String, String, String)>,
    results: u64,
    failures: u64,
    finished: bool,
    nonsense: Option<String>,
}

impl<'a> Conversation<'a> {
    fn new(report: &'a mut Report, replay: &'a Replay, progress: &'a mut dyn FnMut(Progress<'_>)) -> Self {
        Conversation {
            report,
            replay,
            progress,
            planned: None,
            running: None,
            results: 0,
            failures: 0,
            finished: false,
            nonsense: None,
        }
    }

    fn hear(&mut self, line: &str) {
        if let Err(what) = self.understand(line) {
            self.nonsense.get_or_insert(what);
        }
    }

    fn understand(&mut self, line: &str) -> Result<(), String> {
        let event: Event = serde_json::from_str(line)
            .map_err(|error| format!("printed a line that is no event ({error}): {line:?}"))?;
        if self.finished {
            return Err(format!("went on after its end: {line}"));
        }
        match event {
            Event::Started { features, planned, .. } => {
                self.report.features = features;
                if self.planned.replace(planned).is_some() {
                    return Err("began twice".to_owned());
                }
            }
            Event::Kernel { name, address, features, stack, available, code, .. } => {
                let facts = KernelFacts { name, address, features, stack, available, code };
                match self.report.kernels.iter().find(|other| other.name == facts.name) {
                    None => self.report.kernels.push(facts),
                    Some(other) if *other == facts => {}
                    Some(_) => return Err(format!("describes {} in two ways", facts.name)),
                }
            }
            Event::Running { kernel, subject, check } => {
                (self.progress)(Progress::Running { subject: &subject, check: &check });
                if let Some((kernel, _, check)) = self.running.replace((kernel, subject, check)) {
                    return Err(format!("gave no result for {kernel}/{check}"));
                }
            }
            Event::Result { kernel, subject, check, status, cases, left_out, reason, failure, milliseconds } => {
                match self.running.take() {
                    Some(running) if running == (kernel.clone(), subject.clone(), check.clone()) => {}
                    other => {
                        self.running = other;
                        return Err(format!("gave a result for {kernel}/{check}, which was not running"));
                    }
                }
                if (status == Status::Fail) != failure.is_some() || (status == Status::Pass && cases == 0) {
                    return Err(format!("gave a result for {kernel}/{check} that contradicts itself: {line}"));
                }
                self.results += 1;
                self.failures += u64::from(status == Status::Fail);
                let result =
                    CellResult { kernel, subject, check, status, cases, left_out, reason, failure, milliseconds };
                (self.progress)(Progress::Done(&result));
                self.report.results.push(result);
            }
            Event::Finished { results } => {
                self.finished = true;
                if results != self.results || self.planned != Some(results) || self.running.is_some() {
                    let (planned, got) = (self.planned.unwrap_or(0), self.results);
                    return Err(format!("planned {planned} results, gave {got} and counted {results}"));
                }
            }
        }
        Ok(())
    }

    fn conclude(self, end: End) -> Conclusion {
        let hung = matches!(end, End::Hung(_));
        let how = match end {
            End::Hung(silence) => Some(format!("was silent for {} s and has been ended", silence.as_secs())),
            End::Unreadable(error) => Some(format!("cannot be read from: {error}")),
            End::Exited(status, errors) => self.judge_exit(status).map(|how| match errors.trim() {
                "" => how,
                errors => format!("{how}; on standard error it says: {errors}"),
            }),
        };
        let what = match (self.nonsense, how) {
            (None, None) => return Conclusion::Complete,
            (Some(nonsense), None) => nonsense,
            (None, Some(how)) => how,
            (Some(nonsense), Some(how)) => format!("{nonsense}; then it {how}"),
        };
        let Some((kernel, subject, check)) = self.running else {
            self.report.problems.push(format!("the guest {what}"));
            return Conclusion::Lost;
        };
        let replay = Replay { subject: subject.clone(), check: check.clone(), case: None, ..self.replay.clone() };
        let failure = Failure {
            subject: subject.clone(),
            check: check.clone(),
            seed: replay.seed,
            case: 0,
            what: format!("the guest {what}"),
            input: String::new(),
            expected: None,
            actual: None,
            replay: format!("ci/verify --replay {replay}"),
        };
        let result = CellResult {
            kernel,
            subject,
            check,
            status: Status::Fail,
            cases: 0,
            left_out: Vec::new(),
            reason: None,
            failure: Some(Box::new(failure)),
            milliseconds: 0,
        };
        (self.progress)(Progress::Done(&result));
        self.report.results.push(result);
        Conclusion::Crashed { hung }
    }

    /// What is wrong with the way in which the guest ended.
    fn judge_exit(&self, status: ExitStatus) -> Option<String> {
        if status.signal().is_some() {
            return Some(ended(status));
        }
        match (status.code(), self.failures) {
            _ if !self.finished => Some(format!("ended before it was finished ({status})")),
            (Some(0), 0) => None,
            (Some(1), 1..) => None,
            (Some(0), failures) => Some(format!("reported {failures} failures, but ended with exit status 0")),
            (_, failures) => Some(format!("reported {failures} failures, but ended with {status}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn launch(script: &str) -> Launch {
        Launch { command_line: ["sh", "-c", script, "guest"].map(OsString::from).to_vec(), silence: 60 * SECOND }
    }

    fn replay() -> Replay {
        "arm@max:any:any:7".parse().unwrap()
    }

    fn report(launch: &Launch) -> Report {
        run(launch, &replay(), |_| {})
    }

    const STARTED: &str = r#"say() { printf '%s\n' "$1"; }
        started() { say '{"event":"started","architecture":"arm","features":["neon"],"seed":7,"planned":'$1'}'; }
        running() { say '{"event":"running","kernel":"k","subject":"s","check":"'$1'"}'; }
        pass() { say '{"event":"result","kernel":"k","subject":"s","check":"'$1'","status":"pass","cases":3,"reason":null,"failure":null,"milliseconds":1}'; }
        fail() { say '{"event":"result","kernel":"k","subject":"s","check":"'$1'","status":"fail","cases":1,"reason":null,"failure":{"subject":"s","check":"c","seed":7,"case":0,"what":"wrong","input":"","expected":null,"actual":null,"replay":""},"milliseconds":1}'; }
        finished() { say '{"event":"finished","results":'$1'}'; }
        "#;

    fn script(rest: &str) -> Launch {
        launch(&format!("{STARTED}{rest}"))
    }

    #[test]
    fn a_guest_that_does_all_it_planned_is_good() {
        let report = report(&script("started 2; running a; pass a; running b; pass b; finished 2"));
        assert!(report.is_good(), "{report:?}");
        assert_eq!(report.results.len(), 2);
        assert_eq!(report.features, ["neon"]);
    }

    #[test]
    fn a_reported_failure_is_a_failure() {
        let report = report(&script("started 1; running a; fail a; finished 1; exit 1"));
        assert!(!report.is_good());
        assert_eq!(report.problems, [""; 0]);
        assert_eq!(report.results[0].status, Status::Fail);
    }

    #[test]
    fn a_guest_that_dies_in_a_check_fails_it_and_the_rest_is_run_by_another() {
        let report = report(&script(
            "if [ $# = 0 ]; then started 3; running a; pass a; running b; echo bang >&2; kill -ILL $$; fi
             [ \"$*\" = '--skip 2' ] || exit 3
             started 1; running c; pass c; finished 1",
        ));
        assert_eq!(report.problems, [""; 0]);
        let statuses: Vec<_> = report.results.iter().map(|result| (result.check.as_str(), result.status)).collect();
        assert_eq!(statuses, [("a", Status::Pass), ("b", Status::Fail), ("c", Status::Pass)]);
        let failure = report.results[1].failure.as_ref().unwrap();
        assert!(failure.what.contains("signal 4 (SIGILL)") && failure.what.contains("bang"), "{}", failure.what);
        assert_eq!(failure.replay, "ci/verify --replay arm@max:s:b:7");
    }

    #[test]
    fn a_guest_that_dies_in_every_check_fails_them_all() {
        let report = report(&script("started $((3 - ${2-0})); running a$((${2-0})); kill -SEGV $$"));
        assert_eq!(report.results.len(), 3, "{report:?}");
        assert!(report.results.iter().all(|result| result.status == Status::Fail));
    }

    #[test]
    fn a_guest_that_ends_early_with_success_has_failed() {
        let report = report(&script("started 2; running a; pass a; exit 0"));
        assert!(report.problems[0].contains("ended before it was finished"), "{report:?}");
        let report = self::report(&script("exit 0"));
        assert!(report.problems[0].contains("ended before it was finished"), "{report:?}");
    }

    #[test]
    fn an_exit_status_that_contradicts_the_results_is_seen() {
        let report = report(&script("started 1; running a; pass a; finished 1; exit 1"));
        assert!(report.problems[0].contains("reported 0 failures, but ended with exit status: 1"), "{report:?}");
        let report = self::report(&script("started 1; running a; fail a; finished 1; exit 0"));
        assert!(report.problems[0].contains("ended with exit status 0"), "{report:?}");
        let report = self::report(&script("started 1; running a; pass a; finished 1; kill -ABRT $$"));
        assert!(report.problems[0].contains("SIGABRT"), "{report:?}");
    }

    #[test]
    fn a_guest_that_hangs_is_ended_with_all_its_children() {
        let mut launch = script("started 2; running a; [ $# = 0 ] || { pass b; finished 1; exit; }; sleep 100 & wait");
        launch.silence = SECOND / 5;
        let begun = Instant::now();
        let report = report(&launch);
        assert!(begun.elapsed() < 50 * SECOND);
        let failure = report.results[0].failure.as_ref().unwrap();
        assert!(failure.what.contains("was silent"), "{}", failure.what);
    }

    #[test]
    fn a_guest_that_hangs_again_and_again_is_given_up() {
        let mut launch = script("started $((9 - ${2-0})); running a; sleep 100");
        launch.silence = SECOND / 5;
        let report = report(&launch);
        assert_eq!(report.results.len(), PATIENCE + 1);
        assert!(report.problems[0].contains("6 more were not tried"), "{report:?}");
    }

    #[test]
    fn lines_that_are_no_events_are_seen() {
        let report = report(&script("started 1; running a; say panic; pass a; finished 1"));
        assert!(report.problems[0].contains("no event") && report.problems[0].contains("panic"), "{report:?}");
    }

    #[test]
    fn results_that_do_not_add_up_are_seen() {
        for (script, what) in [
            ("started 2; running a; pass a; finished 1", "planned 2 results"),
            ("started 1; pass a; finished 1", "was not running"),
            ("started 1; running a; pass b; finished 1", "was not running"),
            ("started 2; running a; running b; pass b; finished 2", "gave no result for k/a"),
            ("started 1; running a; pass a; finished 1; running a", "after its end"),
        ] {
            let report = report(&self::script(script));
            assert!(!report.is_good(), "{script}: {report:?}");
            let mut said = report.problems.clone();
            said.extend(report.results.iter().filter_map(|result| Some(result.failure.as_ref()?.what.clone())));
            assert!(said.iter().any(|said| said.contains(what)), "{script}: {said:?}");
        }
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let launch = Launch { command_line: vec!["/nowhere/qemu-arm".into()], silence: SECOND };
        let report = report(&launch);
        assert!(report.problems[0].starts_with("/nowhere/qemu-arm cannot be started"), "{report:?}");
    }
}
