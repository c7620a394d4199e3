//! A cipher with one fault at a time, as they have been published of others: in-place reads behind the write, a tweak that is not handed
//! back, a wrong block for one residue of the unroll.

use vambrace::kernels::{Architecture, Kernel};
use vambrace_prover::budget::Limits;
use vambrace_prover::{Outcome, prove};

use super::{assemble, assemble_for, failure_with, kernel};

/// Speck64 in XTS mode, block by block: what the faults are made from.
const RIGHT: &str = "\
    cbz x4, 9f
    ldp w6, w7, [x1]
1:  ldp w8, w9, [x2], #8
    eor w8, w8, w6
    eor w9, w9, w7
    mov x10, x0
    mov w11, w5
2:  ldr w12, [x10], #4
    ror w9, w9, #8
    add w9, w9, w8
    eor w9, w9, w12
    eor w8, w9, w8, ror #29
    subs w11, w11, #1
    b.ne 2b
    eor w8, w8, w6
    eor w9, w9, w7
    stp w8, w9, [x3], #8
    asr w13, w7, #31
    extr w7, w7, w6, #31
    mov w14, #0x1b
    and w13, w13, w14
    eor w6, w13, w6, lsl #1
    subs x4, x4, #1
    b.ne 1b
    stp w6, w7, [x1]
    mov x6, #0
    mov x7, #0
    mov x8, #0
    mov x9, #0
    mov x12, #0
    mov x13, #0
9:  ret";

fn speck64() -> Kernel {
    kernel(Architecture::Aarch64, "speck64_xts_scalar_encrypt")
}

/// What is said of the kernel with other instructions in the place of some.
#[track_caller]
fn fails(name: &str, changes: &[(&str, &str)], parts: &[&str]) {
    let assembly = changes.iter().fold(RIGHT.to_owned(), |text, (old, new)| {
        assert!(text.contains(old), "{name}: {old}");
        text.replacen(old, new, 1)
    });
    let said = failure_with(&speck64(), Limits::default(), name, &assembly);
    for part in parts {
        assert!(said.contains(part), "{name}: {part:?} is not in {said:?}");
    }
}

#[test]
fn the_cipher_without_a_fault_is_proved() {
    let code = assemble("speck64", RIGHT).unwrap();
    let verdict = prove(&speck64(), &code, Limits::default());
    assert_eq!(verdict.outcome, Outcome::Proved);
    // Each number of rounds, in place and not.
    assert_eq!(verdict.cases, 27 * 2);
}

