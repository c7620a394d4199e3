//! SHA-224 and SHA-256, tier `ce`.
#![cfg_attr(any(target_arch = "aarch64", target_arch = "arm"), no_main)]

vambrace_fuzz::kernel_target!(hash, "sha256_ce", vambrace_fuzz::subjects::SHA256, Ce);
