//! `ci verify --object`, as a user meets it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use driver::build;
use object::{Object, ObjectSymbol};
use vambrace::kernels::Architecture;

/// The contract of SHA-256's kernels, for a function of another name.
fn contract(symbol: &str) -> String {
    format!(
        r#"algorithm = "sha256"
operation = "compress"
architecture = "aarch64"
symbol = "{symbol}"
features = ["neon", "sha2"]
stack = 0
clears = ["registers", "stack"]

[[argument]]
name = "state"
buffer = {{ bytes = 32, access = "read-write", secret = true }}

[[argument]]
name = "blocks"
buffer = {{ each = 64, of = "count", access = "read", secret = true }}

[[argument]]
name = "count"
scalar = {{ type = "usize", secret = false }}
"#
    )
}

/// The same for a function `kernel` whose state is aligned, as our kernels need it.
fn aligned() -> String {
    contract("kernel").replace("\"read-write\", secret", "\"read-write\", alignment = 4, secret")
}

struct Files {
    folder: tempfile::TempDir,
    object: PathBuf,
    symbol: String,
}

impl Files {
    /// The program that the harness runs, in which this library's kernel is a function like any other.
    fn new() -> Files {
        let root = build::workspace_root().unwrap();
        let programs = build::guests(&root, &[Architecture::Aarch64]).unwrap();
        let object = programs.into_iter().next().unwrap().1;
        let data = fs::read(&object).unwrap();
        let file = object::File::parse(&*data).unwrap();
        let wanted = "6sha2567kernels10aarch64_ce5entry";
        let mut names = file.symbols().filter_map(|symbol| symbol.name().ok());
        let symbol = names.find(|name| name.contains(wanted)).unwrap().to_owned();
        Files { folder: tempfile::tempdir().unwrap(), object, symbol }
    }

    /// What is said with the contract after some parts of it are replaced.
    fn with(&self, replaced: &[(&str, &str)]) -> (Option<i32>, String) {
        let mut text = contract(&self.symbol);
        for (part, by) in replaced {
            assert!(text.contains(part), "{part}");
            text = text.replacen(part, by, 1);
        }
        self.with_text(&self.object, &text)
    }

    fn with_text(&self, object: &Path, text: &str) -> (Option<i32>, String) {
        verify(self.folder.path(), object, text, &[])
    }
}

/// What is said of an object under a contract, called from a folder.
fn verify(folder: &Path, object: &Path, contract: &str, options: &[&str]) -> (Option<i32>, String) {
    fs::write(folder.join("contract.toml"), contract).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_ci"));
    // As the script does, for a name that is relative to where it was called.
    command.env("CALLED_FROM", folder).args(["verify", "--contract", "contract.toml", "--object"]);
    let output = command.arg(object).args(options).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code(), text)
}

const AARCH64: &str = "aarch64-linux-gnu-gcc";

fn run(folder: &Path, program: &str, arguments: &[&str]) {
    assert!(Command::new(program).current_dir(folder).args(arguments).status().unwrap().success());
}

/// Puts a function `kernel` of these lines, with others behind it, into an object file of this name.
fn assemble(folder: &Path, compiler: &str, name: &str, function: &str, behind: &str) {
    let text = format!(
        ".text\n.balign 8\n.global kernel\n.type kernel, %function\n{function}\n.size kernel, . - kernel\n{behind}\n"
    );
    fs::write(folder.join("function.s"), text).unwrap();
    run(folder, compiler, &["-c", "function.s", "-o", name]);
}

/// One of this library's kernels, as its source has it, with a part replaced.
fn source(kernel: &str, part: &str, by: &str) -> String {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../impls/src/sha256").join(kernel);
    let text = fs::read_to_string(source).unwrap();
    assert!(text.contains(part), "{part}");
    text.replacen(part, by, 1)
}

/// The row of a check in the table, and whether it failed.
fn row<'a>(text: &'a str, check: &str) -> &'a str {
    let row = |line: &&str| line.split('┆').next().is_some_and(|name| name.trim_matches(['│', ' ']) == check);
    text.lines().find(row).unwrap_or_else(|| panic!("no row {check}: {text}"))
}

const RUN: [&str; 8] =
    ["bounds", "alignment", "aliasing", "abi", "undefined-input", "count-width", "residue", "specification"];

