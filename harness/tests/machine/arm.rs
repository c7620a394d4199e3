//! Subjects for AArch32.

use super::*;

/// Whether this CPU has NEON: bit 12 of the first word, as in the kernel's `arch/arm/include/uapi/asm/hwcap.h`.
fn has_neon() -> bool {
    // SAFETY: asks the C library for a word of the auxiliary vector.
    unsafe { nix::libc::getauxval(nix::libc::AT_HWCAP) & 1 << 12 != 0 }
}

/// `state[0] ^= block[0]; state[1] += block[1]` for each block, in 32-bit words, with lines added at
/// the start, before each block, before the state is stored, and before the registers are cleared.
macro_rules! fold {
    ($name:literal $(, stack $stack:literal)? $(, start [$($start:literal),*])? $(, block [$($block:literal),*])?
     $(, store [$($store:literal),*])? $(, end [$($end:literal),*])?) => {
        Kernel {
            entry: code!(
                ".fpu    neon",
                "push    {{r4, r5}}",
                $($($start,)*)?
                "cmp     r2, #0",
                "beq     2f",
                "ldr     r4, [r0]",
                "ldr     r5, [r0, #4]",
                "1:",
                $($($block,)*)?
                "ldr     r12, [r1]",
                "eor     r4, r4, r12",
                "ldr     r12, [r1, #12]",
                "add     r5, r5, r12",
                "add     r1, r1, #16",
                "subs    r2, r2, #1",
                "bne     1b",
                $($($store,)*)?
                "str     r4, [r0]",
                "str     r5, [r0, #4]",
                "mov     r12, #0",
                $($($end,)*)?
                "2: pop  {{r4, r5}}",
                "bx      lr",
                ".fpu    vfpv3-d16",
            ),
            ..subject($name, &contracts::FOLD, 8 $(+ $stack)?)
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
            "push    {{r4-r11, lr}}",
            "sub     sp, sp, #12",
            "vpush   {{d8-d15}}",
            "mov     r4, r13",
            "movs    r2, r2",
            "beq     2f",
            "1: ldr  r5, [r1], #16",
            "vmov    d15, r5, r5",
            "str     r5, [sp, #64]",
            "ldr     r6, [r0]",
            "eor     r6, r6, r5",
            "str     r6, [r0]",
            "subs    r2, r2, #1",
            "bne     1b",
            "mov     r7, #0",
            "str     r7, [sp, #64]",
            "2: vpop {{d8-d15}}",
            "add     sp, sp, #12",
            "pop     {{r4-r11, pc}}",
        ),
        ..subject("fold_saving", &contracts::FOLD, 112)
    };
    passes(&kernel, &[]);
}

/// In place or not, each word changed on its own.
macro_rules! map {
    ($name:literal, $($line:literal),*) => {
        Kernel {
            entry: code!(
                "push    {{r4-r7}}",
                "lsls    r2, r2, #2",
                "beq     2f",
                "1:",
                $($line,)*
                "subs    r2, r2, #1",
                "bne     1b",
                "2: mov  r12, #0",
                "mov     r3, #0",
                "pop     {{r4-r7}}",
                "bx      lr",
            ),
            ..subject($name, &contracts::MAP, 16)
        }
    };
}

#[test]
fn a_correct_kernel_for_equal_buffers_passes_but_for_its_count() {
    let kernel = map!("map", "ldr     r3, [r1], #4", "eor     r3, r3, #90", "str     r3, [r0], #4");
    for check in ["bounds", "alignment", "aliasing", "abi", "undefined-input", "residue"] {
        assert!(matches!(outcome(&kernel, check), Outcome::Pass { .. }), "{check}");
    }
    // It counts words, and 2^30 units have 2^32 of them.
    finds(&kernel, "count-width", &["returns from a call with `count`", "2^30", "units of `output`"]);
}

