//! XTS for all ciphers and tiers (IEEE 1619-2018; NIST SP 800-38E for AES): data units of any length from one block on, with
//! ciphertext stealing, and runs of sectors.

mod area;
mod types;

use cipher::InOutBuf;
use vambrace_contract::{Access, Argument, Feature, Secrecy, Size, Tier};
use vambrace_reference::xts::{self as specification, BlockCipher};
use zeroize::optimization_barrier;

use crate::dispatch::{self, Dispatch};
use crate::{TierError, XtsError};

pub(crate) use area::{each_sector, largest_number, little_endian};
pub(crate) use types::xts_types;

/// The greatest number of blocks of a data unit: SP 800-38E, and section 5.1 of the standard.
pub(crate) const MAX_BLOCKS: usize = 1 << 20;

/// An entry point: `keys`, `tweak`, `input`, `output`, `count`, `rounds`.
pub(crate) type Crypt<C> =
    unsafe extern "C" fn(*const <C as Cipher>::KeyUnit, *mut <C as Cipher>::Block, *const u8, *mut u8, usize, u32);

/// An entry point for one block: `keys`, `tweak_keys`, `tweak`, `input`, `output`, `rounds`.
pub(crate) type CryptOne<C> = unsafe extern "C" fn(
    *const <C as Cipher>::KeyUnit,
    *const <C as Cipher>::KeyUnit,
    *const <C as Cipher>::Block,
    *const u8,
    *mut u8,
    u32,
);

/// The arguments of `xts_encrypt` and `xts_decrypt`: those of one cipher are those of another, but for keys, size of a block and
/// rounds.
pub(crate) const fn arguments(keys: Argument, block_bytes: usize, rounds: Argument) -> [Argument; 6] {
    let blocks = Size::Affine { base: 0, per: block_bytes, argument: 4 };
    [
        keys,
        Argument::buffer("tweak", Size::Fixed(block_bytes), Access::ReadWrite, Secrecy::Secret),
        Argument::buffer("input", blocks, Access::Read, Secrecy::Secret),
        Argument::buffer("output", blocks, Access::Write, Secrecy::Secret).may_equal(2),
        Argument::count("count"),
        rounds,
    ]
}

/// The arguments of `xts_encrypt_one` and `xts_decrypt_one`: a data unit of one block.
pub(crate) const fn arguments_of_one(
    keys: Argument,
    tweak_keys: Argument,
    block_bytes: usize,
    rounds: Argument,
) -> [Argument; 6] {
    let block = Size::Fixed(block_bytes);
    [
        keys,
        tweak_keys,
        Argument::buffer("tweak", block, Access::Read, Secrecy::Secret),
        Argument::buffer("input", block, Access::Read, Secrecy::Secret),
        Argument::buffer("output", block, Access::Write, Secrecy::Secret).may_equal(3),
        rounds,
    ]
}

