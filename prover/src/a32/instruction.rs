//! The A32 instructions that the prover knows. Vector registers are numbers of D registers; with `quad` they are even, and the
//! first of two.

use crate::aes::AesOperation;
use crate::vectors::{Lanes, VectorLogic, VectorShift};

/// A data-processing operation, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alu {
    /// AND.
    And,
    /// EOR.
    Xor,
    /// SUB.
    Sub,
    /// RSB.
    ReverseSub,
    /// ADD.
    Add,
    /// ADC.
    AddCarry,
    /// SBC.
    SubCarry,
    /// TST.
    Test,
    /// TEQ.
    TestEqual,
    /// CMP.
    Compare,
    /// CMN.
    CompareNegative,
    /// ORR.
    Or,
    /// ORN, which T32 has.
    OrNot,
    /// MOV and the shifts.
    Move,
    /// BIC.
    AndNot,
    /// MVN.
    MoveNot,
}

/// The second operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A number, and the carry that its rotation makes, if it is rotated.
    Immediate(u32, Option<bool>),
    /// A register, shifted.
    Shifted(u32, Shift),
}

/// How a register is shifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shift {
    /// LSL, by 0 to 31.
    Left(u32),
    /// LSR, by 1 to 32.
    Right(u32),
    /// ASR, by 1 to 32.
    Arithmetic(u32),
    /// ROR, by 1 to 31.
    Rotate(u32),
    /// RRX.
    Extend,
}

/// A kind of shift, by the lowest byte of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShiftBy {
    /// LSL.
    Left,
    /// LSR.
    Right,
    /// ASR.
    Arithmetic,
    /// ROR.
    Rotate,
}

/// How an address is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// base + offset.
    Offset,
    /// base + offset, which becomes the base.
    Before,
    /// base, which then becomes base + offset.
    After,
}

/// What becomes of the base of a load or store of vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// It stays.
    Same,
    /// It moves on behind what was accessed.
    Behind,
    /// It moves on by a register.
    By(u32),
}

/// What is made of three vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Three {
    /// VADD, VSUB.
    Lanes(Lanes),
    /// VAND to VBIF.
    Logic(VectorLogic),
}

/// Exchanges between two registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exchange {
    /// VSWP.
    Swap,
    /// VTRN.
    Transpose,
    /// VUZP.
    Unzip,
    /// VZIP.
    Zip,
}

/// The SHA-256 instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sha256 {
    /// SHA256H.
    Hash,
    /// SHA256H2.
    SecondHash,
    /// SHA256SU0.
    Schedule,
    /// SHA256SU1.
    SecondSchedule,
}

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields have the names of the manual")]
pub enum Operation {
    Nop,
    Alu { alu: Alu, flags: bool, rd: u32, rn: u32, operand: Operand },
    MoveWide { top: bool, rd: u32, immediate: u32 },
    Reverse { rd: u32, rm: u32 },
    PackHalves { top: bool, rd: u32, rn: u32, rm: u32, by: u32 },
    InsertBits { rd: u32, rn: u32, low: u32, width: u32 },
    ExtractBits { signed: bool, rd: u32, rn: u32, low: u32, width: u32 },
    ShiftBy { kind: ShiftBy, flags: bool, rd: u32, rn: u32, rm: u32 },
    Multiply { flags: bool, rd: u32, rn: u32, rm: u32 },
    MultiplyAdd { subtract: bool, rd: u32, rn: u32, rm: u32, ra: u32 },
    Branch { offset: i64 },
    BranchZero { nonzero: bool, rn: u32, offset: i64 },
    Address { rd: u32, offset: i64 },
    Exchange { rm: u32 },
    LoadStore { load: bool, bytes: u32, mode: Mode, rt: u32, rn: u32, offset: i64 },
    LoadStoreIndexed { load: bool, bytes: u32, rt: u32, rn: u32, rm: u32 },
    LoadStoreTwo { load: bool, mode: Mode, rt: u32, rn: u32, offset: i64 },
    LoadStorePair { load: bool, mode: Mode, rt: u32, rt2: u32, rn: u32, offset: i64 },
    Multiple { load: bool, rn: u32, list: u32, start: i64, update: Option<i64> },
    VectorMemory { load: bool, d: u32, count: u32, rn: u32, start: i64, update: Option<i64> },
    Two { d: u32, low: u32, high: u32, to_vector: bool },
    MoveLane { rt: u32, d: u32, index: u32 },
    DuplicateGeneral { quad: bool, element: u32, d: u32, rt: u32 },
    Structures { load: bool, d: u32, count: u32, interleave: Option<u32>, rn: u32, after: After },
    LoadLane { element: u32, d: u32, index: u32, rn: u32, after: After },
    LoadAll { element: u32, d: u32, count: u32, rn: u32, after: After },
    Three { operation: Three, quad: bool, element: u32, d: u32, n: u32, m: u32 },
    VectorShift { operation: VectorShift, quad: bool, element: u32, d: u32, m: u32, by: u32 },
    Narrow { element: u32, d: u32, m: u32, by: u32 },
    Extract { quad: bool, d: u32, n: u32, m: u32, from: u32 },
    Table { d: u32, n: u32, count: u32, m: u32 },
    DuplicateLane { quad: bool, element: u32, d: u32, m: u32, index: u32 },
    VectorReverse { quad: bool, unit: u32, element: u32, d: u32, m: u32 },
    ExchangeVectors { exchange: Exchange, quad: bool, element: u32, d: u32, m: u32 },
    VectorImmediate { quad: bool, d: u32, value: u64 },
    Aes { operation: AesOperation, d: u32, m: u32 },
    Sha256 { operation: Sha256, d: u32, n: u32, m: u32 },
}

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// The number of its condition; 14 is always.
    pub condition: u32,
    /// What it does.
    pub operation: Operation,
}
