//! The code of a kernel, as it stands in an ELF file.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use object::{Object, ObjectSection, ObjectSymbol};
use vambrace_contract::{Architecture, Kernel};

use crate::t32;

/// The bytes of a kernel, or of the section that it is in, and which of them are instructions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code {
    pub(crate) bytes: Vec<u8>,
    /// Where literals are, in order.
    pub(crate) literals: Vec<Range<usize>>,
    /// What is neither, or instructions of another set.
    pub(crate) foreign: Vec<Range<usize>>,
    /// Where the kernel begins.
    pub(crate) entry: u64,
    /// Whether the instructions are those of T32.
    pub(crate) thumb: bool,
    /// Whether some instructions are marked as literals.
    pub(crate) instructions_as_data: bool,
    /// The address of the first byte, where that is known but for whole pages.
    pub(crate) address: Option<u64>,
    /// What the linker puts there, by offset; or why that is not known.
    pub(crate) references: BTreeMap<u64, Result<Reference, String>>,
    /// What is read beside arguments and literals.
    pub(crate) tables: Vec<Table>,
    pub(crate) executed: Executed,
}

/// Which instructions were executed so far, of this code or a clone of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Executed(Arc<Mutex<BTreeSet<u64>>>);

impl PartialEq for Executed {
    /// It is no part of what code is.
    fn eq(&self, _: &Executed) -> bool {
        true
    }
}

impl Eq for Executed {}

/// An address that the linker puts into an instruction or a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Which part of it.
    pub form: Form,
    /// Of which table; of the code itself if of none.
    pub table: Option<usize>,
    /// So many bytes behind its beginning.
    pub addend: i64,
}

/// What an instruction or a literal has of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The page of 4096 bytes, for ADRP.
    Page,
    /// The place in the page, for ADD, or for an access of so many bytes.
    InPage(Option<u32>),
    /// A word that is the address.
    Word,
    /// A word that is the distance of the address from the word itself.
    Distance,
}

/// Something outside of the code that it reads: constants of the object, or a variable of the program with a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub bytes: Vec<u8>,
    /// Whether it is a variable of the program, and this one of the values that it may have.
    pub variable: bool,
}

/// Why there is no code to prove.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum CodeError {
    #[error("no ELF file: {0}")]
    Elf(String),
    #[error("the file is for {found}, not for {wanted}")]
    Architecture { found: String, wanted: Architecture },
    #[error("no function symbol with a size has {0} in its name")]
    Missing(String),
    #[error("{count} function symbols have {name} in their names")]
    Ambiguous { name: String, count: usize },
    #[error("{0} is in no section of code")]
    NoSection(String),
    #[error("the kernel has a relocation at offset {0:#x}: what stands there is known only after linking")]
    Relocation(u64),
    #[error("no mapping symbol tells whether offset {0:#x} is code")]
    NoMapping(u64),
    #[error("there is Thumb code at offset {0:#x}")]
    Thumb(u64),
    #[error("no function {wanted} is defined in the file; {there}")]
    NoFunction { wanted: String, there: String },
    #[error("{0}")]
    Variable(String),
}

impl Code {
    /// Code out of bytes, of which some are literals.
    pub fn new(bytes: Vec<u8>, literals: Vec<Range<usize>>) -> Code {
        Code { bytes, literals, ..Code::default() }
    }

    /// The same code with instructions of T32.
    pub fn of_thumb(mut self) -> Code {
        self.thumb = true;
        self
    }

    /// The same code where some instructions are marked as literals, as those are that an assembler was given as bytes.
    pub fn with_instructions_as_data(mut self) -> Code {
        self.instructions_as_data = true;
        self
    }

    /// Whether the instructions are those of T32.
    pub fn is_thumb(&self) -> bool {
        self.thumb
    }

    /// The same code where its address is known but for whole pages.
    pub fn at(mut self, address: u64) -> Code {
        self.address = Some(address);
        self
    }