/// A block cipher, by its kernels.
pub(crate) trait Cipher: Sized + 'static {
    /// A block, and a tweak.
    type Block: Copy + Default + AsRef<[u8]> + AsMut<[u8]> + 'static;
    /// What expanded keys are made of.
    type KeyUnit: 'static;
    /// An expanded key, as the kernels of a tier want it; by default of zeros, for [`expand`](Cipher::expand) to fill.
    type Key: Clone + Default;
    /// What the kernels of a tier need beyond the two of XTS, to prepare keys.
    type Prepare: Copy + 'static;

    /// Bytes of a block.
    const BLOCK_BYTES: usize;

    /// Expands a key for the kernels of a backend, where it is to stay; the length is one that the cipher has.
    fn expand(key: &[u8], backend: &'static Backend<Self>, expanded: &mut Self::Key);
    /// The same key for the kernels of another backend.
    fn convert(key: &mut Self::Key, backend: &'static Backend<Self>);
    /// For encryption, and the number of rounds.
    fn encrypt_key(key: &Self::Key) -> (*const Self::KeyUnit, u32);
    /// For decryption, and the number of rounds.
    fn decrypt_key(key: &Self::Key) -> (*const Self::KeyUnit, u32);
    /// These bytes as a block, if they are as many.
    fn block(bytes: &[u8]) -> Option<&Self::Block>;
    /// The tweak of the next block: multiplied by alpha.
    fn next(tweak: Self::Block) -> Self::Block;

    /// The kernels.
    fn dispatch() -> &'static Dispatch<Backend<Self>>;
}

/// The kernels of one tier.
pub(crate) struct Backend<C: Cipher> {
    pub(crate) tier: Tier,
    pub(crate) features: &'static [Feature],
    pub(crate) encrypt: Crypt<C>,
    pub(crate) decrypt: Crypt<C>,
    /// What a data unit of one block goes through, if there is something better than the other two for it.
    pub(crate) one: Option<One<C>>,
    pub(crate) prepare: C::Prepare,
}

/// The kernels for a data unit of one block, which encrypt its tweak as well.
pub(crate) struct One<C: Cipher> {
    pub(crate) encrypt: CryptOne<C>,
    pub(crate) decrypt: CryptOne<C>,
}

impl<C: Cipher> dispatch::Backend for Backend<C> {
    fn tier(&self) -> Tier {
        self.tier
    }

    fn features(&self) -> &'static [Feature] {
        self.features
    }
}

/// Blocks that the portable tier gives to a cipher together: four of AES cost as much as one.
const TOGETHER: usize = 4;

/// The portable tier of a direction: the specification on integers.
///
/// # Safety
/// As the contracts `XTS_ENCRYPT` and `XTS_DECRYPT` of the cipher say of `tweak`, `input`, `output` and `count`.
pub(crate) unsafe fn portable<const BYTES: usize>(
    cipher: &impl BlockCipher<BYTES>,
    direction: Direction,
    tweak: *mut [u8; BYTES],
    input: *const u8,
    output: *mut u8,
    count: usize,
) {
    if count == 0 {
        return;
    }
    // SAFETY: the contract grants the tweak for reading and writing, apart from all else.
    let tweak = unsafe { &mut *tweak };
    for first in (0..count).step_by(TOGETHER) {
        let mut blocks = [[0; BYTES]; TOGETHER];
        let blocks = &mut blocks[..(count - first).min(TOGETHER)];
        for (n, block) in blocks.iter_mut().enumerate() {
            // SAFETY: the contract grants `count` blocks for reading at `input`.
            *block = unsafe { input.add(BYTES * (first + n)).cast::<[u8; BYTES]>().read_unaligned() };
        }
        match direction {
            Direction::Encrypt => specification::encrypt_blocks(cipher, tweak, blocks),
            Direction::Decrypt => specification::decrypt_blocks(cipher, tweak, blocks),
        }
        for (n, block) in blocks.iter().enumerate() {
            // SAFETY: the contract grants as many for writing at `output`; where they are equal, a block is read before it
            // is written.
            unsafe { output.add(BYTES * (first + n)).cast::<[u8; BYTES]>().write_unaligned(*block) };
        }
    }
}

/// Which way.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Encrypt,
    Decrypt,
}

/// A key under the kernels of a tier.
pub(crate) struct Keyed<C: Cipher> {
    key: C::Key,
    backend: &'static Backend<C>,
}

impl<C: Cipher> Clone for Keyed<C> {
    fn clone(&self) -> Self {
        Keyed { key: self.key.clone(), backend: self.backend }
    }
}

impl<C: Cipher> Keyed<C> {
    #[inline]
    pub(crate) fn new(key: &[u8], backend: &'static Backend<C>) -> Self {
        let mut keyed = Keyed { key: C::Key::default(), backend };
        C::expand(key, backend, &mut keyed.key);
        keyed
    }

    pub(crate) fn set_backend(&mut self, backend: &'static Backend<C>) {
        C::convert(&mut self.key, backend);
        self.backend = backend;
    }