#[test]
fn a_store_before_the_load_is_found_when_buffers_are_equal() {
    let kernel =
        map!("map_early_store", "str r2, [r0], #4", "ldr r3, [r1], #4", "eor r3, r3, #90", "str r3, [r0, #-4]");
    finds(&kernel, "aliasing", &["`output` (byte 0)", "disjoint"]);
}

#[test]
fn a_write_only_buffer_that_is_read_is_found() {
    let kernel = map!("map_reading_output", "ldr r3, [r1], #4", "ldr r12, [r0]", "eor r3, r3, r12", "str r3, [r0], #4");
    finds(&kernel, "undefined-input", &["`output`", "what a write-only buffer held"]);
}

#[test]
fn a_returned_value_is_a_result() {
    let kernel = Kernel {
        entry: code!(
            "ldr r2, [r0]",
            "ldr r3, [r0, #4]",
            "ldr r1, [r1, #8]",
            "add r0, r2, r1",
            "mov r1, r3",
            "mov r2, #0",
            "mov r3, #0",
            "bx lr"
        ),
        ..subject("sum", &contracts::SUM, 0)
    };
    passes(&kernel, &["count-width"]);
    let kernel =
        Kernel { entry: code!("ldr r0, [r0]", "mov r1, r3", "bx lr"), ..subject("sum_undefined", &contracts::SUM, 0) };
    finds(&kernel, "undefined-input", &["the returned value depends on r3, which is no argument"]);
    let kernel = Kernel {
        entry: code!("sub r0, r0, r1", "mov r1, #0", "bx lr"),
        ..subject("sum_of_addresses", &contracts::SUM, 0)
    };
    finds(&kernel, "aliasing", &["the returned value"]);
}

#[test]
fn buffers_that_overlap_are_tried() {
    let kernel = Kernel {
        entry: code!(
            "sub     r12, r1, r0",
            "ldr     r2, [r0]",
            "ldr     r3, [r1, #8]",
            "sub     r12, r12, #1",
            "add     r0, r2, r3",
            "cmp     r12, #15",
            "addlo   r0, r0, #1",
            "mov     r1, #0",
            "mov     r2, #0",
            "mov     r3, #0",
            "bx      lr",
        ),
        ..subject("sum_overlapping", &contracts::SUM_SHARED, 0)
    };
    finds(&kernel, "aliasing", &["the returned value", "disjoint"]);
    let kernel = Kernel { contract: &contracts::SUM, ..kernel };
    assert!(matches!(outcome(&kernel, "aliasing"), Outcome::Pass { .. }));
}

/// The sum of ten arguments: a in r0, b in r2 and r3, c at sp, d at sp + 8, e, f and g at sp + 16 to 24, h at
/// sp + 32, i at sp + 40, j at sp + 48.
macro_rules! scalars {
    ($name:literal, $($line:literal),*) => {
        Kernel {
            entry: code!(
                "adds    r2, r2, r0",
                "adc     r3, r3, #0",
                ".irp    at, 0, 16, 20, 24, 40",
                "ldr     r0, [sp, #\\at]",
                "adds    r2, r2, r0",
                "adc     r3, r3, #0",
                ".endr",
                ".irp    at, 8, 32, 48",
                "ldr     r0, [sp, #\\at]",
                "ldr     r1, [sp, #\\at + 4]",
                "adds    r2, r2, r0",
                "adc     r3, r3, r1",
                ".endr",
                $($line,)*
                "mov     r0, r2",
                "mov     r1, r3",
                "bx      lr",
            ),
            ..subject($name, &contracts::SCALARS, 0)
        }
    };
}

#[test]
fn arguments_are_where_the_standard_says() {
    const NO_BUFFERS: &[&str] = &["bounds", "alignment", "aliasing", "count-width", "residue"];
    passes(&scalars!("scalars",), NO_BUFFERS);
    let kernel = scalars!("scalars_padding", "ldr r0, [sp, #4]", "eor r2, r2, r0");
    finds(&kernel, "undefined-input", &["depends on the stack at and above sp, outside of the arguments"]);
    let kernel = scalars!("scalars_r1", "eor r2, r2, r1", "str r0, [sp, #52]");
    finds(&kernel, "abi", &["overwrites the argument `j`"]);
    finds(&scalars!("scalars_frame", "str r0, [sp, #56]"), "abi", &["the caller's stack, 56 bytes above sp"]);
}

