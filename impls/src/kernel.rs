//! The macro that makes a kernel out of its assembly file.

// Kernels are A32. Where a target's functions are Thumb, the naked function starts as one and changes state.
#[cfg(vambrace_thumb)]
macro_rules! enter_a32 {
    () => {
        "adr.w r12, 7f\nbx r12\n.balign 4\n.arm\n7:"
    };
}
#[cfg(vambrace_thumb)]
macro_rules! leave_a32 {
    () => {
        ".thumb"
    };
}
#[cfg(not(vambrace_thumb))]
#[allow(unused_macros)]
macro_rules! enter_a32 {
    () => {
        ""
    };
}
#[cfg(not(vambrace_thumb))]
#[allow(unused_macros)]
macro_rules! leave_a32 {
    () => {
        ""
    };
}

// What a kernel switched on for the assembler is switched off again, unless the target has it on.
#[cfg(all(vambrace_aarch64, not(target_feature = "sha2")))]
macro_rules! put_back_sha2 {
    () => {
        ".arch_extension nosha2"
    };
}
#[cfg(not(all(vambrace_aarch64, not(target_feature = "sha2"))))]
#[allow(unused_macros)]
macro_rules! put_back_sha2 {
    () => {
        ""
    };
}
// The assembler's "aes" stands for FEAT_AES and FEAT_PMULL both.
#[cfg(all(vambrace_aarch64, not(target_feature = "aes")))]
macro_rules! put_back_aes {
    () => {
        ".arch_extension noaes"
    };
}
#[cfg(not(all(vambrace_aarch64, not(target_feature = "aes"))))]
#[allow(unused_macros)]
macro_rules! put_back_aes {
    () => {
        ""
    };
}
// The assembler's "sha3" stands for FEAT_SHA512 and FEAT_SHA3 both.
#[cfg(all(vambrace_aarch64, not(target_feature = "sha3")))]
macro_rules! put_back_sha3 {
    () => {
        ".arch_extension nosha3"
    };
}
#[cfg(not(all(vambrace_aarch64, not(target_feature = "sha3"))))]
#[allow(unused_macros)]
macro_rules! put_back_sha3 {
    () => {
        ""
    };
}
#[allow(unused_macros)]
macro_rules! put_back {
    (Sha2) => {
        put_back_sha2!()
    };
    (Aes) => {
        put_back_aes!()
    };
    (Sha512) => {
        put_back_sha3!()
    };
    (Sha3) => {
        put_back_sha3!()
    };
    ($other:ident) => {
        ""
    };
}

/// Expands one kernel to a module with the naked function around its assembly (where this build can have it), and a
/// constant with its contract and address.
///
/// The safe wrapper is made by the caller of the macro, who knows what the arguments mean.
macro_rules! kernel {
    (
        $module:ident on $architecture:ident if $cfg:ident: $name:literal = $tier:ident $variant:literal x $lanes:literal,
        fn($($argument:ident: $ty:ty),*) as $contract:path,
        from $source:literal, $(layout [$($layout:tt)*],)? needs [$($feature:ident),*], stack $stack:literal
    ) => {
        pub(crate) mod $module {
            use vambrace_contract::{Architecture, Clears, EntryPoint, Feature, Kernel, Tier};

            /// The kernel itself.
            ///
            /// # Safety
            /// The arguments are as the kernel's contract says, and the CPU has the features that it names.
            #[cfg($cfg)]
            #[unsafe(naked)]
            pub(crate) unsafe extern "C" fn entry($($argument: $ty),*) {
                core::arch::naked_asm!(
                    enter_a32!(),
                    include_str!($source),
                    $(put_back!($feature),)*
                    leave_a32!(),
                    options(raw)
                )
            }

            // SAFETY: an entry point is stored without its signature, and called by its contract. All function pointers
            // of one ABI have the same representation.
            #[cfg($cfg)]
            const ENTRY: Option<EntryPoint> = Some(unsafe {
                core::mem::transmute::<unsafe extern "C" fn($($ty),*), EntryPoint>(entry)
            });
            #[cfg(not($cfg))]
            const ENTRY: Option<EntryPoint> = None;

            #[cfg_attr(not(feature = "verify"), allow(dead_code))]
            pub(crate) const KERNEL: Kernel = Kernel {
                name: $name,
                architecture: Architecture::$architecture,
                tier: Tier::$tier,
                variant: $variant,
                lanes: $lanes,
                contract: &$contract,
                features: {
                    const NEEDED: &[Feature] = &[$(Feature::$feature),*];
                    NEEDED
                },
                stack: $stack,
                layout: {
                    const LAYOUT: &[(&str, usize)] = &[$($($layout)*)?];
                    LAYOUT
                },
                clears: Clears::ALL,
                entry: ENTRY,
            };
        }
    };
}