    pub(crate) fn backend(&self) -> &'static Backend<C> {
        self.backend
    }

    /// Whole blocks, each under the tweak and the next; the tweak moves on. Under a tweak of zero that is the bare cipher.
    #[inline]
    pub(crate) fn blocks(&self, direction: Direction, tweak: &mut C::Block, data: InOutBuf<'_, '_, u8>) {
        let count = data.len() / C::BLOCK_BYTES;
        let (kernel, (key, rounds)) = match direction {
            Direction::Encrypt => (self.backend.encrypt, C::encrypt_key(&self.key)),
            Direction::Decrypt => (self.backend.decrypt, C::decrypt_key(&self.key)),
        };
        let (input, output) = data.into_raw();
        // SAFETY: the buffer gives a pointer for reading and one for writing, equal or disjoint, with `count` blocks at each;
        // the key has what the kernels of its backend read for so many rounds. A backend is handed out only when the
        // CPU has its features.
        unsafe { kernel(key, tweak, input, output, count, rounds) }
    }

    #[inline]
    fn block(&self, direction: Direction, mut tweak: C::Block, block: &mut C::Block) {
        self.blocks(direction, &mut tweak, block.as_mut().into());
    }
}

/// The two keys of XTS.
pub(crate) struct Xts<C: Cipher> {
    data: Keyed<C>,
    tweak: Keyed<C>,
}

impl<C: Cipher> Clone for Xts<C> {
    fn clone(&self) -> Self {
        Xts { data: self.data.clone(), tweak: self.tweak.clone() }
    }
}

impl<C: Cipher> Xts<C> {
    /// From the key of the data and the key of the tweak, one after the other.
    #[inline]
    pub(crate) fn new(key: &[u8], backend: &'static Backend<C>) -> Self {
        let (data, tweak) = key.split_at(key.len() / 2);
        let keyed = || Keyed { key: C::Key::default(), backend };
        let mut xts = Xts { data: keyed(), tweak: keyed() };
        C::expand(data, backend, &mut xts.data.key);
        C::expand(tweak, backend, &mut xts.tweak.key);
        xts
    }

    pub(crate) fn set_tier(&mut self, algorithm: &'static str, tier: Tier) -> Result<(), TierError> {
        self.set_backend(C::dispatch().of_tier(algorithm, tier)?);
        Ok(())
    }

    pub(crate) fn set_backend(&mut self, backend: &'static Backend<C>) {
        self.data.set_backend(backend);
        self.tweak.set_backend(backend);
    }

