//! The cores whose speed is predicted.

use std::sync::LazyLock;

use regex::Regex;
use vambrace::kernels::{Architecture, Feature};

use super::straight_line;

/// A core as LLVM's scheduling models know it.
#[derive(Debug)]
pub struct Core {
    /// What it executes here.
    pub architecture: Architecture,
    /// LLVM's name for it, or `a7-issue`.
    pub name: &'static str,
    /// The heading of its column.
    pub title: &'static str,
    /// What it can execute beyond the base architecture.
    pub features: &'static [Feature],
    /// How its cost comes about.
    pub model: Model,
}

/// How the cost of straight-line code comes about.
#[derive(Debug, PartialEq, Eq)]
pub enum Model {
    /// By counting issue slots.
    IssueSlots,
    /// By LLVM: in order; latencies come out too long.
    InOrder,
    /// By LLVM: in order, taken as it comes out.
    InOrderUncalibrated,
    /// By LLVM: out of order.
    OutOfOrder,
}

const V7: &[Feature] = &[Feature::Neon];
const V8: &[Feature] = &[Feature::Neon, Feature::Aes, Feature::Pmull, Feature::Sha2];
const V9: &[Feature] = &[Feature::Neon, Feature::Aes, Feature::Pmull, Feature::Sha2, Feature::Sha512, Feature::Sha3];

/// Every core, in the order of the columns.
pub const CORES: &[Core] = {
    use Architecture::{Aarch64, Arm};
    use Model::{InOrder, InOrderUncalibrated, IssueSlots, OutOfOrder};
    const fn core(
        architecture: Architecture,
        name: &'static str,
        title: &'static str,
        features: &'static [Feature],
        model: Model,
    ) -> Core {
        Core { architecture, name, title, features, model }
    }
    &[
        core(Aarch64, "cortex-a53", "A53", V8, InOrder),
        core(Aarch64, "cortex-a55", "A55", V8, InOrder),
        core(Aarch64, "cortex-a57", "A57, A72", V8, OutOfOrder),
        core(Aarch64, "cortex-a510", "A510", V9, InOrder),
        core(Aarch64, "neoverse-n1", "N1", V8, OutOfOrder),
        core(Aarch64, "neoverse-n2", "N2", V9, OutOfOrder),
        core(Aarch64, "neoverse-v1", "V1", V9, OutOfOrder),
        core(Aarch64, "neoverse-v2", "V2", V9, OutOfOrder),
        core(Arm, "a7-issue", "A7 issue", V7, IssueSlots),
        core(Arm, "cortex-a9", "A9, A15", V7, OutOfOrder),
        core(Arm, "cortex-a57", "A57", V8, OutOfOrder),
        core(Arm, "cortex-r52", "R52", V7, InOrderUncalibrated),
    ]
};

impl Core {
    /// The cores of an architecture.
    pub fn of(architecture: Architecture) -> impl Iterator<Item = &'static Core> {
        CORES.iter().filter(move |core| core.architecture == architecture)
    }

    /// Code with the instructions that LLVM's model of this core lacks replaced by the nearest that it has: the same
    /// operands, the destination read as well.
    pub fn model_code(&self, lines: &[String]) -> Vec<String> {
        let (several, replacements) = match (self.architecture, self.name) {
            (Architecture::Arm, "cortex-a9") => (true, &*CORTEX_A9),
            (Architecture::Arm, "cortex-r52") => (true, &*CORTEX_R52),
            _ => return lines.to_vec(),
        };
        let mut code = Vec::with_capacity(lines.len());
        for line in lines {
            match straight_line::transfers(line).filter(|_| several) {
                Some(transfers) => code.extend(transfers),
                None => code.push(
                    replacements
                        .iter()
                        .fold(line.clone(), |line, (pattern, nearest)| pattern.replace(&line, *nearest).into_owned()),
                ),
            }
        }
        code
    }
}

type Replacements = Vec<(Regex, &'static str)>;

fn replacements(rules: &[(&str, &'static str)]) -> Replacements {
    rules.iter().map(|&(rule, nearest)| (Regex::new(rule).expect("the pattern is well formed"), nearest)).collect()
}

static CORTEX_A9: LazyLock<Replacements> = LazyLock::new(|| replacements(&[(r"^vswp (.*)$", "vtrn.32 $1")]));

static CORTEX_R52: LazyLock<Replacements> = LazyLock::new(|| {
    replacements(&[
        (r"^v(?:shl|shr)\.[isu]?\d+ (\w+), (\w+), #\d+$", "vadd.i64 $1, $2, $2"),
        (r"^v(?:sra|sli|sri)\.[isu]?\d+ (\w+), (\w+), #\d+$", "vaba.u32 $1, $2, $2"),
        (r"^vshl\.[isu]?\d+ (\w+), (\w+), (\w+)$", "vadd.i64 $1, $2, $3"),
        (r"^vmov\.32 (d\d+)\[[01]\], (\w+)$", "vmov $1, $2, $2"),
        (r"^vmov\.f64 (d\d+), (d\d+)$", "vorr $1, $2, $2"),
    ])
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_that_a_model_lacks_is_replaced() {
        let code = |name: &str, line: &str| {
            let core = Core::of(Architecture::Arm).find(|core| core.name == name).unwrap();
            core.model_code(&[line.to_owned()])
        };
        assert_eq!(code("cortex-r52", "vshr.u32 q0, q1, #7"), ["vadd.i64 q0, q1, q1"]);
        assert_eq!(code("cortex-r52", "vsli.32 q0, q1, #7"), ["vaba.u32 q0, q1, q1"]);
        assert_eq!(code("cortex-r52", "vshrn.i64 d0, q1, #7"), ["vshrn.i64 d0, q1, #7"]);
        assert_eq!(code("cortex-a9", "push {r4, r5}"), ["str r4, [sp]", "str r5, [sp]"]);
        assert_eq!(code("cortex-a57", "push {r4, r5}"), ["push {r4, r5}"]);
    }
}
