//! What is recorded of a call while it runs, and what is wrong with its accesses.

use std::ops::Range;

use vambrace_contract::Architecture;

use crate::announce::{Announcement, Call, Grant};
use crate::step::{Effect, Step, stack_pointer};

/// The machine code of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// Its first byte, where it is entered.
    pub address: u64,
    /// Bytes, literals included.
    pub size: u64,
    /// Where its literals are.
    pub literals: Vec<Range<u64>>,
}

impl Code {
    /// Whether an address lies within.
    pub fn contains(&self, address: u64) -> bool {
        (self.address..self.address + self.size).contains(&address)
    }
}

/// An access to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// The first byte.
    pub address: u64,
    /// Bytes.
    pub size: u64,
    /// Whether it is written.
    pub store: bool,
}

/// Something that happened in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The instruction at this address was executed.
    Instruction(u64),
    /// It accessed memory.
    Access(Access),
}

/// What is wrong with an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// Nothing that the contract grants is there.
    Outside,
    /// A store to what may only be read.
    ReadOnly,
    /// A load of what may only be written, before it was.
    Unwritten,
    /// Below the stack that the contract declares.
    BelowFrame,
    /// Below SP, where a signal handler may write at any time.
    BelowStackPointer,
    /// Not where SP should be by the instructions that moved it: SP cannot be followed.
    StackPointerLost,
}

impl Wrong {
    /// Every one.
    pub const ALL: [Wrong; 6] = [
        Wrong::Outside,
        Wrong::ReadOnly,
        Wrong::Unwritten,
        Wrong::BelowFrame,
        Wrong::BelowStackPointer,
        Wrong::StackPointerLost,
    ];
}

/// An access with which something is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What.
    pub wrong: Wrong,
    /// The instruction.
    pub pc: u64,
    /// The access.
    pub access: Access,
    /// The granted memory that is nearest to it: the argument's number, and how far from its beginning the access is; none
    /// for an access to the stack, where the distance is that from SP at the call.
    pub near: Option<u32>,
    /// See there.
    pub distance: i64,
}

/// What is told of a call when it has returned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The call.
    pub call: Call,
    /// Instructions executed.
    pub instructions: u64,
    /// Accesses made.
    pub accesses: u64,
    /// A digest of all events, in order.
    pub digest: u64,
    /// What is wrong, for each instruction the first of a kind, up to [`VIOLATIONS`].
    pub violations: Vec<Violation>,
    /// All events, if they were asked for.
    pub events: Vec<Event>,
}

/// How many violations of a call are told.
pub const VIOLATIONS: usize = 8;

/// How far from SP an access is one to the stack.
const STACK_NEIGHBOURHOOD: u64 = 16 << 10;

/// Memory granted to the call, and which of its bytes were written.
struct Granted {
    grant: Grant,
    written: Vec<bool>,
}

impl Granted {
    fn contains(&self, access: Access) -> bool {
        let offset = access.address.wrapping_sub(self.grant.address);
        offset < self.grant.size && access.size <= self.grant.size - offset
    }

    fn bytes(&mut self, access: Access) -> &mut [bool] {
        let offset = (access.address - self.grant.address) as usize;
        &mut self.written[offset..offset + access.size as usize]
    }
}

/// Records the calls of one kernel.
pub struct Recorder {
    architecture: Architecture,
    code: Code,
    steps: Vec<Step>,
    /// Whether all events are kept.
    keeps_events: bool,
    granted: Vec<Granted>,
    recording: bool,
    record: Record,
    /// SP and the registers computed from it, as far as they are known.
    registers: [Option<u64>; 32],
    /// SP before the current instruction,
    before: Option<u64>,
    /// and what that instruction does.
    step: Step,
    pc: u64,
}

