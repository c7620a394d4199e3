//! Speck64 in XTS mode, tier `scalar`.
#![cfg_attr(any(target_arch = "aarch64", target_arch = "arm"), no_main)]

vambrace_fuzz::kernel_target!(cipher, "speck64_xts_scalar", vambrace_fuzz::cipher::SPECK64_XTS, Scalar);
