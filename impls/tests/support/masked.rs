//! Detection as on another CPU.

use std::sync::{Mutex, MutexGuard, PoisonError};

use vambrace::cpu::{self, Features};
use vambrace::kernels::Feature;

/// Detection is state of the process: tests that change it take turns.
static TURN: Mutex<()> = Mutex::new(());

/// Detection as if the CPU had no features but these, until dropped.
pub struct Masked {
    _turn: MutexGuard<'static, ()>,
}

impl Masked {
    pub fn to(features: &[Feature]) -> Masked {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        cpu::verify::mask(features.iter().fold(Features::NONE, |set, feature| set.with(*feature)));
        Masked { _turn: turn }
    }
}

impl Drop for Masked {
    fn drop(&mut self) {
        cpu::verify::unmask();
    }
}

/// Every set of features.
pub fn feature_sets() -> impl Iterator<Item = Vec<Feature>> {
    (0..1u32 << Feature::ALL.len()).map(|bits| {
        let chosen = Feature::ALL.into_iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1);
        chosen.map(|(_, feature)| feature).collect()
    })
}