macro_rules! corrupts {
    ($($test:ident: [$($line:literal),*] says $word:literal;)*) => {
        $(
            #[test]
            fn $test() {
                finds(&fold!("fold_corrupting", end [$($line),*]), "abi", &["does not preserve", $word]);
                finds(&fold!("fold_corrupting", start [$($line),*]), "abi", &["does not preserve", $word]);
            }
        )*
    };
}

corrupts! {
    a_lost_r4_is_found: ["str r12, [sp]"] says " r4:";
    a_lost_r5_is_found: ["str r12, [sp, #4]"] says " r5:";
    a_lost_r6_is_found: ["add r6, r6, #1"] says " r6:";
    a_lost_r7_is_found: ["add r7, r7, #1"] says " r7:";
    a_lost_r8_is_found: ["bic r8, r8, #0xff0"] says " r8:";
    a_lost_r9_is_found: ["add r9, r9, #1"] says " r9:";
    a_lost_r10_is_found: ["add r10, r10, #1"] says " r10:";
    a_lost_r11_is_found: ["mov r11, sp"] says " r11:";
    a_lost_d8_is_found: ["vmov d8, r0, r1"] says " d8:";
    a_lost_d9_is_found: ["vmov s19, r0"] says " d9:";
    a_lost_d10_is_found: ["vmov s20, r0"] says " d10:";
    a_lost_d11_is_found: ["vmov d11, r0, r1"] says " d11:";
    a_lost_d12_is_found: ["vmov d12, r0, r1"] says " d12:";
    a_lost_d13_is_found: ["vmov d13, r0, r1"] says " d13:";
    a_lost_d14_is_found: ["vmov d14, r0, r1"] says " d14:";
    a_lost_d15_is_found: ["vmov s30, r0"] says " d15:";
}

#[test]
fn every_free_register_may_be_lost() {
    let kernel = fold!(
        "fold_clobbering",
        end [
            "mov r0, #1", "mov r1, #1", "mov r2, #1", "mov r3, #1", "mov r12, #1",
            ".irp n, 0, 1, 2, 3, 4, 5, 6, 7",
            "vmov d\\n, r0, r1",
            ".endr",
            "msr APSR_nzcvqg, r0",
            "vmrs r0, fpscr", "bic r0, r0, #0xf8000000", "bic r0, r0, #0x9f", "vmsr fpscr, r0", "mov r0, #1",
            "pop {{r4, r5}}", "mov r1, lr", "mov lr, #0", "bx r1"
        ]
    );
    passes(&kernel, &[]);
    if has_neon() {
        let kernel = fold!(
            "fold_clobbering_neon",
            end [".irp n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31", "vmov.i8 d\\n, #5", ".endr"]
        );
        passes(&kernel, &[]);
    }
}

#[test]
fn a_moved_stack_pointer_is_found() {
    let kernel = fold!("fold_sp_low", end ["pop {{r4, r5}}", "sub sp, sp, #8", "bx lr"]);
    finds(&kernel, "abi", &["sp 8 bytes lower"]);
    let kernel = fold!("fold_sp_high", end ["pop {{r4, r5}}", "add sp, sp, #4", "bx lr"]);
    finds(&kernel, "abi", &["sp 4 bytes higher"]);
}

#[test]
fn changed_floating_point_control_is_found() {
    let kernel =
        fold!("fold_fpscr", end ["vmrs r12, fpscr", "eor r12, r12, #0x1000000", "vmsr fpscr, r12", "mov r12, #0"]);
    finds(&kernel, "abi", &["does not preserve the control bits of fpscr"]);
    let kernel = fold!("fold_fpscr_reset", end["vmsr fpscr, r12"]);
    finds(&kernel, "abi", &["does not preserve the control bits of fpscr"]);
}

