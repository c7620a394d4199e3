//! Which kernels serve an algorithm in this process.

use core::sync::atomic::{AtomicPtr, Ordering};

use vambrace_contract::{Feature, Tier};

use crate::{TierError, TierErrorReason, cpu};

/// The kernels of one tier of an algorithm.
///
/// Only [`Dispatch`] hands out references to backends whose features this CPU has; calling their kernels is sound by that.
pub(crate) trait Backend: 'static {
    /// The tier.
    fn tier(&self) -> Tier;
    /// What the CPU must have.
    fn features(&self) -> &'static [Feature];
}

/// The backends of an algorithm, and the choice among them.
pub(crate) struct Dispatch<B: 'static> {
    /// The assembly of this architecture, in the order of preference.
    assembly: &'static [B],
    /// Portable Rust.
    generic: &'static B,
    /// What automatic dispatch has chosen; null until it has.
    best: AtomicPtr<B>,
}

impl<B: Backend> Dispatch<B> {
    pub(crate) const fn new(assembly: &'static [B], generic: &'static B) -> Dispatch<B> {
        Dispatch { assembly, generic, best: AtomicPtr::new(core::ptr::null_mut()) }
    }

    /// The first backend of `assembly` whose features the CPU has, chosen once per process.
    #[inline]
    pub(crate) fn best(&self) -> &'static B {
        // SAFETY: the pointer is null or came from a `&'static B`, which is all that is ever stored.
        match unsafe { self.best.load(Ordering::Relaxed).as_ref() } {
            Some(backend) => backend,
            None => self.choose(),
        }
    }

    #[cold]
    fn choose(&self) -> &'static B {
        let features = cpu::detect();
        let usable = |backend: &&B| features.missing(backend.features()).is_none();
        let best = self.assembly.iter().find(usable).unwrap_or(self.generic);
        // Threads that race here store the same value.
        self.best.store(core::ptr::from_ref(best).cast_mut(), Ordering::Relaxed);
        best
    }

    /// Makes automatic dispatch choose anew.
    #[cfg(feature = "verify")]
    pub(crate) fn forget(&self) {
        self.best.store(core::ptr::null_mut(), Ordering::Relaxed);
    }

    /// The backend of a tier, for an algorithm of this name.
    pub(crate) fn of_tier(&self, algorithm: &'static str, tier: Tier) -> Result<&'static B, TierError> {
        check(algorithm, tier, self.assembly.iter().chain([self.generic]).find(|backend| backend.tier() == tier))
    }

    /// The backend of a tier whose token the caller holds.
    ///
    /// A token stands for the features of all kernels that are reached by it. Without kernels there are no tokens.
    pub(crate) fn with_token(&self, tier: Tier) -> &'static B {
        self.assembly.iter().find(|backend| backend.tier() == tier).unwrap_or(self.generic)
    }
}

/// The backend, if it exists and the CPU has its features.
pub(crate) fn check<B: Backend>(
    algorithm: &'static str,
    tier: Tier,
    backend: Option<&'static B>,
) -> Result<&'static B, TierError> {
    let error = |reason| TierError { algorithm, tier, reason };
    let backend = backend.ok_or(error(TierErrorReason::NoKernel))?;
    match cpu::detect().missing(backend.features()) {
        None => Ok(backend),
        Some(feature) => Err(error(TierErrorReason::MissingFeature(feature))),
    }
}
