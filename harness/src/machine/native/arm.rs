//! The AArch32 register file, and a call with all of it chosen.

use std::arch::naked_asm;
use std::cell::UnsafeCell;
use std::mem::offset_of;
use std::sync::LazyLock;

use rand::{Rng, RngExt};
use vambrace_contract::Architecture;

use super::register::Register;

/// What this build runs on.
pub(super) const ARCHITECTURE: Architecture = Architecture::Arm;

/// Alignment of SP that the caller owes.
pub(super) const STACK_ALIGNMENT: usize = 8;

/// AHP, DN, FZ and the rounding mode.
const FPSCR_MODES: u32 = 0x7c0 << 16;
/// What a callee must hand back: also Stride, Len, FZ16 and the trap enables, which are zero at the call.
const FPSCR_CONTROL: u32 = 0x07ff_9f00;
/// The condition flags, QC and the cumulative exception bits.
const FPSCR_STATUS: u32 = 0x1f << 27 | 0x9f;
/// NZCVQ and GE.
const CPSR_FLAGS: u32 = 0x1f << 27 | 0xf << 16;
/// The byte order of loads and stores.
const CPSR_E: u32 = 1 << 9;
/// Thumb state, and the IT bits that belong to it.
const CPSR_THUMB: u32 = 1 << 5 | 0b11 << 25 | 0xfc00;

/// d16 to d31 are there: bit 19 of the first word, `HWCAP_VFPD32` in `arch/arm/include/uapi/asm/hwcap.h`.
static HAS_32_DOUBLES: LazyLock<bool> = LazyLock::new(|| {
    // SAFETY: asks the C library for a word of the auxiliary vector.
    unsafe { nix::libc::getauxval(nix::libc::AT_HWCAP) & 1 << 19 != 0 }
});

/// Every register that a program sees.
#[repr(C, align(8))]
#[derive(Clone, Copy)]
pub(super) struct Registers {
    r: [u32; 13],
    pc: u32,
    sp: u32,
    lr: u32,
    cpsr: u32,
    fpscr: u32,
    d: [u64; 32],
}

impl Registers {
    /// Zero everywhere: what the plainest caller would have.
    pub(super) const CALM: Registers = Registers { r: [0; 13], pc: 0, sp: 0, lr: 0, cpsr: 0, fpscr: 0, d: [0; 32] };

    /// Anything that a caller may have.
    pub(super) fn random(rng: &mut impl Rng) -> Registers {
        Registers {
            r: rng.random(),
            pc: 0,
            sp: 0,
            lr: 0,
            cpsr: rng.random::<u32>() & CPSR_FLAGS,
            fpscr: rng.random::<u32>() & (FPSCR_MODES | FPSCR_STATUS),
            d: rng.random(),
        }
    }

    pub(super) fn get(&self, register: Register) -> u64 {
        match register {
            Register::General(14) => self.lr.into(),
            Register::General(n) => self.r[n as usize].into(),
            Register::Double(n) => self.d[n as usize],
            Register::StackPointer => self.sp.into(),
            Register::Flags => (self.cpsr & CPSR_FLAGS).into(),
            Register::Endianness => (self.cpsr & CPSR_E).into(),
            Register::FloatingPointControl => (self.fpscr & FPSCR_CONTROL).into(),
            Register::FloatingPointStatus => (self.fpscr & FPSCR_STATUS).into(),
            Register::Upper(_) => 0,
        }
    }

    pub(super) fn set(&mut self, register: Register, value: u64) {
        let merge = |word: &mut u32, mask: u32| *word = *word & !mask | value as u32 & mask;
        match register {
            Register::General(14) => self.lr = value as u32,
            Register::General(n) => self.r[n as usize] = value as u32,
            Register::Double(n) => self.d[n as usize] = value,
            Register::StackPointer => self.sp = value as u32,
            Register::Flags => merge(&mut self.cpsr, CPSR_FLAGS),
            Register::Endianness => merge(&mut self.cpsr, CPSR_E),
            Register::FloatingPointControl => merge(&mut self.fpscr, FPSCR_CONTROL),
            Register::FloatingPointStatus => merge(&mut self.fpscr, FPSCR_STATUS),
            Register::Upper(_) => {}
        }
    }
}

