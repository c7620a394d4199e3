//! The cost of a byte in a kernel.

use std::ops::Range;
use std::path::Path;

use vambrace::kernels::{ALL, Architecture, Kernel, Tier};

use super::cores::{Core, Model};
use super::decode::decode;
use super::kernels::Workload;
use super::model::{Cost, Memory, cost};
use super::straight_line::StraightLine;
use super::tool::{self, Guests, Llvm, SpeedError, text};
use super::trace::Guest;
use crate::elf::Elf;

/// What comes out for a kernel.
pub struct Prediction {
    /// The kernel.
    pub kernel: &'static Kernel,
    /// The algorithm as the peers' figures name it.
    pub algorithm: &'static str,
    /// Instructions for one block (of each message), of all kernels that have a part in it.
    pub one_block: usize,
    /// Instructions for each byte.
    pub instructions: f64,
    /// For each core of the architecture.
    pub figures: Vec<(&'static Core, Figure)>,
}

/// Cycles for each byte on a core.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Figure {
    /// As predicted, and as it would be if nothing waited but for an execution unit.
    Cycles {
        /// The prediction.
        estimate: f64,
        /// Its lower bound.
        bound: f64,
    },
    /// The core lacks the instructions.
    NotThere,
    /// Too large a share of the instructions is unknown to the model.
    NotModelled(f64),
}

/// Instructions kept before the part in which the two sizes differ, to fill the pipeline.
const BEFORE: usize = 600;
/// Instructions kept after it, to empty it.
const AFTER: usize = 150;
/// The share of instructions that a model may lack.
const LOST: f64 = 0.01;

/// Runs a kernel for two sizes and predicts the slope.
pub fn kernel(kernel: &'static Kernel, guests: &Guests, llvm: &Llvm) -> Result<Prediction, SpeedError> {
    let workload = Workload::of(kernel)?;
    let program = guests.path(kernel.architecture, "drive");
    let elf = Elf::read(program, kernel.architecture).map_err(SpeedError::Elf)?;
    let range = |kernel: &Kernel| {
        let function = elf.function_at(address(kernel, program, guests)?).map_err(SpeedError::Elf)?;
        Ok(function.address..function.address + function.size)
    };
    let guest = Guest { guests, architecture: kernel.architecture, program };
    let executed_in =
        |bytes, ranges: &[Range<u64>]| guest.trace(&workload.arguments(kernel, bytes), ranges)?.instructions();
    let together = taking_part(kernel).map(range).collect::<Result<Vec<_>, SpeedError>>()?;
    let one_block = executed_in(workload.shortest, &together)?.len();
    let alone = [range(kernel)?];
    let executed = |bytes| executed_in(bytes, &alone);
    let sizes = workload.sizes;
    let [small, large] = [executed(sizes[0])?, executed(sizes[1])?];
    let bytes = ((sizes[1] - sizes[0]) * kernel.lanes) as f64;
    let Some(more) = large.len().checked_sub(small.len()).filter(|more| *more > 0) else {
        let what = format!("{} instructions for {} bytes, {} for {}", small.len(), sizes[0], large.len(), sizes[1]);
        return Err(SpeedError::Kernel { kernel: kernel.name.to_owned(), what });
    };

    let word = |address: &u64| {
        let word = elf.bytes(*address, 4).map_err(SpeedError::Elf)?;
        Ok(word.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte)))
    };
    let code = |executed: &[u64]| executed.iter().map(word).collect::<Result<Vec<u32>, SpeedError>>();
    let [small, large] = differing(&small, &large);
    let (small, large) = (code(small)?, code(large)?);
    let texts = decode(kernel.architecture, large.iter().chain(&small).copied(), llvm)?;
    let straight =
        |words: &[u32]| StraightLine::new(kernel.architecture, words.iter().map(|word| texts[word].as_str()));
    let slope = Slope {
        architecture: kernel.architecture,
        small: straight(&small),
        large: straight(&large),
        bytes,
        chained: workload.chained && kernel.tier == Tier::Ce,
    };
    let figures = slope.figures(kernel, llvm)?;
    Ok(Prediction { kernel, algorithm: workload.algorithm, one_block, instructions: more as f64 / bytes, figures })
}

/// The kernels that may have a part in one block: in XTS mode the tweak is encrypted too, and a data unit of one block may have
/// a kernel of its own.
fn taking_part(kernel: &'static Kernel) -> impl Iterator<Item = &'static Kernel> {
    let of_xts = |kernel: &Kernel| kernel.contract.operation.starts_with("xts_");
    let family = move |other: &&'static Kernel| {
        std::ptr::eq(*other, kernel)
            || (of_xts(kernel)
                && of_xts(other)
                && (other.architecture, other.contract.algorithm) == (kernel.architecture, kernel.contract.algorithm))
    };
    ALL.iter().copied().flatten().filter(family)
}

