//! Subjects for AArch64.

use super::*;

/// `state[0] ^= block[0]; state[1] += block[1]` for each block, in 64-bit words, with lines added at
/// the start, before each block, before the state is stored, and before the registers are cleared.
macro_rules! fold {
    ($name:literal $(, stack $stack:literal)? $(, start [$($start:literal),*])? $(, block [$($block:literal),*])?
     $(, store [$($store:literal),*])? $(, end [$($end:literal),*])?) => {
        Kernel {
            entry: code!(
                "hint    #34",
                $($($start,)*)?
                "cbz     x2, 2f",
                "ldp     x3, x4, [x0]",
                "1:",
                $($($block,)*)?
                "ldp     x5, x6, [x1], #16",
                "eor     x3, x3, x5",
                "add     x4, x4, x6",
                "subs    x2, x2, #1",
                "b.ne    1b",
                $($($store,)*)?
                "stp     x3, x4, [x0]",
                "mov     x3, xzr",
                "mov     x4, xzr",
                "mov     x5, xzr",
                "mov     x6, xzr",
                $($($end,)*)?
                "2:",
                "ret",
            ),
            ..subject($name, &contracts::FOLD, 0 $(+ $stack)?)
        }
    };
}

#[test]
fn a_correct_kernel_passes() {
    passes(&fold!("fold"), &[]);
}

#[test]
fn a_kernel_may_save_registers_and_use_its_stack() {
    let kernel = Kernel {
        entry: code!(
            "stp     x19, x20, [sp, #-48]!",
            "stp     d8, d9, [sp, #16]",
            "movi    v8.16b, #1",
            "movi    v9.16b, #1",
            "cbz     x2, 2f",
            "1: ldr  q8, [x1], #16",
            "str     d8, [sp, #32]",
            "ldr     x19, [x0]",
            "fmov    x20, d8",
            "eor     x19, x19, x20",
            "str     x19, [x0]",
            "sub     x2, x2, #1",
            "cbnz    x2, 1b",
            "str     xzr, [sp, #32]",
            // The upper half is the callee's, and the link register is free.
            "2: movi v8.16b, #0",
            "ldp     d8, d9, [sp, #16]",
            "ldp     x19, x20, [sp], #48",
            "mov     x2, x30",
            "mov     x30, #0",
            "ret     x2",
        ),
        ..subject("fold_saving", &contracts::FOLD, 48)
    };
    passes(&kernel, &[]);
}

/// In place or not, each byte changed on its own.
macro_rules! map {
    ($name:literal, $($line:literal),*) => {
        Kernel {
            entry: code!(
                "cbz     x2, 2f",
                "movi    v1.16b, #0x5a",
                "1:",
                $($line,)*
                "sub     x2, x2, #1",
                "cbnz    x2, 1b",
                "movi    v0.16b, #0",
                "movi    v2.16b, #0",
                "2: ret",
            ),
            ..subject($name, &contracts::MAP, 0)
        }
    };
}

#[test]
fn a_correct_kernel_for_equal_buffers_passes() {
    let kernel = map!("map", "ldr     q0, [x1], #16", "eor     v0.16b, v0.16b, v1.16b", "str     q0, [x0], #16");
    passes(&kernel, &[]);
}

#[test]
fn a_store_before_the_load_is_found_when_buffers_are_equal() {
    let kernel = map!(
        "map_early_store",
        "str     q1, [x0]",
        "ldr     q0, [x1], #16",
        "eor     v0.16b, v0.16b, v1.16b",
        "str     q0, [x0], #16"
    );
    finds(&kernel, "aliasing", &["`output` (byte 0)", "disjoint"]);
    for check in ["bounds", "alignment", "abi", "undefined-input", "count-width"] {
        assert!(matches!(outcome(&kernel, check), Outcome::Pass { .. }), "{check}");
    }
}

#[test]
fn a_write_only_buffer_that_is_read_is_found() {
    let kernel = map!(
        "map_reading_output",
        "ldr     q0, [x1], #16",
        "ldr     q2, [x0]",
        "eor     v0.16b, v0.16b, v2.16b",
        "str     q0, [x0], #16"
    );
    finds(&kernel, "undefined-input", &["`output`", "what a write-only buffer held"]);
}

