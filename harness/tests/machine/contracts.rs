//! Contracts of the subjects.

use vambrace_contract::{Access, Argument, ArgumentKind, Contract, Returns, ScalarType, Secrecy, Size};

const fn scalar(name: &'static str, ty: ScalarType, secrecy: Secrecy, max: u64) -> Argument {
    Argument { name, kind: ArgumentKind::Scalar { ty, secrecy, min: 0, max, step: 1 } }
}

const STATE: Argument = Argument::buffer("state", Size::Fixed(16), Access::ReadWrite, Secrecy::Secret).aligned(4);

const fn units(name: &'static str, access: Access, count: usize) -> Argument {
    Argument::buffer(name, Size::Affine { base: 0, per: 16, argument: count }, access, Secrecy::Secret)
}

const fn contract(operation: &'static str, arguments: &'static [Argument], returns: Returns) -> Contract {
    Contract { algorithm: "test", operation, arguments, returns }
}

/// fn(state: &mut [u8; 16], blocks: &[[u8; 16]], count: usize)
pub(crate) static FOLD: Contract =
    contract("fold", &[STATE, units("blocks", Access::Read, 2), Argument::count("count")], Returns::Nothing);

/// fn(state: &mut [u8; 16], blocks: &[[u8; 16]], count: usize, tweak: u32)
#[cfg(not(target_arch = "arm"))]
pub(crate) static FOLD_U32: Contract = contract(
    "fold",
    &[
        STATE,
        units("blocks", Access::Read, 2),
        Argument::count("count"),
        scalar("tweak", ScalarType::U32, Secrecy::Public, u32::MAX as u64),
    ],
    Returns::Nothing,
);

/// fn(output: &mut [[u8; 16]], input: &[[u8; 16]], count: usize), in place too.
pub(crate) static MAP: Contract = contract(
    "map",
    &[units("output", Access::Write, 2).may_equal(1), units("input", Access::Read, 2), Argument::count("count")],
    Returns::Nothing,
);

/// fn(a: &[u8; 16], b: &[u8; 16]) -> u64, the same twice too.
pub(crate) static SUM: Contract = contract(
    "sum",
    &[
        Argument::buffer("a", Size::Fixed(16), Access::Read, Secrecy::Secret),
        Argument::buffer("b", Size::Fixed(16), Access::Read, Secrecy::Secret).may_equal(0),
    ],
    Returns::Value(ScalarType::U64, Secrecy::Secret),
);

/// fn(a: &[u8; 16], b: &[u8; 16]) -> u64, which may overlap in any way.
pub(crate) static SUM_SHARED: Contract = contract(
    "sum",
    &[
        Argument::buffer("a", Size::Fixed(16), Access::Read, Secrecy::Secret).shared(),
        Argument::buffer("b", Size::Fixed(16), Access::Read, Secrecy::Secret).shared(),
    ],
    Returns::Value(ScalarType::U64, Secrecy::Secret),
);

/// Scalars alone, in registers and on the stack of both architectures:
/// fn(a: u32, b: u64, c: u32, d: u64, e: u32, f: u32, g: u32, h: u64, i: u32, j: u64) -> u64
pub(crate) static SCALARS: Contract = contract(
    "scalars",
    &[
        scalar("a", ScalarType::U32, Secrecy::Public, u32::MAX as u64),
        scalar("b", ScalarType::U64, Secrecy::Public, u64::MAX),
        scalar("c", ScalarType::U32, Secrecy::Public, u32::MAX as u64),
        scalar("d", ScalarType::U64, Secrecy::Public, u64::MAX),
        scalar("e", ScalarType::U32, Secrecy::Public, u32::MAX as u64),
        scalar("f", ScalarType::U32, Secrecy::Public, u32::MAX as u64),
        scalar("g", ScalarType::U32, Secrecy::Public, u32::MAX as u64),
        scalar("h", ScalarType::U64, Secrecy::Public, u64::MAX),
        scalar("i", ScalarType::U32, Secrecy::Public, u32::MAX as u64),
        scalar("j", ScalarType::U64, Secrecy::Public, u64::MAX),
    ],
    Returns::Value(ScalarType::U64, Secrecy::Public),
);

/// A size that refers to nothing.
pub(crate) static CONTRADICTION: Contract = contract("odd", &[units("blocks", Access::Read, 7)], Returns::Nothing);

/// A size that the kernel does not declare.
pub(crate) static UNKNOWN_LAYOUT: Contract = contract(
    "layout",
    &[Argument::buffer("keys", Size::Layout("keys"), Access::Read, Secrecy::Secret)],
    Returns::Nothing,
);