    pub(crate) fn backend(&self) -> &'static Backend<C> {
        self.data.backend
    }

    /// A data unit under its tweak.
    #[inline]
    pub(crate) fn data_unit(
        &self,
        direction: Direction,
        tweak: &C::Block,
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<(), XtsError> {
        if data.len() == C::BLOCK_BYTES
            && let Some(one) = &self.data.backend.one
        {
            self.one(one, direction, tweak, data);
            return Ok(());
        }
        self.any_length(direction, tweak, data)
    }

    /// The same by the kernels for all lengths; out of the way of one block, which should not save registers for it.
    #[inline(never)]
    fn any_length(&self, direction: Direction, tweak: &C::Block, data: InOutBuf<'_, '_, u8>) -> Result<(), XtsError> {
        check_data_unit::<C>(data.len())?;
        let mut encrypted = *tweak;
        self.tweak.block(Direction::Encrypt, C::Block::default(), &mut encrypted);
        self.under(direction, encrypted, data);
        Ok(())
    }

    /// A data unit of one block under its tweak, by the kernels that this backend has for it.
    #[inline]
    fn one(&self, one: &One<C>, direction: Direction, tweak: &C::Block, data: InOutBuf<'_, '_, u8>) {
        let (kernel, (key, rounds)) = match direction {
            Direction::Encrypt => (one.encrypt, C::encrypt_key(&self.data.key)),
            Direction::Decrypt => (one.decrypt, C::decrypt_key(&self.data.key)),
        };
        let (tweak_key, _) = C::encrypt_key(&self.tweak.key);
        let (input, output) = data.into_raw();
        // SAFETY: the buffer gives a pointer for reading and one for writing, equal or disjoint, with one block at each; both keys
        // have what the kernels of their backend read for so many rounds. A backend is handed out only when the CPU has its
        // features.
        unsafe { kernel(key, tweak_key, tweak, input, output, rounds) }
    }

    /// A data unit, whose length is allowed, under its encrypted tweak.
    #[inline]
    pub(crate) fn under(&self, direction: Direction, mut tweak: C::Block, data: InOutBuf<'_, '_, u8>) {
        let (length, rest) = (data.len(), data.len() % C::BLOCK_BYTES);
        if rest == 0 {
            self.data.blocks(direction, &mut tweak, data);
        } else {
            let (whole, last) = data.split_at(length - rest - C::BLOCK_BYTES);
            if !whole.is_empty() {
                self.data.blocks(direction, &mut tweak, whole);
            }
            self.steal(direction, tweak, last);
        }
        tweak = C::Block::default();
        optimization_barrier(&tweak);
    }

    /// The last whole block and the partial one behind it: sections 5.3.2 and 5.4.2. `tweak` is that of the whole block.
    #[inline(never)]
    fn steal(&self, direction: Direction, tweak: C::Block, mut data: InOutBuf<'_, '_, u8>) {
        let rest = data.len() - C::BLOCK_BYTES;
        // Decryption undoes what was done last first, under the later tweak.
        let (first, second) = match direction {
            Direction::Encrypt => (tweak, C::next(tweak)),
            Direction::Decrypt => (C::next(tweak), tweak),
        };
        let (mut whole, mut other) = (C::Block::default(), C::Block::default());
        let input = data.get_in();
        whole.as_mut().copy_from_slice(&input[..C::BLOCK_BYTES]);
        self.data.block(direction, first, &mut whole);
        // The partial block is filled up with the end of the whole one, whose beginning takes its place.
        other.as_mut().copy_from_slice(whole.as_ref());
        other.as_mut()[..rest].copy_from_slice(&input[C::BLOCK_BYTES..]);
        self.data.block(direction, second, &mut other);
        let output = data.get_out();
        output[..C::BLOCK_BYTES].copy_from_slice(other.as_ref());
        output[C::BLOCK_BYTES..].copy_from_slice(&whole.as_ref()[..rest]);
        (whole, other) = (C::Block::default(), C::Block::default());
        optimization_barrier(&whole);
        optimization_barrier(&other);
    }
}

/// The two keys of XTS under automatic dispatch, from as many bytes as both have together.
pub(crate) fn keyed<C: Cipher>(key: &[u8], expected: usize) -> Result<Xts<C>, XtsError> {
    if key.len() != expected {
        return Err(XtsError::KeyLength { expected, given: key.len() });
    }
    Ok(Xts::new(key, C::dispatch().best()))
}

/// Whether a data unit may have so many bytes.
pub(crate) fn check_data_unit<C: Cipher>(given: usize) -> Result<(), XtsError> {
    if given < C::BLOCK_BYTES {
        return Err(XtsError::DataUnitTooShort { limit: C::BLOCK_BYTES, given });
    }
    let limit = MAX_BLOCKS * C::BLOCK_BYTES;
    if given > limit {
        return Err(XtsError::DataUnitTooLong { limit, given });
    }
    Ok(())
}

/// Source and destination as one.
pub(crate) fn from_to<'a>(input: &'a [u8], output: &'a mut [u8]) -> Result<InOutBuf<'a, 'a, u8>, XtsError> {
    let error = XtsError::UnequalLengths { input: input.len(), output: output.len() };
    InOutBuf::new(input, output).map_err(|_| error)
}

/// A tweak of the right length.
#[inline]
pub(crate) fn tweak<C: Cipher>(tweak: &[u8]) -> Result<&C::Block, XtsError> {
    C::block(tweak).ok_or(XtsError::TweakLength { expected: C::BLOCK_BYTES, given: tweak.len() })
}