#[test]
fn a_write_only_buffer_that_is_not_written_is_found() {
    let kernel = map!("map_partial", "ldr     x3, [x1], #16", "mov x3, #0", "str     x3, [x0], #16");
    finds(&kernel, "undefined-input", &["`output` (byte 8)", "what a write-only buffer held"]);
}

#[test]
fn a_returned_value_is_a_result() {
    let kernel = Kernel {
        entry: code!(
            "ldp x2, x3, [x0]",
            "ldp x4, x5, [x1]",
            "add x0, x2, x4",
            "mov x1, 0",
            "mov x2, 0",
            "mov x3, 0",
            "mov x4, 0",
            "mov x5, 0",
            "ret"
        ),
        ..subject("sum", &contracts::SUM, 0)
    };
    passes(&kernel, &["count-width"]);
    let kernel = Kernel {
        entry: code!("ldp x2, x3, [x0]", "ldp x4, x5, [x1]", "add x0, x2, x6", "ret"),
        ..subject("sum_undefined", &contracts::SUM, 0)
    };
    finds(&kernel, "undefined-input", &["the returned value depends on x6, which is no argument"]);
    let kernel = Kernel { entry: code!("sub x0, x0, x1", "ret"), ..subject("sum_of_addresses", &contracts::SUM, 0) };
    finds(&kernel, "undefined-input", &["the returned value depends on the address of `a`"]);
    finds(&kernel, "aliasing", &["the returned value"]);
}

#[test]
fn buffers_that_overlap_are_tried() {
    let kernel = Kernel {
        entry: code!("ldr x2, [x0]", "ldr x3, [x1, #8]", "add x0, x2, x3", "mov x2, #0", "mov x3, #0", "ret"),
        ..subject("sum_shared", &contracts::SUM_SHARED, 0)
    };
    passes(&kernel, &["count-width"]);
    // Right for equal buffers, for disjoint ones and for those that touch.
    let kernel = Kernel {
        entry: code!(
            "sub     x4, x1, x0",
            "ldr     x2, [x0]",
            "ldr     x3, [x1, #8]",
            "sub     x4, x4, #1",
            "cmp     x4, #15",
            "add     x0, x2, x3",
            "cinc    x0, x0, lo",
            "mov     x2, #0",
            "mov     x3, #0",
            "ret",
        ),
        ..subject("sum_overlapping", &contracts::SUM_SHARED, 0)
    };
    finds(&kernel, "aliasing", &["the returned value", "disjoint"]);
    let kernel = Kernel { contract: &contracts::SUM, ..kernel };
    assert!(matches!(outcome(&kernel, "aliasing"), Outcome::Pass { .. }));
}

/// The sum of ten arguments, of which two are on the stack.
macro_rules! scalars {
    ($name:literal, $i:literal, $($line:literal),*) => {
        Kernel {
            entry: code!(
                "mov     w9, w0",
                "add     x9, x9, x1",
                "add     x9, x9, w2, uxtw",
                "add     x9, x9, x3",
                "add     x9, x9, w4, uxtw",
                "add     x9, x9, w5, uxtw",
                "add     x9, x9, w6, uxtw",
                "add     x9, x9, x7",
                $i,
                "add     x9, x9, x10",
                "ldr     x10, [sp, #8]",
                "add     x0, x9, x10",
                $($line,)*
                "ret",
            ),
            ..subject($name, &contracts::SCALARS, 0)
        }
    };
}

#[test]
fn arguments_are_where_the_standard_says() {
    const NO_BUFFERS: &[&str] = &["bounds", "alignment", "aliasing", "count-width", "residue"];
    passes(&scalars!("scalars", "ldr w10, [sp]",), NO_BUFFERS);
    // Undefined bits in a stack slot are undefined as well.
    let kernel = scalars!("scalars_stack_slot", "ldr x10, [sp]",);
    for check in ["abi", "undefined-input"] {
        finds(&kernel, check, &["depends on the stack at and above sp, outside of the arguments"]);
    }
    finds(
        &scalars!("scalars_overwritten", "ldr w10, [sp]", "str x9, [sp, #8]"),
        "abi",
        &["overwrites the argument `j`"],
    );
    finds(&scalars!("scalars_frame", "ldr w10, [sp]", "strb w9, [sp, #16]"), "abi", &["16 bytes above sp"]);
}

