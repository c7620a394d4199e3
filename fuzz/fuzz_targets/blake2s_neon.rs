//! BLAKE2s and BLAKE2sp, tier `neon`.
#![cfg_attr(any(target_arch = "aarch64", target_arch = "arm"), no_main)]

vambrace_fuzz::kernel_target!(hash, "blake2s_neon", vambrace_fuzz::subjects::BLAKE2S, Neon);
