//! SHA-384, SHA-512, SHA-512/224 and SHA-512/256, tier `neon`.
#![cfg_attr(any(target_arch = "aarch64", target_arch = "arm"), no_main)]

vambrace_fuzz::kernel_target!(hash, "sha512_neon", vambrace_fuzz::subjects::SHA512, Neon);
