//! Kernels with defects that only a trace shows, one of each kind and its siblings, and kernels without.
//!
//! The driver traces them before it traces the real ones: a defect that goes unseen, or is seen by another check than the one
//! that looks for it, spoils the run.

#[cfg_attr(target_arch = "aarch64", path = "aarch64.rs")]
#[cfg_attr(target_arch = "arm", path = "arm.rs")]
#[cfg(any(target_arch = "aarch64", target_arch = "arm"))]
mod planted;

use clap::ValueEnum;
use vambrace::Tier;
use vambrace::kernels::{Access, Architecture, Argument, Clears, Contract, EntryPoint, Kernel, Returns, Secrecy, Size};

use crate::KernelSubjects;

/// Whose calls are traced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Traced {
    /// The library's kernels.
    Kernels,
    /// Those with planted defects.
    Planted,
}

/// The checks that look at traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeenBy {
    /// No check: the kernel is as it should be.
    Nothing,
    /// That traces do not depend on secrets.
    ConstantTime,
    /// That no access leaves what is granted.
    TraceBounds,
    /// That every instruction is executed.
    Coverage,
}

/// A kernel made for the checks.
#[derive(Clone, Copy, Debug)]
pub struct Planted {
    /// Its name; what is wrong with it.
    pub name: &'static str,
    /// Who is to see it.
    pub seen_by: SeenBy,
    /// The architectures that have it.
    pub on: &'static [Architecture],
}

const fn planted(seen_by: SeenBy, name: &'static str) -> Planted {
    Planted { name, seen_by, on: &Architecture::ALL }
}

/// Every one, whatever this is compiled for.
pub static PLANTED: &[Planted] = {
    use SeenBy::{ConstantTime, Coverage, Nothing, TraceBounds};
    &[
        planted(Nothing, "planted_nothing"),
        planted(Nothing, "planted_padding"),
        planted(Nothing, "planted_return_for_nothing"),
        planted(Nothing, "planted_frame"),
        planted(Nothing, "planted_aligned_frame"),
        planted(Nothing, "planted_literal"),
        planted(Nothing, "planted_output_read_back"),
        planted(ConstantTime, "planted_branch_on_bit"),
        planted(ConstantTime, "planted_branch_on_comparison"),
        planted(ConstantTime, "planted_branch_on_zero"),
        planted(ConstantTime, "planted_early_out_on_equal_words"),
        planted(ConstantTime, "planted_early_out_on_equal_input_and_key"),
        planted(ConstantTime, "planted_loop_of_secret_length"),
        planted(ConstantTime, "planted_load_from_secret_index"),
        planted(ConstantTime, "planted_table_at_secret_index"),
        planted(ConstantTime, "planted_store_to_secret_index"),
        planted(ConstantTime, "planted_store_to_secret_frame_index"),
        Planted { on: &[Architecture::Aarch64], ..planted(ConstantTime, "planted_division") },
        Planted { on: &[Architecture::Arm], ..planted(ConstantTime, "planted_conditional_load") },
        planted(TraceBounds, "planted_byte_left_of_input"),
        planted(TraceBounds, "planted_byte_right_of_input"),
        planted(TraceBounds, "planted_byte_right_of_key"),
        planted(TraceBounds, "planted_word_across_the_end_of_key"),
        planted(TraceBounds, "planted_output_read"),
        planted(TraceBounds, "planted_next_output_read"),
        planted(TraceBounds, "planted_input_written"),
        planted(TraceBounds, "planted_key_written"),
        planted(TraceBounds, "planted_store_below_frame"),
        planted(TraceBounds, "planted_store_right_below_frame"),
        planted(TraceBounds, "planted_store_below_sp"),
        planted(TraceBounds, "planted_store_below_moved_sp"),
        planted(TraceBounds, "planted_load_below_sp"),
        planted(TraceBounds, "planted_callers_stack_read"),
        planted(TraceBounds, "planted_literal_beyond_the_end"),
        planted(TraceBounds, "planted_literal_before_the_beginning"),
        planted(TraceBounds, "planted_instruction_read"),
        planted(Coverage, "planted_instruction_jumped_over"),
        planted(Coverage, "planted_branch_never_taken"),
        planted(Coverage, "planted_instruction_behind_the_end"),
    ]
};

/// `fn(output: &mut [[u8; 8]], input: &[[u8; 8]], key: &[u8; 8], count: usize)`: each block of the input xored with the key.
pub static CONTRACT: Contract = Contract {
    algorithm: "planted",
    operation: "xor",
    arguments: &[
        Argument::buffer("output", Size::Affine { base: 0, per: 8, argument: 3 }, Access::Write, Secrecy::Secret)
            .aligned(4),
        Argument::buffer("input", Size::Affine { base: 0, per: 8, argument: 3 }, Access::Read, Secrecy::Secret)
            .aligned(4),
        Argument::buffer("key", Size::Fixed(8), Access::Read, Secrecy::Secret).aligned(4),
        Argument::count("count"),
    ],
    returns: Returns::Nothing,
};

/// Bytes of stack that it declares.
pub const STACK: usize = 64;

/// A kernel of that contract.
#[cfg_attr(not(any(target_arch = "aarch64", target_arch = "arm")), allow(dead_code))]
const fn kernel(name: &'static str, entry: EntryPoint) -> Kernel {
    Kernel {
        name,
        architecture: match Architecture::current() {
            Some(architecture) => architecture,
            None => Architecture::Arm,
        },
        tier: Tier::Scalar,
        variant: "planted",
        lanes: 1,
        contract: &CONTRACT,
        features: &[],
        stack: STACK,
        layout: &[],
        clears: Clears::NOTHING,
        entry: Some(entry),
    }
}

#[cfg(any(target_arch = "aarch64", target_arch = "arm"))]
static KERNELS: &[Kernel] = planted::KERNELS;
#[cfg(not(any(target_arch = "aarch64", target_arch = "arm")))]
static KERNELS: &[Kernel] = &[];

/// The rows that take the place of the kernels'.
pub fn planted_rows() -> Vec<KernelSubjects> {
    let row = |kernel: &'static Kernel| KernelSubjects {
        name: kernel.name.to_owned(),
        tier: kernel.tier,
        kernel: Some(kernel),
        subjects: Vec::new(),
        available: Ok(()),
    };
    KERNELS.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_planted_kernel_is_written_for_its_architectures() {
        let Some(architecture) = Architecture::current() else { return };
        let expected: Vec<&str> =
            PLANTED.iter().filter(|planted| planted.on.contains(&architecture)).map(|planted| planted.name).collect();
        let written: Vec<&str> = KERNELS.iter().map(|kernel| kernel.name).collect();
        assert_eq!(written, expected);
    }
}
