//! The figures as Markdown.

use std::fmt::{self, Write};

use vambrace::kernels::Architecture;

use super::cores::Core;
use super::count::Counts;
use super::kernels::{BLAKE2B_SIZES, SIZES};
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
        let heading = [&["kernel"], &*cores].concat();
        tables.push(table(format!("{architecture} peers"), &heading, compared));

        let several = rows.iter().filter(|row| row.kernel.lanes > 1).map(|row| {
            let gains = (0..row.figures.len()).map(|column| gain(row, &rows, column));
            [name(row)].into_iter().chain(gains).collect()
        });
        tables.push(table(format!("{architecture} several"), &heading, several));
    }
    tables
}

/// How the throughput of a kernel for several messages compares with that of the fastest kernel for one on the same core.
fn gain(row: &Prediction, rows: &[&Prediction], column: usize) -> String {
    let cycles = |row: &Prediction| match row.figures[column].1 {
        Figure::Cycles { estimate, .. } => Some(estimate),
        Figure::NotThere | Figure::NotModelled(_) => None,
    };
    let one = rows.iter().filter(|other| other.algorithm == row.algorithm && other.kernel.lanes == 1);
    let one = one.filter_map(|other| Some((cycles(other)?, other.kernel.name))).min_by(|a, b| a.0.total_cmp(&b.0));
    match cycles(row).zip(one) {
        Some((together, (alone, kernel))) => format!("**{:.2}** `{kernel}` {alone:.2}", alone / together),
        None => NONE.to_owned(),
    }
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
        Some((class, peer)) => {
            let class = if class == row.kernel.tier.name() { String::new() } else { format!(" ({class})") };
            let ratio = estimate / peer.estimate;
            format!("**{ratio:.2}** {}{class} {:.2} / {:.2}", peer.peer, peer.estimate, peer.bound)
        }
        None => "no peer".to_owned(),
    }
}

/// Instructions of whole digests and calls, the rows of each table together.
pub fn counts(counts: &[Counts]) -> Vec<Table> {
    let of = |counts: &[Counts]| {
        let sizes: Vec<String> = counts[0].instructions.iter().map(|(size, _)| format!("{size} B")).collect();
        let heading: Vec<&str> = ["instructions"].into_iter().chain(sizes.iter().map(String::as_str)).collect();
        let rows = counts.iter().map(|row| {
            let counts = row.instructions.iter().map(|(_, count)| count.to_string());
            [row.what.clone()].into_iter().chain(counts).collect()
        });
        table(counts[0].place.clone(), &heading, rows)
    };
    counts.chunk_by(|a, b| a.place == b.place).map(of).collect()
}

/// What the figures were made with.
pub fn tools(llvm: &Llvm, guests: &Guests) -> Table {
    let (version, qemu) = (&llvm.version, guests.qemu_version());
    let [[small, large], [small_2b, large_2b]] = [SIZES, BLAKE2B_SIZES];
    let text = format!(
        "LLVM {version}, QEMU {qemu}, slope between {small} and {large} bytes of each message (BLAKE2b: {small_2b} and \
         {large_2b}).\n"
    );
    Table { place: "tools".to_owned(), text }
}
