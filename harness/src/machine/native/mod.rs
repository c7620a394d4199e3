//! The checks on a machine that can run the kernels.

mod abi;
mod aliasing;
mod alignment;
#[cfg_attr(target_arch = "aarch64", path = "aarch64.rs")]
#[cfg_attr(target_arch = "arm", path = "arm.rs")]
mod architecture;
mod bounds;
mod call;
mod child;
mod count_width;
mod finding;
mod memory;
mod register;
mod residue;
mod rig;
mod specification;
mod traced;
mod trial;
mod undefined_input;

pub(super) use traced::announce_work_for;
use vambrace_contract::Kernel;

use super::specified::Specification;
use crate::{Context, Outcome};

macro_rules! checks {
    ($($name:ident)*) => {
        $(
            pub(super) fn $name(kernel: &Kernel, context: &Context) -> Outcome {
                $name::TRIAL.run(kernel, context)
            }
        )*
    };
}

checks!(bounds alignment aliasing abi undefined_input count_width residue traced);

pub(super) fn specification(kernel: &Kernel, context: &Context) -> Outcome {
    match Specification::of(kernel) {
        Ok(_) => specification::TRIAL.run(kernel, context),
        Err(reason) => Outcome::None { reason },
    }
}
