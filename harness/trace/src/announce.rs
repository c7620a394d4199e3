//! What a guest tells of the calls that it makes.
//!
//! The interface of QEMU's plugins has no way to read the guest's registers or memory, but tells the arguments of system calls.
//! So an announcement is a system call of a number that does not exist: without a plugin, and on a machine, it is answered with
//! `ENOSYS` and nothing happens.

use vambrace_contract::Architecture;

/// The number of the system call that does not exist.
pub const NUMBER: u32 = 0x7661;

/// A grant of this number is the part of the caller's stack that holds arguments.
pub const STACK_ARGUMENTS: u32 = 255;

/// Memory that a contract grants to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The number of the argument, or [`STACK_ARGUMENTS`].
    pub argument: u32,
    /// Where it begins.
    pub address: u64,
    /// Bytes.
    pub size: u64,
    /// Whether what it held before the call may be read.
    pub reads: bool,
    /// Whether it may be written.
    pub writes: bool,
}

/// A call, as the guest sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// The kernel's address.
    pub entry: u64,
    /// Calls of one case have equal public inputs,
    pub case: u32,
    /// and differ in their secrets.
    pub variant: u32,
    /// SP at the call.
    pub sp: u64,
    /// Bytes of stack that the contract declares.
    pub stack: u64,
}

/// Something that a guest tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Announcement {
    /// The next call is granted this memory.
    Grant(Grant),
    /// The call begins.
    Begin(Call),
    /// The call has returned.
    End,
    /// What is executed from now on is executed for the sake of the kernel at this address.
    For(u64),
}

const GRANT: u64 = 1;
const BEGIN: u64 = 2;
const END: u64 = 3;
const FOR: u64 = 4;

impl Announcement {
    /// The arguments of the system call.
    pub fn arguments(&self) -> [u64; 6] {
        match *self {
            Announcement::Grant(Grant { argument, address, size, reads, writes }) => {
                [GRANT, argument.into(), address, size, u64::from(reads) | u64::from(writes) << 1, 0]
            }
            Announcement::Begin(Call { entry, case, variant, sp, stack }) => {
                [BEGIN, entry, case.into(), variant.into(), sp, stack]
            }
            Announcement::End => [END, 0, 0, 0, 0, 0],
            Announcement::For(entry) => [FOR, entry, 0, 0, 0, 0],
        }
    }

    /// What a system call announces; nothing if it is another.
    pub fn heard(architecture: Architecture, number: i64, arguments: [u64; 6]) -> Option<Announcement> {
        if number != i64::from(NUMBER) {
            return None;
        }
        // QEMU extends the registers of a 32-bit guest by their sign.
        let [verb, a, b, c, d, e] = match architecture {
            Architecture::Aarch64 => arguments,
            Architecture::Arm => arguments.map(|argument| argument & 0xffff_ffff),
        };
        match verb {
            GRANT => Some(Announcement::Grant(Grant {
                argument: a.try_into().ok()?,
                address: b,
                size: c,
                reads: d & 1 != 0,
                writes: d & 2 != 0,
            })),
            BEGIN => Some(Announcement::Begin(Call {
                entry: a,
                case: b.try_into().ok()?,
                variant: c.try_into().ok()?,
                sp: d,
                stack: e,
            })),
            END => Some(Announcement::End),
            FOR => Some(Announcement::For(a)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_announced_is_heard() {
        let all = [
            Announcement::Grant(Grant { argument: 3, address: 0xfffe_0001, size: 17, reads: true, writes: false }),
            Announcement::Grant(Grant { argument: 255, address: 1, size: 0, reads: false, writes: true }),
            Announcement::Begin(Call { entry: 0x1_0000, case: 7, variant: 2, sp: 0xffff_fff0, stack: 64 }),
            Announcement::End,
            Announcement::For(0xfffe_0000),
        ];
        for one in all {
            let arguments = one.arguments();
            assert_eq!(Announcement::heard(Architecture::Aarch64, NUMBER.into(), arguments), Some(one));
            let extended = arguments.map(|argument| argument as u32 as i32 as i64 as u64);
            assert_eq!(Announcement::heard(Architecture::Arm, NUMBER.into(), extended), Some(one));
        }
    }

    #[test]
    fn other_system_calls_are_not_for_us() {
        assert_eq!(Announcement::heard(Architecture::Arm, 4, [1; 6]), None);
        assert_eq!(Announcement::heard(Architecture::Arm, NUMBER.into(), [9; 6]), None);
    }
}
