//! Memory as a kernel may see it: disjoint regions, each with a base address that is a variable of its own.
//!
//! An address is a base and a constant. Everything else is refused: an address that depends on a secret, on more than one
//! base or on a number that is not known, and an address that no argument gave.

use std::collections::BTreeMap;
use std::fmt;

use vambrace_contract::Access;

use crate::code::{Code, Table};
use crate::conditions::{Count, with_known_count};
use crate::terms::{Leaf, Term, Terms};

/// Which region of a [`Memory`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RegionId(pub usize);

/// How far a region goes behind its base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// To a fixed offset.
    Fixed(i64),
    /// For each of as many units as are left, so many bytes.
    PerUnit(i64),
}

/// What kind of memory it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An argument of the kernel.
    Argument(Access),
    /// What lies above the stack pointer at entry: arguments.
    StackArguments,
    /// The kernel's frame.
    Stack,
    /// The kernel itself; its literals may be read.
    Code,
    /// Constants outside of the code, and variables of the program that the kernel reads.
    Table,
}

/// A region.
#[derive(Clone, Debug)]
pub struct Region {
    /// Its name, for messages.
    pub name: String,
    /// Its base address.
    pub base: Leaf,
    /// What kind of memory it is.
    pub kind: Kind,
    /// The offset of its first byte.
    pub low: i64,
    /// Where it ends.
    pub high: Extent,
    /// What it holds, by offset, not overlapping.
    cells: BTreeMap<i64, Cell>,
}

/// What a region holds somewhere.
#[derive(Clone, Copy, Debug)]
struct Cell {
    value: Term,
    bytes: u32,
    /// The offset of the instruction that wrote it, if one did.
    wrote: Option<u64>,
}

impl Cell {
    /// The end of a cell that begins there.
    fn end(self, at: i64) -> i64 {
        at + i64::from(self.bytes)
    }
}

impl Region {
    /// A region of which nothing is known yet.
    pub fn new(name: impl Into<String>, base: Leaf, kind: Kind, low: i64, high: Extent) -> Region {
        Region { name: name.into(), base, kind, low, high, cells: BTreeMap::new() }
    }

    /// What the region holds: offset, value, bytes.
    pub fn cells(&self) -> impl Iterator<Item = (i64, Term, u32)> {
        self.cells.iter().map(|(&offset, &Cell { value, bytes, .. })| (offset, value, bytes))
    }

    /// The offset of the instruction that wrote the byte there.
    pub fn wrote(&self, offset: i64) -> Option<u64> {
        let (&at, cell) = self.cells.range(..=offset).next_back()?;
        cell.wrote.filter(|_| cell.end(at) > offset)
    }

    /// The literals of a kernel.
    pub fn code(terms: &mut Terms, base: Leaf, code: &Code) -> Region {
        let mut region = Region::new("code", base, Kind::Code, 0, Extent::Fixed(code.bytes().len() as i64));
        for range in code.literals() {
            region.hold(terms, range.start as i64, &code.bytes()[range.clone()]);
        }
        region
    }

    /// A table.
    pub fn table(terms: &mut Terms, base: Leaf, table: &Table) -> Region {
        let end = Extent::Fixed(table.bytes.len() as i64);
        let mut region = Region::new(&table.name, base, Kind::Table, 0, end);
        region.hold(terms, 0, &table.bytes);
        region
    }

    /// Puts bytes where nothing is yet, in pieces of 8, as loads mostly take them.
    fn hold(&mut self, terms: &mut Terms, offset: i64, bytes: &[u8]) {
        for (at, piece) in (offset..).step_by(8).zip(bytes.chunks(8)) {
            let value = piece.iter().rev().fold(0, |value, &byte| value << 8 | u128::from(byte));
            let value = terms.constant(value);
            self.cells.insert(at, Cell { value, bytes: piece.len() as u32, wrote: None });
        }
    }

    /// Forgets some bytes.
    pub fn remove(&mut self, terms: &mut Terms, offset: i64, bytes: u32) {
        self.clear(terms, offset, bytes);
    }