/// The double-word registers of this CPU.
fn doubles() -> u8 {
    if *HAS_32_DOUBLES { 32 } else { 16 }
}

/// What a callee must hand back as it was: AAPCS32 sections 6.1.1 and 6.1.2, and the byte order.
pub(super) fn preserved() -> impl Iterator<Item = Register> {
    (4..=11)
        .map(Register::General)
        .chain([Register::StackPointer])
        .chain((8..=15).map(Register::Double))
        .chain([Register::FloatingPointControl, Register::Endianness])
}

/// What a callee may leave anything in. The link register is among them, as it is only an address to return to.
pub(super) fn volatile() -> impl Iterator<Item = Register> {
    [0, 1, 2, 3, 12, 14].map(Register::General).into_iter().chain((0..=7).chain(16..doubles()).map(Register::Double))
}

/// What may hold anything when a kernel is called, but for the arguments.
pub(super) fn undefined() -> impl Iterator<Item = Register> {
    (0..=12).map(Register::General).chain((0..doubles()).map(Register::Double)).chain([
        Register::Flags,
        Register::FloatingPointStatus,
        Register::FloatingPointControl,
    ])
}

#[repr(C, align(8))]
struct Frame {
    sp: u32,
    has_32_doubles: u32,
    r1: u32,
    fpscr: u32,
    before: Registers,
    after: Registers,
}

struct FrameCell(UnsafeCell<Frame>);

// SAFETY: reached only by `call`, whose callers vouch for a single thread, and by the assembly that it runs.
unsafe impl Sync for FrameCell {}

/// Where the caller finds itself again when no register can be trusted.
static FRAME: FrameCell = FrameCell(UnsafeCell::new(Frame {
    sp: 0,
    has_32_doubles: 0,
    r1: 0,
    fpscr: 0,
    before: Registers::CALM,
    after: Registers::CALM,
}));

const BEFORE: usize = offset_of!(Frame, before);
const AFTER: usize = offset_of!(Frame, after);
const SP: usize = offset_of!(Registers, sp);
const LR: usize = offset_of!(Registers, lr);
const CPSR: usize = offset_of!(Registers, cpsr);
const FPSCR: usize = offset_of!(Registers, fpscr);
const D: usize = offset_of!(Registers, d);

/// Loads the whole register file and jumps to the kernel; the way back is [`land`].
///
/// d16 to d31 are touched only where the CPU has them.
#[unsafe(naked)]
unsafe extern "C" fn enter() {
    naked_asm!(
        ".fpu    vfpv3",
        "push    {{r4-r11, lr}}",
        "sub     sp, sp, #4",
        "vpush   {{d8-d15}}",
        "movw    r0, #:lower16:({frame} - (1f + 8))",
        "movt    r0, #:upper16:({frame} - (1f + 8))",
        "1: add  r0, pc, r0",
        "vmrs    r1, fpscr",
        "str     sp, [r0]",
        "str     r1, [r0, #12]",
        "ldr     r3, [r0, #4]",
        "add     r0, r0, #{before}",
        "add     r1, r0, #{d}",
        "vldm    r1!, {{d0-d15}}",
        "cmp     r3, #0",
        "beq     2f",
        "vldm    r1, {{d16-d31}}",
        // What the register holds is what must be handed back, whichever bits this CPU has.
        "2: ldr  r1, [r0, #{fpscr}]",
        "vmsr    fpscr, r1",
        "vmrs    r1, fpscr",
        "str     r1, [r0, #{fpscr}]",
        "ldr     r1, [r0, #{cpsr}]",
        "msr     APSR_nzcvqg, r1",
        "ldr     sp, [r0, #{sp}]",
        "ldr     lr, [r0, #{lr}]",
        "ldm     r0, {{r0-r12, pc}}",
        ".fpu    vfpv3-d16",
        frame = sym FRAME,
        before = const BEFORE,
        sp = const SP,
        lr = const LR,
        cpsr = const CPSR,
        fpscr = const FPSCR,
        d = const D,
    )
}

