//! Kernels and contracts with which something is wrong: each is a failed proof that says what, never a pass and never a panic.

#[path = "../support/assembler.rs"]
mod assembler;
mod ciphers;

use std::path::Path;
use std::time::{Duration, Instant};

use vambrace::kernels::{ALL, Access, Argument, Contract, Kernel, Returns, Secrecy, Size};
use vambrace_contract::Architecture;
use vambrace_prover::budget::Limits;
use vambrace_prover::code::{Code, CodeError, ElfFile};
use vambrace_prover::{Outcome, prove};

/// A kernel of this library.
fn kernel(architecture: Architecture, name: &str) -> Kernel {
    let mut all = ALL.iter().copied().flatten();
    *all.find(|kernel| kernel.architecture == architecture && kernel.name == name).unwrap()
}

/// The contract of a real kernel: state, blocks, count; 128 bytes of stack.
fn sha256() -> Kernel {
    sha256_for(Architecture::Aarch64)
}

fn sha256_for(architecture: Architecture) -> Kernel {
    kernel(architecture, "sha256_scalar")
}

fn assemble(name: &str, assembly: &str) -> Result<Code, CodeError> {
    assemble_for(Architecture::Aarch64, name, assembly)
}

fn assemble_for(architecture: Architecture, name: &str, assembly: &str) -> Result<Code, CodeError> {
    let (compiler, head) = match architecture {
        Architecture::Aarch64 => (assembler::AARCH64, ""),
        Architecture::Arm => (assembler::ARM, ".syntax unified\n.arch armv7-a\n.fpu neon\n.arm\n"),
    };
    let text = format!(
        "{head}.text\n.global kernel\n.type kernel, %function\nkernel:\n{assembly}\n.size kernel, . - kernel\n"
    );
    let data = assembler::assemble(compiler, &format!("{name}-{architecture}"), &text);
    ElfFile::parse(&data, architecture)?.function("kernel")
}

fn failure_with(kernel: &Kernel, limits: Limits, name: &str, assembly: &str) -> String {
    let code = assemble_for(kernel.architecture, name, assembly).unwrap();
    match prove(kernel, &code, limits).outcome {
        Outcome::NotProved(failure) => failure.to_string(),
        other => panic!("{name}: {other:?}"),
    }
}

/// What is said of a kernel with the contract of SHA-256.
#[track_caller]
fn fails(name: &str, assembly: &str, parts: &[&str]) {
    fails_for(Architecture::Aarch64, name, assembly, parts);
}

/// The same for A32: state, blocks and count in r0 to r2.
#[track_caller]
fn fails_in_a32(name: &str, assembly: &str, parts: &[&str]) {
    fails_for(Architecture::Arm, name, assembly, parts);
}

#[track_caller]
fn fails_for(architecture: Architecture, name: &str, assembly: &str, parts: &[&str]) {
    let said = failure_with(&sha256_for(architecture), Limits::default(), name, assembly);
    for part in parts {
        assert!(said.contains(part), "{name}: {part:?} is not in {said:?}");
    }
}

#[test]
fn a_kernel_that_does_nothing_is_right_for_no_block_only() {
    fails("nothing", "ret", &["not known how many blocks are left: 0 to"]);
    fails(
        "one-block",
        "cbz x2, 1f\n subs x2, x2, #1\n b.eq 1f\n 1: ret",
        &["state.h0", "after 1 block", "for state.h0 = 0x", "specification ("],
    );
}

#[test]
fn what_no_instruction_made_is_told_by_the_one_that_wrote_it() {
    let copies = "cbz x2, 1f\n ldr w3, [x0, #4]\n str w3, [x0]\n mov w3, #0\n subs x2, x2, #1\n b.eq 1f\n 1: ret";
    let parts = ["state.h0", "after 1 block", "written by the instruction at offset 0x8 (0xb9000003)"];
    fails("copies", copies, &parts);
}

#[test]
fn words_that_are_no_instructions_are_named() {
    fails("undefined", "nop\n .inst 0x00000000\n ret", &["offset 0x4", "0x00000000 is no instruction"]);
    // FADD: an instruction, but not one that the prover knows.
    fails("unknown", ".inst 0x1e622820\n ret", &["offset 0x0", "0x1e622820 is no instruction that the prover knows"]);
    // A shift of a 32-bit register by 32: reserved.
    fails("reserved", ".inst 0x0b028020\n ret", &["0x0b028020"]);
}