#[test]
fn an_exit_that_restores_nothing_is_found() {
    // With count 0 alone.
    let kernel = fold!(
        "fold_early_exit", stack 48,
        start [
            "stp     x19, x20, [sp, #-48]!",
            "str     d8, [sp, #16]",
            "mov     x19, #7",
            "movi    v8.16b, #1"
        ],
        block ["str     x3, [sp, #24]"],
        end [
            "str     xzr, [sp, #24]",
            "ldr     d8, [sp, #16]",
            "ldp     x19, x20, [sp], #48"
        ]
    );
    finds(&kernel, "abi", &["does not preserve x19"]);
}

macro_rules! corrupts {
    ($($test:ident: $line:literal says $word:literal;)*) => {
        $(
            #[test]
            fn $test() {
                // On the way out, and at the start, so that it happens with count 0 too.
                finds(&fold!("fold_corrupting", end [$line]), "abi", &["does not preserve", $word]);
                finds(&fold!("fold_corrupting", start [$line]), "abi", &["does not preserve", $word]);
            }
        )*
    };
}

corrupts! {
    a_lost_x18_is_found: "mov x18, #1" says " x18:";
    a_lost_x19_is_found: "add x19, x19, #1" says " x19:";
    a_lost_x20_is_found: "eor x20, x20, #0x8000000000000000" says " x20:";
    a_lost_x21_is_found: "mov w21, w21" says " x21:";
    a_lost_x22_is_found: "mov x22, x0" says " x22:";
    a_lost_x23_is_found: "add x23, x23, #1" says " x23:";
    a_lost_x24_is_found: "add x24, x24, #1" says " x24:";
    a_lost_x25_is_found: "add x25, x25, #1" says " x25:";
    a_lost_x26_is_found: "add x26, x26, #1" says " x26:";
    a_lost_x27_is_found: "add x27, x27, #1" says " x27:";
    a_lost_x28_is_found: "add x28, x28, #1" says " x28:";
    a_lost_x29_is_found: "mov x29, sp" says " x29:";
    a_lost_d8_is_found: "movi d8, #0" says " d8 ";
    a_lost_d9_is_found: "mov v9.b[7], wzr" says " d9 ";
    a_lost_d10_is_found: "movi d10, #0" says " d10 ";
    a_lost_d11_is_found: "movi d11, #0" says " d11 ";
    a_lost_d12_is_found: "movi d12, #0" says " d12 ";
    a_lost_d13_is_found: "movi d13, #0" says " d13 ";
    a_lost_d14_is_found: "movi d14, #0" says " d14 ";
    a_lost_d15_is_found: "ext v15.16b, v15.16b, v15.16b, #8" says " d15 ";
}

#[test]
fn every_free_register_may_be_lost() {
    let kernel = fold!(
        "fold_clobbering",
        end [
            ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17",
            "mov x\\n, #\\n",
            ".endr",
            ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
            "movi v\\n\\().16b, #\\n",
            ".endr",
            ".irp n, 8, 9, 10, 11, 12, 13, 14, 15",
            "mov v\\n\\().d[1], x0",
            ".endr",
            "msr fpsr, xzr",
            "msr nzcv, xzr"
        ]
    );
    passes(&kernel, &[]);
}

#[test]
fn a_moved_stack_pointer_is_found() {
    finds(&fold!("fold_sp_low", end["sub sp, sp, #32"]), "abi", &["sp 32 bytes lower"]);
    finds(&fold!("fold_sp_high", end["add sp, sp, #16"]), "abi", &["sp 16 bytes higher"]);
}

#[test]
fn changed_floating_point_control_is_found() {
    let kernel = fold!("fold_fpcr", end ["mrs x3, fpcr", "eor x3, x3, #0x1000000", "msr fpcr, x3", "mov x3, xzr"]);
    finds(&kernel, "abi", &["does not preserve fpcr"]);
    let kernel = fold!("fold_fpcr_reset", end["msr fpcr, xzr"]);
    finds(&kernel, "abi", &["does not preserve fpcr"]);
}