    /// Forgets what the region holds.
    pub fn forget(&mut self) {
        self.cells.clear();
    }

    /// Puts a value there, whatever the kind of region allows.
    pub fn put(&mut self, terms: &mut Terms, offset: i64, value: Term, bytes: u32) {
        self.clear(terms, offset, bytes);
        self.cells.insert(offset, Cell { value, bytes, wrote: terms.executed() });
    }

    /// Cuts out what is there.
    fn clear(&mut self, terms: &mut Terms, offset: i64, bytes: u32) {
        let end = offset + i64::from(bytes);
        // No cell is longer than 16 bytes.
        let overlapping: Vec<(i64, Cell)> = self
            .cells
            .range(offset - 16..end)
            .filter(|&(&at, cell)| cell.end(at) > offset)
            .map(|(&at, &cell)| (at, cell))
            .collect();
        for (at, cell) in overlapping {
            self.cells.remove(&at);
            if at < offset {
                let bytes = (offset - at) as u32;
                let value = terms.extract(cell.value, 0, bytes * 8);
                self.cells.insert(at, Cell { value, bytes, ..cell });
            }
            if cell.end(at) > end {
                let bytes = (cell.end(at) - end) as u32;
                let value = terms.extract(cell.value, (end - at) as u32 * 8, bytes * 8);
                self.cells.insert(end, Cell { value, bytes, ..cell });
            }
        }
    }

    /// Gives names to bytes of which nothing is known.
    fn fill(&mut self, terms: &mut Terms, offset: i64, bytes: u32) {
        while let Err(missing) = self.get(terms, offset, bytes) {
            let unit = missing & !7;
            let free = self.cells.range(unit - 15..unit + 8).all(|(&at, cell)| cell.end(at) <= unit);
            let (at, bytes) = if free { (unit, 8) } else { (missing, 1) };
            let value = terms.variable(format!("what was at {}{}", self.name, Offset(at)), bytes * 8, false);
            self.cells.insert(at, Cell { value, bytes, wrote: None });
        }
    }

    /// The value there; the first offset that holds nothing, if one does.
    ///
    /// # Errors
    /// The offset of a byte of which nothing is known.
    pub fn get(&self, terms: &mut Terms, offset: i64, bytes: u32) -> Result<Term, i64> {
        if let Some(cell) = self.cells.get(&offset)
            && cell.bytes == bytes
        {
            return Ok(cell.value);
        }
        let (mut parts, mut at, end) = (Vec::new(), offset, offset + i64::from(bytes));
        while at < end {
            let (&start, cell) =
                self.cells.range(..=at).next_back().filter(|&(&start, cell)| cell.end(start) > at).ok_or(at)?;
            let taken = cell.end(start).min(end) - at;
            parts.push((terms.extract(cell.value, (at - start) as u32 * 8, taken as u32 * 8), taken as u32 * 8));
            at += taken;
        }
        Ok(terms.concat(&parts))
    }
}

/// Why an access is not allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum MemoryError {
    #[error("its address depends on a secret: {0}")]
    SecretAddress(String),
    #[error("its address is no argument with a known offset: {0}")]
    UnknownAddress(String),
    #[error("it reads {bytes} bytes at {region}{offset}, of which the contract grants {low} to {high}")]
    ReadOutside { region: String, offset: Offset, bytes: u32, low: Offset, high: Offset },
    #[error("it writes {bytes} bytes at {region}{offset}, of which the contract grants {low} to {high}")]
    WriteOutside { region: String, offset: Offset, bytes: u32, low: Offset, high: Offset },
    #[error("it accesses {bytes} bytes at {region}{offset}, below the stack pointer at {pointer}")]
    BelowStackPointer { region: String, offset: Offset, bytes: u32, pointer: Offset },
    #[error("it writes to {region}{offset}, which the contract lets it only read")]
    ReadOnly { region: String, offset: Offset },
    #[error("it writes to its own code at {offset}")]
    OwnCode { offset: Offset },
    #[error("it reads {bytes} bytes at {offset} of the kernel, which are not all literals of its own")]
    NoLiteral { offset: Offset, bytes: u32 },
    #[error("it reads {region}{offset}, where nothing was written before")]
    NothingThere { region: String, offset: Offset },
}