/// The same for ARMv7: the number of blocks and the number of rounds are on the stack.
const RIGHT_IN_A32: &str = "\
    push {r4-r11, lr}
    ldr r4, [sp, #36]
    cmp r4, #0
    beq 9f
    ldr r6, [r1]
    ldr r7, [r1, #4]
1:  ldr r8, [r2], #4
    ldr r9, [r2], #4
    eor r8, r8, r6
    eor r9, r9, r7
    mov r10, r0
    ldr r11, [sp, #40]
2:  ldr r12, [r10], #4
    ror r9, r9, #8
    add r9, r9, r8
    eor r9, r9, r12
    eor r8, r9, r8, ror #29
    subs r11, r11, #1
    bne 2b
    eor r8, r8, r6
    eor r9, r9, r7
    str r8, [r3], #4
    str r9, [r3], #4
    asr r12, r7, #31
    lsl r7, r7, #1
    orr r7, r7, r6, lsr #31
    and r12, r12, #0x1b
    eor r6, r12, r6, lsl #1
    subs r4, r4, #1
    bne 1b
    str r6, [r1]
    str r7, [r1, #4]
    mov r12, #0
9:  pop {r4-r11, pc}";

fn speck64_in_a32() -> Kernel {
    kernel(Architecture::Arm, "speck64_xts_scalar_encrypt")
}

#[test]
fn the_cipher_in_a32_without_a_fault_is_proved() {
    let code = assemble_for(Architecture::Arm, "speck64", RIGHT_IN_A32).unwrap();
    assert_eq!(prove(&speck64_in_a32(), &code, Limits::default()).outcome, Outcome::Proved);
}

#[test]
fn the_instruction_that_made_what_differs_is_named() {
    let parts = ["after 1 blocks", "input[0].m1>>>7", "input[0].m1>>>8", "made by the instruction at offset 0x"];
    fails("rotate", &[("ror w9, w9, #8", "ror w9, w9, #7")], &parts);
    fails("rotate", &[("ror w9, w9, #8", "ror w9, w9, #7")], &["at offset 0x20 (0x13891d29)\n"]);
    // The other rotation is made, and used, by one instruction.
    fails("second-rotate", &[("w8, ror #29", "w8, ror #30")], &["at offset 0x2c (0x4ac87928)\n"]);
    // What is added is right, but to the wrong word.
    fails("addend", &[("add w9, w9, w8", "add w9, w9, w6")], &["at offset 0x24 (0x0b060129)\n"]);
    let wrong = RIGHT_IN_A32.replacen("ror r9, r9, #8", "ror r9, r9, #7", 1);
    let said = failure_with(&speck64_in_a32(), Limits::default(), "rotate", &wrong);
    for part in parts.into_iter().chain(["at offset 0x34 (0xe1a093e9)\n"]) {
        assert!(said.contains(part), "{part:?} is not in {said:?}");
    }
}

#[test]
fn blocks_that_are_not_done_are_still_the_input() {
    // The next block is written to, and read afterwards; out of place that does no harm.
    let ahead = "stp w8, w9, [x3], #8\n cmp x4, #1\n b.eq 3f\n stp w8, w9, [x3]\n3:";
    fails("ahead", &[("stp w8, w9, [x3], #8", ahead)], &["input[1].m0 is written", "not done", "in place"]);
}

#[test]
fn every_block_is_written_once_where_it_belongs() {
    fails("unwritten-block", &[("stp w8, w9, [x3], #8", "add x3, x3, #8")], &["output, which is input[0].m0"]);
    fails("same-place", &[("[x3], #8", "[x3]")], &["output, which is input[0].m0"]);
    fails("before", &[("[x3], #8", "[x3, #-8]!")], &["output, which is input[0].m0"]);
    let beyond = "stp w8, w9, [x3], #8\n str w8, [x3]";
    fails("beyond", &[("stp w8, w9, [x3], #8", beyond)], &["writes 4 bytes at output, which is input+0x8"]);
}

#[test]
fn the_tweak_of_the_block_behind_the_last_is_handed_back() {
    let early = [("ldp w6, w7, [x1]", "ldp w6, w7, [x1]\n mov x15, x1"), ("    stp w6, w7, [x1]\n", "")];
    fails("first-tweak", &early, &["tweak.t0 is not what the specification says"]);
    let last = ("eor w6, w13, w6, lsl #1\n", "eor w6, w13, w6, lsl #1\n stp w6, w7, [x1]\n");
    let without_last = [("stp w8, w9, [x3], #8\n", "stp w8, w9, [x3], #8\n stp w6, w7, [x1]\n"), early[1]];
    fails("last-tweak", &without_last, &["tweak.t0 is not what the specification says"]);
    fails("polynomial", &[("#0x1b", "#0x87")], &["is not what the specification says"]);
    // Handed back after every block it is right, and so this kernel is.
    let often = RIGHT.replacen(last.0, last.1, 1).replacen(early[1].0, "", 1);
    let code = assemble("tweak-each-time", &often).unwrap();
    let verdict = prove(&speck64(), &code, Limits::default());
    assert_eq!(verdict.outcome, Outcome::Proved);
}

#[test]
fn every_residue_of_the_unroll_is_looked_at() {
    // With three blocks left, and then alone, the tweak is used twice.
    let once = "cmp x4, #3\n b.eq 3f\n eor w6, w13, w6, lsl #1\n3:";
    fails("residue", &[("eor w6, w13, w6, lsl #1", once)], &["is not what the specification says"]);
}

#[test]
fn every_number_of_rounds_is_looked_at() {
    // One number of rounds alone has one round less.
    let less = "mov w11, w5\n cmp w5, #13\n b.ne 2f\n sub w11, w11, #1";
    fails("rounds", &[("mov w11, w5", less)], &["with 13 rounds", "is not what the specification says"]);
}