    /// The address of the first byte, where that is known but for whole pages.
    pub fn address(&self) -> Option<u64> {
        self.address
    }

    /// Where the kernel begins.
    pub fn entry(&self) -> u64 {
        self.entry
    }

    /// All bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Where literals are.
    pub fn literals(&self) -> &[Range<usize>] {
        &self.literals
    }

    /// Whether bytes are all literals.
    pub(crate) fn is_literal(&self, offset: u64, bytes: u64) -> bool {
        let (start, end) = (offset as usize, (offset + bytes) as usize);
        self.literals.iter().any(|range| range.start <= start && end <= range.end)
    }

    /// The instruction word at an offset, to be executed.
    pub fn fetch(&self, offset: u64) -> Option<u32> {
        let word = self.instruction(offset)?;
        self.executed.0.lock().unwrap_or_else(PoisonError::into_inner).insert(offset);
        Some(word)
    }

    /// The offsets of the instructions that were executed, in order.
    pub fn executed(&self) -> Vec<u64> {
        self.executed.0.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect()
    }

    /// All bytes, and behind them those of the tables of constants.
    pub fn with_constants(&self) -> Vec<u8> {
        let tables = self.tables.iter().filter(|table| !table.variable).flat_map(|table| &table.bytes);
        self.bytes.iter().chain(tables).copied().collect()
    }

    /// The instruction at an offset, if it is one: a word, or in T32 a halfword, or two of which the first is the upper.
    pub fn instruction(&self, offset: u64) -> Option<u32> {
        let unit = if self.thumb { 2 } else { 4 };
        let offset = usize::try_from(offset).ok().filter(|offset| offset.is_multiple_of(unit))?;
        let rest = self.bytes.get(offset..)?;
        let (word, bytes) = if self.thumb {
            let half = |at: usize| Some(u16::from_le_bytes(*rest.get(at..)?.first_chunk()?));
            match half(0)? {
                first if t32::decode::length(first) == 4 => (u32::from(first) << 16 | u32::from(half(2)?), 4),
                only => (only.into(), 2),
            }
        } else {
            (u32::from_le_bytes(*rest.first_chunk()?), 4)
        };
        let literals: &[_] = if self.instructions_as_data { &[] } else { &self.literals };
        let mut others = literals.iter().chain(&self.foreign);
        let other = others.any(|range| range.start < offset + bytes && range.end > offset);
        (!other).then_some(word)
    }

    /// Every instruction, with its offset.
    pub fn instructions(&self) -> impl Iterator<Item = (u64, u32)> {
        let mut next = 0;
        std::iter::from_fn(move || {
            while next < self.bytes.len() as u64 {
                let (at, found) = (next, self.instruction(next));
                let bytes = match found {
                    Some(0x1_0000..) => 4,
                    _ if self.thumb => 2,
                    _ => 4,
                };
                next += bytes;
                if let Some(word) = found {
                    return Some((at, word));
                }
            }
            None
        })
    }

    /// The same code with one bit changed.
    pub fn with_bit_changed(&self, bit: usize) -> Code {
        let mut code = self.clone();
        code.bytes[bit / 8] ^= 1 << (bit % 8);
        code
    }
}

/// An ELF file that was read.
pub struct ElfFile<'data> {
    pub(crate) file: object::File<'data>,
    pub(crate) architecture: Architecture,
}

