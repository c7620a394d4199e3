//! Functions of object files: what they refer to outside of themselves is followed where it is known, and refused elsewhere.

#[path = "support/assembler.rs"]
mod assembler;

use vambrace::kernels::{ALL, Kernel};
use vambrace_contract::Architecture;
use vambrace_prover::budget::Limits;
use vambrace_prover::code::{Code, CodeError, ElfFile, Table};
use vambrace_prover::{Outcome, prove};

/// What a function says that has come to the end of its way.
const RETURNED: &str = "it returns although it is not known how many blocks are left";

/// The contract of SHA-256: state, blocks, count; 128 bytes of stack.
fn sha256(architecture: Architecture) -> Kernel {
    let mut kernels = ALL.iter().copied().flatten();
    *kernels.find(|kernel| kernel.architecture == architecture && kernel.name == "sha256_scalar").unwrap()
}

/// A function with what lies around it.
fn around(before: &str, function: &str, behind: &str) -> String {
    format!(
        ".text\n{before}\n.global kernel\n.type kernel, %function\nkernel:\n{function}\n.size kernel, . - kernel\n{behind}\n"
    )
}

fn aarch64(name: &str, text: &str, variables: &[Table]) -> Result<Code, CodeError> {
    let data = assembler::assemble(assembler::AARCH64, name, text);
    ElfFile::parse(&data, Architecture::Aarch64)?.object("kernel", variables)
}

