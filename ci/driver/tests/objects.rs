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
        fs::write(self.folder.path().join("contract.toml"), text).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_ci"));
        // As the script does, for a name that is relative to where it was called.
        command.env("CALLED_FROM", self.folder.path()).args(["verify", "--contract", "contract.toml", "--object"]);
        let output = command.arg(object).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        (output.status.code(), text)
    }
}

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
    let run = |program: &str, arguments: &[&str]| {
        assert!(Command::new(program).current_dir(folder).args(arguments).status().unwrap().success());
    };
    for (name, symbol) in [("one", "kernel"), ("two", "other"), ("three", "kernel")] {
        let text = format!(".text\n.global {symbol}\n.type {symbol}, %function\n{symbol}: ret\n.size {symbol}, 4\n");
        fs::write(folder.join(format!("{name}.s")), text).unwrap();
        run("aarch64-linux-gnu-gcc", &["-c", &format!("{name}.s")]);
    }
    run("aarch64-linux-gnu-gcc-ar", &["rc", "good.a", "one.o", "two.o"]);
    run("aarch64-linux-gnu-gcc-ar", &["rc", "bad.a", "one.o", "three.o"]);
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
