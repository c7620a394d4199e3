//! The AArch64 register file, and a call with all of it chosen.

use std::arch::naked_asm;
use std::cell::UnsafeCell;
use std::mem::offset_of;

use rand::{Rng, RngExt};
use vambrace_contract::Architecture;

use super::register::Register;

/// What this build runs on.
pub(super) const ARCHITECTURE: Architecture = Architecture::Aarch64;

/// Alignment of SP that the caller owes.
pub(super) const STACK_ALIGNMENT: usize = 16;

/// AHP, DN, FZ and the rounding mode: the bits of FPCR that every implementation has.
const FPCR_MODES: u64 = 0x7c0 << 16;
/// QC and the cumulative exception bits.
const FPSR_BITS: u64 = 1 << 27 | 0x9f;
const NZCV_BITS: u64 = 0xf << 28;

/// Every register that a program sees.
#[repr(C, align(16))]
#[derive(Clone, Copy)]
pub(super) struct Registers {
    x: [u64; 31],
    sp: u64,
    v: [[u64; 2]; 32],
    nzcv: u64,
    fpcr: u64,
    fpsr: u64,
}

impl Registers {
    /// Zero everywhere: what the plainest caller would have.
    pub(super) const CALM: Registers = Registers { x: [0; 31], sp: 0, v: [[0; 2]; 32], nzcv: 0, fpcr: 0, fpsr: 0 };

    /// Anything that a caller may have.
    pub(super) fn random(rng: &mut impl Rng) -> Registers {
        Registers {
            x: rng.random(),
            sp: 0,
            v: std::array::from_fn(|_| rng.random()),
            nzcv: rng.random::<u64>() & NZCV_BITS,
            fpcr: rng.random::<u64>() & FPCR_MODES,
            fpsr: rng.random::<u64>() & FPSR_BITS,
        }
    }

    pub(super) fn get(&self, register: Register) -> u64 {
        match register {
            Register::General(n) => self.x[n as usize],
            Register::Double(n) => self.v[n as usize][0],
            Register::Upper(n) => self.v[n as usize][1],
            Register::StackPointer => self.sp,
            Register::Flags => self.nzcv,
            Register::FloatingPointControl => self.fpcr,
            Register::FloatingPointStatus => self.fpsr,
            Register::Endianness => 0,
        }
    }

    pub(super) fn set(&mut self, register: Register, value: u64) {
        match register {
            Register::General(n) => self.x[n as usize] = value,
            Register::Double(n) => self.v[n as usize][0] = value,
            Register::Upper(n) => self.v[n as usize][1] = value,
            Register::StackPointer => self.sp = value,
            Register::Flags => self.nzcv = value,
            Register::FloatingPointControl => self.fpcr = value,
            Register::FloatingPointStatus => self.fpsr = value,
            Register::Endianness => {}
        }
    }
}

/// What a callee must hand back as it was: AAPCS64 section 6.1, and x18, which belongs to the platform.
pub(super) fn preserved() -> impl Iterator<Item = Register> {
    (18..=29)
        .map(Register::General)
        .chain([Register::StackPointer])
        .chain((8..=15).map(Register::Double))
        .chain([Register::FloatingPointControl])
}

/// What a callee may leave anything in. The link register is among them, as it is only an address to return to.
pub(super) fn volatile() -> impl Iterator<Item = Register> {
    (0..=17)
        .map(Register::General)
        .chain([Register::General(30)])
        .chain((0..=7).chain(16..=31).map(Register::Double))
        .chain((0..=31).map(Register::Upper))
}

/// What may hold anything when a kernel is called, but for the arguments.
pub(super) fn undefined() -> impl Iterator<Item = Register> {
    (0..=29).map(Register::General).chain((0..=31).map(Register::Double)).chain((0..=31).map(Register::Upper)).chain([
        Register::Flags,
        Register::FloatingPointStatus,
        Register::FloatingPointControl,
    ])
}

/// The numbers of the registers that a call can go through: those that AAPCS64 gives to veneers.
const SCRATCH: [usize; 2] = [16, 17];

#[repr(C, align(16))]
struct Frame {
    sp: u64,
    thread: u64,
    fpcr: u64,
    x18: u64,
    before: Registers,
    after: Registers,
}

struct FrameCell(UnsafeCell<Frame>);

