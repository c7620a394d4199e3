//! The code of a kernel, as it stands in an ELF file.

use std::ops::Range;

use object::{Object, ObjectSection, ObjectSymbol};
use vambrace_contract::{Architecture, Kernel};

/// The bytes of a kernel, and which of them are instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    bytes: Vec<u8>,
    /// Where literals are, in order.
    literals: Vec<Range<usize>>,
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
}

impl Code {
    /// Code out of bytes, of which some are literals.
    pub fn new(bytes: Vec<u8>, literals: Vec<Range<usize>>) -> Code {
        Code { bytes, literals }
    }

    /// All bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Where literals are.
    pub fn literals(&self) -> &[Range<usize>] {
        &self.literals
    }

    /// The instruction word at an offset, if it is one.
    pub fn instruction(&self, offset: u64) -> Option<u32> {
        let offset = usize::try_from(offset).ok().filter(|offset| offset.is_multiple_of(4))?;
        let word = self.bytes.get(offset..)?.first_chunk()?;
        let literal = self.literals.iter().any(|range| range.start < offset + 4 && range.end > offset);
        (!literal).then(|| u32::from_le_bytes(*word))
    }

    /// Every instruction, with its offset.
    pub fn instructions(&self) -> impl Iterator<Item = (u64, u32)> {
        (0..self.bytes.len() as u64).step_by(4).filter_map(|offset| Some((offset, self.instruction(offset)?)))
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
    file: object::File<'data>,
    architecture: Architecture,
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
        Ok(Code { bytes: data.to_vec(), literals })
    }

    /// Which bytes are literals, by the mapping symbols (ELF for the Arm Architecture, section 5.5.5).
    fn literals(&self, section: object::SectionIndex, address: u64, size: u64) -> Result<Vec<Range<usize>>, CodeError> {
        let here = self.file.symbols().filter(|symbol| symbol.section_index() == Some(section));
        let mut mapping: Vec<(u64, bool, bool)> = here
            .filter_map(|symbol| match symbol.name().ok()?.split('.').next() {
                Some("$a" | "$x") => Some((symbol.address(), true, false)),
                Some("$t") => Some((symbol.address(), true, true)),
                Some("$d") => Some((symbol.address(), false, false)),
                _ => None,
            })
            .collect();
        // Where two stand at one address the last counts, which by this order is code.
        mapping.sort_unstable();
        let mut literals: Vec<Range<usize>> = Vec::new();
        let mut at = address;
        while at < address + size {
            let next = mapping.partition_point(|&(start, ..)| start <= at);
            let (_, code, thumb) =
                *next.checked_sub(1).and_then(|index| mapping.get(index)).ok_or(CodeError::NoMapping(at - address))?;
            if thumb {
                return Err(CodeError::Thumb(at - address));
            }
            let end = mapping.get(next).map_or(address + size, |&(start, ..)| start.min(address + size));
            if !code {
                literals.push((at - address) as usize..(end - address) as usize);
            }
            at = end;
        }
        Ok(literals)
    }
}
