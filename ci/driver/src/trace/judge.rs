//! What traces say of a kernel.

use std::collections::BTreeMap;

use vambrace::kernels::{Architecture, Argument};
use vambrace_harness::machine::traced::VARIANTS;
use vambrace_trace::announce::STACK_ARGUMENTS;
use vambrace_trace::recorder::{Access, Event, Record, Violation, Wrong};

use super::code::Code;
use crate::disassembly::Disassembler;

/// A kernel whose calls were traced.
pub struct Subject<'a> {
    /// What it is written for.
    pub architecture: Architecture,
    /// Its arguments, as its contract names them.
    pub arguments: &'static [Argument],
    /// Bytes of stack that its contract declares.
    pub stack: usize,
    /// Its machine code.
    pub code: &'a Code,
    /// Makes text of it.
    pub disassembler: &'a Disassembler,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The case that shows it, if it is one.
    pub case: Option<u64>,
    /// In a sentence.
    pub what: String,
    /// Which call shows it.
    pub input: String,
}

impl Finding {
    fn of_code(what: String) -> Finding {
        Finding { case: None, what, input: String::new() }
    }
}

/// Two calls whose traces differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unequal {
    /// Their case.
    pub case: u32,
    /// The variants of their secrets.
    pub variants: [u32; 2],
}