impl Recorder {
    /// A recorder of calls of a kernel with these words; `keeps_events` for all that happens rather than a digest of it.
    pub fn new(architecture: Architecture, code: Code, words: Vec<u32>, keeps_events: bool) -> Recorder {
        let steps = words.into_iter().map(|word| Step::of(architecture, word)).collect();
        Recorder {
            architecture,
            code,
            steps,
            keeps_events,
            granted: Vec::new(),
            recording: false,
            record: Record::default(),
            registers: [None; 32],
            before: None,
            step: Step::default(),
            pc: 0,
        }
    }

    /// The kernel.
    pub fn code(&self) -> &Code {
        &self.code
    }

    /// Hears an announcement. At the end of a call, the record of it.
    pub fn hear(&mut self, announcement: Announcement) -> Option<Record> {
        match announcement {
            Announcement::Grant(grant) => {
                // A new call is being prepared, whatever became of the last one.
                if self.recording {
                    self.recording = false;
                    self.granted.clear();
                }
                let written = vec![false; usize::try_from(grant.size).unwrap_or(0)];
                self.granted.push(Granted { grant, written });
                None
            }
            Announcement::Begin(call) => {
                self.record = Record { call, digest: FIRST, ..Record::default() };
                self.registers = [None; 32];
                self.registers[stack_pointer(self.architecture) as usize] = Some(call.sp);
                self.before = Some(call.sp);
                self.step = Step::default();
                self.recording = true;
                None
            }
            Announcement::End => {
                let was_recording = std::mem::take(&mut self.recording);
                self.granted.clear();
                was_recording.then(|| std::mem::take(&mut self.record))
            }
            Announcement::For(_) => None,
        }
    }

    /// The instruction at this address is about to be executed.
    pub fn instruction(&mut self, pc: u64) {
        if !self.recording {
            return;
        }
        self.record.instructions += 1;
        self.note(Event::Instruction(pc));
        self.pc = pc;
        let index = (pc.wrapping_sub(self.code.address) / 4) as usize;
        self.step = self.steps.get(index).copied().unwrap_or_default();
        let sp = stack_pointer(self.architecture) as usize;
        self.before = self.registers[sp];
        match self.step.effect {
            Effect::None => {}
            Effect::Compute { to, from, by } => {
                self.registers[to as usize] = self.registers[from as usize].map(|value| by.apply(value));
            }
            Effect::Moved(by) => self.registers[sp] = self.before.map(|value| value.wrapping_add_signed(by)),
            Effect::Lost(register) => self.registers[register as usize] = None,
        }
    }

    /// The current instruction accesses memory.
    pub fn access(&mut self, access: Access) {
        if !self.recording {
            return;
        }
        self.record.accesses += 1;
        self.note(Event::Access(access));
        self.find_stack_pointer(access);
        if let Some((wrong, near, distance)) = self.judge(access) {
            self.complain(wrong, access, near, distance);
        }
    }

    fn note(&mut self, event: Event) {
        self.record.digest = digest(self.record.digest, event);
        if self.keeps_events {
            self.record.events.push(event);
        }
    }

    /// An access through SP shows where SP is.
    fn find_stack_pointer(&mut self, access: Access) {
        let Some(at) = self.step.access.take() else { return };
        let shown = access.address.wrapping_add_signed(-at);
        match self.before {
            Some(before) if before == shown => return,
            Some(before) => {
                let distance = shown.wrapping_sub(before) as i64;
                self.complain(Wrong::StackPointerLost, access, None, distance);
            }
            None => {}
        }
        self.before = Some(shown);
        let after = match self.step.effect {
            Effect::Moved(by) => Some(shown.wrapping_add_signed(by)),
            Effect::Lost(_) => None,
            _ => Some(shown),
        };
        self.registers[stack_pointer(self.architecture) as usize] = after;
    }