/// Where the kernel returns to: stores the whole register file and returns to the caller of [`enter`].
///
/// No register is trusted, SP included, so r0 waits in the user's thread register (which Linux keeps and nobody uses)
/// while it becomes the address of the frame. The byte order is put back before the first load.
#[unsafe(naked)]
unsafe extern "C" fn land() {
    naked_asm!(
        ".fpu    vfpv3",
        "mcr     p15, 0, r0, c13, c0, 2",
        "movw    r0, #:lower16:({frame} - (1f + 8))",
        "movt    r0, #:upper16:({frame} - (1f + 8))",
        "1: add  r0, pc, r0",
        "str     r1, [r0, #8]",
        "add     r0, r0, #{after}",
        "mrs     r1, cpsr",
        // SETEND has no condition and is not there on every ARMv8 CPU, so only where the kernel used it.
        "tst     r1, #{big_endian}",
        "beq     2f",
        "setend  le",
        "2: str  r1, [r0, #{cpsr}]",
        "add     r1, r0, #8",
        "stm     r1, {{r2-r12}}",
        "str     sp, [r0, #{sp}]",
        "str     lr, [r0, #{lr}]",
        "mrc     p15, 0, r1, c13, c0, 2",
        "str     r1, [r0]",
        "vmrs    r1, fpscr",
        "str     r1, [r0, #{fpscr}]",
        "add     r1, r0, #{d}",
        "vstm    r1!, {{d0-d15}}",
        "sub     r0, r0, #{after}",
        "ldr     r3, [r0, #4]",
        "cmp     r3, #0",
        "beq     3f",
        "vstm    r1, {{d16-d31}}",
        "3: ldr  r1, [r0, #12]",
        "vmsr    fpscr, r1",
        "ldr     sp, [r0]",
        "vpop    {{d8-d15}}",
        "add     sp, sp, #4",
        "pop     {{r4-r11, pc}}",
        ".fpu    vfpv3-d16",
        frame = sym FRAME,
        after = const AFTER,
        big_endian = const CPSR_E,
        sp = const SP,
        lr = const LR,
        cpsr = const CPSR,
        fpscr = const FPSCR,
        d = const D,
    )
}

/// Calls `entry` with the register file `before`, in which only SP and the arguments need a meaning. The link register
/// and FPSCR are updated in `before`: the first to [`landing`], the second to the bits that this CPU has. Returns the
/// register file after the call.
///
/// # Safety
/// The process has one thread. SP points into memory that the kernel may use as a stack. Whatever the kernel does with
/// these registers is what the caller wants to see.
pub(super) unsafe fn call(entry: usize, before: &mut Registers) -> Registers {
    let frame = FRAME.0.get();
    before.pc = entry as u32;
    before.lr = landing() as u32;
    // SAFETY: the caller vouches for a single thread, so nobody else uses the frame. Volatile, because the assembly uses
    // it as well.
    unsafe {
        (&raw mut (*frame).before).write_volatile(*before);
        (&raw mut (*frame).has_32_doubles).write_volatile(u32::from(*HAS_32_DOUBLES));
        enter();
        before.fpscr = (&raw const (*frame).before.fpscr).read_volatile();
        let mut after = (&raw const (*frame).after).read_volatile();
        let r1 = (&raw const (*frame).r1).read_volatile();
        // It was stored in the byte order that the kernel left.
        after.r[1] = if after.cpsr & CPSR_E == 0 { r1 } else { r1.swap_bytes() };
        after
    }
}

/// The address to which a kernel returns.
pub(super) fn landing() -> usize {
    land as *const () as usize
}

/// Makes the interrupted program go on at `address`.
pub(super) fn divert(context: &mut nix::libc::ucontext_t, address: usize) {
    context.uc_mcontext.arm_cpsr &= !(CPSR_THUMB | CPSR_E);
    context.uc_mcontext.arm_pc = address as u32;
}

/// The program counter of the interrupted program.
pub(super) fn program_counter(context: &nix::libc::ucontext_t) -> usize {
    context.uc_mcontext.arm_pc as usize
}