#[test]
fn a_changed_byte_order_is_found() {
    // At the end, after the last load of the kernel; the saved registers are read in the new order.
    let kernel = fold!("fold_setend", end ["pop {{r4, r5}}", "setend be", "bx lr"]);
    finds(&kernel, "abi", &["does not preserve cpsr.e"]);
}

#[test]
fn a_frame_larger_than_declared_is_found() {
    finds(&fold!("fold_red_zone", end["str r12, [sp, #-8]"]), "abi", &["16 bytes below", "declares 8 bytes"]);
    let kernel = fold!("fold_deep_read", stack 24, end ["ldr r12, [sp, #-28]", "mov r12, #0"]);
    finds(&kernel, "abi", &["reads the stack 36 bytes below the caller's sp"]);
}

#[test]
fn a_write_above_the_arguments_is_found() {
    finds(&fold!("fold_canary", end["strb r12, [sp, #48]"]), "abi", &["the caller's stack, 40 bytes above sp"]);
}

#[test]
fn a_read_past_the_end_is_found() {
    let kernel = fold!("fold_past_1", end ["ldrb r12, [r1]", "mov r12, #0"]);
    finds(&kernel, "bounds", &["reads memory beyond `blocks`", "at fold_past_1+0x"]);
    let kernel = fold!("fold_straddling", end ["ldr r12, [r1, #-1]", "mov r12, #0"]);
    finds(&kernel, "bounds", &["reads memory beyond `blocks`"]);
    let kernel = fold!("fold_past_state", store ["ldr r3, [r0, #13]", "mov r3, #0"]);
    finds(&kernel, "bounds", &["reads memory beyond `state`: byte 16 of 16"]);
    if has_neon() {
        let kernel = fold!("fold_past_16", end ["vld1.8 {{d0-d1}}, [r1]", "vmov.i8 q0, #0"]);
        finds(&kernel, "bounds", &["reads memory beyond `blocks`", "at fold_past_16+0x"]);
    }
}

#[test]
fn a_read_before_the_beginning_is_found() {
    let kernel = fold!("fold_before_1", block["ldrb r12, [r1, #-1]"]);
    finds(&kernel, "bounds", &["reads memory 1 byte before `blocks`"]);
    if has_neon() {
        let kernel = fold!("fold_before_16", block ["sub r3, r1, #16", "vld1.8 {{d0-d1}}, [r3]", "vmov.i8 q0, #0"]);
        finds(&kernel, "bounds", &["reads memory 16 bytes before `blocks`"]);
    }
}

#[test]
fn a_write_outside_of_a_buffer_is_found() {
    finds(&fold!("fold_write_past", end["strb r12, [r0, #16]"]), "bounds", &["writes to memory beyond `state`"]);
    finds(
        &fold!("fold_write_before", end["strb r12, [r0, #-1]"]),
        "bounds",
        &["writes to memory 1 byte before `state`"],
    );
}

#[test]
fn a_write_to_an_input_is_found() {
    let kernel = fold!("fold_write_input", block ["ldrb r12, [r1, #5]", "strb r12, [r1, #5]"]);
    finds(&kernel, "bounds", &["writes to byte 5 of `blocks`, which it may only read"]);
}

#[test]
fn a_read_without_blocks_is_found() {
    let kernel = fold!("fold_read_at_zero", start ["ldrb r3, [r1]", "mov r3, #0"]);
    finds(&kernel, "bounds", &["reads "]);
}

