//! A process of its own for code that may do anything, and what becomes of it.
//!
//! A batch of calls runs in a forked child. A call that faults or does not return is taken off the CPU by a signal
//! handler and comes back as a [`Fault`], so that the batch can go on; what a call destroyed is gone with the child.

use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::panic::AssertUnwindSafe;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};

use nix::libc;
use nix::sys::mman::{MapFlags, ProtFlags, mmap_anonymous, munmap};
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, kill, sigaction};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{ForkResult, Pid, fork};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::architecture::{self, Registers};

/// A call that takes this much CPU time, or twice as much, does not return.
const HANG: Duration = Duration::from_millis(750);
/// How often that is looked at.
const TICK: Duration = Duration::from_millis(250);
/// A child that makes no call for so long is stuck where no signal reaches it.
const STUCK: Duration = Duration::from_secs(60);
/// A child that has not made its first call after so long hangs on a lock that another thread of its parent, or of QEMU, held
/// at the moment of the fork.
const STILLBORN: Duration = Duration::from_secs(10);
/// How often a child is begun.
const BIRTHS: u32 = 5;

/// Bytes for what a child reports.
const REPORT: usize = 64 << 10;

/// What parent and child both see.
#[repr(C)]
struct Shared {
    calls: AtomicU32,
    case: AtomicU64,
    /// The child's work is complete, and `length` bytes of `text` are its report.
    complete: AtomicBool,
    length: AtomicU32,
    text: UnsafeCell<[u8; REPORT]>,
}

/// How a child ended.
#[derive(Debug)]
pub(super) enum Ended<T> {
    /// By returning what it had to return.
    Returned(T),
    /// In another way, in a case.
    Died { case: u64, how: String },
}

/// A call that did not come back by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Fault {
    /// What stopped it.
    pub(super) cause: Cause,
    /// The address that was accessed.
    pub(super) address: usize,
    /// The instruction that was to be executed.
    pub(super) pc: usize,
    /// Its encoding, if that can be read.
    pub(super) word: Option<u32>,
}

/// What stopped a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Cause {
    /// Memory that is not there or must not be accessed so (SIGSEGV).
    Access,
    /// An address without the alignment that the instruction needs (SIGBUS).
    Alignment,
    /// No instruction, or one that the CPU does not have (SIGILL).
    Instruction,
    /// A breakpoint or another trap.
    Trap,
    /// Too much time.
    Hang,
}

/// Serves [`handle`]: whether the kernel is running.
static IN_CALL: AtomicBool = AtomicBool::new(false);
/// The signal that ended the call, 0 for none.
static SIGNAL: AtomicI32 = AtomicI32::new(0);
static ADDRESS: AtomicUsize = AtomicUsize::new(0);
static PC: AtomicUsize = AtomicUsize::new(0);
static SHARED: AtomicPtr<Shared> = AtomicPtr::new(ptr::null_mut());
/// Both ends of a pipe through which memory is read that may not be there.
static PIPE: [AtomicI32; 2] = [AtomicI32::new(-1), AtomicI32::new(-1)];

/// Runs `work` in a child and waits for what it returns.
///
/// The child has one thread, whatever the parent has. `work` should not use what other threads of the parent may have
/// been using at the moment of the fork, such as standard output.
///
/// `work` is given what to tell the number of each case to, so that it is known if the child dies.
pub(super) fn run<T: Serialize + DeserializeOwned>(work: impl FnOnce(&AtomicU64) -> T) -> nix::Result<Ended<T>> {
    let size = size_of::<Shared>().try_into().map_err(|_| nix::Error::EINVAL)?;
    // SAFETY: a new mapping at an address that the system chooses. It is page-aligned and zero, which is a value of every
    // field of `Shared`.
    let memory =
        unsafe { mmap_anonymous(None, size, ProtFlags::PROT_READ | ProtFlags::PROT_WRITE, MapFlags::MAP_SHARED)? };
    let result = fork_and_wait(memory.cast(), work);
    // SAFETY: the mapping is ours, and the references to it are gone.
    unsafe { munmap(memory, size.get())? };
    result
}

