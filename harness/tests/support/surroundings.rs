//! What no result may depend on.

/// A byte of what earlier calls have left on the stack.
pub fn old_stack_contents() -> u8 {
    let old: usize;
    // SAFETY: reads memory of this thread's own stack, which is mapped that far after `paint_stack`-like calls, and
    // which nothing owns. The value means nothing to the program but whether a result is spoilt.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        std::arch::asm!("movzx {0:e}, byte ptr [rsp - 3000]", out(reg) old, options(nostack, readonly, preserves_flags));
        #[cfg(target_arch = "aarch64")]
        std::arch::asm!("sub {0}, sp, #3000", "ldrb {0:w}, [{0}]", out(reg) old, options(nostack, readonly, preserves_flags));
        #[cfg(target_arch = "arm")]
        std::arch::asm!("ldrb {0}, [sp, #-3000]", out(reg) old, options(nostack, readonly, preserves_flags));
    }
    old as u8
}