/// An offset with its sign, in hexadecimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offset(pub i64);

impl fmt::Display for Offset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:#x}", if self.0 < 0 { '-' } else { '+' }, self.0.unsigned_abs())
    }
}

/// All regions.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    regions: Vec<Region>,
    /// How many units are left at least, for regions that have so many bytes for each.
    pub units: u64,
}

impl Memory {
    /// Adds a region.
    pub fn add(&mut self, region: Region) -> RegionId {
        self.regions.push(region);
        RegionId(self.regions.len() - 1)
    }

    /// A region.
    pub fn region(&self, id: RegionId) -> &Region {
        &self.regions[id.0]
    }

    /// A region, to change.
    pub fn region_mut(&mut self, id: RegionId) -> &mut Region {
        &mut self.regions[id.0]
    }

    /// All regions.
    pub fn regions(&self) -> impl Iterator<Item = (RegionId, &Region)> {
        self.regions.iter().enumerate().map(|(index, region)| (RegionId(index), region))
    }

    /// The region and offset that an address is.
    ///
    /// # Errors
    /// If it is none.
    pub fn resolve(
        &self,
        terms: &mut Terms,
        address: Term,
        width: u32,
        count: Option<Count>,
    ) -> Result<(RegionId, i64), MemoryError> {
        if terms.is_secret(address) {
            return Err(MemoryError::SecretAddress(terms.write(address)));
        }
        let address = with_known_count(terms, address, count);
        let unknown = || MemoryError::UnknownAddress(terms.write(address));
        let (base, offset) = terms.as_offset(address, width).ok_or_else(unknown)?;
        let base = base.ok_or_else(unknown)?;
        let offset = i64::try_from(offset).map_err(|_| unknown())?;
        // The stack and what lies above it have one base.
        let elsewhere = |kind| match kind {
            Kind::StackArguments => offset < 0,
            Kind::Stack => offset >= 0,
            _ => false,
        };
        let at_base = self.regions().filter(|(_, region)| region.base == base);
        let (id, _) = at_base.min_by_key(|(_, region)| elsewhere(region.kind)).ok_or_else(unknown)?;
        Ok((id, offset))
    }

    fn end(&self, region: &Region) -> i64 {
        match region.high {
            Extent::Fixed(end) => end,
            Extent::PerUnit(bytes) => bytes.saturating_mul(i64::try_from(self.units).unwrap_or(i64::MAX)),
        }
    }

    fn check_stack(&self, region: &Region, offset: i64, bytes: u32, pointer: i64) -> Result<(), MemoryError> {
        if region.kind == Kind::Stack && offset < pointer {
            return Err(MemoryError::BelowStackPointer {
                region: region.name.clone(),
                offset: Offset(offset),
                bytes,
                pointer: Offset(pointer),
            });
        }
        Ok(())
    }

    /// Reads. `pointer` is the offset of the stack pointer from where it was at entry.
    ///
    /// # Errors
    /// If that is not granted.
    pub fn load(
        &mut self,
        terms: &mut Terms,
        at: (RegionId, i64),
        bytes: u32,
        pointer: i64,
    ) -> Result<Term, MemoryError> {
        let (id, offset) = at;
        let region = self.region(id);
        let (low, high) = (region.low, self.end(region));
        let name = region.name.clone();
        let name = || name.clone();
        if region.kind != Kind::Code && (offset < low || offset.saturating_add(bytes.into()) > high) {
            return Err(MemoryError::ReadOutside {
                region: name(),
                offset: Offset(offset),
                bytes,
                low: Offset(low),
                high: Offset(high),
            });
        }
        self.check_stack(region, offset, bytes, pointer)?;
        let region = &mut self.regions[id.0];
        if region.kind == Kind::Stack {
            region.fill(terms, offset, bytes);
        }
        region.get(terms, offset, bytes).map_err(|missing| match region.kind {
            Kind::Code => MemoryError::NoLiteral { offset: Offset(offset), bytes },
            _ => MemoryError::NothingThere { region: name(), offset: Offset(missing) },
        })
    }

