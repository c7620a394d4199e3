//! What can be wrong with a stream cipher.

/// What is wrong with a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    // Arithmetic.
    /// One bit of every block is wrong.
    EveryBlock,
    /// One round too few.
    Rounds,
    /// The key of XSalsa20 is derived with 20 rounds, whatever the stream has.
    DerivationRounds,
    /// Short keys get the constants of long ones.
    Constants,
    /// The counter's words are exchanged.
    CounterOrder,
    /// The words of a block are big-endian.
    ByteOrder,
    /// Wrong where the word of a key, nonce or counter is 0x80000000.
    SignBit,
    /// Wrong where two neighbouring words have all bits set.
    NeighboursAllOnes,
    /// Wrong where the nonce is zero.
    ZeroNonce,
    /// One block in about a hundred is wrong.
    OneInAHundred,

    // Lengths.
    /// Wrong for parts of this length.
    Length(usize),
    /// Wrong for parts of this length that begin inside a block.
    LengthInside(usize),
    /// Wrong for calls of more than `stride` blocks that leave this remainder.
    StrideTail { stride: usize, tail: usize },
    /// Wrong for calls of at least so many blocks.
    BlocksPerCall(usize),
    /// The last byte of a tail is not touched where the tail has so many bytes.
    TailCut(usize),

    // Parts.
    /// What a part leaves of a block is forgotten.
    RestForgotten,
    /// The rest of a block is used again.
    RestUsedTwice,
    /// A part of no bytes empties the buffer.
    EmptyPart,
    /// A block that a part completes exactly is made again.
    CompletedBlockAgain,
    /// A clone has no buffer.
    CloneForgetsBuffer,
    /// A clone begins again.
    CloneBeginsAgain,
    /// A clone and its original have one position.
    CloneSharesPosition,

    // Counters.
    /// The counter has so many bits.
    CounterBits(u32),
    /// Upper bits of a counter that is set are lost.
    SeekBits(u32),
    /// The carry is lost in this lane of four.
    LaneCarry(usize),
    /// The carry is lost from group to group.
    GroupCarry,
    /// The carry is lost where there is a single block.
    SingleCarry,
    /// The counter is sign-extended from 32 bits.
    SignedCounter,
    /// The last addition carries from the lower word of the counter into the upper one.
    FeedForward64,
    /// The carry out of the lower word is added twice.
    CarryTwice,

    // Tiers.
    /// Tier `neon` keeps the counter's words in another order.
    TierLayout,
    /// Switching forgets the buffer.
    SwitchForgetsBuffer,
    /// Switching goes back to the beginning of the block.
    SwitchRounds,
    /// A tier that is offered is refused.
    SwitchRefused,
    /// Tier `ce` is wrong.
    WrongTier,

    // Buffers of the caller.
    /// In place the tail is xored to what was already written.
    TailInPlace,
    /// From buffer to buffer, the output's old contents are xored too.
    OutputRead,
    /// From buffer to buffer, the tail of the output is xored too.
    OutputTailRead,
    /// From buffer to buffer, the input becomes the result.
    InputWritten,
    /// A byte behind the output is written.
    WritesBehind,
    /// A byte before the output is written.
    WritesBefore,
    /// Wrong for some addresses of the input.
    InputAlignment { modulo: usize, residue: usize },
    /// Wrong for some addresses of the output.
    OutputAlignment { modulo: usize, residue: usize },

    // Seeks.
    /// A seek goes to the beginning of the block.
    SeekIgnoresByte,
    /// A seek keeps what was left of a block.
    SeekKeepsRest,
    /// A seek to a block's beginning keeps what was left of another.
    SeekToBlockKeepsRest,
    /// A seek within the block does not move.
    SeekWithinBlock,
    /// Seeking back goes nowhere.
    SeekBack,
    /// A seek into a block leaves the counter at that block.
    SeekCounterBehind,
    /// The position is that of the block.
    PositionOfBlock,
    /// The position after a seek is wrong by one block where it is inside one.
    PositionAfterSeek,
    /// The position has 64 bits.
    Position64,
    /// Behind the end the stream begins again, silently.
    Wraps,
    /// The same, where the part begins inside of the last block.
    WrapsInside,
    /// The last block counts as whole.
    EndByBlocks,
    /// The last byte cannot be had.
    EndTooEarly,
    /// At the end the stream begins again.
    WrapsAtTheEnd,
    /// Only parts in place are refused behind the end.
    OutOfPlaceWraps,
    /// What there is is encrypted before the error comes.
    PartialBeforeError,
    /// Whole blocks that there are are encrypted before the error comes.
    BlocksBeforeError,
    /// After an error the position is the end.
    ErrorMoves,
    /// After an error the buffer is empty.
    ErrorEmptiesBuffer,
    /// A position behind the end is taken modulo the end.
    SeekWraps,
    /// Positions from 2^71 on are taken modulo 2^71.
    SeekWrapsFar,
    /// After a refused seek the position is 0.
    SeekErrorMoves,

    // What is handed back.
    /// After a tail the counter is one too small.
    CounterBehindTail,
    /// After a tail the counter is one too great.
    CounterBeforeTail,
    /// After a group the counter is one too small.
    CounterBehindGroup,
    /// After many blocks the counter is one too great.
    CounterAfter(usize),
    /// The position after a tail is that of the next block.
    PositionAfterTail,

    // Surroundings.
    /// Wrong for every so many-th part.
    EveryNth(usize),
    /// Wrong at some stack addresses.
    StackAddress,
    /// Wrong for some old contents of the stack.
    StackContents,
    /// Wrong on a thread other than the one that made the subject.
    Thread,
    /// Wrong after a seek to the beginning.
    UsedObject,
    /// Wrong while another running cipher exists.
    Neighbour,

    // Errors.
    /// A short key is filled up with zeros.
    ShortKey,
    /// A long key is cut.
    LongKey,
    /// A key whose length is right modulo 256 is taken.
    KeyLengthByte,
    /// A key of wrong length panics.
    KeyPanics,
    /// A short nonce is filled up with zeros.
    ShortNonce,
    /// A long nonce is cut.
    LongNonce,
    /// Where input and output differ in length, the surplus is ignored.
    UnequalLengths,
    /// The same, where the output is longer.
    LongerOutput,
    /// The error for unequal lengths comes after the output was written.
    UnequalLengthsWritten,
    /// The error for unequal lengths moves the position.
    UnequalLengthsMove,
    /// The error says nothing.
    SilentError,
    /// An unknown tier is taken for `generic`.
    UnknownTier,
    /// The refusal of an unknown tier begins again.
    UnknownTierBeginsAgain,
}