#[test]
fn a_frame_larger_than_declared_is_found() {
    finds(&fold!("fold_red_zone", end["str xzr, [sp, #-8]"]), "abi", &["8 bytes below", "declares 0 bytes"]);
    let kernel = fold!("fold_frame", stack 32, end ["sub sp, sp, #48", "str xzr, [sp, #8]", "add sp, sp, #48"]);
    finds(&kernel, "abi", &["40 bytes below", "declares 32 bytes"]);
    // One that puts back what it found is found as well, as there is nothing at the end of a flush stack.
    let kernel = fold!("fold_deep_read", stack 32, end ["ldr x3, [sp, #-40]", "mov x3, xzr"]);
    finds(&kernel, "abi", &["reads the stack 40 bytes below the caller's sp"]);
}

#[test]
fn a_write_above_the_arguments_is_found() {
    finds(&fold!("fold_canary", end["strb wzr, [sp, #40]"]), "abi", &["the caller's stack, 40 bytes above sp"]);
}

#[test]
fn a_read_past_the_end_is_found() {
    finds(&fold!("fold_past_1", end ["ldrb w3, [x1]", "mov x3, xzr"]), "bounds", &["reads memory beyond `blocks`"]);
    let kernel = fold!("fold_past_16", end ["ldr q0, [x1]", "movi v0.16b, #0"]);
    finds(&kernel, "bounds", &["reads memory beyond `blocks`", "at fold_past_16+0x"]);
    let kernel = fold!("fold_straddling", end ["ldur x3, [x1, #-7]", "mov x3, xzr"]);
    finds(&kernel, "bounds", &["reads memory beyond `blocks`"]);
    let kernel = fold!("fold_past_state", store ["ldr x7, [x0, #9]", "mov x7, xzr"]);
    finds(&kernel, "bounds", &["reads memory beyond `state`: byte 16 of 16"]);
}

#[test]
fn a_read_before_the_beginning_is_found() {
    let kernel = fold!("fold_before_1", block["ldurb w5, [x1, #-1]"]);
    finds(&kernel, "bounds", &["reads memory 1 byte before `blocks`"]);
    let kernel = fold!("fold_before_16", block ["ldur q0, [x1, #-16]", "movi v0.16b, #0"]);
    finds(&kernel, "bounds", &["reads memory 16 bytes before `blocks`"]);
}

#[test]
fn a_write_outside_of_a_buffer_is_found() {
    finds(&fold!("fold_write_past", end["strb wzr, [x0, #16]"]), "bounds", &["writes to memory beyond `state`"]);
    finds(
        &fold!("fold_write_before", end["sturb wzr, [x0, #-1]"]),
        "bounds",
        &["writes to memory 1 byte before `state`"],
    );
    // Too far away for the guard page of a short buffer, but not for poison.
    let kernel =
        fold!("fold_write_near", end ["and x3, x0, #0xfffffffffffff000", "str xzr, [x3, #2048]", "mov x3, xzr"]);
    finds(&kernel, "bounds", &["writes to memory"]);
}

#[test]
fn a_write_to_an_input_is_found() {
    let kernel = fold!("fold_write_input", block ["ldrb w5, [x1, #5]", "strb w5, [x1, #5]"]);
    finds(&kernel, "bounds", &["writes to byte 5 of `blocks`, which it may only read"]);
}

#[test]
fn a_read_without_blocks_is_found() {
    let kernel = fold!("fold_read_at_zero", start ["ldrb w3, [x1]", "mov x3, xzr"]);
    finds(&kernel, "bounds", &["reads "]);
    let kernel = Kernel {
        entry: code!("1: ldr x3, [x1], #16", "subs x2, x2, #1", "b.hi 1b", "mov x3, xzr", "ret"),
        ..subject("fold_bottom_tested", &contracts::FOLD, 0)
    };
    finds(&kernel, "bounds", &["reads "]);
}

#[test]
fn an_instruction_that_needs_alignment_is_found() {
    let kernel = fold!("fold_acquire", block["ldaxr w5, [x1]"]);
    finds(&kernel, "alignment", &["of `blocks` with an instruction that needs more alignment"]);
    let kernel = fold!("fold_acquire_state", block["ldaxr x5, [x0]"]);
    finds(&kernel, "alignment", &["of `state` with an instruction that needs more alignment"]);
}

