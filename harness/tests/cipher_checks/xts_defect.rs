//! What can be wrong with XTS.

use vambrace_harness::subject::Direction;

/// What is wrong with a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    // Arithmetic.
    /// One bit of every block is wrong.
    EveryBlock,
    /// One bit of every block is wrong in this direction.
    OneDirection(Direction),
    /// The halves of a block are exchanged before and behind the cipher.
    WordOrder,
    /// The two keys are exchanged.
    KeysSwapped,
    /// The tweak is big-endian.
    TweakOrder,
    /// The tweak is not encrypted.
    TweakPlain,
    /// The tweak is added on one side only.
    TweakOnce,
    /// Wrong for the block cipher on its own, from the second block on.
    BlocksAlone,
    /// Wrong if the key of the data has two equal neighbouring bytes of all ones.
    KeyAllOnes,
    /// Wrong if the key of the tweak begins with a zero.
    KeyZero,
    /// Wrong for a tweak of zeros.
    ZeroTweak,
    /// One block in about a thousand is wrong.
    OneInAThousand,

    // Lengths.
    /// Wrong for data units of this length.
    Length(usize),
    /// Wrong for data units of exactly one block.
    SingleBlock(Direction),
    /// Wrong for so many blocks, modulo the stride, in this direction: the last whole one.
    StrideTail { stride: usize, tail: usize, direction: Direction },
    /// Wrong for data units with so many bytes behind the last block.
    Rest(usize),

    // Stealing.
    /// The last two tweaks are taken in the order of this direction in both directions.
    TweaksSwapped(Direction),
    /// A byte too few is stolen.
    StealsTooFew,
    /// A byte too few is stolen where it would be this many.
    StealsTooFewOf(usize),
    /// The stolen bytes are taken from the end of the block.
    StealsFromTheEnd,
    /// In place the short block is overwritten before it is read.
    InPlaceStealing(Direction),
    /// From buffer to buffer the short block is read from the output.
    OutputStealing,

    // Sequences.
    /// Each data unit continues the one before that had the same tweak.
    TweakUsedUp,
    /// A data unit of no further blocks leaves its tweak to the next.
    TweakLeft,

    // Sectors.
    /// All sectors have the tweak of the first.
    SectorTweakFixed,
    /// The number of a sector is big-endian.
    SectorOrder,
    /// The number of a sector has so many bits.
    SectorBits(u32),
    /// Sectors of an odd size are cut to whole blocks.
    SectorRounded,
    /// The last sector is left out.
    SectorLast,
    /// Sectors are counted from 0.
    SectorFirst,

    // Tweaks.
    /// The tweak is not reduced in this lane of eight.
    NotReduced(usize),
    /// The tweak is always reduced in this lane of eight.
    AlwaysReduced(usize),
    /// The tweak is reduced by a carry out of the wrong bit.
    WrongCarry,
    /// The tweak is reduced by another polynomial.
    Polynomial,
    /// The carry out of this byte is lost.
    ByteCarry(u32),
    /// The carry out of this byte is lost in this lane of eight.
    LaneByteCarry(u32, usize),
    /// The tweak after a group is one too early.
    GroupLate,
    /// The tweak after a group is one too late, where more than so many blocks follow.
    GroupEarly(usize),
    /// A given encrypted tweak is encrypted once more.
    FromEncryptsAgain,
    /// A given encrypted tweak is doubled first.
    FromDoubled,
    /// The upper half of a given encrypted tweak is lost.
    FromHalf,
    /// A given encrypted tweak has its bytes in reverse order.
    FromReversed,

    // Tiers.
    /// Tier `neon` has another form of the key, which is not changed back.
    KeyForm,
    /// Switching changes the key for encryption alone.
    SwitchEncryption,
    /// Switching changes the key of the data alone.
    SwitchDataKey,
    /// A clone is of tier `generic` with a key of another form.
    CloneForgetsTier,
    /// A tier that is offered is refused.
    SwitchRefused,
    /// Tier `ce` is wrong.
    WrongTier,

    // Buffers of the caller.
    /// From buffer to buffer, the input becomes the result.
    InputWritten,
    /// From buffer to buffer, the last input block is used for stealing.
    InputStealing,
    /// A byte behind the output is written.
    WritesBehind,
    /// A byte before the output is written.
    WritesBefore,
    /// Wrong for some addresses of the input.
    InputAlignment { modulo: usize, residue: usize },
    /// Wrong for some addresses of the output.
    OutputAlignment { modulo: usize, residue: usize },

    // Surroundings.
    /// Wrong for every so many-th data unit.
    EveryNth(usize),
    /// Wrong at some stack addresses.
    StackAddress,
    /// Wrong for some old contents of the stack.
    StackContents,
    /// Wrong on a thread other than the one that made the subject.
    Thread,
    /// Wrong once a data unit was decrypted after one was encrypted, or the other way round.
    UsedObject,
    /// Wrong while another key exists.
    Neighbour,

    // Errors.
    /// A short key is filled up with zeros.
    ShortKey,
    /// A long key is cut.
    LongKey,
    /// A key of wrong length panics.
    KeyPanics,
    /// Equal halves of a key are accepted.
    EqualAccepted,
    /// Equal halves are refused by their first byte.
    EqualFirstByte,
    /// Equal halves are refused by their last byte.
    EqualLastByte,
    /// Equal halves are refused if they are not zero.
    EqualZeroAccepted,
    /// A short tweak is filled up with zeros.
    ShortTweak,
    /// A long tweak is cut.
    LongTweak,
    /// Data units shorter than a block are left as they are, without an error.
    ShortAccepted,
    /// A data unit without a byte is accepted.
    EmptyAccepted,
    /// Data units shorter than a block are xored with the tweak before the error.
    ShortWritten,
    /// Any length is accepted.
    LongAccepted,
    /// Whole blocks are counted alone.
    LongByBlocks,
    /// The longest data unit is refused.
    LongestRefused,
    /// The first block of a data unit that is too long is written before the error.
    LongWritten,
    /// Where input and output differ in length, the surplus is ignored.
    UnequalLengths,
    /// The same, where the output is longer.
    LongerOutput,
    /// The error for unequal lengths comes after the output was written.
    UnequalLengthsWritten,
    /// Whole sectors are written before the error for a partial one.
    PartialSectorWritten,
    /// A partial sector is left as it is.
    PartialSectorAccepted,
    /// A partial sector is a data unit of its own.
    PartialSectorAsUnit,
    /// Sectors of no bytes are accepted.
    EmptySector,
    /// Sectors shorter than a block are accepted.
    ShortSector,
    /// The error says nothing.
    SilentError,
    /// An unknown tier is taken for `generic`.
    UnknownTier,
    /// The refusal of an unknown tier damages the key.
    UnknownTierDamages,
}
