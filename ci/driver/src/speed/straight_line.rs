//! Executed instructions as the straight line of code that LLVM's models take.
//!
//! The models know no branches (prediction is taken as perfect) and parse text, so what is relative to the program counter
//! is replaced by its like on the stack pointer.

use std::sync::LazyLock;

use regex::Regex;
use vambrace::kernels::Architecture;

macro_rules! pattern {
    ($name:ident = $text:expr) => {
        static $name: LazyLock<Regex> = LazyLock::new(|| Regex::new($text).expect("the pattern is well formed"));
    };
}

pattern!(BRANCH_A64 = r"^(b|bl|br|blr|ret|cbz|cbnz|tbz|tbnz|braa|blraa|retaa|retab|svc|b\.\w+|bc\.\w+)$");
pattern!(BRANCH_A32 = r"^(b|bl|bx|blx|bxj|svc)(eq|ne|cs|hs|cc|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le|al)?$");
pattern!(PC_BASE = r"\[pc[^\]]*\]");
pattern!(PC = r"\bpc\b");
pattern!(PC_IN_LIST = r",?\s*\bpc\b");
pattern!(
    MULTIPLE = r"^(?<vector>v?)(?<operation>ldm|stm|pop|push)(?:ia|db|fd|ea|ib|da)?(?:eq|ne|cs|hs|cc|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le|al)? (?:(?<base>\w+)!?, )?\{(?<list>.*)\}$"
);
pattern!(RANGE = r"^(?<kind>[a-z]+)(?<first>\d+)-[a-z]+(?<last>\d+)$");
pattern!(AES_ROUND = r"^aes[ed](?:\.8)? (?<to>\w+)");
pattern!(AES_MIX = r"^aesi?mc(?:\.8)? (?<to>\w+)(?:\.16b)?, (?<from>\w+)");
pattern!(STRUCTURE = r"^v(?:ld|st)[1-4]\S* \{(?<list>[^}]*)\}");
pattern!(D_REGISTER = r"\bd\d+");

/// Straight-line code, and how many branches were left out of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StraightLine {
    /// One instruction each.
    pub lines: Vec<String>,
    /// Branches left out.
    pub branches: usize,
}

impl StraightLine {
    /// From the text of instructions in the order of their execution.
    pub fn new<'a>(architecture: Architecture, executed: impl IntoIterator<Item = &'a str>) -> StraightLine {
        let mut straight = StraightLine::default();
        for text in executed {
            match without_program_counter(architecture, text) {
                Some(line) => straight.lines.push(line),
                None => straight.branches += 1,
            }
        }
        straight
    }

    /// The same for a core that executes an AES round and the mixing of columns on the same register as one.
    pub fn fused(&self) -> StraightLine {
        let mut lines = Vec::with_capacity(self.lines.len());
        let mut round: Option<&str> = None;
        for line in &self.lines {
            let mix = AES_MIX.captures(line);
            if mix.is_some_and(|mix| round == Some(&mix["to"]) && mix["to"] == mix["from"]) {
                round = None;
                continue;
            }
            round = AES_ROUND.captures(line).and_then(|found| found.name("to")).map(|to| to.as_str());
            lines.push(line.clone());
        }
        StraightLine { lines, branches: self.branches }
    }

    /// Issue slots on a core like Cortex-A7: one at a time in order, with a NEON unit of 64 bits. A NEON operation takes
    /// one slot for each 64 bits of its result, a transfer one for each 64 bits; nothing waits.
    pub fn issue_slots(&self) -> usize {
        self.branches + self.lines.iter().map(|line| issue_slots(line)).sum::<usize>()
    }
}

