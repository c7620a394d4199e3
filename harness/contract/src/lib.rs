//! What a kernel may read, write, clobber and reveal.
//!
//! A [`Contract`] describes an *entry point* (algorithm × operation) and is shared by all kernels that implement it;
//! a [`Kernel`] is one assembly routine with what is its own: CPU features, stack, what it clears, its address.
//! The machine-level checks, the prover and the documentation tables are driven by this data alone.
//!
//! The crate has no dependencies and needs no `std`, so that the library, the harness and the prover can share it; but with the
//! feature `file` it reads contracts from files (`file::ObjectContract`).
//!
//! ```
//! use vambrace_contract::{Access, Argument, Contract, Returns, Secrecy, Size};
//!
//! // fn double(out: *mut [u8; 16], input: *const u8, blocks: usize)
//! static DOUBLE: Contract = Contract {
//!     algorithm: "doubling",
//!     operation: "double",
//!     arguments: &[
//!         Argument::buffer("out", Size::Fixed(16), Access::Write, Secrecy::Secret).aligned(4),
//!         Argument::buffer("input", Size::Affine { base: 0, per: 16, argument: 2 }, Access::Read, Secrecy::Secret),
//!         Argument::count("blocks"),
//!     ],
//!     returns: Returns::Nothing,
//! };
//! assert_eq!(DOUBLE.validate(), Ok(()));
//! ```
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "file")]
extern crate std;

mod cpu;
#[cfg(feature = "file")]
pub mod file;

use core::fmt;

pub use cpu::{Architecture, Feature, Tier, UnknownTier};

/// Whether a value may influence branches, addresses and timing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Secrecy {
    /// No branch, address or variable-time instruction may depend on it.
    Secret,
    /// The first so many bytes of a buffer are secret, the rest is public: a state with its counters behind it, say.
    SecretUpTo(usize),
    /// Lengths, counts, directions.
    Public,
}

impl Secrecy {
    /// How many of a buffer's `size` bytes, from its beginning, are secret.
    pub const fn secret_bytes(self, size: usize) -> usize {
        match self {
            Secrecy::Secret => size,
            Secrecy::SecretUpTo(bytes) if bytes < size => bytes,
            Secrecy::SecretUpTo(_) => size,
            Secrecy::Public => 0,
        }
    }
}

/// What a kernel does with a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads only; the page may be mapped read-only.
    Read,
    /// Writes every byte, reads none that it has not written.
    Write,
    /// Reads and writes.
    ReadWrite,
}

impl Access {
    /// Whether the kernel may store to the buffer.
    pub const fn writes(self) -> bool {
        matches!(self, Access::Write | Access::ReadWrite)
    }

    /// Whether the result may depend on what the buffer held before the call.
    pub const fn reads(self) -> bool {
        matches!(self, Access::Read | Access::ReadWrite)
    }
}

/// How large a buffer is, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// The same for every call.
    Fixed(usize),
    /// `base + per × (value of scalar argument number `argument`)`, arguments counted from 0.
    Affine {
        /// Bytes that are there when the scalar is 0; negative where the least value of the scalar is so large that the size
        /// is not.
        base: isize,
        /// Bytes for each unit of the scalar.
        per: usize,
        /// Which argument the scalar is.
        argument: usize,
    },
    /// A size that each kernel chooses for its private layout (see [`Kernel::layout`]).
    Layout(&'static str),
    /// As many units of such a size as a scalar argument says, and some more: round keys in a private form, say.
    LayoutEach {
        /// The name of the unit's size.
        layout: &'static str,
        /// Units that are there even when the scalar is 0.
        more: usize,
        /// Which argument the scalar is.
        argument: usize,
    },
}

/// Which other buffer the caller may pass a second time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlap {
    /// Overlaps no other buffer.
    Disjoint,
    /// Either disjoint from argument number `n` or exactly the same address.
    MayEqual(usize),
    /// Overlaps other buffers of the same kind in any way; for buffers that are only read.
    Shared,
}

/// The integer type of a scalar argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarType {
    /// 32 bits; on aarch64 the upper half of the register is undefined.
    U32,
    /// 64 bits; on arm a register pair.
    U64,
    /// As wide as a pointer.
    Usize,
}

