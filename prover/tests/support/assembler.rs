//! The cross assemblers.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// For AArch64.
pub const AARCH64: &str = "aarch64-linux-gnu-gcc";

/// For ARMv7.
pub const ARM: &str = "arm-linux-gnueabihf-gcc";

/// Assembles a text to an object file; its bytes.
pub fn assemble(compiler: &str, name: &str, text: &str) -> Vec<u8> {
    let object = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.o"));
    let mut assembler = Command::new(compiler)
        .args(["-c", "-x", "assembler", "-o"])
        .arg(&object)
        .arg("-")
        .stdin(Stdio::piped())
        .spawn()
        .expect("the cross compiler is there; ci/setup installs it");
    assembler.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    assert!(assembler.wait().unwrap().success(), "{text}");
    std::fs::read(object).unwrap()
}
