//! Calls that are made to be traced.
//!
//! The calls of a case are alike in everything that is public, in every address and every register, and differ in their
//! secrets. Each is announced to the plugin that records it (`vambrace-trace`), with the memory that the contract grants. What the
//! traces say is judged by the driver; here a call only fails if it does not come back. Without the plugin nothing is recorded.

use vambrace_contract::{ArgumentKind, Kernel, Size};

use crate::{Context, Outcome};

/// The calls of each case, by what their secrets are.
pub const VARIANTS: [&str; 8] = [
    "random secrets",
    "secrets all zero",
    "secrets all one",
    "secrets of single bits",
    "secrets of words from which carries ripple",
    "secrets of one word again and again",
    "other random secrets",
    "yet other random secrets",
];

/// The case whose buffers have no units, where the contract allows that.
pub const EMPTY_CASE: u64 = 3;

/// What the calls are called as a check.
pub const NAME: &str = "trace";

/// Makes the calls. The outcome has the number of cases.
pub fn run(kernel: &Kernel, context: &Context) -> Outcome {
    #[cfg(vambrace_machine)]
    {
        super::native::traced(kernel, context)
    }
    #[cfg(not(vambrace_machine))]
    {
        super::elsewhere(kernel, context)
    }
}

/// Whether there is a call by whose contract nothing is to be done: no unit of a buffer whose size is its number of units.
pub fn has_empty_call(kernel: &Kernel) -> bool {
    let arguments = kernel.contract.arguments;
    arguments.iter().any(|argument| match argument.kind {
        ArgumentKind::Buffer { size: Size::Affine { base: 0, argument, .. }, .. } => {
            matches!(arguments.get(argument).map(|count| count.kind), Some(ArgumentKind::Scalar { min: 0, .. }))
        }
        _ => false,
    })
}

/// Tells who traces that what is executed from now on is executed for the sake of a kernel.
pub fn announce_work_for(kernel: &Kernel) {
    #[cfg(vambrace_machine)]
    {
        super::native::announce_work_for(kernel)
    }
    #[cfg(not(vambrace_machine))]
    {
        let _ = kernel;
    }
}
