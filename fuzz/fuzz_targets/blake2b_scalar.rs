//! BLAKE2b and BLAKE2bp, tier `scalar`.
#![cfg_attr(any(target_arch = "aarch64", target_arch = "arm"), no_main)]

vambrace_fuzz::hash_target!("blake2b_scalar", vambrace_fuzz::subjects::BLAKE2B, Scalar);
