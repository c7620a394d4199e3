//! What the fuzz targets share.
//!
//! On ARM a target is a libFuzzer program. On any other machine it is a launcher: it builds the ARM program with the
//! flags that `cargo fuzz` gave, and becomes it, under QEMU and with the same arguments.

#[cfg(any(target_arch = "aarch64", target_arch = "arm"))]
pub mod cipher;
#[cfg(any(target_arch = "aarch64", target_arch = "arm"))]
pub mod defect;
#[cfg(any(target_arch = "aarch64", target_arch = "arm"))]
mod guarded;
#[cfg(any(target_arch = "aarch64", target_arch = "arm"))]
pub mod hash;
#[cfg(any(target_arch = "aarch64", target_arch = "arm"))]
pub use libfuzzer_sys;
#[cfg(any(target_arch = "aarch64", target_arch = "arm"))]
pub mod subjects;
#[cfg(any(target_arch = "aarch64", target_arch = "arm"))]
pub mod target;

#[cfg(not(any(target_arch = "aarch64", target_arch = "arm")))]
pub mod launcher;

/// Expands to the fuzz target of a kernel: the module whose programs it carries out, its name, the [`target::Subject`]s that run
/// through it, and the tier that every message starts with.
#[macro_export]
macro_rules! kernel_target {
    ($module:ident, $name:literal, $subjects:path, $tier:ident) => {
        #[cfg(any(target_arch = "aarch64", target_arch = "arm"))]
        mod target {
            use $crate::$module::Program;
            use $crate::{libfuzzer_sys, target};

            const TIER: vambrace::Tier = vambrace::Tier::$tier;

            libfuzzer_sys::fuzz_target!(
                init: target::require($subjects, $name, TIER),
                |program: Program| target::run($subjects, &program, TIER)
            );
        }

        #[cfg(not(any(target_arch = "aarch64", target_arch = "arm")))]
        fn main() -> std::process::ExitCode {
            $crate::launcher::launch($name)
        }
    };
}
