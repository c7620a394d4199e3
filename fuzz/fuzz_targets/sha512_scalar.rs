//! SHA-384, SHA-512, SHA-512/224 and SHA-512/256, tier `scalar`.
#![cfg_attr(any(target_arch = "aarch64", target_arch = "arm"), no_main)]

use vambrace::{Sha384, Sha512, Sha512_224, Sha512_256};

vambrace_fuzz::hash_target!("sha512_scalar", [Sha384, Sha512, Sha512_224, Sha512_256], Scalar);
