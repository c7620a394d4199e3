//! A hash with a defect, to see that fuzzing finds it.
#![cfg_attr(any(target_arch = "aarch64", target_arch = "arm"), no_main)]

vambrace_fuzz::kernel_target!(hash, "planted_defect", vambrace_fuzz::defect::SUBJECTS, Neon);