/// What an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// A pointer to memory owned by the caller.
    Buffer {
        /// Bytes granted.
        size: Size,
        /// What the kernel does with them.
        access: Access,
        /// Whether the contents are secret. The address never is.
        secrecy: Secrecy,
        /// Alignment in bytes that the caller owes; 1 for none.
        alignment: usize,
        /// Which other argument may be the same buffer.
        overlap: Overlap,
    },
    /// A number.
    Scalar {
        /// Its type.
        ty: ScalarType,
        /// Whether it is secret.
        secrecy: Secrecy,
        /// Least value the caller may pass.
        min: u64,
        /// Greatest value the caller may pass.
        max: u64,
        /// The values between them: every one, or every so many from the least on.
        step: u64,
    },
}

/// One argument of an entry point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The parameter's name, as in the standard.
    pub name: &'static str,
    /// What it is.
    pub kind: ArgumentKind,
}

impl Argument {
    /// A buffer without alignment, disjoint from all others.
    pub const fn buffer(name: &'static str, size: Size, access: Access, secrecy: Secrecy) -> Argument {
        Argument {
            name,
            kind: ArgumentKind::Buffer { size, access, secrecy, alignment: 1, overlap: Overlap::Disjoint },
        }
    }

    /// A public count of units, of pointer width, any value allowed.
    pub const fn count(name: &'static str) -> Argument {
        Argument {
            name,
            kind: ArgumentKind::Scalar {
                ty: ScalarType::Usize,
                secrecy: Secrecy::Public,
                min: 0,
                max: usize::MAX as u64,
                step: 1,
            },
        }
    }

    /// The same buffer with an alignment in bytes that the caller owes.
    ///
    /// # Panics
    /// If the argument is no buffer (at compile time, where contracts are constants).
    pub const fn aligned(mut self, bytes: usize) -> Argument {
        match &mut self.kind {
            ArgumentKind::Buffer { alignment, .. } => *alignment = bytes,
            ArgumentKind::Scalar { .. } => panic!("only a buffer has an alignment"),
        }
        self
    }

    /// The same buffer, which may overlap other such buffers in any way.
    ///
    /// # Panics
    /// If the argument is no buffer (at compile time, where contracts are constants).
    pub const fn shared(mut self) -> Argument {
        match &mut self.kind {
            ArgumentKind::Buffer { overlap, .. } => *overlap = Overlap::Shared,
            ArgumentKind::Scalar { .. } => panic!("only a buffer can overlap another"),
        }
        self
    }

    /// The same buffer, which may be the very same memory as argument number `other`.
    ///
    /// # Panics
    /// If the argument is no buffer (at compile time, where contracts are constants).
    pub const fn may_equal(mut self, other: usize) -> Argument {
        match &mut self.kind {
            ArgumentKind::Buffer { overlap, .. } => *overlap = Overlap::MayEqual(other),
            ArgumentKind::Scalar { .. } => panic!("only a buffer can equal another"),
        }
        self
    }
}

/// What an entry point returns in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    /// Nothing.
    Nothing,
    /// A number.
    Value(ScalarType, Secrecy),
}

/// What an entry point may do, whoever implements it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contract {
    /// The algorithm, as `sha256`.
    pub algorithm: &'static str,
    /// The operation, as `compress`.
    pub operation: &'static str,
    /// The arguments, in the order of the C signature.
    pub arguments: &'static [Argument],
    /// What comes back in registers.
    pub returns: Returns,
}

/// Why a [`Contract`] contradicts itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContractError {
    /// A size, or a rule about overlap, refers to an argument that is not there or of the wrong kind.
    Reference {
        /// The argument that refers.
        argument: usize,
        /// The argument that it refers to.
        target: usize,
    },
    /// An alignment is no power of two.
    Alignment {
        /// The argument.
        argument: usize,
        /// The alignment given.
        given: usize,
    },
    /// A buffer that is written may overlap others in any way.
    Shared {
        /// The argument.
        argument: usize,
    },
    /// A scalar is secret in part, which only a buffer can be.
    Secrecy {
        /// The argument.
        argument: usize,
    },
    /// The range of a scalar is empty.
    Range {
        /// The argument.
        argument: usize,
    },
    /// A buffer may equal another whose size differs.
    Overlap {
        /// The argument that may equal another.
        argument: usize,
        /// The other.
        target: usize,
    },
}

