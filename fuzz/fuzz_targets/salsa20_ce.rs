//! Salsa20 and XSalsa20, tier `ce`.
#![cfg_attr(any(target_arch = "aarch64", target_arch = "arm"), no_main)]

vambrace_fuzz::kernel_target!(cipher, "salsa20_ce", vambrace_fuzz::cipher::SALSA20, Ce);