/// `None` for a branch.
fn without_program_counter(architecture: Architecture, text: &str) -> Option<String> {
    let (mnemonic, operands) = text.split_once(' ').unwrap_or((text, ""));
    let first = operands.split(',').next().unwrap_or_default();
    let constant = || Some(format!("mov {first}, #0"));
    match architecture {
        Architecture::Aarch64 => match mnemonic {
            _ if BRANCH_A64.is_match(mnemonic) => None,
            "adr" | "adrp" => constant(),
            "ldr" | "ldrsw" if !operands.contains('[') => Some(format!("{mnemonic} {first}, [sp]")),
            _ => Some(text.to_owned()),
        },
        Architecture::Arm => {
            let starts_with = |names: &[&str]| names.iter().any(|name| mnemonic.starts_with(name));
            if BRANCH_A32.is_match(mnemonic) || (starts_with(&["ldr", "mov", "add"]) && first == "pc") {
                None
            } else if PC_BASE.is_match(operands) {
                Some(PC_BASE.replace(text, "[sp]").into_owned())
            } else if starts_with(&["adr"]) || (starts_with(&["add", "sub"]) && PC.is_match(operands)) {
                constant()
            } else if starts_with(&["pop", "ldm"]) && PC.is_match(operands) {
                let link = if operands.contains("lr") { "" } else { ", lr" };
                Some(PC_IN_LIST.replace(text, link).into_owned())
            } else {
                Some(text.to_owned())
            }
        }
    }
}

/// A load or store of several registers as one transfer for each register, or for each pair of neighbouring D registers;
/// `None` for anything else.
pub fn transfers(line: &str) -> Option<Vec<String>> {
    let parts = MULTIPLE.captures(line)?;
    let base = parts.name("base").map_or("sp", |base| base.as_str());
    let load = matches!(&parts["operation"], "ldm" | "pop");
    let registers: Vec<String> = parts["list"].split(", ").flat_map(listed).collect();
    if parts["vector"].is_empty() {
        let one = if load { "ldr" } else { "str" };
        return Some(registers.iter().map(|register| format!("{one} {register}, [{base}]")).collect());
    }
    let (pair, one) = if load { ("vld1.64", "vldr") } else { ("vst1.64", "vstr") };
    let numbers: Option<Vec<usize>> = registers.iter().map(|name| name.strip_prefix('d')?.parse().ok()).collect();
    let neighbours = numbers.is_some_and(|numbers| numbers.is_sorted_by(|a, b| a + 1 == *b));
    let (pairs, single) = if neighbours { registers.as_chunks::<2>() } else { (&[][..], registers.as_slice()) };
    let pairs = pairs.iter().map(|[first, second]| format!("{pair} {{{first}, {second}}}, [{base}]"));
    Some(pairs.chain(single.iter().map(|register| format!("{one} {register}, [{base}]"))).collect())
}

/// The registers that an entry of a list stands for, Q registers as their halves.
fn listed(entry: &str) -> Vec<String> {
    let (kind, first, last) = match RANGE.captures(entry) {
        Some(range) => (range["kind"].to_owned(), range["first"].to_owned(), range["last"].to_owned()),
        None => {
            let digits = entry.find(|c: char| c.is_ascii_digit()).unwrap_or(entry.len());
            (entry[..digits].to_owned(), entry[digits..].to_owned(), entry[digits..].to_owned())
        }
    };
    match (first.parse::<usize>(), last.parse::<usize>()) {
        (Ok(first), Ok(last)) if kind == "q" => (2 * first..=2 * last + 1).map(|number| format!("d{number}")).collect(),
        (Ok(first), Ok(last)) => (first..=last).map(|number| format!("{kind}{number}")).collect(),
        _ => vec![entry.to_owned()],
    }
}

