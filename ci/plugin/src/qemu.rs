//! The part of QEMU's interface for plugins that is used here: `include/qemu/qemu-plugin.h`, version 1, unchanged in version 2.
//! The executable that loads the plugin has the functions.

use std::ffi::{c_int, c_uint, c_void};

/// `qemu_plugin_id_t`
pub type Id = u64;

/// `qemu_info_t`, which is not looked at.
#[repr(C)]
pub struct Info {
    _opaque: [u8; 0],
}

/// `struct qemu_plugin_tb`
#[repr(C)]
pub struct Block {
    _opaque: [u8; 0],
}

/// `struct qemu_plugin_insn`
#[repr(C)]
pub struct Instruction {
    _opaque: [u8; 0],
}

/// `qemu_plugin_meminfo_t`
pub type MemoryInfo = u32;

/// `QEMU_PLUGIN_CB_NO_REGS`
pub const NO_REGISTERS: c_int = 0;
/// `QEMU_PLUGIN_MEM_RW`
pub const MEMORY_READ_OR_WRITTEN: c_int = 3;

type Translated = extern "C" fn(Id, *mut Block);
type Executed = extern "C" fn(c_uint, *mut c_void);
type Accessed = extern "C" fn(c_uint, MemoryInfo, u64, *mut c_void);
type SystemCall = extern "C" fn(Id, c_uint, i64, u64, u64, u64, u64, u64, u64, u64, u64);
type Ended = extern "C" fn(Id, *mut c_void);

unsafe extern "C" {
    pub fn qemu_plugin_register_vcpu_tb_trans_cb(id: Id, callback: Translated);
    pub fn qemu_plugin_register_vcpu_syscall_cb(id: Id, callback: SystemCall);
    pub fn qemu_plugin_register_atexit_cb(id: Id, callback: Ended, data: *mut c_void);
    pub fn qemu_plugin_register_vcpu_tb_exec_cb(block: *mut Block, callback: Executed, flags: c_int, data: *mut c_void);
    pub fn qemu_plugin_register_vcpu_insn_exec_cb(
        instruction: *mut Instruction,
        callback: Executed,
        flags: c_int,
        data: *mut c_void,
    );
    pub fn qemu_plugin_register_vcpu_mem_cb(
        instruction: *mut Instruction,
        callback: Accessed,
        flags: c_int,
        direction: c_int,
        data: *mut c_void,
    );
    pub fn qemu_plugin_tb_n_insns(block: *const Block) -> usize;
    pub fn qemu_plugin_tb_get_insn(block: *const Block, index: usize) -> *mut Instruction;
    pub fn qemu_plugin_insn_vaddr(instruction: *const Instruction) -> u64;
    pub fn qemu_plugin_mem_size_shift(info: MemoryInfo) -> c_uint;
    pub fn qemu_plugin_mem_is_store(info: MemoryInfo) -> bool;
}
