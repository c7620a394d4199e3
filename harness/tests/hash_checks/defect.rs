//! What can be wrong with a hash function.

/// What is wrong with a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    // Arithmetic that is wrong for some inputs.
    /// One bit of the hash value flips with every block.
    EveryBlock,
    /// One bit of the initial hash value is wrong.
    InitialValue,
    /// The words of the digest are little-endian.
    DigestByteOrder,
    /// A shorter digest is cut from the wrong end.
    TruncatedAtTheWrongEnd,
    /// One digest in about a thousand is wrong.
    OneInAThousand,
    /// Wrong after a block in which two neighbouring words have all bits set.
    NeighboursAllOnes,
    /// Wrong after a block of zeros.
    ZeroBlock,
    /// Wrong after a block that holds the word 0x80000000.
    SignBit,
    /// Wrong after a block with a single bit set.
    SingleBit,
    /// Wrong after a block in which each byte is the one before plus the same step, other than 0.
    RampBlock,
    /// Wrong if a word of the chaining value has all bits set.
    ChainingValueAllOnes,

    // Lengths.
    /// Wrong for messages of this length, modulo the block size.
    Residue(u64),
    /// Wrong for messages of this length alone.
    Length(u64),
    /// Wrong for messages of this length modulo the block size, from a minimum on.
    LongResidue { residue: u64, minimum: u64 },
    /// Wrong for messages from this length on.
    From(u64),
    /// The padding overwrites the length's room by one byte before it takes another block.
    LateExtraBlock,
    /// Panics at this length.
    Panic(u64),

    // Blocks of a call.
    /// Wrong for calls of at least so many blocks.
    BlocksPerCall(usize),
    /// Wrong for calls of more than `stride` blocks that leave this remainder.
    StrideTail { stride: usize, tail: usize },
    /// A later call of several blocks continues from its first block's chaining value.
    ChainingValueOfFirstBlock,

    // Parts.
    /// After a buffered block the bytes that follow the whole blocks are taken from the wrong place.
    PointerNotAdvanced,
    /// A block that an update completes exactly is not hashed when that update brings no more.
    CompletedBlockLost,
    /// An update of no bytes empties the buffer.
    EmptyUpdate,
    /// An update of one byte to an empty buffer is forgotten.
    SingleByteLost,
    /// `try_update` counts its bytes twice.
    TryUpdateCountsTwice,
    /// A clone has no buffer.
    CloneForgetsBuffer,
    /// A clone and its original have one buffer.
    CloneSharesBuffer,
    /// A clone and its original have one length.
    CloneSharesLength,
    /// Reset keeps the buffer.
    ResetKeepsBuffer,
    /// Reset keeps the length.
    ResetKeepsLength,
    /// Reset keeps the hash value.
    ResetKeepsState,
    /// `finalize_reset` keeps the length.
    FinalizeResetKeepsLength,
    /// An exported state lacks the buffer's last byte.
    ExportCutsBuffer,
    /// An imported state has the length of its whole blocks only.
    ImportRoundsLength,

    // Counts.
    /// The length in bits has so many bits.
    BitCount(u32),
    /// The length in bytes has so many bits.
    ByteCount(u32),
    /// The length in bits is sign-extended from 32 bits.
    SignedBitCount,
    /// The carry into the high word of the byte count is lost in updates of several blocks.
    BulkCarry,
    /// The carry into the high word of the byte count is lost in updates of at most one block.
    SingleBlockCarry,
    /// The high word of an injected byte count is ignored.
    InjectedHighWord,
    /// Byte counts of 2^60 and more are refused.
    LimitTooLow,

    // Tiers.
    /// Tier `neon` keeps the hash value in another order.
    TierLayout,
    /// Switching forgets the buffer.
    SwitchForgetsBuffer,
    /// Switching back finds the hash value of then.
    SwitchFindsOldState,
    /// A tier that is offered is refused.
    SwitchRefused,
    /// Tier `ce` is wrong.
    WrongTier,

    // Buffers of the caller.
    /// Keeps pointing to the caller's incomplete block.
    PointsToInput,
    /// Wrong for the caller's whole blocks at some addresses.
    Alignment { modulo: usize, residue: usize },
    /// Wrong for one of several messages at some addresses.
    LaneAlignment,

    // Several messages.
    /// The digests of the first two messages are exchanged.
    LanesSwapped,
    /// The last message of an odd number, from three on, is forgotten.
    OddOneForgotten,
    /// An empty message gets its predecessor's digest.
    EmptyLane,
    /// A message that ends before its successor takes some of the successor's bytes.
    LaneLeaks,
    /// Only so many messages are hashed.
    FewLanes(usize),
    /// Of two messages that end with the same block, the first ends one block early.
    EqualLanes,

    // What is handed back.
    /// The chaining value lacks the last block of a call of several.
    HandsBackOneEarlier,
    /// The chaining value's last word has its bytes reversed.
    HandsBackByteOrder,
    /// The byte count leaves out the buffer.
    HandsBackWholeBlocks,
    /// The byte count has 32 bits.
    HandsBackCount32,

    // Surroundings.
    /// Every so many messages the digest is wrong.
    EveryNth(usize),
    /// Wrong on some stack addresses.
    StackAddress,
    /// Wrong for some old contents of the stack.
    StackContents,
    /// Wrong on a thread other than the one that made the subject.
    Thread,
    /// Wrong after `finalize_reset`, on the same object.
    UsedObject,
    /// Wrong while another running hash exists.
    Neighbour,

    // Errors.
    /// Messages beyond the limit are accepted.
    NoLimit,
    /// The last byte that is allowed is refused.
    LimitOffByOne,
    /// A refused update has appended its bytes.
    RefusalAppends,
    /// A refused update has emptied the buffer.
    RefusalEmptiesBuffer,
    /// The error says nothing.
    SilentError,
    /// The version of an imported state is ignored.
    AnyVersion,
    /// Newer versions of a state are accepted.
    NewerVersion,
    /// The algorithm of an imported state is ignored.
    AnyAlgorithm,
    /// A short state is filled up with zeros.
    ShortState,
    /// What follows a state is ignored.
    LongState,
    /// Bytes of the buffer that do not count are ignored.
    DirtyBuffer,
    /// A wrong state panics.
    ImportPanics,
    /// An unknown tier is taken for `generic`.
    UnknownTier,
    /// The refusal of an unknown tier empties the buffer.
    UnknownTierEmptiesBuffer,
    /// Where messages and outputs differ in number, the surplus is ignored.
    UnequalCounts,
    /// The error for unequal numbers comes after some outputs were written.
    UnequalCountsWritten,
}
