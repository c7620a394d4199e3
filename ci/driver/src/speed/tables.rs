//! The figures as Markdown.

use std::fmt::{self, Write};

use vambrace::kernels::Architecture;

use super::cores::Core;
use super::digest::{self, Counts};
use super::kernels::SIZES;
use super::peers::Peers;
use super::predict::{Figure, Prediction};
use super::tool::{Guests, Llvm};

/// A table, and the name of its place in `docs/speed.md`.
pub struct Table {
    /// As `aarch64 predicted`.
    pub place: String,
    /// Markdown.
    pub text: String,
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n\n{}", self.place, self.text)
    }
}

fn table(place: String, heading: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> Table {
    let mut text = format!("| {} |\n|---{}|\n", heading.join(" | "), "|--:".repeat(heading.len() - 1));
    for row in rows {
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
    Table { place, text }
}

/// What stands where there is no figure.
const NONE: &str = "–";

/// For each architecture: the predictions, and how they compare with the best peers.
pub fn predictions(predictions: &[Prediction], peers: &Peers) -> Vec<Table> {
    let mut tables = Vec::new();
    for architecture in Architecture::ALL {
        let rows: Vec<_> = predictions.iter().filter(|row| row.kernel.architecture == architecture).collect();
        if rows.is_empty() {
            continue;
        }
        let cores: Vec<&str> = Core::of(architecture).map(|core| core.title).collect();
        let heading = [&["kernel", "instructions/byte", "instructions, one block"], &*cores].concat();
        let predicted = rows.iter().map(|row| {
            let mut cells = vec![name(row), format!("{:.2}", row.instructions), row.one_block.to_string()];
            cells.extend(row.figures.iter().map(|(_, figure)| cycles(*figure)));
            cells
        });
        tables.push(table(format!("{architecture} predicted"), &heading, predicted));

        let compared = rows.iter().map(|row| {
            let ratios = row.figures.iter().map(|(core, figure)| ratio(row, core, *figure, peers));
            [name(row)].into_iter().chain(ratios).collect()
        });
        tables.push(table(format!("{architecture} peers"), &[&["kernel"], &*cores].concat(), compared));
    }
    tables
}

fn name(row: &Prediction) -> String {
    format!("`{}`", row.kernel.name)
}

fn cycles(figure: Figure) -> String {
    match figure {
        Figure::Cycles { estimate, bound } => format!("{estimate:.2} / {bound:.2}"),
        Figure::NotThere => NONE.to_owned(),
        Figure::NotModelled(lost) => format!("{:.0} % unknown", 100.0 * lost),
    }
}

fn ratio(row: &Prediction, core: &Core, figure: Figure, peers: &Peers) -> String {
    let Figure::Cycles { estimate, .. } = figure else { return NONE.to_owned() };
    match peers.best(row.algorithm, row.kernel.architecture, row.kernel.tier, core) {
        Some(peer) => {
            format!("**{:.2}** {} {:.2} / {:.2}", estimate / peer.estimate, peer.peer, peer.estimate, peer.bound)
        }
        None => "no peer".to_owned(),
    }
}

/// For each architecture: instructions of whole digests.
pub fn digests(counts: &[Counts]) -> Vec<Table> {
    let sizes: Vec<String> = digest::SIZES.iter().map(|size| format!("{size} B")).collect();
    let heading: Vec<&str> = ["instructions"].into_iter().chain(sizes.iter().map(String::as_str)).collect();
    let of = |architecture| {
        let rows = counts.iter().filter(move |row| row.architecture == architecture).map(|row| {
            let counts = row.instructions.iter().map(usize::to_string);
            [row.what.clone()].into_iter().chain(counts).collect()
        });
        table(format!("{architecture} digests"), &heading, rows)
    };
    Architecture::ALL.map(of).into()
}

/// What the figures were made with.
pub fn tools(llvm: &Llvm, guests: &Guests) -> Table {
    let text = format!(
        "LLVM {}, QEMU {}, slope between {} and {} bytes of each message.\n",
        llvm.version,
        guests.qemu_version(),
        SIZES[0],
        SIZES[1]
    );
    Table { place: "tools".to_owned(), text }
}
