//! The A64 instructions that the prover knows. Operands are as in the manual; register 31 of `rd`, `rn` is the zero register or
//! SP, as the instruction says.

use crate::aes::AesOperation;
use crate::vectors::{Lanes, VectorLogic, VectorShift};

/// How the second operand is shifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shift {
    /// LSL.
    Left(u32),
    /// LSR.
    Right(u32),
    /// ASR.
    Arithmetic(u32),
    /// ROR.
    Rotate(u32),
}

/// A condition, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition(pub u32);

/// AND, ORR, EOR or ANDS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logic {
    /// AND.
    And,
    /// ORR.
    Or,
    /// EOR.
    Xor,
    /// ANDS.
    AndFlags,
}

/// MOVZ, MOVN or MOVK.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveWide {
    /// MOVN.
    Not,
    /// MOVZ.
    Zero,
    /// MOVK.
    Keep,
}

/// UBFM or BFM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bitfield {
    /// SBFM.
    Signed,
    /// BFM: the other bits stay.
    Insert,
    /// UBFM.
    Unsigned,
}

/// CSEL and its kin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Select {
    /// CSEL.
    Plain,
    /// CSINC.
    Increment,
    /// CSINV.
    Invert,
    /// CSNEG.
    Negate,
}

/// Which register a load or store moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moved {
    /// A general register; a load clears what is above.
    General {
        /// Bytes in memory.
        bytes: u32,
    },
    /// A vector register; a load clears what is above.
    Vector {
        /// Bytes in memory.
        bytes: u32,
    },
}

impl Moved {
    /// Bytes in memory.
    pub fn bytes(self) -> u32 {
        match self {
            Moved::General { bytes } | Moved::Vector { bytes } => bytes,
        }
    }
}

/// How an address is made from a base register and an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// base + offset.
    Offset,
    /// base + offset, which becomes the base.
    Before,
    /// base, which then becomes base + offset.
    After,
}

/// ZIP, UZP and TRN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permute {
    /// UZP1, UZP2.
    Unzip,
    /// TRN1, TRN2.
    Transpose,
    /// ZIP1, ZIP2.
    Zip,
}

/// The SHA-2 instructions that take three vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sha2 {
    /// SHA256H.
    H256,
    /// SHA256H2.
    SecondH256,
    /// SHA256SU1.
    Schedule256,
    /// SHA512H.
    H512,
    /// SHA512H2.
    SecondH512,
    /// SHA512SU1.
    Schedule512,
}

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields have the names of the manual")]
pub enum Instruction {
    Hint,
    Adr { rd: u32, offset: i64 },
    AdrPage { rd: u32, offset: i64 },
    AddImmediate { width: u32, subtract: bool, flags: bool, rd: u32, rn: u32, immediate: u32 },
    AddShifted { width: u32, subtract: bool, flags: bool, rd: u32, rn: u32, rm: u32, shift: Shift },
    AddExtended { width: u32, subtract: bool, rd: u32, rn: u32, rm: u32, from: u32, left: u32 },
    AddCarry { width: u32, rd: u32, rn: u32, rm: u32 },
    LogicImmediate { width: u32, logic: Logic, rd: u32, rn: u32, immediate: u64 },
    LogicShifted { width: u32, logic: Logic, invert: bool, rd: u32, rn: u32, rm: u32, shift: Shift },
    MoveWide { width: u32, kind: MoveWide, rd: u32, immediate: u32, left: u32 },
    Bitfield { width: u32, kind: Bitfield, rd: u32, rn: u32, rotate: u32, last: u32 },
    Extract { width: u32, rd: u32, rn: u32, rm: u32, from: u32 },
    Reverse { width: u32, element: u32, rd: u32, rn: u32 },
    Select { width: u32, kind: Select, rd: u32, rn: u32, rm: u32, condition: Condition },
    MultiplyAdd { width: u32, subtract: bool, rd: u32, rn: u32, rm: u32, ra: u32 },
    Divide { width: u32, rd: u32, rn: u32, rm: u32 },
    Branch { offset: i64 },
    Call { offset: i64 },
    BranchIf { condition: Condition, offset: i64 },
    BranchZero { width: u32, nonzero: bool, rt: u32, offset: i64 },
    BranchBit { bit: u32, set: bool, rt: u32, offset: i64 },
    Return { rn: u32 },
    LoadStore { load: bool, moved: Moved, mode: Mode, rt: u32, rn: u32, offset: i64 },
    LoadStoreIndexed { load: bool, moved: Moved, rt: u32, rn: u32, rm: u32, left: u32 },
    Pair { load: bool, moved: Moved, mode: Mode, rt: u32, rt2: u32, rn: u32, offset: i64 },
    Literal { moved: Moved, rt: u32, offset: i64 },
    Multiple { load: bool, count: u32, bytes: u32, rt: u32, rn: u32, after: bool },
    MultipleTwo { load: bool, element: u32, width: u32, rt: u32, rn: u32, after: bool },
    Replicate { count: u32, element: u32, width: u32, rt: u32, rn: u32, after: bool },
    Lanes { operation: Lanes, width: u32, element: u32, rd: u32, rn: u32, rm: u32 },
    VectorLogic { operation: VectorLogic, width: u32, rd: u32, rn: u32, rm: u32 },
    VectorShift { operation: VectorShift, width: u32, element: u32, rd: u32, rn: u32, by: u32 },
    Widen { upper: bool, element: u32, rd: u32, rn: u32, by: u32 },
    Narrow { upper: bool, element: u32, rd: u32, rn: u32, by: u32 },
    Permute { kind: Permute, second: bool, width: u32, element: u32, rd: u32, rn: u32, rm: u32 },
    VectorExtract { width: u32, rd: u32, rn: u32, rm: u32, from: u32 },
    Table { width: u32, count: u32, rd: u32, rn: u32, rm: u32 },
    VectorReverse { width: u32, unit: u32, element: u32, rd: u32, rn: u32 },
    DuplicateElement { scalar: bool, width: u32, element: u32, rd: u32, rn: u32, index: u32 },
    DuplicateGeneral { width: u32, element: u32, rd: u32, rn: u32 },
    InsertElement { element: u32, rd: u32, rn: u32, to: u32, from: u32 },
    InsertGeneral { element: u32, rd: u32, rn: u32, to: u32 },
    MoveElement { element: u32, rd: u32, rn: u32, from: u32 },
    MoveToVector { element: u32, upper: bool, rd: u32, rn: u32 },
    MoveFromVector { element: u32, upper: bool, rd: u32, rn: u32 },
    VectorImmediate { width: u32, rd: u32, value: u128 },
    Aes { operation: AesOperation, rd: u32, rn: u32 },
    Sha2 { operation: Sha2, rd: u32, rn: u32, rm: u32 },
    Schedule256 { rd: u32, rn: u32 },
    Schedule512 { rd: u32, rn: u32 },
    Xor3 { rd: u32, rn: u32, rm: u32, ra: u32 },
    ClearXor { rd: u32, rn: u32, rm: u32, ra: u32 },
    XorRotate { rd: u32, rn: u32, rm: u32, by: u32 },
    RotateXor { rd: u32, rn: u32, rm: u32 },
}