#[test]
fn a_function_of_any_object_is_proved() {
    let files = Files::new();
    let (status, text) = files.with(&[]);
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains(&files.symbol) && text.contains("1 proved for all inputs, 0 not proved"), "{text}");

    // What does not hold is a failure.
    for (replaced, said) in [
        (("sha256\"", "blake2s\""), "compress of blake2s"),
        (
            (
                "bytes = 32, access = \"read-write\", secret",
                "bytes = 32, access = \"read-write\", alignment = 4, secret",
            ),
            "1 proved",
        ),
        (("[\"neon\", \"sha2\"]", "[\"neon\"]"), "needs sha2, which the contract does not declare"),
        (("each = 64", "each = 128"), "line 13: compress of sha256: argument blocks has a shape"),
        (
            ("compress", "digest"),
            "line 1: there is no specification of \"digest\" of \"sha256\"; there are compress of blake2b",
        ),
        (("stack = 0", "stacks = 0"), "contract.toml: TOML parse error at line 6"),
        (("\"aarch64\"", "\"arm\""), "the file is for Aarch64, not for arm"),
        (("symbol = \"", "symbol = \"no_"), "no function no_"),
        (("read-write", "read"), "line 9: compress of sha256: argument state has a shape"),
    ] {
        let (status, text) = files.with(&[replaced]);
        let expected = match said {
            "1 proved" => 0,
            said if said.starts_with("needs") => 1,
            _ => 2,
        };
        assert_eq!(status, Some(expected), "{replaced:?}: {text}");
        assert!(text.contains(said), "{replaced:?}: {said:?} is not in {text}");
    }
    let variable = contract(&files.symbol) + "[[variable]]\nsymbol = \"chosen\"\nbytes = 4\nvalues = [1]\n";
    let (status, text) = files.with_text(&files.object, &variable);
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("a variable chosen, to which no relocation"), "{text}");
    let (status, text) = files.with_text(Path::new("nowhere.o"), &variable);
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("nowhere.o: No such file"), "{text}");
    let (status, text) = files.with_text(&files.folder.path().join("contract.toml"), &variable);
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("no ELF file"), "{text}");
}

#[test]
fn an_archive_has_one_member_that_defines_the_function() {
    let files = Files::new();
    let folder = files.folder.path();
    for (name, symbol) in [("one", "kernel"), ("two", "other"), ("three", "kernel")] {
        let text = format!(".text\n.global {symbol}\n.type {symbol}, %function\n{symbol}: ret\n.size {symbol}, 4\n");
        fs::write(folder.join(format!("{name}.s")), text).unwrap();
        run(folder, AARCH64, &["-c", &format!("{name}.s")]);
    }
    run(folder, "aarch64-linux-gnu-gcc-ar", &["rc", "good.a", "one.o", "two.o"]);
    run(folder, "aarch64-linux-gnu-gcc-ar", &["rc", "bad.a", "one.o", "three.o"]);
    let (status, text) = files.with_text(Path::new("good.a"), &contract("kernel"));
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("kernel ") && text.contains("it is not known how many blocks are left"), "{text}");
    let (status, text) = files.with_text(Path::new("bad.a"), &contract("kernel"));
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("more than one member of the archive defines kernel: one.o, three.o"), "{text}");
    let (status, text) = files.with_text(Path::new("good.a"), &contract("nothing"));
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("no aarch64 member of the archive defines a function nothing"), "{text}");
}

#[test]
fn a_function_is_run_and_each_defect_is_seen_by_the_check_that_looks_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let contract = aligned();
    let said = |name: &str, part: &str, by: &str| {
        assemble(folder, AARCH64, name, &format!("kernel:\n{}", source("aarch64/ce.S", part, by)), "");
        verify(folder, Path::new(name), &contract, &["--seed", "7"])
    };
    let end = "9:      ret";
    let (status, text) = said("good.o", end, end);
    assert_eq!(status, Some(0), "{text}");
    assert!(
        text.contains("1 proved for all inputs") && text.contains("8 checks passed on aarch64@max, 0 failed"),
        "{text}"
    );
    for (name, part, by, check, words) in [
        ("lost.o", end, "9: movi v8.4s, #0\n ret", "abi", "does not preserve d8"),
        ("past.o", end, "9: ldr w4, [x1]\n ret", "bounds", "reads memory beyond `blocks`"),
        (
            "left.o",
            "movi        v18.4s, #0",
            "nop",
            "residue",
            "leaves what depends on a secret in d18 (the low half of v18)",
        ),
        ("wrong.o", "0x428a2f98", "0x428a2f99", "specification", "`state` (byte 0) is not what the specification says"),
    ] {
        let (status, text) = said(name, part, by);
        assert_eq!(status, Some(1), "{name}: {text}");
        assert!(text.contains(words), "{name}: {text}");
        for other in RUN {
            assert_eq!(row(&text, other).contains("FAIL"), other == check, "{name}, {other}: {text}");
        }
        // The line that replays it does.
        let start = format!("  replay    ci/verify --object {name} --contract contract.toml --replay ");
        let replay = text.lines().find_map(|line| line.strip_prefix(&*start)).unwrap_or_else(|| panic!("{text}"));
        let (status, again) = verify(folder, Path::new(name), &contract, &["--replay", replay]);
        assert_eq!(status, Some(1), "{again}");
        assert!(again.contains(words) && !again.contains("proved"), "{again}");
    }
    let replay = "aarch64@max:kernel:abi:7:3";
    let (status, text) = verify(folder, Path::new("good.o"), &contract, &["--replay", replay]);
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("kernel abi: passes (1 cases)"), "{text}");
    for (replay, words) in [
        ("aarch64@max:kernel:kat:7:0", "the checks of objects are bounds, "),
        ("aarch64@max:other:abi:7:0", "the contract is not for other, but for kernel"),
        ("aarch64@cortex-a9:kernel:abi:7:0", "unknown CPU model"),
        ("arm@max:kernel:abi:7:0", "the object is for aarch64"),
    ] {
        let (status, text) = verify(folder, Path::new("good.o"), &contract, &["--replay", replay]);
        assert_eq!(status, Some(2), "{replay}: {text}");
        assert!(text.contains(words), "{replay}: {text}");
    }
}

