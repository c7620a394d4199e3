//! Sets `cfg(vambrace_machine)` where kernels can be called: Linux on little-endian aarch64 and ARMv7-A.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(vambrace_machine)");
    let target = std::env::var("TARGET").unwrap_or_default();
    let variable = |name: &str| std::env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    let architecture = match variable("ARCH").as_str() {
        "aarch64" => true,
        // The caller uses A32 instructions that ARMv7-A has and earlier architectures have not.
        "arm" => target.starts_with("armv7"),
        _ => false,
    };
    // The context of a signal is that of the C library.
    if architecture && variable("ENDIAN") == "little" && variable("OS") == "linux" && variable("ENV") == "gnu" {
        println!("cargo::rustc-cfg=vambrace_machine");
    }
}
