//! What can be wrong, and the words for it.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use vambrace_contract::{Access, ArgumentKind};

use super::super::instruction::{self, Direction};
use super::architecture::ARCHITECTURE;
use super::call::Part;
use super::child::{Cause, Fault};
use super::register::Register;
use super::rig::{Difference, Record, Rig};

/// Something wrong. Plain numbers: it comes from a child, where words are not to be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Finding {
    /// The call did not come back by itself.
    Fault(Fault),
    /// Memory around the buffers has changed, from one address to another.
    WroteAround { first: usize, last: usize },
    /// A buffer that may only be read has changed.
    WroteInput { argument: usize, offset: usize },
    /// A register that belongs to the caller has changed.
    NotPreserved { register: Register, before: u64, after: u64 },
    /// The stack below the declared frame has changed, at most so far below SP.
    BelowFrame { depth: usize },
    /// An argument on the stack has changed.
    StackArgument { argument: usize },
    /// The caller's frame has changed, so far above SP.
    AboveArguments { offset: usize },
    /// The result depends on something that it should not depend on; on a combination of things if on no single one.
    DependsOn { part: Option<Part>, difference: Difference },
    /// The result is not that of a call with its buffers elsewhere.
    Misplaced { difference: Difference },
    /// The result is not that of the specification.
    NotAsSpecified { difference: Difference },
    /// The call returned, although it was to run into the end of a buffer.
    Returned { scalar: usize, argument: usize, units: u64 },
    /// The call ran into something else than the end of this buffer.
    Elsewhere { argument: usize, fault: Fault },
    /// A register depends on a secret after the call.
    RegisterResidue { register: Register, one: u64, other: u64 },
    /// The stack depends on a secret after the call.
    StackResidue { depth: usize, one: u64, other: u64 },
}

impl Finding {
    /// What is wrong in a sentence, and the bytes that were compared.
    pub(super) fn describe(&self, rig: &Rig<'_>, record: &Record) -> (String, Option<&Difference>) {
        let name = |argument: usize| rig.arguments()[argument].name;
        match self {
            Finding::Fault(fault) => (describe_fault(rig, record, fault), None),
            Finding::WroteAround { first, last } => {
                let what = match place(rig, record, *first, Some(Direction::Store)) {
                    Some(place) if first == last => format!("writes to {place}"),
                    Some(place) => format!("writes to {place}, and up to {} more", bytes(last - first)),
                    None => format!("writes to {first:#x}, which belongs to no argument"),
                };
                (what, None)
            }
            Finding::WroteInput { argument, offset } => {
                (format!("writes to byte {offset} of `{}`, which it may only read", name(*argument)), None)
            }
            Finding::NotPreserved { register: Register::StackPointer, before, after } => {
                let distance = after.wrapping_sub(*before).cast_signed();
                let distance = if cfg!(target_pointer_width = "32") { i64::from(distance as i32) } else { distance };
                let (by, way) = (distance.unsigned_abs(), if distance < 0 { "lower" } else { "higher" });
                (format!("returns with sp {} {way} than it was", bytes(by as usize)), None)
            }
            Finding::NotPreserved { register, before, after } => {
                (format!("does not preserve {register}: it was {before:#x} and is {after:#x}"), None)
            }
            Finding::BelowFrame { depth } => (
                format!("writes to the stack {} below sp, and declares {}", bytes(*depth), bytes(rig.kernel.stack)),
                None,
            ),
            Finding::StackArgument { argument } => {
                (format!("overwrites the argument `{}` on the caller's stack", name(*argument)), None)
            }
            Finding::AboveArguments { offset } => {
                (format!("writes to the caller's stack, {} above sp", bytes(*offset)), None)
            }
            Finding::DependsOn { part, difference } => {
                let on = match part {
                    Some(part) => describe_part(rig, *part),
                    None => "a combination of registers, stack and memory that the contract leaves undefined".into(),
                };
                (format!("{} depends on {on}", subject(rig, difference)), Some(difference))
            }
            Finding::Misplaced { difference } => (
                format!("{} is not that of a call with disjoint, aligned buffers", subject(rig, difference)),
                Some(difference),
            ),
            Finding::NotAsSpecified { difference } => {
                (format!("{} is not what the specification says", subject(rig, difference)), Some(difference))
            }
            Finding::Returned { scalar, argument, units } => (
                format!(
                    "returns from a call with `{}` = {}, although there are only {units} units of `{}`: the count is cut off",
                    name(*scalar),
                    power(record.scalars[*scalar]),
                    name(*argument),
                ),
                None,
            ),
            Finding::Elsewhere { argument, fault } => (
                format!(
                    "{}, but should have run into the end of `{}`",
                    describe_fault(rig, record, fault),
                    name(*argument)
                ),
                None,
            ),
            Finding::RegisterResidue { register, one, other } => {
                (format!("leaves what depends on a secret in {register}: {one:#x} or {other:#x}"), None)
            }
            Finding::StackResidue { depth, one, other } => (
                format!(
                    "leaves what depends on a secret on the stack, {} below sp: {one:#018x} or {other:#018x}",
                    bytes(*depth)
                ),
                None,
            ),
        }
    }
}

/// So many bytes.
fn bytes(count: usize) -> String {
    match count {
        1 => "1 byte".into(),
        count => format!("{count} bytes"),
    }
}

/// What a difference is in.
fn subject(rig: &Rig<'_>, difference: &Difference) -> String {
    match difference.argument {
        Some(argument) => format!("`{}` (byte {})", rig.arguments()[argument].name, difference.offset),
        None => "the returned value".into(),
    }
}