#[test]
fn control_flow_stays_where_it_can_be_followed() {
    fails("indirect", "br x1", &["offset 0x0", "0xd61f0020 is an indirect branch"]);
    fails("call", "blr x1\n ret", &["indirect branch"]);
    fails("elsewhere", "ret x1", &["return is not to the address that the caller gave"]);
    fails("falls-off", "nop", &["execution leaves the kernel's code"]);
    fails(
        "into-literals",
        "b 1f\n .balign 4\n .word 0xd65f03c0\n 1:\n .word 0xd65f03c0",
        &["execution leaves the kernel's code"],
    );
}

#[test]
fn branches_do_not_depend_on_secrets() {
    fails(
        "secret-bound",
        "ldr w3, [x0]\n 1: subs w3, w3, #1\n b.ne 1b\n ret",
        &["offset 0x8", "depends on a secret: ", "state.h0"],
    );
    fails("secret-zero", "ldr w3, [x1]\n cbz w3, 1f\n 1: ret", &["reads 4 bytes at blocks+0x0"]);
    fails(
        "secret-select",
        "cbz x2, 1f\n ldr w3, [x1]\n cmp w3, #0\n csel x4, x5, x6, eq\n 1: ret",
        &["depends on a secret", "blocks[0].m0"],
    );
    fails("unknown-branch", "cbz x5, 1f\n 1: ret", &["neither constant nor the number of units left", "x5 at entry"]);
    fails("unset-flags", "b.eq 1f\n 1: ret", &["flags that no instruction"]);
}

#[test]
fn addresses_are_arguments_and_no_secrets() {
    fails(
        "secret-address",
        "cbz x2, 1f\n ldr w3, [x0]\n add x4, x0, w3, uxtw\n ldr w5, [x4]\n 1: ret",
        &["offset 0xc", "its address depends on a secret"],
    );
    fails("absolute-address", "mov x3, #4096\n ldr w4, [x3]\n ret", &["no argument with a known offset", "0x1000"]);
    fails("secret-divisor", "ldr w3, [x0]\n udiv w4, w2, w3\n ret", &["UDIV", "secret"]);
}

#[test]
fn accesses_stay_inside_what_the_contract_grants() {
    fails("beyond-state", "ldr w3, [x0, #32]\n ret", &["reads 4 bytes at state+0x20", "+0x0 to +0x20"]);
    fails("before-state", "ldur w3, [x0, #-4]\n ret", &["reads 4 bytes at state-0x4"]);
    fails(
        "beyond-message",
        "cbz x2, 1f\n ldr w3, [x1, #64]\n 1: ret",
        &["reads 4 bytes at blocks+0x40", "+0x0 to +0x40"],
    );
    fails("no-block", "ldr w3, [x1]\n ret", &["reads 4 bytes at blocks+0x0", "+0x0 to +0x0"]);
    fails("read-only", "cbz x2, 1f\n str wzr, [x1]\n 1: ret", &["writes to blocks+0x0", "only read"]);
    fails("own-code", "0: adr x3, 0b\n str w3, [x3]\n ret", &["offset 0x4", "writes to its own code at +0x0"]);
    fails(
        "code-as-data",
        "0: adr x3, 0b\n ldr w3, [x3]\n ret",
        &["reads 4 bytes at +0x0 of the kernel", "not all literals of its own"],
    );
    fails(
        "beside-literals",
        "adr x3, 1f\n ldr x4, [x3, #4]\n ret\n 1: .word 1, 2",
        &["reads 8 bytes at +0x10 of the kernel"],
    );
}

#[test]
fn the_stack_is_used_as_declared() {
    fails(
        "too-deep",
        "sub sp, sp, #144\n str x0, [sp]\n add sp, sp, #144\n ret",
        &["writes 8 bytes at sp-0x90", "-0x80"],
    );
    fails("red-zone", "stur x0, [sp, #-8]\n ret", &["below the stack pointer"]);
    fails("callers-stack", "str x0, [sp]\n ret", &["sp+0x0"]);
    fails("unaligned", "sub sp, sp, #8\n str x0, [sp]\n add sp, sp, #8\n ret", &["not aligned to 16 bytes"]);
    // What was there before may be read, but nothing may come of it.
    fails(
        "unwritten",
        "sub sp, sp, #16\n ldr x3, [sp]\n add sp, sp, #16\n cbz x3, 1f\n 1: ret",
        &["neither constant nor the number of units left", "what was at sp-0x10"],
    );
}

