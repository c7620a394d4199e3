//! Speck128 in XTS mode, tier `neon`.
#![cfg_attr(any(target_arch = "aarch64", target_arch = "arm"), no_main)]

vambrace_fuzz::kernel_target!(cipher, "speck128_xts_neon", vambrace_fuzz::cipher::SPECK128_XTS, Neon);