    fn judge(&mut self, access: Access) -> Option<(Wrong, Option<u32>, i64)> {
        let Access { address, size, store } = access;
        // A buffer may be granted twice, where two arguments are the same memory.
        let mut refused = None;
        for granted in self.granted.iter_mut().filter(|granted| granted.contains(access)) {
            let grant = granted.grant;
            let allowed = match store {
                true => grant.writes,
                false => grant.reads || (grant.writes && granted.bytes(access).iter().all(|&written| written)),
            };
            if allowed {
                refused = None;
                break;
            }
            let wrong = if store { Wrong::ReadOnly } else { Wrong::Unwritten };
            refused = Some((wrong, Some(grant.argument), (address - grant.address) as i64));
        }
        if store {
            for granted in self.granted.iter_mut().filter(|granted| granted.contains(access)) {
                granted.bytes(access).fill(true);
            }
        }
        if refused.is_some() || self.granted.iter().any(|granted| granted.contains(access)) {
            return refused;
        }
        let within = |range: &Range<u64>| range.contains(&address) && size <= range.end - address;
        if !store && self.code.literals.iter().any(within) {
            return None;
        }
        self.judge_stack(access).unwrap_or_else(|| {
            let (near, distance) = self.nearest(address);
            Some((Wrong::Outside, near, distance))
        })
    }

    /// `None` for what is not on the stack.
    fn judge_stack(&self, access: Access) -> Option<Option<(Wrong, Option<u32>, i64)>> {
        let Call { sp, stack, .. } = self.record.call;
        let depth = sp.wrapping_sub(access.address);
        if depth == 0 || depth > stack + STACK_NEIGHBOURHOOD || access.size > depth {
            return None;
        }
        let distance = -(depth as i64);
        if depth > stack {
            return Some(Some((Wrong::BelowFrame, None, distance)));
        }
        // What the instruction itself takes or gives counts as above SP.
        let after = self.registers[stack_pointer(self.architecture) as usize];
        let lowest = self.before.into_iter().chain(after).min();
        let below = lowest.is_some_and(|lowest| access.address < lowest);
        Some(below.then_some((Wrong::BelowStackPointer, None, distance)))
    }

    fn nearest(&self, address: u64) -> (Option<u32>, i64) {
        let away = |grant: &Grant| match address.checked_sub(grant.address) {
            Some(offset) => offset.saturating_sub(grant.size),
            None => grant.address - address,
        };
        let near = self.granted.iter().map(|granted| granted.grant).min_by_key(away);
        match near {
            Some(grant) => (Some(grant.argument), address.wrapping_sub(grant.address) as i64),
            None => (None, address.wrapping_sub(self.record.call.sp) as i64),
        }
    }

    fn complain(&mut self, wrong: Wrong, access: Access, near: Option<u32>, distance: i64) {
        let violations = &mut self.record.violations;
        let known = violations.iter().any(|violation| violation.pc == self.pc && violation.wrong == wrong);
        if !known && violations.len() < VIOLATIONS {
            violations.push(Violation { wrong, pc: self.pc, access, near, distance });
        }
    }
}

const FIRST: u64 = 0x243f_6a88_85a3_08d3;

