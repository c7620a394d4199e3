//! The planted kernels for AArch64.

use core::arch::naked_asm;

use vambrace::kernels::Kernel;

use super::kernel;

/// `output = input ^ key`, in two words of 32 bits, with lines added at the start, before each block is stored, before the
/// return, and behind it.
macro_rules! planted {
    ($($name:ident $(start [$($start:literal),*])? $(block [$($block:literal),*])? $(end [$($end:literal),*])?
     $(behind [$($behind:literal),*])?;)*) => {
        $(
            #[unsafe(naked)]
            unsafe extern "C" fn $name() {
                naked_asm!(
                    "7:",
                    "hint    #34",
                    $($($start,)*)?
                    "ldp     w4, w5, [x2]",
                    "cbz     x3, 2f",
                    "1:",
                    "ldp     w6, w7, [x1], #8",
                    "eor     w6, w6, w4",
                    "eor     w7, w7, w5",
                    $($($block,)*)?
                    "stp     w6, w7, [x0], #8",
                    "subs    x3, x3, #1",
                    "b.ne    1b",
                    "2:",
                    $($($end,)*)?
                    "ret",
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
        behind ["nop", "nop", "8: .quad 0x0123456789abcdef"];
    planted_return_for_nothing
        start ["cbnz x3, 3f", "ret", "nop", "3:"];
    planted_frame
        start ["stp x19, x20, [sp, #-32]!", "str x3, [sp, #16]", "sub sp, sp, #32", "stp x2, x3, [sp]"]
        end ["ldp x8, x9, [sp]", "add sp, sp, #32", "ldr x8, [sp, #16]", "ldp x19, x20, [sp], #32"];
    planted_aligned_frame
        start ["mov x9, sp", "sub x10, sp, #40", "and sp, x10, #0xffffffffffffffe0", "str x3, [sp]"]
        end ["ldr x8, [sp]", "mov sp, x9", "str x8, [sp, #-16]!", "add sp, sp, #16"];
    planted_literal
        start ["ldr x8, 8f", "adr x9, 8f", "ldr w10, [x9, #4]"]
        behind ["8: .quad 0x0123456789abcdef"];
    planted_output_read_back
        block ["str w6, [x0]", "ldr w8, [x0]"];
    planted_branch_on_bit
        block ["tbz w6, #0, 3f", "nop", "3:"];
    planted_branch_on_comparison
        block ["cmp w6, w7", "b.lo 3f", "nop", "3:"];
    planted_branch_on_zero
        block ["cbnz w7, 3f", "nop", "3:"];
    planted_early_out_on_equal_words
        start ["ldp w8, w9, [x2]", "cmp w8, w9", "b.eq 3f", "nop", "3:"];
    planted_early_out_on_equal_input_and_key
        block ["orr w8, w6, w7", "cbz w8, 3f", "nop", "3:"];
    planted_loop_of_secret_length
        block ["and w8, w6, #3", "4: cbz w8, 3f", "sub w8, w8, #1", "b 4b", "3:"];
    planted_load_from_secret_index
        block ["and x8, x6, #7", "ldrb w8, [x2, x8]"];
    planted_table_at_secret_index
        block ["adr x9, 8f", "and x8, x7, #7", "ldrb w8, [x9, x8]"]
        behind ["8: .quad 0x0123456789abcdef"];
    planted_store_to_secret_index
        block ["and x8, x6, #4", "str w6, [x0, x8]"];
    planted_store_to_secret_frame_index
        block ["sub sp, sp, #64", "and x8, x6, #63", "strb w6, [sp, x8]", "add sp, sp, #64"];
    planted_division
        block ["udiv w8, w6, w4"];
    planted_byte_left_of_input
        start ["ldrb w8, [x1, #-1]"];
    planted_byte_right_of_input
        end ["ldrb w8, [x1]"];
    planted_byte_right_of_key
        start ["ldrb w8, [x2, #8]"];
    planted_word_across_the_end_of_key
        start ["ldr x8, [x2, #4]"];
    planted_output_read
        block ["ldrb w8, [x0]"];
    planted_next_output_read
        block ["ldr w8, [x0, #8]"];
    planted_input_written
        block ["strb w6, [x1, #-8]"];
    planted_key_written
        end ["str w4, [x2]"];
    planted_store_below_frame
        start ["sub sp, sp, #128", "str x3, [sp]", "add sp, sp, #128"];
    planted_store_right_below_frame
        start ["stp x3, x3, [sp, #-80]!", "add sp, sp, #80"];
    planted_store_below_sp
        start ["str x3, [sp, #-8]"];
    planted_store_below_moved_sp
        start ["sub sp, sp, #32", "sub x8, sp, #16", "str x3, [x8]", "add sp, sp, #32"];
    planted_load_below_sp
        start ["str x3, [sp, #-16]!", "add sp, sp, #16"]
        end ["ldr x8, [sp, #-16]"];
    planted_callers_stack_read
        start ["ldr x8, [sp, #8]"];
    planted_literal_beyond_the_end
        start ["adr x9, 8f", "ldr w8, [x9, #8]"]
        behind ["8: .quad 0x0123456789abcdef"];
    planted_literal_before_the_beginning
        start ["adr x9, 7b", "ldr w8, [x9, #-4]"];
    planted_instruction_read
        start ["adr x9, 7b", "ldr w8, [x9]"];
    planted_instruction_jumped_over
        block ["b 3f", "eor w6, w6, w6", "3:"];
    planted_branch_never_taken
        block ["cmp x3, #4095", "b.hi 3f"]
        behind ["3: eor w6, w6, w6", "b 2b"];
    planted_instruction_behind_the_end
        behind ["nop", "eor w6, w6, w6"];
}