#[test]
fn an_address_that_is_rounded_is_found() {
    // Reads only what it may at some offsets, but not the same.
    let kernel = fold!("fold_rounding", block["and x1, x1, #0xfffffffffffffffc"]);
    finds(&kernel, "alignment", &["`state`", "is not that of a call with disjoint, aligned buffers"]);
}

#[test]
fn undefined_registers_are_found_by_name() {
    let kernel = fold!("fold_x7", store["eor x3, x3, x7"]);
    finds(&kernel, "undefined-input", &["`state` (byte 0) depends on x7, which is no argument"]);
    finds(&kernel, "abi", &["depends on x7"]);
    let kernel = fold!("fold_x16", store ["and x7, x16, #0x100", "eor x3, x3, x7"]);
    finds(&kernel, "undefined-input", &["depends on"]);
    let kernel = fold!("fold_v20", store ["mov x7, v20.d[1]", "eor x4, x4, x7"]);
    finds(&kernel, "undefined-input", &["`state` (byte 8) depends on the upper half of v20"]);
    let kernel = fold!("fold_flags", start["cset x7, cs"], store["add x3, x3, x7"]);
    finds(&kernel, "undefined-input", &["depends on nzcv"]);
    let kernel = fold!("fold_fpcr_input", store ["mrs x7, fpcr", "eor x3, x3, x7"]);
    finds(&kernel, "undefined-input", &["depends on fpcr"]);
    let kernel = fold!("fold_stack_input", stack 16, store ["ldur x7, [sp, #-16]", "eor x3, x3, x7"]);
    finds(&kernel, "undefined-input", &["depends on the stack below sp"]);
    let kernel = fold!("fold_caller_input", store ["ldr x7, [sp]", "eor x3, x3, x7"]);
    finds(&kernel, "undefined-input", &["depends on the stack at and above sp"]);
    let kernel = fold!("fold_sp_input", store ["mov x7, sp", "eor x3, x3, x7"]);
    finds(&kernel, "undefined-input", &["depends on the address of the stack"]);
    let kernel = fold!("fold_address_input", store["eor x3, x3, x1"]);
    finds(&kernel, "undefined-input", &["depends on the address of `blocks`"]);
    let kernel = fold!("fold_poison_input", store ["ldur x7, [x0, #-8]", "eor x3, x3, x7"]);
    finds(&kernel, "undefined-input", &["depends on bytes outside of the buffers"]);
}

#[test]
fn junk_above_a_32_bit_argument_is_found() {
    macro_rules! tweaked {
        ($name:literal, $line:literal) => {
            Kernel {
                contract: &contracts::FOLD_U32,
                entry: code!(
                    "cbz     x2, 2f",
                    "1: ldp  x5, x6, [x1], #16",
                    "ldr     x4, [x0]",
                    "eor     x4, x4, x5",
                    $line,
                    "str     x4, [x0]",
                    "subs    x2, x2, #1",
                    "b.ne    1b",
                    "mov     x4, xzr",
                    "mov     x5, xzr",
                    "mov     x6, xzr",
                    "2: ret",
                ),
                ..subject($name, &contracts::FOLD_U32, 0)
            }
        };
    }
    passes(&tweaked!("fold_u32", "add x4, x4, w3, uxtw"), &[]);
    let kernel = tweaked!("fold_u32_as_u64", "add x4, x4, x3");
    for check in ["abi", "undefined-input"] {
        finds(&kernel, check, &["depends on the bits of x3 above the 32 of `tweak`"]);
    }
}

#[test]
fn a_count_that_is_cut_off_is_found() {
    for (kernel, value) in [
        (fold!("fold_u32_count", start["mov w2, w2"]), "2^32"),
        (fold!("fold_u16_count", start["and x2, x2, #0xffff"]), "2^16"),
        (fold!("fold_i32_count", start ["cmp w2, #0", "csel x2, x2, xzr, ge"]), "2^31"),
        (fold!("fold_u63_count", start["and x2, x2, #0x7fffffffffffffff"]), "2^63"),
        // The bytes of the blocks in 32 bits.
        (fold!("fold_u32_bytes", start ["lsl w2, w2, #4", "lsr x2, x2, #4"]), "2^28"),
        // The bytes of the blocks in 64 bits.
        (fold!("fold_u64_bytes", start ["lsl x2, x2, #4", "lsr x2, x2, #4"]), "2^60"),
    ] {
        finds(&kernel, "count-width", &["returns from a call with `count`", value, "units of `blocks`"]);
    }
}