fn issue_slots(line: &str) -> usize {
    if let Some(transfers) = transfers(line) {
        return match line.starts_with('v') {
            true => transfers.iter().map(|transfer| issue_slots(transfer)).sum(),
            false => transfers.len().div_ceil(2),
        };
    }
    if let Some(list) = STRUCTURE.captures(line) {
        return D_REGISTER.find_iter(&list["list"]).count().max(1);
    }
    match line.split_once(' ') {
        Some((mnemonic, operands)) if mnemonic.starts_with('v') && operands.starts_with('q') => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn straight(architecture: Architecture, lines: &[&str]) -> StraightLine {
        StraightLine::new(architecture, lines.iter().copied())
    }

    #[test]
    fn branches_are_left_out_and_counted() {
        let lines = ["cbz x2, #0x40", "b.ne #-8", "bic x0, x1, x2", "ret", "bfi x0, x1, #3, #4"];
        let line = straight(Architecture::Aarch64, &lines);
        assert_eq!((line.lines, line.branches), (vec![lines[2].to_owned(), lines[4].to_owned()], 3));
        let lines = ["bne #-8", "bls #4", "bic r0, r1, r2", "bx lr", "ldr pc, [r0]", "bfi r0, r1, #3, #4"];
        let line = straight(Architecture::Arm, &lines);
        assert_eq!((line.lines, line.branches), (vec![lines[2].to_owned(), lines[5].to_owned()], 4));
    }

    #[test]
    fn nothing_is_relative_to_the_program_counter() {
        let line = straight(Architecture::Aarch64, &["adr x3, #0x40", "ldr q0, #16", "ldr q0, [x3, #16]"]);
        assert_eq!(line.lines, ["mov x3, #0", "ldr q0, [sp]", "ldr q0, [x3, #16]"]);
        let lines = ["ldr r3, [pc, #12]", "add r3, pc, #8", "adr r3, #8", "pop {r4, pc}", "ldm sp!, {r4, lr, pc}"];
        let expected = ["ldr r3, [sp]", "mov r3, #0", "mov r3, #0", "pop {r4, lr}", "ldm sp!, {r4, lr}"];
        assert_eq!(straight(Architecture::Arm, &lines).lines, expected);
    }

    #[test]
    fn several_registers_are_several_transfers() {
        assert_eq!(
            transfers("push {r4-r6, lr}").unwrap().join("; "),
            "str r4, [sp]; str r5, [sp]; str r6, [sp]; str lr, [sp]"
        );
        assert_eq!(transfers("ldm r0, {r4, r5}").unwrap(), ["ldr r4, [r0]", "ldr r5, [r0]"]);
        assert_eq!(
            transfers("vpush {d8, d9, d10, d11}").unwrap(),
            ["vst1.64 {d8, d9}, [sp]", "vst1.64 {d10, d11}, [sp]"]
        );
        assert_eq!(transfers("vldmia r1!, {q4}").unwrap(), ["vld1.64 {d8, d9}, [r1]"]);
        assert_eq!(transfers("vpop {d8, d10}").unwrap(), ["vldr d8, [sp]", "vldr d10, [sp]"]);
        assert_eq!(transfers("add r0, r1, r2"), None);
    }

    #[test]
    fn issue_slots_follow_the_width_of_the_neon_unit() {
        let cases = [
            ("add r0, r1, r2", 1),
            ("push {r4-r6, lr}", 2),
            ("vpush {d8-d11}", 4),
            ("vadd.i32 q0, q1, q2", 2),
            ("vadd.i32 d0, d1, d2", 1),
            ("vld1.8 {d0, d1, d2, d3}, [r1]!", 4),
            ("vmov r0, r1, d0", 1),
        ];
        for (line, slots) in cases {
            assert_eq!(issue_slots(line), slots, "{line}");
        }
    }

    #[test]
    fn only_an_adjacent_pair_on_one_register_is_fused() {
        let line = straight(
            Architecture::Aarch64,
            &[
                "aese v0.16b, v16.16b",
                "aesmc v0.16b, v0.16b",
                "aese v1.16b, v16.16b",
                "aesmc v2.16b, v1.16b",
                "aesmc v2.16b, v2.16b",
            ],
        );
        let fused: Vec<_> = line.fused().lines;
        assert_eq!(fused, [&line.lines[0], &line.lines[2], &line.lines[3], &line.lines[4]].map(String::clone));
    }
}
