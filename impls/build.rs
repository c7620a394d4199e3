//! Decides which architecture's kernels this target can have.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for cfg in ["vambrace_aarch64", "vambrace_arm", "vambrace_thumb"] {
        println!("cargo::rustc-check-cfg=cfg({cfg})");
    }
    let target = Target::from_environment();
    if target.has_aarch64_kernels() {
        println!("cargo::rustc-cfg=vambrace_aarch64");
    }
    if target.has_arm_kernels() {
        println!("cargo::rustc-cfg=vambrace_arm");
        if target.compiles_to_thumb() {
            println!("cargo::rustc-cfg=vambrace_thumb");
        }
    }
}

/// What cargo says of the target.
struct Target {
    name: String,
    architecture: String,
    os: String,
    vendor: String,
    little_endian: bool,
    pointer_width: String,
    features: Vec<String>,
}

impl Target {
    fn from_environment() -> Target {
        let variable = |name: &str| env::var(name).unwrap_or_default();
        Target {
            name: variable("TARGET"),
            architecture: variable("CARGO_CFG_TARGET_ARCH"),
            os: variable("CARGO_CFG_TARGET_OS"),
            vendor: variable("CARGO_CFG_TARGET_VENDOR"),
            little_endian: variable("CARGO_CFG_TARGET_ENDIAN") == "little",
            pointer_width: variable("CARGO_CFG_TARGET_POINTER_WIDTH"),
            features: variable("CARGO_CFG_TARGET_FEATURE").split(',').map(str::to_owned).collect(),
        }
    }

    fn has_aarch64_kernels(&self) -> bool {
        self.architecture == "aarch64"
            && self.little_endian
            // ILP32 leaves the upper half of a `usize` argument undefined.
            && self.pointer_width == "64"
            // Soft-float targets have no vector registers.
            && self.features.iter().any(|feature| feature == "neon")
            // Kernels keep their constants beside the code, which an execute-only text segment makes unreadable; Windows
            // wants unwind tables of its own for every frame.
            && !["fuchsia", "openbsd", "teeos", "windows"].contains(&self.os.as_str())
    }

    /// `target_arch = "arm"` is also ARMv4 to ARMv6 and the Cortex-R and Cortex-M profiles, where A32 or NEON do not exist.
    fn has_arm_kernels(&self) -> bool {
        let application_profile = self.name.starts_with("armv7") && !self.name.starts_with("armv7r");
        (application_profile || self.name.starts_with("thumbv7neon"))
            && self.little_endian
            // Mach-O's assembler lacks the directives that choose an FPU.
            && self.vendor != "apple"
    }

    /// Kernels are A32; where functions are Thumb by default they have to change state.
    fn compiles_to_thumb(&self) -> bool {
        self.name.starts_with("thumb")
            || self.name.starts_with("armv7-linux-androideabi")
            || self.name.starts_with("armv7-sony-vita")
    }
}