// SAFETY: reached only by `call`, whose callers vouch for a single thread, and by the assembly that it runs.
unsafe impl Sync for FrameCell {}

/// Where the caller finds itself again when no register can be trusted.
static FRAME: FrameCell = FrameCell(UnsafeCell::new(Frame {
    sp: 0,
    thread: 0,
    fpcr: 0,
    x18: 0,
    before: Registers::CALM,
    after: Registers::CALM,
}));

const BEFORE: usize = offset_of!(Frame, before);
const AFTER: usize = offset_of!(Frame, after);
const V: usize = offset_of!(Registers, v);
const NZCV: usize = offset_of!(Registers, nzcv);
const FPCR: usize = offset_of!(Registers, fpcr);
const FPSR: usize = offset_of!(Registers, fpsr);

macro_rules! enter {
    ($name:ident by $scratch:literal) => {
        /// Loads the whole register file and jumps to the kernel; the way back is [`land`].
        #[unsafe(naked)]
        unsafe extern "C" fn $name() {
            naked_asm!(
                "hint    #34",
                "stp     x29, x30, [sp, #-160]!",
                "stp     x19, x20, [sp, #16]",
                "stp     x21, x22, [sp, #32]",
                "stp     x23, x24, [sp, #48]",
                "stp     x25, x26, [sp, #64]",
                "stp     x27, x28, [sp, #80]",
                "stp     d8,  d9,  [sp, #96]",
                "stp     d10, d11, [sp, #112]",
                "stp     d12, d13, [sp, #128]",
                "stp     d14, d15, [sp, #144]",
                "adrp    x0, {frame}",
                "add     x0, x0, :lo12:{frame}",
                "mov     x1, sp",
                "mrs     x2, tpidr_el0",
                "mrs     x3, fpcr",
                "stp     x1, x2, [x0]",
                "stp     x3, x18, [x0, #16]",
                "add     x0, x0, #{before}",
                ".irp    n, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30",
                "ldr     q\\n, [x0, #{v} + 16 * \\n]",
                ".endr",
                ".irp    n, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31",
                "ldr     q\\n, [x0, #{v} + 16 * \\n]",
                ".endr",
                // What the register holds is what must be handed back, whichever bits this CPU has.
                "ldr     x1, [x0, #{fpcr}]",
                "msr     fpcr, x1",
                "mrs     x1, fpcr",
                "str     x1, [x0, #{fpcr}]",
                "ldr     x1, [x0, #{fpsr}]",
                "msr     fpsr, x1",
                "ldr     x1, [x0, #{nzcv}]",
                "msr     nzcv, x1",
                "ldr     x1, [x0, #248]",
                "mov     sp, x1",
                "ldp     x2,  x3,  [x0, #16]",
                "ldp     x4,  x5,  [x0, #32]",
                "ldp     x6,  x7,  [x0, #48]",
                "ldp     x8,  x9,  [x0, #64]",
                "ldp     x10, x11, [x0, #80]",
                "ldp     x12, x13, [x0, #96]",
                "ldp     x14, x15, [x0, #112]",
                "ldp     x16, x17, [x0, #128]",
                "ldp     x18, x19, [x0, #144]",
                "ldp     x20, x21, [x0, #160]",
                "ldp     x22, x23, [x0, #176]",
                "ldp     x24, x25, [x0, #192]",
                "ldp     x26, x27, [x0, #208]",
                "ldp     x28, x29, [x0, #224]",
                "ldr     x30, [x0, #240]",
                "ldp     x0,  x1,  [x0]",
                concat!("br      ", $scratch),
                frame = sym FRAME,
                before = const BEFORE,
                v = const V,
                nzcv = const NZCV,
                fpcr = const FPCR,
                fpsr = const FPSR,
            )
        }
    };
}

enter!(enter_by_x16 by "x16");
enter!(enter_by_x17 by "x17");