impl fmt::Display for ContractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ContractError::Reference { argument, target } => {
                write!(f, "argument {argument} refers to argument {target}, which is missing or of the wrong kind")
            }
            ContractError::Alignment { argument, given } => {
                write!(f, "argument {argument} asks for an alignment of {given} bytes, which is no power of two")
            }
            ContractError::Shared { argument } => {
                write!(f, "argument {argument} is written, so it cannot overlap others in any way")
            }
            ContractError::Secrecy { argument } => write!(f, "argument {argument} is a scalar that is secret in part"),
            ContractError::Range { argument } => write!(f, "argument {argument} has an empty range"),
            ContractError::Overlap { argument, target } => {
                write!(f, "arguments {argument} and {target} may be equal but differ in size")
            }
        }
    }
}

impl core::error::Error for ContractError {}

impl Contract {
    /// Whether the contract is consistent.
    ///
    /// # Errors
    /// The first contradiction found, by argument number.
    pub fn validate(&self) -> Result<(), ContractError> {
        for (argument, declared) in self.arguments.iter().enumerate() {
            match declared.kind {
                ArgumentKind::Scalar { min, max, step, .. } if min > max || step == 0 => {
                    return Err(ContractError::Range { argument });
                }
                ArgumentKind::Scalar { secrecy: Secrecy::SecretUpTo(_), .. } => {
                    return Err(ContractError::Secrecy { argument });
                }
                ArgumentKind::Scalar { .. } => {}
                ArgumentKind::Buffer { size, access, alignment, overlap, .. } => {
                    if !alignment.is_power_of_two() {
                        return Err(ContractError::Alignment { argument, given: alignment });
                    }
                    if let Size::Affine { argument: target, .. } | Size::LayoutEach { argument: target, .. } = size {
                        let public_scalar = matches!(
                            self.arguments.get(target).map(|a| a.kind),
                            Some(ArgumentKind::Scalar { secrecy: Secrecy::Public, .. })
                        );
                        if !public_scalar {
                            return Err(ContractError::Reference { argument, target });
                        }
                    }
                    if overlap == Overlap::Shared && access.writes() {
                        return Err(ContractError::Shared { argument });
                    }
                    if let Overlap::MayEqual(target) = overlap {
                        match self.arguments.get(target).map(|a| a.kind) {
                            Some(ArgumentKind::Buffer { size: other, .. }) if target != argument => {
                                if other != size {
                                    return Err(ContractError::Overlap { argument, target });
                                }
                            }
                            _ => return Err(ContractError::Reference { argument, target }),
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// The address of a kernel. Its real signature is the one that its [`Contract`] describes.
pub type EntryPoint = unsafe extern "C" fn();

/// What a kernel promises to have cleared of secrets when it returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clears {
    /// Every volatile register that held something derived from a secret.
    pub registers: bool,
    /// Every byte of its stack frame that held something derived from a secret.
    pub stack: bool,
}

impl Clears {
    /// Registers and stack.
    pub const ALL: Clears = Clears { registers: true, stack: true };
    /// Nothing is promised.
    pub const NOTHING: Clears = Clears { registers: false, stack: false };
}

/// One assembly routine.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    /// `ALGORITHM_TIER` or `ALGORITHM_VARIANT`, as `sha256_neon`, `sha256_ce_x2`; unique within an architecture.
    pub name: &'static str,
    /// What it is written for.
    pub architecture: Architecture,
    /// What it asks of the CPU.
    pub tier: Tier,
    /// Its variant, as `ce_x2`; the tier's name where it is the tier's only kernel for one message.
    pub variant: &'static str,
    /// How many independent messages it processes in one call.
    pub lanes: usize,
    /// What its entry point may do.
    pub contract: &'static Contract,
    /// Every CPU feature that its instructions need beyond the base architecture.
    pub features: &'static [Feature],
    /// Bytes of stack that it uses below the SP of its caller, at most.
    pub stack: usize,
    /// The sizes that [`Size::Layout`] names.
    pub layout: &'static [(&'static str, usize)],
    /// What it clears before it returns.
    pub clears: Clears,
    /// Its address; `None` where this build is for another architecture.
    pub entry: Option<EntryPoint>,
}

impl Kernel {
    /// The size that the kernel gives to a name of its private layout.
    fn layout_size(&self, name: &str) -> Option<usize> {
        self.layout.iter().find(|(n, _)| *n == name).map(|&(_, bytes)| bytes)
    }

    /// The size in bytes of buffer argument number `argument`, given the values of the scalar arguments.
    ///
    /// `scalars[i]` is the value of argument `i`; entries of buffers are ignored. `None` if the argument is no
    /// buffer, if a layout size is not declared, or if the size exceeds `usize`.
    pub fn buffer_size(&self, argument: usize, scalars: &[u64]) -> Option<usize> {
        let ArgumentKind::Buffer { size, .. } = self.contract.arguments.get(argument)?.kind else { return None };
        match size {
            Size::Fixed(bytes) => Some(bytes),
            Size::Affine { base, per, argument } => {
                let units = usize::try_from(*scalars.get(argument)?).ok()?;
                per.checked_mul(units)?.checked_add_signed(base)
            }
            Size::Layout(name) => self.layout_size(name),
            Size::LayoutEach { layout, more, argument } => {
                let units = usize::try_from(*scalars.get(argument)?).ok()?.checked_add(more)?;
                self.layout_size(layout)?.checked_mul(units)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INPUT: Argument =
        Argument::buffer("input", Size::Affine { base: 4, per: 64, argument: 1 }, Access::Read, Secrecy::Secret);

    fn contract(arguments: &'static [Argument]) -> Contract {
        Contract { algorithm: "test", operation: "test", arguments, returns: Returns::Nothing }
    }

    #[test]
    fn a_size_needs_a_public_scalar() {
        static MISSING: [Argument; 1] = [INPUT];
        assert_eq!(contract(&MISSING).validate(), Err(ContractError::Reference { argument: 0, target: 1 }));
        static BUFFER: [Argument; 2] = [INPUT, INPUT];
        assert_eq!(contract(&BUFFER).validate(), Err(ContractError::Reference { argument: 0, target: 1 }));
        static GOOD: [Argument; 2] = [INPUT, Argument::count("count")];
        assert_eq!(contract(&GOOD).validate(), Ok(()));
    }

    #[test]
    fn an_alignment_is_a_power_of_two() {
        static ODD: [Argument; 2] = [INPUT.aligned(12), Argument::count("count")];
        assert_eq!(contract(&ODD).validate(), Err(ContractError::Alignment { argument: 0, given: 12 }));
    }

    #[test]
    fn equal_buffers_have_equal_sizes() {
        static UNEQUAL: [Argument; 3] = [
            INPUT,
            Argument::count("count"),
            Argument::buffer("output", Size::Fixed(64), Access::Write, Secrecy::Secret).may_equal(0),
        ];
        assert_eq!(contract(&UNEQUAL).validate(), Err(ContractError::Overlap { argument: 2, target: 0 }));
    }

    #[test]
    fn only_what_is_read_is_shared() {
        static WRITTEN: [Argument; 1] =
            [Argument::buffer("output", Size::Fixed(64), Access::Write, Secrecy::Secret).shared()];
        assert_eq!(contract(&WRITTEN).validate(), Err(ContractError::Shared { argument: 0 }));
        static READ: [Argument; 2] = [INPUT.shared(), Argument::count("count")];
        assert_eq!(contract(&READ).validate(), Ok(()));
    }

    #[test]
    fn a_range_is_not_empty() {
        static EMPTY: [Argument; 1] = [Argument {
            name: "rounds",
            kind: ArgumentKind::Scalar { ty: ScalarType::U32, secrecy: Secrecy::Public, min: 2, max: 1, step: 1 },
        }];
        assert_eq!(contract(&EMPTY).validate(), Err(ContractError::Range { argument: 0 }));
    }

    #[test]
    fn a_scalar_is_secret_or_not() {
        static PART: [Argument; 1] = [Argument {
            name: "rounds",
            kind: ArgumentKind::Scalar {
                ty: ScalarType::U32,
                secrecy: Secrecy::SecretUpTo(2),
                min: 0,
                max: 1,
                step: 1,
            },
        }];
        assert_eq!(contract(&PART).validate(), Err(ContractError::Secrecy { argument: 0 }));
    }

    #[test]
    fn sizes_follow_the_scalars() {
        static ARGUMENTS: [Argument; 2] = [INPUT, Argument::count("count")];
        static CONTRACT: Contract =
            Contract { algorithm: "test", operation: "test", arguments: &ARGUMENTS, returns: Returns::Nothing };
        let kernel = Kernel {
            name: "test_scalar",
            architecture: Architecture::Arm,
            tier: Tier::Scalar,
            variant: "scalar",
            lanes: 1,
            contract: &CONTRACT,
            features: &[],
            stack: 0,
            layout: &[],
            clears: Clears::ALL,
            entry: None,
        };
        assert_eq!(kernel.buffer_size(0, &[0, 3]), Some(4 + 3 * 64));
        assert_eq!(kernel.buffer_size(0, &[0, u64::MAX]), None);
        assert_eq!(kernel.buffer_size(1, &[0, 3]), None);
    }
}