#[test]
fn an_instruction_that_needs_alignment_is_found() {
    let kernel = fold!("fold_ldm", block ["ldm r1, {{r3, r12}}", "mov r3, #0"]);
    finds(&kernel, "alignment", &["reads byte ", "of `blocks` with an instruction that needs more alignment"]);
    let kernel = fold!("fold_ldrd", stack 8, block ["push {{r6, r7}}", "ldrd r6, r7, [r1]", "pop {{r6, r7}}"]);
    finds(&kernel, "alignment", &["of `blocks` with an instruction that needs more alignment"]);
    if has_neon() {
        let kernel = fold!("fold_hint", block ["vld1.64 {{d0-d1}}, [r1:128]", "vmov.i8 q0, #0"]);
        finds(&kernel, "alignment", &["of `blocks` with an instruction that needs more alignment"]);
        // The state is aligned to 4, not to 8.
        let kernel = fold!("fold_hint_state", block ["vld1.64 {{d0}}, [r0:64]", "vmov.i8 d0, #0"]);
        finds(&kernel, "alignment", &["of `state` with an instruction that needs more alignment"]);
        let kernel = fold!("fold_word_elements", block ["vld1.32 {{d0}}, [r0]", "vmov.i8 d0, #0"]);
        assert!(matches!(outcome(&kernel, "alignment"), Outcome::Pass { .. }));
    }
}

#[test]
fn a_stack_aligned_to_8_is_not_taken_for_16() {
    if has_neon() {
        let kernel = fold!("fold_stack_hint", stack 24, end ["sub r12, sp, #16", "vmov.i8 q0, #0", "vst1.64 {{d0-d1}}, [r12:128]"]);
        finds(&kernel, "abi", &["the stack", "with an instruction that needs more alignment"]);
    }
}

#[test]
fn undefined_registers_are_found_by_name() {
    let kernel = fold!("fold_r3", store["eor r4, r4, r3"]);
    finds(&kernel, "undefined-input", &["`state` (byte 0) depends on r3, which is no argument"]);
    finds(&kernel, "abi", &["depends on r3"]);
    let kernel = fold!("fold_d7", store ["vmov r3, r12, d7", "eor r4, r4, r12"]);
    finds(&kernel, "undefined-input", &["depends on d7"]);
    if has_neon() {
        let kernel = fold!("fold_d31", store ["vmov r3, r12, d31", "eor r4, r4, r12"]);
        finds(&kernel, "undefined-input", &["depends on d31"]);
    }
    let kernel = fold!("fold_flags", start["sbc r3, r3, r3"], store["eor r4, r4, r3"]);
    finds(&kernel, "undefined-input", &["depends on the flags of cpsr"]);
    let kernel = fold!("fold_ge", start ["mov r3, #0", "mvn r12, #0", "sel r3, r3, r12"], store ["eor r4, r4, r3"]);
    finds(&kernel, "undefined-input", &["depends on the flags of cpsr"]);
    let kernel = fold!("fold_fpscr_flags", start ["vmrs APSR_nzcv, fpscr", "sbc r3, r3, r3"], store ["eor r4, r4, r3"]);
    finds(&kernel, "undefined-input", &["depends on the status bits of fpscr"]);
    let kernel = fold!("fold_stack_input", stack 16, store ["ldr r3, [sp, #-16]", "eor r4, r4, r3"]);
    finds(&kernel, "undefined-input", &["depends on the stack below sp"]);
    let kernel = fold!("fold_address_input", store["eor r4, r4, r1"]);
    finds(&kernel, "undefined-input", &["depends on the address of `blocks`"]);
    let kernel = fold!("fold_poison_input", store ["ldr r3, [r0, #-8]", "eor r4, r4, r3"]);
    finds(&kernel, "undefined-input", &["depends on bytes outside of the buffers"]);
}

#[test]
fn a_count_that_is_cut_off_is_found() {
    for (kernel, value) in [
        (fold!("fold_u16_count", start["uxth r2, r2"]), "2^16"),
        (fold!("fold_i32_count", start["bic r2, r2, r2, asr #31"]), "2^31"),
        (fold!("fold_u31_count", start["bic r2, r2, #0x80000000"]), "2^31"),
        // The bytes of the blocks in 32 bits.
        (fold!("fold_u32_bytes", start ["lsl r2, r2, #4", "lsr r2, r2, #4"]), "2^28"),
    ] {
        finds(&kernel, "count-width", &["returns from a call with `count`", value, "units of `blocks`"]);
    }
}