#[test]
fn what_is_passed_on_the_stack_is_what_it_was_at_entry() {
    // The ninth argument is the count. In the loop it is not the number of blocks left.
    let again = "ldr x10, [sp]\n cbz x10, 9f\n 1: subs x10, x10, #1\n ldr x9, [sp]\n cmp x9, #1\n b.ne 1b\n 9: ret";
    let said =
        failure_with(&kernel(Architecture::Aarch64, "blake2s_neon_x4"), Limits::default(), "stack-argument", again);
    assert!(said.contains("neither constant nor the number of units left") && said.contains("blocks done"), "{said}");
}

/// A whole loop that leaves the state alone: what is wrong then is found before the state is.
fn identity(rest: &str) -> String {
    format!("cbz x2, 9f\n 1: subs x2, x2, #1\n b.ne 1b\n {rest}\n 9: ret")
}

#[test]
fn what_the_caller_owns_comes_back() {
    // Without a block these kernels are right but for one thing; the way without one is looked at first.
    fails("saved-register", "mov x19, #0\n cbz x2, 9f\n 9: ret", &["x19 is not given back"]);
    fails("saved-vector", "movi v8.2d, #0\n cbz x2, 9f\n 9: ret", &["v8 is not given back"]);
    fails("stack-pointer", "sub sp, sp, #16\n cbz x2, 9f\n 9: ret", &["sp is not given back"]);
    fails("wrong-output", &identity(""), &["after 1 blocks state.h0"]);
}

#[test]
fn nothing_secret_is_left() {
    let left = |what: &str| format!("{what}\n cbz x2, 9f\n 9: ret");
    fails("left-register", &left("ldr w3, [x0]"), &["x3 holds a secret", "state.h0"]);
    fails("left-vector", &left("ldr q3, [x0]"), &["v3 holds a secret"]);
    let pushed = "ldr w3, [x0]\n str x3, [sp, #-16]!\n mov x3, #0\n add sp, sp, #16";
    fails("left-stack", &left(pushed), &["stack holds a secret", "sp-0x10"]);
    fails("left-flags", &left("ldr w3, [x0]\n cmp w3, #1\n mov w3, #0"), &["flags depend on a secret"]);
}

#[test]
fn words_and_ways_of_a32_are_followed_or_refused() {
    fails_in_a32("undefined", "nop\n .inst 0xe7f000f0\n bx lr", &["offset 0x4", "0xe7f000f0 is no instruction"]);
    // UMULL: an instruction, but not one that the prover knows.
    fails_in_a32("unknown", ".inst 0xe0810392\n bx lr", &["offset 0x0", "no instruction that the prover knows"]);
    // The condition 1111 is no condition of data processing.
    fails_in_a32("unconditional", ".inst 0xf0810002\n bx lr", &["0xf0810002"]);
    fails_in_a32("indirect", "blx r1", &["offset 0x0", "indirect branch"]);
    fails_in_a32("elsewhere", "bx r1", &["return is not to the address that the caller gave"]);
    fails_in_a32("popped", "push {r4, r5}\n pop {r4, pc}", &["offset 0x4", "return is not to the address"]);
    fails_in_a32("computed", "add pc, pc, r1", &["is no instruction that the prover knows"]);
    fails_in_a32("falls-off", "nop", &["execution leaves the kernel's code"]);
    fails_in_a32("into-literals", "b 1f\n .word 0xe12fff1e\n 1: .word 0xe12fff1e", &["leaves the kernel's code"]);
    let thumb = assemble_for(Architecture::Arm, "thumb", ".thumb\n bx lr\n nop");
    assert_eq!(thumb, Err(CodeError::Thumb(0)));
}

#[test]
fn conditions_and_addresses_of_a32_are_public() {
    fails_in_a32("secret-bound", "ldr r3, [r0]\n 1: subs r3, r3, #1\n bne 1b\n bx lr", &["depends on a secret"]);
    let conditional = "cmp r2, #0\n bxeq lr\n ldr r3, [r1]\n cmp r3, #0\n addeq r3, r3, #1\n bx lr";
    fails_in_a32("secret-condition", conditional, &["offset 0x10", "depends on a secret", "blocks[0].m0"]);
    fails_in_a32("secret-shift", "ldr r3, [r0]\n lsrs r3, r3, #1\n bcs 1f\n 1: bx lr", &["the carry of a shift"]);
    fails_in_a32("unknown-branch", "cmp r5, #0\n beq 1f\n 1: bx lr", &["neither constant nor the number of units"]);
    fails_in_a32("unset-flags", "beq 1f\n 1: bx lr", &["flags that no instruction"]);
    fails_in_a32("secret-address", "ldr r3, [r0]\n ldr r4, [r0, r3]\n bx lr", &["address depends on a secret"]);
    fails_in_a32("absolute-address", "mov r3, #4096\n ldr r4, [r3]\n bx lr", &["no argument with a known offset"]);
    let two = "add r3, r0, r1\n ldr r4, [r3]\n bx lr";
    fails_in_a32("two-bases", two, &["no argument with a known offset", "state + blocks"]);
}