fn describe_part(rig: &Rig<'_>, part: Part) -> String {
    match part {
        Part::Register(register) => match rig.argument_in(register) {
            Some((argument, bits)) => {
                format!("the bits of {register} above the {bits} of `{}`", rig.arguments()[argument].name)
            }
            None => format!("{register}, which is no argument"),
        },
        Part::Poison => "bytes outside of the buffers".into(),
        Part::Below => "the stack below sp".into(),
        Part::Above => "the stack at and above sp, outside of the arguments".into(),
        Part::Stale => "what a write-only buffer held before the call".into(),
        Part::Depth => "the address of the stack".into(),
        Part::Place(argument) => format!("the address of `{}`", rig.arguments()[argument].name),
    }
}

/// Where an address is, relative to the arguments.
fn place(rig: &Rig<'_>, record: &Record, address: usize, direction: Option<Direction>) -> Option<String> {
    let span = |n: usize| record.addresses[n]..record.addresses[n] + record.sizes[n];
    if let Some(n) = rig.buffers().find(|&n| span(n).contains(&address)) {
        let (_, access, _) = rig.buffer(n);
        let note =
            if access == Access::Read && direction != Some(Direction::Load) { ", which it may only read" } else { "" };
        return Some(format!("byte {} of `{}`{note}", address - span(n).start, rig.arguments()[n].name));
    }
    let stack = rig.reserved_stack();
    if stack.contains(&address) {
        return Some(match record.sp.checked_sub(address) {
            Some(depth) if depth > 0 => {
                format!("the stack {} below the caller's sp (it declares {})", bytes(depth), bytes(rig.kernel.stack))
            }
            _ => format!("the stack {} above the caller's sp", bytes(address - record.sp)),
        });
    }
    // The nearest buffer in the same area.
    let (_, area) = rig.reserved().find(|(_, area)| area.contains(&address))?;
    let near = rig
        .buffers()
        .filter(|&n| area.contains(&record.addresses[n]) || area.end == record.addresses[n])
        .min_by_key(|&n| if address < span(n).start { span(n).start - address } else { address - span(n).end })?;
    let (name, size) = (rig.arguments()[near].name, record.sizes[near]);
    Some(if address < span(near).start {
        format!("memory {} before `{name}`", bytes(span(near).start - address))
    } else {
        format!("memory beyond `{name}`: byte {} of {size}", address - span(near).start)
    })
}

fn describe_fault(rig: &Rig<'_>, record: &Record, fault: &Fault) -> String {
    let at = match fault.pc.checked_sub(rig.entry()) {
        Some(offset) if offset < 1 << 16 => format!("at {}+{offset:#x}", rig.kernel.name),
        _ => format!("at {:#x}, which is outside of the kernel", fault.pc),
    };
    // Words of T32 are not told apart here.
    let word = fault.word.filter(|_| !rig.is_thumb());
    let direction = word.and_then(|word| instruction::direction(ARCHITECTURE, word));
    let verb = match direction {
        Some(Direction::Load) => "reads",
        Some(Direction::Store) => "writes to",
        None => "accesses",
    };
    match fault.cause {
        Cause::Access if fault.address == fault.pc => format!("jumps to {:#x}", fault.address),
        Cause::Access => match place(rig, record, fault.address, direction) {
            Some(place) => format!("{verb} {place}, {at}"),
            None => format!("{verb} {:#x}, which belongs to no argument, {at}", fault.address),
        },
        Cause::Alignment => {
            let place = place(rig, record, fault.address, Some(Direction::Load))
                .unwrap_or_else(|| format!("{:#x}", fault.address));
            format!(
                "{verb} {place} with an instruction that needs more alignment (the address is {} mod 16), {at}",
                fault.address % 16
            )
        }
        Cause::Instruction => match word {
            Some(word) => format!("runs into an illegal instruction ({word:#010x}) {at}"),
            None => format!("runs into an illegal instruction {at}"),
        },
        Cause::Trap => format!("runs into a trap {at}"),
        Cause::Hang => format!("does not return; it was stopped {at}"),
    }
}

/// A great number as its distance from a power of two.
fn power(value: u64) -> String {
    match value.checked_ilog2() {
        Some(exponent @ 16..) => match value - (1 << exponent) {
            0 => format!("{value} (2^{exponent})"),
            rest if rest < 1 << 10 => format!("{value} (2^{exponent} + {rest})"),
            _ => value.to_string(),
        },
        _ => value.to_string(),
    }
}

/// The arguments of a call, for a reader.
pub(super) fn describe_call(rig: &Rig<'_>, record: &Record) -> String {
    let mut text = String::new();
    for (n, argument) in rig.arguments().iter().enumerate() {
        let separator = if n == 0 { "" } else { "; " };
        let _ = match argument.kind {
            ArgumentKind::Scalar { .. } => {
                write!(text, "{separator}`{}` = {}", argument.name, power(record.scalars[n]))
            }
            ArgumentKind::Buffer { .. } => {
                let (address, size, area) = (record.addresses[n], record.sizes[n], rig.accessible(n));
                let host = rig.buffers().take(n).find(|&other| size > 0 && record.addresses[other] == address);
                let place = if let Some(host) = host {
                    format!("the same as `{}`", rig.arguments()[host].name)
                } else if area.contains(&address) && address == area.start {
                    "right after an unmapped page".into()
                } else if address + size == area.end {
                    "right before an unmapped page".into()
                } else if area.contains(&address) {
                    format!("at an address that is {} mod 64", address % 64)
                } else {
                    format!("at {address:#x}")
                };
                write!(text, "{separator}`{}`: {} {place}", argument.name, bytes(size))
            }
        };
    }
    text
}