#[test]
fn an_end_address_that_wraps_is_found() {
    let kernel = Kernel {
        entry: code!(
            "add     r2, r1, r2, lsl #4",
            "ldr     r3, [r0]",
            "1: cmp  r1, r2",
            "ldrne   r12, [r1], #16",
            "eorne   r3, r3, r12",
            "bne     1b",
            "str     r3, [r0]",
            "mov     r3, #0",
            "mov     r12, #0",
            "bx      lr",
        ),
        ..subject("fold_end", &contracts::FOLD, 0)
    };
    finds(&kernel, "count-width", &["returns from a call with `count`", "2^28"]);
}

#[test]
fn a_loop_without_end_is_found() {
    finds(&fold!("fold_for_ever", end["3: b 3b"]), "bounds", &["does not return", "at fold_for_ever+0x"]);
}

#[test]
fn code_that_is_none_is_found() {
    finds(&fold!("fold_udf", end["udf #3"]), "bounds", &["illegal instruction (0xe7f000f3) at fold_udf+0x"]);
    finds(&fold!("fold_bkpt", end["bkpt #1"]), "bounds", &["a trap at fold_bkpt+0x"]);
    finds(&fold!("fold_lost", end ["mov lr, #8", "bx lr"]), "bounds", &["jumps to 0x8"]);
    // Into Thumb state, from which the way back must be found as well.
    finds(&fold!("fold_thumb", end ["mov lr, #9", "bx lr"]), "bounds", &["jumps to 0x8"]);
    finds(
        &fold!("fold_smash", end ["mov sp, r12", "str r12, [sp]"]),
        "bounds",
        &["writes to 0x0, which belongs to no argument"],
    );
    // A fault in the other byte order.
    finds(
        &fold!("fold_setend_fault", end ["setend be", "ldr r3, [r12]"]),
        "bounds",
        &["reads 0x0, which belongs to no argument"],
    );
}

#[test]
fn a_process_that_ends_is_found() {
    // exit_group(5)
    let kernel = fold!("fold_exit", end ["mov r7, #248", "mov r0, #5", "svc #0"]);
    finds(&kernel, "bounds", &["ended with exit status 5"]);
}

#[test]
fn secrets_left_in_registers_are_found() {
    let mut kernels = vec![
        (fold!("fold_leaves_r3", store["mov r3, r4"]), "in r3:"),
        (fold!("fold_leaves_r12", end["ldr r12, [r0]"]), "in r12:"),
        (fold!("fold_leaves_lr", end ["pop {{r4, r5}}", "mov r12, lr", "ldr lr, [r0]", "bx r12"]), "in lr:"),
        (fold!("fold_leaves_d0", store["vmov s1, r4"]), "in d0:"),
    ];
    if has_neon() {
        kernels.push((fold!("fold_leaves_q15", store["vmov d30, r4, r5"]), "in d30:"));
    }
    for (kernel, register) in kernels {
        finds(&kernel, "residue", &["leaves what depends on a secret", register]);
        for check in ["bounds", "abi", "undefined-input"] {
            assert!(matches!(outcome(&kernel, check), Outcome::Pass { .. }), "{check}");
        }
    }
}

#[test]
fn secrets_left_on_the_stack_are_found() {
    let kernel = fold!("fold_leaves_stack", stack 32, store ["str r4, [sp, #-12]"]);
    finds(&kernel, "residue", &["on the stack, 24 bytes below sp"]);
    let kernel = Kernel { clears: Clears { registers: true, stack: false }, ..kernel };
    assert!(matches!(outcome(&kernel, "residue"), Outcome::Pass { .. }));
}
