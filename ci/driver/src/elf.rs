//! The ELF files that guests are started from: statically linked, so that addresses in the file are addresses in memory.

use std::fs;
use std::path::Path;

use object::{Object, ObjectSection, ObjectSymbol};
use vambrace::kernels::Architecture;

/// The code of a file, and what its symbols say of it.
#[derive(Debug)]
pub struct Elf {
    name: String,
    architecture: Architecture,
    functions: Vec<Function>,
    /// Where code and literals begin, by address.
    mapping: Vec<(u64, Content)>,
    sections: Vec<(u64, Vec<u8>)>,
}

/// A function symbol that has a size.
#[derive(Debug)]
pub struct Function {
    /// Its name, as mangled.
    pub name: String,
    /// Where it starts; bit 0 marks Thumb.
    pub address: u64,
    /// Bytes.
    pub size: u64,
}

/// What lies at an address, by the mapping symbols (ELF for the Arm Architecture, section 5.5.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Content {
    // First, so that code counts where two mapping symbols share an address: code taken for a literal would go unseen.
    /// Literals.
    Data,
    /// A32 instructions.
    A32,
    /// T32 instructions.
    Thumb,
    /// A64 instructions.
    A64,
}

impl Elf {
    /// Reads a file.
    ///
    /// # Errors
    /// What cannot be read, with the file's name.
    pub fn read(path: &Path, architecture: Architecture) -> Result<Elf, String> {
        let name = path.display().to_string();
        let bytes = fs::read(path).map_err(|error| format!("{name}: {error}"))?;
        Elf::parse(name, &bytes, architecture)
    }

    pub(crate) fn parse(name: String, bytes: &[u8], architecture: Architecture) -> Result<Elf, String> {
        let file = object::File::parse(bytes).map_err(|error| format!("{name}: {error}"))?;
        let machine = match file.architecture() {
            object::Architecture::Aarch64 => Some(Architecture::Aarch64),
            object::Architecture::Arm => Some(Architecture::Arm),
            _ => None,
        };
        if machine != Some(architecture) || !file.is_little_endian() {
            return Err(format!("{name} is no little-endian {architecture} file, but {:?}", file.architecture()));
        }
        // Sections of debug information have mapping symbols too, at addresses that count from 0.
        let code: Vec<_> = file.sections().filter(|section| section.kind() == object::SectionKind::Text).collect();
        let is_code = |index| code.iter().any(|section| section.index() == index);
        let (mut functions, mut mapping) = (Vec::new(), Vec::new());
        for symbol in file.symbols().filter(|symbol| symbol.section_index().is_some_and(is_code)) {
            let symbol_name = symbol.name().unwrap_or_default();
            let content = match symbol_name.split('.').next() {
                Some("$a") => Some(Content::A32),
                Some("$t") => Some(Content::Thumb),
                Some("$x") => Some(Content::A64),
                Some("$d") => Some(Content::Data),
                _ => None,
            };
            let (address, size) = (symbol.address(), symbol.size());
            match content {
                Some(content) => mapping.push((address, content)),
                None if symbol.kind() == object::SymbolKind::Text && size > 0 => {
                    functions.push(Function { name: symbol_name.to_owned(), address, size });
                }
                None => {}
            }
        }
        mapping.sort_unstable();
        let sections = code.iter().map(|section| {
            let data = section.data().map_err(|error| format!("{name}: {error}"))?;
            Ok((section.address(), data.to_vec()))
        });
        let sections = sections.collect::<Result<_, String>>()?;
        Ok(Elf { name, architecture, functions, mapping, sections })
    }

    /// What to call the file in a message.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the file is for.
    pub fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// The function that starts at an address.
    ///
    /// # Errors
    /// If there is none, or none whose size is known.
    pub fn function_at(&self, address: u64) -> Result<&Function, String> {
        self.functions
            .iter()
            .find(|function| function.address == address)
            .ok_or_else(|| format!("{} has no function symbol with a size at {address:#x}", self.name))
    }

    /// The function of a name.
    ///
    /// # Errors
    /// As [`function_at`](Self::function_at).
    pub fn function(&self, name: &str) -> Result<&Function, String> {
        self.functions
            .iter()
            .find(|function| function.name == name)
            .ok_or_else(|| format!("{} has no function symbol {name} with a size", self.name))
    }

    /// Bytes of code.
    ///
    /// # Errors
    /// If they are in no section of code.
    pub fn bytes(&self, address: u64, size: u64) -> Result<&[u8], String> {
        let found = self.sections.iter().find_map(|(start, data)| {
            let begin = usize::try_from(address.checked_sub(*start)?).ok()?;
            data.get(begin..begin.checked_add(usize::try_from(size).ok()?)?)
        });
        found.ok_or_else(|| format!("{}: the {size} bytes at {address:#x} are in no section of code", self.name))
    }

    /// What lies at an address.
    ///
    /// # Errors
    /// If no mapping symbol comes before it.
    pub fn content(&self, address: u64) -> Result<Content, String> {
        let next = self.mapping.partition_point(|(start, _)| *start <= address);
        let before = next.checked_sub(1).map(|index| self.mapping[index].1);
        before.ok_or_else(|| format!("{}: no mapping symbol tells whether {address:#x} is code", self.name))
    }
}
