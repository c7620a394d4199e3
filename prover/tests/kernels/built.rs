//! The kernels as they are built into the guest that the harness runs.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, OnceLock};

use vambrace::kernels::{ALL, Architecture, Kernel};
use vambrace_prover::code::{Code, ElfFile};
use vambrace_prover::specification::Specification;
use vambrace_prover::without_count::WithoutCount;

/// What is proved.
pub const ARCHITECTURES: [Architecture; 2] = Architecture::ALL;

/// What a kernel computes.
#[derive(Clone, Copy)]
pub enum Computes {
    Blocks(Specification),
    WithoutCount(WithoutCount),
}

/// A kernel that there is a specification for, and its code.
#[derive(Clone)]
pub struct Built {
    pub kernel: &'static Kernel,
    pub code: Code,
    pub computes: Computes,
}

impl Built {
    pub fn name(&self) -> String {
        format!("{}/{}", self.kernel.architecture, self.kernel.name)
    }
}

/// The Rust target and the cross compiler's prefix of an architecture.
fn target(architecture: Architecture) -> &'static str {
    match architecture {
        Architecture::Aarch64 => "aarch64-unknown-linux-gnu",
        Architecture::Arm => "armv7-unknown-linux-gnueabihf",
    }
}

fn build(architecture: Architecture) -> Vec<Built> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root).args(["build", "--package", "vambrace-verify", "--bin", "verify", "--target"]);
    let status = cargo.arg(target(architecture)).status().unwrap();
    assert!(status.success(), "the guest could not be built; run ci/setup if a target or a linker is missing");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let data = std::fs::read(folder.join(target(architecture)).join("debug/verify")).unwrap();
    let elf = ElfFile::parse(&data, architecture).unwrap();
    ALL.iter()
        .copied()
        .flatten()
        .filter(|kernel| kernel.architecture == architecture)
        .filter_map(|kernel| {
            let of_blocks = Specification::of(kernel.contract).map(Computes::Blocks);
            let computes = of_blocks.or_else(|| WithoutCount::of(kernel).map(Computes::WithoutCount))?;
            let code = elf.kernel(kernel).unwrap_or_else(|error| panic!("{}: {error}", kernel.name));
            Some(Built { kernel, code, computes })
        })
        .collect()
}

/// Every kernel that there is a specification for.
pub fn kernels() -> Vec<Built> {
    static BUILT: OnceLock<Mutex<BTreeMap<Architecture, Vec<Built>>>> = OnceLock::new();
    let mut built = BUILT.get_or_init(Mutex::default).lock().unwrap();
    ARCHITECTURES.iter().flat_map(|&one| built.entry(one).or_insert_with(|| build(one)).clone()).collect()
}