impl<'data> ElfFile<'data> {
    /// Reads a file for an architecture.
    ///
    /// # Errors
    /// If it is none.
    pub fn parse(data: &'data [u8], architecture: Architecture) -> Result<ElfFile<'data>, CodeError> {
        let file = object::File::parse(data).map_err(|error| CodeError::Elf(error.to_string()))?;
        let found = match file.architecture() {
            object::Architecture::Aarch64 => Some(Architecture::Aarch64),
            object::Architecture::Arm => Some(Architecture::Arm),
            _ => None,
        };
        if found != Some(architecture) || !file.is_little_endian() {
            let found = format!("{:?}", file.architecture());
            return Err(CodeError::Architecture { found, wanted: architecture });
        }
        Ok(ElfFile { file, architecture })
    }

    /// The code of a kernel of this library, by its mangled name.
    ///
    /// # Errors
    /// If it is not there, or not to be proved as it stands there.
    pub fn kernel(&self, kernel: &Kernel) -> Result<Code, CodeError> {
        let algorithm = kernel.contract.algorithm;
        let module = algorithm.strip_suffix("-xts").unwrap_or(algorithm);
        let routine = format!("{}_{}", self.architecture, kernel.variant);
        let path = ["vambrace", module, "kernels", &routine, "entry"];
        self.function(&path.map(|part| format!("{}{part}", part.len())).concat())
    }

    /// The code of the one function whose name has this part.
    ///
    /// # Errors
    /// As [`kernel`](Self::kernel).
    pub fn function(&self, name: &str) -> Result<Code, CodeError> {
        let found: Vec<_> = self
            .file
            .symbols()
            .filter(|symbol| symbol.kind() == object::SymbolKind::Text && symbol.size() > 0)
            .filter(|symbol| symbol.name().is_ok_and(|found| found.contains(name)))
            .collect();
        let symbol = match &*found {
            [] => return Err(CodeError::Missing(name.to_owned())),
            [symbol] => symbol,
            more => return Err(CodeError::Ambiguous { name: name.to_owned(), count: more.len() }),
        };
        let (address, size) = (symbol.address() & !1, symbol.size());
        let no_section = || CodeError::NoSection(name.to_owned());
        let section = symbol.section_index().and_then(|index| self.file.section_by_index(index).ok());
        let section = section.ok_or_else(no_section)?;
        // Addresses of an object file count from the beginning of the section.
        let range = address..address + size;
        if let Some((at, _)) = section.relocations().find(|(at, _)| range.contains(at)) {
            return Err(CodeError::Relocation(at - address));
        }
        let data = section.data_range(address, size).ok().flatten().ok_or_else(no_section)?;
        let literals = self.literals(section.index(), address, size)?;
        Ok(Code::new(data.to_vec(), literals))
    }

    /// Which bytes are literals, by the mapping symbols (ELF for the Arm Architecture, section 5.5.5).
    fn literals(&self, section: object::SectionIndex, address: u64, size: u64) -> Result<Vec<Range<usize>>, CodeError> {
        let mapping = self.mapping(section);
        let mut literals: Vec<Range<usize>> = Vec::new();
        let mut at = address;
        while at < address + size {
            let next = mapping.partition_point(|&(start, ..)| start <= at);
            let (_, content) =
                *next.checked_sub(1).and_then(|index| mapping.get(index)).ok_or(CodeError::NoMapping(at - address))?;
            if content == Content::Thumb {
                return Err(CodeError::Thumb(at - address));
            }
            let end = mapping.get(next).map_or(address + size, |&(start, ..)| start.min(address + size));
            if content == Content::Literals {
                literals.push((at - address) as usize..(end - address) as usize);
            }
            at = end;
        }
        Ok(literals)
    }

    /// Where code and literals begin, in order. Where two begin at one address the last counts, which is code.
    pub(crate) fn mapping(&self, section: object::SectionIndex) -> Vec<(u64, Content)> {
        let here = self.file.symbols().filter(|symbol| symbol.section_index() == Some(section));
        let mut mapping: Vec<(u64, Content)> = here
            .filter_map(|symbol| match symbol.name().ok()?.split('.').next() {
                Some("$a" | "$x") => Some((symbol.address(), Content::Words)),
                Some("$t") => Some((symbol.address(), Content::Thumb)),
                Some("$d") => Some((symbol.address(), Content::Literals)),
                _ => None,
            })
            .collect();
        mapping.sort_unstable();
        mapping
    }
}

/// What lies behind a mapping symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Content {
    Literals,
    /// A64 or A32 instructions.
    Words,
    /// T32 instructions.
    Thumb,
}
