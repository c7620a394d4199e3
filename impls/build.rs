//! Decides which architecture's kernels this target can have.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(vambrace_aarch64)");
    println!("cargo::rustc-check-cfg=cfg(vambrace_arm)");
    println!("cargo::rustc-check-cfg=cfg(vambrace_thumb)");

    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let little_endian = variable("CARGO_CFG_TARGET_ENDIAN") == "little";
    let target = variable("TARGET");
    if variable("CARGO_CFG_TARGET_ARCH") == "aarch64" && little_endian {
        println!("cargo::rustc-cfg=vambrace_aarch64");
    }
    // `target_arch = "arm"` is also ARMv4 to ARMv6 and the Cortex-M profile, where A32 or NEON do not exist.
    if (target.starts_with("armv7") && !target.starts_with("armv7r") || target.starts_with("thumbv7neon"))
        && little_endian
    {
        println!("cargo::rustc-cfg=vambrace_arm");
        // Kernels are A32; where functions are Thumb by default they have to say so.
        if target.starts_with("thumb") {
            println!("cargo::rustc-cfg=vambrace_thumb");
        }
    }
}
