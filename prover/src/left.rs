//! What a kernel leaves behind: registers, flags and stack at the return.

use vambrace_contract::Kernel;

use crate::failure::{Failure, Reason};
use crate::machine::{Machine, Register};
use crate::memory::{Kind, Offset};
use crate::terms::Terms;

/// Whether registers are given back as they were before, and nothing secret is left where the contract says so.
///
/// # Errors
/// The first thing that is not.
pub(crate) fn check_left<M: Machine>(
    terms: &mut Terms,
    kernel: &Kernel,
    machine: &M,
    before: &[Register],
) -> Result<(), Failure> {
    check_registers(terms, kernel, machine, before)?;
    check_residue(terms, kernel, machine)
}

fn check_registers<M: Machine>(
    terms: &mut Terms,
    kernel: &Kernel,
    machine: &M,
    before: &[Register],
) -> Result<(), Failure> {
    for (index, (now, before)) in machine.registers().iter().zip(before).enumerate() {
        let preserved = machine.preserved_bits(index);
        let (old, new) = (terms.low(before.value, preserved), terms.low(now.value, preserved));
        if preserved > 0 && old != new {
            let (register, held) = (now.name.clone(), terms.write(new));
            return Err(Failure::new(Reason::Preserved { register, held }));
        }
        if kernel.clears.registers && terms.is_secret(now.value) {
            let (register, held) = (now.name.clone(), terms.write(now.value));
            return Err(Failure::new(Reason::SecretRegister { register, held }));
        }
    }
    if kernel.clears.registers && machine.flags_are_secret(terms) {
        return Err(Failure::new(Reason::SecretFlags));
    }
    Ok(())
}

fn check_residue<M: Machine>(terms: &mut Terms, kernel: &Kernel, machine: &M) -> Result<(), Failure> {
    if !kernel.clears.stack {
        return Ok(());
    }
    let stack = machine.memory().regions().filter(|(_, region)| region.kind == Kind::Stack);
    for (offset, value, bytes) in stack.flat_map(|(_, region)| region.cells()) {
        if terms.is_secret(value) {
            return Err(Failure::new(Reason::SecretStack { offset: Offset(offset), bytes, held: terms.write(value) }));
        }
    }
    Ok(())
}
