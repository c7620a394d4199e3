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

#[cfg(not(any(target_arch = "aarch64", target_arch = "arm")))]
pub mod launcher;

/// Expands to the fuzz target of a kernel: its name, the [`hash::Subject`]s that hash by it, and the tier that every message
/// starts with.
#[macro_export]
macro_rules! hash_target {
    ($name:literal, $subjects:path, $tier:ident) => {
        #[cfg(any(target_arch = "aarch64", target_arch = "arm"))]
        mod target {
            use $crate::hash::{self, Program};
            use $crate::libfuzzer_sys;

            const TIER: vambrace::Tier = vambrace::Tier::$tier;

            libfuzzer_sys::fuzz_target!(
                init: hash::require($subjects, $name, TIER),
                |program: Program| hash::run($subjects, &program, TIER)
            );
        }

        #[cfg(not(any(target_arch = "aarch64", target_arch = "arm")))]
        fn main() -> std::process::ExitCode {
            $crate::launcher::launch($name)
        }
    };
}

/// Expands to the fuzz target of a kernel: its name, the [`cipher::Subject`]s that run through it, and the tier that every message
/// starts with.
#[macro_export]
macro_rules! cipher_target {
    ($name:literal, $subjects:path, $tier:ident) => {
        #[cfg(any(target_arch = "aarch64", target_arch = "arm"))]
        mod target {
            use $crate::cipher::{self, Program};
            use $crate::libfuzzer_sys;

            const TIER: vambrace::Tier = vambrace::Tier::$tier;

            libfuzzer_sys::fuzz_target!(
                init: cipher::require($subjects, $name, TIER),
                |program: Program| cipher::run($subjects, &program, TIER)
            );
        }

        #[cfg(not(any(target_arch = "aarch64", target_arch = "arm")))]
        fn main() -> std::process::ExitCode {
            $crate::launcher::launch($name)
        }
    };
}
