//! BLAKE2b and BLAKE2bp, tier `neon`.
#![cfg_attr(any(target_arch = "aarch64", target_arch = "arm"), no_main)]

vambrace_fuzz::kernel_target!(hash, "blake2b_neon", vambrace_fuzz::subjects::BLAKE2B, Neon);
