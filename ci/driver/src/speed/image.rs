//! The ELF file that a guest was started from.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};

use super::tool::{SpeedError, in_file};

/// A statically linked program: addresses in the file are addresses in memory.
pub struct Image {
    path: PathBuf,
    sections: Vec<(u64, Vec<u8>)>,
    functions: Vec<(String, Range<u64>)>,
}

impl Image {
    /// Reads the code and the symbols of a file.
    pub fn read(path: &Path) -> Result<Image, SpeedError> {
        let image = |what: object::Error| SpeedError::Image { path: path.to_owned(), what: what.to_string() };
        let bytes = fs::read(path).map_err(in_file(path))?;
        let file = object::File::parse(&*bytes).map_err(image)?;
        let mut sections = Vec::new();
        for section in file.sections().filter(|section| section.kind() == object::SectionKind::Text) {
            sections.push((section.address(), section.data().map_err(image)?.to_vec()));
        }
        let functions = file
            .symbols()
            .filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_definition())
            .map(|symbol| {
                // Bit 0 of the address of a function marks Thumb.
                let start = symbol.address() & !1;
                (symbol.name().unwrap_or_default().to_owned(), start..start + symbol.size())
            })
            .collect();
        Ok(Image { path: path.to_owned(), sections, functions })
    }

    /// Where the function at an address starts and ends.
    pub fn function_at(&self, address: u64) -> Result<Range<u64>, SpeedError> {
        let found = self.functions.iter().find(|(_, range)| range.start == address && !range.is_empty());
        found.map(|(_, range)| range.clone()).ok_or_else(|| self.error(format!("no function at {address:#x}")))
    }

    /// The start of a function of this name.
    pub fn function(&self, name: &str) -> Result<u64, SpeedError> {
        let found = self.functions.iter().find(|(symbol, _)| symbol == name);
        found.map(|(_, range)| range.start).ok_or_else(|| self.error(format!("no function {name}")))
    }

    /// The instruction word at an address (little-endian, 4 bytes).
    pub fn word(&self, address: u64) -> Result<u32, SpeedError> {
        let word = self.sections.iter().find_map(|(start, bytes)| {
            let offset = usize::try_from(address.checked_sub(*start)?).ok()?;
            bytes.get(offset..)?.first_chunk().copied().map(u32::from_le_bytes)
        });
        word.ok_or_else(|| self.error(format!("no code at {address:#x}")))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    fn error(&self, what: String) -> SpeedError {
        SpeedError::Image { path: self.path.clone(), what }
    }
}
