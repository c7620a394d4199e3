//! A kernel's contract, for a reader.

use maud::{Markup, html};
use vambrace::kernels::{Access, Argument, ArgumentKind, Kernel, Overlap, Returns, ScalarType, Secrecy, Size};

use super::frame::{fact, table};

/// The contract of a kernel.
pub(super) fn section(kernel: &Kernel) -> Markup {
    let contract = kernel.contract;
    let cleared = match (kernel.clears.registers, kernel.clears.stack) {
        (true, true) => "every volatile register and every byte of stack that held a secret",
        (true, false) => "every volatile register that held a secret",
        (false, true) => "every byte of stack that held a secret",
        (false, false) => "nothing",
    };
    html! {
        section #contract {
            h2 { "Contract" }
            dl class="facts" {
                (fact("Operation", format!("{} of {}", contract.operation, contract.algorithm)))
                (fact("Messages at once", kernel.lanes))
                (fact("Stack", format!("at most {} bytes below the caller's SP", kernel.stack)))
                (fact("Cleared before it returns", cleared))
                (fact("Returns", returns(contract.returns)))
            }
            (table(&["#", "argument", "what", "size or range", "access", "secret", "alignment", "overlap"], &html! {
                @for (index, argument) in contract.arguments.iter().enumerate() { (row(kernel, index, argument)) }
            }))
        }
    }
}

fn name(kernel: &Kernel, argument: usize) -> &'static str {
    kernel.contract.arguments.get(argument).map_or("?", |argument| argument.name)
}

fn row(kernel: &Kernel, index: usize, argument: &Argument) -> Markup {
    let cells: [String; 6] = match argument.kind {
        ArgumentKind::Scalar { ty, secrecy, min, max, step } => {
            let every = if step == 1 { String::new() } else { format!(", every {step}th") };
            let most = if max >= u64::from(u32::MAX) { "the greatest".to_owned() } else { max.to_string() };
            [
                "number".to_owned() + scalar(ty),
                format!("{min} to {most}{every}"),
                "–".into(),
                secret(secrecy),
                "–".into(),
                "–".into(),
            ]
        }
        ArgumentKind::Buffer { size, access, secrecy, alignment, overlap } => {
            let access = match access {
                Access::Read => "read",
                Access::Write => "written, every byte",
                Access::ReadWrite => "read and written",
            };
            let overlap = match overlap {
                Overlap::Disjoint => "none".to_owned(),
                Overlap::MayEqual(other) => format!("may be {}", name(kernel, other)),
                Overlap::Shared => "any, with buffers that are only read".to_owned(),
            };
            let alignment = if alignment == 1 { "none".to_owned() } else { format!("{alignment} bytes") };
            ["buffer".into(), bytes(kernel, size), access.to_owned(), secret(secrecy), alignment, overlap]
        }
    };
    html! { tr { td { (index) } th scope="row" { code { (argument.name) } } @for cell in cells { td { (cell) } } } }
}

fn scalar(ty: ScalarType) -> &'static str {
    match ty {
        ScalarType::U32 => " of 32 bits",
        ScalarType::U64 => " of 64 bits",
        ScalarType::Usize => " as wide as a pointer",
    }
}

fn secret(secrecy: Secrecy) -> String {
    match secrecy {
        Secrecy::Secret => "secret".to_owned(),
        Secrecy::SecretUpTo(bytes) => format!("the first {bytes} bytes"),
        Secrecy::Public => "public".to_owned(),
    }
}

fn returns(returns: Returns) -> String {
    match returns {
        Returns::Nothing => "nothing".to_owned(),
        Returns::Value(ty, secrecy) => format!("a {} number{}", secret(secrecy), scalar(ty)),
    }
}

fn bytes(kernel: &Kernel, size: Size) -> String {
    let layout = |wanted: &str| {
        let found = kernel.layout.iter().find(|(name, _)| *name == wanted);
        found.map_or_else(|| wanted.to_owned(), |(_, bytes)| bytes.to_string())
    };
    match size {
        Size::Fixed(bytes) => format!("{bytes} bytes"),
        Size::Affine { base: 0, per, argument } => format!("{per} × {} bytes", name(kernel, argument)),
        Size::Affine { base, per, argument } => format!("{per} × {} {base:+} bytes", name(kernel, argument)),
        Size::Layout(wanted) => format!("{} bytes ({wanted} of this kernel)", layout(wanted)),
        Size::LayoutEach { layout: wanted, more: 0, argument } => {
            format!("{} × {} bytes ({wanted} of this kernel)", layout(wanted), name(kernel, argument))
        }
        Size::LayoutEach { layout: wanted, more, argument } => {
            format!("{} × ({} + {more}) bytes ({wanted} of this kernel)", layout(wanted), name(kernel, argument))
        }
    }
}

#[cfg(test)]
mod tests {
    use vambrace::kernels::ALL;

    use super::*;

    #[test]
    fn every_argument_of_every_kernel_is_there_with_its_size_in_numbers() {
        for kernel in ALL.iter().copied().flatten() {
            let page = section(kernel).into_string();
            for argument in kernel.contract.arguments {
                assert!(page.contains(&format!("<code>{}</code>", argument.name)), "{}: {page}", kernel.name);
            }
            // A name that the layout does not have would stand there instead of a number.
            assert!(!page.contains('?') && !page.contains("> ("), "{}: {page}", kernel.name);
            for (wanted, _) in kernel.layout.iter().filter(|(wanted, _)| page.contains(&format!("({wanted} of"))) {
                assert!(!page.contains(&format!(">{wanted} ")), "{}: {wanted}", kernel.name);
            }
        }
    }
}