/// The digest of what was before, and an event.
fn digest(before: u64, event: Event) -> u64 {
    let fold = |digest: u64, value: u64| {
        let product = u128::from(digest ^ value) * u128::from(0x9e37_79b9_7f4a_7c15_u64);
        (product as u64 ^ (product >> 64) as u64).wrapping_add(FIRST)
    };
    match event {
        Event::Instruction(pc) => fold(before, pc),
        Event::Access(Access { address, size, store }) => {
            fold(fold(before, address), 1 << 63 | size << 1 | u64::from(store))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODE: u64 = 0x1000;
    const SP: u64 = 0x8000_0000;
    const INPUT: Grant = Grant { argument: 0, address: 0x5000, size: 32, reads: true, writes: false };
    const OUTPUT: Grant = Grant { argument: 1, address: 0x6000, size: 32, reads: false, writes: true };
    const CALL: Call = Call { entry: CODE, case: 1, variant: 0, sp: SP, stack: 64 };

    /// A recorder of aarch64 code of these words, with a literal of 16 bytes behind them, in a call.
    fn recorder(words: &[u32]) -> Recorder {
        let end = CODE + 4 * words.len() as u64;
        let literals: Vec<_> = std::iter::once(end..end + 16).collect();
        let code = Code { address: CODE, size: end + 16 - CODE, literals };
        let mut recorder = Recorder::new(Architecture::Aarch64, code, words.to_vec(), true);
        for announcement in [Announcement::Grant(INPUT), Announcement::Grant(OUTPUT), Announcement::Begin(CALL)] {
            assert_eq!(recorder.hear(announcement), None);
        }
        recorder
    }

    fn load(address: u64, size: u64) -> Access {
        Access { address, size, store: false }
    }

    fn store(address: u64, size: u64) -> Access {
        Access { address, size, store: true }
    }

    /// What is wrong with accesses of one instruction that does not touch SP.
    fn wrong(accesses: &[Access]) -> Vec<(Wrong, Option<u32>, i64)> {
        let mut recorder = recorder(&[0xd503_201f]);
        recorder.instruction(CODE);
        accesses.iter().for_each(|&access| recorder.access(access));
        let record = recorder.hear(Announcement::End).unwrap();
        record.violations.iter().map(|violation| (violation.wrong, violation.near, violation.distance)).collect()
    }

    #[test]
    fn what_is_granted_may_be_accessed_in_its_direction() {
        assert_eq!(wrong(&[load(0x5000, 16), load(0x501f, 1), store(0x6000, 8), store(0x6018, 8)]), []);
        assert_eq!(wrong(&[store(0x5004, 4)]), [(Wrong::ReadOnly, Some(0), 4)]);
        assert_eq!(wrong(&[load(0x6000, 4)]), [(Wrong::Unwritten, Some(1), 0)]);
        assert_eq!(wrong(&[store(0x6000, 4), load(0x6000, 4)]), []);
        assert_eq!(wrong(&[store(0x6000, 4), load(0x6000, 8)]), [(Wrong::Unwritten, Some(1), 0)]);
    }

    #[test]
    fn a_byte_beside_a_buffer_is_not_granted() {
        assert_eq!(wrong(&[load(0x4fff, 1)]), [(Wrong::Outside, Some(0), -1)]);
        assert_eq!(wrong(&[load(0x4fff, 2)]), [(Wrong::Outside, Some(0), -1)]);
        assert_eq!(wrong(&[load(0x501f, 2)]), [(Wrong::Outside, Some(0), 31)]);
        assert_eq!(wrong(&[store(0x6020, 1)]), [(Wrong::Outside, Some(1), 32)]);
        assert_eq!(wrong(&[load(u64::MAX, 8)]).len(), 1);
    }

    #[test]
    fn literals_may_be_read_up_to_their_end() {
        assert_eq!(wrong(&[load(0x1004, 16)]), []);
        assert_eq!(wrong(&[load(0x1005, 16)])[0].0, Wrong::Outside);
        assert_eq!(wrong(&[load(0x1000, 4)])[0].0, Wrong::Outside);
        assert_eq!(wrong(&[store(0x1004, 4)])[0].0, Wrong::Outside);
    }

    #[test]
    fn the_frame_is_above_sp_and_within_what_is_declared() {
        // sub sp, sp, #32; str x0, [sp]; nop; add sp, sp, #32; nop
        let mut recorder = recorder(&[0xd100_83ff, 0xf900_03e0, 0xd503_201f, 0x9100_83ff, 0xd503_201f]);
        recorder.instruction(CODE);
        recorder.instruction(CODE + 4);
        recorder.access(store(SP - 32, 8));
        recorder.instruction(CODE + 8);
        recorder.access(store(SP - 8, 8));
        recorder.access(store(SP - 40, 8));
        recorder.access(store(SP - 72, 8));
        recorder.instruction(CODE + 12);
        recorder.instruction(CODE + 16);
        recorder.access(load(SP - 32, 8));
        recorder.access(load(SP, 8));
        let record = recorder.hear(Announcement::End).unwrap();
        let seen: Vec<_> = record.violations.iter().map(|v| (v.pc - CODE, v.wrong, v.distance)).collect();
        assert_eq!(
            seen[..3],
            [(8, Wrong::BelowStackPointer, -40), (8, Wrong::BelowFrame, -72), (16, Wrong::BelowStackPointer, -32)]
        );
        assert_eq!((seen[3].0, seen[3].1), (16, Wrong::Outside));
    }

    #[test]
    fn what_a_push_and_a_pop_access_is_not_below_sp() {
        // stp x29, x30, [sp, #-16]!; ldp x29, x30, [sp], #16
        let mut recorder = recorder(&[0xa9bf_7bfd, 0xa8c1_7bfd]);
        recorder.instruction(CODE);
        recorder.access(store(SP - 16, 8));
        recorder.access(store(SP - 8, 8));
        recorder.instruction(CODE + 4);
        recorder.access(load(SP - 16, 8));
        recorder.access(load(SP - 8, 8));
        assert_eq!(recorder.hear(Announcement::End).unwrap().violations, []);
    }

    #[test]
    fn sp_that_goes_another_way_is_noticed_and_found_again() {
        // add sp, sp, x2; str x0, [sp]; str x0, [sp]
        let mut recorder = recorder(&[0x8b22_63ff, 0xf900_03e0, 0xf900_03e0]);
        recorder.instruction(CODE);
        recorder.instruction(CODE + 4);
        recorder.access(store(SP - 48, 8));
        recorder.instruction(CODE + 8);
        recorder.access(store(SP - 56, 8));
        let record = recorder.hear(Announcement::End).unwrap();
        assert_eq!(record.violations.len(), 1);
        assert_eq!((record.violations[0].wrong, record.violations[0].distance), (Wrong::StackPointerLost, -8));
    }

    #[test]
    fn two_calls_have_one_digest_if_nothing_differs() {
        let run = |events: &[Event]| {
            let mut recorder = recorder(&[0; 4]);
            for &event in events {
                match event {
                    Event::Instruction(pc) => recorder.instruction(pc),
                    Event::Access(access) => recorder.access(access),
                }
            }
            let record = recorder.hear(Announcement::End).unwrap();
            assert_eq!(record.events, events);
            record.digest
        };
        let one = [Event::Instruction(CODE), Event::Access(load(0x5000, 8)), Event::Instruction(CODE + 4)];
        assert_eq!(run(&one), run(&one));
        for other in [
            &one[..2],
            &[one[0], one[2], one[1]],
            &[one[0], Event::Access(load(0x5008, 8)), one[2]],
            &[one[0], Event::Access(load(0x5000, 4)), one[2]],
            &[one[0], Event::Access(store(0x5000, 8)), one[2]],
            &[],
        ] {
            assert_ne!(run(&one), run(other), "{other:?}");
        }
    }

    #[test]
    fn what_happens_outside_of_a_call_is_not_recorded() {
        let mut recorder = recorder(&[0]);
        assert!(recorder.hear(Announcement::End).is_some());
        recorder.instruction(CODE);
        recorder.access(load(0x5000, 8));
        assert_eq!(recorder.hear(Announcement::End), None);
        // A call that never ended is forgotten when the next is prepared.
        recorder.hear(Announcement::Begin(CALL));
        recorder.instruction(CODE);
        recorder.hear(Announcement::Grant(INPUT));
        recorder.hear(Announcement::Begin(CALL));
        let record = recorder.hear(Announcement::End).unwrap();
        assert_eq!((record.instructions, record.accesses), (0, 0));
    }
}