#[test]
fn accesses_of_a32_stay_inside_what_is_granted() {
    fails_in_a32("beyond-state", "ldr r3, [r0, #32]\n bx lr", &["reads 4 bytes at state+0x20", "+0x0 to +0x20"]);
    fails_in_a32("before-state", "ldrb r3, [r0, #-1]\n bx lr", &["reads 1 bytes at state-0x1"]);
    fails_in_a32("two-words", "ldrd r4, r5, [r0, #28]\n bx lr", &["reads 4 bytes at state+0x20"]);
    fails_in_a32("many-words", "add r3, r0, #4\n ldm r3, {r4-r11}\n bx lr", &["reads 4 bytes at state+0x20"]);
    fails_in_a32("vectors", "vld1.8 {d0-d3}, [r0]!\n vld1.8 {d0}, [r0]\n bx lr", &["reads 8 bytes at state+0x20"]);
    fails_in_a32("no-block", "ldr r3, [r1]\n bx lr", &["reads 4 bytes at blocks+0x0", "+0x0 to +0x0"]);
    let message = "cmp r2, #0\n bxeq lr\n strb r2, [r1]\n bx lr";
    fails_in_a32("read-only", message, &["writes to blocks+0x0", "only read"]);
    fails_in_a32("own-code", "0: adr r3, 0b\n str r3, [r3]\n bx lr", &["offset 0x4", "writes to its own code at +0x0"]);
    fails_in_a32("code-as-data", "0: adr r3, 0b\n ldr r3, [r3]\n bx lr", &["not all literals of its own"]);
}

#[test]
fn stack_and_registers_of_a32_are_used_as_declared() {
    fails_in_a32(
        "too-deep",
        "sub sp, sp, #4096\n str r0, [sp]\n add sp, sp, #4096\n bx lr",
        &["writes 4 bytes at sp-0x1000"],
    );
    fails_in_a32("red-zone", "str r0, [sp, #-4]\n bx lr", &["below the stack pointer"]);
    fails_in_a32("red-zone-vectors", "sub r3, sp, #8\n vst1.8 {d0}, [r3]\n bx lr", &["below the stack pointer"]);
    fails_in_a32("callers-stack", "str r0, [sp]\n bx lr", &["sp+0x0"]);
    let without_block = |what: &str| format!("{what}\n cmp r2, #0\n beq 9f\n 9: bx lr");
    fails_in_a32("saved-register", &without_block("mov r11, #0"), &["r11 is not given back"]);
    fails_in_a32("saved-vector", &without_block("vmov.i32 d15, #0"), &["d15 is not given back"]);
    fails_in_a32("stack-pointer", &without_block("sub sp, sp, #8"), &["r13 is not given back"]);
    fails_in_a32("left-register", &without_block("ldr r3, [r0]"), &["r3 holds a secret", "state.h0"]);
    fails_in_a32("left-vector", &without_block("vld1.8 {d31}, [r0]"), &["d31 holds a secret"]);
    let pushed = "ldr r3, [r0]\n push {r3, r4}\n mov r3, #0\n add sp, sp, #8";
    fails_in_a32("left-stack", &without_block(pushed), &["stack holds a secret", "sp-0x8"]);
    fails_in_a32(
        "wrong-output",
        "cmp r2, #0\n bxeq lr\n 1: subs r2, r2, #1\n bne 1b\n bx lr",
        &["after 1 blocks state.h0", "for state.h0 = 0x", "specification ("],
    );
}