#[test]
fn what_cannot_be_linked_is_proved_only() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let kernel = format!("kernel:\n{}", source("aarch64/ce.S", "9:      ret", "9:      ret"));
    let contract = aligned();
    assemble(folder, AARCH64, "calls.o", &kernel, ".global other\nother: b elsewhere");
    let (status, text) = verify(folder, Path::new("calls.o"), &contract, &[]);
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("1 proved for all inputs"), "{text}");
    assert!(
        text.contains("kernel: proved only, not run: the linker refuses it: ")
            && text.contains("undefined reference to `elsewhere'"),
        "{text}"
    );
    assert!(!text.contains("/tmp") && text.contains("1 not run"), "{text}");
    // Another member of the archive has it.
    fs::write(folder.join("elsewhere.s"), ".text\n.global elsewhere\nelsewhere: ret\n").unwrap();
    run(folder, AARCH64, &["-c", "elsewhere.s"]);
    run(folder, "aarch64-linux-gnu-gcc-ar", &["rc", "both.a", "elsewhere.o", "calls.o"]);
    let (status, text) = verify(folder, Path::new("both.a"), &contract, &[]);
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("8 checks passed on aarch64@max, 0 failed, 0 do not apply; 0 not run"), "{text}");
}

#[test]
fn each_value_of_a_variable_is_run() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // Where the variable is 5 nothing is done.
    let kernel = format!(
        "kernel:\n adrp x3, chosen\n ldrh w4, [x3, :lo12:chosen]\n cmp w4, #0x205\n b.eq 8f\n{}\n8: ret",
        source("aarch64/ce.S", "9:      ret", "9:      ret")
    );
    let contract = aligned();
    let contract = contract + "[[variable]]\nsymbol = \"chosen\"\nbytes = 2\nvalues = [0x204, 0x205]\n";
    assemble(folder, AARCH64, "chooses.o", &kernel, "");
    let (status, text) = verify(folder, Path::new("chooses.o"), &contract, &["--seed", "7"]);
    assert_eq!(status, Some(1), "{text}");
    let cells: Vec<&str> = row(&text, "specification").split('┆').collect();
    assert!(cells.len() == 3 && cells[1].contains('✓') && cells[2].contains("FAIL"), "{text}");
    // The object's own definition of it is not what counts.
    assemble(folder, AARCH64, "chooses.o", &kernel, ".data\n.global chosen\nchosen: .hword 0x205");
    let replay = "aarch64@max:kernel,chosen=0x204:specification:7";
    let (status, text) = verify(folder, Path::new("chooses.o"), &contract, &["--replay", replay]);
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("passes (128 cases)"), "{text}");
}

#[test]
fn t32_code_is_entered_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let contract = aligned().replace("\"aarch64\"", "\"arm\"").replace("[\"neon\", \"sha2\"]", "[]");
    let contract = contract.replace("stack = 0", "stack = 112");
    // A32 code behind a first instruction of T32, which changes a register to see that it is executed as one: in A32 the word
    // would be another instruction.
    let kernel = |first: &str| {
        let rest = source("arm/scalar.S", "", "");
        format!(
            ".syntax unified\n.thumb\n.thumb_func\nkernel: {first}\nadr.w r12, 7f\nbx r12\n.balign 4\n.arm\n7:\n{rest}"
        )
    };
    let said = |name: &str, first: &str| {
        assemble(folder, "arm-linux-gnueabihf-gcc", name, &kernel(first), "");
        verify(folder, Path::new(name), &contract, &["--seed", "7"])
    };
    let (_, text) = said("good.o", "nop");
    assert!(text.contains("8 checks passed on arm@max, 0 failed"), "{text}");
    let (_, text) = said("lost.o", "movs r7, #0");
    assert!(text.contains("does not preserve r7"), "{text}");
    let (_, text) = said("past.o", "add.w r12, r1, r2, lsl #6\nldr.w r12, [r12]");
    assert!(text.contains("accesses memory beyond `blocks`: byte 0 of 0, at kernel+0x4"), "{text}");
}
