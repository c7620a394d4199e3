//! Buffering, padding and dispatch, for all tiers.

use core::sync::atomic::{AtomicPtr, Ordering};

use vambrace_contract::{Feature, Tier};
use zeroize::optimization_barrier;

use super::kernels::{self, Compress, CompressX2};
use super::{MAX_MESSAGE_BYTES, STATE_BYTES};
use crate::{MessageTooLong, StateError, TierError, TierErrorReason, cpu};

/// The kernels of one tier that this process may call.
///
/// Not constructed outside this module, and handed out only after its features were seen.
#[derive(Debug)]
pub(super) struct Backend {
    tier: Tier,
    features: &'static [Feature],
    compress: Compress,
    compress_x2: Option<CompressX2>,
}

static GENERIC: Backend = Backend { tier: Tier::Generic, features: &[], compress: kernels::generic, compress_x2: None };

#[cfg(vambrace_aarch64)]
static ASSEMBLY: [Backend; 3] = [
    Backend {
        tier: Tier::Ce,
        features: cpu::Sha2::FEATURES,
        compress: kernels::aarch64_ce::entry,
        compress_x2: Some(kernels::aarch64_ce_x2::entry),
    },
    Backend {
        tier: Tier::Neon,
        features: cpu::Neon::FEATURES,
        compress: kernels::aarch64_neon::entry,
        compress_x2: None,
    },
    Backend { tier: Tier::Scalar, features: &[], compress: kernels::aarch64_scalar::entry, compress_x2: None },
];

#[cfg(vambrace_arm)]
static ASSEMBLY: [Backend; 3] = [
    Backend { tier: Tier::Ce, features: cpu::Sha2::FEATURES, compress: kernels::arm_ce::entry, compress_x2: None },
    Backend { tier: Tier::Neon, features: cpu::Neon::FEATURES, compress: kernels::arm_neon::entry, compress_x2: None },
    Backend { tier: Tier::Scalar, features: &[], compress: kernels::arm_scalar::entry, compress_x2: None },
];

#[cfg(not(any(vambrace_aarch64, vambrace_arm)))]
static ASSEMBLY: [Backend; 0] = [];

/// The kernel for two messages as if it were one for one: each call runs the message in one lane, the two in turn, and
/// another state in the other lane.
#[cfg(all(feature = "verify", vambrace_aarch64))]
static PAIRED: [Backend; 1] = [Backend {
    tier: Tier::Ce,
    features: cpu::Sha2::FEATURES,
    compress: {
        unsafe extern "C" fn compress(state: *mut [u32; 8], blocks: *const [u8; 64], count: usize) {
            use core::sync::atomic::AtomicBool;
            static SECOND: AtomicBool = AtomicBool::new(false);

            // SAFETY: the caller vouches for `state` and `blocks` as `kernels::COMPRESS` says; the other lane's state is
            // a local, and its message is the same, which `kernels::COMPRESS_X2` allows.
            unsafe {
                let mut other = (*state).map(|word| !word);
                let [state0, state1] = match SECOND.fetch_xor(true, Ordering::Relaxed) {
                    false => [state, &raw mut other],
                    true => [&raw mut other, state],
                };
                kernels::aarch64_ce_x2::entry(state0, state1, blocks, blocks, count);
            }
        }
        compress
    },
    compress_x2: Some(kernels::aarch64_ce_x2::entry),
}];
#[cfg(all(feature = "verify", not(vambrace_aarch64)))]
static PAIRED: [Backend; 0] = [];

/// What automatic dispatch has chosen; null until it has.
static BEST: AtomicPtr<Backend> = AtomicPtr::new(core::ptr::null_mut());

