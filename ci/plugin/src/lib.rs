//! A plugin for QEMU user mode that records what kernels do.
//!
//! Its one argument, `order=FILE`, names an [`Order`]: which code to watch, what to record of it, where to write it. Only the
//! instructions of that code are instrumented, so that everything else runs as fast as ever.

mod qemu;
mod recording;

use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use vambrace_contract::Architecture;
use vambrace_trace::announce::Announcement;
use vambrace_trace::order::Order;
use vambrace_trace::recorder::Access;

use recording::{Recording, Watch};

/// The version of the interface that QEMU is to offer.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
pub static qemu_plugin_version: c_int = if cfg!(feature = "api-2") { 2 } else { 1 };

/// What is being recorded. A forked guest has its own, and the file in common with its parent.
static RECORDING: Mutex<Option<Recording>> = Mutex::new(None);

fn recording() -> MutexGuard<'static, Option<Recording>> {
    RECORDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// QEMU's call when it has loaded the plugin; anything but 0 refuses, and QEMU ends.
///
/// # Safety
/// `arguments` points to `count` strings that end with a zero byte, or to nothing if `count` is not positive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qemu_plugin_install(
    id: qemu::Id,
    _info: *const qemu::Info,
    count: c_int,
    arguments: *const *const c_char,
) -> c_int {
    let arguments = (0..usize::try_from(count).unwrap_or(0)).map(|index| {
        // SAFETY: the caller vouches for as many strings, which live as long as this call.
        unsafe { CStr::from_ptr(*arguments.add(index)) }.to_string_lossy().into_owned()
    });
    match install(id, &arguments.collect::<Vec<_>>()) {
        Ok(()) => 0,
        Err(error) => {
            eprintln!("vambrace-plugin: {error}");
            1
        }
    }
}

fn install(id: qemu::Id, arguments: &[String]) -> Result<(), String> {
    let [argument] = arguments else {
        return Err(format!("its one argument is order=FILE, but {} were given", arguments.len()));
    };
    let path = argument.strip_prefix("order=").ok_or_else(|| format!("unknown argument {argument:?}"))?;
    let order = Order::read(&PathBuf::from(path))?;
    *recording() = Some(Recording::new(order)?);
    // SAFETY: `id` is what QEMU gave, and the callbacks have the types that it asks for and live as long as the program.
    unsafe {
        qemu::qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
        qemu::qemu_plugin_register_vcpu_syscall_cb(id, system_call);
        qemu::qemu_plugin_register_atexit_cb(id, ended, std::ptr::null_mut());
    }
    Ok(())
}

/// A number in the place of a pointer that QEMU hands back and never follows.
fn number_as_pointer(number: u64) -> *mut c_void {
    std::ptr::without_provenance_mut(number as usize)
}

/// A block of instructions is translated: those that are watched get callbacks.
extern "C" fn translated(_id: qemu::Id, block: *mut qemu::Block) {
    let mut recording = recording();
    let Some(recording) = recording.as_mut() else { return };
    // SAFETY: QEMU's block is valid during this call.
    let instructions = unsafe { qemu::qemu_plugin_tb_n_insns(block) };
    let mut watched = Vec::new();
    for index in 0..instructions {
        // SAFETY: the index is below the number of instructions, and what it gives is valid as long as the block.
        let (instruction, pc) = unsafe {
            let instruction = qemu::qemu_plugin_tb_get_insn(block, index);
            (instruction, qemu::qemu_plugin_insn_vaddr(instruction))
        };
        if !recording.watches(pc) {
            continue;
        }
        match recording.watch() {
            Watch::Blocks => watched.push(pc),
            // SAFETY: the instruction is valid, and the callbacks have the types that QEMU asks for.
            Watch::Calls => unsafe {
                use qemu::{MEMORY_READ_OR_WRITTEN, NO_REGISTERS};
                let pc = number_as_pointer(pc);
                qemu::qemu_plugin_register_vcpu_insn_exec_cb(instruction, executes, NO_REGISTERS, pc);
                qemu::qemu_plugin_register_vcpu_mem_cb(instruction, accesses, NO_REGISTERS, MEMORY_READ_OR_WRITTEN, pc);
            },
        }
    }
    if !watched.is_empty() {
        let number = recording.add_block(watched);
        // SAFETY: the block is valid, and the callback has the type that QEMU asks for.
        unsafe {
            let number = number_as_pointer(number as u64);
            qemu::qemu_plugin_register_vcpu_tb_exec_cb(block, runs, qemu::NO_REGISTERS, number);
        }
    }
}

extern "C" fn runs(_cpu: u32, block: *mut c_void) {
    if let Some(recording) = recording().as_mut() {
        recording.block_runs(block.addr());
    }
}

extern "C" fn executes(_cpu: u32, pc: *mut c_void) {
    if let Some(recording) = recording().as_mut() {
        recording.instruction(pc.addr() as u64);
    }
}

extern "C" fn accesses(_cpu: u32, info: qemu::MemoryInfo, address: u64, pc: *mut c_void) {
    // SAFETY: `info` is what QEMU gave for this access.
    let (shift, store) = unsafe { (qemu::qemu_plugin_mem_size_shift(info), qemu::qemu_plugin_mem_is_store(info)) };
    if let Some(recording) = recording().as_mut() {
        recording.access(pc.addr() as u64, Access { address, size: 1 << shift, store });
    }
}

#[allow(clippy::too_many_arguments)]
extern "C" fn system_call(
    _id: qemu::Id,
    _cpu: u32,
    number: i64,
    a1: u64,
    a2: u64,
    a3: u64,
    a4: u64,
    a5: u64,
    a6: u64,
    _a7: u64,
    _a8: u64,
) {
    let mut recording = recording();
    let Some(recording) = recording.as_mut() else { return };
    let architecture: Architecture = recording.architecture();
    if let Some(announcement) = Announcement::heard(architecture, number, [a1, a2, a3, a4, a5, a6])
        && let Err(error) = recording.hear(announcement)
    {
        give_up(&error);
    }
}

extern "C" fn ended(_id: qemu::Id, _nothing: *mut c_void) {
    if let Some(recording) = recording().as_mut()
        && let Err(error) = recording.finish()
    {
        give_up(&error);
    }
}

/// Ends QEMU in a way that cannot be overlooked.
fn give_up(error: &str) -> ! {
    eprintln!("vambrace-plugin: {error}");
    std::process::abort()
}
