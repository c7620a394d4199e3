//! Programs made of instruction words, run under QEMU.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Where the states of the cases are, by the linker.
pub const STATES: u64 = 0x1000_0000;

/// Assembles a program without libraries, and runs it. What it writes to standard output comes back.
pub fn run(name: &str, compiler: &str, options: &[&str], qemu: &str, source: &str, states: &[u8]) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let (assembly, blob, program) = (folder.join("cases.s"), folder.join("states.bin"), folder.join("cases"));
    let mut text = source.to_owned();
    writeln!(text, ".data\n.balign 16\nstates: .incbin \"{}\"", blob.display()).unwrap();
    std::fs::write(&assembly, text).unwrap();
    std::fs::write(&blob, states).unwrap();
    let data = format!("-Wl,-Tdata={STATES:#x},-Ttext=0x400000,--build-id=none");
    let mut build = Command::new(compiler);
    build.args(["-nostdlib", "-static", &data]).args(options).arg("-o").arg(&program).arg(&assembly);
    let built = build.output().unwrap_or_else(|error| panic!("{compiler} cannot be run ({error}): run ci/setup"));
    assert!(built.status.success(), "{build:?}\n{}", String::from_utf8_lossy(&built.stderr));
    let mut guest = Command::new(qemu);
    guest.args(["-cpu", "max"]).arg(&program);
    let ran = guest.output().unwrap_or_else(|error| panic!("{qemu} cannot be run ({error}): run ci/setup"));
    assert!(ran.status.success(), "{guest:?}: {}\n{}", ran.status, String::from_utf8_lossy(&ran.stderr));
    assert_eq!(ran.stdout.len(), states.len(), "the guest wrote another number of bytes");
    ran.stdout
}

/// SplitMix64: the same cases in every run.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}