impl Subject<'_> {
    /// Whether every case that was tried was recorded with every variant of its secrets.
    pub fn complete(&self, calls: &[Record], cases: u64) -> Result<(), String> {
        let mut variants: BTreeMap<u32, u64> = BTreeMap::new();
        for record in calls.iter().filter(|record| record.instructions > 0) {
            *variants.entry(record.call.case).or_default() |= 1 << record.call.variant.min(63);
        }
        let all = variants.values().filter(|&&seen| seen == (1 << VARIANTS.len()) - 1).count();
        if all as u64 == cases && variants.len() as u64 == cases && cases > 0 {
            return Ok(());
        }
        let calls = calls.len();
        Err(format!("{cases} cases were to be traced with {} calls each, but {calls} calls were", VARIANTS.len()))
    }

    /// Instructions whose time may depend on secrets, whatever traces say; so many of them are known to have public operands.
    pub fn variable_time(&self, public: usize) -> Result<(), Finding> {
        let found = self.code.of_variable_time(self.architecture, self.disassembler);
        if found.len() <= public {
            return Ok(());
        }
        let shown = self.list(&found);
        Err(Finding::of_code(format!("the time of an instruction may depend on its operands: {shown}")))
    }

    /// The first two calls of a case that differ.
    pub fn unequal(&self, calls: &[Record]) -> Option<Unequal> {
        let mut first: BTreeMap<u32, &Record> = BTreeMap::new();
        calls.iter().find_map(|record| {
            let case = record.call.case;
            let other = *first.entry(case).or_insert(record);
            let differ = (other.digest, other.instructions, other.accesses)
                != (record.digest, record.instructions, record.accesses);
            differ.then_some(Unequal { case, variants: [other.call.variant, record.call.variant] })
        })
    }

    /// Where the events of two calls part.
    pub fn difference(&self, unequal: Unequal, calls: &[Record]) -> Finding {
        let of = |variant: u32| {
            let wanted = |record: &&Record| record.call.case == unequal.case && record.call.variant == variant;
            calls.iter().find(wanted).map(|record| record.events.as_slice()).unwrap_or_default()
        };
        let [one, other] = unequal.variants.map(of);
        let at = one.iter().zip(other).take_while(|(one, other)| one == other).count();
        let last = one[..at].iter().rev().find_map(|event| match event {
            Event::Instruction(pc) => Some(*pc),
            Event::Access(_) => None,
        });
        let here = last.map_or_else(|| "the first instruction".to_owned(), |pc| self.show(pc));
        let what = match (one.get(at), other.get(at)) {
            (Some(Event::Instruction(one)), Some(Event::Instruction(other))) => {
                let (one, other) = (self.show(*one), self.show(*other));
                format!("a branch depends on a secret: {here} is followed by {one} or by {other}")
            }
            (Some(Event::Access(one)), Some(Event::Access(other))) => {
                let [one_says, other_says] = [one, other].map(describe_access);
                format!("an address depends on a secret: {here} {one_says}, or it {other_says}")
            }
            (Some(Event::Access(access)), _) | (_, Some(Event::Access(access))) => {
                let says = describe_access(access);
                format!("an access depends on a secret: {here} {says}, or it does not")
            }
            (None, None) => "two traces had unequal digests, but are equal when they are recorded again".to_owned(),
            _ => format!("the number of instructions depends on a secret: after {here} one call goes on and one ends"),
        };
        let [one, other] = unequal.variants.map(|variant| VARIANTS.get(variant as usize).copied().unwrap_or("?"));
        let input = format!("equal public inputs, {one} and {other}; the first {at} events are the same");
        Finding { case: Some(unequal.case.into()), what, input }
    }

    /// The first access that the contract does not grant, and ways out of what is traced.
    pub fn bounds(&self, calls: &[Record]) -> Result<(), Finding> {
        let exits = self.code.exits(self.architecture);
        if !exits.is_empty() {
            let shown = self.list(&exits);
            return Err(Finding::of_code(format!(
                "it is left otherwise than by its return, and what is done elsewhere is \
                 not traced: {shown}"
            )));
        }
        let found = calls.iter().find_map(|record| Some((record, record.violations.first()?)));
        let Some((record, violation)) = found else { return Ok(()) };
        let variant = VARIANTS.get(record.call.variant as usize).copied().unwrap_or("?");
        let of_one_call: Vec<u64> = record.violations.iter().skip(1).map(|violation| violation.pc).collect();
        let mut input = format!("a call with {variant}");
        if !of_one_call.is_empty() {
            input.push_str(&format!("; more of the kind at {}", self.list(&of_one_call)));
        }
        Err(Finding { case: Some(record.call.case.into()), what: self.describe(violation), input })
    }

    fn describe(&self, violation: &Violation) -> String {
        let Violation { wrong, pc, access, near, distance } = violation;
        let here = self.show(*pc);
        let does = describe_access_of(access.size, access.store);
        let name = |argument: u32| match argument {
            STACK_ARGUMENTS => "the caller's stack".to_owned(),
            n => self.arguments.get(n as usize).map_or("?".to_owned(), |argument| format!("`{}`", argument.name)),
        };
        let below = -distance;
        let declared = self.stack;
        match (wrong, near) {
            (Wrong::Outside, Some(argument)) => {
                let place = match *distance {
                    before @ ..0 => format!("{} before {}", bytes(before.unsigned_abs()), name(*argument)),
                    offset => {
                        format!("at offset {offset} from the beginning of {}, whose end is before", name(*argument))
                    }
                };
                format!("{here} {does} where nothing is granted, {place}")
            }
            (Wrong::Outside, None) => format!("{here} {does} where nothing is granted"),
            (Wrong::ReadOnly, near) => {
                format!("{here} {does} at offset {distance} of {}, which may only be read", name(near.unwrap_or(0)))
            }
            (Wrong::Unwritten, near) => {
                let name = name(near.unwrap_or(0));
                format!("{here} {does} at offset {distance} of {name}, which may only be written, and was not yet")
            }
            (Wrong::BelowFrame, _) => {
                format!("{here} {does} {below} below the caller's SP, where the contract declares {declared} of stack")
            }
            (Wrong::BelowStackPointer, _) => {
                format!("{here} {does} {below} below the caller's SP, which is below SP at that time")
            }
            (Wrong::StackPointerLost, _) => format!(
                "{here} {does} through SP, which is {distance} from where the instructions before put it: SP cannot be followed"
            ),
        }
    }

    /// Every instruction that was never executed.
    pub fn coverage(&self, ran: &[u64]) -> Result<u64, Finding> {
        let instructions = self.code.without_padding(self.architecture);
        let unexecuted: Vec<u64> = instructions.iter().filter(|pc| ran.binary_search(pc).is_err()).copied().collect();
        if unexecuted.is_empty() {
            return Ok(instructions.len() as u64);
        }
        let (count, all, shown) = (unexecuted.len(), instructions.len(), self.list(&unexecuted));
        Err(Finding::of_code(format!(
            "{count} of {all} instructions were not executed by any functional check: {shown}"
        )))
    }

    fn show(&self, pc: u64) -> String {
        self.code.show(self.disassembler, pc)
    }

    fn list(&self, addresses: &[u64]) -> String {
        const SHOWN: usize = 24;
        let mut shown: Vec<String> = addresses.iter().take(SHOWN).map(|&pc| self.show(pc)).collect();
        if addresses.len() > SHOWN {
            shown.push(format!("and {} more", addresses.len() - SHOWN));
        }
        shown.join(", ")
    }
}

fn bytes(count: u64) -> String {
    if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") }
}

fn describe_access_of(size: u64, store: bool) -> String {
    format!("{} {}", if store { "writes" } else { "reads" }, bytes(size))
}

fn describe_access(access: &Access) -> String {
    format!("{} at {:#x}", describe_access_of(access.size, access.store), access.address)
}