#[test]
fn an_end_address_that_wraps_is_found() {
    let kernel = Kernel {
        entry: code!(
            "add     x7, x1, x2, lsl #4",
            "ldr     x3, [x0]",
            "1: cmp  x1, x7",
            "b.eq    2f",
            "ldr     x4, [x1], #16",
            "eor     x3, x3, x4",
            "b       1b",
            "2: str  x3, [x0]",
            "mov     x3, xzr",
            "mov     x4, xzr",
            "ret",
        ),
        ..subject("fold_end", &contracts::FOLD, 0)
    };
    finds(&kernel, "count-width", &["returns from a call with `count`", "2^60"]);
}

#[test]
fn a_call_that_runs_into_something_else_is_found() {
    // The last block first: far away, if the count is great.
    let kernel =
        fold!("fold_backwards", start ["add x7, x1, x2, lsl #4", "cbz x2, 2f", "ldur x7, [x7, #-16]", "mov x7, xzr"]);
    finds(&kernel, "count-width", &["should have run into the end of `blocks`"]);
}

#[test]
fn a_loop_without_end_is_found() {
    finds(&fold!("fold_for_ever", end["3: b 3b"]), "bounds", &["does not return", "at fold_for_ever+0x"]);
}

#[test]
fn code_that_is_none_is_found() {
    finds(&fold!("fold_udf", end["udf #0"]), "bounds", &["illegal instruction (0x00000000) at fold_udf+0x"]);
    finds(&fold!("fold_brk", end["brk #1"]), "bounds", &["a trap at fold_brk+0x"]);
    finds(&fold!("fold_lost", end ["mov x30, #8", "ret"]), "bounds", &["jumps to 0x8"]);
    finds(
        &fold!("fold_smash", end ["mov sp, x3", "str x3, [sp]"]),
        "bounds",
        &["writes to 0x0, which belongs to no argument"],
    );
}

#[test]
fn a_process_that_ends_is_found() {
    // exit_group(5)
    let kernel = fold!("fold_exit", end ["mov x8, #94", "mov x0, #5", "svc #0"]);
    finds(&kernel, "bounds", &["ended with exit status 5"]);
}

#[test]
fn secrets_left_in_registers_are_found() {
    for (kernel, register) in [
        (fold!("fold_leaves_x7", store["mov x7, x3"]), "in x7:"),
        (fold!("fold_leaves_x17", store["mov x17, x5"]), "in x17:"),
        (fold!("fold_leaves_v0", store["fmov d0, x3"]), "in d0 "),
        (fold!("fold_leaves_v31", store["mov v31.d[1], x3"]), "in the upper half of v31:"),
        (fold!("fold_leaves_v8", store["mov v8.d[1], x6"]), "in the upper half of v8:"),
    ] {
        finds(&kernel, "residue", &["leaves what depends on a secret", register]);
        for check in ["bounds", "abi", "undefined-input"] {
            assert!(matches!(outcome(&kernel, check), Outcome::Pass { .. }), "{check}");
        }
        let promises_nothing = Kernel { clears: Clears::NOTHING, ..kernel };
        assert!(matches!(outcome(&promises_nothing, "residue"), Outcome::None { .. }));
        let promises_stack = Kernel { clears: Clears { registers: false, stack: true }, ..kernel };
        assert!(matches!(outcome(&promises_stack, "residue"), Outcome::Pass { .. }));
    }
}

#[test]
fn secrets_left_on_the_stack_are_found() {
    let kernel = fold!("fold_leaves_stack", stack 32, store ["stur w3, [sp, #-20]"]);
    finds(&kernel, "residue", &["on the stack, 24 bytes below sp"]);
    let kernel = Kernel { clears: Clears { registers: true, stack: false }, ..kernel };
    assert!(matches!(outcome(&kernel, "residue"), Outcome::Pass { .. }));
}
