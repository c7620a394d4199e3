//! A kernel's machine code, as the driver reads it from the ELF file that the guest runs.

use vambrace::kernels::{Architecture, Feature};

use crate::elf::{Content, Elf};

/// The machine code of a kernel.
#[derive(Debug)]
pub struct Code {
    /// What it is written for.
    pub architecture: Architecture,
    /// The kernel's name.
    pub kernel: String,
    /// The features that its contract declares.
    pub features: &'static [Feature],
    /// Its instructions and literals, in order.
    pub words: Vec<Word>,
}

/// Four bytes of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// Bytes after the first instruction.
    pub offset: u32,
    /// The bytes, little-endian.
    pub value: u32,
    /// Whether it is an instruction, and not a part of a table.
    pub is_code: bool,
}

impl Code {
    /// Reads a kernel whose first instruction is at an address.
    ///
    /// # Errors
    /// If its extent, or what is code in it, cannot be told.
    pub fn read(elf: &Elf, kernel: &str, features: &'static [Feature], address: u64) -> Result<Code, String> {
        let function = elf.function_at(address)?;
        let bytes = elf.bytes(address, function.size)?;
        let (chunks, rest) = bytes.as_chunks();
        if !rest.is_empty() || !address.is_multiple_of(4) {
            return Err(format!("{}: {kernel} at {address:#x} does not consist of whole words", elf.name()));
        }
        let words = chunks.iter().enumerate().map(|(index, bytes)| {
            let offset = 4 * index as u32;
            let is_code = match elf.content(address + u64::from(offset))? {
                Content::Data => false,
                Content::A32 | Content::A64 => true,
                Content::Thumb => return Err(format!("{}: {kernel} has Thumb code", elf.name())),
            };
            Ok(Word { offset, value: u32::from_le_bytes(*bytes), is_code })
        });
        let words = words.collect::<Result<_, String>>()?;
        Ok(Code { architecture: elf.architecture(), kernel: kernel.to_owned(), features, words })
    }

    /// The word at an offset.
    pub fn at(&self, offset: u32) -> Option<Word> {
        self.words.get(offset as usize / 4).copied().filter(|word| word.offset == offset)
    }
}
