//! A forked process with a mutant in it, and what becomes of the two.

use std::cell::UnsafeCell;
use std::fs::OpenOptions;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::time::{Duration, Instant};

use nix::libc;
use nix::sys::mman::{MapFlags, ProtFlags, mmap_anonymous};
use nix::sys::resource::{Resource, UsageWho, getrusage, setrlimit};
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{ForkResult, Pid, dup2_stderr, dup2_stdin, dup2_stdout, fork, setpgid};
use vambrace_harness::{Context, Outcome};

use super::{Answer, How, MEMORY_BYTES, Planted, Request, limit, patch};
use crate::KernelSubjects;
use crate::cell::Cell;
use crate::dispatch::Detection;

/// CPU time that a check has at least, and what it has beyond a multiple of what it took on the kernel as it is.
const LEAST: Duration = Duration::from_millis(700);
/// That multiple: a mutant may do more than the kernel before it is found out, and the code is translated anew.
const TIMES: u32 = 8;
/// A child that is not done by then waits for something that does not come.
const WALL: Duration = Duration::from_secs(180);

/// Bytes for what a check says.
const TEXT: usize = 4 << 10;
/// The child has gone through all its cells.
const DONE: u32 = 0x600d_c0de;
/// A check has failed.
const FAILED: u32 = 0xbad0_c0de;
const FAILED_STATUS: i32 = 1;
const UNPREPARED_STATUS: i32 = 76;

/// What parent and child both see.
#[repr(C)]
struct Shared {
    verdict: AtomicU32,
    /// The number of the cell that is running.
    cell: AtomicU32,
    length: AtomicU32,
    text: UnsafeCell<[u8; TEXT]>,
}

/// Runs mutants of one kernel.
pub struct Server<'a> {
    entry: usize,
    rows: &'a [KernelSubjects],
    cells: Vec<Cell<'a>>,
    detection: Detection,
    context: Context,
    /// CPU time of each cell on the kernel as it is.
    baseline: Vec<Duration>,
    shared: NonNull<Shared>,
}

impl<'a> Server<'a> {
    /// Runs the cells on the kernel as it is, in this process, which thereby learns what its children will need.
    ///
    /// # Errors
    /// What the checks say if they fail, or what the system does not provide.
    pub fn new(
        entry: usize,
        rows: &'a [KernelSubjects],
        cells: Vec<Cell<'a>>,
        detection: Detection,
        context: Context,
    ) -> Result<Server<'a>, String> {
        let mut baseline = Vec::new();
        let mut told = false;
        for cell in &cells {
            let before = cpu_time()?;
            match cell.perform(rows, &detection, &context) {
                Outcome::Fail(failure) => return Err(format!("the kernel as it is does not pass: {failure}")),
                Outcome::Pass { .. } => told = true,
                Outcome::None { .. } => {}
            }
            baseline.push(cpu_time()?.saturating_sub(before));
        }
        if !told {
            return Err("no check says anything about the kernel".to_owned());
        }
        let size = size_of::<Shared>().try_into().map_err(|_| "no size".to_owned())?;
        let access = ProtFlags::PROT_READ | ProtFlags::PROT_WRITE;
        // SAFETY: a new mapping at an address that the system chooses, for good; zero is a value of every field.
        let memory = unsafe { mmap_anonymous(None, size, access, MapFlags::MAP_SHARED) };
        let shared = memory.map_err(|error| format!("no memory to share: {error}"))?.cast();
        Ok(Server { entry, rows, cells, detection, context, baseline, shared })
    }

    /// The checks in the order in which they are run, with the milliseconds of CPU time that they took on the kernel as it is.
    pub fn checks(&self) -> Vec<(String, u64)> {
        let mut checks: Vec<(String, u64)> = Vec::new();
        for (cell, time) in self.cells.iter().zip(&self.baseline) {
            let milliseconds = time.as_millis() as u64;
            match checks.iter_mut().find(|(name, _)| name == cell.check) {
                Some((_, total)) => *total += milliseconds,
                None => checks.push((cell.check.to_owned(), milliseconds)),
            }
        }
        checks
    }

    /// Makes a mutant and runs it to its end.
    ///
    /// # Errors
    /// What the system does not provide.
    pub fn answer(&self, request: &Request) -> Result<Answer, String> {
        let before = cpu_time()?;
        // SAFETY: mapped for good, and changed by atomics alone until the child has ended.
        let shared = unsafe { self.shared.as_ref() };
        for number in [&shared.verdict, &shared.cell, &shared.length] {
            number.store(0, SeqCst);
        }
        // SAFETY: this process has one thread.
        let child = match unsafe { fork() }.map_err(|error| format!("no process for a mutant: {error}"))? {
            ForkResult::Child => self.child(shared, request),
            ForkResult::Parent { child } => child,
        };
        let status = wait(child).map_err(|error| format!("a mutant cannot be waited for: {error}"))?;
        let milliseconds = cpu_time()?.saturating_sub(before).as_millis() as u64;
        let id = request.id;
        let length = (shared.length.load(SeqCst) as usize).min(TEXT);
        // SAFETY: the child has ended, and with it all that it forked.
        let text = unsafe { &(&*shared.text.get())[..length] };
        let what = String::from_utf8_lossy(text).into_owned();
        let how = match (status, shared.verdict.load(SeqCst)) {
            (Some(WaitStatus::Exited(_, 0)), DONE) => return Ok(Answer::Survived { id, milliseconds }),
            (Some(WaitStatus::Exited(_, UNPREPARED_STATUS)), 0) => return Err("a mutant cannot be made".to_owned()),
            (Some(WaitStatus::Exited(_, FAILED_STATUS)), FAILED) => How::Failure,
            (None | Some(WaitStatus::Signaled(_, Signal::SIGPROF, _)), _) => How::TimeLimit,
            (Some(WaitStatus::Exited(_, limit::MEMORY_STATUS)), _) => How::MemoryLimit,
            (Some(WaitStatus::Signaled(_, signal, _)), _) => How::Signal(signal.as_str().to_owned()),
            (Some(WaitStatus::Exited(_, code)), _) => How::Exit(format!("exit status {code}")),
            (Some(other), _) => How::Exit(format!("{other:?}")),
        };
        let cell = self.cells.get(shared.cell.load(SeqCst) as usize);
        let check = cell.map_or("?", |cell| cell.check).to_owned();
        Ok(Answer::Killed { id, check, how, what, milliseconds })
    }

    /// The numbers of the cells of some checks, in the order of these; of all cells if there are none.
    fn order(&self, checks: &[String]) -> Vec<usize> {
        let all = || 0..self.cells.len();
        if checks.is_empty() {
            return all().collect();
        }
        checks.iter().flat_map(|check| all().filter(move |number| self.cells[*number].check == check)).collect()
    }

    fn child(&self, shared: &Shared, request: &Request) -> ! {
        if self.prepare(request).is_err() {
            exit(UNPREPARED_STATUS);
        }
        for number in self.order(&request.checks) {
            let cell = &self.cells[number];
            shared.cell.store(number as u32, SeqCst);
            if alarm(LEAST + TIMES * self.baseline[number]).is_err() {
                exit(UNPREPARED_STATUS);
            }
            match request.planted {
                Some(Planted::Memory) => exhaust_memory(),
                None => {}
            }
            if let Outcome::Fail(failure) = cell.perform(self.rows, &self.detection, &self.context) {
                let said = format!("{}: {}", failure.subject, failure.what);
                let length = said.len().min(TEXT);
                // SAFETY: the parent reads it only after the end of this process.
                unsafe { (&mut *shared.text.get())[..length].copy_from_slice(&said.as_bytes()[..length]) };
                shared.length.store(length as u32, SeqCst);
                shared.verdict.store(FAILED, SeqCst);
                exit(FAILED_STATUS);
            }
        }
        shared.verdict.store(DONE, SeqCst);
        exit(0)
    }

    fn prepare(&self, request: &Request) -> Result<(), Box<dyn std::error::Error>> {
        setpgid(Pid::from_raw(0), Pid::from_raw(0))?;
        // What a mutant may print is no answer.
        let nowhere = OpenOptions::new().read(true).write(true).open("/dev/null")?;
        dup2_stdin(&nowhere)?;
        dup2_stdout(&nowhere)?;
        dup2_stderr(&nowhere)?;
        setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
        limit::set(MEMORY_BYTES);
        // SAFETY: the driver's offsets are those of the kernel's code, of which nothing is running.
        unsafe { patch::apply(self.entry, &request.changes)? };
        Ok(())
    }
}