impl Backend {
    /// The best tier that the CPU has, chosen once per process.
    ///
    /// The order is that of `ASSEMBLY`: on every core model the Cryptographic Extension is fastest, and the vectorised
    /// schedule beats the scalar one.
    #[inline]
    pub(super) fn best() -> &'static Backend {
        // SAFETY: the pointer is null or came from a `&'static Backend`, which is all that is ever stored.
        match unsafe { BEST.load(Ordering::Relaxed).as_ref() } {
            Some(backend) => backend,
            None => Backend::choose(),
        }
    }

    #[cold]
    fn choose() -> &'static Backend {
        let features = cpu::detect();
        let usable = |backend: &&Backend| features.missing(backend.features).is_none();
        let best = ASSEMBLY.iter().find(usable).unwrap_or(&GENERIC);
        // Threads that race here store the same value.
        BEST.store(core::ptr::from_ref(best).cast_mut(), Ordering::Relaxed);
        best
    }

    /// The kernels of a tier, for an algorithm of this name.
    pub(super) fn of_tier(algorithm: &'static str, tier: Tier) -> Result<&'static Backend, TierError> {
        Backend::find(algorithm, tier, ASSEMBLY.iter().chain([&GENERIC]))
    }

    /// The kernel for two messages, as [`PAIRED`] says.
    #[cfg(feature = "verify")]
    pub(super) fn paired(algorithm: &'static str) -> Result<&'static Backend, TierError> {
        Backend::find(algorithm, Tier::Ce, PAIRED.iter())
    }

    fn find(
        algorithm: &'static str,
        tier: Tier,
        mut backends: impl Iterator<Item = &'static Backend>,
    ) -> Result<&'static Backend, TierError> {
        let error = |reason| TierError { algorithm, tier, reason };
        let backend = backends.find(|backend| backend.tier == tier).ok_or(error(TierErrorReason::NoKernel))?;
        match cpu::detect().missing(backend.features) {
            None => Ok(backend),
            Some(feature) => Err(error(TierErrorReason::MissingFeature(feature))),
        }
    }

    pub(super) fn ce(_: cpu::Sha2) -> &'static Backend {
        Backend::with_token(Tier::Ce)
    }

    pub(super) fn neon(_: cpu::Neon) -> &'static Backend {
        Backend::with_token(Tier::Neon)
    }

    /// The kernels of a tier whose token the caller holds. Without kernels there are no tokens.
    fn with_token(tier: Tier) -> &'static Backend {
        ASSEMBLY.iter().find(|backend| backend.tier == tier).unwrap_or(&GENERIC)
    }

    pub(super) fn tier(&self) -> Tier {
        self.tier
    }

    /// Whether the tier has a kernel for two messages.
    pub(super) fn has_pair(&self) -> bool {
        self.compress_x2.is_some()
    }

    #[inline]
    pub(super) fn compress(&self, state: &mut [u32; 8], blocks: &[[u8; 64]]) {
        // SAFETY: the references are valid for what `kernels::COMPRESS` asks (32 bytes aligned to 4; 64 bytes per block)
        // and cannot overlap. A backend is handed out only when the CPU has its features.
        unsafe { (self.compress)(state, blocks.as_ptr(), blocks.len()) }
    }

    /// Advances both states by `count` blocks. `count` is at most what each message has.
    pub(super) fn compress_pair(&self, states: [&mut [u32; 8]; 2], blocks: [&[[u8; 64]]; 2], count: usize) {
        let blocks = blocks.map(|blocks| &blocks[..count]);
        let [state0, state1] = states;
        match self.compress_x2 {
            // SAFETY: as for one message, with `kernels::COMPRESS_X2`; the slices have been cut to `count` blocks.
            Some(compress_x2) => unsafe { compress_x2(state0, state1, blocks[0].as_ptr(), blocks[1].as_ptr(), count) },
            None => {
                self.compress(state0, blocks[0]);
                self.compress(state1, blocks[1]);
            }
        }
    }
}

/// Makes automatic dispatch choose anew.
#[cfg(feature = "verify")]
pub(crate) fn forget_dispatch() {
    BEST.store(core::ptr::null_mut(), Ordering::Relaxed);
}

/// Version of the format of exported states.
const STATE_VERSION: u8 = 1;

/// A running hash.
#[derive(Clone)]
pub(super) struct Engine {
    /// The hash value after all whole blocks.
    state: [u32; 8],
    /// The number of message bytes, modulo 2^64.
    length: u64,
    /// The bytes after the last whole block, then zeros.
    buffer: [u8; 64],
    backend: &'static Backend,
}

impl Engine {
    #[inline]
    pub(super) fn new(initial: &[u32; 8], backend: &'static Backend) -> Engine {
        Engine::resume(*initial, 0, backend)
    }

    /// From the hash value after `count` message bytes, a whole number of blocks.
    #[inline]
    pub(super) fn resume(state: [u32; 8], count: u64, backend: &'static Backend) -> Engine {
        Engine { state, length: count, buffer: [0; 64], backend }
    }

