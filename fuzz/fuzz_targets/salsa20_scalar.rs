//! Salsa20 and XSalsa20, tier `scalar`.
#![cfg_attr(any(target_arch = "aarch64", target_arch = "arm"), no_main)]

vambrace_fuzz::kernel_target!(cipher, "salsa20_scalar", vambrace_fuzz::cipher::SALSA20, Scalar);
