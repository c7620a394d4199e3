//! What the programs share whose instructions `ci speed` counts: the marks between which it counts, and the choice of a tier.

use vambrace::Tier;
use vambrace::cpu::{self, Features};
use vambrace::kernels::Feature;

/// Expands to the marks, in the program itself: a call of them is then as cheap as can be.
#[macro_export]
macro_rules! marks {
    () => {
        /// Where counting begins.
        #[unsafe(no_mangle)]
        #[inline(never)]
        extern "C" fn vambrace_count_begin() {
            std::hint::black_box("begin");
        }

        /// Where counting ends.
        #[unsafe(no_mangle)]
        #[inline(never)]
        extern "C" fn vambrace_count_end() {
            std::hint::black_box("end");
        }
    };
}

/// Lets detection see no more than a tier needs.
pub fn mask(tier: Tier) {
    let needed: &[Feature] = match tier {
        Tier::Generic | Tier::Scalar => &[],
        Tier::Neon => &[Feature::Neon],
        Tier::Ce => &Feature::ALL,
    };
    cpu::verify::mask(needed.iter().fold(Features::NONE, |features, feature| features.with(*feature)));
}
