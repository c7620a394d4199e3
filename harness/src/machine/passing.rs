//! Where the procedure call standards put arguments.
//!
//! Sources: "Procedure Call Standard for the Arm 64-bit Architecture" (AAPCS64), section 6.8.2, and "Procedure Call
//! Standard for the Arm Architecture" (AAPCS32), section 6.5, for the types that a contract knows: pointers and integers
//! of 32 and 64 bits.

use vambrace_contract::{Architecture, Argument, ArgumentKind, ScalarType};

/// Where an argument is at the moment of the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Location {
    /// In general-purpose register number `n`.
    Register(usize),
    /// Low half in register `n`, high half in `n + 1`.
    Pair(usize),
    /// At this offset from SP.
    Stack(usize),
}

/// How many bits of its register or stack slot an argument defines.
pub(crate) fn bits(architecture: Architecture, argument: &Argument) -> u32 {
    let pointer = match architecture {
        Architecture::Aarch64 => 64,
        Architecture::Arm => 32,
    };
    match argument.kind {
        ArgumentKind::Buffer { .. } => pointer,
        ArgumentKind::Scalar { ty: ScalarType::U32, .. } => 32,
        ArgumentKind::Scalar { ty: ScalarType::U64, .. } => 64,
        ArgumentKind::Scalar { ty: ScalarType::Usize, .. } => pointer,
    }
}

/// The place of each argument, and the bytes of stack that they take.
pub(crate) fn locate(architecture: Architecture, arguments: &[Argument]) -> (Vec<Location>, usize) {
    match architecture {
        Architecture::Aarch64 => {
            let location = |n| if n < 8 { Location::Register(n) } else { Location::Stack((n - 8) * 8) };
            let stack = arguments.len().saturating_sub(8) * 8;
            ((0..arguments.len()).map(location).collect(), stack)
        }
        Architecture::Arm => {
            let (mut register, mut stack) = (0, 0);
            let locations = arguments
                .iter()
                .map(|argument| {
                    let words = bits(architecture, argument) as usize / 32;
                    // A 64-bit value begins at an even register or a multiple of 8 on the stack, and once an argument is
                    // on the stack, all later ones are.
                    register = usize::next_multiple_of(register, words);
                    if register + words <= 4 {
                        register += words;
                        if words == 2 { Location::Pair(register - 2) } else { Location::Register(register - 1) }
                    } else {
                        register = 4;
                        stack = usize::next_multiple_of(stack, 4 * words) + 4 * words;
                        Location::Stack(stack - 4 * words)
                    }
                })
                .collect();
            (locations, stack)
        }
    }
}

#[cfg(test)]
mod tests {
    use vambrace_contract::{Access, Secrecy, Size};

    use super::*;

    const BUFFER: Argument = Argument::buffer("b", Size::Fixed(1), Access::Read, Secrecy::Public);

    const fn scalar(ty: ScalarType) -> Argument {
        Argument { name: "s", kind: ArgumentKind::Scalar { ty, secrecy: Secrecy::Public, min: 0, max: 0, step: 1 } }
    }

    #[test]
    fn the_ninth_argument_of_aarch64_is_on_the_stack() {
        let (locations, stack) = locate(Architecture::Aarch64, &[BUFFER; 10]);
        assert_eq!(locations[7], Location::Register(7));
        assert_eq!(locations[8..], [Location::Stack(0), Location::Stack(8)]);
        assert_eq!(stack, 16);
    }

    #[test]
    fn a_64_bit_argument_of_arm_is_in_an_even_pair() {
        let (locations, stack) = locate(Architecture::Arm, &[BUFFER, scalar(ScalarType::U64), BUFFER]);
        assert_eq!(locations, [Location::Register(0), Location::Pair(2), Location::Stack(0)]);
        assert_eq!(stack, 4);
    }

    #[test]
    fn no_register_of_arm_is_used_after_the_stack_was() {
        let (locations, stack) = locate(Architecture::Arm, &[BUFFER, BUFFER, BUFFER, scalar(ScalarType::U64), BUFFER]);
        assert_eq!(locations[3..], [Location::Stack(0), Location::Stack(8)]);
        assert_eq!(stack, 12);

        let (locations, stack) =
            locate(Architecture::Arm, &[BUFFER, BUFFER, BUFFER, BUFFER, BUFFER, scalar(ScalarType::U64)]);
        assert_eq!(locations[4..], [Location::Stack(0), Location::Stack(8)]);
        assert_eq!(stack, 16);
    }
}
