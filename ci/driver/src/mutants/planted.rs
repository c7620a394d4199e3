//! Mutants that must be found out in a certain way, before any result is believed.

use vambrace::kernels::Architecture;
use vambrace_verify::mutation::{Change, How, Planted};

use super::server::{Fate, Server, Site};

/// The kernel that the defects are written into, whichever kernels a run is about.
const KERNEL: &str = "sha256_scalar";

/// A defect, and what must become of it.
struct Defect {
    name: &'static str,
    /// From the kernel's first instruction on.
    aarch64: &'static [u32],
    arm: &'static [u32],
    planted: Option<Planted>,
    /// The checks that are left out.
    without: &'static [&'static str],
    expected: fn(&Fate) -> bool,
}

/// The checks that call a kernel in a process of their own, which therefore see everything first.
const WATCHED: &[&str] = &["abi", "residue", "bounds"];

/// All that compare results with an oracle, and the one that wants a fault at the end of a long message.
const JUDGES: &[&str] = &[
    "kat",
    "lengths",
    "splits",
    "differential",
    "counters",
    "mixed-tiers",
    "many",
    "handed-back",
    "determinism",
    "aliasing",
    "errors",
    "parameters",
    "count-width",
];

const RETURN_AT_ONCE: ([u32; 1], [u32; 1]) = ([0xd65f_03c0], [0xe12f_ff1e]);

fn killed(fate: &Fate, by: &How) -> bool {
    matches!(fate, Fate::Killed { how, .. } if how == by)
}

/// On a machine with so much else to do that the loop gets no CPU time, it is missed by the clock on the wall.
fn is_named_a_hang(what: &str) -> bool {
    what.contains("does not return") || what.contains("made no call for")
}

fn signalled(fate: &Fate, signal: &str) -> bool {
    killed(fate, &How::Signal(signal.to_owned()))
}

const DEFECTS: &[Defect] = &[
    Defect {
        name: "a loop for ever",
        // b .
        aarch64: &[0x1400_0000],
        arm: &[0xeaff_fffe],
        planted: None,
        without: WATCHED,
        expected: |fate| killed(fate, &How::TimeLimit),
    },
    Defect {
        name: "a loop for ever under the register-level caller",
        aarch64: &[0x1400_0000],
        arm: &[0xeaff_fffe],
        planted: None,
        without: &[],
        expected: |fate| matches!(fate, Fate::Killed { how: How::Failure, what, .. } if is_named_a_hang(what)),
    },
    Defect {
        name: "memory without end",
        aarch64: &[],
        arm: &[],
        planted: Some(Planted::Memory),
        without: WATCHED,
        expected: |fate| killed(fate, &How::MemoryLimit),
    },
    Defect {
        name: "the harness's own stack overwritten",
        // mov x9, sp; str xzr, [x9], #8; b .-4
        aarch64: &[0x9100_03e9, 0xf800_853f, 0x17ff_ffff],
        // mov r12, sp; mov r3, #0; str r3, [r12], #4; b .-4
        arm: &[0xe1a0_c00d, 0xe3a0_3000, 0xe48c_3004, 0xeaff_fffd],
        planted: None,
        without: WATCHED,
        expected: |fate| signalled(fate, "SIGSEGV"),
    },
    Defect {
        name: "a part of the harness's own stack overwritten, and a return to it",
        // mov x9, sp; add x10, sp, #4096; str xzr, [x9], #8; cmp x9, x10; b.ne .-8; ret
        aarch64: &[0x9100_03e9, 0x9140_07ea, 0xf800_853f, 0xeb0a_013f, 0x54ff_ffc1, 0xd65f_03c0],
        // mov r12, sp; add r2, sp, #4096; mov r3, #0; str r3, [r12], #4; cmp r12, r2; bne .-8; bx lr
        arm: &[0xe1a0_c00d, 0xe28d_2a01, 0xe3a0_3000, 0xe48c_3004, 0xe15c_0002, 0x1aff_fffc, 0xe12f_ff1e],
        planted: None,
        without: WATCHED,
        expected: |fate| matches!(fate, Fate::Killed { how: How::Signal(_), .. }),
    },
    Defect {
        name: "a jump to nowhere",
        // br xzr, by way of x9
        aarch64: &[0xd280_0009, 0xd61f_0120],
        // mov r12, #0; bx r12
        arm: &[0xe3a0_c000, 0xe12f_ff1c],
        planted: None,
        without: WATCHED,
        expected: |fate| signalled(fate, "SIGSEGV"),
    },
    Defect {
        name: "an undefined instruction",
        aarch64: &[0x0000_0000],
        arm: &[0xe7f0_00f0],
        planted: None,
        without: WATCHED,
        expected: |fate| signalled(fate, "SIGILL"),
    },
    Defect {
        name: "a return before anything is done",
        aarch64: &RETURN_AT_ONCE.0,
        arm: &RETURN_AT_ONCE.1,
        planted: None,
        without: &[],
        expected: |fate| matches!(fate, Fate::Killed { check, how: How::Failure, .. } if check == "kat"),
    },
    Defect {
        name: "the same, where no check compares results",
        aarch64: &RETURN_AT_ONCE.0,
        arm: &RETURN_AT_ONCE.1,
        planted: None,
        without: JUDGES,
        expected: |fate| matches!(fate, Fate::Survived { .. }),
    },
];

/// Runs each defect on a kernel of each architecture. Returns how many ended as they must.
///
/// # Errors
/// The first that does not.
pub fn see<'a>(sites: impl Iterator<Item = &'a Site>, seed: u64) -> Result<usize, String> {
    let mut seen = 0;
    for site in sites {
        let architecture = site.place.architecture;
        for without in [&[][..], WATCHED, JUDGES] {
            let mut server = Server::start(site, KERNEL, seed, without)?;
            for defect in DEFECTS.iter().filter(|defect| defect.without == without) {
                let words = match architecture {
                    Architecture::Aarch64 => defect.aarch64,
                    Architecture::Arm => defect.arm,
                };
                let change = |(index, word): (usize, &u32)| Change { offset: 4 * index as u32, word: *word };
                let changes: Vec<Change> = words.iter().enumerate().map(change).collect();
                let fate = server.run(&changes, defect.planted)?;
                if !(defect.expected)(&fate) {
                    return Err(format!(
                        "{} in {architecture} {KERNEL} is not seen for what it is, so no result can be trusted: {fate:?}",
                        defect.name
                    ));
                }
                seen += 1;
            }
        }
    }
    Ok(seen)
}