/// Where the kernel returns to: stores the whole register file and returns to the caller of `enter_by_…`.
///
/// No register is trusted, SP included, so x0 waits in the thread register while it becomes the address of the frame.
#[unsafe(naked)]
unsafe extern "C" fn land() {
    naked_asm!(
        "msr     tpidr_el0, x0",
        "adrp    x0, {frame}",
        "add     x0, x0, :lo12:{frame}",
        "add     x0, x0, #{after}",
        "str     x1, [x0, #8]",
        "stp     x2,  x3,  [x0, #16]",
        "stp     x4,  x5,  [x0, #32]",
        "stp     x6,  x7,  [x0, #48]",
        "stp     x8,  x9,  [x0, #64]",
        "stp     x10, x11, [x0, #80]",
        "stp     x12, x13, [x0, #96]",
        "stp     x14, x15, [x0, #112]",
        "stp     x16, x17, [x0, #128]",
        "stp     x18, x19, [x0, #144]",
        "stp     x20, x21, [x0, #160]",
        "stp     x22, x23, [x0, #176]",
        "stp     x24, x25, [x0, #192]",
        "stp     x26, x27, [x0, #208]",
        "stp     x28, x29, [x0, #224]",
        "str     x30, [x0, #240]",
        "mrs     x1, tpidr_el0",
        "str     x1, [x0]",
        "mov     x1, sp",
        "str     x1, [x0, #248]",
        "mrs     x1, nzcv",
        "str     x1, [x0, #{nzcv}]",
        "mrs     x1, fpcr",
        "str     x1, [x0, #{fpcr}]",
        "mrs     x1, fpsr",
        "str     x1, [x0, #{fpsr}]",
        ".irp    n, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30",
        "str     q\\n, [x0, #{v} + 16 * \\n]",
        ".endr",
        ".irp    n, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31",
        "str     q\\n, [x0, #{v} + 16 * \\n]",
        ".endr",
        "sub     x0, x0, #{after}",
        "ldp     x1, x2, [x0]",
        "mov     sp, x1",
        "msr     tpidr_el0, x2",
        "ldp     x1, x18, [x0, #16]",
        "msr     fpcr, x1",
        "ldp     x19, x20, [sp, #16]",
        "ldp     x21, x22, [sp, #32]",
        "ldp     x23, x24, [sp, #48]",
        "ldp     x25, x26, [sp, #64]",
        "ldp     x27, x28, [sp, #80]",
        "ldp     d8,  d9,  [sp, #96]",
        "ldp     d10, d11, [sp, #112]",
        "ldp     d12, d13, [sp, #128]",
        "ldp     d14, d15, [sp, #144]",
        "ldp     x29, x30, [sp], #160",
        "ret",
        frame = sym FRAME,
        after = const AFTER,
        v = const V,
        nzcv = const NZCV,
        fpcr = const FPCR,
        fpsr = const FPSR,
    )
}

/// Calls `entry` with the register file `before`, in which only SP and the arguments need a meaning. Bit 0 of x16 in
/// `before` decides which veneer register holds the entry's address; the link register holds [`landing`]. Both are
/// updated in `before`, and so is FPCR to the bits that this CPU has. Returns the register file after the call.
///
/// # Safety
/// The process has one thread. SP points into memory that the kernel may use as a stack. Whatever the kernel does with
/// these registers is what the caller wants to see.
pub(super) unsafe fn call(entry: usize, before: &mut Registers) -> Registers {
    let frame = FRAME.0.get();
    let choice = before.x[SCRATCH[0]] as usize & 1;
    before.x[SCRATCH[choice]] = entry as u64;
    before.x[30] = landing() as u64;
    // SAFETY: the caller vouches for a single thread, so nobody else uses the frame. Volatile, because the assembly uses
    // it as well.
    unsafe {
        (&raw mut (*frame).before).write_volatile(*before);
        match choice {
            0 => enter_by_x16(),
            _ => enter_by_x17(),
        }
        before.fpcr = (&raw const (*frame).before.fpcr).read_volatile();
        (&raw const (*frame).after).read_volatile()
    }
}

/// The address to which a kernel returns.
pub(super) fn landing() -> usize {
    land as *const () as usize
}

/// Makes the interrupted program go on at `address`.
pub(super) fn divert(context: &mut nix::libc::ucontext_t, address: usize) {
    // PSTATE.BTYPE, so that the landing needs no BTI.
    context.uc_mcontext.pstate &= !(0b11 << 10);
    context.uc_mcontext.pc = address as u64;
}

/// The program counter of the interrupted program.
pub(super) fn program_counter(context: &nix::libc::ucontext_t) -> usize {
    context.uc_mcontext.pc as usize
}
