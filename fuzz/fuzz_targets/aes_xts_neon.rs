//! AES-128 and AES-256 in XTS mode, tier `neon`.
#![cfg_attr(any(target_arch = "aarch64", target_arch = "arm"), no_main)]

vambrace_fuzz::kernel_target!(cipher, "aes_xts_neon", vambrace_fuzz::cipher::AES_XTS, Neon);