    /// Writes.
    ///
    /// # Errors
    /// If that is not granted.
    pub fn store(
        &mut self,
        terms: &mut Terms,
        at: (RegionId, i64),
        value: Term,
        bytes: u32,
        pointer: i64,
    ) -> Result<(), MemoryError> {
        let (id, offset) = at;
        let region = self.region(id);
        let (low, high) = (region.low, self.end(region));
        let name = || region.name.clone();
        match region.kind {
            Kind::Code => return Err(MemoryError::OwnCode { offset: Offset(offset) }),
            Kind::StackArguments | Kind::Table => {
                return Err(MemoryError::ReadOnly { region: name(), offset: Offset(offset) });
            }
            Kind::Argument(access) if !access.writes() => {
                return Err(MemoryError::ReadOnly { region: name(), offset: Offset(offset) });
            }
            Kind::Argument(_) | Kind::Stack => {}
        }
        if offset < low || offset.saturating_add(bytes.into()) > high {
            return Err(MemoryError::WriteOutside {
                region: name(),
                offset: Offset(offset),
                bytes,
                low: Offset(low),
                high: Offset(high),
            });
        }
        self.check_stack(region, offset, bytes, pointer)?;
        self.regions[id.0].put(terms, offset, value, bytes);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(terms: &mut Terms, kind: Kind, low: i64, high: Extent) -> Region {
        let base = terms.variable("base", 64, false);
        Region::new("buffer", terms.as_leaf(base).unwrap(), kind, low, high)
    }

    #[test]
    fn bytes_are_put_together_from_what_was_stored() {
        let mut terms = Terms::new(Default::default());
        let mut buffer = region(&mut terms, Kind::Argument(Access::ReadWrite), 0, Extent::Fixed(32));
        let wide = terms.constant(0x0f0e_0d0c_0b0a_0908_0706_0504_0302_0100);
        buffer.put(&mut terms, 0, wide, 16);
        let inner = terms.constant(0xeeff);
        buffer.put(&mut terms, 5, inner, 2);
        let found = buffer.get(&mut terms, 4, 4).unwrap();
        assert_eq!(terms.value(found), Some(0x07ee_ff04));
        let found = buffer.get(&mut terms, 8, 8).unwrap();
        assert_eq!(terms.value(found), Some(0x0f0e_0d0c_0b0a_0908));
        assert_eq!(buffer.get(&mut terms, 14, 4), Err(16));
    }

    #[test]
    fn a_buffer_for_each_unit_ends_with_the_units_that_are_left() {
        let mut terms = Terms::new(Default::default());
        let mut buffer = region(&mut terms, Kind::Argument(Access::Read), 0, Extent::PerUnit(16));
        let value = terms.constant(1);
        buffer.put(&mut terms, 0, value, 16);
        buffer.put(&mut terms, 16, value, 16);
        let base = buffer.base;
        let mut memory = Memory::default();
        let id = memory.add(buffer);
        memory.units = 1;
        assert_eq!(memory.load(&mut terms, (id, 0), 16, 0), Ok(value));
        assert!(matches!(memory.load(&mut terms, (id, 8), 16, 0), Err(MemoryError::ReadOutside { .. })));
        memory.units = 2;
        assert!(memory.load(&mut terms, (id, 8), 16, 0).is_ok());
        let address = terms.window(base);
        assert_eq!(memory.resolve(&mut terms, address, 64, None), Ok((id, 0)));
        assert_eq!(Offset(-16).to_string(), "-0x10");
    }
}