/// Asks the guest where the kernel lies.
fn address(kernel: &Kernel, program: &Path, guests: &Guests) -> Result<u64, SpeedError> {
    let output = tool::output(guests.qemu(kernel.architecture).arg(program).arg("--kernels"))?;
    let line = text(&output.stdout)
        .lines()
        .find_map(|line| line.strip_prefix(&format!("{} ", kernel.name)).map(str::to_owned));
    let address = line.and_then(|address| u64::from_str_radix(address.strip_prefix("0x")?, 16).ok());
    address.ok_or_else(|| SpeedError::Kernel {
        kernel: kernel.name.to_owned(),
        what: format!("{} does not tell its address", program.display()),
    })
}

/// The parts in which two runs differ, with some of what they share on both sides.
fn differing<'a>(small: &'a [u64], large: &'a [u64]) -> [&'a [u64]; 2] {
    let before = small.iter().zip(large).take_while(|(a, b)| a == b).count();
    let rest = [&small[before..], &large[before..]];
    let after = rest[0].iter().rev().zip(rest[1].iter().rev()).take_while(|(a, b)| a == b).count();
    let first = before.saturating_sub(BEFORE);
    [small, large].map(|run| &run[first..run.len() - after.saturating_sub(AFTER)])
}

/// The same code for two sizes.
struct Slope {
    architecture: Architecture,
    small: StraightLine,
    large: StraightLine,
    bytes: f64,
    /// Whether a block waits for the state that the block before stored.
    chained: bool,
}

impl Slope {
    fn figures(&self, kernel: &Kernel, llvm: &Llvm) -> Result<Vec<(&'static Core, Figure)>, SpeedError> {
        use rayon::prelude::*;

        let fused = [self.small.fused(), self.large.fused()];
        let cores: Vec<_> = Core::of(self.architecture).collect();
        cores
            .into_par_iter()
            .map(|core| {
                let there = kernel.features.iter().all(|feature| core.features.contains(feature));
                let figure = if there { self.figure(core, &fused, llvm)? } else { Figure::NotThere };
                Ok((core, figure))
            })
            .collect()
    }

    fn figure(&self, core: &Core, fused: &[StraightLine; 2], llvm: &Llvm) -> Result<Figure, SpeedError> {
        if core.model == Model::IssueSlots {
            let slots = (self.large.issue_slots() - self.small.issue_slots()) as f64 / self.bytes;
            return Ok(Figure::Cycles { estimate: slots, bound: slots });
        }
        let per_byte = |small: &StraightLine, large: &StraightLine, memory| {
            let [small, large] = [cost(core, &small.lines, memory, llvm)?, cost(core, &large.lines, memory, llvm)?];
            let slope = |from: f64, to: f64| (to - from) / self.bytes;
            let (cycles, bound) = (slope(small.cycles, large.cycles), slope(small.bound, large.bound));
            Ok::<_, SpeedError>(Cost { cycles, bound, lost: large.lost })
        };
        let plain = per_byte(&self.small, &self.large, Memory::Independent)?;
        if plain.lost > LOST {
            return Ok(Figure::NotModelled(plain.lost));
        }
        let pairs = fused[1].lines.len() != self.large.lines.len();
        let fused = if pairs { per_byte(&fused[0], &fused[1], Memory::Independent)? } else { plain };
        let estimate = match core.model {
            // The model waits too long for results, its bound not at all.
            Model::InOrder => (fused.cycles * fused.bound).sqrt(),
            // Between a core that fuses every pair and one that fuses none.
            _ if pairs => (plain.cycles * fused.cycles).sqrt(),
            Model::OutOfOrder if self.chained => per_byte(&self.small, &self.large, Memory::Dependent)?.cycles,
            _ => plain.cycles,
        };
        Ok(Figure::Cycles { estimate, bound: fused.bound })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_both_runs_share_is_cut_off_but_for_some_context() {
        let shared_start: Vec<u64> = (0..1000).collect();
        let body: Vec<u64> = (5000..5010).collect();
        let shared_end: Vec<u64> = (9000..9400).collect();
        let run = |times: usize| [shared_start.clone(), body.repeat(times), shared_end.clone()].concat();
        let (small, large) = (run(1), run(3));
        let [small, large] = differing(&small, &large);
        assert_eq!(large.len() - small.len(), 2 * body.len());
        assert_eq!(small.len(), BEFORE + AFTER);
        assert_eq!(small.last(), Some(&9149));
        // One turn of the loop is in the shared start.
        assert_eq!(small[0], 410);
    }
}
