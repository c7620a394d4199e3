//! SHA-224 and SHA-256, tier `scalar`.
#![cfg_attr(any(target_arch = "aarch64", target_arch = "arm"), no_main)]

vambrace_fuzz::kernel_target!(hash, "sha256_scalar", vambrace_fuzz::subjects::SHA256, Scalar);