fn fork_and_wait<T: Serialize + DeserializeOwned>(
    memory: NonNull<Shared>,
    work: impl FnOnce(&AtomicU64) -> T,
) -> nix::Result<Ended<T>> {
    let mut work = Some(work);
    let mut births = 1;
    // SAFETY: mapped and initialised, and mapped until this function has returned. Both processes change it, by atomics alone
    // until `complete` is set.
    let shared = unsafe { memory.as_ref() };
    let status = loop {
        // SAFETY: what the child does until it exits is `work`, which its caller restricts to what may follow a fork of a
        // process with several threads; the C library's allocator is prepared for it.
        match unsafe { fork()? } {
            ForkResult::Child => {
                let work = work.take();
                let done = std::panic::catch_unwind(AssertUnwindSafe(|| work.map(|work| in_child(memory, work))));
                let status = match done {
                    Ok(Some(Ok(()))) => 0,
                    Ok(_) => 2,
                    Err(_) => 3,
                };
                // SAFETY: ends the process without running the parent's exit handlers.
                unsafe { libc::_exit(status) }
            }
            ForkResult::Parent { child } => match wait(child, &shared.calls, STILLBORN, STUCK)? {
                None if shared.calls.load(SeqCst) == 0 && births < BIRTHS => births += 1,
                status => break status,
            },
        }
    };
    let died = |how| Ok(Ended::Died { case: shared.case.load(SeqCst), how });
    if !shared.complete.load(SeqCst) {
        return died(match status {
            None => format!("made no call for {} seconds", STUCK.as_secs()),
            Some(WaitStatus::Exited(_, 2)) => "could not be set up".into(),
            Some(WaitStatus::Exited(_, 3)) => "panicked in the harness".into(),
            Some(WaitStatus::Exited(_, code)) => format!("ended with exit status {code} during a call"),
            Some(WaitStatus::Signaled(_, signal, _)) => format!("was killed by {signal}"),
            Some(other) => format!("ended: {other:?}"),
        });
    }
    let length = (shared.length.load(SeqCst) as usize).min(REPORT);
    // SAFETY: the child has ended, so nobody writes to it any more.
    let text = unsafe { &(&*shared.text.get())[..length] };
    match serde_json::from_slice(text) {
        Ok(report) => Ok(Ended::Returned(report)),
        Err(error) => died(format!("left no readable report: {error}")),
    }
}

/// Waits for the end of a child; `None` if it had to be killed for making no first call, or no next one, within the limit.
fn wait(child: Pid, calls: &AtomicU32, first: Duration, next: Duration) -> nix::Result<Option<WaitStatus>> {
    let mut pause = Duration::from_micros(200);
    let (mut seen, mut since) = (0, Instant::now());
    loop {
        match waitpid(child, Some(WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::StillAlive) | Err(nix::Error::EINTR) => {}
            Ok(status) => return Ok(Some(status)),
            Err(error) => return Err(error),
        }
        std::thread::sleep(pause);
        pause = (pause * 3 / 2).min(Duration::from_millis(5));
        let now = calls.load(SeqCst);
        if now != seen {
            (seen, since) = (now, Instant::now());
        } else if since.elapsed() > if now == 0 { first } else { next } {
            kill(child, Signal::SIGKILL)?;
            waitpid(child, None)?;
            return Ok(None);
        }
    }
}

fn in_child<T: Serialize>(
    memory: NonNull<Shared>,
    work: impl FnOnce(&AtomicU64) -> T,
) -> Result<(), Box<dyn std::error::Error>> {
    SHARED.store(memory.as_ptr(), SeqCst);
    let mut pipe = [0; 2];
    // SAFETY: an array of two descriptors, as it should be.
    if unsafe { libc::pipe(pipe.as_mut_ptr()) } != 0 {
        return Err(nix::Error::last().into());
    }
    PIPE[0].store(pipe[0], SeqCst);
    PIPE[1].store(pipe[1], SeqCst);
    // A child that dies is a finding and not worth a file.
    setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
    catch_faults()?;
    // SAFETY: the mapping outlives the child.
    let shared = unsafe { memory.as_ref() };
    let report = work(&shared.case);
    // SAFETY: the parent reads it only after the child has ended.
    let mut rest = unsafe { &mut (&mut *shared.text.get())[..] };
    serde_json::to_writer(&mut rest, &report)?;
    shared.length.store((REPORT - rest.len()) as u32, SeqCst);
    shared.complete.store(true, SeqCst);
    Ok(())
}

/// Installs [`handle`] on a stack of its own, and a clock by CPU time.
fn catch_faults() -> nix::Result<()> {
    const STACK: usize = 256 << 10;
    let size = STACK.try_into().map_err(|_| nix::Error::EINVAL)?;
    // SAFETY: a new mapping at an address that the system chooses, for good.
    let stack =
        unsafe { mmap_anonymous(None, size, ProtFlags::PROT_READ | ProtFlags::PROT_WRITE, MapFlags::MAP_PRIVATE)? };
    let alternate = libc::stack_t { ss_sp: stack.as_ptr(), ss_flags: 0, ss_size: STACK };
    // SAFETY: the stack stays mapped until the process ends.
    if unsafe { libc::sigaltstack(&alternate, ptr::null_mut()) } != 0 {
        return Err(nix::Error::last());
    }
    let action = SigAction::new(
        SigHandler::SigAction(handle),
        SaFlags::SA_SIGINFO | SaFlags::SA_ONSTACK | SaFlags::SA_RESTART,
        SigSet::empty(),
    );
    for signal in [Signal::SIGSEGV, Signal::SIGBUS, Signal::SIGILL, Signal::SIGTRAP, Signal::SIGFPE, Signal::SIGPROF] {
        // SAFETY: the handler does only what a handler may.
        unsafe { sigaction(signal, &action)? };
    }
    let tick = libc::timeval { tv_sec: 0, tv_usec: TICK.subsec_micros() as _ };
    let timer = libc::itimerval { it_interval: tick, it_value: tick };
    // SAFETY: a valid timer; its signal is handled.
    if unsafe { libc::setitimer(libc::ITIMER_PROF, &timer, ptr::null_mut()) } != 0 {
        return Err(nix::Error::last());
    }
    Ok(())
}