#[test]
fn a_limit_that_is_reached_is_a_failure() {
    fails(
        "no-progress",
        "1: b 1b\n ret",
        &["a turn of the loop may take 1 blocks where only 0 may be left: it need not end"],
    );
    let endless = "mov x3, #0\n 1: add x3, x3, #1\n cmp x3, #0\n b.ne 1b\n ret";
    fails("endless", endless, &["it need not end"]);
    let long = ".rept 100000\n nop\n .endr\n ret";
    let limits = Limits { steps: 1000, ..Limits::default() };
    assert!(failure_with(&sha256(), limits, "long", long).contains("more than 1000 instructions"));
    let limits = Limits { time: Duration::from_millis(1), ..Limits::default() };
    assert!(failure_with(&sha256(), limits, "too-long", long).contains("the proof took more than 0.001 s"));
    // A sum that each turn makes longer, already where loops are looked for.
    let growing = "1: add x3, x3, x1\n add x4, x4, x3, lsl #1\n eor x5, x3, x4\n add x6, x6, x5\n b 1b";
    let limits = Limits { time: Duration::from_millis(100), ..Limits::default() };
    let began = Instant::now();
    let said = failure_with(&sha256(), limits, "growing", growing);
    assert!(said.contains("it need not end"), "{said}");
    assert!(began.elapsed() < Duration::from_secs(10), "the proof took {:?}", began.elapsed());
    // Products of sums of products: the normal form doubles with each.
    let mut blow_up = "ldp w3, w4, [x0]\n ldp w5, w6, [x0, #8]\n".to_owned();
    for _ in 0..40 {
        blow_up += "eor w7, w3, w4, ror #5\n eor w8, w5, w6, ror #7\n and w3, w7, w8\n";
        blow_up += "eor w4, w4, w3, ror #3\n orr w5, w5, w4, ror #11\n eor w6, w6, w5, ror #13\n";
    }
    let said = failure_with(&sha256(), Limits::default(), "blow-up", &(blow_up + "ret"));
    assert!(said.contains("a polynomial has more than 4096 products") && said.contains("at offset 0x"), "{said}");
}

#[test]
fn contracts_that_do_not_fit_are_refused() {
    const STATE: Argument = Argument::buffer("state", Size::Fixed(32), Access::ReadWrite, Secrecy::Secret);
    const BLOCKS: Argument =
        Argument::buffer("blocks", Size::Affine { base: 0, per: 64, argument: 2 }, Access::Read, Secrecy::Secret);
    let refused = |arguments: &'static [Argument]| {
        let contract = Contract { algorithm: "sha256", operation: "compress", arguments, returns: Returns::Nothing };
        let kernel = Kernel { contract: Box::leak(Box::new(contract)), ..sha256() };
        failure_with(&kernel, Limits::default(), "contract", "ret")
    };
    static OVERLAPPING: [Argument; 3] = [STATE.shared(), BLOCKS, Argument::count("count")];
    assert!(refused(&OVERLAPPING).contains("argument 0 is written, so it cannot overlap others"));
    static IN_PLACE: [Argument; 3] = [STATE, BLOCKS.may_equal(0), Argument::count("count")];
    assert!(refused(&IN_PLACE).contains("contradicts itself"));
    static LARGE: [Argument; 3] = [
        Argument::buffer("state", Size::Fixed(64), Access::ReadWrite, Secrecy::Secret),
        BLOCKS,
        Argument::count("count"),
    ];
    assert!(refused(&LARGE).contains("argument state has a shape for which the specification has no use"));
    static MORE: [Argument; 4] = [STATE, BLOCKS, Argument::count("count"), Argument::count("more")];
    assert!(refused(&MORE).contains("1 further scalars"));
    static NO_COUNT: [Argument; 1] = [STATE];
    assert!(refused(&NO_COUNT).contains("no count of blocks"));
}

#[test]
fn files_that_cannot_be_proved_are_refused() {
    let relocated = assemble("relocation", "nop\n bl elsewhere\n ret");
    assert_eq!(relocated, Err(CodeError::Relocation(4)));
    assert!(matches!(ElfFile::parse(b"no ELF", Architecture::Aarch64), Err(CodeError::Elf(_))));
    let object = Path::new(env!("CARGO_TARGET_TMPDIR")).join("relocation-aarch64.o");
    let data = std::fs::read(object).unwrap();
    let Err(error) = ElfFile::parse(&data, Architecture::Arm) else {
        panic!("a file for AArch64 was taken for one for ARM")
    };
    assert!(error.to_string().contains("not for arm"), "{error}");
    let missing = ElfFile::parse(&data, Architecture::Aarch64).unwrap().function("nowhere");
    assert_eq!(missing, Err(CodeError::Missing("nowhere".to_owned())));
}

#[test]
fn an_entry_point_without_a_specification_is_not_attempted() {
    let contract = Contract { operation: "something else", ..*sha256().contract };
    let kernel = Kernel { contract: Box::leak(Box::new(contract)), ..sha256() };
    let code = assemble("without-specification", "ret").unwrap();
    assert!(matches!(prove(&kernel, &code, Limits::default()).outcome, Outcome::NotAttempted(_)));
}