fn said_of(architecture: Architecture, code: &Code) -> String {
    match prove(&sha256(architecture), code, Limits::default()).outcome {
        Outcome::NotProved(failure) => failure.to_string(),
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn says(name: &str, function: &str, behind: &str, part: &str) {
    let code = aarch64(name, &around("", function, behind), &[]).unwrap();
    let said = said_of(Architecture::Aarch64, &code);
    assert!(said.contains(part), "{name}: {part:?} is not in {said:?}");
}

/// Two tables of constants.
const TABLES: &str =
    ".section .rodata\n.balign 8\nfirst: .word 3, 5\n.size first, 8\nsecond: .word 7, 9\n.size second, 8";

/// Returns if w4 is 5, and else has no instruction.
const IF_FIVE: &str = "cmp w4, #5\n b.ne 8f\n ret\n 8: .inst 0";

#[test]
fn constants_of_the_object_are_read() {
    let read = |how: &str| format!("adrp x3, first + 4\n {how}\n {IF_FIVE}");
    says("table-add", &read("add x3, x3, :lo12:first + 4\n ldr w4, [x3]"), TABLES, RETURNED);
    says("table-load", &read("ldr w4, [x3, :lo12:first + 4]"), TABLES, RETURNED);
    let other = "adrp x3, first\n add x3, x3, :lo12:first\n ldr w4, [x3]\n";
    says("table-other", &(other.to_owned() + IF_FIVE), TABLES, "0x00000000 is no instruction");
    // Without a symbol that has a size the table is what lies between those that have one.
    let unsized_table = ".section .rodata\n.balign 4\nnamed: .word 3\n.size named, 4\nbare: .word 4, 5";
    let read_bare = "adrp x3, bare\n add x3, x3, :lo12:bare\n ldr w4, [x3, #4]\n";
    says("table-bare", &(read_bare.to_owned() + IF_FIVE), unsized_table, RETURNED);
}

#[test]
fn a_table_ends_where_its_symbol_does() {
    let get = "adrp x3, first\n add x3, x3, :lo12:first\n";
    says(
        "table-beyond",
        &format!("{get} ldr w4, [x3, #8]\n ret"),
        TABLES,
        "4 bytes at first+0x8, of which the contract grants +0x0 to +0x8",
    );
    says("table-before", &format!("{get} ldur w4, [x3, #-4]\n ret"), TABLES, "reads 4 bytes at first-0x4");
    says(
        "table-store",
        &format!("{get} str wzr, [x3]\n ret"),
        TABLES,
        "writes to first+0x0, which the contract lets it only read",
    );
    // Half of an address is no address.
    says("page-alone", "adrp x3, first\n ldr w4, [x3]\n ret", TABLES, "no argument with a known offset");
    says("mixed", "adrp x3, first\n ldr w4, [x3, :lo12:second]\n ret", TABLES, "no argument with a known offset");
}

#[test]
fn what_may_be_anything_after_linking_is_not_executed() {
    let load = "nop\n adrp x3, there\n ldr w4, [x3, :lo12:there]\n ret";
    let section = |flags: &str| format!(".section .other, {flags}\n.balign 8\nthere: .word 5\n.size there, 4");
    let unlinked = "offset 0x4 (0x90000003): what stands there is known only after linking: relocation R_AARCH64_ADR_PREL_PG_HI21 against ";
    says(
        "undefined",
        load,
        "",
        &format!("{unlinked}there: it is neither in the object nor a variable of the contract"),
    );
    says("writable", load, &section("\"aw\""), "it can be written, and is no variable of the contract");
    says("merged", load, &section("\"aM\", %progbits, 4"), "the linker may merge its section");
    says("weak", load, &format!("{}\n.weak there", section("\"a\"")), "it is weak");
    says("pointer", load, &section("\"a\"").replace(".word 5", ".xword kernel"), "has relocations of its own");
    says("call", "bl elsewhere\n ret", "", "R_AARCH64_CALL26 against elsewhere: of a kind that is not followed");
    says("absolute", "movz x3, #:abs_g0:there\n ret", TABLES, "R_AARCH64_MOVW_UABS_G0");
    // Where it is not executed it does no harm.
    says("other-way", "ret\n bl elsewhere", "", RETURNED);
    says(
        "wrong-size",
        &load
            .replace("ldr w4, [x3, :lo12:there]", ".reloc ., R_AARCH64_LDST64_ABS_LO12_NC, first\n ldr w4, [x3]")
            .replace("adrp x3, there", "adrp x3, first"),
        TABLES,
        "for another instruction",
    );
    says("not-adrp", ".reloc ., R_AARCH64_ADR_PREL_PG_HI21, first\n nop\n ret", TABLES, "which is for ADRP alone");
}

#[test]
fn the_way_may_lead_through_the_whole_section() {
    let other = ".type other, %function\nother: ret\n.size other, . - other";
    says("other-function", "b other", other, RETURNED);
    let before = ".word 5\nback: adr x3, back\n ldur w4, [x3, #-4]\n b tested";
    let tested = format!("b back\n tested: {IF_FIVE}");
    let code = aarch64("before", &around(before, &tested, ""), &[]).unwrap();
    assert_eq!(code.entry(), 16);
    let said = said_of(Architecture::Aarch64, &code);
    assert!(said.contains(RETURNED), "{said}");
    says("out", "b . + 0x1000", "", "execution leaves the kernel's code");
}

#[test]
fn each_value_of_a_variable_is_a_case() {
    let text = around("", &format!("adrp x3, chosen\n ldr w4, [x3, :lo12:chosen]\n {IF_FIVE}"), ".hidden chosen");
    let with = |value: u8| [Table { name: "chosen".to_owned(), bytes: vec![value, 0, 0, 0], variable: true }];
    let said = said_of(Architecture::Aarch64, &aarch64("variable", &text, &with(5)).unwrap());
    assert!(said.contains(RETURNED), "{said}");
    let said = said_of(Architecture::Aarch64, &aarch64("variable", &text, &with(4)).unwrap());
    assert!(said.contains("0x00000000 is no instruction"), "{said}");
    let unused = aarch64("no-variable", &around("", "ret", ""), &with(5)).unwrap_err().to_string();
    assert!(unused.contains("a variable chosen, to which no relocation of the function's section refers"), "{unused}");
}

#[test]
fn a_function_that_is_not_there_is_named_beside_those_that_are() {
    let data = assembler::assemble(assembler::AARCH64, "named", &around("", "ret", ""));
    let file = ElfFile::parse(&data, Architecture::Aarch64).unwrap();
    let missing = file.object("kernels", &[]).unwrap_err().to_string();
    assert_eq!(missing, "no function kernels is defined in the file; there are kernel");
    let Err(error) = ElfFile::parse(&data, Architecture::Arm) else { panic!("it is taken for one for ARM") };
    assert!(error.to_string().contains("the file is for Aarch64, not for arm"), "{error}");
    let data = assembler::assemble(assembler::AARCH64, "empty", ".data\n.word 1");
    let missing = ElfFile::parse(&data, Architecture::Aarch64).unwrap().object("kernel", &[]).unwrap_err().to_string();
    assert!(missing.contains("there is none at all"), "{missing}");
}

fn arm(name: &str, set: &str, function: &str, behind: &str) -> Code {
    let text = format!(".syntax unified\n.arch armv7-a\n.{set}\n{}", around("", function, behind));
    let data = assembler::assemble(assembler::ARM, name, &text);
    ElfFile::parse(&data, Architecture::Arm).unwrap().object("kernel", &[]).unwrap()
}

#[track_caller]
fn says_of_arm(name: &str, set: &str, function: &str, behind: &str, part: &str) {
    let said = said_of(Architecture::Arm, &arm(name, set, function, behind));
    assert!(said.contains(part), "{name}: {part:?} is not in {said:?}");
}

#[test]
fn both_sets_of_armv7_are_read() {
    // Returns if r4 is 5.
    let if_five = "cmp r4, #5\n bne 8f\n bx lr\n 8: udf #0";
    for (set, ahead) in [("thumb", 4), ("arm", 8)] {
        let word = |word: &str| format!("{if_five}\n .balign 4\n 1: .word {word}");
        let absolute = format!("ldr r3, 1f\n ldr r4, [r3]\n {}", word("first + 4"));
        says_of_arm(&format!("absolute-{set}"), set, &absolute, TABLES, RETURNED);
        let relative =
            format!("ldr r3, 1f\n 2: add r3, r3, pc\n ldr r4, [r3]\n {}", word(&format!("first + 4 - (2b + {ahead})")));
        let hidden = format!("{TABLES}\n.global first\n.hidden first");
        says_of_arm(&format!("relative-{set}"), set, &relative, &hidden, RETURNED);
        says_of_arm(&format!("vague-{set}"), set, &relative, TABLES, "not all literals of its own");
        let other = absolute.replace("first + 4", "second");
        says_of_arm(&format!("other-{set}"), set, &other, TABLES, "is no instruction that the prover knows");
        let beyond = absolute.replace("first + 4", "first + 8").replace("[r3]", "[r3, #-8]");
        says_of_arm(&format!("beyond-{set}"), set, &beyond, TABLES, "reads 4 bytes at second-0x8");
        says_of_arm(
            &format!("nowhere-{set}"),
            set,
            &absolute.replace("first + 4", "nowhere"),
            "",
            "not all literals of its own",
        );
        says_of_arm(
            &format!("call-{set}"),
            set,
            "bl elsewhere\n bx lr",
            "",
            "against elsewhere: of a kind that is not followed",
        );
    }
    assert!(arm("is-thumb", "thumb", "bx lr", "").is_thumb());
    assert!(!arm("is-arm", "arm", "bx lr", "").is_thumb());
    // The other set is no code.
    says_of_arm("mixed-sets", "thumb", "b 1f\n .arm\n 1: bx lr", "", "execution leaves the kernel's code");
}

#[test]
fn conditions_are_those_of_the_block() {
    let block = |words: &str| format!("cmp r2, r2\n {words}\n bx lr");
    says_of_arm(
        "it",
        "thumb",
        &block("ite eq\n moveq r3, #1\n movne r3, #2\n cmp r3, #1\n bne 8f\n bx lr\n 8: udf #0"),
        "",
        RETURNED,
    );
    says_of_arm("it-flags", "thumb", &block("itt eq\n addeq r3, r3, r3\n bxeq lr\n udf #0"), "", RETURNED);
    let refused = "it may not be there in a block of IT";
    says_of_arm("it-cbz", "thumb", &block(".inst.n 0xbf08, 0xb102"), "", refused);
    says_of_arm("it-it", "thumb", &block(".inst.n 0xbf08, 0xbf08, 0xbf00"), "", refused);
    says_of_arm("it-not-last", "thumb", &block(".inst.n 0xbf04, 0x4770, 0xbf00"), "", refused);
    says_of_arm("it-unknown", "thumb", &block(".inst.n 0xbf08, 0xde00"), "", "0x0000de00 is no instruction");
    says_of_arm(
        "it-secret",
        "thumb",
        "ldr r3, [r0]\n cmp r3, #0\n it eq\n moveq r3, #1\n bx lr",
        "",
        "depends on a secret",
    );
    says_of_arm("blx", "thumb", "blx r3\n bx lr", "", "0x00004798 is an indirect branch");
}

#[test]
fn what_is_known_of_shifts_and_products_in_t32_are_those_by_numbers() {
    let five = "movs r4, #20\n movs r5, #2\n lsrs r4, r5\n movs r5, #1\n muls r4, r5, r4\n cmp r4, #5\n bne 8f\n bx lr\n 8: udf #0";
    says_of_arm("by-numbers", "thumb", five, "", RETURNED);
    let of_secrets = |what: &str| format!("ldr r3, [r0]\n ldr r4, [r0, #4]\n {what}\n bx lr");
    says_of_arm(
        "secret-amount",
        "thumb",
        &of_secrets("lsls r4, r3"),
        "",
        "for these operands: a shift by 0xff & state.h0",
    );
    says_of_arm(
        "secret-rotation",
        "thumb",
        &of_secrets("ror.w r5, r4, r3"),
        "",
        "LSL, LSR, ASR, ROR (register) is not known",
    );
    says_of_arm("product", "thumb", &of_secrets("mul r5, r4, r3"), "", "for these operands: state.h1 times state.h0");
    says_of_arm("halfword-beyond", "thumb", "ldrh r3, [r0, #31]\n bx lr", "", "reads 2 bytes at state+0x1f");
}

#[test]
fn the_instruction_within_a_block_is_named() {
    let copies = "cbz r2, 1f\n ldr r3, [r0, #4]\n cmp r2, r2\n it eq\n streq r3, [r0]\n movs r3, #0\n subs r2, #1\n beq 1f\n 1: bx lr";
    says_of_arm("it-copies", "thumb", copies, "", "written by the instruction at offset 0x8 (0x00006003)");
}

#[test]
fn instructions_that_are_marked_as_data_are_executed_if_the_contract_says_so() {
    let code = arm("bytes", "thumb", "nop\n nop\n .byte 0x70, 0x47", "");
    let said = said_of(Architecture::Arm, &code);
    assert!(said.contains("execution leaves the kernel's code"), "{said}");
    let said = said_of(Architecture::Arm, &code.with_instructions_as_data());
    assert!(said.contains(RETURNED), "{said}");
}