/// Takes a call that went wrong off the CPU.
extern "C" fn handle(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    /// The number of calls at the last tick, and the ticks since it has changed.
    static SEEN: AtomicU32 = AtomicU32::new(0);
    static TICKS: AtomicU32 = AtomicU32::new(0);

    // SAFETY: `catch_faults` follows the store, and the mapping lives as long as the child.
    let calls = unsafe { (*SHARED.load(SeqCst)).calls.load(SeqCst) };
    let in_call = IN_CALL.load(SeqCst);
    if signal == libc::SIGPROF {
        if !in_call || SEEN.swap(calls, SeqCst) != calls {
            TICKS.store(0, SeqCst);
            return;
        }
        if u128::from(TICKS.fetch_add(1, SeqCst) + 1) < HANG.as_millis() / TICK.as_millis() {
            return;
        }
        TICKS.store(0, SeqCst);
    }
    if !in_call {
        // A fault of the harness: with the default action the same instruction ends the child.
        // SAFETY: resets an action, which is allowed in a handler.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
        return;
    }
    // SAFETY: the system passes both to a handler with SA_SIGINFO.
    let (info, context) = unsafe { (&*info, &mut *context.cast::<libc::ucontext_t>()) };
    SIGNAL.store(signal, SeqCst);
    // SAFETY: of the signals handled, all but SIGPROF carry an address.
    ADDRESS.store(if signal == libc::SIGPROF { 0 } else { unsafe { info.si_addr() as usize } }, SeqCst);
    PC.store(architecture::program_counter(context), SeqCst);
    architecture::divert(context, architecture::landing());
}

/// Calls `entry` with the register file `before`, as [`architecture::call`] does, and catches what goes wrong.
///
/// # Safety
/// As for [`architecture::call`]; and only within [`run`].
pub(super) unsafe fn call(entry: usize, before: &mut Registers) -> Result<Registers, Fault> {
    SIGNAL.store(0, SeqCst);
    // SAFETY: within `run`, the shared memory is there.
    unsafe { (*SHARED.load(SeqCst)).calls.fetch_add(1, SeqCst) };
    IN_CALL.store(true, SeqCst);
    // SAFETY: as the caller vouches; a child has one thread.
    let after = unsafe { architecture::call(entry, before) };
    IN_CALL.store(false, SeqCst);
    let cause = match SIGNAL.load(SeqCst) {
        0 => return Ok(after),
        libc::SIGSEGV => Cause::Access,
        libc::SIGBUS => Cause::Alignment,
        libc::SIGILL => Cause::Instruction,
        libc::SIGPROF => Cause::Hang,
        _ => Cause::Trap,
    };
    let pc = PC.load(SeqCst);
    Err(Fault { cause, address: ADDRESS.load(SeqCst), pc, word: peek(pc) })
}

/// The word at an address that may not be there: the system looks, and says so instead of faulting.
fn peek(address: usize) -> Option<u32> {
    let mut word = MaybeUninit::<u32>::uninit();
    // SAFETY: the system checks the source; the destination is 4 bytes long, and valid once 4 bytes were read. A pipe has
    // room for them.
    unsafe {
        let [from, to] = [PIPE[0].load(SeqCst), PIPE[1].load(SeqCst)];
        if libc::write(to, ptr::without_provenance(address), 4) != 4 {
            return None;
        }
        (libc::read(from, word.as_mut_ptr().cast(), 4) == 4).then(|| word.assume_init())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_child_returns_arrives() {
        let ended = run(|case| {
            case.store(7, SeqCst);
            vec![1u32, 2, 3]
        });
        assert!(matches!(ended, Ok(Ended::Returned(report)) if report == [1, 2, 3]));
    }

    #[test]
    fn a_child_that_dies_is_known_by_its_case() {
        let ended = run(|case| -> u64 {
            case.store(7, SeqCst);
            // SAFETY: ends the process.
            unsafe { libc::_exit(9) }
        });
        assert!(matches!(ended, Ok(Ended::Died { case: 7, how }) if how.contains("exit status 9")));
    }

    #[test]
    fn a_fault_of_the_harness_is_not_taken_for_one_of_the_kernel() {
        let ended = run(|_| -> u64 {
            // SAFETY: stops the child.
            unsafe { ptr::null::<u64>().read_volatile() }
        });
        assert!(matches!(&ended, Ok(Ended::Died { how, .. }) if how.contains("SIGSEGV")), "{ended:?}");
    }

    #[test]
    fn a_child_that_waits_for_ever_is_killed() {
        // SAFETY: the child does nothing but wait.
        let child = match unsafe { fork() } {
            Ok(ForkResult::Child) => loop {
                // SAFETY: waits for a signal.
                unsafe { libc::pause() };
            },
            Ok(ForkResult::Parent { child }) => child,
            Err(error) => panic!("{error}"),
        };
        assert!(matches!(wait(child, &AtomicU32::new(0), Duration::from_millis(50), STUCK), Ok(None)));
    }
}