fn exit(status: i32) -> ! {
    // SAFETY: ends the process, without the parent's exit handlers.
    unsafe { libc::_exit(status) }
}

/// SIGPROF after so much CPU time of this process. Nobody handles it, so it needs no stack, and ends the process; the
/// children that the machine-level checks fork have clocks of their own.
fn alarm(time: Duration) -> nix::Result<()> {
    let value = libc::timeval { tv_sec: time.as_secs() as _, tv_usec: time.subsec_micros() as _ };
    let timer = libc::itimerval { it_interval: libc::timeval { tv_sec: 1, tv_usec: 0 }, it_value: value };
    // SAFETY: a valid timer.
    nix::Error::result(unsafe { libc::setitimer(libc::ITIMER_PROF, &timer, std::ptr::null_mut()) }).map(drop)
}

/// The CPU time of this process and of those that it has waited for.
fn cpu_time() -> Result<Duration, String> {
    let mut total = Duration::ZERO;
    for who in [UsageWho::RUSAGE_SELF, UsageWho::RUSAGE_CHILDREN] {
        let usage = getrusage(who).map_err(|error| error.to_string())?;
        for time in [usage.user_time(), usage.system_time()] {
            total += Duration::new(time.tv_sec() as u64, 1000 * time.tv_usec() as u32);
        }
    }
    Ok(total)
}

/// Waits for the end of a child; `None` if it took too long. Ends what the child has left behind, too.
fn wait(child: Pid) -> nix::Result<Option<WaitStatus>> {
    let begun = Instant::now();
    let mut pause = Duration::from_micros(500);
    let status = loop {
        match waitpid(child, Some(WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::StillAlive) | Err(nix::Error::EINTR) => {}
            Ok(status) => break Some(status),
            Err(error) => return Err(error),
        }
        if begun.elapsed() > WALL {
            // An error says that nobody is left.
            let _ = killpg(child, Signal::SIGKILL);
            waitpid(child, None)?;
            break None;
        }
        std::thread::sleep(pause);
        pause = (pause * 5 / 4).min(Duration::from_millis(10));
    };
    let _ = killpg(child, Signal::SIGKILL);
    Ok(status)
}

fn exhaust_memory() {
    let mut kept = Vec::new();
    loop {
        kept.push(std::hint::black_box(vec![0u8; 1 << 20]));
    }
}
