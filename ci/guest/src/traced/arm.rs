//! The planted kernels for ARMv7.

use core::arch::naked_asm;

use vambrace::kernels::Kernel;

use super::kernel;

/// `output = input ^ key`, in two words, with lines added at the start, before each block is stored, before the registers are
/// restored, and behind the return. 24 bytes of stack are in use between.
macro_rules! planted {
    ($($name:ident $(start [$($start:literal),*])? $(block [$($block:literal),*])? $(end [$($end:literal),*])?
     $(behind [$($behind:literal),*])?;)*) => {
        $(
            #[unsafe(naked)]
            unsafe extern "C" fn $name() {
                naked_asm!(
                    ".arm",
                    "7:",
                    "push    {{r4-r9}}",
                    $($($start,)*)?
                    "ldr     r4, [r2]",
                    "ldr     r5, [r2, #4]",
                    "cmp     r3, #0",
                    "beq     2f",
                    "1:",
                    "ldr     r6, [r1], #4",
                    "ldr     r7, [r1], #4",
                    "eor     r6, r6, r4",
                    "eor     r7, r7, r5",
                    $($($block,)*)?
                    "str     r6, [r0], #4",
                    "str     r7, [r0], #4",
                    "subs    r3, r3, #1",
                    "bne     1b",
                    "2:",
                    $($($end,)*)?
                    "pop     {{r4-r9}}",
                    "bx      lr",
                    $($($behind,)*)?
                )
            }
        )*
        pub static KERNELS: &[Kernel] = &[$(kernel(stringify!($name), $name)),*];
    };
}

planted! {
    planted_nothing;
    planted_padding
        behind ["nop", "nop", "8: .word 0x01234567"];
    planted_return_for_nothing
        start ["cmp r3, #0", "bne 3f", "pop {{r4-r9}}", "bx lr", "nop", "3:"];
    planted_frame
        start ["push {{r3, lr}}", "sub sp, sp, #32", "str r3, [sp]", "strd r2, r3, [sp, #8]"]
        end ["ldr r8, [sp]", "add sp, sp, #32", "pop {{r3, lr}}"];
    planted_aligned_frame
        start ["mov r9, sp", "sub r12, sp, #24", "bic sp, r12, #15", "str r3, [sp]"]
        end ["ldr r8, [sp]", "mov sp, r9"];
    planted_literal
        start ["ldr r8, 8f", "adr r12, 8f", "ldr r8, [r12, #4]"]
        behind ["8: .word 0x01234567, 0x89abcdef"];
    planted_output_read_back
        block ["str r6, [r0]", "ldr r8, [r0]"];
    planted_branch_on_bit
        block ["tst r6, #1", "beq 3f", "nop", "3:"];
    planted_branch_on_comparison
        block ["cmp r6, r7", "blo 3f", "nop", "3:"];
    planted_branch_on_zero
        block ["cmp r7, #0", "bne 3f", "nop", "3:"];
    planted_early_out_on_equal_words
        start ["ldr r8, [r2]", "ldr r9, [r2, #4]", "cmp r8, r9", "beq 3f", "nop", "3:"];
    planted_early_out_on_equal_input_and_key
        block ["orrs r8, r6, r7", "beq 3f", "nop", "3:"];
    planted_loop_of_secret_length
        block ["and r8, r6, #3", "4: cmp r8, #0", "beq 3f", "sub r8, r8, #1", "b 4b", "3:"];
    planted_load_from_secret_index
        block ["and r8, r6, #7", "ldrb r8, [r2, r8]"];
    planted_table_at_secret_index
        block ["adr r9, 8f", "and r8, r7, #7", "ldrb r8, [r9, r8]"]
        behind ["8: .word 0x01234567, 0x89abcdef"];
    planted_store_to_secret_index
        block ["and r8, r6, #4", "str r6, [r0, r8]"];
    planted_store_to_secret_frame_index
        block ["sub sp, sp, #32", "and r8, r6, #31", "strb r6, [sp, r8]", "add sp, sp, #32"];
    planted_conditional_load
        block ["tst r6, #1", "ldrne r8, [r2]"];
    planted_byte_left_of_input
        start ["ldrb r8, [r1, #-1]"];
    planted_byte_right_of_input
        end ["ldrb r8, [r1]"];
    planted_byte_right_of_key
        start ["ldrb r8, [r2, #8]"];
    planted_word_across_the_end_of_key
        start ["add r12, r2, #6", "ldr r8, [r12]"];
    planted_output_read
        block ["ldrb r8, [r0]"];
    planted_next_output_read
        block ["ldr r8, [r0, #8]"];
    planted_input_written
        block ["strb r6, [r1, #-8]"];
    planted_key_written
        end ["str r4, [r2]"];
    planted_store_below_frame
        start ["sub sp, sp, #128", "str r3, [sp]", "add sp, sp, #128"];
    planted_store_right_below_frame
        start ["str r3, [sp, #-48]!", "add sp, sp, #48"];
    planted_store_below_sp
        start ["str r3, [sp, #-8]"];
    planted_store_below_moved_sp
        start ["sub sp, sp, #16", "sub r8, sp, #8", "stm r8, {{r2, r3}}", "add sp, sp, #16"];
    planted_load_below_sp
        start ["str r3, [sp, #-8]!", "add sp, sp, #8"]
        end ["ldr r8, [sp, #-8]"];
    planted_callers_stack_read
        start ["ldr r8, [sp, #32]"];
    planted_literal_beyond_the_end
        start ["adr r12, 8f", "ldr r8, [r12, #8]"]
        behind ["8: .word 0x01234567, 0x89abcdef"];
    planted_literal_before_the_beginning
        start ["adr r12, 7b", "ldr r8, [r12, #-4]"];
    planted_instruction_read
        start ["adr r12, 7b", "ldr r8, [r12]"];
    planted_instruction_jumped_over
        block ["b 3f", "eor r6, r6, r6", "3:"];
    planted_branch_never_taken
        block ["cmp r3, #4096", "bhi 3f"]
        behind ["3: eor r6, r6, r6", "b 2b"];
    planted_instruction_behind_the_end
        behind ["nop", "eor r6, r6, r6"];
}
