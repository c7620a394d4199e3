//! AES-128 and AES-256 in XTS mode, tier `scalar`.
#![cfg_attr(any(target_arch = "aarch64", target_arch = "arm"), no_main)]

vambrace_fuzz::kernel_target!(cipher, "aes_xts_scalar", vambrace_fuzz::cipher::AES_XTS, Scalar);