    pub(super) fn backend(&self) -> &'static Backend {
        self.backend
    }

    pub(super) fn set_backend(&mut self, backend: &'static Backend) {
        self.backend = backend;
    }

    #[inline]
    fn buffered(&self) -> usize {
        (self.length % 64) as usize
    }

    pub(super) fn is_between_blocks(&self) -> bool {
        self.buffered() == 0
    }

    #[inline]
    pub(super) fn reset(&mut self, initial: &[u32; 8]) {
        self.state = *initial;
        self.length = 0;
        self.buffer = [0; 64];
    }

    #[inline]
    pub(super) fn try_update(&mut self, data: &[u8]) -> Result<(), MessageTooLong> {
        let given = u128::from(self.length) + data.len() as u128;
        if given > u128::from(MAX_MESSAGE_BYTES) {
            return Err(MessageTooLong { limit: u128::from(MAX_MESSAGE_BYTES), given });
        }
        self.update(data);
        Ok(())
    }

    #[inline]
    pub(super) fn update(&mut self, mut data: &[u8]) {
        let buffered = self.buffered();
        self.length = self.length.wrapping_add(data.len() as u64);
        if buffered != 0 {
            let room = 64 - buffered;
            if data.len() < room {
                self.buffer[buffered..buffered + data.len()].copy_from_slice(data);
                return;
            }
            let (head, rest) = data.split_at(room);
            self.buffer[buffered..].copy_from_slice(head);
            self.compress_buffer();
            data = rest;
        }
        let (blocks, rest) = data.as_chunks();
        if !blocks.is_empty() {
            self.backend.compress(&mut self.state, blocks);
        }
        self.buffer[..rest.len()].copy_from_slice(rest);
    }

    #[inline]
    fn compress_buffer(&mut self) {
        self.backend.compress(&mut self.state, core::slice::from_ref(&self.buffer));
        self.buffer = [0; 64];
    }

    /// Pads (section 5.1.1) and writes the digest; the engine holds a finished hash afterwards.
    #[inline]
    pub(super) fn finish(&mut self, out: &mut [u8]) {
        let buffered = self.buffered();
        self.buffer[buffered] = 0x80;
        if buffered >= 56 {
            self.compress_buffer();
        }
        self.buffer[56..].copy_from_slice(&self.length.wrapping_mul(8).to_be_bytes());
        self.backend.compress(&mut self.state, core::slice::from_ref(&self.buffer));
        write_digest(&self.state, out);
    }

    /// The engine without its incomplete block, and that.
    pub(super) fn split(&self) -> (Engine, Buffered) {
        let buffered = self.buffered();
        let whole = Engine::resume(self.state, self.length - buffered as u64, self.backend);
        (whole, Buffered { bytes: self.buffer, length: buffered })
    }

    pub(super) fn export(&self, code: u8) -> [u8; STATE_BYTES] {
        let mut state = [0; STATE_BYTES];
        state[0] = STATE_VERSION;
        state[1] = code;
        for (bytes, word) in state[2..34].chunks_exact_mut(4).zip(self.state) {
            bytes.copy_from_slice(&word.to_be_bytes());
        }
        state[34..42].copy_from_slice(&self.length.to_be_bytes());
        state[42..].copy_from_slice(&self.buffer);
        state
    }

    pub(super) fn import(code: u8, state: &[u8], backend: &'static Backend) -> Result<Engine, StateError> {
        let state: &[u8; STATE_BYTES] =
            state.try_into().map_err(|_| StateError::Length { expected: STATE_BYTES, given: state.len() })?;
        if state[0] != STATE_VERSION {
            return Err(StateError::Version { expected: STATE_VERSION, given: state[0] });
        }
        if state[1] != code {
            return Err(StateError::Algorithm { expected: code, given: state[1] });
        }
        let mut engine = Engine::resume([0; 8], 0, backend);
        for (word, bytes) in engine.state.iter_mut().zip(state[2..34].as_chunks().0) {
            *word = u32::from_be_bytes(*bytes);
        }
        let mut length = [0; 8];
        length.copy_from_slice(&state[34..42]);
        engine.length = u64::from_be_bytes(length);
        if engine.length > MAX_MESSAGE_BYTES {
            return Err(StateError::MessageTooLong { limit: MAX_MESSAGE_BYTES, given: engine.length });
        }
        engine.buffer.copy_from_slice(&state[42..]);
        let buffered = engine.buffered();
        if engine.buffer[buffered..].iter().any(|byte| *byte != 0) {
            return Err(StateError::Buffer { buffered });
        }
        Ok(engine)
    }

    #[cfg(feature = "verify")]
    pub(super) fn chaining_value(&self) -> ([u32; 8], u64) {
        (self.state, self.length)
    }
}

impl Drop for Engine {
    #[inline]
    fn drop(&mut self) {
        self.state = [0; 8];
        self.length = 0;
        self.buffer = [0; 64];
        optimization_barrier(self);
    }
}

/// The incomplete block of a running hash.
pub(super) struct Buffered {
    bytes: [u8; 64],
    length: usize,
}

impl Buffered {
    pub(super) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

impl Drop for Buffered {
    fn drop(&mut self) {
        self.bytes = [0; 64];
        optimization_barrier(self);
    }
}

/// The digest is as much of the hash value, big-endian, as `out` has room for.
#[inline]
pub(super) fn write_digest(state: &[u32; 8], out: &mut [u8]) {
    for (bytes, word) in out.chunks_exact_mut(4).zip(state) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
}
