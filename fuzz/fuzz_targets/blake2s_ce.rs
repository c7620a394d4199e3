//! BLAKE2s and BLAKE2sp, tier `ce`.
#![cfg_attr(any(target_arch = "aarch64", target_arch = "arm"), no_main)]

vambrace_fuzz::kernel_target!(hash, "blake2s_ce", vambrace_fuzz::subjects::BLAKE2S, Ce);
